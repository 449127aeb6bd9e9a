//! The thread pool, the only one of the physics.

use rayon::prelude::*;

/// A fixed number of threads.
#[derive(Debug)]
pub(super) struct Pool(rayon::ThreadPool);

impl Pool {
    /// `threads` threads, where the system grants them.
    pub fn new(threads: usize) -> Option<Self> {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok().map(Pool)
    }

    /// Does `work` on one of the threads.
    pub fn enter<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.0.install(work)
    }

    /// Calls `work` once for each part, in any order.
    pub fn for_each<T: Send>(&self, parts: &mut [T], work: impl Fn(&mut T) + Send + Sync) {
        self.0.install(|| parts.par_iter_mut().for_each(work));
    }
}
