//! Drifts of windows whose parts are known by hand.

use super::super::window::{Instant, Mark, StepChange, Sums, Window};
use super::*;
use crate::contact::friction::threshold::Threshold;
use crate::math::larger;
use crate::state::memory::{Coefficients, Contact};

const H: f64 = 1e-3;
const N: f64 = 10.0;
const MU: f64 = 0.5;
const EPSILON: f64 = 1e-2;

/// A step: displacement \[m\], slip speed and friction at its end, stretch at its end, slip or stick.
#[derive(Clone, Copy, Default)]
struct Step {
    moved: f64,
    slip: f64,
    friction: f64,
    stretch: f64,
    slides: bool,
}

/// The window of these steps of a particle of 1 kg, whose momentum is balanced.
fn window(steps: impl IntoIterator<Item = Step>) -> Window {
    let steps: Vec<Step> = steps.into_iter().collect();
    let at = |step: &Step| Instant {
        slip: Vector::x() * step.slip,
        friction: Vector::x() * -step.friction,
        stretch: Vector::x() * step.stretch,
        normal_force: N,
        slides: step.slides,
        ..Instant::default()
    };
    let from = Mark { sums: Sums::default(), instant: at(&steps[0]) };
    let mut to = from;
    for step in &steps[1..] {
        let change = StepChange { moved: Vector::x() * step.moved, gained: Vector::zeros() };
        to.sums.add([&to.instant.clone(), &at(step)], &change, (0.0, 0.0), H);
        to.instant = at(step);
    }
    Window::between(&from, &to, H, 1.0)
}

/// Law, stretch, sliding, lag and integrator of a window under the law of Baraff.
fn parts(window: &Window, rest: Rest, unresolved: bool) -> Option<[f64; 5]> {
    let law = Threshold { epsilon: EPSILON };
    let pair = Coefficients { static_friction: MU, kinetic_friction: MU };
    let contact =
        Contact { normal_force: N, pair, damping: MU * N / EPSILON, ..Contact::default() };
    let part = [super::super::loaded_law::LoadedContact::of(&contact, &law)];
    let loaded = || Some(LoadedLaw::new(&law, &part));
    Drift::of(window, rest, (false, unresolved), loaded).parts().map(|parts| parts.array())
}

fn are(found: Option<[f64; 5]>, exact: [f64; 5]) {
    let found = found.expect("the parts are known");
    for (a, b) in found.iter().zip(exact) {
        assert!((a - b).abs() <= 1e-9 * larger(b.abs(), 1e-3), "{found:?}, not {exact:?}");
    }
}

/// Steady creep at `slip` under the law's friction.
fn creeping(slip: f64) -> Step {
    Step { moved: slip * H, slip, friction: MU * N * slip / EPSILON, ..Step::default() }
}

#[test]
fn creep_at_the_laws_speed_is_the_laws() {
    let steps = vec![creeping(4e-3); 17];
    are(parts(&window(steps), Rest::Creeps, false), [4e-3, 0.0, 0.0, 0.0, 0.0]);
}

/// A displacement that no velocity reports is the integrator's.
#[test]
fn displacement_that_is_not_reported_is_the_integrators() {
    let step = Step { moved: 5e-3 * H, ..creeping(4e-3) };
    are(parts(&window(vec![step; 17]), Rest::Creeps, false), [4e-3, 0.0, 0.0, 0.0, 1e-3]);
}

/// Where friction is not resolved the load says how fast the law creeps: 2 N of 5 N at .4 ε.
#[test]
fn in_chatter_the_law_creeps_as_the_load_says() {
    let step = |k: i32| {
        let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
        let slip = 9e-3 + sign * 0.5;
        Step { moved: 9e-3 * H, slip, friction: 2.0 + 3.0 * sign, slides: true, ..Step::default() }
    };
    let window = window((0..17).map(step));
    assert!(window.flutters());
    let [law, stretch, sliding, lag, integrator] =
        parts(&window, Rest::Creeps, true).expect("the parts are known");
    assert!((law / 4e-3 - 1.0).abs() < 0.1, "{law}");
    assert_eq!([stretch, sliding, lag], [0.0; 3]);
    assert!((law + integrator - 9e-3).abs() < 1e-12, "{integrator}");
}

/// A window with stick before and slip after: each has the displacement of its own steps.
#[test]
fn a_slide_has_the_displacement_of_its_steps_alone() {
    let slide =
        Step { moved: 0.2 * H, slip: 0.2, friction: MU * N, slides: true, ..Step::default() };
    let steps = [vec![creeping(4e-3); 9], vec![slide; 8]].concat();
    let found = parts(&window(steps), Rest::Creeps, false).expect("the parts are known");
    // the step between is reported by the mean of its two velocities
    let (stick, slip) = (8.0 * 4e-3 / 16.0, (7.0 * 0.2 + 0.5 * 0.204) / 16.0);
    let travel = (8.0 * 4e-3 + 8.0 * 0.2) / 16.0;
    are(Some(found), [stick, 0.0, slip, 0.0, travel - stick - slip]);
}

/// A stretch that grows is given back: it is neither creep nor the integrator's.
#[test]
fn elastic_displacement_is_a_part_of_its_own() {
    let step = |k: i32| {
        let z = 1e-6 * f64::from(k);
        Step { moved: 1e-6, slip: 1e-3, friction: 1e5 * z, stretch: z, slides: false }
    };
    are(parts(&window((0..17).map(step)), Rest::Stretches, false), [0.0, 1e-3, 0.0, 0.0, 0.0]);
}

/// A set-valued law rests under a load inside the cone: what its solver leaves is the integrator's, unless
/// friction is at the cone.
#[test]
fn slip_inside_the_cone_of_a_set_valued_law_is_the_integrators() {
    let step =
        |friction| Step { moved: 1e-4 * H, slip: 1e-4, friction, slides: true, stretch: 0.0 };
    let inside = window(vec![step(0.6 * MU * N); 17]);
    are(parts(&inside, Rest::SetValued, false), [0.0, 0.0, 0.0, 0.0, 1e-4]);
    let at_cone = window(vec![step(MU * N); 17]);
    are(parts(&at_cone, Rest::SetValued, false), [0.0, 0.0, 1e-4, 0.0, 0.0]);
}

/// The integrator's part falls with the step; the rest has the parts of the finest run.
#[test]
fn the_integrators_part_of_a_refined_drift_is_its_distance_from_the_limit() {
    let drift = |travel: f64, law: f64| Drift {
        weight: 2.0,
        known: 2.0,
        travel: Vector::x() * (2.0 * travel),
        law: Vector::x() * (2.0 * law),
        ..Drift::default()
    };
    let refined = drift(1.3, 1.3).refined(Vector::x() * 1.1, &drift(1.15, 1.15));
    are(refined.map(|parts| parts.array()), [1.1, 0.0, 0.0, 0.0, 0.2]);
    let unknown = Drift { known: 1.0, ..drift(1.15, 1.15) };
    assert_eq!(drift(1.3, 1.3).refined(Vector::x(), &unknown), None);
}
