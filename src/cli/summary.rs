//! The summary of a run, for people.

use super::terminal::{number, table};
use super::verify;
use stiction_core::diagnosis::trust::Level;
use stiction_core::math::{Vector, larger, with_error};
use stiction_core::simulation::Simulation;
use stiction_lab::run::{Checked, Creep, Frame, ORDER_COLUMNS, Outcome, Run};
use stiction_scene::{Expectation, Scene};

/// Summary of the run, for people.
pub fn summary(scene: &Scene, run: &Run, outcome: &Outcome, cpu: f64) -> String {
    let mut text = String::new();
    if !scene.title.is_empty() {
        text += &format!("{}\n", scene.title);
    }
    let simulation = run.simulation();
    text += &format!(
        "{}{} at step {} s, {} at t = {} s: {} steps, {} force evaluations, {:.2} s of CPU time\n",
        scene.integrator.name,
        match simulation.model.laws.is_some() {
            true => String::new(),
            false => format!(" with contact by {}", scene.contact.method.name),
        },
        number(scene.time.step),
        outcome.status.word(),
        number(simulation.state.time),
        outcome.steps,
        outcome.work.evaluations,
        cpu
    );
    for fate in run.fates() {
        let stance = match fate.tilt {
            Some(tilt) if fate.tipped() => format!(" tipped by {}°;", number(tilt)),
            // a tilt that is not trusted must not read "stands"
            Some(tilt) if !outcome.verdict.faultless() => format!(" tilted by {}°;", number(tilt)),
            Some(tilt) => format!(" stands, tilted by {}°;", number(tilt)),
            None => String::new(),
        };
        let turns =
            fate.spin.map_or(String::new(), |w| format!(", turning at {} rad/s", number(w)));
        text += &format!(
            "{}:{stance} its centre of mass moved {} m, now at {} m/s{turns}\n",
            fate.body,
            number(fate.travel),
            number(fate.speed)
        );
    }
    text += &facts(run, outcome);
    if !outcome.checked.is_empty() {
        text += &table(&EXPECTATION_HEADER, &expectations(outcome));
    }
    text += &verdict(run, outcome);
    text += &unmet(outcome);
    if let Some(verification) = &outcome.verification {
        verify::say_notes(verification);
        text += &verify::describe(verification);
    }
    text += &format!("more: stiction explain {}\n", word_to_explain(outcome));
    text
}

/// Note on expectations that a faultless run does not meet: the verdict concerns the numbers, not
/// the expectations of the scene's author.
fn unmet(outcome: &Outcome) -> String {
    let missed = outcome.checked.iter().filter(|checked| !checked.met()).count();
    if missed == 0 || !outcome.verdict.faultless() {
        return String::new();
    }
    let meaning = match outcome.verdict.trusted() {
        true => "the scene does something else",
        false => "the scene does something else, or the step is too large (--verify tells)",
    };
    format!(
        "  but {missed} of {} expectations {} not met: {meaning}\n",
        outcome.checked.len(),
        if missed == 1 { "is" } else { "are" }
    )
}

/// The word of the summary about which its reader is most likely to ask.
fn word_to_explain(outcome: &Outcome) -> &'static str {
    match outcome.verdict.reasons.first() {
        Some(reason) => reason.name(),
        None if outcome.creep.iter().any(|creep| creep.law.is_some_and(|law| law > 0.0)) => "drift",
        None if !outcome.verdict.trusted() => "error bar",
        None => "verdict",
    }
}

/// The columns of [`expectations`].
pub const EXPECTATION_HEADER: [&str; 4] = ["expectation", "expected", "measured", ""];

/// One row per expectation of the scene.
pub fn expectations(outcome: &Outcome) -> Vec<Vec<String>> {
    let row = |c: &Checked| {
        let Expectation { column, value, tolerance, .. } = &c.expectation;
        let expected = format!("{} ± {}", number(*value), number(*tolerance));
        let measured = c.measured.map(|m| c.error.map_or(number(m), |error| with_error(m, error)));
        let doubt = if c.in_doubt() { ", in doubt" } else { "" };
        let met = format!("{}{doubt}", met(c.met()));
        vec![column.clone(), expected, measured.unwrap_or("–".into()), met]
    };
    outcome.checked.iter().map(row).collect()
}

