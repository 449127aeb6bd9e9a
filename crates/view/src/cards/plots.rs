//! The live plots: the scene's measures, creep, h λ, the difference from the reference, the phase portrait of
//! the chosen particle, energies, and the verdict over time.

use super::axis::{Axis, AxisKind};
use super::energies;
use super::expected::{self, ExpectedMark};
use super::mark::{mark, pane_colour};
use super::plot::{self, CardLine, CardPlot, FOOT};
use crate::canvas::{CanvasPoint, Rect};
use crate::display::{Display, Measured};
use crate::history::Sample;
use crate::pen::Pen;
use crate::snapshot::Snapshot;
use crate::text::Ink;
use crate::theme::ViewTheme;
use stiction_core::math::{Vector, sqrt};

/// Least height of a plot.
const LEAST: i32 = 78;
/// Height of one run's strip of the verdict.
const STRIP: i32 = 14;
const RIM: i32 = 10;
/// Height of the hint on the phase portrait.
const HINT: i32 = 20;

/// Largest height of a plot among chosen ones.
const TALLEST: f64 = 250.0;

/// The plots that are wanted.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlotWishes<'a> {
    /// Whether energies are.
    pub energies: bool,
    /// Names of the only ones; all if empty.
    pub chosen: &'a [String],
    /// Number of those before the first that is drawn; the others come after the last.
    pub skipped: usize,
    /// The end of the axis of time \[s\]; that of the samples if absent.
    pub until: Option<f64>,
}

/// A card of plots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnPlots {
    /// Its rectangle.
    pub card: Rect,
    /// Number of plots in it.
    pub shown: usize,
    /// Names of the plots that have no room in it.
    pub left_out: Vec<String>,
}

/// A plot with the name by which it is chosen.
struct NamedPlot {
    name: String,
    /// share of the height
    weight: f64,
    plot: CardPlot,
}

/// Names of all plots: the scene's measures, and `creep`, `h-lambda`, `energy`; for runs beside a
/// reference `difference`.
pub fn names(displays: &[Display]) -> Vec<String> {
    let Some(first) = displays.first() else { return Vec::new() };
    let mut names: Vec<String> = first.measured.iter().map(|own| own.name.clone()).collect();
    let mut usual = vec!["creep"];
    if displays.len() == 1 {
        usual.extend(["h-lambda", "energy"]);
    }
    if displays.iter().any(|display| display.ghost.is_some()) {
        usual.push("difference");
    }
    // a measure may have the name of a usual plot
    usual.retain(|name| first.measured.iter().all(|own| own.name != *name));
    names.extend(usual.into_iter().map(String::from));
    names
}

/// Names of the wanted plots, in their order.
pub fn wanted(displays: &[Display], theme: &ViewTheme, wishes: &PlotWishes) -> Vec<String> {
    let plots = plots(theme, displays, times(displays, wishes.until), wishes);
    plots.into_iter().map(|plot| plot.name).collect()
}

/// The wanted plots; the first ones are kept in a small card.
fn plots(
    theme: &ViewTheme,
    displays: &[Display],
    times: Axis,
    wishes: &PlotWishes,
) -> Vec<NamedPlot> {
    let chooses = !wishes.chosen.is_empty();
    let mut plots = match displays {
        [display] => of_one(theme, display, times, wishes),
        _ => of_several(theme, displays, times, chooses),
    };
    if chooses {
        let place = |plot: &NamedPlot| wishes.chosen.iter().position(|name| *name == plot.name);
        plots.retain(|plot| place(plot).is_some());
        plots.sort_by_key(place);
        // of two with a name the measure
        plots.dedup_by(|later, first| later.name == first.name);
    }
    let skipped = wishes.skipped % plots.len().max(1);
    plots.rotate_left(skipped);
    plots
}

