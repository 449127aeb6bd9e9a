//! The look of a figure, common to all verbs that draw one: size on paper, letters, words, scales,
//! panels.

use super::letters::LEAST;
use super::{FigureFile, PlotError};
use stiction_core::registry::words::{listed, nearest};

/// A unit of length on paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaperUnit {
    /// Inch.
    Inch,
    /// Millimetre.
    Millimetre,
    /// Centimetre.
    Centimetre,
    /// Point, 1/72 of an inch.
    Point,
}

impl PaperUnit {
    const ALL: [PaperUnit; 4] =
        [PaperUnit::Inch, PaperUnit::Millimetre, PaperUnit::Centimetre, PaperUnit::Point];

    /// Its sign.
    pub fn sign(self) -> &'static str {
        match self {
            PaperUnit::Inch => "in",
            PaperUnit::Millimetre => "mm",
            PaperUnit::Centimetre => "cm",
            PaperUnit::Point => "pt",
        }
    }

    /// Its length \[pt\].
    pub fn points(self) -> f64 {
        match self {
            PaperUnit::Inch => 72.0,
            PaperUnit::Millimetre => 72.0 / 25.4,
            PaperUnit::Centimetre => 72.0 / 2.54,
            PaperUnit::Point => 1.0,
        }
    }

    /// A length \[pt\] in this unit, rounded up to one that is soon typed: `3.4in`, `86mm`.
    pub(super) fn rounded_up(self, points: f64) -> String {
        let parts =
            if matches!(self, PaperUnit::Inch | PaperUnit::Centimetre) { 10.0 } else { 1.0 };
        format!("{}{}", (points / self.points() * parts - 1e-9).ceil() / parts, self.sign())
    }

    /// A length \[pt\] in this unit, as SVG has it: `3.3in`.
    pub(super) fn text(self, points: f64) -> String {
        format!("{}{}", (points / self.points() * 1e4).round() / 1e4, self.sign())
    }
}

/// A length with its unit, in points.
fn length(text: &str) -> Option<(f64, PaperUnit)> {
    let text = text.trim();
    let with = |unit: PaperUnit| {
        let number: f64 = text.strip_suffix(unit.sign())?.trim_end().parse().ok()?;
        (number.is_finite() && number > 0.0).then_some((number * unit.points(), unit))
    };
    PaperUnit::ALL.into_iter().find_map(with)
}

/// Size on paper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FigureSize {
    /// Width \[pt\].
    pub width: f64,
    /// Height \[pt\]; that of the content if absent.
    pub height: Option<f64>,
    /// Unit in which files state it.
    pub unit: PaperUnit,
}

/// A named width with its letters.
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// Width \[in\].
    inches: f64,
    /// Size of letters \[pt\].
    letters: f64,
}

/// The named widths.
pub const PRESETS: [Preset; 3] = [
    Preset { name: "column", inches: 3.3, letters: 8.0 },
    Preset { name: "page", inches: 6.9, letters: 9.0 },
    Preset { name: "slide", inches: 10.0, letters: 14.0 },
];

/// Height of a page \[pt\]: that of lines is no larger unless it is chosen, or panels are.
pub(super) const PAGE: f64 = 9.5 * 72.0;

/// Bounds of a side of a figure \[in\], and of letters \[pt\]: smaller ones cannot be read in print.
const SIDES: [f64; 2] = [1.0, 30.0];
const LETTERS: [f64; 2] = [LEAST, 72.0];

impl FigureSize {
    /// Size of letters that suits this width \[pt\]: that of the preset with the nearest width.
    fn letters(&self) -> f64 {
        let apart = |preset: &Preset| (preset.inches * PaperUnit::Inch.points() - self.width).abs();
        let nearest = PRESETS.iter().min_by(|a, b| apart(a).total_cmp(&apart(b)));
        nearest.map_or(LETTERS[0], |preset| preset.letters)
    }
}

impl Default for FigureSize {
    fn default() -> Self {
        let (width, height) = (PRESETS[1].inches * PaperUnit::Inch.points(), None);
        FigureSize { width, height, unit: PaperUnit::Inch }
    }
}

impl std::str::FromStr for FigureSize {
    type Err = String;

