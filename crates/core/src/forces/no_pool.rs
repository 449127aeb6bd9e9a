//! Stub of the thread pool in a build without the feature `threads`.

/// Has no value.
#[derive(Debug)]
pub(super) enum Pool {}

impl Pool {
    /// None: one thread does all.
    pub fn new(_threads: usize) -> Option<Self> {
        None
    }

    /// Never called.
    pub fn enter<R>(&self, _work: impl FnOnce() -> R) -> R {
        match *self {}
    }

    /// Never called.
    pub fn for_each<T>(&self, _parts: &mut [T], _work: impl Fn(&mut T)) {
        match *self {}
    }
}
