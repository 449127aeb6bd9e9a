//! Energy account of a step: stored energies and powers of an accepted state, sums since t = 0, and
//! jumps; in total and per island.

use super::census::{Census, groups};
use crate::math::larger;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;

/// Energies \[J\] and powers \[W\] of one accepted state, by channel. Powers of dissipation are
/// positive when energy leaves; `work` is positive when energy is put in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Account {
    /// Energy stored in springs and elastic elements.
    pub spring: f64,
    /// Energy stored in contacts: normal penalty and tangential stretch.
    pub contact: f64,
    /// Potential energy of gravity, −Σ m g·x.
    pub gravity: f64,
    /// Power dissipated by the damping of springs and elastic elements.
    pub dissipated_spring: f64,
    /// Power dissipated by normal damping.
    pub dissipated_normal: f64,
    /// Power dissipated by friction in stick (inside the threshold or the cone).
    pub dissipated_friction_stick: f64,
    /// Power dissipated by friction in slip.
    pub dissipated_friction_slip: f64,
    /// Power that friction puts in where it drives, summed contact by contact, so that dissipation
    /// elsewhere does not hide it. It is already subtracted from the dissipated powers of friction.
    pub friction_driven: f64,
    /// Energy released by the stretch of contacts at this instant, because they opened or bear less
    /// \[J\].
    pub released: f64,
    /// Power dissipated by drag.
    pub dissipated_drag: f64,
    /// Power put in by pushes, pins and moving colliders.
    pub work: f64,
}

impl Account {
    /// Enters the power that friction dissipates at a contact \[W\]. Where it drives by more than
    /// `rounding`, that counts as driven too.
    #[inline]
    pub(crate) fn enter_friction(
        &mut self,
        dissipated: f64,
        sticking: bool,
        rounding: impl FnOnce() -> f64,
    ) {
        if dissipated < 0.0 {
            self.friction_driven += larger(-dissipated - rounding(), 0.0);
        }
        match sticking {
            true => self.dissipated_friction_stick += dissipated,
            false => self.dissipated_friction_slip += dissipated,
        }
    }

    /// Adds another, channel by channel.
    pub fn add(&mut self, other: &Account) {
        self.spring += other.spring;
        self.contact += other.contact;
        self.gravity += other.gravity;
        self.dissipated_spring += other.dissipated_spring;
        self.dissipated_normal += other.dissipated_normal;
        self.dissipated_friction_stick += other.dissipated_friction_stick;
        self.dissipated_friction_slip += other.dissipated_friction_slip;
        self.friction_driven += other.friction_driven;
        self.released += other.released;
        self.dissipated_drag += other.dissipated_drag;
        self.work += other.work;
    }

    /// Subtracts the powers of loads: dissipated by drag, and work.
    fn subtract(&mut self, other: &Account) {
        self.dissipated_drag -= other.dissipated_drag;
        self.work -= other.work;
    }
}

/// The accounts of an accepted state: in total, and per island of particles that springs,
/// elements and rigid bodies join. A term that two islands share is entered with the first.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    /// In total.
    pub total: Account,
    /// Of each island; empty where there is only one.
    pub shares: Vec<Account>,
    /// Moments of mass, once counted.
    pub census: Census,
    /// Particles that may move and have a held axis.
    pub held: Arc<[u32]>,
    island_of: Arc<[u32]>,
}

impl Ledger {
    /// An empty ledger. `island_of` is the island of each particle, counted from zero; `bodies` are
    /// the particles of each body; sums are cut at `boundaries`.
    pub fn of(island_of: &Arc<[u32]>, bodies: &[Range<usize>], boundaries: &[usize]) -> Self {
        let islands = island_of.iter().max().map_or(0, |most| *most as usize + 1);
        let single = islands < 2;
        let island_of = if single { Arc::from([]) } else { Arc::clone(island_of) };
        Ledger {
            census: Census::of(groups(bodies, &island_of), boundaries),
            shares: vec![Account::default(); if single { 0 } else { islands }],
            island_of,
            held: Arc::from([]),
            total: Account::default(),
        }
    }

    /// An empty ledger of the same islands and moments of mass, for powers.
    pub(crate) fn of_powers(&self) -> Self {
        Ledger {
            shares: vec![Account::default(); self.shares.len()],
            island_of: Arc::clone(&self.island_of),
            held: Arc::clone(&self.held),
            census: self.census.clone(),
            total: Account::default(),
        }
    }

    /// Sets energies and powers to zero, for the next state.
    pub fn clear(&mut self) {
        self.total = Account::default();
        self.shares.fill(Account::default());
    }

    /// The island of each particle; empty where there is only one.
    pub fn islands(&self) -> &Arc<[u32]> {
        &self.island_of
    }

    /// The account of a particle's island, where there are several.
    pub fn share(&mut self, particle: usize) -> Option<&mut Account> {
        let island = *self.island_of.get(particle)?;
        self.shares.get_mut(island as usize)
    }

    /// Subtracts the powers of loads of another ledger.
    pub fn subtract(&mut self, other: &Ledger) {
        self.total.subtract(&other.total);
        for (own, other) in self.shares.iter_mut().zip(&other.shares) {
            own.subtract(other);
        }
    }

