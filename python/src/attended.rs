//! Work without the interpreter's lock, during which Ctrl-C and progress are attended to.

use crate::slots;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use stiction_core::halt::Halt;

/// Time between two looks at signals.
const LOOK: Duration = Duration::from_millis(25);

/// Time between two calls of a progress function.
const TELL: Duration = Duration::from_millis(100);

/// Stack of the thread that works \[bytes\]; as much as a main thread usually has.
const STACK: usize = 8 << 20;

/// The wish that one piece of work stop.
#[derive(Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// As iterations within a step see it.
    pub fn halt(&self) -> Halt {
        Halt::at(self.0.clone())
    }

    /// Asks for it.
    pub fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Asks for it no more.
    pub fn forget(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether it is asked for.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How far a piece of work has come.
#[derive(Default)]
pub struct Course {
    /// Pieces that are done, and all of them; 0 of 0 where nothing is known.
    pub done: AtomicU64,
    /// All of them.
    pub total: AtomicU64,
    label: Mutex<String>,
}

impl Course {
    /// Tells what is being done.
    pub fn tell(&self, label: &str, done: u64, total: u64) {
        if let Ok(mut known) = self.label.lock()
            && *known != label
        {
            label.clone_into(&mut known);
        }
        self.total.store(total, Ordering::Relaxed);
        self.done.store(done, Ordering::Relaxed);
    }

    fn show(&self, py: Python<'_>, to: &Py<PyAny>) -> PyResult<()> {
        let label = self.label.lock().map(|label| label.clone()).unwrap_or_default();
        let (done, total) = (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
        to.call1(py, (done, total, label)).map(drop)
    }
}

/// Does work on a thread of its own, without the interpreter's lock. This thread looks at signals
/// meanwhile, and calls `progress` with what the course tells. Whatever these raise, and what a law,
/// force or measure in Python raised, asks `stop` and is raised when the work has come to its end.
pub fn attended<T: Send>(
    py: Python<'_>,
    stop: &Stop,
    course: &Course,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let mut raised: Option<PyErr> = None;
    let done = py.detach(|| {
        thread::scope(|scope| {
            let caller = thread::current();
            let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let result = work();
                caller.unpark();
                result
            });
            let worker = worker.map_err(|error| Err::<T, _>(error))?;
            let mut told = Instant::now();
            while !worker.is_finished() {
                thread::park_timeout(LOOK);
                if raised.is_some() || worker.is_finished() {
                    continue;
                }
                if slots::is_faulty() {
                    stop.ask();
                }
                let tells = told.elapsed() >= TELL;
                let look = Python::attach(|py| {
                    py.check_signals()?;
                    match progress {
                        Some(progress) if tells => course.show(py, progress),
                        _ => Ok(()),
                    }
                });
                if tells {
                    told = Instant::now();
                }
                if let Err(error) = look {
                    raised = Some(error);
                    stop.ask();
                }
            }
            worker.join().map_err(|panic| std::panic::resume_unwind(panic))
        })
    });
    stop.forget();
    if let Some(error) = raised.or_else(slots::take_fault) {
        return Err(error);
    }
    match done {
        Ok(done) => {
            if let Some(progress) = progress {
                course.show(py, progress)?;
            }
            Ok(done)
        }
        Err(Err(error)) => Err(error.into()),
        Err(Ok(never)) => Ok(never),
    }
}
