//! Frames for other programs: cells, each with its body and, where it is a spring, its strain.

use stiction_core::math::Vector;
use stiction_core::measures::contact_fields::ContactFields;
use stiction_core::world::shapes::Family;
use stiction_core::world::{Body, World, named};
use stiction_lab::output::arrays::table::FrameView;
use stiction_lab::output::exports::vtu::{Data, Grid};
use stiction_lab::output::exports::vtu_frame::bodies;

/// Numbers of an array of cells.
fn of_cells(grid: &Grid, name: &str) -> Vec<f64> {
    let array = grid.of_cells.iter().find(|array| array.name == name).expect("the array");
    match &array.data {
        Data::Numbers(numbers) => numbers.clone(),
        Data::Integers(numbers) => numbers.iter().map(|n| *n as f64).collect(),
        Data::Bytes(bytes) => bytes.iter().copied().map(f64::from).collect(),
    }
}

#[test]
fn cells_have_their_body_and_springs_their_strain() {
    let rope = |name: &str| {
        let shape = named("rope").with("from", Vector::zeros());
        let shape = shape.with("to", Vector::new(1.0, 0.0, 0.0)).with("segments", 2);
        Body::new(name, shape).mass(1.0).spring(Family::Edge, 100.0, 0.0)
    };
    let mut world = World::new();
    world.body(Body::new("stone", named("particle")).mass(1.0));
    world.body(rope("first"));
    world.body(rope("last"));
    let mut simulation = world.simulate().expect("a world");
    // the ends of the last rope move apart by a tenth of its length
    let last = simulation.state.positions.len() - 1;
    simulation.state.positions[last].x += 0.1;
    let fields = ContactFields::of(&simulation.model, &simulation.state);
    let grid = bodies(&FrameView { simulation: &simulation, contacts: Some(&fields) });
    let (body, strain) = (of_cells(&grid, "body"), of_cells(&grid, "strain"));
    assert_eq!(body, [1.0, 1.0, 2.0, 2.0, 0.0], "four springs, then the particle alone");
    for (found, exact) in strain.iter().zip([0.0, 0.0, 0.0, 0.2]) {
        assert!((found - exact).abs() < 1e-12, "{strain:?}");
    }
    assert!(strain[4].is_nan(), "{strain:?}");
}
