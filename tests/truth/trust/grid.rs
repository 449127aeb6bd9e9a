//! Laws × integrators × steps: all that is wrong is told, nearly all that is right is trusted.

use super::*;

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

/// A law on the incline: its text, its largest rate \[1/s\], its creep \[m/s\] and the speed by
/// which an error is measured.
struct Law {
    name: &'static str,
    text: String,
    rate: f64,
    creep: f64,
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
            let creep = law.creep(load / (MU * normal_force), normal_force, &pair);
            let creep = creep.expect("every one of them holds");
            let scale = if creep > 0.0 { creep } else { load / rate };
            Law { name, text: text + " }", rate, creep, scale }
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

/// Number of steps of a run at a hundred times the limit.
const FEWEST: f64 = 52.0;

fn run(law: &Law, method: &str, share: f64) -> Case {
    let limit = 2.0 / law.rate;
    let block = BlockScene {
        law: law.text.clone(),
        // a normal law so soft that friction is what limits the step
        normal: [100.0, 20.0],
        ..BlockScene::threshold(ANGLE, [MU; 2], 1e-3)
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
    let off = |speed: f64| (-speed - law.creep) / law.scale;
    let verdict = slide.simulation.verdict();
    Case {
        name,
        drift: off(drift),
        velocity: off(slide.speed()),
        reasons: verdict.reasons.iter().map(Reason::name).collect(),
        failed: false,
    }
}

/// From a quarter of the limit of the step on.
#[test]
fn every_wrong_run_of_the_grid_is_told_and_no_right_one() {
    told(1);
}

/// From a tenth of the limit on, which takes twice as long.
#[test]
#[ignore = "takes long: .ci/nightly"]
fn every_wrong_run_of_the_whole_grid_is_told_and_no_right_one() {
    told(0);
}

/// Runs the grid of nine steps from the `finest` on.
fn told(finest: u8) {
    let laws = laws();
    let shares: Vec<f64> = (finest..9).map(|k| 0.1 * pow(10.0, 3.0 * f64::from(k) / 8.0)).collect();
    let mut jobs = Vec::new();
    for law in &laws {
        for method in INTEGRATORS.iter() {
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
