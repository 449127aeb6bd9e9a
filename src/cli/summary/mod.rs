//! The summary of a run, for people: the answers, what became of the bodies, the verdict; details on request.

mod details;
mod fates;
mod steady;

use super::causes;
use super::terminal::{coloured, number, prose, table};
use super::verify;
use anstyle::AnsiColor;
use stiction_core::diagnosis::trust::Level;
use stiction_core::math::{with_error, with_unit};
use stiction_core::measures::Reduction;
use stiction_core::registry::words::LISTED;
use stiction_lab::run::{Checked, ORDER_COLUMNS, Outcome, Run, Status, reduction};
use stiction_scene::{Expectation, Moment};

/// Speed below which rounding of positions decides a drift \[m/s\], or a rate of turn \[rad/s\].
const ROUNDED_AWAY: f64 = 1e-13;

/// Summary of the run, for people; `detailed` with loads, contacts, work and books.
pub fn summary(run: &Run, outcome: &Outcome, cpu: f64, detailed: bool) -> String {
    let mut text = prose(0, &run.scene().title);
    let work = prose(0, &work(run, outcome, cpu));
    let completed = outcome.status == Status::Completed;
    if !completed {
        text += &work;
    }
    text += &answers(run, outcome);
    text += &fates::fates(run, outcome);
    text += &steady::steadiness(outcome);
    text += &steady::slips(outcome);
    text += &verdict(run, outcome);
    if let Some(verification) = &outcome.verification {
        verify::say_notes(verification);
        text += &prose(2, &verify::describe(verification));
        text += &causes::describe(verification);
    }
    if completed {
        text += &work;
    }
    if detailed {
        text += &details::details(run, outcome);
    }
    let all = if detailed { "" } else { "--details, " };
    text + &prose(0, &format!("more: {all}stiction explain {}", word_to_explain(outcome)))
}

/// "rk4 at step 1e-5 s, completed at t = 1 s: 100000 steps, 400000 force evaluations, 0.37 s of CPU time".
fn work(run: &Run, outcome: &Outcome, cpu: f64) -> String {
    let (scene, simulation) = (run.scene(), run.simulation());
    let by = match simulation.model.laws.is_some() {
        true => String::new(),
        false => format!(" with contact by {}", scene.contact.method.name),
    };
    format!(
        "{}{by} at step {} s, {} at t = {} s: {} steps, {} force evaluations, {cpu:.2} s of CPU time{}",
        scene.integrator.name,
        number(scene.time.step),
        outcome.status.word(),
        number(simulation.state.time),
        outcome.steps,
        outcome.work.evaluations,
        outcome.verification.as_ref().map_or("", |_| " with the runs compared"),
    )
}

/// The scene's measures at the end beside what is expected of them, and its other expectations.
fn answers(run: &Run, outcome: &Outcome) -> String {
    let Some(last) = &run.tally.last else { return String::new() };
    let frame = run.tally.count - 1;
    let mut rows: Vec<Vec<String>> = Vec::new();
    let expected = |name: &str| {
        let at_end = |c: &&Checked| c.expectation.column == name && c.expectation.at == Moment::End;
        outcome.checked.iter().find(at_end)
    };
    for ((name, value), unit) in run.columns.iter().zip(&last.measures).zip(run.units()) {
        if ORDER_COLUMNS.contains(&name.as_str()) {
            continue;
        }
        let error = outcome.verification.as_ref().and_then(|v| v.error(name, frame));
        let mut row = vec![name.clone(), reading(*value, error, unit)];
        if let Some(reduction) = reduction(run.scene(), name).filter(|_| value.is_nan()) {
            row[1] = without_cycles(reduction, last.time);
        }
        row.extend(expected(name).into_iter().flat_map(|checked| judged_of(run, checked)));
        rows.push(row);
    }
    rows.extend(outcome.verification.iter().flat_map(verify::places));
    let orders = details::observed_orders(run);
    rows.extend(orders.map(|orders| vec!["observed order".into(), orders]));
    let shown = |c: &&Checked| {
        c.expectation.at != Moment::End || !run.columns.contains(&c.expectation.column)
    };
    for checked in outcome.checked.iter().filter(shown) {
        let mut row = vec![named(&checked.expectation), measured(checked)];
        if let Some(place) = run.columns.iter().position(|name| *name == checked.expectation.column)
        {
            let unit =
                Some(run.units()[place]).filter(|_| checked.measured.is_some_and(|x| !x.is_nan()));
            row[1] = unit.map_or(row[1].clone(), |unit| with_unit(&row[1], unit));
        }
        row.extend(judged_of(run, checked));
        rows.push(row);
    }
    if rows.is_empty() {
        return String::new();
    }
    let header = ["measure", "", "expected", ""];
    let text = table(if outcome.checked.is_empty() { &header[..2] } else { &header }, &rows);
    text.lines().map(with_colours).collect()
}

