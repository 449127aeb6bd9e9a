//! Jumps of velocity: a change between two frames that no force in the log can make.

use super::balance::{FORCES_UNBALANCED, NO_GRAVITY, asleep};
use super::evidence::Convention;
use super::torques::{NO_SPIN_AT, TORQUES_UNBALANCED, angular_momentum};
use super::{Check, Evidence, Outcome};
use stiction_core::math::{Vector, larger, number, smaller};

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
    let asleep = asleep(evidence, n);
    let all: Vec<Jump> = (1..evidence.log.time.len().saturating_sub(1))
        .filter_map(|k| jump(evidence, n, k, touches_nothing(evidence, n, k, &asleep)))
        .collect();
    match all.is_empty() {
        true => Outcome::lacks(
            "it neither flies nor is in contact under a steady force, or μ is not known",
        ),
        false => answer(evidence, n, &all),
    }
}

/// The answer for angular momentum in flight; gravity that is not known counts as an impulse.
fn of_spin(evidence: &Evidence, n: usize) -> Outcome {
    if evidence.log.contacts.is_none() {
        return Outcome::lacks("the log has no contacts");
    }
    let momentum = match angular_momentum(evidence, n) {
        Ok(momentum) => momentum,
        Err(why) => return Outcome::lacks(why),
    };
    let most = momentum.iter().map(Vector::norm).fold(0.0, larger);
    if most == 0.0 {
        return Outcome::lacks("it does not turn");
    }
    let moments = evidence.body(n).inertia.unwrap_or_default();
    let nothing = larger(20.0 * evidence.spin_noise[n], NO_SPIN_AT);
    let least = SHARE * most + nothing * moments.max();
    let asleep = asleep(evidence, n);
    let free =
        (1..momentum.len().saturating_sub(1)).filter(|k| touches_nothing(evidence, n, *k, &asleep));
    let twists: Vec<(f64, usize)> =
        free.filter_map(|k| Some((twist(evidence, n, k, &momentum)?, k))).collect();
    let worst = twists.iter().max_by(|a, b| a.0.total_cmp(&b.0));
    match worst {
        None => Outcome::lacks("it does not fly"),
        Some((twist, k)) if *twist > least => Outcome::Fault(
            &TORQUES_UNBALANCED,
            format!(
                "at t = {} s its angular momentum changes by {} kg m²/s in flight, more than torques in the log and an impact can make",
                number(evidence.log.time[*k]),
                number(*twist)
            ),
        ),
        Some(_) => Outcome::Clear(format!(
            "none of angular momentum beyond {} kg m²/s in {} frames of flight",
            number(least),
            twists.len()
        )),
    }
}

/// The change of angular momentum in the step before a frame beyond torques in the log, and beyond those of an impact
/// with the change of momentum that is seen \[kg m²/s\].
fn twist(evidence: &Evidence, n: usize, k: usize, momentum: &[Vector]) -> Option<f64> {
    let (body, v, dt) = (evidence.body(n), &evidence.velocities[n], evidence.interval(k));
    let gravity = body.mass * evidence.gravity.unwrap_or_default();
    let [before, now] = [k - 1, k].map(|k| gravity + body.force(k));
    let least = |left: &dyn Fn(Convention) -> f64| {
        Convention::ALL.into_iter().map(left).fold(f64::MAX, smaller)
    };
    let twist = least(&|of| {
        let torque = of.between(body.torque(k - 1), body.torque(k));
        (momentum[k] - momentum[k - 1] - dt * torque).norm()
    });
    let impulse =
        least(&|of| (body.mass * (v[k] - v[k - 1]) - dt * of.between(before, now)).norm());
    let rule =
        evidence.turned_momentum(n, k, momentum) * evidence.spins[n].as_ref()?[k].norm() * dt;
    Some(twist - rule - ARM * evidence.radius_of_gyration(n) * impulse)
}

/// Whether a body touches nothing in a frame and beside it, and is not asleep.
fn touches_nothing(evidence: &Evidence, n: usize, k: usize, asleep: &[bool]) -> bool {
    (k - 1..=k + 1).all(|k| !asleep[k] && evidence.log.contacts_of(n, k).next().is_none())
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
    if worst.closes && alone(evidence, n) {
        let text = format!("{text}, and towards what it would have met");
        return Outcome::Fault(&FORCES_UNBALANCED, text);
    }
    // between two frames that are further apart than a step it can have met something, and engines that solve impacts
    // at their times report none of them
    match evidence.may_be_sampled() || worst.flies {
        true => Outcome::Found(format!("{text}: an impact between two frames?")),
        false => Outcome::Fault(&FORCES_UNBALANCED, text),
    }
}

/// The change of velocity to a frame beyond what forces can make, in flight or in contact; none where an impact may
/// have made it.
fn jump(evidence: &Evidence, n: usize, k: usize, flies: bool) -> Option<Jump> {
    let sums = [k - 1, k, k + 1].map(|k| evidence.pressing(n, k));
    let least = sums.into_iter().fold(f64::MAX, smaller);
    let most = sums.into_iter().fold(0.0, larger);
    if !flies && (least <= 0.0 || most > STEADY * least) {
        return None;
    }
    let (mass, v, dt) = (evidence.body(n).mass, &evidence.velocities[n], evidence.interval(k));
    let loads = [evidence.load(n, k - 1)?, evidence.load(n, k)?];
    let left =
        Convention::ALL.map(|of| v[k] - v[k - 1] - dt / mass * of.between(loads[0], loads[1]));
    let smallest = |sizes: [f64; 3]| sizes.into_iter().fold(f64::MAX, smaller);
    if flies {
        let impulse = v[k] - v[k - 1] - dt / mass * loads[1];
        let closes = turns_little(evidence, n, k) && closes(&v[k], &impulse);
        return Some(Jump { frame: k, size: smallest(left.map(|v| v.norm())), flies, closes });
    }
    let ground = evidence.ground(n, &(k - 1..k + 1)).filter(|ground| ground.is_open())?;
    let bounds: Option<Vec<f64>> = (k - 1..=k + 1).map(|k| evidence.held(n, k)).collect();
    let friction = FRICTION * bounds?.into_iter().fold(0.0, larger) * dt / mass;
    let size = smallest(left.map(|v| ground.along(v).norm())) - friction;
    Some(Jump { frame: k, size, flies, closes: false })
}

/// Whether a velocity after an impact on an obstacle at rest goes into it: its normal is within the angle of friction,
/// of 45° here, from the impulse.
fn closes(velocity: &Vector, impulse: &Vector) -> bool {
    velocity.dot(impulse) < -CLOSES * velocity.norm() * impulse.norm()
}

/// Whether a body can have met nothing but obstacles at rest, in the step before a frame.
fn alone(evidence: &Evidence, n: usize) -> bool {
    let joints = evidence.body(n).reaction.is_some();
    let others = evidence.log.bodies.len() > 1 && !joints;
    !others && !evidence.given.moving && !evidence.may_be_sampled()
}

/// Whether the spin moves no point of the body by more than a tenth of its speed, at two radii of gyration.
fn turns_little(evidence: &Evidence, n: usize, k: usize) -> bool {
    let spin = evidence.spins[n].as_ref().map(|spins| spins[k].norm());
    let reach = 2.0 * evidence.radius_of_gyration(n);
    let speed = evidence.velocities[n][k].norm();
    reach > 0.0 && spin.is_some_and(|spin| spin * reach <= 0.1 * speed)
}
