//! Lapses, jumps, motion along normals, flights: what windows and their medians do not show.

use super::motions::{bouncing, thrown};
use super::{
    Frame, G, Vector, answers, contact, faults, found, judged, log, noisy, of_frames, times,
};
use stiction_engines::judge::log::Log;

/// A block at 3 m/s with friction of .4 N that is `factor` times as much for some frames of 1 ms; it reports what acts,
/// or nothing.
pub(super) fn lapses(factor: f64, frames: usize, reported: bool) -> Log {
    let (dt, mu) = (1e-3, 0.4);
    let time = times(0.6, dt);
    let (mut x, mut v) = (0.0, 3.0);
    let mut all = Vec::new();
    for k in 0..time.len() {
        let share = if (200..200 + frames).contains(&k) { factor } else { 1.0 };
        let force = -share * mu * G;
        if k > 0 {
            v += dt * force;
            x += dt * v;
        }
        let mut touch = contact(G, Vector::x() * force, mu);
        if !reported {
            touch.friction = None;
        }
        let frame = Frame {
            x: Vector::x() * x,
            v: Vector::x() * v,
            contacts: vec![touch],
            ..Frame::default()
        };
        all.push(frame);
    }
    of_frames(time, dt, 0.0, all)
}

#[test]
fn lapses_of_friction_are_found() {
    for reported in [true, false] {
        for (factor, frames) in [(0.0, 12), (0.0, 40), (3.0, 12), (-1.0, 12), (0.5, 30)] {
            let log = lapses(factor, frames, reported);
            let said = judged(&log);
            let about = format!("{factor} in {frames} frames, reported: {reported}");
            assert_eq!(answers(&said, "lapses of friction")[0].0, "fault", "{about}: {said:?}");
            let noisy = judged(&noisy(log, 1));
            assert_eq!(answers(&noisy, "lapses of friction")[0].0, "fault", "{about}: {noisy:?}");
        }
        let said = judged(&lapses(1.0, 0, reported));
        assert_eq!(answers(&said, "lapses of friction")[0].0, "clear", "{said:?}");
    }
}

/// A block that stops within one frame, in which friction can take .004 m/s.
#[test]
fn a_stop_without_a_force_is_found() {
    for speed in [3.0, 1.0, 0.5] {
        let stops = |t: f64| {
            let mut frame = thrown(t, 3.0, 0.4, 0.0);
            let when = (3.0 - speed) / (0.4 * G);
            if t > when {
                frame = thrown(when, 3.0, 0.4, 0.0);
                frame.v = Vector::zeros();
            }
            frame
        };
        let said = judged(&log(1.0, 1e-3, 0.0, stops));
        assert_eq!(answers(&said, "jumps")[0].0, "fault", "{speed}: {said:?}");
        // between frames that are further apart than steps it may have met a wall
        let mut sampled = log(1.0, 1e-3, 0.0, stops);
        sampled.step = Some(1e-4);
        assert_eq!(answers(&judged(&sampled), "jumps")[0].0, "found");
    }
    // a bounce between two frames, and none that goes on into what it met
    assert_eq!(answers(&judged(&log(1.4, 1e-3, 0.0, bouncing)), "jumps")[0].0, "found");
    let kicked = |t: f64| {
        let kick = if t > 0.3 { 1.0 } else { 0.0 };
        Frame {
            x: Vector::z() * (-G * t * t / 2.0 + kick * (t - 0.3)),
            v: Vector::z() * (kick - G * t),
            ..Frame::default()
        }
    };
    assert_eq!(answers(&judged(&log(1.0, 1e-3, 0.0, kicked)), "jumps")[0].0, "fault");
}

/// A block that moves along its normal while it slides at 1 m/s under N, which changes by a rate \[N/s\].
fn along_normal(speed: f64, rate: f64) -> Log {
    log(1.0, 1e-3, 0.0, |t| {
        let force = G + rate * t;
        Frame {
            x: Vector::new(t, 0.0, speed * t),
            v: Vector::new(1.0, 0.0, speed),
            applied: Vector::new(0.5 * force, 0.0, -rate * t),
            contacts: vec![contact(force, Vector::x() * -0.5 * force, 0.5)],
            ..Frame::default()
        }
    })
}

#[test]
fn motion_along_a_normal_is_found() {
    for speed in [-0.1, -2e-3, 2e-3, 0.1] {
        let log = along_normal(speed, 0.0);
        for log in [noisy(log.clone(), 1), log] {
            assert!(found(&judged(&log), "moves-along-normal"), "{speed}: {:?}", judged(&log));
        }
    }
    assert_eq!(answers(&judged(&along_normal(0.0, 0.0)), "motion along normals")[0].0, "clear");
    // under a load that rises an elastic contact is pressed in
    let pressed = judged(&along_normal(-2e-3, 40.0));
    assert_eq!(answers(&pressed, "motion along normals")[0].0, "not judged", "{pressed:?}");
    // one that comes to rest in it is no fault
    let settles = log(1.0, 1e-3, 0.0, |t| {
        let left = 1e-3 * stiction_core::math::exp(-t / 0.05);
        Frame {
            x: Vector::z() * left,
            v: Vector::z() * (-left / 0.05),
            contacts: vec![contact(G, Vector::zeros(), 0.5)],
            ..Frame::default()
        }
    });
    assert!(!found(&judged(&settles), "moves-along-normal"), "{:?}", judged(&settles));
}

