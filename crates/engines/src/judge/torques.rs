//! Torque balance: the rate of change of angular momentum against the torques of contacts, applied forces and joints.

use super::balance::{Acting, Left, balanced, by_window, percent, size};
use super::evidence::{Convention, FEW};
use super::log::Contact;
use super::motion::NO_SPIN;
use super::statistics::median;
use super::{Check, Evidence, Outcome};
use std::ops::Range;
use stiction_core::diagnosis::watch::FaultKind;
use stiction_core::math::{Vector, larger, number};

/// Tolerated unbalanced share of the torques that act: points of contacts are known to a part of a penetration.
const SHARE: f64 = 0.02;

/// Share of load × radius of gyration that counts as a torque that acts.
const LEAST: f64 = 0.02;

/// Largest lever arms of rolling and of torsional friction, as shares of the radius of gyration: up to them a torque
/// against the spin is taken for one of these.
const ROLLING: f64 = 0.02;
const TORSION: f64 = 0.3;

/// Tolerated change of angular momentum in a flight, as a share, and the number of frames of its means at both ends.
const DRIFT: f64 = 0.01;
const FLIGHT: usize = 8;

/// Spin that counts as none \[rad/s\].
pub(super) const NO_SPIN_AT: f64 = 1e-6;

/// Share of a torque that is against the spin, where it is one of these.
const AGAINST: f64 = 0.9;

/// The check.
pub(crate) static CHECK: Check = Check {
    name: "torque balance",
    about: "ΔL/Δt − (applied + reactions of joints + Σ (p − x) × f + torques of contacts) about the centre of mass, L = R I Rᵀ ω, over windows, about normals and across them, in share of the torques that act; the median of a window; of a log without contacts in flight; L at both ends of a flight",
    judge,
};

/// The reported forces do not produce the turning of the body.
pub(crate) static TORQUES_UNBALANCED: FaultKind = FaultKind::symptom(
    "torques-unbalanced",
    "The torques of the contact forces that an engine reports, with those of applied forces and of joints, do not make the change of angular momentum that its spins and moments of inertia show, by more than 2 % of (torques that act + load × radius of gyration/50) over a whole window, 1 % of it in a flight, or 5 % of its largest in one step: spin that no torque brakes or makes, a gyroscopic term that is left out, a torque that does not act, points of contact that are not those of the forces, or a torque that is not in the log (rolling or torsional friction: `contact_torque`).",
);

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    let momentum = match lacks(evidence, n).map_or_else(|| angular_momentum(evidence, n), Err) {
        Ok(momentum) => momentum,
        Err(why) => return vec![Outcome::lacks(why)],
    };
    let balance = best(evidence, n, &momentum);
    vec![of_windows(evidence, n, &momentum, &balance)]
}

/// The data that are missing for a balance of torques.
fn lacks(evidence: &Evidence, n: usize) -> Option<&'static str> {
    let body = evidence.body(n);
    let acts = |column: &Option<Vec<Vector>>| {
        column.as_ref().is_some_and(|all| all.iter().any(|v| *v != Vector::zeros()))
    };
    if evidence.log.contacts.is_none() && !evidence.windows.iter().any(|w| flown(evidence, n, w)) {
        return Some("the log has no contacts, and it flies over no window");
    }
    if evidence.log.contacts.is_some() && !evidence.reports_forces(n) {
        return Some("the log has no friction forces of contacts");
    }
    if evidence.log.all_contacts_of(n).any(|contact| contact.point.is_none()) {
        return Some("the log has no points of contacts");
    }
    if acts(&body.applied) && body.applied_torque.is_none() {
        return Some("the torques of applied forces are not reported (applied_torque)");
    }
    if acts(&body.reaction) && body.reaction_torque.is_none() {
        return Some("the torques of joints are not reported (reaction_torque)");
    }
    evidence.windows.is_empty().then_some(FEW)
}

/// L = R I Rᵀ ω at each frame \[kg m²/s\].
pub(super) fn angular_momentum(evidence: &Evidence, n: usize) -> Result<Vec<Vector>, &'static str> {
    let spins = evidence.spins[n].as_ref().ok_or(NO_SPIN)?;
    let moments = evidence.body(n).inertia.ok_or("moments of inertia are not reported")?;
    if moments == Vector::zeros() {
        return Err("its moments of inertia are zero");
    }
    let momentum = |(k, spin): (usize, &Vector)| {
        let turn = evidence.orientation(n, k)?;
        Ok(turn * moments.component_mul(&(turn.inverse() * spin)))
    };
    spins.iter().enumerate().map(momentum).collect()
}

/// The torques that are left in each interval \[N m\].
struct Balance {
    convention: Convention,
    residuals: Vec<Vector>,
}

