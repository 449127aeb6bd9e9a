//! The goals of the league that do not depend on the machine, on the very scenes of the table.

#![allow(dead_code)] // the table's part of these modules belongs to the example

#[path = "../../examples/league/goals.rs"]
mod goals;
#[path = "../../examples/league/rows.rs"]
mod rows;
#[path = "../../examples/league/runs.rs"]
mod runs;

use goals::Goal;

fn assert_reached(goals: Vec<Goal>) {
    goals.iter().for_each(|goal| println!("{}: {}", goal.what, goal.found));
    let missed = goals.iter().filter(|goal| !goal.reached);
    let missed: Vec<String> = missed.map(|goal| format!("{}: {}", goal.what, goal.found)).collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn what_holds_does_not_creep_and_what_creeps_does_as_its_law() {
    assert_reached(goals::holding());
}

/// A body that is put together anew with every step may lose half a unit in the last place of a
/// coordinate below a metre.
#[test]
fn a_rigid_box_under_cones_drifts_by_rounding_alone() {
    for letter in goals::HOLDING {
        let row = rows::Row::of(letter);
        let Some(ran) = row.play(5) else { continue };
        let drift = ran.growth(row.column, [1.0, 2.0]);
        println!("{letter}: {drift:e} m in {} steps", ran.steps / 2);
        assert!(drift.abs() <= f64::EPSILON / 2.0 * (ran.steps / 2) as f64, "{letter}: {drift:e}");
        assert!(ran.verdict.faultless(), "{letter}: {}", ran.verdict.marks());
    }
}

#[test]
fn soft_boxes_slide_as_far_as_coulomb_says() {
    assert_reached(goals::sliding());
}

#[test]
fn the_step_does_not_matter() {
    assert_reached(goals::steps());
}

#[test]
fn the_first_step_that_is_too_large_is_named() {
    assert_reached(goals::warnings());
}

#[test]
fn both_coefficients_arrive() {
    assert_reached(goals::delivered());
}

#[test]
fn restitution_arrives() {
    assert_reached(goals::bounces());
}

#[test]
fn pushes_tip_or_slide() {
    assert_reached(goals::verdicts());
}
