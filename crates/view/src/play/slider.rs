//! A slider for one number of the scene, with its range.

use crate::dial::Dial;
use crate::keys::{Direction, Knob};
use crate::text::quantity;
use stiction_core::math::{larger, number, smaller};
use stiction_core::registry::Range;
use stiction_scene::numbers::SceneNumber;

/// Tables of a scene whose numbers may change between two steps. Of the others, some say where
/// things are or go, so that a change would move them at once, some what a run records.
const LIVE: [&str; 10] = [
    "world",
    "integrator",
    "materials",
    "pairing",
    "pair",
    "contact",
    "body",
    "push",
    "drag",
    "muscle",
];

/// Tables whose numbers have no effect on a run.
const IDLE: [&str; 3] = ["expect", "output", "view"];

/// Widest range of a key that is taken as the range of its slider.
const WIDEST: f64 = 1000.0;

/// Range of a slider about a value, in values.
const ABOUT: f64 = 4.0;

/// Steps of a linear slider per turn of its buttons.
const TURNS: f64 = 20.0;

/// Ranges of the sliders of ε \[m/s\], μ and k_n.
pub(super) const EPSILONS: [f64; 2] = [1e-6, 1.0];
pub(super) const FRICTIONS: [f64; 2] = [0.0, 2.0];
pub(super) const STIFFNESSES: [f64; 2] = [1e1, 1e8];

/// Most sliders of numbers; a further one takes the place of the oldest.
pub(crate) const MOST: usize = 4;

/// A slider for a number of the scene.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NumberSlider {
    /// The number, with its value when the slider was made.
    pub number: SceneNumber,
    /// Left and right end.
    pub range: [f64; 2],
    /// Whether the scale is logarithmic.
    pub logarithmic: bool,
    /// Whether a change starts the run again.
    pub restarts: bool,
}

/// Whether a number of the scene has any effect on a run.
pub(crate) fn has_effect(path: &str) -> bool {
    !IDLE.contains(&section(path))
}

/// Whether the table of a number may change between two steps.
pub(crate) fn is_live(path: &str) -> bool {
    LIVE.contains(&section(path))
}

/// Whether a number belongs to a body, so that it may say where the run starts.
pub(crate) fn is_of_body(path: &str) -> bool {
    section(path) == "body"
}

fn section(path: &str) -> &str {
    path.split('.').next().unwrap_or_default()
}

/// The knob that already is the slider of a number.
pub(crate) fn knob_of(path: &str) -> Option<Knob> {
    match path {
        "contact.friction.epsilon" => Some(Knob::Epsilon),
        "contact.normal.stiffness" => Some(Knob::Stiffness),
        "time.step" => Some(Knob::Step),
        _ => None,
    }
}

impl NumberSlider {
    /// The slider of a number.
    pub fn of(number: &SceneNumber, restarts: bool) -> NumberSlider {
        let (range, logarithmic) = range_of(number);
        NumberSlider { number: number.clone(), range, logarithmic, restarts }
    }

    /// The dial at a value.
    pub fn dial(&self, value: f64) -> Dial {
        let NumberSlider { number, range, logarithmic, .. } = self;
        Dial { value, unit: number.unit, range: *range, logarithmic: *logarithmic }
    }

    /// A value in words.
    pub fn words(&self, value: f64) -> String {
        let text = match (self.number.integer, self.number.unit) {
            (true, _) | (_, "") => number(value),
            (_, unit) => quantity(value, unit),
        };
        text.replace('-', "−")
    }

    /// The value after a turn: the next of 1, 2, 5 on a logarithmic scale.
    pub fn turned(&self, value: f64, direction: Direction) -> f64 {
        if self.logarithmic && value > 0.0 && !self.number.integer {
            return rung(value, direction);
        }
        let sign = if direction == Direction::Up { 1.0 } else { -1.0 };
        let step = (self.range[1] - self.range[0]) / TURNS;
        let step = if self.number.integer { 1.0 } else { step };
        // full turns, so that turning back restores the start
        let turned = ((value - self.range[0]) / step + sign).round() * step + self.range[0];
        smaller(larger(turned, self.range[0]), self.range[1])
    }
}

