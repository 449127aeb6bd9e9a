//! Jumps of velocity: a change between two frames that no force in the log can make.

use super::balance::{FORCES_UNBALANCED, NO_GRAVITY};
use super::evidence::Convention;
use super::log::Contact;
use super::torques::{TORQUES_UNBALANCED, angular_momentum};
use super::{Check, Evidence, Outcome};
use stiction_core::math::{Vector, larger, number, smaller, sqrt};

/// Least change as a share of the largest speed, and of the largest angular momentum.
const SHARE: f64 = 0.05;

/// Longest arm of an impact, in radii of gyration.
const ARM: f64 = 10.0;

/// Friction that is allowed, in Σ μ_s N of the frames around.
const FRICTION: f64 = 1.5;

/// Cosine of the angle to the impulse from which a velocity goes into any obstacle that can have made it.
const CLOSES: f64 = 0.75;

/// Tolerated ratio of Σ N in successive frames: an impact has more.
const STEADY: f64 = 1.5;

/// The check.
pub(crate) static CHECK: Check = Check {
    name: "jumps",
    about: "m Δv − load Δt between two frames: in flight against nothing, in contact along the surface against 1.5 Σ μ_s N Δt, where Σ N is steady; ΔL − torques Δt in flight, where no impulse goes with it; in share of the largest momentum",
    judge,
};

/// A change of velocity beyond the forces of its interval.
struct Jump {
    frame: usize,
    /// \[m/s\]
    size: f64,
    flies: bool,
    /// in flight: no obstacle at rest can have made it
    closes: bool,
}

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    let mut answers = vec![of_velocity(evidence, n), of_spin(evidence, n)];
    // one of the two may have nothing to compare
    if answers.iter().any(Outcome::is_judged) {
        answers.retain(Outcome::is_judged);
    } else {
        answers.truncate(1);
    }
    answers
}

fn of_velocity(evidence: &Evidence, n: usize) -> Outcome {
    if evidence.body(n).velocity.is_none() {
        return Outcome::lacks("the log has no velocities");
    }
    if evidence.log.contacts.is_none() {
        return Outcome::lacks("the log has no contacts");
    }
    if evidence.given.slope.is_some() {
        return Outcome::lacks("its contacts are those of --slope");
    }
    if evidence.gravity.is_none() {
        return Outcome::lacks(NO_GRAVITY);
    }
    let all: Vec<Jump> = (1..evidence.log.time.len().saturating_sub(1))
        .filter_map(|k| jump(evidence, n, k))
        .collect();
    match all.is_empty() {
        true => Outcome::lacks(
            "it neither flies nor is in contact under a steady force, or μ is not known",
        ),
        false => answer(evidence, n, &all),
    }
}

/// The answer for angular momentum in flight.
fn of_spin(evidence: &Evidence, n: usize) -> Outcome {
    let Ok(momentum) = angular_momentum(evidence, n) else {
        return Outcome::lacks("spin, orientations or moments of inertia are not reported");
    };
    let (body, v) = (evidence.body(n), &evidence.velocities[n]);
    let spins = evidence.spins[n].as_ref().map_or(&[][..], Vec::as_slice);
    let most = momentum.iter().map(Vector::norm).fold(0.0, larger);
    let moments = body.inertia.unwrap_or_default();
    let radius = sqrt(moments.sum() / (2.0 * body.mass));
    let noise = 20.0 * moments.max() * evidence.spin_noise[n];
    let (mut worst, mut frames) = (None, 0usize);
    for k in 1..momentum.len().saturating_sub(1) {
        if evidence.log.contacts.is_none() || !flies(evidence, n, k) {
            continue;
        }
        frames += 1;
        let dt = evidence.interval(k);
        let left = |convention: Convention| {
            let torque = convention.between(body.torque(k - 1), body.torque(k));
            (momentum[k] - momentum[k - 1] - dt * torque).norm()
        };
        let twist = Convention::ALL.into_iter().map(left).fold(f64::MAX, smaller);
        // orientation and spin may be those of different stages of a step
        let rule = spins[k].norm() * dt * dt * spins[k].cross(&momentum[k]).norm();
        let loads = evidence.load(n, k - 1).zip(evidence.load(n, k));
        let impulse = loads.map_or(0.0, |(before, now)| {
            let left = |of: Convention| v[k] - v[k - 1] - dt / body.mass * of.between(before, now);
            Convention::ALL
                .into_iter()
                .map(|of| body.mass * left(of).norm())
                .fold(f64::MAX, smaller)
        });
        let beyond = twist - rule - ARM * radius * impulse;
        if beyond > SHARE * most + noise && worst.is_none_or(|(most, _)| twist > most) {
            worst = Some((twist, k));
        }
    }
    match worst {
        Some((twist, k)) => Outcome::Fault(
            &TORQUES_UNBALANCED,
            format!(
                "at t = {} s its angular momentum changes by {} kg m²/s in flight, more than torques in the log and an impact can make",
                number(evidence.log.time[k]),
                number(twist)
            ),
        ),
        None if frames == 0 => Outcome::lacks("it does not fly"),
        None if most == 0.0 => Outcome::lacks("it does not turn"),
        None => Outcome::Clear(format!(
            "none of angular momentum beyond {} kg m²/s in {frames} frames of flight",
            number(SHARE * most + noise)
        )),
    }
}

