//! Damped springs between particles.

mod kernel;
mod layout;
mod list;
#[cfg(test)]
mod tests;

use super::crew::{Crew, split};
use super::cuts::Cuts;
use super::{Axial, BlockSink, Force};
use crate::forces::account::Ledger;
use crate::math::lanes::{Level, dispatch};
use crate::math::{Matrix, Vector, flat, flat_mut, sqrt};
use crate::state::Configuration;
use crate::state::memory::Memory;
use layout::{Block, LANES, Layout, Part, Row};
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

/// All springs of the model.
///
/// With d = x_j − x_i, l = |d|, n = d/l and ḷ = (v_j − v_i)·n the tension is
/// T = k (l − l₀) + c ḷ, the force on i is T n and on j −T n. Coincident ends have no direction
/// and give no force.
///
/// Strided springs, as in lattices, are summed in rows, the others one by one. Each thread owns a
/// contiguous range of particles and evaluates, in the global order, every spring that touches it. The
/// order of sums on a particle therefore does not depend on the number of threads.
pub struct Springs {
    layout: Layout,
    crew: Arc<Crew>,
    owners: Vec<Owner>,
    level: Level,
}

/// A contiguous range of particles, its own parts, and the earlier ones, some of which touch it.
#[derive(Debug, Clone)]
struct Owner {
    particles: Range<usize>,
    /// parts whose first ends are in an earlier range
    foreign: Range<usize>,
    own: Range<usize>,
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
        let layout = Layout::of(springs, particles);
        let crew = Arc::new(Crew::alone(particles));
        let owners = vec![Owner::of(&layout, &(0..particles))];
        Springs { owners, crew, layout, level: Level::new() }
    }

    /// Where their sums may be cut.
    pub fn cuts(&self) -> Cuts {
        self.layout.cuts()
    }

    /// Has the threads of a crew evaluate them; its ranges end at [`Self::cuts`].
    pub fn share(&mut self, crew: &Arc<Crew>) {
        self.owners = crew.ranges().iter().map(|range| Owner::of(&self.layout, range)).collect();
        self.crew = Arc::clone(crew);
    }

    /// Number of springs.
    pub fn len(&self) -> usize {
        self.layout.springs
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.layout.springs == 0
    }

    /// Spring number `s` in the order of summation.
    pub fn get(&self, s: usize) -> Spring {
        self.layout.get(s)
    }

    /// Calls `visit` for every spring, sorted by (i, j) within each connected component; not in the
    /// order of their numbers.
    pub fn for_each(&self, visit: impl FnMut(Spring)) {
        self.layout.for_each(visit);
    }

    /// Adds the forces on the particles of an owner to `f`, and calls `enter` with energy and power of
    /// each part, in order.
    fn evaluate<const BOOKS: bool>(
        &self,
        owner: &Owner,
        at: &Configuration,
        f: &mut [Vector],
        mut enter: impl FnMut(&Part, Books),
    ) {
        let mut sweep = Sweep {
            layout: &self.layout,
            x: flat(at.positions),
            v: flat(at.velocities),
            f: flat_mut(f),
            window: owner.particles.clone(),
            end: 0,
        };
        for part in &self.layout.parts[owner.foreign.clone()] {
            if part.highest as usize >= owner.particles.start {
                self.add::<false>(&mut sweep, part);
            }
        }
        for part in &self.layout.parts[owner.own.clone()] {
            let books = self.add::<BOOKS>(&mut sweep, part);
            if BOOKS {
                enter(part, books);
            }
        }
    }

    /// Adds the forces of a part.
    fn add<const BOOKS: bool>(&self, sweep: &mut Sweep, part: &Part) -> Books {
        sweep.end = part.end;
        let mut books = Books::default();
        if !part.blocks.is_empty() {
            let blocks = &sweep.layout.blocks[part.blocks.start as usize..part.blocks.end as usize];
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

    /// Runs `evaluate` for every owner, on the pool when there is one.
    fn evaluate_all<const BOOKS: bool>(
        &self,
        at: &Configuration,
        f: &mut [Vector],
        mut enter: impl FnMut(&Part, Books),
    ) {
        if self.is_empty() {
            return;
        }
        if self.crew.is_alone() {
            return self.evaluate::<BOOKS>(&self.owners[0], at, f, enter);
        }
        let owns = split(f, self.crew.ranges(), 1);
        let shares = self.owners.iter().zip(owns).map(|(owner, own)| (owner, own, Vec::new()));
        let mut shares: Vec<_> = shares.collect();
        self.crew.for_each(&mut shares, |(owner, own, books)| {
            self.evaluate::<BOOKS>(owner, at, own, |_, part| books.push(part));
        });
        let books = shares.into_iter().flat_map(|(_, _, books)| books);
        self.layout.parts.iter().zip(books).for_each(|(part, books)| enter(part, books));
    }
}

impl Owner {
    fn of(layout: &Layout, particles: &Range<usize>) -> Self {
        let first_of = |i: usize| layout.parts.partition_point(|p| (p.particle as usize) < i);
        let (start, end) = (first_of(particles.start), first_of(particles.end));
        Owner { particles: particles.clone(), foreign: 0..start, own: start..end }
    }
}

impl Force for Springs {
    fn add_force(&self, at: &Configuration, f: &mut [Vector]) {
        self.evaluate_all::<false>(at, f, |_, _| ());
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
        if self.is_empty() {
            return;
        }
        let islands = Arc::clone(ledger.islands());
        self.evaluate_all::<true>(at, f, |part, books| {
            let (stored, dissipated) = (0.5 * books.twice_stored, books.dissipated);
            ledger.total.spring += stored;
            ledger.total.dissipated_spring += dissipated;
            let island = islands.get(part.particle as usize).map(|island| *island as usize);
            if let Some(share) = island.and_then(|island| ledger.shares.get_mut(island)) {
                share.spring += stored;
                share.dissipated_spring += dissipated;
            }
        });
    }
}
