//! The kernels against single springs, and against each other.

use super::*;
use crate::math::flat;
use crate::math::lanes::levels;
use crate::state::State;

/// Springs on the edges and diagonals of a lattice of n³, `more` springs at random, and random
/// positions and velocities.
fn jumble(n: usize, more: usize) -> (Vec<Spring>, State) {
    let number = |i: usize, j: usize, k: usize| (i * n + j) * n + k;
    let mut seed = 1u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as f64 / (1u64 << 31) as f64
    };
    let mut springs = Vec::new();
    let material = |kind: usize| SpringMaterial { stiffness: 500.0 + kind as f64, damping: 0.5 };
    for (i, j, k) in (0..n * n * n).map(|p| (p / n / n, p / n % n, p % n)) {
        let steps = [(0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 1, 0), (0, 1, 1)];
        for (kind, (a, b, c)) in steps.into_iter().enumerate() {
            if i + a < n && j + b < n && k + c < n {
                springs.push(Spring {
                    i: number(i, j, k),
                    j: number(i + a, j + b, k + c),
                    rest_length: 0.1 + 0.01 * random(),
                    material: material(kind / 3),
                });
            }
        }
    }
    let particles = n * n * n + 3;
    for _ in 0..more {
        let ends = [random(), random()].map(|r| (r * particles as f64) as usize);
        if ends[0] != ends[1] {
            springs.push(Spring {
                i: ends[0].min(ends[1]),
                j: ends[0].max(ends[1]),
                rest_length: random(),
                material: material(2),
            });
        }
    }
    let mut vectors = |scale: f64| -> Vec<Vector> {
        let one = |_| Vector::new(random(), random(), random()) * scale;
        (0..particles).map(one).collect()
    };
    let mut state = State { positions: vectors(1.0), velocities: vectors(3.0), ..State::default() };
    // coincident ends pull nowhere
    state.positions[1] = state.positions[0];
    (springs, state)
}

fn forces(springs: &Springs, state: &State) -> (Vec<Vector>, Ledger) {
    let mut f = vec![Vector::zeros(); state.positions.len()];
    let mut ledger = Ledger::default();
    springs.commit(&state.configuration(), &mut f, &mut ledger, &mut Memory::default());
    (f, ledger)
}

fn bits(f: &[Vector]) -> Vec<u64> {
    flat(f).iter().map(|x| x.to_bits()).collect()
}

#[test]
fn kernels_give_what_single_springs_give() {
    for (n, more) in [(1, 0), (1, 2), (2, 0), (3, 10), (9, 0), (9, 500), (17, 40)] {
        let (list, state) = jumble(n, more);
        let springs = Springs::new(list.clone(), state.positions.len());
        assert_eq!(springs.len(), list.len());
        let (f, ledger) = forces(&springs, &state);
        let mut wanted = vec![Vector::zeros(); f.len()];
        let (mut stored, mut dissipated, mut size) = (0.0, 0.0, 1.0f64);
        for spring in &list {
            let ends = |of: &[Vector]| [spring.i, spring.j].map(|p| of[p].into());
            let pull = spring.pull(ends(&state.positions), ends(&state.velocities));
            let force = Vector::from(pull.force);
            wanted[spring.i] += force;
            wanted[spring.j] -= force;
            (stored, dissipated) = (stored + 0.5 * pull.twice_stored, dissipated + pull.dissipated);
            size = size.max(force.norm());
        }
        for (f, wanted) in f.iter().zip(&wanted) {
            assert!((f - wanted).norm() <= 1e-12 * size, "{n} {more}: {f} {wanted}");
        }
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-12 * b.abs();
        assert!(near(ledger.total.spring, stored), "{} {stored}", ledger.total.spring);
        assert!(near(ledger.total.dissipated_spring, dissipated));
    }
}

/// Four of a star, whose first end stays the same; its spring to the last particle, which is taken alone; and fours
/// of a chain, in which each second end is the next first one.
#[test]
fn a_list_has_the_bits_of_its_springs_one_by_one() {
    let (_, state) = jumble(3, 0);
    let star = [2, 3, 5, 8, 26].map(|j| (0, j));
    let chain = [(2, 4), (4, 9), (9, 10), (10, 13), (13, 15), (15, 18), (18, 22), (22, 24)];
    let material = SpringMaterial { stiffness: 500.0, damping: 0.5 };
    let spring = |(i, j)| Spring { i, j, rest_length: 0.3, material };
    let list: Vec<Spring> = star.into_iter().chain(chain).map(spring).collect();
    let mut wanted = vec![Vector::zeros(); state.positions.len()];
    for spring in &list {
        let ends = |of: &[Vector]| [spring.i, spring.j].map(|p| of[p].into());
        let pull = spring.pull(ends(&state.positions), ends(&state.velocities));
        wanted[spring.i] += Vector::from(pull.force);
        wanted[spring.j] -= Vector::from(pull.force);
    }
    let springs = Springs::new(list, state.positions.len());
    assert!(springs.terms.layout.blocks.is_empty(), "some stand in rows");
    assert_eq!(bits(&forces(&springs, &state).0), bits(&wanted));
}

