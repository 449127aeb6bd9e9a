//! The record of one contact, or of a body, for its whole life: windows of doubling length, each judged
//! when full, and the short windows of a drift. docs/physics.md tabulates the thresholds below and
//! the trials behind them.

use super::loaded_law::LoadedLaw;
use super::thresholds::{CREEP, WINDOW};
use super::window::{Instant, Mark, StepChange, Window};
use crate::math::{Vector, larger, smaller, sqrt};
use serde::{Deserialize, Serialize};

/// Length of the first window, and of the shortest window judged before it is full \[steps\].
const SHORTEST: f64 = WINDOW as f64;
const SHORTEST_OPEN: f64 = 12.0;

/// Length of the longest window \[steps\].
const LONGEST: f64 = 1024.0;

/// Tolerated difference of drift and the law's creep, over the law's scale of speed (ε for `threshold`),
/// for loads near zero.
const CREEP_OF_SCALE: f64 = 5e-4;

/// Tolerated relative difference of momentum change and impulse of the forces, and of displacement and
/// reported velocity × time.
const CONTRADICTION: f64 = 0.05;

/// Tolerated relative difference of load and law's force: where the law is as steep as `threshold`, for
/// rounding and the end of a transient; where it is flat, for vibration of N.
const LOAD: [f64; 2] = [2e-3, 0.03];

/// Shortest window of a law with stretch, in units of 1/λ: the stretch has then settled.
const SETTLED: f64 = 30.0;

/// The faults of a window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Faults {
    pub(super) off_law: bool,
    pub(super) spurious: bool,
    pub(super) chatter: bool,
}

/// The numbers of a window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    /// Mean speed relative to the surface, from displacement \[m/s\].
    pub drift: f64,
    /// Mean of the reported slip velocity \[m/s\].
    pub reported: f64,
    /// The law's creep under the load \[m/s\].
    pub law: Option<f64>,
    /// Load ratio: the friction needed for the momentum balance, divided by Σ μ_s N.
    pub load_ratio: f64,
    /// Residual of the momentum balance over the needed friction.
    pub imbalance: f64,
    /// Amplitude of the slip's alternation from step to step \[m/s\].
    pub amplitude: f64,
    /// Steps of the window.
    pub steps: f64,
}

/// The law, the time step and the inverse mass with which a record is judged.
#[derive(Clone, Copy)]
pub(super) struct Circumstances<'a> {
    pub(super) loaded_law: LoadedLaw<'a>,
    /// the step \[s\]
    pub(super) h: f64,
    /// \[1/kg\]
    pub(super) inverse_mass: f64,
    /// speed due to rounding alone \[m/s\]
    pub(super) rounding: f64,
}

/// The record of one contact, or of a body.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct WindowRecord {
    now: Mark,
    change: Vector,
    /// moving means of |Δs|² and of Δs·(previous Δs), s the slip velocity
    recent: (f64, f64),
    window: Mark,
    length: f64,
    /// faults, amplitude and drift of the window before
    before: Faults,
    amplitude_before: f64,
    drift_before: f64,
    /// scale of an alternation \[m/s\]
    measure: f64,
    /// Steps of windows with ringing.
    pub(super) rang: f64,
    /// start of the part of a drift
    part: Mark,
}

impl WindowRecord {
    pub(super) fn start(instant: Instant) -> Self {
        let now = Mark { instant, ..Mark::default() };
        WindowRecord { now, window: now, part: now, length: SHORTEST, ..WindowRecord::default() }
    }

    /// The last accepted state.
    pub(super) fn last(&self) -> &Instant {
        &self.now.instant
    }

    /// Enters the next accepted state; true when the window is full.
    #[inline]
    pub(super) fn advance(&mut self, instant: &Instant, step: &StepChange, h: f64) -> bool {
        let change = instant.slip - self.now.instant.slip;
        let (squared, turning) = (change.norm_squared(), change.dot(&self.change));
        self.now.sums.add([&self.now.instant, instant], step, (squared, turning), h);
        self.now.instant = *instant;
        self.change = change;
        let (a, b) = self.recent;
        self.recent = (0.75 * a + 0.25 * squared, 0.75 * b + 0.25 * turning);
        self.now.sums.steps() - self.window.sums.steps() >= self.length
    }

    /// The window since [`Self::begin_part`].
    pub(super) fn part(&self, h: f64, inverse_mass: f64) -> Window {
        Window::between(&self.part, &self.now, h, inverse_mass)
    }

    /// Steps since its start.
    #[cfg(test)]
    pub(super) fn steps(&self) -> f64 {
        self.now.sums.steps()
    }

    /// Its number of steps.
    pub(super) fn steps_of_part(&self) -> f64 {
        self.now.sums.steps() - self.part.sums.steps()
    }

    pub(super) fn begin_part(&mut self) {
        self.part = self.now;
    }

