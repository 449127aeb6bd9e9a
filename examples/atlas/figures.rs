//! The figures of the atlas.

use super::judge::{Run, Survey};
use super::plan::holds;
use std::error::Error;
use std::path::Path;
use stiction_core::math::{larger, smaller};
use stiction_lab::output::plots::figure::heat::{self, Cell, HeatAxis, HeatMap, HeatMark};
use stiction_lab::output::plots::figure::style::FigureStyle;
use stiction_lab::output::plots::figure::{FigureFile, Panel, PlotAxis, Series, Style, write_in};

/// Least creep in figures: smaller creep is drawn as this \[m/s\].
const LEAST_CREEP: f64 = 1e-9;

/// Least and largest error in figures, as a share of the creep; errors beyond are drawn as these.
const ERRORS: [f64; 2] = [1e-3, 1e2];

/// As many laws as there are colours; the rest is in the tables.
const SHOWN_LAWS: [&str; 8] =
    ["threshold", "cubic", "quintic", "tanh", "viscous-cap", "cundall-strack", "dahl", "lugre"];

const SHOWN_METHODS: [&str; 8] = [
    "explicit-euler",
    "symplectic-euler",
    "velocity-verlet",
    "rk4",
    "dopri5",
    "rk45",
    "implicit-euler",
    "trapezoid",
];

/// The stiffness at rest for which errors are drawn over the step, as the ε of the threshold law
/// \[m/s\].
pub const LOOKED_AT: f64 = 1e-3;

