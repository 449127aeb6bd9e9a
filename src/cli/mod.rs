//! The command line: `verbs/` has one file per verb. Data goes to stdout, messages to stderr.

mod accuracy;
mod causes;
pub mod failures;
mod figure;
mod lookup;
mod machine;
mod model;
mod panes;
mod profile;
mod recorded;
mod request;
mod results;
mod scene;
mod space;
mod summary;
mod table;
pub mod terminal;
pub mod verbs;
mod verify;
mod view;
#[cfg_attr(not(feature = "viewer"), path = "no_window.rs")]
mod window;
mod words;

use clap::{CommandFactory, Parser, Subcommand};
use std::process::ExitCode;
pub use terminal::{Exit, Failure};
use verbs::{
    check, compare, creep, exam, explain, export, import, inspect, judge, list, new, render, run,
    stiffness, sweep, tune, validate, watch,
};

/// Soft-body particle simulator with penalty-force friction: what a friction law, a threshold and
/// an integrator cost.
#[derive(Parser)]
#[command(name = "stiction", version, about, long_about = None, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Start with: stiction new first, then stiction run first.toml

Exit codes: 0 ok, 1 internal error, 2 usage, 3 scene invalid, 4 a mesh, a log or other input invalid,
5 output failed, 6 simulation failed, 7 results or checkpoint unusable, 8 refused (would overwrite),
9 over a limit, 10 runs of a sweep failed, 11 an expectation, a baseline or a budget was not met,
12 no display, 13 a log in which nothing can be judged, 129/130/143 stopped by SIGHUP, SIGINT, SIGTERM.";

#[derive(Subcommand)]
enum Command {
    /// Write a scene of your own to begin with: a slope, a drop, a gripper or a mesh
    New(new::Options),
    /// Run a scene without a window and say what happened
    Run(run::Options),
    /// Watch a scene in a window
    Watch(watch::Options),
    /// Draw a scene into a picture (.png) or a film (.gif, .apng, .mp4) without a display
    Render(render::Options),
    /// Run a scene under several integrators, steps and laws and compare them in a table
    Compare(compare::Options),
    /// Run a scene with some of its keys varied, on all cores, restartable; collect and plot what
    /// came out
    Sweep(sweep::Options),
    /// Say how stiff a scene is: the largest stable step of every integrator, what limits it, its
    /// price
    Stiffness(stiffness::Options),
    /// Say how fast an engine creeps under a load and which step it needs, by its formula
    Creep(creep::Options),
    /// Say what is wrong with a run of any engine, from its log
    Judge(judge::Options),
    /// Ask an engine the questions of the friction exam
    Exam(exam::Options),
    /// Find the cheapest law, ε, integrator and step that keep creep below a budget
    Tune(tune::Options),
    /// Run the cases whose answers are known: reference, measured, error, tolerance, verdict
    Validate(validate::Options),
    /// Check a scene; optionally show it with all defaults, or run it against its [expect]
    Check(check::Options),
    /// Inspect a results folder: every file against its checksum
    Inspect(inspect::InspectFolder),
    /// The former name of `inspect`
    #[command(hide = true)]
    Verify(inspect::InspectFolder),
    /// Salvage what is sound of a damaged results folder into a new one
    Repair(inspect::RepairFolder),
    /// Write a scene as another program's file
    Export(export::Options),
    /// Write MuJoCo's XML as a scene, and tell what of it a scene has no words for
    Import(import::Options),
    /// List integrators, laws, shapes, colliders, combine rules, measures, engines and scenes
    List(list::Options),
    /// Explain an error code, a law, an integrator or any other name
    Explain(explain::Options),
    /// Print the JSON Schema of scene files
    Schema,
    /// Print the scene reference (Markdown)
    Reference,
    /// Print a shell completion script
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

/// Parses the command line, runs the verb, and turns failures into messages and exit codes.
pub fn main() -> ExitCode {
    if std::env::args_os().len() <= 1 {
        let help = Arguments::command().render_help().ansi().to_string();
        return terminal::print(&help).map_or_else(|failure| failure.exit, |()| Exit::Ok).into();
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // help and version are answers, not errors
            let code = if error.use_stderr() { Exit::Usage } else { Exit::Ok };
            // a closed pipe is not an error
            let _ = error.print();
            return code.into();
        }
    };
    machine::report_panics();
    machine::ignore_file_size_signal();
    machine::end_without_memory();
    match std::panic::catch_unwind(|| dispatch(arguments.command)) {
        Ok(Ok(exit)) => exit.into(),
        Ok(Err(failure)) => {
            terminal::complain(&failure.message);
            failure.exit.into()
        }
        Err(_) => Exit::Internal.into(),
    }
}

/// The JSON Schema of scene files.
pub(crate) fn schema_text() -> String {
    let schema = stiction_scene::schema();
    serde_json::to_string_pretty(&schema).expect("a JSON value can be written") + "\n"
}

fn dispatch(command: Command) -> Result<Exit, Failure> {
    match command {
        Command::New(options) => new::new(&options),
        Command::Run(options) => run::run(&options),
        Command::Watch(options) => window::watch(&options),
        Command::Render(options) => render::render(&options),
        Command::Compare(options) => compare::compare(&options),
        Command::Sweep(options) => sweep::sweep(&options),
        Command::Stiffness(options) => stiffness::stiffness(&options),
        Command::Creep(options) => creep::creep(&options),
        Command::Judge(options) => judge::judge(&options),
        Command::Exam(options) => exam::exam(&options),
        Command::Tune(options) => tune::tune(&options),
        Command::Validate(options) => validate::validate(&options),
        Command::Check(options) => check::check(&options),
        Command::Inspect(options) => inspect::inspect(&options),
        Command::Verify(options) => {
            let folder = options.folder.display();
            terminal::say(&format!(
                "note: `verify {folder}` is `inspect {folder}`; error bars are the option --verify"
            ));
            inspect::inspect(&options)
        }
        Command::Repair(options) => inspect::mend(&options),
        Command::Export(options) => export::export(&options),
        Command::Import(options) => import::import(&options),
        Command::List(options) => list::list(&options),
        Command::Explain(options) => explain::explain(&options, &Arguments::command()),
        Command::Schema => {
            terminal::print(&schema_text())?;
            Ok(Exit::Ok)
        }
        Command::Reference => {
            terminal::print(&stiction_scene::reference())?;
            Ok(Exit::Ok)
        }
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "stiction", &mut script);
            terminal::print(&String::from_utf8_lossy(&script))?;
            Ok(Exit::Ok)
        }
        Command::Man => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Arguments::command())
                .render(&mut page)
                .map_err(|error| Failure::new(Exit::Internal, error.to_string()))?;
            terminal::print(&String::from_utf8_lossy(&page))?;
            Ok(Exit::Ok)
        }
    }
}
