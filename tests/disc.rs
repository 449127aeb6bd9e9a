//! A disc and a ring that slide and spin on a floor: friction couples the two motions, so that both
//! end together \[farkas2003\].

mod support;

use rayon::prelude::*;
use stiction::math::{PI, Vector, cos, sin, sqrt};
use stiction::simulation::Simulation;
use support::simulation;

const RADIUS: f64 = 0.1;
const MU: f64 = 0.3;
const G: f64 = 9.81;

/// A body that slides with `speed` along x and turns with `spin` about z.
#[derive(Clone, Copy, PartialEq)]
struct Motion {
    way: Vector,
    velocity: Vector,
    spin: f64,
}

impl Motion {
    /// √(v² + R²ω²) \[m/s\].
    fn size(&self) -> f64 {
        sqrt(self.velocity.norm_squared() + RADIUS * RADIUS * self.spin * self.spin)
    }

    /// v/(R ω).
    fn quotient(&self) -> f64 {
        self.velocity.norm() / (RADIUS * self.spin)
    }
}

/// How a motion ends.
#[derive(Debug, Clone, Copy)]
struct Ending {
    /// Way when all is over \[m\].
    way: f64,
    /// When the size of the motion has fallen to a twentieth \[s\].
    late: f64,
    /// v/(R ω) then.
    quotient: f64,
    /// Where the fall from a twentieth to a fiftieth, which is linear, leads to \[s\].
    stop: f64,
}

/// Follows a motion by `advance`, which returns the time and what it is then, down to a five
/// hundredth of its size.
fn follow(start: Motion, mut advance: impl FnMut() -> (f64, Motion)) -> Ending {
    let (full, mut now) = (start.size(), (0.0, start));
    // the time when the size passes a share of its first value, linearly between two steps
    let passes = |share: f64, before: (f64, Motion), after: (f64, Motion)| {
        let [a, b] = [before.1.size() / full, after.1.size() / full];
        (a >= share && b < share).then(|| before.0 + (a - share) / (a - b) * (after.0 - before.0))
    };
    let (mut late, mut later) = ((0.0, 0.0), 0.0);
    while now.1.size() > 2e-3 * full {
        let next = advance();
        if let Some(time) = passes(0.05, now, next) {
            late = (time, next.1.quotient());
        }
        later = passes(0.02, now, next).unwrap_or(later);
        now = next;
    }
    let stop = later + (later - late.0) * 0.02 / 0.03;
    Ending { way: now.1.way.norm(), late: late.0, quotient: late.1, stop }
}

/// The rate of a rigid body under the law of Coulomb, pressed evenly on the floor at its points.
fn rigid_rate(points: &[Vector], motion: &Motion) -> Motion {
    let (mut force, mut torque, mut inertia) = (Vector::zeros(), 0.0, 0.0);
    for r in points {
        let slip = motion.velocity + Vector::new(-r.y, r.x, 0.0) * motion.spin;
        let friction = slip * (-MU * G / slip.norm().max(1e-12));
        force += friction;
        torque += r.x * friction.y - r.y * friction.x;
        inertia += r.norm_squared();
    }
    Motion { way: motion.velocity, velocity: force / points.len() as f64, spin: torque / inertia }
}

/// The rigid body's end, by the midpoint rule with steps that shrink with the motion.
fn rigid(points: &[Vector], start: Motion) -> Ending {
    let (mut motion, mut time) = (start, 0.0);
    let moved = |from: &Motion, rate: &Motion, h: f64| Motion {
        way: from.way + rate.way * h,
        velocity: from.velocity + rate.velocity * h,
        spin: from.spin + rate.spin * h,
    };
    follow(start, || {
        let h = 5e-4 * motion.size() / start.size();
        let middle = moved(&motion, &rigid_rate(points, &motion), 0.5 * h);
        motion = moved(&motion, &rigid_rate(points, &middle), h);
        time += h;
        (time, motion)
    })
}

/// The mean motion of a body, its spin from its angular momentum.
fn mean_motion(run: &Simulation) -> Motion {
    let count = run.model.particles() as f64;
    let mean = |values: &[Vector]| values.iter().sum::<Vector>() / count;
    let (x, v) = (&run.state.positions, &run.state.velocities);
    let (center, velocity) = (mean(x), mean(v));
    let (mut momentum, mut inertia) = (0.0, 0.0);
    for (x, v) in x.iter().zip(v) {
        let r = x - center;
        momentum += r.x * v.y - r.y * v.x;
        inertia += r.x * r.x + r.y * r.y;
    }
    Motion { way: center - mean(&run.model.reference), velocity, spin: momentum / inertia }
}

