//! MuJoCo: contacts as soft constraints on accelerations. Its creep is due to the regularisation
//! and follows in closed form from solref, solimp, impratio and the cone.
//!
//! A constraint with the residual r (the gap, negative in contact) and the velocity v has the
//! reference acceleration aref = −b v − k d r and the force f = (aref − a)/R, with a the
//! acceleration along it \[mujocodocs\]:
//!
//! ```text
//! b = 2/(dmax tc)                 k = 1/(dmax tc ζ)²        solref = (tc, ζ), the time constant and damping ratio
//! b = damping/dmax                k = stiffness/dmax²       solref = (−stiffness, −damping)
//! R = (1 − d)/d · A               A = the inverse weights of both bodies, 1/m for a free body on a fixed one
//! d = dmin + y(x) (dmax − dmin)   x = depth/width, y a power sigmoid
//! ```
//!
//! Friction rows have no residual: aref = −b v. Creep is steady, so a = 0, and force follows from
//! speed.
//!
//! **Elliptic cone.** A normal row bears N_i = k d depth/R, that is k d² depth/((1 − d) A): this
//! gives the depth and with it d. The friction rows have R_t = R/impratio, so a contact inside the
//! cone bears T_i = b v/R_t, and n contacts that share alike
//!
//! ```text
//! v = (T/n) R/(b impratio) = T (1 − d)/d A/(n b impratio)
//! ```
//!
//! μ does not appear. N appears in d alone; on a fixed slope m cancels. `bodies.rs` has A.
//!
//! **Pyramidal cone.** Four edges n ± μ t, each with R_e = 2 μ² R (1 + μ²)/impratio, bear f =
//! max(0, k d depth ± μ b v)/R_e along the load and k d depth/R_e across. Summed, with c = k d
//! depth/R_e, T_i = μ (f₊ − f₋) and N_i = f₊ + f₋ + 2c. While all four bear, v = (1 + μ²) times
//! that of the elliptic cone. Once T_i ≥ μ N_i/2, the backward edge (f₋) bears nothing:
//!
//! ```text
//! v = (1 + μ²) (T/n) R/(b impratio) (3 − 1/ρ),    ρ = T/(μ N) ≥ ½
//! ```
//!
//! This holds for a load along an edge. At 45° to the edges creep is smaller. Torsion and rolling
//! (condim 4 and 6) add edges that bear like those across: with p of them the factor is 2 + (2/p) (1
//! − 1/ρ) from ρ = 2/(p + 2) on.
//!
//! **Tilt.** The load acts above the base, so front contacts bear more than rear ones
//! ([`Load::ends`]), each pair has its own depth, d and R, and one speed v, found by bisection,
//! carries T. The box sinks in and tilts by depths of some 10 µm, which changes both by up to 1e-3:
//! the statics are corrected by it.
//!
//! **Step.** refsafe, on by default, raises tc to 2h: a larger step creeps more without notice. In
//! addition the explicit normal spring of λ = b and ω² = k d needs h ≤ (√(λ² + 4ω²) − λ)/ω². That
//! is the limit of the linear spring; without refsafe a box was thrown out at 0.87 to 0.97 of this
//! limit, probably because contacts only push. So 0.85 of it is reported.

mod bodies;
mod contact;
mod keys;
pub(super) mod spelling;
mod standing;

use super::answer::{Answer, Detail, Knob, Motion, StepLimit, Toward};
use super::limit::velocity_first;
use super::load::Geometry;
use super::{Engine, Load, Standing};
use bodies::Bodies;
use contact::Bearing;
use stiction_core::math::{at_most, bisect, larger, number, smaller, sqrt};
use stiction_core::registry::{Entry, Page};

/// MuJoCo's default time step \[s\].
const STEP: f64 = 2e-3;

/// MuJoCo's bounds of an impedance and of the midpoint.
const IMPEDANCE: (f64, f64) = (1e-4, 0.9999);

