//! Energies, contacts, measures and surfaces of a simulation.

use super::Simulation;
use crate::contacts;
use crate::slots::take_fault;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use stiction_core::contact::collider::Bounds;
use stiction_core::contact::collider::outline::triangles;
use stiction_core::measures::columns::channel;
use stiction_core::{Simulation as Driver, Vector};
use stiction_lab::run::probes::probes;
use stiction_scene::build::BuildError;

impl Simulation {
    /// Energies, flows and the residual of the audit \[J\].
    pub(super) fn now_energies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut inner = self.lock(py);
        let timeline = inner.whole(py)?;
        let flows = timeline.flows();
        let audit = &timeline.simulation.watches.audit;
        let energies = audit.energies;
        let solids = !timeline.simulation.model.elements.is_empty();
        let dict = PyDict::new(py);
        for (name, value) in [
            ("kinetic", energies.kinetic),
            ("spring", energies.spring),
            ("contact", energies.contact),
            ("gravity", energies.gravity),
            ("dissipated_spring", flows.spring),
            ("dissipated_normal", flows.normal),
            ("dissipated_friction_stick", flows.friction_stick),
            ("dissipated_friction_slip", flows.friction_slip),
            ("dissipated_drag", flows.drag),
            ("work", flows.work),
            ("residual", audit.residual()),
        ] {
            dict.set_item(channel(name, solids), value)?;
        }
        Ok(dict)
    }

    /// Columns of the contacts.
    pub(super) fn now_contact_columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let inner = self.lock(py);
        contacts::columns(py, &inner.timeline.simulation.state.memory.contacts)
    }

    /// Contact quantities of every particle, under the names of the arrays of results.
    pub(super) fn now_contact_fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let inner = self.lock(py);
        contacts::of_particles(py, &inner.timeline.simulation)
    }

    /// The present values of the scene's measures.
    pub(super) fn now_measures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut inner = self.lock(py);
        let timeline = inner.whole(py)?;
        let (scene, simulation) = (&timeline.scene, &timeline.simulation);
        let read = || -> Result<Vec<(String, f64)>, BuildError> {
            let mut named = Vec::new();
            // selections by place refer to t = 0
            let mut state = simulation.state.clone();
            state.positions.clone_from(&simulation.model.reference);
            for mut probe in probes(scene, &simulation.model, &state)? {
                let mut values = Vec::new();
                probe.read(simulation, &mut values);
                named.extend(probe.columns.iter().cloned().zip(values));
            }
            Ok(named)
        };
        // measures in Python acquire the interpreter's lock themselves
        let read = read();
        let dict = PyDict::new(py);
        if let Some(error) = take_fault() {
            return Err(error);
        }
        let read = read.map_err(|error| crate::failures::build_failure(py, scene, &error))?;
        for (name, value) in read {
            dict.set_item(name, value)?;
        }
        Ok(dict)
    }

    /// Masses \[kg\].
    pub(super) fn now_masses<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.lock(py).timeline.simulation.model.masses)
    }

    /// Bodies: name, first particle and one past the last, triangles, segments.
    pub(super) fn now_bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let inner = self.lock(py);
        let bodies = PyList::empty(py);
        for body in &inner.timeline.simulation.model.bodies {
            let dict = PyDict::new(py);
            dict.set_item("name", &body.name)?;
            dict.set_item("start", body.particles.start)?;
            dict.set_item("stop", body.particles.end)?;
            let corners = body.triangles.iter().flatten().map(|i| i64::from(*i));
            let triangles = PyArray1::from_iter(py, corners).reshape([body.triangles.len(), 3])?;
            dict.set_item("triangles", triangles)?;
            let ends = body.segments.iter().flatten().map(|i| i64::from(*i));
            let segments = PyArray1::from_iter(py, ends).reshape([body.segments.len(), 2])?;
            dict.set_item("segments", segments)?;
            bodies.append(dict)?;
        }
        Ok(bodies)
    }

    /// Springs: ends, rest lengths \[m\], stiffnesses \[N/m\] and dampings \[N·s/m\].
    pub(super) fn now_springs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let inner = self.lock(py);
        let (mut ends, mut numbers) = (Vec::new(), [Vec::new(), Vec::new(), Vec::new()]);
        inner.timeline.simulation.model.springs.for_each(|spring| {
            ends.extend([spring.i as i64, spring.j as i64]);
            numbers[0].push(spring.rest_length);
            numbers[1].push(spring.material.stiffness);
            numbers[2].push(spring.material.damping);
        });
        let dict = PyDict::new(py);
        let count = ends.len() / 2;
        dict.set_item("ends", PyArray1::from_vec(py, ends).reshape([count, 2])?)?;
        for (name, values) in ["rest_length", "stiffness", "damping"].into_iter().zip(numbers) {
            dict.set_item(name, PyArray1::from_vec(py, values))?;
        }
        Ok(dict)
    }

    /// Elastic elements: corners, −1 beyond those of triangles and segments, volumes at rest \[m³\], stress \[Pa\] and principal stretches.
    pub(super) fn now_elements<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let inner = self.lock(py);
        let simulation = &inner.timeline.simulation;
        let (mut corners, mut stretches) = (Vec::new(), Vec::new());
        let mut numbers = [Vec::new(), Vec::new(), Vec::new()];
        simulation.model.elements.for_each_state(&simulation.state.positions, |state| {
            let own = state.corners().iter().map(|i| *i as i64);
            corners.extend(own.chain(std::iter::repeat(-1)).take(4));
            stretches.extend(state.stretches());
            let values = [state.volume, state.von_mises(), state.pressure()];
            numbers.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
        });
        let dict = PyDict::new(py);
        let count = corners.len() / 4;
        dict.set_item("corners", PyArray1::from_vec(py, corners).reshape([count, 4])?)?;
        dict.set_item("stretches", PyArray1::from_vec(py, stretches).reshape([count, 3])?)?;
        for (name, values) in ["volume", "von_mises", "pressure"].into_iter().zip(numbers) {
            dict.set_item(name, PyArray1::from_vec(py, values))?;
        }
        Ok(dict)
    }

    /// Colliders as triangles at their present positions: name, corners (T, 3, 3) \[m\].
    pub(super) fn now_collider_triangles<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Bound<'py, PyList>> {
        let mut inner = self.lock(py);
        let simulation = &inner.whole(py)?.simulation;
        let around = around(simulation);
        let list = PyList::empty(py);
        for collider in &simulation.model.surfaces.colliders {
            let pose = collider.motion.pose(simulation.state.time);
            let corners = triangles(collider.shape.as_ref(), &around);
            let flat: Vec<f64> = corners
                .iter()
                .flatten()
                .flat_map(|corner| <[f64; 3]>::from(pose.to_world(*corner)))
                .collect();
            let array = PyArray1::from_vec(py, flat).reshape([corners.len(), 3, 3])?;
            list.append((&collider.name, array))?;
        }
        Ok(list)
    }
}

/// The bounding box of all particles, extended by half its diagonal on every side.
fn around(simulation: &Driver) -> Bounds {
    let positions = &simulation.state.positions;
    let first = positions.first().copied().unwrap_or_default();
    let (min, max) =
        positions.iter().fold((first, first), |(min, max), x| (min.inf(x), max.sup(x)));
    let room = Vector::repeat(0.5 * (max - min).norm());
    Bounds { min: min - room, max: max + room }
}
