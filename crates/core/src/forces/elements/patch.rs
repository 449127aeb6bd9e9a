//! Bending of a sheet: a triangle and the neighbours across its edges.
//!
//! The six corners of a patch carry w = ½ κ:x xᵀ, a surface of constant curvature κ = (κ_xx, κ_yy, 2 κ_xy) over the
//! triangle, which opens the hinge across edge e by θ_e = (L κ)_e. A plate of the stiffness D = E h³/(12 (1 − ν²))
//! stores ½ A κᵀC κ, C = D [1 ν 0; ν 1 0; 0 0 ½(1 − ν)], so the triangle stores the least energy of all curvatures
//! with its angles: ½ θᵀS θ with S = A (L C⁻¹ Lᵀ)⁻¹, bounded where that has no inverse. Edges without a neighbour bear no moment. Angles count from
//! those at rest, and the stress of damping is τ times that of their rate. Source: \[onate2000\].

use super::element::{Corners, Eight, Element, LANES, Single, Sums, add_to, number, pairs};
use super::hinge::{dot, hinge, second};
use super::principal::eigen;
use crate::forces::Edge;
use crate::math::lanes::{Lanes, Simd};
use crate::math::square::{Real, square};
use crate::math::{Matrix, Vector, larger, sqrt};

/// A triangle (0, 1, 2) and the corners (3, 4, 5) of the neighbours across the edges that face 0, 1 and 2. An edge
/// without a neighbour repeats the corner that faces it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Patch {
    /// Its corners.
    pub corners: [u32; 6],
    /// Their places at rest \[m\].
    pub places: [Vector; 6],
    /// h \[m\].
    pub thickness: f64,
    /// E \[Pa\] and ν.
    pub elasticity: [f64; 2],
    /// Its material, by number: it gives the damping.
    pub material: u16,
}

/// The corners of the hinge across edge e: the one that faces it, the edge, and the neighbour's.
const HINGES: [[usize; 4]; 3] = [[0, 1, 2, 3], [1, 2, 0, 4], [2, 0, 1, 5]];

/// Least compliance of a mode of the three angles, as a share of the largest: six corners near one conic have
/// curvatures that open no hinge, and in slender triangles some open it little.
const LEAST: f64 = 0.02;

/// Eight patches at rest.
pub(in crate::forces) struct Rest {
    /// S \[J\]: xx, yy, zz, yz, zx, xy.
    stiffness: [[f64; LANES]; 6],
    /// s of the three hinges.
    angles: [[f64; LANES]; 3],
}

impl Rest {
    fn single(&self, lane: usize) -> (Matrix, [f64; 3]) {
        let [xx, yy, zz, yz, zx, xy] = self.stiffness.map(|s| s[lane]);
        (Matrix::new(xx, xy, zx, xy, yy, yz, zx, yz, zz), self.angles.map(|s| s[lane]))
    }
}

impl Patch {
    fn hinges(&self) -> [[Vector; 4]; 3] {
        HINGES.map(|hinge| hinge.map(|c| self.places[c]))
    }

    fn there(&self) -> [bool; 3] {
        [0, 1, 2].map(|e| self.corners[3 + e] != self.corners[e])
    }

    /// Eigenvalues and directions of D L C⁻¹ Lᵀ by the mean heights of the hinges, 1 where there is none.
    fn compliance(&self) -> (Vector, Matrix) {
        let (there, poisson) = (self.there(), self.elasticity[1]);
        let one = 1.0 / (1.0 - poisson * poisson);
        // D C⁻¹
        let mut soft = Matrix::from_diagonal(&Vector::new(one, one, 2.0 / (1.0 - poisson)));
        (soft[(0, 1)], soft[(1, 0)]) = (-poisson * one, -poisson * one);
        let [p0, p1, p2] = [0, 1, 2].map(|c| self.places[c]);
        let normal = (p1 - p0).cross(&(p2 - p0));
        let along = (p1 - p0).normalize();
        let axes = [along, normal.normalize().cross(&along)];
        let opened = self.hinges().map(|hinge| opened(hinge, axes));
        let compliance = Matrix::from_fn(|e, f| match there[e] && there[f] {
            true => opened[e].dot(&(soft * opened[f])),
            false => {
                if e == f {
                    1.0
                } else {
                    0.0
                }
            }
        });
        eigen(&compliance)
    }

    /// Whether a mode is softer than its own compliance would have it.
    pub fn is_bounded(&self) -> bool {
        let (values, _) = self.compliance();
        values.min() < LEAST * values.max()
    }

