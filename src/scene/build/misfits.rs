//! What a scene asks for that its methods do not bear.

use super::BuildError;
use crate::contact::anisotropy::{Anisotropy, Rule};
use crate::contact::laws::StretchIn;
use crate::impulses::ContactMethod;
use crate::integrators::Capabilities;
use crate::registry::Problem;
use crate::scene::{Place, Scene};

/// Refuses what the contact method, or the integrator, cannot do.
pub(super) fn refuse(
    scene: &Scene,
    contact: &ContactMethod,
    integrator: &Capabilities,
) -> Result<(), BuildError> {
    if !contact.is_force() {
        what_is_no_force(scene, integrator)?;
    }
    let (asked, name) = (&scene.contact, scene.integrator.name);
    if asked.stretch == StretchIn::State && !integrator.carries_stretch {
        return misfit(
            format!("`{name}` cannot carry the stretch of contacts as part of its state"),
            "leave out `stretch`, so that it moves once per step, or choose rk4 or rk45",
            asked.stretch_place,
        );
    }
    // a force that is that of the start of the step is known of what touches there
    if asked.adhesion.is_some() && integrator.explicit_normal() {
        return misfit(
            format!(
                "`{name}` does not feel adhesion: it keeps the normal forces of what touches at the start of a step, and adhesion also pulls across gaps"
            ),
            "leave out `adhesion`, or choose implicit-euler, which takes steps as large",
            asked.adhesion_place,
        );
    }
    Ok(())
}

/// What contacts that jump velocities know nothing of, and methods after whose steps they may not.
fn what_is_no_force(scene: &Scene, integrator: &Capabilities) -> Result<(), BuildError> {
    let method = scene.contact.method.name;
    let on_colliders = scene.colliders.iter().map(|c| (c.anisotropy, c.place));
    let on_bodies = scene.bodies.iter().map(|b| (b.anisotropy, b.place));
    let by_components = |a: &Option<Anisotropy>| a.is_some_and(|a| a.rule == Rule::Component);
    if let Some((_, place)) = on_colliders.chain(on_bodies).find(|(a, _)| by_components(a)) {
        return misfit(
            format!(
                "contact by `{method}` has no anisotropy by components: a cone has one section"
            ),
            "choose law = \"ellipse\" for the anisotropy",
            place,
        );
    }
    if scene.contact.adhesion.is_some() {
        return misfit(
            format!("contact by `{method}` knows no adhesion: it is not a force"),
            "leave out `adhesion`, or choose method = \"penalty\"",
            scene.contact.adhesion_place,
        );
    }
    if integrator.kick_share.is_none() {
        return misfit(
            format!(
                "contact by `{method}` jumps velocities between steps, which `{}` does not bear: it solves for springs and contact together, or goes on from rates of the step before",
                scene.integrator.name
            ),
            "choose an explicit method: symplectic-euler moves velocities first, explicit-euler positions first, rk4 is of order four in between",
            scene.integrator.place,
        );
    }
    Ok(())
}

fn misfit(message: String, help: &str, place: Place) -> Result<(), BuildError> {
    Err(BuildError::Scene { problem: Problem { key: None, message, help: help.into() }, place })
}
