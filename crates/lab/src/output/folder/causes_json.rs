//! `verification.causes` and `verification.sum` of `run.json`: the error of every measure by cause.

use crate::run::verification::{CauseBars, CauseRun, MeasureBar, RefinedRun, Verification};
use serde_json::{Map, Value, json};

/// Every cause with its runs and errors, time the first.
pub fn causes(of: &Verification, step: f64) -> Value {
    let time = json!({
        "cause": "time",
        "parameter": "time.step",
        "value": step,
        "known": !of.measures.is_empty() || !of.bodies.is_empty(),
        "note": null,
        "runs": of.runs.iter().map(|run| at_step(run, step)).collect::<Vec<_>>(),
        "measures": errors(&of.measures),
        "bodies": errors(&of.bodies),
    });
    std::iter::once(time).chain(of.causes.iter().map(by_cause)).collect()
}

fn by_cause(of: &CauseBars) -> Value {
    json!({
        "cause": of.cause.word(),
        "parameter": of.parameter.as_ref().map(|(name, _)| name),
        "value": of.parameter.as_ref().map(|(_, value)| value),
        "known": of.known,
        "note": of.note,
        "runs": of.runs.iter().map(at_factor).collect::<Vec<_>>(),
        "measures": errors(&of.measures),
        "bodies": errors(&of.bodies),
    })
}

fn at_step(run: &RefinedRun, step: f64) -> Value {
    let factor = run.step / step;
    json!({
        "factor": factor,
        "ratio": factor,
        "step": run.step,
        "status": run.status,
        "level": run.verdict.level().word(),
    })
}

fn at_factor(run: &CauseRun) -> Value {
    json!({
        "value": run.value,
        "factor": run.factor,
        "ratio": run.ratio,
        "step": run.step,
        "status": run.status,
        "level": run.verdict.level().word(),
    })
}

/// The errors at the end by column, as of a grid convergence index.
fn errors(bars: &[MeasureBar]) -> Value {
    let mut all = Map::new();
    for measure in bars {
        for (k, column) in measure.columns.iter().enumerate() {
            let about = json!({
                "error": measure.error_at_end(k),
                "share": measure.bar.share,
                "order": measure.bar.order,
                "safety_factor": measure.bar.safety,
                "values": measure.ends[k],
            });
            all.insert(column.clone(), about);
        }
    }
    Value::Object(all)
}

/// The sum of the errors at the end by all causes, by column; null where one is not known.
pub fn sum(of: &Verification) -> Value {
    let columns = of.measures.iter().chain(&of.bodies).flat_map(|measure| &measure.columns);
    let sums = columns.map(|column| (column.clone(), json!(of.sum_of_causes(column))));
    Value::Object(sums.collect())
}
