//! Islands of contacts: those joined by a chain of common movers (particles or rigid bodies).

use super::cone::Cone;
use crate::impulses::problem::ContactProblem;
use crate::math::Vector;

/// Numbers of the rows of each island, ascending; islands in the order of their first rows.
pub(super) fn islands(problem: &ContactProblem) -> Vec<Vec<usize>> {
    let movers = |row: usize| problem.movers_of(&problem.rows[row]);
    let count = (0..problem.rows.len()).flat_map(movers).max().map_or(0, |most| most + 1);
    let mut parent: Vec<usize> = (0..count).collect();
    for row in 0..problem.rows.len() {
        let mut joined = movers(row);
        let Some(first) = joined.next() else { continue };
        for other in joined {
            let (a, b) = (root(&mut parent, first), root(&mut parent, other));
            parent[if a > b { a } else { b }] = if a > b { b } else { a };
        }
    }
    let mut number = vec![usize::MAX; count];
    let mut islands: Vec<Vec<usize>> = Vec::new();
    for row in 0..problem.rows.len() {
        let Some(mover) = movers(row).next() else { continue };
        let root = root(&mut parent, mover);
        if number[root] == usize::MAX {
            number[root] = islands.len();
            islands.push(Vec::new());
        }
        islands[number[root]].push(row);
    }
    islands
}

fn root(parent: &mut [usize], mut mover: usize) -> usize {
    while parent[mover] != mover {
        parent[mover] = parent[parent[mover]];
        mover = parent[mover];
    }
    mover
}

/// The contact with the largest residual, and that residual \[m/s\].
pub(super) fn worst(problem: &ContactProblem, cones: &[Cone], island: &[usize]) -> (usize, f64) {
    let residual = |k: usize| {
        let row = &problem.rows[k];
        cones[k].residual(&row.impulse, &problem.velocity(row))
    };
    island.iter().fold((island[0], 0.0), |worst, k| {
        let residual = residual(*k);
        if residual > worst.1 { (*k, residual) } else { worst }
    })
}

/// The impulses of an island.
pub(super) fn impulses(problem: &ContactProblem, island: &[usize]) -> Vec<Vector> {
    island.iter().map(|k| problem.rows[*k].impulse).collect()
}

/// Sets the impulses of some rows.
pub(super) fn set(problem: &mut ContactProblem, island: &[usize], impulses: &[Vector]) {
    for (k, p) in island.iter().zip(impulses) {
        let change = p - problem.rows[*k].impulse;
        problem.kick(*k, change);
    }
}