/// The torques of the contacts of a frame about the centre of mass at another one \[N m\].
fn torques<'a>(
    evidence: &'a Evidence,
    n: usize,
    k: usize,
    from: usize,
) -> impl Iterator<Item = Vector> + 'a {
    let centre = evidence.body(n).position[from];
    evidence.log.contacts_of(n, k).map(move |contact: &Contact| {
        let arm = contact.point.unwrap_or_default() - centre;
        arm.cross(&contact.force()) + contact.torque.unwrap_or_default()
    })
}

/// The rate of change of momentum in the interval that ends at a frame \[N m\].
fn change(evidence: &Evidence, momentum: &[Vector], k: usize) -> Vector {
    (momentum[k] - momentum[k - 1]) / evidence.interval(k)
}

/// The balance under the conventions for forces that leave the smallest medians, with lever arms from the centre of
/// mass at the frame of the points or at the one before.
fn best(evidence: &Evidence, n: usize, momentum: &[Vector]) -> Balance {
    let frames = || 0..momentum.len();
    let acting = |before: usize| Acting {
        change: frames().skip(1).map(|k| change(evidence, momentum, k)).collect(),
        reported: frames()
            .map(|k| torques(evidence, n, k, k.saturating_sub(before)).sum())
            .collect(),
        applied: frames().map(|k| evidence.body(n).torque(k)).collect(),
    };
    let [here, before] = [0, 1].map(|before| acting(before).best(evidence));
    let is_before = size(evidence, &before.1) < size(evidence, &here.1);
    let (convention, residuals) = if is_before { before } else { here };
    Balance { convention, residuals }
}

/// The rest of the torques in a window, about the normals of its contacts and across them where these have one
/// direction, and Σ |torque| of contacts, applied forces and the change of momentum there \[N m\].
fn parts(evidence: &Evidence, n: usize, momentum: &[Vector], left: &Left) -> Vec<(f64, f64)> {
    let ground = evidence.ground(n, &left.window);
    let normal = ground.filter(|ground| ground.pressed.len() == 1).map(|ground| ground.pressed[0]);
    let sized = |part: &dyn Fn(Vector) -> f64| {
        let at = |k: usize| {
            let of_contacts: f64 = torques(evidence, n, k, k).map(part).sum();
            let others = part(evidence.body(n).torque(k)) + part(change(evidence, momentum, k));
            of_contacts + others
        };
        (part(left.middle), median((left.window.start + 1..left.window.end).map(at)))
    };
    match normal {
        Some(normal) => {
            vec![sized(&|v| v.dot(&normal).abs()), sized(&|v| (v - v.dot(&normal) * normal).norm())]
        }
        None => vec![sized(&|v| v.norm())],
    }
}

/// The answer for all windows, of a log without contacts for those of flight.
fn of_windows(evidence: &Evidence, n: usize, momentum: &[Vector], balance: &Balance) -> Outcome {
    let moments = evidence.body(n).inertia.unwrap_or_default();
    let radius = evidence.radius_of_gyration(n);
    let load = radius * evidence.scale_of_force(n);
    let sigma = moments.max() * evidence.spin_noise[n] * 2.0 / evidence.usual_interval();
    let mut all = by_window(evidence, n, &balance.residuals, sigma);
    if evidence.log.contacts.is_none() {
        all.retain(|left| flown(evidence, n, &left.window));
    }
    all.iter_mut().for_each(|left| left.doubt += rule(evidence, n, momentum, left));
    let beyond = |left: &&Left| {
        let parts = parts(evidence, n, momentum, left);
        parts.iter().any(|(off, size)| off - left.doubt > SHARE * (size + LEAST * load))
    };
    let (rolling, off): (Vec<&Left>, Vec<&Left>) =
        all.iter().filter(beyond).partition(|left| is_of_rolling(evidence, n, radius, left));
    let words = |left: &Left| {
        let acting: f64 = parts(evidence, n, momentum, left).iter().map(|(_, size)| size).sum();
        format!(
            "from t = {} s on {} N m are missing or too much, where torques of {} N m act (forces are {})",
            number(left.time),
            number(left.off),
            number(acting),
            balance.convention.words()
        )
    };
    let never_turns = evidence.spins[n].iter().flatten().all(|spin| *spin == Vector::zeros());
    let has_joints = evidence.body(n).reaction_torque.is_some();
    let worst =
        |all: &[&Left]| all.iter().copied().max_by(|a, b| a.off.total_cmp(&b.off)).map(words);
    if let Some(text) = drift(evidence, n, momentum) {
        return Outcome::Fault(&TORQUES_UNBALANCED, text);
    }
    match (worst(&off), worst(&rolling)) {
        (Some(text), _) if never_turns && !has_joints => {
            Outcome::Found(format!("{text}, and it never turns: is it held (reaction_torque)?"))
        }
        (Some(text), _) => {
            let joints = if has_joints { "" } else { "; no torques of joints are reported" };
            Outcome::Fault(&TORQUES_UNBALANCED, text + joints)
        }
        (None, Some(text)) => Outcome::Found(format!(
            "{text}, against its spin: rolling or torsional friction that is not in the log (contact_torque)?"
        )),
        (None, None) => clear(&all, load, balance.convention),
    }
}

