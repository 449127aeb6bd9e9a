//! `validate`: the cases with known answers, run by the program.

use crate::cli::machine::StopSignal;
use crate::cli::terminal::{self, Exit, Failure, number, say, table};
use stiction_core::registry::words::nearest;
use stiction_lab::validation::{
    Case, CaseFigure, CaseGap, CaseKind, CaseOutcome, CasePlan, RigSetting, cases, count, document,
    groups,
};

/// Options of `validate`.
#[derive(clap::Args)]
pub struct Options {
    /// Groups to run, separated by commas: P3,P6 (default: all)
    #[arg(long, value_delimiter = ',', value_name = "GROUPS")]
    only: Vec<String>,
    /// Name the cases, a sentence each, and run nothing
    #[arg(long)]
    list: bool,
    /// The same as --format json
    #[arg(long, conflicts_with_all = ["markdown", "format"])]
    json: bool,
    /// The same as --format markdown
    #[arg(long, conflicts_with = "format")]
    markdown: bool,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// A table for people
    Table,
    /// One JSON document
    Json,
    /// The text of docs/validation.md
    Markdown,
}

/// Runs the verb.
pub fn validate(options: &Options) -> Result<Exit, Failure> {
    let wanted = wanted(&options.only)?;
    let chosen = |case: &Case| wanted.contains(&case.group);
    if options.list {
        let rows = cases().filter(|case| chosen(case));
        let rows: Vec<Vec<String>> =
            rows.map(|c| [c.group, c.name, c.about].map(String::from).into()).collect();
        terminal::print(&table(
            &["group", "case", "what is set up, and what it should be"],
            &rows,
        ))?;
        return Ok(Exit::Ok);
    }
    let signal = StopSignal::listen();
    let plan = CasePlan::of(chosen);
    let bar = terminal::progress_of_runs(plan.trials() as u64, "validating");
    let stop = || signal.heard().is_some();
    let outcomes = plan.run(&RigSetting { stop: &stop }, &|name| {
        bar.set_message(name.to_string());
        bar.inc(1);
    });
    bar.finish_and_clear();
    if let Some(exit) = signal.heard() {
        return Ok(exit);
    }
    show(options, &outcomes)?;
    let green = outcomes.iter().flat_map(|outcome| &outcome.figures).all(CaseFigure::green);
    Ok(if green { Exit::Ok } else { Exit::Regression })
}

/// The given groups in the spelling of the table; all if none is given.
fn wanted(only: &[String]) -> Result<Vec<&'static str>, Failure> {
    let known = groups();
    if only.is_empty() {
        return Ok(known);
    }
    let named = |name: &String| {
        known.iter().copied().find(|group| group.eq_ignore_ascii_case(name.trim())).ok_or_else(|| {
            let near = nearest(name, known.iter().copied());
            let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            let known = known.join(", ");
            let message = format!("there is no group `{name}`{hint}\n  help: known are {known}; `stiction validate --list` says what is in them");
            Failure::new(Exit::Usage, message)
        })
    };
    only.iter().map(named).collect()
}

fn show(options: &Options, outcomes: &[CaseOutcome]) -> Result<(), Failure> {
    let json = options.json || options.format == Format::Json;
    let markdown = options.markdown || options.format == Format::Markdown;
    if json {
        let text = serde_json::to_string_pretty(&document(outcomes)).expect("a JSON value");
        terminal::print(&(text + "\n"))?;
    } else if markdown {
        terminal::print(&page(outcomes))?;
    } else {
        terminal::print(&table(&HEADER, &rows(outcomes, |_| true)))?;
        terminal::print(&format!("\n{}\n", summary(outcomes)))?;
        outcomes.iter().flat_map(gaps).try_for_each(|gap| terminal::print(&(gap + "\n")))?;
    }
    let red = reds(outcomes);
    match (red.is_empty(), json || markdown) {
        (true, _) => Ok(()),
        (false, true) => {
            say(red.trim_end());
            Ok(())
        }
        (false, false) => terminal::print(&red),
    }
}

/// "not validated: P2 creep of every law: arctan: no closed form ...", a line for every variant.
fn gaps(outcome: &CaseOutcome) -> impl Iterator<Item = String> {
    let Case { group, name, .. } = outcome.case;
    let line = move |gap: &CaseGap| {
        format!("not validated: {group} {name}: {}: {}", gap.variant, gap.reason)
    };
    outcome.gaps.iter().map(line)
}

