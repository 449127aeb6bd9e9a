//! The name of a law, a method or a shape stands in its own row, and nowhere else in the code:
//! where code depends on a law, it asks a property of the law, or names the row itself,
//! `threshold::ENTRY.name`. So no list of names stands above its table, and a registered law is
//! treated as one of the program's.

use crate::support::files::{files, home, is_for_tests};
use std::collections::BTreeSet;
use std::path::PathBuf;
use stiction_core::contact::collider::COLLIDERS;
use stiction_core::contact::friction::FRICTION_LAWS;
use stiction_core::contact::normal::NORMAL_LAWS;
use stiction_core::impulses::CONTACT_METHODS;
use stiction_core::integrators::INTEGRATORS;
use stiction_core::linear::SOLVERS;
use stiction_core::measures::MEASURES;
use stiction_core::registry::Named;
use stiction_core::world::shapes::SHAPES;
use stiction_engines::creep::ENGINES;

/// Folders of code.
const SOURCES: [&str; 8] = [
    "crates/core/src",
    "crates/scene/src",
    "crates/engines/src",
    "crates/lab/src",
    "crates/view/src",
    "src",
    "python/src",
    "web/src",
];

/// A table: its room, where each row has its file, and the names of its rows.
struct Names {
    room: &'static str,
    rows: Vec<&'static str>,
}

fn tables() -> Vec<Names> {
    fn of<R: Named>(room: &'static str, rows: &'static [R]) -> Names {
        Names { room, rows: rows.iter().map(R::name).collect() }
    }
    vec![
        of("crates/core/src/contact/friction", FRICTION_LAWS.built_in()),
        of("crates/core/src/contact/normal", NORMAL_LAWS.built_in()),
        of("crates/core/src/contact/collider", COLLIDERS.built_in()),
        of("crates/core/src/impulses", CONTACT_METHODS.built_in()),
        of("crates/core/src/integrators", INTEGRATORS.built_in()),
        of("crates/core/src/linear", SOLVERS.built_in()),
        of("crates/core/src/world/shapes", SHAPES.built_in()),
        of("crates/core/src/measures", MEASURES.built_in()),
        of("crates/engines/src/creep", ENGINES.built_in()),
    ]
}

/// Names that are words of something else too: of keys, JSON, messages, other formats. Such a
/// literal is a row's name where [`is_used_as_name`] says so; any other name is one wherever it
/// stands.
const ORDINARY: &[&str] = &[
    "box",
    "capsule",
    "creep",
    "cylinder",
    "disc",
    "displacement",
    "dissipated",
    "energy",
    "exact",
    "file",
    "formula",
    "kinetic",
    "lattice",
    "linear",
    "load-ratio",
    "mesh",
    "midpoint",
    "mujoco",
    "none",
    "particle",
    "penetration",
    "plane",
    "points",
    "position",
    "pressure",
    "ring",
    "slid",
    "slip",
    "speed",
    "sphere",
    "spin",
    "stiction",
    "stretch",
    "tanh",
    "turn",
    "velocity",
    "von-mises",
];

/// Files, or folders, that may write a name in this manner, with the reason.
const ALLOWED: [(&str, &str, &str); 5] = [
    ("crates/core/src/expression/graph.rs", ": \"tanh\"", "the function of formulas"),
    (
        "crates/lab/src/validation/",
        "",
        "a case is a scene, in a text or built, of one law and one method; what it holds them to goes by rows",
    ),
    (
        "crates/engines/src/creep/newton.rs",
        ": \"semi-implicit\"",
        "a solver of Newton's has the same name",
    ),
    ("python/src/laws.rs", ": \"threshold\"", "the attribute of a Python law that gives ε"),
    ("src/cli/verbs/creep.rs", " in a text", "the examples in the help of the command"),
];

/// A token: a word or number, a sign, or the content of a string literal.
#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(String),
    Sign(char),
    Text(String),
}

use Token::{Sign, Text, Word};

