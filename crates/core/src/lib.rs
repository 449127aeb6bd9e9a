//! The physics of `stiction`: soft bodies of particles, penalty-force friction, integrators, and watches
//! that say when a run is wrong. It touches no file, clock or terminal.
//!
//! ```
//! use stiction_core::prelude::*;
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
//! println!("{}", simulation.verdict().marks());
//! # // it creeps down the slope at the law's own speed, ε tan(a)/μ_s
//! # let law = 1e-2 * sin / cos / 0.5;
//! # let mean: f64 = simulation.state.velocities.iter().map(|v| v.norm()).sum::<f64>() / 48.0;
//! # assert!((mean / law - 1.0).abs() < 0.02, "{mean} {law}");
//! # Ok(())
//! # }
//! ```
//!
//! [`Model`] holds what is constant during a run, [`State`] what changes. A [`world::World`] makes both. An
//! [`Integrator`] asks the model for forces and Jacobians and knows no force by name; a [`FrictionLaw`] sees
//! the slip of one contact. Laws, methods, shapes, colliders and measures are rows of tables ([`Table`]).
//!
//! Notation, in SI units: h time step, t time, x position, v velocity, m mass, N normal force, μ_s and μ_k
//! coefficients of static and kinetic friction, ε threshold \[m/s\], λ rate of decay \[1/s\].

pub mod constraints;
pub mod contact;
pub mod diagnosis;
pub mod expression;
pub mod forces;
pub mod halt;
pub mod impulses;
pub mod integrators;
pub mod linear;
pub mod math;
pub mod measures;
pub mod model;
pub mod profile;
pub mod registry;
pub mod simulation;
pub mod state;
pub mod step_error;
pub mod world;

pub use contact::adhesion::Adhesion;
pub use contact::anisotropy::Anisotropy;
pub use contact::collider::{COLLIDERS, ColliderForm, Gap, Shape};
pub use contact::friction::ramp::EPSILON;
pub use contact::friction::{FRICTION_LAWS, FrictionForm, FrictionLaw, Slip, SlipJacobian};
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
}