    /// S, zero in rows of hinges that are not there \[J\], and the angles s at rest.
    fn at_rest(&self) -> (Matrix, [f64; 3]) {
        let (there, hinges, [young, poisson]) = (self.there(), self.hinges(), self.elasticity);
        let cube = self.thickness * self.thickness * self.thickness;
        let plate = young * cube / (12.0 * (1.0 - poisson * poisson));
        let [p0, p1, p2] = [0, 1, 2].map(|c| self.places[c]);
        let area = 0.5 * (p1 - p0).cross(&(p2 - p0)).norm();
        let (values, modes) = self.compliance();
        let least = LEAST * values.max();
        let stiff = Matrix::from_diagonal(&values.map(|value| 1.0 / larger(value, least)));
        let inverse = modes * stiff * modes.transpose();
        let stiffness = Matrix::from_fn(|e, f| match there[e] && there[f] {
            true => inverse[(e, f)] * area * plate / (wide(hinges[e]) * wide(hinges[f])),
            false => 0.0,
        });
        let angle = |e: usize| if there[e] { hinge(hinges[e].map(Into::into)).0 } else { 0.0 };
        (stiffness, [0, 1, 2].map(angle))
    }
}

/// The place of a point beside the edge from `a` to `b`, as a share of the edge, and its distance.
fn beside(point: Vector, a: Vector, b: Vector) -> (f64, f64) {
    let (edge, p) = (b - a, point - a);
    let square = edge.norm_squared();
    (p.dot(&edge) / square, p.cross(&edge).norm() / sqrt(square))
}

/// Mean height of the two triangles of a hinge \[m\].
fn wide([x0, x1, x2, x3]: [Vector; 4]) -> f64 {
    0.5 * (beside(x0, x1, x2).1 + beside(x3, x1, x2).1)
}

/// Lᵀ/(mean height): the angle of a hinge by κ_xx, κ_yy and 2 κ_xy along the axes, the neighbour laid flat.
fn opened([x0, x1, x2, x3]: [Vector; 4], axes: [Vector; 2]) -> Vector {
    let ((alpha, high), (beta, wide)) = (beside(x0, x1, x2), beside(x3, x1, x2));
    // from x_1; x_0 lies on one side of the edge, x_3 on the other one
    let [edge, own] = [x2 - x1, x0 - x1].map(|x| axes.map(|axis| axis.dot(&x)));
    let across = [0, 1].map(|k| (own[k] - alpha * edge[k]) / high);
    let other = [0, 1].map(|k| beta * edge[k] - across[k] * wide);
    let w = |x: [f64; 2]| Vector::new(0.5 * x[0] * x[0], 0.5 * x[1] * x[1], 0.5 * x[0] * x[1]);
    let angle = (w(own) - w(edge) * alpha) / high + (w(other) - w(edge) * beta) / wide;
    angle * (-2.0 / (high + wide))
}

/// Moments S (s − s at rest) or S ṡ of the lanes of a register.
#[inline(always)]
fn moments<S: Simd, V: Lanes<S> + Real>(simd: S, rest: &Rest, lane: usize, s: [V; 3]) -> [V; 3] {
    let k = &rest.stiffness;
    let k = square!(R, C => number::<S, V>(simd, &k[if R == C { R } else { 6 - R - C }], lane));
    k.on(s)
}

impl Element<6> for Patch {
    type Rest = Rest;
    type Kind = ([[u64; 3]; 6], [bool; 3], [u64; 3]);

    const WORK: usize = 20;

    fn corners(&self) -> [u32; 6] {
        self.corners
    }

    fn material(&self) -> u16 {
        self.material
    }

    fn kind(&self) -> Self::Kind {
        let first = self.places[0];
        let places = self.places.map(|x| {
            let x = x - first;
            [x.x.to_bits(), x.y.to_bits(), x.z.to_bits()]
        });
        let [young, poisson] = self.elasticity;
        (places, self.there(), [self.thickness, young, poisson].map(f64::to_bits))
    }

    fn rest(eight: &[Self]) -> Rest {
        let mut rest = Rest { stiffness: [[0.0; LANES]; 6], angles: [[0.0; LANES]; 3] };
        for (lane, patch) in eight.iter().enumerate() {
            let (s, angles) = patch.at_rest();
            let entries = [s[(0, 0)], s[(1, 1)], s[(2, 2)], s[(1, 2)], s[(0, 2)], s[(0, 1)]];
            rest.stiffness.iter_mut().zip(entries).for_each(|(into, s)| into[lane] = s);
            rest.angles.iter_mut().zip(angles).for_each(|(into, s)| into[lane] = s);
        }
        rest
    }

