//! The model of the world: masses, bodies, forces, contact. Immutable while running.

use crate::constraints::Constraint;
use crate::constraints::rigid::Rigid;
use crate::contact::force::ContactForce;
use crate::contact::friction::FrictionLaw;
use crate::contact::friction::coulomb::Coulomb;
use crate::contact::laws::Laws;
use crate::contact::surfaces::Surfaces;
use crate::expression::time_curve::TimeCurve;
use crate::forces::account::{Account, Ledger};
use crate::forces::crew::Crew;
use crate::forces::cuts::Cuts;
use crate::forces::elements::Elements;
use crate::forces::muscle::MuscleForce;
use crate::forces::range::OutOfRange;
use crate::forces::regime::Regime;
use crate::forces::springs::Springs;
use crate::forces::{BlockSink, Force};
use crate::halt::Halt;
use crate::math::{Vector, flat_mut, larger};
use crate::profile::{Profile, Section};
use crate::state::memory::Memory;
use crate::state::{Configuration, State};
use std::ops::Range;
use std::sync::Arc;

/// A body: a contiguous range of particles.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Its name in the scene.
    pub name: String,
    /// Its particles.
    pub particles: Range<usize>,
    /// Surface triangles, for pictures and contact; particle numbers are the model's.
    pub triangles: Vec<[u32; 3]>,
    /// Segments of a rope, for contact.
    pub segments: Vec<[u32; 2]>,
    /// Tetrahedra of a mesh or of elements.
    pub tetrahedra: Vec<[u32; 4]>,
    /// Of a refined mesh, the two particles between which each of its last particles lies; else empty.
    pub midpoints: Vec<[u32; 2]>,
}

impl Body {
    /// Its particles without those that a refinement of its mesh has added.
    pub fn unrefined(&self) -> Range<usize> {
        self.particles.start..self.particles.end - self.midpoints.len()
    }
}

/// Masses, bodies, forces and contact of a scene.
pub struct Model {
    /// The bodies, in scene order.
    pub bodies: Vec<Body>,
    /// m_i \[kg\].
    pub masses: Vec<f64>,
    /// 1/m_i per axis \[1/kg\]; zero on an axis that a pin or a planar scene holds.
    pub inverse_masses: Vec<Vector>,
    /// Positions at t = 0 \[m\].
    pub reference: Vec<Vector>,
    /// Gravity \[m/s²\].
    pub gravity: Vector,
    /// The locked axis of a planar scene.
    pub locked_axis: Option<usize>,
    /// All springs.
    pub springs: Springs,
    /// All elastic elements.
    pub elements: Elements,
    /// Where sums over particles may be cut.
    pub cuts: Cuts,
    /// The threads that share the particles.
    pub crew: Arc<Crew>,
    /// The surfaces, which find contacts.
    pub surfaces: Surfaces,
    /// The laws of contact as a force; `None`: contacts jump velocities after the step and obey
    /// Coulomb's law.
    pub laws: Option<Laws>,
    /// Gravity, pushes, drags, the hand and muscles.
    pub loads: Vec<Box<dyn Force>>,
    /// The muscles among the loads.
    pub muscles: Vec<MuscleForce>,
    /// Whether a load or a motion changes without end.
    pub unsteady: bool,
    /// Rigid bodies, ascending by their particles.
    pub rigid: Vec<Rigid>,
    /// The other constraints.
    pub others: Vec<Box<dyn Constraint>>,
    /// Profile of evaluations.
    pub profile: Profile,
    /// Request to stop, checked by long iterations.
    pub halt: Halt,
}

/// Most fibres of a muscle that are sampled to check whether its factor is defined.
const SOME: usize = 16;

/// A body is round if its outermost particles lie in at least this many directions, [`APART`] from
/// each other: a cuboid has 8.
const ROUND: usize = 10;

/// Cosine of the smallest angle between separate directions: 20°.
const APART: f64 = 0.94;