/// The tokens of a source with their lines; no comments, no lifetimes, no characters.
fn tokens(source: &str) -> Vec<(usize, Token)> {
    let chars: Vec<char> = source.chars().collect();
    let at = |k: usize| chars.get(k).copied().unwrap_or('\0');
    let (mut tokens, mut k, mut line) = (Vec::new(), 0, 1);
    while k < chars.len() {
        let (start, begin) = (k, line);
        let word = |c: char| c.is_alphanumeric() || c == '_';
        if at(k) == '/' && at(k + 1) == '/' {
            while k < chars.len() && at(k) != '\n' {
                k += 1;
            }
            continue;
        }
        if at(k) == '/' && at(k + 1) == '*' {
            while k < chars.len() && !(at(k) == '*' && at(k + 1) == '/') {
                k += 1;
            }
            k += 2;
        } else if at(k) == 'r' && matches!((at(k + 1), at(k + 2)), ('"', _) | ('#', '"' | '#')) {
            let marks = (k + 1..).take_while(|k| at(*k) == '#').count();
            let content = k + 2 + marks;
            let ends = |k: usize| at(k) == '"' && (1..=marks).all(|m| at(k + m) == '#');
            let end = (content..chars.len()).find(|k| ends(*k)).unwrap_or(chars.len());
            tokens.push((begin, Text(chars[content..end].iter().collect())));
            k = end + 1 + marks;
        } else if at(k) == '"' {
            let mut text = String::new();
            k += 1;
            while k < chars.len() && at(k) != '"' {
                if at(k) == '\\' {
                    k += 1;
                    text.push(if at(k) == 'n' { '\n' } else { at(k) });
                } else {
                    text.push(at(k));
                }
                k += 1;
            }
            k += 1;
            tokens.push((begin, Text(text)));
        } else if at(k) == '\'' {
            // a character, or a lifetime
            if at(k + 1) == '\\' {
                k += 3;
                while k < chars.len() && at(k - 1) != '\'' {
                    k += 1;
                }
                // the quotation mark itself
                if at(k) == '\'' {
                    k += 1;
                }
            } else if at(k + 2) == '\'' {
                k += 3;
            } else {
                k += 1;
            }
        } else if word(at(k)) {
            while word(at(k)) {
                k += 1;
            }
            tokens.push((begin, Word(chars[start..k].iter().collect())));
        } else {
            if !at(k).is_whitespace() {
                tokens.push((begin, Sign(at(k))));
            }
            k += 1;
        }
        line += chars[start..k.min(chars.len())].iter().filter(|c| **c == '\n').count();
    }
    tokens
}

/// The tokens without items that are compiled for tests only.
fn untested(tokens: Vec<(usize, Token)>) -> Vec<(usize, Token)> {
    let (mut kept, mut k) = (Vec::new(), 0);
    while k < tokens.len() {
        let next = |ahead: usize| tokens.get(k + ahead).map(|(_, token)| token);
        let is = |ahead: usize, word: &str| next(ahead) == Some(&Word(word.into()));
        if !(next(0) == Some(&Sign('#')) && is(2, "cfg") && is(4, "test")) {
            kept.push(tokens[k].clone());
            k += 1;
            continue;
        }
        let mut depth = 0;
        while k < tokens.len() {
            match &tokens[k].1 {
                Sign('{') => depth += 1,
                Sign('}') => depth -= 1,
                _ => {}
            }
            k += 1;
            let ended = matches!(tokens[k - 1].1, Sign('}' | ';'));
            if ended && depth == 0 {
                break;
            }
        }
    }
    kept
}

/// Words for the value that a name is compared with, `friction.name`, `shape`, `law`.
fn is_name(token: Option<&Token>) -> bool {
    const NAMES: [&str; 6] = ["name", "law", "shape", "method", "integrator", "solver"];
    matches!(token, Some(Word(word)) if NAMES.contains(&word.as_str()))
}

