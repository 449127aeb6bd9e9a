//! The watch over prescribed motions. A method sees an oscillating or turning collider at the instants
//! of its stages only: at f = 1/h it seems to stand still.

use super::watch::{Cure, Fault, FaultKind, Observation, Reason, RunSoFar, Start, Watch};
use crate::constraints::Constraint;
use crate::contact::collider::Motion;
use crate::expression::time_curve::TimeCurve;
use crate::math::{PI, Vector, at_most, larger, number};
use crate::model::Model;
use crate::state::State;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Tolerated phase of an oscillation or a turn per step \[rad\], under a method of order one and under
/// others: twenty and ten steps a period.
const PHASE: [f64; 2] = [PI / 10.0, PI / 5.0];

/// A motion that the step does not resolve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MotionUnresolved {
    /// The collider's number.
    pub collider: usize,
    /// Steps in a period.
    pub steps: f64,
    /// Period of its motion \[s\].
    pub period: f64,
    /// Steps needed in a period.
    pub needed: f64,
    /// Time of the first contact with it \[s\].
    pub time: f64,
}

/// A function of time (of a collider, pin or muscle) that the step does not resolve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurveUnresolved {
    /// The part that follows the function s(t).
    pub part: GuidedPart,
    /// Error of the trapezoidal rule over a step, |Δs − h (s'(t) + s'(t + h))/2|, over the largest h
    /// |s'|.
    pub missed: f64,
    /// Tolerated error.
    pub allowed: f64,
    /// The worst step's end \[s\].
    pub time: f64,
}

/// A part of a model that follows a curve of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum GuidedPart {
    /// A collider, by its number.
    Collider(usize),
    /// A pin, by its number among those that follow curves.
    Pin(usize),
    /// A muscle, by its number.
    Muscle(usize),
}

/// A curve of time under watch.
#[derive(Debug, Clone)]
struct Guided {
    part: GuidedPart,
    curve: TimeCurve,
    position: Vector,
}

/// The record of one curve of time.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Followed {
    /// largest error of a step, and its time \[s\]
    worst: (f64, f64),
    fastest: f64,
    acts: bool,
}

impl Guided {
    fn of(part: GuidedPart, curve: &TimeCurve, position: Vector) -> Guided {
        let curve = curve.clone();
        Guided { part, curve, position }
    }

    /// All curves of time of a model.
    fn all(model: &Model) -> Vec<Guided> {
        let mut all = Vec::new();
        for (number, collider) in model.surfaces.colliders.iter().enumerate() {
            let part = GuidedPart::Collider(number);
            let guides = collider.motion.guides.iter();
            all.extend(guides.map(|guide| Guided::of(part, &guide.curve, Vector::zeros())));
        }
        let pins = model.constraints().map(Constraint::time_curves);
        for (number, curves) in pins.filter(|curves| !curves.is_empty()).enumerate() {
            let part = GuidedPart::Pin(number);
            all.extend(curves.into_iter().map(|curve| Guided::of(part, curve, Vector::zeros())));
        }
        for (number, muscle) in model.muscles.iter().enumerate() {
            let middle = muscle.fibres.first().map_or(Vector::zeros(), |fibre| fibre.middle);
            all.push(Guided::of(GuidedPart::Muscle(number), &muscle.factor, middle));
        }
        all
    }

    fn look(&self, so_far: &mut Followed, state: &State, h: f64) {
        let [start, before] = self.curve.over(state.time - h, self.position, false);
        let [end, after] = self.curve.over(state.time, self.position, true);
        let missed = (end - start - 0.5 * h * (before + after)).abs();
        so_far.fastest = larger(so_far.fastest, larger(before.abs(), after.abs()));
        if missed > so_far.worst.0 {
            so_far.worst = (missed, state.time);
        }
        so_far.acts |= match self.part {
            GuidedPart::Collider(number) => {
                state.memory.contacts.iter().any(|contact| contact.key.collider() == Some(number))
            }
            _ => true,
        };
    }
}

/// Watches contacts with colliders of unresolved motion, and curves of time. Adaptive methods resolve
/// motions in their substeps.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Motions {
    unresolved: Vec<MotionUnresolved>,
    /// constant: the model's curves of time
    #[serde(skip)]
    guided: Arc<[Guided]>,
    followed: Vec<Followed>,
    /// Tolerated `missed`: (ω h)²/12, that of an oscillation at the limit.
    allowed: f64,
    step: f64,
    /// The worst of the touched colliders.
    pub found: Option<MotionUnresolved>,
}

/// The largest angular frequency of a motion \[rad/s\].
fn pace(motion: &Motion) -> f64 {
    let swings = motion.oscillation.filter(|swing| swing.amplitude != 0.0);
    let swing = swings.map_or(0.0, |swing| 2.0 * PI * swing.frequency.abs());
    larger(swing, motion.spin.map_or(0.0, |spin| spin.rate.abs()))
}

