//! Colours of a picture: a light and a dark set.
//!
//! Stick, slip and chatter differ in hue and in lightness, so that colour-blind readers can
//! distinguish them; strain has other hues.

use super::snapshot::Stance;

/// A colour, 0x00RRGGBB.
pub type Colour = u32;

/// All colours of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewTheme {
    /// Its name.
    pub name: &'static str,
    /// Background at the top.
    pub sky: Colour,
    /// Background at the bottom.
    pub haze: Colour,
    /// Surface of planes.
    pub ground: Colour,
    /// Grid lines on planes.
    pub grid: Colour,
    /// Shadow on planes, and its opacity out of 255.
    pub shadow: (Colour, u8),
    /// Surface of curved and boxed colliders.
    pub collider: Colour,
    /// Their outlines.
    pub outline: Colour,
    /// Surfaces of bodies, in turn.
    pub bodies: &'static [Colour],
    /// Text and thin lines.
    pub ink: Colour,
    /// Secondary text.
    pub faint: Colour,
    /// Cards behind text, and their opacity out of 255.
    pub card: (Colour, u8),
    /// Border of cards.
    pub border: Colour,
    /// A spring at rest length.
    pub relaxed: Colour,
    /// A shortened spring.
    pub compressed: Colour,
    /// A lengthened spring.
    pub stretched: Colour,
    /// Contact normals.
    pub normal: Colour,
    /// Friction force of a sticking contact.
    pub stick: Colour,
    /// Friction force of a slipping contact.
    pub slip: Colour,
    /// Friction force not resolved by the step.
    pub chatter: Colour,
    /// Lines of plots, in turn.
    pub lines: [Colour; 8],
    /// Parts without a value in a map.
    pub neutral: Colour,
    /// The reference.
    pub ghost: Colour,
    /// A good result.
    pub good: Colour,
    /// A fault.
    pub bad: Colour,
}

/// Dark ink on paper.
pub const LIGHT: ViewTheme = ViewTheme {
    name: "light",
    sky: 0xdfe9f3,
    haze: 0xfbfaf6,
    ground: 0xefebe1,
    grid: 0xb9bfc6,
    shadow: (0x3a4657, 78),
    collider: 0xd3cec2,
    outline: 0x857f72,
    bodies: &[0x8fbfe8, 0xf0c987, 0x9fd3b0, 0xeba9b3, 0xbfb0e3, 0xa7d4d8],
    ink: 0x1f2a37,
    faint: 0x66717f,
    card: (0xffffff, 218),
    border: 0xcfd6de,
    relaxed: 0x6e7f92,
    compressed: 0x2757c4,
    stretched: 0xb8277c,
    normal: 0x4a5563,
    lines: [0xd55e00, 0x0067b0, 0x7a5195, 0x8a6d1f, 0x00896b, 0x2a93c4, 0xb8277c, 0xc81e1e],
    stick: 0x00806a,
    slip: 0xf08000,
    chatter: 0x7a0a96,
    neutral: 0xc9ced4,
    ghost: 0x3b36c9,
    good: 0x0b7a4b,
    bad: 0xc81e1e,
};

/// Light ink on slate.
pub const DARK: ViewTheme = ViewTheme {
    name: "dark",
    sky: 0x10161f,
    haze: 0x232c39,
    ground: 0x2b3442,
    grid: 0x55606f,
    shadow: (0x05080c, 120),
    collider: 0x4d5868,
    outline: 0x98a4b3,
    bodies: &[0x4f8fc7, 0xc79a4f, 0x57a877, 0xc46f7d, 0x8b78c4, 0x5aa3aa],
    ink: 0xe8edf3,
    faint: 0x9aa6b4,
    card: (0x161d27, 216),
    border: 0x3a4656,
    relaxed: 0x9fb0c3,
    compressed: 0x6ea8ff,
    stretched: 0xff7cc0,
    normal: 0xb6c2cf,
    lines: [0xff9a4d, 0x5fb4ff, 0xc39bff, 0xe0c060, 0x2fd6a6, 0x8fd8ff, 0xff7cc0, 0xff6b6b],
    stick: 0x1fae8a,
    slip: 0xffb852,
    chatter: 0xb936cb,
    neutral: 0x66717f,
    ghost: 0xa9a6ff,
    good: 0x4cd68f,
    bad: 0xff6b6b,
};

