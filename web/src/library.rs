//! The scene library contained in the program, and the scenes of the page.

use include_dir::{Dir, DirEntry, File, include_dir};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};
use stiction_lab::experiment::base::Base;
use stiction_scene::folder::{FileTable, Folder};

static SCENES: Dir = include_dir!("$CARGO_MANIFEST_DIR/../scenes");

/// Memory limit of a scene \[bytes\]; a browser grants at most four times as much.
const MEMORY: u64 = 1 << 30;

/// A scene of the library by its name, or a text.
pub enum SceneSource {
    /// `tipping_box`, `league/a_creep`.
    Name(String),
    /// A text from the user.
    Text(String),
}

impl SceneSource {
    /// Reads `name` and `text` of a request; a text has priority.
    ///
    /// # Errors
    /// Both are missing.
    pub fn of(request: &Value) -> Result<SceneSource, String> {
        match (request["text"].as_str(), request["name"].as_str()) {
            (Some(text), _) => Ok(SceneSource::Text(text.into())),
            (None, Some(name)) => Ok(SceneSource::Name(name.into())),
            (None, None) => Err("a scene needs `name` or `text`".into()),
        }
    }

    /// Its name in messages.
    pub fn name(&self) -> String {
        match self {
            SceneSource::Name(name) => format!("{name}.toml"),
            SceneSource::Text(_) => "scene.toml".into(),
        }
    }

    /// Its text.
    ///
    /// # Errors
    /// The scene does not exist.
    pub fn text(&self) -> Result<String, String> {
        match self {
            SceneSource::Name(name) => text(name),
            SceneSource::Text(text) => Ok(text.clone()),
        }
    }

    /// The base of its runs, with `key=value` texts as of `--set`.
    ///
    /// # Errors
    /// The scene does not exist.
    pub fn base(&self, set: Vec<String>) -> Result<Base, String> {
        let mut base = Base::bytes(&self.name(), self.text()?.as_bytes(), folder());
        base.set = set;
        base.options.max_memory = MEMORY;
        Ok(base)
    }
}

/// Text of a scene of the library.
///
/// # Errors
/// The scene does not exist.
pub fn text(name: &str) -> Result<String, String> {
    let file = SCENES.get_file(format!("{name}.toml"));
    let text = file.and_then(File::contents_utf8);
    text.map(String::from).ok_or_else(|| format!("the library has no scene `{name}`"))
}

/// The files that scenes of the page may name.
fn folder() -> Folder {
    static FILES: OnceLock<Arc<FileTable>> = OnceLock::new();
    let files = FILES.get_or_init(|| {
        let named = |file: &'static File<'static>| {
            (file.path().to_string_lossy().into_owned(), Cow::Borrowed(file.contents()))
        };
        Arc::new(files_in(&SCENES).map(named).collect())
    });
    Folder::Memory(Arc::clone(files))
}

fn files_in(folder: &'static Dir<'static>) -> Box<dyn Iterator<Item = &'static File<'static>>> {
    Box::new(folder.entries().iter().flat_map(|entry| match entry {
        DirEntry::File(file) => Box::new(std::iter::once(file)),
        DirEntry::Dir(inner) => files_in(inner),
    }))
}

/// Name, folder, title and end of every scene \[s\], in the order of names.
pub fn listing() -> Value {
    let scenes = files_in(&SCENES).filter(|file| file.path().extension() == Some("toml".as_ref()));
    let listed = scenes.filter_map(|file| {
        let name = file.path().with_extension("").to_string_lossy().into_owned();
        let folder = file.path().parent()?.to_string_lossy().into_owned();
        let loaded = SceneSource::Name(name.clone()).base(Vec::new()).ok()?.load(&[]).ok()?;
        Some(json!({
            "name": name,
            "folder": folder,
            "title": loaded.scene.title,
            "seconds": loaded.scene.time.end(),
        }))
    });
    let mut all: Vec<Value> = listed.collect();
    let key = |scene: &Value| (scene["folder"].to_string(), scene["name"].to_string());
    all.sort_by_key(key);
    Value::Array(all)
}
