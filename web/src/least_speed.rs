//! The least speed worth reading.

use stiction_core::math::{larger, sqrt};
use stiction_core::model::Model;
use stiction_view::display::Display;
use stiction_view::keys::Knob;

/// Least speed that is shown, in speed scales: below it a drift is rounding.
const SHARE: f64 = 1e-9;

/// The largest side of the box around a body's particles \[m\].
pub fn extent(model: &Model) -> f64 {
    let sides = model.bodies.iter().flat_map(|body| {
        let of = |along: usize| {
            let places = body.particles.clone().map(move |i| model.reference[i][along]);
            let (low, high) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
                (if x < low { x } else { low }, larger(high, x))
            });
            high - low
        };
        [of(0), of(1), of(2)]
    });
    sides.fold(0.0, larger)
}

/// The scene's speed scale \[m/s\]: ε of the friction law; without ε √(g L), the speed after a fall of half
/// the length L of the largest body, with g = 9.81 m/s² where there is no gravity and L = 1 m for particles.
fn speed_scale(display: &Display) -> f64 {
    let epsilon = display.settings.iter().find(|setting| setting.knob == Knob::Epsilon);
    if let Some(dial) = epsilon.and_then(|setting| setting.dial.as_ref()) {
        return dial.value;
    }
    let model = &display.snapshot.model;
    let (gravity, length) = (model.gravity.norm(), extent(model));
    let of = |value: f64, usual: f64| if value > 0.0 { value } else { usual };
    sqrt(of(gravity, 9.81) * of(length, 1.0))
}

/// The speed below which a drift reads 0 \[m/s\].
pub fn least_speed(display: &Display) -> f64 {
    SHARE * speed_scale(display)
}
