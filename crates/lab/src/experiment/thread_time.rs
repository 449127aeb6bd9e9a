//! CPU time of a thread, and of the whole process \[s\]. A browser has no such clock and only one thread: wall time is
//! used there.

#[cfg(not(target_family = "wasm"))]
pub use cpu_time::{ProcessTime, ThreadTime};
#[cfg(target_family = "wasm")]
pub use web_time::{Instant as ProcessTime, Instant as ThreadTime};
