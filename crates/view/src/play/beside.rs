//! A result computed beside a run: on a thread of its own, or at once where there are no threads.

use std::sync::mpsc::{Receiver, channel};

/// Begins to compute; the result is received once.
pub fn compute<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Receiver<T> {
    let (sender, receiver) = channel();
    let all = move || {
        // the receiver may be gone
        let _ = sender.send(work());
    };
    if cfg!(target_family = "wasm") {
        all();
    } else {
        std::thread::spawn(all);
    }
    receiver
}
