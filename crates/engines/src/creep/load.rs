//! The load on a body that friction should hold: forces, coefficients, contacts and the box.

use std::ops::RangeInclusive;
use stiction_core::math::{atan2, cos, degrees, radians, sin, sqrt};
use stiction_core::registry::{Fallback, Key, Kind, Problem, Range, Value, Values};
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

/// Where a body is held: the words of the key `geometry`.
const GEOMETRIES: &[&str] = &["slope", "grip", "even"];

/// The keys of a load, common to all engines.
pub const LOAD: &[Key] = &[
    Key {
        name: "geometry",
        kind: Kind::Word(GEOMETRIES),
        default: Fallback::Text(GEOMETRIES[0]),
        about: "slope: a box on a plane, where front contacts bear more than rear ones; grip: two opposed pads and a load along them; even: every contact bears N/n",
    },
    Key {
        name: "mass",
        kind: Kind::Number { unit: "kg", range: Range::Between(1e-9, 1e9) },
        default: Fallback::Number(1.0),
        about: "mass m of the body",
    },
    Key {
        name: "slope",
        kind: Kind::Number { unit: "°", range: Range::Between(0.0, 89.0) },
        default: Fallback::Number(15.0),
        about: "angle a of the slope: N = m g cos a and T = m g sin a",
    },
    Key {
        name: "gravity",
        kind: Kind::Number { unit: "m/s²", range: Range::Between(1e-6, 1e6) },
        default: Fallback::Number(9.81),
        about: "gravity g",
    },
    optional("grip_force", "N", "no grip", "grip: force F of each of the two pads, N = 2 F"),
    optional(
        "normal_force",
        "N",
        "m g cos a, in a grip 2 F",
        "normal force N on all contacts together",
    ),
    optional(
        "tangential_force",
        "N",
        "m g sin a, in a grip m g",
        "tangential load T that friction should hold",
    ),
    Key {
        name: "loads",
        kind: Kind::Text,
        default: Fallback::Optional("by the geometry"),
        about: "normal force of each contact in N, `3 3 1 1`: counts over `normal_force` and `contacts`",
    },
    Key {
        name: "friction",
        kind: Kind::Number { unit: "", range: Range::Between(0.0, 100.0) },
        default: Fallback::Number(0.5),
        about: "static coefficient of friction μ_s",
    },
    optional("kinetic_friction", "", "the static one", "kinetic coefficient of friction μ_k"),
    Key {
        name: "contacts",
        kind: Kind::Integer { min: 1, max: 1_000_000 },
        default: Fallback::Optional("4, in a grip 8"),
        about: "number n of contacts, half of them at each end of the base or on each pad",
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
        kind: Kind::Number { unit: "s", range: Range::Between(1e-9, 10.0) },
        default: Fallback::Optional("the engine's default"),
        about: "time step h of the engine",
    },
];

/// Arrangement of the contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Geometry {
    /// A box on a plane; its front contacts bear more than the rear ones.
    Slope,
    /// Two opposed pads, of which each bears half of N.
    Grip,
    /// Every contact bears N/n.
    Even,
}

/// Contacts that bear alike.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// Number of contacts.
    pub count: f64,
    /// N of each \[N\].
    pub normal_force: f64,
}

/// The load on a body, in SI units.
#[derive(Debug, Clone, PartialEq)]
pub struct Load {
    /// Arrangement of the contacts.
    pub geometry: Geometry,
    /// Whether N or T was given, so that neither follows from the weight.
    pub by_hand: bool,
    /// N of each contact \[N\], if given.
    pub loads: Vec<f64>,
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

/// Inclinations at which boxes of several engines were run \[degrees\]; a hair wider than 5° to 20°.
pub(super) const SLOPES: RangeInclusive<f64> = 4.999..=20.001;

impl Load {
    /// The angle of a slope with this load, atan T/N \[degrees\].
    pub(super) fn inclination(&self) -> f64 {
        degrees(atan2(self.tangential_force, self.normal_force))
    }

