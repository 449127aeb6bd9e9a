//! Builds a [`World`] from a checked [`Scene`]; the world makes the model and its state at t = 0.

use super::description::{
    Body, Choice, Collider, Factor, MotionPath, MovedPart, Place, Places, Scene, Selection,
    TimedMotion,
};
use super::diagnostics::{Diagnostic, FailureKind, SceneErrors};
use super::excerpt;
use super::fill;
use super::mesh::MeshError;
use super::mesh_body::{self, ShapeError};
pub use super::place::make;
use super::surfaces;
use std::collections::BTreeMap;
use stiction_core::expression::time_curve::TimeCurve;
use stiction_core::forces::elements::SOLID_LAWS;
use stiction_core::forces::springs::SpringMaterial;
use stiction_core::math::Vector;
use stiction_core::model;
use stiction_core::registry::Problem;
use stiction_core::state::memory::Coefficients;
use stiction_core::world::shapes::file::{self, MeshFile};
use stiction_core::world::shapes::{Family, lattice};
use stiction_core::world::{
    self, BodyId, Chosen, Curve, Drag, Elasticity, Material, MaterialId, Materials, Muscle,
    NamedRow, Part, Pin, Push, World, WorldError, named,
};
pub use stiction_core::world::{BuildOptions, Built};

/// Reason why a checked scene cannot be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BuildError {
    /// Values that contradict each other.
    #[error("{}", .problem.message)]
    Scene {
        /// The fault.
        problem: Problem,
        /// Its place in the text.
        place: Place,
    },
    /// Fault in a mesh file.
    #[error("{error}")]
    Mesh {
        /// The fault, with its place in the file.
        error: MeshError,
        /// Place of `path` in the scene's text.
        place: Place,
    },
    /// A shape beyond a limit.
    #[error("{}", .problem.message)]
    Limit {
        /// The limit, with numbers.
        problem: Problem,
        /// Its place in the text.
        place: Place,
    },
    /// Memory needed beyond the limit, or beyond the memory of the machine.
    #[error("{message}")]
    TooLarge {
        /// Memory needed and memory allowed, in words.
        message: String,
        /// Estimated memory, as text.
        needed: String,
        /// Place of the shape in the text.
        place: Place,
    },
}

impl BuildError {
    /// The error as one of the scene reader, with its place in the text.
    pub fn in_scene(&self, scene: &Scene) -> SceneErrors {
        let (kind, diagnostic) = match self {
            BuildError::Scene { problem, place } => (
                FailureKind::Scene,
                Diagnostic::error("E311", *place, &problem.message).help(&problem.help),
            ),
            BuildError::Mesh { error, place } => (FailureKind::Mesh, in_mesh(error, *place, scene)),
            BuildError::Limit { problem, place } => (
                FailureKind::Limit,
                Diagnostic::error("E402", *place, &problem.message).help(&problem.help),
            ),
            BuildError::TooLarge { place, .. } => (
                FailureKind::Limit,
                Diagnostic::error("E402", *place, self.to_string())
                    .help("use fewer particles, or allow more with --max-memory"),
            ),
        };
        SceneErrors::single(kind, diagnostic, scene.sources.clone())
    }

    /// The error of a world, at the place in the scene's text of the part at fault.
    fn of(error: WorldError, scene: &Scene) -> Self {
        let message = error.to_string();
        match error {
            WorldError::TooLarge { number, needed, .. } => {
                BuildError::TooLarge { message, needed, place: scene.bodies[number].shape.place }
            }
            WorldError::OutOfMemory { needed } => {
                BuildError::TooLarge { message, needed, place: scene.bodies[0].shape.place }
            }
            WorldError::Unfit { part, problem } => {
                BuildError::Scene { place: place(scene, part, problem.key), problem }
            }
        }
    }

    /// The error of a shape read from a file.
    fn of_shape(error: ShapeError, shape: &Choice) -> Self {
        match error {
            ShapeError::Mesh(error) => {
                BuildError::Mesh { error, place: shape.place_of(Some("path")) }
            }
            ShapeError::Scene(problem) => {
                BuildError::Scene { place: shape.place_of(problem.key), problem }
            }
            ShapeError::TooLarge(problem) => {
                BuildError::Limit { place: shape.place_of(problem.key), problem }
            }
        }
    }
}

/// The message about a mesh file: at its place in the file, with the place of the scene's `path` as
/// a note; at `path` where the fault is not in the content of the file.
fn in_mesh(error: &MeshError, place: Place, scene: &Scene) -> Diagnostic {
    match error.place() {
        None => Diagnostic::error("E401", place, error.to_string()),
        Some(at) => Diagnostic::elsewhere("E401", at, &error.message)
            .note(format!("named at {}", excerpt::location(&scene.sources, place))),
    }
    .help(&error.help)
}

