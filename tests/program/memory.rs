//! Memory: the estimate against what the program takes at its peak, refusals, and frames that are
//! not kept.

#[cfg(target_os = "linux")]
use crate::support::{process::waits, wait::until};
use std::path::Path;
use std::process::{Command, Stdio};
#[cfg(target_os = "linux")]
use std::{
    io::{Read, Write},
    os::{fd::OwnedFd, unix::net::UnixStream},
};
use stiction_lab::output::folder::run_json;
use stiction_lab::run::Run;
use stiction_scene::build::BuildOptions;
use stiction_scene::{LoadOptions, load_text};

const BOTH: &str = "edge = { stiffness = 500 }, face_diagonal = { stiffness = 500 }";
const EDGES: &str = "edge = { stiffness = 500 }";

/// A body of a shape that falls, and has not yet touched anything after three steps.
fn falling(shape: &str, springs: &str, method: &str) -> String {
    format!(
        "format = 1\n\
         world.gravity = [0, 0, -9.81]\n\
         time = {{ end = 3e-4, step = 1e-4, output = 3e-4 }}\n\
         integrator = {{ {method} }}\n\
         materials.jelly.static_friction = 0.5\n\
         contact.normal = {{ law = \"linear\", stiffness = 1e4, damping = 5 }}\n\
         contact.friction = {{ law = \"threshold\", epsilon = 1e-2 }}\n\
         [[body]]\n\
         name = \"body\"\n\
         mass = 100\n\
         shape = {{ {shape} }}\n\
         springs = {{ {springs} }}\n\
         position = [0, 0, 3]\n\
         [[collider]]\n\
         name = \"floor\"\n\
         shape = {{ plane = {{}} }}\n"
    )
}

fn written(folder: &Path, text: &str) -> String {
    let path = folder.join("scene.toml");
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn stiction() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    command.env("NO_COLOR", "1");
    command
}