/// Result of an expectation, in words.
pub fn met(met: bool) -> String {
    if met { "met" } else { "NOT MET" }.into()
}

/// Speed below which rounding of positions decides a drift \[m/s\].
const ROUNDED_AWAY: f64 = 1e-13;

fn facts(run: &Run, outcome: &Outcome) -> String {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut row = |name: &str, value: String| rows.push(vec![name.into(), value]);
    let Some(last) = &run.tally.last else { return String::new() };
    let frame = run.tally.count - 1;
    for ((name, value), unit) in run.columns.iter().zip(&last.measures).zip(run.units()) {
        if ORDER_COLUMNS.contains(&name.as_str()) {
            continue;
        }
        let error = outcome.verification.as_ref().and_then(|v| v.error(name, frame));
        let text = error.map_or(number(*value), |error| with_error(*value, error));
        row(name, if unit == "1" { text } else { format!("{text} {unit}") });
    }
    for place in outcome.verification.iter().flat_map(verify::places) {
        row(&place[0], place[1].clone());
    }
    if let Some(orders) = observed_orders(run) {
        row("observed order", orders);
    }
    for (name, text) in outcome.creep.iter().flat_map(creep_rows) {
        row(&name, text);
    }
    for (name, text) in contacts(run) {
        row(&format!("contacts of {name}"), text);
    }
    let sliding = last.contacts - last.sticking;
    row("contacts", format!("{} sticking, {sliding} sliding", last.sticking));
    row("max penetration", format!("{} m", number(run.tally.max_penetration)));
    let hlambda = run.tally.max_hlambda;
    let method = run.simulation().integrator().capabilities();
    let limit = match method.decay_limit {
        _ if method.adaptive => "the method chooses its substeps".into(),
        Some(limit) => format!("limit {} where a contact sticks", number(limit)),
        None => "no limit".into(),
    };
    if run.simulation().model.laws.is_some() {
        row("max h λ", format!("{} ({limit})", number(hlambda)));
    }
    for (name, text) in work_rows(run, outcome) {
        row(name, text);
    }
    let audit = &run.simulation().watches.audit;
    row(
        "energy residual",
        format!(
            "{} ± {} J of {} J throughput",
            number(audit.residual()),
            number(audit.doubt()),
            number(audit.throughput())
        ),
    );
    table(&["at the end", ""], &rows)
}

/// The drift of a body with its parts, and its load.
fn creep_rows(creep: &Creep) -> Vec<(String, String)> {
    let sizes = [Some(creep.measured), creep.law, creep.integrator, creep.lag];
    let rests = sizes.into_iter().flatten().all(|speed| speed.abs() < ROUNDED_AWAY);
    let law = match (creep.load_ratio, creep.law) {
        (_, Some(speed)) => {
            let mut parts = format!("{} m/s are the law's", number(speed));
            parts += &format!(", {} the integrator's", number(creep.integrator.unwrap_or(0.0)));
            let lag = creep.lag.unwrap_or(0.0);
            if lag != 0.0 {
                parts += &format!(", {} the lag's", number(lag));
            }
            parts
        }
        (Some(ratio), None) if ratio >= 1.0 => {
            format!("the load at the end is {} of what friction holds", number(ratio))
        }
        _ => "what the law itself creeps is not known here".into(),
    };
    let drift = match rests {
        true => format!("none: below {ROUNDED_AWAY:e} m/s"),
        false => format!("{} m/s; {law}", number(creep.measured)),
    };
    let mut rows = vec![(format!("drift of {}", creep.body), drift)];
    if let Some(carried) = creep.carried {
        let share = format!(
            "{} N, {} % of it carried by friction",
            number(carried.load),
            number((1000.0 * carried.by_friction).round() / 10.0)
        );
        rows.push((format!("load of {}", creep.body), share));
    }
    rows
}

