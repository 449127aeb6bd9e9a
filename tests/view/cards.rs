//! The cards over a picture and the layout: what is drawn is where it should be, and can be
//! clicked.

use crate::reference::difference;
use crate::scenes::{Making, empty};
use std::path::PathBuf;
use std::sync::Arc;
use stiction_core::math::Vector;
use stiction_core::simulation::Simulation;
use stiction_scene::Moment;
use stiction_view::canvas::Rect;
use stiction_view::cards::facts::FactLine;
use stiction_view::cards::layout::{Layout, Wishes};
use stiction_view::cards::plots::PlotWishes;
use stiction_view::cards::{facts, help, plots};
use stiction_view::display::{
    Display, ExpectedValue, Ghost, Labels, Measured, Playback, Setting, StableStep,
};
use stiction_view::film::write_png;
use stiction_view::history::{History, Passing, Sample};
use stiction_view::keys::{Action, BINDINGS, Direction, Knob, MOUSE};
use stiction_view::snapshot::Snapshot;
use stiction_view::stage::{BrowserListing, Stage};
use stiction_view::text::Typeface;
use stiction_view::theme::{DARK, LIGHT};

/// A soft box on a floor, pushed at its upper corner.
fn pushed(integrator: &str, step: f64) -> Simulation {
    let making = Making::new().lattice([7, 1, 17], 0.1, Vector::zeros()).floor().planar();
    making.push(16, Vector::new(24.0, 0.0, 0.0)).run(integrator, step, |p| p, |_| Vector::zeros())
}

/// The figures of a run now.
fn sample(run: &mut Simulation, reference: &Simulation) -> Sample {
    let h = run.time_step();
    let budgets = run.watches.stick.end_frame(&run.model, &run.state, h);
    let creep = budgets.iter().map(|drift| drift.row());
    let apart = run.state.positions.iter().zip(&reference.state.positions);
    Sample {
        time: run.state.time,
        energies: run.watches.audit.energies,
        flows: run.watches.audit.flows,
        residual: run.watches.audit.residual(),
        hlambda: run.watches.friction_limit.take_largest(),
        trusted: run.verdict().faultless(),
        creep: creep.collect(),
        difference: apart.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max),
        measures: vec![run.state.positions[16].x],
    }
}

/// A range that is expected of the first column of a measure.
fn wanted(at: Moment, range: (f64, f64)) -> ExpectedValue {
    ExpectedValue { column: 0, at, range }
}

/// A run of .3 s with all that a window shows of it.
fn played(integrator: &str, step: f64) -> Display {
    const CHOSEN: usize = 100;
    let (mut run, mut reference) = (pushed(integrator, step), pushed("rk4", 5e-5));
    let mut history = History::default();
    while run.state.time < 0.3 {
        run.advance().unwrap();
        while reference.state.time < run.state.time - 1e-9 {
            reference.advance().unwrap();
        }
        let (position, velocity) = (run.state.positions[CHOSEN], run.state.velocities[CHOSEN]);
        history.pass(Passing { time: run.state.time, position, velocity });
        if run.state.step_count.is_multiple_of(5) {
            history.add(sample(&mut run, &reference));
        }
    }
    let labels = Labels {
        title: "Push a soft box above .6 m and it tips, below and it slides".into(),
        integrator: integrator.into(),
        law: "threshold, ε = 10 mm/s".into(),
        end: Some(5.5),
    };
    let values = [integrator, "threshold", "10 mm/s", "200 µs", "0.9", "20 kN/m", "24 N", "1.6 m"];
    let settings = Knob::ALL.into_iter().zip(values);
    let positions = Arc::new(reference.state.positions.clone());
    let lean = Measured {
        name: "lean".into(),
        unit: "m",
        columns: 0..1,
        expected: vec![wanted(Moment::End, (0.005, 0.01))],
        reduced: None,
    };
    Display {
        snapshot: Snapshot::of(&run),
        history,
        measured: Arc::new(vec![lean]),
        partings: Vec::new(),
        labels,
        playback: Playback { wanted: Some(0.25), achieved: Some(0.25), ..Playback::default() },
        numbers: Arc::default(),
        settings: settings.map(|(knob, value)| Setting::of(knob, value.into(), None)).collect(),
        stable_step: (
            StableStep::Limit(186e-6, "friction at particle 3 of `lattice`".into()),
            Some(StableStep::Limit(1.86e-3, "springs".into())),
        ),
        chosen: Some(CHOSEN),
        ghost: Some(Ghost { name: "rk4 at 50 µs".into(), positions, trusted: true }),
    }
}

