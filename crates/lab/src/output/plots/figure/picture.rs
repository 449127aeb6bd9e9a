//! A figure of any kind, with its file, its data and its script.

use super::contour::{self, Atlas};
use super::heat::{self, HeatMap};
use super::style::{FigureStyle, PAGE};
use super::{FigureFile, PlotError, data, drawing, write_in};
use crate::output::folder::atomic;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A figure of any kind.
#[derive(Debug, Clone, PartialEq)]
pub enum Picture {
    /// A table in colours.
    Map(Box<HeatMap>),
    /// Lines over axes.
    Lines(FigureFile),
    /// Contour maps.
    Atlas(Atlas),
}

/// The file beside a figure with another ending: `laws.csv` beside `laws.svg`.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    path.with_extension(ending)
}

/// Ending of the file with a figure's data.
pub const DATA: &str = "csv";
/// Ending of the file with a figure's script.
pub const SCRIPT: &str = "py";

/// Whether a file is the data or the script of a figure of this program: its first line says so.
pub fn is_beside(path: &Path) -> bool {
    let Ok(file) = stiction_scene::regular::open(path, u64::MAX) else { return false };
    let mut bytes = Vec::new();
    if file.take(FIRST).read_to_end(&mut bytes).is_err() {
        return false;
    }
    let text = String::from_utf8_lossy(&bytes);
    let heads =
        [&data::POINTS[..7], &data::CELLS, &data::SAMPLES[..5]].map(|names| names.join(","));
    text.starts_with(data::script::FIRST) || heads.iter().any(|head| text.starts_with(head))
}

/// Length of the beginning of a file by which it is known \[bytes\].
const FIRST: u64 = 256;

impl Picture {
    /// The picture with the origin of its numbers, for data and script; an atlas has none.
    pub fn with_source(mut self, text: &str) -> Picture {
        match &mut self {
            Picture::Map(map) => map.source = text.into(),
            Picture::Lines(figure) => figure.source = text.into(),
            Picture::Atlas(_) => {}
        }
        self
    }

    /// Names of the panels that a page has no room for, see [`FigureStyle::panels`].
    pub fn left_out(&self, style: &FigureStyle) -> Result<Vec<String>, PlotError> {
        match self {
            Picture::Lines(figure) => Ok(drawing::fitted(style.figure(figure)?, style)?.1),
            _ => Ok(Vec::new()),
        }
    }

    /// Points that the logarithmic axes chosen in a style cannot hold, in words; empty if there are none.
    pub fn left_off(&self, style: &FigureStyle) -> Result<String, PlotError> {
        match self {
            Picture::Lines(figure) if style.logarithmic.is_some() => {
                Ok(drawing::fitted(style.figure(figure)?, style)?.0.left_out())
            }
            _ => Ok(String::new()),
        }
    }

    /// Height of the picture \[pt\] where it is not chosen and more than a page has.
    pub fn beyond_page(&self, style: &FigureStyle) -> Result<Option<f64>, PlotError> {
        if style.size.height.is_some() {
            return Ok(None);
        }
        let sheet = match self {
            Picture::Map(map) => heat::sheet(&heat::styled(map, style)?, style)?,
            Picture::Lines(figure) => {
                drawing::sheet(&drawing::fitted(style.figure(figure)?, style)?.0, style)?
            }
            Picture::Atlas(atlas) => contour::sheet(atlas, style)?,
        };
        Ok(Some(sheet.size.1).filter(|high| *high > PAGE + 0.5))
    }

    /// Refuses a width or a height that does not suffice.
    pub fn check_room(&self, style: &FigureStyle) -> Result<(), PlotError> {
        match self {
            Picture::Lines(figure) => drawing::check_room(figure, style),
            _ => Ok(()),
        }
    }

    /// Writes the picture in a style as SVG, PNG or PDF, according to the file's name.
    pub fn write(&self, style: &FigureStyle, path: &Path) -> Result<(), PlotError> {
        match self {
            Picture::Map(map) => heat::write_in(map, style, path),
            Picture::Lines(figure) => write_in(figure, style, path),
            Picture::Atlas(atlas) => contour::write_in(atlas, style, path),
        }
    }

    /// Writes the data of the picture beside it, as CSV.
    pub fn write_data(&self, style: &FigureStyle, path: &Path) -> Result<(), PlotError> {
        let text = match self {
            Picture::Map(map) => data::of_map(map),
            Picture::Lines(figure) => {
                data::of_figure(&drawing::fitted(style.figure(figure)?, style)?.0)
            }
            Picture::Atlas(atlas) => data::of_atlas(atlas),
        };
        written(&beside(path, DATA), &text)
    }

    /// Writes a script beside the picture that draws it anew from its data, with matplotlib.
    pub fn write_script(&self, style: &FigureStyle, path: &Path) -> Result<(), PlotError> {
        let text = match self {
            Picture::Map(map) => data::script::of_map(&heat::styled(map, style)?, style, path),
            Picture::Lines(figure) => {
                let (figure, _) = drawing::fitted(style.figure(figure)?, style)?;
                data::script::of_figure(&figure, style, path)
            }
            Picture::Atlas(atlas) => data::script::of_atlas(atlas, style, path),
        };
        written(&beside(path, SCRIPT), &text)
    }
}

fn written(path: &Path, text: &str) -> Result<(), PlotError> {
    atomic::write(path, text.as_bytes())
        .map_err(|cause| PlotError::Io { path: path.display().to_string(), cause })
}
