//! One particle of 1 kg on a spring of rest length zero, exactly q̈ = −ω² q: known properties of
//! methods.

use super::{Case, CaseFigure, CaseTrial, Rig, RigSetting, Trouble};
use stiction_core::integrators::symplectic_euler;
use stiction_core::math::{larger, sqrt};

/// The cases.
pub const CASES: &[Case] = &[
    Case {
        group: "units",
        name: "invariant of symplectic Euler",
        about: "p² + ω²q² − h ω² p q over 1e5 steps, ω 2, h .1",
        trials: invariant,
    },
    Case {
        group: "units",
        name: "amplitude of backward Euler",
        about: "falls by 1/√(1 + ω²h²) per step, ω 3: the worst of 20 steps",
        trials: amplitude,
    },
];

fn oscillator<'a>(
    setting: &RigSetting<'a>,
    method: &str,
    h: f64,
    omega: f64,
) -> Result<Rig<'a>, Trouble> {
    let rest = format!(
        "world.gravity = [0, 0, 0]
        materials.rubber.static_friction = 0.5
        [[body]]
        name = \"p\"
        shape.points = {{ positions = [[0, 0, 0], [1, 0, 0]], masses = [1, 1], links = [[0, 1]], rest_lengths = [0] }}
        springs.edge.stiffness = {:e}
        [[pin]]
        body = \"p\"
        where.particles = [0]
        ",
        omega * omega
    );
    setting.stand_under(method, h, &rest)
}

fn invariant() -> Vec<CaseTrial> {
    vec![CaseTrial::new(symplectic_euler::ENTRY.name, |setting| {
        let (omega, h) = (2.0, 0.1);
        let mut rig = oscillator(setting, "\"symplectic-euler\"", h, omega)?;
        let value = |rig: &Rig| {
            let (q, p) = (rig.state.positions[1].x, rig.state.velocities[1].x);
            p * p + omega * omega * (q * q - h * p * q)
        };
        let start = value(&rig);
        let mut worst = 0.0;
        for _ in 0..100_000 {
            rig.advance()?;
            worst = larger(worst, (value(&rig) / start - 1.0).abs());
        }
        Ok(vec![CaseFigure::absolute("relative change, worst", "", 0.0, worst, 3e-14)])
    })]
}

fn amplitude() -> Vec<CaseTrial> {
    let trial = |h: f64| {
        CaseTrial::new(format!("h {h}, implicit-euler"), move |setting| {
            let omega = 3.0;
            let mut rig = oscillator(setting, "\"implicit-euler\"", h, omega)?;
            let amplitude = |rig: &Rig| {
                let (q, v) = (rig.state.positions[1].x, rig.state.velocities[1].x);
                sqrt(q * q + v * v / (omega * omega))
            };
            let exact = 1.0 / sqrt(1.0 + omega * omega * h * h);
            let mut worst = exact;
            for _ in 0..20 {
                let before = amplitude(&rig);
                rig.advance()?;
                let factor = amplitude(&rig) / before;
                if (factor - exact).abs() > (worst - exact).abs() {
                    worst = factor;
                }
            }
            Ok(vec![CaseFigure::relative("factor per step", "", exact, worst, 1e-9)])
        })
    };
    [0.01, 0.1, 1.0].into_iter().map(trial).collect()
}
