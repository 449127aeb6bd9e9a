//! Work without the interpreter's lock, during which Ctrl-C and progress are served.

use crate::slots;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use stiction_core::halt::Halt;

/// Interval between checks for signals.
const LOOK: Duration = Duration::from_millis(25);

/// Interval between calls of a progress function.
const TELL: Duration = Duration::from_millis(100);

/// Stack of the working thread \[bytes\], as large as a main thread usually has.
const STACK: usize = 8 << 20;

/// A request to stop one piece of work.
#[derive(Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// The request, for iterations within a step.
    pub fn halt(&self) -> Halt {
        Halt::at(self.0.clone())
    }

    /// Requests the stop.
    pub fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Withdraws the request.
    pub fn forget(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether it is requested.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Progress of a piece of work.
#[derive(Default)]
pub struct Course {
    /// Number of finished parts; 0 of 0 if unknown.
    pub done: AtomicU64,
    /// Number of all parts.
    pub total: AtomicU64,
    label: Mutex<String>,
}

impl Course {
    /// Sets the present activity and progress.
    pub fn report(&self, label: &str, done: u64, total: u64) {
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

/// Works on a separate thread, without the interpreter's lock. Meanwhile this thread checks for
/// signals and calls `progress` with the course. An exception from a signal or from `progress`, or
/// in a law, force or measure in Python, requests `stop` and is raised when the work has ended.
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
