//! P2: creep under a load that friction holds, law by law.

use super::block::BlockScene;
use super::rig::label;
use super::{Case, CaseFigure, CaseTrial, RigSetting, Trouble};
use stiction_core::contact::friction::{
    self as friction, FRICTION_LAWS, FrictionLaw, cubic, cundall_strack, dahl, formula, hyperbolic,
    lugre, quadratic, quintic, stribeck, threshold, viscous_cap,
};
use stiction_core::math::{cos, exp, log, pow, radians, sqrt, tan, tanh};
use stiction_core::registry::{Entry, Fallback, Value, Values};
use stiction_core::state::memory::Coefficients;

/// The cases.
pub const CASES: &[Case] = &[
    Case {
        group: "P2",
        name: "creep of the threshold law",
        about: "20°, μ .6, v = ε tan(a)/μ_s after 20/λ, λ = μ g cos(a)/ε",
        trials: threshold_law,
    },
    Case {
        group: "P2",
        name: "creep of every law",
        about: "a push of ρ μ_s m g on a floor, ε 1e-2: v = ε f⁻¹(ρ) of each law, reported and travelled, whichever is further off",
        trials: every_law,
    },
    Case {
        group: "P2",
        name: "slope at rest",
        about: "a push of 1e-5 μ m g, ε 1e-2: v = ε ρ/f'(0)",
        trials: slope_at_rest,
    },
    Case {
        group: "P2",
        name: "two fates",
        about: "20°, μ .6/.3, ε 1e-2: started downhill at .99 ε it creeps at ε tan(a)/μ_s, at 1.01 ε it runs away",
        trials: two_fates,
    },
];

const METHODS: [&str; 5] = [
    "\"explicit-euler\"",
    "\"symplectic-euler\"",
    "\"rk4\"",
    "\"dopri5\", rtol = 1e-9, atol = 1e-14",
    "\"implicit-euler\"",
];

const G: f64 = 9.81;

fn name(method: &str) -> String {
    label(method.split(',').next().unwrap_or(method))
}

fn threshold_law() -> Vec<CaseTrial> {
    let (angle, mu) = (20.0, 0.6);
    let trial = move |epsilon: f64, method: &'static str| {
        CaseTrial::new(format!("ε {epsilon:e}, {}", name(method)), move |setting| {
            let rate = mu * G * cos(radians(angle)) / epsilon;
            // half of the Euler methods' limit 2/λ, or the step that the contact spring needs
            let h = (1.0 / rate).min(1e-4);
            let mut slide =
                BlockScene::threshold(angle, [mu; 2], epsilon).slide(setting, method, h)?;
            slide.rig.until(20.0 / rate)?;
            let exact = -epsilon * tan(radians(angle)) / mu;
            Ok(vec![CaseFigure::relative("creep", "m/s", exact, slide.speed(), 1e-6)])
        })
    };
    [1e-1, 1e-2, 1e-3].into_iter().flat_map(|e| METHODS.map(|m| trial(e, m))).collect()
}

/// Stiffness of bristles \[N/m\], and damping or viscosity \[N·s/m\] of laws with one: half of the
/// critical value at rest, since a bristle is softer near the cone.
const STIFFNESS: f64 = 1e4;
const VISCOSITY: f64 = 60.0;

/// A law as an inline table and as an object: its defaults, and the constants above where they
/// apply.
///
/// # Panics
/// With another required key, which wants a value here.
pub fn inline(row: &Entry<dyn FrictionLaw>, epsilon: f64) -> (String, Box<dyn FrictionLaw>) {
    let mut text = format!("{{ law = \"{}\"", row.name);
    let mut values = Values::defaults(row.keys);
    for key in row.keys {
        let value = match (key.name, key.default) {
            ("epsilon", _) => epsilon,
            ("stiffness", _) => STIFFNESS,
            ("damping", _) => VISCOSITY,
            (other, Fallback::Required) => panic!("no value of `{other}` to validate it with"),
            _ => continue,
        };
        text += &format!(", {} = {value:e}", key.name);
        values = values.set(key.name, Value::Number(value));
    }
    (text + " }", (row.make)(&values).expect("a law can be made of these"))
}

