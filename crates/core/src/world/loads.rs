//! Pushes, drags, pins, muscles and curves, and selections of particles.

use super::body::BodyId;
use super::error::{Part, WorldError};
use super::setters::described;
use crate::constraints::curve::Coupling;
use crate::expression::time_curve::TimeCurve;
use crate::expression::{Expression, FormulaFault};
use crate::math::Vector;
use crate::model;
use crate::registry::Problem;
use std::collections::BTreeMap;
use std::ops::Range;

/// Selected particles of a body, by its placed geometry at t = 0. Of a refined mesh those that the refinement has
/// added are selected where both particles between which they lie are: the same points, lines and faces.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Selection {
    /// All particles.
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
    /// The selected particles, in the model's numbers, ascending; none is an error.
    pub fn particles(
        &self,
        body: &model::Body,
        positions: &[Vector],
    ) -> Result<Vec<usize>, Problem> {
        let Range { start, end } = body.unrefined();
        let fault = |message: String, help: String| Problem { key: None, message, help };
        let mut chosen: Vec<usize> = match self {
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
            let help = match self {
                Selection::Particles(_) => "the list is empty: give numbers of particles, from 0",
                _ => "widen the box; it is compared with the positions at t = 0",
            };
            let message = format!("no particle of `{}` is selected", body.name);
            return Err(fault(message, help.into()));
        }
        let is_chosen = |i: &u32| chosen.binary_search(&(*i as usize)).is_ok();
        let between = (end..).zip(&body.midpoints).filter(|(_, ends)| ends.iter().all(is_chosen));
        let between: Vec<usize> = between.map(|(i, _)| i).collect();
        chosen.extend(between);
        Ok(chosen)
    }

    /// The same; an error names the part of the world.
    pub(super) fn of(
        &self,
        part: Part,
        body: &model::Body,
        positions: &[Vector],
    ) -> Result<Vec<usize>, WorldError> {
        self.particles(body, positions).map_err(|problem| part.unfit(problem))
    }
}

described! {
    /// A force on particles of a body within a span of time, with a linear rise.
    ///
    /// ```
    /// use stiction_core::world::{Body, Push, World};
    ///
    /// let mut world = World::new();
    /// let bead = world.body(Body::new("bead", "particle").mass(0.1));
    /// world.push(Push::new(bead, [15.0, 0.0, 0.0]).from(0.5).ramp(1.0));
    /// assert!(world.simulate().is_ok());
    /// ```
    #[derive(Debug, Clone)]
    pub struct Push {
        /// A total force \[N\] on a body, shared evenly by its particles, for all time.
        new(body: BodyId, force: Vector);
        /// Only on these particles.
        selection: Selection = Selection::All;
        /// Whether each particle gets the whole force.
        per_particle: bool = false;
        /// Start \[s\].
        from: f64 = 0.0;
        /// End \[s\].
        until: Option<f64> = None;
        /// Linear rise over this time, counted from the start \[s\].
        ramp: f64 = 0.0;
        /// A factor on the force as a curve of time.
        factor: Option<TimeCurve> = None;
    }
}

described! {
    /// Holds particles on some or all axes, or moves them along these: at a constant velocity, by curves
    /// of time, or both.
    #[derive(Debug, Clone)]
    pub struct Pin {
        /// Holds particles of a body on all axes.
        new(body: BodyId, selection: Selection)
        keeps { guides: Vec<(Vector, TimeCurve)> = Vec::new(); };
        /// Whether x, y and z are held.
        axes: [bool; 3] = [true; 3];
        /// Velocity of the pin \[m/s\].
        velocity: Vector = Vector::zeros();
    }
}

impl Pin {
    /// Moves the pin along a direction of any length by the change of a curve since t = 0 \[m\].
    #[must_use]
    pub fn follow(mut self, direction: impl Into<Vector>, curve: TimeCurve) -> Self {
        let direction: Vector = direction.into();
        let unit = direction.try_normalize(0.0).unwrap_or_else(|| Vector::repeat(f64::NAN));
        self.guides.push((unit, curve));
        self
    }
}

described! {
    /// Rest lengths that follow time: springs of a body with both ends selected get the rest length l0
    /// s(t), or l0 s(t, x, y, z) with (x, y, z) the middle of the spring at t = 0.
    ///
    /// ```
    /// use stiction_core::expression::time_curve::{Between, TimeCurve};
    /// use stiction_core::world::{Body, Muscle, World, named, shapes::Family};
    ///
    /// let mut world = World::new();
    /// let points = named("rope").with("from", [0.0; 3]).with("to", [1.0, 0.0, 0.0]).with("segments", 4);
    /// let rope = Body::new("rope", points).mass(0.1).spring(Family::Edge, 1e3, 1.0);
    /// let rope = world.body(rope);
    /// let shorter = TimeCurve::through(vec![[0.0, 1.0], [0.5, 0.7]], Between::Smooth)?;
    /// world.muscle(Muscle::new(rope, shorter));
    /// assert!(world.simulate().is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Debug, Clone)]
    pub struct Muscle {
        /// All springs of a body; s is the factor of their rest lengths.
        new(body: BodyId, factor: TimeCurve);
        /// Only springs between these particles.
        selection: Selection = Selection::All;
    }
}

described! {
    /// An acceleration against the velocity, −rate·v, within a span of time.
    #[derive(Debug, Clone)]
    pub struct Drag {
        /// Drag on all bodies at a rate \[1/s\].
        new(rate: f64);
        /// Only on one body.
        body: Option<BodyId> = None;
        /// Start \[s\].
        from: f64 = 0.0;
        /// End \[s\].
        until: Option<f64> = None;
    }
}

described! {
    /// Keeps particles of a body on φ(x, y, z) = 0 by Lagrange multipliers, with friction in
    /// proportion to them.
    #[derive(Debug, Clone)]
    pub struct Curve {
        /// All particles of a body on one φ, a surface, or on two, a curve in space; without
        /// friction. [`Curve::parse`] reads a φ.
        new(body: BodyId, phi: Vec<Expression>);
        /// Only these particles.
        selection: Selection = Selection::All;
        /// μ_k.
        kinetic_friction: f64 = 0.0;
        /// μ_s ≥ μ_k; by default μ_k.
        static_friction: Option<f64> = None;
        /// Coupling of friction and the multiplier; by default the one that suits the integrator.
        coupling: Option<Coupling> = None;
        /// Whether a particle that would reverse within a step is held.
        rest: bool = true;
        /// Share of the distance from the curve corrected per step, from 0 to 1.
        stabilisation: f64 = 0.2;
        /// Whether positions are projected onto the curve after every step.
        projection: bool = false;
    }
}

impl Curve {
    /// μ_s, or μ_k if none is given.
    pub(super) fn static_or_kinetic(&self) -> f64 {
        self.static_friction.unwrap_or(self.kinetic_friction)
    }

    /// The variables of a φ \[m\].
    const VARIABLES: &'static [&'static str] = &["x", "y", "z"];

    /// One φ or two from their texts, with named constants.
    pub fn parse<T: AsRef<str>>(
        texts: &[T],
        constants: &BTreeMap<String, f64>,
    ) -> Result<Vec<Expression>, FormulaFault> {
        let read = |text: &T| Expression::parse(text.as_ref(), Curve::VARIABLES, constants);
        texts.iter().map(read).collect()
    }
}