    /// Reads `column`, `3.3in` or `84mm x 60mm`.
    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(preset) = PRESETS.iter().find(|preset| preset.name == text.trim()) {
            let width = preset.inches * PaperUnit::Inch.points();
            return Ok(FigureSize { width, height: None, unit: PaperUnit::Inch });
        }
        let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        let unread = || {
            format!(
                "give a width, or a width and a height, in in, mm, cm or pt, as 3.3in or \
                 84mm x 60mm, or one of {}",
                names.join(", ")
            )
        };
        let mut sides = text.split(['x', '×']).map(length);
        let (width, unit) = sides.next().flatten().ok_or_else(unread)?;
        let height = sides.next().map(|side| side.map(|(height, _)| height).ok_or_else(unread));
        let height = height.transpose()?;
        if sides.next().is_some() {
            return Err(unread());
        }
        let inch = PaperUnit::Inch.points();
        let fits = |side: f64| (SIDES[0] * inch..=SIDES[1] * inch).contains(&side);
        if !fits(width) || height.is_some_and(|height| !fits(height)) {
            return Err(format!("a side is from {} to {} in long", SIDES[0], SIDES[1]));
        }
        Ok(FigureSize { width, height, unit })
    }
}

/// Size of letters \[pt\] from a text, `8pt` or `8`.
pub fn letters_of(text: &str) -> Result<f64, String> {
    let number = text.trim().strip_suffix("pt").unwrap_or(text).trim().parse::<f64>();
    match number {
        Ok(size) if (LETTERS[0]..=LETTERS[1]).contains(&size) => Ok(size),
        Ok(size) if size < LETTERS[0] => {
            Err(format!("smaller letters than {} pt cannot be read in print", LETTERS[0]))
        }
        _ => Err(format!("give points from {} to {}, as 8pt", LETTERS[0], LETTERS[1])),
    }
}

/// A size of letters \[pt\] rounded down to a tenth, unless it is too small to be read.
pub(super) fn largest_letters(size: f64) -> Option<f64> {
    let rounded = (size * 10.0 + 1e-6).floor() / 10.0;
    (rounded >= LETTERS[0]).then_some(rounded)
}

/// The axes that `--log` names: along x, along y, along the colours of a map.
pub fn logarithmic_of(text: &str) -> Result<[bool; 3], String> {
    match text {
        "x" => Ok([true, false, false]),
        "y" => Ok([false, true, false]),
        "xy" => Ok([true, true, false]),
        "z" => Ok([false, false, true]),
        "none" => Ok([false; 3]),
        _ => Err("give x, y, xy or none, or z for the colours of a map".into()),
    }
}

/// The look of a figure. The default is that of `page`, with the figure's own words and panels.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FigureStyle {
    /// Size on paper.
    pub size: FigureSize,
    /// Size of letters \[pt\]; by the width if absent.
    pub letters: Option<f64>,
    /// Title in place of the figure's own; an empty one leaves out title and note.
    pub title: Option<String>,
    /// Names of the axes along x and y in place of the figure's own.
    pub labels: [Option<String>; 2],
    /// Whether the axes along x and y, and the colours of a map, are logarithmic, in place of the
    /// figure's own choice.
    pub logarithmic: Option<[bool; 3]>,
    /// Names of the panels to draw, in this order; all if empty.
    pub panels: Vec<String>,
    /// Number of panels side by side; by the width if absent.
    pub columns: Option<usize>,
}

impl FigureStyle {
    /// Size of letters \[pt\].
    pub fn letters(&self) -> f64 {
        self.letters.unwrap_or_else(|| self.size.letters())
    }

    /// A title, a note and a foot in this style.
    pub(super) fn words(&self, title: &mut String, note: &mut String, foot: &mut String) {
        if let Some(own) = &self.title {
            title.clone_from(own);
            if own.is_empty() {
                note.clear();
                foot.clear();
            }
        }
    }

    /// A figure with the words, scales and panels of this style; its foot names points that scales of its
    /// choice cannot hold.
    ///
    /// # Errors
    /// A panel that does not exist, a label for axes of several quantities, a logarithm of values
    /// of which none is above 0.
    pub fn figure(&self, figure: &FigureFile) -> Result<FigureFile, PlotError> {
        let mut figure = figure.clone();
        self.words(&mut figure.title, &mut figure.note, &mut figure.foot);
        if !self.panels.is_empty() {
            let known: Vec<Vec<String>> = figure.panels.iter().map(|p| p.names.clone()).collect();
            let chosen = self.chosen(&known)?;
            figure.panels = chosen.into_iter().map(|k| figure.panels[k].clone()).collect();
        }
        if let ([panel], Some("")) = (&mut figure.panels[..], self.title.as_deref()) {
            // its axes have names
            panel.title.clear();
        }
        for (side, label) in self.labels.iter().enumerate() {
            let Some(label) = label else { continue };
            let mut own: Vec<&String> =
                figure.panels.iter().map(|panel| &panel.axes()[side].label).collect();
            own.dedup();
            if own.len() > 1 {
                return Err(PlotError::Style(format!(
                    "--{}-label names one quantity, and the panels have {}: choose with --panels among {}",
                    ["x", "y"][side],
                    own.len(),
                    names(figure.panels.iter().map(|panel| &panel.names[..]))
                )));
            }
            figure.panels.iter_mut().for_each(|p| p.axes_mut()[side].label.clone_from(label));
        }
        if let Some([x, y, z]) = self.logarithmic {
            if z {
                let why = "--log z is of the colours of a map; these are lines: x, y, xy or none";
                return Err(PlotError::Style(why.into()));
            }
            scale(&mut figure, [x, y])?;
            if self.title.as_deref() != Some("") {
                let parts = [std::mem::take(&mut figure.foot), figure.left_out()];
                figure.foot = parts
                    .into_iter()
                    .filter(|part| !part.is_empty())
                    .collect::<Vec<_>>()
                    .join("; ");
            }
        }
        Ok(figure)
    }

