//! Pictures without a background: the opacity of a pixel from two pictures, one on black and one on
//! white.
//!
//! A pixel of colour c and opacity α on a background b is α c + (1 − α) b. If it is B on black and
//! W on white, then α = 1 − (W − B) and c = B/α \[smith1996\].

use super::canvas::Canvas;
use super::display::Display;
use super::stage::Stage;
use super::theme::{Colour, DARK, LIGHT, ViewTheme};

const fn on(background: Colour, theme: ViewTheme) -> ViewTheme {
    ViewTheme { sky: background, haze: background, ..theme }
}

/// The light and the dark theme, each on black and on white.
static BACKGROUNDS: [[ViewTheme; 2]; 2] =
    [[on(0, LIGHT), on(0xff_ffff, LIGHT)], [on(0, DARK), on(0xff_ffff, DARK)]];

/// The picture of runs on a stage without background: four bytes per pixel, rows from the top, the
/// last byte the opacity.
pub(crate) fn matted(stage: &mut Stage, displays: &[Display]) -> Vec<u8> {
    let theme = stage.look.theme;
    let dark = usize::from(theme.name == DARK.name);
    let mut draw = |background: &'static ViewTheme| -> Canvas {
        stage.look.theme = background;
        stage.draw(displays);
        stage.canvas.clone()
    };
    let [black, white] = BACKGROUNDS[dark].each_ref().map(&mut draw);
    stage.look.theme = theme;
    let pairs = black.pixels().iter().zip(white.pixels());
    pairs.flat_map(|(black, white)| separated(*black, *white)).collect()
}

/// Colour and opacity of a pixel from its colours on black and on white.
fn separated(black: Colour, white: Colour) -> [u8; 4] {
    let channels = |colour: Colour| [16, 8, 0].map(|shift| (colour >> shift & 255) as i32);
    let (black, white) = (channels(black), channels(white));
    let through: i32 = (0..3).map(|c| white[c] - black[c]).sum();
    let opacity = (255 - (through + 1) / 3).clamp(0, 255);
    let colour = black.map(|b| match opacity {
        0 => 0,
        opacity => ((b * 255 + opacity / 2) / opacity).min(255) as u8,
    });
    [colour[0], colour[1], colour[2], opacity as u8]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::mix;

    #[test]
    fn colour_and_opacity_come_back() {
        assert_eq!(separated(0, 0xff_ffff), [0, 0, 0, 0]);
        assert_eq!(separated(0x10_2030, 0x10_2030), [0x10, 0x20, 0x30, 255]);
        for share in [0.2, 0.5, 0.9] {
            let on = |background| mix(background, 0xc8_6432, share);
            let [red, green, blue, opacity] = separated(on(0), on(0xff_ffff));
            assert!((f64::from(opacity) - 255.0 * share).abs() < 2.5, "{opacity}");
            let near = |a: u8, b: u8| a.abs_diff(b) <= 6;
            assert!(
                near(red, 0xc8) && near(green, 0x64) && near(blue, 0x32),
                "{red} {green} {blue}"
            );
        }
    }
}
