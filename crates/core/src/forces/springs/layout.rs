//! Layout of the springs: rows of eight where their ends are strided, a list elsewhere.

use super::{Spring, SpringMaterial};
use crate::forces::components::Components;
use crate::forces::cuts::{Cut, Cuts};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// Number of first ends of one block of rows: consecutive particles.
pub(super) const LANES: usize = 8;

/// Number of rows of one block that are summed at once; the order of sums depends on it.
pub(super) const BATCH: usize = 16;

/// Fewest springs of a block with the same j − i that make a row; fewer are cheaper one by one.
const WORTH_A_ROW: u32 = 3;

/// Up to eight springs i → i + offset of one material, i = first, first + 1, …
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// j − i.
    pub offset: u32,
    /// Number of its first spring.
    pub number: u32,
    /// Its rest lengths in [`Layout::rests`].
    pub rests: u32,
    /// Its material.
    pub material: u16,
    /// Bit k: the spring from first + k exists.
    pub mask: u8,
}

/// Rows with the same first ends.
#[derive(Debug, Clone)]
pub(super) struct Block {
    /// The first particle; counted from the lowest of its component, a multiple of eight.
    pub first: u32,
    /// Its rows.
    pub rows: Range<u32>,
}

/// Springs of one connected component with first ends in one chunk, in the order of summation:
/// blocks, then the list.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// The lowest of its particles.
    pub particle: u32,
    /// The highest of all ends.
    pub highest: u32,
    /// The highest first end.
    pub last: u32,
    /// The end of its component.
    pub end: u32,
    /// Number of its first spring.
    pub number: u32,
    /// Its blocks.
    pub blocks: Range<u32>,
    /// Its springs in the list.
    pub list: Range<u32>,
}

/// All springs.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// Number of springs.
    pub springs: usize,
    /// Ascending by chunk.
    pub parts: Vec<Part>,
    /// Ascending within each part.
    pub blocks: Vec<Block>,
    /// Rows of all blocks, one after the other.
    pub rows: Vec<Row>,
    /// Rest lengths of rows \[m\], each set stored once: a lattice repeats them.
    pub rests: Vec<[f64; LANES]>,
    /// The list: i < j, sorted within each part.
    pub pairs: Vec<[u32; 2]>,
    /// Rest lengths of the list \[m\].
    pub rest_lengths: Vec<f64>,
    /// Materials of the list; empty where there is only one.
    pub materials: Vec<u16>,
    /// The materials.
    pub table: Vec<SpringMaterial>,
}

impl Layout {
    /// The layout of springs among `particles` particles. Each call of `springs` iterates over them
    /// anew, sorted by (i, j), so that no list of them is needed.
    ///
    /// # Panics
    /// With more than 65,536 different materials.
    pub fn of<I: Iterator<Item = Spring>>(springs: impl Fn() -> I, particles: usize) -> Self {
        let components = Components::of(springs().map(|s| [s.i, s.j]), particles);
        let mut making = Making { components, ..Making::default() };
        if springs().is_sorted_by_key(|s| making.components.part(s.i)) {
            making.add_all(springs());
        } else {
            let mut list: Vec<Spring> = springs().collect();
            list.sort_by_key(|s| (making.components.part(s.i), s.i, s.j));
            making.add_all(list.into_iter());
        }
        let mut layout = making.layout;
        if layout.table.len() < 2 {
            layout.materials = Vec::new();
        }
        layout.blocks.shrink_to_fit();
        layout.rows.shrink_to_fit();
        layout.rests.shrink_to_fit();
        layout.pairs.shrink_to_fit();
        layout.rest_lengths.shrink_to_fit();
        layout
    }

    /// Where the sums may be cut.
    pub fn cuts(&self) -> Cuts {
        let ends = self.parts.iter().skip(1).map(|part| part.number as usize);
        let ends: Vec<usize> = ends.chain([self.springs]).collect();
        let cut = |(part, end): (&Part, &usize)| Cut {
            particle: part.particle,
            last: part.last,
            work: end - part.number as usize,
        };
        Cuts::of(self.parts.iter().zip(&ends).map(cut))
    }

