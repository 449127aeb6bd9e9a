//! `explain`: an error code, or any name in a scene.

use crate::cli::terminal::{self, Exit, Failure};
use crate::cli::{lookup, words};
use stiction_core::contact::collider::COLLIDERS;
use stiction_core::contact::friction::{FRICTION_LAWS, FrictionLaw, Slip};
use stiction_core::contact::material::{FRICTION_PAIRINGS, RESTITUTION_PAIRINGS};
use stiction_core::contact::normal::NORMAL_LAWS;
use stiction_core::diagnosis::forecast::FORECASTS;
use stiction_core::diagnosis::trust::{REASONS, WORDS};
use stiction_core::forces::elements::SOLID_LAWS;
use stiction_core::impulses::CONTACT_METHODS;
use stiction_core::integrators::INTEGRATORS;
use stiction_core::math::Vector;
use stiction_core::measures::MEASURES;
use stiction_core::registry::words::nearest;
use stiction_core::registry::{Entry, Fallback, Key, Kind, Table, Value};
use stiction_core::state::memory::Coefficients;
use stiction_core::world::shapes::SHAPES;
use stiction_engines::creep::ENGINES;
use stiction_scene::homes::{Home, homes};
use unicode_width::UnicodeWidthStr;

/// Options of `explain`.
#[derive(clap::Args)]
pub struct Options {
    /// A word that the program prints, a key of a scene, an error code such as E101, or the name of
    /// a law, integrator, shape, collider or measure
    #[arg(required = true, num_args = 1..)]
    name: Vec<String>,
}

/// Runs the verb; `program` has the commands.
pub fn explain(options: &Options, program: &clap::Command) -> Result<Exit, Failure> {
    let name = options.name.join(" ");
    let mut pages = pages(&name);
    let is = |known: &str| known.eq_ignore_ascii_case(&name);
    let command = program.get_subcommands().find(|command| is(command.get_name()));
    pages.extend(command.map(|command| {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        let name = command.get_name();
        format!(
            "{name} (command)\n{}\n",
            wrapped(&format!("{about}. Its options: `stiction {name} --help`."), "")
        )
    }));
    if is("help") {
        pages.push(
            "help (command)\nLists the commands; `stiction help COMMAND` its options.\n".into(),
        );
    }
    if pages.is_empty() {
        return Err(Failure::new(Exit::Usage, unknown(&name)));
    }
    terminal::print(&pages.join("\n"))?;
    Ok(Exit::Ok)
}

/// All pages on a name.
pub fn pages(name: &str) -> Vec<String> {
    let code = stiction_scene::codes::explain(name);
    let mut pages: Vec<String> =
        code.map(|c| format!("{}: {}\n{}\n", c.code, c.title, c.about)).into_iter().collect();
    // `stick lost` as `stick-lost`
    let word = name.trim().replace(' ', "-").to_ascii_lowercase();
    let reason = REASONS.iter().find(|reason| reason.name == word);
    pages
        .extend(reason.map(|kind| format!("{name} (reason not to trust a run)\n{}\n", kind.about)));
    let judged = stiction_engines::judge::KINDS.iter().find(|kind| kind.name == name);
    pages.extend(
        judged.map(|kind| format!("{name} (fault that `stiction judge` finds)\n{}\n", kind.about)),
    );
    let level = WORDS.iter().find(|kind| kind.name == word);
    pages.extend(level.map(|kind| format!("{name} (word of the verdict)\n{}\n", kind.about)));
    let told = FORECASTS.iter().find(|(kind, _)| *kind == name);
    pages.extend(told.map(|(_, about)| format!("{name} (told of a run before it)\n{about}\n")));
    for (what, laws) in [("friction", FRICTION_PAIRINGS), ("restitution", RESTITUTION_PAIRINGS)] {
        let law = laws.iter().find(|law| law.name == name);
        pages.extend(law.map(|law| format!("{name} (combine rule for {what})\n{}\n", law.about)));
    }
    let law = SOLID_LAWS.iter().find(|law| law.name == name);
    pages.extend(law.map(|law| format!("{name} (model of elastic solids)\n{}\n", law.about)));
    let kind = MEASURES.find(name);
    pages.extend(kind.map(|kind| format!("{name} (measure)\n{} [{}]\n", kind.about, kind.unit)));
    pages.extend(page("friction law", &FRICTION_LAWS, name, creep));
    pages.extend(page("integrator", &INTEGRATORS, name, |_| None));
    pages.extend(page("contact method", &CONTACT_METHODS, name, |_| None));
    pages.extend(page("normal law", &NORMAL_LAWS, name, |_| None));
    pages.extend(page("body shape", &SHAPES, name, |_| None));
    pages.extend(page("collider", &COLLIDERS, name, |_| None));
    pages.extend(page("engine of `stiction creep`", &ENGINES, name, |_| None));
    let words = lookup::find(name);
    pages.extend(words.iter().map(|(name, word)| format!("{name}\n{}\n", word.about)));
    pages.extend(keys(name));
    pages.iter().map(|page| folded(page)).collect()
}

