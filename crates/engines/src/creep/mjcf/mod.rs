//! Parameters of MuJoCo's creep from a model in MJCF.
//!
//! Read are options, default classes, the rules of pairs, masses, joints and, of boxes, how they
//! lie. Not read, and named: sections that hold or drive bodies otherwise, and the forces of
//! actuators. The body is the one with a free joint, and what holds it the one body that it can
//! touch, or two on slide joints; where that is not one answer, names are asked for.

mod geometry;
mod model;
mod pairs;
mod weights;

use super::reading::{EngineError, Parameters};
use model::{Body, Element, Model};
use pairs::Law;
use stiction_core::math::Vector;
use stiction_core::registry::Problem;
use stiction_core::registry::words::LISTED;
use stiction_scene::mjcf::attributes::{Fault, line};

/// Parameters that were read, and what was not.
#[derive(Debug)]
pub struct Reading {
    /// Values of keys of the engine.
    pub values: Parameters,
    /// Parts that may change creep and are not read, in words.
    pub left_out: Vec<String>,
}

impl Reading {
    /// Adds a value, unless it was given.
    fn read(&mut self, key: &str, value: impl Into<serde_json::Value>) {
        self.values.entry(key).or_insert(value.into());
    }
}

/// Names of the two sides of the contact, where the model alone does not decide.
#[derive(Debug, Default)]
pub struct Sides {
    /// The body that creeps.
    pub body: Option<String>,
    /// The bodies that hold it: one, or two fingers.
    pub others: Vec<String>,
}

impl From<Fault> for EngineError {
    fn from(fault: Fault) -> Self {
        EngineError::Model { line: fault.line, column: fault.column, message: fault.message }
    }
}

/// Reads a model; `given` has values that are not looked for in it.
///
/// # Errors
/// XML that is not well-formed or too large, values that MJCF does not allow, an unknown body, and
/// contacts that are not one answer.
pub fn read(xml: &str, sides: &Sides, given: &Parameters) -> Result<Reading, EngineError> {
    let document = stiction_scene::mjcf::parse(xml)?;
    let root = document.root_element();
    let whole = |message: &str, node: Element| EngineError::Model {
        line: line(node),
        column: 1,
        message: message.into(),
    };
    if !root.has_tag_name("mujoco") {
        return Err(whole("the outermost element of MJCF is <mujoco>", root));
    }
    if let Some(include) = root.descendants().find(|n| n.has_tag_name("include")) {
        let message = "<include> is not read: mujoco.mj_saveLastXML writes one file of all";
        return Err(whole(message, include));
    }
    let model = Model::of(&document);
    if model.bodies.is_empty() {
        return Err(whole("it has no <worldbody>", root));
    }
    let mut reading = Reading { values: given.clone(), left_out: Vec::new() };
    let gravity = options(&model, &mut reading)?;
    let body = creeping(&model, sides)?;
    let others = holding(&model, body, sides)?;
    contact(&model, body, &others, &gravity, &mut reading)?;
    let left = model.left_out.iter().map(|(line, why)| format!("line {line}: {why}"));
    reading.left_out.extend(left);
    Ok(reading)
}

/// Options of a file that no form here has.
const UNREAD: [&str; 1] = ["o_margin"];

/// Options by which a medium acts on bodies.
const MOVING: [&str; 3] = ["density", "viscosity", "wind"];

/// Iterations of the solver with which runs were compared, at least.
const ITERATIONS: f64 = 100.0;

/// Names a solver that may stop before it converges.
fn solver(model: &Model, option: Element, reading: &mut Reading) -> Result<(), EngineError> {
    if let Some(solver) = option.attribute("solver").filter(|solver| *solver != "Newton") {
        let text =
            format!("line {}: the solver {solver} may stop before it converges", line(option));
        reading.left_out.push(text);
    }
    if option.has_attribute("iterations") {
        let [count] = model.reader.merged(option, "iterations", [0.0])?;
        if count < ITERATIONS {
            let text = format!(
                "line {}: with {count} iterations the solver may not converge",
                line(option)
            );
            reading.left_out.push(text);
        }
    }
    Ok(())
}