/// Draws all figures of which there are results into a folder.
pub fn draw(surveys: &[Survey<'_>], folder: &Path) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    let at = |name: &str| folder.join(format!("atlas_{name}.svg"));
    let column = FigureStyle { size: "column".parse()?, ..FigureStyle::default() };
    let lines = |figure: &FigureFile, name: &str| write_in(figure, &column, &at(name));
    lines(&fronts(surveys), "fronts")?;
    lines(&prices(surveys), "prices")?;
    let particle = &surveys[0];
    let note = |of: &str| format!("{}, {of}", particle.study.name);
    let methods = steps(particle, &|run| run.law == "threshold", &|run| &run.method);
    heat::write_in(
        &HeatMap {
            title: "Error of the creep: methods under the threshold law".into(),
            note: note("threshold law, ε = 1e-3 m/s"),
            ..methods
        },
        &column,
        &at("methods"),
    )?;
    let laws = steps(particle, &|run| run.method == "rk4", &|run| run.law);
    heat::write_in(
        &HeatMap {
            title: "Error of the creep: laws under rk4".into(),
            note: note("all as stiff at rest as threshold at ε = 1e-3 m/s"),
            ..laws
        },
        &column,
        &at("laws"),
    )?;
    lines(&spurious(particle), "spurious")?;
    let soft = &surveys[surveys.len().min(2)..];
    if !soft.is_empty() {
        lines(&soft_bodies(soft), "soft")?;
    }
    Ok(())
}

/// The cheapest sound run of each law at each stiffness.
fn fronts(surveys: &[Survey<'_>]) -> FigureFile {
    let panel = |survey: &Survey<'_>| {
        let line = |law: &&str| {
            let found =
                survey.study.epsilons.iter().filter_map(|e| survey.best(law, *e, &|_| true));
            let point = |run: &Run| (larger(run.drift.abs(), LEAST_CREEP), run.cost);
            let points = found.map(point).collect();
            let colour = SHOWN_LAWS.iter().position(|known| known == law);
            let (name, style) = (law.to_string(), Style::Marked);
            Series { name, points, style, colour, ..Series::default() }
        };
        let laws = SHOWN_LAWS.iter().filter(|law| survey.study.laws.contains(law));
        Panel {
            title: survey.study.title.into(),
            across: PlotAxis::logarithmic("creep [m/s], 1e-9 stands for less"),
            up: PlotAxis::logarithmic("CPU seconds per second"),
            series: laws.map(line).collect(),
            ..Panel::default()
        }
    };
    FigureFile {
        title: "What little creep costs".into(),
        note: "the cheapest sound run of each law, one point for each stiffness at rest".into(),
        panels: surveys.iter().map(panel).collect(),
        ..FigureFile::default()
    }
}

/// The cheapest sound run of each method against stiffness, under two laws.
fn prices(surveys: &[Survey<'_>]) -> FigureFile {
    let panel = |law: &str| {
        let survey = &surveys[0];
        let line = |method: &&str| {
            let of = |run: &Run| run.method == *method;
            let found = survey.study.epsilons.iter().filter_map(|e| survey.best(law, *e, &of));
            let point = |run: &Run| (survey.study.damping(run.epsilon), run.cost);
            Series {
                name: method.to_string(),
                points: found.map(point).collect(),
                style: Style::Marked,
                ..Series::default()
            }
        };
        Panel {
            title: format!("{}, {law}", survey.study.name),
            across: PlotAxis::logarithmic("stiffness at rest [N·s/m]"),
            up: PlotAxis::logarithmic("CPU seconds per second"),
            series: SHOWN_METHODS.iter().map(line).collect(),
            ..Panel::default()
        }
    };
    FigureFile {
        title: "What stiffness costs, method by method".into(),
        note: "the cheapest sound run at each stiffness".into(),
        panels: vec![panel("threshold"), panel("cundall-strack")],
        ..FigureFile::default()
    }
}

/// Errors over the step, one row for each name.
fn steps<'r>(
    survey: &'r Survey<'_>,
    of: &dyn Fn(&Run) -> bool,
    name: &dyn Fn(&'r Run) -> &'r str,
) -> HeatMap {
    let runs = survey.runs.iter().filter(|run| of(run) && run.epsilon == LOOKED_AT);
    let runs: Vec<&Run> = runs.collect();
    let (mut names, mut columns) = (Vec::new(), Vec::new());
    for run in &runs {
        if !names.contains(&name(run)) {
            names.push(name(run));
        }
        if !columns.contains(&run.h) {
            columns.push(run.h);
        }
    }
    columns.sort_by(f64::total_cmp);
    // rows are counted from below: the first row of the table of methods comes to the top
    names.reverse();
    let mut cells = vec![vec![Cell::default(); columns.len()]; names.len()];
    for run in runs {
        let row = names.iter().position(|known| *known == name(run));
        let column = columns.iter().position(|known| *known == run.h);
        if let (Some(row), Some(column)) = (row, column) {
            cells[row][column] = cell(run);
        }
    }
    let rate = survey.study.rate(LOOKED_AT);
    HeatMap {
        across: HeatAxis {
            label: "h λ, the step in units of the friction rate at rest".into(),
            marks: columns.iter().map(|h| format!("{:.2}", h * rate)).collect(),
            ..HeatAxis::default()
        },
        up: HeatAxis {
            marks: names.iter().map(|n| n.to_string()).collect(),
            ..HeatAxis::default()
        },
        value: PlotAxis::logarithmic("share of the creep, 1e-3 stands for less"),
        cells,
        ..HeatMap::default()
    }
}

fn cell(run: &Run) -> Cell {
    let mark = match (run.failed, run.told()) {
        (true, _) => HeatMark::Failed,
        (_, true) => HeatMark::Doubtful,
        _ => HeatMark::None,
    };
    Cell { value: Some(drawn(run.off())), mark }
}

fn drawn(error: f64) -> f64 {
    smaller(larger(error, ERRORS[0]), ERRORS[1])
}

/// Speeds at which Runge–Kutta methods move and speeds that they report, over h λ.
fn spurious(survey: &Survey<'_>) -> FigureFile {
    const METHODS: [&str; 5] = ["explicit-euler", "midpoint", "heun", "rk3", "rk4"];
    let panel = |title: &str, speed: &dyn Fn(&Run) -> f64| {
        let line = |method: &&str| {
            let of = |run: &&Run| run.law == "threshold" && run.method == *method && !run.failed;
            let place = |run: &Run| {
                let hlambda = run.h * survey.study.rate(run.epsilon);
                (hlambda, speed(run).abs() / run.creep_of_law)
            };
            let points = survey.runs.iter().filter(of).map(place);
            let mut points: Vec<_> = points.filter(|at| at.0 > 0.1 && at.0 < 100.0).collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            // runs with different ε can have the same h λ
            points.dedup_by(|a, b| (a.0 / b.0 - 1.0).abs() < 1e-3);
            Series { name: method.to_string(), points, style: Style::Marked, ..Series::default() }
        };
        Panel {
            title: title.into(),
            across: PlotAxis::logarithmic("h λ"),
            up: PlotAxis::logarithmic("in units of the law's creep"),
            series: METHODS.iter().map(line).collect(),
            ..Panel::default()
        }
    };
    FigureFile {
        title: "Steady, finite and wrong".into(),
        note: format!("{}, threshold law at every ε and step", survey.study.name),
        panels: vec![
            panel("moves at", &|run| run.drift),
            panel("says it moves at", &|run| run.speed),
        ],
        ..FigureFile::default()
    }
}

/// Errors of methods over the step on soft bodies, for a law that creeps and one that holds.
fn soft_bodies(surveys: &[Survey<'_>]) -> FigureFile {
    let mut panels = Vec::new();
    for survey in surveys {
        for law in ["threshold", "cundall-strack"] {
            panels.push(soft_body(survey, law));
        }
    }
    FigureFile {
        title: "The same on soft bodies".into(),
        note: "as stiff at rest as the threshold law at ε = 1e-2 m/s; a cross is a run that was called untrusted".into(),
        panels,
        ..FigureFile::default()
    }
}

fn soft_body(survey: &Survey<'_>, law: &str) -> Panel {
    let runs = || {
        let of = |run: &&Run| run.law == law && run.epsilon == 1e-2 && !run.failed;
        survey.runs.iter().filter(of)
    };
    let place = |run: &Run| (run.h, drawn(run.off()));
    let mut series = Vec::new();
    for method in survey.study.parts.iter().flat_map(|part| &part.methods) {
        let mut points: Vec<_> = runs().filter(|run| run.method == *method).map(place).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        series.push(Series {
            name: method.to_string(),
            points,
            style: Style::Marked,
            ..Series::default()
        });
    }
    let told = runs().filter(|run| run.told()).map(place).collect();
    series.push(Series {
        name: "not trusted".into(),
        points: told,
        style: Style::Crosses,
        ..Series::default()
    });
    let scale = if holds(law) {
        "error, as a share of a damper's creep"
    } else {
        "error of the creep, as a share of it"
    };
    Panel {
        title: format!("{}, {law}", survey.study.name),
        across: PlotAxis::logarithmic("step [s]"),
        up: PlotAxis::logarithmic(scale),
        series,
        ..Panel::default()
    }
}
