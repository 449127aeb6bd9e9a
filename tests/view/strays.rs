//! Bodies that leave the picture: the camera, the marks on the line of time, the scale of strain.

use crate::playing::{BOX, alone, base};
use std::ops::ControlFlow;
use stiction_core::math::Vector;
use stiction_view::display::Display;
use stiction_view::play::session::Session;
use stiction_view::stage::Stage;

/// A pad beside the box that is shot away.
const PAD: &str = r#"
[[body]]
name = "right"
mass = 1.0
position = [0.5, 0, 0]
shape = { lattice = { counts = [2, 1, 2], spacing = 0.1 } }
springs = { edge = { stiffness = 5e3, damping = 3 }, face_diagonal = { stiffness = 5e3, damping = 3 } }
[[push]]
body = "right"
force = [0, 0, 60]
from = 0.5
"#;

/// A heavy box on a table, and the pad.
fn pad() -> String {
    let changes =
        [("end = 0.2", "end = 2"), ("output = 0.01", "output = 0.02"), ("[3, 1, 7]", "[3, 1, 3]")];
    changes.iter().fold(BOX.to_string() + PAD, |scene, (one, other)| scene.replacen(one, other, 1))
}

fn session(text: &str) -> Session {
    Session::start(alone(base(text))).unwrap()
}

fn film_to(session: &mut Session, time: f64) {
    assert!(session.film_to(time, &mut |_| ControlFlow::Continue(())).is_continue());
}

fn stage(display: &Display) -> Stage {
    let mut stage = Stage::new(1280, 720, 1.0);
    stage.frame(&display.snapshot);
    stage
}

/// The display with the second body moved by `by` \[m\].
fn away(display: &Display, by: Vector) -> Display {
    let mut other = display.clone();
    let particles = other.snapshot.model.bodies[1].particles.clone();
    for i in particles {
        other.snapshot.state.positions[i] += by;
    }
    other
}

#[test]
fn the_camera_stays_with_the_bodies_that_stay() {
    let near = session(&pad()).pictures().remove(0);
    let far = away(&near, Vector::new(1100.0, 0.0, 0.0));
    for panes in [1, 2] {
        let mut stage = stage(&near);
        let home = stage.camera;
        stage.draw(&vec![near.clone(); panes]);
        assert_eq!(stage.take_left(), None);
        stage.draw(&vec![far.clone(); panes]);
        assert_eq!(stage.take_left().as_deref(), Some("`right` has left the picture"));
        let moved = (stage.camera.target - home.target).norm();
        assert!(moved < 1.0, "{moved} m");
        stage.draw(&vec![far.clone(); panes]);
        assert_eq!(stage.take_left(), None, "said once");
    }
    // what is farther, but not that far, is followed
    let mut stage = stage(&near);
    let home = stage.camera;
    stage.draw(&[away(&near, Vector::new(3.0, 0.0, 0.0))]);
    assert!(stage.camera.distance > 1.2 * home.distance && stage.take_left().is_none());
    // one run of several flies off as a body: the camera stays with the other
    let mut gone = near.clone();
    gone.snapshot.state.positions.iter_mut().for_each(|p| p.z += 1e6);
    let mut stage = self::stage(&near);
    stage.draw(&[gone, near.clone()]);
    let moved = (stage.camera.target - home.target).norm();
    assert!(moved < 1.0, "{moved} m");
}

#[test]
fn the_moment_of_parting_is_a_mark_and_a_notice() {
    let mut session = session(&pad());
    film_to(&mut session, 0.4);
    let before = session.displays().remove(0);
    assert!(before.partings.is_empty());
    film_to(&mut session, 1.0);
    session.take_notice();
    let after = session.displays().remove(0);
    let texts: Vec<&str> = after.partings.iter().map(|parting| parting.text.as_str()).collect();
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert!(texts[0].starts_with("`right` leaves `floor`, 50"), "{texts:?}");
    assert!((after.partings[0].time - 0.5).abs() < 0.02, "{:?}", after.partings);
    assert_eq!(session.take_notice().as_deref(), Some(texts[0]));
    session.displays();
    assert_eq!(session.take_notice(), None, "said once");
    // the mark is drawn, with its words below the line
    let mut stages = [stage(&after), stage(&after)];
    let without = Display { partings: Vec::new(), ..after.clone() };
    stages[0].draw(&[after]);
    stages[1].draw(&[without]);
    assert!(stages[0].canvas != stages[1].canvas);
}

#[test]
fn a_bounce_is_no_parting() {
    let bounce = pad()
        .replace("force = [0, 0, 60]", "force = [0, 0, 0]")
        .replace("position = [0.5, 0, 0]", "position = [0.5, 0, 0.1]");
    let mut session = session(&bounce);
    film_to(&mut session, 1.0);
    let partings = session.displays().remove(0).partings;
    assert!(partings.is_empty(), "{partings:?}");
}

/// "strain ±20 %" of every legend.
fn strains(stage: &Stage) -> Vec<String> {
    let entry =
        |text: &str| text.split(" · ").find(|part| part.starts_with("strain")).map(String::from);
    stage.texts().iter().filter_map(|written| entry(&written.text)).collect()
}

#[test]
fn the_scale_of_strain_grows_only_and_is_the_same_in_all_panes() {
    let rest = session(&pad()).pictures().remove(0);
    let stretched = |share: f64| {
        let mut display = rest.clone();
        display.snapshot.state.positions.iter_mut().for_each(|p| *p *= 1.0 + share);
        display
    };
    let mut stage = stage(&rest);
    stage.panel = false;
    stage.draw(&[stretched(0.08)]);
    assert_eq!(strains(&stage), ["strain ±10 %"]);
    stage.draw(&[stretched(0.4)]);
    stage.draw(&[stretched(0.08)]);
    assert_eq!(strains(&stage), ["strain ±50 %"]);
    stage.draw(&[stretched(0.08), rest.clone()]);
    assert_eq!(strains(&stage), ["strain ±50 %", "strain ±50 %"]);
    // a scene that is framed anew begins anew
    stage.frame(&rest.snapshot);
    stage.draw(&[stretched(0.08), stretched(0.15)]);
    assert_eq!(strains(&stage), ["strain ±20 %", "strain ±20 %"]);
}
