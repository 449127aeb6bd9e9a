//! The scene language as JSON Schema (draft 2020-12), for editors that check and complete while
//! typing. Made from the tables of the reader.

use super::keys::{Absent, Choices, FORMAT, Form, KeyPart, PartContent, TableKeys, TableRow};
use super::sections::{ROOT, SECTIONS, SELECTION};
use super::values::LARGEST;
use serde_json::{Map, Value as Json, json};
use stiction_core::registry::{Fallback, Key, Kind, Range, Value};

/// The schema of a scene.
pub fn schema() -> Json {
    let mut properties = Map::new();
    let mut required = vec![json!("format")];
    for key in ROOT.keys {
        properties.insert(key.name.into(), key_schema(key));
    }
    properties.insert(
        "format".into(),
        json!({ "const": FORMAT, "description": "version of the scene language" }),
    );
    properties.insert(
        "include".into(),
        json!({ "type": "array", "items": { "type": "string" },
                "description": "scene files in the folder of this one, which are merged beneath it" }),
    );
    for section in SECTIONS {
        let table = table_schema(section.table);
        let about = section.about;
        let value = match section.form {
            Form::Single => with_description(table, about),
            Form::Repeated => json!({ "type": "array", "items": table, "description": about }),
            Form::Named => {
                json!({ "type": "object", "additionalProperties": table, "description": about })
            }
        };
        properties.insert(section.name.into(), value);
        let needed = section.table.keys.iter().any(|key| matches!(key.default, Fallback::Required));
        let tag_needed = section.table.tag.is_some_and(|tag| tag.default.is_none());
        if section.form == Form::Single && (needed || tag_needed) {
            required.push(json!(section.name));
        }
    }
    required.push(json!("body"));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "stiction scene, format 1",
        "description": "SI units, z up, angles in degrees",
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn with_description(mut schema: Json, about: &str) -> Json {
    if let Json::Object(map) = &mut schema {
        map.insert("description".into(), json!(about));
    }
    schema
}

fn object(properties: Map<String, Json>, required: Vec<Json>) -> Json {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// A table; with a tag, one alternative for every row.
fn table_schema(table: &'static TableKeys) -> Json {
    let Some(tag) = table.tag else {
        return row_schema(table, None, &[]);
    };
    let rows = (tag.rows.list)();
    let alternatives: Vec<Json> = rows
        .iter()
        .map(|row| {
            let optional = tag.default == Some(row.name);
            let value = json!({ "const": row.name, "description": row.about });
            row_schema(table, Some((tag.key, value, optional)), row.keys)
        })
        .collect();
    json!({ "oneOf": alternatives })
}

fn row_schema(
    table: &'static TableKeys,
    tag: Option<(&'static str, Json, bool)>,
    more: &'static [Key],
) -> Json {
    let mut properties = Map::new();
    let mut required = Vec::new();
    if let Some((key, value, optional)) = tag {
        properties.insert(key.into(), value);
        if !optional {
            required.push(json!(key));
        }
    }
    for key in table.keys.iter().chain(more) {
        properties.insert(key.name.into(), key_schema(key));
        if matches!(key.default, Fallback::Required) {
            required.push(json!(key.name));
        }
    }
    for part in table.parts {
        properties.insert(part.name.into(), part_schema(part));
        if part.absent == Absent::Required {
            required.push(json!(part.name));
        }
    }
    object(properties, required)
}

fn part_schema(part: &'static KeyPart) -> Json {
    let schema = match part.content {
        PartContent::Table(table) => table_schema(table),
        PartContent::Variant(rows) => variant_schema(rows),
        PartContent::Name(rows, default) => {
            let mut schema = json!({ "enum": rows.names() });
            if let (Json::Object(map), Some(default)) = (&mut schema, default) {
                map.insert("default".into(), json!(default));
            }
            schema
        }
        PartContent::Selection => {
            let mut table = row_schema(&SELECTION, None, &[]);
            if let Json::Object(map) = &mut table {
                map.insert("minProperties".into(), json!(1));
                map.insert("maxProperties".into(), json!(1));
            }
            json!({ "oneOf": [{ "const": "all" }, table] })
        }
        PartContent::Moment => {
            json!({ "oneOf": [{ "enum": ["end", "max", "min"] }, { "type": "number", "minimum": 0 }], "default": "end" })
        }
        PartContent::TwoNames => {
            json!({ "type": "array", "items": { "type": "string" }, "minItems": 2, "maxItems": 2 })
        }
    };
    let about = match part.absent {
        Absent::Nothing(text) => format!("{} (absent: {text})", part.about),
        _ => part.about.to_string(),
    };
    with_description(schema, &about)
}

/// `{ KIND = { ... } }`: exactly one of the rows.
fn variant_schema(rows: &'static Choices) -> Json {
    let mut properties = Map::new();
    for TableRow { name, about, keys } in (rows.list)() {
        let table = row_schema(&TableKeys::NONE, None, keys);
        properties.insert(name.into(), with_description(table, about));
    }
    let mut schema = object(properties, Vec::new());
    if let Json::Object(map) = &mut schema {
        map.insert("minProperties".into(), json!(1));
        map.insert("maxProperties".into(), json!(1));
    }
    schema
}

fn key_schema(key: &Key) -> Json {
    let mut schema = kind_schema(key.kind);
    let mut about = format!("{}: {}", key.about, key.kind.expected());
    if let Fallback::Optional(text) = key.default {
        about.push_str(&format!(" (absent: {text})"));
    }
    if let Json::Object(map) = &mut schema {
        map.insert("description".into(), json!(about));
        if let Some(default) = key.default.value() {
            map.insert("default".into(), value_json(&default));
        }
    }
    schema
}

fn value_json(value: &Value) -> Json {
    match value {
        Value::Number(x) => json!(x),
        Value::Integer(n) => json!(n),
        Value::Flag(flag) => json!(flag),
        Value::Text(text) => json!(text),
        Value::Vector(v) => json!([v.x, v.y, v.z]),
        Value::Numbers(list) => json!(list),
        Value::Integers(list) => json!(list),
        Value::Points(list) => json!(list),
        Value::Pairs(list) => json!(list),
        Value::Triples(list) => json!(list),
        Value::Texts(list) => json!(list),
        Value::Constants(constants) => json!(constants),
        Value::Vectors(list) => list.iter().map(|v| json!([v.x, v.y, v.z])).collect(),
    }
}

fn kind_schema(kind: Kind) -> Json {
    let list = |items: Json| json!({ "type": "array", "items": items });
    match kind {
        Kind::Number { range, .. } => number_schema(range),
        Kind::Integer { min, max } => json!({ "type": "integer", "minimum": min, "maximum": max }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Text => json!({ "type": "string" }),
        Kind::Texts => json!({ "oneOf": [
            { "type": "string" },
            { "type": "array", "items": { "type": "string" }, "minItems": 1, "maxItems": 2 },
        ] }),
        Kind::Word(words) => json!({ "enum": words }),
        Kind::Words(words) => {
            json!({ "oneOf": [{ "enum": words }, list(json!({ "enum": words }))] })
        }
        Kind::Vector { .. } => triple(number_schema(Range::Any)),
        Kind::Numbers { range, .. } => list(number_schema(range)),
        Kind::Vectors { .. } => list(triple(number_schema(Range::Any))),
        Kind::Counts => triple(json!({ "type": "integer", "minimum": 1 })),
        Kind::Integers => list(json!({ "type": "integer", "minimum": 0 })),
        Kind::Constants => json!({
            "type": "object",
            "propertyNames": { "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" },
            "additionalProperties": number_schema(Range::Any),
        }),
        Kind::Names => json!({ "oneOf": [
            { "type": "string" },
            { "type": "array", "items": { "type": "string" }, "minItems": 1 },
        ] }),
        Kind::Points => list(
            json!({ "type": "array", "items": number_schema(Range::Any), "minItems": 2, "maxItems": 2 }),
        ),
        Kind::Pairs => list(
            json!({ "type": "array", "items": { "type": "integer", "minimum": 0 }, "minItems": 2, "maxItems": 2 }),
        ),
        Kind::Triples => list(triple(json!({ "type": "integer", "minimum": 0 }))),
    }
}

fn triple(items: Json) -> Json {
    json!({ "type": "array", "items": items, "minItems": 3, "maxItems": 3 })
}

fn number_schema(range: Range) -> Json {
    match range {
        Range::Any => json!({ "type": "number", "minimum": -LARGEST, "maximum": LARGEST }),
        Range::Positive => json!({ "type": "number", "exclusiveMinimum": 0, "maximum": LARGEST }),
        Range::NonNegative => json!({ "type": "number", "minimum": 0, "maximum": LARGEST }),
        Range::Between(low, high) => json!({ "type": "number", "minimum": low, "maximum": high }),
    }
}
