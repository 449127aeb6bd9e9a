//! The steps and tolerances of the runs of a search: from the longest step that the times of a scene allow, in ever
//! more parts.

use crate::experiment::stable_step::{estimated_stable_step, stable_step};
use crate::run::Run;
use crate::run::refinement::{tighten, tightened};
use std::cell::OnceCell;
use stiction_core::integrators::{INTEGRATORS, StepReport, rk45, sdirk2, symplectic_euler};
use stiction_core::math::{larger, log2, round_parts, smaller};
use stiction_core::registry::{Value, Values};
use stiction_scene::Scene;
use stiction_scene::build::{BuildError, Built};
use stiction_scene::description::Choice;

/// Methods of which one is chosen where the scene names none: with one evaluation a step, with steps chosen and events
/// located, and without a largest step.
pub const CHOSEN_FROM: [&str; 3] =
    [symplectic_euler::ENTRY.name, rk45::ENTRY.name, sdirk2::ENTRY.name];

/// The settings of a search.
pub struct Ladder {
    /// the longest step: it divides the end, the time between frames and the begin of drifts \[s\]
    longest: f64,
    /// steps of the scene in it
    own: u64,
    /// parts of the first run
    pub first: u64,
    /// the scene with the tolerances of the first run
    scene: Scene,
}

/// A method of a search.
pub struct SearchedMethod {
    /// if it is not the scene's own
    pub name: Option<&'static str>,
    /// its steps
    pub ladder: Ladder,
    /// the work of its first run, by forecast
    pub work: f64,
    /// the work of each run beside its steps
    pub beside: f64,
}

/// Share of the largest stable step at which a search begins: nearer to it friction rings.
const STABLE: f64 = 0.7;

/// Fewest steps of a first run.
const FEWEST: f64 = 64.0;

/// Multiple of the scene's step at which a search begins where no stable step is known.
const TIMES_OWN: f64 = 8.0;

/// Most particles for which the largest stable step is computed in no noticeable time, and of a method for which there is
/// no estimate.
const FEW: usize = 20;
const MOST: usize = 200;

/// Largest tolerance of the first run of an adaptive method, which begins at the accuracy asked.
const TOLERANCE: f64 = 1e-2;

/// Builds a scene of a search.
pub type Build<'a> = &'a dyn Fn(&Scene) -> Result<Built, BuildError>;

/// The methods of a search with their steps: the scene's own, `None`, or, where the scene names none, those of
/// [`CHOSEN_FROM`] that it allows. `run` is that of the scene at t = 0; a step that is `given` is that of the first run;
/// `share` is the least share asked.
pub fn methods(
    (scene, run): (&Scene, &Run),
    given: bool,
    share: Option<f64>,
    build: Build,
) -> Vec<SearchedMethod> {
    let explicit = ExplicitLimit::of(scene, run);
    let method = |name: Option<&'static str>, scene: &Scene, run: &Run| {
        let ladder = Ladder::of((scene, run), given, share, &explicit);
        let particles = run.simulation().model.particles().max(1);
        let beside = RUN / particles as f64;
        SearchedMethod { name, work: ladder.work(run, &explicit), beside, ladder }
    };
    let chosen =
        choices(scene, build, |scene, run| method(Some(scene.integrator.name), scene, run));
    match chosen.is_empty() {
        true => vec![method(None, scene, run)],
        false => chosen,
    }
}

/// One by one, `of` the scene by each method of [`CHOSEN_FROM`] that it allows, and its run at t = 0; nothing where the
/// scene names a method.
pub(super) fn choices<T>(scene: &Scene, build: Build, of: impl Fn(&Scene, &Run) -> T) -> Vec<T> {
    let by = |name: &'static str| {
        let row = INTEGRATORS.find(name)?;
        let integrator =
            Choice { name, values: Values::defaults(row.keys), ..scene.integrator.clone() };
        let scene = Scene { integrator, ..scene.clone() };
        let run = Run::of(&scene, build(&scene).ok()?).ok()?;
        Some(of(&scene, &run))
    };
    match scene.integrator.given {
        true => Vec::new(),
        false => CHOSEN_FROM.into_iter().filter_map(by).collect(),
    }
}

