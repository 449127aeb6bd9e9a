//! Legacy VTK `.vtk` files, versions 2.0 to 5.1, ASCII.
//!
//! Source: "VTK file formats", Kitware. Only the header is line-based; everything after it is a
//! stream of words, with any line breaks. Up to version 4.2 a cell is written as its corner count
//! and corners, from 5.0 on as OFFSETS and CONNECTIVITY; the words found decide between the two.
//! Points and cells count from 0.

use super::MeshError;
use super::tets::{RawMesh, TetPlace};
use super::text::{Text, TextProgress, Word, quoted};
use stiction_core::math::Vector;

/// Corners of a cell type.
#[derive(Clone, Copy, PartialEq)]
enum Corners {
    Exactly(u64),
    AtLeast(u64),
}

/// Cell types: number, name, dimension, corners. Higher orders are listed for their names in
/// messages.
const TYPES: [(u64, &str, u8, Corners); 30] = [
    (1, "vertex", 0, Corners::Exactly(1)),
    (2, "poly-vertex", 0, Corners::AtLeast(1)),
    (3, "line", 1, Corners::Exactly(2)),
    (4, "poly-line", 1, Corners::AtLeast(2)),
    (5, "triangle", 2, Corners::Exactly(3)),
    (6, "triangle strip", 2, Corners::AtLeast(3)),
    (7, "polygon", 2, Corners::AtLeast(3)),
    (8, "pixel", 2, Corners::Exactly(4)),
    (9, "quad", 2, Corners::Exactly(4)),
    (TET, "tetrahedron", 3, Corners::Exactly(4)),
    (11, "voxel", 3, Corners::Exactly(8)),
    (12, "hexahedron", 3, Corners::Exactly(8)),
    (13, "wedge", 3, Corners::Exactly(6)),
    (14, "pyramid", 3, Corners::Exactly(5)),
    (15, "pentagonal prism", 3, Corners::Exactly(10)),
    (16, "hexagonal prism", 3, Corners::Exactly(12)),
    (21, "quadratic edge", 1, Corners::Exactly(3)),
    (22, "quadratic triangle", 2, Corners::Exactly(6)),
    (23, "quadratic quad", 2, Corners::Exactly(8)),
    (24, "quadratic tetrahedron", 3, Corners::Exactly(10)),
    (25, "quadratic hexahedron", 3, Corners::Exactly(20)),
    (26, "quadratic wedge", 3, Corners::Exactly(15)),
    (27, "quadratic pyramid", 3, Corners::Exactly(13)),
    (28, "biquadratic quad", 2, Corners::Exactly(9)),
    (29, "triquadratic hexahedron", 3, Corners::Exactly(27)),
    (34, "biquadratic triangle", 2, Corners::Exactly(7)),
    (42, "polyhedron", 3, Corners::AtLeast(4)),
    (68, "Lagrange curve", 1, Corners::AtLeast(2)),
    (69, "Lagrange triangle", 2, Corners::AtLeast(3)),
    (71, "Lagrange tetrahedron", 3, Corners::AtLeast(4)),
];

/// The four-corner tetrahedron.
const TET: u64 = 10;

/// Instructions for saving a file in a supported version.
const SAVE_AS: &str =
    "save it as an ASCII legacy VTK unstructured grid, or as Gmsh .msh (4.1, ASCII)";

/// Cells, their corners one after the other.
#[derive(Default)]
struct Cells {
    corners: Vec<u32>,
    /// Index in `corners` one past the end of each cell.
    ends: Vec<usize>,
    /// The line where each cell begins.
    lines: Vec<usize>,
}

/// Reads a file.
pub(super) fn read(bytes: &[u8]) -> Result<RawMesh, MeshError> {
    let mut text = Text::new(bytes);
    header(&mut text)?;
    let (mut points, mut cells, mut types, mut elements) = (None, None, None, 1);
    while let Some(word) = text.next_word() {
        if word.is("POINTS") {
            fresh(word, points.is_some())?;
            points = Some(read_points(&mut text)?);
        } else if word.is("CELLS") {
            fresh(word, cells.is_some())?;
            let Some(points) = &points else {
                return Err(word.wrong("CELLS comes before POINTS"));
            };
            elements = word.line;
            cells = Some(read_cells(&mut text, word, points.len() as u64)?);
        } else if word.is("CELL_TYPES") {
            fresh(word, types.is_some())?;
            let Some(cells) = &cells else {
                return Err(word.wrong("CELL_TYPES comes before CELLS"));
            };
            types = Some(read_types(&mut text, word, cells)?);
        } else if word.is("METADATA") {
            // ends at a blank line
            text.next_line();
            while text.next_line().is_some_and(|line| !line.text.trim_ascii().is_empty()) {}
        } else if word.is("FIELD") {
            skip_field(&mut text)?;
        } else if word.is("POINT_DATA") || word.is("CELL_DATA") {
            // attributes come last and are not used
            break;
        } else {
            return Err(word.wrong(format!(
                "expected POINTS, CELLS or CELL_TYPES, found {}",
                quoted(word.text)
            )));
        }
    }
    let points = points.ok_or_else(|| text.ended_before("POINTS"))?;
    let cells = cells.ok_or_else(|| text.ended_before("CELLS"))?;
    let types = types.ok_or_else(|| text.ended_before("CELL_TYPES"))?;
    Ok(tetrahedra(points, &cells, &types, elements))
}

