//! Things that stand in a scene are drawn and named: bodies, angles, pins, motions, forces to scale.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use stiction_core::math::{Vector, sqrt};
use stiction_lab::experiment::base::Base;
use stiction_scene::description::View;
use stiction_view::canvas::Rect;
use stiction_view::cards::facts::{Detail, FactLine, lines};
use stiction_view::display::Display;
use stiction_view::keys::{Action, Layer};
use stiction_view::looking;
use stiction_view::painter::WrittenText;
use stiction_view::play::session::{Session, SessionPlan};
use stiction_view::stage::Stage;
use stiction_view::text::{Ink, Typeface};
use stiction_view::theme::LIGHT;
use stiction_view::viewpoint;

/// A scene of the library at a time, with a stage that shows its initial view.
fn at(scene: &str, time: f64) -> (Stage, Vec<Display>, Session) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("scenes/{scene}.toml"));
    shown(Base::file(&path), time)
}

fn shown(base: Base, time: f64) -> (Stage, Vec<Display>, Session) {
    let (path, panes) = ("scene.toml".into(), vec![base]);
    let mut session =
        Session::start(SessionPlan { path, panes, reference: None, recording: None }).unwrap();
    let mut stage = Stage::new(1280, 720, 1.0);
    viewpoint::apply(
        &session.panes()[0].scene().view.clone(),
        &mut stage,
        &session.pictures()[0].snapshot,
    );
    let quiet = &mut |_| ControlFlow::Continue(());
    assert!(session.film_to(time, quiet).is_continue());
    let displays = session.displays();
    stage.draw(&displays);
    (stage, displays, session)
}

/// So many beads in a row on a floor.
fn beads(count: usize) -> Base {
    let mut text = r#"
format = 1
time = { end = 1.0, step = 1e-3, output = 1.0 }
integrator = { method = "rk4" }
[materials.glass]
static_friction = 0.2
[contact]
normal = { law = "linear", stiffness = 1e4, damping = 10 }
friction = { law = "threshold", epsilon = 1e-2 }
"#
    .to_string();
    for k in 0..count {
        text += &format!(
            "[[body]]\nname = \"bead_{k}\"\nmass = 0.1\nshape = {{ particle = {{}} }}\n\
             position = [{k}, 0, 0]\n"
        );
    }
    Base::bytes("beads.toml", text.as_bytes(), Path::new("."))
}

fn texts(stage: &Stage) -> Vec<&str> {
    stage.texts().iter().map(|text| text.text.as_str()).collect()
}

#[test]
fn few_bodies_are_named_and_many_on_request() {
    let (mut stage, displays, _) = at("brick_stack", 0.0);
    for name in ["low", "middle", "high"] {
        assert!(texts(&stage).contains(&name), "{:?}", texts(&stage));
    }
    let toggle = Action::Toggle(Layer::Names);
    looking::act(&mut stage, toggle, &View::default(), &displays);
    stage.draw(&displays);
    assert!(!texts(&stage).contains(&"low"), "{:?}", texts(&stage));
    let (mut stage, displays, session) = shown(beads(14), 0.0);
    let bodies = &session.panes()[0].simulation().model.bodies;
    assert!(bodies.len() > 12);
    let named = |stage: &Stage| bodies.iter().filter(|b| texts(stage).contains(&&*b.name)).count();
    assert_eq!(named(&stage), 0);
    looking::act(&mut stage, toggle, &View::default(), &displays);
    stage.draw(&displays);
    assert!(named(&stage) > 4, "{:?}", texts(&stage));
}

/// The ground of a name is as wide as its letters, which are bold.
#[test]
fn names_have_ground_under_all_their_letters() {
    for (scene, names) in [("tilting_plane", 4), ("bead_on_sine", 1), ("brick_stack", 3)] {
        let (stage, _, session) = at(scene, 0.0);
        let bodies = &session.panes()[0].simulation().model.bodies;
        let is = |text: &&WrittenText| bodies.iter().any(|body| body.name == text.text);
        let named: Vec<&WrittenText> = stage.texts().iter().filter(is).collect();
        assert_eq!(named.len(), names, "{scene}");
        for name in named {
            let letters = Typeface::new().width(Ink::bold(12.0, 0), &name.text);
            let rims = f64::from(name.rect.width()) - letters;
            assert!((8.0..9.5).contains(&rims), "{scene}: {name:?} has {rims}");
        }
    }
}

