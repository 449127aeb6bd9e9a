//! Placeholder of a shape until its file is read.

use super::{ColliderForm, Gap, Shape};
use crate::math::Vector;

/// A shape without contact, until its file is read.
///
/// The core does no input: the scene reads the file and replaces the path by its numbers. Until
/// then the placeholder lets the other keys be checked.
pub(super) struct Unread;

impl Shape for Unread {
    fn gap(&self, _p: Vector) -> Gap {
        Gap { distance: f64::MAX, normal: Vector::z() }
    }

    fn center(&self) -> Vector {
        Vector::zeros()
    }

    fn parts(self: Box<Self>) -> Vec<Box<dyn Shape>> {
        vec![]
    }

    fn form(&self) -> ColliderForm<'_> {
        ColliderForm::Triangles(vec![])
    }
}
