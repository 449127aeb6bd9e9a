//! `import`: models of MuJoCo as scenes.

use assert_cmd::Command;
use std::path::Path;

fn stiction(arguments: &[&str], folder: &Path) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    command.current_dir(folder).env("NO_COLOR", "1");
    let output = command.args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn import(xml: &str) -> (i32, String, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("model.xml"), xml).unwrap();
    stiction(&["import", "model.xml"], folder.path())
}

const SLIDING: &str = r#"format = 1
world = { gravity = [0, 0, -10] }
time = { end = 0.4, step = 1e-3, output = 0.1 }
integrator = { method = "symplectic-euler" }
materials.wood = { static_friction = 0.5 }
contact = { method = "exact" }
[[body]]
name = "box"
mass = 3.0
rigid = true
shape = { lattice = { counts = [5, 3, 2], spacing = 0.2 } }
velocity = [1, 0, 0]
[[collider]]
name = "floor"
shape = { plane = {} }
"#;

/// The distance a box has slid, v²/(2 μ g) = .1 m.
fn distance(scene: &str, body: &str, folder: &Path) -> f64 {
    let measure = "[[measure]]\nname = \"way\"\nkind = \"displacement\"\ndirection = [1, 0, 0]\n";
    let text = format!("{scene}\n{measure}body = \"{body}\"\n");
    std::fs::write(folder.join("measured.toml"), text).unwrap();
    let arguments = ["run", "measured.toml", "--set", "time.end=0.4", "--out", body];
    let (code, out, errors) = stiction(&arguments, folder);
    assert_eq!(code, 0, "{out}{errors}");
    let table = std::fs::read_to_string(folder.join(body).join("measures.csv")).unwrap();
    let column = table.lines().next().unwrap().split(',').position(|c| c.starts_with("way"));
    let last = table.lines().last().unwrap().split(',').nth(column.unwrap()).unwrap();
    last.parse().unwrap()
}

/// A text of another encoding is a fault of the model.
#[test]
fn a_model_that_is_no_text_is_refused() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("a.xml"), b"<mujoco model=\"\xe9\"/>").unwrap();
    let (exit, _, said) = stiction(&["import", "a.xml"], home.path());
    assert!(exit == 4 && said.contains("utf-8"), "{exit}: {said}");
}

#[test]
fn a_sliding_box_goes_out_and_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("scene.toml"), SLIDING).unwrap();
    let arguments = ["export", "scene.toml", "--to", "mjcf", "-o", "model.xml"];
    assert_eq!(stiction(&arguments, path).0, 0);
    let (code, scene, errors) = stiction(&["import", "model.xml"], path);
    assert_eq!(code, 0, "{errors}");
    let (own, back) = (distance(SLIDING, "box", path), distance(&scene, "box_1", path));
    assert!((own - 0.1).abs() < 2e-3, "{own}");
    assert!((own - back).abs() < 1e-6, "{own} {back}");
}

#[test]
fn what_is_left_out_is_named_with_its_line() {
    let xml = "<mujoco>\n<worldbody>\n<body>\n<joint type=\"hinge\"/>\n<geom size=\"1\"/>\n<site/>\n</body>\n<body><freejoint/><geom size=\"1\"/></body></worldbody>\n<actuator>\n<motor/>\n</actuator>\n</mujoco>";
    let (code, scene, errors) = import(xml);
    assert_eq!(code, 0, "{errors}");
    for (line, tag) in [(4, "joint"), (6, "site"), (9, "actuator"), (10, "motor")] {
        assert!(errors.contains(&format!("model.xml:{line}: <{tag}>")), "{errors}");
        assert!(scene.contains(&format!("# left out: line {line}: <{tag}>")), "{scene}");
    }
}

