//! Where `stiffness` once contradicted runs: slopes, bodies on bodies, and scenes that take long.

use std::cell::Cell;
use std::path::Path;
use stiction_core::integrators::INTEGRATORS;
use stiction_core::math::{Vector, bisect, sin, sqrt};
use stiction_core::simulation::Simulation;
use stiction_core::state::State;
use stiction_core::state::memory::Memory;
use stiction_lab::experiment::stiffness::{AnalysisSetting, analyse};
use stiction_scene::build::{BuildOptions, build};
use stiction_scene::{LoadOptions, Scene, load_text};

fn scene(text: &str) -> Scene {
    load_text("test.toml", text, Path::new("."), &LoadOptions::default())
        .unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
        .scene
}

/// A soft box of seventeen layers on a slope of two degrees: its spectrum has modes that hardly
/// move.
fn on_a_slope() -> Scene {
    scene(
        "format = 1
        time = { end = 1.0, step = 1e-5, output = 0.1 }
        world = { gravity = [0.342364, 0, -9.804024], planar = \"xz\" }
        integrator.method = \"symplectic-euler\"
        materials.rubber.static_friction = 0.5
        contact.normal = { stiffness = 2e5, damping = 20 }
        contact.friction = { law = \"threshold\", epsilon = 1e-3 }
        [[body]]
        name = \"box\"
        mass = 10
        shape.lattice = { counts = [7, 1, 17], spacing = 0.1 }
        springs = { edge = { stiffness = 5e4, damping = 5 }, face_diagonal = { stiffness = 5e4, damping = 5 } }
        [[collider]]
        name = \"floor\"
        shape.plane = {}
        [[drag]]
        body = \"box\"
        rate = 50
        ",
    )
}

/// The state to which a scene settles under implicit Euler.
fn settled(scene: &Scene) -> State {
    let built = build(scene, &BuildOptions::default()).expect("a model");
    let method = INTEGRATORS.find("implicit-euler").and_then(|row| row.from_defaults().ok());
    let mut run = Simulation::new(built.model, built.state, method.expect("a method"), 0.01);
    (0..200).for_each(|_| run.advance().expect("a step"));
    run.state
}

/// Growth of the distance between two runs whose velocities differed by up to 1e-7 m/s.
fn parted(scene: &Scene, from: &State, integrator: &str, step: f64) -> f64 {
    let ends = [0.0, 1e-7].map(|kick| {
        let built = build(scene, &BuildOptions::default()).expect("a model");
        let method = INTEGRATORS.find(integrator).and_then(|row| row.from_defaults().ok());
        let mut state = from.clone();
        for (i, v) in state.velocities.iter_mut().enumerate() {
            let k = i as f64;
            *v += Vector::new(sin(1.0 + 2.3 * k), 0.0, 0.1 * sin(0.4 + 1.7 * k)) * kick;
        }
        state.memory = Memory::default();
        let mut run = Simulation::new(built.model, state, method.expect("a method"), step);
        // a run that blows up is as far off as any
        (0..600).all(|_| run.advance().is_ok()).then_some(run.state)
    });
    let [Some(one), Some(other)] = ends else { return f64::INFINITY };
    let apart = one.velocities.iter().zip(&other.velocities).map(|(a, b)| (a - b).amax());
    apart.fold(0.0, f64::max) / 1e-7
}

#[test]
fn on_a_slope_the_limit_is_that_of_runs() {
    let scene = on_a_slope();
    let found = analyse(&scene, &BuildOptions::default(), &AnalysisSetting::default());
    let found = found.expect("an analysis");
    let state = settled(&scene);
    for integrator in ["symplectic-euler", "velocity-verlet", "velocity-verlet-reevaluated"] {
        let price = found.prices.iter().find(|price| price.integrator == integrator);
        let limit = price.and_then(|price| price.largest_step).expect("a limit");
        let stable = |step: f64| parted(&scene, &state, integrator, step) < 10.0;
        let measured = bisect(0.5 * limit, 2.0 * limit, stable);
        println!("{integrator}: {limit:.4e} s said, {measured:.4e} s by bisection");
        assert!((limit / measured - 1.0).abs() < 0.02, "{integrator}: {limit:e}, {measured:e}");
    }
}

/// A box on a box, flush: particles above edges and vertices of what they lie on, with shares of
/// their contacts of any size.
fn box_on_box(counts: [u32; 3]) -> Scene {
    let [a, b, c] = counts;
    let mass = f64::from(a * b * c) * 3.2e-3;
    let body = |name: &str, z: f64| {
        format!(
            "[[body]]
            name = \"{name}\"
            mass = {mass:e}
            position = [0, 0, {z:e}]
            shape.lattice = {{ counts = {counts:?}, spacing = 0.1 }}
            springs = {{ edge = {{ stiffness = 5e3, damping = 1 }}, face_diagonal = {{ stiffness = 5e3, damping = 1 }} }}
            "
        )
    };
    scene(&format!(
        "format = 1
        time = {{ end = 1.0, step = 1e-5, output = 0.1 }}
        integrator.method = \"symplectic-euler\"
        materials.rubber.static_friction = 0.5
        contact.bodies = true
        contact.normal = {{ stiffness = 2e4, damping = 1 }}
        contact.friction = {{ law = \"threshold\", epsilon = 1e-3 }}
        {}{}
        [[collider]]
        name = \"floor\"
        shape.plane = {{}}
        ",
        body("lower", 0.0),
        body("upper", 0.1 * f64::from(c - 1))
    ))
}

#[test]
fn contact_between_bodies_has_the_frequency_of_its_stiffness() {
    let found =
        analyse(&box_on_box([3, 3, 3]), &BuildOptions::default(), &AnalysisSetting::default());
    let found = found.expect("an analysis");
    let own = sqrt(2e4 / 3.2e-3);
    let (_, contact) =
        found.snapshots[1].worst(|rates| rates.contact_frequency).expect("it is in contact");
    // a few contacts of one particle add: more than one, but not tens
    println!("{contact:.0} rad/s, √(k/m) = {own:.0} rad/s");
    assert!((own..5.0 * own).contains(&contact), "{contact}, {own}");
    let (_, damping) =
        found.snapshots[1].worst(|rates| rates.contact_damping_rate).expect("it is damped");
    assert!(damping < 25.0 / 3.2e-3, "{damping}");
    let imex = found.prices.iter().find(|price| price.integrator == "imex").expect("the row");
    assert!(imex.largest_step.is_some_and(|step| step > 0.1 / own), "{:?}", imex.largest_step);
}

#[test]
fn what_there_is_no_time_for_is_named() {
    let (asked, said) = (Cell::new(0), Cell::new(0));
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > 5
    };
    let setting = AnalysisSetting {
        stop: &stop,
        stage: &|_| said.set(said.get() + 1),
        ..AnalysisSetting::default()
    };
    let found = analyse(&box_on_box([3, 3, 3]), &BuildOptions::default(), &setting);
    let found = found.expect("an analysis");
    assert!(found.missing.iter().any(|what| what.contains("settling")), "{:?}", found.missing);
    assert!(found.missing.iter().any(|what| what == "tr-bdf2"), "{:?}", found.missing);
    assert!(found.settling.contains("no time"), "{}", found.settling);
    assert!(said.get() > 3);
}
