//! Gmsh `.msh` files, versions 4.1 and 2.2, ASCII.
//!
//! Source: the Gmsh reference manual, "Gmsh mesh format". The format is line-based; node numbers
//! are arbitrary. Elements of fewer than three dimensions are skipped; volume elements other than
//! the four-node tetrahedron are refused, since a body with parts missing would be silently wrong.

mod version_22;
mod version_41;

use super::MeshError;
use super::tets::{RawMesh, TetPlace};
use super::text::{Text, TextLine, TextProgress, Word, quoted};
use stiction_core::math::Vector;

/// Element types: number, name, dimension, nodes. Higher orders are known in order to be named.
const TYPES: [(u64, &str, u8, usize); 37] = [
    (1, "line", 1, 2),
    (2, "triangle", 2, 3),
    (3, "quadrangle", 2, 4),
    (TET, "tetrahedron", 3, 4),
    (5, "hexahedron", 3, 8),
    (6, "prism", 3, 6),
    (7, "pyramid", 3, 5),
    (8, "3-node line", 1, 3),
    (9, "6-node triangle", 2, 6),
    (10, "9-node quadrangle", 2, 9),
    (11, "10-node tetrahedron", 3, 10),
    (12, "27-node hexahedron", 3, 27),
    (13, "18-node prism", 3, 18),
    (14, "14-node pyramid", 3, 14),
    (15, "point", 0, 1),
    (16, "8-node quadrangle", 2, 8),
    (17, "20-node hexahedron", 3, 20),
    (18, "15-node prism", 3, 15),
    (19, "13-node pyramid", 3, 13),
    (20, "9-node triangle", 2, 9),
    (21, "10-node triangle", 2, 10),
    (22, "12-node triangle", 2, 12),
    (23, "15-node triangle", 2, 15),
    (24, "15-node triangle", 2, 15),
    (25, "21-node triangle", 2, 21),
    (26, "4-node line", 1, 4),
    (27, "5-node line", 1, 5),
    (28, "6-node line", 1, 6),
    (29, "20-node tetrahedron", 3, 20),
    (30, "35-node tetrahedron", 3, 35),
    (31, "56-node tetrahedron", 3, 56),
    (36, "16-node quadrangle", 2, 16),
    (37, "25-node quadrangle", 2, 25),
    (38, "36-node quadrangle", 2, 36),
    (92, "64-node hexahedron", 3, 64),
    (93, "125-node hexahedron", 3, 125),
    (90, "40-node prism", 3, 40),
];

/// The four-node tetrahedron.
const TET: u64 = 4;

/// Instructions for getting a file that this reader takes.
const SAVE_AS: &str = "save it as ASCII 4.1: gmsh FILE -save -format msh41 -o NEW.msh";

/// A version this reader takes.
#[derive(Clone, Copy, PartialEq)]
enum Version {
    V22,
    V41,
}

/// Number, line and position of a node.
type GmshNode = (u64, usize, Vector);

/// The index of each node number, sorted by number.
type NodeIndex = Vec<(u64, u32)>;

struct GmshReader<'a> {
    text: Text<'a>,
    version: Version,
    nodes: Option<Vec<GmshNode>>,
    /// GmshNode numbers and place of each tetrahedron.
    tets: Option<Vec<([u64; 4], TetPlace)>>,
    others: Option<&'static str>,
    /// Line of $Elements.
    elements: usize,
}

/// Reads a file.
pub(super) fn read(bytes: &[u8]) -> Result<RawMesh, MeshError> {
    let mut text = Text::new(bytes);
    let version = header(&mut text)?;
    let mut reader =
        GmshReader { text, version, nodes: None, tets: None, others: None, elements: 1 };
    while let Some(line) = reader.text.next_filled_line() {
        reader.section(line)?;
    }
    let Some(nodes) = reader.nodes else {
        return Err(reader.text.ended_before("$Nodes"));
    };
    let Some(tets) = reader.tets else {
        return Err(reader.text.ended_before("$Elements"));
    };
    let numbers = nodes.iter().map(|node| node.0).collect();
    let (points, index) = numbered(nodes)?;
    let mut raw = RawMesh {
        points,
        numbers,
        tets: Vec::with_capacity(tets.len()),
        places: Vec::with_capacity(tets.len()),
        elements: reader.elements,
        noun: "element",
        others: reader.others,
    };
    for (numbers, place) in tets {
        let mut tet = [0; 4];
        for (corner, number) in tet.iter_mut().zip(numbers) {
            *corner = find(&index, number).ok_or_else(|| unknown_node(place, number))?;
        }
        raw.tets.push(tet);
        raw.places.push(place);
    }
    Ok(raw)
}

