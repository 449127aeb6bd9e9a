//! The painter: model, state and camera → pixels. A pure function; the same input gives the same
//! bits.
//!
//! Order: background, planes with grid and shadow, solids and arrows from back to front, spokes,
//! the grid of planes seen from below, the arrows again faintly so that hidden ones are visible,
//! the reference, marks, the user's hand, texts, legend.

mod contacts;
mod cover;
mod ghost;
mod ground;
mod hand;
mod heat;
mod leader;
pub mod legend;
mod marks;
mod notes;
mod pile;
mod places;
mod shadow;
mod skin;
mod slope;
mod solids;
mod spokes;

use super::camera::{Camera, CameraView, Projected, scope};
use super::canvas::{Canvas, Rect};
use super::display::Ghost;
use super::outlines::Outlines;
use super::snapshot::{Snapshot, Stance};
use super::text::Typeface;
use super::theme::{LIGHT, ViewTheme};
use heat::Heat;
use notes::Notes;
use rayon::prelude::*;
pub use skin::wires;
use skin::{Skin, SkinSpring};
use std::sync::{Arc, Weak};
use stiction_core::contact::collider::Bounds;
use stiction_core::math::{Vector, larger, log, pow, smaller, sqrt};
use stiction_core::model::Model;
use stiction_core::state::State;
use stiction_scene::sections::MapKind;

/// Number of models whose skins are kept; more runs are hardly ever shown side by side.
const SKINS: usize = 16;

/// Drawn layers, and their colours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// Colours.
    pub theme: &'static ViewTheme,
    /// Surfaces of bodies.
    pub surfaces: bool,
    /// Springs, coloured by strain.
    pub springs: bool,
    /// Particles.
    pub particles: bool,
    /// Contact normals, with lengths proportional to N.
    pub normals: bool,
    /// Friction arrows, coloured by stick and slip.
    pub friction: bool,
    /// A quantity of every particle as colour.
    pub heat: bool,
    /// The quantity.
    pub map: MapKind,
    /// The reference, if there is one.
    pub ghost: bool,
    /// Numbers of the grid, angles, marks of pins and motions, names, and the legend.
    pub labels: bool,
    /// Names of bodies; `None`: if there are few.
    pub names: Option<bool>,
}

/// Most bodies that are named unasked.
const NAMED: usize = 12;

impl Look {
    /// Whether names are shown beside so many bodies.
    pub fn names_shown(&self, bodies: usize) -> bool {
        self.names.unwrap_or(bodies <= NAMED)
    }
}

impl Default for Look {
    fn default() -> Self {
        Look {
            theme: &LIGHT,
            surfaces: true,
            springs: true,
            particles: true,
            normals: true,
            friction: true,
            heat: false,
            map: MapKind::Creep,
            ghost: true,
            labels: true,
            names: None,
        }
    }
}

/// Position on the canvas: the pane is drawn, the focus is its part not covered by cards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PaintedPlace {
    /// The rectangle of the background: sky and floor.
    pub backdrop: Rect,
    /// The rectangle of everything else.
    pub pane: Rect,
    /// The rectangle with the camera's target in its middle.
    pub focus: Rect,
    /// Pixels of the canvas per pixel of the design: 2 on a screen of double resolution.
    pub scale: f64,
}

impl PaintedPlace {
    /// The whole canvas without cards.
    pub fn whole(canvas: &Canvas) -> PaintedPlace {
        let all = canvas.bounds();
        PaintedPlace { backdrop: all, pane: all, focus: all, scale: 1.0 }
    }
}

/// Subject of a picture: a run with its reference and chosen particle.
#[derive(Clone, Copy)]
pub struct PaintedSubject<'a> {
    /// The run.
    pub snapshot: &'a Snapshot,
    /// The reference.
    pub ghost: Option<&'a Ghost>,
    /// The chosen particle.
    pub chosen: Option<usize>,
    /// The largest strain of the scale of colours; that of the run now if absent.
    pub strain: Option<f64>,
}

