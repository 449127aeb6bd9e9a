//! Elastic solids of Young's modulus and Poisson's ratio: tetrahedra between particles.
//!
//! A tetrahedron of corners x_0 … x_3 has the deformation gradient F = Σ (x_k − x_0) g_kᵀ over k = 1, 2, 3, with
//! the gradients g_k \[1/m\] of its hat functions at rest, and stores V ψ(F); the force on corner k is
//! f_k = −V P g_k, P = ∂ψ/∂F, and f_0 = −(f_1 + f_2 + f_3). The laws ψ are one file each.

mod corotational;
mod damping;
mod joins;
mod kernel;
mod layout;
mod linear;
mod moduli;
mod neo_hookean;
mod principal;
mod rotation;
mod solid;
mod tangent;
#[cfg(test)]
mod tests;

use super::crew::{Crew, split};
use super::cuts::Cuts;
use super::{BlockSink, Force};
use crate::forces::account::Ledger;
use crate::math::lanes::{Level, dispatch};
use crate::math::{Vector, flat, flat_mut};
use crate::state::Configuration;
use crate::state::memory::Memory;
use joins::Joins;
use layout::{Layout, Octet, Part, Shapes};
pub use moduli::Moduli;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The law ψ(F) of a solid.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum SolidLaw {
    /// Small strains and no rotations.
    Linear,
    /// Small strains in a frame that turns with the material.
    Corotational,
    /// Rubber at any strain.
    #[default]
    NeoHookean,
}

/// A law as users name it.
pub struct SolidLawRow {
    /// Its name.
    pub name: &'static str,
    /// One line.
    pub about: &'static str,
    /// The law.
    pub law: SolidLaw,
}

/// All laws of solids.
pub const SOLID_LAWS: &[SolidLawRow] = &[
    SolidLawRow {
        name: "neo-hookean",
        about: "rubber at any strain, inverted elements too: the stable neo-Hookean law",
        law: SolidLaw::NeoHookean,
    },
    SolidLawRow {
        name: "corotational",
        about: "small strains in a frame that turns with the material",
        law: SolidLaw::Corotational,
    },
    SolidLawRow {
        name: "linear",
        about: "small strains and no rotations, to compare with closed forms",
        law: SolidLaw::Linear,
    },
];

/// An elastic material.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SolidMaterial {
    /// λ and μ.
    pub moduli: Moduli,
    /// ψ.
    pub law: SolidLaw,
    /// τ \[s\]: the stress of damping is τ times that of the rate of strain.
    pub damping: f64,
}

/// A tetrahedron: for builders, measures and pictures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tetrahedron {
    /// Its corners; the last three are anticlockwise as seen from the first one.
    pub corners: [u32; 4],
    /// The edges from the first corner to the others at rest \[m\].
    pub edges: [Vector; 3],
    /// Its material, by number.
    pub material: u16,
}

/// All elastic elements of the model.
///
/// Each thread owns a contiguous range of particles and evaluates, in the global order, every element that
/// touches it. The order of sums on a particle therefore does not depend on the number of threads.
#[derive(Default)]
pub struct Elements {
    layout: Layout,
    table: Vec<SolidMaterial>,
    crew: Arc<Crew>,
    owners: Vec<Owner>,
    level: Option<Level>,
    joins: OnceLock<Joins>,
}

/// A contiguous range of particles, its own parts, and the earlier ones, some of which touch it.
#[derive(Debug, Clone)]
struct Owner {
    particles: Range<usize>,
    foreign: Range<usize>,
    own: Range<usize>,
}

/// Energy \[J\] and dissipated power \[W\] of elements.
#[derive(Debug, Clone, Copy, Default)]
struct Books {
    stored: f64,
    dissipated: f64,
}

/// Accumulator of forces over a window of particles.
struct Sweep<'a> {
    shapes: &'a [Shapes],
    table: &'a [SolidMaterial],
    x: &'a [f64],
    v: &'a [f64],
    /// forces on the particles of the window
    f: &'a mut [f64],
    window: Range<usize>,
}

