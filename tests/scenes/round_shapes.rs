//! Disc and ring: even, round, in the plane asked for, joined as documented.

use stiction_core::math::{Vector, asin, sin};
use stiction_core::registry::{Value, Values};
use stiction_core::world::shapes::{BodyShape, Family, Geometry, SHAPES};

fn shape(name: &str, count: i64, axis: Vector, hub: bool) -> Box<dyn BodyShape> {
    let entry = SHAPES.find(name).expect("the row");
    let mut values = Values::defaults(entry.keys)
        .set("radius", Value::Number(0.5))
        .set("count", Value::Integer(count));
    if name != "sphere" {
        values = values.set("axis", Value::Vector(axis));
    }
    if hub {
        values = values.set("hub", Value::Flag(true));
    }
    (entry.make)(&values).expect("a shape")
}

fn generate(shape: &dyn BodyShape) -> Geometry {
    let made = shape.generate().expect("a body");
    for link in &made.links {
        assert!(link.i < link.j && (link.j as usize) < made.positions.len());
    }
    assert!(made.links.windows(2).all(|pair| (pair[0].i, pair[0].j) < (pair[1].i, pair[1].j)));
    made
}

fn area(made: &Geometry, axis: Vector) -> f64 {
    let areas = made.triangles.iter().map(|corners| {
        let [a, b, c] = corners.map(|i| made.positions[i as usize]);
        let area = 0.5 * (b - a).cross(&(c - a)).dot(&axis);
        assert!(area > 0.0, "a triangle faces away: {corners:?}");
        area
    });
    areas.sum()
}

#[test]
fn a_disc_is_even_round_and_triangulated() {
    for axis in [Vector::z(), Vector::x(), Vector::new(1.0, -2.0, 0.5)] {
        for count in [3, 4, 10, 100, 1000] {
            let disc = shape("disc", count, axis, false);
            let made = generate(disc.as_ref());
            let n = count as usize;
            assert_eq!(made.positions.len(), n);
            let (particles, springs) = disc.size();
            assert!(particles == n as u128 && springs >= made.links.len() as u128);
            // Euler: v − e + f = 1 without the outer face
            assert_eq!(n + made.triangles.len(), made.links.len() + 1, "{count}");
            assert!(made.links.iter().all(|link| link.family == Family::Edge));
            let unit = axis.normalize();
            for (i, p) in made.positions.iter().enumerate() {
                assert!(p.dot(&unit).abs() < 1e-12);
                let exact = 0.5 * ((i as f64 + 0.5) / n as f64).sqrt();
                assert!((p.norm() - exact).abs() < 1e-12);
            }
            if count >= 100 {
                let circle = std::f64::consts::PI * 0.25;
                let share = area(&made, unit) / circle;
                assert!(share > 0.85 && share < 1.0, "{count}: {share}");
                let center: Vector = made.positions.iter().sum::<Vector>() / n as f64;
                assert!(center.norm() < 0.5 / n as f64);
                // every particle has the same area to itself
                let own = (circle / n as f64).sqrt();
                let shortest = made
                    .links
                    .iter()
                    .map(|l| (made.positions[l.i as usize] - made.positions[l.j as usize]).norm())
                    .fold(f64::INFINITY, f64::min);
                assert!(shortest > 0.7 * own, "{count}: {shortest} {own}");
            }
        }
    }
    // the plane z = 0 without turning
    let made = generate(shape("disc", 10, Vector::z(), false).as_ref());
    assert_eq!(made.positions[0].yz(), Vector::zeros().yz());
    assert!(made.positions[0].x > 0.0);
}

#[test]
fn a_ring_joins_neighbours_second_neighbours_and_the_hub() {
    for (count, bends) in [(3, 0), (4, 2), (5, 5), (48, 48)] {
        for hub in [false, true] {
            let axis = Vector::new(0.0, -2.0, 0.0);
            let ring = shape("ring", count, axis, hub);
            let made = generate(ring.as_ref());
            let n = count as usize;
            let size = (made.positions.len() as u128, made.links.len() as u128);
            assert_eq!(ring.size(), size);
            assert_eq!(made.positions.len(), n + usize::from(hub));
            let of = |family| made.links.iter().filter(move |l| l.family == family);
            assert_eq!(of(Family::Bend).count(), bends, "{count}");
            assert_eq!(of(Family::Edge).count(), if hub { 2 * n } else { n });
            let angle = |link: &stiction_core::world::shapes::Link| {
                let apart = made.positions[link.i as usize] - made.positions[link.j as usize];
                2.0 * asin(apart.norm()) * n as f64 / std::f64::consts::TAU
            };
            let rim = |l: &&stiction_core::world::shapes::Link| (l.j as usize) < n;
            assert!(of(Family::Edge).filter(rim).all(|l| (angle(l) - 1.0).abs() < 1e-9));
            assert!(of(Family::Bend).filter(rim).all(|l| (angle(l) - 2.0).abs() < 1e-6));
            assert!(
                made.positions[..n].iter().all(|p| p.y == 0.0 && (p.norm() - 0.5).abs() < 1e-12)
            );
            if hub {
                assert_eq!(made.positions[n], Vector::zeros());
                let exact = 0.125 * n as f64 * sin(std::f64::consts::TAU / n as f64);
                assert!((area(&made, -Vector::y()) - exact).abs() < 1e-12);
            } else {
                assert!(made.triangles.is_empty());
            }
        }
    }
}

#[test]
fn a_sphere_is_the_hull_of_its_particles() {
    for (count, hub) in [(4, false), (5, true), (12, false), (100, true), (1000, false)] {
        let sphere = shape("sphere", count, Vector::z(), hub);
        let made = generate(sphere.as_ref());
        let n = count as usize;
        assert_eq!(sphere.size(), (made.positions.len() as u128, made.links.len() as u128));
        assert_eq!(made.triangles.len(), 2 * n - 4);
        assert!(made.positions[..n].iter().all(|p| (p.norm() - 0.5).abs() < 1e-12));
        // no particle lies beyond a face, and all faces look outward
        let mut volume = 0.0;
        for corners in &made.triangles {
            let [a, b, c] = corners.map(|i| made.positions[i as usize]);
            let normal = (b - a).cross(&(c - a)).normalize();
            assert!(normal.dot(&a) > 0.0);
            assert!(made.positions.iter().all(|p| (p - a).dot(&normal) < 1e-12), "{count}");
            volume += a.dot(&b.cross(&c)) / 6.0;
        }
        let ball = std::f64::consts::PI / 6.0;
        assert!(volume < ball && (count < 100 || volume > 0.92 * ball), "{count}: {volume}");
        assert_eq!(hub, made.positions.len() == n + 1);
    }
}

#[test]
fn more_particles_than_numbers_are_refused() {
    for name in ["disc", "ring", "sphere"] {
        let made = shape(name, 1 << 33, Vector::z(), false).generate();
        assert!(matches!(made, Err(p) if p.key == Some("count")));
    }
}
