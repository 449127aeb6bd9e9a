//! Displacement against reported velocity: Δx/Δt − v over windows.

use super::statistics::{median, median_vector};
use super::{Check, Evidence, Outcome};
use std::ops::Range;
use stiction_core::diagnosis::watch::FaultKind;
use stiction_core::diagnosis::wrongs::SPURIOUS_STEADY_STATE;
use stiction_core::math::{Vector, larger, number, sqrt};

/// Tolerated difference of displacement/time from the velocity, as a share of the speed.
const SHARE: f64 = 0.01;

/// Share of the largest speed below which a body is at rest; jitter below it is no motion.
const AT_REST: f64 = 1e-5;

/// The check.
pub(crate) static CHECK: Check = Check {
    name: "displacement",
    about: "Δx/Δt − mean v over windows, in share of the speed; any rule for the mean is allowed",
    judge,
};

/// The motion of the body contradicts its velocity.
pub(crate) static DISPLACEMENT_OFF_VELOCITY: FaultKind = FaultKind::symptom(
    "displacement-off-velocity",
    "A body's displacement over a whole window differs from the velocity that the engine reports by more than 1 % of it: position corrections move bodies without velocity, or the velocity is another quantity. Measure from positions.",
);

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    let body = evidence.body(n);
    let Some(velocity) = &body.velocity else {
        return vec![Outcome::Unjudged("the log has no velocities".into())];
    };
    // rounding errors of positions
    let reach = body.position.iter().fold(0.0, |most, x| larger(most, x.norm()));
    let fastest = velocity.iter().map(Vector::norm).fold(0.0, larger);
    let mut worst = 0.0;
    for window in &evidence.windows {
        let length = evidence.length(window);
        let drift = (body.position[window.end - 1] - body.position[window.start]) / length;
        let (mean, doubt) = mean(evidence, velocity, window);
        let noise = 6.0 * 1.5 * evidence.noise_of_position(n) / length
            + 6.0 * evidence.noise_of_velocity(n) / sqrt(window.len() as f64);
        let doubt = doubt + noise + 1e-14 * reach / length;
        let speed = median(velocity[window.clone()].iter().map(|v| v.norm()));
        let off = (drift - mean).norm();
        let size = larger(speed, drift.norm());
        if size < AT_REST * fastest {
            continue;
        }
        if off - doubt > SHARE * size {
            return vec![fault(evidence, n, window.start, speed, drift, off)];
        }
        worst = larger(worst, if size > doubt { larger(off - doubt, 0.0) / size } else { 0.0 });
    }
    vec![Outcome::Clear(format!("within {} % of the speed", number(100.0 * worst)))]
}

/// Mean velocity of a window by the trapezoidal rule, and the largest difference of any other rule
/// from it: ½ Σ |Δv| Δt/length \[m/s\].
fn mean(evidence: &Evidence, velocity: &[Vector], window: &Range<usize>) -> (Vector, f64) {
    let (mut way, mut doubt) = (Vector::zeros(), 0.0);
    for k in window.start + 1..window.end {
        let dt = evidence.interval(k);
        way += 0.5 * dt * (velocity[k] + velocity[k - 1]);
        doubt += 0.5 * dt * (velocity[k] - velocity[k - 1]).norm();
    }
    let length = evidence.length(window);
    (way / length, doubt / length)
}

/// The fault of a window; if its velocity is steady, it is a spurious steady state.
fn fault(evidence: &Evidence, n: usize, k: usize, speed: f64, drift: Vector, off: f64) -> Outcome {
    let time = evidence.log.time[k];
    let text = format!(
        "from t = {} s on it reports {} m/s and moves at {} m/s, {} m/s off",
        number(time),
        number(speed),
        number(drift.norm()),
        number(off)
    );
    let window = evidence.windows.iter().find(|w| w.start == k);
    let steady = window.zip(evidence.body(n).velocity.as_ref()).is_some_and(|(w, v)| {
        let of = &v[w.clone()];
        let middle = median_vector(of);
        middle.norm() > 0.0 && median(of.iter().map(|v| (v - middle).norm())) < 1e-3 * middle.norm()
    });
    let kind = if steady { &SPURIOUS_STEADY_STATE } else { &DISPLACEMENT_OFF_VELOCITY };
    Outcome::Fault(kind, text)
}
