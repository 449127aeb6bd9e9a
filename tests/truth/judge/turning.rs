//! Torques and turns: what changes the spin must act, and orientations follow the spin.

use super::motions::{rolls_down, slip_to_roll, spins};
use super::{Frame, G, Vector, answers, contact, found, judged, log, noisy, of_frames, times};
use stiction_core::nalgebra::UnitQuaternion;
use stiction_engines::judge::log::Log;

/// A free body with moments 2, 3 and 4.5 g m², by Euler's equations in steps of 10 µs; `gyroscopic` is 1 in nature,
/// and L grows at a rate \[1/s\].
fn tumbles(gyroscopic: f64, grows: f64) -> Log {
    let (dt, moments) = (1e-3, Vector::new(2e-3, 3e-3, 4.5e-3));
    let time = times(0.4, dt);
    let (mut turn, mut local) = (UnitQuaternion::identity(), Vector::new(4.0, 5.0, -3.0));
    let (mut frames, mut turns) = (Vec::new(), Vec::new());
    for t in &time {
        frames.push(Frame {
            x: Vector::z() * (-G * t * t / 2.0),
            v: Vector::z() * (-G * t),
            w: turn * local,
            ..Frame::default()
        });
        turns.push([turn.w, turn.i, turn.j, turn.k]);
        for _ in 0..100 {
            let momentum = moments.component_mul(&local);
            let torque = gyroscopic * momentum.cross(&local) + grows * momentum;
            let middle = local + 0.5e-5 * torque.component_div(&moments);
            turn *= UnitQuaternion::from_scaled_axis(middle * 1e-5);
            local += 1e-5 * torque.component_div(&moments);
        }
    }
    let mut log = of_frames(time, dt, 0.0, frames);
    log.bodies[0].inertia = Some(moments);
    log.bodies[0].orientation = Some(turns);
    log
}

/// The word of the balance of torques.
fn word(log: &Log) -> &'static str {
    answers(&judged(log), "torque balance")[0].0
}

#[test]
fn torques_that_make_the_spin_are_balanced() {
    let cases: [(&str, Log); 4] = [
        ("a ball that ends rolling", log(1.0, 1e-3, 0.0, slip_to_roll)),
        ("a ring that spins", log(0.8, 1e-3, 0.0, spins)),
        ("a ball that rolls down", log(1.0, 1e-3, 15.0, rolls_down)),
        ("a body that tumbles", tumbles(1.0, 0.0)),
    ];
    for (name, log) in cases {
        assert_eq!(word(&log), "clear", "{name}: {:?}", judged(&log));
        assert_eq!(word(&noisy(log, 1)), "clear", "{name} with noise");
    }
}

/// A ball whose spin changes by another factor than its friction makes it.
#[test]
fn spin_that_no_torque_makes_is_found() {
    for factor in [0.5, 0.9, 1.1, 2.0] {
        let spun = |of: fn(f64) -> Frame| {
            move |t: f64| {
                let frame = of(t);
                Frame { w: factor * frame.w, ..frame }
            }
        };
        for (name, log) in [
            ("slips", log(1.0, 1e-3, 0.0, spun(slip_to_roll))),
            ("rolls", log(1.0, 1e-3, 15.0, spun(rolls_down))),
            ("spins", log(0.8, 1e-3, 0.0, spun(spins))),
        ] {
            // more braking than by friction may be torsional friction
            if name == "spins" && factor > 1.0 {
                assert_eq!(word(&log), "found", "{factor}");
                continue;
            }
            assert!(found(&judged(&log), "torques-unbalanced"), "{name} × {factor}");
            assert!(found(&judged(&noisy(log, 1)), "torques-unbalanced"), "{name} × {factor}");
        }
    }
    for (gyroscopic, grows) in [(0.0, 0.0), (0.5, 0.0), (1.0, 0.2), (1.0, -1.0)] {
        let said = judged(&tumbles(gyroscopic, grows));
        assert!(found(&said, "torques-unbalanced"), "{gyroscopic}, {grows}: {said:?}");
    }
    // without contacts in the log a flight is known by its acceleration
    let mut bare = tumbles(0.0, 0.0);
    bare.contacts = None;
    assert!(found(&judged(&bare), "torques-unbalanced"), "{:?}", judged(&bare));
    // a torque that does nothing
    let pushed = |t: f64| Frame { torque: Vector::y() * 0.01, ..super::motions::projectile(t) };
    assert!(found(&judged(&log(1.0, 1e-3, 0.0, pushed)), "torques-unbalanced"));
}

/// A small torque against the spin that is not in the log may be rolling or torsional friction; in the log it is
/// part of the balance.
#[test]
fn torsional_friction_is_asked_for_and_taken() {
    let (moment, torque) = (0.004, 0.03);
    let at = |reported: bool| {
        move |t: f64| {
            let mut touch = contact(G, Vector::zeros(), 0.5);
            touch.point = Some(Vector::zeros());
            touch.torque = reported.then_some(Vector::z() * -torque);
            Frame {
                x: Vector::z() * 0.1,
                w: Vector::z() * (20.0 - torque / moment * t),
                contacts: vec![touch],
                ..Frame::default()
            }
        }
    };
    assert_eq!(word(&log(1.0, 1e-3, 0.0, at(false))), "found");
    assert_eq!(word(&log(1.0, 1e-3, 0.0, at(true))), "clear");
    // a block that is held upright reports no torque
    let held = |t: f64| {
        let mut frame = super::motions::thrown(t, 2.0, 0.4, 0.0);
        frame.x.z = 0.1;
        let below = Vector::new(frame.x.x, 0.0, 0.0);
        frame.contacts.iter_mut().for_each(|touch| touch.point = Some(below));
        frame
    };
    assert_eq!(word(&log(0.4, 1e-3, 0.0, held)), "found");
}

#[test]
fn orientations_off_the_spin_are_found() {
    for factor in [0.0, 0.9, 1.05] {
        let mut log = log(1.0, 1e-3, 15.0, rolls_down);
        log.bodies[0].spin.iter_mut().flatten().for_each(|spin| *spin *= factor);
        let said = judged(&log);
        assert!(found(&said, "turns-off-spin"), "{factor}: {said:?}");
    }
    // a body that does not turn has rounded quaternions
    let mut still = log(1.0, 1e-3, 0.0, |t| super::motions::thrown(t, 2.0, 0.4, 0.0));
    for (k, turn) in still.bodies[0].orientation.iter_mut().flatten().enumerate() {
        turn[1] = 1e-17 * (k % 3) as f64;
    }
    assert_eq!(answers(&judged(&still), "turns")[0].0, "not judged");
}
