//! Tetrahedral mesh files: good ones give the facts of the manifest, faulty ones a located error,
//! damaged ones never a panic, a hang or a silent part of a mesh.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use stiction_core::math::Vector;
use stiction_core::registry::{Value, Values};
use stiction_core::world::shapes::file::MeshFile;
use stiction_core::world::shapes::{Geometry, Masses, SHAPES};
use stiction_scene::mesh::{MeshError, TetMesh, parse_tets, path_inside, read_file};
use stiction_scene::mesh_body::{ShapeError, read};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/meshes")
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(name)).expect("a file of tests/meshes")
}

fn table(name: &str, key: &str) -> Vec<toml::Table> {
    let text = String::from_utf8(bytes(name)).expect("UTF-8");
    let table: toml::Table = text.parse().expect("TOML");
    let list = table[key].as_array().expect("a list");
    list.iter().map(|entry| entry.as_table().expect("a table").clone()).collect()
}

fn generate(folder: &Path, path: &str, scale: f64) -> Result<Geometry, ShapeError> {
    let entry = SHAPES.find("file").expect("the row");
    let values = Values::defaults(entry.keys)
        .set("path", Value::Text(path.to_string()))
        .set("scale", Value::Number(scale));
    read(&MeshFile::new(&values), &folder.into())
}

fn number(entry: &toml::Table, key: &str) -> f64 {
    let value = &entry[key];
    value.as_float().or_else(|| value.as_integer().map(|n| n as f64)).expect("a number")
}

fn close(found: f64, expected: f64, relative: f64) -> bool {
    (found - expected).abs() <= relative * expected.abs()
}

/// The volume inside a closed surface, positive when its triangles are counter-clockwise outside.
fn enclosed(points: &[Vector], surface: &[[u32; 3]]) -> f64 {
    let corner = |i: u32| points[i as usize];
    surface.iter().map(|&[a, b, c]| corner(a).dot(&corner(b).cross(&corner(c))) / 6.0).sum()
}

/// Whether every directed edge is met once by its reverse.
fn closed(surface: &[[u32; 3]]) -> bool {
    let mut edges = BTreeMap::new();
    for &[a, b, c] in surface {
        for edge in [(a, b), (b, c), (c, a)] {
            *edges.entry(edge).or_insert(0) += 1;
        }
    }
    edges.iter().all(|(&(a, b), &count)| edges.get(&(b, a)) == Some(&count))
}

/// Asserts what every accepted mesh must satisfy.
fn assert_sound(mesh: &TetMesh) {
    assert!(!mesh.tets.is_empty());
    assert!(mesh.points.iter().flatten().all(|x| x.is_finite()));
    assert!(mesh.volumes().all(|volume| volume > 0.0));
    let mut used = vec![false; mesh.points.len()];
    mesh.tets.iter().flatten().for_each(|&corner| used[corner as usize] = true);
    assert!(used.iter().all(|&used| used), "a point without a tetrahedron");
    assert!(closed(&mesh.surface));
    let total: f64 = mesh.volumes().sum();
    assert!(close(enclosed(&mesh.points, &mesh.surface), total, 1e-6));
}

