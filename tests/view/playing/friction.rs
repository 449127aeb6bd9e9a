//! Coefficients of friction: one slider where μ_s and μ_k are equal, two where they differ.

use super::*;
use stiction_view::display::Setting;

const APART: &str = "materials.rubber.kinetic_friction=0.35";

fn rows(session: &mut Session) -> Vec<(String, String)> {
    let displays = session.displays();
    let is_one =
        |setting: &&Setting| matches!(setting.knob, Knob::Friction | Knob::KineticFriction);
    let rows = displays[0].settings.iter().filter(is_one);
    rows.map(|setting| (setting.name.clone(), setting.value.clone())).collect()
}

fn pairs(of: &[(&str, &str)]) -> Vec<(String, String)> {
    of.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
}

fn set(session: &mut Session, knob: Knob, value: f64) -> String {
    session.obey(PlayerCommand::Set { knob, value, again: false });
    session.take_notice().unwrap_or_default()
}

/// One slider turns both, and says so.
#[test]
fn equal_coefficients_are_one_row() {
    let mut session = Session::start(alone(base(BOX))).unwrap();
    assert_eq!(rows(&mut session), pairs(&[("μ", "0.50")]));
    let said = set(&mut session, Knob::Friction, 0.6);
    assert_eq!(said, "μ is now 0.6 (μ_s and μ_k)");
    assert_eq!(rows(&mut session), pairs(&[("μ", "0.60")]));
    assert!(set(&mut session, Knob::KineticFriction, 0.1).contains("not apart"));
}

/// Each slider turns its own, and undoing gives back what was there.
#[test]
fn unequal_coefficients_are_two_rows() {
    let mut session = Session::start(alone(with(base(BOX), &[APART]))).unwrap();
    assert_eq!(rows(&mut session), pairs(&[("μ_s", "0.50"), ("μ_k", "0.35")]));
    assert_eq!(set(&mut session, Knob::Friction, 0.6), "μ is now 0.6 (μ_s alone)");
    assert_eq!(rows(&mut session), pairs(&[("μ_s", "0.60"), ("μ_k", "0.35")]));
    assert_eq!(set(&mut session, Knob::KineticFriction, 0.2), "μ_k is now 0.2");
    assert_eq!(rows(&mut session), pairs(&[("μ_s", "0.60"), ("μ_k", "0.20")]));
    act(&mut session, Action::Turn(Knob::KineticFriction, Direction::Up));
    assert_eq!(rows(&mut session), pairs(&[("μ_s", "0.60"), ("μ_k", "0.25")]));
    let material = &session.panes()[0].scene().materials[0];
    assert_eq!([material.static_friction, material.kinetic_friction], [0.6, 0.25]);
    // dragged until they are equal, they stay two
    set(&mut session, Knob::Friction, 0.25);
    assert_eq!(rows(&mut session), pairs(&[("μ_s", "0.25"), ("μ_k", "0.25")]));
    (0..4).for_each(|_| act(&mut session, Action::Undo));
    assert_eq!(rows(&mut session), pairs(&[("μ_s", "0.50"), ("μ_k", "0.35")]));
}
