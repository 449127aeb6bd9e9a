//! Restitution by energy of contacts that friction couples, against Routh's integration along the impulse.

use super::support::simulation;
use stiction_core::math::{cos, sin, sqrt};

/// Velocities of a rod after its lower end has hit a floor.
#[derive(Debug, Clone, Copy)]
struct Rod {
    velocity: [f64; 2],
    spin: f64,
}

/// A rod of four equal balls, 1 m long and of 1 kg.
const INERTIA: f64 = 0.25 * 2.0 * (0.25 + 1.0 / 36.0);

impl Rod {
    fn energy(&self) -> f64 {
        let [x, z] = self.velocity;
        0.5 * (x * x + z * z) + 0.5 * INERTIA * self.spin * self.spin
    }

    /// Velocity of the point at `arm` from the centre.
    fn at(&self, arm: [f64; 2]) -> [f64; 2] {
        [self.velocity[0] + self.spin * arm[1], self.velocity[1] - self.spin * arm[0]]
    }

    /// After an impulse at `arm`.
    fn kicked(&self, arm: [f64; 2], [x, z]: [f64; 2]) -> Rod {
        let velocity = [self.velocity[0] + x, self.velocity[1] + z];
        Rod { velocity, spin: self.spin + (arm[1] * x - arm[0] * z) / INERTIA }
    }
}

/// The rod after the impact: p_n grows in small parts, friction μ dp_n acts against the slip, or holds where
/// it can; the normal work gives back e² of what it took \[routh1905\] \[stronge1990\].
fn routh(mut rod: Rod, arm: [f64; 2], mu: f64, e: f64) -> Rod {
    let part = 1e-5;
    let (across, coupled) = (1.0 + arm[1] * arm[1] / INERTIA, -arm[0] * arm[1] / INERTIA);
    let (mut work, mut taken) = (0.0, None);
    loop {
        let before = rod.at(arm);
        let holding = -(before[0] + coupled * part) / across;
        let friction = f64::clamp(holding, -mu * part, mu * part);
        let next = rod.kicked(arm, [friction, part]);
        let after = next.at(arm);
        work += 0.5 * part * (before[1] + after[1]);
        rod = next;
        match taken {
            None if after[1] >= 0.0 => (taken, work) = (Some(-work), 0.0),
            Some(taken) if work >= e * e * taken => return rod,
            _ => {}
        }
    }
}

/// The rod after the impact under a contact method.
fn simulated(method: &str, angle: f64, mu: f64, e: f64) -> Rod {
    let [c, s] = [cos(angle.to_radians()), sin(angle.to_radians())];
    let places: Vec<[f64; 3]> =
        [-0.5, -1.0 / 6.0, 1.0 / 6.0, 0.5].map(|at: f64| [at * c, 0.0, at * s]).to_vec();
    let height = 0.5 * s.abs() + 0.05 + 0.0105;
    let mut run = simulation(&format!(
        "format = 1
        world = {{ gravity = [0, 0, 0], planar = \"xz\" }}
        time = {{ end = 0.04, step = 1e-3, output = 0.04 }}
        integrator.method = \"symplectic-euler\"
        materials.steel = {{ static_friction = {mu}, restitution = {e} }}
        contact.method = \"{method}\"
        [[body]]
        name = \"rod\"
        rigid = true
        radius = 0.05
        shape.points = {{ positions = {places:?}, masses = [0.25, 0.25, 0.25, 0.25] }}
        position = [0, 0, {height}]
        velocity = [-0.6, 0, -1]
        [[collider]]
        name = \"floor\"
        shape.plane = {{}}
        "
    ));
    for _ in 0..14 {
        run.advance().expect("a step");
    }
    let (velocity, spin) = run.model.rigid[0].twist(&run.state);
    Rod { velocity: [velocity.x, velocity.z], spin: spin.y }
}

#[test]
fn friction_gives_a_rod_no_energy() {
    let start = Rod { velocity: [-0.6, -1.0], spin: 0.0 };
    let low = |angle: f64| {
        let [c, s] = [cos(angle.to_radians()), sin(angle.to_radians())];
        let end = if s > 0.0 { -0.5 } else { 0.5 };
        // contact acts on the particle: on the centre of its ball
        [end * c, end * s]
    };
    for (angle, mu, e) in [
        (45.0, 0.5, 1.0),
        (-45.0, 0.5, 1.0),
        (-45.0, 0.2, 0.8),
        (-30.0, 0.9, 0.5),
        (-60.0, 0.5, 1.0),
        (-60.0, 0.0, 1.0),
    ] {
        let right = routh(start, low(angle), mu, e);
        for method in ["exact", "impulse"] {
            let found = simulated(method, angle, mu, e);
            let gained = found.energy() / start.energy() - 1.0;
            assert!(gained < 1e-9, "{method}, {angle} degrees, μ {mu}, e {e}: gains {gained}");
            let off = [
                found.velocity[0] - right.velocity[0],
                found.velocity[1] - right.velocity[1],
                0.5 * (found.spin - right.spin),
            ];
            let off = sqrt(off.iter().map(|x| x * x).sum());
            assert!(off < 0.01, "{method}, {angle} degrees, μ {mu}, e {e}: {found:?}, {right:?}");
        }
    }
}
