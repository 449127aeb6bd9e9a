//! Content of each table of a scene. One file per section; a key is declared once, in `table!`
//! (`table.rs`), and is then read, decoded, shown and documented.

mod accuracy;
mod body;
mod collider;
mod contact;
mod curve;
mod material;
mod measure;
mod motion;
mod names;
mod output;
mod pin;
mod push;
mod selection;
mod table;
mod time;
mod view;
mod world;

pub use accuracy::Accuracy;
pub use body::{Body, SpringTable};
pub use collider::{Belt, Collider, Motion, Oscillation, Spin};
pub use contact::Contact;
pub use curve::{Curve, CurveFriction};
pub use material::{Material, MaterialDamping, Pair, Pairing};
pub use measure::{Expectation, Measure, MeasuredAgainst};
pub use motion::{Course, Factor, MotionPath, MovedPart, Muscle, TimedMotion};
pub use names::Names;
pub use output::{Output, Surface};
pub use pin::{Pin, PinMotion};
pub use push::{Drag, Push};
pub use selection::{SELECTION, selection};
pub use table::{Decode, Field};
pub use time::Time;
pub use view::{Follow, LAYERS, MAPS, MapKind, Theme, View};
pub(crate) use world::INTEGRATOR;
pub use world::{ROOT, Surroundings};

use super::keys::{Form, Section, TableKeys};

const fn section(
    name: &'static str,
    form: Form,
    table: &'static TableKeys,
    about: &'static str,
) -> Section {
    Section { name, about, form, table }
}

/// All tables of a scene, in the order of the reference.
pub(crate) static SECTIONS: &[Section] = &[
    section("world", Form::Single, &world::WORLD, "What surrounds everything."),
    section(
        "time",
        Form::Single,
        &time::TIME,
        "Duration, step and recording. Time is the number of steps times the step, never a sum.",
    ),
    section(
        "integrator",
        Form::Single,
        &world::INTEGRATOR,
        "How a state is taken over one step. The keys are those of the method.",
    ),
    section(
        "accuracy",
        Form::Single,
        &accuracy::ACCURACY,
        "The accuracy that `run` gives, by a step that it finds; `--accuracy` asks for another.",
    ),
    section("materials", Form::Named, &material::MATERIAL, "Coefficients of a material."),
    section(
        "pairing",
        Form::Single,
        &material::PAIRING,
        "How the coefficients of two materials make those of their pair: static with static, kinetic with kinetic.",
    ),
    section(
        "pair",
        Form::Repeated,
        &material::PAIR,
        "Explicit values for two materials, which win over the pairing.",
    ),
    section("contact", Form::Single, &contact::CONTACT, "Forces between particles and colliders."),
    section("body", Form::Repeated, &body::BODY, "A body of particles and springs."),
    section("collider", Form::Repeated, &collider::COLLIDER, "A surface that particles touch."),
    section("push", Form::Repeated, &push::PUSH, "A force on particles of a body."),
    section(
        "pin",
        Form::Repeated,
        &pin::PIN,
        "Holds particles where they are, or some axes of them, or moves them.",
    ),
    section(
        "motion",
        Form::Repeated,
        &motion::MOTIONS,
        "Moves colliders and pins along a curve of time, from where they are at t = 0. Several add up.",
    ),
    section(
        "muscle",
        Form::Repeated,
        &motion::MUSCLE,
        "Rest lengths that follow time: springs with both ends in the selection get their rest length times a factor.",
    ),
    section(
        "curve",
        Form::Repeated,
        &curve::CURVE,
        "Keeps particles of a body on phi(x, y, z) = 0 by Lagrange multipliers, with friction in proportion to them.",
    ),
    section("drag", Form::Repeated, &push::DRAG, "An acceleration against the velocity, -rate·v."),
    section(
        "output",
        Form::Single,
        &output::OUTPUT,
        "What `run --out` keeps beside measures, positions, velocities and creep. Nothing here changes a result.",
    ),
    section("measure", Form::Repeated, &measure::MEASURE, "A quantity recorded at every frame."),
    section(
        "expect",
        Form::Named,
        &measure::EXPECT,
        "A golden value of a measure's column, checked by `check --run` and by the tests.",
    ),
    section(
        "view",
        Form::Single,
        &view::VIEW,
        "How the scene is first seen, in the window and in pictures. Nothing here changes a result.",
    ),
];
