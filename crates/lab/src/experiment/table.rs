//! A comparison as a table: for terminals, as CSV and as JSON.

use super::compare::{ComparedRow, Comparison};
use super::law;
use serde_json::{Map, Value, json};
use stiction_core::diagnosis::trust::percent;
use stiction_core::math::number;

/// Numbers of every row in tables for people: name, heading.
const FIGURES: [(&str, &str); 6] = [
    ("error", "error m"),
    ("creep", "creep m/s"),
    ("law_creep", "law m/s"),
    ("penetration", "penetration m"),
    ("energy_error", "energy error"),
    ("hlambda", "max h λ"),
];

/// Column heading of an axis.
fn heading(axis: &str) -> &str {
    match axis {
        "epsilon" => "ε m/s",
        "step" => "step s",
        "linear_solver" => "solver",
        other => other,
    }
}

/// The keys of the laws of a comparison, where its table for people has their names alone.
pub fn law_keys(comparison: &Comparison) -> Option<Vec<String>> {
    law::keys_by_name(comparison.rows.iter().filter_map(|row| row.setting("law")))
}

/// Headings and cells for people.
pub fn cells(comparison: &Comparison) -> (Vec<String>, Vec<Vec<String>>) {
    let axes = comparison.axes();
    let mut header: Vec<String> = axes.iter().map(|axis| heading(axis).to_string()).collect();
    header.extend(["status", "steps", "evaluations", "CPU s"].map(String::from));
    header.extend(FIGURES.map(|(_, heading)| heading.to_string()));
    let measures = measures(comparison);
    header.extend(measures.iter().map(|(name, unit)| format!("{name} {unit}").replace(" 1", "")));
    header.push("verdict".into());
    let by_name = law_keys(comparison).is_some();
    let setting = |row: &ComparedRow, axis: &str| match row.setting(axis).unwrap_or("–") {
        law if axis == "law" && by_name => law::name(law).to_string(),
        text => text.to_string(),
    };
    let rows = comparison.rows.iter().map(|row| {
        let trial = &row.trial;
        let mut cells: Vec<String> = axes.iter().map(|axis| setting(row, axis)).collect();
        cells.extend([
            trial.status.word().into(),
            trial.steps.to_string(),
            trial.work.evaluations.to_string(),
            format!("{:.3}", trial.cpu_seconds),
        ]);
        cells.extend(FIGURES.map(|(name, _)| row.figure(name).map_or("–".into(), number)));
        let value = |name: &String| row.figure(name).map_or("–".into(), number);
        cells.extend(measures.iter().map(|(name, _)| value(name)));
        let mark = if trial.verdict.faultless() { "" } else { "✗ " };
        cells.push(format!("{mark}{}", mark_of(row)));
        cells
    });
    (header, rows.collect())
}

/// Largest number of measures in a table for people.
const MEASURES: usize = 6;

/// The first measures of the scene, with their units.
fn measures(comparison: &Comparison) -> Vec<(String, &'static str)> {
    let Some(row) = comparison.rows.iter().find(|row| !row.trial.measures.is_empty()) else {
        return Vec::new();
    };
    let unit = |name: &String| row.trial.figures.iter().find(|figure| figure.name == *name);
    let named =
        row.trial.measures.iter().filter(|name| !FIGURES.iter().any(|(own, _)| own == name));
    named.take(MEASURES).filter_map(|name| Some((name.clone(), unit(name)?.unit))).collect()
}

/// The verdict in a few words. Only a verified run is trusted to a share of its measures' scales; the distance from
/// the reference is a share of the travel.
fn mark_of(row: &ComparedRow) -> String {
    let verdict = &row.trial.verdict;
    match verdict.error {
        Some(share) if verdict.faultless() && row.trial.figure("error_share").is_none() => {
            format!("places {} off", percent(share))
        }
        _ => verdict.marks(),
    }
}

/// All numbers of a row by name: CPU seconds, error, and the figures of the trial.
fn numbers(row: &ComparedRow) -> Vec<(String, Option<f64>)> {
    let mut numbers =
        vec![("cpu_seconds".into(), Some(row.trial.cpu_seconds)), ("error".into(), row.error)];
    numbers.extend(row.trial.figures.iter().map(|figure| (figure.name.clone(), figure.value)));
    numbers
}

/// Comma-separated values: axes, status, all numbers of all rows, verdict.
pub fn csv(comparison: &Comparison) -> String {
    let axes = comparison.axes();
    let mut names: Vec<String> = Vec::new();
    for (name, _) in comparison.rows.iter().flat_map(numbers) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write = |cells: Vec<String>| {
        writer.write_record(cells).expect("a vector takes every byte");
    };
    let mut header: Vec<String> = axes.iter().map(|axis| (*axis).to_string()).collect();
    header.push("status".into());
    header.extend(names.iter().cloned());
    header.extend(["trusted", "verdict"].map(String::from));
    write(header);
    for row in &comparison.rows {
        let own = numbers(row);
        let value = |name: &String| own.iter().find(|(own, _)| own == name)?.1;
        let mut cells: Vec<String> =
            axes.iter().map(|axis| row.setting(axis).unwrap_or_default().to_string()).collect();
        cells.push(row.trial.status.word().into());
        cells.extend(names.iter().map(|name| value(name).map_or(String::new(), |x| x.to_string())));
        cells.extend([row.trusted().to_string(), mark_of(row)]);
        write(cells);
    }
    let bytes = writer.into_inner().expect("a vector takes every byte");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// One JSON document.
pub fn json(comparison: &Comparison) -> Value {
    let references: Vec<Value> = comparison
        .references
        .iter()
        .map(|reference| {
            json!({
                "name": reference.name,
                "about": reference.describe(),
                "uncertainty": reference.uncertainty,
                "level": reference.verdict.level().word(),
            })
        })
        .collect();
    let left_out: Vec<Value> =
        comparison.left_out.iter().map(|(name, why)| json!({ "name": name, "why": why })).collect();
    json!({
        "title": comparison.title,
        "references": references,
        "rows": comparison.rows.iter().map(row).collect::<Vec<_>>(),
        "left_out": left_out,
    })
}

fn row(row: &ComparedRow) -> Value {
    let mut fields = Map::new();
    for (axis, value) in &row.settings {
        // a number if it is one
        let number = value.parse::<f64>().ok().filter(|x| x.is_finite());
        fields.insert((*axis).into(), number.map_or_else(|| json!(value), |x| json!(x)));
    }
    fields.insert("status".into(), json!(row.trial.status.word()));
    fields.extend(numbers(row).into_iter().map(|(name, value)| (name, json!(value))));
    let reasons = row.trial.verdict.reasons.iter();
    fields.insert("trusted".into(), json!(row.trusted()));
    fields.insert("level".into(), json!(row.trial.verdict.level().word()));
    fields.insert("error_bar".into(), json!(row.trial.verdict.error));
    fields.insert("reasons".into(), json!(reasons.map(|r| r.name()).collect::<Vec<_>>()));
    fields.insert("reference".into(), json!(row.reference));
    Value::Object(fields)
}