    /// Refuses panels, and scales unless they are `scaled`, for figures that have no choice of them.
    pub(super) fn only_words(&self, what: &str, scaled: bool) -> Result<(), PlotError> {
        let refused = |option: &str, why: &str| {
            Err(PlotError::Style(format!("{what} does not follow {option}: {why}; leave it out")))
        };
        if self.logarithmic.is_some() && !scaled {
            return refused("--log", "its scales are those of its values");
        }
        if !self.panels.is_empty() {
            return refused("--panels", "all of it is one figure");
        }
        Ok(())
    }

    /// Refuses panels that a figure with these does not have.
    pub fn check_panels(&self, known: &[Vec<String>]) -> Result<(), PlotError> {
        self.chosen(known).map(|_| ())
    }

    /// Indices of the chosen panels, each once.
    fn chosen(&self, known: &[Vec<String>]) -> Result<Vec<usize>, PlotError> {
        let mut chosen = Vec::new();
        for name in &self.panels {
            let Some(found) = known.iter().position(|names| names.contains(name)) else {
                let near = nearest(name, known.iter().flatten().map(String::as_str));
                let near = near.map_or(String::new(), |near| format!(", did you mean `{near}`?"));
                let all = names(known.iter().map(|names| &names[..]));
                return Err(PlotError::Style(format!(
                    "the figure has no panel `{name}`{near} (known: {all})"
                )));
            };
            if !chosen.contains(&found) {
                chosen.push(found);
            }
        }
        Ok(chosen)
    }
}

/// Gives all panels logarithmic axes, along x and y as chosen.
///
/// # Errors
/// No point of a panel has a place there.
fn scale(figure: &mut FigureFile, logarithmic: [bool; 2]) -> Result<(), PlotError> {
    for panel in &mut figure.panels {
        for (side, log) in logarithmic.into_iter().enumerate() {
            panel.axes_mut()[side].logarithmic = log;
        }
        if !panel
            .series
            .iter()
            .flat_map(|series| &series.points)
            .any(|point| panel.has_place(*point))
        {
            return Err(PlotError::Style(format!(
                "--log: no point of the panel `{}` has values above 0 there; leave the axis out of --log, or the panel out with --panels",
                panel.names.first().map_or("", String::as_str)
            )));
        }
    }
    Ok(())
}

/// Names of panels in a list.
fn names<'a>(panels: impl Iterator<Item = &'a [String]>) -> String {
    let names: Vec<&String> = panels.flatten().collect();
    listed(&names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_their_units() {
        let size = |text: &str| text.parse::<FigureSize>();
        let column = size("column").expect("a preset");
        assert!((column.width - 237.6).abs() < 1e-9 && column.height.is_none());
        assert_eq!(column.unit.text(column.width), "3.3in");
        let both = size("84mm x 2.4in").expect("a size");
        assert!((both.width - 84.0 * 72.0 / 25.4).abs() < 1e-9);
        assert_eq!((both.height, both.unit), (Some(2.4 * 72.0), PaperUnit::Millimetre));
        assert_eq!(size("8.4cmx6cm").map(|s| s.unit), Ok(PaperUnit::Centimetre));
        for wrong in ["", "3.3", "3.3em", "-3in", "3in x", "3in x 2in x 1in", "nanin", "400in"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn letters_suit_the_width_and_are_never_small() {
        let letters = |text: &str| {
            let size = text.parse().expect("a size");
            FigureStyle { size, ..FigureStyle::default() }.letters()
        };
        assert_eq!(["column", "84mm", "page", "slide"].map(letters), [8.0, 8.0, 9.0, 14.0]);
        assert_eq!((letters_of("8pt"), letters_of("7.5")), (Ok(8.0), Ok(7.5)));
        assert!(letters_of("6.9pt").is_err_and(|why| why.contains("7 pt")));
        assert!(letters_of("8px").is_err() && letters_of("400pt").is_err());
    }
}
