//! A scene that is shown loads as the same scene, and schema and reference know every key.

use super::told::bad_scenes;
use super::*;

/// A scene that uses every section.
pub fn rich() -> String {
    and(r#"
[world]
gravity = [0, 0, -1]
planar = "xz"
[materials."odd \"name\""]
static_friction = 2
kinetic_friction = 1e-7
[pairing]
friction = "minimum"
[[pair]]
materials = ["rubber", "odd \"name\""]
static_friction = 0.15
[[collider]]
name = "post"
material = "rubber"
shape = { plane = { normal = [1, 0, 0] } }
motion = { velocity = [0.1, 0, 0], spin = { axis = [0, 0, 1], rate = 2 }, oscillate = { direction = [1, 0, 0], amplitude = 0.1, frequency = 3 }, belt = { velocity = [1, 0, 0] } }
[[push]]
body = "box"
where = { nearest = [0, 0, 0.7] }
force = [15, 0, 0]
ramp = 1.0
[[pin]]
body = "box"
where = { box = { min = [0, 0, 0], max = [1, 1, 1] } }
axes = "xz"
motion = { velocity = [0.1, 0, 0] }
[[drag]]
rate = 5
until = 0.5
[[measure]]
name = "tilt"
kind = "tilt"
body = "box"
where = { particles = [0] }
[expect]
tilt = { at = 0.5, value = 90, tolerance = 5 }
[view]
yaw = -30
target = [0, 0, 0.5]
follow = "box"
show = "heat"
hide = ["panel", "labels"]
"#)
    .replace("name = \"box\"\n", "name = \"box\"\nmaterial = \"rubber\"\nsprings = { edge = { stiffness = 3 } }\n")
    .replace("name = \"floor\"\n", "name = \"floor\"\nmaterial = \"rubber\"\n")
}

/// The scene as text without places, sources and folder.
fn essence(scene: &Scene) -> String {
    let scene = Scene { sources: Vec::new(), folder: Default::default(), ..scene.clone() };
    let text = format!("{scene:?}");
    let mut out = String::new();
    for part in text.split("Place {") {
        let rest = if out.is_empty() { part } else { part.split_once('}').map_or("", |p| p.1) };
        out.push_str(rest);
    }
    // which rows and keys were given is also forgotten
    let out = out.replace("given: false, values", "given: true, values");
    let mut kept = String::new();
    for part in out.split("places: {") {
        kept.push_str(if kept.is_empty() {
            part
        } else {
            part.split_once('}').map_or("", |p| p.1)
        });
    }
    kept
}

#[test]
fn what_is_shown_loads_as_the_same_scene() {
    let no_contact = with(CONTACT, "").replace(FLOOR, "");
    for text in [whole(), rich(), no_contact] {
        let options = LoadOptions::default();
        let first =
            load_text("a", &text, Path::new("."), &options).unwrap_or_else(|e| panic!("{e}"));
        let shown = show(&first);
        let second = load_text("b", &shown, Path::new("."), &options)
            .unwrap_or_else(|e| panic!("{e}\n{shown}"));
        assert_eq!(essence(&first.scene), essence(&second.scene), "{shown}");
        assert_eq!(shown, show(&second));
        assert!(shown.contains("velocity = [0.0, 0.0, 0.0]"), "defaults are shown: {shown}");
    }
}

/// Without step and method these are found by `run`: what is shown has none either.
#[test]
fn a_scene_without_step_and_method_is_shown_without_them() {
    let text = whole().replace("step = 1e-3\n", "").replace("[integrator]\nmethod = \"rk4\"\n", "");
    let options = LoadOptions::default();
    let load = |text: &str| load_text("a", text, Path::new("."), &options).expect("it is sound");
    let first = load(&text);
    assert!(!first.scene.time.given && !first.scene.integrator.given);
    let shown = show(&first);
    assert!(!shown.contains("step =") && !shown.contains("method = \"rk45\""), "{shown}");
    let second = load(&shown).scene;
    assert_eq!((second.time.given, second.integrator.given), (false, false));
    // a thousand steps and more, of few digits, that divide the frames
    assert_eq!((first.scene.time.step, first.scene.time.steps), (1e-3, 1000));
}

#[test]
fn schema_and_reference_know_every_key() {
    let schema = serde_json::to_string(&schema()).unwrap();
    let parsed: serde_json::Value = serde_json::from_str(&schema).unwrap();
    assert_eq!(parsed["additionalProperties"], false);
    assert_eq!(parsed["properties"]["time"]["properties"]["step"]["exclusiveMinimum"], 0);
    let reference = reference();
    for home in stiction_scene::homes::homes() {
        assert!(schema.contains(&format!("\"{}\":", home.key)), "schema lacks {}", home.key);
        let known = reference.contains(&format!("`{}`", home.key))
            || reference.contains(&format!("[{}", home.key));
        assert!(known, "reference lacks {} of {}", home.key, home.table);
    }
}

#[test]
fn codes_are_unique_and_explained() {
    for (at, row) in CODES.iter().enumerate() {
        assert!(row.about.len() > 40 && !row.title.is_empty(), "{}", row.code);
        assert!(CODES[..at].iter().all(|other| other.code < row.code), "{}", row.code);
    }
    for (_, code, _) in bad_scenes() {
        assert!(CODES.iter().any(|row| row.code == code), "{code}");
    }
}

/// `[view]` is read with its defaults, by `--set` too, and is the same after being shown.
#[test]
fn the_view_of_a_scene() {
    use stiction_scene::description::{Follow, MapKind, Theme, View};
    assert_eq!(read(&whole()).unwrap().view, View::default());
    let table = "[view]\nyaw = 30\npitch = -5\nzoom = 2\nprojection = \"orthographic\"\ntheme = \"dark\"\nmap = \"load-ratio\"\nfollow = \"box\"\nshow = [\"plots\", \"heat\"]\nhide = \"panel\"\nspeed = 0.25\n";
    let view = read(&and(table)).unwrap().view;
    let expected = View {
        yaw: Some(30.0),
        pitch: Some(-5.0),
        zoom: 2.0,
        target: None,
        orthographic: true,
        follow: Follow::Body(0),
        theme: Theme::Dark,
        map: Some(MapKind::LoadRatio),
        layers: vec![("heat", true), ("plots", true), ("panel", false)],
        speed: Some(0.25),
    };
    assert_eq!(view, expected);
    let changed = set(&and(table), &["view.follow=nothing", "view.hide=[]", "view.zoom=1"]);
    let layers = vec![("heat", true), ("plots", true)];
    let other = View { follow: Follow::Nothing, layers, zoom: 1.0, ..expected };
    assert_eq!(changed.unwrap().view, other);
}
