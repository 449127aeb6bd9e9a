//! A real window on a virtual display. Skipped where Xvfb or xdotool are missing.

use crate::scenes;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use stiction::view::window::{WatchError, WatchOptions, watch};
use stiction::view::{Show, default_method};

/// A process that ends with its owner.
struct Owned(Child);

impl Drop for Owned {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn present(program: &str) -> bool {
    let mut help = Command::new(program);
    help.arg("-help").stdout(Stdio::null()).stderr(Stdio::null());
    help.status().is_ok()
}

/// Starts Xvfb on a free display.
fn display(folder: &Path) -> Option<(Owned, String)> {
    let number = folder.join("display");
    let to = std::fs::File::create(&number).unwrap();
    let child = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "1000x700x24", "-nolisten", "tcp"])
        .stdout(to)
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let child = Owned(child);
    let until = Instant::now() + Duration::from_secs(30);
    while Instant::now() < until {
        let text = std::fs::read_to_string(&number).unwrap_or_default();
        if text.ends_with('\n') {
            return Some((child, format!(":{}", text.trim())));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    None
}

/// This test program again, as the process that owns the window.
fn child(display: &str, screenshot: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "window::the_process_with_the_window", "--ignored", "--nocapture"])
        .env("DISPLAY", display)
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .env("STICTION_SCREENSHOT", screenshot);
    command
}

#[test]
#[ignore = "the window tests start it as a process of its own"]
fn the_process_with_the_window() {
    let Some(screenshot) = std::env::var_os("STICTION_SCREENSHOT") else { return };
    let show = Show {
        title: "window test".into(),
        law: "threshold".into(),
        integrator: "symplectic-euler".into(),
        end: None,
        start: &|integrator| Ok(scenes::tipping_box(integrator)),
        method: &default_method,
    };
    let options = WatchOptions {
        width: 800,
        height: 560,
        paused: true,
        // on a broken machine the test ends all the same
        frames: Some(60 * 120),
        screenshot: Some(screenshot.into()),
        ..WatchOptions::default()
    };
    match watch(&show, &options) {
        Ok(watched) => {
            println!("step {} with {}", watched.simulation.state.step, watched.integrator);
        }
        Err(WatchError::NoDisplay { cause, hint }) => println!("no display: {cause}; {hint}"),
        Err(error) => panic!("{error}"),
    }
}

/// Types keys into the window called `stiction`.
fn xdotool(display: &str, arguments: &[&str]) -> bool {
    let status = Command::new("xdotool")
        .args(arguments)
        .env("DISPLAY", display)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|s| s.success())
}

/// Starts the window, waits for it, types, and returns what it printed and showed at last.
fn watched(display: &str, folder: &Path, name: &str, keys: &[&str]) -> (String, Vec<u8>) {
    let screenshot = folder.join(name);
    let mut command = child(display, &screenshot);
    let mut window = Owned(command.stdout(Stdio::piped()).spawn().unwrap());
    let found = ["search", "--sync", "--onlyvisible", "--name", "stiction"];
    assert!(xdotool(display, &found), "no window appeared");
    // without a window manager nothing gives the window the focus
    let focus = ["search", "--name", "stiction", "windowfocus", "--sync"];
    assert!(xdotool(display, &focus));
    for key in keys {
        assert!(xdotool(display, &["key", "--delay", "40", key]), "{key}");
    }
    assert!(xdotool(display, &["key", "q"]));
    let until = Instant::now() + Duration::from_secs(60);
    while window.0.try_wait().unwrap().is_none() {
        assert!(Instant::now() < until, "`q` did not close the window");
        std::thread::sleep(Duration::from_millis(50));
    }
    let mut output = String::new();
    use std::io::Read;
    window.0.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    (output, std::fs::read(screenshot).unwrap())
}

#[test]
fn keys_drive_a_real_window() {
    if !(present("Xvfb") && present("xdotool")) {
        println!("skipped: Xvfb or xdotool is not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let Some((_server, display)) = display(folder.path()) else {
        println!("skipped: Xvfb does not start");
        return;
    };
    let see = |name: &str, keys: &[&str]| watched(&display, folder.path(), name, keys);
    let (output, plain) = see("plain.png", &[]);
    assert!(output.contains("step 0 with symplectic-euler"), "{output}");
    let (output, stepped) = see("stepped.png", &["s", "s", "s", "i"]);
    assert!(output.contains("step 3 with velocity-verlet"), "{output}");
    let (_, dark) = see("dark.png", &["t"]);
    let (_, back) = see("back.png", &["t", "h", "n", "n", "h", "t"]);
    assert_eq!(plain, back, "keys pressed twice leave the picture as it was");
    assert_ne!(plain, dark);
    assert_ne!(plain, stepped);
}

#[test]
fn without_a_display_there_is_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let output = child(":4057", &folder.path().join("none.png")).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("no display: "), "{text}");
    for word in ["DISPLAY", "WAYLAND_DISPLAY", "stiction run", "stiction render"] {
        assert!(text.contains(word), "{word} is missing in: {text}");
    }
}
