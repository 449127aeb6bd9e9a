//! From a checked [`Scene`] to a model and its state at t = 0.

use super::shapes::{Family, Geometry, Masses, SHAPES, ShapeError};
use super::surfaces::collider_shape;
use super::{Body, Place, Scene, Selection, SpringMaterial};
use crate::contact::Pair;
use crate::contact::between::BetweenBodies;
use crate::contact::collider::Collider;
use crate::contact::collider::motion::{Motion, Oscillation, Spin};
use crate::contact::detect::{BodyOutline, Detector, boundary};
use crate::contact::force::{ContactForce, StretchIn};
use crate::contact::friction::{Coefficients, FRICTION_LAWS, FrictionLaw};
use crate::contact::material::{FRICTION_PAIRINGS, RESTITUTION_PAIRINGS};
use crate::contact::material_frame::MaterialGrain;
use crate::contact::normal::{NORMAL_LAWS, NormalLaw};
use crate::forces::Force;
use crate::forces::drag::Drag;
use crate::forces::gravity::Gravity;
use crate::forces::push::Push;
use crate::forces::span::Span;
use crate::forces::springs::{Spring, Springs};
use crate::integrators::{INTEGRATORS, Integrator};
use crate::math::{Vector, larger, pow, radians, rotation_xyz, smaller};
use crate::model::{self, Model};
use crate::registry::{Problem, find};
use crate::state::State;
use std::ops::Range;

/// Why a checked scene could still not be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BuildError {
    /// Values that do not fit together (exit 3).
    #[error("{}", .problem.message)]
    Scene {
        /// What is wrong.
        problem: Problem,
        /// Where it was written.
        place: Place,
    },
    /// A mesh file is at fault (exit 4).
    #[error("{0}")]
    Mesh(super::mesh::MeshError),
    /// The scene needs more memory than it may take (exit 9).
    #[error(
        "body `{body}` would have {particles} particles and {springs} springs, about {needed} of memory; {allowed} are allowed"
    )]
    TooLarge {
        /// The body.
        body: String,
        /// Particles.
        particles: u128,
        /// Springs.
        springs: u128,
        /// Estimated memory, as text.
        needed: String,
        /// The limit, as text.
        allowed: String,
        /// Where the shape was written.
        place: Place,
    },
}

/// Limits and settings that are not the scene's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BuildOptions {
    /// Threads for force evaluation; the bits of the result do not depend on it.
    pub threads: usize,
    /// Memory a scene may ask for \[bytes\].
    pub max_memory: u64,
}

impl Default for BuildOptions {
    fn default() -> Self {
        BuildOptions { threads: 1, max_memory: 8 << 30 }
    }
}

/// A model with its state at t = 0, its integrator, and remarks made on the way.
pub struct Built {
    /// What the world is.
    pub model: Model,
    /// Its state at t = 0, not yet committed.
    pub state: State,
    /// The method of the scene.
    pub integrator: Box<dyn Integrator>,
    /// Remarks for the user.
    pub remarks: Vec<String>,
}

/// Bytes per particle and per spring of an explicit run, generously.
const PARTICLE_BYTES: u128 = 400;
const SPRING_BYTES: u128 = 40;

