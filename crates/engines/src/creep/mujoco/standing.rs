//! Where runs of MuJoCo confirmed the closed form, where they came close to it, and where they
//! contradict it. `tests/creep/mujoco_runs.py` makes the runs; docs/creep.md has their figures.

use super::contact::Bearing;
use super::{Mujoco, Reference};
use crate::creep::Load;
use crate::creep::answer::{Motion, Standing, StepLimit};
use crate::creep::document::speed;
use crate::creep::load::Geometry;
use stiction_core::math::{at_most, larger, number, smaller};

/// Damping ratio below which some boxes hopped and crept up to 50 times as fast as this formula,
/// under a pyramidal and under an elliptic cone; under the latter at large steps alone.
const HOPS_BELOW: [f64; 2] = [0.9, 0.7];

/// Share of the time constant up to which a step is without effect at a low damping ratio.
const SMALL_STEP: f64 = 0.125;

/// Load ratios above which a box whose rear contacts are at their cone crept faster than this
/// formula, up to twice as fast, under a pyramidal and under an elliptic cone.
const LIFTS_ABOVE: [f64; 2] = [0.0, 0.83];

/// Ratio of A of two fingers above which the closed form was too low by more than a quarter.
const MOST_UNEQUAL: f64 = 2.2;

/// Tilt of the box, the difference of its depths over its length, up to which it is without effect.
const MOST_TILT: f64 = 5e-4;

/// A shape of contact of which runs are exact: number of contacts, and the runs in words.
struct Confirmed {
    geometry: Geometry,
    contacts: &'static [f64],
    runs: &'static str,
}

const CONFIRMED: [Confirmed; 3] = [
    Confirmed {
        geometry: Geometry::Slope,
        contacts: &[4.0],
        runs: "boxes under their weight on a tilted plane or fixed box, four contacts",
    },
    Confirmed {
        geometry: Geometry::Grip,
        contacts: &[2.0, 4.0, 8.0],
        runs: "free boxes between two equal fingers on slide joints, one (sphere), two (capsule) or four (box) contacts on each, load along an edge of the cone through the centre of mass",
    },
    Confirmed {
        geometry: Geometry::Even,
        contacts: &[4.0],
        runs: "boxes on a plane pushed in the plane of their four contacts, load along an edge of the cone",
    },
];

/// The least and the largest value of a quantity in the runs, and what it is in this answer.
struct Compared {
    name: &'static str,
    range: [f64; 2],
    of: fn(&Mujoco, &Load, f64) -> f64,
}

const COMPARED: [Compared; 14] = [
    Compared { name: "mass", range: [0.01, 100.0], of: |_, load, _| load.mass },
    Compared { name: "friction", range: [0.2, 1.5], of: |_, load, _| load.pair.static_friction },
    Compared { name: "load ratio", range: [0.05, 0.97], of: |_, load, _| load.ratio() },
    Compared { name: "impratio", range: [1.0, 1000.0], of: |engine, _, _| engine.impratio },
    Compared {
        name: "damping ratio",
        range: [0.5, 2.0],
        of: |engine, _, _| engine.damping_ratio(),
    },
    Compared { name: "dmin", range: [0.5, 0.9999], of: |engine, _, _| engine.impedance[0] },
    Compared { name: "dmax", range: [0.5, 0.9999], of: |engine, _, _| engine.impedance[1] },
    Compared { name: "solwidth", range: [1e-4, 2e-3], of: |engine, _, _| engine.impedance[2] },
    Compared { name: "midpoint", range: [0.2, 0.8], of: |engine, _, _| engine.impedance[3] },
    Compared { name: "power", range: [1.0, 3.0], of: |engine, _, _| engine.impedance[4] },
    Compared {
        name: "invweight of the body times mass",
        range: [0.999, 1.001],
        of: |engine, load, _| engine.bodies.own.map_or(1.0, |weight| weight * load.mass),
    },
    Compared {
        name: "timeconst or 1/damping",
        range: [2e-5, 0.05],
        of: |engine, _, _| match engine.reference {
            Reference::Time(tc, _) => tc,
            Reference::Direct(_, damping) => 1.0 / damping,
        },
    },
    Compared { name: "step", range: [1e-6, 5e-3], of: |_, _, step| step },
    Compared {
        name: "invweight of the other body times mass",
        range: [0.0, 20.0],
        of: |engine, load, _| engine.bodies.others[0] * load.mass,
    },
];

impl Mujoco {
    /// The motion at a speed of the closed form, and how far runs confirm it: `None` instead of the
    /// motion where they contradict it.
    pub(super) fn judged(
        &self,
        load: &Load,
        step: f64,
        limit: &StepLimit,
        (at, bearings): &(f64, Vec<Bearing>),
    ) -> (Motion, Standing) {
        if let Some(reason) = self.contradicted(load, step, limit, *at, bearings) {
            return (Motion::Unknown, Standing::Estimate(reason));
        }
        let other = self.other_program.map(String::from);
        let standing = match self.doubt(load, step, bearings).or(other) {
            Some(reason) => Standing::Estimate(reason),
            None => Standing::Exact(self.confirmed(load).map_or(String::new(), |runs| {
                format!("MuJoCo 4.0.0 by tests/creep/mujoco_runs.py: {runs}; within 1e-4")
            })),
        };
        (Motion::Creeps(*at), standing)
    }

