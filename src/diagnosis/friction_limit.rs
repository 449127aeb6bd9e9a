//! The friction limit of a step. Above it friction does not explode, since it is bounded by μN:
//! the velocity chatters, or settles on a wrong constant, and the body walks. So the step is
//! compared with each particle's own friction rate λ = |∂F/∂v|/m = μ_s N/(m ε).

use crate::contact::Contact;
use crate::contact::friction::FrictionLaw;
use crate::integrators::Capabilities;
use crate::math::Vector;

/// Consecutive accepted steps a particle must be above the limit before it counts: a spike of N at
/// an impact gives one bounded kick, a steady state is made wrong.
const LASTING: u32 = 20;

/// A particle whose friction the step cannot resolve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AboveLimit {
    /// The particle.
    pub particle: usize,
    /// h λ.
    pub hlambda: f64,
    /// The method's limit of h λ.
    pub limit: f64,
    /// The largest step its friction allows \[s\].
    pub largest_step: f64,
    /// When it began \[s\].
    pub time: f64,
    /// How many particle-steps were above the limit and lasting.
    pub particle_steps: u64,
}

/// Watches h λ of every contact at accepted states.
#[derive(Debug, Clone, Default)]
pub struct FrictionLimit {
    /// per particle: the last step it was above the limit, and for how many in a row
    runs: Vec<(u64, u32)>,
    /// Largest h λ since [`Self::take_largest`] was last called.
    largest: f64,
    /// The worst lasting violation so far.
    pub worst: Option<AboveLimit>,
}

impl FrictionLimit {
    /// Looks at the contacts of the state accepted as `step` at `time`.
    ///
    /// A contact counts when it is within reach of the stick zone: when its slip speed is at most the
    /// threshold and what one step can throw it out by, h (μN + T)/m with the load T ≤ μN that
    /// friction could hold. A fast slide is not harmed by a large step; its stopping is.
    pub fn observe(
        &mut self,
        contacts: &[Contact],
        masses: &[f64],
        law: &dyn FrictionLaw,
        method: &Capabilities,
        at: (u64, f64, f64),
    ) {
        let (step, time, h) = at;
        self.runs.resize(masses.len(), (0, 0));
        for contact in contacts {
            let i = contact.particle as usize;
            let hlambda = h * contact.damping / masses[i];
            if hlambda > self.largest {
                self.largest = hlambda;
            }
            let limit = method.decay_limit.unwrap_or(f64::INFINITY);
            // a law without threshold or stretch has nothing to rest on: whatever one step can
            // reverse, it will reverse for ever
            if hlambda <= limit && law.can_rest() {
                continue;
            }
            let reach = law.threshold() + 2.0 * h * contact.friction.norm() / masses[i];
            if contact.slip.norm() > reach || contact.friction == Vector::zeros() {
                continue;
            }
            let (last, row) = self.runs[i];
            let row = if last == step {
                row
            } else if last + 1 == step {
                row + 1
            } else {
                1
            };
            self.runs[i] = (step, row);
            if row >= LASTING {
                self.note(i, hlambda, limit, time, h, row);
            }
        }
    }

    fn note(&mut self, particle: usize, hlambda: f64, limit: f64, time: f64, h: f64, row: u32) {
        let began = time - h * f64::from(row - 1);
        let worst = self.worst.get_or_insert(AboveLimit {
            particle,
            hlambda,
            limit,
            largest_step: h * limit / hlambda,
            time: began,
            particle_steps: 0,
        });
        worst.particle_steps += 1;
        if hlambda > worst.hlambda {
            worst.particle = particle;
            worst.hlambda = hlambda;
            worst.largest_step = h * limit / hlambda;
        }
    }

    /// The largest h λ since the last call.
    pub fn take_largest(&mut self) -> f64 {
        std::mem::take(&mut self.largest)
    }
}
