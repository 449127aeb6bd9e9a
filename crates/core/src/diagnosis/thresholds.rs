//! Thresholds that several watches share, and the judge of other engines' runs with them. What one watch
//! alone compares stands in its file; docs/physics.md gives the reason for each.

/// Share of the law's creep by which drift may differ from it, and of the creep speed that slip may ring
/// by: half of the 5 % that count as wrong.
pub const CREEP: f64 = 0.025;

/// Steps, or frames of a log, of the shortest window that is judged: an alternation needs about as many.
pub const WINDOW: u32 = 16;

/// Steps of free fall that make a speed at which nothing is resolved and nothing need be: what is
/// slower than g h times this comes to rest on the ground.
pub const SETTLING: f64 = 4.0;

/// Velocity that implicit methods and solved contacts may leave of their equations \[m/s\].
pub const SOLVED: f64 = 1e-8;
