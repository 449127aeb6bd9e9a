//! The energy audit of each island: particles joined by springs, rigid bodies and contact between
//! bodies. No energy passes between islands, so each audit must close, and a large island cannot hide a
//! small one. Each island is audited in its own frame, so that common motion is no throughput.

use super::audit::Audit;
use super::energy_faults::{EnergyResidual, EnergyUnaudited};
use super::thresholds::SOLVED;
use super::watch::{Observation, Reason, RunSoFar, Start, Watch};
use crate::forces::account::{Account, Flows, Ledger};
use crate::forces::census::{Census, Moments};
use crate::math::{Vector, larger, smaller};
use crate::model::Model;
use crate::state::memory::Contact;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Rounding of an island's energies, as a share of each.
const ROUNDING: f64 = 1e-12;

/// Rounding of a position in a step, as a share of the position.
const POSITION: f64 = 1e-14;

/// The island of each particle by springs, elements and rigid bodies; islands are numbered in the order of their
/// first particles.
pub fn connected(model: &Model) -> Arc<[u32]> {
    let mut parents: Vec<u32> = (0..model.particles() as u32).collect();
    model.for_each_join(|i, j| join(&mut parents, i as u32, j as u32));
    for body in &model.rigid {
        for i in body.particles.clone() {
            join(&mut parents, body.particles.start as u32, i as u32);
        }
    }
    let mut numbers = vec![u32::MAX; parents.len()];
    let mut islands = 0;
    let number = |i: u32| {
        // the root of a set is its least member, and so comes first
        let root = root(&parents, i);
        if root == i {
            numbers[i as usize] = islands;
            islands += 1;
        }
        numbers[root as usize]
    };
    (0..parents.len() as u32).map(number).collect()
}

/// The least member of a set.
fn root(parents: &[u32], mut i: u32) -> u32 {
    while parents[i as usize] != i {
        i = parents[i as usize];
    }
    i
}

/// Joins the sets of two members, and shortens the paths to the root.
fn join(parents: &mut [u32], a: u32, b: u32) {
    let (a, b) = (shortened(parents, a), shortened(parents, b));
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    parents[high as usize] = low;
}

fn shortened(parents: &mut [u32], mut i: u32) -> u32 {
    while parents[i as usize] != i {
        parents[i as usize] = parents[parents[i as usize] as usize];
        i = parents[i as usize];
    }
    i
}

/// A frame in uniform motion, and the largest kinetic energy in it \[J\].
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct RestFrame {
    velocity: Vector,
    largest_kinetic: f64,
}

/// One island.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Island {
    audit: Audit,
    /// its first particle
    first: u32,
    mass: f64,
    sums: Moments,
    /// Σ m v at the start of its audit
    momentum: Vector,
    /// frame of its centre of mass at the start, and frame of its support: a touched surface or a held
    /// particle
    own: RestFrame,
    of_support: Option<RestFrame>,
    touches: bool,
    /// fault of a part, found before it joined this island
    found: Option<EnergyResidual>,
}

impl Island {
    /// ½ Σ m |v − u|² in a frame of velocity u \[J\].
    fn kinetic_in(&self, sums: &Moments, frame: &RestFrame) -> f64 {
        let u = frame.velocity;
        let Moments { twice_kinetic, momentum, .. } = sums;
        larger(0.5 * twice_kinetic - momentum.dot(&u) + 0.5 * self.mass * u.norm_squared(), 0.0)
    }

    fn see(&mut self, sums: &Moments) {
        let kinetic = self.kinetic_in(sums, &self.own);
        self.own.largest_kinetic = larger(self.own.largest_kinetic, kinetic);
        if let Some(frame) = self.of_support {
            let largest_kinetic = larger(frame.largest_kinetic, self.kinetic_in(sums, &frame));
            self.of_support = Some(RestFrame { largest_kinetic, ..frame });
        }
    }

    /// Energy throughput in a frame of velocity u \[J\]: the work there is smaller by u·J, with the
    /// impulse J = Δp − M g t of all forces but gravity.
    fn throughput_in(&self, frame: &RestFrame, fallen: Vector) -> f64 {
        let flows = &self.audit.flows;
        let impulse = self.sums.momentum - self.momentum - fallen * self.mass;
        let work = flows.work - frame.velocity.dot(&impulse);
        frame.largest_kinetic + flows.dissipated().abs() + work.abs()
    }

