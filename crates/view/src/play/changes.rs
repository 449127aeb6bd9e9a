//! A user's changes of a scene during the run, as `key=value` texts.

use crate::dial::Dial;
use crate::display::Setting;
use crate::keys::{Direction, Knob};
use crate::text::quantity;
use std::collections::BTreeMap;
use stiction_core::contact::friction::FRICTION_LAWS;
use stiction_core::contact::normal::linear;
use stiction_core::integrators::INTEGRATORS;
use stiction_core::math::larger;
use stiction_core::registry::Fallback;
use stiction_scene::numbers::SceneNumber;
use stiction_scene::{Choice, Scene};

/// Differences from the scene; an absent value is that of the scene.
#[derive(Debug, Clone, PartialEq)]
pub struct Changes {
    /// changes from a recording; all others come after them
    given: Vec<String>,
    integrator: Option<&'static str>,
    law: Option<&'static str>,
    /// ε \[m/s\]
    epsilon: Option<f64>,
    /// h and the time between frames \[s\]
    step: Option<(f64, f64)>,
    /// factor of all coefficients of friction
    friction: f64,
    /// k_n in the units of the normal law
    stiffness: Option<f64>,
    /// numbers of the scene by their paths
    numbers: BTreeMap<String, NumberChange>,
    /// μ_s N of a typical contact when the law was chosen \[N\], used to guess its required keys
    capacity: f64,
}

/// A number of the scene with another value.
#[derive(Debug, Clone, PartialEq)]
struct NumberChange {
    /// `key=value`
    text: String,
    /// whether it changes the start of the run
    restarts: bool,
}

impl Default for Changes {
    fn default() -> Self {
        let (integrator, law, epsilon, step, stiffness) = (None, None, None, None, None);
        let (given, friction, capacity) = (Vec::new(), 1.0, 1.0);
        let numbers = BTreeMap::new();
        Changes { given, integrator, law, epsilon, step, friction, stiffness, numbers, capacity }
    }
}

/// A possible change: its name, and all changes including it.
pub(crate) type Candidate = (String, Changes);

/// Change of the first coefficient of friction per turn.
const MU: f64 = 0.05;

/// Relative change of coefficients per turn, if there are several pairs.
const SHARE: f64 = 0.1;

/// Ranges of the sliders of ε \[m/s\], h \[s\], μ and k_n.
pub(super) const EPSILONS: [f64; 2] = [1e-6, 1.0];
const STEPS: [f64; 2] = [1e-6, 0.1];
pub(super) const FRICTIONS: [f64; 2] = [0.0, 2.0];
pub(super) const STIFFNESSES: [f64; 2] = [1e1, 1e8];

/// Largest number of candidates (numbers of steps per frame) tried for a larger step.
const TRIES: u64 = 12;

impl Changes {
    /// The law's ε in a scene \[m/s\].
    fn epsilon_of(scene: &Scene) -> Option<f64> {
        number(&scene.contact.friction, "epsilon")
    }

    /// The changes set by a recording.
    pub fn of_settings(set: &[String]) -> Changes {
        Changes { given: set.to_vec(), ..Changes::default() }
    }

    /// The changes as arguments of `--set`.
    pub fn set(&self, original: &Scene) -> Vec<String> {
        let mut set = self.given.clone();
        if let Some(name) = self.integrator {
            set.push(format!("integrator.method={name}"));
        }
        let epsilon = self.epsilon.or_else(|| Changes::epsilon_of(original));
        if let Some(name) = self.law {
            set.push(format!("contact.friction.law={name}"));
            set.extend(required(name, original, epsilon, self.capacity));
        }
        let law = self.law.unwrap_or(original.contact.friction.name);
        if let Some(epsilon) = epsilon.filter(|_| has_key(law, "epsilon"))
            && (self.law.is_some() || self.epsilon.is_some())
        {
            set.push(format!("contact.friction.epsilon={epsilon:e}"));
        }
        if let Some((step, output)) = self.step {
            set.push(format!("time.step={step:e}"));
            set.push(format!("time.output={output:e}"));
        }
        if self.friction != 1.0 {
            set.extend(frictions(original, self.friction));
        }
        if let Some(stiffness) = self.stiffness {
            set.push(format!("contact.normal.stiffness={stiffness:e}"));
        }
        set.extend(self.numbers_that(false));
        set
    }

    /// The changes of the start of the run, as arguments of `--set`.
    pub fn start(&self) -> Vec<String> {
        self.numbers_that(true).collect()
    }

    /// The changes of the start alone.
    pub(crate) fn of_start(&self) -> Changes {
        let numbers = self.numbers.iter().filter(|(_, number)| number.restarts);
        let numbers = numbers.map(|(path, number)| (path.clone(), number.clone())).collect();
        Changes { numbers, ..Changes::default() }
    }

