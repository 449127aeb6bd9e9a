//! What touches what: colliders, pairs of materials, contact between bodies.

use super::{BuildError, make};
use crate::contact::collider::Collider;
use crate::contact::collider::motion::{Motion, Oscillation, Spin};
use crate::contact::detect::{BodyOutline, Detector, boundary};
use crate::contact::friction::{FRICTION_LAWS, FrictionLaw};
use crate::contact::laws::Laws;
use crate::contact::material::{FRICTION_PAIRINGS, RESTITUTION_PAIRINGS};
use crate::contact::material_frame::MaterialGrain;
use crate::contact::normal::{NORMAL_LAWS, NormalLaw};
use crate::contact::pair::Pair;
use crate::contact::surfaces::{BetweenBodies, Surfaces};
use crate::forces::springs::Spring;
use crate::impulses::ContactMethod;
use crate::math::{Vector, larger, pow, radians, rotation_xyz, smaller};
use crate::model;
use crate::registry::Problem;
use crate::scene::surfaces::collider_shape;
use crate::scene::{Body, Choice, Scene, description};
use crate::state::memory::Coefficients;
use std::ops::Range;

/// The surfaces of a scene, and the laws of contact where it is a force.
pub(super) fn contact(
    scene: &Scene,
    bodies: &[model::Body],
    positions: &[Vector],
    mobilities: &[Vector],
    springs: &[Spring],
    method: &ContactMethod,
    remarks: &mut Vec<String>,
) -> Result<(Surfaces, Option<Laws>), BuildError> {
    let made = |problem: Problem, choice: &Choice| BuildError::Scene {
        place: choice.place_of(problem.key),
        problem,
    };
    let choice = &scene.contact.normal;
    let normal = make(&NORMAL_LAWS, choice).map_err(|problem| made(problem, choice))?;
    let choice = &scene.contact.friction;
    let friction = make(&FRICTION_LAWS, choice).map_err(|problem| made(problem, choice))?;
    if method.is_force() {
        fits(scene, friction.as_ref())?;
    }
    let (colliders, pairs) = colliders(scene, normal.as_ref(), remarks)?;
    let grains = grains(scene, bodies, positions, springs)?;
    let radius = |(body, placed): (&Body, &model::Body)| {
        std::iter::repeat_n(body.radius, placed.particles.len())
    };
    let radii: Vec<f64> = scene.bodies.iter().zip(bodies).flat_map(radius).collect();
    let between = between(scene, normal.as_ref(), bodies, positions, &radii)?;
    let surfaces = Surfaces {
        colliders,
        radii,
        mobilities: mobilities.iter().map(|m| m.max()).collect(),
        pairs,
        grains,
        between,
        slack: slack(positions),
        starts: bodies.iter().map(|b| b.particles.start).chain([positions.len()]).collect(),
    };
    let (adhesion, stretch) = (scene.contact.adhesion, scene.contact.stretch);
    let laws = Laws { normal, friction, adhesion, stretch };
    Ok((surfaces, method.is_force().then_some(laws)))
}

/// A quarter of the spacing of as many particles in the same box, and 1 cm for a single one.
fn slack(positions: &[Vector]) -> f64 {
    let extent = |axis: usize| {
        let along = || positions.iter().map(|x| x[axis]);
        along().fold(f64::NEG_INFINITY, larger) - along().fold(f64::INFINITY, smaller)
    };
    let diagonal = Vector::new(extent(0), extent(1), extent(2)).norm();
    let spacing = diagonal / pow(positions.len() as f64, 1.0 / 3.0);
    if spacing > 0.0 { 0.25 * spacing } else { 0.01 }
}

/// Contact between bodies, where the scene asks for it.
fn between(
    scene: &Scene,
    law: &dyn NormalLaw,
    bodies: &[model::Body],
    positions: &[Vector],
    radii: &[f64],
) -> Result<Option<BetweenBodies>, BuildError> {
    let contact = &scene.contact;
    if !contact.bodies && !contact.self_contact {
        return Ok(None);
    }
    let planar = scene.locked_axis.is_some();
    // in a plane a body is touched by the outline of its sheet
    let outlines_in_plane: Vec<Vec<[u32; 2]>> = bodies
        .iter()
        .map(|body| if planar { boundary(&body.triangles) } else { Vec::new() })
        .collect();
    let outlines: Vec<BodyOutline> = bodies
        .iter()
        .zip(&outlines_in_plane)
        .map(|(body, outline)| BodyOutline {
            particles: body.particles.clone(),
            triangles: if planar { &[] } else { &body.triangles },
            segments: if outline.is_empty() { &body.segments } else { outline },
            radii: &radii[body.particles.clone()],
            reference: &positions[body.particles.clone()],
        })
        .collect();
    refuse_untouchable(scene, &outlines)?;
    let detector = Detector::new(&outlines, contact.self_contact, contact.bodies);
    let of =
        |a: &Body| scene.bodies.iter().map(|b| pair(scene, law, a.material, b.material)).collect();
    let pairs = scene.bodies.iter().map(of).collect();
    Ok(Some(BetweenBodies { detector, pairs }))
}

