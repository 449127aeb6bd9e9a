//! Playing keeps to the clock, and panes keep together.

use super::*;
use crate::support::wait::until;
use stiction_view::display::Display;

/// Real time is as many steps as fit, slow motion fewer; a watched run has the bits of a headless
/// one.
#[test]
fn playing_keeps_to_the_clock_and_to_the_bits() {
    let mut session = Session::start(alone(base(BOX))).unwrap();
    session.pass(SECOND / 20, PLENTY);
    assert_eq!(step(&session), 250);
    act(&mut session, Action::Slower);
    session.displays();
    session.pass(SECOND / 20, PLENTY);
    assert_eq!(step(&session), 375);
    act(&mut session, Action::Step);
    assert_eq!(step(&session), 376);
    assert!(!session.is_playing());
    session.displays();
    let scene = base(BOX).load(&[]).unwrap().scene;
    let mut headless = Run::new(&scene, &BuildOptions::default()).unwrap().into_simulation();
    (0..376).for_each(|_| headless.advance().unwrap());
    assert!(session.panes()[0].simulation().state == headless.state);
}

/// Without any budget a session still goes on a little, and time that was missed is not owed.
#[test]
fn a_slow_machine_is_not_owed_time() {
    let mut session = Session::start(alone(base(BOX))).unwrap();
    for _ in 0..10 {
        let before = step(&session);
        session.pass(SECOND / 20, Duration::ZERO);
        assert!((1..20).contains(&(step(&session) - before)));
    }
    let before = step(&session);
    session.pass(SECOND / 1000, PLENTY);
    assert_eq!(step(&session) - before, 5);
}

/// The scene's end pauses; space goes on beyond it; `r` starts again.
#[test]
fn the_end_pauses() {
    let mut session = Session::start(alone(base(BOX))).unwrap();
    (0..4).for_each(|_| session.pass(SECOND / 10, PLENTY));
    assert_eq!(step(&session), 1000);
    assert!(!session.is_playing());
    assert!(session.displays()[0].playback.remark.is_some());
    act(&mut session, Action::Play);
    session.pass(SECOND / 100, PLENTY);
    assert_eq!(step(&session), 1050);
    act(&mut session, Action::Restart);
    assert_eq!(step(&session), 0);
}

/// Runs side by side are at the same time, and the difference from the reference is small but not
/// zero.
#[test]
fn panes_go_in_step() {
    let pane = |set: &[&str]| with(base(BOX), set);
    let cast = SessionPlan {
        path: "test.toml".into(),
        panes: vec![
            pane(&["integrator.method=rk4"]),
            pane(&["integrator.method=implicit-euler", "time.step=1e-3"]),
            pane(&["contact.friction.law=tanh"]),
        ],
        reference: Some(("fine".into(), pane(&["integrator.method=rk4", "time.step=2e-5"]))),
        recording: None,
    };
    let mut session = Session::start(cast).unwrap();
    for _ in 0..5 {
        session.pass(SECOND / 100, PLENTY);
        session.displays();
    }
    let displays = session.displays();
    assert_eq!(displays.len(), 3);
    let times: Vec<f64> = displays.iter().map(|d| d.snapshot.state.time).collect();
    assert!(times.iter().all(|time| (time - 0.05).abs() < 1e-3 + 1e-9), "{times:?}");
    let last = |k: usize| displays[k].history.samples().last().unwrap();
    let off = |k: usize| last(k).difference;
    assert!(off(0) > 0.0 && off(0) < off(1) && off(1) < 0.05, "{} {}", off(0), off(1));
    assert!(displays.iter().all(|d| d.ghost.as_ref().is_some_and(|ghost| ghost.name == "fine")));
    act(&mut session, Action::Pane(1));
    act(&mut session, Action::Turn(Knob::Integrator, Direction::Down));
    let names: Vec<&str> = session.panes().iter().map(|p| p.scene().integrator.name).collect();
    assert_eq!((names[0], names[2]), ("rk4", "symplectic-euler"), "only the active pane changes");
    assert_ne!(names[1], "implicit-euler");
}

