//! Pictures of scenes at the sizes of a phone, a tablet, a laptop, a screen and a projector, light and
//! dark: nothing is hidden, nothing is cut, nothing lies on anything else.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use stiction_lab::experiment::base::Base;
use stiction_scene::description::{Theme, View};
use stiction_view::canvas::Rect;
use stiction_view::display::{Display, StableStep};
use stiction_view::play::session::{Session, SessionPlan};
use stiction_view::stage::Stage;
use stiction_view::viewpoint;

/// Scenes with the time at which they are looked at \[s\]: a box that tips, a belt, a bowl, a
/// gripper, a stack, a cloth on a ball, a wheel at a kerb, a snake, boards that tilt, a beam with a
/// pinned end, a rope round a post, a block on a belt.
const SCENES: [(&str, f64); 12] = [
    ("tipping_box", 3.0),
    ("belt", 0.5),
    ("bowl", 0.45),
    ("gripper", 0.8),
    ("brick_stack", 0.2),
    ("cloth_on_sphere", 0.1),
    ("kerb", 0.3),
    ("snake", 0.5),
    ("tilting_plane", 1.0),
    ("cantilever", 0.2),
    ("rope_round_post", 0.1),
    ("stick_slip_belt", 0.5),
];

/// Widths and heights with their scales: large type on the largest.
const SIZES: [(usize, usize, f64); 5] =
    [(640, 360, 1.0), (1024, 768, 1.0), (1280, 720, 1.0), (1920, 1080, 1.0), (2560, 1440, 2.0)];

fn library() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("scenes")
}

fn session(path: &Path) -> Session {
    let panes = vec![Base::file(path)];
    let path = path.to_path_buf();
    Session::start(SessionPlan { path, panes, reference: None, recording: None }).expect("a scene")
}

fn stage(session: &Session, size: (usize, usize, f64), theme: Theme) -> Stage {
    let mut stage = Stage::new(size.0, size.1, size.2);
    stage.plots = true;
    let view = View { theme, ..session.panes()[0].scene().view.clone() };
    viewpoint::apply(&view, &mut stage, &session.pictures()[0].snapshot);
    stage
}

fn displays(session: &mut Session) -> Vec<Display> {
    let mut displays = session.displays();
    // computed beside the run, at its own time
    displays.iter_mut().for_each(|d| d.stable_step = (StableStep::Adaptive, None));
    displays
}

fn name(scene: &str, size: (usize, usize, f64), theme: Theme) -> String {
    let theme = if theme == Theme::Dark { "dark" } else { "light" };
    format!("{scene}-{}x{}-{theme}", size.0, size.1)
}

fn holds(rect: &Rect, at: (f64, f64)) -> bool {
    let across = f64::from(rect.x0) <= at.0 && at.0 < f64::from(rect.x1);
    across && f64::from(rect.y0) <= at.1 && at.1 < f64::from(rect.y1)
}

fn apart(a: &Rect, b: &Rect) -> bool {
    a.x1 <= b.x0 || b.x1 <= a.x0 || a.y1 <= b.y0 || b.y1 <= a.y0
}

/// Cards and texts lie on the canvas and not on each other, and every particle is seen beside them.
fn nothing_overlaps(stage: &Stage, session: &Session, name: &str) -> Vec<String> {
    let whole = stage.canvas.bounds();
    let cards = stage.cards().map(|rect| ("a card".to_string(), rect));
    let texts = stage.texts().iter().map(|text| (format!("`{}`", text.text), text.rect));
    let boxes: Vec<(String, Rect)> = cards.chain(texts).collect();
    let mut faults = Vec::new();
    for (k, (what, rect)) in boxes.iter().enumerate() {
        if rect.intersection(&whole) != *rect {
            faults.push(format!("{name}: {what} is cut"));
        }
        let on = boxes[..k].iter().filter(|(_, other)| !apart(rect, other));
        faults.extend(on.map(|(other, _)| format!("{name}: {what} lies on {other}")));
    }
    let place = stage.place_of(0, 1);
    let under = stage.cards().filter(|card| !apart(card, &place.pane));
    faults.extend(under.map(|card| format!("{name}: the picture runs under {card:?}")));
    let view = stage.camera.view(&place.focus);
    for (i, p) in session.panes()[0].simulation().state.positions.iter().enumerate() {
        let Some(at) = view.see(*p).map(|seen| seen.at) else {
            faults.push(format!("{name}: particle {i} is behind the eye"));
            continue;
        };
        if !holds(&place.focus, at) {
            faults.push(format!("{name}: particle {i} is cut, at {at:?}"));
        }
        let over = boxes.iter().filter(|(_, rect)| holds(rect, at));
        faults.extend(over.map(|(what, _)| format!("{name}: particle {i} is under {what}")));
    }
    for (i, mark) in pins(stage, session) {
        if mark.intersection(&place.focus) != mark {
            faults.push(format!("{name}: the mark of pin {i} is cut, at {mark:?}"));
        }
    }
    faults.truncate(3);
    faults
}

