//! The gauge: h λ against the method's limit, on a logarithmic scale.

use crate::pen::Pen;
use crate::theme::mix;
use stiction_core::math::log10;

/// Number of decades shown below and above the limit.
const DECADES: (f64, f64) = (3.0, 1.0);

/// Position of a value on the gauge, from 0 at limit/1000 to 1 at 10 × limit.
pub fn share(value: f64, limit: f64) -> f64 {
    let ratio = value / limit;
    if !(ratio > 0.0 && limit > 0.0) {
        return 0.0;
    }
    let decades = log10(ratio.clamp(1e-30, 1e30));
    ((decades + DECADES.0) / (DECADES.0 + DECADES.1)).clamp(0.0, 1.0)
}

/// "1.35 of 2.79", or "1.35, no limit".
pub fn text(hlambda: f64, limit: Option<f64>) -> String {
    match limit {
        None => format!("{}, no limit", number(hlambda)),
        Some(limit) => format!("{} of {}", number(hlambda), number(limit)),
    }
}

/// A number with about three digits.
pub fn number(value: f64) -> String {
    if value != 0.0 && !(1e-3..1e5).contains(&value.abs()) {
        return format!("{value:.1e}");
    }
    let decimals = [100.0, 10.0, 1.0].iter().filter(|bound| value.abs() < **bound).count();
    format!("{value:.decimals$}")
}

/// Draws the bar between `x0` and `x1`, below `top`.
pub fn draw(
    pen: &mut Pen,
    (x0, x1): (f64, f64),
    (top, height): (f64, f64),
    value: f64,
    limit: Option<f64>,
) {
    let theme = pen.theme;
    let rows = (top, top + height);
    pen.bar((x0, x1), rows, mix(theme.card.0, theme.faint, 0.22), 255);
    let Some(limit) = limit else { return };
    let at = |share: f64| x0 + (x1 - x0) * share;
    let mark = at(DECADES.0 / (DECADES.0 + DECADES.1));
    pen.bar((mark, x1), rows, theme.bad, 46);
    let colour = if value > limit { theme.bad } else { theme.good };
    let end = share(value, limit);
    if end > 0.0 {
        pen.bar((x0, at(end)), rows, colour, 255);
    }
    for decade in 1..(DECADES.0 + DECADES.1) as i32 {
        let x = at(f64::from(decade) / (DECADES.0 + DECADES.1));
        pen.bar((x, x), (rows.1 - 0.4 * height, rows.1), theme.card.0, 200);
    }
    pen.bar((mark - 1.0, mark + 1.0), (top - 3.0, rows.1 + 3.0), theme.ink, 255);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_at_three_quarters() {
        assert_eq!(share(2.0, 2.0), 0.75);
        assert_eq!((share(2e-3, 2.0), share(20.0, 2.0)), (0.0, 1.0));
        for wild in [f64::NAN, -1.0, 0.0] {
            assert_eq!((share(wild, 2.0), share(1.0, wild)), (0.0, 0.0));
        }
        assert_eq!(share(f64::INFINITY, 2.0), 1.0);
    }

    #[test]
    fn numbers_have_three_digits() {
        let cases = [(0.0, "0.000"), (0.1234, "0.123"), (2.7853, "2.79"), (123.4, "123")];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
        assert_eq!(number(1e-9), "1.0e-9");
    }
}
