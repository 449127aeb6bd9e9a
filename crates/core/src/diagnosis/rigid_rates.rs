//! Friction rates of rigid bodies: λ, the rate at which all contacts of a body together damp it, is the
//! largest eigenvalue of M⁻¹ Σ Jᵀ d J over its velocity and angular velocity.
//!
//! The contact velocity of a body with velocity V and angular velocity ω is C V + ω × ρ, with C = Σ c_i
//! and ρ = Σ c_i r_i over its particles at the contact. Scaled by √M⁻¹, J = [C/√M | −ρ× √I⁻¹]. The other
//! side moves as well: with κ the inverse mass of a side along the surface, the sides a and b share the
//! bound |J_a u_a + J_b u_b|² ≤ (κ_a + κ_b) (|J_a u_a|²/κ_a + |J_b u_b|²/κ_b).

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
    /// factor on the damping of the soft side of each contact; empty without rigid bodies
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
    /// what its only contact gives; none where there are several
    #[serde(skip)]
    alone: Option<Alone>,
}

/// A body's only contact: its damping \[N·s/m\] and its inverse mass \[1/kg\].
#[derive(Debug, Clone, Copy)]
struct Alone {
    damping: f64,
    inverse_mass: f64,
}

/// The rigid bodies of the sides of a contact.
fn sides<'a>(model: &'a Model, contact: &Contact) -> [Option<&'a Rigid>; 2] {
    let first = model.rigid_of(contact.particle());
    let number = |body: Option<&Rigid>| body.map(|body| body.number);
    let others = contact.ends.iter().map(|(i, _)| model.rigid_of(i));
    let other = others.flatten().find(|body| Some(body.number) != number(first));
    [first, other]
}

