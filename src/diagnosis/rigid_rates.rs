//! Friction rates of rigid bodies: the rate λ at which all contacts of a body together damp its motion,
//! the largest eigenvalue of M⁻¹ Σ Jᵀ d J over its velocity and its rate of turn.
//!
//! A contact sees of a body with velocity V and rate of turn ω the velocity C V + ω × ρ, with C = Σ c_i
//! and ρ = Σ c_i r_i over its ends there. Scaled by √M⁻¹, J = [C/√M | −ρ× √I⁻¹]. The
//! other side moves as well: with κ the inverse mass of a side along the surface, the two sides a
//! and b share the bound |J_a u_a + J_b u_b|² ≤ (κ_a + κ_b) (|J_a u_a|²/κ_a + |J_b u_b|²/κ_b).

use crate::constraints::rigid::Rigid;
use crate::math::{Matrix, Vector, larger, sqrt, tangent_projector};
use crate::model::Model;
use crate::nalgebra::SMatrix;
use crate::state::State;
use crate::state::memory::Contact;
use serde::{Deserialize, Serialize};

/// A contact's Jacobian on a body, scaled with the roots of its inverse masses \[kg^-½\].
type Jacobian = SMatrix<f64, 3, 6>;

/// Rates of all rigid bodies at one state.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct RigidRates {
    bodies: Vec<BodyRates>,
    /// what the soft side of each contact is multiplied with; empty without rigid bodies
    soft_factors: Vec<f64>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct BodyRates {
    center: Vector,
    /// √I⁻¹ in the world
    root: Matrix,
    damping: SMatrix<f64, 6, 6>,
    planes: SMatrix<f64, 6, 6>,
    touched: bool,
    /// λ \[1/s\] and k/m \[1/s²\]
    rate: f64,
    stiffness: f64,
}

/// The rigid bodies of the sides of a contact.
fn sides<'a>(model: &'a Model, contact: &Contact) -> [Option<&'a Rigid>; 2] {
    let first = model.rigid_of(contact.particle());
    let number = |body: Option<&Rigid>| body.map(|body| body.number);
    let others = contact.ends.iter().map(|(i, _)| model.rigid_of(i));
    let other = others.flatten().find(|body| Some(body.number) != number(first));
    [first, other]
}

impl BodyRates {
    fn begin(&mut self, body: &Rigid, state: &State) {
        if !self.touched {
            let inverse = body.inverse_inertia(&state.attitudes[body.number]);
            let eigen = inverse.symmetric_eigen();
            let roots = eigen.eigenvalues.map(|value| sqrt(larger(value, 0.0)));
            let axes = eigen.eigenvectors;
            *self = BodyRates {
                center: body.center(&state.positions),
                root: axes * Matrix::from_diagonal(&roots) * axes.transpose(),
                touched: true,
                ..BodyRates::default()
            };
        }
    }

    /// P J of a contact.
    fn jacobian(&self, body: &Rigid, state: &State, contact: &Contact) -> Jacobian {
        let (mut whole, mut lever) = (0.0, Vector::zeros());
        for (i, c) in contact.ends.iter().filter(|(i, _)| body.particles.contains(i)) {
            whole += c;
            lever += (state.positions[i] - self.center) * c;
        }
        let mut plane = tangent_projector(contact.normal);
        if let Some(axis) = body.locked_axis {
            plane.column_mut(axis).fill(0.0);
        }
        let mut jacobian = Jacobian::zeros();
        jacobian.fixed_columns_mut::<3>(0).copy_from(&(plane * (whole / sqrt(body.mass))));
        let turning = tangent_projector(contact.normal) * lever.cross_matrix() * self.root;
        jacobian.fixed_columns_mut::<3>(3).copy_from(&-turning);
        jacobian
    }
}

impl RigidRates {
    /// Gathers the contacts of a state; `stiffness` is that of the law's stretch \[N/m\].
    pub(super) fn gather(&mut self, model: &Model, state: &State, stiffness: f64) {
        self.soft_factors.clear();
        self.bodies.resize(model.rigid.len(), BodyRates::default());
        self.bodies.iter_mut().for_each(|rates| rates.touched = false);
        if model.rigid.is_empty() {
            return;
        }
        for contact in &state.memory.contacts {
            let factor = self.add(model, state, contact);
            self.soft_factors.push(factor);
        }
        for rates in self.bodies.iter_mut().filter(|rates| rates.touched) {
            rates.rate = rates.damping.symmetric_eigenvalues().amax();
            if stiffness > 0.0 {
                rates.stiffness = stiffness * rates.planes.symmetric_eigenvalues().amax();
            }
        }
    }

    /// Adds a contact to its bodies; returns what its soft side is multiplied with.
    fn add(&mut self, model: &Model, state: &State, contact: &Contact) -> f64 {
        let inverse_masses = &model.surfaces.inverse_masses;
        let is_soft = |(i, _): &(usize, f64)| model.rigid_of(*i).is_none();
        let soft: f64 =
            contact.ends.iter().filter(is_soft).map(|(i, c)| c * c * inverse_masses[i]).sum();
        let mut found = [None, None];
        let mut inverse_mass = soft;
        for (slot, body) in found.iter_mut().zip(sides(model, contact)) {
            let Some(body) = body else { continue };
            let rates = &mut self.bodies[body.number];
            rates.begin(body, state);
            let jacobian = rates.jacobian(body, state, contact);
            let own = (jacobian * jacobian.transpose()).symmetric_eigenvalues().amax();
            inverse_mass += own;
            *slot = Some((body.number, jacobian, own));
        }
        for (number, jacobian, own) in found.into_iter().flatten() {
            if own > 0.0 {
                let square = jacobian.transpose() * jacobian * (inverse_mass / own);
                self.bodies[number].damping += square * contact.damping;
                self.bodies[number].planes += square;
            }
        }
        if soft > 0.0 { inverse_mass / soft } else { 1.0 }
    }

    /// λ \[1/s\] and k/m \[1/s²\] of the rigid bodies of a contact; `None` if neither side is rigid.
    pub(super) fn of(&self, model: &Model, contact: &Contact) -> Option<(f64, f64)> {
        let rates = sides(model, contact).into_iter().flatten().map(|body| {
            let rates = &self.bodies[body.number];
            (rates.rate, rates.stiffness)
        });
        rates.reduce(|a, b| (larger(a.0, b.0), larger(a.1, b.1)))
    }

    /// Factor on the soft side of a contact, by its number, for what moves on its rigid side; one
    /// where none is rigid.
    pub(super) fn soft_factor(&self, number: usize) -> f64 {
        self.soft_factors.get(number).copied().unwrap_or(1.0)
    }
}
