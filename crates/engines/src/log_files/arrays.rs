//! Logs as named arrays: docs/judging.md.

use super::check_rows;
use crate::judge::log::{Body, Contact, Log, LogError};
use std::collections::BTreeMap;
use stiction_core::math::Vector;

/// An array in C order: its shape, and its numbers or texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    /// Length of each axis.
    pub shape: Vec<usize>,
    /// Its items.
    pub cells: Cells,
}

/// Items of an array.
#[derive(Debug, Clone, PartialEq)]
pub enum Cells {
    /// Numbers.
    Numbers(Vec<f64>),
    /// Texts.
    Texts(Vec<String>),
}

impl Array {
    /// The memory that its items take \[bytes\].
    pub(super) fn bytes(&self) -> u64 {
        match &self.cells {
            Cells::Numbers(numbers) => 8 * numbers.len() as u64,
            Cells::Texts(texts) => texts.iter().map(|text| 32 + text.len() as u64).sum(),
        }
    }
}

/// Arrays by their names.
pub type Arrays = BTreeMap<String, Array>;

/// The names of all arrays that are read; `settings` is that of the exam's records.
pub const NAMES: [&str; 29] = [
    "time",
    "mass",
    "position",
    "velocity",
    "body",
    "gravity",
    "orientation",
    "spin",
    "inertia",
    "applied",
    "applied_torque",
    "reaction",
    "reaction_torque",
    "engine",
    "version",
    "settings",
    "step",
    "contact_frame",
    "contact_body",
    "contact_other",
    "contact_normal",
    "contact_normal_force",
    "contact_friction",
    "contact_mu",
    "contact_mu_kinetic",
    "contact_slip",
    "contact_point",
    "contact_torque",
    "note",
];

/// Shapes with T times, B bodies and C contacts.
struct Sizes {
    times: usize,
    bodies: usize,
}

/// The log of some arrays; `mass` is that of bodies whose array is missing \[kg\], `unread` the names of arrays
/// beside these.
///
/// # Errors
/// A needed array is missing, or one has another shape; the text names it.
pub fn log(arrays: &Arrays, mass: Option<f64>, unread: Vec<String>) -> Result<Log, LogError> {
    let time = numbers(arrays, "time", &[None])?.ok_or_else(|| missing("time", "(T,)"))?;
    let position = arrays.get("position").ok_or_else(|| missing("position", "(T, B, 3)"))?;
    let bodies = if position.shape.len() == 2 { 1 } else { *position.shape.get(1).unwrap_or(&0) };
    let sizes = Sizes { times: time.len(), bodies };
    let contacts_listed = arrays.get("contact_frame").and_then(|array| array.shape.first());
    check_rows(time.len().saturating_mul(bodies).saturating_add(*contacts_listed.unwrap_or(&0)))?;
    let alone = bodies == 1 && arrays.get("mass").is_some_and(|array| array.shape.is_empty());
    let shape = if alone { vec![] } else { vec![Some(bodies)] };
    let masses = match numbers(arrays, "mass", &shape)? {
        Some(masses) => masses,
        // positions alone are judged at any mass
        None => {
            let by_mass = [
                "applied",
                "applied_torque",
                "reaction",
                "reaction_torque",
                "inertia",
                "contact_normal_force",
            ];
            let own = (!by_mass.iter().any(|name| arrays.contains_key(*name))).then_some(1.0);
            let none = || missing("mass", "(B,); --mass KG gives one");
            vec![mass.or(own).ok_or_else(none)?; bodies]
        }
    };
    let names = texts(arrays, "body");
    if let Some(names) = names.as_ref().filter(|names| names.len() != bodies) {
        let many = names.len();
        return Err(LogError(format!("body: {many} names for {bodies} bodies")));
    }
    let mut all: Vec<Body> = (0..bodies)
        .map(|n| Body {
            name: names.as_ref().map_or_else(|| format!("body {n}"), |names| names[n].clone()),
            mass: masses[n],
            ..Body::default()
        })
        .collect();
    fill(arrays, &sizes, &mut all)?;
    let engine = ["engine", "version"].iter().filter_map(|name| texts(arrays, name)).flatten();
    Ok(Log {
        contacts: contacts(arrays, &sizes)?,
        bodies: all,
        time,
        gravity: vectors(arrays, "gravity", &[Some(3)])?.map(|g| g[0]),
        step: numbers(arrays, "step", &[])?.map(|step| step[0]).filter(|step| *step > 0.0),
        engine: engine.collect::<Vec<_>>().join(" "),
        unread,
    })
}

/// Fills the columns of bodies.
fn fill(arrays: &Arrays, sizes: &Sizes, bodies: &mut [Body]) -> Result<(), LogError> {
    type Column = fn(&mut Body) -> &mut Option<Vec<Vector>>;
    let columns: [(&str, Column); 6] = [
        ("velocity", |b| &mut b.velocity),
        ("spin", |b| &mut b.spin),
        ("applied", |b| &mut b.applied),
        ("applied_torque", |b| &mut b.applied_torque),
        ("reaction", |b| &mut b.reaction),
        ("reaction_torque", |b| &mut b.reaction_torque),
    ];
    let count = sizes.bodies;
    let of = |all: &[Vector], n: usize| (0..sizes.times).map(|k| all[k * count + n]).collect();
    for (name, column) in columns {
        if let Some(all) = of_bodies(arrays, name, sizes, 3)? {
            let all = in_threes(&all);
            bodies.iter_mut().enumerate().for_each(|(n, body)| *column(body) = Some(of(&all, n)));
        }
    }
    let position = of_bodies(arrays, "position", sizes, 3)?;
    let position = in_threes(&position.ok_or_else(|| missing("position", "(T, B, 3)"))?);
    let orientation = of_bodies(arrays, "orientation", sizes, 4)?;
    let alone = count == 1 && arrays.get("inertia").is_some_and(|array| array.shape.len() == 1);
    let shape = if alone { vec![Some(3)] } else { vec![Some(count), Some(3)] };
    let inertia = vectors(arrays, "inertia", &shape)?;
    for (n, body) in bodies.iter_mut().enumerate() {
        body.position = of(&position, n);
        body.inertia = inertia.as_ref().map(|all| all[n]);
        body.orientation = orientation.as_ref().map(|all| {
            let turn = |k: usize| std::array::from_fn(|i| all[(k * count + n) * 4 + i]);
            (0..sizes.times).map(turn).collect()
        });
    }
    Ok(())
}

