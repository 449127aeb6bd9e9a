//! Playing a run without a window.

use crate::scenes;
use std::time::Duration;
use stiction::simulation::Simulation;
use stiction::view::keys::{Action, Knob, Layer, Way};
use stiction::view::viewer::Viewer;
use stiction::view::{Show, default_method};

const SECOND: Duration = Duration::from_secs(1);
const PLENTY: Duration = Duration::from_secs(600);

fn start(integrator: &str) -> Result<Simulation, String> {
    Ok(scenes::tipping_box(integrator))
}

fn show() -> Show<'static> {
    Show {
        title: "tipping box".into(),
        law: "threshold".into(),
        integrator: "symplectic-euler".into(),
        end: Some(0.2),
        start: &start,
        method: &default_method,
    }
}

/// Real time is as many steps as fit; slow motion fewer; what a viewer computes is what a headless
/// run computes.
#[test]
fn playing_keeps_to_the_clock_and_to_the_bits() {
    let show = show();
    let mut viewer = Viewer::new(&show, 320, 200).unwrap();
    viewer.session.play(SECOND / 20, PLENTY);
    assert_eq!(viewer.session.simulation.state.step, 250);
    viewer.act(Action::Slower);
    viewer.session.play(SECOND / 20, PLENTY);
    assert_eq!(viewer.session.simulation.state.step, 375);
    viewer.act(Action::Step);
    assert_eq!(viewer.session.simulation.state.step, 376);
    assert!(!viewer.session.is_playing());
    let mut headless = scenes::tipping_box("symplectic-euler");
    for _ in 0..376 {
        headless.advance().unwrap();
    }
    assert!(viewer.session.simulation.state == headless.state);
}

/// A budget of nothing still takes one step a frame, and what was missed is not owed.
#[test]
fn a_slow_machine_is_not_owed_time() {
    let show = show();
    let mut viewer = Viewer::new(&show, 320, 200).unwrap();
    for _ in 0..10 {
        viewer.session.play(SECOND / 20, Duration::ZERO);
    }
    assert_eq!(viewer.session.simulation.state.step, 10);
    viewer.session.play(SECOND / 1000, PLENTY);
    assert_eq!(viewer.session.simulation.state.step, 15);
}

/// The scene's end pauses; space goes on beyond it; `r` starts again.
#[test]
fn the_end_pauses() {
    let show = show();
    let mut viewer = Viewer::new(&show, 320, 200).unwrap();
    viewer.session.play(SECOND, PLENTY);
    assert_eq!(viewer.session.simulation.state.step, 1000);
    assert!(!viewer.session.is_playing() && viewer.session.playback().remark.is_some());
    viewer.act(Action::Play);
    viewer.session.play(SECOND / 100, PLENTY);
    assert_eq!(viewer.session.simulation.state.step, 1050);
    viewer.act(Action::Restart);
    assert_eq!(viewer.session.simulation.state.step, 0);
    assert!(viewer.session.is_playing());
}

/// A digit changes the method and nothing else.
#[test]
fn switching_integrators_keeps_the_state() {
    let show = show();
    let mut viewer = Viewer::new(&show, 320, 200).unwrap();
    viewer.session.play(SECOND / 20, PLENTY);
    let before = viewer.session.simulation.state.clone();
    viewer.act(Action::Turn(Knob::Integrator, Way::Down));
    assert_ne!(viewer.session.integrator(), "symplectic-euler");
    assert!(viewer.session.simulation.state == before);
    viewer.act(Action::Turn(Knob::Integrator, Way::Up));
    assert_eq!(viewer.session.integrator(), "symplectic-euler");
}

/// A step far too large blows up: the session stops, says why, and can start again.
#[test]
fn a_failure_stops_and_is_said() {
    let start = |integrator: &str| {
        let making = scenes::Making::new().lattice([3, 1, 3], 0.1, Default::default()).floor();
        Ok(making.run(integrator, 0.1, |p| p * 1.1, |_| Default::default()))
    };
    let show = Show { integrator: "explicit-euler".into(), end: None, start: &start, ..show() };
    let mut viewer = Viewer::new(&show, 640, 400).unwrap();
    viewer.session.set_speed(1000.0);
    viewer.session.play(SECOND, PLENTY);
    let failure = viewer.session.failure().expect("explicit Euler cannot survive this");
    assert!(failure.contains("blew up") && failure.contains("last good state"), "{failure}");
    viewer.frame(Duration::ZERO);
    let stopped = viewer.stage.canvas.hash();
    viewer.act(Action::Play);
    assert!(!viewer.session.is_playing(), "there is nothing to play");
    viewer.act(Action::Restart);
    viewer.frame(Duration::ZERO);
    assert!(viewer.session.failure().is_none());
    assert_ne!(viewer.stage.canvas.hash(), stopped);
}

/// A paused viewer does not draw; every key that changes the picture changes it.
#[test]
fn keys_change_the_picture() {
    let start = |_: &str| Ok(scenes::leaning_box());
    let show = Show { start: &start, ..show() };
    let mut viewer = Viewer::new(&show, 900, 600).unwrap();
    viewer.act(Action::Play);
    viewer.frame(Duration::ZERO);
    let first = viewer.stage.canvas.hash();
    use Action::*;
    let layers = [
        Layer::Normals,
        Layer::Friction,
        Layer::Surfaces,
        Layer::Springs,
        Layer::Particles,
        Layer::Panel,
        Layer::Help,
    ];
    for action in [Slower, Theme, Projection].into_iter().chain(layers.map(Toggle)) {
        let before = viewer.stage.canvas.hash();
        assert!(viewer.act(action));
        viewer.frame(Duration::ZERO);
        assert_ne!(viewer.stage.canvas.hash(), before, "{action:?}");
    }
    for action in [Theme, RealTime].into_iter().chain(layers.map(Toggle)) {
        viewer.act(action);
    }
    viewer.turn(30.0, 20.0);
    viewer.zoom(3.0);
    viewer.shift(10.0, 20.0);
    viewer.act(Camera);
    viewer.frame(Duration::ZERO);
    assert_eq!(viewer.stage.canvas.hash(), first, "everything is back");
    assert!(!viewer.act(Quit));
}
