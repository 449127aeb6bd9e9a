//! The program as a person uses it: messages, exit codes, files.

#[cfg(target_os = "linux")]
use crate::support::process;
use crate::support::wait::until;
use assert_cmd::Command;
use std::path::Path;

pub fn stiction() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("NO_COLOR", "1");
    command
}

/// Runs and returns (exit code, stdout, stderr).
pub fn ran(command: &mut Command) -> (i32, String, String) {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Writes the sliding block, with one text replaced, into a folder.
fn scene(folder: &Path, from: &str, to: &str) -> String {
    let text = include_str!("../../scenes/sliding_block.toml");
    assert!(text.contains(from), "{from} is not in the scene any more");
    let path = folder.join("scene.toml");
    std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
    path.display().to_string()
}

#[test]
fn bad_scenes_end_with_one_located_message() {
    for (from, to, code, place, word) in [
        ("friction = {", "frction = {", 3, "scene.toml:20:1", "did you mean"),
        ("mass = 1.0", "mass = nan", 3, "scene.toml:24:8", "finite"),
        ("mass = 1.0", "mass = -1.0", 3, "scene.toml:24:8", "a number > 0 in kg"),
        ("mass = 1.0", "mass = 1.0\nmaterial = \"wod\"", 3, "scene.toml:25:12", "wood"),
        (
            "{ particle = {} }",
            "{ lattice = { counts = [1000, 1000, 1000], spacing = 0.1 } }",
            9,
            "scene.toml:25:21",
            "--max-memory",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = scene(folder.path(), from, to);
        let (exit, out, err) = ran(stiction().args(["run", &path, "--out", "never"]));
        assert_eq!(exit, code, "{to}: {err}");
        assert!(out.is_empty(), "{to}: {out}");
        assert_eq!(err.matches("error[").count(), 1, "{to}: {err}");
        assert!(err.contains(place), "{to}: {place} is not in\n{err}");
        assert!(err.contains(word), "{to}: {word} is not in\n{err}");
        assert!(!Path::new(env!("CARGO_MANIFEST_DIR")).join("never").exists());
    }
}

#[test]
fn run_keeps_complete_results() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("results");
    let out = out.to_str().unwrap();
    let run = ["run", "scenes/sliding_block.toml", "--step", "1e-4", "--out", out];
    let (exit, _, err) = ran(stiction().args(run));
    assert_eq!(exit, 0, "{err}");
    let json: serde_json::Value =
        serde_json::from_slice(&std::fs::read(Path::new(out).join("run.json")).unwrap()).unwrap();
    assert_eq!(json["status"], "completed");
    assert_eq!(json["trust"]["level"], "no fault found");
    assert_eq!(json["trust"]["trusted"], false, "nothing was verified");
    assert_eq!(json["expectations"][0]["met"], true);
    // the block slides, and comes to stick once
    assert_eq!(json["events_inside_steps"]["turned"], 1);
    let csv = std::fs::read_to_string(Path::new(out).join("measures.csv")).unwrap();
    assert!(csv.starts_with("time,distance,speed,kinetic,spring,contact,gravity,"), "{csv}");
    assert_eq!(csv.lines().count(), 102);
    // the array's bytes are what the header says: 101 frames of one particle
    let npy = std::fs::read(Path::new(out).join("trajectory/position.npy")).unwrap();
    assert_eq!(npy.len(), 128 + 101 * 3 * 8);
    assert!(String::from_utf8_lossy(&npy[..128]).contains("'shape': (101, 1, 3,)"));
    let last = f64::from_le_bytes(npy[npy.len() - 24..npy.len() - 16].try_into().unwrap());
    assert_eq!(json["last_frame"]["distance"].as_f64(), Some(last));

    // a second run does not touch it unless told to
    let (exit, _, err) = ran(stiction().args(run));
    assert_eq!(exit, 8);
    assert!(err.contains("--force"), "{err}");
    let (exit, _, _) = ran(stiction().args(run).arg("--force"));
    assert_eq!(exit, 0);
}

#[test]
fn json_on_stdout_is_one_document_and_talk_goes_to_stderr() {
    let run = ["run", "scenes/sliding_block.toml", "--step", "1e-3", "--format", "json"];
    let (exit, out, _) = ran(stiction().args(run));
    assert_eq!(exit, 0);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["integrator"]["step"], 1e-3);
}

