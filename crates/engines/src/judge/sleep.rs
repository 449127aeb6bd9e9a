//! False sleep: a body that has moved stands motionless under unbalanced forces.

use super::balance::{SHARE, percent, reports_forces, unbalanced};
use super::cone::BEYOND;
use super::evidence::Ground;
use super::{Check, Evidence, Outcome};
use std::ops::Range;
use stiction_core::diagnosis::watch::FaultKind;
use stiction_core::math::{Vector, number};

/// Number of frames without motion that count as sleep.
const FRAMES: usize = 8;

/// The check.
pub(crate) static CHECK: Check = Check {
    name: "sleep",
    about: "positions that do not change by a bit for eight frames or more: forces must balance, and the load must lie within the cone",
    judge,
};

/// A body that must move is asleep.
pub(crate) static FALSE_SLEEP: FaultKind = FaultKind::symptom(
    "false-sleep",
    "A body stands motionless to the last bit although the load is beyond the friction cone, or although the forces told do not balance: the engine put it to sleep. What is slow is not at rest. Switch sleeping off, or lower its thresholds.",
);

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    let x = &evidence.body(n).position;
    if x.len() < FRAMES {
        return vec![Outcome::lacks("it has fewer than eight frames")];
    }
    let Some(still) = stretch(x) else {
        let text = "no eight frames without motion after some motion";
        return vec![Outcome::Clear(text.into())];
    };
    let time = number(evidence.log.time[still.start]);
    let Some(load) = evidence.load(n, still.end - 1) else {
        return vec![Outcome::lacks("it stands still; gravity is not known (--gravity X,Y,Z)")];
    };
    let scale = evidence.scale_of_force(n);
    // the last frame with a reported contact
    let touching = (0..still.end)
        .rev()
        .find(|k| evidence.log.contacts_of(n, *k).any(|c| c.normal_force > 0.0));
    let ground = touching.and_then(|k| evidence.ground(n, &(k.saturating_sub(FRAMES)..k + 1)));
    let ground = ground.filter(Ground::is_open);
    let within =
        ground.as_ref().and_then(|ground| Some((ground.along(load).norm(), ground.bound?)));
    if let Some((force, bound)) = within {
        // on a plane the load itself says how hard the body is pressed
        let ratio = force / bound;
        if bound > 0.0 && ratio > 1.0 + BEYOND {
            let text = format!(
                "motionless from t = {time} s on, though the load is {} times what friction can hold",
                number(ratio)
            );
            return vec![Outcome::Fault(&FALSE_SLEEP, text)];
        }
    }
    if touching.is_some_and(|k| k + 1 >= still.end) && reports_forces(evidence, n) {
        let k = still.end - 1;
        let forces = evidence.log.contacts_of(n, k).map(|c| c.force()).sum::<Vector>();
        let left = (forces + load).norm();
        // where forces do not balance in motion either, sleep is not the cause
        let before = unbalanced(evidence, n, still.start).unwrap_or(0.0);
        if left > SHARE * scale && left > 2.0 * before {
            let text = format!(
                "motionless from t = {time} s on, though {} N are not balanced, {} of the load",
                number(left),
                percent(left / scale)
            );
            return vec![Outcome::Fault(&FALSE_SLEEP, text)];
        }
    }
    vec![match within {
        Some((force, bound)) if bound > 0.0 => Outcome::Clear(format!(
            "motionless from t = {time} s on, under {} of what friction can hold",
            percent(force / bound)
        )),
        _ => Outcome::NotJudged(format!(
            "motionless from t = {time} s on; contacts or coefficients of friction are not reported"
        )),
    }]
}

/// The longest range of frames without motion, if long enough, of a body that moves at some time.
fn stretch(x: &[Vector]) -> Option<Range<usize>> {
    let (mut best, mut from) = (0..0, 0);
    for k in 1..=x.len() {
        if k == x.len() || x[k] != x[k - 1] {
            if k - from > best.len() {
                best = from..k;
            }
            from = k;
        }
    }
    (best.len() >= FRAMES && x.iter().any(|p| p != &x[best.start])).then_some(best)
}
