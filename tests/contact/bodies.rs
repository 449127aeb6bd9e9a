//! Bodies against bodies: what is conserved, that one can rest on another, and what is refused.

use crate::support::simulation;
use stiction_core::math::Vector;
use stiction_core::simulation::Simulation;
use stiction_core::state::memory::{Contact, Ends};

/// Momentum, and angular momentum about the origin.
fn momenta(simulation: &Simulation) -> (Vector, Vector) {
    let (model, state) = (&simulation.model, &simulation.state);
    let turning = |i: usize| state.positions[i].cross(&state.velocities[i]) * model.masses[i];
    (model.momentum(&state.velocities), (0..model.particles()).map(turning).sum())
}

const CUBE: &str = "shape = { lattice = { counts = [4, 4, 4], spacing = 0.1 } }
    springs = { edge = { stiffness = 2e3, damping = 1 }, face_diagonal = { stiffness = 1e3, damping = 1 } }";
const SHEET: &str = "shape = { cloth = { counts = [8, 8], spacing = 0.05 } }
    springs = { edge = { stiffness = 500, damping = 0.1 }, face_diagonal = { stiffness = 200, damping = 0.1 }, bend = { stiffness = 200, damping = 0.1 } }
    radius = 0.02";
const ROPE: &str = "shape = { rope = { from = [0, 0, -0.2], to = [0, 0, 0.2], segments = 16 } }
    springs = { edge = { stiffness = 2e3, damping = 0.2 }, bend = { stiffness = 200, damping = 0.1 } }
    radius = 0.02";

const ACROSS: &str = "shape = { rope = { from = [0, -0.2, 0], to = [0, 0.2, 0], segments = 16 } }
    springs = { edge = { stiffness = 2e3, damping = 0.2 }, bend = { stiffness = 200, damping = 0.1 } }
    radius = 0.02";

