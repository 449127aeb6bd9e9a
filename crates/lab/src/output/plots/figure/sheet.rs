//! A sheet of paper: strokes, areas and letters in points, as SVG.

use super::letters::{DEPTH, MIDDLE, below, pieces};
use super::style::FigureSize;
use plotters::prelude::RGBColor;
use std::fmt::Write;

/// A place on the sheet \[pt\], x to the right and y down from the upper left corner.
pub(super) type Place = (f64, f64);

/// Letters and lines, and their paler neighbours.
pub(super) const INK: RGBColor = RGBColor(31, 42, 55);
pub(super) const FAINT: RGBColor = RGBColor(102, 113, 127);
pub(super) const GRID: RGBColor = RGBColor(226, 230, 235);
pub(super) const PAPER: RGBColor = RGBColor(255, 255, 255);

/// Lengths of a dash and of the gap behind it, over the width of the line.
pub(super) const DASH: &[f64] = &[4.0, 2.5];

/// Side of a text at its place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Side {
    /// It begins there.
    Begin,
    /// Its middle is there.
    #[default]
    Middle,
    /// It ends there.
    End,
}

/// A line of text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Lettering {
    /// Its characters.
    pub text: String,
    /// Its place: halfway up a capital letter.
    pub at: Place,
    /// Size of letters \[pt\].
    pub size: f64,
    /// Whether they are bold.
    pub bold: bool,
    /// Their colour.
    pub colour: RGBColor,
    /// The part of the text that is at its place.
    pub side: Side,
    /// Whether it is read upwards.
    pub turned: bool,
    /// Class in the SVG: `x` and `y` are the numbers of an axis, the rest is empty.
    pub class: &'static str,
}

impl Default for Lettering {
    fn default() -> Self {
        Lettering {
            text: String::new(),
            at: (0.0, 0.0),
            size: 0.0,
            bold: false,
            colour: INK,
            side: Side::default(),
            turned: false,
            class: "",
        }
    }
}

/// Something drawn, in points.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Mark {
    /// A line through places, with the lengths of its dashes and gaps over its width; none if it is
    /// unbroken.
    Stroke { places: Vec<Place>, colour: RGBColor, width: f64, dashes: &'static [f64] },
    /// A filled polygon.
    Area { places: Vec<Place>, colour: RGBColor, opacity: f64 },
    /// A filled disc.
    Disc { at: Place, radius: f64, colour: RGBColor },
    /// A text.
    Text(Lettering),
    /// The marks that follow belong to the next panel.
    Panel,
}

/// All marks of a figure, the lower ones first.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sheet {
    /// Width and height \[pt\].
    pub size: (f64, f64),
    /// The marks.
    pub marks: Vec<Mark>,
}

impl Sheet {
    /// An empty sheet.
    pub fn new(width: f64, height: f64) -> Sheet {
        Sheet { size: (width, height), marks: Vec::new() }
    }

    /// Draws a line.
    pub fn stroke(&mut self, places: impl Into<Vec<Place>>, colour: RGBColor, width: f64) {
        self.marks.push(Mark::Stroke { places: places.into(), colour, width, dashes: &[] });
    }

    /// Fills a rectangle between two corners.
    pub fn rectangle(&mut self, [a, b]: [Place; 2], colour: RGBColor) {
        let places = vec![a, (b.0, a.1), b, (a.0, b.1)];
        self.marks.push(Mark::Area { places, colour, opacity: 1.0 });
    }

    /// Draws the border of a rectangle.
    pub fn border(&mut self, [a, b]: [Place; 2], colour: RGBColor, width: f64) {
        self.stroke([a, (b.0, a.1), b, (a.0, b.1), a], colour, width);
    }

    /// Fills a disc.
    pub fn disc(&mut self, at: Place, radius: f64, colour: RGBColor) {
        self.marks.push(Mark::Disc { at, radius, colour });
    }

    /// Draws a text; an empty one is left out.
    pub fn text(&mut self, text: Lettering) {
        if !text.text.is_empty() {
            self.marks.push(Mark::Text(text));
        }
    }

