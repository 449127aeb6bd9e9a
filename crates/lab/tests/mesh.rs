//! The error of a run by the mesh of its elastic bodies: `--verify=mesh`.

use std::path::Path;
use stiction_core::math::Vector;
use stiction_lab::run::cause::Cause;
use stiction_lab::run::outcome::Outcome;
use stiction_lab::run::verification::CauseBars;
use stiction_lab::run::{Means, Run, Verification};
use stiction_scene::build::{BuildOptions, Built, build};
use stiction_scene::{LoadOptions, Scene, load_text};

const YOUNG: f64 = 1e5;
const DENSITY: f64 = 1e3;
const GRAVITY: f64 = 9.81e-4;

const STATIC: &str = "time = { end = 80, step = 0.2, output = 4 }\nintegrator.method = \"sdirk2\"";

/// A scene of one elastic body without gravity, with further text.
fn scene(time: &str, material: &str, body: &str, more: &str) -> Scene {
    let text = format!(
        "format = 1\n{time}\nworld.gravity = [0, 0, 0]\n\
         [materials.rubber]\nstatic_friction = 0.5\ndensity = {DENSITY}\nyoung = {YOUNG}\n{material}\n\
         [[body]]\nname = \"bar\"\n{body}\n{more}\n"
    );
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let loaded = load_text("bar.toml", &text, &folder, &LoadOptions::default());
    loaded.unwrap_or_else(|errors| panic!("{}", errors.render(false))).scene
}

fn outcome(scene: &Scene, means: Means) -> Outcome {
    let mut run = Run::new(scene, &BuildOptions::default()).expect("a run");
    run.verify(means, Box::new(|scene| build(scene, &BuildOptions::default())));
    run.finish().expect("it runs")
}

fn verified(scene: &Scene, means: Means) -> Verification {
    outcome(scene, means).verification.expect("it is verified")
}

fn mesh(of: &Verification) -> &CauseBars {
    of.causes.iter().find(|by| by.cause == Cause::Mesh).expect("the mesh was asked for")
}

fn value(of: &Verification, column: &str) -> f64 {
    let found = of.measures.iter().find(|measure| measure.columns[0] == column);
    found.expect("a measure").ends[0][0]
}

/// A bar along an axis, clamped at one end and bent or drawn by gravity.
fn clamped(counts: [u32; 3], spacing: f64, poisson: f64, gravity: [f64; 3]) -> Scene {
    let length = spacing * f64::from(counts[2] - 1);
    let mut made = scene(
        STATIC,
        &format!("poisson = {poisson}\nmodel = \"corotational\"\ndamping.mass = 6"),
        &format!("shape.lattice = {{ counts = {counts:?}, spacing = {spacing} }}"),
        &format!(
            "[[pin]]\nbody = \"bar\"\nwhere.box = {{ min = [-1, -1, {}], max = [1, 1, 1] }}\n\
             [[measure]]\nname = \"end\"\nkind = \"displacement\"\nbody = \"bar\"\n\
             where.box = {{ min = [-1, -1, -1], max = [1, 1, 1e-6] }}\ndirection = {gravity:?}",
            length - 1e-6
        ),
    );
    made.gravity = Vector::from(gravity);
    made
}

/// A hanging bar is ρ g L²/(2 E) longer, which the bar of time alone does not reach and the sum does.
#[test]
fn the_elongation_of_a_hanging_bar_lies_within_time_and_mesh() {
    let of = verified(&clamped([2, 2, 6], 0.1, 0.0, [0.0, 0.0, -GRAVITY]), Means::MESH);
    let truth = DENSITY * GRAVITY * 0.25 / (2.0 * YOUNG);
    let off = (value(&of, "end") - truth).abs();
    let by = mesh(&of);
    let (share, sum) = (by.error("end").expect("known"), of.sum_of_causes("end").expect("known"));
    let time = sum - share;
    assert!(
        off > time && off <= sum && sum < 5.0 * off,
        "off {off:e}, time {time:e}, mesh {share:e}"
    );
    assert_eq!((by.runs.len(), by.runs[0].factor, by.runs[0].step), (1, 0.5, 0.2));
    assert_eq!(by.note.as_deref(), Some("order 2 assumed"));
    let (bar, _) = by.find("end").expect("a measure");
    assert_eq!((bar.bar.order, bar.bar.safety), (None, Some(3.0)));
    let edge = by.parameter.as_ref().and_then(|(_, edge)| *edge).expect("an edge");
    assert!((0.1..0.18).contains(&edge) && by.runs[0].value == 0.5 * edge, "{edge}");
}

