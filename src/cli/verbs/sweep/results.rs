//! `sweep collect` and `sweep plot`: the results of a sweep.

use super::damage;
use crate::cli::failures::folder_failure;
use crate::cli::figure::FigureOptions;
use crate::cli::terminal::{self, Exit, Failure, say};
use std::path::{Path, PathBuf};
use stiction_core::registry::words::{LISTED, listed};
use stiction_lab::experiment::sweep::collect::{CollectedCell, CollectedRows, CollectedTable};
use stiction_lab::experiment::sweep::folder::{Folder, FolderPlan};
use stiction_lab::experiment::sweep::grid::SweepAxis;
use stiction_lab::experiment::sweep::means::PointMeans;
use stiction_lab::experiment::sweep::plot::{Request, picture};
use stiction_lab::experiment::trial::COUNTERS;
use stiction_lab::output::arrays::column::Column;
use stiction_lab::output::arrays::parquet;
use stiction_lab::output::folder::atomic;

/// Product made of the results.
#[derive(clap::Subcommand)]
pub enum Verb {
    /// Write the results as a table, one row per job
    Collect(Collect),
    /// Draw a figure of the results over one or two of the varied keys
    Plot(Box<ResultsPlot>),
}

/// Options of `sweep collect`.
#[derive(clap::Args)]
pub struct Collect {
    /// The folder of the sweep
    dir: PathBuf,
    /// Write to this file, .csv or .parquet by its ending, instead of CSV to stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs the verb.
pub fn show(verb: &Verb) -> Result<Exit, Failure> {
    match verb {
        Verb::Collect(options) => collect(options),
        Verb::Plot(options) => plot(options),
    }
}

/// Options of `sweep plot`.
#[derive(clap::Args)]
pub struct ResultsPlot {
    /// The folder of the sweep
    dir: PathBuf,
    /// The key from left to right; its end is enough, such as epsilon. A column of numbers, such as
    /// hlambda, gives points
    #[arg(long, value_name = "KEY")]
    x: String,
    /// The key upwards: a heat map
    #[arg(long, value_name = "KEY", conflicts_with = "by")]
    y: Option<String>,
    /// One line for each value of this key (repeatable: one for each combination of values)
    #[arg(long, value_name = "KEY")]
    by: Vec<String>,
    /// One panel for each value of this key, all with the same scales (repeatable)
    #[arg(long, value_name = "KEY", conflicts_with = "y")]
    panels_by: Vec<String>,
    /// Column to draw: one of the numbers of `sweep collect`, such as creep
    #[arg(long, value_name = "NAME")]
    value: Option<String>,
    /// Another column as a thin line beside the points, such as law_creep (repeatable)
    #[arg(long, value_name = "NAME", conflicts_with = "y")]
    line: Vec<String>,
    /// Error bars, from the column NAME_error of a sweep with --verify
    #[arg(long, value_enum, default_value_t = Bars::On)]
    errors: Bars,
    /// Draw only jobs with this setting, or this result, such as trusted=true (repeatable); a number
    /// matches the only value that rounds to it
    #[arg(long = "where", value_name = "KEY=VALUE", value_parser = held)]
    held: Vec<(String, String)>,
    /// The picture, .svg or .png by its ending, or .pdf in a build with the feature `pdf`
    #[arg(short, long, visible_alias = "plot", value_name = "FILE")]
    output: PathBuf,
    /// Replace a file that is there already and was not drawn by this program
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    figure: FigureOptions,
}

/// Whether error bars are drawn.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Bars {
    /// Where the results have them
    On,
    /// None
    Off,
}

/// Parses KEY=VALUE.
fn held(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write KEY=VALUE")?;
    Ok((key.trim().into(), value.trim().into()))
}

fn plot(options: &ResultsPlot) -> Result<Exit, Failure> {
    // a wrong ending is found before anything is read
    let replaced = options.figure.check_file(&options.output, options.force)?;
    let folder = opened(&options.dir)?;
    let table = CollectedTable::of(&rows(&folder)?).map_err(folder_failure)?;
    let Some(value) = options.value.clone() else { return Err(without_value(options, &table)) };
    let request = Request {
        x: options.x.clone(),
        y: options.y.clone(),
        by: options.by.clone(),
        panels_by: options.panels_by.clone(),
        value,
        lines: options.line.clone(),
        without_errors: options.errors == Bars::Off,
        logarithmic: options.figure.style().logarithmic,
        held: options.held.clone(),
    };
    let means = PointMeans::of(&folder);
    let drawn = picture(&table, &folder.plan.grid.axes, &means, &request)
        .map_err(|why| Failure::new(Exit::Usage, why))?;
    drawn.remarks.iter().for_each(|remark| say(remark));
    let picture = drawn.picture.with_source(&source(&options.dir, &folder.plan));
    options.figure.write(&picture, &options.output, replaced)?;
    Ok(Exit::Ok)
}

/// The refusal of a figure without a quantity.
fn without_value(options: &ResultsPlot, table: &CollectedTable) -> Failure {
    let numbers = table.columns.iter().filter(|column| !column.unit.is_empty());
    let names: Vec<&str> = numbers.map(|column| column.name.as_str()).collect();
    let meant = options.y.as_ref().filter(|y| table.column(y).is_some());
    let (name, why) = match meant {
        Some(y) => (y.as_str(), " (--y is a second key, for a map in colours)"),
        None => ("NAME", ""),
    };
    let message = format!(
        "--value is missing: --value {name} names the quantity that is drawn{why}, one of {}",
        listed(&names)
    );
    Failure::new(Exit::Usage, message)
}

