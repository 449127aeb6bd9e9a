//! The accuracy asked of a run: a share of the scale of every measure, or a bound for some of them.

use crate::run::Run;
use crate::run::verification::{MeasureBar, Verification};
use stiction_core::diagnosis::error_bar::{TRUSTED, Zero};
use stiction_core::math::{number, smaller};
use stiction_core::measures::Probe;
use stiction_core::registry::Problem;
use stiction_core::registry::words::{listed, nearest, quoted};
use stiction_scene::Scene;
use stiction_scene::build::BuildError;

/// Largest error of a measure.
#[derive(Debug, Clone, Copy, PartialEq)]
enum LargestError {
    /// As a share of its scale.
    Share(f64),
    /// In its unit.
    Size(f64),
}

/// Largest error of one measure.
#[derive(Debug, Clone, PartialEq)]
struct Goal {
    /// its first column
    column: String,
    within: LargestError,
}

/// The accuracy asked of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Goals {
    /// As it was asked for.
    pub text: String,
    /// of all measures
    share: Option<f64>,
    /// of single ones; none if all are asked for
    named: Vec<Goal>,
}

/// The measure that is farthest from its goal.
#[derive(Debug, Clone, PartialEq)]
pub struct Farthest {
    /// Its columns.
    pub columns: String,
    /// Its largest error over the one asked for, or over what is trusted where that is less.
    pub excess: f64,
    /// Whether it is the latter.
    pub is_of_trust: bool,
    /// Its observed order; `None` if it is not known.
    pub order: Option<f64>,
    /// Its largest error, and its unit.
    pub error: f64,
    /// The unit of that error.
    pub unit: &'static str,
}

/// The least share that may be asked for.
const ROUNDING: f64 = 1e-12;

/// The forms of an accuracy, in the words of an error.
const FORMS: &str = "give a number for all measures, a share of their scales as 1e-3, or NAME=VALUE for some of them, separated by commas: VALUE is a share as 1e-3 or 0.1 %, or a size with its unit as 0.1 mm";

/// Prefixes of units.
const PREFIXES: [(&str, f64); 7] =
    [("n", 1e-9), ("u", 1e-6), ("µ", 1e-6), ("m", 1e-3), ("c", 1e-2), ("k", 1e3), ("M", 1e6)];

/// A measure that may be named, with its names, its first column and its unit.
struct Offered<'a> {
    names: Vec<&'a str>,
    column: &'a str,
    unit: &'static str,
    zero: Zero,
}

impl Goals {
    /// Reads `1e-3`, or `distance=1e-3, slip=0.1 mm`, for the measures of a run.
    ///
    /// # Errors
    /// A sentence: what is wrong, what may be asked for, the measures.
    pub fn parse(text: &str, run: &Run) -> Result<Goals, String> {
        Goals::of(text, run.scene(), &run.probes)
    }

    /// The same for a scene whose measures have these probes.
    pub(in crate::run) fn of(text: &str, scene: &Scene, probes: &[Probe]) -> Result<Goals, String> {
        let named_in_scene = scene.measures.iter().map(|measure| measure.name.as_str());
        let offered = probes.iter().zip(named_in_scene).map(|(probe, name)| Offered {
            names: std::iter::once(name).chain(probe.columns.iter().map(String::as_str)).collect(),
            column: &probe.columns[0],
            unit: probe.unit,
            zero: probe.zero(),
        });
        Goals::read(text, &offered.collect::<Vec<_>>())
    }

    /// Refuses an accuracy of a scene that cannot be asked of its measures.
    pub(in crate::run) fn check(scene: &Scene, probes: &[Probe]) -> Result<(), BuildError> {
        let Some(text) = &scene.accuracy.within else { return Ok(()) };
        let fault = |why: String| {
            // the forms stand in the help
            let message = why.replace(FORMS, "");
            let message = message.trim_end_matches([' ', ':', ';']).into();
            let problem = Problem { key: None, message, help: FORMS.into() };
            BuildError::Scene { problem, place: scene.accuracy.place }
        };
        Goals::of(text, scene, probes).map(drop).map_err(fault)
    }

