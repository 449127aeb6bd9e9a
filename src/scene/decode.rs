//! From checked tables to the [`Scene`]: names are looked up, times counted in steps, and what
//! only makes sense together is checked together.

use super::build::make;
use super::description::*;
use super::diagnostics::{Diagnostic, Diagnostics, listed, quoted};
use super::load::empty_scene;
use super::reader::name_fault;
use super::record::{Item, Piece, Record, Resolved};
use super::values::unknown_name;
use crate::contact::anisotropy::Rule;
use crate::contact::normal::NORMAL_LAWS;
use crate::measures::MEASURES;
use std::collections::BTreeMap;

mod curves;
mod view;

/// The scene of checked tables. What is wrong goes to `diagnostics`; the scene is then incomplete
/// and not to be used.
pub fn scene(resolved: &Resolved, diagnostics: &mut Diagnostics) -> Scene {
    let mut decoder = Decoder {
        diagnostics,
        materials: resolved.items("materials").iter().map(|item| item.name.clone()).collect(),
        bodies: Vec::new(),
        used: Vec::new(),
    };
    let mut scene = Scene {
        title: resolved.root.text("title").unwrap_or_default().to_string(),
        materials: resolved.items("materials").iter().map(material).collect(),
        ..Scene::default()
    };
    decoder.used = vec![false; scene.materials.len()];
    if let Some(world) = resolved.single("world") {
        scene.gravity = world.vector("gravity");
        scene.locked_axis = world.text("planar").and_then(locked_axis);
    }
    if let Some(time) = resolved.single("time") {
        scene.time = decoder.time(time);
    }
    if let Some(integrator) = resolved.single("integrator") {
        scene.integrator = integrator.choice.clone().unwrap_or_default();
    }
    if let Some(pairing) = resolved.single("pairing") {
        scene.friction_pairing = pairing.name("friction").unwrap_or_default();
        scene.restitution_pairing = pairing.name("restitution").unwrap_or_default();
    }
    if let Some(contact) = resolved.single("contact") {
        let law = |part| contact.table(part).and_then(|t| t.choice.clone()).unwrap_or_default();
        scene.contact = Contact {
            method: contact.choice.clone().unwrap_or_default(),
            normal: law("normal"),
            friction: law("friction"),
            stretch: match contact.text("stretch") {
                Some("state") => StretchIn::State,
                _ => StretchIn::Commit,
            },
            stretch_place: contact.place_of("stretch"),
            bodies: contact.flag("bodies"),
            self_contact: contact.flag("self_contact"),
            bodies_place: contact.place_of(match contact.flag("bodies") {
                true => "bodies",
                false => "self_contact",
            }),
            adhesion_place: contact.table("adhesion").map(|table| table.place).unwrap_or_default(),
            adhesion: contact.table("adhesion").map(|table| Adhesion {
                force: table.number("force"),
                range: table.number("range"),
            }),
        };
    }
    decoder.things(resolved, &mut scene);
    decoder.unused_materials(&scene);
    // laws can be asked only where they can be made
    if !decoder.diagnostics.failed() {
        decoder.doubtful_coefficients(&scene);
    }
    scene
}

fn locked_axis(plane: &str) -> Option<usize> {
    ["yz", "xz", "xy"].iter().position(|&name| name == plane)
}

fn material(item: &Item) -> Material {
    let record = &item.record;
    let static_friction = record.number("static_friction");
    Material {
        name: item.name.clone(),
        static_friction,
        kinetic_friction: record.values.get_number("kinetic_friction").unwrap_or(static_friction),
        restitution: record.values.get_number("restitution"),
        place: record.place,
    }
}

struct Decoder<'d> {
    diagnostics: &'d mut Diagnostics,
    materials: Vec<String>,
    bodies: Vec<String>,
    used: Vec<bool>,
}

