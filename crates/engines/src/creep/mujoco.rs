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
//! R = (1 − d)/d · A               A = 1/m for a free body on a fixed one, whatever its inertia
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
//! v = (T/n) R/(b impratio) = T (1 − d)/d/(n m b impratio)
//! ```
//!
//! μ does not appear. N appears in d alone; on a slope m cancels.
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
//! This holds for a load along an edge. At 45° to the edges creep is smaller.
//!
//! **Tilt.** The load acts above the base, so front contacts bear more than rear ones
//! ([`Load::ends`]), each pair has its own depth, d and R, and one speed v, found by bisection,
//! carries T.
//!
//! **Step.** refsafe, on by default, raises tc to 2h: a larger step creeps more without notice. In
//! addition the explicit normal spring of λ = b and ω² = k d needs h ≤ (√(λ² + 4ω²) − λ)/ω². That
//! is the limit of the linear spring; without refsafe a box was thrown out at 0.87 to 0.97 of this
//! limit, probably because contacts only push. So 0.85 of it is reported.

use super::answer::{Answer, Detail, Knob, Motion, StepLimit, Toward};
use super::limit::velocity_first;
use super::{Engine, Load};
use stiction_core::math::{at_most, bisect, larger, number, pow, smaller, sqrt};
use stiction_core::registry::{Entry, Fallback, Key, Kind, Page, Problem, Range, Values};

/// MuJoCo's default time step \[s\].
const STEP: f64 = 2e-3;

/// MuJoCo's bounds of an impedance and of the midpoint.
const IMPEDANCE: (f64, f64) = (1e-4, 0.9999);

/// Damping ratio below which a box under a pyramidal cone crept faster than this formula: three
/// times as fast at 0.5, not at 0.7.
const HOPS_BELOW: f64 = 0.7;

/// Measured limit of a contact as a share of that of a linear spring.
const ONE_SIDED: f64 = 0.85;

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
    /// Whether tc is raised to at least 2h.
    pub refsafe: bool,
    /// Iterations of the solver that removes slip after a step.
    pub noslip_iterations: i64,
}

/// solref.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reference {
    /// Time constant tc \[s\] and damping ratio ζ.
    Time(f64, f64),
    /// Stiffness \[1/s²\] and damping \[1/s\].
    Direct(f64, f64),
}

const fn number_key(
    name: &'static str,
    unit: &'static str,
    range: Range,
    default: f64,
    about: &'static str,
) -> Key {
    Key { name, kind: Kind::Number { unit, range }, default: Fallback::Number(default), about }
}

const fn direct(name: &'static str, unit: &'static str, about: &'static str) -> Key {
    let kind = Kind::Number { unit, range: Range::Positive };
    Key { name, kind, default: Fallback::Optional("timeconst and dampratio count"), about }
}

const UNIT: Range = Range::Between(0.0, 1.0);

