//! Derivatives of the projection onto a cone against differences.

use super::*;
use crate::impulses::problem::ContactRow;
use crate::state::Configuration;
use crate::world::{Body, Collider, World};

/// The contact of a ball on a floor.
pub(in crate::impulses::exact) fn like() -> ContactRow {
    let mut world = World::new();
    world.material(("wood", 0.5, 0.5));
    world.contact_method("exact");
    world.collider(Collider::plane("floor", [0.0, 0.0, 1.0], [0.0; 3]));
    world.body(Body::new("ball", "particle").mass(2.0).radius(0.1).position([0.0, 0.0, 0.1]));
    let built = world.build(&Default::default()).expect("a world");
    let (model, state) = (&built.model, &built.state);
    let mut near = Vec::new();
    let at = Configuration { time: 0.0, ..state.configuration() };
    model.surfaces.near(&at, 1e-3, &mut near);
    let problem = ContactProblem::new(model, state, &state.velocities, &near, &state.positions);
    problem.rows[0]
}

/// Its cone with a coefficient of friction.
fn cone(friction: f64) -> Cone {
    Cone::new(&like(), friction, 0.0)
}

/// At points inside the cone, beside it, and behind its tip, where all are projected onto the tip.
#[test]
fn the_slope_of_a_projection_is_what_its_differences_are() {
    let points = [
        Vector::new(2.0, 0.1, -0.05),
        Vector::new(1.0, 2.0, -3.0),
        Vector::new(0.0, -0.7, 0.2),
        Vector::new(-0.2, 1.0, 1.5),
        Vector::new(-2.0, 0.1, 0.1),
    ];
    let mut beside = 0;
    for mu in [0.1, 0.5, 1.0, 1.7] {
        let cone = cone(mu);
        for x in points {
            let found = slope(&cone, &x);
            let step = 1e-6;
            let right = Matrix::from_columns(&[0, 1, 2].map(|axis| {
                let by = Vector::ith(axis, step);
                (cone.projected(&(x + by)) - cone.projected(&(x - by))) / (2.0 * step)
            }));
            assert!((found - right).norm() < 1e-8, "μ = {mu}, {x}: {found}, not {right}");
            let moved = cone.projected(&x) != x && cone.projected(&x) != Vector::zeros();
            beside += usize::from(moved);
            // a projection onto a convex set is the gradient of a convex function, and does not expand
            let values = found.symmetric_eigenvalues();
            assert!((found - found.transpose()).norm() < 1e-12, "{found}");
            assert!(values.min() > -1e-12 && values.max() < 1.0 + 1e-12, "{values}");
        }
    }
    assert!(beside >= 8, "{beside} points beside their cone");
}
