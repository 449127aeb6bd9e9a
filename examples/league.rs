//! The friction scenes on which engines are compared: our rows beside theirs, and our goals.
//!
//! `cargo run --release --example league` prints the table; `-- --write docs/league.md` puts it
//! between the marks of that page.

#[path = "league/goals.rs"]
mod goals;
#[path = "league/rows.rs"]
mod rows;
#[path = "league/runs.rs"]
mod runs;

use goals::Goal;
use rows::{HOLDS, RIGID_EXACT, ROWS, Row, STRETCH};
use runs::{Ran, run, sets};
use std::error::Error;

/// Where the page's figures begin and end.
const MARKS: [&str; 2] =
    ["<!-- figures of `cargo run --release --example league` -->", "<!-- end -->"];

/// Our cells of a line, one for each of [`HOLDS`].
type Cells = [String; 3];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let page = match arguments.as_slice() {
        [] => None,
        [flag, page] if flag == "--write" => Some(page),
        _ => return Err("the only option is --write PAGE".into()),
    };
    let text = format!("{}\n{}", table()?, asked());
    let Some(page) = page else {
        println!("{text}");
        return Ok(());
    };
    let old = std::fs::read_to_string(page)?;
    let found = old.split_once(MARKS[0]).zip(old.split_once(MARKS[1]));
    let Some(((before, _), (_, after))) = found else {
        return Err(format!("{page} has no lines {} and {}", MARKS[0], MARKS[1]).into());
    };
    std::fs::write(page, format!("{before}{}\n{text}{}{after}", MARKS[0], MARKS[1]))?;
    Ok(())
}

/// The table: ours, then theirs.
fn table() -> Result<String, Box<dyn Error>> {
    let mut engines = csv::Reader::from_reader(include_str!("league/engines.csv").as_bytes());
    let theirs = engines.headers()?.clone();
    let ours = HOLDS.map(|name| format!("**stiction** `{name}`"));
    let mut header: Vec<&str> = theirs.iter().take(2).collect();
    header.extend(ours.iter().map(String::as_str));
    header.extend(theirs.iter().skip(2));
    let mut text = line(&header) + &line(&vec!["---"; header.len()]);
    for record in engines.records() {
        let record = record?;
        eprintln!("{}", &record[0]);
        let cells = cells(&record[0]);
        let mut row: Vec<&str> = record.iter().take(2).collect();
        row.extend(cells.iter().map(String::as_str));
        row.extend(record.iter().skip(2));
        text += &line(&row);
    }
    Ok(text)
}

fn line(cells: &[&str]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// Our cells of the line with that key.
fn cells(key: &str) -> Cells {
    if let Some(row) = ROWS.iter().find(|row| row.key == key) {
        return [0, 2, 4].map(|soft| {
            let [soft, rigid] = [soft, soft + 1].map(|contestant| cell(row, contestant));
            if rigid == "–" { soft } else { format!("{soft} / {rigid}") }
        });
    }
    match key.chars().next() {
        Some('G') => verdicts(),
        Some('H') => steps(),
        Some('I') => restitution(),
        Some('J') => [said(&goals::warnings()), "–".into(), "needs no limit".into()],
        Some('K') => costs(),
        _ => coefficients(),
    }
}

fn cell(row: &Row, contestant: usize) -> String {
    row.play(contestant).map_or("–".into(), |ran| trusted(figure(row.read(&ran)), &ran))
}

/// A figure, marked where its run is not to be trusted.
fn trusted(figure: String, ran: &Ran) -> String {
    if ran.verdict.faultless() { figure } else { format!("{figure} ✗") }
}

/// A number with two digits if it is below 0.01, with five decimals below 10, else with two.
fn figure(x: f64) -> String {
    match x.abs() {
        0.0 => "0".into(),
        size if size < 1e-2 => format!("{x:.1e}"),
        size if size < 10.0 => format!("{x:.5}"),
        _ => format!("{x:.2}"),
    }
}

fn said(goals: &[Goal]) -> String {
    if goals.iter().all(|goal| goal.reached) { "yes" } else { "no" }.into()
}

fn verdicts() -> Cells {
    let all = goals::verdicts();
    let of = |name: &str| {
        let found: Vec<&str> = all
            .iter()
            .filter(|goal| goal.what.contains(name))
            .map(|goal| if goal.reached { "right" } else { "wrong" })
            .collect();
        found.join(" / ")
    };
    HOLDS.map(of)
}

/// Row H: the creep of A at ten times the step; under the threshold law, its ratio to that of A.
fn steps() -> Cells {
    let row = Row::of("A");
    let creep = |words: &[&str]| row.read(&run(row.scene, &sets(words)));
    let ratio = creep(&["time.step=1e-2"]) / creep(&[]);
    let held = creep(&[STRETCH, &["time.step=1e-2"]].concat());
    let cones = creep(&[RIGID_EXACT, &["time.step=1e-2"]].concat());
    [format!("× {ratio:.6}"), figure(held) + " µm/s", figure(cones) + " µm/s, rigid"]
}

fn restitution() -> Cells {
    let asked = |words: &[&str]| {
        let (e, ran) = goals::restitution(words);
        trusted(format!("{e:.5}"), &ran)
    };
    let cones = ["contact.method=exact", "integrator.method=symplectic-euler"];
    [
        asked(&[]),
        asked(&[
            "contact.friction.law=cundall-strack",
            "contact.friction.stiffness=1e4",
            "contact.friction.damping=5",
        ]),
        asked(&cones),
    ]
}

fn coefficients() -> Cells {
    let delivered = goals::delivered();
    let [threshold, stretch] = [0, 1].map(|law| delivered[law].found.clone());
    let cones = goals::missing().pop().expect("cones come last");
    [threshold, stretch, cones.found + ", rigid"]
}

/// Row K: CPU time; every other line is the same on any machine.
fn costs() -> Cells {
    let cost = |words: &[&str]| {
        let ran = run("scenes/league/k_slab.toml", &sets(words));
        trusted(format!("{:.2}", ran.cost()), &ran)
    };
    let stretch = [
        "contact.friction.law=cundall-strack",
        "contact.friction.stiffness=1e4",
        "contact.friction.damping=5",
    ];
    [cost(&[]), cost(&stretch), cost(&["contact.method=exact"])]
}

/// The goals: each with what was found, and whether it was reached.
fn asked() -> String {
    let mut text = line(&["asked", "found", "reached"]) + &line(&["---"; 3]);
    let groups: [fn() -> Vec<Goal>; 8] = [
        goals::holding,
        goals::missing,
        goals::sliding,
        goals::steps,
        goals::warnings,
        goals::delivered,
        goals::bounces,
        goals::verdicts,
    ];
    let cost = run("scenes/league/k_slab.toml", &[]).cost();
    let found = format!("{cost:.2} µs, symplectic-euler, with two further particles above each");
    let what = "K at most 1 µs of CPU per particle contact and step, in f64".into();
    let dear = Goal { what, found, reached: cost <= 1.0 };
    for goal in groups.iter().flat_map(|group| group()).chain([dear]) {
        text += &line(&[&goal.what, &goal.found, if goal.reached { "yes" } else { "**no**" }]);
    }
    text
}