/// The tip of a cantilever sinks by ρ g A L⁴/(8 E I) + ρ g L²/(2 κ G), κ = 5/6.
#[test]
fn the_tip_of_a_cantilever_lies_within_time_and_mesh() {
    let (height, length) = (0.2f64, 0.8f64);
    let of = verified(&clamped([4, 4, 13], height / 3.0, 0.0, [GRAVITY, 0.0, 0.0]), Means::MESH);
    let weight = DENSITY * GRAVITY;
    let bending =
        weight * length * length * length * length * 12.0 / (8.0 * YOUNG * height * height);
    let truth = bending + weight * length * length * 2.0 * 1.2 / (2.0 * YOUNG);
    let off = (value(&of, "end") - truth).abs();
    let sum = of.sum_of_causes("end").expect("known");
    assert!(off > 0.1 * truth && off <= sum && sum < 5.0 * off, "{off:e} of {truth:e}: {sum:e}");
}

/// A bar of one cell over its height is several times too stiff: where the finer mesh was run, the verdict says so, and
/// no step is advised; where it was not, a note says that it was not.
#[test]
fn a_mesh_that_is_too_coarse_is_not_trusted() {
    let bar = |counts, spacing, gravity| clamped(counts, spacing, 0.0, gravity);
    let across = [GRAVITY, 0.0, 0.0];
    for (scene, too_coarse) in
        [(bar([2, 2, 9], 0.1, across), true), (bar([2, 2, 9], 0.1, [0.0, 0.0, -GRAVITY]), false)]
    {
        let by_step = outcome(&scene, Means::STEP);
        assert!(by_step.verdict.trusted(), "{}", by_step.verdict.marks());
        let notes = by_step.verification.expect("verified").notes;
        assert!(notes.iter().any(|note| note.contains("--verify=mesh")), "{notes:?}");
        let by_mesh = outcome(&scene, Means::MESH);
        let marks = by_mesh.verdict.marks();
        assert_eq!(marks == "mesh-too-coarse", too_coarse, "{marks}");
        assert!(by_mesh.advice.is_none() && by_mesh.verdict.trusted() != too_coarse, "{marks}");
        let verification = by_mesh.verification.expect("verified");
        assert!(verification.notes.is_empty(), "{:?}", verification.notes);
        if !too_coarse {
            let both = verification.share() + mesh(&verification).measures[0].bar.share;
            assert_eq!(by_mesh.verdict.error, Some(both));
        }
    }
}

/// A run by an explicit method takes half the step on the finer mesh, and what touches is as stiff in sum.
#[test]
fn an_explicit_run_halves_the_step_and_contact_is_as_stiff() {
    let floor = "[contact]\nnormal = { stiffness = 2e4, damping = 20 }\n\
        friction = { law = \"cundall-strack\", stiffness = 2e4, damping = 20 }\n\
        [[collider]]\nname = \"floor\"\nshape.plane = { normal = [0, 0, 1] }\n\
        [[measure]]\nname = \"depth\"\nkind = \"penetration\"\nbody = \"bar\"";
    let mut made = scene(
        "time = { end = 0.4, step = 2e-4, output = 0.02 }\nintegrator.method = \"symplectic-euler\"",
        "poisson = 0.3\ndamping.time = 2e-3",
        "shape.lattice = { counts = [4, 4, 3], spacing = 0.1 }",
        floor,
    );
    made.gravity = Vector::new(0.0, 0.0, -9.81);
    let of = verified(&made, Means::ALL);
    let by = mesh(&of);
    assert_eq!(by.runs[0].step, 1e-4);
    assert_eq!(by.note.as_deref(), Some("order 2 assumed; contact stiffness per particle × 0.327"));
    let depth = by.find("depth").expect("a measure").0.ends[0].clone();
    // 49 particles at 16/49 of the stiffness in the place of 16: at the full one depths would be a third
    // the deepest one, in a corner, is less deep
    assert!((depth[1] / depth[0] - 1.0).abs() < 0.2, "{depth:?}");
    // a second body, of points, has a stiffness that must stay
    let mut mixed = made.clone();
    let point =
        scene(STATIC, "poisson = 0.3", "mass = 1\nshape.particle = {}", "").bodies[0].clone();
    mixed.bodies.push(stiction_scene::description::Body { name: "point".into(), ..point });
    let of = verified(&mixed, Means::MESH);
    assert!(!mesh(&of).known && mesh(&of).note.as_ref().is_some_and(|why| why.contains("`point`")));
}

/// Springs have no limit of a fine mesh: not known, and why; rigid bodies have no mesh.
#[test]
fn the_share_of_a_mesh_of_springs_is_not_known() {
    let lattice = "mass = 1\nshape.lattice = { counts = [3, 3, 3], spacing = 0.1 }";
    let fall = "time = { end = 0.1, step = 1e-3, output = 0.01 }\nintegrator.method = \"rk4\"";
    let of = |keys: &str| scene(fall, "poisson = 0.3", &format!("{lattice}\n{keys}"), "");
    let springs = of("springs.edge.stiffness = 1e3");
    let sprung = verified(&springs, Means::MESH);
    let by = mesh(&sprung);
    assert!(!by.known && by.runs.is_empty());
    assert!(
        by.note.as_ref().is_some_and(|why| why.contains("`bar` is of springs")),
        "{:?}",
        by.note
    );
    assert_eq!(sprung.sum_of_causes("bar_x"), None);
    // among all causes the mesh is left out where there is none
    let all = verified(&springs, Means::ALL);
    assert!(all.causes.iter().all(|by| by.cause != Cause::Mesh));
    let rigid = verified(&of("rigid = true"), Means::MESH);
    assert_eq!((mesh(&rigid).error("bar_x"), mesh(&rigid).runs.len()), (Some(0.0), 0));
}

