//! A run as shown on the page: quantities, verdict, settings, plots.

use crate::commands::knob_name;
use crate::least_speed::{extent, least_speed};
use crate::own_step::MethodStep;
use serde_json::{Value, json};
use stiction_scene::Scene;
use stiction_scene::numbers::SceneNumber;
use stiction_view::canvas::Canvas;
use stiction_view::cards::facts;
use stiction_view::cards::plots::creeping_body;
use stiction_view::display::{Display, Setting, StableStep};
use stiction_view::finder::Finder;
use stiction_view::history::Sample;
use stiction_view::keys::Knob;
use stiction_view::snapshot::Stance;

/// The bytes of a picture: red, green, blue and full opacity of every pixel, rows from the top.
pub fn rgba(canvas: &Canvas) -> Vec<u8> {
    let mut bytes = vec![255; 4 * canvas.pixels().len()];
    for (rgba, pixel) in bytes.chunks_exact_mut(4).zip(canvas.pixels()) {
        let [blue, green, red, _] = pixel.to_le_bytes();
        rgba[..3].copy_from_slice(&[red, green, blue]);
    }
    bytes
}

/// One run, with the step of its method; `as_written` if every key of its scene has the value of its text.
pub fn pane(display: &Display, own: MethodStep, as_written: bool) -> Value {
    let Display { snapshot, labels, playback, .. } = display;
    let contacts = &snapshot.state.memory.contacts;
    let count = |wanted| contacts.iter().filter(|c| snapshot.stance(c) == wanted).count();
    json!({
        "title": labels.title,
        "integrator": labels.integrator,
        "law": labels.law,
        "time": snapshot.state.time,
        "end": labels.end,
        "steps": snapshot.state.step_count,
        "step": snapshot.step_size,
        "as_written": as_written,
        "counted": playback.counted,
        "adaptive": own != MethodStep::Fixed,
        "own_step": own.length(),
        "least_speed": least_speed(display),
        "hash": snapshot.state.hash_text(),
        "verdict": verdict(display),
        "creep": creep(display),
        "stable": stable(display),
        "hlambda": snapshot.hlambda,
        "decay_limit": snapshot.decay_limit,
        "energies": {
            "kinetic": snapshot.energies.kinetic,
            "spring": snapshot.energies.spring,
            "contact": snapshot.energies.contact,
            "gravity": snapshot.energies.gravity,
            "dissipated": snapshot.flows.dissipated(),
            "work": snapshot.flows.work,
        },
        "residual": snapshot.residual,
        "settings": settings(display),
        "failure": playback.failure,
        "remark": playback.remark,
        "speed": { "wanted": playback.wanted, "achieved": playback.achieved },
        "pushing": playback.pushing,
        "contacts": {
            "sticking": count(Stance::Sticks),
            "slipping": count(Stance::Slips),
            "chattering": count(Stance::Chatters),
        },
        "reference": display.ghost.as_ref().map(|ghost| json!({
            "name": ghost.name,
            "trusted": ghost.trusted,
            "difference": display.history.samples().last().map(|sample| sample.difference),
        })),
    })
}

fn verdict(display: &Display) -> Value {
    let Display { snapshot, playback, .. } = display;
    let verdict = &snapshot.verdict;
    let reasons: Vec<Value> = verdict
        .reasons
        .iter()
        .map(|reason| json!({ "name": reason.name(), "text": reason.describe(&snapshot.model) }))
        .collect();
    let good = if !verdict.faultless() || playback.failure.is_some() {
        Some(false)
    } else {
        verdict.trusted().then_some(true)
    };
    json!({
        "level": verdict.level().to_string(),
        "good": good,
        "marks": verdict.marks(),
        "reasons": reasons,
        "since": playback.since,
        "before": playback.before,
    })
}

/// Creep of each body with its parts \[m/s\].
fn creep(display: &Display) -> Value {
    let Some(last) = display.history.samples().last() else { return json!([]) };
    let bodies = display.snapshot.model.bodies.iter().zip(&last.creep);
    let known = bodies.filter(|(_, creep)| creep[0].is_finite());
    known
        .map(|(body, [total, law, stretch, sliding, lag, integrator])| {
            json!({
                "body": body.name,
                "total": total,
                "law": law,
                "stretch": stretch,
                "sliding": sliding,
                "integrator": integrator,
                "lag": lag,
            })
        })
        .collect()
}

/// Least relative change of the largest stable step that is worth a word.
const NOTABLE: f64 = 0.01;

/// Whether the largest stable step differs from that before the last change by more than noise.
fn is_notable(now: &StableStep, before: Option<&StableStep>) -> bool {
    match (now, before) {
        (StableStep::Limit(now, _), Some(StableStep::Limit(before, _))) => {
            (now - before).abs() >= NOTABLE * before.abs()
        }
        _ => true,
    }
}

