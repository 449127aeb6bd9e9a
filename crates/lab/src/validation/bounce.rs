//! P8: restitution, from runs of one particle against a plane.

use super::{Case, CaseFigure, CaseTrial, Rig, RigSetting, Trouble};
use stiction_core::contact::normal::linear::damping_ratio;
use stiction_core::math::{PI, atan2, exp, pow, sqrt};

/// The cases.
pub const CASES: &[Case] = &[
    Case {
        group: "P8",
        name: "damped contact",
        about: "a contact that never pulls, ζ = c/(2 √(k m)): e = exp(−(ζ/s)(π − atan2(2ζs, 1 − 2ζ²))), s = √(1 − ζ²), e⁻² at ζ = 1; averaged over where in a step the impact begins",
        trials: damped,
    },
    Case {
        group: "P8",
        name: "restitution of materials",
        about: "the damping that a wanted e asks for, found by the inverse of the above, for three masses",
        trials: wanted,
    },
    Case {
        group: "P8",
        name: "Hunt–Crossley contact",
        about: "k dⁿ(1 + a ḋ), whatever n, k and m: a v (1 + e) = ln((1 + a v)/(1 − a v e))",
        trials: hunt_crossley,
    },
];

const SPEED: f64 = 0.5;

/// A particle that moves towards a plane without gravity.
fn flight<'a>(
    setting: &RigSetting<'a>,
    mass: f64,
    normal: &str,
    material: &str,
    start: f64,
    h: f64,
) -> Result<Rig<'a>, Trouble> {
    let rest = format!(
        "world.gravity = [0, 0, 0]
        [materials.ball]
        static_friction = 0.3
        {material}
        [contact]
        normal = {{ {normal} }}
        [[body]]
        name = \"ball\"
        mass = {mass:e}
        shape.particle = {{}}
        position = [0, 0, {start:e}]
        velocity = [0, 0, {:e}]
        [[collider]]
        name = \"floor\"
        shape.plane = {{}}
        ",
        -SPEED
    );
    setting.stand_under("\"symplectic-euler\"", h, &rest)
}

/// Speed after/speed before, averaged over the position of the impact within a step.
fn measured(
    setting: &RigSetting,
    mass: f64,
    normal: &str,
    material: &str,
    h: f64,
) -> Result<f64, Trouble> {
    const PHASES: u32 = 16;
    let bounce = |phase: u32| {
        let start = SPEED * h * (1.0 + f64::from(phase) / f64::from(PHASES));
        let mut rig = flight(setting, mass, normal, material, start, h)?;
        while rig.state.positions[0].z <= start {
            rig.advance()?;
            if rig.state.step_count > 100_000 {
                return Err(Trouble::Failed("it stays on the floor".into()));
            }
        }
        Ok(rig.state.velocities[0].z / SPEED)
    };
    (0..PHASES).map(bounce).sum::<Result<f64, Trouble>>().map(|sum| sum / f64::from(PHASES))
}

/// Restitution e as a function of the damping ratio ζ.
fn restitution(zeta: f64) -> f64 {
    if zeta == 1.0 {
        return exp(-2.0);
    }
    let s = sqrt(1.0 - zeta * zeta);
    exp(-(zeta / s) * (PI - atan2(2.0 * zeta * s, 1.0 - 2.0 * zeta * zeta)))
}

/// Restitution e of Hunt–Crossley contact as a function of the product a v, from its implicit
/// equation.
fn hunt_crossley_restitution(product: f64) -> f64 {
    let left = |e: f64| {
        product * (1.0 + e) - stiction_core::math::log((1.0 + product) / (1.0 - product * e))
    };
    // e < 1/(a v)
    stiction_core::math::bisect(0.0, (1.0 / product).min(1.0), |e| left(e) > 0.0)
}

fn damped() -> Vec<CaseTrial> {
    let (mass, stiffness) = (2.0, 5e3);
    let trial = |zeta: f64| {
        CaseTrial::new(format!("ζ {zeta}, symplectic-euler"), move |setting| {
            let damping = 2.0 * zeta * sqrt(stiffness * mass);
            let normal = format!("stiffness = {stiffness:e}, damping = {damping:e}");
            let found = measured(setting, mass, &normal, "", 0.004 / sqrt(stiffness / mass))?;
            let e = restitution(zeta);
            Ok(vec![
                CaseFigure::relative("e", "", e, found, 0.005),
                CaseFigure::relative("ζ that this e asks for", "", zeta, damping_ratio(e), 1e-6),
            ])
        })
    };
    [0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0].into_iter().map(trial).collect()
}

fn wanted() -> Vec<CaseTrial> {
    let stiffness = 4e3;
    let trial = |mass: f64| {
        CaseTrial::new(format!("{mass} kg, symplectic-euler"), move |setting| {
            let h = 0.002 / sqrt(stiffness / mass);
            let normal = format!("stiffness = {stiffness:e}");
            let bounce = |e: f64| {
                let material = format!("restitution = {e}");
                let found = measured(setting, mass, &normal, &material, h)?;
                Ok(CaseFigure::relative(format!("e wanted {e}"), "", e, found, 0.005))
            };
            [0.9, 0.8, 0.5, 0.3].into_iter().map(bounce).collect()
        })
    };
    [0.01, 1.0, 30.0].into_iter().map(trial).collect()
}

/// Exponent n, stiffness k \[N/mⁿ\], mass m \[kg\].
const CONTACTS: [(f64, f64, f64); 4] =
    [(1.5, 1e4, 1.0), (1.5, 1e5, 0.02), (1.0, 3e3, 2.0), (2.5, 1e6, 0.5)];

fn hunt_crossley() -> Vec<CaseTrial> {
    let trial = |(exponent, stiffness, mass): (f64, f64, f64)| {
        let name = format!("n {exponent}, k {stiffness:e}, m {mass}, symplectic-euler");
        CaseTrial::new(name, move |setting| {
            // a contact lasts about 3 d/v, with d the depth at which the energy is stored
            let share = (exponent + 1.0) * mass * SPEED * SPEED / (2.0 * stiffness);
            let h = 0.02 * pow(share, 1.0 / (exponent + 1.0)) / SPEED;
            let bounce = |product: f64| {
                let normal = format!(
                    "law = \"hunt-crossley\", stiffness = {stiffness:e}, exponent = {exponent}, dissipation = {:e}",
                    product / SPEED
                );
                let found = measured(setting, mass, &normal, "", h)?;
                let e = hunt_crossley_restitution(product);
                Ok(CaseFigure::relative(format!("e at a v = {product}"), "", e, found, 0.005))
            };
            [0.05, 0.2, 0.5, 1.0, 3.0].into_iter().map(bounce).collect()
        })
    };
    CONTACTS.into_iter().map(trial).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_give_the_published_figures() {
        for (zeta, e) in [
            (0.05, 0.858758),
            (0.1, 0.744079),
            (0.2, 0.571740),
            (0.3, 0.450975),
            (0.5, 0.298436),
            (0.7, 0.210285),
            (1.0, 0.135335),
        ] {
            assert!((restitution(zeta) - e).abs() < 1e-6, "{zeta}: {}", restitution(zeta));
        }
        for (product, e) in
            [(0.05, 0.967739), (0.2, 0.882190), (0.5, 0.748435), (1.0, 0.593624), (3.0, 0.306897)]
        {
            let found = hunt_crossley_restitution(product);
            assert!((found - e).abs() < 1e-6, "{product}: {found}");
        }
    }
}
