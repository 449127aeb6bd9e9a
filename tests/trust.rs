//! The verdict against the truth: laws × integrators × steps on an incline whose creep is known.
//! A run that creeps or reports at another speed than its law must be told, one that does not must
//! be trusted.

#[path = "support/block.rs"]
mod block;
mod support;

use block::{Block, Slide, Under};
use rayon::prelude::*;
use std::collections::BTreeMap;
use stiction::contact::friction::{FRICTION_LAWS, FrictionLaw, Slip};
use stiction::diagnosis::passivity::Passivity;
use stiction::diagnosis::watch::Reason;
use stiction::diagnosis::wrongs::SpuriousSteadyState;
use stiction::forces::account::Account;
use stiction::integrators::INTEGRATORS;
use stiction::math::{Vector, cos, larger, pow, radians, sin, sqrt};
use stiction::registry::{Value, Values};
use stiction::state::memory::Coefficients;

const ANGLE: f64 = 15.0;
const MU: f64 = 0.5;
const G: f64 = 9.81;

/// A law with its keys, all of nearly the same rate.
const LAWS: [(&str, &[(&str, f64)]); 12] = [
    ("threshold", &[("epsilon", 1e-3)]),
    ("quadratic", &[("epsilon", 1e-3)]),
    ("cubic", &[("epsilon", 1e-3)]),
    ("quintic", &[("epsilon", 1e-3)]),
    ("hyperbolic", &[("epsilon", 1e-3)]),
    ("tanh", &[("epsilon", 1e-3)]),
    ("stribeck", &[("epsilon", 1e-3)]),
    ("viscous-cap", &[("damping", 4740.0)]),
    // critically damped
    ("cundall-strack", &[("stiffness", 5.6e6), ("damping", 4740.0)]),
    ("dahl", &[("stiffness", 5.6e6), ("damping", 4740.0)]),
    ("lugre", &[("stiffness", 1.4e6), ("damping", 2370.0)]),
    ("formula", &[("epsilon", 1e-3)]),
];

/// A law on the incline: its text, its largest rate \[1/s\], its creep \[m/s\] and the speed by which
/// an error is measured.
struct Law {
    name: &'static str,
    text: String,
    rate: f64,
    crawl: f64,
    scale: f64,
}

fn laws() -> Vec<Law> {
    LAWS.iter()
        .map(|(name, keys)| {
            let row = FRICTION_LAWS.find(name).expect("a law");
            let mut values = Values::defaults(row.keys);
            let mut text = format!("{{ law = \"{name}\"");
            for (key, value) in *keys {
                text += &format!(", {key} = {value:e}");
                values = values.set(key, Value::Number(*value));
            }
            let law: Box<dyn FrictionLaw> = (row.make)(&values).expect("a law");
            let normal_force = G * cos(radians(ANGLE));
            let load = G * sin(radians(ANGLE));
            let pair = Coefficients { static_friction: MU, kinetic_friction: MU };
            let slip = Slip { normal_force, ..Slip::default() };
            let rate = larger(law.damping(&slip, &pair), sqrt(law.stiffness()));
            let crawl = law.crawl(load / (MU * normal_force), normal_force, &pair);
            let crawl = crawl.expect("every one of them holds");
            let scale = if crawl > 0.0 { crawl } else { load / rate };
            Law { name, text: text + " }", rate, crawl, scale }
        })
        .collect()
}

/// How one run came out.
struct Case {
    name: String,
    /// relative errors of drift and of the reported velocity
    drift: f64,
    velocity: f64,
    reasons: Vec<&'static str>,
    failed: bool,
}

impl Case {
    fn off(&self) -> f64 {
        let worst = larger(self.drift.abs(), self.velocity.abs());
        if worst.is_finite() { worst } else { f64::INFINITY }
    }

    fn told(&self) -> bool {
        self.failed || !self.reasons.is_empty()
    }
}

/// Steps of a run at a hundred times the limit.
const FEWEST: f64 = 52.0;

