//! Contact: colliders, pairs of materials, contact between bodies.

use crate::contact::collider::{self, COLLIDERS, ColliderForm};
use crate::contact::detect::{BodyOutline, Detector, boundary};
use crate::contact::friction::{FRICTION_LAWS, FrictionLaw};
use crate::contact::laws::Laws;
use crate::contact::material_frame::MaterialGrain;
use crate::contact::normal::{NORMAL_LAWS, NormalLaw};
use crate::contact::pair::{Pair, Pairs};
use crate::contact::surfaces::{BetweenBodies, Surfaces};
use crate::forces::crew::Crew;
use crate::forces::elements::Elements;
use crate::forces::springs::Springs;
use crate::impulses::ContactMethod;
use crate::math::{Vector, larger, pow, radians, rotation_xyz, smaller};
use crate::model;
use crate::world::body::Body;
use crate::world::builder::World;
use crate::world::error::{Part, WorldError};
use crate::world::materials::Material;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// Largest number of pairs of different materials that can meet: 128 MiB of pairs.
const MOST_PAIRS: usize = 1 << 22;

/// The surfaces of a world, and the laws of contact if it is a force.
pub(super) fn contact(
    world: &World,
    materials: &Assigned,
    bodies: &[model::Body],
    positions: &[Vector],
    inverse_masses: &[Vector],
    (springs, elements, crew): (&Springs, &Elements, &Arc<Crew>),
    method: &ContactMethod,
) -> Result<(Surfaces, Option<Laws>), WorldError> {
    materials.check(world)?;
    // no contact, or none by forces
    let idle = !method.is_force() || !world.touches();
    let normal = &world.normal;
    let normal =
        normal.make("normal law", &NORMAL_LAWS, idle).map_err(|p| Part::Normal.unfit(p))?;
    let friction = world.friction.make("friction law", &FRICTION_LAWS, idle);
    let friction = friction.map_err(|problem| Part::Friction.unfit(problem))?;
    if method.is_force() {
        fits(world, materials, friction.as_ref())?;
    }
    let (colliders, pairs) = colliders(world, materials, normal.as_ref())?;
    let grains = grains(world, bodies, positions, (springs, elements))?;
    let radius = |(body, placed): (&Body, &model::Body)| {
        std::iter::repeat_n(body.radius, placed.particles.len())
    };
    let radii: Vec<f64> = world.bodies.iter().zip(bodies).flat_map(radius).collect();
    let between = between(world, materials, normal.as_ref(), bodies, positions, &radii)?;
    let shared = shared(world, normal.as_ref(), &pairs, between.as_ref());
    let fixed = colliders.iter().any(|collider| collider.anisotropy.is_some());
    let surfaces = Surfaces {
        anisotropic: fixed || grains.iter().any(Option::is_some),
        colliders,
        radii,
        inverse_masses: inverse_masses.iter().map(|m| m.max()).collect(),
        pairs,
        grains,
        between,
        slack: slack(positions),
        starts: bodies.iter().map(|b| b.particles.start).chain([positions.len()]).collect(),
        shared,
        crew: Arc::clone(crew),
        found: Mutex::default(),
    };
    let (adhesion, stretch) = (world.adhesion, world.stretch);
    let laws = Laws { normal, friction, adhesion, stretch };
    Ok((surfaces, method.is_force().then_some(laws)))
}

/// Whether each body is rigid, if the damping of any contact depends on mass; else empty.
fn shared(
    world: &World,
    law: &dyn NormalLaw,
    pairs: &Pairs,
    between: Option<&BetweenBodies>,
) -> Vec<bool> {
    let of_bodies = between.iter().flat_map(|between| between.pairs.different());
    let weighs = |pair: &Pair| law.weighs(pair.bounce);
    let any_rigid = world.bodies.iter().any(|body| body.rigid);
    if any_rigid && pairs.different().chain(of_bodies).any(weighs) {
        world.bodies.iter().map(|body| body.rigid).collect()
    } else {
        Vec::new()
    }
}

/// A quarter of the mean spacing of the particles in their box; 1 cm for a single one.
fn slack(positions: &[Vector]) -> f64 {
    let extent = |axis: usize| {
        let along = || positions.iter().map(|x| x[axis]);
        along().fold(f64::NEG_INFINITY, larger) - along().fold(f64::INFINITY, smaller)
    };
    let diagonal = Vector::new(extent(0), extent(1), extent(2)).norm();
    let spacing = diagonal / pow(positions.len() as f64, 1.0 / 3.0);
    if spacing > 0.0 { 0.25 * spacing } else { 0.01 }
}

