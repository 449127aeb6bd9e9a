//! The atlas: friction law × integrator × step × stiffness at rest, on four scenes.
//!
//! `cargo run --release --example atlas -- --out DIR` runs what is missing in DIR, draws the
//! figures and writes docs/atlas.md. With `--quick` a small part is run, and the page and the
//! figures stay in DIR.

mod figures;
mod judge;
mod page;
mod plan;
mod sweeps;

use std::error::Error;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (out, quick) = match words[..] {
        ["--out", out] => (PathBuf::from(out), false),
        ["--out", out, "--quick"] | ["--quick", "--out", out] => (PathBuf::from(out), true),
        _ => return Err("say where the results go: --out DIR, and --quick for a taste".into()),
    };
    let docs = if quick { out.clone() } else { PathBuf::from("docs") };
    let studies = plan::studies(quick);
    let surveys: Result<Vec<_>, _> =
        studies.iter().map(|study| sweeps::survey(study, &out)).collect();
    write(&surveys?, &docs)
}

fn write(surveys: &[judge::Survey<'_>], docs: &Path) -> Result<(), Box<dyn Error>> {
    figures::draw(surveys, &docs.join("figures"))?;
    let page = docs.join("atlas.md");
    std::fs::write(&page, page::text(surveys))?;
    eprintln!("wrote {}", page.display());
    Ok(())
}
