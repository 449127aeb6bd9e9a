//! `[materials.NAME]`, `[pairing]` and `[[pair]]`.

use super::table::*;
use crate::keys::{FRICTION_PAIRS, RESTITUTION_PAIRS, SOLID_LAW_NAMES};
use stiction_core::math::PI;
use stiction_core::world::DEFAULT_PAIRING;

/// Range of coefficients of friction.
const MU: Range = Between(0.0, 100.0);

table! {
    /// `[materials.NAME]`.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Material: MATERIAL @ place {
        with {
            /// The table's name.
            name: String = own_name;
        }
        keys {
            static_friction: f64 = number("", MU), Required, "coefficient of static friction μ_s";
            kinetic_friction: f64 [as_static] = number("", MU), Optional("as `static_friction`"), "coefficient of kinetic friction μ_k";
            restitution: Option<f64> = number("", Between(0.0, 1.0)), Optional("the other material decides; without any, the normal law"), "coefficient of restitution e";
            density: Option<f64> = number("kg/m³", Positive), Optional("bodies have their own"), "density of bodies that have neither `mass` nor `density`";
            young: Option<f64> [elastic] = number("Pa", Positive), Optional("the material is not elastic"), "Young's modulus E: bodies of the material without `springs` are elastic solids, sheets or ropes";
            poisson: Option<f64> [elastic] = number("", Between(-0.99, 0.499)), Optional("the material is not elastic"), "Poisson's ratio ν";
        }
        parts {
            model: Option<&'static str> [of_elastic] = PartContent::Name(&SOLID_LAW_NAMES, Some("neo-hookean")), Absent::Nothing("neo-hookean"), "energy of a deformation of the elastic material";
            damping: MaterialDamping = PartContent::Table(&MATERIAL_DAMPING), Absent::Empty, "how the elastic material dissipates";
        }
    }
}

table! {
    /// `damping = { ... }` of an elastic material: τ \[s\], or what it follows from, and a rate \[1/s\].
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub struct MaterialDamping: MATERIAL_DAMPING {
        keys {
            time: f64 [damping_time] = number("s", NonNegative), Optional("from `ratio` or `loss_factor` at `frequency`, else 0"), "damping in proportion to stiffness: the time τ of a stress τ times that of the rate of strain";
            ratio: Option<f64> = number("", NonNegative), Optional("not given"), "damping ratio ζ of a vibration at `frequency`: τ = ζ/(π f)";
            loss_factor: Option<f64> = number("", NonNegative), Optional("not given"), "loss factor η of a vibration at `frequency`: τ = η/(2π f)";
            frequency: Option<f64> = number("Hz", Positive), Optional("not given"), "the frequency f of `ratio` or `loss_factor`";
            mass: f64 [damping_mass] = number("1/s", NonNegative), Optional("no such damping"), "damping in proportion to mass, as of a drag: it slows a free flight too";
        }
    }
}

/// E or ν: one needs the other.
fn elastic(record: &Record, key: &str, names: &mut Names) -> Option<f64> {
    let [own, other] = [key, if key == "young" { "poisson" } else { "young" }]
        .map(|key| record.values.get_number(key));
    if own.is_some()
        && other.is_none()
        && !record.places.contains_key(if key == "young" { "poisson" } else { "young" })
    {
        let (missing, help) = match key {
            "young" => (
                "poisson",
                "add poisson = ..., from -0.99 to 0.499: most metals 0.3, rubber nearly 0.5 (tetrahedra lock above 0.45), cork 0.05 to 0.45",
            ),
            _ => ("young", "add young = ... in Pa: soft rubber 1e6, hard rubber 1e7, steel 2e11"),
        };
        let message = format!(
            "missing key `{missing}` in [materials.{}]: it is elastic by `{key}`",
            record.name
        );
        names.fault("E203", (record, key), message, help);
    }
    own
}

