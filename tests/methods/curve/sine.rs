//! The bead on the sine: where it turns and stops, and what each coupling is known to do wrong.

use super::*;

const TURNS: [f64; 5] = [2.676247850, 0.798909126, 2.078303467, 1.288732773, 1.647254721];
const STOP: (f64, f64) = (1.6472547208, 5.8631971629);
const COUPLINGS: [&str; 3] = ["velocity-linear", "multiplier-linear", "lagged"];

/// The largest error of the turns.
fn error(ride: &Ride, turns: &[f64]) -> f64 {
    assert!(ride.turns.len() >= turns.len(), "{:?}", ride.turns);
    ride.turns.iter().zip(turns).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Tolerances of the public table at h = 1e-3: turns 2e-3; stop 2e-3 and .01 s, or .08 s for the
/// coupling linear in the velocity without rest friction; drift 1e-4. All are met with room to
/// spare.
#[test]
fn the_bead_on_the_sine_turns_and_stops_where_it_should() {
    for coupling in COUPLINGS {
        for rest in [true, false] {
            let bead = Bead::on_sine(0.1, 0.1, coupling, 1e-3);
            let ride = if rest { bead.run() } else { bead.restless().run() };
            let name = format!("{coupling}, rest = {rest}");
            assert!(error(&ride, &TURNS) < 5e-4, "{name}: {:?}", ride.turns);
            // without rest friction, chatter makes it drift
            near(&name, ride.end.x, STOP.0, if rest { 5e-4 } else { 2e-3 });
            assert!(ride.drift < 4e-5, "{name}: drift {:e}", ride.drift);
            // the energy that is unaccounted for
            assert!(ride.residual < 0.011, "{name}: {:e} J", ride.residual);
            near(&name, ride.dissipated, G * sin(STOP.0), 2e-2);
            match (coupling, rest) {
                ("velocity-linear", false) => {
                    near(&name, ride.stop().1, STOP.1 + 0.064, 2e-3);
                    assert_eq!(ride.reasons, [""; 0], "{name}");
                }
                // the coupling linear in the velocity stops a little late even so
                (_, true) => {
                    let late = if coupling == "velocity-linear" { 0.02 } else { 2e-3 };
                    near(&name, ride.stop().1, STOP.1, late);
                    assert_eq!(ride.turns.len(), 5, "{name}: {:?}", ride.turns);
                    near(&name, ride.speed, 0.0, 1e-12);
                    assert_eq!(ride.reasons, [""; 0], "{name}");
                }
                (_, false) => assert_eq!(ride.reasons, ["chatter"], "{name}"),
            }
        }
    }
}

#[test]
fn rough_beads_stop_at_their_second_turn_and_sticky_ones_at_their_fourth() {
    for coupling in ["velocity-linear", "multiplier-linear", "lagged", "reduced"] {
        let fine = if coupling == "reduced" { 1e-6 } else { 2e-3 };
        let late = if coupling == "velocity-linear" { 0.025 } else { 2e-3 };
        let rough = Bead::on_sine(0.3, 0.3, coupling, 1e-3).run();
        assert!(error(&rough, &[2.084570100, 1.684497170]) < fine, "{coupling}: {rough:?}");
        near(coupling, rough.stop().0, 1.6844971696, fine);
        near(coupling, rough.stop().1, 2.4448338261, late);
        let sticky = Bead::on_sine(0.1, 0.4, coupling, 1e-3).run();
        assert!(error(&sticky, &TURNS[..4]) < fine, "{coupling}: {sticky:?}");
        assert_eq!(sticky.turns.len(), 4, "{coupling}: {sticky:?}");
        near(coupling, sticky.stop().0, 1.2887327734, fine);
        near(coupling, sticky.stop().1, 4.8426134020, 0.01);
        for ride in [rough, sticky] {
            assert_eq!(ride.reasons, [""; 0], "{coupling}");
        }
    }
}

/// Couplings that lag are of order one. The one linear in the multiplier lags no magnitude, and
/// symplectic Euler's own error of order one does not show in the turning points: order two.
#[test]
fn halving_the_step_halves_the_errors() {
    for (coupling, [least, most]) in [
        ("velocity-linear", [1.7, 2.3]),
        ("lagged", [1.7, 2.3]),
        ("multiplier-linear", [3.5, 12.0]),
    ] {
        let of = |h: f64| error(&Bead::on_sine(0.1, 0.1, coupling, h).run(), &TURNS);
        let ratio = of(2e-3) / of(1e-3);
        assert!((least..most).contains(&ratio), "{coupling}: {ratio}");
        let residual = |h: f64| Bead::on_sine(0.1, 0.1, coupling, h).run().residual;
        let ratio = residual(2e-3) / residual(1e-3);
        assert!((1.8..2.2).contains(&ratio), "{coupling}: residual {ratio}");
    }
}

/// Without stabilisation every step leaves the curve by κ (h v)²/2, κ its curvature; with it the
/// distance settles near κ (h v)²/(2 · .2); projection leaves rounding.
#[test]
fn the_distance_from_the_curve_is_as_the_stabilisation_makes_it() {
    let drift = |more: &str, h: f64| {
        let bead = Bead { more: more.into(), ..Bead::on_sine(0.1, 0.1, "multiplier-linear", h) };
        bead.run()
    };
    let (loose, fine) = (drift("stabilisation = 0", 1e-3), drift("stabilisation = 0", 5e-4));
    assert!(loose.drift > 50.0 * drift("", 1e-3).drift, "{:e}", loose.drift);
    // order one: a step's share is of order two
    assert!((1.8..2.2).contains(&(loose.drift / fine.drift)), "{:e} {:e}", loose.drift, fine.drift);
    let put_back = drift("projection = true", 1e-3);
    assert!(put_back.drift < 1e-15, "{:e}", put_back.drift);
    assert!(error(&put_back, &TURNS) < 1e-4, "{:?}", put_back.turns);
    // far off at large steps, and said so
    let far = drift("stabilisation = 0", 1e-2);
    assert!(far.reasons.contains(&"off-the-curve".to_string()), "{:?}", far.reasons);
}

/// The index-reduced form under methods of higher order.
#[test]
fn reduced_the_bead_is_followed_a_thousand_times_better() {
    for method in ["rk4", "dopri5", "velocity-verlet"] {
        let ride = Bead { method, ..Bead::on_sine(0.1, 0.1, "reduced", 1e-3) }.run();
        let fine = if method == "velocity-verlet" { 2e-4 } else { 1e-6 };
        assert!(error(&ride, &TURNS) < fine, "{method}: {:?}", ride.turns);
        near(method, ride.stop().0, STOP.0, if method == "rk4" { 1e-9 } else { fine });
        near(method, ride.stop().1, STOP.1, 1e-3);
        assert!(ride.drift < 1e-6, "{method}: {:e}", ride.drift);
        assert_eq!(ride.reasons, [""; 0], "{method}");
        near(method, ride.dissipated, G * sin(STOP.0), fine.max(1e-4) * 5.0);
    }
}

/// The coupling linear in the velocity stops late by steps, not by seconds: at large steps the
/// verdict tells.
#[test]
fn large_steps_are_not_trusted() {
    let late = Bead::on_sine(0.1, 0.1, "velocity-linear", 1e-2).restless().run();
    assert_eq!(late.reasons, ["late-stop"]);
    let lagged = Bead::on_sine(0.1, 0.1, "lagged", 5e-2).run();
    assert_eq!(lagged.reasons, ["off-the-curve", "constraint-lag", "energy-residual"]);
    let chatters = Bead::on_sine(0.1, 0.1, "reduced", 1e-3).restless().run();
    assert_eq!(chatters.reasons, ["chatter"]);
}