/// A page whose lines fit the terminal; what is wrapped keeps its indentation.
fn folded(page: &str) -> String {
    let most = terminal::width().clamp(40, 100);
    let lines = page.lines().map(|line| match UnicodeWidthStr::width(line) <= most {
        true => line.to_string() + "\n",
        false => {
            let text = line.trim_start();
            wrapped(text, &line[..line.len() - text.len()]) + "\n"
        }
    });
    lines.collect()
}

/// The error of an unknown name, with the nearest known ones.
fn unknown(name: &str) -> String {
    let mut known: Vec<String> = words::all()
        .flat_map(|word| word.names.iter().map(|name| name.to_string()))
        .chain(homes().iter().map(|home| home.key.to_string()))
        .chain(REASONS.iter().map(|reason| reason.name.to_string()))
        .chain(stiction_engines::judge::KINDS.iter().map(|kind| kind.name.to_string()))
        .chain(MEASURES.iter().map(|kind| kind.name.to_string()))
        .chain(FRICTION_LAWS.iter().map(|row| row.name.to_string()))
        .chain(SOLID_LAWS.iter().map(|row| row.name.to_string()))
        .chain(INTEGRATORS.iter().map(|row| row.name.to_string()))
        .collect();
    known.sort();
    known.dedup();
    let mean = nearest(name, known.iter().map(String::as_str));
    let mean = mean.map_or(String::new(), |near| format!("did you mean `{near}`? "));
    format!(
        "nothing is called `{name}`; {mean}`stiction list` shows names of laws, methods and measures, `stiction reference` all keys of scenes, error codes look like E101"
    )
}

/// The keys of scenes with that name, or with a path such as `contact.friction.epsilon`, with their
/// tables.
fn keys(name: &str) -> Option<String> {
    let last = name.rsplit('.').next()?.trim();
    let all = homes();
    let named: Vec<&Home> = all.iter().filter(|home| home.key == last).collect();
    // for `contact.normal.stiffness` only tables with these names
    let fronts: Vec<&str> = name.split('.').rev().skip(1).collect();
    let within = |home: &&&Home| {
        fronts.iter().all(|front| front.parse::<usize>().is_ok() || home.table.contains(front))
    };
    let inner: Vec<&Home> = named.iter().filter(within).copied().collect();
    let found = if inner.is_empty() { named } else { inner };
    found.first()?;
    let mut text = format!("{last} (key of a scene)\n");
    let mut told: Vec<(String, Vec<&str>)> = Vec::new();
    for home in &found {
        let about = meaning(home);
        match told.iter_mut().find(|(known, _)| *known == about) {
            Some((_, tables)) => tables.push(&home.table),
            None => told.push((about, vec![&home.table])),
        }
    }
    for (about, tables) in told.iter().take(6) {
        text += &wrapped(about, "  ");
        let more = match tables.len() {
            1..=3 => tables.join("; "),
            n => format!("{}; and {} more", tables[..2].join("; "), n - 2),
        };
        text += &format!("\n{}\n", wrapped(&format!("in {more}"), "    "));
    }
    // if the name is that of a table
    for table in [format!("[{last}]"), format!("[[{last}]]")] {
        let own = all.iter().filter(|home| home.table == table).map(|home| home.key);
        let own: Vec<&str> = own.collect();
        if !own.is_empty() {
            text += &format!("{}\n", wrapped(&format!("{table} has {}", own.join(", ")), "  "));
        }
    }
    text += "  All keys: docs/scenes.md\n";
    Some(text)
}

