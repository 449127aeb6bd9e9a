//! For each key, the tables of the scene language in which it may stand, for messages about
//! misplaced keys.

use super::keys::{PartContent, TableKeys};
use super::sections::{ROOT, SECTIONS, SELECTION};
use stiction_core::registry::{Key, Kind};

/// A place in the scene language where a key may stand, for messages and `explain`.
#[derive(Debug, Clone)]
pub struct Home {
    /// The key.
    pub key: &'static str,
    /// The table, in words: `[contact] friction with law = "threshold"`.
    pub table: String,
    /// The meaning of the key there.
    pub about: &'static str,
    /// Type, unit and range, for a plain value.
    pub kind: Option<Kind>,
}

/// Every key of the scene language with the table it belongs to.
pub fn homes() -> Vec<Home> {
    let mut homes = Vec::new();
    add_table(&ROOT, "the top of the file", &mut homes);
    for section in SECTIONS {
        let table = "the top of the file".into();
        homes.push(Home { key: section.name, table, about: section.about, kind: None });
        add_table(section.table, &section.header(), &mut homes);
    }
    homes
}

fn plain(key: &Key, table: String) -> Home {
    Home { key: key.name, table, about: key.about, kind: Some(key.kind) }
}

fn add_table(table: &'static TableKeys, path: &str, homes: &mut Vec<Home>) {
    homes.extend(table.keys.iter().map(|key| plain(key, path.into())));
    if let Some(tag) = table.tag {
        homes.push(Home { key: tag.key, table: path.into(), about: tag.about, kind: None });
        for row in (tag.rows.list)() {
            let inner = format!("{path} with {} = \"{}\"", tag.key, row.name);
            homes.extend(row.keys.iter().map(|key| plain(key, inner.clone())));
        }
    }
    for part in table.parts {
        homes.push(Home { key: part.name, table: path.into(), about: part.about, kind: None });
        let inner = format!("{path} {}", part.name);
        match part.content {
            PartContent::Table(table) => add_table(table, &inner, homes),
            PartContent::Variant(rows) => {
                for row in (rows.list)() {
                    let table = inner.clone();
                    homes.push(Home { key: row.name, table, about: row.about, kind: None });
                    let inner = format!("{inner} = {{ {} = {{ ... }} }}", row.name);
                    homes.extend(row.keys.iter().map(|key| plain(key, inner.clone())));
                }
            }
            PartContent::Selection => add_table(&SELECTION, &inner, homes),
            PartContent::Name(..) | PartContent::Moment | PartContent::TwoNames => {}
        }
    }
}
