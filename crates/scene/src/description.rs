//! Content of a scene file, after names, types, units, ranges and defaults have been checked, and
//! before any particle exists. [`super::load()`] makes it from a file; [`super::build`] turns it
//! into a model and a state. Angles are still in degrees here, as in the file.

pub use super::folder::Folder;
pub use super::place::{Choice, Moment, Place, Places, Source};
pub use super::sections::{
    Accuracy, Belt, Body, Collider, Contact, Curve, CurveFriction, Drag, Expectation, Factor,
    Follow, MapKind, Material, Measure, MeasuredAgainst, Motion, MotionPath, MovedPart, Muscle,
    Oscillation, Output, Pair, Pairing, Pin, PinMotion, Push, Spin, SpringTable, Surface, Theme,
    Time, TimedMotion, View,
};
pub use stiction_core::constraints::curve::Coupling;
pub use stiction_core::contact::adhesion::Adhesion;
pub use stiction_core::contact::anisotropy::Anisotropy;
pub use stiction_core::contact::laws::StretchIn;
pub use stiction_core::forces::springs::SpringMaterial;
use stiction_core::math::Vector;
pub use stiction_core::world::Selection;

/// A resolved scene.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scene {
    /// One sentence on what the scene shows.
    pub title: String,
    /// Source texts; the first is the scene file itself.
    pub sources: Vec<Source>,
    /// The folder to which mesh paths and includes are relative and confined.
    pub folder: Folder,
    /// Gravity \[m/s²\].
    pub gravity: Vector,
    /// Factor of gravity as a function of time.
    pub gravity_factor: Option<Factor>,
    /// The locked axis (0, 1 or 2) of a two-dimensional scene.
    pub locked_axis: Option<usize>,
    /// `[time]`.
    pub time: Time,
    /// `[integrator]`, a row of [`stiction_core::integrators::INTEGRATORS`].
    pub integrator: Choice,
    /// `[accuracy]`.
    pub accuracy: Accuracy,
    /// `[materials.*]` in the order of the file.
    pub materials: Vec<Material>,
    /// `[pairing]`.
    pub pairing: Pairing,
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
    /// `[[motion]]`.
    pub motions: Vec<TimedMotion>,
    /// `[[muscle]]`.
    pub muscles: Vec<Muscle>,
    /// `[output]`.
    pub output: Output,
    /// `[[measure]]`.
    pub measures: Vec<Measure>,
    /// `[expect]`.
    pub expectations: Vec<Expectation>,
    /// `[view]`.
    pub view: View,
    /// Whether elastic bodies have their mesh refined once; no key of a file.
    pub refined: bool,
}
