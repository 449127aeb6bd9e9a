//! Damped springs between particles.

mod kernel;
mod layout;
mod list;
#[cfg(test)]
mod tests;

use super::crew::Crew;
use super::cuts::Cuts;
use super::owners::{Owners, Parts, Window};
use super::{Axial, BlockSink, Force};
use crate::forces::account::Ledger;
use crate::math::lanes::{Level, dispatch};
use crate::math::{Matrix, Vector, sqrt};
use crate::state::Configuration;
use crate::state::memory::Memory;
use layout::{Block, LANES, Layout, Row};
use std::ops::Range;
use std::sync::Arc;

/// Stiffness and damping of one family of springs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SpringMaterial {
    /// k \[N/m\].
    pub stiffness: f64,
    /// c \[N·s/m\], along the spring.
    pub damping: f64,
}

impl SpringMaterial {
    /// The springs along edges and face diagonals of a lattice of cells of side a \[m\] that has as a continuum Young's
    /// modulus E \[Pa\], Poisson's ratio 1/4 and damping of the time τ \[s\]: k = 2 E a/5, c = τ k.
    ///
    /// From C_ijkl = (1/a³) Σ k l² n_i n_j n_k n_l over the springs of a cell, of length l and direction n: λ = μ = k/a.
    pub fn of_lattice(young: f64, side: f64, time: f64) -> Self {
        let stiffness = 0.4 * young * side;
        SpringMaterial { stiffness, damping: time * stiffness }
    }
}

/// All springs of the model.
///
/// With d = x_j − x_i, l = |d|, n = d/l and ḷ = (v_j − v_i)·n the tension is
/// T = k (l − l₀) + c ḷ, the force on i is T n and on j −T n. Coincident ends have no direction
/// and give no force.
///
/// Strided springs, as in lattices, are summed in rows, the others one by one.
pub struct Springs {
    terms: Terms,
    owners: Owners,
}

/// The springs as terms of a sum.
struct Terms {
    layout: Layout,
    level: Level,
}

/// One spring: for builders, measures and pictures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spring {
    /// First particle.
    pub i: usize,
    /// Second particle, i < j.
    pub j: usize,
    /// l₀ \[m\].
    pub rest_length: f64,
    /// k and c.
    pub material: SpringMaterial,
}

/// Tension, force and energy of one spring.
struct Pull {
    /// T \[N\].
    tension: f64,
    /// T n \[N\].
    force: [f64; 3],
    twice_stored: f64,
    dissipated: f64,
}

impl Spring {
    /// T \[N\], positive when it pulls; zero where its ends coincide.
    pub fn tension(&self, at: &Configuration) -> f64 {
        let ends = |of: &[Vector]| [self.i, self.j].map(|p| of[p].into());
        self.pull(ends(at.positions), ends(at.velocities)).tension
    }

    /// Tension and force of the spring for given positions and velocities of its ends.
    #[inline(always)]
    fn pull(&self, [xi, xj]: [[f64; 3]; 2], [vi, vj]: [[f64; 3]; 2]) -> Pull {
        let SpringMaterial { stiffness: k, damping: c } = self.material;
        let d = [xj[0] - xi[0], xj[1] - xi[1], xj[2] - xi[2]];
        let w = [vj[0] - vi[0], vj[1] - vi[1], vj[2] - vi[2]];
        let length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        let inverse = if length > 0.0 { 1.0 / length } else { 0.0 };
        let rate = (w[0] * d[0] + w[1] * d[1] + w[2] * d[2]) * inverse;
        let extension = length - self.rest_length;
        let tension = k * extension + c * rate;
        let scale = tension * inverse;
        Pull {
            tension: if length > 0.0 { tension } else { 0.0 },
            force: [d[0] * scale, d[1] * scale, d[2] * scale],
            twice_stored: k * extension * extension,
            dissipated: c * rate * rate,
        }
    }
}

/// Energy and power of springs.
#[derive(Debug, Clone, Copy, Default)]
struct Books {
    /// Σ k (l − l₀)² \[J\].
    twice_stored: f64,
    /// Σ c ḷ² \[W\].
    dissipated: f64,
}

/// Accumulator of spring forces over a window of particles.
struct Sweep<'a> {
    layout: &'a Layout,
    x: &'a [f64],
    v: &'a [f64],
    /// forces on the particles of the window
    f: &'a mut [f64],
    window: Range<usize>,
    /// end of the summed part's component: particles beyond it do not change its sums
    end: u32,
}

impl Sweep<'_> {
    /// Whether a block and all ends of its springs lie before the window.
    #[inline(always)]
    fn is_beyond(&self, block: &Block, rows: &[Row]) -> bool {
        let end = block.first as usize + LANES;
        end <= self.window.start
            && rows.iter().all(|row| end + row.offset as usize <= self.window.start)
    }
}