    fn numbers_that(&self, restart: bool) -> impl Iterator<Item = String> {
        let numbers = self.numbers.values().filter(move |number| number.restarts == restart);
        numbers.map(|number| number.text.clone())
    }

    /// The change of a number of the scene.
    pub(crate) fn with_number(&self, number: &SceneNumber, value: f64, restarts: bool) -> Changes {
        let text = number.set_to(value);
        let mut changes = self.clone();
        changes.numbers.insert(number.path.clone(), NumberChange { text, restarts });
        changes
    }

    /// Leaves out the numbers of a table, whose keys may not be those of another row.
    fn forget_numbers(&mut self, table: &str) {
        self.numbers.retain(|path, _| !path.starts_with(table));
    }

    /// Leaves out the coefficients of friction, which are scaled together.
    fn forget_coefficients(&mut self) {
        self.numbers.retain(|path, _| !path.ends_with("_friction"));
    }

    /// Candidates for a turn of a knob, the nearest first, except those that the scene cannot have.
    ///
    /// # Errors
    /// The reason why the knob cannot be turned.
    pub fn turned(
        &self,
        knob: Knob,
        way: Direction,
        original: &Scene,
        now: &Scene,
        capacity: f64,
    ) -> Result<Vec<Candidate>, String> {
        let with = |name: String, change: &dyn Fn(&mut Changes)| {
            let mut changes = self.clone();
            change(&mut changes);
            (name, changes)
        };
        let friction = &now.contact.friction;
        turnable(knob, now)?;
        match knob {
            Knob::Integrator => {
                let names = INTEGRATORS.iter().map(|row| row.name).collect();
                let others = after(names, now.integrator.name, way);
                Ok(others.map(|name| (name.into(), self.by(name))).collect())
            }
            Knob::Law => {
                let names = FRICTION_LAWS.iter().map(|row| row.name).collect();
                let others = after(names, friction.name, way);
                Ok(others.map(|name| (name.into(), self.under(name, original, capacity))).collect())
            }
            Knob::Epsilon => {
                let Some(epsilon) = Changes::epsilon_of(now) else {
                    return Err(format!("the law `{}` has no ε", friction.name));
                };
                let next = rung(epsilon, way);
                Ok(vec![with(quantity(next, "m/s"), &|c| c.epsilon = Some(next))])
            }
            Knob::Stiffness => {
                let normal = &now.contact.normal;
                let Some(stiffness) = number(normal, "stiffness") else {
                    return Err(format!("the normal law `{}` has no stiffness", normal.name));
                };
                let next = rung(stiffness, way);
                Ok(vec![with(format!("k_n {next}"), &|c| c.stiffness = Some(next))])
            }
            Knob::Friction => self.rubbed(way, original, now).map(|next| vec![next]),
            Knob::Step => Ok(steps(now, way)
                .map(|(h, output)| with(quantity(h, "s"), &|c| c.step = Some((h, output))))
                .collect()),
            Knob::PushForce | Knob::PushHeight => Err("the push is not the scene's".into()),
            Knob::Number(_) => Err("the number is not one of the usual settings".into()),
        }
    }

    /// The changes with another friction law.
    fn under(&self, law: &'static str, original: &Scene, capacity: f64) -> Changes {
        let own = if self.given.is_empty() { original.contact.friction.name } else { "" };
        let mut changes = Changes { law: (law != own).then_some(law), capacity, ..self.clone() };
        changes.forget_numbers("contact.friction.");
        changes
    }

    /// The changes with another integrator.
    fn by(&self, integrator: &'static str) -> Changes {
        let mut changes = Changes { integrator: Some(integrator), ..self.clone() };
        changes.forget_numbers("integrator.");
        changes
    }

    /// The change of the integrator or the law to a row of its table.
    ///
    /// # Errors
    /// The reason why the knob has no such value.
    pub fn named(
        &self,
        knob: Knob,
        name: &str,
        now: &Scene,
        original: &Scene,
        capacity: f64,
    ) -> Result<Candidate, String> {
        turnable(knob, now)?;
        let unknown = || format!("{} has no value `{name}`", knob.name());
        match knob {
            Knob::Integrator => {
                let row = INTEGRATORS.find(name).ok_or_else(unknown)?;
                Ok((name.into(), self.by(row.name)))
            }
            Knob::Law => {
                let row = FRICTION_LAWS.find(name).ok_or_else(unknown)?;
                Ok((name.into(), self.under(row.name, original, capacity)))
            }
            _ => Err(unknown()),
        }
    }

