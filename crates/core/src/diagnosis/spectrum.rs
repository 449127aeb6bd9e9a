//! The spectrum of the motion linearised about a state: decay rates, frequencies and mode shapes. The
//! largest stable step of a method follows from it before a run.

use crate::contact::friction::Slip;
use crate::forces::BlockSink;
use crate::math::{Matrix, Vector, larger, sqrt, tangent_projector};
use crate::model::Model;
use crate::state::State;
use crate::state::memory::Contact;
use faer::{Mat, c64};
use nalgebra::Complex;

/// Up to this many unknowns (positions and velocities) all modes are computed, by a dense solver.
const DENSE: usize = 600;

/// Most Krylov vectors of a larger system; fewer where they would hold more than [`KRYLOV_NUMBERS`].
const KRYLOV: usize = 160;
const KRYLOV_NUMBERS: usize = 40_000_000;

/// Relative residual above which an approximate mode is rejected.
const CONVERGED: f64 = 0.02;

/// M ẍ = K x + D ẋ about a state, block by block, on the free axes.
///
/// Scaled for the eigenvalue solver: y = [Ω √M x | √M ẋ] with Ω about the highest frequency. Both halves
/// are then of one size, and the matrix of an undamped system is skew.
pub struct Linearised {
    /// √(1/m) per axis \[kg^-½\], zero where held
    root_inverse_mass: Vec<Vector>,
    blocks: Vec<(u32, u32, Matrix, Matrix)>,
    /// Ω \[1/s\]
    scale: f64,
}

/// One mode x(t) = Re(shape · e^{μ t}).
pub struct Mode {
    /// μ \[1/s\].
    pub value: Complex<f64>,
    /// λ = −uᴴ D u/uᴴ M u \[1/s\]: the damping rate of the mode's shape.
    pub damping_rate: f64,
    /// ω = √(−uᴴ K u/uᴴ M u) \[1/s\]: the frequency without damping.
    pub frequency: f64,
    /// Shape: real and imaginary part per particle, of size one in the mass norm.
    pub shape: Vec<[Vector; 2]>,
    converged: bool,
}

/// A q₁ … q_n = q₁ … q_(n+1) H: an orthonormal basis of a Krylov space, the Hessenberg matrix H, and n.
struct Krylov {
    basis: Vec<Vec<f64>>,
    h: Mat<f64>,
    count: usize,
}

/// The computed modes of a linearised motion.
pub struct Spectrum {
    /// By |μ|, largest first.
    pub modes: Vec<Mode>,
    /// Whether these are all modes; otherwise the outermost, by Arnoldi iteration.
    pub complete: bool,
    /// Whether the eigenvalues could be computed, the outermost to two percent.
    pub known: bool,
}

impl Spectrum {
    /// The spectral radius: the largest |μ| \[1/s\].
    pub fn radius(&self) -> f64 {
        self.modes.first().map_or(0.0, |mode| sqrt(mode.value.norm_sqr()))
    }
}

/// Adds the excess of the steepest slope of a contact's friction over the slope at rest \[N·s/m\].
pub(crate) fn steepen(model: &Model, contact: &Contact, into: &mut dyn BlockSink) {
    let law = model.friction();
    let at_rest = Slip { normal_force: contact.normal_force, ..Slip::default() };
    let slope = law.derivative(&at_rest, &contact.pair).by_velocity.norm() / sqrt(2.0);
    let more = law.damping(&at_rest, &contact.pair) - slope;
    if more > 1e-9 * slope {
        let block = tangent_projector(contact.normal) * -more;
        for (i, a) in contact.ends.iter() {
            for (j, b) in contact.ends.iter() {
                into.add(i, j, &Matrix::zeros(), &(block * (a * b)));
            }
        }
    }
}

/// Collects blocks.
#[derive(Default)]
struct Blocks(Vec<(u32, u32, Matrix, Matrix)>);

