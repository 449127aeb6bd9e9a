//! Friction takes energy, it never gives any: not at any accepted state, under no law and no method.

use super::audit::Flows;
use crate::forces::Account;
use crate::math::larger;

/// Share of what friction dissipated that rounding may turn round.
const ROUNDING: f64 = 1e-6;

/// Energy of jumps below which there is only what their solver leaves \[J\].
const UNSEEN: f64 = 1e-12;

/// Energy that friction gave.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Created {
    /// \[J\], summed over accepted states.
    pub energy: f64,
    /// What friction dissipated meanwhile, at the contacts where it did \[J\].
    pub dissipated: f64,
    /// When it began \[s\].
    pub time: f64,
}

/// Watches the power of friction, contact by contact, at accepted states.
#[derive(Debug, Clone, Copy, Default)]
pub struct Passivity {
    created: f64,
    dissipated: f64,
    since: Option<f64>,
    /// of jumps: what they took altogether, the least that ever was, and what went through them
    taken: f64,
    least: f64,
    passed: f64,
}

impl Passivity {
    /// Looks at the powers of an accepted state, `h` \[s\] after the one before.
    pub fn observe(&mut self, account: &Account, time: f64, h: f64) {
        let driven = account.friction_driven;
        let taken = account.dissipated_friction_stick + account.dissipated_friction_slip + driven;
        self.dissipated += larger(taken, 0.0) * h;
        if driven > 0.0 {
            self.created += driven * h;
            self.since.get_or_insert(time);
        }
    }

    /// Looks at the energies that jumped in the step that ended at `time` \[s\]. A single jump may give
    /// back what the one before took too much of, since it knows the forces of its step as a mean; all
    /// of them together may not.
    pub fn observe_jump(&mut self, jumped: &Flows, time: f64) {
        let channels = [jumped.normal, jumped.friction_stick, jumped.friction_slip];
        self.taken += channels.iter().sum::<f64>();
        self.passed += channels.iter().map(|energy| energy.abs()).sum::<f64>();
        if self.taken < self.least {
            self.least = self.taken;
            self.since.get_or_insert(time);
        }
    }

    /// The energy friction created, beyond rounding.
    pub fn created(&self) -> Option<Created> {
        if -self.least > larger(ROUNDING * self.passed, UNSEEN) {
            let time = self.since?;
            return Some(Created { energy: -self.least, dissipated: self.passed, time });
        }
        let most = larger(ROUNDING * self.dissipated, 1e-15);
        let time = self.since.filter(|_| self.created > most)?;
        Some(Created { energy: self.created, dissipated: self.dissipated, time })
    }
}
