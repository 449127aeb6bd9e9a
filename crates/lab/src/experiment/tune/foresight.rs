//! Early end of runs: a fault that must persist ends a run.
//!
//! A run is examined whenever the number of its frames has doubled. Lasting reasons
//! (`FaultKind::lasting`) end it immediately. Other reasons are shares and may shrink, and creep may
//! settle: they end only a run of one body that has settled,
//! where no load switches any more, no surface moves but along its own plane, and the energy
//! throughput grew by less than a tenth at two looks in a row. Such a run ends if the same reason
//! was present at three looks in a row, or if creep above 1.5 times the budget is within 2 % of its
//! value at both previous looks.

use crate::run::{Observer, Recorded};
use std::cell::RefCell;
use stiction_core::contact::collider::ColliderForm;
use stiction_core::diagnosis::drift::Drift;
use stiction_core::diagnosis::watch::Reason;
use stiction_core::math::{Vector, larger};
use stiction_core::model::Model;
use stiction_core::simulation::Simulation;

/// Reason why a run ends early.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cut {
    /// Its cost has reached the limit of a whole run.
    TooDear,
    /// It does not hold.
    Fault(String),
}

/// Number of frames at the first look.
const FIRST: usize = 4;

/// Growth factor of the energy throughput since the last look beyond which a scene has not settled.
const GROWTH: f64 = 1.1;

/// Relative change of creep between looks beyond which it has not settled; creep/budget below which
/// it does not end a run.
const CHANGE: f64 = 0.02;
const ABOVE: f64 = 1.5;

/// The findings of one look.
#[derive(Default)]
struct Look {
    throughput: f64,
    reasons: Vec<&'static str>,
    /// largest creep of a body since the last look \[m/s\]
    creep: Option<f64>,
    settled: bool,
}

/// Observes every frame and decides when to end the run.
pub(super) struct Foresight<'a> {
    /// Whether only the number of evaluations is checked.
    pub blind: bool,
    creep: f64,
    evaluations: f64,
    cut: &'a RefCell<Option<Cut>>,
    /// time after which no load switches \[s\]
    steady_from: f64,
    frames: usize,
    sums: Vec<Drift>,
    looks: [Look; 2],
    settled_at: Option<f64>,
}

impl<'a> Foresight<'a> {
    /// For a run with a budget of creep \[m/s\] and of force evaluations.
    pub(super) fn new(
        model: &Model,
        creep: f64,
        evaluations: f64,
        cut: &'a RefCell<Option<Cut>>,
    ) -> Self {
        Foresight {
            blind: false,
            creep,
            evaluations,
            cut,
            steady_from: steady_from(model),
            frames: 0,
            sums: Vec::new(),
            looks: Default::default(),
            settled_at: None,
        }
    }

    /// The settling time of the scene \[s\], if it has settled.
    pub(super) fn settled_at(&self) -> Option<f64> {
        self.settled_at
    }

    fn look(&mut self, simulation: &Simulation) -> Option<Cut> {
        let throughput = simulation.watches.audit.throughput();
        let verdict = simulation.verdict();
        if let Some(reason) = verdict.reasons.iter().find(|reason| reason.kind().lasting) {
            return Some(Cut::Fault(reason.name().into()));
        }
        let reasons: Vec<&'static str> = verdict.reasons.iter().map(Reason::name).collect();
        let creep = self.sums.iter().filter_map(Drift::measured).reduce(larger);
        self.sums.clear();
        let [before, last] = &self.looks;
        let settled = simulation.state.time > self.steady_from
            && last.throughput > 0.0
            && throughput <= GROWTH * last.throughput;
        let now = Look { throughput, reasons, creep, settled };
        if now.settled && last.settled && self.settled_at.is_none() {
            self.settled_at = Some(simulation.state.time);
        }
        let cut = (now.settled && last.settled).then(|| lasting(before, last, &now, self.creep));
        self.looks.rotate_left(1);
        self.looks[1] = now;
        cut.flatten()
    }
}

/// The time after which no load switches \[s\]. Infinite if a load or a motion changes without end,
/// if a collider moves other than along its own plane, or is a mesh or a level surface, whose slope
/// changes along the path, and with several bodies, since the energy throughput of all does not
/// show that each has settled.
pub(super) fn steady_from(model: &Model) -> f64 {
    let moves = model.surfaces.colliders.iter().any(|collider| {
        let along = match collider.shape.form() {
            ColliderForm::Plane(plane) => collider.motion.velocity.dot(&plane.normal) == 0.0,
            ColliderForm::Triangles(_) | ColliderForm::Level => false,
            _ => collider.motion.velocity == Vector::zeros(),
        };
        !(along && collider.motion.is_uniform())
    });
    let switches = model.switches().into_iter().filter(|time| time.is_finite());
    if moves || model.unsteady || model.bodies.len() != 1 {
        f64::INFINITY
    } else {
        switches.fold(0.0, larger)
    }
}

/// Conclusion from three looks at a settled scene, `now` being the last.
fn lasting(before: &Look, last: &Look, now: &Look, budget: f64) -> Option<Cut> {
    let stays =
        |reason: &&&'static str| before.reasons.contains(reason) && last.reasons.contains(reason);
    if let Some(reason) = now.reasons.iter().find(stays) {
        return Some(Cut::Fault((*reason).into()));
    }
    let creep = now.creep.filter(|creep| *creep > ABOVE * budget)?;
    let same = |look: &Look| look.creep.is_some_and(|c| (c - creep).abs() <= CHANGE * creep);
    (same(before) && same(last)).then(|| Cut::Fault(format!("creep {creep:.3e} m/s")))
}

impl Observer for Foresight<'_> {
    fn frame(&mut self, simulation: &Simulation, frame: &Recorded) -> std::io::Result<()> {
        if simulation.work.evaluations as f64 > self.evaluations {
            *self.cut.borrow_mut() = Some(Cut::TooDear);
        }
        if self.blind || simulation.state.step_count == 0 {
            return Ok(());
        }
        let creep = &frame.frame.creep;
        self.sums.resize(creep.len(), Drift::default());
        self.sums.iter_mut().zip(creep).for_each(|(sum, since)| sum.append(since));
        self.frames += 1;
        if self.frames >= FIRST && self.frames.is_power_of_two() {
            let found = self.look(simulation);
            if found.is_some() {
                *self.cut.borrow_mut() = found;
            }
        }
        Ok(())
    }
}
