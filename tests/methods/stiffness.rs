//! `stiffness` says before a run which steps will be stable: against exact rates, against the
//! published lattice limits, and against runs a little below and above what it says.

use std::path::Path;
use stiction_core::diagnosis::spectrum::{Linearised, Mode};
use stiction_core::diagnosis::stable_step::{Culprit, culprit};
use stiction_core::integrators::INTEGRATORS;
use stiction_core::math::{Vector, sin, sqrt};
use stiction_core::registry::Values;
use stiction_core::simulation::Simulation;
use stiction_core::state::memory::Memory;
use stiction_lab::experiment::stiffness::{AnalysisSetting, Price, Stiffness, analyse};
use stiction_scene::build::{BuildOptions, build};
use stiction_scene::{LoadOptions, Scene, load_text};

fn scene(text: &str) -> Scene {
    load_text("test.toml", text, Path::new("."), &LoadOptions::default())
        .unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
        .scene
}

fn analysed(scene: &Scene) -> Stiffness {
    analyse(scene, &BuildOptions::default(), &AnalysisSetting::default()).expect("an analysis")
}

fn price<'a>(found: &'a Stiffness, integrator: &str) -> &'a Price {
    found.prices.iter().find(|price| price.integrator == integrator).expect("the row")
}

/// The lattice of the published limits: 7 columns of particles of 10/119 kg.
fn lattice(layers: usize) -> Scene {
    let mass = 10.0 * layers as f64 / 17.0;
    scene(&format!(
        "format = 1
        [world]
        planar = \"xz\"
        [time]
        end = 1.0
        step = 1e-5
        output = 0.1
        [integrator]
        method = \"symplectic-euler\"
        [materials.rubber]
        static_friction = 0.5
        [contact]
        normal = {{ stiffness = 2e5, damping = 20 }}
        friction = {{ law = \"threshold\", epsilon = 1e-3 }}
        [[body]]
        name = \"box\"
        material = \"rubber\"
        mass = {mass:e}
        shape.lattice = {{ counts = [7, 1, {layers}], spacing = 0.1 }}
        springs = {{ edge = {{ stiffness = 5e4, damping = 5 }}, face_diagonal = {{ stiffness = 5e4, damping = 5 }} }}
        [[collider]]
        name = \"floor\"
        material = \"rubber\"
        shape.plane = {{}}
        "
    ))
}

#[test]
fn one_block_has_the_rates_of_its_formulas() {
    let weight = 9.81;
    let found = analysed(&scene(
        "format = 1
        time = { end = 1.0, step = 1e-4, output = 0.1 }
        integrator.method = \"rk4\"
        materials.rubber.static_friction = 0.5
        contact.normal = { stiffness = 1e5, damping = 200 }
        contact.friction = { law = \"threshold\", epsilon = 1e-2 }
        [[body]]
        name = \"block\"
        material = \"rubber\"
        mass = 2.0
        shape.particle = {}
        position = [0, 0, -1e-4]
        [[collider]]
        name = \"floor\"
        material = \"rubber\"
        shape.plane = {}
        ",
    ));
    let settled = &found.snapshots[1];
    let near = |found: f64, exact: f64| {
        assert!((found / exact - 1.0).abs() < 1e-5, "{found}, {exact} expected");
    };
    near(settled.rates[0].friction_rate, 0.5 * weight / 1e-2);
    near(settled.rates[0].contact_frequency, sqrt(1e5 / 2.0));
    near(settled.rates[0].contact_damping_rate, 100.0);
    near(settled.spectrum.radius(), 0.5 * weight / 1e-2);
    let euler = price(&found, "explicit-euler");
    // the bound h < 2 ζ/ω = c/k is stricter than 2/λ here
    near(euler.largest_step.expect("a limit"), 200.0 / 1e5);
    assert_eq!(euler.culprit, Some(Culprit::NormalContact(0)));
    let rk4 = price(&found, "rk4");
    near(rk4.largest_step.expect("a limit"), 2.785_293_563 / 490.5);
    assert_eq!(rk4.culprit, Some(Culprit::Friction(0)));
    assert_eq!(price(&found, "implicit-euler").largest_step, None);
}

#[test]
fn springs_are_told_from_friction() {
    // two particles on a damped spring: ω² = 2 k/m, λ = 2 c/m
    let found = analysed(&scene(
        "format = 1
        world.gravity = [0, 0, 0]
        time = { end = 1.0, step = 1e-4, output = 0.1 }
        integrator.method = \"symplectic-euler\"
        materials.rubber.static_friction = 0.5
        [[body]]
        name = \"dumbbell\"
        material = \"rubber\"
        mass = 2.0
        shape.points = { positions = [[0, 0, 0], [1, 0, 0]], links = [[0, 1]] }
        springs.edge = { stiffness = 1e4, damping = 1 }
        ",
    ));
    let (omega, lambda) = (sqrt(2e4), 2.0);
    let zeta = 0.5 * lambda / omega;
    let symplectic = price(&found, "symplectic-euler");
    let exact = 2.0 * (sqrt(1.0 + zeta * zeta) - zeta) / omega;
    let step = symplectic.largest_step.expect("a limit");
    assert!((step / exact - 1.0).abs() < 1e-6, "{step}, {exact} expected");
    assert_eq!(symplectic.culprit, Some(Culprit::Spring(0, 1)));
    let euler = price(&found, "explicit-euler").largest_step.expect("a limit");
    assert!((euler / (2.0 * zeta / omega) - 1.0).abs() < 1e-4, "{euler}");
}

#[test]
fn lattice_limits_are_those_of_the_bottom_particles() {
    for (layers, published) in [(10, 3.90e-5), (17, 2.32e-5)] {
        let found = analysed(&lattice(layers));
        let euler = price(&found, "symplectic-euler");
        let step = euler.largest_step.expect("a limit");
        println!("{layers} layers: {step:.4e} s, published {published:.2e}");
        assert!((step / published - 1.0).abs() < 0.02, "{step}");
        assert!(
            matches!(euler.culprit, Some(Culprit::Friction(i)) if i < 7),
            "{:?}",
            euler.culprit
        );
    }
}

/// Growth of small velocities after `steps` steps of the method from rest.
fn growth(scene: &Scene, rest: &[Vector], integrator: &str, step: f64, steps: u32) -> f64 {
    let built = build(scene, &BuildOptions::default()).expect("a model");
    let row = INTEGRATORS.find(integrator).expect("the row");
    let method = (row.make)(&Values::defaults(row.keys)).expect("a method");
    let mut state = built.state;
    state.positions.copy_from_slice(rest);
    // far inside the threshold, so that friction stays linear
    let kick = 1e-6;
    for (i, v) in state.velocities.iter_mut().enumerate() {
        let k = i as f64;
        *v = Vector::new(sin(1.0 + 2.3 * k), 0.0, 0.1 * sin(0.4 + 1.7 * k)) * kick;
    }
    let mut simulation = Simulation::new(built.model, state, method, step);
    for _ in 0..steps {
        if simulation.advance().is_err() {
            return f64::INFINITY;
        }
    }
    // both by velocity and by displacement: above its limit velocity Verlet reports hardly any
    // velocity and moves, Heun's method reports one and stays
    let before = simulation.state.positions.clone();
    if simulation.advance().is_err() {
        return f64::INFINITY;
    }
    let moved = simulation.state.positions.iter().zip(&before).map(|(a, b)| (a - b).amax() / step);
    let velocities = simulation.state.velocities.iter().map(|v| v.amax());
    moved.chain(velocities).fold(0.0, f64::max) / kick
}

#[test]
fn runs_below_what_it_says_are_stable_and_above_are_not() {
    let scene = lattice(10);
    let found = analysed(&scene);
    // the resting shape, more exactly than the analysis finds it: settled for longer
    let built = build(&scene, &BuildOptions::default()).expect("a model");
    let implicit = INTEGRATORS.find("implicit-euler").expect("the row");
    let method = (implicit.make)(&Values::defaults(implicit.keys)).expect("a method");
    let mut simulation = Simulation::new(built.model, built.state, method, 0.01);
    for _ in 0..200 {
        simulation.advance().expect("a step");
    }
    simulation.model.commit(&mut simulation.state, &mut Memory::default());
    let rest = simulation.state.positions;
    let mut tried = 0;
    for price in &found.prices {
        let Some(limit) = price.largest_step.filter(|limit| *limit > 0.0) else { continue };
        let below = growth(&scene, &rest, price.integrator, 0.95 * limit, 800);
        let above = growth(&scene, &rest, price.integrator, 1.05 * limit, 800);
        println!(
            "{}: limit {limit:.4e}, growth {below:.2e} below, {above:.2e} above",
            price.integrator
        );
        assert!(below < 2.0, "{}: {below}", price.integrator);
        // imex: the analysis holds the neighbours of a contact, which makes it too stiff
        assert!(above > 50.0 || price.integrator == "imex", "{}: {above}", price.integrator);
        tried += 1;
    }
    assert_eq!(tried, 10, "all explicit methods of fixed step, and imex");
}

/// Two blocks on a floor, joined by a spring, that swing against each other: the spring does 4 k u²
/// of work on their mode, friction 2 c |μ| u² with |μ| = √(2k/m). The larger one, by however
/// little, is named.
#[test]
fn a_spring_gives_way_to_friction_where_friction_does_more_work() {
    let (mass, stiffness) = (1.0, 1e3);
    let omega = sqrt(2.0 * stiffness / mass);
    for share in [0.6, 0.95, 1.05, 1.6] {
        let damping = share * mass * omega;
        let scene = scene(&format!(
            "format = 1
            world.planar = \"xz\"
            time = {{ end = 1.0, step = 1e-4, output = 0.1 }}
            integrator.method = \"rk4\"
            materials.wood.static_friction = 0.5
            contact.normal = {{ stiffness = 1e6, damping = 200 }}
            contact.friction = {{ law = \"viscous-cap\", damping = {damping:e} }}
            [[body]]
            name = \"dumbbell\"
            mass = {}
            shape.points = {{ positions = [[0, 0, 0], [1, 0, 0]], links = [[0, 1]] }}
            springs.edge = {{ stiffness = {stiffness:e} }}
            position = [0, 0, -9.81e-6]
            [[collider]]
            name = \"floor\"
            shape.plane = {{}}
            ",
            2.0 * mass
        ));
        let built = build(&scene, &BuildOptions::default()).expect("it fits together");
        let (model, method) = (built.model, built.integrator);
        let run = Simulation::new(model, built.state, method, 1e-4);
        let (model, state) = (&run.model, &run.state);
        assert_eq!(state.memory.contacts.len(), 2);
        let spectrum = Linearised::at(model, state).spectrum();
        let swings = |mode: &&Mode| {
            let [a, b] = [0, 1].map(|i: usize| mode.shape[i][0] + mode.shape[i][1]);
            mode.value.im > 0.0 && a.x * b.x < 0.0 && a.z.abs() < 1e-6 * a.x.abs()
        };
        let mode = spectrum.modes.iter().find(swings).expect("the two swing against each other");
        assert!((mode.value.norm_sqr() / (omega * omega) - 1.0).abs() < 1e-6, "{:?}", mode.value);
        let found = culprit(model, state, mode).expect("something");
        let spring = found == Culprit::Spring(0, 1);
        assert_eq!(spring, share < 1.0, "{share} of the border: {found:?}");
        assert!(spring || matches!(found, Culprit::Friction(_)), "{found:?}");
    }
}
