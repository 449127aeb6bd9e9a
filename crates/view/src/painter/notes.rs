//! Texts beside things: pushes, angles, names of bodies, speeds, forces of the chosen body, and the
//! numbers of the grid. Each has a place of its own, or is left out.

use super::Scenery;
use super::leader;
use super::marks::Marks;
use super::pile::Pile;
use super::places::{Places, SIDES, beside, ring};
use super::shadow::Mask;
use super::slope::Slope;
use super::{WrittenText, contacts, ground, hand};
use crate::canvas::{Canvas, CanvasPoint, Rect};
use crate::text::{Ink, Typeface, quantity};
use crate::theme::mix;
use stiction_core::state::memory::Contact;

/// Contacts of the chosen body whose forces are written.
const FORCES: usize = 6;

/// Ground of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Backing {
    /// A card with a border.
    Card,
    /// A faint veil.
    Veil,
    /// The floor.
    Floor,
}

/// A text with its place.
struct Note {
    rect: Rect,
    /// from the text to its body or arrow, if that is far
    leader: Option<[CanvasPoint; 2]>,
    text: String,
    ink: Ink,
    backing: Backing,
}

/// All texts and marks of a picture, but for its legend.
pub(super) struct Notes {
    notes: Vec<Note>,
    slope: Option<Slope>,
    marks: Option<Marks>,
}

/// Writes texts into places.
struct Writing<'a> {
    typeface: &'a Typeface,
    scenery: &'a Scenery<'a>,
    places: Places<'a>,
    notes: Vec<Note>,
}

impl Notes {
    /// Finds the places: what says most comes first.
    pub(super) fn of(
        typeface: &Typeface,
        bodies: &mut Mask,
        clip: Rect,
        scenery: &Scenery,
    ) -> Notes {
        let places = Places::around(bodies, clip, scenery);
        let mut writing = Writing { typeface, scenery, places, notes: Vec::new() };
        let look = scenery.look;
        let marks = look.labels.then(|| Marks::of(scenery));
        let slope = if look.labels { Slope::of(scenery, &writing.places) } else { None };
        let moving =
            marks.iter().flat_map(|marks| marks.motions.iter().map(|moving| moving.ends()));
        let arrows = hand::arrows(scenery);
        moving.chain(arrows).for_each(|ends| writing.places.cover(ends));
        for (text, at, towards) in hand::texts(scenery) {
            writing.ring(&text, Backing::Card, (at, towards));
        }
        if let Some(slope) = &slope {
            writing.ring(&slope.text, Backing::Card, slope.beside());
        }
        if look.labels && look.names_shown(scenery.model.bodies.len()) {
            writing.names();
        }
        for moving in marks.iter().flat_map(|marks| &marks.motions) {
            writing.ring(&quantity(moving.speed, "m/s"), Backing::Veil, moving.beside());
        }
        writing.forces();
        if look.labels {
            // the first that has room has the unit
            let mut unit = " m";
            for (at, text) in ground::numbers(scenery) {
                match writing.at(&format!("{text}{unit}"), at) {
                    true => unit = "",
                    false => _ = writing.at(&text, at),
                }
            }
        }
        Notes { notes: writing.notes, slope, marks }
    }

    /// Draws what lies on the floor.
    pub(super) fn draw_on_floor(
        &self,
        canvas: &mut Canvas,
        typeface: &Typeface,
        scenery: &Scenery,
    ) {
        for note in self.notes.iter().filter(|note| note.backing == Backing::Floor) {
            note.draw(canvas, typeface, scenery);
        }
    }

    /// Adds the pins.
    pub(super) fn heap(&self, pile: &mut Pile, scenery: &Scenery) {
        self.marks.iter().for_each(|marks| marks.heap(pile, scenery));
    }

