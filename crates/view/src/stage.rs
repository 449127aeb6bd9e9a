//! The stage: a canvas with a camera and a look, for one run, or up to four side by side.

use super::camera::{Camera, bounds_of, scope};
use super::canvas::{Canvas, Rect};
use super::cards::layout::{Layout, Wishes};
use super::cards::{self, Button, browser, facts, notice};
use super::dial::Entry;
use super::display::Display;
use super::keys::Action;
use super::outlines::Outlines;
use super::painter::{Look, PaintedPlace, PaintedSubject, Painter, is_flat, legend, wires};
use super::pen::{Pen, on_canvas};
use super::snapshot::Snapshot;
use stiction_core::contact::collider::Bounds;
use stiction_core::math::{Vector, acos, larger, smaller};

pub use super::cards::browser::BrowserListing;

/// Largest number of runs side by side.
pub const PANES: usize = 4;

/// Size of a picture below which the camera does not move back \[pixels\].
const SMALLEST: i32 = 80;

/// Largest distance to which the camera moves back by itself, in distances of the framing.
const FARTHEST: f64 = 3.0;

/// Turning angle of an open wire within which it is framed \[rad\]: the sides of a trough or of a
/// crest.
const BEND: f64 = 1.4;

/// The bodies that the camera follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FollowedBody {
    /// All bodies.
    All,
    /// The body with this index.
    Body(usize),
    /// Nothing.
    Nothing,
}

/// A canvas, and the display of runs on it.
pub struct Stage {
    /// The canvas.
    pub canvas: Canvas,
    /// The viewpoint, the same in all panes.
    pub camera: Camera,
    /// Layers and colours.
    pub look: Look,
    /// Whether the facts and the controls are shown.
    pub panel: bool,
    /// Whether the live plots are shown.
    pub plots: bool,
    /// Whether the help is shown.
    pub help: bool,
    /// The bodies followed by the camera.
    pub follow: FollowedBody,
    /// The pane that receives keys, from 0.
    pub active: usize,
    /// A message shown once: the reason of a refused change, the name of a saved file.
    pub notice: Option<String>,
    /// The scene browser, if it is open.
    pub browser: Option<BrowserListing>,
    /// The number that is being typed.
    pub entry: Option<Entry>,
    /// Whether a film is being written.
    pub filming: bool,
    /// Pixels of the canvas per pixel of the design.
    pub scale: f64,
    painter: Painter,
    home: Vector,
    /// middle of the bodies at the last move of the camera
    known: Vector,
    slack: f64,
    /// distance at which the bodies fit the picture, at the framing and now \[m\]
    fits: (f64, f64),
    /// the framed bounds, and the width/height ratio of the present distance
    framed: (Bounds, f64),
    locked_axis: Option<usize>,
    /// number of panes, and of settings of the active one
    shown: (usize, usize),
    layout: Layout,
    cards: Vec<Rect>,
    buttons: Vec<Button>,
}

impl Stage {
    /// An empty stage of the given size \[pixels\]; `scale` is 2 on a screen of double resolution.
    /// [`Self::frame`] points the camera.
    pub fn new(width: usize, height: usize, scale: f64) -> Stage {
        let bounds = scope(&[]);
        Stage {
            canvas: Canvas::new(width, height),
            camera: Camera::framing(&bounds, 1.0, None),
            look: Look::default(),
            panel: true,
            plots: false,
            help: false,
            follow: FollowedBody::All,
            active: 0,
            notice: None,
            browser: None,
            entry: None,
            filming: false,
            scale,
            painter: Painter::new(),
            home: Vector::zeros(),
            known: Vector::zeros(),
            slack: 0.0,
            fits: (1.0, 1.0),
            framed: (bounds, 1.0),
            locked_axis: None,
            shown: (1, 0),
            layout: Layout::default(),
            cards: Vec::new(),
            buttons: Vec::new(),
        }
    }

