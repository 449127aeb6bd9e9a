use super::drawing::thinned;
use super::ticks::Scale;
use super::*;
use plotters::coord::ranged1d::{BoldPoints, Ranged};

fn figure() -> FigureFile {
    let wave = |k: i32| (f64::from(k) * 0.1, f64::from(k % 7) - 3.0);
    let panel = |axis: PlotAxis| Panel {
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
            },
        ],
    };
    FigureFile {
        title: "Two panels".into(),
        note: "and a note".into(),
        panels: vec![panel(PlotAxis::linear("x [m]")), panel(PlotAxis::logarithmic("|x| [m]"))],
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
    let bytes = png(&figure()).expect("drawn");
    let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("its size")];
    reader.next_frame(&mut pixels).expect("a picture");
    // more than the background: letters, axes and at least two colours
    let mut colours: Vec<&[u8]> = pixels.chunks(3).collect();
    colours.sort_unstable();
    colours.dedup();
    assert!(colours.len() > 20, "{} colours", colours.len());
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

#[test]
fn marks_are_round_numbers_inside_the_range() {
    let labels = |low: f64, high: f64, axis: PlotAxis| {
        let scale = Scale::new(&axis, [low, high].into_iter(), 6, true);
        let marks = scale.key_points(BoldPoints(6));
        assert!(
            marks
                .iter()
                .all(|m| *m >= scale.range().start - 1e-9 && *m <= scale.range().end + 1e-9)
        );
        marks.iter().map(|mark| scale.label(*mark)).collect::<Vec<_>>()
    };
    let even = |low, high| labels(low, high, PlotAxis::default());
    assert_eq!(even(0.0, 1.0), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    assert_eq!(even(-3.1, 2.2), ["−3", "−2", "−1", "0", "1", "2"]);
    assert_eq!(even(0.0, 3e-9), ["0", "5e-10", "1e-9", "1.5e-9", "2e-9", "2.5e-9", "3e-9"]);
    assert_eq!(even(1000.0, 5000.0), ["1000", "2000", "3000", "4000", "5000"]);
    assert_eq!(
        labels(1e-9, 1.0, PlotAxis::logarithmic("")),
        ["1e-8", "1e-6", "1e-4", "1e-2", "1e0"]
    );
    assert_eq!(labels(1.5e-4, 3e-3, PlotAxis::logarithmic("")), ["2e-4", "5e-4", "1e-3", "2e-3"]);
    assert_eq!(labels(1.1, 1.3, PlotAxis::logarithmic("")).len(), 3);
    assert!(!even(2.0, 2.0).is_empty());
}

#[test]
fn a_thinned_line_keeps_its_extremes() {
    let wave = |k: usize| (k as f64, if k == 7777 { 5.0 } else { crate::math::sin(k as f64) });
    let line: Vec<(f64, f64)> = (0..100_000).map(wave).collect();
    let thin = thinned(line.clone(), 100);
    assert!(thin.len() <= 500 && thin.len() > 100, "{}", thin.len());
    assert!(thin.contains(&line[7777]));
    assert_eq!((thin.first(), thin.last()), (line.first(), line.last()));
    // a loop is not a function of its first coordinate
    let back: Vec<(f64, f64)> = line.iter().rev().copied().collect();
    assert_eq!(thinned(back.clone(), 100), back);
}

#[test]
fn the_ending_says_how_to_draw() {
    assert_eq!(FigureFormat::of(Path::new("a/b.SVG")).ok(), Some(FigureFormat::Svg));
    let error = FigureFormat::of(Path::new("plot.pdf")).expect_err("no such format");
    assert!(error.to_string().contains(".svg or .png, not to `plot.pdf`"), "{error}");
}
