//! `compare`: one scene under several integrators, steps, laws, methods, against a reference.

use crate::cli::accuracy::AccuracyOptions;
use crate::cli::failures::{baseline_failure, plan_failure, plot_failure, try_out};
use crate::cli::figure::FigureOptions;
use crate::cli::machine::StopSignal;
use crate::cli::scene::SceneOptions;
use crate::cli::terminal::{self, Exit, Failure, note, say};
use crate::cli::verify::VerifyOptions;
use std::path::{Path, PathBuf};
use std::time::Instant;
use stiction_lab::experiment::baseline::Baseline;
use stiction_lab::experiment::compare::{Comparison, compare as run_all};
use stiction_lab::experiment::list::items;
use stiction_lab::experiment::plan::Plan;
use stiction_lab::experiment::{pictures, report, table};
use stiction_lab::output::plots::figure;
use stiction_lab::output::plots::figure::picture::Picture;
use stiction_lab::run::Status;

/// Options of `compare`.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    scene: SceneOptions,
    /// Integrators, separated by commas (default: all)
    #[arg(long, value_name = "NAMES")]
    integrators: Option<String>,
    /// Steps in seconds, separated by commas (default: the scene's)
    #[arg(long, value_name = "SECONDS", conflicts_with = "accuracy")]
    steps: Option<String>,
    /// Friction laws, separated by commas, with parameters after colons: threshold:epsilon=1e-4,
    /// cundall-strack:stiffness=1e4:damping=100 (default: the scene's)
    #[arg(long, value_name = "NAMES")]
    laws: Option<String>,
    /// Thresholds ε in m/s, separated by commas, for the laws that have one
    #[arg(long, visible_alias = "epsilons", value_name = "SPEEDS")]
    epsilon: Option<String>,
    /// Contact methods, separated by commas: penalty,impulse,exact, or multiplier, which holds
    /// single particles on a plane by [[curve]] (default: the scene's). Without --integrators
    /// penalty runs under the scene's own, the others under symplectic-euler
    #[arg(long, value_name = "NAMES")]
    methods: Option<String>,
    /// Quantities that friction takes from the start of a step, for implicit methods:
    /// none,normal,basis,both
    #[arg(long, value_name = "MODES")]
    lag: Option<String>,
    /// Linear solvers, separated by commas, for implicit methods
    #[arg(long, value_name = "NAMES")]
    solvers: Option<String>,
    /// Do without a reference, which may take longer than all runs; errors are then not told
    #[arg(long)]
    no_reference: bool,
    /// The same, as in `watch` and `render`: none
    #[arg(long, value_enum, value_name = "none")]
    reference: Option<NoReference>,
    #[command(flatten)]
    verify: VerifyOptions,
    #[command(flatten)]
    accuracy: AccuracyOptions,
    /// Draw error against work, creep, energy and displacement into this file, as SVG or PNG by its
    /// ending, or PDF in a build with the feature `pdf`
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Replace a file that is there already and was not drawn by this program
    #[arg(long, requires = "plot")]
    force: bool,
    /// Write a report into this folder: report.html and report.md with the figures, table.csv,
    /// comparison.json
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// Keep the numbers as a baseline, with a tolerance for each
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    write_baseline: Option<PathBuf>,
    /// Exit with 11 and say what changed when the numbers differ from a baseline
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Runs at the same time, as far as they fit into memory together (default: one for each core)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    jobs: Option<u16>,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    #[command(flatten)]
    figure: FigureOptions,
}

/// The reference that is not computed.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
enum NoReference {
    /// Do without
    None,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// A table for people
    Table,
    /// JSON
    Json,
    /// Comma-separated values
    Csv,
}

/// Runs the verb.
pub fn compare(options: &Options) -> Result<Exit, Failure> {
    // faults of files are found before anything runs
    options.figure.check_use(options.plot.is_some())?;
    if let Some(path) = &options.plot {
        figure::FigureFormat::of(path).map_err(plot_failure)?;
    }
    let report = options.report.iter().map(|folder| folder.join("report.html"));
    let report: Vec<PathBuf> = report.collect();
    if let Some(folder) = &options.report {
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::new(Exit::Output, format!("`{}`: {error}", folder.display()))
        })?;
    }
    try_out(options.plot.iter().chain(&report))?;
    let replaced = options.plot.as_ref().map(|path| options.figure.check_file(path, options.force));
    let replaced = replaced.transpose()?.unwrap_or(false);
    let baseline = options.baseline.as_deref().map(Baseline::read).transpose();
    let baseline = baseline.map_err(baseline_failure)?;
    let (scene, _) = options.scene.load()?;
    let columns = options.scene.open(&scene)?.columns;
    check_figure(options, (&scene.title, &columns))?;
    let signal = StopSignal::listen();
    let bar = terminal::progress_of_runs(0, "comparing");
    let mut lines = Lines::default();
    let comparison = run_all(
        &plan(options)?,
        options.jobs.map_or(0, usize::from),
        &mut |label, done, total| {
            bar.set_length(total);
            bar.set_position(done);
            bar.set_message(label.to_string());
            if bar.is_hidden() {
                lines.tell(label, done, total);
            }
        },
        &|| signal.heard().is_some(),
    );
    bar.finish_and_clear();
    let mut comparison = comparison.map_err(plan_failure)?;
    if let Some(exit) = signal.heard() {
        let planned = comparison.rows.len();
        comparison.rows.retain(|row| row.trial.status != Status::Interrupted);
        match comparison.rows.len() {
            0 => say("stopped before a run had ended"),
            done => {
                show(options.format, &comparison)?;
                say(&format!("stopped: {done} of {planned} runs had ended, without references"));
            }
        }
        return Ok(exit);
    }
    show(options.format, &comparison)?;
    keep(options, &comparison, replaced)?;
    match (baseline, &options.baseline) {
        (Some(baseline), Some(path)) => Ok(judge(&baseline, &comparison, path)),
        _ => Ok(Exit::Ok),
    }
}

