//! The facts: scene and method, state of the run, verdict.

use super::energies::springs_or_elastic;
use super::{PADDING, Tone, compact, gauge, measured};
use crate::canvas::Rect;
use crate::display::{Display, StableStep};
use crate::pen::Pen;
use crate::pushes::{self, ActingPush};
use crate::snapshot::Snapshot;
use crate::text::{Ink, quantity};
use stiction_core::math::Vector;

/// A line of the panel.
#[derive(Debug, Clone, PartialEq)]
pub enum FactLine {
    /// Large and bold, on at most that many lines.
    Title(String, usize),
    /// A name and its value.
    Fact(&'static str, String, Tone),
    /// A measure of the scene, or a sum, and its value.
    Measure(String, String),
    /// A push and its force.
    Push(String, String),
    /// A sentence.
    Note(String, Tone),
    /// h λ and the method's limit.
    Gauge(f64, Option<f64>),
    /// A rule.
    Rule,
}

/// Amount of detail, reduced in small windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// Measures, verdict and energies alone, where energies are asked for and not all fits.
    Energies,
    /// Only facts not shown elsewhere: no names that the controls show.
    Least,
    /// All that is shown unasked.
    Less,
    /// Also energies, and h λ where it has no limit.
    All,
}

/// Lines of the panel about a run.
pub fn lines(display: &Display, detail: Detail) -> Vec<FactLine> {
    let Display { snapshot, labels, playback, .. } = display;
    let mut lines = common(display, if detail == Detail::Energies { 2 } else { 5 });
    let plain = |name, text| FactLine::Fact(name, text, Tone::Plain);
    lines.extend(measures(display));
    if detail == Detail::Energies {
        let (text, tone) = compact::verdict(display);
        lines.extend([FactLine::Note(text, tone), FactLine::Rule]);
        lines.extend(energies(snapshot));
        if display.has_friction_rate() {
            lines.push(FactLine::Gauge(snapshot.hlambda, snapshot.decay_limit));
        }
        return lines;
    }
    lines.extend(pushes(snapshot));
    if detail > Detail::Least {
        lines.push(plain("integrator", labels.integrator.clone()));
        lines.extend(law(&labels.law));
        lines.push(plain("step h", quantity(snapshot.step_size, "s")));
    } else {
        // the name of the fault comes first, since its sentence may be cut off
        let (text, tone) = compact::verdict(display);
        lines.push(FactLine::Note(text, tone));
    }
    lines.push(FactLine::Rule);
    lines.push(contacts(snapshot));
    if display.has_rate() || (detail == Detail::All && display.has_friction_rate()) {
        lines.push(FactLine::Gauge(snapshot.hlambda, snapshot.decay_limit));
    }
    lines.extend(stable_step(display));
    lines.push(FactLine::Rule);
    if let Some(failure) = &playback.failure {
        lines.push(FactLine::Note(format!("✗ stopped: {failure}"), Tone::Bad));
        lines.push(FactLine::Note(
            "r starts again, i chooses another integrator".into(),
            Tone::Plain,
        ));
    }
    if detail > Detail::Least || !snapshot.verdict.faultless() {
        lines.extend(verdict(display));
    }
    for before in &playback.before {
        lines.push(FactLine::Note(format!("✗ {before}"), Tone::Bad));
    }
    if let Some(remark) = &playback.remark {
        lines.push(FactLine::Note(remark.clone(), Tone::Plain));
    }
    if let Some(profile) = &playback.profile {
        lines.push(FactLine::Note(profile.clone(), Tone::Plain));
    }
    // last, since a low window cuts off the end
    if detail == Detail::All {
        lines.push(FactLine::Rule);
        lines.extend(energies(snapshot));
    }
    lines
}

/// The scene's first measures now.
fn measures(display: &Display) -> Vec<FactLine> {
    let lines =
        measured::values(display).into_iter().map(|(name, text)| FactLine::Measure(name, text));
    let mut lines: Vec<FactLine> = lines.collect();
    lines.extend(measured::rest(display).map(|text| FactLine::Note(text, Tone::Plain)));
    if !lines.is_empty() {
        lines.insert(0, FactLine::Rule);
        lines.push(FactLine::Rule);
    }
    lines
}

