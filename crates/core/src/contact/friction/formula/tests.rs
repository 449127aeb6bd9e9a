use super::*;
use crate::contact::friction::central_differences;
use crate::contact::friction::threshold::Threshold;
use crate::registry::Value;
use std::collections::BTreeMap;

fn given(key: &'static str, text: &str, epsilon: f64) -> Result<Formula, Problem> {
    let constants = BTreeMap::from([("a".to_string(), 0.3), ("w".to_string(), 0.05)]);
    let values = Values::default()
        .set(key, Value::Text(text.into()))
        .set("constants", Value::Constants(constants))
        .set("epsilon", Value::Number(epsilon));
    make(&values)
}

const PAIR: Coefficients = Coefficients { static_friction: 0.6, kinetic_friction: 0.4 };

const LAWS: [(&str, &str); 6] = [
    ("mu", DEFAULT),
    ("mu", "0.3"),
    ("mu", "a + 0.1*exp(-s/w)"),
    ("mu", "mu_k / (1 + N/100) + 0.1*tanh(s)"),
    ("force", "mu_k*N*(1 - exp(-s/w))"),
    ("force", "a*N^0.9*N^0.1 - 0.05*N*sin(s)/(1 + s^2)"),
];

fn slip(s: f64, n: f64) -> Slip {
    Slip { velocity: Vector::new(0.6, 0.8, 0.0) * s, normal_force: n, ..Slip::default() }
}

#[test]
fn a_constant_formula_is_the_threshold_law() {
    let law = given("mu", "a", 1e-2).expect("a law");
    let pair = Coefficients { static_friction: 0.3, kinetic_friction: 0.3 };
    let threshold = Threshold { epsilon: 1e-2 };
    for s in [0.0, 1e-5, 9.9e-3, 1.1e-2, 3.0] {
        let slip = slip(s, 7.0);
        assert!((law.force(&slip, &pair) - threshold.force(&slip, &pair)).norm() < 1e-14);
        let (own, other) = (law.derivative(&slip, &pair), threshold.derivative(&slip, &pair));
        assert!((own.by_velocity - other.by_velocity).norm() < 1e-9);
        assert!((own.by_normal_force - other.by_normal_force).norm() < 1e-14);
        assert_eq!(law.damping(&slip, &pair), threshold.damping(&slip, &pair));
    }
    for ratio in [0.1, 0.5, 0.9] {
        let (own, other) = (law.creep(ratio, 7.0, &pair), threshold.creep(ratio, 7.0, &pair));
        assert!((own.expect("creep") / other.expect("creep") - 1.0).abs() < 1e-12);
    }
    assert_eq!(law.creep(1.1, 7.0, &pair), None);
}

#[test]
fn derivatives_agree_with_differences() {
    for (key, text) in LAWS {
        let law = given(key, text, 1e-2).expect(text);
        for s in [1e-4, 5e-3, 2e-2, 0.07, 0.5] {
            for n in [0.5, 20.0] {
                let slip = slip(s, n);
                let exact = law.derivative(&slip, &PAIR);
                let numeric = central_differences(&law, &slip, &PAIR);
                let plane = Matrix::from_diagonal(&Vector::new(1.0, 1.0, 0.0));
                let off = (plane * (exact.by_velocity - numeric.by_velocity) * plane).norm();
                assert!(off <= 1e-6 * (1.0 + exact.by_velocity.norm()), "{text} {s} {n}: {off}");
                let off = (exact.by_normal_force - numeric.by_normal_force).norm();
                assert!(off <= 1e-7, "{text} {s} {n}: {off}");
            }
        }
    }
}

