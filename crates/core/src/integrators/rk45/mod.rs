//! Dormand–Prince 5(4) computed in place: adaptive or at a fixed step, with event location.

mod control;
mod events;
mod journey;

use super::dormand_prince::{ATOL, RTOL};
use super::runge_kutta::{Stages, Tableau};
use super::{Capabilities, Integrator, StepReport};
use crate::math::Vector;
use crate::model::Model;
use crate::registry::{Entry, Fallback, Key, Kind, Page};
use crate::state::State;
use crate::step_error::StepError;
use events::EventWatch;
use journey::Journey;

/// The pair's stages; the last, at the end of the step, is the first of the next step.
pub(crate) const TABLEAU: Tableau<7> = Tableau {
    nodes: [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0],
    rows: [
        [0.0; 7],
        [0.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0, 0.0],
        [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0, 0.0, 0.0, 0.0],
        [
            9017.0 / 3168.0,
            -355.0 / 33.0,
            46732.0 / 5247.0,
            49.0 / 176.0,
            -5103.0 / 18656.0,
            0.0,
            0.0,
        ],
        END,
    ],
    weights: END,
    divisor: 1.0,
    order: 5,
};

const END: [f64; 7] =
    [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0, 0.0];

/// Weights of order 5 less those of order 4.
const ESTIMATE: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339_200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];

/// The pair of order 5(4) of Dormand and Prince, in place and without allocation after the first step.
///
/// If adaptive, Hairer's PI control keeps the estimated error of substeps, scaled by atol + rtol |y|,
/// below one. Otherwise each commit interval is one step. Where a contact opens, closes, sticks or slips
/// within a substep, or a load switches, one substep ends just before that instant and the next just
/// behind it: no other substep has a kink or a jump inside, and the order is kept. Sources:
/// \[dormand1980\], \[hairer1993\], \[gustafsson1991\], \[shampine2000\].
#[derive(Debug)]
pub(crate) struct Rk45 {
    settings: Rk45Settings,
    stages: Stages<7>,
    /// positions and stretch at the start of the substep
    x: Vec<Vector>,
    z: Vec<Vector>,
    watch: EventWatch,
}

#[derive(Debug, Clone, Copy)]
struct Rk45Settings {
    rtol: f64,
    atol: f64,
    rms: bool,
    adaptive: bool,
    events: bool,
}

/// Its row.
pub const ENTRY: Entry<dyn Integrator> = Entry {
    name: "rk45",
    about: "Dormand–Prince 5(4) in place, for large scenes: locates where contacts stick, slip, open and close",
    keys: &[
        RTOL,
        ATOL,
        Key {
            name: "norm",
            kind: Kind::Word(&["max", "rms"]),
            default: Fallback::Text("max"),
            about: "how errors of all particles make one: the largest, or the root of the mean square, which thins out a single bad contact among many particles",
        },
        Key {
            name: "adaptive",
            kind: Kind::Flag,
            default: Fallback::Flag(true),
            about: "choose substeps by the tolerances; false: one step per commit interval, whatever its error",
        },
        Key {
            name: "events",
            kind: Kind::Flag,
            default: Fallback::Flag(true),
            about: "locate where contacts open, close, stick or slip, up to 50 times in a commit interval, and step to there",
        },
    ],
    page: Page {
        formula: "Seven stages of order 5 with an error estimate of order 4. A substep ends just before a contact opens, closes, sticks or slips, another just behind it",
        creep: "",
        stiffness: "Adaptive: it makes its steps as small as stability asks, about λ T/3.3 of them while something sticks. With adaptive = false, decay: h λ < 3.3066; oscillation: h ω < 0.9972.",
        when: "In place of dopri5: large scenes, and friction laws with a kink or a jump. With adaptive = false, order 5 at a fixed step, kept through stick and slip.",
        source: "John Dormand and Peter Prince 1980 [dormand1980]; Kjell Gustafsson 1991 [gustafsson1991]; Lawrence Shampine and Skip Thompson 2000 [shampine2000]",
    },
    make: |values| {
        let settings = Rk45Settings {
            rtol: values.number("rtol"),
            atol: values.number("atol"),
            rms: values.text("norm") == "rms",
            adaptive: values.flag("adaptive"),
            events: values.flag("events"),
        };
        let (stages, x, z, watch) = Default::default();
        Ok(Box::new(Rk45 { settings, stages, x, z, watch }))
    },
};

impl Integrator for Rk45 {
    fn step(&mut self, model: &Model, state: &mut State, h: f64) -> Result<StepReport, StepError> {
        let mut journey = Journey::begin(self, model, state, h)?;
        while !journey.ended() {
            if model.halt.is_asked() {
                return Err(StepError::Stopped);
            }
            journey.substep(self)?;
        }
        let (substep, report) = journey.finish();
        state.positions.clone_from(&self.x);
        state.velocities.clone_from(&self.stages.v[0]);
        state.stretch.clone_from(&self.z);
        state.past.keep_substep(substep, state.step_count + 1, h);
        Ok(report)
    }

    fn capabilities(&self) -> Capabilities {
        if self.settings.adaptive {
            Capabilities::adaptive(TABLEAU.order)
        } else {
            TABLEAU.capabilities()
        }
    }

    fn vectors_kept(&self) -> u32 {
        16
    }

    fn suits_search(&self) -> bool {
        true
    }
}
