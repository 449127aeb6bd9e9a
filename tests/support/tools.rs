//! Programs that some tests need and not every machine has.

use std::io::Write;
use std::process::{Command, Stdio};

/// Whether a test can go on that needs a tool. Where the tool is missing the test says so and is
/// skipped, which also goes to the file that `SKIPPED` names, as in `.ci/skip`; under `CI` it fails,
/// since a check that nobody sees being skipped is none.
pub fn at_hand(found: bool, missing: &str) -> bool {
    if !found {
        let checked = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
        assert!(!checked, "{missing}; under CI nothing is skipped");
        eprintln!("skipped: {missing}");
        if let Some(list) = std::env::var_os("SKIPPED").filter(|path| !path.is_empty()) {
            let list = std::fs::OpenOptions::new().append(true).create(true).open(list);
            let line = format!("a test: {missing}\n");
            list.expect("the list of what was skipped").write_all(line.as_bytes()).expect("a line");
        }
    }
    found
}

/// Whether a program can be started.
pub fn starts(program: &str, with: &str) -> bool {
    let mut command = Command::new(program);
    command.arg(with).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok()
}

/// The Python named by `STICTION_PYTHON`, which has `module`.
pub fn python(module: &str) -> Option<std::ffi::OsString> {
    let python = std::env::var_os("STICTION_PYTHON");
    let missing = format!("STICTION_PYTHON names no Python with {module}");
    at_hand(python.is_some(), &missing).then_some(python)?
}
