use super::*;
use crate::forces::Edge;
use crate::math::lanes::levels;
use crate::math::square::Square;
use crate::math::{Matrix, flat, rotation};
use crate::state::State;
use crate::world::shapes::cloth::Cloth;
use crate::world::shapes::lattice::Lattice;
use crate::world::shapes::rope::Rope;
use crate::world::shapes::{BodyShape, Geometry};
use crate::world::{Body, BuildOptions, Elasticity, Material, World};

const LAWS: [SolidLaw; 3] = [SolidLaw::Linear, SolidLaw::Corotational, SolidLaw::NeoHookean];

/// A number in −1 … 1.
fn noise(k: usize) -> f64 {
    ((k * 7919 + 13) % 1009) as f64 / 504.5 - 1.0
}

fn random(seed: usize) -> Matrix {
    Matrix::from_fn(|r, c| noise(seed * 31 + 3 * r + c))
}

fn rubber(law: SolidLaw, poisson: f64, damping: f64) -> Elasticity {
    Elasticity::new(1e6, poisson).law(law).damping(damping)
}

/// The elements of a body and its state at rest.
fn made(body: Body, elasticity: Elasticity) -> (Elements, State) {
    let mut world = World::new();
    world.material(Material::new("rubber", 0.5, 0.5).elasticity(elasticity));
    world.body(body.mass(1.0));
    match world.build(&BuildOptions::default()) {
        Ok(built) => (built.model.elements, built.state),
        Err(error) => panic!("{error:?}"),
    }
}

/// A lattice of tetrahedra.
fn block(counts: [u64; 3], elasticity: Elasticity) -> (Elements, State) {
    made(Body::new("block", Lattice::new(counts, 0.1)), elasticity)
}

/// A sheet that is bent at rest: a cloth on a saddle.
fn sheet(counts: [u64; 2], elasticity: Elasticity) -> (Elements, State) {
    let Ok(mut geometry) = (Cloth { counts, spacing: 0.1 }).generate() else { panic!("no cloth") };
    for (i, x) in geometry.positions.iter_mut().enumerate() {
        x.z = 0.7 * x.x * x.x - 0.5 * x.y * x.y + 0.3 * x.x * x.y;
        x.x += 0.01 * noise(i);
    }
    let geometry = Geometry { links: Vec::new(), ..geometry };
    made(Body::new("sheet", geometry).thickness(0.02), elasticity)
}

/// The surface of a tetrahedron, whose triangles have one corner across all their edges, and one triangle twice.
fn closed(elasticity: Elasticity) -> (Elements, State) {
    let places = [[0.0; 3], [0.2, 0.0, 0.03], [0.02, 0.2, 0.0], [0.03, 0.04, 0.2]];
    let places = places.map(Vector::from);
    let apart = Vector::new(1.0, 0.0, 0.0);
    let geometry = Geometry {
        positions: places.into_iter().chain(places[..3].iter().map(|x| x + apart)).collect(),
        triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3], [4, 5, 6], [4, 6, 5]],
        ..Geometry::default()
    };
    made(Body::new("closed", geometry).thickness(0.02), elasticity)
}

fn rope(segments: u64, elasticity: Elasticity) -> (Elements, State) {
    let rope = Rope { from: Vector::zeros(), to: Vector::new(0.3, 0.2, 0.1), segments };
    made(Body::new("rope", rope).thickness(0.03), elasticity)
}

/// Some of each kind.
fn kinds(damping: f64) -> Vec<(&'static str, (Elements, State))> {
    let of = |law| rubber(law, 0.35, damping);
    vec![
        ("linear", block([2, 2, 3], of(SolidLaw::Linear))),
        ("corotational", block([2, 2, 3], of(SolidLaw::Corotational))),
        ("neo-hookean", block([2, 2, 3], of(SolidLaw::NeoHookean))),
        ("sheet", sheet([4, 3], of(SolidLaw::default()))),
        ("closed", closed(of(SolidLaw::default()))),
        ("rope", rope(4, of(SolidLaw::default()))),
    ]
}

