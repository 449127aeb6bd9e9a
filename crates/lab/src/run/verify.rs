//! Verification of a run: refined runs of the same scene, and the error bar of every measure.

use super::course::{Course, Keeper, Places, ProgressOnly};
use super::outcome::{Outcome, Status};
use super::refinement::{Refinement, halved, other_method};
use super::scales::Scales;
use super::split::{Comparison, Refined, by_refinement, settled};
use super::verification::{MeasureBar, Parting, RefinedRun, Verification};
use super::{Creep, Observer, Run};
use serde::{Deserialize, Serialize};
use stiction_core::diagnosis::error_bar::{
    ErrorBar, ErrorTooLarge, NotDetermined, RefinedRunAtFault, TRUSTED, Zero, farthest,
};
use stiction_core::diagnosis::trust::Verdict;
use stiction_core::diagnosis::watch::Reason;
use stiction_scene::Scene;
use stiction_scene::build::{BuildError, Built, restitution};

/// The runs a run is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub struct Means {
    /// Half the step, and a quarter if half does not suffice; adaptive methods also at tighter
    /// tolerances.
    pub step: bool,
    /// Another method at the same step.
    pub method: bool,
}

impl Means {
    /// By the step.
    pub const STEP: Means = Means { step: true, method: false };
    /// By another method.
    pub const METHOD: Means = Means { step: false, method: true };
    /// By both.
    pub const BOTH: Means = Means { step: true, method: true };

    /// The means of a word: [`Self::word`].
    pub fn named(word: &str) -> Option<Self> {
        [Means::STEP, Means::METHOD, Means::BOTH].into_iter().find(|means| means.word() == word)
    }

    /// One word: step, method or both.
    pub fn word(&self) -> &'static str {
        match (self.step, self.method) {
            (true, true) => "both",
            (false, true) => "method",
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

/// Builds a scene that differs from the run's own in its step or method alone.
pub type Builder = Box<dyn Fn(&Scene) -> Result<Built, BuildError>>;

/// Means of verifying a run.
pub(super) struct Verifier {
    pub means: Means,
    pub build: Builder,
}

/// Largest difference between two runs, as a share of a measure's scale, up to which no third run
/// is made.
const SETTLED: f64 = 5e-3;

/// Largest error, as a share, at which the agreement of the runs outweighs symptoms common to all.
const CLOSE: f64 = 1e-2;

/// A further run, and its compared quantities.
struct Further {
    about: RefinedRun,
    course: Course,
}

impl Run {
    /// Requests verification at the end of the run: [`Outcome::verification`]. `build` builds its
    /// scene with another step or method.
    pub fn verify(&mut self, means: Means, build: Builder) {
        self.verifier = Some(Verifier { means, build });
    }

    /// Makes the verifying runs, and adds error bars and level to the outcome.
    pub(super) fn verified(
        &mut self,
        verifier: &Verifier,
        places: Places,
        mut outcome: Outcome,
        observer: &mut dyn Observer,
        stop: &dyn Fn() -> bool,
    ) -> Outcome {
        if outcome.status != Status::Completed {
            return outcome;
        }
        let scene = self.timeline.scene.clone();
        let own = Course::of(self, places);
        let scales = Scales::of(self);
        let late = late_impacts(self);
        let mut check =
            Check { run: self, own, scales, verifier, observer, stop, notes: Vec::new(), late };
        let mut halves: Vec<Further> = Vec::new();
        let mut faults: Vec<Reason> = Vec::new();
        let other = if verifier.means.method { check.by_method(&scene, &mut faults) } else { None };
        if verifier.means.step || (other.is_none() && faults.is_empty()) {
            for halvings in 1..=2 {
                let Some(further) = check.run(halved(&scene, halvings), &mut faults) else { break };
                halves.push(further);
                let clean = outcome.verdict.faultless()
                    && halves.iter().all(|further| further.about.verdict.faultless());
                if clean && check.settled(&halves) {
                    break;
                }
            }
        }
        if halves.is_empty() && other.is_none() {
            outcome.verdict.reasons.extend(faults);
            return outcome;
        }
        check.split_drifts(&halves, &mut outcome.creep);
        let motions_agree = check.motions_agree(&halves);
        let verification = check.compare(halves, other);
        let can_outweigh = |verdict: &Verdict| {
            verdict.can_be_outweighed() && (motions_agree || !verdict.asks_for_drifts())
        };
        judge(&mut outcome.verdict, &verification, faults, self, can_outweigh);
        outcome.verification = Some(verification);
        outcome.doubt();
        outcome
    }
}

/// A verification in progress.
struct Check<'a> {
    run: &'a Run,
    own: Course,
    scales: Scales,
    verifier: &'a Verifier,
    observer: &'a mut dyn Observer,
    stop: &'a dyn Fn() -> bool,
    notes: Vec<String>,
    /// time by which impacts are late \[s\]
    late: Option<f64>,
}

/// Half a step, where bodies rebound by impulses: these come at the ends of steps.
fn late_impacts(run: &Run) -> Option<f64> {
    let scene = &run.timeline.scene;
    let all = || 0..scene.materials.len();
    let bounces = |a: usize| all().any(|b| restitution(scene, a, b).is_some_and(|e| e > 0.0));
    (scene.contact.jumps() && all().any(bounces)).then(|| 0.5 * run.simulation().time_step())
}

impl Check<'_> {
    /// Runs another method, if one fits the scene.
    fn by_method(&mut self, scene: &Scene, faults: &mut Vec<Reason>) -> Option<Further> {
        let fits = |refinement: &Refinement| (self.verifier.build)(&refinement.scene).is_ok();
        match other_method(scene).filter(fits) {
            Some(refinement) => self.run(refinement, faults),
            None => {
                self.notes.push("no other method fits this scene: half the step alone".into());
                None
            }
        }
    }

