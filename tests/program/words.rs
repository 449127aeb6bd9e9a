//! `explain` knows every word that the program prints, every key, measure and reason.

use assert_cmd::Command;
use stiction::cli::verbs::explain::pages;
use stiction_core::diagnosis::trust::REASONS;
use stiction_core::measures::MEASURES;
use stiction_scene::homes::homes;

fn printed(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    let output = command.args(arguments).output().expect("the program runs");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The cells of a line of a table, which at least two blanks part.
fn cells(line: &str) -> Vec<&str> {
    line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()
}

/// The first cells of the rows, and the heads, of all tables in a text.
fn words(text: &str) -> (Vec<&str>, Vec<&str>) {
    let lines: Vec<&str> = text.lines().collect();
    let is_rule = |line: &&str| line.starts_with('─');
    let heads = lines.windows(2).filter(|pair| is_rule(&pair[1])).flat_map(|pair| cells(pair[0]));
    let mut inside = false;
    let mut rows = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        if is_rule(line) {
            inside = true;
        } else if !line.starts_with(' ') || lines.get(number + 1).is_some_and(is_rule) {
            inside = false;
        } else if inside {
            rows.extend(cells(line).first());
        }
    }
    (heads.collect(), rows)
}

/// Fails with all words of which `explain` knows nothing.
fn all_known<'a>(words: impl IntoIterator<Item = &'a str>, of: &str) {
    let unknown: Vec<&str> = words.into_iter().filter(|word| pages(word).is_empty()).collect();
    assert!(unknown.is_empty(), "`stiction explain` knows nothing of {unknown:?}: {of}");
}

const SLOPE: &str = "scenes/new/slope.toml";
const CREEPING: &str = "scenes/incline_creep.toml";

#[test]
fn every_row_of_the_summary_is_explained() {
    let quick = ["--set", "time.end=0.06"];
    for method in [["--integrator", "tr-bdf2"], ["--integrator", "rk4"]] {
        let text =
            printed(&[&["run", SLOPE, "--verify", "--details"], &quick[..], &method[..]].concat());
        let (heads, rows) = words(&text);
        assert!(rows.len() > 6, "{text}");
        all_known([heads, rows].concat(), "rows and heads of the summary");
        // the word that the summary names at its end is one
        let last =
            text.lines().last().and_then(|line| line.strip_prefix("more: stiction explain "));
        all_known(last, "the last line");
        assert!(last.is_some(), "{text}");
    }
}

#[test]
fn every_head_of_a_table_and_column_of_a_file_is_explained() {
    let quick = ["--set", "time.end=0.04"];
    let compared = printed(
        &[&["compare", SLOPE, "--integrators", "rk4", "--steps", "1e-3"], &quick[..]].concat(),
    );
    let stiff = printed(&["stiffness", SLOPE]);
    for text in [&compared, &stiff] {
        let (heads, _) = words(text);
        assert!(heads.len() > 6, "{text}");
        all_known(heads, "heads of a table");
    }
    let stiff_rows = words(&stiff).1;
    let rates = stiff_rows.into_iter().filter(|row| row.contains("1/s") || row.contains("rad/s"));
    all_known(rates, "rates");
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let out = out.to_str().expect("a path");
    printed(&[&["run", SLOPE, "--verify", "--out", out], &quick[..]].concat());
    let file = std::fs::read_to_string(format!("{out}/measures.csv")).expect("measures");
    let columns = file.lines().next().expect("a header");
    assert!(columns.split(',').count() > 20, "{columns}");
    all_known(columns.split(','), "columns of measures.csv");
}

/// The first line of a table as CSV.
fn heads(csv: &str) -> Vec<&str> {
    csv.lines().next().expect("heads").split(',').collect()
}

#[test]
fn every_column_of_compare_and_sweep_is_explained() {
    let quick = ["--set", "time.end=0.04", "--verify"];
    let csv = ["--integrators", "rk4,bdf2", "--lag", "none", "--no-reference", "--format", "csv"];
    let compared = printed(&[&["compare", CREEPING], &csv[..], &quick[..]].concat());
    assert!(heads(&compared).len() > 25, "{compared}");
    all_known(heads(&compared), "columns of compare");
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let out = out.to_str().expect("a path");
    printed(&[&["sweep", CREEPING, "--vary", "time.step=1e-3", "--out", out], &quick[..]].concat());
    let collected = printed(&["sweep", "collect", out]);
    assert!(heads(&collected).len() > 25, "{collected}");
    all_known(heads(&collected), "columns of a sweep");
}

#[test]
fn words_of_tables_and_of_the_window_are_explained() {
    let words = [
        "period",
        "swing",
        "μ",
        "k_n",
        "stick",
        "mu_s",
        "friction limit",
        "hand",
        "push",
        "height",
        "sticks",
        "upright",
        "faults that passed",
        "travel",
        "measure_creep",
        "level",
        "integrator_creep",
        "expectations_met",
        "step above friction limit",
        "tension",
        "elastic",
        "dissipated_elastic",
        "elastic ω",
        "von-mises",
        "stick lost",
        "not steady",
        "slip_error",
        "own",
        "touches nothing",
        "least certain",
        "compared with",
        "like cycles",
        "completed",
        "now at",
        "holds",
        "load T",
        "in a minute",
        "its maximum",
        "the law's creep",
        "not verified",
        "contacts press",
        "friction bears",
        "turned by",
        "passed over",
        "no limit",
        "lost to damping",
        "as written",
        "not drawn",
    ];
    all_known(words, "words");
}

/// All pages fit a terminal of 80 columns.
#[test]
fn no_page_is_wider_than_the_terminal() {
    let keys = homes().iter().map(|home| home.key).collect::<Vec<_>>();
    let reasons = REASONS.iter().map(|reason| reason.name);
    let all = MEASURES.iter().map(|kind| kind.name).chain(reasons).chain(keys);
    for name in all.chain(["drift", "trusted", "law", "integrator", "load", "E309", "E101"]) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
        let output = command.args(["explain", name]).env("COLUMNS", "80").output();
        let text = String::from_utf8(output.expect("it runs").stdout).expect("UTF-8");
        let long = text.lines().find(|line| line.chars().count() > 80);
        assert!(long.is_none() && !text.is_empty(), "{name}: {long:?}");
    }
}

#[test]
fn every_key_measure_and_reason_is_explained() {
    all_known(homes().iter().map(|home| home.key), "keys");
    all_known(MEASURES.iter().map(|kind| kind.name), "measures");
    all_known(REASONS.iter().map(|reason| reason.name), "reasons");
    assert!(pages("contact.normal.stiffness").concat().contains("penalty stiffness"));
    assert!(!pages("contact.normal.stiffness").concat().contains("bristle"));
    assert!(pages("nothing of the kind").is_empty());
}

/// Every command, the old name of `inspect`, and the words around verification.
#[test]
fn every_command_is_explained() {
    let help = printed(&["--help"]);
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names: Vec<&str> = commands
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.len() > 20, "{names:?}");
    for name in names.iter().filter(|name| **name != "help").chain(&[
        "verify",
        "audit",
        "refined",
        "verification",
    ]) {
        let page = printed(&["explain", name]);
        assert!(page.lines().count() > 1, "{name}: {page}");
    }
}
