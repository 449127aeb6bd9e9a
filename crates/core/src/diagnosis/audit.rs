//! The energy audit: kinetic + stored + dissipated − work = constant; dissipated energy and work are
//! integrated channel by channel.

use crate::forces::account::{Account, Flows};
use crate::math::{larger, smaller};
use serde::{Deserialize, Serialize};

/// Energies at one instant \[J\].
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Energies {
    /// ½ Σ m v².
    pub kinetic: f64,
    /// Stored in springs and elastic elements.
    pub spring: f64,
    /// Stored in contacts.
    pub contact: f64,
    /// −Σ m g·x.
    pub gravity: f64,
}

impl Energies {
    /// Their sum \[J\].
    pub fn total(&self) -> f64 {
        self.kinetic + self.spring + self.contact + self.gravity
    }
}

/// The first channel of [`Flows`] due to loads: drag, then work.
const OF_LOADS: usize = 4;

/// A power at the last four accepted states \[W\], the newest first.
type Powers = [f64; 4];

/// ∫ P dt over the last step of length `h`, and its possible error \[J\].
///
/// If the power is smooth, the Adams–Moulton rule of order 4, h (9 P₀ + 19 P₁ − 5 P₂ + P₃)/24; its error
/// is taken as h |Δ³P|/24, the distance from the rule of order 3. Otherwise, as where a contact opens,
/// or with fewer than four `known` values, the trapezoidal rule, with the error h |Δ²P|/2. Source:
/// \[hairer1993\].
fn over_last_step(p: &Powers, known: u64, h: f64) -> (f64, f64) {
    let second = p[0] - 2.0 * p[1] + p[2];
    let second_before = p[1] - 2.0 * p[2] + p[3];
    let third = second - second_before;
    let bend = larger(second.abs(), second_before.abs());
    let trapezoid = (0.5 * h * (p[0] + p[1]), 0.5 * h * second.abs());
    if known < 4 || third.abs() > SMOOTH * bend {
        return trapezoid;
    }
    let integral = if known == 4 {
        // the start: the 3/8 rule over all three steps, less the trapezoids of the first two
        let all = 3.0 * h / 8.0 * (p[0] + 3.0 * (p[1] + p[2]) + p[3]);
        all - 0.5 * h * (p[1] + 2.0 * p[2] + p[3])
    } else {
        h / 24.0 * (9.0 * p[0] + 19.0 * p[1] - 5.0 * p[2] + p[3])
    };
    // a power of one sign at both ends cannot have an integral of the other sign
    if integral * trapezoid.0 <= 0.0 {
        return trapezoid;
    }
    (integral, h / 24.0 * third.abs())
}

/// A power counts as smooth when its third difference is at most this share of the larger of its last
/// two second differences: a resolved power changes its curvature slowly.
const SMOOTH: f64 = 0.5;

/// The audit of a run. Smooth powers are integrated over the commit intervals by a rule of order 4, so
/// the residual, energy created or lost by the integrator, shrinks at the integrator's own order, 4 at
/// most. The possible errors of the integrals are summed separately: powers that change faster than the
/// commit interval cannot be audited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Audit {
    /// Energies now.
    pub energies: Energies,
    /// Flows since t = 0.
    pub flows: Flows,
    powers: [Powers; 6],
    known: u64,
    uncertainty: f64,
    initial: f64,
    largest_kinetic: f64,
    most_created: f64,
    most_lost: f64,
}

impl Audit {
    /// Starts at the account of t = 0.
    pub fn start(kinetic: f64, account: &Account) -> Self {
        let energies = energies(kinetic, account);
        Audit {
            energies,
            powers: Flows::powers(account).channels().map(|power| [power; 4]),
            known: 1,
            initial: energies.total(),
            largest_kinetic: kinetic,
            ..Audit::default()
        }
    }

    /// Enters the account of the next accepted state, `h` later, and the energies that `jumped` \[J\].
    pub fn advance(&mut self, kinetic: f64, account: &Account, jumped: &Flows, h: f64) {
        self.known += 1;
        let mut integrals = [0.0; 6];
        for (k, power) in Flows::powers(account).channels().into_iter().enumerate() {
            // nothing flows: the integral and its doubt are zero
            if power == 0.0 && self.powers[k] == [0.0; 4] {
                continue;
            }
            let [newest, next, last, _] = self.powers[k];
            self.powers[k] = [power, newest, next, last];
            let (integral, doubt) = over_last_step(&self.powers[k], self.known, h);
            // a load that begins has no earlier power, and so no curvature
            let doubt = if self.known == 2 && k >= OF_LOADS { 0.0 } else { doubt };
            integrals[k] = integral;
            self.uncertainty += doubt;
        }
        self.flows.add(integrals);
        self.flows.add(jumped.channels());
        self.flows.friction_slip += account.released;
        self.energies = energies(kinetic, account);
        self.largest_kinetic = larger(self.largest_kinetic, kinetic);
        // beyond the quadrature error
        let residual = self.residual();
        self.most_created = larger(self.most_created, residual - self.uncertainty);
        self.most_lost = smaller(self.most_lost, residual + self.uncertainty);
    }

    /// Adds the jump `by` of the powers of loads at the accepted state.
    pub(super) fn jump(&mut self, by: &Account) {
        self.known = 1;
        for (powers, by) in self.powers.iter_mut().zip(Flows::powers(by).channels()) {
            *powers = [powers[0] + by; 4];
        }
    }

    /// Adds the audit of an island that joins this one.
    pub(super) fn absorb(&mut self, other: &Audit) {
        let Audit { energies, flows, powers, known, uncertainty, initial, .. } = other;
        self.energies.kinetic += energies.kinetic;
        self.energies.spring += energies.spring;
        self.energies.contact += energies.contact;
        self.energies.gravity += energies.gravity;
        self.flows.add(flows.channels());
        for (own, powers) in self.powers.iter_mut().zip(powers) {
            own.iter_mut().zip(powers).for_each(|(own, power)| *own += power);
        }
        self.known = self.known.min(*known);
        self.uncertainty += uncertainty;
        self.initial += initial;
        self.largest_kinetic += other.largest_kinetic;
        self.most_created = larger(self.residual() - self.uncertainty, 0.0);
        self.most_lost = smaller(self.residual() + self.uncertainty, 0.0);
    }

    /// kinetic + stored + dissipated − work − (the same at t = 0) \[J\]; positive if the method created
    /// energy.
    pub fn residual(&self) -> f64 {
        self.energies.total() + self.flows.dissipated() - self.flows.work - self.initial
    }

    /// Possible error of the integrals of the powers so far \[J\].
    pub fn doubt(&self) -> f64 {
        self.uncertainty
    }

    /// Energy throughput so far \[J\]: the scale of a residual.
    pub fn throughput(&self) -> f64 {
        self.largest_kinetic + self.flows.dissipated().abs() + self.flows.work.abs()
    }

    /// The largest kinetic energy so far \[J\].
    pub(super) fn largest_kinetic(&self) -> f64 {
        self.largest_kinetic
    }

    /// The largest and the smallest residual so far, beyond the quadrature error \[J\]: energy created,
    /// and minus energy lost.
    pub fn extremes(&self) -> (f64, f64) {
        (self.most_created, self.most_lost)
    }

    /// The largest |residual| so far beyond the quadrature error \[J\].
    pub fn largest_residual(&self) -> f64 {
        larger(self.most_created, -self.most_lost)
    }
}

fn energies(kinetic: f64, account: &Account) -> Energies {
    Energies { kinetic, spring: account.spring, contact: account.contact, gravity: account.gravity }
}