/// A ball in positions alone that comes back `factor` times as fast from each of its bounces.
pub(super) fn bounces(factor: f64) -> Log {
    let fall = stiction_core::math::sqrt(2.0 / G);
    let mut log = log(4.0, 1e-3, 0.0, |t| {
        let (mut begin, mut speed) = (-fall, G * fall);
        while t > begin + 2.0 * speed / G {
            begin += 2.0 * speed / G;
            speed *= factor;
        }
        let s = t - begin;
        Frame { x: Vector::z() * (speed * s - G * s * s / 2.0), ..Frame::default() }
    });
    let body = &mut log.bodies[0];
    (body.velocity, body.spin, body.orientation, log.contacts) = (None, None, None, None);
    log
}

#[test]
fn flights_that_gain_energy_are_found() {
    for (factor, word) in [(0.8, "clear"), (1.0, "clear"), (1.02, "fault"), (1.2, "fault")] {
        let said = judged(&bounces(factor));
        assert_eq!(answers(&said, "energy of flights")[0].0, word, "{factor}: {said:?}");
    }
    let mut once = bounces(1.3);
    once.time.truncate(1500);
    once.bodies[0].position.truncate(1500);
    (once.bodies[0].applied, once.bodies[0].applied_torque) = (None, None);
    assert_eq!(answers(&judged(&once), "energy of flights")[0].0, "found", "{:?}", judged(&once));
}

/// A body that rises without a force, in a log without contacts: a lift may carry it.
#[test]
fn energy_without_contacts_is_told() {
    let rises = |t: f64| Frame { x: Vector::z() * t, v: Vector::z(), ..Frame::default() };
    for (log, word) in [
        (log(1.0, 1e-3, 0.0, rises), "found"),
        (log(1.0, 1e-3, 0.0, |t| thrown(t, 2.0, 0.4, 0.0)), "clear"),
    ] {
        let bare = Log { contacts: None, ..log };
        assert_eq!(answers(&judged(&bare), "energy")[0].0, word, "{:?}", judged(&bare));
    }
}

#[test]
fn a_sleep_in_the_air_is_found() {
    let hangs = |t: f64| {
        let s = t.min(0.3);
        let v = if t < 0.3 { -G * t } else { 0.0 };
        Frame { x: Vector::z() * (-G * s * s / 2.0), v: Vector::z() * v, ..Frame::default() }
    };
    let said = judged(&log(1.0, 1e-3, 0.0, hangs));
    assert!(found(&said, "false-sleep"), "{said:?}");
}

/// Positions alone: a block that is displaced within one frame of its slide.
#[test]
fn jumps_of_positions_are_found() {
    for jump in [0.05, -0.05, 0.2] {
        let mut log = log(0.7, 1e-3, 0.0, |t| {
            let mut frame = thrown(t, 3.0, 0.4, 0.0);
            frame.x += Vector::x() * if t > 0.3 { jump } else { 0.0 };
            frame
        });
        log.bodies[0].velocity = None;
        let said = judged(&log);
        assert!(found(&said, "displacement-off-velocity"), "{jump}: {said:?}");
    }
}

/// A block at rest whose velocity along the normal reverses with each frame.
#[test]
fn chatter_along_the_normal_is_found() {
    let at = |t: f64| {
        let sign = if (t / 1e-3).round() as i64 % 2 == 0 { 1.0 } else { -1.0 };
        let touch = contact(G, Vector::zeros(), 0.5);
        Frame { v: Vector::z() * sign * 5e-3, contacts: vec![touch], ..Frame::default() }
    };
    let said = judged(&log(1.0, 1e-3, 0.0, at));
    assert!(found(&said, "chatter"), "{said:?}");
}

/// A body that spins in flight, whose spin changes within one frame; with an impact that may do it, and without.
#[test]
fn a_jump_of_spin_without_an_impulse_is_found() {
    for (factor, kick, word) in
        [(2.0, 0.0, "fault"), (1.1, 0.0, "fault"), (2.0, 3.0, "found"), (1.0, 0.0, "clear")]
    {
        let jumps = |t: f64| {
            let after = t > 0.4;
            let spin = 10.0 * if after { factor } else { 1.0 };
            let kick = if after { Vector::x() * kick } else { Vector::zeros() };
            let (x, v) = (Vector::z() * (-G * t * t / 2.0), Vector::z() * -G * t);
            Frame {
                x: x + kick * (t - 0.4),
                v: v + kick,
                w: Vector::y() * spin,
                ..Frame::default()
            }
        };
        let said = judged(&log(1.0, 1e-3, 0.0, jumps));
        let words: Vec<&str> = answers(&said, "jumps").iter().map(|of| of.0).collect();
        let expected = if word == "clear" { ["clear", "clear"] } else { ["clear", word] };
        let expected = if kick > 0.0 { ["found", "clear"] } else { expected };
        assert_eq!(words, expected, "{factor}, {kick}: {said:?}");
    }
}