impl Elements {
    /// Tetrahedra among `particles` particles, evaluated by one thread until [`Self::share`].
    pub fn new(tetrahedra: Vec<Tetrahedron>, table: Vec<SolidMaterial>, particles: usize) -> Self {
        let layout = Layout::of(tetrahedra, particles);
        let mut elements = Elements { layout, table, ..Elements::default() };
        elements.share(&Arc::new(Crew::alone(particles)));
        elements
    }

    /// Where their sums may be cut.
    pub fn cuts(&self) -> Cuts {
        self.layout.cuts()
    }

    /// Has the threads of a crew evaluate them; its ranges end at [`Self::cuts`].
    pub fn share(&mut self, crew: &Arc<Crew>) {
        let first_of =
            |i: usize| self.layout.parts.partition_point(|p| (p.cut.particle as usize) < i);
        let owner = |particles: &Range<usize>| {
            let (start, end) = (first_of(particles.start), first_of(particles.end));
            Owner { particles: particles.clone(), foreign: 0..start, own: start..end }
        };
        self.owners = crew.ranges().iter().map(owner).collect();
        self.crew = Arc::clone(crew);
    }

    /// Number of tetrahedra.
    pub fn len(&self) -> usize {
        self.layout.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.layout.count == 0
    }

    /// Their edges (i, j), i < j, each once, sorted.
    pub fn edges(&self) -> &[[u32; 2]] {
        self.joins.get_or_init(|| Joins::of(&self.layout)).edges()
    }

    /// Calls `visit` with the corners of every tetrahedron, its three gradients \[1/m\], its volume \[m³\] and its
    /// material, in the order of sums.
    pub fn for_each(&self, mut visit: impl FnMut([usize; 4], [Vector; 3], f64, &SolidMaterial)) {
        self.layout.for_each(|octet, lane| {
            let shapes = &self.layout.shapes[octet.shapes as usize];
            let material = &self.table[octet.material as usize];
            let gradients = shapes.gradients_of(lane);
            visit(octet.corners_of(lane), gradients, shapes.volumes[lane], material);
        });
    }

    /// Adds the forces on the particles of an owner to `f`, and calls `enter` with the energy and power of each
    /// part, in order.
    fn evaluate<const BOOKS: bool>(
        &self,
        owner: &Owner,
        at: &Configuration,
        f: &mut [Vector],
        mut enter: impl FnMut(&Part, Books),
    ) {
        let mut sweep = Sweep {
            shapes: &self.layout.shapes,
            table: &self.table,
            x: flat(at.positions),
            v: flat(at.velocities),
            f: flat_mut(f),
            window: owner.particles.clone(),
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
        let octets: &[Octet] =
            &self.layout.octets[part.octets.start as usize..part.octets.end as usize];
        let level = self.level.unwrap_or_else(crate::math::lanes::level);
        dispatch!(level, simd => kernel::octets::<_, BOOKS>(simd, sweep, octets))
    }

    /// Runs `evaluate` for every owner, on the pool when there is one.
    fn evaluate_all<const BOOKS: bool>(
        &self,
        at: &Configuration,
        f: &mut [Vector],
        mut enter: impl FnMut(&Part, Books),
    ) {
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

impl Force for Elements {
    fn add_force(&self, at: &Configuration, f: &mut [Vector]) {
        if !self.is_empty() {
            self.evaluate_all::<false>(at, f, |_, _| ());
        }
    }

    fn add_jacobian(&self, at: &Configuration, into: &mut dyn BlockSink) {
        if !self.is_empty() {
            let joins = self.joins.get_or_init(|| Joins::of(&self.layout));
            joins.add_jacobian(&self.layout, &self.table, at, into);
        }
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
        self.evaluate_all::<true>(at, f, |part, books| {
            ledger.enter(part.cut.particle as usize, |account| {
                account.spring += books.stored;
                account.dissipated_spring += books.dissipated;
            });
        });
    }
}