impl BlockSink for Blocks {
    fn add(&mut self, i: usize, j: usize, by_position: &Matrix, by_velocity: &Matrix) {
        self.0.push((i as u32, j as u32, *by_position, *by_velocity));
    }
}

impl Linearised {
    /// Linearises all forces about a state. Friction gains what the steepest slope of its law exceeds
    /// its slope at rest by: a law that is flat at rest is steep elsewhere on its ramp.
    pub fn at(model: &Model, state: &State) -> Self {
        let mut blocks = Blocks::default();
        model.jacobian_at(&state.configuration(), &mut blocks);
        for contact in &state.memory.contacts {
            steepen(model, contact, &mut blocks);
        }
        let root_inverse_mass: Vec<Vector> =
            model.inverse_masses.iter().map(|m| m.map(sqrt)).collect();
        let mut rows = vec![0.0; root_inverse_mass.len()];
        for (i, j, k, _) in &blocks.0 {
            let inverse_mass =
                root_inverse_mass[*i as usize].amax() * root_inverse_mass[*j as usize].amax();
            rows[*i as usize] += inverse_mass * k.norm();
        }
        let scale = larger(sqrt(rows.into_iter().fold(0.0, larger)), 1.0);
        Linearised { root_inverse_mass, blocks: blocks.0, scale }
    }

    fn free(&self) -> Vec<(usize, usize)> {
        let axes = |i: usize| (0..3).map(move |axis| (i, axis));
        let all = (0..self.root_inverse_mass.len()).flat_map(axes);
        all.filter(|(i, axis)| self.root_inverse_mass[*i][*axis] > 0.0).collect()
    }

    /// The force in scaled variables, √M⁻¹ (K √M⁻¹ x/Ω + D √M⁻¹ v).
    fn scaled_force(&self, x: &[Vector], v: &[Vector], f: &mut [Vector]) {
        f.fill(Vector::zeros());
        for (i, j, k, d) in &self.blocks {
            let (i, j) = (*i as usize, *j as usize);
            let spread = self.root_inverse_mass[j];
            let force =
                k * x[j].component_mul(&spread) / self.scale + d * v[j].component_mul(&spread);
            f[i] += force.component_mul(&self.root_inverse_mass[i]);
        }
    }

    /// y' = A y for the scaled unknowns [Ω √M x | √M ẋ].
    fn apply(&self, free: &[(usize, usize)], y: &[f64], into: &mut [f64]) {
        let (n, count) = (self.root_inverse_mass.len(), free.len());
        let (mut x, mut v) = (vec![Vector::zeros(); n], vec![Vector::zeros(); n]);
        let mut f = vec![Vector::zeros(); n];
        for (k, (i, axis)) in free.iter().enumerate() {
            x[*i][*axis] = y[k];
            v[*i][*axis] = y[count + k];
        }
        self.scaled_force(&x, &v, &mut f);
        for (k, (i, axis)) in free.iter().enumerate() {
            into[k] = self.scale * y[count + k];
            into[count + k] = f[*i][*axis];
        }
    }

    /// The modes: all for small systems, otherwise the outermost.
    pub fn spectrum(&self) -> Spectrum {
        self.spectrum_until(&|| false)
    }

    /// The same; unknown if `stop` returns true before the end.
    pub fn spectrum_until(&self, stop: &dyn Fn() -> bool) -> Spectrum {
        if stop() {
            return Spectrum { modes: Vec::new(), complete: false, known: false };
        }
        let free = self.free();
        let size = 2 * free.len();
        let krylov = KRYLOV.min(KRYLOV_NUMBERS / size.max(1)).max(2);
        let mut modes = if size <= DENSE {
            self.dense_modes(&free)
        } else {
            self.outer_modes(&free, krylov, stop)
        };
        modes.sort_by(|a, b| b.value.norm_sqr().total_cmp(&a.value.norm_sqr()));
        let known = size == 0 || modes.first().is_some_and(|mode| mode.converged);
        Spectrum { modes, complete: size <= DENSE, known }
    }