    /// The change of a knob to a value in SI.
    ///
    /// # Errors
    /// The reason why the knob has no such value.
    pub fn to(
        &self,
        knob: Knob,
        value: f64,
        original: &Scene,
        now: &Scene,
    ) -> Result<Candidate, String> {
        turnable(knob, now)?;
        let least = if knob == Knob::Friction { 0.0 } else { f64::MIN_POSITIVE };
        if !(value >= least && value.is_finite()) {
            return Err(format!("{} cannot be {value}", knob.name()));
        }
        let mut changes = self.clone();
        let name = match knob {
            Knob::Epsilon if Changes::epsilon_of(now).is_some() => {
                changes.epsilon = Some(value);
                quantity(value, "m/s")
            }
            Knob::Stiffness if number(&now.contact.normal, "stiffness").is_some() => {
                changes.stiffness = Some(value);
                format!("{value}")
            }
            Knob::Step => {
                // a frame is a whole number of steps
                let output = now.time.step * now.time.steps_per_frame as f64;
                let steps = (output / value).round();
                let (h, output) =
                    if steps >= 1.0 { (output / steps, output) } else { (value, value) };
                changes.step = Some((h, output));
                quantity(h, "s")
            }
            Knob::Friction => match coefficient(original) {
                Some(mu) if mu > 0.0 => {
                    changes.forget_coefficients();
                    changes.friction = value / mu;
                    format!("{value}")
                }
                Some(_) => return Err("there is no friction that could be scaled".into()),
                None => {
                    changes.forget_coefficients();
                    changes.friction = value;
                    format!("× {value} of the scene's")
                }
            },
            _ => return Err(format!("{} has no value here", knob.name())),
        };
        Ok((name, changes))
    }

    /// All coefficients slightly larger or smaller: by [`MU`] for one pair, else by [`SHARE`] of
    /// their values.
    fn rubbed(&self, way: Direction, original: &Scene, now: &Scene) -> Result<Candidate, String> {
        let sign = if way == Direction::Up { 1.0 } else { -1.0 };
        let rounded = |x: f64, parts: f64| (larger(x, 0.0) * parts).round() / parts;
        let (name, friction) = match coefficient(original) {
            Some(mu) if mu > 0.0 => {
                let present = coefficient(now).unwrap_or(mu * self.friction);
                let next = rounded(present + sign * MU, 100.0);
                (format!("{next}"), next / mu)
            }
            Some(_) => return Err("there is no friction that could be scaled".into()),
            None => {
                let next = rounded(self.friction + sign * SHARE, 10.0);
                (format!("× {next} of the scene's"), next)
            }
        };
        let mut changes = Changes { friction, ..self.clone() };
        changes.forget_coefficients();
        Ok((name, changes))
    }

    /// The physics of `other`, with this integrator and step.
    pub(crate) fn with_physics_of(&self, other: &Changes) -> Changes {
        let (integrator, step) = (self.integrator, self.step);
        Changes { given: self.given.clone(), integrator, step, ..other.clone() }
    }
}

/// The reason why a knob has no effect in a scene.
fn turnable(knob: Knob, now: &Scene) -> Result<(), String> {
    if now.contact.jumps() && matches!(knob, Knob::Law | Knob::Epsilon | Knob::Stiffness) {
        let method = now.contact.method.name;
        return Err(format!("contact by `{method}` is Coulomb's: it has no {}", knob.name()));
    }
    let of_contact = matches!(knob, Knob::Law | Knob::Epsilon | Knob::Stiffness | Knob::Friction);
    if of_contact && !now.curves.is_empty() {
        return Err("what is on a [[curve]] has friction of its own, which no knob turns".into());
    }
    Ok(())
}

