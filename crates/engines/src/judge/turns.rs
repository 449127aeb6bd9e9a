//! Turns against reported spin: the rotation between frames, over Δt, less ω over windows.

use super::balance::LOOSE;
use super::evidence::FEW;
use super::motion::rotation;
use super::statistics::{doubt, median, median_vector};
use super::{Check, Evidence, Outcome};
use std::f64::consts::FRAC_PI_2;
use stiction_core::diagnosis::watch::FaultKind;
use stiction_core::math::{Vector, larger, number};

/// Tolerated difference of turns from the spin, as a share of it.
const SHARE: f64 = 0.02;

/// Share of the largest spin below which a body does not turn, and the same as an angle in a window \[rad\].
const AT_REST: f64 = 1e-3;
const NOTHING: f64 = 1e-6;

/// The check.
pub(crate) static CHECK: Check = Check {
    name: "turns",
    about: "rotation of the orientation between frames, over Δt, less the mean spin, over windows, in share of the spin; any rule for the mean is allowed",
    judge,
};

/// The turns of the body contradict its spin.
pub(crate) static TURNS_OFF_SPIN: FaultKind = FaultKind::symptom(
    "turns-off-spin",
    "A body's orientation turns at another rate, or about another axis, than the spin that the engine reports, by more than 2 % of it over a whole window: another order of the quaternion (w, x, y, z here), a spin in the frame of the body, or orientations that are corrected without spin.",
);

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    let body = evidence.body(n);
    let (Some(turns), Some(spins)) = (&body.orientation, &body.spin) else {
        return vec![Outcome::lacks("the log has not both orientations and spins")];
    };
    if evidence.windows.is_empty() {
        return vec![Outcome::lacks(FEW)];
    }
    let fastest = spins.iter().map(Vector::norm).fold(0.0, larger);
    // from frame k − 1 to k: turns less spin, by how much a rule for its mean can differ, and the speed
    let interval = |k: usize| {
        let dt = evidence.interval(k);
        let turned = rotation(turns[k - 1], turns[k]) / dt;
        let (before, now) = (spins[k - 1], spins[k]);
        let speed = larger(turned.norm(), now.norm());
        (turned - 0.5 * (before + now), 0.5 * (now - before).norm(), speed, speed * dt)
    };
    let (mut worst, mut compared, mut hidden) = (0.0, 0usize, 0usize);
    for window in &evidence.windows {
        let all: Vec<_> = (window.start + 1..window.end).map(interval).collect();
        let speed = median(all.iter().map(|of| of.2));
        if speed <= larger(AT_REST * fastest, NOTHING / evidence.length(window)) {
            continue;
        }
        let apart: Vec<Vector> = all.iter().map(|of| of.0).collect();
        let off = median_vector(&apart).norm();
        let doubt = doubt(&apart, 0.0) + median(all.iter().map(|of| of.1));
        // beyond a quarter of a turn the turn may be the other one
        if all.iter().any(|of| of.3 > FRAC_PI_2)
            || off + doubt > LOOSE * speed && off - doubt <= SHARE * speed
        {
            hidden += 1;
        } else if off - doubt > SHARE * speed {
            let time = number(evidence.log.time[window.start]);
            let text = format!(
                "from t = {time} s on it turns {} rad/s off its spin, of {} rad/s, as vectors",
                number(off),
                number(speed)
            );
            return vec![Outcome::Fault(&TURNS_OFF_SPIN, text)];
        } else {
            compared += 1;
            worst = larger(worst, (off + doubt) / speed);
        }
    }
    vec![match (compared, hidden) {
        (0, 0) => Outcome::lacks("it does not turn"),
        (some, most) if some < most => {
            Outcome::lacks("noise, or fast turns between frames, hide it")
        }
        _ => Outcome::Clear(format!(
            "within {} % of the spin over {compared} windows",
            number(100.0 * worst)
        )),
    }]
}
