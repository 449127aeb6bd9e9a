//! The table and the answer of a search.

use crate::cli::terminal::{self, Failure, counted, note, number};
use crate::cli::verbs::stiffness::in_parts;
use std::collections::BTreeSet;
use stiction_core::diagnosis::soft_creep::whole_after;
use stiction_core::diagnosis::trust::{Level, REASONS, percent};
use stiction_core::state::memory::Memory;
use stiction_lab::experiment::law;
use stiction_lab::experiment::tune::{
    Answer, Combination, Cost, Ending, SearchEnd, TuneCandidate, Tuning, series,
};

/// A combination in words.
pub(super) fn describe(combination: &Combination) -> String {
    let epsilon = combination.epsilon.map_or(String::new(), |e| format!(", ε {} m/s", number(e)));
    let Combination { law, integrator, step, .. } = combination;
    format!("{law}{epsilon}, {integrator}, step {} s", number(*step))
}

/// The name of a law without its keys, and its ε.
fn short(combination: &Combination) -> String {
    let epsilon = combination.epsilon.map_or(String::new(), |e| format!(" {}", number(e)));
    law::name(&combination.law).to_string() + &epsilon
}

/// A fault in a few words, which stand in a narrow column: numbers that have a column of their own are left out.
fn fault(why: &str) -> String {
    let words = match why {
        why if why.starts_with("creep ") => "creep".to_string(),
        why if why.starts_with("penetration ") => "too deep".into(),
        why if why.starts_with("energy_error ") => "energy".into(),
        why => why.replace('-', " "),
    };
    format!("✗ {words}")
}

fn cells(candidate: &TuneCandidate, answer: &Answer) -> Vec<String> {
    let combination = &candidate.combination;
    let passed_over = answer.unverified.iter().any(|(failed, _)| failed == combination);
    let is_best = answer.best.as_ref().is_some_and(|best| best.combination == *combination);
    let mut note = match &candidate.end {
        SearchEnd::Holds if is_best => "holds, verified".to_string(),
        SearchEnd::Holds if passed_over => "✗ when verified".into(),
        SearchEnd::Holds => "holds".into(),
        SearchEnd::TooDear => "put off".into(),
        SearchEnd::Fails(why) => fault(why),
        SearchEnd::Refused(why) => format!("refused: {why}"),
    };
    if answer.own.as_ref() == Some(combination) {
        note += " (own)";
    }
    vec![
        short(combination),
        combination.integrator.clone(),
        number(combination.step),
        // of a run that was stopped it says nothing
        candidate.creep.filter(|_| candidate.completed).map_or("–".into(), number),
        number(candidate.cost),
        note,
    ]
}

/// Largest number of rows of the table.
const SHOWN: usize = 15;

/// Prints the table, and the answer or what is nearest to one.
pub(super) fn show(tuning: &Tuning, answer: &Answer) -> Result<(), Failure> {
    let unit = match tuning.cost {
        Cost::Cpu => "CPU s/s",
        Cost::Evaluations => "eval./s",
    };
    show_candidates(answer, unit)?;
    for (combination, why) in &answer.unverified {
        note(&format!("passed over: {}: {}", describe(combination), failed(why)));
    }
    match answer.ending {
        Ending::Complete => {}
        Ending::OutOfTime => {
            note("its time does not suffice for everything: combinations were left untried")
        }
        Ending::Stopped => note("stopped before everything was tried"),
    }
    match (&answer.so_far, &answer.best) {
        (Some(best), None) => show_best(best, answer, unit, "the best so far, not verified: ", ""),
        (cheaper, Some(best)) => {
            if let Some(cheaper) = cheaper {
                note(&format!(
                    "cheaper, but there was no time to verify it: {}, {} {unit}",
                    describe(&cheaper.combination),
                    number(cheaper.cost)
                ));
            }
            softness(tuning, &best.combination).iter().for_each(|line| note(line));
            if let Some(tie) = tied(tuning, answer, best) {
                note(&tie);
            }
            let level = match answer.error {
                Some(share) => Level::Trusted(share),
                None => Level::NoFaultFound,
            };
            let verified = answer.verified_creep.map_or("–".into(), number);
            let verified = format!(
                "\nverified: twice as long at half the step it creeps at {verified} m/s; {level}"
            );
            show_best(best, answer, unit, "", &verified)
        }
        (None, None) => {
            say_nothing_holds(tuning, answer);
            Ok(())
        }
    }
}