    /// Runs a refinement; failure or interruption is a fault.
    fn run(&mut self, refinement: Refinement, faults: &mut Vec<Reason>) -> Option<Further> {
        let Refinement { name, scene, pieces } = refinement;
        let fault = |marks: String| RefinedRunAtFault { run: name.into(), marks }.into();
        self.observer.verifying(name, scene.time.steps);
        let mut run = match (self.verifier.build)(&scene).and_then(|built| Run::of(&scene, built)) {
            Ok(run) => run,
            Err(error) => {
                faults.push(fault(format!("it cannot be built: {error}")));
                return None;
            }
        };
        run.simulation_mut().refine_parts(pieces);
        let mut places = Places { stride: self.own.places.stride, ..Places::default() };
        let mut progress = ProgressOnly(self.observer);
        let mut keeper = Keeper { places: &mut places, next: &mut progress };
        let outcome = run.finish_with(&mut keeper, self.stop).ok()?;
        match &outcome.status {
            Status::Interrupted => {
                faults.push(fault("it was stopped".into()));
                return None;
            }
            Status::Failed(error) => {
                faults.push(fault(error.describe(&run.simulation().model)));
                return None;
            }
            Status::Completed => {}
        }
        let about = RefinedRun {
            name: name.into(),
            integrator: scene.integrator.name,
            step: scene.time.step,
            is_refined: scene.time.step < self.run.simulation().time_step(),
            status: outcome.status.word(),
            evaluations: outcome.work.evaluations,
            state_hash: outcome.state_hash,
            verdict: outcome.verdict,
        };
        Some(Further { about, course: Course::of(&run, places) })
    }

    /// Whether two runs agree so well that a third cannot change the verdict.
    fn settled(&self, halves: &[Further]) -> bool {
        let bars = self.bars(halves);
        let measures = bars.0.iter().chain(&bars.1).all(|measure| measure.bar.share <= SETTLED);
        measures && self.drifts_agree(halves)
    }

    /// Whether the drift of every body is the same in all runs.
    fn drifts_agree(&self, halves: &[Further]) -> bool {
        let by = self.drifts_compared();
        halves.iter().all(|further| {
            let pairs = self.own.drifts.iter().zip(&further.course.drifts);
            pairs.into_iter().all(|(own, other)| settled(own, other, by))
        })
    }

