//! Title and chosen plots beside a picture.

use super::cards::plots;
use super::display::Display;
use stiction_core::registry::words::{listed, nearest, quoted};

/// Title and chosen plots.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Captions {
    /// The text above the picture.
    pub title: Option<String>,
    /// Names of the only plots: measures of the scene, or those of [`plots::names`]; all if empty.
    pub plots: Vec<String>,
    /// The end of their axis of time \[s\], so that lines grow along it; that of the samples if
    /// absent.
    pub until: Option<f64>,
}

impl Captions {
    /// Checks the names of plots.
    ///
    /// # Errors
    /// The first that does not exist, with the nearest and all known ones.
    pub fn check(&self, displays: &[Display]) -> Result<(), String> {
        let known = plots::names(displays);
        let Some(wrong) = self.plots.iter().find(|name| !known.contains(name)) else {
            return Ok(());
        };
        let near = nearest(wrong, known.iter().map(String::as_str));
        let near = near.map_or(String::new(), |near| format!("did you mean {}? ", quoted(near)));
        let known = listed(&known);
        Err(format!("there is no plot {}; {near}possible are {known}", quoted(wrong)))
    }
}
