//! Bodies' shapes: what they make is what they announce, sorted, unique and outward.

use proptest::prelude::*;
use std::collections::BTreeMap;
use stiction_core::math::Vector;
use stiction_core::registry::{Problem, Value, Values};
use stiction_core::world::shapes::{BodyShape, Family, Geometry, Link, Masses, SHAPES};

fn make(name: &str, values: Values) -> Result<Box<dyn BodyShape>, Problem> {
    (SHAPES.find(name).expect("the row").make)(&values)
}

fn grid(name: &str, counts: &[i64], spacing: f64) -> Box<dyn BodyShape> {
    let values = Values::default()
        .set("counts", Value::Integers(counts.to_vec()))
        .set("spacing", Value::Number(spacing));
    make(name, values).expect("a shape")
}

fn rope(from: Vector, to: Vector, segments: i64) -> Result<Box<dyn BodyShape>, Problem> {
    let values = Values::default()
        .set("from", Value::Vector(from))
        .set("to", Value::Vector(to))
        .set("segments", Value::Integer(segments));
    make("rope", values)
}

/// Generates a shape and checks what every shape must satisfy.
fn generate(shape: &dyn BodyShape) -> Geometry {
    let made = shape.generate().expect("a body");
    assert_eq!(shape.size(), (made.positions.len() as u128, made.links.len() as u128));
    for link in &made.links {
        assert!(link.i < link.j && (link.j as usize) < made.positions.len());
    }
    assert!(made.links.windows(2).all(|pair| (pair[0].i, pair[0].j) < (pair[1].i, pair[1].j)));
    for family in [Family::Edge, Family::FaceDiagonal, Family::BodyDiagonal, Family::Bend] {
        let mut families = [false; 4];
        families[family as usize] = true;
        let count = made.links.iter().filter(|link| link.family == family).count();
        assert_eq!(shape.springs_of(families), count as u128, "{family:?}");
    }
    if let Some(rule) = shape.rule() {
        assert!(rule.eq(made.links.iter().copied()), "the rule makes other springs");
        let unlisted = shape.generate_unlisted().expect("a body");
        assert_eq!(Geometry { links: made.links.clone(), ..unlisted }, made);
    }
    assert_eq!(
        shape.surface(),
        12 * made.triangles.len() as u128 + 8 * made.segments.len() as u128
    );
    made
}

fn length(made: &Geometry, link: &Link) -> f64 {
    (made.positions[link.j as usize] - made.positions[link.i as usize]).norm()
}

/// Springs of a grid have the lengths of their families, and none is missing.
fn assert_grid_links(made: &Geometry, spacing: f64) {
    let expected = |family| match family {
        Family::Edge => 1.0,
        Family::FaceDiagonal => 2f64.sqrt(),
        Family::BodyDiagonal => 3f64.sqrt(),
        Family::Bend => 2.0,
    };
    for link in &made.links {
        let found = length(made, link) / spacing;
        assert!((found - expected(link.family)).abs() < 1e-9, "{link:?} is {found} long");
    }
    // all pairs, by distance: 1, √2, √3, and 2 along an axis
    let mut pairs = 0;
    for (i, a) in made.positions.iter().enumerate() {
        for b in &made.positions[i + 1..] {
            let square = (b - a).norm_squared() / (spacing * spacing);
            pairs += usize::from(square < 3.5 || (square - 4.0).abs() < 0.1);
        }
    }
    assert_eq!(made.links.len(), pairs);
}

