//! `run --profile`: where the time of a run went.

use super::support::simulation;
use assert_cmd::Command;
use serde_json::Value;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use stiction_core::profile::{Clock, Profile, Section};

fn run(scene: &str, more: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("NO_COLOR", "1");
    command.args(["run", scene, "--format", "json"]).args(more);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Everything but what a clock says.
fn results(mut of: Value) -> Value {
    let fields = of.as_object_mut().unwrap();
    fields.remove("profile");
    fields.remove("cpu_seconds");
    of
}

#[test]
fn a_profile_changes_no_bit_and_its_sections_are_all_of_the_time() {
    for (integrator, contact, busy) in [
        ("symplectic-euler", "penalty", ["springs", "search", "loads", "method", "watches"]),
        ("implicit-euler", "penalty", ["springs", "search", "method", "solver", "watches"]),
        ("symplectic-euler", "impulse", ["springs", "loads", "solver", "method", "watches"]),
    ] {
        let method = format!("contact.method={contact}");
        let options = [
            "--integrator",
            integrator,
            "--set",
            &method,
            "--set",
            "time.end=0.05",
            "--step",
            "1e-4",
        ];
        let plain = run("scenes/tipping_box.toml", &options);
        let profiled = run("scenes/tipping_box.toml", &[&options[..], &["--profile"]].concat());
        assert!(plain.get("profile").is_none());
        let profile = profiled["profile"].clone();
        assert_eq!(results(profiled), results(plain), "{integrator}, {contact}");
        let sections = profile["sections"].as_object().unwrap();
        let seconds = |value: &Value| value.as_f64().unwrap();
        assert!(sections.values().all(|value| seconds(value) >= 0.0), "{profile}");
        for name in busy {
            assert!(seconds(&sections[name]) > 0.0, "{name}: {profile}");
        }
        let (sum, all) =
            (sections.values().map(seconds).sum::<f64>(), seconds(&profile["seconds"]));
        assert!(all > 0.0 && (sum / all - 1.0).abs() < 1e-12, "{sum} of {all}");
        let springs = seconds(&profile["springs"]) / seconds(&sections["springs"]);
        let share = springs / seconds(&profile["limit_per_core"]) / seconds(&profile["threads"]);
        assert!((springs / seconds(&profile["springs_per_second"]) - 1.0).abs() < 1e-12);
        assert!(share > 0.0 && (share / seconds(&profile["share_of_limit"]) - 1.0).abs() < 1e-12);
        assert_eq!(contact == "penalty", seconds(&profile["contacts"]) > 0.0, "{profile}");
        let [steps, timed] = ["steps", "timed_steps"].map(|name| profile[name].as_u64().unwrap());
        assert!(steps == 500 && (16..=500).contains(&timed), "{profile}");
        let clock = seconds(&profile["clock_seconds"]);
        assert!(clock > 0.0 && clock <= seconds(&sections["profiling"]), "{profile}");
    }
}

#[test]
fn a_profile_is_a_table_of_its_own_run_alone() {
    let ran = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
        command.current_dir(env!("CARGO_MANIFEST_DIR")).env("NO_COLOR", "1");
        let scene = ["run", "scenes/tipping_box.toml", "--set", "time.end=0.02", "--profile"];
        command.args(scene).args(more).output().unwrap()
    };
    let output = ran(&[]);
    let text = String::from_utf8(output.stdout).unwrap();
    for words in [
        "where the time went",
        "springs: ",
        "contacts: ",
        "that square roots and divisions",
        "timed ",
    ] {
        assert!(text.contains(words), "{words} is not in\n{text}");
    }
    // the last row is the sum of the others, each to a tenth
    let rows = text.lines().skip_while(|line| !line.contains("where the time went"));
    let shares = rows.filter_map(|line| line.split_once(" s ")?.1.split_once('%'));
    let shares: Vec<f64> = shares.filter_map(|(share, _)| share.trim().parse().ok()).collect();
    let (all, parts) = shares.split_last().expect("rows");
    let sum: f64 = parts.iter().sum();
    assert!(parts.len() > 5 && *all == 100.0 && (sum - 100.0).abs() < 1.0, "{shares:?}\n{text}");
    assert_eq!(
        ran(&["--verify"]).status.code(),
        Some(2),
        "what is compared is no part of a profile"
    );
}

/// Writes down what it is told.
#[derive(Default)]
struct Told(Mutex<Sheet>);

#[derive(Default)]
struct Sheet {
    sections: Vec<Section>,
    evaluations: usize,
    springs: usize,
    contacts: usize,
}

