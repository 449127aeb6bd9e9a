//! The mesh of elastic bodies as a cause: the same scene with every edge of their elements cut in its middle.

use super::{Family, Scaled};
use std::collections::BTreeSet;
use stiction_core::contact::friction::{FRICTION_LAWS, formula};
use stiction_core::contact::normal::NORMAL_LAWS;
use stiction_core::integrators::INTEGRATORS;
use stiction_core::math::{number, smaller};
use stiction_core::model::{Body, Model};
use stiction_core::registry::{Key, Kind, Value};
use stiction_core::state::memory::Contact;
use stiction_core::world::Elasticity;
use stiction_core::world::shapes::lattice;
use stiction_scene::Scene;
use stiction_scene::build::make;
use stiction_scene::description::Choice;

/// The order assumed of one finer mesh: that of displacements by linear elements, where these are smooth.
pub(in crate::run) const ORDER: f64 = 2.0;

/// Elastic bodies, all of them at half the edge.
struct Mesh {
    /// mean length of the edges of elements \[m\]
    edge: f64,
    /// halvings of the step by one of the edges
    halvings: u32,
    /// factor of what a law of contact states in newtons per particle; `None` where no such law acted
    per_particle: Option<f64>,
}

impl Family for Mesh {
    fn name(&self) -> String {
        "edge".into()
    }

    fn value(&self) -> Option<f64> {
        Some(self.edge)
    }

    fn value_at(&self, q: f64) -> f64 {
        self.edge * q
    }

    fn factor(&self, q: f64) -> f64 {
        q
    }

    /// The scene with its bodies refined once, whatever q below 1.
    fn at(&self, _: f64, mut scene: Scene) -> Scene {
        scene.refined = true;
        if let Some(factor) = self.per_particle {
            let contact = &mut scene.contact;
            let normal = NORMAL_LAWS.find(contact.normal.name).map_or(&[][..], |row| row.keys);
            scale(&mut contact.normal, normal, factor);
            let friction = FRICTION_LAWS.find(contact.friction.name);
            scale(&mut contact.friction, friction.map_or(&[][..], |row| row.keys), factor);
            contact.adhesion.iter_mut().for_each(|adhesion| adhesion.force *= factor);
        }
        scene
    }

    /// None: a coarser mesh may not exist.
    fn coarser(&self) -> Vec<(f64, u32)> {
        Vec::new()
    }

    fn finer(&self) -> Vec<(f64, u32)> {
        vec![(0.5, self.halvings)]
    }

    fn note(&self) -> Option<String> {
        let mut note = format!("order {ORDER} assumed");
        if let Some(factor) = self.per_particle {
            note += &format!("; contact stiffness per particle × {}", number(round(factor)));
        }
        Some(note)
    }
}

/// Multiplies the keys of a law that state a force of one contact.
fn scale(choice: &mut Choice, keys: &[Key], factor: f64) {
    let is_force =
        |key: &&Key| matches!(key.kind, Kind::Number { unit, .. } if unit.starts_with('N'));
    for key in keys.iter().filter(is_force) {
        if let Some(value) = choice.values.get_number(key.name) {
            let values = std::mem::take(&mut choice.values);
            choice.values = values.set(key.name, Value::Number(factor * value));
        }
    }
}

/// The elastic bodies of a scene with this model, if a finer mesh of these is the same scene.
pub(super) fn scaled(scene: &Scene, model: &Model, contacts: Option<&[Contact]>) -> Scaled {
    let owners = Owners::of(model);
    if let Some(body) = owners.springs.iter().position(|sprung| *sprung) {
        return Scaled::Unknown(format!(
            "body `{}` is of springs, whose k and c belong to their mesh: give its material `young` and `poisson` in their place",
            model.bodies[body].name
        ));
    }
    if !owners.elements.contains(&true) {
        return Scaled::Nothing("no body deforms".into());
    }
    if let Some(why) = owners.locks(scene, model).or_else(|| unscaled(scene)) {
        return Scaled::Unknown(why);
    }
    let per_particle = match contacts.filter(|_| !scene.contact.jumps()) {
        None => None,
        Some(contacts) => match owners.share_of_particles(scene, model, contacts) {
            Ok(factor) => Some(factor),
            Err(why) => return Scaled::Unknown(why),
        },
    };
    let method = make(&INTEGRATORS, &scene.integrator).map(|method| method.capabilities());
    let explicit = method.is_ok_and(|method| !method.implicit && !method.adaptive);
    // waves cross an edge in a time that falls with it, bending follows its square
    let bends = model.bodies.iter().zip(&owners.elements);
    let bends = bends.into_iter().any(|(body, own)| *own && body.tetrahedra.is_empty());
    let halvings = if explicit { 1 + u32::from(bends) } else { 0 };
    Scaled::By(Box::new(Mesh { edge: mean_edge(model), halvings, per_particle }))
}

