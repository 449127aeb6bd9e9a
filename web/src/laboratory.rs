//! A session on a stage, driven by the requests of the page.

use crate::commands;
use crate::diagnostics::{listed, refused};
use crate::library::SceneSource;
use crate::own_step::{MethodStep, OwnStep};
use crate::report;
use crate::set_now::OpenedRun;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::time::Duration;
use stiction_core::math::pow;
use stiction_lab::experiment::recording::Recording;
use stiction_scene::description::{Theme, View};
use stiction_scene::overrides;
use stiction_scene::tree::{Content, Node};
use stiction_view::canvas::CanvasPoint;
use stiction_view::display::Display;
use stiction_view::film::write_png;
use stiction_view::keys::{self, Action};
use stiction_view::looking::{self, LookChange};
use stiction_view::play::PlayerCommand;
use stiction_view::play::pane::Pane;
use stiction_view::play::session::{Session, SessionPlan};
use stiction_view::pointer::Pointer;
use stiction_view::stage::{PANES, Stage};
use stiction_view::viewer::lasting;
use stiction_view::viewpoint;
use web_time::Instant;

/// Duration of stepping between messages; as long as drawing a picture takes where that is longer, since
/// time that is not stepped is not made up for.
const BUDGET: Duration = Duration::from_millis(16);

/// Time between pictures.
const PICTURE: Duration = Duration::from_millis(15);

/// Time between pictures of a run that is behind, in times of drawing one: stepping has two thirds of
/// the time then.
const BEHIND: u32 = 2;

/// Time between pictures in pause, and the most of a run that is behind.
const IDLE: Duration = Duration::from_millis(200);

/// Interval between reports, and between plots.
const REPORT: Duration = Duration::from_millis(90);
const PLOTS: Duration = Duration::from_millis(400);

/// Most samples between two pictures.
const BETWEEN: f64 = 16.0;

/// The laboratory.
pub struct Laboratory {
    session: Option<Session>,
    /// number that the page gave to the open scene
    opening: Value,
    stage: Stage,
    pointer: Pointer,
    displays: Vec<Display>,
    /// the runs as they were opened
    opened: Vec<OpenedRun>,
    /// of each run, if its method chooses its own steps
    own_steps: Vec<OwnStep>,
    view: View,
    notice: Option<String>,
    /// times of the last advance, picture, report and plots
    passed: Instant,
    drawn: Instant,
    /// duration of drawing the last picture
    drawing: Duration,
    reported: Option<Instant>,
    plotted: Option<Instant>,
    /// scene time of the last sample of the plots \[s\]
    sampled: f64,
    /// whether something has changed since the last picture
    stale: bool,
}

impl Default for Laboratory {
    fn default() -> Self {
        let now = Instant::now();
        Laboratory {
            session: None,
            opening: Value::Null,
            stage: Stage::new(640, 360, 1.0),
            pointer: Pointer::Nothing,
            displays: Vec::new(),
            opened: Vec::new(),
            own_steps: Vec::new(),
            view: View::default(),
            notice: None,
            passed: now,
            drawn: now,
            drawing: Duration::ZERO,
            reported: None,
            plotted: None,
            sampled: 0.0,
            stale: false,
        }
    }
}

/// Whether a run is slower than it should be.
fn is_behind(display: &Display) -> bool {
    let playback = &display.playback;
    let speeds = playback.wanted.zip(playback.achieved);
    speeds.is_some_and(|(wanted, achieved)| achieved < 0.95 * wanted)
}

/// Whether a session stands still since its runs have ended or failed.
fn has_ended(session: &Session) -> bool {
    let over = |pane: &Pane| pane.at_end() || pane.failure().is_some();
    !session.is_playing() && session.panes().iter().all(over)
}

/// Time between pictures of a run that is behind, where drawing one takes `drawing`.
fn picture_interval(drawing: Duration) -> Duration {
    (BEHIND * drawing).clamp(PICTURE, IDLE)
}

