//! Newton (and earlier Warp's integrators): a limited damper in its semi-implicit solver, projected
//! positions in its XPBD solver, penalties or multipliers in its VBD solver.
//!
//! **semi-implicit.** A contact in penetration has the friction min(kf |v|, μ N_i) against the
//! slip, so inside the cone n contacts creep at v = T/(n kf), independent of μ and N. A rear
//! contact on its cone bears μ N_i, and the others the rest. Positions follow new velocities,
//! forces are those of the start of the step: h ≤ 2/λ, with λ = n kf (1 + z²/i²)/m for friction if
//! the box rocks, z the height of its centre and i its radius of gyration, and 3 n kf/m if it turns
//! on its base. For the normal springs λ = p n kd/m and ω² = p n ke/m, p = max(1, x²/i²) with half
//! the length x \[newton2025\].
//!
//! **XPBD.** Every iteration corrects the slip of a step by the share q = relaxation/w, with w = m
//! times the inverse inertia of a corner along the load. After j iterations the share r = (1 − q)ʲ of
//! the velocity remains, so v = r (v + T h/m): v = (T h/m) r/(1 − r), proportional to the step and
//! independent of μ. Rotation is neglected, which is exact for one iteration and gives too small a
//! speed for many.
//!
//! **VBD.** As it comes, multipliers of contacts hold: no creep by the law. With penalties instead
//! (rigid_compliant_alm and rigid_contact_hard off) a contact has the friction μ N_i u (2 − u), u = v/ε with ε =
//! friction_epsilon, so v = ε (1 − √(1 − ρ)).

use super::answer::{Answer, Detail, Knob, Motion, StepLimit, Toward};
use super::limit::velocity_first;
use super::load::{Geometry, SLOPES, positive};
use super::{Engine, Load, Standing};
use stiction_core::contact::friction::quadratic::Quadratic;
use stiction_core::contact::friction::ramp::Ramp;
use stiction_core::math::{at_most, larger, number, pow, smaller, sqrt};
use stiction_core::registry::{Entry, Fallback, Key, Kind, Page, Range};

/// friction_epsilon of the runs of penalties \[m/s\].
const EPSILONS: std::ops::RangeInclusive<f64> = 1e-3..=1e-2;

/// The largest step of these runs \[s\].
const LONGEST: f64 = 1.0 / 600.0;

/// Time step of ten substeps per frame of 1/60 s \[s\].
const STEP: f64 = 1.0 / 600.0;

/// Newton's contacts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Newton {
    /// The solver.
    pub solver: Solver,
    /// ke \[N/m\] and kd \[N·s/m\] of the normal.
    pub normal: [f64; 2],
    /// kf \[N·s/m\].
    pub friction: f64,
    /// Iterations of XPBD.
    pub iterations: i64,
    /// Relaxation of rigid contacts in XPBD.
    pub relaxation: f64,
    /// ε of VBD \[m/s\].
    pub epsilon: f64,
}

/// Newton's solvers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Solver {
    /// Forces applied.
    SemiImplicit,
    /// Positions projected.
    Xpbd,
    /// Vertex block descent with multipliers.
    Vbd,
    /// Vertex block descent with penalties.
    Penalty,
}

impl Solver {
    /// By its word.
    fn of(word: &str) -> Self {
        match word {
            "xpbd" => Solver::Xpbd,
            "vbd" => Solver::Vbd,
            "vbd-penalty" => Solver::Penalty,
            _ => Solver::SemiImplicit,
        }
    }
}

/// Row of the engine.
pub const ENTRY: Entry<dyn Engine> = Entry {
    name: "newton",
    about: "Newton 1.8: damper kf capped by the cone, creeps at T/(n kf); XPBD creeps with the step",
    keys: &[
        Key {
            name: "solver",
            kind: Kind::Word(&["semi-implicit", "xpbd", "vbd", "vbd-penalty"]),
            default: Fallback::Text("semi-implicit"),
            about: "solver; vbd-penalty: SolverVBD with rigid_compliant_alm and rigid_contact_hard off",
        },
        positive("ke", "N/m", 2.5e3, "semi-implicit: stiffness of a contact"),
        positive("kd", "N·s/m", 100.0, "semi-implicit: damping of a contact along its normal"),
        positive("kf", "N·s/m", 1000.0, "semi-implicit: friction gain of a contact"),
        Key {
            name: "iterations",
            kind: Kind::Integer { min: 1, max: 1000 },
            default: Fallback::Integer(2),
            about: "xpbd: iterations of a step",
        },
        Key {
            name: "relaxation",
            kind: Kind::Number { unit: "", range: Range::Between(0.01, 1.0) },
            default: Fallback::Number(0.8),
            about: "xpbd: rigid_contact_relaxation",
        },
        positive(
            "friction_epsilon",
            "m/s",
            0.01,
            "vbd-penalty: slip speed ε from which friction is μ N",
        ),
    ],
    page: Page {
        formula: "semi-implicit: v = T/(n kf)\nxpbd: v = (T h/m) r/(1 − r), r = (1 − relaxation/w)^iterations\nvbd: 0; vbd-penalty: v = ε (1 − √(1 − ρ))",
        creep: "semi-implicit: in proportion to the load, whatever μ and N. xpbd: in proportion to the step.",
        stiffness: "semi-implicit: h ≤ 2m/(3 n kf).",
        when: "semi-implicit at small steps; the default kf is above the limit of ten substeps of 1/60 s.",
        source: "Newton's documentation and source [newton2025]; Matthias Müller and others 2020 [muller2020]",
    },
    make: |values| {
        Ok(Box::new(Newton {
            solver: Solver::of(values.text("solver")),
            normal: ["ke", "kd"].map(|key| values.number(key)),
            friction: values.number("kf"),
            iterations: values.integer("iterations"),
            relaxation: values.number("relaxation"),
            epsilon: values.number("friction_epsilon"),
        }))
    },
};

