//! The friction cone: |f| ≤ μ_s N at each contact.

use super::balance::percent;
use super::log::Contact;
use super::statistics::{median, noise};
use super::{Check, Evidence, Outcome};
use std::collections::BTreeSet;
use stiction_core::diagnosis::watch::FaultKind;
use stiction_core::math::{Vector, larger, number, sqrt};

/// Tolerated relative excess of a contact over its cone.
pub(super) const BEYOND: f64 = 1e-3;

/// Shares of the contacts that may be beyond their cone, and of the frames in contact in which any may: a transient.
const TRANSIENT: [f64; 2] = [0.01, 0.05];

/// Noise of |f|/(μ_s N) at six σ from which an excess is not seen.
const HIDDEN: f64 = 0.1;

/// |f|/(μ_s N) from which noise is looked at, and least number of frames of a stretch of it.
const NEAR: f64 = 0.5;
const FEWEST: usize = 16;

/// Number of such frames up to which they are one in a short log.
const FRAMES: usize = 4;

/// The check.
pub(crate) static CHECK: Check = Check {
    name: "friction cone",
    about: "|f|/(μ_s N) at each contact of each frame, and whether f = 0 where μ = 0",
    judge,
};

/// A contact that exceeds its cone.
pub(crate) static CONE_EXCEEDED: FaultKind = FaultKind::symptom(
    "cone-exceeded",
    "Friction exceeds μN, by more than a thousandth at more than 1 % of the contacts or in 5 % of the frames in contact, and in more than four frames, or by the change of momentum over two windows: another coefficient, or a square in place of a cone (up to √2 along its diagonal), or forces of an iteration that was not finished.",
);

/// Why friction cannot be compared.
pub(super) const NO_FRICTION: &str =
    "contacts have no friction force or no coefficient (--friction MU)";

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    let Some(frames) = &evidence.log.contacts else {
        return vec![Outcome::lacks("the log has no contacts")];
    };
    let scale = evidence.scale_of_force(n);
    let (mut worst, mut beyond, mut count, mut lacking) = ((0.0, 0), Vec::new(), 0usize, 0usize);
    let mut touched = BTreeSet::new();
    let noise = 6.0 * noise_of_ratio(evidence, n);
    for k in 0..frames.len() {
        let lag = evidence.lags(n, k).into_iter().fold(1.0, larger);
        for (place, contact) in evidence.bearing_places(n, k, scale) {
            let lag = larger(lag, evidence.lag_of(n, k, place));
            let bound = evidence.static_friction(contact).map(|mu| mu * contact.normal_force);
            let Some(ratio) = bound.and_then(|bound| ratio(contact, bound, scale)) else {
                lacking += 1;
                continue;
            };
            count += 1;
            touched.insert(k);
            if ratio > lag * (1.0 + BEYOND + noise) {
                beyond.push(k);
            }
            if ratio > worst.0 {
                worst = (ratio, k);
            }
        }
    }
    let outcome = match (count, lacking) {
        (0, 0) => Outcome::lacks("nothing presses it"),
        (0, _) => Outcome::lacks(NO_FRICTION),
        _ if beyond.is_empty() && noise > HIDDEN => {
            Outcome::lacks("noise of the forces hides a tenth of μN")
        }
        _ => of_count(evidence, worst, &beyond, (count, touched.len())),
    };
    let pulls = evidence.log.all_contacts_of(n).filter(|c| c.normal_force < -1e-3 * scale).count();
    let pulls = (pulls > 0).then(|| {
        Outcome::Found(format!("{pulls} contacts pull (N < 0): adhesion, or another sign?"))
    });
    let part = (count > 0 && lacking > 0)
        .then(|| Outcome::NotJudged(format!("{lacking} of its {NO_FRICTION}")));
    [outcome].into_iter().chain(pulls).chain(part).collect()
}

/// σ of |f|/(μ_s N) of a contact, from the third differences of the mean over all contacts of a frame, where that is
/// more than a half.
fn noise_of_ratio(evidence: &Evidence, n: usize) -> f64 {
    let scale = evidence.scale_of_force(n);
    let mean = |k: usize| {
        let bound = |c: &Contact| evidence.static_friction(c).map(|mu| mu * c.normal_force);
        let all: Vec<f64> = evidence
            .bearing(n, k, scale)
            .filter_map(|c| ratio(c, bound(c)?, scale))
            .filter(|ratio| ratio.is_finite())
            .collect();
        let count = all.len().max(1) as f64;
        (Vector::new(all.iter().sum::<f64>() / count, 0.0, 0.0), count)
    };
    let all: Vec<(Vector, f64)> = (0..evidence.log.time.len()).map(mean).collect();
    let stretches = all.chunk_by(|a, b| (a.0.x > NEAR) == (b.0.x > NEAR));
    let near = stretches.filter(|stretch| stretch[0].0.x > NEAR && stretch.len() >= FEWEST);
    let noises = near.map(|stretch| {
        let means: Vec<Vector> = stretch.iter().map(|of| of.0).collect();
        noise(&means) * sqrt(median(stretch.iter().map(|of| of.1)))
    });
    median(noises)
}

/// The answer for a number of contacts in a number of frames, of which those in the frames `beyond` exceed their cone,
/// the `worst` by that ratio in that frame.
fn of_count(
    evidence: &Evidence,
    worst: (f64, usize),
    beyond: &[usize],
    (count, touched): (usize, usize),
) -> Outcome {
    let (ratio, k) = worst;
    let most = match ratio.is_finite() {
        true => format!("{} times μN", number(ratio)),
        false => "friction where μ = 0".into(),
    };
    let Some((first, last)) = beyond.first().zip(beyond.last()) else {
        let allowed = match ratio > 1.0 + BEYOND {
            true => ", within noise and a lag of one frame",
            false => "",
        };
        let most = number(ratio);
        return Outcome::Clear(format!("at most {most} of μN at {count} contacts{allowed}"));
    };
    let share = beyond.len() as f64 / count as f64;
    let time = |k: usize| number(evidence.log.time[k]);
    let text = format!(
        "{} of {count} contacts ({}) exceed μN from t = {} s to {} s, the worst is {most} at t = {} s",
        beyond.len(),
        percent(share),
        time(*first),
        time(*last),
        time(k)
    );
    let frames: BTreeSet<&usize> = beyond.iter().collect();
    let lasts = share > TRANSIENT[0] || frames.len() as f64 > TRANSIENT[1] * touched as f64;
    match frames.len() > FRAMES && lasts {
        true => Outcome::Fault(&CONE_EXCEEDED, text),
        false => Outcome::Found(format!("a transient: {text}")),
    }
}

/// |f|/bound; infinite where friction acts and the bound is zero, none without friction. Below a thousandth of the
/// scale of forces \[N\] friction counts as none there.
pub(super) fn ratio(contact: &Contact, bound: f64, scale: f64) -> Option<f64> {
    let friction = contact.friction?.norm();
    Some(match bound > 0.0 {
        true => friction / bound,
        false if friction > 1e-3 * scale => f64::INFINITY,
        false => 0.0,
    })
}
