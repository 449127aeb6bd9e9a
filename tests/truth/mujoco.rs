//! MuJoCo's creep as it was measured in MuJoCo, without MuJoCo: `tests/creep/stored.json` has cases
//! of `tests/creep/mujoco_runs.py` with their speeds, which are asked for by parameters and by MJCF.

use super::engines::{answer, number};
use serde_json::{Value, json};
use stiction_engines::creep::document;

/// Largest relative error of an exact answer and of an estimate.
const WITHIN: [f64; 2] = [1e-4, 0.3];

#[test]
fn creep_is_that_which_mujoco_was_measured_to_have() {
    let stored: Value = serde_json::from_str(include_str!("../creep/stored.json")).expect("JSON");
    let cases = stored["cases"].as_array().expect("cases");
    assert!(cases.len() >= 12, "{}", cases.len());
    let mut exact = 0;
    for case in cases {
        let mut asked = vec![case["keys"].clone()];
        if let Some(xml) = case["xml"].as_str() {
            let mut model = json!({ "mjcf": xml });
            if !case["grip_force"].is_null() {
                model["grip_force"] = case["grip_force"].clone();
            }
            asked.push(model);
        }
        for given in asked.into_iter().filter(|given| *given != json!({})) {
            let told = answer("mujoco", given);
            assert_eq!(told["exact"], case["exact"], "{}: {told}", case["kind"]);
            let off = number(&told["creep"]) / number(&case["creep"]) - 1.0;
            let within = WITHIN[usize::from(case["exact"] == false)];
            assert!(off.abs() < within, "{}: {off} {told}", case["kind"]);
            exact += usize::from(case["exact"] == true);
        }
    }
    assert!(exact >= 12, "{exact}");
}

/// .3 kg between fingers of .1 kg at 16 N: MuJoCo 4.0.0 has 4.905 and elliptic 2.4525 mm/s with box
/// pads on slide joints whose inverse weight is 1/m.
#[test]
fn the_mass_of_fingers_counts() {
    let common = json!({ "geometry": "grip", "grip_force": 16, "mass": 0.3, "friction": 1 });
    let grip = |more: Value| {
        let mut given = common.clone();
        given.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        answer("mujoco", given)
    };
    for (more, figure) in [
        (json!({ "other_mass": 0.1, "other_held": "slide" }), 4.905e-3),
        (json!({ "other_mass": 0.1, "other_held": "slide", "cone": "elliptic" }), 2.4525e-3),
        // capsules of which each has two contacts, with 1/(3m)
        (
            json!({ "other_mass": 0.1, "other_held": "slide-offset", "cone": "elliptic", "contacts": 4 }),
            2.4525e-3,
        ),
        (json!({ "other_invweight": 10 }), 4.905e-3),
    ] {
        let told = grip(more);
        assert_eq!(told["exact"], true, "{told}");
        assert!((number(&told["creep"]) / figure - 1.0).abs() < 1e-4, "{told}");
    }
}

