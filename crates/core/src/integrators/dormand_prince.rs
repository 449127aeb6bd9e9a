//! Dormand–Prince 5(4) and 8(5,3), adaptive, by the `ode_solvers` crate.

use super::{Capabilities, Integrator, StepReport};
use crate::math::portable::Portable;
use crate::math::{Vector, larger, smaller};
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
    Box::new(DormandPrince { pair, rtol: values.number("rtol"), atol: values.number("atol") })
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
    buffers: &'a RefCell<Buffers>,
    /// start of the commit interval \[s\]
    start: f64,
}

#[derive(Default)]
struct Buffers {
    x: Vec<Vector>,
    v: Vec<Vector>,
    f: Vec<Vector>,
    z: Vec<Vector>,
    rates: Vec<Vector>,
    non_finite: Option<(f64, usize)>,
}

fn vectors(y: &[Portable], into: &mut Vec<Vector>) {
    into.clear();
    into.extend(y.chunks_exact(3).map(|c| Vector::new(c[0].0, c[1].0, c[2].0)));
}

impl System<Portable, DVector<Portable>> for FirstOrder<'_> {
    fn system(&self, t: Portable, y: &DVector<Portable>, dy: &mut DVector<Portable>) {
        let t = t.0;
        let Buffers { x, v, f, z, rates, non_finite } = &mut *self.buffers.borrow_mut();
        let half = 3 * self.model.particles();
        vectors(&y.as_slice()[..half], x);
        vectors(&y.as_slice()[half..2 * half], v);
        vectors(&y.as_slice()[2 * half..], z);
        f.resize(x.len(), Vector::zeros());
        let at = Configuration {
            time: t,
            positions: x,
            velocities: v,
            memory: self.memory,
            stretch: (!z.is_empty()).then_some(&z[..]),
            lag: Lag::NONE,
            within_step: t > self.start,
        };
        self.model.forces_at(&at, f);
        self.model.stretch_rates_at(&at, rates);
        let out = dy.as_mut_slice();
        for (i, inverse_mass) in self.model.inverse_masses.iter().enumerate() {
            let a = inverse_mass.component_mul(&f[i]);
            if !(a.x + a.y + a.z).is_finite() && non_finite.is_none() {
                *non_finite = Some((t, i));
            }
            for axis in 0..3 {
                out[3 * i + axis] = Portable(v[i][axis]);
                out[half + 3 * i + axis] = Portable(a[axis]);
            }
        }
        for (out, rate) in out[2 * half..].iter_mut().zip(rates.iter().flatten()) {
            *out = Portable(*rate);
        }
    }
}

/// The result of an interval.
struct Solved {
    stats: Stats,
    end: DVector<Portable>,
    /// the longer of the last two substeps: the last is cut at the interval's end, the one before is not
    substep: f64,
}

impl Solved {
    fn of(stats: Stats, times: &[Portable], states: &[DVector<Portable>]) -> Solved {
        let end = states.last().expect("sparse output holds at least the start").clone();
        let last = times.windows(2).rev().take(2);
        Solved { stats, end, substep: last.fold(0.0, |most, w| larger(most, w[1].0 - w[0].0)) }
    }
}

/// The longest part of the remaining interval `h` without an unseen passage \[s\].
fn longest_piece(model: &Model, state: &State, y: &DVector<Portable>, time: f64, h: f64) -> f64 {
    if !model.surfaces.can_be_passed() {
        return h;
    }
    let (half, mut x, mut v) = (3 * model.particles(), Vec::new(), Vec::new());
    vectors(&y.as_slice()[..half], &mut x);
    vectors(&y.as_slice()[half..2 * half], &mut v);
    // with the forces of the interval's start
    let acceleration = |i: usize| model.inverse_masses[i].component_mul(&state.forces[i]);
    model.surfaces.longest_substep(time, h, [&x, &v], acceleration)
}

