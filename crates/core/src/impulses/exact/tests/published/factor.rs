//! G of M = G Gᵀ, as movers of six momenta.

use super::files::Published;
use crate::impulses::problem::tests::given::Effects;
use crate::math::{Matrix, larger, sqrt};
use std::collections::BTreeSet;

/// Least pivot that is taken in the order of few fill-ins, as a share of the diagonal entry before.
const SAFE: f64 = 1e-3;

/// Entries of G that count as zero, as a share of the root of M's largest diagonal entry.
const NOTHING: f64 = 1e-14;

/// The remainder of M, by rows, and the columns of G so far.
struct Elimination {
    size: usize,
    left: Vec<f64>,
    nothing: f64,
    columns: Vec<Vec<f64>>,
    /// the contact of each column's pivot
    pivots: Vec<usize>,
}

/// The rows of G, whose product G Gᵀ is M to `rounding` times its largest diagonal entry, and its rank:
/// Cholesky's method contact by contact, the one with the fewest neighbours first; small pivots come last,
/// the largest first. Contacts that no chain of blocks joins have no mover in common.
pub(super) fn factor(published: &Published, rounding: f64) -> (Vec<Effects>, usize) {
    let mut matrix = Elimination::new(published);
    let size = matrix.size;
    let before: Vec<f64> = (0..size).map(|k| matrix.diagonal(k)).collect();
    let most = before.iter().fold(0.0, |most, x| larger(most, *x));
    matrix.nothing = NOTHING * sqrt(most);
    for contact in order(published) {
        let own = 3 * contact..3 * contact + 3;
        while let Some(pivot) = matrix.largest(own.clone())
            && matrix.diagonal(pivot) > SAFE * before[pivot]
        {
            matrix.eliminate(pivot);
        }
    }
    while let Some(pivot) = matrix.largest(0..size)
        && matrix.diagonal(pivot) > rounding * most
    {
        matrix.eliminate(pivot);
    }
    let chains = chains(published);
    let mut of_chains = vec![Vec::new(); chains.len()];
    for (column, pivot) in matrix.pivots.iter().enumerate() {
        of_chains[chains[*pivot]].push(column);
    }
    let sixes = of_chains.iter().flat_map(|columns| columns.chunks(6));
    (matrix.rows(sixes), matrix.columns.len())
}

impl Elimination {
    fn new(published: &Published) -> Self {
        let size = 3 * published.free.len();
        let mut left = vec![0.0; size * size];
        for (i, j, block) in &published.blocks {
            for (a, b) in (0..9).map(|k| (k / 3, k % 3)) {
                left[(3 * i + a) * size + 3 * j + b] = block[(a, b)];
                left[(3 * j + b) * size + 3 * i + a] = block[(a, b)];
            }
        }
        Elimination { size, left, nothing: 0.0, columns: Vec::new(), pivots: Vec::new() }
    }

    fn diagonal(&self, k: usize) -> f64 {
        self.left[k * self.size + k]
    }

    /// The place of the largest diagonal entry that is left in a range.
    fn largest(&self, range: std::ops::Range<usize>) -> Option<usize> {
        range.reduce(|best, k| if self.diagonal(k) > self.diagonal(best) { k } else { best })
    }

    fn eliminate(&mut self, pivot: usize) {
        let size = self.size;
        let root = sqrt(self.diagonal(pivot));
        let row = &self.left[pivot * size..(pivot + 1) * size];
        let clean = |x: f64| if x.abs() > self.nothing { x } else { 0.0 };
        let column: Vec<f64> = row.iter().map(|x| clean(x / root)).collect();
        for (k, x) in column.iter().enumerate().filter(|(_, x)| **x != 0.0) {
            let into = &mut self.left[k * size..(k + 1) * size];
            into.iter_mut().zip(&column).for_each(|(left, y)| *left -= x * y);
        }
        for k in 0..size {
            self.left[pivot * size + k] = 0.0;
            self.left[k * size + pivot] = 0.0;
        }
        self.columns.push(column);
        self.pivots.push(pivot / 3);
    }

    /// The rows of contacts, from the columns of each mover.
    fn rows<'a>(&self, sixes: impl Iterator<Item = &'a [usize]>) -> Vec<Effects> {
        let mut rows = vec![Effects::new(); self.size / 3];
        for (mover, six) in sixes.enumerate() {
            for (i, effects) in rows.iter_mut().enumerate() {
                let entry =
                    |a: usize, b: usize| six.get(b).map_or(0.0, |c| self.columns[*c][3 * i + a]);
                let parts = [0, 3].map(|first| Matrix::from_fn(|a, b| entry(a, first + b)));
                if parts.iter().any(|part| *part != Matrix::zeros()) {
                    effects.push((mover, parts));
                }
            }
        }
        rows
    }
}

/// Contacts in the order of their elimination: always one that has the fewest neighbours left, which
/// become neighbours of each other.
fn order(published: &Published) -> Vec<usize> {
    let mut neighbours = vec![BTreeSet::new(); published.free.len()];
    for (i, j, _) in published.blocks.iter().filter(|(i, j, _)| i != j) {
        neighbours[*i].insert(*j);
        neighbours[*j].insert(*i);
    }
    let mut left: BTreeSet<usize> = (0..neighbours.len()).collect();
    let mut order = Vec::new();
    while let Some(next) = left.iter().copied().min_by_key(|k| neighbours[*k].len()) {
        left.remove(&next);
        order.push(next);
        let around = std::mem::take(&mut neighbours[next]);
        for k in &around {
            neighbours[*k].extend(around.iter().filter(|other| *other != k));
            neighbours[*k].remove(&next);
        }
    }
    order
}

/// The least contact on the same chain of blocks, for each contact.
fn chains(published: &Published) -> Vec<usize> {
    let mut least: Vec<usize> = (0..published.free.len()).collect();
    loop {
        let before = least.clone();
        for (i, j, _) in &published.blocks {
            let both = least[*i].min(least[*j]);
            (least[*i], least[*j]) = (both, both);
        }
        if least == before {
            return least;
        }
    }
}
