//! The matrix M − h D − h² K, gathered block by block and never written out as a whole.

use super::Form;
use crate::forces::BlockSink;
use crate::math::{Matrix, Vector};

/// No unknown: a held axis.
pub const HELD: usize = usize::MAX;

/// M − h D − h² K as blocks of 3 × 3. It keeps its storage from one assembly to the next.
pub struct System {
    form: Form,
    h: f64,
    /// 1 on free axes, 0 on held ones
    free: Vec<Vector>,
    /// the number of each free axis among the unknowns, particle by particle
    numbers: Vec<[usize; 3]>,
    unknowns: usize,
    masses: Vec<f64>,
    pub(super) diagonal: Vec<Matrix>,
    /// blocks that stand at (i, j) and (j, i): whole in the full form, (xx, yy, zz, xy, xz, yz) in
    /// the symmetric one
    pub(super) pairs: Vec<[u32; 2]>,
    pub(super) whole: Vec<Matrix>,
    pub(super) halves: Vec<[f64; 6]>,
    /// blocks at (i, j) alone; in the symmetric form the transpose stands at (j, i)
    pub(super) singles: Vec<(u32, u32, Matrix)>,
}

impl System {
    /// For particles with these masses \[kg\] and mobilities, 0 on held axes \[1/kg\].
    pub fn new(masses: &[f64], mobilities: &[Vector]) -> Self {
        let mut unknowns = 0;
        let numbers = mobilities.iter().map(|m| {
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
            form: Form::Full,
            h: 0.0,
            numbers: numbers.collect(),
            unknowns,
            free: mobilities.iter().map(|m| m.map(|m| if m > 0.0 { 1.0 } else { 0.0 })).collect(),
            masses: masses.to_vec(),
            diagonal: Vec::new(),
            pairs: Vec::new(),
            whole: Vec::new(),
            halves: Vec::new(),
            singles: Vec::new(),
        }
    }

    /// Begins anew with the masses on the diagonal. `h` \[s\] is what multiplies the forces.
    pub fn start(&mut self, form: Form, h: f64) {
        (self.form, self.h) = (form, h);
        self.diagonal.clear();
        self.diagonal.extend(self.masses.iter().map(|m| Matrix::identity() * *m));
        self.pairs.clear();
        self.whole.clear();
        self.halves.clear();
        self.singles.clear();
    }

    /// The form in which it was gathered.
    pub fn form(&self) -> Form {
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

    /// The masses \[kg\].
    pub fn masses(&self) -> &[f64] {
        &self.masses
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
        for ((y, p), block) in y.iter_mut().zip(p).zip(&self.diagonal) {
            *y = block * p;
        }
        match self.form {
            Form::Full => {
                for (&[i, j], block) in self.pairs.iter().zip(&self.whole) {
                    let (i, j) = (i as usize, j as usize);
                    y[i] += block * p[j];
                    y[j] += block * p[i];
                }
                for (i, j, block) in &self.singles {
                    y[*i as usize] += block * p[*j as usize];
                }
            }
            Form::Symmetric => {
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

    /// The inverses of the diagonal blocks, held axes apart; `None` where one has no inverse.
    pub(super) fn inverse_diagonal(&self, into: &mut Vec<Matrix>) -> Option<()> {
        into.clear();
        for (block, free) in self.diagonal.iter().zip(&self.free) {
            let mut block = *block;
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

impl BlockSink for System {
    fn add(&mut self, i: usize, j: usize, by_position: &Matrix, by_velocity: &Matrix) {
        let block = -(by_velocity * self.h + by_position * (self.h * self.h));
        match (i == j, self.form) {
            (true, Form::Full) => self.diagonal[i] += block,
            (true, Form::Symmetric) => self.diagonal[i] += (block + block.transpose()) * 0.5,
            (false, Form::Full) => self.singles.push((i as u32, j as u32, block)),
            (false, Form::Symmetric) => self.singles.push((i as u32, j as u32, block * 0.5)),
        }
    }

    fn add_pair(&mut self, i: usize, j: usize, by_position: &Matrix, by_velocity: &Matrix) {
        let block = -(by_velocity * self.h + by_position * (self.h * self.h));
        self.pairs.push([i as u32, j as u32]);
        match self.form {
            Form::Full => {
                self.diagonal[i] -= block;
                self.diagonal[j] -= block;
                self.whole.push(block);
            }
            Form::Symmetric => {
                let half = half(&block);
                let block = unfold(&half);
                self.diagonal[i] -= block;
                self.diagonal[j] -= block;
                self.halves.push(half);
            }
        }
    }

    fn symmetric(&self) -> bool {
        self.form == Form::Symmetric
    }
}
