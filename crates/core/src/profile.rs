//! Where the time of a run goes: the sections that a clock may tell apart.
//!
//! The physics has no clock. It tells which section it is in, a few times per evaluation and never
//! per particle; the program that runs it may listen ([`Clock`]). Where none does, that costs one
//! look at an empty option. A clock may time some steps only: in the others a section costs one look at
//! it. No result depends on it.

use std::sync::Arc;

/// Activity of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// Everything else.
    Rest,
    /// Forces of springs.
    Springs,
    /// Forces of elastic elements.
    Elements,
    /// Finding contacts and applying their laws.
    Contact,
    /// Finding contacts and applying their laws, just after a search by itself.
    ComparedContact,
    /// The search for contacts by itself, done for the clock alone.
    SearchAlone,
    /// One more search before that, so that both timed ones find their data in the caches.
    SearchBefore,
    /// Gravity, pushes, drag, the hand, muscles, and reactions of constraints.
    Loads,
    /// Work of an integrator beside forces: stages, moving and counting particles.
    Method,
    /// Assembling and solving equations: of implicit methods, of constraints, of contact by impulses.
    Solver,
    /// Watches and books of accepted states.
    Watches,
    /// Measures of frames, and files.
    Output,
}

impl Section {
    /// Number of sections.
    pub const COUNT: usize = Section::Output as usize + 1;
}

/// Is told which section begins.
pub trait Clock: Send + Sync {
    /// All that happens from now on belongs to `section`; returns the section before.
    fn enter(&self, section: Section) -> Section;

    /// Whether the search for contacts shall be done by itself before the evaluation that comes now:
    /// asked once per evaluation, if it is timed.
    fn compares_search(&self) -> bool;

    /// Whether sections are told at present; [`Section::Output`] is told always.
    fn is_timing(&self) -> bool {
        true
    }

    /// A step of the simulation begins, and the one before it is over.
    fn step(&self) {}

    /// So many springs and contacts were evaluated.
    fn count(&self, springs: usize, contacts: usize);
}

/// The clock of a model, if it has one.
#[derive(Clone, Default)]
pub struct Profile(Option<Arc<dyn Clock>>);

impl Profile {
    /// A profile that tells `clock`.
    pub fn with_clock(clock: Arc<dyn Clock>) -> Self {
        Profile(Some(clock))
    }

    /// Enters a section until the returned guard is dropped; then the section before goes on.
    #[inline]
    #[must_use = "the section ends where this is dropped"]
    pub fn section(&self, section: Section) -> Within {
        let told = |clock: &&Arc<dyn Clock>| section == Section::Output || clock.is_timing();
        let clock = self.0.as_ref().filter(told);
        Within(clock.map(|clock| (Arc::clone(clock), clock.enter(section))))
    }

    /// Tells that a step begins.
    #[inline]
    pub fn step(&self) {
        if let Some(clock) = &self.0 {
            clock.step();
        }
    }

    /// Enters the section of contact; if the clock asks for it, `search` is done by itself before.
    pub fn contact(&self, search: impl Fn()) -> Within {
        let compares = |clock: &Arc<dyn Clock>| clock.is_timing() && clock.compares_search();
        let compared = self.0.as_ref().is_some_and(compares);
        if !compared {
            return self.section(Section::Contact);
        }
        for section in [Section::SearchBefore, Section::SearchAlone] {
            let _alone = self.section(section);
            search();
        }
        self.section(Section::ComparedContact)
    }

    /// Counts springs and contacts that were evaluated.
    #[inline]
    pub fn count(&self, springs: usize, contacts: usize) {
        if let Some(clock) = &self.0 {
            clock.count(springs, contacts);
        }
    }
}

/// Guard of a section, which ends when the guard is dropped.
pub struct Within(Option<(Arc<dyn Clock>, Section)>);

impl Drop for Within {
    fn drop(&mut self) {
        if let Some((clock, before)) = &self.0 {
            clock.enter(*before);
        }
    }
}