proptest! {
    #[test]
    fn lattices_are_what_they_announce(
        counts in prop::array::uniform3(1i64..6),
        spacing in 1e-3f64..10.0,
    ) {
        let made = generate(grid("lattice", &counts, spacing).as_ref());
        assert_grid_links(&made, spacing);
        let extent = |k: usize| (counts[k] - 1) as f64 * spacing;
        let first = Vector::new(-0.5 * extent(0), -0.5 * extent(1), 0.0);
        let last = Vector::new(0.5 * extent(0), 0.5 * extent(1), extent(2));
        prop_assert!((made.positions[0] - first).norm() < 1e-12 * (1.0 + first.norm()));
        let end = made.positions[made.positions.len() - 1];
        prop_assert!((end - last).norm() < 1e-12 * (1.0 + last.norm()));

        let volume = counts.iter().map(|&n| (n - 1).max(1) as f64 * spacing).product::<f64>();
        prop_assert_eq!(&made.masses, &Masses::Even { volume: Some(volume) });
        if counts.iter().all(|&n| n > 1) {
            // closed and outward: every directed edge has its reverse, and the hull holds the
            // volume
            let mut edges = BTreeMap::new();
            let mut enclosed = 0.0;
            for &[a, b, c] in &made.triangles {
                let corner = |i: u32| made.positions[i as usize];
                enclosed += corner(a).dot(&corner(b).cross(&corner(c))) / 6.0;
                for edge in [(a, b), (b, c), (c, a)] {
                    prop_assert_eq!(edges.insert(edge, ()), None, "an edge twice the same way");
                }
            }
            prop_assert!(edges.keys().all(|&(a, b)| edges.contains_key(&(b, a))));
            prop_assert!((enclosed - volume).abs() < 1e-9 * volume);
        }
    }

    #[test]
    fn cloths_are_what_they_announce(
        n in 2i64..9,
        m in 2i64..9,
        spacing in 1e-3f64..10.0,
    ) {
        let made = generate(grid("cloth", &[n, m], spacing).as_ref());
        assert_grid_links(&made, spacing);
        prop_assert_eq!(made.positions.len() as i64, n * m);
        prop_assert_eq!(made.triangles.len() as i64, 2 * (n - 1) * (m - 1));
        let mut area = 0.0;
        for triangle in &made.triangles {
            let [a, b, c] = triangle.map(|i| made.positions[i as usize]);
            let normal = (b - a).cross(&(c - a));
            prop_assert!(normal.z > 0.0);
            area += 0.5 * normal.z;
        }
        let expected = ((n - 1) * (m - 1)) as f64 * spacing * spacing;
        prop_assert!((area - expected).abs() < 1e-9 * expected);
        let centre: Vector = made.positions.iter().sum();
        prop_assert!(centre.norm() < 1e-9 * spacing);
    }

    #[test]
    fn ropes_are_what_they_announce(
        from in prop::array::uniform3(-5.0f64..5.0),
        to in prop::array::uniform3(-5.0f64..5.0),
        segments in 1i64..40,
    ) {
        let (from, to) = (Vector::from(from), Vector::from(to));
        prop_assume!((to - from).norm() > 1e-3);
        let made = generate(rope(from, to, segments).expect("a rope").as_ref());
        prop_assert_eq!(made.positions[0], from);
        prop_assert_eq!(made.positions[segments as usize], to);
        let piece = (to - from).norm() / segments as f64;
        for link in &made.links {
            let pieces = if link.family == Family::Bend { 2 } else { 1 };
            prop_assert_eq!(link.j - link.i, pieces);
            prop_assert!((length(&made, link) - f64::from(pieces) * piece).abs() < 1e-9);
        }
    }
}

#[test]
fn the_lattice_of_the_tipping_box_has_its_middle_column_at_zero() {
    let made = generate(grid("lattice", &[7, 1, 17], 0.1).as_ref());
    assert_eq!(made.positions[3], Vector::zeros());
    assert_eq!(made.positions[7 * 7 + 3].x, 0.0);
    assert!((made.positions[7 * 7 + 3].z - 0.7).abs() < 1e-15);
    assert_eq!(made.triangles.len(), 2 * 6 * 16);
    assert!(made.links.iter().all(|link| link.family != Family::BodyDiagonal));
}

#[test]
fn enormous_shapes_announce_their_size_and_are_refused_without_allocating() {
    let shape = grid("lattice", &[1 << 22, 1 << 22, 1 << 22], 0.1);
    assert_eq!(shape.size().0, 1 << 66);
    for shape in [
        shape,
        grid("lattice", &[i64::MAX; 3], 0.1),
        grid("cloth", &[i64::MAX; 2], 0.1),
        rope(Vector::zeros(), Vector::x() * 1e6, 1 << 33).expect("a rope"),
    ] {
        assert!(shape.size().0 > 1 << 32 && shape.size().1 > 1 << 32);
        assert!(shape.generate().is_err());
    }
    assert_eq!(grid("lattice", &[i64::MAX; 3], 0.1).size(), (u128::MAX, u128::MAX));
}

