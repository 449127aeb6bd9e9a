//! The matrix M − h D − h² K, gathered block by block and never written out as a whole.

use super::MatrixForm;
use crate::forces::{Axial, BlockSink};
use crate::math::{Matrix, Vector};

/// No unknown: a held axis.
pub const HELD: usize = usize::MAX;

/// M − h D − h² K as blocks of 3 × 3. It keeps its storage from one assembly to the next.
pub struct System {
    form: MatrixForm,
    h: f64,
    /// 1 on free axes, 0 on held ones
    free: Vec<Vector>,
    /// the number of each free axis among the unknowns, particle by particle
    numbers: Vec<[usize; 3]>,
    unknowns: usize,
    masses: Vec<f64>,
    inverse_masses: Vec<f64>,
    /// the blocks at (i, i): whole in the full form, six numbers in the symmetric one
    diagonal: Vec<Matrix>,
    lower: Vec<[f64; 6]>,
    /// blocks that stand at (i, j) and (j, i): whole in the full form, (xx, yy, zz, xy, xz, yz) in
    /// the symmetric one
    pub(super) pairs: Vec<[u32; 2]>,
    pub(super) whole: Vec<Matrix>,
    pub(super) halves: Vec<[f64; 6]>,
    /// blocks at (i, j) alone; in the symmetric form the transpose stands at (j, i)
    pub(super) singles: Vec<(u32, u32, Matrix)>,
}

impl System {
    /// For particles with these masses \[kg\] and inverse masses, 0 on held axes \[1/kg\].
    pub fn new(masses: &[f64], inverse_masses: &[Vector]) -> Self {
        let mut unknowns = 0;
        let numbers = inverse_masses.iter().map(|m| {
            [0, 1, 2].map(|axis| {
                if m[axis] > 0.0 {
                    unknowns += 1;
                    unknowns - 1
                } else {
                    HELD
                }
            })
        });
        System {
            form: MatrixForm::Full,
            h: 0.0,
            numbers: numbers.collect(),
            unknowns,
            free: inverse_masses
                .iter()
                .map(|m| m.map(|m| if m > 0.0 { 1.0 } else { 0.0 }))
                .collect(),
            masses: masses.to_vec(),
            inverse_masses: masses.iter().map(|m| 1.0 / m).collect(),
            diagonal: Vec::new(),
            lower: Vec::new(),
            pairs: Vec::new(),
            whole: Vec::new(),
            halves: Vec::new(),
            singles: Vec::new(),
        }
    }

    /// Begins anew with the masses on the diagonal. `h` \[s\] is what multiplies the forces.
    pub fn start(&mut self, form: MatrixForm, h: f64) {
        (self.form, self.h) = (form, h);
        self.diagonal.clear();
        self.lower.clear();
        match form {
            MatrixForm::Full => {
                self.diagonal.extend(self.masses.iter().map(|m| Matrix::identity() * *m));
            }
            MatrixForm::Symmetric => {
                self.lower.extend(self.masses.iter().map(|m| [*m, *m, *m, 0.0, 0.0, 0.0]))
            }
        }
        self.pairs.clear();
        self.whole.clear();
        self.halves.clear();
        self.singles.clear();
    }

    /// The form in which it was gathered.
    pub fn form(&self) -> MatrixForm {
        self.form
    }

    /// Number of particles.
    pub fn particles(&self) -> usize {
        self.masses.len()
    }

    /// Number of unknowns: axes that are not held.
    pub fn unknowns(&self) -> usize {
        self.unknowns
    }

    /// Σ |r|²/m \[J\] of impulses.
    pub fn size(&self, r: &[Vector]) -> f64 {
        r.iter().zip(&self.inverse_masses).map(|(r, m)| r.norm_squared() * m).sum()
    }

    /// 1/m \[1/kg\], also where axes are held.
    pub fn inverse_masses(&self) -> &[f64] {
        &self.inverse_masses
    }

    /// 1 on free axes, 0 on held ones.
    pub fn free(&self) -> &[Vector] {
        &self.free
    }

    /// The numbers of the three axes of each particle among the unknowns, or [`HELD`].
    pub fn numbers(&self) -> &[[usize; 3]] {
        &self.numbers
    }

    /// y = A p for p that is zero on held axes.
    pub fn apply(&self, p: &[Vector], y: &mut [Vector]) {
        match self.form {
            MatrixForm::Full => {
                for ((y, p), block) in y.iter_mut().zip(p).zip(&self.diagonal) {
                    *y = block * p;
                }
                for (&[i, j], block) in self.pairs.iter().zip(&self.whole) {
                    let (i, j) = (i as usize, j as usize);
                    y[i] += block * p[j];
                    y[j] += block * p[i];
                }
                for (i, j, block) in &self.singles {
                    y[*i as usize] += block * p[*j as usize];
                }
            }
            MatrixForm::Symmetric => {
                for ((y, p), block) in y.iter_mut().zip(p).zip(&self.lower) {
                    *y = times(block, p);
                }
                self.apply_halves(p, y);
                for (i, j, block) in &self.singles {
                    y[*i as usize] += block * p[*j as usize];
                    y[*j as usize] += block.tr_mul(&p[*i as usize]);
                }
            }
        }
        for (y, free) in y.iter_mut().zip(&self.free) {
            y.component_mul_assign(free);
        }
    }

