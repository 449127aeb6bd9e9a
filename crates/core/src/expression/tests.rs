use super::*;
use proptest::prelude::*;

const XYZ: &[&str] = &["x", "y", "z"];

fn none() -> BTreeMap<String, f64> {
    BTreeMap::new()
}

fn value(text: &str, at: [f64; 3]) -> f64 {
    Expression::parse(text, XYZ, &none()).unwrap_or_else(|f| panic!("{text}: {f}")).eval(&at)
}

#[test]
fn operators_bind_as_in_mathematics() {
    for (text, expected) in [
        ("-2^2", -4.0),
        ("2^-1", 0.5),
        ("2^3^2", 512.0),
        ("8/4/2", 1.0),
        ("8-4-2", 2.0),
        ("2*3+4*5", 26.0),
        ("-(1+2)*3", -9.0),
        ("2--3", 5.0),
        ("1e-3 + 2.5E2 + .5 + 3.", 253.501),
        ("pi", PI),
        ("  sqrt( 9 ) ", 3.0),
        ("abs(-4)*tanh(0)", 0.0),
        ("x^2*y - z", 18.0 - 4.0),
        ("exp(-(x/y)^2)", crate::math::exp(-2.25)),
        ("log(exp(2))", 2.0),
        ("min(x, y) + 10*max(x, y)", 32.0),
        ("max(min(z, 1), -(x))", 1.0),
    ] {
        let got = value(text, [3.0, 2.0, 4.0]);
        assert!((got - expected).abs() < 1e-15 * expected.abs().max(1.0), "{text}: {got}");
    }
}

#[test]
fn constants_are_known_and_may_not_hide_anything() {
    let constants = BTreeMap::from([("a".to_string(), 0.5), ("a_2".to_string(), 3.0)]);
    let expression = Expression::parse("a*x + a_2", XYZ, &constants).expect("a formula");
    assert_eq!(expression.eval(&[4.0, 0.0, 0.0]), 5.0);
    for name in ["x", "sin", "pi", "2a", "", "ä"] {
        let constants = BTreeMap::from([(name.to_string(), 1.0)]);
        let fault = Expression::parse("x", XYZ, &constants).expect_err(name);
        assert!(fault.message.contains(name), "{fault}");
    }
}

#[test]
fn derivatives_agree_with_differences() {
    for text in [
        "sin(x*y)",
        "cos(x/y)",
        "tan(0.3*x)",
        "exp(-x^2)",
        "log(x)",
        "sqrt(x + y)",
        "abs(y - x)",
        "tanh(x*z)",
        "x^3",
        "x^y",
        "2^x",
        "x/(y + z)",
        "-x^2 + y^2*z",
        "(x + 1)^(0.5*z)",
        "sin(cos(tanh(x + y*z)))",
        "x^-2",
        "abs(sin(x))^1.5",
        "min(x^2, y)",
        "max(x*y, exp(z))",
        "min(0.2 + 0.1*x, max(y, z))",
    ] {
        let expression = Expression::parse(text, XYZ, &none()).expect("a formula");
        let bundle = expression.with_partials([0, 1, 2]);
        for at in [[0.7, 1.3, 0.4], [1.9, 0.6, 1.1]] {
            let (whole, slopes) = bundle.eval(&at);
            assert_eq!(whole, expression.eval(&at));
            assert_eq!(whole, bundle.value(&at));
            for axis in 0..3 {
                let h = 1e-5;
                let (mut a, mut b) = (at, at);
                a[axis] -= h;
                b[axis] += h;
                let numeric = (expression.eval(&b) - expression.eval(&a)) / (2.0 * h);
                let exact = expression.partial(axis).eval(&at);
                assert_eq!(exact, slopes[axis]);
                assert!(
                    (exact - numeric).abs() < 1e-8 * (1.0 + exact.abs()),
                    "{text}: {exact} {numeric}"
                );
            }
        }
    }
}

#[test]
fn integer_powers_have_derivatives_at_zero_and_below() {
    let square = Expression::parse("x^2 + y^3", XYZ, &none()).expect("a formula");
    assert_eq!(square.with_partials([0, 1]).eval(&[0.0, 0.0, 0.0]), (0.0, [0.0, 0.0]));
    assert_eq!(square.with_partials([0, 1]).eval(&[-2.0, -3.0, 0.0]), (-23.0, [-4.0, 27.0]));
    assert!(square.depends_on(1) && !square.depends_on(2));
}