/// Plays for a time of the clock at `speed`, with samples as far apart as the scene's frames, at most
/// [`BETWEEN`] between two pictures; `sampled` is the scene time of the last one.
fn play(
    session: &mut Session,
    (elapsed, budget): (Duration, Duration),
    speed: f64,
    sampled: &mut f64,
) {
    let began = Instant::now();
    let time = &session.panes()[0].scene().time;
    let interval = time.steps_per_frame as f64 * time.step;
    let pieces = (elapsed.as_secs_f64() * speed / interval).ceil().clamp(1.0, BETWEEN);
    let piece = elapsed.div_f64(pieces);
    let mut left = elapsed;
    while session.is_playing() && left > Duration::ZERO {
        // without a budget the rest is a delay that is not made up for
        let budget = budget.saturating_sub(began.elapsed());
        let passed = if budget.is_zero() { left } else { piece.min(left) };
        session.pass(passed, budget);
        left -= passed;
        let now = session.time();
        if (now - *sampled).abs() >= interval {
            *sampled = now;
            session.sample();
        }
    }
    session.pass(left, budget.saturating_sub(began.elapsed()));
}

fn texts(value: &Value) -> Vec<String> {
    let list = value.as_array().into_iter().flatten();
    list.filter_map(|text| text.as_str().map(String::from)).collect()
}

/// The method, law, ε \[m/s\] and step \[s\] set by `--set` texts; `null` for what they do not set.
fn choice(set: &[String]) -> Value {
    let tree = overrides::alone(set);
    let at = |path: &[&str]| {
        let (last, tables) = path.split_last()?;
        let table = tables.iter().try_fold(&tree, |table, key| table.get(key)?.value.table())?;
        Some(&table.get(last)?.value)
    };
    let number = |path: &[&str]| {
        at(path).and_then(|node| match node.content {
            Content::Float(number) => Some(number),
            Content::Integer(number) => Some(number as f64),
            _ => None,
        })
    };
    json!({
        "method": at(&["integrator", "method"]).and_then(Node::text),
        "law": at(&["contact", "friction", "law"]).and_then(Node::text),
        "epsilon": number(&["contact", "friction", "epsilon"]),
        "step": number(&["time", "step"]),
    })
}

impl Laboratory {
    /// Answers a request about the session; `None` if it is about something else.
    ///
    /// # Errors
    /// The refusal in words.
    pub fn answer(&mut self, request: &Value) -> Option<Result<Value, String>> {
        let number = |key: &str| request[key].as_f64().unwrap_or(0.0);
        let done = match request["do"].as_str().unwrap_or_default() {
            "open" => return Some(self.open(request)),
            "share" => return Some(self.share()),
            "set-now" => return Some(self.set_now()),
            "find" => return Some(self.find(request["text"].as_str().unwrap_or_default())),
            "seek" => return Some(self.seek(request["steps"].as_u64().unwrap_or(0))),
            "size" => self.resize([number("width"), number("height")], number("scale")),
            "press" => {
                let (at, shifts) = ((number("x"), number("y")), request["shift"] == true);
                self.pointer.press(&self.stage, &self.displays, at, shifts);
                Ok(())
            }
            "motion" => {
                self.motion((number("x"), number("y")));
                Ok(())
            }
            "release" => {
                let command = self.pointer.release();
                self.obey(command);
                Ok(())
            }
            "zoom" => {
                self.stage.camera.zoom(pow(1.1, number("notches").clamp(-20.0, 20.0)));
                self.stale = true;
                Ok(())
            }
            "act" => commands::action(request).map(|action| self.act(action)),
            "key" => {
                let text = request["character"].as_str().unwrap_or_default();
                let held = request["held"] == true;
                let action = text.chars().next().and_then(|key| keys::action(key, held));
                if let Some(action) = action {
                    self.act(action);
                }
                return Some(Ok(json!({ "done": action.is_some() })));
            }
            _ => match commands::command(request) {
                Ok(None) => return None,
                Ok(command) => {
                    self.obey(command);
                    // what the page does by itself is not announced
                    if request["quiet"] == true
                        && let Some(session) = &mut self.session
                    {
                        session.take_notice();
                    }
                    Ok(())
                }
                Err(message) => Err(message),
            },
        };
        Some(done.map(|()| Value::Null))
    }