fn run(law: &Law, method: &str, share: f64) -> Case {
    let limit = 2.0 / law.rate;
    let block = Block {
        law: law.text.clone(),
        // slow, so that friction is what limits the step
        normal: [100.0, 20.0],
        ..Block::threshold(ANGLE, [MU; 2], 1e-3)
    };
    let step = share * limit;
    let steps = (FEWEST * 100.0 / share).round();
    let mut slide = block.under(&format!("\"{method}\""), step);
    let name = format!("{} {method} {share:.3}", law.name);
    let mut at_quarter = (0.0, 0.0);
    for k in 0..steps as u64 {
        if slide.simulation.advance().is_err() {
            let reasons = Vec::new();
            return Case { name, drift: f64::NAN, velocity: f64::NAN, reasons, failed: true };
        }
        if k + 1 == (0.75 * steps) as u64 {
            at_quarter = (slide.time(), slide.travel());
        }
    }
    let drift = (slide.travel() - at_quarter.1) / (slide.time() - at_quarter.0);
    let off = |speed: f64| (-speed - law.crawl) / law.scale;
    let verdict = slide.simulation.verdict();
    Case {
        name,
        drift: off(drift),
        velocity: off(slide.speed()),
        reasons: verdict.reasons.iter().map(Reason::name).collect(),
        failed: false,
    }
}

#[test]
fn every_wrong_run_of_the_grid_is_told_and_no_right_one() {
    let laws = laws();
    let shares: Vec<f64> = (0..9).map(|k| 0.1 * pow(10.0, 3.0 * f64::from(k) / 8.0)).collect();
    let mut jobs = Vec::new();
    for law in &laws {
        for method in &INTEGRATORS {
            jobs.extend(shares.iter().rev().map(|share| (law, method.name, *share)));
        }
    }
    // `build` refuses none of the combinations: every one must come out
    let cases: Vec<Case> =
        jobs.par_iter().map(|(law, method, share)| run(law, method, *share)).collect();
    assert_eq!(cases.len(), laws.len() * INTEGRATORS.len() * shares.len());
    let (wrong, right): (Vec<&Case>, Vec<&Case>) = (
        cases.iter().filter(|c| c.off() > 0.05).collect(),
        cases.iter().filter(|c| c.off() <= 0.01).collect(),
    );
    let mut missed: Vec<&&Case> = wrong.iter().filter(|case| !case.told()).collect();
    let mut cried: Vec<&&Case> = right.iter().filter(|case| case.told()).collect();
    missed.sort_by(|a, b| b.off().total_cmp(&a.off()));
    cried.sort_by(|a, b| a.name.cmp(&b.name));
    let mut names = BTreeMap::new();
    for reason in wrong.iter().flat_map(|case| &case.reasons) {
        *names.entry(*reason).or_insert(0) += 1;
    }
    println!(
        "{} runs of {}: {} wrong, {} of them not told; {} right, {} of them not trusted",
        cases.len(),
        jobs.len(),
        wrong.len(),
        missed.len(),
        right.len(),
        cried.len()
    );
    println!("reasons told of wrong runs: {names:?}");
    let show = |what: &str, cases: &[&&Case]| {
        for case in cases.iter().take(40) {
            let Case { name, drift, velocity, reasons, .. } = case;
            println!("{what}: {name}: drift {drift:.3e}, velocity {velocity:.3e}, {reasons:?}");
        }
    };
    show("missed", &missed);
    show("cried wolf", &cried);
    // without the comparison of the step with its limit, by what happened alone
    let blind =
        |c: &&&Case| !c.failed && c.reasons.iter().all(|r| *r == "step-above-friction-limit");
    let blind: Vec<&&Case> = wrong.iter().filter(blind).collect();
    println!("{} wrong runs are told by the friction limit only", blind.len());
    show("by the limit only", &blind);
    assert!(blind.is_empty(), "what happened must tell as much as the limit");
    assert!(wrong.len() > 50 && right.len() > 50, "the grid has both");
    assert!(missed.is_empty(), "{} wrong runs were not told", missed.len());
    assert!(
        cried.len() as f64 <= 0.01 * right.len() as f64,
        "{} of {} right runs were not trusted",
        cried.len(),
        right.len()
    );
}

