//! Events: points of a motion at which a force changes its regime.

use crate::forces::regime::Regime;
use crate::math::Vector;
use crate::model::Model;
use crate::state::memory::Memory;
use crate::state::{Configuration, Lag};

/// Two points of a smooth motion with their rates, `length` \[s\] apart.
#[derive(Clone, Copy)]
pub(super) struct Leg<'a> {
    pub memory: &'a Memory,
    pub time: f64,
    pub length: f64,
    pub positions: [&'a [Vector]; 2],
    pub velocities: [&'a [Vector]; 2],
    pub accelerations: [&'a [Vector]; 2],
    pub stretch: [&'a [Vector]; 2],
    pub rates: [&'a [Vector]; 2],
}

/// Compares the regimes of the forces with those of the last accepted point.
#[derive(Debug, Default)]
pub(super) struct EventWatch {
    here: Vec<Regime>,
    there: Vec<Regime>,
    x: Vec<Vector>,
    v: Vec<Vector>,
    z: Vec<Vector>,
}

impl EventWatch {
    /// Starts at a point.
    pub fn begin(&mut self, model: &Model, at: &Configuration) {
        model.regimes_at(at, &mut self.here);
    }

    /// Whether a point has other regimes than the last accepted one.
    pub fn differs(&mut self, model: &Model, at: &Configuration) -> bool {
        model.regimes_at(at, &mut self.there);
        self.there != self.here
    }

    /// Continues from the last compared point.
    pub fn move_on(&mut self) {
        std::mem::swap(&mut self.here, &mut self.there);
    }

    /// The share of the leg at which regimes change, between `near`, with the regimes of the last
    /// accepted point, and `far`; `None` if `far` has these too. The motion is the cubic through
    /// values and rates of the leg's ends, also beyond them. The error is `precision` of the distance
    /// from `near`.
    pub fn locate(
        &mut self,
        model: &Model,
        leg: &Leg,
        (near, far): (f64, f64),
        precision: f64,
    ) -> Option<f64> {
        if !self.differs_at(model, leg, far) {
            return None;
        }
        let (mut low, mut high) = (near, far);
        while high - low > precision * (high - near) {
            let middle = 0.5 * (low + high);
            if self.differs_at(model, leg, middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        Some(0.5 * (low + high))
    }

    fn differs_at(&mut self, model: &Model, s: &Leg, share: f64) -> bool {
        cubic(s.positions, s.velocities, (share, s.length), &mut self.x);
        cubic(s.velocities, s.accelerations, (share, s.length), &mut self.v);
        cubic(s.stretch, s.rates, (share, s.length), &mut self.z);
        let at = Configuration {
            time: s.time + share * s.length,
            positions: &self.x,
            velocities: &self.v,
            memory: s.memory,
            stretch: (!self.z.is_empty()).then_some(&self.z[..]),
            lag: Lag::NONE,
            within_step: true,
        };
        model.regimes_at(&at, &mut self.there);
        self.there != self.here
    }
}

/// Hermite's cubic through two values with two rates, at a share of the length between them.
fn cubic(
    values: [&[Vector]; 2],
    rates: [&[Vector]; 2],
    (share, length): (f64, f64),
    into: &mut Vec<Vector>,
) {
    let (s, rest) = (share, 1.0 - share);
    let end = s * s * (3.0 - 2.0 * s);
    let (leaving, arriving) = (s * rest * rest * length, -s * s * rest * length);
    let pairs = values[0].iter().zip(values[1]).zip(rates[0].iter().zip(rates[1]));
    into.clear();
    into.extend(
        pairs.map(|((y0, y1), (k0, k1))| y0 + (y1 - y0) * end + k0 * leaving + k1 * arriving),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    /// y = 1 + t − 2 t² + 3 t³ from t = 0 to 0.5, also beyond.
    #[test]
    fn a_cubic_is_followed_exactly() {
        let y = |t: f64| Vector::x() * (1.0 + t - 2.0 * t * t + 3.0 * t * t * t);
        let rate = |t: f64| Vector::x() * (1.0 - 4.0 * t + 9.0 * t * t);
        let mut found = Vec::new();
        for share in [0.0, 0.3, 1.0, 1.4] {
            cubic([&[y(0.0)], &[y(0.5)]], [&[rate(0.0)], &[rate(0.5)]], (share, 0.5), &mut found);
            assert!((found[0] - y(0.5 * share)).norm() < 1e-14, "{share}");
        }
    }
}