    /// Frames the present state from the default direction.
    pub fn frame(&mut self, snapshot: &Snapshot) {
        self.locked_axis = snapshot.model.locked_axis;
        let bodies = all_bodies(snapshot);
        self.home = middle(&bodies);
        self.known = self.home;
        self.slack = 0.18 * (bodies.max - bodies.min).norm();
        let (all, wired) = surroundings(&self.painter.outlines, bodies, snapshot);
        if wired {
            self.slack = (all.max - all.min).norm();
        }
        let aspect = self.aspect();
        self.camera = Camera::framing(&all, aspect, self.locked_axis);
        self.fits = (self.camera.distance, self.camera.distance);
        self.framed = (all, aspect);
    }

    /// Frames the present state from the present direction, and follows [`Stage::follow`] from its
    /// present position.
    pub fn fit(&mut self, snapshot: &Snapshot) {
        let bodies = all_bodies(snapshot);
        let followed = match self.follow {
            FollowedBody::Body(b) => snapshot
                .model
                .bodies
                .get(b)
                .and_then(|body| extent(snapshot, body.particles.clone())),
            FollowedBody::All | FollowedBody::Nothing => None,
        };
        self.home = middle(&followed.unwrap_or(bodies));
        self.known = self.home;
        let (all, _) = surroundings(&self.painter.outlines, bodies, snapshot);
        let aspect = self.aspect();
        self.camera.fit(&all, aspect);
        self.fits = (self.camera.distance, self.camera.distance);
    }

    /// Moves the camera back to the framing, with direction and zoom unchanged.
    pub fn go_home(&mut self) {
        self.camera.target += self.home - self.known;
        self.known = self.home;
        self.camera.distance *= self.fits.0 / self.fits.1;
        self.fits.1 = self.fits.0;
    }

    fn aspect(&self) -> f64 {
        let focus = self.place_of(0, self.shown.0).focus;
        f64::from(focus.width()) / f64::from(focus.height().max(1))
    }

    /// Keeps the framed bounds in the picture when its shape changes: other panes, cards or sizes.
    fn refit(&mut self) {
        let (bounds, before) = self.framed;
        let aspect = self.aspect();
        if aspect != before {
            let ratio = self.camera.fitting(&bounds, aspect) / self.camera.fitting(&bounds, before);
            self.camera.distance *= ratio;
            self.fits = (self.fits.0 * ratio, self.fits.1 * ratio);
            self.framed.1 = aspect;
        }
    }

    /// Follows when the bodies leave their slack, and moves back when they outgrow the picture.
    fn go_along(&mut self, snapshot: &Snapshot) {
        let followed = match self.follow {
            FollowedBody::All => 0..snapshot.state.positions.len(),
            FollowedBody::Body(b) => match snapshot.model.bodies.get(b) {
                Some(body) => body.particles.clone(),
                None => return,
            },
            FollowedBody::Nothing => return,
        };
        let Some(bounds) = extent(snapshot, followed) else { return };
        let focus = self.place_of(0, self.shown.0).focus;
        let mut slack = self.slack;
        if focus.width() >= SMALLEST && focus.height() >= SMALLEST {
            let aspect = self.aspect();
            let fitting = self.camera.fitting(&bounds, aspect).min(FARTHEST * self.fits.0);
            if fitting > self.fits.1 {
                self.camera.distance *= fitting / self.fits.1;
                self.fits.1 = fitting;
            }
            // bodies that fill the picture are kept nearer to its middle
            slack = smaller(slack, self.camera.room(fitting, self.fits.1, aspect));
        }
        let away = middle(&bounds) - self.known;
        let distance = away.norm();
        if distance.is_finite() && distance > slack {
            let step = away * (1.0 - slack / distance);
            self.camera.target += step;
            self.known += step;
        }
    }

    /// Changes the size of the canvas \[pixels\].
    pub fn resize(&mut self, width: usize, height: usize) {
        if (width, height) != (self.canvas.width(), self.canvas.height()) {
            self.canvas = Canvas::new(width, height);
        }
    }

    /// The scale, clamped to its range.
    fn unit(&self) -> f64 {
        if self.scale.is_finite() { self.scale.clamp(0.25, 8.0) } else { 1.0 }
    }

    /// Whether there is a legend; small panes have none.
    fn labels(&self, panes: usize) -> bool {
        self.look.labels && panes <= 2
    }

