//! The verdict on a run of any engine: the document of `stiction judge --format json`.

use crate::failures::failure;
use crate::values::to_python;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use stiction_core::math::Vector;
use stiction_engines::judge::document::document;
use stiction_engines::judge::log::{Log, LogError};
use stiction_engines::judge::{JudgeOptions, judge as judged};
use stiction_engines::log_files::arrays::{Array, Arrays, Cells, NAMES, log};
use stiction_engines::log_files::read;

/// Judges arrays by their names, each a shape with flat numbers in C order or with texts.
#[pyfunction]
pub fn judge<'py>(
    py: Python<'py>,
    arrays: &Bound<'py, PyDict>,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let (mut all, mut unread) = (Arrays::new(), Vec::new());
    for (name, value) in arrays {
        let name: String = name.extract()?;
        if !NAMES.contains(&name.as_str()) {
            unread.push(name);
            continue;
        }
        let (shape, cells): (Vec<usize>, Bound<'py, PyAny>) = value.extract()?;
        let cells = match cells.cast::<PyArray1<f64>>() {
            Ok(numbers) => Cells::Numbers(numbers.try_readonly()?.as_slice()?.to_vec()),
            Err(_) => Cells::Texts(cells.extract()?),
        };
        all.insert(name, Array { shape, cells });
    }
    let checked = log(&all, option(options, "mass")?, unread).and_then(|log| {
        log.check()?;
        Ok(log)
    });
    answer(py, checked, options)
}

/// Judges a log that is a file.
#[pyfunction]
pub fn judge_file<'py>(
    py: Python<'py>,
    path: PathBuf,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    answer(py, read(&path, option(options, "mass")?), options)
}

fn answer<'py>(
    py: Python<'py>,
    log: Result<Log, LogError>,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let log = log.map_err(|error| failure(py, "UsageError", &error.to_string()))?;
    let gravity: Option<[f64; 3]> = option(options, "gravity")?;
    let given = JudgeOptions {
        gravity: gravity.map(Vector::from),
        friction: option(options, "friction")?,
        slope: option::<f64>(options, "slope")?.map(f64::to_radians),
        moving: option(options, "moving")?.unwrap_or(false),
        law: option::<f64>(options, "law")?.map(|creep| (creep, "the caller".into())),
        creep: option(options, "creep")?,
    };
    given.check().map_err(|error| failure(py, "UsageError", &error.to_string()))?;
    let said = py.detach(|| judged(&log, &given));
    to_python(py, &document(&log, &said))
}

fn option<'py, T>(options: &Bound<'py, PyDict>, name: &str) -> PyResult<Option<T>>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    options
        .get_item(name)?
        .filter(|value| !value.is_none())
        .map(|value| value.extract())
        .transpose()
}
