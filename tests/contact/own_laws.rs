//! A law from outside is judged as a built-in one: every built-in law stands here once more as a law of
//! a user's, which says as little of itself as the trait allows, and the verdict has the same words.

use std::sync::Arc;
use stiction::prelude::*;
use stiction_core::contact::friction::{FRICTION_LAWS, SlipJacobian, steady_slip, stick_speed};
use stiction_core::math::{cos, radians, sin};
use stiction_core::registry::Value;
use stiction_core::world::Chosen;

/// A law known by its force, its rule of sticking, its damping and, if it has one, its stretch alone.
#[derive(Clone)]
struct Outside(Arc<dyn FrictionLaw>);

impl FrictionLaw for Outside {
    fn force(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        self.0.force(slip, pair)
    }

    fn derivative(&self, slip: &Slip, pair: &Coefficients) -> SlipJacobian {
        self.0.derivative(slip, pair)
    }

    fn relax(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        self.0.relax(slip, pair)
    }

    fn rate(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        self.0.rate(slip, pair)
    }

    fn sticks(&self, slip: &Slip, pair: &Coefficients) -> bool {
        self.0.sticks(slip, pair)
    }

    fn damping(&self, slip: &Slip, pair: &Coefficients) -> f64 {
        self.0.damping(slip, pair)
    }

    fn stiffness(&self) -> f64 {
        self.0.stiffness()
    }

    fn has_memory(&self) -> bool {
        self.0.has_memory()
    }

    fn is_kinked(&self) -> bool {
        self.0.is_kinked()
    }

    fn offset_under(&self, tangential_force: f64, stiffness: f64, kinetic_cone: f64) -> f64 {
        self.0.offset_under(tangential_force, stiffness, kinetic_cone)
    }
}

/// Values for some keys of a law.
fn keys_of(name: &str) -> Vec<(&'static str, f64)> {
    let row = FRICTION_LAWS.find(name).expect("a law");
    let values = [("epsilon", 5e-3), ("stiffness", 2e3), ("damping", 20.0), ("viscosity", 0.1)];
    values.into_iter().filter(|(key, _)| row.keys.iter().any(|known| known.name == *key)).collect()
}

/// A law of the table.
fn built_in(name: &str) -> Arc<dyn FrictionLaw> {
    let row = FRICTION_LAWS.find(name).expect("a law");
    let values = keys_of(name)
        .into_iter()
        .fold(Values::defaults(row.keys), |values, (key, x)| values.set(key, Value::Number(x)));
    (row.make)(&values).unwrap_or_else(|problem| panic!("{name}: {}", problem.message)).into()
}

/// The words of the verdict on a soft box on a slope of 15°, and where it is.
fn judged(
    law: impl Into<Chosen<dyn FrictionLaw>>,
    method: &str,
    step: f64,
    coefficients: (f64, f64),
) -> (Vec<String>, Vector) {
    let (sin, cos) = (sin(radians(15.0)), cos(radians(15.0)));
    let mut world = World::new();
    let wood = world.material(("wood", coefficients.0, coefficients.1));
    world.collider(Collider::plane("slope", [-sin, 0.0, cos], [0.0; 3]).material(wood));
    let jelly = Lattice::new([3, 2, 2], 0.1);
    world.body(Body::new("box", jelly).mass(1.0).springs(5e3, 10.0).rotation([0.0, -15.0, 0.0]));
    world.normal(named("linear").with("stiffness", 1e4).with("damping", 20.0));
    world.friction(law);
    world.integrator(method).step(step);
    let mut run = world.simulate().expect("a world");
    let end = run.advance_to(0.25);
    let verdict = run.verdict();
    let mut words: Vec<String> =
        verdict.reasons.iter().map(|reason| reason.describe(&run.model)).collect();
    words.extend(end.err().map(|error| error.describe(&run.model)));
    (words, run.state.positions[0])
}

#[test]
fn every_law_is_judged_alike_from_inside_and_from_outside() {
    let mut spoken = 0;
    for row in FRICTION_LAWS.built_in() {
        let law = built_in(row.name);
        for (method, step) in
            [("implicit-euler", 1e-3), ("tr-bdf2", 1e-3), ("rk4", 1e-4), ("rk4", 1e-3)]
        {
            for coefficients in [(0.5, 0.5), (0.5, 0.3)] {
                let inside = keys_of(row.name)
                    .into_iter()
                    .fold(named(row.name), |law, (key, value)| law.with(key, value));
                let inside = judged(inside, method, step, coefficients);
                let outside = judged(Outside(law.clone()), method, step, coefficients);
                assert_eq!(inside, outside, "{} under {method} at {step}", row.name);
                spoken += inside.0.len();
            }
        }
    }
    assert!(spoken > 20, "only {spoken} words were compared");
}

/// Creep, threshold and rest of a law that states none are those of its force and its rule of sticking.
#[test]
fn creep_and_threshold_are_found_from_the_force_alone() {
    for row in FRICTION_LAWS.built_in() {
        let law = built_in(row.name);
        let outside = Outside(law.clone());
        assert_eq!(stick_speed(&outside), law.threshold(), "{}", row.name);
        assert_eq!(outside.can_rest(), law.can_rest(), "{}", row.name);
        for (mu_s, mu_k) in [(0.5, 0.5), (0.6, 0.4)] {
            let pair = Coefficients { static_friction: mu_s, kinetic_friction: mu_k };
            for ratio in [1e-3, 0.2, 0.5, 0.8, 0.9] {
                for normal_force in [0.1, 30.0] {
                    let own = law.creep(ratio, normal_force, &pair);
                    let found = steady_slip(&outside, ratio, normal_force, &pair);
                    let same = match (own, found) {
                        (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * a.abs(),
                        (a, b) => a == b,
                    };
                    assert!(same, "{} at {ratio} of {normal_force} N: {own:?} {found:?}", row.name);
                }
            }
        }
    }
}
