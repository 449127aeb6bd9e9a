//! Features of a scene without a counterpart in MJCF, all of them together.

use super::surfaces::{GEOMS, surface};
use super::{Geom, Inexpressible, LATTICE, SPHERE, flex, geom, made};
use stiction_core::contact::collider::cylinder;
use stiction_core::contact::friction::FrictionForm;
use stiction_core::math::Vector;
use stiction_scene::build::{coefficients, restitution};
use stiction_scene::description::Pin;
use stiction_scene::{Body, Collider, Scene};

/// Refuses a scene that would become another one.
pub(super) fn refuse(scene: &Scene) -> Result<(), Inexpressible> {
    let mut reasons = Vec::new();
    reasons.extend(world(scene));
    for body in &scene.bodies {
        match flex::is_grid(scene, body) {
            true => reasons.extend(flex::misfits(scene, body)),
            false => reasons.extend(no_geom(body)),
        }
    }
    reasons.extend(scene.colliders.iter().filter_map(collider));
    reasons.extend(materials(scene));
    if reasons.is_empty() { Ok(()) } else { Err(Inexpressible(reasons)) }
}

/// Loads, motions, constraints, laws and a planar scene.
fn world(scene: &Scene) -> Vec<String> {
    let mut reasons = Vec::new();
    let mut refuse = |present: bool, what: &str| {
        if present {
            reasons.push(what.to_string());
        }
    };
    refuse(
        scene.locked_axis.is_some(),
        "a planar scene: free bodies in MJCF move in space; leave out world.planar",
    );
    refuse(
        !scene.pushes.is_empty(),
        "[[push]]: forces over time belong to the program that steps a MuJoCo model, not to its file",
    );
    refuse(!scene.drags.is_empty(), "[[drag]]: MJCF has no drag that ends, and none per mass");
    let joint = |pin: &Pin| {
        let held = pin.axes == [true; 3] && pin.motion.velocity == Vector::zeros();
        !held || !flex::is_grid(scene, &scene.bodies[pin.body])
    };
    refuse(
        scene.pins.iter().any(joint),
        "[[pin]]: a pinned particle would be a joint, but for one of an elastic lattice that stays where it is",
    );
    refuse(!scene.motions.is_empty(), "[[motion]]: MJCF has no motion that follows time");
    refuse(!scene.muscles.is_empty(), "[[muscle]]: rest lengths in MJCF do not follow time");
    refuse(scene.gravity_factor.is_some(), "world.gravity_factor: gravity in MJCF is constant");
    refuse(!scene.curves.is_empty(), "[[curve]]: MJCF has no constraint phi(x, y, z) = 0");
    refuse(
        scene.contact.adhesion.is_some(),
        "contact.adhesion: its pull over a range has no counterpart",
    );
    reasons.extend(law(scene));
    reasons
}

/// A friction law other than Coulomb's; contact methods that jump velocities have Coulomb's.
fn law(scene: &Scene) -> Option<String> {
    let law = made(scene)?;
    let why = match law.form() {
        FrictionForm::Frictionless | FrictionForm::Coulomb => return None,
        _ if law.has_memory() => "keeps no memory",
        _ => "has no law but Coulomb's",
    };
    let name = scene.contact.friction.name;
    Some(format!(
        "friction by `{name}`: MuJoCo's friction {why}; --set contact.friction.law=threshold exports Coulomb's cone"
    ))
}

/// The reason why a body that is not elastic has no geom.
fn no_geom(body: &Body) -> Option<String> {
    let (name, shape) = (&body.name, body.shape.name);
    if body.anisotropy.is_some() {
        return Some(format!("anisotropy of body `{name}`: it would turn with the contact frame"));
    }
    match geom(body) {
        Some(Geom::Box(half)) if half.min() <= 0.0 => Some(format!(
            "body `{name}` is flat, and a box of no thickness is no geom: give it a radius"
        )),
        Some(Geom::Particle(radius)) if radius <= 0.0 => {
            Some(format!("body `{name}` is a point: give it a radius, and it becomes a ball"))
        }
        Some(_) => None,
        None if [LATTICE, SPHERE].contains(&shape) => Some(format!(
            "body `{name}` is soft: --set body.{name}.rigid=true exports its rigid twin"
        )),
        None => Some(format!(
            "body `{name}` is a {shape}: only a rigid lattice, a rigid sphere and a particle have a geom"
        )),
    }
}

fn collider(collider: &Collider) -> Option<String> {
    let (name, shape, motion) = (&collider.name, &collider.shape, &collider.motion);
    let moves =
        motion.velocity != Vector::zeros() || motion.spin.is_some() || motion.oscillate.is_some();
    if surface(shape.name).is_none() {
        let known = GEOMS.map(|(name, _)| name).join(", ");
        return Some(format!(
            "collider `{name}` is of kind {}: MJCF is written for {known}",
            shape.name
        ));
    }
    if shape.values.get_flag("inside") == Some(true) {
        return Some(format!("collider `{name}` is a container: geoms are solid"));
    }
    if shape.name == cylinder::ENTRY.name && shape.values.get_number("length").is_none() {
        return Some(format!("collider `{name}` has no end: give the cylinder a length"));
    }
    if collider.anisotropy.is_some() {
        return Some(format!("anisotropy of collider `{name}`: it would turn with the contact"));
    }
    moves.then(|| {
        format!(
            "collider `{name}` moves: of motions only a belt can be expressed, a surface that moves while the shape stays"
        )
    })
}

/// Pairs of materials with two coefficients of friction, or with a restitution.
fn materials(scene: &Scene) -> Vec<String> {
    let mut reasons = Vec::new();
    let own = scene.contact.normal.values.get_number("restitution").is_some_and(|e| e > 0.0);
    if own && !scene.contact.jumps() {
        reasons.push("contact.normal.restitution: MuJoCo has no such coefficient".to_string());
    }
    let mut told: Vec<[usize; 2]> = Vec::new();
    for (number, body) in scene.bodies.iter().enumerate() {
        let colliders = scene.colliders.iter().map(|collider| collider.material);
        let bodies = scene.bodies[number + 1..].iter().filter(|_| scene.contact.bodies);
        for other in colliders.chain(bodies.map(|body| body.material)) {
            let mut pair = [body.material, other];
            pair.sort_unstable();
            if told.contains(&pair) {
                continue;
            }
            told.push(pair);
            let names = pair.map(|material| scene.materials[material].name.as_str());
            let between = format!("between `{}` and `{}`", names[0], names[1]);
            let friction = coefficients(scene, pair[0], pair[1]);
            let (s, k) = (friction.static_friction, friction.kinetic_friction);
            if s != k {
                reasons.push(format!(
                    "friction {between} is {s} at rest and {k} in motion: MuJoCo has one coefficient; make them equal"
                ));
            }
            if restitution(scene, pair[0], pair[1]).is_some_and(|e| e > 0.0) {
                reasons.push(format!("restitution {between}: MuJoCo has no such coefficient"));
            }
        }
    }
    reasons
}