/// The options of the law; gravity.
fn options(model: &Model, reading: &mut Reading) -> Result<Vector, EngineError> {
    let mut gravity = [0.0, 0.0, -9.81];
    for option in model.options() {
        gravity = model.reader.merged(option, "gravity", gravity)?;
        for (name, key) in [("timestep", "step"), ("impratio", "impratio")] {
            if option.has_attribute(name) {
                let [value] = model.reader.merged(option, name, [0.0])?;
                reading.read(key, value);
            }
        }
        if let Some(cone) = option.attribute("cone") {
            reading.read("cone", cone);
        }
        if option.has_attribute("noslip_iterations") {
            let [count] = model.reader.merged(option, "noslip_iterations", [0.0])?;
            reading.read("noslip_iterations", count);
        }
        for flag in option.children().filter(|n| n.has_tag_name("flag")) {
            if flag.attribute("refsafe") == Some("disable") {
                reading.read("refsafe", false);
            }
            if flag.attribute("gravity") == Some("disable") {
                gravity = [0.0; 3];
            }
            for name in ["contact", "constraint"] {
                if flag.attribute(name) == Some("disable") {
                    let message = format!("contacts are off: {name}=\"disable\"");
                    return Err(EngineError::Model { line: line(flag), column: 1, message });
                }
            }
        }
        solver(model, option, reading)?;
        if let Some(name) = MOVING.iter().find(|name| option.has_attribute(**name)) {
            let message =
                format!("`{name}` acts on bodies by more than contact, and no form here has it");
            return Err(EngineError::Model { line: line(option), column: 1, message });
        }
        let unread = UNREAD.iter().filter(|name| option.has_attribute(**name));
        reading.left_out.extend(unread.map(|name| format!("line {}: `{name}`", line(option))));
    }
    let gravity = Vector::from(gravity);
    if gravity.norm() == 0.0 {
        let message = "without gravity there is no load".into();
        return Err(EngineError::Model { line: 1, column: 1, message });
    }
    reading.read("gravity", gravity.norm());
    Ok(gravity)
}

/// An error about the sides, with the names that would do.
fn unclear(key: &'static str, message: String, names: &[&str]) -> EngineError {
    let more = names.len().saturating_sub(LISTED);
    let mut known =
        if names.is_empty() { "none".into() } else { names[..names.len() - more].join(", ") };
    if more > 0 {
        known += &format!(" and {more} more");
    }
    Problem::of(key, message, format!("give {key}=NAME; there are {known}")).into()
}

/// The body that creeps: as named, or the only one with a free joint that can touch.
fn creeping<'m, 'a>(model: &'m Model<'a>, sides: &Sides) -> Result<&'m Body<'a>, EngineError> {
    let free = |body: &&Body<'a>| {
        body.joints.iter().any(|node| model.joint(*node) == "free")
            && !model.touching(body).is_empty()
    };
    let all: Vec<&Body> = model.bodies.iter().filter(free).collect();
    let names: Vec<&str> = all.iter().map(|body| body.name.as_str()).collect();
    match (&sides.body, &all[..]) {
        (Some(name), _) => {
            let message = format!("the model has no body `{name}`");
            model.body(name).ok_or_else(|| unclear("body", message, &names))
        }
        (None, [one]) => Ok(one),
        (None, []) => {
            Err(unclear("body", "no body has a free joint and geoms that touch".into(), &names))
        }
        (None, _) => Err(unclear("body", "more than one body is free".into(), &names)),
    }
}

/// Largest number of pairs of geoms that are looked at, which takes a second; a load has as many contacts at
/// most.
const MOST_PAIRS: usize = 1_000_000;

