//! Stiffness of a scene: local rates and frequencies, the spectrum, and for every integrator the
//! largest stable step, its cause, and its price.

pub use super::local_rates::LocalRates;
use super::local_rates::local_rates;
use super::stable_step::{at_rest_on_its_contacts, limit_of, refuse};
use crate::experiment::thread_time::ThreadTime;
use stiction_core::contact::laws::StretchIn;
use stiction_core::diagnosis::load::{Load, Loads};
use stiction_core::diagnosis::soft_creep::whole_after;
use stiction_core::diagnosis::spectrum::{Linearised, Spectrum};
use stiction_core::diagnosis::stable_step::Culprit;
use stiction_core::forces::account::Ledger;
use stiction_core::forces::drag::DragForce;
use stiction_core::forces::span::Span;
use stiction_core::forces::{BlockSink, Force};
use stiction_core::integrators::region::Region;
use stiction_core::integrators::{Capabilities, INTEGRATORS, Integrator, implicit_euler};
use stiction_core::math::{Vector, larger};
use stiction_core::model::Model;
use stiction_core::simulation::Simulation;
use stiction_core::state::memory::Memory;
use stiction_core::state::{Configuration, State};
use stiction_scene::Scene;
use stiction_scene::build::{BuildError, BuildOptions, build};

/// Stiffness at one state, with all contacts taken to stick.
pub struct StiffnessSnapshot {
    /// "at the start", "settled" or "at t = … s".
    pub label: String,
    /// Rates of every particle.
    pub rates: Vec<LocalRates>,
    /// The extreme modes.
    pub spectrum: Spectrum,
    /// Per body: name, load, and creep of the law under it \[m/s\].
    pub loads: Vec<(String, Option<Load>, Option<f64>)>,
    /// Per soft body: the time until it creeps as a whole, L²/D \[s\].
    pub whole_after: Vec<Option<f64>>,
}

impl StiffnessSnapshot {
    /// The particle with the largest value of a rate.
    pub fn worst(&self, of: fn(&LocalRates) -> f64) -> Option<(usize, f64)> {
        let rates = self.rates.iter().map(|rates| (rates.particle, of(rates)));
        rates.reduce(|a, b| if b.1 > a.1 { b } else { a }).filter(|(_, rate)| *rate > 0.0)
    }
}

/// Largest stable step and price of one integrator for the scene.
#[derive(Debug, Clone, PartialEq)]
pub struct Price {
    /// Its name.
    pub integrator: &'static str,
    /// Its nominal order.
    pub order: u32,
    /// The largest stable step \[s\]; `None` without a limit, zero if every step is unstable.
    pub largest_step: Option<f64>,
    /// Cause of the limit.
    pub culprit: Option<Culprit>,
    /// The step at which the price was measured \[s\]: nine tenths of the largest stable one, or
    /// the scene's if there is no limit.
    pub step: f64,
    /// Steps, or substeps of adaptive methods, per simulated second at that step.
    pub steps_per_second: f64,
    /// CPU time per simulated second at that step \[s\], from a few steps; `None` if a step failed.
    pub cpu_per_second: Option<f64>,
    /// Whether the limit is only an upper bound: modes that were not computed may lower it.
    pub at_most: bool,
    /// Whether the integrator has no limit, whatever the scene.
    pub unlimited: bool,
    /// Whether the integrator chooses its own substeps.
    pub adaptive: bool,
    /// The step above which friction rings \[s\].
    pub rings_above: Option<f64>,
}

/// The result of `stiffness`.
pub struct Stiffness {
    /// The model, for names.
    pub model: Model,
    /// At the start, and after settling or at the given time.
    pub snapshots: Vec<StiffnessSnapshot>,
    /// Every integrator at the last snapshot.
    pub prices: Vec<Price>,
    /// Course of settling, in words.
    pub settling: String,
    /// Analyses skipped for lack of time.
    pub missing: Vec<String>,
}

impl Stiffness {
    /// Whether the limit is unknown: the method has one, and the spectrum is not known.
    pub fn limit_is_unknown(&self, price: &Price) -> bool {
        let known = self.snapshots.last().is_some_and(|snapshot| snapshot.spectrum.known);
        !known && !price.unlimited
    }
}

