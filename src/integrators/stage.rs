//! One stage of an implicit method: Newton's iteration with line search on the velocity.
//!
//! Every implicit method here asks for v and x = x̃ + h v with
//!
//! ```text
//! M (v − ṽ) = h F(t, x̃ + h v, v)
//! ```
//!
//! on the axes that are free; what h, x̃ and ṽ are is all that tells the methods apart. The iteration
//! starts from the velocity at the start of the step, which chooses between the two solutions that
//! the jump of a law with μ_s > μ_k can have. Plain Newton fails in many states where friction has a
//! kink: the update is halved until Σ |r|²/m falls.

use crate::contact::Memory;
use crate::forces::{Axial, BlockSink};
use crate::linear::system::System;
use crate::linear::{Form, LinearError, LinearSolver, SOLVER_NAMES, Wanted, solver};
use crate::math::{Matrix, Vector, larger, smaller, sqrt};
use crate::model::Model;
use crate::registry::{Fallback, Key, Kind, Range, Values};
use crate::state::{Configuration, Lag};

use super::{StepError, StepReport};

/// Halvings of the Newton update inside one line search.
const MOST_BACKTRACKS: u32 = 12;

/// What the first linear system of a stage may leave of its residual.
const FIRST_FORCING: f64 = 0.1;

/// How much of the tolerance the root mean square of what a linear system leaves may take.
const SHARE: f64 = 0.3;

/// After a step that leaves less than this share of Σ |r|²/m the next one uses the same matrix.
const GOOD: f64 = 0.03;

/// A step that leaves more than this share of Σ |r|²/m is a poor one.
const POOR: f64 = 0.25;

/// The iteration changes to another form of the matrix after this many poor steps.
const MOST_POOR_STEPS: u32 = 2;

/// Where Newton stops.
pub const NEWTON_TOLERANCE: Key = Key {
    name: "newton_tolerance",
    kind: Kind::Number { unit: "m/s", range: Range::Between(1e-14, 1.0) },
    default: Fallback::Number(1e-10),
    about: "Newton stops when the velocity is this × max(1 m/s, |v|) from the solution",
};

/// When Newton gives up.
pub const MAX_ITERATIONS: Key = Key {
    name: "max_iterations",
    kind: Kind::Integer { min: 1, max: 1000 },
    default: Fallback::Integer(40),
    about: "Newton iterations before the step is halved",
};

/// How its linear systems are solved.
pub const LINEAR_SOLVER: Key = Key {
    name: "linear_solver",
    kind: Kind::Word(SOLVER_NAMES),
    default: Fallback::Text("automatic"),
    about: "how linear systems are solved; `automatic` goes by the number of particles",
};

/// What friction takes from the start of the step.
pub const LAG: Key = Key {
    name: "lag",
    kind: Kind::Word(&["none", "normal", "basis", "both"]),
    default: Fallback::Text("none"),
    about: "what friction takes from the start of the step: N, the contact normal, both, or nothing",
};

/// The keys of all methods that use [`Newton`].
pub const KEYS: &[Key] = &[NEWTON_TOLERANCE, MAX_ITERATIONS, LINEAR_SOLVER, LAG];

/// The keys of the methods that solve linear systems without [`Newton`]'s iteration.
pub const LINEAR_KEYS: &[Key] = &[LINEAR_TOLERANCE, LINEAR_SOLVER, LAG];

/// How exactly linear systems are solved.
pub const LINEAR_TOLERANCE: Key = Key {
    name: "linear_tolerance",
    kind: Kind::Number { unit: "m/s", range: Range::Between(1e-14, 1.0) },
    default: Fallback::Number(1e-10),
    about: "iterative linear solvers stop when the velocity is this × max(1 m/s, |v|) from the solution",
};

/// What does not change while a step is sought.
#[derive(Clone, Copy)]
pub struct World<'a> {
    /// The physics.
    pub model: &'a Model,
    /// Contact memory as of the last commit.
    pub memory: &'a Memory,
}