/// The state that looks best of all wrong ones: rk4 at one and a half times the Eulers' limit.
#[test]
fn the_spurious_state_of_rk4_is_told_by_name() {
    let block = Block { normal: [1e3, 40.0], ..Block::threshold(ANGLE, [MU; 2], 1e-3) };
    let limit = 2e-3 / (MU * G * cos(radians(ANGLE)));
    let mut slide = block.under("\"rk4\"", 1.5 * limit);
    slide.until(1.0);
    let reasons = slide.simulation.verdict().reasons;
    let spurious = reasons.iter().find_map(Reason::numbers::<SpuriousSteadyState>);
    let findings = spurious.expect("told by name").0.findings;
    println!("{findings:?}");
    assert!((findings.reported / 1.0e-3 - 1.0).abs() < 1e-3);
    assert!((findings.drift / 0.652e-3 - 1.0).abs() < 2e-3);
    assert!((findings.law.expect("it holds") / 0.5359e-3 - 1.0).abs() < 1e-3);
    // the residual is that of the load that friction should bear, friction bears its whole cone
    assert!((findings.imbalance / 0.866 - 1.0).abs() < 1e-2);
}

/// The drift of a method that rings is right; its velocities are not, until it has calmed down.
#[test]
fn ringing_is_told_while_it_lasts() {
    let block = Block { normal: [100.0, 20.0], ..Block::threshold(ANGLE, [MU; 2], 1e-3) };
    let limit = 2e-3 / (MU * G * cos(radians(ANGLE)));
    let row = INTEGRATORS.find("trapezoid").expect("a row");
    let mut slide = block.under(&format!("\"{}\"", row.name), 100.0 * limit);
    let names = |slide: &Slide| -> Vec<&str> {
        slide.simulation.verdict().reasons.iter().map(Reason::name).collect()
    };
    (0..60).for_each(|_| slide.advance());
    println!("{:?}", slide.simulation.verdict());
    assert_eq!(names(&slide)[0], "ringing");
    // 0.98 per step
    (0..500).for_each(|_| slide.advance());
    assert!(!names(&slide).contains(&"ringing"), "{:?}", names(&slide));
}

/// Friction that drives is told, and rounding is not.
#[test]
fn friction_that_gives_energy_is_told() {
    let mut watch = Passivity::default();
    let taking = Account { dissipated_friction_slip: 1.0, ..Account::default() };
    let giving = |power: f64| Account {
        dissipated_friction_stick: -power,
        friction_driven: power,
        ..Account::default()
    };
    watch.observe_powers(&taking, 0.1, 0.1);
    watch.observe_powers(&giving(1e-9), 0.2, 0.1);
    assert_eq!(watch.created(0.0), None);
    watch.observe_powers(&giving(1e-2), 0.3, 0.1);
    let created = watch.created(0.0).expect("more than rounding");
    assert!((created.energy - 1e-3).abs() < 1e-9 && created.time == 0.2, "{created:?}");
}

/// The threshold law, but for slow slips, which it drives.
struct DrivesSlowSlips(Box<dyn FrictionLaw>);

impl FrictionLaw for DrivesSlowSlips {
    fn force(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        let side = if slip.velocity.norm() < 0.5 { -1.0 } else { 1.0 };
        self.0.force(slip, pair) * side
    }

    fn sticks(&self, slip: &Slip, pair: &Coefficients) -> bool {
        self.0.sticks(slip, pair)
    }

    fn damping(&self, slip: &Slip, pair: &Coefficients) -> f64 {
        self.0.damping(slip, pair)
    }

