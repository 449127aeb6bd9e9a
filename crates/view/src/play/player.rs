//! A session on a thread of its own.

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

/// Time between writings of the recording.
const KEEPING: Duration = Duration::from_secs(1);

/// Duration of stepping between looks at commands.
const BUDGET: Duration = Duration::from_millis(8);

/// Time between pictures.
const PICTURE: Duration = Duration::from_millis(14);

/// The same while nothing happens: what is computed beside the run comes without being asked for.
const IDLE: Duration = Duration::from_millis(150);

/// A look at the clock that found less than this to do waits as long.
const IDLE_STEP: Duration = Duration::from_micros(500);

/// Present content of a window.
#[derive(Clone)]
pub struct Scenes {
    /// One per pane.
    pub displays: Vec<Display>,
    /// The pane that keys act on.
    pub active: usize,
    /// Notice of what was just done, or of why it was not.
    pub notice: Option<String>,
    /// Changes when a scene was opened or read again.
    pub opened: u64,
    /// The scene that is played.
    pub path: PathBuf,
    /// The view that the scene asks for.
    pub view: View,
}

/// Results of a session at its end.
pub struct Left {
    /// Everything done to the first pane.
    pub recording: Recording,
    /// The reason why it went no further, if it did not.
    pub failure: Option<String>,
    /// The verdict on each pane, in one line.
    pub verdicts: Vec<String>,
}

/// The thread, and the way to it.
pub struct Player {
    commands: Option<Sender<PlayerCommand>>,
    latest: Arc<Mutex<Option<Scenes>>>,
    thread: Option<JoinHandle<Left>>,
}

impl Player {
    /// Sets a session off. The first picture is there at once.
    ///
    /// The file `record` takes everything as it is done, so that it survives the program.
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

    /// Tells it something.
    pub fn tell(&self, command: PlayerCommand) {
        if let Some(commands) = &self.commands {
            // a thread that has ended has nothing to be told
            let _ = commands.send(command);
        }
    }

    /// The latest content; `None` where nothing is new since the last call.
    pub fn latest(&self) -> Option<Scenes> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Ends it and waits for it.
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

/// Plays until nobody is there to tell it anything.
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
        // paused, it waits to be told; playing, it looks and goes on
        let wait = if session.is_playing() { Duration::ZERO } else { PICTURE };
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
        stale |= session.is_playing();
        session.pass(now - before, BUDGET);
        stale |= session.opened() != opened;
        before = now;
        if drawn.elapsed() >= if stale { PICTURE } else { IDLE } {
            publish(&mut session, latest);
            (drawn, stale) = (Instant::now(), false);
        } else if session.is_playing() && before.elapsed() < IDLE_STEP {
            // ahead of the clock: there is nothing to compute yet
            std::thread::sleep(IDLE_STEP);
        }
        if let Some(path) = record.filter(|_| kept.elapsed() >= KEEPING) {
            // the last one, when the window closes, says whether it could be written
            let _ = atomic::write(path, session.recording().text().as_bytes());
            kept = Instant::now();
        }
    }
}

fn publish(session: &mut Session, latest: &Mutex<Option<Scenes>>) {
    let scenes = shown(session);
    let mut place = latest.lock().unwrap_or_else(PoisonError::into_inner);
    // a notice that nobody has seen yet is not lost
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