fn stage(width: usize, height: usize, displays: &[Display]) -> Stage {
    let mut stage = Stage::new(width, height, 1.0);
    stage.plots = true;
    stage.frame(&displays[0].snapshot);
    stage.draw(displays);
    stage
}

/// With STICTION_PICTURES set to a folder, writes a picture there to be looked at.
fn write(name: &str, stage: &Stage) {
    if let Some(folder) = std::env::var_os("STICTION_PICTURES") {
        let path = PathBuf::from(folder).join(format!("cards-{name}.png"));
        write_png(&stage.canvas, std::fs::File::create(path).unwrap()).unwrap();
    }
}

fn four() -> Vec<Display> {
    let runs = [("rk4", 2e-4), ("symplectic-euler", 2e-4), ("implicit-euler", 1e-3), ("rk4", 1e-4)];
    runs.into_iter().map(|(integrator, step)| played(integrator, step)).collect()
}

fn listing(count: usize, marked: usize) -> BrowserListing {
    let entry = |k: usize| {
        (
            format!("scenes/friction/{k:02}-incline.toml"),
            format!("A block on an incline, number {k}"),
        )
    };
    BrowserListing { entries: (0..count).map(entry).collect(), marked, ..BrowserListing::default() }
}

fn inside(inner: &Rect, outer: &Rect) -> bool {
    inner.intersection(outer) == *inner && !inner.is_empty()
}

fn middle(rect: &Rect) -> (f64, f64) {
    (f64::from(rect.x0 + rect.x1) / 2.0, f64::from(rect.y0 + rect.y1) / 2.0)
}

fn count(stage: &Stage, rect: &Rect, colour: u32) -> usize {
    let width = stage.canvas.width();
    let rows =
        stage.canvas.pixels()[rect.y0 as usize * width..rect.y1 as usize * width].chunks(width);
    rows.flat_map(|row| &row[rect.x0 as usize..rect.x1 as usize]).filter(|p| **p == colour).count()
}

/// Pixels of the light theme that are as dark as letters.
fn dark(stage: &Stage, rect: &Rect) -> usize {
    let (width, pixels) = (stage.canvas.width(), stage.canvas.pixels());
    let rows = rect.y0 as usize..rect.y1 as usize;
    let all = rows.flat_map(|y| &pixels[y * width..][rect.x0 as usize..rect.x1 as usize]);
    all.filter(|pixel| (**pixel >> 8 & 255) < 0x70).count()
}

