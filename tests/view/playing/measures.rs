//! The scene's own measures in plots and panel are those of a headless run.

use super::{BOX, PLENTY, SECOND, act, alone, base};
use std::ops::ControlFlow;
use stiction_lab::run::Run;
use stiction_scene::build::BuildOptions;
use stiction_view::cards::facts::{Detail, FactLine, lines};
use stiction_view::display::{Display, Playback};
use stiction_view::keys::{Action, Direction, Knob};
use stiction_view::play::PlayerCommand;
use stiction_view::play::pane::Pane;
use stiction_view::play::session::Session;

/// A box with a measure of each size, of which one is expected, and one that has no value.
fn measured() -> String {
    format!(
        "{BOX}
        [[measure]]
        name = \"top\"
        kind = \"position\"
        body = \"box\"
        [[measure]]
        name = \"speed\"
        kind = \"speed\"
        body = \"box\"
        [[measure]]
        name = \"period\"
        kind = \"speed\"
        body = \"box\"
        reduce = \"period\"
        from = 0.15
        [expect]
        speed = {{ value = 0.5, tolerance = 0.1 }}
        "
    )
}

fn picture(pane: &Pane) -> Display {
    pane.picture(Playback::default(), None)
}

#[test]
fn a_picture_has_the_measures_of_a_headless_run() {
    let mut pane = Pane::open(base(&measured())).unwrap();
    pane.sample(None);
    for time in [0.1, 0.2] {
        pane.advance_to(time, None);
        pane.sample(None);
    }
    let scene = base(&measured()).load(&[]).unwrap().scene;
    let mut run = Run::new(&scene, &BuildOptions::default()).unwrap();
    run.finish().unwrap();
    let display = picture(&pane);
    let shown = &display.history.samples().last().unwrap().measures;
    let wanted = &run.frames.last().unwrap().measures;
    assert_eq!(shown.len(), 5);
    assert_eq!(shown[..4], wanted[..4]);
    assert!(shown[4].is_nan(), "{shown:?}");
    let names: Vec<&str> = display.measured.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["top", "speed", "period"]);
    assert_eq!(display.measured[0].columns, 0..3);
    assert_eq!(display.measured[1].band(), Some((0.4, 0.6)));
    let panel = format!("{:?}", lines(&display, Detail::Less));
    assert!(panel.contains("Measure(\"period\", \"– after 2 even cycles\")"), "{panel}");
}

#[test]
fn measures_begin_anew_where_a_run_goes_back_or_starts_again() {
    let mut pane = Pane::open(base(&measured())).unwrap();
    pane.advance_to(0.1, None);
    pane.sample(None);
    let first = picture(&pane).history.samples().last().unwrap().measures.clone();
    pane.restart().unwrap();
    assert!(picture(&pane).history.samples().is_empty());
    pane.advance_to(0.1, None);
    pane.sample(None);
    let again = picture(&pane).history.samples().last().unwrap().measures.clone();
    assert_eq!(first[..4], again[..4]);
}

/// The measures in the panel, by name.
fn panel(session: &mut Session) -> Vec<(String, String)> {
    let displays = session.displays();
    let lines = lines(&displays[0], Detail::Less).into_iter();
    let measure = |line| match line {
        FactLine::Measure(name, text) => Some((name, text)),
        _ => None,
    };
    lines.filter_map(measure).collect()
}

fn film_to(session: &mut Session, time: f64) {
    assert!(session.film_to(time, &mut |_| ControlFlow::Continue(())).is_continue());
}

fn swings() -> Session {
    let text = format!(
        "{BOX}
        [[measure]]
        name = \"swing\"
        kind = \"speed\"
        body = \"box\"
        reduce = \"swing\"
        "
    );
    Session::start(alone(base(&text))).unwrap()
}

#[test]
fn reduced_measures_count_from_the_last_change_on() {
    let mut session = swings();
    film_to(&mut session, 0.04);
    let early = panel(&mut session);
    film_to(&mut session, 0.1);
    let before = panel(&mut session);
    assert_eq!(before[0].0, "swing");
    assert_ne!(before[0].1, "0 m/s");
    act(&mut session, Action::Turn(Knob::Epsilon, Direction::Up));
    film_to(&mut session, 0.1002);
    let changed = panel(&mut session);
    assert_eq!(changed, [("swing since 0.100 s".to_string(), "– after a cycle".to_string())]);
    film_to(&mut session, 0.15);
    assert_eq!(panel(&mut session)[0].0, "swing since 0.100 s");
    // the hand disturbs as a change does
    act(&mut session, Action::Push);
    film_to(&mut session, 0.16);
    assert_eq!(panel(&mut session)[0].0, "swing since 0.150 s");
    // what was read before comes back with its time
    session.obey(PlayerCommand::Seek(0.04));
    while session.is_seeking() {
        session.pass(SECOND, PLENTY);
    }
    assert_eq!(panel(&mut session), early);
}

#[test]
fn the_panel_says_which_measures_it_leaves_out() {
    let with = |count: usize| {
        let own = |k| format!("[[measure]]\nname = \"m{k}\"\nkind = \"speed\"\nbody = \"box\"\n");
        let text: String = (0..count).map(own).collect();
        let mut session = Session::start(alone(base(&format!("{BOX}{text}")))).unwrap();
        let displays = session.displays();
        let left = lines(&displays[0], Detail::Less).into_iter().find_map(|line| match line {
            FactLine::Note(text, _) if text.contains(" more: ") => Some(text),
            _ => None,
        });
        (panel(&mut session).len(), left)
    };
    assert_eq!(with(7), (7, None));
    assert_eq!(with(8), (6, Some("2 more: m6, m7".into())));
}

/// A step that does not divide the rest of the scene ends before its end.
#[test]
fn a_scene_has_ended_after_a_change_of_the_step_too() {
    let mut session = swings();
    film_to(&mut session, 0.0502);
    act(&mut session, Action::Turn(Knob::Step, Direction::Up));
    while session.is_playing() {
        session.pass(SECOND, PLENTY);
    }
    let displays = session.displays();
    assert!(displays[0].snapshot.state.time < 0.2 - 1e-5, "{}", displays[0].snapshot.state.time);
    let shown = format!("{:?}", lines(&displays[0], Detail::Less));
    assert!(shown.contains("\"speed\", \"ended\""), "{shown}");
}
