//! Limits of time, memory and disk, and files that are there already.

use super::cli::{ran, stiction};
use assert_cmd::Command;
use std::path::Path;

/// A rope too stiff for its method: its first step takes 20,000 substeps, a minute or more, and then
/// fails.
fn endless(folder: &Path, more: &str) -> String {
    let text = format!(
        "format = 1\n\
         time = {{ end = 1e6, step = 1e6, output = 1e6 }}\n\
         integrator = {{ method = \"rk45\", rtol = 1e-12, atol = 1e-12 }}\n\
         materials.wire.static_friction = 0\n\
         [[body]]\n\
         name = \"rope\"\n\
         material = \"wire\"\n\
         mass = 1\n\
         shape = {{ rope = {{ from = [0, 0, 0], to = [1, 0, 0], segments = 20000 }} }}\n\
         springs = {{ edge = {{ stiffness = 1e9 }} }}\n\
         spin = [0, 0, 100]\n{more}"
    );
    let path = folder.join("endless.toml");
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// A step that cannot end is left, whatever the run does: the limit ends it at its start.
#[test]
fn the_limit_of_wall_time_ends_a_run_inside_its_first_step() {
    let home = tempfile::tempdir().unwrap();
    let (scene, out) = (endless(home.path(), ""), home.path().join("out"));
    let run = ["run", &scene, "--max-wall", "1s", "--format", "json"];
    for more in [&["--out", out.to_str().unwrap()][..], &["--verify"]] {
        let (exit, said, err) = ran(stiction().args(run).args(more));
        assert_eq!(exit, 9, "{err}");
        let document: serde_json::Value = serde_json::from_str(&said).unwrap();
        assert_eq!((&document["status"], &document["steps"]), (&"interrupted".into(), &0.into()));
    }
    assert!(out.join("checkpoints/000000000000.ck").exists());
}

/// The same of a search: no combination is waited for.
#[test]
fn the_limit_of_a_search_ends_a_trial_inside_its_step() {
    let home = tempfile::tempdir().unwrap();
    let contact = "[[collider]]\nname = \"floor\"\nshape = { plane = {} }\n\
        [contact]\nnormal = { law = \"linear\", stiffness = 1e4 }\n\
        friction = { law = \"threshold\", epsilon = 1e-3 }\n";
    let scene = endless(home.path(), contact);
    let search = ["tune", &scene, "--creep", "1e-3", "--max-time", "1", "--integrators", "rk45"];
    let (exit, _, said) =
        ran(stiction().args(search).args(["--steps", "1e6", "--laws", "threshold"]));
    assert_eq!((exit, said.contains("its time does not suffice")), (9, true), "{said}");
}

#[test]
fn results_larger_than_the_disk_are_refused_before_the_run() {
    let home = tempfile::tempdir().unwrap();
    let many = ["scenes/tipping_box.toml", "--step", "1e-9", "--set", "time.end=1e4"];
    let many = [&many[..], &["--set", "time.output=1e-9"]].concat();
    let out = home.path().join("out");
    let (exit, _, said) = ran(stiction().arg("run").args(&many).arg("--out").arg(&out));
    assert_eq!((exit, said.contains("10000000000001 frames")), (9, true), "{said}");
    assert!(said.contains("are free on the disk") && said.contains("PB"), "{said}");
    assert!(!out.exists());
    let (exit, _, said) = ran(stiction().arg("check").args(&many));
    assert_eq!((exit, said.contains("are free on the disk")), (9, true), "{said}");
    // and frames that a plot would keep in memory
    let plot = home.path().join("a.svg");
    let (exit, _, said) = ran(stiction().arg("run").args(&many).arg("--plot").arg(&plot));
    assert_eq!((exit, said.contains("frames stay in memory")), (9, true), "{said}");
    assert!(!plot.exists());
}

/// Bytes of all files of a folder.
fn size(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .map(|path| if path.is_dir() { size(&path) } else { path.metadata().unwrap().len() })
        .sum()
}

/// The numbers of "about 1.2 MB" or "about 1.2 MB to 3.4 MB with --out" \[bytes\].
fn estimate(said: &str) -> (f64, f64) {
    let text = said.split("frames, about ").nth(1).unwrap().split(" with --out").next().unwrap();
    let bytes = |part: &str| {
        let (number, unit) = part.trim().split_once(' ').unwrap();
        let units = [("bytes", 1.0), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9)];
        let (_, size) = units.iter().find(|(name, _)| *name == unit).unwrap();
        number.parse::<f64>().unwrap() * size
    };
    let parts: Vec<f64> = text.split(" to ").map(bytes).collect();
    (parts[0], *parts.last().unwrap())
}

