//! Meshes refined once: their elements fit together, and volumes and masses stay.

use stiction_core::math::Vector;
use stiction_core::world::shapes::lattice::Lattice;
use stiction_core::world::shapes::{BodyShape, Geometry, Masses};

fn volume(geometry: &Geometry) -> f64 {
    geometry.solid().expect("tetrahedra").volumes.iter().sum()
}

/// A tetrahedron without any symmetry, its surface and an edge of it.
fn crooked() -> Geometry {
    let at = [[0.0, 0.0, 0.0], [1.0, 0.1, 0.0], [0.2, 1.3, 0.1], [0.3, 0.2, 0.9]];
    Geometry {
        positions: at.map(Vector::from).to_vec(),
        velocities: at.map(|x| Vector::from(x) * 2.0).to_vec(),
        masses: Masses::ByVolume(vec![1.0, 2.0, 3.0, 4.0]),
        tetrahedra: vec![[0, 1, 2, 3]],
        triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]],
        segments: vec![[0, 1]],
        ..Geometry::default()
    }
}

#[test]
fn eight_tetrahedra_fill_one_and_fit_together() {
    let coarse = crooked();
    let fine = coarse.refined().expect("small");
    let counts = [fine.positions.len(), fine.tetrahedra.len(), fine.triangles.len()];
    assert_eq!((counts, fine.segments.len()), ([10, 8, 16], 2));
    assert!((volume(&fine) / volume(&coarse) - 1.0).abs() < 1e-14);
    // all have one eighth
    let eighth = volume(&coarse) / 8.0;
    for t in &fine.tetrahedra {
        let one = Geometry { tetrahedra: vec![*t], ..fine.clone() };
        assert!((volume(&one) / eighth - 1.0).abs() < 1e-12, "{t:?}");
    }
    // its own particles first; velocities are the same function of place
    assert_eq!(fine.positions[..4], coarse.positions);
    for (x, v) in fine.positions.iter().zip(&fine.velocities) {
        assert!((v - x * 2.0).norm() < 1e-15);
    }
    // the surface is closed and faces outward: ∮ x · n dA = 3 V
    let part = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| fine.positions[i as usize]);
        a.dot(&b.cross(&c)) / 6.0
    };
    let flux: f64 = fine.triangles.iter().map(part).sum();
    assert!((flux / volume(&fine) - 1.0).abs() < 1e-12, "{flux}");
    let Masses::ByVolume(volumes) = &fine.masses else { panic!("{:?}", fine.masses) };
    assert!((volumes.iter().sum::<f64>() - 10.0).abs() < 1e-12);
    // of the diagonals between the middles of opposite edges the shortest is an edge now
    let joined =
        |ends: &[u32; 2]| fine.tetrahedra.iter().any(|t| ends.iter().all(|i| t.contains(i)));
    let length =
        |[i, j]: &[u32; 2]| (fine.positions[*i as usize] - fine.positions[*j as usize]).norm();
    let diagonals = [[4, 9], [5, 8], [6, 7]];
    let shortest = diagonals.iter().min_by(|a, b| length(a).total_cmp(&length(b)));
    let cut: Vec<_> = diagonals.iter().filter(|ends| joined(ends)).collect();
    assert_eq!(cut, [shortest.expect("three")]);
}

/// A lattice has the particles of its own mesh refined, the elements of one of twice the cells, and their masses.
#[test]
fn a_refined_lattice_is_the_lattice_of_twice_the_cells() {
    let coarse = Lattice::new([3, 4, 2], 0.5);
    let fine = coarse.refined().expect("small");
    let twice = Lattice::new([5, 7, 3], 0.25).generate_unlisted().expect("a lattice");
    let order = |of: &[Vector]| {
        let mut of: Vec<[u64; 3]> = of.iter().map(|x| x.data.0[0].map(f64::to_bits)).collect();
        of.sort_unstable();
        of
    };
    assert_eq!(order(&fine.positions), order(&twice.positions));
    assert_eq!(fine.positions[..24], coarse.generate_unlisted().expect("a lattice").positions);
    assert_eq!(fine.tetrahedra.len(), 8 * coarse.solid_size() as usize);
    assert_eq!(fine.triangles.len(), twice.triangles.len());
    // every particle that is added lies between the two that are named, on an edge of the coarse mesh
    let own = coarse.solid().expect("cells").tetrahedra;
    let joined = |ends: &[u32; 2]| own.iter().any(|(t, _)| ends.iter().all(|i| t.contains(i)));
    assert_eq!(fine.midpoints.len(), fine.positions.len() - 24);
    for (x, ends) in fine.positions[24..].iter().zip(&fine.midpoints) {
        let [a, b] = ends.map(|i| fine.positions[i as usize]);
        assert!((x - (a + b) * 0.5).norm() < 1e-15 && joined(ends), "{ends:?}");
    }
    let Masses::ByVolume(volumes) = &fine.masses else { panic!("{:?}", fine.masses) };
    assert!((volumes.iter().sum::<f64>() - 0.75).abs() < 1e-14);
    // an eighth of a cell at a corner
    assert!((volumes[0] - 0.25 * 0.25 * 0.25 / 8.0).abs() < 1e-16);
}

#[test]
fn sheets_and_lines_have_the_same_mass_in_proportion_to_area_and_length() {
    let sheet = Geometry { tetrahedra: Vec::new(), segments: Vec::new(), ..crooked() };
    let line = Geometry { triangles: Vec::new(), segments: vec![[0, 1], [1, 2]], ..sheet.clone() };
    for (coarse, particles) in [(sheet, 10), (line, 6)] {
        let fine = coarse.refined().expect("small");
        let Masses::ByVolume(shares) = &fine.masses else { panic!("{:?}", fine.masses) };
        assert_eq!(shares.len(), particles);
        assert!((shares.iter().sum::<f64>() - 10.0).abs() < 1e-12);
    }
}
