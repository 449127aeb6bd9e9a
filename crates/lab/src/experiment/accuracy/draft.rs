//! A draft: one run by the cheapest method that the forecasts allow, at a step that is to give about one percent, and
//! nothing that it is compared with.

use super::ladder::{Build, ExplicitLimit, Ladder, Limit, choices};
use crate::run::Run;
use std::ops::Range;
use stiction_core::contact::near::Near;
use stiction_core::math::{larger, smaller};
use stiction_scene::Scene;

/// Relative tolerance of adaptive methods where the scene has none, and the fewest steps of a run by the order of its
/// method, the adaptive ones as those of order 4: the error of ten periods is then 1 % by order 2, and that of a slide
/// to rest in a quarter of the run .1 % by order 1.
const TOLERANCE: f64 = 1e-4;
const FEWEST: [f64; 4] = [4096.0, 1024.0, 512.0, 256.0];

/// Share of the largest stable step: friction rings nearer to it.
const STABLE: f64 = 0.5;

/// Fewest steps before a blow that jumps velocities, which is late by up to a step.
const FEWEST_BEFORE_A_BLOW: f64 = 1024.0;

/// Largest gap \[m\] across which a body touches, and the speed below which it does not close in \[m/s\]: rounding of
/// what is written in metres.
const GAP: f64 = 1e-6;
const CLOSING: f64 = 1e-6;

/// The settings of the draft of a scene, as `key=value`, by its own method if it names one. `run` is that of the
/// scene at t = 0; a step that is `given` and a tolerance that the scene has are kept.
pub fn settings((scene, run): (&Scene, &Run), given: bool, build: Build) -> Vec<String> {
    let (calm, explicit) = (is_calm(run), ExplicitLimit::of(scene, run));
    let ladder = |scene: &Scene, run: &Run| {
        let step = (!given).then(|| step_of((scene, run), calm, &explicit));
        let tolerance = Some(TOLERANCE).filter(|_| !scene.integrator.places.contains_key("rtol"));
        Ladder::beginning(scene, step, tolerance)
    };
    let fitting = choices(scene, build, |scene, run| {
        let method = run.simulation().integrator().capabilities();
        let fine = || !given || scene.time.step <= step_of((scene, run), calm, &explicit);
        let ladder = (method.adaptive || calm && fine()).then(|| ladder(scene, run))?;
        // where something strikes there is one method, whose forecast would take a spectrum
        let work = if calm { ladder.work(run, &explicit) } else { 0.0 };
        Some((scene.integrator.name, work, ladder))
    });
    match fitting.into_iter().flatten().min_by(|(_, a, _), (_, b, _)| a.total_cmp(b)) {
        Some((name, _, ladder)) => {
            let method = format!("integrator.method={name}");
            std::iter::once(method).chain(ladder.sets(ladder.first)).collect()
        }
        None => {
            let own = ladder(scene, run);
            own.sets(own.first)
        }
    }
}

/// The step that the forecasts allow \[s\].
fn step_of((scene, run): (&Scene, &Run), calm: bool, explicit: &ExplicitLimit) -> f64 {
    let method = run.simulation().integrator().capabilities();
    let order = if method.adaptive { FEWEST.len() } else { method.order as usize };
    let fewest = FEWEST[order.clamp(1, FEWEST.len()) - 1];
    let late = scene.contact.jumps() && !calm;
    let fewest = if late { larger(fewest, FEWEST_BEFORE_A_BLOW) } else { fewest };
    let few = scene.time.end() / fewest;
    let limit = match (method.adaptive, scene.contact.jumps()) {
        (true, false) => Limit::Nowhere,
        // springs move between jumps, which act on particles one by one
        (true, true) => explicit.get(),
        (false, _) => explicit.or_of(scene, run),
    };
    match limit {
        Limit::At(limit) => smaller(STABLE * limit, few),
        Limit::Nowhere => few,
        Limit::Unknown if method.adaptive => few,
        Limit::Unknown => smaller(scene.time.step, few),
    }
}

/// Whether no blow is to be expected: every body touches something from the start without closing in on it, or nothing
/// can be touched. Contact as a force begins with a depth, without which its stiffness is in no forecast; jumps begin
/// at a gap.
fn is_calm(run: &Run) -> bool {
    let (model, state) = (&run.simulation().model, &run.simulation().state);
    if !model.surfaces.any() {
        return true;
    }
    let gap = if model.laws.is_some() { 0.0 } else { GAP };
    let mut near = Vec::new();
    model.surfaces.near(&state.configuration(), gap, &mut near);
    let closes = |contact: &Near| {
        let ends = contact.ends.iter();
        let speed = ends.map(|(i, share)| share * state.velocities[i].dot(&contact.normal));
        speed.sum::<f64>() - contact.surface_velocity.dot(&contact.normal) < -CLOSING
    };
    let touches = |particles: &Range<usize>| {
        near.iter().flat_map(|contact| contact.ends.iter()).any(|(i, _)| particles.contains(&i))
    };
    !near.iter().any(closes) && model.bodies.iter().all(|body| touches(&body.particles))
}
