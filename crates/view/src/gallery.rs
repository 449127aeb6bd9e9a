//! The scenes of a folder: their titles, and small pictures of them, made on a separate thread.

use super::canvas::Canvas;
use super::cards::browser::{BrowserListing, PICTURE};
use super::picture::{Shot, still};
use super::play::session::{Session, SessionPlan};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use stiction_lab::experiment::base::Base;
use stiction_scene::description::View;
use stiction_scene::regular;

/// Largest size of a scene file that is read for its title and picture \[bytes\].
const LARGEST: u64 = 1 << 20;

/// Largest memory of a scene of which a picture is made \[bytes\].
const MEMORY: u64 = 256 << 20;

/// The scenes in the folder of the displayed one.
pub fn listing(path: &Path) -> BrowserListing {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let scenes = files.map(|entry| entry.path());
    let mut scenes: Vec<PathBuf> =
        scenes.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    scenes.sort();
    let marked = scenes.iter().position(|scene| scene.file_name() == path.file_name());
    let entry = |scene: &PathBuf| {
        let name = scene.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (name, title(scene).unwrap_or_default())
    };
    let entries: Vec<_> = scenes.iter().map(entry).collect();
    let pictures = vec![None; entries.len()];
    BrowserListing { entries, pictures, marked: marked.unwrap_or(0), filter: String::new() }
}

fn small(scene: &Path) -> bool {
    std::fs::metadata(scene).is_ok_and(|data| data.len() <= LARGEST)
}

fn title(scene: &Path) -> Option<String> {
    let text = regular::text(scene, LARGEST).ok()?;
    let table: toml::Table = text.parse().ok()?;
    Some(table.get("title")?.as_str()?.to_string())
}

/// Pictures being made; stops when dropped.
pub(crate) struct Gallery {
    pictures: Receiver<(usize, Canvas)>,
    stop: Arc<AtomicBool>,
}

impl Gallery {
    /// Starts with the selected scene of a listing; `scale` is that of the stage.
    pub fn start(folder: &Path, listing: &BrowserListing, scale: f64) -> Gallery {
        let files = listing.entries.iter().map(|(file, _)| folder.join(file)).enumerate();
        let mut files: Vec<(usize, PathBuf)> = files.collect();
        let first = listing.marked.min(files.len().saturating_sub(1));
        files.rotate_left(first);
        let stop = Arc::new(AtomicBool::new(false));
        let (sender, pictures) = channel();
        let stopped = Arc::clone(&stop);
        std::thread::spawn(move || {
            for (number, file) in files {
                let picture = picture(&file, scale, &stopped);
                if stopped.load(Ordering::Relaxed) {
                    return;
                }
                if let Some(picture) = picture
                    && sender.send((number, picture)).is_err()
                {
                    return;
                }
            }
        });
        Gallery { pictures, stop }
    }

    /// The pictures made since the last call, with the indices of their scenes.
    pub fn take(&self) -> impl Iterator<Item = (usize, Canvas)> + '_ {
        self.pictures.try_iter()
    }
}

impl Drop for Gallery {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// A scene at t = 0 without text; `None` if it cannot be built.
fn picture(file: &Path, scale: f64, stop: &AtomicBool) -> Option<Canvas> {
    let mut base = small(file).then(|| Base::file(file))?;
    base.options.max_memory = base.options.max_memory.min(MEMORY);
    let scene = base.load(&[]).ok()?.scene;
    let layers = ["panel", "plots", "labels", "normals", "friction"].map(|name| (name, false));
    let pixels = |design: i32| (f64::from(design) * scale).round() as usize;
    let shot = Shot {
        width: pixels(PICTURE.0).max(16),
        height: pixels(PICTURE.1).max(16),
        scale: (0.5 * scale).clamp(0.5, 8.0),
        view: View { layers: layers.to_vec(), ..scene.view },
        ..Shot::default()
    };
    let path = file.to_path_buf();
    let cast = SessionPlan { path, panes: vec![base], reference: None, recording: None };
    let mut session = Session::start(cast).ok()?;
    let mut goes_on = |_| match stop.load(Ordering::Relaxed) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    Some(still(&mut session, &shot, &mut goes_on).ok()?.canvas)
}
