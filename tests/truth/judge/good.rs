//! Logs of what is right: never accused, with and without noise, at steps from 1 to 10 ms.

use super::motions::{
    belt, bounces_with_spin, bouncing, breaks_away, creeps, holds_under_a_swing, lands, oscillator,
    pressed_by_an_oscillation, projectile, rolls_down, slides_in_a_groove, slides_steadily,
    slip_to_roll, spins, thrown, thrown_across, thrust_off_centre,
};
use super::{Frame, G, Vector, blurred, contact, faults, judged, log, noisy, of_frames, times};
use stiction_engines::judge::log::Log;
use stiction_engines::judge::{JudgeOptions, judge};

/// An exact solution.
type Exact = (&'static str, f64, f64, fn(f64) -> Frame);

/// The exact solutions: name, length [s], slope [degrees], motion.
const EXACT: [Exact; 20] = [
    ("a block that slides to rest", 1.0, 0.0, |t| thrown(t, 2.0, 0.4, 0.0)),
    ("a block that holds on a slope", 2.0, 15.0, |t| thrown(t + 10.0, 1e-9, 0.5, 15.0)),
    ("a block thrown uphill", 2.0, 20.0, |t| thrown(t, -3.0, 0.6, 20.0)),
    ("a block without friction", 0.8, 10.0, |t| thrown(t, 1.0, 0.0, 10.0)),
    ("a ball that bounces", 1.4, 0.0, bouncing),
    ("a projectile", 1.0, 0.0, projectile),
    ("a ball that ends rolling", 1.0, 0.0, slip_to_roll),
    ("a block on a belt", 1.0, 0.0, belt),
    ("an oscillator", 2.0, 0.0, oscillator),
    ("a block that breaks away", 2.0, 0.0, breaks_away),
    ("a ring that spins", 0.8, 0.0, spins),
    ("a ball that rolls down", 1.0, 15.0, rolls_down),
    ("a block that creeps by its law", 2.0, 15.0, |t| creeps(t, 6.618e-4, 6.618e-4)),
    ("a block that slides steadily", 1.0, 16.699_244, slides_steadily),
    ("a body with a thruster", 1.0, 0.0, thrust_off_centre),
    ("a block under a push that swings", 2.0, 0.0, holds_under_a_swing),
    ("a block that lands and slides", 0.8, 0.0, lands),
    ("a ball that bounces with spin", 1.0, 0.0, bounces_with_spin),
    ("a block in a groove", 0.9, 0.0, slides_in_a_groove),
    ("a block under a push that oscillates", 0.7, 0.0, pressed_by_an_oscillation),
];

#[test]
fn exact_solutions_with_noise_are_never_accused() {
    let mut accused = Vec::new();
    for (name, seconds, slope, at) in EXACT {
        for dt in [1e-3, 1.0 / 240.0, 1e-2] {
            for seed in 0..4 {
                let said = judged(&noisy(log(seconds, dt, slope, at), seed));
                accused.extend(
                    faults(&said).iter().map(|f| format!("{name}, {dt} s, seed {seed}: {f}")),
                );
            }
        }
    }
    assert!(accused.is_empty(), "{}", accused.join("\n"));
}

#[test]
fn exact_solutions_without_noise_are_never_accused() {
    for (name, seconds, slope, at) in EXACT {
        for dt in [1e-3, 1.0 / 240.0, 1e-2] {
            let said = judged(&log(seconds, dt, slope, at));
            assert!(faults(&said).is_empty(), "{name}, {dt} s: {:?}", faults(&said));
        }
    }
}

#[test]
fn a_bent_path_is_not_accused() {
    for (dt, seed) in [(1e-3, 0), (1.0 / 240.0, 1), (1e-2, 2)] {
        let time = times(0.9, dt);
        let frames = thrown_across(&time, 0.0);
        let said = judged(&noisy(of_frames(time, dt, 20.0, frames), seed));
        assert!(faults(&said).is_empty(), "{dt} s: {:?}", faults(&said));
    }
}

/// Contacts of the step before, and wrong ones in the first 3 ms.
#[test]
fn forces_that_come_late_are_a_transient() {
    for (seconds, dt, v) in [(1.0, 1e-3, 2.0), (1.0, 1e-3, 1.0), (2.0, 1e-3, 3.0)] {
        let mut log = log(seconds, dt, 0.0, |t| thrown(t, v, 0.4, 0.0));
        let frames = log.contacts.as_mut().expect("it has contacts");
        frames.rotate_right(1);
        frames[0] = frames[1].clone();
        for frame in &mut frames[..3] {
            frame.iter_mut().for_each(|contact| contact.normal_force *= 0.6);
        }
        let said = judged(&log);
        assert!(faults(&said).is_empty(), "{v} m/s: {:?}", faults(&said));
        let cone = super::answers(&said, "friction cone");
        assert!(cone[0].0 == "found" && cone[0].1.contains("a transient"), "{cone:?}");
    }
}

/// Missing data of a good log are no reason to accuse it.
#[test]
fn good_logs_that_lack_something_are_not_accused() {
    let mut accused = Vec::new();
    for (name, seconds, slope, at) in EXACT {
        for lacking in 0..6 {
            let mut log = log(seconds, 1e-3, slope, at);
            let body = &mut log.bodies[0];
            match lacking {
                0 => body.velocity = None,
                1 => (body.spin, body.orientation) = (None, None),
                2 => body.inertia = None,
                3 => log.gravity = None,
                4 => log.contacts = None,
                _ => log.contacts.iter_mut().flatten().flatten().for_each(|c| c.friction = None),
            }
            let said = judge(&log, &JudgeOptions::default());
            accused.extend(faults(&said).iter().map(|f| format!("{name}, without {lacking}: {f}")));
        }
    }
    assert!(accused.is_empty(), "{}", accused.join("\n"));
}

/// Orientations in single precision, and not quite of length one.
#[test]
fn rounded_orientations_give_no_spin() {
    for length in [1.0_f32, 0.995, 1.004] {
        let mut log = log(0.5, 1e-3, 0.0, |t| thrown(t, 3.0, 0.4, 0.0));
        let angle = 0.7_f32;
        let turn = [angle.cos(), 0.0, angle.sin(), 0.0].map(|x| f64::from(length * x));
        log.bodies[0].spin = None;
        log.bodies[0].orientation = Some(vec![turn; log.time.len()]);
        let said = judged(&log);
        assert!(faults(&said).is_empty(), "{length}: {:?}", faults(&said));
        assert_eq!(super::answers(&said, "sliding friction")[0].0, "clear", "{length}");
    }
}

/// Nothing that noise hides is called clear, nor a fault.
#[test]
fn gross_noise_is_not_called_clear() {
    for (name, seconds, slope, at) in EXACT {
        let said = judged(&blurred(log(seconds, 1e-3, slope, at), 3, 1e-3));
        assert!(faults(&said).is_empty(), "{name}: {:?}", faults(&said));
        for check in ["force balance", "friction by momentum"] {
            for (word, text) in super::answers(&said, check) {
                assert_eq!(word, "not judged", "{name}, {check}: {text}");
            }
        }
    }
}

/// A base at the origin that never moves.
#[test]
fn a_body_at_the_origin_has_no_displacement() {
    let said = judged(&log(1.0, 1e-3, 0.0, |_| Frame {
        contacts: vec![super::contact(super::G, super::Vector::zeros(), 0.5)],
        ..Frame::default()
    }));
    assert!(faults(&said).is_empty(), "{said:?}");
    for (check, why) in [("displacement", "does not move"), ("sleep", "never moves")] {
        let (word, text) = super::answers(&said, check)[0];
        assert!(word == "not judged" && text.contains(why), "{check}: {word} {text}");
    }
}

/// A limit of creep accuses what creeps alone: not what slides, rolls, swings or flies.
#[test]
fn a_limit_of_creep_accuses_creep_alone() {
    let given = JudgeOptions { creep: Some(1e-5), ..JudgeOptions::default() };
    for (name, seconds, slope, at) in EXACT {
        for log in [log(seconds, 1e-3, slope, at), noisy(log(seconds, 1e-3, slope, at), 1)] {
            let faults = faults(&judge(&log, &given));
            assert_eq!(faults.len(), usize::from(name.contains("creeps")), "{name}: {faults:?}");
        }
    }
}

/// Noise of 1 % in forces, that of each contact its own.
#[test]
fn noise_of_forces_is_not_accused() {
    for (name, seconds, slope, at) in EXACT {
        let mut log = log(seconds, 1e-3, slope, at);
        let mut state = 1u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            1.0 + 0.01 * (2.0 * ((state >> 11) as f64 / (1u64 << 53) as f64) - 1.0)
        };
        for contact in log.contacts.iter_mut().flatten().flatten() {
            contact.normal_force *= draw();
            contact.friction = contact.friction.map(|friction| friction * draw());
        }
        let faults = faults(&judged(&log));
        assert!(faults.is_empty(), "{name}: {faults:?}");
    }
}

