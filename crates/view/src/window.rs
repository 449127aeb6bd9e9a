//! The window: shows a [`Viewer`] and passes keys and mouse to it.

use super::canvas::CanvasPoint;
use super::film::FilmError;
use super::keys::special;
use super::play::player::Left;
use super::play::session::SessionPlan;
use super::viewer::{Beginning, Viewer, save};
use minifb::{InputCallback, Key, MouseButton, MouseMode, Window, WindowOptions};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;
use stiction_scene::diagnostics::SceneErrors;

/// Conditions for closing a window automatically, and its last picture.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Closing {
    /// Number of frames after which it closes.
    pub frames: Option<u64>,
    /// File for the last picture.
    pub screenshot: Option<PathBuf>,
}

/// Outcome of a watched run.
pub struct Watched {
    /// Results of the runs.
    pub left: Left,
    /// Message about a film that was still being recorded.
    pub film: Option<String>,
    /// Final failure of the window or of the screenshot.
    pub trouble: Option<WatchError>,
}

/// Reason why nothing could be watched.
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// No window could be opened (exit 12).
    #[error("no window could be opened: {cause}")]
    NoDisplay {
        /// Message of the window system.
        cause: String,
        /// Advice to the user.
        hint: String,
    },
    /// The scene is at fault.
    #[error("{0}")]
    Scene(SceneErrors),
    /// The simulation stopped on a bug.
    #[error("{0}")]
    Bug(String),
    /// The screenshot could not be written (exit 5).
    #[error("cannot write `{path}`: {cause}", path = path.display())]
    Screenshot {
        /// The file.
        path: PathBuf,
        /// The reason.
        cause: FilmError,
    },
}

/// Advice if there is no display.
const NO_DISPLAY: &str = "under X11 set DISPLAY (for example DISPLAY=:0, or ssh -X), under Wayland set WAYLAND_DISPLAY; without a display use `stiction run` for numbers or `stiction render` for pictures";

/// Characters typed since the last query; `true` if the key was held.
type Typed = Rc<RefCell<Vec<(char, bool)>>>;

/// Collects characters as they arrive, including keys shorter than a frame, in the user's layout.
struct Typist {
    typed: Typed,
    down: BTreeSet<u8>,
    held: bool,
}

impl InputCallback for Typist {
    fn add_char(&mut self, code: u32) {
        // escape already arrives as a key
        if let Some(character) = char::from_u32(code).filter(|c| *c != special::ESCAPE) {
            self.typed.borrow_mut().push((character, self.held));
        }
    }

    fn set_key_state(&mut self, key: Key, down: bool) {
        // a press of a key that is already down is a repetition by the keyboard
        let code = key as u8;
        self.held = down && !self.down.insert(code);
        if !down {
            self.down.remove(&code);
        }
        let character = match key {
            Key::Escape => special::ESCAPE,
            Key::Up => special::UP,
            Key::Down => special::DOWN,
            Key::Left => special::LEFT,
            Key::Right => special::RIGHT,
            _ => return,
        };
        if down {
            self.typed.borrow_mut().push((character, self.held));
        }
    }
}

/// The character as in the table of keys: a line feed is Enter.
fn plain(character: char) -> char {
    match character {
        '\n' => special::ENTER,
        other => other,
    }
}

/// Shows runs in a window until it is closed, or `stop` returns true.
///
/// # Errors
/// A fault of the scene; the reason why there is no window; a file that could not be written.
pub fn watch(
    cast: SessionPlan,
    beginning: &Beginning,
    closing: &Closing,
    stop: &dyn Fn() -> bool,
) -> Result<Watched, WatchError> {
    let mut viewer = Viewer::new(cast, beginning).map_err(WatchError::Scene)?;
    let title = viewer.scenes().displays.first().map(|display| display.labels.title.clone());
    let mut window = open(&title.unwrap_or_default(), beginning.size)?;
    let typed = Typed::default();
    let typist = Typist { typed: typed.clone(), down: BTreeSet::new(), held: false };
    window.set_input_callback(Box::new(typist));
    let mut frames = 0;
    let goes_on = &mut || {
        frames += 1;
        closing.frames.is_none_or(|most| frames <= most) && !stop()
    };
    let shown = run(&mut window, &mut viewer, &typed, goes_on);
    drop(window);
    let (left, stage, film) = viewer.finish().map_err(WatchError::Bug)?;
    // actions are kept even if the window failed
    let pictured = closing.screenshot.as_ref().map_or(Ok(()), |path| {
        save(&stage, path).map_err(|cause| WatchError::Screenshot { path: path.clone(), cause })
    });
    let trouble = shown.err().or(pictured.err());
    Ok(Watched { left, film, trouble })
}

fn no_display(error: minifb::Error) -> WatchError {
    WatchError::NoDisplay { cause: error.to_string(), hint: NO_DISPLAY.to_string() }
}

fn open(title: &str, (width, height): (usize, usize)) -> Result<Window, WatchError> {
    let settings = WindowOptions { resize: true, ..WindowOptions::default() };
    let title = format!("stiction · {title}");
    let mut window =
        Window::new(&title, width.max(64), height.max(64), settings).map_err(no_display)?;
    window.set_target_fps(60);
    Ok(window)
}

/// The loop, until the window is closed.
fn run(
    window: &mut Window,
    viewer: &mut Viewer,
    typed: &Typed,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<(), WatchError> {
    let mut mouse = Mouse::default();
    while window.is_open() && goes_on() {
        for (character, held) in typed.take() {
            if !viewer.typed(plain(character), held) {
                return Ok(());
            }
        }
        if !mouse.follow(window, viewer) {
            return Ok(());
        }
        let (width, height) = window.get_size();
        viewer.resize(width, height);
        viewer.frame();
        let canvas = &viewer.stage.canvas;
        if canvas.bounds().is_empty() {
            // minimised: nothing to show, but events and time continue
            window.update();
        } else {
            window
                .update_with_buffer(canvas.pixels(), canvas.width(), canvas.height())
                .map_err(no_display)?;
        }
    }
    Ok(())
}

/// State of the mouse up to the last frame.
#[derive(Debug, Default)]
struct Mouse {
    last: Option<CanvasPoint>,
}

impl Mouse {
    /// Passes the state of the mouse to the viewer; returns whether to continue.
    fn follow(&mut self, window: &Window, viewer: &mut Viewer) -> bool {
        if let Some((_, notches)) = window.get_scroll_wheel() {
            viewer.zoom(f64::from(notches).signum());
        }
        let left = window.get_mouse_down(MouseButton::Left);
        let right =
            window.get_mouse_down(MouseButton::Right) || window.get_mouse_down(MouseButton::Middle);
        let at = window.get_mouse_pos(MouseMode::Pass).map(|(x, y)| (f64::from(x), f64::from(y)));
        let at = at.filter(|_| left || right);
        let before = std::mem::replace(&mut self.last, at);
        match (before, at) {
            (None, Some(now)) => {
                let shift =
                    window.is_key_down(Key::LeftShift) || window.is_key_down(Key::RightShift);
                return viewer.press(now, right || shift);
            }
            (Some(before), Some(now)) if now != before => viewer.motion(now),
            (Some(_), None) => viewer.release(),
            _ => {}
        }
        true
    }
}
