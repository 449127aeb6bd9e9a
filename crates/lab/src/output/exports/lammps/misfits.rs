//! Features of a scene without a counterpart in the script, all of them together.

use super::Inexpressible;
use super::atoms::at_rest;
use super::tangential;
use super::walls::region;
use stiction_core::contact::friction::FrictionForm;
use stiction_core::contact::laws::Laws;
use stiction_core::contact::pair::Pair;
use stiction_scene::Scene;
use stiction_scene::build::Built;

/// Refuses a scene that would become another one.
pub(super) fn refuse(scene: &Scene, built: &Built) -> Result<(), Inexpressible> {
    let mut reasons = world(scene);
    reasons.extend(bodies(scene, built));
    reasons.extend(colliders(scene, built));
    if built.model.touches() {
        reasons.extend(laws(scene, built));
        reasons.extend(pairs(built));
    }
    if reasons.is_empty() { Ok(()) } else { Err(Inexpressible(reasons)) }
}

/// Loads, motions, constraints and adhesion.
fn world(scene: &Scene) -> Vec<String> {
    let mut reasons = Vec::new();
    let mut refuse = |present: bool, what: &str| {
        if present {
            reasons.push(what.to_string());
        }
    };
    refuse(!scene.motions.is_empty(), "[[motion]]: curves of time are not carried over");
    refuse(!scene.muscles.is_empty(), "[[muscle]]: rest lengths of bonds do not follow time");
    refuse(
        scene.gravity_factor.is_some(),
        "world.gravity_factor: curves of time are not carried over",
    );
    refuse(
        scene.pushes.iter().any(|push| push.factor.is_some()),
        "[[push]] factor: curves of time are not carried over; from, until and ramp are",
    );
    refuse(!scene.curves.is_empty(), "[[curve]]: LAMMPS has no constraint phi(x, y, z) = 0");
    refuse(
        scene.contact.adhesion.is_some(),
        "contact.adhesion: its pull over a range has no counterpart",
    );
    reasons
}

fn bodies(scene: &Scene, built: &Built) -> Vec<String> {
    let mut reasons = Vec::new();
    for body in &scene.bodies {
        let name = &body.name;
        if body.rigid {
            reasons.push(format!(
                "body `{name}` is rigid: bodies are bonds here; give it springs and --set body.{name}.rigid=false"
            ));
        }
        if body.anisotropy.is_some() {
            reasons.push(format!("anisotropy of body `{name}`: granular friction is isotropic"));
        }
    }
    if !built.model.elements.is_empty() {
        reasons.push(
            "elastic bodies: their elements have no counterpart; give their bodies springs".into(),
        );
    }
    let mut damped = false;
    built.model.springs.for_each(|spring| damped |= spring.material.damping > 0.0);
    if damped && !at_rest(built) {
        reasons.push(
            "springs with damping that are not at rest at t = 0: the rest length of a bond bpm/spring is its first length".into(),
        );
    }
    let Some(_) = &built.model.surfaces.between else { return reasons };
    if scene.contact.self_contact {
        reasons.push("contact.self_contact: a body's own particles are excluded".into());
    }
    for (body, described) in built.model.bodies.iter().zip(&scene.bodies) {
        let name = &body.name;
        if !body.triangles.is_empty() || !body.segments.is_empty() {
            reasons.push(format!(
                "body `{name}` is touched by its surface or its line, and granular pairs are balls: --set contact.bodies=false"
            ));
        } else if described.radius <= 0.0 {
            reasons.push(format!(
                "body `{name}` has no radius, and where bodies touch each other atoms have theirs"
            ));
        }
    }
    reasons
}

fn colliders(scene: &Scene, built: &Built) -> Vec<String> {
    let mut reasons = Vec::new();
    for collider in &scene.colliders {
        if collider.anisotropy.is_some() {
            let name = &collider.name;
            reasons
                .push(format!("anisotropy of collider `{name}`: granular friction is isotropic"));
        }
    }
    for collider in &built.model.surfaces.colliders {
        let name = &collider.name;
        if region(collider, 0.0).is_none() {
            reasons.push(format!(
                "collider `{name}`: of surfaces only planes, hollow boxes and balls, solid or hollow, are granular walls of the same distance"
            ));
        }
        if !collider.motion.is_rest() {
            reasons.push(format!("collider `{name}` moves: walls of regions rest here"));
        }
    }
    reasons.dedup();
    reasons
}

fn laws(scene: &Scene, built: &Built) -> Vec<String> {
    let contact = &scene.contact;
    if contact.jumps() {
        let name = contact.method.name;
        return vec![format!("contact.method `{name}`: granular contact is a penalty")];
    }
    let mut reasons = Vec::new();
    let Some(laws) = &built.model.laws else { return reasons };
    if !laws.normal.is_linear() {
        let name = contact.normal.name;
        reasons.push(format!(
            "normal law `{name}`: only linear has a counterpart, hooke; --set contact.normal.law=linear"
        ));
    }
    if tangential(laws).is_none() {
        let name = contact.friction.name;
        reasons.push(format!(
            "friction by `{name}`: viscous-cap is linear_nohistory and cundall-strack linear_history; --set contact.friction.law=viscous-cap --set contact.friction.damping=..."
        ));
    }
    reasons
}

/// Pairs of materials with two coefficients, and damping that differs from particle to particle.
fn pairs(built: &Built) -> Vec<String> {
    let model = &built.model;
    let Some(laws) = &model.laws else { return Vec::new() };
    let mut reasons = Vec::new();
    for (at, body) in model.bodies.iter().enumerate() {
        let on = model.surfaces.colliders.iter().enumerate();
        let on = on.map(|(c, collider)| (collider.name.as_str(), model.surfaces.pairs.of(c, at)));
        let beside = model.surfaces.between.iter().flat_map(|between| {
            let others = model.bodies.iter().zip(between.pairs.of_part(at)).take(at);
            others.map(|(other, pair)| (other.name.as_str(), pair))
        });
        for (other, pair) in on.chain(beside) {
            let between = format!("of `{}` on `{other}`", body.name);
            reasons.extend(two_coefficients(laws, pair, &between));
            let masses = &model.masses[body.particles.clone()];
            reasons.extend(by_mass(laws, pair, masses, &between));
        }
    }
    reasons
}

fn two_coefficients(laws: &Laws, pair: &Pair, between: &str) -> Option<String> {
    let (s, k) = (pair.friction.static_friction, pair.friction.kinetic_friction);
    (s != k && laws.friction.form() != FrictionForm::Frictionless).then(|| {
        format!(
            "friction {between} is {s} at rest and {k} in motion: granular friction has one coefficient; make them equal"
        )
    })
}

fn by_mass(laws: &Laws, pair: &Pair, masses: &[f64], between: &str) -> Option<String> {
    let equal = masses.iter().all(|mass| (mass / masses[0] - 1.0).abs() < 1e-12);
    (laws.normal.weighs(pair.bounce) && !equal).then(|| {
        format!(
            "restitution {between}: its damping grows with the mass of a particle, and theirs differ; give contact.normal.damping"
        )
    })
}
