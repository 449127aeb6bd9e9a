//! The error analysis of a bead on the sine, drawn: the effect of the couplings of friction and
//! multiplier on distance, forces, turning points and the stop.
//!
//! `cargo run --release --example curve_error_analysis -- docs/figures`

use std::error::Error;
use std::path::{Path, PathBuf};
use stiction_core::state::memory::OnCurve;
use stiction_lab::output::plots::figure::style::FigureStyle;
use stiction_lab::output::plots::figure::{FigureFile, Panel, PlotAxis, Series, Style, write_in};
use stiction_lab::run::Run;
use stiction_scene::build::BuildOptions;
use stiction_scene::{LoadOptions, load_text};

/// Turning points of a bead with μ = .1 from rest at x = 0, from its equation of motion.
const TURNS: [f64; 5] = [2.676247850, 0.798909126, 2.078303467, 1.288732773, 1.647254721];

/// Smaller values are drawn as this.
const ROUNDING: f64 = 1e-16;

/// The couplings with the words of the figures.
const COUPLINGS: [(&str, &str); 4] = [
    ("velocity-linear", "linear in v"),
    ("multiplier-linear", "linear in λ"),
    ("lagged", "lagged"),
    ("reduced", "reduced, rk4"),
];

/// One step of a run.
#[derive(Clone, Copy)]
struct Sample {
    time: f64,
    x: f64,
    velocity: f64,
    on: OnCurve,
}

/// A run of the bead.
struct Ride {
    samples: Vec<Sample>,
    residual: f64,
}

