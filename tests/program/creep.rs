//! `creep`: the answer of an engine in three forms, and names that are wrong.

use assert_cmd::Command;
use serde_json::Value;

fn creep(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    let output = command.arg("creep").args(arguments).output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("a code"), text(output.stdout), text(output.stderr))
}

#[test]
fn the_forms_tell_the_same() {
    let asked = ["--engine", "mujoco", "--mass", "1", "--slope", "15", "--friction", "0.5"];
    let more = ["--set", "timeconst=0.02", "--budget", "1e-6"];
    let all = [&asked[..], &more[..]].concat();
    let (code, table, errors) = creep(&all);
    assert_eq!(code, 0, "{errors}");
    for words in
        ["creeps at 949.5 µm/s", "largest step", "0.01 s", "Exact", "[mujocodocs]", "impratio=950"]
    {
        assert!(table.contains(words), "{words}: {table}");
    }
    let (_, markdown, _) = creep(&[&all[..], &["--format", "markdown"]].concat());
    assert!(
        markdown.contains("| --- | --- | --- |") && markdown.contains("949.5 µm/s"),
        "{markdown}"
    );
    let (_, json, _) = creep(&[&all[..], &["--format", "json"]].concat());
    let document: Value = serde_json::from_str(&json).expect("JSON");
    assert!((document["creep"].as_f64().unwrap() / 949.4726e-6 - 1.0).abs() < 1e-6);
    assert_eq!(document["budget"]["changes"][0]["set"]["impratio"], 950.0);
}

#[test]
fn without_an_engine_all_are_listed_with_their_parameters() {
    let (code, table, _) = creep(&[]);
    assert_eq!(code, 0);
    let (_, json, _) = creep(&["--format", "json"]);
    let all: Value = serde_json::from_str(&json).expect("JSON");
    let mut keys = 0;
    for engine in all["engines"].as_array().unwrap() {
        assert!(table.contains(engine["name"].as_str().unwrap()));
        for key in engine["keys"].as_array().unwrap() {
            assert!(table.contains(key["name"].as_str().unwrap()), "{key}");
            keys += 1;
        }
    }
    assert!(keys > 25, "{keys}");
}

#[test]
fn estimates_and_slides_are_called_so() {
    let (_, text, _) = creep(&["--engine", "newton", "--set", "solver=xpbd"]);
    assert!(text.contains("creeps at about") && text.contains("ESTIMATE"), "{text}");
    let (_, text, _) = creep(&["--engine", "ipc", "--slope", "40"]);
    assert!(
        text.contains("slides, 2.548 m/s²") && text.contains("from a coefficient of 0.8391"),
        "{text}"
    );
    let (_, text, _) = creep(&["--engine", "stiction", "--step", "1e-3"]);
    assert!(text.contains("ABOVE the limit") && text.contains("ESTIMATE"), "{text}");
    let law = ["--set", "law=cundall-strack", "--set", "stiffness=1e4"];
    let (_, text, _) = creep(&[&["--engine", "stiction"], &law[..]].concat());
    assert!(text.contains("holds without creep") && text.contains("0.06348 mm"), "{text}");
}

#[test]
fn what_is_wrong_ends_with_exit_code_2() {
    for (arguments, words) in [
        (&["--engine", "mujco"][..], "did you mean `mujoco`"),
        (&["--engine", "mujoco", "--set", "timconst=1"], "did you mean `timeconst`"),
        (&["--engine", "mujoco", "--set", "timeconst"], "KEY=VALUE"),
        (&["--engine", "mujoco", "--mass", "-1"], "`mass` needs a number from 1e-9 to 1e9 in kg"),
        (&["--engine", "mujoco", "--mass=-1"], "`mass` needs a number from 1e-9 to 1e9 in kg"),
        (&["--engine", "mujoco", "--slope", "-15"], "`slope` needs a number from 0 to 89"),
        (&["--engine", "mujoco", "--mjcf", "no such.xml"], "cannot be read"),
        (&["--engine", "mujoco", "--set", "body=brick"], "give the model too"),
        (&["--engine", "mujoco", "--budget", "inf"], "`budget` needs"),
    ] {
        let (code, text, errors) = creep(arguments);
        assert_eq!((code, text.as_str()), (2, ""), "{arguments:?}");
        assert!(errors.contains(words), "{errors}");
    }
}

/// A model by its file, with the force of a grip; faults of it end with exit code 4.
#[test]
fn a_model_is_read_from_its_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("grip.xml");
    let finger = |name: &str, x: f64| {
        format!(
            r#"<body name="{name}" pos="{x} 0 0"><joint type="slide" axis="1 0 0"/><geom type="box" size=".01 .01 .01" mass=".1"/></body>"#
        )
    };
    let xml = format!(
        r#"<mujoco><option cone="elliptic"/><worldbody><geom type="plane" size="1 1 1" pos="0 0 -1"/>
        <body name="brick"><freejoint/><geom type="box" size=".03 .03 .03" mass=".3"/></body>{}{}</worldbody></mujoco>"#,
        finger("left", -0.04),
        finger("right", 0.04)
    );
    std::fs::write(&path, &xml).expect("a file");
    let file = path.to_str().expect("a path");
    let asked = ["--engine", "mujoco", "--mjcf", file, "--grip", "16", "--set", "other=left,right"];
    let (code, text, errors) = creep(&asked);
    assert_eq!(code, 0, "{errors}");
    for words in ["creeps at 2.452 mm/s", "With the model", "other_invweight=10", "Exact where"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    std::fs::write(&path, xml.replace("</mujoco>", "")).expect("a file");
    let (code, _, errors) = creep(&asked);
    assert!(code == 4 && errors.contains("the model, "), "{code} {errors}");
}

#[test]
fn options_of_creep_need_an_engine_and_sense() {
    for (arguments, words) in [
        (&["--friction", "0.3"][..], "--engine"),
        (&["--engine", "mujoco", "--grip", "16", "--slope", "20"], "--slope"),
        (&["--engine", "mujoco", "--friction", "1e9"], "friction"),
        (&["--engine", "mujoco", "--mass", "5", "--set", "mass=3"], "twice"),
        (&["--engine", "mujoco", "--mjcf", "/dev/zero"], "no regular file"),
        (&["--engine", "mujoco", "--mass", "1e308"], "mass"),
        (&["--engine", "mujoco", "--step", "1e9"], "step"),
    ] {
        let (code, out, errors) = creep(arguments);
        assert!(code == 2 && errors.contains(words), "{arguments:?}: {code} {out} {errors}");
    }
}

/// Elements that are nested without end are refused, not followed.
#[test]
fn a_model_that_is_nested_too_deeply_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep.xml");
    let deep =
        format!("<mujoco>{}{}</mujoco>", "<body>".repeat(100_000), "</body>".repeat(100_000));
    std::fs::write(&path, deep).unwrap();
    let path = path.display().to_string();
    let (code, _, errors) = creep(&["--engine", "mujoco", "--mjcf", &path]);
    assert!(code == 4 && errors.contains("nested"), "{code} {errors}");
    let mut import = assert_cmd::Command::new(env!("CARGO_BIN_EXE_stiction"));
    let output = import.args(["import", &path]).output().unwrap();
    assert_eq!(output.status.code(), Some(4));
}