    /// Whether the runs show that all bodies move alike: their centres agree, and so do their drifts, of
    /// which one at least is known.
    fn motions_agree(&self, halves: &[Further]) -> bool {
        let known = self.own.drifts.iter().any(|drift| drift.velocity().is_some());
        let centres = || self.bars(halves).1.iter().all(|body| body.bar.share <= CLOSE);
        !halves.is_empty() && known && self.drifts_agree(halves) && centres()
    }

    fn drifts_compared(&self) -> Comparison {
        let order = self.run.simulation().integrator().capabilities().order;
        Comparison { order, least: self.scales.rest() }
    }

    /// Splits the drift of each body by its drifts at smaller steps.
    fn split_drifts(&self, halves: &[Further], creep: &mut [Creep]) {
        if halves.is_empty() {
            return;
        }
        let simulation = self.run.simulation();
        let by = self.drifts_compared();
        for (number, body) in simulation.model.bodies.iter().enumerate() {
            let Some(creep) = creep.iter_mut().find(|creep| creep.body == body.name) else {
                continue;
            };
            let own = Refined { step: simulation.time_step(), drift: &self.own.drifts[number] };
            let finer = halves.iter().map(|further| Refined {
                step: further.about.step,
                drift: &further.course.drifts[number],
            });
            let runs: Vec<Refined> = std::iter::once(own).chain(finer).collect();
            by_refinement(creep, &runs, by);
        }
    }

    /// Error bars of measures and of bodies, from runs at decreasing steps.
    fn bars(&self, others: &[Further]) -> (Vec<MeasureBar>, Vec<MeasureBar>) {
        self.each(others, |columns, zero, unit, _| {
            let bar = ErrorBar::estimate(columns, zero, self.scales.least(unit));
            match self.late {
                Some(late) if unit == "m" => {
                    bar.with_late_impacts(columns, zero, &self.own.times, late)
                }
                _ => bar,
            }
        })
    }

    fn each(
        &self,
        others: &[Further],
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
            let (unit, ends) = (probe.unit, ends(&columns));
            measures.push(MeasureBar { columns: names, unit, ends, bar, counts });
        }
        let bodies = self.run.simulation().model.bodies.iter().enumerate();
        let bodies = bodies.map(|(b, body)| {
            let columns: Vec<Vec<&[f64]>> =
                (0..3).map(|k| series(|c| &c.centers, 3 * b + k)).collect();
            let bar = of(&columns, Zero::Chosen, "m", self.run.probes.len() + b);
            let names = ["x", "y", "z"].map(|axis| format!("{}_{axis}", body.name));
            let ends = ends(&columns);
            MeasureBar { columns: names.into(), unit: "m", ends, bar, counts: true }
        });
        (measures, bodies.collect())
    }

    fn compare(mut self, halves: Vec<Further>, other: Option<Further>) -> Verification {
        let (mut measures, mut bodies) = match halves.is_empty() {
            true => (Vec::new(), Vec::new()),
            false => self.bars(&halves),
        };
        let mut runs: Vec<RefinedRun> = halves.iter().map(|f| f.about.clone()).collect();
        let mut nearest = halves.into_iter().next();
        if let Some(other) = other {
            runs.push(other.about.clone());
            let others = [other];
            let widened = self.each(&others, |columns, zero, unit, number| {
                match measures.iter().chain(&bodies).nth(number) {
                    Some(before) => before.bar.clone().with_method(columns, zero),
                    None => {
                        let least = self.scales.least(unit);
                        ErrorBar::estimate(&same_twice(columns), zero, least)
                            .with_method(columns, zero)
                    }
                }
            });
            let (wider_measures, wider_bodies) = widened;
            measures = beside(measures, wider_measures);
            bodies = beside(bodies, wider_bodies);
            let [other] = others;
            nearest = nearest.or(Some(other));
        }
        let mut verification = Verification {
            runs,
            measures,
            bodies,
            parting: None,
            notes: std::mem::take(&mut self.notes),
        };
        if verification.share() > TRUSTED
            && let Some(nearest) = nearest
        {
            verification.parting = self.parting(&verification, &nearest);
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

/// Columns with the run itself twice, so that only the difference of the other method counts.
fn same_twice<'a>(columns: &[Vec<&'a [f64]>]) -> Vec<Vec<&'a [f64]>> {
    columns.iter().map(|runs| vec![runs[0], runs[0]]).collect()
}