    /// Opens a scene under up to four settings side by side, with a reference, and a recording to
    /// replay. On failure the previous session stays.
    fn open(&mut self, request: &Value) -> Result<Value, String> {
        let source = SceneSource::of(&request["scene"])?;
        let sets: Vec<Vec<String>> = match request["panes"].as_array() {
            Some(panes) if !panes.is_empty() => panes.iter().take(PANES).map(texts).collect(),
            _ => vec![Vec::new()],
        };
        let choices: Vec<Value> = sets.iter().map(|set| choice(set)).collect();
        let panes = sets.iter().cloned().map(|set| source.base(set)).collect::<Result<_, _>>()?;
        let mut reference_choice = Value::Null;
        let reference = match &request["reference"] {
            Value::Array(_) => {
                let set = texts(&request["reference"]);
                reference_choice = choice(&set);
                Some((set.join(", "), source.base(set)?))
            }
            _ => None,
        };
        let recording = match request["recording"].as_str() {
            Some(text) => Some(Recording::parse(text).map_err(|error| error.to_string())?),
            None => None,
        };
        let replays = recording.is_some();
        let performers = SessionPlan { path: source.name().into(), panes, reference, recording };
        let mut session = match Session::start(performers) {
            Ok(session) => session,
            Err(errors) => return Ok(refused(&errors)),
        };
        let loaded = source.base(Vec::new())?.load(&[]).map_err(|errors| errors.brief())?;
        let warnings = listed(&loaded.warnings, &loaded.scene.sources);
        // no failure beyond this point
        let scene = session.panes()[0].scene().clone();
        let (title, end) = (scene.title.clone(), scene.time.end());
        let speed = scene.view.speed.unwrap_or_else(|| lasting(end));
        session.obey(PlayerCommand::Speed(speed));
        if request["playing"] == false && !replays {
            session.obey(PlayerCommand::Act(Action::Play));
        }
        self.view = scene.view.clone();
        if let Some(dark) = request["view"]["dark"].as_bool() {
            self.view.theme = if dark { Theme::Dark } else { Theme::Light };
        }
        self.displays = session.displays();
        self.opened = OpenedRun::all(sets, session.panes());
        self.own_steps = vec![OwnStep::default(); session.panes().len()];
        viewpoint::apply(&self.view, &mut self.stage, &self.displays[0].snapshot);
        // the page shows the cards
        (self.stage.panel, self.stage.plots, self.stage.pane_cards) = (false, false, false);
        let remarks = session.panes()[0].remarks.clone();
        (self.session, self.pointer, self.stale) = (Some(session), Pointer::Nothing, true);
        (self.reported, self.plotted, self.passed) = (None, None, Instant::now());
        self.opening = request["opening"].clone();
        Ok(json!({
            "good": true,
            "title": title,
            "end": end,
            "remarks": remarks,
            "warnings": warnings,
            "choices": { "panes": choices, "reference": reference_choice },
        }))
    }

    /// All actions on the first run, with the hash of its state.
    fn share(&mut self) -> Result<Value, String> {
        let session = self.session.as_ref().ok_or("no scene is open")?;
        Ok(json!({ "recording": session.recording().text() }))
    }

    /// The active run, and its settings for a run of their own from t = 0.
    fn set_now(&self) -> Result<Value, String> {
        let session = self.session.as_ref().ok_or("no scene is open")?;
        let (active, panes) = (session.active(), session.panes());
        Ok(json!({ "active": active, "set": self.opened[active].set_now(&panes[active]) }))
    }

    /// Numbers of the active run's scene that a text may mean.
    fn find(&self, text: &str) -> Result<Value, String> {
        let display = self.displays.get(self.stage.active).ok_or("no scene is open")?;
        Ok(report::numbers(display, text))
    }

    /// Pauses, and computes the first run up to a number of steps.
    fn seek(&mut self, steps: u64) -> Result<Value, String> {
        let session = self.session.as_mut().ok_or("no scene is open")?;
        if session.is_playing() {
            session.obey(PlayerCommand::Act(Action::Play));
        }
        let time = session.panes()[0].simulation().time_at(steps);
        if time > session.time() {
            let _ = session.film_to(time, &mut |_| ControlFlow::Continue(()));
        }
        self.stale = true;
        let state = &session.panes()[0].simulation().state;
        Ok(json!({ "steps": state.step_count, "hash": state.hash_text() }))
    }

