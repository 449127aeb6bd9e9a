//! The matrix M − h D − h² K, assembled block by block and never written out as a whole.

use super::MatrixForm;
use super::blocks::{Half, Pair, half, inverse, take, unfold};
use super::pattern::Rows;
use super::strips::Strips;
use super::sums;
use crate::forces::{Axial, BlockSink, Edge};
use crate::halt::Halt;
use crate::math::weighted::subtract_damped;
use crate::math::{Matrix, Vector, flat, flat_mut};
use std::ops::Range;

/// No unknown: a held axis.
pub(crate) const HELD: usize = usize::MAX;

/// M − h D − h² K as blocks of 3 × 3. Storage, and places of unchanged blocks, are kept from one
/// assembly to the next.
///
/// The block B of a pair i < j stands at (i, j) and (j, i), its negative at (i, i) and (j, j), as for a
/// spring. It is stored once, in rows or strips, and one product B (p_j − p_i) serves both ends. Pairs of
/// elements have another block at (j, i): in the symmetric form the transpose, which adds w × (p_j − p_i) at
/// both ends. A product passes over the rows in order, so the sum of row i is complete after row i.
pub struct System {
    form: MatrixForm,
    h: f64,
    /// 1 on free axes, 0 on held ones
    free: Vec<Vector>,
    /// whether an axis is held
    held: bool,
    /// the number of each free axis among the unknowns, particle by particle
    numbers: Vec<[usize; 3]>,
    unknowns: usize,
    masses: Vec<f64>,
    inverse_masses: Vec<f64>,
    /// the whole block at (i, i): nine numbers in the full form, six in the symmetric one
    diagonal: Vec<Matrix>,
    lower: Vec<Half>,
    pub(super) rows: Rows,
    /// the blocks of pairs in the full form
    whole: Vec<Matrix>,
    /// those at (j, i) where they are others
    back: Vec<Matrix>,
    /// those in the symmetric form
    strips: Strips,
    /// those of the pairs that the strips have no place for yet
    fresh: Vec<Pair>,
    /// whether the strips have a place for the pairs of the last assembly
    placed: bool,
    /// terms at (i, i) beside the mass and the blocks of pairs
    owns: Vec<(u32, Matrix)>,
    /// blocks at (i, j) alone; in the symmetric form with the transpose at (j, i)
    pub(super) singles: Vec<(u32, u32, Matrix)>,
    /// blocks without a transpose beside the symmetric form; the full one contains them
    pub(super) beside: Vec<(u32, u32, Matrix)>,
    lasting: Lasting,
    /// Request to stop, checked by iterative solvers.
    pub halt: Halt,
}

/// The blocks of an assembly that [`System::renew`] keeps.
#[derive(Default)]
struct Lasting {
    diagonal: Vec<Matrix>,
    lower: Vec<Half>,
    owns: usize,
    singles: usize,
    beside: usize,
}

