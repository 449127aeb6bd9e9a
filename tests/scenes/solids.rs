//! Bodies of elastic materials: their elements, masses and damping, and what is refused.

use std::path::Path;
use stiction_core::forces::elements::SolidLaw;
use stiction_core::math::PI;
use stiction_core::state::memory::Memory;
use stiction_scene::build::{BuildOptions, Built, build};
use stiction_scene::{LoadOptions, load_text};

/// A scene of one body of an elastic material, with further keys of both.
fn built(material: &str, body: &str) -> Result<Built, String> {
    let text = format!(
        "format = 1\ntime = {{ end = 1, step = 1e-3, output = 1 }}\nintegrator.method = \"implicit-euler\"\n\
         [materials.rubber]\nstatic_friction = 0.5\nyoung = 2e6\npoisson = 0.4\n{material}\n\
         [[body]]\nname = \"pad\"\n{body}\n"
    );
    let loaded = load_text("pad.toml", &text, Path::new("."), &LoadOptions::default());
    let scene = loaded.map_err(|errors| errors.render(false))?.scene;
    build(&scene, &BuildOptions::default()).map_err(|error| error.to_string())
}

const PAD: &str = "shape.lattice = { counts = [4, 3, 5], spacing = 0.1 }";

fn made(material: &str, body: &str) -> Built {
    built(material, body).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn an_elastic_lattice_has_six_tetrahedra_a_cell_and_the_mass_of_its_volume() {
    let pad = made("density = 1200", PAD);
    assert_eq!((pad.model.elements.len(), pad.model.springs.len()), (6 * 3 * 2 * 4, 0));
    assert_eq!(pad.model.bodies[0].tetrahedra.len(), 6 * 3 * 2 * 4);
    let mass: f64 = pad.model.masses.iter().sum();
    assert!((mass - 1200.0 * 0.024).abs() < 1e-12, "{mass}");
    // a corner has an eighth of a cell
    assert!((pad.model.masses[0] - 1.2 / 8.0).abs() < 1e-15);
    pad.model.elements.for_each(|_, _, _, material| {
        assert_eq!((material.law, material.damping), (SolidLaw::NeoHookean, 0.0));
        assert!((material.moduli.young() - 2e6).abs() < 1e-6);
        let poisson =
            material.moduli.lambda / (2.0 * (material.moduli.lambda + material.moduli.mu));
        assert!((poisson - 0.4).abs() < 1e-12);
    });
    // the body's own mass or density comes first
    for (body, wanted) in [("mass = 3", 3.0), ("density = 500", 12.0)] {
        let pad = made("density = 1200", &format!("{body}\n{PAD}"));
        assert!((pad.model.masses.iter().sum::<f64>() - wanted).abs() < 1e-12, "{body}");
    }
}

#[test]
fn damping_is_a_time_a_ratio_or_a_loss_factor() {
    for (keys, wanted) in [
        ("time = 1e-3", 1e-3),
        ("ratio = 0.1, frequency = 50", 0.1 / (PI * 50.0)),
        ("loss_factor = 0.1, frequency = 50", 0.1 / (2.0 * PI * 50.0)),
        ("mass = 2", 0.0),
    ] {
        let material = format!("density = 1000\nmodel = \"corotational\"\ndamping = {{ {keys} }}");
        let pad = made(&material, PAD);
        pad.model.elements.for_each(|_, _, _, material| {
            assert!((material.damping - wanted).abs() < 1e-15, "{keys}: {}", material.damping);
            assert_eq!(material.law, SolidLaw::Corotational);
        });
        // gravity and the hand, and a drag
        assert_eq!(
            pad.model.loads.len(),
            made("density = 1000", PAD).model.loads.len() + usize::from(keys == "mass = 2")
        );
    }
}

#[test]
fn springs_and_rigidity_take_the_place_of_elements() {
    let sprung = made("", &format!("mass = 1\nsprings.edge.stiffness = 100\n{PAD}"));
    assert!(sprung.model.elements.is_empty() && !sprung.model.springs.is_empty());
    let rigid = built("", &format!("mass = 1\nrigid = true\n{PAD}"));
    // implicit methods do not bear rigid bodies: it got as far as that
    assert!(rigid.is_err_and(|error| error.contains("rigid")));
    let point = made("", "mass = 1\nshape.particle = {}");
    assert!(point.model.elements.is_empty());
}

const SHEET: &str = "shape.cloth = { counts = [6, 4], spacing = 0.1 }";
const ROPE: &str = "shape.rope = { from = [0, 0, 0], to = [1, 2, 2], segments = 7 }";

/// ρ h A of a sheet and ρ ¼ π d² l of a rope, each particle its share.
#[test]
fn sheets_and_ropes_have_the_mass_of_their_material() {
    let sheet = made("density = 900", &format!("thickness = 0.002\n{SHEET}")).model;
    let mass: f64 = sheet.masses.iter().sum();
    assert!((mass - 900.0 * 0.002 * 0.5 * 0.3).abs() < 1e-14, "{mass}");
    assert_eq!((sheet.elements.len(), sheet.springs.len()), (30, 0));
    let rope = made("density = 900", &format!("thickness = 0.02\n{ROPE}")).model;
    let line = 900.0 * 3.0 * PI * 1e-4;
    assert!((rope.masses.iter().sum::<f64>() - line).abs() < 1e-14);
    assert!((rope.masses[0] - line / 14.0).abs() < 1e-14);
    assert_eq!(rope.elements.len(), 7);
}

#[test]
fn shapes_that_cannot_be_elastic_are_refused_with_a_remedy() {
    for (body, says) in [
        (SHEET.into(), "without a `thickness`"),
        (ROPE.into(), "without a `thickness`"),
        ("shape.lattice = { counts = [4, 1, 5], spacing = 0.1 }".into(), "without a `thickness`"),
        (format!("thickness = 0.01\n{PAD}"), "is a solid and has a `thickness`"),
        ("thickness = 0.01\nshape.ring = { radius = 1, count = 20 }".into(), "nothing to be so"),
        (
            "thickness = 0.01\nshape.points = { positions = [[0, 0, 0], [1, 0, 0], [1, 1, 0]], links = [[0, 1], [1, 2]] }".into(),
            "not straight",
        ),
        ("shape.points = { positions = [[0, 0, 0], [1, 0, 0]] }".into(), "nothing to be so"),
        (
            "thickness = 0.01\nshape.points = { positions = [[0, 0, 0], [1, 0, 0]], links = [[0, 1]], rest_lengths = [0.5] }".into(),
            "rest lengths of its own",
        ),
        (format!("thickness = 0.01\nsprings.edge.stiffness = 100\n{SHEET}"), "does nothing"),
        (format!("thickness = 0.01\nrigid = true\n{PAD}"), "does nothing"),
    ] {
        let body: String = body;
        let Err(error) = built("", &format!("mass = 1\n{body}")) else { panic!("{body} is taken") };
        assert!(error.contains(says), "{body}: {error}");
    }
}

/// A rope of three arms turns about where they join: a remark counts such places.
#[test]
fn joints_without_bending_are_counted() {
    let star = "shape.points = { positions = [[0, 0, 0], [1, 0, 0], [-1, 0, 0], [0, 1, 0]], \
                links = [[0, 1], [0, 2], [0, 3]] }";
    let made = made("density = 1000", &format!("thickness = 0.01\n{star}"));
    let says =
        "body `pad`: particles where three segments or more meet, which turn freely there: 1";
    assert!(made.remarks.iter().any(|remark| remark == says), "{:?}", made.remarks);
}

/// Keys that only an elastic material has, and a frequency of nothing, are no silent ones.
#[test]
fn keys_that_would_do_nothing_are_refused() {
    let faults = |material: &str| {
        let text = format!(
            "format = 1\ntime = {{ end = 1, step = 1e-3, output = 1 }}\nintegrator.method = \"rk4\"\n\
             materials.rubber = {{ static_friction = 0.5, {material} }}\n\
             [[body]]\nname = \"pad\"\nmass = 1\nshape.particle = {{}}\n"
        );
        match load_text("idle.toml", &text, Path::new("."), &LoadOptions::default()) {
            Ok(_) => String::new(),
            Err(errors) => errors.render(false),
        }
    };
    let elastic = "young = 1e6, poisson = 0.3, damping";
    for idle in [
        "model = \"linear\"".to_string(),
        "damping.time = 0.1".into(),
        format!("{elastic} = {{ frequency = 5 }}"),
        format!("{elastic} = {{ time = 0.1, frequency = 5 }}"),
    ] {
        let errors = faults(&idle);
        assert!(errors.contains("does nothing"), "{idle}: {errors}");
    }
    for sound in ["{ ratio = 0.1, frequency = 5 }", "{ time = 0.1 }", "{ mass = 1 }"] {
        assert_eq!(faults(&format!("{elastic} = {sound}")), "");
    }
}

/// A body that is placed with a rotation starts without strain, also under the law that counts rotations.
#[test]
fn a_turned_body_starts_at_rest() {
    for model in ["linear", "corotational", "neo-hookean"] {
        let material = format!("density = 1000\nmodel = \"{model}\"");
        let Built { model, mut state, .. } =
            made(&material, &format!("rotation = [20, -50, 100]\n{PAD}"));
        let account = model.commit(&mut state, &mut Memory::default());
        assert!(account.spring.abs() < 1e-10, "{material}: {} J", account.spring);
    }
}

#[test]
fn a_nearly_incompressible_material_is_told_to_lock() {
    let told = |poisson: &str| {
        let loaded = load_text(
            "pad.toml",
            &format!(
                "format = 1\ntime = {{ end = 1, step = 1e-3, output = 1 }}\nintegrator.method = \"implicit-euler\"\n\
                 materials.rubber = {{ static_friction = 0.5, young = 2e6, density = 1e3, poisson = {poisson} }}\n\
                 [[body]]\nname = \"pad\"\n{PAD}\n"
            ),
            Path::new("."),
            &LoadOptions::default(),
        );
        let scene = loaded.unwrap_or_else(|errors| panic!("{}", errors.render(false))).scene;
        let built =
            build(&scene, &BuildOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        built.remarks.into_iter().find(|remark| remark.contains("lock"))
    };
    // two cells over its least height
    let remark = told("0.48").expect("a remark");
    for part in ["1.558 times too stiff with 2", "1.089 with 4", "1.026 with 8"] {
        assert!(remark.contains(part), "{remark}");
    }
    assert_eq!(told("0.4"), None);
}

/// A prestretched body has the stress of its stretch at t = 0, alike in all directions; one without elements refuses it.
#[test]
fn a_prestretched_body_starts_with_the_stress_of_its_stretch() {
    let states = |body: &str| {
        let built = made("density = 1000\nmodel = \"corotational\"", body);
        let mut states = Vec::new();
        built.model.elements.for_each_state(&built.state.positions, |state| states.push(*state));
        assert!(!states.is_empty());
        states
    };
    let rope = "thickness = 0.01\nshape.rope = { from = [0, 0, 0], to = [1, 0, 0], segments = 4 }";
    for (stretch, body) in [(1.1, rope), (0.95, rope), (1.02, PAD), (1.0, PAD)] {
        let solid = body == PAD;
        let body = match solid {
            true => format!("rotation = [20, 30, 40]\nprestretch = {stretch}\n{body}"),
            false => format!("prestretch = {stretch}\n{}", body),
        };
        let body = if solid { body } else { body.replace("shape", "rotation = [0, 20, 0]\nshape") };
        for state in states(&body) {
            // a rope does not become thinner or thicker
            let along = state.stretches()[if stretch < 1.0 { 2 } else { 0 }];
            assert!((along - stretch).abs() < 1e-12, "{:?}", state.stretches());
            let strain = stretch - 1.0;
            if solid {
                // three times the bulk modulus E/(3 (1 − 2 ν)), over the faces as they are
                let wanted = -2e6 / (1.0 - 0.8) * strain / (stretch * stretch);
                let off = (state.pressure() - wanted).abs();
                assert!(off <= 1e-9 * 2e6, "{} of {wanted}", state.pressure());
            } else {
                assert!((state.von_mises() - 2e6 * strain.abs()).abs() < 1e-9 * 2e6);
            }
        }
    }
    let error =
        built("density = 1000", &format!("prestretch = 1.1\nsprings.edge.stiffness = 1\n{PAD}"));
    let error = error.err().expect("refused");
    assert!(error.contains("`prestretch`") && error.contains("not elastic"), "{error}");
}

/// A cube of springs of a Young's modulus shortens under a small pressure by that, but for its faces.
#[test]
fn springs_of_a_youngs_modulus_have_the_stiffness_of_their_continuum() {
    let lattice =
        made("density = 1000", &format!("springs.young = 1e5\nsprings.damping_time = 1e-3\n{PAD}"));
    assert!(lattice.model.elements.is_empty());
    let mut found = 0;
    lattice.model.springs.for_each(|spring| {
        found += 1;
        // k = 2 E a/5
        assert!((spring.material.stiffness - 4e3).abs() < 1e-9, "{}", spring.material.stiffness);
        assert!((spring.material.damping - 4.0).abs() < 1e-9);
    });
    let [x, y, z] = [4usize, 3, 5];
    let edges = (x - 1) * y * z + x * (y - 1) * z + x * y * (z - 1);
    let faces = (x - 1) * (y - 1) * z + (x - 1) * y * (z - 1) + x * (y - 1) * (z - 1);
    assert_eq!(found, edges + 2 * faces);
    for (keys, words) in [
        (
            "springs.young = 1e5\nshape.cloth = { counts = [3, 3], spacing = 0.1 }\nmass = 1",
            "no lattice",
        ),
        (
            "springs.young = 1e5\nshape.lattice = { counts = [3, 3, 1], spacing = 0.1 }",
            "no lattice",
        ),
        (
            "springs = { young = 1e5, edge = { stiffness = 1 } }\nshape.lattice = { counts = [2, 2, 2], spacing = 0.1 }",
            "both",
        ),
        (
            "springs.damping_time = 1\nshape.lattice = { counts = [2, 2, 2], spacing = 0.1 }",
            "goes with `young`",
        ),
    ] {
        let error = built("density = 1000", keys).err().expect("refused");
        assert!(error.contains(words), "{keys}: {error}");
    }
}

/// A surface that is filled with cells is elastic, with six tetrahedra a cell and the mass of its volume.
#[test]
fn a_surface_filled_with_cells_is_a_solid() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let text = "format = 1\ntime = { end = 1, step = 1e-3, output = 1 }\nintegrator.method = \"implicit-euler\"\n\
        [materials.rubber]\nstatic_friction = 0.5\nyoung = 2e6\npoisson = 0.4\ndensity = 1000\n\
        [[body]]\nname = \"ball\"\nshape.file = { path = \"meshes/sphere.obj\", fill = \"lattice\", spacing = 0.04 }\n";
    let loaded = load_text("ball.toml", text, &folder, &LoadOptions::default());
    let scene = loaded.unwrap_or_else(|errors| panic!("{}", errors.render(false))).scene;
    let built = build(&scene, &BuildOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let count = built.model.elements.len();
    assert!(count > 0 && count.is_multiple_of(6) && built.model.springs.is_empty(), "{count}");
    let mut volume = 0.0;
    built.model.elements.for_each(|_, _, v, _| volume += v);
    assert!((volume / (count as f64 / 6.0 * (0.04 * 0.04 * 0.04)) - 1.0).abs() < 1e-6, "{volume}");
    let mass: f64 = built.model.masses.iter().sum();
    // of a sphere of .1 m, inside which the cells lie
    assert!(mass > 1000.0 * volume && mass < 4.19 && mass > 4.0, "{mass}");
}