/// The ending of a soft body of 1 kg, thrown flat over the floor, each of its particles at its
/// static penetration.
fn soft(shape: &str, particles: usize, speed: f64, spin: f64) -> Ending {
    let stiffness = 1e3;
    let depth = G / (particles as f64 * stiffness);
    let mut run = simulation(&format!(
        "format = 1
        world = {{ gravity = [0, 0, -{G}] }}
        time = {{ end = 1, step = 1e-5, output = 1 }}
        integrator = {{ method = \"symplectic-euler\" }}
        materials.steel = {{ static_friction = {MU} }}
        [contact]
        normal = {{ stiffness = {stiffness:e}, damping = 2 }}
        friction = {{ law = \"threshold\", epsilon = 1e-3 }}
        [[body]]
        name = \"top\"
        mass = 1
        shape = {{ {shape} }}
        springs = {{ edge = {{ stiffness = 2e4, damping = 4 }} }}
        position = [0, 0, {:e}]
        velocity = [{speed:e}, 0, 0]
        spin = [0, 0, {spin:e}]
        [[collider]]
        name = \"floor\"
        shape = {{ plane = {{}} }}
        ",
        -depth
    ));
    assert_eq!(run.model.particles(), particles);
    let ending = follow(mean_motion(&run), || {
        run.advance().expect("a step");
        (run.state.time, mean_motion(&run))
    });
    assert!(run.verdict().trusted(), "{:?}", run.verdict());
    ending
}

/// Rings of points, so that each stands for the same area of a disc.
fn even_points(rings: u32, around: u32) -> Vec<Vector> {
    let point = |i: u32, j: u32| {
        let r = RADIUS * sqrt((f64::from(i) + 0.5) / f64::from(rings));
        let angle = 2.0 * PI * (f64::from(j) + 0.5) / f64::from(around);
        Vector::new(r * cos(angle), r * sin(angle), 0.0)
    };
    (0..rings).flat_map(|i| (0..around).map(move |j| point(i, j))).collect()
}

fn assert_near(name: &str, found: f64, expected: f64, share: f64) {
    println!("{name}: {found:.6}, {expected:.6} ({:+.3} %)", 100.0 * (found / expected - 1.0));
    assert!((found / expected - 1.0).abs() < share, "{name}: {found}, not {expected}");
}

/// A ring with chords across, since a bare one would be bent out of round by the friction.
fn braced(ring: &[Vector]) -> String {
    let count = ring.len();
    let points: Vec<[f64; 3]> = ring.iter().map(|p| [p.x, p.y, p.z]).collect();
    let chords = [1, 2, 8, 16].into_iter().flat_map(|apart| {
        (0..count).map(move |i| [i.min((i + apart) % count), i.max((i + apart) % count)])
    });
    let links: Vec<[usize; 2]> = chords.collect();
    format!("points = {{ positions = {points:?}, links = {links:?} }}")
}

/// Published for the disc: v/(R ω) tends to .653, whatever it was at first.
#[test]
fn a_disc_ends_sliding_and_spinning_together() {
    let disc = format!("disc = {{ radius = {RADIUS}, count = 200 }}");
    let cases = [(10.0, 0.216581, 0.43394, 0.683), (20.0, 0.334182, 0.61328, 0.617)];
    cases.par_iter().for_each(|&(spin, way, late, quotient)| {
        let name = |of: &str| format!("disc, spin {spin}: {of}");
        let start = Motion { way: Vector::zeros(), velocity: Vector::x(), spin };
        // the figures again, from the rigid disc
        let exact = rigid(&even_points(60, 60), start);
        assert_near(&name("way of the rigid disc"), exact.way, way, 1e-4);
        assert_near(&name("its time to a twentieth"), exact.late, late, 1e-4);
        assert!((exact.quotient - quotient).abs() < 5e-4, "{exact:?}");

        let found = soft(&disc, 200, 1.0, spin);
        assert_near(&name("way"), found.way, way, 0.003);
        assert_near(&name("time to a twentieth"), found.late, late, 0.005);
        println!("{}", name(&format!("quotient {:.4}, {quotient}", found.quotient)));
        assert!((found.quotient - quotient).abs() < 0.01, "{spin}: {found:?}");
    });
}

/// A thin ring ends with v = R ω.
#[test]
fn a_ring_ends_with_equal_speeds() {
    let start = Motion { way: Vector::zeros(), velocity: Vector::x(), spin: 20.0 };
    let ring: Vec<Vector> = (0..64)
        .map(|i| 2.0 * PI * f64::from(i) / 64.0)
        .map(|angle| Vector::new(cos(angle), sin(angle), 0.0) * RADIUS)
        .collect();
    let exact = rigid(&ring, start);
    assert_near("way of the rigid ring", exact.way, 0.481912, 1e-4);
    assert_near("its stop", exact.stop, 0.823008, 1e-4);

    let found = soft(&braced(&ring), 64, 1.0, 20.0);
    assert_near("way of the ring", found.way, 0.481912, 0.003);
    assert_near("its stop", found.stop, 0.823008, 0.005);
    println!("its quotient: {:.5}", found.quotient);
    assert!((found.quotient - 1.0).abs() < 0.002, "{found:?}");
}
