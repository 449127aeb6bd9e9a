//! What is done to particles: pushes, drags, pins and curves, and which particles are meant.

use super::BodyId;
use super::error::{Part, WorldError};
use crate::constraints::curve::Coupling;
use crate::expression::{Expression, Fault};
use crate::math::Vector;
use crate::model;
use crate::registry::Problem;
use std::collections::BTreeMap;
use std::ops::Range;

/// Which particles of a body, in its placed geometry at t = 0.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Selection {
    /// All of them.
    #[default]
    All,
    /// By number within the body, from 0.
    Particles(Vec<usize>),
    /// Inside an axis-parallel box (boundary included, with 1e-9 m to spare).
    Box {
        /// Lower corner \[m\].
        min: Vector,
        /// Upper corner \[m\].
        max: Vector,
    },
    /// The one nearest to a point (the lowest number among equals).
    Nearest(Vector),
}

impl Selection {
    /// The particles it means, in the model's numbers, ascending; an empty one is an error.
    pub fn particles(
        &self,
        body: &model::Body,
        positions: &[Vector],
    ) -> Result<Vec<usize>, Problem> {
        let Range { start, end } = body.particles.clone();
        let fault = |message: String, help: String| Problem { key: None, message, help };
        let chosen: Vec<usize> = match self {
            Selection::All => (start..end).collect(),
            Selection::Particles(list) => {
                if let Some(bad) = list.iter().find(|p| **p >= end - start) {
                    return Err(fault(
                        format!(
                            "particle {bad} does not exist: body `{}` has {}",
                            body.name,
                            end - start
                        ),
                        format!("particles count from 0 to {}", end - start - 1),
                    ));
                }
                let mut list: Vec<usize> = list.iter().map(|p| start + p).collect();
                list.sort_unstable();
                list.dedup();
                list
            }
            Selection::Box { min, max } => {
                let within =
                    |x: &Vector| (0..3).all(|k| x[k] >= min[k] - 1e-9 && x[k] <= max[k] + 1e-9);
                (start..end).filter(|i| within(&positions[*i])).collect()
            }
            Selection::Nearest(point) => {
                let distance = |i: usize| (positions[i] - point).norm_squared();
                let nearer = |a: usize, b: usize| if distance(b) < distance(a) { b } else { a };
                vec![(start..end).fold(start, nearer)]
            }
        };
        if chosen.is_empty() {
            return Err(fault(
                format!("no particle of `{}` is selected", body.name),
                "widen the box; it is compared with the positions at t = 0".into(),
            ));
        }
        Ok(chosen)
    }

    /// The same for a part of a world.
    pub(super) fn of(
        &self,
        part: Part,
        body: &model::Body,
        positions: &[Vector],
    ) -> Result<Vec<usize>, WorldError> {
        self.particles(body, positions).map_err(|problem| part.unfit(problem))
    }
}

/// A force on particles of a body, from a time on, with a linear rise, until a time.
///
/// ```
/// use stiction::world::{Body, Push, Selection, World, named};
///
/// let mut world = World::new();
/// let bead = world.body(Body::new("bead", named("particle")).mass(0.1));
/// world.push(Push::new(bead, [15.0, 0.0, 0.0]).select(Selection::All).from(0.5).ramp(1.0));
/// ```
#[derive(Debug, Clone)]
pub struct Push {
    pub(super) body: BodyId,
    pub(super) selection: Selection,
    pub(super) force: Vector,
    pub(super) per_particle: bool,
    pub(super) from: f64,
    pub(super) until: Option<f64>,
    pub(super) ramp: f64,
}

impl Push {
    /// A total force \[N\] on all particles of a body, shared evenly, for all time.
    pub fn new(body: BodyId, force: impl Into<Vector>) -> Self {
        Push {
            body,
            selection: Selection::All,
            force: force.into(),
            per_particle: false,
            from: 0.0,
            until: None,
            ramp: 0.0,
        }
    }

    /// Only on these particles.
    #[must_use]
    pub fn select(mut self, selection: Selection) -> Self {
        self.selection = selection;
        self
    }

    /// Whether each particle gets the whole force.
    #[must_use]
    pub fn per_particle(mut self, whole: bool) -> Self {
        self.per_particle = whole;
        self
    }

    /// Start \[s\].
    #[must_use]
    pub fn from(mut self, time: f64) -> Self {
        self.from = time;
        self
    }

    /// End \[s\].
    #[must_use]
    pub fn until(mut self, time: impl Into<Option<f64>>) -> Self {
        self.until = time.into();
        self
    }