    /// Draws angle and motions.
    pub(super) fn draw_marks(&self, canvas: &mut Canvas, scenery: &Scenery) {
        if let Some(slope) = &self.slope {
            slope.draw(canvas, scenery);
        }
        if let Some(marks) = &self.marks {
            marks.draw(canvas, scenery);
        }
    }

    /// Draws all other texts.
    pub(super) fn draw(&self, canvas: &mut Canvas, typeface: &Typeface, scenery: &Scenery) {
        for note in self.notes.iter().filter(|note| note.backing != Backing::Floor) {
            note.draw(canvas, typeface, scenery);
        }
    }

    /// The texts with their boxes.
    pub(super) fn written(&self) -> impl Iterator<Item = WrittenText> {
        let pixel = |(x, y): CanvasPoint| (x.round() as i32, y.round() as i32);
        self.notes.iter().map(move |note| WrittenText {
            rect: note.rect,
            text: note.text.clone(),
            leader: note.leader.map(|ends| ends.map(pixel)),
        })
    }
}

impl Writing<'_> {
    fn ink(&self, backing: Backing) -> Ink {
        let theme = self.scenery.look.theme;
        match backing {
            Backing::Card => Ink::bold(self.scenery.pixels(13.0), theme.ink),
            Backing::Veil => Ink::regular(self.scenery.pixels(12.0), theme.ink),
            Backing::Floor => Ink::regular(self.scenery.pixels(11.5), theme.faint),
        }
    }

    /// Width and height of a text with its rim \[pixels\].
    fn size(&self, text: &str, ink: Ink, backing: Backing) -> (f64, f64) {
        let px = |design: f64| self.scenery.pixels(design);
        let (rim, height) = match backing {
            Backing::Card => (px(14.0), px(22.0)),
            Backing::Veil => (px(8.0), px(17.0)),
            Backing::Floor => (px(2.0), px(14.0)),
        };
        (self.typeface.width(ink, text) + rim, height)
    }

    fn write(&mut self, text: &str, ink: Ink, backing: Backing, middles: Vec<CanvasPoint>) -> bool {
        let size = self.size(text, ink, backing);
        let found = self.places.take(middles, size);
        self.notes.extend(found.map(|rect| Note {
            rect,
            leader: None,
            text: text.into(),
            ink,
            backing,
        }));
        found.is_some()
    }

    /// Around a point.
    fn ring(&mut self, text: &str, backing: Backing, (at, towards): (CanvasPoint, CanvasPoint)) {
        let (size, gap) = (self.size(text, self.ink(backing), backing), self.scenery.pixels(6.0));
        let mut middles = ring(at, size, towards, gap);
        // a thing outside the free part has its text at the rim
        let room = self.places.room();
        let (low, high) =
            ((f64::from(room.x0), f64::from(room.y0)), (f64::from(room.x1), f64::from(room.y1)));
        if high.0 - low.0 > size.0 && high.1 - low.1 > size.1 {
            let held = |(x, y): CanvasPoint| {
                (
                    x.clamp(low.0 + 0.5 * size.0 + 1.0, high.0 - 0.5 * size.0 - 1.0),
                    y.clamp(low.1 + 0.5 * size.1 + 1.0, high.1 - 0.5 * size.1 - 1.0),
                )
            };
            match backing {
                // of a force near its arrow rather than at a free place far from it
                Backing::Card => {
                    middles = middles
                        .chunks(SIDES)
                        .flat_map(|ring| ring.iter().copied().chain(ring.iter().copied().map(held)))
                        .collect();
                }
                _ => middles.extend(middles.clone().into_iter().map(held)),
            }
        }
        if self.write(text, self.ink(backing), backing, middles)
            && backing == Backing::Card
            && let Some(note) = self.notes.last_mut()
        {
            note.leader = leader::to_point(&note.rect, at);
        }
    }

    /// In the middle of a point, or nowhere; returns whether there was room.
    fn at(&mut self, text: &str, at: CanvasPoint) -> bool {
        self.write(text, self.ink(Backing::Floor), Backing::Floor, vec![at])
    }

    /// Names of bodies beside them.
    fn names(&mut self) {
        let scenery = self.scenery;
        for (b, body) in scenery.model.bodies.iter().enumerate() {
            let Some(around) = seen_box(scenery, body.particles.clone()) else { continue };
            let around = around.intersection(&self.places.room());
            if around.x1 < around.x0 || around.y1 < around.y0 {
                continue;
            }
            let theme = scenery.look.theme;
            let colour = mix(theme.body(b), theme.ink, 0.62);
            let ink = Ink { bold: true, colour, ..self.ink(Backing::Veil) };
            let size = self.size(&body.name, ink, Backing::Veil);
            let places = beside(&around, size, scenery.pixels(5.0));
            if self.write(&body.name, ink, Backing::Veil, places)
                && let Some(note) = self.notes.last_mut()
            {
                note.leader = leader::between(scenery, body.particles.clone(), &note.rect);
            }
        }
    }

    /// Forces at the largest contacts of the chosen body, at the tips of their arrows.
    fn forces(&mut self) {
        let scenery = self.scenery;
        let Some(body) = scenery.subject.chosen.and_then(|i| scenery.model.body_of(i)) else {
            return;
        };
        let own = &scenery.model.bodies[body].particles;
        let all = scenery.state.memory.contacts.iter().filter(|c| own.contains(&c.particle()));
        let mut all: Vec<&Contact> = all.collect();
        all.sort_by(|a, b| b.normal_force.total_cmp(&a.normal_force));
        for contact in all.into_iter().take(FORCES) {
            for (force, tip) in contacts::tips(scenery, contact) {
                let middle = scenery.view.see(contact.point).map_or(tip, |seen| seen.at);
                let towards = (tip.0 - middle.0, tip.1 - middle.1);
                self.ring(&quantity(force, "N"), Backing::Veil, (tip, towards));
            }
        }
    }
}