/// The meaning of a key in one place, and its type.
fn meaning(home: &Home) -> String {
    let takes = home.kind.map_or(String::new(), |kind| format!(" It takes {}.", kind.expected()));
    format!("{}.{takes}", home.about.trim_end_matches('.'))
}

/// The page of a row: its description, and all sections with content.
fn page<T: ?Sized>(
    what: &str,
    table: &Table<Entry<T>>,
    name: &str,
    creep: impl Fn(&'static Entry<T>) -> Option<String>,
) -> Option<String> {
    let entry = table.find(name)?;
    let page = entry.page;
    let mut text = format!("{name} ({what})\n{}\n", wrapped(entry.about, ""));
    let mut section = |title: &str, body: String| {
        if !body.is_empty() {
            text += &format!("\n{title}\n{body}");
        }
    };
    section("Formula", page.formula.lines().map(|line| format!("  {line}\n")).collect());
    section("Parameters", parameters(entry.keys));
    let paragraph = |text: &str| match text {
        "" => String::new(),
        text => wrapped(text, "  ") + "\n",
    };
    section("Creep", paragraph(page.creep) + &creep(entry).unwrap_or_default());
    section("Stiffness", paragraph(page.stiffness));
    section("When to use it", paragraph(page.when));
    section("Source", paragraph(page.source));
    Some(text)
}

/// Parameters: name, type with unit and range, default and meaning.
fn parameters(keys: &[Key]) -> String {
    let line = |key: &Key| {
        let fallback = match key.default {
            Fallback::Required => "required".into(),
            Fallback::Optional(meaning) => format!("absent: {meaning}"),
            _ => format!("default {}", shown(key)),
        };
        let text = format!("{}: {}; {fallback}", key.about, key.kind.expected());
        format!("  {}\n{}\n", key.name, wrapped(&text, "      "))
    };
    keys.iter().map(line).collect()
}

/// The creep at three load ratios, computed from the law.
fn creep(entry: &'static Entry<dyn FrictionLaw>) -> Option<String> {
    let ratios = [0.1, 0.5, 0.9].map(|ratio| format!("at ρ = {ratio}: {}", creep_at(entry, ratio)));
    Some(format!("  {}\n", ratios.join(",  ")))
}

/// The creep of a law made from its defaults, with μ_s = μ_k = 1 and N = 1: in ε, or in μN/k if it
/// has no threshold.
pub fn creep_at(entry: &'static Entry<dyn FrictionLaw>, load_ratio: f64) -> String {
    let Ok(law) = entry.from_defaults() else { return "–".into() };
    let epsilon = law.threshold();
    let pair = Coefficients { static_friction: 1.0, kinetic_friction: 1.0 };
    match law.creep(load_ratio, 1.0, &pair) {
        Some(0.0) => "0".into(),
        Some(speed) if epsilon > 0.0 => format!("{:.4} ε", speed / epsilon),
        Some(speed) => format!("{speed:.4} μN/k"),
        _ => "–".into(),
    }
}

/// The text wrapped to the width of the terminal, with `indent` before each line.
fn wrapped(text: &str, indent: &str) -> String {
    let most = terminal::width().clamp(40, 100) - indent.chars().count();
    let mut lines: Vec<String> = Vec::new();
    let mut length = 0;
    for word in text.split(' ') {
        let more = UnicodeWidthStr::width(word);
        match lines.last_mut() {
            Some(line) if length + 1 + more <= most => {
                line.push(' ');
                line.push_str(word);
                length += 1 + more;
            }
            _ => {
                lines.push(format!("{indent}{word}"));
                length = more;
            }
        }
    }
    lines.join("\n")
}

fn shown(key: &Key) -> String {
    match key.default.value() {
        Some(Value::Number(x)) => match key.kind {
            Kind::Number { unit, .. } if !unit.is_empty() => format!("{x} {unit}"),
            _ => x.to_string(),
        },
        Some(Value::Integer(n)) => n.to_string(),
        Some(Value::Flag(b)) => b.to_string(),
        Some(Value::Text(s)) => s,
        Some(Value::Vector(v)) => format!("[{}, {}, {}]", v.x, v.y, v.z),
        _ => String::new(),
    }
}

/// The slope of |F| against speed at zero, in units of μN/ε, measured on the law; a law with
/// stretch shows its stiffness instead.
pub fn slope_at_zero(law: &dyn FrictionLaw) -> String {
    if law.stiffness() > 0.0 {
        return "spring k".into();
    }
    let pair = Coefficients { static_friction: 1.0, kinetic_friction: 1.0 };
    let epsilon = law.threshold();
    let speed = if epsilon > 0.0 { 1e-6 * epsilon } else { 1e-9 };
    let force = |speed: f64| {
        let slip = Slip { velocity: Vector::x() * speed, normal_force: 1.0, ..Slip::default() };
        law.force(&slip, &pair).norm()
    };
    let at_speed = force(speed);
    if at_speed == 0.0 {
        "0".into()
    } else if epsilon > 0.0 {
        format!("{:.3}", at_speed / speed * epsilon)
    } else if force(0.5 * speed) < 0.75 * at_speed {
        // proportional to the speed, with a coefficient of its own
        "damper k".into()
    } else {
        "∞".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction_core::registry::Page;

    const BIBLIOGRAPHY: &str = include_str!("../../../references.bib");

    /// The keys in square brackets.
    fn sources(text: &str) -> Vec<&str> {
        let starts = text.match_indices('[').map(|(at, _)| &text[at + 1..]);
        starts.filter_map(|rest| Some(&rest[..rest.find(']')?])).collect()
    }

    fn check(name: &str, page: &Page, sections: &[&str]) {
        for (number, section) in sections.iter().enumerate() {
            assert!(!section.is_empty(), "{name} says nothing in section {number} of its page");
        }
        for key in sources(page.source) {
            let entry = format!("{{{key},");
            assert!(BIBLIOGRAPHY.contains(&entry), "{name}: {key} is not in references.bib");
        }
    }

    #[test]
    fn every_law_has_a_whole_page_and_its_sources_exist() {
        for row in &FRICTION_LAWS {
            let page = &row.page;
            let Page { formula, creep, stiffness, when, source } = page;
            check(row.name, page, &[formula, creep, stiffness, when, source]);
            assert!(!sources(source).is_empty(), "{} names no source", row.name);
        }
        for row in &NORMAL_LAWS {
            let Page { formula, stiffness, when, source, .. } = &row.page;
            check(row.name, &row.page, &[formula, stiffness, when, source]);
            assert!(!sources(source).is_empty(), "{} names no source", row.name);
        }
        for row in &INTEGRATORS {
            check(row.name, &row.page, &[row.page.formula, row.page.when]);
        }
        for row in &COLLIDERS {
            check(row.name, &row.page, &[row.page.formula, row.page.when]);
        }
        for row in &ENGINES {
            let Page { formula, creep, stiffness, when, source } = &row.page;
            check(row.name, &row.page, &[formula, creep, stiffness, when, source]);
            assert!(!sources(source).is_empty(), "{} names no source", row.name);
        }
    }

    #[test]
    fn lines_are_broken_where_they_fit() {
        let text = wrapped(&"seven s ".repeat(30), "  ");
        for line in text.lines() {
            assert!(line.starts_with("  ") && line.chars().count() <= 100, "{line}");
        }
        assert_eq!(text.split_whitespace().count(), 60);
    }
}