/// Note on expectations that a faultless run does not meet: the verdict concerns the numbers, not
/// the expectations of the scene's author.
fn unmet(run: &Run, outcome: &Outcome) -> String {
    let missed: Vec<&Checked> = outcome.checked.iter().filter(|checked| !checked.met()).collect();
    if missed.is_empty() || !outcome.verdict.faultless() {
        return String::new();
    }
    let (which, they) = match (missed.len(), outcome.checked.len()) {
        (1, 1) => ("the expectation is".into(), "it is"),
        (1, all) => (format!("1 of {all} expectations is"), "they are"),
        (missed, all) => (format!("{missed} of {all} expectations are"), "they are"),
    };
    let changes: Vec<&str> = run.changes().into_iter().map(String::as_str).collect();
    let (but, meaning) = match changes.is_empty() {
        false => {
            let changes = changes.join(", ");
            ("", format!("{they} for the scene as written, and it was changed: {changes}"))
        }
        true if missed.iter().all(|checked| checked.in_doubt()) => {
            ("but ", "the error bar reaches across the tolerance, and a smaller step tells".into())
        }
        true if outcome.verdict.trusted() => ("but ", "the scene does something else".into()),
        true => {
            let meaning =
                "the scene does something else, or the step is too large (--verify tells)";
            ("but ", meaning.into())
        }
    };
    format!("{but}{which} not met: {meaning}\n")
}

/// The reason why a reduced measure has no value.
fn without_cycles((by, from): (Reduction, f64), time: f64) -> String {
    match by {
        _ if from > time => format!("none: its `from` is {} s", number(from)),
        Reduction::Period => "none: no two like cycles found after the first stroke".into(),
        Reduction::Swing => "none: no like falls and rises found after the first stroke".into(),
    }
}

/// The word of the summary about which its reader is most likely to ask.
fn word_to_explain(outcome: &Outcome) -> &'static str {
    match outcome.verdict.reasons.first() {
        Some(reason) => reason.name(),
        None if outcome
            .creep
            .iter()
            .any(|creep| creep.parts.is_some_and(|parts| parts.law > 0.0)) =>
        {
            "drift"
        }
        None if !outcome.verdict.trusted() => "error bar",
        None => "verdict",
    }
}

/// The columns of [`expectations`].
pub const EXPECTATION_HEADER: [&str; 4] = ["expectation", "expected", "measured", ""];

/// One row per expectation of the scene.
pub fn expectations(outcome: &Outcome) -> Vec<Vec<String>> {
    let row = |c: &Checked| {
        let [expected, met] = judged(c);
        vec![named(&c.expectation), expected, measured(c), met]
    };
    outcome.checked.iter().map(row).collect()
}

/// The column of an expectation and its moment: "tilt, its maximum".
fn named(expectation: &Expectation) -> String {
    let at = match expectation.at {
        Moment::End => String::new(),
        Moment::Maximum => ", its maximum".into(),
        Moment::Minimum => ", its minimum".into(),
        Moment::Time(time) => format!(" at {} s", number(time)),
    };
    format!("{}{at}", expectation.column)
}

/// The measured number with its error bar.
fn measured(c: &Checked) -> String {
    c.measured.map_or("–".into(), |value| reading(value, c.error, "1"))
}

/// The value of a measure with its error and unit; "none" for one that has no value, as the period of
/// a motion seen for less than two cycles.
fn reading(value: f64, error: Option<f64>, unit: &str) -> String {
    if value.is_nan() {
        return "none".into();
    }
    let text = error.map_or(number(value), |error| with_error(value, error));
    with_unit(&text, unit)
}

