//! Steady slip of a law that does not state its own: from its force and from where it sticks.

use super::{FrictionLaw, Slip};
use crate::math::{Vector, bisect, larger};
use crate::state::memory::Coefficients;

/// A contact on which laws are tried: N \[N\], and coefficients.
pub(super) const NORMAL_FORCE: f64 = 1.0;
pub(super) const PAIR: Coefficients = Coefficients { static_friction: 0.5, kinetic_friction: 0.5 };

/// Slip speeds between which a steady slip is searched \[m/s\].
const SLOWEST: f64 = 1e-15;
const FASTEST: f64 = 1e6;

/// Ratio of successive speeds of the search: a rise of friction and its fall within less are missed, but
/// for a fall where the law ceases to stick.
const STRIDE: f64 = 1.25;

/// The smallest slip speed s \[m/s\] with |F(s, N)| = ρ μ_s N. `None` where no speed bears the load,
/// and for a law that bears it only with a jump at rest: its force reverses, and has no steady slip.
pub fn steady_slip<L: FrictionLaw + ?Sized>(
    law: &L,
    load_ratio: f64,
    normal_force: f64,
    pair: &Coefficients,
) -> Option<f64> {
    let load = load_ratio * pair.static_friction * normal_force;
    if law.has_memory() {
        // at rest on a stretch that bears the load
        let stretch = Vector::new(load / larger(law.stiffness(), f64::MIN_POSITIVE), 0.0, 0.0);
        let rest = Slip { stretch, normal_force, ..Slip::default() };
        return law.sticks(&rest, pair).then_some(0.0);
    }
    let bears = |speed: f64| law.force(&slip(speed, normal_force), pair).norm() >= load;
    if bears(0.0) {
        return Some(0.0);
    }
    if bears(SLOWEST) {
        return None;
    }
    let last = end_of_stick(law, normal_force, pair).next_down();
    let above = match first(bears) {
        Some(above) if above <= last => above,
        _ if last > SLOWEST && bears(last) => last,
        above => above?,
    };
    Some(bisect(larger(above / STRIDE, SLOWEST), above, |speed| !bears(speed)))
}

/// The slip speed below which the law sticks at any N \[m/s\]; zero where it depends on N.
pub fn stick_speed<L: FrictionLaw + ?Sized>(law: &L) -> f64 {
    if law.has_memory() {
        return 0.0;
    }
    let [once, twice] = [1.0, 2.0].map(|share| end_of_stick(law, share * NORMAL_FORCE, &PAIR));
    if once == twice { once } else { 0.0 }
}

/// The least slip speed of the search at which the law does not stick \[m/s\]; zero if there is none.
fn end_of_stick<L: FrictionLaw + ?Sized>(law: &L, normal_force: f64, pair: &Coefficients) -> f64 {
    let slides = |speed: f64| !law.sticks(&slip(speed, normal_force), pair);
    if slides(SLOWEST) {
        return 0.0;
    }
    let above = first(slides).unwrap_or(0.0);
    bisect(above / STRIDE, above, |speed| !slides(speed))
}

fn slip(speed: f64, normal_force: f64) -> Slip {
    Slip { velocity: Vector::new(speed, 0.0, 0.0), normal_force, ..Slip::default() }
}

/// The first speed of the search at which a condition holds \[m/s\].
fn first(holds: impl Fn(f64) -> bool) -> Option<f64> {
    let mut speed = SLOWEST;
    while !holds(speed) {
        speed *= STRIDE;
        if speed > FASTEST {
            return None;
        }
    }
    Some(speed)
}
