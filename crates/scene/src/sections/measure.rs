//! `[[measure]]` and `[expect]`.

use super::table::*;
use crate::diagnostics::listed;
use crate::keys::MEASURE_KINDS;
use crate::values::unknown_name;
use stiction_core::measures::MEASURES;
use stiction_core::measures::Reduction;
use stiction_core::measures::cycles::REDUCTIONS;
use stiction_core::measures::kinds::Against;

table! {
    /// `[[measure]]`: a quantity recorded at every frame.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Measure: MEASURE @ place {
        keys {
            name: String = Kind::Text, Required, "its name, unique among measures: a column of measures.csv";
            body: Option<usize> [find_body] = Kind::Text, Optional("needed by most kinds"), "a name of [[body]]";
            other: Option<MeasuredAgainst> [other] = Kind::Text, Optional("everything"), "a name of [[body]] or [[collider]]: contacts with it alone, or what the measure is relative to";
            direction: Option<Vector> = DIRECTION, Optional("three columns NAME_x, NAME_y, NAME_z"), "for vector quantities: the component along this direction";
            reduce: Option<Reduction> [reduction] = Kind::Word(REDUCTIONS), Optional("the value at every frame"), "one number over all steps so far (of `creep` over the frames): swing: the mean of the mean fall and the mean rise between turning points, NaN before one of each; period: mean time of a cycle (s), from two cycles on whose lengths differ by at most a tenth, else NaN; ripples below half the recent range are no cycles, and a first stroke from rest is none: where it is more than twice as large as later ones, begin with `from`";
            from: Option<f64> = number("s", NonNegative), Optional("t = 0"), "with `reduce`: what is before this time does not count";
        }
        parts {
            kind: &'static str [kind] = PartContent::Name(&MEASURE_KINDS, None), Absent::Required, "what is measured";
            selection as "where": Selection = PartContent::Selection, Absent::Nothing("all particles"), "which particles of the body: \"all\", or one of the keys of `where` below";
        }
    }
}

/// The reduction named by a key; refuses a start of the frames without it.
fn reduction(record: &Record, key: &str, names: &mut Names) -> Option<Reduction> {
    let word = record.text(key).map(Reduction::named);
    let name = quoted(record.text("name").unwrap_or_default());
    if word.is_none() && record.places.contains_key("from") {
        let message = format!("`from` in [[measure]] {name} has no `reduce` that it begins");
        names.fault(
            "E310",
            (record, "from"),
            message,
            "add reduce = \"period\" or reduce = \"swing\", or remove `from`",
        );
    }
    word
}

/// The body or collider that a measure is taken against, by its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeasuredAgainst {
    /// A body.
    Body(usize),
    /// A collider.
    Collider(usize),
}

/// The body or the collider named by a key.
fn other(record: &Record, key: &str, names: &mut Names) -> Option<MeasuredAgainst> {
    let name = record.text(key)?;
    let found = names.bodies.find(name).map(MeasuredAgainst::Body);
    let found = found.or(names.colliders.find(name).map(MeasuredAgainst::Collider));
    if found.is_none() && !names.is_full() {
        let known: Vec<String> = names.bodies.iter().chain(&*names.colliders).cloned().collect();
        names.push(*unknown_name(record.place_of(key), name, "body or collider", &known));
    }
    found
}

/// A row of [`MEASURES`]; checks that `body` and `other` are given where the row needs them, and
/// that no `other` or `direction` is given where it takes none.
fn kind(record: &Record, key: &str, names: &mut Names) -> &'static str {
    let kind = record.name(key).unwrap_or_default();
    let Some(row) = MEASURES.find(kind) else { return kind };
    let name = quoted(record.text("name").unwrap_or_default());
    if row.needs_body && !record.places.contains_key("body") {
        let message =
            format!("missing key `body` in [[measure]] {name}: `{kind}` is measured on a body");
        let help = format!("add body = \"NAME\" with one of {}", listed(&names.bodies));
        names.fault("E203", (record, "body"), message, help);
    }
    let given = record.places.contains_key("other");
    if row.against == Against::Always && !given && !names.is_full() {
        let message =
            format!("missing key `other` in [[measure]] {name}: `{kind}` is relative to something");
        let known: Vec<String> = names.bodies.iter().chain(&*names.colliders).cloned().collect();
        let help = format!("add other = \"NAME\" with one of {}", listed(&known));
        names.fault("E203", (record, "other"), message, help);
    }
    if row.against == Against::Nothing && given {
        let message =
            format!("`other` in [[measure]] {name}: `{kind}` is not relative to anything");
        names.fault("E310", (record, "other"), message, "remove `other`, or use relative-displacement, relative-velocity, separation or a measure of contacts");
    }
    if !row.vector && record.places.contains_key("direction") {
        let message = format!(
            "`direction` in [[measure]] {name}: `{kind}` is a single number and has no components"
        );
        names.fault("E310", (record, "direction"), message, "remove `direction`");
    }
    kind
}

table! {
    /// `[expect] COLUMN = { at, value, tolerance }`: a golden value.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Expectation: EXPECT @ place {
        with {
            /// The column of a measure.
            column: String = own_name;
        }
        keys {
            value: f64 = number("the unit of the measure", Any), Required, "expected value";
            tolerance: f64 = number("the unit of the measure", NonNegative), Required, "largest absolute deviation";
        }
        parts {
            at: Moment = PartContent::Moment, Absent::Empty, "\"end\", \"max\", \"min\" (over all steps, and between these by parabolas; over the frames of what is measured from frame to frame, and of `reduce`) or a time in s";
        }
    }
}