/// Refuses a second section of the same name.
fn fresh(word: Word, seen: bool) -> Result<(), MeshError> {
    if seen {
        return Err(word.wrong(format!("a second {} section", quoted(word.text))));
    }
    Ok(())
}

/// Reads the three lines of the header and the kind of data set.
fn header(text: &mut Text) -> Result<(), MeshError> {
    let first =
        text.next_filled_line().ok_or_else(|| text.ended_before("# vtk DataFile Version"))?;
    let version =
        first.text.trim_ascii().strip_prefix(b"# vtk DataFile Version").map(<[u8]>::trim_ascii);
    let Some(version) = version else {
        return Err(MeshError::line(
            first.number,
            format!("expected `# vtk DataFile Version x.y`, found {}", quoted(first.text)),
            "a legacy VTK file begins with this line",
        ));
    };
    if !known_version(version) {
        return Err(MeshError::line(
            first.number,
            format!("VTK file version {} is not read, only 2.0 to 5.1", quoted(version)),
            SAVE_AS,
        ));
    }
    text.next_line().ok_or_else(|| text.ended_before("a title"))?;
    let format = text.next_word().ok_or_else(|| text.ended_before("ASCII or BINARY"))?;
    if !format.is("ASCII") {
        let mut error = format.wrong(if format.is("BINARY") {
            "this is a binary VTK file; only ASCII is read".to_string()
        } else {
            format!("expected ASCII or BINARY, found {}", quoted(format.text))
        });
        error.help = SAVE_AS.to_string();
        return Err(error);
    }
    let [dataset, kind] = words(text, "DATASET UNSTRUCTURED_GRID")?;
    if !dataset.is("DATASET") || !kind.is("UNSTRUCTURED_GRID") {
        let mut error = kind.wrong(format!(
            "expected DATASET UNSTRUCTURED_GRID, found {} {}",
            quoted(dataset.text),
            quoted(kind.text)
        ));
        error.help = SAVE_AS.to_string();
        return Err(error);
    }
    Ok(())
}

/// Versions 2.0 to 5.1.
fn known_version(text: &[u8]) -> bool {
    let digits = |text: &[u8]| std::str::from_utf8(text).ok()?.parse::<u8>().ok();
    let mut parts = text.splitn(2, |&b| b == b'.').map(digits);
    match (parts.next().flatten(), parts.next().flatten()) {
        (Some(2..=4), Some(_)) => true,
        (Some(5), Some(minor)) => minor <= 1,
        _ => false,
    }
}

/// The next `N` words; `what` names them in messages.
fn words<'a, const N: usize>(text: &mut Text<'a>, what: &str) -> Result<[Word<'a>; N], MeshError> {
    let mut next = || text.next_word();
    let found = [(); N].map(|()| next());
    if found.iter().any(Option::is_none) {
        return Err(text.ended_before(what));
    }
    // all words exist
    Ok(found.map(|word| word.unwrap_or_else(|| unreachable!("checked above"))))
}

/// The next word of a section of known length.
fn item<'a>(text: &mut Text<'a>, progress: TextProgress) -> Result<Word<'a>, MeshError> {
    let word = text.next_word().ok_or_else(|| text.ended(progress))?;
    if word.text.first().is_some_and(u8::is_ascii_alphabetic) && is_keyword(word) {
        return Err(word.wrong(format!(
            "{} announces {} {}, but {} comes after {}",
            progress.section,
            progress.total,
            progress.noun,
            quoted(word.text),
            progress.done
        )));
    }
    Ok(word)
}

fn is_keyword(word: Word) -> bool {
    const KEYWORDS: [&str; 8] = [
        "POINTS",
        "CELLS",
        "CELL_TYPES",
        "OFFSETS",
        "CONNECTIVITY",
        "METADATA",
        "POINT_DATA",
        "CELL_DATA",
    ];
    KEYWORDS.iter().any(|keyword| word.is(keyword))
}

