//! Motions of a body of 1 kg under Coulomb friction, in closed form.

use super::{Contact, Frame, G, Vector, contact, turn};
use stiction_core::math;

/// A block thrown at `v` that friction stops; `slope` in degrees, uphill is −x.
pub(super) fn thrown(t: f64, v: f64, mu: f64, slope: f64) -> Frame {
    let (s, c) = turn(slope.to_radians());
    let a = -v.signum() * mu * G * c + G * s;
    let stop = if a * v < 0.0 { -v / a } else { f64::INFINITY };
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
pub(super) fn bouncing(t: f64) -> Frame {
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
pub(super) fn slip_to_roll(t: f64) -> Frame {
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
pub(super) fn belt(t: f64) -> Frame {
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
pub(super) fn oscillator(t: f64) -> Frame {
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
pub(super) fn breaks_away(t: f64) -> Frame {
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
pub(super) fn spins(t: f64) -> Frame {
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

pub(super) fn rolls_down(t: f64) -> Frame {
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

pub(super) fn projectile(t: f64) -> Frame {
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
pub(super) fn creeps(t: f64, reported: f64, moved: f64) -> Frame {
    let (s, c) = turn(15.0_f64.to_radians());
    let touch = contact(G * c, Vector::x() * -G * s, 0.5);
    Frame {
        x: Vector::x() * moved * t,
        v: Vector::x() * reported,
        contacts: vec![touch],
        ..Frame::default()
    }
}

/// A block at constant speed down a slope of 16.7°, tan = μ_k = .3, while μ_s = .6.
pub(super) fn slides_steadily(t: f64) -> Frame {
    let (s, c) = turn(math::atan2(0.3, 1.0));
    let mut touch = contact(G * c, Vector::x() * -G * s, 0.6);
    touch.kinetic_friction = Some(0.3);
    Frame { x: Vector::x() * t, v: Vector::x(), contacts: vec![touch], ..Frame::default() }
}

/// A body with I = .004 kg m² in free flight, pushed by 2 N at .05 m from its centre.
pub(super) fn thrust_off_centre(t: f64) -> Frame {
    let (force, torque) = (2.0, 0.1);
    let w = torque * t / 0.004;
    Frame {
        x: Vector::new(force * t * t / 2.0, 0.0, 10.0 - G * t * t / 2.0),
        v: Vector::new(force * t, 0.0, -G * t),
        w: Vector::y() * w,
        applied: Vector::x() * force,
        torque: Vector::y() * torque,
        ..Frame::default()
    }
}

/// A block that holds under a push that swings by half of what friction bears.
pub(super) fn holds_under_a_swing(t: f64) -> Frame {
    let push = Vector::x() * (0.25 * G * math::sin(9.0 * t));
    Frame { applied: push, contacts: vec![contact(G, -push, 0.5)], ..Frame::default() }
}

/// A block that is dropped by 2 cm at 1 m/s along the floor, sticks to it (e = 0, μ = .4) and slides on; the impact
/// takes μ times its speed.
pub(super) fn lands(t: f64) -> Frame {
    let (height, mu) = (0.02, 0.4);
    let fall = math::sqrt(2.0 * height / G);
    if t < fall {
        return Frame {
            x: Vector::new(t, 0.0, height - G * t * t / 2.0),
            v: Vector::new(1.0, 0.0, -G * t),
            ..Frame::default()
        };
    }
    let after = 1.0 - mu * G * fall;
    let mut slide = thrown(t - fall, after, mu, 0.0);
    slide.x += Vector::x() * fall;
    slide
}

/// A ball of radius .1 and I = .004 kg m² that bounces with e = .8 and keeps its spin.
pub(super) fn bounces_with_spin(t: f64) -> Frame {
    let fall = math::sqrt(2.0 / G);
    let spin = Vector::new(0.0, 0.0, 30.0);
    if t < fall {
        let (z, v) = (1.0 - G * t * t / 2.0, -G * t);
        return Frame { x: Vector::z() * z, v: Vector::z() * v, w: spin, ..Frame::default() };
    }
    let (s, v) = (t - fall, 0.8 * G * fall);
    let (z, v) = (v * s - G * s * s / 2.0, v - G * s);
    Frame { x: Vector::z() * z, v: Vector::z() * v, w: spin, ..Frame::default() }
}

/// A block in a groove of 90° along x, thrown at 2 m/s: each side bears N/√2, μ = .2.
pub(super) fn slides_in_a_groove(t: f64) -> Frame {
    let (mu, side) = (0.2, G * std::f64::consts::FRAC_1_SQRT_2);
    let mut slide = thrown(t, 2.0, mu * std::f64::consts::SQRT_2, 0.0);
    let friction = slide.contacts[0].friction.unwrap_or_default();
    let wall = |sign: f64| Contact {
        normal: Vector::new(0.0, sign, 1.0).normalize(),
        ..contact(side, 0.5 * friction, mu)
    };
    slide.contacts = vec![wall(1.0), wall(-1.0)];
    slide
}

/// A block that is thrown across a slope of 20° at μ = .3, by steps of 10 µs: its path is bent.
pub(super) fn thrown_across(time: &[f64], lean: f64) -> Vec<Frame> {
    let (s, c) = turn(20.0_f64.to_radians());
    let (mu, h) = (0.3, 1e-5);
    let (sin, cos) = turn(lean);
    // friction leans by an angle to one side
    let friction = |v: Vector| {
        let along = -mu * G * c * v.normalize();
        Vector::new(along.x * cos - along.y * sin, along.x * sin + along.y * cos, 0.0)
    };
    let (mut x, mut v, mut now) = (Vector::zeros(), Vector::new(0.0, 1.5, 0.0), 0.0);
    let mut frames = Vec::new();
    for t in time {
        while now < t - 0.5 * h {
            let middle = v + 0.5 * h * (Vector::x() * G * s + friction(v));
            v += h * (Vector::x() * G * s + friction(middle));
            x += h * middle;
            now += h;
        }
        let touch = contact(G * c, friction(v), mu);
        frames.push(Frame { x, v, contacts: vec![touch], ..Frame::default() });
    }
    frames
}

/// A block at 3 m/s, pressed on by 4 sin(60 t) N besides its weight, at μ = .4.
pub(super) fn pressed_by_an_oscillation(t: f64) -> Frame {
    let (mu, push, rate) = (0.4, 4.0, 60.0);
    let (s, c) = turn(rate * t);
    let normal = G + push * s;
    // ∫ sin = (1 − cos)/ω, ∫∫ sin = t/ω − sin/ω²
    let v = 3.0 - mu * (G * t + push * (1.0 - c) / rate);
    let x = 3.0 * t - mu * (G * t * t / 2.0 + push * (t / rate - s / (rate * rate)));
    Frame {
        x: Vector::x() * x,
        v: Vector::x() * v,
        applied: Vector::z() * (-push * s),
        contacts: vec![contact(normal, Vector::x() * (-mu * normal), mu)],
        ..Frame::default()
    }
}
