//! Implicit (backward) Euler: Newton with line search on the end-of-step velocity.

use super::region::Region;
use super::{Capabilities, Integrator, StepError, StepReport};
use crate::linear::sparse_lu::{SparseLu, SystemMatrix, Unknowns};
use crate::math::{Vector, larger};
use crate::model::Model;
use crate::registry::{Entry, Fallback, Key, Kind, Page, Range};
use crate::state::{Configuration, Lag, State};

/// Halvings of the step before Newton's failure is reported.
const MOST_HALVINGS: u32 = 10;

/// Halvings of the Newton update inside one line search.
const MOST_BACKTRACKS: u32 = 12;

/// M (v' − v) = h F(t + h, x + h v', v'), x' = x + h v'.
///
/// Order 1, stable at every step for decay and oscillation. Newton starts from the old velocity,
/// which chooses between the two solutions that the jump of a law with μ_s > μ_k can have. It stops
/// when the update is below `newton_tolerance` × max(1 m/s, |v|). Source: \[baraff1998\],
/// \[hairer1996\].
pub struct ImplicitEuler {
    tolerance: f64,
    most_iterations: u32,
    lag: Lag,
    unknowns: Option<Unknowns>,
    lu: SparseLu,
    x: Vec<Vector>,
    v: Vec<Vector>,
    residual: Vec<Vector>,
    update: Vec<Vector>,
    trial: Vec<Vector>,
}

/// Its row.
pub const ENTRY: Entry<dyn Integrator> = Entry {
    name: "implicit-euler",
    about: "backward Euler by Newton with line search and sparse LU: order 1, no step limit",
    keys: &[
        Key {
            name: "newton_tolerance",
            kind: Kind::Number { unit: "m/s", range: Range::Between(1e-14, 1.0) },
            default: Fallback::Number(1e-10),
            about: "Newton stops when the velocity update is below this × max(1 m/s, |v|)",
        },
        Key {
            name: "max_iterations",
            kind: Kind::Integer { min: 1, max: 1000 },
            default: Fallback::Integer(40),
            about: "Newton iterations before the step is halved",
        },
        Key {
            name: "lag",
            kind: Kind::Word(&["none", "normal", "basis", "both"]),
            default: Fallback::Text("none"),
            about: "what friction takes from the start of the step: N, the contact normal, both, or nothing",
        },
    ],
    page: Page {
        formula: "M (v' − v) = h F(x + h v', v')\n\
            x' = x + h v', by Newton's iteration with line search",
        crawl: "",
        stiffness: "None: stable at any step. Undamped oscillation decays by 1/√(1 + ω²h²) a step.",
        when: "Stiff springs and small ε at large steps. Creep is the law's own at any step; vibration is damped.",
        source: "David Baraff and Andrew Witkin 1998, Large Steps in Cloth Simulation [baraff1998]; Ernst Hairer and Gerhard Wanner 1996 [hairer1996]",
    },
    make: |values| {
        let lag = values.text("lag");
        Ok(Box::new(ImplicitEuler {
            tolerance: values.number("newton_tolerance"),
            most_iterations: values.integer("max_iterations") as u32,
            lag: Lag {
                normal_force: matches!(lag, "normal" | "both"),
                basis: matches!(lag, "basis" | "both"),
            },
            unknowns: None,
            lu: SparseLu::default(),
            x: Vec::new(),
            v: Vec::new(),
            residual: Vec::new(),
            update: Vec::new(),
            trial: Vec::new(),
        }))
    },
};

/// How an attempt at one substep failed.
enum Failure {
    Diverged { iterations: u32, residual: f64, particle: usize },
    Singular,
    NonFinite { particle: usize },
}

impl ImplicitEuler {
    /// r = M (v − v₀) − h F(t + h, x₀ + h v, v) on free axes \[N·s\]; returns Σ |r|²/m.
    fn residual(
        &mut self,
        model: &Model,
        state: &State,
        from: &Substep,
        v: &[Vector],
        report: &mut StepReport,
    ) -> f64 {
        let n = v.len();
        self.x.resize(n, Vector::zeros());
        self.residual.resize(n, Vector::zeros());
        for i in 0..n {
            self.x[i] = from.x[i] + v[i] * from.h;
        }
        let at = Configuration {
            time: from.time + from.h,
            positions: &self.x,
            velocities: v,
            memory: &state.memory,
            stretch: None,
            lag: self.lag,
            within_step: true,
        };
        model.forces_at(&at, &mut self.residual);
        report.evaluations += 1;
        let mut norm = 0.0;
        for i in 0..n {
            let mobility = model.mobilities[i];
            let impulse = (v[i] - from.v[i]) * model.masses[i] - self.residual[i] * from.h;
            let free = impulse.zip_map(&mobility, |r, m| if m > 0.0 { r } else { 0.0 });
            self.residual[i] = free;
            norm += free.norm_squared() / model.masses[i];
        }
        norm
    }

