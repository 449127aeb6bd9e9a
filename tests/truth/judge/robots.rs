//! Logs of several bodies: fingers on sliders, a brick between them, a block that pushes another one.

use super::{G, Vector, answers, contact, faults, found, judged, noisy, times};
use stiction_core::math;
use stiction_engines::judge::log::{Body, Contact, Log};
use stiction_engines::judge::{JudgeOptions, judge};

/// A body of a mass \[kg\] at places \[m\], with velocities \[m/s\], that does not turn.
fn body(name: &str, mass: f64, x: Vec<Vector>, v: Vec<Vector>) -> Body {
    Body {
        name: name.into(),
        mass,
        spin: Some(vec![Vector::zeros(); x.len()]),
        orientation: Some(vec![[1.0, 0.0, 0.0, 0.0]; x.len()]),
        inertia: Some(Vector::repeat(1e-3)),
        velocity: Some(v),
        position: x,
        ..Body::default()
    }
}

/// Height and velocity of a lift: smoothly up by .1 m within 1 s, then at rest.
fn lift(t: f64) -> (f64, f64, f64) {
    if t >= 1.0 {
        return (0.1, 0.0, 0.0);
    }
    let w = std::f64::consts::TAU;
    let (s, c) = (math::sin(w * t), math::cos(w * t));
    (0.1 * (t - s / w), 0.1 * (1.0 - c), 0.1 * w * s)
}

/// A brick of .3 kg between two fingers of .1 kg that press with 16 N and lift it; it sinks at `sinks` m/s between
/// them. Fingers are held by joints, whose reactions are reported if `reactions`. Contacts are those of the brick
/// alone, or of all bodies if `both`.
fn grasp(dt: f64, sinks: f64, reactions: bool, both: bool) -> Log {
    let (mass, finger, press) = (0.3, 0.1, 16.0);
    let time = times(2.0, dt);
    let at = |t: &f64| lift(*t);
    let column = |of: &dyn Fn(f64) -> Vector| time.iter().map(|t| of(*t)).collect::<Vec<_>>();
    let height = |t: f64| at(&t).0;
    let brick = body(
        "brick",
        mass,
        column(&|t| Vector::z() * (height(t) - sinks * t)),
        column(&|t| Vector::z() * (at(&t).1 - sinks)),
    );
    let load = |t: f64| mass * (G + at(&t).2);
    let finger = |side: f64| {
        let mut finger = body(
            if side < 0.0 { "left" } else { "right" },
            finger,
            column(&|t| Vector::new(0.05 * side, 0.0, height(t))),
            column(&|t| Vector::z() * at(&t).1),
        );
        // what is left of its momentum: the push of the drive and the joint
        let reaction = |t: f64| {
            Vector::x() * (-side * press) + Vector::z() * (0.1 * (G + at(&t).2) + 0.5 * load(t))
        };
        if reactions {
            finger.reaction = Some(column(&reaction));
        } else {
            finger.applied = Some(column(&|_| Vector::x() * (-side * press)));
        }
        finger
    };
    let bodies = vec![brick, finger(-1.0), finger(1.0)];
    let frame = |t: &f64| -> Vec<Contact> {
        let touch = |other: usize, side: f64| Contact {
            other: Some(other),
            normal: Vector::x() * -side,
            ..contact(press, Vector::z() * (0.5 * load(*t)), 0.5)
        };
        let own = [touch(1, -1.0), touch(2, 1.0)];
        let others = own.iter().filter(|_| both).map(turned);
        own.iter().copied().chain(others).collect()
    };
    Log {
        contacts: Some(time.iter().map(frame).collect()),
        bodies,
        gravity: Some(Vector::z() * -G),
        step: Some(dt),
        engine: "exact".into(),
        time,
        unread: Vec::new(),
    }
}

/// A contact as one of the other body.
fn turned(c: &Contact) -> Contact {
    Contact {
        body: c.other.unwrap_or(0),
        other: Some(c.body),
        normal: -c.normal,
        friction: c.friction.map(|f| -f),
        ..*c
    }
}

