//! Direction of friction: against the slip.

use super::balance::percent;
use super::sliding::{FEWEST, all_sliding};
use super::{Check, Evidence, Outcome};
use stiction_core::diagnosis::watch::FaultKind;
use stiction_core::math::{Vector, acos, degrees, larger, number, smaller};

/// Tolerated angle between friction and the direction against the slip \[degrees\].
pub(super) const ANGLE: f64 = 5.0;

/// Share of sliding contacts that may be further off.
const SHARE: f64 = 0.1;

/// Friction below this share of μN has no direction.
const NOTHING: f64 = 0.01;

/// The check.
pub(crate) static CHECK: Check = Check {
    name: "direction of friction",
    about: "angle between f and −slip of contacts that slide, at this frame and the one before",
    judge,
};

/// Friction that is not against the slip.
pub(crate) static FRICTION_OFF_THE_SLIP: FaultKind = FaultKind::symptom(
    "friction-off-the-slip",
    "A contact slides, and the direction of its friction is more than 5° from that against its slip, at more than 10 % of the contacts that slide: a pyramid in place of the cone, a friction frame that is not that of the contact, anisotropic friction, or forces of another step. Along the slip its friction is smaller than it should be, and across it bends the path.",
);

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    let all = match all_sliding(evidence, n) {
        Ok(all) => all,
        Err(why) => return vec![Outcome::lacks(why)],
    };
    let mut angles: Vec<(usize, f64)> = Vec::new();
    for one in &all {
        let Some(friction) = one.contact.friction else { continue };
        let bound =
            evidence.kinetic_friction(one.contact).unwrap_or(1.0) * one.contact.normal_force;
        if friction.norm() <= NOTHING * bound || bound <= 0.0 {
            continue;
        }
        // the slip turns within a step
        let before = evidence.slip(n, one.frame - 1, one.contact).unwrap_or(one.slip);
        let least = smaller(angle(&friction, &one.slip), angle(&friction, &before));
        let turn = 180.0 - angle(&one.slip, &before);
        angles.push((one.frame, larger(least - turn, 0.0)));
    }
    if angles.len() < FEWEST {
        return vec![Outcome::lacks("the log has no friction forces of contacts that slide")];
    }
    let count = angles.len();
    let largest = angles.iter().map(|of| of.1).fold(0.0, larger);
    let off: Vec<&(usize, f64)> = angles.iter().filter(|of| of.1 > ANGLE).collect();
    let share = off.len() as f64 / count as f64;
    match off.first() {
        Some((first, _)) if share > SHARE => vec![Outcome::Fault(
            &FRICTION_OFF_THE_SLIP,
            format!(
                "friction is up to {} degrees off the direction against the slip, from t = {} s on, at {} of {count} contacts that slide",
                number(largest),
                number(evidence.log.time[*first]),
                percent(share)
            ),
        )],
        _ => vec![Outcome::Clear(format!(
            "against the slip within {} degrees at {} of {count} contacts that slide",
            number(ANGLE),
            percent(1.0 - share)
        ))],
    }
}

/// The angle between a friction force and the direction against a slip \[degrees\].
pub(super) fn angle(friction: &Vector, slip: &Vector) -> f64 {
    let length = friction.norm() * slip.norm();
    if length == 0.0 {
        return 0.0;
    }
    degrees(acos((-friction.dot(slip) / length).clamp(-1.0, 1.0)))
}
