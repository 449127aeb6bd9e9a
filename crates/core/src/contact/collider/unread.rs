//! The placeholder of a shape until its file is read.

use super::{ColliderForm, Gap, Shape};
use crate::math::Vector;

/// A shape whose file nobody has read: there is nothing to touch.
///
/// Rooms below the scene do no input; the scene reads the file and puts its numbers in place of the
/// path. This stands in until then, so that everything else about the row can be checked.
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
