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
            // what cannot be trusted is not said to stand
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

/// Expectations that a run without a fault does not meet: the verdict is on the numbers, not on what
/// the scene's author hoped.
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

/// The word of the summary that its reader is most likely to ask about.
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

/// Result of a check, in words.
pub fn met(met: bool) -> String {
    if met { "met" } else { "NOT MET" }.into()
}

/// Speed below which rounding of positions decides a drift \[m/s\].
const ROUNDED_AWAY: f64 = 1e-13;

/// Name and text of a fact.
type Row = (String, String);

fn facts(run: &Run, outcome: &Outcome) -> String {
    let Some(last) = &run.tally.last else { return String::new() };
    let mut rows = measured(run, outcome, last);
    for place in outcome.verification.iter().flat_map(verify::places) {
        rows.push((place[0].clone(), place[1].clone()));
    }
    rows.extend(observed_orders(run).map(|orders| ("observed order".into(), orders)));
    rows.extend(outcome.creep.iter().flat_map(drifts));
    for (name, text) in contacts(run) {
        rows.push((format!("contacts of {name}"), text));
    }
    let sliding = last.contacts - last.sticking;
    rows.push(("contacts".into(), format!("{} sticking, {sliding} sliding", last.sticking)));
    rows.push(("max penetration".into(), format!("{} m", number(run.tally.max_penetration))));
    rows.extend(of_the_method(run, outcome));
    let audit = &run.simulation().watches.audit;
    let residual = format!(
        "{} ± {} J of {} J throughput",
        number(audit.residual()),
        number(audit.doubt()),
        number(audit.throughput())
    );
    rows.push(("energy residual".into(), residual));
    let rows: Vec<_> = rows.into_iter().map(|(name, text)| vec![name, text]).collect();
    table(&["at the end", ""], &rows)
}

/// The measures of the last frame, with their error bars.
fn measured(run: &Run, outcome: &Outcome, last: &Frame) -> Vec<Row> {
    let frame = run.tally.count - 1;
    let mut rows = Vec::new();
    for ((name, value), unit) in run.columns.iter().zip(&last.measures).zip(run.units()) {
        if ORDER_COLUMNS.contains(&name.as_str()) {
            continue;
        }
        let error = outcome.verification.as_ref().and_then(|v| v.error(name, frame));
        let text = error.map_or(number(*value), |error| with_error(*value, error));
        rows.push((name.clone(), if unit == "1" { text } else { format!("{text} {unit}") }));
    }
    rows
}

/// The drift of a body with its parts, and the load that friction carries.
fn drifts(creep: &Creep) -> Vec<Row> {
    let sizes = [Some(creep.measured), creep.law, creep.integrator, creep.lag];
    let rests = sizes.into_iter().flatten().all(|speed| speed.abs() < ROUNDED_AWAY);
    let drift = match rests {
        true => format!("none: below {ROUNDED_AWAY:e} m/s"),
        false => format!("{} m/s; {}", number(creep.measured), parts_of(creep)),
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

/// The shares of the law, the integrator and the lag in a drift.
fn parts_of(creep: &Creep) -> String {
    match (creep.load_ratio, creep.law) {
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
    }
}

/// Stability and work of the method.
fn of_the_method(run: &Run, outcome: &Outcome) -> Vec<Row> {
    let mut rows = Vec::new();
    let method = run.simulation().integrator().capabilities();
    let limit = match method.decay_limit {
        _ if method.adaptive => "the method chooses its substeps".into(),
        Some(limit) => format!("limit {} where a contact sticks", number(limit)),
        None => "no limit".into(),
    };
    if run.simulation().model.laws.is_some() {
        rows.push(("max h λ".into(), format!("{} ({limit})", number(run.tally.max_hlambda))));
    }
    let work = &outcome.work;
    if method.implicit && work.rejections > 0 {
        let repeated = "with half the step, since the equations were not solved at first";
        rows.push(("repeated".into(), format!("{} solves {repeated}", work.rejections)));
    }
    if work.frozen > 0 {
        let frozen = "substeps with N and the normals of the step's start, since the equations were not solved with those of its end";
        rows.push(("frozen contact".into(), format!("{} {frozen}", work.frozen)));
    }
    let events = run.simulation().watches.impacts.events;
    if method.order > 1 && events.total() > 0 {
        let kinds = format!(
            "{} contacts began, {} ended, {} times stick and slip changed; across each the method is of order 1 or 2",
            events.closed, events.opened, events.turned
        );
        rows.push(("events inside steps".into(), kinds));
    }
    rows
}

/// The median and the least of the observed orders, if they were asked for.
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

/// Forces and work of the contacts of each body that touches something or has slid.
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
