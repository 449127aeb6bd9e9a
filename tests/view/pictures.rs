//! Pictures are pure functions: golden hashes, and no harm from hostile input.

use crate::reference::difference;
use crate::scenes;
use std::path::PathBuf;
use std::sync::Arc;
use stiction_core::contact::collider::Bounds;
use stiction_core::math::Vector;
use stiction_core::simulation::Simulation;
use stiction_core::state::memory::{Contact, Grip, Hand, Shove};
use stiction_view::camera::Projection;
use stiction_view::canvas::{Canvas, Rect};
use stiction_view::display::{Display, Ghost, Labels, Playback};
use stiction_view::film::write_png;
use stiction_view::painter::{Look, PaintedPlace, PaintedSubject, Painter, paint, wires};
use stiction_view::snapshot::Snapshot;
use stiction_view::stage::{FollowedBody, Stage};
use stiction_view::theme::DARK;

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

/// A stage on which a run is framed.
fn staged(width: usize, height: usize, snapshot: &Snapshot) -> Stage {
    let mut stage = Stage::new(width, height, 1.0);
    stage.frame(snapshot);
    stage
}

/// Draws a run; with STICTION_PICTURES set to a folder, writes it there to be looked at.
fn picture(
    name: &'static str,
    run: &Simulation,
    change: impl FnOnce(&mut Stage, &mut Display),
) -> (&'static str, Canvas) {
    let mut display = display(run);
    let mut stage = staged(1280, 720, &display.snapshot);
    change(&mut stage, &mut display);
    stage.draw(std::slice::from_ref(&display));
    (name, stage.canvas)
}

pub fn written(name: &str, canvas: &Canvas) -> u64 {
    if let Some(folder) = std::env::var_os("STICTION_PICTURES") {
        let path = PathBuf::from(folder).join(format!("{name}.png"));
        write_png(canvas, std::fs::File::create(path).unwrap()).unwrap();
    }
    canvas.hash()
}

/// A step at which half of the contacts that could chatter do.
fn let_chatter(snapshot: &mut Snapshot) {
    let contacts = &snapshot.state.memory.contacts;
    let mut rates: Vec<f64> = contacts.iter().map(|c| c.damping * c.inverse_mass).collect();
    rates.sort_by(f64::total_cmp);
    snapshot.decay_limit = Some(2.0);
    let step = 2.0 / rates[rates.len() / 2];
    let threshold = snapshot.model.friction().threshold();
    let above = |c: &&Contact| {
        let reach = threshold + 2.0 * step * c.friction.norm() * c.inverse_mass;
        step * c.damping * c.inverse_mass > 2.0 && c.slip.norm() <= reach
    };
    snapshot.above_limit = contacts.iter().filter(above).map(|c| c.key).collect();
    snapshot.step_size = step;
}

/// The run a little further on, as its own reference.
fn ghost_of(snapshot: &Snapshot, trusted: bool) -> Ghost {
    let move_on = |p: &Vector| Vector::new(p.x + 0.05 + 0.2 * p.z, p.y - 0.04, 1.04 * p.z);
    let positions = snapshot.state.positions.iter().map(move_on).collect();
    Ghost { name: "rk4 at 10 µs".into(), positions: Arc::new(positions), trusted }
}

/// Creep that grows upwards over six decades, unknown on one side.
fn creep_of(snapshot: &Snapshot) -> Vec<[f64; 5]> {
    let creep = |p: &Vector| {
        let known = if p.x < 0.05 && p.z > 0.3 { f64::NAN } else { 1.0 };
        [known * stiction_core::math::pow(10.0, 8.0 * p.z - 8.0), 0.0, 0.0, 0.0, 0.0]
    };
    snapshot.state.positions.iter().map(creep).collect()
}

/// The chain held at one end and pushed at the other, one particle chosen.
fn hold(display: &mut Display) {
    let held = vec![0, 1];
    let target = display.snapshot.state.positions[0] + Vector::new(-0.15, -0.1, 0.2);
    display.snapshot.state.memory.hand = Hand {
        grip: Some(Grip {
            particles: held,
            offsets: vec![Vector::zeros(); 2],
            target,
            stiffness: 40.0,
            damping: 1.0,
        }),
        push: Some(Shove { particles: vec![24], force: Vector::new(-1.5, 0.0, 0.5) }),
    };
    display.chosen = Some(14);
}

/// A picture twice as fine.
fn at_scale_two(run: &Simulation) -> Canvas {
    let display = display(run);
    let mut stage = Stage::new(2560, 1440, 2.0);
    stage.panel = false;
    stage.frame(&display.snapshot);
    stage.draw(&[display]);
    stage.canvas
}

