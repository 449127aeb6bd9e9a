//! Even distribution of normal impulses. The loads of a rigid body with more contacts than degrees
//! of freedom are not unique, but the torque of friction depends on them: a disc with its weight on
//! a few points slides differently from one that presses evenly. Among all distributions with the
//! same resultant, this takes the one with the least Σ p_n², which equal springs under the contacts
//! would give:
//!
//! ```text
//! p_n = max(0, g·ν),   Σ g p_n = w       g = (n, r × n),  w the resultant of all contacts of the body
//! ```

use super::problem::ContactProblem;
use crate::math::{Vector, larger};
use nalgebra::{Matrix6, Vector6};

/// Largest number of Newton steps on ν.
const STEPS: usize = 30;

/// Singular directions below this share of the largest count as none.
const RANK: f64 = 1e-9;

/// Fewest contacts of a body for a distribution.
const FEWEST: usize = 3;

/// Distributes the normal impulses of rigid bodies over those of the contacts `among` that touch fixed
/// surfaces; their friction is scaled with them. Returns the largest change \[m/s\].
pub(super) fn spread(problem: &mut ContactProblem, among: impl Iterator<Item = usize>) -> f64 {
    let mut borne: Vec<(usize, usize, Vector6<f64>)> = Vec::new();
    for k in among {
        if let Some((mover, direction)) = problem.bearing(&problem.rows[k]) {
            borne.push((mover, k, direction));
        }
    }
    borne.sort_by_key(|(mover, row, _)| (*mover, *row));
    let mut largest: f64 = 0.0;
    for contacts in borne.chunk_by(|a, b| a.0 == b.0) {
        if contacts.len() < FEWEST {
            continue;
        }
        let normal = |row: usize| larger(problem.rows[row].impulse.x, 0.0);
        let wanted = contacts.iter().fold(Vector6::zeros(), |w, (_, k, g)| w + g * normal(*k));
        let Some(even) = least_squares(contacts, &wanted) else { continue };
        for ((_, k, _), n) in contacts.iter().zip(even) {
            let p = problem.rows[*k].impulse;
            // in slip friction is in proportion to the normal impulse; in stick it starts anew
            let share = if p.x > 0.0 { n / p.x } else { 0.0 };
            let change = Vector::new(n, p.y * share, p.z * share) - p;
            problem.kick(*k, change);
            largest = larger(largest, (problem.rows[*k].inverse_mass * change).norm());
        }
    }
    largest
}

/// p = max(0, g·ν) with Σ g p = w, by Newton's method with the active contacts.
fn least_squares(contacts: &[(usize, usize, Vector6<f64>)], w: &Vector6<f64>) -> Option<Vec<f64>> {
    let mut multiplier = Vector6::zeros();
    let mut active = vec![true; contacts.len()];
    for _ in 0..STEPS {
        let mut normal = Matrix6::zeros();
        for ((_, _, g), _) in contacts.iter().zip(&active).filter(|(_, active)| **active) {
            normal += g * g.transpose();
        }
        multiplier = pseudo_inverse(&normal) * w;
        let bears: Vec<bool> = contacts.iter().map(|(.., g)| g.dot(&multiplier) > 0.0).collect();
        if bears == active {
            break;
        }
        active = bears;
    }
    let even: Vec<f64> = contacts.iter().map(|(.., g)| larger(g.dot(&multiplier), 0.0)).collect();
    let found = contacts.iter().zip(&even).fold(Vector6::zeros(), |w, ((.., g), p)| w + g * *p);
    ((found - w).norm() <= 1e-9 * w.norm()).then_some(even)
}

fn pseudo_inverse(matrix: &Matrix6<f64>) -> Matrix6<f64> {
    let eigen = matrix.symmetric_eigen();
    let least = RANK * eigen.eigenvalues.amax();
    let inverse = eigen.eigenvalues.map(|x| if x > least { 1.0 / x } else { 0.0 });
    eigen.eigenvectors * Matrix6::from_diagonal(&inverse) * eigen.eigenvectors.transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three contacts in a row under a load near the last: the first, which would pull, bears nothing, and
    /// the other two share by the lever.
    #[test]
    fn a_contact_that_would_pull_bears_nothing() {
        let contact = |k: usize, x: f64| (0, k, Vector6::new(0.0, 0.0, 1.0, 0.0, -x, 0.0));
        let contacts = [contact(0, -1.0), contact(1, 0.0), contact(2, 1.0)];
        let load = contacts[1].2 * 0.1 + contacts[2].2 * 0.9;
        let even = least_squares(&contacts, &load).expect("contacts can bear it");
        for (found, exact) in even.iter().zip([0.0, 0.1, 0.9]) {
            assert!((found - exact).abs() < 1e-12, "{even:?}");
        }
        let outside = contacts[2].2 * 2.0 - contacts[1].2;
        assert_eq!(least_squares(&contacts, &outside), None, "beyond the last contact");
    }
}
