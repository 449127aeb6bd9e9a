//! Pins that follow curves of time.

use super::Constraint;
use crate::expression::time_curve::TimeCurve;
use crate::forces::account::Jump;
use crate::math::Vector;
use crate::state::memory::Memory;
use crate::state::{LastStep, State};

/// Held axes of particles, at x(t) = x(0) + v t + Σ d (s(t) − s(0)).
///
/// A method sees them move at their mean velocity over the step, (x(t + h) − x(t))/h, which leaves
/// an error of h² x''/8 inside it. At accepted states position and velocity are exact.
#[derive(Debug, Clone)]
pub struct GuidedPins {
    /// The particles.
    pub particles: Vec<usize>,
    /// Their positions at t = 0 \[m\].
    pub start: Vec<Vector>,
    /// Which axes are held.
    pub axes: [bool; 3],
    /// v \[m/s\].
    pub velocity: Vector,
    /// d, of unit length, and s \[m\].
    pub guides: Vec<(Vector, TimeCurve)>,
}

impl GuidedPins {
    /// Displacement \[m\] and velocity \[m/s\] at t; where a step ends, the velocity is that of what
    /// follows.
    pub fn motion(&self, t: f64) -> [Vector; 2] {
        let mut motion = [self.velocity * t, self.velocity];
        for (direction, curve) in &self.guides {
            let [now, rate] = curve.at(t, false);
            motion[0] += direction * (now - curve.at(0.0, false)[0]);
            motion[1] += direction * rate;
        }
        motion
    }

    fn set(&self, of: &mut [Vector], value: impl Fn(usize) -> Vector) {
        for (k, &i) in self.particles.iter().enumerate() {
            let value = value(k);
            for axis in (0..3).filter(|axis| self.axes[*axis]) {
                of[i][axis] = value[axis];
            }
        }
    }

    /// Gives the held axes their velocity at t = 0.
    pub fn begin(&self, velocities: &mut [Vector]) {
        let [_, velocity] = self.motion(0.0);
        self.set(velocities, |_| velocity);
    }
}

impl Constraint for GuidedPins {
    fn lead(&self, state: &mut State, end: f64) {
        let [[from, _], [to, _]] = [state.time, end].map(|t| self.motion(t));
        let mean = (to - from) / (end - state.time);
        self.set(&mut state.velocities, |_| mean);
    }

    fn settle(&self, state: &mut State, taken: &LastStep, _next: &mut Memory, _jump: &mut Jump) {
        let [moved, velocity] = self.motion(taken.end);
        self.set(&mut state.positions, |k| self.start[k] + moved);
        self.set(&mut state.velocities, |_| velocity);
    }

    fn time_curves(&self) -> Vec<&TimeCurve> {
        self.guides.iter().map(|(_, curve)| curve).collect()
    }
}
