//! `.ply`, ASCII and binary: the elements `vertex` (x, y, z) and `face` (a list of corners). Other
//! elements and properties are skipped.

use super::surface::{FacePlace, RawSurface};
use super::text::{Text, Word, quoted};
use super::{FilePlace, MeshError};
use stiction_core::math::Vector;

/// The type of a number.
#[derive(Clone, Copy, PartialEq)]
enum Type {
    Signed(usize),
    Unsigned(usize),
    Float(usize),
}

/// Encoding of numbers.
#[derive(Clone, Copy, PartialEq)]
enum Encoding {
    Ascii,
    LittleEndian,
    BigEndian,
}

/// One number, or a count and as many numbers.
struct Property {
    name: String,
    /// Type of the count, if it is a list.
    count: Option<Type>,
    item: Type,
}

/// A kind of element, and how many of them the file holds.
struct Element {
    name: String,
    count: u64,
    /// Line of the header that announces it.
    line: usize,
    properties: Vec<Property>,
}

/// Content after the header.
struct Data<'a> {
    encoding: Encoding,
    text: Text<'a>,
    bytes: &'a [u8],
    at: usize,
}

/// Reads a file.
pub(super) fn read(bytes: &[u8]) -> Result<RawSurface, MeshError> {
    let mut text = Text::new(bytes);
    let (encoding, elements) = header(&mut text)?;
    let end = text.line_number() - 1;
    let at = bytes.len() - text.rest().len();
    let mut data = Data { encoding, text, bytes, at };
    let faces = elements.iter().find(|element| element.name == "face");
    let mut raw = RawSurface::new(0, FilePlace::Line(faces.map_or(end, |faces| faces.line)));
    for element in &elements {
        data.check_room(element)?;
        match element.name.as_str() {
            "vertex" => read_vertices(&mut data, element, &mut raw)?,
            "face" => read_faces(&mut data, element, &mut raw)?,
            _ => skip(&mut data, element)?,
        }
    }
    data.check_end()?;
    for name in ["vertex", "face"] {
        if !elements.iter().any(|element| element.name == name) {
            return Err(MeshError::line(
                end,
                format!("the header names no element `{name}`: there are no faces to touch"),
                "save the surface with its triangles",
            ));
        }
    }
    Ok(raw)
}

/// Reads the lines from `ply` to `end_header`.
fn header(text: &mut Text) -> Result<(Encoding, Vec<Element>), MeshError> {
    let first = text.next_line().map_or(&b""[..], |line| line.text.trim_ascii());
    if !first.eq_ignore_ascii_case(b"ply") {
        return Err(MeshError::line(
            1,
            format!("expected `ply`, found {}", quoted(first)),
            "a .ply file begins with this line; save the mesh again",
        ));
    }
    let mut encoding = None;
    let mut elements: Vec<Element> = Vec::new();
    loop {
        let line = text.next_line().ok_or_else(|| text.ended_before("end_header"))?;
        let words: Vec<Word> = line.words().collect();
        let [keyword, rest @ ..] = words.as_slice() else { continue };
        match (keyword.text, rest) {
            (b"comment" | b"obj_info", _) => {}
            (b"format", [name, _version]) => encoding = Some(known_encoding(*name)?),
            (b"element", [name, count]) => elements.push(Element {
                name: String::from_utf8_lossy(name.text).into_owned(),
                count: count.whole("the number of elements")?,
                line: line.number,
                properties: Vec::new(),
            }),
            (b"property", words) => {
                let Some(element) = elements.last_mut() else {
                    return Err(keyword.wrong("a property comes before the first element"));
                };
                element.properties.push(property(*keyword, words)?);
            }
            (b"end_header", []) => break,
            _ => {
                return Err(line.wrong(format!(
                    "expected format, element, property or end_header, found {}",
                    quoted(line.text.trim_ascii())
                )));
            }
        }
    }
    let encoding = encoding.ok_or_else(|| {
        let end = text.line_number() - 1;
        MeshError::line(end, "the header has no line `format`", "save the mesh as .ply again")
    })?;
    Ok((encoding, elements))
}

fn known_encoding(name: Word) -> Result<Encoding, MeshError> {
    match name.text {
        b"ascii" => Ok(Encoding::Ascii),
        b"binary_little_endian" => Ok(Encoding::LittleEndian),
        b"binary_big_endian" => Ok(Encoding::BigEndian),
        text => Err(name.wrong(format!(
            "expected ascii, binary_little_endian or binary_big_endian, found {}",
            quoted(text)
        ))),
    }
}