    /// The smaller of the throughputs in its own frame and in its support's, or the world's without a
    /// support \[J\]; `fallen` is g t \[m/s\].
    fn throughput(&self, fallen: Vector) -> f64 {
        let largest_kinetic = self.audit.largest_kinetic();
        let world = RestFrame { velocity: Vector::zeros(), largest_kinetic };
        let support = self.of_support.unwrap_or(world);
        smaller(self.throughput_in(&support, fallen), self.throughput_in(&self.own, fallen))
    }

    /// Energy that neither a step of `h` \[s\] nor rounding resolves \[J\]; `fall` is g h \[m/s\],
    /// `solves` whether velocities come from a solver with a residual.
    fn floor(&self, fall: f64, h: f64, solves: bool) -> f64 {
        let e = &self.audit.energies;
        let rounding = ROUNDING * (e.kinetic + e.spring.abs() + e.contact.abs() + e.gravity.abs());
        let moved = POSITION / h;
        let solved = if solves { SOLVED * SOLVED } else { 0.0 };
        let unresolved = if self.touches { fall * fall } else { 0.0 };
        rounding + 0.5 * (self.sums.second * moved * moved + self.mass * (solved + unresolved))
    }

    /// Adds another island.
    fn absorb(&mut self, other: &Island) {
        self.audit.absorb(&other.audit);
        self.first = self.first.min(other.first);
        self.momentum += other.momentum;
        self.sums.add(&other.sums);
        self.mass += other.mass;
        let relative = self.own.velocity - other.own.velocity;
        let reduced =
            if self.mass > 0.0 { (self.mass - other.mass) * other.mass / self.mass } else { 0.0 };
        self.own = RestFrame {
            velocity: self.momentum / self.mass,
            largest_kinetic: self.own.largest_kinetic
                + other.own.largest_kinetic
                + 0.5 * reduced * relative.norm_squared(),
        };
        self.of_support = match (self.of_support, other.of_support) {
            (Some(a), Some(b)) if a.velocity == b.velocity => {
                Some(RestFrame { largest_kinetic: a.largest_kinetic + b.largest_kinetic, ..a })
            }
            (None, None) => None,
            (a, b) => a.or(b).map(|frame| RestFrame {
                largest_kinetic: self.kinetic_in(&self.sums, &frame),
                ..frame
            }),
        };
        self.touches |= other.touches;
        self.found = self.found.or(other.found);
    }
}

/// Audit of a body, or of bodies in contact with each other.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyAudit {
    /// The body's number; of several, the first.
    pub body: usize,
    /// Kinetic energy now \[J\].
    pub kinetic: f64,
    /// Flows since t = 0 \[J\].
    pub flows: Flows,
    /// kinetic + stored + dissipated − work − (the same at t = 0) \[J\].
    pub residual: f64,
    /// Energy throughput, in the frame in which it is smaller \[J\].
    pub throughput: f64,
    /// Possible error of the integrals of the powers \[J\].
    pub doubt: f64,
}

/// Watches every island.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Islands {
    island_of: Arc<[u32]>,
    /// the root of each island's set: its least member, which holds the audit
    parents: Vec<u32>,
    islands: Vec<Island>,
    accounts: Vec<(Account, Flows)>,
    unsupported: usize,
    time: f64,
    solves: bool,
}

impl Islands {
    fn of(&self, particle: usize) -> usize {
        self.island_of.get(particle).map_or(0, |island| *island as usize)
    }

    fn holder(&self, particle: usize) -> usize {
        self.parents[self.of(particle)] as usize
    }

    /// Sums the moments of each island over its groups.
    fn sum(&mut self, census: &Census) {
        self.islands.iter_mut().for_each(|island| island.sums = Moments::default());
        for (group, moments) in census.iter() {
            self.islands[self.parents[group.island] as usize].sums.add(moments);
        }
    }

    /// Joins islands in contact.
    fn join_touching(&mut self, contacts: &[Contact], model: &Model, dt: f64) {
        if self.islands.len() < 2 {
            return;
        }
        for contact in contacts {
            let first = self.parents[self.of(contact.particle())];
            for (i, _) in contact.ends.iter().skip(1) {
                let other = self.parents[self.of(i)];
                if other != first {
                    self.join(first.min(other), first.max(other), model, dt);
                }
            }
        }
    }

