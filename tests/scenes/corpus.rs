//! The corpus of faults: every scene and mesh of tests/corpus ends with the code, the place and the exit code
//! that its index says, and every model, log and folder as `files.csv` says.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use stiction::cli::Exit;
use stiction::cli::failures::failure;
use stiction_lab::experiment::base::Base;
use stiction_lab::run::Run;
use stiction_scene::diagnostics::SceneErrors;
use stiction_scene::excerpt;

/// A line of the index.
#[derive(serde::Deserialize)]
struct Case {
    /// A scene, or a mesh that a scene names.
    file: String,
    /// Number of the kind of fault.
    row: u32,
    /// `--set` of a scene, several with ` ; ` between; of a mesh, the table that uses it.
    with: String,
    /// Exit code of `check`.
    exit: u8,
    /// `E...` or `W...`; `note` for a note on the run; nothing where the scene is sound.
    code: String,
    /// `:line:column` of the scene, or a place in another file in words.
    place: String,
    /// Words of the message.
    says: String,
}

/// Outcome of a case.
struct End {
    exit: u8,
    text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

/// A line of the index of other files.
#[derive(serde::Deserialize)]
struct Ending {
    /// Arguments of the program, started in the corpus.
    command: String,
    exit: i32,
    /// Words of the output.
    says: String,
}

fn lines<T: serde::de::DeserializeOwned>(index: &str) -> Vec<T> {
    let mut reader = csv::Reader::from_path(root().join(index)).expect("the index");
    reader.deserialize().map(|line| line.expect("a line of the index")).collect()
}

fn cases() -> Vec<Case> {
    lines("index.csv")
}

impl Case {
    fn is_scene(&self) -> bool {
        self.file.ends_with(".toml")
    }

    fn sets(&self) -> Vec<String> {
        match self.is_scene() && !(self.with.is_empty() && self.place != "--set:1:1") {
            true => self.with.split(" ; ").map(String::from).collect(),
            false => Vec::new(),
        }
    }

    /// The scene that has the fault, and its name in messages.
    fn base(&self) -> (Base, String) {
        if self.is_scene() {
            let path = root().join(&self.file);
            let mut base = Base::file(&path);
            base.set = self.sets();
            return (base, path.display().to_string());
        }
        let text = std::fs::read_to_string(root().join("base.toml")).expect("the base");
        let path = self.file.trim_start_matches("meshes/");
        let (from, to) = match self.with.as_str() {
            "file" => ("particle = {}", format!("file = {{ path = \"{path}\" }}")),
            "mesh" => ("plane = { normal = [0, 0, 1] }", format!("mesh = {{ path = \"{path}\" }}")),
            "heights" => (
                "plane = { normal = [0, 0, 1] }",
                format!("heightfield = {{ spacing = 1, path = \"{path}\" }}"),
            ),
            other => panic!("{}: no use {other}", self.file),
        };
        let text = text.replacen(from, &to, 1);
        (Base::bytes("scene", text.as_bytes(), &root().join("meshes")), "scene".into())
    }

    /// Outcome of `check`, within this process.
    fn ended(&self) -> (End, String) {
        let (mut base, name) = self.base();
        base.options.max_memory = 4 << 30;
        let refused = |errors: SceneErrors| {
            let text = errors.render(false);
            End { exit: failure(errors).exit as u8, text }
        };
        let loaded = match base.load(&[]) {
            Ok(loaded) => loaded,
            Err(errors) => return (refused(errors), name),
        };
        let (scene, mut text) =
            (&loaded.scene, excerpt::render(&loaded.warnings, &loaded.scene.sources, false));
        let end = match Run::new(scene, &base.options) {
            Ok(run) => {
                text.extend(run.remarks.iter().map(|remark| format!("note: {remark}\n")));
                text.extend(
                    run.start.iter().map(|told| format!("note: {}: {}\n", told.kind, told.text)),
                );
                End { exit: Exit::Ok as u8, text: text + "scene is sound" }
            }
            Err(error) => refused(error.in_scene(scene)),
        };
        (end, name)
    }

