//! Closed forms of engines where they bend, by hand: contacts at their cone, MuJoCo's impedance
//! between its ends, and the step that still fits.

use super::engines::{answer, number};
use serde_json::{Value, json};
use stiction_core::math::{cos, radians, sin};
use stiction_engines::creep::ENGINES;

/// A quantity on the way to an answer.
fn detail(told: &Value, name: &str) -> f64 {
    let details = told["details"].as_array().expect("details");
    let found = details.iter().find(|one| one["name"] == name);
    number(&found.unwrap_or_else(|| panic!("no {name} in {told}"))["value"])
}

/// Steep slopes take the rear contacts to their cone: they bear μ N, and the dampers in front the
/// rest.
#[test]
fn newtons_front_contacts_bear_what_those_behind_cannot() {
    let mu = 0.5;
    for (slope, mass, gain) in [(24.5, 1.0, 1000.0), (25.5, 3.0, 400.0), (26.0, 1.0, 1000.0)] {
        let given = json!({ "slope": slope, "friction": mu, "mass": mass, "kf": gain, "step": 1e-5,
            "contacts": 4, "length": 0.4, "height": 0.1 });
        let told = answer("newton", given);
        let (normal, load) = (mass * 9.81 * cos(radians(slope)), mass * 9.81 * sin(radians(slope)));
        // T z = F L: the front pair bears F more than half of N, the rear pair as much less
        let shift = load * 0.1 / 0.4;
        let [front, rear] = [0.5 * normal + shift, 0.5 * normal - shift].map(|pair| 0.5 * pair);
        assert!(mu * rear < load / 4.0, "{slope}°: an even share is within every cone");
        let damper = gain * number(&told["creep"]);
        assert!(mu * rear < damper && damper < mu * front, "{slope}°: {told}");
        let borne = 2.0 * damper + 2.0 * mu * rear;
        assert!((borne / load - 1.0).abs() < 1e-12, "{slope}°: {borne} N of {load} N, {told}");
    }
}

/// d = dmin + y (dmax − dmin), y(x) through (0, 0), (midpoint, midpoint) and (1, 1) by two powers,
/// and flat beyond the width; one contact bears k d depth/R, R = (1 − d)/(d m), and creeps at T_i
/// R/b.
#[test]
fn mujocos_impedance_follows_its_sigmoid_on_both_sides_of_the_midpoint_and_beyond_the_width() {
    let (stiffness, damping, dmin, dmax, width, mass) = (2500.0, 80.0, 0.5, 0.9, 1e-3, 2.0);
    for (power, midpoint, x, y) in [
        (1.0, 0.5, 0.3, 0.3),
        // .25²/.5, and 1 less that
        (2.0, 0.5, 0.25, 0.125),
        (2.0, 0.5, 0.75, 0.875),
        // .2³/.4², 1 − .3³/.6²
        (3.0, 0.4, 0.2, 0.05),
        (3.0, 0.4, 0.4, 0.4),
        (3.0, 0.4, 0.7, 0.925),
        (2.0, 0.5, 1.0, 1.0),
        (2.0, 0.5, 7.0, 1.0),
    ] {
        let (depth, d) = (x * width, dmin + y * (dmax - dmin));
        let (k, b) = (stiffness / (dmax * dmax), damping / dmax);
        let regularisation = (1.0 - d) / (d * mass);
        let normal = k * d * depth / regularisation;
        // of four contacts, each at two fifths of its cone
        let tangential = 0.2 * normal;
        let given = json!({ "cone": "elliptic", "stiffness": stiffness, "damping": damping,
            "dmin": dmin, "dmax": dmax, "solwidth": width, "power": power, "midpoint": midpoint,
            "mass": mass, "friction": 0.5, "contacts": 4, "height": 0, "impratio": 1,
            "normal_force": 4.0 * normal, "tangential_force": 4.0 * tangential });
        let told = answer("mujoco", given);
        for (what, found, right) in [
            ("depth", detail(&told, "depth of the first contact"), depth),
            ("impedance", detail(&told, "impedance d there"), d),
            ("creep", number(&told["creep"]), tangential * regularisation / b),
        ] {
            let off = (found / right - 1.0).abs();
            assert!(off < 1e-9, "power {power}, x = {x}: {what} {found}, not {right}");
        }
    }
}

/// The largest step itself fits, one a hundredth longer does not; without a limit every step does.
#[test]
fn a_step_fits_up_to_the_largest_and_not_beyond() {
    let mut limited = 0;
    for engine in ENGINES.names() {
        let at = |step: f64| answer(engine, json!({ "step": step }))["step"].clone();
        let told = at(1e-6);
        let Some(largest) = told["largest"].as_f64() else {
            assert_eq!(at(10.0)["fits"], true, "{engine}: {}", told["formula"]);
            continue;
        };
        limited += 1;
        for (share, fits) in [(0.5, true), (1.0, true), (1.01, false), (3.0, false)] {
            let asked = at(share * largest);
            assert_eq!(asked["largest"], told["largest"], "{engine}");
            assert_eq!(asked["fits"], fits, "{engine} at {share} of the largest: {asked}");
        }
    }
    assert!(limited >= 3, "{limited} engines with a limit");
}
