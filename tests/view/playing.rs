//! Playing runs without a window: against the clock, side by side, changed, handled, taken back and
//! done again.

use std::path::Path;
use std::time::Duration;
use stiction::experiment::base::Base;
use stiction::experiment::recording::{Recording, Replay};
use stiction::math::Vector;
use stiction::run::{Run, Status, Unobserved};
use stiction::scene::build::BuildOptions;
use stiction::view::display::StableStep;
use stiction::view::keys::{Action, Knob, Way};
use stiction::view::play::Command;
use stiction::view::play::player::Player;
use stiction::view::play::session::{Cast, Session};

const SECOND: Duration = Duration::from_secs(1);
const PLENTY: Duration = Duration::from_secs(600);

pub fn base(text: &str) -> Base {
    Base::bytes("test.toml", text.as_bytes(), Path::new("."))
}

fn library(name: &str) -> Base {
    Base::file(Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes").join(name))
}

pub fn with(mut base: Base, set: &[&str]) -> Base {
    base.set.extend(set.iter().map(|text| text.to_string()));
    base
}

pub fn alone(base: Base) -> Cast {
    Cast { path: "scenes/test.toml".into(), panes: vec![base], reference: None, recording: None }
}

/// A soft box of 3 × 7 particles on a floor, quick to step.
pub const BOX: &str = r#"
format = 1
title = "a box"
[world]
gravity = [0, 0, -9.81]
planar = "xz"
[time]
end = 0.2
step = 2e-4
output = 0.01
[integrator]
method = "symplectic-euler"
[materials.rubber]
static_friction = 0.5
[contact]
normal = { law = "linear", stiffness = 2e4, damping = 20 }
friction = { law = "threshold", epsilon = 1e-2 }
[[body]]
name = "box"
mass = 2.0
shape = { lattice = { counts = [3, 1, 7], spacing = 0.1 } }
springs = { edge = { stiffness = 5e3, damping = 3 }, face_diagonal = { stiffness = 5e3, damping = 3 } }
[[collider]]
name = "floor"
shape = { plane = {} }
"#;

fn step(session: &Session) -> u64 {
    session.panes()[0].simulation.state.step
}

fn hash(session: &Session) -> u64 {
    session.panes()[0].simulation.state.hash()
}

fn act(session: &mut Session, action: Action) {
    session.obey(Command::Act(action));
}

fn setting(session: &mut Session, knob: Knob) -> String {
    let displays = session.displays();
    let settings = displays[session.active()].settings.clone();
    settings.into_iter().find(|setting| setting.knob == knob).expect("every knob is shown").value
}

/// Real time is as many steps as fit, slow motion fewer; what was watched has the bits of what was not.
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
    let mut headless = Run::new(&scene, &BuildOptions::default()).unwrap().simulation;
    (0..376).for_each(|_| headless.advance().unwrap());
    assert!(session.panes()[0].simulation.state == headless.state);
}

/// A budget of nothing still goes on a little, and what was missed is not owed.
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

/// Every knob changes what it says and nothing of the state, and turns back.
#[test]
fn knobs_change_the_scene_and_keep_the_state() {
    let mut session = Session::start(alone(base(BOX))).unwrap();
    session.pass(SECOND / 50, PLENTY);
    for knob in Knob::ALL {
        let (before, was) = (setting(&mut session, knob), hash(&session));
        act(&mut session, Action::Turn(knob, Way::Down));
        let changed = setting(&mut session, knob);
        assert_ne!(before, changed, "{knob:?}: {:?}", session.take_notice());
        assert_eq!(hash(&session), was, "{knob:?} moved something");
        act(&mut session, Action::Turn(knob, Way::Up));
        assert_eq!(setting(&mut session, knob), before, "{knob:?}");
    }
    let time = session.panes()[0].time();
    act(&mut session, Action::Turn(Knob::Step, Way::Down));
    act(&mut session, Action::Turn(Knob::Integrator, Way::Down));
    assert_eq!(session.panes()[0].time(), time);
    act(&mut session, Action::Play);
    act(&mut session, Action::Play);
    session.pass(SECOND / 100, PLENTY);
    let panes = session.panes();
    assert!((panes[0].time() - time - 0.01).abs() < 1e-9, "{} after {time}", panes[0].time());
    assert_eq!(panes[0].simulation.step_size(), 1e-4);
    assert_eq!(panes[0].scene.integrator.name, "velocity-verlet");
}

