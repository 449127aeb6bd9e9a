mod numbers;
mod room;
mod scripts;

use super::lines::thinned;
use super::ticks::Scale;
use super::*;

fn figure() -> FigureFile {
    let wave = |k: i32| (f64::from(k) * 0.1, f64::from(k % 7) - 3.0);
    let panel = |axis: PlotAxis| Panel {
        names: Vec::new(),
        title: "A wave & its <friend>".into(),
        across: PlotAxis::linear("time [s]"),
        up: axis,
        series: vec![
            Series {
                name: "μ = .1".into(),
                points: (0..50).map(wave).collect(),
                ..Series::default()
            },
            Series {
                name: "dashed".into(),
                points: (0..50).map(wave).collect(),
                style: Style::Dashed,
                ..Series::default()
            },
        ],
    };
    FigureFile {
        title: "Two panels".into(),
        note: "and a note".into(),
        legend: vec![Series { name: "all panels".into(), colour: Some(3), ..Series::default() }],
        panels: vec![panel(PlotAxis::linear("x [m]")), panel(PlotAxis::logarithmic("|x| [m]"))],
        ..FigureFile::default()
    }
}

#[test]
fn both_formats_are_drawn() {
    let text = svg(&figure()).expect("drawn");
    assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
    for part in ["Two panels", "time [s]", "μ = .1", "A wave &amp; its &lt;friend&gt;", "polyline"]
    {
        assert!(text.contains(part), "{part}");
    }
    assert!(text.contains("all panels"));
    let bytes = png(&figure()).expect("drawn");
    let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("its size")];
    reader.next_frame(&mut pixels).expect("a picture");
    // not only the background: letters, axes and at least two colours
    let mut colours: Vec<&[u8]> = pixels.chunks(3).collect();
    colours.sort_unstable();
    colours.dedup();
    assert!(colours.len() > 20, "{} colours", colours.len());
}

#[test]
fn a_pdf_has_its_letters_and_a_build_without_refuses_it_at_once() {
    let text = svg(&figure()).expect("drawn");
    if !WRITES_PDF {
        assert!(matches!(FigureFormat::of(Path::new("b.pdf")), Err(PlotError::NoPdf)));
        assert!(matches!(pdf::page(&text), Err(PlotError::NoPdf)));
        return;
    }
    assert_eq!(FigureFormat::of(Path::new("b.pdf")).ok(), Some(FigureFormat::Pdf));
    let document = pdf::page(&text).expect("drawn");
    assert!(document.starts_with(b"%PDF-") && document.len() > 4000, "{}", document.len());
    // letters are text in the built-in typeface, not pictures
    let holds = |part: &[u8]| document.windows(part.len()).any(|window| window == part);
    assert!(holds(b"/FontFile") || holds(b"DejaVuSans"), "no letters");
}

#[test]
fn nothing_and_what_is_not_finite_can_be_drawn() {
    let mut figure = figure();
    figure.panels[0].series.clear();
    figure.panels[1].series[0].points = vec![(f64::NAN, 1.0), (0.0, f64::INFINITY), (1.0, 2.0)];
    figure.panels[1].series[1].points = vec![(0.0, 0.0)];
    figure.title.clear();
    svg(&figure).expect("drawn");
    png(&figure).expect("drawn");
    svg(&FigureFile::default()).expect("drawn");
}

fn scale(low: f64, high: f64, axis: &PlotAxis) -> Scale {
    Scale::new(axis, [low, high].into_iter(), 6, 0.0)
}

fn labels(scale: &Scale) -> Vec<String> {
    scale.labelled().iter().map(|(_, label)| label.clone()).collect()
}

