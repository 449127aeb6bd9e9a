//! Question and answer of a search.

use crate::experiment::law;

/// Bounds that a combination must meet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TuneBudget {
    /// Creep of every body over the last quarter of the run \[m/s\].
    pub creep: f64,
    /// Largest penetration \[m\].
    pub penetration: Option<f64>,
    /// Largest residual of the energy audit, as a share of the energy throughput.
    pub energy: Option<f64>,
    /// Largest error bar of the winner, as a share of the scale of each measure; that of a trusted run if absent.
    pub accuracy: Option<f64>,
}

/// Cost of a combination to be minimised.
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

/// Result for one law with one ε under one integrator.
#[derive(Debug, Clone, PartialEq)]
pub struct TuneCandidate {
    /// The combination with the last step run.
    pub combination: Combination,
    /// Cost per simulated second; of a run that does not hold, the cost until it ended.
    pub cost: f64,
    /// Whether its run reached the end.
    pub completed: bool,
    /// Largest creep of a body \[m/s\], if any is in contact.
    pub creep: Option<f64>,
    /// End of the search among its steps.
    pub end: SearchEnd,
    /// Number of runs needed.
    pub runs: usize,
}

/// End of the search for one law with one ε under one integrator.
#[derive(Debug, Clone, PartialEq)]
pub enum SearchEnd {
    /// A step holds.
    Holds,
    /// Smaller steps cannot be cheaper than the best so far.
    TooDear,
    /// No step of the grid holds; the fault at the smallest.
    Fails(String),
    /// The scene refuses the combination.
    Refused(String),
}

/// How a search ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Ending {
    /// Completed.
    #[default]
    Complete,
    /// Its time was up.
    OutOfTime,
    /// It was stopped.
    Stopped,
}

/// Result of a verification: the creep of the run twice as long at half the step \[m/s\], and the
/// error against runs at other steps as a share.
pub(super) type Passed = (Option<f64>, Option<f64>);

/// The answer of a search.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// The scene's own combination, if it was tried: the first of the candidates.
    pub own: Option<Combination>,
    /// All candidates, in the order of the grid.
    pub candidates: Vec<TuneCandidate>,
    /// The cheapest that holds and was verified.
    pub best: Option<TuneCandidate>,
    /// The cheapest that holds so far, if the search ended before it was verified; it is cheaper than
    /// `best`, where there is one.
    pub so_far: Option<TuneCandidate>,
    /// Laws that could not be tried, with the reason.
    pub dropped: Vec<(String, String)>,
    /// Cheaper combinations that failed verification, with the reason.
    pub unverified: Vec<(Combination, String)>,
    /// Creep of the best in the run twice as long at half the step \[m/s\].
    pub verified_creep: Option<f64>,
    /// Largest error of the best against runs at other steps, as a share of a measure's scale; `None` if
    /// it was not verified by them.
    pub error: Option<f64>,
    /// Number of all runs.
    pub runs: usize,
    /// How the search ended.
    pub ending: Ending,
}

impl Combination {
    /// `key=value` texts that set the combination.
    pub fn sets(&self) -> Vec<String> {
        let mut sets = law::sets(&self.law);
        sets.extend(self.epsilon.map(|epsilon| format!("contact.friction.epsilon={epsilon:e}")));
        sets.push(format!("integrator.method={}", self.integrator));
        sets.push(format!("time.step={:e}", self.step));
        sets
    }

    /// The part of a scene file that sets the combination.
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
