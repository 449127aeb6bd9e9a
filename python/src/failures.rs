//! Errors of the program as exceptions of `stiction.errors`, with the places of scene errors.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use stiction_core::{Model, SimulationError};
use stiction_lab::output::folder::directory::OutputError;
use stiction_scene::Scene;
use stiction_scene::build::BuildError;
use stiction_scene::diagnostics::{Diagnostic, Diagnostics, SceneErrors, Severity};
use stiction_scene::excerpt::position;
use stiction_scene::place::{Place, Source};
use stiction_scene::tree::{self, Content, Node, Table};

/// An exception of `stiction.errors` with a message.
pub fn failure(py: Python<'_>, class: &str, message: &str) -> PyErr {
    match py.import("stiction.errors").and_then(|errors| errors.getattr(class)?.call1((message,))) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// All faults of a scene, as `SceneError`.
pub fn scene_failure(py: Python<'_>, errors: &SceneErrors) -> PyErr {
    let made = || -> PyResult<Bound<'_, PyAny>> {
        let problems: PyResult<Vec<_>> =
            errors.diagnostics.iter().map(|one| problem(py, one, &errors.sources)).collect();
        let class = py.import("stiction.errors")?.getattr("SceneError")?;
        class.call1((errors.render(false).trim_end(), PyList::new(py, problems?)?))
    };
    match made() {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// The error of a scene that was read but cannot be built.
pub fn build_failure(py: Python<'_>, scene: &Scene, error: &BuildError) -> PyErr {
    scene_failure(py, &error.in_scene(scene))
}

/// The error of a failed step, with its remedy.
pub fn step_failure(py: Python<'_>, error: &SimulationError, model: &Model) -> PyErr {
    let what = error.describe(model);
    let advice = error.remedy().unwrap_or("try a smaller step, or an implicit integrator");
    let raised = failure(py, "SimulationError", &format!("{what}; {advice}"));
    let _ = raised.value(py).setattr("last_good", error.last_good);
    raised
}

/// The error of results that cannot be written or read.
pub fn output_failure(py: Python<'_>, error: &OutputError) -> PyErr {
    let help = match error {
        OutputError::WouldOverwrite(_) => "; give another folder, or force=True",
        _ => "",
    };
    failure(py, "OutputError", &format!("{error}{help}"))
}

/// One message as the keyword arguments of `Problem`.
pub fn problem<'py>(
    py: Python<'py>,
    one: &Diagnostic,
    sources: &[Source],
) -> PyResult<Bound<'py, PyAny>> {
    let fields = PyDict::new(py);
    fields.set_item("code", one.code)?;
    let severity = if one.severity == Severity::Error { "error" } else { "warning" };
    fields.set_item("severity", severity)?;
    fields.set_item("message", &one.message)?;
    fields.set_item("help", &one.help)?;
    fields.set_item("notes", one.notes.clone())?;
    if let Some((source, place)) = one.place.and_then(|p| Some((sources.get(p.source)?, p))) {
        let (line, column) = position(sources, place);
        fields.set_item("file", &source.name)?;
        fields.set_item("line", line)?;
        fields.set_item("column", column)?;
        fields.set_item("key", key_at(sources, place))?;
    } else if !one.elsewhere.is_empty() {
        // FILE:LINE:COLUMN of a mesh
        let mut parts = one.elsewhere.rsplitn(3, ':').collect::<Vec<_>>();
        parts.reverse();
        fields.set_item("file", parts[0])?;
        for (name, number) in ["line", "column"].into_iter().zip(&parts[1..]) {
            fields.set_item(name, number.parse::<usize>().ok())?;
        }
    }
    py.import("stiction.errors")?.getattr("Problem")?.call((), Some(&fields))
}

/// The path of the key at a place, `contact.friction.epsilon` or `body.0.mass`, as in `set`.
fn key_at(sources: &[Source], place: Place) -> Option<String> {
    let source = sources.get(place.source)?;
    if source.name == "--set" {
        return Some(source.text.split('=').next()?.trim().to_string());
    }
    let table = tree::parse(sources, place.source, &mut Diagnostics::default()).unwrap_or_default();
    let mut path = Vec::new();
    in_table(&table, place, &mut path).then(|| path.join("."))
}

fn covers(outer: Place, inner: Place) -> bool {
    outer.start <= inner.start && inner.start < outer.end.max(outer.start + 1)
}

/// Adds the path to the innermost key at a place; returns whether there is one.
fn in_table(table: &Table, place: Place, path: &mut Vec<String>) -> bool {
    table.entries.iter().any(|entry| {
        path.push(entry.key.clone());
        let found = in_node(&entry.value, place, path)
            || covers(entry.place, place)
            || covers(entry.value.place, place);
        if !found {
            path.pop();
        }
        found
    })
}

fn in_node(node: &Node, place: Place, path: &mut Vec<String>) -> bool {
    match &node.content {
        Content::Table(table) => in_table(table, place, path),
        // numbers of a list are not keys, its tables are
        Content::List(list) if list.iter().any(|item| item.table().is_some()) => {
            list.iter().enumerate().any(|(k, item)| {
                path.push(k.to_string());
                let found = in_node(item, place, path) || covers(item.place, place);
                if !found {
                    path.pop();
                }
                found
            })
        }
        _ => false,
    }
}