/// The law of an elastic material; refuses keys that only an elastic one has.
fn of_elastic(record: &Record, key: &str, names: &mut Names) -> Option<&'static str> {
    let given = |key: &str| record.places.contains_key(key);
    let elastic = given("young") || given("poisson");
    for idle in ["model", "damping"] {
        if given(idle) && !elastic {
            let message = format!(
                "`{idle}` of [materials.{}] does nothing: the material is not elastic",
                record.name
            );
            let help = "add young = ... in Pa and poisson = ...; bodies with `springs` have a damping of their own";
            names.fault("E310", (record, idle), message, help);
        }
    }
    record.name(key).filter(|_| given(key))
}

/// The rate of damping in proportion to mass \[1/s\].
fn damping_mass(record: &Record, key: &str, _: &mut Names) -> f64 {
    record.values.get_number(key).unwrap_or(0.0)
}

/// τ \[s\].
fn damping_time(record: &Record, key: &str, names: &mut Names) -> f64 {
    let number = |key| record.values.get_number(key);
    let given: Vec<&str> =
        [key, "ratio", "loss_factor"].into_iter().filter(|key| number(key).is_some()).collect();
    if let [_, second, ..] = given[..] {
        let message = format!(
            "`damping` has {}",
            given.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(" and ")
        );
        names.fault("E310", (record, second), message, "keep one of them: each gives the time τ");
    }
    let by_frequency = number("ratio").map(|ratio| 2.0 * ratio).or(number("loss_factor"));
    if number("frequency").is_some() && by_frequency.is_none() {
        let message = "`frequency` of `damping` does nothing without `ratio` or `loss_factor`";
        let help = "add ratio = ... or loss_factor = ...; or leave it out";
        names.fault("E310", (record, "frequency"), message.into(), help);
    }
    match (number(key), by_frequency, number("frequency")) {
        (Some(time), ..) => time,
        (None, Some(loss), Some(frequency)) => loss / (2.0 * PI * frequency),
        (None, Some(_), None) => {
            let own = if number("ratio").is_some() { "ratio" } else { "loss_factor" };
            let message = format!("`{own}` of `damping` holds at a frequency, and none is given");
            names.fault(
                "E203",
                (record, own),
                message,
                "add frequency = ... in Hz; or give time = ... in s",
            );
            0.0
        }
        (None, None, _) => 0.0,
    }
}

fn as_static(record: &Record, key: &str, _: &mut Names) -> f64 {
    record.values.get_number(key).unwrap_or(record.number("static_friction"))
}

table! {
    /// `[pairing]`: rows of [`stiction_core::contact::material::FRICTION_PAIRINGS`] and
    /// [`stiction_core::contact::material::RESTITUTION_PAIRINGS`].
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub struct Pairing: PAIRING {
        parts {
            friction: &'static str = PartContent::Name(&FRICTION_PAIRS, Some(DEFAULT_PAIRING)), Absent::Empty, "law for the coefficients of friction";
            restitution: &'static str = PartContent::Name(&RESTITUTION_PAIRS, Some(DEFAULT_PAIRING)), Absent::Empty, "law for the coefficients of restitution";
        }
    }
}

table! {
    /// `[[pair]]`: explicit values for two materials, which override the combine rule.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Pair: PAIR @ place {
        keys {
            static_friction: Option<f64> = number("", MU), Optional("from the pairing"), "coefficient of static friction μ_s of the pair";
            kinetic_friction: Option<f64> [as_pair] = number("", MU), Optional("as the pair's `static_friction` if that is given, else from the pairing"), "coefficient of kinetic friction μ_k of the pair";
            restitution: Option<f64> = number("", Between(0.0, 1.0)), Optional("from the pairing"), "coefficient of restitution e of the pair";
        }
        parts {
            materials: [usize; 2] [two_materials] = PartContent::TwoNames, Absent::Required, "the two materials, possibly the same twice";
        }
    }
}

fn as_pair(record: &Record, key: &str, _: &mut Names) -> Option<f64> {
    let number = |key| record.values.get_number(key);
    number(key).or(number("static_friction"))
}

/// The materials of a pair; naming them here does not count as using them.
fn two_materials(record: &Record, key: &str, names: &mut Names) -> [usize; 2] {
    match record.parts.get(key) {
        Some(Piece::TwoNames(two)) => {
            let mut number = |k: usize| names.material(&two[k].0, two[k].1).unwrap_or(0);
            [number(0), number(1)]
        }
        _ => [0, 0],
    }
}
