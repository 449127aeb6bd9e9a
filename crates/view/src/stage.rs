//! The stage: a canvas with a camera and a look, for one run, or up to four side by side.

mod framing;
mod strays;

use super::camera::{Camera, scope};
use super::canvas::{Canvas, Rect};
use super::captions::Captions;
use super::cards::layout::{Layout, Wishes};
use super::cards::plots::PlotWishes;
use super::cards::{self, Button, browser, facts, headline, notice};
use super::dial::Entry;
use super::display::Display;
use super::finder::Finder;
use super::keys::Action;
use super::painter::{Look, PaintedPlace, PaintedSubject, Painter, WrittenText, legend};
use super::pen::{Pen, on_canvas};
use stiction_core::contact::collider::Bounds;
use stiction_core::math::{Vector, larger};

pub use super::cards::browser::BrowserListing;

/// Largest number of runs side by side.
pub const PANES: usize = 4;

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
    /// Title and chosen plots.
    pub captions: Captions,
    /// Whether each of several panes has its card.
    pub pane_cards: bool,
    /// Whether panel and plots show energies.
    pub energies: bool,
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
    /// The search for a number of the scene, if it is open.
    pub finder: Option<Finder>,
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
    /// diagonal of the bodies at the start of the scene \[m\]
    extent: f64,
    /// bodies that the camera does not follow since they have flown off, and their notice
    strays: Vec<usize>,
    left: Option<String>,
    /// largest strain drawn since the scene began, and the time of the last picture \[s\]
    strain: f64,
    drawn_at: f64,
    /// number of panes, and height of the controls of the active one
    shown: (usize, i32),
    /// plots before the first that is drawn, and names of those without room
    skipped: usize,
    plots_shown: usize,
    /// whether plots stand in place of the panel
    instead: bool,
    left_out: Vec<String>,
    layout: Layout,
    cards: Vec<Rect>,
    texts: Vec<WrittenText>,
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
            pane_cards: true,
            captions: Captions::default(),
            skipped: 0,
            plots_shown: 0,
            instead: false,
            left_out: Vec::new(),
            energies: false,
            help: false,
            follow: FollowedBody::All,
            active: 0,
            notice: None,
            browser: None,
            entry: None,
            finder: None,
            filming: false,
            scale,
            painter: Painter::new(),
            home: Vector::zeros(),
            known: Vector::zeros(),
            slack: 0.0,
            fits: (1.0, 1.0),
            framed: (bounds, 1.0),
            locked_axis: None,
            extent: 1.0,
            strays: Vec::new(),
            left: None,
            strain: 0.0,
            drawn_at: 0.0,
            shown: (1, 0),
            layout: Layout::default(),
            cards: Vec::new(),
            texts: Vec::new(),
            buttons: Vec::new(),
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
        let controls = self.shown.1;
        let chosen = !self.captions.plots.is_empty();
        let wishes = Wishes { panes, panel: self.panel, controls, plots: self.plots, chosen };
        let (width, height) = (design(self.canvas.width()), design(self.canvas.height()));
        let title = self.headline().height();
        let mut layout = Layout::new(width, height - title, &wishes);
        layout.lower(title);
        if self.labels(panes) {
            layout.keep_free(legend::height);
        }
        layout
    }

    /// The strip of the title at the top, in pixels of the design.
    fn headline(&self) -> Rect {
        let design = |pixels: usize| (pixels as f64 / self.unit()) as i32;
        let (width, height) = (design(self.canvas.width()), design(self.canvas.height()));
        let title = self.captions.title.as_deref().unwrap_or_default();
        let strip = headline::height(&self.painter.typeface, title, (width, height));
        Rect { x0: 0, y0: 0, x1: width, y1: strip }
    }

    /// Shows the plots that had no room: in the card the next ones, without a card all in place of
    /// the panel, and the panel again after the last. Returns whether there is another picture.
    pub(crate) fn next_plots(&mut self) -> bool {
        let shown = self.plots_shown;
        self.plots = true;
        if self.panel && shown == 0 {
            let drawn = std::mem::replace(&mut self.panel, false);
            self.instead = self.arrange(self.shown.0).plots.is_some();
            self.panel = drawn && !self.instead;
            return self.instead;
        }
        let last = self.skipped + shown >= shown + self.left_out.len();
        self.skipped = if last { 0 } else { self.skipped + shown };
        let panel = std::mem::take(&mut self.instead);
        self.instead = panel && !last;
        self.panel |= panel && last;
        !self.left_out.is_empty() || panel
    }

    /// Names of the wanted plots that had no room, as last drawn.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// Position of a run among `panes` panes, and its part not covered by cards \[pixels\].
    pub fn place_of(&self, pane: usize, panes: usize) -> PaintedPlace {
        let panes = panes.clamp(1, PANES);
        let layout = self.arrange(panes);
        let (pane, scale) = (pane.min(panes - 1), self.unit());
        let mut place = PaintedPlace {
            backdrop: self.canvas.bounds(),
            pane: on_canvas(&layout.panes[pane], scale),
            focus: on_canvas(&layout.focus[pane], scale),
            scale,
        };
        // so that rounding leaves no black row or column
        let all = self.canvas.bounds();
        let design = |pixels: i32| (f64::from(pixels) / scale) as i32;
        for rect in [&mut place.pane, &mut place.focus] {
            if rect.x1 >= on_canvas(&Rect { x1: design(all.x1), ..*rect }, scale).x1 {
                rect.x1 = all.x1;
            }
            if rect.y1 >= on_canvas(&Rect { y1: design(all.y1), ..*rect }, scale).y1 {
                rect.y1 = all.y1;
            }
        }
        if panes > 1 {
            place.backdrop = place.pane;
        }
        place
    }

    /// The pane at a point of the canvas, as last drawn.
    pub fn pane_at(&self, x: f64, y: f64) -> Option<usize> {
        let at = self.design(x, y);
        self.layout.panes.iter().position(|pane| holds(pane, at))
    }

    /// Action of the button at a point, as last drawn; `None` where there is no button.
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

    /// Whether there is room for the controls.
    pub(crate) fn has_controls(&self) -> bool {
        self.arrange(self.shown.0).controls.is_some()
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

    /// All texts in the pictures, legends included, as last drawn.
    pub fn texts(&self) -> &[WrittenText] {
        &self.texts
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
        self.shown = (displays.len(), cards::controls::height(&displays[self.active]));
        self.refit();
        self.go_along(displays);
        self.grow_strain(displays, first.snapshot.state.time);
        if self.place_of(0, displays.len()).pane != self.canvas.bounds() {
            self.canvas.gradient(self.look.theme.sky, self.look.theme.haze);
        }
        let look = Look { labels: self.labels(displays.len()), ..self.look };
        for (k, display) in displays.iter().enumerate() {
            let place = self.place_of(k, displays.len());
            let Display { snapshot, ghost, chosen, .. } = display;
            let strain = Some(self.strain);
            let subject =
                PaintedSubject { snapshot, ghost: ghost.as_ref(), chosen: *chosen, strain };
            self.painter.paint(&mut self.canvas, &place, &subject, &self.camera, &look);
        }
        self.texts = self.painter.take_written();
        self.layout = self.arrange(displays.len());
        self.draw_captions(displays);
        self.draw_cards(displays);
        self.draw_covers();
    }

    /// The scale of strain of all panes: it grows while a run goes ahead, and begins anew where time
    /// jumps back by more than half.
    fn grow_strain(&mut self, displays: &[Display], time: f64) {
        if time < 0.5 * self.drawn_at {
            self.strain = 0.0;
        }
        self.drawn_at = time;
        let (painter, look) = (&mut self.painter, &self.look);
        let strains = displays.iter().map(|display| painter.strain(&display.snapshot, look));
        self.strain = strains.fold(self.strain, larger);
    }

    /// A pen, and the lists of drawn cards and buttons.
    fn pen(&mut self) -> (Pen<'_>, &mut Vec<Rect>, &mut Vec<Button>) {
        let scale = self.unit();
        let Stage { canvas, painter, look, cards, buttons, .. } = self;
        (Pen { canvas, typeface: &painter.typeface, theme: look.theme, scale }, cards, buttons)
    }

    /// Draws title and plots, and notes the plots that have no room.
    fn draw_captions(&mut self, displays: &[Display]) {
        let (place, strip) = (self.layout.plots, self.headline());
        let captions = self.captions.clone();
        let wishes = PlotWishes {
            energies: self.energies,
            chosen: &captions.plots,
            skipped: self.skipped,
            until: captions.until,
        };
        let wants_plots = self.plots;
        let (mut left_out, mut shown) = (Vec::new(), 0);
        let key = if self.instead { "P, then the panel" } else { "P" };
        // in a film there are no keys
        let key = (!displays[self.active].settings.is_empty()).then_some(key);
        let (mut pen, cards, _) = self.pen();
        if let Some(card) = &place {
            let drawn = cards::plots::draw(&mut pen, card, displays, &wishes, key);
            cards.push(drawn.card);
            (left_out, shown) = (drawn.left_out, drawn.shown);
        } else if wants_plots {
            left_out = cards::plots::wanted(displays, pen.theme, &wishes);
        }
        if let Some(title) = captions.title.as_deref().filter(|_| strip.height() > 0) {
            headline::draw(&mut pen, &strip, title);
        }
        (self.left_out, self.plots_shown) = (left_out, shown);
    }

    fn draw_cards(&mut self, displays: &[Display]) {
        let (layout, active) = (self.layout.clone(), self.active);
        let without_room = if layout.plots.is_none() { self.left_out.len() } else { 0 };
        let (filming, said) = (self.filming, self.notice.clone());
        let (entry, energies) = (self.entry.clone(), self.energies);
        let several = displays.len() > 1;
        let compact = if several && !self.pane_cards { &[][..] } else { &layout.compact[..] };
        let (mut pen, cards, buttons) = self.pen();
        for (k, (card, display)) in compact.iter().zip(displays).enumerate() {
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
                false => details(energies, layout.controls.is_some(), display),
            };
            let lines = lines.into_iter().map(|lines| facts::with_plots(lines, without_room));
            cards.push(facts::draw(&mut pen, &room, &lines.collect::<Vec<_>>()));
        }
    }

    /// Draws the cards that cover the picture; everything behind them loses its buttons.
    fn draw_covers(&mut self) {
        let whole = Rect {
            x1: (self.canvas.width() as f64 / self.unit()) as i32,
            y1: (self.canvas.height() as f64 / self.unit()) as i32,
            ..Rect::default()
        };
        let (help, listing, finder) = (self.help, self.browser.take(), self.finder.take());
        let focus = self.layout.focus.get(self.active).copied().unwrap_or(whole);
        let (mut pen, cards, buttons) = self.pen();
        if let Some(finder) = &finder {
            let (card, rows) = cards::finder::draw(&mut pen, &focus, finder);
            cards.push(card);
            buttons.extend(rows);
        }
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
        (self.browser, self.finder) = (listing, finder);
    }
}

/// Lines of the facts at each level of detail, the longest first.
fn details(energies: bool, controls: bool, display: &Display) -> Vec<Vec<facts::FactLine>> {
    use facts::Detail::{All, Energies, Least, Less};
    let levels = match (energies, controls) {
        (true, _) => vec![All, Energies],
        (false, true) => vec![Less, Least],
        (false, false) => vec![Less],
    };
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