/// The bodies that hold it: as named, or the only other body that it can touch, or the only two.
fn holding<'m, 'a>(
    model: &'m Model<'a>,
    body: &Body<'a>,
    sides: &Sides,
) -> Result<Vec<&'m Body<'a>>, EngineError> {
    let mut all = Vec::new();
    let (own, geoms) = (body.geoms.len(), model.bodies.iter().map(|other| other.geoms.len()));
    let pairs = own.saturating_mul(geoms.sum());
    if pairs > MOST_PAIRS {
        let message = format!(
            "its geoms and those of all other bodies make {pairs} pairs, at most {MOST_PAIRS} are looked at"
        );
        return Err(EngineError::Model { line: line(body.node), column: 1, message });
    }
    for other in model.bodies.iter().filter(|other| other.number != body.number) {
        if !model.excludes(body, other) && !laws(model, body, other)?.is_empty() {
            all.push(other);
        }
    }
    all.sort_by_key(|other| other.node.range().start);
    let names: Vec<&str> = all.iter().map(|other| other.name.as_str()).collect();
    if sides.others.is_empty() {
        let slides = all.len() == 2 && all.iter().all(|other| model.invweight(other) != Ok(0.0));
        if all.len() == 1 || slides {
            return Ok(all);
        }
        let message = format!("`{}` can touch {} bodies", body.name, all.len());
        return Err(unclear("other", message, &names));
    }
    let find = |name: &String| {
        let found = all.iter().copied().find(|other| other.name == *name);
        let message = format!("`{}` touches no body `{name}`", body.name);
        found.ok_or_else(|| unclear("other", message, &names))
    };
    sides.others.iter().map(find).collect()
}

/// The contacts of the geoms of two bodies.
type Touch<'a> = (Law, [Element<'a>; 2]);

fn laws<'a>(
    model: &Model<'a>,
    body: &Body<'a>,
    other: &Body<'a>,
) -> Result<Vec<Touch<'a>>, EngineError> {
    let mut found = Vec::new();
    for own in model.touching(body) {
        for under in model.touching(other) {
            if let Some(law) = model.law(own, under)? {
                found.push((law, [own, under]));
            }
        }
    }
    Ok(found)
}

/// The parameters of the contacts with one body or with two fingers.
fn contact<'a>(
    model: &Model<'a>,
    body: &Body<'a>,
    others: &[&Body<'a>],
    gravity: &Vector,
    reading: &mut Reading,
) -> Result<(), EngineError> {
    let mut touches = Vec::new();
    for other in others {
        touches.extend(laws(model, body, other)?);
    }
    let height_field = |touch: &&Touch| {
        touch.1.iter().any(|geom| model.reader.text(*geom, "type") == Some("hfield"))
    };
    if let Some((_, [_, geom])) = touches.iter().find(height_field) {
        let message =
            "no run on a height field was compared: its contacts are not those of a plane".into();
        return Err(EngineError::Model { line: line(*geom), column: 1, message });
    }
    let law = &touches[0].0;
    if touches.iter().any(|(one, _)| one != law) {
        let message = "its geoms have different parameters of contact".into();
        return Err(EngineError::Model { line: line(body.node), column: 1, message });
    }
    law_into(law, body, reading)?;
    weights_into(model, body, others, reading)?;
    count(model, body, &touches, reading)?;
    sprung(model, others)?;
    let told = match others {
        [left, right] => {
            reading.read("geometry", "grip");
            match &touches[..] {
                [(_, one), (_, other)] => {
                    geometry::gripped(model, body, [left, right], [*one, *other], gravity)
                }
                _ => Err("a finger touches by more than one geom".into()),
            }
        }
        [one] if touches.len() == 1 => {
            geometry::lying(model, [body, one], touches[0].1, gravity, &mut reading.values)
        }
        _ => Err(format!(
            "`{}` touches by {} pairs of geoms: the base is not read",
            body.name,
            touches.len()
        )),
    };
    reading.left_out.extend(told.err());
    Ok(())
}

