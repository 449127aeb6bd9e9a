//! Plots: a [`FigureFile`] of panels with lines over common axes, drawn as SVG, PNG or PDF.
//!
//! A figure is data: a run, a comparison or an analysis describes its figure and leaves the drawing
//! to [`write()`].

mod axes;
pub mod contour;
mod data;
mod drawing;
pub mod heat;
pub mod letters;
mod lines;
#[cfg_attr(not(feature = "pdf"), path = "no_pdf.rs")]
mod pdf;
pub mod picture;
mod pixels;
mod sheet;
pub mod style;
mod symbols;
mod ticks;

pub use pdf::WRITES_PDF;
pub use ticks::{complete, scientific, uniform, with_factor};

use crate::output::folder::atomic;
use crate::output::plots::font::{BOLD, REGULAR};
use plotters::style::{FontStyle, register_font};
use sheet::Sheet;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Once;
use style::{FigureSize, FigureStyle};

/// The family under which the built-in letters are registered. SVG viewers use their own.
pub(crate) const FONT: &str = "sans-serif";

/// Registers the program's own letters with the plotting library, under [`FONT`]. Needed before any
/// text is drawn; [`write()`] calls it.
pub(crate) fn register_fonts() {
    static DONE: Once = Once::new();
    DONE.call_once(|| {
        for (style, bytes) in [(FontStyle::Normal, REGULAR), (FontStyle::Bold, BOLD)] {
            let registered = register_font(FONT, style, bytes);
            assert!(registered.is_ok(), "the built-in font is well formed");
        }
    });
}

/// A picture of one or several panels.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FigureFile {
    /// One line above everything; may be empty. A long one is cut.
    pub title: String,
    /// One more line, smaller; may be empty.
    pub note: String,
    /// Names with their colours and styles, for all panels; their points are not drawn.
    pub legend: Vec<Series>,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
    /// A few words below everything, on points that are not drawn; may be empty.
    pub foot: String,
    /// Names of further columns of the data, see [`Series::facts`].
    pub columns: Vec<String>,
    /// Origin of the numbers, for data and script; may be empty.
    pub source: String,
}

/// One pair of axes with its series.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Panel {
    /// Names by which it can be chosen.
    pub names: Vec<String>,
    /// A few words above the panel.
    pub title: String,
    /// Quantity along x.
    pub across: PlotAxis,
    /// Quantity along y.
    pub up: PlotAxis,
    /// The lines.
    pub series: Vec<Series>,
}

/// An axis. Its range is that of the data.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlotAxis {
    /// Name and unit: `time [s]`.
    pub label: String,
    /// Whether the scale is logarithmic; values ≤ 0 are then left out.
    pub logarithmic: bool,
    /// Values that its range holds beside those of the data, for panels with equal scales.
    pub also: Option<[f64; 2]>,
}

/// Points of one line.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    /// Its name in the legend; without a name it has no entry there.
    pub name: String,
    /// Its name in the data of a figure, if it has none in the legend of its panel.
    pub known_as: String,
    /// The points in order; one that is not finite interrupts the line.
    pub points: Vec<(f64, f64)>,
    /// Style of drawing.
    pub style: Style,
    /// Index of its colour; its index in the panel if absent.
    pub colour: Option<usize>,
    /// Number of times its colour is made paler, for lines that differ in one setting.
    pub paler: u8,
    /// Number of its symbol and its dashes, for series that are told apart without colours.
    pub symbol: Option<usize>,
    /// Half lengths of the error bars of its points, not finite where there is none; empty without
    /// bars. A lower end without a place is an arrow to the lower edge.
    pub errors: Vec<f64>,
    /// Cells of each point in the further columns of the data; empty if there are none.
    pub facts: Vec<Vec<String>>,
}

/// Style of a series.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Style {
    /// A line.
    #[default]
    Line,
    /// A dashed line, for a reference.
    Dashed,
    /// A line with its points marked.
    Marked,
    /// Small points.
    Points,
    /// Red crosses over other series, for points at fault.
    Crosses,
    /// The area within the points, pale, in the colour of the series with that index.
    Band(usize),
    /// Vertical intervals in ink: three points each, lower end, middle, upper end.
    Intervals,
    /// A thin line, for a reference beside points.
    Thin,
}

impl Panel {
    /// The axes along x and y.
    pub(crate) fn axes(&self) -> [&PlotAxis; 2] {
        [&self.across, &self.up]
    }

    fn axes_mut(&mut self) -> [&mut PlotAxis; 2] {
        [&mut self.across, &mut self.up]
    }

    /// Whether a logarithmic axis, where it has one, holds a point.
    pub fn has_place(&self, (x, y): (f64, f64)) -> bool {
        (!self.across.logarithmic || x > 0.0) && (!self.up.logarithmic || y > 0.0)
    }

