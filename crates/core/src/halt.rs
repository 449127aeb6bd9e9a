//! The wish that a run stop, as long iterations see it.
//!
//! A step of an implicit method on many particles takes seconds. Iterations ask now and then whether
//! anybody still wants their result; where nobody does they end with an error, and the driver goes
//! back to the start of the step. Nothing that is found depends on it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that somebody may raise while a model is at work.
#[derive(Debug, Clone, Default)]
pub struct Halt(Option<Arc<AtomicBool>>);

/// Equal where they see the same flag.
impl PartialEq for Halt {
    fn eq(&self, other: &Halt) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() == b.is_none(),
        }
    }
}

impl Halt {
    /// Sees a flag.
    pub fn at(flag: Arc<AtomicBool>) -> Self {
        Halt(Some(flag))
    }

    /// Whether the flag is raised.
    #[inline]
    pub fn is_asked(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}