impl System {
    /// A system for particles with these masses \[kg\] and inverse masses, 0 on held axes \[1/kg\].
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
        let numbers: Vec<_> = numbers.collect();
        System {
            form: MatrixForm::Full,
            h: 0.0,
            held: unknowns < 3 * numbers.len(),
            numbers,
            unknowns,
            free: inverse_masses
                .iter()
                .map(|m| m.map(|m| if m > 0.0 { 1.0 } else { 0.0 }))
                .collect(),
            masses: masses.to_vec(),
            inverse_masses: masses.iter().map(|m| 1.0 / m).collect(),
            diagonal: Vec::new(),
            lower: Vec::new(),
            rows: Rows::default(),
            whole: Vec::new(),
            back: Vec::new(),
            strips: Strips::default(),
            fresh: Vec::new(),
            placed: false,
            owns: Vec::new(),
            singles: Vec::new(),
            beside: Vec::new(),
            lasting: Lasting::default(),
            halt: Halt::default(),
        }
    }

    /// Starts with the masses on the diagonal; `gather` adds the blocks. `h` \[s\] is the factor of the
    /// forces.
    pub fn assemble(&mut self, form: MatrixForm, h: f64, gather: impl FnOnce(&mut System)) {
        (self.form, self.h) = (form, h);
        self.diagonal.clear();
        self.lower.clear();
        self.whole.clear();
        self.back.clear();
        self.owns.clear();
        self.singles.clear();
        self.beside.clear();
        match form {
            MatrixForm::Full => {
                self.diagonal.extend(self.masses.iter().map(|m| Matrix::identity() * *m));
                self.whole.reserve(self.rows.len());
            }
            MatrixForm::Symmetric => {
                self.lower.extend(self.masses.iter().map(|m| [*m, *m, *m, 0.0, 0.0, 0.0]));
            }
        }
        self.rows.start();
        self.placed = self.strips.are_of(&self.rows);
        gather(self);
        self.rows.finish(self.masses.len());
        if form == MatrixForm::Symmetric {
            self.lay_out();
        }
    }

    /// Gives all blocks of pairs a place in strips where the pairs have changed.
    fn lay_out(&mut self) {
        if self.strips.are_of(&self.rows) {
            return;
        }
        // the first ones have the place of the last pattern
        let known = (0..self.rows.len() - self.fresh.len()).map(|pair| self.strips.get(pair));
        let all = known.chain(self.fresh.iter().copied());
        self.strips = Strips::of(&self.rows, all, self.masses.len());
        self.fresh = Vec::new();
    }

    /// The blocks of a pair i, j at (i, j) and (j, i).
    pub(super) fn pair(&self, pair: usize) -> [Matrix; 2] {
        match self.form {
            MatrixForm::Full => {
                let there = self.whole[pair];
                [there, self.back.get(pair).copied().unwrap_or(there)]
            }
            MatrixForm::Symmetric => self.strips.get(pair).matrices(),
        }
    }

    /// Marks the blocks added so far as lasting.
    pub fn mark(&mut self) {
        let kept = &mut self.lasting;
        kept.diagonal.clone_from(&self.diagonal);
        kept.lower.clone_from(&self.lower);
        (kept.owns, kept.singles, kept.beside) =
            (self.owns.len(), self.singles.len(), self.beside.len());
    }

    /// Replaces the blocks added after [`Self::mark`] by those that `gather` adds; no block of a pair.
    pub fn renew(&mut self, gather: impl FnOnce(&mut System)) {
        self.diagonal.clone_from(&self.lasting.diagonal);
        self.lower.clone_from(&self.lasting.lower);
        self.owns.truncate(self.lasting.owns);
        self.singles.truncate(self.lasting.singles);
        self.beside.truncate(self.lasting.beside);
        gather(self);
    }

    /// The form of the present assembly.
    pub fn form(&self) -> MatrixForm {
        self.form
    }

    /// Whether the symmetric form is all.
    pub(super) fn is_symmetric(&self) -> bool {
        self.form == MatrixForm::Symmetric && self.beside.is_empty()
    }

    /// Number of particles.
    pub fn particles(&self) -> usize {
        self.masses.len()
    }

    /// Number of unknowns: the free axes.
    pub fn unknowns(&self) -> usize {
        self.unknowns
    }

    /// Σ |r|²/m \[J\] of the impulses r.
    pub fn size(&self, r: &[Vector]) -> f64 {
        let [size] = sums::sum(r.len(), &mut Vec::new(), |leaf| {
            let terms = r[leaf.clone()].iter().zip(&self.inverse_masses[leaf]);
            [terms.fold(0.0, |sum, (r, m)| sum + r.norm_squared() * m)]
        });
        size
    }

    /// 1/m \[1/kg\], also where axes are held.
    pub fn inverse_masses(&self) -> &[f64] {
        &self.inverse_masses
    }

    /// 1 on free axes, 0 on held ones.
    pub fn free(&self) -> &[Vector] {
        &self.free
    }

    /// The numbers of the three axes of each particle among the unknowns, or `HELD`.
    pub fn numbers(&self) -> &[[usize; 3]] {
        &self.numbers
    }

    /// Sets held axes to zero.
    pub(super) fn confine(&self, b: &mut [Vector]) {
        if self.held {
            b.iter_mut().zip(&self.free).for_each(|(b, free)| b.component_mul_assign(free));
        }
    }

    /// The block at (i, i).
    pub(super) fn own(&self, i: usize) -> Matrix {
        match self.form {
            MatrixForm::Full => self.diagonal[i],
            MatrixForm::Symmetric => unfold(&self.lower[i]),
        }
    }

    /// The inverses of the blocks at (i, i), with 1 on held axes; `None` if one is singular.
    pub(super) fn inverse_diagonal(&self, into: &mut Vec<Matrix>) -> Option<()> {
        into.clear();
        for i in 0..self.particles() {
            into.push(self.own_apart(i).try_inverse()?);
        }
        Some(())
    }

    /// Calls `put` with the same of the symmetric form.
    pub(super) fn inverse_halves(&self, mut put: impl FnMut(usize, &Half)) -> Option<()> {
        for (i, block) in self.lower.iter().enumerate() {
            let apart = if self.held { &half(&self.own_apart(i)) } else { block };
            put(i, &inverse(apart)?);
        }
        Some(())
    }

    /// The block at (i, i) with 1 on held axes.
    fn own_apart(&self, i: usize) -> Matrix {
        let mut block = self.own(i);
        for axis in 0..3 {
            if self.free[i][axis] == 0.0 {
                block.row_mut(axis).fill(0.0);
                block.column_mut(axis).fill(0.0);
                block[(axis, axis)] = 1.0;
            }
        }
        block
    }
}

