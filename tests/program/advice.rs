//! The advice of runs that are not trusted.

use super::verify::{document, level, oscillator};
use stiction_core::math::cos;

/// The settings that a run which is not trusted names lead to one that is, and right; where the error of a
/// method of low order would take many steps they are another method.
#[test]
fn advice_leads_to_a_trusted_run() {
    let mut methods = 0;
    for (method, step) in [
        ("explicit-euler", 5e-3),
        ("symplectic-euler", 0.05),
        ("implicit-euler", 0.01),
        ("rk4", 0.1),
    ] {
        let scene = oscillator(method, step, 6.0);
        let mut options = vec!["--verify".to_string()];
        let mut run = document(&scene, &["--verify"]);
        assert_eq!(level(&run), "not trusted", "{method}: {}", run["trust"]);
        for _ in 0..3 {
            let set = run["trust"]["advice"]["set"].as_object().expect("advice").clone();
            methods += usize::from(set.contains_key("integrator.method"));
            for (key, value) in set {
                options.push("--set".into());
                options.push(format!("{key}={}", value.as_str().unwrap()));
            }
            let options: Vec<&str> = options.iter().map(String::as_str).collect();
            run = document(&scene, &options);
            if level(&run) == "trusted" {
                break;
            }
        }
        assert_eq!(level(&run), "trusted", "{method}, {options:?}: {}", run["trust"]);
        assert!(run["trust"]["advice"].is_null());
        let x = run["last_frame"]["x"].as_f64().unwrap();
        let truth = 1.0 + 0.1 * cos(60.0);
        assert!((x - truth).abs() < 1e-3, "{method}, {options:?}: {x}, not {truth}");
    }
    assert!(methods > 0, "no method of higher order is advised");
}