/// Draws the card: the plots of one run, or those that compare several; `more` is what to press for
/// those without room.
pub fn draw(
    pen: &mut Pen,
    card: &Rect,
    displays: &[Display],
    wishes: &PlotWishes,
    more: Option<&str>,
) -> DrawnPlots {
    let times = times(displays, wishes.until);
    let mut plots = plots(pen.theme, displays, times, wishes);
    let strips = STRIP * displays.len().max(1) as i32 + FOOT + 4;
    let mut card = *card;
    let area =
        |card: &Rect| Rect { x0: card.x0 + RIM, x1: card.x1 - 4, y0: card.y0 + 5, y1: card.y1 - 7 };
    let asks =
        matches!(displays, [display] if display.chosen.is_none() && !display.settings.is_empty());
    let free = area(&card).height() - strips;
    let mut left_out = pop_without_room(&mut plots, free - if asks { HINT } else { 0 });
    let says = more.is_some() && !left_out.is_empty();
    let hints = asks || says;
    let room = free - if hints { HINT } else { 0 };
    left_out.extend(pop_without_room(&mut plots, room));
    let mut unit = f64::from(room) / total(&plots).max(1.0);
    if plots.is_empty() && room > 0 {
        card.y1 -= room;
    } else if !wishes.chosen.is_empty() && unit > TALLEST {
        unit = TALLEST;
        card.y1 -= room - (total(&plots) * unit) as i32;
    }
    pen.card(&card, pen.theme.card.1.max(236));
    let area = area(&card);
    draw_all(pen, &area, (&plots, unit), (displays, times, strips), room >= 0);
    if room >= 0 && hints {
        let text = match more.filter(|_| says) {
            Some(key) => more_plots(left_out.len(), key),
            None => "click a particle for its phase portrait".into(),
        };
        let at = (f64::from(area.x0), f64::from(area.y1) - 5.0);
        pen.text(at, Ink::regular(12.5, pen.theme.faint), &text);
    }
    DrawnPlots { card, shown: plots.len(), left_out }
}

/// "2 more plots: P".
fn more_plots(count: usize, key: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} more plot{plural}: {key}")
}

fn total(plots: &[NamedPlot]) -> f64 {
    plots.iter().map(|plot| plot.weight).sum()
}

/// Leaves out the last plots that have no room; returns their names.
fn pop_without_room(plots: &mut Vec<NamedPlot>, room: i32) -> Vec<String> {
    let mut names = Vec::new();
    while !plots.is_empty() && f64::from(room) < total(plots) * f64::from(LEAST) {
        names.extend(plots.pop().map(|plot| plot.name));
    }
    names.reverse();
    names
}

/// Draws the plots from top to bottom, and the strips of the verdict below those over time.
fn draw_all(
    pen: &mut Pen,
    area: &Rect,
    (plots, unit): (&[NamedPlot], f64),
    (displays, times, strips): (&[Display], Axis, i32),
    judges: bool,
) {
    let mut top = area.y0;
    let mut strip_drawn = false;
    let mut strip = |pen: &mut Pen, top: &mut i32| {
        if !std::mem::replace(&mut strip_drawn, true) {
            verdicts(pen, &Rect { y0: *top, y1: *top + strips, ..*area }, displays, times);
            *top += strips;
        }
    };
    for NamedPlot { weight, plot, .. } in plots {
        if plot.across.1.is_some() {
            strip(pen, &mut top);
        }
        let height = (weight * unit) as i32;
        plot::draw(pen, &Rect { y0: top, y1: top + height, ..*area }, plot);
        top += height;
    }
    if judges {
        strip(pen, &mut top);
    }
}

/// The time range of the samples, or from zero to `until`.
fn times(displays: &[Display], until: Option<f64>) -> Axis {
    if let Some(until) = until {
        return Axis::times(0.0, until);
    }
    let all = || displays.iter().flat_map(|d| d.history.samples()).map(|s| s.time);
    let all = || all().filter(|time| time.is_finite());
    Axis::times(all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max))
}

fn named(name: &str, weight: f64, plot: CardPlot) -> NamedPlot {
    NamedPlot { name: name.into(), weight, plot }
}

