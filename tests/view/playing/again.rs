//! Actions are taken back and done again, to the same bits.

use super::*;
use stiction_core::state::memory::Hand;

/// Going back leads through earlier states, also over a change, and forward again to the same bits.
#[test]
fn back_is_back() {
    let mut session = Session::start(alone(base(BOX))).unwrap();
    let mut states = Vec::new();
    for k in 0..6 {
        session.pass(SECOND / 50, PLENTY);
        session.displays();
        states.push((session.panes()[0].time(), hash(&session)));
        if k == 3 {
            act(&mut session, Action::Turn(Knob::Integrator, Direction::Down));
            session.obey(PlayerCommand::Grab(0, 20));
            session.obey(PlayerCommand::Pull(Vector::x() * 0.1));
        }
    }
    assert_eq!(setting(&mut session, Knob::Integrator), "velocity-verlet");
    for expected in [4, 3, 2, 1] {
        act(&mut session, Action::Back);
        assert_eq!((session.panes()[0].time(), hash(&session)), states[expected], "{expected}");
    }
    assert_eq!(setting(&mut session, Knob::Integrator), "symplectic-euler");
    assert!(session.recording().events.is_empty(), "what is taken back was never done");
    assert_eq!(*session.panes()[0].hand(), Hand::default(), "the hand does not act");
    act(&mut session, Action::Play);
    session.pass(SECOND / 50, PLENTY);
    assert_eq!(hash(&session), states[2].1, "forward again");
    for _ in 0..9 {
        act(&mut session, Action::Back);
    }
    assert_eq!(step(&session), 0);
    assert!(session.take_notice().expect("there is no earlier state").contains("no earlier"));
}

/// Everything a user does, done again without a window, ends in the same bits: three scenes.
#[test]
fn what_was_done_can_be_done_again() {
    let scenes = [library("tipping_box.toml"), library("rigid_box_tips.toml"), base(BOX)];
    for (number, scene) in scenes.into_iter().enumerate() {
        let mut session = Session::start(alone(scene.clone())).unwrap();
        let frame = |session: &mut Session| {
            session.pass(SECOND / 100, PLENTY);
            session.displays();
        };
        (0..4).for_each(|_| frame(&mut session));
        let particle = session.panes()[0].simulation().model.particles() - 1;
        session.obey(PlayerCommand::Grab(0, particle));
        for k in 1..6 {
            session.obey(PlayerCommand::Pull(Vector::new(0.02, 0.0, 0.01) * f64::from(k)));
            frame(&mut session);
        }
        act(&mut session, Action::Turn(Knob::Friction, Direction::Down));
        frame(&mut session);
        session.obey(PlayerCommand::Release);
        if number != 1 {
            act(&mut session, Action::Turn(Knob::Law, Direction::Down));
            act(&mut session, Action::Turn(Knob::Step, Direction::Down));
            act(&mut session, Action::Turn(Knob::Integrator, Direction::Down));
        }
        act(&mut session, Action::Push);
        frame(&mut session);
        assert!(session.displays()[0].playback.pushing);
        act(&mut session, Action::Turn(Knob::PushForce, Direction::Up));
        frame(&mut session);
        act(&mut session, Action::Push);
        frame(&mut session);
        assert!(!session.displays()[0].playback.pushing);
        assert_eq!(session.panes()[0].failure(), None);

        let text = session.recording().text();
        let recording = Recording::parse(&text).unwrap();
        assert!(recording.events.len() >= 8, "{text}");
        let (end, expected) = (recording.end.clone(), hash(&session));
        let again = |recording: Recording| {
            let loaded = scene.load(&[]).unwrap().scene;
            let mut run = Run::new(&loaded, &BuildOptions::default()).unwrap();
            let replay = Replay::new(scene.clone(), &loaded, recording).unwrap();
            run.intervene(Box::new(replay), end.end);
            let outcome = run.finish_with(&mut Unobserved, &|| false).unwrap();
            assert_eq!(outcome.status, Status::Completed);
            outcome.state_hash
        };
        assert_eq!(again(recording.clone()), expected, "scene {number}");
        let mut other = recording.clone();
        other.events.remove(2);
        assert_ne!(again(other), expected, "an event that is left out is missed");

        let cast = SessionPlan { recording: Some(recording), ..alone(scene.clone()) };
        let mut watched = Session::start(cast).unwrap();
        watched.obey(PlayerCommand::Speed(1000.0));
        while step(&watched) < end.end {
            act(&mut watched, Action::Step);
        }
        assert_eq!(hash(&watched), expected, "scene {number}, watched again");
    }
}

