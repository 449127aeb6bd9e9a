//! Displacement against reported velocity: Δx/Δt − v over windows.

use super::balance::{LOOSE, percent};
use super::evidence::FEW;
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
    "A body's displacement over a whole window differs from the velocity that the engine reports by more than 1 % of it, or it jumps between frames by more than 1 % of its path in all: position corrections move bodies without velocity, or the velocity is another quantity. Measure from positions.",
);

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    let body = evidence.body(n);
    // rounding errors of positions
    let reach = body.position.iter().fold(0.0, |most, x| larger(most, x.norm()));
    let Some(velocity) = &body.velocity else {
        let jumped = jumps(evidence, n, 1e-14 * reach);
        return vec![jumped.unwrap_or(Outcome::lacks("the log has no velocities"))];
    };
    if evidence.windows.is_empty() {
        return vec![Outcome::lacks(FEW)];
    }
    let (mut worst, mut compared, mut hidden) = (0.0, 0, 0);
    let mut all = Vec::new();
    for window in &evidence.windows {
        let length = evidence.length(window);
        let drift = (body.position[window.end - 1] - body.position[window.start]) / length;
        let (mean, rule) = mean(evidence, velocity, window);
        let noise = 6.0 * 1.5 * evidence.noise_of_position(n) / length
            + 6.0 * evidence.velocity_noise[n] / sqrt(window.len() as f64);
        let rule = rule + 1e-14 * reach / length;
        let speed = median(velocity[window.clone()].iter().map(|v| v.norm()));
        let off = (drift - mean).norm();
        let size = larger(speed, drift.norm());
        if size <= AT_REST * evidence.fastest(n) {
            continue;
        }
        if off - rule - noise > SHARE * size {
            return vec![fault(evidence, n, window, (speed, drift.norm(), off))];
        }
        all.push(Window { apart: drift - mean, rule, noise, speed, drift: drift.norm() });
        if off + rule + noise > LOOSE * size {
            hidden += 1;
            continue;
        }
        compared += 1;
        worst = larger(worst, (off + rule + noise) / size);
    }
    if let Some(fault) = jumps(evidence, n, 1e-14 * reach) {
        return vec![fault];
    }
    if let Some(speeds) = together(&all) {
        return vec![fault(evidence, n, &(0..velocity.len()), speeds)];
    }
    vec![match (compared, hidden) {
        (0, 0) => Outcome::lacks("it does not move"),
        (some, most) if some < most => {
            Outcome::lacks("noise, or changes of velocity from frame to frame, hide it")
        }
        _ => {
            let share = number(100.0 * worst);
            Outcome::Clear(format!(
                "within {share} % of the speed over {compared} windows, with any rule for the mean of v"
            ))
        }
    }]
}

/// A window \[m/s\].
struct Window {
    /// Δx/Δt − v
    apart: Vector,
    /// by how much any rule for the mean of v could differ
    rule: f64,
    noise: f64,
    /// |v| and |Δx/Δt|
    speed: f64,
    drift: f64,
}

/// The median speeds of all windows, as reported and by displacement, and their distance \[m/s\], where that is too
/// large: of many windows the noise is less than of one.
fn together(all: &[Window]) -> Option<(f64, f64, f64)> {
    let of = |pick: fn(&Window) -> f64| median(all.iter().map(pick));
    let apart: Vec<Vector> = all.iter().map(|window| window.apart).collect();
    let off = median_vector(&apart).norm();
    let (speed, drift) = (of(|window| window.speed), of(|window| window.drift));
    let doubt =
        of(|window| window.rule) + 1.25 * of(|window| window.noise) / sqrt(all.len() as f64);
    (all.len() > 1 && off - doubt > SHARE * larger(speed, drift)).then_some((speed, drift, off))
}

