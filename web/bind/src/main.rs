//! `stiction-web-bind IN.wasm OUT`: writes `engine.js` and `engine_bg.wasm` into a folder, for a
//! classic script rather than a module, since a page that is opened from a folder has no modules.

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(module), Some(folder)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: stiction-web-bind IN.wasm OUT");
        return ExitCode::from(2);
    };
    let mut bind = Bindgen::new();
    let chosen = bind.input_path(module).no_modules(true);
    let made = chosen.and_then(|bind| {
        bind.typescript(false)
            .remove_name_section(true)
            .remove_producers_section(true)
            .out_name("engine")
            .generate(folder)
    });
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
