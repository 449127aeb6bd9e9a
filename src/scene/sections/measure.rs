//! `[[measure]]` and `[expect]`.

use super::table::*;
use crate::measures::MEASURES;
use crate::scene::diagnostics::listed;
use crate::scene::keys::MEASURE_KINDS;

table! {
    /// `[[measure]]`: a quantity recorded at every frame.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Measure: MEASURE @ place {
        keys {
            name: String = Kind::Text, Required, "its name, unique among measures: a column of measures.csv";
            body: Option<usize> [find_body] = Kind::Text, Optional("needed by most kinds"), "a name of [[body]]";
            direction: Option<Vector> = DIRECTION, Optional("three columns NAME_x, NAME_y, NAME_z"), "for vector quantities: the component along this direction";
        }
        parts {
            kind: &'static str [kind] = PartContent::Name(&MEASURE_KINDS, None), Absent::Required, "what is measured";
            selection as "where": Selection = PartContent::Selection, Absent::Nothing("all particles"), "which particles of the body: \"all\", or one of the keys of `where` below";
        }
    }
}

/// A row of [`MEASURES`], with the body that it needs and without a direction that it cannot have.
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
            /// A measure column.
            column: String = own_name;
        }
        keys {
            value: f64 = number("the unit of the measure", Any), Required, "expected value";
            tolerance: f64 = number("the unit of the measure", NonNegative), Required, "largest absolute deviation";
        }
        parts {
            at: Moment = PartContent::Moment, Absent::Empty, "\"end\", \"max\", \"min\" (over all frames) or a time in s";
        }
    }
}