/// The largest eigenvalue of P J (P J)ᵀ, whose range is the tangent plane of the normal: that of a
/// symmetric 2 × 2 matrix.
fn largest_square(jacobian: &Jacobian, normal: Vector) -> f64 {
    let plane = tangent_projector(normal);
    let first = plane.column(plane.diagonal().imax()).normalize();
    let [a, b] = [first, normal.cross(&first)].map(|t| jacobian.tr_mul(&t));
    let [along, mixed, across] = [a.dot(&a), a.dot(&b), b.dot(&b)];
    let half = 0.5 * (along - across);
    0.5 * (along + across) + sqrt(half * half + mixed * mixed)
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

    /// P J of a contact, P the projector onto its tangent plane.
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
            if let Some(Alone { damping, inverse_mass }) = rates.alone {
                rates.rate = damping * inverse_mass;
                rates.stiffness = stiffness * inverse_mass;
                continue;
            }
            rates.rate = rates.damping.symmetric_eigenvalues().amax();
            if stiffness > 0.0 {
                rates.stiffness = stiffness * rates.planes.symmetric_eigenvalues().amax();
            }
        }
    }

    /// Adds a contact to its bodies; returns the factor on the damping of its soft side.
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
            let own = largest_square(&jacobian, contact.normal);
            inverse_mass += own;
            *slot = Some((body.number, jacobian, own));
        }
        for (number, jacobian, own) in found.into_iter().flatten() {
            if own > 0.0 {
                let square = jacobian.transpose() * jacobian * (inverse_mass / own);
                let rates = &mut self.bodies[number];
                let first = rates.planes == SMatrix::<f64, 6, 6>::zeros();
                rates.alone = first.then_some(Alone { damping: contact.damping, inverse_mass });
                rates.damping += square * contact.damping;
                rates.planes += square;
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

    /// Factor on the damping of the soft side of a contact, by its number, due to the motion of its
    /// rigid side; one if neither side is rigid.
    pub(super) fn soft_factor(&self, number: usize) -> f64 {
        self.soft_factors.get(number).copied().unwrap_or(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::PI;
    use crate::state::memory::Ends;
    use crate::world::shapes::Geometry;
    use crate::world::{Body, World};

    /// Squares of four particles, each rigid, of these masses \[kg\]; all at one place.
    fn squares(masses: &[f64]) -> (Model, State) {
        let corner = |k: i32| {
            let (s, c) = (
                crate::math::sin(0.5 * PI * f64::from(k)),
                crate::math::cos(0.5 * PI * f64::from(k)),
            );
            Vector::new(c, s, 0.0) * 0.3
        };
        let square = Geometry { positions: (0..4).map(corner).collect(), ..Geometry::default() };
        let mut world = World::new();
        for (number, mass) in masses.iter().enumerate() {
            let body = Body::new(format!("square {number}"), square.clone());
            world.body(body.mass(*mass).rigid(true));
        }
        let built = world.build(&Default::default()).expect("a world");
        (built.model, built.state)
    }

    /// A contact with the normal z and a damping \[N·s/m\].
    fn contact(ends: Ends, damping: f64) -> Contact {
        Contact { ends, normal: Vector::z(), damping, ..Contact::default() }
    }

    fn between(first: u32, second: u32) -> Ends {
        Ends { particles: [first, second, 0, 0], weights: [1.0, -1.0, 0.0, 0.0], count: 2 }
    }

    fn close(found: f64, right: f64) -> bool {
        (found / right - 1.0).abs() < 1e-9
    }

    /// The closed form is the largest eigenvalue, for any normal, lever and locked axis.
    #[test]
    fn the_square_of_one_contact_has_its_largest_eigenvalue() {
        let number = |k: usize| ((k * 7919) % 1013) as f64 * 1e-3 - 0.4;
        for k in 0..60 {
            let normal = Vector::new(number(3 * k), number(3 * k + 1), number(3 * k + 2) + 0.5);
            let normal = normal.normalize();
            let lever = Vector::new(number(k + 7), number(k + 17), number(k + 29));
            let mut turning =
                lever.cross_matrix() * -Matrix::from_diagonal_element(number(k) + 1.0);
            let mut moving = Matrix::identity();
            if k % 3 == 0 {
                (0..3).for_each(|row| turning[(row, 0)] *= 0.1);
                moving[(1, 1)] = 0.0;
            }
            let mut jacobian = Jacobian::zeros();
            jacobian.fixed_view_mut::<3, 3>(0, 0).copy_from(&(tangent_projector(normal) * moving));
            jacobian.fixed_view_mut::<3, 3>(0, 3).copy_from(&(tangent_projector(normal) * turning));
            let found = largest_square(&jacobian, normal);
            let right = (jacobian * jacobian.transpose()).symmetric_eigenvalues().max();
            assert!(close(found, right), "{k}: {found} {right}");
        }
    }

    /// All four corners damp a square of mass m alike in translation and rotation: λ = 4 d/m, and a law
    /// of stiffness k gives 4 k/m.
    #[test]
    fn a_square_on_its_corners_has_the_rates_of_all_of_them() {
        let (model, mut state) = squares(&[2.0]);
        state.memory.contacts = (0..4).map(|i| contact(Ends::one(i), 3.0)).collect();
        let mut rates = RigidRates::default();
        rates.gather(&model, &state, 50.0);
        let (rate, stiffness) = rates.of(&model, &state.memory.contacts[0]).expect("it is rigid");
        assert!(close(rate, 4.0 * 3.0 / 2.0), "{rate}");
        assert!(close(stiffness, 4.0 * 50.0 / 2.0), "{stiffness}");
        // one corner alone, a from the centre: d/m, and d a²/I with I = m a²
        state.memory.contacts.truncate(1);
        rates.gather(&model, &state, 50.0);
        let (rate, stiffness) = rates.of(&model, &state.memory.contacts[0]).expect("it is rigid");
        assert!(close(rate, 2.0 * 3.0 / 2.0) && close(stiffness, 2.0 * 50.0 / 2.0), "{rate}");
        // a law without stretch has no stiffness
        rates.gather(&model, &state, 0.0);
        assert_eq!(rates.of(&model, &state.memory.contacts[0]).expect("it is rigid").1, 0.0);
    }

    /// A light square on a heavy one on the ground: their common rate is at least that of either, in
    /// either order of the contact's sides.
    #[test]
    fn a_contact_between_two_bodies_has_the_larger_rate_of_both() {
        let (light, heavy, damping, below, stiffness) = (1.0, 2.0, 1.0, 100.0, 7.0);
        let (model, mut state) = squares(&[light, heavy]);
        for upper_first in [true, false] {
            let pair = |k: u32| if upper_first { between(k, k + 4) } else { between(k + 4, k) };
            let ground = (4..8).map(|i| contact(Ends::one(i), below));
            state.memory.contacts = (0..4).map(|k| contact(pair(k), damping)).collect();
            state.memory.contacts.extend(ground);
            let mut rates = RigidRates::default();
            rates.gather(&model, &state, stiffness);
            let found = rates.of(&model, &state.memory.contacts[0]).expect("both are rigid");
            // the largest eigenvalue of x'' = −[[a, −a], [−b, b + c]] x, two speeds along one line
            let largest = |of_pair: f64, of_ground: f64| {
                let (a, b, c) =
                    (4.0 * of_pair / light, 4.0 * of_pair / heavy, 4.0 * of_ground / heavy);
                let (half, product) = (0.5 * (a + b + c), a * c);
                half + sqrt(half * half - product)
            };
            for (name, found, least) in [
                ("λ", found.0, largest(damping, below)),
                ("k/m", found.1, stiffness * largest(1.0, 1.0)),
            ] {
                assert!(found >= least, "{name} is {found}, below {least}");
                assert!(found < 1.3 * least, "{name} is {found}, far above {least}");
            }
        }
    }
}
