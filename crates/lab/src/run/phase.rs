//! Errors of the oscillations that the start excites: steps × error of the method in one step. That of springs at the
//! end of a run is a forecast; a loss of what lasts is a reason against it.

use std::path::Path;
use stiction_core::diagnosis::forecast::Forecast;
use stiction_core::diagnosis::lost_oscillation::OscillationLost;
use stiction_core::diagnosis::readings::{energy, has_few_modes, set_going};
use stiction_core::diagnosis::spectrum::Mode;
use stiction_core::diagnosis::stable_step::{Culprit, culprit};
use stiction_core::integrators::{INTEGRATORS, rk4};
use stiction_core::math::{PI, atan2, cos, exp, larger, log, pow, smaller, sqrt};
use stiction_core::model::Model;
use stiction_core::simulation::Simulation;
use stiction_core::state::State;
use stiction_core::state::memory::{Contact, Memory};
use stiction_scene::build::{BuildOptions, build, make};
use stiction_scene::{LoadOptions, Scene, load_text};

/// Share of its amplitude that an oscillation must keep to be counted, and by which it may be off.
const OFF: f64 = 0.05;

/// Steps of the trial oscillator; the first quarter is not counted.
const TRIAL_STEPS: u64 = 400;

/// Forecasts for the oscillations that will be off by more than 5 % of their amplitude at the end.
pub fn phase_errors(scene: &Scene, model: &Model, state: &State) -> Vec<Forecast> {
    let going = set_going(model, state);
    going.iter().filter_map(|mode| off(scene, model, state, mode)).collect()
}

fn off(scene: &Scene, model: &Model, state: &State, mode: &Mode) -> Option<Forecast> {
    let (rate, omega) = (mode.value.re, mode.value.im);
    let end = scene.time.end();
    let left = exp(rate * end);
    if !(OFF..=1.0 / OFF).contains(&left) || omega * end < 1.0 {
        return None;
    }
    let (Culprit::Spring(i, j) | Culprit::Element(i, j)) = culprit(model, state, mode)? else {
        return None;
    };
    let (phase, growth) = one_step(scene, rate, omega)?;
    let steps = scene.time.steps as f64;
    let (turned, kept) = ((phase * steps).abs(), exp(larger(-700.0, growth * steps)));
    // |kept e^{iφ} − 1|; a phase error is at most half a turn
    let turn = if turned < PI { turned } else { PI };
    let error = sqrt(1.0 + kept * kept - 2.0 * kept * cos(turn));
    (error > OFF && error.is_finite()).then(|| Forecast {
        kind: "phase-error",
        text: format!(
            "the oscillation of {} and {} at {omega:.4} rad/s, h ω = {:.3}, will be off by about {:.0} % of its amplitude at the end: {steps} steps of {} turn it by {turned:.3} rad too far or too little and make {kept:.3} times as much of it; a smaller step or a method of higher order is wanted",
            model.particle_name(i),
            model.particle_name(j),
            omega * scene.time.step,
            100.0 * error,
            scene.integrator.name,
        ),
    })
}

/// The part of a run after which an oscillation is looked at: error bars are means over an eighth of it.
const PART: f64 = 0.125;

/// The share of its amplitude that a method must leave: at half the step it then leaves more than .8, which bars show.
const KEPT: f64 = 0.5;

/// Least amplitude \[m\], the root of Σ m s²/Σ m.
const LEAST: f64 = 1e-9;

/// Most halvings of the step in the search for one that keeps it.
const HALVINGS: i32 = 30;

/// The lasting oscillation of the start of which an implicit method at the scene's fixed step leaves least, if that is
/// too little.
pub(super) fn lost(scene: &Scene, at: &Simulation) -> Option<OscillationLost> {
    let method = at.integrator().capabilities();
    if method.adaptive || !method.implicit {
        return None;
    }
    let (model, part) = (&at.model, PART * scene.time.end());
    if !has_few_modes(model) || scene.contact.jumps() {
        return None;
    }
    let state = &pressed(model, &at.state);
    let mass: f64 = model.masses.iter().sum();
    let lasts = |mode: &Mode| {
        let (rate, omega) = (mode.value.re, mode.value.im);
        let amplitude = sqrt(energy(mode, model, state) / mass) / omega;
        omega * part > 1.0 && exp(rate * part) > OFF && amplitude > LEAST
    };
    let kept = |mode: &Mode, step: f64| {
        let mut scene = scene.clone();
        scene.time.step = step;
        let (_, growth) = one_step(&scene, mode.value.re, mode.value.im)?;
        Some(exp(smaller(growth * part / step, 0.0)))
    };
    let going = set_going(model, state);
    let found = going.iter().filter(|mode| lasts(mode)).filter_map(|mode| {
        let kept = kept(mode, scene.time.step)?;
        (kept < KEPT).then_some((mode, kept))
    });
    let (mode, left) = found.reduce(|a, b| if b.1 < a.1 { b } else { a })?;
    let finer = (1..=HALVINGS).map(|k| scene.time.step * pow(2.0, -f64::from(k)));
    let needed = finer.into_iter().find(|step| kept(mode, *step).is_some_and(|kept| kept >= KEPT));
    Some(OscillationLost { frequency: mode.value.im, kept: left, needed })
}