/// The equation M (v − ṽ) = h F(t, x̃ + h v, v).
#[derive(Clone, Copy)]
pub struct Stage<'a> {
    /// t \[s\].
    pub time: f64,
    /// h \[s\].
    pub h: f64,
    /// x̃ \[m\].
    pub x: &'a [Vector],
    /// ṽ \[m/s\].
    pub v: &'a [Vector],
}

/// Where the iteration starts.
#[derive(Clone, Copy)]
pub struct Start<'a> {
    /// The velocity at the start of the step \[m/s\].
    pub v: &'a [Vector],
    /// Accelerations at the start \[m/s²\], zero on held axes: where iterative linear solvers begin.
    /// The solution depends on it no more than on their tolerance.
    pub a: &'a [Vector],
    /// For how long they may be expected to act \[s\].
    pub duration: f64,
}

/// How an attempt at a stage failed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Failure {
    /// Newton's iteration did not converge.
    Diverged {
        /// Iterations taken.
        iterations: u32,
        /// Largest residual impulse \[N·s\].
        residual: f64,
        /// The particle it is at.
        particle: usize,
    },
    /// A linear system could not be solved.
    Unsolved {
        /// Why.
        cause: LinearError,
        /// Iterations taken.
        iterations: u32,
        /// Largest residual impulse \[N·s\].
        residual: f64,
        /// The particle it is at.
        particle: usize,
    },
    /// A force or velocity is not finite.
    NonFinite {
        /// The first such particle.
        particle: usize,
    },
}

/// Newton's iteration, its linear solver and its storage.
pub struct Newton {
    tolerance: f64,
    most_iterations: u32,
    /// What friction takes from the last commit.
    pub lag: Lag,
    /// Backtracking; without it this is plain Newton.
    pub line_search: bool,
    solver: Box<dyn LinearSolver>,
    system: Option<System>,
    /// Positions of the solution \[m\].
    pub x: Vec<Vector>,
    /// Velocities of the solution \[m/s\].
    pub v: Vec<Vector>,
    residual: Vec<Vector>,
    update: Vec<Vector>,
    start: Vec<Vector>,
    guess: Vec<Vector>,
    /// what a linear system of [`Self::prepare`] may leave, √(Σ |r|²/m)
    target: f64,
}

impl Newton {
    /// As the values of [`KEYS`] say.
    pub fn new(values: &Values) -> Self {
        let most = values.integer("max_iterations") as u32;
        Newton::with(values, values.number("newton_tolerance"), most)
    }

    /// As the values of [`LINEAR_KEYS`] say: for [`Self::prepare`] and [`Self::gain`] alone.
    pub fn linear(values: &Values) -> Self {
        Newton::with(values, values.number("linear_tolerance"), 1)
    }

    fn with(values: &Values, tolerance: f64, most_iterations: u32) -> Self {
        Newton {
            tolerance,
            most_iterations,
            lag: Lag::named(values.get_text("lag").unwrap_or("none")),
            line_search: true,
            solver: solver(values.text("linear_solver")),
            system: None,
            x: Vec::new(),
            v: Vec::new(),
            residual: Vec::new(),
            update: Vec::new(),
            start: Vec::new(),
            guess: Vec::new(),
            target: 0.0,
        }
    }

