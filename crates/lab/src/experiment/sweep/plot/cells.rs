//! Cells of a table along an axis: the distinct ones, their labels, and their scale.

use super::super::collect::CollectedCell;
use crate::output::plots::figure::{PlotAxis, uniform};
use stiction_core::math::{larger, number, smaller};

/// Ratio of values above which an axis is logarithmic.
const DECADES: f64 = 99.0;

/// Significant digits of a number in words, where they tell values apart.
const DIGITS: usize = 4;

/// Distinct cells: numbers in ascending order, then texts as they come.
pub(super) fn distinct<'c>(cells: impl Iterator<Item = &'c CollectedCell>) -> Vec<CollectedCell> {
    let mut found: Vec<CollectedCell> = Vec::new();
    for cell in cells {
        if !found.contains(cell) {
            found.push(cell.clone());
        }
    }
    found.sort_by(|a, b| match (a, b) {
        (CollectedCell::Number(a), CollectedCell::Number(b)) => a.total_cmp(b),
        _ => a.number().is_none().cmp(&b.number().is_none()),
    });
    found
}

/// Labels of cells, of one format if all are numbers, and the exponent of a factor that they have in
/// common.
pub(super) fn labels(cells: &[CollectedCell]) -> (Vec<String>, i32) {
    match cells.iter().map(CollectedCell::number).collect::<Option<Vec<f64>>>() {
        Some(numbers) => uniform(&numbers),
        None => (cells.iter().map(CollectedCell::to_string).collect(), 0),
    }
}

/// Cells as texts: numbers of one notation with four digits at most, and more where two would be
/// equal.
pub(super) fn texts(cells: &[CollectedCell]) -> Vec<String> {
    let numbers = || cells.iter().filter_map(CollectedCell::number);
    let raised = numbers().any(|x| number(x).contains('e'));
    let text = |cell: &CollectedCell, digits: usize| match cell {
        CollectedCell::Number(x) if digits <= DIGITS && !(raised && *x != 0.0) => number(*x),
        CollectedCell::Number(x) if digits > DIGITS && !raised => x.to_string(),
        CollectedCell::Number(x) if *x != 0.0 => {
            let text = format!("{x:.*e}", digits - 1);
            let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            let mantissa = match mantissa.contains('.') {
                true => mantissa.trim_end_matches('0').trim_end_matches('.'),
                false => mantissa,
            };
            format!("{mantissa}e{exponent}")
        }
        other => other.to_string(),
    };
    let with = |digits: usize| cells.iter().map(|cell| text(cell, digits)).collect::<Vec<String>>();
    let differ = |texts: &Vec<String>| {
        let mut sorted = texts.clone();
        sorted.sort();
        sorted.dedup();
        sorted.len() == texts.len()
    };
    (DIGITS..17).map(with).find(differ).unwrap_or_else(|| with(17))
}

/// An axis, logarithmic as `forced`, else if its positive values, and all values unless some may
/// be `below`, are far apart.
pub(super) fn axis(
    label: &str,
    values: impl Iterator<Item = f64>,
    forced: Option<bool>,
    below: bool,
) -> PlotAxis {
    let (least, most) = values
        .filter(|x| x.is_finite() && (!below || *x > 0.0))
        .fold((f64::INFINITY, 0.0), |(a, b), x| (smaller(a, x), larger(b, x)));
    match forced.unwrap_or(least > 0.0 && most > DECADES * least) {
        true => PlotAxis::logarithmic(label),
        false => PlotAxis::linear(label),
    }
}