/// With another step the end is still the end.
#[test]
fn the_end_is_found_with_another_step() {
    let mut session = Session::start(alone(base(BOX))).unwrap();
    act(&mut session, Action::Step);
    act(&mut session, Action::Turn(Knob::Step, Direction::Up));
    assert!(session.take_notice().unwrap().contains("now"));
    act(&mut session, Action::Play);
    for _ in 0..30 {
        session.pass(SECOND / 10, PLENTY);
    }
    assert!(!session.is_playing() && session.displays()[0].playback.remark.is_some());
}

/// If there is not enough time for all, none runs ahead: runs that are compared are at the same
/// time.
#[test]
fn panes_wait_for_the_slowest() {
    let pane = |set: &[&str]| with(base(BOX), set);
    let cast = SessionPlan {
        path: "test.toml".into(),
        panes: vec![pane(&[]), pane(&["integrator.method=implicit-euler", "time.step=1e-3"])],
        reference: Some(("fine".into(), pane(&["integrator.method=rk4", "time.step=2e-5"]))),
        recording: None,
    };
    let mut session = Session::start(cast).unwrap();
    for k in 1..20 {
        session.pass(SECOND / 20, Duration::ZERO);
        let times: Vec<f64> = session.panes().iter().map(|pane| pane.time()).collect();
        assert!(times[0] > 0.5e-3 * f64::from(k), "goes on a little: {times:?}");
        assert!((times[0] - times[1]).abs() < 1e-3, "{times:?}");
    }
}

/// A session on its own thread goes on by itself, does what it is told, and ends when it is left.
#[test]
fn a_player_goes_on_by_itself() {
    let session = Session::start(alone(base(BOX))).unwrap();
    let player = Player::start(session, true, 1.0, None);
    let first = player.latest().expect("the first picture is there at once");
    assert_eq!(first.displays[0].snapshot.state.step_count, 0);
    let wait = |what: &str, holds: &dyn Fn(&Display) -> bool| {
        until(what, || player.latest().is_some_and(|scenes| holds(&scenes.displays[0])));
    };
    wait("it plays to the end", &|display| display.snapshot.state.step_count == 1000);
    player.send(PlayerCommand::Act(Action::Turn(Knob::Integrator, Direction::Down)));
    wait("the integrator is another", &|display| display.labels.integrator == "velocity-verlet");
    player.send(PlayerCommand::Choose(Some(3)));
    player.send(PlayerCommand::Act(Action::Step));
    wait("a step is taken", &|display| display.history.path().len() == 1);
    let left = player.finish().unwrap();
    assert_eq!(left.recording.end.end, 1001);
    assert_eq!(left.failure, None);
}

/// Keys make playing twice as fast, half as fast, and as fast as the clock.
#[test]
fn the_speed_follows_its_keys() {
    let mut session = Session::start(alone(base(BOX))).unwrap();
    let wanted = |session: &mut Session| session.displays()[0].playback.wanted;
    for (action, speed) in [
        (Action::Faster, 2.0),
        (Action::Faster, 4.0),
        (Action::RealTime, 1.0),
        (Action::Slower, 0.5),
    ] {
        act(&mut session, action);
        assert_eq!(wanted(&mut session), Some(speed), "{action:?}");
    }
}

/// The path of a chosen particle is where it was, step by step; of one that is not there, none.
#[test]
fn the_chosen_particle_leaves_its_path() {
    let mut session = Session::start(alone(base(BOX))).unwrap();
    session.obey(PlayerCommand::Choose(Some(5)));
    for _ in 0..3 {
        act(&mut session, Action::Step);
        let display = session.displays().remove(0);
        let (state, last) = (&display.snapshot.state, display.history.path().back().copied());
        let last = last.expect("a step of it");
        assert_eq!(last.position, state.positions[5]);
        assert_eq!((last.velocity, last.time), (state.velocities[5], state.time));
    }
    session.obey(PlayerCommand::Choose(Some(999)));
    act(&mut session, Action::Step);
    assert!(session.displays()[0].history.path().is_empty());
}

/// A step and a frame pause what plays, and say so once.
#[test]
fn a_step_says_that_it_pauses() {
    for (action, words) in
        [(Action::Step, "paused, one step"), (Action::Frame, "paused, one frame")]
    {
        let mut session = Session::start(alone(base(BOX))).unwrap();
        assert!(session.is_playing());
        act(&mut session, action);
        assert!(session.take_notice().is_some_and(|said| said.contains(words)), "{words}");
        act(&mut session, action);
        assert_eq!(session.take_notice(), None);
    }
}
