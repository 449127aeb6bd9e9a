//! Output to the terminal: exit codes, messages, tables, progress.

pub use super::table::{is_narrower, keyed, prose, table, width};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
pub use stiction_core::math::number;
use stiction_lab::output::shell;
use stiction_lab::run::Observer;

/// Exit code of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Success.
    Ok = 0,
    /// A bug of the program.
    Internal = 1,
    /// The command line is wrong.
    Usage = 2,
    /// The scene is invalid.
    Scene = 3,
    /// A mesh or other input is invalid.
    Input = 4,
    /// Output could not be written.
    Output = 5,
    /// The simulation failed.
    Simulation = 6,
    /// Results or a checkpoint cannot be used.
    Unusable = 7,
    /// Existing files would be overwritten.
    Refused = 8,
    /// A limit would be exceeded.
    Limit = 9,
    /// Some runs of a sweep failed.
    FailedJobs = 10,
    /// An expectation was not met.
    Regression = 11,
    /// There is no display.
    NoDisplay = 12,
    /// A log has nothing that could be compared.
    NotJudged = 13,
    /// SIGHUP.
    HungUp = 129,
    /// SIGINT.
    Interrupted = 130,
    /// SIGTERM.
    Terminated = 143,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// Reason why a verb failed.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub exit: Exit,
    /// The whole message, possibly of several lines.
    pub message: String,
}

impl Failure {
    /// A failure with its message.
    pub fn new(exit: Exit, message: impl Into<String>) -> Self {
        Failure { exit, message: message.into() }
    }
}

/// Writes data to stdout; a closed pipe is not an error, anything else is.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::new(Exit::Output, format!("writing to standard output failed: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes a message to stderr; failure must not stop a run.
pub fn say(text: &str) {
    let mut err = anstream::stderr();
    let _ = writeln!(err, "{text}");
}

/// Writes a note to stderr, wrapped at the width of the terminal at stdout, which has the table that it
/// is about.
pub fn note(text: &str) {
    say(prose(0, text).trim_end());
}

/// Writes an error, with a prefix unless it already has one.
pub fn complain(message: &str) {
    if message.contains("error[") || message.contains("error:") {
        say(message.trim_end());
    } else {
        say(&format!("error: {}", message.trim_end()));
    }
}

/// "1 body", "2 bodies".
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Whether colours may be used on stderr.
pub fn colours() -> bool {
    std::io::stderr().is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
        && std::env::var_os("TERM").is_none_or(|t| t != "dumb")
}

/// The command as it was given, to be pasted into a shell.
pub fn command() -> String {
    let words = std::env::args_os().skip(1).map(|word| shell::word(&word.to_string_lossy()));
    std::iter::once("stiction".to_string()).chain(words).collect::<Vec<_>>().join(" ")
}

/// A word in colour; `print` leaves the colour out where stdout is no terminal.
pub fn coloured(word: &str, colour: anstyle::AnsiColor) -> String {
    let style = colour.on_default().bold();
    format!("{style}{word}{style:#}")
}

/// A progress bar that observes a run, and then the runs that verify it.
pub struct StepBar(pub indicatif::ProgressBar);

impl Observer for StepBar {
    fn progress(&mut self, step: u64) {
        self.0.set_position(step);
    }

    fn verifying(&mut self, run: &str, steps: u64) {
        self.0.set_message(run.to_string());
        self.0.set_length(steps);
        self.0.set_position(0);
    }
}

/// A progress bar on stderr over a number of steps, hidden without a terminal and for runs that
/// end at once.
pub fn progress(steps: u64, label: &str) -> indicatif::ProgressBar {
    bar(steps, label, "{msg} {wide_bar} {percent}% of {len} steps, {elapsed} of about {duration}")
}

/// As [`progress`], over a number of runs, of which several may go side by side.
pub fn progress_of_runs(runs: u64, label: &str) -> indicatif::ProgressBar {
    bar(runs, label, "{msg} {wide_bar} {pos} of {len} runs, {elapsed} of about {duration}")
}

fn bar(length: u64, label: &str, style: &str) -> indicatif::ProgressBar {
    let bar = if std::io::stderr().is_terminal() {
        indicatif::ProgressBar::new(length)
    } else {
        indicatif::ProgressBar::hidden()
    };
    if let Ok(style) = indicatif::ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    bar.set_message(label.to_string());
    bar
}
