//! Measures, columns and messages of elastic bodies.

use std::path::Path;
use stiction_lab::output::arrays::measures_csv::columns_of;
use stiction_lab::run::Run;
use stiction_scene::build::{BuildOptions, build};
use stiction_scene::{LoadOptions, Scene, load_text};

/// A block of rubber that flies off, turns at 30 rad/s and widens, and further lines.
fn scene(block: &str, more: &str) -> Result<Scene, String> {
    let spin = if block.contains("spin") { "" } else { "spin = [0, 0, 30]" };
    let text = format!(
        "format = 1
world.gravity = [0, 0, 0]
time = {{ end = 0.01, step = 1e-4, output = 1e-3 }}
integrator.method = \"symplectic-euler\"
materials.rubber = {{ static_friction = 0.5, young = 1e5, poisson = 0.3, density = 1e3, damping.time = 1e-4 }}
[[body]]
name = \"block\"
shape.lattice = {{ counts = [3, 3, 3], spacing = 0.1 }}
{spin}
{block}
{more}"
    );
    let loaded = load_text("block.toml", &text, Path::new("."), &LoadOptions::default());
    loaded.map(|loaded| loaded.scene).map_err(|errors| errors.render(false))
}

fn run(block: &str, more: &str) -> Result<Run, String> {
    let scene = scene(block, more)?;
    let run = Run::new(&scene, &BuildOptions::default());
    run.map_err(|error| error.in_scene(&scene).render(false))
}

fn finished(block: &str, more: &str) -> Run {
    let mut run = run(block, more).unwrap_or_else(|errors| panic!("{errors}"));
    run.finish().expect("nothing is written");
    run
}

const LINEAR: &str = "[materials.other]
static_friction = 0.5
young = 1e5
poisson = 0.3
density = 1e3
model = \"linear\"";

const SPRINGS: &str = "springs.edge.stiffness = 1e4";

#[test]
fn measures_of_springs_and_of_solids_refuse_each_other() {
    let measure =
        |kind: &str| format!("[[measure]]\nname = \"m\"\nkind = \"{kind}\"\nbody = \"block\"");
    let tension = run("", &measure("tension")).err().expect("refused");
    assert!(tension.contains("elastic body") && tension.contains("von-mises"), "{tension}");
    assert!(run(SPRINGS, &measure("tension")).is_ok());
    for kind in ["von-mises", "pressure", "stretch", "compression", "volume-change"] {
        let error = run(SPRINGS, &measure(kind)).err().expect("refused");
        assert!(error.contains(kind) && error.contains("young"), "{error}");
        assert!(run("", &measure(kind)).is_ok(), "{kind}");
    }
}

/// Reasons against a run of a block, by name.
fn reasons(block: &str, more: &str) -> Vec<&'static str> {
    let mut run = run(block, more).unwrap_or_else(|errors| panic!("{errors}"));
    let outcome = run.finish().expect("nothing is written");
    outcome.verdict.reasons.iter().map(|reason| reason.name()).collect()
}

/// The block turns by 17 degrees, to which no law but `linear` objects.
#[test]
fn a_law_without_rotations_that_is_turned_is_not_trusted() {
    for (law, wanted) in
        [("linear", vec!["rotation-too-large"]), ("corotational", vec![]), ("neo-hookean", vec![])]
    {
        let material = LINEAR.replace("linear", law);
        assert_eq!(reasons("material = \"other\"", &material), wanted, "{law}");
    }
    // an eighth of the turn is none
    assert!(reasons("material = \"other\"\nspin = [0, 0, 4]", LINEAR).is_empty());
}

/// A corner is pushed through the block, which opens again under `neo-hookean`: seen though it is over at the end.
#[test]
fn matter_that_is_turned_inside_out_is_not_trusted() {
    let push = |force: f64, until: f64| {
        format!(
            "[[push]]\nbody = \"block\"\nwhere.particles = [0]\nforce = [{force}, {force}, {force}]\nuntil = {until}"
        )
    };
    assert!(reasons("", &push(5.0, 0.008)).is_empty());
    let reasons = reasons("", &push(8000.0, 0.008));
    assert!(reasons.contains(&"inverted-element"), "{reasons:?}");
}

/// The energy that a block stores and dissipates has its name, and is not nothing.
#[test]
fn energy_of_solids_is_called_elastic() {
    let measure = "[[measure]]\nname = \"widest\"\nkind = \"stretch\"\nbody = \"block\"";
    for (block, own, other) in [("", "elastic", "spring"), (SPRINGS, "spring", "elastic")] {
        let run = finished(block, if block.is_empty() { measure } else { "" });
        let columns = columns_of(&run);
        for (prefix, channel) in [("", "energies"), ("dissipated_", "flows")] {
            assert!(columns.contains(&format!("{prefix}{own}")), "{channel}: {columns:?}");
            assert!(!columns.contains(&format!("{prefix}{other}")), "{channel}: {columns:?}");
        }
        let last = run.tally.last.clone().expect("a frame");
        assert!(last.energies.spring > 1e-3, "{}", last.energies.spring);
        if block.is_empty() {
            assert!(last.measures[0] > 1.001 && last.flows.spring > 1e-6, "{last:?}");
        }
    }
}

#[test]
fn no_measure_beside_solids_is_called_elastic() {
    let measure = "[[measure]]\nname = \"elastic\"\nkind = \"speed\"\nbody = \"block\"";
    let error = scene("", measure).expect_err("refused");
    assert!(error.contains("every table of elastic bodies"), "{error}");
}

#[test]
fn a_solid_that_is_too_large_is_counted_by_its_tetrahedra() {
    let options = BuildOptions { max_memory: 1 << 16, ..BuildOptions::default() };
    let scene = scene("", "").unwrap_or_else(|errors| panic!("{errors}"));
    let error = build(&scene, &options).err().expect("refused").to_string();
    assert!(error.contains("27 particles and 48 tetrahedra"), "{error}");
}