/// A block of 1 kg that a driven one of 2 kg pushes along the floor at constant speed.
fn pushes(dt: f64, mu: f64) -> Log {
    let time = times(1.0, dt);
    let row = |x: f64| time.iter().map(|t| Vector::x() * (x + 0.5 * t)).collect::<Vec<_>>();
    let speed = vec![Vector::x() * 0.5; time.len()];
    let mut driven = body("driven", 2.0, row(0.0), speed.clone());
    driven.applied = Some(vec![Vector::x() * (3.0 * mu * G); time.len()]);
    let pushed = body("pushed", 1.0, row(0.2), speed);
    let floor = |body: usize, mass: f64| Contact {
        body,
        ..contact(mass * G, Vector::x() * (-mu * mass * G), mu)
    };
    let between = Contact {
        body: 1,
        other: Some(0),
        normal: Vector::x(),
        ..contact(mu * G, Vector::zeros(), mu)
    };
    Log {
        contacts: Some(vec![vec![floor(0, 2.0), floor(1, 1.0), between]; time.len()]),
        bodies: vec![driven, pushed],
        gravity: Some(Vector::z() * -G),
        step: Some(dt),
        engine: "exact".into(),
        time,
        unread: Vec::new(),
    }
}

#[test]
fn good_grasps_and_pushes_are_not_accused() {
    for (dt, seed) in [(1e-3, 0), (2e-3, 1), (1.0 / 240.0, 2)] {
        for both in [false, true] {
            for sinks in [0.0, 1e-4] {
                let mut log = grasp(dt, sinks, true, both);
                // an engine may name the two bodies of a contact in turns
                for frame in log.contacts.iter_mut().flatten().skip(1).step_by(2).filter(|_| !both)
                {
                    frame.iter_mut().for_each(|c| *c = turned(c));
                }
                for log in [log.clone(), noisy(log, seed)] {
                    let said = judged(&log);
                    assert!(faults(&said).is_empty(), "{dt}, {both}: {:#?}", faults(&said));
                }
            }
        }
        for mu in [0.2, 0.5] {
            let log = pushes(dt, mu);
            for log in [log.clone(), noisy(log, seed)] {
                let said = judged(&log);
                assert!(faults(&said).is_empty(), "{dt}, {mu}: {:#?}", faults(&said));
            }
        }
    }
}

/// Without the reactions of joints fingers are not in balance, and the sentence says why that may be.
#[test]
fn missing_reactions_of_joints_are_named() {
    let said = judged(&grasp(1e-3, 0.0, false, true));
    let unbalanced: Vec<String> = faults(&said);
    assert_eq!(unbalanced.len(), 2, "{unbalanced:#?}");
    for text in unbalanced {
        assert!(text.contains("no reactions of joints are reported"), "{text}");
    }
}

/// A brick that sinks in a grip creeps, though the normals of its fingers cancel, and though the fingers move.
#[test]
fn a_brick_that_sinks_in_a_grip_is_found() {
    for sinks in [4.5e-3, 1e-3, 2e-5] {
        for both in [false, true] {
            let log = grasp(1e-3, sinks, true, both);
            let said = judged(&log);
            let (word, text) = answers(&said, "creep")[0];
            assert_eq!(word, "found", "{text}");
            let speed: f64 = text["creeps at ".len()..].split(' ').next().unwrap().parse().unwrap();
            assert!((speed / sinks - 1.0).abs() < 0.01, "{sinks}: {text}");
            let limit = |creep: f64| JudgeOptions { creep: Some(creep), ..JudgeOptions::default() };
            assert!(found(&judge(&log, &limit(1e-5)), "creep-above-limit"), "{sinks}");
            assert!(!found(&judge(&log, &limit(1e-2)), "creep-above-limit"), "{sinks}");
        }
    }
}

/// Action and reaction of a grasp whose log has both: clear, a fault by 5 %, and not judged of one side alone.
#[test]
fn action_is_reaction() {
    let word = |log: &Log| answers(&judged(log), "action and reaction")[0].0;
    let words = [unequal_grasp(1.0), unequal_grasp(1.05), grasp(1e-3, 0.0, true, false)];
    assert_eq!(words.map(|log| word(&log)), ["clear", "fault", "not judged"]);
}

/// A grasp whose fingers report `factor` times the normal force that the brick does.
pub(super) fn unequal_grasp(factor: f64) -> Log {
    let mut log = grasp(1e-3, 0.0, true, true);
    for touch in log.contacts.iter_mut().flatten().flatten().filter(|touch| touch.body > 0) {
        touch.normal_force *= factor;
    }
    log
}
