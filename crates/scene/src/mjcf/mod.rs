//! MuJoCo's XML (MJCF) as the text of a scene, and a list of the parts without a counterpart in
//! scenes.

pub mod attributes;
mod reading;
mod write;

pub use attributes::Fault;

/// A scene imported from a model.
#[derive(Debug)]
pub struct Imported {
    /// The scene, TOML of format 1.
    pub text: String,
    /// Everything left out: line of the XML, and the reason.
    pub left_out: Vec<(u32, String)>,
}

/// The scene of a model.
///
/// # Errors
/// XML that is not well-formed, and values that MJCF does not allow, with line and column.
pub fn import(xml: &str) -> Result<Imported, Fault> {
    let document = roxmltree::Document::parse(xml).map_err(|error| {
        let at = error.pos();
        Fault { line: at.row, column: at.col, message: error.to_string() }
    })?;
    let model = reading::read(&document)?;
    Ok(Imported { text: write::scene(&model), left_out: model.left_out })
}
