//! `[materials.NAME]`, `[pairing]` and `[[pair]]`.

use super::table::*;
use crate::keys::{FRICTION_PAIRS, RESTITUTION_PAIRS};
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
        }
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