#[test]
fn ropes_without_length_and_cloths_without_breadth_are_refused() {
    assert_eq!(rope(Vector::x(), Vector::x(), 3).err().and_then(|p| p.key), Some("to"));
    for counts in [vec![3], vec![3, 3, 3], vec![1, 5], vec![5, 0]] {
        let values = Values::default()
            .set("counts", Value::Integers(counts))
            .set("spacing", Value::Number(0.1));
        assert_eq!(make("cloth", values).err().and_then(|p| p.key), Some("counts"));
    }
}

fn points(values: Values) -> Result<Geometry, Problem> {
    let positions = vec![Vector::zeros(), Vector::x(), Vector::y(), Vector::y()];
    let values = values.set("positions", Value::Vectors(positions));
    make("points", values).map(|shape| generate(shape.as_ref()))
}

/// Four points: the first three are apart, the last two on one point, which a link of rest length 0
/// permits.
fn linked(links: &[[usize; 2]], rest_lengths: &[f64]) -> Result<Geometry, Problem> {
    let links = [&[[2, 3]], links].concat();
    let rest_lengths = [&[0.0], rest_lengths].concat();
    points(
        Values::default()
            .set("links", Value::Pairs(links))
            .set("rest_lengths", Value::Numbers(rest_lengths)),
    )
}

#[test]
fn points_keep_links_masses_and_velocities() {
    let made = linked(&[[1, 0], [0, 2]], &[0.5, 2.0]).expect("points");
    let found: Vec<_> = made.links.iter().map(|l| (l.i, l.j, l.rest_length)).collect();
    assert_eq!(found, [(0, 1, Some(0.5)), (0, 2, Some(2.0)), (2, 3, Some(0.0))]);

    let values = Values::default()
        .set("positions", Value::Vectors(vec![Vector::zeros(), Vector::x()]))
        .set("masses", Value::Numbers(vec![1.0, 2.0]))
        .set("velocities", Value::Vectors(vec![Vector::z(), Vector::y()]));
    let made = generate(make("points", values).expect("points").as_ref());
    assert_eq!(made.masses, Masses::Given(vec![1.0, 2.0]));
    assert_eq!(made.velocities, [Vector::z(), Vector::y()]);
    assert_eq!(
        generate(make("particle", Values::default()).expect("one").as_ref()).positions.len(),
        1
    );
}

#[test]
fn points_name_what_does_not_fit_together() {
    let problem = |made: Result<Geometry, Problem>| made.expect_err("a problem");
    let cases = [
        (problem(linked(&[[0, 4]], &[1.0])), "links", vec!["links[1]", "4"]),
        (problem(linked(&[[1, 1]], &[1.0])), "links", vec!["links[1]", "itself"]),
        (problem(linked(&[[0, 1], [1, 0]], &[1.0, 1.0])), "links", vec!["links[2]", "links[1]"]),
        (problem(linked(&[[0, 1]], &[])), "rest_lengths", vec!["1 values", "2 links"]),
        (problem(points(Values::default())), "positions", vec!["2 and 3"]),
        (
            problem(points(
                Values::default()
                    .set("links", Value::Pairs(vec![[3, 2]]))
                    .set("rest_lengths", Value::Numbers(vec![0.1])),
            )),
            "links",
            vec!["direction"],
        ),
        (
            problem(points(Values::default().set("masses", Value::Numbers(vec![1.0; 3])))),
            "masses",
            vec!["3 values", "4 particles"],
        ),
        (
            problem(points(Values::default().set("velocities", Value::Vectors(vec![])))),
            "velocities",
            vec!["0 values", "4 particles"],
        ),
    ];
    for (problem, key, texts) in cases {
        assert_eq!(problem.key, Some(key), "{problem}");
        assert!(texts.iter().all(|text| problem.message.contains(text)), "{problem}");
        assert!(!problem.help.is_empty());
    }
}