impl<'a> PaintedSubject<'a> {
    /// A run alone.
    pub fn of(snapshot: &'a Snapshot) -> PaintedSubject<'a> {
        PaintedSubject { snapshot, ghost: None, chosen: None, strain: None }
    }
}

/// Common data of all parts of a picture.
struct Scenery<'a> {
    subject: PaintedSubject<'a>,
    model: &'a Model,
    state: &'a State,
    look: &'a Look,
    view: CameraView,
    bounds: Bounds,
    /// diagonal of the bounds of the particles \[m\]
    size: f64,
    scales: Scales,
    /// pixels of the canvas per pixel of the design
    unit: f64,
    skin: &'a Skin,
    outlines: &'a Outlines,
    /// projection of each particle; its depth is NaN behind the eye
    seen: &'a [Projected],
    /// drawn radius of a particle without a contact radius \[m\]
    dot: f64,
    heat: Option<Heat>,
    /// whether a contact chatters
    chatters: bool,
    /// the part of the picture not covered by cards
    focus: Rect,
}

impl Scenery<'_> {
    /// The length on the canvas of a length of the design \[pixels\].
    fn pixels(&self, design: f64) -> f64 {
        design * self.unit
    }

    /// Particles as seen by the eye.
    fn sight(&self) -> pile::Sight<'_> {
        pile::Sight { seen: self.seen, positions: &self.state.positions, view: &self.view }
    }

    /// Triangles of a collider at rest \[m\].
    fn outline(&self, collider: usize) -> Vec<[Vector; 3]> {
        self.outlines.of(&self.subject.snapshot.model, collider, &self.bounds)
    }

    /// Contact radius of a particle \[m\].
    fn radius(&self, i: usize) -> f64 {
        self.model.surfaces.radii.get(i).copied().unwrap_or(0.0)
    }

    /// Positions of the reference \[m\], if it is drawn and has the same particles.
    fn ghost(&self) -> Option<&[Vector]> {
        let ghost = self.subject.ghost.filter(|_| self.look.ghost)?;
        (ghost.positions.len() == self.seen.len()).then_some(&ghost.positions[..])
    }
}

/// Round scales of the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Scales {
    /// Strain at which a spring has its full colour.
    pub strain: f64,
    /// Force \[N\] whose arrow has the length `arrow`.
    pub force: f64,
    /// Length of that arrow \[m\].
    pub arrow: f64,
    /// Distance of grid lines \[m\].
    pub grid: f64,
}

/// Draws pictures, and keeps data of models and buffers between them. A picture does not depend on
/// previous ones.
#[derive(Default)]
pub struct Painter {
    /// The letters.
    pub typeface: Typeface,
    /// The colliders.
    pub outlines: Outlines,
    /// the last one used is at the end
    skins: Vec<(Weak<Model>, Arc<Skin>)>,
    seen: Vec<Projected>,
    front: Vec<bool>,
    pile: pile::Pile,
    mask: shadow::Mask,
    /// what bodies cover
    bodies: shadow::Mask,
    /// since they were last taken
    written: Vec<WrittenText>,
}

/// A text in a picture, or its legend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenText {
    /// Its box \[pixels\].
    pub rect: Rect,
    /// The text.
    pub text: String,
    /// The ends of the line from it to a body that is far from it \[pixels\].
    pub leader: Option<[(i32, i32); 2]>,
}

impl Painter {
    /// A painter without stored data.
    pub fn new() -> Painter {
        Painter::default()
    }

    /// The skin of a model.
    fn skin(&mut self, model: &Arc<Model>) -> Arc<Skin> {
        let is = |known: &Weak<Model>| std::ptr::eq(known.as_ptr(), Arc::as_ptr(model));
        let known = match self.skins.iter().position(|(known, _)| is(known)) {
            Some(k) => self.skins.remove(k),
            None => (Arc::downgrade(model), Arc::new(Skin::of(model))),
        };
        let skin = known.1.clone();
        // a weak pointer keeps the address in use, so that no other model can have it
        self.skins.retain(|(model, _)| model.strong_count() > 0);
        if self.skins.len() >= SKINS {
            self.skins.remove(0);
        }
        self.skins.push(known);
        skin
    }

    /// The largest |strain| of the springs that are drawn of a run.
    pub fn strain(&mut self, snapshot: &Snapshot, look: &Look) -> f64 {
        let skin = self.skin(&snapshot.model);
        largest_strain(&snapshot.state.positions, skin.springs(&snapshot.model, look.surfaces))
    }

