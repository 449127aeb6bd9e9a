//! `solref` and `solimp` as MJCF has them, as the keys of the engine.

use crate::creep::load::numbers;
use serde_json::{Map, Value};
use stiction_core::registry::Problem;

/// A list of numbers in MJCF and the keys of its numbers.
struct List {
    name: &'static str,
    keys: &'static [&'static str],
    help: &'static str,
}

const SOLREF: List = List {
    name: "solref",
    keys: &["timeconst", "dampratio"],
    help: "give `solref=0.02 1`, or both numbers negative: `solref=-2000 -100`",
};
const DIRECT: [&str; 2] = ["stiffness", "damping"];
const SOLIMP: List = List {
    name: "solimp",
    keys: &["dmin", "dmax", "solwidth", "midpoint", "power"],
    help: "give up to five numbers, `solimp=0.9 0.95 0.001 0.5 2`",
};

/// Replaces both lists by the keys of their numbers. Numbers at the end that are missing keep their
/// defaults.
///
/// # Errors
/// A list that is no list of numbers, is too long, or of which a number is given twice.
pub(in crate::creep) fn spelled(
    mut given: Map<String, Value>,
) -> Result<Map<String, Value>, Problem> {
    for list in [&SOLREF, &SOLIMP] {
        let Some(value) = given.remove(list.name) else { continue };
        let numbers = read(&value).filter(|all| (1..=list.keys.len()).contains(&all.len()));
        let Some(numbers) = numbers else {
            return Err(Problem::of(list.name, format!("{value} is no such list"), list.help));
        };
        let direct = list.name == SOLREF.name && numbers[0] <= 0.0;
        let both = numbers.len() == 2 && numbers.iter().all(|x| *x < 0.0);
        if direct && !both {
            let message = format!("{value} is neither a time constant nor a direct solref");
            return Err(Problem::of(list.name, message, list.help));
        }
        let keys = if direct { &DIRECT[..] } else { list.keys };
        for (key, number) in keys.iter().zip(numbers) {
            if given.contains_key(*key) {
                let message = format!("`{key}` is given too");
                return Err(Problem::of(list.name, message, "give one of both"));
            }
            given.insert((*key).into(), if direct { -number } else { number }.into());
        }
    }
    Ok(given)
}

/// Numbers of a text or of an array.
fn read(value: &Value) -> Option<Vec<f64>> {
    match value {
        Value::String(text) => numbers(text),
        Value::Array(all) => all.iter().map(Value::as_f64).collect(),
        other => Some(vec![other.as_f64()?]),
    }
}