    /// Material of a spring of the list.
    pub fn material(&self, s: usize) -> SpringMaterial {
        self.table[self.materials.get(s).map_or(0, |number| *number as usize)]
    }

    /// Spring number `s` in the order of summation.
    pub fn get(&self, s: usize) -> Spring {
        let after = self.parts.partition_point(|part| part.number as usize <= s);
        let part = &self.parts[after - 1];
        let rows = self.rows_of(part);
        let after = rows.partition_point(|row| row.number as usize <= s);
        let Some(row) = rows[..after].last() else {
            return self.listed(part.list.start as usize + s - part.number as usize);
        };
        let within = s - row.number as usize;
        if within >= row.mask.count_ones() as usize {
            let before = row.number + row.mask.count_ones();
            return self.listed(part.list.start as usize + s - before as usize);
        }
        let number = part.rows_start(self) + after - 1;
        let blocks = &self.blocks[part.blocks.start as usize..part.blocks.end as usize];
        let block = &blocks[blocks.partition_point(|b| b.rows.end as usize <= number)];
        let lane = (0..LANES).filter(|k| row.mask >> k & 1 == 1).nth(within).unwrap_or(0);
        self.rowed(block, row, lane)
    }

    /// Calls `visit` for every spring, part by part, sorted by (i, j) within a part.
    pub fn for_each(&self, mut visit: impl FnMut(Spring)) {
        for part in &self.parts {
            let mut listed = part.list.clone().map(|s| self.listed(s as usize)).peekable();
            let blocks = &self.blocks[part.blocks.start as usize..part.blocks.end as usize];
            for (block, lane) in blocks.iter().flat_map(|b| (0..LANES).map(move |lane| (b, lane))) {
                let rows = &self.rows[block.rows.start as usize..block.rows.end as usize];
                for row in rows.iter().filter(|row| row.mask >> lane & 1 == 1) {
                    let spring = self.rowed(block, row, lane);
                    let before = |other: &Spring| (other.i, other.j) < (spring.i, spring.j);
                    while let Some(other) = listed.next_if(before) {
                        visit(other);
                    }
                    visit(spring);
                }
            }
            listed.for_each(&mut visit);
        }
    }

    fn rows_of(&self, part: &Part) -> &[Row] {
        let blocks = &self.blocks[part.blocks.start as usize..part.blocks.end as usize];
        let end = blocks.last().map_or(0, |block| block.rows.end as usize);
        &self.rows[part.rows_start(self).min(end)..end]
    }

    fn rowed(&self, block: &Block, row: &Row, lane: usize) -> Spring {
        let i = block.first as usize + lane;
        Spring {
            i,
            j: i + row.offset as usize,
            rest_length: self.rests[row.rests as usize][lane],
            material: self.table[row.material as usize],
        }
    }

    /// A spring of the list.
    pub fn listed(&self, s: usize) -> Spring {
        let [i, j] = self.pairs[s].map(|p| p as usize);
        Spring { i, j, rest_length: self.rest_lengths[s], material: self.material(s) }
    }
}

impl Part {
    fn rows_start(&self, layout: &Layout) -> usize {
        layout.blocks.get(self.blocks.start as usize).map_or(0, |block| block.rows.start as usize)
    }
}

/// A layout in the making.
#[derive(Default)]
struct Making {
    layout: Layout,
    components: Components,
    sets: HashMap<[u64; LANES], u32>,
}

/// Springs of one block that may become rows: by offset and material, the mask of their lanes and
/// their rest lengths.
type Candidates = BTreeMap<(u32, u16), (u8, [f64; LANES])>;