/// Most pushes of one body in the panel; of more, their sum alone is shown.
const PUSHES: usize = 5;

/// The pushes of scene and hand, and their sum where more than one acts on a body.
fn pushes(snapshot: &Snapshot) -> Vec<FactLine> {
    let acting = pushes::acting(snapshot);
    let mut bodies: Vec<Option<usize>> = acting.iter().map(|push| push.body).collect();
    bodies.sort_unstable();
    bodies.dedup();
    let several = bodies.len() > 1;
    let name_of = |body: Option<usize>| match body.and_then(|b| snapshot.model.bodies.get(b)) {
        Some(body) => format!(" on {}", body.name),
        None => String::new(),
    };
    let mut lines = Vec::new();
    for body in bodies {
        let mut own: Vec<&ActingPush> = acting.iter().filter(|push| push.body == body).collect();
        if own.len() > 1 {
            own.retain(|push| push.force != Vector::zeros());
        }
        let forces: Vec<Vector> = own.iter().map(|push| push.force).collect();
        let line = pushes::common_line(&forces);
        let place = if several { name_of(body) } else { String::new() };
        // a number with a sign is a component, whose axis is named
        let axis = line.as_ref().and_then(pushes::axis_of);
        let axis = axis.map(|axis| format!(" {axis}")).unwrap_or_default();
        let one = |push: &&ActingPush| {
            let text = pushes::amount(&push.force, line.as_ref());
            FactLine::Push(format!("{}{axis}{place}", push.name), text)
        };
        if own.len() <= PUSHES {
            lines.extend(own.iter().map(one));
        }
        if own.len() > 1 {
            let text = pushes::amount(&pushes::sum(own.iter().copied()), line.as_ref());
            lines.push(FactLine::Measure(format!("together{axis}{}", name_of(body)), text));
        }
    }
    if !lines.is_empty() {
        lines.push(FactLine::Rule);
    }
    lines
}

/// Lines common to all runs of a window: title, time, speed. The title takes at most `title` lines.
pub fn common(display: &Display, title: usize) -> Vec<FactLine> {
    let Display { snapshot, labels, playback, .. } = display;
    let mut lines = vec![FactLine::Title(labels.title.clone(), title)];
    let time = match labels.end {
        Some(end) => format!("{:.3} of {end:.3} s", snapshot.state.time),
        None => format!("{:.3} s", snapshot.state.time),
    };
    lines.push(FactLine::Fact("time", time, Tone::Plain));
    if let Some(wanted) = playback.wanted {
        lines.push(speed(wanted, playback.achieved, is_over(display)));
    }
    lines
}

/// The lines with the number of plots without a card, after time and speed.
pub fn with_plots(mut lines: Vec<FactLine>, plots: usize) -> Vec<FactLine> {
    let head = |line: &FactLine| {
        matches!(line, FactLine::Title(..) | FactLine::Fact("time" | "speed", ..))
    };
    let place = lines.iter().take_while(|line| head(line)).count();
    if plots > 0 {
        let text = format!("{plots} without room: P");
        lines.insert(place, FactLine::Fact("plots", text, Tone::Plain));
    }
    lines
}

/// The largest stable step in words; `None` if it is unknown or not requested.
pub(crate) fn stable_text(step: &StableStep) -> Option<String> {
    match step {
        StableStep::Unknown => None,
        StableStep::Adaptive => Some("adaptive".into()),
        StableStep::Refused(_) => Some("not known".into()),
        StableStep::Unlimited => Some("no limit".into()),
        StableStep::Limit(0.0, _) => Some("none".into()),
        StableStep::Limit(limit, _) => Some(quantity(*limit, "s")),
    }
}

/// The stable step before the last change, if it is shown next to the present one.
pub fn stable_before(display: &Display) -> Option<String> {
    let (now, before) = &display.stable_step;
    let was = before.as_ref().filter(|_| *now != StableStep::Adaptive).and_then(stable_text);
    // what has not changed is said once
    was.filter(|was| stable_now(display).as_ref() != Some(was))
}

