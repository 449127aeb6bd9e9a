//! Sweeps: the same files whoever runs them and however often they are interrupted.

use crate::support::tools::python;
#[cfg(unix)]
use crate::support::wait::until;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use stiction_lab::experiment::base::Base;
use stiction_lab::experiment::sweep::folder::FolderPlan;
use stiction_lab::experiment::sweep::grid::{SweepAxis, SweepGrid};
use tempfile::TempDir;

/// A sweep of a hundred short jobs, all of which complete.
const HUNDRED: [&str; 9] = [
    "scenes/incline_creep.toml",
    "--step",
    "1e-4",
    "--set",
    "time.end=0.1",
    "--vary",
    "contact.friction.epsilon=1e-5..1e-1:log:25",
    "--vary",
    "integrator.method=rk4,heun,midpoint,symplectic-euler",
];

/// A sweep of six jobs, of which four fail: two runs blow up, two scenes are refused.
pub const FAILING: [&str; 9] = [
    "scenes/sliding_box.toml",
    "--step",
    "1e-4",
    "--set",
    "time.end=0.02",
    "--vary",
    "body.box.springs.edge.stiffness=2e5,1e9,-1",
    "--vary",
    "contact.friction.epsilon=1e-3,1e-2",
];

pub fn stiction() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("NO_COLOR", "1");
    for name in ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"] {
        command.env_remove(name);
    }
    command
}

/// Runs and returns (exit code, stdout, stderr).
pub fn ran(command: &mut Command) -> (i32, String, String) {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Sweeps into a folder with further arguments.
pub fn sweep(arguments: &[&str], out: &Path, more: &[&str]) -> (i32, String, String) {
    ran(stiction().arg("sweep").args(arguments).arg("--out").arg(out).args(more))
}

/// Everything that must be the same: `sweep.json` and all in `jobs`, and nothing half-written.
fn files(out: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for folder in [PathBuf::from(out), out.join("jobs")] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                found.insert(name, std::fs::read(path).unwrap());
            }
        }
    }
    let cpu = std::fs::read_dir(out.join("cpu")).unwrap();
    let half: Vec<_> = cpu
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .chain(found.keys().cloned())
        .filter(|name| name.ends_with(".tmp"))
        .collect();
    assert!(half.is_empty(), "half-written files are left: {half:?}");
    found
}

fn job(out: &Path, number: usize) -> serde_json::Value {
    let text = std::fs::read(out.join(format!("jobs/{number:05}.json"))).unwrap();
    serde_json::from_slice(&text).unwrap()
}

/// An undisturbed sweep of a hundred jobs on one thread.
fn calm(folder: &TempDir) -> BTreeMap<String, Vec<u8>> {
    let out = folder.path().join("calm");
    let (exit, _, err) = sweep(&HUNDRED, &out, &["--jobs", "1"]);
    assert_eq!(exit, 0, "{err}");
    let files = files(&out);
    assert_eq!(files.len(), 101);
    files
}

#[test]
fn files_depend_on_nothing_but_the_sweep() {
    let folder = tempfile::tempdir().unwrap();
    let calm = calm(&folder);

    let two = folder.path().join("two");
    assert_eq!(sweep(&HUNDRED, &two, &["--jobs", "2"]).0, 0);
    assert!(files(&two) == calm, "two threads make other bytes than one");
    // the scene has a measure of its own that is called like a figure of every trial
    let job = job(&two, 99);
    assert_eq!(job["figures"]["creep"], job["creep"][0]["measured"]);
    assert_eq!(job["figures"]["measure_creep"], job["last_frame"]["creep"]);
    assert_ne!(job["figures"]["creep"], job["figures"]["measure_creep"]);

    // three processes share a folder; the scene goes by another path
    let shards = folder.path().join("shards");
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join(HUNDRED[0]);
    let mut arguments = HUNDRED;
    arguments[0] = scene.to_str().unwrap();
    for shard in ["2/3", "0/3", "1/3"] {
        let (exit, _, err) = sweep(&arguments, &shards, &["--shard", shard]);
        assert_eq!(exit, 0, "{err}");
    }
    assert!(files(&shards) == calm, "three shards make other bytes than one process");

    // and single jobs, as a driver would ask for them
    std::fs::remove_file(shards.join("jobs/00017.json")).unwrap();
    std::fs::write(shards.join("jobs/00018.json"), "{ \"job\": 18").unwrap();
    assert_eq!(sweep(&arguments, &shards, &["--only", "17,18"]).0, 0);
    assert!(files(&shards) == calm);
}

