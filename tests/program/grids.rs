//! Frames as grids, by hand: the strain of springs, and how much of an endless collider is shown.

use stiction_core::measures::contact_fields::ContactFields;
use stiction_core::nalgebra::Vector3;
use stiction_core::simulation::Simulation;
use stiction_core::world::shapes::Family;
use stiction_core::world::shapes::lattice::Lattice;
use stiction_core::world::{Body, Collider, World, named};
use stiction_lab::output::arrays::table::FrameView;
use stiction_lab::output::exports::vtu::{Data, Grid};
use stiction_lab::output::exports::vtu_frame::{bodies, colliders};

/// A lattice of 3 × 2 × 2 particles, 0.1 m apart, its bottom `height` above a floor through
/// `origin`.
fn above_a_floor(origin: Vector3<f64>, height: f64) -> Simulation {
    let mut world = World::new();
    world.material(("rubber", 0.5, 0.5));
    world.normal(named("linear").with("stiffness", 1e4));
    world.collider(Collider::plane("floor", [0.0, 0.0, 1.0], origin));
    let body = Body::new("box", Lattice::new([3, 2, 2], 0.1)).mass(1.0);
    let place = origin + Vector3::new(0.0, 0.0, height);
    world.body(body.spring(Family::Edge, 100.0, 0.0).position(place));
    world.simulate().expect("a world")
}

/// A grid of a simulation as it is now.
fn shown(simulation: &Simulation, grid: impl Fn(&FrameView) -> Grid) -> Grid {
    let contacts = ContactFields::of(&simulation.model, &simulation.state);
    grid(&FrameView { simulation, contacts: Some(&contacts) })
}

fn numbers<'a>(grid: &'a Grid, name: &str) -> &'a [f64] {
    let array = grid.of_cells.iter().find(|array| array.name == name).expect("the array");
    let Data::Numbers(numbers) = &array.data else { panic!("{name} has no numbers") };
    numbers
}

/// Stretched to 1.25 along x and shortened to 0.9 along z, with 8, 6 and 6 edges along x, y and z.
#[test]
fn strain_is_that_of_each_spring_and_of_no_other_cell() {
    let mut simulation = above_a_floor(Vector3::zeros(), 1.0);
    for x in &mut simulation.state.positions {
        (x.x, x.z) = (1.25 * x.x, 0.9 * x.z);
    }
    let grid = shown(&simulation, bodies);
    let strains = numbers(&grid, "strain");
    assert_eq!(strains.len(), grid.cells());
    let (springs, others) = strains.split_at(20);
    for (strain, edges) in [(0.25, 8), (0.0, 6), (-0.1, 6)] {
        let same = springs.iter().filter(|found| (*found - strain).abs() < 1e-12);
        assert_eq!(same.count(), edges, "{strain} in {springs:?}");
    }
    assert!(!others.is_empty() && others.iter().all(|strain| strain.is_nan()), "{others:?}");
}

/// Triangles of the floor that is shown: the least and the greatest coordinates.
fn span(simulation: &Simulation) -> [Vector3<f64>; 2] {
    let points = shown(simulation, colliders).points;
    let corners = points.chunks(3).map(|p| Vector3::new(p[0], p[1], p[2]));
    let low = corners.clone().reduce(|a, b| a.inf(&b)).expect("corners");
    [low, corners.reduce(|a, b| a.sup(&b)).expect("corners")]
}

#[test]
fn an_endless_floor_is_shown_under_the_particles_wherever_they_are() {
    let [low, high] = span(&above_a_floor(Vector3::zeros(), 1.0));
    // the box is from −.1 to .1 and from −.05 to .05, and as much is shown beside it
    assert!(low.x < -0.2 && low.y < -0.1 && high.x > 0.2 && high.y > 0.1, "{low} {high}");
    assert!((high - low).norm() < 5.0, "no more than what is about it: {low} {high}");
    for origin in [Vector3::new(40.0, -30.0, 20.0), Vector3::new(-0.1, 0.05, -0.05)] {
        let moved = span(&above_a_floor(origin, 1.0));
        for (here, there) in [low, high].iter().zip(moved) {
            assert!((there - here - origin).norm() < 1e-9, "{here} at the origin, {there}");
        }
    }
}
