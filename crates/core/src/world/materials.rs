//! Materials, and the coefficients of their pairs.

use super::error::{Part, WorldError};
use super::setters::described;
use crate::contact::material::{CombineRule, FRICTION_PAIRINGS, RESTITUTION_PAIRINGS};
use crate::contact::normal::NormalLaw;
use crate::contact::pair::Pair;
use crate::forces::elements::{Moduli, SolidLaw, SolidMaterial};
use crate::registry::Range;
use crate::state::memory::Coefficients;
use std::collections::BTreeMap;

/// The default combine rule.
pub const DEFAULT_PAIRING: &str = "weighted-sum";

/// Number of a material of one world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaterialId(pub(crate) usize);

impl MaterialId {
    /// The `number`th material added to a world, from 0.
    pub fn nth(number: usize) -> Self {
        MaterialId(number)
    }
}

described! {
    /// Elasticity of a material: bodies of it without springs are solids.
    ///
    /// ```
    /// use stiction_core::world::{Body, Elasticity, Material, World, shapes::lattice::Lattice};
    ///
    /// let mut world = World::new();
    /// let rubber = Elasticity::new(1e6, 0.45).damping(1e-4);
    /// world.material(Material::new("rubber", 0.9, 0.7).density(1100.0).elasticity(rubber));
    /// world.body(Body::new("pad", Lattice::new([5, 5, 3], 0.01)));
    /// assert!(world.simulate().is_ok());
    /// ```
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Elasticity {
        /// Young's modulus E \[Pa\] and Poisson's ratio ν, −1 < ν < ½.
        new(young: f64, poisson: f64);
        /// Energy of a deformation.
        law: SolidLaw = SolidLaw::default();
        /// Damping in proportion to stiffness, τ \[s\]: a vibration at the frequency f \[Hz\] has the damping ratio
        /// ζ = π f τ and the loss factor 2π f τ.
        damping: f64 = 0.0;
        /// Damping in proportion to mass \[1/s\]: that of a drag.
        mass_damping: f64 = 0.0;
    }
}

impl Elasticity {
    /// Poisson's ratio above which linear tetrahedra lock.
    pub const LOCKS: f64 = 0.45;

    /// λ, μ, law and damping of a solid.
    pub(super) fn solid(&self) -> SolidMaterial {
        self.with(Moduli::of(self.young, self.poisson))
    }

    /// Those of a sheet; it has a law of its own.
    pub(super) fn sheet(&self) -> SolidMaterial {
        self.with(Moduli::plane_stress(self.young, self.poisson))
    }

    /// Those of a rope; it has a law of its own.
    pub(super) fn rope(&self) -> SolidMaterial {
        self.with(Moduli::line(self.young))
    }

    fn with(&self, moduli: Moduli) -> SolidMaterial {
        SolidMaterial { moduli, law: self.law, damping: self.damping }
    }

    fn check(&self, part: Part) -> Result<(), WorldError> {
        let fault =
            |key, x: f64, help: &str| Err(part.fault_of(key, format!("`{key}` is {x}"), help));
        if !Range::Positive.contains(self.young) {
            return fault("young", self.young, "it must be above zero");
        }
        if !(self.poisson > -1.0 && self.poisson < 0.5) {
            return fault("poisson", self.poisson, "it lies between −1 and ½, both excluded");
        }
        for (key, x) in [("damping", self.damping), ("mass_damping", self.mass_damping)] {
            if !Range::NonNegative.contains(x) {
                return fault(key, x, "it must not be negative");
            }
        }
        Ok(())
    }
}

described! {
    /// Coefficients of friction and, optionally, of restitution, density and elasticity.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Material {
        /// A material with μ_s and μ_k, without a coefficient of restitution.
        new(name: String, static_friction: f64, kinetic_friction: f64);
        /// The coefficient of restitution e, from 0 to 1.
        restitution: Option<f64> = None;
        /// Density \[kg/m³\] of bodies that have no mass or density of their own.
        density: Option<f64> = None;
        /// Elasticity.
        elasticity: Option<Elasticity> = None;
    }
}

/// `(name, μ_s, μ_k)`.
impl From<(&str, f64, f64)> for Material {
    fn from((name, static_friction, kinetic_friction): (&str, f64, f64)) -> Self {
        Material::new(name, static_friction, kinetic_friction)
    }
}

/// Explicit values for two materials; they override the combine rules.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Explicit {
    materials: [usize; 2],
    static_friction: Option<f64>,
    kinetic_friction: Option<f64>,
    restitution: Option<f64>,
}

/// All materials of a world with their combine rules.
#[derive(Debug, Clone, PartialEq)]
pub struct Materials {
    pub(super) list: Vec<Material>,
    pairs: Vec<Explicit>,
    /// the first of the pairs of two materials, the lower number first
    numbers: BTreeMap<[usize; 2], usize>,
    pub(super) friction_pairing: String,
    pub(super) restitution_pairing: String,
}

impl Default for Materials {
    fn default() -> Self {
        Materials {
            list: Vec::new(),
            pairs: Vec::new(),
            numbers: BTreeMap::new(),
            friction_pairing: DEFAULT_PAIRING.into(),
            restitution_pairing: DEFAULT_PAIRING.into(),
        }
    }
}

