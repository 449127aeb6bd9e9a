//! The drift of a body in its parts, drift = law + stretch + sliding + lag + integrator \[m/s\].
//!
//! A contact is followed in windows of at most 16 steps. Its displacement Δx along the touched surface
//! comes from positions, Σ h v from the slip velocities v that the states report, z is the law's
//! stretch, T the mean friction that the balance of momentum needs, N the mean normal force:
//!
//! ```text
//! stretch    Δz                                 elastic displacement, which the contact gives back
//! sliding    Σ h v − Δz over steps in slip      the law bears no more
//! law        Σ h v − Δz over steps in stick     the law's steady creep: there F = law(v) and F = T
//! lag        t (creep(T, N lagged) − creep(T, N))
//! integrator Δx less all of these
//! ```
//!
//! The law of every state is F = law(v) by construction, so that Σ h v is lawful only if the states
//! are resolved: forces balance momentum, and the slip does not reverse from step to step. In a window
//! that is not, law = t creep(T, N) and nothing counts as sliding while friction holds T. Where the law
//! has no creep under T the parts are not known.
//!
//! This balance judges one run by itself, and so is an estimate. A verified run measures the integrator's
//! part as what falls with the step.

use super::loaded_law::LoadedLaw;
use super::particle_creep::PARTS;
use super::window::Window;
use crate::math::Vector;
use serde::{Deserialize, Serialize};

/// Length of a window \[steps\].
pub(super) const LONGEST: f64 = 16.0;

/// Residual of the momentum balance, as a share of the load, up to which a window counts as resolved.
const RESOLVED: f64 = 0.01;

/// Share by which a load exceeds the friction limit where a contact counts as sliding.
const OVER: f64 = 1e-6;

/// Relative difference of a speed from the law's creep under its load up to which slip above the
/// threshold is creep: laws that only approach the cone creep faster than ε near it, up to their reach.
const AS_CREEP: f64 = 0.1;

/// Least friction in slip as a share of the cone under a set-valued law, whose solver may leave a held
/// contact a slip.
const AT_CONE: f64 = 0.97;

/// Share of a drift below which a part is rounding.
const ROUNDING: f64 = 1e-13;

/// The ways in which laws rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rest {
    /// It creeps at a speed that depends on the load.
    Creeps,
    /// It rests on a stretch, without creep.
    Stretches,
    /// It rests on a stretch that yields gradually: it walks with every swing of the load.
    Yields,
    /// It rests under any load inside the cone.
    SetValued,
}

/// The creep of a contact or a body in its parts, summed with the weight N Δt; world coordinates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Drift {
    /// Σ N Δt \[N·s\].
    weight: f64,
    /// the weight of windows whose parts are known
    known: f64,
    /// the weight of steps in slip
    slid: f64,
    travel: Vector,
    law: Vector,
    stretch: Vector,
    sliding: Vector,
    lag: Vector,
}

/// The parts of a drift along its direction \[m/s\]: their sum is the drift.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Parts {
    /// The law's own steady creep under the load.
    pub law: f64,
    /// Elastic displacement of contacts under a law with a stretch, by time.
    pub stretch: f64,
    /// Slip under a load that friction does not bear.
    pub sliding: f64,
    /// The surplus of creep due to a lagged N.
    pub lag: f64,
    /// The rest: the integrator's.
    pub integrator: f64,
}

impl Parts {
    /// Law, stretch, sliding, lag and integrator, in this order.
    pub fn array(&self) -> [f64; PARTS] {
        [self.law, self.stretch, self.sliding, self.lag, self.integrator]
    }
}

