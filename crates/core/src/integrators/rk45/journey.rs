//! The course through one commit interval: substeps, and the approach to events.

use super::super::StepReport;
use super::super::dormand_prince::MOST_SUBSTEPS;
use super::super::runge_kutta::{StageStart, Stages};
use super::control::{after_failure, after_success};
use super::events::Leg;
use super::{Rk45, TABLEAU};
use crate::math::{Vector, larger, smaller};
use crate::model::Model;
use crate::state::{Configuration, Lag, State};
use crate::step_error::StepError;

/// Most searches for events in one commit interval; later events are stepped over.
const MOST_SEARCHES: u32 = 50;

/// Error of a substep, in tolerances, up to which a change of regime inside it is accepted.
const HARMLESS: f64 = 0.1;

/// Share of the distance to an event by which a substep stops short of it. The first estimate of the
/// event's time comes from a substep across it, the later and closer ones from substeps that ended
/// before it.
const MARGINS: [f64; 3] = [1.0 / 8.0, 1.0 / 256.0, 1.0 / 65536.0];

/// Distance beyond an event at which the substep across it ends, in commit intervals.
const REACH: f64 = 1e-12;

/// An event ahead.
#[derive(Debug, Clone, Copy)]
struct Ahead {
    /// its estimated time in the interval, and a time behind it \[s\]
    at: f64,
    behind: f64,
    /// number of substeps towards it
    nearer: usize,
    /// distance beyond it at which the substep across it ends \[s\]
    reach: f64,
}

/// The aim of a substep.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Aim {
    Onward,
    /// stop short of an event
    Approach,
    /// step over it
    Crossing,
}

/// The course through one commit interval.
pub(super) struct Journey<'a> {
    model: &'a Model,
    state: &'a State,
    adaptive: bool,
    length: f64,
    /// time covered \[s\]
    done: f64,
    /// the next substep by the error control \[s\], and the error of the last
    substep: f64,
    last_error: f64,
    ahead: Option<Ahead>,
    attempts: u32,
    searches: u32,
    report: StepReport,
}

impl<'a> Journey<'a> {
    /// Starts at the committed state.
    pub fn begin(
        method: &mut Rk45,
        model: &'a Model,
        state: &'a State,
        length: f64,
    ) -> Result<Self, StepError> {
        method.x.clone_from(&state.positions);
        method.z.clone_from(&state.stretch);
        method.stages.begin(model, state);
        if let Some(particle) = not_finite(&method.stages.a[0]) {
            return Err(StepError::BlownUp { time: state.time, particle });
        }
        if method.settings.events {
            method.watch.begin(model, &state.configuration());
        }
        let substep = match state.known_substep(length) {
            _ if !method.settings.adaptive => length,
            0.0 => method.first_substep(length),
            known => known,
        };
        Ok(Journey {
            model,
            state,
            adaptive: method.settings.adaptive,
            length,
            done: 0.0,
            substep,
            last_error: 1e-4,
            ahead: None,
            attempts: 0,
            searches: 0,
            report: StepReport { evaluations: 1, ..StepReport::default() },
        })
    }

    /// Whether the end of the interval is reached.
    pub fn ended(&self) -> bool {
        self.done >= self.length
    }

    /// The first substep of the next interval, and the work counters.
    pub fn finish(self) -> (f64, StepReport) {
        (self.substep, self.report)
    }

