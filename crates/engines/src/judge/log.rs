//! A log of a run by any engine: states of bodies at times, and the reported contacts.

use std::collections::BTreeMap;
use stiction_core::math::{Vector, cos, sin, sqrt};

/// Largest size of a number, so that its square is finite.
const LARGEST: f64 = 1e100;

/// Cosine of the angle up to which two normals are opposite, and distance of the points of the two sides of a contact
/// as a share of that of the bodies: each may be on the surface of its body.
const OPPOSITE: f64 = 0.9;
const SAME: f64 = 0.05;

/// Number of contacts of two bodies among which the other side of one is searched. It bounds the time, which
/// would grow with the square of the contacts in a frame; engines list few contacts of one pair.
const COMPARED: usize = 1000;

/// Largest number of bodies.
pub const BODIES: usize = 10_000;

/// A run as reported by an engine.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Log {
    /// Times of the frames \[s\], ascending.
    pub time: Vec<f64>,
    /// The bodies.
    pub bodies: Vec<Body>,
    /// The contacts of each frame; none if the engine reported no contacts.
    pub contacts: Option<Vec<Vec<Contact>>>,
    /// Gravity \[m/s²\].
    pub gravity: Option<Vector>,
    /// Time step of the engine \[s\].
    pub step: Option<f64>,
    /// Name and version of the engine.
    pub engine: String,
    /// Arrays or columns that are not read.
    pub unread: Vec<String>,
}

/// A body at all times.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Body {
    /// Its name.
    pub name: String,
    /// Its mass \[kg\].
    pub mass: f64,
    /// Its centre of mass \[m\].
    pub position: Vec<Vector>,
    /// The reported velocity \[m/s\].
    pub velocity: Option<Vec<Vector>>,
    /// Spin, in the world frame \[rad/s\].
    pub spin: Option<Vec<Vector>>,
    /// Orientation as w, x, y, z.
    pub orientation: Option<Vec<[f64; 4]>>,
    /// Principal moments of inertia about the body's axes \[kg m²\].
    pub inertia: Option<Vector>,
    /// Forces other than gravity, contact and joints in the step that ends at each time \[N\].
    pub applied: Option<Vec<Vector>>,
    /// Torques of these about the centre of mass \[N m\].
    pub applied_torque: Option<Vec<Vector>>,
    /// Reaction forces of joints on the body in the step that ends at each time \[N\].
    pub reaction: Option<Vec<Vector>>,
    /// Torques of these about the centre of mass \[N m\].
    pub reaction_torque: Option<Vec<Vector>>,
}

/// A contact of a body as reported by the engine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// The body, from 0.
    pub body: usize,
    /// The other body; none for contact with the surroundings.
    pub other: Option<usize>,
    /// Unit vector out of the other body.
    pub normal: Vector,
    /// Normal force \[N\].
    pub normal_force: f64,
    /// Friction force on the body \[N\].
    pub friction: Option<Vector>,
    /// Static coefficient of friction.
    pub static_friction: Option<f64>,
    /// Kinetic coefficient; without it the static one.
    pub kinetic_friction: Option<f64>,
    /// Slip velocity of the body relative to the other \[m/s\].
    pub slip: Option<Vector>,
    /// Point of contact \[m\].
    pub point: Option<Vector>,
    /// Torque of the contact on the body about this point \[N m\].
    pub torque: Option<Vector>,
    /// Whether it is the other side of a contact that the log has for one body only.
    pub mirrored: bool,
}

/// Reason why a log is invalid.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct LogError(pub String);

impl Log {
    /// Checks the values: finite numbers, ascending times, positive masses, unit normals.
    ///
    /// # Errors
    /// The first invalid number, with its place.
    pub fn check(&self) -> Result<(), LogError> {
        let fail = |text: String| Err(LogError(text));
        if self.time.len() < 2 || self.bodies.is_empty() {
            let (times, bodies) = (self.time.len(), self.bodies.len());
            return fail(format!(
                "{times} times and {bodies} bodies; two times and a body are needed"
            ));
        }
        if self.bodies.len() > BODIES {
            return fail(format!("{} bodies, at most {BODIES} are judged", self.bodies.len()));
        }
        if !self.time.iter().all(|t| t.is_finite()) {
            return fail("time: a number is not finite".into());
        }
        if let Some(k) = (1..self.time.len()).find(|k| self.time[*k] <= self.time[k - 1]) {
            let (before, now) = (self.time[k - 1], self.time[k]);
            return fail(format!("time: {now} s at row {k} does not follow {before} s"));
        }
        if !self.gravity.is_none_or(|g| g.iter().all(|x| x.is_finite())) {
            return fail("gravity: a number is not finite".into());
        }
        self.bodies.iter().try_for_each(|body| body.check(self.time.len()))?;
        for (k, contact) in self
            .contacts
            .iter()
            .flatten()
            .enumerate()
            .flat_map(|(k, all)| all.iter().map(move |c| (k, c)))
        {
            contact.check(k, self.bodies.len())?;
        }
        Ok(())
    }

