//! Every row's normal is the gradient of its distance; meshes agree with the solids they stand for.

use super::*;

/// Examples of every row, within a metre or so of the origin.
fn examples() -> Vec<(&'static str, Box<dyn Shape>)> {
    let inside = ("inside", Value::Flag(true));
    let (vertices, triangles) = angle_bar();
    let bar = mesh_of(&vertices, &triangles);
    let mut hollow = bar.to_vec();
    hollow.extend([inside.clone(), ("rotation", vector(20.0, -50.0, 130.0))]);
    let capsule = [
        ("center", vector(0.1, 0.0, -0.2)),
        ("axis", vector(1.0, 2.0, -0.5)),
        ("radius", number(0.3)),
        ("length", number(0.7)),
    ];
    let cylinder =
        [("axis", vector(1.0, 0.3, 0.2)), ("radius", number(0.5)), ("length", number(0.9))];
    let cuboid = [("size", vector(0.8, 1.1, 0.6)), ("rotation", vector(10.0, 20.0, 30.0))];
    let with = |set: &[(&'static str, Value)]| [set, std::slice::from_ref(&inside)].concat();
    let ball = [("radius", number(0.6))];
    vec![
        ("plane", make("plane", &[("normal", vector(0.2, -0.1, 1.0))])),
        ("sphere", make("sphere", &ball)),
        ("sphere", make("sphere", &with(&ball))),
        ("box", make("box", &cuboid)),
        ("cylinder", make("cylinder", &cylinder[..2])),
        ("cylinder", make("cylinder", &cylinder)),
        ("cylinder", make("cylinder", &with(&cylinder))),
        ("capsule", make("capsule", &capsule)),
        ("capsule", make("capsule", &with(&capsule))),
        ("mesh", make("mesh", &bar)),
        ("mesh", make("mesh", &hollow)),
        ("heightfield", make("heightfield", &hills())),
        ("implicit", make("implicit", &[("phi", Value::Text("x^2 + 2*y^2 + z^2 - 0.4".into()))])),
    ]
}

#[test]
fn every_normal_is_the_gradient_of_its_distance() {
    let examples = examples();
    for name in COLLIDERS.names() {
        assert!(examples.iter().any(|(shape, _)| *shape == name), "no example of `{name}`");
    }
    let h = 1e-6;
    let mut dice = Dice(1);
    for (name, shape) in &examples {
        let (mut tried, mut tested) = (0, 0);
        for _ in 0..4000 {
            let p = dice.vector();
            let gap = shape.gap(p);
            // far from a formula's surface its distance is an estimate
            let estimated = *name == "implicit" && gap.distance.abs() > 0.15;
            if gap.distance == f64::MAX || estimated {
                continue;
            }
            tried += 1;
            assert!((gap.normal.norm() - 1.0).abs() < 1e-12, "{name} at {p}: {}", gap.normal);
            let mut gradient = Vector::zeros();
            let mut smooth = true;
            for axis in 0..3 {
                let step = Vector::ith(axis, h);
                let (ahead, behind) = (shape.gap(p + step), shape.gap(p - step));
                gradient[axis] = (ahead.distance - behind.distance) / (2.0 * h);
                // not across a ridge, where another piece becomes the nearest
                smooth &= (ahead.normal - behind.normal).norm() < 1e-4;
            }
            if smooth {
                tested += 1;
                let off = (gradient - gap.normal).norm();
                assert!(off < 1e-6, "{name} at {p}: {gradient} is not {}", gap.normal);
            }
        }
        assert!(tested > 250 && tested * 10 > tried * 9, "{name}: {tested} of {tried}");
    }
}

#[test]
fn what_is_called_a_true_distance_never_changes_by_more_than_the_way() {
    let mut dice = Dice(2);
    let mut costly = 0;
    for (name, shape) in examples() {
        if !shape.is_costly() {
            continue;
        }
        costly += 1;
        for _ in 0..4000 {
            let (p, q) = (dice.vector(), dice.vector());
            for q in [q, p + 1e-3 * q] {
                let change = (shape.gap(p).distance - shape.gap(q).distance).abs();
                assert!(change <= (p - q).norm() * (1.0 + 1e-12) + 1e-15, "{name}: {p} {q}");
            }
        }
    }
    assert_eq!(costly, 2, "the two meshes");
}

#[test]
fn a_capsule_is_a_bar_between_two_balls() {
    let set = [("radius", number(0.5)), ("length", number(2.0)), ("center", vector(0.0, 0.0, 1.0))];
    let shape = make("capsule", &set);
    for (p, distance, normal) in [
        (Vector::new(0.7, 0.0, 1.3), 0.2, Vector::x()),
        (Vector::new(0.0, -0.4, 0.2), -0.1, -Vector::y()),
        (Vector::new(0.0, 0.0, 2.75), 0.25, Vector::z()),
        (Vector::new(0.3, 0.0, -0.4), 0.0, Vector::new(0.6, 0.0, -0.8)),
    ] {
        let gap = shape.gap(p);
        assert!((gap.distance - distance).abs() < 1e-15, "{p}: {gap:?}");
        assert!((gap.normal - normal).norm() < 1e-15, "{p}: {gap:?}");
    }
    // on the axis and at length zero, which is a ball
    assert_eq!(shape.gap(Vector::z()).distance, -0.5);
    let ball = make("capsule", &[("radius", number(0.5)), ("length", number(0.0))]);
    let sphere = make("sphere", &[("radius", number(0.5))]);
    let p = Vector::new(0.3, -0.2, 0.9);
    assert_eq!(ball.gap(p), sphere.gap(p));
    // its outline lies on it and encloses nearly its volume
    let around =
        stiction_core::contact::collider::Bounds { min: Vector::zeros(), max: Vector::zeros() };
    let triangles = stiction_core::contact::collider::outline::triangles(shape.as_ref(), &around);
    assert!(triangles.iter().flatten().all(|p| shape.gap(*p).distance.abs() < 1e-12));
    let volume: f64 = triangles.iter().map(|[a, b, c]| a.dot(&b.cross(c)) / 6.0).sum();
    let exact = std::f64::consts::PI * 0.25 * (2.0 + 4.0 / 3.0 * 0.5);
    assert!(volume < exact && volume > 0.97 * exact, "{volume} {exact}");
}

#[test]
fn the_mesh_of_a_box_is_the_box() {
    let size = Vector::new(0.8, 1.1, 0.6);
    let (vertices, triangles) = box_mesh(size / 0.5);
    let placed = [
        ("scale", number(0.5)),
        ("position", vector(0.1, -0.2, 0.3)),
        ("rotation", vector(10.0, 20.0, 30.0)),
    ];
    let mesh = make("mesh", &[&mesh_of(&vertices, &triangles)[..], &placed].concat());
    let center = mesh.center();
    let set = [
        ("size", Value::Vector(size)),
        ("rotation", placed[2].1.clone()),
        ("center", Value::Vector(center)),
    ];
    let cuboid = make("box", &set);
    let mut dice = Dice(3);
    let (mut outside, mut inside) = (0, 0);
    for _ in 0..20_000 {
        let p = center + dice.vector();
        let (found, expected) = (mesh.gap(p), cuboid.gap(p));
        // outside and inside; inside, the nearest face decides for both shapes
        assert!((found.distance - expected.distance).abs() < 1e-12, "{p}: {found:?} {expected:?}");
        if (found.normal - expected.normal).norm() > 1e-9 {
            // two faces at the same distance
            assert!(expected.distance < -0.1, "{p}: {found:?} {expected:?}");
        }
        if expected.distance > 0.0 { outside += 1 } else { inside += 1 }
    }
    assert!(outside > 1000 && inside > 1000);
}

/// At a sharp edge or point the nearest face alone does not tell the side.
#[test]
fn a_spike_is_solid_exactly_within_its_faces() {
    let vertices = [[0.0, 0.0, 0.9], [0.05, 0.0, -0.6], [-0.04, 0.06, -0.5], [-0.03, -0.05, -0.6]]
        .map(Vector::from);
    let triangles = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
    let shape = make("mesh", &mesh_of(&vertices, &triangles));
    let mut dice = Dice(9);
    for _ in 0..20_000 {
        let spread = dice.number().abs();
        let p = dice.vector().component_mul(&Vector::new(0.3 * spread, 0.3 * spread, 1.3));
        // for a convex solid: the largest distance beyond the plane of a face
        let beyond = triangles.iter().map(|corners| {
            let [a, b, c] = corners.map(|i| vertices[i]);
            (p - a).dot(&(b - a).cross(&(c - a)).normalize())
        });
        let beyond = beyond.fold(f64::NEG_INFINITY, f64::max);
        let distance = shape.gap(p).distance;
        assert_eq!(distance > 0.0, beyond > 0.0, "{p}: {distance} {beyond}");
        assert!(distance > beyond - 1e-12, "{p}: {distance} {beyond}");
    }
}

#[test]
fn the_normal_on_the_surface_is_a_unit_vector() {
    let (vertices, triangles) = angle_bar();
    let mut dice = Dice(4);
    for flag in [false, true] {
        let set = [&mesh_of(&vertices, &triangles)[..], &[("inside", Value::Flag(flag))]].concat();
        let shape = make("mesh", &set);
        let sign = if flag { -1.0 } else { 1.0 };
        for corners in &triangles {
            let [a, b, c] = corners.map(|i| vertices[i]);
            let face = (b - a).cross(&(c - a)).normalize();
            let mut points = vec![a, (a + b) * 0.5, b * 0.3 + c * 0.7];
            points.extend((0..20).map(|_| {
                let (u, v) = (dice.number().abs(), dice.number().abs());
                a + (b - a) * (u * sqrt(v)) + (c - a) * ((1.0 - u) * sqrt(v))
            }));
            for (k, p) in points.into_iter().enumerate() {
                let inner = k >= 3;
                let gap = shape.gap(p);
                assert!(gap.distance.abs() < 1e-15, "{p}: {gap:?}");
                assert!((gap.normal.norm() - 1.0).abs() < 1e-12, "{p}: {gap:?}");
                // at an edge, also the hollow one, the normal is that of either face or between
                // them
                let least = if inner { 0.999 } else { -1e-9 };
                assert!(gap.normal.dot(&face) * sign > least, "{p}: {gap:?}");
            }
        }
    }
}

#[test]
fn the_mesh_of_a_ball_is_a_ball_within_its_chords() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/meshes/sphere.obj");
    let mesh =
        parse_surface("sphere.obj", &std::fs::read(path).expect("the file")).expect("a ball");
    let triangles: Vec<[usize; 3]> =
        mesh.triangles.iter().map(|corners| corners.map(|i| i as usize)).collect();
    // how far the faces lie within the ball
    let chord = triangles
        .iter()
        .map(|corners| {
            let [a, b, c] = corners.map(|i| mesh.vertices[i]);
            0.1 - a.dot(&(b - a).cross(&(c - a)).normalize())
        })
        .fold(0.0, f64::max);
    assert!(chord > 1e-5 && chord < 2e-3, "{chord}");
    let shape = make("mesh", &mesh_of(&mesh.vertices, &triangles));
    let mut dice = Dice(6);
    for _ in 0..5000 {
        let p = dice.vector() * 0.2;
        let error = shape.gap(p).distance - (p.norm() - 0.1);
        assert!(error > -1e-9 && error < chord + 1e-9, "{p}: {error:e}");
    }
}

#[test]
fn a_flat_heightfield_is_a_plane() {
    let (n, m, spacing) = (7, 5, 0.3);
    let slope = |x: f64, y: f64| 0.3 * x - 0.4 * y;
    let heights = (0..n * m)
        .map(|k| slope((k % n) as f64 * spacing, (k / n) as f64 * spacing))
        .collect::<Vec<f64>>();
    let set = [
        ("heights", Value::Numbers(heights)),
        ("columns", Value::Integer(n as i64)),
        ("spacing", number(spacing)),
        ("position", vector(2.0, -1.0, 0.5)),
    ];
    let ground = make("heightfield", &set);
    let plane =
        make("plane", &[("normal", vector(-0.3, 0.4, 1.0)), ("point", vector(2.0, -1.0, 0.5))]);
    let mut dice = Dice(7);
    for _ in 0..5000 {
        // away from the rim, beyond which the surface ends
        let p =
            Vector::new(2.9, -0.4, 0.47) + dice.vector().component_mul(&Vector::new(0.6, 0.3, 0.3));
        let (found, expected) = (ground.gap(p), plane.gap(p));
        assert!((found.distance - expected.distance).abs() < 1e-12, "{p}: {found:?} {expected:?}");
        assert!((found.normal - expected.normal).norm() < 1e-12, "{p}: {found:?} {expected:?}");
    }
    for p in [Vector::new(1.99, 0.0, 0.0), Vector::new(3.0, 0.21, -5.0)] {
        assert_eq!(ground.gap(p).distance, f64::MAX);
    }
}

#[test]
fn ground_is_solid_below_and_nearest_where_it_is_nearest() {
    let ground = make("heightfield", &hills());
    let around =
        stiction_core::contact::collider::Bounds { min: Vector::zeros(), max: Vector::zeros() };
    let triangles = stiction_core::contact::collider::outline::triangles(ground.as_ref(), &around);
    assert_eq!(triangles.len(), 2 * 8 * 6);
    let mut dice = Dice(8);
    for _ in 0..500 {
        let p = dice.vector().component_mul(&Vector::new(0.9, 0.7, 0.6));
        let gap = ground.gap(p);
        // down to the surface along the vertical
        let above = triangles.iter().filter_map(|t| above(t, p)).next().expect("over the ground");
        assert_eq!(gap.distance > 0.0, above > 0.0, "{p}: {gap:?} {above}");
        assert!(gap.distance.abs() <= above.abs() + 1e-12);
        let nearest =
            triangles.iter().map(|t| distance_by_sampling(t, p)).fold(f64::INFINITY, f64::min);
        assert!(gap.distance.abs() <= nearest + 1e-12, "{p}: {gap:?} {nearest}");
        assert!(gap.distance.abs() >= nearest - 0.01, "{p}: {gap:?} {nearest}");
    }
}

/// How far p lies above a triangle, if it lies above or below it.
fn above([a, b, c]: &[Vector; 3], p: Vector) -> Option<f64> {
    let turn = |a: &Vector, b: &Vector| (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
    let n = (b - a).cross(&(c - a));
    (turn(a, b) >= 0.0 && turn(b, c) >= 0.0 && turn(c, a) >= 0.0).then(|| (p - a).dot(&n) / n.z)
}

fn distance_by_sampling([a, b, c]: &[Vector; 3], p: Vector) -> f64 {
    let n = 24;
    let pairs = (0..=n).flat_map(|i| (0..=n - i).map(move |j| (i, j)));
    pairs
        .map(|(i, j)| {
            let (u, v) = (i as f64 / n as f64, j as f64 / n as f64);
            (a + (b - a) * u + (c - a) * v - p).norm()
        })
        .fold(f64::INFINITY, f64::min)
}

/// A mesh far from the origin is the same solid there: its gap, its inside and its centre, to the
/// digits that coordinates have 1e7 m away.
#[test]
fn a_mesh_far_from_the_origin_is_the_same_solid() {
    let (vertices, triangles) = angle_bar();
    let far = Vector::new(1e7, -1e7, 1e7);
    let here = make("mesh", &mesh_of(&vertices, &triangles));
    let mut placed = mesh_of(&vertices, &triangles).to_vec();
    placed.push(("position", vector(far.x, far.y, far.z)));
    let there = make("mesh", &placed);
    // two bars of .8 × .3 and .3 × .5
    let (a, b) = (0.24, 0.15);
    let side = (a * 0.4 + b * 0.15) / (a + b) - 0.4;
    let other = (a * 0.15 + b * 0.55) / (a + b) - 0.4;
    let center = Vector::new(side, other, 0.0);
    assert!((here.center() - center).norm() < 1e-14, "{}", here.center());
    assert!((there.center() - far - center).norm() < 1e-7, "{}", there.center() - far);
    let mut dice = Dice(9);
    let (mut inside, mut outside) = (0, 0);
    for _ in 0..500 {
        let p = dice.vector() * 0.6;
        let (near, away) = (here.gap(p), there.gap(p + far));
        assert!((near.distance - away.distance).abs() < 2e-8, "{near:?} {away:?}");
        if near.distance > 0.0 { outside += 1 } else { inside += 1 }
    }
    assert!(inside > 30 && outside > 30, "{inside} {outside}");
}
