//! What a scene file says, after names, types, units, ranges and defaults have been checked, and
//! before any particle exists. [`super::load()`] makes it from a file; [`super::build`] turns it
//! into a model and a state. Angles are still in degrees here, as in the file.

pub use crate::constraints::curve::Coupling;
pub use crate::contact::adhesion::Adhesion;
pub use crate::contact::anisotropy::Anisotropy;
pub use crate::contact::laws::StretchIn;
use crate::expression::Expression;
pub use crate::forces::springs::SpringMaterial;
use crate::math::Vector;
use crate::registry::Values;
pub use crate::world::Selection;
use std::collections::BTreeMap;

/// Where in the scene's text something was written, so that a later error can point there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// Index into [`Scene::sources`].
    pub source: usize,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// A text the scene was made of: a file, an included file, or a `--set` on the command line.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// What to show the user: a path as they typed it, or `--set`.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A named thing from a registry table with its validated parameters.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Choice {
    /// The row's name.
    pub name: &'static str,
    /// Validated parameters, defaults filled in.
    pub values: Values,
    /// Where the whole was written.
    pub place: Place,
    /// Where each given parameter was written.
    pub places: BTreeMap<&'static str, Place>,
}

impl Choice {
    /// The place of a parameter, or of the whole when the parameter was not given.
    pub fn place_of(&self, key: Option<&str>) -> Place {
        key.and_then(|k| self.places.get(k)).copied().unwrap_or(self.place)
    }
}

/// A resolved scene.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scene {
    /// One sentence on what to look at.
    pub title: String,
    /// The texts it came from; the first is the scene file itself.
    pub sources: Vec<Source>,
    /// The folder that mesh paths and includes are relative to and confined to.
    pub folder: std::path::PathBuf,
    /// Gravity \[m/s²\].
    pub gravity: Vector,
    /// The locked axis (0, 1 or 2) of a two-dimensional scene.
    pub locked_axis: Option<usize>,
    /// `[time]`.
    pub time: Time,
    /// `[integrator]`, a row of [`crate::integrators::INTEGRATORS`].
    pub integrator: Choice,
    /// `[materials.*]` in the order of the file.
    pub materials: Vec<Material>,
    /// `[pairing] friction`: a row of [`crate::contact::material::FRICTION_PAIRINGS`].
    pub friction_pairing: &'static str,
    /// `[pairing] restitution`: a row of [`crate::contact::material::RESTITUTION_PAIRINGS`].
    pub restitution_pairing: &'static str,
    /// `[[pair]]`.
    pub pairs: Vec<Pair>,
    /// `[contact]`.
    pub contact: Contact,
    /// `[[body]]`.
    pub bodies: Vec<Body>,
    /// `[[collider]]`.
    pub colliders: Vec<Collider>,
    /// `[[push]]`.
    pub pushes: Vec<Push>,
    /// `[[pin]]`.
    pub pins: Vec<Pin>,
    /// `[[curve]]`.
    pub curves: Vec<Curve>,
    /// `[[drag]]`.
    pub drags: Vec<Drag>,
    /// `[[measure]]`.
    pub measures: Vec<Measure>,
    /// `[expect]`.
    pub expectations: Vec<Expectation>,
    /// `[view]`.
    pub view: View,
}

/// `[time]`: everything in whole steps; time is step count × step, never a sum.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Time {
    /// The fixed step and commit interval \[s\].
    pub step: f64,
    /// Number of steps to `end`.
    pub steps: u64,
    /// Steps between recorded frames.
    pub steps_per_frame: u64,
    /// Where `step` was written.
    pub place: Place,
}

impl Time {
    /// The end \[s\].
    pub fn end(&self) -> f64 {
        self.steps as f64 * self.step
    }
    /// The number of frames, the ones at t = 0 and at the end included.
    pub fn frames(&self) -> u64 {
        self.steps.div_ceil(self.steps_per_frame) + 1
    }
}

/// `[materials.NAME]`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Material {
    /// The table's name.
    pub name: String,
    /// μ_s.
    pub static_friction: f64,
    /// μ_k; defaults to μ_s.
    pub kinetic_friction: f64,
    /// Coefficient of restitution e, if the material states one.
    pub restitution: Option<f64>,
    /// Where the table starts.
    pub place: Place,
}

/// `[[pair]]`: explicit values for two materials, which win over the pairing law.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pair {
    /// Indices into [`Scene::materials`].
    pub materials: [usize; 2],
    /// μ_s.
    pub static_friction: Option<f64>,
    /// μ_k; defaults to the pair's μ_s when that is given.
    pub kinetic_friction: Option<f64>,
    /// e.
    pub restitution: Option<f64>,
    /// Where the table starts.
    pub place: Place,
}

