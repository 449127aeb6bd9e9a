//! The reasons why a step fails: in a method, a solver, or contacts that jump velocities.

use crate::linear::LinearError;

/// The reason why a step failed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StepError {
    /// A number became infinite or undefined, or a particle faster than in any scene.
    #[error("the simulation blew up at t = {time:.6} s")]
    BlownUp {
        /// Time of the attempt \[s\].
        time: f64,
        /// First such particle.
        particle: usize,
    },
    /// A formula of time has no value or rate.
    #[error(
        "{what} is not a number at t = {time:.6} s: its formula or its rate has no value there"
    )]
    Undefined {
        /// Time \[s\].
        time: f64,
        /// The part that follows the formula.
        what: String,
    },
    /// Newton's method did not converge, even after halving the step.
    #[error(
        "Newton did not converge at t = {time:.6} s: residual {residual:.3e} N·s after {iterations} iterations, smallest substep tried {substep:.3e} s"
    )]
    NewtonDiverged {
        /// Time \[s\].
        time: f64,
        /// Iterations of the last attempt.
        iterations: u32,
        /// Largest residual impulse \[N·s\].
        residual: f64,
        /// The particle of that residual.
        particle: usize,
        /// Smallest substep tried \[s\].
        substep: f64,
    },
    /// A linear system of Newton's method could not be solved, even after halving the step.
    #[error(
        "{cause}, at t = {time:.6} s in Newton iteration {iterations}, residual {residual:.3e} N·s, smallest substep tried {substep:.3e} s"
    )]
    Unsolved {
        /// Why.
        cause: LinearError,
        /// Time \[s\].
        time: f64,
        /// Newton iterations of the last attempt.
        iterations: u32,
        /// Largest residual impulse \[N·s\].
        residual: f64,
        /// The particle of that residual.
        particle: usize,
        /// Smallest substep tried \[s\].
        substep: f64,
    },
    /// The contacts of a step could not be solved.
    #[error("{cause} at t = {time:.6} s: error {residual:.3e} m/s after {iterations} iterations")]
    ContactsUnsolved {
        /// Why.
        cause: ContactsUnsolved,
        /// Time \[s\].
        time: f64,
        /// A particle of the contact with the largest residual.
        particle: usize,
        /// Iterations.
        iterations: u64,
        /// That residual \[m/s\].
        residual: f64,
    },
    /// A sliding rigid contact with so much friction that a larger normal impulse drives it in deeper.
    #[error(
        "rigid contact with Coulomb friction has no solution at t = {time:.6} s (Painlevé's paradox): sliding with μ = {friction}, a normal impulse moves the contact by {inverse_mass:.3e} m/s per N·s, inwards"
    )]
    Painleve {
        /// Time \[s\].
        time: f64,
        /// A particle of the contact.
        particle: usize,
        /// μ of the contact.
        friction: f64,
        /// n·K(n − μ t), which is not positive \[1/kg\].
        inverse_mass: f64,
    },
    /// A requested stop; the state is that of the step's start.
    #[error("the step was stopped")]
    Stopped,
    /// An adaptive method's step fell below the resolution of time.
    #[error(
        "step underflow at t = {time:.6} s: the method asked for steps below {step:.3e} s to keep its error within rtol and atol; a force without bound there, or a smaller error than numbers resolve"
    )]
    StepUnderflow {
        /// Time \[s\].
        time: f64,
        /// Smallest step allowed \[s\].
        step: f64,
    },
    /// An adaptive method reached its limit of substeps.
    #[error(
        "{steps} substeps were not enough for one step, which got to t = {time:.6} s: forces are too stiff for substeps of an explicit method"
    )]
    TooManySubsteps {
        /// Time \[s\].
        time: f64,
        /// The limit.
        steps: u64,
    },
}

/// The reason why the contacts of a step were not solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ContactsUnsolved {
    /// The impulses did not converge in the allowed iterations.
    #[error("contact impulses did not converge")]
    NotConverged,
    /// No velocities avoid all penetrations: something is crushed.
    #[error("contacts contradict each other, something is being crushed")]
    Infeasible,
}

impl ContactsUnsolved {
    /// Remedy.
    pub fn remedy(self) -> &'static str {
        match self {
            ContactsUnsolved::NotConverged => {
                "use a smaller step, more iterations or a larger `tolerance` in [contact]; `exact` solves what `impulse` does not"
            }
            ContactsUnsolved::Infeasible => {
                "let something give way: a soft body, or a collider that stops before it closes in"
            }
        }
    }
}
