//! Common part of all implicit methods: a step is tried whole, then divided into halves, quarters and so
//! on.

use super::stage::{Newton, NewtonFailure, NewtonStart, StageWorld};
use super::{Capabilities, Integrator, StepReport};
use crate::forces::regime::Regime;
use crate::linear::{LinearSolver, MatrixForm};
use crate::math::Vector;
use crate::model::Model;
use crate::registry::{Problem, Values};
use crate::state::{Configuration, Lag, Past, State};
use crate::step_error::StepError;

/// Halvings of the step before a failure is reported.
const MOST_HALVINGS: u32 = 10;

/// Halvings of the step before contact is frozen: across the jump of a force the equations of a substep
/// may have no solution at any length.
const FREEZE_AFTER: u32 = 3;

/// An implicit method: the solution of one substep.
pub trait Method: Send {
    /// Writes the end of the substep to `to`; undefined on error.
    fn substep(
        &mut self,
        newton: &mut Newton,
        world: &StageWorld,
        from: &Substep,
        to: &mut TrialPoint,
        report: &mut StepReport,
    ) -> Result<(), NewtonFailure>;

    /// Its capabilities and limits.
    fn capabilities(&self) -> Capabilities;

    /// Whether it needs the start of the previous step.
    fn looks_back(&self) -> bool {
        false
    }

    /// Whether contact may be eased over a step that is not yet halved: where the force at the end alone acts.
    /// Forces at the start or within the next step would act with the speed that an eased contact leaves.
    fn eases_early(&self) -> bool {
        false
    }

    /// See [`Integrator::vectors_kept`].
    fn vectors_kept(&self) -> u32 {
        3
    }

    /// See [`Integrator::suits_search`].
    fn suits_search(&self) -> bool {
        false
    }
}

/// Positions and velocities.
#[derive(Debug, Clone, Default)]
pub struct TrialPoint {
    /// One position per particle \[m\].
    pub x: Vec<Vector>,
    /// One velocity per particle \[m/s\].
    pub v: Vec<Vector>,
}

/// Start and length of a substep.
pub struct Substep<'a> {
    /// Its start \[s\].
    pub time: f64,
    /// Its length \[s\].
    pub h: f64,
    /// Positions \[m\].
    pub x: &'a [Vector],
    /// Velocities \[m/s\].
    pub v: &'a [Vector],
    /// Accelerations F/m at the start \[m/s²\], zero on held axes.
    pub a: &'a [Vector],
    /// Start of the previous step of the same length, if any.
    pub past: Option<&'a Past>,
}

impl Substep<'_> {
    /// Start of Newton's iteration: velocity and acceleration at the start of the substep, the latter
    /// expected to last for `duration` \[s\].
    pub fn start(&self, duration: f64) -> NewtonStart<'_> {
        NewtonStart { v: self.v, a: self.a, duration }
    }
}

impl TrialPoint {
    /// Takes the solution of a stage.
    pub fn take(&mut self, newton: &mut Newton) {
        std::mem::swap(&mut self.x, &mut newton.x);
        std::mem::swap(&mut self.v, &mut newton.v);
    }

    /// a + share (b − a) of each particle, for positions and for velocities: exactly a where a = b.
    pub fn beyond(&mut self, a: (&[Vector], &[Vector]), b: (&[Vector], &[Vector]), share: f64) {
        for (to, a, b) in [(&mut self.x, a.0, b.0), (&mut self.v, a.1, b.1)] {
            to.clear();
            to.extend(a.iter().zip(b).map(|(a, b)| a + (b - a) * share));
        }
    }

    /// Positions and velocities after `h` \[s\] at the rates of the start.
    pub fn ahead(&mut self, from: &Substep, h: f64) {
        self.x.clear();
        self.x.extend(from.x.iter().zip(from.v).map(|(x, v)| x + v * h));
        self.v.clear();
        self.v.extend(from.v.iter().zip(from.a).map(|(v, a)| v + a * h));
    }
}

/// An integrator from a method.
pub struct Implicit<M> {
    method: M,
    newton: Newton,
    from: TrialPoint,
    to: TrialPoint,
    accelerations: Vec<Vector>,
    /// regimes of loads before and after the start of a step
    loads: [Vec<Regime>; 2],
}

