//! Contact by penalty: gap → normal force → friction force.

pub mod acting;
pub mod adhesion;
pub mod anisotropy;
pub mod between;
pub mod clearance;
pub mod collider;
mod colliding;
mod curvature;
pub mod detect;
pub mod force;
pub mod friction;
pub mod laws;
pub mod material;
pub(crate) mod material_frame;
pub mod near;
pub mod normal;
pub mod pair;
pub mod regularisation;
mod sharing;
pub mod surfaces;
mod touch;
pub mod tunnelling;
