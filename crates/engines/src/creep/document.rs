//! Answers and parameters as JSON documents, the common form for all front ends.

use super::answer::{Answer, Motion};
use super::budget::{Change, changes};
use super::load::LOAD;
use super::mjcf;
use super::mujoco::spelling;
use super::reading::{EngineError, Parameters, engine, values};
use super::{ENGINES, Engine, Load, answer_of};
use serde_json::{Map, Value as Json, json};
use stiction_core::contact::friction::FRICTION_LAWS;
use stiction_core::integrators::INTEGRATORS;
use stiction_core::math::number;
use stiction_core::registry::{Entry, Fallback, Key, Kind, Problem, Range, Value};

/// Range of a budget \[m/s\].
const BUDGETS: Range = Range::Positive;

/// The answer of an engine to given values: a JSON object of its keys ([`catalogue`]) and
/// optionally `budget`, the largest creep \[m/s\], for which sufficient values are searched.
/// `mjcf`, the text of a model, gives MuJoCo the values that are missing; `body` and `other`, names
/// parted by commas, say which contact of it is meant, where that is not clear.
///
/// Fields: `engine`; `parameters`, all values used; `load` (`mass`, `contacts`, `normal_force`,
/// `tangential_force`, `load_ratio`, null if friction can hold nothing); `motion` (`creeps`,
/// `rests`, `chatters`, `slides`, `tips` or `unknown`); `creep` \[m/s\] and `per_minute` \[m\], null
/// without steady creep; `offset` \[m\] at rest; `acceleration` \[m/s²\] in sliding; `exact`,
/// whether runs of the engine confirmed it, with `compared`, these runs, and else `estimate`, the
/// reason; `formula`; `sources`, keys of references.bib; `step`
/// (`used`, `largest` \[s\] or null, `formula`, `fits`); `advice`, sentences; `details` (`name`,
/// `value`, `unit`); `budget`, null or (`speed`, `kept`, `changes`: `set`, `creep`, `exact`,
/// `largest_step`, `price`); `model`, null or (`read`, `left_out`, what is not read of the MJCF).
///
/// # Errors
/// No such engine or key, a value out of its range, or values that contradict each other.
pub fn document(name: &str, given: &Json) -> Result<Json, EngineError> {
    let entry = engine(name)?;
    let mut given: Parameters = given.as_object().cloned().unwrap_or_default();
    let budget = given.remove("budget").map(|value| read_budget(&value)).transpose()?;
    let (given, model) = modelled(entry, given)?;
    let values = values(entry, &given)?;
    let load = Load::of(&values)?;
    let mut answer = answer_of(&*(entry.make)(&values)?, &load);
    let left_out = model.as_ref().map_or(&[][..], |model| &model.left_out);
    if !left_out.is_empty() {
        let reason = format!("not read from the model: {}", left_out.join("; "));
        answer.standing = answer.standing.doubted(reason);
    }
    answer.advice.extend(held_from(&load, answer.motion));
    let kept = budget.map(|speed| Ok::<_, EngineError>((speed, changes(entry, &values, speed)?)));
    let parameters: Map<String, Json> =
        values.0.iter().map(|(key, value)| ((*key).to_string(), plain(value))).collect();
    let mut document = described(&answer);
    document.insert("engine".into(), entry.name.into());
    document.insert("parameters".into(), parameters.into());
    document.insert("load".into(), loaded(&load));
    let creep = answer.motion.creep();
    // with other values an estimate stays one
    let exact = document["exact"] == json!(true);
    let budget = kept.transpose()?.map(|(speed, changes)| {
        let kept = creep.is_some_and(|creep| creep <= speed);
        json!({ "speed": speed, "kept": kept, "changes": changes.iter().map(|change| changed(change, exact)).collect::<Vec<_>>() })
    });
    document.insert("budget".into(), budget.into());
    let model = model.map(|model| json!({ "read": model.values, "left_out": model.left_out }));
    document.insert("model".into(), model.into());
    Ok(document.into())
}

