//! `stiffness`: the largest stable step of every integrator, its limiting cause, and its cost.

use crate::cli::failures::build_failure;
use crate::cli::machine::StopSignal;
use crate::cli::scene::SceneOptions;
use crate::cli::terminal::{self, Exit, Failure, note, number, prose, say, table};
use std::cell::Cell;
use std::time::{Duration, Instant};
use stiction_core::math::at_most;
use stiction_core::model::Model;
use stiction_lab::experiment::documents;
use stiction_lab::experiment::stiffness::{
    AnalysisSetting, LocalRates, Price, Stiffness, StiffnessSnapshot, analyse,
};
use stiction_scene::Scene;

/// Options of `stiffness`.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    scene: SceneOptions,
    /// Look at the scene's own run at this time in seconds, instead of letting it settle under the
    /// loads of t = 0
    #[arg(long, value_name = "SECONDS")]
    at: Option<f64>,
    /// Give up after so many seconds, and say what is missing
    #[arg(long, value_name = "SECONDS", default_value_t = 300.0)]
    limit: f64,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// Tables for people
    Table,
    /// JSON, with the rates of every particle
    Json,
}

/// Interval between messages \[s\].
const SILENCE: Duration = Duration::from_secs(2);

/// Runs the verb.
pub fn stiffness(options: &Options) -> Result<Exit, Failure> {
    let (scene, _) = options.scene.load()?;
    if options.at.is_some_and(|time| !(0.0..=scene.time.end()).contains(&time)) {
        let message = format!("--at lies outside the run, 0 to {} s", number(scene.time.end()));
        return Err(Failure::new(Exit::Usage, message));
    }
    if options.limit.is_nan() || options.limit <= 0.0 {
        return Err(Failure::new(Exit::Usage, "--limit must be more than 0 s"));
    }
    options.scene.open(&scene)?;
    StopSignal::end_at_once();
    let started = Instant::now();
    let said = Cell::new(started);
    // a long stage is reported, with the time limit
    let stage = |what: &str| {
        if said.get().elapsed() >= SILENCE {
            said.set(Instant::now());
            let (taken, limit) = (started.elapsed().as_secs(), number(options.limit));
            say(&format!("{taken} s of at most {limit} s: {what}"));
        }
    };
    let setting = AnalysisSetting {
        at: options.at,
        stop: &|| started.elapsed().as_secs_f64() > options.limit,
        stage: &stage,
    };
    let found = analyse(&scene, &options.scene.build_options(), &setting)
        .map_err(|error| build_failure(&scene, error))?;
    match options.format {
        Format::Table => show(&scene, &found)?,
        Format::Json => {
            let text = serde_json::to_string_pretty(&documents::stiffness(&scene, &found))
                .expect("a JSON value");
            terminal::print(&(text + "\n"))?;
        }
    }
    Ok(Exit::Ok)
}