/// Why a scene states per particle what cannot be spread over a finer mesh; `None` where it does not.
fn unscaled(scene: &Scene) -> Option<String> {
    let given = scene.bodies.iter().find(|body| body.shape.values.has("masses"));
    if let Some(body) = given {
        return Some(format!(
            "masses of body `{}` are given particle by particle, and a finer mesh has others",
            body.name
        ));
    }
    (scene.contact.friction.name == formula::ENTRY.name).then(|| {
        "friction is a formula, and what it says of a particle is not known of a quarter of it"
            .into()
    })
}

/// Whether each body has elements, and whether it has springs.
struct Owners {
    elements: Vec<bool>,
    springs: Vec<bool>,
}

impl Owners {
    fn of(model: &Model) -> Self {
        let none = vec![false; model.bodies.len()];
        let mut owners = Owners { elements: none.clone(), springs: none };
        let mark = |of: &mut Vec<bool>, i: usize| {
            model.body_of(i).into_iter().for_each(|body| of[body] = true);
        };
        model.elements.edges().iter().for_each(|[i, _]| mark(&mut owners.elements, *i as usize));
        model.springs.for_each(|spring| mark(&mut owners.springs, spring.i));
        owners
    }

    /// Why halving the elements of a body does not show how far they are off; `None` where it does, as in a lattice,
    /// whose cells are mirrored: confined, they lock less than others.
    fn locks(&self, scene: &Scene, model: &Model) -> Option<String> {
        let bodies = scene.bodies.iter().zip(&model.bodies).zip(&self.elements);
        let mut solid =
            bodies.filter(|((_, made), elastic)| **elastic && !made.tetrahedra.is_empty());
        solid.find_map(|((body, _), _)| {
            let poisson = scene.materials[body.material].poisson.filter(|nu| *nu > Elasticity::LOCKS)?;
            if body.shape.name == lattice::ENTRY.name {
                return None;
            }
            Some(format!(
                "elements of body `{}` lock at Poisson's ratio {poisson}, and finer ones do too: their error falls slower than by order 2",
                body.name
            ))
        })
    }

    /// The factor of a force per particle that leaves the sum over what touches at the end as it is: touching particles
    /// over those of the refined mesh there. Where nothing touches at the end, that of a large surface or line.
    ///
    /// # Errors
    /// A body has no elements: its particles stay, and laws of contact are the same for all.
    fn share_of_particles(
        &self,
        scene: &Scene,
        model: &Model,
        contacts: &[Contact],
    ) -> Result<f64, String> {
        let bodies = || model.bodies.iter().zip(&self.elements);
        if let Some((body, _)) = bodies().find(|(_, elastic)| !**elastic) {
            return Err(format!(
                "body `{}` has no elements, and the contact stiffness of its particles cannot be scaled without it",
                body.name
            ));
        }
        let touching: BTreeSet<u32> =
            contacts.iter().map(|contact| contact.particle() as u32).collect();
        if touching.is_empty() {
            let planar = scene.locked_axis.is_some();
            return Ok(bodies().map(|(body, _)| large_share(body, planar)).fold(1.0, smaller));
        }
        // each edge between two of them has one more in its middle
        let mut edges = BTreeSet::new();
        for body in &model.bodies {
            let mut add = |corners: &[u32]| {
                let among = || corners.iter().filter(|i| touching.contains(i));
                edges.extend(
                    among().flat_map(|i| among().filter(move |j| i < *j).map(move |j| [*i, *j])),
                );
            };
            body.triangles.iter().for_each(|triangle| add(triangle));
            body.segments.iter().for_each(|segment| add(segment));
        }
        let before = touching.len() as f64;
        Ok(before / (before + edges.len() as f64))
    }
}

/// By how much particles become fewer per area of a refined surface, or per length of a line or of an outline in a plane.
fn large_share(body: &Body, planar: bool) -> f64 {
    let is_solid = !body.tetrahedra.is_empty();
    if is_solid || !(body.triangles.is_empty() || planar) { 0.25 } else { 0.5 }
}

/// With three digits behind the point.
fn round(factor: f64) -> f64 {
    (1e3 * factor).round() / 1e3
}

/// The mean length of the edges of elements at t = 0 \[m\].
fn mean_edge(model: &Model) -> f64 {
    let mut edges: Vec<[u32; 2]> = Vec::new();
    for body in &model.bodies {
        let mut add = |corners: &[u32]| {
            for (k, i) in corners.iter().enumerate() {
                edges.extend(corners[k + 1..].iter().map(|j| [*i.min(j), *i.max(j)]));
            }
        };
        match (body.tetrahedra.is_empty(), body.triangles.is_empty()) {
            (false, _) => body.tetrahedra.iter().for_each(|t| add(t)),
            (true, false) => body.triangles.iter().for_each(|t| add(t)),
            (true, true) => body.segments.iter().for_each(|s| add(s)),
        }
    }
    edges.sort_unstable();
    edges.dedup();
    let length =
        |[i, j]: &[u32; 2]| (model.reference[*i as usize] - model.reference[*j as usize]).norm();
    edges.iter().map(length).sum::<f64>() / edges.len() as f64
}
