//! One contact alone: its normal condition and Coulomb's cone, solved exactly.

use crate::impulses::problem::ContactRow;
use crate::math::{Vector, larger, sqrt};

/// Inverse masses along tangents below this share of K's trace count as zero.
const IMMOBILE: f64 = 1e-12;

/// Largest number of steps to the root in slip; bisection alone needs fewer.
const ROOT_STEPS: usize = 200;

/// The conditions on a contact at the end of the step, for its impulse p and relative velocity
/// u = q + K p in its frame:
///
/// ```text
/// 0 ≤ u_n − b ⟂ p_n ≥ 0,   |p_t| ≤ μ p_n,   p_t = −μ p_n u_t/|u_t| where u_t ≠ 0
/// ```
///
/// In one line, −û ∈ N(p) with û = u − b n + μ |u_t| n and N the normal cone of |p_t| ≤ μ p_n
/// \[desaxce1998\].
#[derive(Debug, Clone, Copy)]
pub(super) struct Cone {
    /// μ of this step.
    pub(super) friction: f64,
    /// b \[m/s\].
    pub(super) target: f64,
    /// Tolerated violation: the uncertainty of b \[m/s\].
    pub(super) slack: f64,
    /// K_nn \[1/kg\].
    normal: f64,
    /// K_tn along the principal tangents \[1/kg\].
    across: [f64; 2],
    /// Inverse masses along the principal tangents at constant u_n: the eigenvalues of
    /// K_tt − K_tn K_nt/K_nn \[1/kg\].
    inverse_masses: [f64; 2],
    /// The first principal tangent in the frame's tangents; the second is a quarter turn on.
    turn: [f64; 2],
    /// Trace of K \[1/kg\].
    trace: f64,
}

impl Cone {
    pub(super) fn new(row: &ContactRow, friction: f64, target: f64) -> Self {
        let k = row.inverse_mass;
        let (normal, across) = (k[(0, 0)], [k[(1, 0)], k[(2, 0)]]);
        let held = |i: usize, j: usize| {
            let through = if normal > 0.0 { across[i] * across[j] / normal } else { 0.0 };
            k[(i + 1, j + 1)] - through
        };
        let (inverse_masses, turn) = principal(held(0, 0), held(0, 1), held(1, 1));
        let trace = k.trace();
        let clean = |m: f64| if m > IMMOBILE * trace { m } else { 0.0 };
        let mut cone =
            Cone { friction, target, slack: 0.0, normal, across, inverse_masses, turn, trace };
        cone.across = cone.turned(across);
        cone.inverse_masses = inverse_masses.map(clean);
        cone
    }

    /// The same contact without friction.
    #[cfg_attr(not(feature = "conic"), allow(dead_code, reason = "asked by cone programmes"))]
    pub(super) fn without_friction(&self) -> Cone {
        Cone { friction: 0.0, ..*self }
    }

    /// Whether an impulse can change the normal velocity.
    pub(super) fn is_mobile(&self) -> bool {
        self.normal > IMMOBILE * self.trace
    }

    /// Inverse mass \[1/kg\] that relates velocities to impulses.
    pub(super) fn scale(&self) -> f64 {
        self.trace / 3.0
    }

    /// n·K(n − μ t) \[1/kg\] for the slip direction t in the frame.
    pub(super) fn inverse_mass_in_slip(&self, direction: [f64; 2]) -> f64 {
        let [a, b] = self.turned(direction);
        self.normal - self.friction * (self.across[0] * a + self.across[1] * b)
    }

    /// Two components in the frame, along the principal tangents.
    fn turned(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [c, s] = self.turn;
        [c * x + s * y, c * y - s * x]
    }

    fn turned_back(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [c, s] = self.turn;
        [c * x - s * y, s * x + c * y]
    }

    /// The impulse that fulfils the conditions, q the velocity without impulse. Several solutions
    /// exist where μ K_nt is as large as K_nn: the open one is preferred, then the sticking one.
    pub(super) fn solve(&self, q: &Vector) -> Vector {
        let closing = self.target - q.x;
        if closing <= 0.0 || !self.is_mobile() {
            return Vector::zeros();
        }
        let q_t = self.turned([q.y, q.z]);
        // the slip at the target normal velocity without friction
        let slip: [f64; 2] =
            std::array::from_fn(|i| q_t[i] + self.across[i] * closing / self.normal);
        let (normal, along) = match self.stick(closing, slip) {
            Some(p) => p,
            None if self.friction == 0.0 => (closing / self.normal, [0.0; 2]),
            None => self.slip(closing, slip),
        };
        let [y, z] = self.turned_back(along);
        Vector::new(normal, y, z)
    }

    /// The impulse without slip, if the cone bears it.
    fn stick(&self, closing: f64, slip: [f64; 2]) -> Option<(f64, [f64; 2])> {
        let mut along = [0.0; 2];
        for i in 0..2 {
            if self.inverse_masses[i] > 0.0 {
                along[i] = -slip[i] / self.inverse_masses[i];
            } else if slip[i].abs() > IMMOBILE * (slip[0].abs() + slip[1].abs() + closing) {
                return None;
            }
        }
        let normal = self.normal_for(closing, along);
        let planar = norm(along);
        (normal >= 0.0 && planar <= self.friction * normal).then_some((normal, along))
    }