    /// Numbers of points of its lines whose x, and of the others those whose y, a logarithmic axis
    /// cannot hold, and of all that are finite.
    fn outside(&self) -> [usize; 3] {
        // crosses stand over points of other series
        let own =
            |series: &&Series| matches!(series.style, Style::Line | Style::Marked | Style::Points);
        let points =
            self.series.iter().filter(own).flat_map(|series| series.points.iter().copied());
        let finite: Vec<(f64, f64)> =
            points.filter(|(x, y)| x.is_finite() && y.is_finite()).collect();
        let off = |(x, _): &&(f64, f64)| self.across.logarithmic && *x <= 0.0;
        let along = finite.iter().filter(off).count();
        let all = finite.iter().filter(|point| !self.has_place(**point)).count();
        [along, all - along, finite.len()]
    }

    /// Names of the quantities along x and y, without units.
    fn quantities(&self) -> [String; 2] {
        let [x, y] = self.axes().map(|axis| axis.label.split('[').next().unwrap_or("").trim());
        let or = |name: &str, other: String| if name.is_empty() { other } else { name.into() };
        [or(x, "x".into()), or(y, self.names.join(" or "))]
    }
}

impl FigureFile {
    /// "without 12 of 200 points, where sag is not above 0", a part for each quantity; empty where all
    /// points are drawn.
    fn left_out(&self) -> String {
        let mut found: Vec<(String, usize, usize)> = Vec::new();
        for panel in &self.panels {
            let [along, upwards, all] = panel.outside();
            for (name, outside) in panel.quantities().into_iter().zip([along, upwards]) {
                match found.iter_mut().find(|(known, ..)| *known == name) {
                    Some(known) => (known.1, known.2) = (known.1 + outside, known.2 + all),
                    None => found.push((name, outside, all)),
                }
            }
        }
        let some = found.into_iter().filter(|(_, outside, _)| *outside > 0);
        let words = some.map(|(name, outside, all)| {
            format!("without {outside} of {all} points, where {name} is not above 0")
        });
        words.collect::<Vec<_>>().join("; ")
    }
}

impl Series {
    /// Its points, and the ends of their error bars.
    pub(crate) fn reach(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let bars = self.points.iter().zip(&self.errors).filter(|(_, error)| error.is_finite());
        let ends = bars.flat_map(|((x, y), error)| [(*x, y - error), (*x, y + error)]);
        self.points.iter().copied().chain(ends)
    }
}

impl PlotAxis {
    /// A linear axis.
    pub fn linear(label: impl Into<String>) -> Self {
        PlotAxis { label: label.into(), ..PlotAxis::default() }
    }

    /// A logarithmic axis.
    pub fn logarithmic(label: impl Into<String>) -> Self {
        PlotAxis { label: label.into(), logarithmic: true, ..PlotAxis::default() }
    }
}

/// Reason why a figure cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    /// The file's name does not determine a format.
    #[error("a plot is written to a file that ends in .svg, .png or .pdf, not to `{0}`")]
    Ending(String),
    /// The build does not support PDF.
    #[error(
        "this build writes no PDF: `cargo build --release --features pdf` makes one that does; .svg has the same figure"
    )]
    NoPdf,
    /// The file system refused.
    #[error("writing the plot `{path}` failed: {cause}")]
    Io {
        /// The file.
        path: String,
        /// The reason.
        cause: io::Error,
    },
    /// The figure cannot be drawn in the style asked for.
    #[error("{0}")]
    Style(String),
    /// The height of the figure does not suffice for its panels.
    #[error("{}", room(*size, *needed, *panels, *columns))]
    Room {
        /// The size.
        size: FigureSize,
        /// The least height \[pt\].
        needed: f64,
        /// Number of panels.
        panels: usize,
        /// Number of panels side by side.
        columns: usize,
    },
    /// The width of the figure does not suffice for its letters.
    #[error("{}", narrow(*size, *letters, *needed, *columns))]
    Narrow {
        /// The size.
        size: FigureSize,
        /// Size of letters \[pt\].
        letters: f64,
        /// The least width with these letters \[pt\].
        needed: f64,
        /// Number of panels side by side.
        columns: usize,
    },
    /// The drawing itself failed.
    #[error("drawing the plot failed: {0}")]
    Drawing(String),
}

/// A height that does not suffice, and the one that does, in the unit of the size.
fn room(size: FigureSize, needed: f64, panels: usize, columns: usize) -> String {
    let what = match (panels, columns) {
        (1, _) => "one panel does not fit".into(),
        (_, 1) => format!("{panels} panels below each other do not fit"),
        _ => format!("{panels} panels in {columns} columns do not fit"),
    };
    let high = size.unit.text(size.height.unwrap_or(0.0));
    let least = size.unit.rounded_up(needed);
    let rest = if panels == 1 { "" } else { ", or choose with --panels" };
    format!(
        "{what} into a height of {high}: give at least {least}, as --size \"{} x {least}\"{rest}",
        size.unit.text(size.width)
    )
}

