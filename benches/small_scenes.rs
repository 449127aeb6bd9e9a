//! Steps of small scenes, as most users run them, with every watch, beside a *bare loop*: the same physics written by
//! hand, without watches, energies or memory of contacts, in the same process and in turns. Prints the time of a step
//! of both, their ratio, and steps per CPU-second. Compare ratios of one run, never times of two.
//!
//! `cargo bench --bench small_scenes -- box rk4` runs what has these words in its name.

#[path = "shared/goals.rs"]
mod goals;
#[path = "shared/rows.rs"]
mod rows;

use cpu_time::ThreadTime;
use std::hint::black_box;
use std::path::Path;
use stiction_core::forces::springs::Spring;
use stiction_core::math::{Vector, flat, flat_mut};
use stiction_lab::run::Run;
use stiction_scene::build::BuildOptions;
use stiction_scene::{LoadOptions, load_text};

/// Turns of both loops; the best of each counts.
const TURNS: usize = 10;

/// Simulated time of a turn \[s\]: both begin each turn at the same state, since numbers near zero, where all rests,
/// are slow.
const TURN: f64 = 0.3;

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    println!(
        "{:<34} {:>10} {:>10} {:>7} {:>14}",
        "", "step ns", "bare ns", "ratio", "M steps/CPU-s"
    );
    for case in CASES {
        let name = format!("{}, {}", case.name, case.method);
        if chosen.iter().all(|word| name.contains(word)) {
            case.measure(&name);
        }
    }
}

/// A scene under one method.
struct Case {
    name: &'static str,
    scene: &'static str,
    method: &'static str,
    /// other settings
    set: &'static [&'static str],
    /// where the measurement begins \[s\]
    from: f64,
}

const BLOCK: &str = include_str!("../scenes/sliding_block.toml");
const BOX: &str = include_str!("../scenes/tipping_box.toml");

const CASES: [Case; 6] = [
    Case {
        name: "free particle",
        scene: BLOCK,
        method: "symplectic-euler",
        set: &["body.block.position=[0, 0, 1e6]", "time.step=2e-5"],
        from: 0.0,
    },
    Case {
        name: "particle in contact",
        scene: BLOCK,
        method: "symplectic-euler",
        set: &["time.step=2e-5"],
        from: 0.0,
    },
    Case {
        name: "tipping box",
        scene: BOX,
        method: "symplectic-euler",
        set: &["time.step=2e-5"],
        from: 0.2,
    },
    Case { name: "tipping box", scene: BOX, method: "rk4", set: &["time.step=2e-5"], from: 0.2 },
    Case { name: "tipping box", scene: BOX, method: "dopri5", set: &["time.step=1e-4"], from: 0.2 },
    Case {
        name: "particle in contact",
        scene: BLOCK,
        method: "rk4",
        set: &["time.step=1e-5"],
        from: 0.0,
    },
];

impl Case {
    fn measure(&self, name: &str) {
        let method = format!("integrator.method={}", self.method);
        let mut set: Vec<String> = self.set.iter().map(|text| (*text).into()).collect();
        set.extend([method, "time.end=1e3".into()]);
        let options = LoadOptions { set, ..LoadOptions::default() };
        let scene = load_text(self.name, self.scene, Path::new("scenes"), &options);
        let scene = scene.unwrap_or_else(|errors| panic!("{}", errors.render(false))).scene;
        let mut run = Run::new(&scene, &BuildOptions::default()).expect("a library scene");
        run.simulation_mut().advance_to(self.from).expect("it runs");
        let bare = Bare::of(&run, scene.time.step);
        let stages = match self.method {
            "symplectic-euler" => 1,
            "rk4" => 4,
            _ => 6,
        };
        bare.check(&run, self.method);
        let (mut best, mut best_bare) = (f64::INFINITY, f64::INFINITY);
        let steps = (TURN / scene.time.step).round() as usize;
        let (begun, counted) = (run.simulation().checkpoint(), run.simulation().work.evaluations);
        for _ in 0..TURNS {
            let before = counted;
            let simulation = run.simulation_mut();
            simulation.restore(&begun);
            let taken = time(|| (0..steps).for_each(|_| simulation.advance().expect("a step")));
            // adaptive methods take several substeps a step: the bare loop takes one
            let evaluations = simulation.work.evaluations - before;
            let substeps = evaluations as f64 / (stages * steps) as f64;
            best = best.min(taken / steps as f64);
            let mut bare = bare.clone();
            let taken = time(|| (0..steps).for_each(|_| bare.step(stages)));
            best_bare = best_bare.min(taken / steps as f64 * substeps);
        }
        println!(
            "{name:<34} {:>10.0} {:>10.0} {:>7.2} {:>14.3}",
            1e9 * best,
            1e9 * best_bare,
            best / best_bare,
            1e-6 / best
        );
        let goal = if self.name.contains("box") { 2.0 } else { 3.0 };
        let [step, bare] = [best, best_bare].map(|time| format!("{:.0}", 1e9 * time));
        let ratio = goals::ratio(best / best_bare, goal, false);
        rows::row("small", &[name.into(), step, bare, ratio, format!("{:.2}", 1e-6 / best)]);
    }
}

/// CPU time of some work \[s\].
fn time(work: impl FnOnce()) -> f64 {
    let began = ThreadTime::now();
    work();
    began.elapsed().as_secs_f64()
}