fn forces(elements: &Elements, state: &State) -> (Vec<Vector>, Ledger) {
    let mut f = vec![Vector::zeros(); state.positions.len()];
    let islands = Arc::from(vec![0; f.len()]);
    let mut ledger = Ledger::of(&islands, &[], &[]);
    elements.commit(&state.configuration(), &mut f, &mut ledger, &mut Memory::default());
    (f, ledger)
}

fn largest(f: &[Vector]) -> f64 {
    f.iter().map(|f| f.norm()).fold(0.0, f64::max)
}

/// Moves every particle to F X + the same shift.
fn deform(state: &mut State, by: &Matrix) {
    for x in &mut state.positions {
        *x = by * *x + Vector::new(0.3, -2.0, 1.0);
    }
}

/// Shakes places and velocities.
fn shake(state: &mut State, size: f64) {
    for (i, x) in state.positions.iter_mut().enumerate() {
        *x += Vector::from_fn(|axis, _| size * noise(3 * i + axis + 7));
        state.velocities[i] = Vector::from_fn(|axis, _| noise(5 * i + axis));
    }
}

/// The cells of a lattice are filled, each corner by its eighths, and no edge at rest is known twice.
#[test]
fn a_lattice_is_filled_by_tetrahedra() {
    let shape = Lattice::new([4, 3, 5], 0.1);
    let Some(solid) = shape.solid() else { panic!("no solid") };
    assert_eq!(solid.tetrahedra.len() as u128, shape.solid_size());
    let volume: f64 = solid.tetrahedra.iter().map(|(_, [a, b, c])| a.cross(b).dot(c) / 6.0).sum();
    let wanted = 3.0 * 2.0 * 4.0 * 1e-3;
    assert!((volume - wanted).abs() < 1e-15, "{volume}");
    assert!((solid.volumes.iter().sum::<f64>() - wanted).abs() < 1e-15);
    assert!(solid.tetrahedra.iter().all(|(_, [a, b, c])| a.cross(b).dot(c) > 0.0));
    // every inner face belongs to two tetrahedra: the cells fit together
    let mut faces = std::collections::BTreeMap::new();
    for (corners, _) in &solid.tetrahedra {
        for out in 0..4 {
            let mut face: Vec<u32> = (0..4).filter(|k| *k != out).map(|k| corners[k]).collect();
            face.sort_unstable();
            *faces.entry(face).or_insert(0) += 1;
        }
    }
    let outer = faces.values().filter(|count| **count == 1).count();
    assert!(faces.values().all(|count| *count <= 2));
    assert_eq!(outer, 2 * 2 * (3 * 2 + 2 * 4 + 4 * 3));
    assert!(Lattice::new([4, 1, 5], 0.1).solid().is_none());
}

/// A uniform strain is exact: no force inside, and the energy of the law times the volume.
#[test]
fn the_patch_test_passes_for_any_poisson_ratio() {
    for law in LAWS {
        for poisson in [-0.4, 0.0, 0.3, 0.45, 0.499] {
            let material = rubber(law, poisson, 0.0);
            let (elements, mut state) = block([4, 4, 4], material);
            let gradient = Matrix::identity() + random(3) * 0.1;
            deform(&mut state, &gradient);
            let (f, ledger) = forces(&elements, &state);
            let inner =
                (0..64).filter(|i| [i % 4, i / 4 % 4, i / 16].iter().all(|k| *k == 1 || *k == 2));
            let moduli = Moduli::of(1e6, poisson);
            let Moduli { lambda, mu } = moduli;
            let stress = (lambda + 2.0 * mu) * 0.01;
            for i in inner {
                assert!(f[i].norm() < 1e-13 * stress, "{law:?} {poisson}: {}", f[i]);
            }
            assert!(f.iter().sum::<Vector>().norm() < 1e-12 * stress);
            let square = Square::from(gradient);
            let energy = match law {
                SolidLaw::Linear => <linear::Linear as solid::Solid>::energy(&moduli, &square),
                SolidLaw::Corotational => {
                    <corotational::Corotational as solid::Solid>::energy(&moduli, &square)
                }
                SolidLaw::NeoHookean => {
                    <neo_hookean::NeoHookean as solid::Solid>::energy(&moduli, &square)
                }
            } * 0.027;
            assert!((ledger.total.spring - energy).abs() < 1e-12 * energy, "{law:?} {poisson}");
        }
    }
}