    /// The same log with both sides of every contact between bodies, sorted by body: a contact that is listed for one
    /// of them only is added for the other.
    #[must_use]
    pub fn with_both_sides(mut self) -> Log {
        let bodies = &self.bodies;
        for (k, frame) in self.contacts.iter_mut().flatten().enumerate() {
            let mut further = Vec::new();
            // contacts of each two bodies, not yet taken, the first last
            let mut listed: BTreeMap<[usize; 2], Vec<usize>> = BTreeMap::new();
            for (place, contact) in frame.iter().enumerate().rev() {
                if let Some(other) = contact.other {
                    listed.entry([contact.body, other]).or_default().push(place);
                }
            }
            for (place, contact) in frame.iter().enumerate() {
                let Some(other) = contact.other else { continue };
                let apart = (bodies[contact.body].position[k] - bodies[other].position[k]).norm();
                let against = listed.get_mut(&[other, contact.body]);
                let same = against.as_ref().and_then(|against| {
                    let from = against.len().saturating_sub(COMPARED);
                    let same = against[from..].iter().rposition(|at| {
                        *at != place && contact.is_other_side(&frame[*at], SAME * apart)
                    });
                    same.map(|at| from + at)
                });
                match same.zip(against) {
                    Some((at, against)) => {
                        against.remove(at);
                    }
                    None => further.push(contact.of(other)),
                }
            }
            frame.extend(further);
            frame.sort_by_key(|contact| contact.body);
        }
        self
    }

    /// The same log with contacts of its bodies on a plane that is inclined by `slope` \[rad\], which bears
    /// their weight; the direction downhill is that of the motion. The frame of the log is that of the plane if
    /// the bodies do not sink as they move, else that of gravity.
    #[must_use]
    pub fn on_slope(mut self, slope: f64, gravity: Vector) -> Log {
        let up = -gravity.normalize();
        let moved = |body: &Body| body.position[body.position.len() - 1] - body.position[0];
        let farthest = self.bodies.iter().map(moved).max_by(|a, b| a.norm().total_cmp(&b.norm()));
        let moved = farthest.unwrap_or_default();
        let level = moved - moved.dot(&up) * up;
        let across = if up.x.abs() < 0.9 { Vector::x() } else { Vector::y() };
        let downhill =
            if level.norm() > 0.0 { level } else { across - across.dot(&up) * up }.normalize();
        let sinks = -moved.dot(&up) > 0.5 * level.norm() * sin(slope);
        let normal = match sinks || level.norm() == 0.0 {
            true => cos(slope) * up + sin(slope) * downhill,
            false => {
                self.gravity = Some(gravity.norm() * (sin(slope) * downhill - cos(slope) * up));
                up
            }
        };
        let g = self.gravity.unwrap_or(gravity);
        let touch = |(body, of): (usize, &Body)| Contact {
            body,
            other: None,
            normal,
            normal_force: -of.mass * g.dot(&normal),
            friction: None,
            static_friction: None,
            kinetic_friction: None,
            slip: None,
            point: None,
            torque: None,
            mirrored: false,
        };
        let frame: Vec<Contact> = self.bodies.iter().enumerate().map(touch).collect();
        self.gravity = Some(g);
        self.contacts = Some(vec![frame; self.time.len()]);
        self
    }

    /// The contacts of a body in a frame of a log [`Self::with_both_sides`].
    pub(crate) fn contacts_of(&self, body: usize, frame: usize) -> impl Iterator<Item = &Contact> {
        let all = self.contacts.as_ref().and_then(|frames| frames.get(frame));
        let all = all.map_or(&[][..], Vec::as_slice);
        let below = |limit: usize| all.partition_point(|contact| contact.body < limit);
        all[below(body)..below(body + 1)].iter()
    }

    /// All contacts of a body.
    pub(crate) fn all_contacts_of(&self, body: usize) -> impl Iterator<Item = &Contact> {
        (0..self.time.len()).flat_map(move |frame| self.contacts_of(body, frame))
    }
}