impl Motions {
    fn look(&mut self, state: &State) {
        for contact in &state.memory.contacts {
            let touched = contact.key.collider();
            let found = self.unresolved.iter().find(|motion| Some(motion.collider) == touched);
            if let Some(found) = found
                && self.found.is_none_or(|worst| found.steps < worst.steps)
            {
                self.found = Some(MotionUnresolved { time: state.time, ..*found });
            }
        }
    }
}

impl Watch for Motions {
    fn start(start: &Start) -> Self {
        let mut watch = Motions::default();
        if start.method.adaptive {
            return watch;
        }
        let most = PHASE[usize::from(start.method.order > 1)];
        (watch.allowed, watch.step) = (most * most / 12.0, start.dt);
        watch.guided = Guided::all(start.model).into();
        watch.followed = vec![Followed::default(); watch.guided.len()];
        for (collider, it) in start.model.surfaces.colliders.iter().enumerate() {
            let pace = pace(&it.motion);
            if pace * start.dt > most * (1.0 + 1e-9) {
                watch.unresolved.push(MotionUnresolved {
                    collider,
                    steps: 2.0 * PI / (pace * start.dt),
                    period: 2.0 * PI / pace,
                    needed: 2.0 * PI / most,
                    time: 0.0,
                });
            }
        }
        watch.look(start.state);
        watch
    }

    fn fits(&self, record: &Self, model: &Model) -> bool {
        let mut motions = record.unresolved.iter().chain(&record.found);
        record.followed.len() == self.followed.len()
            && motions.all(|motion| motion.collider < model.surfaces.colliders.len())
    }

    fn observe(&mut self, step: &Observation) {
        if !self.unresolved.is_empty() {
            self.look(step.state);
        }
        for (guided, so_far) in self.guided.iter().zip(&mut self.followed) {
            guided.look(so_far, step.state, step.part);
        }
    }

    fn resume(&mut self, before: &Motions) {
        let guided = std::mem::take(&mut self.guided);
        *self = Motions { guided, ..before.clone() };
    }

    fn add_reasons(&self, _run: &RunSoFar, reasons: &mut Vec<Reason>) {
        reasons.extend(self.found.map(Reason::from));
        let missed = |so_far: &Followed| so_far.worst.0 / (self.step * so_far.fastest);
        let all = self.guided.iter().zip(&self.followed);
        let all = all.filter(|(_, so_far)| so_far.acts && so_far.worst.0 > 0.0);
        let worst = all.max_by(|a, b| missed(a.1).total_cmp(&missed(b.1)));
        if let Some((guided, so_far)) = worst.filter(|worst| missed(worst.1) > self.allowed) {
            reasons.push(Reason::from(CurveUnresolved {
                part: guided.part,
                missed: missed(so_far),
                allowed: self.allowed,
                time: so_far.worst.1,
            }));
        }
    }
}

/// See [`MotionUnresolved`].
pub(crate) static MOTION_UNRESOLVED: FaultKind = FaultKind::shared(
    "motion-unresolved",
    "Something touches a collider that swings or turns by more than a tenth of its period in a step, a twentieth under a method of order one, or a curve of time changes its rate as fast: the method sees too few of its positions, and at a whole number of periods a step it sees none of its motion. Use a smaller step, or an adaptive method, which resolves motions in its substeps.",
);

impl Fault for MotionUnresolved {
    fn kind(&self) -> &'static FaultKind {
        &MOTION_UNRESOLVED
    }

    fn describe(&self, model: &Model) -> String {
        let m = self;
        format!(
            "a motion is not resolved by the step: `{}` has a period of {} s, which is {:.3} steps, and {:.0} are needed; it was touched first at t = {:.4} s. Use a step of at most {} s, or an adaptive method",
            model.surfaces.colliders[m.collider].name,
            number(m.period),
            m.steps,
            m.needed,
            m.time,
            at_most(m.period / m.needed)
        )
    }

    fn cure(&self, _: f64) -> Cure {
        Cure::Step(self.period / self.needed)
    }
}

impl Fault for CurveUnresolved {
    fn kind(&self) -> &'static FaultKind {
        &MOTION_UNRESOLVED
    }

    fn describe(&self, model: &Model) -> String {
        let part = match self.part {
            GuidedPart::Collider(n) => format!("of `{}`", model.surfaces.colliders[n].name),
            GuidedPart::Pin(n) => format!("of the pin that follows the curve number {n}"),
            GuidedPart::Muscle(n) => format!("of muscle {n}"),
        };
        format!(
            "a curve of time is not resolved by the step: the motion {part} changes its rate so fast that a step misses {:.1} % of the largest displacement per step, at t = {:.4} s (at most {:.1} %). Use a smaller step, a slower motion, or an adaptive method",
            100.0 * self.missed,
            self.time,
            100.0 * self.allowed
        )
    }
}