/// Adds the result of the comparison to the verdict.
fn judge(
    verdict: &mut Verdict,
    verification: &Verification,
    faults: Vec<Reason>,
    run: &Run,
    can_outweigh: impl Fn(&Verdict) -> bool,
) {
    let share = verification.share();
    verdict.error = Some(share);
    verdict.reasons.extend(faults);
    if share <= TRUSTED && is_outweighed(verdict, verification, share, can_outweigh) {
        verdict.outweighed.append(&mut verdict.reasons);
        return;
    }
    for refined in &verification.runs {
        let new = |reason: &&Reason| verdict.reasons.iter().all(|own| own.name() != reason.name());
        let marks: Vec<&str> =
            refined.verdict.reasons.iter().filter(new).map(|reason| reason.name()).collect();
        if !marks.is_empty() {
            let fault = RefinedRunAtFault { run: refined.name.clone(), marks: marks.join(", ") };
            verdict.reasons.push(fault.into());
        }
    }
    let worst = |of: fn(&MeasureBar) -> bool| {
        let found = verification.judged().filter(|m| m.bar.share > TRUSTED && of(m));
        found.reduce(|a, b| if b.bar.share > a.bar.share { b } else { a })
    };
    let time_step = run.simulation().time_step();
    if let Some(measure) = worst(|m| !m.bar.converges) {
        let column = measure.widest();
        let steps = verification.runs.iter().map(|run| run.step);
        verdict.reasons.push(
            NotDetermined {
                measure: measure.columns[column].clone(),
                unit: measure.unit,
                values: measure.ends[column].clone(),
                steps: std::iter::once(time_step).chain(steps).collect(),
                time: verification.parting.as_ref().map(|parting| parting.time),
            }
            .into(),
        );
    } else if let Some(measure) = worst(|_| true) {
        let column = measure.widest();
        verdict.reasons.push(
            ErrorTooLarge {
                measure: measure.columns[column].clone(),
                value: measure.ends[column][0],
                error: measure.error_at_end(column),
                unit: measure.unit,
                share: measure.bar.share,
                step: time_step * measure.bar.step_share(),
            }
            .into(),
        );
    }
}

/// Whether the symptoms of all runs have no effect on the measures: there are three runs, all their
/// symptoms are of kinds that agreement can outweigh, and either the most refined run has none, or
/// all are forecasts, or the agreement is so close that the cause of a symptom cannot matter.
fn is_outweighed(
    verdict: &Verdict,
    verification: &Verification,
    share: f64,
    can_outweigh: impl Fn(&Verdict) -> bool,
) -> bool {
    let runs = &verification.runs;
    let all =
        |of: &dyn Fn(&Verdict) -> bool| of(verdict) && runs.iter().all(|run| of(&run.verdict));
    let refined = || runs.iter().filter(|run| run.is_refined);
    let Some(finest) = refined().next_back().filter(|_| refined().count() > 1) else {
        return false;
    };
    let forecasts_only = || all(&Verdict::forecasts_only);
    all(&can_outweigh) && (finest.verdict.faultless() || forecasts_only() || share <= CLOSE)
}

/// Wider bars, with the last values of earlier runs added.
fn beside(before: Vec<MeasureBar>, mut wider: Vec<MeasureBar>) -> Vec<MeasureBar> {
    for (before, wider) in before.into_iter().zip(&mut wider) {
        let others = wider.ends.iter().map(|ends| ends[1..].to_vec());
        let both =
            before.ends.into_iter().zip(others).map(|(ends, others)| [ends, others].concat());
        wider.ends = both.collect();
    }
    wider
}

/// The last values of every run.
fn ends(columns: &[Vec<&[f64]>]) -> Vec<Vec<f64>> {
    let last = |run: &&[f64]| run.last().copied().unwrap_or(f64::NAN);
    columns.iter().map(|runs| runs.iter().map(last).collect()).collect()
}