/// Springs, gravity, drag and one plane at z = 0 with friction by the threshold law, written by hand.
#[derive(Clone)]
struct Bare {
    x: Vec<Vector>,
    v: Vec<Vector>,
    f: Vec<Vector>,
    /// rates of the stages, positions and velocities
    rates: Vec<[Vec<Vector>; 2]>,
    at: [Vec<Vector>; 2],
    springs: Vec<Spring>,
    masses: Vec<f64>,
    inverse: Vec<Vector>,
    gravity: Vector,
    /// k, c, μ_s, μ_k, ε of the plane
    plane: [f64; 5],
    /// rate of the drag \[1/s\]
    drag: f64,
    h: f64,
}

impl Bare {
    /// The present state of a run of one of the scenes.
    fn of(run: &Run, h: f64) -> Bare {
        let simulation = run.simulation();
        let (model, state) = (&simulation.model, &simulation.state);
        let n = model.particles();
        let mut springs = Vec::with_capacity(model.springs.len());
        model.springs.for_each(|spring| springs.push(spring));
        let is_box = n > 1;
        let zeros = || vec![Vector::zeros(); n];
        Bare {
            x: state.positions.clone(),
            v: state.velocities.clone(),
            f: zeros(),
            rates: (0..7).map(|_| [zeros(), zeros()]).collect(),
            at: [zeros(), zeros()],
            springs,
            masses: model.masses.clone(),
            inverse: model.inverse_masses.clone(),
            gravity: model.gravity,
            plane: match is_box {
                true => [2e5, 50.0, 0.5, 0.5, 1e-2],
                false => [1e5, 200.0, 0.4, 0.4, 1e-2],
            },
            drag: if is_box { 5.0 } else { 0.0 },
            h,
        }
    }

    /// Forces at positions and velocities.
    fn forces(&mut self, in_stage: bool) {
        let (x, v) = match in_stage {
            true => (&self.at[0], &self.at[1]),
            false => (&self.x, &self.v),
        };
        let [k, c, static_friction, kinetic_friction, epsilon] = self.plane;
        for (((f, m), x), v) in self.f.iter_mut().zip(&self.masses).zip(x).zip(v) {
            *f = self.gravity * *m - v * (self.drag * m);
            if x.z < 0.0 {
                let normal = (-k * x.z - c * v.z).max(0.0);
                let s = (v.x * v.x + v.y * v.y).sqrt();
                let factor = match s < epsilon {
                    true => static_friction * normal / epsilon,
                    false => kinetic_friction * normal / s,
                };
                *f += Vector::new(-factor * v.x, -factor * v.y, normal);
            }
        }
        for spring in &self.springs {
            let (d, w) = (x[spring.j] - x[spring.i], v[spring.j] - v[spring.i]);
            let l = d.norm();
            let tension = spring.material.stiffness * (l - spring.rest_length)
                + spring.material.damping * w.dot(&d) / l;
            let pull = d * (tension / l);
            self.f[spring.i] += pull;
            self.f[spring.j] -= pull;
        }
    }

    fn step(&mut self, stages: usize) {
        match stages {
            1 => self.symplectic_euler(),
            4 => self.runge_kutta(&RK4, &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0]),
            _ => self.runge_kutta(&DOPRI5, &DOPRI5_WEIGHTS),
        }
        black_box(&self.x);
    }

    fn symplectic_euler(&mut self) {
        self.forces(false);
        let h = self.h;
        for (((x, v), f), m) in self.x.iter_mut().zip(&mut self.v).zip(&self.f).zip(&self.inverse) {
            *v += f.component_mul(m) * h;
            *x += *v * h;
        }
    }

    /// One step of the method of these coefficients.
    fn runge_kutta(&mut self, coefficients: &[&[f64]], weights: &[f64]) {
        let h = self.h;
        for (stage, row) in coefficients.iter().enumerate() {
            self.at[0].copy_from_slice(&self.x);
            self.at[1].copy_from_slice(&self.v);
            for (a, rate) in row.iter().zip(&self.rates).filter(|(a, _)| **a != 0.0) {
                self.at.iter_mut().zip(rate).for_each(|(at, rate)| add(at, a * h, rate));
            }
            self.forces(true);
            let [of_x, of_v] = &mut self.rates[stage];
            of_x.copy_from_slice(&self.at[1]);
            for ((rate, f), m) in of_v.iter_mut().zip(&self.f).zip(&self.inverse) {
                *rate = f.component_mul(m);
            }
        }
        for (b, [of_x, of_v]) in weights.iter().zip(&self.rates).filter(|(b, _)| **b != 0.0) {
            add(&mut self.x, b * h, of_x);
            add(&mut self.v, b * h, of_v);
        }
    }

    /// The bare loop is the same physics: one step of both ends in the same state, to rounding.
    fn check(&self, run: &Run, method: &str) {
        if method == "dopri5" {
            return;
        }
        let (h, state) = (self.h, &run.simulation().state);
        let acceleration = |i: usize| state.forces[i].component_mul(&self.inverse[i]);
        let mut own = Bare { x: self.x.clone(), v: self.v.clone(), ..Bare::of(run, h) };
        own.forces(false);
        for i in 0..self.x.len() {
            let [bare, whole] = [own.f[i].component_mul(&self.inverse[i]), acceleration(i)];
            let apart = (bare - whole).norm();
            assert!(apart <= 1e-9 * (1.0 + whole.norm()), "particle {i}: {bare} and {whole}");
        }
    }
}

/// y += a x.
fn add(y: &mut [Vector], a: f64, x: &[Vector]) {
    for (y, x) in flat_mut(y).iter_mut().zip(flat(x)) {
        *y += a * x;
    }
}

const RK4: [&[f64]; 4] = [&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]];

const DOPRI5: [&[f64]; 6] = [
    &[],
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
];

const DOPRI5_WEIGHTS: [f64; 6] =
    [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0];
