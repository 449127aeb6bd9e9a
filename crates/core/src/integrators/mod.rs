//! Integrators: methods that advance a state over one step `dt`. They ask the model for forces and
//! Jacobians and know no force by name.

pub mod adams_bashforth_2;
pub mod bdf2;
pub mod dormand_prince;
pub mod explicit_euler;
pub mod heun;
pub mod imex;
pub mod implicit;
pub mod implicit_euler;
pub mod implicit_midpoint;
pub mod midpoint;
pub mod region;
pub mod rk3;
pub mod rk4;
pub mod rk45;
pub(crate) mod runge_kutta;
pub mod sdirk2;
pub mod semi_implicit;
pub mod stage;
pub mod symplectic_euler;
pub mod tr_bdf2;
pub mod trapezoid;
pub mod velocity_verlet;

use crate::forces::census::{Census, Moving};
use crate::forces::crew::Crew;
use crate::linear::{LinearSolver, MatrixForm};
use crate::model::Model;
use crate::registry::{Entry, Table};
use crate::state::{Lag, State};
use crate::step_error::StepError;
use region::Region;
use serde::{Deserialize, Serialize};
use stage::StageCounts;

/// One method, in a file of its own.
pub trait Integrator: Send {
    /// Advances positions and velocities from `state.time` to `state.time + dt`. Time, forces and memory
    /// are left to the commit. On error the state is unchanged.
    fn step(&mut self, model: &Model, state: &mut State, dt: f64) -> Result<StepReport, StepError>;

    /// The step as a function of components, for a method that needs only the force of the accepted
    /// state: particles are then moved, and their moments of mass summed, in one pass.
    fn one_by_one(&self) -> Option<OneByOne> {
        None
    }

    /// Capabilities and limits of the method; constant during a run.
    fn capabilities(&self) -> Capabilities;

    /// Vectors of three numbers per particle that it keeps beside the state, for the estimate of memory
    /// before a run; three where a method does not say.
    fn vectors_kept(&self) -> u32 {
        3
    }

    /// Whether a search over methods, `tune`, tries it unasked: all its keys have defaults, and it is the
    /// representative of its kind.
    fn suits_search(&self) -> bool {
        false
    }

    /// The linear solver of a method that has one, and the form of its matrix for so many particles.
    fn linear_solver(&self, particles: usize) -> Option<(&dyn LinearSolver, MatrixForm)> {
        let _ = particles;
        None
    }
}

/// Advances all particles over a step and counts them: [`Census::advance`] by the rule of a method.
pub type OneByOne = fn(census: &mut Census, crew: &Crew, moving: Moving);

/// Work counters of one step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct StepReport {
    /// Force evaluations.
    pub evaluations: u64,
    /// Jacobian evaluations.
    pub jacobians: u64,
    /// Newton iterations.
    pub iterations: u64,
    /// Stages by their Newton iterations.
    pub stages: StageCounts,
    /// Iterations of linear solvers; direct ones take none.
    pub linear_iterations: u64,
    /// Accepted substeps.
    pub substeps: u64,
    /// Rejected or repeated substeps.
    pub rejections: u64,
    /// Substeps solved with the normal force eased where contact begins, because the full equations could
    /// not be solved.
    pub eased: u64,
    /// Substeps solved with contact frozen at the start of the step, because the full equations could
    /// not be solved.
    pub frozen: u64,
    /// Located changes of regime: contacts that open, close, stick or slip.
    pub events: u64,
    /// Whether an explicit method found the problem stiff.
    pub stiff: bool,
}

impl StepReport {
    /// One evaluation of forces, one substep.
    pub const ONE: StepReport = StepReport {
        evaluations: 1,
        substeps: 1,
        jacobians: 0,
        iterations: 0,
        stages: StageCounts::NONE,
        linear_iterations: 0,
        rejections: 0,
        eased: 0,
        frozen: 0,
        events: 0,
        stiff: false,
    };

    /// Adds the work of another step.
    pub fn add(&mut self, other: &StepReport) {
        self.evaluations += other.evaluations;
        self.jacobians += other.jacobians;
        self.iterations += other.iterations;
        self.stages.add(&other.stages);
        self.linear_iterations += other.linear_iterations;
        self.substeps += other.substeps;
        self.rejections += other.rejections;
        self.eased += other.eased;
        self.frozen += other.frozen;
        self.events += other.events;
        self.stiff |= other.stiff;
    }
}