fn unknown_node(place: TetPlace, number: u64) -> MeshError {
    MeshError::line(
        place.line,
        format!("element {} uses node {number}, which $Nodes does not list", place.number),
        "the file is damaged or was edited by hand: save the mesh again",
    )
}

/// `$MeshFormat`, its one line and its end.
fn header(text: &mut Text) -> Result<Version, MeshError> {
    let first = text.next_filled_line().ok_or_else(|| text.ended_before("$MeshFormat"))?;
    let begin = first.text.trim_ascii();
    if begin == b"$NOD" {
        return Err(MeshError::line(
            first.number,
            "Gmsh format version 1 ($NOD) is not read, only 4.1 and 2.2",
            SAVE_AS,
        ));
    }
    if begin != b"$MeshFormat" {
        return Err(MeshError::line(
            first.number,
            format!("expected $MeshFormat, found {}", quoted(begin)),
            "a Gmsh .msh file begins with $MeshFormat: remove what stands before it",
        ));
    }
    let line = text.next_filled_line().ok_or_else(|| text.ended_before("the format version"))?;
    let [version, kind, _size] = line.exactly("format version, file type and data size")?;
    let version = match version.text {
        b"4.1" => Version::V41,
        b"2.2" => Version::V22,
        other => {
            let shown = quoted(other);
            let mut error =
                version.wrong(format!("Gmsh format version {shown} is not read, only 4.1 and 2.2"));
            error.help = SAVE_AS.to_string();
            return Err(error);
        }
    };
    if kind.text != b"0" {
        let mut error = kind.wrong("this is a binary Gmsh file; only ASCII is read");
        error.help = SAVE_AS.to_string();
        return Err(error);
    }
    let end = text.next_filled_line().ok_or_else(|| text.ended_before("$EndMeshFormat"))?;
    if end.text.trim_ascii() != b"$EndMeshFormat" {
        return Err(
            end.wrong(format!("expected $EndMeshFormat, found {}", quoted(end.text.trim_ascii())))
        );
    }
    Ok(version)
}

/// Points by index, and the index of each node number.
fn numbered(nodes: Vec<GmshNode>) -> Result<(Vec<Vector>, NodeIndex), MeshError> {
    let mut index: NodeIndex =
        nodes.iter().enumerate().map(|(i, node)| (node.0, i as u32)).collect();
    index.sort_unstable();
    for pair in index.windows(2) {
        if pair[0].0 == pair[1].0 {
            let [first, again] = [pair[0], pair[1]].map(|(_, i)| nodes[i as usize].1);
            return Err(MeshError::line(
                again,
                format!("node {} is listed twice, already at line {first}", pair[0].0),
                "every node needs its own number",
            ));
        }
    }
    Ok((nodes.into_iter().map(|node| node.2).collect(), index))
}

/// The index of a node number.
fn find(index: &[(u64, u32)], number: u64) -> Option<u32> {
    // numbers usually run without gaps
    let guess = number.checked_sub(index.first()?.0)?;
    let at_guess = usize::try_from(guess).ok().and_then(|k| index.get(k));
    if let Some(&(found, i)) = at_guess
        && found == number
    {
        return Some(i);
    }
    let k = index.binary_search_by_key(&number, |entry| entry.0).ok()?;
    Some(index[k].1)
}

/// The row of an element type.
fn element_type(word: Word) -> Result<(u64, &'static str, u8, usize), MeshError> {
    let number = word.whole("an element type")?;
    let row = TYPES.iter().find(|row| row.0 == number);
    let Some(&(_, name, dimension, nodes)) = row else {
        return Err(word.wrong(format!("element type {number} is not known")));
    };
    if dimension == 3 && number != TET {
        let mut error = word.wrong(format!(
            "{name} (type {number}) elements are not supported, only 4-node tetrahedra"
        ));
        error.help =
            "mesh with first-order tetrahedra only (no recombination, Mesh.ElementOrder = 1)"
                .to_string();
        return Err(error);
    }
    Ok((number, name, dimension, nodes))
}

