//! The largest step of each method: as declared, and as found by runs.

use crate::support::method::{capabilities, methods};
use stiction_core::math::{bisect, sqrt};
use stiction_lab::validation::RigSetting;
use stiction_lab::validation::limits::{DECAY, contact_grows, deviation, held_grows};
use stiction_lab::validation::rig::limit;

#[test]
fn friction_decays_up_to_the_declared_limit() {
    for (row, keys, exact) in DECAY {
        let method = format!("\"{}\"{keys}", row.name);
        let declared = capabilities(&method).decay_limit.expect("a limit");
        assert!((declared / exact - 1.0).abs() < 1e-6, "{method}: declared {declared}");
    }
    for method in methods() {
        let method = method.as_str();
        let able = capabilities(method);
        let left =
            |hlambda: f64| deviation(&RigSetting::default(), method, hlambda, 1000).expect("a run");
        match able.decay_limit {
            Some(declared) => {
                let found = limit(0.5, 8.0, |z| Ok(left(z) > 1.0)).expect("a limit");
                println!("{method}: limit {found:.4}, declared {declared}");
                assert!((found / declared - 1.0).abs() < 0.01, "{method}: {found} {declared}");
            }
            None if able.adaptive => {}
            None => {
                for hlambda in [0.5, 2.0, 10.0, 1e3] {
                    assert!(left(hlambda) <= 1.0, "{method}: {hlambda}");
                }
            }
        }
    }
}

#[test]
fn springs_and_dampers_hold_up_to_the_edge_of_the_region() {
    for method in methods() {
        let method = method.as_str();
        let able = capabilities(method);
        if able.adaptive || able.implicit {
            continue;
        }
        for zeta in [0.0, 0.2, 0.5, 1.0] {
            let setting = RigSetting::default();
            let contact = |homega: f64| contact_grows(&setting, method, homega, zeta);
            let held = |homega: f64| held_grows(&setting, method, homega, zeta);
            let declared =
                bisect(0.05, 8.0, |homega| able.region.holds(2.0 * zeta * homega, homega));
            if declared < 0.1 {
                // growth this slow shows in a test only at larger steps
                assert!(contact(0.4).expect("a run"), "{method}: ζ {zeta}");
                continue;
            }
            let contact = limit(0.05, 8.0, contact).expect("a limit");
            println!("{method}: ζ {zeta}: ω h {contact:.4}, declared {declared:.4}");
            assert!((contact / declared - 1.0).abs() < 0.01, "{method}: ζ {zeta}: {contact}");
            if zeta > 0.0 {
                let held = limit(0.05, 8.0, held).expect("a limit");
                assert!((held / declared - 1.0).abs() < 0.01, "{method}: ζ {zeta}: held {held}");
            }
        }
        let oscillation = bisect(0.05, 8.0, |homega| able.region.holds(0.0, homega));
        let stated = able.oscillation_limit.expect("a limit");
        let off = (stated - oscillation).abs();
        assert!(off < 1e-3 || stated == 0.0 && oscillation <= 0.1, "{method}: {oscillation}");
    }
}

#[test]
fn regions_have_their_closed_forms() {
    let edge = |method: &str, zeta: f64| {
        let region = capabilities(method).region;
        bisect(0.05, 8.0, |homega| region.holds(2.0 * zeta * homega, homega))
    };
    for zeta in [0.0, 0.2, 0.5, 1.0] {
        for method in ["\"symplectic-euler\"", "\"velocity-verlet\""] {
            let exact = 2.0 * (sqrt(1.0 + zeta * zeta) - zeta);
            assert!((edge(method, zeta) / exact - 1.0).abs() < 1e-6, "{method}: ζ {zeta}");
        }
    }
    for zeta in [0.2, 0.5, 1.0] {
        let euler = edge("\"explicit-euler\"", zeta);
        assert!((euler / (2.0 * zeta) - 1.0).abs() < 1e-6, "ζ {zeta}: {euler}");
    }
    for (zeta, exact) in [(0.0, 2.83), (0.2, 2.94), (0.5, 2.62), (1.0, 2.79)] {
        let rk4 = edge("\"rk4\"", zeta);
        assert!((rk4 - exact).abs() < 0.006, "ζ {zeta}: {rk4}");
    }
}
