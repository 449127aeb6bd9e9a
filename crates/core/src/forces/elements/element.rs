//! The trait of kinds of elements, and eight of a kind side by side.

use super::SolidMaterial;
use crate::forces::Edge;
use crate::math::lanes::{Lanes, Simd};
use crate::math::square::Real;
use crate::state::Configuration;
use std::hash::Hash;

/// Elements side by side.
pub(super) const LANES: usize = 8;

/// Three numbers of the N corners of eight elements.
pub(super) type Corners<const N: usize> = [[[f64; LANES]; 3]; N];

/// Energy and power of eight elements \[J, W\].
pub(super) type Sums = [[f64; LANES]; 2];

/// Eight elements at a configuration.
pub(super) struct Eight<'a, R, const N: usize> {
    pub rest: &'a R,
    pub material: &'a SolidMaterial,
    /// \[m\]
    pub x: Corners<N>,
    /// \[m/s\]; zero without damping
    pub v: Corners<N>,
}

/// One element at a configuration.
pub(super) struct Single<'a, R, const N: usize> {
    pub rest: &'a R,
    pub lane: usize,
    pub material: &'a SolidMaterial,
    pub corners: [usize; N],
    pub at: &'a Configuration<'a>,
    /// Whether the blocks are to be those of a convex energy.
    pub convex: bool,
}

/// An element of N particles.
pub(super) trait Element<const N: usize>: Copy + Send + Sync {
    /// Numbers at rest of eight elements.
    type Rest: Send + Sync;

    /// Elements of one kind are alike: they share their numbers at rest.
    type Kind: Ord + Hash;

    /// Cost of one; that of a spring is one.
    const WORK: usize;

    fn corners(&self) -> [u32; N];

    fn material(&self) -> u16;

    fn kind(&self) -> Self::Kind;

    /// The numbers of up to eight. Lanes beyond the last one repeat it without force or energy.
    fn rest(eight: &[Self]) -> Self::Rest;

    /// The forces on the corners of the lanes from `lane` on, as many as a register holds; adds to the sums.
    fn pull<S: Simd, V: Lanes<S> + Real, const BOOKS: bool>(
        simd: S,
        eight: &Eight<Self::Rest, N>,
        lane: usize,
        forces: &mut Corners<N>,
        sums: &mut Sums,
    );

    /// Calls `add` with the number of each of the [`pairs`] of corners and its blocks, in the direction from the
    /// lower particle to the higher one.
    fn blocks(of: &Single<Self::Rest, N>, add: impl FnMut(usize, Edge));
}

/// The pairs (a, b) of N corners, a < b, in their order.
pub(super) fn pairs<const N: usize>() -> impl Iterator<Item = [usize; 2]> {
    (0..N).flat_map(|a| (a + 1..N).map(move |b| [a, b]))
}

/// Number of the pairs of N corners.
pub(super) const fn pair_count(corners: usize) -> usize {
    corners * (corners - 1) / 2
}

/// The numbers of a register from `lane` on.
#[inline(always)]
pub(super) fn number<S: Simd, V: Lanes<S>>(simd: S, of: &[f64; LANES], lane: usize) -> V {
    V::from_slice(simd, &of[lane..lane + V::LEN])
}

/// Adds a register to the numbers from `lane` on.
#[inline(always)]
pub(super) fn add_to<S: Simd, V: Lanes<S> + Real>(
    simd: S,
    sum: &mut [f64; LANES],
    lane: usize,
    by: V,
) {
    (number::<S, V>(simd, sum, lane) + by).store_slice(&mut sum[lane..lane + V::LEN]);
}