/// Parameters without a run are not called exact, and those that runs contradict have no speed.
#[test]
fn exact_is_what_was_compared() {
    for (given, motion, words) in [
        (json!({ "normal_force": 20, "tangential_force": 5 }), "creeps", "where they act was not"),
        (json!({ "loads": "3 3 1 1", "tangential_force": 1 }), "creeps", "single contacts"),
        (json!({ "contacts": 8 }), "creeps", "no run with 8 contacts"),
        (json!({ "other_mass": 1, "other_held": "free" }), "creeps", "another body that moves"),
        (json!({ "impratio": 5000 }), "creeps", "outside of 1 to 1000"),
        (json!({ "mass": 1e6 }), "creeps", "at this mass"),
        (json!({ "dampratio": 0.5 }), "unknown", "hop"),
        (json!({ "noslip_iterations": 10 }), "unknown", "noslip"),
        (json!({ "slope": 25 }), "unknown", "rear contacts"),
        (json!({ "refsafe": false, "step": 0.02 }), "unknown", "thrown out"),
        (json!({ "slope": 40 }), "slides", "hop"),
        (
            json!({ "geometry": "grip", "grip_force": 30, "other_invweight": 1, "second_invweight": 2 }),
            "creeps",
            "different inverse weights",
        ),
        (
            json!({ "geometry": "grip", "grip_force": 30, "other_invweight": 0, "second_invweight": 20 }),
            "unknown",
            "turns between them",
        ),
    ] {
        let told = answer("mujoco", given.clone());
        assert_eq!((&told["motion"], &told["exact"]), (&json!(motion), &json!(false)), "{given}");
        let reason = told["estimate"].as_str().expect("a reason");
        assert!(reason.contains(words), "{given}: {reason}");
        assert_eq!(told["creep"].is_null(), motion != "creeps", "{given}");
    }
    for engine in ["stiction", "drake", "newton"] {
        let told =
            answer(engine, json!({ "normal_force": 20, "tangential_force": 5, "step": 1e-5 }));
        assert_eq!(told["exact"], false, "{engine}");
        let told = answer(engine, json!({ "step": 1e-5 }));
        assert!(told["exact"] == true && told["compared"].is_string(), "{engine}");
    }
    for engine in ["ipc", "lammps", "rapier", "pybullet", "newton-mujoco"] {
        assert_eq!(answer(engine, json!({}))["exact"], false, "{engine}");
    }
}

/// Without a load nothing creeps, and no speed is a subnormal number.
#[test]
fn without_a_load_nothing_creeps() {
    for engine in ["mujoco", "drake", "newton", "stiction", "ipc"] {
        let told = answer(engine, json!({ "slope": 0 }));
        assert_eq!((&told["motion"], number(&told["creep"])), (&json!("rests"), 0.0), "{engine}");
        let told = answer(engine, json!({ "slope": 1e-308 }));
        let creep = number(&told["creep"]);
        assert!(creep == 0.0 || creep >= f64::MIN_POSITIVE, "{engine}: {creep:e}");
    }
}

/// Loads of contacts by one: equal ones are those of `geometry=even`.
#[test]
fn loads_of_contacts_may_be_given() {
    let even = answer("mujoco", json!({ "geometry": "even", "cone": "elliptic" }));
    let each = number(&even["load"]["normal_force"]) / 4.0;
    let given = json!({ "loads": format!("{each} {each} {each} {each}"), "cone": "elliptic" });
    let told = answer("mujoco", given);
    assert!((number(&told["creep"]) / number(&even["creep"]) - 1.0).abs() < 1e-12, "{told}");
    let wrong = document("mujoco", &json!({ "loads": "1 -2" })).expect_err("a force < 0");
    assert!(wrong.to_string().contains("`loads`"), "{wrong}");
}

/// solref and solimp as in MJCF are the keys of their numbers.
#[test]
fn solref_and_solimp_are_taken() {
    let plain = answer("mujoco", json!({ "timeconst": 0.01, "dmin": 0.95, "dmax": 0.99 }));
    for given in [
        json!({ "solref": "0.01 1", "solimp": "0.95 0.99" }),
        json!({ "solref": "0.01", "solimp": [0.95, 0.99, 0.001] }),
        json!({ "solref": [0.01, 1], "dmin": 0.95, "dmax": 0.99 }),
    ] {
        assert_eq!(answer("mujoco", given.clone())["creep"], plain["creep"], "{given}");
    }
    let direct = answer("mujoco", json!({ "stiffness": 2000, "damping": 100 }));
    assert_eq!(answer("mujoco", json!({ "solref": "-2000 -100" }))["creep"], direct["creep"]);
    for (given, words) in [
        (json!({ "solref": "0.01 1", "timeconst": 0.02 }), "`timeconst` is given too"),
        (json!({ "solref": "-2000 1" }), "neither a time constant nor a direct"),
        (json!({ "solref": "stiff" }), "is no such list"),
        (json!({ "solimp": "1 2 3 4 5 6" }), "is no such list"),
    ] {
        let error = document("mujoco", &given).expect_err("an error").to_string();
        assert!(error.contains(words), "{given}: {error}");
    }
}
