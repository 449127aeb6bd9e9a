//! Wall time of a run by section.

use super::Run;
use super::roofline;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use stiction_core::profile::{Clock, Profile, Section};
use web_time::{Duration, Instant};

/// One of this many evaluations of contact is compared with the search alone, which is then run a second time:
/// a profile costs at most 1/64 of the search more.
const COMPARED: u64 = 64;

/// Measures the sections of a run: time is assigned to the section entered last.
pub struct Stopwatch {
    /// largest number of springs per second and core
    limit: f64,
    threads: usize,
    sheet: Mutex<Sheet>,
}

/// Time spent in each section so far.
struct Sheet {
    section: Section,
    since: Instant,
    spent: [Duration; Section::COUNT],
    entered: u64,
    contact_evaluations: u64,
    springs: u64,
    contacts: u64,
}

impl Sheet {
    fn new() -> Self {
        Sheet {
            section: Section::Rest,
            since: Instant::now(),
            spent: [Duration::ZERO; Section::COUNT],
            entered: 0,
            contact_evaluations: 0,
            springs: 0,
            contacts: 0,
        }
    }

    fn enter(&mut self, section: Section) -> Section {
        let now = Instant::now();
        self.spent[self.section as usize] += now - self.since;
        self.since = now;
        self.entered += 1;
        std::mem::replace(&mut self.section, section)
    }

    fn seconds(&self, section: Section) -> f64 {
        self.spent[section as usize].as_secs_f64()
    }
}

impl Stopwatch {
    fn start(threads: usize) -> Self {
        Stopwatch { limit: roofline::limit(), threads, sheet: Mutex::new(Sheet::new()) }
    }

    fn sheet(&self) -> MutexGuard<'_, Sheet> {
        self.sheet.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Times until now.
    pub fn read(&self) -> Profiled {
        let mut sheet = self.sheet();
        let section = sheet.section;
        sheet.enter(section);
        Profiled::of(&sheet, self.limit, self.threads)
    }
}

impl Clock for Stopwatch {
    fn enter(&self, section: Section) -> Section {
        self.sheet().enter(section)
    }

    fn compares_search(&self) -> bool {
        let mut sheet = self.sheet();
        sheet.contact_evaluations += 1;
        sheet.contact_evaluations % COMPARED == 1
    }

    fn count(&self, springs: usize, contacts: usize) {
        let mut sheet = self.sheet();
        sheet.springs += springs as u64;
        sheet.contacts += contacts as u64;
    }
}

/// Wall time of a run by section.
#[derive(Debug, Clone, PartialEq)]
pub struct Profiled {
    /// Wall time from the first step to the reading \[s\]: the sum of [`Self::sections`].
    pub seconds: f64,
    /// Name and time \[s\] of each section.
    pub sections: Vec<(&'static str, f64)>,
    /// Least time spent on reading the clock, over all sections \[s\].
    pub clock: f64,
    /// Number of springs evaluated, over all evaluations.
    pub springs: u64,
    /// Number of contacts evaluated; in each evaluation those of the last commit are counted.
    pub contacts: u64,
    /// Largest rate of a square root with a division on one core \[1/s\].
    pub limit: f64,
    /// Number of threads that evaluate springs.
    pub threads: usize,
}

impl Profiled {
    /// The search takes the time T T_s/T_c: T is the time of all evaluations of contact, T_c that
    /// of the compared ones, T_s that of the search alone before these.
    fn of(sheet: &Sheet, limit: f64, threads: usize) -> Self {
        let compared = sheet.seconds(Section::ComparedContact);
        let contact = sheet.seconds(Section::Contact) + compared;
        let alone = sheet.seconds(Section::SearchAlone);
        let share = if compared > 0.0 { (alone / compared).min(1.0) } else { 0.0 };
        let search = contact * share;
        let sections = vec![
            ("springs", sheet.seconds(Section::Springs)),
            ("search", search),
            ("friction", contact - search),
            ("loads", sheet.seconds(Section::Loads)),
            ("method", sheet.seconds(Section::Method)),
            ("solver", sheet.seconds(Section::Solver)),
            ("watches", sheet.seconds(Section::Watches)),
            ("output", sheet.seconds(Section::Output)),
            ("profiling", alone + sheet.seconds(Section::SearchBefore)),
            ("rest", sheet.seconds(Section::Rest)),
        ];
        Profiled {
            seconds: sections.iter().map(|(_, seconds)| seconds).sum(),
            sections,
            clock: sheet.entered as f64 * cost_of_entering(),
            springs: sheet.springs,
            contacts: sheet.contacts,
            limit,
            threads,
        }
    }

    /// Time of a section \[s\].
    pub(crate) fn of_section(&self, name: &str) -> f64 {
        self.sections.iter().filter(|section| section.0 == name).map(|section| section.1).sum()
    }

    /// Springs per second of time spent on springs \[1/s\].
    pub fn springs_per_second(&self) -> Option<f64> {
        rate(self.springs, self.of_section("springs"))
    }

    /// Contacts per second of time spent on the search and the laws \[1/s\].
    pub fn contacts_per_second(&self) -> Option<f64> {
        rate(self.contacts, self.of_section("search") + self.of_section("friction"))
    }

    /// Springs per second as a share of the limit of the threads that evaluate them.
    pub fn share_of_limit(&self) -> Option<f64> {
        Some(self.springs_per_second()? / (self.limit * self.threads as f64))
    }
}

fn rate(number: u64, seconds: f64) -> Option<f64> {
    (number > 0 && seconds > 0.0).then(|| number as f64 / seconds)
}

/// Cost of entering a section \[s\].
fn cost_of_entering() -> f64 {
    const TIMES: u32 = 10_000;
    let (sheet, started) = (Mutex::new(Sheet::new()), Instant::now());
    for _ in 0..TIMES {
        sheet.lock().unwrap_or_else(PoisonError::into_inner).enter(Section::Rest);
    }
    started.elapsed().as_secs_f64() / f64::from(TIMES)
}

impl Run {
    /// Measures the time of the run's sections from now on, without its verifying runs. No bit of a
    /// result depends on it.
    pub fn profile(&mut self) -> Arc<Stopwatch> {
        let threads = self.simulation().model.springs.crew().ranges().len();
        let stopwatch = Arc::new(Stopwatch::start(threads));
        let clock: Arc<dyn Clock> = Arc::clone(&stopwatch) as _;
        self.simulation_mut().profile(Profile::with_clock(clock));
        stopwatch
    }
}
