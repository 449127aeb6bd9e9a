//! The measured order across the kink and the jump of friction at s = ε; on smooth problems
//! `validate` measures it.

use crate::support::method;
use crate::support::method::{advance, scene};
use stiction_core::math::{exp, log, sqrt};
use stiction_core::simulation::Simulation;

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