#[test]
fn good_meshes_hold_what_the_manifest_says() {
    let entries = table("manifest.toml", "mesh");
    assert_eq!(entries.len(), 4);
    for entry in &entries {
        let name = entry["file"].as_str().expect("a name");
        let mesh = parse_tets(name, &bytes(name)).unwrap_or_else(|error| panic!("{error}"));
        assert_sound(&mesh);
        assert!(mesh.remarks.is_empty(), "{name}: {:?}", mesh.remarks);
        let edges = mesh.edges();
        assert_eq!(mesh.points.len() as f64, number(entry, "nodes"), "{name}");
        assert_eq!(mesh.tets.len() as f64, number(entry, "tets"), "{name}");
        assert_eq!(edges.len() as f64, number(entry, "edges"), "{name}");
        assert_eq!(mesh.surface.len() as f64, number(entry, "surface_triangles"), "{name}");
        let mut skin: Vec<u32> = mesh.surface.iter().flatten().copied().collect();
        skin.sort_unstable();
        skin.dedup();
        assert_eq!(skin.len() as f64, number(entry, "surface_vertices"), "{name}");

        let point = |i: u32| mesh.points[i as usize];
        let area: f64 = mesh
            .surface
            .iter()
            .map(|&[a, b, c]| 0.5 * (point(b) - point(a)).cross(&(point(c) - point(a))).norm())
            .sum();
        let lengths: Vec<f64> = edges.iter().map(|&[i, j]| (point(j) - point(i)).norm()).collect();
        let least = lengths.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = lengths.iter().copied().fold(0.0, f64::max);
        let spread: f64 = mesh.point_volumes().iter().sum();
        for (found, key) in [
            (mesh.volumes().sum(), "volume"),
            (spread, "volume"),
            (enclosed(&mesh.points, &mesh.surface), "volume"),
            (area, "area"),
            (least, "shortest_edge"),
            (greatest, "longest_edge"),
        ] {
            assert!(close(found, number(entry, key), 1e-8), "{name}: {key} is {found}");
        }
        for (key, pick) in [("min", f64::min as fn(f64, f64) -> f64), ("max", f64::max)] {
            let corner = mesh.points.iter().copied().reduce(|a, b| a.zip_map(&b, pick));
            let corner = corner.expect("points");
            for (k, expected) in entry[key].as_array().expect("a corner").iter().enumerate() {
                let expected = expected.as_float().expect("a number");
                assert!((corner[k] - expected).abs() < 1e-9, "{name}: {key} {corner}");
            }
        }
    }
}

#[test]
fn both_gmsh_versions_give_the_same_mesh() {
    let [new, old] = ["brick.msh", "brick.v22.msh"]
        .map(|name| parse_tets(name, &bytes(name)).unwrap_or_else(|error| panic!("{error}")));
    assert_eq!(new.points, old.points);
    assert_eq!(new.tets, old.tets);
}

#[test]
fn faulty_and_odd_files_are_treated_as_the_index_says() {
    let entries = table("index.toml", "file");
    assert_eq!(entries.len(), 33);
    for entry in &entries {
        let name = entry["path"].as_str().expect("a path");
        let expected = entry["expected"].as_str().expect("a word");
        match parse_tets(name, &bytes(name)) {
            Ok(mesh) => {
                assert_ne!(expected, "error", "{name} was read");
                assert_sound(&mesh);
                assert_eq!(mesh.points.len() as f64, number(entry, "nodes"), "{name}");
                assert_eq!(mesh.tets.len() as f64, number(entry, "tets"), "{name}");
                let volume: f64 = mesh.volumes().sum();
                assert!(close(volume, number(entry, "volume"), 1e-9), "{name}: {volume}");
            }
            Err(error) => {
                assert_ne!(expected, "accepted", "{error}");
                assert_mentions(name, &error, &entry["mention"]);
            }
        }
    }
}

fn assert_mentions(name: &str, error: &MeshError, mention: &toml::Value) {
    assert_eq!(error.file, name);
    assert!(!error.help.is_empty());
    let line = error.line.map_or(String::new(), |line| format!("line {line}"));
    let message = format!("{} {line} {}", error.message, error.help).to_lowercase();
    for group in mention.as_array().expect("groups") {
        let texts = group.as_array().expect("texts");
        let said = texts.iter().filter_map(|text| text.as_str()).any(|text| holds(&message, text));
        assert!(said, "{name}: {message:?} mentions none of {texts:?}");
    }
}

/// Whether a text occurs, a number not as part of a longer one.
fn holds(message: &str, text: &str) -> bool {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    message.match_indices(text).any(|(at, _)| {
        let before = message[..at].chars().next_back();
        let after = message[at + text.len()..].chars().next();
        let longer_before = digit(text.chars().next()) && digit(before);
        let longer_after = digit(text.chars().next_back()) && digit(after);
        !longer_before && !longer_after
    })
}