fn of_one(
    theme: &ViewTheme,
    display: &Display,
    times: Axis,
    wishes: &PlotWishes,
) -> Vec<NamedPlot> {
    let chooses = !wishes.chosen.is_empty();
    let asked = wishes.energies || chooses;
    let own = |own: &Measured| named(&own.name, 1.0, measure(theme, display, own, times));
    let curves = display.measured.iter().filter(|own| chooses || own.reduced.is_none());
    let mut plots: Vec<NamedPlot> = curves.map(own).collect();
    if let Some(chosen) = display.chosen {
        plots.push(named("phase portrait", 2.0, phase(theme, display, chosen)));
    }
    if display.snapshot.model.surfaces.any() || chooses {
        plots.push(named("creep", 1.0, creep(theme, display, times)));
    }
    if display.has_rate() || chooses || (asked && display.has_friction_rate()) {
        plots.push(named("h-lambda", 1.0, hlambda(theme, display, times)));
    }
    let displays = std::slice::from_ref(display);
    if has_reference(displays) {
        plots.push(named("difference", 1.0, difference(theme, displays, times)));
    }
    if asked {
        // before all else, so that a small card shows them too
        plots.insert(0, named("energy", 1.6, energy(theme, display, times)));
    }
    plots
}

/// A measure of the scene: one line, or three of a vector, with marks of what is expected of it.
fn measure(theme: &ViewTheme, display: &Display, measured: &Measured, times: Axis) -> CardPlot {
    let several = measured.columns.len() > 1;
    let line = |(place, column): (usize, usize)| CardLine {
        name: if several { ["x", "y", "z"][place % 3].into() } else { String::new() },
        colour: theme.lines[place],
        points: over_time(display, |sample| {
            sample.measures.get(column).copied().unwrap_or(f64::NAN)
        }),
    };
    let lines: Vec<CardLine> = measured.columns.clone().enumerate().map(line).collect();
    let columns: Vec<&[CanvasPoint]> = lines.iter().map(|line| &line.points[..]).collect();
    CardPlot {
        expected: expected::marks(display, measured, &columns),
        lines,
        right: if several { plot::NUMBERS } else { plot::RIGHT },
        ..plot(measured.name.clone(), measured.unit, AxisKind::Linear, times)
    }
}

fn of_several(
    theme: &ViewTheme,
    displays: &[Display],
    times: Axis,
    chooses: bool,
) -> Vec<NamedPlot> {
    let mut plots = Vec::new();
    if has_reference(displays) {
        plots.push(named("difference", 1.0, difference(theme, displays, times)));
    }
    if let Some(first) = displays.first() {
        let own = |own: &Measured| named(&own.name, 1.0, compared(theme, displays, own, times));
        if chooses {
            plots.splice(0..0, first.measured.iter().map(own));
        } else {
            // unasked the first that is a curve
            plots.extend(first.measured.iter().find(|own| own.reduced.is_none()).map(own));
        }
    }
    plots.push(named("creep", 1.0, creeps(theme, displays, times)));
    plots
}

/// A measure of several runs: of a vector its length.
fn compared(theme: &ViewTheme, displays: &[Display], own: &Measured, times: Axis) -> CardPlot {
    let value = |sample: &Sample| match sample.measures.get(own.columns.clone()) {
        Some([one]) => *one,
        Some(parts) => sqrt(parts.iter().map(|x| x * x).sum()),
        None => f64::NAN,
    };
    let lines = each(theme, displays, |display| over_time(display, value));
    let mut expected: Vec<ExpectedMark> = Vec::new();
    for (display, line) in displays.iter().zip(&lines).filter(|_| own.columns.len() == 1) {
        for mut mark in expected::marks(display, own, &[&line.points]) {
            // of a value that all runs are to have at one time there is one mark, of marks side by side one word
            if expected.contains(&mark) {
                continue;
            }
            if expected.iter().any(|other| other.word == mark.word) {
                mark.word = "";
            }
            expected.push(mark);
        }
    }
    let (right, name) = (right(displays), own.name.clone());
    CardPlot { lines, expected, right, ..plot(name, own.unit, AxisKind::Linear, times) }
}

fn has_reference(displays: &[Display]) -> bool {
    displays.iter().any(|d| d.history.samples().iter().any(|s| s.difference.is_finite()))
}

