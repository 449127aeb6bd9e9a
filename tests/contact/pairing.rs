//! Combine rules: the published table, their properties, and explicit pairs.

use proptest::prelude::*;
use std::path::Path;
use stiction_core::contact::material::{CombineRule, FRICTION_PAIRINGS, RESTITUTION_PAIRINGS};
use stiction_core::math::{larger, smaller, sqrt};
use stiction_scene::build::coefficients as of_materials;
use stiction_scene::{LoadOptions, load_text};

fn law(table: &'static [CombineRule], name: &str) -> fn(f64, f64) -> f64 {
    table.iter().find(|law| law.name == name).expect("the row").combine
}

fn all_laws() -> impl Iterator<Item = &'static CombineRule> {
    FRICTION_PAIRINGS.iter().chain(RESTITUTION_PAIRINGS)
}

/// The rules agree with their formulas written out by hand, but for a few last bits.
#[test]
fn weighted_sums_agree_with_hand_calculation() {
    let root = sqrt(2.0);
    let friction = law(FRICTION_PAIRINGS, "weighted-sum");
    // w(0) = √2 + 1, w(½) = √2/2 + 1, w(1) = 1
    let by_hand = (root / 2.0 + 1.0) * 0.5 / ((root + 1.0) + (root / 2.0 + 1.0));
    assert!((friction(0.0, 0.5) - by_hand).abs() < 1e-15);
    assert!((friction(0.0, 1.0) - 1.0 / (root + 2.0)).abs() < 1e-15);
    let restitution = law(RESTITUTION_PAIRINGS, "weighted-sum");
    // w(½) = 1, w(1) = √2 + 1
    let by_hand = (0.5 + (root + 1.0)) / (root + 2.0);
    assert!((restitution(0.5, 1.0) - by_hand).abs() < 1e-15);
}

#[test]
fn the_laws_of_other_engines() {
    for table in [FRICTION_PAIRINGS, RESTITUTION_PAIRINGS] {
        assert_eq!(law(table, "maximum")(0.2, 0.7), 0.7);
        assert!((law(table, "product")(0.2, 0.7) - 0.14).abs() < 1e-15);
        assert!((law(table, "harmonic")(0.2, 0.7) - 0.28 / 0.9).abs() < 1e-15);
        assert_eq!(law(table, "harmonic")(0.0, 0.0), 0.0);
    }
}

proptest! {
    #[test]
    fn laws_are_symmetric_and_between_their_materials(x in 0.0..1.0f64, y in 0.0..1.0f64) {
        for law in all_laws() {
            let f = law.combine;
            prop_assert!((f(x, y) - f(y, x)).abs() <= 4e-16, "{} {x} {y}", law.name);
            if law.name != "product" {
                prop_assert!((f(x, x) - x).abs() <= 4e-16, "{} {x}", law.name);
                let (low, high) = (smaller(x, y), larger(x, y));
                prop_assert!(f(x, y) >= low - 4e-16 && f(x, y) <= high + 4e-16, "{} {x} {y}", law.name);
            }
        }
    }

    /// μ may be larger than one.
    #[test]
    fn friction_laws_stay_between_their_materials_above_one(x in 0.0..5.0f64, y in 0.0..5.0f64) {
        for law in FRICTION_PAIRINGS.iter().filter(|law| law.name != "product") {
            let (low, high, f) = (smaller(x, y), larger(x, y), (law.combine)(x, y));
            prop_assert!(f >= low * (1.0 - 1e-14) && f <= high * (1.0 + 1e-14), "{} {x} {y}", law.name);
        }
    }
}

/// Largest fall of f(x, y) from one x of a grid to the next, over all y of the grid.
fn largest_fall(f: impl Fn(f64, f64) -> f64) -> f64 {
    const N: i32 = 200;
    let at = |i: i32| f64::from(i) / f64::from(N);
    let mut fall = 0.0;
    for j in 0..=N {
        for i in 0..N {
            fall = larger(fall, f(at(i), at(j)) - f(at(i + 1), at(j)));
        }
    }
    fall
}

#[test]
fn a_grippier_material_never_makes_a_more_slippery_pair() {
    for law in all_laws() {
        let fall = largest_fall(law.combine);
        assert!(fall <= 4e-16, "{} falls by {fall}", law.name);
    }
}