/// The box around particles on the canvas \[pixels\].
fn seen_box(scenery: &Scenery, particles: std::ops::Range<usize>) -> Option<Rect> {
    let mut found: Option<Rect> = None;
    for i in particles {
        let seen = *scenery.seen.get(i)?;
        let ((x, y), radius) = (seen.at, scenery.radius(i) * seen.scale);
        let near = x.abs() + y.abs() + radius < 1e6;
        if !(near && seen.depth.is_finite()) {
            continue;
        }
        let own = Rect {
            x0: (x - radius).floor() as i32,
            y0: (y - radius).floor() as i32,
            x1: (x + radius).ceil() as i32,
            y1: (y + radius).ceil() as i32,
        };
        found = Some(found.map_or(own, |all| Rect {
            x0: all.x0.min(own.x0),
            y0: all.y0.min(own.y0),
            x1: all.x1.max(own.x1),
            y1: all.y1.max(own.y1),
        }));
    }
    found
}

impl Note {
    fn draw(&self, canvas: &mut Canvas, typeface: &Typeface, scenery: &Scenery) {
        let Rect { x0, y0, y1, .. } = self.rect;
        let px = |design: f64| scenery.pixels(design);
        let theme = scenery.look.theme;
        if let Some([from, to]) = self.leader {
            canvas.line(from, to, px(1.0), self.ink.colour, 170);
        }
        let rim = match self.backing {
            Backing::Card => {
                canvas.card(self.rect, px(6.0), theme.card, theme.border);
                px(7.0)
            }
            Backing::Veil => {
                canvas.rectangle(self.rect, theme.card.0, 120);
                px(4.0)
            }
            Backing::Floor => px(1.0),
        };
        let baseline = 0.5 * f64::from(y0 + y1) + 0.36 * self.ink.size;
        typeface.draw(canvas, (f64::from(x0) + rim, baseline), self.ink, &self.text);
    }
}
