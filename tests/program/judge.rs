//! `judge`: logs from both formats, and logs that make no sense; `exam`: the package that the
//! program carries.

use assert_cmd::Command;
use serde_json::Value;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

fn run(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    let output = command.args(arguments).output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code().expect("a code"), text(output.stdout), text(output.stderr))
}

/// The log, as a table, of a block that slides at μ = .4; its friction is `factor` times too large.
fn table(factor: f64) -> String {
    let mut text = "# engine = exact\n# gravity = 0, 0, -9.81\n# step = 0.001\n".to_string();
    text += "record,time,body,mass,x,y,z,vx,vy,vz,wx,wy,wz,nx,ny,nz,normal_force,fx,fy,fz,mu\n";
    for k in 0..300 {
        let t = 1e-3 * k as f64;
        let (x, v) = (2.0 * t - 1.962 * t * t, 2.0 - 3.924 * t);
        let friction = -3.924 * factor;
        writeln!(text, "body,{t},box,1,{x},0,0,{v},0,0,0,0,0").expect("a text");
        writeln!(text, "contact,{t},box,,,,,,,,,,,0,0,1,9.81,{friction},0,0,0.4").expect("a text");
    }
    text
}

fn written(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("the file is written");
    path
}

/// An array of float64 or int64 as NumPy writes it.
fn npy(kind: &str, shape: &str, bytes: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}\n");
    let mut array = b"\x93NUMPY\x01\x00".to_vec();
    array.extend((header.len() as u16).to_le_bytes());
    array.extend(header.as_bytes());
    array.extend(bytes);
    array
}

fn numbers(of: impl Iterator<Item = f64>) -> Vec<u8> {
    of.flat_map(f64::to_le_bytes).collect()
}

/// The same block as arrays; `frame` is the last entry of contact_frame.
fn arrays(frame: i64) -> Vec<u8> {
    let times = || (0..300).map(|k| 1e-3 * k as f64);
    let rows = |f: fn(f64) -> [f64; 3]| numbers(times().flat_map(f));
    let frames: Vec<u8> = (0..299).chain([frame]).flat_map(i64::to_le_bytes).collect();
    let repeated = |row: [f64; 3]| numbers((0..300).flat_map(|_| row));
    let files = [
        ("time", npy("<f8", "300,", &numbers(times()))),
        (
            "body",
            npy(
                "<U4",
                "1,",
                &"box\0".chars().flat_map(|c| u32::from(c).to_le_bytes()).collect::<Vec<u8>>(),
            ),
        ),
        ("mass", npy("<f8", "1,", &1f64.to_le_bytes())),
        ("gravity", npy("<f8", "3,", &numbers([0.0, 0.0, -9.81].into_iter()))),
        ("position", npy("<f8", "300, 1, 3", &rows(|t| [2.0 * t - 1.962 * t * t, 0.0, 0.0]))),
        ("velocity", npy("<f8", "300, 1, 3", &rows(|t| [2.0 - 3.924 * t, 0.0, 0.0]))),
        ("spin", npy("<f8", "300, 1, 3", &rows(|_| [0.0; 3]))),
        ("contact_frame", npy("<i8", "300,", &frames)),
        ("contact_body", npy("<i8", "300,", &[0; 2400])),
        ("contact_normal", npy("<f8", "300, 3", &repeated([0.0, 0.0, 1.0]))),
        ("contact_normal_force", npy("<f8", "300,", &numbers((0..300).map(|_| 9.81)))),
        ("contact_friction", npy("<f8", "300, 3", &repeated([-3.924, 0.0, 0.0]))),
        ("contact_mu", npy("<f8", "300,", &numbers((0..300).map(|_| 0.4)))),
    ];
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let options = zip::write::SimpleFileOptions::default();
        archive.start_file(format!("{name}.npy"), options).expect("a new file");
        archive.write_all(&bytes).expect("it is written");
    }
    archive.finish().expect("it ends").into_inner()
}

#[test]
fn both_formats_tell_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let csv = written(folder.path(), "run.csv", table(1.0).as_bytes());
    let npz = written(folder.path(), "run.npz", &arrays(299));
    let said = |path: &Path| -> Value {
        let (code, json, errors) =
            run(&["judge", &path.display().to_string(), "--format", "json", "--strict"]);
        assert_eq!(code, 0, "{errors}{json}");
        serde_json::from_str(&json).expect("JSON")
    };
    let (from_csv, from_npz) = (said(&csv), said(&npz));
    assert_eq!(from_csv["verdict"], "no fault found");
    let texts = |of: &Value| -> Vec<String> {
        of["answers"].as_array().expect("a list").iter().map(|a| a["text"].to_string()).collect()
    };
    assert_eq!(texts(&from_csv), texts(&from_npz));
    assert!(
        from_npz.to_string().contains("`box`") || from_npz.to_string().contains("\"box\""),
        "{from_npz}"
    );
}