/// `TYPE NAME` or `list TYPE TYPE NAME`.
fn property(keyword: Word, words: &[Word]) -> Result<Property, MeshError> {
    let name = |word: &Word| String::from_utf8_lossy(word.text).into_owned();
    match words {
        [list, count, item, own] if list.is("list") => {
            let count_type = known_type(*count)?;
            if matches!(count_type, Type::Float(_)) {
                return Err(count.wrong(format!(
                    "the count of a list must be of a whole-number type, not {}",
                    quoted(count.text)
                )));
            }
            Ok(Property { name: name(own), count: Some(count_type), item: known_type(*item)? })
        }
        [item, own] => Ok(Property { name: name(own), count: None, item: known_type(*item)? }),
        _ => Err(keyword.wrong("expected `property TYPE NAME` or `property list TYPE TYPE NAME`")),
    }
}

fn known_type(word: Word) -> Result<Type, MeshError> {
    Ok(match word.text {
        b"char" | b"int8" => Type::Signed(1),
        b"uchar" | b"uint8" => Type::Unsigned(1),
        b"short" | b"int16" => Type::Signed(2),
        b"ushort" | b"uint16" => Type::Unsigned(2),
        b"int" | b"int32" => Type::Signed(4),
        b"uint" | b"uint32" => Type::Unsigned(4),
        b"float" | b"float32" => Type::Float(4),
        b"double" | b"float64" => Type::Float(8),
        text => {
            return Err(word.wrong(format!("{} is no type of a .ply file", quoted(text))));
        }
    })
}

impl Type {
    fn size(self) -> usize {
        let (Type::Signed(size) | Type::Unsigned(size) | Type::Float(size)) = self;
        size
    }

    /// The number in these bytes, most significant first.
    fn value(self, bytes: &[u8]) -> f64 {
        let bits = bytes.iter().fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
        match self {
            Type::Float(4) => f64::from(f32::from_bits(bits as u32)),
            Type::Float(_) => f64::from_bits(bits),
            Type::Unsigned(_) => bits as f64,
            Type::Signed(size) => {
                let unused = 64 - 8 * size as u32;
                ((bits << unused).cast_signed() >> unused) as f64
            }
        }
    }
}

impl Data<'_> {
    /// Compares the announced number of elements with the remaining length of the file.
    fn check_room(&self, element: &Element) -> Result<(), MeshError> {
        if element.properties.is_empty() && element.count > 0 {
            return Err(MeshError::line(
                element.line,
                format!("element `{}` has no properties", element.name),
                "save the mesh as .ply again",
            ));
        }
        let size = |p: &Property| p.count.unwrap_or(p.item).size() as u128;
        let (left, least) = match self.encoding {
            // at least a digit and a blank each; the last without a blank
            Encoding::Ascii => (self.text.rest().len() + 1, 2 * element.properties.len() as u128),
            _ => (self.bytes.len() - self.at, element.properties.iter().map(size).sum()),
        };
        let needed = least * u128::from(element.count);
        if needed <= left as u128 {
            return Ok(());
        }
        Err(MeshError::line(
            element.line,
            format!(
                "the header announces {} of `{}`, which take {needed} bytes or more, but the file ends after {left} bytes",
                element.count, element.name
            ),
            "the file is truncated: copy or save it again",
        ))
    }

    /// Refuses content that the header does not announce.
    fn check_end(&self) -> Result<(), MeshError> {
        let rest = match self.encoding {
            Encoding::Ascii => self.text.rest(),
            _ => &self.bytes[self.at..],
        };
        if rest.trim_ascii().is_empty() {
            return Ok(());
        }
        let start = self.bytes.len() - rest.len();
        Err(MeshError::at(
            self.place_at(start),
            format!(
                "the file goes on at byte {start} of {}, behind all that its header announces",
                self.bytes.len()
            ),
            "a count in the header is too small: save the mesh again",
        ))
    }

    /// The current line, or the byte in binary content.
    fn place_at(&self, byte: usize) -> FilePlace {
        match self.encoding {
            Encoding::Ascii => FilePlace::Line(self.text.line_number()),
            _ => FilePlace::Byte(byte),
        }
    }

    /// The next number; `what` names it in messages.
    fn number(&mut self, kind: Type, what: std::fmt::Arguments) -> Result<f64, MeshError> {
        if self.encoding == Encoding::Ascii {
            let word = self.text.next_word();
            let word = word.ok_or_else(|| self.text.ended_before(&what.to_string()))?;
            return word.coordinate(what);
        }
        let Some(bytes) = self.bytes.get(self.at..self.at + kind.size()) else {
            return Err(MeshError::at(
                FilePlace::Byte(self.bytes.len()),
                format!("the file ends at byte {} inside {what}", self.bytes.len()),
                "the file is truncated: copy or save it again",
            ));
        };
        let mut digits = [0; 8];
        let digits = &mut digits[..kind.size()];
        digits.copy_from_slice(bytes);
        if self.encoding == Encoding::LittleEndian {
            digits.reverse();
        }
        let value = kind.value(digits);
        if !value.is_finite() || value.abs() > 1e15 {
            return Err(MeshError::at(
                FilePlace::Byte(self.at),
                format!("{what}: {value:e} at byte {} is not finite or beyond ±1e15", self.at),
                "the file is damaged: save the mesh again",
            ));
        }
        self.at += kind.size();
        Ok(value)
    }

    /// The next number, whole and ≥ 0.
    fn whole(&mut self, kind: Type, what: std::fmt::Arguments) -> Result<u64, MeshError> {
        let at = self.at;
        let value = self.number(kind, what)?;
        if value >= 0.0 && value == value.trunc() {
            return Ok(value as u64);
        }
        Err(MeshError::at(
            self.place_at(at),
            format!("{what}: expected a whole number ≥ 0, found {value}"),
            "the file is damaged: save the mesh again",
        ))
    }

    /// Reads a property into `values`, which is emptied first.
    fn property(
        &mut self,
        property: &Property,
        what: std::fmt::Arguments,
        values: &mut Vec<f64>,
    ) -> Result<(), MeshError> {
        values.clear();
        let count = match property.count {
            Some(kind) => self.whole(kind, what)?,
            None => 1,
        };
        for _ in 0..count {
            values.push(self.number(property.item, what)?);
        }
        Ok(())
    }
}

