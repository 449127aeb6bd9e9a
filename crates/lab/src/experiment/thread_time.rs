//! CPU time of a thread \[s\]. A browser has no such clock, and one thread: there it is the time of
//! the clock on the wall.

#[cfg(not(target_family = "wasm"))]
pub use cpu_time::ThreadTime;
#[cfg(target_family = "wasm")]
pub use web_time::Instant as ThreadTime;