    fn dense_modes(&self, free: &[(usize, usize)]) -> Vec<Mode> {
        let size = 2 * free.len();
        let mut matrix = Mat::<f64>::zeros(size, size);
        let (mut unit, mut column) = (vec![0.0; size], vec![0.0; size]);
        for c in 0..size {
            unit[c] = 1.0;
            self.apply(free, &unit, &mut column);
            unit[c] = 0.0;
            for r in 0..size {
                matrix[(r, c)] = column[r];
            }
        }
        let Ok(eigen) = matrix.eigen() else { return Vec::new() };
        let (values, vectors) = (eigen.S(), eigen.U());
        let upper = (0..size).filter(|k| values[*k].im >= 0.0);
        upper
            .map(|k| {
                let vector: Vec<c64> = (0..size).map(|r| vectors[(r, k)]).collect();
                self.mode(free, values[k], &vector, true)
            })
            .collect()
    }

    /// The outermost modes, from the eigenpairs of the Hessenberg matrix of Arnoldi's iteration.
    fn outer_modes(
        &self,
        free: &[(usize, usize)],
        most: usize,
        stop: &dyn Fn() -> bool,
    ) -> Vec<Mode> {
        let Some(Krylov { basis, h, count }) = self.arnoldi(free, most, stop) else {
            return Vec::new();
        };
        let small = Mat::from_fn(count, count, |r, c| h[(r, c)]);
        let Ok(eigen) = small.eigen() else { return Vec::new() };
        let (values, vectors) = (eigen.S(), eigen.U());
        let rest = h[(count, count - 1)];
        let size_of = |k: usize| values[k].re * values[k].re + values[k].im * values[k].im;
        let outermost = (0..count).fold(0, |a, b| if size_of(b) > size_of(a) { b } else { a });
        let converged = |k: usize| {
            let last = vectors[(count - 1, k)];
            let residual = rest * sqrt(last.re * last.re + last.im * last.im);
            residual <= CONVERGED * sqrt(size_of(k))
        };
        let believed = |k: &usize| {
            values[*k].im >= 0.0 && (converged(*k) || size_of(*k) == size_of(outermost))
        };
        (0..count)
            .filter(believed)
            .map(|k| {
                let mut vector = vec![c64::new(0.0, 0.0); 2 * free.len()];
                for (r, q) in basis.iter().take(count).enumerate() {
                    let share = vectors[(r, k)];
                    for (sum, entry) in vector.iter_mut().zip(q) {
                        sum.re += share.re * entry;
                        sum.im += share.im * entry;
                    }
                }
                self.mode(free, values[k], &vector, converged(k))
            })
            .collect()
    }

    /// Arnoldi iteration from a fixed start; none if it is stopped. Source: \[saad2011\].
    fn arnoldi(
        &self,
        free: &[(usize, usize)],
        most: usize,
        stop: &dyn Fn() -> bool,
    ) -> Option<Krylov> {
        let size = 2 * free.len();
        let mut basis: Vec<Vec<f64>> = vec![start_vector(size)];
        let mut h = Mat::<f64>::zeros(most + 1, most);
        let mut count = 0;
        while count < most {
            if stop() {
                return None;
            }
            let mut next = vec![0.0; size];
            self.apply(free, &basis[count], &mut next);
            // orthogonalised twice, against rounding
            for _ in 0..2 {
                for (r, q) in basis.iter().enumerate() {
                    let along = dot(q, &next);
                    h[(r, count)] += along;
                    next.iter_mut().zip(q).for_each(|(a, b)| *a -= along * b);
                }
            }
            let rest = sqrt(dot(&next, &next));
            h[(count + 1, count)] = rest;
            count += 1;
            if rest <= 1e-12 * self.scale {
                break;
            }
            next.iter_mut().for_each(|a| *a /= rest);
            basis.push(next);
        }
        Some(Krylov { basis, h, count })
    }

