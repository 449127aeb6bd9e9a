//! Lists the files of the friction exam that the program carries: its package and its questions.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

const FOLDERS: [&str; 3] = ["friction_exam", "friction_exam/engines", "questions"];

fn main() {
    let home = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("exam");
    let mut table = String::from(
        "/// Files of the exam: name and text.\npub const FILES: &[(&str, &str)] = &[\n",
    );
    for folder in FOLDERS {
        println!("cargo:rerun-if-changed=exam/{folder}");
        let mut names: Vec<String> = fs::read_dir(home.join(folder))
            .expect("the folder is part of the sources")
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| name.ends_with(".py") || name.ends_with(".toml"))
            .collect();
        names.sort();
        for name in names {
            // no absolute path: the folder of the project may move
            let path = format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/exam/{folder}/{name}\")");
            writeln!(table, "    ({:?}, include_str!({path})),", format!("{folder}/{name}"))
                .expect("a text can be written to");
        }
    }
    table += "];\n";
    let out = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("exam.rs"), table).expect("the folder for it exists");
}
