//! `list`: every table of the program, printed from the tables themselves.

use crate::cli::figure::FigureOptions;
use crate::cli::terminal::{self, Exit, Failure, table};
use std::fmt::Write;
use stiction_core::contact::collider::COLLIDERS;
use stiction_core::contact::friction::FRICTION_LAWS;
use stiction_core::contact::material::{CombineRule, FRICTION_PAIRINGS, RESTITUTION_PAIRINGS};
use stiction_core::contact::normal::NORMAL_LAWS;
use stiction_core::forces::elements::SOLID_LAWS;
use stiction_core::impulses::CONTACT_METHODS;
use stiction_core::integrators::{Capabilities, INTEGRATORS};
use stiction_core::measures::MEASURES;
use stiction_core::registry::{Entry, Key, Table};
use stiction_core::world::shapes::SHAPES;
use stiction_engines::creep::ENGINES;
use stiction_lab::output::plots::figure::picture::Picture;

/// Options of `list`.
#[derive(clap::Args)]
pub struct Options {
    /// Only this table
    #[arg(value_enum)]
    what: Option<ListedTable>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// For `list pairing`: also draw contours of every combine rule to this .svg or .png file, or .pdf
    /// in a build with the feature `pdf`
    #[arg(long, value_name = "FILE")]
    plot: Option<std::path::PathBuf>,
    /// Replace a file that is there already and was not drawn by this program
    #[arg(long, requires = "plot")]
    force: bool,
    #[command(flatten)]
    figure: FigureOptions,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
enum ListedTable {
    Integrators,
    Methods,
    #[value(alias = "laws")]
    Friction,
    Normal,
    Elastic,
    Pairing,
    Shapes,
    Colliders,
    Measures,
    Engines,
    Scenes,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// Aligned columns
    Table,
    /// A Markdown table, as in the README
    Markdown,
    /// JSON
    Json,
}

/// A listing: a heading, column names, rows.
pub struct Listing {
    /// The table it lists.
    pub title: &'static str,
    /// Column names.
    pub header: Vec<&'static str>,
    /// Rows.
    pub rows: Vec<Vec<String>>,
}

/// Runs the verb.
pub fn list(options: &Options) -> Result<Exit, Failure> {
    let all = [
        (ListedTable::Integrators, integrators as fn() -> Listing),
        (ListedTable::Methods, || entries("contact methods", &CONTACT_METHODS)),
        (ListedTable::Friction, friction),
        (ListedTable::Normal, || entries("normal laws", &NORMAL_LAWS)),
        (ListedTable::Elastic, elastic),
        (ListedTable::Pairing, pairing),
        (ListedTable::Shapes, || entries("body shapes", &SHAPES)),
        (ListedTable::Colliders, || entries("colliders", &COLLIDERS)),
        (ListedTable::Measures, measures),
        (ListedTable::Engines, || entries("engines", &ENGINES)),
        (ListedTable::Scenes, scenes),
    ];
    options.figure.check_use(options.plot.is_some())?;
    if let Some(path) = &options.plot {
        plot(options, path)?;
    }
    let chosen = all.iter().filter(|(what, _)| options.what.is_none_or(|w| w == *what));
    let listings: Vec<Listing> = chosen.map(|(_, make)| make()).collect();
    let mut text = String::new();
    match options.format {
        Format::Table => {
            for listing in &listings {
                let _ = writeln!(text, "{}\n{}", listing.title, in_columns(listing));
            }
        }
        Format::Markdown => {
            for listing in &listings {
                text += &markdown(listing);
            }
        }
        Format::Json => {
            let tables: serde_json::Map<_, _> =
                listings.iter().map(|l| (l.title.to_string(), json(l))).collect();
            text = serde_json::to_string_pretty(&tables).expect("a JSON value") + "\n";
        }
    }
    terminal::print(&text)?;
    Ok(Exit::Ok)
}

/// Draws contours of the combine rules; no other table has a figure.
fn plot(options: &Options, path: &std::path::Path) -> Result<(), Failure> {
    if options.what != Some(ListedTable::Pairing) {
        let message = "--plot draws the combine rules: stiction list pairing --plot FILE.svg";
        return Err(Failure::new(Exit::Usage, message));
    }
    let replaced = options.figure.check_file(path, options.force)?;
    let atlas = Picture::Atlas(stiction_lab::experiment::pairing::atlas());
    options.figure.write(&atlas, path, replaced)
}

/// Width from which a listing with a description of several columns is a table.
const WIDE: usize = 120;

/// A listing for people: a table, or, where descriptions would be columns of a few words, a paragraph a row.
fn in_columns(listing: &Listing) -> String {
    let Some(about) = listing.header.iter().position(|head| *head == "what it is") else {
        return table(&listing.header, &listing.rows);
    };
    if !terminal::is_narrower(WIDE) || listing.header.len() < 5 {
        return table(&listing.header, &listing.rows);
    }
    let mut text =
        terminal::prose(1, &format!("{} – {}", listing.header[0], listing.header[about]));
    for row in &listing.rows {
        let others = listing.header.iter().zip(row).enumerate();
        let others =
            others.filter(|(column, (_, cell))| ![0, about].contains(column) && !cell.is_empty());
        let others: Vec<String> =
            others.map(|(_, (head, cell))| format!("{head} {cell}")).collect();
        text += &terminal::prose(1, &format!("{} – {}", row[0], row[about]));
        text += &terminal::prose(4, &others.join(", "));
    }
    text
}

fn markdown(listing: &Listing) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let escape = |cell: &String| cell.replace('|', "\\|");
    let header: Vec<String> = listing.header.iter().map(|h| h.to_string()).collect();
    let mut text = line(&header) + &line(&vec!["---".to_string(); header.len()]);
    for row in &listing.rows {
        text += &line(&row.iter().map(escape).collect::<Vec<_>>());
    }
    text + "\n"
}