impl Decoder<'_> {
    /// Bodies, colliders, and everything that refers to them.
    fn things(&mut self, resolved: &Resolved, scene: &mut Scene) {
        let bodies = resolved.items("body");
        let colliders = resolved.items("collider");
        self.unique_names(bodies, "[[body]]");
        self.unique_names(colliders, "[[collider]]");
        self.unique_names(resolved.items("measure"), "[[measure]]");
        self.bodies =
            bodies.iter().map(|b| b.record.text("name").unwrap_or_default().to_string()).collect();
        if bodies.is_empty() {
            self.diagnostics.push(empty_scene());
        }
        scene.pairs = resolved.items("pair").iter().map(|i| self.pair(&i.record)).collect();
        scene.bodies = bodies.iter().map(|item| self.body(&item.record)).collect();
        scene.colliders = colliders.iter().map(|item| self.collider(&item.record)).collect();
        scene.pushes = resolved.items("push").iter().map(|i| self.push(&i.record)).collect();
        scene.pins = resolved.items("pin").iter().map(|i| self.pin(&i.record)).collect();
        scene.curves = resolved.items("curve").iter().map(|i| self.curve(&i.record)).collect();
        scene.drags = resolved.items("drag").iter().map(|i| self.drag(&i.record)).collect();
        scene.measures =
            resolved.items("measure").iter().map(|i| self.measure(&i.record)).collect();
        let expected = resolved.items("expect").iter();
        scene.expectations = expected.map(expectation).collect();
        scene.view = resolved.single("view").map(|view| self.view(view)).unwrap_or_default();
    }

    fn time(&mut self, record: &Record) -> Time {
        let (end, step, output) =
            (record.number("end"), record.number("step"), record.number("output"));
        let mut time = Time { step, place: record.place_of("step"), ..Time::default() };
        if step <= 0.0 {
            return time;
        }
        if end > 0.0 {
            time.steps = self.whole_steps(record, "end", end, step);
        }
        if output > 0.0 {
            time.steps_per_frame = self.whole_steps(record, "output", output, step);
        }
        if time.steps > 0 && time.steps_per_frame > time.steps {
            let message =
                format!("`output` ({output:?} s) is longer than the run: `end` is {end:?} s");
            let help = "make `output` at most `end`";
            let place = record.place_of("output");
            self.diagnostics.push(Diagnostic::error("E309", place, message).help(help));
        } else if time.steps_per_frame > 0 && !time.steps.is_multiple_of(time.steps_per_frame) {
            let rest = (time.steps % time.steps_per_frame) as f64 * step;
            let message = format!(
                "`end` ({end:?} s) is not a multiple of `output` ({output:?} s): the last frame follows after {rest:.3e} s"
            );
            self.diagnostics.push(Diagnostic::warning("W402", record.place_of("output"), message));
        }
        time
    }

    /// How many steps a time is; an error unless it is a whole number.
    fn whole_steps(&mut self, record: &Record, key: &str, length: f64, step: f64) -> u64 {
        const MOST: f64 = 9_007_199_254_740_992.0;
        let ratio = length / step;
        let place = record.place_of(key);
        if ratio > MOST {
            let message = format!(
                "`{key}` = {length:?} s is {ratio:.3e} steps of {step:?} s; at most 2^53 = {MOST:e} can be counted"
            );
            let help = "make `step` longer or the run shorter";
            self.diagnostics.push(Diagnostic::error("E309", place, message).help(help));
            return 0;
        }
        let steps = ratio.round();
        if steps >= 1.0 && (ratio - steps).abs() <= 1e-9 * steps {
            return steps as u64;
        }
        let message =
            format!("`{key}` = {length:?} s is not a whole number of steps of {step:?} s");
        let below = ratio.floor();
        let near = |steps: f64| trimmed(steps * step);
        let help = if below >= 1.0 {
            format!("the nearest values are {} and {}", near(below), near(below + 1.0))
        } else {
            format!("it must be at least one step, {}", near(1.0))
        };
        self.diagnostics.push(Diagnostic::error("E309", place, message).help(help));
        0
    }

    /// Names are printable and unique within their table.
    fn unique_names(&mut self, items: &[Item], header: &str) {
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for (number, item) in items.iter().enumerate() {
            let Some(name) = item.record.text("name") else { continue };
            let place = item.record.place_of("name");
            if let Some(fault) = name_fault(name, place, header) {
                self.diagnostics.push(fault);
            } else if let Some(first) = seen.insert(name, number) {
                let message = format!(
                    "{header} number {number} has the name {} of number {first}",
                    quoted(name)
                );
                let help = "give each a name of its own";
                self.diagnostics.push(Diagnostic::error("E306", place, message).help(help));
            }
        }
    }

    fn find_material(&mut self, name: &str, place: Place) -> usize {
        match self.materials.iter().position(|known| known == name) {
            Some(at) => {
                self.used[at] = true;
                at
            }
            None => {
                self.diagnostics.push(*unknown_name(place, name, "material", &self.materials));
                0
            }
        }
    }

    /// The material of a body or collider; the only one when none is named.
    fn material_of(&mut self, record: &Record, header: &str) -> usize {
        if let Some(name) = record.text("material") {
            return self.find_material(name, record.place_of("material"));
        }
        if record.places.contains_key("material") {
            return 0;
        }
        if self.materials.len() == 1 {
            self.used[0] = true;
            return 0;
        }
        let name = record.text("name").map_or(String::new(), |name| format!(" {}", quoted(name)));
        let message = format!("missing key `material` in {header}{name}: the name of a material");
        let help = if self.materials.is_empty() {
            "there are no materials yet; add [materials.NAME] with static_friction = ..."
                .to_string()
        } else {
            format!("add material = \"NAME\" with one of {}", listed(&self.materials))
        };
        self.diagnostics.push(Diagnostic::error("E203", record.place, message).help(help));
        0
    }

    fn find_body(&mut self, record: &Record) -> Option<usize> {
        let name = record.text("body")?;
        let found = self.bodies.iter().position(|known| known == name);
        if found.is_none() {
            let place = record.place_of("body");
            self.diagnostics.push(*unknown_name(place, name, "body", &self.bodies));
        }
        found
    }

    fn pair(&mut self, record: &Record) -> Pair {
        let materials = match record.parts.get("materials") {
            Some(Piece::TwoNames([(a, at_a), (b, at_b)])) => {
                // a pair alone does not make a material used
                let used = self.used.clone();
                let found = [self.find_material(a, *at_a), self.find_material(b, *at_b)];
                self.used = used;
                found
            }
            _ => [0, 0],
        };
        let number = |key| record.values.get_number(key);
        let static_friction = number("static_friction");
        Pair {
            materials,
            static_friction,
            kinetic_friction: number("kinetic_friction").or(static_friction),
            restitution: number("restitution"),
            place: record.place,
        }
    }

    fn body(&mut self, record: &Record) -> Body {
        let shape = record.variant("shape");
        let body = Body {
            name: record.text("name").unwrap_or_default().to_string(),
            material: self.material_of(record, "[[body]]"),
            mass: record.values.get_number("mass"),
            density: record.values.get_number("density"),
            springs: springs(record),
            position: record.vector("position"),
            rotation: record.vector("rotation"),
            velocity: record.vector("velocity"),
            spin: record.vector("spin"),
            radius: record.number("radius"),
            rigid: record.flag("rigid"),
            anisotropy: record.table("anisotropy").map(anisotropy),
            place: record.place,
            shape,
        };
        self.mass_or_density(record, &body);
        body
    }

    fn mass_or_density(&mut self, record: &Record, body: &Body) {
        let given = |key| record.places.contains_key(key);
        let name = quoted(&body.name);
        if given("mass") && given("density") {
            let message = format!("[[body]] {name} has both `mass` and `density`");
            let help = "keep one of the two; the other follows from it";
            let place = record.place_of("density");
            self.diagnostics.push(Diagnostic::error("E310", place, message).help(help));
        }
        let weighed = given("mass") || given("density") || body.shape.values.has("masses");
        if !weighed && !body.shape.name.is_empty() {
            let message = format!("missing key `mass` in [[body]] {name}: a number > 0 in kg");
            let help = "add mass = ... (of the whole body), or density = ... in kg/m³";
            self.diagnostics.push(Diagnostic::error("E203", record.place, message).help(help));
        }
    }

    fn collider(&mut self, record: &Record) -> Collider {
        Collider {
            name: record.text("name").unwrap_or_default().to_string(),
            material: self.material_of(record, "[[collider]]"),
            shape: record.variant("shape"),
            motion: record.table("motion").map(motion).unwrap_or_default(),
            anisotropy: record.table("anisotropy").map(anisotropy),
            place: record.place,
        }
    }

    fn push(&mut self, record: &Record) -> Push {
        let (from, until) = (record.number("from"), record.values.get_number("until"));
        if let Some(until) = until
            && until <= from
        {
            let message = format!("`until` ({until:?} s) must be later than `from` ({from:?} s)");
            self.diagnostics.push(Diagnostic::error("E310", record.place_of("until"), message));
        }
        Push {
            body: self.find_body(record).unwrap_or_default(),
            selection: record.selection(),
            force: record.vector("force"),
            per_particle: record.flag("per_particle"),
            from,
            until,
            ramp: record.number("ramp"),
            place: record.place,
        }
    }

    fn pin(&mut self, record: &Record) -> Pin {
        let axes = record.text("axes").unwrap_or("xyz");
        Pin {
            body: self.find_body(record).unwrap_or_default(),
            selection: record.selection(),
            axes: ['x', 'y', 'z'].map(|axis| axes.contains(axis)),
            velocity: record.table("motion").map(|m| m.vector("velocity")).unwrap_or_default(),
            place: record.place,
        }
    }

    fn drag(&mut self, record: &Record) -> Drag {
        Drag {
            body: self.find_body(record),
            rate: record.number("rate"),
            until: record.values.get_number("until"),
            place: record.place,
        }
    }

    fn measure(&mut self, record: &Record) -> Measure {
        let kind = record.name("kind").unwrap_or_default();
        let body = self.find_body(record);
        let name = quoted(record.text("name").unwrap_or_default());
        if let Some(row) = MEASURES.find(kind) {
            if row.needs_body && !record.places.contains_key("body") {
                let message = format!(
                    "missing key `body` in [[measure]] {name}: `{kind}` is measured on a body"
                );
                let help = format!("add body = \"NAME\" with one of {}", listed(&self.bodies));
                self.diagnostics.push(Diagnostic::error("E203", record.place, message).help(help));
            }
            if !row.vector && record.places.contains_key("direction") {
                let message = format!(
                    "`direction` in [[measure]] {name}: `{kind}` is a single number and has no components"
                );
                let place = record.place_of("direction");
                self.diagnostics
                    .push(Diagnostic::error("E310", place, message).help("remove `direction`"));
            }
        }
        Measure {
            name: record.text("name").unwrap_or_default().to_string(),
            kind,
            body,
            selection: record.selection(),
            direction: record.values.get_vector("direction"),
            place: record.place,
        }
    }

    fn unused_materials(&mut self, scene: &Scene) {
        for (material, used) in scene.materials.iter().zip(&self.used) {
            if !used {
                let message =
                    format!("no body and no collider has the material {}", quoted(&material.name));
                self.diagnostics.push(Diagnostic::warning("W401", material.place, message));
            }
        }
    }

    /// Coefficients that will not do what their author may think.
    fn doubtful_coefficients(&mut self, scene: &Scene) {
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
            self.diagnostics.push(Diagnostic::warning("W403", place, message));
        }
        let laws = [("normal", &scene.contact.normal), ("friction", &scene.contact.friction)];
        for (key, law) in laws.iter().filter(|(_, law)| !law.places.is_empty()) {
            if scene.contact.jumps() {
                let message = format!(
                    "`{key}` has no effect: contact by `{}` is no force; friction is Coulomb's, with the coefficients of the materials",
                    scene.contact.method.name
                );
                self.diagnostics.push(Diagnostic::warning("W405", law.place, message));
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
                self.diagnostics.push(Diagnostic::warning("W404", material.place, message));
            }
        }
    }
}