/// Whole pictures without the panel, which has its own tests.
fn pictures() -> [(&'static str, Canvas); 8] {
    let bare = |stage: &mut Stage| stage.panel = false;
    [
        picture("leaning", &scenes::leaning_box(), |stage, display| {
            bare(stage);
            let_chatter(&mut display.snapshot);
        }),
        picture("cube-ghost", &scenes::cube(), |stage, display| {
            bare(stage);
            display.ghost = Some(ghost_of(&display.snapshot, false));
        }),
        picture("cube-dark", &scenes::cube(), |stage, display| {
            bare(stage);
            let_chatter(&mut display.snapshot);
            stage.look.theme = &DARK;
            stage.camera.orbit(1.2, 0.2);
            stage.camera.projection = Projection::Orthographic;
        }),
        picture("cube-springs", &scenes::cube(), |stage, _| {
            bare(stage);
            stage.look.surfaces = false;
        }),
        picture("chain", &scenes::chain(), |stage, display| {
            bare(stage);
            display.ghost = Some(ghost_of(&display.snapshot, true));
            hold(display);
        }),
        picture("heat", &scenes::cube(), |stage, display| {
            bare(stage);
            stage.look.heat = true;
            display.snapshot.creep = creep_of(&display.snapshot);
        }),
        picture("ring", &scenes::bead_on_ring(), |stage, _| {
            bare(stage);
            let (min, max) = (Vector::repeat(-1.0), Vector::repeat(1.0));
            stage.follow = FollowedBody::Nothing;
            stage.camera.fit(&Bounds { min, max }, 1.8);
        }),
        ("scale-2", at_scale_two(&scenes::cube())),
    ]
}

#[test]
fn pictures_look_like_their_references() {
    let all = pictures();
    let differ: Vec<String> =
        all.iter().filter_map(|(name, canvas)| difference(name, canvas)).collect();
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

/// Bit by bit: letters are rasterised with vector instructions elsewhere too, but not with the same
/// ones.
#[test]
#[cfg_attr(not(target_arch = "x86_64"), ignore = "letters may differ in the last bit")]
fn golden_pictures() {
    let hashes = pictures().map(|(name, canvas)| written(name, &canvas));
    let hex: Vec<String> = hashes.iter().map(|h| format!("{h:#018x}")).collect();
    assert_eq!(hex, GOLDEN, "look at the pictures (STICTION_PICTURES=folder) before updating");
}

const GOLDEN: [&str; 8] = [
    "0x18c8d6d0fff0f694",
    "0x5c2e32ccedc5615a",
    "0x590e292147c7c556",
    "0xe3e3e5a0e83ca0c0",
    "0x45a55d0776e76b41",
    "0x6f67d8e840446c28",
    "0xa09eb8f4e0c8244b",
    "0x8bbd3048856c236f",
];

/// A picture twice as fine is the same picture: its means over 2 × 2 pixels.
#[test]
fn a_finer_picture_looks_the_same() {
    let run = scenes::cube();
    let mut stage = Stage::new(1280, 720, 1.0);
    stage.panel = false;
    stage.frame(&Snapshot::of(&run));
    stage.draw(&[display(&run)]);
    let (coarse, fine) = (stage.canvas.rgb(), at_scale_two(&run).rgb());
    let mut off = 0;
    for y in 0..720 {
        for x in 0..1280 {
            for c in 0..3 {
                let at = |dx: usize, dy: usize| {
                    i32::from(fine[((2 * y + dy) * 2560 + 2 * x + dx) * 3 + c])
                };
                let mean = (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1)) / 4;
                off += i32::from((mean - i32::from(coarse[(y * 1280 + x) * 3 + c])).abs() > 48);
            }
        }
    }
    assert!(off < 1280 * 720 * 3 / 100, "{off} of the bytes differ");
}

#[test]
fn a_lone_bead_is_framed_with_its_wire() {
    let display = display(&scenes::bead_on_ring());
    let mut stage = staged(1280, 720, &display.snapshot);
    let distance = stage.camera.distance;
    stage.draw(std::slice::from_ref(&display));
    assert_eq!(stage.camera.distance, distance, "the camera goes back from what it framed");
    let focus = stage.place_of(0, 1).focus;
    let view = stage.camera.view(&focus);
    let wire = wires(&display.snapshot.model).concat();
    assert!(wire.len() > 20);
    for p in wire {
        let (x, y) = view.see(p).unwrap().at;
        let inside = f64::from(focus.x0) < x && x < f64::from(focus.x1);
        assert!(inside && 0.0 < y && y < f64::from(focus.y1), "{x} {y}");
    }
}

fn drawn(display: &Display, change: impl FnOnce(&mut Stage)) -> Canvas {
    let mut stage = staged(640, 360, &display.snapshot);
    stage.panel = false;
    change(&mut stage);
    stage.draw(std::slice::from_ref(display));
    stage.canvas
}

#[test]
fn the_reference_is_drawn_where_it_is_wanted() {
    let mut display = display(&scenes::cube());
    let without = drawn(&display, |_| {});
    display.ghost = Some(ghost_of(&display.snapshot, true));
    assert_ne!(drawn(&display, |_| {}).hash(), without.hash());
    assert_eq!(drawn(&display, |stage| stage.look.ghost = false).hash(), without.hash());
}

#[test]
fn a_map_of_creep_has_its_colours() {
    let mut display = display(&scenes::cube());
    display.snapshot.creep = creep_of(&display.snapshot);
    let colours = |canvas: &Canvas| {
        let mut yellow = 0;
        for pixel in canvas.pixels() {
            let [r, g, b] = [16, 8, 0].map(|shift| (pixel >> shift & 255) as i32);
            yellow += i32::from(r > 180 && g > 170 && b < 120);
        }
        yellow
    };
    assert!(colours(&drawn(&display, |_| {})) < 50);
    assert!(colours(&drawn(&display, |stage| stage.look.heat = true)) > 200);
}

/// A chattering contact is drawn in its own colour.
#[test]
fn chatter_is_drawn() {
    let mut display = display(&scenes::leaning_box());
    let colour = stiction_view::theme::LIGHT.chatter;
    let count = |canvas: Canvas| canvas.pixels().iter().filter(|p| **p == colour).count();
    assert_eq!(count(drawn(&display, |_| {})), 0);
    let_chatter(&mut display.snapshot);
    assert!(count(drawn(&display, |_| {})) > 10);
}

/// A painter that has drawn other things draws the same as a new one.
#[test]
fn a_picture_does_not_depend_on_those_before() {
    let snapshots = [scenes::cube(), scenes::chain(), scenes::leaning_box(), scenes::empty()]
        .map(|run| Snapshot::of(&run));
    let camera = staged(320, 200, &snapshots[0]).camera;
    let mut painter = Painter::new();
    for snapshot in snapshots.iter().chain(&snapshots) {
        let [mut first, mut second] = [Canvas::new(320, 200), Canvas::new(320, 200)];
        let place = PaintedPlace::whole(&first);
        let subject = PaintedSubject::of(snapshot);
        painter.paint(&mut first, &place, &subject, &camera, &Look::default());
        paint(&mut second, &place, &subject, &camera, &Look::default());
        assert!(first == second);
    }
}

/// Asserts that a picture has covered its pane, whatever is in it, and has left the clip as it was.
fn assert_covered(canvas: &Canvas) {
    assert_eq!(canvas.clip(), canvas.bounds());
    let bare = canvas.pixels().iter().filter(|pixel| **pixel == 0).count();
    assert_eq!(bare, 0, "pixels that nothing was drawn on");
}

/// A painter that has drawn hostile things draws a cube as a new one does.
fn assert_unharmed(painter: &mut Painter) {
    let snapshot = Snapshot::of(&scenes::cube());
    let camera = staged(320, 200, &snapshot).camera;
    let [mut after, mut fresh] = [Canvas::new(320, 200), Canvas::new(320, 200)];
    let (place, subject) = (PaintedPlace::whole(&fresh), PaintedSubject::of(&snapshot));
    painter.paint(&mut after, &place, &subject, &camera, &Look::default());
    paint(&mut fresh, &place, &subject, &camera, &Look::default());
    assert!(after == fresh, "hostile pictures left something behind");
}

/// Numbers that are none, lists of a wrong length, particles that do not exist.
#[test]
fn hostile_subjects_do_no_harm() {
    let mut display = display(&scenes::chain());
    hold(&mut display);
    let mut painter = Painter::new();
    let wild = [f64::NAN, f64::INFINITY, -1e300, 1e300];
    for k in 0..4 {
        let count = [25, 3, 0, 400][k];
        let snapshot = &mut display.snapshot;
        snapshot.creep = vec![[wild[k], wild[(k + 1) % 4], 0.0, 0.0, 0.0]; count];
        let positions = Arc::new(vec![Vector::repeat(wild[k]); count]);
        display.ghost = Some(Ghost { name: "é".repeat(200), positions, trusted: false });
        display.chosen = Some([usize::MAX, 25, 24, 7][k]);
        if let Hand { grip: Some(grip), push: Some(push) } = &mut snapshot.state.memory.hand {
            grip.particles = vec![0, usize::MAX];
            grip.target = Vector::repeat(wild[k]);
            push.particles = vec![usize::MAX];
            push.force = Vector::repeat(wild[k]);
        }
        assert_covered(&drawn(&display, |stage| stage.look.heat = true));
        for scale in wild.into_iter().chain([0.0, 1e-9, 1e9]) {
            let mut canvas = Canvas::new(300, 200);
            let place = PaintedPlace { scale, ..PaintedPlace::whole(&canvas) };
            let Display { snapshot, ghost, chosen, .. } = &display;
            let subject = PaintedSubject {
                ghost: ghost.as_ref(),
                chosen: *chosen,
                ..PaintedSubject::of(snapshot)
            };
            let stage = staged(300, 200, snapshot);
            painter.paint(&mut canvas, &place, &subject, &stage.camera, &stage.look);
            assert_covered(&canvas);
        }
        assert_unharmed(&mut painter);
    }
}

/// The camera looks from anywhere, also from inside things, and nothing panics.
#[test]
fn hostile_cameras_and_sizes_do_no_harm() {
    let wild = [0.0, 1e-300, -1.0, 1e18, f64::NAN, f64::INFINITY];
    let mut painter = Painter::new();
    for run in [scenes::cube(), scenes::empty()] {
        let mut stage = Stage::new(64, 48, 1.0);
        stage.frame(&Snapshot::of(&run));
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
                let place = PaintedPlace::whole(&canvas);
                let snapshot = Snapshot::of(&run);
                let subject = PaintedSubject::of(&snapshot);
                painter.paint(&mut canvas, &place, &subject, &camera, &Look::default());
                assert_covered(&canvas);
            }
            stage.resize(width, height);
            stage.help = true;
            stage.frame(&Snapshot::of(&run));
            stage.draw(&[display(&run)]);
            assert_covered(&stage.canvas);
        }
    }
    assert_unharmed(&mut painter);
}

