//! Thresholds shared by several watches, and by the judge of other engines' runs. Those of a single
//! watch stand in its file; docs/physics.md gives the reason for each.

/// Tolerated difference of drift and the law's creep, and tolerated ringing of slip, as shares of the
/// creep: half of the 5 % that count as wrong.
pub const CREEP: f64 = 0.025;

/// Steps, or frames of a log, of the shortest judged window: enough to show an alternation.
pub const WINDOW: u32 = 16;

/// Steps of free fall whose speed counts as settling: motion slower than g h times this comes to rest on
/// the ground and need not be resolved.
pub(crate) const SETTLING: f64 = 4.0;

/// Residual velocity of implicit methods and contact solvers \[m/s\].
pub(crate) const SOLVED: f64 = 1e-8;
