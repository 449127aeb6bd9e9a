//! A friction law of one's own: F = −μN (2/π) atan(π u/2) along the slip, u = s/ε.
//!
//! Smooth everywhere, with the slope of the threshold law at rest; it creeps at
//! (2/π) ε tan(π ρ/2) under the load ratio ρ. Once [`register`]ed it has a name, `arctan`, which
//! scenes, commands and the window know. `tests/` shows how a project keeps such a law honest.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};
use stiction::math::{atan2, tan};
use stiction::{
    Coefficients, EPSILON, Entry, FRICTION_LAWS, FrictionForm, FrictionLaw, Page,
    RegistrationError, Slip, Vector,
};

/// Its row: the name, one line for `list`, how it is made, its keys, and what `explain` says.
const ROW: Entry<dyn FrictionLaw> = Entry::<dyn FrictionLaw>::new(
    "arctan",
    "smooth everywhere: μ_s N (2/π) atan(π u/2), u = s/ε; holds by creeping",
    |values| Ok(Box::new(Arctan { epsilon: values.number("epsilon") })),
)
.with_keys(&[EPSILON])
.with_page(Page {
    formula: "F = −μ_s N (2/π) atan(π s/(2 ε)) v/s",
    creep: "v = (2/π) ε tan(π ρ/2)",
    ..Page::NONE
});

/// Gives the law its name.
///
/// # Errors
/// There is a law of this name.
pub fn register() -> Result<(), RegistrationError> {
    FRICTION_LAWS.register(ROW).map(|_| ())
}

/// The law.
#[derive(Debug, Clone, Copy)]
pub struct Arctan {
    /// ε \[m/s\].
    pub epsilon: f64,
}

impl FrictionLaw for Arctan {
    fn force(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        let speed = slip.velocity.norm();
        if speed == 0.0 {
            return Vector::zeros();
        }
        let share = FRAC_2_PI * atan2(FRAC_PI_2 * speed / self.epsilon, 1.0);
        slip.velocity * (-pair.static_friction * slip.normal_force * share / speed)
    }

    fn sticks(&self, slip: &Slip, _pair: &Coefficients) -> bool {
        slip.velocity.norm() < self.epsilon
    }

    fn damping(&self, slip: &Slip, pair: &Coefficients) -> f64 {
        pair.static_friction * slip.normal_force / self.epsilon
    }

    fn creep(&self, load_ratio: f64, _normal_force: f64, _pair: &Coefficients) -> Option<f64> {
        (load_ratio < 1.0).then(|| FRAC_2_PI * self.epsilon * tan(FRAC_PI_2 * load_ratio))
    }

    fn threshold(&self) -> f64 {
        self.epsilon
    }

    fn is_kinked(&self) -> bool {
        false
    }

    fn form(&self) -> FrictionForm {
        FrictionForm::Coulomb
    }

    /// `tune` tries it unasked.
    fn suits_search(&self) -> bool {
        true
    }
}
