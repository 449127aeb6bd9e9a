//! Force balance: m Δv/Δt against gravity, applied forces and the reported contact forces.

use super::evidence::{Convention, FEW};
use super::statistics::{doubt, median_vector};
use super::{Check, Evidence, Outcome};
use stiction_core::diagnosis::watch::FaultKind;
use stiction_core::math::{Vector, number};

/// Tolerated unbalanced share of the load.
pub(super) const SHARE: f64 = 0.01;

/// Why loads are missing.
pub(super) const NO_GRAVITY: &str = "gravity is not known (--gravity X,Y,Z)";

/// The check.
pub(crate) static CHECK: Check = Check {
    name: "force balance",
    about: "m Δv/Δt − (m g + applied + reactions of joints + Σ contact) over windows, in share of the load; the median of a window, so that impacts between two frames do not count",
    judge,
};

/// The reported forces do not produce the motion of the body.
pub(crate) static FORCES_UNBALANCED: FaultKind = FaultKind::symptom(
    "forces-unbalanced",
    "The contact forces that an engine reports, with gravity, applied forces and the reactions of joints, do not make the change of momentum that its velocities show, by more than 1 % of the load over a whole window. The forces are not those that acted, or the velocities are not those of the motion. Do not use them as sensors.",
);

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    let Some(velocity) = &evidence.body(n).velocity else {
        return vec![Outcome::lacks("the log has no velocities")];
    };
    if evidence.gravity.is_none() {
        return vec![Outcome::lacks(NO_GRAVITY)];
    }
    if evidence.windows.is_empty() {
        return vec![Outcome::lacks(FEW)];
    }
    if !reports_forces(evidence, n) {
        return vec![Outcome::lacks("the log has no friction forces of contacts")];
    }
    let (convention, residuals) = best(evidence, n, velocity);
    let scale = evidence.scale_of_force(n);
    let mut worst = (0.0, 0.0, 0.0);
    for window in &evidence.windows {
        let of = &residuals[window.start..window.end - 1];
        let sigma =
            evidence.body(n).mass * evidence.velocity_noise[n] * 2.0 / evidence.usual_interval();
        let (off, doubt) = (median_vector(of).norm(), doubt(of, sigma));
        if off - doubt > worst.0 - worst.1 {
            worst = (off, doubt, evidence.log.time[window.start]);
        }
    }
    let (off, doubt, time) = worst;
    let words = convention.words();
    if off - doubt > SHARE * scale {
        let text = format!(
            "from t = {} s on {} N are missing or too much, {} of the load of {} N (forces are {words}){}",
            number(time),
            number(off),
            percent(off / scale),
            number(scale),
            if evidence.body(n).reaction.is_some() {
                ""
            } else {
                "; no reactions of joints are reported"
            }
        );
        return vec![Outcome::Fault(&FORCES_UNBALANCED, text)];
    }
    vec![Outcome::Clear(format!(
        "within {} of the load over {} windows (forces are {words})",
        percent((off + doubt) / scale),
        evidence.windows.len()
    ))]
}

/// Whether every contact of a body has a friction force.
pub(super) fn reports_forces(evidence: &Evidence, n: usize) -> bool {
    let frames = evidence.log.time.len();
    evidence.log.contacts.is_some()
        && (0..frames).all(|k| evidence.log.contacts_of(n, k).all(|c| c.friction.is_some()))
}

/// The median of what is not balanced before a frame \[N\]; none without velocities or with few frames.
pub(super) fn unbalanced(evidence: &Evidence, n: usize, before: usize) -> Option<f64> {
    let (_, residuals) = best(evidence, n, evidence.body(n).velocity.as_ref()?);
    let moving = residuals.get(..before.checked_sub(1)?)?;
    (moving.len() >= 8).then(|| median_vector(moving).norm())
}

/// The sum of the contact forces in a frame \[N\].
fn reported_force(evidence: &Evidence, n: usize, k: usize) -> Vector {
    evidence.log.contacts_of(n, k).map(|c| c.force()).sum()
}

/// The residual of each interval \[N\], under the conventions for contact and applied forces with the
/// smallest medians; and the convention for contact forces.
fn best(evidence: &Evidence, n: usize, velocity: &[Vector]) -> (Convention, Vec<Vector>) {
    let body = evidence.body(n);
    let weight = body.mass * evidence.gravity.unwrap_or_default();
    let forces: Vec<Vector> = (0..velocity.len()).map(|k| reported_force(evidence, n, k)).collect();
    let applied: Vec<Vector> = (0..velocity.len()).map(|k| body.force(k)).collect();
    let residuals = |told: Convention, pushed: Convention| -> Vec<Vector> {
        (1..velocity.len())
            .map(|k| {
                let momentum = body.mass * (velocity[k] - velocity[k - 1]) / evidence.interval(k);
                momentum
                    - weight
                    - pushed.between(applied[k - 1], applied[k])
                    - told.between(forces[k - 1], forces[k])
            })
            .collect()
    };
    let pairs = Convention::ALL
        .iter()
        .flat_map(|told| Convention::ALL.iter().map(move |pushed| (*told, *pushed)));
    let mut all: Vec<(Convention, Vec<Vector>)> =
        pairs.map(|(told, pushed)| (told, residuals(told, pushed))).collect();
    // the sum of the medians over windows: impacts do not count, and no window hides another
    let size = |of: &[Vector]| -> f64 {
        evidence.windows.iter().map(|w| median_vector(&of[w.start..w.end - 1]).norm()).sum()
    };
    all.sort_by(|a, b| size(&a.1).total_cmp(&size(&b.1)));
    all.swap_remove(0)
}

/// A share in per cent.
pub(super) fn percent(share: f64) -> String {
    format!("{} %", number(100.0 * share))
}
