//! A wheel that is thrown sliding ends rolling, with a speed that friction does not decide.

mod support;

use rayon::prelude::*;
use stiction::math::{PI, Vector, cos, sin};
use stiction::simulation::Simulation;
use support::simulation;

const RADIUS: f64 = 0.1;
const RIM: usize = 200;
const G: f64 = 9.81;

/// An upright wheel of 1 kg on the floor: a fine rim braced by chords, and a part of the mass in the
/// hub. The rim alone has J = I/(M R²) = 1.
struct Wheel {
    hub: f64,
}

/// A throw: speed along x \[m/s\], rate of turn in the sense of rolling along x \[rad/s\], μ.
#[derive(Debug, Clone, Copy)]
struct Throw {
    speed: f64,
    spin: f64,
    friction: f64,
}

impl Wheel {
    fn thrown(&self, throw: Throw) -> Simulation {
        let rim = (0..RIM).map(|i| 2.0 * PI * (i as f64 + 0.5) / RIM as f64);
        let mut points: Vec<[f64; 3]> =
            rim.map(|angle| [RADIUS * sin(angle), 0.0, -RADIUS * cos(angle)]).collect();
        let mut masses = vec![(1.0 - self.hub) / RIM as f64; RIM];
        let chords = [1, 2, RIM / 8, RIM / 4].into_iter().flat_map(|apart| {
            (0..RIM).map(move |i| [i.min((i + apart) % RIM), i.max((i + apart) % RIM)])
        });
        let mut links: Vec<[usize; 2]> = chords.collect();
        if self.hub > 0.0 {
            points.push([0.0; 3]);
            masses.push(self.hub);
            links.extend((0..RIM).map(|i| [i, RIM]));
        }
        let Throw { speed, spin, friction } = throw;
        simulation(&format!(
            "format = 1
            world = {{ gravity = [0, 0, -{G}], planar = \"xz\" }}
            time = {{ end = 1, step = 1e-5, output = 1 }}
            integrator = {{ method = \"symplectic-euler\" }}
            materials.steel = {{ static_friction = {friction} }}
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
        ))
    }
}

/// Mean velocity along x, rate of turn in the sense of rolling, and J from the masses.
fn motion(run: &Simulation) -> (f64, f64, f64) {
    let masses = &run.model.masses;
    let mean = |values: &[Vector]| values.iter().zip(masses).map(|(x, m)| x * *m).sum::<Vector>();
    let (x, v) = (&run.state.positions, &run.state.velocities);
    let (center, velocity) = (mean(x), mean(v));
    let (mut momentum, mut inertia) = (0.0, 0.0);
    for ((x, v), m) in x.iter().zip(v).zip(masses) {
        let r = x - center;
        momentum += (r.z * v.x - r.x * v.z) * m;
        inertia += (r.x * r.x + r.z * r.z) * m;
    }
    (velocity.x, momentum / inertia, inertia / (RADIUS * RADIUS))
}

#[test]
fn a_thrown_wheel_ends_rolling_whatever_the_friction() {
    let throws = [(1.0, 0.0), (1.0, -5.0), (0.5, 20.0)];
    let cases: Vec<_> = [(0.0, 1.0), (0.5, 0.5)]
        .into_iter()
        .flat_map(|wheel| throws.map(|throw| (wheel, throw)))
        .flat_map(|(wheel, throw)| [0.2, 0.5].map(|friction| (wheel, throw, friction)))
        .collect();
    cases.par_iter().for_each(|&((hub, share), (speed, spin), friction)| {
        let throw = Throw { speed, spin, friction };
        let mut run = Wheel { hub }.thrown(throw);
        let (_, _, j) = motion(&run);
        assert!((j - share).abs() < 1e-9, "{j}");
        let rolling = (speed + j * RADIUS * spin) / (1.0 + j);
        // friction changes the speed by μ g until then
        let slides = (rolling - speed).abs() / (friction * G);
        while run.state.time < slides + 0.05 {
            run.advance().expect("a step");
        }
        let (v, spin, _) = motion(&run);
        println!(
            "J {j:.3}, {throw:?}: {v:.5}, {rolling:.5} ({:+.2} %), R ω {:.5}",
            100.0 * (v / rolling - 1.0),
            RADIUS * spin
        );
        assert!((v / rolling - 1.0).abs() < 0.005, "{throw:?}: {v} {rolling}");
        assert!((RADIUS * spin / v - 1.0).abs() < 0.005, "{throw:?}: it does not roll: {spin} {v}");
        assert!(run.verdict().trusted(), "{:?}", run.verdict());
    });
}
