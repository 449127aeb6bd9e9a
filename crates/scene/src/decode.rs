//! Decodes checked tables into the [`Scene`]: every table as declared, then the conditions that
//! involve several of them.

use super::columns::{expected_times, unique_columns};
use super::description::Scene;
use super::diagnostics::{Diagnostic, Diagnostics, quoted};
use super::place::{Place, make};
use super::reader::name_fault;
use super::record::{Record, Resolved};
use super::sections::{Decode, Names};
use std::collections::BTreeMap;
use stiction_core::contact::normal::NORMAL_LAWS;

/// The scene of checked tables; texts from number `sets` on come from the command line. Faults go
/// to `diagnostics`; the scene is then incomplete and not to be used.
pub fn scene(resolved: &Resolved, sets: usize, diagnostics: &mut Diagnostics) -> Scene {
    for (section, header) in [
        ("body", "[[body]]"),
        ("collider", "[[collider]]"),
        ("pin", "[[pin]]"),
        ("measure", "[[measure]]"),
    ] {
        unique_names(resolved.items(section), header, diagnostics);
    }
    let materials = resolved.items("materials").iter();
    let dense = |record: &Record| record.values.has("density");
    let materials = materials.map(|record| (record.name.clone(), dense(record))).unzip();
    let of = |section: &str| -> Vec<String> {
        let all = resolved.items(section).iter();
        all.map(|record| record.text("name").unwrap_or_default().to_string()).collect()
    };
    let parts = ["body", "collider", "pin"].map(of);
    let mut names = Names::new(diagnostics, materials, parts);
    pins_beside_colliders(resolved, &mut names);
    let scene = tables(resolved, &mut names);
    unique_columns(resolved, &scene, &mut names);
    expected_times(resolved, &scene, sets, &mut names);
    unused_materials(&scene, &mut names);
    // a law can be asked only if it can be made
    if !names.failed() {
        doubtful_coefficients(&scene, &mut names);
    }
    scene
}

fn tables(resolved: &Resolved, names: &mut Names) -> Scene {
    fn all<T: Decode>(resolved: &Resolved, section: &str, names: &mut Names) -> Vec<T> {
        resolved.items(section).iter().map(|record| T::decode(record, names)).collect()
    }
    fn only<T: Decode + Default>(resolved: &Resolved, section: &str, names: &mut Names) -> T {
        resolved.single(section).map(|record| T::decode(record, names)).unwrap_or_default()
    }
    let surroundings: super::sections::Surroundings = only(resolved, "world", names);
    let integrator = resolved.single("integrator").and_then(|record| record.choice.clone());
    Scene {
        title: resolved.root.text("title").unwrap_or_default().to_string(),
        gravity: surroundings.gravity,
        gravity_factor: surroundings.gravity_factor,
        locked_axis: surroundings.locked_axis,
        time: only(resolved, "time", names),
        integrator: integrator.unwrap_or_default(),
        accuracy: only(resolved, "accuracy", names),
        materials: all(resolved, "materials", names),
        pairing: only(resolved, "pairing", names),
        pairs: all(resolved, "pair", names),
        contact: only(resolved, "contact", names),
        bodies: all(resolved, "body", names),
        colliders: all(resolved, "collider", names),
        pushes: all(resolved, "push", names),
        pins: all(resolved, "pin", names),
        curves: all(resolved, "curve", names),
        drags: all(resolved, "drag", names),
        motions: all(resolved, "motion", names),
        muscles: all(resolved, "muscle", names),
        output: only(resolved, "output", names),
        measures: all(resolved, "measure", names),
        expectations: all(resolved, "expect", names),
        view: only(resolved, "view", names),
        ..Scene::default()
    }
}

/// The message about an empty scene.
pub(super) fn empty_scene() -> Diagnostic {
    Diagnostic::error("E308", Place::default(), "the scene has no particles and no bodies")
        .help("add a [[body]]")
}

/// Names are printable and unique within their table.
fn unique_names(records: &[Record], header: &str, diagnostics: &mut Diagnostics) {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, record) in records.iter().enumerate() {
        let Some(name) = record.text("name") else { continue };
        let place = record.place_of("name");
        if let Some(fault) = name_fault(name, place, header) {
            diagnostics.push(fault);
        } else if let Some(first) = seen.insert(name, number) {
            let message =
                format!("{header} number {number} has the name {} of number {first}", quoted(name));
            let help = "give each a name of its own";
            let other = records[first].place_of("name");
            let diagnostic = Diagnostic::error("E306", place, message).help(help);
            diagnostics.push(diagnostic.beside("the other is", other));
        }
    }
}

/// A `[[motion]]` names colliders and pins alike: no pin may have the name of a collider.
fn pins_beside_colliders(resolved: &Resolved, names: &mut Names) {
    for record in resolved.items("pin") {
        let Some(name) = record.text("name") else { continue };
        if names.colliders.find(name).is_some() {
            let message = format!("[[pin]] has the name {} of a collider", quoted(name));
            let place = record.place_of("name");
            let help = "give it a name of its own: [[motion]] names colliders and pins";
            names.push(Diagnostic::error("E306", place, message).help(help));
        }
    }
}

fn unused_materials(scene: &Scene, names: &mut Names) {
    for (material, used) in scene.materials.iter().zip(names.used.clone()) {
        if !used {
            let message =
                format!("no body and no collider has the material {}", quoted(&material.name));
            names.push(Diagnostic::warning("W401", material.place, message));
        }
    }
}

/// Warns of coefficients and laws that do not have the effect that their author may expect.
fn doubtful_coefficients(scene: &Scene, names: &mut Names) {
    let normal = &scene.contact.normal;
    let heeds = make(&NORMAL_LAWS, normal).is_ok_and(|law| law.heeds_restitution());
    let bounces = scene.materials.iter().map(|m| (m.restitution.is_some(), m.place));
    let pairs = scene.pairs.iter().map(|p| (p.restitution.is_some(), p.place));
    if !heeds
        && !scene.contact.jumps()
        && let Some((_, place)) = bounces.chain(pairs).find(|(given, _)| *given)
    {
        let message = format!(
            "restitution has no effect: the normal law `{}` does not take it from materials, or is given its own damping or restitution",
            normal.name
        );
        names.push(Diagnostic::warning("W403", place, message));
    }
    let laws = [("normal", &scene.contact.normal), ("friction", &scene.contact.friction)];
    for (key, law) in laws.iter().filter(|(_, law)| !law.places.is_empty()) {
        if scene.contact.jumps() {
            let message = format!(
                "`{key}` has no effect: contact by `{}` is no force; friction is Coulomb's, with the coefficients of the materials",
                scene.contact.method.name
            );
            names.push(Diagnostic::warning("W405", law.place, message));
        }
    }
    for material in &scene.materials {
        if material.kinetic_friction > material.static_friction {
            let message = format!(
                "{} slides with more friction ({}) than it sticks with ({})",
                quoted(&material.name),
                material.kinetic_friction,
                material.static_friction
            );
            names.push(Diagnostic::warning("W404", material.place, message));
        }
    }
}
