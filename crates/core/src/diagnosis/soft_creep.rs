//! The time until a soft body creeps as a whole.

use crate::math::{Vector, tangential};
use crate::model::{Body, Model};
use crate::state::State;

/// L²/D \[s\]: the time after which a soft body creeps under its tangential load as a rigid one would.
///
/// Friction below ε is a damper of c = μ_s N/ε at each contact. So a bar of stiffness EA and friction q
/// per length obeys EA u'' = (q/ε) u', diffusion with D = EAε/q. Until about L²/D a load F at its end
/// moves that end by u(0, t) = 2F √(εt/(πEAq)); a rigid body would have moved by F ε t/(q L). For any
/// body take a uniform stretch along the load, φ = x − x̄: its friction term is Σ c φ² over contacts,
/// its spring term Σ k ((n·t)(d·t))² over springs along d = |d| n, t along the load; for the bar these
/// are (q/ε) L³/12 and EA L. Elements add their E V. So
///
/// ```text
/// L²/D = 12 Σ c φ²/Σ k ((n·t)(d·t))²
/// ```
///
/// A body that yields in another mode is softer and takes longer. `None` for a body without springs and elements,
/// contacts or a tangential load, and under a law without a threshold, whose creep is different.
pub fn whole_after(model: &Model, state: &State, body: &Body) -> Option<f64> {
    if model.friction().threshold() <= 0.0 {
        return None;
    }
    let mut forces = vec![Vector::zeros(); model.particles()];
    for force in &model.loads {
        force.add_force(&state.configuration(), &mut forces);
    }
    let load: Vector = forces[body.particles.clone()].iter().sum();
    let mut pressure = Vector::zeros();
    let mut dampers = Vec::new();
    for contact in &state.memory.contacts {
        let share = contact.share(&body.particles);
        if share != 0.0 {
            pressure += contact.normal * (share * contact.normal_force);
            dampers.push((contact.point, contact.damping * share * share));
        }
    }
    let along = tangential(load, pressure.try_normalize(0.0)?);
    let along = along.try_normalize(1e-9 * load.norm())?;
    let sum: f64 = dampers.iter().map(|(_, c)| c).sum();
    let mean = dampers.iter().map(|(x, c)| c * x.dot(&along)).sum::<f64>() / sum;
    let spread = |x: &Vector| (x.dot(&along) - mean) * (x.dot(&along) - mean);
    let taken: f64 = dampers.iter().map(|(x, c)| c * spread(x)).sum();
    let mut stored = 0.0;
    model.springs.for_each(|spring| {
        if body.particles.contains(&spring.i) && body.particles.contains(&spring.j) {
            let d = state.positions[spring.j] - state.positions[spring.i];
            let lengthened = d.dot(&along) * d.dot(&along) / d.norm();
            stored += spring.material.stiffness * lengthened * lengthened;
        }
    });
    model.elements.for_each_stiffness(|corner, stiffness| {
        if body.particles.contains(&corner) {
            stored += stiffness;
        }
    });
    (stored > 0.0 && taken > 0.0).then(|| 12.0 * taken / stored)
}
