//! `[accuracy]`.

use super::table::*;

table! {
    /// `[accuracy]`: what `run` is to give, in place of a step.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Accuracy: ACCURACY {
        with {
            /// Place of `within` in the text.
            place: Place = within_place;
        }
        keys {
            within: Option<String> = Kind::Text, Optional("a step that is given is taken as it is"), "largest error: `1e-3` of every measure as a share of its scale, or `distance=1e-3, slip=0.1 mm` of those named, as a size where a unit is given";
            max_time: f64 = number("s", Positive), Number(60.0), "CPU time in which it is sought";
        }
    }
}

fn within_place(record: &Record, _: &mut Names) -> Place {
    record.place_of("within")
}