/// The root u of f(u) = target in 0 ≤ u ≤ `top`, for increasing f.
fn root(f: impl Fn(f64) -> f64, target: f64, top: f64) -> f64 {
    stiction_core::math::bisect(0.0, top, |u| f(u) < target)
}

/// A load on a law: the arguments of its closed form.
#[derive(Debug, Clone, Copy)]
pub struct CreepLoad {
    /// ρ = T/(μ_s N), with N = 9.81 N.
    pub ratio: f64,
    /// μ_s and μ_k.
    pub pair: Coefficients,
    /// ε of a law that has one \[m/s\].
    pub epsilon: f64,
}

impl CreepLoad {
    /// T/N.
    fn borne(&self) -> f64 {
        self.ratio * self.pair.static_friction
    }

    /// T/(μ_k N): the load ratio of smooth laws without a peak, which bear μ_k N.
    fn share(&self) -> f64 {
        self.borne() / self.pair.kinetic_friction
    }

    /// Creep speed ε u of such a law; `None` beyond its cone.
    fn below_cone(&self, u: f64) -> Option<f64> {
        (self.share() < 1.0).then_some(self.epsilon * u)
    }
}

/// Creep speed \[m/s\] of a law; `None`: it slides, or chatters.
pub type ClosedForm = fn(&CreepLoad) -> Option<f64>;

/// Closed forms of creep, derived a second time and not asked of the laws. A law that creeps and
/// does not stand here is told as not validated.
const CLOSED_FORMS: [(&str, ClosedForm); 12] = [
    (threshold::ENTRY.name, |load| Some(load.epsilon * load.ratio)),
    // the default formula: the threshold law's ramp, with μ falling from μ_s over .1 m/s
    (formula::ENTRY.name, |load| {
        let (s, k) = (load.pair.static_friction, load.pair.kinetic_friction);
        let mu = |v: f64| k + (s - k) * exp(-100.0 * v * v);
        Some(load.epsilon * root(|u| u * mu(load.epsilon * u), load.ratio * s, 1.0))
    }),
    (quadratic::ENTRY.name, |load| Some(load.epsilon * (1.0 - sqrt(1.0 - load.ratio)))),
    (cubic::ENTRY.name, |load| Some(load.epsilon * (1.0 - pow(1.0 - load.ratio, 1.0 / 3.0)))),
    (quintic::ENTRY.name, |load| {
        let step = |u: f64| pow(u, 3.0) * 10.0 - 15.0 * pow(u, 4.0) + 6.0 * pow(u, 5.0);
        Some(load.epsilon * root(step, load.ratio, 1.0))
    }),
    (hyperbolic::ENTRY.name, |load| {
        let share = load.share();
        load.below_cone(share / sqrt(1.0 - share * share))
    }),
    (friction::tanh::ENTRY.name, |load| {
        let share = load.share();
        load.below_cone(0.5 * log((1.0 + share) / (1.0 - share)))
    }),
    (stribeck::ENTRY.name, |load| {
        let (s, k) = (load.pair.static_friction, load.pair.kinetic_friction);
        let curve = |u: f64| tanh(u) * (k + (s - k) * exp(-(u / 10.0) * (u / 10.0)));
        let top = if s > k { 2.0 } else { 10.0 };
        Some(load.epsilon * root(curve, load.ratio * s, top))
    }),
    (viscous_cap::ENTRY.name, |load| Some(load.borne() * G / VISCOSITY)),
    (cundall_strack::ENTRY.name, |_| Some(0.0)),
    (lugre::ENTRY.name, |_| Some(0.0)),
    (dahl::ENTRY.name, |load| (load.share() < 1.0).then_some(0.0)),
];

/// The closed form of a law's creep, if a second one is written out here.
pub fn closed_form(name: &str) -> Option<ClosedForm> {
    CLOSED_FORMS.iter().find(|(law, _)| *law == name).map(|(_, form)| *form)
}

