//! Dormand–Prince 5(4) and 8(5,3), adaptive, by the `ode_solvers` crate.

use super::{Capabilities, Integrator, StepReport};
use crate::math::portable::Portable;
use crate::math::{Vector, flat, flat_mut, larger, pointwise, smaller};
use crate::model::Model;
use crate::registry::{Entry, Fallback, Key, Kind, Page, Range, Values};
use crate::state::memory::Memory;
use crate::state::{Configuration, Lag, State};
use crate::step_error::StepError;
use nalgebra::DVector;
use ode_solvers::dop_shared::{FloatNumber, IntegrationError, OutputType, Stats};
use ode_solvers::{Dop853, Dopri5, System};
use std::cell::RefCell;

/// The crate's step control takes powers of the error: portable ones, with the same bits everywhere.
impl FloatNumber for Portable {}

/// Substeps allowed inside one commit interval.
pub(super) const MOST_SUBSTEPS: u32 = 20_000;

/// The embedded pairs of the crate.
#[derive(Debug, Clone, Copy, PartialEq)]
enum EmbeddedPair {
    /// orders 5 and 4
    Dopri5,
    /// order 8 with estimates of orders 5 and 3
    Dop853,
}

/// An embedded Runge–Kutta pair. In each commit interval it chooses its own substeps so that the RMS of
/// the estimated error, scaled by atol + rtol |y|, stays below one.
///
/// In stick the substeps of the pair of order 5 settle near 3.3/λ for any tolerance, those of order 8
/// near 6/λ. The last uncut substep is stored in [`State::past`]. Sources: \[dormand1980\],
/// \[hairer1993\].
#[derive(Debug)]
pub(crate) struct DormandPrince {
    pair: EmbeddedPair,
    rtol: f64,
    atol: f64,
    /// y = [x | v | z] of the state
    y: Vec<Portable>,
    scratch: RefCell<Scratch>,
}

/// Relative error tolerance.
pub(super) const RTOL: Key = Key {
    name: "rtol",
    kind: Kind::Number { unit: "", range: Range::Between(1e-15, 0.1) },
    default: Fallback::Number(1e-6),
    about: "relative error tolerance per substep",
};

/// Absolute error tolerance.
pub(super) const ATOL: Key = Key {
    name: "atol",
    kind: Kind::Number { unit: "m, m/s", range: Range::Between(1e-15, 1.0) },
    default: Fallback::Number(1e-9),
    about: "absolute error tolerance per substep",
};

fn method(pair: EmbeddedPair, values: &Values) -> Box<dyn Integrator> {
    let (rtol, atol) = (values.number("rtol"), values.number("atol"));
    Box::new(DormandPrince { pair, rtol, atol, y: Vec::new(), scratch: RefCell::default() })
}

/// The row of the pair of order 5.
pub const DOPRI5: Entry<dyn Integrator> = Entry {
    name: "dopri5",
    about: "Dormand–Prince 5(4): adaptive substeps inside each commit interval",
    keys: &[RTOL, ATOL],
    page: Page {
        formula: "Seven stages of order 5 with an error estimate of order 4, which chooses the step inside every commit interval",
        creep: "",
        stiffness: "Adaptive: it makes its steps as small as stability asks, about λ T/3.3 of them while something sticks.",
        when: "Reference runs, and motion whose pace changes. Sticking under a small ε costs many steps.",
        source: "John Dormand and Peter Prince 1980, A family of embedded Runge–Kutta formulae [dormand1980]",
    },
    make: |values| Ok(method(EmbeddedPair::Dopri5, values)),
};

/// The row of the pair of order 8.
pub const DOP853: Entry<dyn Integrator> = Entry {
    name: "dop853",
    about: "Dormand–Prince 8(5,3): order 8, adaptive substeps inside each commit interval",
    keys: &[RTOL, ATOL],
    page: Page {
        formula: "Twelve stages of order 8 with error estimates of orders 5 and 3, which choose the step inside every commit interval",
        creep: "",
        stiffness: "Adaptive: it makes its steps as small as stability asks, about λ T/6 of them while something sticks, each twice as dear as one of dopri5.",
        when: "Reference runs of smooth motion to ten digits or more. Friction with kinks and contacts that open or close take its order away: rk45 locates them.",
        source: "Ernst Hairer and others 1993, Solving Ordinary Differential Equations I [hairer1993]",
    },
    make: |values| Ok(method(EmbeddedPair::Dop853, values)),
};

/// The model as a first-order system in y = [x | v | z], z the carried stretch.
struct FirstOrder<'a> {
    model: &'a Model,
    memory: &'a Memory,
    scratch: &'a RefCell<Scratch>,
    /// start of the commit interval \[s\]
    start: f64,
    /// forces at the point of the first evaluation \[N\], where they are known
    first_forces: Option<&'a [Vector]>,
}

