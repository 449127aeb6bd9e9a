//! Error bars of the height of bounces under contact by impulses, whose times are known to a step.

use crate::verify::{bar, document};
use stiction_core::math::sqrt;

/// Height of a point that falls from `from` and rebounds with e times its speed \[m\].
fn height(from: f64, e: f64, time: f64) -> f64 {
    let g = 9.81;
    let mut impact = sqrt(2.0 * from / g);
    if time < impact {
        return from - 0.5 * g * time * time;
    }
    let mut speed = e * g * impact;
    while impact + 2.0 * speed / g < time {
        impact += 2.0 * speed / g;
        speed *= e;
    }
    let since = time - impact;
    speed * since - 0.5 * g * since * since
}

#[test]
fn bars_of_bounces_hold_the_truth() {
    let end = 0.6;
    // bars that say more than that the height is unknown
    let mut narrow = 0;
    for (method, from) in
        ["exact", "impulse"].into_iter().flat_map(|m| [0.37, 0.5, 0.61].map(|z| (m, z)))
    {
        for (e, h) in [(0.5, 1e-2), (0.5, 5e-3), (0.5, 2e-3), (0.9, 1e-2), (0.9, 5e-3), (0.9, 2e-3)]
        {
            let scene = format!(
                "format = 1
                time = {{ end = {end}, step = {h}, output = {h} }}
                integrator.method = \"symplectic-euler\"
                materials.ball = {{ static_friction = 0.5, restitution = {e} }}
                contact.method = \"{method}\"
                [[body]]
                name = \"ball\"
                mass = 1.0
                shape.particle = {{}}
                position = [0, 0, {from}]
                [[collider]]
                name = \"floor\"
                shape.plane = {{}}
                [[measure]]
                name = \"z\"
                kind = \"position\"
                body = \"ball\"
                direction = [0, 0, 1]
                "
            );
            let document = document(&scene, &["--verify"]);
            let (value, error) = bar(&document, "z");
            let off = (value - height(from, e, end)).abs();
            assert!(
                off <= error,
                "{method}, {from} m, e {e}, {h} s: off by {off} m, bar {error} m"
            );
            narrow += u64::from(error < 12.0 * h);
        }
    }
    assert!(narrow > 18, "{narrow} of 36");
}