#[test]
fn faults_have_a_place() {
    let geom = |attributes: &str| {
        format!("<mujoco>\n<worldbody>\n  <geom {attributes}/>\n</worldbody>\n</mujoco>")
    };
    for attributes in [
        "type=\"box\"",
        "size=\"nan\"",
        "size=\"1e400\"",
        "size=\"-1\"",
        "type=\"box\" size=\"1 1\"",
        "size=\"1\" quat=\"0 0 0 0\"",
        "size=\"1\" friction=\"-1\"",
    ] {
        let (code, _, errors) = import(&geom(attributes));
        assert_eq!(code, 4, "{attributes}: {errors}");
        assert!(errors.contains("model.xml:3:3: "), "{errors}");
    }
    let (code, _, errors) = import("<mujoco>\n<worldbody>\n</mujoco>");
    assert_eq!(code, 4, "{errors}");
    assert!(errors.contains("model.xml:3:"), "{errors}");
}

/// A body that moves freely, with other attributes.
fn free(attributes: &str) -> String {
    format!("<body><freejoint/><geom size=\"0.1\" {attributes}/></body>")
}

#[test]
fn what_check_would_refuse_is_not_written() {
    let model = |bodies: &str| format!("<mujoco>\n<worldbody>\n{bodies}\n</worldbody>\n</mujoco>");
    for (bodies, place, words) in [
        (free("").replace("0.1", "1e6"), "model.xml:3:19: ", "may exceed 1e15"),
        ("<geom size=\"1\"/>".into(), "model.xml:2:1: ", "no body moves"),
        (free("contype=\"0\" conaffinity=\"0\""), "model.xml:2:1: ", "no body moves"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("model.xml"), model(&bodies)).unwrap();
        let (code, _, errors) = stiction(&["import", "model.xml", "-o", "a.toml"], folder.path());
        assert_eq!(code, 4, "{errors}");
        assert!(errors.contains(place) && errors.contains(words), "{errors}");
        assert!(!folder.path().join("a.toml").exists(), "{bodies}");
    }
}

#[test]
fn geoms_of_one_friction_share_a_material_unless_a_pair_names_them() {
    let geom = |name: &str| format!("<geom name=\"{name}\" type=\"plane\" size=\"1 1 1\"/>");
    let xml = format!(
        "<mujoco><worldbody>{}{}{}{}</worldbody><contact><pair geom1=\"b\" geom2=\"d\" friction=\"0.2\"/></contact></mujoco>",
        geom("a"),
        geom("b"),
        geom("c"),
        free("name=\"d\""),
    );
    let (code, scene, errors) = import(&xml);
    assert_eq!(code, 0, "{errors}");
    let named: Vec<&str> = scene.lines().filter(|line| line.starts_with("[materials.")).collect();
    assert_eq!(named, ["[materials.m0]", "[materials.m1]", "[materials.m3]"]);
    assert!(scene.contains("materials = [\"m1\", \"m3\"]"), "{scene}");
}

#[test]
fn many_elements_are_refused() {
    let xml = format!("<mujoco><worldbody>{}</worldbody></mujoco>", "<a/>".repeat(1_000_001));
    let (code, _, errors) = import(&xml);
    assert!(code == 4 && errors.contains("more than 1000000 elements"), "{errors}");
}

/// Signs within quotation marks are no attributes.
#[test]
fn many_attributes_are_refused() {
    let geom = |attributes: &str| {
        let xml = "<mujoco><worldbody><geom type=\"plane\" size=\"1 1 1\" ATTRIBUTES/>BODY</worldbody></mujoco>";
        import(&xml.replace("ATTRIBUTES", attributes).replace("BODY", &free("")))
    };
    for quote in ["\"", "'"] {
        let (code, _, errors) = geom(&format!("name={quote}{}{quote}", "a=".repeat(2000)));
        assert_eq!(code, 0, "{errors}");
    }
    let many: String = (0..1000).map(|k| format!("a{k}=\"=\" ")).collect();
    let (code, _, errors) = geom(&many);
    assert!(code == 4 && errors.contains("more than 1000 attributes"), "{errors}");
}

