//! The memory of the previous step after a divided step.

use super::*;
use crate::integrators::stage::{KEYS, Newton};
use crate::registry::Values;
use crate::simulation::Simulation;
use crate::world::{Body, BuildOptions, World, named};

/// A method that fails on steps, or parts of them, longer than `longest` \[s\] that start within `at`.
struct Divided {
    method: Bdf2,
    at: [f64; 2],
    longest: f64,
}

impl Method for Divided {
    fn substep(
        &mut self,
        newton: &mut Newton,
        world: &StageWorld,
        from: &Substep,
        to: &mut TrialPoint,
        report: &mut StepReport,
    ) -> Result<(), NewtonFailure> {
        let within = self.at[0] <= from.time && from.time < self.at[1];
        if within && from.h > self.longest {
            return Err(NewtonFailure::NonFinite { particle: 0 });
        }
        self.method.substep(newton, world, from, to, report)
    }

    fn capabilities(&self) -> Capabilities {
        self.method.capabilities()
    }

    fn looks_back(&self) -> bool {
        self.method.looks_back()
    }
}

/// Both methods follow a parabola exactly, so free fall shows a wrong previous state: the parts of a
/// divided step use none, the step after it uses the start of the whole divided step.
#[test]
fn free_fall_stays_exact_through_a_divided_step() {
    let mut world = World::new();
    world.gravity([0.0, 0.0, -10.0]).step(0.1);
    world.body(Body::new("stone", named("particle")).mass(1.0).velocity([1.0, 0.0, 3.0]));
    for (longest, parts) in [(1.0, 1), (0.06, 2), (0.03, 4)] {
        let built = world.build(&BuildOptions::default()).expect("it fits together");
        let method = Divided { method: Bdf2::default(), at: [0.39, 0.49], longest };
        let newton = Newton::new(&Values::defaults(KEYS));
        let integrator = Box::new(Implicit::new(method, newton));
        let mut run = Simulation::new(built.model, built.state, integrator, 0.1);
        for step in 1..=10 {
            run.advance().expect("a step");
            let t = 0.1 * f64::from(step);
            let (x, v) = (run.state.positions[0], run.state.velocities[0]);
            assert!(
                (x.z - (3.0 * t - 5.0 * t * t)).abs() < 1e-12,
                "{parts} parts, step {step}: {x}"
            );
            assert!((v.z - (3.0 - 10.0 * t)).abs() < 1e-12, "{parts} parts, step {step}: {v}");
            assert!((x.x - t).abs() < 1e-12, "{parts} parts, step {step}: {x}");
        }
        assert_eq!(run.work.substeps, 9 + parts);
    }
}
