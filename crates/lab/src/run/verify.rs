//! Verification of a run: runs of the same scene at other steps, and the error bar of every measure.

use super::cause::{Cause, MOST as MOST_OF_CAUSE};
use super::course::{Course, Places};
use super::late_impacts::Late;
use super::outcome::{Checked, Outcome};
use super::scales::Scales;
use super::split::{Comparison, Refined, by_refinement, settled};
use super::verdict::{CLOSE, judge, mesh};
use super::verification::{CauseBars, MeasureBar, Parting, RefinedRun, Verification};
use super::{Creep, Run};
use serde::{Deserialize, Serialize};
use stiction_core::diagnosis::error_bar::{ErrorBar, ErrorTooLarge, TRUSTED, Zero, farthest};
use stiction_core::diagnosis::trust::Verdict;
use stiction_core::diagnosis::watch::Reason;
use stiction_core::math::{larger, smaller};
use stiction_scene::Scene;
use stiction_scene::build::{BuildError, Built};

pub mod causes;
pub mod earlier;
pub mod goals;
mod ramp_errors;

/// The runs a run is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub struct Means {
    /// Twice the step, and four times where contacts began inside steps, or other ratios up to four; half the step
    /// where these do not suffice, and a quarter if half does not. Adaptive methods also at other tolerances.
    pub step: bool,
    /// Another method at the same step.
    pub method: bool,
    /// Other values of the keys of laws, nearer to Coulomb's friction on rigid surfaces and farther from it.
    pub model: bool,
    /// Other tolerances of iterations.
    pub solver: bool,
    /// A finer mesh of elastic bodies; beside other causes where there are such bodies.
    pub mesh: bool,
}

impl Means {
    /// By the step.
    pub const STEP: Means =
        Means { step: true, method: false, model: false, solver: false, mesh: false };
    /// By another method.
    pub const METHOD: Means = Means { step: false, method: true, ..Means::STEP };
    /// By both.
    pub const BOTH: Means = Means { method: true, ..Means::STEP };
    /// By the step, and by the laws' distance from Coulomb's friction on rigid surfaces.
    pub const MODEL: Means = Means { model: true, ..Means::STEP };
    /// By the step, and by a finer mesh of elastic bodies.
    pub const MESH: Means = Means { mesh: true, ..Means::STEP };
    /// By the step, and every other cause of an error.
    pub const ALL: Means = Means { model: true, solver: true, mesh: true, ..Means::STEP };
    /// Every one that has a word.
    pub const NAMED: [Means; 6] =
        [Means::STEP, Means::METHOD, Means::BOTH, Means::MODEL, Means::MESH, Means::ALL];

    /// The means of a word: [`Self::word`].
    pub fn named(word: &str) -> Option<Self> {
        Means::NAMED.into_iter().find(|means| means.word() == word)
    }

    /// The causes whose shares are asked for, beside time.
    pub fn causes(&self) -> impl Iterator<Item = Cause> {
        let Means { model, solver, mesh, .. } = *self;
        Cause::ALL.into_iter().filter(move |cause| match cause {
            Cause::Epsilon | Cause::Depth => model,
            Cause::Solver => solver,
            Cause::Mesh => mesh,
        })
    }

    /// Number of runs that can go side by side, the verified one included: others wait for the first.
    pub fn at_once(&self) -> usize {
        if *self == Means::BOTH { 3 } else { 2 }
    }

    /// One word: step, method, both, model, mesh or all.
    pub fn word(&self) -> &'static str {
        match *self {
            Means { solver: true, .. } => "all",
            Means { model: true, .. } => "model",
            Means { mesh: true, .. } => "mesh",
            Means { step: true, method: true, .. } => "both",
            Means { method: true, .. } => "method",
            _ => "step",
        }
    }
}

impl From<Means> for &'static str {
    fn from(means: Means) -> Self {
        means.word()
    }
}

impl TryFrom<String> for Means {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        Means::named(&word).ok_or_else(|| format!("`{word}` is no means of verifying"))
    }
}

/// Builds a scene that differs from the run's own in its step, its method, or keys of its laws.
pub type Builder = Box<dyn Fn(&Scene) -> Result<Built, BuildError> + Send + Sync>;

