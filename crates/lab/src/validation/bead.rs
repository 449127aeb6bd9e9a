//! P7: a bead on the curve φ = sin x + z = 0, held by a Lagrange multiplier λ, with friction
//! μ|λ||∇φ|.

use super::{Case, CaseFigure, CaseTrial, Rig, RigSetting, Trouble};
use stiction_core::math::larger;

/// The cases.
pub const CASES: &[Case] = &[
    Case {
        group: "P7",
        name: "bead on the sine",
        about: "1 kg from rest at x = 0, h 1e-3: where it turns, where and when it stops, how far it drifts off the curve; three couplings of multiplier and friction",
        trials: turns_and_stops,
    },
    Case {
        group: "P7",
        name: "bead that does not know rest",
        about: "the same with μ .1, without friction at rest: linear in the velocity it never reverses by itself, and stops late",
        trials: restless,
    },
    Case {
        group: "P7",
        name: "halving the step",
        about: "h 2e-3 and 1e-3, μ .1: the errors of the turns halve; what is linear in the multiplier does not lag in size, so that its own fall faster",
        trials: halving,
    },
];

/// x at the turning points of the first row, and of the second \[m\].
const TURNS: [f64; 5] = [2.676247850, 0.798909126, 2.078303467, 1.288732773, 1.647254721];
const ROUGH: [f64; 2] = [2.084570100, 1.684497170];

/// μ_k and μ_s, x at the turning points \[m\], x \[m\] and time \[s\] of the stop.
struct BeadRow {
    kinetic: f64,
    static_: f64,
    turns: &'static [f64],
    stop: [f64; 2],
}

const ROWS: [BeadRow; 3] = [
    BeadRow { kinetic: 0.1, static_: 0.1, turns: &TURNS, stop: [1.6472547208, 5.8631971629] },
    BeadRow { kinetic: 0.3, static_: 0.3, turns: &ROUGH, stop: [1.6844971696, 2.4448338261] },
    BeadRow {
        kinetic: 0.1,
        static_: 0.4,
        turns: TURNS.split_at(4).0,
        stop: [1.2887327734, 4.8426134020],
    },
];

/// The three couplings, and largest delay of the stop \[s\].
const COUPLINGS: [(&str, f64); 3] =
    [("velocity-linear", 0.08), ("multiplier-linear", 0.01), ("lagged", 0.01)];

/// Observed quantities of a ride.
#[derive(Default)]
struct Ride {
    /// x at which the velocity changed its sign or the bead came to rest \[m\].
    turns: Vec<f64>,
    /// Place \[m\] and time \[s\] of the last stop.
    stop: Option<[f64; 2]>,
    /// The largest distance from the curve \[m\].
    drift: f64,
    last: [f64; 2],
    direction: f64,
}

impl Ride {
    fn observe(&mut self, rig: &Rig) {
        let state = &rig.state;
        let (x, v) = (state.positions[0].x, state.velocities[0].x);
        let on = &state.memory.on_curves[0];
        let moving = !on.resting && v.abs() > 1e-9;
        if moving {
            self.stop = None;
        } else {
            self.stop.get_or_insert([x, state.time]);
        }
        let direction = if moving { v.signum() } else { 0.0 };
        if direction != self.direction {
            if self.direction != 0.0 {
                let [x0, v0] = self.last;
                // zero of the velocity, under constant deceleration
                let share = if moving { v0 / (v0 - v) } else { 1.0 };
                let overshoot =
                    if moving { 0.5 * v0 * share * (1.0 - share) * rig.time_step() } else { 0.0 };
                self.turns.push(x0 + (x - x0) * share + overshoot);
            }
            self.direction = direction;
        }
        self.last = [x, v];
        self.drift = larger(self.drift, on.distance);
    }

    /// The largest error of the turning points; NaN if there were fewer.
    fn error(&self, turns: &[f64]) -> f64 {
        if self.turns.len() < turns.len() {
            return f64::NAN;
        }
        self.turns.iter().zip(turns).map(|(a, b)| (a - b).abs()).fold(0.0, larger)
    }
}

/// Releases the bead and follows it for 7 s.
fn ride(setting: &RigSetting, friction: &str, h: f64) -> Result<Ride, Trouble> {
    let rest = format!(
        "world = {{ gravity = [0, 0, -9.81], planar = \"xz\" }}
        materials.steel.static_friction = 0.1
        [[body]]
        name = \"bead\"
        mass = 1.0
        shape.particle = {{}}
        [[curve]]
        body = \"bead\"
        phi = \"sin(x) + z\"
        friction = {{ {friction} }}
        "
    );
    let mut rig = setting.stand_under("\"symplectic-euler\"", h, &rest)?;
    let mut ride = Ride::default();
    for _ in 0..(7.0 / h).round() as u64 {
        rig.advance()?;
        ride.observe(&rig);
    }
    Ok(ride)
}

fn turns_and_stops() -> Vec<CaseTrial> {
    let trial = |row: &'static BeadRow, (coupling, late): (&'static str, f64)| {
        CaseTrial::new(format!("μ {}/{}, {coupling}", row.static_, row.kinetic), move |setting| {
            let friction = format!(
                "kinetic = {}, static = {}, coupling = \"{coupling}\"",
                row.kinetic, row.static_
            );
            let ride = ride(setting, &friction, 1e-3)?;
            let [x, t] = ride.stop.unwrap_or([f64::NAN; 2]);
            let mut figures: Vec<CaseFigure> = (0..row.turns.len())
                .map(|k| {
                    let found = ride.turns.get(k).copied().unwrap_or(f64::NAN);
                    CaseFigure::absolute(format!("turn {}", k + 1), "m", row.turns[k], found, 2e-3)
                })
                .collect();
            figures.extend([
                CaseFigure::absolute(
                    "turns",
                    "",
                    row.turns.len() as f64,
                    ride.turns.len() as f64,
                    0.0,
                ),
                CaseFigure::absolute("stops at x", "m", row.stop[0], x, 2e-3),
                CaseFigure::absolute("stops at t", "s", row.stop[1], t, late),
                CaseFigure::absolute("distance from the curve", "m", 0.0, ride.drift, 1e-4),
            ]);
            Ok(figures)
        })
    };
    ROWS.iter().flat_map(|row| COUPLINGS.map(|coupling| trial(row, coupling))).collect()
}

fn restless() -> Vec<CaseTrial> {
    vec![CaseTrial::new("μ 0.1/0.1, velocity-linear", |setting| {
        let friction = "kinetic = 0.1, coupling = \"velocity-linear\", rest = false";
        let ride = ride(setting, friction, 1e-3)?;
        let [x, t] = ride.stop.unwrap_or([f64::NAN; 2]);
        let [place, time] = ROWS[0].stop;
        Ok(vec![
            CaseFigure::absolute("turns, worst error", "m", 0.0, ride.error(&TURNS), 2e-3),
            CaseFigure::absolute("stops at x", "m", place, x, 2e-3),
            CaseFigure::absolute("stops at t, late", "s", time, t, 0.08),
        ])
    })]
}

fn halving() -> Vec<CaseTrial> {
    let trial = |coupling: &'static str| {
        CaseTrial::new(coupling, move |setting| {
            let friction = format!("kinetic = 0.1, coupling = \"{coupling}\"");
            let error = |h: f64| Ok(ride(setting, &friction, h)?.error(&TURNS));
            let ratio = error(2e-3)? / error(1e-3)?;
            Ok(vec![CaseFigure::absolute("error at h over error at h/2", "", 2.0, ratio, 0.3)])
        })
    };
    ["velocity-linear", "lagged"].into_iter().map(trial).collect()
}
