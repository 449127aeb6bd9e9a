//! Every check answers *clear* with what was compared, a fault, or *not judged* with what is missing.

use super::lasting::{bounces, lapses};
use super::motions::{bouncing, creeps, slip_to_roll, thrown};
use super::robots::unequal_grasp;
use super::{Frame, Vector, answers, contact, faults, judged, log, noisy};
use std::collections::BTreeMap;
use stiction_engines::judge::document::verdict;
use stiction_engines::judge::log::Log;
use stiction_engines::judge::{CHECKS, JudgeOptions, Outcome, judge};

/// A block that slides at .4 N; it reports μ, and `slip` times its velocity.
fn slides(mu: f64, slip: f64) -> Log {
    let mut log = log(0.5, 1e-3, 0.0, |t| thrown(t, 3.0, 0.4, 0.0));
    let velocity = log.bodies[0].velocity.clone().unwrap_or_default();
    for (frame, v) in log.contacts.iter_mut().flatten().zip(velocity) {
        for touch in frame {
            (touch.static_friction, touch.slip) = (Some(mu), Some(slip * v));
        }
    }
    log
}

/// A block that moves back after its stop.
fn recoils() -> Log {
    let stop = 2.0 / (0.4 * super::G);
    log(1.2, 1e-3, 0.0, |t| {
        let mut frame = thrown(t, 2.0, 0.4, 0.0);
        frame.x -= Vector::x() * 0.1 * (t - stop).clamp(0.0, 1.0);
        frame
    })
}

/// A block that is motionless though its slope is too steep.
fn sleeps() -> Log {
    log(2.0, 1e-2, 30.0, |t| {
        let mut frame = thrown(t.min(0.2), 1.0, 0.1, 30.0);
        if t > 0.2 {
            frame.v = Vector::zeros();
        }
        frame
    })
}

/// Logs good and bad, in which each check is clear, finds something and cannot judge.
fn of_all_kinds() -> Vec<Log> {
    let mut turned = slides(0.4, 1.0);
    for (k, touch) in turned.contacts.iter_mut().flatten().flatten().enumerate() {
        let along = if k % 3 == 0 { Vector::x() } else { Vector::y() } * 0.4 * super::G;
        touch.friction = Some(along);
    }
    let mut millimetres = turned.clone();
    millimetres.bodies[0].velocity.iter_mut().flatten().for_each(|v| *v *= 1000.0);
    let mut made = log(1.4, 1e-3, 0.0, |t| Frame { v: Vector::z() * t, ..Frame::default() });
    made.gravity = Some(Vector::zeros());
    let sign = |t: f64| if (t / 1e-3).round() as i64 % 2 == 0 { 1e-3 } else { -1e-3 };
    let mut bare = log(1.0, 1e-2, 0.0, |t| thrown(t, 2.0, 0.4, 0.0));
    (bare.contacts, bare.gravity, bare.bodies[0].velocity) = (None, None, None);
    let mut spun = log(1.0, 1e-3, 0.0, slip_to_roll);
    spun.bodies[0].spin.iter_mut().flatten().for_each(|spin| *spin *= 1.3);
    vec![
        log(1.0, 1e-3, 0.0, slip_to_roll),
        spun,
        log(1.0, 1e-3, 0.0, |t| Frame {
            x: Vector::z() * -t,
            v: Vector::z() * -1.0,
            contacts: vec![contact(super::G, Vector::zeros(), 0.5)],
            ..Frame::default()
        }),
        unequal_grasp(1.0),
        unequal_grasp(1.05),
        bounces(1.1),
        bounces(0.9),
        lapses(0.0, 20, true),
        slides(0.4, 1.0),
        slides(0.3, 0.5),
        turned,
        millimetres,
        log(2.0, 1e-3, 15.0, |t| creeps(t, 6e-4, 6e-4)),
        log(2.0, 1e-3, 15.0, |t| thrown(t + 10.0, 1e-9, 0.5, 15.0)),
        log(1.0, 1e-3, 0.0, |t| thrown(t, 2.0, 0.4, 0.0)),
        log(1.4, 1e-3, 0.0, bouncing),
        made,
        log(2.0, 1e-3, 15.0, |t| creeps(t, sign(t), 0.0)),
        recoils(),
        sleeps(),
        bare,
        log(0.005, 1e-3, 0.0, |t| thrown(t, 2.0, 0.4, 0.0)),
    ]
}

#[test]
fn all_checks_answer_in_three_words() {
    let mut words: BTreeMap<&str, BTreeMap<&str, String>> = BTreeMap::new();
    for log in of_all_kinds() {
        let said = judge(&log, &JudgeOptions::default());
        for check in CHECKS {
            let all = answers(&said, check.name);
            assert!(!all.is_empty(), "{} says nothing", check.name);
            for (word, text) in all {
                assert!(text.len() > 8, "{}: {text}", check.name);
                let word = if word == "fault" { "found" } else { word };
                words.entry(check.name).or_default().insert(word, text.to_string());
            }
        }
    }
    for check in CHECKS {
        let seen: Vec<&str> = words[check.name].keys().copied().collect();
        let of = &words[check.name];
        assert_eq!(seen, ["clear", "found", "not judged"], "{}: {of:#?}", check.name);
    }
}

#[test]
fn creep_is_reported_with_whose_it_is() {
    let said = judged(&noisy(log(2.0, 1e-3, 15.0, |t| creeps(t, 6.618e-4, 6.618e-4)), 1));
    let text = answers(&said, "creep")[0].1;
    let speed = |after: &str| -> f64 {
        let rest = &text[text.find(after).expect("it says so") + after.len()..];
        rest.split(' ').next().and_then(|x| x.parse().ok()).expect("a number")
    };
    assert!((speed("creeps at ") / 6.618e-4 - 1.0).abs() < 0.005, "{text}");
    assert!((speed("hold: ") / 6.618e-4 - 1.0).abs() < 0.005 && text.contains("53.59 %"), "{text}");
}

