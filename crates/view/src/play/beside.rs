//! A result computed in parallel to a run on a separate thread, or immediately without threads.

use std::sync::mpsc::{Receiver, channel};

/// Starts a computation; the result is received once.
pub fn compute<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Receiver<T> {
    let (sender, receiver) = channel();
    let all = move || {
        // the receiver may no longer exist
        let _ = sender.send(work());
    };
    if cfg!(target_family = "wasm") {
        all();
    } else {
        std::thread::spawn(all);
    }
    receiver
}
