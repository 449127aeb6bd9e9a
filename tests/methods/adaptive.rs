//! Methods that choose their own steps: that they agree, what they cost, and what rk45 locates.

use crate::support::method;
use crate::support::method::{advance, scene};
use stiction_core::math::{Vector, cos, exp, log, sin, sqrt};
use stiction_core::simulation::Simulation;

/// A lattice that is thrown on a floor, bounces and slides.
fn thrown_box(method: &str, law: &str) -> Simulation {
    let bodies = "
        [[body]]
        name = \"box\"
        mass = 1.6
        shape = { lattice = { counts = [4, 1, 4], spacing = 0.1 } }
        springs = { edge = { stiffness = 2e3, damping = 1 }, face_diagonal = { stiffness = 2e3, damping = 1 } }
        rotation = [0, 10, 0]
        position = [0, 0, 0.25]
        velocity = [1, 0, 0]
        [[collider]]
        name = \"floor\"
        shape = { plane = {} }
        ";
    let contact = format!("normal = {{ stiffness = 1e4, damping = 10 }}\nfriction = {{ {law} }}");
    scene(method, 0.01, "gravity = [0, 0, -9.81], planar = \"xz\"", &contact, bodies)
}

#[test]
fn adaptive_methods_agree_to_their_tolerance() {
    for law in [
        "law = \"threshold\", epsilon = 1e-2",
        "law = \"tanh\", epsilon = 1e-2",
        "law = \"cundall-strack\", stiffness = 1e4, damping = 5",
    ] {
        let run = |method: &str| {
            let mut simulation = thrown_box(method, law);
            let mut touching = 0;
            for _ in 0..40 {
                advance(&mut simulation, 1);
                touching = touching.max(simulation.state.memory.contacts.len());
            }
            assert!(touching >= 2, "{law}");
            (simulation.state.positions, simulation.work)
        };
        let (exact, _) = run("\"dopri5\", rtol = 1e-11, atol = 1e-13");
        let error = |(positions, work): &(Vec<Vector>, stiction_core::integrators::StepReport)| {
            let off = positions.iter().zip(&exact).map(|(a, b)| (a - b).norm());
            (off.fold(0.0, f64::max), work.evaluations, work.events)
        };
        let methods = ["dopri5", "dop853", "rk45"];
        let [dopri5, dop853, rk45] =
            methods.map(|name| error(&run(&format!("\"{name}\", rtol = 1e-7, atol = 1e-9"))));
        println!("{law}: error, evaluations, events: {dopri5:?} {dop853:?} {rk45:?}");
        for (name, found) in methods.iter().zip([dopri5, dop853, rk45]) {
            assert!(found.0 < 1e-5, "{law}: {name}: {found:?}");
        }
        // rk45 under the norm of dopri5 is more exact for about the same work; under the largest
        // error it is ten times more exact, for more work
        let rms = error(&run("\"rk45\", rtol = 1e-7, atol = 1e-9, norm = \"rms\""));
        println!("{law}: by the root of the mean square: {rms:?}");
        assert!(rms.1 < 5 * dopri5.1 / 4 && rms.0 < dopri5.0, "{law}: {rms:?}");
        assert!(rk45.0 < 0.1 * dopri5.0, "{law}: {rk45:?}");
    }
}

/// The pairs of Dormand and Prince begin with the forces of the accepted state: an evaluation there gives
/// the same bits, unless friction remembers.
#[test]
fn forces_of_an_accepted_state_are_those_of_an_evaluation_there() {
    let changed = |method: &str, law: &str| {
        let mut simulation = thrown_box(method, law);
        let mut f = vec![Vector::zeros(); simulation.model.particles()];
        let mut touching = 0;
        let changed = (0..60).any(|_| {
            advance(&mut simulation, 1);
            let state = &simulation.state;
            touching = touching.max(state.memory.contacts.len());
            simulation.model.forces_at(&state.configuration(), &mut f);
            f != state.forces
        });
        assert!(changed || touching >= 2, "{law}");
        changed
    };
    for method in ["\"dopri5\"", "\"dop853\""] {
        for law in ["threshold", "tanh", "quintic"] {
            assert!(!changed(method, &format!("law = \"{law}\", epsilon = 1e-2")), "{law}");
        }
        assert!(changed(method, "law = \"cundall-strack\", stiffness = 1e4, damping = 5"));
    }
}

