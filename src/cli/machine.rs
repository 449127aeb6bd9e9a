//! Ends that the system or a fault asks for: signals, the end of time and of memory, panics.

use super::terminal::{Exit, say};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::{Duration, Instant};
use stiction_core::halt::Halt;

/// Set by the first signal that a [`StopSignal`] receives.
static ASKED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// End of the program's time; none without a limit.
static DEADLINE: OnceLock<Instant> = OnceLock::new();

/// The request to stop, for iterations within a step.
pub fn halt() -> Halt {
    static HALT: LazyLock<Halt> =
        LazyLock::new(|| Halt::when(|| ASKED.load(Ordering::Relaxed) || is_late()));
    HALT.clone()
}

/// Requests a stop at `deadline`; the first call counts.
pub fn stop_at(deadline: Instant) {
    let _ = DEADLINE.set(deadline);
}

/// Whether the time of [`stop_at`] is over.
pub fn is_late() -> bool {
    DEADLINE.get().is_some_and(|deadline| Instant::now() >= *deadline)
}

/// Turns the signal for a file at its size limit into an error that names the file.
pub fn ignore_file_size_signal() {
    #[cfg(unix)]
    {
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    }
}

/// Whether an abort means that memory or stack has ended: not after a panic, which aborts where it panics again.
static NO_PANIC: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));

/// Reports a panic as a bug, once and without a backtrace.
pub fn report_panics() {
    std::panic::set_hook(Box::new(|info| {
        NO_PANIC.store(false, Ordering::Relaxed);
        say(&format!(
            "internal error: {info}\nThis is a bug in stiction. Please report it with the command and the scene."
        ));
    }));
}

/// Ends with [`Exit::Limit`] where an allocation fails beyond all estimates: the standard library says how many
/// bytes were wanted, and aborts.
pub fn end_without_memory() {
    #[cfg(unix)]
    {
        let (abort, exit) = (signal_hook::consts::SIGABRT, Exit::Limit as i32);
        let _ = signal_hook::flag::register_conditional_shutdown(abort, exit, NO_PANIC.clone());
    }
}

/// Time between a signal and the forced end of the program, unless it has begun to end by itself.
const PATIENCE: Duration = Duration::from_millis(700);

/// A request of the user to stop; a second one ends the program immediately.
pub struct StopSignal {
    code: Arc<AtomicUsize>,
    heard: Arc<AtomicBool>,
}

impl StopSignal {
    /// Starts listening. Without support for signals it never receives one.
    pub fn listen() -> Self {
        StopSignal::listen_or(
            "stopped inside a long computation; what was written until then is kept",
        )
    }

    /// As [`StopSignal::listen`], with another final message, for a program inside a computation
    /// that cannot be interrupted, such as the factorisation of a large matrix.
    pub fn listen_or(last_word: impl Into<String>) -> Self {
        let signal = StopSignal { code: Arc::default(), heard: Arc::default() };
        #[cfg(unix)]
        signal.listen_to_system(last_word.into());
        signal
    }

    #[cfg(unix)]
    fn listen_to_system(&self, last_word: String) {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let again = Arc::new(AtomicBool::new(false));
        for (signal, exit) in
            [(SIGINT, Exit::Interrupted), (SIGTERM, Exit::Terminated), (SIGHUP, Exit::HungUp)]
        {
            // the order matters: the first signal arms the second
            let _ = signal_hook::flag::register_conditional_shutdown(
                signal,
                exit as i32,
                again.clone(),
            );
            let _ = signal_hook::flag::register(signal, again.clone());
            let _ = signal_hook::flag::register(signal, ASKED.clone());
            let _ = signal_hook::flag::register_usize(signal, self.code.clone(), exit as usize);
        }
        let (code, heard) = (self.code.clone(), self.heard.clone());
        let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]) else {
            return;
        };
        let wait = move || {
            signals.forever().next();
            std::thread::sleep(PATIENCE);
            if !heard.load(Ordering::Relaxed) {
                say(&last_word);
                std::process::exit(code.load(Ordering::Relaxed) as i32);
            }
        };
        let _ = std::thread::Builder::new().name("signals".into()).spawn(wait);
    }

    /// Ends the program at the first signal, with its exit code: for a verb without data to save.
    pub fn end_at_once() {
        #[cfg(unix)]
        {
            use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
            for (signal, exit) in
                [(SIGINT, Exit::Interrupted), (SIGTERM, Exit::Terminated), (SIGHUP, Exit::HungUp)]
            {
                let at_once = Arc::new(AtomicBool::new(true));
                let _ =
                    signal_hook::flag::register_conditional_shutdown(signal, exit as i32, at_once);
            }
        }
    }

    /// The requested exit code, if any.
    pub fn heard(&self) -> Option<Exit> {
        let code = self.code.load(Ordering::Relaxed);
        if code != 0 {
            self.heard.store(true, Ordering::Relaxed);
        }
        [Exit::Interrupted, Exit::Terminated, Exit::HungUp]
            .into_iter()
            .find(|e| *e as usize == code)
    }
}
