//! A body as its author describes it.

use super::MaterialId;
use super::chosen::Chosen;
use super::shapes::{BodyShape, Family};
use crate::contact::anisotropy::Anisotropy;
use crate::forces::springs::SpringMaterial;
use crate::math::Vector;

/// A body of particles and springs. It needs a mass or a density, unless its shape gives masses.
///
/// ```
/// use stiction::world::{Body, World, named};
/// use stiction::world::shapes::{Family, lattice::Lattice};
///
/// let mut world = World::new();
/// world.material(("rubber", 0.9, 0.7));
/// world.body(Body::new("box", Lattice::new([5, 5, 3], 0.1)).mass(2.0).springs(2e4, 20.0));
/// let cloth = named("cloth").with("counts", [20, 20]).with("spacing", 0.02);
/// world.body(Body::new("cloth", cloth).mass(0.2).spring(Family::Edge, 500.0, 0.1));
/// ```
#[derive(Debug, Clone)]
pub struct Body {
    pub(super) name: String,
    pub(super) shape: Chosen<dyn BodyShape>,
    pub(super) material: Option<MaterialId>,
    pub(super) mass: Option<f64>,
    pub(super) density: Option<f64>,
    /// by [`Family`]
    pub(super) springs: [Option<SpringMaterial>; 4],
    pub(super) position: Vector,
    pub(super) rotation: Vector,
    pub(super) velocity: Vector,
    pub(super) spin: Vector,
    pub(super) radius: f64,
    pub(super) rigid: bool,
    pub(super) anisotropy: Option<Anisotropy>,
}

impl Body {
    /// A body at rest, where its shape is. The shape is a row of [`super::shapes::SHAPES`] or any
    /// [`BodyShape`], for example a [`super::shapes::Geometry`].
    pub fn new(name: impl Into<String>, shape: impl Into<Chosen<dyn BodyShape>>) -> Self {
        Body {
            name: name.into(),
            shape: shape.into(),
            material: None,
            mass: None,
            density: None,
            springs: [None; 4],
            position: Vector::zeros(),
            rotation: Vector::zeros(),
            velocity: Vector::zeros(),
            spin: Vector::zeros(),
            radius: 0.0,
            rigid: false,
            anisotropy: None,
        }
    }

    /// Its material; the world's only one when this is not called.
    #[must_use]
    pub fn material(mut self, material: MaterialId) -> Self {
        self.material = Some(material);
        self
    }

    /// Mass of the whole body \[kg\], spread as the shape spreads it.
    #[must_use]
    pub fn mass(mut self, mass: impl Into<Option<f64>>) -> Self {
        self.mass = mass.into();
        self
    }

    /// Density \[kg/m³\], for shapes with a volume.
    #[must_use]
    pub fn density(mut self, density: impl Into<Option<f64>>) -> Self {
        self.density = density.into();
        self
    }

    /// Stiffness \[N/m\] and damping \[N·s/m\] of edges, face diagonals and body diagonals alike;
    /// there are no bending springs until [`Self::spring`] asks for them.
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

    /// Translation of the shape \[m\].
    #[must_use]
    pub fn position(mut self, position: impl Into<Vector>) -> Self {
        self.position = position.into();
        self
    }

    /// Rotation \[degrees\] about the fixed axes x, then y, then z, before the translation.
    #[must_use]
    pub fn rotation(mut self, degrees: impl Into<Vector>) -> Self {
        self.rotation = degrees.into();
        self
    }

    /// Velocity of the whole body \[m/s\].
    #[must_use]
    pub fn velocity(mut self, velocity: impl Into<Vector>) -> Self {
        self.velocity = velocity.into();
        self
    }

    /// Rate of turn about the centre of mass \[rad/s\].
    #[must_use]
    pub fn spin(mut self, spin: impl Into<Vector>) -> Self {
        self.spin = spin.into();
        self
    }

    /// Radius of its particles for contact \[m\].
    #[must_use]
    pub fn radius(mut self, radius: f64) -> Self {
        self.radius = radius;
        self
    }

    /// Whether its particles keep their distances exactly; its springs are then not built.
    #[must_use]
    pub fn rigid(mut self, rigid: bool) -> Self {
        self.rigid = rigid;
        self
    }

    /// Other friction across a direction than along it; the direction is the shape's own.
    #[must_use]
    pub fn anisotropy(mut self, anisotropy: impl Into<Option<Anisotropy>>) -> Self {
        self.anisotropy = anisotropy.into();
        self
    }
}
