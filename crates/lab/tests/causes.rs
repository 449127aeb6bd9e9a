//! The error of a run by cause: the distance from Coulomb's friction on rigid surfaces, against its closed forms.

use std::path::Path;
use stiction_core::contact::friction::{FRICTION_LAWS, FrictionLaw, Slip};
use stiction_core::math::{Vector, cos, sin};
use stiction_core::registry::Entry;
use stiction_core::state::memory::Coefficients;
use stiction_lab::run::cause::Cause;
use stiction_lab::run::verification::CauseBars;
use stiction_lab::run::{Means, Run, Verification};
use stiction_scene::build::{BuildOptions, build};
use stiction_scene::{LoadOptions, load_text};

/// A block on a plane inclined by `slope` degrees, at its depth, with a speed along the plane.
fn block(slope: f64, speed: f64, contact: &str, end: f64) -> String {
    let (s, c) = (sin(slope.to_radians()), cos(slope.to_radians()));
    let (x, z, v, w) = (s * c * 9.81e-5, -c * c * 9.81e-5, speed * c, speed * s);
    let minus = -s;
    format!(
        "format = 1
world.gravity = [0, 0, -9.81]
time = {{ end = {end}, step = 1e-4, output = 0.01 }}
integrator.method = \"symplectic-euler\"
materials.m = {{ static_friction = 0.5, kinetic_friction = 0.4 }}
[contact]
{contact}
[[body]]
name = \"block\"
mass = 1.0
shape = {{ particle = {{}} }}
position = [{x}, 0, {z}]
velocity = [{v}, 0, {w}]
[[collider]]
name = \"floor\"
shape = {{ plane = {{ normal = [{minus}, 0, {c}] }} }}
[[measure]]
name = \"way\"
kind = \"displacement\"
body = \"block\"
direction = [{c}, 0, {s}]
[[measure]]
name = \"height\"
kind = \"position\"
body = \"block\"
direction = [{minus}, 0, {c}]
"
    )
}

fn penalty(friction: &str) -> String {
    format!("normal = {{ stiffness = 1e5, damping = 200 }}\nfriction = {{ {friction} }}")
}

fn verified(text: &str, means: Means) -> Verification {
    let loaded = load_text("block.toml", text, Path::new("."), &LoadOptions::default());
    let scene = loaded.unwrap_or_else(|errors| panic!("{}", errors.render(false))).scene;
    let mut run = Run::new(&scene, &BuildOptions::default()).expect("a run");
    run.verify(means, Box::new(|scene| build(scene, &BuildOptions::default())));
    run.finish().expect("it runs").verification.expect("it is verified")
}

fn by(of: &Verification, cause: Cause) -> &CauseBars {
    of.causes.iter().find(|by| by.cause == cause).expect("the cause was asked for")
}

fn value(of: &Verification, column: &str) -> f64 {
    let found = of.measures.iter().find(|measure| measure.columns[0] == column);
    found.expect("a measure").ends[0][0]
}

/// Creep is all error: its bar covers the whole value, at order 1.
#[test]
fn the_share_of_epsilon_covers_the_whole_creep() {
    let of = verified(&block(15.0, 0.0, &penalty("epsilon = 1e-2"), 0.4), Means::MODEL);
    let (error, way) = (by(&of, Cause::Epsilon).error("way").expect("known"), value(&of, "way"));
    assert!(way < -1e-3, "{way}");
    assert!(error >= way.abs() && error < 1.5 * way.abs(), "{error} of {way}");
    let (bar, _) = by(&of, Cause::Epsilon).find("way").expect("a measure");
    assert!((bar.bar.order.expect("seen") - 1.0).abs() < 0.1, "{:?}", bar.bar.order);
    assert_eq!(bar.bar.safety, Some(1.25));
}

/// A slide is short by an amount of order ε², and v²/(2 μ_k g) lies within the sum.
#[test]
fn the_way_of_a_slide_under_coulombs_law_lies_within_the_sum() {
    let text = block(0.0, 1.5, &penalty("epsilon = 3e-2"), 0.6);
    let of =
        verified(&text.replace("kinetic_friction = 0.4", "kinetic_friction = 0.5"), Means::ALL);
    let truth = 1.5 * 1.5 / (2.0 * 0.5 * 9.81);
    let off = (value(&of, "way") - truth).abs();
    let sum = of.sum_of_causes("way").expect("known");
    assert!(off > 1e-5 && off <= sum, "{off} {sum}");
    // the ramp below ε adds ε²/(2 μ g)
    let (own, share) = (3e-2 * 3e-2 / 9.81, by(&of, Cause::Epsilon).error("way").expect("known"));
    assert!(share >= own && share < 1.4 * own, "{share} {own}");
    let (bar, _) = by(&of, Cause::Epsilon).find("way").expect("a measure");
    assert!((bar.bar.order.expect("seen") - 2.0).abs() < 0.2, "{:?}", bar.bar.order);
    // an explicit method iterates nothing
    let solver = by(&of, Cause::Solver);
    assert!(solver.known && solver.runs.is_empty() && solver.error("way") == Some(0.0));
}

