//! Closed surfaces filled with particles: sound tetrahedra that end at the surface, cells that lie
//! within it, the mass of its volume, and located errors where there is nothing to fill.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use stiction_core::math::Vector;
use stiction_core::registry::{Value, Values};
use stiction_core::world::shapes::file::MeshFile;
use stiction_core::world::shapes::{Family, Geometry, Masses, SHAPES};
use stiction_scene::mesh::{SurfaceMesh, parse_solid};
use stiction_scene::mesh_body::{ShapeError, read};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/meshes")
}

fn filled_in(folder: &Path, path: &str, fill: &str, spacing: f64) -> Result<Geometry, ShapeError> {
    let entry = SHAPES.find("file").expect("the row");
    let values = Values::defaults(entry.keys)
        .set("path", Value::Text(path.to_string()))
        .set("fill", Value::Text(fill.to_string()))
        .set("spacing", Value::Number(spacing));
    read(&MeshFile::new(&values), &folder.into())
}

fn filled(path: &str, fill: &str, spacing: f64) -> Result<Geometry, ShapeError> {
    filled_in(&folder(), path, fill, spacing)
}

fn surface(name: &str) -> SurfaceMesh {
    parse_solid(name, &std::fs::read(folder().join(name)).unwrap()).unwrap()
}

fn enclosed(points: &[Vector], surface: &[[u32; 3]]) -> f64 {
    let corner = |i: u32| points[i as usize] - points[0];
    surface.iter().map(|&[a, b, c]| corner(a).dot(&corner(b).cross(&corner(c))) / 6.0).sum()
}

fn is_closed(surface: &[[u32; 3]]) -> bool {
    let mut edges: BTreeMap<(u32, u32), i32> = BTreeMap::new();
    for &[a, b, c] in surface {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            *edges.entry((from.min(to), from.max(to))).or_default() +=
                if from < to { 1 } else { -1 };
        }
    }
    edges.values().all(|count| *count == 0)
}

/// Distance of a point from a triangle.
fn distance(p: Vector, [a, b, c]: [Vector; 3]) -> f64 {
    let n = (b - a).cross(&(c - a));
    let inside = [[a, b], [b, c], [c, a]]
        .iter()
        .all(|[from, to]| (to - from).cross(&(p - from)).dot(&n) >= 0.0);
    if inside {
        return (p - a).dot(&n).abs() / n.norm();
    }
    let along = |[from, to]: [Vector; 2]| {
        let way = to - from;
        let share = ((p - from).dot(&way) / way.norm_squared()).clamp(0.0, 1.0);
        (p - from - way * share).norm()
    };
    along([a, b]).min(along([b, c])).min(along([c, a]))
}

fn volumes(geometry: &Geometry) -> f64 {
    let Masses::ByVolume(volumes) = &geometry.masses else { panic!("masses by volume") };
    assert_eq!(volumes.len(), geometry.positions.len());
    assert!(volumes.iter().all(|volume| *volume > 0.0));
    volumes.iter().sum()
}

fn angle(geometry: &Geometry) -> f64 {
    let text = geometry.remarks[0].split("angles from ").nth(1).unwrap();
    text.split('°').next().unwrap().parse().unwrap()
}

#[test]
fn tetrahedra_end_at_the_surface_and_none_is_thin() {
    for (name, spacing, share) in [
        ("sphere.obj", 0.03, 0.97),
        ("sphere.ply", 0.016, 0.99),
        ("brick.obj", 0.02, 0.97),
        ("wedge.binary.stl", 0.008, 0.9),
        ("mug.ply", 0.0033, 0.8),
        ("sphere.vtk", 0.05, 0.9),
    ] {
        let body = filled(name, "tets", spacing).unwrap();
        let whole = surface(name);
        let right = enclosed(&whole.vertices, &whole.triangles);
        assert!((volumes(&body) / right - 1.0).abs() < 1e-9, "{name}: mass of the whole volume");
        assert!(is_closed(&body.triangles), "{name}");
        let found = enclosed(&body.positions, &body.triangles) / right;
        assert!(found > share && found < 1.02, "{name}: {found} of the volume");
        assert!(angle(&body) > 8.0, "{name}: {}", body.remarks[0]);
        assert!(body.links.iter().all(|link| link.family == Family::Edge));
        if body.positions.len() > 3000 {
            continue;
        }
        let corners = |t: &[u32; 3]| t.map(|i| whole.vertices[i as usize]);
        for i in body.triangles.iter().flatten() {
            let p = body.positions[*i as usize];
            let nearest = whole.triangles.iter().map(|t| distance(p, corners(t)));
            let off = nearest.fold(f64::INFINITY, f64::min);
            assert!(off < 1e-9 * spacing.max(1.0), "{name}: {off} m off the surface");
        }
    }
}

