//! Numbers as people read them.

use super::{larger, smaller};

/// A number for people: four significant digits, exponent where it helps, no idle zeros.
pub fn number(x: f64) -> String {
    let size = x.abs();
    let trimmed = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text.to_string(),
    };
    if x == 0.0 {
        "0".into()
    } else if (1e-3..1e5).contains(&size) {
        let digits = 3 - libm::log10(size).floor() as i32;
        trimmed(&format!("{x:.*}", digits.clamp(0, 6) as usize))
    } else {
        let text = format!("{x:.3e}");
        match text.split_once('e') {
            Some((mantissa, exponent)) => format!("{}e{exponent}", trimmed(mantissa)),
            None => text,
        }
    }
}

/// A bound for people: a number > 0 rounded down to three significant digits.
pub fn at_most(x: f64) -> String {
    let unit = libm::pow(10.0, libm::floor(libm::log10(x)) - 2.0);
    // a number that is round already stays as it is
    number(unit * (x / unit * (1.0 + 1e-12)).floor())
}

/// A number in words with its unit; that of a plain number, 1, is left out.
pub fn with_unit(number: &str, unit: &str) -> String {
    if matches!(unit, "" | "1") { number.into() } else { format!("{number} {unit}") }
}

/// A value with its error bar: the error to one digit, two where the first is a one, the value to
/// the same place. An error that is not known is left out.
pub fn with_error(value: f64, error: f64) -> String {
    if !(error.is_finite() && value.is_finite()) {
        return number(value);
    }
    if error == 0.0 {
        return format!("{} ± 0", number(value));
    }
    let place = |x: f64| libm::log10(x).floor() as i32;
    let leading = error / libm::pow(10.0, f64::from(place(error)));
    let own = if value == 0.0 { place(error) } else { place(value.abs()) };
    // no fewer than three digits of the value, and no more than nine
    let last = place(error) - i32::from(leading < 1.95);
    // a value smaller than its error has no digits of its own
    let last = if value == 0.0 || own < place(error) { last } else { last.min(own - 2) };
    let value = if value.abs() < 0.5 * libm::pow(10.0, f64::from(last)) { 0.0 } else { value };
    if last < own - 8 {
        return format!("{} ± {error:.0e}", nine_digits(value, own));
    }
    let size = own.max(place(error));
    if (-4..5).contains(&size) && last >= -9 {
        let digits = (-last).max(0) as usize;
        return format!("{value:.digits$} ± {error:.digits$}");
    }
    let (digits, scale) = ((size - last).clamp(0, 12) as usize, libm::pow(10.0, f64::from(size)));
    format!("({:.digits$} ± {:.digits$})e{size}", value / scale, error / scale)
}

/// Values with two digits of their range: "5.2, -3.4, -4.4".
pub fn distinct(values: &[f64]) -> String {
    let ends = [smaller, larger].map(|end| values.iter().copied().reduce(end).unwrap_or_default());
    let (range, size) = (ends[1] - ends[0], larger(ends[1].abs(), ends[0].abs()));
    let place = if range > 0.0 { libm::log10(range).floor() - 1.0 } else { -6.0 };
    let digits = larger(-place, 0.0) as usize;
    let plain = size < 1e5 && digits < 7;
    let more = if range > 0.0 { libm::log10(size).floor() - place } else { 4.0 };
    let more = more.clamp(1.0, 16.0) as usize;
    let text = |x: &f64| if plain { format!("{x:.digits$}") } else { format!("{x:.more$e}") };
    values.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// A value whose first digit stands for 10 to the `place`, with nine digits.
fn nine_digits(value: f64, place: i32) -> String {
    match (-4..5).contains(&place) {
        true => format!("{value:.*}", (8 - place) as usize),
        false => format!("{value:.8e}"),
    }
}

/// The least number of parts, no less than `least`, of the form 2ᵃ 5ᵇ: a step of few digits, of a time of few digits.
pub fn round_parts(least: u64) -> u64 {
    let fives = std::iter::successors(Some(1u64), |five| five.checked_mul(5));
    let with_twos = |five: u64| five * least.div_ceil(five).next_power_of_two();
    fives.take_while(|five| *five < 5 * least.max(1)).map(with_twos).min().unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_two_digits_of_their_range() {
        for (values, text) in [
            ([5.1873, -3.4335, -4.3918], "5.2, -3.4, -4.4"),
            ([100.011, 100.022, 100.013], "100.011, 100.022, 100.013"),
            ([2999.0, 31.0, 8.0], "2999, 31, 8"),
            ([100_000.5, 100_001.0, 100_000.5], "1.0000050e5, 1.0000100e5, 1.0000050e5"),
            ([1e-9, 2e-9, 3e-9], "1.0e-9, 2.0e-9, 3.0e-9"),
        ] {
            assert_eq!(distinct(&values), text);
        }
    }

    #[test]
    fn a_bound_is_rounded_down() {
        for (x, text) in [
            (5.0396e-4, "5.03e-4"),
            (2e-3, "0.002"),
            (1e-4, "1e-4"),
            (0.0199, "0.0199"),
            (7.0, "7"),
        ] {
            assert_eq!(at_most(x), text);
        }
    }

    #[test]
    fn a_value_has_the_digits_that_its_error_leaves() {
        for (value, error, text) in [
            (0.204_112, 0.000_31, "0.2041 ± 0.0003"),
            (0.204_112, 0.000_14, "0.20411 ± 0.00014"),
            (-12.345, 2.0, "-12.3 ± 2.0"),
            (0.034, 0.2, "0.0 ± 0.2"),
            (-0.26, 0.2, "-0.260 ± 0.200"),
            (-1e-14, 2.87e-2, "0.00 ± 0.03"),
            (-1.3e-16, 1.4e-14, "(0.0 ± 1.4)e-14"),
            (0.509_696_738_013, 3e-11, "0.509696738 ± 3e-11"),
            (0.5, 3e-9, "0.500000000 ± 0.000000003"),
            (5.364e-6, 2.2e-8, "(5.36 ± 0.02)e-6"),
            (1234.5, 0.0, "1234 ± 0"),
            (0.0, 0.5, "0.0 ± 0.5"),
        ] {
            assert_eq!(with_error(value, error), text);
        }
        assert_eq!(with_error(2.0, f64::NAN), "2");
    }

    #[test]
    fn steps_have_few_digits() {
        let rounded = [1, 2, 3, 5, 6, 9, 11, 17, 21, 26, 33, 101, 129].map(round_parts);
        assert_eq!(rounded, [1, 2, 4, 5, 8, 10, 16, 20, 25, 32, 40, 125, 160]);
    }
}
