//! Surface mesh files and grids of heights: good ones give the facts of the index, faulty ones a
//! located error, damaged ones never a panic, a hang or a silent part of a mesh.

use std::path::{Path, PathBuf};
use stiction_core::contact::collider::mesh::Mesh;
use stiction_core::math::Vector;
use stiction_scene::mesh::{MeshError, SurfaceMesh, parse_heights, parse_surface};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/meshes")
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(name)).expect("a file of tests/meshes")
}

fn table(key: &str) -> Vec<toml::Table> {
    let text = String::from_utf8(bytes("surfaces.toml")).expect("UTF-8");
    let table: toml::Table = text.parse().expect("TOML");
    let list = table[key].as_array().expect("a list");
    list.iter().map(|entry| entry.as_table().expect("a table").clone()).collect()
}

fn number(entry: &toml::Table, key: &str) -> f64 {
    let value = &entry[key];
    value.as_float().or_else(|| value.as_integer().map(|n| n as f64)).expect("a number")
}

fn read(name: &str) -> SurfaceMesh {
    parse_surface(name, &bytes(name)).unwrap_or_else(|error| panic!("{error}"))
}

fn close(found: f64, expected: f64, relative: f64) -> bool {
    (found - expected).abs() <= relative * expected.abs()
}

fn collider(mesh: &SurfaceMesh) -> Result<Mesh, stiction_core::registry::Problem> {
    let triangles: Vec<[usize; 3]> =
        mesh.triangles.iter().map(|corners| corners.map(|i| i as usize)).collect();
    Mesh::new(&mesh.vertices, &triangles, false)
}

/// Asserts what every accepted surface must satisfy.
fn assert_sound(mesh: &SurfaceMesh) {
    assert!(!mesh.triangles.is_empty());
    assert!(mesh.vertices.iter().flatten().all(|x| x.is_finite()));
    let mut used = vec![false; mesh.vertices.len()];
    mesh.triangles.iter().flatten().for_each(|&corner| used[corner as usize] = true);
    assert!(used.iter().all(|&used| used), "a vertex without a triangle");
    assert!(area(mesh) > 0.0);
}

fn corners(mesh: &SurfaceMesh) -> impl Iterator<Item = [Vector; 3]> {
    mesh.triangles.iter().map(|corners| corners.map(|i| mesh.vertices[i as usize]))
}

fn area(mesh: &SurfaceMesh) -> f64 {
    corners(mesh).map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).norm()).sum()
}

#[test]
fn good_surfaces_hold_what_the_index_says() {
    let entries = table("mesh");
    assert_eq!(entries.len(), 8);
    for entry in &entries {
        let name = entry["file"].as_str().expect("a name");
        let mesh = read(name);
        assert_sound(&mesh);
        assert_eq!(mesh.vertices.len() as f64, number(entry, "vertices"), "{name}");
        assert_eq!(mesh.triangles.len() as f64, number(entry, "triangles"), "{name}");
        let volume: f64 = corners(&mesh).map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0).sum();
        assert!(close(volume, number(entry, "volume"), 1e-7), "{name}: {volume}");
        assert!(close(area(&mesh), number(entry, "area"), 1e-7), "{name}");
        for (key, pick) in [("min", f64::min as fn(f64, f64) -> f64), ("max", f64::max)] {
            let corner = mesh.vertices.iter().copied().reduce(|a, b| a.zip_map(&b, pick));
            let corner = corner.expect("vertices");
            for (k, expected) in entry[key].as_array().expect("a corner").iter().enumerate() {
                let expected = expected.as_float().expect("a number");
                assert!((corner[k] - expected).abs() < 1e-8, "{name}: {key} {corner}");
            }
        }
        collider(&mesh).unwrap_or_else(|problem| panic!("{name}: {problem}"));
        // only .stl repeats its vertices
        assert_eq!(mesh.remarks.len(), usize::from(name.ends_with(".stl")), "{:?}", mesh.remarks);
    }
}