/// Means of verifying a run.
pub(super) struct Verifier {
    pub means: Means,
    /// Builds what runs alone.
    pub build: Builder,
    /// Builds what shares the cores with other runs.
    pub build_sharing: Option<Builder>,
    /// Number of runs that may run at the same time, the verified one included.
    pub at_once: usize,
}

/// Largest error, as a share of a measure's scale, up to which no further run is made.
const SETTLED: f64 = 5e-3;

/// A further run, and its compared quantities.
pub(super) struct Further {
    pub about: RefinedRun,
    pub course: Course,
}

/// The runs by which another is verified, and why others are missing.
#[derive(Default)]
pub(super) struct Made {
    /// At half the step, and at a quarter; or at larger steps.
    pub steps: Vec<Further>,
    /// By another method.
    pub other: Option<Further>,
    pub faults: Vec<Reason>,
    pub notes: Vec<String>,
    pub causes: Vec<CauseBars>,
}

impl Run {
    /// Requests verification at the end of the run: [`Outcome::verification`]. `build` builds its
    /// scene with another step or method.
    pub fn verify(&mut self, means: Means, build: Builder) {
        self.verifier = Some(Verifier { means, build, build_sharing: None, at_once: 1 });
    }

    /// Lets up to `at_once` runs of a verification go side by side, this one included, which is then run beside the
    /// first of them. `build` builds those that share the cores. Results do not depend on it.
    pub fn verify_side_by_side(&mut self, at_once: usize, build: Builder) {
        if let Some(verifier) = &mut self.verifier {
            verifier.at_once = at_once.max(1);
            verifier.build_sharing = Some(build);
        }
    }

    /// Most runs by causes other than time.
    pub(super) fn most_by_causes(&self) -> usize {
        let causes = self.verifier.iter().flat_map(|verifier| verifier.means.causes());
        MOST_OF_CAUSE * causes.count()
    }

    /// Number of runs that go side by side, this one included.
    pub fn at_once(&self) -> usize {
        self.verifier.as_ref().map_or(1, |verifier| verifier.at_once)
    }

    /// Lets so many runs less go side by side that they fit into memory together \[bytes\], down to one.
    pub fn fit_into(&mut self, memory: u128) {
        while self.at_once() > 1 && self.memory_beside(self.at_once()) > memory {
            self.verifier.iter_mut().for_each(|verifier| verifier.at_once -= 1);
        }
    }
}

/// A verification in progress.
pub(super) struct Check<'a> {
    run: &'a Run,
    own: Course,
    scales: Scales,
    late: Option<Late>,
}

impl<'a> Check<'a> {
    /// That of a run at its end.
    pub(super) fn of(run: &'a Run, places: Places) -> Self {
        let own = Course::of(run, places);
        let late = Late::of(run, &own);
        Check { run, own, scales: Scales::of(run), late }
    }

    /// The outcome with error bars and level, by the runs that verify it, and with the errors by other causes.
    pub(super) fn judged(self, mut outcome: Outcome, made: Made) -> Outcome {
        let Made { steps, other, notes, faults, causes } = made;
        if steps.is_empty() && other.is_none() {
            outcome.verdict.reasons.extend(faults);
            return outcome;
        }
        let others: Vec<&Further> = steps.iter().collect();
        self.split_drifts(&others, &mut outcome.creep);
        let centres = if others.is_empty() { Vec::new() } else { self.bars(&others).1 };
        let alike = self.motions_agree(&others, &centres);
        let (run, times) = (self.run, self.own.times.clone());
        let mut verification = self.compare(steps, other, notes);
        verification.causes = causes;
        let model = &run.simulation().model;
        let moves_alike = |reason: &Reason| reason.body(model).is_some_and(|body| alike[body]);
        let can_outweigh =
            |verdict: &Verdict| verdict.can_be_outweighed() && verdict.of_drifts().all(moves_alike);
        judge(&mut outcome.verdict, &verification, faults, (run, &times), can_outweigh);
        if !outcome.verdict.faultless() {
            forget_unfounded(&mut outcome, &mut verification);
        }
        mesh::judge(&mut outcome.verdict, &verification, &times);
        mesh::note(&mut verification, model);
        outcome.verification = Some(verification);
        outcome.doubt();
        outcome
    }