    /// Draws the scene into its place on the canvas.
    pub fn paint(
        &mut self,
        canvas: &mut Canvas,
        place: &PaintedPlace,
        subject: &PaintedSubject,
        camera: &Camera,
        look: &Look,
    ) {
        let before = canvas.clip();
        canvas.set_clip(place.backdrop);
        canvas.gradient(look.theme.sky, look.theme.haze);
        canvas.set_clip(place.pane);
        if !canvas.clip().is_empty() {
            let skin = self.skin(&subject.snapshot.model);
            let view = camera.view(&place.focus);
            let mut seen = std::mem::take(&mut self.seen);
            seen.clear();
            let hidden = Projected { at: (0.0, 0.0), depth: f64::NAN, scale: 0.0 };
            let positions = &subject.snapshot.state.positions;
            seen.extend(positions.iter().map(|p| view.see(*p).unwrap_or(hidden)));
            let outlines = std::mem::take(&mut self.outlines);
            let scenery = scenery(place, subject, look, view, &skin, &outlines, &seen);
            self.draw(canvas, place, &scenery);
            (self.seen, self.outlines) = (seen, outlines);
        }
        canvas.set_clip(before);
    }

    /// The texts of the pictures drawn since the last call, legends included.
    pub fn take_written(&mut self) -> Vec<WrittenText> {
        std::mem::take(&mut self.written)
    }

    fn draw(&mut self, canvas: &mut Canvas, place: &PaintedPlace, scenery: &Scenery) {
        let Painter { typeface, front, pile, mask, bodies, written, .. } = self;
        let notes = Notes::of(typeface, bodies, canvas.clip(), scenery);
        written.extend(notes.written());
        // no seam beside cards
        canvas.set_clip(place.backdrop);
        ground::draw(canvas, mask, scenery);
        canvas.set_clip(place.pane);
        notes.draw_on_floor(canvas, typeface, scenery);
        let marks = contacts::marks(scenery);
        solids::heap(pile, front, &canvas.clip(), scenery, &marks);
        notes.heap(pile, scenery);
        pile.draw(canvas, &scenery.sight());
        spokes::draw(canvas, scenery);
        canvas.set_clip(place.backdrop);
        ground::draw_from_below(canvas, scenery);
        canvas.set_clip(place.pane);
        contacts::draw_ghosts(canvas, &marks);
        ghost::draw(canvas, scenery);
        notes.draw_marks(canvas, scenery);
        hand::draw(canvas, scenery);
        notes.draw(canvas, typeface, scenery);
        if scenery.look.labels {
            written.extend(legend::draw(canvas, typeface, place, scenery));
        }
    }
}

fn scenery<'a>(
    place: &PaintedPlace,
    subject: &PaintedSubject<'a>,
    look: &'a Look,
    view: CameraView,
    skin: &'a Skin,
    outlines: &'a Outlines,
    seen: &'a [Projected],
) -> Scenery<'a> {
    let snapshot = subject.snapshot;
    let Snapshot { model, state, .. } = snapshot;
    let bounds = scope(&state.positions);
    let size = (bounds.max - bounds.min).norm();
    let contacts = &state.memory.contacts;
    let own = || largest_strain(&state.positions, skin.springs(model, look.surfaces));
    let strain = subject.strain.unwrap_or_else(own);
    Scenery {
        subject: *subject,
        model,
        state,
        look,
        view,
        bounds,
        size,
        scales: scales(model, state, look, strain),
        unit: if place.scale.is_finite() { place.scale.clamp(0.25, 8.0) } else { 1.0 },
        skin,
        outlines,
        seen,
        dot: solids::dot_radius(model, size),
        heat: look.heat.then(|| Heat::of(look.map, snapshot)),
        chatters: contacts.iter().any(|c| snapshot.stance(c) == Stance::Chatters),
        focus: place.focus,
    }
}

/// Draws one picture; for many, keep a [`Painter`].
pub fn paint(
    canvas: &mut Canvas,
    place: &PaintedPlace,
    subject: &PaintedSubject,
    camera: &Camera,
    look: &Look,
) {
    Painter::new().paint(canvas, place, subject, camera, look);
}

/// The scales of a picture: a strain and the largest force drawn, rounded up to 1, 2 or 5 × 10ⁿ,
/// and lengths from the size of the reference configuration.
fn scales(model: &Model, state: &State, look: &Look, strain: f64) -> Scales {
    let mut force: f64 = 0.0;
    for contact in &state.memory.contacts {
        let normal = if look.normals { contact.normal_force } else { 0.0 };
        let friction = if look.friction { contact.friction.norm() } else { 0.0 };
        let largest = normal.max(friction);
        if largest > force {
            force = largest;
        }
    }
    let at_rest = scope(&model.reference);
    let size = (at_rest.max - at_rest.min).norm();
    Scales {
        strain: round_up(strain),
        force: round_up(force),
        arrow: 0.16 * size,
        grid: round_up(size / 11.0),
    }
}

