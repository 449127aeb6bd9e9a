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
    archive(files(frame))
}

/// Arrays by their names.
type Files = Vec<(&'static str, Vec<u8>)>;

fn files(frame: i64) -> Files {
    let times = || (0..300).map(|k| 1e-3 * k as f64);
    let rows = |f: fn(f64) -> [f64; 3]| numbers(times().flat_map(f));
    let frames: Vec<u8> = (0..299).chain([frame]).flat_map(i64::to_le_bytes).collect();
    let repeated = |row: [f64; 3]| numbers((0..300).flat_map(|_| row));
    vec![
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
    ]
}

/// An `.npz` of arrays.
fn archive(files: Files) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let options = zip::write::SimpleFileOptions::default();
        archive.start_file(format!("{name}.npy"), options).expect("a new file");
        archive.write_all(&bytes).expect("it is written");
    }
    archive.finish().expect("it ends").into_inner()
}

/// The judgement of a log that has no fault, or whose faults are not asked for.
fn document(path: &Path, options: &[&str]) -> Value {
    let path = path.display().to_string();
    let arguments = [&["judge", &path, "--format", "json"], options].concat();
    let (code, json, errors) = run(&arguments);
    assert_eq!(code, 0, "{errors}{json}");
    serde_json::from_str(&json).expect("JSON")
}

#[test]
fn both_formats_tell_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let csv = written(folder.path(), "run.csv", table(1.0).as_bytes());
    let npz = written(folder.path(), "run.npz", &arrays(299));
    let said = |path: &Path| -> Value { document(path, &["--strict"]) };
    let (from_csv, from_npz) = (said(&csv), said(&npz));
    assert_eq!(from_csv["verdict"], "no fault found");
    assert_eq!(from_csv["answers"], from_npz["answers"]);
    assert!(from_csv["judged"].as_u64().expect("a number") >= 8, "{from_csv}");
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

/// Items of eight bytes in another order: the first axis fastest.
fn turned(bytes: &[u8], rows: usize, columns: usize) -> Vec<u8> {
    let item = |row: usize, column: usize| &bytes[8 * (row * columns + column)..][..8];
    let all = (0..columns).flat_map(|column| (0..rows).map(move |row| (row, column)));
    all.flat_map(|(row, column)| item(row, column).to_vec()).collect()
}

/// Arrays with the highest byte first, in Fortran order, without an axis for a single body, without masses.
#[test]
fn arrays_of_all_orders_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let plain = document(&written(folder.path(), "plain.npz", &arrays(299)), &[]);
    let mut files = files(299);
    for (name, bytes) in &mut files {
        let numbers = |skip: usize| bytes[bytes.len() - skip..].to_vec();
        match *name {
            "time" => {
                let turned = numbers(2400)
                    .chunks_exact(8)
                    .flat_map(|c| c.iter().rev().copied().collect::<Vec<_>>())
                    .collect::<Vec<u8>>();
                *bytes = npy(">f8", "300,", &turned);
            }
            "position" | "contact_normal" => {
                let shape = if *name == "position" { "300, 1, 3" } else { "300, 3" };
                let array = npy("<f8", shape, &turned(&numbers(7200), 300, 3));
                let header = String::from_utf8_lossy(&array[..array.len() - 7200]).into_owned();
                assert!(header.contains("'fortran_order': False"));
                let place = array.windows(5).position(|w| w == b"False").expect("its order");
                let mut array = array;
                array[place..place + 5].copy_from_slice(b"True ");
                *bytes = array;
            }
            "velocity" | "spin" => *bytes = npy("<f8", "300, 3", &numbers(7200)),
            _ => {}
        }
    }
    files.retain(|(name, _)| *name != "mass");
    files.push(("Velocity", npy("<f8", "1,", &1f64.to_le_bytes())));
    let path = written(folder.path(), "other.npz", &archive(files));
    let other = document(&path, &["--mass", "1"]);
    assert_eq!(plain["answers"], other["answers"]);
    assert_eq!(other["unread"], serde_json::json!(["Velocity"]));
    let (_, text, _) = run(&["judge", &path.display().to_string(), "--mass", "1"]);
    assert!(text.contains("not read: `Velocity`, did you mean `velocity`?"), "{text}");
    let (code, _, errors) = run(&["judge", &path.display().to_string()]);
    assert!(code == 4 && errors.contains("`mass`") && errors.contains("--mass"), "{errors}");
}

