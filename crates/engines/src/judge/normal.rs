//! Motion along the normal: a contact that lasts neither opens nor closes.

use super::evidence::{FEW, Ground};
use super::statistics::{doubt, median, median_vector, noise};
use super::{Check, Evidence, Outcome};
use std::ops::Range;
use stiction_core::diagnosis::watch::FaultKind;
use stiction_core::math::{Vector, larger, number, smaller, sqrt};

/// Tolerated speed along the normal as a share of the largest speed.
const SHARE: f64 = 1e-3;

/// Speed along a normal that counts as none \[m/s\].
const NOTHING: f64 = 1e-9;

/// Tolerated change of Σ N and of Σ N²/Σ N in a window and in all of them, as a share: a larger one may press contacts
/// in.
const CHANGED: f64 = 2e-3;
const ALL: f64 = 0.01;

/// Share of the motion that is left with the arms of the frame before, where points are those of it.
const LAG: f64 = 0.1;

/// Windows that must be off, and the share of their usual speed that the last one must have: what settles slows down.
const WINDOWS: usize = 3;
const LASTS: f64 = 0.5;

/// The check.
pub(crate) static CHECK: Check = Check {
    name: "motion along normals",
    about: "velocity of the body along the normals at its contacts, relative to what it touches, the mean by N over windows in which contacts last and Σ N is steady, in share of the largest speed",
    judge,
};

/// A body moves into or out of what it touches.
pub(crate) static MOVES_ALONG_NORMAL: FaultKind = FaultKind::symptom(
    "moves-along-normal",
    "A body moves into what it touches, or away from it, for several windows in which its contacts last and bear a steady force: it sinks, it floats, or contacts or velocities are not those of the motion. Surroundings that move are another reason: `--moving` says so.",
);

/// A window in which contacts last under a steady force: its start \[s\], and the speed out of what is touched, with
/// its doubt \[m/s\].
struct Pressed {
    time: f64,
    speed: f64,
    doubt: f64,
    /// Σ N and Σ N²/Σ N \[N\]: contacts that share a load anew are pressed in and out
    force: Vector,
}

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    if evidence.log.contacts.is_none() {
        return vec![Outcome::lacks("the log has no contacts")];
    }
    if evidence.given.slope.is_some() {
        return vec![Outcome::lacks("its contacts are those of --slope")];
    }
    let surroundings = evidence.log.all_contacts_of(n).any(|c| c.other.is_none());
    if evidence.given.moving && surroundings {
        return vec![Outcome::lacks("the surroundings may move")];
    }
    if evidence.windows.is_empty() {
        return vec![Outcome::lacks(FEW)];
    }
    // points of contacts may be those of the frame before, if nearly all motion is that of their arms
    let [here, before] = [0, 1].map(|lag| of_windows(evidence, n, lag));
    let (here, before) = match (here, before) {
        (Ok(here), Ok(before)) => (here, before),
        (Err(why), _) | (_, Err(why)) => return vec![Outcome::lacks(why)],
    };
    let size = |all: &[Pressed]| all.iter().map(|of| of.speed.abs()).sum::<f64>();
    let all = if size(&before) < LAG * size(&here) { before } else { here };
    let [first, last] = [all[0].force, all[all.len() - 1].force];
    if (last - first).norm() > ALL * first.norm() {
        let text =
            "its contacts are pressed more and more, or less and less, or share their load anew";
        return vec![Outcome::lacks(text)];
    }
    vec![answer(evidence, n, &all)]
}

