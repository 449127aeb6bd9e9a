//! False sleep: a body that has moved stands motionless under unbalanced forces.

use super::balance::{NO_GRAVITY, SHARE, percent, unbalanced};
use super::cone::BEYOND;
use super::evidence::Ground;
use super::statistics::{doubt, median_vector, spread};
use super::{Check, Evidence, Outcome};
use std::ops::Range;
use stiction_core::diagnosis::watch::FaultKind;
use stiction_core::math::{Vector, larger, number, sqrt};

/// Number of frames without motion that count as sleep.
const FRAMES: usize = 8;

/// Frames of flight before a sleep in the air.
const FLOWN: usize = 6;

/// Frames from which the noise of normal forces is taken.
const NOISY: usize = 64;

/// The check.
pub(crate) static CHECK: Check = Check {
    name: "sleep",
    about: "positions that do not change by a bit for eight frames or more: forces must balance, and the load must lie within the cone",
    judge,
};

/// A body that must move is asleep.
pub(crate) static FALSE_SLEEP: FaultKind = FaultKind::symptom(
    "false-sleep",
    "A body that moves at some time stands motionless to the last bit although the load is beyond the friction cone, or although the forces that are reported do not balance, or in the air after a flight: the engine put it to sleep. What is slow is not at rest. Switch sleeping off, or lower its thresholds.",
);

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    let x = &evidence.body(n).position;
    if x.len() < FRAMES {
        return vec![Outcome::lacks("it has fewer than eight frames")];
    }
    if x.iter().all(|place| *place == x[0]) {
        return vec![Outcome::lacks("it never moves")];
    }
    let all: Vec<Outcome> = stretches(x).map(|still| of_stretch(evidence, n, &still)).collect();
    let fault = all.iter().find(|outcome| outcome.fault().is_some());
    let clear = all.iter().rev().find(|outcome| outcome.is_judged());
    vec![match fault.or(clear).or(all.last()) {
        Some(outcome) => outcome.clone(),
        None => Outcome::Clear("no eight frames without motion, and it moves".into()),
    }]
}

/// The answer for a range of frames without motion.
fn of_stretch(evidence: &Evidence, n: usize, still: &Range<usize>) -> Outcome {
    let [from, to] = [still.start, still.end - 1].map(|k| number(evidence.log.time[k]));
    let times = format!("motionless from t = {from} s to {to} s");
    if turns(evidence, n, still) {
        return Outcome::NotJudged(format!("its centre is {times}, and it turns"));
    }
    // the force of its last frame may be that of the step in which it moves
    let Some(load) = evidence.load(n, still.end - 2) else {
        return Outcome::NotJudged(format!("{times}; {NO_GRAVITY}"));
    };
    let scale = evidence.scale_of_force(n);
    // the last frame with a reported contact
    let touching = (0..still.end)
        .rev()
        .find(|k| evidence.log.contacts_of(n, *k).any(|c| c.normal_force > 0.0));
    if in_the_air(evidence, n, still, touching) && load.norm() > SHARE * scale {
        return Outcome::Fault(&FALSE_SLEEP, format!("{times} in the air, where it flew before"));
    }
    let ground = touching.and_then(|k| evidence.ground(n, &(k.saturating_sub(FRAMES)..k + 1)));
    let ground = ground.filter(Ground::is_open);
    let within = ground.and_then(|ground| Some((ground.along(load).norm(), ground.bound?)));
    let within = within.filter(|(_, bound)| *bound > 0.0);
    let noise = touching.map_or(0.0, |k| noise_of_bound(evidence, n, k));
    if let Some((force, bound)) = within
        && force > bound * (1.0 + BEYOND) + noise
    {
        let text = format!(
            "{times}, though the load is {} times what friction can hold",
            number(force / bound)
        );
        return Outcome::Fault(&FALSE_SLEEP, text);
    }
    if touching.is_some_and(|k| k + 1 >= still.end) && evidence.reports_forces(n) {
        let left = unbalanced_in(evidence, n, still);
        // where forces do not balance in motion either, sleep is not the cause
        let before = unbalanced(evidence, n, still.start).unwrap_or(0.0);
        if left > SHARE * scale && left > 2.0 * before {
            let text = format!(
                "{times}, though {} N are not balanced, {} of the load",
                number(left),
                percent(left / scale)
            );
            return Outcome::Fault(&FALSE_SLEEP, text);
        }
    }
    match within {
        Some((force, bound)) => Outcome::Clear(format!(
            "{times}, under {} of what friction can hold",
            percent(force / bound)
        )),
        None => Outcome::NotJudged(format!(
            "{times}; contacts or coefficients of friction are not reported"
        )),
    }
}

/// Whether a body that stands still from a frame on flew in the frames before it, and touches nothing since.
fn in_the_air(
    evidence: &Evidence,
    n: usize,
    still: &Range<usize>,
    touching: Option<usize>,
) -> bool {
    let from = still.start.saturating_sub(FLOWN);
    evidence.log.contacts.is_some()
        && !evidence.noise_hides_flights(n)
        && still.start >= FLOWN
        && touching.is_none_or(|k| k < from)
        && (from + 1..still.start - 1).all(|k| evidence.flies(n, k))
}

/// Whether a body turns in a range of frames: by its orientations, else by its spin.
fn turns(evidence: &Evidence, n: usize, still: &Range<usize>) -> bool {
    let moves = |k: usize, spins: &[Vector]| spins[k].norm() > 1e-9 + 6.0 * evidence.spin_noise[n];
    match (&evidence.body(n).orientation, &evidence.spins[n]) {
        // a body that is put to sleep may report the spin of before
        (Some(turns), _) => turns[still.clone()].windows(2).any(|pair| pair[0] != pair[1]),
        (None, Some(spins)) => still.clone().any(|k| moves(k, spins)),
        (None, None) => false,
    }
}

/// Six σ of the mean of Σ μ_s N over the frames of contact up to one \[N\].
fn noise_of_bound(evidence: &Evidence, n: usize, last: usize) -> f64 {
    let bound = |k: usize| {
        let all = evidence.log.contacts_of(n, k);
        all.map(|c| evidence.static_friction(c).unwrap_or(0.0) * c.normal_force).sum()
    };
    let all: Vec<f64> = (last.saturating_sub(NOISY)..=last).map(bound).collect();
    6.0 * spread(&all) / sqrt(FRAMES as f64)
}

/// The median of what is not balanced in the frames of a range with contacts, beyond its chance error \[N\].
fn unbalanced_in(evidence: &Evidence, n: usize, still: &Range<usize>) -> f64 {
    let touches = |k: &usize| evidence.log.contacts_of(n, *k).next().is_some();
    let left = |k: usize| {
        let forces = evidence.log.contacts_of(n, k).map(|c| c.force()).sum::<Vector>();
        Some(forces + evidence.load(n, k)?)
    };
    let all: Vec<Vector> = still.clone().skip(1).filter(touches).filter_map(left).collect();
    larger(median_vector(&all).norm() - doubt(&all, 0.0), 0.0)
}

/// The ranges of eight frames or more without motion.
fn stretches(x: &[Vector]) -> impl Iterator<Item = Range<usize>> {
    let (mut all, mut from) = (Vec::new(), 0);
    for k in 1..=x.len() {
        if k == x.len() || x[k] != x[k - 1] {
            if k - from >= FRAMES {
                all.push(from..k);
            }
            from = k;
        }
    }
    all.into_iter()
}
