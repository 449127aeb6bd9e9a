//! Readers to which mutants are given.

use crate::checkpoints::{self, sliding};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use stiction::Expression;
use stiction_core::math::Vector;
use stiction_engines::log_files::read_bytes;
use stiction_lab::experiment::baseline::Baseline;
use stiction_lab::experiment::recording::{Act, Event, Recording};
use stiction_lab::experiment::sweep::folder::{self, Folder, FolderPlan};
use stiction_lab::experiment::sweep::grid::{SweepAxis, SweepGrid};
use stiction_lab::experiment::sweep::job::Attempt;
use stiction_lab::output::folder::growing::Piece;
use stiction_lab::output::folder::journal::{self, Entry};
use stiction_lab::output::folder::manifest::{Manifest, Settings};
use stiction_lab::output::folder::sha256::sha256;
use stiction_lab::run::{Frame, Means, Recorded, Run};
use stiction_scene::LoadOptions;
use stiction_scene::build::{BuildError, BuildOptions};
use stiction_scene::diagnostics::SceneErrors;
use stiction_scene::load::load_bytes;
use stiction_scene::mesh::{MeshError, parse_heights, parse_solid, parse_tets};

/// A reader with files that it takes, from which mutants are made.
pub struct Target {
    /// Its name on the command line.
    pub name: &'static str,
    /// Files to begin with.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Reads a mutant; an error is a good end if it says what is wrong and where.
    pub read: fn(&[u8]) -> Result<(), Refusal>,
}

/// Answer of a reader to a mutant.
pub struct Refusal {
    message: String,
    /// Whether it has a place in the file.
    placed: bool,
}

impl Refusal {
    /// A refusal of a file that has no lines, or whose message says which.
    pub fn of(error: impl std::fmt::Display) -> Refusal {
        Refusal { message: error.to_string(), placed: true }
    }

    /// The reason why this is no good end, if there is one.
    pub fn fault(self) -> Option<String> {
        if self.message.is_empty() {
            return Some("an error without words".into());
        }
        (!self.placed).then(|| format!("an error without a place: {}", self.message))
    }
}

/// All targets.
pub static TARGETS: &[Target] = &[
    Target { name: "scene", seeds: scenes, read: scene },
    Target { name: "world", seeds: worlds, read: world },
    Target { name: "formula", seeds: formulas, read: formula },
    Target { name: "obj", seeds: || meshes("obj"), read: |b| solid("a.obj", b) },
    Target { name: "stl", seeds: || meshes("stl"), read: |b| solid("a.stl", b) },
    Target { name: "ply", seeds: || meshes("ply"), read: |b| solid("a.ply", b) },
    Target { name: "msh", seeds: || meshes("msh"), read: |b| tets("a.msh", b) },
    Target { name: "vtk", seeds: || meshes("vtk"), read: |b| tets("a.vtk", b) },
    Target { name: "checkpoint", seeds: checkpoints::written, read: checkpoints::read },
    Target { name: "journal", seeds: journals, read: journal },
    Target { name: "manifest", seeds: manifests, read: |b| said(Manifest::read(b)) },
    Target { name: "signed-checkpoint", seeds: checkpoints::payloads, read: checkpoints::resumed },
    Target { name: "signed-journal", seeds: entries, read: signed_journal },
    Target { name: "signed-manifest", seeds: bodies, read: signed_manifest },
    Target { name: "signed-plan", seeds: || sealed("sweep.json"), read: plan },
    Target { name: "signed-job", seeds: || sealed("jobs/00001.json"), read: job },
    Target { name: "recording", seeds: recordings, read: recording },
    Target { name: "baseline", seeds: baselines, read: baseline },
    Target { name: "import", seeds: models, read: import },
    Target { name: "creep", seeds: models, read: creep },
    Target { name: "csv", seeds: tables, read: |b| said(read_bytes(b, false, None)) },
    Target { name: "npz", seeds: archives, read: |b| said(read_bytes(b, true, None)) },
    Target { name: "npy", seeds: arrays, read: array },
    Target { name: "heights", seeds: heights, read: |b| of_mesh(parse_heights("a.txt", b)) },
];

