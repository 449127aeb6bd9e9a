//! The coefficients of friction of a scene as one or two sliders: μ turns all of them together; where
//! the only material has another μ_k than μ_s, each has its own.

use super::slider::FRICTIONS;
use crate::dial::Dial;
use crate::keys::{Direction, Knob};
use stiction_core::math::larger;
use stiction_scene::Scene;

/// Change of a coefficient per turn.
const TURN: f64 = 0.05;

/// Relative change of coefficients per turn, if there are several materials or pairs.
const SHARE: f64 = 0.1;

/// Changes of the coefficients.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Coefficients {
    /// factor of all of them
    factor: f64,
    /// μ_s and μ_k of the only material, if they were set by themselves
    own: [Option<f64>; 2],
}

impl Default for Coefficients {
    fn default() -> Self {
        Coefficients { factor: 1.0, own: [None; 2] }
    }
}

/// Name of each coefficient, and its key in a material.
const NAMES: [(&str, &str); 2] = [("μ_s", "static_friction"), ("μ_k", "kinetic_friction")];

/// A slider of coefficients, with its value in words.
pub(super) struct CoefficientRow {
    pub knob: Knob,
    pub name: &'static str,
    pub value: String,
    pub dial: Dial,
}

impl Coefficients {
    /// The changes as arguments of `--set`.
    pub fn set(&self, original: &Scene) -> Vec<String> {
        let mut set = Vec::new();
        if self.factor != 1.0 {
            set.extend(scaled(original, self.factor));
        }
        if let [only] = &original.materials[..] {
            for ((_, key), value) in NAMES.into_iter().zip(self.own) {
                set.extend(value.map(|mu| format!("materials.\"{}\".{key}={mu:e}", only.name)));
            }
        }
        set
    }

    /// μ_s and μ_k, where each has its own slider: they differ, or were set by themselves.
    fn apart(&self, now: &Scene) -> Option<[f64; 2]> {
        let [mu_s, mu_k] = of_one(now)?;
        (mu_s != mu_k || self.own != [None; 2]).then_some([mu_s, mu_k])
    }

    /// The sliders of a scene.
    pub fn rows(&self, now: &Scene) -> Vec<CoefficientRow> {
        let dial = |value| Dial { value, unit: "", range: FRICTIONS, logarithmic: false };
        if let Some(both) = self.apart(now) {
            let row = |(place, value): (usize, f64)| {
                let knob = if place == 0 { Knob::Friction } else { Knob::KineticFriction };
                let (name, value_text) = (NAMES[place].0, format!("{value:.2}"));
                CoefficientRow { knob, name, value: value_text, dial: dial(value) }
            };
            return both.into_iter().enumerate().map(row).collect();
        }
        let one = of_one(now).map(|[mu, _]| mu);
        let value = one.map_or_else(|| format!("× {:.1}", self.factor), |mu| format!("{mu:.2}"));
        let (knob, dial) = (Knob::Friction, dial(one.unwrap_or(self.factor)));
        vec![CoefficientRow { knob, name: knob.name(), value, dial }]
    }

    /// Keys of materials whose numbers a turn of a knob replaces, and no other.
    pub fn replaces(&self, knob: Knob, now: &Scene) -> &'static str {
        match (self.apart(now), knob) {
            (Some(_), Knob::KineticFriction) => ".kinetic_friction",
            (Some(_), _) => ".static_friction",
            (None, _) => "_friction",
        }
    }

    /// Set to a value, in words.
    ///
    /// # Errors
    /// There is no such coefficient.
    pub fn to(
        &self,
        knob: Knob,
        value: f64,
        (original, now): (&Scene, &Scene),
    ) -> Result<(String, Coefficients), String> {
        let mut next = *self;
        if let Some(both) = self.apart(now) {
            let place = usize::from(knob == Knob::KineticFriction);
            // the other stays what it is, whatever scaled both before
            next = Coefficients { factor: 1.0, own: both.map(Some) };
            next.own[place] = Some(value);
            let alone = if place == 0 { " (μ_s alone)" } else { "" };
            return Ok((format!("{value}{alone}"), next));
        }
        if knob == Knob::KineticFriction {
            return Err("μ_k is not apart from μ_s here".into());
        }
        match of_one(original).map(|[mu, _]| mu) {
            Some(mu) if mu > 0.0 => {
                next.factor = value / mu;
                Ok((format!("{value} (μ_s and μ_k)"), next))
            }
            Some(_) => Err("there is no friction that could be scaled".into()),
            None => {
                next.factor = value;
                Ok((format!("× {value} of the scene's, μ_s and μ_k of all pairs"), next))
            }
        }
    }

    /// Slightly larger or smaller: by [`TURN`] for one material, else by [`SHARE`] of their values.
    ///
    /// # Errors
    /// There is no such coefficient.
    pub fn turned(
        &self,
        knob: Knob,
        way: Direction,
        (original, now): (&Scene, &Scene),
    ) -> Result<(String, Coefficients), String> {
        let sign = if way == Direction::Up { 1.0 } else { -1.0 };
        let rounded = |x: f64, parts: f64| (larger(x, 0.0) * parts).round() / parts;
        let place = usize::from(knob == Knob::KineticFriction);
        let next = match of_one(now) {
            Some(both) => rounded(both[place] + sign * TURN, 100.0),
            None => rounded(self.factor + sign * SHARE, 10.0),
        };
        self.to(knob, next, (original, now))
    }
}

/// μ_s and μ_k of all contacts, if the scene has one material and no pairs.
fn of_one(scene: &Scene) -> Option<[f64; 2]> {
    match &scene.materials[..] {
        [only] if scene.pairs.is_empty() => Some([only.static_friction, only.kinetic_friction]),
        _ => None,
    }
}

/// All coefficients multiplied by a factor.
fn scaled(scene: &Scene, factor: f64) -> Vec<String> {
    let mut set = Vec::new();
    let mut add = |of: String, value: f64| set.push(format!("{of}={:e}", value * factor));
    for material in &scene.materials {
        let of = format!("materials.\"{}\"", material.name);
        add(format!("{of}.static_friction"), material.static_friction);
        add(format!("{of}.kinetic_friction"), material.kinetic_friction);
    }
    for (k, pair) in scene.pairs.iter().enumerate() {
        let of = |key: &str| format!("pair.{k}.{key}");
        pair.static_friction.into_iter().for_each(|mu| add(of("static_friction"), mu));
        pair.kinetic_friction.into_iter().for_each(|mu| add(of("kinetic_friction"), mu));
    }
    set
}
