//! Measures written in Python.

use crate::failures::failure;
use crate::slots::{Objects, SLOTS, fault, forever};
use crate::values::{rows, vector};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use stiction_core::{MEASURES, MeasureKind, Vector};

/// The input of a measure: the state at a frame.
#[pyclass(frozen, get_all, module = "stiction")]
pub struct Scope {
    time: f64,
    particles: Py<PyArray1<i64>>,
    positions: Py<PyArray2<f64>>,
    velocities: Py<PyArray2<f64>>,
    forces: Py<PyArray2<f64>>,
    masses: Py<PyArray1<f64>>,
}

impl Scope {
    fn of(py: Python<'_>, scope: &stiction_core::Scope) -> PyResult<Scope> {
        let state = scope.state;
        let numbers = scope.particles.iter().map(|i| *i as i64);
        Ok(Scope {
            time: state.time,
            particles: PyArray1::from_iter(py, numbers).unbind(),
            positions: rows(py, state.positions.clone())?.unbind(),
            velocities: rows(py, state.velocities.clone())?.unbind(),
            forces: rows(py, state.forces.clone())?.unbind(),
            masses: PyArray1::from_slice(py, &scope.model.masses).unbind(),
        })
    }
}

/// Reading functions, by the indices of their rows.
static READERS: Objects = Objects::new();

static READ: [fn(&stiction_core::Scope) -> Vector; SLOTS] = crate::numbered!(read);

/// Reads the measure with an index.
fn read<const N: usize>(scope: &stiction_core::Scope) -> Vector {
    let told = Python::attach(|py| -> PyResult<Vector> {
        let reader = READERS.get(py, N).ok_or_else(|| PyValueError::new_err("no such measure"))?;
        let told = reader.bind(py).call1((Scope::of(py, scope)?,))?;
        match told.extract::<f64>() {
            Ok(x) => Ok(Vector::new(x, 0.0, 0.0)),
            Err(_) => vector(&told),
        }
    });
    told.unwrap_or_else(|error| {
        fault(error);
        Vector::repeat(f64::NAN)
    })
}

/// Registers a function that reads a measure under a name, a `kind` in scenes.
#[pyfunction]
pub fn register_measure(
    py: Python<'_>,
    name: &str,
    reader: Py<PyAny>,
    unit: String,
    about: String,
    of_vector: bool,
    replace: bool,
) -> PyResult<()> {
    if let Some(number) = READERS.number(name) {
        if replace {
            READERS.replace(number, reader);
            return Ok(());
        }
        let message = format!(
            "there is a measure `{name}` already; replace=True puts this function in its place"
        );
        return Err(PyValueError::new_err(message));
    }
    let number = READERS.count();
    if number == SLOTS {
        let message =
            format!("there are {SLOTS} measures from Python already, as many as there may be");
        return Err(failure(py, "StictionError", &message));
    }
    let kind = if of_vector { MeasureKind::vector } else { MeasureKind::number };
    let made = kind(forever(name.into()), forever(unit), forever(about), READ[number]);
    let row = MEASURES.register(MeasureKind { needs_body: false, ..made });
    let row = row.map_err(|error| PyValueError::new_err(error.to_string()))?;
    READERS.add(row.name, reader);
    Ok(())
}