    /// Reason why the closed form is wrong by more than 30 %.
    fn contradicted(
        &self,
        load: &Load,
        step: f64,
        limit: &StepLimit,
        at: f64,
        bearings: &[Bearing],
    ) -> Option<String> {
        if self.noslip_iterations > 0 {
            return Some(format!(
                "the noslip solver takes slip away after every step, and how much it leaves depends on its iterations: without them it creeps at {}",
                speed(at)
            ));
        }
        let safe = self.refsafe && matches!(self.reference, Reference::Time(..));
        if let Some(largest) = limit.largest.filter(|most| !safe && step > *most) {
            return Some(format!(
                "the step {} s is above {} s: contacts are thrown out",
                number(step),
                at_most(largest)
            ));
        }
        let timeconst = self.timeconst(step).unwrap_or(2.0 / (self.rates(step).0 * self.dmax()));
        let damps = !self.elliptic || step > SMALL_STEP * timeconst;
        if damps && self.damping_ratio() < HOPS_BELOW[usize::from(self.elliptic)] {
            let remedy = if self.elliptic { "a smaller step" } else { "cone=elliptic" };
            return Some(format!(
                "at a damping ratio of {} some runs crept up to 50 times as fast as the closed form's {}, probably since contacts hop; {remedy} has an answer",
                number(self.damping_ratio()),
                speed(at)
            ));
        }
        let most = LIFTS_ABOVE[usize::from(self.elliptic)];
        let spent = bearings.iter().any(|one| one.spent);
        if spent && load.ratio() > most {
            return Some(format!(
                "the rear contacts are at their cone: runs crept up to twice as fast as the closed form's {}, probably since they lift and come back",
                speed(at)
            ));
        }
        let [first, second] = self.bodies.weights(load);
        let unequal = load.geometry == Geometry::Grip
            && larger(first, second) > MOST_UNEQUAL * smaller(first, second);
        unequal.then(|| {
            format!(
                "the fingers' inverse weights are {} and {} 1/kg with the body's: they bear shares so different that the body turns between them; even so its contacts would creep at {}",
                number(first),
                number(second),
                speed(at)
            )
        })
    }

    /// Reason why the closed form is an estimate here; `None` where runs confirmed it.
    fn doubt(&self, load: &Load, step: f64, bearings: &[Bearing]) -> Option<String> {
        if bearings.iter().any(|one| one.spent) {
            return Some("rear contacts are at their cone: runs of MuJoCo 4.0.0 were within 30 %, most of them within 0.2 %".into());
        }
        let (first, last) = (bearings.first()?, bearings.last()?);
        let tilt = (first.depth - last.depth) / load.base[0];
        if load.geometry == Geometry::Slope && tilt > MOST_TILT {
            return Some(format!(
                "the box tilts by {}, its contacts are so soft, and its weight moves forwards",
                number(tilt)
            ));
        }
        if let Some(out) = COMPARED.iter().find(|one| {
            let [least, most] = one.range;
            !(least..=most).contains(&(one.of)(self, load, step))
        }) {
            return Some(format!(
                "no run was compared at this {}, {}, outside of {} to {}",
                out.name,
                number((out.of)(self, load, step)),
                number(out.range[0]),
                number(out.range[1])
            ));
        }
        let [first, second] = self.bodies.others;
        let moves = first > 0.0 || second > 0.0;
        match load.geometry {
            Geometry::Grip if self.bodies.is_free => Some(
                "fingers that nothing holds are thrown out; runs had them on slide joints".into(),
            ),
            Geometry::Grip if first != second => Some(
                "the fingers have different inverse weights: they bear different shares of the load, under which the body turns".into(),
            ),
            Geometry::Slope | Geometry::Even if moves => Some(
                "no run with another body that moves was compared, but for grips".into(),
            ),
            _ if self.confirmed(load).is_none() => Some(format!(
                "no run with {} contacts in this geometry was compared",
                number(load.contacts)
            )),
            _ => None,
        }
    }

    /// The runs that confirmed this shape of contact.
    fn confirmed(&self, load: &Load) -> Option<&'static str> {
        let found = CONFIRMED
            .iter()
            .find(|row| row.geometry == load.geometry && row.contacts.contains(&load.contacts));
        found.map(|row| row.runs)
    }

    /// The standing of a body that slides.
    pub(super) fn sliding(&self, load: &Load) -> Standing {
        let kinetic = load.pair.kinetic_friction < load.pair.static_friction;
        Standing::Estimate(match kinetic {
            true => "Coulomb's law with μ_k, and MuJoCo has one coefficient".into(),
            false => {
                "Coulomb's law; contacts of MuJoCo that slide hop, and its runs differ from it"
                    .into()
            }
        })
    }
}