/// The ends of a slider, and whether its scale is logarithmic: as the usual sliders of the same
/// quantity, the key's own range where it is narrow, or from a quarter of the value to four times
/// it, rounded outwards to 1, 2 or 5.
fn range_of(number: &SceneNumber) -> ([f64; 2], bool) {
    let value = number.value;
    let key = number.path.rsplit('.').next().unwrap_or_default();
    let usual = match key {
        "epsilon" => Some((EPSILONS, true)),
        "stiffness" => Some((STIFFNESSES, true)),
        "static_friction" | "kinetic_friction" => Some((FRICTIONS, false)),
        _ => None,
    };
    if let Some((range, logarithmic)) = usual
        && (range[0]..=range[1]).contains(&value)
    {
        return (range, logarithmic);
    }
    let (least, most) = match number.range {
        Range::Between(low, high) if high - low <= WIDEST => return ([low, high], false),
        Range::Between(low, high) => (low, high),
        Range::Positive | Range::NonNegative => (0.0, f64::INFINITY),
        Range::Any => (f64::NEG_INFINITY, f64::INFINITY),
    };
    let within = |x: f64| larger(least, smaller(x, most));
    let out = |x: f64| rung(ABOUT * x.abs(), Direction::Up);
    match number.range {
        _ if value == 0.0 => ([within(-1.0), within(1.0)], false),
        // through zero, since the other sign has a meaning
        Range::Any => (
            [smaller(0.0, value.signum() * out(value)), larger(0.0, value.signum() * out(value))],
            false,
        ),
        _ if value < 0.0 => ([within(-out(value)), 0.0], false),
        _ => ([within(rung(value / ABOUT, Direction::Down)), within(out(value))], true),
    }
}

/// The next of 1, 2, 5 × 10ⁿ below or above.
pub(crate) fn rung(value: f64, way: Direction) -> f64 {
    let rungs = (-15..16).flat_map(|n| [1, 2, 5].map(|m| format!("{m}e{n}")));
    let mut rungs = rungs.filter_map(|text| text.parse::<f64>().ok());
    match way {
        Direction::Up => rungs.find(|rung| *rung > value * 1.001).unwrap_or(value),
        Direction::Down => rungs.take_while(|rung| *rung < value * 0.999).last().unwrap_or(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(path: &str, value: f64, range: Range, integer: bool) -> SceneNumber {
        SceneNumber { path: path.into(), value, unit: "kg", range, integer, about: "", axis: None }
    }

    #[test]
    fn ranges_hold_the_value_and_are_round() {
        let of = |path, value, range| range_of(&some(path, value, range, false));
        assert_eq!(of("body.box.mass", 2.5, Range::Positive), ([0.5, 20.0], true));
        assert_eq!(of("world.gravity.2", -9.81, Range::Any), ([-50.0, 0.0], false));
        assert_eq!(of("push.0.force.0", 10.0, Range::Any), ([0.0, 50.0], false));
        assert_eq!(of("push.0.force.1", 0.0, Range::Any), ([-1.0, 1.0], false));
        assert_eq!(of("a.damping", 0.0, Range::NonNegative), ([0.0, 1.0], false));
        let unit = Range::Between(0.0, 1.0);
        assert_eq!(of("materials.a.restitution", 0.3, unit), ([0.0, 1.0], false));
        assert_eq!(of("materials.a.static_friction", 0.3, Range::Between(0.0, 100.0)).0, FRICTIONS);
        // a spring softer than the usual range
        assert_eq!(of("b.stiffness", 2.0, Range::Positive), ([0.2, 10.0], true));
    }

    #[test]
    fn turns_go_up_and_back() {
        let mass = NumberSlider::of(&some("body.box.mass", 2.5, Range::Positive, false), false);
        assert_eq!([Direction::Up, Direction::Down].map(|to| mass.turned(2.5, to)), [5.0, 2.0]);
        let pull = NumberSlider::of(&some("push.0.force.0", 10.0, Range::Any, false), false);
        assert_eq!(pull.turned(10.0, Direction::Up), 12.5);
        assert_eq!(pull.turned(pull.turned(10.0, Direction::Up), Direction::Down), 10.0);
        assert_eq!(pull.turned(50.0, Direction::Up), 50.0);
        let count = some("body.box.shape.lattice.n", 4.0, Range::Between(1.0, 1e6), true);
        assert_eq!(NumberSlider::of(&count, true).turned(4.0, Direction::Down), 3.0);
    }

    #[test]
    fn rungs_go_up_and_down_and_back() {
        for (value, down, up) in [(1e-3, 5e-4, 2e-3), (0.03, 0.02, 0.05), (5.0, 2.0, 10.0)] {
            assert_eq!((rung(value, Direction::Down), rung(value, Direction::Up)), (down, up));
        }
        assert_eq!(rung(rung(2e-7, Direction::Up), Direction::Down), 2e-7);
        assert_eq!(rung(1e30, Direction::Up), 1e30);
    }
}
