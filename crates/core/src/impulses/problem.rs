//! The contacts of one step as a linear problem: the relative velocity of each contact, and its change
//! by impulses at any contact.
//!
//! For a contact with the frame F, its columns the normal and two tangents, and with the matrices L_k
//! and A_k of each of its movers k,
//!
//! ```text
//! u   = Σ L_k v_k + A_k ω_k − Fᵀ v_surface        relative velocity in the frame [m/s]
//! Δv_k = M_k⁻¹ L_kᵀ p,  Δω_k = I_k⁻¹ A_kᵀ p        by an impulse p in the frame [N·s]
//! K   = Σ L_k M_k⁻¹ L_kᵀ + A_k I_k⁻¹ A_kᵀ          velocity per unit impulse [1/kg]
//! ```
//!
//! For a rigid body with the arm r from its centre of mass, A = −L r×, so K = FᵀF/M − Fᵀ r× I⁻¹ r× F; a
//! contact of two movable bodies has the sum of both. Source: \[millington2010\].

use crate::contact::near::Near;
use crate::math::{Matrix, Vector, larger, sqrt};
use crate::model::Model;
use crate::state::State;
use crate::state::memory::Coefficients;
use nalgebra::Vector6;

/// A mover: what a contact moves, a particle or a rigid body.
#[derive(Debug, Clone, Copy)]
struct Mover {
    what: MoverKind,
    /// 1/m per axis \[1/kg\], zero on held ones
    inverse_mass: Vector,
    /// \[1/(kg·m²)\]
    inverse_inertia: Matrix,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MoverKind {
    Particle(usize),
    /// by its number
    Rigid(usize),
}

/// Action of a contact on one mover.
#[derive(Debug, Clone, Copy)]
struct Arm {
    mover: usize,
    linear: Matrix,
    angular: Matrix,
}

/// One contact.
#[derive(Debug, Clone, Copy)]
pub struct ContactRow {
    /// The contact.
    pub near: Near,
    /// Columns: the unit normal and two tangents. The tangents are scaled so that anisotropic friction
    /// is isotropic in the frame, with [`Self::friction`].
    pub frame: Matrix,
    /// Coefficients of friction in the frame.
    pub friction: Coefficients,
    /// K in the frame \[1/kg\].
    pub inverse_mass: Matrix,
    /// K⁻¹ \[kg\]; zero along immobile tangents, such as the locked axis of a planar scene.
    pub inverse: Matrix,
    /// Relative velocity in the frame at the start of the step \[m/s\].
    pub before: Vector,
    /// Relative velocity in the frame after the integrator's step, without contact \[m/s\].
    pub free: Vector,
    /// Impulse in the frame so far \[N·s\].
    pub impulse: Vector,
    /// Work of the impulse less its product with the mean velocity, component by component: zero unless the
    /// velocity does not go straight from its first to its last value, as in an impact in pieces \[J\].
    pub bend: Vector,
    surface: Vector,
    /// Number of its first arm, and how many it has.
    arms: (usize, usize),
}

/// All contacts of a step.
#[derive(Debug, Clone, Default)]
pub struct ContactProblem {
    /// The movable contacts, in the order of their keys.
    pub rows: Vec<ContactRow>,
    /// of all rows, in their order
    arms: Vec<Arm>,
    movers: Vec<Mover>,
    velocities: Vec<Vector>,
    spins: Vec<Vector>,
}

impl ContactProblem {
    /// The contacts `near`, found at `positions`, with the velocities of the state and the particles'
    /// velocities `before` at the start of the step. Contacts without movable particles are left out.
    pub fn new(
        model: &Model,
        state: &State,
        before: &[Vector],
        near: &[Near],
        positions: &[Vector],
    ) -> Self {
        let mut problem = ContactProblem {
            rows: Vec::with_capacity(near.len()),
            // a contact with a collider has one
            arms: Vec::with_capacity(near.len()),
            ..ContactProblem::default()
        };
        let mut numbers = Numbers::new(model);
        for near in near {
            let mut row = ContactRow {
                near: *near,
                frame: frame(near),
                friction: near.friction(),
                inverse_mass: Matrix::zeros(),
                inverse: Matrix::zeros(),
                before: Vector::zeros(),
                free: Vector::zeros(),
                impulse: Vector::zeros(),
                bend: Vector::zeros(),
                surface: Vector::zeros(),
                arms: (problem.arms.len(), 0),
            };
            let into = row.frame.transpose();
            row.surface = into * near.surface_velocity;
            row.before = -row.surface;
            for (end, (i, _)) in near.ends.iter().enumerate() {
                let linear = into * near.blocks[end];
                row.before += linear * before[i];
                let mover = problem.mover(&mut numbers, model, state, i);
                let angular = match problem.movers[mover].what {
                    MoverKind::Particle(_) => Matrix::zeros(),
                    MoverKind::Rigid(number) => {
                        let arm = positions[i] - model.rigid[number].center(positions);
                        linear * -arm.cross_matrix()
                    }
                };
                problem.bear(&mut row, mover, linear, angular);
            }
            row.inverse_mass = problem.inverse_mass(&row);
            if row.inverse_mass.trace() > 0.0 {
                row.inverse = inverse(row.inverse_mass);
                row.free = problem.velocity(&row);
                problem.rows.push(row);
            } else {
                problem.arms.truncate(row.arms.0);
            }
        }
        problem
    }

