//! Maps: a quantity of each particle as a colour.

use super::round_up;
use crate::snapshot::Snapshot;
use crate::theme::{self, Colour, ViewTheme};
use stiction_core::diagnosis::particle_creep::PARTS;
use stiction_core::forces::elements::ElasticState;
use stiction_core::math::log10;
use stiction_core::measures::contact_fields::ContactFields;
use stiction_scene::sections::MapKind;

/// Number of decades of a logarithmic colour scale.
pub(super) const DECADES: f64 = 4.0;

/// Scale of a map.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Scale {
    /// Four decades below the upper end.
    Decades,
    /// From 0 to the upper end.
    Linear,
    /// From minus the upper end to the upper end.
    Signed,
}

/// A quantity of every particle on the scale of its map.
pub(super) struct Heat {
    /// name of the quantity
    pub(super) name: &'static str,
    /// its unit; empty for a ratio
    pub(super) unit: &'static str,
    /// both ends of the scale, in the unit; `None` without known values
    pub(super) ends: Option<[f64; 2]>,
    /// position on the scale, from 0 to 1; NaN if unknown
    shares: Vec<f64>,
}

impl Heat {
    /// A map of the present state of a run. Creep and dissipated work span four decades, pressure
    /// and shear range from 0 to their maximum, a load ratio from 0 to 1: the cone. Particles
    /// without a surface show forces instead of pressure and shear. Quantities of elastic bodies are means
    /// over the elements of a particle, by their volumes.
    pub(super) fn of(map: MapKind, snapshot: &Snapshot) -> Heat {
        let fields = || ContactFields::of(&snapshot.model, &snapshot.state);
        let some = |values: &[f64]| values.iter().any(|x| x.is_finite());
        let touching = |values: Vec<f64>, fields: &ContactFields| -> Vec<f64> {
            let known = values.into_iter().zip(&fields.load_ratio);
            known.map(|(x, ratio)| if ratio.is_nan() { f64::NAN } else { x }).collect()
        };
        match map {
            MapKind::Creep => {
                let speed = |parts: &[f64; PARTS]| parts.iter().sum::<f64>().abs();
                let speeds = snapshot.creep.iter().map(speed).collect();
                Heat::scaled("creep", "m/s", Scale::Decades, speeds)
            }
            MapKind::Pressure | MapKind::Shear => {
                let fields = fields();
                let (name, over, force) = match map {
                    MapKind::Pressure => ("pressure", &fields.pressure, &fields.normal),
                    _ => ("shear", &fields.shear, &fields.friction),
                };
                if some(over) {
                    return Heat::scaled(
                        name,
                        "Pa",
                        Scale::Linear,
                        touching(over.clone(), &fields),
                    );
                }
                let name = if map == MapKind::Pressure { "normal force" } else { "friction" };
                let force = force.iter().map(|f| f.norm()).collect();
                Heat::scaled(name, "N", Scale::Linear, touching(force, &fields))
            }
            MapKind::LoadRatio => {
                let shares = fields().load_ratio;
                Heat { name: "load ratio", unit: "", ends: Some([0.0, 1.0]), shares }
            }
            MapKind::Dissipation => {
                let work = snapshot.dissipated.iter().map(|w| if *w > 0.0 { *w } else { f64::NAN });
                Heat::scaled("dissipated", "J", Scale::Decades, work.collect())
            }
            MapKind::VonMises => {
                let stress = of_solids(snapshot, ElasticState::von_mises);
                Heat::scaled("von Mises stress", "Pa", Scale::Linear, stress)
            }
            MapKind::Hydrostatic => {
                let pressure = of_solids(snapshot, ElasticState::pressure);
                Heat::scaled("hydrostatic pressure", "Pa", Scale::Signed, pressure)
            }
            MapKind::Stretch => {
                let strain = of_solids(snapshot, |state| state.stretches()[0] - 1.0);
                Heat::scaled("largest stretch − 1", "", Scale::Linear, strain)
            }
        }
    }

