//! `tune`: the cheapest law, ε, integrator and step within a budget of creep.

mod shown;

use crate::cli::failures::failure;
use crate::cli::machine::StopSignal;
use crate::cli::scene::SceneOptions;
use crate::cli::terminal::{self, Exit, Failure, note, number, say};
use crate::cli::verify::VerifyOptions;
use rayon::ThreadPoolBuilder;
use shown::{describe, show};
use std::io::IsTerminal;
use std::time::Duration;
use stiction_lab::experiment::documents;
use stiction_lab::experiment::list::items;
use stiction_lab::experiment::tune::{Cost, Ending, Progress, SearchGrid, TuneBudget, Tuning};
use stiction_lab::run::machine;
use stiction_scene::Scene;

/// Options of `tune`.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    scene: SceneOptions,
    #[command(flatten)]
    verify: VerifyOptions,
    /// Largest creep of any body, in m/s
    #[arg(long, value_name = "SPEED", value_parser = positive)]
    creep: f64,
    /// How long each run is, in seconds (default: as long as the scene)
    #[arg(long, value_name = "SECONDS", value_parser = positive)]
    seconds: Option<f64>,
    /// Largest error bar of the answer, as a share of the scale of each measure, as 1e-3 (default: that
    /// of a trusted run, 3e-2)
    #[arg(long, value_name = "A", value_parser = positive)]
    accuracy: Option<f64>,
    /// Largest penetration, in m
    #[arg(long, value_name = "DEPTH", value_parser = positive)]
    penetration: Option<f64>,
    /// Largest residual of the energy audit, as a share of the energy that went through
    #[arg(long, value_name = "SHARE", value_parser = positive)]
    energy: Option<f64>,
    /// Friction laws to try, separated by commas, keys after colons (default: those that hold)
    #[arg(long, value_name = "NAMES")]
    laws: Option<String>,
    /// Thresholds ε to try, in m/s (default: 1, 2 and 5 of the decades from 1e-6 to 1e-1)
    #[arg(long, value_name = "SPEEDS")]
    epsilon: Option<String>,
    /// Integrators to try (default: some of each kind)
    #[arg(long, value_name = "NAMES")]
    integrators: Option<String>,
    /// Steps to try, in seconds (default: 1, 2 and 5 of the decades from 1e-6 to a frame)
    #[arg(long, value_name = "SECONDS")]
    steps: Option<String>,
    /// Cost to be small: CPU time, or force evaluations, which are the same on every machine
    #[arg(long, value_enum, default_value_t = CostName::Cpu)]
    cost: CostName,
    /// Run every point of the grid, to see what the search left out
    #[arg(long)]
    exhaustive: bool,
    /// Runs at the same time, as far as they fit into memory together (default: one for each core)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    jobs: Option<u16>,
    /// Wall time after which nothing more is tried, in seconds: the best so far is verified, if
    /// there is time for it, and printed (exit 9 where it is not verified)
    #[arg(long, value_name = "SECONDS", value_parser = positive)]
    max_time: Option<f64>,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
enum CostName {
    /// CPU seconds per simulated second
    Cpu,
    /// Force evaluations per simulated second
    Evaluations,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// A table, the answer, and the part of a scene to paste
    Table,
    /// One JSON document
    Json,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x > 0.0 && x.is_finite() => Ok(x),
        _ => Err("give a number above zero".into()),
    }
}

/// Refuses a scene in which no law of friction acts.
fn check(scene: &Scene) -> Result<(), Failure> {
    if scene.contact.jumps() {
        let message = format!(
            "contact by `{}` holds without a law: there is no ε to tune; --set contact.method=penalty, or compare --methods",
            scene.contact.method.name
        );
        return Err(Failure::new(Exit::Usage, message));
    }
    if scene.colliders.is_empty() && !(scene.contact.bodies || scene.contact.self_contact) {
        let message = "nothing in this scene can touch anything: there is no contact law to tune; add a [[collider]], or contact.bodies = true";
        return Err(Failure::new(Exit::Usage, message));
    }
    Ok(())
}

/// Runs the verb.
pub fn tune(options: &Options) -> Result<Exit, Failure> {
    let (scene, _) = options.scene.load()?;
    check(&scene)?;
    if options.accuracy.is_some() && options.verify.means_or_step().is_none() {
        let message = "--accuracy is of error bars, which --verify=off leaves out";
        return Err(Failure::new(Exit::Usage, message));
    }
    options.verify.of_bar()?;
    let base = options.scene.base()?;
    let signal = StopSignal::listen();
    let stop = || signal.heard().is_some();
    let tuning = Tuning {
        budget: TuneBudget {
            creep: options.creep,
            penetration: options.penetration,
            energy: options.energy,
            accuracy: options.accuracy,
        },
        seconds: options.seconds,
        grid: grid(options, SearchGrid::of(&base).map_err(failure)?)?,
        cost: match options.cost {
            CostName::Cpu => Cost::Cpu,
            CostName::Evaluations => Cost::Evaluations,
        },
        exhaustive: options.exhaustive,
        verify: options.verify.means_or_step(),
        max_time: options.max_time.map(Duration::from_secs_f64),
        stop: &stop,
        base: &base,
    };
    let refused = say_refused(options, &tuning)?;
    let most = options.jobs.map_or_else(machine::cores, usize::from);
    let each = base.verified(options.verify.means_or_step()).memory(&scene).unwrap_or(0);
    let at_once = machine::that_fit(most, each, base.options.max_memory);
    let mut reporter = Reporter::new();
    let search = || tuning.run(&mut |now| reporter.tell(now));
    let answer = match ThreadPoolBuilder::new().num_threads(at_once).build() {
        Ok(pool) => pool.install(search),
        // the default number of threads
        Err(_) => tuning.run(&mut |now| Reporter::new().tell(now)),
    };
    let answer = answer.map_err(failure)?;
    match options.format {
        Format::Json => {
            let text =
                serde_json::to_string_pretty(&documents::tuning(&answer)).expect("a JSON value");
            terminal::print(&(text + "\n"))?;
        }
        Format::Table => {
            show(&tuning, &answer)?;
            left_out(&answer.dropped, &refused).iter().for_each(|line| note(line));
        }
    }
    Ok(match (signal.heard(), &answer.best, answer.ending) {
        (Some(exit), _, _) => exit,
        (None, Some(_), _) => Exit::Ok,
        (None, None, Ending::Complete) => Exit::Regression,
        (None, None, _) => Exit::Limit,
    })
}