    /// A point of the step at which forces and derivatives can be asked for.
    pub fn at<'a>(
        &self,
        world: &World<'a>,
        time: f64,
        positions: &'a [Vector],
        velocities: &'a [Vector],
    ) -> Configuration<'a> {
        trial(world, time, positions, velocities, self.lag)
    }

    /// Prepares for systems with M − h D − h² K at a point, and leaves K w in `turn` \[N/s\].
    pub fn prepare(
        &mut self,
        world: &World,
        at: &Configuration,
        h: f64,
        w: &[Vector],
        turn: &mut Vec<Vector>,
        report: &mut StepReport,
    ) -> Result<(), Failure> {
        let model = world.model;
        let form = self.solver.form(model.particles());
        let system =
            self.system.get_or_insert_with(|| System::new(&model.masses, &model.mobilities));
        system.start(form, h);
        turn.clear();
        turn.resize(w.len(), Vector::zeros());
        model.jacobian_at(at, &mut Along { system, w, turn });
        report.jacobians += 1;
        let speed = at.velocities.iter().fold(1.0, |most, u| larger(most, u.amax()));
        self.target = SHARE * self.tolerance * speed * sqrt(model.masses.iter().sum());
        self.solver.factor(system).map_err(|cause| self.unsolved(cause))
    }

    /// Solves a system with the matrix prepared, in place; the solution may be expected near `a`
    /// times a factor.
    pub fn gain(
        &mut self,
        b: &mut [Vector],
        near: Option<(&[Vector], f64)>,
        report: &mut StepReport,
    ) -> Result<(), Failure> {
        let Some(system) = &self.system else { return Ok(()) };
        let guess = near.map(|(a, factor)| {
            self.guess.clear();
            self.guess.extend(a.iter().map(|a| a * factor));
            &self.guess[..]
        });
        for (b, free) in b.iter_mut().zip(system.free()) {
            b.component_mul_assign(free);
        }
        let size = system.size(b);
        if !size.is_finite() {
            return Err(Failure::NonFinite { particle: first_infinite(b) });
        }
        if size == 0.0 {
            return Ok(());
        }
        // the smallest changes too must be made, or they would be left out step after step
        let tolerance = smaller(larger(self.target / sqrt(size), 1e-14), FIRST_FORCING);
        let solved = self.solver.solve(system, &Wanted { tolerance, guess }, b);
        report.linear_iterations += u64::from(solved.map_err(|cause| self.unsolved(cause))?);
        Ok(())
    }

    fn unsolved(&self, cause: LinearError) -> Failure {
        let (residual, particle) = self.worst();
        Failure::Unsolved { cause, iterations: 0, residual, particle }
    }

    /// Solves the stage: the solution is in [`Self::x`] and [`Self::v`].
    pub fn solve(
        &mut self,
        world: &World,
        stage: &Stage,
        start: &Start,
        report: &mut StepReport,
    ) -> Result<(), Failure> {
        self.v.clear();
        self.v.extend_from_slice(start.v);
        let masses = &world.model.masses;
        let mut course = Course {
            mass: masses.iter().sum(),
            form: self.solver.form(masses.len()),
            norm: 0.0,
            off: 0.0,
            forcing: FIRST_FORCING,
            poor_steps: 0,
            begun: false,
            keep: false,
            rise: Some((start.a, start.duration)),
        };
        self.place(stage);
        (course.norm, course.off) = self.residual(world, stage, report);
        for iteration in 0..self.most_iterations {
            if self.iterate(world, stage, &mut course, report).map_err(|f| f.after(iteration))? {
                return Ok(());
            }
        }
        let (residual, particle) = self.worst();
        Err(Failure::Diverged { iterations: self.most_iterations, residual, particle })
    }

    /// One iteration; whether it was the last.
    fn iterate(
        &mut self,
        world: &World,
        stage: &Stage,
        course: &mut Course,
        report: &mut StepReport,
    ) -> Result<bool, Failure> {
        if !course.norm.is_finite() {
            return Err(Failure::NonFinite { particle: first_infinite(&self.residual) });
        }
        let speed = self.v.iter().fold(1.0, |most, u| larger(most, u.amax()));
        // M is the least part of the matrix where forces dissipate, so that r/m is the most by
        // which a velocity is off; never at the start, where the smallest changes would be left
        // out step after step
        let target = self.tolerance * speed;
        if course.begun && course.off <= target {
            return Ok(true);
        }
        course.begun = true;
        report.iterations += 1;
        let enough = SHARE * target * sqrt(course.mass / course.norm);
        let wanted = larger(course.forcing, smaller(enough, FIRST_FORCING));
        if let Err(cause) = self.direction(world, stage, course, wanted, report) {
            return self.change_form(course).then_some(false).ok_or_else(|| self.unsolved(cause));
        }
        if self.update.iter().any(|u| !(u.x + u.y + u.z).is_finite()) {
            return Err(Failure::NonFinite { particle: first_infinite(&self.update) });
        }
        let size = self.update.iter().fold(0.0, |most, u| larger(most, u.amax()));
        let before = course.norm;
        let share = self.search(world, stage, course, report);
        if share == 1.0 && size <= self.tolerance * speed {
            return Ok(true);
        }
        course.proceed(before);
        if course.poor_steps >= MOST_POOR_STEPS {
            self.change_form(course);
        }
        Ok(false)
    }

    /// Goes on with the solver's other form, if it has one that was not tried.
    fn change_form(&self, course: &mut Course) -> bool {
        match self.solver.other_form() {
            Some(other) if other != course.form => {
                course.form = other;
                course.keep = false;
                true
            }
            _ => false,
        }
    }

    /// Leaves x̃ + h v in `x`.
    fn place(&mut self, stage: &Stage) {
        self.x.clear();
        self.x.extend(stage.x.iter().zip(&self.v).map(|(x, v)| x + v * stage.h));
    }

    /// r = M (v − ṽ) − h F(t, x̃ + h v, v) on free axes \[N·s\]; returns Σ |r|²/m and the largest
    /// |r|/m.
    fn residual(&mut self, world: &World, stage: &Stage, report: &mut StepReport) -> (f64, f64) {
        let model = world.model;
        self.residual.resize(self.v.len(), Vector::zeros());
        let at = trial(world, stage.time, &self.x, &self.v, self.lag);
        model.forces_at(&at, &mut self.residual);
        report.evaluations += 1;
        let (mut norm, mut off) = (0.0, 0.0);
        for (i, r) in self.residual.iter_mut().enumerate() {
            let impulse = (self.v[i] - stage.v[i]) * model.masses[i] - *r * stage.h;
            *r = impulse.zip_map(&model.mobilities[i], |r, m| if m > 0.0 { r } else { 0.0 });
            let (square, mobility) = (r.norm_squared(), 1.0 / model.masses[i]);
            norm += square * mobility;
            off = larger(off, square * mobility * mobility);
        }
        (norm, sqrt(off))
    }

    /// Newton's update at `v`, to the `wanted` share of the residual.
    fn direction(
        &mut self,
        world: &World,
        stage: &Stage,
        course: &mut Course,
        wanted: f64,
        report: &mut StepReport,
    ) -> Result<(), LinearError> {
        let model = world.model;
        let system =
            self.system.get_or_insert_with(|| System::new(&model.masses, &model.mobilities));
        if !course.keep {
            report.jacobians += 1;
            system.start(course.form, stage.h);
            model.jacobian_at(&trial(world, stage.time, &self.x, &self.v, self.lag), system);
            self.solver.factor(system)?;
        }
        self.update.clone_from(&self.residual);
        let guess = course.rise.take().map(|(a, duration)| {
            // an update is taken away
            self.guess.clear();
            self.guess.extend(a.iter().map(|a| a * -duration));
            &self.guess[..]
        });
        let wanted = Wanted { tolerance: wanted, guess };
        report.linear_iterations +=
            u64::from(self.solver.solve(system, &wanted, &mut self.update)?);
        Ok(())
    }

    /// Halves the update until the residual norm falls, and takes it; the share taken is returned.
    /// When no share helps, rounding decides the norm or a jump is in the way: the whole update is
    /// taken.
    fn search(
        &mut self,
        world: &World,
        stage: &Stage,
        course: &mut Course,
        report: &mut StepReport,
    ) -> f64 {
        self.start.clone_from(&self.v);
        let mut share = 1.0;
        for backtrack in 0..=MOST_BACKTRACKS {
            let last = backtrack == MOST_BACKTRACKS || !self.line_search;
            if last {
                share = 1.0;
            }
            for ((v, from), u) in self.v.iter_mut().zip(&self.start).zip(&self.update) {
                *v = from - u * share;
            }
            self.place(stage);
            let (norm, off) = self.residual(world, stage, report);
            if last || norm <= course.norm * (1.0 - 1e-4 * share) {
                (course.norm, course.off) = (norm, off);
                break;
            }
            share *= 0.5;
        }
        share
    }

    /// The largest residual \[N·s\] and the particle it is at.
    fn worst(&self) -> (f64, usize) {
        let most = |worst, (i, r): (usize, &Vector)| {
            let (size, _) = worst;
            if r.amax() > size { (r.amax(), i) } else { worst }
        };
        self.residual.iter().enumerate().fold((0.0, 0), most)
    }
}

