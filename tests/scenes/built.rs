//! Worlds as built: every pair that can meet is checked, springs are the same in whatever order
//! they are listed, and what overlaps is said to have moved.

use stiction_core::diagnosis::forecast::forecast;
use stiction_core::math::Vector;
use stiction_core::simulation::Simulation;
use stiction_core::world::shapes::lattice::Lattice;
use stiction_core::world::shapes::{Family, Geometry, Link, Masses};
use stiction_core::world::{Body, BuildOptions, Collider, Part, World, WorldError, named};

/// A box of rubber and one of steel beside each other, under a law with a coefficient of .3, which
/// rubber on rubber and steel on steel allow, and rubber on steel does not.
fn slippery_pair() -> World {
    let mut world = World::new();
    let rubber = world.material(("rubber", 0.5, 0.5));
    let steel = world.material(("steel", 0.5, 0.5));
    world.pair([rubber, steel], [Some(0.1), None], None);
    world.normal(named("linear").with("stiffness", 1e4));
    world.friction(named("formula").with("mu", "0.3").with("epsilon", 1e-3));
    for (name, material, x) in [("soft", rubber, 0.0), ("hard", steel, 5.0)] {
        let body = Body::new(name, Lattice::new([2, 2, 2], 0.1)).mass(1.0).springs(1e3, 1.0);
        world.body(body.material(material).radius(0.01).position([x, 0.0, 0.0]));
    }
    world
}

#[test]
fn a_law_must_fit_every_pair_of_materials_that_can_meet_and_no_other() {
    // within themselves
    assert!(slippery_pair().self_contact(true).simulate().is_ok());
    // on each other
    match slippery_pair().between_bodies(true).simulate().map(drop) {
        Err(WorldError::Unfit { part: Part::Friction, problem }) => {
            assert!(problem.message.contains("(steel on rubber)"), "{}", problem.message);
        }
        other => panic!("{other:?}"),
    }
    // on a floor of a third material, whose pairs allow the law
    let mut world = slippery_pair();
    let ice = world.material(("ice", 0.5, 0.5));
    world.collider(Collider::plane("floor", [0.0, 0.0, 1.0], [0.0; 3]).material(ice));
    assert!(world.simulate().is_ok());
}

/// Links of twelve particles in a line, each joined to the next three.
fn links() -> Vec<Link> {
    let mut links = Vec::new();
    for i in 0..12u32 {
        let family = |step: u32| if step == 1 { Family::Edge } else { Family::FaceDiagonal };
        let joined = (1..=3).filter(|step| i + step < 12);
        // shorter than they are, so that all pull
        let pulls = |step: u32| Some(0.13 * f64::from(step));
        links.extend(
            joined.map(|step| Link {
                rest_length: pulls(step),
                ..Link::new(i, i + step, family(step))
            }),
        );
    }
    links
}

fn helix(links: Vec<Link>) -> Simulation {
    let place = |k: i32| {
        let angle = 0.9 * f64::from(k);
        let (s, c) = (stiction_core::math::sin(angle), stiction_core::math::cos(angle));
        Vector::new(0.3 * c, 0.3 * s, 0.05 * f64::from(k))
    };
    let shape = Geometry {
        positions: (0..12).map(place).collect(),
        links,
        masses: Masses::Given((0..12).map(|k| 1.0 + 0.1 * f64::from(k)).collect()),
        ..Geometry::default()
    };
    let mut world = World::new();
    let body = Body::new("helix", shape).spin([0.0, 1.0, 0.5]);
    world.body(body.spring(Family::Edge, 1e3, 1.0).spring(Family::FaceDiagonal, 4e2, 0.5));
    world.simulate().expect("a world")
}

/// Springs come in the order of their ends, and forces are summed in one order, so that a run has
/// the same bits.
#[test]
fn springs_are_the_same_in_whatever_order_a_shape_lists_them() {
    let sorted = links();
    let mut shuffled = sorted.clone();
    // a step that is prime to their number reaches each once
    let count = shuffled.len();
    assert_ne!(count % 7, 0);
    (0..count).for_each(|k| shuffled[k] = sorted[7 * k % count]);
    assert!(!shuffled.is_sorted_by_key(|link| (link.i, link.j)));
    let [mut one, mut other] = [sorted, shuffled].map(helix);
    let listed = |run: &Simulation| {
        let mut all = Vec::new();
        run.model.springs.for_each(|s| all.push((s.i, s.j, s.rest_length, s.material.stiffness)));
        all
    };
    assert!(listed(&other).is_sorted_by_key(|spring| (spring.0, spring.1)));
    assert_eq!(listed(&one), listed(&other));
    let bits = |run: &Simulation| -> Vec<u64> {
        run.state.forces.iter().flat_map(|f| f.iter()).map(|x| x.to_bits()).collect()
    };
    assert_eq!(bits(&one), bits(&other));
    for run in [&mut one, &mut other] {
        (0..200).for_each(|_| run.advance().expect("a step"));
    }
    assert_eq!(one.state.hash(), other.state.hash());
}

/// Balls of 5 cm whose middles are 3 cm, 4.95 cm and 20 cm above a floor: the first is moved by 2
/// cm and said to be, half a millimetre is not worth a word.
#[test]
fn what_overlaps_at_the_start_is_moved_out_and_said_to_be() {
    let mut world = World::new();
    world.material(("rubber", 0.5, 0.5));
    world.contact_method("exact");
    world.collider(Collider::plane("floor", [0.0, 0.0, 1.0], [0.0; 3]));
    for (name, x, z) in [("deep", 0.0, 0.03), ("near", 1.0, 0.0495), ("high", 2.0, 0.2)] {
        world.body(Body::new(name, "particle").mass(1.0).radius(0.05).position([x, 0.0, z]));
    }
    let built = world.build(&BuildOptions::default()).expect("a world");
    for (x, height) in built.state.positions.iter().zip([0.05, 0.05, 0.2]) {
        assert!((x.z - height).abs() < 1e-9, "{x}");
    }
    let told = forecast(&built.model, &built.state, &built.moved, 1e-3, 1.0);
    let moved: Vec<_> = told.iter().filter(|told| told.kind == "moved-start").collect();
    assert_eq!(moved.len(), 1, "{told:?}");
    assert!(moved[0].text.contains("`deep`") && moved[0].text.contains("0.02 m"), "{moved:?}");
}