/// A part of an interval for the crate: start and end \[s\], initial values, and first substep \[s\],
/// zero for an estimate.
struct Piece {
    start: f64,
    end: f64,
    y: DVector<Portable>,
    first: f64,
}

impl DormandPrince {
    /// Integrates one piece by the crate.
    fn integrate(
        &self,
        system: FirstOrder<'_>,
        piece: Piece,
        check_stiffness: bool,
    ) -> Result<Solved, IntegrationError> {
        let Piece { start, end, y, first } = piece;
        let h = Portable(end - start);
        let [start, end, first] = [start, end, first].map(Portable);
        let [rtol, atol] = [self.rtol, self.atol].map(Portable);
        let (stiff, sparse) = (if check_stiffness { 1000 } else { u32::MAX }, OutputType::Sparse);
        // safety, β of the controller, least and largest change of the substep: the crate's defaults
        match self.pair {
            EmbeddedPair::Dopri5 => {
                let mut solver = Dopri5::from_param(
                    system,
                    start,
                    end,
                    h,
                    y,
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
                Ok(Solved::of(stats, solver.x_out(), solver.y_out()))
            }
            EmbeddedPair::Dop853 => {
                let mut solver = Dop853::from_param(
                    system,
                    start,
                    end,
                    h,
                    y,
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
                Ok(Solved::of(stats, solver.x_out(), solver.y_out()))
            }
        }
    }

    /// Integrates one piece, and again without the stiffness check where the crate finds it stiff: that
    /// is reported, not a failure.
    fn solve(
        &self,
        model: &Model,
        state: &State,
        piece: Piece,
        report: &mut StepReport,
    ) -> Result<Solved, StepError> {
        for check_stiffness in [true, false] {
            let buffers = RefCell::new(Buffers::default());
            let system =
                FirstOrder { model, memory: &state.memory, buffers: &buffers, start: state.time };
            let again = Piece { y: piece.y.clone(), ..piece };
            let solved = match self.integrate(system, again, check_stiffness) {
                Ok(solved) => solved,
                Err(IntegrationError::StiffnessDetected { .. }) if check_stiffness => {
                    report.stiff = true;
                    continue;
                }
                Err(error) => return Err(Self::error(error, &buffers.borrow())),
            };
            let half = 3 * model.particles();
            if let Some(k) = solved.end.iter().position(|y| !y.0.is_finite()) {
                let particle = if k < 2 * half { (k % half) / 3 } else { 0 };
                return Err(StepError::BlownUp { time: piece.end, particle });
            }
            report.evaluations += u64::from(solved.stats.num_eval);
            report.substeps += u64::from(solved.stats.accepted_steps);
            report.rejections += u64::from(solved.stats.rejected_steps);
            return Ok(solved);
        }
        unreachable!("the second pass does not check stiffness")
    }

    fn error(error: IntegrationError, buffers: &Buffers) -> StepError {
        if let Some((time, particle)) = buffers.non_finite {
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
        let all = || state.positions.iter().chain(&state.velocities).chain(&state.stretch);
        let mut y = DVector::from_iterator(
            3 * all().count(),
            all().flat_map(|v| [v.x, v.y, v.z].map(Portable)),
        );
        let (mut start, end) = (state.time, state.time + h);
        let mut substep = smaller(state.known_substep(h), h);
        while start < end {
            let longest = longest_piece(model, state, &y, start, end - start);
            // leave no tiny rest
            let until = if 1.01 * longest < end - start { start + longest } else { end };
            let from = Piece { start, end: until, y, first: smaller(substep, until - start) };
            let solved = self.solve(model, state, from, &mut report)?;
            (start, y) = (until, solved.end);
            substep = larger(solved.substep, if until < end { substep } else { 0.0 });
        }
        let half = 3 * model.particles();
        vectors(&y.as_slice()[..half], &mut state.positions);
        vectors(&y.as_slice()[half..2 * half], &mut state.velocities);
        vectors(&y.as_slice()[2 * half..], &mut state.stretch);
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