pub fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Files of a folder with an ending, in the order of their names.
fn files(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(root(folder)).expect("a folder of the repository");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|p| p.is_file() && p.extension().is_some_and(|e| e == ending)).collect();
    paths.sort();
    paths.into_iter().map(|path| std::fs::read(path).expect("a file")).collect()
}

/// Scenes of the library.
fn scenes() -> Vec<Vec<u8>> {
    files("scenes", "toml")
}

/// Scenes that are small when they are built.
fn worlds() -> Vec<Vec<u8>> {
    let mut small = vec![std::fs::read(root("tests/corpus/base.toml")).expect("the base")];
    let wanted = ["bead_on_ring", "brake", "gripper", "rock_drop", "sliding_block", "tipping_box"];
    for name in wanted {
        small.extend(std::fs::read(root(&format!("scenes/{name}.toml"))));
    }
    small
}

/// Small good meshes.
fn meshes(ending: &str) -> Vec<Vec<u8>> {
    const SMALL: usize = 6000;
    let mut found = Vec::new();
    for folder in ["tests/corpus/meshes", "tests/meshes"] {
        let entries = std::fs::read_dir(root(folder)).expect("a folder of the repository");
        let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
        paths.sort();
        for path in paths {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
            if path.is_file() && name.ends_with(&format!(".{ending}")) {
                found.push(std::fs::read(&path).expect("a file"));
            }
        }
    }
    found.retain(|bytes: &Vec<u8>| bytes.len() < SMALL);
    found.retain(|bytes| match ending {
        "msh" | "vtk" => parse_tets(&format!("a.{ending}"), bytes).is_ok(),
        _ => parse_solid(&format!("a.{ending}"), bytes).is_ok(),
    });
    assert!(!found.is_empty(), "no seeds for .{ending}");
    found
}

fn heights() -> Vec<Vec<u8>> {
    let seeds =
        ["0 1 -2.5\n3 4 5e-1\n", "# ground\n0,1,-2.5\n\n3, 4, 5e-1,\r\n", "0;1\n2;3 # a row\n4;5"];
    seeds.iter().map(|text| text.as_bytes().to_vec()).collect()
}

fn formulas() -> Vec<Vec<u8>> {
    let seeds = [
        "mu_k + (mu_s - mu_k) * exp(-(s / 0.1)^2)",
        "-x^2 + 2^3^2 / (y - 1e-3) * sqrt(abs(z))",
        "min(max(x, y), z) + atan2(y, x) - log(1 + x^2)",
        "sin(2*pi*x) * cos(y) / tan(z + 1) + tanh(x) - sign(y)",
        "((((((((x))))))))",
    ];
    seeds.iter().map(|text| text.as_bytes().to_vec()).collect()
}

fn journals() -> Vec<Vec<u8>> {
    let mut bytes = journal::head(42);
    let mut link = journal::link(&bytes);
    for step in 0..3 {
        let piece = Piece { start: 128, end: 152, crc: step };
        let recorded = Recorded {
            step: u64::from(step),
            frame: Frame { measures: vec![1.0, f64::NAN], ..Frame::default() },
            centers: vec![Vector::zeros()],
            touching: vec![(1, 0)],
        };
        let entry = Entry { recorded, pieces: vec![piece; 5], shown: Vec::new() };
        let record = journal::record(&entry, &link);
        link = journal::link(&record);
        bytes.extend(record);
    }
    vec![bytes]
}

fn journal(bytes: &[u8]) -> Result<(), Refusal> {
    let read = journal::read(bytes);
    let salvaged = journal::salvage(bytes);
    assert!(salvaged.len() >= read.entries.len());
    said(read.damaged_at.map_or(Ok(()), |at| Err(format!("damaged at byte {at}"))))
}

fn manifests() -> Vec<Vec<u8>> {
    let set = vec!["time.end=2".to_string()];
    let settings = Settings { set, verify: Some(Means::STEP), ..Settings::default() };
    vec![Manifest::begin(Path::new("a.toml"), "0".repeat(64), 2.0, settings).text().into_bytes()]
}

