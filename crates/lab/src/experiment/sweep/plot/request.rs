//! The wishes for a picture of a sweep.

/// A requested picture.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Request {
    /// The key along x.
    pub x: String,
    /// The key along y, for a heat map.
    pub y: Option<String>,
    /// The key that distinguishes lines.
    pub by: Option<String>,
    /// The key that distinguishes panels.
    pub panels_by: Option<String>,
    /// The figure to draw.
    pub value: String,
    /// Other figures, drawn as thin lines beside the points.
    pub lines: Vec<String>,
    /// Whether error bars are left out.
    pub without_errors: bool,
    /// Whether the axes along x, y and the colours are logarithmic; chosen by the values if absent.
    pub logarithmic: Option<[bool; 3]>,
    /// Keys held constant, with their values.
    pub held: Vec<(String, String)>,
}
