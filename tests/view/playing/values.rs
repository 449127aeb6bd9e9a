//! Values that are typed or slid, changes that are taken back, scenes that start again.

use super::*;
use crate::support::wait::until;
use stiction_scene::description::View;
use stiction_view::dial::Dial;
use stiction_view::display::Playback;
use stiction_view::keys::Layer;
use stiction_view::play::pane::Pane;
use stiction_view::viewer::{Beginning, Viewer};

fn set(session: &mut Session, knob: Knob, value: f64, again: bool) {
    session.obey(PlayerCommand::Set { knob, value, again });
}

fn dial(session: &mut Session, knob: Knob) -> Option<Dial> {
    let displays = session.displays();
    displays[0].settings.iter().find(|setting| setting.knob == knob).expect("it is shown").dial
}

/// A number is what was set, the state stays, and undoing gives back what was there.
#[test]
fn numbers_are_set_and_taken_back() {
    let mut session = Session::start(alone(base(BOX))).unwrap();
    session.pass(SECOND / 50, PLENTY);
    let was = hash(&session);
    for (knob, value) in
        [(Knob::Epsilon, 3e-3), (Knob::Step, 1e-4), (Knob::Friction, 0.42), (Knob::Stiffness, 3e4)]
    {
        let before = dial(&mut session, knob).expect("a number").value;
        set(&mut session, knob, value, false);
        let now = dial(&mut session, knob).expect("a number").value;
        assert!(
            (now - value).abs() < 1e-12 * value,
            "{knob:?}: {now}, {:?}",
            session.take_notice()
        );
        assert_eq!(hash(&session), was, "{knob:?} moved something");
        act(&mut session, Action::Undo);
        let back = dial(&mut session, knob).expect("a number").value;
        assert!((back - before).abs() < 1e-12 * before, "{knob:?}: {back}, not {before}");
    }
    // a slider that is dragged is one change
    for (k, value) in [2e-3, 4e-3, 8e-3].into_iter().enumerate() {
        set(&mut session, Knob::Epsilon, value, k > 0);
    }
    act(&mut session, Action::Turn(Knob::Law, Direction::Down));
    act(&mut session, Action::Undo);
    assert_eq!(dial(&mut session, Knob::Epsilon).expect("a number").value, 8e-3);
    act(&mut session, Action::Undo);
    assert_eq!(dial(&mut session, Knob::Epsilon).expect("a number").value, 1e-2);
    act(&mut session, Action::Undo);
    assert!(session.take_notice().is_some_and(|said| said.contains("no change")));
    // the push: its force as it is set, its height within the body
    set(&mut session, Knob::PushForce, -12.5, false);
    set(&mut session, Knob::PushHeight, 9.0, false);
    assert_eq!(dial(&mut session, Knob::PushForce).expect("a number").value, -12.5);
    let height = dial(&mut session, Knob::PushHeight).expect("a number");
    assert_eq!(height.value, height.range[1]);
}

/// Nonsense changes nothing and is answered; what is a name has no number.
#[test]
fn values_that_cannot_be_are_refused() {
    let mut session = Session::start(alone(base(BOX))).unwrap();
    let refused = [
        (Knob::Epsilon, 0.0),
        (Knob::Step, -1e-3),
        (Knob::Friction, -0.1),
        (Knob::Stiffness, f64::NAN),
        (Knob::PushForce, f64::INFINITY),
        (Knob::Law, 1.0),
    ];
    for (knob, value) in refused {
        let before = setting(&mut session, knob);
        set(&mut session, knob, value, false);
        assert!(session.take_notice().is_some(), "{knob:?}: nothing is said");
        assert_eq!(setting(&mut session, knob), before, "{knob:?}");
    }
    assert_eq!([Knob::Law, Knob::Integrator].map(|knob| dial(&mut session, knob)), [None, None]);
    let smooth = base(&BOX.replace("static_friction = 0.5", "static_friction = 0"));
    let mut session = Session::start(alone(smooth)).unwrap();
    set(&mut session, Knob::Friction, 0.2, false);
    assert!(session.take_notice().is_some_and(|said| said.contains("no friction")));
}