/// The place of a key, or `whole` if the key was not given.
fn place_in(places: &Places, key: Option<&str>, whole: Place) -> Place {
    key.and_then(|key| places.get(key)).copied().unwrap_or(whole)
}

/// Place in the text of a part of the world, or of one key of it.
fn place(scene: &Scene, part: Part, key: Option<&str>) -> Place {
    let contact = &scene.contact;
    match (part, key) {
        (Part::World, _) => scene.time.place,
        (Part::Integrator, _) => scene.integrator.place_of(key),
        (Part::ContactMethod, _) => contact.method.place_of(key),
        (Part::Normal, _) => contact.normal.place_of(key),
        (Part::Friction, _) => contact.friction.place_of(key),
        (Part::Contact, key) => place_in(&contact.places, key, contact.place),
        (Part::Pairing, _) => Place::default(),
        (Part::Material(n), _) => scene.materials[n].place,
        (Part::Pair(n), _) => scene.pairs[n].place,
        (Part::Body(n), _) => scene.bodies[n].place,
        (Part::Shape(n), _) => scene.bodies[n].shape.place_of(key),
        (Part::Collider(n), _) => scene.colliders[n].place,
        (Part::Surface(n), _) => scene.colliders[n].shape.place_of(key),
        (Part::Push(n), _) => scene.pushes[n].place,
        (Part::Pin(n), _) => scene.pins[n].place,
        (Part::Muscle(n), _) => scene.muscles[n].place,
        (Part::Curve(n), Some("coupling")) => {
            let friction = &scene.curves[n].friction;
            place_in(&friction.places, key, friction.place)
        }
        (Part::Curve(n), _) => place_in(&scene.curves[n].places, key, scene.curves[n].place),
        (Part::Drag(n), _) => scene.drags[n].place,
    }
}

/// Builds the model and the state at t = 0.
pub fn build(scene: &Scene, options: &BuildOptions) -> Result<Built, BuildError> {
    let mut remarks = Vec::new();
    let world = world(scene, &mut remarks)?;
    let mut built = world.build(options).map_err(|error| BuildError::of(error, scene))?;
    built.remarks.extend(remarks);
    check_defined(scene, &built)?;
    Ok(built)
}

/// Formulas are tried beforehand at the ends of this many equal intervals of the run.
const TRIED: u32 = 1000;

/// Checks that formulas of time have a value and a rate during the whole run.
fn check_defined(scene: &Scene, built: &Built) -> Result<(), BuildError> {
    let end = scene.time.end();
    let times = (0..=TRIED).map(|k| end * f64::from(k) / f64::from(TRIED));
    let mut found = times.filter_map(|t| Some((t, built.model.undefined_at(t)?)));
    let Some((t, what)) = found.next() else { return Ok(()) };
    let undefined =
        |curve: Option<TimeCurve>| curve.is_some_and(|c| !c.is_defined(t, Vector::zeros()));
    let motions = scene.motions.iter().map(|m| (m.course.curve().cloned(), m.place));
    let muscles = scene.muscles.iter().map(|m| (m.course.curve().cloned(), m.place));
    let pushes = scene.pushes.iter().map(|p| (factor(&p.factor), p.place));
    let mut all = motions.chain(pushes).chain(muscles);
    let place =
        all.find(|(curve, _)| undefined(curve.clone())).map_or(scene.time.place, |(_, p)| p);
    let message =
        format!("{what} is not a number at t = {t} s: its formula or its rate has no value there");
    let help =
        "give a formula that has a value and a rate at every t of the run, or `from` and `until`";
    let problem = Problem { key: Some("formula"), message, help: help.into() };
    Err(BuildError::Scene { problem, place })
}