/// Row of the engine.
pub const ENTRY: Entry<dyn Engine> = Entry {
    name: "mujoco",
    about: "MuJoCo 4.0: soft constraints; creeps at T R/(n b impratio), whatever μ is under an elliptic cone",
    keys: &[
        number_key("timeconst", "s", Range::Positive, 0.02, "time constant tc of solref"),
        number_key("dampratio", "", Range::Positive, 1.0, "damping ratio ζ of solref"),
        direct("stiffness", "1/s²", "direct solref: −stiffness is its first number"),
        direct("damping", "1/s", "direct solref: −damping is its second number"),
        number_key("dmin", "", UNIT, 0.9, "impedance d at depth 0, first number of solimp"),
        number_key("dmax", "", UNIT, 0.95, "impedance d at depth `solwidth`, second of solimp"),
        number_key(
            "solwidth",
            "m",
            Range::Positive,
            1e-3,
            "depth over which d rises, third of solimp",
        ),
        number_key("midpoint", "", UNIT, 0.5, "midpoint of the rise, fourth of solimp"),
        number_key(
            "power",
            "",
            Range::Between(1.0, 100.0),
            2.0,
            "power of the rise, fifth of solimp",
        ),
        number_key("impratio", "", Range::Positive, 1.0, "frictional over normal impedance"),
        Key {
            name: "cone",
            kind: Kind::Word(&["pyramidal", "elliptic"]),
            default: Fallback::Text("pyramidal"),
            about: "friction cone",
        },
        Key {
            name: "refsafe",
            kind: Kind::Flag,
            default: Fallback::Flag(true),
            about: "whether timeconst is kept at 2 h at least, MuJoCo's own default",
        },
        Key {
            name: "noslip_iterations",
            kind: Kind::Integer { min: 0, max: 1000 },
            default: Fallback::Integer(0),
            about: "iterations of the solver that takes slip away after a step",
        },
    ],
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

/// The state of one contact in creep.
#[derive(Debug, Clone, Copy)]
struct Bearing {
    /// T_i \[N\].
    tangential: f64,
    /// Depth \[m\].
    depth: f64,
    /// Whether it is on the cone or about to lift, so that its force does not follow from the
    /// speed.
    spent: bool,
}

impl Mujoco {
    /// From the values of its keys.
    fn of(values: &Values) -> Result<Self, Problem> {
        let [stiffness, damping] = ["stiffness", "damping"].map(|key| values.get_number(key));
        let reference = match (stiffness, damping) {
            (Some(stiffness), Some(damping)) => Reference::Direct(stiffness, damping),
            (None, None) => Reference::Time(values.number("timeconst"), values.number("dampratio")),
            (Some(_), None) => return Err(alone("stiffness", "damping")),
            (None, Some(_)) => return Err(alone("damping", "stiffness")),
        };
        let impedance =
            ["dmin", "dmax", "solwidth", "midpoint", "power"].map(|key| values.number(key));
        Ok(Mujoco {
            reference,
            impedance,
            impratio: values.number("impratio"),
            elliptic: values.text("cone") == "elliptic",
            refsafe: values.flag("refsafe"),
            noslip_iterations: values.integer("noslip_iterations"),
        })
    }

    /// dmax within its bounds.
    fn dmax(&self) -> f64 {
        clipped(self.impedance[1])
    }

    /// The time constant used by MuJoCo at a step \[s\]; `None` for a direct solref.
    fn timeconst(&self, step: f64) -> Option<f64> {
        match self.reference {
            Reference::Time(tc, _) if self.refsafe => Some(larger(tc, 2.0 * step)),
            Reference::Time(tc, _) => Some(tc),
            Reference::Direct(..) => None,
        }
    }

    /// b \[1/s\] and k \[1/s²\] at a step.
    fn rates(&self, step: f64) -> (f64, f64) {
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
    fn damping_ratio(&self) -> f64 {
        match self.reference {
            Reference::Time(_, ratio) => ratio,
            Reference::Direct(stiffness, damping) => damping / (2.0 * sqrt(stiffness)),
        }
    }

    /// d at a depth \[m\].
    fn impedance(&self, depth: f64) -> f64 {
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

    /// R of a normal row \[1/kg\] at a depth.
    fn regularisation(&self, depth: f64, mass: f64) -> f64 {
        let d = self.impedance(depth);
        (1.0 - d) / (d * mass)
    }

    /// The depth at which a contact bears its normal force \[m\]; `borne` is the force at a depth.
    fn depth(&self, normal_force: f64, borne: impl Fn(f64) -> f64) -> f64 {
        let mut high = self.impedance[2];
        while borne(high) < normal_force && high < 1e12 {
            high *= 2.0;
        }
        bisect(0.0, high, |depth| borne(depth) < normal_force)
    }

    /// One contact with N_i at the speed v.
    fn bearing(&self, load: &Load, step: f64, normal_force: f64, speed: f64) -> Bearing {
        let ((b, k), mu) = (self.rates(step), load.pair.static_friction);
        if self.elliptic {
            let depth = self.depth(normal_force, |depth| {
                k * self.impedance(depth) * depth / self.regularisation(depth, load.mass)
            });
            let resistance = self.regularisation(depth, load.mass) / self.impratio;
            let (asked, most) = (b * speed / resistance, mu * normal_force);
            return Bearing { tangential: smaller(asked, most), depth, spent: asked > most };
        }
        // forces of the edges: forward, backward and across
        let edges = |depth: f64| {
            let rise = k * self.impedance(depth) * depth;
            let resistance = 2.0 * mu * mu * (1.0 + mu * mu) / self.impratio
                * self.regularisation(depth, load.mass);
            let along = mu * b * speed;
            [rise + along, larger(rise - along, 0.0), rise].map(|a| a / resistance)
        };
        let sum = |[forwards, backwards, across]: [f64; 3]| forwards + backwards + 2.0 * across;
        if sum(edges(0.0)) >= normal_force {
            // the forward edge alone bears more than N_i: the contact would lift
            return Bearing { tangential: mu * normal_force, depth: 0.0, spent: true };
        }
        let depth = self.depth(normal_force, |depth| sum(edges(depth)));
        let [forwards, backwards, _] = edges(depth);
        Bearing { tangential: mu * (forwards - backwards), depth, spent: false }
    }

    /// The speed at which all contacts together bear T \[m/s\], and the state of the front and rear
    /// ones; `None` if there is no such speed.
    fn creep(&self, load: &Load, step: f64) -> Option<(f64, [Bearing; 2])> {
        let ends = load.ends();
        let at = |speed: f64| ends.map(|force| self.bearing(load, step, force, speed));
        let borne = |speed: f64| {
            0.5 * load.contacts * at(speed).iter().map(|end| end.tangential).sum::<f64>()
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

    /// Reason why the closed form is an estimate here; `None` if it is exact for MuJoCo.
    fn doubt(&self, ends: &[Bearing; 2], step: f64, limit: &StepLimit) -> Option<String> {
        if self.noslip_iterations > 0 {
            return Some("the noslip solver takes slip away after every step; how much it leaves depends on its iterations, and without them creep is as given here".into());
        }
        if let Some(largest) = limit.largest.filter(|most| !self.refsafe && step > *most) {
            return Some(format!(
                "the step {} s is above {} s: contacts are thrown out",
                number(step),
                at_most(largest)
            ));
        }
        if ends.iter().any(|end| end.spent) {
            return Some("the rear contacts are at their cone, where they probably lift and come back; a box at 25° and μ .5 crept at 4.07 mm/s where this form says 3.02 mm/s".into());
        }
        if !self.elliptic && self.damping_ratio() < HOPS_BELOW {
            return Some(format!(
                "under a pyramidal cone a box creeps faster at a damping ratio of {}, three times at 0.5, probably since it hops",
                number(self.damping_ratio())
            ));
        }
        None
    }

    fn formula(&self) -> String {
        let b = match self.reference {
            Reference::Time(..) => "b = 2/(dmax timeconst)",
            Reference::Direct(..) => "b = damping/dmax",
        };
        let speed = match self.elliptic {
            true => "v = (T/n) R/(b impratio)",
            false => "v = (1 + μ²) (T/n) R/(b impratio), times 3 − 1/ρ from ρ = ½ on",
        };
        format!("{speed}; R = (1 − d)/(d m), {b}, d from solimp at the depth that bears N/n")
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
            let more = (1.0 + mu * mu) * larger(3.0 - 1.0 / ratio, 1.0);
            advice.push(format!(
                "cone=elliptic creeps about {} times less: the pyramid has the factor 1 + μ², and 3 − 1/ρ from ρ = ½ on.",
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

fn alone(given: &'static str, missing: &str) -> Problem {
    Problem::of(given, format!("a direct solref needs `{missing}` too"), "give both or neither")
}

/// An impedance or a midpoint within MuJoCo's bounds.
fn clipped(x: f64) -> f64 {
    x.clamp(IMPEDANCE.0, IMPEDANCE.1)
}

impl Engine for Mujoco {
    fn answer(&self, load: &Load) -> Answer {
        let step = load.step.unwrap_or(STEP);
        let (front, rear) = (load.ends()[0], load.ends()[1]);
        let slides = load.ratio() >= 1.0;
        let found = if slides || rear <= 0.0 { None } else { self.creep(load, step) };
        let depth = found.map_or(0.0, |(_, ends)| ends[0].depth);
        let limit = self.limit(depth);
        let motion = match found {
            _ if slides => Motion::Slides(load.sliding()),
            _ if rear <= 0.0 && front > 0.0 => Motion::Tips,
            Some((speed, _)) => Motion::Creeps(speed),
            None => Motion::Slides(load.sliding()),
        };
        let estimate = found.and_then(|(_, ends)| self.doubt(&ends, step, &limit));
        let (b, k) = self.rates(step);
        let mut details = vec![Detail { name: "damping b of aref", value: b, unit: "1/s" }];
        details.push(Detail { name: "stiffness k of aref", value: k, unit: "1/s²" });
        if found.is_some() {
            details.push(Detail { name: "depth of a front contact", value: depth, unit: "m" });
            let d = self.impedance(depth);
            details.push(Detail { name: "impedance d there", value: d, unit: "" });
        }
        Answer {
            motion,
            estimate,
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