/// Measured limit of a contact as a share of that of a linear spring.
const ONE_SIDED: f64 = 0.85;

/// Corrections of the statics by the depths that follow from it.
const CORRECTIONS: usize = 2;

/// Largest sensible impratio: beyond it the solver converges badly.
const MOST_IMPRATIO: f64 = 1e6;

/// MuJoCo's contacts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Mujoco {
    /// solref as time constant \[s\] and damping ratio, or as stiffness \[1/s²\] and damping
    /// \[1/s\].
    pub reference: Reference,
    /// solimp: dmin, dmax, width \[m\], midpoint, power.
    pub impedance: [f64; 5],
    /// impratio, the ratio of frictional to normal impedance.
    pub impratio: f64,
    /// Whether the cone is elliptic; else pyramidal.
    pub elliptic: bool,
    /// Dimension of a contact: 3, 4 with torsion, 6 with rolling.
    pub condim: i64,
    /// Whether tc is raised to at least 2h.
    pub refsafe: bool,
    /// Iterations of the solver that removes slip after a step.
    pub noslip_iterations: i64,
    /// Inverse weights of the bodies.
    bodies: Bodies,
    /// Runs of another program that has these equations, in words.
    other_program: Option<&'static str>,
}

/// solref.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reference {
    /// Time constant tc \[s\] and damping ratio ζ.
    Time(f64, f64),
    /// Stiffness \[1/s²\] and damping \[1/s\].
    Direct(f64, f64),
}

/// Row of the engine.
pub const ENTRY: Entry<dyn Engine> = Entry {
    name: "mujoco",
    about: "MuJoCo 4.0: soft constraints; creeps at T R/(n b impratio), whatever μ is under an elliptic cone",
    keys: keys::KEYS,
    page: Page {
        formula: "v = (T/n) R/(b impratio), R = (1 − d)/(d m), b = 2/(dmax timeconst), elliptic cone;\n\
            times 1 + μ² under a pyramidal one, and from ρ = ½ on times 3 − 1/ρ besides",
        creep: "In proportion to the load and to timeconst, the same at every step below timeconst/2.",
        stiffness: "refsafe raises timeconst to 2 h.",
        when: "For rigid bodies that may creep. impratio 10 to 100 with the elliptic cone lowers creep as much.",
        source: "Emanuel Todorov and others 2012 [mujoco2012]; MuJoCo's documentation, chapter Computation [mujocodocs]",
    },
    make: |values| Ok(Box::new(Mujoco::of(values)?)),
};

/// Runs of Newton with MuJoCo's equations.
const NEWTON_RUNS: &str = "MuJoCo's equations in single precision; runs of SolverMuJoCo in Newton 1.8 at three settings, on the CPU by mujoco_warp and by MuJoCo 3.17, were within 1e-4 of this closed form: 949.46, elliptic 661.82, impratio 10 94.97 µm/s";

/// Row of Newton's SolverMuJoCo.
pub const NEWTON: Entry<dyn Engine> = Entry {
    name: "newton-mujoco",
    about: "Newton 1.8, SolverMuJoCo: the equations of `mujoco`",
    make: |values| Ok(Box::new(Mujoco { other_program: Some(NEWTON_RUNS), ..Mujoco::of(values)? })),
    ..ENTRY
};

impl Mujoco {
    /// The speed at which all contacts together bear T \[m/s\], and the state of each of
    /// [`Load::shares`]; `None` if there is no such speed.
    fn creep(&self, load: &Load, step: f64) -> Option<(f64, Vec<Bearing>)> {
        let (shares, weights) = (load.shares(), self.weights(load));
        let mu = load.pair.static_friction;
        let at = |speed: f64| -> Vec<Bearing> {
            let pairs = shares.iter().zip(&weights);
            pairs.map(|(s, w)| self.bearing([s.normal_force, mu], *w, step, speed)).collect()
        };
        let borne = |speed: f64| -> f64 {
            at(speed).iter().zip(&shares).map(|(one, share)| one.tangential * share.count).sum()
        };
        let enough = |speed: f64| borne(speed) >= load.tangential_force * (1.0 - 1e-14);
        let mut high = 1e-12;
        while !enough(high) {
            high *= 4.0;
            if high > 1e6 {
                return None;
            }
        }
        let speed = bisect(0.0, high, |speed| !enough(speed));
        Some((speed, at(speed)))
    }