/// A scene that has blown up is drawn as far as it is finite.
#[test]
fn a_state_that_is_not_finite_does_no_harm() {
    let mut run = scenes::cube();
    for (k, position) in run.state.positions.iter_mut().enumerate() {
        position.x = [f64::NAN, 1e300, f64::INFINITY, position.x][k % 4];
    }
    let mut stage = Stage::new(320, 200, 1.0);
    stage.frame(&Snapshot::of(&run));
    // the particles that are still in place are framed and seen; no others are drawn
    stage.frame(&Snapshot::of(&scenes::cube()));
    (stage.panel, stage.look.springs, stage.look.surfaces) = (false, false, false);
    let mut draw = |particles: bool| {
        stage.look.particles = particles;
        stage.draw(&[display(&run)]);
        assert_covered(&stage.canvas);
        stage.canvas.pixels().to_vec()
    };
    let [with, without] = [true, false].map(&mut draw);
    let place = stage.place_of(0, 1);
    let view = stage.camera.view(&place.focus);
    let finite = run.state.positions.iter().filter(|p| p.x.abs() < 10.0);
    let seen = finite.filter(|p| {
        let (x, y) = view.see(**p).expect("in front of the camera").at;
        let at = y as usize * 320 + x as usize;
        with[at] != without[at]
    });
    let (seen, finite) = (seen.count(), run.state.positions.len() / 4);
    assert!(seen >= finite / 2, "{seen} of {finite} particles are seen");
}

