//! Sliding friction: |f| = μ_k N where a contact slides.

use super::balance::percent;
use super::cone::{NO_FRICTION, ratio};
use super::log::Contact;
use super::statistics::{median, spread};
use super::{Check, Evidence, Outcome};
use std::collections::{BTreeMap, BTreeSet};
use stiction_core::diagnosis::watch::FaultKind;
use stiction_core::math::{larger, number, smaller, sqrt};

/// Tolerated relative difference of sliding friction from μ_k N.
pub(super) const OFF: f64 = 0.02;

/// Share of sliding contacts that may be further off: frames in which sliding begins or ends.
const SHARE: f64 = 0.1;

/// Frames with such contacts from which it is more than a beginning or an end.
const FRAMES: usize = 8;

/// Tolerated difference in successive frames within a slide, as a share, and the least number of these.
const LAPSED: f64 = 0.1;
const SUCCESSIVE: usize = 4;

/// Frames at which a slide begins and ends.
const ENDS: usize = 2;

/// Least number of sliding contacts.
pub(super) const FEWEST: usize = 8;

/// The check.
pub(crate) static CHECK: Check = Check {
    name: "sliding friction",
    about: "|f|/(μ_k N) of contacts that slide, faster than a tenth of the largest speed and .05 m/s, against 1",
    judge,
};

/// The friction of a sliding contact is not that of its cone.
pub(crate) static FRICTION_OFF_THE_CONE: FaultKind = FaultKind::symptom(
    "friction-off-the-cone",
    "A contact slides, and its friction differs from μ_k N by more than 2 %, in the median or at more than 10 % of the contacts that slide, in eight frames or more, or by 10 % in four successive frames within a slide; or the change of momentum over two windows differs by more than 3 %, or by 10 % in four successive frames and 1 % of the slide: a pyramid inscribed in the cone (0.71 along its diagonal), a coefficient that was not delivered, a threshold above the speed of the slip, or no friction at all.",
);

/// A contact that slides, with its frame and slip velocity \[m/s\].
pub(super) struct Sliding<'a> {
    pub frame: usize,
    pub contact: &'a Contact,
    pub slip: stiction_core::math::Vector,
}

/// The contacts of a body that slide, [`FEWEST`] at least, without those of the first frame; or the reason why there
/// are none.
pub(super) fn all_sliding<'a>(
    evidence: &'a Evidence,
    n: usize,
) -> Result<Vec<Sliding<'a>>, &'static str> {
    if evidence.log.contacts.is_none() {
        return Err("the log has no contacts");
    }
    let (scale, enough) = (evidence.scale_of_force(n), evidence.sliding_speed(n));
    let (mut all, mut unknown) = (Vec::new(), None);
    for frame in 1..evidence.log.time.len() {
        for contact in evidence.bearing(n, frame, scale) {
            match evidence.slip(n, frame, contact) {
                Ok(slip) if slip.norm() > enough => all.push(Sliding { frame, contact, slip }),
                Ok(_) => {}
                Err(why) => unknown = Some(why),
            }
        }
    }
    match unknown {
        Some(why) if all.is_empty() => Err(why),
        _ if all.len() < FEWEST => {
            Err("no contact slides faster than a tenth of the largest speed and .05 m/s")
        }
        _ => Ok(all),
    }
}

impl Evidence<'_> {
    /// Which of [`Self::lags`] makes the ratios of contacts that slide most alike: 0 for the normal forces of the same
    /// frame, unless another one is clearly better.
    pub(super) fn usual_lag(&self, n: usize, sliding: &[Sliding]) -> usize {
        let spread_by = |lag: usize| {
            let ratio = |one: &Sliding| {
                let by = self.lags(n, one.frame)[lag];
                let friction = one.contact.friction?.norm();
                (by > 0.0).then(|| friction / (by * one.contact.normal_force))
            };
            let all: Vec<f64> = sliding.iter().filter_map(ratio).collect();
            spread(&all) / larger(median(all.iter().copied()), f64::MIN_POSITIVE)
        };
        let spreads = [0, 1, 2].map(spread_by);
        let best = if spreads[1] < spreads[2] { 1 } else { 2 };
        if spreads[best] < 0.5 * spreads[0] { best } else { 0 }
    }
}

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    let all = match all_sliding(evidence, n) {
        Ok(all) => all,
        Err(why) => return vec![Outcome::lacks(why)],
    };
    let scale = evidence.scale_of_force(n);
    let lag = evidence.usual_lag(n, &all);
    let of = |one: &Sliding| {
        let bound = evidence.kinetic_friction(one.contact)? * one.contact.normal_force;
        let ratio = ratio(one.contact, bound, scale)?;
        // no friction where μ = 0 is all of it
        let ratio = if bound == 0.0 && ratio == 0.0 { 1.0 } else { ratio };
        let by = evidence.lags(n, one.frame)[lag];
        (by > 0.0).then_some((one.frame, ratio / by))
    };
    let ratios: Vec<(usize, f64)> = all.iter().filter_map(of).collect();
    if ratios.len() < FEWEST {
        return vec![Outcome::lacks(NO_FRICTION)];
    }
    let free = all.iter().all(|one| evidence.kinetic_friction(one.contact) == Some(0.0));
    vec![against_one(evidence, n, &ratios, free)]
}