/// A body that nothing could ever touch is a mistake.
fn refuse_untouchable(scene: &Scene, outlines: &[BodyOutline]) -> Result<(), BuildError> {
    let contact = &scene.contact;
    let fault = |message: String, help: &str| {
        let problem = Problem { key: None, message, help: help.into() };
        Err(BuildError::Scene { problem, place: contact.bodies_place })
    };
    let thin = |body: &&Body| body.radius <= 0.0;
    if contact.self_contact && scene.bodies.iter().all(|body| thin(&body)) {
        return fault(
            "`self_contact` needs a radius, and no body has one".into(),
            "give the body `radius = ...`, about half its thickness",
        );
    }
    let loose = |outline: &BodyOutline| outline.triangles.is_empty();
    let untouchable = scene.bodies.iter().zip(outlines).find(|(b, o)| thin(b) && loose(o));
    if contact.bodies
        && let Some((body, _)) = untouchable
        && outlines.iter().all(loose)
    {
        return fault(
            format!("body `{}` has neither a surface nor a radius to be touched by", body.name),
            "give it `radius = ...`; ropes, loose particles and the outlines of planar bodies meet by it",
        );
    }
    Ok(())
}

/// Anisotropy fixed to the material of bodies.
fn grains(
    scene: &Scene,
    bodies: &[model::Body],
    positions: &[Vector],
    springs: &[Spring],
) -> Result<Vec<Option<MaterialGrain>>, BuildError> {
    let Some(grained) = scene.bodies.iter().find(|body| body.anisotropy.is_some()) else {
        return Ok(Vec::new());
    };
    if let Some(collider) = scene.colliders.iter().find(|collider| collider.anisotropy.is_some()) {
        return Err(BuildError::Scene {
            problem: Problem {
                key: None,
                message: format!(
                    "both the body `{}` and the collider `{}` have an anisotropy",
                    grained.name, collider.name
                ),
                help:
                    "how two of them would combine is not known: keep it on bodies or on colliders"
                        .into(),
            },
            place: collider.place,
        });
    }
    let mut neighbours = vec![Vec::new(); positions.len()];
    for spring in springs {
        neighbours[spring.i].push(spring.j as u32);
        neighbours[spring.j].push(spring.i as u32);
    }
    for (_, placed) in scene.bodies.iter().zip(bodies).filter(|(body, _)| body.rigid) {
        let frame = frame(placed.particles.clone(), positions);
        for i in placed.particles.clone() {
            neighbours[i] = frame.iter().copied().filter(|j| *j as usize != i).collect();
        }
    }
    let grain = |(body, placed): (&Body, &model::Body)| {
        let mut anisotropy = body.anisotropy?;
        anisotropy.direction = rotation_xyz(body.rotation.map(radians)) * anisotropy.direction;
        let Range { start, end } = placed.particles.clone();
        Some(MaterialGrain::new(anisotropy, start, &neighbours[start..end], positions))
    };
    Ok(scene.bodies.iter().zip(bodies).map(grain).collect())
}

/// Up to four particles of a rigid body that span what it spans: each the farthest from the point,
/// the line, the plane of those before. A direction follows them as it turns.
fn frame(particles: Range<usize>, positions: &[Vector]) -> Vec<u32> {
    let first = particles.start;
    let mut frame = vec![first as u32];
    let mut spanned: Vec<Vector> = Vec::new();
    let across = |i: usize, spanned: &[Vector]| {
        spanned.iter().fold(positions[i] - positions[first], |r, axis| r - axis * axis.dot(&r))
    };
    while spanned.len() < 3 {
        let size = |i: usize| across(i, &spanned).norm();
        let farther = |a: usize, b: usize| if size(b) > size(a) { b } else { a };
        let farthest = particles.clone().fold(first, farther);
        let extent = spanned.first().map_or(0.0, |_| across(frame[1] as usize, &[]).norm());
        if size(farthest) <= 1e-6 * extent {
            break;
        }
        spanned.push(across(farthest, &spanned).normalize());
        frame.push(farthest as u32);
    }
    frame
}

