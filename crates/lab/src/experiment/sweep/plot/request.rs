//! The wishes for a picture of a sweep.

use super::super::collect::CollectedTable;

/// A requested picture.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Request {
    /// The key along x, or a column of numbers, whose rows are points.
    pub x: String,
    /// The key along y, for a heat map.
    pub y: Option<String>,
    /// The keys that distinguish lines: one for each combination of their values.
    pub by: Vec<String>,
    /// The keys that distinguish panels.
    pub panels_by: Vec<String>,
    /// The figure to draw.
    pub value: String,
    /// Other figures, drawn as thin lines beside the points.
    pub lines: Vec<String>,
    /// Whether error bars are left out.
    pub without_errors: bool,
    /// Whether the axes along x, y and the colours are logarithmic; chosen by the values if absent.
    pub logarithmic: Option<[bool; 3]>,
    /// Keys and columns held constant, with their values as typed.
    pub held: Vec<(String, String)>,
}

impl Request {
    /// The request with each key in full: of the varied `keys` the one that it names, or of which it is
    /// the end or the beginning, in whole parts ("epsilon", "integrator"). Along x and in what is held
    /// a column of the table may stand for a key, and comes first where it has that very name.
    pub(super) fn in_full(
        &self,
        keys: &[String],
        table: &CollectedTable,
    ) -> Result<Request, String> {
        let column = |name: &str| table.column(name).is_some();
        let numeric = |name: &str| {
            let cells = table.column(name).map_or(&[][..], |column| &column.cells);
            cells.iter().any(|cell| cell.number().is_some())
        };
        let key = |name: &String| match in_full(name, keys) {
            Err(_) if column(name) => Err(format!(
                "`{name}` is no varied key but a result: --value {name} draws it, --where {name}=… \
                 holds it. --y, --by and --panels-by take keys; varied are {}",
                keys.join(", ")
            )),
            found => found,
        };
        let any = |name: &str, known: &dyn Fn(&str) -> bool| {
            if known(name) { Ok(name.to_string()) } else { in_full(name, keys) }
        };
        let all = |names: &[String]| names.iter().map(key).collect::<Result<Vec<String>, String>>();
        let held = |(name, value): &(String, String)| Ok((any(name, &column)?, value.clone()));
        Ok(Request {
            x: any(&self.x, &numeric)?,
            y: self.y.as_ref().map(key).transpose()?,
            by: all(&self.by)?,
            panels_by: all(&self.panels_by)?,
            held: self.held.iter().map(held).collect::<Result<_, String>>()?,
            ..self.clone()
        })
    }

    /// The keys that are drawn beside x.
    pub(super) fn drawn(&self) -> impl Iterator<Item = &String> {
        self.y.iter().chain(&self.by).chain(&self.panels_by)
    }
}

/// The one of `keys` that is meant.
fn in_full(key: &str, keys: &[String]) -> Result<String, String> {
    let parts: [&dyn Fn(&str) -> bool; 3] = [
        &|known| known == key,
        &|known| known.strip_suffix(key).is_some_and(|before| before.ends_with('.')),
        &|known| known.strip_prefix(key).is_some_and(|after| after.starts_with('.')),
    ];
    for matches in parts {
        let found: Vec<&String> = keys.iter().filter(|known| matches(known)).collect();
        match found[..] {
            [] => {}
            [one] => return Ok(one.clone()),
            [one, other, ..] => return Err(format!("`{key}` may be {one} or {other}")),
        }
    }
    Err(format!("`{key}` is not varied; varied are {}", keys.join(", ")))
}
