//! The rows of a sweep that a figure draws: those with the settings and results that are held.

use super::super::collect::{CollectedCell, CollectedTable};
use super::cells::{distinct, texts};
use super::request::Request;
use stiction_core::registry::words::LISTED;

/// Rows, and the values that are held, with the names of their columns.
type Held = (Vec<usize>, Vec<(String, CollectedCell)>);

/// The rows with all that is held, and the values that were meant.
pub(super) fn held(table: &CollectedTable, request: &Request) -> Result<Held, String> {
    let cell =
        |key: &str, row: usize| table.column(key).map_or(&CollectedCell::Empty, |c| &c.cells[row]);
    let mut rows: Vec<usize> = (0..table.rows()).collect();
    let mut meanings = Vec::new();
    for (key, value) in &request.held {
        let among = distinct(rows.iter().map(|row| cell(key, *row)));
        let meaning = meant(key, value, &among)?;
        rows.retain(|row| *cell(key, *row) == meaning);
        meanings.push((key.clone(), meaning));
    }
    Ok((rows, meanings))
}

/// Refuses keys that vary among the rows and are neither drawn nor held.
pub(super) fn check_single(
    table: &CollectedTable,
    (rows, keys): (&[usize], &[String]),
    request: &Request,
) -> Result<(), String> {
    for key in keys.iter().filter(|key| **key != request.x && !request.drawn().any(|k| k == *key)) {
        let column = table.column(key).map_or(&[][..], |column| &column.cells);
        let values = distinct(rows.iter().filter_map(|row| column.get(*row)));
        if values.len() > 1 {
            return Err(format!(
                "`{key}` has {} values among what would be drawn in one place; hold it with \
                 --where {key}={}, or draw a line for each with --by {key}",
                values.len(),
                texts(&values)[0]
            ));
        }
    }
    Ok(())
}

/// The value of a column that was typed: the equal one, else the only one that rounds to it at the
/// digits that were typed.
fn meant(key: &str, typed: &str, among: &[CollectedCell]) -> Result<CollectedCell, String> {
    let number = typed.parse::<f64>().ok();
    let equal = |cell: &&CollectedCell| match (cell, number) {
        (CollectedCell::Number(x), Some(y)) => *x == y,
        (cell, _) => cell.to_string() == typed.trim_matches('"'),
    };
    if let Some(cell) = among.iter().find(equal) {
        return Ok(cell.clone());
    }
    let rounds = |cell: &&CollectedCell| {
        let rounded = |x: f64| format!("{x:.*e}", digits(typed).saturating_sub(1)).parse().ok();
        number.is_some_and(|y| y != 0.0 && cell.number().and_then(rounded) == Some(y))
    };
    let near: Vec<CollectedCell> = among.iter().filter(rounds).cloned().collect();
    match &near[..] {
        [one] => Ok(one.clone()),
        [] => Err(format!("no job has {key} = {typed}; its values are {}", shown(among))),
        several => Err(format!(
            "{key} = {typed} may be {}: give more digits",
            shown(several).replacen(", ", " or ", usize::from(several.len() == 2))
        )),
    }
}

/// Values in words, the first of many.
fn shown(cells: &[CollectedCell]) -> String {
    let filled = cells.iter().filter(|cell| **cell != CollectedCell::Empty);
    let cells: Vec<CollectedCell> = filled.cloned().collect();
    let mut words: Vec<String> = texts(&cells).into_iter().take(LISTED).collect();
    if cells.len() > LISTED {
        words.push(format!("and {} more", cells.len() - LISTED));
    }
    words.join(", ")
}

/// Number of significant digits of a number as it was typed.
fn digits(typed: &str) -> usize {
    let mantissa = typed.split(['e', 'E']).next().unwrap_or(typed);
    let digits = mantissa.chars().filter(char::is_ascii_digit);
    digits.skip_while(|digit| *digit == '0').count().clamp(1, 17)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_means_the_only_value_that_rounds_to_it() {
        let cells = [1e-4, 3.162_277_660_168_379_4e-4, 1e-3, 1.04e-3].map(CollectedCell::Number);
        let of = |typed: &str| meant("epsilon", typed, &cells);
        for typed in ["3.16e-4", "0.000316", "3e-4", "3.1622776601683794e-4"] {
            assert_eq!(of(typed), Ok(cells[1].clone()), "{typed}");
        }
        // an equal one counts before others that round to it
        assert_eq!(of("1e-3"), Ok(cells[2].clone()));
        assert_eq!(of("1.04e-3"), Ok(cells[3].clone()));
        let error = of("3.17e-4").expect_err("no such value");
        let values = "no job has epsilon = 3.17e-4; its values are 1e-4, 3.162e-4, 1e-3, 1.04e-3";
        assert_eq!(error, values);
        let two = [1.23e-3, 1.24e-3].map(CollectedCell::Number);
        let error = meant("epsilon", "1.2e-3", &two).expect_err("two values");
        assert_eq!(error, "epsilon = 1.2e-3 may be 0.00123 or 0.00124: give more digits");
        let flags = [CollectedCell::Flag(false), CollectedCell::Flag(true)];
        assert_eq!(meant("trusted", "true", &flags), Ok(CollectedCell::Flag(true)));
    }
}
