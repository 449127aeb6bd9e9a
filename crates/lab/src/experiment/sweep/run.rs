//! The jobs of a sweep on several threads.

use super::folder::{Folder, FolderError};
use super::grid::SweepSettings;
use super::job::Attempt;
use crate::jobs::{Event, side_by_side};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs jobs and stores their outcomes until all are done, `stop` returns true, or a file cannot be
/// written. A job that panics is a failed job. `report` gets the number of jobs done and of those
/// that failed, after every job and at least every 200 ms.
///
/// `attempt` runs a job with its settings; `None` means that it was interrupted. A job after which the files that
/// the sweep names are not `unchanged` ([`super::folder::FolderPlan::watch_inputs`]) is not stored, and ends the sweep.
pub fn run(
    folder: &Folder,
    jobs: &[usize],
    workers: usize,
    attempt: &(dyn Fn(&SweepSettings) -> Option<Attempt> + Sync),
    unchanged: &(dyn Fn() -> bool + Sync),
    stop: &(dyn Fn() -> bool + Sync),
    report: &mut dyn FnMut(usize, usize),
) -> Result<(), FolderError> {
    let broken = AtomicBool::new(false);
    // whether the job failed; none if it was not run to its end
    let work = |job: usize| -> Result<Option<bool>, FolderError> {
        if stop() || broken.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let attempt = catch_unwind(AssertUnwindSafe(|| attempt(&folder.jobs.settings(job))));
        let Some(attempt) = attempt.unwrap_or_else(|panic| Some(panicked(&*panic))) else {
            return Ok(None);
        };
        let failed = attempt.failure.is_some();
        let kept = match attempt.kept {
            true if !unchanged() => Err(FolderError::Changed(job)),
            true => folder.keep(job, attempt),
            false => Ok(()),
        };
        broken.fetch_or(kept.is_err(), Ordering::Relaxed);
        kept.map(|()| Some(failed))
    };
    side_by_side(workers.clamp(1, jobs.len().max(1)), &work, |desk| {
        jobs.iter().for_each(|job| desk.put(*job));
        let (mut finished, mut failures, mut fault) = (0, 0, None);
        while let Some(event) = desk.wait() {
            match event {
                Event::Ended(Ok(Some(failed))) => {
                    finished += 1;
                    failures += usize::from(failed);
                }
                Event::Ended(Ok(None)) => desk.clear(),
                Event::Ended(Err(error)) => {
                    fault = Some(error);
                    desk.clear();
                }
                Event::Tick => {}
            }
            report(finished, failures);
        }
        fault.map_or(Ok(()), Err)
    })
}

/// A panic as a failed job.
fn panicked(panic: &(dyn Any + Send)) -> Attempt {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_string());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    let message = format!("internal error: {text}; this is a bug in stiction");
    Attempt { failure: Some(message), ..Attempt::default() }
}

#[cfg(test)]
mod tests {
    use super::super::folder::{FORMAT, FolderPlan};
    use super::super::grid::{SweepAxis, SweepGrid};
    use super::*;

    fn folder(path: &std::path::Path, jobs: usize) -> Folder {
        let axis = SweepAxis::parse(&format!("n=1..{jobs}:{jobs}")).expect("an axis");
        let grid = SweepGrid::new(vec![axis], None, 1000).expect("a grid");
        let plan = FolderPlan {
            format: FORMAT,
            stiction: "test".into(),
            scene_sha256: String::new(),
            set: Vec::new(),
            verify: None,
            accuracy: None,
            jobs,
            grid,
        };
        Folder::create(path, plan).expect("a folder")
    }

    #[test]
    fn many_processes_may_begin_a_sweep_at_once() {
        for _ in 0..200 {
            let path = tempfile::tempdir().expect("a folder");
            let start = std::sync::Barrier::new(8);
            std::thread::scope(|scope| {
                for _ in 0..8 {
                    scope.spawn(|| {
                        start.wait();
                        folder(path.path(), 9)
                    });
                }
            });
        }
    }

    #[test]
    fn a_job_that_panics_is_a_failed_job_and_the_rest_goes_on() {
        let path = tempfile::tempdir().expect("a folder");
        let folder = folder(path.path(), 9);
        let jobs: Vec<usize> = (0..9).collect();
        let attempt = |settings: &SweepSettings| {
            assert!(settings[0].1 != "4", "four is too much");
            Some(Attempt::default())
        };
        let mut last = (0, 0);
        run(&folder, &jobs, 2, &attempt, &|| true, &|| false, &mut |done, failed| {
            last = (done, failed)
        })
        .expect("all is written");
        assert_eq!(last, (9, 1));
        for job in jobs {
            let outcome = folder.outcome(job).expect("a file");
            assert_eq!(outcome.failed(), job == 3, "{outcome:?}");
            let message = outcome.message.unwrap_or_default();
            assert_eq!(message.contains("four is too much"), job == 3, "{message}");
        }
    }

    /// Another sweep in the place of the one begun is not written to, and neither is a job after which an input has
    /// changed.
    #[test]
    fn results_are_those_of_the_sweep_that_was_begun() {
        let home = tempfile::tempdir().expect("a folder");
        let (path, moved) = (home.path().join("sweep"), home.path().join("moved"));
        let begun = folder(&path, 9);
        let ran = |unchanged: &(dyn Fn() -> bool + Sync)| {
            let attempt = |_: &SweepSettings| Some(Attempt::default());
            run(&begun, &[3], 1, &attempt, unchanged, &|| false, &mut |_, _| {})
        };
        assert!(matches!(ran(&|| false), Err(FolderError::Changed(3))));
        assert!(begun.recorded().expect("readable").is_empty());
        ran(&|| true).expect("written");
        std::fs::rename(&path, &moved).expect("moved");
        let other = folder(&path, 5);
        assert!(matches!(ran(&|| true), Err(FolderError::Replaced(at)) if at == path));
        assert!(other.recorded().expect("readable").is_empty());
    }

    #[test]
    fn what_cannot_be_written_ends_the_sweep_with_its_cause() {
        let path = tempfile::tempdir().expect("a folder");
        let folder = folder(path.path(), 9);
        std::fs::remove_dir(path.path().join("jobs")).expect("empty");
        let jobs: Vec<usize> = (0..9).collect();
        let error = run(
            &folder,
            &jobs,
            1,
            &|_| Some(Attempt::default()),
            &|| true,
            &|| false,
            &mut |_, _| {},
        )
        .expect_err("there is no folder to write to");
        assert!(error.to_string().contains("00000.json"), "{error}");
    }
}
