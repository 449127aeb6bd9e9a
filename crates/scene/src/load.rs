//! Loads a [`Scene`] from a path: reads the file and its includes, applies `--set`, checks
//! everything, and reports all independent errors together.

use super::decode::{self, empty_scene};
use super::description::Scene;
use super::diagnostics::{Diagnostic, FailureKind, SceneErrors, quoted};
use super::files::{Assembly, MAX_BYTES, Unreadable, not_text, read_file, read_stream};
use super::folder::Folder;
use super::overrides;
use super::place::Source;
use super::reader::Reader;
use super::record::Resolved;
use std::path::{Path, PathBuf};

/// Options for loading a scene.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// `--set key=value` texts, applied in order. `--integrator NAME` is `integrator.method=NAME`,
    /// `--step S` is `time.step=S`.
    ///
    /// A key is a path like `time.step`, `contact.friction.epsilon`, `body.box.mass` or
    /// `body.0.mass`; a value is a TOML value or a bare word. Setting `integrator.method`,
    /// `contact.friction.law` or `contact.normal.law` drops the file's keys of the former method or
    /// law that the new one does not have.
    pub set: Vec<String>,
    /// Includes may lie outside the scene's folder.
    pub allow_path: bool,
}

/// A scene that passed all checks.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The scene.
    pub scene: Scene,
    /// Warnings about valid entries that may not be intended.
    pub warnings: Vec<Diagnostic>,
    /// The keys of the scene, structured as in the file, with every default filled in; see
    /// [`super::show::show`].
    pub resolved: Resolved,
}

/// Loads a scene from a file, or from standard input when the path is `-`.
///
/// # Errors
/// All faults of the scene, or a file that cannot be read.
pub fn load(path: &Path, options: &LoadOptions) -> Result<Loaded, SceneErrors> {
    let name = path.to_string_lossy().into_owned();
    if name == "-" {
        let text = read_stream(std::io::stdin().lock(), MAX_BYTES);
        return finish("<stdin>", text, Path::new(".").into(), None, options);
    }
    if name.is_empty() {
        return Err(unreadable(&name, "the path is empty"));
    }
    let text = read_file(path, MAX_BYTES);
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    finish(&name, text, folder.into(), path.canonicalize().ok(), options)
}

/// Loads a scene from a text. Includes are searched in `folder`; `name` is the file's name in
/// messages.
///
/// # Errors
/// All faults of the scene.
pub fn load_text(
    name: &str,
    text: &str,
    folder: impl Into<Folder>,
    options: &LoadOptions,
) -> Result<Loaded, SceneErrors> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    finish(name, Ok(text.to_string()), folder.into(), None, options)
}

/// Loads a scene from bytes that may not be text.
///
/// # Errors
/// All faults of the scene.
pub fn load_bytes(
    name: &str,
    bytes: &[u8],
    folder: impl Into<Folder>,
    options: &LoadOptions,
) -> Result<Loaded, SceneErrors> {
    finish(name, read_stream(bytes, MAX_BYTES), folder.into(), None, options)
}

fn unreadable(name: &str, why: &str) -> SceneErrors {
    let message = format!("cannot read {}: {why}", quoted(name));
    let help = "name a scene file, or `-` for standard input";
    let diagnostic = Diagnostic::without_place("E105", message).help(help);
    SceneErrors::single(FailureKind::Unreadable, diagnostic, Vec::new())
}

fn finish(
    name: &str,
    text: Result<String, Unreadable>,
    folder: Folder,
    path: Option<PathBuf>,
    options: &LoadOptions,
) -> Result<Loaded, SceneErrors> {
    match text {
        Ok(text) => assemble(name, text, folder, path, options),
        Err(Unreadable::File(why)) => Err(unreadable(name, &why)),
        Err(Unreadable::TooLarge(why)) => {
            let diagnostic = Diagnostic::without_place("E106", format!("{}: {why}", quoted(name)));
            Err(SceneErrors::single(FailureKind::Limit, diagnostic, Vec::new()))
        }
        Err(Unreadable::NotText(text, at, why)) => {
            let sources = vec![Source { name: name.to_string(), text }];
            Err(SceneErrors::single(FailureKind::Scene, not_text(0, at, why), sources))
        }
    }
}

fn assemble(
    name: &str,
    text: String,
    folder: Folder,
    path: Option<PathBuf>,
    options: &LoadOptions,
) -> Result<Loaded, SceneErrors> {
    let mut assembly = Assembly::new(folder.clone(), options.allow_path);
    let mut tree = assembly.scene(name, text, path);
    let Assembly { sources, parents, diagnostics, over_limit, .. } = &mut assembly;
    let broken = diagnostics.has_other_than("E102");
    let sets = sources.len();
    overrides::apply(&mut tree, &options.set, sources, parents, diagnostics);
    if tree.entries.is_empty() && !diagnostics.failed() {
        diagnostics.push(empty_scene());
    }
    let understood = !broken && !tree.entries.is_empty();
    let has_bodies = tree.get("body").is_some();
    let made = understood.then_some(()).and_then(|()| {
        let mut reader = Reader::new(diagnostics);
        let resolved = reader.scene(&tree);
        drop(tree);
        if reader.over {
            *over_limit = true;
            return None;
        }
        let mut scene = decode::scene(&resolved, sets, diagnostics);
        // bodies that cannot be read have been reported already
        if !has_bodies && !resolved.root.meant.contains(&"body") {
            diagnostics.push(empty_scene());
        }
        scene.folder = folder.clone();
        Some((scene, resolved))
    });
    let mut diagnostics = std::mem::take(&mut assembly.diagnostics);
    diagnostics.annotate(|place| assembly.ancestry(place.source));
    let finished = diagnostics.finish(&assembly.sources);
    match (finished, made) {
        (Ok(warnings), Some((mut scene, resolved))) => {
            scene.sources = assembly.sources;
            Ok(Loaded { scene, warnings, resolved })
        }
        (Err(mut errors), _) => {
            if assembly.over_limit {
                errors.kind = FailureKind::Limit;
            }
            Err(errors)
        }
        (Ok(_), None) => {
            Err(SceneErrors::single(FailureKind::Scene, empty_scene(), assembly.sources))
        }
    }
}
