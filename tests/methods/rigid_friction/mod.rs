//! Rigid twins that touch: sliding and spinning, rolling, tipping, and the friction limit of a body
//! with all its contacts. References: Farkas and others 2003, the statics of a box, slip to roll.

mod crates;
mod rolling;

use crate::support::method::advance;
use crate::support::simulation;
use rayon::prelude::*;
use stiction_core::math::{PI, Vector, acos, cos, degrees, sin, sqrt};
use stiction_core::simulation::Simulation;

const G: f64 = 9.81;

/// The one rigid body: centre of mass, its velocity and rate of turn.
fn body(run: &Simulation) -> (Vector, Vector, Vector) {
    let rigid = &run.model.rigid[0];
    let (velocity, spin) = rigid.twist(&run.state);
    (rigid.center(&run.state.positions), velocity, spin)
}

fn assert_near(name: &str, found: f64, expected: f64, share: f64) {
    println!("{name}: {found:.6}, {expected:.6} ({:+.3} %)", 100.0 * (found / expected - 1.0));
    assert!((found / expected - 1.0).abs() < share, "{name}: {found}, not {expected}");
}
