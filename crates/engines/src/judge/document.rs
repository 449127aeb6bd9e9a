//! The judgement as a JSON document.

use super::{Finding, Log, OF_FRICTION};
use serde_json::{Value, json};

/// Fields: `engine`, `frames`, `bodies`, `unread` (arrays or columns), `verdict` ("not trusted", "no fault found"
/// or "not judged"), `judged` (answers that compare something), and `answers`, each with `check`, `body`, `kind`
/// ("clear", "found", "fault", "not judged"), `reason` (of a fault, else null) and `text`.
pub fn document(log: &Log, said: &[Finding]) -> Value {
    let answer = |one: &Finding| {
        json!({
            "check": one.check,
            "body": one.body,
            "kind": one.outcome.word(),
            "reason": one.outcome.fault().map(|kind| kind.name),
            "text": one.outcome.text(),
        })
    };
    json!({
        "engine": log.engine,
        "frames": log.time.len(),
        "bodies": log.bodies.len(),
        "unread": log.unread,
        "verdict": verdict(said),
        "judged": said.iter().filter(|one| one.outcome.is_judged()).count(),
        "answers": said.iter().map(answer).collect::<Vec<_>>(),
    })
}

/// The verdict in the words of this program's own runs; not judged if no check of friction could compare anything.
pub fn verdict(said: &[Finding]) -> &'static str {
    let fault = |one: &Finding| one.outcome.fault().is_some();
    let of_friction = |one: &Finding| OF_FRICTION.iter().any(|check| check.name == one.check);
    let judged = |one: &Finding| of_friction(one) && one.outcome.is_judged();
    match (said.iter().any(fault), said.iter().any(judged)) {
        (true, _) => "not trusted",
        (false, true) => "no fault found",
        (false, false) => "not judged",
    }
}