    /// A mode from its scaled vector; the second half is √M times the velocity.
    fn mode(&self, free: &[(usize, usize)], value: c64, vector: &[c64], converged: bool) -> Mode {
        let (n, count) = (self.root_inverse_mass.len(), free.len());
        // the larger half is the more accurate one; both are multiples of the shape
        let size = |half: &[c64]| half.iter().map(|a| a.re * a.re + a.im * a.im).sum::<f64>();
        let (first, second) = vector.split_at(count);
        let (half, norm) = if size(first) > size(second) {
            (first, sqrt(size(first)))
        } else {
            (second, sqrt(size(second)))
        };
        let mut scaled = [vec![Vector::zeros(); n], vec![Vector::zeros(); n]];
        for (k, (i, axis)) in free.iter().enumerate() {
            scaled[0][*i][*axis] = half[k].re / norm;
            scaled[1][*i][*axis] = half[k].im / norm;
        }
        let (mut stiffness, mut damping) = (0.0, 0.0);
        let zero = vec![Vector::zeros(); n];
        let mut f = zero.clone();
        let dots = |a: &[Vector], b: &[Vector]| a.iter().zip(b).map(|(a, b)| a.dot(b)).sum::<f64>();
        for part in &scaled {
            self.scaled_force(part, &zero, &mut f);
            stiffness -= self.scale * dots(part, &f);
            self.scaled_force(&zero, part, &mut f);
            damping -= dots(part, &f);
        }
        let shape = (0..n)
            .map(|i| {
                [0, 1].map(|part: usize| scaled[part][i].component_mul(&self.root_inverse_mass[i]))
            })
            .collect();
        Mode {
            value: Complex::new(value.re, value.im),
            damping_rate: damping,
            frequency: sqrt(larger(stiffness, 0.0)),
            shape,
            converged,
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A fixed vector of length one without any symmetry a scene could share.
fn start_vector(size: usize) -> Vec<f64> {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut vector: Vec<f64> = (0..size)
        .map(|_| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        })
        .collect();
    let norm = sqrt(dot(&vector, &vector));
    vector.iter_mut().for_each(|a| *a /= norm);
    vector
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::memory::Memory;
    use crate::world::shapes::{Family, lattice::Lattice};
    use crate::world::{Body, BuildOptions, Collider, World, named};

    /// Both solvers on a lattice whose bottom row sticks.
    #[test]
    fn arnoldi_finds_the_outermost_modes_of_the_dense_solver() {
        let mut world = World::new();
        world.locked_axis(1).step(1e-4).integrator("rk4");
        world.material(("rubber", 0.5, 0.5));
        world.normal(named("linear").with("stiffness", 2e5).with("damping", 20.0));
        world.friction(named("threshold").with("epsilon", 1e-2));
        world.collider(Collider::plane("floor", [0.0, 0.0, 1.0], [0.0; 3]));
        let mut lattice = Body::new("box", Lattice::new([7, 1, 9], 0.1)).mass(5.0);
        for family in [Family::Edge, Family::FaceDiagonal] {
            lattice = lattice.spring(family, 5e4, 5.0);
        }
        world.body(lattice.position([0.0, 0.0, -1e-4]));
        let mut built = world.build(&BuildOptions::default()).expect("a model");
        built.model.commit(&mut built.state, &mut Memory::default());
        let linearised = Linearised::at(&built.model, &built.state);
        let free = linearised.free();
        let extremes = |modes: &[Mode]| {
            let most = |of: fn(&Mode) -> f64| modes.iter().map(of).fold(0.0, larger);
            [most(|mode| -mode.value.re), most(|mode| mode.value.im)]
        };
        let exact = extremes(&linearised.dense_modes(&free));
        let found = extremes(&linearised.outer_modes(&free, KRYLOV, &|| false));
        for (exact, found) in exact.into_iter().zip(found) {
            assert!(
                exact > 1000.0 && (found / exact - 1.0).abs() < 0.01,
                "{found}, {exact} expected"
            );
        }
    }
}