/// Small strains cost ½ ε:C:ε, whatever the law.
#[test]
fn every_law_is_hookes_at_small_strains() {
    let moduli = Moduli::of(1e6, 0.3);
    let strain = random(5) * 1e-4;
    let small = Square::from(strain).symmetric();
    let wanted = 0.5 * small.dot(&moduli.stress(&small));
    for law in LAWS {
        let (elements, mut state) = block([2, 2, 2], rubber(law, 0.3, 0.0));
        deform(&mut state, &(Matrix::identity() + strain));
        let energy = forces(&elements, &state).1.total.spring / 1e-3;
        assert!((energy - wanted).abs() < 2e-3 * wanted, "{law:?} {energy} {wanted}");
    }
}

/// A uniform plane strain of a flat sheet is exact, in plane stress; any flat shape of it has no bending.
#[test]
fn the_patch_test_passes_for_sheets() {
    for poisson in [-0.4, 0.0, 0.3, 0.5 - 1e-3] {
        let cloth = Body::new("cloth", Cloth { counts: [6, 5], spacing: 0.1 }).thickness(0.02);
        let (elements, mut state) = made(cloth, rubber(SolidLaw::default(), poisson, 0.0));
        let strain = Matrix::new(1e-6, 4e-6, 0.0, 4e-6, -2e-6, 0.0, 0.0, 0.0, 0.0);
        let turn = rotation(Vector::new(1.0, 2.0, -0.5).normalize(), 2.2);
        deform(&mut state, &(turn * (Matrix::identity() + strain)));
        let (f, ledger) = forces(&elements, &state);
        let inner = |i: &usize| (1..5).contains(&(i % 6)) && (1..4).contains(&(i / 6));
        // stress × a · h: rounding of places of a metre over spacings of a tenth
        for i in (0..30).filter(inner) {
            assert!(f[i].norm() < 1e6 * 2e-3 * 1e-13, "{poisson} {i}: {}", f[i]);
        }
        // ½ E/(1 − ν²) (ε_x² + ε_y² + 2ν ε_x ε_y) + G γ²/2
        let (e, nu) = (1e6, poisson);
        let density = 0.5 * e / (1.0 - nu * nu) * (1.0 + 4.0 - 4.0 * nu) * 1e-12
            + 0.5 * e / (2.0 * (1.0 + nu)) * 64e-12;
        let energy = density * 0.5 * 0.4 * 0.02;
        assert!((ledger.total.spring - energy).abs() < 1e-4 * energy, "{poisson}");
    }
}

