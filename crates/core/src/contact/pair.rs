//! Coefficients of a pair of materials.

use crate::state::memory::Coefficients;

/// The pair of each of some parts with each body, once for every two materials.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pairs {
    /// row of each part, column of each body
    rows: Vec<u32>,
    columns: Vec<u32>,
    table: Vec<Vec<Pair>>,
}

impl Pairs {
    /// The pairs of parts and bodies by the numbers of their materials; `make` takes that of the
    /// body first.
    pub fn new(parts: &[usize], bodies: &[usize], make: impl Fn(usize, usize) -> Pair) -> Self {
        let (rows, first) = numbered(parts);
        let (columns, second) = numbered(bodies);
        let row = |a: &usize| second.iter().map(|b| make(*b, *a)).collect();
        Pairs { rows, columns, table: first.iter().map(row).collect() }
    }

    /// The pair of a part and a body.
    pub fn of(&self, part: usize, body: usize) -> &Pair {
        &self.table[self.rows[part] as usize][self.columns[body] as usize]
    }

    /// The pairs of a part with every body.
    pub fn of_part(&self, part: usize) -> impl Iterator<Item = &Pair> {
        let row = &self.table[self.rows[part] as usize];
        self.columns.iter().map(|column| &row[*column as usize])
    }

    /// The different pairs of a body.
    pub fn of_body(&self, body: usize) -> impl Iterator<Item = &Pair> {
        let column = self.columns[body] as usize;
        self.table.iter().map(move |row| &row[column])
    }

    /// All different pairs.
    pub fn different(&self) -> impl Iterator<Item = &Pair> {
        self.table.iter().flatten()
    }
}

/// Numbers without gaps in place of some, and the numbers that these stand for.
fn numbered(of: &[usize]) -> (Vec<u32>, Vec<usize>) {
    let mut known = of.to_vec();
    known.sort_unstable();
    known.dedup();
    let place = |n: &usize| known.partition_point(|known| known < n) as u32;
    (of.iter().map(place).collect(), known)
}

/// Coefficients of the materials of a collider and a body, or of two bodies.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Pair {
    /// Coefficients of friction.
    pub friction: Coefficients,
    /// The normal law's parameter for restitution: [`super::normal::NormalLaw::bounce`].
    pub bounce: f64,
    /// The coefficient of restitution e; zero if none is stated.
    pub restitution: f64,
}