/// Whether the literal is used as the name of a row: compared with a name, asked for in a table,
/// matched against a name, or in a list with another name of the same table.
fn is_used_as_name(tokens: &[Token], k: usize, rows: &[&str]) -> bool {
    let back = |n: usize| k.checked_sub(n).map(|k| &tokens[k]);
    let ahead = |n: usize| tokens.get(k + n);
    let equals = |a: Option<&Token>, b: Option<&Token>| {
        matches!((a, b), (Some(Sign('=' | '!')), Some(Sign('='))))
    };
    if equals(back(2), back(1)) {
        let before = if back(3) == Some(&Sign(')')) { back(5) } else { back(3) };
        return is_name(before);
    }
    if equals(ahead(1), ahead(2)) {
        let path = tokens[k + 3..].iter().take_while(|token| matches!(token, Word(_) | Sign('.')));
        return is_name(path.last());
    }
    const ASKS: [&str; 4] = ["find", "contains", "starts_with", "ends_with"];
    let asked = matches!(back(2), Some(Word(word)) if ASKS.contains(&word.as_str()));
    asked && back(1) == Some(&Sign('(')) || is_listed(tokens, k, rows) || is_matched(tokens, k)
}

/// Whether the literal stands in brackets with another name of the same table.
fn is_listed(tokens: &[Token], k: usize, rows: &[&str]) -> bool {
    let inner = |token: &&Token| matches!(token, Text(_) | Sign(','));
    let others =
        tokens[..k].iter().rev().take_while(inner).chain(tokens[k + 1..].iter().take_while(inner));
    let open = tokens[..k].iter().rev().find(|token| !inner(token));
    let named = |token: &Token| matches!(token, Text(text) if rows.contains(&text.as_str()));
    let texts: Vec<&Token> = others.into_iter().filter(|token| **token != Sign(',')).collect();
    let of_table = texts.iter().filter(|token| named(token)).count();
    // half of the list at least
    open == Some(&Sign('[')) && of_table > 0 && 2 * (of_table + 1) > texts.len()
}

/// Whether the literal is a pattern of a `match` on a name.
fn is_matched(tokens: &[Token], k: usize) -> bool {
    // `=>` follows, with no more than a pattern between
    let arm = tokens[k + 1..].windows(2).find_map(|pair| match pair {
        [Sign('='), Sign('>')] => Some(true),
        [Text(_) | Sign('|' | ',' | ')' | '_') | Word(_), _] => None,
        _ => Some(false),
    });
    if arm != Some(true) {
        return false;
    }
    // the brace that it stands in, and the word `match` before that
    let mut depth = 0;
    let open = tokens[..k].iter().rposition(|token| {
        match token {
            Sign('}') => depth += 1,
            Sign('{') => depth -= 1,
            _ => {}
        }
        depth < 0
    });
    let Some(open) = open else { return false };
    let Some(start) = tokens[..open].iter().rposition(|token| *token == Word("match".into()))
    else {
        return false;
    };
    tokens[start..open].iter().any(|token| is_name(Some(token)))
}

/// Whether a text for `--set`, or the text of a scene, gives a law or a method this name.
fn is_set_in(text: &str, name: &str) -> bool {
    const KEYS: [&str; 4] = ["law", "method", "integrator", "linear_solver"];
    let is_sets = text.contains('\n') || !text.contains(' ');
    let mut found = text.match_indices(name).filter(|(at, _)| {
        let ends = text[at + name.len()..].chars().next();
        let before = text[..*at].trim_end_matches('"').trim_end();
        let key = before.strip_suffix('=').map(str::trim_end);
        let key =
            key.and_then(|key| key.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next());
        !ends.is_some_and(|c| c.is_alphanumeric() || c == '-')
            && key.is_some_and(|key| KEYS.contains(&key))
    });
    is_sets && found.next().is_some()
}

/// A file of code, from the home of the repository.
struct Source {
    path: String,
    tokens: Vec<(usize, Token)>,
}

