//! Stub of the thread pool in a build without the feature `threads`.

/// Has no value.
#[derive(Debug)]
pub(super) enum Pool {}

/// Has no value either.
pub(super) enum Awake {}

impl Pool {
    /// None: one thread does all.
    pub fn new(_threads: usize) -> Option<Self> {
        None
    }

    /// Never called.
    pub fn wake(&self) -> Awake {
        match *self {}
    }

    /// Never called.
    pub fn for_each<T>(&self, _parts: &mut [T], _work: impl Fn(&mut T)) {
        match *self {}
    }
}
