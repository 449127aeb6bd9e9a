//! One particle on a plane: the block of the analytic references.

use super::{Rig, RigSetting, Trouble};
use stiction_core::math::{Vector, cos, radians, sin};

/// A block of 1 kg on a plane that rises towards +x, at its static depth.
#[derive(Clone)]
pub struct BlockScene {
    /// Slope \[degrees\].
    pub angle: f64,
    /// μ_s and μ_k.
    pub friction: [f64; 2],
    /// The friction law as an inline table.
    pub law: String,
    /// Stiffness \[N/m\] and damping \[N·s/m\] of the normal law.
    pub normal: [f64; 2],
    /// Speed uphill at t = 0 \[m/s\].
    pub speed: f64,
    /// Tangential push uphill \[N\].
    pub push: f64,
    /// Gravity \[m/s²\].
    pub gravity: f64,
}

impl BlockScene {
    /// A block at rest under the threshold law with ε \[m/s\].
    pub fn threshold(angle: f64, friction: [f64; 2], epsilon: f64) -> BlockScene {
        BlockScene {
            angle,
            friction,
            law: format!("{{ law = \"threshold\", epsilon = {epsilon:e} }}"),
            normal: [1e5, 200.0],
            speed: 0.0,
            push: 0.0,
            gravity: 9.81,
        }
    }

    /// The unit vector uphill.
    pub fn uphill(&self) -> Vector {
        let a = radians(self.angle);
        Vector::new(cos(a), 0.0, sin(a))
    }

    /// The text of its scene without time and integrator.
    pub fn text(&self) -> String {
        let a = radians(self.angle);
        let t = self.uphill();
        let n = Vector::new(-sin(a), 0.0, cos(a));
        let [k, c] = self.normal;
        let x = n * (-self.gravity * cos(a) / k);
        let v = t * self.speed;
        let f = t * self.push;
        let ([mu_s, mu_k], law, g) = (self.friction, &self.law, self.gravity);
        format!(
            "world = {{ gravity = [0, 0, {:e}] }}
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

    /// Starts it under a method: `"rk4"`, or `"dopri5", rtol = 1e-9`.
    pub fn slide<'a>(
        &self,
        setting: &RigSetting<'a>,
        method: &str,
        step: f64,
    ) -> Result<Slide<'a>, Trouble> {
        let rig = setting.stand_under(method, step, &self.text())?;
        Ok(Slide { rig, uphill: self.uphill() })
    }
}

/// A moving block.
pub struct Slide<'a> {
    /// Its simulation.
    pub rig: Rig<'a>,
    uphill: Vector,
}

impl Slide<'_> {
    /// Velocity uphill \[m/s\].
    pub fn speed(&self) -> f64 {
        self.rig.state.velocities[0].dot(&self.uphill)
    }

    /// Displacement uphill since t = 0 \[m\].
    pub fn travel(&self) -> f64 {
        (self.rig.state.positions[0] - self.rig.model.reference[0]).dot(&self.uphill)
    }

    /// Time \[s\].
    pub fn time(&self) -> f64 {
        self.rig.state.time
    }

    /// Advances until the velocity has stayed within `near` \[m/s\] of one value for `span` \[s\], or to the
    /// time `latest` \[s\].
    pub fn until_steady(&mut self, near: f64, span: f64, latest: f64) -> Result<(), Trouble> {
        let (mut since, mut then) = (self.time(), self.speed());
        while self.time() < latest && self.time() - since < span {
            self.rig.advance()?;
            if (self.speed() - then).abs() > near {
                (since, then) = (self.time(), self.speed());
            }
        }
        Ok(())
    }

    /// Mean velocity uphill over the next `span` seconds \[m/s\], from positions.
    pub fn mean_speed(&mut self, span: f64) -> Result<f64, Trouble> {
        let (time, travel) = (self.time(), self.travel());
        self.rig.until(time + span)?;
        Ok((self.travel() - travel) / (self.time() - time))
    }
}