/// Load ratios under which every law is tried.
pub const RATIOS: [f64; 3] = [0.1, 0.5, 0.9];
/// Pairs μ_s, μ_k with which every law is tried.
pub const PAIRS: [[f64; 2]; 2] = [[0.5, 0.5], [0.6, 0.3]];

/// Whether a law states a creep speed under any load of these cases; the law without friction and
/// the sign law do not.
pub fn states_creep(law: &dyn FrictionLaw) -> bool {
    let under = |mu: [f64; 2]| {
        let pair = Coefficients { static_friction: mu[0], kinetic_friction: mu[1] };
        RATIOS.iter().any(|ratio| law.creep(*ratio, G, &pair).is_some())
    };
    PAIRS.into_iter().any(under)
}

fn every_law() -> Vec<CaseTrial> {
    FRICTION_LAWS.iter().flat_map(of_law).collect()
}

/// The trials of one law: none if it states no creep, a gap if its creep has no closed form here.
fn of_law(row: &'static Entry<dyn FrictionLaw>) -> Vec<CaseTrial> {
    let Some(form) = closed_form(row.name) else {
        let gap = |reason| vec![CaseTrial::not_validated(row.name, reason)];
        return match row.from_defaults() {
            Ok(law) if states_creep(&*law) => gap("its creep has no second closed form"),
            Ok(_) => Vec::new(),
            Err(_) => gap("it has a key without default, and its creep no second closed form"),
        };
    };
    let epsilon = 1e-2;
    let trial = |mu: [f64; 2], method: &'static str| {
        let variant = format!("{}, μ {}/{}, {}", row.name, mu[0], mu[1], name(method));
        CaseTrial::new(variant, move |setting| {
            let pair = Coefficients { static_friction: mu[0], kinetic_friction: mu[1] };
            let loads = RATIOS.map(|ratio| CreepLoad { ratio, pair, epsilon });
            let held = |load: &CreepLoad| held(setting, row, form, load, method);
            loads.iter().filter_map(|load| held(load).transpose()).collect()
        })
    };
    PAIRS.into_iter().flat_map(|mu| METHODS.map(|method| trial(mu, method))).collect()
}

/// The creep of one law under one load; `None` if it slides, chatters or may break away.
fn held(
    setting: &RigSetting,
    row: &'static Entry<dyn FrictionLaw>,
    form: ClosedForm,
    load: &CreepLoad,
    method: &str,
) -> Result<Option<CaseFigure>, Trouble> {
    let CreepLoad { ratio, pair, epsilon } = *load;
    let mu = [pair.static_friction, pair.kinetic_friction];
    let (law, made) = inline(row, epsilon);
    let Some(exact) = form(load) else { return Ok(None) };
    // beyond the kinetic cone a spring that is loaded at once may swing past its peak and break
    // away, as it should
    if made.has_memory() && ratio * mu[0] >= mu[1] && mu[0] > mu[1] {
        return Ok(None);
    }
    let push = ratio * mu[0] * G;
    let mut slide = BlockScene { law, push, ..BlockScene::threshold(0.0, mu, epsilon) }
        .slide(setting, method, 1e-4)?;
    // what is left of an error that falls by e in any time below 50 s is within the tolerance
    slide.until_steady(1e-9 * epsilon, 0.05, 1.0)?;
    let (reported, travelled) = (slide.speed(), slide.mean_speed(0.25)?);
    let further = (travelled - exact).abs() > (reported - exact).abs();
    let measured = if further { travelled } else { reported };
    let name = format!("creep at ρ {ratio}");
    Ok(Some(CaseFigure::absolute(name, "m/s", exact, measured, 1e-6 * epsilon)))
}

/// Slopes at rest, in units of μ N/ε.
const SLOPES: [(Entry<dyn FrictionLaw>, f64); 7] = [
    (threshold::ENTRY, 1.0),
    (quadratic::ENTRY, 2.0),
    (cubic::ENTRY, 3.0),
    (hyperbolic::ENTRY, 1.0),
    (friction::tanh::ENTRY, 1.0),
    (stribeck::ENTRY, 1.0),
    (viscous_cap::ENTRY, VISCOSITY * 1e-2 / (0.5 * G)),
];