/// Analyses a scene: at the start, and settled, or at the time `at` of its own run.
///
/// # Errors
/// The scene cannot be built, or has a part that is not analysed.
pub fn analyse(
    scene: &Scene,
    options: &BuildOptions,
    setting: &AnalysisSetting,
) -> Result<Stiffness, BuildError> {
    refuse(scene)?;
    let AnalysisSetting { at, stop, stage } = *setting;
    let built = build(scene, options)?;
    let start = at_rest_on_its_contacts(&built.model, built.state.clone());
    stage("the spectrum at the start");
    let mut snapshots = vec![snapshot("at the start".into(), &built.model, &start, stop)];
    stage(if at.is_some() { "the scene's own run" } else { "settling" });
    let (later, settling) = match at {
        Some(time) => run_until(scene, options, time, setting)?,
        None => settle(scene, options, setting)?,
    };
    let label = match at {
        Some(_) => format!("at t = {} s", later.time),
        None => "settled".into(),
    };
    let state = at_rest_on_its_contacts(&built.model, later);
    let mut missing = Vec::new();
    if stop() {
        missing
            .push(if at.is_some() { "the rest of the run" } else { "the rest of settling" }.into());
    }
    stage("the spectrum there");
    let now = snapshot(label, &built.model, &state, stop);
    if !now.spectrum.known {
        missing.push("the spectrum, and largest stable steps".into());
    }
    let mut prices = Vec::new();
    for row in &INTEGRATORS {
        let own = row.name == scene.integrator.name;
        // a registered method whose keys have no defaults is skipped
        let made =
            if own { Some(build(scene, options)?.integrator) } else { row.from_defaults().ok() };
        let Some(method) = made else { continue };
        if stop() {
            missing.push(row.name.into());
            continue;
        }
        stage(row.name);
        let found =
            limit_of(&method.capabilities(), (&built.model, &state), (&now.rates, &now.spectrum));
        let simulation = priced(&method.capabilities(), &found, scene, options, &state)?;
        prices.push(price(row.name, method, simulation, found, &now, stop));
    }
    snapshots.push(now);
    Ok(Stiffness { model: built.model, snapshots, prices, settling, missing })
}

/// Input and callbacks of an analysis.
pub struct AnalysisSetting<'a> {
    /// Analyses the scene's own run at this time \[s\], instead of settling.
    pub at: Option<f64>,
    /// Asked between steps whether to stop; the result then lists the missing analyses.
    pub stop: &'a dyn Fn() -> bool,
    /// Receives the name of the next stage.
    pub stage: &'a dyn Fn(&str),
}

impl Default for AnalysisSetting<'_> {
    fn default() -> Self {
        AnalysisSetting { at: None, stop: &|| false, stage: &|_| {} }
    }
}

fn snapshot(
    label: String,
    model: &Model,
    state: &State,
    stop: &dyn Fn() -> bool,
) -> StiffnessSnapshot {
    let law = model.friction();
    let known = Loads::of(model, state);
    let loads = model.bodies.iter().enumerate().map(|(number, body)| {
        // the load ratio is defined for one coefficient only
        let isotropic = !model.surfaces.anisotropic;
        let load = known.load(number).filter(|_| isotropic);
        let creep = load.and_then(|load| law.creep(load.ratio, load.normal_force, &load.pair));
        (body.name.clone(), load, creep)
    });
    StiffnessSnapshot {
        label,
        rates: local_rates(model, state),
        spectrum: Linearised::at(model, state).spectrum_until(stop),
        loads: loads.collect(),
        whole_after: model.bodies.iter().map(|body| whole_after(model, state, body)).collect(),
    }
}

/// A load frozen at t = 0.
struct Frozen(Box<dyn Force>);

impl Frozen {
    fn at<'a>(at: &Configuration<'a>) -> Configuration<'a> {
        Configuration { time: 0.0, within_step: false, ..*at }
    }
}

impl Force for Frozen {
    fn add_force(&self, at: &Configuration, f: &mut [Vector]) {
        self.0.add_force(&Self::at(at), f);
    }

    fn add_jacobian(&self, at: &Configuration, into: &mut dyn BlockSink) {
        self.0.add_jacobian(&Self::at(at), into);
    }

    fn commit(&self, at: &Configuration, f: &mut [Vector], ledger: &mut Ledger, next: &mut Memory) {
        self.0.commit(&Self::at(at), f, ledger, next);
    }
}

/// Settling: drag \[1/s\], time step \[s\], largest number of steps and of steps × particles, and
/// speed below which a scene is at rest \[m/s\].
const DRAG: f64 = 5.0;
const SETTLING_STEP: f64 = 0.01;
const SETTLING_STEPS: usize = 300;
const SETTLING_WORK: usize = 1_000_000;
const REST: f64 = 1e-9;

