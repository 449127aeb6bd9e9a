//! Engines by their formulas: the documents of `stiction creep --format json`.

use crate::failures::failure;
use crate::values::to_python;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Map, Value};
use stiction_engines::creep::{catalogue, document};

/// The answer of an engine to the values of its parameters.
#[pyfunction]
pub fn creep<'py>(
    py: Python<'py>,
    engine: &str,
    values: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut given = Map::new();
    for (key, value) in values {
        given.insert(key.extract()?, plain(&value)?);
    }
    let answer = document(engine, &given.into())
        .map_err(|error| failure(py, "UsageError", &error.to_string()))?;
    to_python(py, &answer)
}

/// Engines with their parameters.
#[pyfunction]
pub fn creep_engines(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    to_python(py, &catalogue())
}

/// A flag, a whole number, a number, a text or a dict of numbers.
fn plain(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if let Ok(flag) = value.extract::<bool>() {
        return Ok(flag.into());
    }
    if let Ok(whole) = value.extract::<i64>() {
        return Ok(whole.into());
    }
    if let Ok(number) = value.extract::<f64>() {
        // numbers that are not finite become texts, which the key refuses by name
        return Ok(serde_json::Number::from_f64(number)
            .map_or_else(|| number.to_string().into(), Value::Number));
    }
    if let Ok(text) = value.extract::<String>() {
        return Ok(text.into());
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        let pairs = dict.iter().map(|(key, value)| Ok((key.extract()?, plain(&value)?)));
        return Ok(Value::Object(pairs.collect::<PyResult<_>>()?));
    }
    let kind = value.get_type();
    Err(PyTypeError::new_err(format!("a parameter is a number, a text or a flag, not {kind}")))
}
