//! The typeface of figures and pictures: DejaVu Sans, reduced to the characters in use.

/// Its regular face.
pub const REGULAR: &[u8] = include_bytes!("../../../font/DejaVuSans-subset.ttf");
/// Its bold face.
pub const BOLD: &[u8] = include_bytes!("../../../font/DejaVuSans-Bold-subset.ttf");
