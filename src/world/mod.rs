//! Worlds in Rust: bodies, colliders, materials, laws and methods → a model, its state at t = 0, and
//! a simulation of them. A scene file goes the same way: it is translated into a [`World`].
//!
//! ```
//! use stiction::world::{Body, Collider, World, named, shapes::lattice::Lattice};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut world = World::new();
//! let rubber = world.material(("rubber", 0.5, 0.5));
//! let (sin, cos) = (0.3420, 0.9397);
//! world.collider(Collider::plane("slope", [-sin, 0.0, cos], [0.0; 3]).material(rubber));
//! let jelly = Lattice::new([5, 5, 3], 0.1);
//! world.body(Body::new("box", jelly).mass(1.0).springs(2e4, 20.0).rotation([0.0, -20.0, 0.0]));
//! world.normal(named("linear").with("stiffness", 1e4).with("damping", 10.0));
//! world.friction(named("threshold").with("epsilon", 1e-3));
//! world.integrator("symplectic-euler").step(1e-4);
//! let mut simulation = world.simulate()?;
//! while simulation.state.time < 0.1 {
//!     simulation.advance()?;
//! }
//! assert!(simulation.state.positions.iter().all(|x| x.x > -0.3));
//! println!("{:?}", simulation.verdict());
//! # Ok(())
//! # }
//! ```
//!
//! Whatever has a name in a table (friction and normal laws, integrators, contact methods, shapes,
//! colliders) is chosen by that name, with parameters by [`named`], or is a value of any type that
//! implements the trait. What does not fit together is told when the world is built, by the
//! [`Part`] at fault.

mod body;
mod build;
mod chosen;
mod error;
mod loads;
mod materials;
pub mod shapes;
mod surface;

pub use body::Body;
pub use build::{BuildOptions, Built};
pub use chosen::{Chosen, NamedRow, named};
pub use error::{Part, WorldError};
pub use loads::{Curve, Drag, Pin, Push, Selection};
pub use materials::{DEFAULT_PAIRING, Material, Materials};
pub use surface::Collider;

use crate::contact::adhesion::Adhesion;
use crate::contact::friction::FrictionLaw;
use crate::contact::laws::StretchIn;
use crate::contact::normal::NormalLaw;
use crate::impulses::ContactMethod;
use crate::integrators::Integrator;
use crate::math::Vector;
use crate::simulation::Simulation;

/// A material of one world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaterialId(pub(crate) usize);

/// A body of one world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyId(pub(crate) usize);

/// A world to be built. Nothing is checked until [`Self::build`] or [`Self::simulate`].
#[derive(Debug, Clone)]
pub struct World {
    gravity: Vector,
    locked_axis: Option<usize>,
    step: f64,
    materials: Materials,
    bodies: Vec<Body>,
    colliders: Vec<Collider>,
    pushes: Vec<Push>,
    pins: Vec<Pin>,
    drags: Vec<Drag>,
    curves: Vec<Curve>,
    integrator: Chosen<dyn Integrator>,
    method: Chosen<ContactMethod>,
    normal: Chosen<dyn NormalLaw>,
    friction: Chosen<dyn FrictionLaw>,
    adhesion: Option<Adhesion>,
    stretch: StretchIn,
    between_bodies: bool,
    self_contact: bool,
}

impl Default for World {
    fn default() -> Self {
        World {
            gravity: Vector::new(0.0, 0.0, -9.81),
            locked_axis: None,
            step: 1e-4,
            materials: Materials::default(),
            bodies: Vec::new(),
            colliders: Vec::new(),
            pushes: Vec::new(),
            pins: Vec::new(),
            drags: Vec::new(),
            curves: Vec::new(),
            integrator: "symplectic-euler".into(),
            method: "penalty".into(),
            normal: "linear".into(),
            friction: "threshold".into(),
            adhesion: None,
            stretch: StretchIn::Commit,
            between_bodies: false,
            self_contact: false,
        }
    }
}

impl World {
    /// An empty world: gravity 9.81 m/s² along −z, symplectic Euler with steps of 1e-4 s, penalty
    /// contact by the `linear` normal law, which needs its stiffness, and the `threshold` friction
    /// law.
    pub fn new() -> Self {
        World::default()
    }

    /// Adds a material: `("rubber", μ_s, μ_k)` or a [`Material`].
    pub fn material(&mut self, material: impl Into<Material>) -> MaterialId {
        MaterialId(self.materials.add(material))
    }

    /// Explicit coefficients of friction \[μ_s, μ_k\] and restitution e for two materials, which win
    /// over the combine rules. An absent μ_k is μ_s; what else is absent is left to the rules.
    pub fn pair(
        &mut self,
        materials: [MaterialId; 2],
        friction: [Option<f64>; 2],
        restitution: Option<f64>,
    ) -> &mut Self {
        self.materials.add_pair(materials.map(|m| m.0), friction, restitution);
        self
    }

    /// The combine rules for coefficients of friction and of restitution, by name; `weighted-sum`
    /// for both at first.
    pub fn pairing(&mut self, friction: &str, restitution: &str) -> &mut Self {
        self.materials.pairing(friction, restitution);
        self
    }

