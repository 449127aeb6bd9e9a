//! NumPy `.npy` arrays that grow along their first axis while a run goes on.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

/// Header length in bytes; leaves room for any first dimension.
const HEADER: usize = 128;

/// A growing float64 array of shape (F, inner...). The header is brought up to date by
/// [`Self::flush`], so that what has been flushed is always a complete array.
pub struct GrowingArray {
    file: BufWriter<File>,
    inner: Vec<usize>,
    rows: usize,
}

impl GrowingArray {
    /// Creates the file with no rows.
    pub fn create(path: &Path, inner: &[usize]) -> io::Result<Self> {
        let file = BufWriter::new(File::create(path)?);
        let mut array = GrowingArray { file, inner: inner.to_vec(), rows: 0 };
        array.file.write_all(&array.header())?;
        Ok(array)
    }

    /// Appends one row of `inner` numbers.
    pub fn push(&mut self, row: impl Iterator<Item = f64>) -> io::Result<()> {
        for x in row {
            self.file.write_all(&x.to_le_bytes())?;
        }
        self.rows += 1;
        Ok(())
    }

    /// Writes out everything and the header that counts it.
    pub fn flush(&mut self) -> io::Result<()> {
        let header = self.header();
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&header)?;
        self.file.seek(SeekFrom::End(0))?;
        self.file.flush()
    }

    /// Format 1.0: magic, header length, a Python literal padded with spaces to a multiple of 64.
    fn header(&self) -> Vec<u8> {
        let mut shape = format!("({},", self.rows);
        for n in &self.inner {
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
}
