//! Logs of what is wrong, each of some kind in some sizes: found.

use super::motions::{bouncing, creeps, thrown, thrown_across};
use super::{Frame, G, Vector, contact, faults, found, judged, log, noisy, of_frames, times, turn};
use stiction_engines::judge::log::Log;
use stiction_engines::judge::{JudgeOptions, judge};

/// Whether the judgement of a log, exact and with noise, has the fault.
fn assert_found(log: &Log, reason: &str, about: &str) {
    for (seed, log) in [(0, log.clone()), (1, noisy(log.clone(), 1)), (2, noisy(log.clone(), 2))] {
        let said = judged(&log);
        assert!(found(&said, reason), "{about}, seed {seed}: {said:#?}");
    }
}

/// A block thrown at 2 m/s whose motion has the friction `moves` times N; reported are μ, μ_k and `reported` times
/// that.
fn slide(dt: f64, moves: f64, [mu, kinetic, reported]: [f64; 3]) -> Log {
    log(0.5, dt, 0.0, |t| {
        let mut frame = thrown(t, 3.0, moves, 0.0);
        for contact in &mut frame.contacts {
            contact.static_friction = Some(mu);
            contact.kinetic_friction = Some(kinetic);
            contact.friction = contact.friction.map(|f| reported * f);
        }
        frame
    })
}

const STEPS: [f64; 3] = [1e-3, 2e-3, 1.0 / 240.0];

#[test]
fn sliding_friction_of_another_size_is_found() {
    for dt in STEPS {
        for (moves, [mu, kinetic]) in [
            (0.6, [0.6, 0.3]),
            (0.5, [0.6, 0.3]),
            (0.3, [0.6, 0.6]),
            (0.0, [0.5, 0.5]),
            (0.05, [0.5, 0.4]),
        ] {
            let log = slide(dt, moves, [mu, kinetic, 1.0]);
            assert_found(&log, "friction-off-the-cone", &format!("{moves} of {mu}, {kinetic}"));
        }
    }
}

#[test]
fn friction_where_there_is_none_is_found() {
    for dt in STEPS {
        for moves in [0.4, 0.1, 0.02] {
            let log = slide(dt, moves, [0.0, 0.0, 1.0]);
            assert_found(&log, "cone-exceeded", &format!("{moves}"));
            assert_found(&log, "friction-off-the-cone", &format!("{moves}"));
        }
    }
}

#[test]
fn half_of_friction_for_a_part_of_a_slide_is_found() {
    for (from, to) in [(0.1, 0.3), (0.0, 0.2), (0.2, 0.27), (0.3, 0.5)] {
        let mut log = slide(1e-3, 0.4, [0.4, 0.4, 1.0]);
        for (frame, t) in log.contacts.iter_mut().flatten().zip(log.time.clone()) {
            let half = if t >= from && t < to { 0.5 } else { 1.0 };
            frame.iter_mut().for_each(|c| c.friction = c.friction.map(|f| half * f));
        }
        assert_found(&log, "friction-off-the-cone", &format!("{from} to {to} s"));
    }
}

#[test]
fn friction_off_the_slip_is_found() {
    for degrees in [10.0_f64, 30.0, 45.0, -30.0] {
        let time = times(0.5, 1e-3);
        let frames = thrown_across(&time, degrees.to_radians());
        let log = of_frames(time, 1e-3, 20.0, frames);
        assert_found(&log, "friction-off-the-slip", &format!("{degrees}"));
    }
}

#[test]
fn a_slip_that_is_not_that_of_the_motion_is_found() {
    for share in [0.0, 0.5, -1.0, 1.1] {
        let mut log = slide(1e-3, 0.4, [0.4, 0.4, 1.0]);
        let velocity = log.bodies[0].velocity.clone().expect("it has velocities");
        for (frame, v) in log.contacts.iter_mut().flatten().zip(velocity) {
            frame.iter_mut().for_each(|c| c.slip = Some(share * v));
        }
        assert_found(&log, "slip-off-motion", &format!("{share}"));
    }
    // at constant speed, and the slip is none
    let at = |t: f64| {
        let mut touch = contact(G, Vector::zeros(), 0.4);
        touch.slip = Some(Vector::zeros());
        Frame {
            x: Vector::x() * 3.0 * t,
            v: Vector::x() * 3.0,
            contacts: vec![touch],
            ..Frame::default()
        }
    };
    assert!(found(&judged(&log(0.5, 1e-3, 0.0, at)), "slip-off-motion"));
}