/// A flat sheet that is bent to a surface of constant small curvature stores the energy of a plate, whatever its
/// mesh: ½ A D (κ_x² + κ_y² + 2ν κ_x κ_y + 2 (1 − ν) κ_xy²). Triangles at the rim bear no moment across it, and store
/// less: a share that halves with the spacing.
#[test]
fn a_sheet_bends_as_a_plate() {
    let [x2, y2, xy] = [3e-6, -1e-6, 2e-6];
    let share = |n: u64, crooked: f64, poisson: f64| {
        let counts = [n + 1, n + 1];
        let spacing = 4.0 / n as f64;
        let Ok(mut geometry) = (Cloth { counts, spacing }).generate() else { panic!("no cloth") };
        for (i, x) in geometry.positions.iter_mut().enumerate() {
            *x += Vector::new(noise(2 * i), noise(2 * i + 1), 0.0) * (crooked * spacing);
        }
        let geometry = Geometry { links: Vec::new(), ..geometry };
        let body = Body::new("plate", geometry).thickness(0.02);
        let (elements, mut state) = made(body, rubber(SolidLaw::default(), poisson, 0.0));
        let area: f64 = {
            let mut area = 0.0;
            elements.triangles.for_each(|_, _, volume, _| area += volume / 0.02);
            area
        };
        for x in &mut state.positions {
            x.z = 0.5 * (x2 * x.x * x.x + y2 * x.y * x.y) + xy * x.x * x.y;
        }
        let mut f = vec![Vector::zeros(); state.positions.len()];
        let islands = Arc::from(vec![0; f.len()]);
        let mut ledger = Ledger::of(&islands, &[], &[]);
        elements.patches.commit(&state.configuration(), &mut f, &mut ledger);
        let plate = 1e6 * 8e-6 / (12.0 * (1.0 - poisson * poisson));
        let squares = x2 * x2 + y2 * y2 + 2.0 * poisson * x2 * y2 + 2.0 * (1.0 - poisson) * xy * xy;
        ledger.total.spring / (0.5 * area * plate * squares)
    };
    for (crooked, poisson) in [(0.0, 0.0), (0.0, 0.3), (0.2, 0.3), (0.2, 0.49)] {
        let [coarse, fine] = [40, 80].map(|n| share(n, crooked, poisson));
        let limit = 2.0 * fine - coarse;
        let near = if crooked > 0.0 { 3e-3 } else { 1e-4 };
        assert!((limit - 1.0).abs() < near, "{crooked} {poisson}: {coarse} {fine}");
    }
}

/// A rotation with a uniform rate of turn makes no force and takes no power; `linear` is said not to.
#[test]
fn rigid_motion_makes_no_force() {
    for (law, (elements, mut state)) in kinds(0.01).into_iter().skip(1) {
        deform(&mut state, &rotation(Vector::new(1.0, 2.0, -0.5).normalize(), 2.2));
        let spin = Vector::new(3.0, -1.0, 2.0);
        state.velocities = state.positions.iter().map(|x| spin.cross(x)).collect();
        let (f, ledger) = forces(&elements, &state);
        // rounding: 1e6 Pa × area × 1e-15
        assert!(largest(&f) < 1e-9, "{law:?} {}", largest(&f));
        let books = ledger.total;
        assert!(books.spring.abs() < 1e-9 && books.dissipated_spring < 1e-12, "{law:?} {books:?}");
    }
}

/// Blocks of a Jacobian as one matrix.
struct Dense(nalgebra::DMatrix<f64>, nalgebra::DMatrix<f64>, bool);

impl BlockSink for Dense {
    fn add(&mut self, i: usize, j: usize, by_position: &Matrix, by_velocity: &Matrix) {
        let mut place = self.0.fixed_view_mut::<3, 3>(3 * i, 3 * j);
        place += by_position;
        let mut place = self.1.fixed_view_mut::<3, 3>(3 * i, 3 * j);
        place += by_velocity;
    }

    fn wants_convex(&self) -> bool {
        self.2
    }
}

fn jacobian(elements: &Elements, state: &State, convex: bool) -> Dense {
    let n = 3 * state.positions.len();
    let zeros = || nalgebra::DMatrix::zeros(n, n);
    let mut dense = Dense(zeros(), zeros(), convex);
    elements.add_jacobian(&state.configuration(), &mut dense);
    dense
}

/// Starts of tests: at rest but shaken, strained, turned, pressed flat, inverted.
fn starts() -> Vec<(&'static str, Matrix)> {
    let turned = rotation(Vector::new(0.3, 1.0, 0.2).normalize(), 1.3);
    vec![
        ("resting", Matrix::identity()),
        ("shaken", Matrix::identity()),
        ("strained", Matrix::identity() + random(11) * 0.4),
        ("turned", turned * (Matrix::identity() + random(4) * 0.2)),
        ("pressed", Matrix::from_diagonal(&Vector::new(1.3, 1.2, 0.1))),
        ("inverted", turned * Matrix::from_diagonal(&Vector::new(1.1, 0.8, -0.6))),
    ]
}

