//! `[[motion]]`, `[[muscle]]` and `factor = { ... }`: functions of time.

use super::table::*;
use crate::diagnostics::{Diagnostic, listed};
use crate::values::unknown_name;
use std::collections::BTreeMap;
use stiction_core::expression::FormulaFault;
use stiction_core::expression::time_curve::{BETWEEN, Between, TimeCurve};

/// Variables of a formula of time.
const TIME: &[&str] = &["t"];

table! {
    /// `factor = { at, between, formula, constants }`: a factor as a function of time.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Factor: FACTOR {
        with {
            /// The factor as a function of time.
            course: Course = factor_course;
        }
        keys {
            at: Vec<[f64; 2]> = Kind::Points, Optional("or give formula"), "points [t, factor], constant before the first and after the last";
            between: Between = Kind::Word(BETWEEN), Text("smooth"), "smooth: least jerk, at rest in every point; linear: straight from point to point";
            formula: Option<String> = Kind::Text, Optional("or give at"), "formula of t (s)";
            constants: BTreeMap<String, f64> = Kind::Constants, Optional("none"), "named numbers that the formula may use";
        }
    }
}

table! {
    /// `[[motion]]`: motion of colliders and pins as a function of time.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct TimedMotion: MOTIONS @ place {
        with {
            /// Distance \[m\] or angle \[degrees\] as a function of time.
            course: Course = motion_course;
            /// Line or axis.
            path: MotionPath = path;
        }
        keys {
            of: Vec<MovedPart> [parts] = Kind::Names, Required, "names of [[collider]]s and [[pin]]s that move so";
            direction: Option<Vector> = DIRECTION, Optional("or give axis"), "direction of the motion; values are distances in m since t = 0";
            axis: Option<Vector> = DIRECTION, Optional("or give direction"), "axis of turning; values are angles in degrees since t = 0; colliders only";
            center: Option<Vector> = vector("m"), Optional("the shape's own centre"), "a point on the axis";
            surface: bool = Kind::Flag, Flag(false), "only the surface moves, while the shape stays, as of a belt; colliders only";
            at: Vec<[f64; 2]> = Kind::Points, Optional("or give formula"), "points [t, value], constant before the first and after the last";
            between: Between = Kind::Word(BETWEEN), Text("smooth"), "smooth: least jerk, at rest in every point; linear: straight from point to point";
            formula: Option<String> = Kind::Text, Optional("or give at"), "formula of t (s)";
            constants: BTreeMap<String, f64> = Kind::Constants, Optional("none"), "named numbers that the formula may use";
            from: Option<f64> = number("s", NonNegative), Optional("t = 0"), "it stands still before";
            until: Option<f64> [end] = number("s", NonNegative), Optional("it never ends"), "it stands still from then on";
        }
    }
}

table! {
    /// `[[muscle]]`: rest lengths as a function of time.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Muscle: MUSCLE @ place {
        with {
            /// Factor of the rest lengths as a function of time.
            course: Course = muscle_course;
        }
        keys {
            body: usize [body_of] = Kind::Text, Required, "a name of [[body]]";
            at: Vec<[f64; 2]> = Kind::Points, Optional("or give formula"), "points [t, factor], constant before the first and after the last";
            between: Between = Kind::Word(BETWEEN), Text("smooth"), "smooth: least jerk, at rest in every point; linear: straight from point to point";
            formula: Option<String> = Kind::Text, Optional("or give at"), "formula of t (s) and x, y, z (m), the middle of the spring at t = 0, so that a wave may run along a body";
            constants: BTreeMap<String, f64> = Kind::Constants, Optional("none"), "named numbers that the formula may use";
            from: Option<f64> = number("s", NonNegative), Optional("t = 0"), "the factor is constant before";
            until: Option<f64> [end] = number("s", NonNegative), Optional("it never ends"), "the factor is constant from then on";
        }
        parts {
            selection as "where": Selection = PartContent::Selection, Absent::Nothing("all particles"), "which particles of the body: \"all\", or one of the keys of `where` below; springs with both ends among them change";
        }
    }
}

/// A function of time as written in a scene: by points or by a formula.
#[derive(Debug, Clone, Default)]
pub struct Course(Option<TimeCurve>);

impl Course {
    /// The curve; none only in a refused scene.
    pub fn curve(&self) -> Option<&TimeCurve> {
        self.0.as_ref()
    }
}

/// Always equal: equality is decided by the keys, from which the curve follows.
impl PartialEq for Course {
    fn eq(&self, _: &Course) -> bool {
        true
    }
}

/// Line or axis of a `[[motion]]`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum MotionPath {
    /// Along the direction.
    #[default]
    Along,
    /// Along the direction, the surface alone.
    Surface,
    /// About the axis.
    About,
}

/// A part moved by a `[[motion]]`, by its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MovedPart {
    /// A collider.
    Collider(usize),
    /// A pin.
    Pin(usize),
}

impl Field for Between {
    fn take(record: &Record, key: &'static str, _: &mut Names) -> Self {
        Between::named(record.text(key).unwrap_or_default())
    }
}

