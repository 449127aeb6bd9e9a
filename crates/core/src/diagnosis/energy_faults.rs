//! Faults of the energy audit: energy that a method created or lost, and powers that cannot be audited.

use super::audit::Audit;
use super::thresholds::SETTLING;
use super::watch::{Fault, FaultKind, Observation, Start, Watch};
use crate::forces::account::Ledger;
use crate::math::number;
use crate::model::Model;
use serde::{Deserialize, Serialize};

/// Share of the energy throughput that a method may create.
const CREATED: f64 = 0.05;

/// Share of the energy throughput that a method may lose while something slides or oscillates.
const LOST: f64 = 0.05;

/// The same for what has come to rest other than by sliding: numerical damping changes the path to
/// rest, not its place.
const LOST_AT_REST: f64 = 0.25;

/// Share of the largest kinetic energy up to which all is at rest.
const REST: f64 = 1e-3;
/// Share of slip in the dissipation above which sliding brought the rest.
const SLID: f64 = 0.5;

/// Share of the energy throughput that may be in doubt where powers change faster than the steps.
const IN_DOUBT: f64 = 0.3;

/// The energy audit does not close.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct EnergyResidual {
    /// The worst residual \[J\], positive when energy was created.
    pub residual: f64,
    /// The body, or the first of those in contact with each other.
    pub body: usize,
    /// Energy throughput \[J\].
    pub throughput: f64,
    /// The tolerated share of the throughput.
    pub let_pass: f64,
}

/// Powers change too fast for the commit intervals: the audit's own error is too large.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EnergyUnaudited {
    /// Possible error of the integrals of the powers \[J\].
    pub doubt: f64,
    /// The body, or the first of those in contact with each other.
    pub body: usize,
    /// Energy throughput \[J\].
    pub throughput: f64,
}

impl EnergyResidual {
    /// |residual| over the throughput.
    pub(super) fn share(&self) -> f64 {
        self.residual.abs() / self.throughput
    }
}

impl EnergyUnaudited {
    /// Doubt over the throughput.
    pub(super) fn share(&self) -> f64 {
        self.doubt / self.throughput
    }
}

impl Audit {
    /// The residual, if it exceeds `floor` \[J\] by more than its tolerated share of the `throughput`.
    pub(super) fn fault(&self, throughput: f64, floor: f64, body: usize) -> Option<EnergyResidual> {
        let (created, lost) = self.extremes();
        // motion no faster than settling ends at rest
        let settles = throughput <= SETTLING * SETTLING * floor;
        let share = if settles { LOST_AT_REST } else { self.lost_share() };
        if created > CREATED * throughput + floor {
            Some(EnergyResidual { residual: created, body, throughput, let_pass: CREATED })
        } else if -lost > share * throughput + floor {
            Some(EnergyResidual { residual: lost, body, throughput, let_pass: share })
        } else {
            None
        }
    }

    /// The tolerated loss as a share of the throughput.
    fn lost_share(&self) -> f64 {
        let rests = self.energies.kinetic <= REST * self.largest_kinetic();
        let slid = self.flows.friction_slip.abs() > SLID * self.flows.dissipated().abs();
        if rests && !slid { LOST_AT_REST } else { LOST }
    }

    /// The doubt, if it exceeds its tolerated share.
    pub(super) fn unaudited(
        &self,
        throughput: f64,
        floor: f64,
        body: usize,
    ) -> Option<EnergyUnaudited> {
        let doubt = self.doubt();
        (doubt > IN_DOUBT * throughput + floor).then_some(EnergyUnaudited {
            doubt,
            body,
            throughput,
        })
    }
}

impl Watch for Audit {
    fn start(start: &Start) -> Self {
        Audit::start(start.kinetic, start.account)
    }

    fn observe(&mut self, step: &Observation) {
        self.advance(step.kinetic, step.account, step.jumped, step.part);
    }

    /// It has no lists and names nothing.
    fn fits(&self, _record: &Self, _model: &Model) -> bool {
        true
    }

    /// Powers are integrated part by part. Reasons come from the audits of the islands.
    fn observe_part(&mut self, part: &Observation) {
        self.observe(part);
    }

    fn interrupt(&mut self, by: &Ledger) {
        self.jump(&by.total);
    }
}

/// " of `box`", where there is more than one body.
fn of(model: &Model, body: usize) -> String {
    match &model.bodies[..] {
        [_, _, ..] => format!(" of `{}`", model.bodies[body].name),
        _ => String::new(),
    }
}

/// See [`EnergyResidual`].
pub(crate) static ENERGY_RESIDUAL: FaultKind = FaultKind::of_finest(
    "energy-residual",
    "Kinetic + stored + dissipated energy − work should stay what it was at t = 0. It did not, by more than the tolerance and by more than the quadrature of the powers over the commit intervals can explain: the method created energy or lost it (5 % of what went through is let pass; 25 % may be lost by what has come to rest other than by sliding). Every island is audited by itself, in its own frame: the particles that springs, rigid bodies and contact between bodies join.",
);

impl Fault for EnergyResidual {
    fn kind(&self) -> &'static FaultKind {
        &ENERGY_RESIDUAL
    }

    fn describe(&self, model: &Model) -> String {
        let EnergyResidual { residual, body, throughput, let_pass } = self;
        format!(
            "the energy audit{} does not close: the method {} {} J while {throughput} J went through it ({:.1} %, at most {:.1} %). Use a smaller step",
            of(model, *body),
            if *residual > 0.0 { "created" } else { "lost" },
            number(residual.abs()),
            100.0 * residual.abs() / throughput,
            100.0 * let_pass,
            throughput = number(*throughput)
        )
    }
}

/// See [`EnergyUnaudited`].
pub(crate) static ENERGY_UNAUDITED: FaultKind = FaultKind::forecast(
    "energy-unaudited",
    "The audit integrates powers between accepted states. Where they change within a step, at unresolved impacts above all, it can only bound its own error, and the bound has become more than 30 % of the energy that went through the scene: neither energies nor what follows from them can be trusted.",
);

impl Fault for EnergyUnaudited {
    fn kind(&self) -> &'static FaultKind {
        &ENERGY_UNAUDITED
    }

    fn describe(&self, model: &Model) -> String {
        let EnergyUnaudited { doubt, body, throughput } = self;
        format!(
            "the energy audit{} cannot tell: powers change so fast between steps that {doubt} J of the {throughput} J that went through it are in doubt ({:.0} %, at most {:.0} %). Use a smaller step",
            of(model, *body),
            100.0 * doubt / throughput,
            100.0 * IN_DOUBT,
            doubt = number(*doubt),
            throughput = number(*throughput)
        )
    }
}