#[test]
fn an_untrusted_run_says_so_and_fails_only_when_strict() {
    // h λ = 5.5 > 2 while the block sticks
    let run =
        ["run", "scenes/incline_creep.toml", "--integrator", "explicit-euler", "--step", "1e-3"];
    let (exit, out, _) = ran(stiction().args(run));
    assert_eq!(exit, 0);
    assert!(out.contains("NOT TRUSTED") && out.contains("step-above-friction-limit"), "{out}");
    let (exit, _, _) = ran(stiction().args(run).arg("--strict"));
    assert_eq!(exit, 6);
}

#[test]
fn a_blow_up_is_named_and_ends_with_6() {
    let run = ["run", "scenes/tipping_box.toml", "--integrator", "explicit-euler"];
    let (exit, out, err) = ran(stiction().args(run).args(["--step", "1e-2"]));
    assert_eq!(exit, 6, "{err}");
    assert!(err.contains("blew up at t = "), "{err}");
    assert!(err.contains("of `box`; the last good state is at t = "), "{err}");
    assert!(out.contains("NOT TRUSTED"), "{out}");
    assert!(!out.contains("NaN") && !out.contains("inf"), "{out}");
}

#[test]
fn check_runs_a_scene_against_its_expectations() {
    let (exit, out, _) = ran(stiction().args(["check", "scenes/incline_creep.toml", "--run"]));
    assert_eq!(exit, 0, "{out}");
    let folder = tempfile::tempdir().unwrap();
    let path = scene(folder.path(), "value = 0.509696738", "value = 0.6");
    let (exit, out, _) = ran(stiction().args(["check", &path, "--run"]));
    assert_eq!(exit, 11);
    assert!(out.contains("NOT MET"), "{out}");
}

