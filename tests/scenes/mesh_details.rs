//! Meshes in detail: parameters of nodes on the geometry, and which tetrahedra count as flat.

use stiction_core::math::Vector;
use stiction_scene::mesh::{MeshError, TetMesh, parse_tets};

/// tests/meshes/msh41_good.msh with another line for node 9, on a surface with parameters.
fn parametric(line: &str) -> Result<TetMesh, MeshError> {
    let text = include_str!("../meshes/msh41_good.msh");
    let node = "2 1 0 1\n9\n-0.1 0 0.1\n";
    assert!(text.contains(node));
    parse_tets("a.msh", text.replacen(node, &format!("2 1 1 1\n9\n{line}\n"), 1).as_bytes())
}

#[test]
fn a_node_on_the_geometry_has_three_parameters_at_most() {
    let plain = parse_tets("a.msh", include_bytes!("../meshes/msh41_good.msh")).expect("a mesh");
    for parameters in ["", " 0.25", " 0.25 0.5", " 0.25 0.5 -1e3"] {
        let mesh = parametric(&format!("-0.1 0 0.1{parameters}"));
        assert_eq!(mesh.expect("a mesh"), plain, "parameters{parameters}");
    }
    for (line, found) in [("-0.1 0 0.1 1 2 3 4", "found 4"), ("-0.1 0 0.1 1 2 3 4 5 6", "found 6")]
    {
        let error = parametric(line).expect_err("too many parameters");
        assert!(error.message.contains("at most 3 parameters"), "{error}");
        assert!(error.message.ends_with(found), "{error}");
    }
    assert!(parametric("-0.1 0").is_err());
}

/// A corner of a cube of the edge `size` at a place, with the last point at `height` instead.
fn corner(size: f64, height: f64, place: Vector) -> Result<TetMesh, MeshError> {
    let ends = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.3, 0.3, height]];
    let points = ends.map(|end| Vector::from(end) * size + place).to_vec();
    TetMesh::of(points, vec![[0, 1, 2, 3]])
}

/// A height of 1e-14 of the edges is rounding at any size.
#[test]
fn a_tetrahedron_is_flat_by_its_own_size() {
    for size in [1e-3, 1.0, 1e3] {
        assert!(corner(size, 1e-6, Vector::zeros()).is_ok(), "{size} m");
        for height in [1e-14, -1e-14, 0.0] {
            let error = corner(size, height, Vector::zeros()).expect_err("it has no height");
            assert!(error.message.contains("is flat"), "{size} m: {error}");
        }
        let error = corner(size, -0.5, Vector::zeros()).expect_err("it is turned inside out");
        assert!(error.message.contains("is inverted"), "{size} m: {error}");
    }
}

/// A tetrahedron as high as it is wide is sound a hundred metres away, even at a centimetre; one
/// whose height rounding of such coordinates could make is not.
#[test]
fn a_small_tetrahedron_far_away_is_sound_until_rounding_could_have_made_it() {
    let far = Vector::new(100.0, -50.0, 30.0);
    let mesh = corner(0.01, 1.0, far).unwrap_or_else(|error| panic!("{error}"));
    let volume: f64 = mesh.volumes().sum();
    assert!((volume / (1e-6 / 6.0) - 1.0).abs() < 1e-9, "{volume}");
    // twice the last bit of 100 m
    let error = corner(0.01, 2.0 * 100.0 * f64::EPSILON / 0.01, far).expect_err("rounding");
    assert!(error.message.contains("is flat"), "{error}");
}