/// Builds the model and the state at t = 0.
pub fn build(scene: &Scene, options: &BuildOptions) -> Result<Built, BuildError> {
    let mut parts = Parts::default();
    refuse_too_large(scene, options)?;
    for body in &scene.bodies {
        parts.add_body(scene, body)?;
    }
    let Parts { bodies, positions, mut velocities, masses, springs, mut remarks } = parts;
    let starts: Vec<usize> =
        bodies.iter().map(|b| b.particles.start).chain([positions.len()]).collect();
    let mut radii = Vec::with_capacity(positions.len());
    for (body, scene_body) in bodies.iter().zip(&scene.bodies) {
        radii.extend(std::iter::repeat_n(scene_body.radius, body.particles.len()));
    }
    let mobilities = mobilities(scene, &bodies, &positions, &masses, &mut velocities)?;
    let loads = loads(scene, &bodies, &positions, &masses)?;
    let made = |problem: Problem, choice: &super::Choice| BuildError::Scene {
        place: choice.place_of(problem.key),
        problem,
    };
    let choice = &scene.contact.normal;
    let normal = make(NORMAL_LAWS, choice).map_err(|p| made(p, choice))?;
    let (colliders, pairs) = colliders(scene, normal.as_ref(), &mut remarks)?;
    let choice = &scene.contact.friction;
    let friction = make(FRICTION_LAWS, choice).map_err(|p| made(p, choice))?;
    fits(scene, friction.as_ref())?;
    let choice = &scene.integrator;
    let integrator = make(INTEGRATORS, choice).map_err(|p| made(p, choice))?;
    refuse_stretch_in_state(scene, integrator.as_ref())?;
    let grains = grains(scene, &bodies, &positions, &springs)?;
    let between = between(scene, normal.as_ref(), &bodies, &positions)?;
    let model = Model {
        springs: Springs::new(springs, positions.len(), options.threads),
        contact: ContactForce {
            colliders,
            normal,
            friction,
            radii,
            adhesion: scene.contact.adhesion,
            stretch: scene.contact.stretch,
            masses: masses.clone(),
            pairs,
            grains,
            between,
            slack: slack(&positions),
            starts,
        },
        bodies,
        masses,
        mobilities,
        reference: positions.clone(),
        gravity: scene.gravity,
        locked_axis: scene.locked_axis,
        loads,
    };
    let state = State { positions, velocities, ..State::default() };
    Ok(Built { model, state, integrator, remarks })
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
) -> Result<Option<BetweenBodies>, BuildError> {
    let contact = &scene.contact;
    if !contact.bodies && !contact.self_contact {
        return Ok(None);
    }
    let planar = scene.locked_axis.is_some();
    let radii: Vec<Vec<f64>> = scene
        .bodies
        .iter()
        .zip(bodies)
        .map(|(scene, body)| vec![scene.radius; body.particles.len()])
        .collect();
    // in a plane a body is touched by the outline of its sheet
    let outlines_in_plane: Vec<Vec<[u32; 2]>> = bodies
        .iter()
        .map(|body| if planar { boundary(&body.triangles) } else { Vec::new() })
        .collect();
    let outlines: Vec<BodyOutline> = bodies
        .iter()
        .zip(&radii)
        .zip(&outlines_in_plane)
        .map(|((body, radii), outline)| BodyOutline {
            particles: body.particles.clone(),
            triangles: if planar { &[] } else { &body.triangles },
            segments: if outline.is_empty() { &body.segments } else { outline },
            radii,
            reference: &positions[body.particles.clone()],
        })
        .collect();
    refuse_untouchable(scene, &outlines)?;
    let detector = Detector::new(&outlines, contact.self_contact, contact.bodies)
        .with_margin(contact.adhesion.map_or(0.0, |adhesion| adhesion.range));
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

/// Only methods that can may carry the stretch of contacts.
fn refuse_stretch_in_state(scene: &Scene, integrator: &dyn Integrator) -> Result<(), BuildError> {
    if scene.contact.stretch == StretchIn::Commit || integrator.capabilities().carries_stretch {
        return Ok(());
    }
    Err(BuildError::Scene {
        problem: Problem {
            key: None,
            message: format!(
                "`{}` cannot carry the stretch of contacts as part of its state",
                scene.integrator.name
            ),
            help: "leave out `stretch`, so that it moves once per step, or choose rk4 or dopri5"
                .into(),
        },
        place: scene.contact.stretch_place,
    })
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
    let grain = |(body, placed): (&Body, &model::Body)| {
        let mut anisotropy = body.anisotropy?;
        anisotropy.direction = rotation_xyz(body.rotation.map(radians)) * anisotropy.direction;
        let Range { start, end } = placed.particles.clone();
        Some(MaterialGrain::new(anisotropy, start, &neighbours[start..end], positions))
    };
    Ok(scene.bodies.iter().zip(bodies).map(grain).collect())
}

/// Makes the chosen row of a table.
pub fn make<T: ?Sized>(
    table: &'static [crate::registry::Entry<T>],
    choice: &super::Choice,
) -> Result<Box<T>, Problem> {
    let row = find(table, choice.name).expect("the scene reader only lets known names through");
    (row.make)(&choice.values)
}

fn refuse_too_large(scene: &Scene, options: &BuildOptions) -> Result<(), BuildError> {
    let mut total = 0u128;
    for body in &scene.bodies {
        let Ok(shape) = make(SHAPES, &body.shape) else { continue };
        let (particles, springs) = shape.size();
        total = total
            .saturating_add(particles.saturating_mul(PARTICLE_BYTES))
            .saturating_add(springs.saturating_mul(SPRING_BYTES));
        if total > u128::from(options.max_memory) || particles > u128::from(u32::MAX) {
            return Err(BuildError::TooLarge {
                body: body.name.clone(),
                particles,
                springs,
                needed: bytes(total),
                allowed: bytes(u128::from(options.max_memory)),
                place: body.shape.place,
            });
        }
    }
    Ok(())
}

/// A size in bytes for people.
fn bytes(n: u128) -> String {
    const UNITS: [(&str, u32); 4] = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)];
    for (unit, shift) in UNITS {
        if n >> shift >= 1 {
            return format!("{:.1} {unit}", n as f64 / (1u128 << shift) as f64);
        }
    }
    format!("{n} bytes")
}