impl ViewTheme {
    /// The other theme.
    pub fn other(&self) -> &'static ViewTheme {
        if self.name == LIGHT.name { &DARK } else { &LIGHT }
    }

    /// The colour of a spring at strain/scale = `share`, clamped to [−1, 1].
    #[inline]
    pub fn strain(&self, share: f64) -> Colour {
        let end = if share < 0.0 { self.compressed } else { self.stretched };
        mix(self.relaxed, end, share.abs())
    }

    /// The colour of a body's surface.
    pub fn body(&self, body: usize) -> Colour {
        self.bodies[body % self.bodies.len()]
    }

    /// The colour of friction.
    pub fn friction(&self, stance: Stance) -> Colour {
        match stance {
            Stance::Sticks => self.stick,
            Stance::Slips => self.slip,
            Stance::Chatters => self.chatter,
        }
    }
}

/// Colours of a map from small to large values, of increasing lightness.
const MAP: [Colour; 6] = [0x33186b, 0x35468f, 0x22758e, 0x23a383, 0x86c94f, 0xf5e23a];

/// The colour of a map at `share` from 0 to 1, clamped.
pub fn heat(share: f64) -> Colour {
    let at = share.clamp(0.0, 1.0) * (MAP.len() - 1) as f64;
    let below = (at as usize).min(MAP.len() - 2);
    mix(MAP[below], MAP[below + 1], at - below as f64)
}

/// `a + (b − a) share` per channel, `share` clamped to [0, 1].
#[inline]
pub fn mix(a: Colour, b: Colour, share: f64) -> Colour {
    let share = (share.clamp(0.0, 1.0) * 256.0) as u32;
    let channel = |shift: u32| {
        let (a, b) = (a >> shift & 255, b >> shift & 255);
        ((a * (256 - share) + b * share + 128) >> 8) << shift
    };
    channel(16) | channel(8) | channel(0)
}

/// A lit colour: `light` < 1 darkens, > 1 brightens towards white.
pub fn lit(colour: Colour, light: f64) -> Colour {
    if light < 1.0 { mix(0x18202c, colour, light) } else { mix(colour, 0xffffff, light - 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction_core::math::pow;

    /// Lightness from 0 to 100 (CIE L*, of linear light).
    fn lightness(colour: Colour) -> f64 {
        let linear = |shift: u32| {
            let c = f64::from(colour >> shift & 255) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { pow((c + 0.055) / 1.055, 2.4) }
        };
        let light = 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0);
        116.0 * pow(light, 1.0 / 3.0) - 16.0
    }

    #[test]
    fn what_friction_does_differs_in_lightness() {
        for theme in [LIGHT, DARK] {
            let [a, b, c] = [theme.chatter, theme.stick, theme.slip].map(lightness);
            assert!(b - a > 11.0 && c - b > 11.0, "{}: {a} {b} {c}", theme.name);
        }
    }

    #[test]
    fn a_map_grows_lighter_from_end_to_end() {
        let all: Vec<f64> = (0..=50).map(|k| lightness(heat(f64::from(k) / 50.0))).collect();
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]), "{all:?}");
        assert!(all[0] < 25.0 && all[50] > 85.0);
        assert_eq!((heat(-1.0), heat(2.0), heat(f64::NAN)), (MAP[0], MAP[5], MAP[0]));
    }

    #[test]
    fn mixing_reaches_both_ends() {
        assert_eq!(mix(0x102030, 0xf0e0d0, 0.0), 0x102030);
        assert_eq!(mix(0x102030, 0xf0e0d0, 1.0), 0xf0e0d0);
        assert_eq!(mix(0x000000, 0xffffff, 0.5), 0x808080);
        assert_eq!(mix(0x102030, 0xf0e0d0, f64::NAN), 0x102030);
    }
}