/// Two bodies that fly at each other in empty space, turning.
fn collision(first: &str, second: &str, damping: f64, friction: &str, method: &str) -> Simulation {
    simulation(&format!(
        "format = 1
        world = {{ gravity = [0, 0, 0] }}
        time = {{ end = 1, step = 1e-4, output = 1 }}
        integrator = {{ method = \"{method}\" }}
        materials.rubber = {{ static_friction = 0.6 }}
        [contact]
        bodies = true
        normal = {{ stiffness = 2e3, damping = {damping} }}
        friction = {friction}
        [[body]]
        name = \"first\"
        mass = 1
        {first}
        position = [-0.42, 0.03, 0.02]
        velocity = [1, 0.1, 0]
        spin = [1, 2, 1]
        [[body]]
        name = \"second\"
        mass = 2
        {second}
        velocity = [-0.5, 0, 0.3]
        "
    ))
}

#[test]
fn momentum_and_angular_momentum_are_conserved_with_friction() {
    for friction in [
        "{ law = \"threshold\", epsilon = 5e-2 }",
        "{ law = \"cundall-strack\", stiffness = 500, damping = 0.2 }",
        "{ law = \"lugre\", stiffness = 500, damping = 0.2 }",
    ] {
        for (first, second) in [(CUBE, CUBE), (CUBE, SHEET), (ROPE, ACROSS), (CUBE, ROPE)] {
            for method in ["symplectic-euler", "rk4"] {
                // rk4 keeps angular momentum to its order only
                let steps = 10_000;
                let mut run = collision(first, second, 0.5, friction, method);
                let (p0, l0) = momenta(&run);
                let (mut touched, mut slid) = (0, 0.0f64);
                for _ in 0..steps {
                    run.advance().expect("a step");
                    touched += usize::from(!run.state.memory.contacts.is_empty());
                    for contact in &run.state.memory.contacts {
                        slid = slid.max(contact.friction.norm());
                    }
                }
                let (p, l) = momenta(&run);
                let ((p, l), scale) = ((p - p0, l - l0), run.model.masses.iter().sum::<f64>());
                let name = format!("{method} {friction} {}", &first[..20]);
                println!(
                    "{name}: {:.1e} {:.1e}, {touched} steps in contact, friction up to {slid:.2} N",
                    p.norm() / scale,
                    l.norm() / l0.norm()
                );
                assert!(touched > 100 && slid > 0.1, "{name}: {touched} {slid}");
                assert!(p.norm() < 1e-12 * scale, "{name}: {p}");
                // nor do ropes keep it that lie almost side by side: no friction across them could
                if method == "symplectic-euler" && first != ROPE {
                    assert!(l.norm() < 1e-10 * l0.norm(), "{name}: {l}");
                }
            }
        }
    }
}

/// A ball thrown at a pinned cloth goes through it where contact is too soft, and the run says so.
#[test]
fn passing_through_a_cloth_is_told() {
    let thrown = |stiffness: f64, speed: f64| {
        let mut run = simulation(&format!(
            "format = 1
            world = {{ gravity = [0, 0, 0] }}
            time = {{ end = 0.3, step = 5e-5, output = 0.3 }}
            integrator = {{ method = \"symplectic-euler\" }}
            materials.rubber = {{ static_friction = 0.2 }}
            [contact]
            bodies = true
            normal = {{ stiffness = {stiffness} }}
            friction = {{ law = \"threshold\", epsilon = 5e-2 }}
            [[body]]
            name = \"cloth\"
            mass = 0.2
            {SHEET}
            [[pin]]
            body = \"cloth\"
            [[body]]
            name = \"ball\"
            mass = 0.1
            shape = {{ particle = {{}} }}
            radius = 0.03
            position = [0.01, 0.02, 0.2]
            velocity = [0, 0, -{speed}]
            "
        ));
        for _ in 0..6000 {
            run.advance().expect("a step");
        }
        run
    };
    let held = thrown(2e4, 1.0);
    assert!(held.state.positions[64].z > 0.1, "{}", held.state.positions[64]);
    assert!(held.verdict().faultless(), "{:?}", held.verdict());
    let through = thrown(200.0, 5.0);
    assert!(through.state.positions[64].z < -0.1, "{}", through.state.positions[64]);
    assert!(through.verdict().marks().contains("too-deep"), "{:?}", through.verdict());
}

/// Without friction and damping contact is elastic: the energy that the bodies' motion loses comes
/// back, to the order of the method, for particles against surfaces and ropes across each other.
/// Edges of surfaces end at particles with a finite force, which costs or gives up to about 1 % at
/// any step.
#[test]
fn elastic_contact_keeps_energy() {
    let undamped = |body: &str| {
        body.replace("damping = 1 ", "damping = 0 ")
            .replace("damping = 0.1", "damping = 0")
            .replace("damping = 0.2", "damping = 0")
    };
    let thick = format!("{CUBE}\n    radius = 0.02");
    for (first, second, bound) in [
        (CUBE, CUBE, 1e-5),
        // the closest points of segments side by side jump from end to end
        (ROPE, ROPE, 1e-3),
        (ROPE, ACROSS, 1e-5),
        (CUBE, ROPE, 5e-3),
        (&thick, &thick, 1e-2),
        (CUBE, SHEET, 1e-2),
        (SHEET, ROPE, 2e-2),
    ] {
        let (first, second) = (undamped(first), undamped(second));
        assert!(!first.contains("damping = 1"));
        let mut run = collision(&first, &second, 0.0, "{ law = \"none\" }", "rk4");
        for _ in 0..10_000 {
            run.advance().expect("a step");
        }
        let share = run.watches.audit.residual() / run.watches.audit.throughput();
        println!("{} {}: {share:.1e}", &first[..20], &second[..20]);
        assert!(share.abs() < bound, "{first} {second}: {share}");
    }
}

/// A ball that goes through a thin wall comes out on the other side, and the run says so; one that
/// a thick wall throws back does not.
#[test]
fn passing_through_a_thin_collider_is_told() {
    for shape in [
        "box = { center = [0, 0, -0.01], size = [1, 1, 0.02] }",
        "capsule = { center = [0, 0, -0.01], axis = [1, 0, 0], radius = 0.01, length = 1 }",
        "cylinder = { center = [0, 0, -0.01], axis = [0, 0, 1], radius = 0.5, length = 0.02 }",
        "sphere = { center = [0, 0, -0.01], radius = 0.01 }",
        "box = { center = [0, 0, -0.5], size = [1, 1, 1] }",
    ] {
        let mut run = simulation(&format!(
            "format = 1
            world = {{ gravity = [0, 0, 0] }}
            time = {{ end = 0.5, step = 1e-4, output = 0.5 }}
            integrator = {{ method = \"rk4\" }}
            materials.wood = {{ static_friction = 0.2 }}
            contact.normal = {{ stiffness = 2e3 }}
            [[body]]
            name = \"ball\"
            mass = 0.5
            shape = {{ particle = {{}} }}
            position = [0, 0, 0.1]
            velocity = [0, 0, -3]
            [[collider]]
            name = \"wall\"
            shape = {{ {shape} }}
            "
        ));
        for _ in 0..5000 {
            run.advance().expect("a step");
        }
        let through = run.state.positions[0].z < 0.0;
        let told = run.verdict().marks().contains("too-deep");
        assert_eq!(
            (through, told),
            if shape.contains("[1, 1, 1]") { (false, false) } else { (true, true) },
            "{shape}"
        );
    }
}

/// Forces within a body cancel: for the body as a whole they are exactly zero, though slip and
/// depth are there.
#[test]
fn contact_of_a_body_with_itself_bears_on_no_body() {
    // weights whose sum is no zero in floating point
    let weights = [1.0, -0.7, -0.2, -0.1];
    assert_ne!(weights.iter().sum::<f64>(), 0.0);
    let ends = Ends { particles: [3, 7, 8, 9], weights, count: 4 };
    let contact = Contact { ends, ..Contact::default() };
    assert_eq!(contact.share(&(0..10)), 0.0);
    assert_eq!(contact.share(&(0..5)), 1.0);
    assert!((contact.share(&(5..10)) + 1.0).abs() < 1e-15);
    assert_eq!(contact.share(&(10..20)), 0.0);
    assert_eq!(Contact { ends: Ends::one(3), ..contact }.share(&(0..10)), 1.0);
}

/// A rod that slides over one of another material is braked by the coefficients of their pair,
/// whichever body comes first, and not by those of either material alone.
#[test]
fn rods_of_two_materials_rub_by_their_pair() {
    let (mass, stiffness, g) = (1.0, 1e4, 9.81);
    let rest = 0.04 - mass * g / stiffness;
    let sliding = format!(
        "[[body]]
        name = \"sliding\"
        material = \"ice\"
        mass = {mass}
        shape.rope = {{ from = [-1, 0, 0], to = [1, 0, 0], segments = 1 }}
        springs.edge = {{ stiffness = 1e5, damping = 100 }}
        radius = 0.02
        position = [0, 0, {rest:e}]
        velocity = [0, 1, 0]
        "
    );
    let held = "[[body]]
        name = \"held\"
        material = \"rubber\"
        mass = 1
        shape.rope = { from = [0, -1, 0], to = [0, 1, 0], segments = 1 }
        springs.edge = { stiffness = 1e5, damping = 100 }
        radius = 0.02
        [[pin]]
        body = \"held\"
        ";
    for bodies in [[&sliding, held], [held, &sliding]] {
        let first = usize::from(bodies[0] == held);
        let mut run = simulation(&format!(
            "format = 1
            world = {{ gravity = [0, 0, -{g}] }}
            time = {{ end = 0.1, step = 1e-4, output = 0.1 }}
            integrator = {{ method = \"rk4\" }}
            materials.ice = {{ static_friction = 0.1 }}
            materials.rubber = {{ static_friction = 0.9 }}
            [[pair]]
            materials = [\"ice\", \"rubber\"]
            static_friction = 0.4
            [contact]
            bodies = true
            normal = {{ stiffness = {stiffness:e}, damping = 50 }}
            friction = {{ law = \"threshold\", epsilon = 1e-2 }}
            {}
            {}
            ",
            bodies[0], bodies[1]
        ));
        for _ in 0..1000 {
            run.advance().expect("a step");
        }
        let [contact] = run.state.memory.contacts[..] else { panic!("one contact") };
        assert_eq!(contact.ends.count, 4, "an edge on an edge");
        assert!((contact.friction.norm() / contact.normal_force - 0.4).abs() < 1e-9);
        let ends = [2 * first, 2 * first + 1].map(|i| run.state.velocities[i].y);
        let (speed, expected) = (0.5 * (ends[0] + ends[1]), 1.0 - 0.4 * g * 0.1);
        assert!((speed - expected).abs() < 1e-3, "{speed}, not {expected}");
    }
}

/// Two crossed links: at least one bounces off the other, whether they are two bodies, one body that touches
/// itself or ropes; without `links_touch` only their ends are there to be met.
#[test]
fn crossed_links_bounce_as_ropes_do() {
    let (along, across) = ("[-1, 0, 0], [1, 0, 0]", "[0, -1, 0.1], [0, 1, 0.1]");
    let body = |name: &str, shape: &str, velocity: f64| {
        format!(
            "[[body]]
            name = \"{name}\"
            mass = 1
            {shape}
            springs.edge = {{ stiffness = 1e5, damping = 100 }}
            radius = 0.02
            velocity = [0, 0, {velocity}]
            "
        )
    };
    let link = |ends: &str, more: &str| {
        format!("shape.points = {{ positions = [{ends}], links = [[0, 1]]{more} }}")
    };
    let rope = |[from, to]: [&str; 2]| {
        format!("shape.rope = {{ from = {from}, to = {to}, segments = 1 }}")
    };
    let two = |more: &str| {
        body("low", &link(along, more), 0.0) + &body("high", &link(across, more), -5.0)
    };
    let ropes = body("low", &rope(["[-1, 0, 0]", "[1, 0, 0]"]), 0.0)
        + &body("high", &rope(["[0, -1, 0.1]", "[0, 1, 0.1]"]), -5.0);
    let both = format!(
        "shape.points = {{ positions = [{along}, {across}], links = [[0, 1], [2, 3]], velocities = [[0, 0, 0], [0, 0, 0], [0, 0, -5], [0, 0, -5]] }}"
    );
    let speeds = |bodies: &str, key: &str| {
        let mut run = simulation(&format!(
            "format = 1
            world = {{ gravity = [0, 0, 0] }}
            time = {{ end = 0.1, step = 1e-4, output = 0.1 }}
            integrator.method = \"rk4\"
            materials.wood.static_friction = 0.3
            [contact]
            {key} = true
            normal = {{ stiffness = 1e5 }}
            friction = {{ law = \"threshold\", epsilon = 1e-2 }}
            {bodies}"
        ));
        for _ in 0..1000 {
            run.advance().expect("a step");
        }
        let v = &run.state.velocities;
        [0.5 * (v[0].z + v[1].z), 0.5 * (v[2].z + v[3].z)]
    };
    let right = speeds(&ropes, "bodies");
    // equal masses exchange their velocities
    assert!((right[0] + 5.0).abs() < 1e-3 && right[1].abs() < 1e-3, "{right:?}");
    assert_eq!(speeds(&two(""), "bodies"), right);
    let itself = speeds(&body("both", &both, 0.0).replace("mass = 1", "mass = 2"), "self_contact");
    assert!(
        (itself[0] - right[0]).abs() < 1e-9 && (itself[1] - right[1]).abs() < 1e-9,
        "{itself:?}"
    );
    assert_eq!(speeds(&two(", links_touch = false"), "bodies"), [0.0, -5.0]);
}