#[cfg(unix)]
#[test]
fn a_sweep_that_is_killed_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let calm = calm(&folder);
    let out = folder.path().join("killed");
    let whole = |entry: &std::fs::DirEntry| entry.path().extension().is_some_and(|e| e == "json");
    let done = || {
        let jobs = std::fs::read_dir(out.join("jobs")).into_iter().flatten().flatten();
        jobs.filter(whole).count()
    };
    let mut before = 0;
    for kill in 0..12u64 {
        let mut process = stiction()
            .arg("sweep")
            .args(HUNDRED)
            .arg("--out")
            .arg(&out)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        until("three more jobs are done", || {
            done() >= before + 3 || process.try_wait().unwrap().is_some()
        });
        // a moment by chance, wherever the process is by then: what follows holds for every one
        std::thread::sleep(Duration::from_micros(kill * 977 % 5000));
        process.kill().unwrap();
        process.wait().unwrap();
        assert!(done() >= before, "finished jobs were lost");
        before = done();
    }
    // asked to stop, it says so, unless it was done by then
    let mut process = stiction();
    let mut process = process.arg("sweep").args(HUNDRED).arg("--out").arg(&out).spawn().unwrap();
    until("two more jobs are done", || {
        done() >= before + 2 || process.try_wait().unwrap().is_some()
    });
    let pid = process.id().to_string();
    Command::new("kill").args(["-TERM", &pid]).status().unwrap();
    let code = process.wait().unwrap().code();
    assert!(code == Some(143) || code == Some(0) && done() == 100, "{code:?}, {} done", done());
    // files that a killed process may leave
    std::fs::write(out.join("jobs/00099.json.0123456789abcdef.tmp"), "{ \"jo").unwrap();
    std::fs::write(out.join("cpu/00003.0123456789abcdef.tmp"), "").unwrap();
    let (exit, _, err) = sweep(&HUNDRED, &out, &[]);
    assert_eq!(exit, 0, "{err}");
    assert!(err.contains("done already"), "{err}");
    assert!(files(&out) == calm, "the files differ from those of a sweep nobody disturbed");
}

#[test]
fn failed_jobs_do_not_stop_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let (exit, _, err) = sweep(&FAILING, &out, &[]);
    assert_eq!(exit, 10, "{err}");
    assert!(err.contains("6 jobs done, 4 of them failed"), "{err}");
    assert!(err.contains("job 2: body.box.springs.edge.stiffness=1e9"), "{err}");
    for number in 0..6 {
        let job = job(&out, number);
        let failed = number >= 2;
        assert_eq!(job["status"], if failed { "failed" } else { "completed" }, "{job}");
        assert_eq!(job["message"].is_string(), failed, "{job}");
        assert_eq!(job["trust"]["trusted"].is_boolean(), number < 4, "{job}");
    }
    assert!(job(&out, 4)["message"].as_str().unwrap().contains("stiffness"), "the key is named");

    // failures stay failures, unless asked for again
    let cpu = out.join("cpu/00002");
    let untouched = format!("1234.5\n# CRC-32: {:08x}\n", crc32fast::hash(b"2: 1234.5"));
    std::fs::write(&cpu, &untouched).unwrap();
    let before = files(&out);
    let (exit, _, err) = sweep(&FAILING, &out, &[]);
    assert_eq!(exit, 10);
    assert!(err.contains("6 of 6 jobs are done already"), "{err}");
    assert_eq!(std::fs::read_to_string(&cpu).unwrap(), untouched);
    let (exit, _, err) = sweep(&FAILING, &out, &["--retry"]);
    assert_eq!(exit, 10);
    assert!(err.contains("2 of 6 jobs are done already"), "{err}");
    assert_ne!(std::fs::read_to_string(&cpu).unwrap(), untouched);
    assert!(files(&out) == before);
}

#[test]
fn a_folder_of_something_else_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    assert_eq!(sweep(&FAILING, &out, &["--only", "0"]).0, 0);
    let before = files(&out);
    let scene = folder.path().join("scene.toml");
    let text = std::fs::read_to_string(FAILING[0]).unwrap();
    std::fs::write(&scene, text.replacen("mass = 10.0", "mass = 20.0", 1)).unwrap();
    for (place, with, says) in [
        (0, scene.to_str().unwrap(), "the scene, a file it includes or a mesh has other bytes"),
        (2, "2e-4", "--set: "),
        (6, "body.box.springs.edge.stiffness=2e5,1e6,-1", "2e5,1e9,-1 there, 2e5,1e6,-1 here"),
        (6, "contact.normal.damping=1,2", "keys: body.box.springs.edge.stiffness"),
    ] {
        let mut other = FAILING;
        other[place] = with;
        let (exit, _, err) = sweep(&other, &out, &[]);
        assert_eq!(exit, 8, "{err}");
        assert!(err.contains("another sweep") && err.contains(says), "{says}: {err}");
    }
    assert!(files(&out) == before, "a refused folder was touched");

    let foreign = folder.path().join("foreign");
    std::fs::create_dir(&foreign).unwrap();
    std::fs::write(foreign.join("letter.txt"), "dear").unwrap();
    let (exit, _, err) = sweep(&FAILING, &foreign, &[]);
    assert_eq!(exit, 8, "{err}");
    assert_eq!(std::fs::read_dir(&foreign).unwrap().count(), 1);
}