/// Whether Σ N hardly changes between two frames: an impact changes it.
fn is_steady(evidence: &Evidence, n: usize, first: usize, last: usize) -> bool {
    let sums = (first..=last)
        .map(|k| evidence.log.contacts_of(n, k).map(|c| larger(c.normal_force, 0.0)).sum::<f64>());
    let (least, most) =
        sums.fold((f64::MAX, 0.0), |(low, high), sum| (smaller(low, sum), larger(high, sum)));
    most <= (1.0 + LAPSED) * least
}

/// The frames of the longest lapse: successive ones in which all contacts that slide are off by more than a tenth and
/// six σ, within a slide that was right before.
fn lapse(ratios: &[(usize, f64)], noise: f64) -> Option<(usize, usize)> {
    let mut frames: BTreeMap<usize, bool> = BTreeMap::new();
    for (frame, ratio) in ratios {
        let is_off = (ratio - 1.0).abs() > LAPSED + noise;
        frames.entry(*frame).and_modify(|all| *all &= is_off).or_insert(is_off);
    }
    let right = |frame: usize| frames.get(&frame) == Some(&false);
    let (mut longest, mut from): (Option<(usize, usize)>, Option<usize>) = (None, None);
    for (frame, is_off) in &frames {
        from = match (is_off, from) {
            (false, _) => None,
            (true, Some(first)) if frames.contains_key(&(frame - 1)) => Some(first),
            (true, _) => right(frame - 1).then_some(*frame),
        };
        let longer = |first: usize| longest.is_none_or(|(a, b)| frame - first > b - a);
        longest = from.filter(|first| longer(*first)).map(|first| (first, *frame)).or(longest);
    }
    longest.filter(|(first, last)| last - first + 1 >= SUCCESSIVE && right(last + 1))
}

/// The answer for ratios of sliding contacts in frames.
fn against_one(evidence: &Evidence, n: usize, ratios: &[(usize, f64)], free: bool) -> Outcome {
    let middle = median(ratios.iter().map(|(_, ratio)| *ratio));
    // noise of the forces, if it is finite
    let all: Vec<f64> = ratios.iter().map(|of| of.1).collect();
    let noise = if middle.is_finite() { 6.0 * spread(&all) } else { 0.0 };
    let is_wrong = (middle - 1.0).abs() > OFF + 1.25 * noise / sqrt(all.len() as f64);
    let is_off = |of: &&(usize, f64)| (of.1 - 1.0).abs() > OFF + noise;
    let off: Vec<&(usize, f64)> = ratios.iter().filter(is_off).collect();
    let count = ratios.len();
    if !middle.is_finite() {
        let text = format!("friction acts at {count} contacts that slide, where μ = 0");
        return Outcome::Fault(&FRICTION_OFF_THE_CONE, text);
    }
    let text = match free {
        true => format!("no friction at {count} contacts that slide, as μ = 0"),
        false => format!(
            "friction of what slides is {} of μN, the median of {count} contacts",
            number(middle)
        ),
    };
    let Some((first, last)) = off.first().zip(off.last()) else {
        return match is_wrong {
            true => Outcome::Fault(&FRICTION_OFF_THE_CONE, text),
            false => Outcome::Clear(text),
        };
    };
    if let Some((first, last)) = lapse(ratios, noise)
        && is_steady(evidence, n, first - 1, last + 1)
    {
        let [from, to] = [first, last].map(|k| number(evidence.log.time[k]));
        let text = format!("{text}; from t = {from} s to {to} s it is not");
        return Outcome::Fault(&FRICTION_OFF_THE_CONE, text);
    }
    let share = off.len() as f64 / count as f64;
    let frames: BTreeSet<usize> = off.iter().map(|(frame, _)| *frame).collect();
    let others = median(off.iter().map(|(_, ratio)| *ratio));
    let text = format!(
        "{text}; {} of them are off, between t = {} s and {} s, their median is {} of μN",
        percent(share),
        number(evidence.log.time[first.0]),
        number(evidence.log.time[last.0]),
        number(others)
    );
    match is_wrong || (share > SHARE && frames.len() >= FRAMES) {
        true => Outcome::Fault(&FRICTION_OFF_THE_CONE, text),
        false if frames.len() > ENDS => Outcome::Found(format!("a transient: {text}")),
        false => Outcome::Clear(text),
    }
}
