//! Numbers in words: those of a legend, and of points that are not drawn.

use super::*;
use crate::output::plots::figure::heat::{Cell, HeatAxis, HeatMap};

/// No unit beside the numbers of a legend has their common factor.
#[test]
fn numbers_that_stand_alone_have_their_power_of_ten() {
    for (numbers, labels) in [
        (&[1e-4, 2e-4][..], &["10⁻⁴", "2·10⁻⁴"][..]),
        (&[1e-3, 2e-3], &["10⁻³", "2·10⁻³"]),
        (&[1e-4, 1.25e-4], &["1.00·10⁻⁴", "1.25·10⁻⁴"]),
        (&[1e-4, 1e-3], &["10⁻⁴", "10⁻³"]),
        (&[1e-5, 1e-4, 1e-3], &["10⁻⁵", "10⁻⁴", "10⁻³"]),
        (&[0.01, 0.02], &["0.01", "0.02"]),
        (&[1e-3], &["10⁻³"]),
    ] {
        assert_eq!(complete(numbers), labels);
    }
}

/// The factor that the values of a key have in common stands with a name that was asked for too.
#[test]
fn a_name_of_a_map_that_was_asked_for_has_the_factor_of_its_numbers() {
    let marks = ["1", "2"].map(String::from).to_vec();
    let across = HeatAxis { label: "ε".into(), exponent: -4, marks, ..HeatAxis::default() };
    let cell = |value: f64| Cell { value: Some(value), ..Cell::default() };
    let cells = vec![vec![cell(1.0), cell(2.0)]];
    let map = HeatMap { across, cells, ..HeatMap::default() };
    let labels = [Some("threshold [m/s]".into()), None];
    let style = FigureStyle { labels, ..FigureStyle::default() };
    let map = heat::styled(&map, &style).expect("a map");
    let text = heat::sheet(&map, &style).expect("drawn").svg(&style.size);
    assert!(text.contains(">threshold [10⁻⁴ m/s]<"), "{text}");
}

/// A wave of which a part is not above 0, on logarithmic axes that were asked for: x and y are counted
/// apart, each point once.
#[test]
fn points_without_a_place_are_counted() {
    let mut figure = figure();
    figure.panels.truncate(1);
    figure.panels[0].names = vec!["wave".into()];
    // crosses mark points of the line once more
    let crosses = Series { style: Style::Crosses, ..figure.panels[0].series[0].clone() };
    figure.panels[0].series.push(crosses);
    let both = FigureStyle { logarithmic: Some([true, true, false]), ..FigureStyle::default() };
    let points = &figure.panels[0].series[0].points;
    let lost = points.iter().filter(|(time, x)| *time > 0.0 && *x <= 0.0).count();
    let words = format!(
        "without 1 of 50 points, where time is not above 0; without {lost} of 50 points, where x is not above 0"
    );
    assert_eq!(both.figure(&figure).expect("some are above 0").foot, words);
    let logarithmic = Some([false, true, false]);
    let style = FigureStyle { logarithmic, ..FigureStyle::default() };
    let points = &figure.panels[0].series[0].points;
    let lost = points.iter().filter(|point| point.1 <= 0.0).count();
    let foot = style.figure(&figure).expect("some are above 0").foot;
    assert_eq!(foot, format!("without {lost} of 50 points, where x is not above 0"));
    assert!(lost > 0 && FigureStyle::default().figure(&figure).expect("drawn").foot.is_empty());
}