/// Numbers of the shape (T, B, `axes`), or (T, `axes`) for a single body.
fn of_bodies(
    arrays: &Arrays,
    name: &str,
    sizes: &Sizes,
    axes: usize,
) -> Result<Option<Vec<f64>>, LogError> {
    let single = sizes.bodies == 1 && arrays.get(name).is_some_and(|array| array.shape.len() == 2);
    match single {
        true => numbers(arrays, name, &[Some(sizes.times), Some(axes)]),
        false => numbers(arrays, name, &[Some(sizes.times), Some(sizes.bodies), Some(axes)]),
    }
}

/// The contacts of each frame.
fn contacts(arrays: &Arrays, sizes: &Sizes) -> Result<Option<Vec<Vec<Contact>>>, LogError> {
    let Some(frame) = numbers(arrays, "contact_frame", &[None])? else { return Ok(None) };
    let c = frame.len();
    let numbers = |name: &str| numbers(arrays, name, &[Some(c)]);
    let vectors = |name: &str| vectors(arrays, name, &[Some(c), Some(3)]);
    let body = match numbers("contact_body")? {
        Some(body) => body,
        None if sizes.bodies == 1 => vec![0.0; c],
        None => return Err(missing("contact_body", "(C,)")),
    };
    let normal = vectors("contact_normal")?.ok_or_else(|| missing("contact_normal", "(C, 3)"))?;
    let force = numbers("contact_normal_force")?;
    let force = force.ok_or_else(|| missing("contact_normal_force", "(C,)"))?;
    let (other, friction) = (numbers("contact_other")?, vectors("contact_friction")?);
    let (fixed, kinetic) = (numbers("contact_mu")?, numbers("contact_mu_kinetic")?);
    let (slip, point) = (vectors("contact_slip")?, vectors("contact_point")?);
    let torque = vectors("contact_torque")?;
    let mut frames = vec![Vec::new(); sizes.times];
    for k in 0..c {
        let at = index("contact_frame", k, frame[k], sizes.times)?;
        let other = other.as_ref().map(|all| all[k]).filter(|other| *other != -1.0);
        frames[at].push(Contact {
            body: index("contact_body", k, body[k], sizes.bodies)?,
            other: other.map(|other| index("contact_other", k, other, sizes.bodies)).transpose()?,
            normal: normal[k],
            normal_force: force[k],
            friction: friction.as_ref().map(|all| all[k]),
            static_friction: fixed.as_ref().map(|all| all[k]),
            kinetic_friction: kinetic.as_ref().map(|all| all[k]),
            slip: slip.as_ref().map(|all| all[k]),
            point: point.as_ref().map(|all| all[k]),
            torque: torque.as_ref().map(|all| all[k]),
            mirrored: false,
        });
    }
    Ok(Some(frames))
}

fn index(name: &str, row: usize, value: f64, below: usize) -> Result<usize, LogError> {
    match value >= 0.0 && value < below as f64 && value.fract() == 0.0 {
        true => Ok(value as usize),
        false => Err(LogError(format!(
            "{name}: {value} at row {row}; a whole number from 0 to {} is needed",
            below.saturating_sub(1)
        ))),
    }
}

fn missing(name: &str, shape: &str) -> LogError {
    LogError(format!("there is no array `{name}` of the shape {shape}"))
}

/// Numbers of a shape, none if the array does not exist; `None` in the shape is any length.
fn numbers(
    arrays: &Arrays,
    name: &str,
    shape: &[Option<usize>],
) -> Result<Option<Vec<f64>>, LogError> {
    let Some(array) = arrays.get(name) else { return Ok(None) };
    let same = |(n, asked): (&usize, &Option<usize>)| asked.is_none_or(|asked| asked == *n);
    let fits = array.shape.len() == shape.len() && array.shape.iter().zip(shape).all(same);
    match &array.cells {
        Cells::Numbers(numbers) if fits => Ok(Some(numbers.clone())),
        Cells::Numbers(_) => {
            let asked: Vec<String> =
                shape.iter().map(|n| n.map_or("any".into(), |n| n.to_string())).collect();
            let asked = asked.join(", ");
            let shape = &array.shape;
            Err(LogError(format!("{name}: its shape is {shape:?}, ({asked}) is needed")))
        }
        Cells::Texts(_) => Err(LogError(format!("{name}: it holds texts, numbers are needed"))),
    }
}

/// Vectors: numbers whose last axis has length three.
fn vectors(
    arrays: &Arrays,
    name: &str,
    shape: &[Option<usize>],
) -> Result<Option<Vec<Vector>>, LogError> {
    Ok(numbers(arrays, name, shape)?.map(|numbers| in_threes(&numbers)))
}

fn in_threes(numbers: &[f64]) -> Vec<Vector> {
    numbers.chunks_exact(3).map(Vector::from_column_slice).collect()
}

fn texts(arrays: &Arrays, name: &str) -> Option<Vec<String>> {
    match &arrays.get(name)?.cells {
        Cells::Texts(texts) => Some(texts.clone()),
        Cells::Numbers(_) => None,
    }
}
