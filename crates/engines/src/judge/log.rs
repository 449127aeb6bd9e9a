//! A log of a run by any engine: states of bodies at times, and the reported contacts.

use stiction_core::math::{Vector, sqrt};

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
    /// Forces other than gravity and contact in the step that ends at each time \[N\].
    pub applied: Option<Vec<Vector>>,
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
        if !self.time.iter().all(|t| t.is_finite()) {
            return fail("time: a number is not finite".into());
        }
        if let Some(k) = (1..self.time.len()).find(|k| self.time[*k] <= self.time[k - 1]) {
            let (before, now) = (self.time[k - 1], self.time[k]);
            return fail(format!("time: {now} s at row {k} does not follow {before} s"));
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

    /// The contacts of a body in a frame.
    pub(crate) fn contacts_of(&self, body: usize, frame: usize) -> impl Iterator<Item = &Contact> {
        let all = self.contacts.as_ref().and_then(|frames| frames.get(frame));
        all.into_iter().flatten().filter(move |contact| contact.body == body)
    }
}

impl Body {
    fn check(&self, times: usize) -> Result<(), LogError> {
        let name = &self.name;
        if !(self.mass > 0.0 && self.mass.is_finite()) {
            return Err(LogError(format!(
                "mass of {name}: {} kg, a number > 0 is needed",
                self.mass
            )));
        }
        let columns = [
            ("position", Some(&self.position)),
            ("velocity", self.velocity.as_ref()),
            ("spin", self.spin.as_ref()),
            ("applied", self.applied.as_ref()),
        ];
        for (what, column) in columns {
            let Some(column) = column else { continue };
            if column.len() != times {
                let n = column.len();
                return Err(LogError(format!("{what} of {name}: {n} rows for {times} times")));
            }
            if let Some(k) = column.iter().position(|v| !v.iter().all(|x| x.is_finite())) {
                return Err(LogError(format!("{what} of {name}: not finite at row {k}")));
            }
        }
        Ok(())
    }
}

impl Contact {
    fn check(&self, frame: usize, bodies: usize) -> Result<(), LogError> {
        let fail = |text: String| Err(LogError(format!("contact at row {frame} of time: {text}")));
        if self.body >= bodies || self.other.is_some_and(|other| other >= bodies) {
            return fail(format!("there are {bodies} bodies, and it names another"));
        }
        let length = self.normal.norm();
        if !(length > 0.99 && length < 1.01) {
            return fail(format!("the normal has the length {length}, 1 is needed"));
        }
        let numbers = [Some(self.normal_force), self.static_friction, self.kinetic_friction];
        let vectors = [self.friction, self.slip, self.point];
        if !numbers.iter().flatten().all(|x| x.is_finite())
            || !vectors.iter().flatten().all(|v| v.iter().all(|x| x.is_finite()))
        {
            return fail("a number is not finite".into());
        }
        Ok(())
    }
}

/// Root mean square of vectors.
pub fn rms(of: &[Vector]) -> f64 {
    if of.is_empty() {
        0.0
    } else {
        sqrt(of.iter().map(Vector::norm_squared).sum::<f64>() / of.len() as f64)
    }
}
