//! Shapes of colliders: every row's normal is the gradient of its distance, meshes agree with the
//! solids they stand for, and surfaces that are no solid are refused with what is wrong.

use std::path::Path;
use stiction::contact::collider::{COLLIDERS, Shape};
use stiction::math::{Vector, sqrt};
use stiction::registry::{Problem, Value, Values};
use stiction::run::{Run, Status, Unobserved};
use stiction::scene::build::{BuildError, BuildOptions};
use stiction::scene::mesh::parse_surface;
use stiction::scene::{LoadOptions, load_text};

fn try_make(name: &str, set: &[(&'static str, Value)]) -> Result<Box<dyn Shape>, Problem> {
    let entry = COLLIDERS.find(name).expect("the row");
    let values = set
        .iter()
        .fold(Values::defaults(entry.keys), |values, (key, value)| values.set(key, value.clone()));
    (entry.make)(&values)
}

fn make(name: &str, set: &[(&'static str, Value)]) -> Box<dyn Shape> {
    try_make(name, set).unwrap_or_else(|problem| panic!("{name}: {problem}"))
}

fn number(x: f64) -> Value {
    Value::Number(x)
}

fn vector(x: f64, y: f64, z: f64) -> Value {
    Value::Vector(Vector::new(x, y, z))
}

/// Numbers from −1 to 1, the same in every run.
struct Dice(u64);

impl Dice {
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vector {
        Vector::new(self.number(), self.number(), self.number())
    }
}

/// Corners of a box with one edge at the origin, and its twelve triangles, outward.
fn box_mesh(size: Vector) -> (Vec<Vector>, Vec<[usize; 3]>) {
    let corner = |k: usize| {
        Vector::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2 & 1) as f64).component_mul(&size)
    };
    let faces =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = faces.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    ((0..8).map(corner).collect(), triangles)
}

fn mesh_of(vertices: &[Vector], triangles: &[[usize; 3]]) -> [(&'static str, Value); 2] {
    [
        ("vertices", Value::Vectors(vertices.to_vec())),
        ("triangles", Value::Triples(triangles.to_vec())),
    ]
}

/// An L-shaped bar: a mesh with a hollow edge.
fn angle_bar() -> (Vec<Vector>, Vec<[usize; 3]>) {
    let outline = [[0.0, 0.0], [0.8, 0.0], [0.8, 0.3], [0.3, 0.3], [0.3, 0.8], [0.0, 0.8]]
        .map(|[x, y]| [x - 0.4, y - 0.4]);
    let vertices = [-0.3, 0.3]
        .iter()
        .flat_map(|z| outline.map(|[x, y]| Vector::new(x, y, *z)))
        .collect::<Vec<_>>();
    let mut triangles = Vec::new();
    for [a, b, c] in [[0, 1, 3], [1, 2, 3], [0, 3, 5], [3, 4, 5]] {
        triangles.push([a + 6, b + 6, c + 6]);
        triangles.push([a, c, b]);
    }
    for i in 0..6 {
        let j = (i + 1) % 6;
        triangles.push([i, j, j + 6]);
        triangles.push([i, j + 6, i + 6]);
    }
    (vertices, triangles)
}

/// Hills of 9 × 7 heights, spacing .25, over [-1, 1] × [-.75, .75].
fn hills() -> Vec<(&'static str, Value)> {
    let mut dice = Dice(5);
    let heights = (0..63).map(|_| 0.12 * dice.number()).collect();
    vec![
        ("heights", Value::Numbers(heights)),
        ("columns", Value::Integer(9)),
        ("spacing", number(0.25)),
        ("position", vector(-1.0, -0.75, 0.1)),
    ]
}

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
    // its picture lies on it and goes round it
    let around = stiction::contact::collider::Bounds { min: Vector::zeros(), max: Vector::zeros() };
    let triangles = shape.outline(&around);
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
        // on both sides; within, the nearest face decides in both
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
        // of a convex solid: the farthest of the planes
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
                // at an edge that of either face or between them, also at the hollow one
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
    let around = stiction::contact::collider::Bounds { min: Vector::zeros(), max: Vector::zeros() };
    let triangles = ground.outline(&around);
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

#[test]
fn surfaces_that_are_no_solid_are_refused() {
    let (vertices, good) = box_mesh(Vector::new(1.0, 2.0, 3.0));
    let refused = |triangles: &[[usize; 3]], words: &[&str]| {
        let problem = try_make("mesh", &mesh_of(&vertices, triangles)).err().expect("a problem");
        assert_eq!(problem.key, Some("triangles"));
        assert!(!problem.help.is_empty());
        for word in words {
            assert!(problem.message.contains(word), "{problem} lacks {word}");
        }
    };
    refused(&good[1..], &["not closed", "3 edges", "(0.0000, 0.0000, 0.0000)"]);
    let mut turned = good.clone();
    turned[4].swap(0, 1);
    refused(&turned, &["not oriented consistently", "3 edges"]);
    let inward: Vec<[usize; 3]> = good.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
    refused(&inward, &["inside out", "all 12 triangles face inward", "-6e0 m³"]);
    refused(&[&good[..], &good[2..4]].concat(), &["2 triangles are there twice"]);
    refused(&[&good[..], &[[0, 1, 1]]].concat(), &["triangle 12", "same vertex twice"]);
    refused(&[&good[..], &[[0, 1, 8]]].concat(), &["triangle 12", "vertex 8", "only 8"]);
    refused(&[], &["no triangles"]);
    // two boxes that share an edge
    let mut two = vertices.clone();
    two.extend(vertices.iter().map(|v| v + Vector::new(1.0, 2.0, 0.0)));
    let share = |i: usize| {
        if i == 8 {
            3
        } else if i == 12 {
            7
        } else {
            i
        }
    };
    let mut both = good.clone();
    both.extend(good.iter().map(|corners| corners.map(|i| share(i + 8))));
    let problem = try_make("mesh", &mesh_of(&two, &both)).err().expect("a problem");
    assert!(problem.message.contains("not manifold: 1 edge"), "{problem}");

    let path = ("path", Value::Text("a.obj".into()));
    let both = [&mesh_of(&vertices, &good)[..], &[path]].concat();
    assert!(try_make("mesh", &both).is_err() && try_make("mesh", &[]).is_err());
    assert!(try_make("mesh", &both[..1]).is_err());
    let tiny = [&mesh_of(&vertices, &good)[..], &[("scale", number(1e-200))]].concat();
    assert!(try_make("mesh", &tiny).is_err());
    let spacing = ("spacing", number(1.0));
    let heights = ("heights", Value::Numbers(vec![0.0; 6]));
    for columns in [6, 4, 7] {
        let set = [heights.clone(), spacing.clone(), ("columns", Value::Integer(columns))];
        let problem = try_make("heightfield", &set).err().expect("a problem");
        assert_eq!(problem.key, Some("columns"));
    }
    assert!(try_make("heightfield", &[heights, spacing]).is_err());
}

fn scene(collider: &str, height: f64) -> String {
    format!(
        "format = 1
        world = {{ gravity = [0, 0, -10] }}
        time = {{ end = 1, step = 1e-4, output = 0.1 }}
        integrator = {{ method = \"symplectic-euler\" }}
        materials.stone = {{ static_friction = 0.5 }}
        [contact]
        normal = {{ law = \"linear\", stiffness = 1e4, damping = 20 }}
        friction = {{ law = \"cundall-strack\", stiffness = 1e4, damping = 20 }}
        [[body]]
        name = \"bead\"
        mass = 0.1
        shape = {{ particle = {{}} }}
        position = [0.3, 0.2, {height}]
        [[collider]]
        name = \"ground\"
        shape = {{ {collider} }}
        "
    )
}

fn run(collider: &str, folder: &Path, height: f64) -> Result<Run, BuildError> {
    let text = scene(collider, height);
    let loaded = load_text("scene", &text, folder, &LoadOptions::default())
        .unwrap_or_else(|errors| panic!("{}", errors.render(false)));
    let mut run = Run::new(&loaded.scene, &BuildOptions::default())?;
    let outcome = run.finish(&mut Unobserved, &|| false).expect("nothing is written");
    assert_eq!(outcome.status, Status::Completed);
    Ok(run)
}

#[test]
fn a_particle_at_rest_stays_on_a_mesh_and_on_a_heightfield() {
    let (vertices, triangles) = box_mesh(Vector::new(1.0, 1.0, 0.5));
    let list = vertices.iter().map(|v| format!("[{:?}, {:?}, {:?}]", v.x, v.y, v.z));
    let mesh = format!(
        "mesh = {{ vertices = [{}], triangles = {triangles:?} }}",
        list.collect::<Vec<_>>().join(", ")
    );
    let ground = "heightfield = { heights = [0.5, 0.5, 0.5, 0.5], columns = 2, spacing = 1 }";
    // pressed in by m g/k
    for collider in [&mesh, ground] {
        let run = run(collider, Path::new("."), 0.5 - 1e-4).expect("a scene");
        let state = &run.simulation.state;
        let start = Vector::new(0.3, 0.2, 0.5 - 1e-4);
        assert!((state.positions[0] - start).norm() < 1e-12, "{}", state.positions[0]);
        assert!(state.velocities[0].norm() < 1e-12, "{}", state.velocities[0]);
    }
}

#[test]
fn files_are_found_in_the_folder_of_the_scene_and_nowhere_else() {
    let meshes = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/meshes");
    // in its frog, 5 cm above its bottom
    let brick = "mesh = { path = \"brick.obj\", scale = 10 }";
    let run_of_file = run(brick, &meshes, 0.5 - 1e-4).expect("a scene");
    let x = run_of_file.simulation.state.positions[0];
    assert!((x - Vector::new(0.3, 0.2, 0.5 - 1e-4)).norm() < 1e-12, "{x}");
    let stl = "mesh = { path = \"wedge.ascii.stl\", scale = 10 }";
    let remarks = run(stl, &meshes, 2.0).expect("a scene").remarks;
    assert!(remarks.iter().any(|r| r.starts_with("collider `ground`") && r.contains("joined")));

    let failed = |collider: &str| match run(collider, &meshes, 1.0) {
        Ok(_) => panic!("{collider} was built"),
        Err(error) => error,
    };
    for (path, word) in
        [("obj_open.obj", "3 edges"), ("no_such.obj", "no such file"), ("html.stl", "HTML")]
    {
        let error = failed(&format!("mesh = {{ path = \"{path}\" }}"));
        let BuildError::Mesh(error) = error else { panic!("{error}") };
        assert!(error.file == path && error.message.contains(word), "{error}");
    }
    let error = failed("heightfield = { path = \"brick.obj\", spacing = 1 }");
    assert!(matches!(&error, BuildError::Mesh(e) if e.line == Some(2)), "{error}");
    for path in ["../meshes/brick.obj", "/etc/passwd"] {
        for kind in ["mesh = { ", "heightfield = { spacing = 1, "] {
            let error = failed(&format!("{kind}path = \"{path}\" }}"));
            assert!(matches!(error, BuildError::Scene { .. }), "{error}");
        }
    }
    let text = scene("mesh = { path = \"a.obj\", vertices = [[0, 0, 0]] }", 1.0);
    let errors = load_text("scene", &text, &meshes, &LoadOptions::default()).expect_err("both");
    assert!(errors.render(false).contains("either by `path`"), "{}", errors.render(false));
}

/// What is known to be far from a mesh saves searches and changes no bit.
#[test]
fn the_search_for_a_mesh_changes_no_bit() {
    let text = "format = 1
        time = { end = 0.5, step = 2e-4, output = 0.5 }
        integrator = { method = \"symplectic-euler\" }
        materials.rubber = { static_friction = 0.5 }
        [contact]
        normal = { stiffness = 1e4, damping = 5 }
        friction = { law = \"cundall-strack\", stiffness = 1e3, damping = 1 }
        [[body]]
        name = \"brick\"
        mass = 1
        shape = { lattice = { counts = [3, 3, 3], spacing = 0.05 } }
        springs = { edge = { stiffness = 2e3, damping = 2 }, face_diagonal = { stiffness = 1e3, damping = 1 } }
        position = [0, 0, 0.12]
        velocity = [0.5, 0.2, -1]
        radius = 0.01
        [[collider]]
        name = \"ground\"
        shape = { mesh = { path = \"rough_ground.obj\" } }
        motion = { velocity = [0.1, 0, 0], spin = { axis = [0, 0, 1], rate = 1 } }
        ";
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/meshes");
    let options = stiction::scene::LoadOptions::default();
    let loaded = stiction::scene::load_text("test.toml", text, &folder, &options)
        .unwrap_or_else(|errors| panic!("{errors}"));
    let run = |slack: Option<f64>| {
        let built = stiction::scene::build::build(&loaded.scene, &Default::default())
            .unwrap_or_else(|error| panic!("{error}"));
        let mut model = built.model;
        model.surfaces.slack = slack.unwrap_or(model.surfaces.slack);
        let mut run =
            stiction::simulation::Simulation::new(model, built.state, built.integrator, 2e-4);
        let (mut touched, mut hashes) = (0, Vec::new());
        for _ in 0..2500 {
            run.advance().expect("a step");
            touched += run.state.memory.contacts.len();
            hashes.push(run.state.hash());
        }
        (touched, hashes)
    };
    let every_time = run(Some(f64::INFINITY));
    assert!(every_time.0 > 1000, "{} contacts", every_time.0);
    assert_eq!(run(None), every_time);
    assert_eq!(run(Some(1e-4)), every_time);
}
