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
/// it can; the normal work gives back e² of what it took \[routh1905\] \[stronge1990\]. And what friction
/// dissipates \[J\].
fn routh(mut rod: Rod, arm: [f64; 2], mu: f64, e: f64) -> (Rod, f64) {
    let part = 1e-5;
    let (across, coupled) = (1.0 + arm[1] * arm[1] / INERTIA, -arm[0] * arm[1] / INERTIA);
    let (mut work, mut taken, mut dissipated) = (0.0, None, 0.0);
    loop {
        let before = rod.at(arm);
        let holding = -(before[0] + coupled * part) / across;
        let friction = f64::clamp(holding, -mu * part, mu * part);
        let next = rod.kicked(arm, [friction, part]);
        let after = next.at(arm);
        work += 0.5 * part * (before[1] + after[1]);
        dissipated -= 0.5 * friction * (before[0] + after[0]);
        rod = next;
        match taken {
            None if after[1] >= 0.0 => (taken, work) = (Some(-work), 0.0),
            Some(taken) if work >= e * e * taken => return (rod, dissipated),
            _ => {}
        }
    }
}

/// The rod after the impact under a contact method, and what its friction has dissipated \[J\].
fn simulated(method: &str, angle: f64, mu: f64, e: f64) -> (Rod, f64) {
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
    let dissipated = run.watches.friction_work.dissipated.iter().sum();
    (Rod { velocity: [velocity.x, velocity.z], spin: spin.y }, dissipated)
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
        let (right, friction) = routh(start, low(angle), mu, e);
        for method in ["exact", "impulse"] {
            let (found, dissipated) = simulated(method, angle, mu, e);
            let gained = found.energy() / start.energy() - 1.0;
            assert!(gained < 1e-9, "{method}, {angle} degrees, μ {mu}, e {e}: gains {gained}");
            let off = [
                found.velocity[0] - right.velocity[0],
                found.velocity[1] - right.velocity[1],
                0.5 * (found.spin - right.spin),
            ];
            let off = sqrt(off.iter().map(|x| x * x).sum());
            assert!(off < 2e-3, "{method}, {angle} degrees, μ {mu}, e {e}: {found:?}, {right:?}");
            assert!(
                (dissipated - friction).abs() < 2e-3,
                "{method}, {angle} degrees, μ {mu}, e {e}: {dissipated} J, {friction} J"
            );
        }
    }
}

/// A body over a floor under gravity after `end` seconds at 1 ms: its height above its rest, speed of its
/// centre, and energy \[m, m/s, J\] before and after.
fn dropped(method: &str, e: f64, body: &str, end: f64) -> ([f64; 2], f64) {
    let mut run = simulation(&format!(
        "format = 1
        time = {{ end = {end}, step = 1e-3, output = {end} }}
        integrator.method = \"symplectic-euler\"
        materials.steel = {{ static_friction = 0.5, restitution = {e} }}
        contact.method = \"{method}\"
        [[body]]
        name = \"body\"
        rigid = true
        {body}
        [[collider]]
        name = \"floor\"
        shape.plane = {{}}
        "
    ));
    let energy = |run: &stiction_core::simulation::Simulation| {
        let one = |(i, m): (usize, &f64)| {
            let (x, v) = (run.state.positions[i], run.state.velocities[i]);
            m * (9.81 * x.z + 0.5 * v.norm_squared())
        };
        run.model.masses.iter().enumerate().map(one).sum::<f64>()
    };
    let before = energy(&run);
    for _ in 0..(end * 1e3).round() as u64 {
        run.advance().expect("a step");
    }
    let fastest = run.state.velocities.iter().map(|v| v.norm()).fold(0.0, f64::max);
    ([before, energy(&run)], fastest)
}

/// The velocity that gravity builds up within a step does not rebound: a brick comes to rest, and a rod that
/// loses nothing by its restitution gains nothing by its steps.
#[test]
fn gravity_within_a_step_does_not_rebound() {
    let brick = |turn: f64| {
        format!(
            "mass = 1.0\nshape.lattice = {{ counts = [3, 3, 3], spacing = 0.1 }}\n\
             position = [0, 0, 0.4]\nrotation = [0, {turn}, 0]"
        )
    };
    let rod = "radius = 0.05
        shape.points = { positions = [[-0.35, 0, -0.35], [-0.1, 0, -0.1], [0.1, 0, 0.1], [0.35, 0, 0.35]], masses = [0.25, 0.25, 0.25, 0.25] }
        position = [0, 0, 0.6]";
    for method in ["exact", "impulse"] {
        for turn in [0.0, 20.0] {
            for e in [0.5, 0.8] {
                let (_, speed) = dropped(method, e, &brick(turn), 6.0);
                assert!(speed < 1e-6, "{method}, e {e}, {turn} degrees: {speed} m/s");
            }
        }
        let ([before, after], _) = dropped(method, 1.0, rod, 3.0);
        // symplectic Euler keeps m g z + m v²/2 to m g h v/2
        assert!(after < before + 0.5 * 9.81e-3 * 4.0, "{method}: {before} J, then {after} J");
    }
}

/// A ball has no arm, whatever its mass: what rounding leaves of one does not couple its contact.
#[test]
fn a_ball_on_a_slope_rebounds_by_newtons_law() {
    for (mass, angle) in
        [0.3, 0.7, 1.0].into_iter().flat_map(|m| [20.0, 37.0, 53.0].map(|a| (m, a)))
    {
        let [c, s] = [cos(f64::to_radians(angle)), sin(f64::to_radians(angle))];
        for method in ["exact", "impulse"] {
            let mut run = simulation(&format!(
                "format = 1
                world.gravity = [0, 0, 0]
                time = {{ end = 0.05, step = 1e-3, output = 0.05 }}
                integrator.method = \"symplectic-euler\"
                materials.steel = {{ static_friction = 0.5, restitution = 0.8 }}
                contact.method = \"{method}\"
                [[body]]
                name = \"ball\"
                mass = {mass}
                shape.particle = {{}}
                position = [{:e}, 0, {:e}]
                velocity = [{:e}, 0, {:e}]
                [[collider]]
                name = \"slope\"
                shape.plane = {{ normal = [{s:e}, 0, {c:e}] }}
                ",
                0.02 * s,
                0.02 * c,
                -s,
                -c
            ));
            for _ in 0..50 {
                run.advance().expect("a step");
            }
            let v = run.state.velocities[0];
            let normal = v.x * s + v.z * c;
            assert!(
                (normal - 0.8).abs() < 1e-12,
                "{method}, {mass} kg, {angle} degrees: {normal} m/s"
            );
            // an impact in pieces takes dozens of solves
            let iterations = run.work.iterations;
            assert!(iterations < 40, "{method}, {mass} kg, {angle} degrees: {iterations}");
        }
    }
}
