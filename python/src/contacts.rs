//! Contacts of the accepted state as columns.

use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use stiction_core::measures::contact_fields::ContactFields;
use stiction_core::state::memory::ContactKind;
use stiction_core::{Contact, Simulation, Vector};
use stiction_lab::output::arrays::table::{FrameView, PARTICLE_ARRAYS, RecordedWhen};

/// The word for a kind of contact.
fn word(kind: ContactKind) -> &'static str {
    match kind {
        ContactKind::Collider => "collider",
        ContactKind::Points => "points",
        ContactKind::Surface => "surface",
        ContactKind::Edges => "edges",
        ContactKind::Line => "line",
    }
}

/// One array per quantity, with one row per contact.
pub fn columns<'py>(py: Python<'py>, contacts: &[Contact]) -> PyResult<Bound<'py, PyDict>> {
    let columns = PyDict::new(py);
    let kinds: Vec<&str> = contacts.iter().map(|contact| word(contact.key.kind)).collect();
    columns.set_item("kind", kinds)?;
    let number = |of: fn(&Contact) -> f64| PyArray1::from_iter(py, contacts.iter().map(of));
    let whole = |of: fn(&Contact) -> i64| PyArray1::from_iter(py, contacts.iter().map(of));
    let vector = |of: fn(&Contact) -> Vector| {
        let flat: Vec<f64> = contacts.iter().flat_map(|c| <[f64; 3]>::from(of(c))).collect();
        PyArray1::from_vec(py, flat).reshape([contacts.len(), 3])
    };
    columns.set_item("a", whole(|c| i64::from(c.key.a)))?;
    columns.set_item("b", whole(|c| i64::from(c.key.b)))?;
    let ends = |of: fn(&Contact, usize) -> f64, none: f64| {
        let flat = contacts.iter().flat_map(|contact| {
            std::array::from_fn::<f64, 4, _>(|k| {
                if k < contact.ends.count { of(contact, k) } else { none }
            })
        });
        PyArray1::from_iter(py, flat).reshape([contacts.len(), 4])
    };
    columns.set_item("particles", ends(|c, k| f64::from(c.ends.particles[k]), -1.0)?)?;
    columns.set_item("weights", ends(|c, k| c.ends.weights[k], 0.0)?)?;
    columns.set_item("point", vector(|c| c.point)?)?;
    columns.set_item("normal", vector(|c| c.normal)?)?;
    columns.set_item("depth", number(|c| c.depth))?;
    columns.set_item("normal_force", number(|c| c.normal_force))?;
    columns.set_item("friction", vector(|c| c.friction)?)?;
    columns.set_item("slip", vector(|c| c.slip)?)?;
    columns.set_item("surface_velocity", vector(|c| c.surface_velocity)?)?;
    columns.set_item("stretch", vector(|c| c.stretch)?)?;
    columns.set_item("load_ratio", number(Contact::load_ratio))?;
    columns.set_item("power", number(|c| c.dissipated))?;
    columns.set_item("static_friction", number(|c| c.pair.static_friction))?;
    columns.set_item("kinetic_friction", number(|c| c.pair.kinetic_friction))?;
    let sticking: Vec<bool> = contacts.iter().map(|contact| contact.sticking).collect();
    columns.set_item("sticking", PyArray1::from_vec(py, sticking))?;
    Ok(columns)
}

/// The arrays that `run --contacts` adds to a frame, each with a row per particle.
pub fn of_particles<'py>(py: Python<'py>, simulation: &Simulation) -> PyResult<Bound<'py, PyDict>> {
    let fields = ContactFields::of(&simulation.model, &simulation.state);
    let view = FrameView { simulation, contacts: Some(&fields) };
    let arrays = PyDict::new(py);
    for array in PARTICLE_ARRAYS.iter().filter(|array| array.recorded == RecordedWhen::Contacts) {
        let values = PyArray1::from_vec(py, array.values(&view));
        match array.components.len() {
            0 => arrays.set_item(array.name, values)?,
            width => {
                let rows = simulation.model.particles();
                arrays.set_item(array.name, values.reshape([rows, width])?)?;
            }
        }
    }
    Ok(arrays)
}
