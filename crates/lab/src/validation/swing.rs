//! A block on a spring and a rough floor: every half swing is shorter by the same length.

use super::rig::label;
use super::{Case, CaseFigure, CaseTrial};
use stiction_core::contact::friction::{cundall_strack, threshold};
use stiction_core::impulses::exact;
use stiction_core::math::sqrt;

/// The cases.
pub const CASES: &[Case] = &[Case {
    group: "softness",
    name: "swings on a rough floor",
    about: "a block on a spring, let go .2 m from its middle: turns at .2 m − n 2μ_k N/k, k 100 N/m, μ .4/.1, and sticks where the spring pulls less than μ_s N; the turn furthest off",
    trials,
}];

const MASS: f64 = 1.0;
const STIFFNESS: f64 = 100.0;
const START: f64 = 0.2;
const G: f64 = 9.81;
const KINETIC: f64 = 0.1;

/// A half swing is that of an oscillator about ±μ_k N/k: it ends 2μ_k N/k short of the one without
/// friction.
fn trials() -> Vec<CaseTrial> {
    let threshold = "friction = { law = \"threshold\", epsilon = 1e-4 }";
    let stack = "friction = { law = \"cundall-strack\", stiffness = 1e5, damping = 500 }";
    let methods = [
        ("\"symplectic-euler\"", 2e-5),
        ("\"rk4\"", 5e-5),
        ("\"dopri5\"", 1e-3),
        ("\"implicit-midpoint\"", 1e-4),
    ];
    let penalty = [(threshold::ENTRY.name, threshold), (cundall_strack::ENTRY.name, stack)]
        .into_iter()
        .flat_map(|(law, friction)| methods.map(|(method, h)| (law, friction, method, h)));
    let cones = [("contact by cones", "", "\"symplectic-euler\"", 2e-5)];
    penalty.chain(cones).map(|(law, friction, method, h)| trial(law, friction, method, h)).collect()
}

fn trial(law: &str, friction: &str, method: &'static str, h: f64) -> CaseTrial {
    let contact = match friction {
        "" => "method = \"exact\"".to_string(),
        _ => format!("normal = {{ stiffness = 1e5, damping = 200 }}\n{friction}"),
    };
    CaseTrial::new(format!("{law}, {}", label(method)), move |setting| {
        let sunk = if contact.contains(exact::ENTRY.name) { 0.0 } else { MASS * G / 1e5 };
        // the other end of the spring is over the floor and far, so that it pulls level
        let text = format!(
            "world = {{ gravity = [0, 0, -{G}], planar = \"xz\" }}
            materials.wood = {{ static_friction = 0.4, kinetic_friction = {KINETIC} }}
            [contact]
            {contact}
            [[body]]
            name = \"block\"
            shape.points = {{ positions = [[{START}, 0, {:e}], [-1, 0, {:e}]], masses = [{MASS}, 1], links = [[0, 1]], rest_lengths = [1] }}
            springs.edge.stiffness = {STIFFNESS:e}
            [[pin]]
            body = \"block\"
            where.particles = [1]
            [[collider]]
            name = \"floor\"
            shape.plane = {{}}
            ",
            -sunk, -sunk
        );
        let mut rig = setting.stand_under(method, h, &text)?;
        let loss = 2.0 * KINETIC * MASS * G / STIFFNESS;
        // it sticks at the first turn where the spring pulls less than μ_s N: after nine turns at
        // .2 − 9 · .01962
        let turns = ((START - 0.4 * MASS * G / STIFFNESS) / loss).ceil();
        let half = stiction_core::math::PI * sqrt(MASS / STIFFNESS);
        let (mut worst, mut found, mut under_way) = (0.0f64, 0.0, false);
        while rig.state.time < (turns + 2.0) * half {
            rig.advance()?;
            let sign = if found % 2.0 == 0.0 { -1.0 } else { 1.0 };
            let speed = rig.state.velocities[0].x * sign;
            under_way |= speed > 1e-2;
            if under_way && speed <= 1e-3 {
                (found, under_way) = (found + 1.0, false);
                let off = rig.state.positions[0].x * sign - (START - found * loss);
                if off.abs() > worst.abs() {
                    worst = off;
                }
            }
        }
        rig.trusted()?;
        let end = rig.state.positions[0].x.abs();
        Ok(vec![
            CaseFigure::absolute("turns", "", turns, found, 0.0),
            CaseFigure::absolute("turn, off by", "m", 0.0, worst, 0.005 * loss),
            CaseFigure::absolute("where it sticks", "m", START - turns * loss, end, 0.02 * loss),
        ])
    })
}
