//! From a [`World`] to a model and its state at t = 0.

mod curves;
mod elastic;
mod factors;
mod loads;
mod locking;
mod memory;
mod misfits;
mod parts;
mod rebound;
mod rigid;
mod touching;

use super::builder::World;
use super::error::{Part, WorldError};
use super::loads::Pin;
use super::shapes::{BodyShape, SHAPES};
use crate::forces::Force;
use crate::halt::Halt;
use crate::impulses::{CONTACT_METHODS, ContactMethod};
use crate::integrators::{INTEGRATORS, Integrator};
use crate::math::{Rotation, Vector};
use crate::model::{self, Body, Model};
use crate::profile::Profile;
use crate::registry::{Problem, Range};
use crate::simulation::Simulation;
use crate::state::State;
use elastic::is_elastic;
use loads::{guided_pins, is_unsteady, loads, mass_damping, muscles};
use memory::Needs;
use parts::Parts;
use rebound::remark_rebound;
use rigid::{as_borne, move_rigidly, refuse_implicit, refuse_pins, rigid_bodies};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use touching::{Assigned, contact};

/// Limits and settings beside the world's own.
#[derive(Debug, Clone, PartialEq)]
pub struct BuildOptions {
    /// Threads for force evaluation; the bits of the result do not depend on it.
    pub threads: usize,
    /// Limit of the world's memory \[bytes\].
    pub max_memory: u64,
    /// Request to stop, passed to the built parts.
    pub halt: Halt,
}

impl Default for BuildOptions {
    fn default() -> Self {
        BuildOptions { threads: 1, max_memory: 8 << 30, halt: Halt::default() }
    }
}

/// A model with its state at t = 0, its integrator, and remarks of the build.
pub struct Built {
    /// The model of the world.
    pub model: Model,
    /// Its state at t = 0, not yet committed.
    pub state: State,
    /// The integrator.
    pub integrator: Box<dyn Integrator>,
    /// The contact method.
    pub method: ContactMethod,
    /// Remarks for the user.
    pub remarks: Vec<String>,
    /// The largest shift of a particle by which the contact method has moved a body out of what it touched, body
    /// by body \[m\].
    pub moved: Vec<Vector>,
    /// Memory that it needs, with the contacts at the start \[bytes\]: an estimate.
    pub memory: u64,
}

impl World {
    /// The model, its state at t = 0 and its methods.
    ///
    /// # Errors
    /// Names missing from the tables, values out of range, parts that do not fit together, bodies that
    /// do not fit into memory.
    pub fn build(&self, options: &BuildOptions) -> Result<Built, WorldError> {
        build(self, options)
    }

    /// A simulation at t = 0.
    ///
    /// # Errors
    /// As [`Self::build`].
    pub fn simulate(&self) -> Result<Simulation, WorldError> {
        let Built { model, state, integrator, method, .. } = self.build(&BuildOptions::default())?;
        Ok(Simulation::with_method(model, state, integrator, method, self.step))
    }
}