/// The given values, completed by those of a model in MJCF, and what was read from it.
fn modelled(
    entry: &'static Entry<dyn Engine>,
    mut given: Parameters,
) -> Result<(Parameters, Option<mjcf::Reading>), EngineError> {
    let mut take = |key: &str| given.remove(key).and_then(|value| value.as_str().map(String::from));
    let (xml, body, others) = (take("mjcf"), take("body"), take("other"));
    let Some(xml) = xml else {
        return match body.or(others) {
            Some(name) => {
                let message = format!("`{name}` is the name of a body of a model");
                Err(Problem::of("mjcf", message, "give the model too").into())
            }
            None => Ok((given, None)),
        };
    };
    if !entry.keys.iter().any(|key| key.name == "solref") {
        let message = format!("`{}` has no law that MJCF describes", entry.name);
        return Err(Problem::of("mjcf", message, "take engine mujoco").into());
    }
    let others = others.iter().flat_map(|names| names.split(',')).map(str::trim);
    let sides = mjcf::Sides { body, others: others.map(String::from).collect() };
    let model = mjcf::read(&xml, &sides, &spelling::spelled(given)?)?;
    Ok((model.values.clone(), Some(model)))
}

fn read_budget(value: &Json) -> Result<f64, EngineError> {
    let parsed = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok());
    parsed.filter(|speed| BUDGETS.contains(*speed)).ok_or_else(|| EngineError::Value {
        key: "budget".into(),
        needs: Kind::Number { unit: "m/s", range: BUDGETS }.expected(),
        given: value.as_str().map_or_else(|| value.to_string(), |text| format!("`{text}`")),
    })
}

fn loaded(load: &Load) -> Json {
    json!({
        "mass": load.mass,
        "contacts": load.contacts,
        "normal_force": load.normal_force,
        "tangential_force": load.tangential_force,
        "load_ratio": load.ratio(),
    })
}

/// The least coefficient that holds a sliding body, or the T/N at which a box tips.
fn held_from(load: &Load, motion: Motion) -> Option<String> {
    let [length, _, height] = load.base;
    match motion {
        Motion::Slides(_) if load.normal_force > 0.0 => Some(format!(
            "Coulomb's law holds this load from a coefficient of {} on.",
            number(load.tangential_force / load.normal_force),
        )),
        Motion::Tips => Some(format!(
            "It stands up to a load of T/N = length/(2 height) = {}, and this one is {}.",
            number(length / (2.0 * height)),
            number(load.tangential_force / load.normal_force)
        )),
        _ => None,
    }
}

/// The fields of an answer.
fn described(answer: &Answer) -> Map<String, Json> {
    let creep = answer.motion.creep();
    let (offset, acceleration) = match answer.motion {
        Motion::Rests(offset) => (Some(offset), None),
        Motion::Slides(acceleration) => (None, Some(acceleration)),
        _ => (None, None),
    };
    let details: Vec<Json> = answer
        .details
        .iter()
        .map(|one| json!({ "name": one.name, "value": one.value, "unit": one.unit }))
        .collect();
    let fits = answer.limit.largest.is_none_or(|most| answer.step <= most * (1.0 + 1e-12));
    let fields = json!({
        "motion": answer.motion.name(),
        "creep": creep,
        "per_minute": creep.map(|speed| 60.0 * speed),
        "offset": offset,
        "acceleration": acceleration,
        "exact": answer.standing.compared().is_some(),
        "compared": answer.standing.compared(),
        "estimate": answer.standing.estimate(),
        "formula": answer.formula,
        "sources": answer.sources,
        "step": {
            "used": answer.step,
            "largest": answer.limit.largest,
            "formula": answer.limit.formula,
            "fits": fits,
        },
        "advice": answer.advice,
        "details": details,
    });
    match fields {
        Json::Object(fields) => fields,
        _ => Map::new(),
    }
}

