//! Frames for other programs: cells, each with its body and, where it is a spring, its strain.

use stiction_core::math::Vector;
use stiction_core::measures::contact_fields::ContactFields;
use stiction_core::world::shapes::Family;
use stiction_core::world::shapes::lattice::Lattice;
use stiction_core::world::{Body, Elasticity, Material, World, named};
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

/// Cells of a solid bar that is drawn out by 1.5 with the lateral stretch of its law at ν = 0.3, and of a rope.
#[test]
fn tetrahedra_of_a_solid_have_stress_and_strain() {
    let mut world = World::new();
    let rubber = Elasticity::new(2e6, 0.3);
    world.material(Material::new("rubber", 0.5, 0.5).density(1e3).elasticity(rubber));
    world.body(Body::new("bar", Lattice::new([2, 2, 3], 0.1)));
    let shape = named("rope").with("from", Vector::zeros());
    let shape = shape.with("to", Vector::new(1.0, 0.0, 0.0)).with("segments", 2);
    world.body(Body::new("rope", shape).mass(1.0).spring(Family::Edge, 100.0, 0.0));
    let mut simulation = world.simulate().expect("a world");
    let lateral = 0.867086124;
    for x in &mut simulation.state.positions[..12] {
        *x = x.component_mul(&Vector::new(lateral, lateral, 1.5));
    }
    let fields = ContactFields::of(&simulation.model, &simulation.state);
    let grid = bodies(&FrameView { simulation: &simulation, contacts: Some(&fields) });
    let stress = 0.404445520 * 2e6 / (lateral * lateral);
    for (name, unit, wanted) in [
        ("von_mises", "Pa", stress),
        ("pressure", "Pa", -stress / 3.0),
        ("stretch", "1", 1.5),
        ("J", "1", 1.5 * lateral * lateral),
    ] {
        let array = grid.of_cells.iter().find(|array| array.name == name).expect("the array");
        assert_eq!(array.unit, unit);
        let values = of_cells(&grid, name);
        assert_eq!(values.len(), grid.cells());
        let solid: Vec<f64> = values.iter().copied().filter(|x| !x.is_nan()).collect();
        assert_eq!(solid.len(), 12, "two cells of six tetrahedra");
        for value in solid {
            assert!((value - wanted).abs() < 1e-7 * wanted.abs(), "{name}: {value}, not {wanted}");
        }
    }
}
