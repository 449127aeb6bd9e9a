//! The user's hand: springs from held particles to a target, and a steady push.
//!
//! The action of the hand is part of the memory: forces stay pure, and a clone of the state
//! continues with the same bits. It changes between steps only, by the driver's `handle`.

use super::{BlockSink, Force};
use crate::forces::account::Ledger;
use crate::math::{Matrix, Vector};
use crate::state::Configuration;
use crate::state::memory::{Grip, Hand, Memory};

impl Grip {
    /// The forces of the grip at a point: F_i = k (target + offset_i − x_i) − c v_i \[N\].
    pub fn forces<'a>(
        &'a self,
        positions: &'a [Vector],
        velocities: &'a [Vector],
    ) -> impl Iterator<Item = (usize, Vector)> + 'a {
        self.particles.iter().zip(&self.offsets).map(|(&i, offset)| {
            let away = self.target + offset - positions[i];
            (i, away * self.stiffness - velocities[i] * self.damping)
        })
    }
}

/// The force of [`Memory::hand`].
#[derive(Debug, Clone, Copy)]
pub struct Handling;

impl Handling {
    fn for_each(at: &Configuration, mut act: impl FnMut(usize, Vector)) {
        let Hand { grip, push } = &at.memory.hand;
        if let Some(grip) = grip {
            grip.forces(at.positions, at.velocities).for_each(|(i, force)| act(i, force));
        }
        if let Some(push) = push {
            push.particles.iter().for_each(|&i| act(i, push.force));
        }
    }
}

impl Force for Handling {
    fn add_force(&self, at: &Configuration, f: &mut [Vector]) {
        Handling::for_each(at, |i, force| f[i] += force);
    }

    fn add_jacobian(&self, at: &Configuration, into: &mut dyn BlockSink) {
        let Some(grip) = &at.memory.hand.grip else { return };
        let (by_position, by_velocity) =
            (Matrix::identity() * -grip.stiffness, Matrix::identity() * -grip.damping);
        for &i in &grip.particles {
            into.add(i, i, &by_position, &by_velocity);
        }
    }

    fn commit(&self, at: &Configuration, f: &mut [Vector], ledger: &mut Ledger, next: &mut Memory) {
        Handling::for_each(at, |i, force| {
            f[i] += force;
            let power = force.dot(&at.velocities[i]);
            ledger.enter(i, |account| account.work += power);
        });
        if next.hand != at.memory.hand {
            next.hand.clone_from(&at.memory.hand);
        }
    }
}