/// Bytes of a record before its payload.
const BEFORE: usize = 56;

/// Bytes with the checksum of them all, as others may send them.
pub fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// The payload of a file: all but its head and its checksum.
pub fn payload(bytes: &[u8], head: usize) -> Vec<u8> {
    bytes[head..bytes.len() - 4].to_vec()
}

fn entries() -> Vec<Vec<u8>> {
    // the first of three records of one length
    let journal = journals().remove(0);
    let length = (journal.len() - journal::HEAD) / 3;
    vec![payload(&journal[journal::HEAD..][..length], BEFORE)]
}

/// Another payload in a record whose length, link and checksum are right.
fn signed_journal(payload: &[u8]) -> Result<(), Refusal> {
    let head = journal::head(42);
    let mut record = b"FRAM".to_vec();
    record.extend((payload.len() as u32).to_le_bytes());
    record.extend([0; 16]);
    record.extend(journal::link(&head));
    record.extend(payload);
    journal(&[head, with_checksum(record)].concat())
}

/// The text of a manifest above its checksum, which is a line of 19 bytes.
fn bodies() -> Vec<Vec<u8>> {
    let text = manifests().remove(0);
    vec![text[..text.len() - 19].to_vec()]
}

fn signed_manifest(body: &[u8]) -> Result<(), Refusal> {
    let checksum = format!("# CRC-32: {:08x}\n", crc32fast::hash(body));
    said(Manifest::read(&[body, checksum.as_bytes()].concat()))
}

/// The folder of a sweep, with one job done.
static SWEEP: LazyLock<(tempfile::TempDir, Folder)> = LazyLock::new(|| {
    let home = tempfile::tempdir().expect("a folder");
    let axes = ["a.b=1,2", "c=1..2:log"].map(|text| SweepAxis::parse(text).expect("an axis"));
    let sample = serde_json::from_str(r#"{ "kind": "latin", "count": 3, "seed": 1 }"#);
    let grid = SweepGrid { axes: axes.into(), sample: Some(sample.expect("a sample")) };
    let plan = FolderPlan {
        format: folder::FORMAT,
        stiction: "a".into(),
        scene_sha256: "0".repeat(64),
        set: vec!["time.end=2".into()],
        verify: None,
        accuracy: None,
        jobs: grid.count(),
        grid,
    };
    let sweep = Folder::create(home.path(), plan).expect("a sweep");
    let results = serde_json::json!({ "figures": { "creep": 1e-3 }, "units": { "creep": "m/s" } });
    let results = results.as_object().expect("an object").clone();
    sweep.keep(1, Attempt { results, ..Attempt::default() }).expect("a job");
    (home, sweep)
});

/// The text between the members of a sealed document and its digest.
const MEMBER: &str = ",\n  \"sha256\": \"";

/// A file of the sweep without its digest.
fn sealed(name: &str) -> Vec<Vec<u8>> {
    let text = std::fs::read_to_string(SWEEP.0.path().join(name)).expect("a file of the sweep");
    let (members, _) = text.rsplit_once(MEMBER).expect("a digest");
    vec![format!("{members}\n}}").into_bytes()]
}

/// Writes a document with its right digest.
fn seal(name: &str, text: &[u8]) {
    let members = text.strip_suffix(b"\n}").unwrap_or(text);
    let digest = sha256(&[members, b"\n}"].concat());
    let end = format!("{MEMBER}{digest}\"\n}}\n");
    let path = SWEEP.0.path().join(name);
    std::fs::write(path, [members, end.as_bytes()].concat()).expect("a file");
}

fn plan(text: &[u8]) -> Result<(), Refusal> {
    seal("sweep.json", text);
    said(Folder::open(SWEEP.0.path()))
}

/// The results of another job, or of another sweep, must not be read.
fn job(text: &[u8]) -> Result<(), Refusal> {
    seal("jobs/00001.json", text);
    said(SWEEP.1.outcome(1).ok_or("it is not of this job"))
}

fn recordings() -> Vec<Vec<u8>> {
    let scene = sliding();
    let run = checkpoints::standing(&scene);
    let act = Act::Set { set: vec!["contact.friction.epsilon=1e-3".into()] };
    let event = Event { step: 3, time: 3e-5, act };
    let recording = Recording::new("sliding_block.toml", &scene, &[], &[event], run.simulation());
    vec![recording.text().into_bytes()]
}

fn recording(bytes: &[u8]) -> Result<(), Refusal> {
    said(Recording::parse(&String::from_utf8_lossy(bytes)))
}

const BASELINE: &str = r#"{
  "stiction_baseline": 1,
  "program": "0.1.0",
  "title": "a",
  "tolerances": { "creep": { "relative": 0.1, "absolute": 1e-9 } },
  "rows": [{ "settings": { "integrator": "rk4" }, "status": "completed", "reasons": [], "figures": { "creep": 1e-3 } }]
}"#;

