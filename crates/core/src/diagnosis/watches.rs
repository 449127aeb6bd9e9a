//! All watches of a run as one value.

use super::audit::Audit;
use super::curve::Curves;
use super::friction_limit::FrictionLimit;
use super::friction_work::FrictionWork;
use super::impact::Impacts;
use super::islands::Islands;
use super::law_range::Ranges;
use super::lost_stick::LostStick;
use super::motion::Motions;
use super::offset::Offset;
use super::passivity::Passivity;
use super::penetration::Penetration;
use super::stick::Stick;
use super::tolerance::Tolerance;
use super::trust::Verdict;
use super::tunnelling::Tunnelling;
use super::watch::{Observation, RunSoFar, Start, Watch};
use crate::forces::account::Ledger;
use crate::model::Model;
use crate::state::State;
use serde::{Deserialize, Serialize};

macro_rules! watches {
    ($($(#[$doc:meta])* $name:ident: $watch:ty,)*) => {
        /// All watches of a run; each gives its own reasons.
        #[derive(Clone, Serialize, Deserialize)]
        pub struct Watches {
            $($(#[$doc])* pub $name: $watch,)*
        }

        impl Watches {
            /// Begins at a committed state.
            pub fn start(start: &Start) -> Self {
                Watches { $($name: <$watch as Watch>::start(start),)* }
            }

            /// Whether a record read from a file can be of the same run: see [`Watch::fits`].
            pub(crate) fn fits(&self, record: &Watches, model: &Model) -> bool {
                true $(&& self.$name.fits(&record.$name, model))*
            }

            /// Resumes with an earlier record under the same model.
            pub fn resume(&mut self, before: &Watches) {
                $(self.$name.resume(&before.$name);)*
            }

            /// Observes the next accepted step.
            pub fn observe(&mut self, step: &Observation) {
                $(
                    if !(step.is_untouched() && <$watch as Watch>::SEES_CONTACTS_ALONE) {
                        self.$name.observe(step);
                    }
                )*
            }

            /// Observes a part of a step that ends where a load switches; only powers are integrated by
            /// parts.
            pub(crate) fn observe_part(&mut self, part: &Observation) {
                $(self.$name.observe_part(part);)*
            }

            /// The powers of loads jump by `by` at the accepted state, in total and per island: earlier
            /// powers must not be used in later quadrature.
            pub(crate) fn interrupt(&mut self, by: &Ledger) {
                $(self.$name.interrupt(by);)*
            }

            /// The verdict on a run so far, in steps of `dt` \[s\].
            pub fn verdict(&self, model: &Model, state: &State, dt: f64) -> Verdict {
                let run = RunSoFar { model, state, dt, audit: &self.audit };
                let mut reasons = Vec::new();
                $(self.$name.add_reasons(&run, &mut reasons);)*
                Verdict { reasons, ..Verdict::default() }
            }
        }
    };
}

// a verdict gives its reasons in this order
watches! {
    /// Friction rates against the method's limit.
    friction_limit: FrictionLimit,
    /// Sticking contacts.
    stick: Stick,
    /// Contacts that lose their stick.
    lost_stick: LostStick,
    /// The sign of friction's power.
    passivity: Passivity,
    /// Depths.
    penetration: Penetration,
    /// Passages between accepted states.
    tunnelling: Tunnelling,
    /// Ranges of laws.
    ranges: Ranges,
    /// Prescribed motions.
    motions: Motions,
    /// Particles on curves.
    curves: Curves,
    /// Impacts and other events inside steps.
    impacts: Impacts,
    /// Residuals of the contact solver.
    tolerance: Tolerance,
    /// Positions against velocities.
    offset: Offset,
    /// The energy audit in total.
    audit: Audit,
    /// The energy audit per island.
    islands: Islands,
    /// Work of friction at each particle.
    friction_work: FrictionWork,
}