#[test]
fn a_box_of_whole_cells_is_the_lattice_that_has_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let cube = "v 0 0 0\nv .4 0 0\nv .4 .2 0\nv 0 .2 0\nv 0 0 .2\nv .4 0 .2\nv .4 .2 .2\nv 0 .2 .2\n\
        f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    std::fs::write(folder.path().join("box.obj"), cube).unwrap();
    let body = filled_in(folder.path(), "box.obj", "lattice", 0.1).unwrap();
    assert_eq!(body.positions.len(), 5 * 3 * 3);
    let entry = SHAPES.find("lattice").unwrap();
    let values = Values::defaults(entry.keys)
        .set("counts", Value::Integers(vec![5, 3, 3]))
        .set("spacing", Value::Number(0.1));
    let lattice = (entry.make)(&values).unwrap();
    let corners = |(corners, _): &([u32; 4], _)| *corners;
    let tetrahedra: Vec<[u32; 4]> =
        lattice.solid().unwrap().tetrahedra.iter().map(corners).collect();
    let lattice = lattice.generate().unwrap();
    // the same springs and the same faces; only the place of the body differs
    assert_eq!(body.links, lattice.links);
    assert_eq!(body.tetrahedra, tetrahedra);
    assert_eq!(body.triangles.len(), lattice.triangles.len());
    assert!(is_closed(&body.triangles));
    assert!((enclosed(&body.positions, &body.triangles) - 0.016).abs() < 1e-12);
    assert!((volumes(&body) - 0.016).abs() < 1e-12);
    let shift = body.positions[0] - lattice.positions[0];
    for (p, q) in body.positions.iter().zip(&lattice.positions) {
        assert!((p - q - shift).norm() < 1e-12);
    }
    // tetrahedra whose lattice lies in the faces are as good as those inside
    let body = filled_in(folder.path(), "box.obj", "tets", 0.1).unwrap();
    assert!(enclosed(&body.positions, &body.triangles) > 0.0159, "{}", body.remarks[0]);
}

/// If the lattice lies in the faces of a box of whole cells, every cell has its corners and its
/// middle, and every face of the box the middles of its squares. There are four tetrahedra around
/// each face between two cells, and four at each square of the box.
#[test]
fn tetrahedra_of_a_box_of_whole_cells_are_those_of_the_lattice() {
    // binary numbers, and one box that is longer by what counts as rounding
    let spacing = 0.125;
    for (cells, longer) in [([4, 2, 2], 0.0), ([11, 2, 2], 1e-10), ([3, 3, 1], 0.0)] {
        let folder = tempfile::tempdir().unwrap();
        let [x, y, z] = cells.map(|n: usize| spacing * n as f64);
        let x = x * (1.0 + longer);
        let cube = format!(
            "v 0 0 0\nv {x} 0 0\nv {x} {y} 0\nv 0 {y} 0\nv 0 0 {z}\nv {x} 0 {z}\nv {x} {y} {z}\nv 0 {y} {z}\n\
             f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"
        );
        std::fs::write(folder.path().join("box.obj"), cube).unwrap();
        let body = filled_in(folder.path(), "box.obj", "tets", spacing).unwrap();
        let [a, b, c] = cells;
        let squares = 2 * (a * b + b * c + c * a);
        let between = (a - 1) * b * c + a * (b - 1) * c + a * b * (c - 1);
        let points = (a + 1) * (b + 1) * (c + 1) + a * b * c + squares;
        assert_eq!(body.positions.len(), points, "{cells:?}: {}", body.remarks[0]);
        assert_eq!(body.tetrahedra.len(), 4 * (between + squares), "{cells:?}");
        let whole = x * y * z;
        let found = enclosed(&body.positions, &body.triangles);
        assert!((found / whole - 1.0).abs() < 1e-9, "{cells:?}: {found} of {whole} m³");
    }
}

