//! The builder of a world.

use super::body::{Body, BodyId};
use super::chosen::Chosen;
use super::error::{Part, WorldError};
use super::loads::{Curve, Drag, Muscle, Pin, Push};
use super::materials::{Material, MaterialId, Materials};
use super::surface::Collider;
use crate::contact::adhesion::Adhesion;
use crate::contact::friction::{FrictionLaw, threshold};
use crate::contact::laws::StretchIn;
use crate::contact::normal::{NormalLaw, linear};
use crate::expression::time_curve::TimeCurve;
use crate::impulses::{ContactMethod, penalty};
use crate::integrators::{Integrator, symplectic_euler};
use crate::math::Vector;

/// A world to be built. Nothing is checked until [`World::build`] or [`World::simulate`].
#[derive(Debug, Clone)]
pub struct World {
    pub(super) gravity: Vector,
    pub(super) locked_axis: Option<usize>,
    pub(super) step: f64,
    pub(super) materials: Materials,
    pub(super) bodies: Vec<Body>,
    pub(super) colliders: Vec<Collider>,
    pub(super) pushes: Vec<Push>,
    pub(super) pins: Vec<Pin>,
    pub(super) drags: Vec<Drag>,
    pub(super) curves: Vec<Curve>,
    pub(super) muscles: Vec<Muscle>,
    pub(super) gravity_factor: Option<TimeCurve>,
    pub(super) integrator: Chosen<dyn Integrator>,
    pub(super) contact_method: Chosen<ContactMethod>,
    pub(super) normal: Chosen<dyn NormalLaw>,
    pub(super) friction: Chosen<dyn FrictionLaw>,
    pub(super) adhesion: Option<Adhesion>,
    pub(super) stretch: StretchIn,
    pub(super) between_bodies: bool,
    pub(super) self_contact: bool,
    pub(super) refined: bool,
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
            muscles: Vec::new(),
            gravity_factor: None,
            integrator: symplectic_euler::ENTRY.name.into(),
            contact_method: penalty::ENTRY.name.into(),
            normal: linear::ENTRY.name.into(),
            friction: threshold::ENTRY.name.into(),
            adhesion: None,
            stretch: StretchIn::Automatic,
            between_bodies: false,
            self_contact: false,
            refined: false,
        }
    }
}

/// Methods that set one field, or add to a list of parts.
macro_rules! settings {
    (
        set { $($(#[$doc:meta])* $field:ident: $type:ty;)* }
        add { $($(#[$add_doc:meta])* $part:ident: $part_type:ty => $list:ident;)* }
    ) => {
        impl World {
            $($(#[$doc])* pub fn $field(&mut self, $field: impl Into<$type>) -> &mut Self {
                self.$field = $field.into();
                self
            })*
            $($(#[$add_doc])* pub fn $part(&mut self, $part: $part_type) -> &mut Self {
                self.$list.push($part);
                self
            })*
        }
    };
}

settings! {
    set {
        /// Acceleration of gravity \[m/s²\].
        gravity: Vector;
        /// Factor on gravity as a curve of time.
        gravity_factor: Option<TimeCurve>;
        /// Locks an axis, 0 for x, 1 for y, 2 for z: velocity and force along it are zero, coordinates
        /// are kept.
        locked_axis: Option<usize>;
        /// The fixed step and commit interval \[s\].
        step: f64;
        /// The integrator: a row of [`crate::integrators::INTEGRATORS`], or any [`Integrator`].
        integrator: Chosen<dyn Integrator>;
        /// The contact method: a row of [`crate::impulses::CONTACT_METHODS`], or any
        /// [`crate::impulses::Impulse`].
        contact_method: Chosen<ContactMethod>;
        /// The normal law: a row of [`crate::contact::normal::NORMAL_LAWS`], or any [`NormalLaw`].
        normal: Chosen<dyn NormalLaw>;
        /// The friction law: a row of [`crate::contact::friction::FRICTION_LAWS`], or any
        /// [`FrictionLaw`].
        ///
        /// ```
        /// use stiction_core::contact::friction::threshold::Threshold;
        /// use stiction_core::world::World;
        ///
        /// World::new().friction(Threshold { epsilon: 1e-3 });
        /// ```
        friction: Chosen<dyn FrictionLaw>;
        /// Adhesion of every contact.
        adhesion: Option<Adhesion>;
        /// Where a friction law's stretch is stored.
        stretch: StretchIn;
        /// Whether bodies touch each other.
        between_bodies: bool;
        /// Whether bodies touch themselves.
        self_contact: bool;
        /// Whether bodies of elastic elements have their mesh refined once
        /// ([`refined`](super::shapes::BodyShape::refined)). Selections mean the same points, lines and faces
        /// ([`super::Selection`]); the laws of contact, which are per particle, stay.
        refined: bool;
        /// All materials; replaces those added so far.
        materials: Materials;
    }
    add {
        /// Adds a collider.
        collider: Collider => colliders;
        /// Adds a push.
        push: Push => pushes;
        /// Adds a pin.
        pin: Pin => pins;
        /// Adds drag.
        drag: Drag => drags;
        /// Adds a curve.
        curve: Curve => curves;
        /// Adds a muscle.
        muscle: Muscle => muscles;
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

    /// Explicit coefficients of friction \[μ_s, μ_k\] and restitution e for two materials; they override
    /// the combine rules. An absent μ_k is μ_s; other absent values follow the rules.
    pub fn pair(
        &mut self,
        materials: [MaterialId; 2],
        friction: [Option<f64>; 2],
        restitution: Option<f64>,
    ) -> &mut Self {
        self.materials.add_pair(materials.map(|m| m.0), friction, restitution);
        self
    }

    /// The combine rules for friction and for restitution, by name; `weighted-sum` for both by default.
    pub fn pairing(&mut self, friction: &str, restitution: &str) -> &mut Self {
        self.materials.pairing(friction, restitution);
        self
    }

    /// Adds a body.
    pub fn body(&mut self, body: Body) -> BodyId {
        self.bodies.push(body);
        BodyId(self.bodies.len() - 1)
    }

    /// Whether any contact is possible.
    pub(super) fn touches(&self) -> bool {
        !self.colliders.is_empty() || self.between_bodies || self.self_contact
    }

    /// The number of a part's material: its own, or the only one.
    pub(super) fn material_of(
        &self,
        part: Part,
        material: Option<MaterialId>,
    ) -> Result<usize, WorldError> {
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
