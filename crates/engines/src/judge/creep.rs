//! Creep: steady displacement along a surface under a load that friction could hold, split into the
//! law's part and the integrator's.

use super::balance::{NO_GRAVITY, percent};
use super::evidence::{FEW, Ground, steady};
use super::{Check, Evidence, Outcome};
use std::collections::BTreeSet;
use std::ops::Range;
use stiction_core::diagnosis::thresholds::CREEP;
use stiction_core::diagnosis::watch::FaultKind;
use stiction_core::diagnosis::wrongs::CREEP_OFF_THE_LAW;
use stiction_core::math::{Vector, larger, number, sqrt};

/// Largest accelerating share of the load on a body that counts as creeping.
const AT_REST: f64 = 0.02;

/// Angle by which a body may turn in a window and still not roll \[rad\].
const TURNED: f64 = 0.01;

/// Share of Σ μ_k N from which what moves slides.
const SLIDES: f64 = 0.98;

/// Speed by which bodies that hold a body may move apart, as a share of its own, and what counts as none \[m/s\].
const APART: f64 = 0.1;
const NOTHING: f64 = 1e-9;

/// The check.
pub(crate) static CHECK: Check = Check {
    name: "creep",
    about: "steady Δx/Δt along the surface, relative to what is touched, at a load ratio |T|/(Σ μN) < 1; the law's part is the closed form where one is given, else the reported slip at which forces balance; the rest is the integrator's",
    judge,
};

/// Creep beyond the limit of a user.
pub(crate) static CREEP_ABOVE_LIMIT: FaultKind = FaultKind::of_drift(
    "creep-above-limit",
    "A body that friction could hold moves along its surface at more than the limit that `--creep` sets, whether by the law of the engine or by its integrator.",
);

/// A window in which friction could hold a body.
struct Held {
    window: Range<usize>,
    ground: Ground,
    /// relative to what it touches \[m/s\]
    drift: Vector,
    /// six σ of it, and rounding \[m/s\]
    noise: f64,
    ratio: f64,
}

impl Held {
    fn moves(&self) -> bool {
        self.drift.norm() > self.noise
    }
}

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    if evidence.log.contacts.is_none() {
        return vec![Outcome::lacks("the log has no contacts (--slope DEG puts it on a plane)")];
    }
    if evidence.gravity.is_none() {
        return vec![Outcome::lacks(NO_GRAVITY)];
    }
    if evidence.given.moving && evidence.log.all_contacts_of(n).any(|c| c.other.is_none()) {
        return vec![Outcome::lacks("the surroundings may move")];
    }
    if evidence.windows.is_empty() {
        return vec![Outcome::lacks(FEW)];
    }
    let (mut held, mut why) = (Vec::new(), "nothing touches it");
    for window in &evidence.windows {
        match of_window(evidence, n, window) {
            Ok(found) => held.push(found),
            Err(lacking) => why = lacking,
        }
    }
    if held.is_empty() {
        return vec![Outcome::lacks(why)];
    }
    answers(evidence, n, &held)
}

/// A window in which the body is in contact, bears a load within the cone, and is not accelerated; else the reason
/// why it does not count.
fn of_window(evidence: &Evidence, n: usize, window: &Range<usize>) -> Result<Held, &'static str> {
    let ground = evidence.ground(n, window).ok_or("nothing touches it")?;
    let bound = ground.bound.ok_or("contacts have no coefficient of friction (--friction MU)")?;
    if !ground.is_lasting() {
        return Err("it is not in contact over a window");
    }
    if !ground.is_open() {
        return Err("contacts press it from all sides");
    }
    if evidence.turned_in(n, window).is_some_and(|angle| angle > TURNED) {
        return Err("it turns, and its centre moves without slip");
    }
    let x = evidence.relative_positions(n, window);
    let length = evidence.length(window);
    let drift = ground.along((x[x.len() - 1] - x[0]) / length);
    let scale = evidence.scale_of_force(n);
    let needed = ground.along(evidence.needed(n, window).ok_or(NO_GRAVITY)?);
    if carries(evidence, n, window, drift.norm()) {
        return Err("bodies that it touches move apart: which of them holds it is not known");
    }
    let first = window.start;
    let speeding = evidence.body(n).mass * ground.along(evidence.acceleration(&x, first));
    if speeding.norm() > AT_REST * scale + evidence.noise_of_force(n, window) {
        return Err("it is accelerated along its surface");
    }
    let force = needed.norm();
    let (ratio, rounding) =
        (force / bound, 1e-12 * (x[0].norm() + evidence.body(n).position[first].norm()) / length);
    // a load of almost zero needs no friction: the body then rolls or slides without it
    if force <= 1e-3 * scale {
        return Err("no load acts along its surface");
    }
    let slides = ground.sliding.is_some_and(|sliding| force >= SLIDES * sliding);
    if ratio >= 1.0 || (slides && drift.norm() > evidence.sliding_speed(n)) {
        return Err("its load is more than friction can hold");
    }
    let noise = 6.0 * sqrt(2.0) * evidence.noise_of_position(n) / length + rounding;
    if drift.norm() > noise && drift.dot(&needed) >= 0.0 {
        return Err("it moves against its load");
    }
    Ok(Held { window: window.clone(), ground, drift, noise, ratio })
}

/// Whether the bodies that a body touches in a window, surroundings at rest among them, move apart by more than a tenth
/// of its own speed \[m/s\].
fn carries(evidence: &Evidence, n: usize, window: &Range<usize>, speed: f64) -> bool {
    let touched: BTreeSet<Option<usize>> =
        window.clone().flat_map(|k| evidence.log.contacts_of(n, k)).map(|c| c.other).collect();
    let moved = |other: &Option<usize>| {
        let x = other.map(|other| &evidence.body(other).position);
        x.map_or_else(Vector::zeros, |x| x[window.end - 1] - x[window.start])
    };
    let all: Vec<Vector> = touched.iter().map(moved).collect();
    let length = evidence.length(window);
    all.iter().any(|moved| (moved - all[0]).norm() / length > APART * speed + NOTHING)
}

