//! The details of a summary: loads, contacts, work of the method, energy books.

use super::ROUNDED_AWAY;
use super::fates::{drift, parts};
use crate::cli::terminal::{number, table};
use std::collections::BTreeMap;
use stiction_core::diagnosis::load;
use stiction_core::math::{Vector, larger};
use stiction_core::model::{Body, Model};
use stiction_core::registry::words::LISTED;
use stiction_core::simulation::Simulation;
use stiction_core::state::memory::Contact;
use stiction_lab::run::{Creep, DriftAt, Frame, ORDER_COLUMNS, Outcome, Run, Split};

/// All that the first screen leaves out, as a table.
pub fn details(run: &Run, outcome: &Outcome) -> String {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut row = |name: &str, value: String| rows.push(vec![name.into(), value]);
    let Some(last) = &run.tally.last else { return String::new() };
    for creep in outcome.creep.iter().take(LISTED) {
        creep_rows(creep, outcome).into_iter().for_each(|(name, text)| row(&name, text));
    }
    for (name, text) in contacts(run, outcome) {
        row(&name, text);
    }
    let more = outcome.creep.len().saturating_sub(LISTED);
    if more > 0 {
        row("drift of others", format!("of {more} more bodies in run.json"));
    }
    let sliding = last.contacts - last.sticking;
    let doubt = momentary(run, outcome, |_| true);
    row("contacts", format!("{} sticking, {sliding} sliding{doubt}", last.sticking));
    row("max penetration", format!("{} m", number(run.tally.max_penetration)));
    if run.simulation().model.laws.is_some() {
        row("max h λ", friction_rate(run));
    }
    for (name, text) in work_rows(run, outcome) {
        row(name, text);
    }
    let audit = &run.simulation().watches.audit;
    let doubt = match audit.doubt() {
        0.0 => String::new(),
        doubt => format!(" ± {}", number(doubt)),
    };
    let [residual, throughput] = [audit.residual(), audit.throughput()].map(number);
    row("energy residual", format!("{residual}{doubt} J of {throughput} J throughput"));
    table(&["details", ""], &rows)
}

/// "0.05531 (limit 2.785 where a contact sticks)".
fn friction_rate(run: &Run) -> String {
    let method = run.simulation().integrator().capabilities();
    let limit = match method.decay_limit {
        _ if method.adaptive => "the method chooses its substeps".into(),
        Some(limit) => format!("limit {} where a contact sticks", number(limit)),
        None => "no limit".into(),
    };
    format!("{} ({limit})", number(run.tally.max_hlambda))
}

/// The drift of a body over its window, its parts, and its load.
fn creep_rows(creep: &Creep, outcome: &Outcome) -> Vec<(String, String)> {
    let mut rows = vec![(format!("drift of {}", creep.body), drift(creep))];
    if creep.measured >= ROUNDED_AWAY {
        let parts = parts(creep, outcome.verification.is_some());
        rows.push((format!("parts of {}", creep.body), parts));
        if let Split::Refinement(runs) | Split::Unsettled(runs) | Split::Unfounded(runs) =
            &creep.split
        {
            rows.push((format!("steps of {}", creep.body), by_step(runs)));
        }
    }
    rows.extend(super::steady::row(creep));
    rows.push(super::steady::slip_row(creep));
    if let Some(carried) = creep.carried {
        let mut text = format!(
            "{} N; friction bears {} N, {} of it",
            number(carried.load),
            number(carried.friction),
            number(carried.friction / carried.load)
        );
        if let Some(angle) = carried.angle {
            text +=
                &format!("; its contacts press at {}° to their normal", number(angle.to_degrees()));
        }
        rows.push((format!("load of {}", creep.body), text));
    }
    rows
}

/// "1.2e-5, 1.1e-5 m/s at steps of 1e-3, 5e-4 s".
fn by_step(runs: &[DriftAt]) -> String {
    let list = |of: fn(&DriftAt) -> f64| -> String {
        runs.iter().map(|run| number(of(run))).collect::<Vec<_>>().join(", ")
    };
    format!("{} m/s at steps of {} s", list(|run| run.drift), list(|run| run.step))
}