/// Contact between bodies, if the scene has it.
fn between(
    world: &World,
    materials: &Assigned,
    law: &dyn NormalLaw,
    bodies: &[model::Body],
    positions: &[Vector],
    radii: &[f64],
) -> Result<Option<BetweenBodies>, WorldError> {
    if !world.between_bodies && !world.self_contact {
        return Ok(None);
    }
    let planar = world.locked_axis.is_some();
    // in a plane, a body's surface is the outline of its sheet
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
    refuse_untouchable(world, &outlines)?;
    let detector = Detector::new(&outlines, world.self_contact, world.between_bodies);
    let pairs = materials.with_bodies(world, law, &materials.bodies);
    Ok(Some(BetweenBodies::new(detector, pairs)))
}

/// Refuses bodies that nothing could ever touch.
fn refuse_untouchable(world: &World, outlines: &[BodyOutline]) -> Result<(), WorldError> {
    let key = if world.between_bodies { "bodies" } else { "self_contact" };
    let fault = |message: String, help: &str| Err(Part::Contact.fault_of(key, message, help));
    let thin = |body: &&Body| body.radius <= 0.0;
    if world.self_contact && world.bodies.iter().all(|body| thin(&body)) {
        return fault(
            "`self_contact` needs a radius, and no body has one".into(),
            "give the body `radius = ...`, about half its thickness",
        );
    }
    let loose = |outline: &BodyOutline| outline.triangles.is_empty();
    let untouchable = world.bodies.iter().zip(outlines).find(|(b, o)| thin(b) && loose(o));
    if world.between_bodies
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
    world: &World,
    bodies: &[model::Body],
    positions: &[Vector],
    (springs, elements): (&Springs, &Elements),
) -> Result<Vec<Option<MaterialGrain>>, WorldError> {
    let Some(grained) = world.bodies.iter().find(|body| body.anisotropy.is_some()) else {
        return Ok(Vec::new());
    };
    if let Some(number) = world.colliders.iter().position(|c| c.anisotropy.is_some()) {
        return Err(Part::Collider(number).fault(
            format!(
                "both the body `{}` and the collider `{}` have an anisotropy",
                grained.name, world.colliders[number].name
            ),
            "how two of them would combine is not known: keep it on bodies or on colliders",
        ));
    }
    let mut neighbours = vec![Vec::new(); positions.len()];
    for spring in (0..springs.len()).map(|s| springs.get(s)) {
        neighbours[spring.i].push(spring.j as u32);
        neighbours[spring.j].push(spring.i as u32);
    }
    for [i, j] in elements.edges() {
        neighbours[*i as usize].push(*j);
        neighbours[*j as usize].push(*i);
    }
    for (_, placed) in world.bodies.iter().zip(bodies).filter(|(body, _)| body.rigid) {
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
    Ok(world.bodies.iter().zip(bodies).map(grain).collect())
}

/// Up to four particles that span a rigid body: each is the farthest from the point, line or plane
/// through those before it. A direction turns with them.
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

/// The colliding pieces of all colliders, and the pair of each with every body.
fn colliders(
    world: &World,
    materials: &Assigned,
    law: &dyn NormalLaw,
) -> Result<(Vec<collider::Collider>, Pairs), WorldError> {
    let (mut colliders, mut own) = (Vec::new(), Vec::new());
    for (number, collider) in world.colliders.iter().enumerate() {
        let shape = collider.shape.make("shape of a collider", &COLLIDERS, false);
        let shape = shape.map_err(|problem| Part::Surface(number).unfit(problem))?;
        let motion = collider.motion(shape.center());
        check_directions(number, shape.as_ref(), &motion)?;
        if collider.turns() > 1 {
            let message = "it is turned twice: only one `spin` or one turning motion can act";
            return Err(Part::Collider(number).fault(message, "keep one of them"));
        }
        let material = materials.colliders[number];
        for part in shape.parts() {
            colliders.push(collider::Collider {
                name: collider.name.clone(),
                material,
                shape: part,
                motion: motion.clone(),
                anisotropy: collider.anisotropy,
            });
            own.push(material);
        }
    }
    Ok((colliders, materials.with_bodies(world, law, &own)))
}

/// Refuses normals, axes and directions of zero length.
fn check_directions(
    number: usize,
    shape: &dyn collider::Shape,
    motion: &collider::motion::Motion,
) -> Result<(), WorldError> {
    let is_wrong = |v: Vector| !(v.x + v.y + v.z).is_finite();
    let help = "give three finite numbers that are not all zero";
    if let ColliderForm::Plane(plane) = shape.form()
        && is_wrong(plane.normal)
    {
        let message = "the normal has no direction";
        return Err(Part::Surface(number).fault_of("normal", message, help));
    }
    let part = Part::Collider(number);
    if motion.spin.is_some_and(|spin| is_wrong(spin.axis * spin.rate + spin.center)) {
        return Err(part.fault_of("spin", "the axis has no direction", help));
    }
    if motion.oscillation.is_some_and(|shake| is_wrong(shake.direction * shake.amplitude)) {
        return Err(part.fault_of("oscillate", "the oscillation has no direction", help));
    }
    if is_wrong(motion.velocity) || is_wrong(motion.belt) {
        return Err(part.fault_of("velocity", "a velocity is not finite", "give three numbers"));
    }
    Ok(())
}

/// Checks the friction law against every pair of materials that can meet.
fn fits(world: &World, materials: &Assigned, law: &dyn FrictionLaw) -> Result<(), WorldError> {
    let others: BTreeSet<usize> = materials.colliders.iter().copied().collect();
    // the first and the last body of each material
    let mut bodies: BTreeMap<usize, [usize; 2]> = BTreeMap::new();
    for (number, body) in materials.bodies.iter().enumerate() {
        bodies.entry(*body).or_insert([number; 2])[1] = number;
    }
    let mut meet: BTreeSet<[usize; 2]> = BTreeSet::new();
    for (body, [_, last]) in &bodies {
        meet.extend(others.iter().map(|other| [*body, *other]));
        if world.self_contact {
            meet.insert([*body; 2]);
        }
        if world.between_bodies {
            let before = bodies.iter().filter(|(_, [first, _])| first < last);
            meet.extend(before.map(|(other, _)| [*body, *other]));
        }
    }
    for [a, b] in meet {
        law.fits(&world.materials.coefficients(a, b)).map_err(|mut problem| {
            let [a, b] = [a, b].map(|m| world.materials.list[m].name.as_str());
            problem.message = format!("{} ({a} on {b})", problem.message);
            Part::Friction.unfit(problem)
        })?;
    }
    Ok(())
}

/// The number of the material of every body and of every collider.
pub(super) struct Assigned {
    bodies: Vec<usize>,
    colliders: Vec<usize>,
}

impl Assigned {
    /// Each part's own material, or the only one.
    pub(super) fn new(world: &World) -> Result<Self, WorldError> {
        let bodies = world.bodies.iter().enumerate();
        let bodies = bodies.map(|(n, body)| world.material_of(Part::Body(n), body.material));
        let colliders = world.colliders.iter().enumerate();
        let colliders = colliders.map(|(n, c)| world.material_of(Part::Collider(n), c.material));
        Ok(Assigned {
            bodies: bodies.collect::<Result<_, _>>()?,
            colliders: colliders.collect::<Result<_, _>>()?,
        })
    }

    /// The material of a body; none in a world without materials.
    pub(super) fn of_body<'a>(&self, world: &'a World, number: usize) -> Option<&'a Material> {
        world.materials.list.get(self.bodies[number])
    }

    /// The pairs of parts, by their materials, with each body.
    fn with_bodies(&self, world: &World, law: &dyn NormalLaw, parts: &[usize]) -> Pairs {
        Pairs::new(parts, &self.bodies, |body, other| world.materials.pair(law, body, other))
    }

    /// Refuses more pairs of different materials than [`MOST_PAIRS`].
    fn check(&self, world: &World) -> Result<(), WorldError> {
        let different = |of: &[usize]| of.iter().collect::<BTreeSet<_>>().len();
        let (bodies, mut others) = (different(&self.bodies), different(&self.colliders));
        if world.between_bodies || world.self_contact {
            others += bodies;
        }
        match bodies.saturating_mul(others) {
            0..=MOST_PAIRS => Ok(()),
            pairs => Err(Part::Pairing.fault(
                format!("{pairs} pairs of different materials can meet, at most {MOST_PAIRS}"),
                "give parts that behave alike one material",
            )),
        }
    }
}