/// Solves that were repeated, frozen contact, events within steps.
fn work_rows(run: &Run, outcome: &Outcome) -> Vec<(&'static str, String)> {
    let method = run.simulation().integrator().capabilities();
    let mut rows = Vec::new();
    let work = &outcome.work;
    if method.implicit && work.rejections > 0 {
        let repeated = "with half the step, since the equations were not solved at first";
        rows.push(("repeated", format!("{} solves {repeated}", work.rejections)));
    }
    if work.frozen > 0 {
        let frozen = "substeps with N and the normals of the step's start, since the equations were not solved with those of its end";
        rows.push(("frozen contact", format!("{} {frozen}", work.frozen)));
    }
    let events = run.simulation().watches.impacts.events;
    if method.order > 1 && events.total() > 0 {
        let kinds = format!(
            "{} contacts began, {} ended, {} times stick and slip changed; across each the method is of order 1 or 2",
            events.closed, events.opened, events.turned
        );
        rows.push(("events inside steps", kinds));
    }
    rows
}

/// The median and the least of the observed orders, if requested.
fn observed_orders(run: &Run) -> Option<String> {
    let column = run.columns.iter().position(|name| name == ORDER_COLUMNS[0])?;
    let at = |frame: &Frame| (frame.measures[column], frame.time);
    let mut orders: Vec<(f64, f64)> =
        run.frames.iter().map(at).filter(|(order, _)| !order.is_nan()).collect();
    orders.sort_by(|a, b| a.0.total_cmp(&b.0));
    let method = run.simulation().integrator().capabilities();
    Some(match orders.first() {
        _ if method.adaptive => "the method chooses its own steps".into(),
        None => "nothing but rounding to observe".into(),
        Some((least, time)) => format!(
            "median {} of {} frames, least {} at t = {} s; the method's own is {}",
            number(orders[orders.len() / 2].0),
            orders.len(),
            number(*least),
            number(*time),
            method.order
        ),
    })
}

/// The verdict in words.
fn verdict(run: &Run, outcome: &Outcome) -> String {
    let model = &run.simulation().model;
    let mut text = match outcome.verdict.level() {
        Level::NotTrusted => "verdict: NOT TRUSTED\n".into(),
        Level::NoFaultFound => {
            "verdict: no fault found (not verified; --verify gives every measure an error bar)\n"
                .into()
        }
        level => format!("verdict: {level}\n"),
    };
    for reason in &outcome.verdict.reasons {
        text += &format!("  {}: {}\n", reason.name(), reason.describe(model));
    }
    for reason in &outcome.verdict.outweighed {
        text += &format!("  without effect on any measure: {}\n", reason.describe(model));
    }
    text
}

/// Forces and work of the contacts of each body that is in contact or has slid.
fn contacts(run: &Run) -> Vec<(String, String)> {
    let Simulation { model, state, watches, .. } = run.simulation();
    let mut rows = Vec::new();
    for body in &model.bodies {
        let (mut normal, mut friction, mut ratio) = (Vector::zeros(), Vector::zeros(), 0.0);
        for contact in &state.memory.contacts {
            let share = contact.share(&body.particles);
            normal += contact.normal * (share * contact.normal_force);
            friction += contact.friction * share;
            if share != 0.0 {
                ratio = larger(ratio, contact.load_ratio());
            }
        }
        let dissipated: f64 = watches.friction_work.dissipated[body.particles.clone()].iter().sum();
        if normal == Vector::zeros() && friction == Vector::zeros() && dissipated == 0.0 {
            continue;
        }
        let text = format!(
            "{} N normal, {} N friction, load ratio up to {}; friction dissipated {} J",
            number(normal.norm()),
            number(friction.norm()),
            number(ratio),
            number(dissipated)
        );
        rows.push((body.name.clone(), text));
    }
    rows
}
