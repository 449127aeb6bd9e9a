//! The numeric factorisation, left-looking: each supernode J takes the updates of its descendants D in
//! the elimination tree, and is then factored as a dense block \[ng1993\]:
//!
//! ```text
//! for J in postorder:
//!     for D with rows in J:  A_J ← A_J − L_D U_D       (update.rs)
//!     A_J = L_J U_J                                    (dense.rs)
//! ```

use super::dense::Dense;
use super::pattern::Pattern;
use super::product::Product;
use super::update::Descendant;
use crate::math::lanes::{Lanes, Level, Simd, SimdBase, dispatch, f64x2, f64x4, f64x8};

/// The matrix A in the storage of its factors, which replace it supernode by supernode.
pub(super) struct Factors<'a> {
    pub pattern: &'a Pattern,
    pub l: &'a mut [f64],
    pub u: &'a mut [f64],
}

/// Storage between factorisations.
#[derive(Debug, Default)]
pub(super) struct Work {
    relative: Vec<u32>,
    descendants: Descendants,
    update: Product,
}

/// No supernode.
const NONE: u32 = u32::MAX;

/// The finished supernodes that still have rows to use, in linked lists: each stands in the list of
/// the supernode that it updates next.
#[derive(Debug, Default)]
struct Descendants {
    /// the first of each list
    heads: Vec<u32>,
    /// the next after each supernode
    nexts: Vec<u32>,
    /// number of rows below each supernode that have been used
    used: Vec<u32>,
}

impl Descendants {
    fn clear(&mut self, supernodes: usize) {
        self.heads.clear();
        self.heads.resize(supernodes, NONE);
        self.nexts.resize(supernodes, NONE);
        self.used.resize(supernodes, 0);
    }

    /// Takes the next descendant of supernode `s`, with the number of its used rows.
    #[inline(always)]
    fn pop(&mut self, s: usize) -> Option<(usize, usize)> {
        let head = self.heads[s];
        if head == NONE {
            return None;
        }
        let d = head as usize;
        self.heads[s] = self.nexts[d];
        Some((d, self.used[d] as usize))
    }

    /// Puts `d` into the list of the supernode with its first row that has not been used.
    #[inline(always)]
    fn push(&mut self, pattern: &Pattern, d: usize, used: usize) {
        self.used[d] = used as u32;
        if let Some(row) = pattern.supernode(d).below.get(used) {
            let to = pattern.of_column(*row);
            (self.nexts[d], self.heads[to]) = (self.heads[to], d as u32);
        }
    }
}

/// Replaces A by its factors. False if a pivot is not finite or is zero, of L Lᵀ also if it is negative.
pub(super) fn factor(level: Level, factors: Factors, work: &mut Work) -> bool {
    dispatch!(level, simd => at_width(simd, factors, work))
}

fn at_width<S: Simd>(simd: S, factors: Factors, work: &mut Work) -> bool {
    match S::f64s::LEN {
        8 => vectorized::<S, f64x8<S>>(simd, factors, work),
        4 => vectorized::<S, f64x4<S>>(simd, factors, work),
        _ => vectorized::<S, f64x2<S>>(simd, factors, work),
    }
}

#[inline(never)]
fn vectorized<S: Simd, V: Lanes<S>>(simd: S, factors: Factors, work: &mut Work) -> bool {
    simd.vectorize(
        #[inline(always)]
        || left_looking::<S, V>(simd, factors, work),
    )
}

#[inline(always)]
fn left_looking<S: Simd, V: Lanes<S>>(simd: S, factors: Factors, work: &mut Work) -> bool {
    let Factors { pattern, l, u } = factors;
    let Work { relative, descendants, update } = work;
    relative.resize(pattern.columns(), 0);
    descendants.clear(pattern.count());
    for s in 0..pattern.count() {
        let node = pattern.supernode(s);
        for (k, row) in node.all_rows().enumerate() {
            relative[row] = k as u32;
        }
        let (finished_l, l) = l.split_at_mut(node.l);
        let (finished_u, u) = u.split_at_mut(node.u);
        let mut block = Dense::new(pattern, &node, l, u);
        while let Some((d, first)) = descendants.pop(s) {
            let from = Descendant::new(pattern, d, finished_l, finished_u);
            let last = from.rows_before(first, node.end);
            from.update::<S, V>(simd, first..last, node.start, relative, &mut block, update);
            descendants.push(pattern, d, last);
        }
        if !block.factor::<S, V>(simd, update) {
            return false;
        }
        descendants.push(pattern, s, 0);
    }
    true
}
