//! P5: a rope around a turning drum; its end tensions differ by the factor e^{μθ} (Euler and
//! Eytelwein).

use super::{Case, CaseFigure, CaseTrial, RigSetting, Trouble};
use stiction_core::math::{Vector, cos, exp, radians, sin};

/// The cases.
pub const CASES: &[Case] = &[Case {
    group: "P5",
    name: "capstan",
    about: "R .1, segments of 5°, a dead load of 1 N, the drum turns at 1 rad/s against or with it: the pull at the pin e^{±μθ}, μ .3, mean from 2 s to 2.2 s; rk4",
    trials,
}];

/// Angle of wrap \[degrees\], sense of the drum, tolerance.
const WRAPS: [(usize, f64, f64); 6] = [
    (90, 1.0, 0.005),
    (180, 1.0, 0.005),
    (360, 1.0, 0.01),
    (90, -1.0, 0.005),
    (180, -1.0, 0.005),
    (360, -1.0, 0.01),
];

const MU: f64 = 0.3;

fn trials() -> Vec<CaseTrial> {
    let trial = |(wrap, sense, tolerance): (usize, f64, f64)| {
        let side = if sense > 0.0 { "against the load" } else { "with the load" };
        CaseTrial::new(format!("{wrap}°, {side}"), move |setting| {
            let exact = exp(sense * MU * radians(wrap as f64));
            let found = pull(setting, wrap, sense)?;
            Ok(vec![CaseFigure::relative("pull at the pin", "N", exact, found, tolerance)])
        })
    };
    WRAPS.into_iter().map(trial).collect()
}

/// Mean tension at the pin from 2 s to 2.2 s \[N\], for a dead load of 1 N, after `wrap`
/// degrees on a drum that turns at `rate` \[rad/s\] about +y.
fn pull(setting: &RigSetting, wrap: usize, rate: f64) -> Result<f64, Trouble> {
    let radius = 0.1;
    let length = 2.0 * radius * sin(radians(2.5));
    let arc = wrap / 5;
    // the rope rises at the left of the drum, with six free segments, and leaves along the tangent
    let on_drum = |k: usize| {
        let angle = radians(5.0 * k as f64);
        Vector::new(-cos(angle), 0.0, sin(angle)) * radius
    };
    let end = radians(wrap as f64);
    let leaving = Vector::new(sin(end), 0.0, cos(end));
    let mut positions: Vec<Vector> =
        (1..=6).rev().map(|k| on_drum(0) - Vector::z() * (k as f64 * length)).collect();
    positions.extend((0..=arc).map(on_drum));
    positions.extend((1..=6).map(|k| on_drum(arc) + leaving * (k as f64 * length)));
    let points: Vec<[f64; 3]> = positions.iter().map(|p| [p.x, p.y, p.z]).collect();
    let last = positions.len() - 1;
    let links: Vec<[usize; 2]> = (0..last).map(|k| [k, k + 1]).collect();
    let rest = format!(
        "world = {{ gravity = [0, 0, 0] }}
        materials.steel = {{ static_friction = {MU} }}
        [contact]
        normal = {{ stiffness = 2e3, damping = 0.5 }}
        friction = {{ law = \"threshold\", epsilon = 1e-3 }}
        [[body]]
        name = \"rope\"
        mass = {}
        shape = {{ points = {{ positions = {points:?}, links = {links:?} }} }}
        springs = {{ edge = {{ stiffness = 2e4, damping = 0.5 }} }}
        [[collider]]
        name = \"drum\"
        shape = {{ cylinder = {{ axis = [0, 1, 0], radius = {radius} }} }}
        motion = {{ spin = {{ axis = [0, 1, 0], rate = {rate} }} }}
        [[pin]]
        body = \"rope\"
        where = {{ particles = [0] }}
        [[push]]
        body = \"rope\"
        where = {{ particles = [{last}] }}
        force = [{}, 0, {}]
        [[drag]]
        rate = 20
        ",
        1e-3 * positions.len() as f64,
        leaving.x,
        leaving.z,
    );
    let mut rig = setting.stand_under("\"rk4\"", 5e-5, &rest)?;
    // drag of 20/s leaves e^−20 = 2e-9 of any motion that is not steady
    rig.steps(40_000)?;
    let (mut sum, count) = (0.0, 4_000);
    for _ in 0..count {
        rig.advance()?;
        sum += rig.model.springs.get(0).tension(&rig.state.configuration());
    }
    rig.trusted()?;
    Ok(sum / f64::from(count))
}
