//! Tip or slide: a soft box that is pushed, thrown and tilted, against rigid statics.

mod support;

use stiction::diagnosis::audit::Energies;
use stiction::math::{Vector, acos, cos, degrees, radians, sin};
use stiction::measures::Scope;
use stiction::measures::rotation::rotation_since_start;
use stiction::simulation::Simulation;

/// What became of the box.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fate {
    /// It tilts by more than 10°.
    Tip,
    /// Its base moved by more than .1 m.
    Slide,
    /// Neither.
    Stand,
}

/// Lander's box: 7 × 17 particles 0.1 m apart, or `layers` such slices side by side.
struct Lattice {
    layers: u32,
    friction: f64,
    /// Slope of the floor against the box [degrees].
    angle: f64,
    speed: f64,
    /// Damping of springs and of the normal law [N·s/m].
    damping: [f64; 2],
    /// Height [m] and force [N] of the push per slice, from .5 s on, full at 1.5 s.
    push: Option<(f64, f64)>,
}

const WIDTH: f64 = 0.6;
const MASS: f64 = 10.0;

impl Lattice {
    fn pushed(layers: u32, friction: f64, height: f64) -> Lattice {
        let weight = MASS * 9.81;
        let least = (friction * weight).min(weight * WIDTH / (2.0 * height));
        let push = Some((height, 1.05 * least));
        Lattice { layers, friction, angle: 0.0, speed: 0.0, damping: [30.0, 50.0], push }
    }

