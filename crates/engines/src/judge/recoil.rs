//! Recoil: a body that friction has stopped moves back.

use super::balance::{NO_GRAVITY, percent};
use super::evidence::FEW;
use super::motion::{NO_SPIN, SLIDES_AT};
use super::{Check, Evidence, Outcome};
use stiction_core::diagnosis::watch::FaultKind;
use stiction_core::math::{Vector, number, sqrt};

/// Tolerated displacement back, as a share of the slide.
const SHARE: f64 = 0.01;

/// Least number of frames of a slide, and after it.
const FRAMES: usize = 8;

/// Angle by which a body that does not roll may turn \[rad\].
const TURNED: f64 = 0.05;

/// Share of a normal along the slide from which it is a wall in its course.
const WALL: f64 = 0.2;

/// The check.
pub(crate) static CHECK: Check = Check {
    name: "recoil",
    about: "displacement back after the farthest point of a slide, in contact, under a load that friction can hold",
    judge,
};

/// A body that moves back after its stop.
pub(crate) static RECOIL: FaultKind = FaultKind::symptom(
    "recoil",
    "After the farthest point of its slide a body moves back by more than 1 % of the slide, though its load is one that friction can hold and nothing is in its course. An elastic law of friction springs back by its stretch T/k, which is part of the law; position corrections and warm starts that are kept after the stop do it as well.",
);

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    if evidence.log.contacts.is_none() {
        return vec![Outcome::lacks("the log has no contacts")];
    }
    if evidence.gravity.is_none() {
        return vec![Outcome::lacks(NO_GRAVITY)];
    }
    if evidence.windows.is_empty() {
        return vec![Outcome::lacks(FEW)];
    }
    let bodies = evidence.log.all_contacts_of(n).any(|c| c.other.is_some());
    if bodies || evidence.given.moving {
        return vec![Outcome::lacks("what it touches may move")];
    }
    let whole = 0..evidence.log.time.len();
    let Some(ground) = evidence.ground(n, &whole).filter(|ground| ground.is_open()) else {
        return vec![Outcome::lacks("nothing touches it on one side")];
    };
    let x = &evidence.body(n).position;
    let place = |k: usize| ground.along(x[k] - x[0]);
    // the first of the farthest
    let farther = |far: usize, k: usize| if place(k).norm() > place(far).norm() { k } else { far };
    let far = whole.clone().reduce(farther).unwrap_or(0);
    let slid = place(far).norm();
    let noise = 12.0 * evidence.noise_of_position(n);
    let sliding = evidence.velocities[n][..far]
        .iter()
        .filter(|v| ground.along(**v).norm() > SLIDES_AT)
        .count();
    if far == 0 || sliding < FRAMES {
        return vec![Outcome::lacks("it does not slide")];
    }
    if far + FRAMES > x.len() {
        return vec![Outcome::lacks("it moves on until the end")];
    }
    if noise * sqrt(2.0) > SHARE * slid {
        return vec![Outcome::lacks("noise of the positions hides a hundredth of its slide")];
    }
    let along = place(far) / slid;
    let back = whole.clone().skip(far).map(|k| slid - place(k).dot(&along)).fold(0.0, f64::max);
    if let Some(why) = not_held(evidence, n, far, along) {
        return vec![Outcome::lacks(why)];
    }
    let text = format!(
        "{} m back after a slide of {} m, {}, from t = {} s on",
        number(back),
        number(slid),
        percent(back / slid),
        number(evidence.log.time[far])
    );
    vec![match back > SHARE * slid + noise * sqrt(2.0) {
        true => Outcome::Fault(&RECOIL, text),
        false => Outcome::Clear(text),
    }]
}

/// Why the body need not stay where it is from a frame on: it rolls, leaves its contacts, meets a wall, or its load
/// is more than friction holds.
fn not_held(evidence: &Evidence, n: usize, from: usize, along: Vector) -> Option<&'static str> {
    match evidence.turned_since(n, from) {
        None => return Some(NO_SPIN),
        Some(angle) if angle > TURNED => return Some("it turns, and may roll"),
        Some(_) => {}
    }
    let speed = |k: usize| evidence.velocities[n][k].dot(&along);
    let [before, after] = [from.saturating_sub(1), (from + 1).min(evidence.log.time.len() - 1)];
    if evidence.may_be_sampled() && speed(before) > SLIDES_AT && speed(after) < -SLIDES_AT {
        return Some("it turns back within one frame: it may have met a wall");
    }
    for k in from.saturating_sub(1)..evidence.log.time.len() {
        let (mut bound, mut touched) = (0.0, false);
        for contact in evidence.log.contacts_of(n, k).filter(|c| c.normal_force > 0.0) {
            touched = true;
            if contact.normal.dot(&along) < -WALL {
                return Some("a wall is in its course");
            }
            let Some(mu) = evidence.static_friction(contact) else {
                return Some("contacts have no coefficient of friction (--friction MU)");
            };
            bound += mu * contact.normal_force;
        }
        if !touched {
            return Some("it leaves its contacts");
        }
        if evidence.load(n, k).is_some_and(|load| -load.dot(&along) > bound) {
            return Some("its load drives it back");
        }
    }
    None
}
