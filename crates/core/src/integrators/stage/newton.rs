//! Newton's iteration: directions, and step lengths along them.

use crate::linear::system::System;
use crate::linear::{LinearError, LinearSolver, MatrixForm, Wanted, solver, sparse};
use crate::math::{Vector, larger, smaller, sqrt};
use crate::profile::Section;
use crate::registry::Values;
use crate::state::memory::Contact;
use crate::state::{Configuration, Lag};

use super::{
    Course, GOOD, NewtonFailure, NewtonStage, NewtonStart, StageWorld, first_infinite, trial,
};
use crate::integrators::StepReport;

/// Most halvings of the Newton update in one line search.
const MOST_BACKTRACKS: u32 = 12;

/// Poor iterations after which another form of the matrix is tried.
const MOST_POOR_STEPS: u32 = 2;

/// Newton's iteration, its linear solver and its storage.
pub struct Newton {
    /// as given; by default it follows the threshold of friction
    pub(super) tolerance: Option<f64>,
    most_iterations: u32,
    /// The quantities that friction takes from the last commit.
    pub lag: Lag,
    /// Backtracking; without it this is plain Newton.
    pub line_search: bool,
    pub(crate) solver: Box<dyn LinearSolver>,
    pub(super) system: Option<System>,
    /// Positions of the solution \[m\].
    pub x: Vec<Vector>,
    /// Velocities of the solution \[m/s\].
    pub v: Vec<Vector>,
    residual: Vec<Vector>,
    update: Vec<Vector>,
    start: Vec<Vector>,
    /// changes of velocity by [`Model::stops_at`]
    stops: Vec<(usize, Vector)>,
    pub(super) guess: Vec<Vector>,
    /// K v of [`Self::gain`] [N/s]
    pub(super) turn: Vec<Vector>,
    /// solver of [`Self::gain`] after a failure
    pub(super) last_resort: Box<dyn LinearSolver>,
}

/// A first guess that leaves less than this share of Σ |r|²/m is taken.
const PROMISING: f64 = 0.25;

/// Most iterations in a row without a smaller residual than ever before.
const MOST_DARING: u32 = 3;

/// Factor on the estimate of the next update, by which the iteration ends.
const SAFETY: f64 = 4.0;

/// Tolerated error of a velocity as a share of the threshold of friction or of the fastest speed.
const PRECISION: f64 = 1e-5;

/// Tolerated error of a velocity without a threshold of friction, as a share of max(1 m/s, |v|): the smallest one
/// where none is given.
pub const FINEST: f64 = 1e-10;

/// Share of the tolerance below which the fall of a residual is decided by rounding.
const NOTHING: f64 = 1e-3;

/// The largest component of any vector.
fn largest(of: &[Vector]) -> f64 {
    of.iter().fold(0.0, |most, v| larger(most, v.amax()))
}

impl Newton {
    /// Newton's method with the values of `KEYS`.
    pub fn new(values: &Values) -> Self {
        let most = values.integer("max_iterations") as u32;
        Newton::with(values, values.get_number("newton_tolerance"), most)
    }

    /// With the values of `LINEAR_KEYS`, for [`Self::gain`] alone.
    pub fn linear(values: &Values) -> Self {
        Newton::with(values, Some(values.number("linear_tolerance")), 1)
    }

    /// The form of the matrix that the first iteration solves with: if it is the only iteration, the
    /// full form where the solver has it.
    pub(crate) fn form(&self, particles: usize) -> MatrixForm {
        let own = self.solver.form(particles);
        if self.most_iterations > 1 {
            return own;
        }
        self.solver.other_form().filter(|form| *form == MatrixForm::Full).unwrap_or(own)
    }

