//! The summary of a run, for people.

use super::terminal::{number, table};
use super::verify;
use std::collections::BTreeMap;
use stiction_core::diagnosis::load;
use stiction_core::diagnosis::trust::{Level, percent};
use stiction_core::math::{Vector, larger, with_error};
use stiction_core::model::{Body, Model};
use stiction_core::registry::words::LISTED;
use stiction_core::simulation::Simulation;
use stiction_core::state::memory::Contact;
use stiction_lab::run::{Checked, Creep, DriftAt, Frame, ORDER_COLUMNS, Outcome, Run, SAME, Split};
use stiction_scene::{Expectation, Moment, Scene};

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
    let weightless = simulation.model.gravity.norm() == 0.0;
    let fates = run.fates();
    for fate in fates.iter().take(LISTED) {
        let stance = match fate.tilt {
            Some(tilt) if weightless => format!(" turned by {}°;", number(tilt)),
            Some(tilt) if fate.tipped() => format!(" tipped by {}°;", number(tilt)),
            // a tilt that is not trusted must not read "stands"
            Some(tilt) if !outcome.verdict.faultless() => format!(" tilted by {}°;", number(tilt)),
            // in the air nothing stands
            Some(tilt) if !fate.touches => {
                format!(" touches nothing, tilted by {}°;", number(tilt))
            }
            Some(tilt) => format!(" stands, tilted by {}°;", number(tilt)),
            None => String::new(),
        };
        let spin = fate.spin.filter(|w| w.abs() > ROUNDED_AWAY);
        let turns = spin.map_or(String::new(), |w| format!(", turning at {} rad/s", number(w)));
        text += &format!(
            "{}:{stance} its centre of mass moved {} m, now at {} m/s{turns}\n",
            fate.body,
            number(fate.travel),
            number(fate.speed)
        );
    }
    if fates.len() > LISTED {
        text += &format!("and {} bodies more\n", fates.len() - LISTED);
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
        None if outcome
            .creep
            .iter()
            .any(|creep| creep.parts.is_some_and(|parts| parts.law > 0.0)) =>
        {
            "drift"
        }
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
        let at = match c.expectation.at {
            Moment::End => String::new(),
            Moment::Maximum => ", its maximum".into(),
            Moment::Minimum => ", its minimum".into(),
            Moment::Time(time) => format!(" at {} s", number(time)),
        };
        vec![format!("{column}{at}"), expected, measured.unwrap_or("–".into()), met]
    };
    outcome.checked.iter().map(row).collect()
}

/// Result of an expectation, in words.
pub fn met(met: bool) -> String {
    if met { "met" } else { "NOT MET" }.into()
}

/// Speed below which rounding of positions decides a drift \[m/s\], or a rate of turn \[rad/s\].
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
    let verified = outcome.verification.is_some();
    for (name, text) in
        outcome.creep.iter().take(LISTED).flat_map(|creep| creep_rows(creep, verified))
    {
        row(&name, text);
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
    let doubt = match audit.doubt() {
        0.0 => String::new(),
        doubt => format!(" ± {}", number(doubt)),
    };
    let [residual, throughput] = [audit.residual(), audit.throughput()].map(number);
    row("energy residual", format!("{residual}{doubt} J of {throughput} J throughput"));
    table(&["at the end", ""], &rows)
}

/// The drift of a body over its window, its parts, and its load.
fn creep_rows(creep: &Creep, verified: bool) -> Vec<(String, String)> {
    let mut rows = vec![(format!("drift of {}", creep.body), drift(creep))];
    if creep.measured >= ROUNDED_AWAY {
        rows.push((format!("parts of {}", creep.body), parts(creep, verified)));
        if let Split::Refinement(runs) | Split::Unsettled(runs) = &creep.split {
            rows.push((format!("steps of {}", creep.body), by_step(runs)));
        }
    }
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

/// "1.2e-5 m/s over 1.5–2 s, 20 ms of it sliding".
fn drift(creep: &Creep) -> String {
    let [from, until] = creep.window.map(number);
    let slid = creep.time_sliding();
    let slid = match slid / (creep.window[1] - creep.window[0]) {
        share if share >= 0.9995 => ", all of it sliding".into(),
        share if share >= 5e-4 => format!(", {} ms of it sliding", number(1e3 * slid)),
        _ => String::new(),
    };
    match creep.measured < ROUNDED_AWAY {
        true => format!("none over {from}–{until} s: below {ROUNDED_AWAY:e} m/s{slid}"),
        false => format!("{} m/s over {from}–{until} s{slid}", number(creep.measured)),
    }
}

/// Share of a drift below which a part is shown as zero.
const NO_PART: f64 = 1e-5;

/// The parts of a drift, those of zero aside, with their source.
fn parts(creep: &Creep, verified: bool) -> String {
    let Some(parts) = creep.parts else {
        return match &creep.split {
            Split::Unsettled(runs) if come_closer(runs) => {
                "not known: the drift still changes much as the step falls: the steps are not small enough"
            }
            Split::Unsettled(_) => "not known: the drift does not converge as the step falls",
            _ => "not known: the law has no creep under the load, or friction is not resolved",
        }
        .into();
    };
    let shown = |part: f64| if part.abs() < NO_PART * creep.measured { 0.0 } else { part };
    let named = [
        (parts.law, "the law's creep", true),
        (parts.stretch, "stretch of contacts", false),
        (parts.sliding, "sliding", false),
        (parts.lag, "the lag's", false),
        (parts.integrator, "the integrator's", true),
    ];
    let texts = named.into_iter().filter(|(part, _, always)| *always || shown(*part) != 0.0);
    let texts: Vec<String> =
        texts.map(|(part, name, _)| format!("{} {name}", number(shown(part)))).collect();
    let source = match &creep.split {
        Split::Balance if verified => {
            "; estimate by balance: the runs have no drift to compare".into()
        }
        Split::Balance => "; estimate by balance, --verify measures it".into(),
        Split::Refinement(runs) | Split::Unsettled(runs) => falls(runs),
    };
    texts.join(", ") + &source
}

/// The comparison behind the integrator's part: drifts that agree, or fall with the step.
fn falls(runs: &[DriftAt]) -> String {
    let last = runs.last().map_or(0.0, |run| run.drift);
    let apart = runs.iter().map(|run| (run.drift - last).abs()).fold(0.0, larger);
    match apart {
        _ if apart <= SAME * last.abs() => {
            format!("; all steps agree to {}", percent(apart / last.abs()))
        }
        _ if come_closer(runs) => ", which falls with the step".into(),
        _ => format!("; all steps agree to {} m/s", number(apart)),
    }
}

/// Whether the drifts of three runs differ by less and less as the step falls.
fn come_closer(runs: &[DriftAt]) -> bool {
    matches!(runs, [a, b, c] if (b.drift - c.drift).abs() < (a.drift - b.drift).abs())
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
    if let Some(advice) = &outcome.advice {
        let times = number(advice.work);
        text += &format!("  try {}, about {times} times the work\n", advice.options());
    }
    for reason in &outcome.verdict.outweighed {
        text += &format!("  without effect on any measure: {}\n", reason.describe(model));
    }
    for doubt in run.start.iter().take(LISTED) {
        text += &format!("  but it began so: {}: {}\n", doubt.kind, doubt.text);
    }
    match run.start.len().saturating_sub(LISTED) {
        0 => {}
        more => text += &format!("  and {more} more such starts\n"),
    }
    text
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
