//! `.stl`, ASCII and binary. Triangles share no vertices in these files; vertices at the same place
//! are joined afterwards.

use super::surface::{FacePlace, RawSurface};
use super::text::{Text, Word, quoted};
use super::{FilePlace, MeshError};
use stiction_core::math::Vector;

/// Length of the header of a binary file, number of triangles included \[bytes\].
const HEADER: usize = 84;
/// Offset of the number of triangles \[bytes\].
const COUNT: usize = 80;
/// Length of a triangle: a normal, three corners, 16 bits of attributes \[bytes\].
const TRIANGLE: usize = 50;

/// Reads a file. Its size decides whether it is binary, since binary headers may begin with
/// `solid`.
pub(super) fn read(bytes: &[u8]) -> Result<RawSurface, MeshError> {
    let announced = bytes
        .get(COUNT..HEADER)
        .map(|count| count.iter().rev().fold(0u64, |n, &byte| n << 8 | u64::from(byte)));
    let fits = |count: u64| bytes.len() as u64 == HEADER as u64 + TRIANGLE as u64 * count;
    if let Some(count) = announced.filter(|&count| fits(count)) {
        return binary(bytes, count);
    }
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let solid = text.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    if solid && !bytes.contains(&0) {
        return ascii(bytes);
    }
    let is_text = |b: &u8| !b.is_ascii_control() || b.is_ascii_whitespace();
    let binary = announced.filter(|_| !bytes.iter().all(is_text));
    let Some(count) = binary else {
        let place = if bytes.contains(&0) { FilePlace::Byte(0) } else { FilePlace::Line(1) };
        return Err(MeshError::at(
            place,
            format!(
                "neither an ASCII .stl file, which begins with `solid`, nor a binary one, which is at least {HEADER} bytes long; this one has {}",
                bytes.len()
            ),
            "save the mesh as .stl again",
        ));
    };
    Err(MeshError::at(
        FilePlace::Byte(COUNT),
        format!(
            "the header of this binary .stl file announces {count} triangles, which take {} bytes, but the file has {} bytes, room for {} triangles",
            HEADER as u64 + TRIANGLE as u64 * count,
            bytes.len(),
            (bytes.len() - HEADER) / TRIANGLE
        ),
        "the file is truncated or damaged: copy or save it again",
    ))
}

/// Reads a binary file, whose size fits the number of triangles.
fn binary(bytes: &[u8], count: u64) -> Result<RawSurface, MeshError> {
    let mut raw = RawSurface::new(0, FilePlace::Byte(COUNT));
    // the count fits the size of the file, which is below LARGEST_FILE
    raw.vertices.reserve_exact(3 * count as usize);
    let (triangles, _) = bytes[HEADER..].as_chunks::<TRIANGLE>();
    for (t, triangle) in triangles.iter().enumerate() {
        let (numbers, _) = triangle.as_chunks::<4>();
        let corners = &numbers[3..12];
        for (k, corner) in corners.chunks_exact(3).enumerate() {
            let mut vertex = Vector::zeros();
            for (axis, (x, number)) in vertex.iter_mut().zip(corner).enumerate() {
                *x = f64::from(f32::from_le_bytes(*number));
                // the range of f32 exceeds that of coordinates in a scene
                if !x.is_finite() || x.abs() > 1e15 {
                    let at = HEADER + TRIANGLE * t + 12 + 12 * k + 4 * axis;
                    let place = FacePlace::face(t + 1, FilePlace::Byte(at));
                    return Err(place.wrong(format!(
                        "has the coordinate {x:e} at byte {at}, which is not finite or beyond ±1e15"
                    )));
                }
            }
            raw.vertices.push(vertex);
        }
        let at = FilePlace::Byte(HEADER + TRIANGLE * t);
        add_last(&mut raw, FacePlace::face(t + 1, at))?;
    }
    Ok(raw)
}

/// Adds the triangle of the last three vertices.
fn add_last(raw: &mut RawSurface, place: FacePlace) -> Result<(), MeshError> {
    // at most LARGEST_FILE bytes, so the number fits
    let end = raw.vertices.len() as u32;
    raw.add_face(&[end - 3, end - 2, end - 1], place)
}

/// `solid NAME`, facets, `endsolid NAME`, once or several times.
fn ascii(bytes: &[u8]) -> Result<RawSurface, MeshError> {
    let mut text = Text::new(bytes);
    let mut raw = RawSurface::new(0, FilePlace::Line(text.last_line()));
    while let Some(word) = text.next_word() {
        expected(word, "solid")?;
        text.next_line();
        loop {
            let word = next(&mut text, "`facet` or `endsolid`")?;
            if word.is("endsolid") {
                text.next_line();
                break;
            }
            expected(word, "facet")?;
            facet(&mut text, &mut raw, word.line)?;
        }
    }
    Ok(raw)
}

/// `normal nx ny nz outer loop`, three times `vertex x y z`, `endloop endfacet`.
fn facet(text: &mut Text, raw: &mut RawSurface, line: usize) -> Result<(), MeshError> {
    keyword(text, "normal")?;
    for _ in 0..3 {
        // the order of the corners determines the normal; the written one may be nan
        next(text, "a component of the normal")?;
    }
    keyword(text, "outer")?;
    keyword(text, "loop")?;
    for _ in 0..3 {
        keyword(text, "vertex")?;
        let mut vertex = Vector::zeros();
        for x in vertex.iter_mut() {
            *x = next(text, "a coordinate")?.coordinate("a corner")?;
        }
        raw.vertices.push(vertex);
    }
    keyword(text, "endloop")?;
    keyword(text, "endfacet")?;
    add_last(raw, FacePlace::face(raw.triangles.len() + 1, FilePlace::Line(line)))
}

fn next<'a>(text: &mut Text<'a>, what: &str) -> Result<Word<'a>, MeshError> {
    text.next_word().ok_or_else(|| text.ended_before(what))
}

fn keyword(text: &mut Text, wanted: &str) -> Result<(), MeshError> {
    let word = next(text, &format!("`{wanted}`"))?;
    expected(word, wanted)
}

fn expected(word: Word, wanted: &str) -> Result<(), MeshError> {
    if word.is(wanted) {
        return Ok(());
    }
    Err(word.wrong(format!("expected `{wanted}`, found {}", quoted(word.text))))
}
