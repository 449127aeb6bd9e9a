//! A wheel thrown sliding ends rolling; its final speed does not depend on friction.

use super::{Case, CaseFigure, CaseTrial, Rig, RigSetting, Trouble};
use stiction_core::math::{PI, Vector, cos, sin};

/// The cases.
pub const CASES: &[Case] = &[Case {
    group: "units",
    name: "slip to roll",
    about: "a wheel of J = I/(m R²): v = (v0 + J R ω0)/(1 + J), whatever μ; a hoop J = 1, a disc ½, a sphere ⅖",
    trials,
}];

const RADIUS: f64 = 0.1;
const RIM: usize = 200;
const G: f64 = 9.81;

/// A throw: speed along x \[m/s\], rate of turn in the sense of rolling along x \[rad/s\].
const THROWS: [[f64; 2]; 3] = [[1.0, 0.0], [1.0, -5.0], [0.5, 20.0]];

fn trials() -> Vec<CaseTrial> {
    let trial = |(name, j): (&str, f64), [speed, spin]: [f64; 2], mu: f64| {
        let variant = format!("{name}, {speed} m/s, {spin} rad/s, μ {mu}, symplectic-euler");
        CaseTrial::new(variant, move |setting| {
            let mut rig = wheel(setting, 1.0 - j, speed, spin, mu)?;
            let rolling = (speed + j * RADIUS * spin) / (1.0 + j);
            // friction changes the speed at μ g until then
            rig.until((rolling - speed).abs() / (mu * G) + 0.05)?;
            rig.trusted()?;
            let (v, turn) = motion(&rig);
            Ok(vec![
                CaseFigure::relative("speed", "m/s", rolling, v, 0.005),
                CaseFigure::relative("R ω", "m/s", rolling, RADIUS * turn, 0.005),
            ])
        })
    };
    let wheels = [("hoop", 1.0), ("disc", 0.5), ("sphere", 0.4)];
    wheels
        .into_iter()
        .flat_map(|wheel| THROWS.map(|throw| (wheel, throw)))
        .flat_map(|(wheel, throw)| [0.2, 0.5].map(|mu| trial(wheel, throw, mu)))
        .collect()
}

/// An upright wheel of 1 kg on the floor: a fine rim braced by chords, and the share `hub` of the
/// mass in the hub, so that J = 1 − hub.
fn wheel<'a>(
    setting: &RigSetting<'a>,
    hub: f64,
    speed: f64,
    spin: f64,
    mu: f64,
) -> Result<Rig<'a>, Trouble> {
    let rim = (0..RIM).map(|i| 2.0 * PI * (i as f64 + 0.5) / RIM as f64);
    let mut points: Vec<[f64; 3]> =
        rim.map(|angle| [RADIUS * sin(angle), 0.0, -RADIUS * cos(angle)]).collect();
    let mut masses = vec![(1.0 - hub) / RIM as f64; RIM];
    let chords = [1, 2, RIM / 8, RIM / 4].into_iter().flat_map(|apart| {
        (0..RIM).map(move |i| [i.min((i + apart) % RIM), i.max((i + apart) % RIM)])
    });
    let mut links: Vec<[usize; 2]> = chords.collect();
    if hub > 0.0 {
        points.push([0.0; 3]);
        masses.push(hub);
        links.extend((0..RIM).map(|i| [i, RIM]));
    }
    let rest = format!(
        "world = {{ gravity = [0, 0, -{G}], planar = \"xz\" }}
        materials.steel = {{ static_friction = {mu} }}
        [contact]
        normal = {{ stiffness = 2e4, damping = 1 }}
        friction = {{ law = \"threshold\", epsilon = 1e-2 }}
        [[body]]
        name = \"wheel\"
        shape = {{ points = {{ positions = {points:?}, masses = {masses:?}, links = {links:?} }} }}
        springs = {{ edge = {{ stiffness = 5e4, damping = 2 }} }}
        position = [0, 0, {:e}]
        velocity = [{speed:e}, 0, 0]
        spin = [0, {spin:e}, 0]
        [[collider]]
        name = \"floor\"
        shape = {{ plane = {{}} }}
        ",
        RADIUS * cos(PI / RIM as f64) - 0.5 * G / 2e4,
    );
    setting.stand_under("\"symplectic-euler\"", 1e-5, &rest)
}

/// Mean velocity along x \[m/s\] and rate of turn in the sense of rolling \[rad/s\].
fn motion(rig: &Rig) -> (f64, f64) {
    let masses = &rig.model.masses;
    let mean = |values: &[Vector]| values.iter().zip(masses).map(|(x, m)| x * *m).sum::<Vector>();
    let (x, v) = (&rig.state.positions, &rig.state.velocities);
    let (center, velocity) = (mean(x), mean(v));
    let (mut momentum, mut inertia) = (0.0, 0.0);
    for ((x, v), m) in x.iter().zip(v).zip(masses) {
        let r = x - center;
        momentum += (r.z * v.x - r.x * v.z) * m;
        inertia += (r.x * r.x + r.z * r.z) * m;
    }
    (velocity.x, momentum / inertia)
}