    /// Enters a particle's contribution, in total and with its island.
    #[inline]
    pub fn enter(&mut self, particle: usize, act: impl Fn(&mut Account)) {
        act(&mut self.total);
        if let Some(share) = self.share(particle) {
            act(share);
        }
    }
}

/// Energies dissipated (positive when energy left) and put in since t = 0 \[J\].
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Flows {
    /// By the damping of springs and elastic elements.
    pub spring: f64,
    /// By normal damping of contacts.
    pub normal: f64,
    /// By friction in stick.
    pub friction_stick: f64,
    /// By friction in slip, and with stretch that contacts no longer bear.
    pub friction_slip: f64,
    /// By drag.
    pub drag: f64,
    /// Put in by pushes, pins and moving colliders.
    pub work: f64,
}

impl Flows {
    /// Everything dissipated \[J\].
    pub fn dissipated(&self) -> f64 {
        self.spring + self.normal + self.friction_stick + self.friction_slip + self.drag
    }

    /// The sum of two.
    pub fn plus(&self, other: &Flows) -> Flows {
        let mut sum = *self;
        sum.add(other.channels());
        sum
    }

    /// The powers of an accepted state, channel by channel \[W\].
    pub fn powers(account: &Account) -> Flows {
        Flows {
            spring: account.dissipated_spring,
            normal: account.dissipated_normal,
            friction_stick: account.dissipated_friction_stick,
            friction_slip: account.dissipated_friction_slip,
            drag: account.dissipated_drag,
            work: account.work,
        }
    }

    /// The channels in a fixed order.
    pub fn channels(&self) -> [f64; 6] {
        [self.spring, self.normal, self.friction_stick, self.friction_slip, self.drag, self.work]
    }

    /// Adds to each channel.
    pub fn add(&mut self, [spring, normal, friction_stick, friction_slip, drag, work]: [f64; 6]) {
        self.spring += spring;
        self.normal += normal;
        self.friction_stick += friction_stick;
        self.friction_slip += friction_slip;
        self.drag += drag;
        self.work += work;
    }
}

/// Jumps of energy in one step.
#[derive(Debug, Clone, Default)]
pub struct Jump {
    /// Energies dissipated by the jumps, and work put in \[J\].
    pub flows: Flows,
    /// The same per island; empty where there is only one.
    pub shares: Vec<Flows>,
    /// Iterations of the contact solver.
    pub iterations: u64,
    /// Residual of the contact solver.
    pub missed: Missed,
    island_of: Arc<[u32]>,
}

impl Jump {
    /// No jump, for the islands of a ledger.
    pub fn of(ledger: &Ledger) -> Self {
        Jump {
            shares: vec![Flows::default(); ledger.shares.len()],
            island_of: Arc::clone(&ledger.island_of),
            ..Jump::default()
        }
    }

    /// Sets everything to zero, for the next step.
    pub fn clear(&mut self) {
        (self.flows, self.iterations) = (Flows::default(), 0);
        self.missed = Missed::default();
        self.shares.fill(Flows::default());
    }

    /// Enters a particle's contribution, in total and with its island.
    pub fn enter(&mut self, particle: usize, act: impl Fn(&mut Flows)) {
        act(&mut self.flows);
        let island = self.island_of.get(particle).map(|island| *island as usize);
        if let Some(share) = island.and_then(|island| self.shares.get_mut(island)) {
            act(share);
        }
    }
}

/// Residual of the contact solver in one step; of several islands, that with the largest
/// residual/made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Missed {
    /// Residual of the contact conditions \[m/s\].
    pub residual: f64,
    /// Largest change of velocity by contacts of the same island \[m/s\].
    pub made: f64,
    /// Largest residual of an island whose solver did not reach its tolerance, else zero \[m/s\].
    pub unsettled: f64,
    /// Whether contacts slip that might hold.
    pub undecided: bool,
}

impl Missed {
    /// Residual below which a solution counts as exact \[m/s\].
    pub const NOTHING: f64 = 1e-8;

    /// Residual of a result that is taken though it did not converge, as a share of the change of velocity by the
    /// contacts.
    pub const LITTLE: f64 = 1e-3;

    /// Keeps the one with the larger residual/made, the larger of the unsettled residuals, and whether any of the
    /// two is undecided.
    pub fn note(&mut self, other: Missed) {
        let unsettled = larger(self.unsettled, other.unsettled);
        let undecided = self.undecided || other.undecided;
        if other.made > 0.0 && other.residual * self.made >= self.residual * other.made {
            *self = other;
        }
        (self.unsettled, self.undecided) = (unsettled, undecided);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_loads_are_subtracted_in_total_and_of_each_island() {
        let mut ledger = Ledger::of(&Arc::from([0, 1]), &[0..1, 1..2], &[]);
        let mut powers = ledger.of_powers();
        for (particle, work) in [3.0, 5.0].into_iter().enumerate() {
            ledger.enter(particle, |account| account.work += work);
            powers.enter(particle, |account| account.work += 0.5 * work);
        }
        ledger.subtract(&powers);
        let shares: Vec<f64> = ledger.shares.iter().map(|share| share.work).collect();
        assert_eq!((ledger.total.work, shares), (4.0, vec![1.5, 2.5]));
    }
}
