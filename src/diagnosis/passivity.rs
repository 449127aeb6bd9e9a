//! Friction takes energy, it never gives any: not at any accepted state, under no law and no method.

use crate::forces::Account;
use crate::math::larger;

/// Share of what friction dissipated that rounding may turn round.
const ROUNDING: f64 = 1e-6;

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

    /// The energy friction created, beyond rounding.
    pub fn created(&self) -> Option<Created> {
        let most = larger(ROUNDING * self.dissipated, 1e-15);
        let time = self.since.filter(|_| self.created > most)?;
        Some(Created { energy: self.created, dissipated: self.dissipated, time })
    }
}
