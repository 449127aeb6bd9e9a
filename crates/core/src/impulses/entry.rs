//! Results of the solved contacts of a step: contact records and energies.

use super::problem::{ContactProblem, ContactRow};
use crate::forces::account::Jump;
use crate::math::{Vector, larger};
use crate::state::memory::{Contact, Memory};

/// Slip that counts as none \[m/s\], at most. A contact whose load grows slowly beyond μ_s N keeps μ_s until it
/// slips faster.
pub const AT_REST: f64 = 1e-8;

/// Enters the contacts with an impulse in `next`, with forces impulse/h, and their dissipation in
/// `jump`; a slip of up to `at_rest` \[m/s\] counts as none.
///
/// An impulse p dissipates −p·(u + u')/2, with the relative velocities u and u' at the start and
/// the end of the step: ½ (1 − e²) m u² in an impact, zero at rest, −p·u up to order h² in a slide. An impact in
/// pieces has the sum over these, by [`ContactRow::bend`].
pub fn enter(
    problem: &ContactProblem,
    (h, at_rest): (f64, f64),
    next: &mut Memory,
    jump: &mut Jump,
) {
    next.contacts.clear();
    for row in &problem.rows {
        let p = row.impulse;
        if p.x <= 0.0 && p.y == 0.0 && p.z == 0.0 {
            continue;
        }
        let after = problem.velocity(row);
        let mean = (row.before + after) * 0.5;
        let across = -(p.y * mean.y + p.z * mean.z + row.bend.y + row.bend.z);
        let contact = Contact { dissipated: across / h, ..contact(row, &after, (h, at_rest)) };
        let work = (row.frame * p).dot(&row.near.surface_velocity) + problem.work_of_pins(row);
        jump.enter(contact.particle(), |flows| {
            flows.normal += -(p.x * mean.x + row.bend.x);
            if contact.sticking {
                flows.friction_stick += across;
            } else {
                flows.friction_slip += across;
            }
            flows.work += work;
        });
        next.contacts.push(contact);
    }
}

fn contact(row: &ContactRow, after: &Vector, (h, at_rest): (f64, f64)) -> Contact {
    let p = row.impulse;
    let near = &row.near;
    let force = row.frame * Vector::new(0.0, p.y, p.z) / h;
    let slip = unscaled(row, after);
    Contact {
        key: near.key,
        ends: near.ends,
        point: near.point,
        normal: near.normal,
        depth: larger(near.depth, 0.0),
        deepest: near.deepest,
        slip,
        surface_velocity: near.surface_velocity,
        normal_force: larger(p.x, 0.0) / h,
        friction: force,
        pair: near.pair,
        // at the edge of the cone as well: what does not slip holds by static friction
        sticking: row.friction.static_friction > 0.0 && slip.norm() <= at_rest,
        anchor: near.anchor,
        inverse_mass: row.inverse_mass[(0, 0)],
        ..Contact::default()
    }
}

/// The slip velocity in the world from the one in a frame of scaled tangents, u = Fᵀ v \[m/s\].
fn unscaled(row: &ContactRow, u: &Vector) -> Vector {
    let across = Vector::new(0.0, u.y, u.z);
    row.frame.transpose().try_inverse().map_or(Vector::zeros(), |inverse| inverse * across)
}
