//! The atlas in small: its laws are as stiff as it says, what is wrong is found wrong and told, and
//! what is done is not done again.

#[path = "../examples/atlas/figures.rs"]
mod figures;
#[path = "../examples/atlas/judge.rs"]
mod judge;
#[path = "../examples/atlas/page.rs"]
mod page;
#[path = "../examples/atlas/plan.rs"]
mod plan;
#[path = "../examples/atlas/sweeps.rs"]
mod sweeps;

use judge::Survey;
use plan::{holds, studies};
use stiction::contact::friction::{Coefficients, Slip};
use stiction::experiment::base::Base;
use stiction::math::Vector;

#[test]
fn every_law_is_as_stiff_at_rest_as_the_threshold_law() {
    for study in studies(false) {
        let pair =
            Coefficients { static_friction: study.friction, kinetic_friction: study.friction };
        for law in &study.laws {
            let mut base = Base::file(study.scene);
            base.set = study.set.clone();
            let set = format!("contact.friction={}", study.law(law, 1e-2));
            let loaded = base.load(&[set]).expect("a scene");
            let built = base.build(&loaded.scene).expect("it fits together");
            let friction = &built.model.contact.friction;
            let slip = Slip {
                velocity: Vector::new(1e-9, 0.0, 0.0),
                normal_force: study.normal_force,
                ..Slip::default()
            };
            let damping = -friction.derivative(&slip, &pair).by_velocity[(0, 0)];
            let share = damping / study.damping(1e-2);
            let expected = match *law {
                // flat at rest
                "quintic" => 0.0,
                "lugre" => 0.5,
                _ => 1.0,
            };
            assert!((share - expected).abs() < 1e-5, "{} {law}: {share}", study.name);
            // and its stretch is critically damped
            let critical = 2.0 * stiction::math::sqrt(friction.stiffness() * study.mass);
            let ratio = if holds(law) { critical / damping } else { 1.0 };
            assert!((ratio - 1.0).abs() < 1e-5, "{} {law}: {ratio}", study.name);
        }
    }
}

/// what rk4 says and does above its limit, in units of the law's creep, from (μN − T)/m and h alone
#[test]
fn a_taste_of_it_finds_what_is_wrong_and_does_nothing_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let (out, studies) = (folder.path(), studies(true));
    let surveys = || -> Vec<Survey<'_>> {
        studies.iter().map(|study| sweeps::survey(study, out).expect("it runs")).collect()
    };
    let first = surveys();
    let missed = |survey: &Survey<'_>| survey.count(|run| run.wrong() && !run.told());
    for survey in &first {
        assert_eq!(missed(survey), 0, "{}", survey.study.name);
        assert_eq!(survey.count(judge::Run::wrong), 6, "{}", survey.study.name);
        for run in survey.runs.iter().filter(|run| run.method == "implicit-euler") {
            assert!(run.sound(), "{} {} {}: {}", run.law, run.epsilon, run.step, run.off());
        }
    }
    // 1.787 and 1.229 of the creep of the threshold law at h λ = 3.3186
    let smooth = |run: &&judge::Run| {
        run.law == "threshold" && run.epsilon == 1e-3 && run.method == "rk4" && run.step == "6e-4"
    };
    let run = first[0].runs.iter().find(smooth).expect("a run");
    assert!((run.off_speed - 0.787).abs() < 2e-3, "{}", run.off_speed);
    assert!((run.off_drift - 0.229).abs() < 2e-3, "{}", run.off_drift);

    // one result is lost: it is made again, the others stay
    let jobs = out.join("incline-0/jobs");
    let time = |job: &str| jobs.join(job).metadata().and_then(|m| m.modified()).expect("a file");
    let kept = time("00001.json");
    std::fs::remove_file(jobs.join("00000.json")).expect("it was there");
    let second = surveys();
    assert_eq!(kept, time("00001.json"));
    assert_eq!(first[0].runs[0].drift, second[0].runs[0].drift);

    figures::draw(&second, &out.join("figures")).expect("drawn");
    let text = page::text(&second);
    assert!(text.contains("| incline | 48 | 6 | 0 | 0 | 42 |"), "{text}");
    for part in text.split("](figures/").skip(1) {
        let name = part.split(')').next().expect("a name");
        assert!(out.join("figures").join(name).exists(), "{name}");
    }
    assert!(!text.contains("NaN"), "{text}");
}
