//! The table of measures.

use super::Scope;
use super::other::{relative_displacement, relative_velocity, separation};
use super::rotation::{rotation_since_start, turned_by};
use crate::diagnosis::error_bar::Zero;
use crate::diagnosis::load::carried_by;
use crate::math::{Matrix, Vector, acos, degrees, larger};
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
        ),
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
            about: "kinetic, spring, contact and gravity energy of everything",
            unit: "J",
            vector: false,
            needs_body: false,
            against: Against::Nothing,
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

/// ω with I ω = L about the centre of mass, from the principal axes of the inertia I. An axis along
/// which all particles lie has no inertia, and ω no part about it.
pub fn spin(scope: &Scope) -> Vector {
    let center = scope.mean(&scope.state.positions);
    let mean = scope.mean(&scope.state.velocities);
    let (mut inertia, mut momentum) = (Matrix::zeros(), Vector::zeros());
    for &i in scope.particles {
        let m = scope.model.masses[i];
        let r = scope.state.positions[i] - center;
        inertia += (Matrix::identity() * r.norm_squared() - r * r.transpose()) * m;
        momentum += r.cross(&(scope.state.velocities[i] - mean)) * m;
    }
    let principal = inertia.symmetric_eigen();
    let least = ROUND_INERTIA * principal.eigenvalues.amax();
    let axes = principal.eigenvectors.column_iter().zip(principal.eigenvalues.iter());
    axes.filter(|(_, moment)| **moment > least)
        .map(|(axis, moment)| axis * (axis.dot(&momentum) / moment))
        .sum()
}

/// Moment of inertia below which an axis has none but by rounding, as a share of the largest.
const ROUND_INERTIA: f64 = 1e-12;

#[cfg(test)]
mod tests {
    use super::super::Probe;
    use super::*;
    use crate::world::shapes::{Geometry, Masses};
    use crate::world::{Body, World};

    const SPREAD: [[f64; 3]; 4] =
        [[0.0, 0.0, 0.0], [0.7, 0.0, 0.1], [-0.1, 0.5, 0.0], [0.2, -0.3, 0.9]];

    /// The spin that is read for unequal masses in rigid motion, v = V + ω × x.
    fn read(places: [[f64; 3]; 4], spin: Vector, velocity: Vector, selected: Vec<usize>) -> Vector {
        let positions: Vec<Vector> = places.map(Vector::from).to_vec();
        let velocities = positions.iter().map(|x| velocity + spin.cross(x)).collect();
        let masses = Masses::Given(vec![1.0, 2.0, 0.5, 3.0]);
        let shape = Geometry { positions, velocities, masses, ..Geometry::default() };
        let mut world = World::new();
        world.body(Body::new("body", shape));
        let kind = MEASURES.find("spin").expect("the row");
        let mut told = Vec::new();
        let run = world.simulate().expect("a world");
        Probe::new("spin", kind, selected, None).read(&run, &mut told);
        Vector::new(told[0], told[1], told[2])
    }

    #[test]
    fn the_spin_of_what_turns_as_one_is_its_rate_of_turn() {
        for spin in [Vector::x(), -Vector::y(), Vector::z() * 3.0, Vector::new(0.3, -2.0, 1.1)] {
            for velocity in [Vector::zeros(), Vector::new(5.0, -4.0, 3.0)] {
                for selected in [vec![0, 1, 2, 3], vec![0, 1, 3]] {
                    let found = read(SPREAD, spin, velocity, selected);
                    assert!((found - spin).norm() < 1e-12, "{found}, not {spin}");
                }
            }
        }
    }

    /// Particles on a line have no inertia about it, whichever way the line points: the spin across it is
    /// read, and none along it.
    #[test]
    fn the_spin_of_a_line_is_its_rate_of_turn_across_it() {
        for along in [[1.0, 0.0, 0.0], [0.3, -0.7, 0.2], [1e-3, 2.0, 0.1]] {
            let places = [-1.0, 0.3, 0.5, 2.0].map(|at| along.map(|x| x * at));
            let direction = Vector::from(along).normalize();
            let spin = direction.cross(&Vector::new(0.2, 0.1, -3.0));
            for about_itself in [0.0, 4.0] {
                let turn = spin + direction * about_itself;
                let found = read(places, turn, Vector::new(1.0, 2.0, -1.0), vec![0, 1, 2, 3]);
                assert!((found - spin).norm() < 1e-9, "{found}, not {spin}");
            }
        }
    }
}