/// `[contact]`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Contact {
    /// A row of [`crate::impulses::CONTACT_METHODS`].
    pub method: Choice,
    /// A row of [`crate::contact::normal::NORMAL_LAWS`].
    pub normal: Choice,
    /// A row of [`crate::contact::friction::FRICTION_LAWS`].
    pub friction: Choice,
    /// Where a law's stretch lives.
    pub stretch: StretchIn,
    /// Bodies touch each other.
    pub bodies: bool,
    /// Bodies touch themselves.
    pub self_contact: bool,
    /// Where `bodies` or `self_contact` was written.
    pub bodies_place: Place,
    /// Where `stretch` was written.
    pub stretch_place: Place,
    /// Adhesion of every contact.
    pub adhesion: Option<Adhesion>,
    /// Where it was written.
    pub adhesion_place: Place,
}

impl Contact {
    /// Whether contacts jump velocities instead of being forces.
    pub fn jumps(&self) -> bool {
        self.method.name != crate::impulses::penalty::ENTRY.name
    }
}

/// `springs = { edge, face_diagonal, body_diagonal, bend }` of a body. Absent: no such springs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SpringTable {
    /// Lattice and mesh edges, links, ropes.
    pub edge: Option<SpringMaterial>,
    /// Both diagonals of every lattice face or cloth cell.
    pub face_diagonal: Option<SpringMaterial>,
    /// The four space diagonals of every lattice cell.
    pub body_diagonal: Option<SpringMaterial>,
    /// Between second neighbours along a line.
    pub bend: Option<SpringMaterial>,
    /// Where it was written.
    pub place: Place,
}

/// `[[body]]`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Body {
    /// Its name, unique.
    pub name: String,
    /// Index into [`Scene::materials`].
    pub material: usize,
    /// Total mass \[kg\].
    pub mass: Option<f64>,
    /// Density \[kg/m³\] (meshes and lattices).
    pub density: Option<f64>,
    /// A row of [`super::shapes::SHAPES`].
    pub shape: Choice,
    /// Its springs.
    pub springs: SpringTable,
    /// Translation \[m\].
    pub position: Vector,
    /// Rotation \[degrees\] about the fixed axes x, then y, then z, applied before the translation
    /// about the shape's own origin.
    pub rotation: Vector,
    /// Velocity \[m/s\].
    pub velocity: Vector,
    /// Rate of turn about the mass centre \[rad/s\].
    pub spin: Vector,
    /// Particle radius for contact \[m\].
    pub radius: f64,
    /// Whether its particles keep their distances exactly.
    pub rigid: bool,
    /// Anisotropy of its friction, in the shape's own axes.
    pub anisotropy: Option<Anisotropy>,
    /// Where the table starts.
    pub place: Place,
}

/// `[[collider]]`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Collider {
    /// Its name, unique.
    pub name: String,
    /// Index into [`Scene::materials`].
    pub material: usize,
    /// A row of [`crate::contact::collider::COLLIDERS`].
    pub shape: Choice,
    /// Its motion.
    pub motion: Motion,
    /// Anisotropy of friction on it.
    pub anisotropy: Option<Anisotropy>,
    /// Where the table starts.
    pub place: Place,
}

/// `motion = { velocity, spin, oscillate, belt }` of a collider; they may be combined.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Motion {
    /// Moves the shape \[m/s\].
    pub velocity: Vector,
    /// Turns the shape.
    pub spin: Option<Spin>,
    /// Shakes the shape.
    pub oscillate: Option<Oscillation>,
    /// Moves only the surface \[m/s\].
    pub belt: Vector,
}

/// `spin = { axis, rate, center }`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spin {
    /// Axis, any length but zero.
    pub axis: Vector,
    /// Rate \[rad/s\], right-handed.
    pub rate: f64,
    /// A point on the axis \[m\]; by default the shape's own centre.
    pub center: Option<Vector>,
}

/// `oscillate = { direction, amplitude, frequency, phase }`: displacement
/// amplitude·sin(2π·frequency·t + phase) along the normalised direction.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Oscillation {
    /// Direction, any length but zero.
    pub direction: Vector,
    /// Amplitude \[m\].
    pub amplitude: f64,
    /// Frequency \[Hz\].
    pub frequency: f64,
    /// Phase \[degrees\].
    pub phase: f64,
}

/// `[[push]]`: a force on a selection.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Push {
    /// Index into [`Scene::bodies`].
    pub body: usize,
    /// Which particles.
    pub selection: Selection,
    /// Total force \[N\], or the force on each when `per_particle`.
    pub force: Vector,
    /// Each particle gets the whole force.
    pub per_particle: bool,
    /// Start \[s\].
    pub from: f64,
    /// End \[s\]; infinite when absent.
    pub until: Option<f64>,
    /// Linear rise over this time, counted from `from` \[s\].
    pub ramp: f64,
    /// Where the table starts.
    pub place: Place,
}

