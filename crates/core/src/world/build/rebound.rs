//! Rebound of a soft body, speed after over speed before landing, from the restitution of its particles.

use crate::math::{Vector, larger, smaller, sqrt};
use crate::model::Model;
use crate::state::State;

/// Largest difference of two coefficients of restitution without a remark.
const UNSPOKEN: f64 = 0.02;

/// Share of a body's height within which particles count as its lowest.
const LOWEST: f64 = 1e-6;

/// Remarks on each soft body whose rebound differs from that of its particles. Contact damping gives one
/// particle alone the damping ratio ζ. n particles that land together stop the whole mass M, and their
/// damping ratio is
///
/// ```text
/// ζ Σ √m_i/√(n M),    ζ √(n/N) for n of N equal particles.
/// ```
pub(super) fn remark_rebound(model: &Model, state: &State, remarks: &mut Vec<String>) {
    let Some(laws) = &model.laws else { return };
    for (number, body) in model.bodies.iter().enumerate() {
        let range = body.particles.clone();
        let pairs = model.surfaces.pairs.of_body(number).map(|pair| pair.bounce);
        let bounce = pairs.fold(0.0, larger);
        let falls = model.gravity != Vector::zeros();
        let down = if falls { model.gravity } else { state.velocities[range.start] };
        let Some(asked) = laws.normal.returned(bounce, 1.0) else { continue };
        if range.len() < 2 || model.rigid_of(range.start).is_some() || down.norm() == 0.0 {
            continue;
        }
        let height = |i: usize| state.positions[i].dot(&down) / down.norm();
        let (low, high) =
            range.clone().map(height).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
                (smaller(low, x), larger(high, x))
            });
        let lowest = || range.clone().filter(|i| height(*i) >= high - LOWEST * (high - low));
        let count = lowest().count();
        let whole: f64 = range.clone().map(|i| model.masses[i]).sum();
        let roots: f64 = lowest().map(|i| sqrt(model.masses[i])).sum();
        let share = roots / sqrt(count as f64 * whole);
        let returned = laws.normal.returned(bounce, share).unwrap_or(asked);
        if (returned - asked).abs() > UNSPOKEN {
            let parts =
                if model.elements.are_in(&range) { "damping takes" } else { "springs take" };
            remarks.push(format!(
                "body `{}` is soft, and restitution {asked:.2} is that of each of its particles: landing on the lowest {count} of {} it returns about {returned:.2} of its speed, less what its {parts}",
                body.name,
                range.len(),
            ));
        }
    }
}
