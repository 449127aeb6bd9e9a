//! Logs as one table, with a row per body or contact and time; the column `record` distinguishes
//! bodies from contacts.

use crate::judge::log::{Body, Contact, Log, LogError};
use stiction_core::math::Vector;

/// A row with its place.
struct Row<'a> {
    header: &'a csv::StringRecord,
    cells: csv::StringRecord,
    line: u64,
}

impl Row<'_> {
    /// A cell; none if it is empty or has no column.
    fn text(&self, column: &str) -> Option<&str> {
        let k = self.header.iter().position(|name| name.trim() == column)?;
        self.cells.get(k).map(str::trim).filter(|text| !text.is_empty())
    }

    fn number(&self, column: &str) -> Result<Option<f64>, LogError> {
        let Some(text) = self.text(column) else { return Ok(None) };
        let wrong =
            |_| LogError(format!("line {}, column `{column}`: `{text}` is no number", self.line));
        text.parse().map(Some).map_err(wrong)
    }

    fn needed(&self, column: &str) -> Result<f64, LogError> {
        let lacking =
            || LogError(format!("line {}: the column `{column}` is empty or missing", self.line));
        self.number(column)?.ok_or_else(lacking)
    }

    /// Three columns, either all filled or none.
    fn vector(&self, columns: [&str; 3]) -> Result<Option<Vector>, LogError> {
        let mut cells = [None; 3];
        for (cell, column) in cells.iter_mut().zip(columns) {
            *cell = self.number(column)?;
        }
        match cells {
            [Some(x), Some(y), Some(z)] => Ok(Some(Vector::new(x, y, z))),
            [None, None, None] => Ok(None),
            _ => Err(LogError(format!(
                "line {}: {} need all three or none",
                self.line,
                columns.join(", ")
            ))),
        }
    }
}

/// Vectors of a body, in all of its rows or in none; moments of inertia count as in its last row.
const VECTORS: [(&str, [&str; 3]); 4] = [
    ("velocity", ["vx", "vy", "vz"]),
    ("spin", ["wx", "wy", "wz"]),
    ("applied force", ["ax", "ay", "az"]),
    ("moments of inertia", ["ix", "iy", "iz"]),
];

/// Reads a log.
pub fn read(bytes: &[u8]) -> Result<Log, LogError> {
    let mut log = Log::default();
    let text = std::str::from_utf8(bytes).map_err(|error| LogError(error.to_string()))?;
    for line in text.lines().filter_map(|line| line.strip_prefix('#')) {
        if let Some((key, value)) = line.split_once('=') {
            take(&mut log, key.trim(), value.trim())?;
        }
    }
    let mut reader =
        csv::ReaderBuilder::new().comment(Some(b'#')).flexible(true).from_reader(bytes);
    let fail = |error: csv::Error| LogError(error.to_string());
    let header = reader.headers().map_err(fail)?.clone();
    for record in reader.records() {
        let cells = record.map_err(fail)?;
        let line = cells.position().map_or(0, csv::Position::line);
        let row = Row { header: &header, cells, line };
        match row.text("record") {
            Some("body") => add_body(&mut log, &row)?,
            Some("contact") => add_contact(&mut log, &row)?,
            other => {
                let found = other.unwrap_or("nothing");
                return Err(LogError(format!(
                    "line {line}: the column `record` has {found}, `body` or `contact` is needed"
                )));
            }
        }
    }
    if let Some(frames) = &mut log.contacts {
        frames.resize(log.time.len(), Vec::new());
    }
    Ok(log)
}

/// Reads a line `# key = value` before the table.
fn take(log: &mut Log, key: &str, value: &str) -> Result<(), LogError> {
    let wrong = || LogError(format!("# {key} = {value}: a number is needed, of gravity three"));
    let numbers = || {
        value
            .split(',')
            .map(|x| x.trim().parse().map_err(|_| wrong()))
            .collect::<Result<Vec<f64>, _>>()
    };
    match key {
        "gravity" => {
            let numbers = numbers()?;
            log.gravity = Some(Vector::from_column_slice(numbers.get(..3).ok_or_else(wrong)?));
        }
        "step" => log.step = Some(*numbers()?.first().ok_or_else(wrong)?),
        "engine" => log.engine = value.into(),
        _ => {}
    }
    Ok(())
}

/// The frame of a time: the last one, or a new one.
fn frame(log: &mut Log, time: f64) -> usize {
    if log.time.last() != Some(&time) {
        log.time.push(time);
    }
    log.time.len() - 1
}

fn add_body(log: &mut Log, row: &Row) -> Result<(), LogError> {
    let k = frame(log, row.needed("time")?);
    let name = row.text("body").unwrap_or("body");
    let n = log.bodies.iter().position(|body| body.name == name).unwrap_or(log.bodies.len());
    if n == log.bodies.len() {
        log.bodies.push(Body { name: name.into(), mass: row.needed("mass")?, ..Body::default() });
    }
    let body = &mut log.bodies[n];
    if body.position.len() != k {
        return Err(LogError(format!(
            "line {}: {name} has {} rows before, and time has {k}",
            row.line,
            body.position.len()
        )));
    }
    body.position.push(Vector::new(row.needed("x")?, row.needed("y")?, row.needed("z")?));
    let [velocity, spin, applied, inertia] =
        VECTORS.map(|(what, columns)| (what, row.vector(columns)));
    body.inertia = inertia.1?;
    for (column, (what, value)) in
        [(&mut body.velocity, velocity), (&mut body.spin, spin), (&mut body.applied, applied)]
    {
        match (value?, column.as_mut()) {
            (Some(value), Some(column)) => column.push(value),
            (Some(value), None) if k == 0 => *column = Some(vec![value]),
            (None, None) => {}
            _ => {
                return Err(LogError(format!(
                    "line {}: the {what} of {name} is in some rows only",
                    row.line
                )));
            }
        }
    }
    if let (Some(w), Some(v)) = (row.number("qw")?, row.vector(["qx", "qy", "qz"])?) {
        body.orientation.get_or_insert_default().push([w, v.x, v.y, v.z]);
    }
    Ok(())
}

fn add_contact(log: &mut Log, row: &Row) -> Result<(), LogError> {
    let k = frame(log, row.needed("time")?);
    let named = |log: &Log, column: &str| -> Result<Option<usize>, LogError> {
        let Some(name) = row.text(column) else { return Ok(None) };
        let found = log.bodies.iter().position(|body| body.name == name);
        let unknown = || LogError(format!("line {}: no body before is called `{name}`", row.line));
        found.map(Some).ok_or_else(unknown)
    };
    let lacking = |what: &str| LogError(format!("line {}: {what} lack", row.line));
    let contact = Contact {
        body: named(log, "body")?.unwrap_or(0),
        other: named(log, "other")?,
        normal: row.vector(["nx", "ny", "nz"])?.ok_or_else(|| lacking("nx, ny, nz"))?,
        normal_force: row.needed("normal_force")?,
        friction: row.vector(["fx", "fy", "fz"])?,
        static_friction: row.number("mu")?,
        kinetic_friction: row.number("mu_kinetic")?,
        slip: row.vector(["sx", "sy", "sz"])?,
        point: row.vector(["px", "py", "pz"])?,
    };
    let frames = log.contacts.get_or_insert_default();
    frames.resize(frames.len().max(k + 1), Vec::new());
    frames[k].push(contact);
    Ok(())
}
