//! The builder of a collider.

use super::chosen::Chosen;
use super::materials::MaterialId;
use super::setters::described;
use crate::contact::anisotropy::Anisotropy;
use crate::contact::collider::Shape;
use crate::contact::collider::motion::{Guide, Motion, Oscillation, Path, Spin};
use crate::contact::collider::plane::Plane;
use crate::expression::time_curve::TimeCurve;
use crate::math::{Vector, radians};

described! {
    /// A surface for contact, at rest by default; motions add up.
    ///
    /// ```
    /// use stiction_core::world::{Collider, World, named};
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
        /// Its material; by default the world's only one.
        material: Option<MaterialId> = None;
        /// Friction across a direction differs from that along it; the direction turns with the shape.
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

    /// Velocity of the shape \[m/s\].
    #[must_use]
    pub fn velocity(mut self, velocity: impl Into<Vector>) -> Self {
        self.motion.velocity = velocity.into();
        self
    }

    /// Velocity of the surface only, while the shape stays \[m/s\].
    #[must_use]
    pub fn belt(mut self, velocity: impl Into<Vector>) -> Self {
        self.motion.belt = velocity.into();
        self
    }

    /// Turns the shape about an axis of any length through its own centre, right-handed, at a rate
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

    /// Oscillates the shape: displacement amplitude·sin(2π·frequency·t + phase) along a direction of any
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

    /// Moves the shape along a direction of any length by the change of a curve since t = 0 \[m\].
    #[must_use]
    pub fn follow(self, direction: impl Into<Vector>, curve: TimeCurve) -> Self {
        self.guided(curve, Path::Along(unit(direction.into())))
    }

    /// The same for the surface only.
    #[must_use]
    pub fn surface_follow(self, direction: impl Into<Vector>, curve: TimeCurve) -> Self {
        self.guided(curve, Path::Surface(unit(direction.into())))
    }

    /// Turns the shape about an axis of any length through `center` \[m\], or through its own centre, by
    /// the change of a curve since t = 0 \[degrees\].
    #[must_use]
    pub fn turn(self, axis: impl Into<Vector>, center: Option<Vector>, curve: TimeCurve) -> Self {
        // an unknown centre is later replaced by the shape's
        let center = center.unwrap_or_else(|| Vector::repeat(f64::NAN));
        self.guided(curve, Path::About { axis: unit(axis.into()), center })
    }

    fn guided(mut self, curve: TimeCurve, path: Path) -> Self {
        self.motion.guides.push(Guide { curve, path });
        self
    }

    /// Number of simultaneous turns.
    pub(super) fn turns(&self) -> usize {
        let about = |guide: &&Guide| matches!(guide.path, Path::About { .. });
        usize::from(self.motion.spin.is_some()) + self.motion.guides.iter().filter(about).count()
    }

    /// Its motion; turns are about the shape's centre \[m\] unless another is given.
    pub(super) fn motion(&self, center: Vector) -> Motion {
        let own = |spin: Spin| if self.has_center { spin } else { Spin { center, ..spin } };
        let mut guides = self.motion.guides.clone();
        for guide in &mut guides {
            if let Path::About { axis, center: about } = guide.path
                && about.x.is_nan()
            {
                guide.path = Path::About { axis, center };
            }
        }
        Motion { spin: self.motion.spin.map(own), guides, ..self.motion }
    }
}

/// The unit vector of a direction; NaN for a zero vector, refused when the world is built.
fn unit(v: Vector) -> Vector {
    v.try_normalize(0.0).unwrap_or_else(|| Vector::repeat(f64::NAN))
}