#[test]
fn errors_of_a_place_name_its_line() {
    // line numbers from counting in the files themselves
    for (name, line) in [
        ("msh22_unknown_node.msh", 31),
        ("msh22_inverted_tet.msh", 29),
        ("msh22_flat_tet.msh", 29),
        ("msh22_nan_node.msh", 14),
        ("msh22_truncated_nodes.msh", 17),
        ("msh41_truncated_elements.msh", 94),
        ("msh22_text_before.msh", 1),
        ("vtk_index_out_of_range.vtk", 21),
    ] {
        let error = parse_tets(name, &bytes(name)).expect_err(name);
        assert_eq!(error.line, Some(line), "{error}");
        assert!(error.to_string().starts_with(&format!("{name}:{line}")), "{error}");
    }
}

#[test]
fn an_orphan_node_is_dropped_aloud() {
    let mesh = parse_tets("a.msh", &bytes("msh22_orphan_node.msh")).expect("a mesh");
    assert_eq!(mesh.remarks, ["1 node belongs to no tetrahedron and was left out"]);
    assert!(parse_tets("a.msh", &bytes("msh22_good.msh")).expect("a mesh").remarks.is_empty());
}

/// The mesh of damaged bytes, or `None` for an error, the only other permitted outcome.
fn read_damaged(name: &str, damaged: &[u8]) -> Option<TetMesh> {
    match parse_tets(name, damaged) {
        Ok(mesh) => {
            assert_sound(&mesh);
            Some(mesh)
        }
        Err(error) => {
            assert!(!error.message.is_empty() && !error.help.is_empty());
            if let Some(line) = error.line {
                let lines = 1 + damaged.iter().filter(|&&byte| byte == b'\n').count();
                assert!((1..=lines).contains(&line), "{error} of {lines} lines");
            }
            None
        }
    }
}

const SMALL: [&str; 4] =
    ["msh22_good.msh", "msh41_good.msh", "vtk42_one_number_a_line_valid.vtk", "cube51.vtk"];

#[test]
fn a_file_cut_anywhere_is_an_error_or_the_whole_mesh() {
    for name in SMALL {
        let whole = bytes(name);
        let mesh = parse_tets(name, &whole).unwrap_or_else(|error| panic!("{error}"));
        for end in 0..whole.len() {
            if let Some(part) = read_damaged(name, &whole[..end]) {
                assert_eq!(part, mesh, "{name} cut at {end}");
                assert!(whole[end..].iter().all(u8::is_ascii_whitespace), "{name} cut at {end}");
            }
        }
    }
}

#[test]
fn a_file_with_any_bit_flipped_is_an_error_or_a_sound_mesh() {
    for name in SMALL {
        let mut damaged = bytes(name);
        for at in 0..damaged.len() {
            for bit in 0..8 {
                damaged[at] ^= 1 << bit;
                read_damaged(name, &damaged);
                damaged[at] ^= 1 << bit;
            }
        }
    }
}

#[test]
fn announced_counts_are_never_allocated() {
    for count in ["99999999999999", "18446744073709551615"] {
        for text in [
            format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{count}\n1 0 0 0\n"),
            format!(
                "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n{count} {count} 1 2\n0 1 0 {count}\n"
            ),
            format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Elements\n1\n1 4 {count} 1 1\n"),
        ] {
            assert!(parse_tets("a.msh", text.as_bytes()).is_err());
        }
        let head = "# vtk DataFile Version 5.1\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n";
        let point = format!("{head}POINTS 1 double\n0 0 0\n");
        for text in [
            format!("{head}POINTS {count} double\n0 0 0\n"),
            format!("{point}CELLS {count} {count}\n4 0 0 0 0\n"),
            format!("{point}CELLS 1 5\n{count} 0 0 0 0\n"),
            format!("{point}CELLS 2 {count}\nOFFSETS vtktypeint64\n0 {count}\nCONNECTIVITY x\n0\n"),
            format!("{point}FIELD f {count}\na {count} {count} double\n"),
            format!("{point}FIELD f 1\na 1 {count} string\n"),
        ] {
            assert!(parse_tets("a.vtk", text.as_bytes()).is_err());
        }
    }
}

