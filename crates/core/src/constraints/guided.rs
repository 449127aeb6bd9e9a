//! Pins that follow curves of time.

use super::Constraint;
use crate::expression::time_curve::TimeCurve;
use crate::forces::account::Jump;
use crate::math::Vector;
use crate::state::memory::Memory;
use crate::state::{LastStep, State};

/// Held axes of particles, at x(t) = x(0) + v t + Σ d (s(t) − s(0)).
///
/// Forces see the particles at x(t), x'(t) of the time of evaluation, so that methods keep their
/// order; within a step a method moves them at their mean velocity. At accepted states position and
/// velocity are exact. Besides the work against forces, pins do the work of changing ½ Σ m v².
#[derive(Debug, Clone)]
pub(crate) struct GuidedPins {
    /// The particles.
    pub particles: Vec<usize>,
    /// Their positions at t = 0 \[m\].
    pub start: Vec<Vector>,
    /// Their masses \[kg\].
    pub masses: Vec<f64>,
    /// Whether each axis is held.
    pub axes: [bool; 3],
    /// v \[m/s\].
    pub velocity: Vector,
    /// d, of unit length, and s \[m\].
    pub guides: Vec<(Vector, TimeCurve)>,
}

impl GuidedPins {
    /// Displacement \[m\] and velocity \[m/s\] at t; at a corner the velocity after it, or, with
    /// `within_step`, that before it.
    fn motion(&self, t: f64, within_step: bool) -> [Vector; 2] {
        let mut motion = [self.velocity * t, self.velocity];
        for (direction, curve) in &self.guides {
            let [now, rate] = curve.at(t, within_step);
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

    /// Sets the held axes to their velocity at t = 0.
    pub fn begin(&self, velocities: &mut [Vector]) {
        let [_, velocity] = self.motion(0.0, false);
        self.set(velocities, |_| velocity);
    }
}

impl Constraint for GuidedPins {
    fn lead(&self, state: &mut State, end: f64) {
        let [[from, _], [to, _]] = [state.time, end].map(|t| self.motion(t, false));
        let mean = (to - from) / (end - state.time);
        self.set(&mut state.velocities, |_| mean);
    }

    fn prescribes(&self) -> bool {
        true
    }

    fn prescribe(&self, time: f64, within_step: bool, x: &mut [Vector], v: &mut [Vector]) {
        let [moved, velocity] = self.motion(time, within_step);
        self.set(x, |k| self.start[k] + moved);
        self.set(v, |_| velocity);
    }

    fn settle(&self, state: &mut State, taken: &LastStep, _next: &mut Memory, jump: &mut Jump) {
        let [moved, velocity] = self.motion(taken.end, false);
        self.set(&mut state.positions, |k| self.start[k] + moved);
        self.set(&mut state.velocities, |_| velocity);
        for (&i, mass) in self.particles.iter().zip(&self.masses) {
            let squared = |v: &Vector| -> f64 {
                (0..3).filter(|axis| self.axes[*axis]).map(|axis| v[axis] * v[axis]).sum()
            };
            let gained = 0.5 * mass * (squared(&velocity) - squared(&taken.velocities[i]));
            jump.enter(i, |flows| flows.work += gained);
        }
    }

    fn time_curves(&self) -> Vec<&TimeCurve> {
        self.guides.iter().map(|(_, curve)| curve).collect()
    }
}
