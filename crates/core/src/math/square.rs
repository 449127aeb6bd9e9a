//! Matrices of 3 × 3 whose entries are numbers, or registers of numbers: the laws of materials are written
//! once for both.

use super::lanes::{ExtractToken, Select, Simd, SimdBase, SimdFloat, f64x2, f64x4, f64x8};
use super::{Matrix, log1p};
use std::ops::{Add, Div, Mul, Neg, Sub};

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

    /// A + B.
    #[inline(always)]
    pub fn plus(&self, b: &Self) -> Self {
        Square::of(|r, c| self.0[r][c] + b.0[r][c])
    }

    /// A − B.
    #[inline(always)]
    pub fn minus(&self, b: &Self) -> Self {
        Square::of(|r, c| self.0[r][c] - b.0[r][c])
    }

    /// s A.
    #[inline(always)]
    pub fn scaled(&self, s: T) -> Self {
        Square::of(|r, c| self.0[r][c] * s)
    }

    /// A + s 1.
    #[inline(always)]
    pub fn plus_one(&self, s: T) -> Self {
        Square::of(|r, c| if r == c { self.0[r][c] + s } else { self.0[r][c] })
    }

    /// A B.
    #[inline(always)]
    pub fn times(&self, b: &Self) -> Self {
        let (a, b) = (&self.0, &b.0);
        Square::of(|r, c| a[r][0] * b[0][c] + a[r][1] * b[1][c] + a[r][2] * b[2][c])
    }

    /// Aᵀ B.
    #[inline(always)]
    pub fn transposed_times(&self, b: &Self) -> Self {
        let (a, b) = (&self.0, &b.0);
        Square::of(|r, c| a[0][r] * b[0][c] + a[1][r] * b[1][c] + a[2][r] * b[2][c])
    }

    /// A v.
    #[inline(always)]
    pub fn on(&self, v: [T; 3]) -> [T; 3] {
        [0, 1, 2].map(|r| self.0[r][0] * v[0] + self.0[r][1] * v[1] + self.0[r][2] * v[2])
    }

    /// ½ (A + Aᵀ).
    #[inline(always)]
    pub fn symmetric(&self) -> Self {
        Square::of(|r, c| if r == c { self.0[r][c] } else { (self.0[r][c] + self.0[c][r]) * 0.5 })
    }

    /// A : B = Σ A_rc B_rc.
    #[inline(always)]
    pub fn dot(&self, b: &Self) -> T {
        let row = |r: usize| {
            self.0[r][0] * b.0[r][0] + self.0[r][1] * b.0[r][1] + self.0[r][2] * b.0[r][2]
        };
        row(0) + row(1) + row(2)
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
        Square::of(|r, c| {
            let ([r1, r2], [c1, c2]) = (NEXT[r], NEXT[c]);
            a[r1][c1] * a[r2][c2] - a[r1][c2] * a[r2][c1]
        })
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