/// A change that a recording made can be taken back, and the model goes with the state.
#[test]
fn a_replayed_change_can_be_taken_back() {
    let mut first = Session::start(alone(base(BOX))).unwrap();
    first.pass(SECOND / 20, PLENTY);
    act(&mut first, Action::Turn(Knob::Step, Direction::Down));
    act(&mut first, Action::Turn(Knob::Law, Direction::Down));
    first.pass(SECOND / 20, PLENTY);
    let recording = Recording::parse(&first.recording().text()).unwrap();
    let cast = SessionPlan { recording: Some(recording), ..alone(base(BOX)) };
    let mut again = Session::start(cast).unwrap();
    for _ in 0..10 {
        again.pass(SECOND / 100, PLENTY);
        again.displays();
    }
    assert_eq!(hash(&again), hash(&first));
    assert_eq!(again.panes()[0].simulation().time_step(), 1e-4);
    for _ in 0..7 {
        act(&mut again, Action::Back);
    }
    let pane = &again.panes()[0];
    assert!(pane.time() < 0.05 && pane.simulation().time_step() == 2e-4, "{}", pane.time());
    assert_eq!(pane.scene().contact.friction.name, "threshold");
    let scene = base(BOX).load(&[]).unwrap().scene;
    let mut plain = Run::new(&scene, &BuildOptions::default()).unwrap().into_simulation();
    (0..pane.simulation().state.step_count).for_each(|_| plain.advance().unwrap());
    assert_eq!(plain.state.hash(), hash(&again));
}

/// Two changes between the same two steps are done again as two: each of them moves memory.
#[test]
fn changes_at_one_step_are_done_again_one_by_one() {
    let held = "contact.friction.law=cundall-strack";
    let scene = with(base(BOX), &[held, "contact.friction.stiffness=1e4"]);
    let mut session = Session::start(alone(scene.clone())).unwrap();
    session.pass(SECOND / 20, PLENTY);
    session.obey(PlayerCommand::Grab(0, 20));
    session.obey(PlayerCommand::Pull(Vector::x() * 0.2));
    session.pass(SECOND / 50, PLENTY);
    for _ in 0..6 {
        act(&mut session, Action::Turn(Knob::Friction, Direction::Down));
    }
    (0..6).for_each(|_| act(&mut session, Action::Turn(Knob::Friction, Direction::Up)));
    session.pass(SECOND / 50, PLENTY);
    let recording = session.recording();
    let loaded = scene.load(&[]).unwrap().scene;
    let mut run = Run::new(&loaded, &BuildOptions::default()).unwrap();
    let end = recording.end.end;
    run.intervene(Box::new(Replay::new(scene, &loaded, recording).unwrap()), end);
    let outcome = run.finish_with(&mut Unobserved, &|| false).unwrap();
    assert_eq!(outcome.state_hash, hash(&session));
}

/// A verdict that was bad before the last change is bad at the end of a replay too.
#[test]
fn a_replay_does_not_forget_what_was_wrong() {
    let scene = with(base(BOX), &["contact.friction.epsilon=1e-5"]);
    let mut session = Session::start(alone(scene.clone())).unwrap();
    session.pass(SECOND / 10, PLENTY);
    act(&mut session, Action::Turn(Knob::Law, Direction::Down));
    session.pass(SECOND / 20, PLENTY);
    let recording = session.recording();
    let (loaded, end) = (scene.load(&[]).unwrap().scene, recording.end.end);
    let mut run = Run::new(&loaded, &BuildOptions::default()).unwrap();
    run.intervene(Box::new(Replay::new(scene, &loaded, recording).unwrap()), end);
    let outcome = run.finish_with(&mut Unobserved, &|| false).unwrap();
    assert!(outcome.verdict.marks().contains("step-above-friction-limit"));
}
