//! Detection in pieces that several threads share. The results are those of one thread, bit by bit and in
//! the same order.

use super::{Detector, Proximity};
use crate::forces::crew::{CHUNK, Crew};
use crate::forces::pieces::Pieces;
use crate::math::Vector;
use crate::state::memory::Candidates;
use std::ops::Range;

/// Candidates of a piece, nearly.
const PIECE: usize = 256;

/// Below so many candidates, one thread finds their proximities sooner than it calls others.
const SERIAL_BELOW: usize = 4 * PIECE;

/// Exposed particles and edges that a thread is worth.
const OWN: usize = 512;

/// Particles or edges of a piece in the search for candidates.
const SEARCHED: usize = 256;

/// The four lists of candidates, or parts of them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Lists<'a> {
    pub points: &'a [[u32; 2]],
    pub surfaces: &'a [[u32; 2]],
    pub edges: &'a [[u32; 2]],
    pub lines: &'a [[u32; 2]],
}

impl<'a> Lists<'a> {
    pub fn of(candidates: &'a Candidates) -> Self {
        let Candidates { points, surfaces, edges, lines, .. } = candidates;
        Lists { points, surfaces, edges, lines }
    }

    /// Number of candidates.
    fn len(&self) -> usize {
        self.points.len() + self.surfaces.len() + self.edges.len() + self.lines.len()
    }

    /// Number of pieces.
    fn pieces(&self) -> usize {
        let lists = [self.points, self.surfaces, self.edges, self.lines];
        lists.map(|list| list.len().div_ceil(PIECE)).iter().sum()
    }
}

impl Detector {
    /// Whether there are so many candidates that several threads share them.
    pub(crate) fn shares(candidates: &Candidates) -> bool {
        Lists::of(candidates).len() >= SERIAL_BELOW
    }

    /// Up to `threads` threads, each for 512 exposed particles and edges; none where there would be one.
    pub(crate) fn crew(&self, threads: usize) -> Option<Crew> {
        let parts = self.exposed.len() + self.edges.len();
        let threads = threads.min(parts / OWN);
        (threads > 1).then(|| Crew::even(self.radii.len(), threads))
    }

    /// As [`Detector::still_valid`], by several threads.
    pub(crate) fn still_valid_by(
        &self,
        crew: &Crew,
        candidates: &Candidates,
        positions: &[Vector],
        range: f64,
    ) -> bool {
        let count = positions.len();
        // with few candidates the threads may be asleep
        let few = count < 2 * CHUNK || !Self::shares(candidates);
        if crew.is_alone() || few || candidates.positions.len() != count {
            return self.still_valid(candidates, positions, range);
        }
        let searched = range <= candidates.range;
        if !searched {
            return false;
        }
        let mut parts: Vec<_> = crew.ranges().iter().map(|own| (own.clone(), false)).collect();
        let mut hold = |translation| {
            crew.for_each(&mut parts, |(own, near)| {
                *near = candidates.hold(own.clone(), positions, translation);
            });
            parts.iter().all(|(_, near)| *near)
        };
        hold(Vector::zeros()) || hold(candidates.translation(positions))
    }

    /// As [`Detector::for_each`], the proximities found by several threads; `found` is storage.
    pub(crate) fn for_each_by(
        &self,
        crew: &Crew,
        candidates: &Candidates,
        positions: &[Vector],
        range: f64,
        found: &mut Pieces<Proximity>,
        visit: impl FnMut(&Proximity),
    ) {
        let lists = Lists::of(candidates);
        if crew.is_alone() || lists.len() < SERIAL_BELOW {
            return self.for_each_of(&lists, positions, range, visit);
        }
        found.fill(crew, lists.pieces(), |number, found| {
            let piece = self.piece(&lists, number);
            self.for_each_of(&piece, positions, range, |proximity| found.push(*proximity));
        });
        found.lists().flatten().for_each(visit);
    }

    /// Piece `number` of the candidates: pieces in order hold all of them in order, and none cuts the
    /// triangles of one body, or the segments of one rope, near one particle.
    fn piece<'a>(&self, lists: &Lists<'a>, mut number: usize) -> Lists<'a> {
        let apart = |_: &[u32; 2], _: &[u32; 2]| false;
        let none = Lists::default();
        let pieces = |list: &[[u32; 2]]| list.len().div_ceil(PIECE);
        if number < pieces(lists.points) {
            return Lists { points: cut(lists.points, number, apart), ..none };
        }
        number -= pieces(lists.points);
        if number < pieces(lists.surfaces) {
            let surfaces = cut(lists.surfaces, number, |p, q| self.share_surface(p, q));
            return Lists { surfaces, ..none };
        }
        number -= pieces(lists.surfaces);
        if number < pieces(lists.edges) {
            return Lists { edges: cut(lists.edges, number, apart), ..none };
        }
        number -= pieces(lists.edges);
        Lists { lines: cut(lists.lines, number, |p, q| self.share_rope(p, q)), ..none }
    }
}

/// Piece `number` of a list, between places that part no two neighbours which are `joined`.
fn cut(
    list: &[[u32; 2]],
    number: usize,
    joined: impl Fn(&[u32; 2], &[u32; 2]) -> bool,
) -> &[[u32; 2]] {
    let place = |number: usize| {
        let mut place = (number * PIECE).min(list.len());
        while place > 0 && place < list.len() && joined(&list[place - 1], &list[place]) {
            place += 1;
        }
        place
    };
    &list[place(number)..place(number + 1)]
}

/// Adds the pairs that `search` lists for ranges of `0..count`, in the order of the ranges; several threads
/// share them.
pub(super) fn search_by(
    crew: &Crew,
    count: usize,
    into: &mut Vec<[u32; 2]>,
    search: impl Fn(Range<usize>, &mut Vec<[u32; 2]>) + Send + Sync,
) {
    if crew.is_alone() || count <= SEARCHED {
        return search(0..count, into);
    }
    let mut found = Pieces::default();
    found.fill(crew, count.div_ceil(SEARCHED), |number, pairs| {
        let first = number * SEARCHED;
        search(first..(first + SEARCHED).min(count), pairs);
    });
    into.reserve_exact(found.lists().map(<[_]>::len).sum());
    found.lists().for_each(|pairs| into.extend_from_slice(pairs));
}
