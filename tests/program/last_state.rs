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
        velocity = [1, 0, 0]
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