    /// Whether the states of a window that ends now do not resolve friction: the slip reverses within
    /// few steps.
    pub(super) fn is_unresolved(&self, window: &Window) -> bool {
        let alternates = self.recent.1 < -super::window::ALTERNATING * self.recent.0;
        (alternates || window.flutters()) && window.amplitude() > 0.5 * window.drift()
    }

    /// Judges the full window and begins the next. A fault counts only if the previous window had it
    /// too: a transient is over by then.
    pub(super) fn turn(&mut self, given: &Circumstances) -> (Faults, Findings) {
        let window = Window::between(&self.window, &self.now, given.h, given.inverse_mass);
        let (faults, findings, measure) = judge(&window, given);
        let lasting = self.lasting(faults, &findings, given);
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

    /// Judges the window in progress; the flag is set if the slip rings now.
    pub(super) fn look(&self, given: &Circumstances) -> Option<(Faults, Findings, bool)> {
        let window = Window::between(&self.window, &self.now, given.h, given.inverse_mass);
        if window.steps() >= SHORTEST_OPEN {
            let (faults, findings, measure) = judge(&window, given);
            let rings = self.rings(measure);
            return Some((self.lasting(faults, &findings, given), findings, rings));
        }
        // too short except for ringing
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

    fn lasting(&self, faults: Faults, findings: &Findings, given: &Circumstances) -> Faults {
        // a settling stretch drifts ever more slowly
        let dies = given.loaded_law.has_memory() && findings.drift < 0.5 * self.drift_before;
        Faults {
            off_law: faults.off_law && self.before.off_law && !dies,
            spurious: faults.spurious && self.before.spurious,
            chatter: faults.chatter
                && self.before.chatter
                && findings.amplitude > 0.9 * self.amplitude_before,
        }
    }
}

/// Judges a window; the last number is the scale of an alternation \[m/s\].
fn judge(window: &Window, given: &Circumstances) -> (Faults, Findings, f64) {
    let loaded_law = &given.loaded_law;
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
    let floor = CREEP_OF_SCALE * scale + given.rounding;
    // a law with stretch does not creep: its scale is the creep of an equally stiff damper
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
            off_law: window.is_steady() && off_law(window, given, floor),
            spurious: !alternates
                && window.is_steady()
                && !rests(&findings, loaded_law, floor)
                && contradicts(&findings, window, floor),
            chatter: alternates && findings.amplitude > larger(findings.drift, CREEP * measure),
        }
    };
    (faults, findings, measure)
}

/// Whether the law's force at the measured drift differs from the load, law(drift, N) ≠ T.
fn off_law(window: &Window, given: &Circumstances, floor: f64) -> bool {
    let loaded_law = &given.loaded_law;
    let (needed, normal_force) = (window.needed().norm(), window.normal_force());
    if loaded_law.has_memory() {
        let ratio = needed / loaded_law.capacity(normal_force);
        let still = CREEP * larger(ratio, 0.05) * loaded_law.scale() + floor;
        let rate = loaded_law.capacity(normal_force) * given.inverse_mass / loaded_law.scale();
        // T = μ_k N: sliding, not creep
        let kinetic = loaded_law.kinetic(normal_force);
        let slides = (needed - kinetic).abs() < LOAD[1] * kinetic;
        if window.span() * rate < SETTLED || slides {
            return false;
        }
        return loaded_law.creep(needed, normal_force).is_some()
            && window.inelastic_drift() > still;
    }
    let drift = window.drift();
    // at rest, which a set-valued law allows
    if drift <= floor && loaded_law.creep(needed, normal_force).is_some_and(|speed| speed <= floor)
    {
        return false;
    }
    let around = CREEP * drift + floor;
    let (least, most) = loaded_law.loads(drift, around, normal_force);
    // slope of the law here, relative to that of a straight line through zero
    let straight = 2.0 * larger(smaller(around, drift), f64::MIN_POSITIVE) / larger(drift, around);
    let steep = smaller((most - least) / (larger(most, f64::MIN_POSITIVE) * straight), 1.0);
    let open = window.open_force() + needed * (LOAD[0] + (LOAD[1] - LOAD[0]) * (1.0 - steep));
    // loads by forces and by momentum may differ by the quadrature of a vibration
    let seen = window.mean_friction();
    let (low, high) = if (seen - needed).abs() < CONTRADICTION * needed {
        (smaller(seen, needed), larger(seen, needed))
    } else {
        (needed, needed)
    };
    high < least - open || low > most + open
}

/// Whether a contact under a set-valued law is at rest: rest is never spurious, under any load.
fn rests(findings: &Findings, loaded_law: &LoadedLaw, floor: f64) -> bool {
    loaded_law.is_set_valued() && larger(findings.drift, findings.reported) <= floor
}

/// Whether displacement contradicts the reported velocity, or momentum the forces, in a steady state.
fn contradicts(findings: &Findings, window: &Window, floor: f64) -> bool {
    let speed = larger(findings.drift, findings.reported);
    let positions = window.contradiction() > CONTRADICTION * speed + floor;
    let momentum = findings.imbalance > 2.0 * CONTRADICTION;
    window.holds_its_friction() && (positions || momentum)
}
