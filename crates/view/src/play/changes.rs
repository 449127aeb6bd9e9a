//! A user's changes of a scene during the run, as `key=value` texts.

use super::coefficients::Coefficients;
use super::slider::{EPSILONS, STIFFNESSES, rung};
use crate::dial::Dial;
use crate::display::Setting;
use crate::keys::{Direction, Knob};
use crate::text::quantity;
use std::collections::BTreeMap;
use stiction_core::contact::friction::FRICTION_LAWS;
use stiction_core::contact::normal::linear;
use stiction_core::integrators::INTEGRATORS;
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
    /// coefficients of friction
    friction: Coefficients,
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
        let (given, friction, capacity) = (Vec::new(), Coefficients::default(), 1.0);
        let numbers = BTreeMap::new();
        Changes { given, integrator, law, epsilon, step, friction, stiffness, numbers, capacity }
    }
}

/// A possible change: its name, and all changes including it.
pub(crate) type Candidate = (String, Changes);

/// Range of the slider of h \[s\].
const STEPS: [f64; 2] = [1e-6, 0.1];

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
        set.extend(self.friction.set(original));
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

    /// Other coefficients of friction; the numbers of the scene that a knob replaces are left out.
    fn rubbed(&self, knob: Knob, now: &Scene, friction: Coefficients) -> Changes {
        let replaced = self.friction.replaces(knob, now);
        let mut changes = Changes { friction, ..self.clone() };
        changes.numbers.retain(|path, _| !path.ends_with(replaced));
        changes
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
            Knob::Friction | Knob::KineticFriction => {
                let (name, next) = self.friction.turned(knob, way, (original, now))?;
                Ok(vec![(name, self.rubbed(knob, now, next))])
            }
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
        let rubs = matches!(knob, Knob::Friction | Knob::KineticFriction);
        let least = if rubs { 0.0 } else { f64::MIN_POSITIVE };
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
            Knob::Friction | Knob::KineticFriction => {
                let (name, next) = self.friction.to(knob, value, (original, now))?;
                changes = self.rubbed(knob, now, next);
                name
            }
            _ => return Err(format!("{} has no value here", knob.name())),
        };
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
    let rubs = matches!(knob, Knob::Friction | Knob::KineticFriction);
    let of_contact = rubs || matches!(knob, Knob::Law | Knob::Epsilon | Knob::Stiffness);
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
    let epsilon = Changes::epsilon_of(now).map_or_else(none, |x| quantity(x, "m/s"));
    let stiffness = number(&now.contact.normal, "stiffness");
    let unit = if now.contact.normal.name == linear::ENTRY.name { "N/m" } else { "" };
    let log = |value: f64, unit, range| Dial { value, unit, range, logarithmic: true };
    let contact = |dial: Option<Dial>| dial.filter(|_| !jumps && !curved);
    let epsilon_dial = Changes::epsilon_of(now).map(|x| log(x, "m/s", EPSILONS));
    let stiffness_dial = stiffness.map(|k| log(k, unit, STIFFNESSES));
    let coefficients = changes.friction.rows(now).into_iter().map(|row| {
        let value = if curved { none() } else { row.value };
        let dial = Some(row.dial).filter(|_| !curved);
        Setting { name: row.name.into(), ..Setting::of(row.knob, value, dial) }
    });
    let before = [
        (Knob::Integrator, now.integrator.name.to_string(), None),
        (Knob::Law, unless(friction.name.to_string()), None),
        (Knob::Epsilon, unless(epsilon), contact(epsilon_dial)),
        (Knob::Step, quantity(now.time.step, "s"), Some(log(now.time.step, "s", STEPS))),
    ]
    .map(|(knob, value, dial)| Setting::of(knob, value, dial));
    let stiffness = unless(stiffness.map_or_else(none, |k| quantity(k, unit)));
    let stiffness = Setting::of(Knob::Stiffness, stiffness, contact(stiffness_dial));
    before.into_iter().chain(coefficients).chain([stiffness]).collect()
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
