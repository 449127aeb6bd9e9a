//! One linear system a step, whatever its solver.

use crate::support::simulation;
use stiction_core::simulation::Simulation;

/// A row of blocks that slides, and is pressed down where it has just landed: N changes within
/// the step.
fn landing_row(count: usize, method: &str) -> Simulation {
    let positions: Vec<String> = (0..count).map(|i| format!("[{i}, 0, -1e-4]")).collect();
    let links: Vec<String> = (1..count).map(|i| format!("[{}, {i}]", i - 1)).collect();
    simulation(&format!(
        "format = 1
        time = {{ end = 0.1, step = 1e-3, output = 0.1 }}
        integrator = {{ method = {method} }}
        materials.rubber = {{ static_friction = 0.5 }}
        contact.normal = {{ stiffness = 1e4, damping = 20 }}
        contact.friction = {{ law = \"tanh\", epsilon = 0.1 }}
        [[body]]
        name = \"row\"
        shape.points = {{ positions = [{}], links = [{}], masses = [{}] }}
        springs.edge = {{ stiffness = 1e3, damping = 1 }}
        velocity = [0.5, 0.1, -0.1]
        [[collider]]
        name = \"floor\"
        shape.plane = {{}}
        ",
        positions.join(", "),
        links.join(", "),
        vec!["1"; count].join(", "),
    ))
}

/// The method stays the same at the size from which another solver is used.
#[test]
fn semi_implicit_takes_the_same_step_with_any_number_of_particles() {
    let states = |count: usize, solver: &str| {
        let tight = "linear_tolerance = 1e-13";
        let method = format!("\"semi-implicit\", {tight}, linear_solver = \"{solver}\"");
        let mut simulation = landing_row(count, &method);
        for _ in 0..5 {
            simulation.advance().expect("a step");
        }
        assert_eq!(simulation.work.substeps, 5, "{solver}");
        simulation.state.velocities
    };
    for count in [49, 51] {
        let exact = states(count, "sparse-lu");
        let off = |solver: &str| {
            let found = states(count, solver);
            found.iter().zip(&exact).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max)
        };
        for solver in ["automatic", "bicgstab", "pcg"] {
            assert!(off(solver) < 1e-11, "{count} with {solver}: {:e} off", off(solver));
        }
        // without the change of friction with N: near, but another step
        let off = off("sparse-cholesky");
        assert!(off > 1e-7 && off < 1e-1, "{count} with sparse-cholesky: {off:e} off");
    }
}

/// Pressed springs make the symmetric form indefinite at large steps.
#[test]
fn semi_implicit_takes_pressed_cloth_in_whole_steps() {
    for solver in ["automatic", "bicgstab", "pcg", "sparse-cholesky", "sparse-lu"] {
        let mut simulation = simulation(&format!(
            "format = 1
            world = {{ gravity = [0, 0, 0] }}
            time = {{ end = 1, step = 0.02, output = 1 }}
            materials.rubber = {{ static_friction = 0.5 }}
            integrator = {{ method = \"semi-implicit\", linear_solver = \"{solver}\" }}
            [[body]]
            name = \"cloth\"
            mass = 0.1
            shape.cloth = {{ counts = [8, 8], spacing = 0.05 }}
            springs = {{ edge = {{ stiffness = 500, damping = 0.1 }}, face_diagonal = {{ stiffness = 200, damping = 0.1 }} }}
            "
        ));
        for x in &mut simulation.state.positions {
            *x *= 0.9;
        }
        simulation.advance().expect("a step");
        assert_eq!(simulation.work.rejections, 0, "{solver}");
    }
}