/// The estimate encloses what a run writes, a tenth more or less.
#[test]
fn results_take_the_space_that_check_says() {
    let home = tempfile::tempdir().unwrap();
    let grip = ["scenes/gripper.toml", "--set", "time.end=0.2", "--set", "time.output=0.005"];
    let bead =
        ["scenes/sliding_block.toml", "--set", "time.end=0.2", "--set", "time.output=0.0005"];
    let (contacts, vtu) = ("output.contacts=true", "output.vtu=true");
    let cases: [(&[&str], &[&str]); 5] = [
        (&grip, &[]),
        (&bead, &[]),
        (&grip, &[contacts]),
        (&grip, &[contacts, vtu]),
        (&grip, &[vtu, "output.compressed=true", "output.surface=\"ply\"", "output.every=2"]),
    ];
    for (number, (scene, sets)) in cases.iter().enumerate() {
        let sets = sets.iter().flat_map(|set| ["--set", set]);
        let words: Vec<&str> = scene.iter().copied().chain(sets).collect();
        let out = home.path().join(number.to_string());
        let (exit, _, said) = ran(stiction().arg("check").args(&words));
        assert_eq!(exit, 0, "{said}");
        let (least, most) = estimate(&said);
        assert_eq!(ran(stiction().arg("run").args(&words).arg("--out").arg(&out)).0, 0);
        let taken = size(&out) as f64;
        println!("{words:?}: {least} to {most}, {taken} taken");
        assert!(taken > 0.9 * least && taken < 1.1 * most, "{words:?}: {taken}, {said}");
    }
}

#[test]
fn a_plot_replaces_a_plot_and_no_other_file() {
    let home = tempfile::tempdir().unwrap();
    let short = ["scenes/sliding_block.toml", "--set", "time.end=0.01"];
    for ending in ["svg", "png"] {
        let (plot, out) = (home.path().join(format!("a.{ending}")), home.path().join(ending));
        let run = |more: &[&str]| {
            let (exit, _, said) =
                ran(stiction().arg("run").args(short).args(more).arg("--plot").arg(&plot));
            (exit, said)
        };
        let (exit, said) = run(&[]);
        assert_eq!((exit, said.contains("was replaced")), (0, false), "{said}");
        let (exit, said) = run(&[]);
        assert_eq!((exit, said.contains("an earlier file was replaced")), (0, true), "{said}");
        std::fs::write(&plot, "my own drawing").unwrap();
        let (exit, said) = run(&[]);
        assert_eq!((exit, said.contains("has not drawn it")), (8, true), "{said}");
        assert_eq!(std::fs::read(&plot).unwrap(), b"my own drawing");
        let (exit, said) = run(&["--out", out.to_str().unwrap(), "--force"]);
        assert_eq!((exit, said.contains("was replaced")), (0, true), "{said}");
    }
    let plot = home.path().join("rules.svg");
    let list =
        |more: &[&str]| ran(stiction().args(["list", "pairing", "--plot"]).arg(&plot).args(more)).0;
    assert_eq!((list(&[]), list(&[])), (0, 0));
    std::fs::write(&plot, "my own drawing").unwrap();
    assert_eq!((list(&[]), list(&["--force"])), (8, 0));
}

