//! Grazing impacts, where slip is fast and N comes and goes within a few steps: friction takes
//! energy and never gives any, under every friction law and every normal law.

use crate::support::simulation;
use rayon::prelude::*;
use stiction_core::contact::friction::{FRICTION_LAWS, FrictionLaw};
use stiction_core::contact::normal::{NORMAL_LAWS, NormalLaw};
use stiction_core::diagnosis::friction_limit::NothingToRestOn;
use stiction_core::math::{cos, radians, sin};
use stiction_core::registry::{Entry, Fallback};
use stiction_core::simulation::Simulation;

const BODIES: [(&str, &str); 2] = [
    ("particle", "shape = { particle = {} }\nmass = 0.01\nradius = 0.02"),
    (
        "cube",
        "shape = { lattice = { counts = [2, 2, 2], spacing = 0.04 } }
mass = 0.02
radius = 0.005
spin = [20, 30, -10]
springs = { edge = { stiffness = 500, damping = 0.05 }, face_diagonal = { stiffness = 300, damping = 0.05 } }",
    ),
];

/// Each touches the origin from below: at its highest point, or with an edge across the way.
const COLLIDERS: [(&str, &str); 3] = [
    ("plane", "plane = {}"),
    ("ball", "sphere = { center = [0, 0, -0.3], radius = 0.3 }"),
    (
        "edge",
        "box = { center = [0, 0, -0.2828427], size = [0.4, 0.4, 0.4], rotation = [0, 45, 0] }",
    ),
];

/// Methods, and where they keep the stretch.
const WAYS: [[&str; 2]; 4] = [
    ["rk4", "commit"],
    ["symplectic-euler", "commit"],
    ["rk4", "state"],
    ["symplectic-euler", "state"],
];

fn friction_text(row: &Entry<dyn FrictionLaw>) -> String {
    let mut text = format!("{{ law = \"{}\"", row.name);
    for key in row.keys {
        text += &match (key.name, key.default) {
            ("epsilon", _) => ", epsilon = 0.05".to_string(),
            ("stiffness", _) => ", stiffness = 300".to_string(),
            ("damping", _) => ", damping = 0.5".to_string(),
            (name, Fallback::Required) => panic!("{} needs {name}: say here how much", row.name),
            _ => continue,
        };
    }
    text + " }"
}

fn normal_text(row: &Entry<dyn NormalLaw>) -> String {
    let mut text = format!("{{ law = \"{}\"", row.name);
    for key in row.keys {
        text += &match (key.name, key.default) {
            // about as stiff as the linear law at the depth of a millimetre
            ("stiffness", _) if row.name != "linear" => ", stiffness = 3e4".to_string(),
            ("stiffness", _) => ", stiffness = 1e3".to_string(),
            (name, Fallback::Required) => panic!("{} needs {name}: say here how much", row.name),
            _ => continue,
        };
    }
    text + " }"
}

/// A body thrown at 2 m/s, `angle` degrees below the horizontal, so that it meets the collider at
/// the origin.
fn thrown(
    laws: (&Entry<dyn FrictionLaw>, &Entry<dyn NormalLaw>),
    body: &str,
    collider: &str,
    angle: f64,
    method: &str,
    stretch: &str,
) -> Simulation {
    let (along, down) = (cos(radians(angle)), sin(radians(angle)));
    let (way, speed) = (0.06, 2.0);
    let radius = if body.contains("particle") { 0.02 } else { 0.005 };
    simulation(&format!(
        "format = 1
time = {{ end = 0.1, step = 4e-5, output = 0.1 }}
integrator = {{ method = \"{method}\" }}
materials.glass = {{ static_friction = 0.6, kinetic_friction = 0.4, restitution = 0.5 }}
contact.stretch = \"{stretch}\"
contact.friction = {}
contact.normal = {}
[[body]]
name = \"thrown\"
{body}
position = [{:e}, 0, {:e}]
velocity = [{:e}, 0.3, {:e}]
[[collider]]
name = \"hit\"
shape = {{ {collider} }}
",
        friction_text(laws.0),
        normal_text(laws.1),
        -way * along,
        radius + way * down,
        speed * along,
        -speed * down
    ))
}

/// Runs to the end and returns what friction took \[J\]. Whatever it gave back is a fault.
fn taken_by_friction(run: &mut Simulation, name: &str) -> f64 {
    let stored = |run: &Simulation| -> f64 {
        run.state.memory.contacts.iter().map(|contact| contact.stored).sum()
    };
    // −F·v of all contacts from laws and motion alone, without the audit
    let power = |run: &Simulation| -> f64 {
        run.state.memory.contacts.iter().map(|c| -c.friction.dot(&c.slip)).sum()
    };
    let (mut before, mut touched, mut work) = (run.watches.audit.flows, 0, 0.0);
    let (mut last, mut largest) = (power(run), 0.0f64);
    let h = run.time_step();
    while run.state.step_count < 2500 {
        run.advance().expect("a step");
        touched += usize::from(!run.state.memory.contacts.is_empty());
        let (now, throughput) = (run.watches.audit.flows, run.watches.audit.throughput());
        let next = power(run);
        largest = largest.max(next.abs());
        work += 0.5 * h * (last + next);
        last = next;
        if !run.model.friction().has_memory() {
            assert!(next >= 0.0, "{name}: friction drives with {next} W");
        }
        let gave = [
            before.friction_stick - now.friction_stick,
            before.friction_slip - now.friction_slip,
            // all that friction has taken, with what the stretch still stores
            -(now.friction_stick + now.friction_slip + stored(run)),
            // the trapezoidal rule may miss as much where a contact begins or ends
            -(work + h * largest),
        ];
        for (what, gave) in ["in stick", "in slip", "in all", "in work"].into_iter().zip(gave) {
            let time = run.state.time;
            assert!(gave <= 1e-9 * throughput, "{name}: friction gave {gave} J {what} at {time}");
        }
        before = now;
    }
    assert!(touched > 5, "{name}: it missed");
    before.friction_stick + before.friction_slip
}

#[test]
fn friction_only_takes_energy_in_grazing_impacts() {
    let mut cases = Vec::new();
    for friction in &FRICTION_LAWS {
        for normal in &NORMAL_LAWS {
            for body in BODIES {
                for collider in &COLLIDERS {
                    cases.push((friction, normal, body, collider));
                }
            }
        }
    }
    cases.into_par_iter().for_each(|(friction, normal, body, collider)| {
        for [method, stretch] in WAYS {
            for angle in [1.0, 3.0, 5.0] {
                let mut run =
                    thrown((friction, normal), body.1, collider.1, angle, method, stretch);
                if stretch == "state" && !run.model.friction().has_memory() {
                    continue;
                }
                let name = format!(
                    "{} with {}, {} on {} at {angle}° under {method}, stretch in {stretch}",
                    friction.name, normal.name, body.0, collider.0
                );
                check(&mut run, friction.name != "none", &name);
            }
        }
    });
}

/// Friction takes something, if there is any, and the run can be trusted.
fn check(run: &mut Simulation, rubs: bool, name: &str) {
    let taken = taken_by_friction(run, name);
    assert_eq!(taken > 0.0, rubs, "{name}: {taken}");
    // the sign law may chatter, at any step
    let reasons = run.verdict().reasons;
    let faults: Vec<_> =
        reasons.iter().filter(|r| r.numbers::<NothingToRestOn>().is_none()).collect();
    assert!(faults.is_empty(), "{name}: {faults:?}");
}
