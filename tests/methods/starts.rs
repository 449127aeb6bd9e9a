//! Doubts about the start of a run: deep, overlapping, crossed, torn, moved, and falls for ever.

use std::path::Path;
use stiction_lab::run::Run;
use stiction_scene::build::BuildOptions;
use stiction_scene::{LoadOptions, load_text};

/// The forecasts for a scene given as text.
fn doubts(text: &str) -> Vec<(&'static str, String)> {
    let loaded = load_text("test.toml", text, Path::new("."), &LoadOptions::default());
    let scene = loaded.unwrap_or_else(|errors| panic!("{errors:?}")).scene;
    let run = Run::new(&scene, &BuildOptions::default()).expect("a run");
    run.start.iter().map(|doubt| (doubt.kind, doubt.text.clone())).collect()
}

/// Two boxes of .1 m, the second `apart` beside the first, with springs that rest at `rest` of their lengths.
fn two_boxes(apart: f64, rest: f64, floor: bool) -> String {
    let body = |name: &str, x: f64| {
        format!(
            "[[body]]
            name = \"{name}\"
            radius = 0.01
            shape.points = {{ positions = [[0, 0, 0], [0.1, 0, 0]], masses = [1, 1], links = [[0, 1]], rest_lengths = [{:e}] }}
            springs.edge.stiffness = 100
            position = [{x:e}, 0, 0.01]
            ",
            0.1 * rest
        )
    };
    let floor = if floor { "[[collider]]\nname = \"floor\"\nshape.plane = {}\n" } else { "" };
    format!(
        "format = 1
        time = {{ end = 0.1, step = 1e-3, output = 0.1 }}
        integrator.method = \"rk4\"
        materials.any.static_friction = 0.5
        contact = {{ bodies = {}, normal = {{ stiffness = 1e4 }}, friction = {{ law = \"threshold\", epsilon = 1e-3 }} }}
        {}
        {}
        {floor}",
        !floor.is_empty(),
        body("left", 0.0),
        body("right", 0.1 + apart),
    )
}

/// Bodies that start inside each other, with springs far from rest, or above nothing.
#[test]
fn starts_that_throw_or_drop_bodies_are_told() {
    assert_eq!(doubts(&two_boxes(0.05, 1.0, true)), []);
    let overlapping = doubts(&two_boxes(0.005, 1.0, true));
    assert_eq!(overlapping[0].0, "overlapping-start");
    // two balls of 10 mm whose centres are 5 mm apart
    assert!(overlapping[0].1.contains("0.015 m inside each other"), "{overlapping:?}");
    let torn = doubts(&two_boxes(0.05, 0.4, true));
    let kinds: Vec<&str> = torn.iter().map(|doubt| doubt.0).collect();
    assert_eq!(kinds, ["torn-start"; 2]);
    assert!(torn[0].1.contains("`left` starts 0.1 m long, and rests at 0.04 m"), "{torn:?}");
    let falls = doubts(&two_boxes(0.05, 1.0, false));
    let kinds: Vec<&str> = falls.iter().map(|doubt| doubt.0).collect();
    assert_eq!(kinds, ["free-fall"; 2]);
    let one_pushed = two_boxes(0.05, 1.0, false) + "[[push]]\nbody = \"left\"\nforce = [0, 0, 1]\n";
    let falls = doubts(&one_pushed);
    assert_eq!(falls.len(), 1);
    assert!(falls[0].1.contains("`right` falls"), "{falls:?}");
    let weightless = two_boxes(0.05, 1.0, false) + "[world]\ngravity = [0, 0, 0]\n";
    assert_eq!(doubts(&weightless), []);
}

/// A body on a floor, or beside it.
fn scene(body: &str) -> String {
    format!(
        "format = 1
        time = {{ end = 0.1, step = 1e-4, output = 0.1 }}
        integrator.method = \"rk4\"
        materials.any.static_friction = 0.5
        contact = {{ normal = {{ stiffness = 1e4 }}, friction = {{ law = \"threshold\", epsilon = 1e-3 }} }}
        [[body]]
        name = \"it\"
        {body}
        [[collider]]
        name = \"floor\"
        shape.plane = {{}}
        "
    )
}

/// Deep starts of what has no thickness to speak of, by the energy of its contacts; and of ropes.
#[test]
fn deep_starts_are_told_of_what_is_thin_or_small() {
    let point =
        |z: f64| scene(&format!("mass = 1\nshape.particle = {{}}\nposition = [0, 0, {z:e}]\n"));
    // five times the resting depth m g/k of .981 mm, and fifty times
    assert_eq!(doubts(&point(-5e-3)), []);
    let found = doubts(&point(-0.05));
    assert_eq!(found[0].0, "deep-start");
    // √(k/m) d
    assert!(found[0].1.contains("up to 5 m/s") && found[0].1.contains("9.81e-4 m"), "{found:?}");
    let rope = |z: f64| {
        scene(&format!(
            "radius = 0.01
            shape.points = {{ positions = [[0, 0, 0], [1, 0, 0], [2, 0, 0]], masses = [1, 1, 1], links = [[0, 1], [1, 2]] }}
            springs.edge.stiffness = 1000
            position = [0, 0, {z:e}]
            "
        ))
    };
    assert_eq!(doubts(&rope(0.009)), []);
    let found = doubts(&rope(-0.04));
    assert_eq!(found[0].0, "deep-start");
    assert!(found[0].1.contains("0.05 m inside a collider") && found[0].1.contains("0.02 m"));
    // a twentieth of its size, a hundred times its resting depth
    let box_in = |z: f64, stiffness: f64| {
        let text = scene(&format!(
            "shape.points = {{ positions = [[0, 0, 0], [0.1, 0, 0], [0, 0, 0.1], [0.1, 0, 0.1]], masses = [1, 1, 1, 1], links = [[0, 1], [0, 2], [1, 3], [2, 3], [0, 3]] }}
            springs.edge.stiffness = 1e5
            position = [0, 0, {z:e}]
            "
        ));
        text.replace("1e4", &format!("{stiffness:e}"))
    };
    assert_eq!(doubts(&box_in(-5e-3, 1e4)), []);
    assert_eq!(doubts(&box_in(-5e-3, 1e6))[0].0, "deep-start");
}

/// A cloth lies on a slope whose normal is given with eight digits, so that some particles are .3 nm deep.
#[test]
fn a_flat_body_has_no_size_across_itself() {
    let cloth = scene(
        "mass = 0.1
        shape.cloth = { counts = [6, 6], spacing = 0.1 }
        springs.edge.stiffness = 100
        rotation = [0, 20, 0]
        ",
    );
    let slope = "plane = { normal = [0.34202014, 0, 0.93969262] }";
    assert_eq!(doubts(&cloth.replace("plane = {}", slope)), []);
}

/// Links of two bodies that cross closer than they are thick.
#[test]
fn links_that_start_inside_each_other_are_told() {
    let crossed = |apart: f64| {
        let link = |name: &str, along: [f64; 3], z: f64| {
            let [x, y, _] = along;
            format!(
                "[[body]]
                name = \"{name}\"
                radius = 0.01
                shape.points = {{ positions = [[{}, {}, 0], [{x}, {y}, 0]], masses = [1, 1], links = [[0, 1]] }}
                springs.edge.stiffness = 100
                position = [0, 0, {z:e}]
                ",
                -x, -y
            )
        };
        format!(
            "format = 1
            time = {{ end = 0.1, step = 1e-3, output = 0.1 }}
            integrator.method = \"rk4\"
            world.gravity = [0, 0, 0]
            materials.any.static_friction = 0.5
            contact = {{ bodies = true, normal = {{ stiffness = 1e4 }}, friction = {{ law = \"threshold\", epsilon = 1e-3 }} }}
            {}
            {}",
            link("one", [0.5, 0.0, 0.0], 0.0),
            link("other", [0.0, 0.5, 0.0], apart),
        )
    };
    assert_eq!(doubts(&crossed(0.019)), []);
    let found = doubts(&crossed(0.005));
    assert_eq!(found[0].0, "overlapping-start");
    assert!(found[0].1.contains("`one` and `other` start 0.015 m inside"), "{found:?}");
}

/// A ball beside, under and over a table, and thrown at it.
#[test]
fn a_body_that_nothing_can_catch_is_told() {
    let thrown = |place: [f64; 3], velocity: [f64; 3]| {
        let text = format!(
            "format = 1
            time = {{ end = 0.1, step = 1e-3, output = 0.1 }}
            integrator.method = \"rk4\"
            materials.any.static_friction = 0.5
            contact = {{ normal = {{ stiffness = 1e4 }}, friction = {{ law = \"threshold\", epsilon = 1e-3 }} }}
            [[body]]
            name = \"ball\"
            mass = 1
            radius = 0.05
            shape.particle = {{}}
            position = {place:?}
            velocity = {velocity:?}
            [[collider]]
            name = \"table\"
            shape.box = {{ size = [1, 1, 0.1] }}
            "
        );
        doubts(&text).iter().map(|doubt| doubt.0).collect::<Vec<_>>()
    };
    let still = [0.0; 3];
    assert_eq!(thrown([0.0, 0.0, 0.5], still), [""; 0]);
    assert_eq!(thrown([0.6, 0.0, 0.5], still), ["free-fall"]);
    assert_eq!(thrown([0.0, 0.0, -0.5], still), ["free-fall"]);
    // onto the table in .3 s, over it, and up against it from below
    assert_eq!(thrown([0.6, 0.0, 0.5], [-2.0, 0.0, 0.0]), [""; 0]);
    assert_eq!(thrown([0.6, 0.0, 0.5], [-8.0, 0.0, 0.0]), ["free-fall"]);
    assert_eq!(thrown([0.0, 0.0, -0.5], [0.0, 0.0, 4.0]), [""; 0]);
}

/// Where contact has no springs a body is moved out of what it touches.
#[test]
fn a_body_that_is_moved_out_at_the_start_is_told() {
    for method in ["exact", "impulse"] {
        let at = |z: f64| {
            doubts(&format!(
                "format = 1
                time = {{ end = 0.1, step = 1e-3, output = 0.1 }}
                integrator.method = \"symplectic-euler\"
                materials.any.static_friction = 0.5
                contact.method = \"{method}\"
                [[body]]
                name = \"ball\"
                mass = 1
                radius = 0.001
                shape.particle = {{}}
                position = [0, 0, {z:e}]
                [[collider]]
                name = \"floor\"
                shape.plane = {{}}
                "
            ))
        };
        assert_eq!(at(0.001), []);
        let found = at(0.0005);
        assert_eq!(found.len(), 1, "{method}");
        assert_eq!(found[0].0, "moved-start");
        assert!(found[0].1.contains("by up to 5e-4 m"), "{found:?}");
    }
}

/// The doubts about [`scene_of`].
fn together(method: &str, bodies: &str) -> Vec<(&'static str, String)> {
    doubts(&scene_of(method, bodies))
}

/// Rigid lattices and cloths in one scene, with `bodies` as they are given, under a contact method.
fn scene_of(method: &str, bodies: &str) -> String {
    let law = match method {
        "penalty" => {
            "normal = { stiffness = 1e5 }, friction = { law = \"threshold\", epsilon = 1e-3 }"
        }
        _ => "tolerance = 1e-9",
    };
    format!(
        "format = 1
        time = {{ end = 0.01, step = 1e-3, output = 0.01 }}
        integrator.method = \"symplectic-euler\"
        world.gravity = [0, 0, 0]
        materials.any.static_friction = 0.5
        contact = {{ method = \"{method}\", bodies = true, {law} }}
        {bodies}"
    )
}

/// A rigid lattice with its least corner at a place.
fn lattice(name: &str, counts: [usize; 3], spacing: f64, place: [f64; 3]) -> String {
    format!(
        "[[body]]
        name = \"{name}\"
        mass = 1
        rigid = true
        shape.lattice = {{ counts = {counts:?}, spacing = {spacing:e} }}
        position = {place:?}
        "
    )
}

/// A cloth in the plane of x and y, turned about x.
fn cloth(name: &str, degrees: f64, place: [f64; 3]) -> String {
    format!(
        "[[body]]
        name = \"{name}\"
        mass = 0.1
        radius = 0.002
        shape.cloth = {{ counts = [6, 6], spacing = 0.1 }}
        springs = {{ edge = {{ stiffness = 100 }}, face_diagonal = {{ stiffness = 100 }} }}
        position = {place:?}
        rotation = [{degrees}, 0, 0]
        "
    )
}

/// Bodies through and inside each other, where contacts between surfaces that are near see nothing; and bodies
/// that only stand on, in or beside each other.
#[test]
fn bodies_that_start_through_or_inside_each_other_are_told() {
    let pair = |a: String, b: String| a + &b;
    let cube = |place| lattice("one", [3, 3, 3], 0.05, place);
    let plank = |name, counts, place| lattice(name, counts, 0.05, place);
    let crossed = pair(
        plank("one", [9, 2, 2], [-0.2, -0.025, 0.0]),
        plank("two", [2, 9, 2], [-0.025, -0.2, 0.02]),
    );
    let halfway = pair(cube([0.0; 3]), lattice("two", [3, 3, 3], 0.05, [0.013, 0.007, 0.05]));
    let same = pair(cube([0.0; 3]), lattice("two", [3, 3, 3], 0.05, [0.0; 3]));
    let inside = pair(cube([0.0; 3]), lattice("two", [2, 2, 2], 0.01, [0.04; 3]));
    let cloths = pair(cloth("one", 0.0, [0.0; 3]), cloth("two", 90.0, [0.03, 0.04, 0.03]));
    for method in ["penalty", "exact", "impulse"] {
        for (case, bodies) in
            [("crossed", &crossed), ("halfway", &halfway), ("same", &same), ("inside", &inside)]
        {
            let found = together(method, bodies);
            // what is inside a thin shell of a body may be moved out of it
            let moved = case == "inside" && method != "penalty";
            let kind = if moved { "moved-start" } else { "overlapping-start" };
            assert!(found.iter().any(|told| told.0 == kind), "{case} under {method}: {found:?}");
        }
    }
    // a ball and a grain deep in a block
    let block = lattice("one", [5, 5, 5], 0.05, [0.0; 3]);
    for grain in [
        "radius = 0.004\nshape.particle = {}",
        "radius = 0.002\nshape.ring = { radius = 0.02, count = 12 }",
    ] {
        let grain = format!(
            "[[body]]\nname = \"two\"\nmass = 0.01\nrigid = true\n{grain}\nposition = [0.013, 0.008, 0.1]\n"
        );
        let grain = grain.replace("rigid = true\nradius = 0.004", "radius = 0.004");
        for method in ["penalty", "exact", "impulse"] {
            let found = together(method, &format!("{block}{grain}"));
            assert!(
                found.iter().any(|(_, text)| text.contains("inside each other")),
                "{method}: {found:?}"
            );
        }
    }
    // bodies that do not touch each other may lie inside each other
    let text =
        |bodies: &str| scene_of("penalty", bodies).replace("bodies = true", "bodies = false");
    assert_eq!(doubts(&text(&inside)), []);
    let found = together("penalty", &cloths);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].1.contains("`one` and `two` start"), "{found:?}");
    let apart = [
        pair(cube([0.0; 3]), lattice("two", [3, 3, 3], 0.05, [0.02, 0.03, 0.0999])),
        pair(cube([0.0; 3]), lattice("two", [9, 3, 2], 0.05, [-0.15, 0.0, 0.0999])),
        pair(cloth("one", 0.0, [0.0; 3]), cloth("two", 0.0, [0.03, 0.02, 0.0039])),
        pair(cloth("one", 0.0, [0.0; 3]), cloth("two", 90.0, [0.0, 0.0, 0.2539])),
    ];
    for bodies in &apart {
        assert_eq!(together("penalty", bodies), [], "{bodies}");
    }
}

/// Colliders between the particles of a body, and inside it; and those on which it only lies.
#[test]
fn colliders_through_or_inside_a_body_are_told() {
    let with = |body: &str, shape: &str| {
        let collider = format!("[[collider]]\nname = \"thing\"\nshape.{shape}\n");
        together("penalty", &format!("{body}{collider}"))
    };
    let cube = lattice("one", [3, 3, 3], 0.05, [0.0; 3]);
    for shape in [
        "box = { center = [0.05, 0.05, 0.025], size = [1, 1, 0.01] }",
        "cylinder = { center = [0.03, 0.05, 0.02], axis = [0, 1, 0], radius = 0.01 }",
        "capsule = { center = [0.025, 0.05, 0.03], axis = [0, 1, 0], radius = 0.01, length = 1 }",
        "sphere = { center = [0.025, 0.025, 0.025], radius = 0.01 }",
        // a needle between the lines of the surface
        "cylinder = { center = [-0.0096, -0.0297, 0], axis = [0, 0, 1], radius = 0.002 }",
        "box = { center = [0.012, 0.012, 0.05], size = [0.003, 0.003, 0.07] }",
    ] {
        let found = with(&cube, shape);
        assert_eq!(found.len(), 1, "{shape}: {found:?}");
        assert_eq!(found[0].0, "deep-start");
        assert!(found[0].1.starts_with("`thing`"), "{found:?}");
    }
    // where its motion has it at the start
    let slab = "box = { center = [0.05, 0.05, 0.225], size = [1, 1, 0.01] }";
    assert_eq!(with(&cube, slab), []);
    let moved = format!(
        "{slab}\nmotion = {{ oscillate = {{ direction = [0, 0, 1], amplitude = 0.2, frequency = 1, phase = -90 }} }}"
    );
    assert_eq!(with(&cube, &moved).len(), 1);
    // what is held stays where it is
    let soft = cube.replace("rigid = true", "springs = { edge = { stiffness = 100 } }");
    assert_eq!(with(&soft, &slab.replace("0.225", "0.025")).len(), 1);
    let pinned = format!("{soft}[[pin]]\nbody = \"one\"\n");
    assert_eq!(with(&pinned, &slab.replace("0.225", "0.025")), []);
    let sheet = cloth("one", 0.0, [0.0; 3]);
    assert_eq!(
        with(&sheet, "cylinder = { center = [0, 0, 0], axis = [0, 0, 1], radius = 0.02 }").len(),
        1
    );
    for (body, shape) in [
        // chords of a sphere, a plank over a beam, a plane under both
        (&sheet, "sphere = { center = [0, 0, -0.3], radius = 0.302 }"),
        (&cube, "box = { center = [0.025, 0, -0.0049999], size = [0.01, 1, 0.01] }"),
        (&cube, "plane = { point = [0, 0, 0.00001] }"),
        (&cube, "sphere = { center = [0.05, 0.05, 0.05], radius = 1, inside = true }"),
    ] {
        assert_eq!(with(body, shape), [], "{shape}");
    }
}

/// A ball beside a height field, over it, and along a wall.
#[test]
fn falls_beside_a_height_field_and_along_a_wall_are_told() {
    let at = |place: [f64; 3], shape: &str| {
        let found = doubts(&format!(
            "format = 1
            time = {{ end = 0.1, step = 1e-3, output = 0.1 }}
            integrator.method = \"rk4\"
            materials.any.static_friction = 0.5
            contact = {{ normal = {{ stiffness = 1e4 }}, friction = {{ law = \"threshold\", epsilon = 1e-3 }} }}
            [[body]]
            name = \"ball\"
            mass = 1
            radius = 0.05
            shape.particle = {{}}
            position = {place:?}
            [[collider]]
            name = \"thing\"
            shape.{shape}
            "
        ));
        found.iter().map(|doubt| doubt.0).collect::<Vec<_>>()
    };
    let field = "heightfield = { heights = [0, 0, 0, 0], columns = 2, spacing = 1.0 }";
    assert_eq!(at([0.5, 0.5, 0.5], field), [""; 0]);
    assert_eq!(at([1.5, 0.5, 0.5], field), ["free-fall"]);
    // under the field all is solid
    assert_eq!(at([0.5, 0.5, -0.5], field), ["deep-start"]);
    let wall = "plane = { normal = [1, 0, 0] }";
    assert_eq!(at([0.06, 0.0, 0.0], wall), ["free-fall"]);
    assert_eq!(
        at([0.06, 0.0, 0.0], "box = { center = [-0.5, 0, 0], size = [1, 1, 10] }"),
        ["free-fall"]
    );
}

/// Other things than a collider in its path may hold a body up, or nothing pulls it.
#[test]
fn a_body_that_something_else_holds_does_not_fall_for_ever() {
    let scene = |world: &str, contact: &str, more: &str| {
        format!(
            "format = 1
            time = {{ end = 0.1, step = 1e-3, output = 0.1 }}
            integrator.method = \"rk4\"
            {world}
            materials.any.static_friction = 0.5
            contact = {{ bodies = true, normal = {{ stiffness = 1e4 }}, friction = {{ law = \"threshold\", epsilon = 1e-3 }}{contact} }}
            [[body]]
            name = \"ball\"
            mass = 1
            radius = 0.05
            shape.particle = {{}}
            {more}
            "
        )
    };
    let kinds = |text: &str| doubts(text).iter().map(|doubt| doubt.0).collect::<Vec<_>>();
    assert_eq!(kinds(&scene("", "", "")), ["free-fall"]);
    let plank = "[[body]]\nname = \"plank\"\nmass = 50\nradius = 0.05\nshape.particle = {}\nposition = [1, 0, -1]\n";
    let floor =
        "[[collider]]\nname = \"side\"\nshape.box = { center = [1, 0, -2], size = [1, 1, 1] }\n";
    for (world, contact, more) in [
        ("world.planar = \"xy\"", "", String::new()),
        ("world.gravity_factor = { formula = \"cos(6.28*t)\" }", "", String::new()),
        ("", ", adhesion = { force = 100, range = 1e-3 }", String::new()),
        ("", "", format!("{plank}velocity = [-3, 0, 0]\n{floor}")),
        ("", "", "[[drag]]\nbody = \"ball\"\nrate = 1\nfrom = 0.05\n".to_string()),
    ] {
        let found = doubts(&scene(world, contact, &more));
        assert!(!found.iter().any(|(_, text)| text.contains("`ball`")), "{more}: {found:?}");
    }
    assert_eq!(kinds(&scene("", "", &format!("{plank}{floor}"))), ["free-fall"]);
}