    /// [`Mujoco::creep`] of a box on a slope that has sunk in and tilts: friction acts at half of
    /// the depth x, so that its arm is z − x/2, and a tilt φ = (x_front − x_rear)/L takes the base
    /// back by z φ. Both are a change of the height z of the statics, z − x/2 + z φ N/T.
    fn settled(&self, load: &Load, step: f64) -> Option<(f64, Vec<Bearing>)> {
        let mut found = self.creep(load, step)?;
        let [length, _, height] = load.base;
        let pulled = load.tangential_force > 0.0;
        if load.geometry != Geometry::Slope || !load.loads.is_empty() || height == 0.0 || !pulled {
            return Some(found);
        }
        for _ in 0..CORRECTIONS {
            let [front, rear] = [found.1[0].depth, found.1[1].depth];
            let tilt = (front - rear) / length;
            let shift = height * tilt * load.normal_force / load.tangential_force;
            let mut sunk = load.clone();
            sunk.base[2] = larger(height - 0.25 * (front + rear) + shift, 0.0);
            if sunk.ends()[1] <= 0.0 {
                return None;
            }
            found = self.creep(&sunk, step)?;
        }
        Some(found)
    }

    /// The largest step at which the model's solref is unchanged and the normal spring stable.
    fn limit(&self, depth: f64) -> StepLimit {
        // solref as written
        let (b, k) = Mujoco { refsafe: false, ..*self }.rates(0.0);
        let spring = velocity_first(b, sqrt(k * self.impedance(depth)));
        let spring = ONE_SIDED * spring.unwrap_or(f64::INFINITY);
        match self.reference {
            Reference::Time(tc, _) if self.refsafe && 0.5 * tc <= spring => {
                StepLimit::at(0.5 * tc, "timeconst/2: beyond it refsafe raises timeconst to 2 h")
            }
            _ => StepLimit::at(
                spring,
                "0.85 (√(λ² + 4ω²) − λ)/ω² of the normal spring, λ = b, ω² = k d; contacts are thrown out from 0.87 to 0.97 on, measured",
            ),
        }
    }

    /// p, the number of edges of a pyramid that do not lie along the load: 2 (condim − 2).
    fn edges_across(&self) -> f64 {
        2.0 * (self.condim as f64 - 2.0)
    }

    fn formula(&self) -> String {
        let b = match self.reference {
            Reference::Time(..) => "b = 2/(dmax timeconst)",
            Reference::Direct(..) => "b = damping/dmax",
        };
        let across = self.edges_across();
        let speed = match (self.elliptic, self.condim) {
            (true, _) => "v = (T/n) R/(b impratio)".into(),
            (false, 3) => "v = (1 + μ²) (T/n) R/(b impratio), times 3 − 1/ρ from ρ = ½ on".into(),
            (false, _) => format!(
                "v = (1 + μ²) (T/n) R/(b impratio), times 2 + {} (1 − 1/ρ) from ρ = {} on",
                number(2.0 / across),
                number(2.0 / (across + 2.0))
            ),
        };
        let weight = match self.bodies.others {
            [0.0, 0.0] => "1/m",
            _ => "the inverse weights of both bodies",
        };
        format!(
            "{speed}; R = (1 − d)/d A, A = {weight}, {b}, d from solimp at the depth that bears N_i"
        )
    }

