//! NumPy `.npy` arrays that grow along their first axis while a run goes on.

use super::files::Files;
use super::growing::{Growing, Piece};
use std::io;
use std::path::Path;

/// Header length in bytes; leaves room for any first dimension.
pub const HEADER: usize = 128;

/// A growing float64 array of shape (F, inner...). Its header counts the rows at every push, so that
/// what is there is always a complete array.
pub struct GrowingArray {
    /// The file.
    pub file: Growing,
    inner: Vec<usize>,
    rows: usize,
    row: Vec<u8>,
}

impl GrowingArray {
    /// Creates the file with no rows.
    pub fn create(files: &dyn Files, path: &Path, inner: &[usize]) -> io::Result<Self> {
        let file = Growing::create(files, path, &header(0, inner))?;
        Ok(GrowingArray { file, inner: inner.to_vec(), rows: 0, row: Vec::new() })
    }

    /// Opens a file of which so many rows count.
    pub fn open(files: &dyn Files, path: &Path, inner: &[usize], rows: usize) -> io::Result<Self> {
        let file = Growing::open(files, path, length(rows, inner))?;
        Ok(GrowingArray { file, inner: inner.to_vec(), rows, row: Vec::new() })
    }

    /// Cuts off rows that do not count.
    pub fn cut(&mut self) -> io::Result<()> {
        self.count()?;
        self.file.cut()
    }

    /// Whether its header counts its rows.
    pub fn counts(&mut self) -> io::Result<bool> {
        let mut head = [0; HEADER];
        self.file.read_at(0, &mut head)?;
        Ok(head[..] == header(self.rows, &self.inner))
    }

    /// Appends one row of `inner` numbers.
    pub fn push(&mut self, row: impl Iterator<Item = f64>) -> io::Result<Piece> {
        self.row.clear();
        row.for_each(|x| self.row.extend(x.to_le_bytes()));
        let piece = self.file.append(&self.row)?;
        self.rows += 1;
        self.count()?;
        Ok(piece)
    }

    fn count(&mut self) -> io::Result<()> {
        self.file.set_head(&header(self.rows, &self.inner))
    }
}

/// Length of a file with so many rows \[bytes\].
pub fn length(rows: usize, inner: &[usize]) -> u64 {
    HEADER as u64 + 8 * (rows as u64) * inner.iter().map(|n| *n as u64).product::<u64>()
}

/// The header of format 1.0: magic, its length, a Python literal padded with spaces to a multiple of 64.
pub fn header(rows: usize, inner: &[usize]) -> Vec<u8> {
    let mut shape = format!("({rows},");
    for n in inner {
        shape += &format!(" {n},");
    }
    shape += ")";
    let mut text = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}");
    while text.len() < HEADER - 11 {
        text.push(' ');
    }
    text.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(((HEADER - 10) as u16).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes
}
