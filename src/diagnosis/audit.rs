//! The energy audit: kinetic + stored + dissipated − work = constant, channel by channel.

use crate::forces::Account;
use crate::math::{larger, smaller};

/// Energies at one instant \[J\].
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Energies {
    /// ½ Σ m v².
    pub kinetic: f64,
    /// Stored in springs.
    pub spring: f64,
    /// Stored in contacts.
    pub contact: f64,
    /// −Σ m g·x.
    pub gravity: f64,
}

impl Energies {
    /// Their sum \[J\].
    pub fn total(&self) -> f64 {
        self.kinetic + self.spring + self.contact + self.gravity
    }
}

/// Energies dissipated (positive when energy left) and put in since t = 0 \[J\].
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Flows {
    /// By spring damping.
    pub spring: f64,
    /// By normal damping of contacts.
    pub normal: f64,
    /// By friction in stick.
    pub friction_stick: f64,
    /// By friction in slip, and with stretch that contacts no longer bear.
    pub friction_slip: f64,
    /// By drag.
    pub drag: f64,
    /// Put in by pushes, pins and moving colliders.
    pub work: f64,
}

impl Flows {
    /// Everything dissipated \[J\].
    pub fn dissipated(&self) -> f64 {
        self.spring + self.normal + self.friction_stick + self.friction_slip + self.drag
    }

    fn powers(account: &Account) -> Flows {
        Flows {
            spring: account.dissipated_spring,
            normal: account.dissipated_normal,
            friction_stick: account.dissipated_friction_stick,
            friction_slip: account.dissipated_friction_slip,
            drag: account.dissipated_drag,
            work: account.work,
        }
    }

    /// Sum of the magnitudes of the second differences a − 2 b + c of all channels.
    fn curvature(a: &Flows, b: &Flows, c: &Flows) -> f64 {
        let of = |pick: fn(&Flows) -> f64| (pick(a) - 2.0 * pick(b) + pick(c)).abs();
        of(|f| f.spring)
            + of(|f| f.normal)
            + of(|f| f.friction_stick)
            + of(|f| f.friction_slip)
            + of(|f| f.drag)
            + of(|f| f.work)
    }

    /// self += (a + b) h/2: the trapezoidal rule over one step.
    fn add_step(&mut self, a: &Flows, b: &Flows, h: f64) {
        let half = 0.5 * h;
        self.spring += (a.spring + b.spring) * half;
        self.normal += (a.normal + b.normal) * half;
        self.friction_stick += (a.friction_stick + b.friction_stick) * half;
        self.friction_slip += (a.friction_slip + b.friction_slip) * half;
        self.drag += (a.drag + b.drag) * half;
        self.work += (a.work + b.work) * half;
    }
}

/// The audit of a run. Powers are integrated by the trapezoidal rule over the commit intervals,
/// so the residual holds what the integrator created or lost, and a quadrature error. The error is
/// bounded by h/2 times the second differences of the powers, and no more is claimed: powers that
/// change faster than the commit interval cannot be audited.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Audit {
    /// Energies now.
    pub energies: Energies,
    /// Flows since t = 0.
    pub flows: Flows,
    powers: Flows,
    earlier: Flows,
    uncertainty: f64,
    initial: f64,
    largest_kinetic: f64,
    most_created: f64,
    most_lost: f64,
}

impl Audit {
    /// Starts at the account of t = 0.
    pub fn start(kinetic: f64, account: &Account) -> Self {
        let energies = energies(kinetic, account);
        let powers = Flows::powers(account);
        Audit {
            energies,
            powers,
            earlier: powers,
            initial: energies.total(),
            largest_kinetic: kinetic,
            ..Audit::default()
        }
    }

    /// Takes in the account of the next accepted state, `h` later.
    pub fn advance(&mut self, kinetic: f64, account: &Account, h: f64) {
        let powers = Flows::powers(account);
        self.flows.add_step(&self.powers, &powers, h);
        self.flows.friction_slip += account.released;
        self.uncertainty += 0.5 * h * Flows::curvature(&self.earlier, &self.powers, &powers);
        (self.earlier, self.powers) = (self.powers, powers);
        self.energies = energies(kinetic, account);
        self.largest_kinetic = larger(self.largest_kinetic, kinetic);
        // only what the quadrature cannot explain
        self.most_created = larger(self.most_created, self.residual() - self.uncertainty);
        self.most_lost = smaller(self.most_lost, self.residual() + self.uncertainty);
    }

    /// kinetic + stored + dissipated − work − (the same at t = 0) \[J\]; positive when the method
    /// created energy.
    pub fn residual(&self) -> f64 {
        self.energies.total() + self.flows.dissipated() - self.flows.work - self.initial
    }

    /// The energy that went through the scene so far \[J\]: what a residual is compared with.
    pub fn turnover(&self) -> f64 {
        self.largest_kinetic + self.flows.dissipated().abs() + self.flows.work.abs()
    }

    /// The largest and the smallest residual so far, beyond the quadrature error \[J\]: what was
    /// created, and minus what was lost.
    pub fn extremes(&self) -> (f64, f64) {
        (self.most_created, self.most_lost)
    }

    /// The largest |residual| so far beyond the quadrature error \[J\].
    pub fn largest_residual(&self) -> f64 {
        larger(self.most_created, -self.most_lost)
    }
}

fn energies(kinetic: f64, account: &Account) -> Energies {
    Energies { kinetic, spring: account.spring, contact: account.contact, gravity: account.gravity }
}
