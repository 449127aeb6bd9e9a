//! `stiction judge`: exact solutions with noise are never accused, what is wrong is found, and what was not compared
//! is not called clear.

mod answers;
mod bad;
mod by_hand;
mod good;
mod lasting;
mod motions;
mod robots;
mod turning;

use stiction_core::math;
use stiction_core::nalgebra::UnitQuaternion;
use stiction_engines::judge::log::{Body, Contact, Log};
use stiction_engines::judge::{Finding, JudgeOptions, judge};

pub(super) type Vector = stiction_core::Vector;

pub(super) const G: f64 = 9.81;

/// Sine and cosine.
pub(super) fn turn(angle: f64) -> (f64, f64) {
    (math::sin(angle), math::cos(angle))
}

/// The state of a single body at one time, with its contacts.
#[derive(Clone, Default)]
pub(super) struct Frame {
    pub(super) x: Vector,
    pub(super) v: Vector,
    pub(super) w: Vector,
    pub(super) applied: Vector,
    pub(super) torque: Vector,
    pub(super) contacts: Vec<Contact>,
}

pub(super) fn contact(normal_force: f64, friction: Vector, mu: f64) -> Contact {
    Contact {
        body: 0,
        other: None,
        normal: Vector::z(),
        normal_force,
        friction: Some(friction),
        static_friction: Some(mu),
        kinetic_friction: None,
        slip: None,
        point: None,
        torque: None,
        mirrored: false,
    }
}

/// A log of frames; gravity leans by an angle towards +x.
pub(super) fn log(seconds: f64, dt: f64, slope: f64, at: impl Fn(f64) -> Frame) -> Log {
    let time = times(seconds, dt);
    let frames: Vec<Frame> = time.iter().map(|t| at(*t)).collect();
    of_frames(time, dt, slope, frames)
}

pub(super) fn times(seconds: f64, dt: f64) -> Vec<f64> {
    let count = (seconds / dt).round() as usize;
    (0..=count).map(|k| k as f64 * dt).collect()
}

/// A log of a body of 1 kg with I = .004 kg m² about all axes.
pub(super) fn of_frames(time: Vec<f64>, dt: f64, slope: f64, frames: Vec<Frame>) -> Log {
    let column = |of: fn(&Frame) -> Vector| frames.iter().map(of).collect::<Vec<_>>();
    let body = Body {
        name: "body".into(),
        mass: 1.0,
        position: column(|f| f.x),
        velocity: Some(column(|f| f.v)),
        spin: Some(column(|f| f.w)),
        orientation: Some(turned(&time, &frames)),
        inertia: Some(Vector::repeat(0.4 * 0.01)),
        applied: Some(column(|f| f.applied)),
        applied_torque: Some(column(|f| f.torque)),
        ..Body::default()
    };
    let angle = slope.to_radians();
    Log {
        time,
        bodies: vec![body],
        contacts: Some(frames.into_iter().map(|f| f.contacts).collect()),
        gravity: Some(G * Vector::new(math::sin(angle), 0.0, -math::cos(angle))),
        step: Some(dt),
        engine: "exact".into(),
        unread: Vec::new(),
    }
}

/// Orientations by the spins of frames, from none on.
fn turned(time: &[f64], frames: &[Frame]) -> Vec<[f64; 4]> {
    let mut turn = UnitQuaternion::identity();
    let mut next = |k: usize| {
        if k > 0 {
            let spin = 0.5 * (frames[k - 1].w + frames[k].w);
            turn = UnitQuaternion::from_scaled_axis(spin * (time[k] - time[k - 1])) * turn;
        }
        [turn.w, turn.i, turn.j, turn.k]
    };
    (0..time.len()).map(&mut next).collect()
}

/// Noise between −1e-6 and 1e-6 on every number.
pub(super) fn noisy(log: Log, seed: u64) -> Log {
    blurred(log, seed, 1e-6)
}

/// Noise of a size on places and velocities, and of 1e-6 N and 1e-6 m/s on contacts, from a linear congruence.
pub(super) fn blurred(mut log: Log, seed: u64, size: f64) -> Log {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut draw = |size: f64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        size * (2.0 * ((state >> 11) as f64 / (1u64 << 53) as f64) - 1.0)
    };
    let body = &mut log.bodies[0];
    let mut blur = |v: &mut Vector, size: f64| v.iter_mut().for_each(|x| *x += draw(size));
    body.position.iter_mut().for_each(|x| blur(x, size));
    for column in [&mut body.velocity, &mut body.spin].into_iter().flatten() {
        column.iter_mut().for_each(|v| blur(v, size));
    }
    for contact in log.contacts.iter_mut().flatten().flatten() {
        contact.friction.iter_mut().for_each(|f| blur(f, 1e-6));
        contact.slip.iter_mut().for_each(|v| blur(v, 1e-6));
        let mut force = Vector::new(contact.normal_force, 0.0, 0.0);
        blur(&mut force, 1e-6);
        contact.normal_force = force.x;
    }
    log
}

/// The faults of a judgement, with their texts.
pub(super) fn faults(said: &[Finding]) -> Vec<String> {
    let fault = |one: &Finding| {
        one.outcome.fault().map(|kind| format!("{}: {}", kind.name, one.outcome.text()))
    };
    said.iter().filter_map(fault).collect()
}

pub(super) fn found(said: &[Finding], reason: &str) -> bool {
    faults(said).iter().any(|fault| fault.starts_with(&format!("{reason}:")))
}

/// The answers of a check: word and text.
pub(super) fn answers<'a>(said: &'a [Finding], check: &str) -> Vec<(&'static str, &'a str)> {
    let of = said.iter().filter(|one| one.check == check);
    of.map(|one| (one.outcome.word(), one.outcome.text())).collect()
}

/// The judgement of a log without further facts.
pub(super) fn judged(log: &Log) -> Vec<Finding> {
    log.check().expect("the log makes sense");
    judge(log, &JudgeOptions::default())
}
