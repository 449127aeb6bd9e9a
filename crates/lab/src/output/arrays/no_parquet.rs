//! Stands in for Parquet in a build without the feature `parquet`.

use super::column::Column;

/// Why there is no file.
#[derive(Debug, thiserror::Error)]
#[error("this build writes no Parquet (feature `parquet`); a .csv has the same table")]
pub struct NoParquet;

/// No file.
///
/// # Errors
/// Always.
pub fn bytes(_columns: &[(String, Column)]) -> Result<Vec<u8>, NoParquet> {
    Err(NoParquet)
}
