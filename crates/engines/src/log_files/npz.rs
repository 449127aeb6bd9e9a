//! Logs as arrays of NumPy in one `.npz`.

use crate::judge::log::{Body, Contact, Log, LogError};
use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use stiction_core::math::Vector;

/// Largest unpacked size of an array \[bytes\].
const MOST: u64 = 4 << 30;

/// An array: its shape, and its numbers or texts.
struct Array {
    shape: Vec<usize>,
    cells: Cells,
}

enum Cells {
    Numbers(Vec<f64>),
    Texts(Vec<String>),
}

/// The arrays of a file by their names.
struct Arrays(BTreeMap<String, Array>);

/// Reads a log.
pub fn read(bytes: &[u8]) -> Result<Log, LogError> {
    let arrays = unpack(bytes)?;
    let times = arrays.numbers("time", &[None])?.ok_or_else(|| missing("time", "(T,)"))?;
    let mass = arrays.numbers("mass", &[None])?.ok_or_else(|| missing("mass", "(B,)"))?;
    let (t, b) = (times.len(), mass.len());
    let names = arrays.texts("body").filter(|names| names.len() == b);
    let vectors = |name: &str| arrays.vectors(name, &[Some(t), Some(b), Some(3)]);
    let position = vectors("position")?.ok_or_else(|| missing("position", "(T, B, 3)"))?;
    let (velocity, spin, applied) = (vectors("velocity")?, vectors("spin")?, vectors("applied")?);
    let inertia = arrays.vectors("inertia", &[Some(b), Some(3)])?;
    let orientation = arrays.numbers("orientation", &[Some(t), Some(b), Some(4)])?;
    let of = |all: &[Vector], n: usize| (0..t).map(|k| all[k * b + n]).collect::<Vec<_>>();
    let body = |n: usize| Body {
        name: names.as_ref().map_or_else(|| format!("body {n}"), |names| names[n].clone()),
        mass: mass[n],
        position: of(&position, n),
        velocity: velocity.as_deref().map(|all| of(all, n)),
        spin: spin.as_deref().map(|all| of(all, n)),
        applied: applied.as_deref().map(|all| of(all, n)),
        inertia: inertia.as_ref().map(|all| all[n]),
        orientation: orientation
            .as_ref()
            .map(|all| (0..t).map(|k| std::array::from_fn(|i| all[(k * b + n) * 4 + i])).collect()),
    };
    Ok(Log {
        contacts: contacts(&arrays, t, b)?,
        bodies: (0..b).map(body).collect(),
        time: times,
        gravity: arrays.vectors("gravity", &[Some(3)])?.map(|g| g[0]),
        step: arrays.numbers("step", &[])?.map(|step| step[0]),
        engine: arrays
            .texts("engine")
            .into_iter()
            .chain(arrays.texts("version"))
            .flatten()
            .collect::<Vec<_>>()
            .join(" "),
    })
}

/// The contacts of each frame.
fn contacts(
    arrays: &Arrays,
    times: usize,
    bodies: usize,
) -> Result<Option<Vec<Vec<Contact>>>, LogError> {
    let Some(frame) = arrays.numbers("contact_frame", &[None])? else { return Ok(None) };
    let c = frame.len();
    let numbers = |name: &str| arrays.numbers(name, &[Some(c)]);
    let vectors = |name: &str| arrays.vectors(name, &[Some(c), Some(3)]);
    let needed = |name: &str, shape: &str| missing(name, shape);
    let body = numbers("contact_body")?.ok_or_else(|| needed("contact_body", "(C,)"))?;
    let normal = vectors("contact_normal")?.ok_or_else(|| needed("contact_normal", "(C, 3)"))?;
    let force =
        numbers("contact_normal_force")?.ok_or_else(|| needed("contact_normal_force", "(C,)"))?;
    let (other, friction) = (numbers("contact_other")?, vectors("contact_friction")?);
    let (fixed, kinetic) = (numbers("contact_mu")?, numbers("contact_mu_kinetic")?);
    let (slip, point) = (vectors("contact_slip")?, vectors("contact_point")?);
    let mut frames = vec![Vec::new(); times];
    for k in 0..c {
        let at = index("contact_frame", k, frame[k], times)?;
        let other = other.as_ref().map(|all| all[k]).filter(|other| *other != -1.0);
        frames[at].push(Contact {
            body: index("contact_body", k, body[k], bodies)?,
            other: other.map(|other| index("contact_other", k, other, bodies)).transpose()?,
            normal: normal[k],
            normal_force: force[k],
            friction: friction.as_ref().map(|all| all[k]),
            static_friction: fixed.as_ref().map(|all| all[k]),
            kinetic_friction: kinetic.as_ref().map(|all| all[k]),
            slip: slip.as_ref().map(|all| all[k]),
            point: point.as_ref().map(|all| all[k]),
        });
    }
    Ok(Some(frames))
}