/// The convex pieces of all colliders and what their materials make of every body's.
fn colliders(
    scene: &Scene,
    law: &dyn NormalLaw,
    remarks: &mut Vec<String>,
) -> Result<(Vec<Collider>, Vec<Vec<Pair>>), BuildError> {
    let (mut colliders, mut pairs) = (Vec::new(), Vec::new());
    for collider in &scene.colliders {
        let shape = collider_shape(scene, collider, remarks)?;
        let center = shape.center();
        let motion = motion(&collider.motion, center);
        for part in shape.parts() {
            colliders.push(Collider {
                name: collider.name.clone(),
                material: collider.material,
                shape: part,
                motion,
                anisotropy: collider.anisotropy,
            });
            let with_body = |b: &Body| pair(scene, law, b.material, collider.material);
            pairs.push(scene.bodies.iter().map(with_body).collect());
        }
    }
    Ok((colliders, pairs))
}

/// The friction law keeps what every pair of materials that can meet states.
fn fits(scene: &Scene, law: &dyn FrictionLaw) -> Result<(), BuildError> {
    let mut meet: Vec<[usize; 2]> = Vec::new();
    for (number, body) in scene.bodies.iter().enumerate() {
        meet.extend(scene.colliders.iter().map(|other| [body.material, other.material]));
        if scene.contact.self_contact {
            meet.push([body.material; 2]);
        }
        if scene.contact.bodies {
            let others = &scene.bodies[..number];
            meet.extend(others.iter().map(|other| [body.material, other.material]));
        }
    }
    meet.sort_unstable();
    meet.dedup();
    for [a, b] in meet {
        law.fits(&coefficients(scene, a, b)).map_err(|mut problem| {
            let [a, b] = [a, b].map(|m| scene.materials[m].name.as_str());
            problem.message = format!("{} ({a} on {b})", problem.message);
            let place = scene.contact.friction.place_of(problem.key);
            BuildError::Scene { problem, place }
        })?;
    }
    Ok(())
}

fn motion(motion: &description::Motion, center: Vector) -> Motion {
    Motion {
        velocity: motion.velocity,
        spin: motion.spin.map(|spin| Spin {
            axis: spin.axis.normalize(),
            rate: spin.rate,
            center: spin.center.unwrap_or(center),
        }),
        oscillation: motion.oscillate.map(|o| Oscillation {
            direction: o.direction.normalize(),
            amplitude: o.amplitude,
            frequency: o.frequency,
            phase: radians(o.phase),
        }),
        belt: motion.belt,
    }
}

/// What two materials make of each other: explicit values win over the pair laws.
pub fn pair(scene: &Scene, law: &dyn NormalLaw, a: usize, b: usize) -> Pair {
    let restitution = restitution(scene, a, b);
    Pair {
        friction: coefficients(scene, a, b),
        bounce: law.bounce(restitution),
        restitution: restitution.unwrap_or(0.0),
    }
}

/// The coefficient of restitution of two materials, if one of them states it. A material that
/// states none leaves it to the other.
pub fn restitution(scene: &Scene, a: usize, b: usize) -> Option<f64> {
    let law = RESTITUTION_PAIRINGS
        .iter()
        .find(|law| law.name == scene.restitution_pairing)
        .expect("the scene reader only lets known names through");
    let explicit = scene.pairs.iter().find(|p| p.materials == [a, b] || p.materials == [b, a]);
    let (x, y) = (scene.materials[a].restitution, scene.materials[b].restitution);
    let combined = x.zip(y).map(|(x, y)| (law.combine)(x, y)).or(x).or(y);
    explicit.and_then(|pair| pair.restitution).or(combined)
}

/// The coefficients of friction of two materials.
pub fn coefficients(scene: &Scene, a: usize, b: usize) -> Coefficients {
    let law = FRICTION_PAIRINGS
        .iter()
        .find(|law| law.name == scene.friction_pairing)
        .expect("the scene reader only lets known names through");
    let (x, y) = (&scene.materials[a], &scene.materials[b]);
    let mut coefficients = Coefficients {
        static_friction: (law.combine)(x.static_friction, y.static_friction),
        kinetic_friction: (law.combine)(x.kinetic_friction, y.kinetic_friction),
    };
    let explicit = scene.pairs.iter().find(|p| p.materials == [a, b] || p.materials == [b, a]);
    if let Some(explicit) = explicit {
        if let Some(mu) = explicit.static_friction {
            coefficients = Coefficients { static_friction: mu, kinetic_friction: mu };
        }
        if let Some(mu) = explicit.kinetic_friction {
            coefficients.kinetic_friction = mu;
        }
    }
    coefficients
}