    fn with(values: &Values, tolerance: Option<f64>, most_iterations: u32) -> Self {
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
            stops: Vec::new(),
            guess: Vec::new(),
            turn: Vec::new(),
            last_resort: solver(sparse::lu::ENTRY.name),
        }
    }

    /// A point of the step for evaluations of forces and derivatives.
    pub fn at<'a>(
        &self,
        world: &StageWorld<'a>,
        time: f64,
        positions: &'a [Vector],
        velocities: &'a [Vector],
    ) -> Configuration<'a> {
        trial(world, time, positions, velocities, self.lag)
    }

    /// Solves the stage: the solution is in [`Self::x`] and [`Self::v`].
    pub fn solve(
        &mut self,
        world: &StageWorld,
        stage: &NewtonStage,
        start: &NewtonStart,
        report: &mut StepReport,
    ) -> Result<(), NewtonFailure> {
        let before = report.iterations;
        let solved = self.solve_uncounted(world, stage, start, report);
        report.stages.count((report.iterations - before) as u32);
        solved
    }

    fn solve_uncounted(
        &mut self,
        world: &StageWorld,
        stage: &NewtonStage,
        start: &NewtonStart,
        report: &mut StepReport,
    ) -> Result<(), NewtonFailure> {
        let form = self.solver.form(world.model.particles());
        let mut course = Course::new(form, self.target(world, start), start);
        self.begin(world, stage, start, &mut course, report);
        loop {
            let spent = course.taken == self.most_iterations;
            if spent && self.line_search && !course.cautious && course.off > course.target {
                self.begin_anew(world, stage, &mut course, report);
            }
            let trapped = std::mem::take(&mut course.trapped);
            if trapped && !self.change_form(&mut course) {
                break;
            }
            if course.taken == self.most_iterations || world.model.halt.is_asked() {
                break;
            }
            let taken = course.taken;
            course.taken += 1;
            if self.iterate(world, stage, &mut course, report).map_err(|f| f.after(taken))? {
                return Ok(());
            }
        }
        // the last update may have sufficed
        if course.off <= course.target {
            return Ok(());
        }
        let (residual, particle) = self.worst();
        Err(NewtonFailure::Diverged { iterations: course.taken, residual, particle })
    }

    /// Starts at v, or at v + a × duration if that differs by more than the target and leaves less than
    /// [`PROMISING`] of the residual. Always at v where friction falls from μ_s to μ_k: that velocity
    /// decides between two solutions.
    fn begin(
        &mut self,
        world: &StageWorld,
        stage: &NewtonStage,
        start: &NewtonStart,
        course: &mut Course,
        report: &mut StepReport,
    ) {
        let own = |v: &mut Vec<Vector>| {
            v.clear();
            v.extend_from_slice(start.v);
        };
        own(&mut self.v);
        self.place(stage);
        (course.norm, course.off) = self.residual(world, stage, report);
        let falls = |c: &Contact| c.pair.static_friction != c.pair.kinetic_friction;
        if largest(start.a) * start.duration <= course.target
            || world.memory.contacts.iter().any(falls)
        {
            return;
        }
        self.v.iter_mut().zip(start.a).for_each(|(v, a)| *v += a * start.duration);
        self.place(stage);
        std::mem::swap(&mut self.residual, &mut self.update);
        let (norm, off) = self.residual(world, stage, report);
        if norm < PROMISING * course.norm {
            (course.norm, course.off) = (norm, off);
            course.rise = None;
            return;
        }
        std::mem::swap(&mut self.residual, &mut self.update);
        own(&mut self.v);
        self.place(stage);
    }

    /// Makes one iteration; returns whether the stage is solved.
    fn iterate(
        &mut self,
        world: &StageWorld,
        stage: &NewtonStage,
        course: &mut Course,
        report: &mut StepReport,
    ) -> Result<bool, NewtonFailure> {
        if !course.norm.is_finite() {
            return Err(NewtonFailure::NonFinite { particle: first_infinite(&self.residual) });
        }
        // where forces dissipate, M is a lower bound of the matrix, so r/m bounds the error of a
        // velocity; not tested at the start, where the smallest changes would be missing step after step
        let target = course.target;
        if course.begun && course.off <= target {
            return Ok(true);
        }
        course.begun = true;
        report.iterations += 1;
        let wanted = course.wanted();
        if let Err(cause) = self.direction(world, stage, course, wanted, report) {
            return self.change_form(course).then_some(false).ok_or_else(|| self.unsolved(cause));
        }
        if self.update.iter().any(|u| !(u.x + u.y + u.z).is_finite()) {
            return Err(NewtonFailure::NonFinite { particle: first_infinite(&self.update) });
        }
        let size = largest(&self.update);
        let before = course.norm;
        let whole = self.search(world, stage, course, report);
        // the next update would be smaller by the fall of the residual
        let next = SAFETY * size * sqrt(course.norm / before);
        if whole && (size <= target || course.norm < GOOD * before && next <= target) {
            return Ok(true);
        }
        course.proceed(before, wanted);
        if course.poor_steps >= MOST_POOR_STEPS {
            self.change_form(course);
        }
        Ok(false)
    }

    /// Tolerated error of a velocity \[m/s\]: the tolerance × max(1 m/s, |v|). By default
    /// a hundred-thousandth of the threshold of friction, or of the fastest speed if that is smaller.
    fn target(&self, world: &StageWorld, start: &NewtonStart) -> f64 {
        let fastest = largest(start.v);
        if let Some(tolerance) = self.tolerance {
            return tolerance * larger(fastest, 1.0);
        }
        let gained = largest(start.a) * start.duration;
        let frictionless = FINEST * larger(fastest, 1.0);
        if !world.model.touches() {
            return frictionless;
        }
        let epsilon = world.model.friction().threshold();
        let speed = if epsilon > 0.0 { smaller(epsilon, fastest + gained) } else { 0.0 };
        larger(PRECISION * speed, frictionless)
    }

    /// Changes to the solver's other form of the matrix, if there is one not yet tried.
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

    /// Writes x̃ + h v to `x`.
    fn place(&mut self, stage: &NewtonStage) {
        self.x.clear();
        self.x.extend(stage.x.iter().zip(&self.v).map(|(x, v)| x + v * stage.h));
    }

    /// r = M (v − ṽ) − h F(t, x̃ + h v, v) on free axes \[N·s\]; returns Σ |r|²/m and the largest
    /// |r|/m.
    fn residual(
        &mut self,
        world: &StageWorld,
        stage: &NewtonStage,
        report: &mut StepReport,
    ) -> (f64, f64) {
        let model = world.model;
        self.residual.resize(self.v.len(), Vector::zeros());
        let at = trial(world, stage.time, &self.x, &self.v, self.lag);
        model.forces_at(&at, &mut self.residual);
        report.evaluations += 1;
        let (mut norm, mut off) = (0.0, 0.0);
        for (i, r) in self.residual.iter_mut().enumerate() {
            let impulse = (self.v[i] - stage.v[i]) * model.masses[i] - *r * stage.h;
            *r = impulse.zip_map(&model.inverse_masses[i], |r, m| if m > 0.0 { r } else { 0.0 });
            let (square, inverse_mass) = (r.norm_squared(), 1.0 / model.masses[i]);
            norm += square * inverse_mass;
            off = larger(off, square * inverse_mass * inverse_mass);
        }
        (norm, sqrt(off))
    }

    /// Newton's update at `v`, to the `wanted` share of the residual.
    fn direction(
        &mut self,
        world: &StageWorld,
        stage: &NewtonStage,
        course: &mut Course,
        wanted: f64,
        report: &mut StepReport,
    ) -> Result<(), LinearError> {
        let model = world.model;
        let _solver = model.profile.section(Section::Solver);
        let system =
            self.system.get_or_insert_with(|| System::new(&model.masses, &model.inverse_masses));
        system.halt.clone_from(&model.halt);
        let at = trial(world, stage.time, &self.x, &self.v, self.lag);
        if course.keep {
            system.renew(|system| model.contact_jacobian_at(&at, system));
        } else {
            report.jacobians += 1;
            system.assemble(course.form, stage.h, |system| {
                model.jacobian_without_contact_at(&at, system);
                system.mark();
                model.contact_jacobian_at(&at, system);
            });
        }
        self.solver.factor(system)?;
        self.update.clone_from(&self.residual);
        let guess = course.rise.take().map(|(a, duration)| {
            // the update is subtracted
            self.guess.clear();
            self.guess.extend(a.iter().map(|a| a * -duration));
            &self.guess[..]
        });
        let wanted = Wanted { tolerance: wanted, guess };
        report.linear_iterations +=
            u64::from(self.solver.solve(system, &wanted, &mut self.update)?);
        Ok(())
    }

    /// Applies the update; returns whether whole and unchanged. A slip that leaps across the stick zone
    /// stops in it. A residual that grows is accepted a few times in a row, because at a kink
    /// the next update mends it; then the iteration begins anew at the velocity of the start, and halves
    /// each update until its residual falls.
    fn search(
        &mut self,
        world: &StageWorld,
        stage: &NewtonStage,
        course: &mut Course,
        report: &mut StepReport,
    ) -> bool {
        self.start.clone_from(&self.v);
        if course.cautious || !self.line_search {
            return self.backtrack(world, stage, course, report) == 1.0;
        }
        course.best = smaller(course.best, course.norm);
        self.advance(1.0, stage);
        let at = trial(world, stage.time, &self.x, &self.v, self.lag);
        world.model.stops_at(&self.start, &at, &mut self.stops);
        for (particle, change) in &self.stops {
            self.v[*particle] += change;
        }
        if !self.stops.is_empty() {
            self.place(stage);
        }
        (course.norm, course.off) = self.residual(world, stage, report);
        let falls = course.norm < course.best;
        course.daring = if falls { 0 } else { course.daring + 1 };
        if course.daring > MOST_DARING || !course.norm.is_finite() {
            self.begin_anew(world, stage, course, report);
            return false;
        }
        self.stops.is_empty()
    }

    /// Begins at the velocity of the start, and from now on halves each update until its residual falls.
    fn begin_anew(
        &mut self,
        world: &StageWorld,
        stage: &NewtonStage,
        course: &mut Course,
        report: &mut StepReport,
    ) {
        (course.cautious, course.keep, course.smooth) = (true, false, false);
        (course.taken, course.poor_steps) = (0, 0);
        self.v.clone_from_slice(course.first);
        self.place(stage);
        (course.norm, course.off) = self.residual(world, stage, report);
    }

    /// Writes v = start − share × update, and its x.
    fn advance(&mut self, share: f64, stage: &NewtonStage) {
        for ((v, from), u) in self.v.iter_mut().zip(&self.start).zip(&self.update) {
            *v = from - u * share;
        }
        self.place(stage);
    }

    /// Halves the update until the residual norm falls, or no velocity errs by more than a thousandth of
    /// the target; applies it and returns its share. If no share helps, because of rounding or a
    /// jump, the whole update is applied and the iteration is trapped.
    fn backtrack(
        &mut self,
        world: &StageWorld,
        stage: &NewtonStage,
        course: &mut Course,
        report: &mut StepReport,
    ) -> f64 {
        self.stops.clear();
        let nothing = NOTHING * course.target;
        let mut share = 1.0;
        for backtrack in 0..=MOST_BACKTRACKS {
            let last = backtrack == MOST_BACKTRACKS || !self.line_search;
            if last {
                share = 1.0;
            }
            self.advance(share, stage);
            let (norm, off) = self.residual(world, stage, report);
            let falls = norm <= course.norm * (1.0 - 1e-4 * share);
            if last || off <= nothing || falls {
                course.trapped = self.line_search && norm > course.norm && off > nothing;
                (course.norm, course.off) = (norm, off);
                break;
            }
            share *= 0.5;
        }
        share
    }

    fn unsolved(&self, cause: LinearError) -> NewtonFailure {
        let (residual, particle) = self.worst();
        NewtonFailure::Unsolved { cause, iterations: 0, residual, particle }
    }

    /// The largest residual \[N·s\] and its particle.
    fn worst(&self) -> (f64, usize) {
        let most = |worst, (i, r): (usize, &Vector)| {
            let (size, _) = worst;
            if r.amax() > size { (r.amax(), i) } else { worst }
        };
        self.residual.iter().enumerate().fold((0.0, 0), most)
    }
}