/// Products, row by row.
impl System {
    /// y = A p for p that is zero on held axes.
    pub fn apply(&self, p: &[Vector], y: &mut [Vector]) {
        y.fill(Vector::zeros());
        self.begin_product(p, y);
        self.rows_of_product(0..p.len(), p, y, |_, _| ());
    }

    /// y += U p with the blocks U beside the symmetric form, on free axes.
    pub(super) fn add_beside_product(&self, p: &[Vector], y: &mut [Vector]) {
        for (i, j, block) in &self.beside {
            let i = *i as usize;
            y[i] += (block * p[*j as usize]).component_mul(&self.free[i]);
        }
    }

    /// Begins a product in `y`, which is zero: adds the terms that are not of pairs. The rows come next.
    pub(super) fn begin_product(&self, p: &[Vector], y: &mut [Vector]) {
        for (i, block) in &self.owns {
            y[*i as usize] += block * p[*i as usize];
        }
        for (i, j, block) in &self.singles {
            let (i, j) = (*i as usize, *j as usize);
            y[i] += block * p[j];
            if self.form == MatrixForm::Symmetric {
                y[j] += block.tr_mul(&p[i]);
            }
        }
    }

    /// Completes the rows of A p of these particles after all earlier ones, and calls `show` for
    /// each.
    #[inline(always)]
    pub(super) fn rows_of_product(
        &self,
        of: Range<usize>,
        p: &[Vector],
        y: &mut [Vector],
        show: impl FnMut(usize, &Vector),
    ) {
        match self.form {
            MatrixForm::Full => self.full_rows(of, p, y, show),
            MatrixForm::Symmetric => self.symmetric_rows(of, p, y, show),
        }
    }

    #[inline(always)]
    fn symmetric_rows(
        &self,
        of: Range<usize>,
        p: &[Vector],
        y: &mut [Vector],
        mut show: impl FnMut(usize, &Vector),
    ) {
        // y −= −m p
        let here = of.clone();
        subtract_damped(
            flat_mut(&mut y[here.clone()]),
            flat(&p[here.clone()]),
            -1.0,
            &self.masses[here],
        );
        self.strips.add_product(of.clone(), p, y);
        for i in of {
            if self.held {
                y[i].component_mul_assign(&self.free[i]);
            }
            show(i, &y[i]);
        }
    }

