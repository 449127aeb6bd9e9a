//! Worlds built in Rust: the same bits as the scene that says the same, rows or values alike, and
//! errors that name the part at fault.

use std::path::Path;
use stiction_core::contact::friction::threshold::Threshold;
use stiction_core::integrators::symplectic_euler::SymplecticEuler;
use stiction_core::simulation::Simulation;
use stiction_core::world::shapes::lattice::Lattice;
use stiction_core::world::shapes::{Family, Geometry, Link, Masses};
use stiction_core::world::{
    Body, Chosen, Collider, Curve, Drag, Part, Pin, Push, Selection, World, WorldError, named,
};
use stiction_scene::build::{BuildOptions, build};
use stiction_scene::{LoadOptions, load_text};

const SCENE: &str = r#"
format = 1
[world]
planar = "xz"
[time]
end = 0.1
step = 1e-4
output = 0.1
[integrator]
method = "symplectic-euler"
[materials.rubber]
static_friction = 0.9
kinetic_friction = 0.7
restitution = 0.3
[materials.ice]
static_friction = 0.1
[[pair]]
materials = ["rubber", "ice"]
static_friction = 0.15
[contact]
normal = { law = "linear", stiffness = 2e5 }
friction = { law = "threshold", epsilon = 1e-2 }
[[body]]
name = "box"
material = "rubber"
mass = 2.0
shape = { lattice = { counts = [4, 1, 3], spacing = 0.1 } }
springs = { edge = { stiffness = 2e4, damping = 20 }, face_diagonal = { stiffness = 2e4, damping = 20 }, body_diagonal = { stiffness = 2e4, damping = 20 }, bend = { stiffness = 10 } }
position = [0, 0, 0.01]
rotation = [0, 10, 0]
velocity = [0.3, 0, 0]
spin = [0, 2, 0]
[[collider]]
name = "floor"
material = "ice"
shape = { plane = {} }
motion = { belt = { velocity = [0.1, 0, 0] }, oscillate = { direction = [0, 0, 2], amplitude = 1e-3, frequency = 5, phase = 30 } }
[[push]]
body = "box"
where = { nearest = [0, 0, 0.2] }
force = [5, 0, 0]
from = 0.01
ramp = 0.02
[[drag]]
body = "box"
rate = 0.5
until = 0.05
"#;

/// Adds all of [`SCENE`] to a world but the friction law and the integrator.
fn same(world: &mut World) -> &mut World {
    let rubber =
        world.material(stiction_core::world::Material::new("rubber", 0.9, 0.7).restitution(0.3));
    let ice = world.material(("ice", 0.1, 0.1));
    world.pair([rubber, ice], [Some(0.15), None], None);
    world.normal(named("linear").with("stiffness", 2e5)).locked_axis(1).step(1e-4);
    let jelly = Body::new("box", Lattice::new([4, 1, 3], 0.1)).material(rubber).mass(2.0);
    let jelly = jelly.springs(2e4, 20.0).spring(Family::Bend, 10.0, 0.0);
    let jelly = jelly.position([0.0, 0.0, 0.01]).rotation([0.0, 10.0, 0.0]);
    let jelly = world.body(jelly.velocity([0.3, 0.0, 0.0]).spin([0.0, 2.0, 0.0]));
    let floor = Collider::plane("floor", [0.0, 0.0, 3.0], [0.0; 3]).material(ice);
    world.collider(floor.belt([0.1, 0.0, 0.0]).oscillate([0.0, 0.0, 2.0], 1e-3, 5.0, 30.0));
    let push =
        Push::new(jelly, [5.0, 0.0, 0.0]).selection(Selection::Nearest([0.0, 0.0, 0.2].into()));
    world.push(push.from(0.01).ramp(0.02)).drag(Drag::new(0.5).body(jelly).until(0.05))
}

fn hash(mut simulation: Simulation) -> u64 {
    for _ in 0..1000 {
        simulation.advance().expect("a step");
    }
    simulation.state.hash()
}