/// Brings the scene to rest under the loads of t = 0, with drag, by implicit Euler.
fn settle(
    scene: &Scene,
    options: &BuildOptions,
    setting: &AnalysisSetting,
) -> Result<(State, String), BuildError> {
    let mut built = build(scene, options)?;
    // implicit methods change stretch by commits only
    built.model.laws.iter_mut().for_each(|laws| laws.stretch = StretchIn::Commit);
    let loads = std::mem::take(&mut built.model.loads);
    let frozen = loads.into_iter().map(|load| Box::new(Frozen(load)) as Box<dyn Force>);
    built.model.loads = frozen.collect();
    built.model.loads.push(Box::new(DragForce {
        particles: 0..built.model.particles(),
        rate: DRAG,
        span: Span::ALWAYS,
        masses: built.model.masses.clone(),
    }));
    let method = implicit_euler::ENTRY.from_defaults().expect("a row without required keys");
    let mut simulation = Simulation::new(built.model, built.state, method, SETTLING_STEP);
    let mut said = None;
    let steps = SETTLING_STEPS.min(SETTLING_WORK / simulation.model.particles().max(1)).max(10);
    for step in 0..steps {
        if (setting.stop)() {
            said = Some("there was no time to come to rest");
            break;
        }
        (setting.stage)(&format!("settling, step {step} of at most {steps}"));
        if simulation.advance().is_err() {
            said = Some("implicit Euler could not go on, and it has not come to rest");
            break;
        }
        let fastest = simulation.state.velocities.iter().fold(0.0, |v, w| larger(v, w.amax()));
        if fastest < REST {
            said = Some("it came to rest");
            break;
        }
    }
    let said = said.unwrap_or("it has not come to rest");
    let time = simulation.state.time;
    Ok((
        simulation.state,
        format!(
            "settled by implicit Euler under the loads of t = 0 with drag of {DRAG} 1/s for {time:.2} s: {said}"
        ),
    ))
}

/// The state of the scene's own run at a time.
fn run_until(
    scene: &Scene,
    options: &BuildOptions,
    time: f64,
    setting: &AnalysisSetting,
) -> Result<(State, String), BuildError> {
    let built = build(scene, options)?;
    let (step, name) = (scene.time.step, scene.integrator.name);
    let mut simulation = Simulation::new(built.model, built.state, built.integrator, step);
    let mut said = String::new();
    while simulation.state.time < time - 0.5 * step && !(setting.stop)() {
        if simulation.state.step_count.is_multiple_of(64) {
            (setting.stage)(&format!("the scene's own run, t = {:.4} s", simulation.state.time));
        }
        if let Err(error) = simulation.advance() {
            said = format!(", where it failed: {}", error.describe(&simulation.model));
            break;
        }
    }
    let at = simulation.state.time;
    let verdict = simulation.verdict();
    if said.is_empty() && !verdict.faultless() {
        said = format!(", which is not to be trusted: {}", verdict.marks());
    }
    Ok((simulation.state, format!("the state of the scene's own {name} run at t = {at} s{said}")))
}

/// Largest number of steps, and of steps × particles, from which the price of a method is measured.
const PRICE_STEPS: usize = 200;
const PRICE_WORK: usize = 20_000;

/// Model, state and time step for the price of a method; the step is nine tenths of the largest
/// stable one, or the scene's.
fn priced(
    capabilities: &Capabilities,
    found: &Option<(f64, Option<Culprit>)>,
    scene: &Scene,
    options: &BuildOptions,
    state: &State,
) -> Result<(Model, State, f64), BuildError> {
    let step = match found {
        Some((limit, _)) if *limit > 0.0 => 0.9 * limit,
        _ => scene.time.step,
    };
    let mut built = build(scene, options)?;
    if !capabilities.carries_stretch {
        built.model.laws.iter_mut().for_each(|laws| laws.stretch = StretchIn::Commit);
    }
    let start = State { step_count: (state.time / step).round() as u64, ..state.clone() };
    Ok((built.model, start, step))
}

fn price(
    integrator: &'static str,
    method: Box<dyn Integrator>,
    (model, start, step): (Model, State, f64),
    found: Option<(f64, Option<Culprit>)>,
    snapshot: &StiffnessSnapshot,
    stop: &dyn Fn() -> bool,
) -> Price {
    let capabilities = method.capabilities();
    let most = PRICE_STEPS.min(PRICE_WORK / model.particles().max(1)).max(5);
    let mut simulation = Simulation::new(model, start, method, step);
    let started = ThreadTime::now();
    let (mut steps, mut failed) = (0, false);
    while steps < most && !failed && (steps == 0 || !stop()) {
        failed = simulation.advance().is_err();
        steps += 1;
    }
    let span = steps as f64 * step;
    let cpu = started.elapsed().as_secs_f64() / span;
    let substeps = simulation.work.substeps as f64;
    let fastest = snapshot.worst(|rates| rates.friction_rate);
    Price {
        integrator,
        order: capabilities.order,
        largest_step: found.as_ref().map(|(limit, _)| *limit),
        culprit: found.and_then(|(_, culprit)| culprit),
        step,
        steps_per_second: if capabilities.adaptive { substeps / span } else { 1.0 / step },
        cpu_per_second: (!failed).then_some(cpu),
        unlimited: matches!(capabilities.region, Region::Everywhere),
        at_most: !snapshot.spectrum.complete && capabilities.oscillation_limit == Some(0.0),
        adaptive: capabilities.adaptive,
        rings_above: capabilities.rings_above.zip(fastest).map(|(z, (_, rate))| z / rate),
    }
}