    /// Tries one substep: accepts it, or adapts the next attempt.
    pub fn substep(&mut self, method: &mut Rk45) -> Result<(), StepError> {
        let (h, aim) = self.next(method);
        self.attempts += 1;
        if self.attempts > MOST_SUBSTEPS {
            let steps = u64::from(MOST_SUBSTEPS);
            return Err(StepError::TooManySubsteps { time: self.time(), steps });
        }
        let (complete, inside) = self.run(method, h, aim);
        if complete && let Some(particle) = lost(&method.stages) {
            return self.shorten(0.1 * h, StepError::BlownUp { time: self.time(), particle });
        }
        let error = if self.adaptive && complete { method.error(h) } else { 0.0 };
        let ends_elsewhere = aim != Aim::Approach && self.changes(method, h);
        let changed = !complete || inside || ends_elsewhere;
        match aim {
            Aim::Crossing => self.cross(method, h, changed),
            Aim::Approach if changed => self.fall_short(h),
            Aim::Onward
                if changed
                    && !(self.adaptive && error <= HARMLESS)
                    && self.searches < MOST_SEARCHES =>
            {
                self.foresee(method, h);
            }
            _ if error > 1.0 => {
                let cause = StepError::StepUnderflow { time: self.time(), step: self.shortest() };
                return self.shorten(after_failure(error) * h, cause);
            }
            Aim::Approach => self.come_nearer(method, h),
            Aim::Onward => {
                self.accept(method, h);
                if self.adaptive {
                    let next = h * after_success(error, self.last_error);
                    // a substep cut at the interval's end says little about the next
                    let cut = h < 0.99 * self.substep;
                    self.substep = if cut { larger(next, self.substep) } else { next };
                    self.last_error = larger(error, 1e-4);
                }
            }
        }
        Ok(())
    }

    fn time(&self) -> f64 {
        self.state.time + self.done
    }

    /// The shortest substep that time resolves within the interval \[s\].
    fn shortest(&self) -> f64 {
        1e-15 * self.length
    }

    /// Length and aim of the next attempt.
    fn next(&self, method: &Rk45) -> (f64, Aim) {
        let rest = self.length - self.done;
        // leave no tiny rest
        let free = if self.adaptive && 1.01 * self.substep < rest { self.substep } else { rest };
        let free = if self.adaptive { self.unpassed(method, free) } else { free };
        let Some(ahead) = self.ahead else { return (free, Aim::Onward) };
        let gap = larger(ahead.at - self.done, 0.0);
        if gap <= ahead.reach {
            return (smaller(gap + ahead.reach, rest), Aim::Crossing);
        }
        let margin = MARGINS[if ahead.nearer < 2 { ahead.nearer } else { 2 }];
        (smaller(gap * (1.0 - margin), free), Aim::Approach)
    }

    /// The part of a substep without an unseen passage \[s\].
    fn unpassed(&self, method: &Rk45, h: f64) -> f64 {
        let surfaces = &self.model.surfaces;
        if !surfaces.can_be_passed() {
            return h;
        }
        let stages = &method.stages;
        surfaces.longest_substep(self.time(), h, [&method.x, &stages.v[0]], |i| stages.a[0][i])
    }

    /// Evaluates the stages; on an approach only until one is past the event. Returns whether all were
    /// evaluated, and whether one had other regimes. The latter is skipped where an error estimate does
    /// the job.
    fn run(&mut self, method: &mut Rk45, h: f64, aim: Aim) -> (bool, bool) {
        let asked = aim == Aim::Onward && method.settings.events && !self.adaptive;
        let mut inside = false;
        let (model, memory) = (self.model, &self.state.memory);
        let start = StageStart { time: self.time(), x: &method.x, z: &method.z, memory };
        let (watch, evaluations) = (&mut method.watch, &mut self.report.evaluations);
        let complete = method.stages.run(&TABLEAU, model, &start, h, |at| {
            let goes_on = aim != Aim::Approach || !watch.differs(model, at);
            inside |= asked && watch.differs(model, at);
            *evaluations += u64::from(goes_on);
            goes_on
        });
        (complete, inside)
    }

    /// Whether the regimes at the end of a substep differ from those at its start.
    fn changes(&self, method: &mut Rk45, h: f64) -> bool {
        let stages = &method.stages;
        method.settings.events
            && method.watch.differs(
                self.model,
                &Configuration {
                    time: self.time() + h,
                    positions: &stages.x,
                    velocities: &stages.v[6],
                    memory: &self.state.memory,
                    stretch: (!stages.z.is_empty()).then_some(&stages.z[..]),
                    lag: Lag::NONE,
                    within_step: true,
                },
            )
    }

    fn accept(&mut self, method: &mut Rk45, h: f64) {
        let stages = &mut method.stages;
        std::mem::swap(&mut method.x, &mut stages.x);
        std::mem::swap(&mut method.z, &mut stages.z);
        for rates in [&mut stages.v, &mut stages.a, &mut stages.rates] {
            rates.swap(0, 6);
        }
        method.watch.move_on();
        let rest = self.length - self.done;
        self.done = if h < rest { self.done + h } else { self.length };
        self.report.substeps += u64::from(self.adaptive || self.ended());
    }