/// Refuses a body on a joint with a spring that bears another one: contacts were lost and found again in runs.
fn sprung(model: &Model, others: &[&Body]) -> Result<(), EngineError> {
    let [other] = others else { return Ok(()) };
    for node in &other.joints {
        if model.reader.merged::<1>(*node, "stiffness", [0.0])? != [0.0] {
            let message = format!(
                "a joint of `{}` has a spring: in runs contacts on it opened and closed",
                other.name
            );
            return Err(EngineError::Model { line: line(*node), column: 1, message });
        }
    }
    Ok(())
}

/// The number of contacts; a body that may roll is refused.
fn count<'a>(
    model: &Model<'a>,
    body: &Body<'a>,
    touches: &[Touch<'a>],
    reading: &mut Reading,
) -> Result<(), EngineError> {
    let kind = |node: &Element<'a>| model.reader.text(*node, "type").unwrap_or("sphere");
    let [first, under] = &touches[0].1;
    if touches.iter().all(|(_, [own, _])| geometry::is_round(kind(own))) {
        let (name, kind) = (&body.name, kind(first));
        let message = format!("`{name}` is a {kind}: it may roll, and no run of one was compared");
        return Err(EngineError::Model { line: line(*first), column: 1, message });
    }
    let counts = touches.iter().map(|(_, [own, under])| geometry::contacts(kind(own), kind(under)));
    match counts.sum::<Option<f64>>() {
        Some(sum) => reading.read("contacts", sum),
        None if reading.values.contains_key("contacts") => {}
        None => reading.left_out.push(format!(
            "the number of contacts of a {} with a {}: give contacts",
            kind(first),
            kind(under)
        )),
    }
    Ok(())
}

/// The numbers of a law.
fn law_into(law: &Law, body: &Body, reading: &mut Reading) -> Result<(), EngineError> {
    let [first, second] = law.friction;
    if first != second {
        let message = format!(
            "two coefficients of friction, {first} and {second}, along the tangents: no form here has both"
        );
        return Err(EngineError::Model { line: line(body.node), column: 1, message });
    }
    reading.read("friction", first);
    reading.read("condim", law.condim);
    let direct = law.solref[0] <= 0.0;
    let pairs = [("timeconst", "dampratio"), ("stiffness", "damping")];
    let known = |(first, second): &(&str, &str)| {
        reading.values.contains_key(*first) || reading.values.contains_key(*second)
    };
    if !pairs.iter().any(known) {
        let (first, second) = pairs[usize::from(direct)];
        for (key, number) in [first, second].into_iter().zip(law.solref) {
            reading.read(key, if direct { -number } else { number });
        }
    }
    for (key, number) in
        ["dmin", "dmax", "solwidth", "midpoint", "power"].into_iter().zip(law.solimp)
    {
        reading.read(key, number);
    }
    Ok(())
}

/// Masses and inverse weights.
fn weights_into<'a>(
    model: &Model<'a>,
    body: &Body<'a>,
    others: &[&Body<'a>],
    reading: &mut Reading,
) -> Result<(), EngineError> {
    let refused = |body: &Body, key: &str, why: String| EngineError::Model {
        line: line(body.node),
        column: 1,
        message: format!(
            "`{}`: {why}; give {key}, in MuJoCo model.body_invweight0[model.body(\"{}\").id, 0]",
            body.name, body.name
        ),
    };
    if !reading.values.contains_key("mass") {
        let mass = model.mass(body).map_err(|why| EngineError::Model {
            line: line(body.node),
            column: 1,
            message: format!("`{}`: {why}; give mass", body.name),
        })?;
        reading.read("mass", mass);
    }
    let sides = [body].into_iter().chain(others.iter().copied());
    for (side, key) in sides.zip(["invweight", "other_invweight", "second_invweight"]) {
        if !reading.values.contains_key(key) {
            let weight = model.invweight(side).map_err(|why| refused(side, key, why))?;
            reading.read(key, weight);
        }
    }
    if body.node.has_attribute("gravcomp") {
        let message = format!(
            "`gravcomp` of `{}` carries a part of its weight, and no form here has it",
            body.name
        );
        return Err(EngineError::Model { line: line(body.node), column: 1, message });
    }
    Ok(())
}
