//! Where the time of a run went, by the clock on the wall.

use super::Run;
use super::roofline;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use stiction_core::profile::{Clock, Profile, Section};
use web_time::{Duration, Instant};

/// Of so many evaluations of contact one is compared with the search alone.
const COMPARED: u64 = 64;

/// Tells the sections of a run apart: time goes to the section entered last.
pub struct Stopwatch {
    /// springs per second and core at most
    limit: f64,
    threads: usize,
    sheet: Mutex<Sheet>,
}

/// Record between sections.
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

    /// Where the time went until now.
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

/// Where the time of a run went.
#[derive(Debug, Clone, PartialEq)]
pub struct Profiled {
    /// From the first step to the reading, by the clock on the wall \[s\]: the sum of
    /// [`Self::sections`].
    pub seconds: f64,
    /// Name and time \[s\] of each section.
    pub sections: Vec<(&'static str, f64)>,
    /// Least time of reading the clock, of all sections together \[s\].
    pub clock: f64,
    /// Springs evaluated, over all evaluations.
    pub springs: u64,
    /// Contacts evaluated; at every evaluation as many as were remembered from the commit before.
    pub contacts: u64,
    /// Square roots with a division each that one core does at most \[1/s\].
    pub limit: f64,
    /// Threads that evaluate springs.
    pub threads: usize,
}

impl Profiled {
    /// With T of contact and of those evaluations of it that were compared, T_c, and T_s of the search
    /// alone before them, search = T T_s/T_c.
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

    /// Springs per second of the time spent on springs \[1/s\].
    pub fn springs_per_second(&self) -> Option<f64> {
        rate(self.springs, self.of_section("springs"))
    }

    /// Contacts per second of the time spent on finding them and on their laws \[1/s\].
    pub fn contacts_per_second(&self) -> Option<f64> {
        rate(self.contacts, self.of_section("search") + self.of_section("friction"))
    }

    /// Springs per second as a share of what the threads that evaluate them could do at most.
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
    /// Takes the time of the run's sections from now on; the runs that it may be compared with are not
    /// among them. No bit of a result depends on it.
    pub fn profile(&mut self) -> Arc<Stopwatch> {
        let threads = self.simulation().model.springs.crew().ranges().len();
        let stopwatch = Arc::new(Stopwatch::start(threads));
        let clock: Arc<dyn Clock> = Arc::clone(&stopwatch) as _;
        self.simulation_mut().profile(Profile::told_to(clock));
        stopwatch
    }
}
