//! Dormand–Prince 5(4), adaptive, by the `ode_solvers` crate.

use super::region::Region;
use super::{Capabilities, Integrator, StepError, StepReport};
use crate::contact::Memory;
use crate::math::{Vector, larger};
use crate::model::Model;
use crate::registry::{Entry, Fallback, Key, Kind, Page, Range};
use crate::state::{Configuration, Lag, State};
use nalgebra::DVector;
use ode_solvers::dop_shared::{IntegrationError, OutputType};
use ode_solvers::{Dopri5 as Solver, System};
use std::cell::RefCell;

/// Substeps allowed inside one commit interval.
const MOST_SUBSTEPS: u32 = 20_000;

/// Embedded Runge–Kutta pair of orders 5 and 4; inside each commit interval it chooses its own
/// substeps so that the RMS of the estimated error, scaled by atol + rtol |y|, stays below one.
///
/// In stick its substeps settle near 3.3/λ whatever the tolerance. Source: \[dormand1980\].
#[derive(Debug)]
pub struct Dopri5 {
    rtol: f64,
    atol: f64,
    /// the last untruncated substep \[s\]; zero lets the crate estimate one
    substep: f64,
}

/// Its row.
pub const ENTRY: Entry<dyn Integrator> = Entry {
    name: "dopri5",
    about: "Dormand–Prince 5(4): adaptive substeps inside each commit interval",
    keys: &[
        Key {
            name: "rtol",
            kind: Kind::Number { unit: "", range: Range::Between(1e-15, 0.1) },
            default: Fallback::Number(1e-6),
            about: "relative error tolerance per substep",
        },
        Key {
            name: "atol",
            kind: Kind::Number { unit: "m, m/s", range: Range::Between(1e-15, 1.0) },
            default: Fallback::Number(1e-9),
            about: "absolute error tolerance per substep",
        },
    ],
    page: Page {
        formula: "Seven stages of order 5 with an error estimate of order 4, which chooses the step inside every commit interval",
        crawl: "",
        stiffness: "Adaptive: it makes its steps as small as stability asks, about λ T/3.3 of them while something sticks.",
        when: "Reference runs, and motion whose pace changes. Sticking under a small ε costs many steps.",
        source: "John Dormand and Peter Prince 1980, A family of embedded Runge–Kutta formulae [dormand1980]",
    },
    make: |values| {
        Ok(Box::new(Dopri5 {
            rtol: values.number("rtol"),
            atol: values.number("atol"),
            substep: 0.0,
        }))
    },
};

/// The model as a first-order system in y = [x | v | z], z the stretch that is carried.
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

fn vectors(y: &[f64], into: &mut Vec<Vector>) {
    into.clear();
    into.extend(y.chunks_exact(3).map(|c| Vector::new(c[0], c[1], c[2])));
}

impl System<f64, DVector<f64>> for FirstOrder<'_> {
    fn system(&self, t: f64, y: &DVector<f64>, dy: &mut DVector<f64>) {
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
        for (i, mobility) in self.model.mobilities.iter().enumerate() {
            let a = mobility.component_mul(&f[i]);
            if !(a.x + a.y + a.z).is_finite() && non_finite.is_none() {
                *non_finite = Some((t, i));
            }
            for axis in 0..3 {
                out[3 * i + axis] = v[i][axis];
                out[half + 3 * i + axis] = a[axis];
            }
        }
        for (out, rate) in out[2 * half..].chunks_exact_mut(3).zip(rates) {
            out.copy_from_slice(rate.as_slice());
        }
    }
}

impl Dopri5 {
    fn solver<'a>(
        &self,
        system: FirstOrder<'a>,
        state: &State,
        h: f64,
        check_stiffness: bool,
    ) -> Solver<f64, DVector<f64>, FirstOrder<'a>> {
        let all = || state.positions.iter().chain(&state.velocities).chain(&state.stretch);
        let y = DVector::from_iterator(3 * all().count(), all().flat_map(|v| [v.x, v.y, v.z]));
        let first = if self.substep > h { h } else { self.substep };
        Solver::from_param(
            system,
            state.time,
            state.time + h,
            h,
            y,
            self.rtol,
            self.atol,
            0.9,
            0.04,
            0.2,
            10.0,
            h,
            first,
            MOST_SUBSTEPS,
            if check_stiffness { 1000 } else { u32::MAX },
            OutputType::Sparse,
        )
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

impl Integrator for Dopri5 {
    fn step(&mut self, model: &Model, state: &mut State, h: f64) -> Result<StepReport, StepError> {
        let mut report = StepReport::default();
        for check_stiffness in [true, false] {
            let buffers = RefCell::new(Buffers::default());
            let system =
                FirstOrder { model, memory: &state.memory, buffers: &buffers, start: state.time };
            let mut solver = self.solver(system, state, h, check_stiffness);
            let stats = match solver.integrate() {
                Ok(stats) => stats,
                // a finding to report, not a failure: go through the interval once more
                Err(IntegrationError::StiffnessDetected { .. }) if check_stiffness => {
                    report.stiff = true;
                    continue;
                }
                Err(error) => return Err(Self::error(error, &buffers.borrow())),
            };
            let end = solver.y_out().last().expect("sparse output holds at least the start");
            let half = 3 * model.particles();
            if let Some(k) = end.iter().position(|y| !y.is_finite()) {
                let particle = if k < 2 * half { (k % half) / 3 } else { 0 };
                return Err(StepError::BlownUp { time: state.time + h, particle });
            }
            // the last substep is cut to the interval's end, the one before it is not
            let times = solver.x_out();
            self.substep =
                times.windows(2).rev().take(2).fold(0.0, |most, w| larger(most, w[1] - w[0]));
            report.evaluations += u64::from(stats.num_eval);
            report.substeps += u64::from(stats.accepted_steps);
            report.rejections += u64::from(stats.rejected_steps);
            vectors(&end.as_slice()[..half], &mut state.positions);
            vectors(&end.as_slice()[half..2 * half], &mut state.velocities);
            vectors(&end.as_slice()[2 * half..], &mut state.stretch);
            return Ok(report);
        }
        unreachable!("the second pass does not check stiffness")
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            order: 5,
            decay_limit: None,
            oscillation_limit: None,
            adaptive: true,
            implicit: false,
            carries_stretch: true,
            rings_above: None,
            region: Region::Everywhere,
        }
    }
}