#[test]
fn cells_lie_within_the_surface() {
    let body = filled("sphere.obj", "lattice", 0.02).unwrap();
    let whole = surface("sphere.obj");
    let ends = |axis: usize| {
        let along = || whole.vertices.iter().map(|p| p[axis]);
        along().fold(f64::INFINITY, f64::min) + along().fold(f64::NEG_INFINITY, f64::max)
    };
    let middle = Vector::new(ends(0), ends(1), ends(2)) * 0.5;
    assert!(body.positions.iter().all(|p| (p - middle).norm() < 0.1 + 1e-9));
    assert!(body.remarks[0].contains("% of the surface's volume"), "{:?}", body.remarks);
    // as a lattice, all families have springs
    for family in [Family::Edge, Family::FaceDiagonal, Family::BodyDiagonal, Family::Bend] {
        assert!(body.links.iter().any(|link| link.family == family), "{family:?}");
    }
    assert!(body.links.windows(2).all(|pair| (pair[0].i, pair[0].j) < (pair[1].i, pair[1].j)));
}

#[test]
fn a_fill_has_the_same_bits_every_time() {
    for fill in ["lattice", "tets"] {
        let [one, other] = [0, 1].map(|_| filled("wedge.obj", fill, 0.01).unwrap());
        assert_eq!(one, other);
    }
}

#[test]
fn what_cannot_be_filled_is_refused_with_its_reason() {
    for (name, fill, spacing, words) in [
        ("obj_open.obj", "tets", 0.1, "the surface is not closed"),
        ("obj_inside_out.obj", "lattice", 0.1, "inward"),
        ("obj_non_manifold.obj", "tets", 0.1, "edge"),
        ("sphere.obj", "lattice", 0.5, "no cell of 5.0000e-1 m lies inside"),
        ("mug.ply", "tets", 0.0096, "% of the surface's volume"),
        ("sphere.obj", "tets", 1e-5, "at most 3e7 can be tried"),
        ("sphere.obj", "lattice", 1e-300, "at most 3e7 can be tried"),
        ("sphere.obj", "tets", 1e-3, "at most 4e6 are made"),
    ] {
        let message = filled(name, fill, spacing).unwrap_err().to_string();
        assert!(message.contains(words), "{name}: {message}");
    }
    for (fill, spacing) in [("tets", 1e-5), ("tets", 1e-3), ("lattice", 1e-3)] {
        let error = filled("sphere.obj", fill, spacing).unwrap_err();
        assert!(matches!(error, ShapeError::TooLarge(_)), "{fill}, {spacing}: {error}");
    }
    let Err(ShapeError::Mesh(error)) = filled("obj_open.obj", "tets", 0.1) else {
        panic!("the file is at fault")
    };
    assert!(error.line.is_some() && error.message.contains("vertex"), "{error}");
}

/// Cut, changed and exchanged bytes: an error or a sound body, never a panic.
#[test]
fn damaged_surfaces_are_refused_or_sound() {
    let good = std::fs::read_to_string(folder().join("sphere.obj")).unwrap();
    let lines: Vec<&str> = good.lines().collect();
    let temporary = tempfile::tempdir().unwrap();
    let mut accepted = 0;
    for k in 0..40usize {
        let mut damaged: Vec<String> = lines.iter().map(|line| line.to_string()).collect();
        let at = (k * 7919 + 13) % damaged.len();
        match k % 4 {
            0 => drop(damaged.remove(at)),
            1 => damaged[at] = damaged[(at * 31) % lines.len()].clone(),
            2 => damaged[at] = damaged[at].replacen('0', "7", 1),
            _ => damaged[at] = damaged[at].replacen("1", "-1", 1),
        }
        std::fs::write(temporary.path().join("d.obj"), damaged.join("\n")).unwrap();
        for fill in ["lattice", "tets"] {
            if let Ok(body) = filled_in(temporary.path(), "d.obj", fill, 0.03) {
                accepted += 1;
                assert!(is_closed(&body.triangles) && volumes(&body) > 0.0);
            }
        }
    }
    assert!(accepted > 0, "a vertex moved by a little leaves a sound sphere");
}