/// rk45 at a fixed step is dopri5 that may take that step.
#[test]
fn at_a_fixed_step_rk45_is_dopri5() {
    let run = |method: &str| {
        let mut simulation = thrown_box(method, "law = \"tanh\", epsilon = 0.1");
        simulation.state.positions.iter_mut().for_each(|x| x.z += 1.0);
        advance(&mut simulation, 8);
        simulation
    };
    let ours = run("\"rk45\", adaptive = false");
    let theirs = run("\"dopri5\", rtol = 0.1, atol = 1.0");
    assert_eq!((ours.work.substeps, theirs.work.substeps), (8, 8));
    let off = ours.state.positions.iter().zip(&theirs.state.positions).map(|(a, b)| (a - b).norm());
    let off = off.fold(0.0, f64::max);
    println!("rk45 against dopri5 at one step an interval: {off:.1e}");
    assert!(off < 1e-12, "{off}");
}

/// One particle that slides to rest among many that drift: the largest error sees it, the root of
/// the mean square hardly.
#[test]
fn the_largest_error_is_not_thinned_out_by_many_particles() {
    let crowd: Vec<String> = (0..400).map(|i| format!("[{i}, 1, 1]")).collect();
    let bodies = format!(
        "[[body]]
        name = \"crowd\"
        mass = 400
        shape.points = {{ positions = [{}] }}
        velocity = [0.1, 0, 0]
        [[body]]
        name = \"block\"
        mass = 1
        shape.particle = {{}}
        position = [0, 0, -9.81e-4]
        velocity = [0.2, 0, 0]
        [[collider]]
        name = \"floor\"
        shape.plane = {{}}
        ",
        crowd.join(", ")
    );
    let (mu, epsilon, time) = (0.5, 0.1, 0.05);
    let contact = format!(
        "normal = {{ stiffness = 1e4, damping = 10 }}
        friction = {{ law = \"tanh\", epsilon = {epsilon} }}"
    );
    // v' = −μ g tanh(v/ε): sinh(v/ε) falls at the rate μ g/ε
    let start = exp(0.2 / epsilon);
    let sinh = 0.5 * (start - 1.0 / start) * exp(-mu * 9.81 / epsilon * time);
    let exact = epsilon * log(sinh + sqrt(sinh * sinh + 1.0));
    let error = |norm: &str| {
        let method = format!("\"rk45\", rtol = 1e-6, atol = 1e-6, norm = \"{norm}\"");
        let mut simulation = scene(&method, time, "planar = \"xy\"", &contact, &bodies);
        advance(&mut simulation, 1);
        let off = (simulation.state.velocities[400].x - exact).abs();
        println!("{norm}: error {off:.1e}, {:?}", simulation.work);
        off
    };
    let (max, rms) = (error("max"), error("rms"));
    assert!(max < 1e-6, "{max}");
    assert!(rms > 10.0 * max, "{rms} {max}");
}

/// A particle that bounces on a floor with linear contact: free flight and damped swing in turn,
/// both exact.
struct Bounces {
    height: f64,
    stiffness: f64,
    damping: f64,
}

impl Bounces {
    fn run(&self, method: &str, step: f64, steps: u64) -> Simulation {
        let bodies = format!(
            "[[body]]
            name = \"ball\"
            mass = 1
            shape.particle = {{}}
            position = [0, 0, {:e}]
            [[collider]]
            name = \"floor\"
            shape.plane = {{}}
            ",
            self.height
        );
        let contact = format!(
            "normal = {{ stiffness = {:e}, damping = {:e} }}",
            self.stiffness, self.damping
        );
        let mut simulation = scene(method, step, "gravity = [0, 0, -9.81]", &contact, &bodies);
        advance(&mut simulation, steps);
        simulation
    }

    /// Height after one bounce, at `time`; contact ends where N = k d − c v falls to zero.
    fn exact(&self, time: f64) -> f64 {
        let g = 9.81;
        let fall = sqrt(2.0 * self.height / g);
        let rate = 0.5 * self.damping;
        let omega = sqrt(self.stiffness - rate * rate);
        let sag = -g / self.stiffness;
        // z = sag + e^{−rate t} (a cos + b sin) from z = 0, z' = −g fall
        let (a, b) = (-sag, (-g * fall - sag * rate) / omega);
        let place = |t: f64| {
            let (c, s, e) = (cos(omega * t), sin(omega * t), exp(-rate * t));
            let z = sag + e * (a * c + b * s);
            (z, e * (omega * (b * c - a * s) - rate * (a * c + b * s)))
        };
        let force = |t: f64| {
            let (z, v) = place(t);
            -self.stiffness * z - self.damping * v
        };
        let half = std::f64::consts::PI / omega;
        let leaves = stiction_core::math::bisect(0.2 * half, 1.3 * half, |t| force(t) > 0.0);
        let (z, v) = place(leaves);
        let rest = time - fall - leaves;
        z + v * rest - 0.5 * g * rest * rest
    }
}

#[test]
fn bounces_are_located() {
    let ball = Bounces { height: 0.1, stiffness: 1e3, damping: 5.0 };
    let error = |method: &str, step: f64| {
        let steps = (0.3 / step).round() as u64;
        let simulation = ball.run(method, step, steps);
        let off = (simulation.state.positions[0].z - ball.exact(0.3)).abs();
        println!("{method}, h {step}: error {off:.1e}, {:?}", simulation.work);
        (off, simulation.work)
    };
    // three events: at closing the force jumps by c v, it ends at a kink, and later the surfaces
    // part
    let (coarse, work) = error(method::RK45_FIXED, 5e-3);
    assert_eq!(work.events, 3);
    let (fine, _) = error(method::RK45_FIXED, 2.5e-3);
    assert!(coarse / fine > 20.0, "{coarse} {fine}");
    let (blind, _) = error("\"rk45\", adaptive = false, events = false", 2.5e-3);
    assert!(blind > 1e3 * fine, "{blind} {fine}");
    // in one interval, by tolerance alone
    let (located, with) = error("\"rk45\", rtol = 1e-10, atol = 1e-12", 0.3);
    let (_, without) = error("\"rk45\", rtol = 1e-10, atol = 1e-12, events = false", 0.3);
    assert!(located < 1e-8, "{located}");
    assert!(with.rejections < without.rejections, "{with:?} {without:?}");
}

/// A push that begins and ends inside a step gives its whole impulse: steps are taken in parts
/// there, and nothing is left to locate.
#[test]
fn loads_that_switch_inside_a_step_are_hit() {
    for method in ["\"rk45\"", method::RK45_FIXED] {
        let bodies = "
            [[body]]
            name = \"p\"
            mass = 2
            shape.particle = {}
            [[push]]
            body = \"p\"
            force = [3, 0, 0]
            from = 0.123
            until = 0.777
            ";
        let mut simulation = method::weightless(method, 0.25, bodies);
        advance(&mut simulation, 4);
        let exact = 3.0 * (0.777 - 0.123) / 2.0;
        let off = simulation.state.velocities[0].x - exact;
        println!("{method}: {off:.1e}, {:?}", simulation.work);
        assert!(off.abs() < 1e-11, "{method}: {off}");
        assert_eq!(simulation.work.events, 0);
    }
}

/// A body of springs alone has nothing to locate, and a smooth law no change between stick and
/// slip.
#[test]
fn what_is_smooth_is_not_searched() {
    let mut simulation = thrown_box("\"rk45\"", "law = \"tanh\", epsilon = 1e-2");
    simulation.state.positions.iter_mut().for_each(|x| x.z += 10.0);
    advance(&mut simulation, 10);
    assert_eq!(simulation.work.events, 0);
    let block = |law: &str| {
        let bodies = "
            [[body]]
            name = \"block\"
            mass = 1
            shape.particle = {}
            position = [0, 0, -9.81e-4]
            velocity = [0.5, 0, 0]
            [[collider]]
            name = \"floor\"
            shape.plane = {}
            ";
        let contact = format!(
            "normal = {{ stiffness = 1e4, damping = 10 }}\nfriction = {{ {law}, epsilon = 1e-2 }}"
        );
        let mut simulation = scene("\"rk45\"", 0.01, "planar = \"xy\"", &contact, bodies);
        advance(&mut simulation, 20);
        simulation.work.events
    };
    for (law, events) in [("threshold", 1), ("quadratic", 1), ("tanh", 0), ("hyperbolic", 0)] {
        assert_eq!(block(&format!("law = \"{law}\"")), events, "{law}");
    }
}

/// A state is all a run needs to go on with the same bits, the substep included.
#[test]
fn a_clone_of_the_state_goes_on_with_the_same_bits() {
    for row in &stiction_core::integrators::INTEGRATORS {
        let method = format!("\"{}\"", row.name);
        let law = "law = \"threshold\", epsilon = 0.1";
        let start = || thrown_box(&method, law);
        let mut whole = start();
        advance(&mut whole, 5);
        let state = whole.state.clone();
        advance(&mut whole, 5);
        let mut resumed = start();
        resumed.state = state;
        advance(&mut resumed, 5);
        assert_eq!(whole.state.hash(), resumed.state.hash(), "{method}");
    }
}