    #[inline(always)]
    fn pull<S: Simd, V: Lanes<S> + Real, const BOOKS: bool>(
        simd: S,
        eight: &Eight<Rest, 6>,
        lane: usize,
        forces: &mut Corners<6>,
        sums: &mut Sums,
    ) {
        let Eight { rest, material, x, v } = eight;
        let zero = V::splat(simd, 0.0);
        let (mut bent, mut slopes) = ([zero; 3], [[[zero; 3]; 4]; 3]);
        let mut e = 0;
        while e < 3 {
            let (s, g) = hinge(places::<S, V>(simd, x, e, lane));
            bent[e] = s - number::<S, V>(simd, &rest.angles[e], lane);
            slopes[e] = g;
            e += 1;
        }
        let mut moment = moments(simd, rest, lane, bent);
        if BOOKS {
            add_to(simd, &mut sums[0], lane, dot(moment, bent) * 0.5);
        }
        if material.damping > 0.0 {
            let mut rates = [zero; 3];
            let mut e = 0;
            while e < 3 {
                let v = places::<S, V>(simd, v, e, lane);
                let mut c = 0;
                while c < 4 {
                    rates[e] += dot(slopes[e][c], v[c]);
                    c += 1;
                }
                e += 1;
            }
            let damped = moments(simd, rest, lane, rates);
            if BOOKS {
                add_to(simd, &mut sums[1], lane, dot(damped, rates) * material.damping);
            }
            let mut e = 0;
            while e < 3 {
                moment[e] += damped[e] * material.damping;
                e += 1;
            }
        }
        let mut e = 0;
        while e < 3 {
            let mut c = 0;
            while c < 4 {
                let into = &mut forces[HINGES[e][c]];
                let mut axis = 0;
                while axis < 3 {
                    let force = -(slopes[e][c][axis] * moment[e]);
                    add_to(simd, &mut into[axis], lane, force);
                    axis += 1;
                }
                c += 1;
            }
            e += 1;
        }
    }

    fn blocks(of: &Single<Rest, 6>, mut add: impl FnMut(usize, Edge)) {
        let Single { rest, lane, material, corners, at, convex } = *of;
        let (stiffness, angles) = rest.single(lane);
        let hinges = HINGES.map(|hinge| hinge.map(|c| at.positions[corners[c]]));
        let mut bent = Vector::zeros();
        // ∂s/∂x of the three hinges by the six corners
        let mut slopes = [[Vector::zeros(); 6]; 3];
        for e in 0..3 {
            let (s, g) = hinge(hinges[e].map(Into::into));
            bent[e] = s - angles[e];
            HINGES[e].iter().zip(g).for_each(|(c, g)| slopes[e][*c] += Vector::from(g));
        }
        let tau = material.damping;
        let rate = |e: usize| -> f64 {
            (0..6).map(|c| slopes[e][c].dot(&at.velocities[corners[c]])).sum()
        };
        let damped = stiffness * Vector::new(rate(0), rate(1), rate(2)) * tau;
        let moment = stiffness * bent + damped;
        // S_e· ∂s/∂x
        let weighted = [0, 1, 2].map(|e| {
            [0, 1, 2, 3, 4, 5]
                .map(|c| (0..3).map(|f| slopes[f][c] * stiffness[(e, f)]).sum::<Vector>())
        });
        let mut turned = [[Matrix::zeros(); 6]; 6];
        // ∂ṡ/∂x
        let mut rates = [[Vector::zeros(); 6]; 3];
        if !convex {
            for e in 0..3 {
                let second = second(hinges[e]);
                for (a, b) in (0..16).map(|n| (n / 4, n % 4)) {
                    let (row, column) = (HINGES[e][a], HINGES[e][b]);
                    turned[row][column] += second[a][b] * moment[e];
                    rates[e][column] += second[a][b].transpose() * at.velocities[corners[row]];
                }
            }
        }
        for (number, [a, b]) in pairs::<6>().enumerate() {
            let (a, b) = if corners[a] < corners[b] { (a, b) } else { (b, a) };
            let of = |a: usize, b: usize, with: &[[Vector; 6]; 3]| -> Matrix {
                (0..3).map(|e| weighted[e][a] * with[e][b].transpose()).sum()
            };
            let plain = of(a, b, &slopes);
            add(
                number,
                Edge {
                    there: -(plain + turned[a][b] + of(a, b, &rates) * tau),
                    back: -(plain.transpose() + turned[b][a] + of(b, a, &rates) * tau),
                    by_velocity: -plain * tau,
                },
            );
        }
    }
}

/// The corners of hinge e, or their velocities.
#[inline(always)]
fn places<S: Simd, V: Lanes<S> + Real>(
    simd: S,
    of: &Corners<6>,
    e: usize,
    lane: usize,
) -> [[V; 3]; 4] {
    let zero = V::splat(simd, 0.0);
    let mut places = [[zero; 3]; 4];
    let mut c = 0;
    while c < 4 {
        let mut axis = 0;
        while axis < 3 {
            places[c][axis] = number::<S, V>(simd, &of[HINGES[e][c]][axis], lane);
            axis += 1;
        }
        c += 1;
    }
    places
}
