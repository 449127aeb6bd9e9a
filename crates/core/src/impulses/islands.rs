//! Islands of contacts: those joined by a chain of common movers (particles or rigid bodies).

use super::problem::ContactProblem;

/// Numbers of the rows of each island, ascending; islands in the order of their first rows.
pub fn islands(problem: &ContactProblem) -> Vec<Vec<usize>> {
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
