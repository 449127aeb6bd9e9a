//! Energy without contact: kinetic and potential, less the work of drives, pushes and joints.

use super::balance::{LOOSE, NO_GRAVITY, percent};
use super::log::Body;
use super::motion::NO_SPIN;
use super::{Check, Evidence, Outcome};
use stiction_core::diagnosis::watch::FaultKind;
use stiction_core::math::{Vector, larger, number, smaller, sqrt};

/// Tolerated gain of energy as a share of the throughput.
const SHARE: f64 = 0.01;

/// Height whose potential energy counts as none \[m\]: contacts store as much.
const HEIGHT: f64 = 1e-6;

/// Least number of frames without contact.
const FEWEST: usize = 4;

/// The check.
pub(crate) static CHECK: Check = Check {
    name: "energy",
    about: "½ m v² + ½ ω·I ω − m g·x, less the work of applied forces, reactions and their torques, at frames without contact; in a log without contacts of a single body against that of the first frame",
    judge,
};

/// A gain of energy.
pub(crate) static ENERGY_MADE: FaultKind = FaultKind::symptom(
    "energy-made",
    "Between two frames without contact a body gained more than 1 % of the energy throughput, though nothing but gravity, the applied forces, joints and still surroundings acted on it: penetration that was pushed out, restitution above one, or a method that gains energy.",
);

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    let log = evidence.log;
    if evidence.gravity.is_none() {
        return vec![Outcome::lacks(NO_GRAVITY)];
    }
    let why = if log.contacts.is_none() {
        return vec![without_contacts(evidence, n)];
    } else if log.all_contacts_of(n).any(|c| c.other.is_some())
        || (log.bodies.len() > 1 && evidence.may_be_sampled())
    {
        Some("bodies that touch, maybe between frames, may pass energy to each other")
    } else if evidence.given.moving {
        Some("the surroundings may move")
    } else if log.all_contacts_of(n).any(|c| c.slip.is_some()) && !rests(evidence, n) {
        Some("the slips that are reported are not those of the motion: the surroundings may move")
    } else {
        None
    };
    if let Some(why) = why {
        return vec![Outcome::lacks(why)];
    }
    let free: Vec<usize> = (0..log.time.len())
        .filter(|k| log.contacts_of(n, *k).all(|c| c.normal_force == 0.0))
        .filter(|k| evidence.body(n).velocity.is_some() || evidence.flies(n, *k))
        .collect();
    if free.len() < FEWEST {
        return vec![Outcome::lacks(
            "it is in contact all the time: what contacts store is not reported",
        )];
    }
    vec![match energies(evidence, n) {
        Ok(energy) => made(evidence, n, &energy, &free),
        Err(why) => Outcome::lacks(why),
    }]
}

/// The answer for a log without contacts: surroundings at rest store energy of a body, and add none to it; whether
/// they are at rest is not known.
fn without_contacts(evidence: &Evidence, n: usize) -> Outcome {
    let (log, body) = (evidence.log, evidence.body(n));
    if log.bodies.len() > 1 || evidence.given.moving || body.velocity.is_none() {
        return Outcome::lacks("the log has no contacts");
    }
    let energy = match energies(evidence, n) {
        Ok(energy) => energy,
        Err(why) => return Outcome::lacks(why),
    };
    let (low, high) =
        energy.iter().fold((f64::MAX, f64::MIN), |(l, h), e| (smaller(l, *e), larger(h, *e)));
    let throughput = larger(high - low, kinetic(evidence, n));
    let weight = body.mass * evidence.gravity.unwrap_or_default().norm();
    let floor = 12.0 * energy_noise(evidence, n) + weight * HEIGHT;
    let rise = high - energy[0];
    if floor > LOOSE * throughput {
        return Outcome::lacks("it hardly moves, or noise hides its energy");
    }
    let share = percent(larger(rise, 0.0) / throughput);
    if rise <= SHARE * throughput + floor {
        return Outcome::Clear(format!(
            "never more than {share} of the throughput of {} J above that of the first frame; the log has no contacts",
            number(throughput)
        ));
    }
    Outcome::Found(format!(
        "{} J were made, {share} of the throughput: does something push or carry it?",
        number(rise)
    ))
}

/// Whether all slips that are reported are those over surroundings at rest.
fn rests(evidence: &Evidence, n: usize) -> bool {
    let answers = (super::slip::CHECK.judge)(evidence, n);
    !answers.iter().any(|answer| matches!(answer, Outcome::Found(_) | Outcome::Fault(..)))
}

