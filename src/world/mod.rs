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
pub use loads::{Curve, Drag, Pin, Push, Selection};
pub use materials::{DEFAULT_PAIRING, Material, MaterialId, Materials};
pub use surface::Collider;