    /// Number of movers.
    pub fn movers(&self) -> usize {
        self.movers.len()
    }

    fn mover(&mut self, numbers: &mut Numbers, model: &Model, state: &State, i: usize) -> usize {
        let rigid = model.rigid_of(i);
        let slot = match rigid {
            Some(body) => &mut numbers.rigid[body.number],
            None => &mut numbers.particles[i],
        };
        if *slot != NONE {
            return *slot as usize;
        }
        *slot = self.movers.len() as u32;
        let (mover, velocity, spin) = match rigid {
            Some(body) => {
                let (velocity, spin) = body.twist(state);
                let mut inverse_mass = Vector::repeat(1.0 / body.mass);
                if let Some(axis) = body.locked_axis {
                    inverse_mass[axis] = 0.0;
                }
                let inverse_inertia = body.inverse_inertia(&state.attitudes[body.number]);
                let what = MoverKind::Rigid(body.number);
                (Mover { what, inverse_mass, inverse_inertia }, velocity, spin)
            }
            None => {
                let what = MoverKind::Particle(i);
                let inverse_mass = model.inverse_masses[i];
                let mover = Mover { what, inverse_mass, inverse_inertia: Matrix::zeros() };
                (mover, state.velocities[i], Vector::zeros())
            }
        };
        self.movers.push(mover);
        self.velocities.push(velocity);
        self.spins.push(spin);
        self.movers.len() - 1
    }

    /// Adds the action of a row, the last so far, on a mover.
    fn bear(&mut self, row: &mut ContactRow, mover: usize, linear: Matrix, angular: Matrix) {
        // several ends on one rigid body are one arm
        let known = self.arms[row.arms.0..].iter_mut().find(|arm| arm.mover == mover);
        match known {
            Some(arm) => {
                arm.linear += linear;
                arm.angular += angular;
            }
            None => {
                self.arms.push(Arm { mover, linear, angular });
                row.arms.1 += 1;
            }
        }
    }

    fn arms(&self, row: &ContactRow) -> &[Arm] {
        &self.arms[row.arms.0..row.arms.0 + row.arms.1]
    }

    fn inverse_mass(&self, row: &ContactRow) -> Matrix {
        let mut inverse_mass = Matrix::zeros();
        for arm in self.arms(row) {
            let mover = &self.movers[arm.mover];
            let masses = Matrix::from_diagonal(&mover.inverse_mass);
            inverse_mass += arm.linear * masses * arm.linear.transpose();
            inverse_mass += arm.angular * mover.inverse_inertia * arm.angular.transpose();
        }
        inverse_mass
    }

