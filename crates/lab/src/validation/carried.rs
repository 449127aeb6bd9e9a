//! A plate pushed with balls on it: friction under the plate is a cone, and the balls roll.

use super::{Case, CaseFigure, CaseTrial, Rig, RigSetting, Trouble};
use stiction_core::integrators::symplectic_euler;
use stiction_core::math::{Vector, cos, radians, sin, sqrt};

/// The cases.
pub const CASES: &[Case] = &[Case {
    group: "softness",
    name: "plate that carries balls",
    about: "10 kg, μ .4 to the floor, 25 balls of 1 kg on it, μ .8, pushed by 150 N along the diagonal: .73850 m/s², the balls .21100 m/s²; friction taken axis by axis would bear 194 N and hold it [simbenchmark]",
    trials,
}];

const G: f64 = 9.81;
const RADIUS: f64 = 0.1;
/// Stiffness of a contact \[N/m\] and number of contacts of the plate with the floor.
const STIFFNESS: f64 = 1e5;
const FEET: f64 = 49.0;

/// On a plate of acceleration A a rolling ball, with moment of inertia 2/5 m R², has the
/// acceleration A (2/5)/(1 + 2/5) = 2A/7, so that it needs a force 2 m A/7: (10 + 25 · 2/7) A = 150
/// − .4 · 35 g.
fn trials() -> Vec<CaseTrial> {
    vec![CaseTrial::new(symplectic_euler::ENTRY.name, |setting| {
        let exact = (150.0 - 0.4 * 35.0 * G) / (10.0 + 25.0 * 2.0 / 7.0);
        let mut rig = stand(setting)?;
        rig.until(0.35)?;
        let before = velocities(&rig);
        rig.until(0.45)?;
        let after = velocities(&rig);
        let along = Vector::new(1.0, 1.0, 0.0) / sqrt(2.0);
        let [plate, balls] = [0, 1].map(|i: usize| (after[i] - before[i]) / 0.1);
        let (ahead, ball) = (plate.dot(&along), balls.dot(&along));
        let aside = (plate - along * ahead).norm();
        Ok(vec![
            CaseFigure::relative("acceleration of the plate", "m/s²", exact, ahead, 0.01),
            CaseFigure::relative("of the balls", "m/s²", exact * 2.0 / 7.0, ball, 0.01),
            CaseFigure::absolute("of the plate, aside", "m/s²", 0.0, aside, 0.01),
        ])
    })]
}

/// A body rolling along the diagonal: an arc of particles under a frame, with the mass of a ball
/// and its moment of inertia about the rolling axis.
fn ball() -> (Vec<[f64; 3]>, Vec<f64>) {
    let angles = (-14..=14).map(|k| radians(0.5 * f64::from(k)));
    let side = sqrt(0.5) * RADIUS;
    let mut positions: Vec<[f64; 3]> =
        angles.map(|a| [side * sin(a), side * sin(a), -RADIUS * cos(a)]).collect();
    let mut masses = vec![1e-3; positions.len()];
    // equal first moments above and below
    let lever: f64 = positions.iter().map(|x| -x[2] * 1e-3).sum();
    positions.push([0.0, 0.0, RADIUS]);
    masses.push(lever / RADIUS);
    let given: f64 = masses.iter().sum();
    let each = (1.0 - given) / 6.0;
    let r = RADIUS * sqrt((0.4 - given) / (4.0 * each));
    for axis in 0..3 {
        for sign in [-1.0, 1.0] {
            let mut x = [0.0; 3];
            x[axis] = sign * r;
            positions.push(x);
            masses.push(each);
        }
    }
    (positions, masses)
}

fn stand<'a>(setting: &RigSetting<'a>) -> Result<Rig<'a>, Trouble> {
    let (positions, masses) = ball();
    let sunk = 35.0 * G / (FEET * STIFFNESS);
    let mut text = format!(
        "world.gravity = [0, 0, -{G}]
        [materials]
        ground.static_friction = 0.5
        plate.static_friction = 0.5
        ball.static_friction = 0.5
        [[pair]]
        materials = [\"plate\", \"ground\"]
        static_friction = 0.4
        [[pair]]
        materials = [\"plate\", \"ball\"]
        static_friction = 0.8
        [contact]
        bodies = true
        normal = {{ stiffness = {STIFFNESS:e}, damping = 5 }}
        friction = {{ law = \"threshold\", epsilon = 1e-3 }}
        [[collider]]
        name = \"floor\"
        material = \"ground\"
        shape.plane = {{}}
        [[body]]
        name = \"plate\"
        material = \"plate\"
        mass = 10
        rigid = true
        shape.lattice = {{ counts = [7, 7, 2], spacing = 0.2 }}
        position = [0, 0, {:e}]
        [[push]]
        body = \"plate\"
        force = [{:e}, {:e}, 0]
        # when what was set down has come to rest
        from = 0.3
        ",
        -sunk,
        150.0 * sqrt(0.5),
        150.0 * sqrt(0.5),
    );
    for (i, j) in (-2..=2).flat_map(|i| (-2..=2).map(move |j| (i, j))) {
        // off-centre only along the push, so that friction under the plate does not turn it
        let (x, y) = (0.2 * f64::from(i) + 0.03, 0.2 * f64::from(j) + 0.03);
        text += &format!(
            "[[body]]
            name = \"ball {i} {j}\"
            material = \"ball\"
            rigid = true
            shape.points = {{ positions = {positions:?}, masses = {masses:?} }}
            position = [{x:e}, {y:e}, {:e}]
            ",
            0.2 + RADIUS - sunk - 2.7e-5,
        );
    }
    setting.stand_under("\"symplectic-euler\"", 5e-5, &text)
}

/// Mean velocities of the plate and of all balls \[m/s\].
fn velocities(rig: &Rig) -> [Vector; 2] {
    let (bodies, v) = (&rig.model.bodies, &rig.state.velocities);
    let plate = bodies[0].particles.end;
    [0..plate, plate..v.len()].map(|range| {
        let mass: f64 = rig.model.masses[range.clone()].iter().sum();
        let momentum: Vector = range.map(|i| v[i] * rig.model.masses[i]).sum();
        momentum / mass
    })
}
