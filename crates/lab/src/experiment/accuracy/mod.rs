//! An accuracy is asked: the search for the step that gives it.
//!
//! It begins with a large step and makes it smaller, by what reasons ask for, or by the order p at which the error
//! bar falls: the next step is h (AIM/excess)^(1/p), excess being the bar over what is asked. Each run is
//! compared with those before it, so that the last one is the answer and nothing is run twice. Where nothing
//! comes of smaller steps the search ends and says why.

pub mod asked;
pub mod draft;
pub mod ladder;
pub mod search;

use stiction_core::math::{larger, pow, round_parts, smaller};

/// A run that has ended, as far as the search asks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchedRun {
    /// Number of parts into which the longest step is divided.
    pub parts: u64,
    /// Whether the verdict trusts it, and every bar is within what is asked.
    pub delivers: bool,
    /// The largest error bar over what is asked of it; `None` without a bar.
    pub excess: Option<f64>,
    /// The order at which that bar falls; `None` if it is not known.
    pub order: Option<f64>,
    /// How many times as many steps its reasons ask for; 1 without reasons.
    pub asked: f64,
    /// Whether a reason says that no step helps.
    pub incurable: bool,
    /// Whether it did not come to its end.
    pub failed: bool,
    /// Its cost, in the unit of the limit.
    pub cost: f64,
    /// Its work, in any unit.
    pub work: f64,
}

/// The end of a search without an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stop {
    /// The bars do not fall: runs part, or rounding or a jump of the law is all that is left.
    Stalled,
    /// A reason says that no step helps.
    NoStepHelps,
    /// Runs fail at every step that was tried.
    Fails,
    /// The next run would cost more than is left.
    Limit {
        /// Cost of the next run.
        needs: f64,
        /// Cost that is left.
        left: f64,
    },
    /// No smaller step can be counted.
    Smallest,
}

/// The next step of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Next {
    /// Run with so many parts.
    Run(u64),
    /// The last run is the answer.
    Done,
    /// There is none.
    Stop(Stop),
}

/// Share of what is asked at which the next bar aims: orders are estimates.
const AIM: f64 = 0.7;

/// Least and largest ratio of steps after a bar, and after a reason.
const BY_BAR: (f64, f64) = (1.5, 4.0);
const BY_REASON: (f64, f64) = (2.0, 16.0);

/// Runs over which a bar has to fall to half; steps are then at least five times smaller. Where no run shows an order,
/// steps may be too large for the motion still, and more runs are made.
const PATIENCE: usize = 4;
const PATIENCE_WITHOUT_ORDER: usize = 7;
const FALL: f64 = 0.5;

/// Runs that show an order.
const RUNS_OF_A_BAR: usize = 3;

/// Runs in a row that fail.
const FAILURES: usize = 8;

/// Multiple of what is asked above which an error without an order says that steps are too large by far.
const FAR: f64 = 30.0;

/// Runs in a row of which a reason says that no step helps, which runs at smaller steps may still outweigh.
const INCURABLE: usize = 3;

/// Largest number of parts: times are counted in steps.
const MOST_PARTS: u64 = 1 << 40;

/// A search.
#[derive(Debug, Clone)]
pub struct StepSearch {
    first: u64,
    tried: Vec<SearchedRun>,
}

impl StepSearch {
    /// A search that begins with so many parts.
    pub fn new(first: u64) -> StepSearch {
        StepSearch { first: first.max(1), tried: Vec::new() }
    }

    /// Adds a run.
    pub fn add(&mut self, run: SearchedRun) {
        self.tried.push(run);
    }

    /// The runs so far.
    pub fn tried(&self) -> &[SearchedRun] {
        &self.tried
    }

    /// The run that comes next, which may cost what is `left`, or the end.
    pub fn next(&self, left: f64) -> Next {
        let Some(last) = self.tried.last() else { return Next::Run(self.first) };
        if last.delivers {
            return Next::Done;
        }
        if let Some(stop) = self.in_vain() {
            return Next::Stop(stop);
        }
        let parts = (last.parts as f64 * self.ratio(last)).ceil();
        if parts > MOST_PARTS as f64 {
            return Next::Stop(Stop::Smallest);
        }
        let parts = round_parts(parts as u64) as f64;
        let needs = last.cost * parts / last.parts as f64;
        if needs > left {
            return Next::Stop(Stop::Limit { needs, left });
        }
        Next::Run(parts as u64)
    }

    /// The cost so far.
    pub fn spent(&self) -> f64 {
        self.tried.iter().map(|run| run.cost).sum()
    }

