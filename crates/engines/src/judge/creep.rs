//! Creep: steady displacement along a surface under a load that friction could hold, split into the
//! law's part and the integrator's.

use super::evidence::{Ground, steady};
use super::statistics::median_vector;
use super::{Check, Evidence, Outcome, balance};
use std::ops::Range;
use stiction_core::diagnosis::thresholds::CREEP;
use stiction_core::diagnosis::wrongs::CREEP_OFF_THE_LAW;
use stiction_core::math::{Vector, number, sqrt};

/// Largest accelerating share of the load on a body that counts as creeping.
const AT_REST: f64 = 0.02;

/// The check.
pub(crate) static CHECK: Check = Check {
    name: "creep",
    about: "steady Δx/Δt along the surface at a load ratio |T|/(Σ μN) < 1; the law's part is the closed form where one is given, else the reported slip at which forces balance; the rest is the integrator's",
    judge,
};

/// A window in which a body creeps.
struct Creeping {
    window: Range<usize>,
    ground: Ground,
    drift: Vector,
    ratio: f64,
}

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    if evidence.log.contacts.is_none() {
        return vec![Outcome::Unjudged("the log has no contacts".into())];
    }
    if evidence.gravity.is_none() {
        return vec![Outcome::Unjudged("gravity is not known (--gravity X,Y,Z)".into())];
    }
    if evidence.given.moving {
        return vec![Outcome::Unjudged("the surroundings may move".into())];
    }
    let known = evidence.given.friction.is_some();
    let told =
        evidence.log.contacts.iter().flatten().flatten().all(|c| c.static_friction.is_some());
    if !known && !told {
        return vec![Outcome::Unjudged(
            "contacts have no coefficient of friction (--friction MU)".into(),
        )];
    }
    let creeping: Vec<Creeping> =
        evidence.windows.iter().filter_map(|window| window_of(evidence, n, window)).collect();
    // the last half of them, without the transient
    let last = &creeping[creeping.len() / 2..];
    let speeds: Vec<f64> = last.iter().map(|c| c.drift.norm()).collect();
    if last.len() < 2 || !steady(&speeds) {
        return vec![Outcome::Clear("nothing creeps".into())];
    }
    vec![split(evidence, n, last)]
}

/// A window in which the body is in contact, bears a load within the cone, is not accelerated, and
/// yet moves.
fn window_of(evidence: &Evidence, n: usize, window: &Range<usize>) -> Option<Creeping> {
    let ground = evidence.ground(n, window)?;
    if ground.share < 0.99 {
        return None;
    }
    let body = evidence.body(n);
    let x = &body.position;
    let length = evidence.length(window);
    let drift = ground.along((x[window.end - 1] - x[window.start]) / length);
    let scale = evidence.scale_of_force(n);
    let needed = ground.along(evidence.needed(n, window)?);
    let held = ground.along(-evidence.load(n, window.start)?);
    if (needed - held).norm()
        > AT_REST * scale + 30.0 * body.mass * evidence.noise_of_position(n) / (length * length)
    {
        return None;
    }
    let ratio = held.norm() / ground.bound;
    let noise = 6.0 * sqrt(2.0) * evidence.noise_of_position(n) / length;
    let rounding = 1e-14 * x[window.start].norm() / length;
    // a load of almost zero needs no friction: the body then rolls or slides without it
    let loaded = held.norm() > 1e-3 * scale;
    (ratio < 1.0 && loaded && drift.norm() > noise + rounding && drift.dot(&held) < 0.0)
        .then(|| Creeping { window: window.clone(), ground, drift, ratio })
}

/// The creep, split into the parts of the law and of the integrator.
fn split(evidence: &Evidence, n: usize, last: &[Creeping]) -> Outcome {
    // from the start of the first window to the end of the last
    let (from, to) = (last[0].window.start, last[last.len() - 1].window.end - 1);
    let x = &evidence.body(n).position;
    let ground = &last[0].ground;
    let drift =
        ground.along((x[to] - x[from]) / (evidence.log.time[to] - evidence.log.time[from])).norm();
    let ratio = mean(last.iter().map(|c| c.ratio));
    let whole = format!(
        "creeps at {} m/s under {} of what friction could hold",
        number(drift),
        balance::percent(ratio)
    );
    let (law, source) = match &evidence.given.law {
        Some((law, name)) => (*law, format!("the closed form of {name}")),
        None => match slip(evidence, n, last) {
            Some(slip) => (slip, "the slip that is reported, at which forces balance".into()),
            None => {
                return Outcome::Found(format!(
                    "{whole}; whose it is cannot be judged: the log has no velocities"
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
    let noise = 6.0 * evidence.noise_of_velocity(n);
    match rest.abs() > CREEP * drift + noise {
        true => Outcome::Fault(&CREEP_OFF_THE_LAW, text),
        false => Outcome::Found(text),
    }
}

/// Mean reported speed along the surface \[m/s\].
fn slip(evidence: &Evidence, n: usize, last: &[Creeping]) -> Option<f64> {
    let velocity = evidence.body(n).velocity.as_ref()?;
    let of = |c: &Creeping| {
        let along: Vec<Vector> =
            velocity[c.window.clone()].iter().map(|v| c.ground.along(*v)).collect();
        median_vector(&along).dot(&c.drift) / c.drift.norm()
    };
    Some(mean(last.iter().map(of)))
}

fn mean(of: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = of.len() as f64;
    of.sum::<f64>() / count
}
