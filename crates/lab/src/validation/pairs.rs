//! The combine rules: coefficients of pairs from those of two materials \[stock2015\].

use super::{Case, CaseFigure, CaseTrial};
use std::f64::consts::FRAC_1_SQRT_2;
use stiction_core::contact::material::{
    CombineRule, FRICTION_PAIRINGS, RESTITUTION_PAIRINGS, friction_family,
};
use stiction_core::math::{larger, smaller, sqrt};

/// The cases.
pub const CASES: &[Case] = &[
    Case {
        group: "pairs",
        name: "table of pairs",
        about: "f(x, y) of the published laws; friction weighs with w = √2 (1 − x) + 1, restitution with √2 |2x − 1| + 1",
        trials: table,
    },
    Case {
        group: "pairs",
        name: "properties of pairs",
        about: "over a grid of [0, 1]²: symmetric, f(x, x) = x, between x and y, and never falling where a coefficient grows (product is not between)",
        trials: properties,
    },
    Case {
        group: "pairs",
        name: "the weight √2",
        about: "w(x) = c (1 − x) + 1: the slope at the corner is (2 − c²)/(2 + c)², and for c = 2 f(x, 0) peaks at .257359",
        trials: weight,
    },
];

/// Columns of the table: a combine rule, of friction or of restitution.
const COLUMNS: [(&str, &[CombineRule]); 6] = [
    ("minimum", FRICTION_PAIRINGS),
    ("mean", FRICTION_PAIRINGS),
    ("geometric", FRICTION_PAIRINGS),
    ("weighted-sum", FRICTION_PAIRINGS),
    ("weighted-sum", RESTITUTION_PAIRINGS),
    ("piecewise", RESTITUTION_PAIRINGS),
];

/// (x, y) and the values of the columns.
const TABLE: [([f64; 2], [f64; 6]); 6] = [
    ([0.0, 1.0], [0.0, 0.5, 0.0, 0.292893219, 0.5, 0.5]),
    ([0.1, 0.9], [0.1, 0.5, 0.3, 0.367451660, 0.5, 0.5]),
    ([0.25, 0.75], [0.25, 0.5, 0.433012702, 0.448223305, 0.5, 0.5]),
    ([0.5, 1.0], [0.5, 0.75, FRAC_1_SQRT_2, 0.684699031, 0.853553391, 1.0]),
    ([0.0, 0.5], [0.0, 0.25, 0.0, 0.207106781, 0.146446609, 0.0]),
    ([0.25, 0.5], [0.25, 0.375, 0.353553391, 0.363270460, 0.342349516, 0.25]),
];

fn kind(laws: &[CombineRule]) -> &'static str {
    if std::ptr::eq(laws, FRICTION_PAIRINGS) { "friction" } else { "restitution" }
}

fn table() -> Vec<CaseTrial> {
    let trial = |(column, (name, laws)): (usize, (&'static str, &'static [CombineRule]))| {
        CaseTrial::new(format!("{name}, {}", kind(laws)), move |_| {
            let law = laws.iter().find(|law| law.name == name).expect("the row").combine;
            let row = |([x, y], row): &([f64; 2], [f64; 6])| {
                CaseFigure::absolute(format!("f({x}, {y})"), "", row[column], law(*x, *y), 1e-9)
            };
            Ok(TABLE.iter().map(row).collect())
        })
    };
    COLUMNS.into_iter().enumerate().map(trial).collect()
}

/// The maximum of a function of two numbers over a grid.
fn largest(f: impl Fn(f64, f64) -> f64) -> f64 {
    const N: u32 = 200;
    let at = |i: u32| f64::from(i) / f64::from(N);
    (0..=N)
        .flat_map(|i| (0..=N).map(move |j| (at(i), at(j))))
        .fold(0.0, |most, (x, y)| larger(most, f(x, y)))
}

fn properties() -> Vec<CaseTrial> {
    let trial = |law: &'static CombineRule, kind: &'static str| {
        CaseTrial::new(format!("{}, {kind}", law.name), move |_| {
            let (f, rounding) = (law.combine, 4e-16);
            let nothing =
                |name: &str, worst: f64| CaseFigure::absolute(name, "", 0.0, worst, rounding);
            let step = 1.0 / 200.0;
            let fall = |x: f64, y: f64| if x < 1.0 { f(x, y) - f(x + step, y) } else { 0.0 };
            let mut figures = vec![
                nothing("f(x, y) − f(y, x), largest", largest(|x, y| (f(x, y) - f(y, x)).abs())),
                nothing("largest fall where x grows", largest(fall)),
            ];
            if law.name != "product" {
                let outside =
                    |x: f64, y: f64| larger(smaller(x, y) - f(x, y), f(x, y) - larger(x, y));
                figures.push(nothing("f(x, x) − x, largest", largest(|x, _| (f(x, x) - x).abs())));
                figures.push(nothing("how far outside x and y, largest", largest(outside)));
            }
            Ok(figures)
        })
    };
    let friction = FRICTION_PAIRINGS.iter().map(|law| trial(law, "friction"));
    friction.chain(RESTITUTION_PAIRINGS.iter().map(|law| trial(law, "restitution"))).collect()
}

fn weight() -> Vec<CaseTrial> {
    let corner = |c: f64, name: &str| {
        CaseTrial::new(name, move |_| {
            let h = 1e-6;
            let slope = (friction_family(c, 1.0, 0.0) - friction_family(c, 1.0 - h, 0.0)) / h;
            let exact = (2.0 - c * c) / ((2.0 + c) * (2.0 + c));
            Ok(vec![CaseFigure::absolute("slope of f(x, 0) at x = 1", "", exact, slope, 1e-5)])
        })
    };
    let peak = CaseTrial::new("c = 2", |_| {
        let top = largest(|x, _| friction_family(2.0, x, 0.0));
        let there = friction_family(2.0, 0.87868, 0.0);
        Ok(vec![
            CaseFigure::absolute("f(.87868, 0)", "", 0.257359, there, 1e-6),
            CaseFigure::absolute("f(x, 0), largest on a grid", "", 0.257359, top, 1e-5),
        ])
    });
    vec![corner(1.0, "c = 1"), corner(sqrt(2.0), "c = √2"), corner(2.0, "c = 2, corner"), peak]
}
