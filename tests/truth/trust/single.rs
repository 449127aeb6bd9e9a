//! Single findings by name, and true motion of all kinds that must be trusted.

use super::*;
use stiction_core::diagnosis::wrongs::SpuriousSteadyState;

/// The state that looks best of all wrong ones: rk4 at one and a half times the Eulers' limit.
#[test]
fn the_spurious_state_of_rk4_is_told_by_name() {
    let block = BlockScene { normal: [1e3, 40.0], ..BlockScene::threshold(ANGLE, [MU; 2], 1e-3) };
    let limit = 2e-3 / (MU * G * cos(radians(ANGLE)));
    let mut slide = block.under("\"rk4\"", 1.5 * limit);
    slide.until(1.0);
    let reasons = slide.simulation.verdict().reasons;
    let spurious = reasons.iter().find_map(Reason::numbers::<SpuriousSteadyState>);
    let findings = spurious.expect("told by name").0.findings;
    println!("{findings:?}");
    assert!((findings.reported / 1.0e-3 - 1.0).abs() < 1e-3);
    assert!((findings.drift / 0.652e-3 - 1.0).abs() < 2e-3);
    assert!((findings.law.expect("it holds") / 0.5359e-3 - 1.0).abs() < 1e-3);
    // the residual is that of the load that friction should bear, friction bears its whole cone
    assert!((findings.imbalance / 0.866 - 1.0).abs() < 1e-2);
}

/// The drift of a method that rings is right; its velocities are not, until it has calmed down.
#[test]
fn ringing_is_told_while_it_lasts() {
    let block = BlockScene { normal: [100.0, 20.0], ..BlockScene::threshold(ANGLE, [MU; 2], 1e-3) };
    let limit = 2e-3 / (MU * G * cos(radians(ANGLE)));
    let row = INTEGRATORS.find("trapezoid").expect("a row");
    let mut slide = block.under(&format!("\"{}\"", row.name), 100.0 * limit);
    let names = |slide: &Slide| -> Vec<&str> {
        slide.simulation.verdict().reasons.iter().map(Reason::name).collect()
    };
    (0..60).for_each(|_| slide.advance());
    println!("{:?}", slide.simulation.verdict());
    assert_eq!(names(&slide)[0], "ringing");
    // ringing dies by 0.98 per step
    (0..500).for_each(|_| slide.advance());
    assert!(!names(&slide).contains(&"ringing"), "{:?}", names(&slide));
}

/// Friction that drives is told, and rounding is not.
#[test]
fn friction_that_gives_energy_is_told() {
    let mut watch = Passivity::default();
    let taking = Account { dissipated_friction_slip: 1.0, ..Account::default() };
    let giving = |power: f64| Account {
        dissipated_friction_stick: -power,
        friction_driven: power,
        ..Account::default()
    };
    watch.observe_powers(&taking, 0.1, 0.1);
    watch.observe_powers(&giving(1e-9), 0.2, 0.1);
    assert_eq!(watch.created(0.0), None);
    watch.observe_powers(&giving(1e-2), 0.3, 0.1);
    let created = watch.created(0.0).expect("more than rounding");
    assert!((created.energy - 1e-3).abs() < 1e-9 && created.time == 0.2, "{created:?}");
}

/// The threshold law, but for slow slips, which it drives.
struct DrivesSlowSlips(Box<dyn FrictionLaw>);

impl FrictionLaw for DrivesSlowSlips {
    fn force(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        let side = if slip.velocity.norm() < 0.5 { -1.0 } else { 1.0 };
        self.0.force(slip, pair) * side
    }

    fn sticks(&self, slip: &Slip, pair: &Coefficients) -> bool {
        self.0.sticks(slip, pair)
    }

    fn damping(&self, slip: &Slip, pair: &Coefficients) -> f64 {
        self.0.damping(slip, pair)
    }

    fn creep(&self, load_ratio: f64, normal_force: f64, pair: &Coefficients) -> Option<f64> {
        self.0.creep(load_ratio, normal_force, pair)
    }
}

