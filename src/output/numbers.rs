//! Numbers as people read them.

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
