//! P3: amplification factor of a deviation from the creep speed in one step, for methods without a
//! limit.

use super::limits::loaded_block;
use super::{Case, CaseFigure, CaseTrial};
use stiction_core::integrators::{
    INTEGRATORS, Integrator, bdf2, imex, implicit_euler, implicit_midpoint, sdirk2, semi_implicit,
    tr_bdf2, trapezoid,
};
use stiction_core::math::{pow, sqrt};
use stiction_core::registry::Entry;

/// The cases.
pub const CASES: &[Case] = &[Case {
    group: "P3",
    name: "factor per step",
    about: "z = h λ: backward Euler 1/(1 + z); trapezoid and implicit midpoint (1 − z/2)/(1 + z/2), which ring for z > 2; SDIRK2, TR-BDF2 and the first step of BDF2 (1 − (1 − 2γ) z)/(1 + γ z)², γ = 1 − √½",
    trials,
}];

/// The factor as a function of h λ.
type Factor = fn(f64) -> f64;

fn backward(z: f64) -> f64 {
    1.0 / (1.0 + z)
}

fn midway(z: f64) -> f64 {
    (1.0 - 0.5 * z) / (1.0 + 0.5 * z)
}

/// The only factor of order two that vanishes at infinity and has its double pole at −1/γ.
fn twice(z: f64) -> f64 {
    let gamma = 1.0 - sqrt(0.5);
    (1.0 - (1.0 - 2.0 * gamma) * z) / pow(1.0 + gamma * z, 2.0)
}

/// Rows, keys beside their names, and their factors, derived without the methods. An implicit
/// method that does not stand here is told as not validated.
const FACTORS: [(Entry<dyn Integrator>, &str, Factor); 8] = [
    (implicit_euler::ENTRY, TIGHT, backward),
    (semi_implicit::ENTRY, "", backward),
    (imex::ENTRY, "", backward),
    (trapezoid::ENTRY, TIGHT, midway),
    (implicit_midpoint::ENTRY, TIGHT, midway),
    (bdf2::ENTRY, TIGHT, twice),
    (sdirk2::ENTRY, TIGHT, twice),
    (tr_bdf2::ENTRY, TIGHT, twice),
];

const TIGHT: &str = ", newton_tolerance = 1e-13";

fn trials() -> Vec<CaseTrial> {
    let trial = |(row, keys, exact): (Entry<dyn Integrator>, &str, Factor)| {
        let method = format!("\"{}\"{keys}", row.name);
        CaseTrial::new(row.name, move |setting| {
            let epsilon = 1e-2;
            let (rate, creep) = (0.5 * 9.81 / epsilon, 0.25 * epsilon);
            let factor = |z: f64| {
                let mut rig = loaded_block(setting, &method, z / rate, epsilon, creep * 1.01)?;
                let before = rig.state.velocities[0].x - creep;
                rig.advance()?;
                let found = (rig.state.velocities[0].x - creep) / before;
                Ok(CaseFigure::absolute(format!("factor at z = {z}"), "", exact(z), found, 1e-8))
            };
            [0.5, 2.0, 10.0, 100.0].into_iter().map(factor).collect()
        })
    };
    FACTORS.into_iter().map(trial).chain(gaps()).collect()
}

/// Implicit methods without a factor.
fn gaps() -> impl Iterator<Item = CaseTrial> {
    let known = |name: &str| FACTORS.iter().any(|(row, ..)| row.name == name);
    let implicit = move |row: &&'static Entry<dyn Integrator>| {
        !known(row.name) && row.from_defaults().is_ok_and(|method| method.capabilities().implicit)
    };
    let gap = |row: &'static Entry<dyn Integrator>| {
        CaseTrial::not_validated(row.name, "its factor per step is derived nowhere else")
    };
    INTEGRATORS.iter().filter(implicit).map(gap)
}
