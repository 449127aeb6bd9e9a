//! Rows written in Python. A row of the program's tables holds a plain function, so each row from
//! Python gets one of [`SLOTS`] functions, and its object is stored under the function's index.

use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

/// Largest number of rows of one table from Python.
pub const SLOTS: usize = 64;

/// An array of functions, each with its index.
#[macro_export]
macro_rules! numbered {
    ($function:ident) => {
        $crate::numbered!($function: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25
            26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56
            57 58 59 60 61 62 63)
    };
    ($function:ident: $($number:literal)*) => { [$($function::<$number>),*] };
}

/// Objects by the indices of their rows.
pub struct Objects(RwLock<Vec<(&'static str, Py<PyAny>)>>);

impl Objects {
    /// An empty list.
    pub const fn new() -> Self {
        Objects(RwLock::new(Vec::new()))
    }

    /// The index of the row with this name.
    pub fn number(&self, name: &str) -> Option<usize> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        known.iter().position(|(own, _)| *own == name)
    }

    /// The number of objects.
    pub fn count(&self) -> usize {
        self.0.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Adds an object; its index is the previous count.
    pub fn add(&self, name: &'static str, object: Py<PyAny>) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).push((name, object));
    }

    /// Replaces an object; values made from the old one keep it.
    pub fn replace(&self, number: usize, object: Py<PyAny>) {
        self.0.write().unwrap_or_else(PoisonError::into_inner)[number].1 = object;
    }

    /// The object with an index.
    pub fn get(&self, py: Python<'_>, number: usize) -> Option<Py<PyAny>> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        known.get(number).map(|(_, object)| object.clone_ref(py))
    }
}

static FAULTY: AtomicBool = AtomicBool::new(false);
static FAULT: Mutex<Option<PyErr>> = Mutex::new(None);

/// Stores the exception of a law, force or measure; the first one counts. The value returned in its
/// place must end the run.
pub fn fault(error: PyErr) {
    let mut known = FAULT.lock().unwrap_or_else(PoisonError::into_inner);
    known.get_or_insert(error);
    FAULTY.store(true, Ordering::Release);
}

/// Whether an exception is stored.
pub fn is_faulty() -> bool {
    FAULTY.load(Ordering::Acquire)
}

/// The stored exception of a law, force or measure, to be raised now.
pub fn take_fault() -> Option<PyErr> {
    if !is_faulty() {
        return None;
    }
    let mut known = FAULT.lock().unwrap_or_else(PoisonError::into_inner);
    FAULTY.store(false, Ordering::Release);
    known.take()
}

/// A text that lives as long as the program, as names in its tables do.
pub fn forever(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}