impl<M: Method + 'static> Implicit<M> {
    /// The method with the values of [`super::stage::KEYS`].
    pub fn make(method: M, values: &Values) -> Result<Box<dyn Integrator>, Problem> {
        Ok(Box::new(Implicit::new(method, Newton::new(values))))
    }

    /// The method with a given Newton iteration.
    pub fn new(method: M, newton: Newton) -> Self {
        Implicit {
            method,
            newton,
            from: TrialPoint::default(),
            to: TrialPoint::default(),
            accelerations: Vec::new(),
            loads: Default::default(),
        }
    }

    /// Sets F/m at the start of a substep: from the commit at the step's start, else evaluated.
    fn accelerate(
        &mut self,
        world: &StageWorld,
        state: &State,
        time: f64,
        report: &mut StepReport,
    ) {
        self.accelerations.clear();
        if time == state.time {
            self.accelerations.extend_from_slice(&state.forces);
        } else {
            let at = Configuration {
                time,
                positions: &self.from.x,
                velocities: &self.from.v,
                within_step: true,
                lag: self.newton.lag,
                ..state.configuration()
            };
            self.accelerations.resize(self.from.x.len(), Vector::zeros());
            world.model.forces_at(&at, &mut self.accelerations);
            report.evaluations += 1;
        }
        for (a, inverse_mass) in self.accelerations.iter_mut().zip(&world.model.inverse_masses) {
            a.component_mul_assign(inverse_mass);
        }
    }
}

/// A substep whose equations were not solved, with simpler contact. First N is eased where contact begins,
/// since across a jump there may be no solution. If it `freezes`, contact is then that of the start of the step:
/// N and the normals of friction, and at last the force along the normals too, as in `imex`; this not with
/// adhesion, which acts across gaps without memory.
fn simplified<M: Method>(
    method: &mut M,
    newton: &mut Newton,
    (world, from): (&StageWorld, &Substep),
    to: &mut TrialPoint,
    freezes: bool,
    report: &mut StepReport,
) -> Result<(), NewtonFailure> {
    let lag = newton.lag;
    let mut solve = |lag: Lag, report: &mut StepReport| {
        newton.lag = lag;
        method.substep(newton, world, from, to, report)
    };
    let mut tried = solve(Lag { eased: 1.0 / from.h, ..lag }, report);
    report.eased += u64::from(tried.is_ok());
    if tried.is_err() && freezes {
        let friction = Lag { normal_force: true, basis: true, ..lag };
        tried = solve(friction, report);
        let adheres = world.model.laws.as_ref().is_some_and(|laws| laws.adhesion.is_some());
        if tried.is_err() && !adheres {
            tried = solve(Lag { normal_contact: true, ..friction }, report);
        }
        report.frozen += u64::from(tried.is_ok());
    }
    newton.lag = lag;
    tried
}

impl<M: Method + 'static> Integrator for Implicit<M> {
    fn step(&mut self, model: &Model, state: &mut State, h: f64) -> Result<StepReport, StepError> {
        let mut report = StepReport::default();
        let world = StageWorld { model, memory: &state.memory };
        self.from.x.clone_from(&state.positions);
        self.from.v.clone_from(&state.velocities);
        // a step in which a load switched says nothing about the next
        let known = self.method.looks_back()
            && state.has_past(h)
            && !model.loads_switch(&state.configuration(), &mut self.loads);
        // the interval is covered in parts of 2^-halvings; each failure halves the parts
        let (mut done, mut halvings) = (0u32, 0u32);
        while done < 1 << halvings {
            let part = h / f64::from(1 << halvings);
            let time = state.time + part * f64::from(done);
            self.accelerate(&world, state, time, &mut report);
            let from = Substep {
                time,
                h: part,
                x: &self.from.x,
                v: &self.from.v,
                a: &self.accelerations,
                past: (halvings == 0 && known).then_some(&state.past),
            };
            let to = &mut self.to;
            let mut tried = self.method.substep(&mut self.newton, &world, &from, to, &mut report);
            let failed = tried.is_err_and(|failure| failure.depends_on_the_step());
            let freezes = halvings >= FREEZE_AFTER;
            if failed && model.touches() && (freezes || self.method.eases_early()) {
                let (method, newton) = (&mut self.method, &mut self.newton);
                tried = simplified(method, newton, (&world, &from), to, freezes, &mut report);
            }
            match tried {
                Ok(()) => {
                    report.substeps += 1;
                    done += 1;
                    std::mem::swap(&mut self.from, &mut self.to);
                }
                Err(failure) if halvings < MOST_HALVINGS && failure.depends_on_the_step() => {
                    report.rejections += 1;
                    halvings += 1;
                    done *= 2;
                }
                Err(failure) => return Err(failure.at(time, part)),
            }
        }
        if self.method.looks_back() {
            state.past.kept_for = (state.step_count + 1, h);
            state.past.of_positions.clone_from(&state.positions);
            state.past.of_velocities.clone_from(&state.velocities);
        }
        state.positions.clone_from(&self.from.x);
        state.velocities.clone_from(&self.from.v);
        Ok(report)
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { lag: self.newton.lag, ..self.method.capabilities() }
    }

    fn vectors_kept(&self) -> u32 {
        self.method.vectors_kept()
    }

    fn linear_solver(&self, particles: usize) -> Option<(&dyn LinearSolver, MatrixForm)> {
        Some((self.newton.solver.as_ref(), self.newton.form(particles)))
    }

    fn suits_search(&self) -> bool {
        self.method.suits_search()
    }
}