/// Changeable settings of a scene, with their present values.
pub fn settings(now: &Scene, changes: &Changes) -> Vec<Setting> {
    let none = || "–".to_string();
    let friction = &now.contact.friction;
    let jumps = now.contact.jumps();
    let curved = !now.curves.is_empty();
    let unless = |text: String| if jumps || curved { none() } else { text };
    let scaled = || format!("× {:.1}", changes.friction);
    let friction_now = coefficient(now).map_or_else(scaled, |mu| format!("{mu:.2}"));
    let epsilon = Changes::epsilon_of(now).map_or_else(none, |x| quantity(x, "m/s"));
    let stiffness = number(&now.contact.normal, "stiffness");
    let unit = if now.contact.normal.name == linear::ENTRY.name { "N/m" } else { "" };
    let log = |value: f64, unit, range| Dial { value, unit, range, logarithmic: true };
    let contact = |dial: Option<Dial>| dial.filter(|_| !jumps && !curved);
    let epsilon_dial = Changes::epsilon_of(now).map(|x| log(x, "m/s", EPSILONS));
    let stiffness_dial = stiffness.map(|k| log(k, unit, STIFFNESSES));
    let value = coefficient(now).unwrap_or(changes.friction);
    let mu = Dial { value, unit: "", range: FRICTIONS, logarithmic: false };
    [
        (Knob::Integrator, now.integrator.name.to_string(), None),
        (Knob::Law, unless(friction.name.to_string()), None),
        (Knob::Epsilon, unless(epsilon), contact(epsilon_dial)),
        (Knob::Step, quantity(now.time.step, "s"), Some(log(now.time.step, "s", STEPS))),
        (Knob::Friction, if curved { none() } else { friction_now }, Some(mu).filter(|_| !curved)),
        (
            Knob::Stiffness,
            unless(stiffness.map_or_else(none, |k| quantity(k, unit))),
            contact(stiffness_dial),
        ),
    ]
    .map(|(knob, value, dial)| Setting::of(knob, value, dial))
    .into()
}

fn number(choice: &Choice, key: &str) -> Option<f64> {
    choice.values.get_number(key)
}

fn has_key(law: &str, key: &str) -> bool {
    let row = FRICTION_LAWS.find(law);
    row.is_some_and(|row| row.keys.iter().any(|known| known.name == key))
}

/// Guesses for the required keys of a law: a tangential stiffness of half the normal one, and a
/// damping that reaches the cone at ε.
fn required(law: &str, scene: &Scene, epsilon: Option<f64>, capacity: f64) -> Vec<String> {
    let Some(row) = FRICTION_LAWS.find(law) else { return Vec::new() };
    let keys = row.keys.iter().filter(|key| matches!(key.default, Fallback::Required));
    let guesses = keys.filter_map(|key| {
        let value = match key.name {
            "stiffness" => 0.5 * number(&scene.contact.normal, "stiffness")?,
            "damping" => capacity / epsilon.unwrap_or(1e-3),
            _ => return None,
        };
        Some(format!("contact.friction.{}={value:e}", key.name))
    });
    guesses.collect()
}

/// μ_s of all contacts, if the scene has one material and no pairs.
fn coefficient(scene: &Scene) -> Option<f64> {
    match &scene.materials[..] {
        [only] if scene.pairs.is_empty() => Some(only.static_friction),
        _ => None,
    }
}

/// All coefficients multiplied by a factor.
fn frictions(scene: &Scene, factor: f64) -> Vec<String> {
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

/// The other names of a list, starting with the next one.
fn after(
    names: Vec<&'static str>,
    now: &str,
    way: Direction,
) -> impl Iterator<Item = &'static str> + use<> {
    let at = names.iter().position(|name| *name == now).unwrap_or(0);
    let count = names.len();
    (1..count).map(move |k| match way {
        Direction::Down => names[(at + k) % count],
        Direction::Up => names[(at + count - k) % count],
    })
}

/// The next of 1, 2, 5 × 10ⁿ below or above.
pub(crate) fn rung(value: f64, way: Direction) -> f64 {
    let rungs = (-15..16).flat_map(|n| [1, 2, 5].map(|m| format!("{m}e{n}")));
    let mut rungs = rungs.filter_map(|text| text.parse::<f64>().ok());
    match way {
        Direction::Up => rungs.find(|rung| *rung > value * 1.001).unwrap_or(value),
        Direction::Down => rungs.take_while(|rung| *rung < value * 0.999).last().unwrap_or(value),
    }
}

/// Steps half as long, or at least about twice as long, that divide a frame; with the time of a
/// frame \[s\].
fn steps(now: &Scene, way: Direction) -> impl Iterator<Item = (f64, f64)> + use<> {
    let (h, count) = (now.time.step, now.time.steps_per_frame);
    let output = h * count as f64;
    let counts: Vec<u64> = match way {
        Direction::Down => vec![2 * count],
        Direction::Up => (1..=count / 2).rev().take(TRIES as usize).collect(),
    };
    let longer = (way == Direction::Up && count == 1).then_some((2.0 * h, 2.0 * output));
    counts.into_iter().map(move |n| (output / n as f64, output)).chain(longer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rungs_go_up_and_down_and_back() {
        for (value, down, up) in [(1e-3, 5e-4, 2e-3), (0.03, 0.02, 0.05), (5.0, 2.0, 10.0)] {
            assert_eq!((rung(value, Direction::Down), rung(value, Direction::Up)), (down, up));
        }
        assert_eq!(rung(rung(2e-7, Direction::Up), Direction::Down), 2e-7);
        assert_eq!(rung(1e30, Direction::Up), 1e30);
    }
}