#[test]
fn faults_say_where_and_what_to_do() {
    for (text, at, message, help) in [
        ("", None, "empty", "write"),
        ("x +", Some(3), "ends", "write"),
        ("x + t", Some(4), "`t`", "variables: `x`, `y`, `z`; constants: `pi`; functions: `sin`"),
        ("sinn(x)", Some(0), "`sinn`", "did you mean `sin`?"),
        ("2x", Some(1), "`x`", "2*x"),
        ("x**2", Some(2), "`*`", "^"),
        ("x²", Some(1), "`²`", "^"),
        ("x − 1", Some(2), "`−`", "`-`"),
        ("(x + 1", Some(0), "not closed", ")"),
        ("x + 1)", Some(5), "`)`", "nothing is open"),
        ("sin x", Some(0), "needs an argument", "sin(...)"),
        ("x(2)", Some(0), "no function", "x*(...)"),
        ("1.2.3", Some(3), "`.`", "operator"),
        ("1e999", Some(0), "no number", "2e-3"),
        ("x $ y", Some(2), "`$`", "numbers"),
        ("0,5", Some(1), "`,`", "decimal"),
    ] {
        let fault = Expression::parse(text, XYZ, &none()).expect_err(text);
        assert_eq!(fault.position, at, "{text}: {fault}");
        assert!(fault.message.contains(message), "{text}: {fault}");
        assert!(fault.help.contains(help), "{text}: {}", fault.help);
    }
    let deep = "(".repeat(400) + "x" + &")".repeat(400);
    for text in [deep, "-".repeat(900) + "x", "x^".repeat(400) + "x", "x+".repeat(600) + "x"] {
        let fault = Expression::parse(&text, XYZ, &none()).expect_err(&text);
        assert!(fault.message.contains("100"), "{fault}");
    }
}

/// The longest formulas stay small in their derivatives: no growth by copying.
#[test]
fn derivatives_grow_in_proportion() {
    let mut nest = "x".to_string();
    for _ in 0..95 {
        nest = format!("sin({nest})");
    }
    for text in ["x*".repeat(499) + "x", "x^(".repeat(45) + "x" + &")".repeat(45), nest] {
        let expression = Expression::parse(&text, XYZ, &none()).expect("a formula");
        let derivative = expression.partial(0);
        assert!(derivative.graph.nodes.len() <= 8 * expression.graph.nodes.len());
        assert!(derivative.eval(&[1.01, 0.0, 0.0]).is_finite());
    }
}

/// Random formulas with every order of evaluation written out, so that both readers must agree.
fn formula() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("x".to_string()),
        Just("y".to_string()),
        (1..40u32).prop_map(|n| format!("{:?}", f64::from(n) / 8.0)),
    ];
    leaf.prop_recursive(4, 24, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone(), prop::sample::select(vec!["+", "-", "*", "/"]))
                .prop_map(|(a, b, o)| format!("(({a}) {o} ({b}))")),
            (inner.clone(), 1..4u32).prop_map(|(a, n)| format!("(({a})^{n}.0)")),
            (inner, prop::sample::select(vec!["sin", "cos", "tanh", "exp", "sqrt", "log", "tan"]))
                .prop_map(|(a, f)| format!("({f}({a}))")),
        ]
    })
}

proptest! {
    #[test]
    fn any_text_is_a_formula_or_a_fault(text in "\\PC{0,60}") {
        let _ = Expression::parse(&text, XYZ, &none());
    }

    #[test]
    fn any_near_formula_is_a_formula_or_a_fault(text in "[xyzabsin0-9.e+*/^() -]{0,60}") {
        if let Ok(expression) = Expression::parse(&text, XYZ, &none()) {
            let _ = expression.with_partials([0, 1, 2]).eval(&[0.3, -1.0, 2.0]);
        }
    }

    /// The crate `exmex` finds the same values and derivatives, where no digits are lost on the
    /// way: every value in between is zero or of moderate size.
    #[test]
    fn formulas_and_derivatives_agree_with_another_reader(text in formula()) {
        use exmex::{Differentiate, Express};
        let at = [1.25, 0.75, 0.0];
        let other = exmex::FlatEx::<f64>::parse(&text).expect("a formula");
        let names: Vec<String> = other.var_names().to_vec();
        let values: Vec<f64> = names.iter().map(|n| if n == "x" { at[0] } else { at[1] }).collect();
        let own = Expression::parse(&text, XYZ, &none()).expect("a formula");
        let moderate = |formula: &Expression| {
            let fits = |x: &f64| *x == 0.0 || (1e-4..1e5).contains(&x.abs());
            formula.graph.with_values(&at, |all| all.iter().all(fits))
        };
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-5 * (a.abs() + b.abs()) + 1e-12;
        if moderate(&own) {
            let (a, b) = (own.eval(&at), other.eval(&values).expect("a value"));
            prop_assert!(near(a, b), "{text}: {a} {b}");
        }
        for (k, name) in names.iter().enumerate() {
            let slope = own.partial(usize::from(name == "y"));
            if moderate(&own) && moderate(&slope) {
                let theirs = other.clone().partial(k).expect("a derivative");
                let (a, b) = (slope.eval(&at), theirs.eval(&values).expect("a value"));
                prop_assert!(near(a, b), "{text} by {name}: {a} {b}");
            }
        }
    }
}