fn first_infinite(of: &[Vector]) -> usize {
    of.iter().position(|r| !r.norm_squared().is_finite()).unwrap_or(0)
}

/// Multiplies K with a vector while the system is gathered.
struct Along<'a> {
    system: &'a mut System,
    w: &'a [Vector],
    turn: &'a mut [Vector],
}

impl BlockSink for Along<'_> {
    fn add(&mut self, i: usize, j: usize, by_position: &Matrix, by_velocity: &Matrix) {
        self.turn[i] += by_position * self.w[j];
        self.system.add(i, j, by_position, by_velocity);
    }

    fn add_pair(&mut self, i: usize, j: usize, by_position: &Matrix, by_velocity: &Matrix) {
        let turn = by_position * (self.w[j] - self.w[i]);
        self.turn[i] += turn;
        self.turn[j] -= turn;
        self.system.add_pair(i, j, by_position, by_velocity);
    }

    fn add_axial(&mut self, i: usize, j: usize, axial: &Axial) {
        let (n, w) = (axial.direction, self.w[j] - self.w[i]);
        let along = w.dot(&n);
        let turn =
            n * (axial.stiffness * along + axial.turning.dot(&w)) + (w - n * along) * axial.across;
        self.turn[i] += turn;
        self.turn[j] -= turn;
        self.system.add_axial(i, j, axial);
    }

    fn symmetric(&self) -> bool {
        self.system.symmetric()
    }
}

