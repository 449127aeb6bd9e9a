//! Stress and strain of the elements at a configuration: for measures, maps and files.

use super::corotational::Corotational;
use super::line::Line;
use super::linear::Linear;
use super::membrane::Membrane;
use super::neo_hookean::NeoHookean;
use super::principal::Principal;
use super::simplex::gradient;
use super::solid::Solid;
use super::{Elements, SolidLaw, SolidMaterial};
use crate::math::square::Square;
use crate::math::{Matrix, Vector, pow, sqrt};
use std::ops::Range;

/// Most corners of an element.
const MOST: usize = 4;

/// Stress and strain of a tetrahedron, of a triangle of a sheet or of a segment of a rope.
///
/// A sheet is in plane stress, bending apart: its gradient has the stretch of its thickness along its normal. A rope
/// does not become thinner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ElasticState {
    corners: [usize; MOST],
    count: usize,
    /// V, its volume at rest \[m³\].
    pub volume: f64,
    /// F, its deformation gradient \[1\].
    pub gradient: Matrix,
    /// σ, its Cauchy stress \[Pa\], without damping: force by area as it is now. Without limit where it is flat.
    pub stress: Matrix,
}

impl ElasticState {
    /// Its corners: four of a tetrahedron, three of a triangle, two of a segment.
    pub fn corners(&self) -> &[usize] {
        &self.corners[..self.count]
    }

    /// J = det F: its volume by that at rest, below zero where it is inverted.
    pub fn volume_ratio(&self) -> f64 {
        self.gradient.determinant()
    }

    /// The principal stretches, the largest first; the last is below zero where it is inverted.
    pub fn stretches(&self) -> [f64; 3] {
        Principal::of(&self.gradient).stretches
    }

    /// p = −tr σ/3 \[Pa\], positive where it is compressed.
    pub fn pressure(&self) -> f64 {
        -self.stress.trace() / 3.0
    }

    /// √(3/2 s:s) \[Pa\], s = σ + p 1: in uniaxial tension |σ|. Source: \[bonet2008\].
    pub fn von_mises(&self) -> f64 {
        let deviator = self.stress + Matrix::identity() * self.pressure();
        sqrt(1.5 * deviator.norm_squared())
    }

    fn of<const N: usize>(own: [usize; N], volume: f64, gradient: Matrix, stress: Matrix) -> Self {
        let mut corners = [0; MOST];
        corners[..N].copy_from_slice(&own);
        ElasticState { corners, count: N, volume, gradient, stress }
    }
}

/// σ = P Fᵀ/|J| \[Pa\]; of small strains P.
///
/// The force on a part of the surface is P n₀ dA₀ = σ n dA with n dA = ±cof F n₀ dA₀ outward: minus where inverted.
fn cauchy<L: Solid>(material: &SolidMaterial, f: &Square<f64>) -> Matrix {
    let stress = Matrix::from(L::stress(&material.moduli, f));
    let carried = Matrix::from(L::carried(f));
    stress * carried.transpose() / carried.determinant().abs()
}

/// F of a sheet with the stretch of its thickness along its normal: A^(−λ/2μ), with A its area by that at rest. By
/// Hooke's law λ/2μ = ν/(1 − ν) of the logarithmic strains of the plane is that across it.
fn with_thickness(material: &SolidMaterial, f: &Matrix) -> Matrix {
    let [a, b]: [Vector; 2] = [f.column(0).into(), f.column(1).into()];
    let (across, moduli) = (a.cross(&b), &material.moduli);
    let thickness = pow(across.norm(), -0.5 * moduli.lambda / moduli.mu);
    let normal = across.try_normalize(0.0).unwrap_or_default();
    Matrix::from_columns(&[a, b, normal * thickness])
}

/// F of a rope that does not become thinner.
fn with_section(f: &Matrix) -> Matrix {
    let along: Vector = f.column(0).into();
    let other = Vector::ith(along.iamin(), 1.0);
    let across = along.cross(&other).try_normalize(0.0).unwrap_or_default();
    let last = along.cross(&across).try_normalize(0.0).unwrap_or_default();
    Matrix::from_columns(&[along, across, last])
}