/// The present stable step, with the name of a method that chooses its own.
pub fn stable_now(display: &Display) -> Option<String> {
    match &display.stable_step.0 {
        StableStep::Adaptive => Some(format!("{} chooses its own", display.labels.integrator)),
        now => stable_text(now),
    }
}

/// Whether h is above the largest stable step.
pub fn above(display: &Display) -> bool {
    let limit = &display.stable_step.0;
    matches!(limit, StableStep::Limit(limit, _) if *limit > 0.0 && display.snapshot.step_size > *limit)
}

/// The largest stable step, its cause, its previous value, and the ratio of h to it.
fn stable_step(display: &Display) -> Vec<FactLine> {
    let now = &display.stable_step.0;
    let h = display.snapshot.step_size;
    let Some(text) = stable_now(display) else {
        // none is computed for a film
        let asked = !display.settings.is_empty();
        let waiting = FactLine::Fact("stable step", "…".into(), Tone::Plain);
        return if asked { vec![waiting] } else { Vec::new() };
    };
    let tone = if above(display) { Tone::Bad } else { Tone::Plain };
    let mut lines = vec![FactLine::Fact("stable step", text, tone)];
    let mut parts: Vec<String> = Vec::new();
    match now {
        StableStep::Limit(0.0, _) => parts.push("some motion grows at any step".into()),
        StableStep::Limit(limit, cause) => {
            let times = gauge::number(h / limit);
            lines.push(FactLine::Fact("h is", format!("{times} of it"), tone));
            parts.push(format!("set by {cause}"));
        }
        StableStep::Refused(why) => parts.push(why.clone()),
        _ => {}
    }
    if let Some(was) = stable_before(display) {
        parts.push(format!("was {was}"));
    }
    if !parts.is_empty() {
        lines.push(FactLine::Note(parts.join("; "), tone));
    }
    lines
}

/// The law on one line if it is short, else with its parameters below it.
fn law(law: &str) -> Vec<FactLine> {
    const SHORT: usize = 26;
    let plain = |name, text: &str| FactLine::Fact(name, text.into(), Tone::Plain);
    if law.chars().count() <= SHORT {
        return vec![plain("friction", law)];
    }
    let mut parts = law.split(", ");
    let name = parts.next().unwrap_or_default();
    std::iter::once(plain("friction", name)).chain(parts.map(|part| plain("", part))).collect()
}

/// Whether the scene has reached its end; after a change of the step its last step may end before.
fn is_over(display: &Display) -> bool {
    display.playback.ended
        || display.labels.end.is_some_and(|end| display.snapshot.state.time >= end * (1.0 - 1e-9))
}

fn speed(wanted: f64, achieved: Option<f64>, over: bool) -> FactLine {
    let name = factor(wanted);
    match achieved {
        None if over => FactLine::Fact("speed", "ended".into(), Tone::Plain),
        Some(achieved) if achieved <= 0.0 => {
            let text = if over { "ended" } else { "stands still" };
            FactLine::Fact("speed", text.into(), Tone::Plain)
        }
        None => FactLine::Fact("speed", format!("paused ({name})"), Tone::Plain),
        Some(achieved) if achieved < 0.9 * wanted => {
            FactLine::Fact("speed", format!("{} of {name}", factor(achieved)), Tone::Plain)
        }
        Some(_) => FactLine::Fact("speed", name, Tone::Plain),
    }
}

/// "× 0.25", or "real time" at 1.
fn factor(speed: f64) -> String {
    if speed == 1.0 {
        "real time".into()
    } else if speed >= 0.095 {
        let text = format!("{speed:.2}");
        format!("× {}", text.trim_end_matches('0').trim_end_matches('.'))
    } else {
        format!("× {speed:.1e}")
    }
}

fn energies(snapshot: &Snapshot) -> Vec<FactLine> {
    let fact = |name, value: f64| FactLine::Fact(name, quantity(value, "J"), Tone::Plain);
    vec![
        fact("kinetic", snapshot.energies.kinetic),
        fact(springs_or_elastic(&snapshot.model), snapshot.energies.spring),
        fact("contacts", snapshot.energies.contact),
        fact("gravity", snapshot.energies.gravity),
        fact("lost to friction", snapshot.flows.friction_stick + snapshot.flows.friction_slip),
        fact(
            "lost to damping",
            snapshot.flows.spring + snapshot.flows.normal + snapshot.flows.drag,
        ),
        fact("work done on it", snapshot.flows.work),
        fact("audit residual", snapshot.residual),
    ]
}

