//! `stiction judge`: exact solutions with noise are never accused, and what is wrong is found.

use stiction_core::math;
use stiction_engines::judge::log::{Body, Contact, Log};
use stiction_engines::judge::{Finding, JudgeOptions, Outcome, judge};

pub(super) type Vector = stiction_core::Vector;

pub(super) const G: f64 = 9.81;

/// Sine and cosine.
fn turn(angle: f64) -> (f64, f64) {
    (math::sin(angle), math::cos(angle))
}

/// The state of a single body at one time, with its contacts.
#[derive(Clone, Default)]
pub(super) struct Frame {
    pub(super) x: Vector,
    pub(super) v: Vector,
    pub(super) w: Vector,
    pub(super) applied: Vector,
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
    }
}

/// A log of frames; gravity leans by an angle towards +x.
pub(super) fn log(seconds: f64, dt: f64, slope: f64, at: impl Fn(f64) -> Frame) -> Log {
    let count = (seconds / dt).round() as usize;
    let time: Vec<f64> = (0..=count).map(|k| k as f64 * dt).collect();
    let frames: Vec<Frame> = time.iter().map(|t| at(*t)).collect();
    let column = |of: fn(&Frame) -> Vector| frames.iter().map(of).collect::<Vec<_>>();
    let body = Body {
        name: "body".into(),
        mass: 1.0,
        position: column(|f| f.x),
        velocity: Some(column(|f| f.v)),
        spin: Some(column(|f| f.w)),
        orientation: Some(vec![[1.0, 0.0, 0.0, 0.0]; time.len()]),
        inertia: Some(Vector::repeat(0.4 * 0.01)),
        applied: Some(column(|f| f.applied)),
    };
    let angle = slope.to_radians();
    Log {
        time,
        bodies: vec![body],
        contacts: Some(frames.into_iter().map(|f| f.contacts).collect()),
        gravity: Some(G * Vector::new(math::sin(angle), 0.0, -math::cos(angle))),
        step: Some(dt),
        engine: "exact".into(),
    }
}

/// Noise between −1e-6 and 1e-6 on every number, from a linear congruence.
fn noisy(mut log: Log, seed: u64) -> Log {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut draw = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        2e-6 * ((state >> 11) as f64 / (1u64 << 53) as f64) - 1e-6
    };
    let body = &mut log.bodies[0];
    let mut blur = |v: &mut Vector| v.iter_mut().for_each(|x| *x += draw());
    body.position.iter_mut().for_each(&mut blur);
    for column in [&mut body.velocity, &mut body.spin].into_iter().flatten() {
        column.iter_mut().for_each(&mut blur);
    }
    for contact in log.contacts.iter_mut().flatten().flatten() {
        contact.friction.iter_mut().for_each(&mut blur);
        contact.slip.iter_mut().for_each(&mut blur);
        let mut force = Vector::new(contact.normal_force, 0.0, 0.0);
        blur(&mut force);
        contact.normal_force = force.x;
    }
    log
}

/// A block thrown at `v` that friction stops; `slope` in degrees, uphill is −x.
fn thrown(t: f64, v: f64, mu: f64, slope: f64) -> Frame {
    let (s, c) = turn(slope.to_radians());
    let a = -v.signum() * mu * G * c + G * s;
    let stop = -v / a;
    let n = G * c;
    if t < stop {
        let friction = Vector::x() * (-v.signum() * mu * n);
        let (x, speed) = (v * t + a * t * t / 2.0, v + a * t);
        return Frame {
            x: Vector::x() * x,
            v: Vector::x() * speed,
            contacts: vec![contact(n, friction, mu)],
            ..Frame::default()
        };
    }
    let x = v * stop + a * stop * stop / 2.0;
    Frame {
        x: Vector::x() * x,
        contacts: vec![contact(n, Vector::x() * -G * s, mu)],
        ..Frame::default()
    }
}

