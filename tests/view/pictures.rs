//! Pictures are pure functions: golden hashes, and no harm from hostile input.

use crate::scenes;
use std::path::PathBuf;
use stiction::math::Vector;
use stiction::simulation::Simulation;
use stiction::view::camera::Projection;
use stiction::view::canvas::{Canvas, Rect};
use stiction::view::display::{Display, Labels, Playback};
use stiction::view::film::write_png;
use stiction::view::painter::{Look, Place, Subject, paint};
use stiction::view::snapshot::Snapshot;
use stiction::view::stage::Stage;
use stiction::view::theme::DARK;

pub fn labels(integrator: &str) -> Labels {
    Labels {
        title: "Push a soft box above .6 m and it tips, below and it slides".into(),
        integrator: integrator.into(),
        law: "threshold, ε = 10 mm/s".into(),
        end: Some(5.5),
    }
}

/// A run as it is now.
fn display(run: &Simulation) -> Display {
    Display::plain(Snapshot::of(run), labels("rk4"), Playback::default())
}

/// Draws a run; with STICTION_PICTURES set to a folder, writes it there to be looked at.
fn picture(name: &str, run: &Simulation, change: impl FnOnce(&mut Stage)) -> u64 {
    let mut stage = Stage::new(1280, 720, &Snapshot::of(run));
    change(&mut stage);
    stage.draw(&display(run));
    if let Some(folder) = std::env::var_os("STICTION_PICTURES") {
        let path = PathBuf::from(folder).join(format!("{name}.png"));
        write_png(&stage.canvas, std::fs::File::create(path).unwrap()).unwrap();
    }
    stage.canvas.hash()
}

/// Whole pictures, bit by bit; the letters are rasterised with vector instructions elsewhere too,
/// but not with the same ones.
#[test]
#[cfg_attr(not(target_arch = "x86_64"), ignore = "letters may differ in the last bit")]
fn golden_pictures() {
    let hashes = [
        picture("leaning", &scenes::leaning_box(), |_| {}),
        picture("cube", &scenes::cube(), |_| {}),
        picture("cube-dark", &scenes::cube(), |stage| {
            stage.look.theme = &DARK;
            stage.camera.orbit(1.2, 0.2);
            stage.camera.projection = Projection::Orthographic;
        }),
        picture("cube-springs", &scenes::cube(), |stage| stage.look.surfaces = false),
        picture("chain", &scenes::chain(), |stage| stage.camera.zoom(1.3)),
        picture("help", &scenes::leaning_box(), |stage| stage.help = true),
        picture("below", &scenes::cube(), |stage| stage.camera.orbit(0.0, -0.8)),
        picture("empty", &scenes::empty(), |_| {}),
    ];
    let hex: Vec<String> = hashes.iter().map(|h| format!("{h:#018x}")).collect();
    assert_eq!(hex, GOLDEN, "look at the pictures (STICTION_PICTURES=folder) before updating");
}

const GOLDEN: [&str; 8] = [
    "0xad53420f6de419af",
    "0x4f0aa2b069e6925f",
    "0x6b888eb4a3c2365f",
    "0xb24d24ce60226a0e",
    "0x6710d9c423d77d47",
    "0x500757bf37a3218a",
    "0x2b9617ac850b1f48",
    "0x7e82cb0265755def",
];

/// The camera looks from anywhere, also from inside things, and nothing panics.
#[test]
fn hostile_cameras_and_sizes_do_no_harm() {
    let wild = [0.0, 1e-300, -1.0, 1e18, f64::NAN, f64::INFINITY];
    for run in [scenes::cube(), scenes::empty()] {
        let mut stage = Stage::new(64, 48, &Snapshot::of(&run));
        for (width, height) in [(0, 0), (0, 40), (1, 1), (97, 61)] {
            let mut canvas = Canvas::new(width, height);
            for k in 0..60 {
                let mut camera = stage.camera;
                camera.target = Vector::new(wild[k % 6], wild[k / 6 % 6], 0.3);
                camera.distance = wild[(k + 1) % 6];
                camera.yaw = wild[(k / 2) % 6];
                camera.pitch = wild[(k / 3) % 6];
                if k % 2 == 0 {
                    camera.projection = Projection::Orthographic;
                }
                let place = Place::whole(&canvas);
                let snapshot = Snapshot::of(&run);
                paint(&mut canvas, &place, &Subject::of(&snapshot), &camera, &Look::default());
            }
            stage.resize(width, height);
            stage.help = true;
            stage.frame(&Snapshot::of(&run));
            stage.draw(&display(&run));
        }
    }
}

/// A scene that has blown up is drawn as far as it is finite.
#[test]
fn a_state_that_is_not_finite_does_no_harm() {
    let mut run = scenes::cube();
    for (k, position) in run.state.positions.iter_mut().enumerate() {
        position.x = [f64::NAN, 1e300, f64::INFINITY, position.x][k % 4];
    }
    let mut stage = Stage::new(320, 200, &Snapshot::of(&run));
    stage.draw(&display(&run));
}

/// Friction that sticks and friction that slips have their colours in the picture.
#[test]
fn stick_and_slip_are_coloured() {
    let run = scenes::leaning_box();
    let sticking = run.state.memory.contacts.iter().filter(|c| c.sticking).count();
    assert!(sticking > 0 && sticking < run.state.memory.contacts.len());
    let mut stage = Stage::new(1280, 720, &Snapshot::of(&run));
    stage.panel = false;
    stage.look.labels = false;
    let theme = stage.look.theme;
    let mut count = |friction: bool, colour: u32| {
        stage.look.friction = friction;
        stage.draw(&display(&run));
        stage.canvas.pixels().iter().filter(|p| **p == colour).count()
    };
    assert!(count(true, theme.stick) > 20 && count(true, theme.slip) > 20);
    assert_eq!(count(false, theme.stick) + count(false, theme.slip), 0);
}

/// How long a picture of 20 000 particles takes; printed, not judged.
#[test]
#[ignore = "a measurement, to be run by hand in release mode"]
fn time_of_a_large_picture() {
    let making = scenes::Making::new().lattice([27, 27, 27], 0.05, Vector::zeros()).floor();
    let run = making.run("rk4", 1e-4, |p| p - Vector::z() * 1e-4, |_| Vector::zeros());
    let mut stage = Stage::new(1280, 720, &Snapshot::of(&run));
    let began = std::time::Instant::now();
    for _ in 0..20 {
        stage.draw(&display(&run));
    }
    println!("{:?} a picture", began.elapsed() / 20);
}

/// A picture stays in its pane, for panes side by side.
#[test]
fn a_pane_leaves_the_rest_alone() {
    let run = scenes::cube();
    let stage = Stage::new(400, 300, &Snapshot::of(&run));
    let mut canvas = Canvas::new(400, 300);
    let whole = canvas.bounds();
    let pane = Rect { x0: 90, y0: 40, x1: 330, y1: 260 };
    let place = Place { pane, focus: pane, scale: 1.0 };
    let snapshot = Snapshot::of(&run);
    paint(&mut canvas, &place, &Subject::of(&snapshot), &stage.camera, &stage.look);
    assert_eq!(canvas.clip(), whole);
    for (k, pixel) in canvas.pixels().iter().enumerate() {
        let (x, y) = (k as i32 % 400, k as i32 / 400);
        let inside = (90..330).contains(&x) && (40..260).contains(&y);
        assert_eq!(*pixel != 0, inside, "pixel {x}, {y}");
    }
}