/// The largest |strain| of springs, at least 1e-4; computed from squares, with only two roots.
fn largest_strain(positions: &[Vector], springs: &[SkinSpring]) -> f64 {
    let range = |springs: &[SkinSpring]| {
        let (mut least, mut most): (f64, f64) = (1.0, 1.0);
        for spring in springs {
            let stretch = spring.squared_stretch(positions);
            if stretch > most && stretch <= f64::MAX {
                most = stretch;
            }
            if stretch < least {
                least = stretch;
            }
        }
        (least, most)
    };
    // the least and the most of all parts do not depend on their order
    let parts = springs.par_chunks(8192).map(range);
    let (least, most) = parts.reduce(|| (1.0, 1.0), |a, b| (smaller(a.0, b.0), larger(a.1, b.1)));
    let (longer, shorter) = (sqrt(most) - 1.0, 1.0 - sqrt(least));
    let strain = if longer > shorter { longer } else { shorter };
    if strain > 1e-4 { strain } else { 1e-4 }
}

/// The next of 1, 2, 5, 10, 20 ... not below `x`; 1 if `x` is not a positive number.
pub(crate) fn round_up(x: f64) -> f64 {
    if !(x.is_finite() && x > 1e-100) {
        return 1.0;
    }
    let decade = pow(10.0, (log(x) / std::f64::consts::LN_10).floor());
    let round = [1.0, 2.0, 5.0, 10.0, 20.0].into_iter().map(|m| m * decade);
    round.into_iter().find(|r| *r >= x * (1.0 - 1e-9)).unwrap_or(x)
}

/// The next of 1, 2, 5, 10, 20 ... not above `x`; 1 if `x` is not a positive number.
pub(crate) fn round_down(x: f64) -> f64 {
    let up = round_up(x);
    let lower = [1.0, 0.5, 0.4, 0.2].into_iter().map(|share| up * share);
    let round = |y: &f64| (round_up(*y) / y - 1.0).abs() < 1e-6;
    lower.filter(round).find(|y| *y <= x * (1.0 + 1e-9)).unwrap_or(up)
}

/// Unit vector towards the light.
fn light() -> Vector {
    Vector::new(-0.42, -0.5, 0.76)
}

/// Brightness of a surface with unit normal `n`.
fn brightness(n: Vector) -> f64 {
    let direct = n.dot(&light());
    0.76 + 0.06 * n.z + 0.36 * if direct > 0.0 { direct } else { 0.3 * direct }
}

/// Whether all triangles of an outline lie in one plane.
pub(super) fn is_flat(outline: &[[Vector; 3]]) -> bool {
    let Some(first) = outline.first() else { return false };
    let normal = (first[1] - first[0]).cross(&(first[2] - first[0]));
    let size = normal.norm();
    let tolerance = 1e-6 * size * stiction_core::math::sqrt(size);
    size > 0.0 && outline.iter().flatten().all(|p| (p - first[0]).dot(&normal).abs() <= tolerance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_round() {
        for (x, round) in [(0.013, 0.02), (3.0, 5.0), (5.0, 5.0), (7.0, 10.0), (100.0, 100.0)] {
            assert!((round_up(x) / round - 1.0).abs() < 1e-12, "{x}: {}", round_up(x));
        }
        for (x, round) in [(0.013, 0.01), (3.0, 2.0), (5.0, 5.0), (7.0, 5.0), (100.0, 100.0)] {
            assert!((round_down(x) / round - 1.0).abs() < 1e-9, "{x}: {}", round_down(x));
        }
        assert_eq!(round_up(f64::NAN), 1.0);
        assert_eq!(round_up(0.0), 1.0);
    }

    #[test]
    fn planes_are_flat_and_corners_are_not() {
        let (o, x, y, z) = (Vector::zeros(), Vector::x(), Vector::y(), Vector::z());
        assert!(is_flat(&[[o, x, y], [x, x + y, y]]));
        assert!(!is_flat(&[[o, x, y], [o, x, z]]) && !is_flat(&[]));
    }
}