    fn read(text: &str, offered: &[Offered]) -> Result<Goals, String> {
        let (number, factor) = match text.trim().strip_suffix('%') {
            Some(percent) => (percent.trim(), 0.01),
            None => (text.trim(), 1.0),
        };
        if let Ok(share) = number.parse::<f64>() {
            let share = Some(checked_share(factor * share)?);
            return Ok(Goals { text: text.trim().into(), share, named: Vec::new() });
        }
        let mut named: Vec<Goal> = Vec::new();
        for part in text.split(',') {
            if part.trim().is_empty() {
                return Err(match text.contains(',') {
                    true => format!("nothing stands beside a comma: {FORMS}"),
                    false => format!("no accuracy is given: {FORMS}"),
                });
            }
            let (name, value) =
                part.split_once('=').ok_or_else(|| format!("{}: {FORMS}", quoted(part.trim())))?;
            let (name, value) = (name.trim(), value.trim());
            let measure = offered
                .iter()
                .find(|offered| offered.names.contains(&name))
                .ok_or_else(|| unknown(name, offered))?;
            if measure.zero == Zero::Wanted {
                return Err(format!(
                    "{} is an error itself, whose right value is zero: no bar of it counts; ask for another measure",
                    quoted(name)
                ));
            }
            if named.iter().any(|goal| goal.column == measure.column) {
                return Err(format!("{} is asked for twice: leave one out", quoted(name)));
            }
            let within = within(value, name, measure.unit)?;
            named.push(Goal { column: measure.column.into(), within });
        }
        Ok(Goals { text: text.trim().into(), share: None, named })
    }

    /// The smallest share asked for; `None` if only sizes are.
    pub fn least_share(&self) -> Option<f64> {
        let named = self.named.iter().filter_map(|goal| match goal.within {
            LargestError::Share(share) => Some(share),
            LargestError::Size(_) => None,
        });
        named.chain(self.share).reduce(smaller)
    }

    /// Whether it asks for some measures only.
    pub fn names_some(&self) -> bool {
        !self.named.is_empty()
    }

    /// Whether it asks for a measure.
    pub(in crate::run) fn asks_for(&self, measure: &MeasureBar) -> bool {
        self.share.is_some() || self.goal(measure).is_some()
    }

    fn goal(&self, measure: &MeasureBar) -> Option<&Goal> {
        self.named.iter().find(|goal| measure.columns.contains(&goal.column))
    }

    /// The largest share of its scale by which a measure may be wrong: what is asked, else what the verdict trusts.
    fn asked(&self, measure: &MeasureBar) -> f64 {
        match (self.goal(measure).map(|goal| goal.within), self.share) {
            (Some(LargestError::Share(share)), _) | (None, Some(share)) => share,
            (Some(LargestError::Size(size)), _) if measure.bar.scale > 0.0 => {
                size / measure.bar.scale
            }
            _ => TRUSTED,
        }
    }

    /// The measure that is farthest from its goal; `None` if none is asked for.
    pub fn farthest(&self, verification: &Verification) -> Option<Farthest> {
        // a measure asked for by name that has no value at the end has no error that would do
        let valued = |measure: &MeasureBar| {
            self.goal(measure).is_none() || measure.ends.iter().all(|ends| ends[0].is_finite())
        };
        let of = |measure: &MeasureBar| Farthest {
            columns: measure.columns.join(", "),
            excess: match valued(measure) {
                true => measure.bar.share / smaller(self.asked(measure), TRUSTED),
                false => f64::INFINITY,
            },
            is_of_trust: self.asked(measure) > TRUSTED,
            order: measure.bar.order,
            error: measure.bar.share * measure.bar.scale,
            unit: measure.unit,
        };
        let asked = verification.judged().filter(|measure| self.asks_for(measure)).map(of);
        asked.reduce(|a, b| if b.excess > a.excess { b } else { a })
    }
}

