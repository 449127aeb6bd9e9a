//! Python scripts that draw figures anew from their CSV, with matplotlib.

use super::super::FigureFile;
use super::super::contour::{Atlas, Map};
use super::super::drawing;
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
            words(&panel.title),
            words(&x.label),
            words(&y.label),
            truth(x.logarithmic),
            truth(y.logarithmic)
        )
    };
    let panels: String = figure.panels.iter().map(panel).collect();
    let own = format!(
        "# title, names of the axes along x and y, whether they are logarithmic\nPANELS = [\n{panels}]\n"
    );
    let equal = figure.panels.iter().all(|panel| panel.up.also.is_some());
    let columns = drawing::columns(figure.panels.len(), style);
    let shared = truth(equal && figure.panels.len() > 1);
    let own = format!(
        "{own}# panels side by side, and whether all have the same scales\n\
         COLUMNS, SHARED = {columns}, {shared}\n"
    );
    script((&figure.title, &figure.source), style, path, own + LINES)
}

/// The script of a heat map.
pub(in super::super) fn of_map(map: &HeatMap, style: &FigureStyle, path: &Path) -> String {
    let own = format!(
        "X, Y, VALUE = {}, {}, {}\nLOG = {}\n",
        words(&map.across.label),
        words(&map.up.label),
        words(&map.value.label),
        truth(map.value.logarithmic)
    );
    script((&map.title, &map.source), style, path, own + MAP)
}

/// The script of an atlas.
pub(in super::super) fn of_atlas(atlas: &Atlas, style: &FigureStyle, path: &Path) -> String {
    let maps = || atlas.rows.iter().flat_map(|(_, maps)| maps);
    let levels = maps().map(|map| &map.levels[..]).next().unwrap_or_default();
    let group = |(heading, maps): &(String, Vec<Map>)| {
        format!("    ({}, {}),\n", words(heading), maps.len())
    };
    let groups: String = atlas.rows.iter().map(group).collect();
    let dotted = maps().enumerate().filter(|(_, map)| !map.marks.is_empty());
    let dots: String =
        dotted.map(|(number, map)| format!("    {number}: {:?},\n", map.marks)).collect();
    let own = format!(
        "X, Y = {}, {}\nLEVELS = {levels:?}\n# headings, each with its number of maps\n\
         GROUPS = [\n{groups}]\n# points marked in a map, by its number\nDOTS = {{\n{dots}}}\n",
        words(&atlas.axes[0]),
        words(&atlas.axes[1])
    );
    script((&atlas.title, ""), style, path, own + ATLAS)
}

/// A script: the beginning common to all, with the modules that its `body` uses, and that body.
fn script((title, source): (&str, &str), style: &FigureStyle, path: &Path, body: String) -> String {
    let uses = |module: &str| body.contains(&format!("{module}."));
    let where_used = |module: &str, line: &'static str| if uses(module) { line } else { "" };
    let math = where_used("math", "import math\n");
    let textwrap = where_used("textwrap", "import textwrap\n");
    let ticker = where_used("ticker", "from matplotlib import ticker\n");
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    // a figure that is a PDF itself is not replaced
    let own = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pdf"));
    let drawn = if own { format!("{name}.matplotlib") } else { name.to_string() };
    let inches = |points: f64| format!("{:.4}", points / 72.0);
    let from = match source {
        "" => String::new(),
        source => format!("\n\nThey are from {}.\n", plain(source)),
    };
    let high = style.size.height.map_or("None".into(), inches);
    format!(
        "{FIRST}{0}.csv anew, with matplotlib, into {5}.pdf.{from}\"\"\"\n\n\
         import csv\n{math}import pathlib\nimport sys\n{textwrap}\ntry:\n    import matplotlib\n\
         except ModuleNotFoundError:\n    sys.exit(\"this script draws with matplotlib, which is \
         missing here: python3 -m pip install matplotlib\")\n\nmatplotlib.use(\"agg\")\n\
         import matplotlib.pyplot as plt\n{ticker}\n\
         NAME, DRAWN = {1}, {6}\nTITLE = {2}\n# inches; a height of None is that of the content\n\
         WIDTH, HEIGHT = {3}, {high}\n# points\nLETTERS = {4}\n{body}",
        plain(&name),
        text(&name),
        words(style.title.as_deref().unwrap_or(title)),
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

/// A text that is drawn, as a literal of Python; a dollar sign begins no formula.
fn words(drawn: &str) -> String {
    text(&drawn.replace('$', "\\$"))
}

/// A text as a literal of Python.
fn text(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_else(|_| "\"\"".into())
}

fn truth(value: bool) -> &'static str {
    if value { "True" } else { "False" }
}
