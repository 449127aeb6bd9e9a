//! All files of a results folder with their arrays, shapes, types and units: the entry `files` of
//! `run.json`, and the tables of docs/results.md.

use crate::output::arrays::contact_rows::{self, FIELDS};
use crate::output::arrays::table::{PARTICLE_ARRAYS, RecordedWhen, recorded};
use crate::output::arrays::topology::{TOPOLOGY_ARRAYS, is_topology};
use crate::output::arrays::trajectory::{MEASURES, layout_of};
use crate::output::exports::frames::{PVD, is_frame};
use crate::output::folder::names::{DOCUMENT, JOURNAL};
use crate::run::Run;
use serde_json::{Map, Value, json};

/// The arrays of a run with type, unit, meaning and shape, which is in frames F, springs S,
/// triangles T, tetrahedra Q and rows of contacts C.
pub fn files(run: &Run) -> Value {
    let (model, output) = (&run.simulation().model, run.scene().output);
    let n = model.particles();
    let mut files = Map::new();
    let mut add = |file: String, shape: Value, dtype: &str, unit: &str, about: &str| {
        let entry = json!({ "shape": shape, "dtype": dtype, "unit": unit, "about": about });
        files.insert(file, entry);
    };
    for array in TOPOLOGY_ARRAYS {
        let (axis, inner) = array.shape;
        let mut shape = vec![if axis == "N" { json!(n) } else { json!(axis) }];
        shape.extend(inner.map(|n| json!(n)));
        add(array.file(), json!(shape), array.dtype, array.unit, array.about);
    }
    add("trajectory/time.npy".into(), json!(["F"]), "<f8", "s", "time of each frame");
    for array in recorded(output.contacts) {
        let mut shape = vec![json!("F")];
        shape.extend(array.inner(n).into_iter().map(|n| json!(n)));
        add(array.file(), json!(shape), "<f8", array.unit, array.about);
    }
    for array in recorded(output.contacts).filter(|array| !array.components.is_empty()) {
        files[&array.file()]["components"] = json!(array.components);
    }
    if output.contacts {
        let fields: Map<String, Value> = FIELDS
            .iter()
            .map(|field| {
                let about = json!({ "dtype": field.dtype, "count": field.count, "unit": field.unit, "about": field.about });
                (field.name.to_string(), about)
            })
            .collect();
        let about = "one row per contact and frame";
        let entry = json!({ "shape": ["C"], "fields": fields, "about": about });
        files.insert(contact_rows::FILE.into(), entry);
    }
    Value::Object(files)
}

/// Whether a run has a file of this name, other than manifest and checkpoints.
pub(crate) fn is_of_a_run(name: &str) -> bool {
    [MEASURES, DOCUMENT, JOURNAL, PVD].contains(&name)
        || layout_of(name, 0).is_some()
        || is_topology(name)
        || is_frame(name)
}

/// The tables of docs/results.md.
pub fn tables() -> String {
    let shape = |axes: &[String]| format!("({})", axes.join(", "));
    let dtype = |name: &str| match name {
        "<f8" => "float64",
        "<i4" => "int32",
        _ => "bool",
    };
    let mut text = String::from(
        "F: frames, N: particles in scene order, S: springs, T: surface triangles, Q: tetrahedra, C: contacts of all frames, one after the other. All numbers little-endian.\n\n| array | shape | dtype | unit | content |\n| --- | --- | --- | --- | --- |\n",
    );
    let mut row = |name: String, axes: &[String], kind: &str, unit: &str, about: &str| {
        text += &format!("| `{name}` | {} | {kind} | {unit} | {about} |\n", shape(axes));
    };
    row("trajectory/time.npy".into(), &["F".into()], "float64", "s", "time of each frame");
    for array in PARTICLE_ARRAYS {
        let mut axes = vec!["F".to_string(), "N".into()];
        if !array.components.is_empty() {
            axes.push(format!("{}: {}", array.components.len(), array.components.join(" ")));
        }
        let when =
            if array.recorded == RecordedWhen::Contacts { " (with `--contacts`)" } else { "" };
        row(array.file(), &axes, "float64", array.unit, &format!("{}{when}", array.about));
    }
    let about = "one row per contact and frame, its fields below (with `--contacts`)";
    row(contact_rows::FILE.into(), &["C".into()], "structured", "", about);
    for array in TOPOLOGY_ARRAYS {
        let mut axes = vec![array.shape.0.to_string()];
        axes.extend(array.shape.1.map(|n| n.to_string()));
        row(array.file(), &axes, dtype(array.dtype), array.unit, array.about);
    }
    text += "\n| field of `contacts.npy` | dtype | unit | content |\n| --- | --- | --- | --- |\n";
    for field in FIELDS {
        let count = if field.count > 1 { format!(" × {}", field.count) } else { String::new() };
        let kind = dtype(field.dtype);
        text +=
            &format!("| `{}` | {kind}{count} | {} | {} |\n", field.name, field.unit, field.about);
    }
    text
}