/// Every law and every integrator of the table can be reached, or its refusal is said.
#[test]
fn all_rows_can_be_reached_with_one_key() {
    for (knob, count) in [
        (Knob::Integrator, stiction::integrators::INTEGRATORS.len()),
        (Knob::Law, stiction::contact::friction::FRICTION_LAWS.len()),
    ] {
        let mut session = Session::start(alone(base(BOX))).unwrap();
        session.pass(SECOND / 100, PLENTY);
        let mut seen = vec![setting(&mut session, knob)];
        let mut passed_over = 0;
        for _ in 0..count {
            act(&mut session, Action::Turn(knob, Way::Down));
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

/// What a scene does not bear is refused in words, and the run goes on as it was.
#[test]
fn refusals_are_said() {
    let mut session = Session::start(alone(library("exact_incline.toml"))).unwrap();
    for knob in [Knob::Law, Knob::Epsilon, Knob::Stiffness] {
        act(&mut session, Action::Turn(knob, Way::Down));
        let notice = session.take_notice().expect("a refusal is said");
        assert!(notice.contains("exact"), "{notice}");
    }
    let turns = (0..12).map(|_| {
        act(&mut session, Action::Turn(Knob::Integrator, Way::Up));
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
        for _ in 0..3000 {
            if let (StableStep::Limit(limit, what), before) = &session.displays()[0].stable_step {
                return (*limit, what.clone(), before.clone());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("no stable step within half a minute");
    };
    // the first is of t = 0, where nothing touches hard yet
    known(&mut session);
    act(&mut session, Action::Turn(Knob::Friction, Way::Up));
    let (first, ..) = known(&mut session);
    act(&mut session, Action::Turn(Knob::Epsilon, Way::Down));
    act(&mut session, Action::Turn(Knob::Epsilon, Way::Down));
    let (second, what, before) = known(&mut session);
    assert!(second < 0.7 * first && what.contains("friction"), "{first} {second} {what}");
    assert!(matches!(before, Some(StableStep::Limit(..))), "{before:?}");
}

/// A step far too large blows up: the session stops, says why, and can start again.
#[test]
fn a_failure_stops_and_is_said() {
    let wild = ["time.step=0.01", "time.output=0.01", "integrator.method=explicit-euler"];
    let mut session = Session::start(alone(with(base(BOX), &wild))).unwrap();
    session.obey(Command::Speed(100.0));
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
            act(&mut session, Action::Turn(Knob::Integrator, Way::Down));
            session.obey(Command::Grab(0, 20));
            session.obey(Command::Pull(Vector::x() * 0.1));
        }
    }
    assert_eq!(setting(&mut session, Knob::Integrator), "velocity-verlet");
    for expected in [4, 3, 2, 1] {
        act(&mut session, Action::Back);
        assert_eq!((session.panes()[0].time(), hash(&session)), states[expected], "{expected}");
    }
    assert_eq!(setting(&mut session, Knob::Integrator), "symplectic-euler");
    assert!(session.recording().events.is_empty(), "what is taken back was never done");
    assert!(session.panes()[0].hand().is_idle());
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
        let particle = session.panes()[0].simulation.model.particles() - 1;
        session.obey(Command::Grab(0, particle));
        for k in 1..6 {
            session.obey(Command::Pull(Vector::new(0.02, 0.0, 0.01) * f64::from(k)));
            frame(&mut session);
        }
        act(&mut session, Action::Turn(Knob::Friction, Way::Down));
        frame(&mut session);
        session.obey(Command::Release);
        if number != 1 {
            act(&mut session, Action::Turn(Knob::Law, Way::Down));
            act(&mut session, Action::Turn(Knob::Step, Way::Down));
            act(&mut session, Action::Turn(Knob::Integrator, Way::Down));
        }
        act(&mut session, Action::Push);
        frame(&mut session);
        assert!(session.displays()[0].playback.pushing);
        act(&mut session, Action::Turn(Knob::PushForce, Way::Up));
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
            let outcome = run.finish(&mut Unobserved, &|| false).unwrap();
            assert_eq!(outcome.status, Status::Completed);
            outcome.state_hash
        };
        assert_eq!(again(recording.clone()), expected, "scene {number}");
        let mut other = recording.clone();
        other.events.remove(2);
        assert_ne!(again(other), expected, "an event that is left out is missed");

        let cast = Cast { recording: Some(recording), ..alone(scene.clone()) };
        let mut watched = Session::start(cast).unwrap();
        watched.obey(Command::Speed(1000.0));
        while step(&watched) < end.end {
            act(&mut watched, Action::Step);
        }
        assert_eq!(hash(&watched), expected, "scene {number}, watched again");
    }
}

/// Runs side by side are at the same time, and the difference from the reference is small and not nothing.
#[test]
fn panes_go_in_step() {
    let pane = |set: &[&str]| with(base(BOX), set);
    let cast = Cast {
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
    act(&mut session, Action::Turn(Knob::Integrator, Way::Down));
    let names: Vec<&str> = session.panes().iter().map(|p| p.scene.integrator.name).collect();
    assert_eq!((names[0], names[2]), ("rk4", "symplectic-euler"), "only the active pane changes");
    assert_ne!(names[1], "implicit-euler");
}

/// What a recording changed can be taken back, over the change, and the model goes with the state.
#[test]
fn a_replayed_change_can_be_taken_back() {
    let mut first = Session::start(alone(base(BOX))).unwrap();
    first.pass(SECOND / 20, PLENTY);
    act(&mut first, Action::Turn(Knob::Step, Way::Down));
    act(&mut first, Action::Turn(Knob::Law, Way::Down));
    first.pass(SECOND / 20, PLENTY);
    let recording = Recording::parse(&first.recording().text()).unwrap();
    let cast = Cast { recording: Some(recording), ..alone(base(BOX)) };
    let mut again = Session::start(cast).unwrap();
    for _ in 0..10 {
        again.pass(SECOND / 100, PLENTY);
        again.displays();
    }
    assert_eq!(hash(&again), hash(&first));
    assert_eq!(again.panes()[0].simulation.step_size(), 1e-4);
    for _ in 0..7 {
        act(&mut again, Action::Back);
    }
    let pane = &again.panes()[0];
    assert!(pane.time() < 0.05 && pane.simulation.step_size() == 2e-4, "{}", pane.time());
    assert_eq!(pane.scene.contact.friction.name, "threshold");
    let scene = base(BOX).load(&[]).unwrap().scene;
    let mut plain = Run::new(&scene, &BuildOptions::default()).unwrap().simulation;
    (0..pane.simulation.state.step).for_each(|_| plain.advance().unwrap());
    assert_eq!(plain.state.hash(), hash(&again));
}

/// Two changes between the same two steps are done again as two: each of them moves memory.
#[test]
fn changes_at_one_step_are_done_again_one_by_one() {
    let held = "contact.friction.law=cundall-strack";
    let scene = with(base(BOX), &[held, "contact.friction.stiffness=1e4"]);
    let mut session = Session::start(alone(scene.clone())).unwrap();
    session.pass(SECOND / 20, PLENTY);
    session.obey(Command::Grab(0, 20));
    session.obey(Command::Pull(Vector::x() * 0.2));
    session.pass(SECOND / 50, PLENTY);
    for _ in 0..6 {
        act(&mut session, Action::Turn(Knob::Friction, Way::Down));
    }
    (0..6).for_each(|_| act(&mut session, Action::Turn(Knob::Friction, Way::Up)));
    session.pass(SECOND / 50, PLENTY);
    let recording = session.recording();
    let loaded = scene.load(&[]).unwrap().scene;
    let mut run = Run::new(&loaded, &BuildOptions::default()).unwrap();
    let end = recording.end.end;
    run.intervene(Box::new(Replay::new(scene, &loaded, recording).unwrap()), end);
    let outcome = run.finish(&mut Unobserved, &|| false).unwrap();
    assert_eq!(outcome.state_hash, hash(&session));
}

/// With another step the end is still the end.
#[test]
fn the_end_is_found_with_another_step() {
    let mut session = Session::start(alone(base(BOX))).unwrap();
    act(&mut session, Action::Step);
    act(&mut session, Action::Turn(Knob::Step, Way::Up));
    assert!(session.take_notice().unwrap().contains("now"));
    act(&mut session, Action::Play);
    for _ in 0..30 {
        session.pass(SECOND / 10, PLENTY);
    }
    assert!(!session.is_playing() && session.displays()[0].playback.remark.is_some());
}

/// A verdict that was bad before the last change is bad at the end of a replay too.
#[test]
fn a_replay_does_not_forget_what_was_wrong() {
    let scene = with(base(BOX), &["contact.friction.epsilon=1e-5"]);
    let mut session = Session::start(alone(scene.clone())).unwrap();
    session.pass(SECOND / 10, PLENTY);
    act(&mut session, Action::Turn(Knob::Law, Way::Down));
    session.pass(SECOND / 20, PLENTY);
    let recording = session.recording();
    let (loaded, end) = (scene.load(&[]).unwrap().scene, recording.end.end);
    let mut run = Run::new(&loaded, &BuildOptions::default()).unwrap();
    run.intervene(Box::new(Replay::new(scene, &loaded, recording).unwrap()), end);
    let outcome = run.finish(&mut Unobserved, &|| false).unwrap();
    assert!(outcome.verdict.marks().contains("step-above-friction-limit"));
}

/// Where there is not enough time for all, none runs ahead: what is compared is at the same time.
#[test]
fn panes_wait_for_the_slowest() {
    let pane = |set: &[&str]| with(base(BOX), set);
    let cast = Cast {
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

/// A scene that is written anew is read again; one with a mistake is not, and that is said.
#[test]
fn a_changed_file_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("box.toml");
    let write = |text: &str, age: u64| {
        std::fs::write(&path, text).unwrap();
        let file = std::fs::File::options().write(true).open(&path).unwrap();
        let now = std::time::SystemTime::now();
        file.set_modified(now - Duration::from_secs(age)).unwrap();
    };
    write(BOX, 100);
    let mut session = Session::start(alone(Base::file(&path))).unwrap();
    session.pass(SECOND / 50, PLENTY);
    write(&BOX.replace("\"a box\"", "\"another box\""), 50);
    session.pass(SECOND * 6 / 10, PLENTY);
    session.pass(SECOND / 1000, PLENTY);
    assert_eq!(session.displays()[0].labels.title, "another box");
    assert!(session.take_notice().unwrap().contains("read again"));
    let opened = session.opened();
    write(&BOX.replace("mass = 2.0", "mass = -2.0"), 20);
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
    assert!(!display.snapshot.verdict.trusted());
    act(&mut session, Action::Turn(Knob::Law, Way::Down));
    let display = session.displays().remove(0);
    assert!(display.snapshot.verdict.trusted(), "{}", display.snapshot.verdict.marks());
    assert!(display.playback.before[0].contains("step-above-friction-limit"));
    assert_eq!(display.playback.since, Some(session.panes()[0].time()));
}

/// The spring of the hand bears what hangs on it, the books are kept, and letting go lets go.
#[test]
fn the_hand_holds_what_it_lifts() {
    let long = with(base(BOX), &["time.end=4"]);
    let mut session = Session::start(alone(long)).unwrap();
    session.pass(SECOND / 10, PLENTY);
    session.obey(Command::Grab(0, 10));
    session.obey(Command::Pull(Vector::z() * 0.6));
    for _ in 0..30 {
        session.pass(SECOND / 10, PLENTY);
    }
    let simulation = &session.panes()[0].simulation;
    let state = &simulation.state;
    assert!(state.memory.contacts.is_empty(), "it hangs in the air");
    let grip = state.memory.hand.grip.as_ref().unwrap();
    let lifted: Vector = grip.forces(&state.positions, &state.velocities).map(|(_, f)| f).sum();
    let weight = Vector::z() * (2.0 * 9.81);
    assert!((lifted - weight).norm() < 0.01 * weight.norm(), "{lifted}");
    let (audit, verdict) = (&simulation.watches.audit, simulation.verdict());
    assert!(audit.residual().abs() < 0.01 * audit.flows.work.abs() + audit.doubt(), "{audit:?}");
    assert!(verdict.trusted(), "{}", verdict.marks());
    session.obey(Command::Release);
    session.pass(SECOND / 10, PLENTY);
    let fell = session.panes()[0].simulation.state.velocities[10].z;
    assert!((fell + 0.981).abs() < 0.2, "it falls freely: {fell}");
}

/// A session on its own thread goes on by itself, does what it is told, and ends when it is left.
#[test]
fn a_player_goes_on_by_itself() {
    let session = Session::start(alone(base(BOX))).unwrap();
    let player = Player::start(session, true, 1.0);
    let first = player.latest().expect("the first picture is there at once");
    assert_eq!(first.displays[0].snapshot.state.step, 0);
    let wait = |what: &dyn Fn(&stiction::view::play::player::Scenes) -> bool| {
        for _ in 0..6000 {
            if player.latest().is_some_and(|scenes| what(&scenes)) {
                return true;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        false
    };
    assert!(wait(&|scenes| scenes.displays[0].snapshot.state.step == 1000), "it plays to the end");
    player.tell(Command::Act(Action::Turn(Knob::Integrator, Way::Down)));
    assert!(wait(&|scenes| scenes.displays[0].labels.integrator == "velocity-verlet"));
    player.tell(Command::Choose(Some(3)));
    player.tell(Command::Act(Action::Step));
    assert!(wait(&|scenes| scenes.displays[0].history.path().len() == 1));
    let left = player.finish().unwrap();
    assert_eq!(left.recording.end.end, 1001);
    assert_eq!(left.failure, None);
}