fn sources() -> Vec<Source> {
    let home = home("");
    let all = SOURCES.iter().flat_map(|folder| files(&home.join(folder), "rs"));
    let source = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a file");
        let path = path.strip_prefix(&home).expect("inside").display().to_string();
        Source { path, tokens: untested(tokens(&text)) }
    };
    all.filter(|path| !is_for_tests(path)).map(source).collect()
}

/// The offences of a file: names of rows as literals, outside the files of these rows.
fn offences(source: &Source, tables: &[Names]) -> Vec<String> {
    let plain: Vec<Token> = source.tokens.iter().map(|(_, token)| token.clone()).collect();
    let mut found = Vec::new();
    for (k, (line, token)) in source.tokens.iter().enumerate() {
        let Text(text) = token else { continue };
        for table in tables.iter().filter(|table| !defines(&source.path, table, &plain, text)) {
            let is_row = table.rows.contains(&text.as_str());
            let named = is_row
                && (!ORDINARY.contains(&text.as_str()) || is_used_as_name(&plain, k, &table.rows));
            // `"rk4"`, `"rk45", adaptive = false`: the value of a key in TOML
            let value = text.strip_prefix('"').and_then(|text| text.split('"').next());
            let is_value = |name: &&&str| is_set_in(text, name) || value == Some(**name);
            let set = table.rows.iter().find(is_value);
            if named {
                found.push(format!("{}:{line}: \"{text}\"", source.path));
            } else if let Some(name) = set {
                found.push(format!("{}:{line}: {name} in a text", source.path));
            }
        }
    }
    found.dedup();
    found
}

/// Whether the file is that of the row `name` of a table.
fn defines(path: &str, table: &Names, tokens: &[Token], name: &str) -> bool {
    let row = [Word("name".into()), Sign(':'), Text(name.into())];
    let measure = [Sign('('), Text(name.into()), Sign(',')];
    path.starts_with(table.room) && tokens.windows(3).any(|three| three == row || three == measure)
}

#[test]
fn names_of_rows_stand_in_their_rows() {
    let (tables, sources) = (tables(), sources());
    let is =
        |line: &str, path: &str, manner: &str| line.starts_with(path) && line.ends_with(manner);
    let allowed = |line: &String| ALLOWED.iter().any(|(path, manner, _)| is(line, path, manner));
    let all: Vec<String> = sources.iter().flat_map(|source| offences(source, &tables)).collect();
    let wrong: Vec<&String> = all.iter().filter(|line| !allowed(line)).collect();
    assert!(sources.len() > 300 && tables.iter().map(|t| t.rows.len()).sum::<usize>() > 80);
    assert!(
        wrong.is_empty(),
        "names of rows in the code; ask a property of the row, or write `row::ENTRY.name`:\n{}",
        wrong.iter().map(|line| line.as_str()).collect::<Vec<_>>().join("\n")
    );
    for (path, manner, reason) in ALLOWED {
        assert!(all.iter().any(|line| is(line, path, manner)), "{path} needs no leave: {reason}");
    }
}

#[test]
fn every_row_has_its_file_and_ordinary_words_are_names_and_other_words() {
    let (tables, sources) = (tables(), sources());
    for table in &tables {
        let own: Vec<Vec<Token>> = (sources.iter())
            .filter(|source| source.path.starts_with(table.room))
            .map(|source| source.tokens.iter().map(|(_, token)| token.clone()).collect())
            .collect();
        for name in &table.rows {
            assert!(own.iter().any(|tokens| defines(table.room, table, tokens, name)), "{name}");
        }
    }
    let names: BTreeSet<&str> =
        tables.iter().flat_map(|table| table.rows.iter().copied()).collect();
    for word in ORDINARY {
        assert!(names.contains(word), "{word} is the name of no row");
        let uses = sources.iter().flat_map(|source| &source.tokens);
        let uses = uses.filter(|(_, token)| *token == Text(word.to_string())).count();
        let rows = tables.iter().filter(|table| table.rows.contains(word)).count();
        assert!(uses > rows, "{word} is nothing but a name, and needs no exception");
    }
}
