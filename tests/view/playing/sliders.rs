//! Any number of the scene as a slider: found by a part of its name, changed between two steps, or
//! from its start.

use super::values::{until_shown, viewer};
use super::*;
use stiction_core::math::smaller;
use stiction_view::display::Setting;
use stiction_view::viewer::Viewer;

fn number(session: &mut Session, path: &str) -> Option<Setting> {
    let displays = session.displays();
    displays[0].settings.iter().find(|setting| setting.name == path).cloned()
}

/// Makes a slider, and gives its knob.
fn slider(session: &mut Session, path: &str) -> Knob {
    session.obey(PlayerCommand::Slider(path.into()));
    number(session, path).expect("a slider").knob
}

fn value(session: &mut Session, path: &str) -> f64 {
    number(session, path).and_then(|setting| setting.dial).expect("a number").value
}

fn set(session: &mut Session, knob: Knob, value: f64) {
    session.obey(PlayerCommand::Set { knob, value, again: false });
}

/// The width of the box \[m\].
fn width(session: &Session) -> f64 {
    let positions = &session.panes()[0].simulation().state.positions;
    let least = positions.iter().map(|p| p.x).fold(f64::INFINITY, smaller);
    -2.0 * least
}

/// A mass changes between two steps; the state stays, and undoing gives back what was there.
#[test]
fn a_number_of_the_world_changes_while_it_runs() {
    let mut session = Session::start(alone(base(BOX))).unwrap();
    session.pass(SECOND / 50, PLENTY);
    let was = hash(&session);
    let knob = slider(&mut session, "body.box.mass");
    assert!(!number(&mut session, "body.box.mass").expect("a slider").restarts);
    set(&mut session, knob, 3.5);
    assert_eq!(value(&mut session, "body.box.mass"), 3.5);
    let masses = session.panes()[0].simulation().model.masses.clone();
    assert!((masses.iter().sum::<f64>() - 3.5).abs() < 1e-12);
    assert_eq!(hash(&session), was, "something moved");
    act(&mut session, Action::Turn(knob, Direction::Up));
    assert_eq!(value(&mut session, "body.box.mass"), 5.0);
    act(&mut session, Action::Undo);
    act(&mut session, Action::Undo);
    assert_eq!(value(&mut session, "body.box.mass"), 2.0);
    assert_eq!(session.panes()[0].changes().set(session.panes()[0].scene()), [""; 0]);
    set(&mut session, knob, -1.0);
    assert!(session.take_notice().is_some_and(|said| said.contains("body.box.mass stays")));
    assert_eq!(value(&mut session, "body.box.mass"), 2.0);
}

/// A number of the start is set by starting again, side by side in all runs; so is its undoing.
#[test]
fn a_number_of_the_start_starts_again() {
    let path = "body.box.shape.lattice.spacing";
    let mut plan = alone(base(BOX));
    plan.panes.push(with(base(BOX), &["integrator.method=rk4"]));
    let mut session = Session::start(plan).unwrap();
    session.pass(SECOND / 50, PLENTY);
    let narrow = width(&session);
    let knob = slider(&mut session, path);
    assert!(number(&mut session, path).expect("a slider").restarts);
    assert!(session.take_notice().is_some_and(|said| said.contains("the run starts again")));
    set(&mut session, knob, 0.2);
    assert!(session.take_notice().is_some_and(|said| said.contains("spacing is now 200 mm")));
    assert!((width(&session) - 0.4).abs() < 1e-12 && narrow < 0.21, "{}", width(&session));
    assert_eq!([0, 1].map(|k| session.panes()[k].time()), [0.0, 0.0]);
    assert!((width(&session) - 0.4).abs() < 1e-12 && session.is_playing());
    // with other changes and after a restart it is still set
    set(&mut session, Knob::Friction, 0.3);
    session.pass(SECOND / 50, PLENTY);
    act(&mut session, Action::Restart);
    assert!((width(&session) - 0.4).abs() < 1e-12);
    assert_eq!(setting(&mut session, Knob::Friction), "0.30");
    session.pass(SECOND / 50, PLENTY);
    act(&mut session, Action::Undo);
    assert!(session.panes()[0].time() > 0.0, "friction changes between two steps");
    act(&mut session, Action::Undo);
    assert_eq!(session.panes()[0].time(), 0.0);
    assert!((width(&session) - 0.2).abs() < 1e-12);
}

