//! How a law of contact leads to the ideal that it stands for: Coulomb's friction, a rigid surface.

/// The keys between a law of contact and its ideal.
#[derive(Debug, Clone, PartialEq)]
pub enum Regularisation {
    /// Nothing: the law has no key between it and its ideal.
    None,
    /// Keys of its row, each with its value and a power p. With the value times qᵖ the times of the law are q times as
    /// long, or longer, so that a step q times as long is as stable, and q → 0 leads to the ideal. The first key
    /// stands for all of them in tables.
    Keys(Vec<(&'static str, f64, f64)>),
    /// Not known.
    Unknown,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::friction::{FRICTION_LAWS, FrictionLaw, Slip};
    use crate::contact::normal::NORMAL_LAWS;
    use crate::math::{Vector, pow};
    use crate::registry::{Entry, Fallback, Value, Values};
    use crate::state::memory::Coefficients;

    /// A law of a row, the numbers that it requires 100, with the keys of its regularisation at q.
    fn at<T: ?Sized>(row: &Entry<T>, keys: &[(&'static str, f64, f64)], q: f64) -> Box<T> {
        let mut values = Values::defaults(row.keys);
        for key in row.keys {
            match key.default {
                // a damping of zero would stay so
                Fallback::Required | Fallback::Number(0.0) => {
                    values = values.set(key.name, Value::Number(100.0));
                }
                _ => {}
            }
        }
        for (key, value, power) in keys {
            assert!(row.keys.iter().any(|known| known.name == *key), "{} has no {key}", row.name);
            values = values.set(key, Value::Number(value * pow(q, *power)));
        }
        (row.make)(&values).unwrap_or_else(|_| panic!("{}", row.name))
    }

    /// Every law says how it leads to Coulomb's: its creep falls with q, its stiffness grows with 1/q², its damping
    /// at most with 1/q, so that steps of the length q are as stable; and far above its speeds it has Coulomb's force.
    #[test]
    fn every_friction_law_leads_to_coulombs() {
        let pair = Coefficients { static_friction: 0.6, kinetic_friction: 0.4 };
        let slip = |speed: f64| Slip {
            velocity: Vector::new(speed, 0.0, 0.0),
            displacement: Vector::new(speed, 0.0, 0.0),
            normal_force: 10.0,
            ..Slip::default()
        };
        for row in &FRICTION_LAWS {
            let keys = match at(row, &[], 1.0).regularisation() {
                Regularisation::None => continue,
                Regularisation::Keys(keys) => keys,
                Regularisation::Unknown => panic!("{} does not say", row.name),
            };
            let at = |q: f64| at(row, &keys, q);
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-2 * b.abs();
            let creep = |law: &dyn FrictionLaw| law.creep(0.5, 10.0, &pair).expect("it holds");
            let (one, half) = (at(1.0), at(0.5));
            assert!(near(creep(&*half), 0.5 * creep(&*one)), "{}", row.name);
            assert!(near(half.stiffness(), 4.0 * one.stiffness()), "{}", row.name);
            let damping = |law: &dyn FrictionLaw| law.damping(&slip(1e-9), &pair);
            assert!(damping(&*half) <= 2.0 * damping(&*one) * (1.0 + 1e-2), "{}", row.name);
            let ideal = at(1e-5).force(&slip(1.0), &pair).x;
            assert!((ideal + 4.0).abs() < 1e-2, "{}: {ideal}", row.name);
        }
    }

    /// The depth under a load falls with q², the restitution stays.
    #[test]
    fn every_normal_law_leads_to_a_rigid_surface() {
        let returned = |law: &dyn super::super::normal::NormalLaw, h: f64| {
            let damping = law.damping(law.bounce(None), 1.0);
            let (mut d, mut rate) = (0.0, 0.5);
            loop {
                rate -= h * law.force(d, rate, damping);
                d += h * rate;
                if d <= 0.0 || (rate < 0.0 && law.force(d, rate, damping) <= 0.0) {
                    return -rate;
                }
            }
        };
        for row in &NORMAL_LAWS {
            let Regularisation::Keys(mut keys) = at(row, &[], 1.0).regularisation() else {
                panic!("{} does not say", row.name)
            };
            // those that are not given by the defaults
            for key in row.keys {
                match key.name {
                    "damping" => keys.push((key.name, 3.0, -1.0)),
                    "dissipation" => keys.push((key.name, 0.7, 0.0)),
                    _ => {}
                }
            }
            let (one, half) = (at(row, &keys, 1.0), at(row, &keys, 0.5));
            for depth in [1e-3, 1e-2] {
                let (before, after) = (one.elastic(depth), half.elastic(0.25 * depth));
                assert!((after / before - 1.0).abs() < 1e-9, "{}: {before} {after}", row.name);
            }
            let (a, b) = (returned(&*one, 1e-4), returned(&*half, 5e-5));
            assert!((a / b - 1.0).abs() < 5e-3 && a < 0.49, "{}: {a} {b}", row.name);
        }
    }
}