    /// Newton's method for one substep; on success `self.v` is the new velocity.
    fn attempt(
        &mut self,
        model: &Model,
        state: &State,
        from: &Substep,
        report: &mut StepReport,
    ) -> Result<(), Failure> {
        let n = from.x.len();
        let unknowns = self.unknowns.take().unwrap_or_else(|| Unknowns::new(&model.mobilities));
        let mut v = std::mem::take(&mut self.v);
        v.clone_from(&from.v);
        let mut norm = self.residual(model, state, from, &v, report);
        let mut outcome = None;
        for _ in 0..self.most_iterations {
            report.iterations += 1;
            report.jacobians += 1;
            let mut matrix = SystemMatrix::new(&model.masses, from.h, &unknowns);
            let at = Configuration {
                time: from.time + from.h,
                positions: &self.x,
                velocities: &v,
                memory: &state.memory,
                stretch: None,
                lag: self.lag,
                within_step: true,
            };
            model.jacobian_at(&at, &mut matrix);
            self.update.clone_from(&self.residual);
            let solved = self
                .lu
                .factorise(&matrix)
                .and_then(|()| self.lu.solve(&unknowns, &mut self.update));
            if solved.is_err() {
                outcome = Some(Err(Failure::Singular));
                break;
            }
            if let Some(particle) = self.update.iter().position(|u| !(u.x + u.y + u.z).is_finite())
            {
                outcome = Some(Err(Failure::NonFinite { particle }));
                break;
            }
            let size = self.update.iter().fold(0.0, |most, u| larger(most, u.amax()));
            let speed = v.iter().fold(1.0, |most, u| larger(most, u.amax()));
            let accepted = self.line_search(model, state, from, &mut v, &mut norm, report);
            if accepted == 1.0 && size <= self.tolerance * speed {
                outcome = Some(Ok(()));
                break;
            }
        }
        self.v = v;
        self.unknowns = Some(unknowns);
        outcome.unwrap_or_else(|| {
            let worst = (0..n).fold(0, |worst, i| {
                if self.residual[i].amax() > self.residual[worst].amax() { i } else { worst }
            });
            Err(Failure::Diverged {
                iterations: self.most_iterations,
                residual: self.residual[worst].amax(),
                particle: worst,
            })
        })
    }

    /// Halves the update until the residual norm falls, and takes it; the share taken is returned.
    /// When no share helps, rounding decides the norm or a jump is in the way: the whole update is
    /// taken.
    fn line_search(
        &mut self,
        model: &Model,
        state: &State,
        from: &Substep,
        v: &mut Vec<Vector>,
        norm: &mut f64,
        report: &mut StepReport,
    ) -> f64 {
        let mut trial = std::mem::take(&mut self.trial);
        let mut share = 1.0;
        for backtrack in 0..=MOST_BACKTRACKS {
            if backtrack == MOST_BACKTRACKS {
                share = 1.0;
            }
            trial.clear();
            trial.extend(v.iter().zip(&self.update).map(|(v, u)| v - u * share));
            let next = self.residual(model, state, from, &trial, report);
            if next <= *norm * (1.0 - 1e-4 * share) || backtrack == MOST_BACKTRACKS {
                *norm = next;
                break;
            }
            share *= 0.5;
        }
        std::mem::swap(v, &mut trial);
        self.trial = trial;
        share
    }
}

/// Where a substep starts and how long it is.
struct Substep {
    time: f64,
    h: f64,
    x: Vec<Vector>,
    v: Vec<Vector>,
}

impl Integrator for ImplicitEuler {
    fn step(&mut self, model: &Model, state: &mut State, h: f64) -> Result<StepReport, StepError> {
        let mut report = StepReport::default();
        let (mut x, mut v) = (state.positions.clone(), state.velocities.clone());
        // the interval is walked in 2^-halvings parts; each failure halves what is left
        let (mut done, mut halvings) = (0u32, 0u32);
        while done < 1 << halvings {
            let part = h / f64::from(1 << halvings);
            let time = state.time + part * f64::from(done);
            let from = Substep { time, h: part, x, v };
            match self.attempt(model, state, &from, &mut report) {
                Ok(()) => {
                    report.substeps += 1;
                    done += 1;
                    x = (0..from.x.len()).map(|i| from.x[i] + self.v[i] * part).collect();
                    v = self.v.clone();
                }
                Err(_) if halvings < MOST_HALVINGS => {
                    report.rejections += 1;
                    halvings += 1;
                    done *= 2;
                    (x, v) = (from.x, from.v);
                }
                Err(Failure::Singular) => return Err(StepError::Singular { time }),
                Err(Failure::NonFinite { particle }) => {
                    return Err(StepError::BlownUp { time, particle });
                }
                Err(Failure::Diverged { iterations, residual, particle }) => {
                    return Err(StepError::NewtonDiverged {
                        time,
                        iterations,
                        residual,
                        particle,
                        substep: part,
                    });
                }
            }
        }
        state.positions = x;
        state.velocities = v;
        Ok(report)
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            order: 1,
            decay_limit: None,
            oscillation_limit: None,
            adaptive: false,
            implicit: true,
            carries_stretch: false,
            rings_above: None,
            region: Region::Everywhere,
        }
    }
}