/// `POINTS n type`, then 3 n numbers.
fn read_points(text: &mut Text) -> Result<Vec<Vector>, MeshError> {
    let [count, kind] = words(text, "the number and type of POINTS")?;
    let mut progress = TextProgress {
        section: "POINTS",
        noun: "points",
        done: 0,
        total: count.whole("the number of POINTS")?,
    };
    if !matches!(kind.text.to_ascii_lowercase().as_slice(), b"float" | b"double") {
        return Err(kind.wrong(format!(
            "POINTS of type {} are not read, only float and double",
            quoted(kind.text)
        )));
    }
    let mut points = Vec::with_capacity(text.room_for(progress.total, 6));
    while progress.done < progress.total {
        let mut point = Vector::zeros();
        for x in point.iter_mut() {
            *x = item(text, progress)?.coordinate(format_args!("point {}", progress.done))?;
        }
        points.push(point);
        progress.done += 1;
    }
    Ok(points)
}

/// `CELLS n size` in either version.
fn read_cells(text: &mut Text, keyword: Word, points: u64) -> Result<Cells, MeshError> {
    let [count, size] = words(text, "the number and size of CELLS")?;
    let count = count.whole("the number of CELLS")?;
    let size = size.whole("the size of CELLS")?;
    let mut progress = TextProgress { section: "CELLS", noun: "cells", done: 0, total: count };
    if count == 0 {
        return Ok(Cells::default());
    }
    // a corner count or the keyword of versions from 5.0 on
    let first = text.next_word().ok_or_else(|| text.ended(progress))?;
    if first.is("OFFSETS") {
        return read_offsets(text, keyword, (count, size), points);
    }
    let mut cells = Cells::with_room(text, count);
    let mut head = first;
    let mut numbers: u64 = 0;
    loop {
        let corners = head.whole("the number of corners of a cell")?;
        cells.lines.push(head.line);
        for _ in 0..corners {
            let word = item(text, progress)?;
            cells.corners.push(corner(word, progress.done, points)?);
        }
        cells.ends.push(cells.corners.len());
        numbers += 1 + corners;
        progress.done += 1;
        if progress.done == count {
            break;
        }
        head = item(text, progress)?;
    }
    if numbers != size {
        return Err(keyword.wrong(format!(
            "CELLS announces {size} numbers for {count} cells, but the cells hold {numbers}"
        )));
    }
    Ok(cells)
}

/// A corner of cell number `cell`.
fn corner(word: Word, cell: u64, points: u64) -> Result<u32, MeshError> {
    let index = word.whole("the number of a point")?;
    if index >= points {
        return Err(word.wrong(format!(
            "cell {cell} uses point {index}, but there are only {points} points, numbered from 0"
        )));
    }
    // no file of at most LARGEST_FILE bytes holds more points than 32 bits can number
    u32::try_from(index).map_err(|_| word.wrong(format!("point {index} is beyond 32 bits")))
}

/// `OFFSETS type`, the offsets, `CONNECTIVITY type`, the corners.
fn read_offsets(
    text: &mut Text,
    keyword: Word,
    (count, size): (u64, u64),
    points: u64,
) -> Result<Cells, MeshError> {
    words::<1>(text, "the type of OFFSETS")?;
    let mut progress = TextProgress { section: "OFFSETS", noun: "offsets", done: 0, total: count };
    let mut cells = Cells::with_room(text, count);
    let mut last = 0;
    while progress.done < count {
        let word = item(text, progress)?;
        let offset = word.whole("an offset")?;
        let grows = if progress.done == 0 { offset == 0 } else { offset >= last };
        if !grows || offset > size {
            return Err(word.wrong(format!(
                "offset {} is {offset} after {last}: offsets begin at 0, never fall, and end at the size {size}",
                progress.done
            )));
        }
        if progress.done > 0 {
            cells.ends.push(offset as usize);
        }
        last = offset;
        progress.done += 1;
    }
    if last != size {
        return Err(keyword
            .wrong(format!("CELLS announces a size of {size}, but the last offset is {last}")));
    }
    let [connectivity, _] = words(text, "CONNECTIVITY and its type")?;
    if !connectivity.is("CONNECTIVITY") {
        return Err(connectivity.wrong(format!(
            "expected CONNECTIVITY after {count} offsets, found {}",
            quoted(connectivity.text)
        )));
    }
    read_connectivity(text, &mut cells, size, points)?;
    Ok(cells)
}

