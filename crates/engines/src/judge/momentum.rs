//! Friction by momentum: the force along the surface that the motion needs, against μN. It needs no reported
//! friction.

use super::balance::{LOOSE, NO_GRAVITY, percent};
use super::cone::CONE_EXCEEDED;
use super::direction::{ANGLE, FRICTION_OFF_THE_SLIP, angle};
use super::evidence::{FEW, Ground};
use super::motion::NO_SPIN;
use super::sliding::FRICTION_OFF_THE_CONE;
use super::statistics::median;
use super::{Check, Evidence, Outcome};
use std::ops::Range;
use stiction_core::diagnosis::watch::FaultKind;
use stiction_core::math::{Vector, larger, number};

/// Tolerated relative difference of sliding friction from μ_k N.
const OFF: f64 = 0.03;

/// Tolerated relative excess of a body over what its contacts can bear.
const BEYOND: f64 = 0.01;

/// Share of the scale of forces that counts as none: rounding.
const NOTHING: f64 = 1e-6;

/// Share of Σ N whose slip goes in one direction, for contacts that slide together.
const TOGETHER: f64 = 0.99;

/// Windows that must be off: an impact against something else is in one of them.
const WINDOWS: usize = 2;

/// The check.
pub(crate) static CHECK: Check = Check {
    name: "friction by momentum",
    about: "T = m Δv/Δt − load along the surface, from positions, in windows in contact: |T| ≤ Σ μ_s N, and |T| = Σ μ_k N where all contacts slide in one direction",
    judge,
};

/// T against what contacts bear, in a window.
struct Asked {
    window: Range<usize>,
    /// |T| and six σ of it \[N\]
    force: f64,
    noise: f64,
    bound: f64,
    /// Σ μ_k N where all contacts slide in one direction \[N\], and the angle of T from that against it \[degrees\]
    sliding: Option<(f64, f64)>,
}

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    if evidence.log.contacts.is_none() {
        return vec![Outcome::lacks("the log has no contacts (--slope DEG puts it on a plane)")];
    }
    if evidence.gravity.is_none() {
        return vec![Outcome::lacks(NO_GRAVITY)];
    }
    if evidence.windows.is_empty() {
        return vec![Outcome::lacks(FEW)];
    }
    let grounds = evidence.windows.iter().filter_map(|w| Some((w, evidence.ground(n, w)?)));
    let grounds: Vec<_> =
        grounds.filter(|(_, ground)| ground.is_lasting() && ground.is_open()).collect();
    if grounds.is_empty() {
        return vec![Outcome::lacks("it is not in contact over a window")];
    }
    let of = |(window, ground): &(&Range<usize>, Ground)| asked(evidence, n, window, ground);
    let mut all: Vec<Asked> = grounds.iter().filter_map(of).collect();
    if all.is_empty() {
        return vec![Outcome::lacks("contacts have no coefficient of friction (--friction MU)")];
    }
    // where μ = 0, of a hundredth of the load; the few windows that happen to be quiet show nothing
    let (least, many) = (0.01 * evidence.scale_of_force(n), all.len());
    all.retain(|asked| asked.noise <= LOOSE * larger(asked.bound, least));
    if 2 * all.len() < many {
        let text = "noise of the positions hides a tenth of what friction can bear";
        return vec![Outcome::lacks(text)];
    }
    let mut answers = vec![held(evidence, &all), slides(evidence, n, &all)];
    // one of the two may have nothing to compare
    if answers.iter().any(Outcome::is_judged) {
        answers.retain(Outcome::is_judged);
    } else {
        answers.truncate(1);
    }
    answers
}

fn asked(evidence: &Evidence, n: usize, window: &Range<usize>, ground: &Ground) -> Option<Asked> {
    // the normal forces as reported are left out, since normals may turn
    let needed = ground.along(evidence.needed(n, window)? - ground.normal);
    let force = needed.norm();
    let along = slides_together(evidence, n, window);
    let sliding = ground.sliding.zip(along.map(|along| angle(&needed, &along)));
    let noise = evidence.noise_of_force(n, window)
        + ground.along(evidence.shift(n, window)).norm()
        + NOTHING * evidence.scale_of_force(n);
    Some(Asked { window: window.clone(), force, noise, bound: ground.bound?, sliding })
}

/// The direction in which all contacts slide in all frames of a window, if it is one.
pub(super) fn slides_together(
    evidence: &Evidence,
    n: usize,
    window: &Range<usize>,
) -> Option<Vector> {
    let enough = evidence.sliding_speed(n);
    let (mut sum, mut all) = (Vector::zeros(), 0.0);
    for k in window.clone() {
        for contact in evidence.log.contacts_of(n, k) {
            match evidence.slip(n, k, contact) {
                Ok(slip) if slip.norm() > enough => {
                    sum += contact.normal_force * slip.normalize();
                    all += contact.normal_force;
                }
                _ => return None,
            }
        }
    }
    (all > 0.0 && sum.norm() >= TOGETHER * all).then_some(sum)
}

