//! Wall time of a run by section.

use super::Run;
use super::roofline;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use stiction_core::math::smaller;
use stiction_core::profile::{Clock, Profile, Section};
use stiction_core::simulation::Simulation;
use web_time::Instant;

/// One of this many evaluations of contact is compared with the search alone, which is then run a second time:
/// a profile costs at most 1/32 of the search more.
const COMPARED: u64 = 64;

/// Largest share of the time of a run that reading the clock shall take.
const SHARE: f64 = 0.01;

/// Largest number of steps for one that is timed.
const FEWEST: f64 = 4096.0;

/// Number of steps at the start that are all timed.
const FIRST: u64 = 16;

/// Sections of steps beside contact.
const OF_STEPS: [Section; 7] = [
    Section::Springs,
    Section::Elements,
    Section::Loads,
    Section::Method,
    Section::Solver,
    Section::Watches,
    Section::Rest,
];

/// Measures the sections of a run: time is assigned to the section entered last.
///
/// Where steps are short only some are timed, so that reading the clock takes a small share of the
/// time. A timed step stands for all since the one before it: its times count as often.
pub struct Stopwatch {
    /// largest number of springs per second and core
    limit: f64,
    threads: usize,
    /// cost of entering a section \[s\]
    cost: f64,
    /// whether sections of the present step are timed
    timing: AtomicBool,
    /// number of steps until the next that is timed
    wait: AtomicU64,
    springs: AtomicU64,
    contacts: AtomicU64,
    sheet: Mutex<Sheet>,
}

/// Times so far.
struct Sheet {
    section: Section,
    started: Instant,
    since: Instant,
    entered: u64,
    /// time \[s\] of each section in the present step, and how often it was left
    present: [(f64, u32); Section::COUNT],
    /// the same of all timed steps, without the cost of the clock, and as often as each step counts
    spent: [f64; Section::COUNT],
    /// time of frames and of searches for the estimate, of timed steps as they are \[s\]
    output: f64,
    searches: f64,
    /// whether a step is being timed
    timed: bool,
    /// number of steps which the timed one stands for, and which the next one will
    gap: u64,
    next_gap: u64,
    /// number of steps up to the timed one
    steps: u64,
    timed_steps: u64,
    /// time \[s\] of all timed steps without the cost of the clock, and that cost
    net: f64,
    overhead: f64,
    contact_evaluations: u64,
    /// state of the generator of gaps
    random: u64,
}

impl Sheet {
    fn new() -> Self {
        let now = Instant::now();
        Sheet {
            section: Section::Rest,
            started: now,
            since: now,
            entered: 0,
            present: [(0.0, 0); Section::COUNT],
            spent: [0.0; Section::COUNT],
            output: 0.0,
            searches: 0.0,
            timed: false,
            gap: 1,
            next_gap: 1,
            steps: 0,
            timed_steps: 0,
            net: 0.0,
            overhead: 0.0,
            contact_evaluations: 0,
            random: 1,
        }
    }

    fn enter(&mut self, section: Section, cost: f64) -> Section {
        let now = Instant::now();
        let taken = (now - self.since).as_secs_f64();
        if self.section == Section::Output {
            self.output += (taken - cost).max(0.0);
        } else {
            let (time, left) = &mut self.present[self.section as usize];
            (*time, *left) = (*time + taken, *left + 1);
        }
        self.since = now;
        self.entered += 1;
        std::mem::replace(&mut self.section, section)
    }

    /// Ends the present step, if it is timed.
    fn end_step(&mut self, cost: f64) {
        let section = self.section;
        if !std::mem::take(&mut self.timed) {
            return;
        }
        self.enter(section, cost);
        for (k, (time, left)) in std::mem::take(&mut self.present).into_iter().enumerate() {
            let clock = f64::from(left) * cost;
            let net = (time - clock).max(0.0);
            self.spent[k] += net * self.gap as f64;
            self.overhead += clock;
            match k == Section::SearchAlone as usize || k == Section::SearchBefore as usize {
                true => self.searches += net,
                false => self.net += net,
            }
        }
        self.timed_steps += 1;
    }

    /// Begins a timed step; returns the number of steps until the next.
    fn begin_step(&mut self) -> u64 {
        (self.timed, self.gap) = (true, self.next_gap);
        self.next_gap = self.draw_gap();
        self.steps += self.gap;
        self.present = Default::default();
        self.since = Instant::now();
        self.next_gap
    }

    /// The mean number of steps for one that is timed: o/(share d), o the cost of the clock in a timed step,
    /// d the rest of it.
    fn mean_gap(&self) -> f64 {
        let gap = self.overhead / (SHARE * self.net);
        if gap > 1.0 { smaller(gap, FEWEST) } else { 1.0 }
    }

