//! All elements of one kind: their layout, the threads that evaluate them, and their edges.

use super::element::Element;
use super::joins::{Joins, Numbers, fill};
use super::kernel;
use super::layout::Layout;
use super::simplex::{Rest, Simplex};
use super::{Moduli, SolidMaterial};
use crate::forces::Edge;
use crate::forces::account::Ledger;
use crate::forces::components::Components;
use crate::forces::crew::Crew;
use crate::forces::cuts::Cut;
use crate::forces::owners::{Owners, Parts, Window};
use crate::math::Vector;
use crate::math::lanes::{Level, dispatch};
use crate::state::Configuration;
use std::sync::{Arc, OnceLock};

/// All elements of one kind.
pub(super) struct Family<E: Element<N>, const N: usize> {
    terms: Terms<E, N>,
    owners: Owners,
    numbers: OnceLock<Numbers>,
}

/// The elements as terms of a sum.
struct Terms<E: Element<N>, const N: usize> {
    layout: Layout<E, N>,
    table: Arc<[SolidMaterial]>,
    level: Option<Level>,
}

impl<E: Element<N>, const N: usize> Default for Family<E, N> {
    fn default() -> Self {
        Family::of(Vec::new(), &Components::default(), &Arc::default())
    }
}

impl<E: Element<N>, const N: usize> Family<E, N> {
    /// Elements of these components; [`Self::share`] comes before any force.
    pub fn of(all: Vec<E>, components: &Components, table: &Arc<[SolidMaterial]>) -> Self {
        let layout = Layout::of(all, components);
        let terms = Terms { layout, table: Arc::clone(table), level: None };
        Family { terms, owners: Owners::default(), numbers: OnceLock::new() }
    }

    /// Has the threads of a crew evaluate them.
    pub fn share(&mut self, crew: &Arc<Crew>) {
        self.owners = Owners::of(&self.terms, crew);
    }

    /// Evaluates at another width of registers, for tests.
    #[cfg(test)]
    pub fn set_level(&mut self, level: Level) {
        self.terms.level = Some(level);
    }

    pub fn len(&self) -> usize {
        self.terms.layout.count
    }

    /// The keys by which parts ascend, and where their sums may be cut.
    pub fn parts(&self) -> impl Iterator<Item = ((usize, u32), Cut)> + '_ {
        self.terms.layout.parts.iter().map(|part| (part.chunk, part.cut))
    }

    pub fn add_edges(&self, joins: &mut Joins) {
        joins.extend(&self.terms.layout);
    }

    /// Calls `visit` for the first corner of each element and each of its others.
    pub fn for_each_join(&self, visit: &mut impl FnMut(usize, usize)) {
        self.terms.layout.for_each(|octet, lane| {
            let corners = octet.corners_of(lane);
            corners[1..].iter().for_each(|other| visit(corners[0], *other));
        });
    }

    /// Finds the numbers of its edges.
    pub fn number(&self, joins: &Joins) {
        self.numbers.get_or_init(|| joins.numbers(&self.terms.layout));
    }

    /// Adds the blocks of its elements to their edges, once they are numbered.
    pub fn add_blocks(&self, at: &Configuration, convex: bool, edges: &mut [Edge]) {
        if let Some(numbers) = self.numbers.get() {
            fill((&self.terms.layout, numbers, &self.terms.table), at, convex, edges);
        }
    }

    pub fn add_force(&self, at: &Configuration, f: &mut [Vector]) {
        self.owners.sum::<_, false>(&self.terms, at, f, |_, _| ());
    }

    /// Adds the forces, and enters the energy stored and the power dissipated.
    pub fn commit(&self, at: &Configuration, f: &mut [Vector], ledger: &mut Ledger) {
        self.owners.sum::<_, true>(&self.terms, at, f, |particle, [stored, dissipated]| {
            ledger.enter(particle, |account| {
                account.spring += stored;
                account.dissipated_spring += dissipated;
            });
        });
    }
}

impl<const N: usize> Family<Simplex<N>, N>
where
    Simplex<N>: Element<N, Rest = Rest>,
{
    /// Calls `visit` with the first corner and E V \[J\] of each.
    pub fn for_each_stiffness(
        &self,
        young: impl Fn(&Moduli) -> f64,
        visit: &mut impl FnMut(usize, f64),
    ) {
        let Terms { layout, table, .. } = &self.terms;
        layout.for_each(|octet, lane| {
            let volume = layout.rests[octet.rest as usize].volume_of(lane);
            let young = young(&table[octet.material as usize].moduli);
            visit(octet.corners_of(lane)[0], young * volume);
        });
    }

    /// Calls `visit` with corners, gradients \[1/m\], volume \[m³\] and material of each.
    pub fn for_each(&self, mut visit: impl FnMut([usize; N], [Vector; 3], f64, &SolidMaterial)) {
        let Terms { layout, table, .. } = &self.terms;
        layout.for_each(|octet, lane| {
            let rest = &layout.rests[octet.rest as usize];
            let material = &table[octet.material as usize];
            let (gradients, volume) = (rest.gradients_of(lane), rest.volume_of(lane));
            visit(octet.corners_of(lane), gradients, volume, material);
        });
    }
}

impl<E: Element<N>, const N: usize> Parts for Terms<E, N> {
    type Books = [f64; 2];

    fn count(&self) -> usize {
        self.layout.parts.len()
    }

    fn span(&self, part: usize) -> [u32; 2] {
        let part = &self.layout.parts[part];
        [part.cut.particle, part.highest]
    }

    fn add<const BOOKS: bool>(&self, part: usize, window: &mut Window) -> [f64; 2] {
        let octets = self.layout.parts[part].octets.clone();
        let level = self.level.unwrap_or_else(crate::math::lanes::level);
        let of = (&self.layout, &self.table[..]);
        dispatch!(level, simd => kernel::octets::<_, E, N, BOOKS>(simd, of, octets, window))
    }
}
