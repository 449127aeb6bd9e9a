//! A log as input of the checks: noise, windows, reported forces and forces from momentum.

use super::JudgeOptions;
use super::log::{Body, Contact, Log};
use super::motion::{spins, velocities};
use super::statistics::{median, noise_at};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use stiction_core::diagnosis::thresholds::WINDOW;
use stiction_core::math::{Matrix, Vector, larger, smaller, sqrt};

/// Least number of frames in half a window.
pub const FEWEST: usize = WINDOW as usize;

/// Largest number of windows of a run.
const WINDOWS: usize = 20;

/// Share of the normal forces along a direction from which contacts press in it: 8° off a plane.
const PRESSED: f64 = 0.02;

/// Share of the load below which a contact counts as unloaded.
const NOTHING: f64 = 1e-3;

/// Why windows are missing.
pub(crate) const FEW: &str = "it has fewer than 32 frames";

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
    /// Velocities of each body \[m/s\], also where only positions are reported.
    pub velocities: Vec<Vec<Vector>>,
    /// Spins of each body \[rad/s\], where they or orientations are reported.
    pub spins: Vec<Option<Vec<Vector>>>,
    /// σ of the noise on positions \[m\], velocities \[m/s\] and spins \[rad/s\] of each body.
    position_noise: Vec<f64>,
    slip_noise: Vec<f64>,
    scales: Vec<f64>,
    fastest: Vec<f64>,
    /// Σ N of each body in each frame \[N\], and whether all its contacts have friction forces
    pressing: Vec<Vec<f64>>,
    reports: Vec<bool>,
    interval: f64,
    pub(crate) velocity_noise: Vec<f64>,
    pub(crate) spin_noise: Vec<f64>,
}

impl<'a> Evidence<'a> {
    /// The evidence of a log.
    pub fn new(log: &'a Log, given: &'a JudgeOptions) -> Self {
        let frames = log.time.len();
        let size = (frames / WINDOWS).max(2 * FEWEST);
        let count = frames / size;
        let windows = (0..count).map(|w| w * frames / count..(w + 1) * frames / count).collect();
        let bodies = || log.bodies.iter();
        let spins: Vec<_> = bodies().map(|body| spins(&log.time, body)).collect();
        let noise = |of: &Vec<Vector>| noise_at(&log.time, of);
        let of = |column: &Option<Vec<Vector>>| column.as_ref().map_or(0.0, noise);
        let velocities: Vec<_> = bodies().map(|body| velocities(&log.time, body)).collect();
        let fastest = |all: &Vec<Vector>| all.iter().map(Vector::norm).fold(0.0, larger);
        let mut evidence = Evidence {
            log,
            given,
            gravity: given.gravity.or(log.gravity),
            windows,
            position_noise: bodies().map(|body| noise(&body.position)).collect(),
            velocity_noise: bodies().map(|body| of(&body.velocity)).collect(),
            spin_noise: spins.iter().map(of).collect(),
            slip_noise: Vec::new(),
            pressing: (0..log.bodies.len()).map(|n| pressing(log, n)).collect(),
            reports: (0..log.bodies.len())
                .map(|n| log.all_contacts_of(n).all(|contact| contact.friction.is_some()))
                .collect(),
            scales: Vec::new(),
            fastest: velocities.iter().map(fastest).collect(),
            interval: median(log.time.windows(2).map(|pair| pair[1] - pair[0])),
            velocities,
            spins,
        };
        evidence.slip_noise =
            (0..log.bodies.len()).map(|n| evidence.noise_with_others(n)).collect();
        evidence.scales = (0..log.bodies.len()).map(|n| evidence.largest_force(n)).collect();
        evidence
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
        self.interval
    }

    /// The largest speed of a body \[m/s\].
    pub(crate) fn fastest(&self, n: usize) -> f64 {
        self.fastest[n]
    }

    /// The time from the first frame to the last \[s\].
    pub(crate) fn duration(&self) -> f64 {
        self.log.time[self.log.time.len() - 1] - self.log.time[0]
    }

    /// Length of a window \[s\].
    pub fn length(&self, window: &Range<usize>) -> f64 {
        self.log.time[window.end - 1] - self.log.time[window.start]
    }

    /// σ of the noise on positions \[m\].
    pub(crate) fn noise_of_position(&self, n: usize) -> f64 {
        self.position_noise[n]
    }

    /// Weight and the forces of drives, pushes and joints in a frame \[N\]; none if gravity is unknown.
    pub fn load(&self, n: usize, k: usize) -> Option<Vector> {
        let body = self.body(n);
        Some(body.mass * self.gravity? + body.force(k))
    }