fn build(world: &World, options: &BuildOptions) -> Result<Built, WorldError> {
    check(world)?;
    let integrator = world.integrator.make("integration method", &INTEGRATORS, false);
    let integrator = integrator.map_err(|problem| Part::Integrator.unfit(problem))?;
    let mut needs = Needs::of(world, integrator.as_ref(), options.max_memory);
    let materials = Assigned::new(world)?;
    let shapes = shapes(world, &materials, &mut needs)?;
    needs.ask()?;
    let mut parts = Parts::default();
    for (number, (body, shape)) in world.bodies.iter().zip(shapes).enumerate() {
        parts.add_body(number, (body, materials.of_body(world, number)), shape)?;
    }
    let mut springs = parts.springs(&world.bodies);
    let mut elements = parts.elements();
    let cuts = springs.cuts().and(elements.cuts());
    let crew = Arc::new(cuts.crew(parts.positions.len(), options.threads));
    springs.share(&crew);
    elements.share(&crew);
    let without_contacts = needs.ask_with_factors((&springs, &elements))?;
    let Parts { bodies, mut positions, mut velocities, masses, mut remarks, drags, .. } = parts;
    refuse_pins(world)?;
    let inverse_masses = inverse_masses(world, &bodies, &positions, &masses, &mut velocities)?;
    let mut loads = loads(world, &bodies, &positions, &masses, &crew)?;
    loads.extend(drags.into_iter().map(|(body, rate)| mass_damping(&bodies[body], rate, &masses)));
    let muscles = muscles(world, &bodies, &positions, &springs)?;
    loads.extend(muscles.iter().map(|muscle| Box::new(muscle.clone()) as Box<dyn Force>));
    let method = world.contact_method.make("contact method", &CONTACT_METHODS, false);
    let method = *method.map_err(|problem| Part::ContactMethod.unfit(problem))?;
    refuse_implicit(world, integrator.as_ref())?;
    misfits::refuse(world, &method, &integrator.capabilities())?;
    let room = curves::Room {
        bodies: &bodies,
        inverse_masses: &inverse_masses,
        method: &integrator.capabilities(),
        contact_is_force: method.is_force(),
    };
    let mut others = curves::curves(world, &room, &mut positions, &mut velocities, &mut remarks)?;
    for pins in guided_pins(world, &bodies, (&masses, &positions))? {
        pins.begin(&mut velocities);
        others.push(Box::new(pins));
    }
    let rigid = rigid_bodies(world, &bodies, &masses, &positions);
    let borne = as_borne(&rigid, &inverse_masses);
    let (mut surfaces, mut laws) = contact(
        world,
        &materials,
        &bodies,
        &positions,
        &borne,
        (&springs, &elements, &crew),
        &method,
    )?;
    surfaces.share_detection(options.threads);
    if let Some(laws) = &mut laws {
        let capabilities = integrator.capabilities();
        let adaptive = capabilities.adaptive && capabilities.carries_stretch;
        laws.stretch = laws.stretch.under(adaptive, laws.friction.as_ref());
    }
    let mut model = Model {
        springs,
        elements,
        cuts,
        crew,
        surfaces,
        laws,
        bodies,
        masses,
        inverse_masses,
        reference: positions.clone(),
        gravity: world.gravity,
        locked_axis: world.locked_axis,
        loads,
        muscles,
        unsteady: is_unsteady(world),
        rigid,
        others,
        profile: Profile::default(),
        halt: options.halt.clone(),
    };
    let attitudes = vec![Rotation::identity(); model.rigid.len()];
    let mut state = State { positions, velocities, attitudes, ..State::default() };
    move_rigidly(&model, &mut state, &mut remarks);
    method.begin(&model, &mut state, world.step);
    let moved = moved(&model, &state);
    remark_rebound(&model, &state, &mut remarks);
    model.reference.clone_from(&state.positions);
    let contacts = model.surfaces.count_near(&state.configuration(), TOUCHING);
    let memory = needs.ask_with_contacts(without_contacts, contacts, !method.is_force())?;
    Ok(Built { model, state, integrator, method, remarks, moved, memory })
}

/// Largest gap of a contact that counts at the start \[m\]: more than the rounding of bodies laid on a surface.
/// Only the estimate of memory depends on it.
const TOUCHING: f64 = 1e-7;

/// The largest shift of a particle of each body since the model was made \[m\].
fn moved(model: &Model, state: &State) -> Vec<Vector> {
    let shift = |i: usize| state.positions[i] - model.reference[i];
    let largest = |body: &Body| {
        let all = body.particles.clone().map(shift);
        all.reduce(|a, b| if b.norm() > a.norm() { b } else { a }).unwrap_or_default()
    };
    model.bodies.iter().map(largest).collect()
}

