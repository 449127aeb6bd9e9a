//! The largest stable step of a method for a scene, with all contacts taken to stick.

use super::local_rates::{LocalRates, explicit_normal_step, local_rates};
use stiction_core::diagnosis::spectrum::{Linearised, Spectrum};
use stiction_core::diagnosis::stable_step::{Culprit, culprit, largest_stable_step};
use stiction_core::integrators::region::Region;
use stiction_core::integrators::{Capabilities, INTEGRATORS};
use stiction_core::math::{Vector, pow, smaller, sqrt};
use stiction_core::model::Model;
use stiction_core::registry::Problem;
use stiction_core::state::State;
use stiction_core::state::memory::Memory;
use stiction_scene::Scene;
use stiction_scene::build::{BuildError, make};

/// The largest stable step of a method \[s\], and its cause.
pub(super) fn limit_of(
    method: &Capabilities,
    (model, state): (&Model, &State),
    (rates, spectrum): (&[LocalRates], &Spectrum),
) -> Option<(f64, Option<Culprit>)> {
    match method.explicit_normal() {
        true => normal_limit(rates),
        false => limit_by(method, model, state, spectrum),
    }
}

/// That of a method whose normal contact alone is explicit.
fn normal_limit(rates: &[LocalRates]) -> Option<(f64, Option<Culprit>)> {
    explicit_normal_step(rates).map(|(limit, i)| (limit, Some(Culprit::NormalContact(i))))
}

/// That of another method, by the modes.
fn limit_by(
    method: &Capabilities,
    model: &Model,
    state: &State,
    spectrum: &Spectrum,
) -> Option<(f64, Option<Culprit>)> {
    let (limit, mode) = largest_stable_step(method, spectrum)?;
    Some((limit, culprit(model, state, mode)))
}

/// The largest stable step of a scene's own method during a run \[s\], with all contacts taken to
/// stick, and its cause in words; `None` without a limit.
///
/// # Errors
/// The reason why it is not computed.
pub fn stable_step(
    scene: &Scene,
    model: &Model,
    state: State,
) -> Result<Option<(f64, String)>, String> {
    refuse(scene).map_err(|error| error.in_scene(scene).brief())?;
    let choice = &scene.integrator;
    let method = make(&INTEGRATORS, choice).map_err(|problem| problem.message)?.capabilities();
    if method.adaptive {
        return Err("it chooses its own substeps".into());
    }
    let state = at_rest_on_its_contacts(model, state);
    let found = match (method.explicit_normal(), &method.region) {
        (true, _) => normal_limit(&local_rates(model, &state)),
        (false, Region::Everywhere) => None,
        _ => limit_by(&method, model, &state, &Linearised::at(model, &state).spectrum()),
    };
    let words = |what: Option<Culprit>| what.map_or_else(String::new, |what| what.describe(model));
    Ok(found.map(|(limit, what)| (limit, words(what))))
}

/// An estimate of the largest stable step of `symplectic-euler` \[s\] for scenes of any size, with all contacts taken
/// to stick: 4/(λ + √(λ² + 4 ω²)), the limit of x'' + λ x' + ω² x = 0, with bounds of all modes by the hardest particle
/// for ω² and λ: xᵀ K x ≤ n Σ xᵢᵀ Kᵢᵢ xᵢ for n = 2 ends of springs and 4 corners of elements, and sums over rows for contacts; drag is left out. Infinite where
/// nothing is stiff. `None` where contact is a force on a rigid body, which moves its particles together.
pub fn estimated_stable_step(model: &Model, state: State) -> Option<f64> {
    if !model.rigid.is_empty() && model.laws.is_some() {
        return None;
    }
    let state = at_rest_on_its_contacts(model, state);
    let ends = if model.elements.is_empty() { 2.0 } else { 4.0 };
    let limit = |rates: &LocalRates| {
        let squares = ends * pow(rates.spring_frequency, 2.0)
            + pow(rates.contact_frequency, 2.0)
            + pow(rates.stretch_frequency, 2.0);
        let rate =
            ends * rates.spring_damping_rate + rates.friction_rate + rates.contact_damping_rate;
        4.0 / (rate + sqrt(rate * rate + 4.0 * squares))
    };
    let rates = local_rates(model, &state).into_iter();
    let free = rates.filter(|rates| model.rigid_of(rates.particle).is_none());
    Some(free.map(|rates| limit(&rates)).fold(f64::INFINITY, smaller))
}

/// Refuses scenes outside the analysis: modes are those of single particles held by springs and
/// contacts; settling needs an implicit method.
pub(super) fn refuse(scene: &Scene) -> Result<(), BuildError> {
    let refused = |message: String, help: &str, place| {
        let problem = Problem { key: None, message, help: help.into() };
        Err(BuildError::Scene { problem, place })
    };
    if scene.contact.jumps() {
        return refused(
            format!(
                "contact by `{}` jumps velocities: it is not stiff, and sets no largest step; those that springs and elements set beside it are not computed",
                scene.contact.method.name
            ),
            "--set contact.method=penalty has the limits by springs and elements, and what the scene's penalty laws would ask for",
            scene.contact.method.place,
        );
    }
    if let Some(curve) = scene.curves.first() {
        return refused(
            "stable steps on a [[curve]] are not computed: modes are those of free particles"
                .into(),
            "a curve sets no largest step; leave it out to look at springs and contacts",
            curve.place,
        );
    }
    match scene.bodies.iter().find(|body| body.rigid) {
        Some(body) => refused(
            format!(
                "stable steps of the rigid body `{}` are not computed: modes are those of particles that move one by one",
                body.name
            ),
            "leave out `rigid` to look at the soft twin; a run of the rigid one says its h λ (max_hlambda) and, above the friction limit, the largest step",
            body.place,
        ),
        None => Ok(()),
    }
}

/// A state with the same positions in which all contacts stick: every particle is at rest, or moves
/// with the collider that it touches.
pub(super) fn at_rest_on_its_contacts(model: &Model, from: State) -> State {
    let held = |i: usize, v: Vector| {
        v.zip_map(
            &model.inverse_masses[i],
            |v, inverse_mass| if inverse_mass > 0.0 { 0.0 } else { v },
        )
    };
    let velocities: Vec<Vector> =
        from.velocities.iter().enumerate().map(|(i, v)| held(i, *v)).collect();
    let mut state = State { velocities, ..from };
    for pass in 0..2 {
        state.memory = Memory::default();
        model.commit(&mut state, &mut Memory::default());
        if pass == 0 {
            for contact in state.memory.contacts.iter().filter(|c| c.key.collider().is_some()) {
                let i = contact.particle();
                let free = contact.surface_velocity.zip_map(
                    &model.inverse_masses[i],
                    |v, inverse_mass| {
                        if inverse_mass > 0.0 { v } else { 0.0 }
                    },
                );
                state.velocities[i] = held(i, state.velocities[i]) + free;
            }
        }
    }
    state
}
