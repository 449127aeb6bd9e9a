//! Triangles of colliders, kept between pictures.

use std::cell::RefCell;
use std::sync::{Arc, Weak};
use stiction_core::contact::collider::march;
use stiction_core::contact::collider::outline::triangles;
use stiction_core::contact::collider::{Bounds, ColliderForm, Shape};
use stiction_core::math::Vector;
use stiction_core::model::Model;

/// Number of marched surfaces that are kept.
const KEPT: usize = 16;

/// A surface found by marching.
struct Marched {
    model: Weak<Model>,
    collider: usize,
    bounds: Bounds,
    triangles: Vec<[Vector; 3]>,
}

/// The triangles of a model's colliders; surfaces that need marching are kept for the next picture.
#[derive(Default)]
pub struct Outlines(RefCell<Vec<Marched>>);

impl Outlines {
    /// Triangles of a collider at rest \[m\]; `around` is the box that the picture must cover.
    pub fn of(&self, model: &Arc<Model>, collider: usize, around: &Bounds) -> Vec<[Vector; 3]> {
        let shape = model.surfaces.colliders[collider].shape.as_ref();
        match shape.form() {
            ColliderForm::Level => self.marched(model, collider, shape, around),
            _ => triangles(shape, around),
        }
    }

    fn marched(
        &self,
        model: &Arc<Model>,
        collider: usize,
        shape: &dyn Shape,
        around: &Bounds,
    ) -> Vec<[Vector; 3]> {
        let bounds = march::roomy(around);
        let mut kept = self.0.borrow_mut();
        // a weak pointer keeps the address in use, so that no other model can have it
        kept.retain(|known| known.model.strong_count() > 0);
        let is = |known: &&Marched| {
            let same = std::ptr::eq(known.model.as_ptr(), Arc::as_ptr(model));
            same && known.collider == collider && known.bounds == bounds
        };
        if let Some(known) = kept.iter().find(is) {
            return known.triangles.clone();
        }
        let triangles = triangles(shape, around);
        if kept.len() == KEPT {
            kept.remove(0);
        }
        let model = Arc::downgrade(model);
        kept.push(Marched { model, collider, bounds, triangles: triangles.clone() });
        triangles
    }
}
