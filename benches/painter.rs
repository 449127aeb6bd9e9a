//! The cost of a picture, of the painter alone and of whole frames: time on the clock, CPU time of the thread that
//! draws, and CPU time of all threads, since dense pictures are drawn by several; the median of many and, of the
//! clock, the least. Compare figures of one run, never of two machines.
//!
//! `cargo bench --bench painter -- surfaces` runs what has this word in its name.

#[path = "shared/rows.rs"]
mod rows;

use cpu_time::{ProcessTime, ThreadTime};
use std::path::Path;
use std::time::Instant;
use stiction_core::math::{Vector, cos, sin};
use stiction_lab::run::Run;
use stiction_scene::build::BuildOptions;
use stiction_scene::{LoadOptions, load_text};
use stiction_view::camera::{Camera, scope};
use stiction_view::canvas::{Canvas, Rect};
use stiction_view::display::{Display, Labels, Playback};
use stiction_view::painter::{Look, PaintedPlace, PaintedSubject, Painter};
use stiction_view::snapshot::Snapshot;
use stiction_view::stage::Stage;

fn main() {
    let lattice = lattice(27);
    let look = Look::default();
    println!(
        "{:<51} {:>7} {:>7} {:>7} {:>7}",
        "milliseconds per frame", "clock", "least", "thread", "all"
    );
    report("20k lattice, 1280 x 720", &[&lattice], (1280, 720), 1.0, &look);
    let bare = Look { surfaces: false, ..look };
    report("the same, without surfaces", &[&lattice], (1280, 720), 1.0, &bare);
    report("the same, map of creep", &[&lattice], (1280, 720), 1.0, &Look { heat: true, ..look });
    report("the same, 2560 x 1440 at scale 2", &[&lattice], (2560, 1440), 2.0, &look);
    let panes: Vec<Snapshot> = (0..4).map(|_| self::lattice(13)).collect();
    let panes: Vec<&Snapshot> = panes.iter().collect();
    report("4 panes of 2,197 particles, 640 x 360 each", &panes, (640, 360), 1.0, &look);
    report_stage("20k lattice, 1280 x 720, with panel and plots", &[&lattice]);
    report_stage("4 panes, 1280 x 720, with panel and plots", &panes);
    let bowl = snapshot_of(include_str!("../scenes/bowl.toml"));
    report_stage("scenes/bowl.toml, 1280 x 720, with panel and plots", &[&bowl]);
    report("cloth of 10,000 over a ball, 1280 x 720", &[&cloth()], (1280, 720), 1.0, &look);
}

/// Draws whole frames, with panel and plots.
fn report_stage(name: &str, snapshots: &[&Snapshot]) {
    let mut stage = Stage::new(1280, 720, 1.0);
    stage.plots = true;
    stage.frame(snapshots[0]);
    let labels = Labels {
        title: "A soft cube slides over a floor".into(),
        integrator: "symplectic-euler".into(),
        law: "threshold, ε = 10 mm/s".into(),
        end: Some(1.0),
    };
    let display = |s: &&Snapshot| Display::plain((*s).clone(), labels.clone(), Playback::default());
    let displays: Vec<Display> = snapshots.iter().map(display).collect();
    let draw = |_| {
        stage.camera.orbit(0.02, 0.0);
        stage.draw(&displays);
    };
    measure(name, draw);
}

/// Draws frames in which the camera turns a little; panes lie side by side.
fn report(name: &str, panes: &[&Snapshot], size: (i32, i32), scale: f64, look: &Look) {
    let columns = if panes.len() > 1 { 2 } else { 1 };
    let rows = panes.len() as i32 / columns;
    let mut canvas = Canvas::new((size.0 * columns) as usize, (size.1 * rows) as usize);
    let mut painter = Painter::new();
    let aspect = f64::from(size.0) / f64::from(size.1);
    let draw = |frame: usize| {
        for (k, snapshot) in panes.iter().enumerate() {
            let (x0, y0) = (size.0 * (k as i32 % columns), size.1 * (k as i32 / columns));
            let pane = Rect { x0, y0, x1: x0 + size.0, y1: y0 + size.1 };
            let place = PaintedPlace { backdrop: pane, pane, focus: pane, scale };
            let mut camera = Camera::framing(&scope(&snapshot.state.positions), aspect, None);
            camera.orbit(0.02 * frame as f64, 0.0);
            painter.paint(&mut canvas, &place, &PaintedSubject::of(snapshot), &camera, look);
        }
    };
    measure(name, draw);
}

