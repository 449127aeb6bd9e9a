//! `--verify`: the option common to all verbs with runs, and the error bars in words.

use super::terminal::{Exit, Failure, number, say};
use stiction_core::diagnosis::error_bar::MOST_ORDER;
use stiction_core::math::{smaller, with_error, with_unit};
use stiction_lab::run::verification::{MeasureBar, Parting, RefinedRun};
use stiction_lab::run::{Means, Verification};

/// How runs are verified.
#[derive(clap::Args, Clone, Copy, Default)]
pub struct VerifyOptions {
    /// Give every measure an error bar, by running the scene again at twice the step, at four times where contacts
    /// begin inside steps, at other ratios up to four where these have a fault or miss frames, and, where larger steps
    /// do not settle the matter, at half and at a quarter (`step`), by another method at the same step (`method`), or
    /// by both. `model` adds how far the run is from Coulomb's friction on rigid surfaces, by runs at other ε and
    /// stiffness, `mesh` the error of elements, by a run with these half as large, and `all` every cause of an error, with a table of their shares. By `step` that takes 1.5 to 3 times
    /// the time of the run, 4 to 6 with half the step and about 8 with the quarter, shared by two cores
    #[arg(long, value_enum, value_name = "BY", num_args = 0..=1, require_equals = true, default_missing_value = "step")]
    verify: Option<By>,
}

/// Means of verifying a run.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
enum By {
    /// Larger steps, or half the step and a quarter; adaptive methods at other tolerances too
    Step,
    /// Another method at the same step
    Method,
    /// Both
    Both,
    /// The step, and friction laws and stiffness against Coulomb's friction on rigid surfaces
    Model,
    /// The step, and the mesh of elastic bodies, by a run with elements half as large
    Mesh,
    /// Every cause: the step, ε, the depth of contacts, the tolerance of iterations, the mesh of elastic bodies
    All,
    /// Nothing: watches alone
    Off,
}

impl VerifyOptions {
    /// The means asked for.
    pub fn means(&self) -> Option<Means> {
        match self.verify? {
            By::Step => Some(Means::STEP),
            By::Method => Some(Means::METHOD),
            By::Both => Some(Means::BOTH),
            By::Model => Some(Means::MODEL),
            By::Mesh => Some(Means::MESH),
            By::All => Some(Means::ALL),
            By::Off => None,
        }
    }

    /// Whether nothing is said of it.
    pub fn is_default(&self) -> bool {
        self.verify.is_none()
    }

    /// The means asked for, of a verb that reports an error bar alone.
    ///
    /// # Errors
    /// `model`, `mesh` and `all`, whose shares `run` and `check` print.
    pub fn of_bar(&self) -> Result<Option<Means>, Failure> {
        match self.verify {
            Some(By::Model | By::Mesh | By::All) => {
                let message = "--verify=model, mesh and all print the shares of one run: give them to `run` or `check --run`, and here `step`, `method` or `both`";
                Err(Failure::new(Exit::Usage, message))
            }
            _ => Ok(self.means()),
        }
    }

    /// The requested means, by default the step.
    pub fn means_or_step(&self) -> Option<Means> {
        match self.verify {
            None => Some(Means::STEP),
            Some(_) => self.means(),
        }
    }
}

/// Share of a scale below which a measure is not mentioned.
const NEGLIGIBLE: f64 = 1e-5;

/// One line on the runs of a verification, and one on their first difference.
pub fn describe(verification: &Verification) -> String {
    let run = |run: &RefinedRun| match run.name.contains("method") {
        true => format!("{} at step {} s", run.integrator, number(run.step)),
        false => format!("step {} s", number(run.step)),
    };
    let runs: Vec<String> = verification.runs.iter().map(run).collect();
    let orders = verification.judged().filter_map(|m| m.bar.order);
    let orders = orders.filter(|order| *order > 0.0);
    // higher ones may be chance
    let order = match orders.reduce(smaller).map(|least| smaller(least, MOST_ORDER)) {
        Some(least) => format!("; observed order at least {least:.1}"),
        None => String::new(),
    };
    let mut text = format!("compared with {}{order}\n", runs.join(", "));
    let worst = verification.judged().reduce(|a, b| if b.bar.share > a.bar.share { b } else { a });
    let known = |worst: &&MeasureBar| worst.bar.share > NEGLIGIBLE && worst.bar.share.is_finite();
    if let Some(worst) = worst.filter(known) {
        text += &format!(
            "least certain is {}: off by up to {} in its worst eighth, or at the end, {} % of {}\n",
            worst.columns.join(", "),
            with_unit(&number(worst.bar.share * worst.bar.scale), worst.unit),
            number(100.0 * worst.bar.share),
            with_unit(&number(worst.bar.scale), worst.unit)
        );
    }
    if let Some(Parting { time, particle, distance, event }) = &verification.parting {
        text += &format!(
            "the runs part at t = {} s: {particle} is {} m apart",
            number(*time),
            number(*distance)
        );
        text += &event.as_ref().map_or(String::new(), |event| format!("; {event}"));
        text += "\n";
    }
    text
}

/// The position of every body with its error bar, for a scene without measures.
pub fn places(verification: &Verification) -> Vec<Vec<String>> {
    if !verification.measures.is_empty() {
        return Vec::new();
    }
    let row = |body: &MeasureBar| -> Vec<Vec<String>> {
        let value = |k: usize| with_error(body.ends[k][0], body.error_at_end(k));
        let columns = body.columns.iter().enumerate();
        columns.map(|(k, name)| vec![name.clone(), format!("{} m", value(k))]).collect()
    };
    verification.bodies.iter().flat_map(row).collect()
}

/// Prints the comparisons that could not be made.
pub fn say_notes(verification: &Verification) {
    verification.notes.iter().for_each(|note| say(&format!("note: {note}")));
}
