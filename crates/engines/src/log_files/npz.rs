//! Logs as arrays of NumPy in one `.npz`.

use super::arrays::{self, Array, Arrays, Cells, NAMES};
use crate::judge::log::{BODIES, Log, LogError};
use std::io::{BufReader, Read, Seek};

/// Largest size of all numbers that are read, of 8 bytes each \[bytes\].
const MOST: u64 = 256 << 20;

/// Largest header of an array \[bytes\].
const HEADER: usize = 1 << 16;

/// Reads a log; `mass` is that of bodies whose array is missing \[kg\].
pub(super) fn read(file: impl Read + Seek, mass: Option<f64>) -> Result<Log, LogError> {
    let fail = |error: zip::result::ZipError| LogError(format!("it is no .npz: {error}"));
    let mut archive = zip::ZipArchive::new(BufReader::new(file)).map_err(fail)?;
    let (mut arrays, mut unread, mut whole) = (Arrays::new(), Vec::new(), 0u64);
    for k in 0..archive.len() {
        let file = archive.by_index(k).map_err(fail)?;
        let Some(name) = file.name().map_err(fail)?.strip_suffix(".npy").map(String::from) else {
            continue;
        };
        if !NAMES.contains(&name.as_str()) {
            unread.push(name);
            continue;
        }
        let packed = file.compressed_size();
        let room = MOST.saturating_sub(whole);
        let size = file.size();
        let array = array(file.take(size), size, room)
            .map_err(|error| LogError(format!("{name}, of {packed} packed bytes: {error}")))?;
        whole += array.bytes();
        if arrays.insert(name.clone(), array).is_some() {
            return Err(LogError(format!("the array `{name}` is there twice")));
        }
    }
    arrays::log(&arrays, mass, unread)
}

/// An array of format 1 to 3 \[npy\], of `size` bytes with its header, whose numbers take at most `room` bytes.
fn array(from: impl Read, size: u64, room: u64) -> Result<Array, String> {
    let mut from = BufReader::new(from);
    let mut begin = [0; 10];
    let short = |_| "it is cut short".to_string();
    from.read_exact(&mut begin).map_err(short)?;
    if !begin.starts_with(b"\x93NUMPY") {
        return Err("it is no array of NumPy".into());
    }
    let length = match begin[6] {
        1 => usize::from(u16::from_le_bytes([begin[8], begin[9]])),
        4.. => return Err(format!("its format is {}; 1 to 3 are read", begin[6])),
        _ => {
            let mut rest = [0; 2];
            from.read_exact(&mut rest).map_err(short)?;
            u32::from_le_bytes([begin[8], begin[9], rest[0], rest[1]]) as usize
        }
    };
    if length > HEADER {
        return Err(format!("its header has {length} bytes"));
    }
    let mut header = vec![0; length];
    from.read_exact(&mut header).map_err(short)?;
    let header = std::str::from_utf8(&header).map_err(|error| error.to_string())?;
    let kind = between(header, "'descr': '", "'").ok_or("its items are no numbers or texts")?;
    let shape = between(header, "'shape': (", ")").ok_or("its header names no shape")?;
    let shape: Vec<usize> = shape
        .split(',')
        .filter(|n| !n.trim().is_empty())
        .map(|n| n.trim().parse().map_err(|_| format!("its shape has `{n}`")))
        .collect::<Result<_, _>>()?;
    let kind = Kind::of(kind)?;
    let count = shape.iter().try_fold(1usize, |all, n| all.checked_mul(*n));
    let needed = count.and_then(|count| count.checked_mul(kind.width));
    let (Some(count), Some(needed)) = (count, needed) else {
        return Err("its shape is too large".into());
    };
    let bytes = (count as u64).saturating_mul(8).max(needed as u64);
    if bytes > room {
        return Err(format!(
            "it takes {bytes} bytes unpacked, and at most {room} are read; keep fewer times, or leave out what is not judged"
        ));
    }
    if kind.letter == 'U' && count > BODIES {
        return Err(format!("it has {count} texts, and at most {BODIES} are read"));
    }
    if needed as u64 > size {
        return Err(format!("it has {size} bytes, {needed} are needed"));
    }
    let mut cells = kind.cells(from, count)?;
    if header.contains("'fortran_order': True") {
        cells = match cells {
            Cells::Numbers(numbers) => Cells::Numbers(in_c_order(&numbers, &shape)),
            Cells::Texts(texts) => Cells::Texts(in_c_order(&texts, &shape)),
        };
    }
    Ok(Array { shape, cells })
}