impl Elements {
    /// Calls `visit` with stress and strain of every element but those of bending at `positions` \[m\], in the order of
    /// sums.
    pub fn for_each_state(&self, positions: &[Vector], mut visit: impl FnMut(&ElasticState)) {
        self.tetrahedra.for_each(|corners, gradients, volume, material| {
            let f = gradient(corners, &gradients, positions);
            let stress = match material.law {
                SolidLaw::Linear => cauchy::<Linear>(material, &f),
                SolidLaw::Corotational => cauchy::<Corotational>(material, &f),
                SolidLaw::NeoHookean => cauchy::<NeoHookean>(material, &f),
            };
            visit(&ElasticState::of(corners, volume, f.into(), stress));
        });
        self.triangles.for_each(|corners, gradients, volume, material| {
            let f = gradient(corners, &gradients, positions).into();
            let f = with_thickness(material, &f);
            let stress = cauchy::<Membrane>(material, &f.into());
            visit(&ElasticState::of(corners, volume, f, stress));
        });
        self.segments.for_each(|corners, gradients, volume, material| {
            let f = with_section(&gradient(corners, &gradients, positions).into());
            let stress = cauchy::<Line>(material, &f.into());
            visit(&ElasticState::of(corners, volume, f, stress));
        });
    }

    /// A quantity at each particle: Σ V q/Σ V over its elements, V at rest; NaN where there is none.
    pub fn at_particles(&self, positions: &[Vector], q: impl Fn(&ElasticState) -> f64) -> Vec<f64> {
        let mut sums = vec![[0.0; 2]; positions.len()];
        self.for_each_state(positions, |state| {
            let value = q(state);
            for i in state.corners() {
                sums[*i][0] += state.volume * value;
                sums[*i][1] += state.volume;
            }
        });
        sums.into_iter().map(|[sum, volume]| sum / volume).collect()
    }

