//! The figures.

use crate::judge::Survey;
use std::error::Error;
use std::path::Path;

pub fn draw(_surveys: &[Survey<'_>], folder: &Path) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    Ok(())
}
