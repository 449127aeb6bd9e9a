//! The names of a scene, its law and its integrator on the screen.

use crate::display::Labels;
use stiction_core::math::number;
use stiction_core::registry::Value;
use stiction_scene::Scene;

/// Title, friction law, integrator and end of a scene.
pub fn labels(scene: &Scene, end: f64) -> Labels {
    Labels {
        title: scene.title.clone(),
        law: law(scene),
        integrator: scene.integrator.name.into(),
        end: Some(end),
    }
}

/// "threshold, ε = 0.001", or "Coulomb, by exact": the friction law with its numbers.
pub fn law(scene: &Scene) -> String {
    if scene.contact.jumps() {
        return format!("Coulomb, by {}", scene.contact.method.name);
    }
    let choice = &scene.contact.friction;
    let mut text = choice.name.to_string();
    for (key, value) in &choice.values.0 {
        if let Value::Number(x) = value {
            let key = if *key == "epsilon" { "ε" } else { key };
            text += &format!(", {key} = {}", number(*x));
        }
    }
    text
}
