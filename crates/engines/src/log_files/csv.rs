//! Logs as one table, with a row per body or contact and time; the column `record` distinguishes
//! bodies from contacts. Without that column all rows are of bodies.

use super::check_rows;
use crate::judge::log::{BODIES, Body, Contact, Log, LogError};
use std::collections::{BTreeSet, HashMap};
use std::io::{BufRead, BufReader, Read};
use stiction_core::math::Vector;

/// Longest line before the table \[bytes\].
const LONGEST: u64 = 1 << 16;
/// Longest line of the table \[bytes\].
const WIDEST: usize = 1 << 20;

/// A file whose lines are bounded, so that one of them does not take all memory.
struct Lines<R> {
    file: R,
    /// bytes of the last line so far
    column: usize,
}

impl<R: Read> Read for Lines<R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let read = self.file.read(into)?;
        for line in into[..read].split_inclusive(|byte| *byte == b'\n') {
            self.column += line.len();
            if self.column > WIDEST {
                let message = format!("a line has more than {WIDEST} bytes, the most that is read");
                return Err(std::io::Error::other(message));
            }
            if line.ends_with(b"\n") {
                self.column = 0;
            }
        }
        Ok(read)
    }
}

/// A row with its place.
struct Row<'a> {
    /// place of each column
    header: &'a HashMap<String, usize>,
    cells: csv::StringRecord,
    line: u64,
}

impl Row<'_> {
    /// A cell; none if it is empty or has no column.
    fn text(&self, column: &str) -> Option<&str> {
        let k = self.header.get(column)?;
        self.cells.get(*k).map(str::trim).filter(|text| !text.is_empty())
    }

    fn has(&self, column: &str) -> bool {
        self.header.contains_key(column)
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

/// The place of a vector of a body.
type Place = fn(&mut Body) -> &mut Option<Vec<Vector>>;

/// Vectors of a body, in all of its rows or in none.
const VECTORS: [(&str, [&str; 3], Place); 6] = [
    ("velocity", ["vx", "vy", "vz"], |b| &mut b.velocity),
    ("spin", ["wx", "wy", "wz"], |b| &mut b.spin),
    ("applied force", ["ax", "ay", "az"], |b| &mut b.applied),
    ("applied torque", ["tx", "ty", "tz"], |b| &mut b.applied_torque),
    ("reaction of joints", ["rx", "ry", "rz"], |b| &mut b.reaction),
    ("torque of joints", ["rtx", "rty", "rtz"], |b| &mut b.reaction_torque),
];

/// All further columns.
const COLUMNS: [&str; 36] = [
    "record",
    "time",
    "t",
    "body",
    "mass",
    "x",
    "y",
    "z",
    "qw",
    "qx",
    "qy",
    "qz",
    "ix",
    "iy",
    "iz",
    "other",
    "nx",
    "ny",
    "nz",
    "normal_force",
    "fx",
    "fy",
    "fz",
    "mu",
    "mu_kinetic",
    "sx",
    "sy",
    "sz",
    "px",
    "py",
    "pz",
    "mx",
    "my",
    "mz",
    "frame",
    "step",
];

/// Reads a log; `mass` is that of bodies for which the table has none \[kg\], 1 in a table without the column
/// `record`.
pub(super) fn read(file: impl Read, mass: Option<f64>) -> Result<Log, LogError> {
    let mut log = Log::default();
    let mut lines = BufReader::new(Lines { file, column: 0 });
    let (first, skipped) = comments(&mut log, &mut lines)?;
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .delimiter(delimiter(&first))
        .flexible(true)
        .from_reader(first.as_bytes().chain(lines));
    let fail = |error: csv::Error| LogError(error.to_string());
    let header = reader.headers().map_err(fail)?.clone();
    let known = |name: &str| {
        COLUMNS.contains(&name) || VECTORS.iter().any(|(_, columns, _)| columns.contains(&name))
    };
    let names = header.iter().map(str::trim);
    log.unread = names.filter(|name| !known(name)).map(String::from).collect();
    let mut seen = BTreeSet::new();
    if let Some(twice) = header.iter().map(str::trim).find(|name| !seen.insert(*name)) {
        return Err(LogError(format!("the column `{twice}` is there twice")));
    }
    let columns = header.iter().enumerate().map(|(k, name)| (name.trim().to_string(), k));
    let header: HashMap<String, usize> = columns.collect();
    let touches = header.contains_key("nx");
    let plain = !header.contains_key("record");
    let mass = mass.or(plain.then_some(1.0));
    let mut names = HashMap::new();
    for (rows, record) in reader.records().enumerate() {
        let cells = record.map_err(fail)?;
        check_rows(rows + 1)?;
        let line = skipped + cells.position().map_or(0, csv::Position::line);
        if cells.iter().any(|cell| cell.contains('\n')) {
            return Err(LogError(format!("line {line}: a quotation mark is not closed")));
        }
        let row = Row { header: &header, cells, line };
        match row.text("record") {
            None if plain => add_body(&mut log, &mut names, &row, mass)?,
            Some("body") => add_body(&mut log, &mut names, &row, mass)?,
            Some("contact") => add_contact(&mut log, &names, &row)?,
            other => {
                let found = other.unwrap_or("nothing");
                return Err(LogError(format!(
                    "line {line}: the column `record` has {found}, `body` or `contact` is needed"
                )));
            }
        }
    }
    // columns of contacts without a contact: nothing touches
    if touches && !plain {
        log.contacts.get_or_insert_default();
    }
    if let Some(frames) = &mut log.contacts {
        frames.resize(log.time.len(), Vec::new());
    }
    Ok(log)
}

/// The sign between the columns of a header: a comma, or where it has none a semicolon or a tab.
fn delimiter(header: &str) -> u8 {
    let has = |sign: &&u8| header.as_bytes().contains(sign);
    b",;\t".iter().find(has).copied().unwrap_or(b',')
}

/// Reads the lines `# key = value` before the table; returns the first other line, and the number of those before.
fn comments(log: &mut Log, lines: &mut impl BufRead) -> Result<(String, u64), LogError> {
    for skipped in 0.. {
        let mut line = String::new();
        let read = lines
            .take(LONGEST)
            .read_line(&mut line)
            .map_err(|error| LogError(error.to_string()))?;
        let comment = line.trim_start_matches('\u{feff}').strip_prefix('#');
        match comment {
            Some(comment) => {
                if let Some((key, value)) = comment.split_once('=') {
                    take(log, key.trim(), value.trim())?;
                }
            }
            None if read > 0 && line.trim().is_empty() => {}
            None => return Ok((line.trim_start_matches('\u{feff}').into(), skipped)),
        }
    }
    Ok(Default::default())
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
        "step" => log.step = numbers()?.first().copied().filter(|step| *step > 0.0),
        "engine" => log.engine = value.into(),
        _ => {}
    }
    Ok(())
}