#[test]
fn compare_marks_exactly_the_unstable_rows() {
    let (exit, out, err) = ran(stiction().args([
        "compare",
        "scenes/incline_creep.toml",
        "--integrators",
        "explicit-euler,rk4,implicit-euler",
        "--steps",
        "1e-5,1e-4,1e-3",
        "--format",
        "json",
    ]));
    assert_eq!(exit, 0, "{err}");
    let document: serde_json::Value = serde_json::from_str(&out).unwrap();
    let rows = document["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 9);
    for row in rows {
        let step = row["step"].as_f64().unwrap();
        let explicit = row["integrator"] != "implicit-euler";
        let above = explicit && step > 5e-4;
        assert_eq!(row["trusted"], !above, "{row}");
        let ratio = row["creep"].as_f64().unwrap() / row["law_creep"].as_f64().unwrap();
        assert_eq!((ratio - 1.0).abs() < 1e-6, !above, "{row}");
    }
}

#[test]
fn usage_errors_help_and_closed_pipes() {
    let (exit, out, _) = ran(&mut stiction());
    assert_eq!(exit, 0);
    assert!(out.contains("stiction new first"), "{out}");
    assert_eq!(ran(stiction().arg("rnu")).0, 2);
    let (exit, _, err) = ran(stiction().args(["run", "no/such/scene.toml"]));
    assert_eq!(exit, 2);
    assert!(err.contains("no/such/scene.toml"), "{err}");
    for verb in [&["list"][..], &["schema"], &["reference"], &["man"], &["completions", "bash"]] {
        let (exit, out, err) = ran(stiction().args(verb));
        assert_eq!((exit, err.as_str()), (0, ""), "{verb:?}");
        assert!(out.len() > 500, "{verb:?}");
    }
    let piped = format!("{} schema | head -1", env!("CARGO_BIN_EXE_stiction"));
    let output = std::process::Command::new("sh").args(["-c", &piped]).output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn explain_knows_codes_and_names() {
    for (name, word) in [
        ("E201", "unknown key"),
        ("threshold", "epsilon"),
        ("rk4", "Runge"),
        ("chatter", "reverses"),
        ("cubic", "at ρ = 0.9: 0.5358 ε"),
        ("hunt-crossley", "When to use it"),
        ("implicit", "a text in quotation marks; required"),
    ] {
        let (exit, out, _) = ran(stiction().args(["explain", name]));
        assert_eq!(exit, 0);
        assert!(out.contains(word), "{name}: {out}");
    }
    assert_eq!(ran(stiction().args(["explain", "phlogiston"])).0, 2);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_with_complete_files() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("results");
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_stiction"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["run", "scenes/tipping_box.toml", "--set", "time.end=5500", "--out"])
        .arg(&out)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let frames = || std::fs::metadata(out.join("measures.csv")).map_or(0, |m| m.len());
    until("there are frames", || {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        frames() >= 2000
    });
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let json: serde_json::Value =
        serde_json::from_slice(&std::fs::read(out.join("run.json")).unwrap()).unwrap();
    assert_eq!(json["status"], "interrupted");
    let rows = std::fs::read_to_string(out.join("measures.csv")).unwrap().lines().count() - 1;
    assert_eq!(json["frames"], rows);
}

#[test]
fn what_is_told_of_a_run_before_it_is_an_error_when_strict_and_can_be_explained() {
    let belt = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/belt.toml");
    let check = |more: &[&str]| ran(stiction().arg("check").arg(&belt).args(more));
    let heavy = ["--set", "body.0.mass=1e5"];
    let (code, _, said) = check(&heavy);
    assert_eq!(code, 0);
    assert!(said.contains("note: heavy-load: "), "{said}");
    assert_eq!(check(&[&heavy[..], &["--strict"]].concat()).0, 3);
    assert_eq!(check(&["--strict"]).0, 0);
    for kind in ["deep-start", "heavy-load", "far-out", "phase-error"] {
        let (code, out, _) = ran(stiction().args(["explain", kind]));
        assert!(code == 0 && out.contains("before it"), "{kind}: {out}");
    }
}

/// A scene that `stiffness` takes long for.
#[cfg(target_os = "linux")]
const LONG: &str = "format = 1
time = { end = 1.0, step = 1e-5, output = 0.1 }
integrator.method = \"symplectic-euler\"
materials.rubber.static_friction = 0.5
contact.normal = { stiffness = 2e4, damping = 1 }
contact.friction = { law = \"threshold\", epsilon = 1e-3 }
[[body]]
name = \"box\"
mass = 5
shape.lattice = { counts = [26, 26, 26], spacing = 0.1 }
springs = { edge = { stiffness = 5e3, damping = 1 }, face_diagonal = { stiffness = 5e3, damping = 1 } }
[[collider]]
name = \"floor\"
shape.plane = {}
";

/// The program has said what it is working on; at the signal it ends without further work.
#[cfg(target_os = "linux")]
#[test]
fn stiffness_ends_at_the_first_signal() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("long.toml"), LONG).unwrap();
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_stiction"))
            .args(["stiffness", "long.toml"])
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut said).unwrap();
        assert!(said.contains("s of at most 300 s: "), "{said}");
        let (pid, before) = (child.id().to_string(), process::cpu_seconds(child.id()));
        let kill = std::process::Command::new("kill").args([signal, &pid]).status();
        assert!(kill.unwrap().success());
        let mut shown = child.stdout.take().unwrap();
        let (status, cpu) = process::ended(child);
        assert_eq!(status.code(), Some(code));
        assert!(cpu - before < 1.0, "{} s of CPU time after the signal", cpu - before);
        let mut text = String::new();
        shown.read_to_string(&mut text).unwrap();
        assert_eq!(text, "", "it went on to its end");
    }
}

/// Nothing more is computed when time is up: the rest is named as missing.
#[cfg(target_os = "linux")]
#[test]
fn stiffness_keeps_its_limit_and_says_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("long.toml"), LONG).unwrap();
    let file = |name: &str| std::fs::File::create(folder.path().join(name)).unwrap();
    let child = std::process::Command::new(env!("CARGO_BIN_EXE_stiction"))
        .args(["stiffness", "long.toml", "--limit", "3"])
        .current_dir(&folder)
        .stdout(file("out"))
        .stderr(file("said"))
        .spawn()
        .unwrap();
    let (status, cpu) = process::ended(child);
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let (out, said) = (text("out"), text("said"));
    assert_eq!(status.code(), Some(0), "{said}");
    assert!(cpu < 20.0, "{cpu} s of CPU time");
    assert!(said.contains("s of at most 3 s: "), "{said}");
    assert!(said.contains("missing: ") && said.contains("tr-bdf2"), "{said}\n{out}");
}