    /// The scale of forces \[N\]: the largest of weight, median normal force, median reaction of joints and the force
    /// that would stop the body within the duration of the log.
    pub(crate) fn scale_of_force(&self, n: usize) -> f64 {
        self.scales[n]
    }

    fn largest_force(&self, n: usize) -> f64 {
        let body = self.body(n);
        let weight = self.gravity.map_or(0.0, |g| body.mass * g.norm());
        let frames = self.log.time.len();
        let pressed = |k| self.log.contacts_of(n, k).map(|c| c.normal_force.abs()).sum::<f64>();
        let usual = median((0..frames).map(pressed));
        let joints = body.reaction.as_ref().map_or(0.0, |all| median(all.iter().map(Vector::norm)));
        let usual = larger(usual, joints);
        larger(larger(weight, usual), body.mass * self.fastest(n) / self.duration())
    }

    /// Contacts of a body in a frame that bear more than a thousandth of `scale` \[N\].
    pub(crate) fn bearing(
        &self,
        n: usize,
        k: usize,
        scale: f64,
    ) -> impl Iterator<Item = &'a Contact> {
        self.bearing_places(n, k, scale).map(|of| of.1)
    }

    /// The same with their places among the contacts of the body in the frame.
    pub(crate) fn bearing_places(
        &self,
        n: usize,
        k: usize,
        scale: f64,
    ) -> impl Iterator<Item = (usize, &'a Contact)> {
        let all = self.log.contacts_of(n, k).enumerate();
        all.filter(move |(_, c)| c.normal_force > NOTHING * scale)
    }

    /// Σ N of a body in the frames before and after a frame, as shares of that in it, and 1: an engine may take
    /// friction from the normal forces of another step.
    pub(crate) fn lags(&self, n: usize, k: usize) -> [f64; 3] {
        let now = self.pressing(n, k);
        let of = |k: usize| if now > 0.0 { self.pressing(n, k) / now } else { 1.0 };
        let last = self.log.time.len() - 1;
        [1.0, of(k.saturating_sub(1)), of((k + 1).min(last))]
    }

    /// The largest share of its own normal force that the contact at a place in its frame has in the frame before and
    /// after, where as many contacts are listed in the same order; 1 at least.
    pub(crate) fn lag_of(&self, n: usize, k: usize, place: usize) -> f64 {
        let all = |k: usize| self.log.contacts_of(n, k);
        let Some(force) = all(k).nth(place).map(|contact| contact.normal_force) else { return 1.0 };
        let beside = [k.saturating_sub(1), (k + 1).min(self.log.time.len() - 1)];
        let same = beside.into_iter().filter(|beside| all(*beside).count() == all(k).count());
        same.filter_map(|k| Some(all(k).nth(place)?.normal_force / force)).fold(1.0, larger)
    }

    /// Coefficient of static friction of a contact, or that of the options.
    pub(crate) fn static_friction(&self, contact: &Contact) -> Option<f64> {
        contact.static_friction.or(self.given.friction)
    }

    /// Coefficient of kinetic friction of a contact, else the static one.
    pub(crate) fn kinetic_friction(&self, contact: &Contact) -> Option<f64> {
        contact.kinetic_friction.or(self.static_friction(contact))
    }

    /// The contacts of a body in a window; none without normal forces.
    pub fn ground(&self, n: usize, window: &Range<usize>) -> Option<Ground> {
        let (mut spread, mut pressing) = (Matrix::zeros(), 0.0);
        let (mut bound, mut sliding, mut frames) = (Some(0.0), Some(0.0), 0usize);
        let (mut weights, mut normal) = (0.0, Vector::zeros());
        for k in window.clone() {
            let (mut touched, weight) = (false, weight(window, k));
            weights += weight;
            for contact in self.log.contacts_of(n, k) {
                let force = weight * contact.normal_force;
                touched |= force > 0.0;
                spread += force.abs() * contact.normal * contact.normal.transpose();
                pressing += force;
                normal += force * contact.normal;
                let added = |sum: Option<f64>, mu: Option<f64>| Some(sum? + mu? * force);
                bound = added(bound, self.static_friction(contact));
                sliding = added(sliding, self.kinetic_friction(contact));
            }
            frames += usize::from(touched);
        }
        (pressing > 0.0).then(|| Ground {
            pressed: pressed(&spread),
            normal: normal / weights,
            bound: bound.map(|sum| sum / weights),
            sliding: sliding.map(|sum| sum / weights),
            share: frames as f64 / window.len() as f64,
        })
    }

    /// Mean contact force required by momentum over a window, m Δv/Δt − load \[N\]; the velocities
    /// are means over its first and last quarter, from positions.
    pub fn needed(&self, n: usize, window: &Range<usize>) -> Option<Vector> {
        let x = &self.body(n).position;
        let (mut sum, mut weights) = (Vector::zeros(), 0.0);
        for k in window.clone() {
            sum += weight(window, k) * self.load(n, k)?;
            weights += weight(window, k);
        }
        let a = self.acceleration(&x[window.clone()], window.start);
        Some(self.body(n).mass * a - sum / weights)
    }

    /// Mean second derivative of positions from a frame on, by means over their first and last quarter \[m/s²\].
    pub(crate) fn acceleration(&self, x: &[Vector], start: usize) -> Vector {
        let time = &self.log.time[start..];
        let (last, quarter) = (x.len() - 1, (x.len() / 4).max(1));
        let speed = |i: usize, j: usize| (x[j] - x[i]) / (time[j] - time[i]);
        let change = speed(last - quarter, last) - speed(0, quarter);
        let middle = |i: usize, j: usize| 0.5 * (time[i] + time[j]);
        change / (middle(last - quarter, last) - middle(0, quarter))
    }

    /// By how much the mean of load and Σ N n over a window changes with each frame by which they are off in time
    /// \[N\].
    pub(crate) fn shift(&self, n: usize, window: &Range<usize>) -> Vector {
        let force = |k: usize| {
            let contacts = self.log.contacts_of(n, k);
            self.body(n).force(k) + contacts.map(|c| c.normal_force * c.normal).sum::<Vector>()
        };
        let (mut sum, mut weights) = (Vector::zeros(), 0.0);
        for k in window.start + 1..window.end {
            sum += weight(window, k) * (force(k) - force(k - 1));
            weights += weight(window, k);
        }
        sum / weights
    }

    /// Six σ of [`Self::needed`] \[N\], and what it is off where forces are those of the step before or after.
    pub(crate) fn noise_of_force(&self, n: usize, window: &Range<usize>) -> f64 {
        let (length, body) = (self.length(window), self.body(n));
        let change = |k: usize| (body.force(k) - body.force(k - 1)).norm();
        let shift: f64 = (window.start + 1..window.end).map(change).sum();
        // two speeds over a quarter, each with √2 σ/(length/4), three quarters apart
        6.0 * body.mass * self.noise_of_position(n) * 11.0 / (length * length)
            + shift / window.len() as f64
    }

    /// σ of the noise on the velocity of a body relative to another \[m/s\].
    pub(crate) fn noise_of_slip(&self, n: usize) -> f64 {
        self.slip_noise[n]
    }

    fn noise_with_others(&self, n: usize) -> f64 {
        let others = self.log.all_contacts_of(n).filter_map(|c| c.other);
        let others: BTreeSet<usize> = others.collect();
        let most = others.into_iter().map(|n| self.noise_of_velocity(n)).fold(0.0, larger);
        sqrt(self.noise_of_velocity(n) * self.noise_of_velocity(n) + most * most)
    }

    /// Positions of a body in a window, relative to all it touches \[m\].
    pub(crate) fn relative_positions(&self, n: usize, window: &Range<usize>) -> Vec<Vector> {
        self.relative(n, window, |body, k| self.body(body).position[k])
    }

    /// Velocities of a body in a window, relative to all it touches \[m/s\].
    pub(crate) fn relative_velocities(&self, n: usize, window: &Range<usize>) -> Vec<Vector> {
        self.relative(n, window, |body, k| self.velocities[body][k])
    }

    /// A quantity of a body in a window less that of all it touches, each weighted by its normal forces;
    /// surroundings are at rest.
    fn relative(
        &self,
        n: usize,
        window: &Range<usize>,
        of: impl Fn(usize, usize) -> Vector,
    ) -> Vec<Vector> {
        let mut weights = BTreeMap::new();
        let mut all = 0.0;
        for contact in window.clone().flat_map(|k| self.log.contacts_of(n, k)) {
            let force = larger(contact.normal_force, 0.0);
            all += force;
            if let Some(other) = contact.other {
                *weights.entry(other).or_insert(0.0) += force;
            }
        }
        let moved: Vec<(usize, f64)> = weights.into_iter().filter(|of| of.1 > 0.0).collect();
        let others = |k: usize| -> Vector {
            moved.iter().map(|(other, weight)| weight / all * of(*other, k)).sum()
        };
        window.clone().map(|k| of(n, k) - others(k)).collect()
    }

    /// Whether frames are, or may be, further apart than the engine's steps: its step is not known.
    pub(crate) fn may_be_sampled(&self) -> bool {
        self.log.step.is_none() || self.sampled()
    }

    /// Radius of gyration √(Σ I/(2 m)) \[m\]; zero without moments of inertia.
    pub(crate) fn radius_of_gyration(&self, n: usize) -> f64 {
        let moments = self.body(n).inertia.map_or(0.0, |moments| moments.sum());
        sqrt(moments / (2.0 * self.body(n).mass))
    }

    /// Difference of ΔL in the step before a frame between rules for its orientation and spin, which may be those of
    /// different stages: Δt |ω × L| \[kg m²/s\].
    pub(crate) fn turned_momentum(&self, n: usize, k: usize, momentum: &[Vector]) -> f64 {
        let spin = self.spins[n].as_ref().map_or_else(Vector::zeros, |spins| spins[k]);
        self.interval(k) * spin.cross(&momentum[k]).norm()
    }

    /// Σ N of a body in a frame \[N\].
    pub(crate) fn pressing(&self, n: usize, k: usize) -> f64 {
        self.pressing[n][k]
    }

    /// Whether every contact of a body has a friction force.
    pub(crate) fn reports_forces(&self, n: usize) -> bool {
        self.log.contacts.is_some() && self.reports[n]
    }

    /// Σ μ_s N of a body in a frame \[N\], where all coefficients are known.
    pub(crate) fn held(&self, n: usize, k: usize) -> Option<f64> {
        let of = |c: &Contact| Some(self.static_friction(c)? * larger(c.normal_force, 0.0));
        self.log.contacts_of(n, k).map(of).sum()
    }

    /// Whether frames are further apart than the engine's steps.
    pub fn sampled(&self) -> bool {
        self.log.step.is_some_and(|step| self.usual_interval() > 1.5 * step)
    }
}

