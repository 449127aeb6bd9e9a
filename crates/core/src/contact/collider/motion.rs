//! Motion of colliders: translation, rotation, oscillation, curves of time, and belts, whose surface
//! moves while the shape stays.

use crate::expression::time_curve::TimeCurve;
use crate::math::{Matrix, PI, Vector, cos, radians, rotation, sin};

/// A motion; the parts add up.
#[derive(Debug, Clone, Default)]
pub struct Motion {
    /// Velocity of the shape \[m/s\].
    pub velocity: Vector,
    /// Rotation of the shape.
    pub spin: Option<Spin>,
    /// Oscillation of the shape.
    pub oscillation: Option<Oscillation>,
    /// Velocity of the surface only \[m/s\].
    pub belt: Vector,
    /// Curves of time that the shape or its surface follows.
    pub guides: Vec<Guide>,
}

/// A curve of time that a shape or its surface follows, relative to its place at t = 0.
#[derive(Debug, Clone)]
pub struct Guide {
    /// Distance \[m\], or angle \[degrees\], as a function of time.
    pub curve: TimeCurve,
    /// Line or axis.
    pub path: Path,
}

/// Line or axis of a [`Guide`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Path {
    /// The shape moves along a unit direction.
    Along(Vector),
    /// The surface alone moves along a unit direction.
    Surface(Vector),
    /// The shape turns about a unit axis through a point \[m\]. A motion has at most one turn.
    About {
        /// Unit axis.
        axis: Vector,
        /// A point on the axis at t = 0 \[m\].
        center: Vector,
    },
}

impl Guide {
    /// The distance \[m\] or angle \[degrees\] since t = 0, and its rate.
    pub(crate) fn since_start(&self, t: f64, within_step: bool) -> [f64; 2] {
        let [value, rate] = self.curve.at(t, within_step);
        [value - self.curve.at(0.0, false)[0], rate]
    }
}

/// Rotation at a constant rate about an axis that travels with the shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spin {
    /// Unit axis.
    pub axis: Vector,
    /// Rate \[rad/s\], right-handed.
    pub rate: f64,
    /// A point on the axis at t = 0 \[m\].
    pub center: Vector,
}

/// Displacement `amplitude · sin(2π f t + phase)` along a unit direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Oscillation {
    /// Unit direction.
    pub direction: Vector,
    /// Amplitude \[m\].
    pub amplitude: f64,
    /// Frequency \[Hz\].
    pub frequency: f64,
    /// Phase \[rad\].
    pub phase: f64,
}

/// Position of a moving shape at one instant, and velocity of its surface.
#[derive(Debug, Clone, Copy)]
pub struct Pose {
    translation: Vector,
    velocity: Vector,
    turn: Option<Turn>,
    belt: Vector,
    belt_shift: Vector,
}

#[derive(Debug, Clone, Copy)]
struct Turn {
    rotation: Matrix,
    rate: Vector,
    center: Vector,
}

impl Pose {
    /// That of a shape at rest.
    const REST: Pose = Pose {
        translation: Vector::new(0.0, 0.0, 0.0),
        velocity: Vector::new(0.0, 0.0, 0.0),
        turn: None,
        belt: Vector::new(0.0, 0.0, 0.0),
        belt_shift: Vector::new(0.0, 0.0, 0.0),
    };
}

impl Motion {
    /// Whether shape and surface are at rest.
    pub fn is_rest(&self) -> bool {
        self.is_uniform() && self.velocity == Vector::zeros() && self.belt == Vector::zeros()
    }

    /// Whether the shape is at rest; its surface may move.
    pub fn stays(&self) -> bool {
        self.is_uniform() && self.velocity == Vector::zeros()
    }

    /// Whether the shape moves at a constant velocity without turning: its frame is inertial.
    pub fn is_uniform(&self) -> bool {
        self.spin.is_none() && self.oscillation.is_none() && self.guides.is_empty()
    }

    /// Whether the shape turns.
    pub fn turns(&self) -> bool {
        let about = |guide: &Guide| matches!(guide.path, Path::About { .. });
        self.spin.is_some() || self.guides.iter().any(about)
    }

    /// A direction in which the surface moves while the shape stays in place: that of a belt, or one
    /// across the axis of a turn.
    pub fn moving_across(&self) -> Option<Vector> {
        let of_guide = |guide: &Guide| match guide.path {
            Path::Along(_) => None,
            Path::Surface(direction) => Some(direction),
            Path::About { axis, .. } => Some(across(axis)),
        };
        let belt = Some(self.belt).filter(|belt| belt.norm() > 0.0).map(|belt| belt.normalize());
        let spin = || self.spin.map(|spin| across(spin.axis));
        belt.or_else(spin).or_else(|| self.guides.iter().find_map(of_guide))
    }