#[test]
fn all_formats_give_the_same_wedge() {
    let [obj, text, binary] = ["wedge.obj", "wedge.ascii.stl", "wedge.binary.stl"].map(read);
    for stl in [text, binary] {
        assert_eq!(stl.triangles.len(), obj.triangles.len());
        for (a, b) in corners(&stl).zip(corners(&obj)) {
            assert!(a.iter().zip(&b).all(|(a, b)| (a - b).norm() < 1e-7), "{a:?} {b:?}");
        }
    }
}

#[test]
fn faulty_and_odd_files_are_treated_as_the_index_says() {
    let entries = table("file");
    assert_eq!(entries.len(), 43);
    for entry in &entries {
        let name = entry["path"].as_str().expect("a path");
        let expected = entry["expected"].as_str().expect("a word");
        match parse_surface(name, &bytes(name)) {
            Ok(mesh) if expected == "unfit" => {
                let problem = collider(&mesh).err().unwrap_or_else(|| panic!("{name} is closed"));
                assert!(!problem.help.is_empty());
                assert_mentions(name, &problem.message, &entry["mention"]);
            }
            Ok(mesh) => {
                assert_ne!(expected, "error", "{name} was read");
                assert_sound(&mesh);
                assert_eq!(mesh.vertices.len() as f64, number(entry, "vertices"), "{name}");
                assert_eq!(mesh.triangles.len() as f64, number(entry, "triangles"), "{name}");
                collider(&mesh).unwrap_or_else(|problem| panic!("{name}: {problem}"));
            }
            Err(error) => {
                assert!(expected.starts_with("error"), "{error}");
                assert_eq!(error.file, name);
                assert!(!error.help.is_empty());
                let line = error.line.map_or(String::new(), |line| format!("line {line}"));
                let message = format!("{} {line} {}", error.message, error.help);
                assert_mentions(name, &message, &entry["mention"]);
            }
        }
    }
}

fn assert_mentions(name: &str, message: &str, mention: &toml::Value) {
    let message = message.to_lowercase();
    for group in mention.as_array().expect("groups") {
        let texts = group.as_array().expect("texts");
        let said = texts.iter().filter_map(|text| text.as_str()).any(|text| message.contains(text));
        assert!(said, "{name}: {message:?} mentions none of {texts:?}");
    }
}

