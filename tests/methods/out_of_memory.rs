//! Memory that a linear solver lacks in the midst of a step.

use crate::support::simulation;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use stiction::cli::failures::step_exit;
use stiction::cli::terminal::Exit;
use stiction_core::integrators::implicit::{Implicit, Method, Substep, TrialPoint};
use stiction_core::integrators::stage::{KEYS, Newton, NewtonFailure, StageWorld};
use stiction_core::integrators::{Capabilities, INTEGRATORS, StepReport};
use stiction_core::linear::LinearError;
use stiction_core::registry::Values;
use stiction_core::simulation::Simulation;

/// Fails at every attempt, and counts them.
struct Failing {
    cause: LinearError,
    attempts: Arc<AtomicU32>,
}

impl Method for Failing {
    fn substep(
        &mut self,
        _newton: &mut Newton,
        _world: &StageWorld,
        _from: &Substep,
        _to: &mut TrialPoint,
        _report: &mut StepReport,
    ) -> Result<(), NewtonFailure> {
        self.attempts.fetch_add(1, Ordering::Relaxed);
        let cause = self.cause;
        Err(NewtonFailure::Unsolved { cause, iterations: 1, residual: 1.0, particle: 0 })
    }

    fn capabilities(&self) -> Capabilities {
        let row = INTEGRATORS.find("implicit-euler").expect("a method");
        (row.make)(&Values::defaults(row.keys)).expect("a method").capabilities()
    }
}

/// No shorter step needs less: the step is not halved, and the exit is that of a limit.
#[test]
fn a_step_that_lacks_memory_is_not_halved_and_exits_as_a_limit() {
    let of_memory = LinearError::OutOfMemory { needed_bytes: 3001 << 20 };
    for (cause, tries, exit) in
        [(of_memory, 1, Exit::Limit), (LinearError::Singular, 11, Exit::Simulation)]
    {
        let start = simulation(
            "format = 1
            world.gravity = [0, 0, -10]
            time = { end = 1, step = 0.1, output = 1 }
            integrator.method = \"implicit-euler\"
            materials.wood = { static_friction = 0.5 }
            [[body]]
            name = \"stone\"
            mass = 1
            shape = { particle = {} }
            ",
        );
        let attempts = Arc::new(AtomicU32::new(0));
        let method = Failing { cause, attempts: Arc::clone(&attempts) };
        let newton = Newton::new(&Values::defaults(KEYS));
        let method = Box::new(Implicit::new(method, newton));
        let mut run = Simulation::new(start.model, start.state, method, 0.1);
        let error = run.advance().expect_err("nothing was solved");
        assert_eq!(attempts.load(Ordering::Relaxed), tries, "{error}");
        assert_eq!(step_exit(&error), exit, "{error}");
        let told = error.describe(&run.model);
        assert_eq!(told.contains("3001 MiB"), exit == Exit::Limit, "{told}");
        let remedy = error.remedy().unwrap_or_default();
        assert_eq!(remedy.contains("no smaller step"), exit == Exit::Limit, "{remedy}");
    }
}