/// The frame of a time: a new one after the last, or one of before.
fn frame(log: &mut Log, row: &Row) -> Result<usize, LogError> {
    let time = match row.number("time")? {
        Some(time) => time,
        None => row.needed(if row.has("t") { "t" } else { "time" })?,
    };
    if log.time.last() == Some(&time) {
        return Ok(log.time.len() - 1);
    }
    // rows of other bodies and of contacts may stand below all rows of the first
    let before = log.time.binary_search_by(|of| of.total_cmp(&time));
    Ok(before.unwrap_or_else(|_| {
        log.time.push(time);
        log.time.len() - 1
    }))
}

fn add_body(
    log: &mut Log,
    names: &mut HashMap<String, usize>,
    row: &Row,
    mass: Option<f64>,
) -> Result<(), LogError> {
    let k = frame(log, row)?;
    let name = row.text("body").unwrap_or("body");
    let next = names.get(name).copied();
    let n = next.unwrap_or(log.bodies.len());
    if n >= BODIES {
        return Err(LogError(format!(
            "line {}: the table has more than {BODIES} bodies",
            row.line
        )));
    }
    if n == log.bodies.len() {
        names.insert(name.to_string(), n);
        let mass = match row.number("mass")?.or(mass) {
            Some(mass) => mass,
            None => row.needed("mass")?,
        };
        log.bodies.push(Body { name: name.into(), mass, ..Body::default() });
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
    body.inertia = row.vector(["ix", "iy", "iz"])?.or(body.inertia);
    for (label, columns, place) in VECTORS {
        let (value, column) = (row.vector(columns)?, place(body));
        match (value, column.as_mut()) {
            (Some(value), Some(column)) => column.push(value),
            (Some(value), None) if k == 0 => *column = Some(vec![value]),
            (None, None) => {}
            _ => {
                return Err(LogError(format!(
                    "line {}: the {label} of {name} is in some rows only",
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

fn add_contact(log: &mut Log, names: &HashMap<String, usize>, row: &Row) -> Result<(), LogError> {
    let k = frame(log, row)?;
    let named = |column: &str| -> Result<Option<usize>, LogError> {
        let Some(name) = row.text(column) else { return Ok(None) };
        if column == "other" && name == "-1" {
            return Ok(None);
        }
        let found = names.get(name).copied();
        let unknown = || LogError(format!("line {}: no body before is called `{name}`", row.line));
        found.map(Some).ok_or_else(unknown)
    };
    let lacking = |what: &str| LogError(format!("line {}: {what} lack", row.line));
    let contact = Contact {
        body: match named("body")? {
            Some(body) => body,
            None if log.bodies.len() == 1 => 0,
            None => return Err(lacking("the body of a contact")),
        },
        other: named("other")?,
        normal: row.vector(["nx", "ny", "nz"])?.ok_or_else(|| lacking("nx, ny, nz"))?,
        normal_force: row.needed("normal_force")?,
        friction: row.vector(["fx", "fy", "fz"])?,
        static_friction: row.number("mu")?,
        kinetic_friction: row.number("mu_kinetic")?,
        slip: row.vector(["sx", "sy", "sz"])?,
        point: row.vector(["px", "py", "pz"])?,
        torque: row.vector(["mx", "my", "mz"])?,
        mirrored: false,
    };
    let frames = log.contacts.get_or_insert_default();
    frames.resize(frames.len().max(k + 1), Vec::new());
    if frames[k].is_empty() {
        frames[k].reserve_exact(1);
    }
    frames[k].push(contact);
    Ok(())
}
