//! Contact quantities of every particle at an accepted state.

use crate::contact::acting::{ActingContact, for_each_jumped};
use crate::math::Vector;
use crate::model::Model;
use crate::state::State;

/// Forces and slip of each particle, from all its contacts. A contact between bodies acts on up to four
/// particles by their weights c_k; slip and displacement are those of the particle's own side.
///
/// Σ (normal + friction) over a body is the resultant of its contacts: d(momentum)/dt less all other
/// forces, to rounding.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ContactFields {
    /// Force along the normals, N less the pull of adhesion \[N\].
    pub normal: Vec<Vector>,
    /// Friction force \[N\].
    pub friction: Vec<Vector>,
    /// Slip velocity, Σ |c| N v / Σ |c| N \[m/s\]; zero without contact.
    pub slip: Vec<Vector>,
    /// The law's stretch, averaged as the slip \[m\].
    pub displacement: Vec<Vector>,
    /// Load ratio Σ |c F| / Σ |c| μ_s N; NaN without contact.
    pub load_ratio: Vec<f64>,
    /// 1 where all its contacts stick, 0 where one slips; NaN without contact.
    pub sticking: Vec<f64>,
    /// Σ |c| N / A with A a third of the area of the surface triangles at the particle \[Pa\]; NaN
    /// without such triangles.
    pub pressure: Vec<f64>,
    /// Σ |c F| / A \[Pa\]; NaN without such triangles.
    pub shear: Vec<f64>,
    /// Power that friction dissipates, halved between the sides of a contact \[W\].
    pub power: Vec<f64>,
}

/// Sums of one particle.
#[derive(Clone, Copy, Default)]
struct Sums {
    /// Σ |c| N \[N\].
    normal: f64,
    /// Σ |c| μ_s N \[N\].
    most: f64,
    /// Σ |c F| \[N\].
    friction: f64,
    slips: bool,
    touches: bool,
}

impl ContactFields {
    /// The fields of an accepted state.
    pub fn of(model: &Model, state: &State) -> ContactFields {
        let n = model.particles();
        let mut fields = ContactFields {
            normal: vec![Vector::zeros(); n],
            friction: vec![Vector::zeros(); n],
            slip: vec![Vector::zeros(); n],
            displacement: vec![Vector::zeros(); n],
            power: vec![0.0; n],
            ..ContactFields::default()
        };
        let mut sums = vec![Sums::default(); n];
        let add = |acting: &ActingContact| fields.add(&mut sums, acting);
        match model.contact_force() {
            Some(contact) => contact.for_each_acting(state, add),
            None => for_each_jumped(&state.memory, add),
        }
        for (i, sum) in sums.iter().enumerate().filter(|(_, sum)| sum.normal > 0.0) {
            fields.slip[i] /= sum.normal;
            fields.displacement[i] /= sum.normal;
        }
        let known = |sum: &Sums, value: f64| if sum.touches { value } else { f64::NAN };
        let ratio = |sum: &Sums| if sum.friction == 0.0 { 0.0 } else { sum.friction / sum.most };
        fields.load_ratio = sums.iter().map(|sum| known(sum, ratio(sum))).collect();
        let sticks = |sum: &Sums| known(sum, if sum.slips { 0.0 } else { 1.0 });
        fields.sticking = sums.iter().map(sticks).collect();
        let areas = areas(model, &state.positions);
        let over = |force: fn(&Sums) -> f64| {
            let each = sums.iter().zip(&areas);
            each.map(|(sum, area)| if *area > 0.0 { force(sum) / area } else { f64::NAN }).collect()
        };
        (fields.pressure, fields.shear) = (over(|sum| sum.normal), over(|sum| sum.friction));
        fields
    }

    fn add(&mut self, sums: &mut [Sums], acting: &ActingContact) {
        let whole: f64 = acting.ends.iter().map(|(_, weight)| weight.abs()).sum();
        for (k, (i, weight)) in acting.ends.iter().enumerate() {
            self.normal[i] += acting.along[k];
            self.friction[i] += acting.friction[k];
            let Some(contact) = acting.contact.filter(|_| weight != 0.0) else { continue };
            let load = weight.abs() * contact.normal_force;
            let side = weight.signum() * load;
            self.slip[i] += contact.slip * side;
            self.displacement[i] += acting.displacement * side;
            self.power[i] += contact.dissipated * weight.abs() / whole;
            let sum = &mut sums[i];
            sum.normal += load;
            sum.most += load * contact.pair.static_friction;
            sum.friction += weight.abs() * contact.friction.norm();
            sum.slips |= !contact.sticking;
            sum.touches = true;
        }
    }

    /// Force of all contacts of a particle \[N\].
    pub fn force(&self, i: usize) -> Vector {
        self.normal[i] + self.friction[i]
    }
}

/// A third of the present area of the surface triangles at each particle \[m²\].
fn areas(model: &Model, positions: &[Vector]) -> Vec<f64> {
    let mut areas = vec![0.0; positions.len()];
    for triangle in model.bodies.iter().flat_map(|body| &body.triangles) {
        let [a, b, c] = triangle.map(|i| positions[i as usize]);
        let third = (b - a).cross(&(c - a)).norm() / 6.0;
        triangle.iter().for_each(|i| areas[*i as usize] += third);
    }
    areas
}
