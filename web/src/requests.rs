//! Requests without a session: the library, checks, whole runs, words.

use crate::diagnostics::check;
use crate::library::{SceneSource, listing, text};
use crate::report::rgba;
use crate::runs::{self, Progress};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use stiction_core::registry::{Entry, Key, Kind, Table};
use stiction_core::{FRICTION_LAWS, INTEGRATORS, MEASURES};
use stiction_engines::creep as engines;
use stiction_scene::description::{Theme, View};
use stiction_scene::schema;
use stiction_view::keys::{BINDINGS, MOUSE};
use stiction_view::picture::{Shot, still};
use stiction_view::play::session::{Session, SessionPlan};

/// An answer: a value, and its bytes.
pub type Answer = (Value, Vec<u8>);

/// Answers a request; `progress` receives the progress of a long one.
///
/// # Errors
/// The refusal in words.
pub fn answer(request: &Value, progress: Progress) -> Result<Answer, String> {
    let source = || SceneSource::of(request);
    let set = || -> Vec<String> {
        let list = request["set"].as_array().into_iter().flatten();
        list.filter_map(|text| text.as_str().map(String::from)).collect()
    };
    let value = match request["do"].as_str().unwrap_or_default() {
        "library" => listing(),
        "text" => json!(text(request["name"].as_str().unwrap_or_default())?),
        "schema" => schema(),
        "words" => words(),
        "check" => check(&source()?, set())?,
        "picture" => return picture(request),
        "verify" => runs::verify(&source()?, set(), progress)?,
        "measures" => runs::measures(&source()?, set(), progress)?,
        "engines" => engines::catalogue(),
        "creep" => {
            let engine = request["engine"].as_str().unwrap_or_default();
            engines::document(engine, &request["values"]).map_err(|error| error.to_string())?
        }
        "hash" => runs::hash(&source()?, set(), request["steps"].as_u64().unwrap_or(0))?,
        other => return Err(format!("there is no request `{other}`")),
    };
    Ok((value, Vec::new()))
}

/// A scene of the library at its start, without text.
fn picture(request: &Value) -> Result<Answer, String> {
    let source = SceneSource::of(request)?;
    let side = |key: &str, usual: u64| request[key].as_u64().unwrap_or(usual).clamp(16, 2048);
    let (width, height) = (side("width", 240) as usize, side("height", 150) as usize);
    let base = source.base(Vec::new())?;
    let scene = base.load(&[]).map_err(|errors| errors.brief())?.scene;
    let layers = ["panel", "plots", "labels", "normals", "friction"].map(|name| (name, false));
    let theme = if request["dark"] == true { Theme::Dark } else { Theme::Light };
    let shot = Shot {
        width,
        height,
        scale: (width as f64 / 480.0).clamp(0.5, 8.0),
        view: View { layers: layers.to_vec(), theme, ..scene.view },
        ..Shot::default()
    };
    let path = source.name().into();
    let performers = SessionPlan { path, panes: vec![base], reference: None, recording: None };
    let mut session = Session::start(performers).map_err(|errors| errors.brief())?;
    let mut go_on = |_| ControlFlow::Continue(());
    let canvas = still(&mut session, &shot, &mut go_on).map_err(|error| error.to_string())?.canvas;
    Ok((json!({ "width": canvas.width(), "height": canvas.height() }), rgba(&canvas)))
}

/// The rows of the tables, the maps and the keys.
fn words() -> Value {
    fn rows<T: ?Sized>(table: &Table<Entry<T>>) -> Vec<Value> {
        table.iter().map(|row| json!({ "name": row.name, "about": row.about })).collect()
    }
    let keys = BINDINGS.iter().map(|row| (row.shown, row.about)).chain(MOUSE.iter().copied());
    let keys: Vec<Value> =
        keys.map(|(keys, about)| json!({ "keys": keys, "about": about })).collect();
    // a law with a formula is written in the text of a scene
    let is_text = |key: &Key| matches!(key.kind, Kind::Text);
    let laws = FRICTION_LAWS.iter().map(|row| {
        let written = row.keys.iter().any(is_text);
        let epsilon = row.keys.iter().any(|key| key.name == "epsilon");
        json!({ "name": row.name, "about": row.about, "written": written, "epsilon": epsilon })
    });
    let measures = MEASURES.iter().map(|row| json!({ "name": row.name, "about": row.about }));
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "integrators": rows(&INTEGRATORS),
        "laws": laws.collect::<Vec<_>>(),
        "measures": measures.collect::<Vec<_>>(),
        "keys": keys,
    })
}