fn read_vertices(
    data: &mut Data,
    element: &Element,
    raw: &mut RawSurface,
) -> Result<(), MeshError> {
    let axis = |p: &Property| ["x", "y", "z"].iter().position(|name| p.name == *name);
    let axes: Vec<Option<usize>> = element.properties.iter().map(axis).collect();
    if (0..3).any(|k| axes.iter().filter(|axis| **axis == Some(k)).count() != 1) {
        return Err(MeshError::line(
            element.line,
            "element `vertex` needs the properties x, y and z, once each",
            "save the mesh as .ply again",
        ));
    }
    let mut values = Vec::new();
    for number in 0..element.count {
        let mut vertex = Vector::zeros();
        for (property, axis) in element.properties.iter().zip(&axes) {
            data.property(property, format_args!("vertex {number}"), &mut values)?;
            if let (Some(axis), [x]) = (axis, values.as_slice()) {
                vertex[*axis] = *x;
            }
        }
        raw.vertices.push(vertex);
    }
    Ok(())
}

fn read_faces(data: &mut Data, element: &Element, raw: &mut RawSurface) -> Result<(), MeshError> {
    let corners = |p: &Property| matches!(p.name.as_str(), "vertex_indices" | "vertex_index");
    let list = element.properties.iter().position(|p| corners(p) && p.count.is_some());
    let Some(list) = list.filter(|&k| !matches!(element.properties[k].item, Type::Float(_))) else {
        return Err(MeshError::line(
            element.line,
            "element `face` needs a list `vertex_indices` of a whole-number type",
            "save the mesh as .ply again",
        ));
    };
    let (mut values, mut face) = (Vec::new(), Vec::new());
    for number in 0..element.count {
        let start = data.at;
        for (k, property) in element.properties.iter().enumerate() {
            data.property(property, format_args!("face {}", number + 1), &mut values)?;
            if k == list {
                face.clear();
                face.extend_from_slice(&values);
            }
        }
        let place = FacePlace::face(number as usize + 1, data.place_at(start));
        let corners: Vec<u32> = face
            .iter()
            .map(|&corner| existing(corner, raw.vertices.len(), place))
            .collect::<Result<_, _>>()?;
        raw.add_face(&corners, place)?;
    }
    Ok(())
}

/// The number of a corner's vertex; an error if the vertex does not exist.
fn existing(corner: f64, vertices: usize, place: FacePlace) -> Result<u32, MeshError> {
    if corner >= 0.0 && corner == corner.trunc() && corner < vertices as f64 {
        // no file of at most LARGEST_FILE bytes holds more vertices than 32 bits can number
        return Ok(corner as u32);
    }
    Err(place.wrong(format!(
        "uses vertex {corner}, but there are only {vertices} vertices before it, numbered from 0"
    )))
}

fn skip(data: &mut Data, element: &Element) -> Result<(), MeshError> {
    let mut values = Vec::new();
    for number in 0..element.count {
        for property in &element.properties {
            data.property(property, format_args!("{} {number}", element.name), &mut values)?;
        }
    }
    Ok(())
}
