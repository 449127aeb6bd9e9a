use super::*;
use crate::math::lanes::levels;
use crate::math::sin;
use faer::sparse::SparseColMat;

/// A box of n³ points of three numbers, each coupled with its 26 neighbours, some couplings
/// one-sided.
fn lattice(n: usize, symmetric: bool) -> SparseColMat<usize, f64> {
    let mut entries = Vec::new();
    let place = |k: [usize; 3]| (k[0] * n + k[1]) * n + k[2];
    let all = || (0..n * n * n).map(|k| [k / (n * n), k / n % n, k % n]);
    for (a, b) in all().flat_map(|a| all().map(move |b| (a, b))) {
        if (0..3).any(|axis| a[axis].abs_diff(b[axis]) > 1) {
            continue;
        }
        let (i, j) = (place(a), place(b));
        for (r, c) in (0..9).map(|k| (3 * i + k / 3, 3 * j + k % 3)) {
            let skew = if symmetric { 0.0 } else { 0.3 * sin((r * 7 + c * 3) as f64) };
            let value = sin((r + c) as f64) + skew + if r == c { 90.0 } else { 0.0 };
            let one_sided = !symmetric && (r * c) % 17 == 3;
            if if symmetric { r >= c } else { !one_sided } {
                entries.push(faer::sparse::Triplet::new(r, c, value));
            }
        }
    }
    SparseColMat::try_new_from_triplets(3 * n * n * n, 3 * n * n * n, &entries).unwrap()
}

#[test]
fn factors_solve_with_the_same_bits_at_every_width() {
    for (symmetric, n) in [(true, 1), (false, 1), (true, 3), (false, 3), (true, 6), (false, 6)] {
        let matrix = lattice(n, symmetric);
        let b: Vec<f64> = (0..3 * n * n * n).map(|k| sin(k as f64)).collect();
        let mut first: Option<Vec<u64>> = None;
        for level in levels() {
            let mut factors = Supernodal::new(matrix.symbolic(), symmetric).unwrap();
            factors.level = level;
            assert!(factors.factor(matrix.val()).unwrap());
            let mut x = b.clone();
            factors.solve(&mut x);
            let mut left = b.clone();
            for (c, x_c) in x.iter().enumerate() {
                let rows = matrix.symbolic().row_idx_of_col(c);
                for (r, value) in rows.zip(matrix.val_of_col(c)) {
                    left[r] -= value * x_c;
                    if symmetric && r != c {
                        left[c] -= value * x[r];
                    }
                }
            }
            let most = left.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            assert!(most < 1e-13, "{level:?} {symmetric} {n}: {most:e}");
            let bits: Vec<u64> = x.iter().map(|x| x.to_bits()).collect();
            assert_eq!(first.get_or_insert_with(|| bits.clone()), &bits, "{level:?}");
        }
    }
}

#[test]
fn pivots_that_are_not_positive_are_told() {
    let entries: Vec<_> = (0..9).map(|k| (k / 3, k % 3)).filter(|(r, c)| r >= c).collect();
    let entries = entries.iter().map(|(r, c)| faer::sparse::Triplet::new(*r, *c, 1.0));
    let ones = SparseColMat::try_new_from_triplets(3, 3, &entries.collect::<Vec<_>>()).unwrap();
    for symmetric in [true, false] {
        let mut factors = Supernodal::new(ones.symbolic(), symmetric).unwrap();
        let values: Vec<f64> =
            ones.val().iter().map(|x| if symmetric { -x } else { 0.0 }).collect();
        assert!(!factors.factor(&values).unwrap());
    }
}