    /// Whether the runs agree so well that a further one cannot change the verdict.
    pub(super) fn settled(&self, others: &[&Further]) -> bool {
        let bars = self.bars(others);
        let measures = bars.0.iter().chain(&bars.1).all(|measure| measure.bar.share <= SETTLED);
        measures && self.drifts_agree(others)
    }

    /// Whether these runs leave no expectation in doubt: what was measured is farther from the bounds of what is
    /// expected than its error bar.
    pub(super) fn decided(&self, checked: &[Checked], others: &[&Further]) -> bool {
        let (measures, _) = self.bars(others);
        let bar_of = |column: &String| measures.iter().find_map(|measure| measure.bars(column));
        let in_doubt = |checked: &Checked| {
            let bars = bar_of(&checked.expectation.column);
            let error = bars.zip(checked.frame).and_then(|(bars, frame)| bars.get(frame).copied());
            let error = error.map(|error| error + checked.between);
            Checked { error, ..checked.clone() }.in_doubt()
        };
        !checked.iter().any(in_doubt)
    }

    /// Whether the errors of a run are of order one by a factor that is chance: contacts began inside its steps, or
    /// two runs [`Check::may_agree_by_chance`]. Of a method that chooses its steps every contact may have begun inside
    /// one.
    pub(super) fn is_erratic(&self) -> bool {
        let adaptive = self.run.simulation().integrator().capabilities().adaptive;
        let touches = adaptive && self.run.tally.max_penetration > 0.0;
        self.run.most_order() <= 1.0 || touches || self.may_agree_by_chance()
    }

    /// Whether contacts jump velocities at the ends of steps, or steps jumped over the ramp of friction: two runs may
    /// then agree to rounding and be wrong. Where contacts begin inside steps their errors are sums of many.
    pub(super) fn may_agree_by_chance(&self) -> bool {
        self.run.simulation().watches.impacts.ramps.any || self.run.timeline.scene.contact.jumps()
    }

    /// Whether the drift of every body is the same in all runs.
    fn drifts_agree(&self, others: &[&Further]) -> bool {
        (0..self.own.drifts.len()).all(|body| self.drift_agrees(others, body))
    }

    /// Whether the drift of one body is the same in all runs.
    fn drift_agrees(&self, others: &[&Further], body: usize) -> bool {
        let (own, by) = (&self.own.drifts[body], self.drifts_compared());
        others.iter().all(|further| settled(own, &further.course.drifts[body], by))
    }

    /// Whether the runs show that a body moves alike in all of them, for each body: its centre agrees, by the bars of
    /// `centres`, and so does its drift, which is known.
    fn motions_agree(&self, others: &[&Further], centres: &[MeasureBar]) -> Vec<bool> {
        let agrees = |body: usize| {
            let known = self.own.drifts[body].velocity().is_some();
            let centre = centres[body].bar.share <= CLOSE;
            known && centre && self.drift_agrees(others, body)
        };
        let compared = !others.is_empty();
        (0..self.own.drifts.len()).map(|body| compared && agrees(body)).collect()
    }

    fn drifts_compared(&self) -> Comparison {
        let order = self.run.simulation().integrator().capabilities().order;
        Comparison { order, erratic: self.is_erratic(), least: self.scales.rest() }
    }

    /// Splits the drift of each body by its drifts at other steps.
    fn split_drifts(&self, others: &[&Further], creep: &mut [Creep]) {
        if others.is_empty() {
            return;
        }
        let simulation = self.run.simulation();
        let by = self.drifts_compared();
        for (number, body) in simulation.model.bodies.iter().enumerate() {
            let Some(creep) = creep.iter_mut().find(|creep| creep.body == body.name) else {
                continue;
            };
            let own = Refined { step: simulation.time_step(), drift: &self.own.drifts[number] };
            let others = others.iter().map(|further| Refined {
                step: further.about.step,
                drift: &further.course.drifts[number],
            });
            let runs: Vec<Refined> = std::iter::once(own).chain(others).collect();
            by_refinement(creep, &runs, by);
        }
    }

    /// Error bars of measures and of bodies, from runs at decreasing or at increasing steps.
    fn bars(&self, others: &[&Further]) -> (Vec<MeasureBar>, Vec<MeasureBar>) {
        let own = std::iter::once(self.run.simulation().time_step());
        let steps: Vec<f64> = own.chain(others.iter().map(|other| other.about.step)).collect();
        self.each(others, |columns, zero, unit, number| {
            let bar = ErrorBar::estimate(columns, &steps, (zero, self.scales.least(unit)), None);
            self.with_shared_errors(bar, columns, (zero, unit), number)
        })
    }