/// Particles and springs gathered body by body.
#[derive(Default)]
struct Parts {
    bodies: Vec<model::Body>,
    positions: Vec<Vector>,
    velocities: Vec<Vector>,
    masses: Vec<f64>,
    springs: Vec<Spring>,
    remarks: Vec<String>,
}

impl Parts {
    fn add_body(&mut self, scene: &Scene, body: &Body) -> Result<(), BuildError> {
        let shape = &body.shape;
        let fault =
            |problem: Problem| BuildError::Scene { place: shape.place_of(problem.key), problem };
        let geometry = make(SHAPES, shape).map_err(fault)?.generate(&scene.folder).map_err(
            |error| match error {
                ShapeError::Scene(problem) => fault(problem),
                ShapeError::Mesh(error) => BuildError::Mesh(error),
            },
        )?;
        let start = self.positions.len();
        let masses = masses(body, &geometry)?;
        let turn = rotation_xyz(body.rotation.map(radians));
        let placed: Vec<Vector> =
            geometry.positions.iter().map(|p| turn * p + body.position).collect();
        let total: f64 = masses.iter().sum();
        let center =
            placed.iter().zip(&masses).fold(Vector::zeros(), |sum, (x, m)| sum + x * *m) / total;
        for (k, x) in placed.iter().enumerate() {
            let own = geometry.velocities.get(k).map_or(Vector::zeros(), |v| turn * v);
            self.velocities.push(body.velocity + body.spin.cross(&(x - center)) + own);
        }
        for link in &geometry.links {
            let Some(material) = family(body, link.family) else { continue };
            let (i, j) = (link.i as usize, link.j as usize);
            let apart = (geometry.positions[j] - geometry.positions[i]).norm();
            self.springs.push(Spring {
                i: start + i,
                j: start + j,
                rest_length: link.rest_length.unwrap_or(apart),
                material,
            });
        }
        if placed.len() > 1 && self.springs.last().is_none_or(|spring| spring.i < start) {
            self.remarks.push(format!(
                "body `{}` has {} particles and no springs between them: give `springs`",
                body.name,
                placed.len()
            ));
        }
        let shifted = |t: &[u32; 3]| t.map(|p| p + start as u32);
        self.bodies.push(model::Body {
            name: body.name.clone(),
            particles: start..start + placed.len(),
            triangles: geometry.triangles.iter().map(shifted).collect(),
            segments: geometry.segments.iter().map(|s| s.map(|p| p + start as u32)).collect(),
        });
        self.remarks.extend(
            geometry.remarks.iter().map(|remark| format!("body `{}`: {remark}", body.name)),
        );
        self.positions.extend(placed);
        self.masses.extend(masses);
        Ok(())
    }
}

fn family(body: &Body, family: Family) -> Option<SpringMaterial> {
    match family {
        Family::Edge => body.springs.edge,
        Family::FaceDiagonal => body.springs.face_diagonal,
        Family::BodyDiagonal => body.springs.body_diagonal,
        Family::Bend => body.springs.bend,
    }
}

/// m_i from the body's mass or density and the shape's way of spreading it.
fn masses(body: &Body, geometry: &Geometry) -> Result<Vec<f64>, BuildError> {
    let n = geometry.positions.len();
    let fault = |message: String, help: &str| BuildError::Scene {
        problem: Problem { key: None, message, help: help.into() },
        place: body.place,
    };
    let missing = || {
        fault(
            format!("body `{}` has no mass", body.name),
            "give `mass` (kg, the whole body) or, for a lattice or a mesh, `density` (kg/m³)",
        )
    };
    match (&geometry.masses, body.mass, body.density) {
        (_, Some(_), Some(_)) => Err(fault(
            format!("body `{}` has both `mass` and `density`", body.name),
            "give one of them",
        )),
        (Masses::Given(_), Some(_), _) | (Masses::Given(_), _, Some(_)) => Err(fault(
            format!("body `{}` has masses per particle and a `mass` or `density` too", body.name),
            "leave out one of them",
        )),
        (Masses::Given(list), None, None) => Ok(list.clone()),
        (Masses::ByVolume(volumes), mass, density) => {
            let volume: f64 = volumes.iter().sum();
            let density = density.or(mass.map(|m| m / volume)).ok_or_else(missing)?;
            Ok(volumes.iter().map(|v| v * density).collect())
        }
        (Masses::Even { volume: Some(volume) }, None, Some(density)) => {
            Ok(vec![density * volume / n as f64; n])
        }
        (_, None, Some(_)) => Err(fault(
            format!("body `{}` has a `density`, but its shape has no volume", body.name),
            "give `mass` instead",
        )),
        (_, Some(mass), None) => Ok(vec![mass / n as f64; n]),
        (_, None, None) => Err(missing()),
    }
}