fn changed(change: &Change, exact: bool) -> Json {
    let set: Map<String, Json> =
        change.set.iter().map(|(key, value)| ((*key).to_string(), json!(value))).collect();
    json!({
        "set": set,
        "creep": change.creep,
        "exact": exact && !change.estimate,
        "largest_step": change.largest_step,
        "price": change.price,
    })
}

/// All engines in order, each with `name`, `about`, `formula`, `creep`, `when`, `source` and its
/// `keys`; `load`, the keys common to all; `budget`, the key of a budget.
///
/// A key has `name`, `about`, `kind` (`number`, `integer`, `flag`, `word`, `constants` or `text`),
/// `unit`, `min` and `max` or null, `positive` (0 is excluded), `words`, `default` or null,
/// `without` (the meaning of its absence), `required` and `needs`, its range in words. The engine
/// `stiction` also has `laws`, each friction law with its own keys, and `integrators`, their names.
pub fn catalogue() -> Json {
    let budget = Key {
        name: "budget",
        kind: Kind::Number { unit: "m/s", range: BUDGETS },
        default: Fallback::Optional("no change is looked for"),
        about: "largest creep that is allowed",
    };
    json!({
        "engines": ENGINES.iter().map(listed).collect::<Vec<_>>(),
        "load": LOAD.iter().map(key).collect::<Vec<_>>(),
        "budget": key(&budget),
    })
}

fn listed(entry: &'static Entry<dyn Engine>) -> Json {
    let mut one = json!({
        "name": entry.name,
        "about": entry.about,
        "formula": entry.page.formula,
        "creep": entry.page.creep,
        "when": entry.page.when,
        "source": entry.page.source,
        "keys": entry.keys.iter().map(key).collect::<Vec<_>>(),
    });
    if entry.keys.iter().any(|key| key.name == "law") {
        let laws = FRICTION_LAWS.iter().map(|law| {
            json!({
                "name": law.name,
                "about": law.about,
                "keys": law.keys.iter().map(key).collect::<Vec<_>>(),
            })
        });
        one["laws"] = laws.collect::<Vec<_>>().into();
        one["integrators"] = INTEGRATORS.names().into();
    }
    one
}

fn key(key: &Key) -> Json {
    let (kind, unit, range) = match key.kind {
        Kind::Number { unit, range } => ("number", unit, range),
        Kind::Integer { min, max } => ("integer", "", Range::Between(min as f64, max as f64)),
        Kind::Flag => ("flag", "", Range::Any),
        Kind::Word(_) => ("word", "", Range::Any),
        Kind::Constants => ("constants", "", Range::Any),
        _ => ("text", "", Range::Any),
    };
    let (min, max) = match range {
        Range::Any => (None, None),
        Range::Positive | Range::NonNegative => (Some(0.0), None),
        Range::Between(low, high) => (Some(low), Some(high)),
    };
    let words = if let Kind::Word(words) = key.kind { words } else { &[] };
    let without = if let Fallback::Optional(text) = key.default { Some(text) } else { None };
    json!({
        "name": key.name,
        "about": key.about,
        "kind": kind,
        "unit": unit,
        "min": min,
        "max": max,
        "positive": range == Range::Positive,
        "words": words,
        "default": key.default.value().as_ref().map(plain),
        "without": without,
        "required": matches!(key.default, Fallback::Required),
        "needs": key.kind.expected(),
    })
}

/// A value of a key as JSON.
fn plain(value: &Value) -> Json {
    match value {
        Value::Number(x) => json!(x),
        Value::Integer(n) => json!(n),
        Value::Flag(flag) => json!(flag),
        Value::Text(text) => json!(text),
        Value::Constants(constants) => json!(constants),
        other => json!(format!("{other:?}")),
    }
}

/// A speed for people, in a suitable unit: `661.8 µm/s`.
pub fn speed(x: f64) -> String {
    match x.abs() {
        0.0 => "0 m/s".into(),
        size if size < 1e-3 => format!("{} µm/s", number(1e6 * x)),
        size if size < 1.0 => format!("{} mm/s", number(1e3 * x)),
        _ => format!("{} m/s", number(x)),
    }
}
