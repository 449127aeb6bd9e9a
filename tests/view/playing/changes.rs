//! Changes by keys, by the hand and by the file, and refusals.

use super::*;
use crate::support::wait::until_some;

/// Every knob changes what it says and nothing of the state, and turns back.
#[test]
fn knobs_change_the_scene_and_keep_the_state() {
    let mut session = Session::start(alone(base(BOX))).unwrap();
    session.pass(SECOND / 50, PLENTY);
    for knob in Knob::ALL {
        let (before, was) = (setting(&mut session, knob), hash(&session));
        act(&mut session, Action::Turn(knob, Direction::Down));
        let changed = setting(&mut session, knob);
        assert_ne!(before, changed, "{knob:?}: {:?}", session.take_notice());
        assert_eq!(hash(&session), was, "{knob:?} moved something");
        act(&mut session, Action::Turn(knob, Direction::Up));
        assert_eq!(setting(&mut session, knob), before, "{knob:?}");
    }
    let time = session.panes()[0].time();
    act(&mut session, Action::Turn(Knob::Step, Direction::Down));
    act(&mut session, Action::Turn(Knob::Integrator, Direction::Down));
    assert_eq!(session.panes()[0].time(), time);
    act(&mut session, Action::Play);
    act(&mut session, Action::Play);
    session.pass(SECOND / 100, PLENTY);
    let panes = session.panes();
    assert!((panes[0].time() - time - 0.01).abs() < 1e-9, "{} after {time}", panes[0].time());
    assert_eq!(panes[0].simulation().time_step(), 1e-4);
    assert_eq!(panes[0].scene().integrator.name, "velocity-verlet");
}

/// Every law and every integrator of the table can be reached, or its refusal is said.
#[test]
fn all_rows_can_be_reached_with_one_key() {
    for (knob, count) in [
        (Knob::Integrator, stiction_core::integrators::INTEGRATORS.len()),
        (Knob::Law, stiction_core::contact::friction::FRICTION_LAWS.len()),
    ] {
        let mut session = Session::start(alone(base(BOX))).unwrap();
        session.pass(SECOND / 100, PLENTY);
        let mut seen = vec![setting(&mut session, knob)];
        let mut passed_over = 0;
        for _ in 0..count {
            act(&mut session, Action::Turn(knob, Direction::Down));
            let notice = session.take_notice().expect("a change is said");
            passed_over += usize::from(notice.contains("passed over"));
            seen.push(setting(&mut session, knob));
            session.pass(SECOND / 1000, PLENTY);
        }
        assert!(seen[1..].contains(&seen[0]), "it comes round: {seen:?}");
        seen.sort();
        seen.dedup();
        assert!(seen.len() + 2 * passed_over >= count, "{passed_over} {seen:?}");
        assert!(seen.len() >= count - 2, "{seen:?}");
    }
}

/// A change that a scene does not bear is refused in words, and the run goes on as it was.
#[test]
fn refusals_are_said() {
    let mut session = Session::start(alone(library("exact_incline.toml"))).unwrap();
    for knob in [Knob::Law, Knob::Epsilon, Knob::Stiffness] {
        act(&mut session, Action::Turn(knob, Direction::Down));
        let notice = session.take_notice().expect("a refusal is said");
        assert!(notice.contains("exact"), "{notice}");
    }
    let turns = (0..12).map(|_| {
        act(&mut session, Action::Turn(Knob::Integrator, Direction::Up));
        session.take_notice().expect("a change is said")
    });
    let notices: Vec<String> = turns.collect();
    assert!(notices.iter().all(|notice| notice.contains("integrator is now")), "{notices:?}");
    assert!(notices.iter().any(|notice| notice.contains("passed over")), "{notices:?}");
    session.pass(SECOND / 100, PLENTY);
    assert_eq!(session.panes()[0].failure(), None);
}

/// The panel knows the stable step, and what a change did to it.
#[test]
fn a_change_says_what_it_does_to_the_stable_step() {
    let mut session = Session::start(alone(base(BOX))).unwrap();
    session.pass(SECOND / 10, PLENTY);
    let known = |session: &mut Session| {
        until_some("the stable step is known", || match session.displays().remove(0).stable_step {
            (StableStep::Limit(limit, what), before) => Some((limit, what, before)),
            _ => None,
        })
    };
    // the first is of t = 0, where nothing touches hard yet
    known(&mut session);
    act(&mut session, Action::Turn(Knob::Friction, Direction::Up));
    let (first, ..) = known(&mut session);
    act(&mut session, Action::Turn(Knob::Epsilon, Direction::Down));
    act(&mut session, Action::Turn(Knob::Epsilon, Direction::Down));
    let (second, what, before) = known(&mut session);
    assert!(second < 0.7 * first && what.contains("friction"), "{first} {second} {what}");
    assert!(matches!(before, Some(StableStep::Limit(..))), "{before:?}");
}

