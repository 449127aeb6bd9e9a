//! The record of one contact, or of a body, over its stay: windows that double in length, each
//! judged when it is full, and the window since the last frame.

use super::loaded_law::LoadedLaw;
use super::window::{Instant, Mark, StepChange, Window};
use crate::math::{Vector, larger, smaller, sqrt};

/// Steps of the first window, and of the shortest that is judged before it is full.
const SHORTEST: f64 = 16.0;
const SHORTEST_OPEN: f64 = 12.0;

/// Steps of the longest window.
const LONGEST: f64 = 1024.0;

/// Share of the creep by which it may differ from the law's.
const CREEP: f64 = 0.025;

/// The same in shares of the law's scale of speed, for loads that are next to nothing.
const CREEP_OF_SCALE: f64 = 5e-4;

/// Share of the load by which momentum may contradict the forces, and of the speed by which
/// displacement may contradict velocity.
const CONTRADICTION: f64 = 0.05;

/// Share of the load that friction may be off: on a slope as steep as that of the threshold law, for
/// rounding and the end of a transient; and on the flat of the cone, for vibration of N.
const LOAD: [f64; 2] = [2e-3, 0.03];

/// Times 1/λ that a window of a law with stretch must last, for the stretch to settle.
const SETTLED: f64 = 30.0;

/// What is wrong in a window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Faults {
    pub(super) off_law: bool,
    pub(super) spurious: bool,
    pub(super) chatter: bool,
}

/// A window in numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Findings {
    /// Mean speed relative to the surface, from displacement \[m/s\].
    pub drift: f64,
    /// Mean of the reported slip velocity \[m/s\].
    pub reported: f64,
    /// The law's creep under the friction that was needed \[m/s\].
    pub law: Option<f64>,
    /// The friction that was needed, in shares of Σ μ_s N.
    pub load_ratio: f64,
    /// Force by which momentum and forces contradict each other, in shares of the needed friction.
    pub imbalance: f64,
    /// Size of a slip that alternates from step to step \[m/s\].
    pub amplitude: f64,
    /// Steps of the window.
    pub steps: f64,
}

/// What a record is judged by, besides its sums.
#[derive(Clone, Copy)]
pub(super) struct Circumstances<'a> {
    pub(super) loaded_law: LoadedLaw<'a>,
    /// the step \[s\]
    pub(super) h: f64,
    /// \[1/kg\]
    pub(super) inverse_mass: f64,
    /// speed below which rounding decides \[m/s\]
    pub(super) rounding: f64,
}

/// The record of one stay.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Record {
    now: Mark,
    change: Vector,
    /// |Δs|² and Δs·Δs before, of the last few steps
    recent: (f64, f64),
    window: Mark,
    length: f64,
    /// what was wrong in the window before, and how large it alternated
    before: Faults,
    amplitude_before: f64,
    drift_before: f64,
    /// the speed by which an alternating slip is measured \[m/s\]
    measure: f64,
    /// Steps in windows that rang.
    pub(super) rang: f64,
    frame: Mark,
}

impl Record {
    pub(super) fn start(instant: Instant) -> Self {
        let now = Mark { instant, ..Mark::default() };
        Record { now, window: now, frame: now, length: SHORTEST, ..Record::default() }
    }

    /// The last accepted state.
    pub(super) fn last(&self) -> &Instant {
        &self.now.instant
    }

    /// Takes in the next accepted state; true when the window is full.
    pub(super) fn advance(&mut self, instant: Instant, passage: &StepChange, h: f64) -> bool {
        let change = instant.slip - self.now.instant.slip;
        let (squared, turning) = (change.norm_squared(), change.dot(&self.change));
        self.now.sums.add([&self.now.instant, &instant], passage, (squared, turning), h);
        self.now.instant = instant;
        self.change = change;
        let (a, b) = self.recent;
        self.recent = (0.75 * a + 0.25 * squared, 0.75 * b + 0.25 * turning);
        self.now.sums.steps() - self.window.sums.steps() >= self.length
    }

    /// The window since the last frame.
    pub(super) fn frame(&self, h: f64, inverse_mass: f64) -> Window {
        Window::between(&self.frame, &self.now, h, inverse_mass)
    }

    pub(super) fn begin_frame(&mut self) {
        self.frame = self.now;
    }

    /// Judges the full window and begins the next. What is wrong counts when it was so in the
    /// window before as well: a transient is over by then.
    pub(super) fn turn(&mut self, ground: &Circumstances) -> (Faults, Findings) {
        let window = Window::between(&self.window, &self.now, ground.h, ground.inverse_mass);
        let (faults, findings, measure) = judge(&window, ground);
        let lasting = self.lasting(faults, &findings, ground);
        let rings = window.alternates() && findings.amplitude > CREEP * measure;
        self.rang += if rings { window.steps() } else { 0.0 };
        (self.before, self.measure) = (faults, measure);
        (self.amplitude_before, self.drift_before) = (findings.amplitude, findings.drift);
        self.window = self.now;
        self.length = if self.length * 2.0 <= self.now.sums.steps() && self.length < LONGEST {
            self.length * 2.0
        } else {
            self.length
        };
        (lasting, findings)
    }

    /// Judges the window as far as it has come, with whether the slip rings at this moment.
    pub(super) fn look(&self, ground: &Circumstances) -> Option<(Faults, Findings, bool)> {
        let window = Window::between(&self.window, &self.now, ground.h, ground.inverse_mass);
        if window.steps() >= SHORTEST_OPEN {
            let (faults, findings, measure) = judge(&window, ground);
            let rings = self.rings(measure);
            return Some((self.lasting(faults, &findings, ground), findings, rings));
        }
        // too short to say more than that it still rings
        let rings = self.rings(self.measure);
        let findings = Findings { amplitude: self.amplitude(), ..Findings::default() };
        rings.then_some((Faults::default(), findings, true))
    }