/// A ball that bounces with e = .5 from 1 m; impacts lie between the frames.
fn bouncing(t: f64) -> Frame {
    let (mut begin, mut speed) = (0.0, 0.0);
    let mut height = 1.0;
    let mut flight = (2.0 * height / G).sqrt();
    let mut falls = true;
    while t > begin + flight && speed != -1.0 {
        let arrival = if falls { G * flight } else { speed };
        begin += flight;
        speed = 0.5 * arrival;
        height = 0.0;
        falls = false;
        flight = 2.0 * speed / G;
        if speed < 1e-3 {
            return Frame { contacts: vec![contact(G, Vector::zeros(), 0.5)], ..Frame::default() };
        }
    }
    let s = t - begin;
    let (z, v) = (height + speed * s - G * s * s / 2.0, speed - G * s);
    Frame { x: Vector::z() * z, v: Vector::z() * v, ..Frame::default() }
}

/// A ball of radius .1 thrown without spin.
fn slip_to_roll(t: f64) -> Frame {
    let (v0, mu, r) = (1.0, 0.2, 0.1);
    let rolls = 2.0 * v0 / (7.0 * mu * G);
    let s = t.min(rolls);
    let (v, w) = (v0 - mu * G * s, 2.5 * mu * G * s / r);
    let x = v0 * s - mu * G * s * s / 2.0 + (t - s) * v;
    let friction = if t < rolls { -mu * G } else { 0.0 };
    let mut touch = contact(G, Vector::x() * friction, mu);
    touch.point = Some(Vector::new(x, 0.0, 0.0));
    Frame {
        x: Vector::new(x, 0.0, r),
        v: Vector::x() * v,
        w: Vector::y() * w,
        contacts: vec![touch],
        ..Frame::default()
    }
}

/// A block laid on a belt at 1 m/s; its slip is in the log.
fn belt(t: f64) -> Frame {
    let (mu, speed) = (0.5, 1.0);
    let end = speed / (mu * G);
    let s = t.min(end);
    let v = mu * G * s;
    let mut touch = contact(G, Vector::x() * if t < end { mu * G } else { 0.0 }, mu);
    touch.slip = Some(Vector::x() * (v - speed));
    let x = mu * G * s * s / 2.0 + (t - s) * v;
    Frame { x: Vector::x() * x, v: Vector::x() * v, contacts: vec![touch], ..Frame::default() }
}

/// A block on a spring of 100 N/m under Coulomb friction, from .2 m.
fn oscillator(t: f64) -> Frame {
    let (k, mu) = (100.0_f64, 0.05);
    let (rate, shift) = (k.sqrt(), mu * G / k);
    let half = std::f64::consts::PI / rate;
    let (mut amplitude, mut sign, mut begin) = (0.2, 1.0, 0.0);
    while t > begin + half {
        begin += half;
        amplitude -= 2.0 * shift;
        sign = -sign;
        if amplitude <= shift {
            let x = Vector::x() * sign * amplitude;
            let pull = -k * x;
            return Frame {
                x,
                applied: pull,
                contacts: vec![contact(G, -pull, mu)],
                ..Frame::default()
            };
        }
    }
    let (s, c) = turn(rate * (t - begin));
    let x = sign * (shift + (amplitude - shift) * c);
    let v = -sign * (amplitude - shift) * rate * s;
    let friction = Vector::x() * sign * mu * G;
    Frame {
        x: Vector::x() * x,
        v: Vector::x() * v,
        applied: Vector::x() * -k * x,
        contacts: vec![contact(G, friction, mu)],
        ..Frame::default()
    }
}

/// A block under a push of 4 N/s that breaks away at μ_s = .6 and slides at μ_k = .3.
fn breaks_away(t: f64) -> Frame {
    let start = 0.6 * G / 4.0;
    let u = (t - start).max(0.0);
    let v = 2.0 * u * u + 0.3 * G * u;
    let x = 2.0 * u * u * u / 3.0 + 0.3 * G * u * u / 2.0;
    let friction = if t < start { -4.0 * t } else { -0.3 * G };
    let mut touch = contact(G, Vector::x() * friction, 0.6);
    touch.kinetic_friction = Some(0.3);
    Frame {
        x: Vector::x() * x,
        v: Vector::x() * v,
        applied: Vector::x() * 4.0 * t,
        contacts: vec![touch],
        ..Frame::default()
    }
}