impl<'a> GmshReader<'a> {
    /// One section, from the line that opens it.
    fn section(&mut self, line: TextLine) -> Result<(), MeshError> {
        let name = line.text.trim_ascii();
        if !name.starts_with(b"$") {
            return Err(
                line.wrong(format!("expected a section such as $Nodes, found {}", quoted(name)))
            );
        }
        match (name, self.version) {
            (b"$Nodes", _) if self.nodes.is_some() => Err(line.wrong("a second $Nodes section")),
            (b"$Elements", _) if self.tets.is_some() => {
                Err(line.wrong("a second $Elements section"))
            }
            (b"$Nodes", Version::V22) => self.nodes_22(),
            (b"$Nodes", Version::V41) => self.nodes_41(),
            (b"$Elements", version) => {
                self.elements = line.number;
                match version {
                    Version::V22 => self.elements_22(),
                    Version::V41 => self.elements_41(),
                }
            }
            _ => self.skip(name, line.number),
        }
    }

    /// Passes over a section of no interest.
    fn skip(&mut self, name: &[u8], opened: usize) -> Result<(), MeshError> {
        let end = [b"$End", &name[1..]].concat();
        while let Some(line) = self.text.next_line() {
            if line.text.trim_ascii() == end {
                return Ok(());
            }
        }
        Err(MeshError::line(
            opened,
            format!(
                "section {} is never closed: {} is missing before the end of file",
                quoted(name),
                quoted(&end)
            ),
            "the file is damaged or truncated: copy or save it again",
        ))
    }

    /// The next line of a section; an error if the section ends early.
    fn row(&mut self, progress: TextProgress) -> Result<TextLine<'a>, MeshError> {
        let line = self.text.next_filled_line().ok_or_else(|| self.text.ended(progress))?;
        let found = line.text.trim_ascii();
        if found.starts_with(b"$") {
            let TextProgress { section, noun, done, total } = progress;
            return Err(line.wrong(format!(
                "{section} announces {total} {noun}, but {} comes after {done}",
                quoted(found)
            )));
        }
        Ok(line)
    }

    /// The line that closes a section.
    fn end(&mut self, expected: &str, progress: TextProgress) -> Result<(), MeshError> {
        let line = self.text.next_filled_line().ok_or_else(|| self.text.ended_before(expected))?;
        let found = line.text.trim_ascii();
        if found == expected.as_bytes() {
            return Ok(());
        }
        Err(line.wrong(format!(
            "{} announces {} {}, then {expected} is expected, found {}",
            progress.section,
            progress.total,
            progress.noun,
            quoted(found)
        )))
    }

    /// The node numbers of one element; kept if it is a tetrahedron.
    fn element<'w>(
        &mut self,
        tets: &mut Vec<([u64; 4], TetPlace)>,
        (kind, name, corners): (u64, &'static str, usize),
        number: u64,
        line: TextLine,
        words: impl Iterator<Item = Word<'w>>,
    ) -> Result<(), MeshError> {
        let mut numbers = [0; 4];
        let mut count = 0;
        for word in words {
            let node = word.whole("a node number")?;
            if let Some(slot) = numbers.get_mut(count) {
                *slot = node;
            }
            count += 1;
        }
        if count != corners {
            return Err(line.wrong(format!(
                "in $Elements, element {number} is a {name}: expected {corners} nodes, found {count}"
            )));
        }
        if kind == TET {
            let place = TetPlace { number, line: line.number };
            tets.push((numbers, place));
        } else {
            self.others.get_or_insert(match name {
                "triangle" => "only a surface of triangles",
                _ => "only points, lines or faces",
            });
        }
        Ok(())
    }
}

impl TextProgress {
    fn of(section: &'static str, noun: &'static str) -> Self {
        TextProgress { section, noun, done: 0, total: 0 }
    }

    /// Progress in blocks of the section.
    fn of_blocks(self, done: u64, total: u64) -> Self {
        TextProgress { noun: "blocks", done, total, ..self }
    }
}

fn position(number: u64, [x, y, z]: [Word; 3]) -> Result<Vector, MeshError> {
    let coordinate = |word: Word| word.coordinate(format_args!("node {number}"));
    Ok(Vector::new(coordinate(x)?, coordinate(y)?, coordinate(z)?))
}
