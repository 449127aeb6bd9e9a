//! Swings and periods of measures: read, resumed and refused.

use std::path::Path;
use stiction_lab::run::{Observer, Run, RunCheckpoint, Unobserved};
use stiction_scene::build::BuildOptions;
use stiction_scene::{LoadOptions, Scene, load_text};

/// A particle of 1 kg on a spring of 40 N/m, 0.1 m from rest.
const SPRING: &str = "
format = 1
world.gravity = [0, 0, 0]
time = { end = 6, step = 1e-3, output = 0.01 }
integrator.method = \"rk4\"
materials.wood.static_friction = 0.5
[[body]]
name = \"weight\"
shape = { points = { positions = [[0.5, 0, 0], [0, 0, 0]], masses = [1, 1], links = [[0, 1]], velocities = [[0.6, 0, 0], [0, 0, 0]] } }
springs.edge.stiffness = 40
[[pin]]
body = \"weight\"
where.particles = [1]
[[measure]]
name = \"swing\"
kind = \"position\"
body = \"weight\"
where.particles = [0]
reduce = \"swing\"
from = 1
[[measure]]
name = \"period\"
kind = \"position\"
body = \"weight\"
where.particles = [0]
direction = [1, 0, 0]
reduce = \"period\"
[[measure]]
name = \"pull\"
kind = \"tension\"
body = \"weight\"
reduce = \"swing\"
";

fn scene(text: &str) -> Result<Scene, String> {
    let loaded = load_text("spring.toml", text, Path::new("."), &LoadOptions::default());
    loaded.map(|loaded| loaded.scene).map_err(|errors| errors.render(false))
}

fn run() -> Run {
    let scene = scene(SPRING).unwrap_or_else(|errors| panic!("{errors}"));
    Run::new(&scene, &BuildOptions::default()).expect("a world")
}

/// The last value of each column.
fn last(run: &mut Run, observer: &mut dyn Observer) -> Vec<f64> {
    run.finish_with(observer, &|| false).expect("nothing is written");
    run.tally.last.clone().expect("a frame").measures
}

#[test]
fn a_spring_swings_at_its_period() {
    let mut run = run();
    assert_eq!(run.columns, ["swing_x", "swing_y", "swing_z", "period", "pull"]);
    assert_eq!(run.units(), ["m", "m", "m", "s", "N"]);
    let last = last(&mut run, &mut Unobserved);
    let rate = stiction_core::math::sqrt(40.0);
    assert!((last[0] - 1.2 / rate).abs() < 1e-4, "{last:?}");
    assert!(last[1].is_nan() && last[2].is_nan(), "no cycles across: {last:?}");
    assert!((last[3] - std::f64::consts::TAU / rate).abs() < 1e-5, "{last:?}");
    // the spring pulls in one half of a cycle and pushes in the other
    assert!((last[4] - 40.0 * 1.2 / rate).abs() < 4e-3, "{last:?}");
    let first = &run.frames[0].measures;
    assert!(first.iter().all(|value| value.is_nan()), "{first:?}");
}

/// Swing and period are of all steps: a scene that is shown at few frames has the same.
#[test]
fn frames_do_not_decide_a_swing() {
    let rare = scene(&SPRING.replace("output = 0.01", "output = 0.3")).expect("frames");
    let mut rare = Run::new(&rare, &BuildOptions::default()).expect("a world");
    let (rare, often) = (last(&mut rare, &mut Unobserved), last(&mut run(), &mut Unobserved));
    assert_eq!([0, 3, 4].map(|k| rare[k]), [0, 3, 4].map(|k| often[k]));
}

/// Takes a checkpoint at one step.
struct Middle(u64, Option<RunCheckpoint>);

impl Observer for Middle {
    fn wants_checkpoint(&mut self, step: u64) -> bool {
        step == self.0
    }

    fn checkpoint(&mut self, checkpoint: RunCheckpoint) -> std::io::Result<()> {
        self.1.get_or_insert(checkpoint);
        Ok(())
    }
}

#[test]
fn cycles_before_a_checkpoint_count_after_it() {
    let mut middle = Middle(3333, None);
    let straight = last(&mut run(), &mut middle);
    let mut resumed = run();
    resumed.keep_no_frames();
    let checkpoint = middle.1.expect("a checkpoint");
    assert!(resumed.fits(&checkpoint));
    resumed.resume(checkpoint, Vec::new());
    let bits = |values: Vec<f64>| values.into_iter().map(f64::to_bits).collect::<Vec<_>>();
    assert_eq!(bits(last(&mut resumed, &mut Unobserved)), bits(straight));
}

/// Before its cycles a period has no value, which is neither its largest nor its least one.
#[test]
fn extremes_are_of_the_values_that_exist() {
    for at in ["max", "min"] {
        let expected =
            format!("[expect]\nperiod = {{ at = \"{at}\", value = 0.9935, tolerance = 1e-3 }}\n");
        let scene = scene(&(SPRING.to_string() + &expected)).expect("a scene");
        let mut run = Run::new(&scene, &BuildOptions::default()).expect("a world");
        let outcome = run.finish_with(&mut Unobserved, &|| false).expect("nothing is written");
        assert!(outcome.checked[0].met(), "{at}: {:?}", outcome.checked[0]);
    }
}

#[test]
fn frames_begin_only_for_a_reduction() {
    let text = SPRING.replace("reduce = \"swing\"\n", "");
    let errors = scene(&text).expect_err("nothing is reduced");
    assert!(errors.contains("E310") && errors.contains("`from`"), "{errors}");
}