    /// Whether some are among these particles.
    pub fn are_in(&self, particles: &Range<usize>) -> bool {
        let mut any = false;
        self.for_each_stiffness(|first, _| any |= particles.contains(&first));
        any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forces::elements::{List, Moduli, Simplex};
    use crate::math::rotation;

    const YOUNG: f64 = 2e6;
    const LAWS: [SolidLaw; 3] = [SolidLaw::Linear, SolidLaw::Corotational, SolidLaw::NeoHookean];

    /// Two tetrahedra of different volume that share three corners, and a particle without any, under x = F X.
    fn deformed(law: SolidLaw, poisson: f64, f: &Matrix) -> (Elements, Vec<Vector>) {
        let rest =
            [[0.0; 3], [0.1, 0.0, 0.02], [0.0, 0.2, 0.0], [0.03, 0.0, 0.1], [0.0, 0.0, -0.4]];
        let rest = rest.map(Vector::from);
        let tetrahedron = |corners: [u32; 4]| {
            let [first, others @ ..] = corners.map(|i| rest[i as usize]);
            Simplex { corners, edges: others.map(|x| x - first), section: 1.0, material: 0 }
        };
        let material = SolidMaterial { moduli: Moduli::of(YOUNG, poisson), law, damping: 0.0 };
        let tetrahedra = vec![tetrahedron([0, 1, 2, 3]), tetrahedron([0, 2, 1, 4])];
        let list = List { tetrahedra, ..List::default() };
        let elements = Elements::new(list, vec![material], 6);
        let places = rest.into_iter().chain([Vector::x()]);
        (elements, places.map(|x| f * x + Vector::new(3.0, 1.0, -2.0)).collect())
    }

    fn state(law: SolidLaw, poisson: f64, f: &Matrix) -> ElasticState {
        let (elements, positions) = deformed(law, poisson, f);
        let mut states = Vec::new();
        elements.for_each_state(&positions, |state| states.push(*state));
        assert_eq!(states.len(), 2);
        assert!((states[0].stress - states[1].stress).norm() <= 1e-9 * YOUNG);
        states[0]
    }

    fn diagonal(along: f64, across: f64) -> Matrix {
        Matrix::from_diagonal(&Vector::new(along, across, across))
    }

    #[track_caller]
    fn near(found: f64, wanted: f64, share: f64) {
        assert!((found - wanted).abs() <= share * wanted.abs(), "{found}, not {wanted}");
    }

    #[test]
    fn a_small_stretch_of_a_bar_has_the_stress_of_hookes_law() {
        for law in LAWS {
            for strain in [1e-7, -1e-7] {
                let bar = state(law, 0.0, &diagonal(1.0 + strain, 1.0));
                near(bar.stress[(0, 0)], YOUNG * strain, 1e-6);
                near(bar.von_mises(), YOUNG * strain.abs(), 1e-6);
                near(bar.pressure(), -YOUNG * strain / 3.0, 1e-6);
                near(bar.volume_ratio() - 1.0, strain, 1e-6);
            }
        }
    }

    /// Nominal stress by E and lateral stretch of the stable neo-Hookean law at ν = 0.3, from its closed form.
    #[test]
    fn a_bar_of_rubber_follows_the_closed_form_of_its_law() {
        for (stretch, nominal, lateral) in
            [(0.7, -0.372899847, 1.085299261), (1.5, 0.404445520, 0.867086124)]
        {
            let bar = state(SolidLaw::NeoHookean, 0.3, &diagonal(stretch, lateral));
            near(bar.stress[(0, 0)] * lateral * lateral, nominal * YOUNG, 1e-8);
            assert!(bar.stress[(1, 1)].abs() < 1e-8 * YOUNG, "{}", bar.stress);
            near(bar.von_mises(), bar.stress[(0, 0)].abs(), 1e-7);
            let mut stretches = [stretch, lateral, lateral];
            stretches.sort_by(|a, b| b.total_cmp(a));
            bar.stretches().iter().zip(stretches).for_each(|(a, b)| near(*a, b, 1e-12));
        }
    }

    #[test]
    fn simple_shear_has_the_von_mises_stress_of_the_shear_modulus() {
        let gamma = 1e-7;
        let mut f = Matrix::identity();
        f[(0, 1)] = gamma;
        for law in LAWS {
            let shear = state(law, 0.3, &f);
            let mu = Moduli::of(YOUNG, 0.3).mu;
            near(shear.von_mises(), sqrt(3.0) * mu * gamma, 1e-6);
            assert!(shear.pressure().abs() < 1e-6 * mu * gamma);
        }
    }

    #[test]
    fn a_uniform_compression_has_a_pressure_and_no_von_mises_stress() {
        let Moduli { lambda, mu } = Moduli::of(YOUNG, 0.3);
        for law in LAWS {
            let solid = state(law, 0.3, &diagonal(1.0 - 1e-7, 1.0 - 1e-7));
            near(solid.pressure(), 3e-7 * (lambda + 2.0 * mu / 3.0), 1e-6);
            assert!(solid.von_mises() < 1e-6 * solid.pressure());
        }
    }

    /// A sheet drawn along one axis, free across: σ = E ε, and it becomes narrower and thinner by ν ε.
    #[test]
    fn a_sheet_is_in_plane_stress() {
        let (strain, poisson) = (1e-6, 0.3);
        let places = [Vector::zeros(), Vector::new(0.2, 0.0, 0.0), Vector::new(0.0, 0.1, 0.0)];
        let [_, a, b] = places;
        let edges = [a, b, Vector::zeros()];
        let triangle = Simplex { corners: [0, 1, 2], edges, section: 0.01, material: 0 };
        let list = List { triangles: vec![triangle], ..List::default() };
        let moduli = Moduli::plane_stress(YOUNG, poisson);
        let material = SolidMaterial { moduli, ..SolidMaterial::default() };
        let elements = Elements::new(list, vec![material], 3);
        let f = diagonal(1.0 + strain, 1.0 - poisson * strain);
        let turn = rotation(Vector::new(1.0, 2.0, -0.5).normalize(), 2.2);
        let places = places.map(|x| turn * f * x);
        let mut states = Vec::new();
        elements.for_each_state(&places, |state| states.push(*state));
        let [sheet] = states[..] else { panic!("{states:?}") };
        assert_eq!(sheet.corners(), [0, 1, 2]);
        near(sheet.von_mises(), YOUNG * strain, 1e-5);
        near(sheet.pressure(), -YOUNG * strain / 3.0, 1e-5);
        near(sheet.volume_ratio() - 1.0, (1.0 - 2.0 * poisson) * strain, 1e-5);
        near(sheet.stretches()[0] - 1.0, strain, 1e-5);
    }

    #[test]
    fn a_rope_has_the_stress_of_its_tension() {
        let edges = [Vector::x(), Vector::zeros(), Vector::zeros()];
        let segment = Simplex { corners: [0, 1], edges, section: 1e-4, material: 0 };
        let list = List { segments: vec![segment], ..List::default() };
        let material = SolidMaterial { moduli: Moduli::line(YOUNG), ..SolidMaterial::default() };
        let elements = Elements::new(list, vec![material], 2);
        let mut states = Vec::new();
        let ends = [Vector::zeros(), Vector::new(0.0, 1.01, 0.0)];
        elements.for_each_state(&ends, |state| states.push(*state));
        let [rope] = states[..] else { panic!("{states:?}") };
        assert_eq!((rope.corners(), rope.volume), (&[0, 1][..], 1e-4));
        near(rope.stress[(1, 1)], 0.01 * YOUNG, 1e-12);
        near(rope.stretches()[0], 1.01, 1e-12);
    }

    #[test]
    fn stress_turns_with_the_solid() {
        let f = Matrix::new(1.2, 0.1, 0.0, -0.2, 0.8, 0.3, 0.0, 0.1, 1.1);
        let turn = rotation(Vector::new(1.0, 2.0, -0.5).normalize(), 2.2);
        for law in [SolidLaw::Corotational, SolidLaw::NeoHookean] {
            let (before, after) = (state(law, 0.3, &f), state(law, 0.3, &(turn * f)));
            let turned = turn * before.stress * turn.transpose();
            assert!((after.stress - turned).norm() < 1e-9 * YOUNG, "{law:?}");
            near(after.von_mises(), before.von_mises(), 1e-9);
        }
    }

    /// A solid that is turned inside out and squeezed to half its size presses outward.
    #[test]
    fn an_inverted_solid_has_the_stress_of_its_own_surface() {
        let f = -0.5 * Matrix::identity();
        let solid = state(SolidLaw::Linear, 0.3, &f);
        assert!(solid.volume_ratio() < 0.0 && solid.stretches()[2] < 0.0);
        assert!(solid.pressure() > 0.0);
        let mirror = diagonal(-0.5, 0.5);
        let rubber = state(SolidLaw::NeoHookean, 0.3, &mirror);
        let nominal = NeoHookean::stress(&Moduli::of(YOUNG, 0.3), &Square::from(mirror));
        // the face towards +x at rest looks towards −x now, and has a quarter of its area
        near(rubber.stress[(0, 0)], -nominal.0[0][0] / 0.25, 1e-9);
    }

    #[test]
    fn the_mean_by_volume_of_a_uniform_state_is_uniform() {
        let f = Matrix::new(1.2, 0.1, 0.0, -0.2, 0.8, 0.3, 0.0, 0.1, 1.1);
        let (elements, positions) = deformed(SolidLaw::NeoHookean, 0.3, &f);
        let means = elements.at_particles(&positions, ElasticState::von_mises);
        let wanted = state(SolidLaw::NeoHookean, 0.3, &f).von_mises();
        means[..5].iter().for_each(|mean| near(*mean, wanted, 1e-12));
        assert!(means.len() == 6 && means[5].is_nan());
        // of volumes themselves: V₁² + V₂² over V₁ + V₂ where both meet
        let volumes = elements.at_particles(&positions, |state| state.volume);
        let (a, b) = (volumes[3], volumes[4]);
        near(volumes[0], (a * a + b * b) / (a + b), 1e-12);
        assert!(elements.are_in(&(0..6)) && !elements.are_in(&(5..6)));
    }
}
