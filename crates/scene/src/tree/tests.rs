//! The tree has what another parser of TOML finds.

use super::*;
use std::path::Path;

fn parsed(text: &str) -> (Option<Table>, Vec<String>) {
    let (tree, faults) = document::read(text, 0);
    (tree, faults.list.into_iter().map(|fault| fault.message).collect())
}

fn same(node: &Content, other: &toml::Value) -> bool {
    match (node, other) {
        (Content::Text(a), toml::Value::String(b)) => a == b,
        (Content::Integer(a), toml::Value::Integer(b)) => a == b,
        (Content::Float(a), toml::Value::Float(b)) => a == b,
        (Content::Unusable(_), toml::Value::Float(_)) => true,
        (Content::Date, toml::Value::Datetime(_)) => true,
        (Content::Flag(a), toml::Value::Boolean(b)) => a == b,
        (Content::List(a), toml::Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(&a.content, b))
        }
        (Content::Table(a), toml::Value::Table(b)) => same_tables(a, b),
        _ => false,
    }
}

fn same_tables(a: &Table, b: &toml::Table) -> bool {
    let found = |(key, value): (&String, &toml::Value)| {
        a.get(key).is_some_and(|entry| same(&entry.value.content, value))
    };
    a.entries.len() == b.len() && b.iter().all(found)
}

/// Every text of a folder and the folders in it.
fn texts(folder: &Path, into: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            texts(&path, into);
        } else if path.extension().is_some_and(|end| end == "toml") {
            into.extend(std::fs::read_to_string(&path));
        }
    }
}

const ODD: [&str; 3] = [
    "[a.b]\nc = 1\n[a]\nd = 2\n[[a.e]]\nx = 1\n[[a.e]]\n[a.e.f]\ny = 1\n",
    "a.b.c = 1\na.b.d = [1, [2.5, 'x'], { e.f = true, e.g = 1979-05-27 }]\n'q r'.s = 1\n",
    "a = \"\"\"x\\\n  y\"\"\"\nb = 0x1F\nc = 1_000\nd = '''z'''\n\"\\u00e4\" = -0.0\n",
];

#[test]
fn scenes_and_faults_are_read_as_by_another_parser() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all = Vec::new();
    ["scenes", "tests/corpus"].iter().for_each(|folder| texts(&home.join(folder), &mut all));
    all.extend(ODD.map(String::from));
    // more keys than are compared one by one
    all.push((0..100).map(|k| format!("k{k} = {k}\n")).collect());
    all.push((0..100).map(|k| format!("[t{k}]\nx.y = {k}\n")).collect());
    let mut sound = 0;
    for text in &all {
        let (tree, faults) = parsed(text);
        if forbidden_character(text, 0).is_some() {
            continue;
        }
        let errors = DeTable::parse_recoverable(text).1;
        let first = errors.first().map(toml::de::Error::message);
        assert_eq!(faults.first().map(String::as_str), first, "{text}");
        // numbers without a value are no faults of grammar
        if let Ok(table) = text.parse::<toml::Table>() {
            sound += 1;
            assert!(same_tables(&tree.expect("a small tree"), &table), "{text}");
        }
    }
    assert!(sound > 100, "{sound}");
}

#[test]
fn keys_written_twice_are_found() {
    let many: String = (0..100).map(|k| format!("k{k} = 1\n")).collect();
    for text in [
        "a = 1\na = 2\n",
        &format!("{many}k50 = 1\n"),
        "[a]\n[a]\n",
        "a.b = 1\n[a]\n",
        "[a.b]\n[a]\nb.c = 1\n",
        "a = { b = 1, b = 2 }\n",
        "a = { b.c = 1, b = 2 }\n",
        "a = { b = 1, b.c = 2 }\n",
        "[[a]]\n[a]\n",
        "a = [{}]\n[[a]]\n",
    ] {
        let error = text.parse::<toml::Table>().expect_err("a key twice");
        let faults = parsed(text).1;
        assert!(faults.iter().any(|f| f == error.message()), "{text}: {faults:?}, not {error}");
    }
}

#[test]
fn a_tree_that_takes_too_much_memory_is_refused() {
    let tables = |number: usize| format!("a = [{}]", "{b.c.d=1},".repeat(number));
    assert!(parsed(&tables(1000)).0.is_some());
    assert!(parsed(&tables(2_000_000)).0.is_none());
    assert!(parsed(&format!("a = [{}]", ",".repeat(40 << 20))).0.is_none());
}

#[test]
fn many_faults_are_counted() {
    let text = "= 1\n".repeat(5000);
    let (_, faults) = document::read(&text, 0);
    let number = DeTable::parse_recoverable(&text).1.len();
    assert_eq!((faults.list.len(), faults.list.len() + faults.more), (1000, number));
}