#[test]
fn an_export_replaces_nothing_without_force() {
    let home = tempfile::tempdir().unwrap();
    let (model, script) = (home.path().join("a.xml"), home.path().join("a.in"));
    for (scene, to, path) in [
        ("scenes/tumbling_plate.toml", "mjcf", &model),
        ("scenes/soft_box_pushed.toml", "lammps", &script),
    ] {
        let export = |more: &[&str]| {
            ran(stiction().args(["export", scene, "--to", to, "-o"]).arg(path).args(more))
        };
        let (exit, _, said) = export(&[]);
        assert_eq!(exit, 0, "{said}");
        std::fs::write(path, "mine").unwrap();
        let (exit, _, said) = export(&[]);
        assert_eq!((exit, said.contains("--force replaces it")), (8, true), "{said}");
        assert_eq!(std::fs::read(path).unwrap(), b"mine");
        assert_eq!(export(&["--force"]).0, 0);
        assert_ne!(std::fs::read(path).unwrap(), b"mine");
    }
}

/// A run in any address space ends well or is refused; below 60 MB the program is not loaded.
#[cfg(target_os = "linux")]
#[test]
fn no_limit_of_the_address_space_aborts_a_run() {
    let program = env!("CARGO_BIN_EXE_stiction");
    let lattice = "scenes/soft_box_pushed.toml --set body.box.mass=1e4 \
        --set 'body.box.shape.lattice.counts=[60, 60, 60]' --set time.end=3e-4 --set time.output=1e-4";
    let mut exits = Vec::new();
    for megabytes in [80, 130, 180, 200, 218, 240, 280, 320, 400] {
        let limited = format!("ulimit -v {megabytes}000; exec {program} run {lattice}");
        let (exit, _, said) = ran(Command::new("sh").args(["-c", &limited]));
        assert!(exit == 0 || exit == 9, "{megabytes} MB: exit {exit}: {said}");
        exits.push(exit);
    }
    assert_eq!((exits[0], exits[8]), (9, 0), "{exits:?}");
}

/// Memory that ends while a text is read, where no estimate is made yet, is a limit too.
#[cfg(target_os = "linux")]
#[test]
fn without_memory_for_reading_a_file_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let scene = home.path().join("wide.toml");
    let measures = "[[measure]]\nname = \"m\"\nformula = \"1\"\n".repeat(100_000);
    std::fs::write(&scene, format!("format = 1\n{measures}")).unwrap();
    let program = env!("CARGO_BIN_EXE_stiction");
    for megabytes in [60, 90, 120, 160] {
        let limited = format!("ulimit -v {megabytes}000; exec {program} check {}", scene.display());
        let (exit, _, said) = ran(Command::new("sh").args(["-c", &limited]));
        assert!(exit == 9 && !said.contains("bug"), "{megabytes} MB: {exit}: {said}");
    }
}

/// The exit code of a command in a folder, and its messages.
fn said_in(folder: &Path, command: &[&str]) -> (i32, String) {
    let (exit, _, said) = ran(stiction().args(command).current_dir(folder));
    (exit, said)
}

#[test]
fn notes_are_counted_beyond_the_first_of_a_kind() {
    let home = tempfile::tempdir().unwrap();
    let mut text = String::from("format = 1\ntime = { end = 1e-4, step = 1e-4, output = 1e-4 }\n");
    text += "integrator = { method = \"symplectic-euler\" }\nmaterials.m.static_friction = 0\n";
    for k in 0..60 {
        text += &format!(
            "[materials.unused{k}]\nstatic_friction = 0\n[[body]]\nname = \"b{k}\"\nmaterial = \"m\"\nmass = 1\n\
             shape = {{ lattice = {{ counts = [2, 2, 2], spacing = 0.1 }} }}\nrigid = true\n\
             springs = {{ edge = {{ stiffness = 1e3 }} }}\nposition = [{k}, 0, 0]\n"
        );
    }
    std::fs::write(home.path().join("many.toml"), text).unwrap();
    let (exit, said) = said_in(home.path(), &["check", "many.toml"]);
    assert_eq!(exit, 0, "{said}");
    assert_eq!(said.matches("its springs are not built").count(), 20, "{said}");
    assert!(said.contains("note: ... and 40 more of them"), "{said}");
    assert_eq!(said.matches("warning[W401]").count(), 20, "{said}");
    assert!(said.contains("... and at least 40 more warnings"), "{said}");
}

