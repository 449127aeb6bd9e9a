//! Values of an engine's parameters as given by people or programs, checked against its keys.

use super::load::LOAD;
use super::mujoco::spelling;
use super::{ENGINES, Engine, stiction};
use std::collections::BTreeMap;
use stiction_core::registry::words::nearest;
use stiction_core::registry::{Entry, Fallback, Key, Kind, Problem, Value, Values};

/// Values of parameters: numbers, texts, flags, or objects of named numbers. A text is read as a number
/// where a number is needed.
pub type Parameters = serde_json::Map<String, serde_json::Value>;

/// Reason for a missing answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EngineError {
    /// No engine has this name.
    #[error("there is no engine `{name}`; {}known are {known}", mean(.near))]
    Engine {
        /// The name.
        name: String,
        /// The nearest known one.
        near: Option<String>,
        /// All names.
        known: String,
    },
    /// The engine has no such parameter.
    #[error("`{engine}` has no parameter `{key}`; {}known are {known}", mean(.near))]
    Key {
        /// The engine.
        engine: &'static str,
        /// The name.
        key: String,
        /// The nearest known one.
        near: Option<String>,
        /// All names.
        known: String,
    },
    /// A value of another kind, or out of its range.
    #[error("`{key}` needs {needs}, and is {given}")]
    Value {
        /// The parameter.
        key: String,
        /// Kind, range and unit.
        needs: String,
        /// The value.
        given: String,
    },
    /// A model that cannot be read.
    #[error("the model, {line}:{column}: {message}")]
    Model {
        /// Line, from 1.
        line: u32,
        /// Column, from 1.
        column: u32,
        /// The fault in words.
        message: String,
    },
    /// Values that contradict each other.
    #[error("{}{}; {}", blamed(.0), .0.message, .0.help)]
    Together(Problem),
}

fn mean(near: &Option<String>) -> String {
    near.as_ref().map_or(String::new(), |near| format!("did you mean `{near}`? "))
}

fn blamed(problem: &Problem) -> String {
    problem.key.map_or(String::new(), |key| format!("`{key}`: "))
}

impl From<Problem> for EngineError {
    fn from(problem: Problem) -> Self {
        EngineError::Together(problem)
    }
}

/// The engine with a name.
///
/// # Errors
/// The name is unknown.
pub fn engine(name: &str) -> Result<&'static Entry<dyn Engine>, EngineError> {
    ENGINES.find(name).ok_or_else(|| EngineError::Engine {
        name: name.into(),
        near: nearest(name, ENGINES.names()).map(String::from),
        known: ENGINES.names().join(", "),
    })
}

/// The keys of an engine: its own, those of its friction law, if any, and those of the load.
///
/// # Errors
/// The law is unknown.
pub(crate) fn keys_of(
    entry: &'static Entry<dyn Engine>,
    given: &Parameters,
) -> Result<Vec<&'static Key>, EngineError> {
    let mut keys: Vec<&'static Key> = entry.keys.iter().collect();
    if let Some(law) = entry.keys.iter().find(|key| key.name == "law") {
        let name = match (given.get("law"), law.default) {
            (Some(value), _) => value.as_str().unwrap_or_default(),
            (None, Fallback::Text(name)) => name,
            (None, _) => "",
        };
        keys.extend(stiction::law_keys(name)?);
    }
    keys.extend(LOAD);
    Ok(keys)
}

/// The values of all keys: the given ones, checked, and the defaults of the others.
///
/// # Errors
/// An unknown key, a value of the wrong kind or out of range, or a missing required value.
pub fn values(
    entry: &'static Entry<dyn Engine>,
    given: &Parameters,
) -> Result<Values, EngineError> {
    let keys = keys_of(entry, given)?;
    let spelled = match entry.keys.iter().any(|key| key.name == "solref") {
        true => spelling::spelled(given.clone())?,
        false => given.clone(),
    };
    let given = &spelled;
    for key in given.keys() {
        if !keys.iter().any(|known| known.name == key) {
            let known: Vec<&str> = keys.iter().map(|key| key.name).collect();
            return Err(EngineError::Key {
                engine: entry.name,
                key: key.clone(),
                near: nearest(key, known.iter().copied()).map(String::from),
                known: known.join(", "),
            });
        }
    }
    let mut values = Values::default();
    for key in keys {
        match given.get(key.name) {
            Some(value) => values = values.set(key.name, read(key, value)?),
            None if matches!(key.default, Fallback::Required) => {
                return Err(EngineError::Value {
                    key: key.name.into(),
                    needs: key.kind.expected(),
                    given: "missing".into(),
                });
            }
            None => {
                if let Some(value) = key.default.value() {
                    values = values.set(key.name, value);
                }
            }
        }
    }
    Ok(values)
}

/// Reads one value.
fn read(key: &Key, given: &serde_json::Value) -> Result<Value, EngineError> {
    let shown = given.as_str().map_or_else(|| given.to_string(), |text| format!("`{text}`"));
    let wrong = || EngineError::Value {
        key: key.name.into(),
        needs: key.kind.expected(),
        given: shown.clone(),
    };
    let number = || match given {
        serde_json::Value::String(text) => text.trim().parse::<f64>().ok(),
        other => other.as_f64(),
    };
    let text = || given.as_str().map(String::from);
    let value = match key.kind {
        Kind::Number { range, .. } => number().filter(|x| range.contains(*x)).map(Value::Number),
        Kind::Integer { min, max } => number()
            .filter(|x| x.fract() == 0.0 && (min as f64..=max as f64).contains(x))
            .map(|x| Value::Integer(x as i64)),
        Kind::Flag => match given {
            serde_json::Value::Bool(flag) => Some(Value::Flag(*flag)),
            other => other.as_str().and_then(|text| text.parse().ok()).map(Value::Flag),
        },
        Kind::Word(words) => text().filter(|word| words.contains(&word.as_str())).map(Value::Text),
        Kind::Text => text().map(Value::Text),
        Kind::Constants => constants(given).map(Value::Constants),
        _ => None,
    };
    value.ok_or_else(wrong)
}

/// Named numbers from an object.
fn constants(given: &serde_json::Value) -> Option<BTreeMap<String, f64>> {
    let object = given.as_object()?;
    object.iter().map(|(name, value)| Some((name.clone(), value.as_f64()?))).collect()
}