/// Storage of the evaluations of an interval.
#[derive(Debug, Default)]
struct Scratch {
    rates: Vec<Vector>,
    /// whether an evaluation was made
    begun: bool,
    /// where an acceleration was not finite first: time \[s\] and particle
    non_finite: Option<(f64, usize)>,
}

/// The parts x, v and z of y, or ẋ, v̇ and ż of its rate, for `n` particles.
fn parts(y: &[Portable], n: usize) -> [&[Vector]; 3] {
    let (x, rest) = bytemuck::cast_slice(y).split_at(n);
    let (v, z) = rest.split_at(n);
    [x, v, z]
}

/// The same, mutable.
fn parts_mut(y: &mut [Portable], n: usize) -> [&mut [Vector]; 3] {
    let (x, rest) = bytemuck::cast_slice_mut(y).split_at_mut(n);
    let (v, z) = rest.split_at_mut(n);
    [x, v, z]
}

impl System<Portable, DVector<Portable>> for FirstOrder<'_> {
    fn system(&self, t: Portable, y: &DVector<Portable>, dy: &mut DVector<Portable>) {
        let Scratch { rates, begun, non_finite } = &mut *self.scratch.borrow_mut();
        let n = self.model.particles();
        let [x, v, z] = parts(y.as_slice(), n);
        let [dx, dv, dz] = parts_mut(dy.as_mut_slice(), n);
        let at = Configuration {
            time: t.0,
            positions: x,
            velocities: v,
            memory: self.memory,
            stretch: (!z.is_empty()).then_some(z),
            lag: Lag::NONE,
            within_step: t.0 > self.start,
        };
        dx.copy_from_slice(v);
        match self.first_forces.filter(|_| !*begun) {
            Some(forces) => dv.copy_from_slice(forces),
            None => self.model.forces_at(&at, dv),
        }
        *begun = true;
        // accelerations
        let are_finite = pointwise::weigh(flat_mut(dv), flat(&self.model.inverse_masses));
        if !are_finite && non_finite.is_none() {
            let lost = dv.iter().position(|a| !(a.x + a.y + a.z).is_finite());
            *non_finite = lost.map(|particle| (t.0, particle));
        }
        self.model.stretch_rates_at(&at, rates);
        for (out, rate) in dz.iter_mut().zip(rates) {
            *out = *rate;
        }
    }
}

/// The forces of the accepted state, where an evaluation under its memory gives the same: it does
/// unless friction remembers, or constraints react or lead.
fn first_forces<'a>(model: &Model, state: &'a State) -> Option<&'a [Vector]> {
    let same = !model.friction().has_memory() && model.constraints().next().is_none();
    same.then_some(&state.forces[..])
}

/// The longer of the last two substeps \[s\]: the last is cut at the interval's end, the one before is
/// not.
fn last_substep(times: &[Portable]) -> f64 {
    let last = times.windows(2).rev().take(2);
    last.fold(0.0, |most, w| larger(most, w[1].0 - w[0].0))
}

/// The longest part of the remaining interval `h` without an unseen passage \[s\].
fn longest_piece(model: &Model, state: &State, y: &[Portable], time: f64, h: f64) -> f64 {
    if !model.surfaces.can_be_passed() {
        return h;
    }
    let [x, v, _] = parts(y, model.particles());
    // with the forces of the interval's start
    let acceleration = |i: usize| model.inverse_masses[i].component_mul(&state.forces[i]);
    model.surfaces.longest_substep(time, h, [x, v], acceleration)
}

/// A part of an interval for the crate: start and end \[s\], and first substep \[s\], zero for an
/// estimate.
#[derive(Clone, Copy)]
struct Piece {
    start: f64,
    end: f64,
    first: f64,
}

impl DormandPrince {
    /// Integrates one piece by the crate, from `y` to `y`. Returns the work, and the last substep \[s\].
    fn integrate(
        &self,
        system: FirstOrder<'_>,
        piece: Piece,
        y: &mut [Portable],
        check_stiffness: bool,
    ) -> Result<(Stats, f64), IntegrationError> {
        let h = Portable(piece.end - piece.start);
        let [start, end, first] = [piece.start, piece.end, piece.first].map(Portable);
        let [rtol, atol] = [self.rtol, self.atol].map(Portable);
        let (stiff, sparse) = (if check_stiffness { 1000 } else { u32::MAX }, OutputType::Sparse);
        let from = DVector::from_column_slice(y);
        let mut finish = |stats, times: &[Portable], states: &[DVector<Portable>]| {
            let end = states.last().expect("sparse output holds at least the start");
            y.copy_from_slice(end.as_slice());
            Ok((stats, last_substep(times)))
        };
        // safety, β of the controller, least and largest change of the substep: the crate's defaults
        match self.pair {
            EmbeddedPair::Dopri5 => {
                let mut solver = Dopri5::from_param(
                    system,
                    start,
                    end,
                    h,
                    from,
                    rtol,
                    atol,
                    Portable(0.9),
                    Portable(0.04),
                    Portable(0.2),
                    Portable(10.0),
                    h,
                    first,
                    MOST_SUBSTEPS,
                    stiff,
                    sparse,
                );
                let stats = solver.integrate()?;
                finish(stats, solver.x_out(), solver.y_out())
            }
            EmbeddedPair::Dop853 => {
                let mut solver = Dop853::from_param(
                    system,
                    start,
                    end,
                    h,
                    from,
                    rtol,
                    atol,
                    Portable(0.9),
                    Portable(0.0),
                    Portable(0.333),
                    Portable(6.0),
                    h,
                    first,
                    MOST_SUBSTEPS,
                    stiff,
                    sparse,
                );
                let stats = solver.integrate()?;
                finish(stats, solver.x_out(), solver.y_out())
            }
        }
    }