fn contacts(snapshot: &Snapshot) -> FactLine {
    let contacts = &snapshot.state.memory.contacts;
    let sticking = contacts.iter().filter(|c| c.sticking).count();
    let text = match contacts.len() {
        0 => "none".to_string(),
        _ => format!("{sticking} stick · {} slip", contacts.len() - sticking),
    };
    FactLine::Fact("contacts", text, Tone::Plain)
}

fn verdict(display: &Display) -> Vec<FactLine> {
    let Display { snapshot, playback, .. } = display;
    let verdict = &snapshot.verdict;
    let since = playback.since.map(|since| format!("since {since:.3} s"));
    if verdict.faultless() {
        let (text, tone) = super::compact::faultless(display);
        let mut lines = match playback.failure {
            Some(_) => Vec::new(),
            None => vec![FactLine::Note(text, tone)],
        };
        lines.extend(verified(display));
        return lines;
    }
    let since = since.map(|since| format!(" {since}")).unwrap_or_default();
    let reasons = verdict.reasons.iter().map(|reason| {
        let text = reason.describe(&snapshot.model);
        // of the run so far: what is rare at its end is without weight then
        FactLine::Note(format!("✗ not trusted so far{since}: {text}"), Tone::Bad)
    });
    // the requested result comes before possibly long texts
    verified(display).into_iter().chain(reasons).collect()
}

/// Result of the scene's verification.
fn verified(display: &Display) -> Option<FactLine> {
    let verified = display.playback.verified.as_ref()?;
    let (mark, tone) = match verified.good {
        Some(true) => ("✓ ", Tone::Good),
        Some(false) => ("✗ ", Tone::Bad),
        None => ("", Tone::Plain),
    };
    Some(FactLine::Note(format!("{mark}{}", verified.text), tone))
}

/// A line wrapped to the width of the card.
struct FactRow {
    left: Option<(Ink, String)>,
    right: Option<(Ink, String)>,
    rule: bool,
    gauge: Option<(f64, Option<f64>)>,
    height: i32,
}

impl FactRow {
    fn of(height: i32) -> FactRow {
        FactRow { left: None, right: None, rule: false, gauge: None, height }
    }

    fn fact(pen: &Pen, name: &str, value: &str, tone: Tone) -> FactRow {
        let left = Some((Ink::regular(13.0, pen.theme.faint), name.to_string()));
        let right = Some((Ink::regular(13.0, tone.colour(pen.theme)), value.to_string()));
        FactRow { left, right, ..FactRow::of(20) }
    }
}

/// Draws the first of `choices` that fits into `room`, else the last one cut off with "…"; returns
/// the card.
pub fn draw(pen: &mut Pen, room: &Rect, choices: &[Vec<FactLine>]) -> Rect {
    let width = f64::from(room.width() - 2 * PADDING);
    let height =
        |rows: &[FactRow]| rows.iter().map(|row| row.height).sum::<i32>() + 2 * PADDING - 4;
    let mut rows: Vec<FactRow> = Vec::new();
    for lines in choices {
        rows = lines.iter().flat_map(|line| broken(pen, line, width)).collect();
        if height(&rows) <= room.height() {
            break;
        }
    }
    while rows.last().is_some_and(|row| row.rule) {
        rows.pop();
    }
    let whole = rows.len();
    while rows.len() > 1 && height(&rows) > room.height() {
        rows.pop();
    }
    if rows.len() < whole && rows.last().is_some_and(|row| row.right.is_none()) {
        shorten(pen, rows.last_mut(), width);
    }
    let card = Rect { y1: (room.y0 + height(&rows)).min(room.y1), ..*room };
    pen.card(&card, pen.theme.card.1);
    let mut top = card.y0 + PADDING - 2;
    for row in rows {
        draw_row(pen, &card, top, &row);
        top += row.height;
    }
    card
}