/// The largest rise of energy between frames without contact.
fn made(evidence: &Evidence, n: usize, energy: &[f64], free: &[usize]) -> Outcome {
    let (low, high) =
        energy.iter().fold((f64::MAX, f64::MIN), |(l, h), e| (smaller(l, *e), larger(h, *e)));
    let throughput = larger(high - low, kinetic(evidence, n));
    // forces may be those of either end of a step
    let rules = rules(evidence, n);
    let (mut low, mut rise, mut when) = (f64::MAX, 0.0, free[0]);
    for k in free.iter().copied() {
        low = smaller(low, energy[k] + rules[k]);
        if energy[k] - rules[k] - low > rise {
            (rise, when) = (energy[k] - rules[k] - low, k);
        }
    }
    let weight = evidence.body(n).mass * evidence.gravity.unwrap_or_default().norm();
    let floor = 12.0 * energy_noise(evidence, n) + weight * HEIGHT;
    if floor > LOOSE * throughput {
        return Outcome::lacks("it hardly moves without contact, or noise hides its energy");
    }
    if rise > SHARE * throughput + floor {
        let text = format!(
            "{} J were made until t = {} s, {} of the throughput",
            number(rise),
            number(evidence.log.time[when]),
            percent(rise / throughput)
        );
        return Outcome::Fault(&ENERGY_MADE, text);
    }
    Outcome::Clear(format!(
        "{} of the throughput of {} J made at most, at {} frames without contact",
        percent(rise / throughput),
        number(throughput),
        free.len()
    ))
}

/// Energy of each frame, less the work of forces and torques until then \[J\].
fn energies(evidence: &Evidence, n: usize) -> Result<Vec<f64>, &'static str> {
    let body = evidence.body(n);
    let gravity = evidence.gravity.ok_or(NO_GRAVITY)?;
    let velocity = &evidence.velocities[n];
    let spin = evidence.spins[n].as_ref();
    let mut work = 0.0;
    (0..velocity.len())
        .map(|k| {
            if k > 0 {
                let mean = |of: fn(&Body, usize) -> Vector| 0.5 * (of(body, k) + of(body, k - 1));
                let moved = body.position[k] - body.position[k - 1];
                work += mean(Body::force).dot(&moved);
                let torque = mean(Body::torque);
                if torque != Vector::zeros() {
                    let spin = spin.ok_or(NO_SPIN)?;
                    work += 0.5 * torque.dot(&(spin[k] + spin[k - 1])) * evidence.interval(k);
                }
            }
            let moving = 0.5 * body.mass * velocity[k].norm_squared()
                - body.mass * gravity.dot(&body.position[k]);
            Ok(moving + turning(evidence, n, k)? - work)
        })
        .collect()
}

/// Half of the difference of the work until each frame between rules for the force of a step \[J\], which is that of
/// its start, of its end or between.
fn rules(evidence: &Evidence, n: usize) -> Vec<f64> {
    let (body, mut sum) = (evidence.body(n), 0.0f64);
    let mut until = |k: usize| {
        if k > 0 {
            let moved = body.position[k] - body.position[k - 1];
            sum += 0.5 * (body.force(k) - body.force(k - 1)).dot(&moved);
        }
        0.5 * sum.abs()
    };
    (0..body.position.len()).map(&mut until).collect()
}

/// Kinetic energy of rotation \[J\].
fn turning(evidence: &Evidence, n: usize, k: usize) -> Result<f64, &'static str> {
    let body = evidence.body(n);
    let spin = evidence.spins[n].as_ref().ok_or(NO_SPIN)?[k];
    if spin == Vector::zeros() {
        return Ok(0.0);
    }
    let moments = body.inertia.ok_or("it turns, and moments of inertia are not reported")?;
    let local = evidence.orientation(n, k)?.inverse() * spin;
    Ok(0.5 * local.component_mul(&moments).dot(&local))
}

/// The largest kinetic energy of translation \[J\].
fn kinetic(evidence: &Evidence, n: usize) -> f64 {
    0.5 * evidence.body(n).mass * evidence.fastest(n) * evidence.fastest(n)
}

/// σ of an energy due to the noise of positions and velocities \[J\].
fn energy_noise(evidence: &Evidence, n: usize) -> f64 {
    let mass = evidence.body(n).mass;
    let weight = mass * evidence.gravity.unwrap_or_default().norm();
    weight * evidence.noise_of_position(n)
        + sqrt(2.0 * mass * kinetic(evidence, n)) * evidence.noise_of_velocity(n)
}