/// A file of any job that has changed makes another sweep, whether its path is the value of an axis or a part of one.
#[test]
fn a_mesh_of_a_later_job_that_has_changed_makes_another_sweep() {
    let meshes = |folder: &Path, height: f64| {
        let text = std::fs::read_to_string("tests/meshes/brick.obj").unwrap();
        std::fs::write(folder.join("a.obj"), &text).unwrap();
        std::fs::write(folder.join("b.obj"), format!("{text}# {height} m\n")).unwrap();
    };
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("scene.toml");
    let block = std::fs::read_to_string("scenes/sliding_block.toml").unwrap();
    let collider = "[[collider]]\nname = \"brick\"\nmaterial = \"wood\"\nshape = { mesh = { path = \"a.obj\" } }\n";
    std::fs::write(&scene, format!("{block}\n{collider}")).unwrap();
    for (number, vary) in [
        "collider.brick.shape.mesh.path=a.obj,b.obj",
        "collider.brick.shape.mesh.\"path\"=a.obj,b.obj",
        "collider.brick.shape={mesh={path=\"a.obj\"}},{mesh={path=\"b.obj\"}}",
        "collider.brick.shape={mesh.path='a.obj'},{mesh.path='b.obj'}",
        "collider.brick={name=\"brick\",material=\"wood\",shape={mesh={path=\"a.obj\"}}},{name=\"brick\",material=\"wood\",shape={mesh={path=\"b.obj\"}}}",
        "collider=[{name=\"brick\",material=\"wood\",shape={mesh={path=\"a.obj\"}}}],[{name=\"brick\",material=\"wood\",shape={mesh={path=\"b.obj\"}}}]",
    ]
    .iter()
    .enumerate()
    {
        meshes(folder.path(), 1.0);
        let out = folder.path().join(format!("out{number}"));
        let arguments = [scene.to_str().unwrap(), "--set", "time.end=0.01", "--vary", vary];
        let (exit, _, err) = sweep(&arguments, &out, &[]);
        assert_eq!(exit, 0, "{vary}: {err}");
        let (exit, _, err) = sweep(&arguments, &out, &[]);
        assert!(exit == 0 && err.contains("2 of 2 jobs are done already"), "{vary}: {err}");
        meshes(folder.path(), 2.0);
        let (exit, _, err) = sweep(&arguments, &out, &[]);
        assert!(exit == 8 && err.contains("a mesh has other bytes"), "{vary}: {exit} {err}");
    }
}

/// A mesh of a later job that changes, is lost or comes back while jobs run is seen.
#[test]
fn a_mesh_that_changes_while_jobs_run_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string("tests/meshes/brick.obj").unwrap();
    let write = |name: &str, more: &str| {
        std::fs::write(folder.path().join(name), format!("{text}{more}")).unwrap();
    };
    write("a.obj", "");
    write("b.obj", "# 1 m\n");
    let block = std::fs::read_to_string("scenes/sliding_block.toml").unwrap();
    let collider = "[[collider]]\nname = \"brick\"\nmaterial = \"wood\"\nshape = { mesh = { path = \"a.obj\" } }\n";
    let scene = format!("{block}\n{collider}");
    let mut base = Base::bytes("scene.toml", scene.as_bytes(), folder.path());
    base.allow_path = true;
    let axis = SweepAxis::parse("collider.brick.shape.mesh.path=a.obj,b.obj").unwrap();
    let plan = FolderPlan::of(&base, SweepGrid::new(vec![axis], None, 10).unwrap()).unwrap();
    let unchanged = plan.watch_inputs(&base);
    assert!(unchanged());
    write("b.obj", "# 2 m\n");
    assert!(!unchanged());
    write("b.obj", "# 1 m\n");
    assert!(unchanged());
    std::fs::remove_file(folder.path().join("b.obj")).unwrap();
    assert!(!unchanged());
}

