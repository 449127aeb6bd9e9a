//! `tune`: the cheapest combination within a budget is found, and holds.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use stiction_lab::experiment::base::Base;
use stiction_lab::experiment::trial::Trial;
use stiction_lab::experiment::tune::{
    Answer, Cost, Ending, Progress, SearchEnd, SearchGrid, TuneBudget, Tuning, series,
};

fn scene(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes").join(name)
}

fn words(list: &str) -> Vec<String> {
    list.split(',').map(String::from).collect()
}

fn never() -> bool {
    false
}

/// A search of runs of .1 s by force evaluations, the same on every machine, without a limit of time.
fn by_evaluations(base: &Base, creep: f64, grid: SearchGrid) -> Tuning<'_> {
    Tuning {
        verify: None,
        base,
        budget: TuneBudget { creep, penetration: None, energy: None, accuracy: None },
        seconds: Some(0.1),
        grid,
        cost: Cost::Evaluations,
        exhaustive: false,
        max_time: None,
        stop: &never,
    }
}

fn searched(exhaustive: bool, creep: f64) -> Answer {
    let base = Base::file(scene("incline_creep.toml"));
    let grid = SearchGrid {
        own: false,
        laws: words("threshold,cubic,tanh"),
        epsilons: series(1e-5, 1e-3),
        integrators: words("symplectic-euler,rk4,implicit-euler,bdf2"),
        steps: series(1e-5, 1e-2),
    };
    let tuning = Tuning {
        verify: None,
        base: &base,
        budget: TuneBudget { creep, penetration: None, energy: None, accuracy: None },
        seconds: Some(0.2),
        grid,
        // the same on every machine
        cost: Cost::Evaluations,
        exhaustive,
        max_time: None,
        stop: &|| false,
    };
    tuning.run(&mut |_| ()).unwrap_or_else(|errors| panic!("{errors}"))
}

/// Newton takes fewer iterations at some smaller ε, so that the largest is not the cheapest
#[test]
fn a_smaller_epsilon_may_be_cheaper() {
    let base = Base::file(scene("incline_creep.toml"));
    let run = |exhaustive| {
        let tuning = Tuning {
            verify: None,
            base: &base,
            budget: TuneBudget { creep: 1e-2, penetration: None, energy: None, accuracy: None },
            seconds: Some(0.1),
            grid: SearchGrid {
                own: false,
                laws: words("threshold"),
                epsilons: series(1e-5, 1e-1),
                integrators: words("implicit-euler"),
                steps: vec![1e-3, 1e-4],
            },
            cost: Cost::Evaluations,
            exhaustive,
            max_time: None,
            stop: &|| false,
        };
        tuning.run(&mut |_| ()).unwrap_or_else(|errors| panic!("{errors}")).best
    };
    let [found, best] = [run(false), run(true)].map(|best| best.expect("something holds").cost);
    assert!(found <= 1.2 * best, "{found} against {best}");
}

/// the search leaves most of the grid out and finds what all of it has
#[test]
fn it_finds_what_an_exhaustive_search_finds() {
    for creep in [1e-4, 3e-5] {
        let (quick, thorough) = (searched(false, creep), searched(true, creep));
        let [found, best] = [&quick, &thorough].map(|a| a.best.clone().expect("something holds"));
        assert!(found.cost <= 1.2 * best.cost, "{found:?} against {best:?}");
        assert!(3 * quick.runs < thorough.runs, "{} of {} runs", quick.runs, thorough.runs);
        for answer in [&quick, &thorough] {
            assert!(answer.verified_creep.is_some_and(|verified| verified <= creep));
        }
    }
}

/// the fragment, pasted into the scene, holds the budget
#[test]
fn the_fragment_is_a_scene_that_holds() {
    let answer = searched(false, 1e-4);
    let fragment = answer.best.expect("something holds").combination.fragment();
    let text = std::fs::read_to_string(scene("incline_creep.toml")).expect("a scene");
    let mut pasted: toml::Table = text.parse().expect("TOML");
    for (section, values) in fragment.parse::<toml::Table>().expect("TOML") {
        let into = pasted.entry(section).or_insert(toml::Table::new().into());
        let (Some(into), toml::Value::Table(values)) = (into.as_table_mut(), values) else {
            panic!("sections are tables");
        };
        into.extend(values);
    }
    pasted.remove("expect");
    let text = toml::to_string(&pasted).expect("TOML");
    let base = Base::bytes("pasted.toml", text.as_bytes(), Path::new("."));
    let scene = base.load(&[]).unwrap_or_else(|errors| panic!("{errors}\n{text}")).scene;
    let trial = Trial::of(&scene, &base.options, &|| false).expect("it builds");
    assert!(trial.verdict.faultless(), "{:?}", trial.verdict);
    assert!(trial.figure("creep").is_some_and(|creep| creep <= 1e-4), "{:?}", trial.creep);
}