/// A step far too large blows up: the session stops, says why, and can start again.
#[test]
fn a_failure_stops_and_is_said() {
    let wild = ["time.step=0.01", "time.output=0.01", "integrator.method=explicit-euler"];
    let mut session = Session::start(alone(with(base(BOX), &wild))).unwrap();
    session.obey(PlayerCommand::Speed(100.0));
    for _ in 0..100 {
        act(&mut session, Action::Step);
    }
    session.pass(SECOND, PLENTY);
    let failure = session.panes()[0].failure().expect("explicit Euler cannot survive this");
    assert!(failure.contains("blew up") && failure.contains("last good state"), "{failure}");
    assert_eq!(session.displays()[0].playback.failure.as_deref(), session.panes()[0].failure());
    act(&mut session, Action::Play);
    assert!(!session.is_playing(), "there is nothing to play");
    act(&mut session, Action::Restart);
    assert!(session.panes()[0].failure().is_none());
}

/// A scene that is written anew is read again; one with a mistake is not, and that is said.
#[test]
fn a_changed_file_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("box.toml");
    let write = |text: &str, at: u32| {
        std::fs::write(&path, text).unwrap();
        let file = std::fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(std::time::UNIX_EPOCH + at * SECOND).unwrap();
    };
    write(BOX, 100);
    let mut session = Session::start(alone(Base::file(&path))).unwrap();
    session.pass(SECOND / 50, PLENTY);
    write(&BOX.replace("\"a box\"", "\"another box\""), 150);
    session.pass(SECOND * 6 / 10, PLENTY);
    session.pass(SECOND / 1000, PLENTY);
    assert_eq!(session.displays()[0].labels.title, "another box");
    assert!(session.take_notice().unwrap().contains("read again"));
    let opened = session.opened();
    write(&BOX.replace("mass = 2.0", "mass = -2.0"), 180);
    session.pass(SECOND * 6 / 10, PLENTY);
    let notice = session.take_notice().unwrap();
    assert!(notice.contains("mistake") && notice.contains("mass"), "{notice}");
    assert_eq!((session.opened(), session.panes()[0].failure()), (opened, None));
}

/// A verdict begins anew with a change, and what was wrong before is not forgotten.
#[test]
fn what_was_wrong_before_a_change_is_still_said() {
    let stiff = with(base(BOX), &["contact.friction.epsilon=1e-5"]);
    let mut session = Session::start(alone(stiff)).unwrap();
    session.pass(SECOND / 10, PLENTY);
    let display = session.displays().remove(0);
    assert!(!display.snapshot.verdict.faultless());
    act(&mut session, Action::Turn(Knob::Law, Direction::Down));
    let display = session.displays().remove(0);
    assert!(display.snapshot.verdict.faultless(), "{}", display.snapshot.verdict.marks());
    assert!(display.playback.before[0].contains("step-above-friction-limit"));
    assert_eq!(display.playback.since, Some(session.panes()[0].time()));
}

/// The spring of the hand bears what hangs on it, the books are kept, and letting go lets go.
#[test]
fn the_hand_holds_what_it_lifts() {
    let long = with(base(BOX), &["time.end=4"]);
    let mut session = Session::start(alone(long)).unwrap();
    session.pass(SECOND / 10, PLENTY);
    session.obey(PlayerCommand::Grab(0, 10));
    session.obey(PlayerCommand::Pull(Vector::z() * 0.6));
    for _ in 0..30 {
        session.pass(SECOND / 10, PLENTY);
    }
    let simulation = session.panes()[0].simulation();
    let state = &simulation.state;
    assert!(state.memory.contacts.is_empty(), "it hangs in the air");
    let grip = state.memory.hand.grip.as_ref().unwrap();
    let lifted: Vector = grip.forces(&state.positions, &state.velocities).map(|(_, f)| f).sum();
    let weight = Vector::z() * (2.0 * 9.81);
    assert!((lifted - weight).norm() < 0.01 * weight.norm(), "{lifted}");
    let (audit, verdict) = (&simulation.watches.audit, simulation.verdict());
    assert!(audit.residual().abs() < 0.01 * audit.flows.work.abs() + audit.doubt(), "{audit:?}");
    assert!(verdict.faultless(), "{}", verdict.marks());
    session.obey(PlayerCommand::Release);
    session.pass(SECOND / 10, PLENTY);
    let fell = session.panes()[0].simulation().state.velocities[10].z;
    assert!((fell + 0.981).abs() < 0.2, "it falls freely: {fell}");
}