/// The particles that are held along an axis that is not locked, with the boxes of their marks.
fn pins(stage: &Stage, session: &Session) -> Vec<(usize, Rect)> {
    let simulation = session.panes()[0].simulation();
    let (model, place) = (&simulation.model, stage.place_of(0, 1));
    let view = stage.camera.view(&place.focus);
    let mark = |i: usize| {
        let held = |axis| Some(axis) != model.locked_axis && model.inverse_masses[i][axis] == 0.0;
        let seen = view.see(simulation.state.positions[i]).filter(|_| (0..3).any(held))?;
        let at = |x: f64, y: f64| {
            ((seen.at.0 + x * place.scale) as i32, (seen.at.1 + y * place.scale) as i32)
        };
        let ((x0, y0), (x1, y1)) = (at(-7.5, 0.0), at(7.5, 12.0));
        Some((i, Rect { x0, y0, x1, y1 }))
    };
    (0..model.particles()).filter_map(mark).collect()
}

/// The scenes at all sizes, in both themes; each is shown to `look` with its session.
fn each(mut look: impl FnMut(&str, &Stage, &Session)) {
    for (scene, time) in SCENES {
        let mut session = session(&library().join(format!("{scene}.toml")));
        let mut stages = Vec::new();
        for size in SIZES {
            for theme in [Theme::Light, Theme::Dark] {
                stages.push((stage(&session, size, theme), size, theme));
            }
        }
        // the camera follows from picture to picture
        for part in 1..=8 {
            let quiet = &mut |_| ControlFlow::Continue(());
            let until = time * f64::from(part) / 8.0;
            assert!(session.film_to(until, quiet).is_continue());
            assert!(session.failure().is_none(), "{scene}");
            let displays = displays(&mut session);
            stages.iter_mut().for_each(|(stage, ..)| stage.draw(&displays));
        }
        for (stage, size, theme) in &stages {
            look(&name(scene, *size, *theme), stage, &session);
        }
    }
}

/// One size has references: a finer picture looks the same. All have hashes.
#[test]
fn golden_sizes_and_references() {
    let (mut faults, mut differ, mut hashes) = (Vec::new(), Vec::new(), Vec::new());
    each(|name, stage, session| {
        faults.extend(nothing_overlaps(stage, session, name));
        if name.contains("1280x720") {
            differ.extend(crate::reference::difference(name, &stage.canvas));
        }
        let hash = crate::pictures::written(name, &stage.canvas);
        hashes.push(format!("{name} {hash:#018x}"));
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    if cfg!(target_arch = "x86_64") {
        let golden: Vec<&str> = include_str!("sizes.txt").lines().collect();
        assert_eq!(
            hashes, golden,
            "look at the pictures (STICTION_PICTURES=folder) before updating tests/view/sizes.txt"
        );
    }
}

#[test]
fn nothing_overlaps_in_the_library() {
    let mut scenes: Vec<PathBuf> = std::fs::read_dir(library())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    scenes.sort();
    assert!(scenes.len() > 50);
    let mut faults = Vec::new();
    for path in scenes {
        let mut session = session(&path);
        let displays = displays(&mut session);
        let scene = path.file_stem().unwrap().to_string_lossy().into_owned();
        for size in SIZES {
            let mut stage = stage(&session, size, Theme::Light);
            stage.draw(&displays);
            let name = name(&scene, size, Theme::Light);
            faults.extend(nothing_overlaps(&stage, &session, &name));
            crate::pictures::written(&format!("library-{name}"), &stage.canvas);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Pins and what they pull stay beside chosen plots while they move, with their marks.
#[test]
fn pins_stay_beside_plots() {
    let scenes = [
        ("stick_slip", "speed", 10.0),
        ("stick_slip_belt", "creep", 3.0),
        ("cantilever", "creep", 0.3),
        ("capstan", "creep", 0.4),
        ("force_grip", "creep", 0.4),
    ];
    let mut faults = Vec::new();
    for (scene, plot, end) in scenes {
        let mut session = session(&library().join(format!("{scene}.toml")));
        let mut stages = Vec::new();
        for size in SIZES {
            let mut stage = stage(&session, size, Theme::Light);
            stage.captions.plots = vec![plot.into()];
            let view = View { zoom: 1.0, ..session.panes()[0].scene().view.clone() };
            viewpoint::apply(&view, &mut stage, &session.pictures()[0].snapshot);
            stages.push((stage, size));
        }
        for part in 0..=20 {
            let quiet = &mut |_| ControlFlow::Continue(());
            assert!(session.film_to(end * f64::from(part) / 20.0, quiet).is_continue());
            let pictures = session.pictures();
            for (stage, size) in &mut stages {
                stage.draw(&pictures);
                let name = name(scene, *size, Theme::Light);
                let found = nothing_overlaps(stage, &session, &name);
                faults.extend(found.into_iter().map(|fault| format!("{part}/20 of {fault}")));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
