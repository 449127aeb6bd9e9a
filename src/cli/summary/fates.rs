//! The fates of the bodies: where they are, and how those drift that hold.

use super::ROUNDED_AWAY;
use crate::cli::terminal::{number, prose};
use stiction_core::diagnosis::trust::percent;
use stiction_core::math::larger;
use stiction_core::registry::words::LISTED;
use stiction_lab::run::{Creep, DriftAt, Fate, Outcome, Run, SAME, Split};

/// A line for each of the first bodies, and one on the drift of each that holds.
pub fn fates(run: &Run, outcome: &Outcome) -> String {
    let weightless = run.simulation().model.gravity.norm() == 0.0;
    let fates = run.fates();
    let mut text = String::new();
    for fate in fates.iter().take(LISTED) {
        let spin = fate.spin.filter(|w| w.abs() > ROUNDED_AWAY);
        let turns = spin.map_or(String::new(), |w| format!(", turning at {} rad/s", number(w)));
        let line = format!(
            "{}:{} its centre of mass moved {} m, now at {} m/s{turns}",
            fate.body,
            stance(fate, weightless, outcome),
            number(fate.travel),
            number(fate.speed)
        );
        text += &prose(0, &line);
        let held = outcome.creep.iter().find(|creep| creep.body == fate.body);
        let judged = |creep: &&Creep| {
            fate.contacts[1] > 0 && (creep.parts.is_some() || outcome.verification.is_some())
        };
        if let Some(creep) = held.filter(judged).filter(|creep| holds(creep)) {
            text += &prose(2, &format!("drift {}{}", drift(creep), split(creep, outcome)));
        }
    }
    if fates.len() > LISTED {
        text += &format!("and {} bodies more\n", fates.len() - LISTED);
    }
    text
}

/// Whether contacts stick for most of the window of a drift.
fn holds(creep: &Creep) -> bool {
    creep.time_sliding() < 0.5 * (creep.window[1] - creep.window[0])
}

/// Tilts below this are not printed \[degrees\].
const LEVEL: f64 = 0.05;

/// " sticks, tilted by 2°;": its contacts, and how it is turned.
fn stance(fate: &Fate, weightless: bool, outcome: &Outcome) -> String {
    // contacts of a run that is not trusted, or of one state where a symptom is outweighed, are not judged
    let judged = outcome.verdict.faultless() && outcome.verdict.outweighed.is_empty();
    let contact = judged.then(|| touching(fate));
    // upright is what stands as it was built, and is trusted to
    let stands = outcome.verdict.faultless() && !fate.placed_turned;
    let turned = fate.tilt.filter(|tilt| *tilt >= LEVEL || stands);
    let turned = turned.map(|tilt| match number(tilt) {
        tilt if weightless || fate.placed_turned => format!("tilted by {tilt}° since t = 0"),
        tilt if fate.tipped() => format!("tipped by {tilt}°"),
        _ if tilt < LEVEL => "upright".into(),
        tilt => format!("tilted by {tilt}°"),
    });
    let parts: Vec<String> = contact.into_iter().chain(turned).collect();
    match parts.is_empty() {
        true => String::new(),
        false => format!(" {};", parts.join(", ")),
    }
}

/// "sticks", "slides in part, slides on itself", "touches nothing": its contacts in the last state.
fn touching(fate: &Fate) -> String {
    let ([sticking, all], [folded, folds]) = (fate.contacts, fate.with_itself);
    let with_others = match sticking {
        _ if all == 0 && folds == 0 => "touches nothing",
        _ if all == 0 => "touches only itself",
        _ if sticking == all => "sticks",
        0 => "slides",
        _ => "slides in part",
    };
    let on_itself = if folded < folds { ", slides on itself" } else { "" };
    format!("{with_others}{on_itself}")
}

/// ": " and the parts of a drift that is more than rounding.
fn split(creep: &Creep, outcome: &Outcome) -> String {
    match creep.measured >= ROUNDED_AWAY {
        true if creep.parts.is_none() => format!("; its parts are {}", parts(creep, true)),
        true => format!(": {}", parts(creep, outcome.verification.is_some())),
        false => String::new(),
    }
}

/// "1.2e-5 m/s over 1.5–2 s, 20 ms of it sliding".
pub fn drift(creep: &Creep) -> String {
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
pub fn parts(creep: &Creep, verified: bool) -> String {
    let Some(parts) = creep.parts else {
        return match &creep.split {
            Split::Unsettled(runs) if come_closer(runs) => {
                "not known, since the drift still changes much as the step falls; the steps are not small enough"
            }
            Split::Unfounded(_) => "not known, since all steps compared are above a limit",
            Split::Unsettled(_) => "not known, since the drift does not converge as the step falls",
            _ => "not known, since the law has no creep under the load, or friction is not resolved",
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
        Split::Refinement(runs) | Split::Unsettled(runs) | Split::Unfounded(runs) => falls(runs),
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
