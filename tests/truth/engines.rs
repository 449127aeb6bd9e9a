//! Closed forms of engines: against our own runs, against MuJoCo, and against figures of the
//! league.

use crate::support::block::BlockScene;
use crate::support::simulation;
use crate::support::tools::python;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use stiction_core::math::{Vector, cos, radians, sin};
use stiction_core::simulation::Simulation;
use stiction_engines::creep::{ENGINES, EngineError, catalogue, document};
use stiction_lab::experiment::stiffness::{AnalysisSetting, analyse};
use stiction_scene::build::{BuildOptions, build};
use stiction_scene::{LoadOptions, Scene, load};

pub(super) fn answer(engine: &str, given: Value) -> Value {
    document(engine, &given).unwrap_or_else(|error| panic!("{engine} {given}: {error}"))
}

pub(super) fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

/// scenes/incline_creep.toml with other values.
fn incline(set: &[String]) -> Scene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/incline_creep.toml");
    let options = LoadOptions { set: set.to_vec(), ..LoadOptions::default() };
    load(&path, &options).unwrap_or_else(|errors| panic!("{errors:?}")).scene
}

/// Gravity that makes the scene's incline of 20° one of `angle` degrees.
fn tilted(angle: f64) -> String {
    let turn = radians(20.0 - angle);
    format!("world.gravity=[{:e}, 0, {:e}]", 9.81 * sin(turn), -9.81 * cos(turn))
}

