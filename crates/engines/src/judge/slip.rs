//! Slip as reported against slip by the motion of the bodies.

use super::statistics::{median, median_vector};
use super::{Check, Evidence, Outcome};
use stiction_core::diagnosis::watch::FaultKind;
use stiction_core::math::{Vector, larger, number};

/// Tolerated difference as a share of the slip.
const SHARE: f64 = 0.02;

/// Share of the largest speed below which slips are not compared.
const SLOW: f64 = 0.01;

/// Least number of compared contacts.
const FEWEST: usize = 8;

/// The check.
pub(crate) static CHECK: Check = Check {
    name: "slip",
    about: "reported slip of contacts against the velocity of the body at their points, relative to what it touches, in share of the speed",
    judge,
};

/// The reported slip is not that of the motion.
pub(crate) static SLIP_OFF_MOTION: FaultKind = FaultKind::symptom(
    "slip-off-motion",
    "The slip that an engine reports at a contact differs by more than 2 % from the velocity at which the body moves there relative to what it touches. Surroundings that move (a belt) are another reason: `--moving` says so. Do not use the slip as a sensor.",
);

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    if evidence.log.all_contacts_of(n).all(|c| c.slip.is_none()) {
        return vec![Outcome::lacks("the log has no slips of contacts")];
    }
    if evidence.given.moving {
        return vec![Outcome::lacks("the surroundings may move")];
    }
    vec![match compared(evidence, n) {
        Ok(all) => against_motion(evidence, n, &all),
        Err(why) => Outcome::lacks(why),
    }]
}

/// A slip that is reported beside that of the motion.
struct Compared {
    frame: usize,
    /// reported less moved \[m/s\]
    difference: Vector,
    /// to the slips between the frame before and this one \[m/s\]
    distance: f64,
    /// the larger of both \[m/s\]
    size: f64,
}

/// The contacts of a body that slip, or the reason why there are few.
fn compared(evidence: &Evidence, n: usize) -> Result<Vec<Compared>, &'static str> {
    let (mut all, mut unknown) = (Vec::new(), None);
    let least = SLOW * evidence.fastest(n);
    for frame in 1..evidence.log.time.len() {
        for contact in evidence.log.contacts_of(n, frame) {
            let Some(slip) = contact.slip else { continue };
            let along = |v: Vector| v - v.dot(&contact.normal) * contact.normal;
            let reported = along(slip);
            // a slip may be that of the step, from one frame to the next
            let both = evidence
                .relative_velocity(n, frame - 1, contact)
                .and_then(|before| Ok((before, evidence.relative_velocity(n, frame, contact)?)));
            let [before, now] = match both {
                Ok((before, now)) => [along(before), along(now)],
                Err(why) => {
                    unknown = Some(why);
                    continue;
                }
            };
            let difference = reported - now;
            // the slip of any time in between is allowed
            let change = now - before;
            let share =
                (reported - before).dot(&change) / larger(change.norm_squared(), f64::MIN_POSITIVE);
            let distance = (reported - before - share.clamp(0.0, 1.0) * change).norm();
            let size = larger(reported.norm(), now.norm());
            if size > least {
                all.push(Compared { frame, difference, distance, size });
            }
        }
    }
    match all.len() < FEWEST {
        true => Err(unknown.unwrap_or("no contact slips")),
        false => Ok(all),
    }
}

/// The answer for contacts that slip.
fn against_motion(evidence: &Evidence, n: usize, all: &[Compared]) -> Outcome {
    let share = median(all.iter().map(|of| of.distance / of.size));
    let noise = 6.0 * evidence.noise_of_slip(n);
    let middle = median(all.iter().map(|of| of.distance));
    if share > SHARE && middle <= noise {
        return Outcome::lacks("noise of the velocities hides its slip");
    }
    if share <= SHARE {
        let percent = number(100.0 * share);
        return Outcome::Clear(format!(
            "within {percent} % of the speed at {} contacts",
            all.len()
        ));
    }
    let differences: Vec<Vector> = all.iter().map(|of| of.difference).collect();
    let usual = median_vector(&differences);
    let spread = median(differences.iter().map(|d| (d - usual).norm()));
    let contacts = || evidence.log.all_contacts_of(n);
    let silent = contacts().filter_map(|c| c.slip).all(|slip| slip == Vector::zeros());
    let alone = contacts().all(|c| c.other.is_none());
    if alone && !silent && spread <= SHARE * usual.norm() + noise {
        return Outcome::Found(format!(
            "the slip differs from the motion by {} m/s throughout: do its surroundings move at that speed (--moving)?",
            number(usual.norm())
        ));
    }
    Outcome::Fault(
        &SLIP_OFF_MOTION,
        format!(
            "the slip that is reported is off by {} m/s, the median of {} contacts from t = {} s on, {} % of the speed",
            number(middle),
            all.len(),
            number(evidence.log.time[all[0].frame]),
            number(100.0 * share)
        ),
    )
}
