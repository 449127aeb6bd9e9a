//! Checks of the judge at logs so small that their numbers follow by hand.

use super::{Frame, G, Vector, contact, faults, found, log};
use stiction_engines::judge::{Evidence, JudgeOptions, judge};

/// The number of a frame.
fn count(t: f64, dt: f64) -> f64 {
    (t / dt).round()
}

/// A body of 1 kg without contact has 2 J, then 4.5 J, then 3.125 J: 2.5 J came from nowhere at the
/// first jump, and the later loss does not make up for them.
#[test]
fn the_largest_rise_of_energy_is_told_with_its_time() {
    let dt = 0.1;
    let at = |t: f64| {
        let (before, v) = match count(t, dt) {
            k if k < 10.0 => (2.0 * k, 2.0),
            k if k < 20.0 => (20.0 + 3.0 * (k - 10.0), 3.0),
            k => (50.0 + 2.5 * (k - 20.0), 2.5),
        };
        Frame { x: Vector::x() * before * dt, v: Vector::x() * v, ..Frame::default() }
    };
    let said = judge(&log(4.0, dt, 0.0, at), &JudgeOptions::default());
    let told = faults(&said).into_iter().find(|text| text.starts_with("energy-made:"));
    let told = told.unwrap_or_else(|| panic!("{said:?}"));
    assert!(told.contains("2.5 J were made until t = 1 s, 55.56 %"), "{told}");
}

/// m a = contact + m g + applied, whenever the log begins.
#[test]
fn the_force_that_contacts_must_give_follows_from_the_motion() {
    let acceleration = Vector::new(0.3, -0.2, 0.0);
    let applied = Vector::new(1.0, 0.0, -2.0);
    let at = |t: f64| Frame {
        x: acceleration * (0.5 * t * t) + Vector::y() * (0.7 * t),
        v: acceleration * t + Vector::y() * 0.7,
        applied,
        ..Frame::default()
    };
    for start in [0.0, 5.0, -3.0] {
        let mut log = log(4.0, 0.1, 0.0, at);
        log.time.iter_mut().for_each(|t| *t += start);
        let given = JudgeOptions::default();
        let needed = Evidence::new(&log, &given).needed(0, &(0..40)).expect("gravity is known");
        let right = acceleration - applied + Vector::z() * G;
        assert!((needed - right).norm() < 1e-9, "from {start} s on: {needed}, not {right}");
    }
}

/// A body that flew at 10 m/s comes down and slips with seven tenths of μN: at 1.2 m/s it slides,
/// and has too little friction; at .8 m/s it may creep by a law that reaches μN later.
#[test]
fn what_slips_at_more_than_a_tenth_of_the_largest_speed_slides() {
    for (speed, slides) in [(1.2, true), (0.8, false)] {
        let at = |t: f64| {
            if t < 0.1 {
                return Frame { v: Vector::x() * 10.0, ..Frame::default() };
            }
            Frame {
                v: Vector::x() * speed,
                contacts: vec![contact(G, Vector::x() * (-0.7 * 0.5 * G), 0.5)],
                ..Frame::default()
            }
        };
        let said = judge(&log(1.0, 1e-2, 0.0, at), &JudgeOptions::default());
        assert_eq!(found(&said, "friction-off-the-cone"), slides, "{speed} m/s: {said:?}");
        assert!(!found(&said, "cone-exceeded"), "{said:?}");
    }
}

/// Positions by the velocities before, after or around each step, Δx = h v with v = a t: each of
/// these rules is allowed; a displacement two hundredths beyond all of them is not.
#[test]
fn any_rule_for_the_mean_velocity_is_allowed_and_nothing_beyond() {
    let (dt, acceleration) = (0.1, 1.0);
    for (rule, of) in [
        ("before", (|k| 0.5 * k * (k - 1.0)) as fn(f64) -> f64),
        ("around", |k| 0.5 * k * k),
        ("after", |k| 0.5 * k * (k + 1.0)),
    ] {
        let moved = |share: f64| {
            let at = move |t: f64| {
                let k = count(t, dt);
                Frame {
                    x: Vector::x() * (share * acceleration * dt * dt * of(k)),
                    v: Vector::x() * (acceleration * dt * k),
                    ..Frame::default()
                }
            };
            let said = judge(&log(31.0 * dt, dt, 0.0, at), &JudgeOptions::default());
            found(&said, "displacement-off-velocity") || found(&said, "spurious-steady-state")
        };
        assert!(!moved(1.0), "velocities {rule} the step");
        if rule == "after" {
            assert!(moved(1.02), "more way than the fastest velocities make");
        }
        if rule == "before" {
            assert!(moved(0.98), "less way than the slowest velocities make");
        }
    }
}
