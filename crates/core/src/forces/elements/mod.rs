//! Elastic bodies of Young's modulus and Poisson's ratio: elements between particles.
//!
//! A tetrahedron of corners x_0 … x_3 has the deformation gradient F = Σ (x_k − x_0) g_kᵀ over k = 1, 2, 3, with
//! the gradients g_k \[1/m\] of its hat functions at rest, and stores V ψ(F); the force on corner k is
//! f_k = −V P g_k, P = ∂ψ/∂F, and f_0 = −(f_1 + f_2 + f_3). Triangles of sheets and segments of ropes are the same with
//! fewer corners. Sheets and ropes resist bending too. The laws ψ are one file each.

mod corotational;
mod damping;
mod element;
mod family;
mod hinge;
mod joins;
mod joint;
mod kernel;
mod layout;
mod line;
mod linear;
mod membrane;
mod moduli;
mod neo_hookean;
mod patch;
mod principal;
mod range;
mod rotation;
mod simplex;
mod solid;
mod stress;
mod tangent;

use super::components::Components;
use super::crew::Crew;
use super::cuts::Cuts;
use super::{BlockSink, Force};
use crate::forces::account::Ledger;
use crate::forces::range::OutOfRange;
use crate::math::Vector;
use crate::state::Configuration;
use crate::state::memory::Memory;
use family::Family;
use joins::Joins;
pub use joint::Joint;
pub use moduli::Moduli;
pub use patch::Patch;
pub use simplex::Simplex;
use std::sync::{Arc, OnceLock};
pub use stress::ElasticState;

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

/// Lists of elements, for builders.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct List {
    /// Of solids.
    pub tetrahedra: Vec<Simplex<4>>,
    /// Of sheets.
    pub triangles: Vec<Simplex<3>>,
    /// Bending of sheets.
    pub patches: Vec<Patch>,
    /// Of ropes.
    pub segments: Vec<Simplex<2>>,
    /// Bending of ropes.
    pub joints: Vec<Joint>,
}

/// All elastic elements of the model.
#[derive(Default)]
pub struct Elements {
    tetrahedra: Family<Simplex<4>, 4>,
    triangles: Family<Simplex<3>, 3>,
    patches: Family<Patch, 6>,
    segments: Family<Simplex<2>, 2>,
    joints: Family<Joint, 3>,
    joins: OnceLock<Joins>,
}

/// Does the same with the families of all kinds.
macro_rules! each {
    ($elements:expr, $family:ident => $act:expr) => {{
        let Elements { tetrahedra, triangles, patches, segments, joints, .. } = $elements;
        each!(@one tetrahedra, triangles, patches, segments, joints; $family => $act);
    }};
    (@one $($kind:ident),*; $family:ident => $act:expr) => {$({
        let $family = $kind;
        $act
    })*};
}

impl Elements {
    /// Elements among `particles` particles, evaluated by one thread until [`Self::share`].
    pub fn new(list: List, table: Vec<SolidMaterial>, particles: usize) -> Self {
        let List { tetrahedra, triangles, patches, segments, joints } = list;
        let components = {
            let joined = (joins_of(&tetrahedra).chain(joins_of(&triangles)))
                .chain(joins_of(&patches))
                .chain(joins_of(&segments))
                .chain(joins_of(&joints));
            Components::of(joined, particles)
        };
        let table = Arc::from(table);
        let mut elements = Elements {
            tetrahedra: Family::of(tetrahedra, &components, &table),
            triangles: Family::of(triangles, &components, &table),
            patches: Family::of(patches, &components, &table),
            segments: Family::of(segments, &components, &table),
            joints: Family::of(joints, &components, &table),
            joins: OnceLock::new(),
        };
        elements.share(&Arc::new(Crew::alone(particles)));
        elements
    }

    /// Where their sums may be cut.
    pub fn cuts(&self) -> Cuts {
        let mut parts = Vec::new();
        each!(self, family => parts.extend(family.parts()));
        parts.sort_by_key(|(chunk, cut)| (*chunk, cut.particle));
        Cuts::of(parts.into_iter().map(|(_, cut)| cut))
    }

    /// Has the threads of a crew evaluate them; its ranges end at [`Self::cuts`].
    pub fn share(&mut self, crew: &Arc<Crew>) {
        each!(self, family => family.share(crew));
    }

    /// Number of elements, those of bending apart.
    pub fn len(&self) -> usize {
        self.tetrahedra.len() + self.triangles.len() + self.segments.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Their edges (i, j), i < j, each once, sorted.
    pub fn edges(&self) -> &[[u32; 2]] {
        self.joins().edges()
    }

    fn joins(&self) -> &Joins {
        self.joins.get_or_init(|| {
            let mut joins = Joins::default();
            each!(self, family => family.add_edges(&mut joins));
            joins.finish();
            each!(self, family => family.number(&joins));
            joins
        })
    }

    /// Calls `visit` for pairs of particles that elements join, enough of them to connect all that are.
    pub fn for_each_join(&self, mut visit: impl FnMut(usize, usize)) {
        each!(self, family => family.for_each_join(&mut visit));
    }

    /// Calls `visit` with a corner and E V \[J\] of every element but those of bending: twice the energy of a unit
    /// stretch along a line.
    pub fn for_each_stiffness(&self, mut visit: impl FnMut(usize, f64)) {
        self.tetrahedra.for_each_stiffness(Moduli::young, &mut visit);
        self.triangles.for_each_stiffness(Moduli::young_of_sheet, &mut visit);
        self.segments.for_each_stiffness(Moduli::young, &mut visit);
    }

    /// Calls `visit` with the corners of every tetrahedron, its three gradients \[1/m\], its volume \[m³\] and its
    /// material, in the order of sums.
    pub fn for_each(&self, visit: impl FnMut([usize; 4], [Vector; 3], f64, &SolidMaterial)) {
        self.tetrahedra.for_each(visit);
    }
}

/// The first corner of each element, joined to its others.
fn joins_of<E: element::Element<N>, const N: usize>(
    all: &[E],
) -> impl Iterator<Item = [usize; 2]> + '_ {
    all.iter().flat_map(|element| {
        let corners = element.corners().map(|i| i as usize);
        (1..N).map(move |k| [corners[0], corners[k]])
    })
}

impl Force for Elements {
    fn add_force(&self, at: &Configuration, f: &mut [Vector]) {
        each!(self, family => family.add_force(at, f));
    }

    fn add_jacobian(&self, at: &Configuration, into: &mut dyn BlockSink) {
        if self.is_empty() {
            return;
        }
        let convex = into.wants_convex();
        self.joins().add_jacobian(into, |edges| {
            each!(self, family => family.add_blocks(at, convex, edges));
        });
    }

    fn out_of_range(&self, at: &Configuration, found: &mut dyn FnMut(OutOfRange)) {
        self.find_out_of_range(at.positions, found);
    }

    fn commit(
        &self,
        at: &Configuration,
        f: &mut [Vector],
        ledger: &mut Ledger,
        _next: &mut Memory,
    ) {
        each!(self, family => family.commit(at, f, ledger));
    }
}

// below the macro that it uses
#[cfg(test)]
mod tests;