    /// The load from values of [`LOAD`].
    ///
    /// # Errors
    /// The kinetic coefficient is above the static one, a grip without its force, or loads that are
    /// no forces.
    pub fn of(values: &Values) -> Result<Self, Problem> {
        let static_friction = values.number("friction");
        let kinetic_friction = values.get_number("kinetic_friction").unwrap_or(static_friction);
        if kinetic_friction > static_friction {
            let message = format!("{kinetic_friction} is above the static {static_friction}");
            return Err(Problem::of("kinetic_friction", message, "give μ_k ≤ μ_s"));
        }
        let geometry = match values.text("geometry") {
            "grip" => Geometry::Grip,
            "even" => Geometry::Even,
            _ => Geometry::Slope,
        };
        let loads = loads(values)?;
        let [weighed, pulled] = forces(values, geometry)?;
        let sum = (!loads.is_empty()).then(|| loads.iter().sum());
        let by_hand = |key| values.get_number(key).is_some();
        Ok(Load {
            geometry,
            by_hand: by_hand("normal_force") || by_hand("tangential_force"),
            mass: values.number("mass"),
            normal_force: sum.or(values.get_number("normal_force")).unwrap_or(weighed),
            tangential_force: values.get_number("tangential_force").unwrap_or(pulled),
            pair: Coefficients { static_friction, kinetic_friction },
            contacts: count(values, geometry, &loads),
            loads,
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

    /// N of one front contact and of one rear contact \[N\].
    ///
    /// On a slope by statics: T acts at the height z of the centre of mass, friction at the base of
    /// length L. The balance of moments is n ΔN L/2 = T z, so that N_i = N/n ± ΔN with ΔN = 2 T z/(n
    /// L). An odd number of contacts cannot be halved: all bear N/n, as in a grip and with even
    /// shares. A negative rear force: the body tips.
    pub fn ends(&self) -> [f64; 2] {
        let [length, _, height] = self.base;
        let mean = self.normal_force / self.contacts;
        let more = 2.0 * self.tangential_force * height / (self.contacts * length);
        let tilted = self.geometry == Geometry::Slope && self.contacts % 2.0 == 0.0;
        if tilted && self.loads.is_empty() { [mean + more, mean - more] } else { [mean; 2] }
    }

    /// The contacts in groups that bear alike: each by itself where loads were given, else those of
    /// [`Load::ends`], which are the two pads of a grip.
    pub fn shares(&self) -> Vec<Share> {
        if self.loads.is_empty() {
            let half = |normal_force| Share { count: 0.5 * self.contacts, normal_force };
            return self.ends().map(half).to_vec();
        }
        self.loads.iter().map(|force| Share { count: 1.0, normal_force: *force }).collect()
    }

    /// Whether the load is the weight alone, by the geometry alone.
    pub fn is_weight(&self) -> bool {
        !self.by_hand && self.loads.is_empty()
    }

    /// Reason why no engine's answer to this load can be exact; `None` without one.
    pub fn doubt(&self) -> Option<String> {
        if !self.loads.is_empty() {
            return Some("loads of single contacts were given, and a body that also turns under them was not compared".into());
        }
        (self.by_hand && self.geometry == Geometry::Slope).then(|| {
            "N or T was given and where they act was not: they are taken to act at the centre of mass of a box on a plane; geometry=even or grip has no such lever".into()
        })
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

/// N and T that follow from the weight \[N\]: m g cos a and m g sin a, in a grip 2 F and m g.
fn forces(values: &Values, geometry: Geometry) -> Result<[f64; 2], Problem> {
    let weight = values.number("mass") * values.number("gravity");
    let angle = radians(values.number("slope"));
    let grip = values.get_number("grip_force");
    match (geometry, grip) {
        (Geometry::Grip, Some(force)) => Ok([2.0 * force, weight]),
        (Geometry::Grip, None) if values.has("normal_force") || values.has("loads") => {
            Ok([0.0, weight])
        }
        (Geometry::Grip, None) => {
            let message = "a grip needs the force of its pads";
            Err(Problem::of("grip_force", message, "give grip_force, that of each pad"))
        }
        (_, Some(_)) => {
            let message = "only a grip has pads";
            Err(Problem::of("grip_force", message, "add geometry=grip"))
        }
        _ => Ok([weight * cos(angle), weight * sin(angle)]),
    }
}

/// n: that of given loads, else as given, else that of a box on a plane or of two box pads.
fn count(values: &Values, geometry: Geometry, loads: &[f64]) -> f64 {
    let usual = if geometry == Geometry::Grip { 8.0 } else { 4.0 };
    match values.0.get("contacts") {
        _ if !loads.is_empty() => loads.len() as f64,
        Some(Value::Integer(n)) => *n as f64,
        _ => usual,
    }
}

/// Most contacts whose loads are given one by one.
const MOST_LOADS: usize = 1000;

/// The numbers of `loads`; none if it is not given.
fn loads(values: &Values) -> Result<Vec<f64>, Problem> {
    let Some(text) = values.get_text("loads") else { return Ok(Vec::new()) };
    let found = numbers(text)
        .filter(|all| !all.is_empty() && all.len() <= MOST_LOADS && all.iter().all(|x| *x >= 0.0));
    found.ok_or_else(|| {
        let message = format!("`{text}` are not the normal forces of 1 to {MOST_LOADS} contacts");
        Problem::of("loads", message, "give forces ≥ 0 in N, `3 3 1 1`")
    })
}

/// Finite numbers parted by blanks or commas.
pub(super) fn numbers(text: &str) -> Option<Vec<f64>> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    words.map(|word| word.parse().ok().filter(|x: &f64| x.is_finite())).collect()
}
