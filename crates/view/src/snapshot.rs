//! A run at one instant, as needed by pictures and cards: it can be drawn while the run continues
//! elsewhere.

use std::sync::Arc;
use stiction_core::diagnosis::audit::Energies;
use stiction_core::diagnosis::particle_creep::PARTS;
use stiction_core::diagnosis::trust::Verdict;
use stiction_core::forces::account::Flows;
use stiction_core::model::Model;
use stiction_core::simulation::Simulation;
use stiction_core::state::State;
use stiction_core::state::memory::{Contact, ContactKey};

/// State of friction at a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stance {
    /// It sticks.
    Sticks,
    /// It slips.
    Slips,
    /// It chatters: the step is too large for its friction rate.
    Chatters,
}

/// A run at an accepted state.
#[derive(Clone)]
pub struct Snapshot {
    /// The model.
    pub model: Arc<Model>,
    /// Its state at that instant.
    pub state: State,
    /// The step h \[s\].
    pub step_size: f64,
    /// The method's limit of h λ, if it has one.
    pub decay_limit: Option<f64>,
    /// The contacts above the friction limit of the step, ascending.
    pub above_limit: Vec<ContactKey>,
    /// The largest h λ of the contacts.
    pub hlambda: f64,
    /// Energies \[J\].
    pub energies: Energies,
    /// Dissipated energy and work since the audit began \[J\].
    pub flows: Flows,
    /// Energy that the method created or lost \[J\].
    pub residual: f64,
    /// The verdict until then.
    pub verdict: Verdict,
    /// Creep of each particle over the last frame: law, integrator, lag \[m/s\]; NaN if undefined,
    /// empty before the first frame.
    pub creep: Vec<[f64; PARTS]>,
    /// Work that friction has dissipated at each particle \[J\].
    pub dissipated: Vec<f64>,
}

impl Snapshot {
    /// The present state of a run.
    pub fn of(simulation: &Simulation) -> Snapshot {
        Snapshot {
            model: simulation.model.clone(),
            state: simulation.state.clone(),
            step_size: simulation.time_step(),
            // contact by impulses has no friction rate that limits the step
            decay_limit: simulation
                .integrator()
                .capabilities()
                .decay_limit
                .filter(|_| simulation.model.laws.is_some()),
            above_limit: simulation.watches.friction_limit.above().to_vec(),
            hlambda: simulation.watches.friction_limit.latest(),
            energies: simulation.watches.audit.energies,
            flows: simulation.watches.audit.flows,
            residual: simulation.watches.audit.residual(),
            verdict: simulation.verdict(),
            creep: simulation.watches.stick.creep.iter().collect(),
            dissipated: simulation.watches.friction_work.dissipated.clone(),
        }
    }

    /// The state of friction of one of its contacts: it chatters if the verdict counts it as above
    /// the friction limit of the step.
    pub fn stance(&self, contact: &Contact) -> Stance {
        if self.above_limit.binary_search(&contact.key).is_ok() {
            return Stance::Chatters;
        }
        if contact.sticking { Stance::Sticks } else { Stance::Slips }
    }
}