    /// Joins two sets. All members are updated at once: this happens once per island.
    fn join(&mut self, low: u32, high: u32, model: &Model, dt: f64) {
        let mut other = std::mem::take(&mut self.islands[high as usize]);
        let mut low_island = self.islands[low as usize];
        (other.touches, low_island.touches) = (true, true);
        let found = self.residual_of(&low_island, model, dt);
        let found = found.or_else(|| self.residual_of(&other, model, dt));
        let joined = &mut self.islands[low as usize];
        joined.absorb(&other);
        joined.found = joined.found.or(found);
        self.parents.iter_mut().filter(|root| **root == high).for_each(|root| *root = low);
    }

    /// Notes which islands touch; if `touching`, the surface of the first contact of an island without
    /// a support becomes its support.
    fn find_supports(&mut self, contacts: &[Contact], touching: bool) {
        self.islands.iter_mut().for_each(|island| island.touches = false);
        for contact in contacts {
            let root = self.holder(contact.particle());
            let island = &mut self.islands[root];
            island.touches = true;
            if touching && island.of_support.is_none() {
                self.unsupported -= 1;
                let mut frame =
                    RestFrame { velocity: contact.surface_velocity, largest_kinetic: 0.0 };
                frame.largest_kinetic = island.kinetic_in(&island.sums, &frame);
                island.of_support = Some(frame);
            }
        }
    }

    /// Energy created or lost by an island beyond its tolerance.
    fn residual_of(&self, island: &Island, model: &Model, dt: f64) -> Option<EnergyResidual> {
        let body = body_of(model, island.first as usize);
        let throughput = island.throughput(model.gravity * self.time);
        let floor = island.floor(model.gravity.norm() * dt, dt, self.solves);
        island.found.or_else(|| island.audit.fault(throughput, floor, body))
    }

    /// The islands with their audits; that of the only one is `of_all`.
    fn audited(&self, of_all: &Audit) -> impl Iterator<Item = Island> {
        let single = self.islands.len() == 1;
        let audit = move |island: &Island| if single { *of_all } else { island.audit };
        let there = self.islands.iter().filter(|island| island.mass > 0.0);
        there.map(move |island| Island { audit: audit(island), ..*island })
    }

    /// The audit of each body, given that of all; bodies in contact are entered together, under the
    /// first.
    pub fn bodies(&self, model: &Model, of_all: &Audit) -> Vec<BodyAudit> {
        let mut bodies: Vec<BodyAudit> = Vec::new();
        for island in self.audited(of_all) {
            let body = body_of(model, island.first as usize);
            if bodies.last().is_none_or(|last| last.body != body) {
                bodies.push(BodyAudit {
                    body,
                    kinetic: 0.0,
                    flows: Flows::default(),
                    residual: 0.0,
                    throughput: 0.0,
                    doubt: 0.0,
                });
            }
            if let Some(entry) = bodies.last_mut() {
                entry.kinetic += island.audit.energies.kinetic;
                entry.flows.add(island.audit.flows.channels());
                entry.residual += island.audit.residual();
                entry.throughput += island.throughput(model.gravity * self.time);
                entry.doubt += island.audit.doubt();
            }
        }
        bodies
    }
}

/// The body of a particle.
fn body_of(model: &Model, particle: usize) -> usize {
    let after = model.bodies.partition_point(|body| body.particles.start <= particle);
    after.saturating_sub(1)
}

impl Watch for Islands {
    fn start(start: &Start) -> Self {
        let Start { model, state, .. } = *start;
        let mut firsts: Vec<u32> = Vec::new();
        let island_of = if start.shares.is_empty() { Arc::from([]) } else { connected(model) };
        for (i, island) in island_of.iter().enumerate() {
            if *island as usize == firsts.len() {
                firsts.push(i as u32);
            }
        }
        let count = firsts.len().max(1);
        firsts.resize(count, 0);
        let mut watch = Islands {
            island_of,
            parents: (0..count as u32).collect(),
            islands: firsts
                .iter()
                .map(|first| Island { first: *first, ..Island::default() })
                .collect(),
            accounts: vec![Default::default(); count],
            unsupported: count,
            time: 0.0,
            solves: start.method.implicit
                || model.laws.is_none()
                || model.constraints().next().is_some(),
        };
        for i in 0..model.particles() {
            let number = watch.of(i);
            watch.islands[number].mass += model.masses[i];
        }
        watch.sum(start.census);
        for (number, island) in watch.islands.iter_mut().enumerate() {
            let account = start.shares.get(number).unwrap_or(start.account);
            island.audit = Audit::start(0.5 * island.sums.twice_kinetic, account);
            island.momentum = island.sums.momentum;
            island.own.velocity = island.momentum / larger(island.mass, f64::MIN_POSITIVE);
            island.see(&island.sums.clone());
        }
        for (i, inverse_mass) in model.inverse_masses.iter().enumerate() {
            let number = watch.of(i);
            let island = &mut watch.islands[number];
            if inverse_mass.norm_squared() == 0.0 && island.of_support.is_none() {
                let mut frame = RestFrame { velocity: state.velocities[i], largest_kinetic: 0.0 };
                frame.largest_kinetic = island.kinetic_in(&island.sums, &frame);
                island.of_support = Some(frame);
                watch.unsupported -= 1;
            }
        }
        watch.join_touching(state.memory.of_bodies().1, model, start.dt);
        watch.find_supports(&state.memory.contacts, true);
        watch
    }

