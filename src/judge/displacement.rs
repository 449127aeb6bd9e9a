//! Displacement against reported velocity: Δx/Δt − v over windows.

use super::evidence::Convention;
use super::statistics::{doubt, median, median_vector};
use super::{Check, Evidence, Outcome};
use crate::diagnosis::watch::FaultKind;
use crate::diagnosis::wrongs::SPURIOUS_STEADY_STATE;
use crate::math::{Vector, larger, number};

/// Share of the speed by which displacement may differ.
const SHARE: f64 = 0.01;

/// The check.
pub static CHECK: Check =
    Check {
        name: "displacement", about: "Δx/Δt − v over windows, in share of the speed", judge
    };

/// The body does not move as its velocity says.
pub static DISPLACEMENT_OFF_VELOCITY: FaultKind = FaultKind {
    name: "displacement-off-velocity",
    about: "A body's displacement over a whole window differs from the velocity that the engine reports by more than 1 % of it: position corrections move bodies without velocity, or the velocity is another quantity. Measure from positions.",
};

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    let body = evidence.body(n);
    let Some(velocity) = &body.velocity else {
        return vec![Outcome::Unjudged("the log has no velocities".into())];
    };
    let differences = best(evidence, n, velocity);
    let sigma = evidence.noise_of_position(n) * 1.5 / evidence.usual_interval()
        + evidence.noise_of_velocity(n);
    // what rounding leaves of positions
    let reach = body.position.iter().fold(0.0, |most, x| larger(most, x.norm()));
    let mut worst = 0.0;
    for window in &evidence.windows {
        let of = &differences[window.start..window.end - 1];
        let rounding = 1e-14 * reach / evidence.length(window);
        let (off, doubt) = (median_vector(of), doubt(of, sigma) + rounding);
        let speed = median(velocity[window.clone()].iter().map(|v| v.norm()));
        let drift =
            (body.position[window.end - 1] - body.position[window.start]) / evidence.length(window);
        let size = larger(speed, drift.norm());
        if off.norm() - doubt > SHARE * size && off.norm() > 10.0 * doubt {
            return vec![fault(evidence, n, window.start, speed, drift, off)];
        }
        worst = larger(worst, if size > doubt { (off.norm() - doubt) / size } else { 0.0 });
    }
    vec![Outcome::Clear(format!("within {} % of the speed", number(100.0 * worst)))]
}

/// Steady velocity that is not that of the motion is a spurious steady state.
fn fault(
    evidence: &Evidence,
    n: usize,
    k: usize,
    speed: f64,
    drift: Vector,
    off: Vector,
) -> Outcome {
    let time = evidence.log.time[k];
    let text = format!(
        "from t = {} s on it reports {} m/s and moves at {} m/s, {} m/s off",
        number(time),
        number(speed),
        number(drift.norm()),
        number(off.norm())
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

/// Δx/Δt − v of each interval under the convention whose median is least.
fn best(evidence: &Evidence, n: usize, velocity: &[Vector]) -> Vec<Vector> {
    let x = &evidence.body(n).position;
    let differences = |convention: Convention| -> Vec<Vector> {
        (1..x.len())
            .map(|k| {
                let moved = (x[k] - x[k - 1]) / evidence.interval(k);
                moved - convention.between(velocity[k - 1], velocity[k])
            })
            .collect()
    };
    let mut all: Vec<Vec<Vector>> = Convention::ALL.iter().map(|c| differences(*c)).collect();
    all.sort_by(|a, b| {
        let size = |of: &[Vector]| median(of.iter().map(|v| v.norm()));
        size(a).total_cmp(&size(b))
    });
    all.swap_remove(0)
}
