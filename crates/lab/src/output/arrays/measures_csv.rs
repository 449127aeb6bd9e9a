//! `measures.csv`: one line per frame, shortest round-trip decimals.

use crate::run::{Frame, Run, Verification};
use std::collections::BTreeMap;
use std::io;
use stiction_core::diagnosis::drift::Drift;
use stiction_core::measures::columns::{OF_BODY, TIME, standard};

/// The values of the [`standard`] columns at a frame.
pub fn standard_values(frame: &Frame) -> [f64; 19] {
    [
        frame.energies.kinetic,
        frame.energies.spring,
        frame.energies.contact,
        frame.energies.gravity,
        frame.flows.spring,
        frame.flows.normal,
        frame.flows.friction_stick,
        frame.flows.friction_slip,
        frame.flows.drag,
        frame.flows.work,
        frame.residual,
        frame.momentum.x,
        frame.momentum.y,
        frame.momentum.z,
        frame.contacts as f64,
        frame.sticking as f64,
        (frame.contacts - frame.sticking) as f64,
        frame.max_penetration,
        frame.max_hlambda,
    ]
}

/// Names of the columns of a run.
pub fn columns_of(run: &Run) -> Vec<String> {
    columns(&run.columns, run)
}

fn columns(measures: &[String], run: &Run) -> Vec<String> {
    let model = &run.simulation().model;
    let names = model.bodies.iter().map(|body| &body.name);
    let creep = names.flat_map(|name| OF_BODY.map(|column| format!("{column}_{name}")));
    std::iter::once(TIME.into())
        .chain(measures.iter().cloned())
        .chain(standard(!model.elements.is_empty()).map(String::from))
        .chain(creep)
        .collect()
}

/// One line of texts.
pub fn line(texts: impl Iterator<Item = String>) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(texts)?;
    writer.into_inner().map_err(|error| error.into_error())
}

/// The line of a frame.
pub fn line_of(frame: &Frame) -> io::Result<Vec<u8>> {
    let values = std::iter::once(frame.time)
        .chain(frame.measures.iter().copied())
        .chain(standard_values(frame))
        .chain(frame.creep.iter().flat_map(Drift::row));
    line(values.map(|x| x.to_string()))
}

/// The error bars in a table of [`with_errors`], by the names of measures.
pub(crate) fn errors(table: &[u8], measures: &[String]) -> io::Result<BTreeMap<String, Vec<f64>>> {
    let mut reader = csv::Reader::from_reader(table);
    let mut bars = vec![Vec::new(); measures.len()];
    for row in reader.records() {
        let row = row?;
        // behind the time and the measures
        let errors = row.iter().skip(1 + measures.len());
        bars.iter_mut().zip(errors).for_each(|(bars, error)| {
            bars.push(error.parse().unwrap_or(f64::NAN));
        });
    }
    let known = measures.iter().cloned().zip(bars);
    Ok(known.filter(|(_, bars)| bars.iter().any(|bar| !bar.is_nan())).collect())
}

/// The whole file with one further column per measure, `error_NAME`: its error bar.
pub(crate) fn with_errors(run: &Run, by: &Verification) -> io::Result<Vec<u8>> {
    let errors = |column: &String| format!("error_{column}");
    let measures: Vec<String> =
        run.columns.iter().cloned().chain(run.columns.iter().map(errors)).collect();
    let mut bytes = line(columns(&measures, run).into_iter())?;
    for (number, frame) in run.frames.iter().enumerate() {
        let error = |column: &String| by.error(column, number).unwrap_or(f64::NAN);
        let mut frame = frame.clone();
        frame.measures.extend(run.columns.iter().map(error));
        bytes.extend(line_of(&frame)?);
    }
    Ok(bytes)
}