fn checked_share(share: f64) -> Result<f64, String> {
    if share > 0.0 && share < ROUNDING {
        return Err(format!("{} is below rounding: ask for {ROUNDING:e} or more", number(share)));
    }
    match share > 0.0 && share < 1.0 {
        true => Ok(share),
        false => Err(format!("{} is no share between 0 and 1: {FORMS}", number(share))),
    }
}

/// A bound of a measure: a share, or a size in its unit.
fn within(value: &str, name: &str, unit: &'static str) -> Result<LargestError, String> {
    // the longest beginning that is a number
    let ends = value.char_indices().map(|(at, c)| at + c.len_utf8()).rev();
    let number_of = |end: usize| Some((value[..end].trim().parse::<f64>().ok()?, &value[end..]));
    let (size, rest) = ends
        .filter_map(number_of)
        .find(|(size, _)| size.is_finite())
        .ok_or_else(|| format!("`{name}={value}` has no number: {FORMS}"))?;
    let rest = rest.trim();
    match rest {
        "" => return Ok(LargestError::Share(checked_share(size)?)),
        "%" => return Ok(LargestError::Share(checked_share(0.01 * size)?)),
        _ => {}
    }
    let factor = factor(rest, unit).ok_or_else(|| {
        let own = match unit {
            "1" => "has no unit: give a share of its scale".to_string(),
            "degrees" => {
                "is in degrees: give a size in degrees or rad, or a share without a unit".into()
            }
            unit => format!("is in {unit}: give a size in {unit}, with n u m c k M before it if you like, or a share without a unit"),
        };
        format!("{} {own}; {} is none", quoted(name), quoted(rest))
    })?;
    match size > 0.0 {
        true => Ok(LargestError::Size(size * factor)),
        false => Err(format!("`{name}={value}`: an accuracy is above zero")),
    }
}

/// One `given` unit in `own`: mm in m is 1e-3.
fn factor(given: &str, own: &str) -> Option<f64> {
    if own == "1" {
        return None;
    }
    if given == own || (own == "degrees" && ["degree", "deg", "°"].contains(&given)) {
        return Some(1.0);
    }
    if own == "degrees" {
        return (given == "rad").then(|| 180.0 / std::f64::consts::PI);
    }
    let (_, factor) =
        PREFIXES.into_iter().find(|(prefix, _)| given.strip_prefix(prefix) == Some(own))?;
    Some(factor)
}