    #[inline(always)]
    fn full_rows(
        &self,
        of: Range<usize>,
        p: &[Vector],
        y: &mut [Vector],
        mut show: impl FnMut(usize, &Vector),
    ) {
        for i in of {
            let own = p[i];
            let mut sum = y[i] + own * self.masses[i];
            let (start, ends) = self.rows.row(i);
            let row = start..start + ends.len();
            if self.back.is_empty() {
                for (&j, block) in ends.iter().zip(&self.whole[row]) {
                    let j = j as usize;
                    let part = block * (p[j] - own);
                    sum += part;
                    y[j] -= part;
                }
            } else {
                let blocks = self.whole[row.clone()].iter().zip(&self.back[row]);
                for (&j, (there, back)) in ends.iter().zip(blocks) {
                    let apart = p[j as usize] - own;
                    sum += there * apart;
                    y[j as usize] -= back * apart;
                }
            }
            if self.held {
                sum.component_mul_assign(&self.free[i]);
            }
            y[i] = sum;
            show(i, &sum);
        }
    }
}

impl System {
    #[inline(always)]
    fn couple(&mut self, i: usize, j: usize, block: Pair) {
        take(&mut self.lower[i], &block.half, -1.0);
        take(&mut self.lower[j], &block.half, -1.0);
        if self.rows.add(i, j) {
            match self.rows.known().filter(|_| self.placed) {
                Some(pair) => self.strips.put(pair, &block),
                None => self.fresh.push(block),
            }
        } else {
            let [there, back] = block.matrices();
            self.singles.push((i as u32, j as u32, there));
            self.owns.extend([(i as u32, -there), (j as u32, -back)]);
        }
    }

    /// Adds the blocks of a pair to the full form.
    fn couple_whole(&mut self, i: usize, j: usize, [there, back]: [Matrix; 2]) {
        self.diagonal[i] -= there;
        self.diagonal[j] -= back;
        if self.rows.add(i, j) {
            self.whole.push(there);
            // all pairs have one as soon as one has
            if there != back || !self.back.is_empty() {
                let before = self.back.len()..self.whole.len() - 1;
                self.back.extend_from_slice(&self.whole[before]);
                self.back.push(back);
            }
        } else {
            self.singles.push((i as u32, j as u32, there));
            self.singles.push((j as u32, i as u32, back));
            self.owns.extend([(i as u32, -there), (j as u32, -back)]);
        }
    }
}

impl BlockSink for System {
    fn add(&mut self, i: usize, j: usize, by_position: &Matrix, by_velocity: &Matrix) {
        let block = -(by_velocity * self.h + by_position * (self.h * self.h));
        match (i == j, self.form) {
            (true, MatrixForm::Full) => {
                self.diagonal[i] += block;
                self.owns.push((i as u32, block));
            }
            (true, MatrixForm::Symmetric) => {
                let block = half(&block);
                take(&mut self.lower[i], &block, 1.0);
                self.owns.push((i as u32, unfold(&block)));
            }
            (false, MatrixForm::Full) => self.singles.push((i as u32, j as u32, block)),
            (false, MatrixForm::Symmetric) => self.singles.push((i as u32, j as u32, block * 0.5)),
        }
    }

    fn add_pair(&mut self, i: usize, j: usize, by_position: &Matrix, by_velocity: &Matrix) {
        let block = -(by_velocity * self.h + by_position * (self.h * self.h));
        match self.form {
            MatrixForm::Full => self.couple_whole(i, j, [block; 2]),
            MatrixForm::Symmetric => self.couple(i, j, Pair::from(half(&block))),
        }
    }

    fn add_edge(&mut self, i: usize, j: usize, edge: &Edge) {
        let (h, by_velocity) = (self.h, edge.by_velocity * -self.h);
        let there = by_velocity - edge.there * (h * h);
        let back = by_velocity.transpose() - edge.back * (h * h);
        match self.form {
            MatrixForm::Full => self.couple_whole(i, j, [there, back]),
            MatrixForm::Symmetric => self.couple(i, j, Pair::of(&there, &back)),
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
            mean(1, 2),
            mean(2, 0),
        ];
        self.couple(i, j, Pair::from(block));
    }

    fn symmetric(&self) -> bool {
        self.form == MatrixForm::Symmetric
    }

    fn wants_convex(&self) -> bool {
        self.form == MatrixForm::Symmetric
    }

    fn add_beside(&mut self, i: usize, j: usize, by_position: &Matrix, by_velocity: &Matrix) {
        let block = -(by_velocity * self.h + by_position * (self.h * self.h));
        self.beside.push((i as u32, j as u32, block));
    }
}
