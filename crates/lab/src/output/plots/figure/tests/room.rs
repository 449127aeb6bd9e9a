//! Sizes that do not suffice, and the height of a page.

use super::*;
use crate::experiment::pairing;
use crate::output::plots::figure::picture::Picture;

fn style(size: &str, letters: f64, columns: Option<usize>) -> FigureStyle {
    let size = size.parse().expect("a size");
    FigureStyle { size, letters: Some(letters), columns, ..FigureStyle::default() }
}

/// The widths and the letters that a refusal names do suffice.
fn check(picture: &Picture, refused: &FigureStyle, words: &str) {
    let error = picture.beyond_page(refused).expect_err("too narrow").to_string();
    assert!(error.starts_with(words), "{error}");
    let wide = error.split('"').nth(1).expect("a size").parse().expect("a size");
    let wide = FigureStyle { size: wide, ..refused.clone() };
    assert!(picture.beyond_page(&wide).is_ok(), "{error}");
    if let Some(rest) = error.split("--font-size ").nth(1) {
        let most = rest.split("pt").next().and_then(|most| most.parse().ok());
        let small = FigureStyle { letters: Some(most.expect("points")), ..refused.clone() };
        assert!(picture.beyond_page(&small).is_ok(), "{error}");
    }
}

/// Letters too large for the width turn no panel inside out.
#[test]
fn letters_too_large_for_the_width_are_refused() {
    let lines = Picture::Lines(figure());
    let one = "a panel does not fit into a width of 3.3in with letters of 40 pt: give at least 7.9in, as --size \"7.9in\"";
    check(&lines, &style("column", 40.0, None), one);
    check(&lines, &style("column", 28.0, None), "a panel does not fit into a width of 3.3in");
    let two = "2 panels side by side do not fit into a width of 3.3in with letters of 16 pt";
    check(&lines, &style("column", 16.0, Some(2)), two);
    check(&lines, &style("84mm", 9.0, Some(2)), "2 panels side by side");
}

#[test]
fn maps_have_their_least_width() {
    let atlas = Picture::Atlas(pairing::atlas());
    check(&atlas, &style("column", 40.0, None), "a panel does not fit into a width of 3.3in");
    // with large letters, and at small widths, no area of lines is turned inside out
    assert!(atlas.beyond_page(&style("column", 16.0, None)).is_ok());
}

/// A figure of lines is no higher than a page, and what is higher is said to be.
#[test]
fn a_single_row_is_no_higher_than_a_page() {
    let mut one = figure();
    one.panels.truncate(1);
    one.title = "a title of many words ".repeat(40);
    let high = |letters: f64| {
        Picture::Lines(one.clone()).beyond_page(&style("6.9in", letters, None)).expect("drawn")
    };
    assert_eq!((high(9.0), high(28.0)), (None, None));
    let atlas = Picture::Atlas(pairing::atlas());
    let beyond = atlas.beyond_page(&style("column", 8.0, None)).expect("drawn");
    assert!(beyond.is_some_and(|high| high > 20.0 * 72.0), "{beyond:?}");
}