/// Friction that sticks and friction that slips have their colours in the picture.
#[test]
fn stick_and_slip_are_coloured() {
    let run = scenes::leaning_box();
    let sticking = run.state.memory.contacts.iter().filter(|c| c.sticking).count();
    assert!(sticking > 0 && sticking < run.state.memory.contacts.len());
    let mut stage = Stage::new(1280, 720, 1.0);
    stage.frame(&Snapshot::of(&run));
    stage.panel = false;
    stage.look.labels = false;
    let theme = stage.look.theme;
    let mut count = |friction: bool, colour: u32| {
        stage.look.friction = friction;
        stage.draw(&[display(&run)]);
        stage.canvas.pixels().iter().filter(|p| **p == colour).count()
    };
    assert!(count(true, theme.stick) > 20 && count(true, theme.slip) > 20);
    assert_eq!(count(false, theme.stick) + count(false, theme.slip), 0);
}

/// A picture stays in its pane, for panes side by side.
#[test]
fn a_pane_leaves_the_rest_alone() {
    let run = scenes::cube();
    let mut stage = Stage::new(400, 300, 1.0);
    stage.frame(&Snapshot::of(&run));
    let mut canvas = Canvas::new(400, 300);
    let whole = canvas.bounds();
    let pane = Rect { x0: 90, y0: 40, x1: 330, y1: 260 };
    let place = PaintedPlace { backdrop: pane, pane, focus: pane, scale: 1.0 };
    let snapshot = Snapshot::of(&run);
    paint(&mut canvas, &place, &PaintedSubject::of(&snapshot), &stage.camera, &stage.look);
    assert_eq!(canvas.clip(), whole);
    for (k, pixel) in canvas.pixels().iter().enumerate() {
        let (x, y) = (k as i32 % 400, k as i32 / 400);
        let inside = (90..330).contains(&x) && (40..260).contains(&y);
        assert_eq!(*pixel != 0, inside, "pixel {x}, {y}");
    }
}
