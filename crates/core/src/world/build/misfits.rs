//! Refuses settings that the chosen methods do not support.

use crate::contact::anisotropy::{Anisotropy, Rule};
use crate::contact::friction::FRICTION_LAWS;
use crate::contact::laws::StretchIn;
use crate::impulses::ContactMethod;
use crate::integrators::Capabilities;
use crate::world::builder::World;
use crate::world::error::{Part, WorldError};

/// Refuses settings that the contact method or the integrator does not support.
pub(super) fn refuse(
    world: &World,
    contact: &ContactMethod,
    integrator: &Capabilities,
) -> Result<(), WorldError> {
    if !contact.is_force() {
        what_is_no_force(world, integrator)?;
    }
    let name = world.integrator.name();
    if world.stretch == StretchIn::State && !integrator.carries_stretch {
        return Err(Part::Contact.fault_of(
            "stretch",
            format!("`{name}` cannot carry the stretch of contacts as part of its state"),
            "leave out `stretch`, so that it moves once per step, or choose rk4 or rk45",
        ));
    }
    if let Some(part) = two_senses(world)
        && world.friction.make("friction law", &FRICTION_LAWS, false).is_ok_and(|l| l.has_memory())
    {
        return Err(part.fault_of(
            "anisotropy",
            format!(
                "the friction law `{}` remembers a stretch, for which forward and backward have no meaning",
                world.friction.name()
            ),
            "leave out `backward`, or choose a law without memory, such as threshold or quadratic",
        ));
    }
    // the force of the step's start is known only for contacts of that time
    if world.adhesion.is_some() && integrator.explicit_normal() {
        return Err(Part::Contact.fault_of(
            "adhesion",
            format!(
                "`{name}` does not feel adhesion: it keeps the normal forces of what touches at the start of a step, and adhesion also pulls across gaps"
            ),
            "leave out `adhesion`, or choose implicit-euler, which takes steps as large",
        ));
    }
    Ok(())
}

/// A part with different friction forward and backward.
fn two_senses(world: &World) -> Option<Part> {
    let colliders = world.colliders.iter().enumerate();
    let bodies = world.bodies.iter().enumerate();
    let mut all = colliders
        .map(|(n, c)| (c.anisotropy, Part::Collider(n)))
        .chain(bodies.map(|(n, b)| (b.anisotropy, Part::Body(n))));
    all.find(|(a, _)| a.is_some_and(|a| a.backward != 1.0)).map(|(_, part)| part)
}

/// Refuses settings that contacts which jump velocities do not support, and integrators after whose
/// steps velocities must not jump.
fn what_is_no_force(world: &World, integrator: &Capabilities) -> Result<(), WorldError> {
    let method = world.contact_method.name();
    let colliders = world.colliders.iter().enumerate();
    let on_colliders = colliders.map(|(n, c)| (c.anisotropy, Part::Collider(n)));
    let bodies = world.bodies.iter().enumerate();
    let on_bodies = bodies.map(|(n, b)| (b.anisotropy, Part::Body(n)));
    let by_components = |a: &Option<Anisotropy>| a.is_some_and(|a| a.rule == Rule::Component);
    if let Some((_, part)) = on_colliders.chain(on_bodies).find(|(a, _)| by_components(a)) {
        return Err(part.fault(
            format!(
                "contact by `{method}` has no anisotropy by components: a cone has one section"
            ),
            "choose law = \"ellipse\" for the anisotropy",
        ));
    }
    if let Some(part) = two_senses(world) {
        let message = format!(
            "contact by `{method}` has no friction that differs by sense: its cone is symmetric"
        );
        return Err(part.fault(message, "leave out `backward`, or use contact by penalty"));
    }
    if world.adhesion.is_some() {
        return Err(Part::Contact.fault_of(
            "adhesion",
            format!("contact by `{method}` knows no adhesion: it is not a force"),
            "leave out `adhesion`, or choose method = \"penalty\"",
        ));
    }
    if integrator.kick_share.is_none() {
        return Err(Part::Integrator.fault(
            format!(
                "contact by `{method}` jumps velocities between steps, which `{}` does not bear: it solves for springs and contact together, or goes on from rates of the step before",
                world.integrator.name()
            ),
            "choose an explicit method: symplectic-euler moves velocities first, explicit-euler positions first, rk4 is of order four in between",
        ));
    }
    Ok(())
}
