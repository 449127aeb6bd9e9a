//! Chatter and ringing: slip that reverses, or alternates about its mean, from frame to frame.

use super::{Check, Evidence, Outcome};
use std::ops::Range;
use stiction_core::diagnosis::friction_limit::CHATTER;
use stiction_core::diagnosis::thresholds::CREEP;
use stiction_core::diagnosis::wrongs::RINGING;
use stiction_core::math::{Vector, number, sqrt};

/// Least share of reversing frames in a window. White noise has 1/2: 28 of 31 by chance once in a
/// million.
const REVERSING: f64 = 0.9;

/// Least share of alternating frames, in at least two windows. White noise has 2/3: 29 of 30 in two
/// of twenty windows by chance once in a million.
const ALTERNATING: f64 = 0.95;

/// Share of g Δt up to which what alternates is a residual of a solver.
const RESIDUAL: f64 = 1e-5;

/// The velocity along the surface.
const SLIP: &str = "slip";

/// The check.
pub(crate) static CHECK: Check = Check {
    name: "chatter",
    about: "velocity along the surface, and along the normal, that reverses, or alternates about its mean, from frame to frame of a window in contact",
    judge,
};

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    let Some(velocity) = &evidence.body(n).velocity else {
        return vec![Outcome::lacks("the log has no velocities")];
    };
    if evidence.log.contacts.is_none() {
        return vec![Outcome::lacks("the log has no contacts")];
    }
    if evidence.sampled() {
        return vec![Outcome::lacks("frames are further apart than the engine's steps")];
    }
    let (mut ringing, mut compared) = (None, 0);
    for window in &evidence.windows {
        let Some(ground) = evidence.ground(n, window).filter(|ground| ground.share == 1.0) else {
            continue;
        };
        compared += 1;
        let along: Vec<Vector> =
            velocity[window.clone()].iter().map(|v| ground.along(*v)).collect();
        let normal = velocity[window.clone()].iter().zip(&along).map(|(v, along)| v - along);
        let parts = [(SLIP, along.clone()), ("velocity along the normal", normal.collect())];
        for (what, part) in parts {
            match alternates(evidence, window, &part, what) {
                // along the normal it is that of a stiff contact
                Some(Outcome::Found(_)) if what != SLIP => {}
                Some(Outcome::Found(text)) => match ringing {
                    Some(text) => return vec![Outcome::Fault(&RINGING, text)],
                    None => ringing = Some(text),
                },
                Some(fault) => return vec![fault],
                None => {}
            }
        }
    }
    vec![match (compared, ringing) {
        (0, _) => Outcome::lacks("it is not in contact over a window"),
        (_, Some(text)) => Outcome::Found(format!("{text}, in one window")),
        _ => Outcome::Clear(format!(
            "slip does not alternate, nor velocity along the normal reverse, in {compared} windows in contact"
        )),
    }]
}

/// Whether a part of the velocity reverses with every frame of a window, a fault, or alternates about its mean.
fn alternates(
    evidence: &Evidence,
    window: &Range<usize>,
    part: &[Vector],
    what: &str,
) -> Option<Outcome> {
    let Motion { reversing, alternating, size, middle } = motion(part)?;
    let gravity = evidence.gravity.unwrap_or_default().norm();
    if size < RESIDUAL * gravity * evidence.usual_interval() {
        return None;
    }
    let time = number(evidence.log.time[window.start]);
    if reversing > REVERSING {
        let size = number(size);
        let text = format!("from t = {time} s on {what} reverses with every frame, at {size} m/s");
        return Some(Outcome::Fault(&CHATTER, text));
    }
    (alternating > ALTERNATING && size > CREEP * middle.abs()).then(|| {
        let (size, middle) = (number(size), number(middle));
        Outcome::Found(format!(
            "from t = {time} s on {what} alternates by {size} m/s about {middle} m/s"
        ))
    })
}

/// Alternation of the velocity in a window along the direction of its largest change.
struct Motion {
    reversing: f64,
    alternating: f64,
    /// Half of the RMS change between frames \[m/s\].
    size: f64,
    /// Mean \[m/s\].
    middle: f64,
}

fn motion(v: &[Vector]) -> Option<Motion> {
    let changes = v.windows(2).map(|w| w[1] - w[0]);
    let largest = changes.max_by(|a, b| a.norm_squared().total_cmp(&b.norm_squared()))?;
    // only rounding
    if largest.norm() <= 1e-12 {
        return None;
    }
    let direction = largest / largest.norm();
    let v: Vec<f64> = v.iter().map(|v| v.dot(&direction)).collect();
    let count = v.len() as f64;
    let reversing = v.windows(2).filter(|w| w[0] * w[1] < 0.0).count() as f64 / (count - 1.0);
    let turned = |w: &&[f64]| (w[2] - w[1]) * (w[1] - w[0]) < 0.0;
    let alternating = v.windows(3).filter(turned).count() as f64 / (count - 2.0);
    let squares: f64 = v.windows(2).map(|w| (w[1] - w[0]) * (w[1] - w[0])).sum();
    let size = 0.5 * sqrt(squares / (count - 1.0));
    Some(Motion { reversing, alternating, size, middle: v.iter().sum::<f64>() / count })
}
