//! A solid that is meshed by its case: a lattice of cells, mapped.

use stiction_core::forces::elements::SolidLaw;
use stiction_core::math::Vector;
use stiction_core::registry::Problem;
use stiction_core::world::shapes::lattice::Lattice;
use stiction_core::world::shapes::{BodyShape, Geometry, Solid};
use stiction_core::world::{Elasticity, Material, Selection, World, named};

/// The cells of a lattice, six tetrahedra each, with their points mapped to where they are at rest, and displaced from
/// there at t = 0.
#[derive(Clone)]
pub struct Block {
    counts: [u64; 3],
    /// \[m\]
    rest: Vec<Vector>,
    /// \[m\]
    start: Vec<Vector>,
}

impl Block {
    /// A block of `counts` points, at rest at the image \[m\] of their numbers along x, y and z.
    pub fn new(counts: [u64; 3], rest: impl Fn([usize; 3]) -> Vector) -> Block {
        let [nx, ny, nz] = counts.map(|n| n as usize);
        let number = |p: usize| [p % nx, p / nx % ny, p / (nx * ny)];
        let rest: Vec<Vector> = (0..nx * ny * nz).map(|p| rest(number(p))).collect();
        Block { counts, start: rest.clone(), rest }
    }

    /// The same, displaced at t = 0 from x at rest to `start(x)` \[m\].
    pub fn displaced(self, start: impl Fn(&Vector) -> Vector) -> Block {
        Block { start: self.rest.iter().map(start).collect(), ..self }
    }

    /// The points whose place at rest is chosen.
    pub fn points(&self, chosen: impl Fn(&Vector) -> bool) -> Selection {
        let points = (0..self.rest.len()).filter(|i| chosen(&self.rest[*i]));
        Selection::Particles(points.collect())
    }

    /// Area of each point \[m²\] on a face of the block: a third of the triangles there, by which a uniform pressure
    /// acts on the points.
    pub fn areas(&self, on_face: impl Fn(&Vector) -> bool) -> Vec<f64> {
        let mut areas = vec![0.0; self.rest.len()];
        for (corners, _) in self.solid().unwrap_or_default().tetrahedra {
            let corners = corners.map(|i| i as usize);
            let face: Vec<usize> =
                corners.into_iter().filter(|i| on_face(&self.rest[*i])).collect();
            if let [a, b, c] = face[..] {
                let edge = |to: usize| self.rest[to] - self.rest[a];
                let area = 0.5 * edge(b).cross(&edge(c)).norm();
                face.iter().for_each(|i| areas[*i] += area / 3.0);
            }
        }
        areas
    }
}

impl BodyShape for Block {
    fn size(&self) -> (u128, u128) {
        (self.rest.len() as u128, 0)
    }

    fn solid_size(&self) -> u128 {
        Lattice::new(self.counts, 1.0).solid_size()
    }

    fn solid(&self) -> Option<Solid> {
        let mut solid = Lattice::new(self.counts, 1.0).solid()?;
        solid.volumes = vec![0.0; self.rest.len()];
        for (corners, edges) in &mut solid.tetrahedra {
            let [first, ends @ ..] = corners.map(|i| self.rest[i as usize]);
            *edges = ends.map(|end| end - first);
            let volume = edges[0].cross(&edges[1]).dot(&edges[2]) / 6.0;
            corners.iter().for_each(|i| solid.volumes[*i as usize] += 0.25 * volume);
        }
        Some(solid)
    }

    fn generate(&self) -> Result<Geometry, Problem> {
        Ok(Geometry { positions: self.start.clone(), ..Geometry::default() })
    }
}

/// A world without gravity under steps of backward Euler that are longer than any vibration, so that each comes to rest:
/// its step \[s\], and how far from rest a velocity may be \[m/s\].
pub fn at_rest(step: f64, tolerance: f64, solver: &str) -> World {
    let mut world = World::new();
    let newton = named("implicit-euler").with("newton_tolerance", tolerance);
    world.integrator(newton.with("linear_solver", solver));
    world.gravity(Vector::zeros()).step(step);
    world
}

/// A material of E \[Pa\], ν and ρ \[kg/m³\] without friction.
pub fn elastic(young: f64, poisson: f64, density: f64, law: SolidLaw) -> Material {
    let elasticity = Elasticity::new(young, poisson).law(law);
    Material::new("solid", 0.0, 0.0).density(density).elasticity(elasticity)
}
