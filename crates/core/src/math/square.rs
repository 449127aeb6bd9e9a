//! Matrices of 3 × 3 whose entries are numbers, or registers of numbers: the laws of materials are written
//! once for both.

use super::lanes::{
    ExtractToken, Select, Simd, SimdBase, SimdFloat, SimdMask, f64x2, f64x4, f64x8,
};
use super::{Matrix, log1p};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// The matrix of an entry given for each row R and column C, without a closure: what is inlined into a kernel
/// must not stand in a function of its own.
macro_rules! square {
    ($r:ident, $c:ident => $entry:expr) => {
        $crate::math::square::Square([
            square!(@row $r 0usize, $c => $entry),
            square!(@row $r 1usize, $c => $entry),
            square!(@row $r 2usize, $c => $entry),
        ])
    };
    (@row $r:ident $row:expr, $c:ident => $entry:expr) => {
        [
            { const $r: usize = $row; const $c: usize = 0; $entry },
            { const $r: usize = $row; const $c: usize = 1; $entry },
            { const $r: usize = $row; const $c: usize = 2; $entry },
        ]
    };
}
pub(crate) use square;

/// A number, or several side by side in a register. Each operation is that of IEEE 754.
pub trait Real:
    Copy
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
{
    /// √x.
    fn root(self) -> Self;

    /// 1/x.
    fn inverse(self) -> Self;

    /// x where it is above `least`, which is finite, else `least`.
    fn at_least(self, least: f64) -> Self;

    /// ln (1 + x).
    fn log1p(self) -> Self;

    /// 1 where x is above zero, else 0.
    fn positive(self) -> Self;

    /// Whether any is above zero.
    fn any_positive(self) -> bool;
}

impl Real for f64 {
    #[inline(always)]
    fn root(self) -> Self {
        super::sqrt(self)
    }

    #[inline(always)]
    fn inverse(self) -> Self {
        1.0 / self
    }

    #[inline(always)]
    fn at_least(self, least: f64) -> Self {
        if self > least { self } else { least }
    }

    #[inline(always)]
    fn log1p(self) -> Self {
        log1p(self)
    }

    #[inline(always)]
    fn positive(self) -> Self {
        if self > 0.0 { 1.0 } else { 0.0 }
    }

    #[inline(always)]
    fn any_positive(self) -> bool {
        self > 0.0
    }
}

macro_rules! registers {
    ($($register:ident),*) => {$(
        impl<S: Simd> Real for $register<S> {
            #[inline(always)]
            fn root(self) -> Self {
                SimdFloat::sqrt(self)
            }

            #[inline(always)]
            fn inverse(self) -> Self {
                Self::splat(self.token(), 1.0) / self
            }

            #[inline(always)]
            fn at_least(self, least: f64) -> Self {
                let least = Self::splat(self.token(), least);
                self.simd_gt(least).select(self, least)
            }

            #[inline(always)]
            fn log1p(mut self) -> Self {
                self.as_mut_slice().iter_mut().for_each(|x| *x = log1p(*x));
                self
            }

            #[inline(always)]
            fn positive(self) -> Self {
                let [zero, one] = [Self::splat(self.token(), 0.0), Self::splat(self.token(), 1.0)];
                self.simd_gt(zero).select(one, zero)
            }

            #[inline(always)]
            fn any_positive(self) -> bool {
                self.simd_gt(Self::splat(self.token(), 0.0)).any_true()
            }
        }
    )*};
}

registers!(f64x2, f64x4, f64x8);

/// A 3 × 3 matrix A, row by row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Square<T>(pub [[T; 3]; 3]);

impl From<Matrix> for Square<f64> {
    fn from(a: Matrix) -> Self {
        Square::of(|r, c| a[(r, c)])
    }
}

impl From<Square<f64>> for Matrix {
    fn from(a: Square<f64>) -> Self {
        Matrix::from_fn(|r, c| a.0[r][c])
    }
}

impl<T: Real> Square<T> {
    /// The matrix of the entries (row, column).
    #[inline(always)]
    pub fn of(entry: impl Fn(usize, usize) -> T) -> Self {
        let row = |r| [entry(r, 0), entry(r, 1), entry(r, 2)];
        Square([row(0), row(1), row(2)])
    }

    /// A − B.
    #[inline(always)]
    pub fn minus(&self, b: &Self) -> Self {
        square!(R, C => self.0[R][C] - b.0[R][C])
    }

    /// A B.
    #[inline(always)]
    pub fn times(&self, b: &Self) -> Self {
        let (a, b) = (&self.0, &b.0);
        square!(R, C => a[R][0] * b[0][C] + a[R][1] * b[1][C] + a[R][2] * b[2][C])
    }

    /// Aᵀ B.
    #[inline(always)]
    pub fn transposed_times(&self, b: &Self) -> Self {
        let (a, b) = (&self.0, &b.0);
        square!(R, C => a[0][R] * b[0][C] + a[1][R] * b[1][C] + a[2][R] * b[2][C])
    }

    /// A v.
    #[inline(always)]
    pub fn on(&self, v: [T; 3]) -> [T; 3] {
        let a = &self.0;
        [
            a[0][0] * v[0] + a[0][1] * v[1] + a[0][2] * v[2],
            a[1][0] * v[0] + a[1][1] * v[1] + a[1][2] * v[2],
            a[2][0] * v[0] + a[2][1] * v[1] + a[2][2] * v[2],
        ]
    }

    /// ½ (A + Aᵀ).
    #[inline(always)]
    pub fn symmetric(&self) -> Self {
        square!(R, C => if R == C { self.0[R][C] } else { (self.0[R][C] + self.0[C][R]) * 0.5 })
    }

    /// A : B = Σ A_rc B_rc.
    #[inline(always)]
    pub fn dot(&self, b: &Self) -> T {
        let (a, b) = (&self.0, &b.0);
        (a[0][0] * b[0][0] + a[0][1] * b[0][1] + a[0][2] * b[0][2])
            + (a[1][0] * b[1][0] + a[1][1] * b[1][1] + a[1][2] * b[1][2])
            + (a[2][0] * b[2][0] + a[2][1] * b[2][1] + a[2][2] * b[2][2])
    }

    /// tr A.
    #[inline(always)]
    pub fn trace(&self) -> T {
        self.0[0][0] + self.0[1][1] + self.0[2][2]
    }

    /// cof A = ∂(det A)/∂A, whose rows are the vector products of those of A.
    #[inline(always)]
    pub fn cofactor(&self) -> Self {
        let a = &self.0;
        square!(R, C => a[NEXT[R][0]][NEXT[C][0]] * a[NEXT[R][1]][NEXT[C][1]]
            - a[NEXT[R][0]][NEXT[C][1]] * a[NEXT[R][1]][NEXT[C][0]])
    }

    /// det A, of cof A.
    #[inline(always)]
    pub fn determinant(&self, cofactor: &Self) -> T {
        let (a, b) = (&self.0[0], &cofactor.0[0]);
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    }
}

/// The two axes after an axis.
const NEXT: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];