impl Body {
    /// The columns of vectors, by their names in a log.
    fn columns(&self) -> [(&'static str, Option<&Vec<Vector>>); 7] {
        [
            ("position", Some(&self.position)),
            ("velocity", self.velocity.as_ref()),
            ("spin", self.spin.as_ref()),
            ("applied", self.applied.as_ref()),
            ("applied_torque", self.applied_torque.as_ref()),
            ("reaction", self.reaction.as_ref()),
            ("reaction_torque", self.reaction_torque.as_ref()),
        ]
    }

    fn check(&self, times: usize) -> Result<(), LogError> {
        let name = &self.name;
        if !(self.mass > 0.0 && self.mass.is_finite()) {
            return Err(LogError(format!(
                "mass of {name}: {} kg, a number > 0 is needed",
                self.mass
            )));
        }
        for (what, column) in self.columns() {
            let Some(column) = column else { continue };
            if column.len() != times {
                let n = column.len();
                return Err(LogError(format!("{what} of {name}: {n} rows for {times} times")));
            }
            if let Some(k) = column.iter().position(|v| !v.iter().all(|x| x.is_finite())) {
                return Err(LogError(format!("{what} of {name}: not finite at row {k}")));
            }
            if let Some(k) = column.iter().position(|v| !v.iter().all(|x| x.abs() < LARGEST)) {
                return Err(LogError(format!("{what} of {name}: beyond {LARGEST:e} at row {k}")));
            }
        }
        let unit = |q: &[f64; 4]| (sqrt(q.iter().map(|x| x * x).sum()) - 1.0).abs() < 0.01;
        let turns = self.orientation.iter().flatten();
        if let Some(k) = turns.clone().position(|q| !unit(q)) {
            let text = format!("orientation of {name}: no unit quaternion at row {k}");
            return Err(LogError(text));
        }
        let n = turns.count();
        if n > 0 && n != times {
            return Err(LogError(format!("orientation of {name}: {n} rows for {times} times")));
        }
        if !self.inertia.is_none_or(|moments| moments.iter().all(|x| x.is_finite() && *x >= 0.0)) {
            return Err(LogError(format!("inertia of {name}: numbers ≥ 0 are needed")));
        }
        Ok(())
    }

    /// The force of drives, pushes and joints in a frame \[N\].
    pub(crate) fn force(&self, k: usize) -> Vector {
        sum(&[&self.applied, &self.reaction], k)
    }

    /// The torque of drives, pushes and joints in a frame \[N m\].
    pub(crate) fn torque(&self, k: usize) -> Vector {
        sum(&[&self.applied_torque, &self.reaction_torque], k)
    }
}

fn sum(columns: &[&Option<Vec<Vector>>], k: usize) -> Vector {
    columns.iter().filter_map(|column| column.as_ref().map(|column| column[k])).sum()
}

impl Contact {
    /// The same contact as one of the other body.
    fn of(&self, other: usize) -> Contact {
        Contact {
            body: other,
            other: Some(self.body),
            normal: -self.normal,
            friction: self.friction.map(|force| -force),
            slip: self.slip.map(|slip| -slip),
            torque: self.torque.map(|torque| -torque),
            mirrored: true,
            ..*self
        }
    }

    /// Whether another contact is the other side of this one: of the same bodies, against the normal, and at the same
    /// point within a distance \[m\] where points are reported.
    fn is_other_side(&self, one: &Contact, within: f64) -> bool {
        let points = self.point.zip(one.point);
        one.other == Some(self.body)
            && self.other == Some(one.body)
            && self.normal.dot(&one.normal) < -OPPOSITE
            && points.is_none_or(|(a, b)| (a - b).norm() <= within)
    }

    /// The force on the body \[N\]; friction that is not reported counts as none.
    pub(crate) fn force(&self) -> Vector {
        self.normal_force * self.normal + self.friction.unwrap_or_default()
    }

    fn check(&self, frame: usize, bodies: usize) -> Result<(), LogError> {
        let fail = |text: String| Err(LogError(format!("contact at row {frame} of time: {text}")));
        if self.body >= bodies || self.other.is_some_and(|other| other >= bodies) {
            return fail(format!("there are {bodies} bodies, and it names another"));
        }
        if self.other == Some(self.body) {
            return fail("a body is in contact with itself".into());
        }
        let length = self.normal.norm();
        if !(length > 0.99 && length < 1.01) {
            return fail(format!("the normal has the length {length}, 1 is needed"));
        }
        let numbers = [Some(self.normal_force), self.static_friction, self.kinetic_friction];
        if numbers[1..].iter().flatten().any(|mu| *mu < 0.0) {
            return fail(
                "a coefficient of friction is negative; leave it out where it is not known".into(),
            );
        }
        let vectors = [self.friction, self.slip, self.point, self.torque];
        if !numbers.iter().flatten().all(|x| x.is_finite())
            || !vectors.iter().flatten().all(|v| v.iter().all(|x| x.is_finite()))
        {
            return fail("a number is not finite".into());
        }
        Ok(())
    }
}
