//! Python scripts that draw figures anew from their CSV, with matplotlib.

use super::super::FigureFile;
use super::super::contour::Atlas;
use super::super::heat::HeatMap;
use super::super::style::FigureStyle;
use std::path::Path;

const LINES: &str = include_str!("lines.py");
const MAP: &str = include_str!("map.py");
const ATLAS: &str = include_str!("atlas.py");

/// The script of a figure of lines.
pub(in super::super) fn of_figure(figure: &FigureFile, style: &FigureStyle, path: &Path) -> String {
    let panel = |panel: &super::super::Panel| {
        let [x, y] = panel.axes();
        format!(
            "    ({}, {}, {}, {}, {}),\n",
            text(&panel.title),
            text(&x.label),
            text(&y.label),
            truth(x.logarithmic),
            truth(y.logarithmic)
        )
    };
    let panels: String = figure.panels.iter().map(panel).collect();
    let own = format!(
        "# title, names of the axes along x and y, whether they are logarithmic\nPANELS = [\n{panels}]\n"
    );
    head(&figure.title, style, path) + &own + LINES
}

/// The script of a heat map.
pub(in super::super) fn of_map(map: &HeatMap, style: &FigureStyle, path: &Path) -> String {
    let own = format!(
        "X, Y, VALUE = {}, {}, {}\nLOG = {}\n",
        text(&map.across.label),
        text(&map.up.label),
        text(&map.value.label),
        truth(map.value.logarithmic)
    );
    head(&map.title, style, path) + &own + MAP
}

/// The script of an atlas.
pub(in super::super) fn of_atlas(atlas: &Atlas, style: &FigureStyle, path: &Path) -> String {
    let mut levels = atlas.rows.iter().flat_map(|(_, maps)| maps).map(|map| &map.levels[..]);
    let levels = levels.next().unwrap_or_default();
    let own =
        format!("X, Y = {}, {}\nLEVELS = {levels:?}\n", text(&atlas.axes[0]), text(&atlas.axes[1]));
    head(&atlas.title, style, path) + &own + ATLAS
}

/// The beginning common to all scripts.
fn head(title: &str, style: &FigureStyle, path: &Path) -> String {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    // a figure that is a PDF itself is not replaced
    let own = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pdf"));
    let drawn = if own { format!("{name}.matplotlib") } else { name.to_string() };
    let inches = |points: f64| format!("{:.4}", points / 72.0);
    let high = style.size.height.map_or("None".into(), inches);
    format!(
        "{FIRST}{0}.csv anew, with matplotlib, into {5}.pdf.\"\"\"\n\n\
         import csv\nimport pathlib\nimport sys\n\ntry:\n    import matplotlib\n\
         except ModuleNotFoundError:\n    sys.exit(\"this script draws with matplotlib, which is \
         missing here: python3 -m pip install matplotlib\")\n\nmatplotlib.use(\"agg\")\n\
         import matplotlib.pyplot as plt\n\n\
         NAME, DRAWN = {1}, {6}\nTITLE = {2}\n# inches; a height of None is that of the content\n\
         WIDTH, HEIGHT = {3}, {high}\n# points\nLETTERS = {4}\n",
        plain(&name),
        text(&name),
        text(style.title.as_deref().unwrap_or(title)),
        inches(style.size.width),
        style.letters(),
        plain(&drawn),
        text(&drawn)
    )
}

/// The beginning of every script.
pub(in super::super) const FIRST: &str = "\"\"\"Draws the numbers of ";

/// A name within a docstring.
fn plain(name: &str) -> String {
    name.replace('\\', "/").replace('"', "'")
}

/// A text as a literal of Python.
fn text(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_else(|_| "\"\"".into())
}

fn truth(value: bool) -> &'static str {
    if value { "True" } else { "False" }
}