fn refined(coarse: &Scene) -> [Built; 2] {
    [false, true].map(|refined| {
        let scene = Scene { refined, ..coarse.clone() };
        build(&scene, &BuildOptions::default()).unwrap_or_else(|error| panic!("{error}"))
    })
}

/// Selections mean the same places, forces and masses have the same sum, a motion is the same function of place.
#[test]
fn a_refined_scene_asks_the_same_question() {
    let coarse = scene(
        STATIC,
        "poisson = 0.3",
        "shape.lattice = { counts = [3, 4, 5], spacing = 0.1 }\nrotation = [0, 0, 30]\nspin = [0, 1, 0]",
        "[[pin]]\nbody = \"bar\"\nwhere.box = { min = [-1, -1, 0.39], max = [1, 1, 0.5] }\n\
         [[pin]]\nbody = \"bar\"\nwhere.particles = [7]\naxes = \"x\"\n\
         [[push]]\nbody = \"bar\"\nwhere.particles = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]\nforce = [3, 0, 0]\n\
         [[push]]\nbody = \"bar\"\nwhere.particles = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]\nforce = [0, 2, 0]\nper_particle = true",
    );
    let [own, fine] = refined(&coarse);
    assert_eq!([own.model.particles(), fine.model.particles()], [60, 5 * 7 * 9]);
    assert_eq!(fine.model.elements.len(), 8 * own.model.elements.len());
    let held = |of: &Built, axis: usize| -> Vec<usize> {
        (0..of.model.particles()).filter(|i| of.model.inverse_masses[*i][axis] == 0.0).collect()
    };
    // the face at the top, and a single point
    assert_eq!([held(&own, 2).len(), held(&fine, 2).len()], [12, 35]);
    assert!(held(&fine, 2).iter().all(|i| (fine.state.positions[*i].z - 0.4).abs() < 1e-12));
    assert_eq!([held(&own, 0)[0], held(&fine, 0)[0], held(&fine, 0).len()], [7, 7, 36]);
    let sums = |of: &Built| {
        let mut forces = vec![Vector::zeros(); of.model.particles()];
        let at = of.state.configuration();
        of.model.loads.iter().for_each(|load| load.add_force(&at, &mut forces));
        let moment = |sum: Vector, (x, f): (&Vector, &Vector)| sum + x.cross(f);
        let masses: f64 = of.model.masses.iter().sum();
        let moment = of.state.positions.iter().zip(&forces).fold(Vector::zeros(), moment);
        (forces.iter().sum::<Vector>(), moment, masses)
    };
    let ((force, moment, mass), (force_too, moment_too, mass_too)) = (sums(&own), sums(&fine));
    assert!((force - Vector::new(3.0, 24.0, 0.0)).norm() < 1e-12, "{force}");
    assert!((force - force_too).norm() < 1e-12 && (moment - moment_too).norm() < 1e-12);
    assert!((mass - mass_too).abs() < 1e-12 && (mass - 24.0).abs() < 1e-12, "{mass} {mass_too}");
    for (i, v) in own.state.velocities.iter().enumerate() {
        assert!((v - fine.state.velocities[i]).norm() < 1e-12, "{i}");
    }
}

/// A mesh from a file, and a surface filled with tetrahedra, have the same mass and volume on a finer mesh.
#[test]
fn meshes_of_tetrahedra_have_the_same_mass_when_refined() {
    for shape in [
        "shape.file = { path = \"meshes/brick.msh\" }",
        "shape.file = { path = \"meshes/wedge.obj\", fill = \"tets\" }",
    ] {
        let [own, fine] = refined(&scene(STATIC, "poisson = 0.3", shape, ""));
        assert_eq!(fine.model.elements.len(), 8 * own.model.elements.len());
        let sums = |of: &Built| {
            let mut volume = 0.0;
            of.model.elements.for_each(|_, _, own, _| volume += own);
            (of.model.masses.iter().sum::<f64>(), volume)
        };
        let ((mass, volume), (mass_too, volume_too)) = (sums(&own), sums(&fine));
        assert!((mass_too / mass - 1.0).abs() < 1e-12, "{shape}: {mass} {mass_too}");
        assert!((volume_too / volume - 1.0).abs() < 1e-12, "{shape}: {volume} {volume_too}");
    }
}
