//! Ratios beside their goals.

/// A ratio beside its goal, and whether it is met: **1.26** of 2.0, `upward` if more is better.
pub fn ratio(value: f64, goal: f64, upward: bool) -> String {
    let met = if (value >= goal) == upward || value == goal { "met" } else { "missed" };
    format!("**{value:.2}** | {}{goal} {met}", if upward { "≥ " } else { "≤ " })
}
