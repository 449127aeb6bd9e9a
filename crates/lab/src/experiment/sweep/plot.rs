//! The results of a sweep as a picture: a heat map over two keys, or lines over one.

mod cells;
mod drawing;
mod held;
mod lines;
mod omitted;
mod request;

use super::collect::{CollectedCell, CollectedColumn, CollectedTable};
use super::grid;
use super::means::PointMeans;
use super::symbols::KeyNames;
use crate::output::plots::figure::picture::Picture;
use drawing::SweepDrawing;
pub use request::Request;

/// A picture, and what its reader should know beside it, a sentence each.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepPicture {
    /// The picture.
    pub picture: Picture,
    /// The sentences.
    pub remarks: Vec<String>,
}

/// Draws a table over some axes of its sweep; on failure, the reason in a sentence.
pub fn picture(
    table: &CollectedTable,
    axes: &[grid::SweepAxis],
    means: &PointMeans,
    request: &Request,
) -> Result<SweepPicture, String> {
    let listed = |axes: &mut dyn Iterator<Item = &grid::SweepAxis>| -> Vec<String> {
        axes.map(|axis| axis.key.clone()).collect()
    };
    let keys = listed(&mut axes.iter());
    let sampled = listed(&mut axes.iter().filter(|axis| axis.count().is_none()));
    let request = &request.in_full(&keys, table)?;
    let result = !keys.contains(&request.x);
    let scattered = result || sampled.contains(&request.x);
    check(request, &sampled, result)?;
    let value = column(table, &request.value, &keys)?;
    let lines: Result<Vec<&CollectedColumn>, String> =
        request.lines.iter().map(|name| line_column(table, name, value, &keys)).collect();
    let (rows, held) = held::held(table, request)?;
    // all sampled keys vary together: along one of them, the others need not be held
    let free = |key: &&String| result || (scattered && sampled.contains(key));
    let fixed: Vec<String> = keys.iter().filter(|key| !free(key)).cloned().collect();
    held::check_single(table, (&rows, &fixed), request)?;
    let (names, lines) = (KeyNames::of(&keys), lines?);
    let drawing =
        SweepDrawing { table, rows, request, held, value, lines, scattered, keys, names, means };
    let numbers =
        result || drawing.rows.iter().all(|row| drawing.cell(&request.x, *row).number().is_some());
    let sentences = |remark: String| (!remark.is_empty()).then_some(remark).into_iter().collect();
    if let Some(y) = &request.y {
        let map = drawing.map(Some(y));
        drawing.check_cells(&map)?;
        let remarks = sentences(map.foot.clone());
        return Ok(SweepPicture { picture: Picture::Map(Box::new(map)), remarks });
    }
    if numbers {
        let figure = drawing.figure();
        drawing.check_points(&figure)?;
        let remarks = sentences(figure.foot.clone());
        return Ok(SweepPicture { picture: Picture::Lines(figure), remarks });
    }
    if !request.panels_by.is_empty() || !request.lines.is_empty() || request.by.len() > 1 {
        return Err(format!(
            "`{}` has values that are no numbers and is drawn as a map, without panels, lines and a \
             third key: give them a key of numbers as --x",
            request.x
        ));
    }
    // texts along x: a heat map, of one row unless there is a second key
    let map = drawing.map(request.by.first().map(String::as_str));
    drawing.check_cells(&map)?;
    let mut remarks: Vec<String> = sentences(map.foot.clone());
    remarks.push(format!(
        "`{}` has values that are no numbers: this is a map in colours. For lines, give a key of \
         numbers as --x and this one as --by",
        request.x
    ));
    Ok(SweepPicture { picture: Picture::Map(Box::new(map)), remarks })
}

/// Refuses keys that cannot be drawn.
fn check(request: &Request, sampled: &[String], result: bool) -> Result<(), String> {
    let x = &request.x;
    let others: Vec<&String> = request.drawn().collect();
    let twice = others.iter().enumerate().find(|(k, key)| **key == x || others[..*k].contains(key));
    if let Some((_, key)) = twice {
        return Err(format!("`{key}` cannot be drawn both ways"));
    }
    if let Some(key) = others.iter().find(|key| sampled.contains(key)) {
        return Err(format!(
            "`{key}` was sampled and has no rows, lines or panels; draw it with --x alone"
        ));
    }
    if (result || sampled.contains(x)) && request.y.is_some() {
        let why = if result { "is a result" } else { "was sampled" };
        return Err(format!("`{x}` {why} and has no columns; leave --y out"));
    }
    if request.y.is_some() && (!request.panels_by.is_empty() || !request.lines.is_empty()) {
        return Err("--panels-by and --line are of lines; leave --y out".into());
    }
    Ok(())
}

/// The column of a reference line: of the unit of the values.
fn line_column<'t>(
    table: &'t CollectedTable,
    name: &str,
    value: &CollectedColumn,
    keys: &[String],
) -> Result<&'t CollectedColumn, String> {
    let found = column(table, name, keys)?;
    match found.unit == value.unit {
        true => Ok(found),
        false => Err(format!(
            "`{name}` is in {} and `{}` in {}: a line has the unit of the values",
            in_words(&found.unit),
            value.name,
            in_words(&value.unit)
        )),
    }
}

/// A unit in words.
fn in_words(unit: &str) -> &str {
    if matches!(unit, "" | "1") { "plain numbers" } else { unit }
}

/// The column of the requested figure.
fn column<'t>(
    table: &'t CollectedTable,
    name: &str,
    keys: &[String],
) -> Result<&'t CollectedColumn, String> {
    let numeric = |cells: &[CollectedCell]| cells.iter().any(|cell| cell.number().is_some());
    match table.column(name) {
        Some(column) if numeric(&column.cells) => Ok(column),
        Some(_) => Err(format!("`{name}` has a value in none of the jobs; run one to see why")),
        None => {
            let figures = table.columns.iter().filter(|column| {
                numeric(&column.cells) && column.name != "job" && !keys.contains(&column.name)
            });
            let names: Vec<&str> = figures.map(|column| column.name.as_str()).collect();
            Err(format!("the results have no number `{name}`; they have {}", names.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests;