/// Origin of the numbers of a sweep: folder, program, settings.
fn source(dir: &Path, plan: &FolderPlan) -> String {
    let name = dir.canonicalize().ok().and_then(|dir| Some(dir.file_name()?.to_owned()));
    let name = name.map_or_else(|| dir.display().to_string(), |name| name.to_string_lossy().into());
    let axis = |axis: &SweepAxis| axis.key.clone();
    let varied: Vec<String> = plan.grid.axes.iter().map(axis).collect();
    let mut parts = vec![
        format!("the sweep {name} of {} jobs", plan.jobs),
        plan.stiction.clone(),
        format!("scene {:.12}", plan.scene_sha256),
        format!("varied {}", varied.join(" ")),
    ];
    parts.extend((!plan.set.is_empty()).then(|| format!("set {}", plan.set.join(" "))));
    parts.extend(plan.verify.as_ref().map(|means| format!("verified by {means}")));
    parts.join("; ")
}

fn collect(options: &Collect) -> Result<Exit, Failure> {
    let folder = opened(&options.dir)?;
    let rows = rows(&folder)?;
    let Some(path) = &options.output else {
        terminal::print(&csv(&rows)?)?;
        return Ok(Exit::Ok);
    };
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let unwritten = |error: &dyn std::fmt::Display| {
        Failure::new(Exit::Output, format!("writing `{}` failed: {error}", path.display()))
    };
    let bytes = match ending.as_str() {
        "csv" => csv(&rows)?.into_bytes(),
        "parquet" => {
            let table = CollectedTable::of(&rows).map_err(folder_failure)?;
            parquet::bytes(&columns(&table)).map_err(|error| unwritten(&error))?
        }
        _ => {
            let message = format!(
                "a table is written to a file that ends in .csv or .parquet, not to `{}`",
                path.display()
            );
            return Err(Failure::new(Exit::Usage, message));
        }
    };
    atomic::write(path, &bytes).map_err(|error| unwritten(&error))?;
    Ok(Exit::Ok)
}

/// Columns of texts, even if no job has one.
const TEXTS: [&str; 5] = ["status", "level", "reasons", "state_hash", "message"];

/// Columns for Parquet: counts by their names, texts if any cell is one, flags if all are, else
/// numbers.
fn columns(table: &CollectedTable) -> Vec<(String, Column)> {
    let typed = |name: &str, cells: &[CollectedCell]| {
        let is = |kind: fn(&CollectedCell) -> bool| {
            cells.iter().all(|cell| *cell == CollectedCell::Empty || kind(cell))
        };
        let texts = || {
            let text =
                |cell: &CollectedCell| (*cell != CollectedCell::Empty).then(|| cell.to_string());
            Column::Texts(cells.iter().map(text).collect())
        };
        if TEXTS.contains(&name) {
            texts()
        } else if name == "job" || COUNTERS.contains(&name) {
            let count = |cell: &CollectedCell| cell.number().map(|x| x as i64);
            Column::Counts(cells.iter().map(count).collect())
        } else if is(|cell| matches!(cell, CollectedCell::Number(_))) {
            Column::Numbers(cells.iter().map(CollectedCell::number).collect())
        } else if is(|cell| matches!(cell, CollectedCell::Flag(_))) {
            let flag = |cell: &CollectedCell| {
                (*cell != CollectedCell::Empty).then_some(*cell == CollectedCell::Flag(true))
            };
            Column::Flags(cells.iter().map(flag).collect())
        } else {
            texts()
        }
    };
    table
        .columns
        .iter()
        .map(|column| (column.name.clone(), typed(&column.name, &column.cells)))
        .collect()
}

/// The folder of a sweep; reports damaged results.
fn opened(dir: &Path) -> Result<Folder, Failure> {
    let folder = Folder::open(dir).map_err(folder_failure)?;
    if let Some(damage) = damage(&folder.damaged().map_err(folder_failure)?) {
        say(&format!("warning: {damage}"));
    }
    Ok(folder)
}

/// The rows of its table; reports missing results.
fn rows(folder: &Folder) -> Result<CollectedRows<'_>, Failure> {
    let rows = CollectedRows::of(folder).map_err(folder_failure)?;
    let (missing, first) = rows.missing(LISTED);
    if missing > 0 {
        let first: Vec<String> = first.iter().map(usize::to_string).collect();
        let more = if missing > LISTED { ", …" } else { "" };
        let first = first.join(", ");
        say(&format!("{missing} of {} jobs have no result yet: {first}{more}", rows.count()));
    }
    Ok(rows)
}

/// The table as text, row by row.
fn csv(rows: &CollectedRows) -> Result<String, Failure> {
    rows.check_text().map_err(folder_failure)?;
    let mut writer = csv::Writer::from_writer(Vec::new());
    let every = "a vector takes every byte";
    writer.write_record(rows.headings.iter().map(|(name, _)| name)).expect(every);
    for row in rows.rows() {
        writer.write_record(row.iter().map(CollectedCell::to_string)).expect(every);
        rows.check_length(writer.get_ref().len()).map_err(folder_failure)?;
    }
    let bytes = writer.into_inner().expect("a vector takes every byte");
    Ok(String::from_utf8(bytes).expect("every cell is a text"))
}
