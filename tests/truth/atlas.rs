//! The atlas in small: its laws are as stiff as it says, wrong runs are found wrong and told, and
//! finished runs are not run again.

#[path = "../../examples/atlas/figures.rs"]
mod figures;
#[path = "../../examples/atlas/judge.rs"]
mod judge;
#[path = "../../examples/atlas/page.rs"]
mod page;
#[path = "../../examples/atlas/plan.rs"]
mod plan;
#[path = "../../examples/atlas/sweeps.rs"]
mod sweeps;

use judge::Survey;
use plan::{holds, studies};
use stiction_core::contact::friction::Slip;
use stiction_core::math::Vector;
use stiction_core::state::memory::Coefficients;
use stiction_lab::experiment::base::Base;

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
            let friction = built.model.friction();
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
                _ => 1.0,
            };
            assert!((share - expected).abs() < 1e-5, "{} {law}: {share}", study.name);
            // and its stretch is critically damped
            let critical = 2.0 * stiction_core::math::sqrt(friction.stiffness() * study.mass);
            let ratio = if holds(law) { critical / damping } else { 1.0 };
            assert!((ratio - 1.0).abs() < 1e-5, "{} {law}: {ratio}", study.name);
        }
    }
}

/// Reported and true speed on which rk4 settles under the threshold law, in units of its creep: rk4
/// written out for one number, started at the speed `from` in ε.
fn spurious(hlambda: f64, load_ratio: f64, from: f64) -> [f64; 2] {
    // speeds in ε, time in steps
    let rate = |v: f64| hlambda * (load_ratio - v.clamp(-1.0, 1.0));
    let (mut speed, mut moved) = (from, 0.0);
    for _ in 0..1000 {
        let stages = |v1: f64| {
            let v2 = v1 + rate(v1) / 2.0;
            let v3 = v1 + rate(v2) / 2.0;
            [v1, v2, v3, v1 + rate(v3)]
        };
        let mean = |s: [f64; 4]| (s[0] + 2.0 * s[1] + 2.0 * s[2] + s[3]) / 6.0;
        moved = mean(stages(speed));
        speed += mean(stages(speed).map(rate));
    }
    [speed / load_ratio, moved / load_ratio]
}

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
        for run in &survey.runs {
            // all steps are clearly above or below all limits, except where a stretch is explicit
            // in time
            let hlambda = run.h * survey.study.rate(run.epsilon);
            let explicit = run.method != "implicit-euler";
            if hlambda < 1.0 || !explicit {
                assert!(run.sound(), "{} {} {}: {}", run.law, run.method, run.step, run.off());
            } else if hlambda > 4.0 || run.law == "threshold" {
                assert!(run.silent(), "{} {} {}: {}", run.law, run.method, run.step, run.off());
            }
        }
    }
    let smooth = |run: &&judge::Run| {
        run.law == "threshold" && run.epsilon == 1e-3 && run.method == "rk4" && run.step == "6e-4"
    };
    for survey in &first {
        let run = survey.runs.iter().find(smooth).expect("a run");
        let hlambda = run.h * survey.study.rate(run.epsilon);
        let [speed, moved] =
            spurious(hlambda, survey.study.load_ratio, -survey.study.surface / 1e-3);
        println!("{}: reports {speed}, moves at {moved}", survey.study.name);
        assert!((run.off_speed - (speed - 1.0)).abs() < 1e-3, "{}", run.off_speed);
        assert!((run.off_drift - (moved - 1.0)).abs() < 1e-3, "{}", run.off_drift);
    }

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
    let wrong = second[0].count(judge::Run::wrong);
    assert!(text.contains(&format!("| incline | 48 | {wrong} | 0 | 0 |")), "{text}");
    for part in text.split("](figures/").skip(1) {
        let name = part.split(')').next().expect("a name");
        assert!(out.join("figures").join(name).exists(), "{name}");
    }
    assert!(!text.contains("NaN"), "{text}");
}
