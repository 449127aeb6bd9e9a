//! A request to stop a run, as long iterations see it.
//!
//! A step of an implicit method on many particles takes seconds. Its iterations look at the request
//! now and then, and leave once it is made. Where they leave, the step is half done, whatever it
//! returns: [`Halt`] counts the looks that found the request, and the driver gives back a step in which
//! there were any. No result depends on the request.

use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A request to stop a run; by default none is ever made.
#[derive(Clone, Default)]
pub struct Halt(Option<Arc<Request>>);

struct Request {
    is_made: Box<dyn Fn() -> bool + Send + Sync>,
    /// the number of looks that found it
    finds: AtomicU64,
    /// whether no look finds it now
    unheard: AtomicBool,
}

impl Halt {
    /// A request made by raising `flag`.
    pub fn at(flag: Arc<AtomicBool>) -> Self {
        Halt::when(move || flag.load(Ordering::Relaxed))
    }

    /// A request that is made once `is_made` returns true. Every look calls it.
    pub fn when(is_made: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Halt(Some(Arc::new(Request {
            is_made: Box::new(is_made),
            finds: AtomicU64::new(0),
            unheard: AtomicBool::new(false),
        })))
    }

    /// Whether the run is asked to stop: the iteration leaves then.
    #[inline]
    pub fn is_asked(&self) -> bool {
        let Some(request) = &self.0 else { return false };
        let asked = !request.unheard.load(Ordering::Relaxed) && (request.is_made)();
        if asked {
            request.finds.fetch_add(1, Ordering::Relaxed);
        }
        asked
    }

    /// Computes what must not be cut short: no look finds the request meanwhile.
    pub fn unheard<T>(&self, compute: impl FnOnce() -> T) -> T {
        let set = |unheard| {
            self.0.iter().for_each(|request| request.unheard.store(unheard, Ordering::Relaxed));
        };
        set(true);
        let computed = compute();
        set(false);
        computed
    }

    /// The number of looks so far that found the request made. A step in which it grows is half done.
    #[inline]
    pub(crate) fn finds(&self) -> u64 {
        self.0.as_ref().map_or(0, |request| request.finds.load(Ordering::Relaxed))
    }
}

/// Equal if both see the same request, or none.
impl PartialEq for Halt {
    fn eq(&self, other: &Halt) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() == b.is_none(),
        }
    }
}

impl Debug for Halt {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.debug_tuple("Halt").field(&self.0.is_some()).finish()
    }
}