/// A recording has the start as it was set, and then what was changed, and gives the same bits.
#[test]
fn what_was_slid_is_recorded() {
    let mut session = Session::start(alone(base(BOX))).unwrap();
    let spacing = slider(&mut session, "body.box.shape.lattice.spacing");
    let mass = slider(&mut session, "body.box.mass");
    set(&mut session, spacing, 0.12);
    session.pass(SECOND / 50, PLENTY);
    set(&mut session, mass, 3.0);
    session.pass(SECOND / 50, PLENTY);
    let recording = session.recording();
    assert_eq!(recording.head.set, ["body.box.shape.lattice.spacing=1.2e-1"]);
    let again = with(base(BOX), &["body.box.shape.lattice.spacing=1.2e-1"]);
    let mut replayed =
        Session::start(SessionPlan { recording: Some(recording), ..alone(again) }).unwrap();
    let last = step(&session);
    while step(&replayed) < last {
        act(&mut replayed, Action::Step);
    }
    assert_eq!(hash(&replayed), hash(&session));
}

/// Turning μ scales the coefficient that a slider set; another method leaves out the numbers of the
/// one before.
#[test]
fn usual_settings_and_sliders_agree() {
    let path = "materials.rubber.static_friction";
    let mut session = Session::start(alone(base(BOX))).unwrap();
    let knob = slider(&mut session, path);
    set(&mut session, knob, 0.8);
    assert_eq!(setting(&mut session, Knob::Friction), "0.80");
    act(&mut session, Action::Turn(Knob::Friction, Direction::Up));
    assert_eq!(setting(&mut session, Knob::Friction), "0.85");
    assert_eq!(value(&mut session, path), 0.85);
    let adaptive = with(base(BOX), &["integrator.method=dopri5"]);
    let mut session = Session::start(alone(adaptive)).unwrap();
    let numbers = session.displays()[0].numbers.clone();
    let own = numbers.iter().find(|number| number.path.starts_with("integrator.")).expect("one");
    let knob = slider(&mut session, &own.path);
    set(&mut session, knob, 0.5 * own.value);
    assert_eq!(value(&mut session, &own.path), 0.5 * own.value);
    act(&mut session, Action::Turn(Knob::Integrator, Direction::Down));
    assert_ne!(setting(&mut session, Knob::Integrator), "dopri5", "{:?}", session.take_notice());
    session.obey(PlayerCommand::Name { knob: Knob::Integrator, name: "rk4".into() });
    assert_eq!(number(&mut session, &own.path), None);
}

/// A fifth slider takes the place of the first, whose number stays as set.
#[test]
fn there_are_at_most_four() {
    let mut session = Session::start(alone(base(BOX))).unwrap();
    let knob = slider(&mut session, "body.box.mass");
    set(&mut session, knob, 3.0);
    for path in ["world.gravity.2", "body.box.radius", "contact.normal.damping", "time.end"] {
        slider(&mut session, path);
    }
    assert!(session.take_notice().is_some_and(|said| said.contains("the place of body.box.mass")));
    assert_eq!(number(&mut session, "body.box.mass"), None);
    let masses = &session.panes()[0].simulation().model.masses;
    assert!((masses.iter().sum::<f64>() - 3.0).abs() < 1e-12);
    session.obey(PlayerCommand::Slider("body.box.colour".into()));
    assert!(session.take_notice().is_some_and(|said| said.contains("no number body.box.colour")));
}

fn typed(viewer: &mut Viewer, text: &str) {
    text.chars().for_each(|letter| assert!(viewer.typed(letter, false)));
}