/// A name that stands far from its body has a line to it, and no other name has.
#[test]
fn names_far_from_their_bodies_have_lines() {
    let mut lines = 0;
    let scenes = [
        ("gripper", 0.8),
        ("brick_stack", 0.0),
        ("kerb", 0.3),
        ("tipping_box", 2.8),
        ("snake", 0.5),
        ("rope_round_post", 0.1),
        ("cloth_on_sphere", 0.1),
        ("cantilever", 0.2),
        ("bowl", 0.45),
    ];
    for (scene, time) in scenes {
        let (stage, _, session) = at(scene, time);
        let simulation = session.panes()[0].simulation();
        let view = stage.camera.view(&stage.place_of(0, 1).focus);
        for body in &simulation.model.bodies {
            let Some(text) = stage.texts().iter().find(|text| text.text == body.name) else {
                continue;
            };
            let away = |(x, y): (f64, f64)| {
                let across = (f64::from(text.rect.x0) - x).max(x - f64::from(text.rect.x1));
                let down = (f64::from(text.rect.y0) - y).max(y - f64::from(text.rect.y1));
                let (across, down) = (across.max(0.0), down.max(0.0));
                sqrt(across * across + down * down)
            };
            let seen = body.particles.clone().map(|i| (i, simulation.state.positions[i]));
            let least = seen
                .filter_map(|(i, p)| {
                    let seen = view.see(p)?;
                    Some(away(seen.at) - simulation.model.surfaces.radii[i] * seen.scale)
                })
                .fold(f64::INFINITY, f64::min);
            let far = 2.0 * f64::from(text.rect.height());
            match text.leader {
                Some([from, to]) => {
                    lines += 1;
                    assert!(
                        away((f64::from(from.0), f64::from(from.1))) < 2.0,
                        "{scene}: {text:?}"
                    );
                    let end = away((f64::from(to.0), f64::from(to.1)));
                    assert!(far < end + 1.0 && end < least + 30.0, "{scene}: {text:?} {least}");
                }
                None => assert!(least < far + 40.0, "{scene}: {text:?} is {least} away"),
            }
        }
    }
    assert!(lines > 0, "no name is far from its body");
}

/// Beside cards the background is that of the picture: sky and floor have no edge where the picture begins.
#[test]
fn there_is_no_seam_beside_cards() {
    for scene in ["tipping_box", "gripper", "kerb"] {
        // a film has no controls, and more of the background is free
        let (mut stage, _, session) = at(scene, 0.0);
        stage.draw(&session.pictures());
        let pane = stage.place_of(0, 1).pane;
        assert!(pane.x0 > 300, "{scene}: {pane:?}");
        let pixel = |x: i32, y: i32| stage.canvas.pixels()[y as usize * 1280 + x as usize];
        let differ = |a: u32, b: u32| {
            [0, 8, 16].iter().any(|shift| (a >> shift & 255).abs_diff(b >> shift & 255) > 3)
        };
        let x = pane.x0;
        let covered = |x: i32, y: i32| stage.card_at(f64::from(x), f64::from(y));
        let free = (0..720).filter(|y| !covered(x - 1, *y) && !covered(x, *y));
        let free: Vec<i32> = free.collect();
        assert!(free.len() > 60, "{scene}: cards cover all");
        let rows = free.iter().filter(|y| differ(pixel(x - 1, **y), pixel(x, **y))).count();
        // where a line of the grid crosses
        assert!(10 * rows < free.len(), "{scene}: {rows} of {} rows differ", free.len());
    }
}

/// The angle of boards follows their motion, that of gravity against a level plane is its own.
#[test]
fn the_angle_of_what_is_tilted_is_written() {
    let (stage, _, session) = at("tilting_plane", 1.0);
    let simulation = session.panes()[0].simulation();
    let collider = &simulation.model.surfaces.colliders[0];
    let up = collider.motion.pose(simulation.state.time).direction_to_world(Vector::z());
    let angle = stiction_core::math::degrees(stiction_core::math::acos(up.z));
    assert!(angle > 1.0);
    assert!(texts(&stage).contains(&&*format!("{angle:.1}°")), "{angle} {:?}", texts(&stage));
    let (stage, displays, _) = at("layers", 0.0);
    let gravity = displays[0].snapshot.model.gravity;
    let angle =
        stiction_core::math::degrees(stiction_core::math::acos(-gravity.z / gravity.norm()));
    assert!(angle > 1.0);
    assert!(texts(&stage).contains(&&*format!("{angle:.1}°")), "{angle} {:?}", texts(&stage));
    let (stage, ..) = at("tipping_box", 0.0);
    assert!(!texts(&stage).iter().any(|text| text.contains('°')), "{:?}", texts(&stage));
}

/// Pixels of a colour in a box.
fn count(stage: &Stage, rect: &Rect, colour: u32) -> usize {
    let (width, pixels) = (stage.canvas.width(), stage.canvas.pixels());
    let rows = rect.y0.max(0) as usize..rect.y1 as usize;
    let row = |y: usize| &pixels[y * width + rect.x0.max(0) as usize..y * width + rect.x1 as usize];
    rows.flat_map(|y| row(y).iter()).filter(|pixel| **pixel == colour).count()
}