#[test]
fn faults_are_named_and_explained() {
    let folder = tempfile::tempdir().expect("a folder");
    let csv = written(folder.path(), "run.csv", table(1.2).as_bytes()).display().to_string();
    let (code, text, _) = run(&["judge", &csv, "--strict"]);
    assert_eq!(code, 11);
    for words in ["not trusted", "cone-exceeded", "1.2 times μN", "forces-unbalanced"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert_eq!(run(&["judge", &csv]).0, 0);
    for kind in stiction_engines::judge::KINDS {
        let (code, page, _) = run(&["explain", kind.name]);
        assert!(code == 0 && page.contains(&kind.about[..20]), "{}: {page}", kind.name);
    }
}

#[test]
fn logs_that_make_no_sense_are_refused_with_the_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let good = table(1.0);
    let whole = arrays(299);
    let cases: [(&str, Vec<u8>, &str); 11] = [
        (
            "word.csv",
            good.replacen("9.81,-3.924", "much,-3.924", 1).into(),
            "line 6, column `normal_force`: `much` is no number",
        ),
        (
            "column.csv",
            good.replace("mass", "weight").into(),
            "line 5: the column `mass` is empty or missing",
        ),
        (
            "record.csv",
            good.replacen("body,0", "corpse,0", 1).into(),
            "`body` or `contact` is needed",
        ),
        (
            "normal.csv",
            good.replace("0,0,1,9.81", "0,0,2,9.81").into(),
            "the normal has the length 2",
        ),
        ("mass.csv", good.replace("box,1,", "box,-1,").into(), "mass of box: -1 kg"),
        (
            "infinite.csv",
            good.replacen("box,1,0,0,0", "box,1,inf,0,0", 1).into(),
            "position of box: not finite at row 0",
        ),
        (
            "short.csv",
            good.lines().take(5).collect::<Vec<_>>().join("\n").into(),
            "two times and a body are needed",
        ),
        ("frame.npz", arrays(300), "contact_frame: 300 at row 299"),
        ("cut.npz", whole[..whole.len() / 2].to_vec(), "it is no .npz"),
        ("noise.npz", vec![7; 1000], "it is no .npz"),
        ("log.txt", good.into(), "a log ends in .npz or .csv"),
    ];
    for (name, bytes, words) in cases {
        let path = written(folder.path(), name, &bytes).display().to_string();
        let (code, _, errors) = run(&["judge", &path]);
        assert!(code == 4 && errors.contains(words), "{name}: {code} {errors}");
    }
    assert_eq!(run(&["judge", "no_such.npz"]).0, 4);
    let (code, _, errors) = run(&["judge", "x.npz", "--gravity", "1,2"]);
    assert!(code == 2 && errors.contains("three numbers"), "{errors}");
}

#[test]
fn a_python_that_is_not_there_is_named() {
    let (code, _, errors) = run(&["exam", "--python", "no-such-python"]);
    assert!(
        code == 2 && errors.contains("no-such-python") && errors.contains("--python"),
        "{errors}"
    );
}

/// With a script in place of Python: its words, the package beside it, and the exit codes that it may have.
#[cfg(unix)]
#[test]
fn the_exam_hands_its_options_and_its_package_to_python() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let python = folder.path().join("python");
    let script = "#!/bin/sh\ntest -f \"$PYTHONPATH/friction_exam/ask.py\" || exit 9\n\
        test -f \"$PYTHONPATH/questions/push-low.toml\" || exit 9\necho \"$@\"\nexit $ENDS_WITH\n";
    std::fs::write(&python, script).unwrap();
    std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o755)).unwrap();
    let exam = |ends: &str, options: &[&str]| {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_stiction"));
        command.args(["exam", "--python"]).arg(&python).args(options).env("ENDS_WITH", ends);
        let output = command.output().unwrap();
        let [out, err] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (output.status.code(), out, err)
    };
    let options = "--engine e --settings best --question q --step 0.25 --cpu 2.5 --out o --log l --baseline b --html h --strict";
    let (code, out, _) = exam("0", &options.split(' ').collect::<Vec<_>>());
    assert_eq!(code, Some(0));
    let words: Vec<&str> = out.split_whitespace().collect();
    for pair in options.trim_end_matches(" --strict").split(" --") {
        let (name, value) = pair.trim_start_matches("--").split_once(' ').unwrap();
        let at = words.iter().position(|word| *word == format!("--{name}"));
        assert_eq!(at.map(|at| words[at + 1]), Some(value), "{name}: {out}");
    }
    assert!(words.starts_with(&["-m", "friction_exam"]) && words.contains(&"--strict"), "{out}");
    let (_, out, _) = exam("0", &["--scoreboard", "a.json", "b.json"]);
    assert!(out.trim_end().ends_with("--scoreboard a.json b.json"), "{out}");
    assert!(!out.contains("--strict") && !out.contains("--step"), "{out}");
    assert_eq!(exam("2", &[]).0, Some(2));
    assert_eq!(exam("11", &[]).0, Some(11));
    let (code, _, errors) = exam("7", &[]);
    assert!(code == Some(6) && errors.contains("exit code 7"), "{code:?} {errors}");
}
