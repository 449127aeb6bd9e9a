//! Tables and summaries fit a terminal of 80 columns, and lose no word there.

use crate::support::files::{files, home};
use assert_cmd::Command;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use stiction_scene::{LoadOptions, load};

/// The output of a command at a width, whatever its exit code.
fn printed(arguments: &[String], columns: &str) -> String {
    let mut command = Command::cargo_bin("stiction").expect("the program");
    let output = command.args(arguments).current_dir(home("")).env("COLUMNS", columns).output();
    String::from_utf8(output.expect("it runs").stdout).expect("text")
}

/// The lines of a text that belong to tables: these begin with a blank or a rule.
fn rows(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| line.starts_with([' ', '─']))
}

/// Words of tables: without rules and without the CPU time, which is another one each time.
fn words(text: &str) -> BTreeSet<String> {
    let words = rows(text).flat_map(str::split_whitespace).map(|word| word.trim_end_matches(','));
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    words.filter(|word| !word.starts_with('─') && !is_number(word)).map(String::from).collect()
}

/// Panics unless all rows fit at 80 columns, with the words that a wide terminal shows.
fn assert_fits(arguments: &[String]) {
    let narrow = printed(arguments, "80");
    let is_summary = arguments.contains(&"--details".to_string());
    let lines = narrow.lines().filter(|line| is_summary || line.starts_with([' ', '─']));
    let broken: Vec<&str> = lines.filter(|line| line.chars().count() > 80).collect();
    assert!(broken.is_empty(), "{arguments:?}:\n{}", broken.join("\n"));
    assert!(rows(&narrow).count() > 0, "{arguments:?} prints no table: {narrow}");
    // a profile has rows for what took time that could be seen, which differ from run to run
    if arguments.contains(&"--profile".to_string()) {
        return;
    }
    let (wide, narrow) = (words(&printed(arguments, "1000")), words(&narrow));
    let lost: Vec<&String> = wide.difference(&narrow).collect();
    assert!(lost.is_empty(), "{arguments:?} cuts {lost:?}");
}

/// Notes beside the tables, on stdout and stderr, are wrapped as well.
#[test]
fn notes_of_all_verbs_fit_80_columns() {
    let tune = "tune scenes/incline_creep.toml --creep 1e-3 --seconds 0.02 --laws threshold --epsilon 1e-3";
    for line in [
        "stiffness scenes/incline_creep.toml",
        "compare scenes/sliding_block.toml --integrators rk4,heun --set time.end=0.1 --set time.output=0.1",
        &format!("{tune} --integrators rk4 --steps 1e-4 --cost evaluations"),
    ] {
        let mut command = Command::cargo_bin("stiction").expect("the program");
        command.args(line.split(' ')).current_dir(home("")).env("COLUMNS", "80");
        let output = command.output().expect("it runs");
        for stream in [output.stdout, output.stderr] {
            let text = String::from_utf8(stream).expect("text");
            let long: Vec<&str> = text.lines().filter(|line| line.chars().count() > 80).collect();
            assert!(long.is_empty() && !text.is_empty(), "{line}:\n{}", long.join("\n"));
        }
    }
}

/// A scene whose body has a name of letters that take two columns each.
const WIDE: &str = r#"format = 1
time = { end = 0.02, step = 1e-3, output = 0.01 }
integrator = { method = "rk4" }
contact = { normal = { stiffness = 1e4, damping = 10.0 }, friction = { law = "threshold", epsilon = 1e-3 } }
materials.wood = { static_friction = 0.5 }
[[body]]
name = "很长的盒子名字"
mass = 1.0
material = "wood"
shape = { particle = {} }
[[collider]]
name = "桌子"
material = "wood"
shape = { plane = { normal = [0, 0, 1], point = [0, 0, 0] } }
"#;

#[test]
fn names_of_wide_letters_are_not_broken() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("wide.toml");
    std::fs::write(&path, WIDE).expect("written");
    let scene = path.to_string_lossy().into_owned();
    let text = printed(&["stiffness".into(), scene], "60");
    let named: Vec<&str> = text.lines().filter(|line| line.contains('盒')).collect();
    assert!(named.len() >= 2, "{text}");
    assert!(named.iter().all(|line| line.contains("很长的盒子名字")), "{text}");
    // ` stands behind the name, in its line
    assert!(text.lines().all(|line| line.trim() != "`"), "{text}");
}

/// The first twenty steps of a scene.
fn beginning(path: &Path) -> Vec<String> {
    let loaded = load(path, &LoadOptions::default()).unwrap_or_else(|errors| panic!("{errors:?}"));
    let time = loaded.scene.time;
    let end = 20.0 * time.step;
    let mut set = vec![format!("time.end={end}"), format!("time.output={end}")];
    set.extend(time.drift_steps.map(|_| "time.drift_from=0".to_string()));
    set.into_iter().flat_map(|value| ["--set".to_string(), value]).collect()
}

#[test]
fn summaries_of_the_library_fit_80_columns() {
    // templates may name files that their users have
    let template = |path: &PathBuf| path.parent().is_some_and(|folder| folder.ends_with("new"));
    let mut library = files(&home("scenes"), "toml");
    library.retain(|path| !template(path));
    assert!(library.len() > 40, "{}", library.len());
    for path in library {
        let scene = path.display().to_string();
        let mut arguments = vec!["run".into(), scene, "--details".into()];
        arguments.extend(beginning(&path));
        assert_fits(&arguments);
    }
}

#[test]
fn tables_of_all_verbs_fit_80_columns() {
    for line in [
        "list integrators",
        "list friction",
        "list pairing",
        "list measures",
        "list scenes",
        "run scenes/incline_creep.toml --set time.end=0.1 --set time.output=0.1 --profile",
        "check scenes/incline_creep.toml --run --verify=off",
        "stiffness scenes/tipping_box.toml",
        "compare scenes/sliding_block.toml --set time.end=0.1 --set time.output=0.1",
        "validate --only P3",
    ] {
        let words: Vec<String> = line.split(' ').map(String::from).collect();
        assert_fits(&words);
    }
}
