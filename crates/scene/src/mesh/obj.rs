//! Wavefront `.obj`: vertices and faces; all other statements are skipped, and no other file is
//! opened.

use super::surface::{FacePlace, RawSurface};
use super::text::{Text, TextLine, Word, quoted};
use super::{FilePlace, MeshError};
use stiction_core::math::Vector;

/// Statements without effect on the surface. A material library may lie anywhere: it is never
/// opened.
const PASSED_OVER: [&str; 33] = [
    "vn",
    "vt",
    "vp",
    "g",
    "o",
    "s",
    "mg",
    "usemtl",
    "mtllib",
    "usemap",
    "maplib",
    "l",
    "p",
    "cstype",
    "deg",
    "bmat",
    "step",
    "curv",
    "curv2",
    "surf",
    "parm",
    "trim",
    "hole",
    "scrv",
    "sp",
    "end",
    "con",
    "bevel",
    "c_interp",
    "d_interp",
    "lod",
    "shadow_obj",
    "trace_obj",
];

/// A corner of a face; its vertex may not exist.
struct Corner {
    /// Counted from 0.
    vertex: u64,
    written: i64,
    line: usize,
}

/// Reads a file.
pub(super) fn read(bytes: &[u8]) -> Result<RawSurface, MeshError> {
    let mut text = Text::new(bytes);
    let mut raw = RawSurface::new(1, FilePlace::Line(text.last_line()));
    let mut faces: Vec<(usize, usize)> = Vec::new();
    let mut corners: Vec<Corner> = Vec::new();
    while let Some(line) = text.next_line() {
        let number = line.number;
        let words = statement(&mut text, line);
        let Some((keyword, words)) = words.split_first() else { continue };
        match keyword.text {
            b"v" => raw.vertices.push(vertex(words, *keyword, raw.vertices.len() + 1)?),
            b"f" => {
                for word in words {
                    corners.push(corner(*word, raw.vertices.len())?);
                }
                faces.push((corners.len(), number));
            }
            text if PASSED_OVER.iter().any(|known| known.as_bytes() == text) => {}
            text => {
                return Err(
                    keyword.wrong(format!("{} is no statement of an .obj file", quoted(text)))
                );
            }
        }
    }
    let mut start = 0;
    for (face, (end, line)) in faces.into_iter().enumerate() {
        let place = FacePlace::face(face + 1, FilePlace::Line(line));
        let numbers = corners[start..end].iter().map(|c| existing(c, raw.vertices.len()));
        let numbers = numbers.collect::<Result<Vec<u32>, MeshError>>()?;
        raw.add_face(&numbers, place)?;
        start = end;
    }
    Ok(raw)
}

/// The words of a line and of its continuations after a backslash, without the comment.
fn statement<'a>(text: &mut Text<'a>, first: TextLine<'a>) -> Vec<Word<'a>> {
    let mut words = Vec::new();
    let mut line = first;
    loop {
        let end = line.text.iter().position(|&b| b == b'#').unwrap_or(line.text.len());
        let whole = line.text[..end].trim_ascii_end();
        let goes_on = whole.strip_suffix(b"\\");
        words.extend(TextLine { text: goes_on.unwrap_or(whole), number: line.number }.words());
        match goes_on.and_then(|_| text.next_line()) {
            Some(next) => line = next,
            None => return words,
        }
    }
}

/// `v x y z`, optionally followed by a weight or a colour.
fn vertex(words: &[Word], keyword: Word, number: usize) -> Result<Vector, MeshError> {
    if words.len() < 3 {
        return Err(
            keyword.wrong(format!("vertex {number} has {} coordinates, expected 3", words.len()))
        );
    }
    let mut vertex = Vector::zeros();
    for (x, word) in vertex.iter_mut().zip(words) {
        *x = word.coordinate(format_args!("vertex {number}"))?;
    }
    Ok(vertex)
}

/// `v`, `v/vt`, `v//vn` or `v/vt/vn`; a negative number counts backward from the last vertex.
fn corner(word: Word, vertices: usize) -> Result<Corner, MeshError> {
    let own = word.until(b'/');
    let written = own.integer("the number of a vertex")?;
    let vertex = match written {
        0 => {
            return Err(own.wrong("vertex 0 does not exist: vertices count from 1"));
        }
        1.. => Some(written.unsigned_abs() - 1),
        ..0 => (vertices as u64).checked_sub(written.unsigned_abs()),
    };
    let Some(vertex) = vertex else { return Err(missing(written, word.line, vertices)) };
    Ok(Corner { vertex, written, line: word.line })
}

/// The number of a corner's vertex; an error if the vertex does not exist.
fn existing(corner: &Corner, vertices: usize) -> Result<u32, MeshError> {
    let known = (corner.vertex < vertices as u64).then(|| u32::try_from(corner.vertex).ok());
    known.flatten().ok_or_else(|| missing(corner.written, corner.line, vertices))
}

fn missing(written: i64, line: usize, vertices: usize) -> MeshError {
    MeshError::line(
        line,
        format!("the face uses vertex {written}, but there are only {vertices} vertices"),
        "the file is damaged or truncated: save the mesh again",
    )
}
