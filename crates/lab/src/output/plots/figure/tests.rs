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
                ..Series::default()
            },
        ],
    };
    FigureFile {
        title: "Two panels".into(),
        note: "and a note".into(),
        legend: vec![Series { name: "all panels".into(), colour: Some(3), ..Series::default() }],
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
    assert_eq!(even(0.0, 3e-9), ["0", "0.5", "1.0", "1.5", "2.0", "2.5", "3.0"]);
    assert_eq!(even(1000.0, 5000.0), ["1000", "2000", "3000", "4000", "5000"]);
    assert_eq!(
        labels(1e-9, 1.0, PlotAxis::logarithmic("")),
        ["10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²", "10⁰"]
    );
    assert_eq!(
        labels(1.5e-4, 3e-3, PlotAxis::logarithmic("")),
        ["2·10⁻⁴", "5·10⁻⁴", "10⁻³", "2·10⁻³"]
    );
    assert_eq!(labels(0.015, 0.3, PlotAxis::logarithmic("")), ["0.02", "0.05", "0.1", "0.2"]);
    assert_eq!(labels(1.1, 1.3, PlotAxis::logarithmic("")).len(), 3);
    assert!(!even(2.0, 2.0).is_empty());
}

#[test]
fn what_all_labels_are_multiples_of_stands_once() {
    let scale =
        |low: f64, high: f64, axis: PlotAxis| Scale::new(&axis, [low, high].into_iter(), 6, true);
    let even = |low, high| scale(low, high, PlotAxis::default());
    assert_eq!(
        (even(0.0, 3e-9).factor(), even(-2e5, 0.0).factor()),
        ("×10⁻⁹".into(), "×10⁵".into())
    );
    assert_eq!(even(0.0, 3.0).factor(), "");
    assert_eq!(even(0.0, 1.0).minor()[..4], [0.05, 0.1, 0.15000000000000002, 0.25]);
    // 2 to 9 times each power of ten within the range
    let decades = scale(1e-4, 1.0, PlotAxis::logarithmic(""));
    assert_eq!((decades.minor().len(), decades.factor()), (32, String::new()));
    let short = [0.0, 0.35, -0.035, 3.5e-5, -1e-7, 12.0, 4.2e4].map(super::ticks::scientific);
    assert_eq!(short, ["0", "0.35", "−0.035", "3.5·10⁻⁵", "−1·10⁻⁷", "12", "4.2·10⁴"]);
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
