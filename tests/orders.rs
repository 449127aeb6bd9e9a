//! The measured order of every method: on smooth problems, and across the kink and the jump of
//! friction at s = ε.

#[path = "support/method.rs"]
mod method;
mod support;

use method::{advance, capabilities, methods, scene};
use stiction::contact::Memory;
use stiction::math::{Vector, cos, exp, log, sin, sqrt};
use stiction::simulation::Simulation;

/// A planar lattice of 16 particles whose springs have a damping, weightless and kicked.
fn vibration(method: &str, h: f64, damping: f64) -> Simulation {
    let bodies = format!(
        "[[body]]
        name = \"box\"
        mass = 1.6
        shape = {{ lattice = {{ counts = [4, 1, 4], spacing = 0.1 }} }}
        springs = {{ edge = {{ stiffness = 40, damping = {damping} }}, face_diagonal = {{ stiffness = 30, damping = {damping} }} }}
        velocity = [0.3, 0, 0.2]
        "
    );
    let mut simulation = method::weightless(method, h, &bodies);
    kick(&mut simulation, 0.1);
    simulation
}

/// Six particles on springs that slide on a floor, always in contact, under a law that is smooth.
fn slide(method: &str, h: f64, normal: &str) -> Simulation {
    let bodies = "
        [[body]]
        name = \"box\"
        mass = 0.6
        shape = { lattice = { counts = [3, 1, 2], spacing = 0.1 } }
        springs = { edge = { stiffness = 60, damping = 0.1 }, face_diagonal = { stiffness = 50, damping = 0.1 } }
        position = [0, 0, -0.035]
        velocity = [0.2, 0, 0]
        [[collider]]
        name = \"floor\"
        shape = { plane = {} }
        ";
    let contact = format!(
        "normal = {{ {normal} }}
        friction = {{ law = \"tanh\", epsilon = 0.2 }}"
    );
    let mut simulation =
        scene(method, h, "gravity = [0, 0, -3], planar = \"xz\"", &contact, bodies);
    kick(&mut simulation, 0.01);
    simulation
}

/// Adds smooth velocities, different for every particle, and commits.
fn kick(simulation: &mut Simulation, size: f64) {
    for (i, v) in simulation.state.velocities.iter_mut().enumerate() {
        let k = i as f64;
        *v += Vector::new(sin(1.0 + 2.3 * k), 0.0, cos(0.4 + 1.7 * k)) * size;
    }
    simulation.model.commit(&mut simulation.state, &mut Memory::default());
}

/// Positions and velocities.
fn end(mut simulation: Simulation, steps: u64) -> Vec<Vector> {
    for _ in 0..steps {
        let contacts = simulation.state.memory.contacts.len();
        advance(&mut simulation, 1);
        assert_eq!(simulation.state.memory.contacts.len(), contacts, "contacts stay as they are");
    }
    simulation.state.positions.into_iter().chain(simulation.state.velocities).collect()
}

/// The method, let to take its longest step, the commit interval, where it is adaptive.
fn longest_steps(method: &str) -> String {
    let own_steps = capabilities(method).adaptive;
    if own_steps { format!("{method}, rtol = 0.1, atol = 1.0") } else { method.to_string() }
}

/// The order between two numbers of steps, and the error at the finer, against `exact`.
fn order(run: impl Fn(u64) -> Vec<Vector>, exact: &[Vector], steps: u64) -> (f64, f64) {
    let error = |steps: u64| {
        let found = run(steps);
        sqrt(found.iter().zip(exact).map(|(a, b)| (a - b).norm_squared()).sum())
    };
    let (coarse, fine) = (error(steps), error(2 * steps));
    (log(coarse / fine) / log(2.0), fine)
}

/// Steps of half a second in which the error of a method of this order is neither rough nor lost in
/// rounding.
fn fair_steps(order: u32) -> u64 {
    match order {
        1 => 2048,
        2 => 512,
        3 => 256,
        4 | 5 => 128,
        _ => 32,
    }
}

const TIME: f64 = 0.5;

type Problem = fn(&str, f64) -> Simulation;

#[test]
fn the_measured_order_is_the_nominal_one() {
    let problems: [(&str, Problem); 3] = [
        ("damped springs", |method, h| vibration(method, h, 0.05)),
        ("friction, linear contact", |method, h| slide(method, h, "stiffness = 20, damping = 0.5")),
        ("friction, Hunt–Crossley contact", |method, h| {
            slide(
                method,
                h,
                "law = \"hunt-crossley\", stiffness = 110, exponent = 1.5, dissipation = 0.5",
            )
        }),
    ];
    for (name, problem) in problems {
        let steps = 4096;
        let exact = end(problem("\"rk45\", adaptive = false", TIME / steps as f64), steps);
        for method in methods() {
            let nominal = capabilities(&method).order;
            let text = longest_steps(&method);
            let run = |steps: u64| end(problem(&text, TIME / steps as f64), steps);
            let (order, error) = order(run, &exact, fair_steps(nominal));
            println!("{name}: {method}: order {order:.3} of {nominal}, error {error:.1e}");
            assert!((order / f64::from(nominal) - 1.0).abs() < 0.1, "{name}: {method}: {order}");
        }
    }
}

/// Without damping the force does not know the velocity that Verlet shows it.
#[test]
fn velocity_verlet_is_of_order_two_on_undamped_springs() {
    let run = |method: &str, steps: u64| end(vibration(method, TIME / steps as f64, 0.0), steps);
    let exact = run("\"rk45\", adaptive = false", 4096);
    for method in ["\"velocity-verlet\"", "\"velocity-verlet-reevaluated\""] {
        let (order, error) = order(|steps| run(method, steps), &exact, 512);
        println!("{method}: order {order:.3}, error {error:.1e}");
        assert!((order / 2.0 - 1.0).abs() < 0.1, "{method}: {order}");
    }
}

/// A block that is slowed by drag and friction from `speed` through ε and on, and cannot leave its
/// plane.
struct Stop {
    /// μ_s and μ_k
    friction: [f64; 2],
    speed: f64,
}

impl Stop {
    const EPSILON: f64 = 0.5;
    const DRAG: f64 = 1.0;
    const WEIGHT: f64 = 9.81;
    const TIME: f64 = 0.4;

    fn run(&self, method: &str, steps: u64) -> Simulation {
        let [mu_s, mu_k] = self.friction;
        let bodies = format!(
            "[materials.wood]
            static_friction = {mu_s}
            kinetic_friction = {mu_k}
            [[body]]
            name = \"block\"
            mass = 1
            shape.particle = {{}}
            position = [0, 0, {:e}]
            velocity = [{:e}, 0, 0]
            [[collider]]
            name = \"floor\"
            shape.plane = {{}}
            [[drag]]
            body = \"block\"
            rate = {:e}
            ",
            -Self::WEIGHT / 1e4,
            self.speed,
            Self::DRAG
        );
        let contact = format!(
            "normal = {{ stiffness = 1e4, damping = 10 }}
            friction = {{ law = \"threshold\", epsilon = {:e} }}",
            Self::EPSILON
        );
        let h = Self::TIME / steps as f64;
        let mut simulation = scene(method, h, "planar = \"xy\"", &contact, &bodies);
        advance(&mut simulation, steps);
        simulation
    }

    /// v' = −r v − a down to ε, v' = −(r + λ) v from there on: position and velocity at the end.
    fn exact(&self) -> [f64; 2] {
        let [slowing, rate] =
            [self.friction[1] * Self::WEIGHT, self.friction[0] * Self::WEIGHT / Self::EPSILON];
        let r = Self::DRAG;
        let (far, v0) = (slowing / r, self.speed);
        let stuck = log((v0 + far) / (Self::EPSILON + far)) / r;
        let way = (v0 + far) * (1.0 - exp(-r * stuck)) / r - far * stuck;
        let fall = exp(-(r + rate) * (Self::TIME - stuck));
        [way + Self::EPSILON * (1.0 - fall) / (r + rate), Self::EPSILON * fall]
    }
}

/// The order of the root of the mean square of errors over starts that put the crossing at any
/// place within a step.
fn order_through_epsilon(method: &str, friction: [f64; 2], steps: u64) -> f64 {
    let error = |steps: u64| {
        let starts = 48;
        let squares = (0..starts).map(|k| {
            let stop = Stop { friction, speed: 1.2 + 0.5 * f64::from(k) / f64::from(starts) };
            let (state, [x, v]) = (stop.run(method, steps).state, stop.exact());
            let off = [state.positions[0].x - x, state.velocities[0].x - v];
            off[0] * off[0] + off[1] * off[1]
        });
        sqrt(squares.sum::<f64>() / f64::from(starts))
    };
    let (coarse, fine) = (error(steps), error(4 * steps));
    let order = log(coarse / fine) / log(4.0);
    println!("{method}, μ {friction:?}: order {order:.3}, errors {coarse:.1e} {fine:.1e}");
    order
}

#[test]
fn a_kink_costs_order_and_event_location_restores_it() {
    let (kink, jump) = ([0.5, 0.5], [0.5, 0.3]);
    let blind = "\"rk45\", adaptive = false, events = false";
    for method in ["\"rk4\"", blind] {
        for (friction, expected) in [(kink, 2.0), (jump, 1.0)] {
            let order = order_through_epsilon(method, friction, 16);
            assert!((order / expected - 1.0).abs() < 0.15, "{method}: {order} of {expected}");
        }
    }
    for friction in [kink, jump] {
        let order = order_through_epsilon(method::RK45_FIXED, friction, 8);
        assert!((4.5..6.0).contains(&order), "{order}");
    }
}
