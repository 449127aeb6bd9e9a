//! Colliders: surfaces with a signed distance and a normal, and how they move.

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
mod surface;
mod unread;

use super::anisotropy::Anisotropy;
use crate::math::Vector;
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

    /// [`Self::gap`] where the distance is below `reach` \[m\]; a shape that searches for it may
    /// give up sooner where it is not.
    fn gap_within(&self, p: Vector, reach: f64) -> Option<Gap> {
        let gap = self.gap(p);
        (gap.distance < reach).then_some(gap)
    }

    /// Which of at most [`BATCH`] points may have a distance below their reach \[m\], bit by bit:
    /// those that certainly have not need not be asked. Everything, unless the shape knows a test that
    /// is cheaper than the distance.
    fn may_reach(&self, points: &[Vector], reach: &[f64], range: f64) -> u64 {
        let _ = (points, reach, range);
        u64::MAX
    }

    /// A point about which it turns by default \[m\].
    fn center(&self) -> Vector;

    /// The convex pieces that collide one by one; a hollow box has six.
    fn parts(self: Box<Self>) -> Vec<Box<dyn Shape>>;

    /// Its form, for drawing.
    fn form(&self) -> ColliderForm<'_> {
        ColliderForm::Level
    }

    /// A function of the place that is zero on the surface and negative in the solid: the distance,
    /// unless there is a simpler one.
    fn level(&self, p: Vector) -> f64 {
        self.gap(p).distance
    }

    /// Half its least thickness \[m\]: what comes deeper is pushed out on the other side. Infinite
    /// where there is none, or where it is not known.
    fn half_thickness(&self) -> f64 {
        f64::INFINITY
    }

    /// Whether it is all that is below a plane: no straight way passes through that.
    fn is_half_space(&self) -> bool {
        false
    }

    /// Whether its gap is a true distance, and so dear that what is known to be far should not ask
    /// again. A true distance changes by no more than the point moves.
    fn is_costly(&self) -> bool {
        false
    }
}

/// Points that [`Shape::may_reach`] is asked for at a time.
pub const BATCH: usize = 64;

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
    /// Nothing simpler than where [`Shape::level`] is zero.
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
