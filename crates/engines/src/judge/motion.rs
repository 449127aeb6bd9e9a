//! Velocities, spins and slips: as reported, and where they are not, from positions and orientations.

use super::Evidence;
use super::log::{Body, Contact};
use std::ops::Range;
use stiction_core::math::{Vector, atan2, larger, sqrt};
use stiction_core::nalgebra::{Quaternion, UnitQuaternion};

/// Share of the largest speed of a body from which a contact slides; what is slower may creep by a law that reaches
/// its friction at a threshold.
pub(crate) const SLIDES: f64 = 0.1;

/// The same as a speed \[m/s\].
pub(crate) const SLIDES_AT: f64 = 0.05;

/// Spin × 1 m, as a share of the speed, that is neglected where a contact has no point.
const TURNS: f64 = 1e-3;

/// Velocities of a body \[m/s\]: as reported, else from positions by central differences.
pub fn velocities(time: &[f64], body: &Body) -> Vec<Vector> {
    match &body.velocity {
        Some(velocity) => velocity.clone(),
        None => differences(time, &body.position),
    }
}

/// Central differences of a column, one-sided at its ends.
pub(crate) fn differences(time: &[f64], of: &[Vector]) -> Vec<Vector> {
    let last = of.len() - 1;
    let at = |k: usize| {
        let (a, b) = (k.saturating_sub(1), (k + 1).min(last));
        (of[b] - of[a]) / (time[b] - time[a])
    };
    (0..of.len()).map(at).collect()
}

/// Spins of a body \[rad/s\]: as reported, else from orientations; none without both.
pub fn spins(time: &[f64], body: &Body) -> Option<Vec<Vector>> {
    body.spin.clone().or_else(|| turns(time, body))
}

/// Spins from orientations by central differences: ω = 2 axis atan2(|v|, w)/Δt with (w, v) = q_b q_a⁻¹.
pub(crate) fn turns(time: &[f64], body: &Body) -> Option<Vec<Vector>> {
    let turns = body.orientation.as_ref()?;
    let last = turns.len() - 1;
    let at = |k: usize| {
        let (a, b) = (k.saturating_sub(1), (k + 1).min(last));
        rotation(turns[a], turns[b]) / (time[b] - time[a])
    };
    Some((0..turns.len()).map(at).collect())
}

/// The rotation vector from one orientation to another \[rad\], of at most half a turn.
pub(crate) fn rotation(from: [f64; 4], to: [f64; 4]) -> Vector {
    let ([a, b, c, d], [w, x, y, z]) = (from, to);
    // to · from⁻¹
    let real = w * a + x * b + y * c + z * d;
    let axis = Vector::new(
        -w * b + x * a - y * d + z * c,
        -w * c + x * d + y * a - z * b,
        -w * d - x * c + y * b + z * a,
    );
    let (real, axis) = if real < 0.0 { (-real, -axis) } else { (real, axis) };
    let length = axis.norm();
    if length == 0.0 { axis } else { axis * (2.0 * atan2(length, real) / length) }
}

/// Tolerated difference of the acceleration from that of the load in flight, as a share.
const FLIES: f64 = 0.1;

/// Six σ of a second difference of positions, in their σ.
const NOISE: f64 = 15.0;

/// Why the slip of a contact is not known.
pub(crate) const NO_SPIN: &str =
    "spin is not reported (nor orientation), so that the slip of contacts is not known";

/// Why the slip of a contact of a body that turns is not known.
const NO_POINT: &str = "the body turns, and the points of its contacts are not reported";

