//! Replaces Parquet in a build without the feature `parquet`.

use super::column::Column;

/// The error of a build without Parquet.
#[derive(Debug, thiserror::Error)]
#[error("this build writes no Parquet (feature `parquet`); a .csv has the same table")]
pub struct NoParquet;

/// Always fails.
///
/// # Errors
/// Always.
pub fn bytes(_columns: &[(String, Column)]) -> Result<Vec<u8>, NoParquet> {
    Err(NoParquet)
}
