//! The classical Runge–Kutta method, in place.

use super::region::Region;
use super::{Capabilities, Integrator, StepError, StepReport};
use crate::math::Vector;
use crate::model::Model;
use crate::registry::{Entry, Page};
use crate::state::{Configuration, Lag, State};

/// Four stages at t, t + h/2, t + h/2, t + h with weights 1/6, 1/3, 1/3, 1/6.
///
/// Order 4. Friction decays for h λ < 2.785294; above, it settles on a spurious constant velocity
/// instead of exploding. Undamped springs are stable for h ω < 2√2. Source: \[kutta1901\].
#[derive(Debug, Default)]
pub struct Rk4 {
    x: Vec<Vector>,
    v: Vec<Vector>,
    f: Vec<Vector>,
    sum_x: Vec<Vector>,
    sum_v: Vec<Vector>,
    // stretch that is carried: at the stage, its rate there, the weighted sum of rates
    z: Vec<Vector>,
    rates: Vec<Vector>,
    sum_z: Vec<Vector>,
}

/// Its row.
pub const ENTRY: Entry<dyn Integrator> = Entry {
    name: "rk4",
    about: "classical Runge–Kutta: order 4, four evaluations a step",
    keys: &[],
    page: Page {
        formula: "The classical four stages of order 4, weighted 1/6, 1/3, 1/3, 1/6",
        crawl: "",
        stiffness: "Decay: h λ < 2.7853. Oscillation: h ω < 2.8284.",
        when: "Smooth motion to a few digits more, at four evaluations a step. Above its limit friction settles on a wrong steady speed, which the verdict reports.",
        source: "Wilhelm Kutta 1901 [kutta1901]",
    },
    make: |_| Ok(Box::new(Rk4::default())),
};

impl Rk4 {
    /// The stretch of the next stage: z + h ż with the rates of this one.
    fn move_stretch(&mut self, state: &State, h: f64) {
        self.z.clear();
        self.z.extend(state.stretch.iter().zip(&self.rates).map(|(z, rate)| z + rate * h));
    }
}

impl Integrator for Rk4 {
    fn step(&mut self, model: &Model, state: &mut State, h: f64) -> Result<StepReport, StepError> {
        let n = state.positions.len();
        for buffer in [&mut self.x, &mut self.v, &mut self.f, &mut self.sum_x, &mut self.sum_v] {
            buffer.resize(n, Vector::zeros());
        }
        // stage 1 is the committed force
        for i in 0..n {
            let (v, a) = (state.velocities[i], model.mobilities[i].component_mul(&state.forces[i]));
            self.sum_x[i] = v;
            self.sum_v[i] = a;
            self.x[i] = state.positions[i] + v * (0.5 * h);
            self.v[i] = state.velocities[i] + a * (0.5 * h);
        }
        model.stretch_rates_at(&state.configuration(), &mut self.rates);
        self.sum_z.clone_from(&self.rates);
        self.move_stretch(state, 0.5 * h);
        for (weight, node, next) in [(2.0, 0.5, 0.5), (2.0, 0.5, 1.0), (1.0, 1.0, 0.0)] {
            let at = Configuration {
                time: state.time + node * h,
                positions: &self.x,
                velocities: &self.v,
                memory: &state.memory,
                stretch: (!self.z.is_empty()).then_some(&self.z[..]),
                lag: Lag::NONE,
                within_step: true,
            };
            model.forces_at(&at, &mut self.f);
            model.stretch_rates_at(&at, &mut self.rates);
            for i in 0..n {
                let (v, a) = (self.v[i], model.mobilities[i].component_mul(&self.f[i]));
                self.sum_x[i] += v * weight;
                self.sum_v[i] += a * weight;
                self.x[i] = state.positions[i] + v * (next * h);
                self.v[i] = state.velocities[i] + a * (next * h);
            }
            for (sum, rate) in self.sum_z.iter_mut().zip(&self.rates) {
                *sum += rate * weight;
            }
            self.move_stretch(state, next * h);
        }
        for i in 0..n {
            state.positions[i] += self.sum_x[i] * (h / 6.0);
            state.velocities[i] += self.sum_v[i] * (h / 6.0);
        }
        for (z, sum) in state.stretch.iter_mut().zip(&self.sum_z) {
            *z += sum * (h / 6.0);
        }
        Ok(StepReport { evaluations: 4, substeps: 1, ..StepReport::default() })
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            order: 4,
            decay_limit: Some(2.785_294),
            oscillation_limit: Some(2.828_427),
            adaptive: false,
            implicit: false,
            carries_stretch: true,
            rings_above: None,
            region: Region::Polynomial(&[1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0]),
        }
    }
}
