//! Limits on the number of tables.

use stiction_scene::diagnostics::FailureKind;
use stiction_scene::{LoadOptions, load_text};

#[test]
fn too_many_bodies_are_refused_at_once() {
    let text = format!("format = 1\n{}", "[[body]]\n".repeat(120_001));
    let folder = std::path::Path::new(".");
    let errors = load_text("s.toml", &text, folder, &LoadOptions::default());
    let errors = errors.expect_err("too many");
    assert_eq!(errors.kind, FailureKind::Limit);
    let message = errors.to_string();
    assert!(message.contains("over the limit: with 120001 [[body]]"), "{message}");
    assert!(message.contains("at most 120000 are read"), "{message}");
}