    fn crawl(&self, load_ratio: f64, normal_force: f64, pair: &Coefficients) -> Option<f64> {
        self.0.crawl(load_ratio, normal_force, pair)
    }
}

/// A contact that drives is told beside one that brakes ten times as much.
#[test]
fn a_contact_that_drives_is_not_hidden_by_one_that_brakes() {
    let mut both = support::simulation(
        "format = 1
        world = { gravity = [0, 0, -9.81], planar = \"xz\" }
        time = { end = 1, step = 1e-4, output = 1 }
        integrator = { method = \"rk4\" }
        materials.wood = { static_friction = 0.5 }
        [contact]
        normal = { stiffness = 1e4, damping = 100 }
        friction = { law = \"threshold\", epsilon = 1e-2 }
        [[body]]
        name = \"slow\"
        mass = 1
        shape = { particle = {} }
        position = [0, 0, -9.81e-4]
        velocity = [0.1, 0, 0]
        [[body]]
        name = \"fast\"
        mass = 1
        shape = { particle = {} }
        position = [1, 0, -9.81e-4]
        velocity = [1, 0, 0]
        [[collider]]
        name = \"table\"
        shape = { plane = {} }
        ",
    );
    let row = FRICTION_LAWS.find("threshold").expect("a law");
    let law = (row.make)(&Values::defaults(row.keys)).expect("a law");
    let model = std::sync::Arc::get_mut(&mut both.model).expect("nobody shares it yet");
    model.laws.as_mut().expect("contact is a force").friction = Box::new(DrivesSlowSlips(law));
    both.advance().expect("a step");
    let created = both.watches.passivity.created(0.0).expect("one of them drives");
    // μ N v h of each
    let (driven, taken) = (0.5 * 9.81 * 0.1 * 1e-4, 0.5 * 9.81 * 1e-4);
    assert!((created.energy / driven - 1.0).abs() < 0.02, "{created:?}");
    assert!((created.dissipated / taken - 1.0).abs() < 0.02, "{created:?}");
}

/// What is true must be trusted: not steady, not resting, or not holding at all.
#[test]
fn what_is_true_is_trusted() {
    // a block that friction takes along: shaken, with ramps of a push, and past its cone
    let situations = [
        (
            "shaken table, holds",
            0.5,
            "motion = { oscillate = { direction = [1, 0, 0], amplitude = 0.005, frequency = 3 } }",
            "",
        ),
        (
            "shaken table, slips and sticks",
            0.15,
            "motion = { oscillate = { direction = [1, 0, 0], amplitude = 0.01, frequency = 3 } }",
            "",
        ),
        (
            "push that grows until it slides",
            0.5,
            "",
            "[[push]]\nbody = \"block\"\nforce = [8, 0, 0]\nramp = 1.5",
        ),
        (
            "push that comes at once",
            0.5,
            "",
            "[[push]]\nbody = \"block\"\nforce = [3, 0, 0]\nfrom = 0.5",
        ),
        ("belt", 0.3, "motion = { belt = { velocity = [0.3, 0, 0] } }", ""),
    ];
    let laws = [
        "{ law = \"threshold\", epsilon = 1e-2 }",
        "{ law = \"quintic\", epsilon = 1e-2 }",
        "{ law = \"tanh\", epsilon = 1e-2 }",
        "{ law = \"viscous-cap\", damping = 200 }",
        "{ law = \"cundall-strack\", stiffness = 1e4, damping = 100 }",
        "{ law = \"lugre\", stiffness = 1e4, damping = 50 }",
        "{ law = \"dahl\", stiffness = 1e4, damping = 100 }",
    ];
    for (what, mu, motion, push) in situations {
        for law in laws {
            for method in ["symplectic-euler", "rk4", "implicit-euler"] {
                let mut run = support::simulation(&format!(
                    "format = 1
                    world = {{ gravity = [0, 0, -9.81], planar = \"xz\" }}
                    time = {{ end = 2, step = 2e-4, output = 2 }}
                    integrator = {{ method = \"{method}\" }}
                    materials.wood = {{ static_friction = {mu} }}
                    [contact]
                    normal = {{ stiffness = 1e4, damping = 100 }}
                    friction = {law}
                    [[body]]
                    name = \"block\"
                    mass = 1
                    shape = {{ particle = {{}} }}
                    position = [0, 0, -9.81e-4]
                    [[collider]]
                    name = \"table\"
                    shape = {{ plane = {{}} }}
                    {motion}
                    {push}
                    "
                ));
                while run.state.step < 10_000 {
                    run.advance().expect("a step");
                }
                assert!(run.verdict().trusted(), "{what}, {law}, {method}: {:?}", run.verdict());
            }
        }
    }
}

/// A box of 5 × 4 particles on a slope of 15° at μ = .8.
fn soft_box(law: &str, method: &str, step: f64, end: f64, more: &str) -> stiction::run::Run {
    let (a, k) = (radians(ANGLE), 5e4);
    let (s, c) = (sin(a), cos(a));
    let text = format!(
        "format = 1
        world = {{ gravity = [{:e}, 0, {:e}], planar = \"xz\" }}
        time = {{ end = {end:e}, step = {step:e}, output = {:e} }}
        integrator = {{ method = \"{method}\" }}
        materials.wood = {{ static_friction = 0.8 }}
        [contact]
        normal = {{ stiffness = 2e4, damping = 60 }}
        friction = {law}
        [[body]]
        name = \"box\"
        mass = 1.0
        shape = {{ lattice = {{ counts = [5, 1, 4], spacing = 0.1 }} }}
        springs = {{ edge = {{ stiffness = {k:e}, damping = 20 }}, face_diagonal = {{ stiffness = {k:e}, damping = 20 }} }}
        [[collider]]
        name = \"slope\"
        shape = {{ plane = {{}} }}
        {more}
        ",
        -G * s, -G * c, end / 8.0
    );
    let path = std::path::Path::new(".");
    let loaded = stiction::scene::load_text("box.toml", &text, path, &Default::default())
        .unwrap_or_else(|errors| panic!("{errors:?}"));
    stiction::run::Run::new(&loaded.scene, &Default::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// A soft box at a tenth of, at, and at ten times the step its friction allows.
#[test]
fn a_soft_box_that_creeps_off_the_law_is_told() {
    let epsilon = 1e-3;
    // the law, its creep in steady state on every contact alike, and its steepest slope
    let laws = [
        ("{ law = \"threshold\", epsilon = 1e-3 }", 1.0),
        ("{ law = \"quadratic\", epsilon = 1e-3 }", 2.0),
        ("{ law = \"quintic\", epsilon = 1e-3 }", 1.875),
        ("{ law = \"viscous-cap\", damping = 2000 }", 1.0),
    ];
    let methods: Vec<&str> = INTEGRATORS.iter().map(|row| row.name).collect();
    let mut jobs = Vec::new();
    for (law, slope) in laws {
        for method in &methods {
            jobs.extend([0.2, 10.0].map(|share| (law, slope, *method, share)));
        }
    }
    let lines: Vec<(String, bool, bool, bool)> = jobs
        .par_iter()
        .map(|(law, slope, method, share)| {
            // the lowest particles carry four each
            let rate = slope * 0.8 * 4.0 * G * cos(radians(ANGLE)) / epsilon;
            let own = 2.0 / rate;
            let step = own * share;
            let steps = (0.5 / step / 8.0).ceil() * 8.0;
            let mut run = soft_box(law, method, step, steps * step, "");
            let outcome = run.finish(&mut stiction::run::Unobserved, &|| false).expect("no output");
            let creep = &outcome.creep.first();
            let (measured, law_says) =
                creep.map_or((f64::NAN, None), |creep| (creep.measured, creep.law));
            // the closed form: all contacts slip alike, each bears its share
            let failed = outcome.status != stiction::run::Status::Completed;
            let exact = exact_creep(law);
            let off = (measured / exact - 1.0).abs();
            let name = format!(
                "{law} {method} {share}: creep {measured:.4e}, law {law_says:?}, exact {exact:.4e}: {}",
                outcome.verdict.marks()
            );
            (name, failed || off.is_nan() || off > 0.05, off < 0.01, outcome.verdict.trusted())
        })
        .collect();
    lines.iter().for_each(|(line, ..)| println!("{line}"));
    let wrong = lines.iter().filter(|(_, wrong, ..)| *wrong).count();
    assert!(wrong > 4, "some must be wrong");
    for (line, wrong, right, trusted) in &lines {
        assert!(!(*wrong && *trusted), "not told: {line}");
        assert!(!*right || *trusted, "cried wolf: {line}");
    }
}

/// Contacts that come and go elsewhere do not make a body's record begin anew.
#[test]
fn a_box_is_told_alike_beside_balls_that_bounce() {
    let step = 10.0 * 2e-3 / (0.8 * 4.0 * G * cos(radians(ANGLE)));
    // a plate far away that shakes at twice gravity and throws its balls at every other moment
    let turning = 2.0 * std::f64::consts::PI / (14.0 * step);
    let mut balls = format!(
        "[[collider]]
        name = \"plate\"
        shape = {{ box = {{ min = [40, -1, 4], max = [60, 1, 5] }} }}
        motion = {{ oscillate = {{ direction = [0, 0, 1], amplitude = {:e}, frequency = {:e} }} }}
        ",
        2.0 * G / (turning * turning),
        turning / (2.0 * std::f64::consts::PI)
    );
    for k in 0..6 {
        balls += &format!(
            "[[body]]
            name = \"ball {k}\"
            mass = {:e}
            shape = {{ particle = {{}} }}
            position = [{}, 0, 5.00{k}]
            ",
            0.004 * f64::from(k + 1),
            45 + k
        );
    }
    for method in ["midpoint", "rk4"] {
        let law = "{ law = \"quadratic\", epsilon = 1e-3 }";
        let mut found = Vec::new();
        for more in ["", &balls] {
            let mut run = soft_box(law, method, step, 800.0 * step, more);
            let simulation = &mut run.simulation;
            let (mut keys, mut unchanged, mut longest) = (Vec::new(), 0, 0);
            for _ in 0..800 {
                simulation.advance().expect("a step");
                let now: Vec<_> = simulation.state.memory.contacts.iter().map(|c| c.key).collect();
                unchanged = if now == keys { unchanged + 1 } else { 0 };
                longest = longest.max(unchanged);
                keys = now;
            }
            let wrongs =
                simulation.watches.stick.wrongs(&simulation.model, &simulation.state, step);
            found.push(wrongs.off_law.expect("it creeps off its law"));
            // else the record of the box would be judged even if it always began anew
            assert!(more.is_empty() || longest < 32, "{longest} steps without a change");
        }
        println!("{method}: {found:?}");
        assert_eq!(found[0].subject, found[1].subject, "{method}");
        assert_eq!(found[0].windows, found[1].windows, "{method}: windows of box and particles");
    }
}

/// Creep of the soft box: laws in units of ε at ρ = tan(a)/μ, and the load over five dampers.
fn exact_creep(law: &str) -> f64 {
    let ratio = sin(radians(ANGLE)) / cos(radians(ANGLE)) / 0.8;
    let load = G * sin(radians(ANGLE));
    if law.contains("viscous-cap") {
        return load / (5.0 * 2000.0);
    }
    let share = |u: f64| match law {
        law if law.contains("threshold") => u,
        law if law.contains("quadratic") => u * (2.0 - u),
        _ => u * u * u * (10.0 + u * (6.0 * u - 15.0)),
    };
    1e-3 * stiction::math::bisect(0.0, 1.0, |u| share(u) < ratio)
}