    /// The beginning of the first message.
    fn head(&self, name: &str) -> String {
        let kind = match self.code.as_str() {
            "" => return "scene is sound".into(),
            "note" => return "note: ".into(),
            code if code.starts_with('W') => "warning",
            _ => "error",
        };
        let place = match self.place.as_str() {
            "" => String::new(),
            own if own.starts_with(':') => format!(" {name}{own}"),
            other => format!(" {other}"),
        };
        format!("{kind}[{}]{place}: ", self.code)
    }

    /// Differences from the index.
    fn fault(&self, end: &End, name: &str) -> Option<String> {
        let head = self.head(name);
        let first = end.text.lines().find(|line| !line.starts_with("note: ") || head == "note: ");
        let starts = first.is_some_and(|line| line.starts_with(&head));
        let said = self.says == "sound" || end.text.contains(&self.says);
        let shown = || format!("{} {}: {}\n{}", self.file, self.with, end.exit, end.text);
        if starts && said && end.exit == self.exit {
            return None;
        }
        Some(format!("expected {} {head} ... {}\n{}", self.exit, self.says, shown()))
    }
}

#[test]
fn every_fault_ends_as_the_index_says() {
    let cases = cases();
    assert!(cases.len() >= 900, "{} cases", cases.len());
    let mut faults = Vec::new();
    for case in &cases {
        let (end, name) = case.ended();
        faults.extend(case.fault(&end, &name));
        let odd = |c: char| c.is_control() && c != '\n';
        if end.text.chars().any(odd) || end.text.len() > 40_000 {
            faults.push(format!("{}: control characters, or {} bytes", case.file, end.text.len()));
        }
    }
    let number = faults.len();
    faults.truncate(20);
    assert!(number == 0, "{number} of {} differ\n{}", cases.len(), faults.join("\n----\n"));
}

/// The program says the same; every thirtieth case is enough to know that it asks the same readers.
#[test]
fn the_program_ends_as_the_readers_do() {
    for case in cases().iter().filter(|case| case.is_scene()).step_by(30) {
        let mut program = Command::new(env!("CARGO_BIN_EXE_stiction"));
        program.current_dir(root()).env("NO_COLOR", "1").arg("check").arg(&case.file);
        for set in case.sets() {
            program.arg("--set").arg(set);
        }
        let output = program.output().expect("the program");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let exit = output.status.code().and_then(|code| u8::try_from(code).ok()).expect("a code");
        let fault = case.fault(&End { exit, text }, &case.file);
        assert!(fault.is_none(), "{}", fault.unwrap_or_default());
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn models_logs_and_folders_end_as_the_index_says() {
    let endings: Vec<Ending> = lines("files.csv");
    for Ending { command, exit, says } in &endings {
        let mut program = Command::new(env!("CARGO_BIN_EXE_stiction"));
        program.current_dir(root()).env("NO_COLOR", "1").args(command.split(' '));
        let output = program.output().expect("the program");
        let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert_eq!(output.status.code(), Some(*exit), "{command}: {text}");
        assert!(text.contains(says), "{command}: {says}\n{text}");
    }
    for folder in ["models", "logs", "folders"] {
        for entry in std::fs::read_dir(root().join(folder)).expect("a folder") {
            let name = format!("{folder}/{}", entry.expect("an entry").file_name().display());
            assert!(
                endings.iter().any(|e| e.command.ends_with(&name)),
                "{name} is not in the index"
            );
        }
    }
}

/// Kinds of faults 1 to 78 stand in the index, but for those that no file can hold.
#[test]
fn every_row_has_cases_and_every_file_a_line() {
    let cases = cases();
    let rows: BTreeSet<u32> = cases.iter().map(|case| case.row).collect();
    // 19 and 23: sizes, pipes and paths, below; 30: the limit of files, scene_errors/files.rs; 35:
    // what is written of a run; 38: `stiffness`; 63 and 64: sweeps, tests/program/sweep.rs; 67:
    // mutants
    let elsewhere = [19, 23, 30, 35, 38, 63, 64, 67];
    for row in (1..=78).filter(|row| !elsewhere.contains(row)) {
        assert!(rows.contains(&row), "no case of row {row}");
    }
    let named: BTreeSet<&str> = cases.iter().map(|case| case.file.as_str()).collect();
    assert!(named.len() >= 850, "{} files", named.len());
    for folder in ["text", "includes", "values", "meshes"] {
        for entry in std::fs::read_dir(root().join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name =
                format!("{folder}/{}", path.file_name().and_then(|n| n.to_str()).expect("a name"));
            let part = path.is_dir() || name.starts_with("meshes/78_large");
            assert!(part || named.contains(name.as_str()), "{name} is not in the index");
        }
    }
}

/// Faults beyond a repository: pipes, devices, links out, files of any size, paths that are none.
#[cfg(unix)]
#[test]
fn what_is_no_file_ends_with_the_reason_and_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let base = std::fs::read_to_string(root().join("base.toml")).expect("the base");
    let made = Command::new("mkfifo").args([path("pipe.obj"), path("pipe.toml")]).status();
    assert!(made.is_ok_and(|status| status.success()));
    std::os::unix::fs::symlink("/dev/zero", path("zero.obj")).expect("a link");
    std::os::unix::fs::symlink("/etc/passwd", path("passwd.obj")).expect("a link");
    let large = std::fs::File::create(path("large.toml")).expect("a file");
    large.set_len((64 << 20) + 1).expect("a sparse file");
    let scene = |name: &str, from: &str, to: &str| {
        assert!(base.contains(from));
        std::fs::write(path(name), base.replacen(from, to, 1)).expect("a scene");
    };
    let plane = "plane = { normal = [0, 0, 1] }";
    scene("mesh_pipe.toml", plane, "mesh = { path = \"pipe.obj\" }");
    scene("mesh_zero.toml", plane, "mesh = { path = \"zero.obj\" }");
    scene("mesh_link.toml", plane, "mesh = { path = \"passwd.obj\" }");
    scene("heights_pipe.toml", plane, "heightfield = { spacing = 1, path = \"pipe.obj\" }");
    scene("body_pipe.toml", "particle = {}", "file = { path = \"pipe.obj\" }");
    scene("include_pipe.toml", "format = 1", "include = [\"pipe.toml\"]\nformat = 1");
    scene("include_link.toml", "format = 1", "include = [\"passwd.obj\"]\nformat = 1");
    scene("include_large.toml", "format = 1", "include = [\"large.toml\"]\nformat = 1");
    for (name, exit, head, says) in [
        ("mesh_pipe.toml", 4, "error[E401] mesh_pipe.toml:19:27: ", "is a pipe or device"),
        ("mesh_zero.toml", 3, "error[E311] mesh_zero.toml:19:27: ", "leads out"),
        ("mesh_link.toml", 3, "error[E311] mesh_link.toml:19:27: ", "leads out"),
        ("heights_pipe.toml", 4, "error[E401] heights_pipe.toml:19:47: ", "is a pipe or device"),
        ("body_pipe.toml", 4, "error[E401] body_pipe.toml:16:27: ", "is a pipe or device"),
        ("include_pipe.toml", 3, "error[E107] include_pipe.toml:1:12: ", "not a regular file"),
        ("include_link.toml", 3, "error[E107] include_link.toml:1:12: ", "leads out"),
        ("include_large.toml", 9, "error[E106] include_large.toml:1:12: ", "64 MiB"),
        ("large.toml", 9, "error[E106]: `large.toml`", "64 MiB"),
        ("pipe.toml", 2, "error[E105]: ", "not a regular file"),
        ("/dev/zero", 2, "error[E105]: ", "not a regular file"),
        (".", 2, "error[E105]: ", "directory"),
        ("missing.toml", 2, "error[E105]: ", "no such file"),
        ("", 2, "error: ", "a value is required"),
        ("mesh_pipe.toml/x", 2, "error[E105]: ", "not a directory"),
    ] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_stiction"));
        program.current_dir(folder.path()).env("NO_COLOR", "1").args(["check", name]);
        let output = program.output().expect("the program");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(exit), "{name}: {text}");
        assert!(text.starts_with(head) && text.contains(says), "{name}: {head}{says}\n{text}");
    }
}