/// Σ N of a body in each frame \[N\].
fn pressing(log: &Log, n: usize) -> Vec<f64> {
    let sum = |k: usize| log.contacts_of(n, k).map(|c| larger(c.normal_force, 0.0)).sum();
    (0..log.time.len()).map(sum).collect()
}

/// Weight of a frame in the change of velocity between the first and the last quarter of a window: it rises over the
/// first and falls over the last.
fn weight(window: &Range<usize>, k: usize) -> f64 {
    let (count, quarter) = (window.len() as f64, (window.len() / 4).max(1) as f64);
    let place = (k - window.start) as f64 + 0.5;
    smaller(smaller(place, count - place) / quarter, 1.0)
}

/// Contacts of a body over a window; its means have the weights of [`Evidence::needed`].
#[derive(Debug, Clone, PartialEq)]
pub struct Ground {
    /// Directions in which contacts press, orthonormal: one on a plane or between two fingers, two in a groove.
    pub pressed: Vec<Vector>,
    /// Mean of Σ N n \[N\]: on a curved surface normals turn in a window.
    pub normal: Vector,
    /// Mean of Σ μ_s N \[N\], where all coefficients are known.
    pub bound: Option<f64>,
    /// Mean of Σ μ_k N \[N\], where all coefficients are known.
    pub sliding: Option<f64>,
    /// Share of the frames with contact.
    pub share: f64,
}