fn over_time(display: &Display, value: impl Fn(&Sample) -> f64) -> Vec<CanvasPoint> {
    display.history.samples().iter().map(|sample| (sample.time, value(sample))).collect()
}

fn plot(title: impl Into<String>, unit: &'static str, kind: AxisKind, times: Axis) -> CardPlot {
    CardPlot {
        title: title.into(),
        unit,
        kind,
        lines: Vec::new(),
        limit: None,
        expected: Vec::new(),
        across: (times, None),
        right: plot::RIGHT,
        empty: "nothing yet",
    }
}

fn energy(theme: &ViewTheme, display: &Display, times: Axis) -> CardPlot {
    let (title, lines) = energies::lines(theme, display);
    CardPlot { lines, ..plot(title, "J", AxisKind::Linear, times) }
}

/// The body whose creep is shown: that of the chosen particle, else the first in contact, else the
/// first that has crept.
pub fn creeping_body(display: &Display) -> Option<usize> {
    let Snapshot { model, state, .. } = &display.snapshot;
    let of = |particle: usize| model.bodies.iter().position(|b| b.particles.contains(&particle));
    let touching = state.memory.contacts.iter().filter_map(|c| of(c.particle())).min();
    let crept = |body: &usize| {
        display.history.samples().iter().any(|sample| creep_of(sample, *body, 0).is_finite())
    };
    let before = || (0..model.bodies.len()).find(crept);
    display.chosen.and_then(of).or(touching).or_else(before)
}

fn creep_of(sample: &Sample, body: usize, part: usize) -> f64 {
    sample.creep.get(body).map_or(f64::NAN, |creep| creep[part])
}

fn creep(theme: &ViewTheme, display: &Display, times: Axis) -> CardPlot {
    let empty = CardPlot { empty: "nothing creeps", ..plot("creep", "m/s", AxisKind::Log, times) };
    let Some(body) = creeping_body(display) else { return empty };
    let line = |name: &str, part: usize, colour: usize| CardLine {
        name: name.into(),
        colour: theme.lines[colour],
        points: over_time(display, |sample| creep_of(sample, body, part)),
    };
    let title = format!("creep of {}", display.snapshot.model.bodies[body].name);
    CardPlot {
        title,
        lines: PARTS_SHOWN.map(|(name, part, colour)| line(name, part, colour)).into(),
        ..empty
    }
}

/// Parts of a drift with their places in a sample and their colours; the last is drawn on top.
const PARTS_SHOWN: [(&str, usize, usize); 5] =
    [("integrator", 5, 7), ("sliding", 3, 6), ("stretch", 2, 5), ("law", 1, 4), ("measured", 0, 0)];

fn creeps(theme: &ViewTheme, displays: &[Display], times: Axis) -> CardPlot {
    let lines = each(theme, displays, |display| {
        let body = creeping_body(display).unwrap_or(usize::MAX);
        over_time(display, |sample| creep_of(sample, body, 0))
    });
    let right = right(displays);
    CardPlot { lines, right, empty: "nothing creeps", ..plot("creep", "m/s", AxisKind::Log, times) }
}

fn hlambda(theme: &ViewTheme, display: &Display, times: Axis) -> CardPlot {
    let points = over_time(display, |sample| sample.hlambda);
    let lines = vec![CardLine { name: "h λ".into(), colour: theme.good, points }];
    let limit = display.snapshot.decay_limit;
    CardPlot { lines, limit, ..plot("h λ", "", AxisKind::Log, times) }
}

fn difference(theme: &ViewTheme, displays: &[Display], times: Axis) -> CardPlot {
    let name = displays.iter().find_map(|display| display.ghost.as_ref());
    let title = match name {
        Some(ghost) => format!("difference from {}", ghost.name),
        None => "difference from the reference".into(),
    };
    let lines = each(theme, displays, |display| over_time(display, |sample| sample.difference));
    let right = right(displays);
    CardPlot { lines, right, empty: "no difference", ..plot(title, "m", AxisKind::Log, times) }
}

/// Space at the right for names; several runs are named by the numbers of their panes.
fn right(displays: &[Display]) -> i32 {
    if displays.len() > 1 { plot::NUMBERS } else { plot::RIGHT }
}

