//! The whole program of `stiction`, which also knows the law: `own_law run scenes/held_block.toml`,
//! and so for every command.

fn main() -> std::process::ExitCode {
    own_law::register().expect("the only law of this name");
    stiction::main()
}