/// At its end a scene that loops rests for a second and starts again with what is set; another
/// stops.
#[test]
fn a_scene_starts_again_where_it_is_wanted() {
    for looping in [false, true] {
        let mut session = Session::start(alone(base(BOX))).unwrap();
        session.loop_at_end(looping);
        set(&mut session, Knob::Friction, 0.3, false);
        let mut beginnings = 0;
        let mut last = 0.0;
        for _ in 0..60 {
            session.pass(SECOND / 20, PLENTY);
            let time = session.panes()[0].time();
            beginnings += usize::from(time < last);
            last = time;
        }
        // 3 s: .2 s of scene and 1 s of rest, twice
        assert_eq!(beginnings, if looping { 2 } else { 0 });
        assert_eq!(session.is_playing(), looping);
        assert_eq!(setting(&mut session, Knob::Friction), "0.30");
    }
}

fn beginning() -> Beginning {
    Beginning {
        size: (1280, 720),
        scale: 1.0,
        view: View::default(),
        playing: false,
        folder: std::env::temp_dir(),
        browsing: false,
        profile: false,
        looping: false,
        record: None,
    }
}

pub fn viewer() -> Viewer {
    Viewer::new(alone(base(BOX)), &beginning()).expect("a viewer")
}

fn shown(viewer: &Viewer, knob: Knob) -> f64 {
    let settings = &viewer.scenes().displays[0].settings;
    let setting = settings.iter().find(|setting| setting.knob == knob);
    // a slider comes with a later picture
    setting.map_or(f64::NAN, |setting| setting.dial.expect("a number").value)
}

/// The list of scenes opens on the present one; keys mark the next and the one before.
#[test]
fn the_list_of_scenes_is_gone_through() {
    let mut viewer = viewer();
    let marked = |viewer: &Viewer| viewer.stage.browser.as_ref().map(|list| list.marked);
    assert_eq!(marked(&viewer), None);
    viewer.act(Action::Toggle(Layer::Browser));
    let listing = viewer.stage.browser.as_mut().expect("the list is open");
    listing.entries = (0..4).map(|k| (format!("{k}.toml"), format!("Scene {k}"))).collect();
    listing.marked = 0;
    for (action, row) in [(Action::Below, 1), (Action::Below, 2), (Action::Above, 1)] {
        viewer.act(action);
        assert_eq!(marked(&viewer), Some(row), "{action:?}");
    }
    viewer.act(Action::Toggle(Layer::Browser));
    assert_eq!(marked(&viewer), None);
}

/// Waits until a knob shows a value.
pub fn until_shown(viewer: &mut Viewer, knob: Knob, value: f64) {
    until(&format!("{knob:?} is {value}"), || {
        viewer.frame();
        (shown(viewer, knob) - value).abs() <= 1e-12 * value
    });
}

/// The ends of a value's field, and the height of its middle.
fn field(viewer: &Viewer, knob: Knob) -> ([f64; 2], f64) {
    let mut buttons = viewer.stage.buttons();
    let (rect, _) = buttons.find(|(_, action)| *action == Action::Type(knob)).expect("a field");
    ([rect.x0, rect.x1].map(f64::from), 0.5 * f64::from(rect.y0 + rect.y1))
}

