//! The table of measures.

use super::Scope;
use super::other::{relative_displacement, relative_velocity, separation};
use super::rotation::{rotation_since_start, spin, turned_by};
use super::solid;
use crate::diagnosis::error_bar::Zero;
use crate::diagnosis::load::carried_by;
use crate::math::{Vector, acos, degrees, larger};
use crate::registry::{Named, Table};
use crate::state::memory::Contact;
use crate::state::memory::OnCurve;
use std::collections::BTreeMap;

/// The role of the other body or collider in a kind of measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Against {
    /// None.
    Nothing,
    /// Where one is named, only contacts with it count.
    Contacts,
    /// The measure is taken relative to it.
    Always,
}

/// The parts of a body that a kind of measure reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reads {
    /// Not of one kind.
    Anything,
    /// Springs.
    Springs,
    /// Elastic elements.
    Solids,
}

/// A kind of measure.
pub struct MeasureKind {
    /// The name in `kind = "..."`.
    pub name: &'static str,
    /// One line for `list`.
    pub about: &'static str,
    /// Unit.
    pub unit: &'static str,
    /// Gives three components (reducible by `direction`) rather than one number.
    pub vector: bool,
    /// Needs a body.
    pub needs_body: bool,
    /// The role of `other`.
    pub against: Against,
    /// The parts that it reads.
    pub reads: Reads,
    /// The meaning of its zero, which decides the scale of its errors.
    pub zero: Zero,
    /// Covers the time since the previous frame.
    pub of_frames: bool,
    /// Follows where the selection is: what an impact moves stays moved.
    pub of_place: bool,
    /// Reads it; kinds of one number leave it in x.
    pub read: fn(&Scope) -> Vector,
}

impl MeasureKind {
    const fn of_frames(self) -> Self {
        MeasureKind { of_frames: true, ..self }
    }

    const fn of_place(self) -> Self {
        MeasureKind { of_place: true, ..self }
    }

    const fn of_springs(self) -> Self {
        MeasureKind { reads: Reads::Springs, ..self }
    }

    pub(super) const fn of_solids(self) -> Self {
        MeasureKind { reads: Reads::Solids, ..self }
    }

    /// A vector measure of a body or some of its particles.
    pub const fn vector(
        name: &'static str,
        unit: &'static str,
        about: &'static str,
        read: fn(&Scope) -> Vector,
    ) -> Self {
        MeasureKind {
            name,
            about,
            unit,
            vector: true,
            needs_body: true,
            against: Against::Nothing,
            reads: Reads::Anything,
            zero: Zero::Natural,
            of_frames: false,
            of_place: false,
            read,
        }
    }

    /// A measure of one number, in x, of a body or some of its particles.
    pub const fn number(
        name: &'static str,
        unit: &'static str,
        about: &'static str,
        read: fn(&Scope) -> Vector,
    ) -> Self {
        MeasureKind {
            name,
            about,
            unit,
            vector: false,
            needs_body: true,
            against: Against::Nothing,
            reads: Reads::Anything,
            zero: Zero::Natural,
            of_frames: false,
            of_place: false,
            read,
        }
    }

    /// The same, against another body or a collider.
    const fn against(self, against: Against) -> Self {
        MeasureKind { against, ..self }
    }

    /// The same, with a zero of this meaning.
    pub const fn with_zero(self, zero: Zero) -> Self {
        MeasureKind { zero, ..self }
    }
}

impl Named for MeasureKind {
    fn name(&self) -> &'static str {
        self.name
    }
}

/// A row that is plotted against [`FRICTION_LOAD`].
pub const CONSTRAINT_LOAD: MeasureKind =
    MeasureKind::number("constraint-load", "N", "sum of the sizes of the constraint forces", |s| {
        scalar(on_curves(s).map(|on| on.constraint_force.norm()).sum())
    });

/// A row that is plotted against [`CONSTRAINT_LOAD`].
pub const FRICTION_LOAD: MeasureKind = MeasureKind::number(
    "friction-load",
    "N",
    "sum of the sizes of the friction forces along the curve",
    |s| scalar(on_curves(s).map(|on| on.friction.norm()).sum()),
);