#[test]
fn errors_of_a_place_name_its_line_or_byte() {
    // counted in the files themselves
    for (name, line) in [
        ("obj_truncated_vertex.obj", 10),
        ("obj_index_out_of_range.obj", 22),
        ("obj_nan_vertex.obj", 6),
        ("obj_degenerate_repeated.obj", 40),
        ("stl_ascii_misspelt.stl", 12),
        ("ply_float_list.ply", 9),
    ] {
        let error = parse_surface(name, &bytes(name)).expect_err(name);
        assert_eq!(error.line, Some(line), "{error}");
        assert!(error.to_string().starts_with(&format!("{name}:{line}")), "{error}");
    }
    // triangle 1, first corner, z
    let mut stl = bytes("stl_solid_in_binary_valid.stl");
    stl[84 + 50 + 20..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    let error = parse_surface("a.stl", &stl).expect_err("a NaN");
    assert!(error.message.contains("face 2") && error.message.contains("byte 154"), "{error}");
}

#[test]
fn vertices_in_one_place_are_joined_and_lonely_ones_left_out_aloud() {
    let mesh = read("obj_orphan_vertex.obj");
    assert_eq!(mesh.remarks, ["1 vertex belongs to no triangle and was left out"]);
    let mesh = read("stl_solid_in_binary_valid.stl");
    assert_eq!(
        mesh.remarks,
        ["58 of 72 vertices lie exactly where another does and were joined with it"]
    );
    // -0 and 0 are one place
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv -0 0 0\nv 0 0 1\nf 1 2 3\nf 4 3 5\n";
    let mesh = parse_surface("a.obj", text.as_bytes()).expect("a surface");
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
}

#[test]
fn obj_statements_without_a_shape_are_passed_over_and_unknown_ones_refused() {
    let text = "\u{feff}# c\nmtllib /no/such.mtl\no a\ng b c\nusemtl d\ns off\n\
        v 0 0 0 1\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0 # a comment\nvn 0 0 1\nvt 0 0\n\
        f 1/1/1 2//1 -1/1\nl 1 2\n";
    let mesh = parse_surface("A.OBJ", text.as_bytes()).expect("a surface");
    assert_eq!((mesh.vertices.len(), mesh.triangles.as_slice()), (3, &[[0, 1, 2]][..]));
    let error = parse_surface("a.obj", b"v 0 0 0\nvortex 1 2 3\n").expect_err("a statement");
    assert!(error.message.contains("vortex") && error.line == Some(2), "{error}");
}

/// An independent reader, which names no lines, finds the same numbers.
#[test]
fn another_reader_of_obj_files_agrees() {
    for name in ["brick.obj", "sphere.obj", "stairs.obj", "obj_polygon5_valid.obj"] {
        let options = tobj::LoadOptions { triangulate: true, ..tobj::LoadOptions::default() };
        let no_materials = |_: &Path| Err(tobj::LoadError::OpenFileFailed);
        let content = bytes(name);
        let (models, _) = tobj::load_obj_buf(&mut content.as_slice(), &options, no_materials)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let [model] = models.as_slice() else { panic!("{name}: {} models", models.len()) };
        // it numbers vertices anew, by their first use
        let points: Vec<Vector> =
            model.mesh.positions.chunks_exact(3).map(Vector::from_column_slice).collect();
        let indices: Vec<usize> = model.mesh.indices.iter().map(|i| *i as usize).collect();
        let theirs = indices.chunks_exact(3).map(|t| [points[t[0]], points[t[1]], points[t[2]]]);
        assert!(theirs.eq(corners(&read(name))), "{name}");
    }
}

#[test]
fn what_is_no_surface_is_named() {
    let (obj, ply) = (bytes("brick.obj"), bytes("sphere.ply"));
    let cases: [(&str, &[u8], &str); 8] = [
        ("a.obj", b"", "empty"),
        ("a.ply", &bytes("gzip.obj"), "gzip"),
        ("a.obj", &ply, "the content is a .ply"),
        ("a.ply", &obj, "expected `ply`"),
        ("a.stl", &obj, "stl"),
        ("a.obj", &bytes("brick.msh"), "gmsh"),
        ("a.dae", &obj, "extension"),
        ("obj", &obj, "extension"),
    ];
    for (name, content, word) in cases {
        let error = parse_surface(name, content).expect_err(name);
        assert!(error.to_string().to_lowercase().contains(word), "{error}");
    }
}

#[test]
fn the_boundary_of_tetrahedra_is_a_surface() {
    let (tets, obj) = (read("brick.msh"), read("brick.obj"));
    assert_eq!((tets.vertices.len(), tets.triangles.len()), (406, 808));
    assert!(close(area(&tets), area(&obj), 1e-9));
    collider(&tets).unwrap_or_else(|problem| panic!("{problem}"));
}

#[test]
fn big_and_little_endian_give_the_same_mesh() {
    let text = |format| {
        format!(
            "ply\nformat {format} 1.0\nelement vertex 3\nproperty float x\nproperty double y\n\
             property short z\nelement face 1\nproperty list uchar int vertex_index\nend_header\n"
        )
    };
    let vertices: [(f32, f64, i16); 3] = [(0.5, -0.25, -3), (1.5, 0.0, 2), (0.0, 1e-9, 0)];
    let mut little = text("binary_little_endian").into_bytes();
    let mut big = text("binary_big_endian").into_bytes();
    let mut ascii = text("ascii");
    for (x, y, z) in vertices {
        little.extend(x.to_le_bytes().into_iter().chain(y.to_le_bytes()).chain(z.to_le_bytes()));
        big.extend(x.to_be_bytes().into_iter().chain(y.to_be_bytes()).chain(z.to_be_bytes()));
        ascii.push_str(&format!("{x} {y} {z}\n"));
    }
    little.push(3);
    big.push(3);
    for corner in [0i32, 1, 2] {
        little.extend(corner.to_le_bytes());
        big.extend(corner.to_be_bytes());
    }
    ascii.push_str("3 0 1 2\n");
    let mesh = parse_surface("a.ply", ascii.as_bytes()).expect("ASCII");
    assert_eq!(mesh.vertices[0], Vector::new(0.5, -0.25, -3.0));
    assert_eq!(parse_surface("a.ply", &little).expect("little endian"), mesh);
    assert_eq!(parse_surface("a.ply", &big).expect("big endian"), mesh);
    little.push(1);
    let error = parse_surface("a.ply", &little).expect_err("a byte more");
    assert!(error.message.contains("goes on"), "{error}");
}

/// The surface of damaged bytes, or `None` for an error, the only other permitted outcome.
fn read_damaged(name: &str, damaged: &[u8]) -> Option<SurfaceMesh> {
    match parse_surface(name, damaged) {
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

/// Whether a shorter file can be told from a whole one; an .obj file may end after any line.
const SMALL: [(&str, bool); 4] = [
    ("obj_crlf_valid.obj", false),
    ("stl_solid_in_binary_valid.stl", true),
    ("ply_unknown_element_valid.ply", true),
    ("ply_big_endian.ply", true),
];

#[test]
fn a_file_cut_anywhere_is_an_error_or_a_valid_mesh() {
    for (name, told) in SMALL {
        let whole = bytes(name);
        let mesh = read(name);
        for end in 0..whole.len() {
            if let Some(part) = read_damaged(name, &whole[..end])
                && told
            {
                assert_eq!(part, mesh, "{name} cut at {end}");
            }
        }
    }
}

#[test]
fn a_file_with_any_bit_flipped_is_an_error_or_a_sound_mesh() {
    for (name, _) in SMALL {
        let mut damaged = bytes(name);
        for at in 0..damaged.len() {
            for bit in 0..8 {
                damaged[at] ^= 1 << bit;
                if let Some(mesh) = read_damaged(name, &damaged) {
                    let _ = collider(&mesh);
                }
                damaged[at] ^= 1 << bit;
            }
        }
    }
}

#[test]
fn announced_counts_are_never_allocated() {
    for count in ["4000000000", "18446744073709551615"] {
        for format in ["ascii", "binary_little_endian"] {
            for (vertices, list, extra) in [(count, "1", ""), ("1", count, ""), ("1", "1", count)] {
                let extra =
                    if extra.is_empty() { String::new() } else { format!("element e {extra}\n") };
                let text = format!(
                    "ply\nformat {format} 1.0\n{extra}element vertex {vertices}\nproperty float x\n\
                     property float y\nproperty float z\nelement face {list}\n\
                     property list uint int vertex_indices\nend_header\n0 0 0\n4294967295 0\n"
                );
                assert!(parse_surface("a.ply", text.as_bytes()).is_err());
            }
        }
    }
}

#[test]
fn heights_are_rows_of_numbers() {
    let expected = [0.0, 1.0, -2.5, 3.0, 4.0, 5e-1];
    for text in [
        "0 1 -2.5\n3 4 5e-1\n",
        "# ground\n0,1,-2.5\n\n3, 4, 5e-1,\r\n",
        "\u{feff}0;1;-2.5 # a row\n3;4;5e-1",
    ] {
        let grid = parse_heights("h.csv", text.as_bytes()).expect("heights");
        assert_eq!((grid.columns, grid.heights.as_slice()), (3, &expected[..]));
    }
    for (text, word, line) in [
        ("", "span no ground", Some(1)),
        ("1 2 3\n", "1 rows of 3", Some(1)),
        ("1\n2\n", "2 rows of 1", Some(2)),
        ("1 2\n3 4 5\n", "this row has 3 heights, the first one in line 1 has 2", Some(2)),
        ("1,,3\n4,5,6\n", "column 2", Some(1)),
        ("1 2\n3 x\n", "column 2: expected a number, found `x`", Some(2)),
        ("1 2\n3 nan\n", "not a finite number", Some(2)),
        ("1 2\n3\0 4\n", "binary", Some(1)),
    ] {
        let error: MeshError = parse_heights("h.csv", text.as_bytes()).expect_err(text);
        assert!(error.message.contains(word) && error.line == line, "{error}");
        assert_eq!(error.file, "h.csv");
    }
}
