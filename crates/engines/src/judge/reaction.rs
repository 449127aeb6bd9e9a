//! Action and reaction: the forces of two bodies on each other, where the log has both.

use super::balance::{FORCES_UNBALANCED, SHARE, percent};
use super::log::Contact;
use super::statistics::median;
use super::{Check, Evidence, Outcome};
use std::collections::BTreeMap;
use stiction_core::math::{Vector, larger, number};

/// Least number of frames in which two bodies press on each other.
const FEWEST: usize = 4;

/// Share of the scale of forces below which bodies do not press on each other.
const NOTHING: f64 = 1e-3;

/// The check.
pub(crate) static CHECK: Check = Check {
    name: "action and reaction",
    about: "Σ f of a body's contacts with another one plus Σ f of that one's contacts with it, in share of the larger, the median of frames, where the log lists contacts for both",
    judge,
};

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    if evidence.log.contacts.is_none() {
        return vec![Outcome::lacks("the log has no contacts")];
    }
    // of each other body: |action + reaction| and the larger of both in each frame
    let mut pairs: BTreeMap<usize, Vec<(f64, f64)>> = BTreeMap::new();
    for k in 0..evidence.log.time.len() {
        for (other, (whole, normal)) in forces(evidence, n, k) {
            let Some(reaction) = forces(evidence, other, k).remove(&n) else { continue };
            let friction = evidence.reports_forces(n) && evidence.reports_forces(other);
            let pair = if friction { (whole, reaction.0) } else { (normal, reaction.1) };
            let (Some(action), Some(reaction)) = pair else { continue };
            let size = larger(action.norm(), reaction.norm());
            if size > NOTHING * evidence.scale_of_force(n) {
                pairs.entry(other).or_default().push(((action + reaction).norm(), size));
            }
        }
    }
    pairs.retain(|_, frames| frames.len() >= FEWEST);
    if pairs.is_empty() {
        return vec![Outcome::lacks("the log has no contacts for both of two bodies")];
    }
    pairs.iter().map(|(other, frames)| of_pair(evidence, *other, frames)).collect()
}

/// The forces of other bodies on a body in a frame, with friction and without it \[N\]; none where the log has one side
/// of one of their contacts.
type Forces = BTreeMap<usize, (Option<Vector>, Option<Vector>)>;

fn forces(evidence: &Evidence, n: usize, k: usize) -> Forces {
    let mut all = Forces::new();
    for contact in evidence.log.contacts_of(n, k) {
        let Some(other) = contact.other else { continue };
        let none = (Some(Vector::zeros()), Some(Vector::zeros()));
        let (whole, normal) = all.entry(other).or_insert(none);
        *whole = sum_of(*whole, contact, contact.force());
        *normal = sum_of(*normal, contact, contact.normal_force * contact.normal);
    }
    all
}

/// A sum with the force of a further contact.
fn sum_of(sum: Option<Vector>, contact: &Contact, force: Vector) -> Option<Vector> {
    if contact.mirrored { None } else { Some(sum? + force) }
}

fn of_pair(evidence: &Evidence, other: usize, frames: &[(f64, f64)]) -> Outcome {
    let name = &evidence.body(other).name;
    let share = median(frames.iter().map(|(off, size)| off / size));
    if share > SHARE {
        let off = number(median(frames.iter().map(|of| of.0)));
        let text = format!(
            "its force and that of {name} on it differ by {off} N, {} of them, the median of {} frames",
            percent(share),
            frames.len()
        );
        return Outcome::Fault(&FORCES_UNBALANCED, text);
    }
    let count = frames.len();
    Outcome::Clear(format!("equal to those of {name} within {} in {count} frames", percent(share)))
}