    /// p_n for the target normal velocity with the tangential impulse `along`.
    fn normal_for(&self, closing: f64, along: [f64; 2]) -> f64 {
        (closing - self.across[0] * along[0] - self.across[1] * along[1]) / self.normal
    }

    /// With u_t = −a p_t the tangential impulse is p_t(a) = −(S + a)⁻¹ slip, S the inverse masses.
    /// The solution is the root of |p_t| = μ p_n over a > 0. The root exists: at a = 0 the contact
    /// sticks, beyond the cone; as a → ∞, p_t vanishes and p_n > 0. 1/|p_t| − 1/(μ p_n) is linear
    /// in a for equal inverse masses, and nearly so otherwise.
    fn slip(&self, closing: f64, slip: [f64; 2]) -> (f64, [f64; 2]) {
        let at = |a: f64| {
            let along: [f64; 2] =
                std::array::from_fn(|i| quotient(-slip[i], self.inverse_masses[i] + a));
            (self.normal_for(closing, along), along)
        };
        let outside = |(normal, along): &(f64, [f64; 2])| norm(*along) > self.friction * normal;
        let mean = 0.5 * (self.inverse_masses[0] + self.inverse_masses[1]);
        let guess = norm(slip) * self.normal / (self.friction * closing) - mean;
        let mut a = larger(guess, IMMOBILE * self.trace);
        let (mut low, mut high) = (0.0, f64::INFINITY);
        for _ in 0..ROOT_STEPS {
            let p = at(a);
            if outside(&p) {
                low = a
            } else {
                high = a
            }
            let next = a - self.straight(&p, a);
            let inside = next > low && next < high;
            let next = match (inside, high.is_finite()) {
                (true, _) => next,
                (false, true) => 0.5 * (low + high),
                (false, false) => 2.0 * (a + self.trace),
            };
            // converged, or no number in between
            if (next - a).abs() <= 2.0 * f64::EPSILON * a || !(next > low && next < high) {
                break;
            }
            a = next;
        }
        let (_, along) = at(a);
        let normal = larger(self.normal_for(closing, along), 0.0);
        // exactly on the cone
        let planar = norm(along);
        let share = if planar > 0.0 { self.friction * normal / planar } else { 0.0 };
        (normal, along.map(|p| p * share))
    }

    /// Newton's step to the root of 1/|p_t| − 1/(μ p_n); NaN if there is none.
    fn straight(&self, (normal, along): &(f64, [f64; 2]), a: f64) -> f64 {
        let (planar, bound) = (norm(*along), self.friction * normal);
        if bound <= 0.0 || planar <= 0.0 {
            return f64::NAN;
        }
        let rates: [f64; 2] =
            std::array::from_fn(|i| -quotient(along[i], self.inverse_masses[i] + a));
        let planar_rate = (along[0] * rates[0] + along[1] * rates[1]) / planar;
        let normal_rate = -(self.across[0] * rates[0] + self.across[1] * rates[1]) / self.normal;
        let bound_rate = self.friction * normal_rate;
        let value = 1.0 / planar - 1.0 / bound;
        value / (bound_rate / (bound * bound) - planar_rate / (planar * planar))
    }

    /// Violation of the conditions by p and u beyond the slack \[m/s\]: |p − P(p − ρ û)|/ρ, with P the
    /// projection onto the cone and ρ = 3/tr K.
    pub(super) fn residual(&self, p: &Vector, u: &Vector) -> f64 {
        if !self.is_mobile() {
            return 0.0;
        }
        let rho = 1.0 / self.scale();
        let sliding = norm([u.y, u.z]);
        let corrected = Vector::new(u.x - self.target + self.friction * sliding, u.y, u.z);
        let broken = (p - self.projected(&(p - corrected * rho))).norm() / rho - self.slack;
        // impulses on a crushed body grow until the violation is lost in their rounding
        let rounding = f64::EPSILON * p.norm() / rho;
        larger(broken, rounding)
    }

    /// Projection onto the cone.
    pub(super) fn projected(&self, p: &Vector) -> Vector {
        let (planar, mu) = (norm([p.y, p.z]), self.friction);
        // tested first: without friction and slip the next test also holds for a pulling p
        if mu * planar <= -p.x {
            return Vector::zeros();
        }
        if planar <= mu * p.x {
            return *p;
        }
        let normal = (p.x + mu * planar) / (1.0 + mu * mu);
        let share = mu * normal / planar;
        Vector::new(normal, p.y * share, p.z * share)
    }
}

fn norm([x, y]: [f64; 2]) -> f64 {
    sqrt(x * x + y * y)
}

/// x/y, and 0 for 0/0.
fn quotient(x: f64, y: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x / y }
}

/// Eigenvalues of the symmetric [[a, b], [b, c]], and the first eigenvector.
fn principal(a: f64, b: f64, c: f64) -> ([f64; 2], [f64; 2]) {
    if b == 0.0 {
        return ([a, c], [1.0, 0.0]);
    }
    // Jacobi's rotation
    let half = (c - a) / (2.0 * b);
    let sign = if half < 0.0 { -1.0 } else { 1.0 };
    let t = sign / (half.abs() + sqrt(half * half + 1.0));
    let cos = 1.0 / sqrt(1.0 + t * t);
    ([a - t * b, c + t * b], [cos, -t * cos])
}