/// Items whose first axis runs fastest, with the last one fastest.
fn in_c_order<T: Clone>(items: &[T], shape: &[usize]) -> Vec<T> {
    let mut index = vec![0; shape.len()];
    let mut sorted = Vec::with_capacity(items.len());
    for _ in 0..items.len() {
        let place = index.iter().zip(shape).rev().fold(0, |at, (i, n)| at * n + i);
        sorted.push(items[place].clone());
        for (i, n) in index.iter_mut().zip(shape).rev() {
            *i += 1;
            if *i < *n {
                break;
            }
            *i = 0;
        }
    }
    sorted
}

/// The text between two others.
fn between<'a>(text: &'a str, before: &str, behind: &str) -> Option<&'a str> {
    let rest = &text[text.find(before)? + before.len()..];
    Some(&rest[..rest.find(behind)?])
}

/// Type of an item: `<f8` and so on.
struct Kind {
    /// bytes are turned
    turned: bool,
    letter: char,
    /// of an item \[bytes\]
    width: usize,
}

impl Kind {
    fn of(text: &str) -> Result<Kind, String> {
        let unknown = || {
            format!("its type is `{text}`; float64, float32, float16, integers and texts are read")
        };
        let mut letters = text.chars();
        let (order, letter) = letters.next().zip(letters.next()).ok_or_else(unknown)?;
        let size: usize = letters.as_str().parse().map_err(|_| unknown())?;
        let known = match letter {
            'f' => matches!(size, 2 | 4 | 8),
            'i' | 'u' => matches!(size, 1 | 2 | 4 | 8),
            'b' => size == 1,
            'U' => (1..1 << 16).contains(&size),
            _ => false,
        };
        let width = if letter == 'U' { 4 * size } else { size };
        known.then_some(Kind { turned: order == '>', letter, width }).ok_or_else(unknown)
    }

    /// Reads items.
    fn cells(&self, mut from: impl Read, count: usize) -> Result<Cells, String> {
        let mut item = vec![0; self.width];
        let mut texts = Vec::new();
        let mut numbers = Vec::with_capacity(if self.letter == 'U' { 0 } else { count });
        for _ in 0..count {
            from.read_exact(&mut item).map_err(|_| "it is cut short".to_string())?;
            if self.turned {
                item.chunks_exact_mut(if self.letter == 'U' { 4 } else { self.width.max(1) })
                    .for_each(<[u8]>::reverse);
            }
            match self.letter {
                'U' => texts.push(text(&item)),
                letter => numbers.push(number(letter, &item)),
            }
        }
        Ok(if self.letter == 'U' { Cells::Texts(texts) } else { Cells::Numbers(numbers) })
    }
}

/// A text of UTF-32, up to its first zero.
fn text(item: &[u8]) -> String {
    let letters = item.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]]));
    letters.take_while(|c| *c != 0).filter_map(char::from_u32).collect()
}

/// A number with its lowest byte first.
fn number(letter: char, item: &[u8]) -> f64 {
    let mut wide = [0; 8];
    wide[..item.len()].copy_from_slice(item);
    let bits = u64::from_le_bytes(wide);
    let above = 64 - 8 * item.len() as u32;
    match (letter, item.len()) {
        ('f', 8) => f64::from_bits(bits),
        ('f', 4) => f64::from(f32::from_bits(bits as u32)),
        ('f', _) => half(bits as u16),
        ('i', _) => (((bits << above) as i64) >> above) as f64,
        _ => bits as f64,
    }
}

/// A float16: sign, five bits of exponent, ten of mantissa.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023) / 1024.0);
    sign * match exponent {
        0 => mantissa * f64::from_bits((1023 - 14) << 52),
        31 if mantissa == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + mantissa) * f64::from_bits(((1023 + exponent - 15) as u64) << 52),
    }
}
