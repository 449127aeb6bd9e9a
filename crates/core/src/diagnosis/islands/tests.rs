//! Audits of single islands, and of two that join.

use super::*;
use crate::diagnosis::audit::Energies;

/// Energies of opposite signs may cancel, but their roundings do not.
#[test]
fn rounding_is_that_of_every_energy_by_itself() {
    let floor = |energies: Energies| {
        let mut island = Island::default();
        island.audit.energies = energies;
        island.floor(0.0, 1.0, false)
    };
    let none = Energies::default();
    let alone = [
        floor(Energies { kinetic: 3.0, ..none }),
        floor(Energies { spring: 3.0, ..none }),
        floor(Energies { contact: 3.0, ..none }),
        floor(Energies { gravity: -3.0, ..none }),
    ];
    assert!(alone.iter().all(|floor| *floor > 0.0 && (floor / alone[0] - 1.0).abs() < 1e-12));
    assert_eq!(floor(none), 0.0);
    let all = floor(Energies { kinetic: 3.0, spring: 3.0, contact: 3.0, gravity: -3.0 });
    assert!((all / alone.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{all} of {alone:?}");
}

const FLOOR: Vector = Vector::new(0.5, 0.0, -1.0);

/// A particle that moves at `v`, on a support that moves as [`FLOOR`].
fn particle(mass: f64, v: Vector) -> Island {
    let momentum = v * mass;
    let twice_kinetic = mass * v.norm_squared();
    let mut island = Island {
        mass,
        sums: Moments { twice_kinetic, momentum, ..Moments::default() },
        momentum,
        own: RestFrame { velocity: v, largest_kinetic: 0.0 },
        of_support: Some(RestFrame { velocity: FLOOR, largest_kinetic: 0.0 }),
        ..Island::default()
    };
    island.see(&island.sums.clone());
    island
}

/// Kinetic energy of some particles in the frame of a velocity.
fn kinetic(of: &[(f64, Vector)], frame: Vector) -> f64 {
    of.iter().map(|(mass, v)| 0.5 * mass * (v - frame).norm_squared()).sum()
}

/// Kinetic energies of two islands add up when they join, in the frame of their support; in that of the
/// common centre of mass the energy of their relative motion is added.
#[test]
fn islands_that_join_keep_the_kinetic_energies_of_both() {
    let both = [(2.0, Vector::new(1.0, 0.0, 3.0)), (3.0, Vector::new(-1.0, 2.0, 0.5))];
    let [mut one, other] = both.map(|(mass, v)| particle(mass, v));
    one.absorb(&other);
    let center = (both[0].1 * 2.0 + both[1].1 * 3.0) / 5.0;
    let support = one.of_support.expect("both had one");
    assert_eq!(support.velocity, FLOOR);
    assert!((support.largest_kinetic / kinetic(&both, FLOOR) - 1.0).abs() < 1e-12, "{support:?}");
    assert!((one.own.velocity - center).norm() < 1e-12, "{:?}", one.own);
    assert!(
        (one.own.largest_kinetic / kinetic(&both, center) - 1.0).abs() < 1e-12,
        "{:?}",
        one.own
    );
    assert_eq!((one.mass, one.sums.momentum), (5.0, both[0].1 * 2.0 + both[1].1 * 3.0));
}

/// An island that has slowed down keeps its largest kinetic energy.
#[test]
fn the_largest_kinetic_energy_of_an_island_outlives_its_joining() {
    let fast = [(2.0, Vector::new(1.0, 0.0, 3.0)), (3.0, Vector::new(-1.0, 2.0, 0.5))];
    let [mut one, mut other] = fast.map(|(mass, v)| particle(mass, v));
    for island in [&mut one, &mut other] {
        island.sums = Moments {
            twice_kinetic: island.mass * FLOOR.norm_squared(),
            momentum: FLOOR * island.mass,
            ..Moments::default()
        };
        island.see(&island.sums.clone());
    }
    one.absorb(&other);
    let largest = one.of_support.expect("both had one").largest_kinetic;
    assert!((largest / kinetic(&fast, FLOOR) - 1.0).abs() < 1e-12, "{largest}");
}
