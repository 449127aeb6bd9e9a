//! Particles and springs of all bodies, in the model's numbers.

use super::elastic::{Elastic, Making, is_elastic};
use crate::forces::elements::Elements;
use crate::forces::springs::{Spring, Springs};
use crate::math::{Vector, radians, rotation_xyz};
use crate::model;
use crate::world::body::Body;
use crate::world::error::{Part, WorldError};
use crate::world::materials::Material;
use crate::world::shapes::{BodyShape, Geometry, Link, Masses};

/// Particles of all bodies, body by body, and the sources of their springs.
#[derive(Default)]
pub(super) struct Parts {
    pub bodies: Vec<model::Body>,
    pub positions: Vec<Vector>,
    pub velocities: Vec<Vector>,
    pub masses: Vec<f64>,
    pub remarks: Vec<String>,
    plans: Vec<Plan>,
    elastic: Elastic,
    /// bodies with damping in proportion to mass, and its rate \[1/s\]
    pub drags: Vec<(usize, f64)>,
}

/// The rule of a body's shape, or its list of links: springs are made from it straight into the model's
/// list, without a second one.
struct Plan {
    shape: Box<dyn BodyShape>,
    /// positions at rest, in the body's own coordinates \[m\]
    positions: Vec<Vector>,
    /// empty where the shape has a rule
    links: Vec<Link>,
    start: usize,
}

impl Plan {
    /// The springs in the model's numbers, sorted by (i, j); none for a rigid body.
    fn springs<'a>(&'a self, body: &'a Body) -> impl Iterator<Item = Spring> + 'a {
        let listed = || Box::new(self.links.iter().copied());
        let links = self.shape.rule().unwrap_or_else(|| listed());
        links.filter(|_| !body.rigid).filter_map(|link| {
            let material = body.springs[link.family as usize]?;
            let (i, j) = (link.i as usize, link.j as usize);
            let apart = || (self.positions[j] - self.positions[i]).norm();
            let rest_length = link.rest_length.unwrap_or_else(apart);
            Some(Spring { i: self.start + i, j: self.start + j, rest_length, material })
        })
    }

    /// Number of these springs.
    fn count(&self, body: &Body) -> usize {
        let families = body.springs.map(|family| family.is_some());
        match self.shape.rule() {
            _ if body.rigid => 0,
            Some(_) => self.shape.springs_of(families) as usize,
            None => self.links.iter().filter(|link| families[link.family as usize]).count(),
        }
    }
}

/// Refuses keys of elastic bodies on one that is not.
fn refuse_idle(number: usize, body: &Body) -> Result<(), WorldError> {
    let given = [("thickness", body.thickness), ("prestretch", body.prestretch)];
    let Some((key, _)) = given.into_iter().find(|(_, value)| value.is_some()) else {
        return Ok(());
    };
    let message = format!("`{key}` of body `{}` does nothing: it is not elastic", body.name);
    let help = "leave it out; or give its material `young` and `poisson`, and itself no `springs`";
    Err(Part::Body(number).fault_of(key, message, help))
}

impl Parts {
    /// Adds a body.
    pub fn add_body(
        &mut self,
        number: usize,
        (body, material): (&Body, Option<&Material>),
        shape: Box<dyn BodyShape>,
    ) -> Result<(), WorldError> {
        let unfit = |problem| Part::Shape(number).unfit(problem);
        let mut geometry = shape.generate_unlisted().map_err(unfit)?;
        if geometry.positions.is_empty() {
            return Err(Part::Shape(number).fault(
                format!("the shape of body `{}` has no particles", body.name),
                "give it at least one",
            ));
        }
        geometry.check().map_err(unfit)?;
        let order = |link: &Link| (link.i, link.j);
        if !geometry.links.is_sorted_by_key(order) {
            geometry.links.sort_by_key(order);
        }
        let (start, n) = (self.positions.len(), geometry.positions.len());
        if is_elastic(body, material, n) {
            self.add_elements(number, (body, material), shape.as_ref(), &mut geometry)?;
        } else {
            refuse_idle(number, body)?;
        }
        self.place(number, (body, material), &geometry)?;
        let shifted = |t: &[u32; 3]| t.map(|p| p + start as u32);
        self.bodies.push(model::Body {
            name: body.name.clone(),
            particles: start..start + n,
            triangles: geometry.triangles.iter().map(shifted).collect(),
            segments: geometry.segments.iter().map(|s| s.map(|p| p + start as u32)).collect(),
            tetrahedra: geometry.tetrahedra.iter().map(|t| t.map(|p| p + start as u32)).collect(),
            midpoints: geometry.midpoints.iter().map(|m| m.map(|p| p + start as u32)).collect(),
        });
        let Geometry { positions, links, remarks, .. } = geometry;
        let plan = Plan { shape, positions, links, start };
        if body.rigid && body.springs.iter().any(|family| family.is_some()) {
            self.remarks.push(format!("body `{}` is rigid: its springs are not built", body.name));
        }
        if n > 1 && !body.rigid && plan.count(body) == 0 && !is_elastic(body, material, n) {
            self.remarks.push(format!(
                "body `{}` has {n} particles and nothing between them: give it `springs`, or its material `young` and `poisson`",
                body.name
            ));
        }
        self.remarks.extend(remarks.iter().map(|remark| format!("body `{}`: {remark}", body.name)));
        self.plans.push(plan);
        Ok(())
    }