impl Evidence<'_> {
    /// Orientation of a body in a frame; any where its three moments of inertia are the same.
    pub(crate) fn orientation(
        &self,
        n: usize,
        k: usize,
    ) -> Result<UnitQuaternion<f64>, &'static str> {
        let body = self.body(n);
        match (&body.orientation, body.inertia) {
            (Some(turns), _) => {
                let [w, x, y, z] = turns[k];
                Ok(UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z)))
            }
            (None, Some(i)) if i.x == i.y && i.y == i.z => Ok(UnitQuaternion::identity()),
            (None, _) => Err("it turns, and orientations are not reported"),
        }
    }

    /// Whether three positions accelerate by the load of a frame, within a tenth and the noise.
    pub(crate) fn flies(&self, n: usize, k: usize) -> bool {
        let body = self.body(n);
        let (x, last) = (&body.position, body.position.len() - 1);
        if k == 0 || k == last {
            return false;
        }
        let speed = |k: usize| (x[k] - x[k - 1]) / self.interval(k);
        let between = 0.5 * (self.interval(k) + self.interval(k + 1));
        let acceleration = (speed(k + 1) - speed(k)) / between;
        let load = self.load(n, k).unwrap_or_default() / body.mass;
        let noise = NOISE * self.noise_of_position(n) / (between * between);
        load.norm() > 0.0 && (acceleration - load).norm() <= FLIES * load.norm() + noise
    }

    /// Whether the noise of positions is a tenth of gravity or more, so that all frames seem to fly.
    pub(crate) fn noise_hides_flights(&self, n: usize) -> bool {
        let (gravity, dt) = (self.gravity.unwrap_or_default().norm(), self.usual_interval());
        NOISE * self.noise_of_position(n) > FLIES * gravity * dt * dt
    }

    /// Slip velocity of a contact along its surface \[m/s\]: the reported one, or that of the motion; else the
    /// reason why it is not known.
    pub(crate) fn slip(
        &self,
        n: usize,
        k: usize,
        contact: &Contact,
    ) -> Result<Vector, &'static str> {
        let slip = match contact.slip {
            Some(slip) => slip,
            None if self.given.moving && contact.other.is_none() => {
                return Err("the surroundings may move, and the slip of contacts is not reported");
            }
            None => self.relative_velocity(n, k, contact)?,
        };
        Ok(slip - slip.dot(&contact.normal) * contact.normal)
    }

    /// Velocity of a body at a contact relative to the other body, or to surroundings at rest \[m/s\].
    pub(crate) fn relative_velocity(
        &self,
        n: usize,
        k: usize,
        contact: &Contact,
    ) -> Result<Vector, &'static str> {
        self.relative_velocity_from(n, (k, k), contact)
    }

    /// The same with lever arms from the centres of mass in another frame: points may be those of the frame before.
    pub(crate) fn relative_velocity_from(
        &self,
        n: usize,
        (k, from): (usize, usize),
        contact: &Contact,
    ) -> Result<Vector, &'static str> {
        let at = |n: usize| {
            let velocity = self.velocities[n][k];
            let spin = self.spins[n].as_ref().ok_or(NO_SPIN)?[k];
            match contact.point {
                Some(point) => Ok(velocity + spin.cross(&(point - self.body(n).position[from]))),
                // an arm of one metre would change the velocity by at most a thousandth
                None if spin.norm()
                    <= larger(TURNS * velocity.norm(), 6.0 * self.spin_noise[n]) =>
                {
                    Ok(velocity)
                }
                None => Err(NO_POINT),
            }
        };
        Ok(at(n)? - contact.other.map_or(Ok(Vector::zeros()), at)?)
    }

    /// Slip from which a contact of the body slides \[m/s\], under whatever threshold of its law.
    pub(crate) fn sliding_speed(&self, n: usize) -> f64 {
        let noise = 12.0 * self.noise_of_slip(n);
        larger(larger(SLIDES * self.fastest(n), SLIDES_AT), noise)
    }

    /// The angle by which a body turns in a window \[rad\]; none if it is not known.
    pub(crate) fn turned_in(&self, n: usize, window: &Range<usize>) -> Option<f64> {
        let spins = self.spins[n].as_ref()?;
        let noise = 3.0 * self.spin_noise[n];
        let turn = |k: usize| larger(spins[k].norm() - noise, 0.0) * self.interval(k);
        Some((window.start + 1..window.end).map(turn).sum())
    }

    /// The angle by which a body turns from a frame on until the end \[rad\]; none if it is not known.
    pub(crate) fn turned_since(&self, n: usize, k: usize) -> Option<f64> {
        self.turned_in(n, &(k..self.log.time.len()))
    }

    /// σ of the noise on velocities, also on those from positions \[m/s\].
    pub(crate) fn noise_of_velocity(&self, n: usize) -> f64 {
        match &self.body(n).velocity {
            Some(_) => self.velocity_noise[n],
            None => self.noise_of_position(n) / (sqrt(2.0) * self.usual_interval()),
        }
    }
}