/// All kinds of measure.
pub static MEASURES: Table<MeasureKind> = Table::new(
    "measure",
    &[
        MeasureKind::vector("position", "m", "centre of mass of the selection", |s| {
            s.mean(&s.state.positions)
        })
        .with_zero(Zero::Chosen)
        .of_place(),
        MeasureKind::vector("velocity", "m/s", "velocity of the selection's centre of mass", |s| {
            s.mean(&s.state.velocities)
        }),
        MeasureKind::vector(
            "displacement",
            "m",
            "travel of the selection's centre of mass since t = 0",
            |s| s.mean(&s.state.positions) - s.mean(&s.model.reference),
        )
        .with_zero(Zero::Start)
        .of_place(),
        MeasureKind::number("speed", "m/s", "speed of the selection's centre of mass", |s| {
            scalar(s.mean(&s.state.velocities).norm())
        }),
        MeasureKind::number(
            "tilt",
            "degrees",
            "angle of the body's own z axis from where it was at t = 0",
            |s| {
                let up = rotation_since_start(s) * Vector::z();
                scalar(degrees(acos(up.z.clamp(-1.0, 1.0))))
            },
        ),
        MeasureKind::number(
            "turn",
            "degrees",
            "angle of the body's rotation since t = 0, about whatever axis",
            |s| scalar(degrees(turned_by(&rotation_since_start(s)))),
        ),
        MeasureKind::vector(
            "spin",
            "rad/s",
            "rate of turn about the centre of mass, from the angular momentum",
            spin,
        ),
        MeasureKind::number("slip", "m/s", "largest slip speed of the selection's contacts", |s| {
            scalar(contacts(s).fold(0.0, |most, (_, c)| larger(most, c.slip.norm())))
        }).against(Against::Contacts),
        MeasureKind::number("penetration", "m", "largest depth of the selection's contacts", |s| {
            scalar(contacts(s).fold(0.0, |most, (_, c)| larger(most, c.depth)))
        }).against(Against::Contacts),
        MeasureKind::vector(
            "contact-force",
            "N",
            "sum of the normal forces on the selection",
            |s| contacts(s).map(|(share, c)| c.normal * (share * c.normal_force)).sum(),
        ).against(Against::Contacts),
        MeasureKind::vector(
            "friction-force",
            "N",
            "sum of the friction forces on the selection",
            |s| contacts(s).map(|(share, c)| c.friction * share).sum(),
        ).against(Against::Contacts),
        MeasureKind::number(
            "friction-share",
            "1",
            "component of friction F against the selection's load W (gravity, pushes, drag), over W: -F·W/W², sin² a at rest on a slope; 0 without a load",
            |s| {
                let friction: Vector = contacts(s).map(|(share, c)| c.friction * share).sum();
                let particles = s.particles.iter().copied();
                let carried = carried_by(friction, s.model, s.state, particles);
                scalar(carried.map_or(0.0, |carried| carried.by_friction))
            },
        ).against(Against::Contacts),
        MeasureKind::number(
            "load-ratio",
            "1",
            "largest |F|/(μ_s N) of the selection's contacts; 1 on the friction cone",
            |s| scalar(contacts(s).fold(0.0, |most, (_, c)| larger(most, c.load_ratio()))),
        ).against(Against::Contacts),
        MeasureKind::number(
            "dissipated",
            "J",
            "work that friction has dissipated at the selection since t = 0, half of it at each side of a contact between bodies",
            |s| scalar(s.particles.iter().map(|i| s.friction_work.dissipated[*i]).sum()),
        ),
        MeasureKind::number(
            "slid",
            "m",
            "largest distance that a particle of the selection has slid since t = 0",
            |s| scalar(s.particles.iter().fold(0.0, |most, i| larger(most, s.friction_work.slid[*i]))),
        )
        .of_place(),
        MeasureKind::vector(
            "pressure-center",
            "m",
            "centre of the normal forces, seen from the centre of mass",
            |s| {
                let (mut sum, mut total) = (Vector::zeros(), 0.0);
                for (share, contact) in contacts(s) {
                    sum += contact.point * (share.abs() * contact.normal_force);
                    total += share.abs() * contact.normal_force;
                }
                if total > 0.0 { sum / total - s.mean(&s.state.positions) } else { Vector::zeros() }
            },
        ).against(Against::Contacts),
        MeasureKind::number(
            "tension",
            "N",
            "largest pull of a single spring between two particles of the selection, negative where every one pushes; bend springs count too",
            |s| scalar(tension(s)),
        )
        .of_springs(),
        MeasureKind::number(
            "von-mises",
            "Pa",
            "largest von Mises stress of the selection's elements, without damping",
            solid::von_mises,
        )
        .of_solids(),
        MeasureKind::number(
            "pressure",
            "Pa",
            "largest pressure inside the selection's elements, -tr(stress)/3, negative where all are under tension",
            solid::pressure,
        )
        .of_solids(),
        MeasureKind::number(
            "stretch",
            "1",
            "largest principal stretch of the selection's elements, length by length at rest",
            solid::stretch,
        )
        .with_zero(Zero::Chosen)
        .of_solids(),
        MeasureKind::number(
            "compression",
            "1",
            "smallest principal stretch of the selection's elements, below 0 where one is inverted",
            solid::compression,
        )
        .with_zero(Zero::Chosen)
        .of_solids(),
        MeasureKind::number(
            "volume-change",
            "1",
            "V/V0 - 1 of the selection's elements together, V0 at rest",
            solid::volume_change,
        )
        .of_solids(),
        MeasureKind::vector(
            "creep",
            "m/s",
            "travel of the selection's centre of mass since the previous frame, by time",
            |s| match s.previous {
                Some((time, center)) if s.state.time > time => {
                    (s.mean(&s.state.positions) - center) / (s.state.time - time)
                }
                _ => Vector::zeros(),
            },
        )
        .of_frames(),
        MeasureKind::vector(
            "relative-displacement",
            "m",
            "displacement of the selection's centre of mass since t = 0, less that of `other`: of the material of a collider there, of the centre of mass of a body; slip in a grip",
            relative_displacement,
        )
        .with_zero(Zero::Start)
        .against(Against::Always)
        .of_place(),
        MeasureKind::vector(
            "relative-velocity",
            "m/s",
            "velocity of the selection's centre of mass, less that of `other`: of the material of a collider there, of the centre of mass of a body",
            relative_velocity,
        )
        .against(Against::Always),
        MeasureKind::number(
            "separation",
            "m",
            "least distance of the selection's particles from `other`, radii taken off; negative where they overlap; between bodies that touch each other of their surfaces up to about two edges, further away of their particles",
            |s| scalar(separation(s)),
        )
        .against(Against::Always),
        MeasureKind::number(
            "curve-distance",
            "m",
            "largest distance of the selection's particles from their curve, |phi|/|grad phi|",
            |s| scalar(on_curves(s).fold(0.0, |most, on| larger(most, on.distance))),
        )
        .with_zero(Zero::Wanted),
        MeasureKind::number("curve-velocity", "m/s", "largest velocity off the curve", |s| {
            scalar(on_curves(s).fold(0.0, |most, on| larger(most, on.normal_speed)))
        })
        .with_zero(Zero::Wanted),
        MeasureKind::vector(
            "constraint-force",
            "N",
            "sum of the forces that keep the selection on its curve",
            |s| on_curves(s).map(|on| on.constraint_force).sum(),
        ),
        MeasureKind::vector(
            "curve-friction",
            "N",
            "sum of the friction forces along the curve",
            |s| on_curves(s).map(|on| on.friction).sum(),
        ),
        CONSTRAINT_LOAD,
        FRICTION_LOAD,
        MeasureKind::number(
            "curve-lag",
            "1",
            "by how much the constraint force that friction was taken from was off, as a share of it; the largest of the selection",
            |s| {
                scalar(on_curves(s).fold(0.0, |most, on| {
                    let load = on.constraint_force.norm();
                    if load > 0.0 { larger(most, on.lag / load) } else { most }
                }))
            },
        )
        .with_zero(Zero::Wanted),
        MeasureKind {
            name: "energy",
            about: "kinetic, elastic, contact and gravity energy of everything",
            unit: "J",
            vector: false,
            needs_body: false,
            against: Against::Nothing,
            reads: Reads::Anything,
            zero: Zero::Chosen,
            of_frames: false,
            of_place: false,
            read: |s| scalar(s.energies.total()),
        },
    ],
);

