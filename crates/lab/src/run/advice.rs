//! The run to try after one that is not trusted: at a smaller step, with smaller tolerances where there
//! are some, or by a method of higher order, whichever takes less work.
//!
//! A reason asks for the step that it names, and else for a quarter of the step; where one says that no step
//! helps, or bodies start inside each other or inside colliders, there is no such advice. Above the largest stable
//! step of the start, with what sticks there, it asks for half of that, and for half of every refined step that is at
//! fault. An error bar of the share
//! s with the observed order p names h (0.5 %/s)^(1/p), as [`ErrorBar::step_share`] does; along with the step
//! go the tolerances, as in the runs by which that order was observed.
//!
//! Where contacts began inside steps p is 1 at most, and no method of higher order is named.
//!
//! A method of order q has no error bar yet. With τ, the time of what moves fastest, s = (h/τ)ᵖ, so that its
//! error is guessed as (h/τ)^q. Its own verification says how good the guess is.
//!
//! [`ErrorBar::step_share`]: stiction_core::diagnosis::error_bar::ErrorBar::step_share

use super::Run;
use super::outcome::{Advice, Outcome, Status};
use super::refinement::tightened;
use stiction_core::diagnosis::error_bar::{ErrorBar, ErrorTooLarge, MeshTooCoarse, TRUSTED};
use stiction_core::diagnosis::forecast::Forecast;
use stiction_core::diagnosis::friction_limit::chatters;
use stiction_core::diagnosis::readings::CoarseReadings;
use stiction_core::diagnosis::stable_step::StepAboveStableStep;
use stiction_core::diagnosis::trust::Level;
use stiction_core::diagnosis::watch::{Cure, Fault, Reason};
use stiction_core::integrators::{Capabilities, INTEGRATORS};
use stiction_core::math::{larger, log2, pow, round_parts, smaller};
use stiction_core::registry::Values;
use stiction_core::simulation::SimulationError;
use stiction_core::step_error::StepError;
use stiction_scene::Scene;
use stiction_scene::description::Time;

/// Multiple of the steps that a reason asks for which names no step.
const UNKNOWN: f64 = 4.0;

/// The same after a step that failed: the numbers of other reasons are then those of an explosion.
const FAILED: f64 = 10.0;

/// Most of it in one change.
const MOST: f64 = 1000.0;

/// Share of the work below which another method is better than a smaller step.
const CHEAPER: f64 = 0.5;

/// The run to try next; `None` if this one is trusted, was stopped or shows no fault.
pub(super) fn advise(run: &Run, outcome: &Outcome) -> Option<Advice> {
    if outcome.status == Status::Interrupted || outcome.verdict.level() != Level::NotTrusted {
        return None;
    }
    if run.start.iter().any(Forecast::is_inside) {
        return None;
    }
    let (scene, h) = (&run.timeline.scene, run.simulation().time_step());
    let mut reasons = outcome.verdict.reasons.iter();
    if let Some(above) = reasons.find_map(|reason| reason.numbers::<StepAboveStableStep>()) {
        // the numbers of other reasons are those of what grew
        let refined_runs = outcome.verification.iter().flat_map(|verification| &verification.runs);
        let at_fault = refined_runs.filter(|run| run.is_refined && !run.verdict.faultless());
        let times = at_fault.map(|run| 2.0 * h / run.step);
        let times = times.fold(2.0 * above.step / above.with_friction, larger);
        return Some(refined(scene, smaller(times, MOST)));
    }
    if let Status::Failed(error) = &outcome.status {
        return after(error, scene).filter(|_| !chatters(&outcome.verdict.reasons));
    }
    if let Some(advice) = more_readings(scene, &outcome.verdict.reasons) {
        return Some(advice);
    }
    let most_order = run.most_order();
    let bars = converging(outcome).map(|bar| 1.0 / bar.step_share(most_order));
    let (mut by_error, mut by_others) = (smaller(bars.fold(1.0, larger), MOST), 1.0);
    // a finer mesh is no step: what else is found may ask for one
    let of_steps = |reason: &&Reason| reason.numbers::<MeshTooCoarse>().is_none();
    if !outcome.verdict.reasons.iter().any(|reason| of_steps(&reason)) {
        return None;
    }
    for reason in outcome.verdict.reasons.iter().filter(of_steps) {
        let asked = match reason.cure(h) {
            Cure::Step(step) => smaller(h / step, MOST),
            Cure::SmallerStep => UNKNOWN,
            Cure::NoStep => return None,
        };
        let is_error = reason.numbers::<ErrorTooLarge>().is_some();
        let most = if is_error { &mut by_error } else { &mut by_others };
        *most = larger(*most, asked);
    }
    let refined = refined(scene, larger(by_error, by_others));
    if by_others > by_error {
        return Some(refined);
    }
    let widest = converging(outcome).max_by(|a, b| a.share.total_cmp(&b.share));
    let other = widest.and_then(|bar| higher_order(run, bar, most_order));
    Some(other.filter(|other| other.work < CHEAPER * refined.work).unwrap_or(refined))
}

/// More ends of steps, where nothing else is wanted: a method that chooses its own steps within them takes as many as
/// before.
fn more_readings(scene: &Scene, reasons: &[Reason]) -> Option<Advice> {
    let coarse = |reason: &Reason| reason.numbers::<CoarseReadings>().copied();
    let only = reasons.first().and_then(coarse).filter(|_| reasons.len() == 1)?;
    let Cure::Step(step) = only.cure(only.step) else { return None };
    Some(Advice { work: 1.0, ..finer(scene, only.step / step) })
}