/// A displayed rate of a particle: its name, and how it is read.
type Shown = (&'static str, fn(&LocalRates) -> f64);

const RATES: [Shown; 6] = [
    ("friction rate λ, 1/s", |rates| rates.friction_rate),
    ("friction stretch ω, rad/s", |rates| rates.stretch_frequency),
    ("normal contact ω, rad/s", |rates| rates.contact_frequency),
    ("normal contact c/m, 1/s", |rates| rates.contact_damping_rate),
    ("springs ω, rad/s", |rates| rates.spring_frequency),
    ("springs c/m, 1/s", |rates| rates.spring_damping_rate),
];

fn show(scene: &Scene, found: &Stiffness) -> Result<(), Failure> {
    let mut text = String::new();
    if !scene.title.is_empty() {
        text += &prose(0, &scene.title);
    }
    text += &prose(0, &found.settling);
    text += "\n";
    text += &table(&rates_header(found), &rates_rows(found));
    let (now, complete) = latest(found);
    let mut notes = String::from("rates of a particle are its own, with its neighbours held; ");
    notes += if complete {
        "the spectrum is complete\n"
    } else {
        "of the spectrum only the outermost modes are known (Arnoldi)\n"
    };
    for ((body, load, creep), whole_after) in now.loads.iter().zip(&now.whole_after) {
        notes += &match (load, creep) {
            (Some(load), Some(creep)) => format!(
                "{body}: bears {} of what friction can hold; under it the law itself creeps at {} m/s\n{}",
                number(load.ratio),
                number(*creep),
                in_parts(body, *whole_after, scene.time.end())
            ),
            (Some(load), None) if load.ratio >= 1.0 => {
                format!(
                    "{body}: slides, its load is {} of what friction can hold\n",
                    number(load.ratio)
                )
            }
            _ => String::new(),
        };
    }
    if found.model.surfaces.anisotropic {
        notes += "friction is anisotropic: its rates are those at rest, along the direction; across it and backward they may be larger, and load ratios are not given. The verdict of a run looks at every slip\n";
    }
    if !found.model.friction().can_rest() {
        notes += "this friction law has nothing to rest on: what should hold reverses with every step, at any step\n";
    }
    text += &prose(0, &notes);
    text += "\n";
    let rows: Vec<Vec<String>> =
        found.prices.iter().map(|price| cells(scene, found, price)).collect();
    text += &table(&HEADER, &rows);
    text += &prose(0, &limits(found));
    terminal::print(&text)?;
    if !found.missing.is_empty() {
        note(&format!("time was up (--limit); missing: {}", found.missing.join(", ")));
    }
    note(
        "limit: the largest stable step; h/limit: the scene's step against it, too large above 1; ringing: stable above it, but the reported velocities alternate. CPU is per simulated second, measured over a few steps at nine tenths of the limit, or at the scene's step where there is none; a stable step is not yet an accurate one, and impacts, later loads and a weight on an edge may ask for far less: see --at, and the verdict of the run",
    );
    Ok(())
}

/// Note on a soft body that creeps as a whole only after the time `whole_after` \[s\], if that is
/// beyond the `end` of the run \[s\].
pub fn in_parts(body: &str, whole_after: Option<f64>, end: f64) -> String {
    match whole_after.filter(|time| *time > end) {
        Some(time) => format!(
            "{body}: is soft: it creeps so as a whole only after L²/D, about {} s, and the run ends at {} s; until then by parts, and where it is pulled by 2F √(εt/(πEAq))\n",
            number(time),
            number(end)
        ),
        None => String::new(),
    }
}

fn latest(found: &Stiffness) -> (&StiffnessSnapshot, bool) {
    let now = &found.snapshots[found.snapshots.len() - 1];
    (now, now.spectrum.complete)
}

fn rates_header(found: &Stiffness) -> Vec<&str> {
    let labels = found.snapshots.iter().map(|snapshot| snapshot.label.as_str());
    std::iter::once("largest").chain(labels).chain(["where"]).collect()
}

/// The name of a rate: `elastic` in place of `springs` where elements count in it.
fn named(rate: &str, model: &Model) -> String {
    if model.elements.is_empty() { rate.into() } else { rate.replace("springs", "elastic") }
}

fn rates_rows(found: &Stiffness) -> Vec<Vec<String>> {
    let (now, _) = latest(found);
    let mut rows: Vec<Vec<String>> = RATES
        .iter()
        .filter(|(_, of)| found.snapshots.iter().any(|snapshot| snapshot.worst(*of).is_some()))
        .map(|(name, of)| {
            let mut row = vec![named(name, &found.model)];
            let worst = found.snapshots.iter().map(|snapshot| snapshot.worst(*of));
            row.extend(worst.map(|worst| worst.map_or("–".into(), |(_, rate)| number(rate))));
            let place = now.worst(*of).map(|(particle, _)| found.model.particle_name(particle));
            row.push(place.unwrap_or_default());
            row
        })
        .collect();
    let mut radius = vec!["spectral radius |μ|, 1/s".to_string()];
    radius.extend(found.snapshots.iter().map(|snapshot| number(snapshot.spectrum.radius())));
    radius.push(String::new());
    rows.push(radius);
    rows
}

const HEADER: [&str; 5] = ["integrator", "limit s", "h/limit", "limited by", "CPU s/s"];

/// Places of the limits of the table, each once: "limited by friction at particle 3 of `box`".
fn limits(found: &Stiffness) -> String {
    let culprits = found.prices.iter().filter_map(|price| price.culprit.as_ref());
    let mut places: Vec<String> = culprits.map(|culprit| culprit.describe(&found.model)).collect();
    places.sort_unstable();
    places.dedup();
    match places.is_empty() {
        true => String::new(),
        false => format!("limited by {}\n", places.join(", by ")),
    }
}

fn cells(scene: &Scene, found: &Stiffness, price: &Price) -> Vec<String> {
    let own = if price.integrator == scene.integrator.name { "*" } else { "" };
    let against = |limit: f64| number(scene.time.step / limit);
    let ringing = price.rings_above.filter(|_| price.largest_step.is_none());
    let (limit, share) = match price.largest_step {
        _ if price.adaptive => ("chooses".into(), String::new()),
        Some(_) | None if found.limit_is_unknown(price) => ("unknown".into(), String::new()),
        None => match ringing {
            Some(limit) => (number(limit), against(limit)),
            None => ("no limit".into(), String::new()),
        },
        Some(0.0) => ("0".into(), "unstable".into()),
        Some(limit) => {
            let bound = if price.at_most { "≤ " } else { "" };
            (format!("{bound}{}", at_most(limit)), against(limit))
        }
    };
    let limited = match (&price.culprit, ringing) {
        (Some(culprit), _) => culprit.kind().replace('-', " "),
        (None, Some(_)) => "ringing".into(),
        (None, None) => String::new(),
    };
    vec![
        format!("{}{own}", price.integrator),
        limit,
        share,
        limited,
        price.cpu_per_second.map_or("failed".into(), number),
    ]
}