/// As [`judged`]; a changed scene does not have to meet what is expected of the scene as written.
fn judged_of(run: &Run, checked: &Checked) -> [String; 2] {
    let [expected, met] = judged(checked);
    match checked.met() || run.changes().is_empty() {
        true => [expected, met],
        false => [expected, "of the scene as written".into()],
    }
}

/// The expected number, and whether it is met.
fn judged(c: &Checked) -> [String; 2] {
    let Expectation { value, tolerance, .. } = &c.expectation;
    let doubt = if c.in_doubt() { format!(", {IN_DOUBT}") } else { String::new() };
    [format!("{} ± {}", number(*value), number(*tolerance)), format!("{}{doubt}", met(c.met()))]
}

/// The words for an expectation that is not met, and for one of which the error bar leaves it open.
const NOT_MET: &str = "NOT MET";
const IN_DOUBT: &str = "in doubt";

/// A line of the table of expectations with its verdict in colour; the last column, at its end, has it.
fn with_colours(line: &str) -> String {
    let (line, doubt) = match line.strip_suffix(IN_DOUBT) {
        Some(before) => (before, coloured(IN_DOUBT, AnsiColor::Yellow)),
        None => (line, String::new()),
    };
    let bare = line.trim_end_matches([',', ' ']);
    match bare.strip_suffix(NOT_MET) {
        Some(before) => {
            let gap = &line[bare.len()..];
            format!("{before}{}{gap}{doubt}\n", coloured(NOT_MET, AnsiColor::Red))
        }
        None => format!("{line}{doubt}\n"),
    }
}

/// Result of an expectation, in words.
pub fn met(met: bool) -> String {
    if met { "met" } else { NOT_MET }.into()
}

/// The verdict in words, with its reasons and advice.
fn verdict(run: &Run, outcome: &Outcome) -> String {
    let model = &run.simulation().model;
    let level = outcome.verdict.level();
    let (word, colour, note) = match level {
        Level::NotTrusted => ("NOT TRUSTED".to_string(), AnsiColor::Red, ""),
        Level::NoFaultFound => (
            "no fault found".into(),
            AnsiColor::Yellow,
            " (not verified; --verify gives every measure an error bar)",
        ),
        Level::Draft => (
            "draft".into(),
            AnsiColor::Yellow,
            " (one run, compared with nothing; --accuracy gives an error bar)",
        ),
        level => (level.to_string(), AnsiColor::Green, ""),
    };
    let line = prose(0, &format!("verdict: {word}{note}"));
    let mut text = line.replacen(&word, &coloured(&word, colour), 1);
    let mut lines = String::new();
    for reason in &outcome.verdict.reasons {
        lines += &format!("{}: {}\n", reason.name(), reason.describe(model));
    }
    if let Some(advice) = &outcome.advice {
        let times = number(advice.work);
        lines += &format!("try {}, about {times} times the work\n", advice.options());
    }
    for reason in &outcome.verdict.outweighed {
        lines += &format!("without effect on any measure: {}\n", reason.describe(model));
    }
    let passed = passed(run, outcome);
    if !passed.is_empty() {
        lines += &format!("faults that passed: {passed}\n");
    }
    for doubt in run.start.iter().take(LISTED) {
        lines += &format!("but it began so: {}: {}\n", doubt.kind, doubt.text);
    }
    match run.start.len().saturating_sub(LISTED) {
        0 => {}
        more => lines += &format!("and {more} more such starts\n"),
    }
    text += &prose(2, &(lines + &unmet(run, outcome)));
    text
}

/// "impact-unresolved until 0.7 s": the faults that stand no more at the end.
fn passed(run: &Run, outcome: &Outcome) -> String {
    let passed = run.tally.passed(&outcome.verdict);
    let passed = passed.map(|(name, time)| format!("{name} until {} s", number(time)));
    passed.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_on_expectations_are_in_colour() {
        let (red, yellow) =
            (coloured("NOT MET", AnsiColor::Red), coloured("in doubt", AnsiColor::Yellow));
        for (line, shown) in [
            ("x 1 NOT MET", format!("x 1 {red}\n")),
            ("x 1 NOT MET, in doubt", format!("x 1 {red}, {yellow}\n")),
            ("x 1 met, in doubt", format!("x 1 met, {yellow}\n")),
            ("x 1 met", "x 1 met\n".into()),
        ] {
            assert_eq!(with_colours(line), shown);
        }
    }
}
