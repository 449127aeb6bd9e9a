//! Rows of the tables in docs/maintainers/performance.md: with `--rows` a bench prints each as a line that begins
//! with `row`.

/// Prints a row of a table if `--rows` was given.
pub fn row(table: &str, cells: &[String]) {
    if std::env::args().any(|word| word == "--rows") {
        println!("row {table} | {} |", cells.join(" | "));
    }
}