/// Positions alone: not judged, with an exit code of its own; on a slope that is given, creep is.
#[test]
fn a_table_of_places_is_judged_on_a_slope() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut table = "t, x, y, z, heat\n".to_string();
    for k in 0..400 {
        let t = 0.01 * k as f64;
        writeln!(table, "{t}, {}, 0, 0, 7", 9.49e-4 * t).expect("a text");
    }
    let path = written(folder.path(), "places.csv", table.as_bytes()).display().to_string();
    let (code, text, _) = run(&["judge", &path, "--strict"]);
    assert!(code == 13 && text.contains("verdict: not judged"), "{code} {text}");
    assert!(text.contains("not read: `heat`"), "{text}");
    let slope = ["judge", &path, "--slope", "15", "--friction", "0.5", "--mass", "2"];
    let (code, text, _) = run(&slope);
    assert!(code == 0 && text.contains("creeps at 9.49e-4 m/s under 53.59 %"), "{code} {text}");
    assert!(
        text.contains("verdict: no fault found: 3 of 21 answers compare something, 18 do not"),
        "{text}"
    );
    let limited = |limit: &str| run(&[&slope[..], &["--creep", limit, "--strict"]].concat()).0;
    assert_eq!((limited("1e-5"), limited("1e-2")), (11, 0));
    for wrong in [["--slope", "90"], ["--creep", "-1"], ["--mass", "nan"], ["--friction", "-0.1"]] {
        let (code, _, errors) = run(&["judge", &path, wrong[0], wrong[1]]);
        assert!(code == 2 && errors.contains(wrong[0]), "{wrong:?}: {code} {errors}");
    }
}

#[test]
fn surroundings_are_minus_one_in_tables_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let plain = table(1.0);
    let header = plain.replace("body,mass", "body,other,mass").replace("box,1,", "box,,1,");
    let named = header.replace("box,,,,,,,,,,,0", "box,-1,,,,,,,,,,,0");
    assert!(named.contains("box,-1"), "{}", &named[..400]);
    let [a, b] = [("a.csv", &plain), ("b.csv", &named)]
        .map(|(name, text)| document(&written(folder.path(), name, text.as_bytes()), &[]));
    assert_eq!(a["answers"], b["answers"]);
}

/// Files that would take all memory or never end.
#[cfg(unix)]
#[test]
fn hostile_logs_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let link = folder.path().join("link.npz");
    std::os::unix::fs::symlink(&link, &link).expect("a link to itself");
    let pipe = folder.path().join("pipe.npz");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
    assert!(made.success());
    // 320 MB of zeros
    let bomb = folder.path().join("bomb.npz");
    let mut archive = zip::ZipWriter::new(std::fs::File::create(&bomb).expect("a file"));
    let options = zip::write::SimpleFileOptions::default().large_file(true);
    archive.start_file("time.npy", options).expect("a new file");
    archive.write_all(&npy("<f8", "41943040,", &[])).expect("it is written");
    let zeros = vec![0; 1 << 24];
    (0..20).for_each(|_| archive.write_all(&zeros).expect("it is written"));
    archive.finish().expect("it ends");
    // texts without letters, as many as a shape says
    let mut texts = files(299);
    texts[1].1 = npy("<U0", "1099511627776,", &[]);
    let texts = written(folder.path(), "texts.npz", &self::archive(texts));
    // a shape beyond its bytes
    let mut files = files(299);
    files[0].1 = npy("<f8", "99999999999,", &[0; 8]);
    let shape = written(folder.path(), "shape.npz", &self::archive(files));
    for (path, words) in [
        (&link, "symbolic links"),
        (&pipe, "no regular file"),
        (&bomb, "bytes unpacked"),
        (&shape, "bytes unpacked"),
        (&texts, "its type is `<U0`"),
        (&PathBuf::from("/dev/zero"), "no regular file"),
        (&folder.path().to_path_buf(), "no regular file"),
    ] {
        let (code, _, errors) = run(&["judge", &path.display().to_string()]);
        assert!(code == 4 && errors.contains(words), "{}: {code} {errors}", path.display());
    }
}

