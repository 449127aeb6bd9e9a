//! The command line of `stiction`.

fn main() -> std::process::ExitCode {
    stiction::main()
}
