//! Shapes of bodies: initial positions of the particles, and the springs between them.

pub mod cloth;
pub mod disc;
pub mod file;
mod grid;
pub mod lattice;
pub mod particle;
pub mod points;
mod refined;
pub mod ring;
pub mod rope;
pub mod sphere;
#[cfg_attr(not(feature = "round"), path = "no_triangles.rs")]
mod triangles;

pub use grid::tetrahedra_of_cell;

use crate::math::Vector;
use crate::registry::{Entry, Problem, Table};

/// A shape of a body.
pub trait BodyShape: Send + Sync {
    /// (particles, springs) of the shape, without allocation, so that bodies that do not fit into memory
    /// can be refused. An upper bound if the numbers are not known in advance.
    fn size(&self) -> (u128, u128);

    /// Number of springs of the families chosen by [`Family`]; a bound as in [`Self::size`].
    fn springs_of(&self, families: [bool; 4]) -> u128 {
        if families == [false; 4] { 0 } else { self.size().1 }
    }

    /// Memory \[bytes\] that making the shape takes beside the resulting geometry.
    fn making(&self) -> u128 {
        0
    }

    /// Memory \[bytes\] of its triangles, segments and tetrahedra: 12, 8 and 16 each.
    fn surface(&self) -> u128 {
        0
    }

    /// The area \[m²\] of the round surface that its triangles stand for; `None` where they are the surface.
    fn round_area(&self) -> Option<f64> {
        None
    }

    /// The tetrahedra that fill it and the volume of each particle, where they follow from a rule; where they do
    /// not, they are those of [`Geometry::tetrahedra`]. None for lines and sheets.
    fn solid(&self) -> Option<Solid> {
        None
    }

    /// Number of tetrahedra of [`Self::solid`].
    fn solid_size(&self) -> u128 {
        0
    }

    /// Makes the geometry.
    fn generate(&self) -> Result<Geometry, Problem>;

    /// The springs one by one, sorted by (i, j), if they follow from a rule: a list of those of a
    /// million particles would exceed all other memory of a run. `None` if [`Self::generate`] lists
    /// them.
    fn rule(&self) -> Option<Box<dyn Iterator<Item = Link> + '_>> {
        None
    }

    /// The geometry without the springs of [`Self::rule`].
    fn generate_unlisted(&self) -> Result<Geometry, Problem> {
        self.generate()
    }

    /// The shape with elements half as large, [`Geometry::refined`].
    ///
    /// # Errors
    /// Those of [`Self::generate`], and more particles than can be numbered.
    fn refined(&self) -> Result<Geometry, Problem> {
        let mut geometry = self.generate_unlisted()?;
        if let Some(Solid { tetrahedra, volumes }) = self.solid() {
            geometry.tetrahedra = tetrahedra.into_iter().map(|(corners, _)| corners).collect();
            if matches!(geometry.masses, Masses::Even { .. } | Masses::Unknown) {
                geometry.masses = Masses::ByVolume(volumes);
            }
        }
        geometry.refined()
    }
}

/// A geometry is a shape: a mesh from elsewhere.
impl BodyShape for Geometry {
    fn solid(&self) -> Option<Solid> {
        (!self.tetrahedra.is_empty()).then(|| Solid::of(self))
    }

    fn solid_size(&self) -> u128 {
        self.tetrahedra.len() as u128
    }

    fn size(&self) -> (u128, u128) {
        (self.positions.len() as u128, self.links.len() as u128)
    }

    /// Two copies: the shape and the result.
    fn making(&self) -> u128 {
        let [particles, links] = [self.positions.len(), self.links.len()].map(|n| n as u128);
        2 * (particles * 32 + links * 32 + self.surface())
    }

    fn surface(&self) -> u128 {
        let (triangles, segments) = (self.triangles.len() as u128, self.segments.len() as u128);
        12 * triangles + 8 * segments + 16 * self.tetrahedra.len() as u128
    }

    fn springs_of(&self, families: [bool; 4]) -> u128 {
        self.links.iter().filter(|link| families[link.family as usize]).count() as u128
    }

    fn generate(&self) -> Result<Geometry, Problem> {
        self.check()?;
        Ok(self.clone())
    }
}

impl Geometry {
    /// Checks that springs and elements join existing particles, that masses are above zero, and that
    /// positions and velocities are finite.
    pub(super) fn check(&self) -> Result<(), Problem> {
        let particles = self.positions.len() as u32;
        let beyond = |list: &[u32]| list.iter().any(|i| *i >= particles);
        let wrong = self.links.iter().any(|l| l.i >= l.j || l.j >= particles)
            || self.triangles.iter().any(|t| beyond(t))
            || self.segments.iter().any(|s| beyond(s))
            || self.tetrahedra.iter().any(|t| beyond(t))
            || self.midpoints.len() > self.positions.len()
            || self.midpoints.iter().any(|m| beyond(m));
        if !wrong {
            return self.check_numbers();
        }
        Err(Problem {
            key: None,
            message: format!(
                "the geometry of {particles} particles joins some that are not there, or a link is not i < j"
            ),
            help: "particles count from 0".into(),
        })
    }
}

