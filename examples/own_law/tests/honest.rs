//! Tests of three lines each: run a scene under several integrators, and say what must hold.

use std::sync::Once;
use stiction::experiment::base::Base;
use stiction::experiment::compare::Comparison;
use stiction::experiment::plan::Plan;
use stiction::math::{radians, tan};

/// The library scene of a block on an incline, under the law.
fn incline(integrators: &[&str], steps: &[&str]) -> Comparison {
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/incline_creep.toml");
    static NAMED: Once = Once::new();
    NAMED.call_once(|| own_law::register().expect("the only law of this name"));
    let plan = Plan::of(Base::file(scene)).laws(&["arctan"]);
    let mut plan = plan.integrators(integrators).steps(steps);
    plan.base.set.push("time.end=0.1".into());
    plan.run().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_integrator_finds_the_same_creep() {
    let comparison = incline(&["explicit-euler", "rk4", "implicit-euler", "bdf2"], &["1e-4"]);
    comparison.assert_agreement("creep", 1e-6);
    // (2/π) ε tan(π ρ/2)
    let (rho, right) = (tan(radians(20.0)) / 0.6, std::f64::consts::FRAC_PI_2);
    let exact = 1e-3 * tan(right * rho) / right;
    let creep = comparison.rows[0].figure("creep").expect("it is in contact");
    assert!((creep / exact - 1.0).abs() < 1e-5, "{creep} against {exact}");
}

#[test]
fn higher_order_is_closer() {
    let comparison = incline(&["explicit-euler", "heun", "rk4"], &["1e-4"]);
    comparison.assert_ranking("error", &["explicit-euler", "heun", "rk4"]);
}

#[test]
fn nothing_has_changed() {
    let comparison = incline(&["rk4", "implicit-euler"], &["1e-4"]);
    comparison.assert_baseline(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/arctan.json"));
}