/// Prints the median times of a frame, and the least on the clock \[ms\].
fn measure(name: &str, mut draw: impl FnMut(usize)) {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    if !chosen.iter().all(|word| name.contains(word)) {
        return;
    }
    let mut times: [Vec<f64>; 3] = Default::default();
    for frame in 0..60 {
        let (clock, own, all) = (Instant::now(), ThreadTime::now(), ProcessTime::now());
        draw(frame);
        let taken = [clock.elapsed(), own.elapsed(), all.elapsed()];
        // the first frames fill the buffers that later ones reuse
        if frame >= 10 {
            let pairs = times.iter_mut().zip(taken);
            pairs.for_each(|(times, taken)| times.push(1e3 * taken.as_secs_f64()));
        }
    }
    times.iter_mut().for_each(|times| times.sort_by(f64::total_cmp));
    let [clock, own, all] = times.each_ref().map(|times| times[times.len() / 2]);
    println!("{name:<51} {clock:>7.2} {:>7.2} {own:>7.2} {all:>7.2}", times[0][0]);
    let cells = [clock, times[0][0], own, all].map(|time| format!("{time:.1}"));
    rows::row("pictures", &[&[name.to_string()], &cells[..]].concat());
}

/// A soft cube of n³ particles that sags and slides on a floor.
fn lattice(n: usize) -> Snapshot {
    let text = format!(
        r#"
format = 1
time = {{ end = 1.0, step = 1e-4, output = 1.0 }}
integrator = {{ method = "symplectic-euler" }}
[world]
gravity = [0, 0, -9.81]
[materials.jelly]
static_friction = 0.5
[contact]
normal = {{ law = "linear", stiffness = 1e4, damping = 5 }}
friction = {{ law = "threshold", epsilon = 1e-2 }}
[[body]]
name = "cube"
mass = {mass}
shape = {{ lattice = {{ counts = [{n}, {n}, {n}], spacing = 0.1 }} }}
springs = {{ edge = {{ stiffness = 2000, damping = 0.5 }}, face_diagonal = {{ stiffness = 2000, damping = 0.5 }}, body_diagonal = {{ stiffness = 500 }} }}
position = [0, 0, -0.0001]
velocity = [0.02, 0, 0]
[[collider]]
name = "floor"
shape = {{ plane = {{}} }}
"#,
        mass = 0.01 * (n * n * n) as f64
    );
    let mut snapshot = snapshot_of(&text);
    let count = snapshot.state.positions.len();
    snapshot.creep =
        (0..count).map(|k| [1e-7 * (1 + k % 5000) as f64, 0.0, 0.0, 0.0, 0.0]).collect();
    let twist = |p: &Vector| {
        let (s, c) = (sin(0.1 * p.z), cos(0.1 * p.z));
        Vector::new(c * p.x - s * p.y, s * p.x + c * p.y, 0.98 * p.z)
    };
    snapshot.state.positions = snapshot.state.positions.iter().map(twist).collect();
    snapshot
}

/// A cloth over a ball.
fn cloth() -> Snapshot {
    let text = r#"
format = 1
time = { end = 1.0, step = 1e-4, output = 1.0 }
integrator = { method = "symplectic-euler" }
[world]
gravity = [0, 0, -9.81]
[materials.cotton]
static_friction = 0.5
[contact]
normal = { law = "linear", stiffness = 1e4, damping = 5 }
friction = { law = "threshold", epsilon = 1e-2 }
[[body]]
name = "cloth"
mass = 1.0
shape = { cloth = { counts = [100, 100], spacing = 0.02 } }
springs = { edge = { stiffness = 200, damping = 0.05 } }
position = [0, 0, 0.5]
[[collider]]
name = "ball"
shape = { sphere = { center = [0, 0, 0], radius = 0.49 } }
[[collider]]
name = "floor"
shape = { plane = { point = [0, 0, -0.8] } }
"#;
    let mut snapshot = snapshot_of(text);
    let fall = |p: &Vector| {
        let away = p.x * p.x + p.y * p.y;
        Vector::new(
            p.x,
            p.y,
            if away < 0.4 { 0.5 - 1.3 * away } else { -0.02 - 0.4 * (away - 0.4) },
        )
    };
    snapshot.state.positions = snapshot.state.positions.iter().map(fall).collect();
    snapshot
}

fn snapshot_of(text: &str) -> Snapshot {
    let loaded = load_text("bench", text, Path::new("."), &LoadOptions::default());
    let scene = loaded.expect("a sound scene").scene;
    let mut run = Run::new(&scene, &BuildOptions::default()).expect("a sound scene");
    run.simulation_mut().advance().expect("one step");
    Snapshot::of(run.simulation())
}