    /// The sheet as the text of an SVG file, whose width and height are in the unit of `size`.
    pub fn svg(&self, size: &FigureSize) -> String {
        let (wide, high) = (round(self.size.0), round(self.size.1));
        let [width, height] = [self.size.0, self.size.1].map(|points| size.unit.text(points));
        let mut text = format!(
            "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {wide} {high}\" \
             font-family=\"sans-serif\" xmlns=\"http://www.w3.org/2000/svg\">\n\
             <rect width=\"{wide}\" height=\"{high}\" fill=\"#FFFFFF\"/>\n"
        );
        let mut panels = 0;
        for mark in &self.marks {
            if matches!(mark, Mark::Panel) {
                let end = if panels > 0 { "</g>\n" } else { "" };
                let _ = writeln!(text, "{end}<g class=\"panel\">");
                panels += 1;
            } else {
                write_mark(mark, &mut text);
            }
        }
        text + if panels > 0 { "</g>\n</svg>\n" } else { "</svg>\n" }
    }
}

fn write_mark(mark: &Mark, text: &mut String) {
    let line = |places: &[Place]| {
        let words: Vec<String> =
            places.iter().map(|(x, y)| format!("{},{}", round(*x), round(*y))).collect();
        words.join(" ")
    };
    let _ = match mark {
        Mark::Stroke { places, colour, width, dashes } => {
            let lengths = dashes.iter().map(|length| round(length * width).to_string());
            let dash = match dashes.is_empty() {
                true => String::new(),
                false => {
                    let lengths = lengths.collect::<Vec<_>>().join(" ");
                    format!(" stroke-dasharray=\"{lengths}\"")
                }
            };
            writeln!(
                text,
                "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{dash} points=\"{}\"/>",
                hex(*colour),
                round(*width),
                line(places)
            )
        }
        Mark::Area { places, colour, opacity } => {
            // neighbours without a seam
            let opacity = match *opacity < 1.0 {
                true => format!(" opacity=\"{opacity}\""),
                false => " shape-rendering=\"crispEdges\"".into(),
            };
            let (fill, places) = (hex(*colour), line(places));
            writeln!(text, "<polygon fill=\"{fill}\"{opacity} points=\"{places}\"/>")
        }
        Mark::Disc { at: (x, y), radius, colour } => writeln!(
            text,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>",
            round(*x),
            round(*y),
            round(*radius),
            hex(*colour)
        ),
        Mark::Text(letters) => write_text(letters, text),
        Mark::Panel => Ok(()),
    };
}

fn write_text(letters: &Lettering, text: &mut String) -> std::fmt::Result {
    let anchor = match letters.side {
        Side::Begin => "start",
        Side::Middle => "middle",
        Side::End => "end",
    };
    // the baseline is below the middle; of a turned text, right of it
    let down = MIDDLE * letters.size;
    let (x, y) = letters.at;
    let (x, y) = if letters.turned { (x + down, y) } else { (x, y + down) };
    let (x, y) = (round(x), round(y));
    let class = match letters.class {
        "" => String::new(),
        class => format!(" class=\"{class}\""),
    };
    let bold = if letters.bold { " font-weight=\"bold\"" } else { "" };
    let turned = if letters.turned {
        format!(" transform=\"rotate(270, {x}, {y})\"")
    } else {
        String::new()
    };
    writeln!(
        text,
        "<text{class} x=\"{x}\" y=\"{y}\" font-size=\"{}\"{bold} text-anchor=\"{anchor}\" fill=\"{}\"{turned}>{}</text>",
        round(letters.size),
        hex(letters.colour),
        with_indices(&letters.text, letters.size)
    )
}

/// A text with its subscripts, as the content of an element.
fn with_indices(text: &str, size: f64) -> String {
    let (small, depth) = (round(below(size)), round(DEPTH * size));
    let (mut content, mut low) = (String::new(), false);
    for (piece, index) in pieces(text) {
        let piece = escaped(&piece);
        content += &match (index, low) {
            (true, _) => format!("<tspan dy=\"{depth}\" font-size=\"{small}\">{piece}</tspan>"),
            (false, true) => format!("<tspan dy=\"-{depth}\">{piece}</tspan>"),
            (false, false) => piece,
        };
        low = index;
    }
    content
}

/// A length in hundredths of a point, without the sign of a zero.
fn round(x: f64) -> f64 {
    (x * 100.0).round() / 100.0 + 0.0
}

pub(super) fn hex(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