#[test]
fn what_is_wrong_is_found_before_anything_runs() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let scene = "scenes/incline_creep.toml";
    for (arguments, code, says) in [
        (&[scene, "--vary", "contact.friction.epsilom=1,2"][..], 3, "epsilon"),
        (&[scene, "--vary", "time.step="], 2, "empty"),
        (&[scene, "--vary", "time.step=1e-5,1e-4", "--vary", "time.step=1e-3"], 2, "twice"),
        (&[scene, "--vary", "time.step=1e-5,1e-4", "--step", "1e-3"], 2, "set or varied too"),
        (
            &[scene, "--vary", "body.0.mass=1,2", "--vary", "body.block.mass=3,4"],
            2,
            "set or varied too",
        ),
        (
            &[
                scene,
                "--vary",
                "contact.friction.epsilon=1e-3,2e-3",
                "--vary",
                "contact.friction={law=\"threshold\",epsilon=1e-2},{law=\"cubic\",epsilon=1e-2}",
            ],
            2,
            "set or varied too",
        ),
        (&[scene, "--vary", "time.step=1e-5,1e-05"], 2, "twice"),
        (&[scene, "--vary", "time.end=1..2"], 2, "--sample latin"),
        (
            &[scene, "--vary", "time.step=1e-6..1e-5:40000", "--vary", "time.end=1..2:40000"],
            9,
            "1600000000 jobs",
        ),
        (&[scene, "--vary", "time.end=1,2", "--shard", "auto"], 2, "SLURM_ARRAY_TASK_ID"),
        (&[scene, "--vary", "time.end=1,2", "--only", "2"], 2, "no job 2"),
        (&[scene], 2, "--vary"),
    ] {
        let (exit, _, err) = sweep(arguments, &out, &[]);
        assert_eq!(exit, code, "{arguments:?}: {err}");
        assert!(err.contains(says), "{arguments:?}: {err}");
        assert!(!out.exists(), "{arguments:?} left something");
    }
}

#[test]
fn jobs_are_listed_and_shared_out() {
    let list = |more: &[&str], environment: &[(&str, &str)]| {
        let mut command = stiction();
        command.arg("sweep").args(HUNDRED).arg("--list").args(more);
        let (exit, out, err) = ran(command.envs(environment.iter().copied()));
        assert_eq!(exit, 0, "{err}");
        out
    };
    let all = list(&[], &[]);
    assert_eq!(all.lines().count(), 100);
    assert!(all.starts_with("0\tcontact.friction.epsilon=1e-5\tintegrator.method=rk4\n"), "{all}");
    let task = [
        ("SLURM_ARRAY_TASK_ID", "2"),
        ("SLURM_ARRAY_TASK_MIN", "1"),
        ("SLURM_ARRAY_TASK_COUNT", "50"),
    ];
    let share = list(&["--shard", "auto"], &task);
    let numbers: Vec<&str> = share.lines().filter_map(|line| line.split('\t').next()).collect();
    assert_eq!(numbers, ["1", "51"]);
    let pod = [("JOB_COMPLETION_INDEX", "3")];
    assert_eq!(list(&["--shard", "auto/25"], &pod), list(&["--shard", "3/25"], &[]));
}

#[test]
fn results_are_collected_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    assert_eq!(sweep(&FAILING, &out, &["--only", "0,1,2,4"]).0, 10);
    let verb =
        |verb: &str, more: &[&str]| ran(stiction().args(["sweep", verb]).arg(&out).args(more));

    let (exit, text, err) = verb("collect", &[]);
    assert_eq!(exit, 0, "{err}");
    assert!(err.contains("2 of 6 jobs have no result yet: 3, 5"), "{err}");
    let mut table = csv::Reader::from_reader(text.as_bytes());
    let header = table.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|known| known == name).expect(name);
    let rows: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    let cells = |name: &str| -> Vec<String> {
        rows.iter().map(|row| row[column(name)].to_string()).collect()
    };
    assert_eq!(cells("job"), ["0", "1", "2", "3", "4", "5"]);
    assert_eq!(
        cells("status"),
        ["completed", "completed", "failed", "missing", "failed", "missing"]
    );
    assert_eq!(cells("body.box.springs.edge.stiffness")[2], "1000000000");
    // the table holds the very numbers of the files
    let penetration: f64 = cells("penetration")[1].parse().unwrap();
    assert_eq!(Some(penetration), job(&out, 1)["figures"]["penetration"].as_f64());
    // at least the static one, m g/(7 k)
    assert!(penetration > 7e-5, "{penetration}");

    let parquet = folder.path().join("table.parquet");
    assert_eq!(verb("collect", &["-o", parquet.to_str().unwrap()]).0, 0);
    let bytes = std::fs::read(&parquet).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));

    let (epsilon, stiffness) = ("contact.friction.epsilon", "body.box.springs.edge.stiffness");
    let svg = folder.path().join("map.svg");
    let to = svg.to_str().unwrap();
    let (exit, _, err) =
        verb("plot", &["--x", epsilon, "--y", stiffness, "--value", "penetration", "-o", to]);
    assert_eq!(exit, 0, "{err}");
    let drawn = std::fs::read_to_string(&svg).unwrap();
    for part in ["penetration over ε", "penetration [10⁻⁴ m]", "failed"] {
        assert!(drawn.contains(part), "no {part}");
    }
    let held = format!("{stiffness}=2e5");
    let lines = ["--x", epsilon, "--value", "penetration", "--where", &held, "-o", to];
    assert_eq!(verb("plot", &lines).0, 0);
    for (arguments, says) in [
        (["--x", epsilon, "--value", "creep", "-o", to], "hold it with --where"),
        (["--x", "time.end", "--value", "creep", "-o", to], "not varied"),
        (["--x", epsilon, "--value", "crep", "-o", to], "no number `crep`"),
        (["--x", epsilon, "--value", "creep", "-o", "map.gif"], ".svg, .png or .pdf"),
        (["--x", epsilon, "--y", "penetration", "-o", to], "--value penetration names"),
        (["--x", epsilon, "--by", stiffness, "-o", to], "--value NAME names"),
    ] {
        let (exit, _, err) = verb("plot", &arguments);
        assert_eq!(exit, 2, "{err}");
        assert!(err.contains(says), "{says}: {err}");
    }
}