/// Refuses panels that the figure will not have, and a height that will not do.
fn check_figure(options: &Options, (title, columns): (&str, &[String])) -> Result<(), Failure> {
    let style = options.figure.style();
    style.check_panels(&pictures::panels(columns)).map_err(plot_failure)?;
    if options.plot.is_none() {
        return Ok(());
    }
    let referenced = !options.no_reference && options.reference.is_none();
    let outline = pictures::outline(title, referenced, &style.panels);
    options.figure.check_room(&outline)
}

fn plan(options: &Options) -> Result<Plan, Failure> {
    let scene = &options.scene;
    for (one, many, name) in [
        (&scene.integrator, &options.integrators, "integrator"),
        (&scene.step, &options.steps, "step"),
    ] {
        if one.is_some() && many.is_some() {
            let message = format!("--{name} and --{name}s contradict each other; keep the list");
            return Err(Failure::new(Exit::Usage, message));
        }
    }
    let list = |given: &Option<String>| given.as_deref().map(items).unwrap_or_default();
    let mut base = options.scene.base_verified(options.verify.of_bar()?)?;
    base.accuracy = options.accuracy.asked(&base, &[])?;
    let mut plan = Plan::of(base);
    plan.methods = list(&options.methods);
    plan.integrators = list(&options.integrators.clone().or(scene.integrator.clone()));
    plan.laws = list(&options.laws);
    plan.epsilons = list(&options.epsilon);
    plan.steps = list(&options.steps);
    plan.lags = list(&options.lag);
    plan.solvers = list(&options.solvers);
    plan.reference = !options.no_reference && options.reference.is_none();
    Ok(plan)
}

/// Progress in lines, where there is no terminal for a bar.
#[derive(Default)]
struct Lines {
    /// when the first and the last line were written
    begun: Option<[Instant; 2]>,
}

/// Wall time between two lines \[s\].
const BETWEEN_LINES: f64 = 10.0;

impl Lines {
    /// A line on the first call, and then after every ten seconds at most.
    fn tell(&mut self, label: &str, done: u64, total: u64) {
        let now = Instant::now();
        let [first, last] = *self.begun.get_or_insert([now, now]);
        if done > 0 && now.duration_since(last).as_secs_f64() < BETWEEN_LINES {
            return;
        }
        self.begun = Some([first, now]);
        let seconds = now.duration_since(first).as_secs_f64();
        let ended = if done == 0 { String::new() } else { format!(", {label} has ended") };
        say(&format!("comparing: {done} of {total} runs in {seconds:.0} s{ended}"));
    }
}

fn show(format: Format, comparison: &Comparison) -> Result<(), Failure> {
    match format {
        Format::Table => {
            if !comparison.title.is_empty() {
                terminal::print(&terminal::prose(0, &comparison.title))?;
            }
            let (header, rows) = table::cells(comparison);
            let header: Vec<&str> = header.iter().map(String::as_str).collect();
            terminal::print(&terminal::keyed(&header, &rows, comparison.axes().len()))?;
            table::law_keys(comparison).into_iter().flatten().for_each(|keys| note(&keys));
            note(&report::talk(comparison));
            Ok(())
        }
        Format::Json => {
            let document = table::json(comparison);
            let text = serde_json::to_string_pretty(&document).expect("a JSON value");
            terminal::print(&(text + "\n"))
        }
        Format::Csv => {
            for (name, why) in &comparison.left_out {
                note(&format!("left out: {name}, since {why}"));
            }
            terminal::print(&table::csv(comparison))
        }
    }
}

/// Writes the requested files.
fn keep(options: &Options, comparison: &Comparison, replaced: bool) -> Result<(), Failure> {
    if let Some(path) = &options.plot {
        let chosen = options.figure.style().panels;
        let picture = Picture::Lines(pictures::figure(comparison, &chosen));
        options.figure.write(&picture, path, replaced)?;
    }
    if let Some(folder) = &options.report {
        let page = report::write(comparison, &terminal::command(), folder)
            .map_err(|error| Failure::new(Exit::Output, error.to_string()))?;
        say(&format!("the report is in {}", page.display()));
    }
    if let Some(path) = &options.write_baseline {
        Baseline::of(comparison).write(path).map_err(baseline_failure)?;
        say(&format!(
            "the baseline is in {}; its `tolerances` say how far each number may move",
            path.display()
        ));
    }
    Ok(())
}

/// Largest number of deviations shown.
const SHOWN: usize = 40;

fn judge(baseline: &Baseline, comparison: &Comparison, path: &Path) -> Exit {
    let deviations = baseline.check(comparison);
    let (path, rows) = (path.display(), comparison.rows.len());
    if deviations.is_empty() {
        say(&format!("{rows} rows are as in {path}"));
        return Exit::Ok;
    }
    let mut lines: Vec<String> =
        deviations.iter().take(SHOWN).map(|deviation| format!("  {deviation}")).collect();
    if deviations.len() > SHOWN {
        lines.push(format!("  ... and {} more", deviations.len() - SHOWN));
    }
    let advice = "If that is meant, write it anew with --write-baseline";
    terminal::complain(&format!(
        "{} numbers or words differ from {path}:\n{}\n{advice}",
        deviations.len(),
        lines.join("\n")
    ));
    Exit::Regression
}
