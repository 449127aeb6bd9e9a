//! The table of a sweep or a comparison: error bars of all measures, jobs that failed, expectations.

use super::sweep::{FAILING, ran, stiction, sweep};
use std::collections::BTreeMap;
use tempfile::TempDir;

/// Columns of a table by their heads.
fn columns(table: &str) -> BTreeMap<String, Vec<String>> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let cells = |record: &csv::StringRecord| record.iter().map(String::from).collect::<Vec<_>>();
    let heads = cells(reader.headers().expect("heads"));
    let rows: Vec<_> = reader.records().map(|record| cells(&record.expect("a row"))).collect();
    let column = |place: usize| rows.iter().map(|row| row[place].clone()).collect();
    heads.iter().enumerate().map(|(place, head)| (head.clone(), column(place))).collect()
}

/// The scene's measure has the name of a column of every table.
#[test]
fn every_measure_of_a_verified_sweep_has_its_error() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    let short = ["scenes/incline_creep.toml", "--set", "time.end=0.2", "--vary", "time.step=1e-4"];
    let (code, ..) = sweep(&short, &out, &["--verify"]);
    assert_eq!(code, 0);
    let (_, csv, _) = ran(stiction().arg("sweep").arg("collect").arg(&out));
    let table = columns(&csv);
    let number = |name: &str| {
        let cell = &table.get(name).unwrap_or_else(|| panic!("no column {name}: {csv}"))[0];
        cell.parse::<f64>().unwrap_or_else(|_| panic!("{name}: {cell}"))
    };
    for (value, error) in [("creep", "creep_error"), ("measure_creep", "measure_creep_error")] {
        assert!(number(error) < 0.01 * number(value).abs(), "{csv}");
    }
    assert!((number("steady_creep") / number("law_creep") - 1.0).abs() < 1e-3, "{csv}");
    assert!(number("creep_change").abs() < 1e-3, "{csv}");
    let compared = ["scenes/incline_creep.toml", "--set", "time.end=0.2", "--integrators", "rk4"];
    let verified = ["--steps", "1e-4", "--no-reference", "--verify", "--format", "csv"];
    let (_, csv, _) = ran(stiction().arg("compare").args(compared).args(verified));
    let table = columns(&csv);
    assert!(
        table.contains_key("creep_error") && table.contains_key("measure_creep_error"),
        "{csv}"
    );
}

#[test]
fn jobs_that_failed_have_counts_and_no_other_numbers() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    sweep(&FAILING, &out, &[]);
    let (_, csv, _) = ran(stiction().arg("sweep").arg("collect").arg(&out));
    let table = columns(&csv);
    let failed: Vec<usize> = (0..6).filter(|job| table["status"][*job] == "failed").collect();
    assert!(!failed.is_empty() && failed.len() < 6, "{csv}");
    for job in failed {
        for name in ["creep", "travel", "penetration", "energy_error"] {
            assert_eq!(table[name][job], "", "{name} of job {job}: {csv}");
        }
        // a scene that is refused has no run
        let ran = !table["level"][job].is_empty();
        assert_eq!(ran, !table["steps"][job].is_empty(), "{csv}");
    }
}

/// An expectation is for the scene as written.
#[test]
fn a_sweep_of_another_scene_meets_and_misses_nothing() {
    let folder = TempDir::new().unwrap();
    for (key, value, met) in [("time.step", "5e-5,1e-4", true), ("body.block.mass", "1,2", false)] {
        let out = folder.path().join(key);
        let vary = format!("{key}={value}");
        sweep(&["scenes/incline_creep.toml", "--vary", &vary], &out, &[]);
        let (_, csv, _) = ran(stiction().arg("sweep").arg("collect").arg(&out));
        let cells = &columns(&csv)["expectations_met"];
        assert_eq!(cells.iter().all(|cell| !cell.is_empty()), met, "{csv}");
    }
}

/// Data and script of a figure name the sweep; `--plot` is `-o`, a result is held and stands along x.
#[test]
fn the_data_of_a_figure_name_their_sweep() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    sweep(&FAILING, &out, &[]);
    let svg = folder.path().join("a.svg");
    let mut command = stiction();
    command.args(["sweep", "plot"]).arg(&out).args(["--x", "hlambda", "--value", "penetration"]);
    command.args(["--by", "stiffness", "--where", "status=completed", "--script", "--plot"]);
    let (exit, _, err) = ran(command.arg(&svg));
    assert_eq!(exit, 0, "{err}");
    let script = std::fs::read_to_string(svg.with_extension("py")).unwrap();
    let source = "the sweep out of 6 jobs; stiction ";
    assert!(script.contains(&format!("They are from {source}")), "{script}");
    let data = std::fs::read_to_string(svg.with_extension("csv")).unwrap();
    let table = columns(&data);
    assert!(table["x"].len() > 1, "{data}");
    assert!(table["source"].iter().all(|cell| cell.starts_with(source)), "{data}");
}