/// Reads the corners of cells whose ends are known.
fn read_connectivity(
    text: &mut Text,
    cells: &mut Cells,
    size: u64,
    points: u64,
) -> Result<(), MeshError> {
    let mut progress =
        TextProgress { section: "CONNECTIVITY", noun: "numbers of cells", done: 0, total: size };
    for (cell, &end) in cells.ends.iter().enumerate() {
        let mut line = text.line_number();
        let start = cells.corners.len();
        while cells.corners.len() < end {
            let word = item(text, progress)?;
            if cells.corners.len() == start {
                line = word.line;
            }
            cells.corners.push(corner(word, cell as u64, points)?);
            progress.done += 1;
        }
        cells.lines.push(line);
    }
    Ok(())
}

/// `CELL_TYPES n`, then n types, each fitting its cell.
fn read_types(text: &mut Text, keyword: Word, cells: &Cells) -> Result<Vec<u64>, MeshError> {
    let [count] = words(text, "the number of CELL_TYPES")?;
    let mut progress = TextProgress {
        section: "CELL_TYPES",
        noun: "types",
        done: 0,
        total: count.whole("the number of CELL_TYPES")?,
    };
    if progress.total != cells.ends.len() as u64 {
        return Err(keyword.wrong(format!(
            "CELL_TYPES announces {} types for {} cells",
            progress.total,
            cells.ends.len()
        )));
    }
    let mut types = Vec::with_capacity(cells.ends.len());
    for (cell, corners) in cells.sizes().enumerate() {
        let word = item(text, progress)?;
        types.push(cell_type(word, cell, corners)?);
        progress.done += 1;
    }
    Ok(types)
}

/// A known type that fits the cell's number of corners.
fn cell_type(word: Word, cell: usize, corners: u64) -> Result<u64, MeshError> {
    let number = word.whole("a cell type")?;
    if number == 0 && corners == 0 {
        return Ok(number);
    }
    let Some(&(_, name, dimension, expected)) = TYPES.iter().find(|row| row.0 == number) else {
        return Err(word.wrong(format!("cell {cell}: cell type {number} is not known")));
    };
    let mismatch = match expected {
        Corners::Exactly(n) => corners != n,
        Corners::AtLeast(n) => corners < n,
    };
    if mismatch {
        let (Corners::Exactly(n) | Corners::AtLeast(n)) = expected;
        return Err(word.wrong(format!(
            "cell {cell} is called a {name} (type {number}, {n} corners), but has {corners}"
        )));
    }
    if dimension == 3 && number != TET {
        let mut error = word.wrong(format!(
            "cell {cell} is a {name} (type {number}), which is not supported, only 4-corner tetrahedra"
        ));
        error.help = "mesh with first-order tetrahedra only".to_string();
        return Err(error);
    }
    Ok(number)
}

/// `FIELD name n`, then n arrays `name components tuples type` and their values.
fn skip_field(text: &mut Text) -> Result<(), MeshError> {
    let [_, arrays] = words(text, "the name and size of a FIELD")?;
    for _ in 0..arrays.whole("the number of arrays of a FIELD")? {
        let [_, components, tuples, kind] = words(text, "an array of a FIELD")?;
        let components = components.whole("the number of components of a FIELD array")?;
        let tuples = tuples.whole("the number of tuples of a FIELD array")?;
        if kind.is("string") {
            // the rest of this line, then one text per line
            for _ in 0..tuples.saturating_add(1) {
                text.next_line().ok_or_else(|| text.ended_before("a text of a FIELD"))?;
            }
            continue;
        }
        for _ in 0..components.saturating_mul(tuples) {
            text.next_word().ok_or_else(|| text.ended_before("a value of a FIELD"))?;
        }
    }
    Ok(())
}

/// The tetrahedra among the cells; `elements` is the line where cells begin.
fn tetrahedra(points: Vec<Vector>, cells: &Cells, types: &[u64], elements: usize) -> RawMesh {
    let mut raw = RawMesh {
        numbers: (0..points.len() as u64).collect(),
        points,
        tets: Vec::new(),
        places: Vec::new(),
        elements,
        noun: "cell",
        others: None,
    };
    let mut start = 0;
    for (cell, (&end, &kind)) in cells.ends.iter().zip(types).enumerate() {
        let corners = &cells.corners[start..end];
        start = end;
        match *corners {
            [a, b, c, d] if kind == TET => {
                raw.tets.push([a, b, c, d]);
                raw.places.push(TetPlace { number: cell as u64, line: cells.lines[cell] });
            }
            _ => {
                raw.others.get_or_insert("only points, lines or faces");
            }
        }
    }
    raw
}

impl Cells {
    fn with_room(text: &Text, count: u64) -> Self {
        let room = text.room_for(count, 2);
        Cells {
            corners: Vec::new(),
            ends: Vec::with_capacity(room),
            lines: Vec::with_capacity(room),
        }
    }

    /// Number of corners of each cell.
    fn sizes(&self) -> impl Iterator<Item = u64> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let size = end - start;
            start = end;
            size as u64
        })
    }
}
