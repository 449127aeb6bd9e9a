//! Which contacts have static friction in a step: those that hold, and those that kinetic friction stops in it.

use super::problem::ContactRow;
use crate::contact::near::Near;
use crate::math::{Vector, sqrt};
use crate::state::memory::{Contact, Memory};

/// Sets μ_s = μ_k at a contact that slips and does not stop in this step; `target` is its least separating velocity
/// at the end \[m/s\], and a new one with a slip of up to `rest` \[m/s\] counts as at rest.
pub(super) fn slip_if_sliding(row: &mut ContactRow, memory: &Memory, target: f64, rest: f64) {
    if !holds(row, memory, rest) && !stops(row, target) {
        row.friction.static_friction = row.friction.kinetic_friction;
    }
}

/// The record of a contact from the last step.
pub(super) fn record<'a>(near: &Near, memory: &'a Memory) -> Option<&'a Contact> {
    let contacts = &memory.contacts;
    contacts.binary_search_by(|contact| contact.key.cmp(&near.key)).ok().map(|k| &contacts[k])
}

/// Whether a contact has static friction: it stuck in the last step, or is new and at rest.
fn holds(row: &ContactRow, memory: &Memory, rest: f64) -> bool {
    match record(&row.near, memory) {
        Some(contact) => contact.sticking,
        None => sqrt(row.before.y * row.before.y + row.before.z * row.before.z) <= rest,
    }
}

/// Whether μ_k stops the slip within the step, judged for a single contact.
fn stops(row: &ContactRow, target: f64) -> bool {
    let [y, z] = [row.before.y, row.before.z];
    let slip = sqrt(y * y + z * z);
    let closing = target - row.free.x;
    if slip == 0.0 || closing <= 0.0 || row.inverse_mass[(0, 0)] <= 0.0 {
        return slip == 0.0;
    }
    let along = Vector::new(0.0, y, z) / slip;
    let p = row.friction.kinetic_friction * closing / row.inverse_mass[(0, 0)];
    row.free.dot(&along) <= p * along.dot(&(row.inverse_mass * along))
}