/// A grid of a flexcomp: an elastic body of the same sides, mass and pinned corners, at a step that is stable.
#[test]
fn an_elastic_grid_of_a_flexcomp_becomes_an_elastic_body() {
    let xml = r#"<mujoco><option timestep="0.002" gravity="0 0 -10"/><worldbody>
        <geom type="plane" size="1 1 1"/>
        <flexcomp name="jelly" dim="3" count="3 4 5" spacing=".1 .1 .1" mass="2" radius=".01" pos="0 0 1" euler="0 0 90">
          <elasticity young="1e5" poisson="0.3" damping="0.001"/>
          <contact friction="0.7 0.01 0.01" selfcollide="none"/>
          <pin id="0" grid="2 3 4"/>
        </flexcomp></worldbody></mujoco>"#;
    let (code, scene, errors) = import(xml);
    assert_eq!(code, 0, "{errors}");
    for part in [
        "young = 100000.0",
        "poisson = 0.3",
        "damping = { time = 0.001 }",
        "static_friction = 0.7",
        "counts = [3, 4, 5]",
        "radius = 0.01",
        "particles = [0, 59]",
        "position = [0.0, 0.0, 0.8]",
    ] {
        assert!(scene.contains(part), "{part}: {scene}");
    }
    let step = scene.lines().find_map(|line| line.strip_prefix("step = ")).expect("a step");
    let parts = 0.002 / step.parse::<f64>().expect("a number");
    assert!(parts > 1.0 && (parts - parts.round()).abs() < 1e-9, "{step}");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("scene.toml"), &scene).unwrap();
    let run = ["run", "scene.toml", "--format", "json", "--set", "time.end=0.1"];
    let (code, document, errors) = stiction(&run, folder.path());
    assert_eq!(code, 0, "{document}{errors}");
    assert!(!document.contains("\"failed\""), "{document}");
}

/// A sheet and a line need a thickness; what is no grid, or has no Young's modulus, is left out.
#[test]
fn flexcomps_without_a_material_are_left_out() {
    let flex = |dim: u32, count: &str, inside: &str| {
        import(&format!(
            r#"<mujoco><worldbody><flexcomp name="f" dim="{dim}" count="{count}" spacing=".1 .1 .1">{inside}</flexcomp></worldbody></mujoco>"#
        ))
    };
    let sheet = r#"<elasticity young="1e6" poisson="0.2" thickness="0.002"/>"#;
    let (code, scene, errors) = flex(2, "4 3 1", sheet);
    assert!(code == 0 && scene.contains("cloth = { counts = [4, 3]"), "{errors}{scene}");
    assert!(scene.contains("thickness = 0.002"), "{scene}");
    let (code, scene, errors) = flex(1, "5 1 1", sheet);
    assert!(code == 0 && scene.contains("segments = 4"), "{errors}{scene}");
    let (code, _, errors) = flex(2, "4 3 1", r#"<elasticity young="1e6"/>"#);
    assert!(code == 4 && errors.contains("`thickness` is missing"), "{errors}");
    let (code, _, errors) = flex(3, "4 3 1", sheet);
    assert!(code == 4 && errors.contains("does not fit `dim` 3"), "{errors}");
    let (code, _, errors) = flex(2, "4 3 1", "");
    assert!(code == 4 && errors.contains("flexcomp grid with elasticity"), "{errors}");
    // of a sheet places in the grid have two numbers, and MuJoCo counts y fastest
    let pins = format!("{sheet}<pin gridrange=\"0 0 0 2\" grid=\"3 1\" id=\"10\"/>");
    let (code, scene, errors) = flex(2, "4 3 1", &pins);
    assert!(code == 0 && scene.contains("particles = [0, 4, 7, 8]"), "{errors}{scene}");
    assert!(scene.contains("`elastic2d`"), "{scene}");
    let (code, _, errors) =
        flex(3, "10000 10000 10000", &format!("{sheet}<pin range=\"0 999999999\"/>"));
    assert!(code == 4 && errors.contains("1e6 vertices at most"), "{errors}");
    let often = "0 11 ".repeat(100_000);
    let (code, _, errors) = flex(2, "4 3 1", &format!("{sheet}<pin range=\"{often}\"/>"));
    assert!(code == 4 && errors.contains("more than 1e6 vertices"), "{errors}");
    let (code, _, errors) = flex(2, "4 3 1", &format!("{sheet}<pin id=\"12\"/>"));
    assert!(code == 4 && errors.contains("beyond the grid"), "{errors}");
}
