//! A request to stop a run, as long iterations see it.
//!
//! A step of an implicit method on many particles takes seconds. Its iterations check a flag now and
//! then; once the flag is raised they end with an error, and the driver goes back to the start of the
//! step. No result depends on the flag.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that another thread may raise to stop a run; by default none.
#[derive(Debug, Clone, Default)]
pub struct Halt(Option<Arc<AtomicBool>>);

/// Equal if both see the same flag, or none.
impl PartialEq for Halt {
    fn eq(&self, other: &Halt) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() == b.is_none(),
        }
    }
}

impl Halt {
    /// A request made by raising `flag`.
    pub fn at(flag: Arc<AtomicBool>) -> Self {
        Halt(Some(flag))
    }

    /// Whether the run is asked to stop.
    #[inline]
    pub fn is_asked(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}