fn unknown(name: &str, offered: &[Offered]) -> String {
    let names: Vec<&str> = offered.iter().map(|measure| measure.names[0]).collect();
    let all = offered.iter().flat_map(|measure| measure.names.iter().copied());
    let mean = nearest(name, all).map_or(String::new(), |near| format!("did you mean `{near}`? "));
    match names.is_empty() {
        true => format!("no measure is called {}: the scene has none; {FORMS}", quoted(name)),
        false => format!(
            "no measure is called {}: {mean}the scene has {}; {FORMS}",
            quoted(name),
            listed(&names)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction_core::diagnosis::error_bar::ErrorBar;

    fn offered() -> Vec<Offered<'static>> {
        let measure = |names: &[&'static str], column, unit, zero| Offered {
            names: names.to_vec(),
            column,
            unit,
            zero,
        };
        vec![
            measure(&["creep"], "creep", "m/s", Zero::Natural),
            measure(&["slip", "slip_x", "slip_y"], "slip_x", "m", Zero::Chosen),
            measure(&["tilt"], "tilt", "degrees", Zero::Natural),
            measure(&["share"], "share", "1", Zero::Natural),
            measure(&["off"], "off", "m", Zero::Wanted),
        ]
    }

    #[test]
    fn shares_and_sizes_are_read() {
        let goals = Goals::read(" 1e-3", &offered()).expect("a share");
        assert_eq!((goals.share, goals.named.len()), (Some(1e-3), 0));
        assert_eq!(Goals::read("0.1 %", &offered()).expect("a share").share, Some(1e-3));
        let text = "creep=1e-6 m/s, slip_y = 0.1mm, tilt=2 deg,share=1 %";
        let goals = Goals::read(text, &offered()).expect("four goals");
        let within: Vec<LargestError> = goals.named.iter().map(|goal| goal.within).collect();
        let wanted = [1e-6, 1e-4, 2.0].map(LargestError::Size);
        assert_eq!(within[..3], wanted);
        assert_eq!(within[3], LargestError::Share(0.01));
        assert_eq!(goals.named[1].column, "slip_x");
        assert_eq!(goals.least_share(), Some(0.01));
        let micro = Goals::read("creep=3 µm/s", &offered()).expect("a size");
        assert_eq!(micro.named[0].within, LargestError::Size(3.0 * 1e-6));
    }

    #[test]
    fn what_is_wrong_is_said_once_with_what_is_allowed() {
        for (text, parts) in [
            ("", vec!["give a number for all measures", "NAME=VALUE"]),
            ("0", vec!["no share between 0 and 1"]),
            ("1.5", vec!["no share between 0 and 1"]),
            ("1e-16", vec!["below rounding"]),
            ("nan", vec!["no share between 0 and 1"]),
            ("crep=1e-3", vec!["did you mean `creep`?", "`slip`", "`tilt`"]),
            ("creep=fast", vec!["has no number"]),
            ("creep=1e-6 mm", vec!["`creep` is in m/s", "`mm`"]),
            ("share=1 m", vec!["has no unit"]),
            ("creep=-1 m/s", vec!["above zero"]),
            ("slip=1e-3, slip_x=1e-2", vec!["twice"]),
            ("off=1e-3", vec!["an error itself"]),
            ("creep=inf", vec!["has no number"]),
        ] {
            let error = Goals::read(text, &offered()).expect_err(text);
            for part in parts {
                assert!(error.contains(part), "{text}: {error}");
            }
            assert_eq!(error.lines().count(), 1);
        }
        let error = Goals::read("x=1", &[]).expect_err("no measures");
        assert!(error.contains("the scene has none"), "{error}");
    }

    #[test]
    fn the_measure_farthest_from_its_goal_decides() {
        let measure = |name: &str, unit, share| {
            let bars = vec![vec![0.0, share]];
            let bar =
                ErrorBar { bars, scale: 2.0, share, order: None, converges: true, safety: None };
            let (ends, apart) = (Vec::new(), Vec::new());
            MeasureBar { columns: vec![name.into()], unit, ends, apart, bar, counts: true }
        };
        let measures = vec![measure("creep", "m/s", 1e-4), measure("tilt", "degrees", 2e-2)];
        let (runs, bodies, notes) = (Vec::new(), Vec::new(), Vec::new());
        let (parting, causes) = (None, Vec::new());
        let verification = Verification { runs, measures, bodies, parting, causes, notes };
        let farthest = |text: &str| {
            let goals = Goals::read(text, &offered()).expect("goals");
            let found = goals.farthest(&verification).expect("a measure");
            (found.columns, found.excess)
        };
        for (text, column, excess) in [
            ("1e-2", "tilt", 2.0),
            // the verdict trusts no more than 3 %
            ("0.2", "tilt", 2.0 / 3.0),
            ("creep=1e-5", "creep", 10.0),
            // a share of 1e-4 of 2 m/s
            ("creep=1e-4 m/s, tilt=1e-1", "creep", 2.0),
            ("creep=1 mm/s, tilt=0.05 deg", "tilt", 0.8),
        ] {
            let (found, times) = farthest(text);
            assert_eq!(found, column, "{text}");
            assert!((times - excess).abs() < 1e-9, "{text}: {times}");
        }
    }
}