    /// Integrates one piece, and again without the stiffness check where the crate finds it stiff: that
    /// is reported, not a failure. Returns the last substep \[s\].
    fn solve(
        &self,
        model: &Model,
        state: &State,
        piece: Piece,
        y: &mut [Portable],
        report: &mut StepReport,
    ) -> Result<f64, StepError> {
        for check_stiffness in [true, false] {
            let mut scratch = self.scratch.borrow_mut();
            (scratch.begun, scratch.non_finite) = (false, None);
            drop(scratch);
            let at_start = piece.start == state.time;
            let system = FirstOrder {
                model,
                memory: &state.memory,
                scratch: &self.scratch,
                start: state.time,
                first_forces: if at_start { first_forces(model, state) } else { None },
            };
            let (stats, substep) = match self.integrate(system, piece, y, check_stiffness) {
                Ok(solved) => solved,
                Err(IntegrationError::StiffnessDetected { .. }) if check_stiffness => {
                    report.stiff = true;
                    continue;
                }
                Err(error) => return Err(Self::error(error, self.scratch.borrow().non_finite)),
            };
            let is_lost = |y: &Portable| !y.0.is_finite();
            if y.iter().fold(false, |any, y| any | is_lost(y)) {
                let k = y.iter().position(is_lost).unwrap_or(0);
                let n = model.particles();
                let particle = if k < 6 * n { k / 3 % n } else { 0 };
                return Err(StepError::BlownUp { time: piece.end, particle });
            }
            report.evaluations += u64::from(stats.num_eval);
            report.substeps += u64::from(stats.accepted_steps);
            report.rejections += u64::from(stats.rejected_steps);
            return Ok(substep);
        }
        unreachable!("the second pass does not check stiffness")
    }

    fn error(error: IntegrationError, non_finite: Option<(f64, usize)>) -> StepError {
        if let Some((time, particle)) = non_finite {
            return StepError::BlownUp { time, particle };
        }
        match error {
            IntegrationError::MaxNumStepReached { x, n_step } => {
                StepError::TooManySubsteps { time: x, steps: u64::from(n_step) }
            }
            IntegrationError::StepSizeUnderflow { x }
            | IntegrationError::StiffnessDetected { x } => {
                StepError::StepUnderflow { time: x, step: 10.0 * f64::EPSILON * x.abs() }
            }
        }
    }
}

impl Integrator for DormandPrince {
    fn step(&mut self, model: &Model, state: &mut State, h: f64) -> Result<StepReport, StepError> {
        let mut report = StepReport::default();
        let mut y = std::mem::take(&mut self.y);
        y.clear();
        for part in [&state.positions, &state.velocities, &state.stretch] {
            y.extend_from_slice(bytemuck::cast_slice(part));
        }
        let (mut start, end) = (state.time, state.time + h);
        let mut substep = smaller(state.known_substep(h), h);
        while start < end {
            let longest = longest_piece(model, state, &y, start, end - start);
            // leave no tiny rest
            let until = if 1.01 * longest < end - start { start + longest } else { end };
            let piece = Piece { start, end: until, first: smaller(substep, until - start) };
            let last = self.solve(model, state, piece, &mut y, &mut report)?;
            start = until;
            substep = larger(last, if until < end { substep } else { 0.0 });
        }
        let [x, v, z] = parts(&y, model.particles());
        state.positions.copy_from_slice(x);
        state.velocities.copy_from_slice(v);
        state.stretch.copy_from_slice(z);
        self.y = y;
        state.past.keep_substep(substep, state.step_count + 1, h);
        Ok(report)
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::adaptive(match self.pair {
            EmbeddedPair::Dopri5 => 5,
            EmbeddedPair::Dop853 => 8,
        })
    }

    /// As measured: the crate keeps its stages for dense output.
    fn vectors_kept(&self) -> u32 {
        match self.pair {
            EmbeddedPair::Dopri5 => 33,
            EmbeddedPair::Dop853 => 47,
        }
    }
}
