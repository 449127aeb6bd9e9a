//! From a checked [`Scene`] to a model and its state at t = 0.

mod curves;
mod misfits;
mod rigid;
pub mod touching;

use super::shapes::{Family, Geometry, Masses, SHAPES, ShapeError};
use super::{Body, Place, Scene, Selection, SpringMaterial, SpringTable};
use crate::forces::Force;
use crate::forces::drag::Drag;
use crate::forces::gravity::Gravity;
use crate::forces::hand::Handling;
use crate::forces::push::Push;
use crate::forces::span::Span;
use crate::forces::springs::{Spring, Springs};
use crate::impulses::{CONTACT_METHODS, ContactMethod};
use crate::integrators::{INTEGRATORS, Integrator};
use crate::math::{Rotation, Vector, larger, radians, rotation_xyz};
use crate::model::{self, Model};
use crate::registry::{Entry, Problem, Table};
use crate::scene::diagnostics::{Diagnostic, FailureKind, SceneErrors};
use crate::state::State;
use rigid::{as_borne, move_rigidly, refuse_implicit, refuse_pins, rigid_bodies};
use std::ops::Range;
use touching::contact;

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

impl BuildError {
    /// The error as the scene's reader would give it, pointed at its place.
    pub fn in_scene(&self, scene: &Scene) -> SceneErrors {
        let (kind, diagnostic) = match self {
            BuildError::Scene { problem, place } => (
                FailureKind::Scene,
                Diagnostic::error("E311", *place, &problem.message).help(&problem.help),
            ),
            BuildError::Mesh(mesh) => (
                FailureKind::Mesh,
                Diagnostic::without_place("E401", mesh.to_string()).help(&mesh.help),
            ),
            BuildError::TooLarge { place, .. } => (
                FailureKind::Limit,
                Diagnostic::error("E402", *place, self.to_string())
                    .help("use fewer particles, or allow more with --max-memory"),
            ),
        };
        SceneErrors::single(kind, diagnostic, scene.sources.clone())
    }
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
    /// How contact is enforced.
    pub method: ContactMethod,
    /// Remarks for the user.
    pub remarks: Vec<String>,
}

/// Bytes per particle and per spring of an explicit run, generously.
const PARTICLE_BYTES: u128 = 400;
const SPRING_BYTES: u128 = 40;

/// What is too little to be spoken of \[m\].
const UNSPOKEN: f64 = 1e-3;

/// Builds the model and the state at t = 0.
pub fn build(scene: &Scene, options: &BuildOptions) -> Result<Built, BuildError> {
    let mut parts = Parts::default();
    refuse_too_large(scene, options)?;
    for body in &scene.bodies {
        parts.add_body(scene, body)?;
    }
    let Parts { bodies, mut positions, mut velocities, masses, springs, mut remarks } = parts;
    refuse_pins(scene)?;
    let mobilities = mobilities(scene, &bodies, &positions, &masses, &mut velocities)?;
    let loads = loads(scene, &bodies, &positions, &masses)?;
    let choice = &scene.integrator;
    let integrator = make(&INTEGRATORS, choice)
        .map_err(|problem| BuildError::Scene { place: choice.place_of(problem.key), problem })?;
    let choice = &scene.contact.method;
    let method = *make(&CONTACT_METHODS, choice)
        .map_err(|problem| BuildError::Scene { place: choice.place_of(problem.key), problem })?;
    refuse_implicit(scene, integrator.as_ref())?;
    misfits::refuse(scene, &method, &integrator.capabilities())?;
    let room = curves::Room {
        bodies: &bodies,
        mobilities: &mobilities,
        method: &integrator.capabilities(),
        contact_is_force: method.is_force(),
    };
    let curves = curves::curves(scene, &room, &mut positions, &mut velocities, &mut remarks)?;
    let rigid = rigid_bodies(scene, &bodies, &masses, &positions);
    let borne = as_borne(&rigid, &mobilities);
    let (surfaces, laws) =
        contact(scene, &bodies, &positions, &borne, &springs, &method, &mut remarks)?;
    let mut model = Model {
        springs: Springs::new(springs, positions.len(), options.threads),
        surfaces,
        laws,
        bodies,
        masses,
        mobilities,
        reference: positions.clone(),
        gravity: scene.gravity,
        locked_axis: scene.locked_axis,
        loads,
        rigid,
        others: curves,
    };
    let attitudes = vec![Rotation::identity(); model.rigid.len()];
    let mut state = State { positions, velocities, attitudes, ..State::default() };
    move_rigidly(&model, &mut state, &mut remarks);
    method.begin(&model, &mut state);
    remark_moved(&model, &state, &mut remarks);
    model.reference.clone_from(&state.positions);
    Ok(Built { model, state, integrator, method, remarks })
}

/// Says which bodies a contact method has moved out of what they overlapped at t = 0.
fn remark_moved(model: &Model, state: &State, remarks: &mut Vec<String>) {
    for body in &model.bodies {
        let shift = |i: usize| (state.positions[i] - model.reference[i]).norm();
        let most = body.particles.clone().map(shift).fold(0.0, larger);
        // a static penetration is of no use without springs under the contacts, and no news
        if most > UNSPOKEN {
            remarks.push(format!(
                "body `{}` overlapped what it touches and has been moved out, by up to {most:.3e} m",
                body.name
            ));
        }
    }
}

/// Makes the chosen row of a table.
pub fn make<T: ?Sized>(table: &Table<Entry<T>>, choice: &super::Choice) -> Result<Box<T>, Problem> {
    let row = table.find(choice.name).expect("the scene reader only lets known names through");
    (row.make)(&choice.values)
}

fn refuse_too_large(scene: &Scene, options: &BuildOptions) -> Result<(), BuildError> {
    let mut total = 0u128;
    for body in &scene.bodies {
        let Ok(shape) = make(&SHAPES, &body.shape) else { continue };
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
        let geometry =
            make(&SHAPES, shape).map_err(fault)?.generate(&scene.folder).map_err(|error| {
                match error {
                    ShapeError::Scene(problem) => fault(problem),
                    ShapeError::Mesh(error) => BuildError::Mesh(error),
                }
            })?;
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
        // the distances of a rigid body's particles need no springs
        let links = if body.rigid { &[][..] } else { &geometry.links };
        for link in links {
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
        let SpringTable { edge, face_diagonal, body_diagonal, bend, .. } = &body.springs;
        let families = [edge, face_diagonal, body_diagonal, bend];
        if body.rigid && families.iter().any(|family| family.is_some()) {
            self.remarks.push(format!("body `{}` is rigid: its springs are not built", body.name));
        }
        let loose = placed.len() > 1 && !body.rigid;
        if loose && self.springs.last().is_none_or(|spring| spring.i < start) {
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
    loads.push(Box::new(Handling));
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
