//! Modes of a pair of masses on a spring: the oscillator of theory with the reduced mass.

use stiction_core::diagnosis::spectrum::{Linearised, Mode};
use stiction_core::math::sqrt;
use stiction_core::world::shapes::{Family, Geometry, Link, Masses};
use stiction_core::world::{Body, Pin, Selection, World};

const STIFFNESS: f64 = 300.0;
const DAMPING: f64 = 6.0;

/// The mode of the largest frequency of masses of 1 kg and 3 kg on a spring; the first may be held.
fn fastest(held: bool) -> Mode {
    let pair = Geometry {
        positions: vec![[0.0; 3].into(), [0.3, 0.4, 0.0].into()],
        links: vec![Link::new(0, 1, Family::Edge)],
        masses: Masses::Given(vec![1.0, 3.0]),
        ..Geometry::default()
    };
    let mut world = World::new();
    world.gravity([0.0; 3]);
    let pair = world.body(Body::new("pair", pair).spring(Family::Edge, STIFFNESS, DAMPING));
    if held {
        world.pin(Pin::new(pair, Selection::Particles(vec![0])));
    }
    let run = world.simulate().expect("a world");
    let spectrum = Linearised::at(&run.model, &run.state).spectrum();
    assert!(spectrum.complete && spectrum.known);
    let of = |mode: &Mode| mode.frequency;
    spectrum.modes.into_iter().max_by(|a, b| of(a).total_cmp(&of(b))).expect("modes")
}

/// μ² + (c/m) μ + k/m = 0 for the reduced mass m, ω = √(k/m), λ = c/m.
#[test]
fn a_spring_and_its_masses_have_the_frequency_and_the_damping_of_theory() {
    for (held, mass) in [(false, 0.75), (true, 3.0)] {
        let mode = fastest(held);
        let (frequency, rate) = (sqrt(STIFFNESS / mass), DAMPING / mass);
        let shown = [
            ("frequency", mode.frequency, frequency),
            ("damping rate", mode.damping_rate, rate),
            ("decay", mode.value.re, -0.5 * rate),
            ("oscillation", mode.value.im, sqrt(frequency * frequency - 0.25 * rate * rate)),
        ];
        for (name, found, right) in shown {
            assert!((found / right - 1.0).abs() < 1e-9, "{name}: {found}, not {right}");
        }
        // both ends move along the spring, in proportion to their inverse masses
        let shares = [0, 1].map(|i: usize| if held && i == 0 { 0.0 } else { [1.0, 1.0 / 3.0][i] });
        let size = |i: usize| sqrt(mode.shape[i].iter().map(|part| part.norm_squared()).sum());
        assert!((size(0) * shares[1] - size(1) * shares[0]).abs() < 1e-9, "{:?}", mode.shape);
    }
}

/// A particle at rest on a floor: friction damps it with the steepest slope of its law, 1.875 μ g/ε
/// for the quintic ramp, which is flat at rest.
#[test]
fn friction_at_rest_damps_with_the_steepest_slope() {
    let run = crate::support::simulation(
        "format = 1
        time = { end = 1e-4, step = 1e-4, output = 1e-4 }
        integrator.method = \"rk4\"
        materials.wood.static_friction = 0.5
        [contact]
        normal = { stiffness = 1e5, damping = 10 }
        friction = { law = \"quintic\", epsilon = 1e-3 }
        [[body]]
        name = \"block\"
        mass = 1.0
        shape.particle = {}
        position = [0, 0, -9.81e-5]
        [[collider]]
        name = \"floor\"
        shape.plane = {}
        ",
    );
    let spectrum = Linearised::at(&run.model, &run.state).spectrum();
    let fastest = spectrum.modes.iter().map(|mode| mode.damping_rate).fold(0.0, f64::max);
    let exact = 1.875 * 0.5 * 9.81 / 1e-3;
    assert!((fastest / exact - 1.0).abs() < 1e-6, "{fastest}, not {exact}");
}