/// How far an iteration has come.
struct Course<'a> {
    /// mass of all particles \[kg\]
    mass: f64,
    form: Form,
    /// Σ |r|²/m
    norm: f64,
    /// the largest |r|/m
    off: f64,
    /// what the next linear system may leave of the residual
    forcing: f64,
    poor_steps: u32,
    begun: bool,
    /// whether the matrix does for another iteration
    keep: bool,
    rise: Option<(&'a [Vector], f64)>,
}

impl Course<'_> {
    /// After a step from the norm `before`: how exactly the next system is to be solved, by the
    /// second choice of \[eisenstat1996\].
    fn proceed(&mut self, before: f64) {
        let kept = 0.9 * self.forcing * self.forcing;
        let next = 0.9 * self.norm / before;
        let next = if kept > 0.1 { larger(next, kept) } else { next };
        self.forcing = smaller(next, FIRST_FORCING);
        self.keep = self.norm < GOOD * before;
        if self.norm > POOR * before {
            self.poor_steps += 1;
        }
    }
}

impl Failure {
    /// With the number of iterations before it.
    fn after(self, before: u32) -> Failure {
        match self {
            Failure::Unsolved { cause, residual, particle, .. } => {
                Failure::Unsolved { cause, iterations: before + 1, residual, particle }
            }
            other => other,
        }
    }

    /// The error of a step, from the time and length of the smallest substep tried \[s\].
    pub fn at(self, time: f64, substep: f64) -> StepError {
        match self {
            Failure::NonFinite { particle } => StepError::BlownUp { time, particle },
            Failure::Diverged { iterations, residual, particle } => {
                StepError::NewtonDiverged { time, iterations, residual, particle, substep }
            }
            Failure::Unsolved { cause, iterations, residual, particle } => {
                StepError::Unsolved { cause, time, iterations, residual, particle, substep }
            }
        }
    }
}

/// The trial point (t, x, v).
fn trial<'a>(
    world: &World<'a>,
    time: f64,
    positions: &'a [Vector],
    velocities: &'a [Vector],
    lag: Lag,
) -> Configuration<'a> {
    Configuration {
        time,
        positions,
        velocities,
        memory: world.memory,
        stretch: None,
        lag,
        within_step: true,
    }
}