    /// All materials, instead of those added so far.
    #[cfg_attr(not(feature = "scene"), allow(dead_code, reason = "the scene translates them"))]
    pub(crate) fn materials(&mut self, materials: Materials) {
        self.materials = materials;
    }

    /// Adds a body.
    pub fn body(&mut self, body: Body) -> BodyId {
        self.bodies.push(body);
        BodyId(self.bodies.len() - 1)
    }

    /// Adds a collider.
    pub fn collider(&mut self, collider: Collider) -> &mut Self {
        self.colliders.push(collider);
        self
    }

    /// Adds a push.
    pub fn push(&mut self, push: Push) -> &mut Self {
        self.pushes.push(push);
        self
    }

    /// Adds a pin.
    pub fn pin(&mut self, pin: Pin) -> &mut Self {
        self.pins.push(pin);
        self
    }

    /// Adds drag.
    pub fn drag(&mut self, drag: Drag) -> &mut Self {
        self.drags.push(drag);
        self
    }

    /// Adds a curve.
    pub fn curve(&mut self, curve: Curve) -> &mut Self {
        self.curves.push(curve);
        self
    }

    /// Acceleration of gravity \[m/s²\].
    pub fn gravity(&mut self, gravity: impl Into<Vector>) -> &mut Self {
        self.gravity = gravity.into();
        self
    }

    /// Locks an axis, 0 for x, 1 for y, 2 for z: velocity and force along it are zero, coordinates
    /// are kept.
    pub fn lock_axis(&mut self, axis: impl Into<Option<usize>>) -> &mut Self {
        self.locked_axis = axis.into();
        self
    }

    /// The integrator: a row of [`crate::integrators::INTEGRATORS`], or any [`Integrator`].
    pub fn integrator(&mut self, method: impl Into<Chosen<dyn Integrator>>) -> &mut Self {
        self.integrator = method.into();
        self
    }

    /// The fixed step and commit interval \[s\].
    pub fn step(&mut self, step: f64) -> &mut Self {
        self.step = step;
        self
    }

    /// How contact is enforced: a row of [`crate::impulses::CONTACT_METHODS`], or any
    /// [`crate::impulses::Impulse`].
    pub fn contact_method(&mut self, method: impl Into<Chosen<ContactMethod>>) -> &mut Self {
        self.method = method.into();
        self
    }

    /// The normal law: a row of [`crate::contact::normal::NORMAL_LAWS`], or any [`NormalLaw`].
    pub fn normal(&mut self, law: impl Into<Chosen<dyn NormalLaw>>) -> &mut Self {
        self.normal = law.into();
        self
    }

    /// The friction law: a row of [`crate::contact::friction::FRICTION_LAWS`], or any
    /// [`FrictionLaw`].
    ///
    /// ```
    /// use stiction::contact::friction::threshold::Threshold;
    /// use stiction::world::World;
    ///
    /// World::new().friction(Threshold { epsilon: 1e-3 });
    /// ```
    pub fn friction(&mut self, law: impl Into<Chosen<dyn FrictionLaw>>) -> &mut Self {
        self.friction = law.into();
        self
    }

    /// Adhesion of every contact.
    pub fn adhesion(&mut self, adhesion: impl Into<Option<Adhesion>>) -> &mut Self {
        self.adhesion = adhesion.into();
        self
    }

    /// Where the memory of a friction law lives.
    pub fn stretch(&mut self, stretch: StretchIn) -> &mut Self {
        self.stretch = stretch;
        self
    }

    /// Whether bodies touch each other, and whether they touch themselves.
    pub fn body_contact(&mut self, each_other: bool, themselves: bool) -> &mut Self {
        (self.between_bodies, self.self_contact) = (each_other, themselves);
        self
    }

    /// The model, its state at t = 0 and its methods.
    ///
    /// # Errors
    /// Names that are not in the tables, values out of range, parts that do not go together, bodies
    /// that do not fit into memory.
    pub fn build(&self, options: &BuildOptions) -> Result<Built, WorldError> {
        build::build(self, options)
    }

    /// A simulation that stands at t = 0.
    ///
    /// # Errors
    /// As [`Self::build`].
    pub fn simulate(&self) -> Result<Simulation, WorldError> {
        let Built { model, state, integrator, method, .. } = self.build(&BuildOptions::default())?;
        Ok(Simulation::with_method(model, state, integrator, method, self.step))
    }

    /// Whether anything can touch anything.
    fn touches(&self) -> bool {
        !self.colliders.is_empty() || self.between_bodies || self.self_contact
    }

    /// The number of a part's material: its own, or the only one.
    fn material_of(&self, part: Part, material: Option<MaterialId>) -> Result<usize, WorldError> {
        match (material, self.materials.list.len()) {
            (Some(MaterialId(m)), count) if m < count => Ok(m),
            (None, 1) => Ok(0),
            (None, 0) if !self.touches() => Ok(0),
            (Some(_), _) => Err(part.fault_of("material", "its material is not this world's", "")),
            (None, count) => Err(part.fault_of(
                "material",
                format!("there are {count} materials, and it says not which is its"),
                "choose one by `material`",
            )),
        }
    }
}