    /// Present relative velocity of a contact in its frame \[m/s\].
    pub fn velocity(&self, row: &ContactRow) -> Vector {
        let mut u = -row.surface;
        for arm in self.arms(row) {
            u += arm.linear * self.velocities[arm.mover] + arm.angular * self.spins[arm.mover];
        }
        u
    }

    /// The largest change of velocity of these contacts by the impulses so far \[m/s\].
    pub fn made(&self, contacts: &[usize]) -> f64 {
        contacts.iter().fold(0.0, |most, k| {
            let row = &self.rows[*k];
            larger(most, (self.velocity(row) - row.free).norm())
        })
    }

    /// Applies the impulse p to contact `number`, in its frame \[N·s\].
    pub fn kick(&mut self, number: usize, p: Vector) {
        let row = &mut self.rows[number];
        row.impulse += p;
        let (first, count) = row.arms;
        for arm in &self.arms[first..first + count] {
            let mover = &self.movers[arm.mover];
            self.velocities[arm.mover] += mover.inverse_mass.component_mul(&arm.linear.tr_mul(&p));
            self.spins[arm.mover] += mover.inverse_inertia * arm.angular.tr_mul(&p);
        }
    }

    /// Velocity of row `i` per unit impulse at row `j`, summed over common movers: the block W_ij
    /// \[1/kg\] of the Delassus matrix; W_ii = K.
    pub fn coupling(&self, i: usize, j: usize) -> Matrix {
        let (a, b) = (&self.rows[i], &self.rows[j]);
        let mut block = Matrix::zeros();
        for left in self.arms(a) {
            for right in self.arms(b).iter().filter(|right| right.mover == left.mover) {
                let mover = &self.movers[left.mover];
                let masses = Matrix::from_diagonal(&mover.inverse_mass);
                block += left.linear * masses * right.linear.transpose();
                block += left.angular * mover.inverse_inertia * right.angular.transpose();
            }
        }
        block
    }

    /// The rigid body of a contact with a fixed surface, and the generalised force (force, torque about
    /// its centre of mass) of a unit impulse along the normal.
    pub fn bearing(&self, row: &ContactRow) -> Option<(usize, Vector6<f64>)> {
        let [arm] = self.arms(row) else { return None };
        if matches!(self.movers[arm.mover].what, MoverKind::Particle(_)) {
            return None;
        }
        let (force, torque) = (arm.linear.row(0), arm.angular.row(0));
        let parts = [force[0], force[1], force[2], torque[0], torque[1], torque[2]];
        Some((arm.mover, Vector6::from(parts)))
    }

    /// The movers of a row, and the velocity of the contact per unit of their momenta scaled to
    /// unit masses: L M^(−½), and for rigid bodies A S with S Sᵀ = I⁻¹ \[kg^(−½)\].
    pub fn reach(&self, row: &ContactRow) -> Vec<(usize, Vec<Matrix>)> {
        let parts = |arm: &Arm| {
            let mover = &self.movers[arm.mover];
            let mut parts = vec![arm.linear * Matrix::from_diagonal(&mover.inverse_mass.map(sqrt))];
            if matches!(mover.what, MoverKind::Rigid(_)) {
                parts.push(arm.angular * root(&mover.inverse_inertia));
            }
            (arm.mover, parts)
        };
        self.arms(row).iter().map(parts).collect()
    }

    /// Numbers of the movers of a row; rows without a common mover are independent.
    pub(crate) fn movers_of(&self, row: &ContactRow) -> impl Iterator<Item = usize> {
        self.arms(row).iter().map(|arm| arm.mover)
    }

    /// Work of the pins of a row's particles against its impulse \[J\]: held axes move as prescribed.
    pub(crate) fn work_of_pins(&self, row: &ContactRow) -> f64 {
        let mut work = 0.0;
        for arm in self.arms(row) {
            let (held, v) = (self.movers[arm.mover].inverse_mass, self.velocities[arm.mover]);
            let on_it = arm.linear.tr_mul(&row.impulse);
            for axis in (0..3).filter(|axis| held[*axis] == 0.0) {
                work -= on_it[axis] * v[axis];
            }
        }
        work
    }