    /// Adds the elements of a body, and their volumes to its geometry.
    fn add_elements(
        &mut self,
        number: usize,
        (body, material): (&Body, Option<&Material>),
        shape: &dyn BodyShape,
        geometry: &mut Geometry,
    ) -> Result<(), WorldError> {
        let Some(elasticity) = material.and_then(|material| material.elasticity) else {
            return Ok(());
        };
        let start = self.positions.len() as u32;
        let making = Making { number, body, elasticity, shape, start };
        self.elastic.add(&making, geometry)?;
        self.remarks.append(&mut self.elastic.remarks);
        if elasticity.mass_damping > 0.0 {
            self.drags.push((number, elasticity.mass_damping));
        }
        Ok(())
    }

    /// Places the particles of a body at t = 0.
    fn place(
        &mut self,
        number: usize,
        (body, material): (&Body, Option<&Material>),
        geometry: &Geometry,
    ) -> Result<(), WorldError> {
        let (start, n) = (self.positions.len(), geometry.positions.len());
        for vectors in [&mut self.positions, &mut self.velocities] {
            vectors.reserve_exact(n);
        }
        self.masses.reserve_exact(n);
        let given = matches!(geometry.masses, Masses::Given(_));
        let of_material = material.and_then(|material| material.density).filter(|_| !given);
        let density = body.density.or(of_material.filter(|_| body.mass.is_none()));
        add_masses(Part::Body(number), body, density, geometry, &mut self.masses)?;
        let turn = rotation_xyz(body.rotation.map(radians));
        self.positions.extend(geometry.positions.iter().map(|p| turn * p + body.position));
        let (placed, masses) = (&self.positions[start..], &self.masses[start..]);
        let total: f64 = masses.iter().sum();
        let center =
            placed.iter().zip(masses).fold(Vector::zeros(), |sum, (x, m)| sum + x * *m) / total;
        for (k, x) in placed.iter().enumerate() {
            let own = geometry.velocities.get(k).map_or(Vector::zeros(), |v| turn * v);
            self.velocities.push(body.velocity + body.spin.cross(&(x - center)) + own);
        }
        Ok(())
    }

    /// The elastic elements of all bodies; drops their sources.
    pub fn elements(&mut self) -> Elements {
        std::mem::take(&mut self.elastic).finish(self.positions.len())
    }

    /// The springs of all bodies; drops their sources.
    pub fn springs(&mut self, bodies: &[Body]) -> Springs {
        let plans = std::mem::take(&mut self.plans);
        let all = || plans.iter().zip(bodies).flat_map(|(plan, body)| plan.springs(body));
        Springs::sorted(all, self.positions.len())
    }
}

/// Appends m_i from the body's mass or density and the shape's distribution.
fn add_masses(
    part: Part,
    body: &Body,
    density: Option<f64>,
    geometry: &Geometry,
    into: &mut Vec<f64>,
) -> Result<(), WorldError> {
    let n = geometry.positions.len();
    let fault = |message: String, help: &str| part.fault(message, help);
    let missing = || {
        fault(
            format!("body `{}` has no mass", body.name),
            "give `mass` (kg, the whole body) or, for a lattice or a mesh, `density` (kg/m³)",
        )
    };
    let each = match (&geometry.masses, body.mass, density) {
        (_, Some(_), Some(_)) => {
            return Err(fault(
                format!("body `{}` has both `mass` and `density`", body.name),
                "give one of them",
            ));
        }
        (Masses::Given(_), Some(_), _) | (Masses::Given(_), _, Some(_)) => {
            return Err(fault(
                format!(
                    "body `{}` has masses per particle and a `mass` or `density` too",
                    body.name
                ),
                "leave out one of them",
            ));
        }
        (Masses::Given(list), None, None) => {
            into.extend(list);
            return Ok(());
        }
        (Masses::ByVolume(volumes), mass, density) => {
            let volume: f64 = volumes.iter().sum();
            let density = density.or(mass.map(|m| m / volume)).ok_or_else(missing)?;
            into.extend(volumes.iter().map(|v| v * density));
            return Ok(());
        }
        (Masses::Even { volume: Some(volume) }, None, Some(density)) => density * volume / n as f64,
        (_, None, Some(_)) => {
            return Err(fault(
                format!("body `{}` has a `density`, but its shape has no volume", body.name),
                "give `mass` instead",
            ));
        }
        (_, Some(mass), None) => mass / n as f64,
        (_, None, None) => return Err(missing()),
    };
    into.extend(std::iter::repeat_n(each, n));
    Ok(())
}