/// Length by which particles move on, as a share of 1 m and their largest coordinate.
const NUDGE: f64 = 1e-9;

/// The start with free particles moved on along their forces, so that what just touches is in contact, with forces and
/// velocities of the start. Particles that leave their contact stay.
fn pressed(model: &Model, start: &State) -> State {
    let mut moved = start.clone();
    for (i, position) in moved.positions.iter_mut().enumerate() {
        let free = model.inverse_masses[i].map(|inverse| if inverse > 0.0 { 1.0 } else { 0.0 });
        let along = start.forces[i].component_mul(&free).try_normalize(0.0);
        *position += along.unwrap_or_default() * (NUDGE * (1.0 + position.amax()));
    }
    model.commit(&mut moved, &mut Memory::default());
    let is_new = |contact: &Contact| start.memory.contacts.iter().all(|c| c.key != contact.key);
    let leaves = |contact: &Contact| {
        let speed = contact.ends.iter().map(|(i, c)| c * start.velocities[i].dot(&contact.normal));
        speed.sum::<f64>() > contact.surface_velocity.dot(&contact.normal)
    };
    let leaving: Vec<Contact> = moved.memory.contacts.iter().copied().filter(leaves).collect();
    for (i, _) in leaving.iter().filter(|contact| is_new(contact)).flat_map(|c| c.ends.iter()) {
        moved.positions[i] = start.positions[i];
    }
    model.commit(&mut moved, &mut Memory::default());
    match moved.memory.contacts.iter().any(is_new) {
        true => {
            State { velocities: start.velocities.clone(), forces: start.forces.clone(), ..moved }
        }
        false => start.clone(),
    }
}

/// Errors of the phase \[rad\] and of the logarithm of the amplitude in one step of the scene's own
/// method, from a run on q̈ = 2 Re μ q̇ − |μ|² q, μ = `rate` + i `omega`.
fn one_step(scene: &Scene, rate: f64, omega: f64) -> Option<(f64, f64)> {
    let text = format!(
        "format = 1
        time = {{ end = 1.0, step = 1.0, output = 1.0 }}
        integrator.method = \"{}\"
        world.gravity = [0, 0, 0]
        materials.any.static_friction = 0.5
        [[body]]
        name = \"oscillator\"
        shape.points = {{ positions = [[0, 0, 0], [1, 0, 0]], masses = [1, 1], links = [[0, 1]], rest_lengths = [0] }}
        springs.edge = {{ stiffness = {:e}, damping = {:e} }}
        [[pin]]
        body = \"oscillator\"
        where.particles = [0]
        [[pin]]
        body = \"oscillator\"
        axes = \"yz\"
        ",
        rk4::ENTRY.name,
        rate * rate + omega * omega,
        larger(-2.0 * rate, 0.0),
    );
    let loaded = load_text("oscillator.toml", &text, Path::new("."), &LoadOptions::default());
    let built = build(&loaded.ok()?.scene, &BuildOptions::default()).ok()?;
    let method = make(&INTEGRATORS, &scene.integrator).ok()?;
    let h = scene.time.step;
    let adaptive = method.capabilities().adaptive;
    let mut run = Simulation::new(built.model, built.state, method, h);
    let (first, last) = (TRIAL_STEPS / 4, TRIAL_STEPS);
    let (mut turned, mut angle, mut start) = (0.0, 0.0, (0.0, 0.0));
    for step in 0..=last {
        if step > 0 {
            run.advance().ok()?;
        }
        let (q, v) = (run.state.positions[1].x, run.state.velocities[1].x);
        // q = Re(e^{μt}), v = Re(μ e^{μt})
        let (re, im) = (q, (rate * q - v) / omega);
        let now = atan2(im, re);
        let more = now - angle;
        turned += more - 2.0 * PI * (more / (2.0 * PI)).round();
        angle = now;
        let size = 0.5 * log(re * re + im * im);
        if step == first {
            start = (turned, size);
        } else if step == last {
            let count = (last - first) as f64;
            let phase = (turned - start.0) / count - h * omega;
            // its own steps follow whole turns within h
            let turns = if adaptive { (phase / (2.0 * PI)).round() } else { 0.0 };
            let phase = phase - 2.0 * PI * turns;
            return Some((phase, (size - start.1) / count - h * rate));
        }
    }
    None
}
