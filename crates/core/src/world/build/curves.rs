//! Builds the constraints of curves and projects the state at t = 0 onto them.

use crate::constraints::Constraint;
use crate::constraints::curve::{self, Coupling, CurveFormula, Friction, Local};
use crate::integrators::{Capabilities, symplectic_euler};
use crate::math::{Vector, larger};
use crate::model::Body;
use crate::world::builder::World;
use crate::world::error::{Part, WorldError};
use crate::world::loads::Curve;

/// The integrator that messages name for couplings that solve for the multiplier.
const STEPPED: &str = symplectic_euler::ENTRY.name;

/// Largest distance of a given position from its curve \[m\]; up to it the particle is moved onto it.
const NEAR: f64 = 1e-3;

/// Largest shift and change of speed without a remark \[m, m/s\].
const UNSPOKEN: f64 = 1e-6;

/// The model's parts that curves depend on.
pub(super) struct Room<'a> {
    pub bodies: &'a [Body],
    pub inverse_masses: &'a [Vector],
    pub method: &'a Capabilities,
    pub contact_is_force: bool,
}

/// All curves. Projects positions and velocities at t = 0 onto them.
pub(super) fn curves(
    world: &World,
    room: &Room,
    positions: &mut [Vector],
    velocities: &mut [Vector],
    remarks: &mut Vec<String>,
) -> Result<Vec<Box<dyn Constraint>>, WorldError> {
    let mut curves: Vec<Box<dyn Constraint>> = Vec::new();
    let mut taken: Vec<usize> = Vec::new();
    for (number, description) in world.curves.iter().enumerate() {
        let part = Part::Curve(number);
        let coupling = coupling(world, room, part, description)?;
        let body = &room.bodies[description.body.0];
        if world.bodies[description.body.0].rigid {
            return Err(part.fault(
                format!("`{}` is rigid, and its particles cannot each follow a curve", body.name),
                "leave out `rigid = true`, or bind a body of springs or an elastic body",
            ));
        }
        let particles = description.selection.of(part, body, positions)?;
        if let Some(twice) = particles.iter().find(|i| taken.contains(i)) {
            return Err(part.fault(
                format!("{} is on two curves", named(body, *twice)),
                "write one [[curve]] with two formulas, phi = [\"...\", \"...\"]: where both surfaces meet",
            ));
        }
        let curve = curve::Curve {
            formulas: description.phi.iter().map(CurveFormula::new).collect(),
            inverse_masses: particles.iter().map(|i| room.inverse_masses[*i]).collect(),
            particles,
            locked_axis: world.locked_axis,
            friction: Friction {
                kinetic: description.kinetic_friction,
                static_: description.static_or_kinetic(),
                coupling,
                rest: description.rest,
            },
            stabilisation: description.stabilisation,
            projection: description.projection,
            first: taken.len(),
        };
        taken.extend(&curve.particles);
        let mut moved = [0.0f64; 2];
        for &i in &curve.particles {
            let (x, v) = (&mut positions[i], &mut velocities[i]);
            let name = named(body, i);
            let off = put(world, &curve, part, &name, room.inverse_masses[i], x, v)?;
            moved = [larger(moved[0], off[0]), larger(moved[1], off[1])];
        }
        remark(&body.name, moved, remarks);
        curves.push(Box::new(curve));
    }
    Ok(curves)
}

fn named(body: &Body, i: usize) -> String {
    format!("particle {} of `{}`", i - body.particles.start, body.name)
}

fn remark(body: &str, [shift, speed]: [f64; 2], remarks: &mut Vec<String>) {
    if shift > UNSPOKEN {
        remarks.push(format!(
            "body `{body}` was up to {shift:.3e} m off its curve and has been put onto it"
        ));
    }
    if speed > UNSPOKEN {
        remarks.push(format!(
            "the velocity of body `{body}` led off its curve; {speed:.3e} m/s across it have been left out"
        ));
    }
}