/// A product of a whole number and a step without the digits that rounding adds.
fn trimmed(x: f64) -> String {
    let short: f64 = format!("{x:.12e}").parse().unwrap_or(x);
    format!("{short:?} s")
}

fn springs(record: &Record) -> SpringTable {
    let Some(table) = record.table("springs") else {
        return SpringTable { place: record.place, ..SpringTable::default() };
    };
    let family = |name| {
        table.table(name).map(|t| SpringMaterial {
            stiffness: t.number("stiffness"),
            damping: t.number("damping"),
        })
    };
    SpringTable {
        edge: family("edge"),
        face_diagonal: family("face_diagonal"),
        body_diagonal: family("body_diagonal"),
        bend: family("bend"),
        place: table.place,
    }
}

fn motion(record: &Record) -> Motion {
    Motion {
        velocity: record.vector("velocity"),
        spin: record.table("spin").map(|spin| Spin {
            axis: spin.vector("axis"),
            rate: spin.number("rate"),
            center: spin.values.get_vector("center"),
        }),
        oscillate: record.table("oscillate").map(|shake| Oscillation {
            direction: shake.vector("direction"),
            amplitude: shake.number("amplitude"),
            frequency: shake.number("frequency"),
            phase: shake.number("phase"),
        }),
        belt: record.table("belt").map(|belt| belt.vector("velocity")).unwrap_or_default(),
    }
}

fn anisotropy(record: &Record) -> Anisotropy {
    Anisotropy {
        // a zero direction has been refused already
        direction: record.vector("direction").try_normalize(0.0).unwrap_or_default(),
        ratio: record.number("ratio"),
        rule: Rule::named(record.text("law").unwrap_or_default()),
    }
}

fn expectation(item: &Item) -> Expectation {
    let at = match item.record.parts.get("at") {
        Some(Piece::Moment(moment)) => *moment,
        _ => Moment::End,
    };
    Expectation {
        column: item.name.clone(),
        at,
        value: item.record.number("value"),
        tolerance: item.record.number("tolerance"),
        place: item.record.place,
    }
}