    fn apply_halves(&self, p: &[Vector], y: &mut [Vector]) {
        let Some(&[first, _]) = self.pairs.first() else { return };
        // springs come in the order of their first end, whose part is kept at hand
        let mut i = first as usize;
        let (mut own, mut sum) = (p[i], y[i]);
        for (&[a, j], block) in self.pairs.iter().zip(&self.halves) {
            let (a, j) = (a as usize, j as usize);
            if a != i {
                y[i] = sum;
                i = a;
                (own, sum) = (p[i], y[i]);
            }
            let other = p[j];
            sum += times(block, &other);
            y[j] += times(block, &own);
        }
        y[i] = sum;
    }

    /// The block at (i, i).
    pub(super) fn own(&self, i: usize) -> Matrix {
        match self.form {
            MatrixForm::Full => self.diagonal[i],
            MatrixForm::Symmetric => unfold(&self.lower[i]),
        }
    }

    /// The inverses of the diagonal blocks, held axes apart; `None` where one has no inverse.
    pub(super) fn inverse_diagonal(&self, into: &mut Vec<Matrix>) -> Option<()> {
        into.clear();
        for (i, free) in self.free.iter().enumerate() {
            let mut block = self.own(i);
            for axis in 0..3 {
                if free[axis] == 0.0 {
                    block.row_mut(axis).fill(0.0);
                    block.column_mut(axis).fill(0.0);
                    block[(axis, axis)] = 1.0;
                }
            }
            into.push(block.try_inverse()?);
        }
        Some(())
    }
}

/// B p for B = (xx, yy, zz, xy, xz, yz).
#[inline(always)]
fn times(b: &[f64; 6], p: &Vector) -> Vector {
    Vector::new(
        b[0] * p.x + b[3] * p.y + b[4] * p.z,
        b[3] * p.x + b[1] * p.y + b[5] * p.z,
        b[4] * p.x + b[5] * p.y + b[2] * p.z,
    )
}

fn half(m: &Matrix) -> [f64; 6] {
    let mean = |r: usize, c: usize| 0.5 * (m[(r, c)] + m[(c, r)]);
    [m[(0, 0)], m[(1, 1)], m[(2, 2)], mean(0, 1), mean(0, 2), mean(1, 2)]
}

/// The symmetric matrix of six numbers.
pub(super) fn unfold(b: &[f64; 6]) -> Matrix {
    Matrix::new(b[0], b[3], b[4], b[3], b[1], b[5], b[4], b[5], b[2])
}

/// a += factor b.
#[inline(always)]
fn take(a: &mut [f64; 6], b: &[f64; 6], factor: f64) {
    for (a, b) in a.iter_mut().zip(b) {
        *a += factor * b;
    }
}

impl System {
    #[inline(always)]
    fn couple(&mut self, i: usize, j: usize, block: [f64; 6]) {
        take(&mut self.lower[i], &block, -1.0);
        take(&mut self.lower[j], &block, -1.0);
        self.halves.push(block);
    }
}

impl BlockSink for System {
    fn add(&mut self, i: usize, j: usize, by_position: &Matrix, by_velocity: &Matrix) {
        let block = -(by_velocity * self.h + by_position * (self.h * self.h));
        match (i == j, self.form) {
            (true, MatrixForm::Full) => self.diagonal[i] += block,
            (true, MatrixForm::Symmetric) => take(&mut self.lower[i], &half(&block), 1.0),
            (false, MatrixForm::Full) => self.singles.push((i as u32, j as u32, block)),
            (false, MatrixForm::Symmetric) => self.singles.push((i as u32, j as u32, block * 0.5)),
        }
    }

    fn add_pair(&mut self, i: usize, j: usize, by_position: &Matrix, by_velocity: &Matrix) {
        let block = -(by_velocity * self.h + by_position * (self.h * self.h));
        self.pairs.push([i as u32, j as u32]);
        match self.form {
            MatrixForm::Full => {
                self.diagonal[i] -= block;
                self.diagonal[j] -= block;
                self.whole.push(block);
            }
            MatrixForm::Symmetric => {
                self.couple(i, j, half(&block));
            }
        }
    }

    fn add_axial(&mut self, i: usize, j: usize, axial: &Axial) {
        if self.form == MatrixForm::Full {
            let (by_position, by_velocity) = axial.blocks();
            return self.add_pair(i, j, &by_position, &by_velocity);
        }
        let (h, n) = (self.h, axial.direction);
        // −h c n nᵀ − h² (k n nᵀ + (1 − n nᵀ) T/l + the mean of n qᵀ and q nᵀ)
        let across = -h * h * axial.across;
        let along = -h * (axial.damping + h * axial.stiffness) - across;
        let m = n * along - axial.turning * (h * h);
        let mean = |r: usize, c: usize| 0.5 * (n[r] * m[c] + n[c] * m[r]);
        let block = [
            n.x * m.x + across,
            n.y * m.y + across,
            n.z * m.z + across,
            mean(0, 1),
            mean(0, 2),
            mean(1, 2),
        ];
        self.pairs.push([i as u32, j as u32]);
        self.couple(i, j, block);
    }

    fn symmetric(&self) -> bool {
        self.form == MatrixForm::Symmetric
    }
}