    /// The bar of a measure or, by the numbers after those, of a body, with what runs at other steps may share.
    fn with_shared_errors(
        &self,
        bar: ErrorBar,
        columns: &[Vec<&[f64]>],
        of: (Zero, &str),
        number: usize,
    ) -> ErrorBar {
        let (times, unit) = (&self.own.times, (of.1, bar.scale));
        let ramps = self.run.ramp_errors(number, unit, self.scales.speed(), times);
        let bar = ramps.map_or(bar.clone(), |off| bar.widened_over_time(&off, of.0));
        let readings = self.run.probes.get(number).map(|probe| probe.reading_errors());
        let bar = readings.map_or(bar.clone(), |off| bar.widened(&off));
        let Some(late) = &self.late else {
            return bar;
        };
        let simulation = self.run.simulation();
        let free = match self.run.probes.get(number) {
            Some(probe) => late.free_shares(probe, &simulation.model),
            None => late.free_axes(number - self.run.probes.len()),
        };
        bar.with_late_impacts(columns, of, &self.own.times, late.impacts, &free)
    }

    fn each(
        &self,
        others: &[&Further],
        of: impl Fn(&[Vec<&[f64]>], Zero, &str, usize) -> ErrorBar,
    ) -> (Vec<MeasureBar>, Vec<MeasureBar>) {
        let series = |pick: fn(&Course) -> &Vec<Vec<f64>>, column: usize| {
            let runs = std::iter::once(&self.own).chain(others.iter().map(|f| &f.course));
            runs.map(|course| pick(course)[column].as_slice()).collect::<Vec<_>>()
        };
        let (mut measures, mut column) = (Vec::new(), 0);
        for (number, probe) in self.run.probes.iter().enumerate() {
            let names = probe.columns.clone();
            let columns: Vec<Vec<&[f64]>> =
                (0..names.len()).map(|k| series(|c| &c.measures, column + k)).collect();
            column += names.len();
            let bar = of(&columns, probe.zero(), probe.unit, number);
            let counts = probe.zero() != Zero::Wanted;
            let (unit, ends, apart) = (probe.unit, ends(&columns), apart(&columns));
            measures.push(MeasureBar { columns: names, unit, ends, apart, bar, counts });
        }
        let bodies = self.run.simulation().model.bodies.iter().enumerate();
        let bodies = bodies.map(|(b, body)| {
            let columns: Vec<Vec<&[f64]>> =
                (0..3).map(|k| series(|c| &c.centers, 3 * b + k)).collect();
            let bar = of(&columns, Zero::Chosen, "m", self.run.probes.len() + b);
            let names = ["x", "y", "z"].map(|axis| format!("{}_{axis}", body.name));
            let (ends, apart) = (ends(&columns), apart(&columns));
            MeasureBar { columns: names.into(), unit: "m", ends, apart, bar, counts: true }
        });
        (measures, bodies.collect())
    }

    fn compare(
        self,
        steps: Vec<Further>,
        other: Option<Further>,
        notes: Vec<String>,
    ) -> Verification {
        let (mut measures, mut bodies) = match steps.is_empty() {
            true => (Vec::new(), Vec::new()),
            false => self.bars(&steps.iter().collect::<Vec<_>>()),
        };
        let mut runs: Vec<RefinedRun> = steps.iter().map(|f| f.about.clone()).collect();
        // the run that is farthest from agreement: the other method, where the steps agree
        let agree = measures.iter().chain(&bodies).all(|measure| measure.bar.share <= TRUSTED);
        let mut differs = steps.into_iter().next();
        if let Some(other) = other {
            runs.push(other.about.clone());
            let widened = self.each(&[&other], |columns, zero, unit, number| {
                match measures.iter().chain(&bodies).nth(number) {
                    Some(before) => before.bar.clone().with_method(columns, zero),
                    None => {
                        let least = self.scales.least(unit);
                        let bar = ErrorBar::estimate(
                            &same_twice(columns),
                            &[1.0; 2],
                            (zero, least),
                            None,
                        )
                        .with_method(columns, zero);
                        self.with_shared_errors(bar, columns, (zero, unit), number)
                    }
                }
            });
            let (wider_measures, wider_bodies) = widened;
            measures = beside(measures, wider_measures);
            bodies = beside(bodies, wider_bodies);
            differs = differs.filter(|_| !agree).or(Some(other));
        }
        let (parting, causes) = (None, Vec::new());
        let mut verification = Verification { runs, measures, bodies, parting, causes, notes };
        if verification.share() > TRUSTED
            && let Some(differs) = differs
        {
            verification.parting = self.parting(&verification, &differs);
        }
        verification
    }