/// Messages in one line.
fn in_one_line(said: Vec<u8>) -> String {
    let said = String::from_utf8(said).unwrap();
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Exit code and messages of a run.
fn ran(command: &mut Command) -> (i32, String) {
    let output = command.stdin(Stdio::null()).stdout(Stdio::null()).output().unwrap();
    (output.status.code().unwrap_or(-1), in_one_line(output.stderr))
}

/// The two ends of a stream that takes no byte more.
#[cfg(target_os = "linux")]
fn full_stream() -> (UnixStream, UnixStream) {
    let (mut full, reader) = UnixStream::pair().unwrap();
    full.set_nonblocking(true).unwrap();
    for size in [4096, 1] {
        while full.write(&vec![b'.'; size]).is_ok() {}
    }
    full.set_nonblocking(false).unwrap();
    (full, reader)
}

/// Peak memory of a run that succeeds \[bytes\]. Its summary, its last output, is blocked: there
/// the run waits while its memory is looked at.
#[cfg(target_os = "linux")]
fn peak(command: &mut Command) -> f64 {
    let (full, mut reader) = full_stream();
    command.stdin(Stdio::null()).stdout(OwnedFd::from(full)).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // the command lets go of the stream, or it never ends
    command.stdout(Stdio::null());
    until("the run waits with its summary", || {
        waits(child.id()) || child.try_wait().unwrap().is_some()
    });
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    reader.read_to_end(&mut Vec::new()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", in_one_line(output.stderr));
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    1024.0 * line.trim().strip_suffix(" kB").unwrap().parse::<f64>().unwrap()
}

/// Points in a line, each joined to the next, as a scene lists them.
#[cfg(target_os = "linux")]
fn points(count: u32) -> String {
    let places: Vec<String> = (0..count).map(|i| format!("[{}.5, 0.25, 3.125]", i)).collect();
    let links: Vec<String> = (1..count).map(|i| format!("[{}, {i}]", i - 1)).collect();
    format!("points = {{ positions = [{}], links = [{}] }}", places.join(", "), links.join(", "))
}

/// The estimate in a refusal \[bytes\].
fn estimate(said: &str) -> f64 {
    let about = said.split("about ").nth(1).unwrap_or_else(|| panic!("no estimate in {said}"));
    let mut words = about.split(' ');
    let number: f64 = words.next().unwrap().parse().unwrap();
    let shift = match words.next().unwrap() {
        "KiB" => 10,
        "MiB" => 20,
        "GiB" => 30,
        other => panic!("{other}"),
    };
    number * f64::from(1u32 << shift)
}

/// Bodies of one particle at a height, under the keys of another: above the floor, or on it.
#[cfg(target_os = "linux")]
fn bodies(height: f64) -> String {
    let one = |k: u32| {
        format!(
            "position = [{k}, 5, {height}]\n[[body]]\nname = \"b{k}\"\nmass = 1\n\
             shape.particle = {{}}\nradius = 0.1\n"
        )
    };
    format!("}}\n{}# {{", (0..10_000).map(one).collect::<String>())
}

/// Shapes, springs and methods whose memory is compared.
#[cfg(target_os = "linux")]
fn cases() -> Vec<(String, String, String)> {
    // a second body, and contact with it, under the keys of the first
    let two = format!(
        "{EDGES} }}\nposition = [0, 0, 9]\n[[body]]\nname = \"cloth\"\nmass = 10\n\
         shape = {{ cloth = {{ counts = [150, 150], spacing = 0.01 }} }}\n\
         springs.edge.stiffness = 500\n# {{"
    );
    let (above, on) = (bodies(2.0), bodies(0.0999));
    let touching = "method = \"symplectic-euler\" }\ncontact.bodies = true\n# {";
    let explicit = "method = \"symplectic-euler\"";
    let by = |solver: &str| format!("method = \"implicit-euler\", linear_solver = \"{solver}\"");
    let lattice = |n: u32| format!("lattice = {{ counts = [{n}, {n}, {n}], spacing = 0.1 }}");
    let cloth = |n: u32| format!("cloth = {{ counts = [{n}, {n}], spacing = 0.01 }}");
    let rope = |n: u32| format!("rope = {{ from = [0, 0, 0], to = [9, 0, 0], segments = {n} }}");
    let round = |name: &str, n: u32| format!("{name} = {{ radius = 1, count = {n} }}");
    let cases = [
        ("particle = {}".into(), "", explicit.into()),
        ("particle = {}".into(), &above, explicit.into()),
        ("particle = {}".into(), &on, explicit.into()),
        (lattice(10), BOTH, explicit.into()),
        (lattice(46), BOTH, explicit.into()),
        (lattice(100), BOTH, explicit.into()),
        (lattice(46), EDGES, explicit.into()),
        (lattice(40), &two, explicit.into()),
        (lattice(40), &two, touching.into()),
        (lattice(30), "", explicit.into()),
        (cloth(250), BOTH, explicit.into()),
        (round("disc", 60_000), EDGES, explicit.into()),
        (round("ring", 60_000), EDGES, explicit.into()),
        (round("sphere", 60_000), EDGES, explicit.into()),
        (rope(100_000), EDGES, explicit.into()),
        (points(20_000), EDGES, explicit.into()),
        (lattice(40), BOTH, "method = \"rk4\"".into()),
        (lattice(40), BOTH, "method = \"dopri5\"".into()),
        (lattice(30), BOTH, by("automatic")),
        (lattice(30), BOTH, by("pcg")),
        (lattice(30), EDGES, by("bicgstab")),
        (lattice(14), BOTH, by("sparse-cholesky")),
        (lattice(20), BOTH, by("sparse-cholesky")),
        (cloth(120), BOTH, by("sparse-cholesky")),
        (rope(20_000), EDGES, by("sparse-cholesky")),
        (lattice(12), BOTH, by("sparse-lu")),
        (lattice(18), BOTH, by("sparse-lu")),
        (cloth(50), BOTH, by("sparse-lu")),
        (cloth(120), BOTH, by("sparse-lu")),
        (rope(20_000), EDGES, by("sparse-lu")),
    ];
    cases
        .map(|(shape, springs, method): (String, &str, String)| (shape, springs.into(), method))
        .into()
}

#[cfg(target_os = "linux")]
#[test]
fn estimates_are_within_a_fifth_of_the_peak() {
    let folder = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    println!("{:>10} {:>10} {:>6}  MiB estimated, at the peak, ratio", "", "", "");
    for (shape, springs, method) in cases() {
        let path = written(folder.path(), &falling(&shape, &springs, &method));
        let peak = peak(stiction().args(["run", &path, "--max-memory", "16G"]));
        // factors are counted only if all else is allowed
        let mut limit = 1;
        let mut told = 0.0;
        for _ in 0..2 {
            let limit_text = limit.to_string();
            let (exit, said) = ran(stiction().args(["run", &path, "--max-memory", &limit_text]));
            if exit != 9 {
                break;
            }
            told = estimate(&said);
            limit = (1.001 * told) as u64 + (1 << 20);
        }
        let ratio = told / peak;
        let mib = |bytes: f64| bytes / f64::from(1 << 20);
        let line = format!(
            "{:10.1} {:10.1} {ratio:6.2}  {shape:.60}, {springs:.90}, {method}",
            mib(told),
            mib(peak)
        );
        println!("{line}");
        if !(0.8..=1.2).contains(&ratio) {
            wrong.push(line);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn factors_beyond_the_limit_are_refused_with_their_size() {
    let folder = tempfile::tempdir().unwrap();
    let shape = "lattice = { counts = [26, 26, 26], spacing = 0.1 }";
    let method = "method = \"implicit-euler\", linear_solver = \"sparse-lu\"";
    let path = written(folder.path(), &falling(shape, BOTH, method));
    let (exit, said) = ran(stiction().args(["run", &path, "--max-memory", "1G"]));
    assert_eq!(exit, 9, "{said}");
    let gib = estimate(&said) / f64::from(1 << 30);
    assert!((1.28..1.92).contains(&gib), "{gib} GiB where 1.60 were measured: {said}");
    assert!(said.contains("of it for the factors of `sparse-lu`"), "{said}");
    // the same by conjugate gradients is no trouble
    let method = "method = \"implicit-euler\", linear_solver = \"pcg\"";
    let path = written(folder.path(), &falling(shape, BOTH, method));
    let (exit, said) = ran(stiction().args(["run", &path, "--max-memory", "1G"]));
    assert_eq!(exit, 0, "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn memory_that_the_system_does_not_give_is_a_limit_and_no_crash() {
    let folder = tempfile::tempdir().unwrap();
    for (shape, method) in [
        ("lattice = { counts = [140, 140, 140], spacing = 0.1 }", "method = \"symplectic-euler\""),
        (
            "cloth = { counts = [250, 250], spacing = 0.01 }",
            "method = \"implicit-euler\", linear_solver = \"sparse-lu\"",
        ),
    ] {
        let path = written(folder.path(), &falling(shape, BOTH, method));
        let program = env!("CARGO_BIN_EXE_stiction");
        let limited = format!("ulimit -v 400000; exec {program} run {path} --max-memory 16G");
        let (exit, said) = ran(Command::new("sh").args(["-c", &limited]));
        assert_eq!(exit, 9, "{said}");
        assert!(said.contains("of memory, which the system does not give"), "{said}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn frames_do_not_stay_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let shape = "particle = {}";
    let after = |frames: u32| {
        let text = falling(shape, "", "method = \"symplectic-euler\"").replace(
            "end = 3e-4, step = 1e-4, output = 3e-4",
            &format!("end = {}, step = 1e-6, output = 1e-6", 1e-6 * f64::from(frames)),
        );
        let path = written(folder.path(), &text);
        peak(stiction().args(["run", &path]))
    };
    let (few, many) = (after(1000), after(100_000));
    // 340 bytes a frame would be 34 MB
    assert!(many < few + 4e6, "{many} bytes after 100,000 frames, {few} after 1000");
}

/// Whether frames are kept makes no difference to the results.
#[test]
fn runs_without_frames_tell_the_same() {
    for scene in ["sliding_block", "incline_creep", "tipping_box"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenes/{scene}.toml"));
        let text = std::fs::read_to_string(&path).unwrap();
        let options = LoadOptions { set: vec!["time.end=0.2".into()], allow_path: false };
        let scene = load_text(scene, &text, path.parent().unwrap(), &options).unwrap().scene;
        let told = |keep: bool| {
            let mut run = Run::new(&scene, &BuildOptions::default()).unwrap();
            if !keep {
                run.keep_no_frames();
            }
            let outcome = run.finish().unwrap();
            assert_eq!(run.frames.len(), if keep { run.tally.count } else { 0 });
            let fates = format!("{:?}", run.fates());
            (run_json::document(&scene, &run, Some(&outcome), &[]), fates)
        };
        assert_eq!(told(true), told(false));
    }
}
