//! Colliders: surfaces with a signed distance and a normal, and their motions.

pub mod capsule;
pub mod closed;
pub mod cuboid;
pub mod cylinder;
pub mod heightfield;
pub mod implicit;
pub mod march;
pub mod mesh;
pub mod motion;
pub mod outline;
pub mod plane;
pub mod sphere;
#[cfg_attr(not(feature = "mesh"), path = "no_surface.rs")]
pub(crate) mod surface;
mod unread;

use super::anisotropy::Anisotropy;
use crate::math::{Vector, larger, smaller};
use crate::registry::{Entry, Table};
pub use motion::{Motion, Pose};

/// Signed distance to a surface and the unit outward normal there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gap {
    /// Distance \[m\], negative inside the solid.
    pub distance: f64,
    /// Unit normal, pointing out of the solid.
    pub normal: Vector,
}

/// A surface at rest, in the coordinates of the scene at t = 0.
pub trait Shape: Send + Sync {
    /// Signed distance and normal at `p` \[m\].
    fn gap(&self, p: Vector) -> Gap;

    /// [`Self::gap`] where the distance is below `reach` \[m\], else none; a search may stop early
    /// beyond `reach`.
    fn gap_within(&self, p: Vector, reach: f64) -> Option<Gap> {
        let gap = self.gap(p);
        (gap.distance < reach).then_some(gap)
    }

    /// A bit for each of at most `BATCH` points: cleared if the distance is certain to be at least
    /// its `reach` + `range` \[m\]. All bits are set unless the shape has a test cheaper than the
    /// distance.
    fn may_reach(&self, points: &[Vector], reach: &[f64], range: f64) -> u64 {
        let _ = (points, reach, range);
        u64::MAX
    }

    /// Default centre of rotation \[m\].
    fn center(&self) -> Vector;

    /// The pieces that collide separately; a hollow box has six.
    fn parts(self: Box<Self>) -> Vec<Box<dyn Shape>>;

    /// Its form, for drawing.
    fn form(&self) -> ColliderForm<'_> {
        ColliderForm::Level
    }

    /// A function that is zero on the surface and negative in the solid: the distance, unless a simpler
    /// one exists.
    fn level(&self, p: Vector) -> f64 {
        self.gap(p).distance
    }

    /// Half the least thickness \[m\]: a particle deeper than that is pushed out on the other side.
    /// Infinite for a shape without another side or of unknown thickness.
    fn half_thickness(&self) -> f64 {
        f64::INFINITY
    }

    /// Whether the shape is a half-space, through which no straight path can pass.
    fn is_half_space(&self) -> bool {
        false
    }

    /// Whether the gap is a true distance, which changes by no more than the point moves, and costly
    /// enough to be cached.
    fn is_costly(&self) -> bool {
        false
    }
}

/// Largest number of points in one call of [`Shape::may_reach`].
pub(crate) const BATCH: usize = 64;

/// The form of a shape.
pub enum ColliderForm<'a> {
    /// A half-space.
    Plane(&'a plane::Plane),
    /// A ball, or the inside of one.
    Sphere(&'a sphere::SphereSurface),
    /// A box.
    Cuboid(&'a cuboid::Cuboid),
    /// A cylinder, or the inside of one.
    Cylinder(&'a cylinder::Cylinder),
    /// A cylinder with round ends, or the inside of one.
    Capsule(&'a capsule::Capsule),
    /// Triangles \[m\].
    Triangles(Vec<[Vector; 3]>),
    /// Only the zero set of [`Shape::level`].
    Level,
}

/// An axis-parallel box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Lower corner \[m\].
    pub min: Vector,
    /// Upper corner \[m\].
    pub max: Vector,
}

impl Bounds {
    /// The smallest box around points; none without points.
    pub fn around(mut points: impl Iterator<Item = Vector>) -> Option<Bounds> {
        let first = points.next()?;
        let wider = |all: Bounds, p: Vector| Bounds {
            min: all.min.zip_map(&p, smaller),
            max: all.max.zip_map(&p, larger),
        };
        Some(points.fold(Bounds { min: first, max: first }, wider))
    }

    /// Whether two boxes have a point in common.
    pub fn meets(&self, other: &Bounds) -> bool {
        (0..3).all(|k| self.min[k] <= other.max[k] && other.min[k] <= self.max[k])
    }

    /// Distance of a point from the box \[m\], zero inside.
    pub fn distance(&self, p: Vector) -> f64 {
        (self.min - p).zip_map(&(p - self.max), larger).map(|apart| larger(apart, 0.0)).norm()
    }
}

/// A collider of the model: a surface, its motion, its material.
pub struct Collider {
    /// Its name in the scene.
    pub name: String,
    /// Index of its material.
    pub material: usize,
    /// The surface.
    pub shape: Box<dyn Shape>,
    /// Its motion.
    pub motion: Motion,
    /// Anisotropy of friction on it, fixed to the shape; its direction is that at t = 0.
    pub anisotropy: Option<Anisotropy>,
}

/// All collider shapes.
pub static COLLIDERS: Table<Entry<dyn Shape>> = Table::new(
    "collider",
    &[
        plane::ENTRY,
        sphere::ENTRY,
        cuboid::ENTRY,
        cylinder::ENTRY,
        capsule::ENTRY,
        mesh::ENTRY,
        heightfield::ENTRY,
        implicit::ENTRY,
    ],
);
