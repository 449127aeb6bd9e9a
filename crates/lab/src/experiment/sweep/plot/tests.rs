use super::super::collect::{CollectedRows, CollectedTable};
use super::super::folder::{FORMAT, Folder, FolderPlan};
use super::super::grid::{SweepAxis, SweepGrid, Values};
use super::super::job::Attempt;
use super::super::means::PointMeans;
use super::*;
use crate::output::plots::figure::{FigureFile, Series, Style};
use serde_json::{Value, json};

/// A job's creep with its error bar and the law's, or a failure.
fn attempt(creep: Option<f64>, law: f64, method: &str) -> Attempt {
    let Value::Object(results) = json!({
        "figures": { "creep": creep, "creep_error": 0.25, "law_creep": law, "steps": 7.0 },
        "units": { "creep": "m/s", "creep_error": "m/s", "law_creep": "m/s", "steps": "1" },
        "friction": "cubic",
        "integrator": { "method": method, "step": 1e-4 },
    }) else {
        unreachable!("an object")
    };
    Attempt { results, ..Attempt::default() }
}

/// A sweep of three ε, two methods and two coefficients: job 1 failed, job 2 is missing, job 3 has
/// no creep, that of job 4 is negative.
fn drawn(request: &Request) -> Result<SweepPicture, String> {
    let path = tempfile::tempdir().expect("a folder");
    let axes = [
        ("contact.friction.epsilon", vec!["1", "2", "3"]),
        ("integrator.method", vec!["\"rk4\"", "\"heun\""]),
        ("materials.wood.static_friction", vec!["0.5", "0.6"]),
    ];
    let axis = |(key, values): &(&str, Vec<&str>)| SweepAxis {
        key: (*key).into(),
        values: Values::Values(values.iter().map(|text| text.to_string()).collect()),
    };
    let grid = SweepGrid::new(axes.iter().map(axis).collect(), None, 100).expect("a grid");
    let plan = FolderPlan {
        format: FORMAT,
        stiction: "test".into(),
        scene_sha256: String::new(),
        set: Vec::new(),
        verify: None,
        jobs: grid.count(),
        grid,
    };
    let folder = Folder::create(path.path(), plan).expect("a folder");
    for job in (0..12).filter(|job| *job != 2) {
        let creep = match job {
            3 => None,
            4 => Some(-1.0),
            _ => Some(1.0 + job as f64),
        };
        let method = if job / 2 % 2 == 0 { "rk4" } else { "heun" };
        let mut attempt = attempt(creep, 0.5 * (1 + job / 4) as f64, method);
        attempt.failure = (job == 1).then(|| "it blew up".into());
        folder.keep(job, attempt).expect("written");
    }
    let rows = CollectedRows::of(&folder).expect("readable");
    let table = CollectedTable::of(&rows).expect("a small table");
    picture(&table, &folder.plan.grid.axes, &PointMeans::of(&folder), request)
}

fn request() -> Request {
    Request {
        x: "contact.friction.epsilon".into(),
        by: Some("integrator.method".into()),
        panels_by: Some("materials.wood.static_friction".into()),
        value: "creep".into(),
        ..Request::default()
    }
}

fn figure(request: &Request) -> FigureFile {
    match drawn(request).expect("a picture").picture {
        Picture::Lines(figure) => figure,
        other => panic!("{other:?}"),
    }
}

fn of_style(figure: &FigureFile, style: Style) -> Vec<&Series> {
    let all = figure.panels.iter().flat_map(|panel| &panel.series);
    all.filter(|series| series.style == style).collect()
}

#[test]
fn points_that_are_not_shown_are_counted_with_their_reasons() {
    let words = "1 of 12 points failed, 1 has no result yet, 1 has no value";
    let all = drawn(&request()).expect("a picture");
    assert_eq!(all.remarks, [words]);
    let logarithmic = Request { logarithmic: Some([false, true, false]), ..request() };
    let found = drawn(&logarithmic).expect("a picture");
    assert_eq!(found.remarks, [format!("{words}, 1 is ≤ 0 and has no place on a log axis")]);
    let Picture::Lines(figure) = found.picture else { panic!("lines") };
    assert_eq!(figure.foot, found.remarks[0], "the figure says it too");
    let few = omitted::Omitted { points: 5, failed: 2, below: 2, ..omitted::Omitted::default() };
    assert_eq!(few.sentence(), "2 of 5 points failed, 2 are ≤ 0 and have no place on a log axis");
    assert_eq!(omitted::Omitted { points: 5, ..omitted::Omitted::default() }.sentence(), "");
}