/// The principal directions of Σ N n nᵀ with more than 2 % of its trace.
fn pressed(spread: &Matrix) -> Vec<Vector> {
    let eigen = spread.symmetric_eigen();
    let least = PRESSED * spread.trace();
    let all = (0..3).filter(|k| eigen.eigenvalues[*k] > least);
    all.map(|k| eigen.eigenvectors.column(k).into_owned()).collect()
}

impl Ground {
    /// The component along all surfaces; zero where contacts press in all directions.
    pub fn along(&self, v: Vector) -> Vector {
        if self.pressed.len() > 2 {
            return Vector::zeros();
        }
        self.pressed.iter().fold(v, |left, normal| left - normal.dot(&left) * normal)
    }

    /// Whether contacts leave a direction free.
    pub(crate) fn is_open(&self) -> bool {
        self.pressed.len() < 3
    }

    /// Whether the body is in contact throughout.
    pub(crate) fn is_lasting(&self) -> bool {
        self.share >= 0.99
    }
}

/// Whether speeds are steady: max − min ≤ 0.1 max.
pub fn steady(speeds: &[f64]) -> bool {
    let (low, high) =
        speeds.iter().fold((f64::MAX, 0.0), |(l, h), s| (smaller(l, *s), larger(h, *s)));
    high - low <= 0.1 * high
}