/// Tables whose columns a semicolon or a tab divides, and whose contacts stand below all bodies, give the same answers.
#[test]
fn tables_of_other_programs_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = table(1.0);
    let answers = |name: &str, text: &str| {
        let path = written(folder.path(), name, text.as_bytes());
        document(&path, &[])["answers"].clone()
    };
    let plain = answers("plain.csv", &text);
    let divided = |sign: &str| {
        let rows = text.lines().map(|line| match line.starts_with('#') {
            true => line.to_string(),
            false => line.replace(',', sign),
        });
        rows.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(answers("semicolons.csv", &divided(";")), plain);
    assert_eq!(answers("tabs.csv", &divided("\t")), plain);
    let (contacts, others): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.starts_with("contact"));
    assert_eq!(answers("below.csv", &[others, contacts].concat().join("\n")), plain);
}

#[test]
fn tables_and_arrays_that_are_torn_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = table(1.0);
    let open = text.replacen("contact,0.1,box", "contact,0.1,\"box", 1);
    let twice = text.replacen("mass,x,", "mass,x,x,", 1);
    let mut files = files(299);
    files[2].1[6] = 9;
    let format = written(folder.path(), "format.npz", &archive(files));
    for (path, words) in [
        (written(folder.path(), "open.csv", open.as_bytes()), "quotation mark is not closed"),
        (written(folder.path(), "twice.csv", twice.as_bytes()), "`x` is there twice"),
        (format, "its format is 9"),
    ] {
        let (code, _, errors) = run(&["judge", &path.display().to_string()]);
        assert!(code == 4 && errors.contains(words), "{}: {code} {errors}", path.display());
    }
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

#[test]
fn logs_that_would_take_all_memory_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = |name: &str, bytes: &[u8], words: &str| {
        let path = written(folder.path(), name, bytes);
        let (code, _, errors) = run(&["judge", path.to_str().expect("a name")]);
        assert!(code == 4 && errors.contains(words), "{name}: {code} {errors}");
    };
    let wide = format!("time,x,y,z,{}\n", "c,".repeat(600_000));
    refused("wide.csv", wide.as_bytes(), "a line has more than 1048576 bytes");
    let mut long = String::from("time,x,y,z\n");
    (0..=1_000_000).for_each(|k| writeln!(long, "{k},0,0,0").expect("a text"));
    refused("long.csv", long.as_bytes(), "at most 1000000 are judged");
    let zeros = |array: &str, kind: &str, shape: &str, size: usize| {
        let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        archive.start_file(array, zip::write::SimpleFileOptions::default()).expect("a file");
        archive.write_all(&npy(kind, shape, &vec![0; size])).expect("written");
        archive.finish().expect("an archive").into_inner()
    };
    refused(
        "large.npz",
        &zeros("position.npy", "<f8", "99999999, 3", 9),
        "bytes unpacked, and at most",
    );
    let names = zeros("body.npy", "<U1", "20000", 80_000);
    refused("names.npz", &names, "20000 texts, and at most 10000 are read");
    let huge = folder.path().join("huge.csv");
    std::fs::File::create(&huge).and_then(|file| file.set_len(1 << 40)).expect("a sparse file");
    let (code, _, errors) = run(&["judge", huge.to_str().expect("a name")]);
    assert!(code == 4 && errors.contains("at most 201326592 are read"), "{code} {errors}");
}
