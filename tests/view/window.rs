//! A real window on a virtual display, driven by keys and mouse, its screen read back. Skipped
//! where Xvfb or xdotool are missing, but not under `CI`.

use crate::support::tools::{at_hand, starts};
use crate::support::wait::{until, until_longer, until_some};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// A process that ends with its owner.
struct Owned(Child);

impl Drop for Owned {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Size of the virtual screen, and of the window \[pixels\].
const SCREEN: (usize, usize) = (1000, 700);
const WINDOW: &str = "1000x700";

/// A virtual display whose memory is a file.
struct Display {
    name: String,
    folder: tempfile::TempDir,
    _server: Owned,
}

impl Display {
    /// `None`, and says so, where there can be none.
    fn start() -> Option<Display> {
        let both = starts("Xvfb", "-help") && starts("xdotool", "-help");
        if !at_hand(both, "Xvfb or xdotool is not installed") {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let number = folder.path().join("display");
        let to = std::fs::File::create(&number).unwrap();
        let size = format!("{}x{}x24", SCREEN.0, SCREEN.1);
        let server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", &size, "-nolisten", "tcp", "-fbdir"])
            .arg(folder.path())
            .stdout(to)
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb");
        let mut server = Owned(server);
        // one that cannot start ends
        let text = until_some("Xvfb starts", || {
            let text = std::fs::read_to_string(&number).unwrap_or_default();
            let settled = text.ends_with('\n') || server.0.try_wait().unwrap().is_some();
            settled.then_some(text)
        });
        let name = format!(":{}", text.trim());
        at_hand(name != ":", "Xvfb does not start").then_some(Display {
            name,
            folder,
            _server: server,
        })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The pixels of the screen: the server keeps it in a file in the format of xwd.
    fn screen(&self) -> Vec<u32> {
        let bytes = std::fs::read(self.path("Xvfb_screen0")).unwrap();
        let word = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let (header, per_row, colours) = (word(0), word(12 * 4), word(19 * 4));
        let start = header + 12 * colours;
        let rows = (0..SCREEN.1).map(|y| &bytes[start + y * per_row..][..4 * SCREEN.0]);
        let pixel = |p: &[u8]| u32::from_le_bytes([p[0], p[1], p[2], 0]);
        rows.flat_map(|row| row.chunks_exact(4).map(pixel)).collect()
    }

    /// Waits until the screen is as wanted.
    fn until(&self, what: &str, wanted: impl Fn(&[u32]) -> bool) -> Vec<u32> {
        let what = format!("the screen shows {what}");
        until_some(&what, || Some(self.screen()).filter(|screen| wanted(screen)))
    }

    /// The whole screen of a window that shows one thing: between the two looks the server answers
    /// only when it is done with the picture that it was drawing.
    fn settled(&self) -> Vec<u32> {
        until_some("the screen stays as it is", || {
            let screen = self.screen();
            self.xdotool(&["getmouselocation"]);
            (self.screen() == screen).then_some(screen)
        })
    }

    /// The recording so far: the window writes it once a second.
    fn recorded(&self) -> String {
        std::fs::read_to_string(self.path("done.jsonl")).unwrap_or_default()
    }

    /// Waits until a file of this ending is in the folder.
    fn until_file(&self, ending: &str) -> PathBuf {
        until_some(&format!("there is a file {ending}"), || {
            let files = std::fs::read_dir(self.folder.path()).unwrap();
            let mut paths = files.map(|file| file.unwrap().path());
            paths.find(|path| path.to_string_lossy().ends_with(ending))
        })
    }

    fn xdotool(&self, arguments: &[&str]) {
        let status = Command::new("xdotool")
            .args(arguments)
            .env("DISPLAY", &self.name)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert!(status.is_ok_and(|s| s.success()), "{arguments:?}");
    }

    fn key(&self, key: &str) {
        self.xdotool(&["key", "--delay", "40", key]);
    }

    fn mouse(&self, (x, y): (usize, usize)) {
        self.xdotool(&["mousemove", &x.to_string(), &y.to_string()]);
    }

    /// Opens a window and gives it the keyboard.
    fn watch(&self, scene: &Path, more: &[&str]) -> Owned {
        let window = stiction()
            .arg("watch")
            .arg(scene)
            .args(["--size", WINDOW])
            .args(more)
            .env("DISPLAY", &self.name)
            .current_dir(self.folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let window = Owned(window.unwrap());
        self.xdotool(&["search", "--sync", "--onlyvisible", "--name", "stiction"]);
        // without a window manager nothing gives the window the focus
        self.xdotool(&["search", "--name", "stiction", "windowfocus", "--sync"]);
        self.until("a picture", |screen| screen.iter().filter(|p| **p != screen[0]).count() > 9000);
        window
    }

    /// Closes the window by a key and gives what it said.
    fn close(&self, window: Owned) -> Output {
        self.key("q");
        ended(window)
    }
}

/// Waits for the end of a process.
fn ended(mut window: Owned) -> Output {
    until("the window closes", || window.0.try_wait().unwrap().is_some());
    use std::io::Read;
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    window.0.stdout.take().unwrap().read_to_end(&mut stdout).unwrap();
    window.0.stderr.take().unwrap().read_to_end(&mut stderr).unwrap();
    Output { status: window.0.wait().unwrap(), stdout, stderr }
}

fn stiction() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A heavy ball on a table, seen from the side, in a picture without anything else.
const BALL: &str = r#"
format = 1
title = "a ball"
[world]
gravity = [0, 0, -9.81]
planar = "xz"
[time]
end = 30
step = 1e-3
output = 0.1
[integrator]
method = "symplectic-euler"
[materials.wood]
static_friction = 0.5
[contact]
normal = { law = "linear", stiffness = 2e4, damping = 100 }
friction = { law = "threshold", epsilon = 1e-1 }
[[body]]
name = "ball"
mass = 1.0
shape = { particle = {} }
radius = 0.1
position = [0, 0, 0.1]
[[collider]]
name = "table"
shape = { plane = {} }
[view]
follow = "nothing"
hide = ["plots", "labels", "normals", "friction"]
"#;

/// The same ball under a method that chooses its steps: nothing is computed beside a paused run,
/// and its picture stays as it is.
fn still_ball() -> String {
    BALL.replace("symplectic-euler", "dopri5")
}

/// The mouse takes the ball, draws it aside and lets go; the screen shows it elsewhere; the actions
/// are done again without a window, to the same bits.
#[test]
fn the_mouse_drags_a_particle_and_what_was_done_can_be_done_again() {
    let Some(display) = Display::start() else { return };
    let scene = display.path("ball.toml");
    std::fs::write(&scene, BALL).unwrap();
    let window = display.watch(&scene, &["--record", "done.jsonl", "--hide", "panel"]);
    let middle = (SCREEN.0 / 2, SCREEN.1 / 2);
    // the ball is in the middle, in the first colour of bodies, shaded: look for what is not
    // background
    let before = display.settled();
    let changed = |screen: &[u32]| {
        let differs = |k: &usize| screen[*k] != before[*k];
        (0..screen.len()).filter(differs).count()
    };
    let held =
        || display.recorded().lines().rev().nth(1).is_some_and(|act| act.contains("offsets"));
    display.mouse(middle);
    display.xdotool(&["mousedown", "1"]);
    // the window looks at the mouse once a frame: wherever it first sees it pressed, it is on the
    // ball
    let mut aside = [0, 8].into_iter().cycle();
    until("the hand holds the ball", || {
        display.mouse((middle.0 + aside.next().unwrap(), middle.1));
        held()
    });
    for k in 1..=10 {
        display.mouse((middle.0 + 15 * k, middle.1 - 6 * k));
    }
    display.until("the ball drawn aside", |screen| changed(screen) > 500);
    display.xdotool(&["mouseup", "1"]);
    until("the hand lets go", || !held());
    display.until("the ball elsewhere", |screen| changed(screen) > 500);
    let output = display.close(window);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(output.stdout.is_empty(), "no data on stdout: {}", text(&output.stdout));
    let recording = display.path("done.jsonl");
    let written = std::fs::read_to_string(&recording).unwrap();
    assert!(written.contains("\"grip\"") && written.lines().count() > 4, "{written}");
    let again = stiction().arg("run").arg(&scene).arg("--replay").arg(&recording).output().unwrap();
    assert!(again.status.success(), "{}", text(&again.stderr));
    assert!(text(&again.stderr).contains("bit by bit"), "{}", text(&again.stderr));
    // a recording that was tampered with does not pass
    let lines: Vec<&str> = written.lines().collect();
    let some = [&lines[..lines.len() / 2], &lines[lines.len() / 2 + 1..]].concat().join("\n");
    std::fs::write(&recording, some).unwrap();
    let other = stiction().arg("run").arg(&scene).arg("--replay").arg(&recording).output().unwrap();
    assert_eq!(other.status.code(), Some(11), "{}", text(&other.stderr));
}

/// Keys switch the integrator, the theme and the help; the screen shows it; a screenshot and a film
/// are whole when the window has closed.
#[test]
fn keys_drive_a_real_window() {
    let Some(display) = Display::start() else { return };
    let scene = display.path("ball.toml");
    std::fs::write(&scene, still_ball()).unwrap();
    let window = display.watch(&scene, &["--paused", "--record", "done.jsonl"]);
    let plain = display.settled();
    let differs = |screen: &[u32]| screen != &plain[..];
    display.key("i");
    display.until("another integrator", differs);
    let switched = display.settled();
    let off = (0..switched.len()).filter(|k| switched[*k] != plain[*k]).count();
    assert!((20..100_000).contains(&off), "a few words changed, not the picture: {off}");
    display.key("h");
    display.until("the help", |screen| {
        (0..screen.len()).filter(|k| screen[*k] != plain[*k]).count() > 100_000
    });
    display.key("h");
    display.key("t");
    display.until("the dark theme", |screen| screen[5] >> 8 & 255 < 0x40);
    display.key("z");
    display.key("v");
    display.key("s");
    // keys are taken in order, once a frame: a key pressed after this comes when the film has a
    // picture
    display.until_file(".partial");
    let output = display.close(window);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stderr);
    assert!(said.contains("dop853") && said.contains("step 1"), "{said}");
    let shot = std::fs::File::open(display.path("ball-1.png")).unwrap();
    let shot = png::Decoder::new(std::io::BufReader::new(shot)).read_info().unwrap();
    assert_eq!((shot.info().width, shot.info().height), (SCREEN.0 as u32, SCREEN.1 as u32));
    let names: Vec<String> = std::fs::read_dir(display.folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    let film = names.iter().find(|n| n.ends_with(".mp4") || n.ends_with(".gif"));
    let film = display.path(film.unwrap_or_else(|| panic!("no film in {names:?}")));
    assert!(std::fs::metadata(film).unwrap().len() > 500);
    assert!(!names.iter().any(|name| name.ends_with(".partial")), "{names:?}");
    let done = std::fs::read_to_string(display.path("done.jsonl")).unwrap();
    assert!(done.contains("integrator.method=dop853"), "{done}");
}

/// Escape closes the list, the value that is typed and the help one by one, and the window only
/// then.
#[test]
fn escape_closes_what_covers_before_the_window() {
    let Some(display) = Display::start() else { return };
    let scene = display.path("ball.toml");
    std::fs::write(&scene, still_ball()).unwrap();
    let window = display.watch(&scene, &["--paused"]);
    let plain = display.settled();
    let off = |screen: &[u32]| (0..screen.len()).filter(|k| screen[*k] != plain[*k]).count();
    for key in ["Tab", "h", "Return"] {
        display.key(key);
        display.until(key, |screen| off(screen) > 60);
        display.key("Escape");
        display.until(key, |screen| off(screen) < 20);
    }
    display.key("Escape");
    let output = ended(window);
    assert!(output.status.success(), "{}", text(&output.stderr));
}

/// Two runs side by side end in order, with a word on each.
#[test]
fn escape_closes_in_order() {
    let Some(display) = Display::start() else { return };
    let scene = display.path("ball.toml");
    std::fs::write(&scene, BALL).unwrap();
    let window = display.watch(&scene, &["--compare", "rk4,implicit-euler"]);
    let first = display.screen();
    display.until("another time", |screen| screen != &first[..]);
    display.key("Escape");
    let output = ended(window);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stderr);
    assert!(said.contains("rk4") && said.contains("implicit-euler"), "{said}");
}

/// A signal ends the window as a key does: the recording is on disk, no film is left unfinished.
#[test]
fn a_signal_closes_in_order() {
    let Some(display) = Display::start() else { return };
    let scene = display.path("ball.toml");
    std::fs::write(&scene, BALL).unwrap();
    let window = display.watch(&scene, &["--record", "done.jsonl"]);
    display.key("v");
    display.until_file(".partial");
    until_longer(&display.path("done.jsonl"), 0);
    let id = window.0.id().to_string();
    assert!(Command::new("kill").arg(&id).status().unwrap().success());
    let output = ended(window);
    assert_eq!(output.status.code(), Some(143), "{}", text(&output.stderr));
    let done = std::fs::read_to_string(display.path("done.jsonl")).unwrap();
    assert!(done.lines().last().unwrap().contains("state_hash"), "{done}");
    let names = std::fs::read_dir(display.folder.path()).unwrap();
    let left = |name: &std::ffi::OsString| name.to_string_lossy().ends_with(".partial");
    assert!(!names.map(|entry| entry.unwrap().file_name()).any(|name| left(&name)));
}

/// A start that would lose something or means nothing is refused before a window opens.
#[test]
fn mistakes_are_refused() {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/incline_hold.toml");
    let own = scene.to_string_lossy().into_owned();
    for (more, code, word) in [
        (vec!["--record", &own], 8, "already"),
        (vec!["--compare", ","], 2, "nothing"),
        (vec!["--compare", "rk4,tanh+cubic"], 2, "two friction laws"),
        (vec!["--compare", "rk4@1e-4@1e-3"], 2, "is no step"),
        (vec!["--compare", "nonsense"], 2, "nonsense"),
        (vec!["--compare", "rk4,rk3,heun,midpoint,dopri5"], 2, "four"),
        (vec!["--compare", "rk4", "--record", "new.jsonl"], 2, "--record"),
        (vec!["--replay", "missing.jsonl"], 2, "missing.jsonl"),
    ] {
        let output = stiction().arg("watch").arg(&scene).args(&more).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{more:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(word), "{more:?}: {}", text(&output.stderr));
    }
}

#[test]
fn without_a_display_both_hints_are_given() {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/incline_hold.toml");
    let output = stiction().arg("watch").arg(scene).env("DISPLAY", ":4057").output().unwrap();
    assert_eq!(output.status.code(), Some(12), "{}", text(&output.stderr));
    assert!(output.stdout.is_empty());
    for word in ["DISPLAY", "WAYLAND_DISPLAY", "stiction run", "stiction render"] {
        assert!(text(&output.stderr).contains(word), "{word} is missing: {}", text(&output.stderr));
    }
}