    fn under(&self, method: &str, h: f64) -> Simulation {
        let a = radians(self.angle);
        let g = Vector::new(-sin(a), 0.0, -cos(a)) * 9.81;
        let (layers, mu, [c, c_n]) = (self.layers, self.friction, self.damping);
        let mass = MASS * f64::from(layers);
        let planar = if layers == 1 { ", planar = \"xz\"" } else { "" };
        let mut text = format!(
            "format = 1
            world = {{ gravity = [{:e}, 0, {:e}]{planar} }}
            time = {{ end = {h:e}, step = {h:e}, output = {h:e} }}
            integrator = {{ method = {method} }}
            materials.rubber = {{ static_friction = {mu} }}
            [contact]
            normal = {{ stiffness = 2e5, damping = {c_n} }}
            friction = {{ law = \"threshold\", epsilon = 1e-2 }}
            [[body]]
            name = \"box\"
            mass = {mass}
            shape = {{ lattice = {{ counts = [7, {layers}, 17], spacing = 0.1 }} }}
            springs.edge = {{ stiffness = 2e5, damping = {c} }}
            springs.face_diagonal = {{ stiffness = 2e5, damping = {c} }}
            velocity = [{:e}, 0, 0]
            [[collider]]
            name = \"floor\"
            shape = {{ plane = {{}} }}
            ",
            g.x, g.z, self.speed
        );
        if let Some((height, force)) = self.push {
            let depth = 0.1 * f64::from(layers);
            text += &format!(
                "[[drag]]
                rate = 5.0
                until = 0.5
                [[push]]
                body = \"box\"
                where.box = {{ min = [-0.31, -{depth}, {}], max = [-0.29, {depth}, {}] }}
                force = [{:e}, 0, 0]
                from = 0.5
                ramp = 1.0
                ",
                height - 0.01,
                height + 0.01,
                force * f64::from(layers)
            );
        }
        support::simulation(&text)
    }
}

/// Tilt of the whole body [degrees].
fn tilt(simulation: &Simulation) -> f64 {
    let particles: Vec<usize> = (0..simulation.model.particles()).collect();
    let scope = Scope {
        model: &simulation.model,
        state: &simulation.state,
        energies: &Energies::default(),
        particles: &particles,
        previous: None,
    };
    degrees(acos((rotation_since_start(&scope) * Vector::z()).z.clamp(-1.0, 1.0)))
}

/// Mean displacement of the first `count` particles along x [m]; the bottom layer comes first.
fn moved(simulation: &Simulation, count: usize) -> f64 {
    let (now, start) = (&simulation.state.positions, &simulation.model.reference);
    (0..count).map(|i| now[i].x - start[i].x).sum::<f64>() / count as f64
}

/// Advances until the box has tipped or slid, or until `end`; looks every millisecond or step.
fn fate(simulation: &mut Simulation, bottom: usize, end: f64) -> Fate {
    let every = (1e-3 / simulation.step_size()).ceil() as u64;
    while simulation.state.time < end - 1e-9 {
        for _ in 0..every {
            simulation.advance().expect("a step");
        }
        if tilt(simulation) > 10.0 {
            return Fate::Tip;
        }
        if moved(simulation, bottom).abs() > 0.1 {
            return Fate::Slide;
        }
    }
    Fate::Stand
}

/// (μ, height of the push, what statics says): tips iff μ > w/(2 height).
const PUSHES: [(f64, f64, Fate); 8] = [
    (0.3, 0.8, Fate::Slide),
    (0.3, 0.9, Fate::Slide),
    (0.3, 1.1, Fate::Tip),
    (0.3, 1.2, Fate::Tip),
    (0.5, 0.4, Fate::Slide),
    (0.5, 0.5, Fate::Slide),
    (0.5, 0.7, Fate::Tip),
    (0.5, 0.8, Fate::Tip),
];

fn assert_pushes(layers: u32, method: &str, h: f64, cases: &[(f64, f64, Fate)]) {
    for &(friction, height, expected) in cases {
        let mut simulation = Lattice::pushed(layers, friction, height).under(method, h);
        let found = fate(&mut simulation, 7 * layers as usize, 5.5);
        let verdict = simulation.verdict();
        println!(
            "{method} × {layers}: μ {friction}, push at {height}: {found:?} at {:.3} s, {}",
            simulation.state.time,
            verdict.marks()
        );
        assert_eq!(found, expected, "{method}: μ {friction}, push at {height}");
        assert!(verdict.trusted(), "{method}: μ {friction}, push at {height}: {verdict:?}");
    }
}

/// Thrown at 3 m/s: slides v²/(2 μ g) with its centre of pressure μ h_cm ahead, or trips.
fn assert_throws(method: &str, h: f64) {
    let thrown = |friction| Lattice {
        layers: 1,
        friction,
        angle: 0.0,
        speed: 3.0,
        damping: [60.0, 200.0],
        push: None,
    };
    for (friction, distance, lead) in [(0.2, 2.2936, 0.160), (0.3, 1.5291, 0.240)] {
        let mut simulation = thrown(friction).under(method, h);
        let stop = 3.0 / (friction * 9.81);
        // the mean centre of pressure from .3 of the slide to .9 of it
        let (mut weighted, mut weight) = (0.0, 0.0);
        while simulation.state.time < stop + 0.3 {
            simulation.advance().expect("a step");
            let (time, state) = (simulation.state.time, &simulation.state);
            if time > 0.3 * stop && time < 0.9 * stop {
                let center = state.positions.iter().map(|x| x.x).sum::<f64>() / 119.0;
                for contact in &state.memory.contacts {
                    let x = state.positions[contact.particle()].x - center;
                    weighted += contact.normal_force * x;
                    weight += contact.normal_force;
                }
            }
        }
        let (travel, lead_found) = (moved(&simulation, 119), weighted / weight);
        let verdict = simulation.verdict();
        assert!(verdict.trusted(), "{method}, μ {friction}: {verdict:?}");
        assert!((travel / distance - 1.0).abs() < 0.005, "{method}, μ {friction}: {travel}");
        assert!((lead_found / lead - 1.0).abs() < 0.05, "{method}, μ {friction}: {lead_found}");
    }
    let mut simulation = thrown(0.45).under(method, h);
    while simulation.state.time < 1.5 && tilt(&simulation) < 10.0 {
        for _ in 0..(1e-3 / h).ceil() as u32 {
            simulation.advance().expect("a step");
        }
    }
    println!("{method}: μ .45 tips at {:.3} s", simulation.state.time);
    assert!(tilt(&simulation) >= 10.0, "{method}: {}", tilt(&simulation));
}

/// On a slope it tips iff tan a > w/H; there is drag until it has settled.
fn assert_slopes(method: &str, h: f64) {
    for (angle, expected) in [(18.0, Fate::Stand), (22.0, Fate::Tip)] {
        let lattice = Lattice {
            layers: 1,
            friction: 0.9,
            angle,
            speed: 0.0,
            damping: [30.0, 50.0],
            push: Some((0.8, 0.0)),
        };
        let mut simulation = lattice.under(method, h);
        let found = fate(&mut simulation, 7, 3.0);
        println!("{method}: {angle}°: {found:?} at {:.3} s", simulation.state.time);
        assert_eq!(found, expected, "{method}: {angle}°");
        assert!(simulation.verdict().trusted(), "{method}: {:?}", simulation.verdict());
    }
}

#[test]
fn explicit_euler_pushes() {
    assert_pushes(1, "\"explicit-euler\"", 2e-5, &PUSHES);
}

#[test]
fn symplectic_euler_pushes() {
    assert_pushes(1, "\"symplectic-euler\"", 2e-5, &PUSHES);
}

#[test]
fn rk4_pushes() {
    assert_pushes(1, "\"rk4\"", 4e-5, &PUSHES);
}

#[test]
fn dopri5_pushes() {
    assert_pushes(1, "\"dopri5\"", 1e-3, &PUSHES);
}

#[test]
fn implicit_euler_pushes() {
    assert_pushes(1, "\"implicit-euler\"", 1e-3, &PUSHES);
}

#[test]
fn explicit_methods_throws_and_slopes() {
    for (method, h) in
        [("\"explicit-euler\"", 2e-5), ("\"symplectic-euler\"", 2e-5), ("\"rk4\"", 4e-5)]
    {
        assert_throws(method, h);
        // the lower corner carries more while the box settles on a slope
        assert_slopes(method, 0.5 * h);
    }
}

#[test]
fn dopri5_throws_and_slopes() {
    assert_throws("\"dopri5\"", 1e-3);
    assert_slopes("\"dopri5\"", 1e-3);
}

#[test]
fn implicit_euler_throws_and_slopes() {
    assert_throws("\"implicit-euler\"", 5e-4);
    assert_slopes("\"implicit-euler\"", 1e-3);
}

#[test]
fn seven_slices_share_the_fate_of_one_at_mu_3() {
    assert_pushes(7, "\"symplectic-euler\"", 2e-5, &PUSHES[..4]);
}

#[test]
fn seven_slices_share_the_fate_of_one_at_mu_5() {
    assert_pushes(7, "\"symplectic-euler\"", 2e-5, &PUSHES[4..]);
}

#[test]
fn seven_slices_under_implicit_euler_at_mu_3() {
    let method = "\"implicit-euler\", newton_tolerance = 1e-6";
    assert_pushes(7, method, 1e-3, &PUSHES[..4]);
}

#[test]
fn seven_slices_under_implicit_euler_at_mu_5() {
    let method = "\"implicit-euler\", newton_tolerance = 1e-6";
    assert_pushes(7, method, 1e-3, &PUSHES[4..]);
}

#[test]
fn seven_slices_under_rk4() {
    assert_pushes(7, "\"rk4\"", 4e-5, &[PUSHES[4], PUSHES[7]]);
}

/// A step of 0.2 ms lets the base chatter: the run must say so.
#[test]
fn a_step_too_large_is_flagged() {
    let mut simulation = Lattice::pushed(1, 0.5, 0.4).under("\"symplectic-euler\"", 2e-4);
    fate(&mut simulation, 7, 5.5);
    let verdict = simulation.verdict();
    assert!(!verdict.trusted());
    assert_eq!(verdict.reasons[0].name(), "step-above-friction-limit", "{verdict:?}");
}
