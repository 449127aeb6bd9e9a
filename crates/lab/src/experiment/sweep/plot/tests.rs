use super::super::collect::{CollectedRows, CollectedTable};
use super::super::folder::{FORMAT, Folder, FolderPlan};
use super::super::grid::{SweepAxis, SweepGrid, Values};
use super::super::job::Attempt;
use super::super::means::PointMeans;
use super::*;
use crate::output::plots::figure::style::FigureStyle;
use crate::output::plots::figure::{FigureFile, Series, Style};
use serde_json::{Value, json};

/// A job's creep with its error bar and the law's, or a failure.
fn attempt(creep: Option<f64>, law: f64, (method, level): (&str, &str)) -> Attempt {
    let Value::Object(results) = json!({
        "figures": {
            "creep": creep, "creep_error": 0.25, "law_creep": law, "steps": 7.0, "contact": 4.0,
        },
        "units": {
            "creep": "m/s", "creep_error": "m/s", "law_creep": "m/s", "steps": "1", "contact": "N",
        },
        "friction": "cubic",
        "trust": { "level": level, "trusted": false },
        "integrator": { "method": method, "step": 1e-4 },
    }) else {
        unreachable!("an object")
    };
    Attempt { results, ..Attempt::default() }
}

/// A sweep of three ε, two methods and two coefficients: job 1 failed, job 2 is missing, job 3 has
/// no creep, that of job 4 is negative, and job 11 is not trusted.
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
        accuracy: None,
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
        let (law, level) = match job {
            11 => (9.0, "not trusted"),
            _ => (0.5 * (1 + job / 4) as f64, "no fault found"),
        };
        let mut attempt = attempt(creep, law, (method, level));
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
        by: vec!["integrator.method".into()],
        panels_by: vec!["materials.wood.static_friction".into()],
        value: "creep".into(),
        ..Request::default()
    }
}

/// The end of a key or its beginning stands for the key that has it alone.
#[test]
fn keys_are_named_by_a_part() {
    let short = Request {
        x: "epsilon".into(),
        by: vec!["integrator".into()],
        panels_by: vec!["wood.static_friction".into()],
        value: "creep".into(),
        ..Request::default()
    };
    assert_eq!(drawn(&short), drawn(&request()));
    let refused = |x: &str| drawn(&Request { x: x.into(), ..request() }).expect_err("a refusal");
    assert!(refused("psilon").starts_with("`psilon` is not varied; varied are contact."));
    let keys = ["materials.wood.static_friction", "materials.ice.static_friction"];
    let ambiguous = Request { x: "static_friction".into(), ..Request::default() };
    let error = ambiguous
        .in_full(&keys.map(String::from), &CollectedTable::default())
        .expect_err("two keys");
    assert!(error.contains(keys[0]) && error.contains(keys[1]), "{error}");
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
    let logarithmic = Some([false, true, false]);
    let found = drawn(&Request { logarithmic, ..request() }).expect("a picture");
    assert_eq!(found.remarks, [words]);
    let Picture::Lines(figure) = found.picture else { panic!("lines") };
    assert_eq!(figure.foot, words, "the figure says it too");
    // what an axis cannot hold is counted once, with its quantity
    let style = FigureStyle { logarithmic, ..FigureStyle::default() };
    let foot = style.figure(&figure).expect("some are above 0").foot;
    assert_eq!(foot, format!("{words}; without 1 of 9 points, where creep is not above 0"));
    let few = omitted::Omitted { points: 5, failed: 2, without: 2, ..Default::default() };
    assert_eq!(few.sentence(), "2 of 5 points failed, 2 have no value");
    assert_eq!(omitted::Omitted { points: 5, ..omitted::Omitted::default() }.sentence(), "");
}

/// Points of which none has a value are no figure: its axes would be made up.
#[test]
fn a_figure_without_a_point_is_refused() {
    let held = [("contact.friction.epsilon", "1"), ("integrator.method", "heun")];
    let empty = Request {
        x: "materials.wood.static_friction".into(),
        value: "creep".into(),
        held: held.map(|(key, value)| (key.into(), value.into())).to_vec(),
        ..Request::default()
    };
    let words =
        "there is nothing to draw of `creep`: 1 of 2 points has no result yet, 1 has no value";
    assert_eq!(drawn(&empty).expect_err("nothing"), words);
    let mut map = Request { y: Some("contact.friction.epsilon".into()), ..empty };
    assert_eq!(drawn(&map).expect_err("nothing"), words);
    // a job that is not held back has a value
    map.held.pop();
    map.y = Some("integrator.method".into());
    assert!(drawn(&map).is_ok());
}

