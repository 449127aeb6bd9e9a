//! Worlds in Rust: bodies, colliders, materials, laws and methods → a model, its state at t = 0, and a
//! simulation of them. A scene file is translated into a [`World`] too.
//!
//! ```
//! use stiction_core::world::{Body, Collider, Push, World, named, shapes::lattice::Lattice};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut world = World::new();
//! let rubber = world.material(("rubber", 0.5, 0.4));
//! world.collider(Collider::plane("floor", [0.0, 0.0, 1.0], [0.0; 3]).material(rubber));
//! let jelly = Body::new("box", Lattice::new([4, 4, 3], 0.1)).mass(1.0).springs(2e4, 20.0);
//! let jelly = world.body(jelly.material(rubber));
//! world.push(Push::new(jelly, [6.0, 0.0, 0.0]).from(0.1));
//! world.normal(named("linear").with("stiffness", 1e4).with("damping", 10.0));
//! world.friction(named("threshold").with("epsilon", 1e-2));
//! world.integrator("symplectic-euler").step(1e-4);
//! let mut simulation = world.simulate()?;
//! simulation.advance_to(0.5)?;
//! assert!(simulation.state.positions[0].x > -0.15, "6 N are more than 0.5 · 9.81 N");
//! # Ok(())
//! # }
//! ```
//!
//! Every row of a table (friction and normal laws, integrators, contact methods, shapes, colliders) is
//! chosen by its name, with parameters by [`named`], or is a value of any type that implements the
//! trait. [`World::build`] reports settings that do not fit together, with the [`Part`] at fault.

mod body;
mod build;
mod builder;
mod chosen;
mod error;
mod loads;
mod materials;
mod setters;
pub mod shapes;
mod surface;

pub use body::{Body, BodyId};
pub use build::{BuildOptions, Built};
pub use builder::World;
pub use chosen::{Chosen, NamedRow, named};
pub use error::{Part, WorldError};
pub use loads::{Curve, Drag, Muscle, Pin, Push, Selection};
pub use materials::{DEFAULT_PAIRING, Elasticity, Material, MaterialId, Materials};
pub use surface::Collider;