#[test]
fn what_is_no_mesh_is_named() {
    let mesh = bytes("msh22_good.msh");
    let vtk = bytes("sphere.vtk");
    let cases: [(&str, &[u8], &str); 9] = [
        ("a.msh", b"", "empty"),
        ("a.msh", &bytes("gzip.obj"), "gzip"),
        ("a.vtk", &bytes("html.stl"), "html"),
        ("a.msh", b"\xff\xfe$\0M\0", "utf-16"),
        ("a.vtk", &mesh, "gmsh"),
        ("a.msh", &vtk, "vtk"),
        ("a.obj", b"v 0 0 0\n", "surface"),
        ("a.txt", &mesh, "extension"),
        ("mesh", &mesh, "extension"),
    ];
    for (name, content, word) in cases {
        let error = parse_tets(name, content).expect_err(name);
        assert!(error.to_string().to_lowercase().contains(word), "{error}");
    }
    assert!(parse_tets("A.MSH", &mesh).is_ok());
    assert!(parse_tets("a.msh", &[b"\xef\xbb\xbf".as_slice(), &mesh].concat()).is_ok());
    let crlf = String::from_utf8(mesh).expect("ASCII").replace('\n', "\r\n");
    assert!(parse_tets("a.msh", crlf.as_bytes()).is_ok());
}

/// The good mesh after one change of its text.
fn changed(from: &str, to: &str) -> Result<TetMesh, MeshError> {
    let text = String::from_utf8(bytes("msh22_good.msh")).expect("ASCII");
    assert!(text.contains(from));
    parse_tets("a.msh", text.replacen(from, to, 1).as_bytes())
}

#[test]
fn overlapping_and_degenerate_tetrahedra_are_refused() {
    let error = changed("2 4 2 1 1 9 13 12 11", "2 4 2 1 1 12 9 11 14").expect_err("a duplicate");
    assert!(error.message.contains("overlap"), "{error}");
    assert_eq!(error.line, Some(28));
    let error = changed("2 4 2 1 1 9 13 12 11", "2 4 2 1 1 9 13 12 9").expect_err("a corner twice");
    assert!(error.message.contains("twice"), "{error}");
    let error = changed("5 0.1 -0.1 0.2", "5 0,1 -0.1 0.2").expect_err("a comma");
    assert!(error.help.contains("comma"), "{error}");
    assert_eq!((error.line, error.column), (Some(14), Some(3)));
    let error = changed("5 0.1 -0.1 0.2", "5 1e400 -0.1 0.2").expect_err("beyond all numbers");
    assert!(error.message.contains("1e400"), "{error}");
}

#[test]
fn node_numbers_are_arbitrary() {
    let plain = parse_tets("a.msh", &bytes("msh22_good.msh")).expect("a mesh");
    // node 14 is called 7000000000 throughout
    let text = String::from_utf8(bytes("msh22_good.msh")).expect("ASCII");
    let (head, elements) = text.split_once("$Elements\n24\n").expect("elements");
    let head = head.replace("\n14 0 0 0.2", "\n7000000000 0 0 0.2");
    let elements: Vec<String> = elements
        .lines()
        .map(|line| {
            let words = line.split(' ').enumerate();
            let words = words.map(|(k, w)| if k > 4 && w == "14" { "7000000000" } else { w });
            words.collect::<Vec<_>>().join(" ")
        })
        .collect();
    let text = format!("{head}$Elements\n24\n{}\n", elements.join("\n"));
    assert_eq!(parse_tets("a.msh", text.as_bytes()).expect("a mesh"), plain);
}