/// A click on a value types it, with its prefix; keys then mean nothing else. Dragging slides.
#[test]
fn a_click_types_and_a_drag_slides() {
    let mut viewer = viewer();
    viewer.frame();
    let ([left, right], y) = field(&viewer, Knob::Epsilon);
    viewer.press((left + 20.0, y), false);
    viewer.release();
    assert!(viewer.stage.entry.is_some(), "a click begins to type");
    assert!("2.x\u{8}5 mm/s".chars().all(|letter| viewer.typed(letter, false)));
    assert_eq!(viewer.stage.entry.as_ref().map(|entry| entry.text.as_str()), Some("2.5 mm/s"));
    viewer.typed('\r', false);
    assert_eq!(viewer.stage.entry, None);
    until_shown(&mut viewer, Knob::Epsilon, 2.5e-3);
    // a text that is no number stays to be mended, and escape leaves the value
    viewer.typed('\r', false);
    assert_eq!(viewer.stage.entry.as_ref().map(|entry| entry.knob), Some(Knob::Epsilon));
    assert!("quick\r".chars().all(|letter| viewer.typed(letter, false)));
    assert!(viewer.stage.notice.as_ref().is_some_and(|said| said.contains("`quick`")));
    assert!(viewer.stage.entry.is_some() && viewer.typed('\u{1b}', false));
    assert_eq!((viewer.stage.entry.clone(), shown(&viewer, Knob::Epsilon)), (None, 2.5e-3));
    viewer.press((left + 20.0, y), false);
    viewer.motion((right - 30.0, y));
    viewer.motion((right + 50.0, y));
    viewer.release();
    assert_eq!(viewer.stage.entry, None, "a drag types nothing");
    until_shown(&mut viewer, Knob::Epsilon, 1.0);
    viewer.typed('U', false);
    until_shown(&mut viewer, Knob::Epsilon, 2.5e-3);
    viewer.finish().expect("it ends");
}

/// A short scene is played slowly enough to be seen, unless its speed is given.
#[test]
fn a_short_scene_is_played_slowly() {
    let viewer = viewer();
    assert_eq!(viewer.scenes().displays[0].playback.wanted, Some(0.0625), ".2 s in 3.2 s");
    viewer.finish().expect("it ends");
}

#[test]
fn a_line_says_where_the_time_goes() {
    let mut pane = Pane::open(base(BOX)).unwrap();
    let line = |pane: &Pane| pane.picture(Playback::default(), None).playback.profile;
    assert_eq!(line(&pane), None);
    let mut measured = Pane::open(base(BOX)).unwrap();
    measured.profile();
    for restarted in [false, true] {
        for _ in 0..200 {
            pane.advance();
            measured.advance();
        }
        assert_eq!(measured.simulation().state, pane.simulation().state);
        let words = line(&measured).expect("it is measured");
        // which sections these are the clock decides
        assert!(words.starts_with("time: "), "{words}");
        assert_eq!(words.matches(" %").count(), 4, "{words}");
        if !restarted {
            pane.restart().unwrap();
            measured.restart().unwrap();
        }
    }
    let mut session = Session::start(alone(base(BOX))).unwrap();
    session.profile();
    session.pass(SECOND / 50, PLENTY);
    assert!(session.displays()[0].playback.profile.is_some());
}

/// A scene that is read again with another body in the picture as it is leaves the camera where it is.
#[test]
fn a_new_body_in_the_picture_leaves_the_camera() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("box.toml");
    let ball = |place: &str| {
        format!(
            "{BOX}[[body]]\nname = \"ball\"\nmass = 0.1\nposition = {place}\n\
             shape = {{ points = {{ positions = [[0, 0, 0]] }} }}\n"
        )
    };
    std::fs::write(&path, BOX).unwrap();
    let beginning = Beginning { size: (1280, 720), ..beginning() };
    let mut viewer = Viewer::new(alone(Base::file(&path)), &beginning).expect("a viewer");
    viewer.frame();
    let reload = |viewer: &mut Viewer, text: &str| {
        std::fs::write(&path, text).unwrap();
        let opened = viewer.scenes().opened;
        viewer.typed('R', false);
        until("it is read again", || {
            viewer.frame();
            viewer.scenes().opened != opened
        });
        viewer.frame();
        let camera = &viewer.stage.camera;
        (camera.distance, camera.target)
    };
    let before = (viewer.stage.camera.distance, viewer.stage.camera.target);
    assert_eq!(reload(&mut viewer, &ball("[0.3, 0, 0.6]")), before, "it is in the picture");
    let far = reload(&mut viewer, &ball("[3, 0, 0.6]"));
    assert!(far.0 > before.0, "it would be outside");
    viewer.finish().expect("it ends");
}
