//! The line of time: a session goes back and ahead to where it is dragged, with the bits of a run that
//! went there straight.

use super::{BOX, PLENTY, SECOND, act, alone, base, hash};
use crate::support::wait::until;
use std::ops::ControlFlow;
use std::time::Duration;
use stiction_scene::description::View;
use stiction_view::keys::Action;
use stiction_view::play::PlayerCommand;
use stiction_view::play::session::Session;
use stiction_view::viewer::{Beginning, Viewer};

fn at(time: f64) -> u64 {
    let mut session = Session::start(alone(base(BOX))).unwrap();
    seek(&mut session, time, PLENTY);
    hash(&session)
}

fn seek(session: &mut Session, time: f64, budget: Duration) {
    session.obey(PlayerCommand::Seek(time));
    while session.is_seeking() {
        session.pass(SECOND, budget);
    }
}

fn time(session: &Session) -> f64 {
    session.panes()[0].time()
}

#[test]
fn a_session_goes_to_any_time_with_the_same_bits() {
    let mut session = Session::start(alone(base(BOX))).unwrap();
    for part in 1..=8 {
        let quiet = &mut |_| ControlFlow::Continue(());
        assert!(session.film_to(0.02 * f64::from(part), quiet).is_continue());
    }
    for place in [0.05, 0.15, 0.0, 0.1] {
        seek(&mut session, place, PLENTY);
        assert!((time(&session) - place).abs() < 2.1e-4, "{} at {place}", time(&session));
        assert_eq!(hash(&session), at(place), "at {place}");
        assert!(!session.is_playing());
    }
    // outside of the scene's time
    seek(&mut session, 7.0, PLENTY);
    assert!((time(&session) - 0.2).abs() < 2.1e-4);
    seek(&mut session, -1.0, PLENTY);
    assert_eq!(time(&session), 0.0);
    // without time to compute in, it arrives in many passes
    seek(&mut session, 0.1, Duration::ZERO);
    assert_eq!(hash(&session), at(0.1));
    // a later place replaces an earlier one, another action ends the search
    session.obey(PlayerCommand::Seek(0.2));
    seek(&mut session, 0.05, PLENTY);
    assert_eq!(hash(&session), at(0.05));
    session.obey(PlayerCommand::Seek(0.2));
    act(&mut session, Action::Step);
    assert!(!session.is_seeking() && time(&session) < 0.06);
}

#[test]
fn the_line_of_time_is_dragged() {
    let beginning = Beginning {
        size: (1280, 720),
        scale: 1.0,
        view: View::default(),
        playing: false,
        folder: ".".into(),
        browsing: false,
        looping: false,
        profile: false,
        record: None,
    };
    let mut viewer = Viewer::new(alone(base(BOX)), &beginning).unwrap();
    viewer.frame();
    let buttons: Vec<_> = viewer.stage.buttons().collect();
    let (line, _) = *buttons.iter().find(|(_, action)| *action == Action::Timeline).unwrap();
    let at = |share: f64| {
        let x = f64::from(line.x0) + share * f64::from(line.width());
        (x, 0.5 * f64::from(line.y0 + line.y1))
    };
    let arrives = |viewer: &mut Viewer, time: f64| {
        until(&format!("the scene is at {time} s"), || {
            viewer.frame();
            (viewer.scenes().displays[0].snapshot.state.time - time).abs() < 2e-3
        });
    };
    viewer.press(at(0.75), false);
    arrives(&mut viewer, 0.15);
    viewer.motion(at(0.25));
    arrives(&mut viewer, 0.05);
    // beyond the end of the line
    viewer.motion(at(3.0));
    arrives(&mut viewer, 0.2);
    viewer.release();
    viewer.motion(at(0.5));
    arrives(&mut viewer, 0.2);
}
