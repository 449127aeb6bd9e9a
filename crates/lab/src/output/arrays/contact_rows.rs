//! `trajectory/contacts.npy`: one row per contact and frame, as a structured array.

use stiction_core::contact::acting::{ActingContact, for_each_jumped};
use stiction_core::math::Vector;
use stiction_core::model::Model;
use stiction_core::state::State;
use stiction_core::state::memory::{Contact, ContactKind};

/// Name of the file.
pub const FILE: &str = "trajectory/contacts.npy";

/// One field of a row.
pub(crate) struct ContactField {
    /// Its name.
    pub name: &'static str,
    /// NumPy's name of its type, little-endian.
    pub dtype: &'static str,
    /// Number of values; 1 for a scalar.
    pub count: usize,
    /// Unit.
    pub unit: &'static str,
    /// Its meaning.
    pub about: &'static str,
}

const fn field(
    name: &'static str,
    dtype: &'static str,
    count: usize,
    unit: &'static str,
    about: &'static str,
) -> ContactField {
    ContactField { name, dtype, count, unit, about }
}

/// The fields of a row, in their order, without gaps.
pub(crate) const FIELDS: &[ContactField] = &[
    field("time", "<f8", 1, "s", "time of the frame"),
    field("frame", "<i4", 1, "1", "number of the frame, from 0"),
    field("body", "<i4", 1, "1", "body of the first side, from 0"),
    field("other", "<i4", 1, "1", "body of the second side, from 0; −1 − number of a collider"),
    field("particles", "<i4", 4, "1", "particles that bear it, from 0; −1 where there are fewer"),
    field(
        "weights",
        "<f8",
        4,
        "1",
        "share c of the force on each: first side +1 in all, second −1",
    ),
    field("point", "<f8", 3, "m", "place"),
    field("normal", "<f8", 3, "1", "unit normal towards the first side"),
    field("depth", "<f8", 1, "m", "penetration depth"),
    field("normal_force", "<f8", 1, "N", "N"),
    field("friction_force", "<f8", 3, "N", "friction force on the first side"),
    field(
        "slip_velocity",
        "<f8",
        3,
        "m/s",
        "velocity of the first side relative to the second, tangential",
    ),
    field(
        "tangential_displacement",
        "<f8",
        3,
        "m",
        "that a law with memory keeps; zero of other laws",
    ),
    field("load_ratio", "<f8", 1, "1", "|F|/(μ_s N)"),
    field("static_friction", "<f8", 1, "1", "μ_s of the pair"),
    field("kinetic_friction", "<f8", 1, "1", "μ_k of the pair"),
    field("power", "<f8", 1, "W", "power that friction dissipates"),
    field("sticks", "|b1", 1, "1", "whether it sticks by the law's own rule"),
];

/// Bytes of one row.
pub fn length() -> usize {
    let size = |field: &ContactField| field.dtype[2..].parse::<usize>().unwrap_or(0) * field.count;
    FIELDS.iter().map(size).sum()
}

/// NumPy's description of a row.
pub fn descr() -> String {
    let one = |field: &ContactField| match field.count {
        1 => format!("('{}', '{}')", field.name, field.dtype),
        count => format!("('{}', '{}', ({count},))", field.name, field.dtype),
    };
    format!("[{}]", FIELDS.iter().map(one).collect::<Vec<_>>().join(", "))
}

/// Adds the rows of a frame and returns their number. Gaps bridged by adhesion have no row.
pub(crate) fn add_rows(model: &Model, state: &State, frame: usize, into: &mut Vec<u8>) -> usize {
    let mut count = 0;
    let mut add = |acting: &ActingContact| {
        if let Some(contact) = acting.contact {
            add_row(model, state.time, frame, contact, acting.displacement, into);
            count += 1;
        }
    };
    match model.contact_force() {
        Some(contact) => contact.for_each_acting(state, &mut add),
        None => for_each_jumped(&state.memory, &mut add),
    }
    count
}

fn add_row(
    model: &Model,
    time: f64,
    frame: usize,
    contact: &Contact,
    displacement: Vector,
    into: &mut Vec<u8>,
) {
    fn numbers(into: &mut Vec<u8>, values: &[f64]) {
        values.iter().for_each(|x| into.extend(x.to_le_bytes()));
    }
    fn integers(into: &mut Vec<u8>, values: &[i32]) {
        values.iter().for_each(|x| into.extend(x.to_le_bytes()));
    }
    let ends = &contact.ends;
    let mut particles = [-1; 4];
    let mut weights = [0.0; 4];
    for (k, (i, weight)) in ends.iter().enumerate() {
        (particles[k], weights[k]) = (i as i32, weight);
    }
    let [body, other] = sides(model, contact);
    numbers(into, &[time]);
    integers(into, &[frame as i32, body, other]);
    integers(into, &particles);
    numbers(into, &weights);
    for vector in [contact.point, contact.normal] {
        numbers(into, vector.as_slice());
    }
    numbers(into, &[contact.depth, contact.normal_force]);
    for vector in [contact.friction, contact.slip, displacement] {
        numbers(into, vector.as_slice());
    }
    let Contact { pair, .. } = contact;
    let ratio = contact.load_ratio();
    numbers(into, &[ratio, pair.static_friction, pair.kinetic_friction, contact.dissipated]);
    into.push(u8::from(contact.sticking));
}

/// Indices of the bodies on both sides; −1 − index for a collider.
pub fn sides(model: &Model, contact: &Contact) -> [i32; 2] {
    let body = |i: usize| model.bodies.partition_point(|body| body.particles.end <= i) as i32;
    let on = |positive: bool| {
        contact.ends.iter().find(|(_, c)| *c != 0.0 && (*c > 0.0) == positive).map(|(i, _)| body(i))
    };
    let first = on(true).unwrap_or_else(|| body(contact.particle()));
    match (contact.key.kind, contact.key.collider()) {
        (ContactKind::Collider, Some(collider)) => [first, -1 - collider as i32],
        _ => [first, on(false).unwrap_or(first)],
    }
}
