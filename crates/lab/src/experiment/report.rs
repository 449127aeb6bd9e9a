//! The report of a comparison: a folder with Markdown, a self-contained page, the figures, and the
//! table as CSV and JSON.

use super::accuracy::search::Standing;
use super::compare::{ComparedRow, Comparison};
use super::{pictures, table};
use crate::output::folder::atomic;
use crate::output::plots::figure::{self, PlotError};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use stiction_core::diagnosis::trust::Verdict;

/// Reason why a report cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The file system refused.
    #[error("`{path}`: {cause}")]
    Io {
        /// The path written.
        path: String,
        /// Why it failed.
        cause: std::io::Error,
    },
    /// The figure could not be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
}

/// Writes `report.md`, `report.html`, `figures.svg`, `figures.png`, `table.csv` and
/// `comparison.json` into a folder, which is created, and returns the page to open. `command`
/// reproduces the report.
///
/// # Errors
/// The file system refuses.
pub fn write(
    comparison: &Comparison,
    command: &str,
    folder: &Path,
) -> Result<PathBuf, ReportError> {
    let io = |path: &Path| {
        let path = path.display().to_string();
        move |cause| ReportError::Io { path, cause }
    };
    std::fs::create_dir_all(folder).map_err(io(folder))?;
    let figure = pictures::figure(comparison, &[]);
    let picture = figure::svg(&figure)?;
    let document = serde_json::to_string_pretty(&table::json(comparison)).expect("a JSON value");
    let files = [
        ("report.md", markdown(comparison, command).into_bytes()),
        ("report.html", html(comparison, command, &picture).into_bytes()),
        ("figures.png", figure::png(&figure)?),
        ("figures.svg", picture.into_bytes()),
        ("table.csv", table::csv(comparison).into_bytes()),
        ("comparison.json", (document + "\n").into_bytes()),
    ];
    for (name, bytes) in files {
        let path = folder.join(name);
        atomic::write(&path, &bytes).map_err(io(&path))?;
    }
    Ok(folder.join("report.html"))
}

/// Remarks below the table.
fn remarks(comparison: &Comparison) -> Vec<String> {
    let mut remarks: Vec<String> = comparison.references.iter().map(|r| r.describe()).collect();
    if remarks.is_empty() {
        remarks.push("there is no reference".into());
    }
    let jumps = |row: &&ComparedRow| row.setting("law") == Some("coulomb");
    if comparison.rows.iter().any(|row| jumps(&row)) && !comparison.references.is_empty() {
        remarks.push(format!(
            "coulomb rows have no law: their error is the distance from {}, which creeps",
            comparison.references[0].name
        ));
    }
    for reference in comparison.references.iter().filter(|r| !r.verdict.faultless()) {
        let (name, marks) = (&reference.name, reference.verdict.marks());
        remarks.push(format!("the reference for {name} is itself not to be trusted: {marks}"));
    }
    let left_out = comparison.left_out.iter();
    remarks.extend(left_out.map(|(name, why)| format!("left out: {name}, since {why}")));
    let asked = comparison.rows.iter().filter(|row| row.trial.accuracy.is_some());
    for row in asked.clone().filter(|row| row.trial.accuracy != Some(Standing::Delivered)) {
        let about = &row.trial.document["accuracy"];
        let [asked, why] = ["asked", "why"].map(|key| about[key].as_str().unwrap_or_default());
        let label = comparison.label(row);
        remarks.push(format!("accuracy {asked} NOT delivered by {label}: {why}"));
    }
    if asked.count() > 0 {
        remarks.push("each row is at the last step of the search for its accuracy; its cost is that of this run, without those that led to it".into());
    }
    let count = |of: fn(&Verdict, bool) -> bool| {
        let rows = comparison.rows.iter();
        rows.filter(|row| of(&row.trial.verdict, row.faultless())).count()
    };
    let bad = count(|_, faultless| !faultless);
    let unverified = count(|verdict, faultless| faultless && !verdict.trusted());
    let mut parts = vec![format!(
        "{} of {} rows are right to the share that is named, of the travel in places, of a measure where it is verified",
        comparison.rows.len() - bad - unverified,
        comparison.rows.len()
    )];
    if unverified > 0 {
        parts.push(format!("{unverified} have no fault that was found, and no proof"));
    }
    if bad > 0 {
        parts.push(format!("{bad} are not to be trusted"));
    }
    remarks.push(parts.join(", "));
    remarks
}

/// Meaning of the columns.
const LEGEND: &str = "error: RMS distance of the particles from the reference at the end; creep: \
    mean speed along the surface over the last quarter of the run, from displacement; law: the \
    friction law's own creep under the friction that was needed; energy error: largest residual of \
    the energy audit as a share of the energy that went through; max h λ: the step times the \
    friction rate of the worst particle.";

fn markdown(comparison: &Comparison, command: &str) -> String {
    let (header, rows) = table::cells(comparison);
    let mut text = format!("# {}\n\n```\n{command}\n```\n\n", comparison.title);
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    text += &line(&header);
    text += &format!("|{}\n", "---|".repeat(header.len()));
    rows.iter().for_each(|row| text += &line(row));
    let _ = writeln!(text, "\n{LEGEND}\n");
    for remark in remarks(comparison) {
        let _ = writeln!(text, "- {remark}");
    }
    text + "\n![figures](figures.svg)\n"
}

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:75rem;\
    padding:0 1rem;color:#1c2530;background:#fff}table{border-collapse:collapse;font-size:13px;\
    font-variant-numeric:tabular-nums}th,td{padding:.25rem .6rem;text-align:right;\
    border-bottom:1px solid #d8dee6;white-space:nowrap}th{border-bottom:2px solid #8895a5}\
    td.word,th.word{text-align:left}tr.bad td{background:#fdecea}.table{overflow-x:auto}\
    pre{background:#f3f5f8;padding:.6rem;overflow-x:auto}svg{max-width:100%;height:auto}";

fn html(comparison: &Comparison, command: &str, picture: &str) -> String {
    let (header, rows) = table::cells(comparison);
    let title = escape(&comparison.title);
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\
         <style>{STYLE}</style>\n<h1>{title}</h1>\n<pre>{}</pre>\n<div class=\"table\"><table>\n",
        escape(command)
    );
    let line = |cells: &[String], tag: &str| {
        let cells = cells.iter().map(|cell| {
            let number = cell.parse::<f64>().is_ok() || cell == "–";
            let class = if number { "" } else { " class=\"word\"" };
            format!("<{tag}{class}>{}</{tag}>", escape(cell))
        });
        cells.collect::<String>()
    };
    let _ = writeln!(text, "<tr>{}</tr>", line(&header, "th"));
    for (cells, row) in rows.iter().zip(&comparison.rows) {
        let class = if row.faultless() { "" } else { " class=\"bad\"" };
        let _ = writeln!(text, "<tr{class}>{}</tr>", line(cells, "td"));
    }
    let _ = writeln!(text, "</table></div>\n<p>{}</p>\n<ul>", escape(LEGEND));
    for remark in remarks(comparison) {
        let _ = writeln!(text, "<li>{}</li>", escape(&remark));
    }
    // an XML declaration is only for separate files
    let picture = picture.find("<svg").map_or(picture, |start| &picture[start..]);
    let _ = writeln!(text, "</ul>\n{picture}\n</html>");
    text
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The remarks for a terminal, and the meaning of the columns.
pub fn talk(comparison: &Comparison) -> String {
    let mut lines = vec![LEGEND.to_string()];
    lines.extend(remarks(comparison));
    lines.join("\n")
}