    fn arrange(&self, panes: usize) -> Layout {
        let design = |pixels: usize| (pixels as f64 / self.unit()) as i32;
        let controls = cards::controls::height(self.shown.1);
        let wishes = Wishes { panes, panel: self.panel, controls, plots: self.plots };
        let (width, height) = (design(self.canvas.width()), design(self.canvas.height()));
        let mut layout = Layout::new(width, height, &wishes);
        if self.labels(panes) {
            layout.keep_free(legend::height);
        }
        layout
    }

    /// Position of a run among `panes` panes, and its part not covered by cards \[pixels\].
    pub fn place_of(&self, pane: usize, panes: usize) -> PaintedPlace {
        let panes = panes.clamp(1, PANES);
        let layout = self.arrange(panes);
        let (pane, scale) = (pane.min(panes - 1), self.unit());
        let mut place = PaintedPlace {
            pane: on_canvas(&layout.panes[pane], scale),
            focus: on_canvas(&layout.focus[pane], scale),
            scale,
        };
        if panes == 1 {
            // so that rounding leaves no black row or column
            let whole = self.canvas.bounds();
            place.pane = whole;
            if layout.plots.is_none() {
                place.focus.x1 = whole.x1;
            }
            if !self.labels(panes) {
                place.focus.y1 = whole.y1;
            }
        }
        place
    }

    /// The pane at a point of the canvas, as last drawn.
    pub fn pane_at(&self, x: f64, y: f64) -> Option<usize> {
        let at = self.design(x, y);
        self.layout.panes.iter().position(|pane| holds(pane, at))
    }

    /// Action of a click at a point, as last drawn: `None` in the picture or on a card.
    pub fn button_at(&self, x: f64, y: f64) -> Option<Action> {
        let at = self.design(x, y);
        self.buttons.iter().find(|button| holds(&button.rect, at)).map(|button| button.action)
    }

    /// The position along a button's width at x, from 0 to 1 inside it.
    pub(crate) fn share_of(&self, action: Action, x: f64) -> Option<f64> {
        let button = self.buttons.iter().find(|button| button.action == action)?;
        let (x, _) = self.design(x, 0.0);
        Some((x - f64::from(button.rect.x0)) / f64::from(button.rect.width().max(1)))
    }

    /// Whether a card covers the picture at a point, as last drawn.
    pub fn card_at(&self, x: f64, y: f64) -> bool {
        let at = self.design(x, y);
        self.cards.iter().any(|card| holds(card, at))
    }

    /// All buttons as last drawn \[pixels\].
    pub fn buttons(&self) -> impl Iterator<Item = (Rect, Action)> {
        self.buttons.iter().map(|button| (on_canvas(&button.rect, self.unit()), button.action))
    }

    /// All cards as last drawn \[pixels\]; the help or the browser, which cover others, come last.
    pub fn cards(&self) -> impl Iterator<Item = Rect> {
        self.cards.iter().map(|card| on_canvas(card, self.unit()))
    }

    fn design(&self, x: f64, y: f64) -> (f64, f64) {
        (x / self.unit(), y / self.unit())
    }

    /// Draws the present state of runs: one, or up to [`PANES`] side by side.
    pub fn draw(&mut self, displays: &[Display]) {
        self.cards.clear();
        self.buttons.clear();
        let displays = &displays[..displays.len().min(PANES)];
        let Some(first) = displays.first() else { return };
        self.active = self.active.min(displays.len() - 1);
        self.shown = (displays.len(), displays[self.active].settings.len());
        self.refit();
        self.go_along(&first.snapshot);
        if displays.len() > 1 {
            self.canvas.gradient(self.look.theme.sky, self.look.theme.haze);
        }
        let look = Look { labels: self.labels(displays.len()), ..self.look };
        for (k, display) in displays.iter().enumerate() {
            let place = self.place_of(k, displays.len());
            let Display { snapshot, ghost, chosen, .. } = display;
            let subject = PaintedSubject { snapshot, ghost: ghost.as_ref(), chosen: *chosen };
            self.painter.paint(&mut self.canvas, &place, &subject, &self.camera, &look);
        }
        self.layout = self.arrange(displays.len());
        self.draw_cards(displays);
        self.draw_covers();
    }

