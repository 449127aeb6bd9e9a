//! A log as input of the checks: noise, windows, reported forces and forces from momentum.

use super::JudgeOptions;
use super::log::{Body, Log};
use super::statistics::{median, noise};
use std::ops::Range;
use stiction_core::diagnosis::thresholds::WINDOW;
use stiction_core::math::{Vector, larger, smaller};

/// Least number of frames in half a window.
pub const FEWEST: usize = WINDOW as usize;

/// Largest number of windows of a run.
const WINDOWS: usize = 20;

/// Assignment of forces to the interval between frames k − 1 and k.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Convention {
    /// Forces of frame k.
    End,
    /// Forces of frame k − 1.
    Start,
    /// Their mean.
    Mean,
}

impl Convention {
    /// All conventions; the first of equally good ones is used.
    pub const ALL: [Convention; 3] = [Convention::End, Convention::Start, Convention::Mean];

    /// The value between two frames.
    pub fn between(self, before: Vector, now: Vector) -> Vector {
        match self {
            Convention::End => now,
            Convention::Start => before,
            Convention::Mean => 0.5 * (before + now),
        }
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Convention::End => "those of the step that ends",
            Convention::Start => "those of the step that begins",
            Convention::Mean => "the mean of two frames",
        }
    }
}

/// A log with quantities computed once.
pub struct Evidence<'a> {
    /// The log.
    pub log: &'a Log,
    /// Facts in addition to the log.
    pub given: &'a JudgeOptions,
    /// Gravity \[m/s²\], if it is known.
    pub gravity: Option<Vector>,
    /// Ranges of frames.
    pub windows: Vec<Range<usize>>,
}

impl<'a> Evidence<'a> {
    /// The evidence of a log.
    pub fn new(log: &'a Log, given: &'a JudgeOptions) -> Self {
        let frames = log.time.len();
        let size = (frames / WINDOWS).max(2 * FEWEST);
        let count = frames / size;
        let windows = (0..count).map(|w| w * frames / count..(w + 1) * frames / count).collect();
        Evidence { log, given, gravity: given.gravity.or(log.gravity), windows }
    }

    /// A body.
    pub fn body(&self, n: usize) -> &'a Body {
        &self.log.bodies[n]
    }

    /// Time between frames k − 1 and k \[s\].
    pub fn interval(&self, k: usize) -> f64 {
        self.log.time[k] - self.log.time[k - 1]
    }

    /// The median time between frames \[s\].
    pub(crate) fn usual_interval(&self) -> f64 {
        median((1..self.log.time.len()).map(|k| self.interval(k)))
    }

    /// Length of a window \[s\].
    pub fn length(&self, window: &Range<usize>) -> f64 {
        self.log.time[window.end - 1] - self.log.time[window.start]
    }

    /// σ of the noise on positions \[m\].
    pub(crate) fn noise_of_position(&self, n: usize) -> f64 {
        noise(&self.body(n).position)
    }

    /// σ of the noise on velocities \[m/s\].
    pub(crate) fn noise_of_velocity(&self, n: usize) -> f64 {
        self.body(n).velocity.as_ref().map_or(0.0, |v| noise(v))
    }

    /// Weight and applied force in a frame \[N\]; none if gravity is unknown.
    pub fn load(&self, n: usize, k: usize) -> Option<Vector> {
        let body = self.body(n);
        let applied = body.applied.as_ref().map_or(Vector::zeros(), |f| f[k]);
        Some(body.mass * self.gravity? + applied)
    }

    /// The scale of forces \[N\]: the largest of weight, median normal force and the force that
    /// would stop the body within the duration of the log.
    pub(crate) fn scale_of_force(&self, n: usize) -> f64 {
        let body = self.body(n);
        let weight = self.gravity.map_or(0.0, |g| body.mass * g.norm());
        let frames = self.log.time.len();
        let pressed = |k| self.log.contacts_of(n, k).map(|c| c.normal_force.abs()).sum::<f64>();
        let told = median((0..frames).map(pressed));
        let fastest = body.velocity.iter().flatten().map(Vector::norm).fold(0.0, larger);
        let length = self.log.time[frames - 1] - self.log.time[0];
        larger(larger(weight, told), body.mass * fastest / length)
    }

    /// Mean normal of a body's contacts in a window, and the mean of Σ μN \[N\]; none without
    /// normal forces or coefficients.
    pub fn ground(&self, n: usize, window: &Range<usize>) -> Option<Ground> {
        let (mut normal, mut bound, mut frames) = (Vector::zeros(), 0.0, 0usize);
        for k in window.clone() {
            let mut touched = false;
            for contact in self.log.contacts_of(n, k) {
                touched |= contact.normal_force > 0.0;
                normal += contact.normal_force * contact.normal;
                let coefficient = contact.static_friction.or(self.given.friction)?;
                bound += coefficient * contact.normal_force;
            }
            frames += usize::from(touched);
        }
        let share = frames as f64 / window.len() as f64;
        let length = normal.norm();
        (length > 0.0).then(|| Ground {
            normal: normal / length,
            bound: bound / window.len() as f64,
            share,
        })
    }

    /// Mean contact force required by momentum over a window, m Δv/Δt − load \[N\]; the velocities
    /// are means over its first and last quarter, from positions.
    pub fn needed(&self, n: usize, window: &Range<usize>) -> Option<Vector> {
        let x = &self.body(n).position;
        let (a, b) = (window.start, window.end - 1);
        let quarter = (window.len() / 4).max(1);
        let speed = |i: usize, j: usize| (x[j] - x[i]) / (self.log.time[j] - self.log.time[i]);
        let (first, last) = (speed(a, a + quarter), speed(b - quarter, b));
        let middle = |i: usize, j: usize| 0.5 * (self.log.time[i] + self.log.time[j]);
        let dt = middle(b - quarter, b) - middle(a, a + quarter);
        let mean: Vector =
            window.clone().map(|k| self.load(n, k)).sum::<Option<Vector>>()? / window.len() as f64;
        Some(self.body(n).mass * (last - first) / dt - mean)
    }

    /// Whether frames are further apart than the engine's steps.
    pub fn sampled(&self) -> bool {
        self.log.step.is_some_and(|step| self.usual_interval() > 1.5 * step)
    }
}

/// Contacts of a body over a window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ground {
    /// Mean normal, weighted by normal forces.
    pub normal: Vector,
    /// Mean of Σ μN \[N\].
    pub bound: f64,
    /// Share of the frames with contact.
    pub share: f64,
}

impl Ground {
    /// The component along the surface.
    pub fn along(&self, v: Vector) -> Vector {
        v - v.dot(&self.normal) * self.normal
    }
}

/// Whether speeds are steady: max − min ≤ 0.1 max.
pub fn steady(speeds: &[f64]) -> bool {
    let (low, high) =
        speeds.iter().fold((f64::MAX, 0.0), |(l, h), s| (smaller(l, *s), larger(h, *s)));
    high - low <= 0.1 * high
}