/// Refuses numbers out of range, names used twice, and parts that refer to no body.
fn check(world: &World) -> Result<(), WorldError> {
    world.materials.check()?;
    let positive = |part: Part, key, x: f64| match Range::Positive.contains(x) {
        true => Ok(()),
        false => Err(part.fault_of(key, format!("`{key}` is {x}"), "it must be above zero")),
    };
    positive(Part::World, "step", world.step)?;
    if world.locked_axis.is_some_and(|axis| axis > 2) {
        let message = "there are three axes";
        return Err(Part::World.fault_of("locked_axis", message, "0, 1 or 2: x, y or z"));
    }
    check_finite(Part::World, "gravity", world.gravity)?;
    if world.bodies.is_empty() {
        return Err(Part::World.fault("there are no bodies", "add one by `body`"));
    }
    let mut names = BTreeSet::new();
    for (number, body) in world.bodies.iter().enumerate() {
        let part = Part::Body(number);
        body.mass.map_or(Ok(()), |mass| positive(part, "mass", mass))?;
        body.density.map_or(Ok(()), |density| positive(part, "density", density))?;
        body.thickness.map_or(Ok(()), |thickness| positive(part, "thickness", thickness))?;
        body.prestretch.map_or(Ok(()), |stretch| positive(part, "prestretch", stretch))?;
        check_finite(part, "position", body.position)?;
        check_finite(part, "rotation", body.rotation)?;
        check_finite(part, "velocity", body.velocity)?;
        check_finite(part, "spin", body.spin)?;
        for spring in body.springs.iter().flatten() {
            positive(part, "stiffness", spring.stiffness)?;
            if !Range::NonNegative.contains(spring.damping) {
                let message = format!("`damping` is {}", spring.damping);
                return Err(part.fault_of("damping", message, "it must not be negative"));
            }
        }
        if !Range::NonNegative.contains(body.radius) {
            let message = format!("`radius` is {}", body.radius);
            return Err(part.fault_of("radius", message, "it must not be negative"));
        }
        if !names.insert(body.name.as_str()) {
            let message = format!("two bodies are called `{}`", body.name);
            return Err(part.fault_of("name", message, "give each a name of its own"));
        }
    }
    check_loads(world)?;
    let pushes = world.pushes.iter().enumerate().map(|(n, push)| (Part::Push(n), push.body));
    let pins = world.pins.iter().enumerate().map(|(n, pin)| (Part::Pin(n), pin.body));
    let curves = world.curves.iter().enumerate().map(|(n, curve)| (Part::Curve(n), curve.body));
    let muscles = world.muscles.iter().enumerate().map(|(n, m)| (Part::Muscle(n), m.body));
    let drags = world.drags.iter().enumerate();
    let drags = drags.filter_map(|(n, drag)| Some((Part::Drag(n), drag.body?)));
    let mut all = pushes.chain(pins).chain(curves).chain(muscles).chain(drags);
    match all.find(|(_, body)| body.0 >= world.bodies.len()) {
        Some((part, _)) => {
            Err(part.fault_of("body", "the body is not this world's", "add the body first"))
        }
        None => Ok(()),
    }
}

fn check_finite(part: Part, key: &'static str, v: Vector) -> Result<(), WorldError> {
    match (v.x + v.y + v.z).is_finite() {
        true => Ok(()),
        false => Err(part.fault_of(key, format!("`{key}` is not finite"), "give three numbers")),
    }
}

/// Checks times, rates and coefficients of pushes, drags and curves.
fn check_loads(world: &World) -> Result<(), WorldError> {
    for (number, push) in world.pushes.iter().enumerate() {
        let part = Part::Push(number);
        check_finite(part, "force", push.force)?;
        if push.until.is_some_and(|until| until <= push.from) {
            let message = format!("`until` is not later than `from` ({} s)", push.from);
            return Err(part.fault_of("until", message, "give a later end"));
        }
        if !Range::NonNegative.contains(push.ramp) {
            return Err(part.fault_of("ramp", "`ramp` is negative", "0 s is no rise"));
        }
    }
    for (number, drag) in world.drags.iter().enumerate() {
        if !Range::NonNegative.contains(drag.rate) {
            let part = Part::Drag(number);
            return Err(part.fault_of("rate", "`rate` is negative", "0 1/s is no drag"));
        }
    }
    for (number, curve) in world.curves.iter().enumerate() {
        let part = Part::Curve(number);
        let friction = [curve.kinetic_friction, curve.static_or_kinetic()];
        if friction.iter().any(|mu| !Range::NonNegative.contains(*mu)) || friction[1] < friction[0]
        {
            let help = "0 ≤ kinetic ≤ static";
            return Err(part.fault_of("friction", "its friction is out of range", help));
        }
    }
    Ok(())
}