    fn shorten(&mut self, substep: f64, error: StepError) -> Result<(), StepError> {
        self.report.rejections += 1;
        self.substep = substep;
        if self.adaptive && substep >= self.shortest() { Ok(()) } else { Err(error) }
    }

    /// An event is inside the attempted substep: estimates its time.
    fn foresee(&mut self, method: &mut Rk45, h: f64) {
        self.report.rejections += 1;
        self.searches += 1;
        let (start, end) = ((&method.x, &method.z, 0), (&method.stages.x, &method.stages.z, 6));
        let leg = self.leg(&method.stages, [start, end], (self.time(), h));
        let share = method.watch.locate(self.model, &leg, (0.0, 1.0), 1.0 / 64.0).unwrap_or(1.0);
        self.ahead = Some(Ahead {
            at: self.done + share * h,
            behind: self.done + h,
            nearer: 0,
            reach: larger(REACH * self.length, 8.0 * f64::EPSILON * self.time()),
        });
    }

    /// A stage of the approach was past the event: assumes it nearer.
    fn fall_short(&mut self, h: f64) {
        self.report.rejections += 1;
        if let Some(ahead) = &mut self.ahead {
            (ahead.at, ahead.behind, ahead.nearer) = (self.done + 0.75 * h, self.done + h, 0);
        }
    }

    /// Accepts a substep towards an event, and from it estimates the event's time anew.
    fn come_nearer(&mut self, method: &mut Rk45, h: f64) {
        let time = self.time();
        self.accept(method, h);
        let Some(mut ahead) = self.ahead.take() else { return };
        if ahead.at - self.done > h {
            // the error control stopped it far from the event
            self.ahead = Some(ahead);
            return;
        }
        // after the substep its start and end are swapped
        let (start, end) = ((&method.stages.x, &method.stages.z, 6), (&method.x, &method.z, 0));
        let leg = self.leg(&method.stages, [start, end], (time, h));
        let far = 1.0 + smaller(2.0 * (ahead.behind - self.done) / h, 2.0);
        if let Some(share) = method.watch.locate(self.model, &leg, (1.0, far), 1e-6) {
            ahead.at = self.done + (share - 1.0) * h;
            ahead.nearer += 1;
            self.ahead = Some(ahead);
        }
    }

    /// Accepts the substep across an event; keeps the event if regimes have not changed yet.
    fn cross(&mut self, method: &mut Rk45, h: f64, changed: bool) {
        self.accept(method, h);
        self.report.events += u64::from(changed);
        self.ahead = self.ahead.filter(|ahead| !changed && ahead.reach < 1e-6 * self.length);
        if let Some(ahead) = &mut self.ahead {
            ahead.at = self.done;
            ahead.reach *= 8.0;
        }
    }

    /// The course between two points: positions, stretch, and the stage with the rates.
    fn leg<'b>(
        &self,
        stages: &'b Stages<7>,
        points: [(&'b Vec<Vector>, &'b Vec<Vector>, usize); 2],
        (time, length): (f64, f64),
    ) -> Leg<'b>
    where
        'a: 'b,
    {
        Leg {
            memory: &self.state.memory,
            time,
            length,
            positions: points.map(|(x, _, _)| &x[..]),
            velocities: points.map(|(_, _, i)| &stages.v[i][..]),
            accelerations: points.map(|(_, _, i)| &stages.a[i][..]),
            stretch: points.map(|(_, z, _)| &z[..]),
            rates: points.map(|(_, _, i)| &stages.rates[i][..]),
        }
    }
}

/// The first particle without finite values at the end of the substep.
fn lost(stages: &Stages<7>) -> Option<usize> {
    let parts = [&stages.x, &stages.v[6], &stages.a[6]];
    parts.into_iter().filter_map(|part| not_finite(part)).min()
}

fn not_finite(vectors: &[Vector]) -> Option<usize> {
    vectors.iter().position(|a| !(a.x + a.y + a.z).is_finite())
}