impl Ladder {
    /// That of a scene and its run at t = 0, for the least share asked. It begins with the scene's step if that is
    /// `given`, else with what the scene's stiffness allows.
    pub(super) fn of(
        (scene, run): (&Scene, &Run),
        given: bool,
        share: Option<f64>,
        explicit: &ExplicitLimit,
    ) -> Ladder {
        let first = (!given).then(|| first_step(scene, run, explicit));
        Ladder::beginning(scene, first, share)
    }

    /// The same, whose first run has the largest step up to `first` \[s\] that divides the times of the scene, or the
    /// scene's own.
    pub(super) fn beginning(scene: &Scene, first: Option<f64>, share: Option<f64>) -> Ladder {
        let time = &scene.time;
        let counts = [Some(time.steps), Some(time.steps_per_frame), time.drift_steps];
        let divisor = counts.into_iter().flatten().fold(0, greatest_divisor).max(1);
        let longest = time.step * divisor as f64;
        let parts = |step: f64| (longest / step).ceil().clamp(1.0, 1e12) as u64;
        let first = first.map_or(divisor, |step| round_parts(parts(step)));
        let mut scene = scene.clone();
        if let (Some(rtol), Some(share)) = (scene.integrator.values.get_number("rtol"), share) {
            let factor = smaller(share, TOLERANCE) / rtol;
            loosen(&mut scene, factor);
        }
        Ladder { longest, own: divisor, first, scene }
    }

    /// The work of the first run, in force evaluations: an estimate. `run` is that of the scene at t = 0.
    pub(super) fn work(&self, run: &Run, explicit: &ExplicitLimit) -> f64 {
        let (method, end) = (run.simulation().integrator().capabilities(), self.scene.time.end());
        let steps = end / self.step(self.first);
        if method.implicit {
            let solved = SOLVED_PARTICLE * run.simulation().model.particles() as f64;
            return (SOLVED_STAGES * (PER_ITERATION + ITERATION + solved) + SUBSTEP) * steps;
        }
        if !method.adaptive {
            return (f64::from(method.order) + SUBSTEP) * steps;
        }
        // h λ = 2 there
        let substeps = |limit: f64| 2.0 / DECAY * end / limit;
        let least = match explicit.get() {
            Limit::At(limit) => substeps(limit),
            Limit::Nowhere | Limit::Unknown => 0.0,
        };
        (STAGES + SUBSTEP) * larger(steps, least)
    }

    /// The step of a run with so many parts \[s\].
    pub fn step(&self, parts: u64) -> f64 {
        self.longest / parts as f64
    }

    /// The scene of that run.
    pub fn scene(&self, parts: u64) -> Scene {
        let mut scene = self.scene.clone();
        let of = |steps: u64| steps / self.own * parts;
        let time = &mut scene.time;
        time.step = self.step(parts);
        (time.steps, time.steps_per_frame) = (of(time.steps), of(time.steps_per_frame));
        time.drift_steps = time.drift_steps.map(of);
        tighten(&mut scene, self.halvings(parts));
        scene
    }

    /// Halvings of the first step that make so many parts, not always whole.
    fn halvings(&self, parts: u64) -> f64 {
        larger(log2(parts as f64 / self.first as f64), 0.0)
    }

    /// The settings of that run, as `key=value`: as many parts are that many times smaller steps, and tolerances
    /// follow as in every refinement.
    pub fn sets(&self, parts: u64) -> Vec<String> {
        let values = &self.scene.integrator.values;
        let own = ["rtol", "atol"].into_iter().filter_map(|key| {
            let value = values.get_number(key)?;
            Some(format!("integrator.{key}={value:e}"))
        });
        let tightened = tightened(&self.scene, self.halvings(parts)).into_iter();
        let tightened = tightened.map(|(key, value)| format!("{key}={value:e}"));
        let step = format!("time.step={:e}", self.step(parts));
        std::iter::once(step).chain(own).chain(tightened).collect()
    }
}

/// Multiplies the tolerances of an adaptive method.
fn loosen(scene: &mut Scene, factor: f64) {
    for key in ["rtol", "atol"] {
        if let Some(value) = scene.integrator.values.get_number(key) {
            let values = std::mem::take(&mut scene.integrator.values);
            scene.integrator.values = values.set(key, Value::Number(value * factor));
        }
    }
}

