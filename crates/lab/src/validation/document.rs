//! Outcomes of validation as JSON.

use super::{CaseFigure, CaseGap, CaseKind, CaseOutcome, count};
use serde_json::{Value, json};

/// One JSON document of cases and their figures. A case with variants that are not validated lists
/// them as `not_validated`.
pub fn document(outcomes: &[CaseOutcome]) -> Value {
    // JSON has no NaN
    let finite = |x: f64| x.is_finite().then_some(x);
    let figure = |figure: &CaseFigure| {
        json!({
            "variant": figure.variant,
            "figure": figure.name,
            "unit": figure.unit,
            "reference": finite(figure.reference),
            "measured": finite(figure.measured),
            "error": finite(figure.error()),
            "tolerance": figure.tolerance,
            "kind": match figure.kind { CaseKind::Absolute => "absolute", CaseKind::Relative => "relative" },
            "within": figure.green(),
            "trouble": figure.trouble,
        })
    };
    let gap = |gap: &CaseGap| json!({ "variant": gap.variant, "reason": gap.reason });
    let cases: Vec<_> = outcomes
        .iter()
        .map(|outcome| {
            let mut case = json!({
                "group": outcome.case.group,
                "case": outcome.case.name,
                "about": outcome.case.about,
                "figures": outcome.figures.iter().map(figure).collect::<Vec<_>>(),
            });
            if !outcome.gaps.is_empty() {
                case["not_validated"] = outcome.gaps.iter().map(gap).collect();
            }
            case
        })
        .collect();
    let (green, all) = count(outcomes.iter().flat_map(|outcome| &outcome.figures));
    json!({ "figures": all, "within_tolerance": green, "cases": cases })
}
