//! A friction law of one's own, from outside the crate: F = −μ_s N v/√(ε² + s²).
//!
//! It has no kink at ε and creeps at ε ρ/√(1 − ρ²) under the load ratio ρ = |T|/(μ_s N). Once
//! registered, it has a name that scenes may use. Run it with
//! `cargo run --release --example custom_friction_law`; `examples/own_law` is a whole project.

use std::error::Error;
use std::path::Path;
use stiction::math::sqrt;
use stiction::run::{Run, Unobserved};
use stiction::scene::build::BuildOptions;
use stiction::scene::{LoadOptions, load_text};
use stiction::{
    Coefficients, EPSILON, Entry, FRICTION_LAWS, FrictionForm, FrictionLaw, Slip, Vector,
};

/// F = −μ_s N u/√(1 + u²) along the slip, u = s/ε.
#[derive(Clone)]
struct Root {
    /// ε \[m/s\].
    epsilon: f64,
}

impl FrictionLaw for Root {
    fn force(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        let s = slip.velocity.norm();
        let size = pair.static_friction * slip.normal_force;
        slip.velocity * (-size / sqrt(self.epsilon * self.epsilon + s * s))
    }

    fn sticks(&self, slip: &Slip, _pair: &Coefficients) -> bool {
        slip.velocity.norm() < self.epsilon
    }

    fn damping(&self, slip: &Slip, pair: &Coefficients) -> f64 {
        pair.static_friction * slip.normal_force / self.epsilon
    }

    fn creep(&self, load_ratio: f64, _normal_force: f64, _pair: &Coefficients) -> Option<f64> {
        let rest = 1.0 - load_ratio * load_ratio;
        (rest > 0.0).then(|| self.epsilon * load_ratio / sqrt(rest))
    }

    fn threshold(&self) -> f64 {
        self.epsilon
    }

    fn form(&self) -> FrictionForm {
        FrictionForm::Coulomb
    }
}

/// A block on a floor, pushed with half of what friction can bear.
const SCENE: &str = r#"
format = 1
[time]
end = 0.2
step = 1e-5
output = 0.01
[integrator]
method = "rk4"
[materials.wood]
static_friction = 0.5
[contact]
normal = { law = "linear", stiffness = 1e5, damping = 200 }
friction = { law = "root", epsilon = 1e-3 }
[[body]]
name = "block"
mass = 1.0
shape = { particle = {} }
position = [0, 0, -9.81e-5]
[[collider]]
name = "floor"
shape = { plane = {} }
[[push]]
body = "block"
force = [2.4525, 0, 0]
"#;

fn main() -> Result<(), Box<dyn Error>> {
    FRICTION_LAWS.register(
        Entry::<dyn FrictionLaw>::new("root", "μ_s N u/√(1 + u²), u = s/ε", |values| {
            Ok(Box::new(Root { epsilon: values.number("epsilon") }))
        })
        .with_keys(&[EPSILON]),
    )?;
    let loaded = load_text("block", SCENE, Path::new("."), &LoadOptions::default())
        .map_err(|errors| errors.render(false))?;
    let outcome = Run::new(&loaded.scene, &BuildOptions::default())?
        .finish_with(&mut Unobserved, &|| false)?;

    let pair = Coefficients { static_friction: 0.5, kinetic_friction: 0.5 };
    let law = Root { epsilon: 1e-3 };
    let expected = law.creep(0.5, 9.81, &pair).ok_or("half the load is inside the cone")?;
    let measured = outcome.creep.first().ok_or("the block touches the floor")?.measured;
    println!("creep measured {measured:.9e} m/s, closed form {expected:.9e} m/s");
    println!("verdict: {}", outcome.verdict.marks());
    if (measured - expected).abs() > 1e-6 * expected || !outcome.verdict.faultless() {
        return Err("the law does not creep as its formula says".into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn creeps_at_its_closed_form() {
        assert!(super::main().is_ok());
    }
}