/// A contact that drives is told beside one that brakes ten times as much.
#[test]
fn a_contact_that_drives_is_not_hidden_by_one_that_brakes() {
    let mut both = simulation(
        "format = 1
        world = { gravity = [0, 0, -9.81], planar = \"xz\" }
        time = { end = 1, step = 1e-4, output = 1 }
        integrator = { method = \"rk4\" }
        materials.wood = { static_friction = 0.5 }
        [contact]
        normal = { stiffness = 1e4, damping = 100 }
        friction = { law = \"threshold\", epsilon = 1e-2 }
        [[body]]
        name = \"slow\"
        mass = 1
        shape = { particle = {} }
        position = [0, 0, -9.81e-4]
        velocity = [0.1, 0, 0]
        [[body]]
        name = \"fast\"
        mass = 1
        shape = { particle = {} }
        position = [1, 0, -9.81e-4]
        velocity = [1, 0, 0]
        [[collider]]
        name = \"table\"
        shape = { plane = {} }
        ",
    );
    let row = FRICTION_LAWS.find("threshold").expect("a law");
    let law = (row.make)(&Values::defaults(row.keys)).expect("a law");
    let model = std::sync::Arc::get_mut(&mut both.model).expect("nobody shares it yet");
    model.laws.as_mut().expect("contact is a force").friction = Box::new(DrivesSlowSlips(law));
    both.advance().expect("a step");
    let created = both.watches.passivity.created(0.0).expect("one of them drives");
    // μ N v h of each
    let (driven, taken) = (0.5 * 9.81 * 0.1 * 1e-4, 0.5 * 9.81 * 1e-4);
    assert!((created.energy / driven - 1.0).abs() < 0.02, "{created:?}");
    assert!((created.dissipated / taken - 1.0).abs() < 0.02, "{created:?}");
}

/// True motion must be trusted: not steady, not resting, or not holding at all. A block on a table
/// under every kind of law.
fn assert_trusted(mu: f64, motion: &str, push: &str) {
    let laws = [
        "{ law = \"threshold\", epsilon = 1e-2 }",
        "{ law = \"quintic\", epsilon = 1e-2 }",
        "{ law = \"tanh\", epsilon = 1e-2 }",
        "{ law = \"viscous-cap\", damping = 200 }",
        "{ law = \"cundall-strack\", stiffness = 1e4, damping = 100 }",
        "{ law = \"lugre\", stiffness = 1e4, damping = 50 }",
        "{ law = \"dahl\", stiffness = 1e4, damping = 100 }",
    ];
    for law in laws {
        for method in ["symplectic-euler", "rk4", "implicit-euler"] {
            let mut run = simulation(&format!(
                "format = 1
                world = {{ gravity = [0, 0, -9.81], planar = \"xz\" }}
                time = {{ end = 2, step = 2e-4, output = 2 }}
                integrator = {{ method = \"{method}\" }}
                materials.wood = {{ static_friction = {mu} }}
                [contact]
                normal = {{ stiffness = 1e4, damping = 100 }}
                friction = {law}
                [[body]]
                name = \"block\"
                mass = 1
                shape = {{ particle = {{}} }}
                position = [0, 0, -9.81e-4]
                [[collider]]
                name = \"table\"
                shape = {{ plane = {{}} }}
                {motion}
                {push}
                "
            ));
            while run.state.step_count < 10_000 {
                run.advance().expect("a step");
            }
            assert!(run.verdict().faultless(), "{law}, {method}: {:?}", run.verdict());
        }
    }
}

/// A table that shakes at 3 Hz by an amplitude \[m\].
fn shaken(amplitude: f64) -> String {
    format!(
        "motion = {{ oscillate = {{ direction = [1, 0, 0], amplitude = {amplitude}, frequency = 3 }} }}"
    )
}

#[test]
fn a_block_held_on_a_shaken_table_is_trusted() {
    assert_trusted(0.5, &shaken(0.005), "");
}

#[test]
fn a_block_that_slips_and_sticks_on_a_shaken_table_is_trusted() {
    assert_trusted(0.15, &shaken(0.01), "");
}

#[test]
fn a_block_that_a_growing_push_sets_sliding_is_trusted() {
    assert_trusted(0.5, "", "[[push]]\nbody = \"block\"\nforce = [8, 0, 0]\nramp = 1.5");
}

#[test]
fn a_block_held_against_a_sudden_push_is_trusted() {
    assert_trusted(0.5, "", "[[push]]\nbody = \"block\"\nforce = [3, 0, 0]\nfrom = 0.5");
}

#[test]
fn a_block_on_a_belt_is_trusted() {
    assert_trusted(0.3, "motion = { belt = { velocity = [0.3, 0, 0] } }", "");
}