/// The shapes of all bodies; adds their sizes to `needs`.
fn shapes(
    world: &World,
    materials: &Assigned,
    needs: &mut Needs,
) -> Result<Vec<Box<dyn BodyShape>>, WorldError> {
    let mut shapes = Vec::with_capacity(world.bodies.len());
    for (number, body) in world.bodies.iter().enumerate() {
        let shape = body.shape.make("shape of a body", &SHAPES, false);
        let unfit = |problem| Part::Shape(number).unfit(problem);
        let mut shape = shape.map_err(unfit)?;
        let particles = usize::try_from(shape.size().0).unwrap_or(usize::MAX);
        let elastic = is_elastic(body, materials.of_body(world, number), particles);
        if elastic && world.refined {
            shape = Box::new(shape.refined().map_err(unfit)?);
        }
        needs.add(shape.as_ref(), elastic);
        shapes.push(shape);
    }
    Ok(shapes)
}

/// Names of the axes.
const AXES: [&str; 3] = ["x", "y", "z"];

/// Whether a curve of time moves a pin along an axis.
fn is_guided(pin: &Pin, axis: usize) -> bool {
    pin.guides.iter().any(|(direction, _)| direction[axis].abs() > 1e-9)
}

/// Whether two pins hold an axis at the same place at all times.
fn move_alike(a: &Pin, b: &Pin, axis: usize) -> bool {
    a.velocity[axis] == b.velocity[axis] && !is_guided(a, axis) && !is_guided(b, axis)
}

/// Refuses a pin that is moved along an axis it does not hold.
fn check_guides(world: &World, number: usize, pin: &Pin) -> Result<(), WorldError> {
    let holds = |axis: usize| pin.axes[axis] && world.locked_axis != Some(axis);
    let wrong = |axis: &usize| is_guided(pin, *axis) && !holds(*axis);
    let Some(axis) = (0..3).find(wrong) else { return Ok(()) };
    Err(Part::Pin(number).unfit(Problem {
        key: None,
        message: format!("the pin is moved along {}, which it does not hold", AXES[axis]),
        help: "hold that axis too (`axes`), or choose another direction".into(),
    }))
}

/// The error of two pins that hold an axis of one particle and move differently.
fn pulled_apart(pin: usize, particle: usize, axis: usize, body: &model::Body) -> WorldError {
    let at = particle - body.particles.start;
    Part::Pin(pin).unfit(Problem {
        key: None,
        message: format!(
            "particle {at} of `{}` is held along {} by two pins that move differently",
            body.name, AXES[axis]
        ),
        help: "give one pin both motions, or select other particles".into(),
    })
}

/// 1/m per axis, zero where a pin or the planar lock holds; held axes get their prescribed velocity.
fn inverse_masses(
    world: &World,
    bodies: &[model::Body],
    positions: &[Vector],
    masses: &[f64],
    velocities: &mut [Vector],
) -> Result<Vec<Vector>, WorldError> {
    let mut inverse_masses: Vec<Vector> = masses.iter().map(|m| Vector::repeat(1.0 / m)).collect();
    if let Some(axis) = world.locked_axis {
        for (inverse_mass, velocity) in inverse_masses.iter_mut().zip(velocities.iter_mut()) {
            inverse_mass[axis] = 0.0;
            velocity[axis] = 0.0;
        }
    }
    // the pin that already holds an axis of a particle
    let mut holders: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (number, pin) in world.pins.iter().enumerate() {
        check_guides(world, number, pin)?;
        for i in pin.selection.of(Part::Pin(number), &bodies[pin.body.0], positions)? {
            let held = |axis: &usize| pin.axes[*axis] && world.locked_axis != Some(*axis);
            for axis in (0..3).filter(held) {
                let before = holders.insert((i, axis), number).map(|other| &world.pins[other]);
                if before.is_some_and(|other| !move_alike(pin, other, axis)) {
                    return Err(pulled_apart(number, i, axis, &bodies[pin.body.0]));
                }
                inverse_masses[i][axis] = 0.0;
                velocities[i][axis] = pin.velocity[axis];
            }
        }
    }
    Ok(inverse_masses)
}