    /// Number of steps until the next timed one, irregular, so that no rhythm of the run is met.
    fn draw_gap(&mut self) -> u64 {
        let mean = self.mean_gap();
        if self.timed_steps < FIRST || mean < 2.0 {
            return 1;
        }
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let share = (self.random >> 40) as f64 / (1u64 << 24) as f64;
        (mean * (0.5 + share)).round() as u64
    }
}

impl Stopwatch {
    fn start(threads: usize) -> Self {
        let stopwatch = |cost: f64, limit: f64| Stopwatch {
            limit,
            threads,
            cost,
            timing: AtomicBool::new(true),
            wait: AtomicU64::new(1),
            springs: AtomicU64::new(0),
            contacts: AtomicU64::new(0),
            sheet: Mutex::new(Sheet::new()),
        };
        let cost = cost_of_entering(stopwatch(0.0, 0.0));
        let limit = roofline::limit();
        let begun = stopwatch(cost, limit);
        begun.timing.store(false, Relaxed);
        begun
    }

    /// Measures a simulation from now on; its steps must be told ([`Profile::step`]).
    pub fn of(simulation: &mut Simulation) -> Arc<Stopwatch> {
        let threads = simulation.model.crew.ranges().len();
        let stopwatch = Arc::new(Stopwatch::start(threads));
        let clock: Arc<dyn Clock> = Arc::clone(&stopwatch) as _;
        simulation.profile(Profile::with_clock(clock));
        stopwatch
    }

    fn sheet(&self) -> MutexGuard<'_, Sheet> {
        self.sheet.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Times until now.
    pub fn read(&self) -> Profiled {
        let mut sheet = self.sheet();
        let steps = sheet.steps + sheet.next_gap - self.wait.load(Relaxed).min(sheet.next_gap);
        sheet.end_step(self.cost);
        self.timing.store(false, Relaxed);
        Profiled::of(self, &sheet, steps)
    }
}

impl Clock for Stopwatch {
    fn enter(&self, section: Section) -> Section {
        let mut sheet = self.sheet();
        let before = sheet.enter(section, self.cost);
        // what a frame evaluates is part of its cost
        self.timing.store(section != Section::Output && sheet.timed, Relaxed);
        before
    }

    fn is_timing(&self) -> bool {
        self.timing.load(Relaxed)
    }

    fn step(&self) {
        let wait = self.wait.load(Relaxed) - 1;
        self.wait.store(wait, Relaxed);
        if wait > 0 {
            if self.timing.load(Relaxed) {
                self.sheet().end_step(self.cost);
                self.timing.store(false, Relaxed);
            }
            return;
        }
        let mut sheet = self.sheet();
        sheet.end_step(self.cost);
        self.wait.store(sheet.begin_step(), Relaxed);
        self.timing.store(true, Relaxed);
    }

    fn compares_search(&self) -> bool {
        let mut sheet = self.sheet();
        sheet.contact_evaluations += 1;
        let every = (COMPARED as f64 / sheet.mean_gap()).ceil() as u64;
        every == 1 || sheet.contact_evaluations % every == 1
    }

    fn count(&self, springs: usize, contacts: usize) {
        // one thread evaluates: a locked addition would take as long as a section of a small scene
        let add = |to: &AtomicU64, count: usize| to.store(to.load(Relaxed) + count as u64, Relaxed);
        add(&self.springs, springs);
        add(&self.contacts, contacts);
    }
}