/// The world of a scene; reads the files that the scene names.
fn world(scene: &Scene, remarks: &mut Vec<String>) -> Result<World, BuildError> {
    let mut world = World::new();
    let motions = motions(scene);
    world.gravity(scene.gravity).locked_axis(scene.locked_axis).step(scene.time.step);
    world.gravity_factor(factor(&scene.gravity_factor));
    world.materials(materials(scene));
    world.integrator(row(&scene.integrator));
    let contact = &scene.contact;
    world.contact_method(row(&contact.method));
    world.normal(row(&contact.normal)).friction(row(&contact.friction));
    world.adhesion(contact.adhesion).stretch(contact.stretch);
    world.between_bodies(contact.bodies).self_contact(contact.self_contact).refined(scene.refined);
    let mut filled = 0;
    for body in &scene.bodies {
        world.body(of_body(scene, body, &mut filled)?);
    }
    for (number, collider) in scene.colliders.iter().enumerate() {
        let made = of_collider(scene, collider, remarks)?;
        world.collider(guided_collider(&motions, number, made));
    }
    for push in &scene.pushes {
        let load = Push::new(BodyId::nth(push.body), push.force).selection(push.selection.clone());
        let load = load.from(push.from).until(push.until).ramp(push.ramp);
        world.push(load.per_particle(push.per_particle).factor(factor(&push.factor)));
    }
    for (number, pin) in scene.pins.iter().enumerate() {
        let held = Pin::new(BodyId::nth(pin.body), pin.selection.clone());
        let held = held.axes(pin.axes).velocity(pin.motion.velocity);
        world.pin(guided_pin(&motions, number, held));
    }
    for muscle in &scene.muscles {
        if let Some(curve) = muscle.course.curve() {
            let made = Muscle::new(BodyId::nth(muscle.body), curve.clone());
            world.muscle(made.selection(muscle.selection.clone()));
        }
    }
    for curve in &scene.curves {
        let phi =
            Curve::parse(&curve.phi, &curve.constants).map_err(|fault| BuildError::Scene {
                problem: Problem { key: Some("phi"), message: fault.message, help: fault.help },
                place: place_in(&curve.places, Some("phi"), curve.place),
            })?;
        let friction = &curve.friction;
        world.curve(
            Curve::new(BodyId::nth(curve.body), phi)
                .selection(curve.selection.clone())
                .static_friction(friction.static_)
                .kinetic_friction(friction.kinetic)
                .coupling(friction.coupling)
                .rest(friction.rest)
                .stabilisation(curve.stabilisation)
                .projection(curve.projection),
        );
    }
    for drag in &scene.drags {
        let made = Drag::new(drag.rate).body(drag.body.map(BodyId::nth));
        world.drag(made.from(drag.from).until(drag.until));
    }
    Ok(world)
}

/// The curve of a factor, if one is given.
fn factor(of: &Option<Factor>) -> Option<TimeCurve> {
    of.as_ref()?.course.curve().cloned()
}

/// The timed motions of every moved part.
type Motions<'s> = BTreeMap<MovedPart, Vec<&'s TimedMotion>>;

fn motions(scene: &Scene) -> Motions<'_> {
    let mut all = Motions::new();
    for motion in &scene.motions {
        for part in &motion.of {
            let of = all.entry(*part).or_default();
            // a part may be named twice
            if of.last().is_none_or(|last| !std::ptr::eq(*last, motion)) {
                of.push(motion);
            }
        }
    }
    all
}

/// The motions of a part, with their curves.
fn motions_of<'s>(
    all: &'s Motions,
    part: MovedPart,
) -> impl Iterator<Item = (&'s TimedMotion, TimeCurve)> {
    let own = all.get(&part).into_iter().flatten();
    own.filter_map(|motion| Some((*motion, motion.course.curve()?.clone())))
}

fn guided_collider(all: &Motions, number: usize, mut made: world::Collider) -> world::Collider {
    for (motion, curve) in motions_of(all, MovedPart::Collider(number)) {
        let direction = motion.direction.or(motion.axis).unwrap_or_default();
        made = match motion.path {
            MotionPath::Along => made.follow(direction, curve),
            MotionPath::Surface => made.surface_follow(direction, curve),
            MotionPath::About => made.turn(direction, motion.center, curve),
        };
    }
    made
}

fn guided_pin(all: &Motions, number: usize, mut made: Pin) -> Pin {
    for (motion, curve) in motions_of(all, MovedPart::Pin(number)) {
        made = made.follow(motion.direction.unwrap_or_default(), curve);
    }
    made
}

/// A row of a table as chosen by a scene.
fn row(choice: &Choice) -> NamedRow {
    named(choice.name).with_all(&choice.values)
}

/// The springs along edges and face diagonals of a lattice of a Young's modulus, if the body states one.
fn isotropic(body: &Body) -> Result<Option<SpringMaterial>, BuildError> {
    let (springs, values) = (&body.springs, &body.shape.values);
    let fault = |key: &'static str, message: String, help: &str| {
        let problem = Problem { key: Some(key), message, help: help.into() };
        Err(BuildError::Scene { problem, place: body.place })
    };
    let name = &body.name;
    let Some(young) = springs.young else {
        return match springs.damping_time {
            None => Ok(None),
            Some(_) => fault(
                "springs",
                format!("`damping_time` of body `{name}` goes with `young` of its springs"),
                "add young = ..., or give each family its `damping`",
            ),
        };
    };
    let counts = values.get_integers("counts").unwrap_or_default();
    if body.shape.name != lattice::ENTRY.name || counts.iter().any(|n| *n < 2) {
        return fault(
            "springs",
            format!(
                "body `{name}` has springs of a Young's modulus, and no stiffness of these is known: it is no lattice of two layers or more along each axis"
            ),
            "give each family its `stiffness`; or, without `springs`, its material `young` and `poisson`",
        );
    }
    if springs.edge.is_some() || springs.face_diagonal.is_some() {
        return fault(
            "springs",
            format!("springs of body `{name}` have both `young` and a stiffness of their own"),
            "leave one of the two out: `young` is of edges and face diagonals",
        );
    }
    let time = springs.damping_time.unwrap_or(0.0);
    Ok(Some(SpringMaterial::of_lattice(young, values.number("spacing"), time)))
}

