//! A step that does not divide the times is answered with steps that do, and with the option that was typed.

use assert_cmd::Command;

fn complaint(more: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    let output = command.args(["run", "scenes/new/slope.toml"]).args(more).output();
    String::from_utf8(output.expect("the program runs").stderr).expect("UTF-8")
}

#[test]
fn the_nearest_steps_divide_the_times() {
    let text = complaint(&["--step", "3e-4"]);
    assert!(text.contains("`step` = 0.00025 s or 0.0003125 s, which divide it"), "{text}");
    for step in ["0.0003125", "0.00025"] {
        let text = complaint(&["--step", step, "--set", "time.end=0.02"]);
        assert!(!text.contains("E309"), "{text}");
    }
}

#[test]
fn the_option_that_was_typed_is_named() {
    let text = complaint(&["--step", "3e-4"]);
    assert!(text.contains("`step` is at --step 3e-4") && !text.contains("--set"), "{text}");
    let text = complaint(&["--set", "time.step=3e-4"]);
    assert!(text.contains("`step` is at --set:1:11"), "{text}");
}
