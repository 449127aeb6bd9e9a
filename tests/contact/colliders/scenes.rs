//! Colliders in scenes: files, refusals, rest, and a search that changes no bit.

use super::*;

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
    refused(&good[1..], &["not closed", "3 edges", "vertex 0 (0, 0, 0)"]);
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
    let outcome = run.finish_with(&mut Unobserved, &|| false).expect("nothing is written");
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
        let state = &run.simulation().state;
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
    let x = run_of_file.simulation().state.positions[0];
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
        let BuildError::Mesh { error, .. } = error else { panic!("{error}") };
        assert!(error.file == path && error.message.contains(word), "{error}");
    }
    let error = failed("heightfield = { path = \"brick.obj\", spacing = 1 }");
    assert!(matches!(&error, BuildError::Mesh { error: e, .. } if e.line == Some(2)), "{error}");
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

/// Bounds on the distance from a mesh save searches and change no bit.
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
    let options = stiction_scene::LoadOptions::default();
    let loaded = stiction_scene::load_text("test.toml", text, &folder, &options)
        .unwrap_or_else(|errors| panic!("{errors}"));
    let run = |slack: Option<f64>| {
        let built = stiction_scene::build::build(&loaded.scene, &Default::default())
            .unwrap_or_else(|error| panic!("{error}"));
        let mut model = built.model;
        model.surfaces.slack = slack.unwrap_or(model.surfaces.slack);
        let mut run =
            stiction_core::simulation::Simulation::new(model, built.state, built.integrator, 2e-4);
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