#[test]
fn force_replaces_a_run_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let precious = folder.path().join("trajectory");
    std::fs::create_dir(&precious).unwrap();
    std::fs::write(precious.join("mine.dat"), "years of work").unwrap();
    let out = folder.path().to_str().unwrap();
    let run = ["run", "scenes/sliding_block.toml", "--step", "1e-3", "--out", out, "--force"];
    let (exit, _, err) = ran(stiction().args(run));
    assert_eq!(exit, 8, "{err}");
    assert!(!folder.path().join("run.json").exists());
    assert!(precious.join("mine.dat").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_stdout_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_stiction"))
        .args(["schema"])
        .stdout(full)
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(5));
}

#[test]
fn a_scene_from_standard_input_can_be_compared() {
    let text = include_str!("../../scenes/incline_creep.toml");
    let compare = ["compare", "-", "--integrators", "rk4,explicit-euler", "--steps", "1e-4"];
    let (exit, out, err) =
        ran(stiction().args(compare).args(["--format", "csv"]).write_stdin(text));
    assert_eq!(exit, 0, "{err}");
    assert_eq!(out.lines().count(), 3, "{out}");
}

#[test]
fn laws_are_compared_with_their_own_parameters() {
    let laws = "threshold:epsilon=1e-4,cundall-strack:stiffness=1e4:damping=200,none";
    let compare = ["compare", "scenes/incline_creep.toml", "--integrators", "rk4", "--laws", laws];
    let (exit, out, err) = ran(stiction().args(compare).args(["--format", "json"]));
    assert_eq!(exit, 0, "{err}");
    let document: serde_json::Value = serde_json::from_str(&out).unwrap();
    let rows = document["rows"].as_array().unwrap();
    let creep: Vec<f64> = rows.iter().map(|row| row["creep"].as_f64().unwrap()).collect();
    assert!((creep[0] / 6.066171e-5 - 1.0).abs() < 1e-5, "{creep:?}");
    assert!(creep[1] < 1e-9 && creep[2] > 1.0, "{creep:?}");
}

#[test]
fn expectations_must_be_about_something() {
    for (from, to, word) in [
        ("speed = { at", "spede = { at", "distance, speed"),
        ("at = 0.25", "at = 0.2512", "frames are every"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = scene(folder.path(), from, to);
        let (exit, _, err) = ran(stiction().args(["check", &path]));
        assert_eq!(exit, 3, "{to}: {err}");
        assert!(err.contains(word), "{to}: {err}");
    }
}

#[test]
fn a_law_that_lacks_a_key_is_told_how_to_get_it() {
    let compare = ["compare", "scenes/incline_creep.toml", "--laws", "threshold,lugre"];
    let (exit, _, err) = ran(stiction().args(compare));
    assert_eq!(exit, 3, "{err}");
    assert!(err.contains("stiffness") && err.contains("--laws lugre"), "{err}");
    assert!(err.contains("cundall-strack:stiffness=1e4"), "{err}");
    // an error that has nothing to do with a law does not name --laws
    let compare =
        ["compare", "scenes/incline_creep.toml", "--laws", "tanh", "--integrators", "rk9"];
    let (_, _, err) = ran(stiction().args(compare));
    assert!(err.contains("rk9") && !err.contains("--laws"), "{err}");
}

#[test]
fn stiffness_answers_before_a_run() {
    let (exit, out, err) = ran(stiction().args(["stiffness", "scenes/incline_creep.toml"]));
    assert_eq!(exit, 0, "{err}");
    assert!(out.contains("law itself creeps at 6.066e-4 m/s"), "{out}");
    // 2 ε/(μ g cos 20°)
    assert!(out.contains("3.616e-4"), "{out}");
    assert!(out.contains("friction at particle 0 of `block`"), "{out}");
    let json = ["stiffness", "scenes/incline_creep.toml", "--at", "0.1", "--format", "json"];
    let (exit, out, err) = ran(stiction().args(json));
    assert_eq!(exit, 0, "{err}");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    let methods = json["integrators"].as_array().unwrap();
    assert_eq!(methods.len(), stiction_core::integrators::INTEGRATORS.len());
    assert_eq!(methods[0]["limited_by"]["kind"], "friction");
    let (exit, _, err) = ran(stiction().args(["stiffness", "scenes/belt.toml", "--at", "1e9"]));
    assert_eq!(exit, 2, "{err}");
}

#[test]
fn the_order_of_a_method_is_observed_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("results");
    let run = [
        "run",
        "scenes/spinning_disc.toml",
        "--observe-order",
        "--set=time.end=0.1",
        "--integrator=midpoint",
        "--out",
        out.to_str().unwrap(),
    ];
    let (exit, text, err) = ran(stiction().args(run));
    assert_eq!(exit, 0, "{err}");
    assert!(text.contains("observed order"), "{text}");
    let csv = std::fs::read_to_string(out.join("measures.csv")).unwrap();
    let mut lines = csv.lines();
    let column = lines.next().unwrap().split(',').position(|name| name == "observed_order");
    let mut orders: Vec<f64> = lines
        .map(|line| line.split(',').nth(column.unwrap()).unwrap().parse().unwrap())
        .filter(|order: &f64| !order.is_nan())
        .collect();
    orders.sort_by(f64::total_cmp);
    let median = orders[orders.len() / 2];
    assert!((median - 2.0).abs() < 0.2, "{median} in {} frames", orders.len());
}