/// The largest tension of the springs between selected particles \[N\], at the rest lengths that
/// muscles give them: negative where all of them push, 0 where there is none.
fn tension(s: &Scope) -> f64 {
    let at = s.state.configuration();
    let selected = |i: usize| s.particles.binary_search(&i).is_ok();
    let mut added: BTreeMap<[usize; 2], f64> = BTreeMap::new();
    for muscle in &s.model.muscles {
        muscle.for_each_tension(&at, |ends, tension| *added.entry(ends).or_default() += tension);
    }
    let mut most: Option<f64> = None;
    s.model.springs.for_each(|spring| {
        if selected(spring.i) && selected(spring.j) {
            let pull =
                spring.tension(&at) + added.get(&[spring.i, spring.j]).copied().unwrap_or(0.0);
            most = Some(most.map_or(pull, |most| larger(most, pull)));
        }
    });
    most.unwrap_or(0.0)
}

fn scalar(x: f64) -> Vector {
    Vector::new(x, 0.0, 0.0)
}

/// The selected particles that are on a curve.
fn on_curves<'a>(scope: &'a Scope) -> impl Iterator<Item = &'a OnCurve> {
    let selected = |i: usize| scope.particles.binary_search(&i).is_ok();
    scope.state.memory.on_curves.iter().filter(move |on| selected(on.particle))
}

/// The contacts of the selected particles, each with the share of its force that acts on the
/// selection: zero within the selection.
fn contacts<'a>(scope: &'a Scope) -> impl Iterator<Item = (f64, &'a Contact)> {
    let selected = |i: usize| scope.particles.binary_search(&i).is_ok();
    let contacts = scope.state.memory.contacts.iter();
    contacts
        .filter(move |c| c.ends.iter().any(|(i, _)| selected(i)))
        .filter(|c| scope.other.is_none_or(|other| other.touches(c)))
        .map(move |c| (c.ends.share(selected), c))
}
