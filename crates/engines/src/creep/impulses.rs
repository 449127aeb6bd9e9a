//! Engines that solve for impulses at the end of a step, Rapier and Bullet: the slip velocity inside
//! the cone is 0, so their law has no creep.
//!
//! Their iterations leave rounding and position errors instead, without a closed form: a box of 1 kg
//! and .4 × .4 × .2 m on slopes of 5° to 24°, μ .5, was run for 4 s, and its drift is that of the
//! second half.

use super::answer::{Answer, Motion, StepLimit};
use super::{Engine, Knob, Load, Standing};
use stiction_core::registry::{Entry, Page};

/// An engine of impulses.
#[derive(Debug, Clone, Copy)]
struct Impulses {
    /// Its usual step \[s\].
    step: f64,
    /// Its runs, in words.
    runs: &'static str,
    /// Advice.
    advice: &'static [&'static str],
    /// Key of references.bib.
    source: &'static str,
}

const RAPIER_WORLD: Impulses = Impulses {
    step: 1.0 / 60.0,
    runs: "runs of Rapier 0.36.1 on slopes of 5° to 24° drifted uphill by 0.12 to 0.13 µm/s at steps of 1/60 s and by 0.55 µm/s at 1/240 s, as its single precision does",
    advice: &["A smaller step drifts more here: rounding adds up with the number of steps."],
    source: "rapier2026",
};

const BULLET_WORLD: Impulses = Impulses {
    step: 1.0 / 240.0,
    runs: "runs of PyBullet 3.2.7 on slopes of 5° to 24° drifted by 3 to 14 µm/s, up or down the slope, at steps of 1/240 and 1/1000 s, the same with 200 iterations",
    advice: &["frictionAnchor=1 of changeDynamics held the box: below 1e-10 m/s in the same runs."],
    source: "coumans2021",
};

const PAGE: Page = Page {
    formula: "v = 0 below the cone",
    creep: "None by the law.",
    stiffness: "Implicit in the velocity: no limit of stability.",
    when: "For rigid bodies that must hold.",
    source: "Rapier [rapier2026]; Erwin Coumans and Yunfei Bai 2021 [coumans2021]",
};

/// Row of Rapier.
pub const RAPIER: Entry<dyn Engine> = Entry {
    name: "rapier",
    about: "Rapier 0.36: impulses at the end of a step; no creep by the law, drift by rounding",
    keys: &[],
    page: PAGE,
    make: |_| Ok(Box::new(RAPIER_WORLD)),
};

/// Row of Bullet.
pub const BULLET: Entry<dyn Engine> = Entry {
    name: "pybullet",
    about: "PyBullet 3.2: impulses at the end of a step; no creep by the law, drift by iterations",
    keys: &[],
    page: PAGE,
    make: |_| Ok(Box::new(BULLET_WORLD)),
};

impl Engine for Impulses {
    fn answer(&self, load: &Load) -> Answer {
        let holds = load.ratio() < 1.0;
        let (motion, reason) = match holds {
            true if load.ends()[1] < 0.0 => (Motion::Tips, "statics; no run was compared"),
            true => (Motion::Rests(0.0), self.runs),
            false => {
                (Motion::Slides(load.sliding()), "Coulomb's law; no body that slides was run here")
            }
        };
        Answer {
            motion,
            standing: Standing::Estimate(reason.into()),
            formula: "v = 0 below the cone".into(),
            sources: vec![self.source.into()],
            step: load.step.unwrap_or(self.step),
            limit: StepLimit::none("implicit in the velocity: no limit of stability"),
            advice: self.advice.iter().map(|text| (*text).into()).collect(),
            details: Vec::new(),
        }
    }

    fn knobs(&self, _load: &Load) -> Vec<Knob> {
        Vec::new()
    }
}