/// Frames to which a body jumps: Δx differs from v Δt by more than any rule for the mean and 20 σ of noise; a fault
/// where these jumps are more than 1 % of its path.
fn jumps(evidence: &Evidence, n: usize, rounding: f64) -> Option<Outcome> {
    let x = &evidence.body(n).position;
    let noise = 20.0 * (2.0 * evidence.noise_of_position(n) + rounding);
    let (mut path, mut jumped, mut largest, mut frames) = (0.0, 0.0, (0.0, 0), 0usize);
    for k in 1..x.len() {
        let dt = evidence.interval(k);
        let moved = x[k] - x[k - 1];
        path += moved.norm();
        let Some((before, now)) = around(evidence, n, k) else { continue };
        let rule = 0.5 * dt * (now - before).norm() + SHARE * moved.norm();
        let off = (moved - 0.5 * dt * (before + now)).norm() - rule - short(evidence, n, k);
        if off > noise + 20.0 * dt * evidence.velocity_noise[n] {
            jumped += off;
            frames += 1;
            largest = if off > largest.0 { (off, k) } else { largest };
        }
    }
    (jumped > SHARE * path).then(|| {
        let text = format!(
            "it jumps by {} m in {frames} frames, {} of its path, the largest of {} m at t = {} s",
            number(jumped),
            percent(jumped / path),
            number(largest.0),
            number(evidence.log.time[largest.1])
        );
        Outcome::Fault(&DISPLACEMENT_OFF_VELOCITY, text)
    })
}

/// Velocities before and after the interval that ends at a frame \[m/s\]: as reported, else those of the intervals
/// beside it.
fn around(evidence: &Evidence, n: usize, k: usize) -> Option<(Vector, Vector)> {
    let body = evidence.body(n);
    if let Some(velocity) = &body.velocity {
        return Some((velocity[k - 1], velocity[k]));
    }
    let x = &body.position;
    let speed = |k: usize| (x[k] - x[k - 1]) / evidence.interval(k);
    (k > 1 && k + 1 < x.len()).then(|| (speed(k - 1), speed(k + 1)))
}

/// The distance that a body can move from rest and back to it by its load between two frames, where velocities are not
/// reported: four times what it falls \[m\].
fn short(evidence: &Evidence, n: usize, k: usize) -> f64 {
    let (body, dt) = (evidence.body(n), evidence.interval(k));
    match body.velocity {
        Some(_) => 0.0,
        None => 2.0 * evidence.load(n, k).map_or(0.0, |load| load.norm() / body.mass) * dt * dt,
    }
}

/// Mean velocity of a window by the trapezoidal rule, and the largest difference of any other rule
/// from it: ½ Σ |Δv| Δt/length \[m/s\].
fn mean(evidence: &Evidence, velocity: &[Vector], window: &Range<usize>) -> (Vector, f64) {
    let (mut path, mut doubt) = (Vector::zeros(), 0.0);
    for k in window.start + 1..window.end {
        let dt = evidence.interval(k);
        path += 0.5 * dt * (velocity[k] + velocity[k - 1]);
        doubt += 0.5 * dt * (velocity[k] - velocity[k - 1]).norm();
    }
    let length = evidence.length(window);
    (path / length, doubt / length)
}

/// The fault of a window, with its reported speed, that of the motion and their distance \[m/s\]; if its velocity is
/// steady, it is a spurious steady state.
fn fault(evidence: &Evidence, n: usize, window: &Range<usize>, speeds: (f64, f64, f64)) -> Outcome {
    let (speed, drift, off) = speeds;
    let text = format!(
        "from t = {} s on it reports {} m/s and moves at {} m/s, {} m/s off as vectors",
        number(evidence.log.time[window.start]),
        number(speed),
        number(drift),
        number(off)
    );
    let velocity = &evidence.velocities[n][window.clone()];
    let middle = median_vector(velocity);
    let spread = median(velocity.iter().map(|v| (v - middle).norm()));
    let least = 1e-3 * middle.norm() + 3.0 * evidence.velocity_noise[n];
    let is_steady = middle.norm() > 0.0 && spread < least;
    let kind = if is_steady { &SPURIOUS_STEADY_STATE } else { &DISPLACEMENT_OFF_VELOCITY };
    Outcome::Fault(kind, text)
}
