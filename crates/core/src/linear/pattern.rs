//! Places of the blocks of pairs: computed once and kept while the pairs stay the same.

/// The pairs (i, j), i < j, in rows: row i holds the ends j in the order of addition.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows {
    /// beginning of each row among the ends; one more than rows
    starts: Vec<u32>,
    ends: Vec<u32>,
    /// the row of the last pair
    row: usize,
    /// number of pairs of this assembly so far
    count: usize,
    /// whether the pattern differs from the last one
    fresh: bool,
    /// number of patterns so far
    version: u64,
}

impl Rows {
    /// Begins an assembly.
    pub fn start(&mut self) {
        (self.row, self.count) = (0, 0);
        self.fresh = self.starts.is_empty();
        self.version += u64::from(self.fresh);
    }

    /// The number of the last pair, if it has the place that it had in the last pattern.
    #[inline(always)]
    pub fn known(&self) -> Option<usize> {
        (!self.fresh).then(|| self.count - 1)
    }

    /// A number that differs between patterns.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Adds the next pair; returns false, without adding it, if it is out of the order of rows.
    #[inline(always)]
    pub fn add(&mut self, i: usize, j: usize) -> bool {
        if j <= i || i < self.row {
            return false;
        }
        if !self.fresh {
            let count = self.count as u32;
            let expected = i + 1 < self.starts.len()
                && self.starts[i] <= count
                && count < self.starts[i + 1]
                && self.ends[self.count] == j as u32;
            if !expected {
                self.begin_anew();
            }
        }
        if self.fresh {
            self.close_rows(i);
            self.ends.push(j as u32);
        }
        self.row = i;
        self.count += 1;
        true
    }

    /// Drops the known pairs from here on.
    #[cold]
    fn begin_anew(&mut self) {
        self.fresh = true;
        self.version += 1;
        self.ends.truncate(self.count);
        self.starts.truncate(self.row + 1);
    }

    /// Ends all rows before `i` here.
    fn close_rows(&mut self, i: usize) {
        while self.starts.len() <= i {
            self.starts.push(self.count as u32);
        }
    }

    /// Ends an assembly for this number of particles.
    pub fn finish(&mut self, particles: usize) {
        if !self.fresh && self.count < self.ends.len() {
            self.begin_anew();
        }
        if self.fresh {
            self.close_rows(particles);
        }
    }

    /// The ends of row `i`, and the number of its first pair.
    #[inline(always)]
    pub fn row(&self, i: usize) -> (usize, &[u32]) {
        let (start, end) = (self.starts[i] as usize, self.starts[i + 1] as usize);
        (start, &self.ends[start..end])
    }

    /// All pairs (number, i, j) in their order.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        (0..self.starts.len().saturating_sub(1)).flat_map(|i| {
            let (start, ends) = self.row(i);
            ends.iter().enumerate().map(move |(s, j)| (start + s, i, *j as usize))
        })
    }

    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.ends.len()
    }
}

impl PartialEq for Rows {
    fn eq(&self, other: &Self) -> bool {
        self.starts == other.starts && self.ends == other.ends
    }
}
