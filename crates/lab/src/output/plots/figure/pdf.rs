//! Figures as PDF.

use super::PlotError;
use crate::output::plots::font::{BOLD, REGULAR};
use svg2pdf::usvg;

/// Whether this build writes PDF.
pub const WRITES_PDF: bool = true;

/// The family of the built-in letters.
const FAMILY: &str = "DejaVu Sans";

/// A PDF file of one page from an SVG drawn by this program.
pub(super) fn page(svg: &str) -> Result<Vec<u8>, PlotError> {
    let fault = |error: String| PlotError::Drawing(error);
    let mut options = usvg::Options::default();
    let fonts = options.fontdb_mut();
    [REGULAR, BOLD].into_iter().for_each(|bytes| fonts.load_font_data(bytes.to_vec()));
    fonts.set_sans_serif_family(FAMILY);
    let tree = usvg::Tree::from_str(svg, &options).map_err(|error| fault(error.to_string()))?;
    let conversion = svg2pdf::ConversionOptions::default();
    // a pixel of SVG is 1/96 of an inch
    svg2pdf::to_pdf(&tree, conversion, svg2pdf::PageOptions { dpi: 96.0 })
        .map_err(|error| fault(error.to_string()))
}
