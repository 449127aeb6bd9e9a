//! Problems given by their matrix alone, for tests.

use crate::impulses::problem::*;

/// Effect of the six momenta of a mover on a contact, by the mover's number.
pub type Effects = Vec<(usize, [Matrix; 2])>;

impl ContactProblem {
    /// The problem u = G Gᵀ p + `free`, from the rows of G by contacts: movers of unit mass and unit
    /// inertia, which have six momenta each. What else a contact has is that of `like`.
    pub fn given(like: &ContactRow, rows: &[Effects], free: &[Vector]) -> Self {
        let count = rows.iter().flatten().map(|(mover, _)| mover + 1).max().unwrap_or(0);
        let unit = |number| Mover {
            what: MoverKind::Rigid(number),
            inverse_mass: Vector::repeat(1.0),
            inverse_inertia: Matrix::identity(),
        };
        let mut problem = ContactProblem {
            movers: (0..count).map(unit).collect(),
            velocities: vec![Vector::zeros(); count],
            spins: vec![Vector::zeros(); count],
            ..ContactProblem::default()
        };
        for (effects, free) in rows.iter().zip(free) {
            let mut row = ContactRow { arms: (problem.arms.len(), 0), surface: -free, ..*like };
            (row.before, row.free, row.impulse) = (*free, *free, Vector::zeros());
            for (mover, [linear, angular]) in effects {
                problem.bear(&mut row, *mover, *linear, *angular);
            }
            row.inverse_mass = problem.inverse_mass(&row);
            row.inverse = inverse(row.inverse_mass);
            problem.rows.push(row);
        }
        problem
    }
}