fn slope_at_rest() -> Vec<CaseTrial> {
    let (mu, epsilon, ratio) = (0.5, 1e-2, 1e-5);
    let trial = move |row: Entry<dyn FrictionLaw>, slope: f64| {
        CaseTrial::new(row.name, move |setting| {
            let (law, push) = (inline(&row, epsilon).0, ratio * mu * G);
            let block = BlockScene { law, push, ..BlockScene::threshold(0.0, [mu; 2], epsilon) };
            let under = |method: &&str| {
                let mut slide = block.slide(setting, method, 1e-4)?;
                slide.rig.until(0.5)?;
                let measured = epsilon * ratio / slide.speed();
                let figure = format!("slope, {}", name(method));
                Ok(CaseFigure::relative(figure, "μN/ε", slope, measured, 1e-4))
            };
            METHODS.iter().map(under).collect()
        })
    };
    SLOPES.into_iter().map(|(row, slope)| trial(row, slope)).collect()
}

fn two_fates() -> Vec<CaseTrial> {
    let (angle, mu, epsilon) = (20.0, [0.6, 0.3], 1e-2);
    let trial = move |method: &'static str| {
        CaseTrial::new(name(method), move |setting| {
            let start = |share: f64| {
                let block = BlockScene {
                    speed: -share * epsilon,
                    ..BlockScene::threshold(angle, mu, epsilon)
                };
                let mut slide = block.slide(setting, method, 1e-4)?;
                slide.rig.until(1.0)?;
                Ok(-slide.speed())
            };
            let creep = epsilon * tan(radians(angle)) / mu[0];
            Ok(vec![
                CaseFigure::relative(
                    "speed after 1 s from .99 ε",
                    "m/s",
                    creep,
                    start(0.99)?,
                    1e-6,
                ),
                CaseFigure::absolute(
                    "speed after 1 s from 1.01 ε",
                    "m/s",
                    0.599802,
                    start(1.01)?,
                    1e-5,
                ),
            ])
        })
    };
    METHODS.into_iter().map(trial).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slope at rest in units of μ N/ε, from the law's own creep under two small loads; `None`: the law
    /// states no creep there, holds, or rises other than in proportion to the speed.
    fn stated_slope(law: &dyn FrictionLaw, epsilon: f64) -> Option<f64> {
        let pair = Coefficients { static_friction: 0.5, kinetic_friction: 0.5 };
        let under = |ratio: f64| {
            let speed = law.creep(ratio, G, &pair).filter(|speed| *speed > 0.0)?;
            Some(epsilon * ratio / speed)
        };
        let (slope, nearer) = (under(1e-5)?, under(1e-6)?);
        ((slope / nearer - 1.0).abs() < 1e-3).then_some(slope)
    }

    /// A formula's slope is that of its text, not of the law: it has none here.
    #[test]
    fn every_built_in_law_with_a_slope_at_rest_is_held_to_it() {
        let laws = FRICTION_LAWS.built_in().iter().filter(|row| row.name != formula::ENTRY.name);
        for row in laws {
            let stated = stated_slope(&*inline(row, 1e-2).1, 1e-2);
            let held =
                SLOPES.iter().find(|(known, _)| known.name == row.name).map(|(_, slope)| *slope);
            let agree = stated.zip(held).is_some_and(|(a, b)| (a / b - 1.0).abs() < 1e-3);
            assert!(agree || (stated, held) == (None, None), "{}: {stated:?}, {held:?}", row.name);
        }
    }

    #[test]
    fn every_built_in_law_is_held_to_a_second_closed_form_or_states_no_creep() {
        for row in FRICTION_LAWS.built_in() {
            let law = row.from_defaults().expect("a law");
            assert_eq!(closed_form(row.name).is_some(), states_creep(&*law), "{}", row.name);
            assert!(of_law(row).iter().all(|trial| trial.gap().is_none()), "{}", row.name);
        }
    }
}