impl Newton {
    /// The speed at which limited dampers bear T \[m/s\]; `None` if they cannot.
    fn capped(&self, load: &Load) -> Option<f64> {
        let half = 0.5 * load.contacts;
        let [front, rear] = load.ends().map(|force| load.pair.static_friction * force);
        let even = load.tangential_force / (load.contacts * self.friction);
        if self.friction * even <= rear {
            return Some(even);
        }
        let rest = load.tangential_force / half - rear;
        (rest < front).then_some(rest / self.friction)
    }

    /// q and r of XPBD.
    fn shares(&self, load: &Load) -> (f64, f64) {
        let corrected = smaller(self.relaxation / load.corner()[0][0], 1.0);
        (corrected, pow(1.0 - corrected, self.iterations as f64))
    }

    fn limit(&self, load: &Load) -> StepLimit {
        match self.solver {
            Solver::SemiImplicit => {}
            Solver::Xpbd => {
                return StepLimit::none("positions are projected at any step; creep grows with it");
            }
            Solver::Vbd | Solver::Penalty => {
                return StepLimit::none("implicit: no limit of stability");
            }
        }
        let [length, _, height] = load.base;
        let (z, x) = (height * height, 0.25 * length * length);
        let per_mass = load.contacts / load.mass;
        let rocking = 1.0 + 3.0 * z / (z + x);
        let turning = if load.contacts > 1.0 { larger(3.0, rocking) } else { 1.0 };
        let friction = velocity_first(turning * per_mass * self.friction, 0.0);
        let pitch = larger(3.0 * x / (z + x), 1.0) * per_mass;
        let normal = velocity_first(pitch * self.normal[1], sqrt(pitch * self.normal[0]));
        let (friction, normal) =
            (friction.unwrap_or(f64::INFINITY), normal.unwrap_or(f64::INFINITY));
        if friction <= normal {
            let formula = format!("2m/({} n kf), where the box turns on its base", number(turning));
            StepLimit::at(friction, formula)
        } else {
            StepLimit::at(normal, "(√(λ² + 4ω²) − λ)/ω² of the normal springs ke and kd")
        }
    }

    fn motion(&self, load: &Load, step: f64) -> Motion {
        let slides = Motion::Slides(load.sliding());
        if load.ratio() >= 1.0 {
            return slides;
        }
        if load.ends()[1] <= 0.0 {
            return Motion::Tips;
        }
        match self.solver {
            Solver::SemiImplicit => self.capped(load).map_or(slides, Motion::Creeps),
            Solver::Xpbd => {
                let (_, left) = self.shares(load);
                Motion::Creeps(load.tangential_force * step / load.mass * left / (1.0 - left))
            }
            Solver::Vbd => Motion::Rests(0.0),
            Solver::Penalty => {
                let law = Quadratic { epsilon: self.epsilon };
                let found = Ramp::creep(&law, load.ratio(), &load.pair);
                found.map_or(slides, |u| Motion::Creeps(self.epsilon * u))
            }
        }
    }

