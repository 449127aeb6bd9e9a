//! Creep under a load that friction holds: what the law itself does, what the method adds to it,
//! and whether the program says so.

use crate::support::block::{BlockScene, Slide, Under};
use crate::support::simulation;
use stiction_core::contact::friction::FRICTION_LAWS;
use stiction_core::diagnosis::friction_limit::AboveLimit;
use stiction_core::math::{cos, radians};
use stiction_core::state::memory::Coefficients;
use stiction_lab::validation::creep::{CreepLoad, PAIRS, RATIOS, closed_form, inline};

const METHODS: [&str; 5] =
    ["\"explicit-euler\"", "\"symplectic-euler\"", "\"rk4\"", "\"dopri5\"", "\"implicit-euler\""];

/// λ of the block of 1 kg under the threshold law.
fn friction_rate(angle: f64, mu: f64, epsilon: f64) -> f64 {
    mu * 9.81 * cos(radians(angle)) / epsilon
}

/// Mean velocity uphill over the next `span` seconds, from positions.
fn mean_speed(slide: &mut Slide, span: f64) -> f64 {
    let (time, travel) = (slide.time(), slide.travel());
    slide.until(time + span);
    (slide.travel() - travel) / (slide.time() - time)
}

/// The creep that a law states is that of its closed form.
#[test]
fn every_law_knows_its_creep() {
    let epsilon = 1e-2;
    let mut met = 0;
    for row in FRICTION_LAWS.iter() {
        let (_, made) = inline(row, epsilon);
        let form = closed_form(row.name);
        for (mu, ratio) in PAIRS.into_iter().flat_map(|mu| RATIOS.map(|ratio| (mu, ratio))) {
            let pair = Coefficients { static_friction: mu[0], kinetic_friction: mu[1] };
            let creep = made.creep(ratio, 9.81, &pair);
            let exact = form.and_then(|form| form(&CreepLoad { ratio, pair, epsilon }));
            assert_eq!(creep.is_some(), exact.is_some(), "{} at {ratio}", row.name);
            let (Some(creep), Some(exact)) = (creep, exact) else { continue };
            met += 1;
            assert!((creep - exact).abs() < 1e-14, "{} at {ratio}: {creep} {exact}", row.name);
        }
    }
    // twelve laws at three ratios for each pair of coefficients; with two coefficients, the three
    // laws without a peak slide at two of the ratios
    assert_eq!(met, 12 * 3 + 12 * 3 - 3 * 2);
}

/// A bristle that has come to rest bears the load and does not move.
#[test]
fn bristles_hold_without_creep() {
    for law in ["dahl", "lugre"] {
        for method in METHODS {
            let law = format!("{{ law = \"{law}\", stiffness = 1e4, damping = 60 }}");
            let block = BlockScene { law, ..BlockScene::threshold(20.0, [0.6; 2], 1e-3) };
            let mut slide = block.under(method, 1e-4);
            slide.until(2.0);
            let settled = slide.travel();
            slide.until(12.0);
            let drift = (slide.travel() - settled).abs();
            println!("{} {method}: drift {drift:.2e} m in 10 s", block.law);
            assert!(drift < 1e-9, "{} {method}: {drift}", block.law);
            let contact = slide.simulation.state.memory.contacts[0];
            let stretch = 9.81 * stiction_core::math::sin(radians(20.0)) / 1e4;
            assert!((contact.stretch.norm() - stretch).abs() < 1e-10, "{contact:?}");
            assert!(contact.sticking);
            assert!(slide.simulation.verdict().faultless(), "{:?}", slide.simulation.verdict());
        }
    }
}

/// The block of the silent instabilities; its soft contact spring is stable at any step used here.
fn gentle() -> (BlockScene, f64) {
    let block = BlockScene { normal: [1e3, 40.0], ..BlockScene::threshold(15.0, [0.5; 2], 1e-3) };
    (block, 2.0 / friction_rate(15.0, 0.5, 1e-3))
}

fn violation(slide: &Slide) -> AboveLimit {
    let verdict = slide.simulation.verdict();
    assert!(!verdict.faultless());
    assert_eq!(verdict.reasons[0].name(), "step-above-friction-limit");
    let above = verdict.reasons[0].numbers::<AboveLimit>();
    *above.unwrap_or_else(|| panic!("{verdict:?}"))
}

/// The exact creep of [`gentle`], in units of ε.
const LAWFUL: f64 = 0.535898;