/// Ends a row with …, since further rows are not shown.
fn shorten(pen: &Pen, row: Option<&mut FactRow>, width: f64) {
    if let Some(FactRow { left: Some((ink, text)), .. }) = row {
        *text = format!("{} …", pen.fit(*ink, text, width - 20.0).trim_end_matches('…'));
    }
}

fn draw_row(pen: &mut Pen, card: &Rect, top: i32, row: &FactRow) {
    let (left, right) = (f64::from(card.x0 + PADDING), f64::from(card.x1 - PADDING));
    let bottom = f64::from(top + row.height);
    if row.rule {
        let middle = f64::from(top + row.height / 2);
        pen.bar((left, right), (middle, middle), pen.theme.border, 255);
    }
    if let Some((value, limit)) = row.gauge {
        gauge::draw(pen, (left, right), (f64::from(top) + 3.0, 9.0), value, limit);
    }
    if let Some((ink, text)) = &row.left {
        pen.text((left, bottom - 6.0), *ink, text);
    }
    if let Some((ink, text)) = &row.right {
        pen.text_before((right, bottom - 6.0), *ink, text);
    }
}

/// A name and its value, on two rows where one is too short for most of the name.
fn named(pen: &Pen, name: &str, text: &str, ink: Ink, width: f64) -> Vec<FactRow> {
    let mut row = FactRow::fact(pen, name, text, Tone::Plain);
    row.right = Some((ink, text.into()));
    let quiet = Ink::regular(13.0, pen.theme.faint);
    let room = width - pen.width(ink, text) - 10.0;
    if room >= 0.6 * pen.width(quiet, name) {
        row.left = Some((quiet, pen.fit(quiet, name, room)));
        return vec![row];
    }
    let below = FactRow { left: None, right: row.right.take(), ..FactRow::of(18) };
    vec![FactRow { left: Some((quiet, pen.fit(quiet, name, width))), ..FactRow::of(20) }, below]
}

fn broken(pen: &Pen, line: &FactLine, width: f64) -> Vec<FactRow> {
    let theme = pen.theme;
    let wrapped = |ink: Ink, text: &str, height: i32| -> Vec<FactRow> {
        let lines = pen.wrap(ink, text, width).into_iter();
        lines.map(|text| FactRow { left: Some((ink, text)), ..FactRow::of(height) }).collect()
    };
    match line {
        FactLine::Title(text, most) => {
            let ink = Ink::bold(15.5, theme.ink);
            let mut rows = wrapped(ink, text, 22);
            if rows.len() > *most {
                rows.truncate(*most);
                shorten(pen, rows.last_mut(), width);
            }
            rows.push(FactRow::of(6));
            rows
        }
        FactLine::Note(text, tone) => wrapped(Ink::regular(12.5, tone.colour(theme)), text, 18),
        FactLine::Rule => vec![FactRow { rule: true, ..FactRow::of(11) }],
        FactLine::Gauge(value, limit) => {
            let above = limit.is_some_and(|limit| *value > limit);
            let tone = if above { Tone::Bad } else { Tone::Plain };
            let name = "largest h λ, and its limit";
            let name = if limit.is_some() { name } else { "largest h λ" };
            let mut rows = vec![FactRow::fact(pen, name, &gauge::text(*value, *limit), tone)];
            if limit.is_some() {
                rows.push(FactRow { gauge: Some((*value, *limit)), ..FactRow::of(17) });
            }
            rows
        }
        FactLine::Measure(name, text) => named(pen, name, text, Ink::bold(13.0, theme.ink), width),
        FactLine::Push(name, text) => named(pen, name, text, Ink::regular(13.0, theme.ink), width),
        FactLine::Fact(name, text, tone) => {
            let (quiet, ink) =
                (Ink::regular(13.0, theme.faint), Ink::regular(13.0, tone.colour(theme)));
            if pen.width(quiet, name) + pen.width(ink, text) + 10.0 <= width {
                return vec![FactRow::fact(pen, name, text, *tone)];
            }
            // too long for one line: the value is written below its name
            let mut rows =
                vec![FactRow { left: Some((quiet, name.to_string())), ..FactRow::of(20) }];
            rows.extend(wrapped(ink, text, 18));
            rows
        }
    }
}