/// Lines on laws that are not in the table because they were refused during the search, one for each; those of
/// `before` have been named.
fn left_out(dropped: &[(String, String)], before: &[String]) -> Vec<String> {
    let later = dropped.iter().filter(|(law, _)| !before.contains(law));
    later.map(|(law, why)| format!("left out: {law}, since {why}")).collect()
}

/// Says which laws and integrators the scene refuses, and returns their names.
///
/// # Errors
/// One of them was asked for by an option.
fn say_refused(options: &Options, tuning: &Tuning) -> Result<Vec<String>, Failure> {
    let mut said = Vec::new();
    for (name, why) in tuning.refused() {
        let asked =
            |given: &Option<String>| given.as_ref().is_some_and(|list| items(list).contains(&name));
        let option = match (asked(&options.laws), asked(&options.integrators)) {
            (true, _) => "laws",
            (false, true) => "integrators",
            (false, false) => {
                note(&format!("left out: {name}, since {why}"));
                said.push(name);
                continue;
            }
        };
        let mut message = format!("--{option} {name}: {why}");
        if option == "laws" {
            message += "; keys of a law stand after colons, LAW:stiffness=1e4";
        }
        return Err(Failure::new(Exit::Usage, message));
    }
    Ok(said)
}

/// Reports the progress of a search: by a bar on a terminal, else by a line from time to time.
struct Reporter {
    bar: indicatif::ProgressBar,
    begun: bool,
    /// wall time of the last line \[s\]
    told: f64,
}

/// Wall time between two lines \[s\].
const BETWEEN_LINES: f64 = 10.0;

impl Reporter {
    fn new() -> Reporter {
        let bar = match std::io::stderr().is_terminal() {
            true => indicatif::ProgressBar::new(1),
            false => indicatif::ProgressBar::hidden(),
        };
        if let Ok(style) = indicatif::ProgressStyle::with_template("{msg} {wide_bar} {elapsed}") {
            bar.set_style(style);
        }
        Reporter { bar, begun: false, told: 0.0 }
    }

    fn tell(&mut self, now: &Progress) {
        let known = now.remaining.is_finite();
        let left = if known { duration(now.remaining) } else { "an unknown time".into() };
        if known && !self.begun {
            self.begun = true;
            say(&format!("this takes about {left}"));
        }
        let best = now
            .best
            .map_or(String::new(), |best| format!("; so far {}", describe(&best.combination)));
        let line = format!("{}: about {left} left, {} runs{best}", now.doing, now.runs);
        let milliseconds = |seconds: f64| (1e3 * seconds) as u64;
        let remaining = if known { now.remaining } else { now.elapsed };
        self.bar.set_length(milliseconds(now.elapsed + remaining).max(1));
        self.bar.set_position(milliseconds(now.elapsed));
        if self.bar.is_hidden() && now.elapsed >= self.told + BETWEEN_LINES {
            self.told = now.elapsed;
            say(&line);
        }
        self.bar.set_message(line);
    }
}

impl Drop for Reporter {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A wall time in words.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{} s", s.ceil()),
        s if s < 5400.0 => format!("{} min", (s / 60.0).ceil()),
        s => format!("{} h", number((s / 3600.0).ceil())),
    }
}

/// The grid of the scene, with the given values in place of its own.
fn grid(options: &Options, own: SearchGrid) -> Result<SearchGrid, Failure> {
    let list = |given: &Option<String>, own: Vec<String>| given.as_deref().map_or(own, items);
    let numbers = |name: &str, given: &Option<String>, own: Vec<f64>| -> Result<_, Failure> {
        let Some(given) = given else { return Ok(own) };
        let values: Result<Vec<f64>, String> = items(given).iter().map(|x| positive(x)).collect();
        let mut values =
            values.map_err(|why| Failure::new(Exit::Usage, format!("--{name} {given}: {why}")))?;
        values.sort_by(|a, b| b.total_cmp(a));
        values.dedup();
        Ok(values)
    };
    let lists = [&options.laws, &options.epsilon, &options.integrators, &options.steps];
    let grid = SearchGrid {
        // a list names what may be tried
        own: lists.iter().all(|list| list.is_none()),
        laws: list(&options.laws, own.laws),
        epsilons: numbers("epsilon", &options.epsilon, own.epsilons)?,
        integrators: list(&options.integrators, own.integrators),
        steps: numbers("steps", &options.steps, own.steps)?,
    };
    grid.check().map_err(|why| Failure::new(Exit::Usage, why))?;
    Ok(grid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laws_refused_during_the_search_are_named_once() {
        let dropped = [("dahl", "early"), ("lugre", "a key is missing"), ("tanh", "another")];
        let dropped = dropped.map(|(law, why)| (law.to_string(), why.to_string()));
        let lines = left_out(&dropped, &["dahl".to_string()]);
        assert_eq!(
            lines,
            ["left out: lugre, since a key is missing", "left out: tanh, since another"]
        );
    }
}