/// The depth N/k of what rests is all error, and nothing jumps at other stiffnesses.
#[test]
fn the_share_of_depth_covers_the_depth_at_rest() {
    let of = verified(&block(15.0, 0.0, &penalty("epsilon = 1e-3"), 0.4), Means::MODEL);
    let (error, height) = (by(&of, Cause::Depth).error("height"), value(&of, "height"));
    let depth = 9.81e-5 * cos(15f64.to_radians());
    assert!((height + depth).abs() < 1e-7, "{height} {depth}");
    assert!(error.is_some_and(|error| error >= depth && error < 1.3 * depth), "{error:?} {depth}");
    let depth = by(&of, Cause::Depth);
    assert_eq!(depth.parameter, Some(("contact.normal.stiffness".into(), Some(1e5))));
    let factors: Vec<f64> = depth.runs.iter().map(|run| run.factor).collect();
    assert!((factors[0] - 0.5).abs() < 1e-12 && factors[1] == 0.25, "{factors:?}");
    assert!(depth.error("way").is_some_and(|error| error < 1e-6), "{:?}", depth.error("way"));
}

/// Contact that jumps velocities has neither ε nor depth; without contact neither counts.
#[test]
fn a_cause_that_does_not_act_has_no_share_and_says_why() {
    let exact = verified(&block(0.0, 1.0, "method = \"exact\"", 0.4), Means::ALL);
    for (cause, why) in [(Cause::Epsilon, "no friction law"), (Cause::Depth, "no penalty")] {
        let by = by(&exact, cause);
        assert!(by.note.as_ref().is_some_and(|note| note.contains(why)), "{by:?}");
        assert_eq!((by.error("way"), by.runs.len()), (Some(0.0), 0));
    }
    assert_eq!(by(&exact, Cause::Solver).runs.len(), 2);
    let text = block(0.0, 1.0, &penalty("epsilon = 1e-2"), 0.1).replace("-9.81]", "9.81]");
    let flies = verified(
        &text.replace("position = [0, 0, -0.0000981]", "position = [0, 0, 1]"),
        Means::MODEL,
    );
    let note = by(&flies, Cause::Depth).note.clone();
    assert_eq!(note.as_deref(), Some("no contact in this run"));
}

/// A law that does not say which key leads to Coulomb's is not left out: its share, and the sum, are not known.
#[test]
fn the_share_of_a_law_that_does_not_say_is_not_known() {
    struct Viscous;
    impl FrictionLaw for Viscous {
        fn force(&self, slip: &Slip, pair: &Coefficients) -> Vector {
            let cone = pair.kinetic_friction * slip.normal_force;
            slip.velocity * (-cone / (slip.velocity.norm() + 1e-3))
        }

        fn sticks(&self, slip: &Slip, _: &Coefficients) -> bool {
            slip.velocity.norm() < 1e-3
        }

        fn damping(&self, slip: &Slip, pair: &Coefficients) -> f64 {
            pair.kinetic_friction * slip.normal_force / 1e-3
        }
    }
    FRICTION_LAWS
        .register(Entry::new("own-root", "its own", |_| Ok(Box::new(Viscous))))
        .expect("new");
    let of = verified(&block(0.0, 1.0, &penalty("law = \"own-root\""), 0.4), Means::MODEL);
    let epsilon = by(&of, Cause::Epsilon);
    assert!(!epsilon.known && epsilon.error("way").is_none() && epsilon.note.is_some());
    assert!(by(&of, Cause::Depth).known);
    assert_eq!(of.sum_of_causes("way"), None);
}

/// An iteration that ends early is found out by a tighter tolerance: a slide within a bent ramp.
#[test]
fn the_share_of_the_solver_grows_with_its_tolerance() {
    let share = |tolerance: &str| {
        let text = block(0.0, 1.0, &penalty("law = \"quintic\", epsilon = 2"), 0.4);
        let integrator = format!(
            "integrator = {{ method = \"implicit-euler\", newton_tolerance = {tolerance} }}"
        );
        let text = text.replace("integrator.method = \"symplectic-euler\"", &integrator);
        let of = verified(&text.replace("step = 1e-4", "step = 1e-2"), Means::ALL);
        by(&of, Cause::Solver).error("way").expect("known")
    };
    let (loose, tight) = (share("1e-1"), share("1e-12"));
    assert!(loose > 1e-7 && tight < 1e-9, "{loose} {tight}");
}
