//! Tip or slide, beyond the cases of `validate`: the box in space under explicit methods, and a
//! step that is too large.

use stiction_lab::validation::RigSetting;
use stiction_lab::validation::tipping::{PUSHES, TippingFate, TippingLattice, fate};

/// Seven slices of the box share the fate of one.
fn assert_pushes(method: &str, h: f64, cases: &[(f64, f64, TippingFate)]) {
    for &(friction, height, expected) in cases {
        let mut rig = TippingLattice::pushed(7, friction, height)
            .under(&RigSetting::default(), method, h)
            .expect("a scene");
        let found = fate(&mut rig, 49, 5.5).expect("a run");
        println!("{method}: μ {friction}, push at {height}: {found:?} at {:.3} s", rig.state.time);
        assert_eq!(found, expected, "{method}: μ {friction}, push at {height}");
        let verdict = rig.verdict();
        assert!(verdict.faultless(), "{method}: μ {friction}, push at {height}: {verdict:?}");
    }
}

#[test]
fn seven_slices_share_the_fate_of_one_at_mu_3() {
    assert_pushes("\"symplectic-euler\"", 2e-5, &PUSHES[..4]);
}

#[test]
fn seven_slices_share_the_fate_of_one_at_mu_5() {
    assert_pushes("\"symplectic-euler\"", 2e-5, &PUSHES[4..]);
}

#[test]
fn seven_slices_under_rk4() {
    assert_pushes("\"rk4\"", 4e-5, &[PUSHES[4], PUSHES[7]]);
}

/// A step of 0.2 ms lets the base chatter: the run must say so.
#[test]
fn a_step_too_large_is_flagged() {
    let setting = RigSetting::default();
    let lattice = TippingLattice::pushed(1, 0.5, 0.4);
    let mut rig = lattice.under(&setting, "\"symplectic-euler\"", 2e-4).expect("a scene");
    fate(&mut rig, 7, 5.5).expect("a run");
    let verdict = rig.verdict();
    assert!(!verdict.faultless());
    assert_eq!(verdict.reasons[0].name(), "step-above-friction-limit", "{verdict:?}");
}