#[test]
fn sampled_keys_are_drawn_as_points() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let (epsilon, stiffness) = ("contact.friction.epsilon", "contact.normal.stiffness");
    let vary = [format!("{epsilon}=1e-3..1e-1:log"), format!("{stiffness}=1e5..1e6")];
    let mut arguments = HUNDRED;
    (arguments[6], arguments[7]) = (&vary[0], "--vary");
    arguments[8] = &vary[1];
    let sample = ["--sample", "latin", "--samples", "8", "--seed", "3"];
    let (exit, _, err) = sweep(&arguments, &out, &sample);
    assert_eq!(exit, 0, "{err}");
    // every slice of the range of the second key has one job
    let mut slices: Vec<usize> = (0..8)
        .map(|number| {
            let value = &job(&out, number)["settings"][1][1];
            let stiffness: f64 = value.as_str().unwrap().parse().unwrap();
            ((stiffness - 1e5) / 9e5 * 8.0) as usize
        })
        .collect();
    slices.sort_unstable();
    assert_eq!(slices, [0, 1, 2, 3, 4, 5, 6, 7]);
    let (exit, _, err) = sweep(&arguments, &out, &["--sample", "latin", "--samples", "8"]);
    assert_eq!(exit, 8, "another seed is another sweep: {err}");

    let svg = folder.path().join("points.svg");
    let plot = |more: &[&str]| {
        let mut command = stiction();
        command.args(["sweep", "plot"]).arg(&out).args(["--value", "law_creep", "-o"]);
        ran(command.arg(&svg).args(more))
    };
    assert_eq!(plot(&["--x", epsilon]).0, 0);
    // a symbol is a line that ends where it begins
    let drawn = std::fs::read_to_string(&svg).unwrap();
    let closed = drawn.split("points=\"").skip(1).filter(|rest| {
        let places: Vec<&str> = rest.split('"').next().unwrap().split_whitespace().collect();
        places.len() > 8 && places.first() == places.last()
    });
    assert_eq!(closed.count(), 8);
    let (exit, _, err) = plot(&["--x", epsilon, "--y", stiffness]);
    assert!(exit == 2 && err.contains("was sampled"), "{err}");
}

/// Needs a Python with `dask.distributed`, named by `STICTION_PYTHON`.
#[test]
fn a_dask_cluster_makes_the_same_files() {
    let Some(python) = python("dask.distributed") else { return };
    let folder = tempfile::tempdir().unwrap();
    let calm = calm(&folder);
    let out = folder.path().join("dask");
    let mut driver = Command::new(python);
    driver.current_dir(env!("CARGO_MANIFEST_DIR")).arg("examples/cluster/dask_sweep.py");
    driver.args(["--stiction", env!("CARGO_BIN_EXE_stiction"), "--workers", "2"]);
    driver.args(["--shards", "10", "--"]).args(HUNDRED).arg("--out").arg(&out);
    let (exit, _, err) = ran(&mut driver);
    assert_eq!(exit, 0, "{err}");
    assert!(files(&out) == calm, "a cluster makes other bytes than one process");
}