#[test]
fn lines_have_error_bars_symbols_and_the_words_of_their_settings() {
    let figure = figure(&request());
    let bars = of_style(&figure, Style::Bars);
    assert_eq!(bars.len(), 4, "two panels of two lines");
    assert_eq!(bars[0].points[..3], [(1.0, 0.75), (1.0, 1.0), (1.0, 1.25)]);
    let lines = of_style(&figure, Style::Marked);
    let looks: Vec<_> = lines.iter().map(|line| (line.symbol, line.colour)).collect();
    assert_eq!(looks[0], (Some(0), Some(0)));
    assert_eq!(looks[1], (Some(1), Some(1)));
    assert_eq!(looks[..2], looks[2..], "a line looks alike in all panels");
    let legend: Vec<&str> = figure.legend.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(legend, ["method: rk4", "method: heun"]);
    assert_eq!(figure.title, "creep over ε, by method, panels by μ_s");
    assert_eq!(figure.columns, ["job", "law", "method", "step"]);
    assert_eq!(lines[0].facts[0], ["0", "cubic", "rk4", "0.0001"]);
    let without = Request { without_errors: true, ..request() };
    assert!(of_style(&self::figure(&without), Style::Bars).is_empty());
}

#[test]
fn panels_by_a_key_have_equal_scales() {
    let figure = figure(&request());
    let titles: Vec<&str> = figure.panels.iter().map(|panel| panel.title.as_str()).collect();
    assert_eq!(titles, ["μ_s = 0.5", "μ_s = 0.6"]);
    // with the error bars of both panels
    assert!(figure.panels.iter().all(|panel| panel.up.also == Some([-1.25, 12.25])));
    let twice = Request { panels_by: request().by, ..request() };
    assert!(drawn(&twice).is_err_and(|why| why.contains("cannot be drawn both ways")));
}

#[test]
fn a_reference_is_one_thin_line_where_it_is_the_same_for_all() {
    let request = Request { lines: vec!["law_creep".into()], ..request() };
    let figure = figure(&request);
    let thin = of_style(&figure, Style::Thin);
    assert_eq!(thin.len(), 2, "one in each panel");
    assert_eq!(thin[0].points, [(1.0, 0.5), (2.0, 1.0), (3.0, 1.5)]);
    assert_eq!(figure.legend[0].name, "law creep");
    let other = Request { lines: vec!["steps".into()], ..request };
    let words = "`steps` is in plain numbers and `creep` in m/s";
    assert!(drawn(&other).is_err_and(|why| why.contains(words)));
}

#[test]
fn a_map_has_its_decades_and_a_map_of_texts_says_why() {
    let mut by_text = Request { x: "integrator.method".into(), ..request() };
    (by_text.by, by_text.panels_by) = (Some("contact.friction.epsilon".into()), None);
    by_text.held = vec![("materials.wood.static_friction".into(), "0.5".into())];
    let found = drawn(&by_text).expect("a picture");
    assert!(found.remarks[1].contains("this is a map in colours"), "{:?}", found.remarks);
    let Picture::Map(map) = found.picture else { panic!("a map") };
    assert!(!map.value.logarithmic && map.note == "μ_s = 0.5");
    assert_eq!(map.facts[0][0], ["0", "cubic", "rk4", "0.0001"]);
    let forced = Request { logarithmic: Some([false, false, true]), ..by_text };
    let Picture::Map(map) = drawn(&forced).expect("a picture").picture else { panic!("a map") };
    assert!(map.value.logarithmic);
    // a value that is not positive does not hide the decades of the others
    let of = |below: bool| cells::axis("", [-1.0, 1e-3, 1.0].into_iter(), None, below).logarithmic;
    assert!(of(true) && !of(false));
}