#[test]
fn vtk_dialects_and_asides_give_the_same_mesh() {
    let old = parse_tets("a.vtk", &bytes("vtk42_one_number_a_line_valid.vtk")).expect("a mesh");
    let new = parse_tets("a.vtk", &bytes("cube51.vtk")).expect("a mesh");
    assert_eq!(old, new);
    let text = String::from_utf8(bytes("cube51.vtk")).expect("ASCII");
    let aside =
        "FIELD FieldData 2\nTIME 1 1 double\n0.5\nnotes 1 2 string\nPOINTS one\ntwo\nPOINTS 14";
    let text = text.replacen("POINTS 14", aside, 1);
    let text = text.replacen("CELLS 25", "METADATA\nINFORMATION 0\n\nCELLS 25", 1);
    let text = format!("{text}\nPOINT_DATA 14\nSCALARS t float\n");
    assert_eq!(parse_tets("a.vtk", text.as_bytes()).expect("a mesh"), new);
}

#[test]
fn a_body_takes_particles_springs_masses_and_skin_from_the_file() {
    let body = generate(&folder(), "brick.msh", 1.0).expect("a body");
    assert_eq!(body.positions.len(), 542);
    assert_eq!(body.links.len(), 2803);
    assert_eq!(body.triangles.len(), 808);
    assert!(body.links.windows(2).all(|pair| (pair[0].i, pair[0].j) < (pair[1].i, pair[1].j)));
    assert!(body.links.iter().all(|link| link.i < link.j));
    let Masses::ByVolume(volumes) = &body.masses else { panic!("{:?}", body.masses) };
    assert!(close(volumes.iter().sum(), 0.0012884375, 1e-9));

    let doubled = generate(&folder(), "brick.msh", 2.0).expect("a body");
    assert_eq!(doubled.positions[7], 2.0 * body.positions[7]);
    let Masses::ByVolume(volumes) = &doubled.masses else { panic!("{:?}", doubled.masses) };
    assert!(close(volumes.iter().sum(), 8.0 * 0.0012884375, 1e-9));
    for scale in [1e-200, 1e20] {
        let error = generate(&folder(), "brick.msh", scale).expect_err("a scale beyond all use");
        assert!(matches!(&error, ShapeError::Scene(problem) if problem.key == Some("scale")));
    }
}

#[test]
fn paths_stay_inside_the_folder() {
    for path in
        ["/etc/passwd", "../meshes/brick.msh", "~/a.msh", "", " ", "a\0.msh", "x/../../a.msh"]
    {
        let problem = path_inside(&folder(), path).expect_err(path);
        assert_eq!(problem.key, Some("path"));
        let error = generate(&folder(), path, 1.0).expect_err(path);
        assert!(matches!(error, ShapeError::Scene(_)), "{path:?}: {error}");
    }
    let error = generate(&folder(), "no_such.msh", 1.0).expect_err("no file");
    assert!(matches!(&error, ShapeError::Mesh(m) if m.file == "no_such.msh"), "{error}");
    assert!(generate(&folder(), "./brick.msh", 1.0).is_ok());
}

#[cfg(unix)]
#[test]
fn links_out_pipes_and_folders_are_refused_without_waiting() {
    let base = tempfile::tempdir().expect("a folder");
    let (inside, outside) = (base.path().join("in"), base.path().join("out.msh"));
    std::fs::create_dir_all(inside.join("folder.msh")).expect("a folder");
    std::fs::copy(folder().join("brick.msh"), &outside).expect("a copy");
    std::fs::copy(folder().join("brick.msh"), inside.join("own.msh")).expect("a copy");
    std::os::unix::fs::symlink(&outside, inside.join("escape.msh")).expect("a link");
    std::os::unix::fs::symlink("own.msh", inside.join("alias.msh")).expect("a link");
    let made = std::process::Command::new("mkfifo").arg(inside.join("pipe.msh")).status();

    assert!(generate(&inside, "alias.msh", 1.0).is_ok());
    let error = generate(&inside, "escape.msh", 1.0).expect_err("a link out");
    assert!(matches!(error, ShapeError::Scene(_)), "{error}");
    let error = generate(&inside, "folder.msh", 1.0).expect_err("a folder");
    assert!(matches!(&error, ShapeError::Mesh(m) if m.message.contains("a folder")), "{error}");
    if made.is_ok_and(|status| status.success()) {
        let error = read_file(&inside.join("pipe.msh"), "pipe.msh").expect_err("a pipe");
        assert!(error.message.contains("regular file"), "{error}");
    }
}
