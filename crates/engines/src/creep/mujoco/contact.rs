//! One contact in steady creep: its impedance, its depth under a normal force, and the friction that
//! it bears at a speed. The derivation stands in the parent module.

use super::{IMPEDANCE, Mujoco, Reference};
use stiction_core::math::{bisect, larger, pow, smaller, sqrt};

/// The state of one contact in creep.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bearing {
    /// T_i \[N\].
    pub tangential: f64,
    /// Depth \[m\].
    pub depth: f64,
    /// Whether it is on the cone or about to lift, so that its force does not follow from the
    /// speed.
    pub spent: bool,
}

impl Mujoco {
    /// dmax within its bounds.
    pub(super) fn dmax(&self) -> f64 {
        clipped(self.impedance[1])
    }

    /// The time constant used by MuJoCo at a step \[s\]; `None` for a direct solref.
    pub(super) fn timeconst(&self, step: f64) -> Option<f64> {
        match self.reference {
            Reference::Time(tc, _) if self.refsafe => Some(larger(tc, 2.0 * step)),
            Reference::Time(tc, _) => Some(tc),
            Reference::Direct(..) => None,
        }
    }

    /// b \[1/s\] and k \[1/s²\] at a step.
    pub(super) fn rates(&self, step: f64) -> (f64, f64) {
        let dmax = self.dmax();
        match self.reference {
            Reference::Time(tc, ratio) => {
                let tc = self.timeconst(step).unwrap_or(tc);
                let root = dmax * tc * ratio;
                (2.0 / (dmax * tc), 1.0 / (root * root))
            }
            Reference::Direct(stiffness, damping) => (damping / dmax, stiffness / (dmax * dmax)),
        }
    }

    /// ζ; for a direct solref damping/(2 √stiffness).
    pub(super) fn damping_ratio(&self) -> f64 {
        match self.reference {
            Reference::Time(_, ratio) => ratio,
            Reference::Direct(stiffness, damping) => damping / (2.0 * sqrt(stiffness)),
        }
    }

    /// d at a depth \[m\].
    pub(super) fn impedance(&self, depth: f64) -> f64 {
        let [dmin, dmax, width, midpoint, power] = self.impedance;
        let (dmin, dmax, midpoint) = (clipped(dmin), clipped(dmax), clipped(midpoint));
        let x = smaller(depth / width, 1.0);
        let y = if power == 1.0 {
            x
        } else if x <= midpoint {
            pow(x, power) / pow(midpoint, power - 1.0)
        } else {
            1.0 - pow(1.0 - x, power) / pow(1.0 - midpoint, power - 1.0)
        };
        dmin + y * (dmax - dmin)
    }

    /// R of a normal row \[1/kg\] at a depth, of bodies whose inverse weights are `weight` together.
    fn regularisation(&self, depth: f64, weight: f64) -> f64 {
        let d = self.impedance(depth);
        (1.0 - d) / d * weight
    }

    /// The depth at which a contact bears its normal force \[m\]; `borne` is the force at a depth.
    fn depth(&self, normal_force: f64, borne: impl Fn(f64) -> f64) -> f64 {
        let mut high = self.impedance[2];
        while borne(high) < normal_force && high < 1e12 {
            high *= 2.0;
        }
        bisect(0.0, high, |depth| borne(depth) < normal_force)
    }

    /// One contact with N_i \[N\] and μ at the speed v.
    pub(super) fn bearing(
        &self,
        [normal_force, mu]: [f64; 2],
        weight: f64,
        step: f64,
        speed: f64,
    ) -> Bearing {
        let (b, k) = self.rates(step);
        if self.elliptic {
            let depth = self.depth(normal_force, |depth| {
                k * self.impedance(depth) * depth / self.regularisation(depth, weight)
            });
            let resistance = self.regularisation(depth, weight) / self.impratio;
            let (asked, most) = (b * speed / resistance, mu * normal_force);
            return Bearing { tangential: smaller(asked, most), depth, spent: asked > most };
        }
        // forces of the edges: forward, backward and each of the others
        let edges = |depth: f64| {
            let rise = k * self.impedance(depth) * depth;
            let resistance = 2.0 * mu * mu * (1.0 + mu * mu) / self.impratio
                * self.regularisation(depth, weight);
            let along = mu * b * speed;
            [rise + along, larger(rise - along, 0.0), rise].map(|a| a / resistance)
        };
        let others = 2.0 * (self.condim as f64 - 2.0);
        let sum = |[forwards, backwards, across]: [f64; 3]| forwards + backwards + others * across;
        if sum(edges(0.0)) >= normal_force {
            // the forward edge alone bears more than N_i: the contact would lift
            return Bearing { tangential: mu * normal_force, depth: 0.0, spent: true };
        }
        let depth = self.depth(normal_force, |depth| sum(edges(depth)));
        let [forwards, backwards, _] = edges(depth);
        Bearing { tangential: mu * (forwards - backwards), depth, spent: false }
    }
}

/// An impedance or a midpoint within MuJoCo's bounds.
fn clipped(x: f64) -> f64 {
    x.clamp(IMPEDANCE.0, IMPEDANCE.1)
}
