//! A clamped rod pushed onto a floor: it buckles, and its tip slips at a sufficient inclination.

use super::{Case, CaseFigure, CaseTrial, RigSetting, Trouble};
use stiction_core::contact::friction::cundall_strack;
use stiction_core::math::{cos, sin, sqrt};

/// The cases.
pub const CASES: &[Case] = &[Case {
    group: "softness",
    name: "rod pushed onto a floor",
    about: "clamped above, its tip on the floor: buckled, it pushes the tip aside by H and down by V, and slips at the shortening where H/V of the elastica is μ: .0469, .1549, .2716 of its length for μ = .1, .2, .3, and never for μ ≥ .3564, with which its end lies flat first, at .3303",
    trials,
}];

/// Shortening at which the tip slips, by μ.
///
/// The inclination θ of the inextensible elastica obeys EI θ'' = −V sin θ + H cos θ along s from
/// the tip, with θ' = 0 at the tip, θ = 0 at the clamp, and the tip under the clamp, ∫sin θ ds = 0;
/// its shortening is 1 − ∫cos θ ds/L. The equations are solved by shooting for V and H, given θ at
/// the tip. For small H/V the shortening begins as 5.05 (H/V)², of Euler's mode tan(kL) = kL. When
/// θ at the tip reaches 90°, at H/V = .3564 and a shortening of .3303, the side of the rod touches.
const SLIPS: [(f64, f64); 3] = [(0.1, 0.046877), (0.2, 0.154867), (0.3, 0.271561)];

/// Number of cells of the rod. It consists of two chords half a cell apart, braced by diagonals,
/// and has a pointed tip. The compressive force V is .7 % of its shear stiffness GA = .4 k a and
/// .1 % of its axial stiffness EA = 3.1 k a. The elastica has neither compliance, hence the
/// tolerance.
const CELLS: usize = 30;
const A: f64 = 1.0 / CELLS as f64;
/// Speed of the clamp \[m/s\], stiffness of springs and contact \[N/m\].
const SPEED: f64 = 0.02;
const STIFFNESS: f64 = 1e4;
/// The rod starts buckled in Euler's mode θ ∝ cos(kL s) − sin(kL)/kL, which determines the side to
/// which it yields.
const MODE: f64 = 4.493_409_457_909;
const BENT: f64 = 0.2;
/// Initial compressive strain V/EA under V = 20.4 EI/L²: EI = k a³/8 of the chords, EA = 3.143 k a
/// with the diagonals.
const COMPRESSED: f64 = 20.4 / 8.0 / 3.143 * A * A;
/// Shortening until which the shape settles; from there on the tip is observed.
const SETTLED: f64 = 0.02;
/// Displacement of the tip that counts as slip \[m\].
const SLIPPED: f64 = 2e-3;