impl Clock for Told {
    fn enter(&self, section: Section) -> Section {
        let mut sheet = self.0.lock().unwrap();
        let before = sheet.sections.last().copied().unwrap_or(Section::Rest);
        sheet.sections.push(section);
        before
    }

    fn compares_search(&self) -> bool {
        let mut sheet = self.0.lock().unwrap();
        sheet.evaluations += 1;
        sheet.evaluations.is_multiple_of(2)
    }

    fn count(&self, springs: usize, contacts: usize) {
        let mut sheet = self.0.lock().unwrap();
        sheet.springs += springs;
        sheet.contacts += contacts;
    }
}

/// Listens to every third step.
#[derive(Default)]
struct Third {
    steps: AtomicUsize,
    told: Told,
}

impl Clock for Third {
    fn enter(&self, section: Section) -> Section {
        self.told.enter(section)
    }

    fn is_timing(&self) -> bool {
        self.steps.load(Relaxed) % 3 == 1
    }

    fn step(&self) {
        self.steps.fetch_add(1, Relaxed);
    }

    fn compares_search(&self) -> bool {
        assert!(self.is_timing());
        self.told.compares_search()
    }

    fn count(&self, springs: usize, contacts: usize) {
        self.told.count(springs, contacts);
    }
}

#[test]
fn a_clock_may_time_some_steps_only() {
    let text = FALL.replace("STEP", "1e-4").replace("METHOD", "symplectic-euler");
    let (third, mut falls, mut plain) =
        (Arc::new(Third::default()), simulation(&text), simulation(&text));
    let clock: Arc<dyn Clock> = third.clone();
    falls.profile(Profile::with_clock(clock));
    let mut told = Vec::new();
    for _ in 0..9 {
        falls.model.profile.step();
        falls.advance().unwrap();
        plain.advance().unwrap();
        told.push(third.told.0.lock().unwrap().sections.len());
    }
    assert_eq!(falls.state, plain.state);
    let quiet = |k: usize| told[k] == told[k - 1];
    assert!((1..9).all(|k| quiet(k) == (k % 3 != 0)), "{told:?}");
    let _frame = falls.model.profile.section(Section::Output);
    let sheet = third.told.0.lock().unwrap();
    assert_eq!(sheet.sections.last(), Some(&Section::Output));
    assert_eq!(sheet.evaluations, 3);
    assert_eq!(sheet.springs % plain.model.springs.len(), 0);
    assert!(sheet.springs >= 9 * plain.model.springs.len());
}

const FALL: &str = r#"
format = 1

[world]
gravity = [0, 0, -9.81]

[time]
step = STEP
end = 1.0
output = 1.0

[integrator]
method = "METHOD"

[materials.rubber]
static_friction = 0.5

[contact]
normal = { law = "linear", stiffness = 1e4, damping = 10 }
friction = { law = "threshold", epsilon = 1e-2 }

[[body]]
name = "box"
mass = 1.0
shape = { lattice = { counts = [2, 2, 2], spacing = 0.1 } }
springs = { edge = { stiffness = 2e4, damping = 20 }, face_diagonal = { stiffness = 2e4, damping = 20 } }

[[collider]]
name = "floor"
shape = { plane = { normal = [0, 0, 1], point = [0, 0, 0] } }
"#;

#[test]
fn sections_end_where_they_began_and_count_every_spring() {
    for (method, step, steps) in
        [("symplectic-euler", "1e-4", 100), ("rk4", "1e-4", 50), ("symplectic-euler", "1.0", 100)]
    {
        let text = FALL.replace("STEP", step).replace("METHOD", method);
        let (told, mut falls) = (Arc::new(Told::default()), simulation(&text));
        let clock: Arc<dyn Clock> = told.clone();
        falls.profile(Profile::with_clock(clock));
        let mut plain = simulation(&text);
        let mut taken = 0;
        while taken < steps && falls.advance().is_ok() {
            plain.advance().unwrap();
            taken += 1;
        }
        assert_eq!(falls.state, plain.state, "{method} at {step}");
        let sheet = told.0.lock().unwrap();
        assert_eq!(sheet.sections.last(), Some(&Section::Rest), "{method} at {step}");
        if step == "1e-4" {
            assert_eq!(taken, steps);
            let per_step = if method == "rk4" { 4 } else { 1 };
            assert_eq!(sheet.springs, plain.model.springs.len() * per_step * steps, "{method}");
            let alone = sheet.sections.iter().filter(|s| **s == Section::SearchAlone).count();
            assert!(alone >= sheet.evaluations / 2, "{alone} of {}", sheet.evaluations);
            assert!(sheet.contacts > 0 && sheet.contacts <= 8 * sheet.evaluations);
        } else {
            assert!(taken < steps, "a step of a second must throw it away");
        }
    }
}
