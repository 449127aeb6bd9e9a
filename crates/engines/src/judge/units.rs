//! Units: quantities that are reported twice, and differ by a thousand, by g or by degrees.

use super::motion::turns;
use super::statistics::{median, median_vector};
use super::{Check, Evidence, Outcome};
use std::ops::Range;
use stiction_core::math::{Vector, number};

/// Relative distance up to which a ratio is that of two units.
const CLOSE: f64 = 0.02;

/// Share of the largest value from which frames are compared.
const LARGE: f64 = 0.1;

/// Tolerated distance of spin from the turns, as a share: central differences of fast turns are off by some.
const SPIN: f64 = 0.3;

/// Angle below which a body does not turn \[rad\].
const TURNED: f64 = 1e-3;

/// Ratios of units, and their cause.
const RATIOS: [(f64, &str); 8] = [
    (1000.0, "a factor of 1000: mm, ms or g beside m, s or kg?"),
    (1e-3, "a factor of 1000: mm, ms or g beside m, s or kg?"),
    (100.0, "a factor of 100: cm beside m?"),
    (0.01, "a factor of 100: cm beside m?"),
    (180.0 / std::f64::consts::PI, "a factor of 57.3: degrees beside radians?"),
    (std::f64::consts::PI / 180.0, "a factor of 57.3: degrees beside radians?"),
    (9.81, "a factor of 9.81: kilograms of force beside newtons?"),
    (1.0 / 9.81, "a factor of 9.81: kilograms of force beside newtons?"),
];

/// Sizes of gravity in other units \[m/s²\], lowest and highest.
const GRAVITIES: [(f64, f64, &str); 2] =
    [(9500.0, 10_100.0, "millimetres"), (950.0, 1010.0, "centimetres")];

/// The check.
pub(crate) static CHECK: Check = Check {
    name: "units",
    about: "gravity against 9.81 m/s²; Δx/Δt against v, turns against spin, contact forces against m Δv/Δt − load: ratios of 1000, 100, 57.3 and 9.81",
    judge,
};

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    let gravity = evidence.gravity.map(|g| g.norm());
    let unit =
        GRAVITIES.iter().find(|(low, high, _)| gravity.is_some_and(|g| g > *low && g < *high));
    if let (Some((.., unit)), Some(g)) = (unit, gravity) {
        return vec![Outcome::Found(format!(
            "gravity is {} m/s²: are lengths in {unit}?",
            number(g)
        ))];
    }
    let pairs = [
        ("v/(Δx/Δt)", velocity(evidence, n)),
        ("spin/(turns per second)", spin(evidence, n)),
        ("contact forces/(m Δv/Δt − load)", force(evidence, n)),
    ];
    let known: Vec<(&str, f64)> =
        pairs.into_iter().filter_map(|(what, ratio)| Some((what, ratio?))).collect();
    for (what, ratio) in &known {
        let cause = RATIOS.iter().find(|(of, _)| (ratio / of - 1.0).abs() < CLOSE);
        if let Some((_, cause)) = cause {
            return vec![Outcome::Found(format!("{what} = {}, {cause}", number(*ratio)))];
        }
    }
    if let Some(share) = spin_off(evidence, n).filter(|share| *share > SPIN) {
        return vec![Outcome::Found(format!(
            "spin differs from the turns by {} of it: w, x, y, z in this order? in the world frame?",
            number(share)
        ))];
    }
    if let Some((what, ratio)) = known.iter().find(|(_, ratio)| !(0.5..2.0).contains(ratio)) {
        return vec![Outcome::Found(format!("{what} = {}: another quantity?", number(*ratio)))];
    }
    let compared: Vec<String> =
        known.iter().map(|(what, ratio)| format!("{what} = {}", number(*ratio))).collect();
    match compared.is_empty() {
        true => vec![Outcome::lacks("nothing is reported twice, or nothing moves")],
        false => vec![Outcome::Clear(compared.join(", "))],
    }
}

