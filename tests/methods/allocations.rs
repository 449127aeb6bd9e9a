//! A step allocates nothing once its buffers have grown.

use crate::support::simulation;
use stiction_core::integrators::INTEGRATORS;

const TEXT: &str = r#"
format = 1
world = { gravity = [0, 0, -9.81] }
time = { end = 1.0, step = 1e-4, output = 1.0 }
materials.jelly = { static_friction = 0.5 }
contact.normal = { law = "linear", stiffness = 1e4, damping = 5 }
contact.friction = { LAW }
[integrator]
method = "METHOD"
[[body]]
name = "cube"
mass = 0.6
shape = { lattice = { counts = [4, 4, 4], spacing = 0.1 } }
springs = { edge = { stiffness = 500, damping = 0.5 }, face_diagonal = { stiffness = 500 } }
position = [0, 0, -3.7e-5]
velocity = [1, 0, 0]
[[body]]
name = "rider"
mass = 0.1
shape = { particle = {} }
position = [0.15, 0.15, 2]
[[collider]]
name = "floor"
shape = { plane = {} }
[[collider]]
name = "ball"
shape = { sphere = { radius = 0.1, center = [2, 2, 2] } }
"#;

/// Bytes allocated by steps that come after others.
fn allocated(method: &str, law: &str) -> u64 {
    let mut run = simulation(&TEXT.replace("METHOD", method).replace("LAW", law));
    (0..40).for_each(|_| run.advance().expect("a sound scene"));
    let counted = allocation_counter::measure(|| {
        (0..20).for_each(|_| run.advance().expect("a sound scene"));
    });
    assert!(run.state.memory.contacts.len() >= 4, "it slides");
    counted.count_total
}

#[test]
fn a_step_of_an_explicit_method_allocates_nothing() {
    let explicit = INTEGRATORS.names().into_iter().filter(|name| {
        let method = INTEGRATORS.find(name).and_then(|entry| entry.from_defaults().ok());
        method.is_some_and(|method| {
            let capabilities = method.capabilities();
            !capabilities.implicit && !capabilities.adaptive
        })
    });
    let mut tried = 0;
    for method in explicit {
        for law in
            [r#"law = "threshold", epsilon = 1e-2"#, r#"law = "cundall-strack", stiffness = 1e4"#]
        {
            let count = allocated(method, law);
            assert_eq!(count, 0, "{method} with {law}");
        }
        tried += 1;
    }
    assert!(tried >= 8, "{tried}");
}