#[test]
fn a_recoil_is_found() {
    for (back, seconds) in [(0.067, 0.2), (0.02, 0.1), (0.2, 0.3)] {
        let stop = 2.0 / (0.4 * G);
        let end = 2.0 * stop - 0.2 * G * stop * stop;
        let at = |t: f64| {
            if t < stop {
                return thrown(t, 2.0, 0.4, 0.0);
            }
            let s = ((t - stop) / seconds).min(1.0);
            // smoothly there and at rest again
            let moved = back * s * s * (3.0 - 2.0 * s);
            let v = if s < 1.0 { -6.0 * back * s * (1.0 - s) / seconds } else { 0.0 };
            Frame {
                x: Vector::x() * (end - moved),
                v: Vector::x() * v,
                contacts: vec![contact(G, Vector::zeros(), 0.4)],
                ..Frame::default()
            }
        };
        assert_found(&log(1.2, 1e-3, 0.0, at), "recoil", &format!("{back} m"));
    }
}

#[test]
fn friction_along_the_motion_is_found() {
    for (from, share) in [(0.1, 0.03), (0.2, 0.03), (0.05, 0.1), (0.0, 1.0)] {
        let mut log = slide(1e-3, 0.4, [0.4, 0.4, 1.0]);
        for (frame, t) in log.contacts.iter_mut().flatten().zip(log.time.clone()) {
            let turned = if t >= from && t < from + share * 0.5 { -1.0 } else { 1.0 };
            frame.iter_mut().for_each(|c| c.friction = c.friction.map(|f| turned * f));
        }
        assert_found(&log, "friction-creates-energy", &format!("{share}"));
    }
}

/// No friction is reported, and the motion has less or more than μN.
#[test]
fn friction_that_the_motion_lacks_is_found() {
    for (moves, reason) in [
        (0.36, "friction-off-the-cone"),
        (0.2, "friction-off-the-cone"),
        (0.0, "friction-off-the-cone"),
        (0.44, "cone-exceeded"),
        (0.6, "cone-exceeded"),
    ] {
        let mut log = slide(1e-3, moves, [0.4, 0.4, 1.0]);
        log.contacts.iter_mut().flatten().flatten().for_each(|c| c.friction = None);
        assert_found(&log, reason, &format!("{moves}"));
        // by positions alone, with the spin that says that it does not roll
        log.bodies[0].velocity = None;
        assert!(found(&judged(&log), reason), "{moves}, by positions");
    }
}

#[test]
fn an_exceeded_cone_is_found() {
    for factor in [1.02, 1.05, std::f64::consts::SQRT_2, 2.0] {
        let log = slide(1e-3, 0.4 * factor, [0.4, 0.4, 1.0]);
        assert_found(&log, "cone-exceeded", &format!("{factor}"));
        let text = faults(&judged(&log)).join(" ");
        assert!(text.contains(&stiction_core::math::number(factor)), "{text}");
    }
}

#[test]
fn wrong_reported_forces_are_found() {
    for factor in [0.8, 0.95, 1.2] {
        let mut log = slide(1e-3, 0.4, [0.4, 0.4, factor]);
        assert_found(&log, "forces-unbalanced", &format!("friction {factor}"));
        log = slide(1e-3, 0.4, [0.4, 0.4, 1.0]);
        log.contacts.iter_mut().flatten().flatten().for_each(|c| c.normal_force *= factor);
        assert_found(&log, "forces-unbalanced", &format!("normal force {factor}"));
    }
    // it floats
    let floats =
        log(1.0, 1e-3, 0.0, |t| Frame { x: Vector::x() * t, v: Vector::x(), ..Frame::default() });
    assert_found(&floats, "forces-unbalanced", "it floats");
}

#[test]
fn a_false_sleep_is_found() {
    // the block slides for a while, then stands though the slope is too steep for it
    for (degrees, mu) in [(26.565_f64, 0.49), (30.0, 0.3), (20.0, 0.1)] {
        let at = |t: f64| {
            let (s, c) = turn(degrees.to_radians());
            let a = G * (s - mu * c);
            let u = t.min(0.5);
            let (v, reported) = if t < 0.5 { (a * u, mu * G * c) } else { (0.0, G * s) };
            let touch = contact(G * c, Vector::x() * -reported, mu);
            let x = Vector::x() * a * u * u / 2.0;
            Frame { x, v: Vector::x() * v, contacts: vec![touch], ..Frame::default() }
        };
        let log = log(2.0, 1e-2, degrees, at);
        assert!(found(&judged(&log), "false-sleep"), "{degrees}: {:?}", judged(&log));
    }
    // on a slope that it can bear it may sleep
    let said = judged(&log(2.0, 1e-2, 20.0, |t| thrown(t, 1.0, 0.49, 20.0)));
    assert!(!found(&said, "false-sleep"), "{said:?}");
}

