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
    Scale::new(axis, [low, high].into_iter(), 6, true)
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
    assert_eq!(of(&[1e-4, 3.1623e-2]), decimals(&["1.0·10⁻⁴", "3.2·10⁻²"], 0));
    assert_eq!(of(&[5.0]), decimals(&["5"], 0));
}

#[test]
fn a_height_that_does_not_suffice_is_refused() {
    let style =
        |size: &str| FigureStyle { size: size.parse().expect("a size"), ..FigureStyle::default() };
    let error = drawing::sheet(&figure(), &style("3.3in x 2in")).expect_err("too low");
    assert!(error.to_string().contains("2 panels"), "{error}");
    let sheet = drawing::sheet(&figure(), &style("3.3in x 5in")).expect("drawn");
    assert_eq!(sheet.size, (3.3 * 72.0, 360.0));
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
    png(&figure).expect("drawn");
}

/// The lower end of an error bar that has no place on a logarithmic axis is at its edge.
#[test]
fn error_bars_reach_the_edge_of_decades() {
    let mut figure = figure();
    let ends = |low: f64| Series {
        points: vec![(1.0, low), (1.0, 1.0), (1.0, 2.0)],
        style: Style::Bars,
        ..Series::default()
    };
    figure.panels.remove(0);
    let lines = |series: Vec<Series>| {
        let panels = vec![Panel { series, ..figure.panels[0].clone() }];
        let text = svg(&FigureFile { panels, ..figure.clone() }).expect("drawn");
        text.matches("<polyline").count()
    };
    let none = lines(Vec::new());
    let with = |low: f64| {
        let points = vec![(1.0, 0.5), (1.0, 1.0), (1.0, 2.0)];
        let scale = Series { points, style: Style::Band(0), ..Series::default() };
        lines(vec![ends(low), scale.clone()]) - lines(vec![scale])
    };
    assert!(none > 0);
    assert_eq!((with(0.5), with(-1.0)), (3, 2), "a bar without its lower cap");
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
