//! Explicit Runge–Kutta methods: one implementation for every Butcher tableau.

use super::region::{DEGREE, Polynomial, Region};
use super::{Capabilities, Integrator, StepReport};
use crate::math::pointwise::{self, Number, Pointwise, add_combined, combine};
use crate::math::{Vector, flat, flat_mut};
use crate::model::Model;
use crate::state::memory::Memory;
use crate::state::{Configuration, Lag, State};
use crate::step_error::StepError;

/// A method of S stages: stage i is at t + c_i h and y + h Σ_j a_ij k_j, the step ends at
/// y + h Σ_i b_i k_i. Source: \[hairer1993\].
#[derive(Debug)]
pub(crate) struct Tableau<const S: usize> {
    /// c_i, the first 0.
    pub nodes: [f64; S],
    /// a_ij, zero for j ≥ i.
    pub rows: [[f64; S]; S],
    /// b_i times [`Self::divisor`].
    pub weights: [f64; S],
    /// Sum of the weights.
    pub divisor: f64,
    /// Order.
    pub order: u32,
}

impl<const S: usize> Tableau<S> {
    /// R(z) = 1 + Σ_k z^k b·A^(k−1)·1, z = h μ: one step's factor on y' = μ y.
    pub fn growth(&self) -> Polynomial {
        const { assert!(S <= DEGREE, "a polynomial of growth has as many terms as stages") };
        let mut coefficients = [0.0; DEGREE + 1];
        coefficients[0] = 1.0;
        // A^(k−1)·1
        let mut powers = [1.0; S];
        for coefficient in coefficients.iter_mut().skip(1).take(S) {
            let weighted = self.weights.iter().zip(powers).map(|(b, p)| b * p);
            *coefficient = weighted.sum::<f64>() / self.divisor;
            powers = self.rows.map(|row| row.iter().zip(powers).map(|(a, p)| a * p).sum());
        }
        coefficients
    }

    /// Capabilities of a method with this tableau at a fixed step.
    pub fn capabilities(&self) -> Capabilities {
        Capabilities {
            // Σ b_i c_i: ½ from order two on
            kick_share: Some(if self.order > 1 { 0.5 } else { 0.0 }),
            ..Capabilities::explicit(self.order, Region::Polynomial(self.growth()))
        }
    }
}

/// The stages of a step. The rates k_i of positions are the stages' velocities.
#[derive(Debug)]
pub(super) struct Stages<const S: usize> {
    /// velocities of the stages \[m/s\]; the first are those at the start of the step
    pub v: [Vec<Vector>; S],
    /// accelerations \[m/s²\]
    pub a: [Vec<Vector>; S],
    /// rates of carried stretch \[m/s\]
    pub rates: [Vec<Vector>; S],
    /// positions and stretch of the last stage \[m\]
    pub x: Vec<Vector>,
    pub z: Vec<Vector>,
}

impl<const S: usize> Default for Stages<S> {
    fn default() -> Self {
        let none = || std::array::from_fn(|_| Vec::new());
        Stages { v: none(), a: none(), rates: none(), x: Vec::new(), z: Vec::new() }
    }
}

/// Start of a step; its velocities are those of stage 1.
#[derive(Clone, Copy)]
pub(super) struct StageStart<'a> {
    pub time: f64,
    pub x: &'a [Vector],
    pub z: &'a [Vector],
    pub memory: &'a Memory,
}

impl<const S: usize> Stages<S> {
    /// Evaluates stage 1, from the committed forces.
    pub fn begin(&mut self, model: &Model, state: &State) {
        self.v[0].clone_from(&state.velocities);
        self.a[0].clone_from(&state.forces);
        let weights = flat(&model.inverse_masses);
        pointwise::apply::<Acceleration, 0, 1, 1>([], [weights], [flat_mut(&mut self.a[0])]);
        model.stretch_rates_at(&state.configuration(), &mut self.rates[0]);
    }

