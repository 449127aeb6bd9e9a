//! The pushes of scene and hand in the panel are one list that adds up.

use super::{act, alone, library};
use std::ops::ControlFlow;
use stiction_core::math::Vector;
use stiction_view::cards::facts::{Detail, FactLine, lines};
use stiction_view::keys::{Action, Direction, Knob};
use stiction_view::play::session::Session;
use stiction_view::pushes;

fn listed(session: &mut Session) -> Vec<(String, String)> {
    let displays = session.displays();
    let listed = lines(&displays[0], Detail::Least).into_iter().filter_map(|line| match line {
        FactLine::Push(name, text) => Some((name, text)),
        FactLine::Measure(name, text) if name.starts_with("together") => Some((name, text)),
        _ => None,
    });
    listed.collect()
}

fn pairs(of: &[(&str, &str)]) -> Vec<(String, String)> {
    of.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect()
}

#[test]
fn pushes_of_scene_and_hand_are_one_list_that_adds_up() {
    let mut session = Session::start(alone(library("tipping_box.toml"))).unwrap();
    let quiet = &mut |_| ControlFlow::Continue(());
    assert_eq!(listed(&mut session), pairs(&[("push.0", "0 N")]));
    // halfway up the rise of the scene's push
    assert!(session.film_to(1.0, quiet).is_continue());
    assert_eq!(listed(&mut session), pairs(&[("push.0 x", "19.3 N")]));
    act(&mut session, Action::Push);
    let both = [("push.0 x", "19.3 N"), ("hand x", "29.4 N"), ("together x on box", "48.7 N")];
    assert_eq!(listed(&mut session), pairs(&both));
    // the list is the force that the model applies to the body, but for its weight
    let pane = &session.panes()[0];
    let snapshot = stiction_view::snapshot::Snapshot::of(pane.simulation());
    let mut force = vec![Vector::zeros(); snapshot.model.particles()];
    let at = snapshot.state.configuration();
    snapshot.model.loads.iter().for_each(|load| load.add_force(&at, &mut force));
    let applied: Vector = force.iter().sum::<Vector>() - snapshot.model.gravity * 10.0;
    let off = applied.x - pushes::sum(&pushes::acting(&snapshot)).x;
    assert!(off.abs() < 1e-9, "{off} N");
    // against the scene's push
    for _ in 0..12 {
        act(&mut session, Action::Turn(Knob::PushForce, Direction::Down));
    }
    let against = [("push.0 x", "19.3 N"), ("hand x", "−29.4 N"), ("together x on box", "−10.1 N")];
    assert_eq!(listed(&mut session), pairs(&against));
    act(&mut session, Action::Push);
    assert_eq!(listed(&mut session), pairs(&[("push.0 x", "19.3 N")]));
}

#[test]
fn amounts_have_a_sign_along_a_common_line_and_axes_otherwise() {
    let (x, z) = (Vector::x(), Vector::z());
    let line = pushes::common_line(&[x * -2.0, x * 3.0, Vector::zeros()]).unwrap();
    assert_eq!(pushes::amount(&(x * -2.0), Some(&line)), "−2.00 N");
    assert!(pushes::common_line(&[x, x + z]).is_none());
    assert!(pushes::common_line(&[Vector::zeros()]).is_none());
    assert_eq!(pushes::amount(&(x * 2.0 - z), None), "x 2.00 N · z −1.00 N");
    assert_eq!(pushes::amount(&Vector::zeros(), None), "0 N");
}
