//! Independent jobs, several at a time: each on one thread, results in the order in which they end.
//! The asking thread sorts them, so that no result depends on the number of threads.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

/// Stack of a worker \[bytes\], as large as a main thread usually has.
const STACK: usize = 8 << 20;
/// Longest time between two events.
const TICK: Duration = Duration::from_millis(50);

type Panicked = Box<dyn Any + Send>;

/// Jobs that wait, and how many workers may be busy.
struct Queue<J> {
    state: Mutex<Waiting<J>>,
    changed: Condvar,
}

struct Waiting<J> {
    jobs: VecDeque<J>,
    busy: usize,
    most_busy: usize,
    closed: bool,
}

impl<J> Queue<J> {
    fn lock(&self) -> MutexGuard<'_, Waiting<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<R>(&self, by: impl FnOnce(&mut Waiting<J>) -> R) -> R {
        let changed = by(&mut self.lock());
        self.changed.notify_all();
        changed
    }

    /// Waits for a job; `None` once the queue is closed.
    fn take(&self) -> Option<J> {
        let mut waiting = self.lock();
        loop {
            if waiting.closed {
                return None;
            }
            if waiting.busy < waiting.most_busy
                && let Some(job) = waiting.jobs.pop_front()
            {
                waiting.busy += 1;
                return Some(job);
            }
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Closes a queue when it is dropped, also by a panic, so that its workers end.
struct Closing<'a, J>(&'a Queue<J>);

impl<J> Drop for Closing<'_, J> {
    fn drop(&mut self) {
        self.0.change(|waiting| waiting.closed = true);
    }
}

/// Jobs as the thread sees them that asks for them.
pub struct Desk<'a, J, T> {
    queue: &'a Queue<J>,
    work: &'a (dyn Fn(J) -> T + Sync),
    ended: mpsc::Receiver<Result<T, Panicked>>,
    workers: usize,
    /// jobs that have not been handed out by [`Desk::wait`]
    left: usize,
}

/// Event at a [`Desk`].
pub enum Event<T> {
    /// A job has ended, with its result.
    Ended(T),
    /// A while has passed.
    Tick,
}

impl<J, T> Desk<'_, J, T> {
    /// Adds a job after those that wait.
    pub fn put(&mut self, job: J) {
        self.left += 1;
        self.queue.change(|waiting| waiting.jobs.push_back(job));
    }

    /// Adds a job before those that wait.
    pub fn put_first(&mut self, job: J) {
        self.left += 1;
        self.queue.change(|waiting| waiting.jobs.push_front(job));
    }

    /// Drops the jobs that wait.
    pub fn clear(&mut self) {
        self.left -= self.queue.change(|waiting| waiting.jobs.drain(..).count());
    }

    /// Lets one worker less be busy while this thread is so itself.
    pub fn meanwhile<R>(&mut self, busy: impl FnOnce() -> R) -> R {
        let most = self.workers;
        self.queue.change(|waiting| waiting.most_busy = most.saturating_sub(1));
        let done = busy();
        self.queue.change(|waiting| waiting.most_busy = most);
        done
    }

    /// The next event; `None` when no job is left. Where the system grants no thread, this one does a job.
    ///
    /// # Panics
    /// With the panic of a job.
    pub fn wait(&mut self) -> Option<Event<T>> {
        if self.left == 0 {
            return None;
        }
        let ended = if self.workers == 0 {
            let job = self.queue.change(|waiting| waiting.jobs.pop_front())?;
            Ok((self.work)(job))
        } else {
            match self.ended.recv_timeout(TICK) {
                Ok(ended) => ended,
                Err(_) => return Some(Event::Tick),
            }
        };
        self.left -= 1;
        Some(Event::Ended(ended.unwrap_or_else(|panic| resume_unwind(panic))))
    }
}

