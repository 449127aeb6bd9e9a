//! The builder of a collider.

use super::chosen::Chosen;
use super::materials::MaterialId;
use super::setters::described;
use crate::contact::anisotropy::Anisotropy;
use crate::contact::collider::Shape;
use crate::contact::collider::motion::{Motion, Oscillation, Spin};
use crate::contact::collider::plane::Plane;
use crate::math::{Vector, radians};

described! {
    /// A surface that particles touch, at rest unless it is moved; motions add up.
    ///
    /// ```
    /// use stiction::world::{Collider, World, named};
    ///
    /// let mut world = World::new();
    /// world.collider(Collider::plane("floor", [0.0, 0.0, 1.0], [0.0; 3]).belt([0.1, 0.0, 0.0]));
    /// let ball = named("sphere").with("radius", 0.2).with("center", [0.0, 0.0, 1.0]);
    /// world.collider(Collider::new("ball", ball).spin([0.0, 0.0, 1.0], 3.0));
    /// ```
    #[derive(Debug, Clone)]
    pub struct Collider {
        /// A collider at rest. The shape is a row of [`crate::contact::collider::COLLIDERS`] or any
        /// [`Shape`].
        new(name: String, shape: Chosen<dyn Shape>)
        keeps { motion: Motion = Motion::default(); has_center: bool = false; };
        /// Its material; the world's only one when this is not called.
        material: Option<MaterialId> = None;
        /// Other friction across a direction than along it; it turns with the shape.
        anisotropy: Option<Anisotropy> = None;
    }
}

impl Collider {
    /// The half-space below the plane through `point` \[m\], with an outward normal of any length.
    pub fn plane(
        name: impl Into<String>,
        normal: impl Into<Vector>,
        point: impl Into<Vector>,
    ) -> Self {
        Collider::new(name, Plane { normal: unit(normal.into()), point: point.into() })
    }

    /// Moves the shape \[m/s\].
    #[must_use]
    pub fn velocity(mut self, velocity: impl Into<Vector>) -> Self {
        self.motion.velocity = velocity.into();
        self
    }

    /// Moves the surface only, while the shape stays \[m/s\].
    #[must_use]
    pub fn belt(mut self, velocity: impl Into<Vector>) -> Self {
        self.motion.belt = velocity.into();
        self
    }

    /// Turns the shape about its own centre, right-handed about an axis of any length, at a rate
    /// \[rad/s\].
    #[must_use]
    pub fn spin(self, axis: impl Into<Vector>, rate: f64) -> Self {
        Collider { has_center: false, ..self.spin_about(axis, rate, Vector::zeros()) }
    }

    /// The same about an axis through `center` \[m\].
    #[must_use]
    pub fn spin_about(
        mut self,
        axis: impl Into<Vector>,
        rate: f64,
        center: impl Into<Vector>,
    ) -> Self {
        let axis = unit(axis.into());
        self.motion.spin = Some(Spin { axis, rate, center: center.into() });
        self.has_center = true;
        self
    }

    /// Shakes the shape: displacement amplitude·sin(2π·frequency·t + phase) along a direction of any
    /// length; amplitude \[m\], frequency \[Hz\], phase \[degrees\].
    #[must_use]
    pub fn oscillate(
        mut self,
        direction: impl Into<Vector>,
        amplitude: f64,
        frequency: f64,
        phase: f64,
    ) -> Self {
        let direction = unit(direction.into());
        let phase = radians(phase);
        self.motion.oscillation = Some(Oscillation { direction, amplitude, frequency, phase });
        self
    }

    /// Its motion, about the shape's centre \[m\] unless it has been given another.
    pub(super) fn motion(&self, center: Vector) -> Motion {
        let own = |spin: Spin| if self.has_center { spin } else { Spin { center, ..spin } };
        Motion { spin: self.motion.spin.map(own), ..self.motion }
    }
}

/// The direction of a vector; none, told when the world is built, of a zero one.
fn unit(v: Vector) -> Vector {
    v.try_normalize(0.0).unwrap_or_else(|| Vector::repeat(f64::NAN))
}