fn ride(coupling: &str, friction: &str, more: &str, h: f64) -> Result<Ride, Box<dyn Error>> {
    let method = if coupling == "reduced" { "rk4" } else { "symplectic-euler" };
    let text = format!(
        "format = 1
        world = {{ planar = \"xz\" }}
        time = {{ end = 7.0, step = {h:e}, output = 7.0 }}
        integrator = {{ method = \"{method}\" }}
        materials.steel = {{ static_friction = 0.1 }}
        [[body]]
        name = \"bead\"
        mass = 1.0
        shape = {{ particle = {{}} }}
        [[curve]]
        body = \"bead\"
        phi = \"sin(x) + z\"
        friction = {{ kinetic = 0.1, coupling = \"{coupling}\"{friction} }}
        {more}"
    );
    let loaded = load_text("bead", &text, Path::new("."), &LoadOptions::default())
        .map_err(|errors| errors.render(false))?;
    let mut simulation = Run::new(&loaded.scene, &BuildOptions::default())?.into_simulation();
    let mut samples = Vec::new();
    while simulation.state.step_count < loaded.scene.time.steps {
        let state = &simulation.state;
        samples.push(Sample {
            time: state.time,
            x: state.positions[0].x,
            velocity: state.velocities[0].x,
            on: state.memory.on_curves[0],
        });
        simulation.advance()?;
    }
    Ok(Ride { samples, residual: simulation.watches.audit.largest_residual() })
}

impl Ride {
    fn line(&self, name: &str, read: impl Fn(&Sample) -> f64) -> Series {
        let points = self.samples.iter().map(|s| (s.time, read(s))).collect();
        Series { name: name.into(), points, style: Style::Line, ..Series::default() }
    }

    fn most(&self, read: impl Fn(&Sample) -> f64) -> f64 {
        self.samples.iter().map(read).fold(0.0, f64::max)
    }

    /// The largest error of the first four turning points.
    fn error(&self) -> f64 {
        let turns = self.samples.windows(2).filter(|w| w[0].velocity * w[1].velocity < 0.0);
        let places = turns.map(|w| {
            let share = w[0].velocity / (w[0].velocity - w[1].velocity);
            let h = w[1].time - w[0].time;
            let overshoot = 0.5 * w[0].velocity * share * (1.0 - share) * h;
            w[0].x + (w[1].x - w[0].x) * share + overshoot
        });
        places.zip(&TURNS[..4]).map(|(place, turn)| (place - turn).abs()).fold(0.0, f64::max)
    }
}

fn panel(title: &str, up: PlotAxis, series: Vec<Series>) -> Panel {
    let across = PlotAxis::linear("time [s]");
    Panel { title: title.into(), across, up, series, ..Panel::default() }
}

/// Distance and forces over time.
fn over_time(h: f64) -> Result<FigureFile, Box<dyn Error>> {
    let kept = ride("multiplier-linear", "", "", h)?;
    let ways = [
        ("0", ride("multiplier-linear", "", "stabilisation = 0", h)?),
        (".2", ride("multiplier-linear", "", "", h)?),
        ("reduced, rk4", ride("reduced", "", "", h)?),
    ];
    let each = |read: fn(&Sample) -> f64| -> Vec<Series> {
        ways.iter().map(|(name, ride)| ride.line(name, read)).collect()
    };
    let mut lags = Vec::new();
    for (coupling, name) in [COUPLINGS[0], COUPLINGS[2]] {
        let share = |s: &Sample| s.on.lag / s.on.constraint_force.norm();
        lags.push(ride(coupling, "", "", h)?.line(name, share));
    }
    Ok(FigureFile {
        title: "A bead on the sine, μ = .1: how well it stays, and what friction is taken from"
            .into(),
        note: format!("step {h:e} s; stabilisation 0 and .2 under symplectic-euler"),
        panels: vec![
            panel(
                "off in position",
                PlotAxis::logarithmic("|φ|/|∇φ| [m]"),
                each(|s| s.on.distance.max(ROUNDING)),
            ),
            panel(
                "off in velocity",
                PlotAxis::logarithmic("[m/s]"),
                each(|s| s.on.normal_speed.max(ROUNDING)),
            ),
            panel(
                "forces",
                PlotAxis::linear("[N]"),
                vec![
                    kept.line("constraint", |s| s.on.constraint_force.norm()),
                    kept.line("friction", |s| s.on.friction.norm()),
                ],
            ),
            panel("lag of the constraint force", PlotAxis::linear("share"), lags),
        ],
        ..FigureFile::default()
    })
}

/// Velocity about the last turn, where the bead should stop, with and without rest friction.
fn stop(h: f64) -> Result<FigureFile, Box<dyn Error>> {
    let mut panels = Vec::new();
    for (title, rest) in [("without rest friction", ", rest = false"), ("with rest friction", "")] {
        let mut series = Vec::new();
        for (coupling, name) in COUPLINGS {
            let mut line = ride(coupling, rest, "", h)?.line(name, |s| s.velocity);
            line.points.retain(|(time, _)| (5.855..5.925).contains(time));
            series.push(line);
        }
        panels.push(panel(title, PlotAxis::linear("velocity along x [m/s]"), series));
    }
    Ok(FigureFile {
        title: "The stop at 5.8632 s".into(),
        note: format!(
            "step {h:e} s: linear in v it comes late, else it chatters, unless rest is known"
        ),
        panels,
        ..FigureFile::default()
    })
}

/// Errors against the step.
fn convergence() -> Result<FigureFile, Box<dyn Error>> {
    let steps = [8e-3, 4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4];
    let (mut turns, mut energies, mut distances) = (Vec::new(), Vec::new(), Vec::new());
    for (coupling, name) in COUPLINGS {
        let rides: Vec<Ride> =
            steps.iter().map(|h| ride(coupling, "", "", *h)).collect::<Result<_, _>>()?;
        let line = |read: &dyn Fn(&Ride) -> f64| Series {
            name: name.into(),
            points: steps.iter().zip(&rides).map(|(h, ride)| (*h, read(ride))).collect(),
            style: Style::Marked,
            ..Series::default()
        };
        turns.push(line(&Ride::error));
        energies.push(line(&|ride| ride.residual));
        distances.push(line(&|ride| ride.most(|s| s.on.distance)));
    }
    let guide = |name: &str, at: f64, power: i32| Series {
        name: name.into(),
        points: steps
            .iter()
            .map(|h| (*h, at * (0..power).fold(1.0, |p, _| p * h / 1e-3)))
            .collect(),
        style: Style::Dashed,
        ..Series::default()
    };
    turns.push(guide("~ h", 1e-3, 1));
    distances.push(guide("~ h²", 1e-4, 2));
    let of = |title: &str, label: &str, series: Vec<Series>| Panel {
        title: title.into(),
        across: PlotAxis::logarithmic("step [s]"),
        up: PlotAxis::logarithmic(label),
        series,
        ..Panel::default()
    };
    energies.retain(|series| series.points.iter().all(|(_, residual)| *residual > 0.0));
    Ok(FigureFile {
        title: "A bead on the sine, μ = .1: errors against the step".into(),
        note: "the first three under symplectic-euler; in distance and energy they are one line"
            .into(),
        panels: vec![
            of("turning points", "largest error [m]", turns),
            of("distance", "largest |φ|/|∇φ| [m]", distances),
            of("energy unaccounted for", "[J] of 17", energies),
        ],
        ..FigureFile::default()
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "docs/figures".into()));
    std::fs::create_dir_all(&folder)?;
    let column = FigureStyle { size: "column".parse()?, ..FigureStyle::default() };
    let write = |figure: &FigureFile, name: &str| write_in(figure, &column, &folder.join(name));
    write(&over_time(1e-3)?, "curve_over_time.svg")?;
    write(&stop(1e-3)?, "curve_stop.svg")?;
    write(&convergence()?, "curve_convergence.svg")?;
    Ok(())
}