fn baselines() -> Vec<Vec<u8>> {
    vec![BASELINE.as_bytes().to_vec()]
}

fn baseline(bytes: &[u8]) -> Result<(), Refusal> {
    said(Baseline::parse("a.json", &String::from_utf8_lossy(bytes)))
}

const MODEL: &str = r#"<mujoco model="a">
<compiler angle="radian"/><option timestep="0.002" gravity="0.5 0 -9.8" cone="elliptic"/>
<default><geom friction="0.7"/><default class="s"><geom solref="0.01 1" size="0.1"/></default></default>
<worldbody><geom name="floor" type="plane" size="1 1 1" pos="0 0 0" euler="0 0.1 0"/>
<body name="b" pos="0 0 0.1" childclass="s"><freejoint/><geom name="g" type="box" size="0.1 0.2 0.1"/></body>
<body><joint type="hinge" axis="0 1 0"/><geom class="s" quat="1 0 0 0.1" mass="2"/></body></worldbody>
<contact><pair geom1="floor" geom2="g" friction="0.4 0.4"/><exclude body1="b" body2="world"/></contact>
<keyframe><key qpos="0 0 0.1 1 0 0 0 0" qvel="1 0 0 0 0 0 0"/></keyframe>
</mujoco>
"#;

fn models() -> Vec<Vec<u8>> {
    vec![
        MODEL.as_bytes().to_vec(),
        MODEL.replace("<exclude body1=\"b\" body2=\"world\"/>", "").into_bytes(),
    ]
}

/// The scene of a model is one that can be read, or refused with its place.
fn import(bytes: &[u8]) -> Result<(), Refusal> {
    let Ok(xml) = std::str::from_utf8(bytes) else { return Ok(()) };
    let imported = match stiction_scene::mjcf::import(xml) {
        Ok(imported) => imported,
        Err(fault) => {
            let placed = fault.line > 0 && fault.column > 0;
            return Err(Refusal { message: fault.message, placed });
        }
    };
    scene(imported.text.as_bytes())
}

fn creep(bytes: &[u8]) -> Result<(), Refusal> {
    let Ok(xml) = std::str::from_utf8(bytes) else { return Ok(()) };
    let given = serde_json::json!({ "mjcf": xml, "body": "b" });
    said(stiction_engines::creep::document::document("mujoco", &given))
}