fn answer(evidence: &Evidence, n: usize, all: &[Pressed]) -> Outcome {
    let least = larger(SHARE * evidence.fastest(n), NOTHING);
    let off: Vec<&Pressed> = all.iter().filter(|of| of.speed.abs() - of.doubt > least).collect();
    let usual = median(off.iter().map(|of| of.speed));
    let last = off.last().map_or(0.0, |of| of.speed);
    let together = off.iter().all(|of| of.speed * usual > 0.0);
    let ends = all.last().is_some_and(|of| of.speed.abs() - of.doubt > least);
    if off.len() >= WINDOWS && together && ends && last.abs() >= LASTS * usual.abs() {
        let text = format!(
            "from t = {} s on it moves {} what it touches at {} m/s, in {} of {} windows of lasting contact",
            number(off[0].time),
            if usual < 0.0 { "into" } else { "out of" },
            number(usual.abs()),
            off.len(),
            all.len()
        );
        return Outcome::Fault(&MOVES_ALONG_NORMAL, text);
    }
    let hidden = all.iter().filter(|of| of.doubt > 10.0 * least).count();
    if 2 * hidden > all.len() {
        return Outcome::lacks("noise of the velocities hides a hundredth of the largest speed");
    }
    if let Some(one) = off.iter().max_by(|a, b| a.speed.abs().total_cmp(&b.speed.abs())) {
        return Outcome::Found(format!(
            "for a while, from t = {} s on, it moves {} what it touches at {} m/s",
            number(one.time),
            if one.speed < 0.0 { "into" } else { "out of" },
            number(one.speed.abs())
        ));
    }
    let most = all.iter().map(|of| of.speed.abs() + of.doubt).fold(0.0, larger);
    Outcome::Clear(format!(
        "below {} m/s in {} windows of lasting contact under a steady force",
        number(most),
        all.len()
    ))
}

/// The windows in which contacts last under steady forces, or the reason why there are none; with lever arms from
/// `lag` frames before.
fn of_windows(evidence: &Evidence, n: usize, lag: usize) -> Result<Vec<Pressed>, &'static str> {
    let (mut all, mut why) = (Vec::new(), "it is not in contact over a window");
    for window in &evidence.windows {
        match of_window(evidence, n, window, lag) {
            Ok(Some(pressed)) => all.push(pressed),
            Ok(None) => why = "no contact lasts under a steady force",
            Err(unknown) => why = unknown,
        }
    }
    if all.is_empty() { Err(why) } else { Ok(all) }
}

/// Speed along the normals in a window; none where contacts do not last, or their force is not steady.
fn of_window(
    evidence: &Evidence,
    n: usize,
    window: &Range<usize>,
    lag: usize,
) -> Result<Option<Pressed>, &'static str> {
    let lasts = evidence.ground(n, window).is_some_and(|ground: Ground| ground.share == 1.0);
    if !lasts {
        return Ok(None);
    }
    let (mut speeds, mut forces) = (Vec::new(), Vec::new());
    for k in window.clone() {
        let (mut speed, mut force, mut squares) = (0.0, 0.0, 0.0);
        for contact in evidence.log.contacts_of(n, k).filter(|c| c.normal_force > 0.0) {
            let frames = (k, k.saturating_sub(lag));
            let velocity = evidence.relative_velocity_from(n, frames, contact)?;
            speed += contact.normal_force * velocity.dot(&contact.normal);
            force += contact.normal_force;
            squares += contact.normal_force * contact.normal_force;
        }
        speeds.push(Vector::new(speed / force, 0.0, 0.0));
        forces.push(Vector::new(force, squares / force, 0.0));
    }
    let (half, count) = (forces.len() / 2, forces.len() as f64);
    let (first, last) = (median_vector(&forces[..half]), median_vector(&forces[half..]));
    let chance = 6.0 * 1.25 * noise(&forces) / sqrt(0.5 * count);
    let changed = (last - first).norm();
    if changed > CHANGED * smaller(first.x, last.x) + chance || chance > 0.1 * first.x {
        return Ok(None);
    }
    let speed = speeds.iter().map(|v| v.x).sum::<f64>() / count;
    let doubt = doubt(&speeds, 0.0);
    let (time, force) = (evidence.log.time[window.start], median_vector(&forces));
    Ok(Some(Pressed { time, speed, doubt, force }))
}