    /// The first difference between the run and another.
    fn parting(&self, verification: &Verification, other: &Further) -> Option<Parting> {
        let parts = |measure: &MeasureBar| measure.bar.parts();
        let all = verification.judged().chain(&verification.bodies);
        let frame = all.filter_map(parts).min()?;
        let model = &self.run.simulation().model;
        let (ours, theirs) = (&self.own.places, &other.course.places);
        let (particle, distance) =
            farthest(ours.positions.get(frame)?, theirs.positions.get(frame)?)
                .filter(|(_, distance)| *distance > 0.0)?;
        let event = (0..=frame).find_map(|k| {
            let pairs = ours.contacts[k].iter().zip(theirs.contacts.get(k)?).enumerate();
            let (body, (a, b)) = pairs.into_iter().find(|(_, (a, b))| a != b)?;
            Some(format!(
                "from t = {:.4} s `{}` has {} contacts, {} of them sticking, against {} and {}",
                self.own.times[k], model.bodies[body].name, a.0, a.1, b.0, b.1
            ))
        });
        Some(Parting {
            time: self.own.times[frame],
            particle: model.particle_name(particle * ours.stride),
            distance,
            event,
        })
    }
}

/// Takes back errors, and parts of drifts, that come from runs whose steps are all above a limit.
fn forget_unfounded(outcome: &mut Outcome, verification: &mut Verification) {
    if verification.forget_unfounded() {
        let founded = |reason: &Reason| reason.numbers::<ErrorTooLarge>().is_none();
        outcome.verdict.reasons.retain(founded);
        outcome.verdict.error = None;
        outcome.creep.iter_mut().for_each(Creep::forget_unfounded);
    }
}

/// Columns with the run itself twice, so that only the difference of the other method counts.
fn same_twice<'a>(columns: &[Vec<&'a [f64]>]) -> Vec<Vec<&'a [f64]>> {
    columns.iter().map(|runs| vec![runs[0], runs[0]]).collect()
}

/// Wider bars, with the last values of earlier runs added.
fn beside(before: Vec<MeasureBar>, mut wider: Vec<MeasureBar>) -> Vec<MeasureBar> {
    for (before, wider) in before.into_iter().zip(&mut wider) {
        let others = wider.ends.iter().map(|ends| ends[1..].to_vec());
        let both =
            before.ends.into_iter().zip(others).map(|(ends, others)| [ends, others].concat());
        wider.ends = both.collect();
        wider.apart = before.apart;
    }
    wider
}

/// The frame of each column at which the runs differ most, and their values there.
fn apart(columns: &[Vec<&[f64]>]) -> Vec<(usize, Vec<f64>)> {
    let widest = |runs: &Vec<&[f64]>| {
        let frames = runs.iter().map(|run| run.len()).min().unwrap_or(0);
        let range = |frame: usize| {
            let finite = || runs.iter().map(|run| run[frame]).filter(|y| y.is_finite());
            match finite().count() {
                0 => 0.0,
                n if n < runs.len() => f64::INFINITY,
                _ => {
                    finite().fold(f64::NEG_INFINITY, larger) - finite().fold(f64::INFINITY, smaller)
                }
            }
        };
        // of equal ranges the last
        let frame = (0..frames).reduce(|a, b| if range(b) >= range(a) { b } else { a });
        let frame = frame.unwrap_or_default();
        (frame, runs.iter().filter_map(|run| run.get(frame).copied()).collect())
    };
    columns.iter().map(widest).collect()
}

/// The last values of every run.
fn ends(columns: &[Vec<&[f64]>]) -> Vec<Vec<f64>> {
    let last = |run: &&[f64]| run.last().copied().unwrap_or(f64::NAN);
    columns.iter().map(|runs| runs.iter().map(last).collect()).collect()
}