/// Wall time of a run by section.
#[derive(Debug, Clone, PartialEq)]
pub struct Profiled {
    /// Wall time from the first step to the reading \[s\]: the sum of [`Self::sections`].
    pub seconds: f64,
    /// Name and time \[s\] of each section.
    pub sections: Vec<(&'static str, f64)>,
    /// Time spent on reading the clock, part of the section `profiling` \[s\].
    pub clock: f64,
    /// Number of steps.
    pub steps: u64,
    /// Number of steps of which the sections were timed.
    pub timed_steps: u64,
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
    /// The wall time left after frames and the profile's own cost is shared out to the sections in proportion
    /// to their times in timed steps.
    ///
    /// The search takes the time T T_s/T_c: T is the time of all evaluations of contact, T_c that
    /// of the compared ones, T_s that of the search alone before these.
    fn of(watch: &Stopwatch, sheet: &Sheet, steps: u64) -> Self {
        let seconds = sheet.started.elapsed().as_secs_f64();
        let output = sheet.output.min(seconds);
        let clock = (sheet.entered as f64 * watch.cost).min(seconds - output);
        let profiling = (clock + sheet.searches).min(seconds - output);
        let timed = |section: Section| sheet.spent[section as usize];
        let contact = timed(Section::Contact) + timed(Section::ComparedContact);
        let all = contact + OF_STEPS.map(timed).iter().sum::<f64>();
        let rest = seconds - output - profiling;
        let scale = if all > 0.0 { rest / all } else { 0.0 };
        let (compared, alone) = (timed(Section::ComparedContact), timed(Section::SearchAlone));
        let share = if compared > 0.0 { (alone / compared).min(1.0) } else { 0.0 };
        let search = contact * share * scale;
        let of_steps = |section: Section| timed(section) * scale;
        let sections = vec![
            ("springs", of_steps(Section::Springs)),
            ("elements", of_steps(Section::Elements)),
            ("search", search),
            ("friction", contact * scale - search),
            ("loads", of_steps(Section::Loads)),
            ("method", of_steps(Section::Method)),
            ("solver", of_steps(Section::Solver)),
            ("watches", of_steps(Section::Watches)),
            ("output", output),
            ("profiling", profiling),
            ("rest", if all > 0.0 { of_steps(Section::Rest) } else { rest }),
        ];
        Profiled {
            seconds: sections.iter().map(|(_, seconds)| seconds).sum(),
            sections,
            clock,
            steps,
            timed_steps: sheet.timed_steps,
            springs: watch.springs.load(Relaxed),
            contacts: watch.contacts.load(Relaxed),
            limit: watch.limit,
            threads: watch.threads,
        }
    }

    /// Time of a section \[s\].
    pub(crate) fn of_section(&self, name: &str) -> f64 {
        self.sections.iter().filter(|section| section.0 == name).map(|section| section.1).sum()
    }

    /// The four largest sections of steps: "time: springs 41 %, method 30 %". `None` before the first step.
    pub fn in_words(&self) -> Option<String> {
        let all: f64 = self.sections.iter().map(|(_, seconds)| seconds).sum();
        let mut sections = self.sections.clone();
        sections.sort_by(|a, b| b.1.total_cmp(&a.1));
        let share =
            |(name, seconds): &(&str, f64)| format!("{name} {:.0} %", 100.0 * seconds / all);
        let shares: Vec<String> = sections[..4].iter().map(share).collect();
        (self.timed_steps > 0).then(|| format!("time: {}", shares.join(", ")))
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

/// Cost of entering a section \[s\]: the median of many series of sections within sections.
fn cost_of_entering(stopwatch: Stopwatch) -> f64 {
    const DEEP: usize = 10;
    stopwatch.sheet().timed = true;
    let profile = Profile::with_clock(Arc::new(stopwatch));
    let series = || {
        let started = Instant::now();
        for _ in 0..DEEP {
            let _outer = profile.section(Section::Method);
            let _inner = profile.section(Section::Springs);
        }
        started.elapsed().as_secs_f64() / (4 * DEEP) as f64
    };
    let mut costs: Vec<f64> = (0..41).map(|_| series()).collect();
    costs.sort_by(f64::total_cmp);
    costs[costs.len() / 2]
}

impl Run {
    /// Measures the time of the run's sections from now on, without its verifying runs. No bit of a
    /// result depends on it.
    pub fn profile(&mut self) -> Arc<Stopwatch> {
        Stopwatch::of(self.simulation_mut())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch() -> Stopwatch {
        Stopwatch {
            limit: 1.0,
            threads: 1,
            cost: 0.0,
            timing: AtomicBool::new(false),
            wait: AtomicU64::new(1),
            springs: AtomicU64::new(0),
            contacts: AtomicU64::new(0),
            sheet: Mutex::new(Sheet::new()),
        }
    }

    #[test]
    fn short_steps_are_timed_seldom_and_every_step_counts_once() {
        for (overhead, few) in [(0.0, 1.0), (0.005, 1.0), (0.1, 10.0), (2.0, 200.0)] {
            let watch = watch();
            let mut counted = 0;
            for _ in 0..40_000 {
                watch.step();
                let mut sheet = watch.sheet();
                if sheet.timed {
                    // the first step that is not timed ends it
                    counted += std::mem::take(&mut sheet.gap);
                    (sheet.overhead, sheet.net) = (overhead, 1.0);
                }
            }
            let sheet = watch.sheet();
            let waits = sheet.next_gap - watch.wait.load(Relaxed);
            assert_eq!(counted + waits, 40_000, "{overhead}");
            let every = (counted - FIRST) as f64 / (sheet.timed_steps - FIRST) as f64;
            assert!((every / few - 1.0).abs() < 0.1, "{overhead}: 1 in {every}");
        }
    }
}