/// The family w(x) = c (1 − x) + 1 is monotone up to c = √2 and not beyond: the rule sits on the
/// edge.
#[test]
fn the_weight_is_the_largest_that_is_monotone() {
    let weighted = |c: f64| {
        move |x: f64, y: f64| {
            let (wx, wy) = (c * (1.0 - x) + 1.0, c * (1.0 - y) + 1.0);
            (wx * x + wy * y) / (wx + wy)
        }
    };
    let own = law(FRICTION_PAIRINGS, "weighted-sum");
    for (x, y) in [(0.1, 0.3), (0.0, 0.8), (0.9, 0.6)] {
        assert!((own(x, y) - weighted(sqrt(2.0))(x, y)).abs() < 1e-15);
    }
    assert!(largest_fall(weighted(1.3)) <= 1e-16);
    assert!(largest_fall(weighted(1.45)) > 1e-6);
    // the slope at the corner (1, 0) is (2 − c²)/(2 + c)²: zero for the rule's own c
    let h = 1e-6;
    let slope = |c: f64| (weighted(c)(1.0, 0.0) - weighted(c)(1.0 - h, 0.0)) / h;
    for c in [1.0, sqrt(2.0), 2.0] {
        let exact = (2.0 - c * c) / ((2.0 + c) * (2.0 + c));
        assert!((slope(c) - exact).abs() < 1e-5, "{c}: {} {exact}", slope(c));
    }
    assert!(((own(1.0, 0.0) - own(1.0 - h, 0.0)) / h).abs() < 1e-5);
    assert!((weighted(2.0)(0.87868, 0.0) - 0.257359).abs() < 1e-6);
}

/// Two materials and a combine rule for their pair.
fn scene(pairing: &str, more: &str) -> String {
    format!(
        "format = 1
        time = {{ end = 1.0, step = 1e-3, output = 1.0 }}
        integrator = {{ method = \"rk4\" }}
        materials.wood = {{ static_friction = 0.5, kinetic_friction = 0.25 }}
        materials.steel = {{ static_friction = 1.0, kinetic_friction = 0.75 }}
        {pairing}
        [contact]
        normal = {{ stiffness = 1e5 }}
        [[body]]
        name = \"block\"
        material = \"wood\"
        mass = 1.0
        shape = {{ particle = {{}} }}
        [[collider]]
        name = \"floor\"
        material = \"steel\"
        shape = {{ plane = {{}} }}
        {more}"
    )
}

/// (μ_s, μ_k) of the block and the floor.
fn coefficients(pairing: &str, more: &str) -> [f64; 2] {
    let text = scene(pairing, more);
    let scene = load_text("test.toml", &text, Path::new("."), &LoadOptions::default())
        .unwrap_or_else(|errors| panic!("{errors:?}"))
        .scene;
    let (block, floor) = (scene.bodies[0].material, scene.colliders[0].material);
    let found = of_materials(&scene, block, floor);
    assert_eq!(found, of_materials(&scene, floor, block));
    [found.static_friction, found.kinetic_friction]
}

#[test]
fn scenes_pair_static_with_static_and_kinetic_with_kinetic() {
    for law in FRICTION_PAIRINGS {
        let found = coefficients(&format!("pairing = {{ friction = \"{}\" }}", law.name), "");
        assert_eq!(found, [(law.combine)(0.5, 1.0), (law.combine)(0.25, 0.75)], "{}", law.name);
    }
    let weighted = law(FRICTION_PAIRINGS, "weighted-sum");
    assert_eq!(coefficients("", ""), [weighted(0.5, 1.0), weighted(0.25, 0.75)]);
}

#[test]
fn an_explicit_pair_wins() {
    for materials in ["[\"wood\", \"steel\"]", "[\"steel\", \"wood\"]"] {
        let pair = |keys: &str| {
            coefficients(
                "pairing = { friction = \"mean\" }",
                &format!("[[pair]]\nmaterials = {materials}\n{keys}"),
            )
        };
        assert_eq!(pair("static_friction = 0.9\nkinetic_friction = 0.1"), [0.9, 0.1]);
        assert_eq!(pair("static_friction = 0.9"), [0.9, 0.9]);
        assert_eq!(pair("kinetic_friction = 0.1"), [0.75, 0.1]);
    }
    // a pair of other materials changes nothing
    let other = "[[pair]]\nmaterials = [\"wood\", \"wood\"]\nstatic_friction = 0.9";
    assert_eq!(coefficients("pairing = { friction = \"mean\" }", other), [0.75, 0.5]);
}