    /// Values on a scale up to their maximum, rounded up.
    fn scaled(name: &'static str, unit: &'static str, scale: Scale, values: Vec<f64>) -> Heat {
        let mut largest: f64 = 0.0;
        for value in &values {
            let size = if scale == Scale::Signed { value.abs() } else { *value };
            if size > largest && size.is_finite() {
                largest = size;
            }
        }
        let top = (largest > 1e-100).then(|| round_up(largest));
        let end = top.unwrap_or(1.0);
        let place = |value: f64| match (value, scale) {
            (x, _) if !x.is_finite() => f64::NAN,
            (x, Scale::Decades) if x > 0.0 => (1.0 + log10(x / end) / DECADES).clamp(0.0, 1.0),
            (x, Scale::Linear) => (x / end).clamp(0.0, 1.0),
            (x, Scale::Signed) => (0.5 + 0.5 * x / end).clamp(0.0, 1.0),
            _ => 0.0,
        };
        let shares = values.into_iter().map(place).collect();
        let bottom = |top: f64| match scale {
            Scale::Decades => top / stiction_core::math::pow(10.0, DECADES),
            Scale::Linear => 0.0,
            Scale::Signed => -top,
        };
        Heat { name, unit, ends: top.map(|top| [bottom(top), top]), shares }
    }

    /// The colour of a particle.
    pub(super) fn particle(&self, i: usize, theme: &ViewTheme) -> Colour {
        self.colour(self.share(i), theme)
    }

    /// The colour of a triangle: the mean over its corners with known values.
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

/// A quantity of elastic bodies at every particle; NaN elsewhere.
fn of_solids(snapshot: &Snapshot, of: impl Fn(&ElasticState) -> f64) -> Vec<f64> {
    snapshot.model.elements.at_particles(&snapshot.state.positions, of)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn creep(values: &[f64]) -> Heat {
        Heat::scaled("creep", "m/s", Scale::Decades, values.to_vec())
    }

    #[test]
    fn the_scale_spans_four_decades_below_a_round_speed() {
        let heat = creep(&[4e-4, 5e-8, 5e-6, f64::NAN]);
        let [bottom, top] = heat.ends.unwrap();
        assert!((top / 5e-4 - 1.0).abs() < 1e-9 && (bottom / 5e-8 - 1.0).abs() < 1e-9);
        assert!((heat.share(2) - 0.5).abs() < 1e-6 && heat.share(1) < 1e-9);
        assert!(heat.share(0) > 0.97 && heat.share(3).is_nan() && heat.share(9).is_nan());
        let theme = &theme::LIGHT;
        assert_eq!(heat.particle(3, theme), theme.neutral);
        assert_eq!(heat.triangle([2, 3, 9], theme), heat.particle(2, theme));
    }

    #[test]
    fn a_linear_scale_begins_at_zero() {
        let heat = Heat::scaled("pressure", "Pa", Scale::Linear, vec![0.0, 900.0, 500.0]);
        assert_eq!(heat.ends, Some([0.0, 1000.0]));
        assert_eq!([heat.share(0), heat.share(1), heat.share(2)], [0.0, 0.9, 0.5]);
    }

    #[test]
    fn a_signed_scale_has_zero_in_its_middle() {
        let values = vec![0.0, -1800.0, 500.0, f64::NAN];
        let heat = Heat::scaled("hydrostatic pressure", "Pa", Scale::Signed, values);
        assert_eq!(heat.ends, Some([-2000.0, 2000.0]));
        for (i, share) in [0.5, 0.05, 0.625].into_iter().enumerate() {
            assert!((heat.share(i) - share).abs() < 1e-15, "{i}: {}", heat.share(i));
        }
        assert!(heat.share(3).is_nan());
    }

    #[test]
    fn hostile_speeds_are_neutral() {
        let heat = creep(&[f64::INFINITY, f64::NAN]);
        assert!(heat.ends.is_none() && (0..2).all(|i| heat.share(i).is_nan()));
    }
}