/// A ring of radius .1 on 12 contacts that spins to rest in place.
fn spins(t: f64) -> Frame {
    // torque μ m g R on the moment .4·.01
    let (mu, r, w0) = (0.01, 0.1, 20.0);
    let w = w0 - mu * G * r * t / 0.004;
    let touch = |i: usize| {
        let (s, c) = turn(i as f64 * std::f64::consts::TAU / 12.0);
        let mut touch = contact(G / 12.0, Vector::new(s, -c, 0.0) * mu * G / 12.0, mu);
        touch.point = Some(Vector::new(r * c, r * s, 0.0));
        touch
    };
    Frame { w: Vector::z() * w, contacts: (0..12).map(touch).collect(), ..Frame::default() }
}

fn rolls_down(t: f64) -> Frame {
    let (s, c) = turn(15.0_f64.to_radians());
    let a = 5.0 / 7.0 * G * s;
    let x = a * t * t / 2.0;
    let mut touch = contact(G * c, Vector::x() * -2.0 / 7.0 * G * s, 0.5);
    touch.point = Some(Vector::x() * x);
    Frame {
        x: Vector::new(x, 0.0, 0.1),
        v: Vector::x() * a * t,
        w: Vector::y() * a * t / 0.1,
        contacts: vec![touch],
        ..Frame::default()
    }
}

fn projectile(t: f64) -> Frame {
    let v = Vector::new(3.0, 1.0, 5.0);
    let g = Vector::z() * -G;
    Frame {
        x: v * t + g * t * t / 2.0,
        v: v + g * t,
        w: Vector::new(1.0, 2.0, 3.0),
        ..Frame::default()
    }
}

/// A block that creeps down 15° at the speed of a regularised law.
fn creeps(t: f64, reported: f64, moved: f64) -> Frame {
    let (s, c) = turn(15.0_f64.to_radians());
    let touch = contact(G * c, Vector::x() * -G * s, 0.5);
    Frame {
        x: Vector::x() * moved * t,
        v: Vector::x() * reported,
        contacts: vec![touch],
        ..Frame::default()
    }
}

pub(super) fn faults(said: &[Finding]) -> Vec<String> {
    let fault = |one: &Finding| match &one.outcome {
        Outcome::Fault(kind, text) => Some(format!("{}: {text}", kind.name)),
        _ => None,
    };
    said.iter().filter_map(fault).collect()
}

pub(super) fn found(said: &[Finding], reason: &str) -> bool {
    faults(said).iter().any(|fault| fault.starts_with(&format!("{reason}:")))
}