#[test]
fn a_budget_that_nothing_keeps_is_told() {
    let answer = searched(false, 1e-12);
    assert!(answer.best.is_none());
    assert!(answer.candidates.iter().all(|candidate| candidate.end != SearchEnd::Holds));
}

#[test]
fn a_penetration_that_is_too_deep_does_not_hold() {
    let base = Base::file(scene("incline_creep.toml"));
    let run = |penetration| {
        let tuning = Tuning {
            verify: None,
            base: &base,
            // the block stands 9.2e-5 m deep
            budget: TuneBudget {
                creep: 1e-2,
                penetration: Some(penetration),
                energy: None,
                accuracy: None,
            },
            seconds: Some(0.1),
            grid: SearchGrid {
                own: false,
                laws: words("threshold"),
                epsilons: vec![1e-2],
                integrators: words("implicit-euler"),
                steps: vec![1e-3],
            },
            cost: Cost::Evaluations,
            exhaustive: false,
            max_time: None,
            stop: &|| false,
        };
        tuning.run(&mut |_| ()).unwrap_or_else(|errors| panic!("{errors}")).best.is_some()
    };
    assert!(run(1e-4) && !run(9e-5));
}

/// A block let go on a soft, undamped floor. The larger the step, the more of the overshoot is
/// hidden by implicit Euler's own damping. The energy that it takes is little beside that of the
/// stone that flies by.
const DROPPED: &str = "format = 1
    world = { gravity = [0, 0, -10], planar = \"xz\" }
    time = { end = 0.2, step = 5e-3, output = 5e-3 }
    integrator = { method = \"implicit-euler\" }
    materials.wood = { static_friction = 0.5 }
    [contact]
    normal = { stiffness = 1e4, damping = 60 }
    friction = { law = \"threshold\", epsilon = 1e-2 }
    [[body]]
    name = \"block\"
    mass = 1
    shape = { particle = {} }
    position = [0, 0, -1e-9]
    [[body]]
    name = \"stone\"
    mass = 1
    shape = { particle = {} }
    position = [0, 0, 1e3]
    velocity = [20, 0, 0]
    [[collider]]
    name = \"floor\"
    shape = { plane = {} }
    ";

/// The deepest that implicit Euler lets the block sink in `steps` of h \[s\], from its recursion.
fn deepest(h: f64, steps: usize) -> f64 {
    let (mut x, mut v, mut most) = (-1e-9, 0.0, 0.0f64);
    for _ in 0..steps {
        v = (v - h * 10.0 - h * 1e4 * x) / (1.0 + h * 60.0 + h * h * 1e4);
        x += h * v;
        most = most.max(-x);
    }
    most
}

/// A combination that holds at its step but not at half of it, or not for twice as long, is not the
/// answer.
#[test]
fn what_holds_by_the_size_of_its_step_is_not_taken() {
    let base = Base::bytes("dropped.toml", DROPPED.as_bytes(), Path::new("."));
    let run = |penetration: f64| {
        let tuning = Tuning {
            verify: None,
            base: &base,
            budget: TuneBudget {
                creep: 1.0,
                penetration: Some(penetration),
                energy: None,
                accuracy: None,
            },
            seconds: None,
            grid: SearchGrid {
                own: false,
                laws: words("threshold"),
                epsilons: vec![1e-2],
                integrators: words("implicit-euler"),
                steps: vec![5e-3],
            },
            cost: Cost::Evaluations,
            exhaustive: false,
            max_time: None,
            stop: &|| false,
        };
        tuning.run(&mut |_| ()).unwrap_or_else(|errors| panic!("{errors}"))
    };
    let (whole, half) = (deepest(5e-3, 40), deepest(2.5e-3, 160));
    assert!(whole < 0.95 * half, "{whole:e} {half:e}");
    let between = run(0.5 * (whole + half));
    assert_eq!(between.candidates[0].end, SearchEnd::Holds, "{:?}", between.candidates);
    assert!(between.best.is_none(), "{:?}", between.best);
    let [(combination, fault)] = &between.unverified[..] else {
        panic!("{:?}", between.unverified)
    };
    assert_eq!(combination.step, 5e-3);
    assert!(fault.contains(&format!("penetration {half:.3e}")), "{fault}, not {half:e}");
    assert!(run(1.01 * half).best.is_some_and(|best| best.combination.step == 5e-3));
}

/// The same block under a load that outgrows friction after the time that is searched.
#[test]
fn what_does_not_hold_for_twice_as_long_is_not_taken() {
    let base = |push: f64| {
        let text =
            format!("{DROPPED}[[push]]\nbody = \"block\"\nforce = [{push}, 0, 0]\nfrom = 0.3\n");
        Base::bytes("pushed.toml", text.as_bytes(), Path::new("."))
    };
    let run = |base: &Base| {
        let tuning = Tuning {
            verify: None,
            base,
            budget: TuneBudget { creep: 2e-2, penetration: None, energy: None, accuracy: None },
            seconds: None,
            grid: SearchGrid {
                own: false,
                laws: words("threshold"),
                epsilons: vec![1e-2],
                integrators: words("implicit-euler"),
                steps: vec![5e-3],
            },
            cost: Cost::Evaluations,
            exhaustive: false,
            max_time: None,
            stop: &|| false,
        };
        tuning.run(&mut |_| ()).unwrap_or_else(|errors| panic!("{errors}"))
    };
    assert!(run(&base(0.5)).best.is_some());
    let slides = run(&base(20.0));
    assert_eq!(slides.candidates[0].end, SearchEnd::Holds);
    assert!(slides.best.is_none() && slides.unverified.len() == 1, "{:?}", slides.unverified);
}

/// The block that creeps at ε tan(a)/μ, and a search that ends when `stop` says so.
fn ended(max_time: Option<Duration>, stop_at_best: bool) -> Answer {
    let base = Base::file(scene("incline_creep.toml"));
    let stopped = AtomicBool::new(false);
    let tuning = Tuning {
        verify: None,
        base: &base,
        budget: TuneBudget { creep: 1e-3, penetration: None, energy: None, accuracy: None },
        seconds: Some(0.1),
        grid: SearchGrid {
            own: false,
            laws: words("threshold"),
            epsilons: vec![1e-3, 5e-4],
            integrators: words("implicit-euler,rk4"),
            steps: vec![1e-3, 1e-4],
        },
        cost: Cost::Evaluations,
        exhaustive: false,
        max_time,
        stop: &|| stopped.load(Ordering::Relaxed),
    };
    let mut progress = |now: &Progress| {
        assert!(now.remaining >= 0.0 && now.elapsed >= 0.0);
        stopped.fetch_or(stop_at_best && now.best.is_some(), Ordering::Relaxed);
    };
    tuning.run(&mut progress).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn a_search_that_is_stopped_gives_the_best_so_far() {
    let whole = ended(None, false);
    assert_eq!((whole.ending, whole.so_far.is_none()), (Ending::Complete, true));
    let stopped = ended(None, true);
    assert_eq!((stopped.ending, stopped.best.is_none()), (Ending::Stopped, true));
    let so_far = stopped.so_far.expect("something held when it was stopped");
    assert_eq!(so_far.end, SearchEnd::Holds);
    assert!(so_far.cost >= whole.best.expect("something holds").cost);
    assert!(stopped.runs < whole.runs, "{} {}", stopped.runs, whole.runs);
}

#[test]
fn a_search_without_time_tries_nothing() {
    let answer = ended(Some(Duration::ZERO), false);
    assert_eq!((answer.ending, answer.runs), (Ending::OutOfTime, 0));
    assert!(answer.best.is_none() && answer.so_far.is_none());
    let path = scene("incline_creep.toml");
    let mut command = assert_cmd::Command::cargo_bin("stiction").expect("the program");
    let run = command.arg("tune").arg(path).args(["--creep", "1e-3", "--max-time", "1e-9"]);
    let run = run.assert().code(9);
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(
        said.contains("this takes about") && said.contains("its time does not suffice"),
        "{said}"
    );
}

/// A search whose time is bounded has a best before the lanes take turns, so that it can verify it.
#[test]
fn a_search_with_little_time_begins_with_what_holds_without_creep() {
    let base = Base::file(scene("incline_creep.toml"));
    let best_at_first = |max_time| {
        let grid = SearchGrid {
            own: false,
            laws: words("cundall-strack:stiffness=1e5:damping=2e2,threshold"),
            epsilons: vec![1e-3, 1e-4],
            integrators: words("implicit-euler,symplectic-euler"),
            steps: vec![1e-2, 1e-4],
        };
        let tuning = Tuning { max_time, ..by_evaluations(&base, 1e-4, grid) };
        let mut searching = Vec::new();
        let answer = tuning.run(&mut |now| {
            if now.doing == "searching" {
                searching.push(now.best.map(|best| best.combination.integrator.clone()));
            }
        });
        assert!(answer.unwrap_or_else(|errors| panic!("{errors}")).best.is_some());
        searching.into_iter().next().expect("it searched")
    };
    assert_eq!(best_at_first(None), None);
    let first = best_at_first(Some(Duration::from_secs(100_000)));
    assert_eq!(first.as_deref(), Some("symplectic-euler"));
}

/// A law with a missing key and a method that cannot solve the scene are named before anything runs.
#[test]
fn what_the_scene_refuses_is_known_before_the_search() {
    let base = Base::file(scene("incline_creep.toml"));
    let tuning = |laws: &str| {
        let grid = SearchGrid {
            own: false,
            laws: words(laws),
            epsilons: vec![1e-3],
            integrators: words("implicit-euler"),
            steps: vec![1e-3],
        };
        by_evaluations(&base, 1e-2, grid)
    };
    let refused = tuning("cundall-strack,threshold").refused();
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert!(refused[0].0 == "cundall-strack" && refused[0].1.contains("stiffness"), "{refused:?}");
    assert!(tuning("cundall-strack:stiffness=1e4,threshold").refused().is_empty());
    let answer = tuning("cundall-strack,threshold").run(&mut |_| ());
    let answer = answer.unwrap_or_else(|errors| panic!("{errors}"));
    assert!(answer.best.is_some() && answer.dropped == refused, "{answer:?}");
    let mut asked = 0;
    assert!(tuning("cundall-strack").run(&mut |_| asked += 1).is_err() && asked == 0);
}

/// The block that creeps at ε tan(a)/μ holds as it is; the grid has nothing that does.
#[test]
fn the_scenes_own_setting_is_tried_first() {
    let base = Base::file(scene("incline_creep.toml"));
    let own = base.load(&[]).unwrap_or_else(|errors| panic!("{errors}")).scene;
    let answer = |own: bool| {
        let grid = SearchGrid {
            own,
            laws: words("threshold"),
            epsilons: vec![1e-1],
            integrators: words("explicit-euler"),
            steps: vec![1e-2],
        };
        let tuning = by_evaluations(&base, 1e-2, grid);
        tuning.run(&mut |_| ()).unwrap_or_else(|errors| panic!("{errors}"))
    };
    assert!(answer(false).best.is_none() && answer(false).own.is_none());
    let found = answer(true);
    let best = found.best.clone().expect("the scene's own setting holds").combination;
    assert_eq!((best.integrator.as_str(), best.step), (own.integrator.name, own.time.step));
    assert_eq!(found.own.as_ref(), Some(&best));
    assert_eq!(found.candidates[0].combination, best);
    assert!(found.verified_creep.is_some_and(|creep| creep <= 1e-2), "{found:?}");
}

/// The rows that were run are shown, with the nearest and the option that allows it.
#[test]
fn where_nothing_holds_the_rows_and_the_nearest_are_shown() {
    let line = "--creep 1e-9 --seconds 0.02 --laws threshold --epsilon 1e-3 --integrators rk4,implicit-euler --steps 1e-3,1e-4 --cost evaluations --exhaustive";
    let mut command = assert_cmd::Command::cargo_bin("stiction").expect("the program");
    command.arg("tune").arg(scene("incline_creep.toml")).args(line.split(' ')).env("COLUMNS", "80");
    let output = command.assert().code(11).get_output().clone();
    let [rows, notes] =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("text"));
    for method in ["rk4", "implicit-euler"] {
        let row =
            rows.lines().find(|line| line.contains(method)).unwrap_or_else(|| panic!("{rows}"));
        assert!(row.contains("threshold") && row.contains("✗ creep"), "{row}");
    }
    let notes = notes.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        notes.contains("the nearest is threshold, ε 0.001 m/s")
            && notes.contains(": --creep 0.001 allows that"),
        "{notes}"
    );
}

/// The bound that is exceeded is named.
#[test]
fn a_depth_above_the_budget_is_named_with_what_allows_it() {
    let line = "--creep 1e-2 --penetration 1e-9 --seconds 0.02 --laws threshold --epsilon 1e-3 --integrators rk4 --steps 1e-4 --cost evaluations";
    let mut command = assert_cmd::Command::cargo_bin("stiction").expect("the program");
    command.arg("tune").arg(scene("incline_creep.toml")).args(line.split(' '));
    let output = command.assert().code(11).get_output().clone();
    let notes = String::from_utf8(output.stderr).expect("text");
    let notes = notes.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(notes.contains("no combination keeps penetration within the budget in"), "{notes}");
    // m g cos(20°)/k = 9.2e-5 m
    assert!(
        notes.contains("has a depth of 9.2") && notes.contains("--penetration 1e-4 allows that"),
        "{notes}"
    );
}

/// A grid that the scene refuses as a whole says why, and nothing about combinations that were not run.
#[test]
fn a_step_that_fits_no_frame_is_named() {
    let line = "--creep 1e-3 --seconds 0.02 --laws threshold --epsilon 1e-3 --integrators rk4 --steps 3e-4";
    let mut command = assert_cmd::Command::cargo_bin("stiction").expect("the program");
    command.arg("tune").arg(scene("incline_creep.toml")).args(line.split(' '));
    let output = command.assert().code(11).get_output().clone();
    let notes = String::from_utf8(output.stderr).expect("text");
    assert!(notes.contains("nothing was run: `") && notes.contains("whole number"), "{notes}");
    assert!(!notes.contains("no combination keeps"), "{notes}");
}