/// Rounding of places far from the origin is no creep and no recoil.
#[test]
fn rounding_is_not_accused() {
    for (name, seconds, slope, at) in EXACT {
        let mut log = log(seconds, 1e-3, slope, at);
        let far = super::Vector::new(1e4, -2e4, 3e4);
        log.bodies[0].position.iter_mut().for_each(|x| *x += far);
        for point in log.contacts.iter_mut().flatten().flatten().filter_map(|c| c.point.as_mut()) {
            *point += far;
        }
        let faults = faults(&judged(&log));
        assert!(faults.is_empty(), "{name}: {faults:?}");
    }
}

/// A block that slides under noise and rests without it.
fn rests_after_noise() -> Log {
    let rests = |t: f64| thrown(t, 1.0, 0.4, 0.0);
    let (whole, mut noise) = (log(2.0, 1e-3, 0.0, rests), log(2.0, 1e-3, 0.0, rests));
    noise = blurred(noise, 1, 1e-2);
    let body = &mut noise.bodies[0];
    body.position.clone_from(&whole.bodies[0].position);
    for column in [&mut body.velocity, &mut body.spin] {
        column.iter_mut().flatten().skip(300).for_each(|v| *v = Vector::zeros());
    }
    noise
}

/// Positions of a ball whose bounces turn spin into speed and back.
fn superball() -> Log {
    let swaps = |t: f64| {
        let (flight, speeds) = (0.4, [1.0, 3.0]);
        let (bounce, s) = ((t / flight).floor() as usize, t % flight);
        let v = speeds[bounce % 2];
        let before = flight * (4.0 * (bounce / 2) as f64 + (bounce % 2) as f64);
        let x = Vector::new(before + v * s, 0.0, 0.5 * G * s * (flight - s));
        Frame { x, ..Frame::default() }
    };
    let mut log = log(2.0, 1e-3, 0.0, swaps);
    let body = &mut log.bodies[0];
    (body.velocity, body.spin, body.orientation, log.contacts) = (None, None, None, None);
    log
}