#[test]
fn marks_are_round_numbers_inside_the_range() {
    let of = |low: f64, high: f64, axis: PlotAxis| {
        let scale = scale(low, high, &axis);
        let range = scale.range();
        let inside = |at: f64| at >= range.start - 1e-9 && at <= range.end + 1e-9;
        assert!(scale.labelled().iter().all(|(at, _)| inside(*at)));
        labels(&scale)
    };
    let even = |low, high| of(low, high, PlotAxis::default());
    assert_eq!(even(0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    assert_eq!(even(-3.1, 2.2), ["−3", "−2", "−1", "0", "1", "2"]);
    assert_eq!(even(0.0, 3e-9), ["0.0", "0.5", "1.0", "1.5", "2.0", "2.5", "3.0"]);
    assert_eq!(even(1000.0, 5000.0), ["1000", "2000", "3000", "4000", "5000"]);
    let decades = |low, high| of(low, high, PlotAxis::logarithmic(""));
    assert_eq!(decades(1e-9, 1.0), ["10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²", "10⁰"]);
    assert_eq!(decades(1.5e-4, 3e-3), ["0.2", "0.5", "1", "2"]);
    assert_eq!(decades(0.015, 0.3), ["0.02", "0.05", "0.1", "0.2"]);
    assert_eq!(
        decades(0.0138, 0.0144),
        ["0.0138", "0.0139", "0.0140", "0.0141", "0.0142", "0.0143", "0.0144"]
    );
    assert!(even(2.0, 2.0).len() > 1);
}

#[test]
fn numbers_of_an_axis_have_one_format_and_are_never_equal() {
    let decimals = |label: &String| label.split_once('.').map_or(0, |(_, after)| after.len());
    for axis in [PlotAxis::linear(""), PlotAxis::logarithmic("")] {
        for exponent in -12..=12 {
            for (low, high) in [(1.0, 9.7), (9.6, 10.4), (1.4, 1.44), (3.0, 3.0001), (2.0, 30.0)] {
                let factor: f64 = format!("1e{exponent}").parse().expect("a number");
                let scale = scale(low * factor, high * factor, &axis);
                for apart in [0.05, 0.2, 0.45] {
                    let far = |a: (f64, &str), b: (f64, &str)| b.0 - a.0 >= apart;
                    let found = labels(&scale.clone().fitted(&far));
                    assert!(!found.is_empty(), "{low} {high} e{exponent}");
                    let mut different = found.clone();
                    different.sort();
                    different.dedup();
                    assert_eq!(different.len(), found.len(), "{found:?}");
                    let powers = found.iter().filter(|label| label.contains("10⁻")).count();
                    assert!(powers == 0 || powers == found.len(), "{found:?}");
                    if !axis.logarithmic {
                        let same = |label: &String| decimals(label) == decimals(&found[0]);
                        assert!(found.iter().all(same), "{found:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn what_all_labels_are_multiples_of_stands_in_the_unit() {
    let even = |low, high| scale(low, high, &PlotAxis::default());
    assert_eq!(even(0.0, 3e-9).name("creep [m/s]"), "creep [10⁻⁹ m/s]");
    assert_eq!(even(-2e5, 0.0).name("share"), "share [10⁵]");
    assert_eq!(even(0.0, 3.0).name("x [m]"), "x [m]");
    assert_eq!(even(0.0, 1.0).minor()[..4], [0.05, 0.1, 0.15000000000000002, 0.25]);
    // 2 to 9 times each power of ten within the range
    let decades = scale(1e-4, 1.0, &PlotAxis::logarithmic(""));
    assert_eq!((decades.minor().len(), decades.name("")), (32, String::new()));
    let short = [0.0, 0.35, -0.035, 3.5e-5, -1e-7, 12.0, 4.2e4].map(super::ticks::scientific);
    assert_eq!(short, ["0", "0.35", "−0.035", "3.5·10⁻⁵", "−1·10⁻⁷", "12", "4.2·10⁴"]);
}

#[test]
fn given_numbers_have_one_format_with_the_digits_that_they_need() {
    let of = |numbers: &[f64]| uniform(numbers);
    let decimals =
        |labels: &[&str], exponent| (labels.iter().map(|l| l.to_string()).collect(), exponent);
    assert_eq!(of(&[0.2, 0.25, 0.3]), decimals(&["0.20", "0.25", "0.30"], 0));
    assert_eq!(of(&[0.0097, 0.01, 0.0103]), decimals(&["0.0097", "0.0100", "0.0103"], 0));
    assert_eq!(of(&[2e-5, 3e-5]), decimals(&["2", "3"], -5));
    assert_eq!(of(&[1e-4, 1e-3, 1e-2]), decimals(&["10⁻⁴", "10⁻³", "10⁻²"], 0));
    assert_eq!(of(&[1e-4, 3.2e-3]), decimals(&["0.1", "3.2"], -3));
    assert_eq!(of(&[1e-4, 3.1623e-2]), decimals(&["1.000·10⁻⁴", "3.162·10⁻²"], 0));
    assert_eq!(of(&[5.0]), decimals(&["5"], 0));
    // no digit that can be read is left out
    assert_eq!(of(&[39.478, 100.0, 400.0]), decimals(&["39.48", "100.00", "400.00"], 0));
}

/// A height that does not suffice is refused with one that does, at the width and in the unit that
/// were typed.
#[test]
fn a_height_that_does_not_suffice_is_refused() {
    let style =
        |size: &str| FigureStyle { size: size.parse().expect("a size"), ..FigureStyle::default() };
    for (size, words) in [
        ("3.3in x 2in", "2 panels below each other do not fit into a height of 2in"),
        ("84mm x 50mm", "2 panels below each other do not fit into a height of 50mm"),
        ("6.9in x 1.2in", "2 panels in 2 columns do not fit into a height of 1.2in"),
    ] {
        let error = drawing::sheet(&figure(), &style(size)).expect_err("too low").to_string();
        assert!(error.starts_with(words), "{error}");
        let advice = error.split('"').nth(1).expect("a size");
        assert_eq!(advice.split(' ').next(), size.split(' ').next(), "{error}");
        assert!(drawing::sheet(&figure(), &style(advice)).is_ok(), "{advice}");
    }
    let sheet = drawing::sheet(&figure(), &style("3.3in x 5in")).expect("drawn");
    assert_eq!(sheet.size, (3.3 * 72.0, 360.0));
}

/// Two panels stand side by side where each is 2.6 in wide, or where that is asked for; what a page
/// has no room for is named.
#[test]
fn panels_stand_side_by_side_and_fit_a_page() {
    let at = |size: &str, columns| FigureStyle {
        size: size.parse().expect("a size"),
        columns,
        ..FigureStyle::default()
    };
    let high = |style: &FigureStyle| drawing::sheet(&figure(), style).expect("drawn").size.1;
    let (page, one) = (high(&at("page", None)), high(&at("page", Some(1))));
    assert!(page < 0.7 * one, "{page} and {one}");
    let (column, two) = (high(&at("column", None)), high(&at("column", Some(2))));
    assert!(two < 0.7 * column, "{two} and {column}");
    let mut many = figure();
    let names = |k: usize| vec![format!("panel-{k}")];
    let panel = many.panels[0].clone();
    many.panels = (0..9).map(|k| Panel { names: names(k), ..panel.clone() }).collect();
    let (drawn, left) = drawing::fitted(many.clone(), &at("column", None)).expect("drawn");
    let sheet = drawing::sheet(&drawn, &at("column", None)).expect("drawn");
    assert!(sheet.size.1 <= 9.5 * 72.0 + 0.2 && drawn.panels.len() > 3, "{:?}", sheet.size);
    assert_eq!(drawn.panels.len() + left.len(), 9);
    assert!(
        drawn
            .note
            .ends_with(&format!("not drawn for their height: {} (--panels)", left.join(", ")))
    );
    let chosen = FigureStyle {
        panels: many.panels.iter().flat_map(|p| p.names.clone()).collect(),
        ..at("column", None)
    };
    for free in [chosen, at("3.3in x 20in", None)] {
        assert_eq!(drawing::fitted(many.clone(), &free).expect("drawn").1, Vec::<String>::new());
    }
}

/// No symbol stands on the frame, and no strip is blank below the names of the axes.
#[test]
fn symbols_and_names_have_their_margins() {
    let mut figure = figure();
    figure.panels.truncate(1);
    let line = |style: Style, symbol: Option<usize>| Series {
        points: vec![(0.0, 1.0), (1.0, 2.0)],
        style,
        symbol,
        ..Series::default()
    };
    let ends = |figure: &FigureFile| {
        let sheet = drawing::sheet(figure, &FigureStyle::default()).expect("drawn");
        let strokes = sheet.marks.iter().filter_map(|mark| match mark {
            sheet::Mark::Stroke { places, width, .. } => Some((places.clone(), *width)),
            _ => None,
        });
        let strokes: Vec<_> = strokes.collect();
        let frame = strokes.iter().find(|(places, _)| places.len() == 3).expect("axes").0.clone();
        let own = strokes.iter().rfind(|(places, width)| places.len() == 2 && *width > 1.0);
        (own.expect("a line").0[0].0 - frame[0].0, frame[2].0 - own.expect("a line").0[1].0)
    };
    figure.panels[0].series = vec![line(Style::Marked, Some(0))];
    let (before, behind) = ends(&figure);
    assert!(before > 7.0 && behind > 7.0, "{before} {behind}");
    figure.panels[0].series = vec![line(Style::Line, Some(0))];
    let (before, behind) = ends(&figure);
    assert!(before.abs() < 1e-6 && behind.abs() < 1e-6, "{before} {behind}");
    let sheet = drawing::sheet(&figure, &FigureStyle::default()).expect("drawn");
    let lowest = sheet.marks.iter().filter_map(|mark| match mark {
        sheet::Mark::Text(text) if !text.turned => Some(text.at.1),
        _ => None,
    });
    let lowest = lowest.fold(0.0, stiction_core::math::larger);
    assert!(sheet.size.1 - lowest < 1.4 * 9.0, "{} pt below the name", sheet.size.1 - lowest);
}

#[test]
fn a_style_chooses_panels_scales_and_words() {
    let mut figure = figure();
    figure.panels[0].names = vec!["a".into(), "b".into()];
    figure.panels[1].names = vec!["wave".into()];
    let panels = |names: &[&str]| FigureStyle {
        panels: names.iter().map(|name| name.to_string()).collect(),
        ..FigureStyle::default()
    };
    let chosen = panels(&["wave", "b", "a"]).figure(&figure).expect("known");
    let names: Vec<&String> = chosen.panels.iter().map(|panel| &panel.names[0]).collect();
    assert_eq!(names, ["wave", "a"]);
    let error = panels(&["wav"]).figure(&figure).expect_err("unknown").to_string();
    assert!(error.contains("`wave`") && error.contains("`a`, `b`"), "{error}");
    let words = FigureStyle { title: Some(String::new()), ..panels(&["a"]) };
    let words = FigureStyle {
        labels: [None, Some("height".into())],
        logarithmic: Some([false, true, false]),
        ..words
    };
    let drawn = words.figure(&figure).expect("one panel");
    assert_eq!((drawn.title.as_str(), drawn.note.as_str()), ("", ""));
    assert_eq!(drawn.panels[0].up, PlotAxis::logarithmic("height"));
    assert_eq!(drawn.panels[0].title, "", "its axes have names");
    let all = FigureStyle { panels: Vec::new(), ..words };
    assert!(all.figure(&figure).expect_err("two quantities").to_string().contains("--panels"));
    figure.panels.truncate(1);
    figure.panels[0].series[0].points = vec![(0.0, -1.0)];
    figure.panels[0].series.truncate(1);
    assert!(all.figure(&figure).expect_err("no logarithm").to_string().contains("--log"));
}

#[test]
fn numbers_of_a_figure_are_written_in_full() {
    let mut figure = figure();
    figure.panels[0].series[0].points = vec![(0.1, 1.0 / 3.0), (1e-9, 2.0)];
    let text = data::of_figure(&figure);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("panel,series,name,style,colour,x,y,symbol"));
    assert_eq!(lines.next(), Some("0,0,μ = .1,line,#0072B2,0.1,0.3333333333333333,"));
    assert_eq!(lines.next(), Some("0,0,μ = .1,line,#0072B2,1e-9,2.0,"));
    // half lengths of error bars beside their points, and the source in every row
    figure.panels[0].series[0].errors = vec![0.5, f64::NAN];
    figure.source = "a sweep, of 2".into();
    let text = data::of_figure(&figure);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("panel,series,name,style,colour,x,y,error,symbol,source"));
    let row = "0,0,μ = .1,line,#0072B2,0.1,0.3333333333333333,0.5,,\"a sweep, of 2\"";
    assert_eq!(lines.next(), Some(row));
    let row = "0,0,μ = .1,line,#0072B2,1e-9,2.0,,,\"a sweep, of 2\"";
    assert_eq!(lines.next(), Some(row));
    let script = data::script::of_figure(&figure, &FigureStyle::default(), Path::new("a.svg"));
    assert!(script.contains("They are from a sweep, of 2.\n\"\"\"\n"), "{script}");
}

#[test]
fn a_thinned_line_keeps_its_extremes() {
    let wave =
        |k: usize| (k as f64, if k == 7777 { 5.0 } else { stiction_core::math::sin(k as f64) });
    let line: Vec<(f64, f64)> = (0..100_000).map(wave).collect();
    let thin = thinned(line.clone(), 100);
    assert!(thin.len() <= 500 && thin.len() > 100, "{}", thin.len());
    assert!(thin.contains(&line[7777]));
    assert_eq!((thin.first(), thin.last()), (line.first(), line.last()));
    // a line that turns back is not a function of its first coordinate
    let back: Vec<(f64, f64)> = line.iter().rev().copied().collect();
    assert_eq!(thinned(back.clone(), 100), back);
}

#[test]
fn the_ending_says_how_to_draw() {
    assert_eq!(FigureFormat::of(Path::new("a/b.SVG")).ok(), Some(FigureFormat::Svg));
    let error = FigureFormat::of(Path::new("plot.eps")).expect_err("no such format");
    assert!(error.to_string().contains(".svg, .png or .pdf, not to `plot.eps`"), "{error}");
}

/// Where colours are lost, in print, symbols and dashes tell series apart: no two have both in common.
#[test]
fn series_differ_without_their_colours() {
    let looks = (0..42).map(|number| {
        let symbol = super::symbols::Symbol::of(number).name();
        (symbol, super::symbols::dashes(number).iter().map(|length| length.to_bits()).collect())
    });
    let looks: Vec<(&str, Vec<u64>)> = looks.collect();
    let unequal = |k: usize| looks[..k].iter().all(|other| *other != looks[k]);
    assert!((0..looks.len()).all(unequal));
    let mut figure = figure();
    let points = vec![(0.0, 1.0), (1.0, 2.0)];
    let line = |number: usize| Series {
        points: points.clone(),
        style: Style::Marked,
        symbol: Some(number),
        ..Series::default()
    };
    figure.panels[0].series = vec![line(0), line(1)];
    figure.panels.truncate(1);
    let text = svg(&figure).expect("drawn");
    assert!(text.contains("stroke-dasharray") && !text.contains("<circle"), "open symbols");
    // of equal area: n/2 r² sin(2π/n)
    for (number, corners) in [(0, 24.0), (1, 4.0), (2, 3.0), (3, 4.0), (5, 3.0), (6, 6.0)] {
        let radius = super::symbols::Symbol::of(number).radius();
        let turn = 2.0 * std::f64::consts::PI / corners;
        let area = corners / 2.0 * radius * radius * stiction_core::math::sin(turn);
        assert!((area - 0.42).abs() < 1e-12, "{number}: {area}");
    }
    png(&figure).expect("drawn");
}

/// The lower end of an error bar that has no place on a logarithmic axis is an arrow to its edge.
#[test]
fn error_bars_reach_the_edge_of_decades() {
    let mut figure = figure();
    figure.panels.remove(0);
    let ends = |error: f64| {
        let points = vec![(1.0, 1.0), (2.0, 1.5)];
        let (style, errors) = (Style::Marked, vec![error, f64::NAN]);
        let line = Series { points, style, errors, symbol: Some(0), ..Series::default() };
        let panels = vec![Panel { series: vec![line], ..figure.panels[0].clone() }];
        let text = svg(&FigureFile { panels, ..figure.clone() }).expect("drawn");
        // a slim stroke between two places, and one through three: the head of an arrow
        let slim = text.lines().filter(|line| line.contains("stroke-width=\"0.72\" points"));
        let blue = slim.filter(|line| line.contains("#0072B2"));
        let places = blue.map(|line| line.matches(',').count()).collect::<Vec<_>>();
        (places, text.contains("error bars smaller than the symbols"))
    };
    assert_eq!(ends(0.5), (vec![2, 2, 2], false), "a bar with two caps");
    assert_eq!(ends(1.5), (vec![2, 2, 3], false), "an arrow and the upper cap");
    assert_eq!(ends(f64::NAN), (vec![], false));
    assert_eq!(ends(1e-4), (vec![2, 2, 2], true), "the foot names bars that nobody can see");
}

/// A point beside others with error bars has none because it is not known, not because it is small.
#[test]
fn points_without_an_error_bar_are_counted() {
    let mut figure = figure();
    let points = vec![(1.0, 1.0), (2.0, 1.5), (3.0, 2.0)];
    let mut foot = |errors: Vec<f64>| {
        figure.panels[0].series = vec![Series {
            points: points.clone(),
            style: Style::Marked,
            errors,
            ..Series::default()
        }];
        svg(&figure).expect("drawn").matches("have no error bar").count()
    };
    assert_eq!(foot(vec![0.4, f64::NAN, f64::NAN]), 1);
    assert_eq!(foot(vec![0.4, 0.3, 0.2]), 0);
    assert_eq!(foot(vec![f64::NAN; 3]), 0, "a figure without bars");
}

/// The name of an axis that has words for three lines has three lines.
#[test]
fn a_long_name_of_an_axis_is_all_there() {
    let mut figure = figure();
    let words =
        "force of the spring between the hand and the block over the normal force of the table [N]";
    figure.panels[0].up.label = words.into();
    figure.panels.truncate(1);
    let size = "3.3in".parse().expect("a size");
    let style = FigureStyle { size, ..FigureStyle::default() };
    let sheet = drawing::sheet(&figure, &style).expect("drawn").svg(&style.size);
    assert!(words.split(' ').all(|word| sheet.contains(word)), "{sheet}");
}

/// The foot stands below all panels, and a figure is higher by it.
#[test]
fn a_foot_is_below_everything() {
    let high = |text: &str| -> f64 {
        let box_ = text.split("viewBox=\"0 0 ").nth(1).expect("a box");
        box_.split(['"', ' ']).nth(1).and_then(|high| high.parse().ok()).expect("a height")
    };
    let mut figure = figure();
    let without = svg(&figure).expect("drawn");
    figure.foot = "2 of 12 points failed".into();
    let with = svg(&figure).expect("drawn");
    assert!(with.contains(&figure.foot) && high(&with) > high(&without));
}