fn index(name: &str, row: usize, value: f64, below: usize) -> Result<usize, LogError> {
    match value >= 0.0 && value < below as f64 && value.fract() == 0.0 {
        true => Ok(value as usize),
        false => Err(LogError(format!(
            "{name}: {value} at row {row}; a whole number from 0 to {} is needed",
            below.saturating_sub(1)
        ))),
    }
}

fn missing(name: &str, shape: &str) -> LogError {
    LogError(format!("there is no array `{name}` of the shape {shape}"))
}

impl Arrays {
    /// Numbers of a shape, none if the array does not exist; `None` in the shape is any length.
    fn numbers(&self, name: &str, shape: &[Option<usize>]) -> Result<Option<Vec<f64>>, LogError> {
        let Some(array) = self.0.get(name) else { return Ok(None) };
        let fits = array.shape.len() == shape.len()
            && array
                .shape
                .iter()
                .zip(shape)
                .all(|(n, asked)| asked.is_none_or(|asked| asked == *n));
        match &array.cells {
            Cells::Numbers(numbers) if fits => Ok(Some(numbers.clone())),
            Cells::Numbers(_) => {
                let asked: Vec<String> =
                    shape.iter().map(|n| n.map_or("any".into(), |n| n.to_string())).collect();
                Err(LogError(format!(
                    "{name}: its shape is {:?}, ({}) is needed",
                    array.shape,
                    asked.join(", ")
                )))
            }
            Cells::Texts(_) => Err(LogError(format!("{name}: it holds texts, numbers are needed"))),
        }
    }

    /// Vectors: numbers whose last axis has length three.
    fn vectors(
        &self,
        name: &str,
        shape: &[Option<usize>],
    ) -> Result<Option<Vec<Vector>>, LogError> {
        let numbers = self.numbers(name, shape)?;
        Ok(numbers.map(|numbers| numbers.chunks_exact(3).map(Vector::from_column_slice).collect()))
    }

    fn texts(&self, name: &str) -> Option<Vec<String>> {
        match &self.0.get(name)?.cells {
            Cells::Texts(texts) => Some(texts.clone()),
            Cells::Numbers(_) => None,
        }
    }
}

/// All arrays of an archive.
fn unpack(bytes: &[u8]) -> Result<Arrays, LogError> {
    let fail = |error: zip::result::ZipError| LogError(format!("it is no .npz: {error}"));
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(fail)?;
    let mut arrays = BTreeMap::new();
    for k in 0..archive.len() {
        let file = archive.by_index(k).map_err(fail)?;
        let whole = file.name().map_err(fail)?;
        let Some(name) = whole.strip_suffix(".npy").map(String::from) else { continue };
        let mut content = Vec::new();
        file.take(MOST)
            .read_to_end(&mut content)
            .map_err(|error| LogError(format!("{name}: {error}")))?;
        let array = array(&content).map_err(|error| LogError(format!("{name}: {error}")))?;
        arrays.insert(name, array);
    }
    Ok(Arrays(arrays))
}

