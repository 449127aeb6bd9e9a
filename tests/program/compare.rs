//! Comparisons: references that say how far they can be trusted, assertions for test-suites, and
//! baselines that tell a broken law, integrator and damping.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use stiction_core::contact::friction::threshold::Threshold;
use stiction_core::contact::friction::{FrictionLaw, Slip};
use stiction_core::forces::springs::Springs;
use stiction_core::integrators::{Capabilities, Integrator, StepReport};
use stiction_core::math::Vector;
use stiction_core::model::Model;
use stiction_core::state::State;
use stiction_core::state::memory::Coefficients;
use stiction_core::step_error::StepError;
use stiction_lab::experiment::base::Base;
use stiction_lab::experiment::baseline::{Baseline, Deviation};
use stiction_lab::experiment::compare::{Comparison, compare};
use stiction_lab::experiment::plan::{Plan, PlanError};
use stiction_lab::experiment::reference::ReferenceOrigin;
use stiction_scene::build::Built;

fn scene(name: &str) -> Plan {
    Plan::of(Base::file(Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes").join(name)))
}

fn words(list: &str) -> Vec<String> {
    list.split(',').map(String::from).collect()
}

fn ran(plan: &Plan) -> Comparison {
    compare(plan, 2, &mut |_, _, _| (), &|| false).unwrap_or_else(|error| panic!("{error}"))
}

/// against the exact solution: the error of a stop is v0 h/2, with the known sign
#[test]
fn a_block_is_compared_with_its_exact_solution() {
    let mut plan = scene("sliding_block.toml");
    plan.integrators = words("explicit-euler,symplectic-euler,rk4");
    plan.steps = words("5e-4,1e-4");
    let comparison = ran(&plan);
    let [reference] = &comparison.references[..] else { panic!("one law, one reference") };
    assert_eq!(reference.origin, ReferenceOrigin::Analysis);
    for row in &comparison.rows {
        let step: f64 = row.setting("step").and_then(|s| s.parse().ok()).expect("a number");
        let error = row.error.expect("both got there");
        match row.setting("integrator") {
            Some("rk4") => assert!(error < 1e-8, "{error}"),
            // v0 = 2
            _ => assert!((error / step - 1.0).abs() < 0.01, "{error}"),
        }
    }
}

/// A comparison that is stopped keeps the rows that had ended, and has no reference.
#[test]
fn what_had_ended_when_it_was_stopped_is_kept() {
    let plan = scene("sliding_block.toml").integrators(&["rk4", "heun"]).steps(&["1e-3", "1e-4"]);
    let ended = AtomicU64::new(0);
    let heard = &mut |_: &str, done: u64, _: u64| ended.store(done, Ordering::Relaxed);
    let stop = || ended.load(Ordering::Relaxed) >= 2;
    let comparison = compare(&plan, 1, heard, &stop).expect("a plan that runs");
    assert_eq!(comparison.rows.len(), 4);
    let completed = comparison.rows.iter().filter(|row| row.trial.completed()).count();
    assert_eq!(completed, 2);
    assert!(comparison.references.is_empty());
    assert!(comparison.rows.iter().all(|row| row.error.is_none() && row.reference.is_none()));
}

/// a block that moves along the normal, or off the plane of a planar scene, has no exact solution
/// here
#[test]
fn only_a_block_in_balance_is_solved() {
    for set in ["body.0.velocity=[2, 0, 0.1]", "body.0.velocity=[2, 0, -1e-3]"] {
        let mut plan = scene("sliding_block.toml").integrators(&["rk4"]).steps(&["1e-3"]);
        plan.base.set = vec![set.into(), "time.end=0.1".into()];
        let comparison = ran(&plan);
        assert!(
            matches!(comparison.references[0].origin, ReferenceOrigin::Refined { .. }),
            "{set}"
        );
        assert!(comparison.rows[0].error.is_some_and(|error| error < 1e-3));
    }
    let mut plan = scene("sliding_block.toml").integrators(&["rk4"]).steps(&["1e-3"]);
    plan.base.set = vec!["world.planar=\"xz\"".into(), "world.gravity=[0, 3, -9.81]".into()];
    let comparison = ran(&plan);
    assert_eq!(comparison.references[0].origin, ReferenceOrigin::Analysis);
    assert!(
        comparison.rows[0].error.is_some_and(|error| error < 1e-6),
        "{:?}",
        comparison.rows[0].error
    );
}

/// A block that slides round on a turning table while N grows.
const TURNING: &str = r#"
    format = 1
    time = { end = 0.32, step = 2e-3, output = 0.32 }
    materials.wood = { static_friction = 0.5 }
    [integrator]
    method = "rk4"
    [contact]
    normal = { stiffness = 1e4, damping = 50 }
    friction = { law = "dahl", stiffness = 500 }
    [[body]]
    name = "block"
    mass = 1
    shape = { particle = {} }
    position = [0, 0, -9.81e-4]
    velocity = [0.2, 0, 0]
    [[collider]]
    name = "floor"
    shape = { plane = {} }
    motion = { spin = { axis = [0, 0, 1], rate = 1.5, center = [-0.2, 0.1, 0] } }
    [[push]]
    body = "block"
    force = [0, 6, 0]
    [[push]]
    body = "block"
    force = [0, 0, -5]
    ramp = 0.32
"#;

/// a scene that is no block on a plane is refined, and the error of a stretch that is committed
/// once per step is extrapolated
#[test]
fn other_scenes_are_refined_until_they_say_how_far_they_can_be_trusted() {
    let mut plan = Plan::of(Base::bytes("turning.toml", TURNING.as_bytes(), Path::new(".")));
    plan.integrators = words("rk4");
    // the reference carries the stretch unless it is told not to
    plan.laws = words("dahl:stiffness=500");
    plan.steps = words("2e-3");
    let comparison = ran(&plan);
    let carried = &comparison.references[0];
    assert_eq!(carried.origin, ReferenceOrigin::Refined { runs: 2, order: None, settled: true });
    assert!(carried.uncertainty < 1e-10, "{}", carried.uncertainty);
    let committed = TURNING.replace("[contact]", "[contact]\n    stretch = \"commit\"");
    let mut plan = Plan::of(Base::bytes("turning.toml", committed.as_bytes(), Path::new(".")));
    plan.integrators = words("rk4");
    plan.laws = words("tanh:epsilon=1e-2,dahl:stiffness=500");
    plan.steps = words("2e-3");
    let comparison = ran(&plan);
    let [smooth, stretched] = &comparison.references[..] else { panic!("two laws") };
    assert_eq!(smooth.origin, ReferenceOrigin::Refined { runs: 2, order: None, settled: true });
    assert!(smooth.uncertainty < 1e-11, "{}", smooth.uncertainty);
    let ReferenceOrigin::Refined { runs: 3, order: Some(order), .. } = stretched.origin else {
        panic!("{:?}, {:e}", stretched.origin, stretched.uncertainty);
    };
    assert!((0.8..1.2).contains(&order), "{order}");
    assert!(stretched.describe().contains("Richardson"), "{}", stretched.describe());
    // the error is not larger than it says
    plan.steps = words("1e-4");
    let finer = ran(&plan);
    let ends = [&comparison, &finer].map(|c| c.references[1].end.clone().expect("an end")[0]);
    let (off, said) = ((ends[0] - ends[1]).norm(), comparison.references[1].uncertainty);
    assert!(off <= said, "off by {off:e}, said {said:e}");
}

#[test]
fn epsilon_lag_and_solver_vary_where_they_mean_something() {
    let mut plan = scene("incline_creep.toml");
    plan.base.set = vec!["time.end=0.1".into()];
    plan.integrators = words("rk4,implicit-euler");
    plan.laws = words("threshold,cundall-strack:stiffness=1e4:damping=100");
    plan.epsilons = words("1e-2,1e-3");
    plan.lags = words("none,normal");
    plan.solvers = words("automatic,bicgstab");
    plan.steps = words("1e-4");
    let comparison = ran(&plan);
    // threshold: 2 ε × (rk4 + 2 lags × 2 solvers); the other law has no ε
    assert_eq!(comparison.rows.len(), 3 * (1 + 4));
    assert_eq!(comparison.references.len(), 3);
    for row in &comparison.rows {
        let is_threshold = row.setting("law") == Some("threshold");
        assert_eq!(row.setting("epsilon").is_some(), is_threshold);
        let is_implicit = row.setting("integrator") == Some("implicit-euler");
        assert_eq!(row.setting("lag").is_some(), is_implicit);
        assert_eq!(row.setting("linear_solver").is_some(), is_implicit);
        if is_threshold && row.trusted() {
            let epsilon: f64 = row.setting("epsilon").and_then(|s| s.parse().ok()).expect("given");
            let creep = row.figure("creep").expect("in contact") / epsilon;
            // tan 20°/.6
            assert!((creep - 0.6066171).abs() < 1e-4, "{creep}");
        }
    }
}

#[test]
fn names_that_do_not_exist_are_told_with_those_that_do() {
    let mut plan = scene("incline_creep.toml");
    plan.integrators = words("rk5");
    let Err(PlanError::Unknown { known, .. }) = plan.layout() else { panic!("it knows rk5") };
    assert!(known.contains("rk45"), "{known}");
}

#[test]
fn agreement_and_ranking_say_what_is_wrong() {
    let mut plan = scene("sliding_block.toml");
    plan.integrators = words("rk4,heun,explicit-euler");
    plan.steps = words("5e-4");
    let comparison = ran(&plan);
    comparison.assert_ranking("error", &["explicit-euler", "heun", "rk4"]);
    let wrong = comparison.rank("error", &["rk4", "heun"]).expect_err("heun is worse");
    assert!(wrong.to_string().contains("`error` of `heun` is not smaller than that of `rk4`"));
    assert!(comparison.rank("error", &["rk4", "nobody"]).is_err());
    comparison.assert_agreement("distance", 2e-3);
    let wrong = comparison.agree("distance", 1e-6).expect_err("they differ by v0 h/2");
    assert!(wrong.to_string().lines().count() == 4, "{wrong}");
    assert!(comparison.agree("no such number", 1.0).is_err());
    // a run that is not to be trusted agrees with nothing
    plan.steps = words("1e-2");
    assert!(ran(&plan).agree("distance", 1e9).is_err());
}

/// A law that is a share of another.
struct Share(f64, Threshold);

impl FrictionLaw for Share {
    fn force(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        self.1.force(slip, pair) * self.0
    }
    fn sticks(&self, slip: &Slip, pair: &Coefficients) -> bool {
        self.1.sticks(slip, pair)
    }
    fn damping(&self, slip: &Slip, pair: &Coefficients) -> f64 {
        self.1.damping(slip, pair)
    }
    fn creep(&self, load_ratio: f64, normal_force: f64, pair: &Coefficients) -> Option<f64> {
        self.1.creep(load_ratio, normal_force, pair)
    }
    fn threshold(&self) -> f64 {
        FrictionLaw::threshold(&self.1)
    }
}

/// A method that makes each step a share of what it ought to be.
struct Short(f64, Box<dyn Integrator>);

impl Integrator for Short {
    fn step(&mut self, model: &Model, state: &mut State, dt: f64) -> Result<StepReport, StepError> {
        self.1.step(model, state, dt * self.0)
    }
    fn capabilities(&self) -> Capabilities {
        self.1.capabilities()
    }
}

/// The baseline of a bouncing, sliding soft box, and what is told of it after a change.
fn told(change: impl Fn(&mut Built) + Send + Sync + 'static) -> Vec<Deviation> {
    let mut plan = scene("sliding_box.toml");
    plan.base.set = vec!["time.end=0.1".into(), "time.output=0.01".into()];
    plan.integrators = words("rk4");
    plan.reference = false;
    let before = Baseline::of(&ran(&plan));
    assert_eq!(before.check(&ran(&plan)), [], "the same again");
    plan.change(change);
    before.check(&ran(&plan))
}

fn moved(deviations: &[Deviation]) -> Vec<&str> {
    let names = deviations.iter().filter_map(|deviation| match deviation {
        Deviation::Number { name, .. } => Some(name.as_str()),
        _ => None,
    });
    names.collect()
}

#[test]
fn a_baseline_tells_a_broken_law() {
    // the whole law again is no change, one per mille less is
    for (share, broken) in [(1.0, false), (0.999, true)] {
        let deviations = told(move |built| {
            let epsilon = built.model.friction().threshold();
            built.model.laws.as_mut().expect("contact is a force").friction =
                Box::new(Share(share, Threshold { epsilon }));
        });
        assert_eq!(moved(&deviations).contains(&"distance"), broken, "{deviations:?}");
        assert_eq!(deviations.is_empty(), !broken, "{deviations:?}");
    }
}

#[test]
fn a_baseline_tells_a_broken_integrator() {
    for (share, broken) in [(1.0, false), (0.999, true)] {
        let deviations = told(move |built| {
            let method = stiction_core::integrators::INTEGRATORS.find("rk4");
            let values = stiction_core::registry::Values::default();
            let inner = (method.expect("a row").make)(&values).expect("no keys are needed");
            built.integrator = Box::new(Short(share, inner));
        });
        assert_eq!(moved(&deviations).contains(&"distance"), broken, "{deviations:?}");
        assert_eq!(deviations.is_empty(), !broken, "{deviations:?}");
    }
}

#[test]
fn a_baseline_tells_damping_of_the_wrong_sign() {
    let deviations = told(|built| {
        let model = &mut built.model;
        let turned = (0..model.springs.len()).map(|s| {
            let mut spring = model.springs.get(s);
            spring.material.damping = -spring.material.damping;
            spring
        });
        model.springs = Springs::new(turned.collect(), model.particles());
    });
    assert!(!moved(&deviations).is_empty(), "{deviations:?}");
}

/// rows that come and go, and files that are none
#[test]
fn baselines_tell_rows_that_come_and_go() {
    let mut plan = scene("sliding_block.toml");
    plan.steps = words("1e-3");
    plan.base.set = vec!["time.end=0.1".into()];
    plan.integrators = words("rk4,heun");
    let baseline = Baseline::of(&ran(&plan));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("baselines/block.json");
    baseline.write(&path).expect("written");
    assert_eq!(Baseline::read(&path).expect("read"), baseline);
    plan.integrators = words("rk4,rk3");
    let deviations = baseline.check(&ran(&plan));
    assert!(
        matches!(&deviations[..], [Deviation::Missing { row }, Deviation::New { .. }] if row.contains("heun")),
        "{deviations:?}"
    );
    std::fs::write(&path, "{\"stiction_baseline\": 7}").expect("written");
    assert!(Baseline::read(&path).is_err());
}

/// A law without a reference of its own, since its materials do not bear it, leaves its place to
/// the next: rows are measured against the reference of their own law.
#[test]
fn a_law_without_a_reference_does_not_shift_those_of_others() {
    let mut plan = scene("incline_creep.toml");
    plan.base.set = vec!["time.end=0.1".into()];
    plan.integrators = words("rk4");
    let fits = ["threshold:epsilon=1e-2", "threshold:epsilon=1e-3"].map(String::from);
    // more than the .6 that the material states
    plan.laws = vec!["formula:mu=\"0.8 - 0.2*tanh(s)\"".into()];
    plan.laws.extend(fits);
    plan.steps = words("1e-4");
    let comparison = ran(&plan);
    assert_eq!(comparison.left_out.len(), 1, "{:?}", comparison.left_out);
    assert_eq!((comparison.rows.len(), comparison.references.len()), (2, 2));
    for (k, row) in comparison.rows.iter().enumerate() {
        let reference = &comparison.references[row.reference.expect("each has its own")];
        let law = row.setting("law").expect("given");
        assert!(reference.name.contains(law), "{law} against {}", reference.name);
        let end = reference.end.as_ref().expect("an exact solution");
        let off = (row.trial.end[0] - end[0]).norm();
        assert_eq!((row.reference, row.error), (Some(k), Some(off)));
        assert!(off < 1e-6, "{law}: {off:e}");
    }
}

/// Tolerances are shares of the size of a number, whatever its sign; a number that was not there,
/// or is no longer, has moved however wide the tolerances are.
#[test]
fn baselines_tell_negative_numbers_and_those_that_come_and_go() {
    let mut plan = scene("sliding_block.toml").integrators(&["rk4"]).steps(&["1e-3"]);
    plan.base.set = vec!["time.end=0.1".into()];
    plan.reference = false;
    let with = |value: Option<f64>| {
        let mut comparison = ran(&plan);
        let figures = &mut comparison.rows[0].trial.figures;
        figures.iter_mut().find(|figure| figure.name == "distance").expect("measured").value =
            value;
        comparison
    };
    for sign in [1.0, -1.0] {
        let mut baseline = Baseline::of(&with(Some(sign * 2.0)));
        let tolerance = baseline.tolerances.get_mut("distance").expect("its own");
        (tolerance.relative, tolerance.absolute) = (0.1, 0.0);
        for (now, moves) in [(2.0, false), (1.81, false), (2.19, false), (1.79, true), (2.21, true)]
        {
            let deviations = baseline.check(&with(Some(sign * now)));
            assert_eq!(
                moved(&deviations).len(),
                usize::from(moves),
                "{sign} {now}: {deviations:?}"
            );
            if let [Deviation::Number { before, now: is, allowed, .. }] = &deviations[..] {
                assert_eq!((*before, *is), (Some(sign * 2.0), Some(sign * now)));
                assert!((allowed - 0.2).abs() < 1e-12, "{allowed}");
                let share = if (now > 2.0) == (sign > 0.0) { "+1.05e-1" } else { "-1.05e-1" };
                assert!(deviations[0].to_string().contains(share), "{}", deviations[0]);
            }
        }
        assert_eq!(moved(&baseline.check(&with(Some(-sign * 2.0)))).len(), 1, "the sign turned");
        let gone = baseline.check(&with(None));
        assert!(
            matches!(&gone[..], [Deviation::Number { before: Some(_), now: None, .. }]),
            "{gone:?}"
        );
    }
    let mut baseline = Baseline::of(&with(None));
    let wide = stiction_lab::experiment::baseline::Tolerance { relative: 1e9, absolute: 1e9 };
    baseline.tolerances.insert("distance".into(), wide);
    assert_eq!(baseline.check(&with(None)), [], "still none");
    let came = baseline.check(&with(Some(2.0)));
    assert!(
        matches!(&came[..], [Deviation::Number { before: None, now: Some(_), .. }]),
        "{came:?}"
    );
}