    fn amplitude(&self) -> f64 {
        0.5 * sqrt(self.recent.0)
    }

    fn rings(&self, measure: f64) -> bool {
        measure > 0.0
            && self.now.sums.steps() >= SHORTEST
            && self.recent.1 < -super::window::ALTERNATING * self.recent.0
            && self.amplitude() > CREEP * measure
    }

    fn lasting(&self, faults: Faults, findings: &Findings, ground: &Circumstances) -> Faults {
        // a stretch settles with a drift that dies
        let dies = ground.loaded_law.has_memory() && findings.drift < 0.5 * self.drift_before;
        Faults {
            off_law: faults.off_law && self.before.off_law && !dies,
            spurious: faults.spurious && self.before.spurious,
            chatter: faults.chatter
                && self.before.chatter
                && findings.amplitude > 0.9 * self.amplitude_before,
        }
    }
}

/// Judges a window; the last number is the speed by which an alternating slip is measured.
fn judge(window: &Window, ground: &Circumstances) -> (Faults, Findings, f64) {
    let loaded_law = &ground.loaded_law;
    let normal_force = window.normal_force();
    let capacity = loaded_law.capacity(normal_force);
    if !loaded_law.can_rest() || capacity <= 0.0 || window.steps() < 1.0 {
        return (Faults::default(), Findings::default(), 0.0);
    }
    let (needed, scale) = (window.needed().norm(), loaded_law.scale());
    let law = loaded_law.creep(needed, normal_force);
    let findings = Findings {
        drift: window.drift(),
        reported: window.reported(),
        law,
        load_ratio: needed / capacity,
        imbalance: window.imbalance() / larger(needed, 0.02 * capacity),
        amplitude: window.amplitude(),
        steps: window.steps(),
    };
    let floor = CREEP_OF_SCALE * scale + ground.rounding;
    // a law that does not creep is measured by the speed of a damper as stiff
    let measure = match law {
        Some(speed) if !loaded_law.has_memory() => speed,
        Some(_) => larger(needed / capacity, 0.05) * scale,
        None => findings.drift,
    } + floor;
    let alternates = window.alternates();
    let faults = if findings.drift > loaded_law.reach() + window.throw() {
        Faults::default()
    } else {
        Faults {
            off_law: window.is_steady() && off_law(window, ground, floor),
            spurious: !alternates
                && window.is_steady()
                && !rests(&findings, loaded_law, floor)
                && contradicts(&findings, window, floor),
            chatter: alternates && findings.amplitude > larger(findings.drift, CREEP * measure),
        }
    };
    (faults, findings, measure)
}

/// Whether the law does not bear at the measured drift what was to be borne.
fn off_law(window: &Window, ground: &Circumstances, floor: f64) -> bool {
    let loaded_law = &ground.loaded_law;
    let (needed, normal_force) = (window.needed().norm(), window.normal_force());
    if loaded_law.has_memory() {
        let ratio = needed / loaded_law.capacity(normal_force);
        let still = CREEP * larger(ratio, 0.05) * loaded_law.scale() + floor;
        let rate = loaded_law.capacity(normal_force) * ground.inverse_mass / loaded_law.scale();
        // on the cone it slides, as it must
        let kinetic = loaded_law.kinetic(normal_force);
        let slides = (needed - kinetic).abs() < LOAD[1] * kinetic;
        if window.span() * rate < SETTLED || slides {
            return false;
        }
        return loaded_law.creep(needed, normal_force).is_some()
            && window.inelastic_drift() > still;
    }
    let drift = window.drift();
    // nothing moves where the law, a set, does not either
    if drift <= floor && loaded_law.creep(needed, normal_force).is_some_and(|speed| speed <= floor)
    {
        return false;
    }
    let around = CREEP * drift + floor;
    let (least, most) = loaded_law.loads(drift, around, normal_force);
    // how much of the steepness of a straight line it has here
    let straight = 2.0 * larger(smaller(around, drift), f64::MIN_POSITIVE) / larger(drift, around);
    let steep = smaller((most - least) / (larger(most, f64::MIN_POSITIVE) * straight), 1.0);
    let open = window.open_force() + needed * (LOAD[0] + (LOAD[1] - LOAD[0]) * (1.0 - steep));
    // what forces and momentum say of the load may differ by the quadrature of a vibration
    let seen = window.mean_friction();
    let (low, high) = if (seen - needed).abs() < CONTRADICTION * needed {
        (smaller(seen, needed), larger(seen, needed))
    } else {
        (needed, needed)
    };
    high < least - open || low > most + open
}

/// Whether a contact that needs no creep to hold is where it was: whatever it is pushed by, there is
/// nothing spurious about that.
fn rests(findings: &Findings, loaded_law: &LoadedLaw, floor: f64) -> bool {
    loaded_law.is_set_valued() && larger(findings.drift, findings.reported) <= floor
}

/// Whether displacement contradicts velocity, or momentum the forces, in a state that stays.
fn contradicts(findings: &Findings, window: &Window, floor: f64) -> bool {
    let speed = larger(findings.drift, findings.reported);
    let positions = window.contradiction() > CONTRADICTION * speed + floor;
    let momentum = findings.imbalance > 2.0 * CONTRADICTION;
    window.holds_its_friction() && (positions || momentum)
}