    fn fits(&self, record: &Self, model: &Model) -> bool {
        let count = self.islands.len();
        let without_support = |(number, island): (usize, &Island)| {
            record.parents.get(number) == Some(&(number as u32)) && island.of_support.is_none()
        };
        // every island is that of its root, which is the first of those it touched
        let is_rooted = |(number, root): (usize, &u32)| {
            let root = *root as usize;
            root <= number && record.parents[root] as usize == root
        };
        let known = |island: &Island| island.found.is_none_or(|it| it.body < model.bodies.len());
        record.island_of == self.island_of
            && [record.parents.len(), record.islands.len(), record.accounts.len()] == [count; 3]
            && record.parents.iter().enumerate().all(is_rooted)
            && record.islands.iter().all(known)
            && record.unsupported <= count
            && record.islands.iter().enumerate().filter(|it| without_support(*it)).count()
                <= record.unsupported
    }

    fn observe(&mut self, step: &Observation) {
        let (model, state) = (step.model, step.state);
        self.join_touching(state.memory.of_bodies().1, model, step.taken.h);
        self.time += step.part;
        // the audit of all is that of the only island
        if let ([only], Some(moments)) = (&mut self.islands[..], step.census.only()) {
            only.see(moments);
            only.sums = *moments;
            return self.find_supports(&state.memory.contacts, self.unsupported > 0);
        }
        self.sum(step.census);
        self.find_supports(&state.memory.contacts, self.unsupported > 0);
        self.accounts.fill(Default::default());
        for (number, share) in step.shares.iter().enumerate() {
            let (account, jumped) = &mut self.accounts[self.parents[number] as usize];
            account.add(share);
            if let Some(flows) = step.jumped_shares.get(number) {
                jumped.add(flows.channels());
            }
        }
        for (island, (account, jumped)) in self.islands.iter_mut().zip(&self.accounts) {
            if island.mass > 0.0 {
                island.audit.advance(0.5 * island.sums.twice_kinetic, account, jumped, step.part);
                island.see(&island.sums.clone());
            }
        }
    }

    /// A part of a step is audited as a step.
    fn observe_part(&mut self, part: &Observation) {
        self.observe(part);
    }

    fn interrupt(&mut self, by: &Ledger) {
        for (number, share) in by.shares.iter().enumerate() {
            let root = self.parents[number] as usize;
            self.islands[root].audit.jump(share);
        }
    }

    /// The worst fault of each kind.
    fn add_reasons(&self, run: &RunSoFar, reasons: &mut Vec<Reason>) {
        let (model, dt) = (run.model, run.dt);
        let mut residual: Option<EnergyResidual> = None;
        let mut unaudited: Option<EnergyUnaudited> = None;
        for island in self.audited(run.audit) {
            if let Some(found) = self.residual_of(&island, model, dt) {
                if residual.is_none_or(|worst| found.share() > worst.share()) {
                    residual = Some(found);
                }
                continue;
            }
            let throughput = island.throughput(model.gravity * self.time);
            let floor = island.floor(model.gravity.norm() * dt, dt, self.solves);
            let body = body_of(model, island.first as usize);
            if let Some(found) = island.audit.unaudited(throughput, floor, body)
                && unaudited.is_none_or(|worst| found.share() > worst.share())
            {
                unaudited = Some(found);
            }
        }
        match residual {
            Some(residual) => reasons.push(residual.into()),
            None => reasons.extend(unaudited.map(Reason::from)),
        }
    }
}

#[cfg(test)]
mod tests;
