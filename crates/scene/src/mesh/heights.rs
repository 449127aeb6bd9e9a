//! Grids of heights as text: one row a line, numbers separated by commas, semicolons or blanks.

use super::MeshError;
use super::text::{Text, TextLine, quoted};
use stiction_core::contact::collider::heightfield::MOST;

/// A grid of heights.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Heights {
    /// Number of heights in a row.
    pub columns: usize,
    /// All heights \[m\], row by row.
    pub heights: Vec<f64>,
}

/// Reads the heights of a text held in memory; `name` is the file's name.
///
/// Empty lines and text after a `#` are skipped. All rows have the same length; at least two rows
/// of at least two heights are required.
pub fn parse_heights(name: &str, bytes: &[u8]) -> Result<Heights, MeshError> {
    read(bytes).map_err(|error| error.in_file(name))
}

fn read(bytes: &[u8]) -> Result<Heights, MeshError> {
    if bytes.contains(&0) {
        return Err(MeshError::line(
            1,
            "binary content, not a text of numbers",
            "save the heights as plain text, one row a line",
        ));
    }
    let mut text = Text::new(bytes);
    let mut found = Heights::default();
    let mut first = 0;
    while let Some(line) = text.next_filled_line() {
        let before = found.heights.len();
        row(line, &mut found.heights)?;
        let columns = found.heights.len() - before;
        if columns == 0 {
            continue;
        }
        if found.heights.len() > MOST {
            return Err(MeshError::line(
                line.number,
                format!("more than {MOST} heights, the most that are read"),
                "make a coarser grid, or several colliders",
            ));
        }
        if before == 0 {
            (found.columns, first) = (columns, line.number);
        } else if columns != found.columns {
            return Err(line.wrong(format!(
                "this row has {columns} heights, the first one in line {first} has {}",
                found.columns
            )));
        }
    }
    let rows = found.heights.len() / found.columns.max(1);
    if found.columns < 2 || rows < 2 {
        return Err(MeshError::line(
            text.last_line(),
            format!("{rows} rows of {} heights span no ground", found.columns),
            "give at least two rows, one a line, of at least two numbers each",
        ));
    }
    Ok(found)
}

/// Reads the numbers of a line.
fn row(line: TextLine, heights: &mut Vec<f64>) -> Result<(), MeshError> {
    let end = line.text.iter().position(|&b| b == b'#').unwrap_or(line.text.len());
    let text = line.text[..end].trim_ascii();
    if text.is_empty() {
        return Ok(());
    }
    let listed = text.iter().any(|b| matches!(b, b',' | b';'));
    // in a list, a number missing between two commas is a fault
    let parts: Vec<&[u8]> = if listed {
        let text = text.strip_suffix(b",").or(text.strip_suffix(b";")).unwrap_or(text);
        text.split(|b| matches!(b, b',' | b';')).map(<[u8]>::trim_ascii).collect()
    } else {
        text.split(u8::is_ascii_whitespace).filter(|part| !part.is_empty()).collect()
    };
    for (column, part) in parts.into_iter().enumerate() {
        let mut words = TextLine { text: part, number: line.number }.words();
        let (Some(word), None) = (words.next(), words.next()) else {
            return Err(line.wrong(format!(
                "column {}: expected a number, found {}",
                column + 1,
                quoted(part)
            )));
        };
        let height = word.coordinate(format_args!("column {}", column + 1));
        // the column was counted within the part, not within the line
        heights.push(height.map_err(|error| MeshError { column: None, ..error })?);
    }
    Ok(())
}
