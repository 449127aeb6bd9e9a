//! Work against precision: error of the place where a block comes to rest on a shaking floor,
//! against force evaluations and CPU time, for integrators × friction laws × steps. The truth is
//! rk4 under the same law, at a step whose result agrees with that of the next longer step to 1e-9
//! m. Prints CSV.
//!
//! `cargo bench --bench work_precision > work_precision.csv`

use cpu_time::ProcessTime;
use std::path::Path;
use stiction_lab::run::Run;
use stiction_scene::build::BuildOptions;
use stiction_scene::{LoadOptions, load_text};

const LAWS: [(&str, &str); 4] = [
    ("threshold", r#"{ law = "threshold", epsilon = 1e-2 }"#),
    ("quadratic", r#"{ law = "quadratic", epsilon = 1e-2 }"#),
    ("tanh", r#"{ law = "tanh", epsilon = 1e-2 }"#),
    ("cundall-strack", r#"{ law = "cundall-strack", stiffness = 1e4, damping = 40 }"#),
];

const METHODS: [&str; 7] =
    ["symplectic-euler", "heun", "rk4", "dopri5", "rk45", "implicit-euler", "trapezoid"];

/// Displacement along x at the end \[m\], evaluations and CPU seconds.
fn measured(law: &str, method: &str, step: f64) -> Option<(f64, u64, f64)> {
    let text = format!(
        r#"
format = 1
world = {{ gravity = [0, 0, -9.81] }}
time = {{ end = 0.6, step = {step:e}, output = 0.6 }}
integrator.method = "{method}"
materials.wood = {{ static_friction = 0.4 }}
contact.normal = {{ law = "linear", stiffness = 1e5, damping = 200 }}
contact.friction = {law}
[[body]]
name = "block"
mass = 1.0
shape = {{ particle = {{}} }}
position = [0, 0, -9.81e-5]
velocity = [1, 0, 0]
[[collider]]
name = "floor"
shape = {{ plane = {{}} }}
motion = {{ oscillate = {{ direction = [1, 0, 0], amplitude = 0.01, frequency = 4 }} }}
"#
    );
    let scene = load_text("block", &text, Path::new("."), &LoadOptions::default());
    let scene = scene.expect("a sound scene").scene;
    let mut run = Run::new(&scene, &BuildOptions::default()).expect("a sound scene");
    let start = ProcessTime::now();
    run.simulation_mut().advance_to(0.6).ok()?;
    let seconds = start.elapsed().as_secs_f64();
    let simulation = run.simulation();
    Some((simulation.state.positions[0].x, simulation.work.evaluations, seconds))
}

fn main() {
    println!("law,method,step,evaluations,cpu_seconds,error");
    for (name, law) in LAWS {
        let [coarse, truth] = [4e-6, 2e-6].map(|step| measured(law, "rk4", step).expect("rk4").0);
        let doubt = (coarse - truth).abs();
        assert!(doubt < 1e-7, "{name}: the truth is known to {doubt:e} m only");
        for method in METHODS {
            for step in [4e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5] {
                let Some((x, evaluations, seconds)) = measured(law, method, step) else {
                    println!("{name},{method},{step:e},,,");
                    continue;
                };
                let error = (x - truth).abs();
                println!("{name},{method},{step:e},{evaluations},{seconds:.3e},{error:.3e}");
            }
        }
    }
}