#[test]
fn pins_and_motions_have_marks() {
    let (mut stage, displays, session) = at("cantilever", 0.0);
    let model = &session.panes()[0].simulation().model;
    let pinned =
        (0..model.particles()).find(|i| model.inverse_masses[*i] == Vector::zeros()).unwrap();
    let view = stage.camera.view(&stage.place_of(0, 1).focus);
    let (x, y) = view.see(model.reference[pinned]).unwrap().at;
    let (x, y) = (x as i32, y as i32);
    let around = Rect { x0: x - 9, y0: y + 6, x1: x + 9, y1: y + 12 };
    assert!(count(&stage, &around, LIGHT.ink) > 10);
    stage.look.labels = false;
    stage.draw(&displays);
    assert!(count(&stage, &around, LIGHT.ink) < 3);
    let (stage, ..) = at("belt", 0.3);
    assert!(texts(&stage).contains(&"1.00 m/s"), "{:?}", texts(&stage));
    let pane = stage.place_of(0, 1).pane;
    assert!(count(&stage, &pane, LIGHT.ghost) > 60, "an arrow of the belt");
}

/// The scale is that of forces that are drawn: normal forces are hidden in the gripper.
#[test]
fn the_scale_of_forces_is_round_and_of_what_is_drawn() {
    let (mut stage, displays, _) = at("gripper", 0.5);
    let legend = |stage: &Stage| texts(stage).last().map(|text| text.to_string()).unwrap();
    let force = |stage: &Stage| {
        let legend = legend(stage);
        let part = legend.split(" · ").find(|part| part.ends_with('N') && part.len() > 1);
        part.map(str::to_string).unwrap_or_else(|| panic!("{legend}"))
    };
    let small = force(&stage);
    stage.look.normals = true;
    stage.draw(&displays);
    let large = force(&stage);
    assert_ne!(small, large);
    for text in [small, large] {
        assert!(["1", "2", "5"].contains(&&text[..1]), "{text}");
    }
}

#[test]
fn forces_of_the_chosen_body_are_written() {
    let (mut stage, mut displays, _) = at("tipping_box", 0.4);
    let newtons = |stage: &Stage| {
        let written = texts(stage);
        written[..written.len() - 1].iter().filter(|text| text.ends_with(" N")).count()
    };
    assert_eq!(newtons(&stage), 0);
    displays[0].chosen = Some(60);
    stage.draw(&displays);
    assert!(newtons(&stage) >= 3, "{:?}", texts(&stage));
}

#[test]
fn energies_and_a_rate_without_a_limit_are_shown_on_request() {
    let (mut stage, displays, _) = at("gripper", 0.1);
    assert!(displays[0].snapshot.decay_limit.is_none());
    let has = |detail: Detail| {
        let lines = lines(&displays[0], detail);
        let gauge = lines.iter().any(|line| matches!(line, FactLine::Gauge(..)));
        let kinetic = lines.iter().any(|line| matches!(line, FactLine::Fact("kinetic", ..)));
        (gauge, kinetic)
    };
    assert_eq!(has(Detail::Least), (false, false));
    assert_eq!(has(Detail::Less), (false, false));
    assert_eq!(has(Detail::All), (true, true));
    let before = stage.canvas.hash();
    let toggle = Action::Toggle(Layer::Energies);
    looking::act(&mut stage, toggle, &View::default(), &displays);
    stage.draw(&displays);
    assert_ne!(stage.canvas.hash(), before);
    looking::act(&mut stage, toggle, &View::default(), &displays);
    stage.draw(&displays);
    assert_eq!(stage.canvas.hash(), before);
}

/// A bowl is open: above its rim there is background, below there is its wall.
#[test]
fn a_bowl_is_open_at_its_top() {
    let (stage, displays, _) = at("bowl", 0.0);
    let pane = stage.place_of(0, 1).pane;
    let view = stage.camera.view(&stage.place_of(0, 1).focus);
    let pixel =
        |x: i32, y: i32| stage.canvas.pixels()[y as usize * stage.canvas.width() + x as usize];
    let at = |x: f64, height: f64| {
        let (x, y) = view.see(Vector::new(x, 0.0, height)).unwrap().at;
        (pixel(x as i32, y as i32), pixel(pane.x0 + 3, y as i32))
    };
    assert_eq!(displays[0].snapshot.model.bodies.len(), 1);
    // a ball would be there
    let (above, sky) = at(0.8, 0.55);
    assert_eq!(above, sky);
    let (below, sky) = at(0.0, -0.5);
    assert_ne!(below, sky);
}
