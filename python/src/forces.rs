//! Forces written in Python.

use crate::slots::fault;
use crate::values::rows;
use numpy::{PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;
use stiction_core::forces::account::Ledger;
use stiction_core::state::memory::Memory;
use stiction_core::{BlockSink, Configuration, Force, Vector};

/// A force computed by a Python object for all particles together. Its power counts as work. It
/// adds no Jacobian: implicit methods take the force of the previous trial point.
#[derive(Clone)]
pub struct PythonForce(pub Arc<Py<PyAny>>);

impl PythonForce {
    fn of(&self, at: &Configuration) -> Vec<Vector> {
        let count = at.positions.len();
        let told = Python::attach(|py| -> PyResult<Vec<Vector>> {
            let x = rows(py, at.positions.to_vec())?;
            let v = rows(py, at.velocities.to_vec())?;
            let told = self.0.bind(py).call1((at.time, x, v))?;
            // lists and other number types are converted to an array of floats
            let array = py.import("numpy")?.call_method1("ascontiguousarray", (told, "f8"))?;
            let wrong = |shape: String| {
                PyValueError::new_err(format!(
                    "a force returns an array of shape ({count}, 3), one row per particle, not {shape}"
                ))
            };
            let shape = || array.getattr("shape").map_or(String::new(), |shape| shape.to_string());
            let array = array.cast::<PyArray2<f64>>().map_err(|_| wrong(shape()))?;
            let read = array.try_readonly()?;
            let given = read.as_array();
            if given.shape() != [count, 3] {
                return Err(wrong(shape()));
            }
            Ok(given.outer_iter().map(|row| Vector::new(row[0], row[1], row[2])).collect())
        });
        told.unwrap_or_else(|error| {
            fault(error);
            vec![Vector::repeat(f64::NAN); count]
        })
    }
}

impl Force for PythonForce {
    fn add_force(&self, at: &Configuration, f: &mut [Vector]) {
        f.iter_mut().zip(self.of(at)).for_each(|(f, own)| *f += own);
    }

    fn add_jacobian(&self, _: &Configuration, _: &mut dyn BlockSink) {}

    fn commit(&self, at: &Configuration, f: &mut [Vector], ledger: &mut Ledger, _: &mut Memory) {
        for (i, own) in self.of(at).into_iter().enumerate() {
            f[i] += own;
            let power = own.dot(&at.velocities[i]);
            if power != 0.0 {
                ledger.enter(i, |account| account.work += power);
            }
        }
    }
}
