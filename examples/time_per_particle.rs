//! The figure of docs/maintainers/performance.md: time of a step per particle over their number, from
//! the table `sizes` of that page. `benches/report sizes` measures the table and draws the figure.
//!
//! `cargo run --release --example time_per_particle`

use std::error::Error;
use std::path::Path;
use stiction_lab::output::plots::figure::style::FigureStyle;
use stiction_lab::output::plots::figure::{FigureFile, Panel, PlotAxis, Series, Style, write_in};

const PAGE: &str = "docs/maintainers/performance.md";
const FIGURE: &str = "docs/figures/time_per_particle.svg";

/// Largest time over that of the smallest size; the goal of the table.
const GOAL: f64 = 1.25;

/// Numbers of particles with the times of a step and of its springs alone \[ns a particle\].
fn rows(page: &str) -> Vec<[f64; 3]> {
    let table = page.split("<!-- table sizes -->").nth(1).unwrap_or_default();
    let table = table.split("<!-- end -->").next().unwrap_or_default();
    let cells = table.lines().map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    let numbers = cells.filter_map(|cells| {
        let cell = |k: usize| cells.get(k)?.parse::<f64>().ok();
        Some([cell(2)?, cell(3)?, cell(4)?])
    });
    numbers.collect()
}

fn figure(rows: &[[f64; 3]]) -> FigureFile {
    let times = |name: &str, k: usize| Series {
        name: name.into(),
        points: rows.iter().map(|row| (row[0], row[k])).collect(),
        style: Style::Marked,
        ..Series::default()
    };
    let least = rows.first().map_or(f64::NAN, |row| GOAL * row[1]);
    let goal = Series {
        name: format!("{GOAL} × the first step"),
        points: rows.iter().map(|row| (row[0], least)).collect(),
        style: Style::Dashed,
        ..Series::default()
    };
    let panel = Panel {
        across: PlotAxis::logarithmic("particles"),
        up: PlotAxis::linear("time [ns a particle]"),
        series: vec![times("step", 1), times("springs alone", 2), goal],
        ..Panel::default()
    };
    let title = "Time of a step per particle".into();
    FigureFile { title, panels: vec![panel], ..FigureFile::default() }
}

fn main() -> Result<(), Box<dyn Error>> {
    let rows = rows(&std::fs::read_to_string(PAGE)?);
    if rows.is_empty() {
        return Err(format!("{PAGE} has no table `sizes`").into());
    }
    let column = FigureStyle { size: "column".parse()?, ..FigureStyle::default() };
    write_in(&figure(&rows), &column, Path::new(FIGURE))?;
    Ok(())
}