    fn advice(&self, load: &Load, step: f64, limit: &StepLimit) -> Vec<String> {
        let mut advice = Vec::new();
        if let (Some(used), Reference::Time(tc, _)) = (self.timeconst(step), self.reference)
            && used > tc
        {
            advice.push(format!(
                    "refsafe raises timeconst from {} to {} s at this step: creep is {} times as large. Take h ≤ {} s.",
                    number(tc), number(used), number(used / tc), at_most(0.5 * tc)
                ));
        }
        if !self.elliptic {
            let mu = load.pair.static_friction;
            let ratio = load.ratio();
            let across = self.edges_across();
            let more = (1.0 + mu * mu) * larger(2.0 + 2.0 / across * (1.0 - 1.0 / ratio), 1.0);
            advice.push(format!(
                "cone=elliptic creeps about {} times less: a pyramid has factors of its own.",
                number(more)
            ));
        }
        if self.noslip_iterations == 0 {
            advice.push("noslip_iterations=10 takes most of the slip away after every step, at the price of a second solver.".into());
        }
        if let Some(largest) = limit.largest {
            advice.push(format!(
                "Below {} s the step does not change creep; a smaller timeconst t needs h ≤ t/2.",
                at_most(largest)
            ));
        }
        advice
    }
}

impl Engine for Mujoco {
    fn answer(&self, load: &Load) -> Answer {
        let step = load.step.unwrap_or(STEP);
        let [front, rear] = load.ends();
        let slides = load.ratio() >= 1.0;
        let found = if slides || rear <= 0.0 { None } else { self.settled(load, step) };
        let depth = found.as_ref().map_or(0.0, |(_, bearings)| bearings[0].depth);
        let limit = self.limit(depth);
        let (motion, standing) = match &found {
            Some(found) => self.judged(load, step, &limit, found),
            None if !slides && rear <= 0.0 && front > 0.0 => {
                (Motion::Tips, Standing::Estimate("statics; no run was compared".into()))
            }
            None => (Motion::Slides(load.sliding()), self.sliding(load)),
        };
        let (b, k) = self.rates(step);
        let mut details = vec![Detail { name: "damping b of aref", value: b, unit: "1/s" }];
        details.push(Detail { name: "stiffness k of aref", value: k, unit: "1/s²" });
        if found.is_some() {
            details.push(Detail { name: "depth of the first contact", value: depth, unit: "m" });
            if let Some((_, bearings)) = &found {
                let value = bearings[bearings.len() - 1].depth;
                details.push(Detail { name: "depth of the last contact", value, unit: "m" });
            }
            let d = self.impedance(depth);
            details.push(Detail { name: "impedance d there", value: d, unit: "" });
            let value = self.weights(load)[0];
            details.push(Detail { name: "inverse weights A of both bodies", value, unit: "1/kg" });
        }
        Answer {
            motion,
            standing,
            formula: self.formula(),
            sources: vec!["mujocodocs".into(), "mujoco2012".into()],
            step,
            advice: if found.is_some() { self.advice(load, step, &limit) } else { Vec::new() },
            limit,
            details,
        }
    }

    fn knobs(&self, load: &Load) -> Vec<Knob> {
        let step = load.step.unwrap_or(STEP);
        let mut knobs = vec![Knob {
            start: self.impratio,
            toward: Toward::Infinity,
            end: MOST_IMPRATIO,
            set: Box::new(|x| vec![("impratio", x)]),
            price: "The step stays; the solver needs more iterations, and the elliptic cone is the better one for it.",
        }];
        if let Reference::Time(tc, _) = self.reference {
            knobs.push(Knob {
                start: tc,
                toward: Toward::Zero,
                end: 1e-9,
                // the step must follow
                set: Box::new(move |x| vec![("timeconst", x), ("step", smaller(step, 0.5 * x))]),
                price: "The step must be at most half of it; contacts get stiffer.",
            });
        }
        knobs.push(Knob {
            start: larger(self.impedance[0], 0.5),
            toward: Toward::One,
            end: IMPEDANCE.1,
            set: Box::new(|x| vec![("dmin", x), ("dmax", x)]),
            price: "The step stays; contact is harder, and the solver works on a matrix that is nearer to singular.",
        });
        knobs
    }
}
