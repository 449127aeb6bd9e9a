//! Tables of the scene language in which a key may stand, so that a misplaced key can be told
//! where it belongs.

use super::keys::{PartContent, TableKeys};
use super::sections::{ROOT, SECTIONS, SELECTION};

/// A place in the scene language where a key may stand, for "belongs in".
#[derive(Debug, Clone, PartialEq)]
pub struct Home {
    /// The key.
    pub key: &'static str,
    /// The table, in words: `[contact] friction with law = "threshold"`.
    pub table: String,
}

/// Every key of the scene language with the table it belongs to.
pub fn homes() -> Vec<Home> {
    let mut homes = Vec::new();
    gather(&ROOT, "the top of the file", &mut homes);
    for section in SECTIONS {
        homes.push(Home { key: section.name, table: "the top of the file".into() });
        gather(section.table, &section.header(), &mut homes);
    }
    homes
}

fn gather(table: &'static TableKeys, path: &str, homes: &mut Vec<Home>) {
    let mut add = |key: &'static str, table: String| homes.push(Home { key, table });
    for key in table.keys {
        add(key.name, path.into());
    }
    if let Some(tag) = table.tag {
        add(tag.key, path.into());
        for row in (tag.rows.list)() {
            for key in row.keys {
                add(key.name, format!("{path} with {} = \"{}\"", tag.key, row.name));
            }
        }
    }
    for part in table.parts {
        homes.push(Home { key: part.name, table: path.into() });
        let inner = format!("{path} {}", part.name);
        match part.content {
            PartContent::Table(table) => gather(table, &inner, homes),
            PartContent::Variant(rows) => {
                for row in (rows.list)() {
                    homes.push(Home { key: row.name, table: inner.clone() });
                    for key in row.keys {
                        homes.push(Home {
                            key: key.name,
                            table: format!("{inner} = {{ {} = {{ ... }} }}", row.name),
                        });
                    }
                }
            }
            PartContent::Selection => gather(&SELECTION, &inner, homes),
            PartContent::Name(..) | PartContent::Moment | PartContent::TwoNames => {}
        }
    }
}
