//! Vectors, matrices and the scalar functions whose bits are the same on every machine.
//!
//! The dimension (3) and the scalar (`f64`) are chosen here and nowhere else.
//! Transcendental functions come from the `libm` crate: the platform's differ between two
//! CPUs in the last bit, which would break bit-equality of runs.

pub mod lanes;
mod numbers;
pub mod pointwise;
pub mod portable;
pub mod square;
pub mod weighted;

pub use numbers::{at_most, distinct, number, round_parts, with_error, with_unit};

pub use libm::{
    acos, acosh, asin, atan2, atanh, cos, exp, log, log1p, log2, log10, pow, sin, sqrt, tan, tanh,
};

/// A vector in space: position \[m\], velocity \[m/s\], force \[N\].
pub type Vector = nalgebra::Vector3<f64>;

/// The numbers of vectors, as they lie in memory: x, y and z of each.
pub fn flat(vectors: &[Vector]) -> &[f64] {
    bytemuck::cast_slice(vectors)
}

/// The same numbers, mutable.
pub fn flat_mut(vectors: &mut [Vector]) -> &mut [f64] {
    bytemuck::cast_slice_mut(vectors)
}

/// A 3 × 3 matrix, for example ∂F/∂x \[N/m\] or a rotation.
pub type Matrix = nalgebra::Matrix3<f64>;

/// A rotation, as a unit quaternion.
pub type Rotation = nalgebra::UnitQuaternion<f64>;

/// π.
pub const PI: f64 = std::f64::consts::PI;

/// Degrees to radians.
pub fn radians(degrees: f64) -> f64 {
    degrees * (PI / 180.0)
}

/// Radians to degrees.
pub fn degrees(radians: f64) -> f64 {
    radians * (180.0 / PI)
}

/// Where in `[low, high]` the condition `below` ceases to hold: the least number for which it does
/// not, to the last bit, if it changes only once.
pub fn bisect(mut low: f64, mut high: f64, below: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return high;
        }
        if below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// The part of `v` tangential to a surface with unit normal `n`: `v − (v·n) n`.
pub fn tangential(v: Vector, n: Vector) -> Vector {
    v - n * v.dot(&n)
}

/// The projector onto the tangent plane of the unit normal `n`: `P = 1 − n nᵀ`.
pub fn tangent_projector(n: Vector) -> Matrix {
    Matrix::identity() - n * n.transpose()
}

/// Right-handed rotation by `angle` \[rad\] about the unit vector `axis` (Rodrigues' formula).
pub fn rotation(axis: Vector, angle: f64) -> Matrix {
    let (s, c) = (sin(angle), cos(angle));
    let cross = axis.cross_matrix();
    Matrix::identity() + cross * s + cross * cross * (1.0 - c)
}

/// Rotation from three angles \[rad\] about the fixed axes x, then y, then z.
pub fn rotation_xyz(angles: Vector) -> Matrix {
    rotation(Vector::z(), angles.z)
        * rotation(Vector::y(), angles.y)
        * rotation(Vector::x(), angles.x)
}

/// The larger of two finite numbers, written out so that ±0 has one answer on every machine.
pub fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The smaller of two finite numbers, written out so that ±0 has one answer on every machine.
pub fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}