/// The stated damping is never exceeded.
#[test]
fn damping_bounds_the_derivative() {
    for (key, text) in LAWS {
        let law = given(key, text, 1e-2).expect(text);
        for n in [0.02, 1.0, 37.0] {
            let promised = law.damping(&slip(0.0, n), &PAIR);
            let mut most = 0.0f64;
            for s in speeds() {
                let matrix = law.derivative(&slip(s, n), &PAIR).by_velocity;
                most = most.max(matrix.symmetric_eigenvalues().abs().max());
            }
            assert!(most <= promised, "{text} {n}: {most} {promised}");
        }
    }
}

/// At its creep speed each law bears exactly the load, and a heavier load creeps faster.
#[test]
fn creep_bears_the_load() {
    for (key, text) in LAWS {
        let law = given(key, text, 1e-2).expect(text);
        let mut last = 0.0;
        for ratio in [0.1, 0.3, 0.5, 0.6] {
            let Some(speed) = law.creep(ratio, 5.0, &PAIR) else { continue };
            let force = law.force(&slip(speed, 5.0), &PAIR).norm();
            assert!((force / (ratio * 3.0) - 1.0).abs() < 1e-12, "{text} {ratio}: {force}");
            assert!(speed > last, "{text}");
            last = speed;
        }
        assert!(last > 0.0, "{text}");
    }
    // 0.3 N is less than a load of 0.9 × 0.6 N
    assert_eq!(given("mu", "0.3", 1e-2).expect("a law").creep(0.9, 5.0, &PAIR), None);
}

#[test]
fn the_force_stays_in_the_cone_whatever_the_formula_says() {
    for text in ["5", "1e9*s", "s^2", "exp(s/1000)"] {
        let law = given("mu", text, 1e-3).expect(text);
        for s in [1e-4, 1.0, 50.0] {
            let force = law.force(&slip(s, 10.0), &PAIR).norm();
            assert!(force <= 6.0 * (1.0 + 1e-15), "{text} {s}: {force}");
            let slopes = law.derivative(&slip(s, 10.0), &PAIR);
            assert!(slopes.by_velocity.iter().all(|x| x.is_finite()), "{text}");
        }
    }
}

#[test]
fn impossible_formulas_are_refused_with_numbers() {
    let problem = |key, text| given(key, text, 1e-3).err().unwrap_or_else(|| panic!("{text}"));
    for (key, text, message) in [
        ("mu", "0.3 + t", "`t`"),
        ("mu", "log(s)", "no finite value at s = 0 m/s and N = 1e-6 N"),
        ("mu", "exp(s^2)", "no finite value at s ="),
        ("mu", "0.3 - 0.1*s", "negative at s = 3."),
        ("force", "N - 5", "negative at s = 0 m/s and N = 1e-6 N"),
    ] {
        let problem = problem(key, text);
        assert_eq!(problem.key, Some(key), "{text}");
        assert!(problem.message.contains(message), "{text}: {}", problem.message);
    }
    let both = Values::default()
        .set("mu", Value::Text("0.3".into()))
        .set("force", Value::Text("0.3*N".into()))
        .set("epsilon", Value::Number(1e-3));
    assert_eq!(make(&both).err().and_then(|p| p.key), Some("force"));
}

#[test]
fn a_formula_must_fit_its_pair() {
    let fits = |key, text, pair: &Coefficients| given(key, text, 1e-3).expect(text).fits(pair);
    for (key, text) in LAWS {
        assert_eq!(fits(key, text, &PAIR), Ok(()), "{text}");
    }
    let problem = fits("mu", "0.7 - 0.2*tanh(s)", &PAIR).expect_err("too large");
    assert!(problem.message.contains("gives 0.7 at s = 0 m/s"), "{}", problem.message);
    assert!(problem.message.contains("is 0.6"), "{}", problem.message);
    // negative for this pair only
    let slippery = Coefficients { static_friction: 0.2, kinetic_friction: 0.05 };
    let problem = fits("mu", "mu_k - 0.1", &slippery).expect_err("negative");
    assert!(problem.message.contains("negative"), "{}", problem.message);
    assert!(fits("force", "5*s", &PAIR).is_err());
}