/// A width that does not suffice for letters, the one that does, and the letters that do.
fn narrow(size: FigureSize, letters: f64, needed: f64, columns: usize) -> String {
    let what = match columns {
        1 => "a panel does not fit".into(),
        _ => format!("{columns} panels side by side do not fit"),
    };
    let high = size.height.map_or(String::new(), |high| format!(" x {}", size.unit.text(high)));
    let least = size.unit.rounded_up(needed);
    let most = style::largest_letters(letters * size.width / needed);
    let fewer = if columns > 1 { ", or fewer --columns" } else { "" };
    let letters_too = most.map_or(String::new(), |most| {
        format!(", or letters of {most} pt at most, as --font-size {most}pt")
    });
    format!(
        "{what} into a width of {} with letters of {letters} pt: give at least {least}, as --size \"{least}{high}\"{letters_too}{fewer}",
        size.unit.text(size.width)
    )
}

/// Format of a figure, from the ending of a file's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FigureFormat {
    /// Vector graphics, for documents.
    Svg,
    /// Pixels.
    Png,
    /// Vector graphics with embedded letters, for documents and slides.
    Pdf,
}

impl FigureFormat {
    /// The format from the ending of a name.
    pub fn of(path: &Path) -> Result<FigureFormat, PlotError> {
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        match ending.to_ascii_lowercase().as_str() {
            "svg" => Ok(FigureFormat::Svg),
            "png" => Ok(FigureFormat::Png),
            "pdf" if pdf::WRITES_PDF => Ok(FigureFormat::Pdf),
            "pdf" => Err(PlotError::NoPdf),
            _ => Err(PlotError::Ending(path.display().to_string())),
        }
    }
}

/// Writes a figure as SVG, PNG or PDF, according to the file's name, as wide as a page.
pub fn write(figure: &FigureFile, path: &Path) -> Result<(), PlotError> {
    write_in(figure, &FigureStyle::default(), path)
}

/// Writes a figure in a style as SVG, PNG or PDF, according to the file's name.
pub fn write_in(figure: &FigureFile, style: &FigureStyle, path: &Path) -> Result<(), PlotError> {
    keep(path, style, &drawing::sheet(&drawing::fitted(style.figure(figure)?, style)?.0, style)?)
}

/// A mark in every file that [`write()`] and its like have written.
const MARK: &str = "drawn by stiction";

/// Length of the end of a file that has the mark \[bytes\].
const END: u64 = 64;

/// Whether a file is a figure that this program has written.
pub fn is_own(path: &Path) -> bool {
    let end = || {
        let mut file = std::fs::File::open(path)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(END)))?;
        let mut end = Vec::new();
        file.take(END).read_to_end(&mut end).map(|_| end)
    };
    let holds = |end: Vec<u8>| end.windows(MARK.len()).any(|bytes| bytes == MARK.as_bytes());
    path.is_file() && end().is_ok_and(holds)
}

/// Puts the mark at the end of a file: as a comment, or as a text chunk of a PNG.
fn mark(format: FigureFormat, mut bytes: Vec<u8>) -> Vec<u8> {
    match format {
        FigureFormat::Svg => bytes.extend(format!("<!-- {MARK} -->\n").bytes()),
        FigureFormat::Pdf => bytes.extend(format!("\n% {MARK}\n").bytes()),
        FigureFormat::Png => {
            let text = format!("tEXtSoftware\0{MARK}").into_bytes();
            let length = (text.len() as u32 - 4).to_be_bytes();
            let checksum = crc32fast::hash(&text).to_be_bytes();
            // before the last chunk, which is empty
            let last = bytes.len() - 12;
            bytes.splice(last..last, [&length[..], &text, &checksum].concat());
        }
    }
    bytes
}

/// Writes the format given by the file's name.
fn keep(path: &Path, style: &FigureStyle, sheet: &Sheet) -> Result<(), PlotError> {
    let format = FigureFormat::of(path)?;
    let svg = || sheet.svg(&style.size);
    let bytes = match format {
        FigureFormat::Svg => svg().into_bytes(),
        FigureFormat::Png => pixels::png(sheet)?,
        FigureFormat::Pdf => pdf::page(&svg())?,
    };
    atomic::write(path, &mark(format, bytes))
        .map_err(|cause| PlotError::Io { path: path.display().to_string(), cause })
}

/// A figure as the text of an SVG file, as wide as a page.
pub fn svg(figure: &FigureFile) -> Result<String, PlotError> {
    let style = FigureStyle::default();
    Ok(drawing::sheet(figure, &style)?.svg(&style.size))
}

/// A figure as the bytes of a PNG file, as wide as a page.
pub fn png(figure: &FigureFile) -> Result<Vec<u8>, PlotError> {
    pixels::png(&drawing::sheet(figure, &FigureStyle::default())?)
}

#[cfg(test)]
mod tests;
