//! Pictures of scenes at the sizes of a phone, a laptop and a projector, light and dark: nothing is
//! hidden, nothing is cut.

use std::ops::ControlFlow;
use std::path::PathBuf;
use stiction_lab::experiment::base::Base;
use stiction_scene::description::{Theme, View};
use stiction_view::canvas::Rect;
use stiction_view::display::StableStep;
use stiction_view::play::session::{Session, SessionPlan};
use stiction_view::stage::Stage;
use stiction_view::viewpoint;

/// Scenes with the time at which they are looked at \[s\]: a box that tips, a belt, a bowl, a
/// gripper, a stack, a cloth on a ball, a wheel at a kerb, a snake.
const SCENES: [(&str, f64); 8] = [
    ("tipping_box", 3.0),
    ("belt", 0.5),
    ("bowl", 0.45),
    ("gripper", 0.8),
    ("brick_stack", 0.2),
    ("cloth_on_sphere", 0.1),
    ("kerb", 0.3),
    ("snake", 0.5),
];

/// Widths and heights with their scales: large type on the largest.
const SIZES: [(usize, usize, f64); 3] = [(640, 360, 1.0), (1280, 720, 1.0), (2560, 1440, 2.0)];

fn session(scene: &str) -> Session {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let path = folder.join(format!("{scene}.toml"));
    let panes = vec![Base::file(&path)];
    Session::start(SessionPlan { path, panes, reference: None, recording: None }).expect("a scene")
}

fn name(scene: &str, size: (usize, usize, f64), theme: Theme) -> String {
    let theme = if theme == Theme::Dark { "dark" } else { "light" };
    format!("{scene}-{}x{}-{theme}", size.0, size.1)
}

/// Cards lie on the canvas and not on each other, and every particle is seen beside them.
fn nothing_is_hidden_or_cut(stage: &Stage, session: &Session, name: &str) {
    let whole = stage.canvas.bounds();
    let cards: Vec<Rect> = stage.cards().collect();
    for (k, card) in cards.iter().enumerate() {
        assert_eq!(card.intersection(&whole), *card, "{name}: a card is cut");
        let others = cards[..k].iter().filter(|other| !other.intersection(card).is_empty());
        assert_eq!(others.count(), 0, "{name}: a card lies on another");
    }
    let place = stage.place_of(0, 1);
    let view = stage.camera.view(&place.focus);
    for (i, p) in session.panes()[0].simulation().state.positions.iter().enumerate() {
        let at =
            view.see(*p).unwrap_or_else(|| panic!("{name}: particle {i} is behind the eye")).at;
        let inside = |rect: &Rect| {
            let across = f64::from(rect.x0) <= at.0 && at.0 < f64::from(rect.x1);
            across && f64::from(rect.y0) <= at.1 && at.1 < f64::from(rect.y1)
        };
        assert!(inside(&whole), "{name}: particle {i} is cut, at {at:?}");
        assert!(!cards.iter().any(inside), "{name}: particle {i} is under a card, at {at:?}");
    }
}

/// The scenes at all sizes, in both themes; each is shown to `look` with its session.
fn each(mut look: impl FnMut(&str, &Stage, &Session)) {
    for (scene, time) in SCENES {
        let mut session = session(scene);
        let mut stages = Vec::new();
        for size in SIZES {
            for theme in [Theme::Light, Theme::Dark] {
                let mut stage = Stage::new(size.0, size.1, size.2);
                stage.plots = true;
                let view = View { theme, ..session.panes()[0].scene().view.clone() };
                viewpoint::apply(&view, &mut stage, &session.pictures()[0].snapshot);
                stages.push((stage, size, theme));
            }
        }
        // the camera follows from picture to picture
        for part in 1..=8 {
            let goes_on = &mut |_| ControlFlow::Continue(());
            assert!(
                session.film_to(time * f64::from(part) / 8.0, time / 40.0, goes_on).is_continue()
            );
            assert!(session.failure().is_none(), "{scene}");
            let mut displays = session.displays();
            // computed beside the run, at its own time
            displays.iter_mut().for_each(|d| d.stable_step = (StableStep::Adaptive, None));
            stages.iter_mut().for_each(|(stage, ..)| stage.draw(&displays));
        }
        for (stage, size, theme) in &stages {
            look(&name(scene, *size, *theme), stage, &session);
        }
    }
}

#[test]
fn nothing_is_hidden_or_cut_at_any_size_and_pictures_look_like_their_references() {
    let mut differ = Vec::new();
    each(|name, stage, session| {
        nothing_is_hidden_or_cut(stage, session, name);
        // one size has references: a finer picture looks the same
        if name.contains("1280x720") {
            differ.extend(crate::reference::difference(name, &stage.canvas));
        }
    });
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

#[test]
fn golden_sizes() {
    let mut hashes = Vec::new();
    each(|name, stage, _| {
        let hash = crate::pictures::written(name, &stage.canvas);
        hashes.push(format!("{name} {hash:#018x}"));
    });
    if cfg!(target_arch = "x86_64") {
        let golden: Vec<&str> = include_str!("sizes.txt").lines().collect();
        assert_eq!(
            hashes, golden,
            "look at the pictures (STICTION_PICTURES=folder) before updating tests/view/sizes.txt"
        );
    }
}