/// The tangent is that of differences of forces, to 1e-7 of its largest entry, by place and by velocity.
#[test]
fn tangents_are_those_of_differences() {
    for (name, start) in starts() {
        for (law, (elements, mut state)) in kinds(0.02) {
            deform(&mut state, &start);
            shake(&mut state, if name == "resting" { 0.0 } else { 0.004 });
            let Dense(by_place, by_velocity, _) = jacobian(&elements, &state, false);
            let step = 1e-6;
            for k in 0..3 * state.positions.len() {
                for (matrix, of_place) in [(&by_place, true), (&by_velocity, false)] {
                    let moved = |sign: f64| {
                        let mut state = state.clone();
                        let numbers =
                            if of_place { &mut state.positions } else { &mut state.velocities };
                        numbers[k / 3][k % 3] += sign * step;
                        let (f, _) = forces(&elements, &state);
                        f
                    };
                    let pairs = moved(1.0).into_iter().zip(moved(-1.0));
                    let slopes: Vec<Vector> = pairs.map(|(a, b)| (a - b) / (2.0 * step)).collect();
                    let off = flat(&slopes)
                        .iter()
                        .enumerate()
                        .map(|(row, d)| (d - matrix[(row, k)]).abs());
                    let off = off.fold(0.0, f64::max) / matrix.amax();
                    assert!(off < 1e-7, "{law:?} {name} {of_place}: {off:e}");
                }
            }
        }
    }
}

/// Forces are the negative gradient of the stored energy, and damping takes the power that the books say.
#[test]
fn forces_are_those_of_the_energy() {
    for (name, start) in starts() {
        for ((law, (elements, mut state)), (_, (damped, _))) in
            kinds(0.0).into_iter().zip(kinds(0.02))
        {
            deform(&mut state, &start);
            shake(&mut state, 0.004);
            let (f, _) = forces(&elements, &state);
            let size = largest(&f);
            for k in (0..3 * state.positions.len()).step_by(5) {
                let step = 1e-6;
                let energy = |sign: f64| {
                    let mut state = state.clone();
                    state.positions[k / 3][k % 3] += sign * step;
                    forces(&elements, &state).1.total.spring
                };
                let slope = (energy(1.0) - energy(-1.0)) / (2.0 * step);
                assert!((f[k / 3][k % 3] + slope).abs() < 1e-6 * size, "{law:?} {name}");
            }
            let (g, ledger) = forces(&damped, &state);
            let power: f64 = (0..f.len()).map(|i| (g[i] - f[i]).dot(&state.velocities[i])).sum();
            let books = ledger.total.dissipated_spring;
            assert!(
                books > 0.0 && (power + books).abs() < 1e-9 * books,
                "{law:?} {name} {power} {books}"
            );
        }
    }
}

/// The convex tangent has no direction of negative curvature, and is the exact one where that has none.
#[test]
fn convex_tangents_are() {
    for (name, start) in starts() {
        for (law, (elements, mut state)) in kinds(0.0) {
            deform(&mut state, &start);
            shake(&mut state, 0.004);
            let convex = -jacobian(&elements, &state, true).0;
            let exact = -jacobian(&elements, &state, false).0;
            let values = convex.clone().symmetric_eigenvalues();
            assert!(values.min() > -1e-9 * values.max(), "{law:?} {name} {}", values.min());
            let lost = values.max().max(exact.clone().symmetric_eigenvalues().max());
            assert!((&convex - convex.transpose()).amax() < 1e-9 * lost, "{law:?} {name}");
        }
    }
    for law in LAWS {
        let (elements, mut state) = block([2, 2, 2], rubber(law, 0.35, 0.0));
        deform(&mut state, &(Matrix::identity() * 1.1));
        let [convex, exact] = [true, false].map(|convex| jacobian(&elements, &state, convex).0);
        assert!((&convex - &exact).amax() < 1e-9 * exact.amax(), "{law:?}");
    }
}

