//! Scripts that draw figures anew with matplotlib.

use super::*;
use crate::experiment::pairing;

/// A module that a script imports is used in it, and one that it uses is imported.
#[test]
fn scripts_import_what_they_use() {
    let script = |text: String| {
        for module in ["math", "textwrap", "ticker", "pathlib", "csv", "sys"] {
            let imported = text.lines().any(|line| {
                line.starts_with(&format!("import {module}"))
                    || line.ends_with(&format!("import {module}"))
            });
            assert_eq!(imported, text.contains(&format!("{module}.")), "{module} in\n{text}");
        }
    };
    let (style, path) = (FigureStyle::default(), Path::new("a.svg"));
    script(data::script::of_figure(&figure(), &style, path));
    script(data::script::of_map(&heat::HeatMap::default(), &style, path));
    script(data::script::of_atlas(&contour::Atlas::default(), &style, path));
}

/// A script of maps has what the figure has: headings, shaded cells, dots.
#[test]
fn a_script_of_maps_has_headings_shades_and_dots() {
    let (atlas, style) = (pairing::atlas(), FigureStyle::default());
    let text = data::script::of_atlas(&atlas, &style, Path::new("a.svg"));
    for (heading, maps) in &atlas.rows {
        assert!(text.contains(&format!("(\"{heading}\", {}),", maps.len())), "{heading}");
    }
    let dotted = |map: &contour::Map| map.marks.first().map(|dot| format!("{dot:?}"));
    let dots: Vec<String> =
        atlas.rows.iter().flat_map(|(_, maps)| maps).filter_map(dotted).collect();
    assert!(dots.len() == 2 && dots.iter().all(|dot| text.contains(dot)), "{dots:?}");
    let numbers = data::of_atlas(&atlas);
    let shaded = atlas.rows.iter().flat_map(|(_, maps)| maps).flat_map(|map| &map.shaded);
    let shaded = shaded.flatten().filter(|shaded| **shaded).count();
    assert!(numbers.starts_with("map,title,x,y,value,shaded\n"));
    assert_eq!(numbers.lines().filter(|line| line.ends_with(",1")).count(), shaded);
    assert!(shaded > 0);
}

/// Short logarithmic axes have the numbers 1, 2 and 5 of the figure, and names without a space are
/// broken.
#[test]
fn a_script_of_lines_has_the_numbers_and_the_breaks_of_the_figure() {
    let text = data::script::of_figure(&figure(), &FigureStyle::default(), Path::new("a.svg"));
    assert!(text.contains("LogLocator(subs=(1, 2, 5)") && text.contains("NullFormatter"));
    for name in ["get_title()", "get_xlabel()", "name, room"] {
        assert!(
            text.contains(&format!("in_lines({name}"))
                || text.contains(&format!("in_lines(panel.{name}")),
            "{name}"
        );
    }
}
