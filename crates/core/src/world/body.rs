//! The builder of a body.

use super::chosen::Chosen;
use super::materials::MaterialId;
use super::setters::described;
use super::shapes::{BodyShape, Family};
use crate::contact::anisotropy::Anisotropy;
use crate::forces::springs::SpringMaterial;
use crate::math::Vector;

/// Number of a body of one world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyId(pub(crate) usize);

impl BodyId {
    /// The `number`th body added to a world, from 0.
    pub fn nth(number: usize) -> Self {
        BodyId(number)
    }
}

described! {
    /// A body of particles and springs. It needs a mass or a density, unless its shape gives masses.
    ///
    /// ```
    /// use stiction_core::world::{Body, World, named};
    /// use stiction_core::world::shapes::{Family, lattice::Lattice};
    ///
    /// let mut world = World::new();
    /// world.material(("rubber", 0.9, 0.7));
    /// world.body(Body::new("box", Lattice::new([5, 5, 3], 0.1)).mass(2.0).springs(2e4, 20.0));
    /// let cloth = named("cloth").with("counts", [20, 20]).with("spacing", 0.02);
    /// world.body(Body::new("cloth", cloth).mass(0.2).spring(Family::Edge, 500.0, 0.1));
    /// assert!(world.simulate().is_ok());
    /// ```
    #[derive(Debug, Clone)]
    pub struct Body {
        /// A body at rest, where its shape lies. The shape is a row of [`super::shapes::SHAPES`] or any
        /// [`BodyShape`], for example a [`super::shapes::Geometry`].
        new(name: String, shape: Chosen<dyn BodyShape>)
        keeps { springs: [Option<SpringMaterial>; 4] = [None; 4]; };
        /// Its material; by default the world's only one.
        material: Option<MaterialId> = None;
        /// Mass of the whole body \[kg\], distributed by the shape.
        mass: Option<f64> = None;
        /// Density \[kg/m³\], for shapes with a volume.
        density: Option<f64> = None;
        /// Translation of the shape \[m\].
        position: Vector = Vector::zeros();
        /// Rotation \[degrees\] about the fixed axes x, then y, then z, before the translation.
        rotation: Vector = Vector::zeros();
        /// Velocity of the whole body \[m/s\].
        velocity: Vector = Vector::zeros();
        /// Angular velocity about the centre of mass \[rad/s\].
        spin: Vector = Vector::zeros();
        /// Radius of its particles for contact \[m\].
        radius: f64 = 0.0;
        /// Thickness of an elastic sheet, or diameter of an elastic rope \[m\].
        thickness: Option<f64> = None;
        /// Stretch of the elements of an elastic body at t = 0, alike in all directions: lengths over those at rest.
        prestretch: Option<f64> = None;
        /// Whether its particles keep their distances exactly; its springs are then not built.
        rigid: bool = false;
        /// Friction across a direction differs from that along it; the direction is in the shape's
        /// frame.
        anisotropy: Option<Anisotropy> = None;
    }
}

impl Body {
    /// Stiffness \[N/m\] and damping \[N·s/m\] of edges, face diagonals and body diagonals;
    /// [`Self::spring`] adds bending springs.
    #[must_use]
    pub fn springs(self, stiffness: f64, damping: f64) -> Self {
        let families = [Family::Edge, Family::FaceDiagonal, Family::BodyDiagonal];
        families.into_iter().fold(self, |body, family| body.spring(family, stiffness, damping))
    }

    /// Stiffness \[N/m\] and damping \[N·s/m\] of one family of springs.
    #[must_use]
    pub fn spring(mut self, family: Family, stiffness: f64, damping: f64) -> Self {
        self.springs[family as usize] = Some(SpringMaterial { stiffness, damping });
        self
    }
}