/// 1/m per axis, zero where a pin or the planar lock holds; held axes get their prescribed
/// velocity.
fn mobilities(
    scene: &Scene,
    bodies: &[model::Body],
    positions: &[Vector],
    masses: &[f64],
    velocities: &mut [Vector],
) -> Result<Vec<Vector>, BuildError> {
    let mut mobilities: Vec<Vector> = masses.iter().map(|m| Vector::repeat(1.0 / m)).collect();
    if let Some(axis) = scene.locked_axis {
        for (mobility, velocity) in mobilities.iter_mut().zip(velocities.iter_mut()) {
            mobility[axis] = 0.0;
            velocity[axis] = 0.0;
        }
    }
    for pin in &scene.pins {
        for i in select(&pin.selection, &bodies[pin.body], positions, pin.place)? {
            for axis in (0..3).filter(|axis| pin.axes[*axis]) {
                if scene.locked_axis != Some(axis) {
                    mobilities[i][axis] = 0.0;
                    velocities[i][axis] = pin.velocity[axis];
                }
            }
        }
    }
    Ok(mobilities)
}

fn loads(
    scene: &Scene,
    bodies: &[model::Body],
    positions: &[Vector],
    masses: &[f64],
) -> Result<Vec<Box<dyn Force>>, BuildError> {
    let mut loads: Vec<Box<dyn Force>> =
        vec![Box::new(Gravity { acceleration: scene.gravity, masses: masses.to_vec() })];
    for push in &scene.pushes {
        let particles = select(&push.selection, &bodies[push.body], positions, push.place)?;
        let share = if push.per_particle { 1.0 } else { 1.0 / particles.len() as f64 };
        loads.push(Box::new(Push {
            particles,
            force: push.force * share,
            span: Span { from: push.from, until: push.until.unwrap_or(f64::INFINITY) },
            ramp: push.ramp,
        }));
    }
    for drag in &scene.drags {
        let particles = drag.body.map_or(0..positions.len(), |body| bodies[body].particles.clone());
        loads.push(Box::new(Drag {
            masses: masses[particles.clone()].to_vec(),
            particles,
            rate: drag.rate,
            span: Span { from: f64::NEG_INFINITY, until: drag.until.unwrap_or(f64::INFINITY) },
        }));
    }
    Ok(loads)
}

/// The particles a selection means, in the model's numbers, ascending; an empty one is an error.
pub fn select(
    selection: &Selection,
    body: &model::Body,
    positions: &[Vector],
    place: Place,
) -> Result<Vec<usize>, BuildError> {
    let Range { start, end } = body.particles.clone();
    let fault = |message: String, help: String| BuildError::Scene {
        problem: Problem { key: None, message, help },
        place,
    };
    let chosen: Vec<usize> = match selection {
        Selection::All => (start..end).collect(),
        Selection::Particles(list) => {
            if let Some(bad) = list.iter().find(|p| **p >= end - start) {
                return Err(fault(
                    format!(
                        "particle {bad} does not exist: body `{}` has {}",
                        body.name,
                        end - start
                    ),
                    format!("particles count from 0 to {}", end - start - 1),
                ));
            }
            let mut list: Vec<usize> = list.iter().map(|p| start + p).collect();
            list.sort_unstable();
            list.dedup();
            list
        }
        Selection::Box { min, max } => {
            let within =
                |x: &Vector| (0..3).all(|k| x[k] >= min[k] - 1e-9 && x[k] <= max[k] + 1e-9);
            (start..end).filter(|i| within(&positions[*i])).collect()
        }
        Selection::Nearest(point) => {
            let distance = |i: usize| (positions[i] - point).norm_squared();
            let first = start;
            vec![(start..end).fold(
                first,
                |best, i| {
                    if distance(i) < distance(best) { i } else { best }
                },
            )]
        }
    };
    if chosen.is_empty() {
        return Err(fault(
            format!("no particle of `{}` is selected", body.name),
            "widen the box; it is compared with the positions at t = 0".into(),
        ));
    }
    Ok(chosen)
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

fn motion(motion: &super::Motion, center: Vector) -> Motion {
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
    Pair { friction: coefficients(scene, a, b), bounce: law.bounce(restitution(scene, a, b)) }
}

/// The coefficient of restitution of two materials, if one of them states it. A material that
/// states none leaves it to the other.
fn restitution(scene: &Scene, a: usize, b: usize) -> Option<f64> {
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