    /// An estimate of the work of all runs to come and of their number, from the last bar and its order; `None` without
    /// either.
    pub fn to_come(&self) -> Option<(f64, usize)> {
        let last = self.tried.last()?;
        if last.delivers {
            return Some((0.0, 0));
        }
        let excess = last.excess.filter(|excess| excess.is_finite())?;
        let mut ratio = larger(pow(excess / AIM, 1.0 / last.order?), 1.0);
        if ratio > MOST_PARTS as f64 {
            return None;
        }
        let (mut work, mut runs) = (0.0, 0);
        // the last of them, and those at twice, four times ... its step
        while ratio > 1.0 {
            work += last.work * ratio;
            runs += 1;
            ratio /= BY_BAR.1;
        }
        Some((larger(work, last.work * self.ratio(last)), runs.max(1)))
    }

    /// The same where nothing is known of an error, if the next run takes so much work: an error bar needs three runs,
    /// each with half the step of that before it, and where three have none at least two more.
    pub fn to_come_without_bar(&self, next: f64) -> (f64, usize) {
        let tried = self.tried.len();
        let runs = if tried < RUNS_OF_A_BAR { RUNS_OF_A_BAR - tried } else { 2 };
        (next * ((1_u64 << runs) - 1) as f64, runs)
    }

    /// By how many times the next step is smaller.
    fn ratio(&self, last: &SearchedRun) -> f64 {
        let within = |ratio: f64, (least, most): (f64, f64)| smaller(larger(ratio, least), most);
        let by_reason = (last.asked > 1.0).then(|| within(last.asked, BY_REASON));
        let by_bar = last
            .excess
            .zip(last.order)
            .map(|(excess, order)| within(pow(excess / AIM, 1.0 / order), BY_BAR));
        let is_far = last.excess.is_some_and(|excess| excess > FAR);
        let by_bar = by_bar.or(is_far.then_some(BY_BAR.1));
        match (by_reason, by_bar) {
            (Some(a), Some(b)) => larger(a, b),
            (Some(ratio), None) | (None, Some(ratio)) => ratio,
            // an order shows in halves
            (None, None) => 2.0,
        }
    }

