//! Particles on curves and surfaces: the bead on the sine against its equation of motion, what each
//! coupling is known to do wrong, and energy where there is no friction.

mod sine;
mod surfaces;

use stiction_core::math::{Vector, cos, radians, sin, tan};
use stiction_core::simulation::Simulation;
use stiction_core::state::memory::OnCurve;
use stiction_lab::run::Run;
use stiction_scene::build::BuildOptions;
use stiction_scene::{LoadOptions, load_text};

const G: f64 = 9.81;

/// A particle of 1 kg on a curve.
#[derive(Clone)]
struct Bead {
    phi: String,
    friction: String,
    more: String,
    position: [f64; 3],
    velocity: [f64; 3],
    planar: bool,
    method: &'static str,
    step: f64,
    end: f64,
}

impl Bead {
    /// On the sine, from rest at x = 0.
    fn on_sine(kinetic: f64, static_: f64, coupling: &str, step: f64) -> Bead {
        let method = if coupling == "reduced" { "rk4" } else { "symplectic-euler" };
        Bead {
            phi: "\"sin(x) + z\"".into(),
            friction: format!(
                "{{ kinetic = {kinetic}, static = {static_}, coupling = \"{coupling}\" }}"
            ),
            more: String::new(),
            position: [0.0; 3],
            velocity: [0.0; 3],
            planar: true,
            method,
            step,
            end: 7.0,
        }
    }

    fn text(&self) -> String {
        let planar = if self.planar { "planar = \"xz\"" } else { "" };
        format!(
            "format = 1
            [world]
            gravity = [0, 0, -{G}]
            {planar}
            [time]
            end = {:?}
            step = {:?}
            output = {:?}
            [integrator]
            method = \"{}\"
            [materials.steel]
            static_friction = 0.1
            [[body]]
            name = \"bead\"
            mass = 1.0
            shape = {{ particle = {{}} }}
            position = {:?}
            velocity = {:?}
            [[curve]]
            body = \"bead\"
            phi = {}
            friction = {}
            {}
            ",
            self.end,
            self.step,
            self.step,
            self.method,
            self.position,
            self.velocity,
            self.phi,
            self.friction,
            self.more
        )
    }

    fn simulation(&self) -> Simulation {
        let text = self.text();
        let loaded =
            match load_text("bead.toml", &text, std::path::Path::new("."), &LoadOptions::default())
            {
                Ok(loaded) => loaded,
                Err(errors) => panic!("{}\n{text}", errors.render(false)),
            };
        match Run::new(&loaded.scene, &BuildOptions::default()) {
            Ok(run) => run.into_simulation(),
            Err(error) => panic!("{error}"),
        }
    }

    /// Friction that does not know rest.
    fn restless(mut self) -> Bead {
        self.friction = self.friction.replace(" }", ", rest = false }");
        self
    }

    /// The message of its refusal.
    fn refusal(&self) -> String {
        refusal_of(&self.text())
    }

    fn run(&self) -> Ride {
        let mut simulation = self.simulation();
        let mut ride = Ride::start(&simulation);
        let steps = (self.end / self.step).round() as u64;
        for _ in 0..steps {
            simulation.advance().expect("the step is taken");
            ride.observe(&simulation);
        }
        ride.residual = simulation.watches.audit.largest_residual();
        ride.dissipated = simulation.watches.audit.flows.friction_slip;
        ride.reasons = simulation.verdict().reasons.iter().map(|r| r.name().into()).collect();
        ride
    }
}

/// The message with which a scene is refused.
fn refusal_of(text: &str) -> String {
    let folder = std::path::Path::new(".");
    match load_text("bead.toml", text, folder, &LoadOptions::default()) {
        Err(errors) => errors.render(false),
        Ok(loaded) => match Run::new(&loaded.scene, &BuildOptions::default()) {
            Err(error) => error.to_string(),
            Ok(_) => "nothing".into(),
        },
    }
}

/// Observations of a run.
#[derive(Debug, Clone, Default)]
struct Ride {
    /// x where the velocity changed its sign, or came to rest.
    turns: Vec<f64>,
    /// Place and time of the last stop.
    stop: Option<(f64, f64)>,
    drift: f64,
    off_speed: f64,
    end: Vector,
    speed: f64,
    residual: f64,
    dissipated: f64,
    reasons: Vec<String>,
    last: (f64, f64),
    direction: f64,
}

fn on(simulation: &Simulation) -> &OnCurve {
    &simulation.state.memory.on_curves[0]
}

impl Ride {
    fn start(simulation: &Simulation) -> Ride {
        let (x, v) = (simulation.state.positions[0].x, simulation.state.velocities[0].x);
        Ride { last: (x, v), ..Ride::default() }
    }

    fn observe(&mut self, simulation: &Simulation) {
        let state = &simulation.state;
        let (x, v) = (state.positions[0].x, state.velocities[0].x);
        let on = on(simulation);
        let moving = !on.resting && v.abs() > 1e-9;
        if !moving {
            self.stop.get_or_insert((x, state.time));
        } else {
            self.stop = None;
        }
        let direction = if !moving { 0.0 } else { v.signum() };
        if direction != self.direction {
            if self.direction != 0.0 {
                let (x0, v0) = self.last;
                // where the velocity passed zero if it fell evenly
                let share = if moving { v0 / (v0 - v) } else { 1.0 };
                let h = simulation.time_step();
                let overshoot = if moving { 0.5 * v0 * share * (1.0 - share) * h } else { 0.0 };
                self.turns.push(x0 + (x - x0) * share + overshoot);
            }
            self.direction = direction;
        }
        self.last = (x, v);
        self.drift = self.drift.max(on.distance);
        self.off_speed = self.off_speed.max(on.normal_speed);
        self.end = state.positions[0];
        self.speed = state.velocities[0].norm();
    }

    fn stop(&self) -> (f64, f64) {
        self.stop.unwrap_or((f64::NAN, f64::NAN))
    }
}

fn near(what: &str, measured: f64, expected: f64, tolerance: f64) {
    assert!(
        (measured - expected).abs() <= tolerance,
        "{what}: {measured}, not {expected} ± {tolerance:e}"
    );
}