    fn standing(&self, load: &Load, creeps: bool, step: f64, limit: &StepLimit) -> Standing {
        let above = limit.largest.filter(|most| step > *most);
        Standing::Estimate(match above {
            _ if !creeps => "Coulomb's law; no body that slides was run here".into(),
            _ if self.solver == Solver::Vbd => "runs of Newton 1.8 on slopes of 5° to 20° still drifted by 0.6 to 3.2 µm/s in the second of two seconds, with 20 iterations by 0.3 µm/s or less; with rigid_contact_hard off and steps of 1/2400 s by 213 µm/s".into(),
            _ if self.solver == Solver::Xpbd => "the rotation of the box within the iterations is left out: exact for one iteration, 3 % too low for two, 13 % for four and 41 % for eight, measured with a box".into(),
            Some(most) => format!(
                "the step {} s is above {} s: friction chatters, and the box creeps faster than this closed form, 11 times as fast at the defaults and 1/600 s",
                number(step),
                at_most(most)
            ),
            None if load.geometry != Geometry::Slope => {
                "runs of boxes with four contacts on a slope alone were compared".into()
            }
            None if load.contacts != 4.0 || !SLOPES.contains(&load.inclination()) => {
                "runs of boxes with four contacts on slopes of 5° to 20° alone were compared".into()
            }
            None if self.solver == Solver::Penalty && step > LONGEST => {
                format!("runs with steps up to {} s alone were compared", number(LONGEST))
            }
            None if self.solver == Solver::Penalty && !EPSILONS.contains(&self.epsilon) => {
                "runs with friction_epsilon from 1 to 10 mm/s alone were compared".into()
            }
            None if self.solver == Solver::Penalty => {
                return Standing::Exact("Newton 1.8 in single precision: a box with four contacts on slopes of 5° to 20°, ε of 1 and 10 mm/s, steps of 1/600 and 1/2400 s; within 3e-3".into());
            }
            None => {
                return Standing::Exact("Newton 1.8: boxes with four contacts on slopes of 5° and 15°; within 1e-3".into());
            }
        })
    }

    fn advice(&self, load: &Load, step: f64, limit: &StepLimit) -> Vec<String> {
        if matches!(self.solver, Solver::Vbd | Solver::Penalty) {
            return vec![match self.solver {
                Solver::Penalty => "Creep is in proportion to friction_epsilon; SolverVBD as it comes, solver=vbd, has none by its law.".into(),
                _ => "More iterations lower the drift.".into(),
            }];
        }
        if self.solver == Solver::Xpbd {
            let (corrected, _) = self.shares(load);
            return vec![
                format!(
                    "Creep is in proportion to the step: {} s instead of {} s halves it.",
                    number(0.5 * step),
                    number(step)
                ),
                format!(
                    "Every further iteration leaves {} % of the slip by this formula.",
                    number(100.0 * (1.0 - corrected))
                ),
            ];
        }
        let mut advice = Vec::new();
        if let Some(most) = limit.largest.filter(|most| step > *most) {
            let gain = self.friction * most / step;
            advice.push(format!(
                "Take h ≤ {} s, or kf = {} N·s/m at this step, which creeps at {} times the speed given here.",
                at_most(most), number(gain), number(step / most)
            ));
        }
        advice.push(
            "Creep falls with kf, and so does the largest step: ten times kf is a tenth of both."
                .into(),
        );
        advice
    }
}

impl Engine for Newton {
    fn answer(&self, load: &Load) -> Answer {
        let step = load.step.unwrap_or(STEP);
        let (motion, limit) = (self.motion(load, step), self.limit(load));
        let creeps = motion.creep().is_some();
        let (corrected, _) = self.shares(load);
        let details = match self.solver {
            Solver::Xpbd => {
                vec![Detail { name: "share q of an iteration", value: corrected, unit: "" }]
            }
            _ => Vec::new(),
        };
        let newton = || vec!["newton2025".into()];
        let (formula, sources) = match self.solver {
            Solver::Vbd => ("v = 0 below the cone", newton()),
            Solver::Penalty => {
                ("v = ε (1 − √(1 − ρ)), the friction μ N_i u (2 − u), u = v/ε", newton())
            }
            Solver::Xpbd => (
                "v = (T h/m) r/(1 − r), r = (1 − q)^iterations, q = relaxation/w, w = m times the inverse inertia of a corner along the load",
                vec!["newton2025".into(), "muller2020".into()],
            ),
            Solver::SemiImplicit => {
                ("v = T/(n kf), the friction min(kf v, μ N_i) at each contact", newton())
            }
        };
        Answer {
            motion,
            standing: self.standing(load, creeps, step, &limit),
            formula: formula.into(),
            sources,
            step,
            advice: if creeps { self.advice(load, step, &limit) } else { Vec::new() },
            limit,
            details,
        }
    }

    fn knobs(&self, load: &Load) -> Vec<Knob> {
        if self.solver == Solver::Vbd {
            return Vec::new();
        }
        if self.solver == Solver::Penalty {
            return vec![Knob {
                start: self.epsilon,
                toward: Toward::Zero,
                end: 1e-15,
                set: Box::new(|x| vec![("friction_epsilon", x)]),
                price: "More iterations in each step.",
            }];
        }
        if self.solver == Solver::Xpbd {
            return vec![Knob {
                start: load.step.unwrap_or(STEP),
                toward: Toward::Zero,
                end: 1e-9,
                set: Box::new(|x| vec![("step", x)]),
                price: "The number of steps grows in proportion.",
            }];
        }
        vec![Knob {
            start: self.friction,
            toward: Toward::Infinity,
            end: 1e12,
            set: Box::new(|x| vec![("kf", x)]),
            price: "The largest step shrinks in proportion.",
        }]
    }
}
