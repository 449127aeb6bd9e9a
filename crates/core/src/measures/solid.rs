//! Measures of the stress and strain of elastic bodies, over the elements with a corner in the selection.

use super::Scope;
use crate::forces::elements::ElasticState;
use crate::math::{Vector, larger, smaller};

/// The largest von Mises stress \[Pa\].
pub(super) fn von_mises(scope: &Scope) -> Vector {
    folded(scope, ElasticState::von_mises, larger)
}

/// The largest pressure \[Pa\].
pub(super) fn pressure(scope: &Scope) -> Vector {
    folded(scope, ElasticState::pressure, larger)
}

/// The largest principal stretch.
pub(super) fn stretch(scope: &Scope) -> Vector {
    folded(scope, |state| state.stretches()[0], larger)
}

/// The smallest principal stretch.
pub(super) fn compression(scope: &Scope) -> Vector {
    folded(scope, |state| state.stretches()[2], smaller)
}

/// Σ V J/Σ V − 1.
pub(super) fn volume_change(scope: &Scope) -> Vector {
    let (mut now, mut rest) = (0.0, 0.0);
    for_each(scope, |state| {
        now += state.volume * state.volume_ratio();
        rest += state.volume;
    });
    Vector::new(now / rest - 1.0, 0.0, 0.0)
}

/// Calls `visit` for the elements with a selected corner.
fn for_each(scope: &Scope, mut visit: impl FnMut(&ElasticState)) {
    let selected = |i: &usize| scope.particles.binary_search(i).is_ok();
    scope.model.elements.for_each_state(&scope.state.positions, |state| {
        if state.corners().iter().any(selected) {
            visit(state);
        }
    });
}

/// A quantity of all of them, in one number; NaN without any.
fn folded(
    scope: &Scope,
    of: impl Fn(&ElasticState) -> f64,
    fold: impl Fn(f64, f64) -> f64,
) -> Vector {
    let mut all: Option<f64> = None;
    for_each(scope, |state| {
        let value = of(state);
        all = Some(all.map_or(value, |all| fold(all, value)));
    });
    Vector::new(all.unwrap_or(f64::NAN), 0.0, 0.0)
}

#[cfg(test)]
mod tests {
    use crate::math::{Matrix, Vector};
    use crate::measures::{MEASURES, Probe};
    use crate::world::shapes::lattice::Lattice;
    use crate::world::{Body, Elasticity, Material, World};

    /// Reads a measure of a block that is deformed by x = F X, but for its particles from `shift.0` on, which are
    /// moved by `shift.1` besides.
    fn read(kind: &str, selected: &[usize], f: &Matrix, shift: (usize, Vector)) -> f64 {
        let mut world = World::new();
        let rubber = Elasticity::new(1e6, 0.0);
        world.material(Material::new("rubber", 0.5, 0.5).density(1e3).elasticity(rubber));
        world.body(Body::new("block", Lattice::new([2, 2, 4], 0.1)));
        let mut run = world.simulate().expect("a world");
        for (i, x) in run.state.positions.iter_mut().enumerate() {
            *x = f * *x + if i >= shift.0 { shift.1 } else { Vector::zeros() };
        }
        let mut found = Vec::new();
        let row = MEASURES.find(kind).expect("the row");
        Probe::new("own", row, selected.to_vec(), None).read(&run, &mut found);
        found[0]
    }

    #[test]
    fn a_uniform_state_is_read_from_every_selection() {
        let f = Matrix::from_diagonal(&Vector::new(1.0, 1.0, 1.0 + 1e-6));
        for selected in [vec![0], vec![15], (0..16).collect()] {
            let of = |kind| read(kind, &selected, &f, (16, Vector::zeros()));
            for (kind, wanted, near) in [
                ("von-mises", 1.0, 1e-5),
                ("pressure", -1.0 / 3.0, 1e-5),
                ("stretch", 1.0 + 1e-6, 1e-12),
                ("compression", 1.0, 1e-12),
                ("volume-change", 1e-6, 1e-12),
            ] {
                let found = of(kind);
                assert!((found - wanted).abs() < near, "{kind}: {found}, not {wanted}");
            }
        }
    }

    /// The block's upper half is drawn away from the lower one: its middle layer alone is stretched.
    #[test]
    fn only_what_touches_the_selection_is_read() {
        let upper = (8, Vector::new(0.0, 0.0, 0.05));
        let of = |kind, selected: &[usize]| read(kind, selected, &Matrix::identity(), upper);
        let (ends, all): (Vec<usize>, Vec<usize>) =
            ((0..4).chain(12..16).collect(), (0..16).collect());
        assert!((of("stretch", &all) - 1.5).abs() < 1e-12);
        assert!((of("stretch", &ends) - 1.0).abs() < 1e-12);
        assert!(of("von-mises", &ends) < 1e-6 && of("von-mises", &all) > 3e5);
        assert!((of("volume-change", &all) - 0.5 / 3.0).abs() < 1e-12);
        assert!((of("compression", &all) - 1.0).abs() < 1e-12);
    }
}