#[test]
fn every_level_gives_the_same_bits() {
    for (n, more) in [(9, 500), (17, 40), (30, 0)] {
        let (list, state) = jumble(n, more);
        let mut springs = Springs::new(list, state.positions.len());
        let (f, ledger) = forces(&springs, &state);
        for level in levels() {
            springs.terms.level = level;
            let (same, books) = forces(&springs, &state);
            assert_eq!(bits(&f), bits(&same), "{level:?}");
            assert_eq!(ledger.total, books.total, "{level:?}");
            let mut again = vec![Vector::zeros(); f.len()];
            springs.add_force(&state.configuration(), &mut again);
            assert_eq!(bits(&f), bits(&again), "without books, {level:?}");
        }
    }
}

#[test]
fn any_number_of_owners_gives_the_same_bits() {
    for (n, more) in [(17, 40), (30, 0), (30, 3000)] {
        let (list, state) = jumble(n, more);
        let mut springs = Springs::new(list, state.positions.len());
        let (f, _) = forces(&springs, &state);
        for shares in [2, 3, 7] {
            let mut parts = vec![Vector::zeros(); f.len()];
            let ranges = springs.cuts().share_out(f.len(), shares);
            assert!(n < 20 || ranges.len() == shares.min(7), "{ranges:?}");
            springs.share(&Arc::new(Crew::of(ranges)));
            springs.add_force(&state.configuration(), &mut parts);
            assert_eq!(bits(&f), bits(&parts), "{shares} owners of {n}");
        }
    }
}

#[test]
fn every_spring_has_its_number() {
    for (n, more) in [(1, 2), (9, 500), (17, 0)] {
        let (mut list, state) = jumble(n, more);
        let springs = Springs::new(list.clone(), state.positions.len());
        let key = |s: &Spring| (s.i, s.j, s.rest_length.to_bits());
        list.sort_by_key(key);
        let mut numbered: Vec<Spring> = (0..springs.len()).map(|s| springs.get(s)).collect();
        numbered.sort_by_key(key);
        assert_eq!(numbered, list);
        let mut shown = Vec::new();
        springs.for_each(|spring| shown.push(spring));
        if n > 1 {
            assert!(shown.is_sorted_by_key(|s| (s.i, s.j)), "as linear systems take them");
        }
        shown.sort_by_key(key);
        assert_eq!(shown, list);
    }
}

/// Two alternating chains, and one chain within another: no cut may part their springs.
#[test]
fn components_that_interleave_are_summed_whole() {
    let spring = |i: usize, j: usize| Spring {
        i,
        j,
        rest_length: 0.9,
        material: SpringMaterial { stiffness: 10.0, damping: 1.0 },
    };
    let particles = 15_000;
    let alternating = (0..particles - 2).map(|i| spring(i, i + 2)).collect::<Vec<_>>();
    let within = |i: &usize| (5000..5999).contains(i);
    let around = (0..particles - 1).filter(|i| !(4999..6000).contains(i)).map(|i| spring(i, i + 1));
    let mut enclosed: Vec<Spring> = around.chain([spring(4999, 6000)]).collect();
    enclosed.extend((0..particles).filter(within).map(|i| spring(i, i + 1)));
    let (_, state) = jumble(25, 0);
    for list in [alternating, enclosed] {
        let mut springs = Springs::new(list.clone(), state.positions.len());
        let (f, _) = forces(&springs, &state);
        let mut wanted = vec![Vector::zeros(); f.len()];
        for spring in &list {
            let ends = |of: &[Vector]| [spring.i, spring.j].map(|p| of[p].into());
            let force = spring.pull(ends(&state.positions), ends(&state.velocities)).force;
            wanted[spring.i] += Vector::from(force);
            wanted[spring.j] -= Vector::from(force);
        }
        assert!(f.iter().zip(&wanted).all(|(f, wanted)| (f - wanted).norm() < 1e-9));
        for shares in [2, 3, 7] {
            let mut parts = vec![Vector::zeros(); f.len()];
            let ranges = springs.cuts().share_out(f.len(), shares);
            springs.share(&Arc::new(Crew::of(ranges)));
            springs.add_force(&state.configuration(), &mut parts);
            assert_eq!(bits(&f), bits(&parts), "{shares} owners");
        }
    }
}

/// Particles beside a body change no bit of its forces.
#[test]
fn sums_of_a_body_do_not_depend_on_what_is_beside_it() {
    let (list, mut state) = jumble(9, 300);
    let particles = state.positions.len();
    let (f, ledger) = forces(&Springs::new(list.clone(), particles), &state);
    for beside in [1, 5, 13] {
        state.positions.push(Vector::x());
        state.velocities.push(Vector::y());
        let springs = Springs::new(list.clone(), state.positions.len());
        let (same, books) = forces(&springs, &state);
        assert_eq!(bits(&f), bits(&same[..particles]), "{beside}");
        assert_eq!(ledger.total, books.total, "{beside}");
    }
}