    /// A pen, and the lists of drawn cards and buttons.
    fn pen(&mut self) -> (Pen<'_>, &mut Vec<Rect>, &mut Vec<Button>) {
        let scale = self.unit();
        let Stage { canvas, painter, look, cards, buttons, .. } = self;
        (Pen { canvas, typeface: &painter.typeface, theme: look.theme, scale }, cards, buttons)
    }

    fn draw_cards(&mut self, displays: &[Display]) {
        let (layout, active) = (self.layout.clone(), self.active);
        let (filming, said) = (self.filming, self.notice.clone());
        let entry = self.entry.clone();
        let (mut pen, cards, buttons) = self.pen();
        let several = displays.len() > 1;
        for (k, (card, display)) in layout.compact.iter().zip(displays).enumerate() {
            cards::compact::draw(&mut pen, card, display, several.then_some(k));
            cards.push(*card);
        }
        if several && let Some(pane) = layout.panes.get(active) {
            pen.frame(pane, 3, pen.theme.compressed);
        }
        let display = &displays[active];
        if let Some(card) = &layout.controls {
            buttons.extend(cards::controls::draw(&mut pen, card, display, entry.as_ref()));
            cards.push(*card);
        }
        if let Some(card) = &layout.plots {
            cards::plots::draw(&mut pen, card, displays);
            cards.push(*card);
        }
        let mut room = layout.facts;
        // notice at the bottom of the lower left pane, sign of a film at the top of the upper right
        // one
        if let Some(text) = &said {
            let focus = &layout.focus[(displays.len() - 1) / 2 * 2];
            let card = notice::draw(&mut pen, focus, text);
            room = room.map(|room| above(room, &card));
            cards.push(card);
        }
        if filming {
            let card = notice::draw_filming(&mut pen, &layout.focus[usize::from(several)]);
            room = room.map(|room| below(room, &card));
            cards.push(card);
        }
        if let Some(room) = room.filter(|room| room.height() >= 60) {
            let lines = match several {
                true => vec![facts::common(display, 2)],
                false => details(layout.controls.is_some(), display),
            };
            cards.push(facts::draw(&mut pen, &room, &lines));
        }
    }

    /// Draws the cards that cover the picture; everything behind them loses its buttons.
    fn draw_covers(&mut self) {
        let whole = Rect {
            x1: (self.canvas.width() as f64 / self.unit()) as i32,
            y1: (self.canvas.height() as f64 / self.unit()) as i32,
            ..Rect::default()
        };
        let (help, listing) = (self.help, self.browser.take());
        let (mut pen, cards, buttons) = self.pen();
        if help || listing.is_some() {
            let veil = pen.theme.sky;
            pen.fill(&Rect { x1: whole.x1 + 1, y1: whole.y1 + 1, ..whole }, veil, 130);
            buttons.clear();
        }
        if let (Some(listing), false) = (&listing, help) {
            let (card, rows) = browser::draw(&mut pen, &whole, listing);
            cards.push(card);
            buttons.extend(rows);
        }
        if help {
            cards.push(cards::help::draw(&mut pen, &whole));
        }
        self.browser = listing;
    }
}

/// Lines of the facts at each level of detail, the longest first.
fn details(controls: bool, display: &Display) -> Vec<Vec<facts::FactLine>> {
    let mut levels = vec![facts::Detail::All, facts::Detail::Less];
    if controls {
        levels.push(facts::Detail::Least);
    }
    levels.into_iter().map(|detail| facts::lines(display, detail)).collect()
}

fn holds(rect: &Rect, (x, y): (f64, f64)) -> bool {
    let across = f64::from(rect.x0) <= x && x < f64::from(rect.x1);
    across && f64::from(rect.y0) <= y && y < f64::from(rect.y1)
}

/// The part of `room` above a card that overlaps it.
fn above(room: Rect, card: &Rect) -> Rect {
    match room.intersection(card).is_empty() {
        true => room,
        false => Rect { y1: card.y0 - cards::MARGIN, ..room },
    }
}

/// The part of `room` below a card that overlaps it.
fn below(room: Rect, card: &Rect) -> Rect {
    match room.intersection(card).is_empty() {
        true => room,
        false => Rect { y0: card.y1 + cards::MARGIN, ..room },
    }
}

