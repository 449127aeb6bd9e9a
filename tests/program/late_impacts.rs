//! Error bars under contact by impulses: of the height and velocity of bounces, whose times are known to a step,
//! and of rest.

use crate::verify::{bar, document, level};
use stiction_core::math::sqrt;

/// Height \[m\] and velocity \[m/s\] of a point that falls from `from` and rebounds with e times its speed.
fn motion(from: f64, e: f64, time: f64) -> [f64; 2] {
    let g = 9.81;
    let mut impact = sqrt(2.0 * from / g);
    if time < impact {
        return [from - 0.5 * g * time * time, -g * time];
    }
    let mut speed = e * g * impact;
    while impact + 2.0 * speed / g < time {
        impact += 2.0 * speed / g;
        speed *= e;
    }
    let since = time - impact;
    [speed * since - 0.5 * g * since * since, speed - g * since]
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
                [[measure]]
                name = \"v\"
                kind = \"velocity\"
                body = \"ball\"
                direction = [0, 0, 1]
                "
            );
            let document = document(&scene, &["--verify"]);
            let measures = [("z", 12.0), ("v", 40.0)];
            for ((measure, narrow_at), right) in measures.into_iter().zip(motion(from, e, end)) {
                let (value, error) = bar(&document, measure);
                let off = (value - right).abs();
                assert!(
                    off <= error,
                    "{method}, {from} m, e {e}, {h} s: {measure} is off by {off}, bar {error}"
                );
                narrow += u64::from(error < narrow_at * h);
            }
        }
    }
    assert!(narrow > 36, "{narrow} of 72");
}

/// Rest is right though it is rest to the tolerance of contacts alone.
#[test]
fn rest_under_impulses_is_trusted() {
    let scene = "format = 1
        time = { end = 0.5, step = 1e-3, output = 0.01 }
        integrator.method = \"symplectic-euler\"
        materials.any.static_friction = 0.5
        contact.method = \"impulse\"
        [[body]]
        name = \"ball\"
        mass = 1
        shape.particle = {}
        [[collider]]
        name = \"floor\"
        shape.plane = {}
        [[measure]]
        name = \"z\"
        kind = \"position\"
        body = \"ball\"
        direction = [0, 0, 1]
        ";
    for method in ["symplectic-euler", "rk4"] {
        let run = document(&scene.replace("symplectic-euler", method), &["--verify"]);
        assert_eq!(level(&run), "trusted", "{method}: {}", run["trust"]);
    }
}

/// The way along the floor stays off by the delay of an impact in which the slip stopped, long after it.
#[test]
fn a_way_stays_uncertain_after_an_oblique_impact() {
    for ((method, e), h) in ["exact", "impulse"]
        .into_iter()
        .flat_map(|m| [0.0, 0.74].map(|e| (m, e)))
        .flat_map(|case| [2e-3, 1e-3].map(|h| (case, h)))
    {
        let scene = format!(
            "format = 1
            time = {{ end = 0.7, step = {h:e}, output = 0.01 }}
            integrator.method = \"symplectic-euler\"
            materials.any = {{ static_friction = 0.3, restitution = {e:e} }}
            contact.method = \"{method}\"
            [[body]]
            name = \"ball\"
            mass = 1
            shape.particle = {{}}
            position = [0, 0, 0.452]
            velocity = [0.8, 0, 0.07]
            [[collider]]
            name = \"floor\"
            shape.plane = {{}}
            [[measure]]
            name = \"x\"
            kind = \"position\"
            body = \"ball\"
            direction = [1, 0, 0]
            "
        );
        let run = document(&scene, &["--verify"]);
        let (value, error) = bar(&run, "x");
        let g = 9.81;
        // μ (1 + e) times the speed of the impact is more than .8 m/s: 3.0 m/s
        let right = 0.8 * (0.07 + sqrt(0.07 * 0.07 + 2.0 * g * 0.452)) / g;
        let off = (value - right).abs();
        assert!(off > 1e-6 && off <= error, "{method}, {h}: {value} ± {error}, right {right}");
    }
}
