//! The scene's own measures in plots and panel are those of a headless run.

use super::{BOX, base};
use stiction_lab::run::Run;
use stiction_scene::build::BuildOptions;
use stiction_view::cards::facts::{Detail, lines};
use stiction_view::display::{Display, Playback};
use stiction_view::play::pane::Pane;

/// A box with a measure of each size, of which one is expected, and one that has no value.
fn measured() -> String {
    format!(
        "{BOX}
        [[measure]]
        name = \"top\"
        kind = \"position\"
        body = \"box\"
        [[measure]]
        name = \"speed\"
        kind = \"speed\"
        body = \"box\"
        [[measure]]
        name = \"period\"
        kind = \"speed\"
        body = \"box\"
        reduce = \"period\"
        [expect]
        speed = {{ value = 0.5, tolerance = 0.1 }}
        "
    )
}

fn picture(pane: &Pane) -> Display {
    pane.picture(Playback::default(), None)
}

#[test]
fn a_picture_has_the_measures_of_a_headless_run() {
    let mut pane = Pane::open(base(&measured())).unwrap();
    pane.sample(None);
    for time in [0.1, 0.2] {
        pane.advance_to(time, None);
        pane.sample(None);
    }
    let scene = base(&measured()).load(&[]).unwrap().scene;
    let mut run = Run::new(&scene, &BuildOptions::default()).unwrap();
    run.finish().unwrap();
    let display = picture(&pane);
    let shown = &display.history.samples().last().unwrap().measures;
    let wanted = &run.frames.last().unwrap().measures;
    assert_eq!(shown.len(), 5);
    assert_eq!(shown[..4], wanted[..4]);
    assert!(shown[4].is_nan(), "{shown:?}");
    let names: Vec<&str> = display.measured.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["top", "speed", "period"]);
    assert_eq!(display.measured[0].columns, 0..3);
    assert_eq!(display.measured[1].expected, Some((0.4, 0.6)));
    let panel = format!("{:?}", lines(&display, Detail::Less));
    assert!(panel.contains("Measure(\"period\", \"–\")"), "{panel}");
}

#[test]
fn measures_begin_anew_where_a_run_goes_back_or_starts_again() {
    let mut pane = Pane::open(base(&measured())).unwrap();
    pane.advance_to(0.1, None);
    pane.sample(None);
    let first = picture(&pane).history.samples().last().unwrap().measures.clone();
    pane.restart().unwrap();
    assert!(picture(&pane).history.samples().is_empty());
    pane.advance_to(0.1, None);
    pane.sample(None);
    let again = picture(&pane).history.samples().last().unwrap().measures.clone();
    assert_eq!(first[..4], again[..4]);
}