/// The bounds of particles with their radii; as wide as for a framing if all coincide.
fn extent(snapshot: &Snapshot, particles: std::ops::Range<usize>) -> Option<Bounds> {
    let positions = snapshot.state.positions.get(particles.clone())?;
    bounds_of(positions)?;
    let radii = snapshot.model.surfaces.radii.get(particles).unwrap_or_default();
    let widest = radii.iter().copied().filter(|r| r.is_finite()).fold(0.0, larger);
    let (Bounds { min, max }, rim) = (scope(positions), Vector::repeat(widest));
    Some(Bounds { min: min - rim, max: max + rim })
}

/// The same of all bodies; one metre without any.
fn all_bodies(snapshot: &Snapshot) -> Bounds {
    extent(snapshot, 0..snapshot.state.positions.len()).unwrap_or_else(|| scope(&[]))
}

fn middle(bounds: &Bounds) -> Vector {
    (bounds.min + bounds.max) * 0.5
}

/// The bounds of bodies, of colliders that are not much larger, and of the wire of a bead; and
/// whether there is such a wire, within which the camera need not move.
fn surroundings(outlines: &Outlines, bodies: Bounds, snapshot: &Snapshot) -> (Bounds, bool) {
    let size = (bodies.max - bodies.min).norm();
    let mut all = bodies;
    let lone = bounds_of(&snapshot.state.positions).is_some_and(|own| own.min == own.max);
    let wire = wire_of(snapshot).filter(|_| lone);
    if let Some(wire) = wire {
        all = joined(all, wire);
    }
    let mut held = false;
    for (number, collider) in snapshot.model.surfaces.colliders.iter().enumerate() {
        let pose = collider.motion.pose(snapshot.state.time);
        let outline = outlines.of(&snapshot.model, number, &bodies);
        let points: Vec<Vector> = outline.iter().flatten().map(|p| pose.to_world(*p)).collect();
        if let Some(own) = bounds_of(&points)
            && !is_flat(&outline)
        {
            // for a single particle in a bowl, the bowl is framed
            let holds = lone && wire.is_none() && contains(&own, &middle(&bodies));
            held |= holds;
            if holds || (own.max - own.min).norm() < 2.5 * size {
                all = joined(all, own);
            }
        }
    }
    (all, wire.is_some() || held)
}

/// Whether a point is in a box, or outside by at most a hundredth of its size: a bead at the lowest
/// point of a bowl has some depth.
fn contains(bounds: &Bounds, p: &Vector) -> bool {
    let rim = (bounds.max - bounds.min) * 0.01;
    let (least, most) = (bounds.min - rim, bounds.max + rim);
    (0..3).all(|axis| least[axis] <= p[axis] && p[axis] <= most[axis])
}

fn joined(a: Bounds, b: Bounds) -> Bounds {
    Bounds { min: a.min.inf(&b.min), max: a.max.sup(&b.max) }
}

/// The bounds of the wire through a single bead: all of a closed one, of an open one the part that
/// turns by [`BEND`] on either side.
fn wire_of(snapshot: &Snapshot) -> Option<Bounds> {
    let wire = wires(&snapshot.model);
    let (first, last) = (wire.first()?, wire.last()?);
    if first[0] == last[1] {
        return bounds_of(&wire.concat());
    }
    let bead = *snapshot.model.reference.first()?;
    let start = wire.iter().position(|[a, _]| *a == bead)?;
    let mut shown = vec![bead];
    shown.extend(bend(wire[start..].iter().map(|[_, b]| *b), bead));
    shown.extend(bend(wire[..start].iter().rev().map(|[a, _]| *a), bead));
    bounds_of(&shown)
}

/// Points along a line from `start` on until it has turned by [`BEND`].
fn bend(points: impl Iterator<Item = Vector>, start: Vector) -> Vec<Vector> {
    let (mut before, mut along, mut turned) = (start, None, 0.0);
    points
        .take_while(|p| {
            let ahead = (*p - before).normalize();
            let straight = ahead.dot(along.get_or_insert(ahead));
            turned += acos(straight.clamp(-1.0, 1.0));
            (before, along) = (*p, Some(ahead));
            turned < BEND
        })
        .collect()
}
