//! A session on a separate thread.

use super::PlayerCommand;
use super::pane::Pane;
use super::session::Session;
use crate::display::Display;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use stiction_lab::experiment::recording::Recording;
use stiction_lab::output::folder::atomic;
use stiction_scene::description::View;

/// Interval between writings of the recording.
const KEEPING: Duration = Duration::from_secs(1);

/// Duration of stepping between readings of commands.
const BUDGET: Duration = Duration::from_millis(8);

/// Time between pictures.
const PICTURE: Duration = Duration::from_millis(14);

/// Time between pictures in pause, for results computed in parallel.
const IDLE: Duration = Duration::from_millis(150);

/// A turn that computed for less than this is followed by a sleep of this length.
const IDLE_STEP: Duration = Duration::from_micros(500);

/// Present content of a window.
#[derive(Clone)]
pub struct Scenes {
    /// One per pane.
    pub displays: Vec<Display>,
    /// The pane that receives keys.
    pub active: usize,
    /// Notice of the last action, or of the reason for its refusal.
    pub notice: Option<String>,
    /// Counter of scenes opened or reloaded.
    pub opened: u64,
    /// The scene being played.
    pub path: PathBuf,
    /// The view requested by the scene.
    pub view: View,
}

/// Results of a session at its end.
pub struct Left {
    /// All actions on the first pane.
    pub recording: Recording,
    /// The reason why the run stopped, if it failed.
    pub failure: Option<String>,
    /// The verdict of each pane, in one line.
    pub verdicts: Vec<String>,
}

/// The thread, and the channel to it.
pub struct Player {
    commands: Option<Sender<PlayerCommand>>,
    latest: Arc<Mutex<Option<Scenes>>>,
    thread: Option<JoinHandle<Left>>,
}

impl Player {
    /// Starts a session. The first picture is available immediately.
    ///
    /// All actions are written to the file `record` during the run, so that they survive a crash.
    pub fn start(
        mut session: Session,
        playing: bool,
        speed: f64,
        record: Option<PathBuf>,
    ) -> Player {
        session.obey(PlayerCommand::Speed(speed));
        if !playing {
            session.obey(PlayerCommand::Act(crate::keys::Action::Play));
        }
        let latest = Arc::new(Mutex::new(Some(shown(&mut session))));
        let (commands, receiver) = channel();
        let place = latest.clone();
        let thread =
            std::thread::spawn(move || play(session, &receiver, &place, record.as_deref()));
        Player { commands: Some(commands), latest, thread: Some(thread) }
    }

    /// Sends a command.
    pub fn send(&self, command: PlayerCommand) {
        if let Some(commands) = &self.commands {
            // a thread that has ended receives no command
            let _ = commands.send(command);
        }
    }

    /// The latest content; `None` if it has not changed since the last call.
    pub fn latest(&self) -> Option<Scenes> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Ends the thread and waits for it.
    ///
    /// # Errors
    /// The thread panicked: a bug, already reported.
    pub fn finish(mut self) -> Result<Left, String> {
        self.commands = None;
        let thread = self.thread.take().ok_or("it has ended already")?;
        thread.join().map_err(|_| "the simulation stopped on a bug".to_string())
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        self.commands = None;
        if let Some(thread) = self.thread.take() {
            // a panic was reported by its hook
            let _ = thread.join();
        }
    }
}

fn shown(session: &mut Session) -> Scenes {
    Scenes {
        displays: session.displays(),
        active: session.active(),
        notice: session.take_notice(),
        opened: session.opened(),
        path: session.path().into(),
        view: session.panes()[0].scene().view.clone(),
    }
}

/// Plays until the channel of commands is closed.
fn play(
    mut session: Session,
    commands: &Receiver<PlayerCommand>,
    latest: &Mutex<Option<Scenes>>,
    record: Option<&Path>,
) -> Left {
    let mut before = Instant::now();
    let mut kept = Instant::now();
    let mut drawn = Instant::now();
    let mut stale = true;
    loop {
        // in pause the thread waits for commands; playing, it only reads those present
        let moves = session.is_playing() || session.is_seeking();
        let wait = if moves { Duration::ZERO } else { PICTURE };
        let mut next = commands.recv_timeout(wait);
        while let Ok(command) = next {
            session.obey(command);
            stale = true;
            next = commands.recv_timeout(Duration::ZERO);
        }
        if next == Err(RecvTimeoutError::Disconnected) {
            return left(&session);
        }
        let now = Instant::now();
        let opened = session.opened();
        stale |= session.is_playing() || session.is_seeking();
        session.pass(now - before, BUDGET);
        stale |= session.opened() != opened;
        before = now;
        if drawn.elapsed() >= if stale { PICTURE } else { IDLE } {
            publish(&mut session, latest);
            (drawn, stale) = (Instant::now(), false);
        } else if session.is_playing() && before.elapsed() < IDLE_STEP {
            // ahead of the clock: nothing to compute yet
            std::thread::sleep(IDLE_STEP);
        }
        if let Some(path) = record.filter(|_| kept.elapsed() >= KEEPING) {
            // only failure of the last writing, when the window closes, is reported
            let _ = atomic::write(path, session.recording().text().as_bytes());
            kept = Instant::now();
        }
    }
}

fn publish(session: &mut Session, latest: &Mutex<Option<Scenes>>) {
    let scenes = shown(session);
    let mut place = latest.lock().unwrap_or_else(PoisonError::into_inner);
    // keep a notice that has not been displayed
    let unseen = place.take().and_then(|scenes| scenes.notice);
    *place = Some(Scenes { notice: scenes.notice.clone().or(unseen), ..scenes });
}

fn left(session: &Session) -> Left {
    let panes = session.panes();
    let verdicts = panes.iter().map(Pane::last_words);
    Left {
        recording: session.recording(),
        failure: panes.iter().find_map(|pane| pane.failure()).map(String::from),
        verdicts: verdicts.collect(),
    }
}
