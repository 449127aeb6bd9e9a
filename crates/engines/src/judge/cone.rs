//! The friction cone: |f| ≤ μN at each contact, and |f| = μ_k N where it slides.

use super::log::Contact;
use super::statistics::median;
use super::{Check, Evidence, Outcome};
use stiction_core::diagnosis::watch::FaultKind;
use stiction_core::math::{Vector, number};

/// Tolerated relative excess of a contact over its cone.
pub(super) const BEYOND: f64 = 1e-3;

/// Tolerated relative difference of sliding friction from μ_k N.
const SLIDING: f64 = 0.02;

/// Share of the load below which a contact counts as unloaded.
const NOTHING: f64 = 1e-3;

/// The check.
pub(crate) static CHECK: Check = Check {
    name: "friction cone",
    about: "|f|/(μN) at each contact; of contacts that slide, against 1",
    judge,
};

/// A contact that exceeds its cone.
pub(crate) static CONE_EXCEEDED: FaultKind = FaultKind::symptom(
    "cone-exceeded",
    "A friction force exceeds μN by more than a thousandth: another coefficient, or a square in place of a cone (up to √2 along its diagonal), or forces of an iteration that was not finished.",
);

/// The friction of a sliding contact is not that of its cone.
pub(crate) static FRICTION_OFF_THE_CONE: FaultKind = FaultKind::symptom(
    "friction-off-the-cone",
    "A contact slides, and the median of its friction differs from μ_k N by more than 2 %: a pyramid inscribed in the cone (0.71 along its diagonal), a coefficient that was not delivered, or a threshold above the speed of the slip.",
);

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    let Some(frames) = &evidence.log.contacts else {
        return vec![Outcome::Unjudged("the log has no contacts".into())];
    };
    let least = NOTHING * evidence.scale_of_force(n);
    let bearing = |k: usize| evidence.log.contacts_of(n, k).filter(|c| c.normal_force > least);
    let (mut worst, mut beyond, mut count, mut lacking) = ((0.0, 0.0), 0usize, 0usize, 0usize);
    for k in 0..frames.len() {
        for contact in bearing(k) {
            let Some(ratio) = ratio(evidence, contact, false) else {
                lacking += 1;
                continue;
            };
            count += 1;
            beyond += usize::from(ratio > 1.0 + BEYOND);
            if ratio > worst.0 {
                worst = (ratio, evidence.log.time[k]);
            }
        }
    }
    if count == 0 {
        let why = if lacking > 0 {
            "contacts have no friction force or no coefficient (--friction MU)"
        } else {
            "nothing touches"
        };
        return vec![Outcome::Unjudged(why.into())];
    }
    let (ratio, time) = worst;
    let mut told = vec![match beyond {
        0 => Outcome::Clear(format!("at most {} of μN at {count} contacts", number(ratio))),
        _ => {
            let text = format!(
                "{beyond} of {count} contacts exceed μN, the worst is {} times μN at t = {} s",
                number(ratio),
                number(time)
            );
            Outcome::Fault(&CONE_EXCEEDED, text)
        }
    }];
    told.extend(sliding(evidence, n, least));
    told
}

/// |f|/(μN), with the static or kinetic coefficient.
fn ratio(evidence: &Evidence, contact: &Contact, kinetic: bool) -> Option<f64> {
    let fixed = contact.static_friction.or(evidence.given.friction);
    let coefficient = if kinetic { contact.kinetic_friction.or(fixed)? } else { fixed? };
    let friction = contact.friction?.norm();
    match coefficient * contact.normal_force {
        bound if bound > 0.0 => Some(friction / bound),
        // a zero bound allows only zero friction
        _ => (friction == 0.0).then_some(0.0),
    }
}

/// Checks that sliding contacts have kinetic friction.
fn sliding(evidence: &Evidence, n: usize, least: f64) -> Option<Outcome> {
    let speeds: Vec<f64> = evidence.body(n).velocity.as_ref()?.iter().map(Vector::norm).collect();
    let fastest = speeds.iter().copied().fold(0.0, f64::max);
    let enough = 0.1 * fastest;
    let mut ratios = Vec::new();
    for k in 0..evidence.log.time.len() {
        for contact in evidence.log.contacts_of(n, k).filter(|c| c.normal_force > least) {
            let Some(slip) = slip(evidence, n, k, contact) else { continue };
            let slip = (slip - slip.dot(&contact.normal) * contact.normal).norm();
            if slip > enough && slip > 0.05 {
                ratios.extend(ratio(evidence, contact, true).filter(|r| *r > 0.0));
            }
        }
    }
    if ratios.len() < 8 {
        return None;
    }
    let middle = median(ratios.iter().copied());
    let text = format!(
        "friction of what slides is {} of μN, the median of {} contacts",
        number(middle),
        ratios.len()
    );
    Some(match (middle - 1.0).abs() > SLIDING && middle < 1.0 + BEYOND {
        true => Outcome::Fault(&FRICTION_OFF_THE_CONE, text),
        false => Outcome::Clear(text),
    })
}

/// Slip velocity of a contact \[m/s\]: the reported one, or that of the body's point relative to
/// resting surroundings.
pub(super) fn slip(evidence: &Evidence, n: usize, k: usize, contact: &Contact) -> Option<Vector> {
    if contact.slip.is_some() {
        return contact.slip;
    }
    if evidence.given.moving {
        return None;
    }
    let at = |n: usize| {
        let body = evidence.body(n);
        let velocity = body.velocity.as_ref()?[k];
        let spin = body.spin.as_ref()?[k];
        match contact.point {
            Some(point) => Some(velocity + spin.cross(&(point - body.position[k]))),
            // an arm of one metre would change the velocity by at most a thousandth
            None => (spin.norm() <= 1e-3 * velocity.norm()).then_some(velocity),
        }
    };
    Some(at(n)? - contact.other.map_or(Some(Vector::zeros()), at)?)
}
