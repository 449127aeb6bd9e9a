//! Elastic lattices as grids of `flexcomp`: particles, pinned or free, and the material.

use super::{escaped, is_frictionless, joined, numbers, quaternion};
use stiction_core::math::{Vector, radians, rotation_xyz};
use stiction_core::world::shapes::lattice;
use stiction_scene::build::{Built, coefficients};
use stiction_scene::{Body, Scene};

/// Whether a body is an elastic lattice.
pub(super) fn is_grid(scene: &Scene, body: &Body) -> bool {
    let counts = body.shape.values.get_integers("counts").unwrap_or_default();
    let springs = &body.springs;
    let families = [springs.edge, springs.face_diagonal, springs.body_diagonal, springs.bend];
    let sprung = springs.young.is_some() || families.iter().any(|family| family.is_some());
    let material = &scene.materials[body.material];
    body.shape.name == lattice::ENTRY.name
        && material.young.is_some()
        && !(body.rigid || sprung)
        && counts.iter().all(|n| *n > 1)
}

/// Reasons why an elastic lattice would become another one.
pub(super) fn misfits(scene: &Scene, body: &Body) -> Vec<String> {
    let (name, material) = (&body.name, &scene.materials[body.material]);
    let mut reasons = Vec::new();
    if material.damping.mass > 0.0 {
        reasons.push(format!("damping.mass of elastic body `{name}`: MJCF has no drag per mass"));
    }
    if body.prestretch.is_some() {
        reasons.push(format!("prestretch of body `{name}`: a flexcomp is at rest at first"));
    }
    if scene.contact.bodies && scene.bodies.len() > 1 {
        reasons.push(format!(
            "elastic body `{name}` touches other bodies: the coefficient of each pair cannot be said"
        ));
    }
    let of = |material: usize| coefficients(scene, body.material, material).static_friction;
    let mut all = scene.colliders.iter().map(|collider| of(collider.material));
    if let Some(first) = all.next()
        && all.any(|other| other != first)
    {
        reasons.push(format!(
            "friction of elastic body `{name}` differs from collider to collider: a flexcomp has one coefficient"
        ));
    }
    reasons
}

/// The bits by which elastic bodies meet the geoms of colliders, and these nothing else.
pub(super) const COLLIDES: &str = "contype=\"0\" conaffinity=\"2\"";
const MEETS: &str = "contype=\"2\" conaffinity=\"0\"";

/// The element of an elastic lattice. Adds the places and velocities of its free vertices to the keyframe: those of
/// slides, which count from their start, z fastest.
pub(super) fn element(
    (scene, number): (&Scene, usize),
    built: &Built,
    (places, speeds): (&mut Vec<f64>, &mut Vec<f64>),
) -> String {
    let (body, start) = (&scene.bodies[number], built.model.bodies[number].particles.start);
    let material = &scene.materials[body.material];
    let counts = body.shape.values.get_integers("counts").unwrap_or(&[2, 2, 2]);
    let [nx, ny, nz] = [0, 1, 2].map(|axis| counts[axis] as usize);
    let spacing = body.shape.values.number("spacing");
    let turn = rotation_xyz(body.rotation.map(radians));
    let middle = body.position + turn * Vector::z() * (0.5 * (nz - 1) as f64 * spacing);
    let mut pinned = String::new();
    for vertex in 0..nx * ny * nz {
        let at = [vertex / (ny * nz), vertex / nz % ny, vertex % nz];
        let particle = start + at[0] + nx * (at[1] + ny * at[2]);
        if built.model.inverse_masses[particle] == Vector::zeros() {
            pinned += &format!(" {vertex}");
        } else {
            places.extend([0.0; 3]);
            speeds.extend(built.state.velocities[particle].iter());
        }
    }
    let pins = match pinned.trim() {
        "" => String::new(),
        ids => format!("      <pin id=\"{ids}\"/>\n"),
    };
    let mass: f64 =
        built.model.bodies[number].particles.clone().map(|i| built.model.masses[i]).sum();
    let mu = match scene.colliders.first().filter(|_| !is_frictionless(scene)) {
        Some(first) => coefficients(scene, body.material, first.material).static_friction,
        None => 0.0,
    };
    let (young, poisson) =
        (material.young.unwrap_or_default(), material.poisson.unwrap_or_default());
    format!(
        "    <flexcomp name=\"{}\" type=\"grid\" dim=\"3\" count=\"{nx} {ny} {nz}\" spacing=\"{}\" mass=\"{mass}\" radius=\"{}\" pos=\"{}\" quat=\"{}\">\n      <contact {MEETS} priority=\"1\" condim=\"{}\" friction=\"{mu} 0 0\" selfcollide=\"none\"/>\n      <elasticity young=\"{young}\" poisson=\"{poisson}\" damping=\"{}\"/>\n{pins}    </flexcomp>\n",
        escaped(&body.name),
        joined(&[spacing; 3]),
        body.radius,
        numbers(middle),
        quaternion(&turn),
        if mu > 0.0 { 3 } else { 1 },
        material.damping.time,
    )
}