/// A body of the world; `filled` counts the springs of all fills so far.
fn of_body(scene: &Scene, body: &Body, filled: &mut usize) -> Result<world::Body, BuildError> {
    let shape = &body.shape;
    let chosen = if shape.name == file::ENTRY.name {
        let file = MeshFile::new(&shape.values);
        let geometry = mesh_body::read(&file, &scene.folder).and_then(|geometry| {
            *filled += if file.fill.is_some() { geometry.links.len() } else { 0 };
            fill::few_in_all(*filled).map(|()| geometry)
        });
        Chosen::from(geometry.map_err(|error| BuildError::of_shape(error, shape))?)
    } else {
        Chosen::from(row(shape))
    };
    let mut made = world::Body::new(&body.name, chosen)
        .material(MaterialId::nth(body.material))
        .mass(body.mass)
        .density(body.density)
        .position(body.position)
        .rotation(body.rotation)
        .velocity(body.velocity)
        .spin(body.spin)
        .radius(body.radius)
        .thickness(body.thickness)
        .prestretch(body.prestretch)
        .rigid(body.rigid)
        .anisotropy(body.anisotropy);
    let springs = &body.springs;
    let isotropic = isotropic(body)?;
    for (family, spring) in [
        (Family::Edge, isotropic.or(springs.edge)),
        (Family::FaceDiagonal, isotropic.or(springs.face_diagonal)),
        (Family::BodyDiagonal, springs.body_diagonal),
        (Family::Bend, springs.bend),
    ] {
        if let Some(spring) = spring {
            made = made.spring(family, spring.stiffness, spring.damping);
        }
    }
    Ok(made)
}

fn of_collider(
    scene: &Scene,
    collider: &Collider,
    remarks: &mut Vec<String>,
) -> Result<world::Collider, BuildError> {
    let values = surfaces::values(scene, collider, remarks);
    let values = values.map_err(|error| BuildError::of_shape(error, &collider.shape))?;
    let shape = named(collider.shape.name).with_all(&values);
    let motion = &collider.motion;
    let mut made = world::Collider::new(&collider.name, shape)
        .material(MaterialId::nth(collider.material))
        .velocity(motion.velocity)
        .belt(motion.belt.velocity)
        .anisotropy(collider.anisotropy);
    if let Some(spin) = motion.spin {
        made = match spin.center {
            Some(center) => made.spin_about(spin.axis, spin.rate, center),
            None => made.spin(spin.axis, spin.rate),
        };
    }
    if let Some(shake) = motion.oscillate {
        made = made.oscillate(shake.direction, shake.amplitude, shake.frequency, shake.phase);
    }
    Ok(made)
}

fn elasticity(material: &crate::sections::Material) -> Option<Elasticity> {
    let named = SOLID_LAWS.iter().find(|row| Some(row.name) == material.model);
    let law = named.map(|row| row.law).unwrap_or_default();
    let damping = material.damping;
    let made = Elasticity::new(material.young?, material.poisson?).law(law);
    Some(made.damping(damping.time).mass_damping(damping.mass))
}

fn materials(scene: &Scene) -> Materials {
    let mut materials = Materials::default();
    materials.pairing(scene.pairing.friction, scene.pairing.restitution);
    for material in &scene.materials {
        let mu = [material.static_friction, material.kinetic_friction];
        let made = Material::new(&material.name, mu[0], mu[1]).restitution(material.restitution);
        materials.add(made.density(material.density).elasticity(elasticity(material)));
    }
    for pair in &scene.pairs {
        let mu = [pair.static_friction, pair.kinetic_friction];
        materials.add_pair(pair.materials, mu, pair.restitution);
    }
    materials
}

/// The coefficients of friction of two materials of a scene.
pub fn coefficients(scene: &Scene, a: usize, b: usize) -> Coefficients {
    materials(scene).coefficients(a, b)
}

/// The coefficient of restitution of two materials of a scene, if they or their pair state one.
pub fn restitution(scene: &Scene, a: usize, b: usize) -> Option<f64> {
    materials(scene).restitution(a, b)
}

/// Numbers of the selected particles in the model, ascending; an empty selection is an error.
pub fn select(
    selection: &Selection,
    body: &model::Body,
    positions: &[Vector],
    place: Place,
) -> Result<Vec<usize>, BuildError> {
    let chosen = selection.particles(body, positions);
    chosen.map_err(|problem| BuildError::Scene { problem, place })
}