/// The answers for all windows in which friction could hold the body.
fn answers(evidence: &Evidence, n: usize, held: &[Held]) -> Vec<Outcome> {
    let creeping: Vec<&Held> = held.iter().filter(|held| held.moves()).collect();
    // the last half of them, without the transient
    let last = &creeping[creeping.len() / 2..];
    let speeds: Vec<f64> = last.iter().map(|held| held.drift.norm()).collect();
    let is_steady = last.len() >= 2 && steady(&speeds);
    let ratio = mean(held.iter().map(|held| held.ratio));
    let many = held.len();
    let under = format!("in {many} windows under {} of what friction could hold", percent(ratio));
    let end = &held[many - 1];
    let split = is_steady.then(|| split(evidence, n, last));
    let net = net(evidence, n, held);
    if let Some(limit) = evidence.given.creep {
        // at rest in the end, it does not creep
        let most = if is_steady { mean(speeds.iter().copied()) } else { end.drift.norm() };
        let most = larger(most, net);
        let limited = against(limit, most, end.noise, &under);
        // a limit that is kept hides no fault of the law
        return [limited].into_iter().chain(split.filter(|of| of.fault().is_some())).collect();
    }
    let noise = held.iter().map(|held| held.noise).fold(0.0, larger);
    vec![split.unwrap_or_else(|| match creeping.is_empty() {
        true if net > noise => Outcome::Found(format!(
            "moves along its surface at {} m/s in the mean, by jumps {under}",
            number(net)
        )),
        true => {
            let most = number(noise);
            Outcome::Clear(format!("moves along its surface by less than {most} m/s {under}"))
        }
        false if !end.moves() => {
            Outcome::Found(format!("it has moved, and is at rest in the last window, {under}"))
        }
        false => {
            let speed = number(end.drift.norm());
            Outcome::Found(format!("not steady: moves at {speed} m/s in the last window, {under}"))
        }
    })]
}

/// The largest mean speed along the surface over successive windows in which friction could hold the body, from the
/// start of the first to the end of the last \[m/s\]: jumps between windows are part of it.
fn net(evidence: &Evidence, n: usize, held: &[Held]) -> f64 {
    let (mut most, mut first) = (0.0, 0);
    for k in 0..held.len() {
        let ends = k + 1 == held.len() || held[k + 1].window.start != held[k].window.end;
        if ends {
            let whole = held[first].window.start..held[k].window.end;
            let x = evidence.relative_positions(n, &whole);
            let moved = held[k].ground.along(x[x.len() - 1] - x[0]).norm();
            most = larger(most, moved / evidence.length(&whole));
            first = k + 1;
        }
    }
    most
}

/// A speed against the limit of the user \[m/s\].
fn against(limit: f64, speed: f64, noise: f64, under: &str) -> Outcome {
    let text = format!("moves at {} m/s {under}", number(speed));
    if speed <= noise && noise > limit {
        let (noise, limit) = (number(noise), number(limit));
        return Outcome::NotJudged(format!("noise of {noise} m/s hides creep of {limit} m/s"));
    }
    match speed > limit {
        true => {
            let text = format!("{text}; the limit is {} m/s", number(limit));
            Outcome::Fault(&CREEP_ABOVE_LIMIT, text)
        }
        false => Outcome::Clear(format!("{text}, below {} m/s", number(limit))),
    }
}

/// The creep, split into the parts of the law and of the integrator.
fn split(evidence: &Evidence, n: usize, last: &[&Held]) -> Outcome {
    let drift = mean(last.iter().map(|held| held.drift.norm()));
    let ratio = mean(last.iter().map(|held| held.ratio));
    let whole = format!(
        "creeps at {} m/s under {} of what friction could hold",
        number(drift),
        percent(ratio)
    );
    let (law, source) = match &evidence.given.law {
        Some((law, name)) => (*law, format!("the closed form of {name}")),
        None => match slip(evidence, n, last) {
            Some(slip) => (slip, "the slip that is reported, at which forces balance".into()),
            None => {
                return Outcome::Found(format!(
                    "{whole}; the law's part is not judged: the log has no velocities"
                ));
            }
        },
    };
    let rest = drift - law;
    let text = format!(
        "{whole}: {} m/s are the law's ({source}), {} m/s the integrator's",
        number(law),
        number(rest)
    );
    // many windows have less noise than one
    let windows = sqrt(last.len() as f64);
    let noise =
        6.0 * evidence.velocity_noise[n] + mean(last.iter().map(|held| held.noise)) / windows;
    match rest.abs() > CREEP * drift + noise {
        true => Outcome::Fault(&CREEP_OFF_THE_LAW, text),
        false => Outcome::Found(text),
    }
}

/// Mean reported speed along the surface, relative to what is touched \[m/s\].
fn slip(evidence: &Evidence, n: usize, last: &[&Held]) -> Option<f64> {
    evidence.body(n).velocity.as_ref()?;
    let of = |held: &&Held| {
        let velocity = evidence.relative_velocities(n, &held.window);
        let sum: Vector = velocity.iter().map(|v| held.ground.along(*v)).sum();
        sum.dot(&held.drift) / (velocity.len() as f64 * held.drift.norm())
    };
    Some(mean(last.iter().map(of)))
}

fn mean(of: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = of.len() as f64;
    of.sum::<f64>() / count
}