impl Springs {
    /// Springs among `particles` particles, evaluated by one thread until [`Self::share`].
    pub fn new(mut springs: Vec<Spring>, particles: usize) -> Self {
        springs.sort_by_key(|s| (s.i, s.j));
        Springs::sorted(|| springs.iter().copied(), particles)
    }

    /// As [`Self::new`], for springs that each call of `springs` iterates over anew, sorted by
    /// (i, j): no list of them is needed.
    pub fn sorted<I: Iterator<Item = Spring>>(springs: impl Fn() -> I, particles: usize) -> Self {
        let terms = Terms { layout: Layout::of(springs, particles), level: Level::new() };
        Springs { owners: Owners::of(&terms, &Arc::new(Crew::alone(particles))), terms }
    }

    /// Where their sums may be cut.
    pub fn cuts(&self) -> Cuts {
        self.terms.layout.cuts()
    }

    /// Has the threads of a crew evaluate them; its ranges end at [`Self::cuts`].
    pub fn share(&mut self, crew: &Arc<Crew>) {
        self.owners = Owners::of(&self.terms, crew);
    }

    /// Number of springs.
    pub fn len(&self) -> usize {
        self.terms.layout.springs
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.terms.layout.springs == 0
    }

    /// Spring number `s` in the order of summation.
    pub fn get(&self, s: usize) -> Spring {
        self.terms.layout.get(s)
    }

    /// Calls `visit` for every spring, sorted by (i, j) within each connected component; not in the
    /// order of their numbers.
    pub fn for_each(&self, visit: impl FnMut(Spring)) {
        self.terms.layout.for_each(visit);
    }
}

impl Parts for Terms {
    type Books = Books;

    fn count(&self) -> usize {
        self.layout.parts.len()
    }

    fn span(&self, part: usize) -> [u32; 2] {
        let part = &self.layout.parts[part];
        [part.particle, part.highest]
    }

    fn add<const BOOKS: bool>(&self, part: usize, window: &mut Window) -> Books {
        let part = &self.layout.parts[part];
        let Window { x, v, f, particles } = window;
        let (window, end) = (particles.clone(), part.end);
        let sweep = &mut Sweep { layout: &self.layout, x, v, f, window, end };
        let mut books = Books::default();
        if !part.blocks.is_empty() {
            let blocks = &self.layout.blocks[part.blocks.start as usize..part.blocks.end as usize];
            books = dispatch!(self.level, simd => kernel::rows::<_, BOOKS>(simd, sweep, blocks));
        }
        if !part.list.is_empty() {
            let which = part.list.start as usize..part.list.end as usize;
            let listed = dispatch!(self.level, simd => list::list::<_, BOOKS>(simd, sweep, which));
            books.twice_stored += listed.twice_stored;
            books.dissipated += listed.dissipated;
        }
        books
    }
}

impl Force for Springs {
    fn add_force(&self, at: &Configuration, f: &mut [Vector]) {
        self.owners.sum::<_, false>(&self.terms, at, f, |_, _| ());
    }

    fn add_jacobian(&self, at: &Configuration, into: &mut dyn BlockSink) {
        self.for_each(|spring| {
            let d = at.positions[spring.j] - at.positions[spring.i];
            let w = at.velocities[spring.j] - at.velocities[spring.i];
            let length = d.norm();
            let SpringMaterial { stiffness: k, damping: c } = spring.material;
            if length == 0.0 {
                // coincident ends: only a spring of zero rest length has a derivative
                let k = if spring.rest_length == 0.0 { k } else { 0.0 };
                let (by_position, none) = (Matrix::identity() * k, Matrix::zeros());
                into.add_pair(spring.i, spring.j, &by_position, &none);
                return;
            }
            let n = d / length;
            let rate = w.dot(&n);
            let axial = Axial {
                direction: n,
                stiffness: k,
                damping: c,
                across: (k * (length - spring.rest_length) + c * rate) / length,
                // ∂n/∂x_j = (1 − n nᵀ)/l
                turning: (w - n * rate) * (c / length),
            };
            into.add_axial(spring.i, spring.j, &axial);
        });
    }

    fn commit(
        &self,
        at: &Configuration,
        f: &mut [Vector],
        ledger: &mut Ledger,
        _next: &mut Memory,
    ) {
        self.owners.sum::<_, true>(&self.terms, at, f, |particle, books| {
            ledger.enter(particle, |account| {
                account.spring += 0.5 * books.twice_stored;
                account.dissipated_spring += books.dissipated;
            });
        });
    }
}
