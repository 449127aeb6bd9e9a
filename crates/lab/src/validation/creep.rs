//! P2: creep under a load that friction holds, law by law.

use super::block::BlockScene;
use super::rig::label;
use super::{Case, CaseFigure, CaseTrial, RigSetting, Trouble};
use stiction_core::contact::friction::{FRICTION_LAWS, FrictionLaw};
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
pub fn inline(row: &Entry<dyn FrictionLaw>, epsilon: f64) -> (String, Box<dyn FrictionLaw>) {
    let mut text = format!("{{ law = \"{}\"", row.name);
    let mut values = Values::defaults(row.keys);
    for key in row.keys {
        let value = match (key.name, key.default) {
            ("epsilon", _) => epsilon,
            ("stiffness", _) => STIFFNESS,
            ("damping", _) | (_, Fallback::Required) => VISCOSITY,
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

/// Creep speed \[m/s\] under the load ρ μ_s N by the closed form of a law, written here
/// independently of the law; N = 9.81 N. `None`: it slides, or chatters.
pub fn closed_form(name: &str, ratio: f64, pair: &Coefficients, epsilon: f64) -> Option<f64> {
    let (s, k) = (pair.static_friction, pair.kinetic_friction);
    // the smooth laws without a peak carry at most μ_k N
    let share = ratio * s / k;
    let borne = |u: f64| (share < 1.0).then_some(epsilon * u);
    match name {
        "threshold" => Some(epsilon * ratio),
        // the default: the threshold law's ramp, with μ falling from μ_s over .1 m/s
        "formula" => {
            let mu = |v: f64| k + (s - k) * exp(-100.0 * v * v);
            Some(epsilon * root(|u| u * mu(epsilon * u), ratio * s, 1.0))
        }
        "quadratic" => Some(epsilon * (1.0 - sqrt(1.0 - ratio))),
        "cubic" => Some(epsilon * (1.0 - pow(1.0 - ratio, 1.0 / 3.0))),
        "quintic" => {
            let step = |u: f64| pow(u, 3.0) * 10.0 - 15.0 * pow(u, 4.0) + 6.0 * pow(u, 5.0);
            Some(epsilon * root(step, ratio, 1.0))
        }
        "hyperbolic" => borne(share / sqrt(1.0 - share * share)),
        "tanh" => borne(0.5 * log((1.0 + share) / (1.0 - share))),
        "stribeck" => {
            let curve = |u: f64| tanh(u) * (k + (s - k) * exp(-(u / 10.0) * (u / 10.0)));
            let top = if s > k { 2.0 } else { 10.0 };
            Some(epsilon * root(curve, ratio * s, top))
        }
        "viscous-cap" => Some(ratio * s * G / VISCOSITY),
        "cundall-strack" | "lugre" => Some(0.0),
        "dahl" => (share < 1.0).then_some(0.0),
        _ => None,
    }
}

fn every_law() -> Vec<CaseTrial> {
    let epsilon = 1e-2;
    let mut trials = Vec::new();
    for row in &FRICTION_LAWS {
        for mu in [[0.5, 0.5], [0.6, 0.3]] {
            for method in METHODS {
                let variant = format!("{}, μ {}/{}, {}", row.name, mu[0], mu[1], name(method));
                trials.push(CaseTrial::new(variant, move |setting| {
                    let held = |ratio: &f64| held(setting, row, mu, *ratio, epsilon, method);
                    [0.1, 0.5, 0.9].iter().filter_map(|ratio| held(ratio).transpose()).collect()
                }));
            }
        }
    }
    trials.retain(|trial| {
        !trial.variant.starts_with("none") && !trial.variant.starts_with("kinetic")
    });
    trials
}

/// One law under one load; nothing if it does not creep.
fn held(
    setting: &RigSetting,
    row: &'static Entry<dyn FrictionLaw>,
    mu: [f64; 2],
    ratio: f64,
    epsilon: f64,
    method: &str,
) -> Result<Option<CaseFigure>, Trouble> {
    let (law, made) = inline(row, epsilon);
    let pair = Coefficients { static_friction: mu[0], kinetic_friction: mu[1] };
    let Some(exact) = closed_form(row.name, ratio, &pair, epsilon) else { return Ok(None) };
    // beyond the kinetic cone a suddenly loaded spring may exceed its peak and break away, as it
    // should
    if made.has_memory() && ratio * mu[0] >= mu[1] && mu[0] > mu[1] {
        return Ok(None);
    }
    let push = ratio * mu[0] * G;
    let mut slide = BlockScene { law, push, ..BlockScene::threshold(0.0, mu, epsilon) }
        .slide(setting, method, 1e-4)?;
    slide.rig.until(1.0)?;
    let (reported, travelled) = (slide.speed(), slide.mean_speed(0.5)?);
    let further = (travelled - exact).abs() > (reported - exact).abs();
    let measured = if further { travelled } else { reported };
    let name = format!("creep at ρ {ratio}");
    Ok(Some(CaseFigure::absolute(name, "m/s", exact, measured, 1e-6 * epsilon)))
}

/// Slopes at rest, in units of μ N/ε.
const SLOPES: [(&str, f64); 7] = [
    ("threshold", 1.0),
    ("quadratic", 2.0),
    ("cubic", 3.0),
    ("hyperbolic", 1.0),
    ("tanh", 1.0),
    ("stribeck", 1.0),
    ("viscous-cap", VISCOSITY * 1e-2 / (0.5 * G)),
];

fn slope_at_rest() -> Vec<CaseTrial> {
    let (mu, epsilon, ratio) = (0.5, 1e-2, 1e-5);
    let trial = move |law: &'static str, slope: f64| {
        CaseTrial::new(law, move |setting| {
            let row = FRICTION_LAWS.find(law).expect("the row");
            let (law, push) = (inline(row, epsilon).0, ratio * mu * G);
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
    SLOPES.into_iter().map(|(law, slope)| trial(law, slope)).collect()
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