/// A body in flight that something hits between two frames: its velocity changes, or velocity and spin.
fn hit(change: f64, spin: f64) -> Log {
    let at = |t: f64| {
        let after = (t - 0.5).max(0.0);
        let is_hit = if t > 0.5 { 1.0 } else { 0.0 };
        Frame {
            x: Vector::new(2.0 * t + change * after, 0.0, -G * t * t / 2.0),
            v: Vector::new(2.0 + change * is_hit, 0.0, -G * t),
            w: Vector::y() * spin * is_hit,
            ..Frame::default()
        }
    };
    log(1.0, 1e-3, 0.0, at)
}

/// A block that is pushed from rest; its forces are those of the step that begins.
fn pushed_from_rest() -> Log {
    let pushed = |t: f64| {
        let (s, on) = ((t - 0.5).max(0.0), if t >= 0.5 { 1.0 } else { 0.0 });
        let a = 8.0 - 0.3 * G;
        Frame {
            x: Vector::x() * (a * s * s / 2.0),
            v: Vector::x() * (a * s),
            applied: Vector::x() * 8.0 * on,
            contacts: vec![contact(G, Vector::x() * (-0.3 * G * on), 0.3)],
            ..Frame::default()
        }
    };
    log(1.0, 1e-3, 0.0, pushed)
}

/// Logs that are right and were accused once.
#[test]
fn what_was_accused_once_is_not() {
    let sampled = Log { step: Some(1e-4), ..hit(-0.2, 0.0) };
    let mut free = hit(-3.0, 5.0);
    free.gravity = None;
    free.bodies[0].position.iter_mut().for_each(|x| x.z = 0.0);
    free.bodies[0].velocity.iter_mut().flatten().for_each(|v| v.z = 0.0);
    for (name, log) in [
        ("rest after noise", rests_after_noise()),
        ("a superball", superball()),
        ("hit between frames", sampled),
        ("a bounce without gravity", free),
        ("a push from rest", pushed_from_rest()),
    ] {
        let said = judged(&log);
        assert!(faults(&said).is_empty(), "{name}: {:?}", faults(&said));
    }
}
