//! `[[curve]]`.

use super::table::*;
use crate::diagnostics::Diagnostic;
use std::collections::BTreeMap;
use stiction_core::constraints::curve::{COUPLINGS, Coupling};
use stiction_core::world;

table! {
    /// `[[curve]]`: constrains a selection to φ = 0.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Curve: CURVE @ place {
        with {
            /// Places of its keys in the text.
            places: Places = own_places;
        }
        keys {
            body: usize [body_of] = Kind::Text, Required, "a name of [[body]]";
            phi: Vec<String> [formulas] = Kind::Texts, Required, "formula in x, y and z (m) that is zero on the curve, or in space on the surface; two for a curve in space";
            constants: BTreeMap<String, f64> = Kind::Constants, Optional("none"), "named numbers that the formula may use";
            stabilisation: f64 = number("", Between(0.0, 1.0)), Number(0.2), "share of the distance from the curve that a step takes back; 0 lets it drift";
            projection: bool = Kind::Flag, Flag(false), "puts positions back onto the curve after every step, instead of `stabilisation`";
        }
        parts {
            selection as "where": Selection = PartContent::Selection, Absent::Nothing("all particles"), "which particles of the body: \"all\", or one of the keys of `where` below";
            friction: CurveFriction = PartContent::Table(&CURVE_FRICTION), Absent::Empty, "friction in proportion to the constraint force";
        }
    }
}

table! {
    /// `friction = { ... }` of a curve.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct CurveFriction: CURVE_FRICTION @ place {
        with {
            /// Places of its keys in the text.
            places: Places = own_places;
        }
        keys {
            kinetic: f64 = number("", Between(0.0, 100.0)), Number(0.0), "coefficient of a particle that moves";
            static_ as "static": f64 [at_rest] = number("", Between(0.0, 100.0)), Optional("`kinetic`"), "coefficient of a particle at rest, at least `kinetic`";
            coupling: Option<Coupling> [coupling] = Kind::Word(COUPLINGS), Optional("`multiplier-linear` under symplectic-euler, else `reduced`"), "how friction and the unknown multiplier are made to fit: the first three under symplectic-euler, `reduced` under any explicit method";
            rest: bool = Kind::Flag, Flag(true), "a particle that would turn back within a step is held, while that takes no more than `static`; without it, it chatters or stops late";
        }
    }
}

/// The formulas of a curve, checked for errors.
fn formulas(record: &Record, key: &'static str, names: &mut Names) -> Vec<String> {
    let texts = record.values.texts(key).to_vec();
    if let Err(fault) = world::Curve::parse(&texts, &record.values.constants("constants")) {
        let at = if fault.position.is_some() { key } else { "constants" };
        let message = format!("`{at}` in [[curve]]: {}", fault.message);
        names.push(Diagnostic::error("E311", record.place_of(at), message).help(fault.help));
    }
    texts
}

fn at_rest(record: &Record, key: &str, names: &mut Names) -> f64 {
    let kinetic = record.number("kinetic");
    let Some(given) = record.values.get_number(key) else { return kinetic };
    if given < kinetic {
        let message = format!(
            "`static` ({given}) must be at least `kinetic` ({kinetic}): what is at rest would slip back at once"
        );
        let help = "leave out `static` to make them equal";
        names.fault("E310", (record, key), message, help);
    }
    given
}

fn coupling(record: &Record, key: &str, _: &mut Names) -> Option<Coupling> {
    record.text(key).and_then(Coupling::named)
}