#[test]
fn a_world_has_the_bits_of_the_scene_that_says_the_same() {
    let loaded = load_text("s", SCENE, Path::new("."), &LoadOptions::default());
    let scene = loaded.unwrap_or_else(|errors| panic!("{errors}")).scene;
    let built = build(&scene, &BuildOptions::default()).expect("a model");
    let of_scene = hash(Simulation::with_method(
        built.model,
        built.state,
        built.integrator,
        built.method,
        scene.time.step,
    ));
    let mut by_name = World::new();
    by_name.friction(named("threshold").with("epsilon", 1e-2)).integrator("symplectic-euler");
    assert_eq!(hash(same(&mut by_name).simulate().expect("a world")), of_scene);
    let mut by_value = World::new();
    by_value.friction(Threshold { epsilon: 1e-2 }).integrator(SymplecticEuler);
    assert_eq!(hash(same(&mut by_value).simulate().expect("a world")), of_scene);
    // a world can be built again, and differs where it is said to
    by_value.friction(Threshold { epsilon: 1e-1 });
    assert_ne!(hash(by_value.simulate().expect("a world")), of_scene);
}

/// The part and the key at fault in a small world that `change` has spoilt.
fn fault(
    change: impl FnOnce(&mut World, stiction_core::world::BodyId),
) -> (Part, Option<&'static str>) {
    let mut world = World::new();
    world.material(("rubber", 0.5, 0.5));
    world.normal(named("linear").with("stiffness", 1e4));
    world.collider(Collider::plane("floor", [0.0, 0.0, 1.0], [0.0; 3]));
    let bead = world.body(Body::new("bead", "particle").mass(0.1));
    assert!(world.simulate().is_ok(), "sound before it is spoilt");
    change(&mut world, bead);
    match world.simulate().map(drop) {
        Err(WorldError::Unfit { part, problem }) => (part, problem.key),
        other => panic!("{other:?}"),
    }
}