    fn resize(&mut self, [width, height]: [f64; 2], scale: f64) -> Result<(), String> {
        let pixels = 1.0..=8192.0;
        if !pixels.contains(&width) || !pixels.contains(&height) {
            return Err(format!("a picture cannot have {width} × {height} pixels"));
        }
        self.stage.scale = if scale > 0.0 { scale } else { 1.0 };
        self.stage.resize(width as usize, height as usize);
        self.stale = true;
        Ok(())
    }

    fn motion(&mut self, now: CanvasPoint) {
        self.stale |= self.pointer != Pointer::Nothing;
        let commands = self.pointer.motion(&mut self.stage, &self.displays, now);
        self.obey(commands);
    }

    fn obey(&mut self, commands: impl IntoIterator<Item = PlayerCommand>) {
        let Some(session) = &mut self.session else { return };
        for command in commands {
            session.obey(command);
            (self.stale, self.reported) = (true, None);
        }
    }

    fn act(&mut self, action: Action) {
        match looking::act(&mut self.stage, action, &self.view, &self.displays) {
            LookChange::Noticed(notice) => self.notice = Some(notice),
            LookChange::Done => {}
            LookChange::Other => {
                let ended = self.session.as_ref().is_some_and(has_ended);
                self.obey([PlayerCommand::Act(action)]);
                if action == Action::Restart {
                    self.stage.go_home();
                    // a run that stopped at its end, not by the user
                    if ended {
                        self.obey([PlayerCommand::Act(Action::Play)]);
                    }
                }
            }
        }
        (self.stale, self.reported) = (true, None);
    }

    /// Advances in real time, and draws if there is something new; returns whether it has drawn.
    pub fn pass(&mut self) -> bool {
        let Some(session) = &mut self.session else { return false };
        let now = Instant::now();
        self.stale |= session.is_playing();
        let elapsed = now - self.passed;
        let speed = self.displays.first().and_then(|display| display.playback.wanted);
        let budget = self.drawing.clamp(BUDGET, IDLE);
        play(session, (elapsed, budget), speed.unwrap_or(1.0), &mut self.sampled);
        self.passed = now;
        let wait = if !self.stale {
            IDLE
        } else if self.displays.iter().any(is_behind) {
            picture_interval(self.drawing)
        } else {
            PICTURE
        };
        if self.drawn.elapsed() < wait {
            return false;
        }
        let began = Instant::now();
        self.displays = session.displays();
        self.sampled = session.time();
        self.stage.active = session.active();
        self.notice = session.take_notice().or(self.notice.take());
        self.stage.draw(&self.displays);
        (self.drawn, self.stale) = (Instant::now(), false);
        self.drawing = began.elapsed();
        true
    }

    /// Whether it is playing: the worker then calls [`Self::pass`] again immediately.
    pub fn is_busy(&self) -> bool {
        self.stale || self.session.as_ref().is_some_and(Session::is_playing)
    }

    /// Width and height of the picture \[pixels\].
    pub fn size(&self) -> [usize; 2] {
        [self.stage.canvas.width(), self.stage.canvas.height()]
    }

    /// The picture, four bytes per pixel in a browser's order.
    pub fn pixels(&self) -> Vec<u8> {
        report::rgba(&self.stage.canvas)
    }

