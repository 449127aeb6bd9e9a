//! Energy: kinetic and potential energy without contact, and the work of friction.

use super::balance::{percent, reports_forces};
use super::cone::slip;
use super::{Check, Evidence, Outcome};
use stiction_core::diagnosis::passivity::FRICTION_CREATES_ENERGY;
use stiction_core::diagnosis::watch::FaultKind;
use stiction_core::math::{Vector, larger, number, smaller, sqrt};
use stiction_core::nalgebra::{Quaternion, UnitQuaternion};

/// Tolerated gain of energy as a share of the throughput.
const SHARE: f64 = 0.01;

/// Tolerated share of driving (positive) work in all work of friction.
const DRIVEN: f64 = 0.05;

/// The check.
pub(crate) static CHECK: Check = Check {
    name: "energy",
    about: "½ m v² + ½ ω·I ω − m g·x, less the work of applied forces, at frames without contact; Σ f·slip",
    judge,
};

/// A gain of energy.
pub(crate) static ENERGY_MADE: FaultKind = FaultKind::symptom(
    "energy-made",
    "Between two frames without contact a body gained more than 1 % of the energy throughput, though nothing but gravity, the applied forces and still surroundings acted on it: penetration that was pushed out, restitution above one, or a method that gains energy.",
);

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    vec![made(evidence, n), driven(evidence, n)]
}

/// The largest rise of energy between frames without contact.
fn made(evidence: &Evidence, n: usize) -> Outcome {
    let why = if evidence.given.moving {
        Some("the surroundings may move")
    } else if evidence.log.bodies.len() > 1 {
        Some("bodies may pass energy to each other")
    } else if evidence.log.contacts.is_none() {
        Some("the log has no contacts")
    } else if evidence.log.contacts.iter().flatten().flatten().any(|c| c.slip.is_some()) {
        Some("the log tells slip of its own: the surroundings may move")
    } else {
        None
    };
    if let Some(why) = why {
        return Outcome::Unjudged(why.into());
    }
    let Some(energy) = energies(evidence, n) else {
        return Outcome::Unjudged(
            "gravity, velocities, spins, orientations or moments of inertia lack".into(),
        );
    };
    let free: Vec<usize> = (0..energy.len())
        .filter(|k| evidence.log.contacts_of(n, *k).all(|c| c.normal_force <= 0.0))
        .collect();
    let throughput =
        energy.iter().fold((f64::MAX, f64::MIN), |(l, h), e| (smaller(l, *e), larger(h, *e)));
    let throughput = larger(throughput.1 - throughput.0, kinetic(evidence, n));
    let (mut low, mut rise, mut when) = (f64::MAX, 0.0, 0.0);
    for k in free.iter().copied() {
        low = smaller(low, energy[k]);
        if energy[k] - low > rise {
            (rise, when) = (energy[k] - low, evidence.log.time[k]);
        }
    }
    if free.len() < 2 || throughput <= 0.0 {
        return Outcome::Unjudged(
            "it is in contact all the time: what contacts store is not told".into(),
        );
    }
    if rise > SHARE * throughput + 12.0 * energy_noise(evidence, n) {
        let text = format!(
            "{} J were made until t = {} s, {} of the throughput",
            number(rise),
            number(when),
            percent(rise / throughput)
        );
        return Outcome::Fault(&ENERGY_MADE, text);
    }
    Outcome::Clear(format!("{} of the throughput made at most", percent(rise / throughput)))
}

/// Energy of each frame, less the work of applied forces until then \[J\].
fn energies(evidence: &Evidence, n: usize) -> Option<Vec<f64>> {
    let (body, gravity) = (evidence.body(n), evidence.gravity?);
    let velocity = body.velocity.as_ref()?;
    let mut work = 0.0;
    (0..velocity.len())
        .map(|k| {
            if k > 0
                && let Some(applied) = &body.applied
            {
                work += 0.5
                    * (applied[k] + applied[k - 1]).dot(&(body.position[k] - body.position[k - 1]));
            }
            let moving = 0.5 * body.mass * velocity[k].norm_squared()
                - body.mass * gravity.dot(&body.position[k]);
            Some(moving + turning(evidence, n, k)? - work)
        })
        .collect()
}

/// Kinetic energy of rotation \[J\]; none if it rotates and data are missing.
fn turning(evidence: &Evidence, n: usize, k: usize) -> Option<f64> {
    let body = evidence.body(n);
    let spin = body.spin.as_ref()?[k];
    if spin == Vector::zeros() {
        return Some(0.0);
    }
    let [w, x, y, z] = body.orientation.as_ref()?[k];
    let turn = UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z));
    let local = turn.inverse() * spin;
    Some(0.5 * local.component_mul(&body.inertia?).dot(&local))
}

/// The largest kinetic energy of translation \[J\].
fn kinetic(evidence: &Evidence, n: usize) -> f64 {
    let body = evidence.body(n);
    let energy = |v: &Vector| 0.5 * body.mass * v.norm_squared();
    body.velocity.iter().flatten().map(energy).fold(0.0, larger)
}

/// σ of an energy due to the noise of positions and velocities \[J\].
fn energy_noise(evidence: &Evidence, n: usize) -> f64 {
    let mass = evidence.body(n).mass;
    let weight = mass * evidence.gravity.unwrap_or_default().norm();
    weight * evidence.noise_of_position(n)
        + sqrt(2.0 * mass * kinetic(evidence, n)) * evidence.noise_of_velocity(n)
}

/// Checks that friction does not drive bodies sliding over resting surroundings.
fn driven(evidence: &Evidence, n: usize) -> Outcome {
    if !reports_forces(evidence, n) {
        return Outcome::Unjudged("the log has no friction forces of contacts".into());
    }
    let (mut driving, mut all) = (0.0, 0.0);
    for k in 1..evidence.log.time.len() {
        for contact in evidence.log.contacts_of(n, k) {
            // the force acts from one frame to the next
            let between = slip(evidence, n, k - 1, contact).zip(slip(evidence, n, k, contact));
            let Some((before, now)) = between else { continue };
            let mean = 0.5 * (before + now);
            let work = contact.friction.unwrap_or_default().dot(&mean) * evidence.interval(k);
            all += work.abs();
            driving += larger(work, 0.0);
        }
    }
    let noise = evidence.scale_of_force(n)
        * 6.0
        * evidence.noise_of_velocity(n)
        * (evidence.log.time[evidence.log.time.len() - 1] - evidence.log.time[0]);
    if all <= noise || all < 1e-6 * kinetic(evidence, n) {
        return Outcome::Unjudged(
            "friction does no work, or the slip of its contacts is not told".into(),
        );
    }
    if driving > DRIVEN * all + noise {
        let text = format!("friction drove with {} J of {} J", number(driving), number(all));
        return Outcome::Fault(&FRICTION_CREATES_ENERGY, text);
    }
    Outcome::Clear(format!("friction brakes in {} of its work", percent(1.0 - driving / all)))
}
