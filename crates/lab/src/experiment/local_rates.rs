//! Rates and frequencies of single particles, the first estimate of stable steps.

use std::collections::BTreeMap;
use stiction_core::diagnosis::stable_step::hardest;
use stiction_core::forces::{BlockSink, Force};
use stiction_core::math::{Matrix, larger, sqrt, tangent_projector};
use stiction_core::model::Model;
use stiction_core::state::State;

/// Rates of one particle.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LocalRates {
    /// The particle.
    pub particle: usize,
    /// λ of its friction in stick \[1/s\]; zero without contact.
    pub friction_rate: f64,
    /// √(k/m) of its normal contact \[rad/s\].
    pub contact_frequency: f64,
    /// √(k/m) of the stretch of its friction \[rad/s\]; zero for laws without stretch.
    pub stretch_frequency: f64,
    /// c/m of its normal contact \[1/s\].
    pub contact_damping_rate: f64,
    /// √(k/m) of its springs and elements \[rad/s\].
    pub spring_frequency: f64,
    /// c/m of its springs and elements \[1/s\].
    pub spring_damping_rate: f64,
}

/// Blocks of one kind of force, −∂F_i/∂x_j and −∂F_i/∂v_j of every pair.
#[derive(Default)]
struct Blocks(BTreeMap<(usize, usize), (Matrix, Matrix)>);

impl BlockSink for Blocks {
    fn add(&mut self, i: usize, j: usize, by_position: &Matrix, by_velocity: &Matrix) {
        let (k, d) = self.0.entry((i, j)).or_insert_with(|| (Matrix::zeros(), Matrix::zeros()));
        *k -= by_position;
        *d -= by_velocity;
    }
}

/// Diagonal blocks of one kind of force.
#[derive(Default)]
struct Diagonal(BTreeMap<usize, (Matrix, Matrix)>);

impl BlockSink for Diagonal {
    fn add(&mut self, i: usize, j: usize, by_position: &Matrix, by_velocity: &Matrix) {
        if i == j {
            let (k, d) = self.0.entry(i).or_insert_with(|| (Matrix::zeros(), Matrix::zeros()));
            *k -= by_position;
            *d -= by_velocity;
        }
    }
}

/// Rates of every particle: of springs with its neighbours fixed, of contacts with the other side
/// moving in the opposite direction. The rates of contacts are row sums of M^-½ K M^-½,
/// Σ_j |K_ij|/√(m_i m_j): k/m on a collider, 2k/m between two equal particles, and little for a
/// particle with a small share of a contact. The largest row sum is never below the largest
/// eigenvalue of this matrix.
pub(crate) fn local_rates(model: &Model, state: &State) -> Vec<LocalRates> {
    let at = state.configuration();
    let (mut springs, mut contacts) = (Diagonal::default(), Blocks::default());
    model.inner_jacobian_at(&at, &mut springs);
    if let Some(contact) = model.contact_force() {
        contact.add_jacobian(&at, &mut contacts);
    }
    let largest =
        |m: &Matrix| larger(((m + m.transpose()) * 0.5).symmetric_eigenvalues().max(), 0.0);
    let mut rates: Vec<LocalRates> = (0..model.particles())
        .map(|particle| LocalRates { particle, ..LocalRates::default() })
        .collect();
    for (i, (k, d)) in springs.0 {
        let inverse_mass = model.inverse_masses[i].amax();
        rates[i].spring_frequency = sqrt(inverse_mass * largest(&k));
        rates[i].spring_damping_rate = inverse_mass * largest(&d);
    }
    let root = |i: usize| sqrt(model.inverse_masses[i].amax());
    for contact in &state.memory.contacts {
        let sum: f64 = contact.ends.iter().map(|(j, share)| share.abs() * root(j)).sum();
        for (i, share) in contact.ends.iter() {
            rates[i].friction_rate += contact.damping * share.abs() * root(i) * sum;
        }
    }
    // the fields hold squared frequencies until all blocks are summed
    for ((i, j), (k, d)) in contacts.0 {
        let Some(contact) = hardest(state, i) else { continue };
        let weight = root(i) * root(j);
        let (n, plane) = (contact.normal, tangent_projector(contact.normal));
        let size = |m: &Matrix| larger(largest(m), largest(&-m));
        rates[i].stretch_frequency += weight * size(&(plane * k * plane));
        rates[i].contact_frequency += weight * n.dot(&(k * n)).abs();
        rates[i].contact_damping_rate += weight * n.dot(&(d * n)).abs();
    }
    for rates in &mut rates {
        rates.stretch_frequency = sqrt(rates.stretch_frequency);
        rates.contact_frequency = sqrt(rates.contact_frequency);
    }
    rates
}

/// The largest step \[s\] of a method that takes the normal force from the start of the step, and
/// the particle that limits it: the least 2 (√(1 + ζ²) − ζ)/ω, ω being a particle's contact
/// frequency and 2 ζ ω its contact damping rate.
pub(crate) fn explicit_normal_step(rates: &[LocalRates]) -> Option<(f64, usize)> {
    let touching = rates.iter().filter(|rates| rates.contact_frequency > 0.0);
    let limits = touching.map(|rates| {
        let omega = rates.contact_frequency;
        let zeta = 0.5 * rates.contact_damping_rate / omega;
        (2.0 * (sqrt(1.0 + zeta * zeta) - zeta) / omega, rates.particle)
    });
    limits.reduce(|a, b| if b.0 < a.0 { b } else { a })
}
