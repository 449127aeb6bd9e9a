//! A number for crates that are generic over the scalar: its functions are those of `libm`, so that
//! its bits are the same on every machine.

use bytemuck::{Pod, Zeroable};
use num_traits::{Float, FromPrimitive, Num, NumCast, One, ToPrimitive, Zero};
use simba::scalar::SubsetOf;
use std::num::FpCategory;
use std::ops::{
    Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign,
};

/// A double, and laid out as one.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Pod, Zeroable)]
#[repr(transparent)]
pub struct Portable(pub f64);

macro_rules! operator {
    ($($operator:ident $method:ident $assigned:ident $assign:ident $sign:tt;)*) => {$(
        impl $operator for Portable {
            type Output = Portable;
            #[inline(always)]
            fn $method(self, other: Portable) -> Portable {
                Portable(self.0 $sign other.0)
            }
        }
        impl $assigned for Portable {
            #[inline(always)]
            fn $assign(&mut self, other: Portable) {
                self.0 = self.0 $sign other.0;
            }
        }
    )*};
}

operator! {
    Add add AddAssign add_assign +;
    Sub sub SubAssign sub_assign -;
    Mul mul MulAssign mul_assign *;
    Div div DivAssign div_assign /;
    Rem rem RemAssign rem_assign %;
}

impl Neg for Portable {
    type Output = Portable;
    #[inline(always)]
    fn neg(self) -> Portable {
        Portable(-self.0)
    }
}

impl From<Portable> for f64 {
    fn from(x: Portable) -> f64 {
        x.0
    }
}

impl Zero for Portable {
    fn zero() -> Self {
        Portable(0.0)
    }
    fn is_zero(&self) -> bool {
        self.0 == 0.0
    }
}

impl One for Portable {
    fn one() -> Self {
        Portable(1.0)
    }
}

impl Num for Portable {
    type FromStrRadixErr = <f64 as Num>::FromStrRadixErr;
    fn from_str_radix(text: &str, radix: u32) -> Result<Self, Self::FromStrRadixErr> {
        f64::from_str_radix(text, radix).map(Portable)
    }
}

impl ToPrimitive for Portable {
    fn to_i64(&self) -> Option<i64> {
        self.0.to_i64()
    }
    fn to_u64(&self) -> Option<u64> {
        self.0.to_u64()
    }
    fn to_f64(&self) -> Option<f64> {
        Some(self.0)
    }
}

impl NumCast for Portable {
    fn from<T: ToPrimitive>(n: T) -> Option<Self> {
        n.to_f64().map(Portable)
    }
}

impl FromPrimitive for Portable {
    fn from_i64(n: i64) -> Option<Self> {
        Some(Portable(n as f64))
    }
    fn from_u64(n: u64) -> Option<Self> {
        Some(Portable(n as f64))
    }
    fn from_f64(n: f64) -> Option<Self> {
        Some(Portable(n))
    }
}

impl SubsetOf<f64> for Portable {
    fn to_superset(&self) -> f64 {
        self.0
    }
    fn from_superset_unchecked(element: &f64) -> Self {
        Portable(*element)
    }
    fn is_in_subset(_: &f64) -> bool {
        true
    }
}

/// Functions of one number: those that round nothing or as IEEE 754 says, and those of `libm`.
macro_rules! of_one {
    ($($name:ident: $function:path;)*) => {$(
        #[inline]
        fn $name(self) -> Self {
            Portable($function(self.0))
        }
    )*};
}

macro_rules! constant {
    ($($name:ident: $value:expr;)*) => {$(
        fn $name() -> Self {
            Portable($value)
        }
    )*};
}

macro_rules! question {
    ($($name:ident)*) => {$(
        fn $name(self) -> bool {
            self.0.$name()
        }
    )*};
}

impl Float for Portable {
    constant! {
        nan: f64::NAN;
        infinity: f64::INFINITY;
        neg_infinity: f64::NEG_INFINITY;
        neg_zero: -0.0;
        min_value: f64::MIN;
        min_positive_value: f64::MIN_POSITIVE;
        max_value: f64::MAX;
        epsilon: f64::EPSILON;
    }
    question! { is_nan is_infinite is_finite is_normal is_sign_positive is_sign_negative }
    of_one! {
        floor: f64::floor;
        ceil: f64::ceil;
        round: f64::round;
        trunc: f64::trunc;
        fract: f64::fract;
        abs: f64::abs;
        signum: f64::signum;
        recip: f64::recip;
        sqrt: f64::sqrt;
        exp: libm::exp;
        exp2: libm::exp2;
        ln: libm::log;
        log2: libm::log2;
        log10: libm::log10;
        cbrt: libm::cbrt;
        sin: libm::sin;
        cos: libm::cos;
        tan: libm::tan;
        asin: libm::asin;
        acos: libm::acos;
        atan: libm::atan;
        exp_m1: libm::expm1;
        ln_1p: libm::log1p;
        sinh: libm::sinh;
        cosh: libm::cosh;
        tanh: libm::tanh;
        asinh: libm::asinh;
        acosh: libm::acosh;
        atanh: libm::atanh;
    }
    fn classify(self) -> FpCategory {
        self.0.classify()
    }
    /// Rounded once, by software where the machine has no such instruction.
    fn mul_add(self, a: Self, b: Self) -> Self {
        Portable(libm::fma(self.0, a.0, b.0))
    }
    fn powi(self, n: i32) -> Self {
        Portable(libm::pow(self.0, n as f64))
    }
    fn powf(self, n: Self) -> Self {
        Portable(libm::pow(self.0, n.0))
    }
    fn log(self, base: Self) -> Self {
        self.ln() / base.ln()
    }
    /// `other` where `self` is NaN, as `f64::max` has it; of +0 and −0 `self`.
    #[inline]
    fn max(self, other: Self) -> Self {
        if other.0 > self.0 || self.0.is_nan() { other } else { self }
    }
    /// As [`Float::max`].
    #[inline]
    fn min(self, other: Self) -> Self {
        if other.0 < self.0 || self.0.is_nan() { other } else { self }
    }
    fn abs_sub(self, other: Self) -> Self {
        Portable(libm::fdim(self.0, other.0))
    }
    fn hypot(self, other: Self) -> Self {
        Portable(libm::hypot(self.0, other.0))
    }
    fn atan2(self, other: Self) -> Self {
        Portable(libm::atan2(self.0, other.0))
    }
    fn sin_cos(self) -> (Self, Self) {
        (self.sin(), self.cos())
    }
    fn integer_decode(self) -> (u64, i16, i8) {
        self.0.integer_decode()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Powers are those of `libm` to the last bit; `max` and `min` prefer a number to NaN.
    #[test]
    fn functions_are_those_of_every_machine() {
        for k in 1..2000 {
            let x = k as f64 * 0.0137;
            let power = Portable(x).powf(Portable(0.17));
            assert_eq!(power.0.to_bits(), libm::pow(x, 0.17).to_bits(), "{x}");
        }
        let [one, two, none] = [1.0, 2.0, f64::NAN].map(Portable);
        assert_eq!(
            [one.max(two), two.max(one), none.max(one), one.max(none)],
            [two, two, one, one]
        );
        assert_eq!([one.min(two), two.min(one), none.min(one), one.min(none)], [one; 4]);
        assert!(Portable(-0.0).max(Portable(0.0)).is_sign_negative());
    }
}