    /// The picture as PNG, with the cards of panes, which the page shows itself.
    ///
    /// # Errors
    /// The encoder failed.
    pub fn png(&mut self) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        self.stage.pane_cards = true;
        self.stage.draw(&self.displays);
        let written = write_png(&self.stage.canvas, &mut bytes);
        self.stage.pane_cards = false;
        self.stage.draw(&self.displays);
        written.map_err(|error| error.to_string())?;
        Ok(bytes)
    }

    /// The report for the picture, if it is due.
    pub fn report(&mut self) -> Option<Value> {
        let due = |last: Option<Instant>, apart| last.is_none_or(|last| last.elapsed() >= apart);
        let session = self.session.as_ref()?;
        if session.is_playing() && !due(self.reported, REPORT) {
            return None;
        }
        let now = Instant::now();
        self.reported = Some(now);
        let own = self.own_steps.iter_mut().zip(session.panes());
        let own: Vec<MethodStep> = own.map(|(own, pane)| own.since(pane.simulation())).collect();
        let runs = self.opened.iter().zip(session.panes());
        let as_written = runs.map(|(opened, pane)| opened.is_as_written(pane));
        let shown = self.displays.iter().zip(own).zip(as_written);
        let panes =
            shown.map(|((display, own), as_written)| report::pane(display, own, as_written));
        let panes: Vec<Value> = panes.collect();
        let mut report = json!({
            "opening": self.opening,
            "opened": session.opened(),
            "path": session.path().to_string_lossy(),
            "active": session.active(),
            "playing": session.is_playing(),
            "notice": self.notice.take(),
            "panes": panes,
        });
        if !session.is_playing() || due(self.plotted, PLOTS) {
            self.plotted = Some(now);
            report["plots"] = {
                let scenes = session.panes().iter().map(Pane::scene);
                let shown = self.displays.iter().zip(scenes);
                shown.map(|(display, scene)| report::plots(display, scene)).collect()
            };
        }
        Some(report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tell(laboratory: &mut Laboratory, request: Value) -> Value {
        let answer = laboratory.answer(&request).expect("a request about the session");
        answer.unwrap_or_else(|message| panic!("{request}: {message}"))
    }

    fn opened(scene: &str) -> Laboratory {
        let mut laboratory = Laboratory::default();
        let request = json!({ "do": "open", "scene": { "name": scene }, "playing": false });
        let answer = tell(&mut laboratory, request);
        assert_eq!(answer["good"], true, "{answer}");
        laboratory
    }

    /// The report after the next picture.
    fn report(laboratory: &mut Laboratory) -> Value {
        laboratory.reported = None;
        laboratory.stale = true;
        while !laboratory.pass() {}
        laboratory.report().expect("one is due")
    }

    #[test]
    fn a_step_above_the_limit_turns_the_verdict() {
        let mut laboratory = opened("incline_creep");
        tell(&mut laboratory, json!({ "do": "choose", "knob": "integrator", "name": "rk4" }));
        tell(&mut laboratory, json!({ "do": "seek", "steps": 400 }));
        let good = report(&mut laboratory);
        assert_eq!(good["panes"][0]["verdict"]["good"], Value::Null, "{good}");
        assert_eq!(good["panes"][0]["integrator"], "rk4");
        let figure = |name: &str| good["panes"][0][name].as_f64().expect(name);
        let above = 1.5 * figure("step") * figure("decay_limit") / figure("hlambda");
        tell(&mut laboratory, json!({ "do": "set", "knob": "step", "value": above }));
        tell(&mut laboratory, json!({ "do": "seek", "steps": 800 }));
        let bad = report(&mut laboratory);
        assert_eq!(bad["panes"][0]["verdict"]["good"], false, "{bad}");
        let reasons = bad["panes"][0]["verdict"]["reasons"].to_string();
        assert!(reasons.contains("step-above-friction-limit"), "{reasons}");
    }

    #[test]
    fn a_shared_run_comes_to_the_same_bits() {
        let mut laboratory = opened("soft_box_pushed");
        tell(&mut laboratory, json!({ "do": "seek", "steps": 150 }));
        tell(&mut laboratory, json!({ "do": "set", "knob": "friction", "value": 0.3 }));
        tell(&mut laboratory, json!({ "do": "act", "action": "push" }));
        let end = tell(&mut laboratory, json!({ "do": "seek", "steps": 400 }));
        let shared = tell(&mut laboratory, json!({ "do": "share" }));
        let mut other = Laboratory::default();
        let request = json!({
            "do": "open",
            "scene": { "name": "soft_box_pushed" },
            "recording": shared["recording"],
        });
        tell(&mut other, request);
        let again = tell(&mut other, json!({ "do": "seek", "steps": 1000 }));
        assert_eq!(end, again);
        // without the recorded actions the result differs
        let mut untouched = opened("soft_box_pushed");
        let plain = tell(&mut untouched, json!({ "do": "seek", "steps": 400 }));
        assert_ne!(plain["hash"], end["hash"]);
    }

    #[test]
    fn a_restart_plays_what_has_ended_and_leaves_a_pause() {
        let mut laboratory = opened("incline_creep");
        let playing = |laboratory: &mut Laboratory| report(laboratory)["playing"] == true;
        tell(&mut laboratory, json!({ "do": "seek", "steps": 50_000 }));
        tell(&mut laboratory, json!({ "do": "act", "action": "restart" }));
        assert!(!playing(&mut laboratory), "it was paused at half of its time");
        tell(&mut laboratory, json!({ "do": "seek", "steps": 100_000 }));
        tell(&mut laboratory, json!({ "do": "act", "action": "restart" }));
        assert!(playing(&mut laboratory), "it stands at its start");
    }

    #[test]
    fn what_is_set_now_is_what_a_run_from_the_start_needs() {
        let mut laboratory = Laboratory::default();
        let request = json!({
            "do": "open",
            "scene": { "name": "incline_creep" },
            "panes": [["time.step=2e-5"]],
            "playing": false,
        });
        tell(&mut laboratory, request);
        let set = |laboratory: &mut Laboratory| {
            tell(laboratory, json!({ "do": "set-now" }))["set"].clone()
        };
        assert_eq!(set(&mut laboratory), json!(["time.step=2e-5"]));
        tell(&mut laboratory, json!({ "do": "set", "knob": "friction", "value": 0.5 }));
        tell(&mut laboratory, json!({ "do": "set", "knob": "epsilon", "value": 1e-2 }));
        let texts = set(&mut laboratory);
        let scene = SceneSource::Name("incline_creep".into());
        let set = texts
            .as_array()
            .expect("a list")
            .iter()
            .map(|text| text.as_str().expect("a text").into());
        let csv = crate::runs::measures(&scene, set.collect(), &mut |_, _| ()).expect("it runs");
        let rows = csv["csv"].as_str().expect("a table").trim().lines();
        let rows: Vec<Vec<&str>> = rows.map(|row| row.split(',').collect()).collect();
        let column = rows[0].iter().position(|name| *name == "creep").expect("a column");
        let creep: f64 = rows[rows.len() - 1][column].parse().expect("a speed");
        // −ε tan(a)/μ
        assert!((creep / (-1e-2 * 0.363_970_2 / 0.5) - 1.0).abs() < 1e-4, "{creep} with {texts}");
    }

    #[test]
    fn plots_have_the_measures_of_the_scene() {
        let mut laboratory = opened("stick_slip");
        tell(&mut laboratory, json!({ "do": "seek", "steps": 2000 }));
        let report = report(&mut laboratory);
        let measures = report["plots"][0]["measures"].as_array().expect("measures").clone();
        let names: Vec<&Value> = measures.iter().map(|measure| &measure["name"]).collect();
        assert_eq!((names[0], names.last()), (&json!("pull"), Some(&&json!("swing"))));
        let swing = &measures[measures.len() - 1];
        assert_eq!(measures[0]["unit"], "N");
        assert_eq!(measures[0]["reduced"], false);
        assert_eq!(swing["reduced"], true);
        let band = swing["expected"].as_array().expect("a band");
        assert!((band[0].as_f64().expect("a number") - 5.0155).abs() < 1e-3, "{band:?}");
        let pull = measures[0]["columns"][0]["values"].as_array().expect("values");
        assert_eq!(pull.len(), report["plots"][0]["time"].as_array().expect("times").len());
        // k V t
        let last = pull.last().and_then(Value::as_f64).expect("a force");
        assert!((last / (40.0 * 0.1 * 0.1) - 1.0).abs() < 0.01, "{last}");
    }

    #[test]
    fn a_push_has_a_height_where_its_body_has_one() {
        for (scene, tall) in
            [("stick_slip", false), ("sliding_block", false), ("tipping_box", true)]
        {
            let report = report(&mut opened(scene));
            let settings = report["panes"][0]["settings"].as_array().expect("settings");
            let find = |knob: &str| settings.iter().find(|row| row["knob"] == knob);
            assert_eq!(find("push-height").is_some(), tall, "{scene}");
            let force = find("push-force").expect("a force")["value"].to_string();
            assert!(force.ends_with("N\""), "{force}");
        }
    }

    #[test]
    fn plots_have_the_frames_of_the_scene_however_seldom_it_is_drawn() {
        let mut laboratory = opened("stick_slip");
        tell(&mut laboratory, json!({ "do": "act", "action": "play" }));
        let session = laboratory.session.as_mut().expect("a session");
        let times = (Duration::from_millis(120), Duration::from_secs(600));
        play(session, times, 1.0, &mut laboratory.sampled);
        let report = report(&mut laboratory);
        let times = report["plots"][0]["time"].as_array().expect("times");
        let times: Vec<f64> = times.iter().filter_map(Value::as_f64).collect();
        let most = times.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
        assert!(times.len() > 7 && most < 0.0201, "{times:?}");
    }

    #[test]
    fn any_number_of_the_scene_becomes_a_setting() {
        let mut laboratory = opened("stick_slip");
        report(&mut laboratory);
        let found = tell(&mut laboratory, json!({ "do": "find", "text": "edge.stiff" }));
        let path = found["found"][0]["path"].clone();
        assert_eq!(path, "body.block.springs.edge.stiffness");
        assert_eq!(found["found"][0]["value"], 40.0);
        tell(&mut laboratory, json!({ "do": "slider", "path": path }));
        tell(&mut laboratory, json!({ "do": "set", "knob": "number-0", "value": 80 }));
        let after = report(&mut laboratory);
        let settings = after["panes"][0]["settings"].as_array().expect("settings");
        let row = settings.iter().find(|row| row["knob"] == "number-0").expect("a row");
        assert_eq!((&row["name"], &row["number"]), (&path, &json!(80.0)));
        let none = tell(&mut laboratory, json!({ "do": "find", "text": "qqqq" }));
        assert!(none["unknown"].as_str().expect("words").contains("no number"), "{none}");
    }

    #[test]
    fn a_changed_scene_is_not_as_written() {
        let mut laboratory = opened("stick_slip");
        assert_eq!(report(&mut laboratory)["panes"][0]["as_written"], true);
        tell(&mut laboratory, json!({ "do": "set", "knob": "epsilon", "value": 1e-3 }));
        assert_eq!(report(&mut laboratory)["panes"][0]["as_written"], false);
    }

    #[test]
    fn a_method_that_chooses_its_own_step_says_which() {
        let mut laboratory = opened("incline_creep");
        tell(&mut laboratory, json!({ "do": "choose", "knob": "integrator", "name": "rk4" }));
        tell(&mut laboratory, json!({ "do": "seek", "steps": 20 }));
        let fixed = report(&mut laboratory);
        assert_eq!(fixed["panes"][0]["own_step"], Value::Null, "{fixed}");
        tell(&mut laboratory, json!({ "do": "set", "knob": "step", "value": 0.01 }));
        tell(&mut laboratory, json!({ "do": "choose", "knob": "integrator", "name": "dopri5" }));
        report(&mut laboratory);
        tell(&mut laboratory, json!({ "do": "seek", "steps": 60 }));
        let chosen = report(&mut laboratory);
        let own = chosen["panes"][0]["own_step"].as_f64().expect("a length");
        // λ T/3.3 substeps while it sticks: far below the interval of 10 ms
        assert!(own > 1e-5 && own < 2e-3, "{own}");
    }

    #[test]
    fn a_run_that_is_behind_has_fewer_pictures() {
        let wait = |drawing| picture_interval(Duration::from_millis(drawing)).as_millis();
        assert_eq!([1, 7, 20, 80, 500].map(wait), [15, 15, 40, 160, 200]);
    }

    #[test]
    fn the_least_speed_is_a_share_of_the_scales() {
        let mut laboratory = opened("incline_creep");
        let least = |report: Value| report["panes"][0]["least_speed"].as_f64().expect("a speed");
        assert!((least(report(&mut laboratory)) / 1e-12 - 1.0).abs() < 1e-12);
        let mut bare = opened("soft_box_pushed");
        // without ε: √(9.81 m/s² · 0.18 m)
        let found = least(report(&mut bare));
        assert!((found / 1.3288e-9 - 1.0).abs() < 1e-3, "{found}");
    }

    #[test]
    fn a_scene_that_is_wrong_leaves_the_one_before() {
        let mut laboratory = opened("tipping_box");
        let request = json!({ "do": "open", "scene": { "text": "format = 1\nboddy = 3\n" } });
        let answer = tell(&mut laboratory, request);
        assert_eq!(answer["good"], false);
        assert_eq!(report(&mut laboratory)["path"], "tipping_box.toml");
    }

    #[test]
    fn a_report_tells_which_opening_it_is_about() {
        let mut laboratory = Laboratory::default();
        let wrong = json!({ "text": "format = 1\nboddy = 3\n" });
        for (number, scene, good, about) in [
            (1, json!({ "name": "tipping_box" }), true, 1),
            (2, json!({ "name": "sliding_block" }), true, 2),
            (3, wrong, false, 2),
        ] {
            let request = json!({ "do": "open", "opening": number, "scene": scene });
            assert_eq!(tell(&mut laboratory, request)["good"], good);
            assert_eq!(report(&mut laboratory)["opening"], about);
        }
    }

    #[test]
    fn what_does_not_exist_is_refused_in_words() {
        let mut laboratory = opened("tipping_box");
        for (request, words) in [
            (json!({ "do": "act", "action": "fly" }), "there is no action `fly`"),
            (json!({ "do": "turn", "knob": "mood", "up": true }), "there is no knob `mood`"),
            (json!({ "do": "set", "knob": "step", "value": "much" }), "is not a number"),
            (json!({ "do": "size", "width": 0, "height": 5 }), "cannot have 0 × 5 pixels"),
            (json!({ "do": "open", "scene": { "name": "none" } }), "no scene `none`"),
        ] {
            let answer = laboratory.answer(&request).expect("about the session");
            let message = answer.expect_err("it is refused");
            assert!(message.contains(words), "{message}");
        }
    }

    #[test]
    fn an_opening_tells_the_choice_of_each_pane() {
        let mut laboratory = Laboratory::default();
        let spring = "contact.friction={law=\"cundall-strack\",damping=10,stiffness=10000}";
        let answer = tell(
            &mut laboratory,
            json!({
                "do": "open",
                "scene": { "name": "incline_creep" },
                "panes": [
                    ["integrator={method=\"rk4\"}", spring, "time.step=0.00025"],
                    ["integrator.method=heun", "contact.friction.law = tanh", "contact.friction.epsilon=1e-4"],
                    [],
                ],
                "reference": ["integrator.method='rk4'", "time.step=1e-5"],
                "playing": false,
            }),
        );
        let choice = |method: Value, law: Value, epsilon: Value, step: Value| json!({ "method": method, "law": law, "epsilon": epsilon, "step": step });
        let nothing = || Value::Null;
        let panes = json!([
            choice(json!("rk4"), json!("cundall-strack"), nothing(), json!(0.00025)),
            choice(json!("heun"), json!("tanh"), json!(1e-4), nothing()),
            choice(nothing(), nothing(), nothing(), nothing()),
        ]);
        let reference = choice(json!("rk4"), nothing(), nothing(), json!(1e-5));
        assert_eq!(answer["choices"], json!({ "panes": panes, "reference": reference }));
    }

    #[test]
    fn panes_run_beside_a_reference() {
        let mut laboratory = Laboratory::default();
        let answer = tell(
            &mut laboratory,
            json!({
                "do": "open",
                "scene": { "name": "incline_creep" },
                "panes": [["integrator.method=explicit-euler"], ["integrator.method=rk4"]],
                "reference": ["integrator.method=rk4", "time.step=1e-5"],
                "playing": false,
            }),
        );
        assert_eq!(answer["good"], true, "{answer}");
        tell(&mut laboratory, json!({ "do": "seek", "steps": 100 }));
        let report = report(&mut laboratory);
        assert_eq!(report["panes"].as_array().map(Vec::len), Some(2));
        let difference = &report["panes"][0]["reference"]["difference"];
        assert!(difference.as_f64().is_some_and(|x| x > 0.0 && x < 1e-2), "{difference}");
    }
}