/// Whether a body touches nothing in a frame and beside it.
fn flies(evidence: &Evidence, n: usize, k: usize) -> bool {
    (k - 1..=k + 1).all(|k| evidence.log.contacts_of(n, k).next().is_none())
}

fn answer(evidence: &Evidence, n: usize, all: &[Jump]) -> Outcome {
    let least = SHARE * evidence.fastest(n) + 20.0 * evidence.noise_of_velocity(n);
    let beyond = all.iter().filter(|jump| jump.size > least);
    let Some(worst) = beyond.max_by(|a, b| a.size.total_cmp(&b.size)) else {
        return Outcome::Clear(format!(
            "none beyond {} m/s in {} frames of flight or of contact under a steady force",
            number(least),
            all.len()
        ));
    };
    let text = format!(
        "at t = {} s its velocity changes by {} m/s {} than forces in the log can make",
        number(evidence.log.time[worst.frame]),
        number(worst.size),
        if worst.flies { "in flight, more" } else { "along its surface, more" }
    );
    if worst.closes {
        let text = format!("{text}, and towards what it would have met");
        return Outcome::Fault(&FORCES_UNBALANCED, text);
    }
    // between two frames that are further apart than a step it can have met something, and engines that solve impacts
    // at their times report none of them
    match evidence.sampled() || worst.flies {
        true => Outcome::Found(format!("{text}: an impact between two frames?")),
        false => Outcome::Fault(&FORCES_UNBALANCED, text),
    }
}

/// The change of velocity to a frame beyond what forces can make; none where an impact may have made it.
fn jump(evidence: &Evidence, n: usize, k: usize) -> Option<Jump> {
    let pressed =
        |k: usize| evidence.log.contacts_of(n, k).map(|c| larger(c.normal_force, 0.0)).sum::<f64>();
    let sums = [k - 1, k, k + 1].map(pressed);
    let flies = flies(evidence, n, k);
    let least = sums.into_iter().fold(f64::MAX, smaller);
    let most = sums.into_iter().fold(0.0, larger);
    if !flies && (least <= 0.0 || most > STEADY * least) {
        return None;
    }
    let (mass, v, dt) = (evidence.body(n).mass, &evidence.velocities[n], evidence.interval(k));
    let loads = [evidence.load(n, k - 1)?, evidence.load(n, k)?];
    let left = |convention: Convention| -> Option<f64> {
        let left = v[k] - v[k - 1] - dt / mass * convention.between(loads[0], loads[1]);
        if flies {
            return Some(left.norm());
        }
        let window = k - 1..k + 1;
        let ground = evidence.ground(n, &window).filter(|ground| ground.is_open())?;
        let bounds: Option<Vec<f64>> = (k - 1..=k + 1).map(|k| held(evidence, n, k)).collect();
        let most = bounds?.into_iter().fold(0.0, larger);
        Some(ground.along(left).norm() - FRICTION * most * dt / mass)
    };
    let all: Option<Vec<f64>> = Convention::ALL.into_iter().map(left).collect();
    let size = all?.into_iter().fold(f64::MAX, smaller);
    let impulse = v[k] - v[k - 1] - dt / mass * loads[1];
    let closes = flies && turns_little(evidence, n, k) && closes(&v[k], &impulse);
    Some(Jump { frame: k, size, flies, closes })
}

/// Whether a velocity after an impact on an obstacle at rest goes into it: its normal is within the angle of friction,
/// of 45° here, from the impulse.
fn closes(velocity: &Vector, impulse: &Vector) -> bool {
    velocity.dot(impulse) < -CLOSES * velocity.norm() * impulse.norm()
}

/// Whether the spin moves no point of the body by more than a tenth of its speed, at two radii of gyration.
fn turns_little(evidence: &Evidence, n: usize, k: usize) -> bool {
    let (body, v) = (evidence.body(n), &evidence.velocities[n][k]);
    let spin = evidence.spins[n].as_ref().map(|spins| spins[k].norm());
    let radius = body.inertia.map(|moments| sqrt(moments.sum() / (2.0 * body.mass)));
    spin.zip(radius).is_some_and(|(spin, radius)| 2.0 * spin * radius <= 0.1 * v.norm())
}

/// Σ μ_s N of a body in a frame \[N\], where all coefficients are known.
fn held(evidence: &Evidence, n: usize, k: usize) -> Option<f64> {
    let of = |c: &Contact| Some(evidence.static_friction(c)? * larger(c.normal_force, 0.0));
    evidence.log.contacts_of(n, k).map(of).sum()
}