impl Making {
    /// Adds all springs, sorted by parts.
    fn add_all(&mut self, springs: impl Iterator<Item = Spring>) {
        let mut part: Vec<Spring> = Vec::new();
        for spring in springs {
            let begins =
                |last: &Spring| self.components.part(last.i) != self.components.part(spring.i);
            if part.last().is_some_and(begins) {
                self.add_part(&part);
                part.clear();
            }
            part.push(spring);
        }
        if !part.is_empty() {
            self.add_part(&part);
        }
    }

    /// Adds springs of one part, sorted.
    fn add_part(&mut self, springs: &[Spring]) {
        let (blocks, list) = (self.layout.blocks.len(), self.layout.pairs.len());
        let first_number = self.layout.springs as u32;
        let mut left = Vec::new();
        let lowest = self.components.lowest(springs[0].i) as usize;
        let number = |s: &Spring| (s.i - lowest) / LANES;
        for block in springs.chunk_by(|a, b| number(a) == number(b)) {
            self.add_block(block, lowest + number(&block[0]) * LANES, &mut left);
        }
        left.sort_by_key(|(i, j, ..)| (*i, *j));
        for (i, j, rest_length, material) in left {
            self.layout.pairs.push([i, j]);
            self.layout.rest_lengths.push(rest_length);
            self.layout.materials.push(material);
            self.layout.springs += 1;
        }
        self.layout.parts.push(Part {
            particle: springs[0].i as u32,
            end: self.components.end(springs[0].i),
            last: springs.last().map_or(0, |s| s.i as u32),
            highest: springs.iter().map(|s| s.j as u32).max().unwrap_or(0),
            number: first_number,
            blocks: blocks as u32..self.layout.blocks.len() as u32,
            list: list as u32..self.layout.pairs.len() as u32,
        });
    }

    /// Adds the rows of the block that begins at `first`; springs without a row go to `left`.
    fn add_block(
        &mut self,
        springs: &[Spring],
        first: usize,
        left: &mut Vec<(u32, u32, f64, u16)>,
    ) {
        let end = self.components.end(springs[0].i) as usize;
        let mut candidates = Candidates::new();
        for s in springs {
            let material = self.material(s.material);
            let key = ((s.j - s.i) as u32, material);
            let (mask, rests) = candidates.entry(key).or_insert((0, [0.0; LANES]));
            let bit = 1 << (s.i - first);
            if *mask & bit != 0 {
                left.push((s.i as u32, s.j as u32, s.rest_length, material));
                continue;
            }
            *mask |= bit;
            rests[s.i - first] = s.rest_length;
        }
        let start = self.layout.rows.len() as u32;
        for ((offset, material), (mask, rests)) in candidates {
            // kernels read all eight ends, so a row must not reach beyond its component
            let inside = first + offset as usize + LANES <= end;
            if mask.count_ones() < WORTH_A_ROW || !inside {
                let lanes = (0..LANES as u32).filter(|k| mask >> k & 1 == 1);
                left.extend(lanes.map(|k| {
                    let i = first as u32 + k;
                    (i, i + offset, rests[k as usize], material)
                }));
                continue;
            }
            let number = self.layout.springs as u32;
            self.layout.springs += mask.count_ones() as usize;
            let rests = self.set(rests);
            self.layout.rows.push(Row { offset, number, rests, material, mask });
        }
        let rows = start..self.layout.rows.len() as u32;
        if !rows.is_empty() {
            self.layout.blocks.push(Block { first: first as u32, rows });
        }
    }

    fn material(&mut self, material: SpringMaterial) -> u16 {
        let table = &mut self.layout.table;
        let known = table.iter().position(|known| *known == material);
        let known = known.unwrap_or_else(|| {
            table.push(material);
            table.len() - 1
        });
        u16::try_from(known).expect("at most 65,536 materials of springs")
    }

    /// The number of a set of rest lengths.
    fn set(&mut self, rests: [f64; LANES]) -> u32 {
        let sets = &mut self.layout.rests;
        *self.sets.entry(rests.map(f64::to_bits)).or_insert_with(|| {
            sets.push(rests);
            sets.len() as u32 - 1
        })
    }
}