/// The candidates that were run: the answer, those that hold, the cheapest on top, and the others.
fn show_candidates(answer: &Answer, unit: &str) -> Result<(), Failure> {
    let header = ["law, ε m/s", "integrator", "step s", "creep m/s", unit, ""];
    let is_best = |c: &TuneCandidate| {
        answer.best.as_ref().is_some_and(|best| best.combination == c.combination)
    };
    let mut candidates: Vec<&TuneCandidate> =
        answer.candidates.iter().filter(|c| c.runs > 0).collect();
    // a smaller step that took the place of one that failed verification has no row yet
    if !candidates.iter().any(|c| is_best(c)) {
        candidates.extend(&answer.best);
    }
    let rank = |c: &TuneCandidate| match c.end {
        _ if is_best(c) => 0,
        SearchEnd::Holds
            if !answer.unverified.iter().any(|(failed, _)| *failed == c.combination) =>
        {
            1
        }
        SearchEnd::Holds => 2,
        _ if answer.own.as_ref() == Some(&c.combination) => 3,
        SearchEnd::Fails(_) if c.completed => 4,
        _ => 5,
    };
    candidates.sort_by(|a, b| rank(a).cmp(&rank(b)).then(a.cost.total_cmp(&b.cost)));
    let rows: Vec<Vec<String>> = candidates.iter().take(SHOWN).map(|c| cells(c, answer)).collect();
    if rows.is_empty() {
        return Ok(());
    }
    terminal::print(&terminal::table(&header, &rows))?;
    legend(&candidates[..candidates.len().min(SHOWN)], answer);
    let untried = answer.candidates.iter().filter(|c| c.runs == 0).count();
    let rest = candidates.len().saturating_sub(SHOWN);
    if rest + untried > 0 {
        let all = answer.candidates.len();
        let hold = answer.candidates.iter().filter(|c| c.holds()).count();
        let pairs = ["pair of law and integrator not run", "pairs of law and integrator not run"];
        let left = [(rest, ["more row", "more rows"]), (untried, pairs)];
        let left = left.iter().filter(|(number, _)| *number > 0);
        let left: Vec<String> =
            left.map(|(number, [one, many])| counted(*number as u64, one, many)).collect();
        let left = left.join(", ");
        note(&format!("{left}: of {all}, {hold} hold at some step; --format json has all of them"));
    }
    Ok(())
}

/// Explains what the rows abbreviate.
fn legend(shown: &[&TuneCandidate], answer: &Answer) {
    let mut laws: Vec<&str> = shown.iter().map(|c| c.combination.law.as_str()).collect();
    laws.sort_unstable();
    laws.dedup();
    for law in laws.into_iter().filter(|law| !law::keys(law).is_empty()) {
        note(&format!("{} has {}", law::name(law), law::keys(law).join(", ")));
    }
    if shown.iter().any(|c| c.end == SearchEnd::TooDear) {
        note(
            "put off: its run cost more than was allowed at that moment, and was stopped; not judged",
        );
    }
    let own = |c: &&TuneCandidate| answer.own.as_ref() == Some(&c.combination);
    if shown.iter().any(own) {
        note("own: law, ε, method and step of the scene itself");
    }
}

fn show_best(
    best: &TuneCandidate,
    answer: &Answer,
    unit: &str,
    before: &str,
    verified: &str,
) -> Result<(), Failure> {
    let words = format!(
        "{before}{}: creep {} m/s, {} {unit}{verified}; {} runs in all",
        describe(&best.combination),
        best.creep.map_or("–".into(), number),
        number(best.cost),
        answer.runs,
    );
    let fragment = best.combination.fragment();
    terminal::print(&format!("\n{}\n{fragment}", terminal::prose(0, &words)))
}

/// Costs in CPU time within this share of each other change places from search to search.
const TIE: f64 = 0.1;

/// Combinations that hold at the cost of the best, in words.
fn tied(tuning: &Tuning, answer: &Answer, best: &TuneCandidate) -> Option<String> {
    let as_cheap = |c: &&TuneCandidate| {
        c.holds()
            && short(&c.combination) != short(&best.combination)
            && c.cost <= (1.0 + TIE) * best.cost
            && !answer.unverified.iter().any(|(failed, _)| *failed == c.combination)
    };
    let names = || answer.candidates.iter().filter(as_cheap).map(|c| short(&c.combination));
    let names: BTreeSet<String> = names().collect();
    (tuning.cost == Cost::Cpu && !names.is_empty()).then(|| {
        let names: Vec<String> = names.into_iter().collect();
        format!(
            "as cheap within {}, as timings vary, and not verified: {}",
            percent(TIE),
            names.join(", ")
        )
    })
}

/// The reason why verification failed, as a sentence.
fn failed(why: &str) -> String {
    match why.strip_prefix("verified: ") {
        Some(why) => format!("beside runs at other steps it is not trusted ({})", reasons(why)),
        None => {
            let why = why.strip_prefix("twice as long at half the step: ").unwrap_or(why);
            format!("run twice as long at half the step, it does not hold ({})", reasons(why))
        }
    }
}

/// Names of reasons, and the command that explains the first; other texts as they are.
fn reasons(why: &str) -> String {
    let first = why.split(", ").next().unwrap_or(why);
    match REASONS.iter().any(|reason| reason.name == first) {
        true => format!("{why}: stiction explain {first}"),
        false => why.into(),
    }
}