/// Stages of an adaptive step, and its largest h λ.
const STAGES: f64 = 7.0;
const DECAY: f64 = 3.3;

/// Solved stages of an implicit step, each with one iteration.
const SOLVED_STAGES: f64 = 2.0;

/// Evaluations of forces in an iteration of Newton's method.
const PER_ITERATION: f64 = 3.0;

/// The cost of a run beside its steps, to open and to compare it, in force evaluations of one particle: about 1 ms.
const RUN: f64 = 2000.0;

/// Prices in force evaluations, within a factor of two on points, chains and boxes of up to 50 particles: of a
/// substep, of an iteration of Newton's method beside its evaluations, and for every particle of one that solves
/// directly. Iterations of contact solvers have none.
const SUBSTEP: f64 = 1.0;
const ITERATION: f64 = 3.0;
const SOLVED_PARTICLE: f64 = 0.5;

/// The work of a run, in force evaluations: a price that is the same on every machine.
pub(super) fn work_of(made: &StepReport, particles: usize) -> f64 {
    let substeps = (made.substeps + made.rejections) as f64;
    let solved = match made.linear_iterations {
        0 => SOLVED_PARTICLE * particles as f64 * made.iterations as f64,
        iterations => iterations as f64,
    };
    made.evaluations as f64 + SUBSTEP * substeps + ITERATION * made.iterations as f64 + solved
}

/// The largest stable step of `symplectic-euler` at the start of a scene, h ω = 2 or h λ = 2: computed where it is asked
/// for, and once.
pub(super) struct ExplicitLimit<'a> {
    scene: &'a Scene,
    run: &'a Run,
    found: OnceCell<Limit>,
}

impl ExplicitLimit<'_> {
    /// That of a scene and its run at t = 0.
    pub fn of<'a>(scene: &'a Scene, run: &'a Run) -> ExplicitLimit<'a> {
        ExplicitLimit { scene, run, found: OnceCell::new() }
    }

    /// That of `symplectic-euler`.
    pub fn get(&self) -> Limit {
        let of = || {
            let integrator = Choice { name: symplectic_euler::ENTRY.name, ..Choice::default() };
            limit(&Scene { integrator, ..self.scene.clone() }, self.run)
        };
        *self.found.get_or_init(of)
    }

    /// That of the scene by its own method, or by another one.
    pub fn or_of(&self, scene: &Scene, run: &Run) -> Limit {
        match scene.integrator.name == symplectic_euler::ENTRY.name {
            true => self.get(),
            false => limit(scene, run),
        }
    }
}

/// The largest stable step of a method with all contacts in stick.
#[derive(Debug, Clone, Copy)]
pub(super) enum Limit {
    /// \[s\], more than 0
    At(f64),
    /// every step is stable
    Nowhere,
    /// none is computed
    Unknown,
}

/// The largest stable step of a scene's own method.
fn limit(scene: &Scene, run: &Run) -> Limit {
    let (model, state) = (&run.simulation().model, &run.simulation().state);
    let is_known = scene.integrator.name == symplectic_euler::ENTRY.name;
    let most = if is_known { FEW } else { MOST };
    if model.particles() > most || !model.rigid.is_empty() || scene.contact.jumps() {
        return match is_known.then(|| estimated_stable_step(model, state.clone())).flatten() {
            Some(limit) if limit.is_finite() => Limit::At(limit),
            Some(_) => Limit::Nowhere,
            None => Limit::Unknown,
        };
    }
    match stable_step(scene, model, state.clone()) {
        Ok(Some((limit, _))) if limit > 0.0 => Limit::At(limit),
        Ok(None) => Limit::Nowhere,
        Ok(Some(_)) | Err(_) => Limit::Unknown,
    }
}