    /// Sets all velocities to zero: the unknowns are then displacements.
    pub fn rest(&mut self) {
        self.velocities.fill(Vector::zeros());
        self.spins.fill(Vector::zeros());
        self.rows.iter_mut().for_each(|row| row.surface = Vector::zeros());
    }

    /// Writes the velocities to the state; movers selected by `moves` are displaced by `time` \[s\] ×
    /// their change.
    pub fn finish(
        &self,
        model: &Model,
        state: &mut State,
        time: f64,
        moves: impl Fn(usize) -> bool,
    ) {
        let motions = self.velocities.iter().zip(&self.spins).enumerate();
        for (mover, (number, (velocity, spin))) in self.movers.iter().zip(motions) {
            let time = if moves(number) { time } else { 0.0 };
            match mover.what {
                MoverKind::Particle(i) => {
                    state.positions[i] += (velocity - state.velocities[i]) * time;
                    state.velocities[i] = *velocity;
                }
                MoverKind::Rigid(number) => {
                    let body = &model.rigid[number];
                    let (v, w) = body.twist(state);
                    if time != 0.0 {
                        body.displace((velocity - v) * time, (spin - w) * time, state);
                    }
                    body.set_twist(*velocity, *spin, state);
                }
            }
        }
    }

    /// Displaces the state by the velocities, which after [`Self::rest`] are displacements \[m\].
    pub fn displace(&self, model: &Model, state: &mut State) {
        for ((mover, shift), turn) in self.movers.iter().zip(&self.velocities).zip(&self.spins) {
            match mover.what {
                MoverKind::Particle(i) => state.positions[i] += shift,
                MoverKind::Rigid(number) => model.rigid[number].displace(*shift, *turn, state),
            }
        }
    }
}

impl ContactRow {
    /// A particle of the contact, to name it by.
    pub fn particle(&self) -> usize {
        self.near.ends.particles[0] as usize
    }
}

/// The inverse of an inverse mass, zero along immobile axes.
fn inverse(mut k: Matrix) -> Matrix {
    let least = 1e-14 * k.trace();
    let stuck = [0, 1, 2].map(|axis| k[(axis, axis)] <= least);
    for axis in (0..3).filter(|axis| stuck[*axis]) {
        k.row_mut(axis).fill(0.0);
        k.column_mut(axis).fill(0.0);
        k[(axis, axis)] = 1.0;
    }
    let mut inverse = k.try_inverse().unwrap_or_else(Matrix::zeros);
    for axis in (0..3).filter(|axis| stuck[*axis]) {
        inverse[(axis, axis)] = 0.0;
    }
    inverse
}

/// S of a symmetric positive semidefinite S Sᵀ.
fn root(square: &Matrix) -> Matrix {
    let eigen = square.symmetric_eigen();
    let roots = eigen.eigenvalues.map(|value| sqrt(larger(value, 0.0)));
    eigen.eigenvectors * Matrix::from_diagonal(&roots)
}

const NONE: u32 = u32::MAX;

/// Numbers of the movers so far.
struct Numbers {
    particles: Vec<u32>,
    rigid: Vec<u32>,
}

impl Numbers {
    fn new(model: &Model) -> Self {
        Numbers { particles: vec![NONE; model.particles()], rigid: vec![NONE; model.rigid.len()] }
    }
}

/// The normal and two tangents. The first tangent is along the coordinate axis nearest to the plane; in
/// a planar scene one of the two is the locked axis.
fn frame(near: &Near) -> Matrix {
    let n = near.normal;
    let axis = Vector::ith(n.iamin(), 1.0);
    let across = n.cross(&axis).normalize();
    let along = across.cross(&n);
    Matrix::from_columns(&[n, near.scaled(along), near.scaled(across)])
}

#[cfg(test)]
pub mod tests;
