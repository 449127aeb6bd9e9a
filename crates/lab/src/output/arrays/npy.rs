//! NumPy `.npy` arrays that grow along their first axis during a run.

use crate::output::folder::files::Files;
use crate::output::folder::growing::{Growing, Piece};
use std::io;
use std::path::Path;

/// Shape and type of one entry of the first axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// NumPy's description of an item: a name, or the fields of a structured one.
    pub descr: String,
    /// Its length \[bytes\].
    pub item: usize,
    /// The axes after the first.
    pub inner: Vec<usize>,
}

impl Layout {
    /// A layout of float64 numbers.
    pub fn numbers(inner: &[usize]) -> Layout {
        Layout { descr: "'<f8'".into(), item: 8, inner: inner.to_vec() }
    }

    /// Bytes of one entry of the first axis.
    pub fn row(&self) -> usize {
        self.item * self.inner.iter().product::<usize>()
    }

    /// Bytes before the numbers: a multiple of 64 sufficient for any first dimension.
    pub fn head(&self) -> usize {
        (11 + self.text(usize::MAX).len()).div_ceil(64) * 64
    }

    /// The Python literal of a header.
    fn text(&self, rows: usize) -> String {
        let inner: String = self.inner.iter().map(|n| format!(" {n},")).collect();
        let descr = &self.descr;
        format!("{{'descr': {descr}, 'fortran_order': False, 'shape': ({rows},{inner}), }}")
    }

    /// Length of a file with `rows` rows \[bytes\].
    pub fn length(&self, rows: usize) -> u64 {
        self.head() as u64 + self.row() as u64 * rows as u64
    }

    /// The header of format 1.0: magic, its length, a Python literal padded with spaces.
    pub fn header(&self, rows: usize) -> Vec<u8> {
        let mut text = self.text(rows);
        let head = self.head();
        while text.len() < head - 11 {
            text.push(' ');
        }
        text.push('\n');
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend(((head - 10) as u16).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes
    }
}

/// A growing array. Its header is updated at every push, so that the file is always a complete
/// array.
pub(crate) struct GrowingArray {
    /// The file.
    pub file: Growing,
    layout: Layout,
    rows: usize,
}

impl GrowingArray {
    /// Creates the file with no rows.
    pub fn create(files: &dyn Files, path: &Path, layout: Layout) -> io::Result<Self> {
        let file = Growing::create(files, path, &layout.header(0))?;
        Ok(GrowingArray { file, layout, rows: 0 })
    }

    /// Opens a file whose first `rows` rows are valid.
    pub fn open(files: &dyn Files, path: &Path, layout: Layout, rows: usize) -> io::Result<Self> {
        let file = Growing::open(files, path, layout.length(rows))?;
        Ok(GrowingArray { file, layout, rows })
    }

    /// Offset of a row \[bytes\].
    pub fn at(&self, row: usize) -> u64 {
        self.layout.length(row)
    }

    /// Removes invalid rows.
    pub fn cut(&mut self) -> io::Result<()> {
        self.count()?;
        self.file.cut()
    }

    /// Whether the header gives the number of rows.
    pub fn counts(&mut self) -> io::Result<bool> {
        let mut head = vec![0; self.layout.head()];
        self.file.read_at(0, &mut head)?;
        Ok(head == self.layout.header(self.rows))
    }

    /// Appends rows as bytes; an empty piece for none.
    pub fn push(&mut self, rows: &[u8]) -> io::Result<Piece> {
        let piece = self.file.append(rows)?;
        self.rows += rows.len() / self.layout.row();
        self.count()?;
        Ok(piece)
    }

    /// Appends one row of numbers.
    pub(crate) fn push_numbers(&mut self, row: &[f64]) -> io::Result<Piece> {
        self.push(bytemuck::cast_slice(row))
    }

    fn count(&mut self) -> io::Result<()> {
        self.file.set_head(&self.layout.header(self.rows))
    }
}