/// Solves that were repeated, eased and frozen contact, events within steps.
fn work_rows(run: &Run, outcome: &Outcome) -> Vec<(&'static str, String)> {
    let method = run.simulation().integrator().capabilities();
    let mut rows = Vec::new();
    let work = &outcome.work;
    if method.implicit && work.rejections > 0 {
        let repeated = "with half the step, since the equations were not solved at first";
        rows.push(("repeated", format!("{} solves {repeated}", work.rejections)));
    }
    if work.eased > 0 {
        let eased = "substeps in which N rises from zero where contact begins, since the equations were not solved with its jump";
        rows.push(("eased contact", format!("{} {eased}", work.eased)));
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
pub fn observed_orders(run: &Run) -> Option<String> {
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

/// Sums over the contacts of one body with one collider or one other body.
#[derive(Default)]
struct PairSums {
    /// Σ N and Σ |T| \[N\]
    pressing: f64,
    rubbing: f64,
    /// resultants of the normal and friction forces \[N\]
    normal: Vector,
    friction: Vector,
    ratio: f64,
}

/// The sums of a body's contacts by the name of what it touches.
fn pairs_of(
    model: &Model,
    body: &Body,
    contacts: &[(f64, &Contact)],
) -> BTreeMap<String, PairSums> {
    let mut pairs: BTreeMap<String, PairSums> = BTreeMap::new();
    for (share, contact) in contacts {
        let foreign = contact.ends.iter().find(|(i, _)| !body.particles.contains(i));
        let name = match (contact.key.collider(), foreign) {
            (Some(number), _) => model.surfaces.colliders[number].name.clone(),
            (None, Some((i, _))) => {
                let other = model.body_of(i);
                other.map_or(String::new(), |other| model.bodies[other].name.clone())
            }
            (None, None) => "itself".into(),
        };
        let sums = pairs.entry(name).or_default();
        sums.pressing += share.abs() * contact.normal_force;
        sums.rubbing += share.abs() * contact.friction.norm();
        sums.normal += contact.normal * (*share * contact.normal_force);
        sums.friction += contact.friction * *share;
        sums.ratio = larger(sums.ratio, contact.load_ratio());
    }
    pairs
}

/// Forces of the contacts of each body with each thing that it touches, and friction's work on it.
fn contacts(run: &Run, outcome: &Outcome) -> Vec<(String, String)> {
    let Simulation { model, state, watches, .. } = run.simulation();
    let (mut rows, contacts) = (Vec::new(), load::contacts(model, state));
    let mut shown = 0;
    for (place, body) in model.bodies.iter().enumerate() {
        if shown == LISTED {
            let more = contacts[place..].iter().filter(|of| !of.is_empty()).count();
            let text = format!("of {more} more bodies, not shown");
            rows.extend((more > 0).then(|| ("contacts of others".into(), text)));
            break;
        }
        let before = rows.len();
        let doubt = momentary(run, outcome, |of| of == place);
        for (other, sums) in pairs_of(model, body, &contacts[place]) {
            rows.push((format!("contacts of {}", body.name), pair(&other, &sums) + &doubt));
        }
        let dissipated: f64 = watches.friction_work.dissipated[body.particles.clone()].iter().sum();
        if dissipated != 0.0 {
            let text = format!("dissipated {} J", number(dissipated));
            rows.push((format!("friction of {}", body.name), text));
        }
        shown += usize::from(rows.len() > before);
    }
    rows
}

/// A note on contacts in the last state where a symptom of these bodies has been outweighed: refined runs
/// agree about the measures, and not about the contacts of one state.
fn momentary(run: &Run, outcome: &Outcome, concerns: impl Fn(usize) -> bool) -> String {
    let model = &run.simulation().model;
    let mut outweighed = outcome.verdict.outweighed.iter();
    let symptom = outweighed.find(|reason| reason.body(model).is_some_and(&concerns));
    symptom
        .map_or_else(String::new, |reason| format!("; of the last state alone: {}", reason.name()))
}

/// "with floor: 9.8 N pressing, 2 N rubbing, load ratio up to 0.4".
fn pair(other: &str, sums: &PairSums) -> String {
    let [pressing, rubbing, ratio] = [sums.pressing, sums.rubbing, sums.ratio].map(number);
    let mut text = format!(
        "with {other}: {pressing} N pressing, {rubbing} N rubbing, load ratio up to {ratio}"
    );
    let resultants = [sums.normal.norm(), sums.friction.norm()];
    if differs(resultants[0], sums.pressing) || differs(resultants[1], sums.rubbing) {
        let [normal, friction] = resultants.map(number);
        text += &format!("; resultants {normal} N and {friction} N");
    }
    text
}

/// Whether a resultant differs from the sum of sizes by more than a hundredth.
fn differs(resultant: f64, sum: f64) -> bool {
    (sum - resultant).abs() > 0.01 * sum
}