/// Edges are what a plain sink makes of them.
#[test]
fn an_edge_has_four_blocks() {
    let (there, back) = (random(1), random(2));
    let mut dense = Dense(nalgebra::DMatrix::zeros(6, 6), nalgebra::DMatrix::zeros(6, 6), false);
    dense.add_edge(0, 1, &Edge { there, back, by_velocity: there });
    let p = nalgebra::DVector::from_fn(6, |k, _| noise(k));
    let apart = Vector::new(p[3] - p[0], p[4] - p[1], p[5] - p[2]);
    let image = &dense.0 * &p;
    let (first, second) = (there * apart, back * -apart);
    for axis in 0..3 {
        assert!((image[axis] - first[axis]).abs() < 1e-14);
        assert!((image[axis + 3] - second[axis]).abs() < 1e-14);
    }
}

fn bits(f: &[Vector]) -> Vec<u64> {
    flat(f).iter().map(|x| x.to_bits()).collect()
}

#[test]
fn every_level_and_any_number_of_owners_give_the_same_bits() {
    let of = |law| block([40, 30, 9], rubber(law, 0.4, 0.01));
    let large = LAWS.map(of).into_iter().chain([
        sheet([100, 100], rubber(SolidLaw::default(), 0.3, 0.01)),
        rope(30_000, rubber(SolidLaw::default(), 0.3, 0.01)),
    ]);
    for (kind, (mut elements, mut state)) in large.enumerate() {
        shake(&mut state, 0.004);
        let (f, ledger) = forces(&elements, &state);
        for level in levels() {
            each!(&mut elements, family => family.set_level(level));
            let (same, books) = forces(&elements, &state);
            assert_eq!(bits(&f), bits(&same), "{kind} {level:?}");
            assert_eq!(ledger.total, books.total, "{kind} {level:?}");
        }
        for threads in [2, 3] {
            let crew = elements.cuts().crew(f.len(), threads);
            assert_eq!(crew.ranges().len(), threads, "{kind}");
            elements.share(&Arc::new(crew));
            let (same, books) = forces(&elements, &state);
            assert_eq!(bits(&f), bits(&same), "{kind} {threads}");
            assert_eq!(ledger.total, books.total, "{kind} {threads}");
        }
    }
}

/// Flat, straight and pointlike elements give finite forces, energies and derivatives.
#[test]
fn collapsed_elements_survive() {
    for sizes in
        [[1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, -1.0, -1.0], [1.0, 1.0, -1.0]]
    {
        for (law, (elements, mut state)) in kinds(0.0) {
            deform(&mut state, &Matrix::from_diagonal(&sizes.into()));
            let (f, ledger) = forces(&elements, &state);
            assert!(f.iter().all(|f| f.norm().is_finite()), "{law:?} {sizes:?}");
            assert!(ledger.total.spring.is_finite() && ledger.total.spring > -1e-9);
            for convex in [true, false] {
                assert!(
                    jacobian(&elements, &state, convex).0.iter().all(|x| x.is_finite()),
                    "{law:?} {sizes:?}"
                );
            }
        }
    }
}

/// R is a rotation, and F = R S with S symmetric, also for inverted F.
#[test]
fn the_rotation_is_that_of_the_polar_decomposition() {
    for seed in 0..200 {
        let f = random(seed) * 1.5 + rotation(Vector::y(), seed as f64);
        let r: Matrix = rotation::rotation(&Square::from(f)).into();
        assert!((r.transpose() * r - Matrix::identity()).norm() < 1e-9, "{seed}");
        assert!((r.determinant() - 1.0).abs() < 1e-9);
        let s = r.transpose() * f;
        assert!((s - s.transpose()).norm() < 1e-9 * f.norm(), "{seed} {s}");
        let again = principal::Principal::of(&f).rotation();
        assert!((again - r).norm() < 1e-7, "{seed}");
    }
}
