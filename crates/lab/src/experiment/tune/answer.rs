//! Question and answer of a search.

use crate::experiment::law;

/// Bounds that a combination must keep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TuneBudget {
    /// Creep of every body over the last quarter of the run \[m/s\].
    pub creep: f64,
    /// Largest penetration \[m\].
    pub penetration: Option<f64>,
    /// Largest residual of the energy audit, as a share of the energy that went through.
    pub energy: Option<f64>,
}

/// Measure of a combination's cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// CPU seconds per simulated second.
    Cpu,
    /// Force evaluations per simulated second: the same on every machine.
    Evaluations,
}

/// One combination.
#[derive(Debug, Clone, PartialEq)]
pub struct Combination {
    /// The law.
    pub law: String,
    /// Its ε \[m/s\], if it has one.
    pub epsilon: Option<f64>,
    /// The integrator.
    pub integrator: String,
    /// The step \[s\].
    pub step: f64,
}

/// Result for one law and one integrator.
#[derive(Debug, Clone)]
pub struct TuneCandidate {
    /// The combination with the largest step that was run.
    pub combination: Combination,
    /// Cost per simulated second; of a run that did not hold, what it cost as far as it came.
    pub cost: f64,
    /// Whether its run came to the end.
    pub completed: bool,
    /// Largest creep of a body \[m/s\], if any touches anything.
    pub creep: Option<f64>,
    /// Why it was left, or that it holds.
    pub end: SearchEnd,
    /// Runs it took to find.
    pub runs: usize,
}

/// End of the search for one law and one integrator.
#[derive(Debug, Clone, PartialEq)]
pub enum SearchEnd {
    /// It holds.
    Holds,
    /// Smaller steps could not beat what had been found.
    TooDear,
    /// No step of the grid holds; what was wrong at the smallest.
    Fails(String),
    /// The scene refuses it.
    Refused(String),
}

/// How far a search came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// To its end.
    Complete,
    /// Its time was up.
    OutOfTime,
    /// It was stopped.
    Stopped,
}

/// The answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Everything that was looked at, in the order of the grid.
    pub candidates: Vec<TuneCandidate>,
    /// The cheapest that holds and was verified.
    pub best: Option<TuneCandidate>,
    /// The cheapest that holds so far, where the search ended before it was verified.
    pub so_far: Option<TuneCandidate>,
    /// Laws that could not be tried at all, and why.
    pub dropped: Vec<(String, String)>,
    /// Those cheaper that did not pass the run twice as long at half the step, and why.
    pub unverified: Vec<(Combination, String)>,
    /// The verifying run's creep \[m/s\].
    pub verified_creep: Option<f64>,
    /// Its largest error as a share of a measure's scale; `None` where it was not verified.
    pub error: Option<f64>,
    /// Runs in all.
    pub runs: usize,
    /// How far the search came.
    pub ending: Ending,
}

impl Combination {
    /// `key=value` texts that set it.
    pub fn sets(&self) -> Vec<String> {
        let mut sets = law::sets(&self.law);
        sets.extend(self.epsilon.map(|epsilon| format!("contact.friction.epsilon={epsilon:e}")));
        sets.push(format!("integrator.method={}", self.integrator));
        sets.push(format!("time.step={:e}", self.step));
        sets
    }

    /// The part of a scene file that says so.
    pub fn fragment(&self) -> String {
        let mut friction = format!("law = \"{}\"", law::name(&self.law));
        for key in law::keys(&self.law) {
            friction += &format!(", {}", key.replacen('=', " = ", 1));
        }
        if let Some(epsilon) = self.epsilon {
            friction += &format!(", epsilon = {epsilon:e}");
        }
        format!(
            "[time]\nstep = {:e}\n\n[integrator]\nmethod = \"{}\"\n\n[contact]\nfriction = {{ {friction} }}\n",
            self.step, self.integrator
        )
    }
}

impl TuneCandidate {
    /// Whether it holds.
    pub fn holds(&self) -> bool {
        self.end == SearchEnd::Holds
    }
}