fn stable(display: &Display) -> Value {
    let limit = match &display.stable_step.0 {
        StableStep::Limit(limit, _) => Some(*limit),
        _ => None,
    };
    let cause = match &display.stable_step.0 {
        StableStep::Limit(_, cause) => Some(cause),
        StableStep::Refused(why) => Some(why),
        _ => None,
    };
    let (now, before) = &display.stable_step;
    let is_notable = is_notable(now, before.as_ref());
    json!({
        "limit": limit,
        "words": facts::stable_now(display),
        "cause": cause,
        "before": facts::stable_before(display).filter(|_| is_notable),
        "above": facts::above(display),
    })
}

/// Heights at which a push can act that span less than this share of the largest body are one height.
const FLAT: f64 = 0.01;

/// All settings; the height of a push only where there is a choice.
fn settings(display: &Display) -> Value {
    let least = FLAT * extent(&display.snapshot.model);
    let is_flat = |setting: &Setting| {
        let range = setting.dial.map_or([0.0, 0.0], |dial| dial.range);
        setting.knob == Knob::PushHeight && range[1] - range[0] <= least
    };
    display.settings.iter().filter(|row| !is_flat(row)).map(setting).collect()
}

fn setting(setting: &Setting) -> Value {
    let dial = setting.dial.as_ref();
    json!({
        "knob": knob_name(setting.knob),
        "name": setting.name,
        "restarts": setting.restarts,
        // a button says whether the push is on
        "value": setting.value.trim_end_matches(", off"),
        "number": dial.map(|dial| dial.value),
        "unit": dial.map(|dial| dial.unit),
        "low": dial.map(|dial| dial.range[0]),
        "high": dial.map(|dial| dial.range[1]),
        "logarithmic": dial.map(|dial| dial.logarithmic),
    })
}

/// Numbers of the scene that a text may mean, the nearest first, and the answer where it means none.
pub fn numbers(display: &Display, text: &str) -> Value {
    let mut finder = Finder::new(display.numbers.clone());
    text.chars().for_each(|letter| finder.type_in(letter));
    let row = |number: &SceneNumber| {
        let SceneNumber { path, value, unit, about, .. } = number;
        json!({ "path": path, "value": value, "unit": unit, "about": about })
    };
    let found: Vec<Value> = finder.candidates().map(row).collect();
    let unknown = found.is_empty().then(|| finder.unknown());
    json!({ "found": found, "unknown": unknown })
}

/// The scene's measures over time: of a vector each component.
fn measures(display: &Display, scene: &Scene) -> Value {
    let samples = display.history.samples();
    let column = |place: usize| -> Value {
        samples.iter().map(|sample| sample.measures.get(place).copied()).collect()
    };
    let rows = display.measured.iter().zip(&scene.measures).map(|(measured, measure)| {
        let several = measured.columns.len() > 1;
        let columns = measured.columns.clone().zip(["x", "y", "z"]);
        let columns = columns.map(|(place, name)| {
            json!({ "name": if several { name } else { "" }, "values": column(place) })
        });
        json!({
            "name": measured.name,
            "unit": measured.unit,
            "expected": measured.band(),
            // one number over all frames so far
            "reduced": measure.reduce.is_some(),
            "columns": columns.collect::<Vec<_>>(),
        })
    });
    rows.collect()
}

/// Quantities over time; unknown ones are `null`.
pub fn plots(display: &Display, scene: &Scene) -> Value {
    let samples = display.history.samples();
    let column = |value: &dyn Fn(&Sample) -> f64| -> Value { samples.iter().map(value).collect() };
    let body = creeping_body(display);
    let part = |part: usize| {
        column(&|sample| {
            let creep = body.and_then(|body| sample.creep.get(body));
            creep.map_or(f64::NAN, |creep| creep[part])
        })
    };
    let solids = !display.snapshot.model.elements.is_empty();
    json!({
        "names": if solids { json!({ "spring": "elastic" }) } else { json!({}) },
        "body": body.map(|body| &display.snapshot.model.bodies[body].name),
        "time": column(&|sample| sample.time),
        "measures": measures(display, scene),
        "kinetic": column(&|sample| sample.energies.kinetic),
        "spring": column(&|sample| sample.energies.spring),
        "contact": column(&|sample| sample.energies.contact),
        "gravity": column(&|sample| sample.energies.gravity),
        "work": column(&|sample| sample.flows.work),
        "friction": column(&|sample| sample.flows.friction_stick + sample.flows.friction_slip),
        "residual": column(&|sample| sample.residual),
        "hlambda": column(&|sample| sample.hlambda),
        "creep": part(0),
        "creep_law": part(1),
        "creep_stretch": part(2),
        "creep_sliding": part(3),
        "creep_integrator": part(5),
        "difference": column(&|sample| sample.difference),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stable_step_is_compared_where_it_changed_by_a_hundredth() {
        let limit = |step: f64| StableStep::Limit(step, "friction".into());
        let notable = |now, before| is_notable(&limit(now), Some(&limit(before)));
        assert!(!notable(94.6e-6, 94.7e-6) && notable(94.6e-6, 9.46e-6));
        assert!(is_notable(&StableStep::Unlimited, Some(&limit(1e-3))));
    }
}