/// An array of format 1 to 3 [npy].
fn array(bytes: &[u8]) -> Result<Array, String> {
    let short = || "it is cut short".to_string();
    if bytes.get(..6) != Some(b"\x93NUMPY".as_slice()) {
        return Err("it is no array of NumPy".into());
    }
    let wide = *bytes.get(6).ok_or_else(short)? > 1;
    let (size, from): (usize, usize) = match wide {
        false => (
            u16::from_le_bytes(bytes.get(8..10).ok_or_else(short)?.try_into().map_err(|_| short())?)
                as usize,
            10,
        ),
        true => (
            u32::from_le_bytes(bytes.get(8..12).ok_or_else(short)?.try_into().map_err(|_| short())?)
                as usize,
            12,
        ),
    };
    let header = bytes.get(from..from.saturating_add(size)).ok_or_else(short)?;
    let header = std::str::from_utf8(header).map_err(|error| error.to_string())?;
    let kind = between(header, "'descr': '", "'").ok_or("its items are no numbers or texts")?;
    if header.contains("'fortran_order': True") {
        return Err("it is in Fortran order; numpy.ascontiguousarray turns it".into());
    }
    let shape = between(header, "'shape': (", ")").ok_or("its header names no shape")?;
    let shape: Vec<usize> = shape
        .split(',')
        .filter(|n| !n.trim().is_empty())
        .map(|n| n.trim().parse().map_err(|_| format!("its shape has `{n}`")))
        .collect::<Result<_, _>>()?;
    let count = shape.iter().try_fold(1usize, |all, n| all.checked_mul(*n)).ok_or_else(short)?;
    let cells = cells(kind, count, &bytes[from + size..])?;
    Ok(Array { shape, cells })
}

/// The text between two others.
fn between<'a>(text: &'a str, before: &str, behind: &str) -> Option<&'a str> {
    let rest = &text[text.find(before)? + before.len()..];
    Some(&rest[..rest.find(behind)?])
}

/// Items of a type, as numbers or texts.
fn cells(kind: &str, count: usize, bytes: &[u8]) -> Result<Cells, String> {
    let (order, rest) = kind.split_at_checked(1).unwrap_or(("", ""));
    let (letter, size) = rest.split_at_checked(1).unwrap_or(("", ""));
    let size: usize = size.parse().map_err(|_| format!("its type is `{kind}`"))?;
    let width = if letter == "U" { 4 * size } else { size };
    let needed = count.checked_mul(width).ok_or("it is cut short")?;
    let bytes = bytes
        .get(..needed)
        .ok_or_else(|| format!("it has {} bytes, {needed} are needed", bytes.len()))?;
    if order == ">" {
        return Err(format!("its type is `{kind}`, with the highest byte first"));
    }
    if letter == "U" {
        let text = |item: &[u8]| -> String {
            let letters =
                item.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]]));
            letters.take_while(|c| *c != 0).filter_map(char::from_u32).collect()
        };
        let items = if width == 0 {
            vec![String::new(); count]
        } else {
            bytes.chunks_exact(width).map(text).collect()
        };
        return Ok(Cells::Texts(items));
    }
    macro_rules! numbers {
        ($kind:ty) => {
            bytes
                .chunks_exact(size)
                .map(|c| <$kind>::from_le_bytes(c.try_into().expect("chunks of that size")) as f64)
                .collect()
        };
    }
    Ok(Cells::Numbers(match (letter, size) {
        ("f", 8) => numbers!(f64),
        ("f", 4) => numbers!(f32),
        ("i", 8) => numbers!(i64),
        ("i", 4) => numbers!(i32),
        ("i", 2) => numbers!(i16),
        ("i", 1) => numbers!(i8),
        ("u", 8) => numbers!(u64),
        ("u", 4) => numbers!(u32),
        ("u", 2) => numbers!(u16),
        ("u" | "b", 1) => numbers!(u8),
        _ => {
            return Err(format!(
                "its type is `{kind}`; float64, float32, integers and texts are read"
            ));
        }
    }))
}
