//! Rigid blocks of many contacts under `impulse`: they hold by static friction.

use super::support::simulation;
use stiction_core::diagnosis::watch::FaultClass;
use stiction_core::math::sqrt;
use stiction_core::simulation::Simulation;

const G: f64 = 9.81;

fn run_for(run: &mut Simulation, time: f64) {
    let steps = (time / run.time_step()).round() as u64;
    for _ in 0..steps {
        run.advance().expect("a step");
    }
}

/// A rigid block of many contacts after a push of `share` of μ_s m g along x for some time \[s\], turned by an angle
/// about the vertical so that no contact bears as much as another.
fn pushed(counts: [usize; 3], share: f64, time: f64) -> Simulation {
    let push = share * 0.6 * G;
    let mut run = simulation(&format!(
        "format = 1
        time = {{ end = 1.0, step = 1e-3, output = 0.02 }}
        integrator.method = \"symplectic-euler\"
        materials.a = {{ static_friction = 0.6, kinetic_friction = 0.3 }}
        contact.method = \"impulse\"
        [[body]]
        name = \"b\"
        mass = 1
        rigid = true
        radius = 0.01
        position = [0.013, 0.007, 0.01]
        rotation = [0, 0, 17]
        shape.lattice = {{ counts = {counts:?}, spacing = 0.1 }}
        [[push]]
        body = \"b\"
        force = [{push:e}, 0, 0]
        [[collider]]
        name = \"floor\"
        shape.plane = {{}}
        "
    ));
    run_for(&mut run, time);
    run
}

/// The displacement of such a block after 1 s.
fn pushed_block(counts: [usize; 3], share: f64) -> f64 {
    let run = pushed(counts, share, 1.0);
    run.state.positions[0].x - run.model.reference[0].x
}

/// Static friction holds what does not slip, however many contacts share the load.
#[test]
fn a_block_of_many_contacts_holds_up_to_static_friction() {
    for counts in [[2, 2, 2], [3, 3, 2], [4, 3, 2]] {
        for share in [0.6, 0.8, 0.95, 0.99] {
            let x = pushed_block(counts, share);
            assert!(x.abs() < 1e-6, "{counts:?} at {share}: {x}");
        }
        let x = pushed_block(counts, 1.01);
        let exact = 0.5 * (1.01 * 0.6 - 0.3) * G;
        assert!((x / exact - 1.0).abs() < 0.01, "{counts:?}: {x}, {exact}");
    }
}

/// Near the limit, where the question whether contacts hold has no answer, the run says so, also if it is right.
#[test]
fn a_slip_near_the_limit_of_static_friction_is_undecided() {
    for (share, undecided) in [(0.99, false), (0.9999, true), (1.0001, true), (1.05, false)] {
        let run = pushed([3, 3, 3], share, 0.1);
        let reasons = run.verdict().reasons;
        let told = reasons.iter().any(|reason| reason.name() == "hold-undecided");
        assert_eq!(told, undecided, "{share}: {reasons:?}");
        // a fault that refined runs share
        assert!(reasons.is_empty() || reasons[0].kind().class == FaultClass::Shared);
    }
}

/// A block on another one, with which it falls within a step, does not creep by the push on it.
#[test]
fn a_block_on_a_block_does_not_creep() {
    let mut run = simulation(
        "format = 1
        time = { end = 1.0, step = 1e-3, output = 0.02 }
        integrator.method = \"symplectic-euler\"
        materials.a = { static_friction = 0.6, kinetic_friction = 0.3 }
        contact = { method = \"impulse\", bodies = true }
        [[body]]
        name = \"upper\"
        mass = 1
        rigid = true
        radius = 0.01
        position = [0.013, 0.007, 0.13]
        shape.lattice = { counts = [2, 2, 2], spacing = 0.1 }
        [[body]]
        name = \"base\"
        mass = 50
        rigid = true
        radius = 0.01
        position = [0, 0, 0.01]
        shape.lattice = { counts = [6, 6, 2], spacing = 0.1 }
        [[collider]]
        name = \"floor\"
        shape.plane = {}
        [[push]]
        body = \"upper\"
        force = [2.9, 0, 0]
        ",
    );
    let upper = run.model.bodies[0].particles.start;
    let start = run.state.positions[upper].x;
    run_for(&mut run, 0.3);
    let x = run.state.positions[upper].x - start;
    // half of μ_s m g; h² F/m a step would be .87 mm
    assert!(x.abs() < 1e-5, "{x}");
}

/// On a slope within .2 % of the one that static friction holds, where contacts taken one at a time do not agree
/// on which of them slip: below it the block holds, above it slides by μ_k.
#[test]
fn a_block_on_a_slope_holds_or_slides() {
    for (tan, kinetic) in [(0.599, 0.3), (0.599, 0.55), (0.601, 0.3), (0.601, 0.55)] {
        let cosine = 1.0 / sqrt(1.0 + tan * tan);
        let (along, down) = (G * tan * cosine, G * cosine);
        let mut run = simulation(&format!(
            "format = 1
            time = {{ end = 0.2, step = 1e-3, output = 0.02 }}
            integrator.method = \"rk4\"
            materials.a = {{ static_friction = 0.6, kinetic_friction = {kinetic:e} }}
            world.gravity = [{along:e}, 0, {:e}]
            contact.method = \"impulse\"
            [[body]]
            name = \"b\"
            mass = 1
            rigid = true
            shape.lattice = {{ counts = [3, 3, 3], spacing = 0.05 }}
            [[collider]]
            name = \"floor\"
            shape.plane = {{}}
            ",
            -down
        ));
        let start = run.state.positions[0].x;
        run_for(&mut run, 0.2);
        let x = run.state.positions[0].x - start;
        let exact = if tan < 0.6 { 0.0 } else { 0.5 * (along - kinetic * down) * 0.04 };
        assert!((x - exact).abs() < 1e-9, "{tan}, {kinetic}: {x}, {exact}");
    }
}