/// Help and `explain` name every exit code there is, and no others.
#[test]
fn every_exit_code_is_named() {
    let source = include_str!("../../src/cli/terminal.rs");
    let (_, body) = source.split_once("pub enum Exit {").unwrap();
    let (body, _) = body.split_once("\n}").unwrap();
    let codes = body.lines().filter_map(|line| line.trim().strip_suffix(',')?.split_once(" = "));
    let codes: Vec<i32> = codes.map(|(_, code)| code.parse().unwrap()).collect();
    assert!(codes.len() > 12, "{codes:?}");
    for command in [["--help"].as_slice(), &["explain", "exit codes"]] {
        let (exit, out, err) = ran(stiction().args(command));
        assert_eq!(exit, 0, "{err}");
        let text = out.split_once("0 ok").unwrap_or_else(|| panic!("no codes in\n{out}")).1;
        let named: Vec<i32> = format!("0 {text}")
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|word| word.parse().ok())
            .collect();
        for code in &codes {
            assert!(named.contains(code), "{code} is not in\n{text}");
        }
        for code in &named {
            assert!(codes.contains(code), "{code} is named, but never given");
        }
    }
}

/// Standard input that cannot be read is an error of reading, not an empty scene.
#[cfg(unix)]
#[test]
fn input_that_cannot_be_read_is_told() {
    let folder = std::fs::File::open(env!("CARGO_MANIFEST_DIR")).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_stiction"));
    let output = command.args(["check", "-"]).stdin(folder).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && said.contains("Is a directory"), "{said}");
}

/// A file that opens and cannot be read: memory of the program at an address that nothing has.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_read_is_told() {
    let (exit, _, said) = ran(stiction().args(["check", "/proc/self/mem"]));
    assert!(exit == 2 && said.contains("input/output error"), "{exit} {said}");
}

/// The schema asks for the keys that have no default.
#[test]
fn the_schema_asks_for_what_has_no_default() {
    let (exit, out, _) = ran(stiction().arg("schema"));
    assert_eq!(exit, 0);
    let schema: serde_json::Value = serde_json::from_str(&out).unwrap();
    let required = |table: &serde_json::Value| -> Vec<String> {
        let names = table["required"].as_array().cloned().unwrap_or_default();
        names.iter().map(|name| name.as_str().unwrap().to_string()).collect()
    };
    let time = &schema["properties"]["time"];
    assert_eq!(required(time), ["end", "output"], "{time}");
    assert!(required(&schema).contains(&"time".to_string()), "{:?}", required(&schema));
    for table in ["body", "collider"] {
        let items = &schema["properties"][table]["items"];
        assert_eq!(required(items), ["name", "shape"], "{table}");
    }
}
