//! Slip as reported against slip by the motion of the bodies.

use super::statistics::{median, median_vector};
use super::{Check, Evidence, Outcome};
use stiction_core::diagnosis::watch::FaultKind;
use stiction_core::math::{Vector, larger, number, smaller};

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
    let slips = || evidence.log.all_contacts_of(n).filter_map(|c| c.slip);
    if slips().next().is_none() {
        return vec![Outcome::lacks("the log has no slips of contacts")];
    }
    if evidence.given.moving {
        return vec![Outcome::lacks("the surroundings may move")];
    }
    let (mut off, mut unknown) = (Vec::new(), None);
    let least = SLOW * evidence.fastest(n);
    for k in 1..evidence.log.time.len() {
        for contact in evidence.log.contacts_of(n, k) {
            let Some(told) = contact.slip else { continue };
            let along = |v: Vector| v - v.dot(&contact.normal) * contact.normal;
            let told = along(told);
            // a slip may be that of the step, from one frame to the next
            let both = evidence
                .relative_velocity(n, k - 1, contact)
                .and_then(|before| Ok((before, evidence.relative_velocity(n, k, contact)?)));
            match both {
                Ok((before, now)) => {
                    let [before, now] = [along(before), along(now)];
                    let size = larger(told.norm(), now.norm());
                    let distance = smaller((told - now).norm(), (told - before).norm());
                    let change = (now - before).norm();
                    if size > least {
                        off.push((k, told - now, larger(distance - change, 0.0), size));
                    }
                }
                Err(why) => unknown = Some(why),
            }
        }
    }
    if off.len() < FEWEST {
        return vec![Outcome::lacks(unknown.unwrap_or("no contact slips"))];
    }
    let share = median(off.iter().map(|(_, _, distance, size)| distance / size));
    let noise = 6.0 * evidence.noise_of_slip(n);
    let middle = median(off.iter().map(|(_, _, distance, _)| *distance));
    if share <= SHARE || middle <= noise {
        let text =
            format!("within {} % of the speed at {} contacts", number(100.0 * share), off.len());
        return vec![Outcome::Clear(text)];
    }
    let differences: Vec<Vector> = off.iter().map(|(_, difference, _, _)| *difference).collect();
    let usual = median_vector(&differences);
    let spread = median(differences.iter().map(|d| (d - usual).norm()));
    let silent = slips().all(|slip| slip == Vector::zeros());
    let alone = off.iter().all(|_| evidence.log.all_contacts_of(n).all(|c| c.other.is_none()));
    if alone && !silent && spread <= SHARE * usual.norm() + noise {
        return vec![Outcome::Found(format!(
            "the slip differs from the motion by {} m/s throughout: do its surroundings move at that speed (--moving)?",
            number(usual.norm())
        ))];
    }
    vec![Outcome::Fault(
        &SLIP_OFF_MOTION,
        format!(
            "the slip that is reported is off by {} m/s, the median of {} contacts from t = {} s on, {} % of the speed",
            number(middle),
            off.len(),
            number(evidence.log.time[off[0].0]),
            number(100.0 * share)
        ),
    )]
}