fn json(listing: &Listing) -> serde_json::Value {
    let object = |row: &Vec<String>| {
        let pairs = listing.header.iter().zip(row);
        pairs.map(|(name, cell)| (name.to_string(), cell.clone().into())).collect()
    };
    listing.rows.iter().map(object).collect::<Vec<serde_json::Map<_, _>>>().into()
}

fn keys(keys: &[Key]) -> String {
    keys.iter().map(|key| key.name).collect::<Vec<_>>().join(", ")
}

fn entries<T: ?Sized>(title: &'static str, table: &Table<Entry<T>>) -> Listing {
    let rows = table.iter().map(|e| vec![e.name.into(), e.about.into(), keys(e.keys)]).collect();
    Listing { title, header: vec!["name", "what it is", "keys"], rows }
}

fn integrators() -> Listing {
    let limit = |limit: Option<f64>| limit.map_or("none".into(), |x| format!("{x:.4}"));
    let rows = INTEGRATORS
        .iter()
        .map(|entry| {
            let method = entry.from_defaults().map(|method| method.capabilities());
            let [order, decay, oscillation] = match method {
                Ok(method) if method.adaptive => {
                    [method.order.to_string(), "adaptive".into(), "adaptive".into()]
                }
                Ok(Capabilities { order, decay_limit, oscillation_limit, .. }) => {
                    [order.to_string(), limit(decay_limit), limit(oscillation_limit)]
                }
                // a registered row whose keys have no defaults
                Err(_) => ["–"; 3].map(String::from),
            };
            let (name, about) = (entry.name.into(), entry.about.into());
            vec![name, about, order, decay, oscillation, keys(entry.keys)]
        })
        .collect();
    Listing {
        title: "integrators",
        header: vec!["name", "what it is", "order", "limit of h λ", "limit of h ω", "keys"],
        rows,
    }
}

/// Creep at three load ratios and the slope at zero, from the laws themselves.
fn friction() -> Listing {
    let rows = FRICTION_LAWS
        .iter()
        .map(|entry| {
            let law = entry.from_defaults();
            let creep = |ratio| super::explain::creep_at(entry, ratio);
            vec![
                entry.name.into(),
                entry.about.into(),
                creep(0.1),
                creep(0.5),
                creep(0.9),
                law.map_or("–".into(), |law| super::explain::slope_at_zero(law.as_ref())),
                keys(entry.keys),
            ]
        })
        .collect();
    Listing {
        title: "friction laws",
        header: vec![
            "name",
            "what it is",
            "creep at ρ = .1",
            "at .5",
            "at .9",
            "slope at 0",
            "keys",
        ],
        rows,
    }
}

fn elastic() -> Listing {
    let rows = SOLID_LAWS.iter().map(|law| vec![law.name.into(), law.about.into()]).collect();
    Listing { title: "models of elastic solids", header: vec!["name", "energy"], rows }
}

fn pairing() -> Listing {
    let of = |used: &str, laws: &[CombineRule]| -> Vec<Vec<String>> {
        let row = |law: &CombineRule| {
            let example = format!("{:.4}", (law.combine)(0.25, 0.75));
            vec![used.into(), law.name.into(), law.about.into(), example]
        };
        laws.iter().map(row).collect()
    };
    let mut rows = of("friction", FRICTION_PAIRINGS);
    rows.extend(of("restitution", RESTITUTION_PAIRINGS));
    Listing { title: "combine rules", header: vec!["for", "name", "f(x, y)", "f(.25, .75)"], rows }
}

fn measures() -> Listing {
    let rows = MEASURES
        .iter()
        .map(|kind| {
            let columns = if kind.vector { "_x _y _z, or one along `direction`" } else { "one" };
            vec![kind.name.into(), kind.about.into(), kind.unit.into(), columns.into()]
        })
        .collect();
    Listing { title: "measures", header: vec!["kind", "what it is", "unit", "columns"], rows }
}

/// The scene files in ./scenes with their titles.
fn scenes() -> Listing {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let folder = std::path::Path::new("scenes");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .map(|entries| entries.filter_map(|e| Some(e.ok()?.path())).collect())
        .unwrap_or_default();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|e| e == "toml")) {
        let title = match stiction_scene::load(path, &stiction_scene::LoadOptions::default()) {
            Ok(loaded) => loaded.scene.title,
            Err(_) => "(not a valid scene; see `stiction check`)".into(),
        };
        rows.push(vec![path.display().to_string(), title]);
    }
    if rows.is_empty() {
        rows.push(vec!["–".into(), "no folder `scenes` with .toml files here".into()]);
    }
    Listing { title: "scenes", header: vec!["file", "what to look at"], rows }
}