/// A name is typed and becomes a slider; one that is not there is answered; escape leaves.
#[test]
fn a_name_is_typed_and_becomes_a_slider() {
    let mut viewer = viewer();
    typed(&mut viewer, "/mas");
    let finder = viewer.stage.finder.clone().expect("it is open");
    assert_eq!(finder.chosen().map(|number| number.path.as_str()), Some("body.box.mass"));
    viewer.frame();
    crate::pictures::written("finder", &viewer.stage.canvas);
    typed(&mut viewer, "\r");
    assert_eq!(viewer.stage.finder, None);
    until_shown(&mut viewer, Knob::Number(0), 2.0);
    // enter types into the slider that was just made
    typed(&mut viewer, "\r");
    assert_eq!(viewer.stage.entry.as_ref().map(|entry| entry.knob), Some(Knob::Number(0)));
    typed(&mut viewer, "\u{1b}/gravty\r");
    let said = viewer.stage.notice.clone().unwrap_or_default();
    assert!(said.contains("did you mean `world.gravity.2`"), "{said}");
    assert!(viewer.stage.finder.is_some(), "the name can be mended");
    typed(&mut viewer, "\u{1b}");
    assert_eq!(viewer.stage.finder, None);
    // ε has a slider: its value is typed
    typed(&mut viewer, "/epsilon\r");
    assert_eq!(viewer.stage.entry.as_ref().map(|entry| entry.knob), Some(Knob::Epsilon));
    typed(&mut viewer, "\u{1b}/spacing\r");
    until_shown(&mut viewer, Knob::Number(1), 0.1);
    viewer.stage.notice = None;
    viewer.frame();
    crate::pictures::written("sliders", &viewer.stage.canvas);
    viewer.finish().expect("it ends");
}

/// A click takes a candidate; a press beside the search closes it.
#[test]
fn candidates_are_clicked() {
    let mut viewer = viewer();
    typed(&mut viewer, "/box");
    viewer.frame();
    let place = |viewer: &Viewer, k: usize| {
        let mut buttons = viewer.stage.buttons();
        let (rect, _) = buttons.find(|(_, action)| *action == Action::Candidate(k)).expect("a row");
        (f64::from(rect.x0 + 5), f64::from(rect.y0 + 5))
    };
    let second = viewer.stage.finder.as_ref().and_then(|finder| finder.candidates().nth(1));
    let value = second.expect("a candidate").value;
    let at = place(&viewer, 1);
    viewer.press(at, false);
    viewer.release();
    assert_eq!(viewer.stage.finder, None);
    until_shown(&mut viewer, Knob::Number(0), value);
    typed(&mut viewer, "/box");
    viewer.frame();
    let canvas = &viewer.stage.canvas;
    let corner = (canvas.width() as f64 - 3.0, canvas.height() as f64 - 3.0);
    viewer.press(corner, false);
    viewer.release();
    assert_eq!(viewer.stage.finder, None);
    viewer.finish().expect("it ends");
}

/// A dragged number of the start says its value, and the run starts again once, when it is let go.
#[test]
fn a_number_of_the_start_waits_for_the_release() {
    let mut viewer = viewer();
    typed(&mut viewer, "/spacing\r");
    until_shown(&mut viewer, Knob::Number(0), 0.1);
    let mut buttons = viewer.stage.buttons();
    let of = |action: &Action| *action == Action::Type(Knob::Number(0));
    let (rect, _) = buttons.find(|(_, action)| of(action)).expect("a field");
    drop(buttons);
    let (left, right, y) = (f64::from(rect.x0), f64::from(rect.x1), f64::from(rect.y0 + 3));
    viewer.press((left + 20.0, y), false);
    viewer.motion((left + 60.0, y));
    viewer.motion((right + 50.0, y));
    let said = viewer.stage.notice.clone().unwrap_or_default();
    assert!(said.contains("let go, and the run starts again"), "{said}");
    viewer.frame();
    let dial = |viewer: &Viewer| {
        let settings = &viewer.scenes().displays[0].settings;
        let own = settings.iter().find(|setting| setting.knob == Knob::Number(0));
        own.and_then(|setting| setting.dial).expect("a number")
    };
    assert_eq!(dial(&viewer).value, 0.1, "it waits");
    let most = dial(&viewer).range[1];
    viewer.release();
    until_shown(&mut viewer, Knob::Number(0), most);
    viewer.finish().expect("it ends");
}

/// Where the controls have no room, what is typed stands in a line.
#[test]
fn a_small_window_shows_what_is_typed() {
    let mut viewer = viewer();
    viewer.resize(640, 360);
    typed(&mut viewer, "/mass\r");
    until_shown(&mut viewer, Knob::Number(0), 2.0);
    typed(&mut viewer, "\r3");
    let said = viewer.stage.notice.clone().unwrap_or_default();
    assert_eq!(said, "body.box.mass, now 2.00 kg: 3_");
    viewer.frame();
    crate::pictures::written("small", &viewer.stage.canvas);
    typed(&mut viewer, "\r");
    until_shown(&mut viewer, Knob::Number(0), 3.0);
    viewer.finish().expect("it ends");
}