#[test]
fn explicit_euler_above_its_limit_walks_and_is_flagged() {
    let (block, limit) = gentle();
    let mut slide = block.under("\"explicit-euler\"", 20.0 * limit);
    slide.until(2.0);
    let drift = mean_speed(&mut slide, 20.0) / -1e-3;
    println!("explicit-euler at 20 times its limit drifts at {drift:.3} ε");
    assert!((drift - 20.7).abs() < 0.5, "{drift}");
    let above = violation(&slide);
    assert_eq!(above.particle, 0);
    assert_eq!(above.limit, Some(2.0));
    assert!((above.hlambda / 40.0 - 1.0).abs() < 1e-6, "{above:?}");
    assert!((above.largest_step / limit - 1.0).abs() < 1e-6, "{above:?}");
}

#[test]
fn rk4_above_its_limit_creeps_smoothly_at_a_wrong_speed_and_is_flagged() {
    let (block, limit) = gentle();
    let mut slide = block.under("\"rk4\"", 1.5 * limit);
    slide.until(2.0);
    let reported = slide.speed() / -1e-3;
    let drift = mean_speed(&mut slide, 1.0) / -1e-3;
    println!("rk4 at 1.5 times the Eulers' limit reports {reported:.4} ε, drifts at {drift:.4} ε");
    assert!((reported - 1.0).abs() < 5e-4, "{reported}");
    assert!((drift - 0.652).abs() < 1e-3, "{drift}");
    let above = violation(&slide);
    assert_eq!(above.particle, 0);
    assert!((above.hlambda - 3.0).abs() < 1e-6, "{above:?}");
    assert!((above.limit.expect("a limit") - 2.785294).abs() < 1e-6, "{above:?}");
}

#[test]
fn below_the_limit_a_run_is_trusted() {
    let (block, limit) = gentle();
    for (method, share) in
        [("\"explicit-euler\"", 0.95), ("\"symplectic-euler\"", 0.95), ("\"rk4\"", 1.3)]
    {
        let mut slide = block.under(method, share * limit);
        slide.until(2.0);
        let drift = mean_speed(&mut slide, 1.0) / -1e-3;
        assert!((drift - LAWFUL).abs() < 1e-5, "{method}: {drift}");
        assert!(
            slide.simulation.verdict().faultless(),
            "{method}: {:?}",
            slide.simulation.verdict()
        );
        // a little above this step it is not
        let mut slide = block.under(method, share * limit * 1.1);
        slide.until(2.0);
        assert!(!slide.simulation.verdict().faultless(), "{method}");
    }
}

#[test]
fn implicit_and_adaptive_methods_creep_lawfully_at_any_step() {
    let (block, limit) = gentle();
    for method in ["\"implicit-euler\"", "\"dopri5\""] {
        for share in [0.5, 1.5, 20.0, 200.0] {
            let mut slide = block.under(method, share * limit);
            slide.until(2.0);
            let drift = mean_speed(&mut slide, 1.0) / -1e-3;
            println!("{method} at {share}: {:.2e}", drift / LAWFUL - 1.0);
            assert!((drift / LAWFUL - 1.0).abs() < 1e-3, "{method} at {share}: {drift}");
            assert!(slide.simulation.verdict().faultless(), "{method} at {share}");
        }
    }
}

/// The sign law cannot hold: at any step a reason names it, and not the energy alone.
#[test]
fn kinetic_friction_that_should_hold_is_called_chatter() {
    for method in ["explicit-euler", "symplectic-euler", "rk4", "dopri5"] {
        let mut run = simulation(&format!(
            r#"
format = 1
[world]
gravity = [0, 0, -9.81]
[time]
end = 0.01
step = 1e-5
output = 0.01
[integrator]
method = "{method}"
[materials.wood]
static_friction = 0.6
[contact]
normal = {{ law = "linear", stiffness = 1e5, damping = 200 }}
friction = {{ law = "kinetic" }}
[[body]]
name = "block"
mass = 1.0
shape = {{ particle = {{}} }}
position = [0, 0, -9.81e-5]
[[collider]]
name = "floor"
shape = {{ plane = {{}} }}
[[push]]
body = "block"
force = [2, 0, 0]
"#
        ));
        while run.state.step_count < 1000 {
            run.advance().unwrap();
        }
        let names: Vec<_> = run.verdict().reasons.iter().map(|r| r.name()).collect();
        assert!(names.contains(&"chatter"), "{method}: {names:?}");
    }
}

