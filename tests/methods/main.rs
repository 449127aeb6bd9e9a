//! Integrators, impulses and constraints: orders, limits, books.

mod adaptive;
mod allocations;
mod audit;
mod books;
mod bouncing;
mod curve;
mod errors;
mod exact;
mod forecast;
mod frozen;
mod halts;
mod hand;
mod impacts;
mod implicit;
mod impulse_blocks;
mod integrators;
mod islands;
mod iterations;
mod micro_collisions;
mod modes;
mod motion;
mod orders;
mod out_of_memory;
mod prescribed;
mod rebound;
mod rigid;
mod rigid_friction;
mod semi_implicit;
mod starts;
mod step_limits;
mod stiffness;
mod stiffness_contradicted;
#[path = "../support/mod.rs"]
mod support;
mod through;
mod tolerance;
