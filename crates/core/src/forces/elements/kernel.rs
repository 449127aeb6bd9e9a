//! Kernel of the tetrahedra: as many at a time as a register holds.

use super::corotational::Corotational;
use super::damping;
use super::layout::{LANES, Octet};
use super::linear::Linear;
use super::neo_hookean::NeoHookean;
use super::solid::Solid;
use super::{Books, SolidLaw, SolidMaterial, Sweep};
use crate::math::lanes::{Lanes, Simd, SimdBase, f64x2, f64x4, f64x8, tree};
use crate::math::square::{Real, Square, square};

/// Three numbers of four corners, eight tetrahedra side by side.
type Corners = [[f64; LANES]; 12];

/// Adds the forces of some octets to the window of `sweep`.
pub(super) fn octets<S: Simd, const BOOKS: bool>(
    simd: S,
    sweep: &mut Sweep,
    octets: &[Octet],
) -> Books {
    match S::f64s::LEN {
        8 => octets_by::<S, f64x8<S>, BOOKS>(simd, sweep, octets),
        4 => octets_by::<S, f64x4<S>, BOOKS>(simd, sweep, octets),
        _ => octets_by::<S, f64x2<S>, BOOKS>(simd, sweep, octets),
    }
}

#[inline(never)]
fn octets_by<S: Simd, V: Lanes<S> + Real, const BOOKS: bool>(
    simd: S,
    sweep: &mut Sweep,
    octets: &[Octet],
) -> Books {
    simd.vectorize(
        #[inline(always)]
        || {
            let mut sums = [[0.0; LANES]; 2];
            for octet in octets {
                if (octet.highest as usize) < sweep.window.start {
                    continue;
                }
                let material = &sweep.table[octet.material as usize];
                match material.law {
                    SolidLaw::Linear => {
                        pull::<S, V, Linear, BOOKS>(simd, sweep, octet, material, &mut sums)
                    }
                    SolidLaw::Corotational => {
                        pull::<S, V, Corotational, BOOKS>(simd, sweep, octet, material, &mut sums)
                    }
                    SolidLaw::NeoHookean => {
                        pull::<S, V, NeoHookean, BOOKS>(simd, sweep, octet, material, &mut sums)
                    }
                }
            }
            Books { stored: tree(sums[0]), dissipated: tree(sums[1]) }
        },
    )
}

/// Adds the forces f_k = −V P g_k of the corners k = 1, 2, 3 of eight tetrahedra, and f_0 = −(f_1 + f_2 + f_3).
#[inline(always)]
fn pull<S: Simd, V: Lanes<S> + Real, L: Solid, const BOOKS: bool>(
    simd: S,
    sweep: &mut Sweep,
    octet: &Octet,
    material: &SolidMaterial,
    sums: &mut [[f64; LANES]; 2],
) {
    let shapes = &sweep.shapes[octet.shapes as usize];
    let places = gathered(sweep.x, octet);
    let rates = if material.damping > 0.0 { gathered(sweep.v, octet) } else { [[0.0; LANES]; 12] };
    let mut forces = [[0.0; LANES]; 9];
    let mut lane = 0;
    while lane < LANES {
        let end = lane + V::LEN;
        let g = square!(K, A => number::<S, V>(simd, &shapes.gradients[3 * K + A], lane));
        let volume = number::<S, V>(simd, &shapes.volumes, lane);
        let f = gradient::<S, V>(simd, &places, &g, lane);
        let mut stress = L::stress(&material.moduli, &f);
        if BOOKS {
            let stored = L::energy(&material.moduli, &f) * volume;
            (number::<S, V>(simd, &sums[0], lane) + stored).store_slice(&mut sums[0][lane..end]);
        }
        if material.damping > 0.0 {
            let rate = gradient::<S, V>(simd, &rates, &g, lane);
            let damped = damping::stress::<L, V>(&material.moduli, &f, &rate);
            stress = square!(R, C => stress.0[R][C] + damped.0[R][C] * material.damping);
            if BOOKS {
                let power = damped.dot(&rate) * material.damping * volume;
                (number::<S, V>(simd, &sums[1], lane) + power).store_slice(&mut sums[1][lane..end]);
            }
        }
        let mut k = 0;
        while k < 3 {
            let force = stress.on(g.0[k]);
            let mut axis = 0;
            while axis < 3 {
                (-(force[axis] * volume)).store_slice(&mut forces[3 * k + axis][lane..end]);
                axis += 1;
            }
            k += 1;
        }
        lane = end;
    }
    scatter(sweep, octet, &forces);
}

/// Σ (x_k − x_0) g_kᵀ of corner values x.
#[inline(always)]
fn gradient<S: Simd, V: Lanes<S> + Real>(
    simd: S,
    corners: &Corners,
    g: &Square<V>,
    lane: usize,
) -> Square<V> {
    // column k − 1: x_k − x_0
    let edges = square!(A, K => number::<S, V>(simd, &corners[3 * (K + 1) + A], lane)
        - number::<S, V>(simd, &corners[A], lane));
    edges.times(g)
}

/// The numbers of a register from `lane` on.
#[inline(always)]
fn number<S: Simd, V: Lanes<S>>(simd: S, of: &[f64; LANES], lane: usize) -> V {
    V::from_slice(simd, &of[lane..lane + V::LEN])
}

#[inline(always)]
fn gathered(flat: &[f64], octet: &Octet) -> Corners {
    let mut into = [[0.0; LANES]; 12];
    for (c, ends) in octet.corners.iter().enumerate() {
        for (lane, end) in ends.iter().enumerate() {
            let at = 3 * *end as usize;
            let own = &flat[at..at + 3];
            into[3 * c][lane] = own[0];
            into[3 * c + 1][lane] = own[1];
            into[3 * c + 2][lane] = own[2];
        }
    }
    into
}

/// Adds forces to the corners within the window, tetrahedron by tetrahedron.
#[inline(always)]
fn scatter(sweep: &mut Sweep, octet: &Octet, forces: &[[f64; LANES]; 9]) {
    let window = sweep.window.clone();
    for lane in 0..octet.used as usize {
        let own = |k: usize| [0, 1, 2].map(|axis| forces[3 * k + axis][lane]);
        let others = [own(0), own(1), own(2)];
        let first = [0, 1, 2].map(|axis| -((others[0][axis] + others[1][axis]) + others[2][axis]));
        for (c, force) in [first, others[0], others[1], others[2]].iter().enumerate() {
            let i = octet.corners[c][lane] as usize;
            if window.contains(&i) {
                let at = 3 * (i - window.start);
                let into = &mut sweep.f[at..at + 3];
                (0..3).for_each(|axis| into[axis] += force[axis]);
            }
        }
    }
}
