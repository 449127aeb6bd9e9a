//! Values between Rust and Python: JSON documents, vectors, arrays.

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use serde_json::Value;
use stiction_core::Vector;

/// A document as dicts, lists, texts and numbers.
pub fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(flag) => flag.into_pyobject(py)?.to_owned().into_any(),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(n), _) => n.into_pyobject(py)?.into_any(),
            (None, Some(n)) => n.into_pyobject(py)?.into_any(),
            (None, None) => number.as_f64().into_pyobject(py)?.into_any(),
        },
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(list) => {
            let items: PyResult<Vec<_>> = list.iter().map(|item| to_python(py, item)).collect();
            PyList::new(py, items?)?.into_any()
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            for (key, value) in fields {
                dict.set_item(key, to_python(py, value)?)?;
            }
            dict.into_any()
        }
    })
}

/// Three numbers of a tuple, a list or an array.
pub fn vector(from: &Bound<'_, PyAny>) -> PyResult<Vector> {
    if let Ok((x, y, z)) = from.extract::<(f64, f64, f64)>() {
        return Ok(Vector::new(x, y, z));
    }
    let items: Vec<Bound<'_, PyAny>> = from.try_iter()?.collect::<PyResult<_>>()?;
    match &items[..] {
        [x, y, z] => Ok(Vector::new(x.extract()?, y.extract()?, z.extract()?)),
        other => {
            Err(PyTypeError::new_err(format!("three numbers are needed, not {}", other.len())))
        }
    }
}

/// Numbers of vectors, one after the other, in the memory of the vectors.
pub fn flat(vectors: Vec<Vector>) -> Vec<f64> {
    vectors.into_iter().map(<[f64; 3]>::from).collect::<Vec<_>>().into_flattened()
}

/// A read-only array (N, 3) that owns the numbers, without a copy.
pub fn rows<'py>(py: Python<'py>, vectors: Vec<Vector>) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let count = vectors.len();
    let array = PyArray1::from_vec(py, flat(vectors));
    // the base of a view must not be writable either
    array.call_method1("setflags", (false,))?;
    array.reshape([count, 3])
}

/// Numbers of an array (N, 3).
pub fn vectors(array: &Bound<'_, PyArray2<f64>>) -> PyResult<Vec<Vector>> {
    let read = array.try_readonly()?;
    let (triples, _) = read.as_slice()?.as_chunks::<3>();
    Ok(triples.iter().map(|x| Vector::from(*x)).collect())
}
