//! One particle on a plane: the block of the analytic references.

use stiction::math::{Vector, cos, radians, sin};
use stiction::simulation::Simulation;

/// A block of 1 kg on a plane that rises towards +x, at its static penetration.
#[derive(Clone)]
pub struct Block {
    /// Slope [degrees].
    pub angle: f64,
    /// μ_s and μ_k.
    pub friction: [f64; 2],
    /// The friction law as an inline table.
    pub law: String,
    /// Stiffness [N/m] and damping [N·s/m] of the normal law.
    pub normal: [f64; 2],
    /// Speed uphill at t = 0 [m/s].
    pub speed: f64,
    /// Tangential push uphill [N].
    pub push: f64,
    /// Gravity [m/s²].
    pub gravity: f64,
}

impl Block {
    /// At rest under the threshold law.
    pub fn threshold(angle: f64, friction: [f64; 2], epsilon: f64) -> Block {
        Block {
            angle,
            friction,
            law: format!("{{ law = \"threshold\", epsilon = {epsilon:e} }}"),
            normal: [1e5, 200.0],
            speed: 0.0,
            push: 0.0,
            gravity: 9.81,
        }
    }

    fn uphill(&self) -> Vector {
        let a = radians(self.angle);
        Vector::new(cos(a), 0.0, sin(a))
    }

    /// The scene under a method, `name` alone or `name` and keys.
    fn text(&self, method: &str, step: f64, end: f64) -> String {
        let a = radians(self.angle);
        let t = self.uphill();
        let n = Vector::new(-sin(a), 0.0, cos(a));
        let [k, c] = self.normal;
        let x = n * (-self.gravity * cos(a) / k);
        let v = t * self.speed;
        let f = t * self.push;
        let ([mu_s, mu_k], law, g) = (self.friction, &self.law, self.gravity);
        format!(
            "format = 1
            world = {{ gravity = [0, 0, {:e}] }}
            time = {{ end = {end:e}, step = {step:e}, output = {end:e} }}
            integrator = {{ method = {method} }}
            materials.wood = {{ static_friction = {mu_s:e}, kinetic_friction = {mu_k:e} }}
            [contact]
            normal = {{ law = \"linear\", stiffness = {k:e}, damping = {c:e} }}
            friction = {law}
            [[body]]
            name = \"block\"
            mass = 1.0
            shape = {{ particle = {{}} }}
            position = [{:e}, 0, {:e}]
            velocity = [{:e}, 0, {:e}]
            [[collider]]
            name = \"plane\"
            shape = {{ plane = {{ normal = [{:e}, 0, {:e}] }} }}
            [[push]]
            body = \"block\"
            force = [{:e}, 0, {:e}]
            ",
            -g, x.x, x.z, v.x, v.z, n.x, n.z, f.x, f.z
        )
    }

    /// Its simulation under a method, written as a TOML text with further keys after it:
    /// `"rk4"` or `"dopri5", rtol = 1e-9`.
    pub fn under(&self, method: &str, step: f64) -> Slide {
        Slide {
            simulation: crate::support::simulation(&self.text(method, step, step)),
            uphill: self.uphill(),
        }
    }
}

/// A block under way.
pub struct Slide {
    pub simulation: Simulation,
    uphill: Vector,
}

impl Slide {
    /// Velocity uphill [m/s].
    pub fn speed(&self) -> f64 {
        self.simulation.state.velocities[0].dot(&self.uphill)
    }

    /// Way uphill since t = 0 [m].
    pub fn travel(&self) -> f64 {
        let from = self.simulation.model.reference[0];
        (self.simulation.state.positions[0] - from).dot(&self.uphill)
    }

    pub fn time(&self) -> f64 {
        self.simulation.state.time
    }

    pub fn advance(&mut self) {
        self.simulation.advance().expect("a step");
    }

    /// Goes on until the step nearest to `time`.
    pub fn until(&mut self, time: f64) {
        let last = (time / self.simulation.step_size()).round() as u64;
        while self.simulation.state.step < last {
            self.advance();
        }
    }
}