/// The change of angular momentum over the longest flight without torques, where it is more than 1 % of it; in words.
fn drift(evidence: &Evidence, n: usize, momentum: &[Vector]) -> Option<String> {
    // an impact between two frames is in no contact
    let flies = |k: usize| {
        let touches = evidence.log.contacts_of(n, k).next().is_some();
        !touches && evidence.flies(n, k) && evidence.body(n).torque(k) == Vector::zeros()
    };
    if evidence.noise_hides_flights(n) {
        return None;
    }
    let frames: Vec<usize> = (1..momentum.len()).filter(|k| flies(*k)).collect();
    let flight = frames.chunk_by(|a, b| a + 1 == *b).max_by_key(|flight| flight.len())?;
    if flight.len() < 4 * FLIGHT {
        return None;
    }
    let mean = |frames: &[usize]| -> Vector {
        frames.iter().map(|k| momentum[*k]).sum::<Vector>() / frames.len() as f64
    };
    let [from, to] = [mean(&flight[..FLIGHT]), mean(&flight[flight.len() - FLIGHT..])];
    // orientation and spin may be those of different stages of a step
    let rule = |k: &usize| evidence.turned_momentum(n, *k, momentum);
    let noise = 6.0 * evidence.body(n).inertia?.max() * evidence.spin_noise[n];
    let doubt = 2.0 * median(flight.iter().map(rule)) + noise;
    let changed = (to - from).norm();
    let nothing = NO_SPIN_AT * evidence.body(n).inertia?.max();
    (changed - doubt - nothing > DRIFT * larger(from.norm(), to.norm())).then(|| {
        let [a, b] = [flight[0], flight[flight.len() - 1]].map(|k| number(evidence.log.time[k]));
        format!(
            "its angular momentum changes by {} kg m²/s, {}, in a flight without torques from t = {a} s to {b} s",
            number(changed),
            percent(changed / larger(from.norm(), to.norm()))
        )
    })
}

/// The answer where nothing is missing, in share of load × radius of gyration \[N m\].
fn clear(all: &[Left], load: f64, convention: Convention) -> Outcome {
    match balanced(all, load) {
        Some((share, windows)) => Outcome::Clear(format!(
            "within {} of load × radius of gyration, with noise, the median of each of {windows} windows (forces are {})",
            percent(share),
            convention.words()
        )),
        None => Outcome::lacks(
            "noise of the spins, or turns between frames, hide a tenth of load × radius of gyration",
        ),
    }
}

/// Whether a body flies over a window.
fn flown(evidence: &Evidence, n: usize, window: &Range<usize>) -> bool {
    !evidence.noise_hides_flights(n)
        && (window.start + 1..window.end - 1).all(|k| evidence.flies(n, k))
}

/// Median difference of rules for ΔL/Δt in a window, ω Δt |ω × L|: orientation and spin may be those of different
/// stages of a step \[N m\].
fn rule(evidence: &Evidence, n: usize, momentum: &[Vector], left: &Left) -> f64 {
    let spins = evidence.spins[n].as_ref().map_or(&[][..], Vec::as_slice);
    let of = |k: usize| spins[k].norm() * evidence.turned_momentum(n, k, momentum);
    median((left.window.start + 1..left.window.end).map(of))
}

/// Whether a torque is against the spin, and small enough for torsional friction where it acts about the normals, or
/// for rolling friction.
fn is_of_rolling(evidence: &Evidence, n: usize, radius: f64, left: &Left) -> bool {
    let spins = evidence.spins[n].as_ref().map_or(&[][..], Vec::as_slice);
    let spin: Vector = left.window.clone().map(|k| spins[k]).sum();
    let pressed = |k: usize| -> Vector {
        evidence.log.contacts_of(n, k).map(|c| larger(c.normal_force, 0.0) * c.normal).sum()
    };
    let all: Vec<Vector> = left.window.clone().map(pressed).collect();
    let (pressed, normal) = (median(all.iter().map(Vector::norm)), all.iter().sum::<Vector>());
    let is_torsion = left.middle.dot(&normal).abs() > AGAINST * left.off * normal.norm();
    let lever = if is_torsion { TORSION } else { ROLLING };
    let is_against = left.middle.dot(&spin) < -AGAINST * left.off * spin.norm();
    is_against && left.off <= lever * radius * pressed
}