/// With μ_s > μ_k one step too large throws a held block off the stick branch for good. It does not
/// chatter long, but it is named.
#[test]
fn a_step_that_throws_a_held_block_off_is_flagged() {
    for method in ["explicit-euler", "symplectic-euler", "rk4"] {
        for (step, holds) in [("1e-4", true), ("1e-3", false)] {
            let path =
                std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/incline_creep.toml");
            let set = vec![
                "materials.wood.kinetic_friction=0.3".to_string(),
                format!("integrator.method={method}"),
                format!("time.step={step}"),
            ];
            let options = stiction_scene::LoadOptions { set, allow_path: false };
            let scene = stiction_scene::load(&path, &options).unwrap().scene;
            let mut run = stiction_lab::run::Run::new(&scene, &Default::default()).unwrap();
            let outcome = run.finish_with(&mut stiction_lab::run::Unobserved, &|| false).unwrap();
            let creep = outcome.creep[0].measured;
            assert_eq!(creep < 7e-4, holds, "{method} {step}: {creep}");
            assert_eq!(outcome.verdict.faultless(), holds, "{method} {step}");
        }
    }
}

/// A stretch too stiff for the step chatters inside the cone without exploding: it is flagged by
/// its frequency, also without any damping in the law; a step that resolves it is not.
#[test]
fn a_stretch_too_stiff_for_the_step_is_flagged() {
    for (method, limit) in [("symplectic-euler", 2.0), ("rk4", 2.828_427)] {
        for (share, holds) in [(0.98, true), (1.02, false), (3.0, false)] {
            // h ω = share × limit for 1 kg at h = 1e-4
            let omega = share * limit / 1e-4;
            let mut run = simulation(&format!(
                r#"
format = 1
[world]
gravity = [0, 0, -9.81]
[time]
end = 0.1
step = 1e-4
output = 0.1
[integrator]
method = "{method}"
[materials.wood]
static_friction = 0.5
[contact]
normal = {{ law = "linear", stiffness = 1e5, damping = 200 }}
friction = {{ law = "cundall-strack", stiffness = {stiffness} }}
[[body]]
name = "block"
mass = 1.0
shape = {{ particle = {{}} }}
position = [0, 0, -9.81e-5]
[[collider]]
name = "floor"
shape = {{ plane = {{}} }}
[[push]]
body = "block"
force = [1.5, 0, 0]
"#,
                stiffness = omega * omega
            ));
            while run.state.step_count < 1000 {
                run.advance().unwrap();
            }
            let names: Vec<_> = run.verdict().reasons.iter().map(|r| r.name()).collect();
            let flagged = names.contains(&"step-above-friction-limit");
            assert_eq!(flagged, !holds, "{method} at {share} of its limit: {names:?}");
        }
    }
}

/// A block in a groove bears on two planes, and along the groove their friction adds up: each h λ
/// is below the limit of 2, and together they are above it.
#[test]
fn the_friction_rates_of_several_contacts_add_up() {
    let groove = |h: f64| {
        let mut run = simulation(&format!(
            "format = 1
            time = {{ end = 1, step = {h:e}, output = 1 }}
            integrator = {{ method = \"explicit-euler\" }}
            materials.wood = {{ static_friction = 0.5 }}
            [contact]
            normal = {{ stiffness = 1e5, damping = 600 }}
            friction = {{ law = \"threshold\", epsilon = 1e-3 }}
            [[body]]
            name = \"block\"
            mass = 1
            shape = {{ particle = {{}} }}
            position = [0, 0, -6e-5]
            [[collider]]
            name = \"left\"
            shape = {{ plane = {{ normal = [0.5, 0, 0.8660254] }} }}
            [[collider]]
            name = \"right\"
            shape = {{ plane = {{ normal = [-0.5, 0, 0.8660254] }} }}
            [[push]]
            body = \"block\"
            force = [0, 1, 0]
            "
        ));
        while run.state.time < 1.0 - 0.5 * h {
            run.advance().expect("a step");
        }
        run
    };
    // N = m g/(2 cos 30°) on each; v = ε T/(2 μ N)
    let normal_force = 9.81 / (2.0 * cos(radians(30.0)));
    let rate = 2.0 * 0.5 * normal_force / 1e-3;
    let creep = 1e-3 / normal_force;
    let fine = groove(2e-5);
    assert!((fine.state.velocities[0].y / creep - 1.0).abs() < 1e-4);
    assert!(fine.verdict().faultless());
    let coarse = groove(5e-4);
    let worst = coarse.watches.friction_limit.worst.expect("a step above the limit");
    assert!((worst.hlambda / (5e-4 * rate) - 1.0).abs() < 0.05, "{worst:?}");
    assert!(!coarse.verdict().faultless());
}
