//! `compare` on the command line: what its table has, and what is said while it runs.

use assert_cmd::Command;

/// stdout and stderr of a comparison at 80 columns.
fn compare(more: &[&str]) -> [String; 2] {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    let short = ["compare", "scenes/incline_creep.toml", "--set", "time.end=0.05"];
    let output = command.args(short).args(more).env("COLUMNS", "80").output();
    let output = output.expect("the program runs");
    [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("UTF-8"))
}

#[test]
fn every_part_of_a_divided_table_has_the_keys_of_its_rows() {
    // laws that creep at different speeds: no column but those of the clock may be the same in all rows
    let grid = ["--integrators", "rk4,heun", "--steps", "1e-4,5e-5", "--epsilon", "1e-3,2e-3"];
    let [table, _] = compare(&grid);
    let lines: Vec<&str> = table.lines().collect();
    let heads = lines.windows(2).filter(|pair| pair[1].starts_with('─')).map(|pair| pair[0]);
    let rows: Vec<&&str> = lines.iter().filter(|line| line.contains("heun")).collect();
    assert!(heads.count() > 1, "the table is not divided: {table}");
    let keyed = |row: &&&&str| row.contains("1e-4") || row.contains("5e-5");
    assert!(rows.len() > 2 && rows.iter().all(|row| keyed(&row)), "{table}");
}

#[test]
fn the_measures_of_the_scene_are_in_the_table() {
    let [table, _] = compare(&["--integrators", "rk4,heun", "--steps", "1e-4", "--no-reference"]);
    assert!(table.contains("measure_creep") && table.contains("-6.066e-4"), "{table}");
}

/// The reference may take longer than all runs.
#[test]
fn it_says_that_it_runs() {
    let [table, notes] =
        compare(&["--integrators", "rk4,heun", "--steps", "1e-4", "--reference", "none"]);
    assert!(notes.contains("comparing: 0 of 2 runs") && table.contains("heun"), "{notes}");
    let [_, notes] = compare(&["--integrators", "rk4", "--steps", "1e-4"]);
    assert!(notes.contains("comparing: 0 of 2 runs"), "{notes}");
}

/// A distance from a reference is not the error bar of a measure.
#[test]
fn only_a_verified_run_is_trusted_to_a_share() {
    let [table, _] = compare(&["--integrators", "rk4", "--steps", "1e-4"]);
    assert!(table.contains(" off") && !table.contains("trusted to"), "{table}");
    let [table, _] = compare(&["--integrators", "rk4", "--steps", "1e-4", "--verify"]);
    assert!(table.contains("trusted"), "{table}");
}