/// One run, four in dark colours, the help and the browser of scenes.
fn screens(four: &[Display]) -> [(&'static str, Stage); 4] {
    let one = &four[..1];
    let light = stage(1280, 720, one);
    let mut dark = stage(1280, 720, four);
    dark.look.theme = &DARK;
    dark.active = 1;
    dark.draw(four);
    let mut help = stage(1280, 720, one);
    help.help = true;
    help.draw(one);
    let mut browser = stage(1280, 720, one);
    browser.browser = Some(listing(40, 30));
    browser.draw(one);
    [("one-light", light), ("four-dark", dark), ("help", help), ("browser", browser)]
}

#[test]
fn screens_look_like_their_references() {
    let all = screens(&four());
    let differ: Vec<String> =
        all.iter().filter_map(|(name, stage)| difference(name, &stage.canvas)).collect();
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

#[test]
#[cfg_attr(not(target_arch = "x86_64"), ignore = "letters may differ in the last bit")]
fn golden_screens() {
    let four = four();
    let all = screens(&four);
    all.iter().for_each(|(name, stage)| write(name, stage));
    more_pictures(&four);
    let [light, dark, _, browser] = all.map(|(_, stage)| stage);
    let hashes = [light, dark, browser].map(|s| format!("{:#018x}", s.canvas.hash()));
    assert_eq!(hashes, GOLDEN, "look at the pictures (STICTION_PICTURES=folder) before updating");
}

const GOLDEN: [&str; 3] = ["0x83b5b562c30c61b1", "0xfd5fc926f821cbae", "0xe4a92821df90f461"];

/// Pictures to be looked at that no hash keeps.
fn more_pictures(four: &[Display]) {
    if std::env::var_os("STICTION_PICTURES").is_none() {
        return;
    }
    let mut last = four[2].clone();
    last.stable_step.0 = StableStep::Unlimited;
    last.playback.since = Some(0.12);
    last.playback.before = vec!["until 0.12 s, before ε was changed: chatter".into()];
    let last = [last];
    let mut dark = stage(1600, 900, &last);
    dark.look.theme = &DARK;
    dark.notice = Some("implicit-euler cannot take LuGre's bristles; rk4 stays in use".into());
    dark.filming = true;
    dark.draw(&last);
    write("one-dark", &dark);
    write("two-light", &stage(1280, 720, &four[..2]));
    let mut small = stage(800, 560, &four[..1]);
    write("small", &small);
    small.help = true;
    small.draw(&four[..1]);
    write("small-help", &small);
    let mut fine = Stage::new(2560, 1440, 2.0);
    fine.plots = true;
    fine.frame(&four[0].snapshot);
    fine.draw(&four[..1]);
    write("fine", &fine);
}

/// A button is where it is drawn, on a screen of any fineness, and there is one for every setting.
#[test]
fn buttons_do_what_they_show() {
    let displays = [played("rk4", 2e-4)];
    for scale in [1.0, 1.5, 2.0] {
        let size = |pixels: f64| (pixels * scale) as usize;
        let mut stage = Stage::new(size(1280.0), size(720.0), scale);
        stage.draw(&displays);
        let buttons: Vec<(Rect, Action)> = stage.buttons().collect();
        for (rect, action) in &buttons {
            let (x, y) = middle(rect);
            assert_eq!(stage.button_at(x, y), Some(*action));
            assert!(stage.card_at(x, y));
            assert!(dark(&stage, rect) > 12, "{action:?} has no sign on it");
        }
        for knob in Knob::ALL {
            for way in [Direction::Down, Direction::Up] {
                assert!(buttons.iter().any(|b| b.1 == Action::Turn(knob, way)), "{knob:?}");
            }
        }
        for action in [Action::Play, Action::Step, Action::Back, Action::Restart, Action::Push] {
            assert!(buttons.iter().any(|b| b.1 == action), "{action:?}");
        }
        assert_eq!(stage.button_at(size(700.0) as f64, size(300.0) as f64), None);
        stage.help = true;
        stage.draw(&displays);
        assert_eq!(stage.buttons().count(), 0, "nothing behind the help can be clicked");
    }
}

/// A number grows to the right, a table runs downwards to the right.
#[test]
fn the_right_button_is_more_or_next() {
    let displays = [played("rk4", 2e-4)];
    let stage = stage(1280, 720, &displays);
    let x = |action: Action| stage.buttons().find(|b| b.1 == action).unwrap().0.x0;
    let turn = Action::Turn;
    assert!(x(turn(Knob::Epsilon, Direction::Up)) > x(turn(Knob::Epsilon, Direction::Down)));
    assert!(x(turn(Knob::Law, Direction::Down)) > x(turn(Knob::Law, Direction::Up)));
}

/// A part that is switched on is seen, and gone when it is switched off.
#[test]
fn every_switch_changes_the_picture() {
    let four = four();
    for displays in [&four[..1], &four] {
        let mut stage = stage(1280, 720, displays);
        let first = stage.canvas.hash();
        let switches: [fn(&mut Stage, bool); 6] = [
            |stage, on| stage.panel = !on,
            |stage, on| stage.plots = !on,
            |stage, on| stage.help = on,
            |stage, on| stage.notice = on.then(|| "saved".into()),
            |stage, on| stage.filming = on,
            |stage, on| stage.browser = on.then(|| listing(5, 1)),
        ];
        for (k, switch) in switches.iter().enumerate() {
            switch(&mut stage, true);
            stage.draw(displays);
            assert_ne!(stage.canvas.hash(), first, "switch {k}");
            switch(&mut stage, false);
            stage.frame(&displays[0].snapshot);
            stage.draw(displays);
            assert_eq!(stage.canvas.hash(), first, "switch {k}");
        }
    }
    let mut one = stage(1280, 720, &four[..1]);
    let first = one.canvas.hash();
    one.energies = true;
    one.draw(&four[..1]);
    assert_ne!(one.canvas.hash(), first, "energies");
    (one.energies, one.look.names) = (false, Some(false));
    one.draw(&four[..1]);
    assert_ne!(one.canvas.hash(), first, "names");
    let mut stage = stage(1280, 720, &four);
    let first = stage.canvas.hash();
    stage.active = 2;
    stage.draw(&four);
    assert_ne!(stage.canvas.hash(), first, "the active pane is marked");
}

/// The gauge is red above the limit, green below, and has no mark where there is no limit.
#[test]
fn the_gauge_turns_red_above_the_limit() {
    let mut display = played("rk4", 5e-5);
    let mut colours = |hlambda: f64, limit: Option<f64>| {
        display.snapshot.hlambda = hlambda;
        display.snapshot.decay_limit = limit;
        display.snapshot.verdict.reasons.clear();
        display.stable_step = (StableStep::Unlimited, None);
        let stage = {
            let mut stage = Stage::new(1280, 720, 1.0);
            stage.draw(std::slice::from_ref(&display));
            stage
        };
        let card = stage.cards().last().unwrap();
        (count(&stage, &card, LIGHT.good), count(&stage, &card, LIGHT.bad))
    };
    let (good, bad) = colours(1.0, Some(2.79));
    assert!(good > 500 && bad == 0, "{good} {bad}");
    let (good, bad) = colours(5.0, Some(2.79));
    assert!(good < 200 && bad > 500, "{good} {bad}");
    let (good, bad) = colours(5.0, None);
    assert!(good < 200 && bad == 0, "{good} {bad}");
}

/// A step h above the stable step is said in red, with the stable step before the last change.
#[test]
fn the_stable_step_is_said() {
    let display = played("rk4", 2e-4);
    let lines = facts::lines(&display, facts::Detail::All);
    let text = format!("{lines:?}");
    for part in ["186 µs", "friction at particle 3 of `lattice`", "was 1.86 ms", "1.08 of it"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert!(text.contains("\"186 µs\", Bad"), "{text}");
}

/// A value that is rounding against the largest of its course reads 0, and no value has a hyphen for a minus.
#[test]
fn rounding_of_a_course_reads_zero() {
    let mut display = played("rk4", 2e-4);
    let mut shown = |values: [f64; 2]| {
        display.history = History::default();
        for (k, value) in values.into_iter().enumerate() {
            display.history.add(Sample {
                time: k as f64,
                measures: vec![value],
                ..Sample::default()
            });
        }
        facts::lines(&display, facts::Detail::Less)
            .into_iter()
            .find_map(|line| match line {
                FactLine::Measure(name, text) if name == "lean" => Some(text),
                _ => None,
            })
            .unwrap()
    };
    assert_eq!(shown([-0.157, -1.22e-16]), "0 m");
    assert_eq!(shown([2.0, 1.02e-86]), "0 m");
    assert_eq!(shown([1e-16, -1.22e-16]), "−1.22e−16 m");
    assert_eq!(shown([1.0, 3e-12]), "3.00 pm");
}

/// A verdict that does not begin at t = 0 says since when it speaks, and what was before.
#[test]
fn a_verdict_since_a_change_says_so() {
    let mut display = played("rk4", 5e-5);
    display.snapshot.verdict.reasons.clear();
    display.history = History::default();
    display.playback.since = Some(0.25);
    display.playback.before = vec!["until 0.25 s, before ε was changed: chatter".into()];
    let text = format!("{:?}", facts::lines(&display, facts::Detail::All));
    assert!(text.contains("no fault found since 0.250 s") && text.contains("before ε was changed"));
}

/// A fault that was there, and stands red in the bar of trust, is not forgotten in words.
#[test]
fn a_fault_that_is_gone_is_still_said() {
    let mut display = played("rk4", 5e-5);
    display.snapshot.verdict.reasons.clear();
    display.history = History::default();
    for (time, trusted) in [(0.1, true), (0.2, false), (0.3, true)] {
        display.history.add(Sample { time, trusted, ..Sample::default() });
    }
    let text = |display: &Display| format!("{:?}", facts::lines(display, facts::Detail::All));
    let found = text(&display);
    assert!(found.contains("no fault now; there was one at 0.200 s"), "{found}");
    assert!(!found.contains("no fault found so far"), "{found}");
    display.playback.since = Some(0.25);
    let found = text(&display);
    assert!(found.contains("no fault found since 0.250 s"), "{found}");
}

/// Whatever is in a history, plots are drawn within their card.
#[test]
fn wild_histories_do_no_harm() {
    let mut display =
        Display::plain(Snapshot::of(&pushed("rk4", 1e-4)), Labels::default(), Playback::default());
    let wild = [f64::NAN, 1e-30, 1e30, 0.0, -1e30, f64::INFINITY, 3.0, f64::MAX, 5e-324];
    let mut histories = vec![History::default()];
    for a in wild {
        for b in wild {
            let mut history = History::default();
            for (k, value) in [a, b, a].into_iter().enumerate() {
                let mut sample = Sample {
                    time: if a == 3.0 { 0.0 } else { k as f64 },
                    residual: value,
                    hlambda: value,
                    creep: if k == 1 {
                        Vec::new()
                    } else {
                        vec![[value, b, a, f64::NAN, f64::NAN, b]]
                    },
                    difference: value,
                    measures: if k == 1 { Vec::new() } else { vec![value, b, a, value] },
                    ..Sample::default()
                };
                sample.energies.kinetic = value;
                history.add(sample);
                let (position, velocity) = (Vector::repeat(value), Vector::repeat(b));
                history.pass(Passing { time: k as f64, position, velocity });
                if k == 2 || a == b {
                    histories.push(history.clone());
                }
            }
        }
    }
    let own = |name: &str, columns, expected: Option<(f64, f64)>| Measured {
        name: name.into(),
        unit: "m",
        columns,
        expected: expected.map(|range| wanted(Moment::Maximum, range)).into_iter().collect(),
        reduced: None,
    };
    display.measured = Arc::new(vec![
        own("pull", 0..1, Some((1.0, 1e300))),
        own("place", 1..4, Some((f64::NAN, -1.0))),
        own("nothing", 7..9, None),
    ]);
    let mut stage = Stage::new(1100, 400, 1.0);
    stage.plots = true;
    for chosen in [None, Some(3), Some(usize::MAX)] {
        display.chosen = chosen;
        for history in &histories {
            display.history = history.clone();
            let displays = [display.clone(), display.clone()];
            for panes in 1..=2 {
                stage.draw(&displays[..panes]);
                assert!(stage.cards().count() >= 2);
            }
        }
    }
}

fn assert_disjoint(stage: &Stage, width: usize, at: &str) {
    let cards: Vec<Rect> = stage.cards().collect();
    let canvas = stage.canvas.bounds();
    for (k, card) in cards.iter().enumerate() {
        assert!(inside(card, &canvas) || width < 200, "{card:?} of {at}");
        for other in &cards[..k] {
            let common = card.intersection(other);
            assert!(common.is_empty() || width < 400, "{other:?} and {card:?} of {at}");
        }
    }
}

fn assert_focus_is_free(stage: &Stage, panes: usize, at: &str) {
    for focus in (0..panes).map(|pane| stage.place_of(pane, panes).focus) {
        let free = stage.cards().all(|card| focus.intersection(&card).is_empty());
        assert!(free, "{focus:?} of {at}");
    }
}

/// Cards do not overlap, are on the canvas, and leave the focus free, at every size.
#[test]
fn cards_are_disjoint() {
    let four = four();
    let sizes =
        [(1280, 720), (1920, 1080), (1024, 768), (800, 560), (640, 400), (420, 300), (90, 60)];
    for (width, height) in sizes {
        for panes in 1..=4 {
            for said in [false, true] {
                let mut stage = stage(width, height, &four[..panes]);
                stage.notice = said.then(|| "this cannot be changed while it runs".into());
                stage.filming = said;
                stage.draw(&four[..panes]);
                let at = format!("{panes} panes at {width} × {height}");
                assert_disjoint(&stage, width, &at);
                if width >= 800 && !said {
                    assert_focus_is_free(&stage, panes, &at);
                }
            }
        }
    }
    let stage = stage(1280, 720, &four[..1]);
    assert_eq!(stage.cards().count(), 3, "facts, controls and plots");
}

/// Panes are disjoint, hold their compact cards, and are found by a click.
#[test]
fn panes_stay_apart() {
    let four = four();
    let stage = stage(1280, 720, &four);
    let panes: Vec<Rect> = (0..4).map(|k| stage.place_of(k, 4).pane).collect();
    for (k, pane) in panes.iter().enumerate() {
        assert!(inside(pane, &stage.canvas.bounds()));
        assert!(panes[..k].iter().all(|other| other.intersection(pane).is_empty()));
        let (x, y) = middle(pane);
        assert_eq!(stage.pane_at(x, y), Some(k));
        assert!(stage.cards().any(|card| inside(&card, pane)));
    }
    assert_eq!(stage.pane_at(5.0, 5.0), None);
}

/// Another number of panes keeps what was framed in the picture, and going back restores it.
#[test]
fn panes_keep_the_framing() {
    let four = four();
    // a window so high that its width is what limits one pane
    let mut stage = stage(1280, 2400, &four[..1]);
    let before = stage.camera.distance;
    stage.draw(&four);
    assert_ne!(stage.camera.distance, before);
    stage.draw(&four[..1]);
    assert!((stage.camera.distance / before - 1.0).abs() < 1e-12);
}

#[test]
fn the_help_lists_everything_and_fits() {
    let entries = help::entries();
    for binding in BINDINGS {
        assert!(entries.contains(&(binding.shown, binding.about)));
    }
    assert_eq!(entries.len(), BINDINGS.len() + MOUSE.len());
    for (width, height) in [(1280, 720), (800, 560), (300, 200)] {
        let displays =
            [Display::plain(Snapshot::of(&empty()), Labels::default(), Playback::default())];
        let mut stage = stage(width, height, &displays);
        stage.help = true;
        stage.draw(&displays);
        assert!(inside(&stage.cards().last().unwrap(), &stage.canvas.bounds()), "{width}");
    }
}

/// The browser shows the marked row wherever it is, and every row opens its scene.
#[test]
fn the_browser_scrolls_and_opens() {
    let displays = [Display::plain(Snapshot::of(&empty()), Labels::default(), Playback::default())];
    let mut stage = stage(900, 600, &displays);
    for (entries, marked) in [(0, 0), (3, 2), (100, 0), (100, 57), (100, 99), (100, 1000)] {
        stage.browser = Some(listing(entries, marked));
        stage.draw(&displays);
        let card = stage.cards().last().unwrap();
        let rows: Vec<(Rect, Action)> = stage.buttons().collect();
        assert!(rows.len() <= 25 && rows.iter().all(|(rect, _)| inside(rect, &card)));
        if entries > 0 {
            let open = Action::OpenScene(marked.min(entries - 1));
            assert!(rows.iter().any(|row| row.1 == open), "{marked} of {entries}");
        }
        for (rect, action) in rows {
            let (x, y) = middle(&rect);
            assert_eq!(stage.button_at(x, y), Some(action));
        }
    }
}

/// Every letter of the cards is in the font.
#[test]
fn the_font_has_every_letter() {
    let mut text: String = help::entries().iter().flat_map(|(a, b)| [*a, *b]).collect();
    for knob in Knob::ALL {
        text.push_str(knob.name());
    }
    let display = played("rk4", 2e-4);
    for line in facts::lines(&display, facts::Detail::All) {
        text.push_str(&format!("{line:?}"));
    }
    text.push_str("✓✗…→−·↑↓λΔμµε");
    let face = Typeface::new();
    for letter in text.chars() {
        assert!(face.has(letter), "{letter}");
    }
}

/// An unchanged stable step is said once; at the end there is no share of real time.
#[test]
fn what_has_not_changed_is_said_once() {
    let mut display = played("rk4", 2e-4);
    assert!(facts::stable_before(&display).is_some());
    display.stable_step.1 = Some(display.stable_step.0.clone());
    assert_eq!(facts::stable_before(&display), None);
    display.playback.achieved = Some(0.0);
    let speed = |display: &Display| {
        facts::lines(display, facts::Detail::Least).into_iter().find_map(|line| match line {
            FactLine::Fact("speed", text, _) => Some(text),
            _ => None,
        })
    };
    assert_eq!(speed(&display).as_deref(), Some("stands still"));
    display.labels.end = Some(display.snapshot.state.time);
    assert_eq!(speed(&display).as_deref(), Some("ended"));
    display.playback.achieved = None;
    assert_eq!(speed(&display).as_deref(), Some("ended"));
}

/// Plots that are chosen by name have room before the panel, which becomes a compact card beside them.
#[test]
fn the_panel_gives_way_to_chosen_plots() {
    let layout = |width: i32, chosen: bool| {
        let wishes = Wishes { panes: 1, panel: true, controls: 0, plots: true, chosen };
        Layout::new(width, 540, &wishes)
    };
    let usual = layout(960, false);
    assert!(usual.plots.is_none() && usual.facts.is_some());
    let chosen = layout(960, true);
    let (plots, compact) = (chosen.plots.expect("a card"), chosen.compact[0]);
    assert!(chosen.facts.is_none() && compact.x1 < plots.x0, "{compact:?} {plots:?}");
    assert_eq!(layout(1280, true), layout(1280, false), "both have room");
    assert!(layout(500, true).plots.is_none());
}

#[test]
fn plots_chosen_by_name_have_room_in_a_small_picture() {
    let wishes = Wishes { panes: 1, panel: true, controls: 0, plots: true, chosen: true };
    let layout = Layout::new(640, 480, &wishes);
    let plots = layout.plots.unwrap();
    assert!(plots.width() >= 300 && layout.focus[0].width() >= 240, "{layout:?}");
    assert!(plots.intersection(&layout.compact[0]).is_empty());
    assert!(Layout::new(640, 480, &Wishes { chosen: false, ..wishes }).plots.is_none());
}

#[test]
fn the_first_measure_stands_before_creep_where_runs_are_compared() {
    let displays = [played("rk4", 1e-4), played("symplectic-euler", 1e-4)];
    let names = plots::wanted(&displays, &LIGHT, &PlotWishes::default());
    assert_eq!(names, ["difference", "lean", "creep"]);
}
