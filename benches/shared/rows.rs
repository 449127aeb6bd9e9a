//! Rows of the tables in docs/maintainers/performance.md: `benches/report` runs the benches with `--rows` and puts
//! the lines that begin with `row` there.

/// Prints a row of a table if `--rows` was given.
pub fn row(table: &str, cells: &[String]) {
    if std::env::args().any(|word| word == "--rows") {
        println!("row {table} | {} |", cells.join(" | "));
    }
}

/// A ratio beside its goal, and whether it is met: **1.26** of 2.0, `upward` if more is better.
pub fn ratio(value: f64, goal: f64, upward: bool) -> String {
    let met = if (value >= goal) == upward || value == goal { "met" } else { "missed" };
    format!("**{value:.2}** | {}{goal} {met}", if upward { "≥ " } else { "≤ " })
}