    /// Why smaller steps are in vain.
    fn in_vain(&self) -> Option<Stop> {
        let from = self.tried.len().saturating_sub(INCURABLE);
        let recent = &self.tried[from..];
        if recent.len() == INCURABLE && recent.iter().all(|run| run.incurable) {
            return Some(Stop::NoStepHelps);
        }
        let from = self.tried.len().saturating_sub(FAILURES);
        let last = &self.tried[from..];
        if last.len() == FAILURES && last.iter().all(|run| run.failed) {
            return Some(Stop::Fails);
        }
        let bars: Vec<f64> = self.tried.iter().rev().map_while(|run| run.excess).collect();
        let ordered = self.tried.iter().rev().take(PATIENCE).any(|run| run.order.is_some());
        let before = *bars.get(if ordered { PATIENCE } else { PATIENCE_WITHOUT_ORDER })?;
        let falls = bars[0].is_finite() && (bars[0] <= FALL * before || bars[0] <= FALL * bars[1]);
        (bars[0] > 1.0 && !falls).then_some(Stop::Stalled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Follows a search whose runs with so many parts have the excess and order of `of`, by runs one by one; a run
    /// costs as much as it has parts. The bar needs a run before it.
    fn followed(limit: f64, of: impl Fn(u64) -> (f64, Option<f64>)) -> (StepSearch, Next) {
        let mut search = StepSearch::new(4);
        loop {
            let next = search.next(limit - search.spent());
            let Next::Run(parts) = next else { return (search, next) };
            let (excess, order) = of(parts);
            let known = !search.tried.is_empty();
            search.add(SearchedRun {
                parts,
                delivers: known && excess <= 1.0,
                excess: known.then_some(excess),
                order: order.filter(|_| search.tried.len() > 1),
                asked: 1.0,
                incurable: false,
                failed: false,
                cost: parts as f64,
                work: parts as f64,
            });
            assert!(search.tried.len() < 50, "{search:?}");
        }
    }

    #[test]
    fn runs_of_any_order_come_to_what_is_asked_without_many_more() {
        for order in [1.0, 2.0, 4.0] {
            for size in [0.5, 40.0, 3000.0] {
                let excess = |parts: u64| size * pow(4.0 / parts as f64, order);
                let (search, next) = followed(f64::INFINITY, |parts| (excess(parts), Some(order)));
                assert_eq!(next, Next::Done, "{order} {size}");
                let last = search.tried.last().expect("a run");
                assert!(excess(last.parts) <= 1.0);
                // the fewest parts that would do, beside the least of three runs
                let fewest = larger(4.0 * pow(size, 1.0 / order), 8.0);
                let most = larger(4.0 * fewest, 28.0);
                assert!(search.spent() <= most, "{order} {size}: {} of {fewest}", search.spent());
            }
        }
    }

    #[test]
    fn a_bar_that_no_longer_falls_ends_the_search() {
        let (search, next) =
            followed(f64::INFINITY, |parts| (larger(300.0 / parts as f64, 7.0), None));
        assert_eq!(next, Next::Stop(Stop::Stalled));
        assert!(search.tried.len() <= 11, "{}", search.tried.len());
    }

    /// As that of a measure that never has a value.
    #[test]
    fn a_bar_that_stays_infinite_ends_the_search() {
        let (search, next) = followed(f64::INFINITY, |_| (f64::INFINITY, None));
        assert_eq!(next, Next::Stop(Stop::Stalled));
        assert!(search.tried.len() <= 9, "{}", search.tried.len());
    }

    #[test]
    fn a_factor_that_is_chance_does_not_end_it() {
        let chance = |parts: u64| [0.4, 1.0, 0.7, 0.1, 0.9][(parts % 5) as usize];
        let (_, next) =
            followed(f64::INFINITY, |parts| (4000.0 * chance(parts) / parts as f64, Some(1.0)));
        assert_eq!(next, Next::Done);
    }

    #[test]
    fn bars_that_grow_before_they_fall_do_not_end_it() {
        let excess =
            |parts: u64| if parts < 30 { parts as f64 } else { 4e4 / pow(parts as f64, 2.0) };
        let (_, next) = followed(f64::INFINITY, |parts| (excess(parts), None));
        assert_eq!(next, Next::Done);
    }

    #[test]
    fn the_limit_is_kept_by_the_cost_of_the_next_run() {
        let (search, next) = followed(100.0, |parts| (1e6 / parts as f64, Some(1.0)));
        let Next::Stop(Stop::Limit { needs, left }) = next else { panic!("{next:?}") };
        assert!(search.spent() <= 100.0 && needs > left && left == 100.0 - search.spent());
    }

    fn reasoned(asked: f64, incurable: bool) -> SearchedRun {
        let (delivers, excess, order) = (false, None, None);
        let failed = false;
        let (cost, work) = (1.0, 1.0);
        SearchedRun { parts: 10, delivers, excess, order, asked, incurable, failed, cost, work }
    }

    #[test]
    fn reasons_lead_to_the_step_that_they_name() {
        let mut search = StepSearch::new(10);
        for (asked, parts) in [(1.0, 20), (1.2, 20), (7.0, 80), (1e9, 160)] {
            search.tried = vec![reasoned(asked, false)];
            assert_eq!(search.next(1e9), Next::Run(parts), "{asked}");
        }
    }

    /// A reason that asks for half the step does not make a search slow that is far from its goal.
    #[test]
    fn an_error_that_is_far_outweighs_a_small_cure() {
        let mut search = StepSearch::new(10);
        search.add(SearchedRun { excess: Some(3.0 * FAR), ..reasoned(2.0, false) });
        assert_eq!(search.next(1e9), Next::Run(40));
    }

    #[test]
    fn where_no_step_helps_three_runs_are_enough() {
        let mut search = StepSearch::new(10);
        for run in 1..=3 {
            search.add(reasoned(1.0, true));
            assert_eq!(search.next(1e9) == Next::Stop(Stop::NoStepHelps), run == 3);
        }
    }

    #[test]
    fn runs_that_fail_at_every_step_end_the_search() {
        let mut search = StepSearch::new(10);
        for run in 1..=FAILURES {
            search.add(SearchedRun { failed: true, ..reasoned(2.0, false) });
            assert_eq!(search.next(1e9) == Next::Stop(Stop::Fails), run == FAILURES);
        }
    }

    /// Steps that are too large by far show no order, and no error that falls, before they are small enough.
    #[test]
    fn errors_that_fall_late_do_not_end_the_search() {
        let (search, next) = followed(f64::INFINITY, |parts| {
            (smaller(100.0, 1e6 / parts as f64), (parts > 20_000).then_some(1.0))
        });
        assert_eq!(next, Next::Done, "{search:?}");
    }

    #[test]
    fn the_work_to_come_falls_to_nothing() {
        let mut search = StepSearch::new(4);
        assert_eq!(search.to_come(), None);
        let run = |parts: u64, excess, delivers| SearchedRun {
            parts,
            delivers,
            excess: Some(excess),
            order: Some(1.0),
            work: parts as f64,
            ..reasoned(1.0, false)
        };
        search.add(run(8, 7.0, false));
        let (to_come, runs) = search.to_come().expect("a bar");
        assert!((80.0..=130.0).contains(&to_come) && runs == 2, "{to_come}, {runs}");
        search.add(run(100, 0.6, true));
        assert_eq!(search.to_come(), Some((0.0, 0)));
    }

    #[test]
    fn a_bar_takes_three_runs() {
        let mut search = StepSearch::new(4);
        assert_eq!(search.to_come_without_bar(10.0), (70.0, 3));
        search.add(reasoned(1.0, false));
        assert_eq!(search.to_come_without_bar(20.0), (60.0, 2));
        search.add(reasoned(1.0, false));
        assert_eq!(search.to_come_without_bar(40.0), (40.0, 1));
        (0..9).for_each(|_| search.add(reasoned(1.0, false)));
        assert_eq!(search.to_come_without_bar(20.0), (60.0, 2));
    }
}
