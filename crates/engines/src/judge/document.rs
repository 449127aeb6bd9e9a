//! The judgement as a JSON document.

use super::{Finding, Log, Outcome};
use serde_json::{Value, json};

/// Fields: `engine`, `frames`, `bodies`, `verdict` ("not trusted", "no fault found" or "not
/// judged"), and `answers`, each with `check`, `body`, `kind` ("clear", "found", "fault",
/// "unjudged"), `reason` (of a fault, else null) and `text`.
pub fn document(log: &Log, said: &[Finding]) -> Value {
    let answer = |one: &Finding| {
        let (kind, reason, text) = match &one.outcome {
            Outcome::Clear(text) => ("clear", None, text),
            Outcome::Found(text) => ("found", None, text),
            Outcome::Fault(kind, text) => ("fault", Some(kind.name), text),
            Outcome::Unjudged(text) => ("unjudged", None, text),
        };
        json!({ "check": one.check, "body": one.body, "kind": kind, "reason": reason, "text": text })
    };
    json!({
        "engine": log.engine,
        "frames": log.time.len(),
        "bodies": log.bodies.len(),
        "verdict": verdict(said),
        "answers": said.iter().map(answer).collect::<Vec<_>>(),
    })
}

/// The verdict in the words of this program's own runs.
pub fn verdict(said: &[Finding]) -> &'static str {
    let fault = |one: &Finding| matches!(one.outcome, Outcome::Fault(..));
    let judged = |one: &Finding| !matches!(one.outcome, Outcome::Unjudged(_));
    match (said.iter().any(fault), said.iter().any(judged)) {
        (true, _) => "not trusted",
        (false, true) => "no fault found",
        (false, false) => "not judged",
    }
}