#[test]
fn an_import_prints_the_first_parts_left_out_and_their_number() {
    let home = tempfile::tempdir().unwrap();
    let mut model = String::from(
        "<mujoco><worldbody><geom type=\"plane\" size=\"1 1 1\"/>\n\
         <body pos=\"0 0 1\"><freejoint/><geom type=\"sphere\" size=\"0.1\"/>\n",
    );
    let long = "x".repeat(1000);
    (0..50).for_each(|k| model += &format!("<geom name=\"{long}{k}\" size=\"0.1\"/>\n"));
    let unread: String = (0..100).map(|k| format!(" a{k}=\"1\"")).collect();
    model += &format!("</body></worldbody><option{unread}/></mujoco>");
    std::fs::write(home.path().join("a.xml"), model).unwrap();
    let (exit, said) = said_in(home.path(), &["import", "a.xml", "-o", "a.toml"]);
    assert_eq!(exit, 0, "{said}");
    assert_eq!(said.matches("left out: a.xml:").count(), 20, "{said}");
    assert!(said.contains("left out: and 31 more, which the scene lists"), "{said}");
    let scene = std::fs::read_to_string(home.path().join("a.toml")).unwrap();
    assert!(scene.contains("`a19`, and 80 more without a counterpart"), "{scene}");
    assert_eq!(scene.matches("# left out: ").count(), 51);
    assert!(said.lines().chain(scene.lines()).all(|line| line.len() < 500));
}

#[test]
fn a_fill_with_too_many_springs_is_a_limit() {
    let scene = ["check", "scenes/wedge_on_stairs.toml", "--set"];
    let body = "body.wedge.shape.file.spacing=0.0007";
    let (exit, _, said) = ran(stiction().args(scene).arg(body));
    let words = said.contains("springs in the surface; at most 4e6 are made");
    assert_eq!((exit, words), (9, true), "{said}");
}

/// Fills are made before the memory of the scene is known.
#[test]
fn fills_that_together_have_too_many_springs_are_a_limit() {
    let home = tempfile::tempdir().unwrap();
    let corners: String = (0..8)
        .map(|k| format!("v {} {} {}\n", k & 1, k >> 1 & 1, k >> 2))
        .chain(["f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n".to_string()])
        .collect();
    std::fs::write(home.path().join("cube.obj"), corners).unwrap();
    let body = |k: u32| {
        format!(
            "[[body]]\nname = \"b{k}\"\nmass = 1\nposition = [{k}, 0, 0]\n\
             shape.file = {{ path = \"cube.obj\", fill = \"lattice\", spacing = 0.02 }}\n\
             springs.edge.stiffness = 1e3\n"
        )
    };
    let head = "format = 1\ntime = { end = 1e-4, step = 1e-4, output = 1e-4 }\n\
                integrator.method = \"symplectic-euler\"\nmaterials.m.static_friction = 0\n";
    let scene = |count: u32| (0..count).map(body).fold(head.to_string(), |all, body| all + &body);
    for (count, exit) in [(1, 0), (4, 9)] {
        std::fs::write(home.path().join("a.toml"), scene(count)).unwrap();
        let (found, said) = said_in(home.path(), &["check", "a.toml"]);
        assert_eq!(found, exit, "{said}");
        assert_eq!(exit == 9, said.contains("the fills of the scene have"), "{said}");
    }
}