/// `[[pin]]`: holds particles, or some axes of them, or moves them at constant velocity.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pin {
    /// Index into [`Scene::bodies`].
    pub body: usize,
    /// Which particles.
    pub selection: Selection,
    /// Which of x, y, z are held.
    pub axes: [bool; 3],
    /// Velocity of the pin \[m/s\].
    pub velocity: Vector,
    /// Where the table starts.
    pub place: Place,
}

/// `[[curve]]`: keeps a selection on φ = 0.
#[derive(Debug, Clone, Default)]
pub struct Curve {
    /// Index into [`Scene::bodies`].
    pub body: usize,
    /// Which particles.
    pub selection: Selection,
    /// One φ or two, in x, y and z \[m\].
    pub phi: Vec<Expression>,
    /// Their texts.
    pub texts: Vec<String>,
    /// μ_k.
    pub kinetic: f64,
    /// μ_s.
    pub static_: f64,
    /// How friction and the multiplier are coupled; by the method when absent.
    pub coupling: Option<Coupling>,
    /// Whether particles come to rest.
    pub rest: bool,
    /// Share of the distance that a step takes back.
    pub stabilisation: f64,
    /// Positions are put back after every step.
    pub projection: bool,
    /// Where the table starts.
    pub place: Place,
    /// Where `phi` was written.
    pub phi_place: Place,
    /// Where `coupling` was written.
    pub coupling_place: Place,
}

// formulas are equal where their texts are
impl PartialEq for Curve {
    fn eq(&self, other: &Self) -> bool {
        let numbers = |c: &Curve| (c.body, c.kinetic, c.static_, c.stabilisation, c.place);
        let words = |c: &Curve| (c.coupling, c.rest, c.projection, c.phi_place, c.coupling_place);
        numbers(self) == numbers(other)
            && words(self) == words(other)
            && (&self.selection, &self.texts) == (&other.selection, &other.texts)
    }
}

/// `[[drag]]`: acceleration −rate·v.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Drag {
    /// Index into [`Scene::bodies`]; all bodies when absent.
    pub body: Option<usize>,
    /// Rate \[1/s\].
    pub rate: f64,
    /// End \[s\]; infinite when absent.
    pub until: Option<f64>,
    /// Where the table starts.
    pub place: Place,
}

/// `[[measure]]`: a quantity recorded at every frame.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Measure {
    /// Its name, a column of `measures.csv`, unique.
    pub name: String,
    /// A row of [`crate::measures::MEASURES`].
    pub kind: &'static str,
    /// Index into [`Scene::bodies`]; some kinds need none.
    pub body: Option<usize>,
    /// Which particles of the body.
    pub selection: Selection,
    /// For vector quantities: the component along this direction. Without it, three columns
    /// `NAME_x`, `NAME_y`, `NAME_z`.
    pub direction: Option<Vector>,
    /// Where the table starts.
    pub place: Place,
}

/// When an expectation is checked.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Moment {
    /// In the last frame.
    #[default]
    End,
    /// The largest value over all frames.
    Maximum,
    /// The smallest value over all frames.
    Minimum,
    /// In the frame nearest to a time \[s\].
    Time(f64),
}

/// `[expect] COLUMN = { at, value, tolerance }`: a golden value.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Expectation {
    /// A measure column.
    pub column: String,
    /// When.
    pub at: Moment,
    /// Expected value.
    pub value: f64,
    /// Largest absolute deviation.
    pub tolerance: f64,
    /// Where it was written.
    pub place: Place,
}

/// `[view]`: how the scene is first seen.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// Turn of the camera about z \[degrees\]; the usual direction when absent.
    pub yaw: Option<f64>,
    /// Height of the camera above the horizon \[degrees\]; the usual one when absent.
    pub pitch: Option<f64>,
    /// How much closer than where all bodies fill the picture.
    pub zoom: f64,
    /// The point in the middle of the picture \[m\]; the middle of the bodies when absent.
    pub target: Option<Vector>,
    /// All things have the same scale, however far.
    pub orthographic: bool,
    /// What the camera goes along with.
    pub follow: Follow,
    /// Colours.
    pub theme: Theme,
    /// Names of [`super::keys::LAYERS`] and whether they are shown, where not as usual; the last
    /// word on a name counts.
    pub layers: Vec<(&'static str, bool)>,
    /// Seconds of the scene per second of the window or the film.
    pub speed: f64,
}

impl Default for View {
    fn default() -> Self {
        View {
            yaw: None,
            pitch: None,
            zoom: 1.0,
            target: None,
            orthographic: false,
            follow: Follow::All,
            theme: Theme::Light,
            layers: Vec::new(),
            speed: 1.0,
        }
    }
}

/// What the camera goes along with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Follow {
    /// All bodies.
    #[default]
    All,
    /// Nothing.
    Nothing,
    /// Index into [`Scene::bodies`].
    Body(usize),
}

/// Colours of a picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Theme {
    /// Dark on light.
    #[default]
    Light,
    /// Light on dark.
    Dark,
}
