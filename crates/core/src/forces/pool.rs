//! The thread pool, the only one of the physics.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Longest time without work for which a thread stays awake \[s\]: waking it costs tens of microseconds.
const PATIENCE: Duration = Duration::from_micros(200);

/// Threads beside the one that calls.
#[derive(Debug)]
pub(super) struct Pool(rayon::ThreadPool);

/// The threads of a pool are awake until this is dropped, or until they have waited too long.
pub(super) struct Awake(Arc<AtomicBool>);

impl Drop for Awake {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Pool {
    /// `threads` threads with that which calls, where the system grants them.
    pub fn new(threads: usize) -> Option<Self> {
        rayon::ThreadPoolBuilder::new().num_threads(threads - 1).build().ok().map(Pool)
    }

    /// Keeps the threads awake, so that they begin at once with what they are given.
    pub fn wake(&self) -> Awake {
        let over = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&over);
        self.0.spawn_broadcast(move |_| {
            let mut since = Instant::now();
            while !seen.load(Ordering::Relaxed) && since.elapsed() < PATIENCE {
                match rayon::yield_now() {
                    Some(rayon::Yield::Executed) => since = Instant::now(),
                    _ => std::thread::yield_now(),
                }
            }
        });
        Awake(over)
    }

    /// Calls `work` once for each part, in any order; the first on the thread that calls.
    pub fn for_each<T: Send>(&self, parts: &mut [T], work: impl Fn(&mut T) + Send + Sync) {
        let Some((own, others)) = parts.split_first_mut() else { return };
        let (left, work) = (AtomicUsize::new(others.len()), &work);
        self.0.in_place_scope(|scope| {
            for part in others {
                let left = &left;
                scope.spawn(move |_| {
                    work(part);
                    left.fetch_sub(1, Ordering::Release);
                });
            }
            work(own);
            // threads end at nearly the same time; to sleep here would cost more than it saves
            let since = Instant::now();
            while left.load(Ordering::Acquire) > 0 && since.elapsed() < PATIENCE {
                std::hint::spin_loop();
            }
        });
    }
}