#[test]
fn chatter_and_ringing_are_found() {
    let alternating = |mean: f64, amplitude: f64| {
        move |t: f64| {
            let sign = if (t / 1e-3).round() as i64 % 2 == 0 { 1.0 } else { -1.0 };
            let mut frame = creeps(t, mean + sign * amplitude, mean);
            frame.contacts[0].friction = Some(
                frame.contacts[0].friction.unwrap_or_default()
                    + Vector::x() * sign * 2e3 * amplitude,
            );
            frame
        }
    };
    for (mean, amplitude, reason) in [
        (1e-5, 1e-3, "chatter"),
        (0.0, 1e-2, "chatter"),
        (5e-3, 1e-3, "ringing"),
        (2e-2, 1e-3, "ringing"),
    ] {
        let log = log(2.0, 1e-3, 15.0, alternating(mean, amplitude));
        assert_found(&log, reason, &format!("{mean}, {amplitude}"));
    }
}

/// A ball that comes back faster than it fell.
#[test]
fn made_energy_is_found() {
    for factor in [1.02, 1.1, 1.5] {
        let at = |t: f64| {
            let fall = (2.0 / G).sqrt();
            let (z, v) = match t < fall {
                true => (1.0 - G * t * t / 2.0, -G * t),
                false => {
                    let (s, v) = (t - fall, factor * G * fall);
                    (v * s - G * s * s / 2.0, v - G * s)
                }
            };
            Frame { x: Vector::z() * z, v: Vector::z() * v, ..Frame::default() }
        };
        assert_found(&log(1.0, 1e-3, 0.0, at), "energy-made", &format!("{factor}"));
    }
    // with the torque of its thruster left out
    let mut own = log(1.0, 1e-3, 0.0, super::motions::thrust_off_centre);
    own.bodies[0].applied_torque = None;
    assert_found(&own, "energy-made", "a torque is missing");
}

#[test]
fn motion_that_positions_contradict_is_found() {
    for share in [0.652, 0.95, 1.3] {
        let spurious = log(2.0, 1e-3, 15.0, |t| creeps(t, 1e-3, share * 1e-3));
        assert_found(&spurious, "spurious-steady-state", &format!("{share}"));
        let mut slides = slide(1e-3, 0.4, [0.4, 0.4, 1.0]);
        slides.bodies[0].position.iter_mut().for_each(|x| *x *= share);
        assert_found(&slides, "displacement-off-velocity", &format!("{share}"));
    }
}

#[test]
fn creep_off_the_closed_form_is_found() {
    for law in [5e-4, 1e-3, 0.0] {
        let given = JudgeOptions { law: Some((law, "a law".into())), ..JudgeOptions::default() };
        let said = judge(&log(2.0, 1e-3, 15.0, |t| creeps(t, 6.618e-4, 6.618e-4)), &given);
        assert!(found(&said, "creep-off-the-law"), "{law}: {said:?}");
    }
}

/// More creep than a user allows; what stays below it is clear.
#[test]
fn creep_above_a_limit_is_found() {
    for (limit, above) in [(1e-5, true), (6e-4, true), (7e-4, false), (1e-2, false)] {
        let given = JudgeOptions { creep: Some(limit), ..JudgeOptions::default() };
        let said = judge(&log(2.0, 1e-3, 15.0, |t| creeps(t, 6.618e-4, 6.618e-4)), &given);
        assert_eq!(found(&said, "creep-above-limit"), above, "{limit}: {said:?}");
    }
    // a limit that is kept hides no creep off the law
    let law = Some((5e-4, "a law".into()));
    let given = JudgeOptions { creep: Some(1.0), law, ..JudgeOptions::default() };
    let said = judge(&log(2.0, 1e-3, 15.0, |t| creeps(t, 6.618e-4, 6.618e-4)), &given);
    assert!(found(&said, "creep-off-the-law"), "{said:?}");
    // noise of 1 µm hides creep of 1 nm/s
    let given = JudgeOptions { creep: Some(1e-9), ..JudgeOptions::default() };
    let still = noisy(log(2.0, 1e-3, 15.0, |t| thrown(t + 10.0, 1e-9, 0.5, 15.0)), 1);
    let said = judge(&still, &given);
    let answer = super::answers(&said, "creep");
    assert!(answer[0].0 == "not judged" && answer[0].1.contains("hides"), "{answer:?}");
}

