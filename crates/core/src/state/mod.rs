//! The state of the world *now*: everything that changes during a run. The constant world is the model.

pub mod memory;

use crate::math::{Rotation, Vector};
use memory::{ContactKey, Memory};
use serde::{Deserialize, Serialize};

/// The state at an accepted instant. A clone of it is a checkpoint.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Time \[s\]: from the step count, never a sum of steps.
    pub time: f64,
    /// Accepted steps since t = 0.
    pub step_count: u64,
    /// One position per particle \[m\].
    pub positions: Vec<Vector>,
    /// One velocity per particle \[m/s\].
    pub velocities: Vec<Vector>,
    /// Total force per particle at this instant \[N\], stored by the model's commit so that an explicit
    /// method need not evaluate it again.
    pub forces: Vec<Vector>,
    /// Memory of contacts, curves and the hand; contacts and curves are changed by commit alone.
    pub memory: Memory,
    /// The present stretch of every remembered contact \[m\], in the frame of the touched surface, if it
    /// is part of the integrator's state; else empty.
    pub stretch: Vec<Vector>,
    /// Data of the previous step, for a method that uses them again; else empty.
    pub past: Past,
    /// Rotation of each rigid body since t = 0, in the order of the model's rigid bodies.
    pub attitudes: Vec<Rotation>,
}

/// The last step of a method, as seen by velocity jumps after it.
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
    /// The factor in Δx = h v + `kick_share` h Δv, the method's displacement under a constant force
    /// that changes the velocity v by Δv in the step: 0 position first, 1 velocity first, ½ order two.
    pub kick_share: f64,
}

/// Data of the previous step for a multistep or adaptive method, or a reused force. Part of the state,
/// so that a clone of the state continues with the same bits.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Past {
    /// Number and length \[s\] of the step these data are for: in any other step they are invalid, and
    /// the method starts anew.
    pub kept_for: (u64, f64),
    /// One vector per particle: its previous position, or the rate of its position.
    pub of_positions: Vec<Vector>,
    /// One vector per particle: its previous velocity, or the rate of its velocity.
    pub of_velocities: Vec<Vector>,
    /// One vector per contact: the rate of its stretch, if the integrator carries it.
    pub of_stretch: Vec<Vector>,
    /// The contacts of `of_stretch`, in its order.
    pub contacts: Vec<ContactKey>,
    /// Length of the last substep of an adaptive method that was not cut short \[s\].
    pub substep: f64,
}

// written out so that clone_from reuses the vectors
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
    /// Stores the substep of an adaptive method for step `number` of length `h` \[s\].
    pub(crate) fn keep_substep(&mut self, substep: f64, number: u64, h: f64) {
        self.kept_for = (number, h);
        self.substep = substep;
    }
}

impl State {
    /// Whether [`Self::past`] is for the step that begins now, of length `h` \[s\].
    pub(crate) fn has_past(&self, h: f64) -> bool {
        self.past.kept_for == (self.step_count, h)
            && self.past.of_velocities.len() == self.velocities.len()
    }

    /// The stored substep of an adaptive method for the step of `h` \[s\] that begins now; zero for
    /// none.
    pub(crate) fn known_substep(&self, h: f64) -> f64 {
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
    /// `FASTEST`.
    pub fn first_lost(&self) -> Option<usize> {
        let finite = |v: &Vector| (v.x + v.y + v.z).is_finite();
        let slow = |v: &Vector| v.norm_squared() < FASTEST * FASTEST;
        (0..self.positions.len())
            .find(|&i| !(finite(&self.positions[i]) && slow(&self.velocities[i])))
    }
}

/// Text of a state's hash in results, recordings and messages.
pub fn hash_text(hash: u64) -> String {
    format!("{hash:016x}")
}

/// A speed beyond any scene \[m/s\]: an unstable method has thrown the particle.
pub(crate) const FASTEST: f64 = 1e7;

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
    /// The stretch of the remembered contacts at this point \[m\], if it is part of the integrator's
    /// state; otherwise it follows from memory and displacement.
    pub stretch: Option<&'a [Vector]>,
    /// Quantities taken from the last commit instead of from this point.
    pub lag: Lag,
    /// Whether the point lies inside a step or at its end: a load that switches at exactly this time
    /// then still has its value before the switch.
    pub within_step: bool,
}

/// Quantities of contacts taken from the last commit: in friction the normal force N, the contact basis
/// (the normal), both or neither; and the force along the normal itself. Lagging N makes ∂F/∂v
/// symmetric; the budget of creep shows its error.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Lag {
    /// Friction uses the committed N, or the present one where that is smaller.
    pub normal_force: bool,
    /// Friction uses the committed normal.
    pub basis: bool,
    /// The force along the normal is the committed one too: contacts neither open, close nor press
    /// harder within the step, and new ones do not act.
    pub normal_contact: bool,
    /// 1/h of the step \[1/s\] in which N rises from zero where a contact begins, zero where it does not:
    /// [`Laws::press`].
    ///
    /// [`Laws::press`]: crate::contact::laws::Laws
    pub eased: f64,
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
    pub const NONE: Lag =
        Lag { normal_force: false, basis: false, normal_contact: false, eased: 0.0 };
}
