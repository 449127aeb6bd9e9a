//! The runs by which the errors by causes other than time are found: coarser ones first, which take no more than the
//! run itself, and finer ones where these show no order.

use super::super::Observer;
use super::super::cause::{Cause, Family, Scaled};
use super::super::outcome::Outcome;
use super::super::refinement::{Refinement, halved};
use super::super::verification::CauseBars;
use super::super::verify::causes::At;
use super::super::verify::{Check, Further, Made, Means};
use super::{Maker, ProgressOnly, Underway};
use crate::jobs::{Event, side_by_side};
use stiction_core::diagnosis::error_bar::RefinedRunAtFault;
use stiction_core::diagnosis::watch::Reason;

/// A run that is wanted.
struct Wanted {
    /// number of its cause
    cause: usize,
    q: f64,
    refinement: Refinement,
}

/// A run that was made, or its fault; `None` if it could not be observed.
type Attempt = Option<Result<Further, Reason>>;

impl Maker<'_> {
    /// The outcome with error bars by the runs that were made, and with the errors by the causes that are asked for; no
    /// run is made for these where there is no bar to add them to.
    pub(super) fn with_causes(
        &self,
        check: Check,
        outcome: Outcome,
        mut made: Made,
        (observer, stop): (&mut dyn Observer, &dyn Fn() -> bool),
    ) -> Outcome {
        let has_bar = !made.steps.is_empty() || made.other.is_some();
        if has_bar {
            made.causes = self.causes(&check, observer, stop);
        }
        check.judged(outcome, made)
    }

    fn causes(
        &self,
        check: &Check,
        observer: &mut dyn Observer,
        stop: &dyn Fn() -> bool,
    ) -> Vec<CauseBars> {
        let means = self.verifier.means;
        // a mesh is no cause among others where there is none
        let asked = |cause: &Cause| {
            *cause != Cause::Mesh || means == Means::MESH || !check.model().elements.is_empty()
        };
        let scaled: Vec<(Cause, Scaled)> =
            means.causes().filter(asked).map(|cause| (cause, self.scaled(cause, check))).collect();
        let mut found: Vec<CauseBars> =
            scaled.iter().map(|(cause, scaled)| uncompared(*cause, scaled)).collect();
        for runs in [<dyn Family>::coarser, <dyn Family>::finer] {
            let mut wanted = Vec::new();
            for (number, (cause, scaled)) in scaled.iter().enumerate() {
                if let (Scaled::By(of), false) = (scaled, found[number].settled()) {
                    let runs = runs(of.as_ref()).into_iter();
                    wanted.extend(runs.map(|run| self.wanted(number, *cause, of.as_ref(), run)));
                }
            }
            let mut made = self.make_all(&wanted, observer, stop);
            for (number, (cause, scaled)) in scaled.iter().enumerate() {
                let Scaled::By(of) = scaled else { continue };
                let own = wanted.iter().zip(&mut made).filter(|(wanted, _)| wanted.cause == number);
                let own: Vec<(f64, Attempt)> =
                    own.map(|(wanted, made)| (wanted.q, made.take())).collect();
                add(&mut found[number], own, |runs| check.by_cause(of.as_ref(), *cause, runs));
            }
        }
        found
    }

    /// The runs of a cause; nothing of contact where no contact was there.
    fn scaled(&self, cause: Cause, check: &Check) -> Scaled {
        match cause.scaled(&self.scene, check.model(), check.contacts()) {
            Scaled::By(_) if cause.is_of_contact() && check.on_curves() => {
                Scaled::Unknown("contact with curves is not scaled".into())
            }
            Scaled::By(_) if cause.is_of_contact() && !check.touched() => {
                Scaled::Nothing("no contact in this run".into())
            }
            scaled => scaled,
        }
    }

    fn wanted(
        &self,
        number: usize,
        cause: Cause,
        of: &dyn Family,
        (q, halvings): (f64, u32),
    ) -> Wanted {
        let (scene, pieces) = match halvings {
            0 => (self.scene.clone(), 1),
            _ => {
                let finer = halved(&self.scene, halvings);
                (finer.scene, finer.pieces)
            }
        };
        // the depth of what rests goes with the square of the time of contact
        let depths = if cause == Cause::Depth { q * q } else { 1.0 };
        let (name, scene) = (cause.run(), of.at(q, scene));
        Wanted { cause: number, q, refinement: Refinement { name, scene, depths, pieces } }
    }

    /// Makes runs one by one, or several side by side; in the order in which they are wanted.
    fn make_all(
        &self,
        wanted: &[Wanted],
        observer: &mut dyn Observer,
        stop: &dyn Fn() -> bool,
    ) -> Vec<Attempt> {
        let workers = self.verifier.at_once.min(wanted.len());
        if workers > 1 {
            return self.make_side_by_side(wanted, workers, observer, stop);
        }
        let one = |wanted: &Wanted| {
            let refinement = wanted.refinement.clone();
            observer.verifying(refinement.name, refinement.scene.time.steps);
            self.run(refinement, false, &mut ProgressOnly(observer), stop)
        };
        wanted.iter().map(one).collect()
    }

    fn make_side_by_side(
        &self,
        wanted: &[Wanted],
        workers: usize,
        observer: &mut dyn Observer,
        stop: &dyn Fn() -> bool,
    ) -> Vec<Attempt> {
        let steps = wanted.iter().map(|wanted| wanted.refinement.scene.time.steps).sum();
        let all: Vec<Underway> = wanted.iter().map(|_| Underway::default()).collect();
        let work = |number: usize| {
            let (run, stop) = (&all[number], || all[number].stops());
            (number, self.run(wanted[number].refinement.clone(), true, &mut { run }, &stop))
        };
        observer.verifying("runs by other causes than time", steps);
        let mut made: Vec<Attempt> = wanted.iter().map(|_| None).collect();
        side_by_side(workers, &work, |desk| {
            (0..wanted.len()).for_each(|number| desk.put(number));
            while let Some(event) = desk.wait() {
                if stop() {
                    all.iter().for_each(Underway::stop);
                }
                if let Event::Ended((number, run)) = event {
                    made[number] = run;
                }
                observer.progress(all.iter().map(Underway::steps).sum());
            }
        });
        made
    }
}

/// Takes runs into what was found by coarser ones before them, which they replace; a fault becomes a note.
fn add(found: &mut CauseBars, made: Vec<(f64, Attempt)>, bars: impl Fn(&[At]) -> CauseBars) {
    let (mut runs, mut note) = (Vec::new(), None);
    for (q, made) in made {
        match made {
            Some(Ok(run)) => runs.push(At { q, run }),
            // those behind it say nothing without it
            Some(Err(reason)) => {
                let fault = reason.numbers::<RefinedRunAtFault>();
                note = fault.map(|fault| format!("{}: {}", fault.run, fault.marks));
                break;
            }
            None => break,
        }
    }
    if !runs.is_empty() {
        let bars = bars(&runs);
        *found = CauseBars { note: found.note.take().or(bars.note), ..bars };
    }
    if note.is_some() {
        found.note = note;
    }
}

/// A cause without runs.
fn uncompared(cause: Cause, scaled: &Scaled) -> CauseBars {
    let (known, parameter, note) = match scaled {
        Scaled::By(of) => (false, Some((of.name(), of.value())), None),
        Scaled::Nothing(why) => (true, None, Some(why.clone())),
        Scaled::Unknown(why) => (false, None, Some(why.clone())),
    };
    let (runs, measures, bodies) = (Vec::new(), Vec::new(), Vec::new());
    CauseBars { cause, parameter, known, runs, measures, bodies, note }
}
