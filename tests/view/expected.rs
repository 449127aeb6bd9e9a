//! Expected values of a measure are drawn in its plot at the time where they count.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use stiction_lab::experiment::base::Base;
use stiction_scene::description::View;
use stiction_view::canvas::Rect;
use stiction_view::captions::Captions;
use stiction_view::cards::expected::{ExpectedMark, marks};
use stiction_view::cards::plots::{self, PlotWishes};
use stiction_view::display::Display;
use stiction_view::picture::{Shot, still};
use stiction_view::play::session::{Session, SessionPlan};
use stiction_view::stage::Stage;
use stiction_view::theme::LIGHT;

fn session(panes: Vec<Base>) -> Session {
    let path = "scene.toml".into();
    Session::start(SessionPlan { path, panes, reference: None, recording: None }).unwrap()
}

fn library(scene: &str) -> Base {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("scenes/{scene}.toml"));
    Base::file(&path)
}

/// A still with one plot, and its run.
fn drawn(session: &mut Session, plot: &str, to: f64, size: (usize, usize)) -> (Stage, Display) {
    let captions = Captions { plots: vec![plot.into()], until: Some(to), ..Captions::default() };
    let (width, height) = size;
    let shot = Shot { width, height, to, captions, view: View::default(), ..Shot::default() };
    let stage = still(session, &shot, &mut |_| ControlFlow::Continue(())).unwrap();
    let display = session.pictures().swap_remove(0);
    (stage, display)
}

/// The marks of a measure.
fn marks_of(display: &Display, name: &str) -> Vec<ExpectedMark> {
    let measured = display.measured.iter().find(|own| own.name == name).unwrap();
    let line = |column: usize| -> Vec<(f64, f64)> {
        display.history.samples().iter().map(|s| (s.time, s.measures[column])).collect()
    };
    let columns: Vec<Vec<(f64, f64)>> = measured.columns.clone().map(line).collect();
    let columns: Vec<&[(f64, f64)]> = columns.iter().map(|column| &column[..]).collect();
    marks(display, measured, &columns)
}

/// Pixels in the card of plots that are greener than grey, but for those of the strip of trust at its
/// bottom.
fn green(stage: &Stage) -> usize {
    let card = stage.cards().find(|card| card.x0 > 600).unwrap();
    let rect = Rect { y1: card.y1 - 45, ..card };
    let width = stage.canvas.width();
    let pixel = |x: i32, y: i32| stage.canvas.pixels()[y as usize * width + x as usize];
    let is = |pixel: u32| (pixel >> 8 & 255) as i32 - (pixel >> 16 & 255) as i32 > 16;
    let row = |y: i32| (rect.x0..rect.x1).filter(|x| is(pixel(*x, y))).count();
    (rect.y0..rect.y1).map(row).sum()
}

#[test]
fn an_extreme_is_expected_at_its_time_alone() {
    let mut session = session(vec![library("tipping_box")]);
    let (stage, display) = drawn(&mut session, "tilt", 4.5, (1280, 720));
    let mark = marks_of(&display, "tilt")[0];
    assert_eq!((mark.range, mark.word), ((70.0, 110.0), "max"));
    assert!((3.5..4.5).contains(&mark.time), "{mark:?}");
    let count = green(&stage);
    assert!((60..600).contains(&count), "{count} green pixels");
}

#[test]
fn a_value_at_a_time_and_one_at_the_end_have_marks_there() {
    let mut session = session(vec![library("sliding_block")]);
    let (early, display) = drawn(&mut session, "distance", 0.2, (1280, 720));
    assert_eq!(marks_of(&display, "distance")[0].time, 1.0);
    assert_eq!(green(&early), 0, "the end is not in the picture");
    let (stage, display) = drawn(&mut session, "speed", 1.0, (1280, 720));
    assert_eq!(marks_of(&display, "speed")[0].time, 0.25);
    let count = green(&stage);
    assert!((20..200).contains(&count), "{count} green pixels");
}

/// A ball in free fall, far above a floor or with none.
fn falling(floor: bool, method: &str, measure: bool) -> Base {
    let mut text = format!(
        r#"
format = 1
time = {{ end = 0.2, step = 1e-3, output = 0.01 }}
integrator = {{ method = "{method}" }}
[materials.glass]
static_friction = 0.2
[contact]
normal = {{ law = "linear", stiffness = 1e4, damping = 10 }}
friction = {{ law = "threshold", epsilon = 1e-2 }}
[[body]]
name = "ball"
mass = 0.1
shape = {{ particle = {{}} }}
position = [0, 0, 9]
"#
    );
    if floor {
        text += "[[collider]]\nname = \"floor\"\nshape = { plane = {} }\n";
    }
    if measure {
        text += "[[measure]]\nname = \"speed\"\nkind = \"speed\"\nbody = \"ball\"\n";
    }
    Base::bytes("ball.toml", text.as_bytes(), Path::new("."))
}

#[test]
fn a_rate_that_is_zero_throughout_takes_no_room() {
    let names = |floor, method: &str| {
        let mut session = session(vec![falling(floor, method, true)]);
        let (_, display) = drawn(&mut session, "speed", 0.2, (1280, 720));
        let lines =
            stiction_view::cards::facts::lines(&display, stiction_view::cards::facts::Detail::Less);
        assert!(!format!("{lines:?}").contains("Gauge"), "{lines:?}");
        plots::wanted(&[display], &LIGHT, &PlotWishes::default())
    };
    assert_eq!(names(false, "rk4"), ["speed"]);
    assert_eq!(names(true, "rk4"), ["speed", "creep"]);
    assert_eq!(names(true, "implicit-euler"), ["speed", "creep"]);
    // by its name it is there
    let mut session = session(vec![falling(false, "rk4", false)]);
    let (_, display) = drawn(&mut session, "h-lambda", 0.2, (1280, 720));
    let chosen = ["h-lambda".to_string()];
    let wishes = PlotWishes { chosen: &chosen, ..PlotWishes::default() };
    assert_eq!(plots::wanted(&[display], &LIGHT, &wishes), chosen);
}

/// In a small panel the scene's measure comes before h λ: the same values are written with and without a
/// limit of the method.
#[test]
fn a_small_panel_has_the_measure_first() {
    let mut session = session(vec![library("stick_slip")]);
    assert!(session.film_to(1.0, &mut |_| ControlFlow::Continue(())).is_continue());
    let picture = |change: fn(&mut Display)| {
        let mut display = session.pictures().swap_remove(0);
        change(&mut display);
        let mut stage = Stage::new(200, 400, 1.0);
        stage.frame(&display.snapshot);
        stage.draw(&[display]);
        let card = stage.cards().next().unwrap();
        let width = stage.canvas.width();
        stage.canvas.pixels()[card.y0 as usize * width..card.y1 as usize * width].to_vec()
    };
    let usual = picture(|_| {});
    assert_eq!(usual, picture(|display| display.snapshot.hlambda = 0.5));
    assert_ne!(usual, picture(|display| display.measured = Default::default()));
}