/// Figures out of tolerance, and reasons why runs failed; empty where all is green.
fn reds(outcomes: &[CaseOutcome]) -> String {
    let rows = rows(outcomes, |figure| !figure.green());
    if rows.is_empty() {
        return String::new();
    }
    let mut text = format!("\nout of tolerance:\n{}", table(&HEADER, &rows));
    for figure in outcomes.iter().flat_map(|outcome| &outcome.figures) {
        if let Some(trouble) = &figure.trouble {
            text += &format!("{}: {trouble}\n", figure.variant);
        }
    }
    text
}

const HEADER: [&str; 8] =
    ["case", "who", "figure", "reference", "measured", "error", "tolerance", "verdict"];

/// One row for every figure for which `shown` is true.
fn rows(outcomes: &[CaseOutcome], shown: impl Fn(&CaseFigure) -> bool) -> Vec<Vec<String>> {
    let of_case = |outcome: &CaseOutcome| -> Vec<Vec<String>> {
        let case = format!("{} {}", outcome.case.group, outcome.case.name);
        let figures = outcome.figures.iter().filter(|figure| shown(figure));
        figures.map(|figure| [vec![case.clone()], cells(figure)].concat()).collect()
    };
    outcomes.iter().flat_map(of_case).collect()
}

/// Variant, figure, reference, measured, error, tolerance, verdict.
fn cells(figure: &CaseFigure) -> Vec<String> {
    let unit = if figure.unit.is_empty() { String::new() } else { format!(" {}", figure.unit) };
    let share = |x: f64| match figure.kind {
        CaseKind::Absolute => number(x),
        CaseKind::Relative => format!("{} %", number(100.0 * x)),
    };
    let known = |text: String| if figure.trouble.is_some() { "–".to_string() } else { text };
    let verdict = match (&figure.trouble, figure.green()) {
        (Some(_), _) => "✗ failed",
        (None, true) => "✓",
        (None, false) => "✗",
    };
    vec![
        figure.variant.clone(),
        figure.name.clone(),
        known(format!("{}{unit}", precise(figure.reference))),
        known(format!("{}{unit}", precise(figure.measured))),
        known(share(figure.error())),
        known(share(figure.tolerance)),
        verdict.into(),
    ]
}

/// A number with enough digits to show its error.
fn precise(x: f64) -> String {
    if x == 0.0 || !(1e-3..1e5).contains(&x.abs()) {
        return number(x);
    }
    let text = format!("{x:.7}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// "validate: 213 of 213 figures within tolerance (P1 24/24 · P2 …)".
fn summary(outcomes: &[CaseOutcome]) -> String {
    let (green, all) = count(outcomes.iter().flat_map(|outcome| &outcome.figures));
    let mut groups: Vec<&str> = outcomes.iter().map(|outcome| outcome.case.group).collect();
    groups.dedup();
    let parts = groups.into_iter().map(|group| {
        let own = outcomes.iter().filter(|outcome| outcome.case.group == group);
        let (green, all) = count(own.flat_map(|outcome| &outcome.figures));
        format!("{group} {green}/{all}")
    });
    let parts: Vec<String> = parts.collect();
    format!("validate: {green} of {all} figures within tolerance ({})", parts.join(" · "))
}

const PREFACE: &str = "# Validation

What the program computes, against answers that are known without it: by analysis or from publications. This page is what `stiction validate --markdown` prints; `stiction validate` runs all of it in some minutes, and the tests hold every figure to the same tolerances. An error or a tolerance in per cent is a share of the reference, any other has the unit of the figure.
";

/// The page of the documentation.
fn page(outcomes: &[CaseOutcome]) -> String {
    let mut page = format!("{PREFACE}\n{}\n", summary(outcomes));
    let mut write = |text: String| page.push_str(&text);
    for (k, outcome) in outcomes.iter().enumerate() {
        let case = outcome.case;
        if k == 0 || outcomes[k - 1].case.group != case.group {
            write(format!("\n## {}\n", case.group));
        }
        write(format!("\n### {}\n\n{}\n\n", case.name, case.about));
        write(format!("| {} |\n|{}\n", HEADER[1..].join(" | "), " --- |".repeat(7)));
        for figure in &outcome.figures {
            let cells: Vec<String> =
                cells(figure).into_iter().map(|cell| cell.replace('|', "\\|")).collect();
            write(format!("| {} |\n", cells.join(" | ")));
        }
        gaps(outcome).for_each(|gap| write(format!("\n{gap}\n")));
    }
    page
}
