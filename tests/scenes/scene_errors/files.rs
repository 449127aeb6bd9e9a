//! `--set`, includes, and files that cannot be read.

use super::*;

#[test]
fn set_changes_values_and_replaces_methods() {
    let text = with("method = \"rk4\"", "method = \"dopri5\"\nrtol = 1e-6");
    assert_eq!(set(&text, &["integrator.method=rk4"]).unwrap().integrator.name, "rk4");
    let scene = set(
        &text,
        &["body.box.mass=3", "body.0.velocity=[1, 2, 3]", "contact.friction.law=kinetic"],
    );
    let scene = scene.unwrap();
    assert_eq!((scene.bodies[0].mass, scene.bodies[0].velocity.z), (Some(3.0), 3.0));
    assert_eq!(scene.contact.friction.name, "kinetic");
    assert_eq!(set(&text, &["time.step = 1e-4"]).unwrap().time.steps, 10_000);
    for (change, code, column, word) in [
        ("integrator.rtoll=1", "E201", 12, "`rtol`"),
        ("body.bxo.mass=3", "E109", 6, "`box`"),
        ("body.box.mass=heavy", "E204", 15, "heavy"),
        ("body.box.mass", "E109", 1, "KEY=VALUE"),
        ("time.step=", "E109", 11, "no value"),
        ("time.step.x=1", "E109", 6, "nothing can be set"),
        ("=1", "E109", 1, "path"),
        ("time.step=nan", "E302", 11, "finite"),
    ] {
        let errors = set(&text, &[change]).unwrap_err();
        let printed = errors.to_string();
        let start = format!("error[{code}] --set:1:{column}: ");
        assert!(printed.starts_with(&start) && printed.contains(word), "{start} {word}\n{printed}");
    }
    // a key of another method is still an error when --set itself gives it
    assert!(set(&text, &["integrator.method=rk4", "integrator.rtol=1"]).is_err());
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).unwrap();
}

#[test]
fn includes_merge_beneath_and_errors_name_the_chain() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(
        root,
        "m.toml",
        "title = \"below\"\n[materials.ice]\nstatic_friction = 0.1\nrestitution = 0.5\n",
    );
    write(root, "b.toml", &format!("include = [\"m.toml\"]\n{BODY}"));
    let own = "[[body]]\nname = \"second\"\nmass = 1\nshape = { particle = {} }\n[materials.ice]\nstatic_friction = 0.2\n";
    let main = format!("format = 1\ninclude = [\"m.toml\", \"b.toml\"]\n{TIME}{METHOD}{own}");
    write(root, "scene.toml", &main);
    let scene = load(&root.join("scene.toml"), &LoadOptions::default())
        .unwrap_or_else(|e| panic!("{e}"))
        .scene;
    assert_eq!(scene.title, "below");
    assert_eq!(scene.bodies.iter().map(|b| b.name.as_str()).collect::<Vec<_>>(), ["box", "second"]);
    assert_eq!(
        (scene.materials[0].static_friction, scene.materials[0].restitution),
        (0.2, Some(0.5))
    );
    assert_eq!(scene.sources.len(), 3);

    write(root, "m.toml", "[materials.ice]\nstatic_friction = -1\n");
    let errors = load(&root.join("scene.toml"), &LoadOptions::default());
    assert!(errors.is_ok(), "the scene's own value wins over the wrong one beneath");
    write(root, "b.toml", "include = [\"m.toml\"]\n[[body]]\nmas = 1\n");
    let printed = load(&root.join("scene.toml"), &LoadOptions::default()).unwrap_err().to_string();
    assert!(printed.contains("b.toml:3:1") && printed.contains("included at"), "{printed}");
}

#[test]
fn includes_in_circles_too_deep_or_outside_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let message =
        |name: &str| load(&root.join(name), &LoadOptions::default()).unwrap_err().to_string();
    write(root, "a.toml", "include = [\"b.toml\"]");
    write(root, "b.toml", "include = [\"./c.toml\"]");
    write(root, "c.toml", "include = [\"a.toml\"]");
    let printed = message("a.toml");
    assert!(printed.contains("E108") && printed.contains("c.toml:1:12"), "{printed}");
    assert!(printed.contains("`b.toml` → `./c.toml`"), "{printed}");
    for n in 0..30 {
        write(root, &format!("d{n}.toml"), &format!("include = [\"d{}.toml\"]", n + 1));
    }
    assert!(message("d0.toml").contains("deeper than 16"));
    let wide: Vec<String> = (0..300).map(|n| format!("\"w{n}.toml\"")).collect();
    (0..300).for_each(|n| write(root, &format!("w{n}.toml"), "# nothing\n"));
    write(root, "wide.toml", &format!("include = [{}]", wide.join(", ")));
    let errors = load(&root.join("wide.toml"), &LoadOptions::default()).unwrap_err();
    assert_eq!((errors.kind, errors.count()), (FailureKind::Limit, 1), "{errors}");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc/passwd", root.join("link.toml")).unwrap();
        write(root, "s.toml", "include = [\"link.toml\"]");
        assert!(message("s.toml").contains("leads out"));
    }
}

#[test]
fn unreadable_paths_and_large_files() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let kind = |path: &Path| load(path, &LoadOptions::default()).unwrap_err().kind;
    assert_eq!(kind(root), FailureKind::Unreadable);
    assert_eq!(kind(Path::new("")), FailureKind::Unreadable);
    assert_eq!(kind(&root.join("missing.toml")), FailureKind::Unreadable);
    assert_eq!(kind(Path::new("/dev/zero")), FailureKind::Unreadable);
    let big = root.join("big.toml");
    std::fs::File::create(&big).unwrap().set_len((64 << 20) + 1).unwrap();
    assert_eq!(kind(&big), FailureKind::Limit);
}