/// Mean speed downhill over the second half of a run \[m/s\], and the distance travelled \[m\].
fn slipped(set: &[String], end: f64) -> (f64, f64) {
    let scene = incline(set);
    let built = build(&scene, &BuildOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let (step, method) = (scene.time.step, built.method);
    let mut run = Simulation::with_method(built.model, built.state, built.integrator, method, step);
    let downhill = Vector::new(-cos(radians(20.0)), 0.0, -sin(radians(20.0)));
    let at = |run: &Simulation| run.state.positions[0].dot(&downhill);
    let begin = at(&run);
    run.advance_to(0.5 * end).expect("half of it");
    let (time, middle) = (run.state.time, at(&run));
    run.advance_to(end).expect("the rest");
    ((at(&run) - middle) / (run.state.time - time), at(&run) - begin)
}

/// Every law that creeps, at several slopes and ε.
#[test]
fn creep_of_our_laws_is_that_of_our_runs() {
    let laws =
        ["threshold", "quadratic", "cubic", "quintic", "hyperbolic", "tanh", "stribeck", "formula"];
    let mut worst: f64 = 0.0;
    for law in laws {
        for (slope, epsilon) in [(10.0, 1e-2), (20.0, 1e-2), (20.0, 1e-3), (28.0, 1e-2)] {
            let given = json!({ "law": law, "epsilon": epsilon, "slope": slope, "friction": 0.6,
                "contacts": 1, "height": 0 });
            let told = answer("stiction", given);
            assert_eq!(told["exact"], true, "{told}");
            // a quarter of the limit at most, of steps that divide the scene's frames
            let quarter = 0.25 * number(&told["step"]["largest"]);
            let fits = |step: &f64| *step <= quarter;
            let step = [1e-4, 5e-5, 2e-5].into_iter().find(fits).unwrap_or(1e-5);
            let law = format!("contact.friction={{ law = \"{law}\", epsilon = {epsilon:e} }}");
            let set = [law, tilted(slope), format!("time.step={step:e}")];
            let (speed, _) = slipped(&set, 0.3);
            let off = (speed / number(&told["creep"]) - 1.0).abs();
            assert!(off < 1e-3, "{set:?}: {speed} for {told}");
            worst = worst.max(off);
        }
    }
    println!("creep of runs and closed forms: {worst:.1e} apart at most");
}

/// A damper of its own viscosity, and a spring that rests at its offset.
#[test]
fn dampers_and_springs_are_those_of_our_runs() {
    let common = json!({ "slope": 20, "friction": 0.6, "contacts": 1, "height": 0 });
    let with = |more: Value| {
        let mut given = common.clone();
        given.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        answer("stiction", given)
    };
    let told = with(json!({ "law": "viscous-cap", "damping": 400 }));
    let law = "contact.friction={ law = \"viscous-cap\", damping = 400 }".to_string();
    let (speed, _) = slipped(&[law], 0.3);
    assert!((speed / number(&told["creep"]) - 1.0).abs() < 1e-3, "{speed} {told}");
    // the same damper in the engines that have it
    for (engine, key, more) in [
        ("newton", "kf", json!({})),
        ("lammps", "damping", json!({ "tangential": "linear_nohistory" })),
    ] {
        let mut given =
            json!({ "slope": 20, "friction": 0.6, "contacts": 1, "height": 0, "step": 1e-5 });
        given[key] = 400.into();
        given.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let theirs = answer(engine, given);
        assert!((speed / number(&theirs["creep"]) - 1.0).abs() < 1e-3, "{speed} {theirs}");
    }
    for law in ["cundall-strack", "dahl", "lugre"] {
        let told = with(json!({ "law": law, "stiffness": 1e4, "damping": 150 }));
        let set = format!("contact.friction={{ law = \"{law}\", stiffness = 1e4, damping = 150 }}");
        let (speed, way) = slipped(&[set], 1.0);
        assert_eq!((&told["motion"], number(&told["creep"])), (&json!("rests"), 0.0));
        assert!(speed.abs() < 1e-9, "{law} {speed}");
        // lugre's offset is that of its bristle; it slips on while the bristle saturates
        if law != "lugre" {
            assert!((way / number(&told["offset"]) - 1.0).abs() < 1e-3, "{law}: {way} {told}");
        }
    }
}

/// The largest step is that which the analysis of the scene finds, and runs agree on both sides of
/// it.
#[test]
fn the_largest_step_is_that_of_the_analysis_and_of_runs() {
    for (integrator, law) in [("rk4", "threshold"), ("symplectic-euler", "quadratic")] {
        let given = json!({ "law": law, "epsilon": 1e-3, "slope": 20, "friction": 0.6,
            "contacts": 1, "height": 0, "integrator": integrator });
        let told = answer("stiction", given.clone());
        let largest = number(&told["step"]["largest"]);
        let law = format!("contact.friction={{ law = \"{law}\", epsilon = 1e-3 }}");
        let method = format!("integrator={{ method = \"{integrator}\" }}");
        let scene = incline(&[law.clone(), method.clone()]);
        let found = analyse(&scene, &BuildOptions::default(), &AnalysisSetting::default());
        let found = found.expect("an analysis");
        let price =
            found.prices.iter().find(|price| price.integrator == integrator).expect("a row");
        let analysed = price.largest_step.expect("a limit");
        println!("{integrator}: {largest:e} s, by the analysis {analysed:e} s");
        assert!((largest / analysed - 1.0).abs() < 1e-3, "{integrator}: {largest} {analysed}");
        // quadratic is flatter where it creeps than at rest: only threshold is at its limit there
        if integrator != "rk4" {
            continue;
        }
        for (share, kept) in [(0.97, true), (1.05, false)] {
            let step = format!("time.step={:e}", share * largest);
            // frames and ends must be multiples of the step
            let end = format!("time.end={:e}", 400.0 * share * largest);
            let output = format!("time.output={:e}", share * largest);
            let set = [law.clone(), method.clone(), step, end, output];
            let (speed, _) = slipped(&set, 400.0 * share * largest);
            let off = (speed / number(&told["creep"]) - 1.0).abs();
            assert_eq!(off < 1e-3, kept, "at {share} of the limit: {speed}, off by {off}");
        }
        let mut above = given;
        above["step"] = json!(1.05 * largest);
        assert_eq!(answer("stiction", above)["exact"], false);
    }
}

/// Above the cone a body slides with (T − μ_k N)/m, as in our runs.
#[test]
fn a_load_above_the_cone_slides() {
    for engine in ENGINES.names() {
        let given = json!({ "slope": 30, "friction": 0.5, "kinetic_friction": 0.4, "height": 0 });
        let told = answer(engine, given);
        assert_eq!(told["motion"], "slides", "{engine}");
        let exact = 9.81 * (sin(radians(30.0)) - 0.4 * cos(radians(30.0)));
        assert!((number(&told["acceleration"]) / exact - 1.0).abs() < 1e-9, "{engine} {told}");
        assert!(told["creep"].is_null() && told["per_minute"].is_null());
    }
    let block = BlockScene::threshold(30.0, [0.5, 0.4], 1e-3);
    let text = format!(
        "format = 1\ntime = {{ end = 1.0, step = 1e-4, output = 0.1 }}\nintegrator.method = \"rk4\"\n{}",
        block.text()
    );
    let mut run = simulation(&text);
    run.advance_to(0.5).expect("a run");
    let speed = -run.state.velocities[0].dot(&block.uphill()) / 0.5;
    let told = answer("stiction", json!({ "slope": 30, "friction": 0.5, "kinetic_friction": 0.4 }));
    assert!((speed / number(&told["acceleration"]) - 1.0).abs() < 1e-3, "{speed} {told}");
}

/// Figures of other engines in the league, where a closed form exists; docs/creep.md has the table.
#[test]
fn figures_of_the_league_are_reproduced() {
    let wall = |more: Value| {
        let mut given = json!({ "friction": 1, "normal_force": 20, "tangential_force": 9.81 });
        given.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        given
    };
    let ours = |more: Value| {
        let mut given = json!({ "epsilon": 1e-3 });
        given.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        given
    };
    for (row, engine, given, figure, within) in [
        ("A", "mujoco", json!({}), 949e-6, 0.001),
        ("A", "drake", json!({}), 63.5e-6, 0.001),
        ("A", "drake", json!({ "model": "continuous" }), 51.9e-6, 0.001),
        ("A", "stiction", ours(json!({})), 535.90e-6, 1e-4),
        ("A estimate", "newton", json!({ "solver": "xpbd" }), 5330e-6, 0.05),
        // how the box of that run stood at the wall is not recorded
        ("D estimate", "mujoco", wall(json!({})), 5.9e-3, 0.1),
        ("D", "drake", wall(json!({})), 56e-6, 0.01),
        ("D", "drake", wall(json!({ "model": "continuous" })), 50e-6, 0.02),
        ("D", "stiction", ours(wall(json!({}))), 490.50e-6, 1e-4),
        ("F", "stiction", ours(json!({ "friction": 0.8 })), 334.94e-6, 1e-4),
    ] {
        let told = answer(engine, given);
        let off = number(&told["creep"]) / figure - 1.0;
        println!("{row} {engine}: {} for {figure}, {:+.2} %", told["creep"], 100.0 * off);
        assert!(off.abs() < within, "{row} {engine}: {told}");
    }
    // H: ten times the step
    for (engine, ratio) in [("mujoco", 2.0), ("drake", 1.0)] {
        let creep = |step: f64| number(&answer(engine, json!({ "step": step }))["creep"]);
        let found = creep(2e-2) / creep(2e-3);
        assert!((found / ratio - 1.0).abs() < 0.01, "{engine}: {found}");
    }
}

/// A soft body of MuJoCo: each vertex on the floor is a contact of its own mass.
fn flex(more: Value) -> Value {
    let mut given = json!({ "geometry": "even", "contacts": 16, "invweight": 48, "cone": "elliptic",
        "step": 1e-3 });
    given.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    given
}

/// Drake 1.51's own runs of the box of row A; Newton 1.8's below its step limit.
#[test]
fn runs_of_drake_and_newton_are_reproduced() {
    for (engine, given, figure, within) in [
        ("drake", json!({ "slope": 5 }), 17.77191e-6, 1e-5),
        ("drake", json!({ "slope": 20 }), 106.16943e-6, 1e-5),
        ("drake", json!({ "model": "similar", "step": 1e-2 }), 63.47382e-6, 1e-5),
        ("drake", json!({ "kinetic_friction": 0.4 }), 90.22152e-6, 1e-5),
        ("drake", json!({ "model": "tamsi" }), 31.878665e-6, 1e-3),
        ("drake", json!({ "model": "tamsi", "slope": 20 }), 47.845466e-6, 1e-3),
        ("drake", json!({ "model": "continuous" }), 51.916475e-6, 1e-5),
        ("drake", json!({ "model": "sap" }), 1.69564e-6, 0.01),
        ("drake", json!({ "model": "sap", "step": 1e-2, "slope": 20 }), 22.429863e-6, 0.012),
        ("drake", json!({ "model": "sap", "height": 0.02, "mass": 10 }), 1.717508e-6, 0.01),
        ("newton", json!({ "step": 1e-4 }), 634.5619e-6, 1e-3),
        ("newton", json!({ "step": 1e-4, "friction": 1 }), 634.5619e-6, 1e-3),
        ("newton", json!({ "step": 1e-3, "kf": 100 }), 6347.79e-6, 1e-3),
        ("newton", json!({ "step": 1e-4, "slope": 5 }), 213.7676e-6, 1e-3),
        ("newton", json!({ "solver": "xpbd", "iterations": 1 }), 12168.1e-6, 1e-3),
        ("newton", json!({ "solver": "xpbd", "relaxation": 0.4 }), 13352.8e-6, 0.05),
        ("newton", json!({ "solver": "vbd-penalty" }), 3187.492e-6, 3e-3),
        ("newton", json!({ "solver": "vbd-penalty", "slope": 5 }), 917.034e-6, 3e-3),
        ("newton", json!({ "solver": "vbd-penalty", "slope": 20 }), 4783.262e-6, 3e-3),
        ("newton", json!({ "solver": "vbd-penalty", "step": 1.0 / 2400.0 }), 3178.678e-6, 3e-3),
        ("newton", json!({ "solver": "vbd-penalty", "friction_epsilon": 1e-3 }), 319.035e-6, 3e-3),
        ("newton-mujoco", json!({ "step": 1.0 / 600.0 }), 949.4601e-6, 1e-4),
        ("newton-mujoco", json!({ "step": 1.0 / 600.0, "impratio": 10 }), 94.96871e-6, 1e-4),
        ("newton-mujoco", json!({ "step": 1.0 / 600.0, "cone": "elliptic" }), 661.8210e-6, 1e-4),
        // MuJoCo's flex of 4 × 4 × 3 vertices of 1/48 kg, 16 of them on the floor
        ("mujoco", flex(json!({})), 4628.581e-6, 0.02),
        ("mujoco", flex(json!({ "impratio": 10 })), 463.1574e-6, 0.02),
    ] {
        let told = answer(engine, given);
        let off = number(&told["creep"]) / figure - 1.0;
        println!("{engine}: {} for {figure}, {off:+.1e}", told["creep"]);
        assert!(off.abs() < within, "{engine}: {told}");
    }
    // above its limit of 0.1667 ms it turns on its base: 634.67 µm/s at .165 ms, 645.3 at .17,
    // 685.6 at .18
    let told = answer("newton", json!({ "step": 1.65e-4 }));
    assert_eq!(told["exact"], true);
    assert!((number(&told["creep"]) / 634.6688e-6 - 1.0).abs() < 1e-3, "{told}");
    assert_eq!(answer("newton", json!({ "step": 1.7e-4 }))["exact"], false);
    // MuJoCo without refsafe throws the box out above these steps, at solref (.02, 1), (.02, .5),
    // (.02, 2) and (.05, 1)
    for (timeconst, ratio, measured) in
        [(0.02, 1.0, 0.014278), (0.02, 0.5, 0.010518), (0.02, 2.0, 0.017427), (0.05, 1.0, 0.035634)]
    {
        let given = json!({ "cone": "elliptic", "timeconst": timeconst, "dampratio": ratio, "refsafe": false });
        let largest = number(&answer("mujoco", given)["step"]["largest"]);
        let share = largest / measured;
        assert!((0.85..1.0).contains(&share), "{timeconst} {ratio}: {share}");
    }
}

/// Budget → parameters → creep, for every engine that creeps.
#[test]
fn changes_for_a_budget_keep_it() {
    let mut kept = 0;
    for (engine, given) in [
        ("stiction", json!({})),
        ("stiction", json!({ "law": "quintic" })),
        ("stiction", json!({ "law": "viscous-cap", "damping": 100 })),
        ("mujoco", json!({})),
        ("mujoco", json!({ "cone": "elliptic", "slope": 5 })),
        ("newton", json!({ "kf": 50 })),
        ("newton", json!({ "solver": "xpbd" })),
        ("drake", json!({})),
        ("drake", json!({ "model": "sap", "step": 1e-2 })),
        ("drake", json!({ "model": "tamsi" })),
        ("ipc", json!({})),
        ("ipc", json!({ "order": 2 })),
        ("lammps", json!({ "tangential": "linear_nohistory" })),
    ] {
        for budget in [1e-4, 1e-6] {
            let mut asked = given.clone();
            asked["budget"] = budget.into();
            let told = answer(engine, asked);
            if told["budget"]["kept"] == true {
                assert!(number(&told["creep"]) <= budget);
                continue;
            }
            let changes = told["budget"]["changes"].as_array().expect("changes");
            assert!(!changes.is_empty(), "{engine} {given}");
            for change in changes {
                let mut again = given.clone();
                let set = change["set"].as_object().unwrap().clone();
                again.as_object_mut().unwrap().extend(set);
                let again = answer(engine, again);
                let creep = number(&again["creep"]);
                assert!(creep <= budget && creep > 0.98 * budget, "{engine} {change}: {creep}");
                assert_eq!(again["creep"], change["creep"]);
                assert_eq!(again["step"]["largest"], change["largest_step"]);
                assert_eq!(again["step"]["fits"], true, "{engine} {change}: {}", again["step"]);
                kept += 1;
            }
        }
    }
    assert!(kept > 25, "{kept}");
}

#[test]
fn what_is_wrong_is_named() {
    for (engine, given, words) in [
        ("mujco", json!({}), "did you mean `mujoco`"),
        ("mujoco", json!({ "timconst": 1 }), "did you mean `timeconst`"),
        ("mujoco", json!({ "timeconst": -1 }), "`timeconst` needs a number > 0 in s, and is -1"),
        ("mujoco", json!({ "timeconst": "x" }), "and is `x`"),
        ("mujoco", json!({ "cone": "round" }), "pyramidal"),
        ("mujoco", json!({ "stiffness": 10 }), "needs `damping` too"),
        ("mujoco", json!({ "contacts": 1.5 }), "`contacts` needs a whole number"),
        ("mujoco", json!({ "budget": 0 }), "`budget` needs"),
        ("stiction", json!({ "law": "glue" }), "there is no friction law `glue`"),
        ("stiction", json!({ "integrator": "rk9" }), "there is no integrator `rk9`"),
        ("stiction", json!({ "law": "cundall-strack" }), "`stiffness` needs a number > 0"),
        ("ipc", json!({ "kinetic_friction": 0.9 }), "above the static"),
    ] {
        let error = document(engine, &given).expect_err("an error").to_string();
        assert!(error.contains(words), "{error}");
    }
    let unknown = document("mujco", &json!({})).expect_err("an error");
    assert!(matches!(unknown, EngineError::Engine { .. }), "{unknown:?}");
}

/// Every engine and every key of the catalogue can be asked with its own default.
#[test]
fn the_catalogue_is_what_engines_take() {
    let all = catalogue();
    let engines = all["engines"].as_array().unwrap();
    assert_eq!(engines.len(), ENGINES.names().len());
    for engine in engines {
        let name = engine["name"].as_str().unwrap();
        let keys = engine["keys"].as_array().unwrap().iter().chain(all["load"].as_array().unwrap());
        let mut given = json!({});
        for key in keys {
            let key = key.as_object().unwrap();
            assert!(!key["about"].as_str().unwrap().is_empty() && !key["needs"].is_null());
            if !key["default"].is_null() {
                given[key["name"].as_str().unwrap()] = key["default"].clone();
            }
        }
        let (filled, plain) = (answer(name, given), answer(name, json!({})));
        assert_eq!(filled, plain, "{name}");
        for source in plain["sources"].as_array().unwrap() {
            let entry = format!("{{{},", source.as_str().unwrap());
            assert!(include_str!("../../references.bib").contains(&entry), "{name}: {source}");
        }
    }
    let laws = engines[0]["laws"].as_array().unwrap();
    assert!(laws.len() >= 14, "{laws:?}");
}

/// MuJoCo's own creep, wherever the closed form says that it is exact. Needs a Python with mujoco,
/// named by STICTION_PYTHON.
#[test]
fn mujoco_creeps_as_its_closed_form_says() {
    let Some(python) = python("mujoco") else { return };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/referee/creep_referee.py");
    let mut command = Command::new(python);
    command.arg(script).args(["--json", "--stiction", env!("CARGO_BIN_EXE_stiction")]);
    let output = command.output().expect("Python starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let rows: Vec<Value> = serde_json::from_slice(&output.stdout).expect("JSON");
    let exact: Vec<&Value> = rows.iter().filter(|row| row["exact"] == true).collect();
    assert!(exact.len() > 25, "{} of {}", exact.len(), rows.len());
    for row in exact {
        assert!(number(&row["error"]).abs() < 1e-5, "{row}");
    }
}
