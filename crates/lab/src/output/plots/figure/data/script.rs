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
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let inches = |points: f64| format!("{:.4}", points / 72.0);
    let high = style.size.height.map_or("None".into(), inches);
    format!(
        "\"\"\"Draws the numbers of {0}.csv anew, with matplotlib, into {0}.pdf.\"\"\"\n\n\
         import csv\nimport pathlib\n\nimport matplotlib\n\nmatplotlib.use(\"agg\")\n\
         import matplotlib.pyplot as plt\n\n\
         NAME = {1}\nTITLE = {2}\n# inches; a height of None is that of the content\n\
         WIDTH, HEIGHT = {3}, {high}\n# points\nLETTERS = {4}\n",
        name.replace('\\', "/").replace('"', "'"),
        text(&name),
        text(style.title.as_deref().unwrap_or(title)),
        inches(style.size.width),
        style.letters()
    )
}

/// A text as a literal of Python.
fn text(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_else(|_| "\"\"".into())
}

fn truth(value: bool) -> &'static str {
    if value { "True" } else { "False" }
}
