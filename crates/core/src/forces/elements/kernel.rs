//! Kernel of the elements: as many at a time as a register holds.

use super::SolidMaterial;
use super::element::{Corners, Eight, Element, LANES, Sums};
use super::layout::{Layout, Octet};
use crate::forces::owners::Window;
use crate::math::lanes::{Lanes, Simd, SimdBase, f64x2, f64x4, f64x8, tree};
use crate::math::square::Real;
use std::ops::Range;

/// Adds the forces of some octets to a window; their energy \[J\] and the power they dissipate \[W\].
pub(super) fn octets<S: Simd, E: Element<N>, const N: usize, const BOOKS: bool>(
    simd: S,
    (layout, table): (&Layout<E, N>, &[SolidMaterial]),
    octets: Range<u32>,
    window: &mut Window,
) -> [f64; 2] {
    let octets = &layout.octets[octets.start as usize..octets.end as usize];
    let of = (layout, table);
    match S::f64s::LEN {
        8 => octets_by::<S, f64x8<S>, E, N, BOOKS>(simd, of, octets, window),
        4 => octets_by::<S, f64x4<S>, E, N, BOOKS>(simd, of, octets, window),
        _ => octets_by::<S, f64x2<S>, E, N, BOOKS>(simd, of, octets, window),
    }
}

#[inline(never)]
fn octets_by<S: Simd, V: Lanes<S> + Real, E: Element<N>, const N: usize, const BOOKS: bool>(
    simd: S,
    (layout, table): (&Layout<E, N>, &[SolidMaterial]),
    octets: &[Octet<N>],
    window: &mut Window,
) -> [f64; 2] {
    simd.vectorize(
        #[inline(always)]
        || {
            let mut sums: Sums = [[0.0; LANES]; 2];
            for octet in octets {
                if (octet.highest as usize) < window.particles.start {
                    continue;
                }
                let material = &table[octet.material as usize];
                let damped = material.damping > 0.0;
                let eight = Eight {
                    rest: &layout.rests[octet.rest as usize],
                    material,
                    x: gathered(window.x, octet),
                    v: if damped { gathered(window.v, octet) } else { [[[0.0; LANES]; 3]; N] },
                };
                let mut forces = [[[0.0; LANES]; 3]; N];
                let mut lane = 0;
                while lane < LANES {
                    E::pull::<S, V, BOOKS>(simd, &eight, lane, &mut forces, &mut sums);
                    lane += V::LEN;
                }
                scatter(window, octet, &forces);
            }
            [tree(sums[0]), tree(sums[1])]
        },
    )
}

#[inline(always)]
fn gathered<const N: usize>(flat: &[f64], octet: &Octet<N>) -> Corners<N> {
    let mut into = [[[0.0; LANES]; 3]; N];
    for (ends, into) in octet.corners.iter().zip(&mut into) {
        for (lane, end) in ends.iter().enumerate() {
            let at = 3 * *end as usize;
            let own = &flat[at..at + 3];
            into[0][lane] = own[0];
            into[1][lane] = own[1];
            into[2][lane] = own[2];
        }
    }
    into
}

/// Adds forces to the corners within the window, element by element.
#[inline(always)]
fn scatter<const N: usize>(window: &mut Window, octet: &Octet<N>, forces: &Corners<N>) {
    let particles = window.particles.clone();
    for lane in 0..octet.used as usize {
        for (ends, force) in octet.corners.iter().zip(forces) {
            let i = ends[lane] as usize;
            if particles.contains(&i) {
                let at = 3 * (i - particles.start);
                let into = &mut window.f[at..at + 3];
                into[0] += force[0][lane];
                into[1] += force[1][lane];
                into[2] += force[2][lane];
            }
        }
    }
}
