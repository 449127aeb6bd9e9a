//! Largest stable steps of ẍ = −λ ẋ − ω² x for schemes of engines.

use stiction_core::integrators::Capabilities;
use stiction_core::math::{bisect, sqrt};

/// Largest stable step \[s\] of methods that update velocities first and then positions, with all
/// forces from the start of the step: h = (√(λ² + 4ω²) − λ)/ω², which is 2/λ at ω = 0 and 2/ω at λ
/// = 0. `None` without a limit. λ and ω in 1/s. Source: \[hairer1996\].
pub fn velocity_first(lambda: f64, omega: f64) -> Option<f64> {
    // avoids the difference of nearly equal numbers
    let largest = 4.0 / (sqrt(lambda * lambda + 4.0 * omega * omega) + lambda);
    (lambda > 0.0 || omega > 0.0).then_some(largest)
}

/// Start and end of the search, in h (λ + ω).
const SEARCH: (f64, f64) = (1e-6, 1e3);

/// Largest stable step of one of this program's methods \[s\], from its region of stability: `None`
/// without a limit, 0 if it is unstable at any step.
pub(crate) fn of_method(method: &Capabilities, lambda: f64, omega: f64) -> Option<f64> {
    let rate = lambda + omega;
    if rate <= 0.0 || method.adaptive {
        return None;
    }
    if omega == 0.0 {
        return Some(method.decay_limit? / lambda);
    }
    if lambda == 0.0 {
        return Some(method.oscillation_limit? / omega);
    }
    let holds = |h: f64| method.region.holds(h * lambda, h * omega);
    let mut size = SEARCH.0;
    if !holds(size / rate) {
        return Some(0.0);
    }
    while size < SEARCH.1 {
        let next = 1.02 * size;
        if !holds(next / rate) {
            return Some(bisect(size / rate, next / rate, holds));
        }
        size = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction_core::integrators::INTEGRATORS;

    fn limit(method: &str, lambda: f64, omega: f64) -> Option<f64> {
        let made = INTEGRATORS.find(method).map(|row| row.from_defaults().expect("defaults"));
        of_method(&made.expect("a method").capabilities(), lambda, omega)
    }

    #[test]
    fn limits_are_those_of_the_regions() {
        for (lambda, omega) in [(10.0, 0.0), (0.0, 10.0), (10.0, 10.0), (10.0, 3.0), (1.0, 30.0)] {
            let exact = velocity_first(lambda, omega).expect("a limit");
            let found = limit("symplectic-euler", lambda, omega).expect("a limit");
            assert!((found / exact - 1.0).abs() < 1e-6, "{lambda} {omega}: {found} {exact}");
        }
        let rk4 = limit("rk4", 100.0, 0.0).expect("a limit");
        assert!((rk4 / 0.02785294 - 1.0).abs() < 1e-6, "{rk4}");
        assert_eq!(limit("explicit-euler", 0.0, 10.0), Some(0.0));
        assert_eq!(limit("tr-bdf2", 10.0, 10.0), None);
        assert_eq!(limit("rk45", 10.0, 10.0), None);
        assert_eq!(limit("rk4", 0.0, 0.0), None);
        assert_eq!(velocity_first(0.0, 0.0), None);
    }
}