#[test]
fn errors_name_the_part_and_the_key_at_fault() {
    let second = |body: Body| {
        move |world: &mut World, _| {
            _ = world.body(body);
        }
    };
    let bead = || Body::new("second", "particle").mass(1.0);
    let lattice = |counts: [i32; 3]| named("lattice").with("counts", counts).with("spacing", 0.1);
    assert_eq!(fault(second(Body::new("second", "particle"))), (Part::Body(1), None));
    assert_eq!(fault(second(bead().mass(-1.0))), (Part::Body(1), Some("mass")));
    assert_eq!(fault(second(bead().radius(f64::NAN))), (Part::Body(1), Some("radius")));
    assert_eq!(fault(second(bead().springs(0.0, 0.0))), (Part::Body(1), Some("stiffness")));
    assert_eq!(fault(second(bead().springs(1.0, -1.0))), (Part::Body(1), Some("damping")));
    assert_eq!(
        fault(second(Body::new("bead", "particle").mass(1.0))),
        (Part::Body(1), Some("name"))
    );
    let shape = |shape: Chosen<_>| fault(second(Body::new("second", shape).mass(1.0)));
    assert_eq!(shape(lattice([0, 1, 1]).into()), (Part::Shape(1), Some("counts")));
    assert_eq!(
        shape(named("lattice").with("spacing", 0.1).into()),
        (Part::Shape(1), Some("counts"))
    );
    assert_eq!(shape(lattice([2, 2, 2]).with("colour", 1.0).into()), (Part::Shape(1), None));
    assert_eq!(shape("latice".into()), (Part::Shape(1), None));
    assert_eq!(shape(named("file").with("path", "a.msh").into()), (Part::Shape(1), Some("path")));
    assert_eq!(shape(Geometry::default().into()), (Part::Shape(1), None));

    assert_eq!(
        fault(|w, _| {
            _ = w.step(0.0);
        }),
        (Part::World, Some("step"))
    );
    assert_eq!(
        fault(|w, _| {
            _ = w.normal("linear");
        }),
        (Part::Normal, Some("stiffness"))
    );
    let slack = named("threshold").with("epsilon", -1.0);
    assert_eq!(
        fault(|w, _| {
            _ = w.friction(slack);
        }),
        (Part::Friction, Some("epsilon"))
    );
    assert_eq!(
        fault(|w, _| {
            _ = w.integrator("rk5");
        }),
        (Part::Integrator, None)
    );
    assert_eq!(
        fault(|w, _| {
            _ = w.contact_method("magic");
        }),
        (Part::ContactMethod, None)
    );
    assert_eq!(
        fault(|w, _| {
            _ = w.pairing("mean", "avg");
        }),
        (Part::Pairing, Some("restitution"))
    );
    assert_eq!(
        fault(|w, _| {
            _ = w.material(("glue", 101.0, 1.0));
        }),
        (Part::Material(1), None)
    );
    // two materials, and nobody says which is whose
    assert_eq!(
        fault(|w, _| {
            _ = w.material(("ice", 0.1, 0.1));
        }),
        (Part::Body(0), Some("material"))
    );
    assert_eq!(
        fault(|w, _| {
            _ = w.self_contact(true);
        }),
        (Part::Contact, Some("self_contact"))
    );
    let missing = || Selection::Particles(vec![1]);
    assert_eq!(
        fault(|w, b| {
            _ = w.pin(Pin::new(b, missing()));
        }),
        (Part::Pin(0), None)
    );
    let push = |b| Push::new(b, [1.0, 0.0, 0.0]).selection(missing());
    assert_eq!(
        fault(|w, b| {
            _ = w.push(push(b));
        }),
        (Part::Push(0), None)
    );
    let phi = |text: &str| Curve::parse(&[text], &Default::default()).expect("a formula");
    let far = |w: &mut World, b| {
        _ = w.curve(Curve::new(b, phi("z - 1")));
    };
    assert_eq!(fault(far), (Part::Curve(0), None));
    let none = |w: &mut World, b| {
        _ = w.curve(Curve::new(b, phi("x*0 + 1")));
    };
    assert_eq!(fault(none), (Part::Curve(0), Some("phi")));
    let rough = |kinetic: f64, held: Option<f64>| {
        fault(|w, b| {
            let curve = Curve::new(b, phi("z")).kinetic_friction(kinetic);
            _ = w.curve(if let Some(held) = held { curve.static_friction(held) } else { curve });
        })
    };
    for (kinetic, held) in [(0.3, Some(0.2)), (-0.1, None), (-0.2, Some(0.1))] {
        assert_eq!(rough(kinetic, held), (Part::Curve(0), Some("friction")), "{kinetic} {held:?}");
    }
    let pulled = |w: &mut World, b| {
        let pin = |z: f64| Pin::new(b, Selection::All).velocity([0.0, 0.0, z]);
        _ = w.pin(pin(1.0));
        _ = w.pin(pin(2.0));
        _ = w.pin(pin(2.0));
    };
    assert_eq!(fault(pulled).0, Part::Pin(1));
    let mut other = World::new();
    other.body(bead());
    let stranger = other.body(Body::new("third", "particle"));
    let dragged = |w: &mut World, _| {
        _ = w.drag(Drag::new(1.0).body(stranger));
    };
    assert_eq!(fault(dragged), (Part::Drag(0), Some("body")));
    assert!(matches!(World::new().simulate(), Err(WorldError::Unfit { part: Part::World, .. })));
}

#[test]
fn a_geometry_is_a_shape_and_what_touches_nothing_needs_no_law() {
    let pair = Geometry {
        positions: vec![[0.0; 3].into(), [1.0, 0.0, 0.0].into()],
        links: vec![Link::new(0, 1, Family::Edge)],
        masses: Masses::Given(vec![1.0, 2.0]),
        ..Geometry::default()
    };
    let mut world = World::new();
    world.body(Body::new("pair", pair.clone()).spring(Family::Edge, 100.0, 0.0));
    let simulation = world.simulate().expect("no material, no stiffness: nothing touches");
    assert_eq!(simulation.model.masses, [1.0, 2.0]);
    assert_eq!(simulation.model.springs.len(), 1);
    // nor does it become ambiguous by what it does not need
    assert!(world.normal("hunt-crossley").simulate().is_ok());
    let wrong = Geometry { links: vec![Link::new(1, 2, Family::Edge)], ..pair };
    world.body(Body::new("wrong", wrong));
    assert!(matches!(world.simulate(), Err(WorldError::Unfit { part: Part::Shape(1), .. })));
    let huge = named("lattice").with("counts", [9999, 9999, 9999]).with("spacing", 1.0);
    let mut world = World::new();
    world.body(Body::new("huge", huge).mass(1.0));
    assert!(matches!(world.simulate(), Err(WorldError::TooLarge { number: 0, .. })));
}
