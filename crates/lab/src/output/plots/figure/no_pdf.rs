//! PDF in a build without the feature `pdf`.

use super::PlotError;

/// Whether this build writes PDF.
pub const WRITES_PDF: bool = false;

/// Always refuses.
pub(super) fn page(_svg: &str) -> Result<Vec<u8>, PlotError> {
    Err(PlotError::NoPdf)
}
