//! Figures and maps as SVG, PNG and PDF.

#[cfg(feature = "plot")]
pub mod figure;
pub mod font;
#[cfg(feature = "plot")]
pub mod run_plot;