#[test]
fn units_that_do_not_fit_are_hinted_at() {
    let base = || log(1.4, 1e-3, 0.0, bouncing);
    let hint = |log: &Log| {
        let said = judged(log);
        let answer = super::answers(&said, "units")[0];
        assert_eq!(answer.0, "found", "{answer:?}");
        answer.1.to_string()
    };
    let mut mm = base();
    mm.bodies[0].position.iter_mut().for_each(|x| *x *= 1000.0);
    assert!(hint(&mm).contains("1000"));
    let mut gravity = base();
    gravity.gravity = gravity.gravity.map(|g| 1000.0 * g);
    assert!(hint(&gravity).contains("millimetres"));
    let mut turns =
        log(1.0, 1e-3, 0.0, |t| Frame { w: Vector::z() * 60.0, ..thrown(t, 0.0, 0.4, 0.0) });
    let quarter = |t: f64| {
        let (s, c) = turn(0.5 * t * 60.0_f64.to_radians());
        [c, 0.0, 0.0, s]
    };
    turns.bodies[0].orientation = Some(turns.time.iter().map(|t| quarter(*t)).collect());
    assert!(hint(&turns).contains("degrees"));
    let mut grams = slide(1e-3, 0.4, [0.4, 0.4, 1.0]);
    grams.bodies[0].mass *= 1000.0;
    assert!(hint(&grams).contains("1000"));
}

/// A block at rest that jumps by 1 mm every 50 frames, while its velocity is none.
#[test]
fn jumps_are_found_and_are_no_hold() {
    for (jump, every) in [(1e-3, 50.0), (1e-3, 100.0), (1e-5, 50.0), (0.05, 1000.0)] {
        let at = |t: f64| {
            let x = Vector::x() * (jump * (t / 1e-3 / every).floor());
            Frame {
                x,
                contacts: vec![contact(G, Vector::x() * -1.0, 0.5)],
                applied: Vector::x(),
                ..Frame::default()
            }
        };
        let log = log(2.0, 1e-3, 0.0, at);
        assert!(found(&judged(&log), "displacement-off-velocity"), "{jump}: {:?}", judged(&log));
        let given = JudgeOptions { creep: Some(1e-5), ..JudgeOptions::default() };
        assert!(found(&judge(&log, &given), "creep-above-limit"), "{jump}, {every}");
    }
}

/// Friction that nobody reports turns a block out of its line.
#[test]
fn friction_off_the_slip_shows_in_the_motion() {
    let time = times(0.5, 1e-3);
    let mut log = of_frames(time.clone(), 1e-3, 20.0, thrown_across(&time, 0.5));
    log.contacts.iter_mut().flatten().flatten().for_each(|c| c.friction = None);
    assert!(found(&judged(&log), "friction-off-the-slip"), "{:?}", judged(&log));
}

/// Contacts that pull, and spins that are not those of the turns.
#[test]
fn signs_and_frames_are_hinted_at() {
    let pulls = |t: f64| Frame {
        contacts: vec![contact(-1.0, Vector::zeros(), 0.5)],
        ..thrown(t, 0.0, 0.5, 0.0)
    };
    let said = judged(&log(1.0, 1e-3, 0.0, pulls));
    let texts: Vec<_> = super::answers(&said, "friction cone");
    assert!(texts.iter().any(|(_, text)| text.contains("pull")), "{texts:?}");
    let mut turns =
        log(1.0, 1e-3, 0.0, |t| Frame { w: Vector::z() * -3.0, ..thrown(t, 0.0, 0.4, 0.0) });
    let half = |t: f64| turn(1.5 * t);
    turns.bodies[0].orientation =
        Some(turns.time.iter().map(|t| [half(*t).1, 0.0, 0.0, half(*t).0]).collect());
    let said = judged(&turns);
    let (word, text) = super::answers(&said, "units")[0];
    assert!(word == "found" && text.contains("w, x, y, z"), "{word} {text}");
}
