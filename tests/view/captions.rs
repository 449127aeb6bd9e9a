//! Titles and chosen plots beside pictures, and plots without room.

use crate::playing::{BOX, alone, base};
use std::ops::ControlFlow;
use stiction_view::canvas::Rect;
use stiction_view::captions::Captions;
use stiction_view::cards::plots::names;
use stiction_view::keys::Action;
use stiction_view::looking;
use stiction_view::picture::{PictureError, Shot, render, still};
use stiction_view::play::session::Session;
use stiction_view::stage::Stage;
use stiction_view::theme::LIGHT;

/// The box with two measures, one of them expected.
fn measured() -> Session {
    let text = format!(
        "{BOX}[[measure]]\nname = \"sink\"\nkind = \"displacement\"\nbody = \"box\"\ndirection = [0, 0, 1]\n\
         [[measure]]\nname = \"energy\"\nkind = \"speed\"\nbody = \"box\"\n[expect.sink]\nvalue = -1e-3\ntolerance = 1e-3\n"
    );
    Session::start(alone(base(&text))).unwrap_or_else(|errors| panic!("{}", errors.brief()))
}

fn shot(plots: &[&str], to: f64, size: (usize, usize)) -> Shot {
    let plots = plots.iter().map(|name| name.to_string()).collect();
    let captions = Captions { plots, until: Some(0.2), ..Captions::default() };
    Shot { width: size.0, height: size.1, to, captions, ..Shot::default() }
}

fn drawn(shot: &Shot) -> Stage {
    still(&mut measured(), shot, &mut |_| ControlFlow::Continue(())).expect("a picture")
}

/// Pixels of a colour in a box.
fn count(stage: &Stage, rect: &Rect, colour: u32) -> usize {
    let (width, pixels) = (stage.canvas.width(), stage.canvas.pixels());
    let rows = rect.y0 as usize..rect.y1 as usize;
    let row = |y: usize| &pixels[y * width + rect.x0 as usize..y * width + rect.x1 as usize];
    rows.flat_map(|y| row(y).iter()).filter(|pixel| **pixel == colour).count()
}

/// The card of the plots: the only one at the right.
fn card(stage: &Stage) -> Option<Rect> {
    let right = stage.canvas.width() as i32 * 3 / 5;
    stage.cards().find(|card| card.x0 > right)
}

/// A chosen plot stands beside the picture, and grows along an axis that ends with the film.
#[test]
fn a_chosen_plot_grows_with_time() {
    let [half, full] = [0.1, 0.2].map(|to| drawn(&shot(&["sink"], to, (1200, 600))));
    let plot = card(&half).expect("a card");
    assert_eq!(Some(plot), card(&full));
    assert!(plot.y1 < 400, "one plot does not need all of the height: {plot:?}");
    let right = Rect { x0: (plot.x0 + plot.x1) / 2 + 20, x1: plot.x1 - 84, ..plot };
    // the line, and the strip of the verdict
    for (colour, y0) in [(LIGHT.lines[0], plot.y0), (LIGHT.good, plot.y1 - 45)] {
        let right = Rect { y0, ..right };
        assert_eq!(count(&half, &right, colour), 0);
        assert!(count(&full, &right, colour) > 30);
        let left = Rect { x0: plot.x0 + 56, x1: right.x0 - 40, ..right };
        assert!(count(&half, &left, colour) > 30);
    }
    // the value that is expected at the end stands there from the start
    assert!(count(&half, &right, LIGHT.good) > 20);
    let two = drawn(&shot(&["creep", "sink"], 0.1, (1200, 600)));
    assert!(card(&two).expect("a card").height() > plot.height() + 100);
    assert_eq!(card(&drawn(&shot(&[], 0.1, (1200, 600)))), None);
}

/// A name that is no plot is answered with those that are; a measure comes before a usual plot of
/// its name.
#[test]
fn unknown_plots_are_refused_with_candidates() {
    let mut session = measured();
    assert_eq!(names(&session.pictures()), ["sink", "energy", "creep", "h-lambda"]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.png");
    let quiet = &mut |_| ControlFlow::Continue(());
    let refused = render(&mut session, &shot(&["sinc"], 0.1, (900, 600)), &path, quiet);
    let Err(PictureError::Setting { message }) = refused else { panic!("{refused:?}") };
    assert!(message.contains("no plot `sinc`; did you mean `sink`?"), "{message}");
    assert!(message.contains("`energy`, `creep`, `h-lambda`"), "{message}");
    assert!(!path.exists());
    let none = render(&mut session, &shot(&["sink"], 0.1, (500, 300)), &path, quiet).unwrap();
    assert_eq!(none.left_out, ["sink"]);
    let all = render(&mut session, &shot(&["sink"], 0.1, (1200, 600)), &path, quiet).unwrap();
    assert_eq!(all.left_out, [""; 0]);
}

/// A title stands above everything else, broken where it is long, and left out where it would fill
/// the picture.
#[test]
fn a_title_stands_above_the_picture() {
    let titled = |text: &str, size| {
        let mut shot = shot(&["sink"], 0.05, size);
        shot.captions.title = Some(text.into());
        drawn(&shot)
    };
    let top = |stage: &Stage| stage.cards().map(|card| card.y0).min().expect("cards");
    let plain = drawn(&shot(&["sink"], 0.05, (1200, 600)));
    let short = titled("a box", (1200, 600));
    let long = titled(&"many words ".repeat(30), (1200, 600));
    assert!(top(&plain) < top(&short) && top(&short) < top(&long), "{}", top(&long));
    for stage in [&short, &long] {
        let strip = Rect { x0: 0, y0: 0, x1: 1200, y1: top(stage) };
        assert!(count(stage, &strip, LIGHT.ink) > 40);
        assert!(stage.texts().iter().all(|text| text.rect.y0 >= strip.y1 - 14));
        assert!(stage.place_of(0, 1).pane.y0 >= strip.y1 - 14);
    }
    assert_eq!(titled("a box", (300, 90)).place_of(0, 1).pane.y0, 0);
}

/// In a window where plots have no room the panel says how many, and a key shows them in place of
/// the panel, and the panel again.
#[test]
fn plots_without_room_are_counted_and_shown_by_a_key() {
    let mut session = measured();
    assert!(session.film_to(0.1, &mut |_| ControlFlow::Continue(())).is_continue());
    let displays = session.displays();
    let mut stage = Stage::new(1024, 768, 1.0);
    stage.plots = true;
    stage.frame(&displays[0].snapshot);
    stage.draw(&displays);
    assert_eq!((card(&stage), stage.left_out().len()), (None, 4));
    let alone = stage.canvas.hash();
    let press = |stage: &mut Stage| {
        looking::act(stage, Action::MorePlots, &Default::default(), &displays);
        stage.draw(&displays);
    };
    press(&mut stage);
    assert!(!stage.panel && card(&stage).is_some() && stage.left_out().is_empty());
    press(&mut stage);
    assert!(stage.panel && card(&stage).is_none());
    assert_eq!(stage.canvas.hash(), alone);
    // a low window shows some of them: the next ones follow
    let mut low = Stage::new(1280, 330, 1.0);
    low.plots = true;
    low.frame(&displays[0].snapshot);
    low.draw(&displays);
    let first = low.left_out().to_vec();
    assert!(!first.is_empty() && first.len() < 4, "{first:?}");
    press(&mut low);
    assert_ne!(low.left_out(), first);
    for _ in 0..3 {
        if low.left_out() != first {
            press(&mut low);
        }
    }
    assert_eq!(low.left_out(), first, "after the last come the first");
}