/// Says that nothing holds, how far the nearest is from it, and the command that would do.
fn say_nothing_holds(tuning: &Tuning, answer: &Answer) {
    let runs = answer.runs;
    let refusal = |c: &TuneCandidate| match &c.end {
        SearchEnd::Refused(why) => Some(why.clone()),
        _ => None,
    };
    let refused = || answer.candidates.iter().find_map(refusal);
    if let (0, Some(why)) = (runs, refused()) {
        note(&format!("nothing was run: {why}"));
    } else if answer.ending == Ending::Complete {
        if answer.candidates.is_empty() {
            note("under no ε of the grid is the law's own creep within the budget");
        }
        note(&format!(
            "no combination {} in {}; allow more, or give --laws, --epsilon, --steps of your own",
            exceeded(tuning, answer),
            counted(runs as u64, "run", "runs")
        ));
    } else {
        let runs = counted(runs as u64, "run", "runs");
        note(&format!("nothing that holds was found in {runs}"));
    }
    for bound in &BOUNDS {
        let exceeding = answer.candidates.iter().filter_map(|c| Some((c, bound.exceeded_by(c)?)));
        if let Some((nearest, value)) = exceeding.min_by(|a, b| a.1.total_cmp(&b.1)) {
            note(&format!(
                "the nearest is {}, which {} {}{}: {} {} allows that, beside the other bounds",
                describe(&nearest.combination),
                bound.does,
                number(value),
                bound.unit,
                bound.option,
                // the text of a fault has four digits
                number(rounded_up(value * 1.0005)),
            ));
            break;
        }
    }
    if let (Some(most), Ending::OutOfTime) = (tuning.max_time, answer.ending) {
        let (laws, methods) = cheapest_names(tuning);
        note(&format!(
            "more time, or a shorter list: --max-time {}, or --laws {laws} --integrators {methods}",
            number((4.0 * most.as_secs_f64()).ceil()),
        ));
    }
}

/// A bound of the budget.
struct Bound {
    /// the first word of a fault
    name: &'static str,
    option: &'static str,
    /// what a run above it does, before the value and its unit
    does: &'static str,
    unit: &'static str,
}

const BOUNDS: [Bound; 3] = [
    Bound { name: "creep", option: "--creep", does: "creeps at", unit: " m/s" },
    Bound { name: "penetration", option: "--penetration", does: "has a depth of", unit: " m" },
    Bound { name: "energy_error", option: "--energy", does: "has an energy error of", unit: "" },
];

impl Bound {
    /// The value by which a run that reached its end is above it.
    fn exceeded_by(&self, candidate: &TuneCandidate) -> Option<f64> {
        let SearchEnd::Fails(why) = &candidate.end else { return None };
        let value = why.strip_prefix(self.name)?.split_whitespace().next()?.parse().ok()?;
        candidate.completed.then_some(value)
    }
}

/// "keeps creep below 0.001 m/s": what no combination of a search does.
fn exceeded(tuning: &Tuning, answer: &Answer) -> String {
    let above = |bound: &&Bound| answer.candidates.iter().any(|c| bound.exceeded_by(c).is_some());
    let above: Vec<&str> = BOUNDS.iter().filter(above).map(|bound| bound.name).collect();
    match above[..] {
        [] if !answer.candidates.is_empty() => "is without a fault".into(),
        [] | ["creep"] => format!("keeps creep below {} m/s", number(tuning.budget.creep)),
        _ => format!("keeps {} within the budget", above.join(", ").replace('_', " ")),
    }
}

/// The next larger of 1, 2, 5 × 10ⁿ.
fn rounded_up(value: f64) -> f64 {
    series(value, 1e2).last().copied().unwrap_or(value)
}

/// A law that holds without creep, or the first, and the scene's own method with an explicit one.
fn cheapest_names(tuning: &Tuning) -> (String, String) {
    let own = tuning.base.load(&[]).map(|loaded| loaded.scene.integrator.name).ok();
    let first = tuning.grid.integrators.first().map(String::as_str);
    let mut methods: Vec<&str> = own.into_iter().chain(first).collect();
    methods.dedup();
    (tuning.grid.laws.first().cloned().unwrap_or_default(), methods.join(","))
}

/// Note on bodies that are too soft to creep as a whole within a run of the answer.
fn softness(tuning: &Tuning, best: &Combination) -> Vec<String> {
    let Ok(scene) = tuning.base.load(&best.sets()).map(|loaded| loaded.scene) else {
        return Vec::new();
    };
    let Ok(mut built) = tuning.base.build(&scene) else { return Vec::new() };
    built.model.commit(&mut built.state, &mut Memory::default());
    let end = tuning.seconds.unwrap_or(scene.time.end());
    let bodies = built.model.bodies.iter();
    bodies
        .map(|body| in_parts(&body.name, whole_after(&built.model, &built.state, body), end))
        .filter(|said| !said.is_empty())
        .collect()
}
