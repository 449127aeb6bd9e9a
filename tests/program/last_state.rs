//! Rows about the last state of a run of which refined runs have outweighed a symptom.

use assert_cmd::Command;

/// A block that has come to rest at `step` \[s\], of which 4e-4 s is the largest at which its friction is stable.
fn rows(step: &str) -> Vec<String> {
    let scene = "format = 1
        time = { end = 1, step = 1e-3, output = 0.02 }
        integrator.method = \"symplectic-euler\"
        materials.any.static_friction = 0.5
        contact = { normal = { stiffness = 1e4, damping = 100 }, friction = { law = \"threshold\", epsilon = 1e-3 } }
        [[body]]
        name = \"block\"
        mass = 1
        shape.particle = {}
        position = [0, 0, -0.000981]
        velocity = [1.3, 0, 0]
        [[collider]]
        name = \"floor\"
        shape.plane = {}
        ";
    let mut command = Command::cargo_bin("stiction").unwrap();
    let step = format!("time.step={step}");
    command.args(["run", "-", "--verify", "--details", "--set", &step]).write_stdin(scene);
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("verdict: trusted"), "{text}");
    text.lines().filter(|line| line.starts_with(" contacts")).map(String::from).collect()
}

/// Its measures are right at both steps. At the larger its friction chatters, and that of the last state is chance.
#[test]
fn contacts_of_a_state_that_chatters_are_not_judged() {
    let chatters = rows("1e-3");
    assert_eq!(chatters.len(), 2, "{chatters:?}");
    for row in chatters {
        assert!(row.contains("; of the last state alone: chatter"), "{row}");
    }
    let held = rows("2e-4");
    assert_eq!(held.len(), 2, "{held:?}");
    assert!(held[1].contains("1 sticking, 0 sliding"), "{held:?}");
    assert!(!held.iter().any(|row| row.contains("alone")), "{held:?}");
}

/// A beam that its method damps too much while it swings: at rest that does not matter.
#[test]
fn a_fault_that_no_longer_stands_is_named_with_its_time() {
    let run = |end: &str| {
        let mut command = Command::cargo_bin("stiction").unwrap();
        command.args(["run", "scenes/cantilever.toml", "--set", end]);
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    let swings = run("time.end=0.25");
    assert!(swings.contains("NOT TRUSTED") && swings.contains("energy-residual"), "{swings}");
    assert!(!swings.contains("faults that passed"), "{swings}");
    let rests = run("time.end=2");
    assert!(rests.contains("no fault found"), "{rests}");
    let passed = "  faults that passed: energy-residual until 0.3 s";
    assert!(rests.lines().any(|line| line == passed), "{rests}");
}

/// The words of the summary on the contacts of a body, as in "rope: sticks, slides on itself; its centre …".
fn fate(scene: &str, body: &str) -> String {
    let mut command = Command::cargo_bin("stiction").unwrap();
    let output = command.args(["run", "-"]).write_stdin(scene).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("{body}: ")));
    let stance = line.and_then(|line| line.split_once(';'));
    stance.unwrap_or_else(|| panic!("{text}")).0.into()
}

/// A rope that lies on itself without friction while its lower half holds: of both its contacts is spoken.
#[test]
fn a_body_that_slides_on_itself_is_said_to() {
    let folded = include_str!("../../scenes/folded_rope.toml");
    let folded = fate(folded, "rope");
    assert!(folded.starts_with("sticks, slides on itself,"), "{folded}");
}

/// A box that tips over an edge and falls on: in the air it touches nothing, and has no drift.
#[test]
fn a_tipped_body_in_the_air_touches_nothing() {
    let scene = "format = 1
        world.planar = \"xz\"
        time = { end = 0.2, step = 1e-4, output = 0.02 }
        integrator.method = \"rk4\"
        materials.any.static_friction = 0.5
        contact = { normal = { stiffness = 1e4 }, friction = { law = \"threshold\", epsilon = 1e-3 } }
        [[body]]
        name = \"box\"
        mass = 1
        shape.lattice = { counts = [2, 1, 2], spacing = 0.1 }
        springs.edge = { stiffness = 2e4, damping = 2 }
        springs.face_diagonal = { stiffness = 2e4, damping = 2 }
        position = [0, 0, 2]
        spin = [0, 3, 0]
        [[collider]]
        name = \"floor\"
        shape.plane = {}
        ";
    let fate = fate(scene, "box");
    assert!(fate.starts_with("touches nothing, tipped by 34"), "{fate}");
}