impl Field for Vec<[f64; 2]> {
    fn take(record: &Record, key: &'static str, _: &mut Names) -> Self {
        record.values.get_points(key).unwrap_or_default().to_vec()
    }
}

fn factor_course(record: &Record, names: &mut Names) -> Course {
    course(record, TIME, "the factor", names)
}

fn motion_course(record: &Record, names: &mut Names) -> Course {
    course(record, TIME, "[[motion]]", names)
}

fn muscle_course(record: &Record, names: &mut Names) -> Course {
    course(record, TimeCurve::VARIABLES, "[[muscle]]", names)
}

/// The curve given by exactly one of `at` and `formula`.
fn course(
    record: &Record,
    variables: &'static [&'static str],
    of: &str,
    names: &mut Names,
) -> Course {
    let (points, formula) = (record.values.get_points("at"), record.text("formula"));
    let given = |key: &str| record.places.contains_key(key);
    let read = match (points, formula) {
        (Some(points), None) => {
            TimeCurve::through(points.to_vec(), Between::take(record, "between", names))
        }
        (None, Some(text)) => {
            TimeCurve::formula(text, variables, &record.values.constants("constants"))
        }
        // a missing table is decoded as an empty one
        (None, None) if record.places.is_empty() => return Course(None),
        (None, None) if given("at") || given("formula") => return Course(None),
        (both, _) => {
            let message = match both {
                Some(_) => format!("{of} has both `at` and `formula`"),
                None => format!("{of} has neither `at` nor `formula`"),
            };
            let help = "give points, at = [[0, 0], [0.5, 0.1]], or a formula of t, formula = \"0.1*sin(2*pi*t)\"";
            names.fault("E310", (record, "formula"), message, help);
            return Course(None);
        }
    };
    let key = if points.is_some() { "at" } else { "formula" };
    let fault = |names: &mut Names, FormulaFault { message, help, .. }: FormulaFault| {
        let message = format!("`{key}` in {of}: {message}");
        names.push(Diagnostic::error("E311", record.place_of(key), message).help(help));
        Course(None)
    };
    match read {
        Ok(curve) => {
            let time = |key: &str| record.values.get_number(key);
            let span = (time("from").unwrap_or(0.0), time("until").unwrap_or(f64::INFINITY));
            Course(Some(curve.during(span.0, span.1)))
        }
        Err(found) => fault(names, found),
    }
}

/// The end of a motion or a load; must be later than its start.
pub(super) fn end(record: &Record, key: &str, names: &mut Names) -> Option<f64> {
    let from = record.values.get_number("from").unwrap_or(0.0);
    let until = record.values.get_number(key)?;
    if until <= from {
        let message = format!("`until` ({until:?} s) must be later than `from` ({from:?} s)");
        names.fault("E310", (record, key), message, "");
    }
    Some(until)
}

/// Checks that exactly one of `direction` and `axis` is given, and no key that contradicts it.
fn path(record: &Record, names: &mut Names) -> MotionPath {
    let given = |key: &str| record.places.contains_key(key);
    let complaint = match (given("direction"), given("axis")) {
        (true, true) => Some(("axis", "both `direction` and `axis`")),
        (false, false) => Some(("direction", "neither `direction` nor `axis`")),
        (false, true) if record.flag("surface") => Some(("surface", "`surface` beside `axis`")),
        (true, false) if given("center") => Some(("center", "`center` beside `direction`")),
        _ => None,
    };
    if let Some((key, what)) = complaint {
        let help = "a motion goes along a direction (m), with surface = true for a belt, or turns about an axis (degrees) through a center";
        names.fault("E310", (record, key), format!("[[motion]] has {what}"), help);
    }
    match (given("axis"), record.flag("surface")) {
        (true, _) => MotionPath::About,
        (_, true) => MotionPath::Surface,
        _ => MotionPath::Along,
    }
}

/// The colliders and pins named by a motion.
fn parts(record: &Record, key: &str, names: &mut Names) -> Vec<MovedPart> {
    let mut found = Vec::new();
    for name in record.values.texts(key).to_vec() {
        let (collider, pin) = (names.colliders.find(&name), names.pins.find(&name));
        match (collider, pin) {
            (Some(n), _) => found.push(MovedPart::Collider(n)),
            (None, Some(n)) => found.push(MovedPart::Pin(n)),
            (None, None) if names.is_full() => {}
            (None, None) => {
                let known: Vec<String> = names
                    .colliders
                    .iter()
                    .chain(names.pins.iter())
                    .filter(|n| !n.is_empty())
                    .cloned()
                    .collect();
                names.push(*unknown_name(record.place_of(key), &name, "collider or pin", &known));
            }
        }
    }
    let turns = record.places.contains_key("axis") || record.flag("surface");
    if turns && found.iter().any(|part| matches!(part, MovedPart::Pin(_))) {
        let message = "a pin is moved along a direction; `axis` and `surface` are for colliders";
        let help = format!("use direction, or name colliders: {}", listed(&names.colliders));
        names.fault("E310", (record, key), message.into(), help);
    }
    found
}