/// The median of |a|/|b| over frames in which both are large; none if there are few.
fn ratio<'a>(of: impl Iterator<Item = (&'a Vector, &'a Vector)>) -> Option<f64> {
    let all: Vec<(f64, f64)> = of.map(|(a, b)| (a.norm(), b.norm())).collect();
    let largest = |pick: fn(&(f64, f64)) -> f64| all.iter().map(pick).fold(0.0, f64::max);
    let [a, b] = [largest(|of| of.0), largest(|of| of.1)];
    let large = |of: &&(f64, f64)| of.0 > LARGE * a && of.1 > LARGE * b;
    let ratios: Vec<f64> = all.iter().filter(large).map(|(a, b)| a / b).collect();
    (!ratios.is_empty()).then(|| median(ratios.into_iter()))
}

/// Reported velocity by that of positions, each the mean of a window.
fn velocity(evidence: &Evidence, n: usize) -> Option<f64> {
    let body = evidence.body(n);
    let velocity = body.velocity.as_ref()?;
    let means = evidence.windows.iter().map(|window| {
        let sum: Vector = velocity[window.clone()].iter().sum();
        let moved = body.position[window.end - 1] - body.position[window.start];
        (sum / window.len() as f64, moved / evidence.length(window), evidence.length(window))
    });
    // beyond the noise of both
    let clear = |(reported, moved, length): &(Vector, Vector, f64)| {
        reported.norm() > 20.0 * evidence.velocity_noise[n]
            && moved.norm() > 20.0 * evidence.noise_of_position(n) / length
    };
    let means = means.filter(clear).map(|(reported, moved, _)| (reported, moved));
    let means: Vec<(Vector, Vector)> = means.collect();
    ratio(means.iter().map(|(reported, moved)| (reported, moved)))
}

/// Reported spin by that of orientations.
fn spin(evidence: &Evidence, n: usize) -> Option<f64> {
    let body = evidence.body(n);
    let of_turns = turns(&evidence.log.time, body)?;
    ratio(body.spin.as_ref()?.iter().zip(&of_turns))
}

/// The median distance of reported spin from that of orientations, as a share of it.
fn spin_off(evidence: &Evidence, n: usize) -> Option<f64> {
    let body = evidence.body(n);
    let (spin, turns) = (body.spin.as_ref()?, turns(&evidence.log.time, body)?);
    let fastest = turns.iter().map(Vector::norm).fold(0.0, f64::max);
    if fastest * evidence.duration() < TURNED {
        return None;
    }
    let pairs = spin.iter().zip(&turns).filter(|(_, turn)| turn.norm() > LARGE * fastest);
    let shares: Vec<f64> = pairs.map(|(w, turn)| (w - turn).norm() / turn.norm()).collect();
    (shares.len() >= 8).then(|| median(shares.into_iter()))
}

/// Reported contact forces by those that the motion needs, each the median of a window.
fn force(evidence: &Evidence, n: usize) -> Option<f64> {
    if !evidence.reports_forces(n) {
        return None;
    }
    let reported = |k: usize| evidence.log.contacts_of(n, k).map(|c| c.force()).sum::<Vector>();
    let lasting = |w: &&Range<usize>| evidence.ground(n, w).is_some_and(|g| g.is_lasting());
    let windows = evidence.windows.iter().filter(lasting);
    let pairs: Option<Vec<(Vector, Vector)>> = windows
        .map(|window| {
            let all: Vec<Vector> = window.clone().map(reported).collect();
            Some((median_vector(&all), evidence.needed(n, window)?))
        })
        .collect();
    let pairs = pairs?;
    let scale = evidence.scale_of_force(n);
    let large = pairs.iter().filter(|(_, needed)| needed.norm() > LARGE * scale);
    let ratios: Vec<f64> =
        large.map(|(reported, needed)| reported.norm() / needed.norm()).collect();
    (!ratios.is_empty()).then(|| median(ratios.into_iter()))
}