    /// The pose at time `t` \[s\].
    pub fn pose(&self, t: f64) -> Pose {
        if self.is_rest() {
            return Pose::REST;
        }
        let mut translation = self.velocity * t;
        let mut velocity = self.velocity;
        if let Some(o) = &self.oscillation {
            let omega = 2.0 * PI * o.frequency;
            let angle = omega * t + o.phase;
            translation += o.direction * (o.amplitude * sin(angle));
            velocity += o.direction * (o.amplitude * omega * cos(angle));
        }
        let mut turn = self.spin.as_ref().map(|s| Turn {
            rotation: rotation(s.axis, s.rate * t),
            rate: s.axis * s.rate,
            center: s.center,
        });
        let (mut belt, mut belt_shift) = (self.belt, self.belt * t);
        for guide in &self.guides {
            let [moved, rate] = guide.since_start(t, false);
            match guide.path {
                Path::Along(direction) => {
                    translation += direction * moved;
                    velocity += direction * rate;
                }
                Path::Surface(direction) => {
                    belt_shift += direction * moved;
                    belt += direction * rate;
                }
                Path::About { axis, center } => {
                    let (rotation, rate) = (rotation(axis, radians(moved)), axis * radians(rate));
                    turn = Some(Turn { rotation, rate, center });
                }
            }
        }
        Pose { translation, velocity, turn, belt, belt_shift }
    }
}

/// A unit direction across an axis.
fn across(axis: Vector) -> Vector {
    let lean = if axis.x.abs() < 0.9 { Vector::x() } else { Vector::y() };
    crate::math::tangential(lean, axis).normalize()
}

impl Pose {
    /// A world point \[m\] in the coordinates of the shape at rest.
    pub fn to_shape(&self, p: Vector) -> Vector {
        let p = p - self.translation;
        match &self.turn {
            Some(turn) => turn.rotation.tr_mul(&(p - turn.center)) + turn.center,
            None => p,
        }
    }

    /// The world position \[m\] of a point in the coordinates of the shape at rest.
    pub fn to_world(&self, p: Vector) -> Vector {
        match &self.turn {
            Some(turn) => turn.rotation * (p - turn.center) + turn.center + self.translation,
            None => p + self.translation,
        }
    }

    /// A direction of the shape's frame, in the world.
    pub fn direction_to_world(&self, n: Vector) -> Vector {
        match &self.turn {
            Some(turn) => turn.rotation * n,
            None => n,
        }
    }

    /// A world direction, in the shape's frame.
    pub fn direction_to_shape(&self, n: Vector) -> Vector {
        match &self.turn {
            Some(turn) => turn.rotation.tr_mul(&n),
            None => n,
        }
    }

    /// A world point \[m\] in the frame of the surface material, which moves with the belt.
    pub fn to_material(&self, p: Vector) -> Vector {
        self.to_shape(p - self.belt_shift)
    }

    /// The world position \[m\] of a material point of the surface.
    pub(crate) fn material_to_world(&self, p: Vector) -> Vector {
        self.to_world(p) + self.belt_shift
    }

    /// Velocity, belt included, of the shape's point at the world point `p` \[m/s\].
    pub(crate) fn velocity_at(&self, p: Vector) -> Vector {
        self.surface_velocity(p, Vector::zeros())
    }

    /// Velocity of the surface at the world point `p` with normal `n` \[m/s\]:
    /// v + ω × (p − centre) + the belt's tangential part.
    pub fn surface_velocity(&self, p: Vector, n: Vector) -> Vector {
        let mut velocity = self.velocity + crate::math::tangential(self.belt, n);
        if let Some(turn) = &self.turn {
            velocity += turn.rate.cross(&(p - turn.center - self.translation));
        }
        velocity
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// surface velocity is the time derivative of a material point, for all motions together
    #[test]
    fn surface_velocity_is_the_derivative_of_a_material_point() {
        let motion = Motion {
            velocity: Vector::new(0.3, -0.2, 0.1),
            spin: Some(Spin { axis: Vector::y(), rate: 2.0, center: Vector::new(0.1, 0.0, 0.4) }),
            oscillation: Some(Oscillation {
                direction: Vector::x(),
                amplitude: 0.05,
                frequency: 3.0,
                phase: 0.7,
            }),
            belt: Vector::new(0.0, 0.5, 0.0),
            guides: Vec::new(),
        };
        let curve = |text: &str| {
            TimeCurve::formula(text, &["t"], &BTreeMap::new()).expect("the formula is right")
        };
        let about = Path::About { axis: Vector::y(), center: Vector::new(0.1, 0.0, 0.4) };
        let guided = Motion {
            spin: None,
            guides: vec![
                Guide { curve: curve("0.1*sin(4*t)"), path: Path::Along(Vector::z()) },
                Guide { curve: curve("0.2*t^2"), path: Path::Surface(Vector::y()) },
                Guide { curve: curve("90*t^3"), path: about },
            ],
            ..motion.clone()
        };
        for motion in [motion, guided] {
            let (t, h) = (0.83, 1e-6);
            let point = motion.pose(t).to_material(Vector::new(0.7, 0.2, -0.3));
            let at = |t: f64| motion.pose(t).material_to_world(point);
            let numeric = (at(t + h) - at(t - h)) / (2.0 * h);
            let exact = motion.pose(t).surface_velocity(at(t), Vector::z());
            assert!((numeric - exact).norm() < 1e-8, "{numeric} {exact}");
        }
    }
}
