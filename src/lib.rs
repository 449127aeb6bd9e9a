//! `stiction` is a soft-body particle simulator with penalty-force friction, and a laboratory that
//! measures the cost of a friction law, a threshold and an integrator.
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
//! A scene file with its measures and expectations:
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
//! A friction law of your own is a value for a world. Registered under a name, before a scene is
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
//! [`Model`] holds what is constant during a run, [`State`] what changes. Friction laws, normal
//! laws, integrators, contact methods, shapes, colliders and measures are rows of tables
//! ([`Table`]).
//!
//! This crate is the facade of five others, and the program: `stiction_core` is the physics,
//! `stiction_scene` reads scene files, `stiction_engines` has the friction of other engines,
//! `stiction_lab` runs and compares, `stiction_view` draws. ARCHITECTURE.md gives their order.

#[cfg(feature = "cli")]
pub mod cli;

pub use stiction_core::{
    Adhesion, Anisotropy, BlockSink, COLLIDERS, CONTACT_METHODS, Capabilities, Coefficients,
    ColliderForm, Configuration, Contact, ContactMethod, EPSILON, Entry, Expression, FRICTION_LAWS,
    Fallback, Force, FrictionForm, FrictionLaw, Gap, INTEGRATORS, Impulse, Integrator, Key, Kind,
    MEASURES, MeasureKind, Model, NORMAL_LAWS, NormalLaw, Page, Problem, Range, Reason, Region,
    RegistrationError, Scope, Shape, Simulation, SimulationError, Slip, SlipJacobian, State,
    StepError, StepReport, StretchIn, Table, Value, Values, Vector, Verdict, math, nalgebra, world,
};

#[cfg(feature = "scene")]
pub use stiction_engines as engines;
#[cfg(feature = "scene")]
pub use stiction_lab::{
    experiment, run,
    run::{Outcome, Run, Status},
};
#[cfg(feature = "scene")]
pub use stiction_scene::{self as scene, Scene, load, load_text};

/// Everything needed by a program that builds and runs worlds, in one line.
pub mod prelude {
    pub use stiction_core::prelude::*;

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
