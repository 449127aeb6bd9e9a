//! Every kind of fault in the sources stands in a table, from which `explain` takes its page.

use crate::support::files::{files, home, is_for_tests};
use stiction_core::diagnosis::trust::REASONS;
use stiction_core::diagnosis::watch::FaultKind;
use stiction_engines::judge::KINDS;

/// Names of the kinds of faults that a source defines: each stands behind the call that makes it.
fn defined(source: &str) -> Vec<String> {
    let kinds = source.split(": FaultKind = FaultKind::").skip(1);
    kinds.map(|after| after.split('"').nth(1).unwrap_or("").to_string()).collect()
}

fn in_folder(folder: &str) -> Vec<String> {
    let sources = files(&home(folder), "rs").into_iter().filter(|path| !is_for_tests(path));
    let text = |path| std::fs::read_to_string(path).expect("a source");
    let mut all: Vec<String> = sources.flat_map(|path| defined(&text(path))).collect();
    all.sort();
    all
}

fn in_table(table: &[&FaultKind]) -> Vec<String> {
    let mut names: Vec<String> = table.iter().map(|kind| kind.name.to_string()).collect();
    names.sort();
    names
}

#[test]
fn every_kind_of_fault_stands_in_its_table() {
    assert_eq!(in_folder("crates/core/src"), in_table(REASONS), "`REASONS` of diagnosis/trust.rs");
    assert_eq!(in_folder("crates/engines/src"), in_table(KINDS), "`KINDS` of judge/mod.rs");
}

/// Elsewhere there is no table of them.
#[test]
fn no_other_crate_defines_kinds_of_faults() {
    for folder in
        ["crates/scene/src", "crates/lab/src", "crates/view/src", "src", "python/src", "web/src"]
    {
        assert_eq!(in_folder(folder), Vec::<String>::new(), "{folder}");
    }
}