/// The coupling, if the method supports it.
fn coupling(
    world: &World,
    room: &Room,
    part: Part,
    description: &Curve,
) -> Result<Coupling, WorldError> {
    let method = world.integrator.name();
    // the multiplier can be part of such a step
    let is_stepped = room.method.is_velocity_first();
    let by_method = if is_stepped { Coupling::MultiplierLinear } else { Coupling::Reduced };
    let coupling = description.coupling.unwrap_or(by_method);
    let fault = |message: String, help: String| match description.coupling {
        Some(_) => part.fault_of("coupling", message, help),
        None => Part::Integrator.fault(message, help),
    };
    if !room.contact_is_force && world.touches() {
        return Err(part.fault(
            format!(
                "contact by `{}` jumps velocities and would throw particles off their curve",
                world.contact_method.name()
            ),
            "leave out [contact] method, so that contacts are forces",
        ));
    }
    match coupling {
        Coupling::Reduced if room.method.implicit => Err(fault(
            format!("`{method}` is implicit, and the reaction of a curve has no Jacobian here"),
            "choose an explicit method: rk4 or dopri5 with coupling = \"reduced\", or symplectic-euler".into(),
        )),
        Coupling::Reduced if room.method.kick_share.is_none() => Err(fault(
            format!(
                "`{method}` goes on from rates of the step before, which a curve on which velocities reverse or stop does not bear"
            ),
            "choose rk4 or dopri5 with coupling = \"reduced\", or symplectic-euler".into(),
        )),
        Coupling::Reduced => Ok(coupling),
        _ if is_stepped => Ok(coupling),
        _ => Err(fault(
            format!(
                "coupling = \"{}\" solves for velocity and multiplier together, after a step of {STEPPED}; it does not go with `{method}`",
                coupling.word()
            ),
            format!(
                "choose [integrator] method = \"{STEPPED}\", or coupling = \"reduced\", which works under any explicit method"
            ),
        )),
    }
}

/// Moves a particle onto the curve; returns the distance moved \[m\] and the removed speed across the
/// curve \[m/s\].
fn put(
    world: &World,
    curve: &curve::Curve,
    part: Part,
    name: &str,
    inverse_mass: Vector,
    x: &mut Vector,
    v: &mut Vector,
) -> Result<[f64; 2], WorldError> {
    let at = |x: &Vector| Local::new(&curve.formulas, x, inverse_mass, world.locked_axis);
    let free = inverse_mass.iter().filter(|w| **w > 0.0).count();
    if free <= curve.formulas.len() {
        return Err(part.fault(
            format!(
                "{name} can move along {free} of the axes and is bound by {} formulas: nothing is left for it to move along",
                curve.formulas.len()
            ),
            "leave out a formula, a pin, or `planar`",
        ));
    }
    let start = *x;
    for _ in 0..50 {
        let local = at(x);
        if !local.is_regular() {
            return Err(part.fault_of(
                "phi",
                format!(
                    "at {name}, [{}, {}, {}], `phi` says not where its surface is: it is not finite, its gradient vanishes, or two gradients are parallel",
                    x.x, x.y, x.z
                ),
                "write a formula that changes its sign across the surface, and put the particle where it can be differentiated",
            ));
        }
        let step = local.shift(local.values);
        *x -= step;
        if step.norm() <= 1e-15 * (1.0 + x.norm()) {
            break;
        }
    }
    let off = (*x - start).norm();
    if off > NEAR || !off.is_finite() {
        return Err(part.fault(
            format!(
                "{name} is at [{}, {}, {}], {off:.3} m off the curve",
                start.x, start.y, start.z
            ),
            format!("put it onto the curve, for example at [{:.6}, {:.6}, {:.6}]", x.x, x.y, x.z),
        ));
    }
    let along = at(x).tangential(v);
    let across = (*v - along).norm();
    *v = along;
    Ok([off, across])
}