impl Model {
    /// Number of particles.
    pub fn particles(&self) -> usize {
        self.masses.len()
    }

    /// "particle 3 of `box`": a particle as numbered by the scene's author.
    pub fn particle_name(&self, i: usize) -> String {
        match self.body_of(i).map(|number| &self.bodies[number]) {
            Some(body) => format!("particle {} of `{}`", i - body.particles.start, body.name),
            None => format!("particle {i}"),
        }
    }

    /// The number of a particle's body.
    pub fn body_of(&self, i: usize) -> Option<usize> {
        let after = self.bodies.partition_point(|body| body.particles.start <= i);
        after.checked_sub(1).filter(|number| self.bodies[*number].particles.contains(&i))
    }

    /// Contact as a force; none if contacts jump velocities.
    pub fn contact_force(&self) -> Option<ContactForce<'_>> {
        self.laws.as_ref().map(|laws| ContactForce { surfaces: &self.surfaces, laws })
    }

    /// Whether different bodies touch each other.
    pub fn bodies_touch(&self) -> bool {
        self.surfaces.between.as_ref().is_some_and(|between| between.detector.looks_between())
    }

    /// Whether contact as a force can act: there are laws and surfaces.
    pub fn touches(&self) -> bool {
        self.laws.is_some() && self.surfaces.any()
    }

    /// The friction law of the contacts.
    pub fn friction(&self) -> &dyn FrictionLaw {
        self.laws.as_ref().map_or(&Coulomb, |laws| laws.friction.as_ref())
    }

    /// Calls `visit` for pairs of particles that springs or elements join, enough of them to connect all that are.
    pub fn for_each_join(&self, mut visit: impl FnMut(usize, usize)) {
        self.springs.for_each(|spring| visit(spring.i, spring.j));
        self.elements.for_each_join(visit);
    }

    /// Calls `visit` for all forces, in the fixed order of summation.
    fn for_each_force(&self, mut visit: impl FnMut(&dyn Force)) {
        visit(&self.springs);
        visit(&self.elements);
        if let Some(contact) = self.contact_force() {
            visit(&contact);
        }
        self.loads.iter().for_each(|load| visit(load.as_ref()));
    }

    /// Calls `found` with the places where a force is outside the range that its law is made for.
    pub(crate) fn out_of_range(&self, at: &Configuration, mut found: impl FnMut(OutOfRange)) {
        self.for_each_force(|force| force.out_of_range(at, &mut found));
    }

    /// Calls `visit` for all forces at a point, each in its section of the profile.
    fn evaluate(&self, at: &Configuration, mut visit: impl FnMut(&dyn Force)) {
        if !self.springs.is_empty() {
            let _springs = self.profile.section(Section::Springs);
            visit(&self.springs);
        }
        if !self.elements.is_empty() {
            let _elements = self.profile.section(Section::Elements);
            visit(&self.elements);
        }
        if let Some(contact) = self.contact_force() {
            let _contact = self.profile.contact(|| contact.search(at));
            visit(&contact);
        }
        let _loads = self.profile.section(Section::Loads);
        self.loads.iter().for_each(|load| visit(load.as_ref()));
        // contact by jumps is found by its method, after the step
        let contacts = if self.laws.is_some() { at.memory.contacts.len() } else { 0 };
        self.profile.count(self.springs.len(), contacts);
    }

    /// All constraints, in the order of settling.
    pub fn constraints(&self) -> impl Iterator<Item = &dyn Constraint> {
        let rigid = self.rigid.iter().map(|body| body as &dyn Constraint);
        rigid.chain(self.others.iter().map(|c| c.as_ref()))
    }

    /// Whether the particles at the largest distance from the centre, within 2 %, lie all around it: a
    /// ring, a disc or a sphere.
    pub fn is_round(&self, particles: Range<usize>) -> bool {
        let positions = &self.reference[particles];
        let middle = positions.iter().sum::<Vector>() / positions.len() as f64;
        let most = positions.iter().map(|x| (x - middle).norm()).fold(0.0, larger);
        let mut found: Vec<Vector> = Vec::new();
        for out in positions.iter().map(|x| x - middle).filter(|out| out.norm() > 0.98 * most) {
            let direction = out.normalize();
            if found.iter().all(|other| other.dot(&direction) < APART) {
                found.push(direction);
            }
            if found.len() >= ROUND {
                return true;
            }
        }
        false
    }

    /// The rigid body of a particle.
    pub fn rigid_of(&self, particle: usize) -> Option<&Rigid> {
        let after = self.rigid.partition_point(|body| body.particles.start <= particle);
        let body = self.rigid[..after].last()?;
        body.particles.contains(&particle).then_some(body)
    }

    /// Adds the reactions of all constraints to the applied forces.
    fn add_reactions(&self, at: &Configuration, f: &mut [Vector]) {
        if self.constraints().next().is_none() {
            return;
        }
        let _loads = self.profile.section(Section::Loads);
        for constraint in self.constraints() {
            constraint.add_reaction(at, f);
        }
    }

    /// Calls `look` with a trial point whose prescribed particles are where they are at that time.
    fn at_prescribed<R>(&self, at: &Configuration, look: impl FnOnce(&Configuration) -> R) -> R {
        if !self.others.iter().any(|constraint| constraint.prescribes()) {
            return look(at);
        }
        let (mut positions, mut velocities) = (at.positions.to_vec(), at.velocities.to_vec());
        for constraint in &self.others {
            constraint.prescribe(at.time, at.within_step, &mut positions, &mut velocities);
        }
        look(&Configuration { positions: &positions, velocities: &velocities, ..*at })
    }

    /// Total force at a trial point: `f[i] = F_i(t, x, v)` \[N\], one vector per particle, with the
    /// reactions of constraints.
    pub fn forces_at(&self, at: &Configuration, f: &mut [Vector]) {
        self.clear(f);
        self.at_prescribed(at, |at| {
            self.evaluate(at, |force| force.add_force(at, f));
            self.add_reactions(at, f);
        });
    }

    /// Sets all forces to zero, each thread those of its own particles.
    fn clear(&self, f: &mut [Vector]) {
        self.crew.share(f, |_, f| flat_mut(f).fill(0.0));
    }

    /// All Jacobian blocks at a trial point.
    pub fn jacobian_at(&self, at: &Configuration, into: &mut dyn BlockSink) {
        self.at_prescribed(at, |at| self.for_each_force(|force| force.add_jacobian(at, into)));
    }

    /// The Jacobian blocks of springs and elements at a trial point.
    pub fn inner_jacobian_at(&self, at: &Configuration, into: &mut dyn BlockSink) {
        self.springs.add_jacobian(at, into);
        self.elements.add_jacobian(at, into);
    }

    /// The Jacobian blocks of all forces but contact at a trial point.
    pub(crate) fn jacobian_without_contact_at(&self, at: &Configuration, into: &mut dyn BlockSink) {
        self.at_prescribed(at, |at| {
            self.inner_jacobian_at(at, into);
            self.loads.iter().for_each(|load| load.add_jacobian(at, into));
        });
    }

    /// The Jacobian blocks of contact as a force at a trial point.
    pub(crate) fn contact_jacobian_at(&self, at: &Configuration, into: &mut dyn BlockSink) {
        if let Some(contact) = self.contact_force() {
            self.at_prescribed(at, |at| contact.add_jacobian(at, into));
        }
    }

    /// Adds the particles whose slip an update from the velocities `before` to `at` throws across the
    /// stick zone, each with the change of velocity that lets it stop in the zone \[m/s\].
    pub(crate) fn stops_at(
        &self,
        before: &[Vector],
        at: &Configuration,
        into: &mut Vec<(usize, Vector)>,
    ) {
        into.clear();
        if let Some(contact) = self.contact_force() {
            self.at_prescribed(at, |at| contact.add_stops(before, at, into));
        }
    }

    /// Whether the stretch of contacts is part of the integrator's state.
    pub fn carries_stretch(&self) -> bool {
        self.laws.as_ref().is_some_and(Laws::carries_stretch)
    }

    /// Rates of the stretch of the remembered contacts \[m/s\]; empty unless
    /// [`Self::carries_stretch`].
    pub(crate) fn stretch_rates_at(&self, at: &Configuration, rates: &mut Vec<Vector>) {
        rates.clear();
        if self.carries_stretch() {
            rates.resize(at.memory.contacts.len(), Vector::zeros());
            self.at_prescribed(at, |at| {
                self.for_each_force(|force| force.add_stretch_rate(at, rates));
            });
        }
    }

    /// The regimes of all forces at a trial point; they change where a force has a kink or a jump.
    pub(crate) fn regimes_at(&self, at: &Configuration, regimes: &mut Vec<Regime>) {
        regimes.clear();
        self.at_prescribed(at, |at| self.for_each_force(|force| force.add_regimes(at, regimes)));
    }

    /// Whether a load begins or ends at this very instant: earlier rates are then invalid. `sides` is
    /// storage for the regimes of loads before and after.
    pub(crate) fn loads_switch(&self, at: &Configuration, sides: &mut [Vec<Regime>; 2]) -> bool {
        for (side, within_step) in sides.iter_mut().zip([true, false]) {
            side.clear();
            for load in &self.loads {
                load.add_regimes(&Configuration { within_step, ..*at }, side);
            }
        }
        sides[0] != sides[1]
    }

    /// Whether a part follows a curve of time.
    pub(crate) fn follows_time(&self) -> bool {
        let guided = self.surfaces.colliders.iter().any(|c| !c.motion.guides.is_empty());
        guided
            || self.others.iter().any(|constraint| !constraint.time_curves().is_empty())
            || self.muscles.iter().any(|muscle| !muscle.fibres.is_empty())
            || self.loads.iter().any(|load| load.time_curve().is_some())
    }

    /// A part that follows a curve of time whose value or rate is not a number at t, if there is
    /// one.
    pub fn undefined_at(&self, t: f64) -> Option<String> {
        let undefined = |curve: &TimeCurve| !curve.is_defined(t, Vector::zeros());
        for collider in &self.surfaces.colliders {
            if collider.motion.guides.iter().any(|guide| undefined(&guide.curve)) {
                return Some(format!("the motion of `{}`", collider.name));
            }
        }
        if self.others.iter().any(|c| c.time_curves().into_iter().any(undefined)) {
            return Some("the motion of a pin".into());
        }
        for muscle in &self.muscles {
            let every = muscle.fibres.len().div_ceil(SOME).max(1);
            if muscle
                .fibres
                .iter()
                .step_by(every)
                .any(|fibre| !muscle.factor.is_defined(t, fibre.middle))
            {
                return Some("the factor of a muscle".into());
            }
        }
        let mut factors = self.loads.iter().filter_map(|load| load.time_curve());
        factors.find(|(_, curve)| undefined(curve)).map(|(name, _)| name.into())
    }

    /// The times at which loads switch \[s\], ascending, each once.
    pub fn switches(&self) -> Vec<f64> {
        let mut times = Vec::new();
        self.loads.iter().for_each(|load| load.add_switches(&mut times));
        let pins = self.constraints().flat_map(Constraint::time_curves);
        times.extend(pins.flat_map(TimeCurve::corners));
        let guides = self.surfaces.colliders.iter().flat_map(|collider| &collider.motion.guides);
        times.extend(guides.flat_map(|guide| guide.curve.corners()));
        times.retain(|time| time.is_finite() && *time > 0.0);
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }

    /// Jump of the powers of loads that switch at an accepted state: those after it less those before.
    pub fn switched(&self, state: &State, ledger: &Ledger) -> Ledger {
        let mut f = vec![Vector::zeros(); self.particles()];
        let [before, mut after] = [true, false].map(|within_step| {
            let mut powers = ledger.of_powers();
            let at = Configuration { within_step, ..state.configuration() };
            for load in &self.loads {
                load.commit(&at, &mut f, &mut powers, &mut Memory::default());
            }
            powers
        });
        after.subtract(&before);
        after
    }

    /// Accepts the state: writes the total force to `state.forces`, updates contact memory, and returns
    /// energies and powers. `spare` receives the next memory and is swapped with the state's; it already
    /// holds the memory of constraints and of contacts by jumps.
    pub fn commit(&self, state: &mut State, spare: &mut Memory) -> Account {
        let mut ledger = self.ledger(&Arc::from([]));
        ledger.census.count(&self.masses, &state.positions, &state.velocities);
        self.commit_with(state, spare, &mut ledger);
        ledger.total
    }

    /// As [`Self::commit`], with energies and powers in `ledger`, whose census has counted this
    /// state.
    pub(crate) fn commit_with(&self, state: &mut State, spare: &mut Memory, ledger: &mut Ledger) {
        state.forces.resize(self.particles(), Vector::zeros());
        self.clear(&mut state.forces);
        self.commit_cleared(state, spare, ledger);
    }

    /// As [`Self::commit_with`], for a state whose forces are zero.
    pub(crate) fn commit_cleared(
        &self,
        state: &mut State,
        spare: &mut Memory,
        ledger: &mut Ledger,
    ) {
        ledger.clear();
        let mut f = std::mem::take(&mut state.forces);
        let at = state.configuration();
        self.evaluate(&at, |force| force.commit(&at, &mut f, ledger, spare));
        for constraint in self.constraints() {
            constraint.enter(&at, &f, ledger, spare);
        }
        self.add_reactions(&at, &mut f);
        self.enter_pins(&state.velocities, &f, ledger);
        state.forces = f;
        std::mem::swap(&mut state.memory, spare);
        state.stretch.clear();
        if self.carries_stretch() {
            state.stretch.extend(state.memory.contacts.iter().map(|contact| contact.stretch));
        }
    }

    /// An empty ledger of this model, given the island of each particle.
    pub fn ledger(&self, island_of: &Arc<[u32]>) -> Ledger {
        let bodies: Vec<Range<usize>> = self.bodies.iter().map(|b| b.particles.clone()).collect();
        // the locked axis of a planar scene never moves
        let held = |m: &Vector| (0..3).any(|axis| m[axis] == 0.0 && self.locked_axis != Some(axis));
        let all = self.inverse_masses.iter().enumerate();
        let mut ledger = Ledger::of(island_of, &bodies, self.cuts.boundaries());
        ledger.held = all.filter(|(_, m)| held(m)).map(|(i, _)| i as u32).collect();
        ledger
    }

    /// Enters the power of held, moving axes: minus all other forces times the prescribed velocity
    /// \[W\].
    fn enter_pins(&self, velocities: &[Vector], f: &[Vector], ledger: &mut Ledger) {
        if ledger.held.is_empty() {
            return;
        }
        let held = Arc::clone(&ledger.held);
        for i in held.iter().map(|i| *i as usize) {
            // an axis at rest takes no power, even from an infinite force
            let moves = |axis: &usize| velocities[i][*axis] != 0.0;
            let axes = (0..3).filter(|axis| self.inverse_masses[i][*axis] == 0.0).filter(moves);
            let power: f64 = axes.map(|axis| f[i][axis] * velocities[i][axis]).sum();
            ledger.enter(i, |account| account.work -= power);
        }
    }

    /// Momentum Σ m v \[kg·m/s\].
    pub fn momentum(&self, velocities: &[Vector]) -> Vector {
        self.masses.iter().zip(velocities).fold(Vector::zeros(), |p, (m, v)| p + v * *m)
    }
}