/// An exact solution.
type Exact = (&'static str, f64, f64, fn(f64) -> Frame);

/// The exact solutions: name, length [s], slope [degrees], motion.
const EXACT: [Exact; 12] = [
    ("a block that slides to rest", 1.0, 0.0, |t| thrown(t, 2.0, 0.4, 0.0)),
    ("a block that holds on a slope", 2.0, 15.0, |t| thrown(t + 10.0, 1e-9, 0.5, 15.0)),
    ("a block thrown uphill", 2.0, 20.0, |t| thrown(t, -3.0, 0.6, 20.0)),
    ("a ball that bounces", 1.4, 0.0, bouncing),
    ("a projectile", 1.0, 0.0, projectile),
    ("a ball that ends rolling", 1.0, 0.0, slip_to_roll),
    ("a block on a belt", 1.0, 0.0, belt),
    ("an oscillator", 2.0, 0.0, oscillator),
    ("a block that breaks away", 2.0, 0.0, breaks_away),
    ("a ring that spins", 0.8, 0.0, spins),
    ("a ball that rolls down", 1.0, 15.0, rolls_down),
    ("a block that creeps by its law", 2.0, 15.0, |t| creeps(t, 6.618e-4, 6.618e-4)),
];

#[test]
fn exact_solutions_with_noise_are_never_accused() {
    let mut accused = Vec::new();
    for (name, seconds, slope, at) in EXACT {
        for dt in [1e-3, 1.0 / 240.0, 1e-2] {
            for seed in 0..4 {
                let log = noisy(log(seconds, dt, slope, at), seed);
                log.check().expect("the log makes sense");
                let said = judge(&log, &JudgeOptions::default());
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
        let said = judge(&log(seconds, 1e-3, slope, at), &JudgeOptions::default());
        assert!(faults(&said).is_empty(), "{name}: {:?}", faults(&said));
    }
}

#[test]
fn creep_is_told_with_whose_it_is() {
    let said = judge(
        &noisy(log(2.0, 1e-3, 15.0, |t| creeps(t, 6.618e-4, 6.618e-4)), 1),
        &JudgeOptions::default(),
    );
    let text = said
        .iter()
        .find_map(|one| match &one.outcome {
            Outcome::Found(text) => Some(text.clone()),
            _ => None,
        })
        .expect("creep is found");
    let speed = |after: &str| -> f64 {
        let rest = &text[text.find(after).expect("it says so") + after.len()..];
        rest.split(' ').next().and_then(|x| x.parse().ok()).expect("a number")
    };
    assert!((speed("creeps at ") / 6.618e-4 - 1.0).abs() < 0.005, "{text}");
    assert!((speed("hold: ") / 6.618e-4 - 1.0).abs() < 0.005 && text.contains("53.59 %"), "{text}");
    // by a closed form that says another speed, the rest is the integrator's
    let given = JudgeOptions { law: Some((5e-4, "a law".into())), ..JudgeOptions::default() };
    let said = judge(&log(2.0, 1e-3, 15.0, |t| creeps(t, 6.618e-4, 6.618e-4)), &given);
    assert!(found(&said, "creep-off-the-law"), "{said:?}");
}

#[test]
fn a_steady_state_that_displacement_contradicts_is_spurious() {
    let said = judge(
        &noisy(log(2.0, 1e-3, 15.0, |t| creeps(t, 1e-3, 0.652e-3)), 3),
        &JudgeOptions::default(),
    );
    assert!(found(&said, "spurious-steady-state"), "{said:?}");
}

#[test]
fn an_exceeded_cone_is_found() {
    for factor in [1.05, std::f64::consts::SQRT_2] {
        let at = |t: f64| {
            let mut frame = thrown(t, 2.0, 0.4 * factor, 0.0);
            frame.contacts.iter_mut().for_each(|c| c.static_friction = Some(0.4));
            frame
        };
        let said = judge(&noisy(log(0.3, 1e-3, 0.0, at), 2), &JudgeOptions::default());
        assert!(found(&said, "cone-exceeded"), "{factor}: {said:?}");
        let text = faults(&said).join(" ");
        assert!(text.contains(&format!("{factor:.2}")[..4]), "{text}");
    }
}

#[test]
fn friction_that_is_not_delivered_is_found() {
    let at = |t: f64| {
        let mut frame = thrown(t, 2.0, 0.4 * std::f64::consts::FRAC_1_SQRT_2, 0.0);
        frame.contacts.iter_mut().for_each(|c| c.static_friction = Some(0.4));
        frame
    };
    let said = judge(&log(0.3, 1e-3, 0.0, at), &JudgeOptions::default());
    assert!(found(&said, "friction-off-the-cone"), "{said:?}");
}

#[test]
fn wrong_reported_friction_is_found() {
    let at = |t: f64| {
        let mut frame = thrown(t, 2.0, 0.4, 0.0);
        frame.contacts.iter_mut().for_each(|c| c.friction = c.friction.map(|f| 0.8 * f));
        frame
    };
    let said = judge(&noisy(log(0.4, 1e-3, 0.0, at), 5), &JudgeOptions::default());
    assert!(found(&said, "forces-unbalanced"), "{said:?}");
}

#[test]
fn a_false_sleep_is_found() {
    // the block slides for a while, then stands though the slope is too steep for it
    let at = |t: f64| {
        let (s, c) = turn(26.565_f64.to_radians());
        let a = G * (s - 0.49 * c);
        let u = t.min(0.5);
        let (v, told) = if t < 0.5 { (a * u, 0.49 * G * c) } else { (0.0, G * s) };
        let touch = contact(G * c, Vector::x() * -told, 0.49);
        Frame {
            x: Vector::x() * a * u * u / 2.0,
            v: Vector::x() * v,
            contacts: vec![touch],
            ..Frame::default()
        }
    };
    let said = judge(&log(2.0, 1e-2, 26.565, at), &JudgeOptions::default());
    assert!(found(&said, "false-sleep"), "{said:?}");
    // on a slope that it can bear it may sleep
    let said =
        judge(&log(2.0, 1e-2, 20.0, |t| thrown(t, 1.0, 0.49, 20.0)), &JudgeOptions::default());
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
    let said =
        judge(&noisy(log(2.0, 1e-3, 15.0, alternating(1e-5, 1e-3)), 4), &JudgeOptions::default());
    assert!(found(&said, "chatter"), "{said:?}");
    let said =
        judge(&noisy(log(2.0, 1e-3, 15.0, alternating(5e-3, 1e-3)), 4), &JudgeOptions::default());
    assert!(found(&said, "ringing"), "{said:?}");
}

#[test]
fn made_energy_is_found() {
    // a ball that comes back faster than it fell
    let at = |t: f64| {
        let fall = (2.0 / G).sqrt();
        if t < fall {
            return Frame {
                x: Vector::z() * (1.0 - G * t * t / 2.0),
                v: Vector::z() * -G * t,
                ..Frame::default()
            };
        }
        let (s, v) = (t - fall, 1.1 * G * fall);
        Frame {
            x: Vector::z() * (v * s - G * s * s / 2.0),
            v: Vector::z() * (v - G * s),
            ..Frame::default()
        }
    };
    let said = judge(&noisy(log(1.0, 1e-3, 0.0, at), 6), &JudgeOptions::default());
    assert!(found(&said, "energy-made"), "{said:?}");
}

#[test]
fn friction_that_drives_is_found() {
    let at = |t: f64| {
        let v = 1.0 + 0.4 * G * t;
        let touch = contact(G, Vector::x() * 0.4 * G, 0.4);
        Frame {
            x: Vector::x() * (t + 0.2 * G * t * t),
            v: Vector::x() * v,
            contacts: vec![touch],
            ..Frame::default()
        }
    };
    let said = judge(&noisy(log(0.5, 1e-3, 0.0, at), 7), &JudgeOptions::default());
    assert!(found(&said, "friction-creates-energy"), "{said:?}");
}

#[test]
fn what_lacks_is_not_judged() {
    let mut bare = log(1.0, 1e-2, 0.0, |t| thrown(t, 2.0, 0.4, 0.0));
    bare.contacts = None;
    bare.gravity = None;
    bare.bodies[0].velocity = None;
    let said = judge(&bare, &JudgeOptions::default());
    assert!(faults(&said).is_empty());
    let unjudged = said.iter().filter(|one| matches!(one.outcome, Outcome::Unjudged(_))).count();
    assert_eq!(unjudged, said.len(), "{said:?}");
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
    let judged = |share: fn(f64) -> f64, inertia: f64| {
        let mut own = log(1.0, 1e-3, 0.0, |t| at(t, share(t)));
        own.gravity = Some(Vector::zeros());
        own.bodies[0].inertia = Some(Vector::repeat(inertia));
        found(&judge(&own, &JudgeOptions::default()), "energy-made")
    };
    for share in [|t: f64| t, |t: f64| 1.0 - t] {
        assert!(!judged(share, INERTIA));
    }
    assert!(judged(|t| t, 0.5 * INERTIA));
    assert!(judged(|t| 1.0 - t, 1.5 * INERTIA));
}
