//! The window: shows a [`Viewer`] and feeds it keys and mouse.

use super::Show;
use super::film::write_png;
use super::keys;
use super::painter::Look;
use super::viewer::Viewer;
use crate::simulation::Simulation;
use minifb::{InputCallback, Key, MouseButton, MouseMode, Window, WindowOptions};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Instant;

/// How the window starts, and when it closes by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct WatchOptions {
    /// Width at the start \[pixels\].
    pub width: usize,
    /// Height at the start \[pixels\].
    pub height: usize,
    /// What is drawn at the start.
    pub look: Look,
    /// Seconds of the scene per second at the start.
    pub speed: f64,
    /// Whether it starts paused.
    pub paused: bool,
    /// Close after so many frames.
    pub frames: Option<u64>,
    /// Write the last picture here when closing.
    pub screenshot: Option<PathBuf>,
}

impl Default for WatchOptions {
    fn default() -> Self {
        WatchOptions {
            width: 1280,
            height: 720,
            look: Look::default(),
            speed: 1.0,
            paused: false,
            frames: None,
            screenshot: None,
        }
    }
}

/// How a watched run ended.
pub struct Watched {
    /// The run as it was when the window closed.
    pub simulation: Simulation,
    /// The integrator in use then.
    pub integrator: String,
    /// Why it went no further, if it did not.
    pub failure: Option<String>,
    /// Frames shown.
    pub frames: u64,
}

/// Why there was nothing to watch.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum WatchError {
    /// No window could be opened (exit 12).
    #[error("no window could be opened: {cause}")]
    NoDisplay {
        /// What the window system said.
        cause: String,
        /// What to do.
        hint: String,
    },
    /// The run could not be started.
    #[error("{message}")]
    Start {
        /// Why.
        message: String,
    },
    /// The screenshot could not be written (exit 5).
    #[error("cannot write `{path}`: {cause}", path = path.display())]
    Screenshot {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: String,
    },
}

/// What to do without a display.
const NO_DISPLAY: &str = "under X11 set DISPLAY (for example DISPLAY=:0, or ssh -X), under Wayland set WAYLAND_DISPLAY; without a display use `stiction run` for numbers or `stiction render` for pictures";

/// Characters typed since they were last asked for; `true` when the key was held.
type Typed = Rc<RefCell<Vec<(char, bool)>>>;

/// Collects characters as they come, also of keys shorter than a frame, in the user's layout.
struct Typist {
    typed: Typed,
    down: BTreeSet<u8>,
    held: bool,
}

impl InputCallback for Typist {
    fn add_char(&mut self, code: u32) {
        if let Some(character) = char::from_u32(code) {
            self.typed.borrow_mut().push((character, self.held));
        }
    }

    fn set_key_state(&mut self, key: Key, down: bool) {
        // a press of a key that is down already is the keyboard repeating it
        let code = key as u8;
        self.held = down && !self.down.insert(code);
        if !down {
            self.down.remove(&code);
        }
        if key == Key::Escape && down {
            self.typed.borrow_mut().push(('\u{1b}', false));
        }
    }
}

/// Shows a run in a window until it is closed.
pub fn watch(show: &Show, options: &WatchOptions) -> Result<Watched, WatchError> {
    let start = |message| WatchError::Start { message };
    let mut viewer = Viewer::new(show, options.width, options.height).map_err(start)?;
    viewer.stage.look = options.look;
    viewer.session.set_speed(options.speed);
    if options.paused {
        viewer.session.toggle();
    }
    let mut window = open(&show.title, options)?;
    let typed = Typed::default();
    let typist = Typist { typed: typed.clone(), down: BTreeSet::new(), held: false };
    window.set_input_callback(Box::new(typist));
    let frames = run(&mut window, &mut viewer, &typed, options.frames)?;
    if let Some(path) = &options.screenshot {
        screenshot(&viewer, path)?;
    }
    Ok(Watched {
        integrator: viewer.session.integrator().to_string(),
        failure: viewer.session.failure().map(str::to_string),
        simulation: viewer.session.simulation,
        frames,
    })
}

fn open(title: &str, options: &WatchOptions) -> Result<Window, WatchError> {
    let settings = WindowOptions { resize: true, ..WindowOptions::default() };
    let title = format!("stiction · {title}");
    let (width, height) = (options.width.max(64), options.height.max(64));
    let mut window = Window::new(&title, width, height, settings).map_err(|error| {
        WatchError::NoDisplay { cause: error.to_string(), hint: NO_DISPLAY.to_string() }
    })?;
    window.set_target_fps(60);
    Ok(window)
}

/// The loop; returns the number of frames shown.
fn run(
    window: &mut Window,
    viewer: &mut Viewer,
    typed: &Typed,
    most: Option<u64>,
) -> Result<u64, WatchError> {
    let (mut frames, mut before) = (0, Instant::now());
    let mut mouse = Mouse::default();
    while window.is_open() && most.is_none_or(|most| frames < most) {
        for (character, held) in typed.take() {
            if let Some(action) = keys::action(character, held)
                && !viewer.act(action)
            {
                return Ok(frames);
            }
        }
        mouse.follow(window, viewer);
        let (width, height) = window.get_size();
        viewer.resize(width, height);
        let now = Instant::now();
        viewer.frame(now - before);
        before = now;
        let canvas = &viewer.stage.canvas;
        if canvas.bounds().is_empty() {
            // minimised: there is nothing to show, but events and time go on
            window.update();
        } else {
            let shown = window.update_with_buffer(canvas.pixels(), canvas.width(), canvas.height());
            shown.map_err(|error| WatchError::NoDisplay {
                cause: error.to_string(),
                hint: NO_DISPLAY.to_string(),
            })?;
        }
        frames += 1;
    }
    Ok(frames)
}

/// Where the mouse was, while a button is down.
#[derive(Debug, Default)]
struct Mouse {
    last: Option<(f32, f32)>,
}

impl Mouse {
    fn follow(&mut self, window: &Window, viewer: &mut Viewer) {
        if let Some((_, notches)) = window.get_scroll_wheel() {
            viewer.zoom(f64::from(notches).signum());
        }
        let left = window.get_mouse_down(MouseButton::Left);
        let right =
            window.get_mouse_down(MouseButton::Right) || window.get_mouse_down(MouseButton::Middle);
        let at = window.get_mouse_pos(MouseMode::Pass).filter(|_| left || right);
        if let (Some(now), Some(last)) = (at, self.last)
            && now != last
        {
            let (dx, dy) = (f64::from(now.0 - last.0), f64::from(now.1 - last.1));
            let shift = window.is_key_down(Key::LeftShift) || window.is_key_down(Key::RightShift);
            if right || shift {
                viewer.shift(dx, dy);
            } else {
                viewer.turn(dx, dy);
            }
        }
        self.last = at;
    }
}

fn screenshot(viewer: &Viewer, path: &Path) -> Result<(), WatchError> {
    let fault = |cause: String| WatchError::Screenshot { path: path.to_path_buf(), cause };
    let file = std::fs::File::create(path).map_err(|e| fault(e.to_string()))?;
    write_png(&viewer.stage.canvas, file).map_err(|e| fault(e.to_string()))
}