/// A large step that the forecasts allow: .7 of the largest stable one with all contacts in stick, or, for methods
/// without a limit, one of few steps; and a multiple of the scene's own where no limit is known.
fn first_step(scene: &Scene, run: &Run, explicit: &ExplicitLimit) -> f64 {
    let few = scene.time.end() / FEWEST;
    // an adaptive method divides its steps itself
    if run.simulation().integrator().capabilities().adaptive {
        return few;
    }
    match explicit.or_of(scene, run) {
        Limit::At(limit) => smaller(STABLE * limit, few),
        Limit::Nowhere => few,
        Limit::Unknown => TIMES_OWN * scene.time.step,
    }
}

/// Of two counts; of a count and nothing that count.
fn greatest_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use stiction_scene::build::BuildOptions;
    use stiction_scene::{LoadOptions, load_text};

    fn ladder(times: &str, method: &str, given: bool) -> Ladder {
        let text = format!(
            "format = 1\nworld.gravity = [0, 0, -9.81]\n{times}\n{method}\n\
             materials.wood.static_friction = 0.5\ncontact.normal.stiffness = 1e4\n\
             [[body]]\nname = \"o\"\nshape = {{ points = {{ positions = [[0, 0, 0], [1, 0, 0]], masses = [1, 1], links = [[0, 1]] }} }}\n\
             springs = {{ edge = {{ stiffness = 5e3 }} }}\n"
        );
        let loaded = load_text("o.toml", &text, Path::new("."), &LoadOptions::default());
        let scene = loaded.unwrap_or_else(|errors| panic!("{}", errors.render(false))).scene;
        let run = Run::new(&scene, &BuildOptions::default()).expect("a run");
        Ladder::of((&scene, &run), given, Some(1e-2), &ExplicitLimit::of(&scene, &run))
    }

    #[test]
    fn steps_divide_all_times_of_the_scene() {
        let times = "time = { end = 0.6, step = 1e-3, output = 0.09, drift_from = 0.3 }";
        let found = ladder(times, "integrator.method = \"rk4\"", false);
        assert!((found.longest - 0.03).abs() < 1e-15, "{}", found.longest);
        // ω = √(2 k/m) = 100 1/s, and h ω up to 2.83; at least 64 steps
        let step = found.step(found.first);
        assert!(step <= 0.6 / 64.0 && step > 0.5 * 0.6 / 64.0, "{step}");
        assert_eq!(found.sets(6), ["time.step=5e-3"]);
    }

    /// The scene of a run is that which its settings make.
    #[test]
    fn a_scene_is_that_of_its_settings() {
        let times = "time = { end = 0.6, step = 1e-3, output = 0.09, drift_from = 0.3 }";
        let found = ladder(times, "integrator = { method = \"dopri5\", rtol = 1e-6 }", false);
        let scene = found.scene(6);
        assert_eq!((scene.time.step, scene.time.steps), (5e-3, 120));
        assert_eq!((scene.time.steps_per_frame, scene.time.drift_steps), (18, Some(60)));
        let (parts, sets) = (7 * found.first, found.sets(7 * found.first));
        for key in ["rtol", "atol"] {
            // of two settings of a key the last one holds
            let set = sets.iter().rfind(|set| set.contains(key)).expect(key);
            let own = found.scene(parts).integrator.values.get_number(key).expect(key);
            assert_eq!(set, &format!("integrator.{key}={own:e}"));
        }
    }

    #[test]
    fn a_step_that_is_given_is_the_first() {
        let times = "time = { end = 0.6, step = 1e-3, output = 0.02 }";
        let found = ladder(times, "integrator.method = \"rk4\"", true);
        assert_eq!((found.first, found.step(found.first)), (20, 1e-3));
    }

    #[test]
    fn tolerances_begin_at_the_accuracy_and_follow_the_parts() {
        let times = "time = { end = 0.6, step = 1e-3, output = 0.02 }";
        let found = ladder(times, "integrator = { method = \"dopri5\", rtol = 1e-6 }", true);
        let of = |parts: u64, key: &str| -> f64 {
            let sets = found.sets(parts);
            let set = sets.iter().rfind(|set| set.contains(key)).expect(key);
            set.split_once('=').expect("a value").1.parse().expect("a number")
        };
        assert!((of(20, "rtol") / 1e-2 - 1.0).abs() < 1e-12);
        assert!((of(40, "rtol") / 1e-4 - 1.0).abs() < 1e-12);
    }
}