impl Drift {
    /// The drift of one window of a contact. `loaded_law` is called only where the window must be
    /// compared with the law; it is `None` for a contact that has opened.
    pub(super) fn of<'a>(
        window: &Window,
        rest: Rest,
        (lags_normal_force, unresolved): (bool, bool),
        loaded_law: impl FnOnce() -> Option<LoadedLaw<'a>>,
    ) -> Self {
        let normal_force = window.normal_force();
        let weight = normal_force * window.span();
        let mut drift =
            Drift { weight, travel: window.travel() * normal_force, ..Drift::default() };
        let (stretch, stretch_in_slip) = window.stretched();
        let (reported, in_slip) = window.reported_travel();
        let resolved = !unresolved && window.imbalance_share() <= RESOLVED;
        let slides = window.slid_steps() > 0.0;
        if resolved && !slides && !lags_normal_force {
            drift.known = weight;
            drift.stretch = stretch * normal_force;
            drift.law = rest.creep(reported - stretch) * normal_force;
            return drift;
        }
        let Some(law) = loaded_law() else { return drift };
        drift.stretch = stretch * normal_force;
        let needed = window.needed();
        let load = needed.norm();
        let along = if load > 0.0 { needed / -load } else { Vector::zeros() };
        let speed = window.drift();
        let fast = resolved && slides && speed > law.reach();
        let creep = if fast { None } else { law.creep(load, normal_force) };
        let lag = |speed: f64| {
            let lagged = law.creep(load, window.lagged_normal_force());
            let lagged = lagged.filter(|_| lags_normal_force).unwrap_or(speed);
            along * ((lagged - speed) * weight)
        };
        if !resolved {
            let creep = creep.filter(|_| law.can_rest());
            return drift.by_load(window, &law, creep.map(|v| (along * (v * weight), lag(v))));
        }
        drift.known = weight;
        let as_creep = |v: f64| rest == Rest::Creeps && (speed - v).abs() <= AS_CREEP * speed;
        let at_cone = rest != Rest::SetValued
            || window.friction_in_slip() >= AT_CONE * law.kinetic(normal_force);
        if slides && at_cone && !creep.is_some_and(as_creep) {
            let in_stick = reported - in_slip - (stretch - stretch_in_slip);
            drift.sliding = (in_slip - stretch_in_slip) * normal_force;
            drift.slid = weight * (window.slid_steps() / window.steps());
            drift.law = rest.creep(in_stick) * normal_force;
        } else {
            drift.law = rest.creep(reported - stretch) * normal_force;
        }
        if let Some(speed) = creep.filter(|_| !slides) {
            // what is reported is the law's creep under the lagged N
            drift.lag = lag(speed);
            drift.law -= drift.lag;
        }
        drift
    }

    /// The parts of a window that does not resolve friction, by its load: `creep` is that of the law under
    /// it, and its lag, with the weight.
    fn by_load(self, window: &Window, law: &LoadedLaw, creep: Option<(Vector, Vector)>) -> Self {
        let normal_force = window.normal_force();
        let held = window.load_if_held() <= (1.0 + OVER) * law.capacity(normal_force);
        match creep.filter(|_| held) {
            Some((creep, lag)) => Drift { known: self.weight, law: creep, lag, ..self },
            None if held => self,
            None => {
                let sliding = self.travel - self.stretch;
                Drift { known: self.weight, slid: self.weight, sliding, ..self }
            }
        }
    }

    /// Adds the share `share` of another drift; a negative share, that of a second side, reverses the
    /// vectors.
    pub(super) fn add(&mut self, other: &Drift, share: f64) {
        let (size, sign) = (share.abs(), share);
        self.weight += other.weight * size;
        self.known += other.known * size;
        self.slid += other.slid * size;
        self.travel += other.travel * sign;
        self.law += other.law * sign;
        self.stretch += other.stretch * sign;
        self.sliding += other.sliding * sign;
        self.lag += other.lag * sign;
    }

    /// Adds a later drift.
    pub fn append(&mut self, later: &Drift) {
        self.add(later, 1.0);
    }

    /// Σ N Δt \[N·s\], by which drifts of several contacts are weighted.
    pub(super) fn weight(&self) -> f64 {
        self.weight
    }

    /// Mean velocity relative to the surface, from displacement \[m/s\]; `None` without contact.
    pub fn velocity(&self) -> Option<Vector> {
        (self.weight > 0.0).then(|| self.travel / self.weight)
    }

    /// Mean speed relative to the surface, from displacement \[m/s\]; `None` without contact.
    pub fn measured(&self) -> Option<f64> {
        self.velocity().map(|velocity| velocity.norm())
    }

    /// Share of the time, weighted with N, in which contacts slid.
    pub fn share_of_sliding(&self) -> f64 {
        if self.weight > 0.0 { self.slid / self.weight } else { 0.0 }
    }

    /// The parts along the drift, whose sum is [`Self::measured`]. `None` unless they are known for
    /// nearly all windows of all contacts.
    pub fn parts(&self) -> Option<Parts> {
        self.velocity().filter(|_| self.known >= 0.999 * self.weight).map(|v| self.along(v))
    }

    /// [`Self::measured`] and [`Self::parts`] in the order of the columns of a body; NaN where not known.
    pub fn row(&self) -> [f64; 1 + PARTS] {
        let [law, stretch, sliding, lag, integrator] =
            self.parts().map_or([f64::NAN; PARTS], |parts| parts.array());
        [self.measured().unwrap_or(f64::NAN), law, stretch, sliding, lag, integrator]
    }

    /// The parts along a direction; their sum is the component of the drift along it.
    fn along(&self, direction: Vector) -> Parts {
        let unit = direction
            .try_normalize(0.0)
            .unwrap_or_else(|| self.law.try_normalize(0.0).unwrap_or_else(Vector::zeros));
        let part = |sum: Vector| unit.dot(&sum) / self.weight;
        let others = self.law + self.stretch + self.sliding + self.lag;
        let size = self.travel.norm() + others.norm();
        let left = self.travel - others;
        // a difference of rounding is none
        let left = if left.norm() <= ROUNDING * size { Vector::zeros() } else { left };
        Parts {
            law: part(self.law),
            stretch: part(self.stretch),
            sliding: part(self.sliding),
            lag: part(self.lag),
            integrator: part(left),
        }
    }

    /// The parts of this drift if its limit for a small step is `limit` \[m/s\] and `finest` the drift of
    /// the same body at the smallest step: the integrator's is what falls with the step, the others are
    /// those of the finest run. What that run leaves unexplained belongs to creep or to sliding, whichever
    /// is larger. `None` if the parts of the finest run are not known.
    pub fn refined(&self, limit: Vector, finest: &Drift) -> Option<Parts> {
        let velocity = self.velocity()?;
        if finest.known < 0.999 * finest.weight {
            return None;
        }
        let direction = if velocity == Vector::zeros() { limit } else { velocity };
        let unit = direction.try_normalize(0.0).unwrap_or_else(Vector::zeros);
        let mut parts = finest.along(direction);
        let explained = parts.law + parts.stretch + parts.sliding + parts.lag;
        let rest = unit.dot(&limit) - explained;
        if parts.sliding.abs() > parts.law.abs() {
            parts.sliding += rest;
        } else {
            parts.law += rest;
        }
        parts.integrator = unit.dot(&(velocity - limit));
        Some(parts)
    }
}

impl Rest {
    /// The displacement that counts as the law's creep, of a displacement in stick beyond the stretch.
    fn creep(self, displacement: Vector) -> Vector {
        match self {
            Rest::Creeps | Rest::Yields => displacement,
            Rest::Stretches | Rest::SetValued => Vector::zeros(),
        }
    }
}

#[cfg(test)]
mod tests;