fn tables() -> Vec<Vec<u8>> {
    let seeds = [
        "# gravity = 0,0,-9.81\n# step = 0.001\ntime,x,y,z,vx,vy,vz\n0,0,0,1,1,0,0\n0.1,0.1,0,1,1,0,0\n0.2,0.2,0,1,1,0,0\n",
        "record,time,body,mass,x,y,z,nx,ny,nz,normal_force,fx,fy,fz,mu\nbody,0,b,1,0,0,1\ncontact,0,b,,,,,0,0,1,9.8,-1,0,0,0.5\nbody,0.1,b,1,0.1,0,1\ncontact,0.1,b,,,,,0,0,1,9.8,-1,0,0,0.5\n",
    ];
    seeds.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Times, positions and masses, each an array of NumPy.
fn arrays() -> Vec<Vec<u8>> {
    let arrays = [
        ("(3,)", vec![0.0, 0.1, 0.2]),
        ("(3, 1, 3)", vec![0.0, 0.0, 1.0, 0.1, 0.0, 1.0, 0.2, 0.0, 1.0]),
        ("(1,)", vec![1.0]),
    ];
    let bytes = |(shape, numbers): (&str, Vec<f64>)| {
        let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(numbers.into_iter().flat_map(f64::to_le_bytes));
        bytes
    };
    arrays.map(bytes).into()
}

fn archive(arrays: &[Vec<u8>]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in ["time.npy", "position.npy", "mass.npy"].iter().zip(arrays) {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).expect("a file");
        archive.write_all(bytes).expect("written");
    }
    archive.finish().expect("an archive").into_inner()
}

fn archives() -> Vec<Vec<u8>> {
    vec![archive(&arrays())]
}

/// An archive whose positions are other bytes with the right checksum.
fn array(bytes: &[u8]) -> Result<(), Refusal> {
    let mut arrays = arrays();
    arrays[1] = bytes.to_vec();
    said(read_bytes(&archive(&arrays), true, None))
}

fn said<T>(read: Result<T, impl std::fmt::Display>) -> Result<(), Refusal> {
    read.map(drop).map_err(Refusal::of)
}

fn scene(bytes: &[u8]) -> Result<(), Refusal> {
    let loaded = load_bytes("s", bytes, &root("scenes"), &LoadOptions::default());
    loaded.map(drop).map_err(refused)
}

fn refused(errors: SceneErrors) -> Refusal {
    // only what cannot be opened has no place in the text
    let placed = errors.diagnostics.iter().all(|d| d.place.is_some() || !d.elsewhere.is_empty());
    Refusal { message: errors.render(false), placed: placed && errors.count() > 0 }
}

/// Loads and builds, with little memory.
fn world(bytes: &[u8]) -> Result<(), Refusal> {
    let loaded =
        load_bytes("s", bytes, &root("scenes"), &LoadOptions::default()).map_err(refused)?;
    let options = BuildOptions { max_memory: 18 << 20, ..BuildOptions::default() };
    let built: Result<Run, BuildError> = Run::new(&loaded.scene, &options);
    built.map(drop).map_err(|error| refused(error.in_scene(&loaded.scene)))
}

fn formula(bytes: &[u8]) -> Result<(), Refusal> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Ok(()) };
    let constants = BTreeMap::from([("mu_k", 0.3), ("mu_s", 0.4), ("s", 1.5)]);
    let constants = constants.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
    let read = Expression::parse(text, &["x", "y", "z"], &constants);
    // its message says at which character
    let read = read.map_err(|fault| Refusal { message: fault.message, placed: true })?;
    for at in [[0.0; 3], [1.0, -2.0, 0.5], [1e300, -1e-300, f64::MAX]] {
        read.eval(&at);
        read.with_partials([0, 1, 2]).eval(&at);
        read.partial(0).partial(1).eval(&at);
    }
    Ok(())
}

fn of_mesh<T>(read: Result<T, MeshError>) -> Result<(), Refusal> {
    read.map(drop).map_err(|error| Refusal {
        placed: error.place().is_some() && !error.help.is_empty(),
        message: error.message,
    })
}

fn solid(name: &str, bytes: &[u8]) -> Result<(), Refusal> {
    let read = parse_solid(name, bytes);
    if let Ok(mesh) = &read {
        let finite = |v: &Vector| v.iter().all(|x| x.is_finite());
        assert!(mesh.vertices.iter().all(finite) && mesh.triangles.len() >= 4);
    }
    of_mesh(read)
}

fn tets(name: &str, bytes: &[u8]) -> Result<(), Refusal> {
    let read = parse_tets(name, bytes);
    if let Ok(mesh) = &read {
        assert!(!mesh.tets.is_empty() && mesh.volumes().all(|volume| volume > 0.0));
    }
    of_mesh(read)
}
