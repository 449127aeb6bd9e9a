//! Energy of flights: where positions accelerate by the load alone, without spin and contacts.

use super::balance::{NO_GRAVITY, percent};
use super::energy::ENERGY_MADE;
use super::statistics::median;
use super::{Check, Evidence, Outcome};
use std::ops::Range;
use stiction_core::math::{Vector, larger, number, smaller, sqrt};

/// Tolerated gain of energy from one flight to the next, as a share of the throughput.
const SHARE: f64 = 0.01;

/// Least number of frames of a flight.
const FEWEST: usize = 6;

/// Longest bounce, as a share of the shorter flight beside it; what lasts longer may have pushed the body.
const BOUNCE: f64 = 0.2;

/// The check.
pub(crate) static CHECK: Check = Check {
    name: "energy of flights",
    about: "½ m v² − m g·x, less the work of applied forces, from positions alone: of stretches in which a single body accelerates by its load within a tenth, from one to the next over a bounce",
    judge,
};

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    if evidence.gravity.is_none() {
        return vec![Outcome::lacks(NO_GRAVITY)];
    }
    if evidence.log.bodies.len() > 1 || evidence.given.moving {
        return vec![Outcome::lacks("other bodies or moving surroundings may pass energy to it")];
    }
    let flights = flights(evidence, n);
    if flights.len() < 2 {
        return vec![Outcome::lacks("it does not fly twice, or noise of the positions hides it")];
    }
    vec![answer(evidence, &flights)]
}

/// A flight, its energy \[J\] with six σ, and its kinetic energy at most \[J\].
struct Flight {
    frames: Range<usize>,
    energy: f64,
    noise: f64,
    kinetic: f64,
}

fn answer(evidence: &Evidence, flights: &[Flight]) -> Outcome {
    let throughput = flights.iter().map(|of| of.kinetic).fold(0.0, larger);
    let time = |k: usize| evidence.log.time[k];
    let length = |of: &Flight| time(of.frames.end - 1) - time(of.frames.start);
    let (mut gains, mut pushed, mut most) = (Vec::new(), Vec::new(), 0.0);
    let (mut highest, mut in_a_row) = (flights[0].energy, 0);
    for pair in flights.windows(2) {
        // of all flights before: what spin took at one bounce it may give at the next
        let gain = pair[1].energy - highest;
        highest = larger(highest, pair[1].energy);
        in_a_row = if gain > SHARE * throughput { in_a_row + 1 } else { 0 };
        let touches = time(pair[1].frames.start) - time(pair[0].frames.end - 1);
        if gain <= SHARE * throughput + pair[0].noise + pair[1].noise {
            most = larger(most, gain);
        } else if touches <= BOUNCE * smaller(length(&pair[0]), length(&pair[1])) {
            gains.push((gain, time(pair[1].frames.start), in_a_row));
        } else {
            pushed.push((gain, time(pair[1].frames.start)));
        }
    }
    let words = |gain: f64, at: f64| {
        let share = percent(gain / throughput);
        format!("{} J, {share} of the throughput, until t = {} s", number(gain), number(at))
    };
    let successive = gains.iter().any(|of| of.2 > 1);
    match (&gains[..], &pushed[..]) {
        // one bounce may turn spin into flight, two in a row would need ever more of it
        ([first, ..], _) if successive => {
            let text = format!(
                "{} bounces gain energy, the first {}",
                gains.len(),
                words(first.0, first.1)
            );
            Outcome::Fault(&ENERGY_MADE, text)
        }
        ([one, ..], _) => {
            Outcome::Found(format!("a bounce gains {}: from spin?", words(one.0, one.1)))
        }
        ([], [one, ..]) => {
            Outcome::Found(format!("it gains {}: does something push it?", words(one.0, one.1)))
        }
        ([], []) => Outcome::Clear(format!(
            "{} of the throughput of {} J gained at most from one of {} flights to the next",
            percent(larger(most, 0.0) / throughput),
            number(throughput),
            flights.len()
        )),
    }
}

/// The flights of a body.
fn flights(evidence: &Evidence, n: usize) -> Vec<Flight> {
    let (mut all, mut from) = (Vec::new(), None);
    if evidence.noise_hides_flights(n) {
        return all;
    }
    let works = works(evidence, n);
    for k in 1..evidence.log.time.len() {
        match (from, evidence.flies(n, k)) {
            (None, true) => from = Some(k),
            (Some(start), false) => {
                if k - start >= FEWEST {
                    all.extend(flight(evidence, n, start..k, &works));
                }
                from = None;
            }
            _ => {}
        }
    }
    all
}

/// A flight, of the median of its energies.
fn flight(evidence: &Evidence, n: usize, frames: Range<usize>, works: &[f64]) -> Option<Flight> {
    let (body, gravity) = (evidence.body(n), evidence.gravity?);
    let x = &body.position;
    let at = |k: usize| {
        let v: Vector =
            (x[k + 1] - x[k - 1]) / (evidence.log.time[k + 1] - evidence.log.time[k - 1]);
        (0.5 * body.mass * v.norm_squared(), -body.mass * gravity.dot(&x[k]) - works[k])
    };
    let all: Vec<(f64, f64)> = frames.clone().map(at).collect();
    let kinetic = all.iter().map(|of| of.0).fold(0.0, larger);
    let speed = evidence.noise_of_position(n) / (sqrt(2.0) * evidence.usual_interval());
    let noise = 6.0 * sqrt(2.0 * body.mass * kinetic) * speed / sqrt(all.len() as f64);
    let energy = median(all.iter().map(|of| of.0 + of.1));
    Some(Flight { frames, energy, noise, kinetic })
}

/// Work of applied forces until each frame \[J\].
fn works(evidence: &Evidence, n: usize) -> Vec<f64> {
    let (body, mut work) = (evidence.body(n), 0.0);
    let mut until = |k: usize| {
        if k > 0 {
            let moved = body.position[k] - body.position[k - 1];
            work += 0.5 * (body.force(k) + body.force(k - 1)).dot(&moved);
        }
        work
    };
    (0..body.position.len()).map(&mut until).collect()
}
