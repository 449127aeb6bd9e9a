//! A budget of CPU time, asked between steps.

use super::thread_time::ThreadTime;
use std::cell::Cell;
use web_time::{Duration, Instant};

/// Wall time between two readings of the clock, and largest number of steps between them.
const BETWEEN_LOOKS: Duration = Duration::from_millis(1);
const MOST_PATIENT: u32 = 256;

/// A budget of CPU time.
pub struct Purse<'a> {
    cpu: f64,
    /// CPU time so far \[s\]
    spent: Box<dyn Fn() -> f64 + 'a>,
    asked: Cell<u32>,
    /// number of questions until the clock is read again
    patience: Cell<u32>,
    looked: Cell<Instant>,
    /// whether the search was stopped meanwhile
    stopped: Cell<bool>,
    /// whether the budget was spent at the last look
    spent_all: Cell<bool>,
}

impl<'a> Purse<'a> {
    /// A budget of `cpu` \[s\] for this thread.
    pub fn new(cpu: f64) -> Purse<'static> {
        let started = ThreadTime::now();
        Purse::of(cpu, Box::new(move || started.elapsed().as_secs_f64()))
    }

    /// A budget of `cpu` \[s\], of which so much is `spent` \[s\].
    pub fn of(cpu: f64, spent: Box<dyn Fn() -> f64 + 'a>) -> Purse<'a> {
        Purse {
            cpu,
            spent,
            asked: Cell::new(0),
            patience: Cell::new(1),
            looked: Cell::new(Instant::now()),
            stopped: Cell::new(false),
            spent_all: Cell::new(false),
        }
    }

    /// Whether the search was stopped.
    pub fn is_stopped(&self) -> bool {
        self.stopped.get()
    }

    /// Whether the budget is spent, or the search was stopped. Asked between steps, it reads the clock, a call of the
    /// system, about every millisecond.
    pub fn is_empty(&self, stop: &dyn Fn() -> bool) -> bool {
        self.stopped.set(self.stopped.get() || stop());
        if self.stopped.get() || self.spent_all.get() {
            return true;
        }
        self.asked.set(self.asked.get() + 1);
        if self.asked.get() < self.patience.get() {
            return false;
        }
        self.asked.set(0);
        let now = Instant::now();
        let quick = now.duration_since(self.looked.replace(now)) < BETWEEN_LOOKS;
        let patience = self.patience.get();
        self.patience.set(if quick { (2 * patience).min(MOST_PATIENT) } else { 1 });
        self.spent_all.set((self.spent)() > self.cpu);
        self.spent_all.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_purse_that_is_empty_stays_so_and_a_stop_is_heard_at_once() {
        let spent = Cell::new(0.0);
        let purse = Purse::of(1.0, Box::new(|| spent.get()));
        assert!(!purse.is_empty(&|| false));
        spent.set(2.0);
        let asked = (0..=MOST_PATIENT).position(|_| purse.is_empty(&|| false));
        assert!(asked.is_some() && !purse.is_stopped());
        spent.set(0.0);
        assert!(purse.is_empty(&|| false));
        let other = Purse::new(f64::INFINITY);
        assert!(!other.is_empty(&|| false) && other.is_empty(&|| true) && other.is_stopped());
    }
}