/// A line for each run in the colour of its pane.
fn each(
    theme: &ViewTheme,
    displays: &[Display],
    points: impl Fn(&Display) -> Vec<CanvasPoint>,
) -> Vec<CardLine> {
    let line = |(pane, display): (usize, &Display)| CardLine {
        name: if displays.len() > 1 { (pane + 1).to_string() } else { String::new() },
        colour: pane_colour(theme, pane),
        points: points(display),
    };
    displays.iter().enumerate().map(line).collect()
}

/// The chosen particle's velocity over its displacement from its mean position, along the axis of
/// its largest range.
fn phase(theme: &ViewTheme, display: &Display, chosen: usize) -> CardPlot {
    let path: Vec<(Vector, Vector)> =
        display.history.path().iter().map(|p| (p.position, p.velocity)).collect();
    let across = |values: &[f64]| Axis::showing(AxisKind::Linear, values.iter().copied());
    let nowhere = (Axis::times(0.0, 1.0), Some(String::new()));
    let empty = CardPlot {
        across: nowhere,
        ..plot("phase portrait", "m/s", AxisKind::Linear, Axis::times(0.0, 1.0))
    };
    let range = |axis: usize| {
        let none = (f64::INFINITY, f64::NEG_INFINITY);
        let all = path.iter().map(|p| p.0[axis]).filter(|x| x.is_finite());
        let (low, high) = all.fold(none, |(low, high), x| (low.min(x), high.max(x)));
        high - low
    };
    let axis = (1..3).fold(0, |best, axis| if range(axis) > range(best) { axis } else { best });
    let known = path.iter().map(|p| p.0[axis]).filter(|x| x.is_finite());
    let mean = known.clone().sum::<f64>() / known.count() as f64;
    let places: Vec<f64> = path.iter().map(|p| p.0[axis] - mean).collect();
    let Some(across) = across(&places) else { return empty };
    let name = ["x", "y", "z"][axis];
    let points = places.into_iter().zip(path.iter().map(|p| p.1[axis])).collect();
    let line = CardLine { name: String::new(), colour: theme.lines[1], points };
    let particle = display.snapshot.model.particle_name(chosen);
    CardPlot {
        title: format!("phase of {particle}: v over {name}"),
        lines: vec![line],
        across: (across, Some(format!("Δ{name} {}", across.unit("m")))),
        ..empty
    }
}

/// One strip per run: green while trusted, red afterwards; the time below.
fn verdicts(pen: &mut Pen, area: &Rect, displays: &[Display], times: Axis) {
    let inner = plot::inner(area, true, right(displays));
    let inner = Rect { y0: area.y0 + 3, ..inner };
    let name = times.unit("s");
    plot::ticks_across(pen, &inner, &times, Some(&format!("t {name}")));
    let at = |time: f64| {
        let share = times.share(time).unwrap_or(0.0);
        f64::from(inner.x0) + f64::from(inner.width()) * share
    };
    for (k, display) in displays.iter().enumerate() {
        let top = f64::from(inner.y0 + k as i32 * STRIP);
        let rows = (top + 2.0, top + f64::from(STRIP) - 3.0);
        let samples = display.history.samples();
        for pair in samples.windows(2) {
            let colour = if pair[1].trusted { pen.theme.good } else { pen.theme.bad };
            pen.bar((at(pair[0].time), at(pair[1].time)), rows, colour, 255);
        }
        let ink = Ink::bold(11.5, pen.theme.ink);
        if displays.len() > 1 {
            let right = f64::from(inner.x0) - 7.0;
            mark(pen, (right - 11.0, rows.1 + 1.5), 11.0, k);
        } else {
            pen.text_before((f64::from(inner.x0) - 5.0, rows.1 + 1.0), ink, "trust");
        }
        let Some(last) = samples.last() else { continue };
        let (text, colour) = match last.trusted {
            true => ("✓", pen.theme.good),
            false => ("✗", pen.theme.bad),
        };
        pen.text((f64::from(inner.x1) + 7.0, rows.1 + 1.0), Ink { colour, ..ink }, text);
    }
}