/// Without contacts, gravity and velocities nothing about friction is judged, and neither is the log.
#[test]
fn what_lacks_is_not_judged() {
    let mut bare = log(1.0, 1e-2, 0.0, |t| thrown(t, 2.0, 0.4, 0.0));
    (bare.contacts, bare.gravity, bare.bodies[0].velocity) = (None, None, None);
    let said = judged(&bare);
    assert!(faults(&said).is_empty());
    assert_eq!(verdict(&said), "not judged", "{said:?}");
    let judged = said.iter().filter(|one| one.outcome.is_judged()).map(|one| one.check);
    let judged: Vec<&str> = judged.collect();
    assert!(judged.iter().all(|name| ["sleep", "units"].contains(name)), "{said:?}");
}

/// No check that could not look at spin is clear; each says so.
#[test]
fn checks_that_need_spin_say_so() {
    let mut log = log(1.0, 1e-3, 0.0, |t| thrown(t, 3.0, 0.4, 0.0));
    (log.bodies[0].spin, log.bodies[0].orientation) = (None, None);
    let said = judged(&log);
    for check in ["sliding friction", "direction of friction", "work of friction", "recoil"] {
        let (word, text) = answers(&said, check)[0];
        assert!(word == "not judged" && text.contains("spin"), "{check}: {word} {text}");
    }
}

/// Positions alone on a slope that is given: creep, momentum and sleep are judged, in the frame of the plane and in
/// that of gravity.
#[test]
fn positions_alone_on_a_slope_give_creep() {
    let (s, c) = super::turn(15.0_f64.to_radians());
    for downhill in [Vector::x(), Vector::y(), Vector::new(c, 0.0, -s)] {
        let mut log =
            log(4.0, 1e-2, 0.0, |t| Frame { x: downhill * (9.49e-4 * t), ..Frame::default() });
        (log.contacts, log.gravity) = (None, None);
        let body = &mut log.bodies[0];
        (body.velocity, body.spin, body.orientation, body.applied) = (None, None, None, None);
        let slope = Some(15.0_f64.to_radians());
        let friction = Some(0.5);
        let given = JudgeOptions { slope, friction, ..JudgeOptions::default() };
        let said = judge(&log, &given);
        let (word, text) = answers(&said, "creep")[0];
        assert!(word == "found" && text.contains("9.49e-4 m/s under 53.59 %"), "{word} {text}");
        let said = judge(&log, &JudgeOptions { creep: Some(1e-5), ..given });
        assert!(super::found(&said, "creep-above-limit"), "{said:?}");
    }
}

/// A log with fewer frames than a window is not called clear.
#[test]
fn few_frames_are_not_judged() {
    let said = judged(&log(0.02, 1e-3, 0.0, |t| Frame {
        contacts: vec![contact(super::G, Vector::zeros(), 0.5)],
        ..thrown(t, 0.0, 0.5, 0.0)
    }));
    for check in ["force balance", "displacement", "creep", "friction by momentum"] {
        let outcome = &said.iter().find(|one| one.check == check).expect("it answers").outcome;
        assert!(
            matches!(outcome, Outcome::NotJudged(text) if text.contains("frames")),
            "{check}: {outcome:?}"
        );
    }
}

/// Energy that goes from spin, ½ I ω², to flight, ½ m v², and back is not made; with half the inertia the
/// flight would be.
#[test]
fn energy_that_goes_between_spin_and_flight_is_not_made() {
    const INERTIA: f64 = 0.4 * 0.01;
    // 8 J in all, a share of it in the flight
    fn at(t: f64, share: f64) -> Frame {
        let (flight, spin) = (8.0 * share, 8.0 * (1.0 - share));
        Frame {
            x: Vector::x() * (4.0 * t),
            v: Vector::x() * (2.0 * flight).sqrt(),
            w: Vector::y() * (2.0 * spin / INERTIA).sqrt(),
            ..Frame::default()
        }
    }
    let made = |share: fn(f64) -> f64, inertia: f64| {
        let mut own = log(1.0, 1e-3, 0.0, |t| at(t, share(t)));
        own.gravity = Some(Vector::zeros());
        own.bodies[0].inertia = Some(Vector::repeat(inertia));
        super::found(&judged(&own), "energy-made")
    };
    for share in [|t: f64| t, |t: f64| 1.0 - t] {
        assert!(!made(share, INERTIA));
    }
    assert!(made(|t| t, 0.5 * INERTIA));
    assert!(made(|t| 1.0 - t, 1.5 * INERTIA));
}

/// Creep before and after a push by 1 m is that of the windows in which friction could hold, and all the law's.
#[test]
fn creep_leaves_out_what_is_between_its_windows() {
    let creep = 6.618e-4;
    let said = judged(&log(4.0, 1e-3, 15.0, |t| {
        // 1 m within .2 s, at rest before and after
        let s = ((t - 1.9) / 0.2).clamp(0.0, 1.0);
        let mut frame = creeps(t, creep + 30.0 * s * (1.0 - s), creep);
        frame.x += Vector::x() * (s * s * (3.0 - 2.0 * s));
        let pushed = Vector::x() * if s > 0.0 && s < 1.0 { 150.0 * (1.0 - 2.0 * s) } else { 0.0 };
        frame.applied = pushed;
        frame
    }));
    let (word, text) = answers(&said, "creep")[0];
    assert!(word == "found" && text.starts_with("creeps at 6.618e-4 m/s"), "{word} {text}");
}
