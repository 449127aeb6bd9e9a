//! Bad scenes give one clear error at the right place; good ones survive being shown and loaded.

mod files;
mod hostile;
mod shown;
mod told;

use proptest::prelude::*;
use std::path::Path;
use stiction_scene::build::{BuildError, BuildOptions, build};
use stiction_scene::diagnostics::{CODES, FailureKind, SceneErrors};
use stiction_scene::excerpt::position;
use stiction_scene::load::load_bytes;
use stiction_scene::{LoadOptions, Scene, load, load_text, reference, schema, show};

/// A valid scene without `format`, in parts that tests exchange.
const TIME: &str = "[time]\nend = 1.0\nstep = 1e-3\noutput = 0.1\n";

const METHOD: &str = "[integrator]\nmethod = \"rk4\"\n";
const MATERIALS: &str = "[materials.rubber]\nstatic_friction = 0.9\n";
const CONTACT: &str = "[contact]\nnormal = { law = \"linear\", stiffness = 2e5 }\nfriction = { law = \"threshold\", epsilon = 1e-2 }\n";
const BODY: &str = "[[body]]\nname = \"box\"\nmass = 1.0\nshape = { particle = {} }\n";
const FLOOR: &str = "[[collider]]\nname = \"floor\"\nshape = { plane = { normal = [0, 0, 1] } }\n";

fn whole() -> String {
    ["format = 1\n", TIME, METHOD, MATERIALS, CONTACT, BODY, FLOOR].concat()
}

/// The valid scene with one piece of text exchanged.
fn with(old: &str, new: &str) -> String {
    let text = whole();
    assert!(text.contains(old), "{old}");
    text.replacen(old, new, 1)
}

/// The valid scene with more text at its end.
fn and(more: &str) -> String {
    whole() + more
}

fn formula(keys: &str) -> String {
    with("law = \"threshold\", epsilon = 1e-2", &format!("law = \"formula\", {keys}"))
}

fn implicit(keys: &str) -> String {
    with("plane = { normal = [0, 0, 1] }", &format!("implicit = {{ {keys} }}"))
}

fn read(text: &str) -> Result<Scene, SceneErrors> {
    load_text("scene.toml", text, Path::new("."), &LoadOptions::default()).map(|l| l.scene)
}

fn set(text: &str, set: &[&str]) -> Result<Scene, SceneErrors> {
    let set = set.iter().map(|s| s.to_string()).collect();
    let options = LoadOptions { set, allow_path: false };
    load_text("scene.toml", text, Path::new("."), &options).map(|loaded| loaded.scene)
}
