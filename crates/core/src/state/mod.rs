//! The state of the world *now*: everything that changes during a run. What the world *is* stands
//! in the model and does not change while running.

pub mod memory;

use crate::math::{Rotation, Vector};
use memory::{ContactKey, Memory};
use serde::{Deserialize, Serialize};

/// The state at an accepted instant. Cloning it is all a checkpoint or a rewind needs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Time \[s\]: step count × step, never a sum.
    pub time: f64,
    /// Accepted steps since t = 0.
    pub step_count: u64,
    /// One position per particle \[m\].
    pub positions: Vec<Vector>,
    /// One velocity per particle \[m/s\].
    pub velocities: Vec<Vector>,
    /// Total force per particle at this instant \[N\], left by the model's commit so
    /// that an explicit method need not evaluate it again.
    pub forces: Vec<Vector>,
    /// The memory of contacts; moved only by commit.
    pub memory: Memory,
    /// The stretch of every remembered contact now \[m\], in the frame of what it touches, where it
    /// is part of the integrator's state; else empty.
    pub stretch: Vec<Vector>,
    /// The data that a multistep method keeps of the step before; empty for all others.
    pub past: Past,
    /// Rotation of each rigid body since t = 0, in the order of the model's rigid bodies.
    pub attitudes: Vec<Rotation>,
}

/// The step a method has just taken, as what jumps velocities after it sees it.
#[derive(Debug, Clone, Copy)]
pub struct LastStep<'a> {
    /// Positions at its start \[m\].
    pub positions: &'a [Vector],
    /// Velocities at its start \[m/s\].
    pub velocities: &'a [Vector],
    /// Time at its end \[s\].
    pub end: f64,
    /// Its length \[s\].
    pub h: f64,
    /// Displacement of a particle by the method, in shares of h Δv, under a constant force that
    /// changes its velocity by Δv over the step: 0 position first, 1 velocity first, ½ of order
    /// two.
    pub kick_share: f64,
}

/// The data that a multistep or adaptive method keeps of the step before. They are part of the
/// state, so that a clone of the state goes on with the same bits.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Past {
    /// The number of the step it was kept for, and that step's length \[s\]: in any other step it
    /// means nothing, and the method starts anew.
    pub kept_for: (u64, f64),
    /// One vector per particle: of the positions, or of their rates.
    pub of_positions: Vec<Vector>,
    /// One vector per particle: of the velocities, or of their rates.
    pub of_velocities: Vec<Vector>,
    /// One vector per contact: rates of stretch that is carried.
    pub of_stretch: Vec<Vector>,
    /// The contacts those are of.
    pub contacts: Vec<ContactKey>,
    /// The last substep of an adaptive method that was not cut short \[s\].
    pub substep: f64,
}

// by hand for the sake of clone_from, which allocates nothing
impl Clone for Past {
    fn clone(&self) -> Self {
        let mut past = Past::default();
        past.clone_from(self);
        past
    }

    fn clone_from(&mut self, source: &Self) {
        self.kept_for = source.kept_for;
        self.of_positions.clone_from(&source.of_positions);
        self.of_velocities.clone_from(&source.of_velocities);
        self.of_stretch.clone_from(&source.of_stretch);
        self.contacts.clone_from(&source.contacts);
        self.substep = source.substep;
    }
}

impl Past {
    /// Keeps the substep of an adaptive method for the step `number`, of length `h` \[s\].
    pub fn keep_substep(&mut self, substep: f64, number: u64, h: f64) {
        self.kept_for = (number, h);
        self.substep = substep;
    }
}

impl State {
    /// Whether [`Self::past`] was kept for the step that begins now, of length `h` \[s\].
    pub fn has_past(&self, h: f64) -> bool {
        self.past.kept_for == (self.step_count, h)
            && self.past.of_velocities.len() == self.velocities.len()
    }

    /// The substep an adaptive method kept for the step of `h` \[s\] that begins now; zero for none.
    pub fn known_substep(&self, h: f64) -> f64 {
        if self.past.kept_for == (self.step_count, h) { self.past.substep } else { 0.0 }
    }

    /// This state as a configuration at which forces can be evaluated.
    pub fn configuration(&self) -> Configuration<'_> {
        Configuration {
            time: self.time,
            positions: &self.positions,
            velocities: &self.velocities,
            memory: &self.memory,
            stretch: (!self.stretch.is_empty()).then_some(&self.stretch[..]),
            lag: Lag::NONE,
            within_step: false,
        }
    }

    /// FNV-1a hash of the bits of all positions and velocities, particle by particle.
    pub fn hash(&self) -> u64 {
        let numbers = self
            .positions
            .iter()
            .zip(&self.velocities)
            .flat_map(|(x, v)| [x.x, x.y, x.z, v.x, v.y, v.z]);
        numbers.flat_map(|x| x.to_bits().to_le_bytes()).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }

    /// [`Self::hash`] as text.
    pub fn hash_text(&self) -> String {
        hash_text(self.hash())
    }

    /// The first particle whose position or velocity is not finite, or that is faster than
    /// [`FASTEST`].
    pub fn first_lost(&self) -> Option<usize> {
        let finite = |v: &Vector| (v.x + v.y + v.z).is_finite();
        let slow = |v: &Vector| v.norm_squared() < FASTEST * FASTEST;
        (0..self.positions.len())
            .find(|&i| !(finite(&self.positions[i]) && slow(&self.velocities[i])))
    }
}

/// A hash of a state as it stands in results, recordings and messages.
pub fn hash_text(hash: u64) -> String {
    format!("{hash:016x}")
}

/// A speed no scene can mean \[m/s\]: a particle beyond it has been thrown there by an unstable
/// method.
pub const FASTEST: f64 = 1e7;

/// A trial point (t, x, v) at which forces are pure functions: memory is frozen.
#[derive(Debug, Clone, Copy)]
pub struct Configuration<'a> {
    /// Time \[s\].
    pub time: f64,
    /// One position per particle \[m\].
    pub positions: &'a [Vector],
    /// One velocity per particle \[m/s\].
    pub velocities: &'a [Vector],
    /// Contact memory as of the last commit.
    pub memory: &'a Memory,
    /// The stretch of the remembered contacts at this point \[m\], where it is part of the
    /// integrator's state; else it follows from the memory and the displacement since.
    pub stretch: Option<&'a [Vector]>,
    /// The quantities that friction takes from the last commit instead of from this point.
    pub lag: Lag,
    /// A point inside a step, its end included: loads that switch at this very time are taken as
    /// they were before.
    pub within_step: bool,
}

/// The quantities that contacts take from the last commit: for friction the normal force N, the
/// contact basis (normal), both or neither; or the force along the normal besides. Lagging N makes
/// ∂F/∂v symmetric; the error it makes is to be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Lag {
    /// Friction uses the committed N.
    pub normal_force: bool,
    /// Friction uses the committed normal.
    pub basis: bool,
    /// The force along the normal is the committed one too: contacts neither open, close nor press
    /// harder within the step, and those not yet known do not act.
    pub normal_contact: bool,
}

impl Lag {
    /// The words of a scene's `lag`.
    pub const NAMES: &'static [&'static str] = &["none", "normal", "basis", "both"];

    /// The lag with this name.
    pub fn named(name: &str) -> Lag {
        Lag {
            normal_force: matches!(name, "normal" | "both"),
            basis: matches!(name, "basis" | "both"),
            ..Lag::NONE
        }
    }

    /// Nothing is lagged.
    pub const NONE: Lag = Lag { normal_force: false, basis: false, normal_contact: false };
}