impl Geometry {
    fn check_numbers(&self) -> Result<(), Problem> {
        let particles = self.positions.len();
        let masses = match &self.masses {
            Masses::Given(list) | Masses::ByVolume(list) => &list[..],
            Masses::Even { .. } | Masses::Unknown => &[],
        };
        let fault =
            |message: String, help: &str| Err(Problem { key: None, message, help: help.into() });
        if !masses.is_empty() && masses.len() != particles {
            let message = format!("{} masses for {particles} particles", masses.len());
            return fault(message, "give one for each");
        }
        if masses.iter().any(|m| !(*m > 0.0 && m.is_finite())) {
            return fault("a particle has no mass".into(), "masses are above zero");
        }
        if !self.velocities.is_empty() && self.velocities.len() != particles {
            let message = format!("{} velocities for {particles} particles", self.velocities.len());
            return fault(message, "give one for each, or none");
        }
        if self.positions.iter().chain(&self.velocities).any(|v| !(v.x + v.y + v.z).is_finite()) {
            return fault("a position or velocity is not finite".into(), "give numbers");
        }
        Ok(())
    }
}

/// Family of a spring: it selects stiffness and damping of `springs = { ... }`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// Lattice and mesh edges, links, ropes.
    Edge,
    /// Face diagonals of lattice and cloth cells.
    FaceDiagonal,
    /// Space diagonals of lattice cells.
    BodyDiagonal,
    /// Second neighbours along a line.
    Bend,
}

/// A spring of a shape, i < j.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// First particle.
    pub i: u32,
    /// Second particle.
    pub j: u32,
    /// Family.
    pub family: Family,
    /// Rest length \[m\]; the initial distance when absent.
    pub rest_length: Option<f64>,
}

impl Link {
    /// A spring at rest at its initial length, i < j.
    pub fn new(i: u32, j: u32, family: Family) -> Self {
        Link { i, j, family, rest_length: None }
    }
}

/// Particles, springs and surface of a body in its own coordinates.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Geometry {
    /// Positions \[m\].
    pub positions: Vec<Vector>,
    /// Velocities \[m/s\] added to the body's; empty for none.
    pub velocities: Vec<Vector>,
    /// The masses of the particles.
    pub masses: Masses,
    /// Springs, sorted by (i, j), no pair twice.
    pub links: Vec<Link>,
    /// Surface triangles, outward, for pictures and contact; empty for none.
    pub triangles: Vec<[u32; 3]>,
    /// Segments along a rope, for contact; empty for none.
    pub segments: Vec<[u32; 2]>,
    /// Tetrahedra that fill it, for other programs; empty for none.
    pub tetrahedra: Vec<[u32; 4]>,
    /// Of a refined mesh, the two particles between which each of its last particles lies; else empty.
    pub midpoints: Vec<[u32; 2]>,
    /// Remarks for the user (welded vertices, a note about the mesh).
    pub remarks: Vec<String>,
}

/// Tetrahedra that fill a shape.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Solid {
    /// Four corners, the last three anticlockwise as seen from the first, and the edges from the first to them at
    /// rest \[m\].
    pub tetrahedra: Vec<([u32; 4], [Vector; 3])>,
    /// Volume of each particle \[m³\].
    pub volumes: Vec<f64>,
}

impl Solid {
    /// The tetrahedra of a geometry, a quarter of each for each corner.
    fn of(geometry: &Geometry) -> Self {
        let mut solid = Solid {
            tetrahedra: Vec::with_capacity(geometry.tetrahedra.len()),
            volumes: vec![0.0; geometry.positions.len()],
        };
        for corners in &geometry.tetrahedra {
            solid.add(*corners, |i| geometry.positions[i as usize]);
            let volume = solid.last_volume();
            corners.iter().for_each(|i| solid.volumes[*i as usize] += 0.25 * volume);
        }
        solid
    }

    /// Adds a tetrahedron in either order of its corners.
    fn add(&mut self, [a, b, c, d]: [u32; 4], at: impl Fn(u32) -> Vector) {
        let edge = |i: u32| at(i) - at(a);
        let turned = edge(b).cross(&edge(c)).dot(&edge(d)) < 0.0;
        let corners = if turned { [a, c, b, d] } else { [a, b, c, d] };
        let [_, ends @ ..] = corners;
        self.tetrahedra.push((corners, ends.map(edge)));
    }

    /// V of the last tetrahedron \[m³\].
    fn last_volume(&self) -> f64 {
        self.tetrahedra.last().map_or(0.0, |(_, [a, b, c])| a.cross(b).dot(c) / 6.0)
    }
}

/// Distribution of a body's mass.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Masses {
    /// Even; `volume` \[m³\] is multiplied by a density, absent if a density has no meaning.
    Even {
        /// Volume of the whole \[m³\].
        volume: Option<f64>,
    },
    /// In proportion to a volume per particle \[m³\].
    ByVolume(Vec<f64>),
    /// Given, per particle \[kg\].
    Given(Vec<f64>),
    /// Unknown.
    #[default]
    Unknown,
}

/// The fault of more particles than 32 bits can number.
fn too_large(key: &'static str, particles: u128) -> Problem {
    Problem::of(
        key,
        format!("{particles} particles are more than the {} that can be numbered", u32::MAX),
        "use fewer particles",
    )
}

/// All body shapes.
pub static SHAPES: Table<Entry<dyn BodyShape>> = Table::new(
    "body shape",
    &[
        particle::ENTRY,
        points::ENTRY,
        lattice::ENTRY,
        rope::ENTRY,
        cloth::ENTRY,
        disc::ENTRY,
        ring::ENTRY,
        sphere::ENTRY,
        file::ENTRY,
    ],
);