/// Does by `work`, on up to `workers` threads, the jobs that `ask` puts on the desk. Jobs begin in the order of the
/// desk. When `ask` returns, jobs that wait are dropped.
pub fn side_by_side<J: Send, T: Send, R>(
    workers: usize,
    work: &(dyn Fn(J) -> T + Sync),
    ask: impl FnOnce(&mut Desk<J, T>) -> R,
) -> R {
    let waiting = Waiting { jobs: VecDeque::new(), busy: 0, most_busy: workers, closed: false };
    let queue = Queue { state: Mutex::new(waiting), changed: Condvar::new() };
    let serve = |ended: mpsc::Sender<Result<T, Panicked>>| {
        while let Some(job) = queue.take() {
            let result = catch_unwind(AssertUnwindSafe(|| work(job)));
            queue.change(|waiting| waiting.busy -= 1);
            if ended.send(result).is_err() {
                break;
            }
        }
    };
    thread::scope(|scope| {
        let _closing = Closing(&queue);
        let (sender, ended) = mpsc::channel();
        let spawn = |_: &usize| {
            let (sender, serve) = (sender.clone(), &serve);
            let thread = thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, move || serve(sender)).is_ok()
        };
        let granted = (0..workers).take_while(spawn).count();
        ask(&mut Desk { queue: &queue, work, ended, workers: granted, left: 0 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    /// The squares of 0..n in the order in which they are told.
    fn squares(workers: usize, n: usize, work: &(dyn Fn(usize) -> usize + Sync)) -> Vec<usize> {
        side_by_side(workers, work, |desk| {
            (0..n).for_each(|k| desk.put(k));
            let mut found = Vec::new();
            while let Some(event) = desk.wait() {
                if let Event::Ended(square) = event {
                    found.push(square);
                }
            }
            found
        })
    }

    #[test]
    fn every_job_is_done_once_on_any_number_of_threads() {
        for workers in [0, 1, 2, 5] {
            let mut found = squares(workers, 40, &|k| k * k);
            found.sort_unstable();
            assert_eq!(found, (0..40).map(|k| k * k).collect::<Vec<_>>(), "{workers} workers");
        }
    }

    #[test]
    fn as_many_jobs_are_done_at_once_as_there_are_workers() {
        // each of three waits for the two others
        let meet = Barrier::new(3);
        let mut found = squares(3, 3, &|k| {
            meet.wait();
            k
        });
        found.sort_unstable();
        assert_eq!(found, [0, 1, 2]);
    }

    #[test]
    fn one_worker_begins_jobs_in_their_order_and_the_first_of_the_waiting_first() {
        let found = side_by_side(1, &|k: usize| k, |desk| {
            let most = desk.workers;
            desk.queue.change(|waiting| waiting.most_busy = 0);
            [1, 2, 3].into_iter().for_each(|k| desk.put(k));
            desk.put_first(0);
            desk.queue.change(|waiting| waiting.most_busy = most);
            let ended = |event| match event {
                Event::Ended(k) => Some(k),
                Event::Tick => None,
            };
            std::iter::from_fn(|| desk.wait()).filter_map(ended).collect::<Vec<_>>()
        });
        assert_eq!(found, [0, 1, 2, 3]);
    }

    #[test]
    fn a_busy_caller_takes_the_place_of_a_worker() {
        let begun = std::sync::atomic::AtomicUsize::new(0);
        let count = |_: usize| begun.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        side_by_side(1, &count, |desk| {
            desk.meanwhile(|| ());
            let (queue, most) = (desk.queue, desk.workers);
            assert_eq!(queue.lock().most_busy, most);
            let within = desk.meanwhile(|| queue.lock().most_busy);
            assert_eq!(within, 0);
        });
    }

    #[test]
    #[should_panic(expected = "seven")]
    fn the_panic_of_a_job_is_that_of_the_caller() {
        squares(2, 20, &|k| {
            assert!(k != 7, "seven");
            k
        });
    }

    #[test]
    fn jobs_that_are_cleared_are_not_done() {
        let done = side_by_side(1, &|k: usize| k, |desk| {
            desk.queue.change(|waiting| waiting.most_busy = 0);
            (0..9).for_each(|k| desk.put(k));
            desk.clear();
            desk.wait().is_none()
        });
        assert!(done);
    }
}
