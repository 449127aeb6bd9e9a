//! The energy audit closes: the residual of kinetic + stored + dissipated − work shrinks at the
//! order of the method, with every channel at work.

use crate::support;
use stiction_core::integrators::INTEGRATORS;
use stiction_core::math::{Vector, cos, log, sin};
use stiction_core::simulation::Simulation;

/// A pushed lattice with damped springs that vibrates on a floor it never leaves, under a smooth
/// friction law and drag: every channel is at work.
fn simulation(method: &str, h: f64) -> Simulation {
    let mut simulation = support::simulation(&format!(
        "format = 1
        world.planar = \"xz\"
        time = {{ end = {h:e}, step = {h:e}, output = {h:e} }}
        integrator = {{ method = {method} }}
        materials.rubber = {{ static_friction = 0.2 }}
        contact.normal = {{ stiffness = 500, damping = 2 }}
        contact.friction = {{ law = \"tanh\", epsilon = 0.5 }}
        [[body]]
        name = \"box\"
        material = \"rubber\"
        mass = 1.6
        position = [0, 0, -0.008]
        shape = {{ lattice = {{ counts = [4, 1, 4], spacing = 0.1 }} }}
        springs = {{ edge = {{ stiffness = 400, damping = 0.2 }}, face_diagonal = {{ stiffness = 300, damping = 0.2 }} }}
        velocity = [0.1, 0, 0]
        [[collider]]
        name = \"floor\"
        material = \"rubber\"
        shape.plane = {{}}
        [[push]]
        body = \"box\"
        force = [1, 0, 0]
        [[drag]]
        rate = 0.5
        "
    ));
    for (i, v) in simulation.state.velocities.iter_mut().enumerate() {
        let k = i as f64;
        *v += Vector::new(sin(1.0 + 2.3 * k), 0.0, cos(0.4 + 1.7 * k)) * 0.02;
    }
    let Simulation { model, state, .. } = simulation;
    let row = method_of(method);
    Simulation::new(model, state, row, h)
}

fn method_of(method: &str) -> Box<dyn stiction_core::integrators::Integrator> {
    let name = method.trim_matches('"');
    let row = INTEGRATORS.find(name).expect("the row");
    (row.make)(&stiction_core::registry::Values::defaults(row.keys)).expect("a method")
}

/// The residual after .2 s, and the energy that went through.
fn residual(method: &str, h: f64) -> (f64, f64) {
    let mut simulation = simulation(method, h);
    let contacts = simulation.state.memory.contacts.len();
    for _ in 0..(0.2 / h).round() as u64 {
        simulation.advance().expect("a step");
        assert_eq!(simulation.state.memory.contacts.len(), contacts, "the box must not lift off");
    }
    let flows = simulation.watches.audit.flows;
    for (name, flow) in [
        ("springs", flows.spring),
        ("normal", flows.normal),
        ("friction", flows.friction_stick + flows.friction_slip),
        ("drag", flows.drag),
        ("work", flows.work),
    ] {
        assert!(flow > 1e-7, "{name} is not at work: {flow}");
    }
    (simulation.watches.audit.residual(), simulation.watches.audit.throughput())
}

#[test]
fn the_residual_shrinks_at_the_order_of_the_method() {
    for row in &INTEGRATORS {
        let method = method_of(row.name).capabilities();
        if method.adaptive {
            continue;
        }
        // small enough that the leading term leads, large enough that it is not rounding
        let steps = [4096.0, 1024.0, 256.0, 256.0][method.order.min(4) as usize - 1];
        let name = format!("\"{}\"", row.name);
        let h = 0.2 / steps;
        let ((coarse, throughput), (fine, _)) = (residual(&name, h), residual(&name, 0.25 * h));
        let order = log(coarse.abs() / fine.abs()) / log(4.0);
        let nominal = f64::from(method.order.min(4));
        println!(
            "{}: {:.2e} of the throughput, order {order:.2} of {nominal}",
            row.name,
            coarse / throughput
        );
        assert!(order > nominal - 0.3, "{}: {order}", row.name);
    }
}

#[test]
fn adaptive_methods_close_the_audit_to_its_quadrature() {
    for row in &INTEGRATORS {
        if !method_of(row.name).capabilities().adaptive {
            continue;
        }
        let (found, throughput) = residual(&format!("\"{}\"", row.name), 0.2 / 1024.0);
        println!("{}: {:.2e} of the throughput", row.name, found / throughput);
        assert!(found.abs() < 1e-6 * throughput, "{}: {found}", row.name);
    }
}