/// The run to try after a step that failed.
fn after(error: &SimulationError, scene: &Scene) -> Option<Advice> {
    let times = FAILED;
    error.step_helps().then(|| match error.cause {
        // a smaller tolerance would be harder still
        StepError::ContactsUnsolved { .. }
        | StepError::StepUnderflow { .. }
        | StepError::TooManySubsteps { .. } => finer(scene, times),
        _ => refined(scene, times),
    })
}

/// The error bars of runs that converge.
fn converging(outcome: &Outcome) -> impl Iterator<Item = &ErrorBar> {
    let judged = outcome.verification.iter().flat_map(|verification| verification.judged());
    judged.map(|measure| &measure.bar).filter(|bar| bar.converges && bar.share > 0.0)
}

/// Most parts of a step.
const MOST_PARTS: f64 = 1e12;

/// The least product of powers of 2 and 5, from 2 on, that is not below `times`: decimals stay short.
fn nice(times: f64) -> u64 {
    round_parts((times * (1.0 - 1e-9)).ceil().clamp(2.0, MOST_PARTS) as u64)
}

/// At least `times` as many steps, and the tolerances of such a refinement.
fn refined(scene: &Scene, times: f64) -> Advice {
    let mut advice = finer(scene, times);
    let tolerances = tightened(scene, log2(advice.work)).into_iter();
    advice.set.extend(tolerances.map(|(key, tolerance)| (key, format!("{tolerance:.1e}"))));
    advice
}

/// At least `times` as many steps.
fn finer(scene: &Scene, times: f64) -> Advice {
    let (step, work) = step(&scene.time, times);
    Advice { set: vec![("time.step", step)], work }
}

/// The best one-step method of the same kind and of higher order, at the step that it may need.
fn higher_order(run: &Run, bar: &ErrorBar, most_order: f64) -> Option<Advice> {
    let (scene, own) = (&run.timeline.scene, run.simulation().integrator().capabilities());
    let row = INTEGRATORS.find(scene.integrator.name)?;
    let plain = scene.integrator.values == Values::defaults(row.keys);
    if most_order <= 1.0 || own.adaptive || scene.contact.jumps() || !plain || bar.share >= 1.0 {
        return None;
    }
    let able = |other: &Capabilities| {
        let alike = other.implicit == own.implicit && !other.adaptive && other.lag == own.lag;
        alike && other.rings_above.is_none() && other.order > own.order
    };
    let all = INTEGRATORS.iter().filter_map(|row| {
        Some((row.name, row.from_defaults().ok()?.capabilities())).filter(|(_, c)| able(c))
    });
    let (name, other) = all.max_by_key(|(_, other)| other.order)?;
    let order = f64::from(other.order);
    let observed = smaller(bar.order_for_advice(most_order), f64::from(own.order));
    // s^(1/p) = h/τ
    let times = pow(bar.share, 1.0 / observed) / pow(TRUSTED, 1.0 / order);
    let mut set = vec![("integrator.method", name.to_string())];
    let mut times = larger(times, 1.0);
    if times > 1.0 {
        let (step, more) = step(&scene.time, times);
        set.push(("time.step", step));
        times = more;
    }
    Some(Advice { set, work: times * order / f64::from(own.order) })
}

/// The largest step that is at most the scene's over `times`, divides the time between frames and all other times
/// of whole steps, and is short in decimals; and how many times as many steps it makes.
fn step(time: &Time, times: f64) -> (String, f64) {
    let per_frame = time.steps_per_frame.max(1);
    let parts = nice(per_frame as f64 * larger(times, 1.0 + 1e-9));
    // whole numbers of the new steps too
    let counts = [Some(time.steps), time.drift_steps].into_iter().flatten();
    let fits = parts > per_frame
        && counts.map(u128::from).all(|n| (n * u128::from(parts)).is_multiple_of(per_frame.into()));
    let by_frame = parts as f64 / per_frame as f64;
    let whole = nice(times);
    let (exact, more) = match fits && by_frame <= whole as f64 {
        true => (time.step * per_frame as f64 / parts as f64, by_frame),
        false => (time.step / whole as f64, whole as f64),
    };
    // decimals that a person would write, where they are the same number but for rounding
    let short = format!("{exact:.6e}").parse().unwrap_or(exact);
    let step = if (short / exact - 1.0).abs() < 1e-12 { short } else { exact };
    (format!("{step:e}"), more)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction_scene::place::Place;

    #[test]
    fn multiples_keep_decimals_short() {
        for (asked, times) in [(0.3, 2), (2.0, 2), (2.1, 4), (6.0, 8), (17.0, 20), (1e4, 10_000)] {
            assert_eq!(nice(asked), times, "{asked}");
        }
    }

    /// The step that is asked for, and the largest below it that divides the frame.
    #[test]
    fn the_largest_step_that_divides_the_times_is_advised() {
        let time = |steps_per_frame, steps, drift_steps| Time {
            step: 1e-4,
            steps,
            steps_per_frame,
            drift_steps,
            place: Place::default(),
            given: true,
        };
        assert_eq!(step(&time(100, 1000, None), 1.06), ("8e-5".into(), 1.25));
        assert_eq!(step(&time(100, 1000, None), 4.0), ("2.5e-5".into(), 4.0));
        // 1.25 × 750 steps, but not 1.25 × 751
        assert_eq!(step(&time(100, 1000, Some(752)), 1.06), ("8e-5".into(), 1.25));
        assert_eq!(step(&time(100, 1000, Some(751)), 1.06), ("5e-5".into(), 2.0));
        assert_eq!(step(&time(1, 7, None), 3.0), ("2.5e-5".into(), 4.0));
    }

    #[test]
    fn advice_reads_as_options() {
        let set = vec![("time.step", "1e-4".into()), ("integrator.method", "rk4".into())];
        let advice = Advice { set, work: 4.0 };
        assert_eq!(advice.options(), "--set time.step=1e-4 --set integrator.method=rk4");
    }
}