#[test]
fn lines_have_error_bars_symbols_and_the_words_of_their_settings() {
    let figure = figure(&request());
    let lines = of_style(&figure, Style::Marked);
    assert_eq!(lines.len(), 4, "two panels of two lines");
    assert!(lines.iter().all(|line| line.errors.iter().all(|error| *error == 0.25)));
    assert_eq!((lines[0].points[0], lines[0].errors.len()), ((1.0, 1.0), lines[0].points.len()));
    let looks: Vec<_> = lines.iter().map(|line| (line.symbol, line.colour)).collect();
    assert_eq!(looks[0], (Some(0), Some(0)));
    assert_eq!(looks[1], (Some(1), Some(1)));
    assert_eq!(looks[..2], looks[2..], "a line looks alike in all panels");
    let legend: Vec<&str> = figure.legend.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(legend, ["method: rk4", "method: heun", "not trusted"]);
    assert_eq!(figure.title, "creep over ε, by method, panels by μ_s");
    assert_eq!(figure.columns, ["job", "law", "method", "step"]);
    assert_eq!(lines[0].facts[0], ["0", "cubic", "rk4", "0.0001"]);
    let without = Request { without_errors: true, ..request() };
    assert!(self::figure(&without).panels[0].series.iter().all(|line| line.errors.is_empty()));
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
    // a point that is not trusted, far from the others, makes no line of its own
    let apart = "; 1 point that is not trusted is left out of reference lines";
    assert!(figure.foot.ends_with(apart), "{}", figure.foot);
    // where they differ, one entry stands for all
    let differing = Request { lines: vec!["creep".into()], ..request.clone() };
    let names = self::figure(&differing).legend.into_iter().map(|entry| entry.name);
    assert_eq!(names.filter(|name| name.starts_with("creep")).collect::<Vec<_>>(), ["creep"]);
    let other = Request { lines: vec!["steps".into()], ..request };
    let words = "`steps` is in plain numbers and `creep` in m/s";
    assert!(drawn(&other).is_err_and(|why| why.contains(words)));
}

#[test]
fn a_map_has_its_decades_and_a_map_of_texts_says_why() {
    let mut by_text = Request { x: "integrator.method".into(), ..request() };
    (by_text.by, by_text.panels_by) = (vec!["contact.friction.epsilon".into()], Vec::new());
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

/// A line for each pair of values, a panel for each pair, in the order of the keys.
#[test]
fn lines_and_panels_have_several_keys() {
    let keys = ["integrator.method", "materials.wood.static_friction"].map(String::from).to_vec();
    let pairs = Request { by: keys.clone(), panels_by: Vec::new(), ..request() };
    let found = figure(&pairs);
    let marked = of_style(&found, Style::Marked);
    let names: Vec<&str> = marked.iter().map(|line| line.name.as_str()).collect();
    let all = ["rk4, μ_s = 0.5", "rk4, μ_s = 0.6", "heun, μ_s = 0.5", "heun, μ_s = 0.6"];
    assert_eq!(names, all);
    assert_eq!(found.title, "creep over ε, by method and μ_s");
    let panels = figure(&Request { by: Vec::new(), panels_by: keys, ..request() }).panels;
    let titles: Vec<&str> = panels.iter().map(|panel| panel.title.as_str()).collect();
    assert_eq!(titles, all);
    assert_eq!(panels[2].names, ["heun 0.5"]);
}

/// Results are held as keys are, and stand along x, where every row is a point.
#[test]
fn results_are_held_and_stand_along_x() {
    let held =
        |key: &str, value: &str| Request { held: vec![(key.into(), value.into())], ..request() };
    let points = |request: &Request| -> usize {
        of_style(&figure(request), Style::Marked).iter().map(|line| line.points.len()).sum()
    };
    let all = points(&request());
    assert_eq!(points(&held("level", "no fault found")), all - 1);
    // a name comes before a part of a key
    assert_eq!(points(&held("contact", "4")), all);
    let only = figure(&held("level", "not trusted"));
    assert_eq!((only.panels.len(), only.note.as_str()), (1, "level: not trusted"));
    assert!(drawn(&held("psilon", "1")).is_err_and(|why| why.contains("is not varied")));
    let over = Request { x: "law_creep".into(), panels_by: Vec::new(), ..request() };
    let found = figure(&over);
    assert_eq!(found.note, "points of all ε, μ_s");
    assert_eq!(found.panels[0].across.label, "law creep [m/s]");
    let scattered = of_style(&found, Style::Points);
    assert_eq!(scattered.iter().map(|line| line.points.len()).sum::<usize>(), all);
    let key = Request { y: Some("creep".into()), ..over };
    assert!(drawn(&key).is_err_and(|why| why.contains("`creep` is no varied key but a result")));
}

/// Numbers in words have four digits at most, one notation for all of a key, and differ.
#[test]
fn numbers_of_a_key_have_one_notation() {
    let of = |numbers: &[f64]| {
        cells::texts(&numbers.iter().copied().map(CollectedCell::Number).collect::<Vec<_>>())
    };
    assert_eq!(of(&[1e-5, 1e-3, 3.162_277_660_168_379_4e-4]), ["1e-5", "1e-3", "3.162e-4"]);
    assert_eq!(of(&[0.01, 0.25, 12.0]), ["0.01", "0.25", "12"]);
    assert_eq!(of(&[0.0, 1e-7]), ["0", "1e-7"]);
    assert_eq!(of(&[0.600_01, 0.600_02]), ["0.60001", "0.60002"]);
    assert_eq!(of(&[1.000_01e-7, 1.000_02e-7]), ["1.00001e-7", "1.00002e-7"]);
}
