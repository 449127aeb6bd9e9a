//! Action and reaction: the forces of two bodies on each other, where the log has both.

use super::balance::{FORCES_UNBALANCED, SHARE, percent, reports_forces};
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
    let friction = reports_forces(evidence, n);
    // of each other body: |action + reaction| and the larger of both in each frame
    let mut pairs: BTreeMap<usize, Vec<(f64, f64)>> = BTreeMap::new();
    for k in 0..evidence.log.time.len() {
        for (other, action) in forces(evidence, n, k, friction) {
            let reaction = forces(evidence, other, k, friction).remove(&n);
            let Some(reaction) = reaction else { continue };
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

/// The forces of other bodies on a body in a frame \[N\], of contacts that the log itself has.
fn forces(evidence: &Evidence, n: usize, k: usize, friction: bool) -> BTreeMap<usize, Vector> {
    let mut all = BTreeMap::new();
    for contact in evidence.log.contacts_of(n, k).filter(|contact| !contact.mirrored) {
        let Some(other) = contact.other else { continue };
        let normal = contact.normal_force * contact.normal;
        let force = if friction { contact.force() } else { normal };
        *all.entry(other).or_insert_with(Vector::zeros) += force;
    }
    all
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