/// Capabilities and limits of a method.
#[derive(Clone, Copy)]
pub struct Capabilities {
    /// Nominal order, with forces that depend on velocity.
    pub order: u32,
    /// Stability region.
    pub region: Region,
    /// Largest stable h λ for decay at rate λ (the negative real axis); `None`: no limit.
    pub decay_limit: Option<f64>,
    /// Largest stable h ω for undamped oscillation (the imaginary axis); `None`: no limit.
    pub oscillation_limit: Option<f64>,
    /// Chooses its own substeps inside the commit interval.
    pub adaptive: bool,
    /// Solves equations at each step.
    pub implicit: bool,
    /// The quantities of contacts taken from the last commit.
    pub lag: Lag,
    /// Can carry the stretch of contacts as part of the state.
    pub carries_stretch: bool,
    /// h λ above which a decay reverses its sign at every step and fades slowly: the factor per step
    /// tends to −1. `None`: it does not ring.
    pub rings_above: Option<f64>,
    /// See [`crate::state::LastStep::kick_share`]. `None`: velocities must not be jumped after its
    /// steps: it solves for forces and positions together, or extrapolates from earlier steps.
    pub kick_share: Option<f64>,
}

impl Capabilities {
    /// An explicit one-step method, stable in `region`; velocities may be jumped after its steps.
    pub fn explicit(order: u32, region: Region) -> Self {
        Capabilities {
            order,
            decay_limit: region.decay_limit(),
            oscillation_limit: region.oscillation_limit(),
            region,
            adaptive: false,
            implicit: false,
            lag: Lag::NONE,
            carries_stretch: true,
            rings_above: None,
            kick_share: Some(0.5),
        }
    }

    /// An explicit method that chooses its own substeps.
    pub fn adaptive(order: u32) -> Self {
        Capabilities { adaptive: true, ..Capabilities::explicit(order, Region::Everywhere) }
    }

    /// An implicit method, stable for all decay and oscillation.
    pub fn implicit(order: u32) -> Self {
        Capabilities {
            implicit: true,
            carries_stretch: false,
            kick_share: None,
            ..Capabilities::explicit(order, Region::Everywhere)
        }
    }

    /// Whether the force along the normals is that of the step's start: the step must then stay below h
    /// ω = 2 (√(1 + ζ²) − ζ) of the contacts.
    pub fn explicit_normal(&self) -> bool {
        self.lag.normal_contact
    }

    /// Whether a step is v' = v + h F/m, x' = x + h v' under a constant force: velocity first, of order one.
    pub fn is_velocity_first(&self) -> bool {
        self.order == 1 && self.kick_share == Some(1.0)
    }

    /// Whether ẍ = −λ ẋ − ω² x stays bounded at the step h, from h λ and h ω.
    pub fn holds(&self, hlambda: f64, homega: f64) -> bool {
        // most contacts of most scenes: no need of the region
        if let (true, Some(limit)) = (homega == 0.0, self.decay_limit) {
            return hlambda <= limit;
        }
        self.region.holds(hlambda, homega)
    }

    /// The leading term (hλ)ᵖ/p! of the factor of one step on a velocity that decays at λ.
    pub(crate) fn leading_term(&self, hlambda: f64) -> f64 {
        (1..=self.order).fold(1.0, |product, k| product * hlambda / f64::from(k))
    }
}

/// All integrators.
pub static INTEGRATORS: Table<Entry<dyn Integrator>> = Table::new(
    "integrator",
    &[
        explicit_euler::ENTRY,
        symplectic_euler::ENTRY,
        velocity_verlet::REUSED,
        velocity_verlet::REEVALUATED,
        midpoint::ENTRY,
        heun::ENTRY,
        rk3::ENTRY,
        rk4::ENTRY,
        adams_bashforth_2::ENTRY,
        dormand_prince::DOPRI5,
        dormand_prince::DOP853,
        rk45::ENTRY,
        semi_implicit::ENTRY,
        implicit_euler::ENTRY,
        trapezoid::ENTRY,
        implicit_midpoint::ENTRY,
        bdf2::ENTRY,
        sdirk2::ENTRY,
        tr_bdf2::ENTRY,
        imex::ENTRY,
    ],
);