/// Forces that are missing for a few frames, or in every third one, of a block that slides under them.
#[test]
fn missing_forces_of_a_few_frames_are_found() {
    let few = |k: usize| (100..112).contains(&k);
    let third = |k: usize| k.is_multiple_of(3);
    let cases: [(&dyn Fn(usize) -> bool, f64); 3] = [(&few, 0.0), (&few, 1000.0), (&third, 0.0)];
    for (is_wrong, factor) in cases {
        let mut log = log(0.7, 1e-3, 0.0, |t| thrown(t, 3.0, 0.4, 0.0));
        for (k, touch) in log.contacts.iter_mut().flatten().flatten().enumerate() {
            let factor = if is_wrong(k) { factor } else { 1.0 };
            touch.normal_force *= factor;
            touch.friction = touch.friction.map(|force| factor * force);
        }
        let said = judged(&log);
        assert!(found(&said, "forces-unbalanced"), "{factor}: {said:?}");
        assert!(found(&judged(&noisy(log, 1)), "forces-unbalanced"), "{factor}, with noise");
    }
    // friction alone, as reported
    let mut log = log(0.7, 1e-3, 0.0, |t| thrown(t, 3.0, 0.4, 0.0));
    for (k, touch) in log.contacts.iter_mut().flatten().flatten().enumerate() {
        let factor = if few(k) { 0.5 } else { 1.0 };
        touch.friction = touch.friction.map(|force| factor * force);
    }
    assert!(found(&judged(&log), "friction-off-the-cone"), "{:?}", judged(&log));
}

/// A block that sticks and slips reports another μ_s: what it exceeds is no noise.
#[test]
fn a_cone_is_exceeded_in_stick_and_slip() {
    let mut log = log(2.0, 1e-3, 0.0, |t| {
        // of each .2 s it sticks for .15 s under a force that rises to μ_s N, and slips at μ_k N
        let phase = (t / 0.2).fract();
        let force = if phase < 0.75 { G * (0.3 + 0.3 * phase / 0.75) } else { 0.3 * G };
        let mut touch = contact(G, Vector::x() * -force, 0.6);
        touch.kinetic_friction = Some(0.3);
        Frame { applied: Vector::x() * force, contacts: vec![touch], ..Frame::default() }
    });
    assert!(!found(&judged(&log), "cone-exceeded"), "{:?}", judged(&log));
    for touch in log.contacts.iter_mut().flatten().flatten() {
        touch.static_friction = Some(0.54);
    }
    assert!(found(&judged(&log), "cone-exceeded"), "{:?}", judged(&log));
}

/// A bead in a frictionless bowl of 1 m: normals turn with it, and no friction is needed.
#[test]
fn a_frictionless_bowl_needs_no_friction() {
    for dt in [1e-3, 4e-3] {
        let (level, speed) = (0.6_f64, stiction_core::math::sqrt(G * 0.36 / 0.8));
        let bead = |t: f64| {
            let (s, c) = super::turn(speed / level * t);
            let normal = Vector::new(-0.6 * c, -0.6 * s, 0.8);
            let force = G / 0.8;
            let touch = super::Contact { normal, ..contact(force, Vector::zeros(), 0.0) };
            Frame {
                x: Vector::new(level * c, level * s, 0.2),
                v: speed * Vector::new(-s, c, 0.0),
                contacts: vec![touch],
                ..Frame::default()
            }
        };
        let said = judged(&log(1.5, dt, 0.0, bead));
        assert!(faults(&said).is_empty(), "{dt}: {:?}", faults(&said));
    }
}

/// Frames that are dropped are no noise: 20 % of a flight.
#[test]
fn dropped_frames_are_no_noise() {
    let whole = log(1.0, 1e-3, 0.0, super::motions::projectile);
    let keep = |k: usize| k * 2_654_435_761 % 100 >= 20;
    let mut log = whole.clone();
    let kept = |of: &[Vector]| -> Vec<Vector> {
        of.iter().enumerate().filter(|(k, _)| keep(*k)).map(|(_, v)| *v).collect()
    };
    log.time = whole.time.iter().enumerate().filter(|(k, _)| keep(*k)).map(|(_, t)| *t).collect();
    log.contacts = Some(vec![Vec::new(); log.time.len()]);
    let body = &mut log.bodies[0];
    body.position = kept(&body.position);
    for column in [&mut body.velocity, &mut body.spin, &mut body.applied, &mut body.applied_torque]
    {
        *column = column.as_ref().map(|of| kept(of));
    }
    body.orientation = None;
    let said = judged(&log);
    assert_eq!(answers(&said, "force balance")[0].0, "clear", "{said:?}");
}