    /// Linear rise over this time, counted from the start \[s\].
    #[must_use]
    pub fn ramp(mut self, time: f64) -> Self {
        self.ramp = time;
        self
    }
}

/// Holds particles where they are, or some axes of them, or moves them at a constant velocity.
#[derive(Debug, Clone)]
pub struct Pin {
    pub(super) body: BodyId,
    pub(super) selection: Selection,
    pub(super) axes: [bool; 3],
    pub(super) velocity: Vector,
}

impl Pin {
    /// Holds particles of a body on all axes.
    pub fn new(body: BodyId, selection: Selection) -> Self {
        Pin { body, selection, axes: [true; 3], velocity: Vector::zeros() }
    }

    /// Which of x, y and z are held.
    #[must_use]
    pub fn axes(mut self, axes: [bool; 3]) -> Self {
        self.axes = axes;
        self
    }

    /// Velocity of the pin \[m/s\].
    #[must_use]
    pub fn velocity(mut self, velocity: impl Into<Vector>) -> Self {
        self.velocity = velocity.into();
        self
    }
}

/// An acceleration against the velocity, −rate·v, until a time.
#[derive(Debug, Clone)]
pub struct Drag {
    pub(super) body: Option<BodyId>,
    pub(super) rate: f64,
    pub(super) until: Option<f64>,
}

impl Drag {
    /// Drag on all bodies at a rate \[1/s\].
    pub fn new(rate: f64) -> Self {
        Drag { body: None, rate, until: None }
    }

    /// Only on one body.
    #[must_use]
    pub fn on(mut self, body: impl Into<Option<BodyId>>) -> Self {
        self.body = body.into();
        self
    }

    /// End \[s\].
    #[must_use]
    pub fn until(mut self, time: impl Into<Option<f64>>) -> Self {
        self.until = time.into();
        self
    }
}

/// Keeps particles of a body on φ(x, y, z) = 0 by Lagrange multipliers, with friction in proportion
/// to them.
#[derive(Debug, Clone)]
pub struct Curve {
    pub(super) body: BodyId,
    pub(super) selection: Selection,
    pub(super) phi: Vec<Expression>,
    pub(super) kinetic: f64,
    pub(super) static_: f64,
    pub(super) coupling: Option<Coupling>,
    pub(super) rest: bool,
    pub(super) stabilisation: f64,
    pub(super) projection: bool,
}

impl Curve {
    /// The variables of a φ \[m\].
    const VARIABLES: &'static [&'static str] = &["x", "y", "z"];

    /// All particles of a body on one φ, a surface, or on two, a curve in space; without friction.
    pub fn new(body: BodyId, phi: Vec<Expression>) -> Self {
        Curve {
            body,
            selection: Selection::All,
            phi,
            kinetic: 0.0,
            static_: 0.0,
            coupling: None,
            rest: true,
            stabilisation: 0.2,
            projection: false,
        }
    }

    /// One φ or two from their texts, with named constants.
    pub fn parse<T: AsRef<str>>(
        texts: &[T],
        constants: &BTreeMap<String, f64>,
    ) -> Result<Vec<Expression>, Fault> {
        let read = |text: &T| Expression::parse(text.as_ref(), Curve::VARIABLES, constants);
        texts.iter().map(read).collect()
    }

    /// Only these particles.
    #[must_use]
    pub fn select(mut self, selection: Selection) -> Self {
        self.selection = selection;
        self
    }

    /// μ_s ≥ μ_k.
    #[must_use]
    pub fn friction(mut self, static_friction: f64, kinetic_friction: f64) -> Self {
        (self.static_, self.kinetic) = (static_friction, kinetic_friction);
        self
    }

    /// How friction and the multiplier are made to fit; by the integrator when absent.
    #[must_use]
    pub fn coupling(mut self, coupling: impl Into<Option<Coupling>>) -> Self {
        self.coupling = coupling.into();
        self
    }

    /// Whether a particle that would turn back within a step is held; it is unless this says no.
    #[must_use]
    pub fn rest(mut self, rest: bool) -> Self {
        self.rest = rest;
        self
    }

    /// Share of the distance from the curve that a step takes back, from 0 to 1; 0.2 at first.
    #[must_use]
    pub fn stabilisation(mut self, share: f64) -> Self {
        self.stabilisation = share;
        self
    }

    /// Whether positions are put back onto the curve after every step.
    #[must_use]
    pub fn projection(mut self, projection: bool) -> Self {
        self.projection = projection;
        self
    }
}