fn combine(table: &'static [CombineRule], name: &str, x: f64, y: f64) -> f64 {
    // unknown names were refused earlier
    table.iter().find(|law| law.name == name).map_or(0.0, |law| (law.combine)(x, y))
}

impl Materials {
    /// The names of the combine rules for friction and for restitution:
    /// [`FRICTION_PAIRINGS`] and [`RESTITUTION_PAIRINGS`].
    pub fn pairing(&mut self, friction: &str, restitution: &str) {
        self.friction_pairing = friction.into();
        self.restitution_pairing = restitution.into();
    }

    /// Adds a material; returns its number.
    pub fn add(&mut self, material: impl Into<Material>) -> usize {
        self.list.push(material.into());
        self.list.len() - 1
    }

    /// Adds explicit values for two materials: \[μ_s, μ_k\] and e. An absent μ_k is μ_s.
    pub fn add_pair(&mut self, materials: [usize; 2], mu: [Option<f64>; 2], e: Option<f64>) {
        let [static_friction, kinetic_friction] = mu;
        let [a, b] = materials;
        self.numbers.entry([a.min(b), a.max(b)]).or_insert(self.pairs.len());
        self.pairs.push(Explicit { materials, static_friction, kinetic_friction, restitution: e });
    }

    fn explicit(&self, a: usize, b: usize) -> Option<&Explicit> {
        self.numbers.get(&[a.min(b), a.max(b)]).map(|number| &self.pairs[*number])
    }

    /// The pair of two materials; explicit values override the combine rules.
    pub(super) fn pair(&self, law: &dyn NormalLaw, a: usize, b: usize) -> Pair {
        let restitution = self.restitution(a, b);
        Pair {
            friction: self.coefficients(a, b),
            bounce: law.bounce(restitution),
            restitution: restitution.unwrap_or(0.0),
        }
    }

    /// The coefficient of restitution of two materials: an explicit one; else combined if both state
    /// one; else the stated one.
    pub fn restitution(&self, a: usize, b: usize) -> Option<f64> {
        let (x, y) = (self.list[a].restitution, self.list[b].restitution);
        let both = |(x, y)| combine(RESTITUTION_PAIRINGS, &self.restitution_pairing, x, y);
        let combined = x.zip(y).map(both).or(x).or(y);
        self.explicit(a, b).and_then(|pair| pair.restitution).or(combined)
    }

    /// The coefficients of friction of two materials: explicit ones, else combined, static with static
    /// and kinetic with kinetic.
    pub fn coefficients(&self, a: usize, b: usize) -> Coefficients {
        let (x, y) = (&self.list[a], &self.list[b]);
        let both = |x, y| combine(FRICTION_PAIRINGS, &self.friction_pairing, x, y);
        let mut coefficients = Coefficients {
            static_friction: both(x.static_friction, y.static_friction),
            kinetic_friction: both(x.kinetic_friction, y.kinetic_friction),
        };
        if let Some(explicit) = self.explicit(a, b) {
            if let Some(mu) = explicit.static_friction {
                coefficients = Coefficients { static_friction: mu, kinetic_friction: mu };
            }
            if let Some(mu) = explicit.kinetic_friction {
                coefficients.kinetic_friction = mu;
            }
        }
        coefficients
    }

    /// Refuses unknown combine rules and coefficients out of range.
    pub(super) fn check(&self) -> Result<(), WorldError> {
        let rules = [
            (FRICTION_PAIRINGS, "friction", &self.friction_pairing),
            (RESTITUTION_PAIRINGS, "restitution", &self.restitution_pairing),
        ];
        for (table, key, name) in rules {
            if !table.iter().any(|law| law.name == name) {
                let known: Vec<&str> = table.iter().map(|law| law.name).collect();
                let message = format!("there is no combine rule called `{name}`");
                let help = format!("known: {}", known.join(", "));
                return Err(Part::Pairing.fault_of(key, message, help));
            }
        }
        let of_materials = self.list.iter().enumerate().map(|(n, m)| {
            let mu = [Some(m.static_friction), Some(m.kinetic_friction)];
            (Part::Material(n), mu, m.restitution)
        });
        let of_pairs =
            self.pairs.iter().enumerate().map(|(n, p)| {
                (Part::Pair(n), [p.static_friction, p.kinetic_friction], p.restitution)
            });
        for (part, mu, e) in of_materials.chain(of_pairs) {
            let sound =
                |x: &Option<f64>, high| x.is_none_or(|x| Range::Between(0.0, high).contains(x));
            if !mu.iter().all(|mu| sound(mu, 100.0)) || !sound(&e, 1.0) {
                let message = format!("coefficients of friction {mu:?} or of restitution {e:?}");
                return Err(part.fault(message, "μ lies from 0 to 100, e from 0 to 1"));
            }
        }
        for (number, material) in self.list.iter().enumerate() {
            let part = Part::Material(number);
            material.elasticity.map_or(Ok(()), |elasticity| elasticity.check(part))?;
            if material.density.is_some_and(|density| !Range::Positive.contains(density)) {
                return Err(part.fault_of(
                    "density",
                    "the density is not above zero",
                    "give kg/m³",
                ));
            }
        }
        let beyond = |p: &Explicit| p.materials.iter().any(|m| *m >= self.list.len());
        match self.pairs.iter().position(beyond) {
            Some(n) => Err(Part::Pair(n).fault("a material is not this world's", "add it first")),
            None => Ok(()),
        }
    }
}
