//! Contacts that slip over the vertices of a soft face, and contacts at the edge of the cone.

use super::{center, contact, exact, trusted, until};

/// A brick between two soft fingers of mass 0.1 kg on guides, each pressed by 2 N: at μ = 0.6 they bear 2.4 N
/// of its 2.943 N, and it falls by (g − 2 μ N/m) t²/2, across rows of their vertices.
#[test]
fn a_brick_slips_between_fingers_across_their_vertices() {
    let finger = |name: &str, at: f64, force: f64| {
        format!(
            "[[body]]
            name = \"{name}\"
            mass = 0.1
            shape = {{ lattice = {{ counts = [2, 4, 11], spacing = 0.02 }} }}
            springs = {{ edge = {{ stiffness = 1e4, damping = 3 }}, face_diagonal = {{ stiffness = 1e4, damping = 3 }}, body_diagonal = {{ stiffness = 1e4, damping = 3 }} }}
            position = [{at}, 0, -0.1]
            [[push]]
            body = \"{name}\"
            force = [{force}, 0, 0]
            [[pin]]
            body = \"{name}\"
            axes = \"yz\"
            "
        )
    };
    let brick = "[[body]]
        name = \"brick\"
        mass = 0.3
        shape = { lattice = { counts = [2, 2, 2], spacing = 0.06 } }
        springs = { edge = { stiffness = 3e4, damping = 9 }, face_diagonal = { stiffness = 3e4, damping = 9 }, body_diagonal = { stiffness = 3e4, damping = 9 } }
        position = [0, 0, -0.03]
        ";
    let rest = format!("{brick}{}{}", finger("left", -0.04, 2.0), finger("right", 0.04, -2.0));
    let keys = "method = \"exact\", bodies = true";
    let mut grip = contact(keys, "symplectic-euler", 5e-5, [0.6; 2], &rest);
    let height = |grip: &stiction_core::simulation::Simulation| {
        grip.state.positions[..8].iter().map(|x| x.z).sum::<f64>() / 8.0
    };
    let first = height(&grip);
    // across the rows 0.01 m and 0.03 m further down
    until(&mut grip, 0.2);
    let fallen = first - height(&grip);
    let theory = 0.5 * (9.81 - 2.0 * 0.6 * 2.0 / 0.3) * 0.2 * 0.2;
    assert!((fallen / theory - 1.0).abs() < 0.01, "{fallen} m, not {theory} m");
    trusted(&grip);
}

/// A rigid box under a push that grows by 4 N/s: it holds up to μ_s m g, at the edge of the cone as well, and
/// then slides with μ_k. With u = t − μ_s m g/r, x = r u³/(6 m) + (μ_s − μ_k) g u²/2.
#[test]
fn a_box_breaks_away_at_static_friction() {
    let corners: Vec<[f64; 3]> = (0..8)
        .map(|k| {
            [
                0.2 * f64::from(2 * (k & 1) - 1),
                0.1 * f64::from((k & 2) - 1),
                0.05 * f64::from((k & 4) / 2 - 1),
            ]
        })
        .collect();
    let rest = format!(
        "[[body]]
        name = \"box\"
        rigid = true
        mass = 1.0
        shape.points.positions = {corners:?}
        position = [0, 0, 0.05]
        [[push]]
        body = \"box\"
        force = [8, 0, 0]
        ramp = 2.0
        [[collider]]
        name = \"floor\"
        shape.plane = {{}}
        "
    );
    for (method, h) in [("rk4", 1e-3), ("symplectic-euler", 1e-3), ("rk4", 1e-4)] {
        let mut pushed = exact(method, h, [0.6, 0.3], &rest);
        let from = center(&pushed).x;
        let holds = 0.6 * 9.81 / 4.0;
        until(&mut pushed, holds - 2.0 * h);
        assert!((center(&pushed).x - from).abs() < 1e-9, "{method}, {h}: it holds");
        until(&mut pushed, 2.0);
        let (way, u) = (center(&pushed).x - from, 2.0 - holds);
        let theory = 4.0 * u * u * u / 6.0 + 0.3 * 9.81 * u * u / 2.0;
        // it breaks away up to two steps late
        let late = 2.0 * h * (2.0 * u * u + 0.3 * 9.81 * u);
        assert!((way - theory).abs() < late, "{method}, {h}: {way} m, not {theory} ± {late} m");
    }
}
