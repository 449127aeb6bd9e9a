//! The map of creep: how fast each particle creeps, as a colour.

use super::round_up;
use crate::math::log10;
use crate::view::theme::{self, Colour, ViewTheme};

/// Decades of speed that the colours span.
pub(super) const DECADES: f64 = 4.0;

/// Creep of every particle on the scale of the map.
pub(super) struct Heat {
    /// the round speed at the upper end \[m/s\]; `None` where nothing is known to creep
    pub(super) top: Option<f64>,
    /// place on the scale, from 0 to 1; NaN where nothing is known
    shares: Vec<f64>,
}

impl Heat {
    /// From the creep of particles: law, integrator, lag \[m/s\].
    pub(super) fn of(creep: &[[f64; 3]]) -> Heat {
        let speed = |[law, integrator, lag]: &[f64; 3]| (law + integrator + lag).abs();
        let mut largest: f64 = 0.0;
        for each in creep {
            let speed = speed(each);
            if speed > largest && speed.is_finite() {
                largest = speed;
            }
        }
        let top = (largest > 1e-100).then(|| round_up(largest));
        let scale = top.unwrap_or(1.0);
        let place = |speed: f64| match speed {
            s if !s.is_finite() => f64::NAN,
            s if s > 0.0 => (1.0 + log10(s / scale) / DECADES).clamp(0.0, 1.0),
            _ => 0.0,
        };
        Heat { top, shares: creep.iter().map(|each| place(speed(each))).collect() }
    }

    /// The colour of a particle.
    pub(super) fn particle(&self, i: usize, theme: &ViewTheme) -> Colour {
        self.colour(self.share(i), theme)
    }

    /// The colour of a triangle: of the mean of those corners of which something is known.
    pub(super) fn triangle(&self, corners: [u32; 3], theme: &ViewTheme) -> Colour {
        let (mut sum, mut count) = (0.0, 0.0);
        for share in corners.map(|i| self.share(i as usize)) {
            if share.is_finite() {
                sum += share;
                count += 1.0;
            }
        }
        self.colour(sum / count, theme)
    }

    fn share(&self, i: usize) -> f64 {
        self.shares.get(i).copied().unwrap_or(f64::NAN)
    }

    fn colour(&self, share: f64, theme: &ViewTheme) -> Colour {
        if share.is_finite() { theme::heat(share) } else { theme.neutral }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_spans_four_decades_below_a_round_speed() {
        let nothing = [f64::NAN; 3];
        let heat = Heat::of(&[[3e-4, 1e-4, 0.0], [5e-8, 0.0, 0.0], [-5e-6, 0.0, 0.0], nothing]);
        let top = heat.top.unwrap();
        assert!((top / 5e-4 - 1.0).abs() < 1e-9);
        assert!((heat.share(2) - 0.5).abs() < 1e-6 && heat.share(1) < 1e-9);
        assert!(heat.share(0) > 0.97 && heat.share(3).is_nan() && heat.share(9).is_nan());
        let theme = &theme::LIGHT;
        assert_eq!(heat.particle(3, theme), theme.neutral);
        assert_eq!(heat.triangle([2, 3, 9], theme), heat.particle(2, theme));
    }

    #[test]
    fn hostile_speeds_are_neutral() {
        let heat = Heat::of(&[[f64::INFINITY; 3], [f64::NAN, 1.0, 1.0], [f64::MAX; 3]]);
        assert!(heat.top.is_none() && (0..3).all(|i| heat.share(i).is_nan()));
    }
}
