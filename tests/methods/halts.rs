//! A stop at every single look at the request: the step is given back, and a run resumed from its start has the
//! bits of one that was not stopped.

use crate::support::simulation;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use stiction_core::halt::Halt;
use stiction_core::simulation::Simulation;
use stiction_core::step_error::StepError;

const STEPS: u64 = 8;

/// A soft block that slides and turns on a floor, under a method and a method of contact.
fn text(method: &str, contact: &str) -> String {
    format!(
        "format = 1
        world.gravity = [0, 0, -9.81]
        time = {{ end = 1, step = 2e-3, output = 1 }}
        integrator = {{ {method} }}
        materials.wood = {{ static_friction = 0.5 }}
        [contact]
        {contact}
        [[collider]]
        name = \"floor\"
        shape.plane = {{}}
        material = \"wood\"
        [[body]]
        name = \"block\"
        material = \"wood\"
        mass = 0.8
        position = [0, 0, -1e-4]
        velocity = [1, 0.2, -0.1]
        spin = [0, 0, 3]
        shape = {{ lattice = {{ counts = [2, 2, 2], spacing = 0.1 }} }}
        springs = {{ edge = {{ stiffness = 2e3, damping = 2 }}, face_diagonal = {{ stiffness = 1e3, damping = 1 }} }}"
    )
}

/// The run that looks at a request which is made at the look with a number, and the number of looks so far.
fn halted(text: &str, at: u64) -> (Simulation, Arc<AtomicU64>) {
    let mut run = simulation(text);
    let looks = Arc::new(AtomicU64::new(0));
    let counted = looks.clone();
    let model = Arc::get_mut(&mut run.model).expect("nobody shares it yet");
    model.halt = Halt::when(move || counted.fetch_add(1, Ordering::Relaxed) + 1 >= at);
    (run, looks)
}

/// All that a checkpoint holds, number by number.
fn bits(run: &Simulation) -> String {
    serde_json::to_string(&run.checkpoint()).expect("a checkpoint")
}

const PENALTY: &str = "normal = { law = \"linear\", stiffness = 1e4, damping = 10 }
    friction = { law = \"threshold\", epsilon = 1e-2 }";

#[test]
fn a_stop_at_any_look_gives_the_step_back() {
    let newton =
        ["implicit-euler", "trapezoid", "implicit-midpoint", "bdf2", "sdirk2", "tr-bdf2", "imex"];
    let solvers = ["pcg", "bicgstab", "sparse-lu"];
    let penalty = newton.iter().flat_map(|method| {
        solvers
            .map(|solver| (format!("method = \"{method}\", linear_solver = \"{solver}\""), PENALTY))
    });
    let others = [
        ("method = \"semi-implicit\", linear_solver = \"pcg\"".to_string(), PENALTY),
        ("method = \"rk45\"".to_string(), PENALTY),
        ("method = \"symplectic-euler\"".to_string(), "method = \"impulse\""),
        ("method = \"rk4\"".to_string(), "method = \"impulse\""),
        ("method = \"symplectic-euler\"".to_string(), "method = \"exact\""),
        ("method = \"rk4\"".to_string(), "method = \"exact\""),
        ("method = \"symplectic-euler\"".to_string(), "method = \"exact\"\nsolver = \"conic\""),
    ];
    let mut stops = 0;
    for (method, contact) in penalty.chain(others) {
        let text = text(&method, contact);
        let (mut straight, looks) = halted(&text, u64::MAX);
        let mut states = vec![bits(&straight)];
        for _ in 0..STEPS {
            straight.advance().unwrap_or_else(|error| panic!("{method}, {contact}: {error:?}"));
            states.push(bits(&straight));
        }
        let looks = looks.load(Ordering::Relaxed);
        assert!(looks > 0, "{method}, {contact}: nobody looks");
        for at in 1..=looks {
            let (mut run, _) = halted(&text, at);
            let error = (0..STEPS).find_map(|_| run.advance().err());
            let cause = error.expect("it is stopped").cause;
            assert_eq!(cause, StepError::Stopped, "{method}, {contact}, look {at}");
            let step = run.state.step_count as usize;
            assert_eq!(bits(&run), states[step], "{method}, {contact}: step {step}, look {at}");
            let mut resumed = simulation(&text);
            resumed.restore(&run.checkpoint());
            while resumed.state.step_count < STEPS {
                resumed.advance().expect("no request is made");
            }
            assert_eq!(bits(&resumed), states[STEPS as usize], "{method}, {contact}, look {at}");
            stops += 1;
        }
    }
    assert!(stops > 2000, "{stops} stops");
    println!("{stops} stops");
}
