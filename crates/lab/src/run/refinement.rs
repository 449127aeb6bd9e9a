//! The scenes with which a run is compared: at a larger or a finer step, or by another method.

use stiction_core::integrators::dormand_prince::{DOP853, DOPRI5};
use stiction_core::integrators::{INTEGRATORS, Integrator};
use stiction_core::math::{larger, log2, pow, smaller};
use stiction_core::registry::{Entry, Value, Values};
use stiction_scene::Scene;
use stiction_scene::description::Time;

/// A scene with which a run is compared.
#[derive(Clone)]
pub(super) struct Refinement {
    /// Name in words.
    pub name: &'static str,
    /// The scene.
    pub scene: Scene,
    /// Factor of the depths at the start.
    pub depths: f64,
    /// Number of pieces into which each part of a step between switches of loads is divided.
    pub pieces: u32,
}

/// The scene with its step halved `halvings` times. For each halving, tolerances of adaptive
/// methods are divided by 100, those of iterations by 10, from [`SOLVED`] on: how far loose iterations
/// are from solved does not show in a run that is ten times less loose.
pub(super) fn halved(scene: &Scene, halvings: u32) -> Refinement {
    let mut scene = scene.clone();
    let parts = 1u64 << halvings;
    scene.time.step /= parts as f64;
    scene.time.steps *= parts;
    scene.time.steps_per_frame *= parts;
    scene.time.drift_steps = scene.time.drift_steps.map(|steps| steps * parts);
    tighten(&mut scene, f64::from(halvings));
    let name = match halvings {
        1 => "the run at half the step",
        _ => "the run at a quarter of the step",
    };
    Refinement { name, scene, depths: 1.0, pieces: 1 << halvings }
}

/// A larger step as a multiple of a run's own, numerator over denominator, and the name of the run.
pub(super) type Ratio = (u32, u32, &'static str);

/// The scene with its step multiplied by a ratio, and the tolerances that [`halved`] would tighten to its own.
/// `None` where a time is no whole number of such steps, or its tolerances are too loose to be loosened.
pub(super) fn enlarged(scene: &Scene, (times, parts, name): Ratio) -> Option<Refinement> {
    let mut scene = scene.clone();
    let Time { steps, steps_per_frame, drift_steps, .. } = scene.time;
    let counts = [Some(steps), Some(steps_per_frame), drift_steps];
    let (times, parts) = (u64::from(times), u64::from(parts));
    if counts.into_iter().flatten().any(|count| !count.is_multiple_of(times)) {
        return None;
    }
    let fewer = |count: u64| count / times * parts;
    let ratio = times as f64 / parts as f64;
    let doublings = log2(ratio);
    scene.time.step *= ratio;
    scene.time.steps = fewer(steps);
    scene.time.steps_per_frame = fewer(steps_per_frame);
    scene.time.drift_steps = drift_steps.map(fewer);
    let integrator = &mut scene.integrator.values;
    for key in ["rtol", "atol"] {
        if let Some(tolerance) = integrator.get_number(key) {
            let looser = tolerance / pow(TIGHTER, doublings);
            *integrator = std::mem::take(integrator).set(key, Value::Number(looser));
            if key == "rtol" && looser > LOOSEST {
                return None;
            }
        }
    }
    let contact = &mut scene.contact.method.values;
    if let Some(tolerance) = contact.get_number("tolerance") {
        let looser = smaller(tolerance / pow(TIGHTER_SOLVED, doublings), SOLVED);
        *contact = std::mem::take(contact).set("tolerance", Value::Number(looser));
        // what is not solved at h shows at a tighter tolerance alone
        if tolerance > SOLVED {
            return None;
        }
    }
    Some(Refinement { name, scene, depths: 1.0, pieces: 1 })
}

/// Sets the tolerances of a scene to those after so many halvings of its step.
pub(crate) fn tighten(scene: &mut Scene, halvings: f64) {
    for (key, tolerance) in tightened(scene, halvings) {
        let (values, key) = match key.split_once('.') {
            Some(("integrator", key)) => (&mut scene.integrator.values, key),
            Some((_, key)) => (&mut scene.contact.method.values, key),
            None => unreachable!("{key} has no section"),
        };
        *values = std::mem::take(values).set(key, Value::Number(tolerance));
    }
}

/// The tolerances of a scene after so many halvings of its step, by their keys; those that change.
pub(crate) fn tightened(scene: &Scene, halvings: f64) -> Vec<(&'static str, f64)> {
    let (integrator, contact) = (&scene.integrator.values, &scene.contact.method.values);
    let keys = [
        ("integrator.rtol", integrator.get_number("rtol"), TIGHTER, f64::INFINITY),
        ("integrator.atol", integrator.get_number("atol"), TIGHTER, f64::INFINITY),
        ("contact.tolerance", contact.get_number("tolerance"), TIGHTER_SOLVED, SOLVED),
    ];
    let finer = |(key, tolerance, tighter, most): (&'static str, Option<f64>, f64, f64)| {
        let before = tolerance?;
        let after = larger(smaller(before, most) * pow(tighter, halvings), FINEST);
        (after < before).then_some((key, after))
    };
    keys.into_iter().filter_map(finer).collect()
}

/// Factor of a tolerance per halving: the error per substep of a method of order 6 falls by h⁶, to
/// 1/64.
const TIGHTER: f64 = 1e-2;

/// Factor of the tolerance of iterations per halving; these end at the rounding of their
/// velocities.
const TIGHTER_SOLVED: f64 = 0.1;

/// Largest error of the velocities of contacts \[m/s\] that counts as solved.
const SOLVED: f64 = 1e-6;

/// Largest relative tolerance at which an adaptive method still follows a motion.
const LOOSEST: f64 = 1e-2;

/// The smallest tolerance.
const FINEST: f64 = 1e-13;

/// The scene under another method: one that controls its error at 1e-9, of another order than the
/// scene's own. `None` for contact that jumps velocities.
pub(super) fn other_method(scene: &Scene) -> Option<Refinement> {
    if scene.contact.jumps() {
        return None;
    }
    let order =
        |row: &Entry<dyn Integrator>, values| Some((row.make)(values).ok()?.capabilities().order);
    let own = INTEGRATORS.find(scene.integrator.name);
    let own = own.and_then(|row| order(row, &scene.integrator.values));
    let as_own = own == order(&DOPRI5, &Values::defaults(DOPRI5.keys));
    let row = if as_own { &DOP853 } else { &DOPRI5 };
    let mut scene = scene.clone();
    scene.integrator.name = row.name;
    let values = Values::defaults(row.keys).set("rtol", Value::Number(1e-9));
    scene.integrator.values = values.set("atol", Value::Number(1e-12));
    Some(Refinement { name: "the run by another method", scene, depths: 1.0, pieces: 1 })
}