/// A fault in a number of windows; in a single one it is a transient.
fn lasting(kind: &'static FaultKind, text: String, windows: usize) -> Outcome {
    match windows >= WINDOWS {
        true => Outcome::Fault(kind, text),
        false => Outcome::Found(format!("a transient: {text}")),
    }
}

/// |T| ≤ Σ μ_s N in all windows.
fn held(evidence: &Evidence, all: &[Asked]) -> Outcome {
    let excess = |asked: &Asked| asked.force - asked.noise - (1.0 + BEYOND) * asked.bound;
    let beyond: Vec<&Asked> =
        all.iter().filter(|asked| excess(asked) > 0.01 * asked.force).collect();
    if let Some(worst) = beyond.iter().max_by(|a, b| excess(a).total_cmp(&excess(b))) {
        let text = format!(
            "from t = {} s on the motion needs {} N of friction, or of forces that are not in the log (drag?), and μN is {} N, in {} of {} windows",
            number(evidence.log.time[worst.window.start]),
            number(worst.force),
            number(worst.bound),
            beyond.len(),
            all.len()
        );
        return lasting(&CONE_EXCEEDED, text, beyond.len());
    }
    let bounded = || all.iter().filter(|asked| asked.bound > 0.0);
    let most = bounded().map(|asked| asked.force / asked.bound).fold(0.0, larger);
    match bounded().next() {
        Some(_) => Outcome::Clear(format!(
            "the motion needs at most {} of μN, each the mean of one of {} windows in contact",
            number(most),
            all.len()
        )),
        None => Outcome::Clear(format!("no friction in {} windows, as μ = 0", all.len())),
    }
}

/// |T| = Σ μ_k N in windows in which all contacts slide.
fn slides(evidence: &Evidence, n: usize, all: &[Asked]) -> Outcome {
    let sliding: Vec<(&Asked, f64)> =
        all.iter().filter_map(|asked| Some((asked, asked.sliding?.0))).collect();
    if sliding.len() < WINDOWS {
        let unknown = evidence.spins[n].is_none();
        return Outcome::lacks(if unknown {
            NO_SPIN
        } else {
            "it does not slide over two windows"
        });
    }
    let distance = |(asked, bound): &(&Asked, f64)| (asked.force - bound).abs() - asked.noise;
    let off = |of: &&(&Asked, f64)| distance(of) > OFF * larger(of.1, of.0.force);
    let beyond: Vec<&(&Asked, f64)> = sliding.iter().filter(off).collect();
    let share = |(asked, bound): &(&Asked, f64)| match *bound > 0.0 {
        true => format!("{} of μN", number(asked.force / bound)),
        false => format!("{} N where μ = 0", number(asked.force)),
    };
    if let Some(worst) = beyond.iter().max_by(|a, b| distance(a).total_cmp(&distance(b))) {
        let text = format!(
            "from t = {} s on it slides as by {}, or under forces that are not in the log (drag?), in {} of {} windows",
            number(evidence.log.time[worst.0.window.start]),
            share(worst),
            beyond.len(),
            sliding.len()
        );
        return lasting(&FRICTION_OFF_THE_CONE, text, beyond.len());
    }
    let turned: Vec<f64> = all
        .iter()
        .filter(|of| of.force > 10.0 * of.noise)
        .filter_map(|of| Some(of.sliding?.1))
        .collect();
    let off = turned.iter().filter(|angle| **angle > ANGLE).count();
    if off >= WINDOWS && 2 * off > turned.len() {
        let text = format!(
            "what brakes it is {} degrees off the direction against its slip, the median of {} windows",
            number(median(turned.iter().copied())),
            turned.len()
        );
        return Outcome::Fault(&FRICTION_OFF_THE_SLIP, text);
    }
    clear(&sliding)
}

/// The answer for windows in which what slides is braked by μ_k N.
fn clear(sliding: &[(&Asked, f64)]) -> Outcome {
    if sliding.iter().all(|(_, bound)| *bound == 0.0) {
        let most = sliding.iter().map(|(asked, _)| asked.force).fold(0.0, larger);
        let (most, count) = (number(most), sliding.len());
        return Outcome::Clear(format!(
            "it slides by {most} N at most in {count} windows, as μ = 0"
        ));
    }
    let distance = |(asked, bound): &(&Asked, f64)| (asked.force - bound).abs() - asked.noise;
    let worst = sliding.iter().max_by(|a, b| distance(a).total_cmp(&distance(b)));
    let most = worst.map_or(0.0, |(asked, bound)| {
        (asked.force - bound).abs() / larger(*bound, f64::MIN_POSITIVE)
    });
    let hidden =
        sliding.iter().map(|(asked, bound)| asked.noise / larger(*bound, f64::MIN_POSITIVE));
    let (hidden, count) = (percent(hidden.fold(0.0, larger)), sliding.len());
    Outcome::Clear(format!(
        "it slides by μN within {} in {count} windows, of which noise may be {hidden}",
        percent(most)
    ))
}
