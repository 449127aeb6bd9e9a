//! `hashes [STEPS]`: the hash of the state after so many steps, 10,000 unless told, of seven scenes
//! under every fixed-step explicit method and implicit Euler, and the SHA-256 of pictures, as JSON.
//! The page must come to the same.

use serde_json::{Value, json};
use stiction_core::INTEGRATORS;
use stiction_core::registry::Entry;
use stiction_lab::output::folder::sha256::sha256;
use stiction_web::library::SceneSource;
use stiction_web::requests::answer;
use stiction_web::runs::hash;

/// A slope, a lattice, a rope on itself, a rope, a push, a mesh from a file, and a rigid body,
/// which implicit Euler refuses.
const SCENES: [&str; 7] = [
    "incline_creep",
    "sliding_box",
    "folded_rope",
    "rope_on_floor",
    "soft_box_pushed",
    "pinched_capsule",
    "rigid_box_tips",
];

/// The fixed-step explicit methods of the table, and implicit Euler.
fn methods() -> Vec<&'static str> {
    let chosen = INTEGRATORS.iter().filter(|row| {
        let about = Entry::from_defaults(row).expect("defaults fit").capabilities();
        row.name == "implicit-euler" || !(about.adaptive || about.implicit)
    });
    chosen.map(|row| row.name).collect()
}

/// Pictures of scenes at their start.
fn pictures() -> Vec<Value> {
    let of = |name: &str, dark: bool| {
        let request =
            json!({ "do": "picture", "name": name, "width": 480, "height": 300, "dark": dark });
        let (_, pixels) = answer(&request, &mut |_, _| {}).expect("a scene of the library");
        json!({ "request": request, "sha256": sha256(&pixels) })
    };
    vec![of("tipping_box_3d", false), of("cloth_on_sphere", true), of("wheel_in_a_valley", false)]
}

fn main() {
    let steps = std::env::args().nth(1).map_or(10_000, |text| text.parse().expect("a number"));
    let mut all: Vec<Value> = Vec::new();
    for scene in SCENES {
        for method in methods() {
            let set = vec![format!("integrator.method={method}")];
            let found = hash(&SceneSource::Name(scene.into()), set.clone(), steps);
            // a run that fails must fail in the same words
            let (value, refused) = match found {
                Ok(value) => (value, None),
                Err(message) => (Value::Null, Some(message)),
            };
            eprintln!("{scene} {method}: {value} {}", refused.as_deref().unwrap_or_default());
            all.push(json!({
                "name": scene,
                "set": set,
                "steps": steps,
                "hash": value["hash"],
                "refused": refused,
            }));
        }
    }
    // the standard workload, whose speed is compared too
    let text = include_str!("lattice_drop.toml");
    let found = hash(&SceneSource::Text(text.into()), Vec::new(), steps).expect("a sound scene");
    eprintln!("lattice drop: {found}");
    all.push(json!({
        "text": text,
        "set": [],
        "steps": steps,
        "hash": found["hash"],
        "refused": null,
        "seconds": found["seconds"],
    }));
    println!("{}", json!({ "states": all, "pictures": pictures() }));
}
