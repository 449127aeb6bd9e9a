//! The matrix of a system in compressed columns. The pattern is kept while it stays the same.

use super::super::pattern::Rows;
use super::super::system::{HELD, System};
use super::super::{LinearError, MatrixForm};
use super::{out_of_memory, room};
use crate::math::{Matrix, Vector};
use faer::sparse::{Argsort, CreationError, Pair, SparseColMat, SymbolicSparseColMat};

/// The nonzeros of the last matrix, and the place of each entry in compressed columns.
#[derive(Default)]
pub(super) struct Compressed {
    rows: Rows,
    singles: Vec<[u32; 2]>,
    structure: Option<(SymbolicSparseColMat<usize>, Argsort<usize>)>,
    values: Vec<f64>,
}

impl Compressed {
    /// Calls `entry` with (row, column, value) of all entries, of the symmetric form of those in
    /// the lower half. Their order depends on the added blocks, never on values.
    fn for_each(system: &System, mut entry: impl FnMut(usize, usize, f64)) {
        let lower = system.form() == MatrixForm::Symmetric;
        let numbers = system.numbers();
        let mut block = |i: usize, j: usize, m: &Matrix| {
            for (c, &column) in numbers[j].iter().enumerate() {
                for (r, &row) in numbers[i].iter().enumerate() {
                    if row != HELD && column != HELD && (!lower || row >= column) {
                        entry(row, column, m[(r, c)]);
                    }
                }
            }
        };
        for i in 0..system.particles() {
            block(i, i, &system.own(i));
        }
        for (s, i, j) in system.rows.pairs() {
            let [there, back] = system.pair(s);
            block(i, j, &there);
            block(j, i, &back);
        }
        for (i, j, m) in &system.singles {
            block(*i as usize, *j as usize, m);
            if lower {
                block(*j as usize, *i as usize, &m.transpose());
            }
        }
    }

    fn same(&self, system: &System) -> bool {
        self.structure.is_some()
            && self.rows == system.rows
            && self.singles.len() == system.singles.len()
            && self.singles.iter().zip(&system.singles).all(|(a, b)| *a == [b.0, b.1])
    }

    /// The matrix in compressed columns, and whether its pattern is new.
    pub fn matrix(
        &mut self,
        system: &System,
    ) -> Result<(SparseColMat<usize, f64>, bool), LinearError> {
        let fresh = !self.same(system);
        let mut count = 0;
        Self::for_each(system, |_, _, _| count += 1);
        // row, column and value of each entry, its place, and a copy in columns
        let needed = count * size_of::<[usize; 6]>();
        if fresh {
            self.structure = None;
            let n = system.unknowns();
            let mut pattern = room::<Pair<usize, usize>>(count, needed)?;
            Self::for_each(system, |row, col, _| pattern.push(Pair { row, col }));
            let structure = SymbolicSparseColMat::try_new_from_indices(n, n, &pattern);
            self.structure = Some(structure.map_err(|error| match error {
                CreationError::Generic(_) => out_of_memory(needed),
                CreationError::OutOfBounds { .. } => LinearError::Singular,
            })?);
            self.rows.clone_from(&system.rows);
            self.singles.clear();
            self.singles.extend(system.singles.iter().map(|(i, j, _)| [*i, *j]));
        }
        let values = &mut self.values;
        values.clear();
        values.try_reserve(count).map_err(|_| out_of_memory(needed))?;
        Self::for_each(system, |_, _, value| values.push(value));
        let (structure, order) = self.structure.as_ref().ok_or(LinearError::Singular)?;
        let matrix = SparseColMat::new_from_argsort(structure.clone(), order, values)
            .map_err(|_| out_of_memory(needed))?;
        Ok((matrix, fresh))
    }
}

/// Gathers the free axes, calls `solve` and scatters the result; held axes become zero.
pub(super) fn on_unknowns(
    system: &System,
    b: &mut [Vector],
    solve: impl FnOnce(&mut Vec<f64>) -> Result<(), LinearError>,
) -> Result<(), LinearError> {
    let mut column = vec![0.0; system.unknowns()];
    for (b, numbers) in b.iter().zip(system.numbers()) {
        for axis in 0..3 {
            if numbers[axis] != HELD {
                column[numbers[axis]] = b[axis];
            }
        }
    }
    solve(&mut column)?;
    for (b, numbers) in b.iter_mut().zip(system.numbers()) {
        for axis in 0..3 {
            b[axis] = if numbers[axis] == HELD { 0.0 } else { column[numbers[axis]] };
        }
    }
    Ok(())
}
