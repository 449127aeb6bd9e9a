//! `stiction` is a soft-body particle simulator with penalty-force friction, and the laboratory
//! in which one finds out what a friction law, a threshold and an integrator cost.
//!
//! A soft box on a slope, in Rust:
//!
//! ```
//! use stiction::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let (sin, cos) = 15.0_f64.to_radians().sin_cos();
//! let mut world = World::new();
//! let rubber = world.material(("rubber", 0.5, 0.5));
//! world.collider(Collider::plane("slope", [-sin, 0.0, cos], [0.0; 3]).material(rubber));
//! let jelly = Lattice::new([4, 4, 3], 0.1);
//! world.body(Body::new("box", jelly).mass(1.0).springs(2e4, 20.0).rotation([0.0, -15.0, 0.0]));
//! world.normal(named("linear").with("stiffness", 1e4).with("damping", 10.0));
//! world.friction(named("threshold").with("epsilon", 1e-2));
//! world.integrator("symplectic-euler").step(1e-4);
//! let mut simulation = world.simulate()?;
//! simulation.advance_to(1.0)?;
//! println!("{:?}", simulation.state.velocities[0]);
//! println!("{}", simulation.verdict().marks());
//! # // it creeps down the slope at the law's own speed, ε tan(a)/μ_s
//! # let law = 1e-2 * sin / cos / 0.5;
//! # let mean: f64 = simulation.state.velocities.iter().map(|v| v.norm()).sum::<f64>() / 48.0;
//! # assert!((mean / law - 1.0).abs() < 0.02, "{mean} {law}");
//! # Ok(())
//! # }
//! ```
//!
//! A scene file, with everything that stands in it:
//!
#![cfg_attr(feature = "scene", doc = "```")]
#![cfg_attr(not(feature = "scene"), doc = "```ignore")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use stiction::prelude::*;
//! let outcome = Run::open("scenes/sliding_block.toml")?.finish()?;
//! println!("{}", outcome.verdict.marks());
//! # assert!(outcome.verdict.faultless());
//! # Ok(())
//! # }
//! ```
//!
//! A friction law of one's own is a value for a world. Registered under a name, before a scene is
//! loaded, it works in scenes, in every experiment and in the window (`examples/own_law`):
//!
//! ```
//! use stiction::prelude::*;
//!
//! /// F = −c v, kept inside the cone.
//! #[derive(Clone)]
//! struct Viscous(f64);
//!
//! impl FrictionLaw for Viscous {
//!     fn force(&self, slip: &Slip, pair: &Coefficients) -> Vector {
//!         let (most, v) = (pair.kinetic_friction * slip.normal_force, slip.velocity);
//!         v * -(self.0 * v.norm()).min(most) / v.norm().max(f64::MIN_POSITIVE)
//!     }
//!     fn sticks(&self, slip: &Slip, pair: &Coefficients) -> bool {
//!         self.0 * slip.velocity.norm() < pair.kinetic_friction * slip.normal_force
//!     }
//!     fn damping(&self, _: &Slip, _: &Coefficients) -> f64 {
//!         self.0
//!     }
//!     fn creep(&self, load_ratio: f64, normal: f64, pair: &Coefficients) -> Option<f64> {
//!         (load_ratio < 1.0).then_some(load_ratio * pair.static_friction * normal / self.0)
//!     }
//! }
//!
//! let mut world = World::new();
//! world.friction(Viscous(10.0));
//! let law = Entry::<dyn FrictionLaw>::new("viscous", "F = −c v", |_| Ok(Box::new(Viscous(10.0))));
//! FRICTION_LAWS.register(law).expect("no other law has this name");
//! world.friction("viscous");
//! ```
//!
//! [`Model`] holds what is constant during a run, [`State`] what changes. Friction laws, normal laws,
//! integrators, contact methods, shapes, colliders and measures are rows of tables ([`Table`]).
//! ARCHITECTURE.md draws the rooms and their order; what is not re-exported here may change.
#![forbid(unsafe_code)]

#[doc(hidden)]
pub mod constraints;
#[doc(hidden)]
pub mod contact;
#[doc(hidden)]
pub mod diagnosis;
#[doc(hidden)]
pub mod expression;
#[doc(hidden)]
pub mod forces;
#[doc(hidden)]
pub mod halt;
#[doc(hidden)]
pub mod impulses;
#[doc(hidden)]
pub mod integrators;
#[doc(hidden)]
pub mod linear;
#[doc(hidden)]
pub mod math;
#[doc(hidden)]
pub mod measures;
#[doc(hidden)]
pub mod model;
#[doc(hidden)]
pub mod profile;
#[doc(hidden)]
pub mod registry;
#[doc(hidden)]
pub mod simulation;
#[doc(hidden)]
pub mod state;
#[doc(hidden)]
pub mod step_error;
pub mod world;

#[cfg(feature = "scene")]
pub mod engines;
#[cfg(feature = "scene")]
pub mod experiment;
#[cfg(feature = "scene")]
#[doc(hidden)]
pub mod judge;
#[cfg(feature = "scene")]
#[doc(hidden)]
pub mod output;
#[cfg(feature = "scene")]
pub mod run;
#[cfg(feature = "scene")]
pub mod scene;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod validation;

#[cfg(feature = "film")]
#[doc(hidden)]
pub mod view;

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;

pub use contact::adhesion::Adhesion;
pub use contact::anisotropy::Anisotropy;
pub use contact::collider::{COLLIDERS, ColliderForm, Gap, Shape};
pub use contact::friction::{FRICTION_LAWS, FrictionLaw, Slip, SlipJacobian};
pub use contact::laws::StretchIn;
pub use contact::normal::{NORMAL_LAWS, NormalLaw};
pub use diagnosis::trust::Verdict;
pub use diagnosis::watch::Reason;
pub use expression::Expression;
pub use forces::{BlockSink, Force};
pub use impulses::{CONTACT_METHODS, ContactMethod, Impulse};
pub use integrators::region::Region;
pub use integrators::{Capabilities, INTEGRATORS, Integrator, StepReport};
pub use math::Vector;
pub use measures::{MEASURES, MeasureKind, Scope};
pub use model::Model;
pub use registry::{
    Entry, Fallback, Key, Kind, Page, Problem, Range, RegistrationError, Table, Value, Values,
};
pub use simulation::{Simulation, SimulationError};
pub use state::memory::{Coefficients, Contact};
pub use state::{Configuration, State};
pub use step_error::StepError;

#[cfg(feature = "scene")]
pub use run::{Outcome, Run, Status};
#[cfg(feature = "scene")]
pub use scene::{Scene, load, load_text};

pub use nalgebra;

/// Everything that a program which builds and runs worlds needs, in one line.
pub mod prelude {
    pub use crate::world::shapes::lattice::Lattice;
    pub use crate::world::{
        Body, Collider, Curve, Drag, Material, Muscle, Pin, Push, Selection, World, named,
    };
    pub use crate::{COLLIDERS, FRICTION_LAWS, INTEGRATORS, MEASURES, NORMAL_LAWS};
    pub use crate::{Capabilities, FrictionLaw, Integrator, NormalLaw, Shape};
    pub use crate::{Coefficients, Simulation, Slip, State, Vector, Verdict};
    pub use crate::{Entry, Key, Values};

    #[cfg(feature = "scene")]
    pub use crate::{Outcome, Run};
}

/// The program: reads the command line, runs the verb, and returns the exit code.
#[cfg(feature = "cli")]
pub use cli::main;

/// The README's example, compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