const LAWS: [(&str, &str); 2] = [
    ("contact by cones", "method = \"exact\""),
    (
        cundall_strack::ENTRY.name,
        "normal = { stiffness = 1e4, damping = 5 }
            friction = { law = \"cundall-strack\", stiffness = 1e4, damping = 5 }",
    ),
];

fn trials() -> Vec<CaseTrial> {
    let slips = LAWS.into_iter().flat_map(|law| SLIPS.map(|slip| (law, slip)));
    let slips = slips.map(|((name, contact), (mu, exact))| {
        CaseTrial::new(format!("{name}, μ {mu}, symplectic-euler"), move |setting| {
            let found = shortening(setting, contact, mu, 0.4)?.unwrap_or(f64::NAN);
            Ok(vec![CaseFigure::absolute("slips at", "", exact, found, 0.008)])
        })
    });
    let holds = LAWS.into_iter().map(|(name, contact)| {
        CaseTrial::new(format!("{name}, μ 0.38, symplectic-euler"), move |setting| {
            let found = shortening(setting, contact, 0.38, 0.325)?;
            let count = found.map_or(0.0, |_| 1.0);
            Ok(vec![CaseFigure::absolute("slips until .325", "", 0.0, count, 0.0)])
        })
    });
    slips.chain(holds).collect()
}

/// Shortening at which the tip has slipped; `None` if it holds up to the shortening `most`.
fn shortening(
    setting: &RigSetting,
    contact: &str,
    mu: f64,
    most: f64,
) -> Result<Option<f64>, Trouble> {
    let mut rig = setting.stand_under("\"symplectic-euler\"", 1.5e-4, &text(contact, mu))?;
    let mut start = 0.0;
    loop {
        rig.steps(50)?;
        // the rod is 1 m long; the clamp holds the last two particles
        let x = &rig.state.positions;
        let shorter = 1.0 - 0.5 * (x[x.len() - 1].z + x[x.len() - 2].z);
        if shorter < SETTLED {
            start = x[0].x;
        } else if (x[0].x - start).abs() > SLIPPED {
            return Ok(Some(shorter));
        }
        if shorter > most {
            return Ok(None);
        }
    }
}

/// The axis of the bent rod: position and inclination of each row, from the tip on.
fn axis() -> Vec<([f64; 2], f64)> {
    let angle = |s: f64| BENT * (cos(MODE * s) - sin(MODE) / MODE);
    let (mut place, mut rows) = ([0.0; 2], vec![([0.0; 2], angle(0.0))]);
    const PARTS: usize = 20;
    for part in 0..CELLS * PARTS {
        let step = A / PARTS as f64;
        let theta = angle((part as f64 + 0.5) * step);
        place = [place[0] + step * sin(theta), place[1] + step * cos(theta)];
        if (part + 1) % PARTS == 0 {
            rows.push((place, angle((part + 1) as f64 * step)));
        }
    }
    rows
}

fn text(contact: &str, mu: f64) -> String {
    let (mut positions, mut links, mut lengths) = (vec![[0.0; 3]], Vec::new(), Vec::new());
    let (width, brace) = (0.5 * A, sqrt(1.25) * A);
    let mut link = |i: usize, j: usize, length: f64| {
        links.push([i, j]);
        lengths.push(length * (1.0 + COMPRESSED));
    };
    for (row, ([x, z], theta)) in axis().into_iter().enumerate().skip(1) {
        // the last two rows are clamped upright
        let theta = if row + 1 >= CELLS { 0.0 } else { theta };
        let (aside, up) = (0.5 * width * cos(theta), 0.5 * width * sin(theta));
        positions.extend([[x - aside, 0.0, z + up], [x + aside, 0.0, z - up]]);
        let (left, right) = (2 * row - 1, 2 * row);
        link(left, right, width);
        if row == 1 {
            let slant = sqrt(A * A + 0.25 * width * width);
            link(0, left, slant);
            link(0, right, slant);
        } else {
            link(left - 2, left, A);
            link(right - 2, right, A);
            link(left - 2, right, brace);
            link(right - 2, left, brace);
        }
    }
    let count = positions.len();
    let masses = vec![1e-3; count];
    let pinned = [count - 4, count - 3, count - 2, count - 1];
    format!(
        "world = {{ gravity = [0, 0, 0], planar = \"xz\" }}
        materials.steel.static_friction = {mu}
        [contact]
        {contact}
        [[body]]
        name = \"rod\"
        shape.points = {{ positions = {positions:?}, masses = {masses:?}, links = {links:?}, rest_lengths = {lengths:?} }}
        springs.edge = {{ stiffness = {STIFFNESS:e}, damping = 0.2 }}
        [[drag]]
        rate = 2
        [[drag]]
        rate = 20
        until = 0.5
        [[pin]]
        body = \"rod\"
        where.particles = {pinned:?}
        motion.velocity = [0, 0, -{SPEED}]
        [[collider]]
        name = \"floor\"
        # under the tip only: leaning, the rod would touch beside it
        shape.box = {{ min = [-0.02, -1, -0.2], max = [0.02, 1, 0] }}
        "
    )
}