    /// The stages from the second on, for a step of `h` \[s\]. Stops at a stage where `goes_on` is
    /// false; returns whether all were evaluated.
    pub fn run(
        &mut self,
        tableau: &Tableau<S>,
        model: &Model,
        start: &StageStart,
        h: f64,
        mut goes_on: impl FnMut(&Configuration) -> bool,
    ) -> bool {
        let n = start.x.len();
        self.x.resize(n, Vector::zeros());
        for i in 1..S {
            let row = tableau.rows[i].map(|a| a * h);
            let (earlier, later) = self.v.split_at_mut(i);
            let now = &mut later[0];
            now.resize(n, Vector::zeros());
            combine(flat_mut(&mut self.x), flat(start.x), Terms::of(&row, earlier).as_slice());
            combine(flat_mut(now), flat(&earlier[0]), Terms::of(&row, &self.a[..i]).as_slice());
            self.z.clear();
            let stretched = start.z.iter().enumerate();
            self.z.extend(stretched.map(|(p, z)| z + sum(&self.rates[..i], &row, p)));
            let at = Configuration {
                time: start.time + tableau.nodes[i] * h,
                positions: &self.x,
                velocities: &self.v[i],
                memory: start.memory,
                stretch: (!self.z.is_empty()).then_some(&self.z[..]),
                lag: Lag::NONE,
                within_step: true,
            };
            if !goes_on(&at) {
                return false;
            }
            self.a[i].resize(self.x.len(), Vector::zeros());
            model.forces_at(&at, &mut self.a[i]);
            let weights = flat(&model.inverse_masses);
            pointwise::apply::<Acceleration, 0, 1, 1>([], [weights], [flat_mut(&mut self.a[i])]);
            model.stretch_rates_at(&at, &mut self.rates[i]);
        }
        true
    }

    /// Moves the state to the end of the step.
    fn finish(&self, tableau: &Tableau<S>, state: &mut State, h: f64) {
        let (w, share) = (&tableau.weights, h / tableau.divisor);
        add_combined(flat_mut(&mut state.positions), Terms::of(w, &self.v).as_slice(), share);
        add_combined(flat_mut(&mut state.velocities), Terms::of(w, &self.a).as_slice(), share);
        for (p, z) in state.stretch.iter_mut().enumerate() {
            *z += sum(&self.rates, w, p) * share;
        }
    }
}

/// The terms c_j k_j of a sum with c_j ≠ 0, in ascending order.
struct Terms<'a, const S: usize> {
    all: [(f64, &'a [f64]); S],
    count: usize,
}

impl<'a, const S: usize> Terms<'a, S> {
    fn of(c: &[f64; S], k: &'a [Vec<Vector>]) -> Self {
        let mut terms = Terms { all: [(0.0, &[][..]); S], count: 0 };
        for (c, k) in c.iter().zip(k).filter(|(c, _)| **c != 0.0) {
            terms.all[terms.count] = (*c, flat(k));
            terms.count += 1;
        }
        terms
    }

    fn as_slice(&self) -> &[(f64, &'a [f64])] {
        &self.all[..self.count]
    }
}

/// a = w F: accelerations from forces and inverse masses.
struct Acceleration;

impl Pointwise<0, 1, 1> for Acceleration {
    #[inline(always)]
    fn at<T: Number>(_: [T; 0], [w]: [T; 1], [f]: [T; 1]) -> [T; 1] {
        [f * w]
    }
}

/// Σ_j c_j k_j of particle p over all nonzero c_j, in ascending order.
#[inline(always)]
fn sum<const S: usize>(k: &[Vec<Vector>], c: &[f64; S], p: usize) -> Vector {
    let mut sum = None;
    for j in 0..if k.len() < S { k.len() } else { S } {
        if c[j] != 0.0 {
            let term = k[j][p] * c[j];
            sum = Some(sum.map_or(term, |sum| sum + term));
        }
    }
    sum.unwrap_or_else(Vector::zeros)
}

/// A fixed-step explicit Runge–Kutta method. It allocates nothing after the first step.
pub(crate) struct RungeKutta<const S: usize> {
    tableau: &'static Tableau<S>,
    capabilities: Capabilities,
    stages: Stages<S>,
    suits_search: bool,
}

impl<const S: usize> RungeKutta<S> {
    /// The method of a tableau.
    pub fn new(tableau: &'static Tableau<S>) -> Self {
        let capabilities = tableau.capabilities();
        RungeKutta { tableau, capabilities, stages: Stages::default(), suits_search: false }
    }

    /// The same method, which searches try unasked: [`Integrator::suits_search`].
    pub fn for_search(self) -> Self {
        RungeKutta { suits_search: true, ..self }
    }
}

impl<const S: usize> Integrator for RungeKutta<S> {
    fn step(&mut self, model: &Model, state: &mut State, h: f64) -> Result<StepReport, StepError> {
        self.stages.begin(model, state);
        let start = StageStart {
            time: state.time,
            x: &state.positions,
            z: &state.stretch,
            memory: &state.memory,
        };
        self.stages.run(self.tableau, model, &start, h, |_| true);
        self.stages.finish(self.tableau, state, h);
        Ok(StepReport { evaluations: S as u64, substeps: 1, ..StepReport::default() })
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    /// Velocity and acceleration of each stage, and positions of the last.
    fn vectors_kept(&self) -> u32 {
        2 * S as u32 + 1
    }

    fn suits_search(&self) -> bool {
        self.suits_search
    }
}
