//! The load on a body that friction should hold: forces, coefficients, contacts and the box.

use stiction_core::math::{cos, radians, sin, sqrt};
use stiction_core::registry::{Fallback, Key, Kind, Problem, Range, Values};
use stiction_core::state::memory::Coefficients;

/// A key whose value is positive, with a default.
pub(super) const fn positive(
    name: &'static str,
    unit: &'static str,
    default: f64,
    about: &'static str,
) -> Key {
    let kind = Kind::Number { unit, range: Range::Positive };
    Key { name, kind, default: Fallback::Number(default), about }
}

const fn optional(
    name: &'static str,
    unit: &'static str,
    without: &'static str,
    about: &'static str,
) -> Key {
    let kind = Kind::Number { unit, range: Range::NonNegative };
    Key { name, kind, default: Fallback::Optional(without), about }
}

/// The keys of a load, common to all engines.
pub const LOAD: &[Key] = &[
    positive("mass", "kg", 1.0, "mass m of the body"),
    Key {
        name: "slope",
        kind: Kind::Number { unit: "°", range: Range::Between(0.0, 89.0) },
        default: Fallback::Number(15.0),
        about: "angle a of the slope: N = m g cos a and T = m g sin a",
    },
    positive("gravity", "m/s²", 9.81, "gravity g"),
    optional("normal_force", "N", "m g cos a", "normal force N on all contacts together"),
    optional("tangential_force", "N", "m g sin a", "tangential load T that friction should hold"),
    Key {
        name: "friction",
        kind: Kind::Number { unit: "", range: Range::NonNegative },
        default: Fallback::Number(0.5),
        about: "static coefficient of friction μ_s",
    },
    optional("kinetic_friction", "", "the static one", "kinetic coefficient of friction μ_k"),
    Key {
        name: "contacts",
        kind: Kind::Integer { min: 1, max: 1_000_000 },
        default: Fallback::Integer(4),
        about: "number n of contacts, half of them at each end where n is even",
    },
    positive("length", "m", 0.4, "distance of the front contacts from the rear ones"),
    positive("width", "m", 0.4, "distance of the left contacts from the right ones"),
    Key {
        name: "height",
        kind: Kind::Number { unit: "m", range: Range::NonNegative },
        default: Fallback::Number(0.1),
        about: "height of the centre of mass above the surface; 0: every contact bears the same",
    },
    Key {
        name: "step",
        kind: Kind::Number { unit: "s", range: Range::Positive },
        default: Fallback::Optional("the engine's default"),
        about: "time step h of the engine",
    },
];

/// The load on a body, in SI units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// m \[kg\].
    pub mass: f64,
    /// N of all contacts \[N\].
    pub normal_force: f64,
    /// T \[N\].
    pub tangential_force: f64,
    /// μ_s and μ_k.
    pub pair: Coefficients,
    /// n.
    pub contacts: f64,
    /// Length and width of the base, and height of the centre of mass above it \[m\].
    pub base: [f64; 3],
    /// h \[s\], if given.
    pub step: Option<f64>,
}

impl Load {
    /// The load from values of [`LOAD`].
    ///
    /// # Errors
    /// The kinetic coefficient is above the static one.
    pub fn of(values: &Values) -> Result<Self, Problem> {
        let (mass, angle) = (values.number("mass"), radians(values.number("slope")));
        let weight = mass * values.number("gravity");
        let static_friction = values.number("friction");
        let kinetic_friction = values.get_number("kinetic_friction").unwrap_or(static_friction);
        if kinetic_friction > static_friction {
            let message = format!("{kinetic_friction} is above the static {static_friction}");
            return Err(Problem::of("kinetic_friction", message, "give μ_k ≤ μ_s"));
        }
        let given = |key, otherwise| values.get_number(key).unwrap_or(otherwise);
        Ok(Load {
            mass,
            normal_force: given("normal_force", weight * cos(angle)),
            tangential_force: given("tangential_force", weight * sin(angle)),
            pair: Coefficients { static_friction, kinetic_friction },
            contacts: values.integer("contacts") as f64,
            base: ["length", "width", "height"].map(|key| values.number(key)),
            step: values.get_number("step"),
        })
    }

    /// Load ratio ρ = T/(μ_s N); infinite if friction can hold nothing.
    pub fn ratio(&self) -> f64 {
        let capacity = self.pair.static_friction * self.normal_force;
        match (capacity > 0.0, self.tangential_force > 0.0) {
            (true, _) => self.tangential_force / capacity,
            (false, true) => f64::INFINITY,
            (false, false) => 0.0,
        }
    }

    /// Acceleration of a sliding body, a = (T − μ_k N)/m \[m/s²\].
    pub fn sliding(&self) -> f64 {
        (self.tangential_force - self.pair.kinetic_friction * self.normal_force) / self.mass
    }

    /// N of one front contact and of one rear contact \[N\], by statics.
    ///
    /// T acts at the height z of the centre of mass, friction at the base of length L. The balance
    /// of moments is n ΔN L/2 = T z, so that N_i = N/n ± ΔN with ΔN = 2 T z/(n L). An odd number of
    /// contacts cannot be halved: all bear N/n. A negative rear force: the body tips.
    pub fn ends(&self) -> [f64; 2] {
        let [length, _, height] = self.base;
        let mean = self.normal_force / self.contacts;
        let more = 2.0 * self.tangential_force * height / (self.contacts * length);
        if self.contacts % 2.0 == 0.0 { [mean + more, mean - more] } else { [mean; 2] }
    }

    /// m W of a contact at a corner of a solid box, W its inverse inertia: m W is the 3 × 3 matrix
    /// 1 − m \[r\]× I⁻¹ \[r\]× with r from the centre of mass to the corner. x is along the load.
    pub fn corner(&self) -> [[f64; 3]; 3] {
        let [length, width, height] = self.base;
        let r = [0.5 * length, 0.5 * width, -height];
        // m I⁻¹ of a solid box of these half sizes
        let square = r.map(|x| x * x);
        let inverse = [square[1] + square[2], square[0] + square[2], square[0] + square[1]]
            .map(|sum| 3.0 / sum);
        let mut matrix = [[0.0; 3]; 3];
        for i in 0..3 {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            matrix[i][i] = 1.0 + square[j] * inverse[k] + square[k] * inverse[j];
            matrix[i][j] = -r[i] * r[j] * inverse[k];
            matrix[j][i] = matrix[i][j];
        }
        matrix
    }

    /// Root mean square ‖m W‖/3 of a corner's inverse inertia, with the Frobenius norm.
    pub(crate) fn corner_size(&self) -> f64 {
        sqrt(self.corner().iter().flatten().map(|x| x * x).sum()) / 3.0
    }
}
