//! Sums over the steps of one contact: displacement from positions, displacement from reported
//! velocities, and the mean friction needed for its change of momentum. A single accepted state cannot
//! show an error; the sums over a window can.

use crate::contact::anisotropy::LawFrame;
use crate::math::{Vector, larger, sqrt};
use serde::{Deserialize, Serialize};

/// One contact, or all contacts of a body together, at an accepted state. All vectors but
/// the velocity of a collider's surface are tangential.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Instant {
    /// Slip velocity \[m/s\].
    pub(super) slip: Vector,
    /// Relative acceleration of the particles by all forces, Σ c_k F_k/m_k \[m/s²\].
    pub(super) acceleration: Vector,
    /// Friction \[N\].
    pub(super) friction: Vector,
    /// N \[N\].
    pub(super) normal_force: f64,
    /// √Σ N² of the contacts \[N\].
    pub(super) unevenness: f64,
    /// The law's stretch \[m\].
    pub(super) stretch: Vector,
    /// A contact in slip by the law's own rule.
    pub(super) slides: bool,
    /// Mean square deviation of the slips of several contacts from their mean \[m²/s²\].
    pub(super) spread: f64,
    /// Velocity of the touched surface \[m/s\]: the collider's, with its normal part; between bodies,
    /// the part due to rotation at the contact point.
    pub(super) surface_velocity: Vector,
}

impl Instant {
    /// The same in the law's variables of an anisotropic contact: the slip velocity transforms as a
    /// slip, friction and acceleration transform as forces.
    pub(super) fn within(mut self, frame: &LawFrame) -> Self {
        self.slip = frame.slip * self.slip;
        self.acceleration = frame.force * self.acceleration;
        self.friction = frame.force * self.friction;
        self
    }
}

impl StepChange {
    /// The same in the law's variables; a change of velocity transforms as a force.
    pub(super) fn within(mut self, frame: &LawFrame) -> Self {
        self.moved = frame.slip * self.moved;
        self.gained = frame.force * self.gained;
        self
    }
}

/// Changes over one step; tangential.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct StepChange {
    /// Displacement relative to the touched surface, from positions \[m\].
    pub(super) moved: Vector,
    /// Change of the particles' relative velocity \[m/s\].
    pub(super) gained: Vector,
}

/// Sums over steps; a window is the difference of two.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Sums {
    steps: f64,
    travel: Vector,
    unreported: Vector,
    unbalanced: Vector,
    friction: Vector,
    friction_squared: f64,
    friction_change_squared: f64,
    normal_force: f64,
    normal_force_squared: f64,
    change_squared: f64,
    turning: f64,
    spread: f64,
    /// over steps that end in slip: their number, Σ h v, Δz and Σ |F|
    slid_steps: f64,
    slid: Vector,
    slid_stretch: Vector,
    slid_friction: f64,
}

impl Sums {
    /// Number of steps.
    pub(super) fn steps(&self) -> f64 {
        self.steps
    }

    /// Adds a step of `h` \[s\] from `a` to `b`; Δs is its change of slip, `squared` |Δs|², `turning`
    /// Δs·(previous Δs).
    #[inline]
    pub(super) fn add(
        &mut self,
        [a, b]: [&Instant; 2],
        change: &StepChange,
        (squared, turning): (f64, f64),
        h: f64,
    ) {
        let half = 0.5 * h;
        self.steps += 1.0;
        self.travel += change.moved;
        self.unreported += change.moved - (a.slip + b.slip) * half;
        self.unbalanced += change.gained - (a.acceleration + b.acceleration) * half;
        self.friction += (a.friction + b.friction) * 0.5;
        self.friction_squared += b.friction.norm_squared();
        self.friction_change_squared += (b.friction - a.friction).norm_squared();
        self.normal_force += b.normal_force;
        self.normal_force_squared += b.normal_force * b.normal_force;
        self.change_squared += squared;
        self.turning += turning;
        self.spread += b.spread;
        if b.slides {
            self.slid_steps += 1.0;
            self.slid += (a.slip + b.slip) * half;
            self.slid_stretch += b.stretch - a.stretch;
            self.slid_friction += b.friction.norm();
        }
    }

    fn since(&self, start: &Sums) -> Sums {
        Sums {
            steps: self.steps - start.steps,
            travel: self.travel - start.travel,
            unreported: self.unreported - start.unreported,
            unbalanced: self.unbalanced - start.unbalanced,
            friction: self.friction - start.friction,
            friction_squared: self.friction_squared - start.friction_squared,
            friction_change_squared: self.friction_change_squared - start.friction_change_squared,
            normal_force: self.normal_force - start.normal_force,
            normal_force_squared: self.normal_force_squared - start.normal_force_squared,
            change_squared: self.change_squared - start.change_squared,
            turning: self.turning - start.turning,
            spread: self.spread - start.spread,
            slid_steps: self.slid_steps - start.slid_steps,
            slid: self.slid - start.slid,
            slid_stretch: self.slid_stretch - start.slid_stretch,
            slid_friction: self.slid_friction - start.slid_friction,
        }
    }
}

/// The start of a window: the sums before it, and its accepted state.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Mark {
    pub(super) sums: Sums,
    pub(super) instant: Instant,
}

/// A window of accepted steps.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    sums: Sums,
    start: Instant,
    end: Instant,
    h: f64,
    inverse_mass: f64,
}

impl Window {
    /// From one mark to another with steps of `h` \[s\], for particles of the given inverse mass
    /// \[1/kg\].
    pub(super) fn between(from: &Mark, to: &Mark, h: f64, inverse_mass: f64) -> Self {
        Window {
            sums: to.sums.since(&from.sums),
            start: from.instant,
            end: to.instant,
            h,
            inverse_mass,
        }
    }

    /// Number of steps.
    pub(super) fn steps(&self) -> f64 {
        self.sums.steps
    }

    /// Its length \[s\].
    pub(super) fn span(&self) -> f64 {
        self.sums.steps * self.h
    }

    /// Displacement relative to the surface \[m\].
    pub(super) fn travel(&self) -> Vector {
        self.sums.travel
    }

    /// Displacement that the velocities report, Σ h v, over all steps and over those in slip \[m\].
    pub(super) fn reported_travel(&self) -> (Vector, Vector) {
        (self.sums.travel - self.sums.unreported, self.sums.slid)
    }

    /// Change of the stretch, over all steps and over those in slip \[m\].
    pub(super) fn stretched(&self) -> (Vector, Vector) {
        (self.end.stretch - self.start.stretch, self.sums.slid_stretch)
    }

    /// Number of steps in slip.
    pub(super) fn slid_steps(&self) -> f64 {
        self.sums.slid_steps
    }

    /// Mean friction over the steps in slip \[N\].
    pub(super) fn friction_in_slip(&self) -> f64 {
        self.sums.slid_friction / larger(self.sums.slid_steps, 1.0)
    }

    /// Mean velocity relative to the surface, from displacement \[m/s\].
    pub(super) fn drift(&self) -> f64 {
        self.sums.travel.norm() / self.span()
    }

    /// Drift without the elastic part: (|Δx| − |Δz|)/t, z the stretch \[m/s\].
    pub(super) fn inelastic_drift(&self) -> f64 {
        let elastic = (self.end.stretch - self.start.stretch).norm();
        larger(self.sums.travel.norm() - elastic, 0.0) / self.span()
    }

    /// Mean of the reported slip velocity \[m/s\].
    pub(super) fn reported(&self) -> f64 {
        (self.sums.travel - self.sums.unreported).norm() / self.span()
    }

    /// (|Δx − Σ h v| − h |Δv|/2)/t, displacement that the velocities do not report; h |Δv|/2 is the
    /// error of the trapezoidal sum at its ends, with v the slip or the particles' own velocity, which a
    /// surface that moves changes while the slip stays \[m/s\].
    pub(super) fn contradiction(&self) -> f64 {
        let slip = self.end.slip - self.start.slip;
        let own = slip + self.end.surface_velocity - self.start.surface_velocity;
        let ends = 0.5 * self.h * larger(slip.norm(), own.norm());
        larger(self.sums.unreported.norm() - ends, 0.0) / self.span()
    }

    /// |m Δv − Σ h F|/t, less the error of the trapezoidal sum at its ends \[N\].
    pub(super) fn imbalance(&self) -> f64 {
        let size = self.sums.unbalanced.norm() / (self.span() * self.inverse_mass);
        larger(size - self.open_force(), 0.0)
    }

    /// [`Self::imbalance`] over the load, or over a small share of N where there is hardly a load.
    pub(super) fn imbalance_share(&self) -> f64 {
        let least = SMALL_LOAD * self.normal_force();
        self.imbalance() / larger(larger(self.needed().norm(), least), f64::MIN_POSITIVE)
    }

    /// Error of the trapezoidal sum of forces at the ends of the window, |ΔF|/(2 steps) \[N\].
    pub(super) fn open_force(&self) -> f64 {
        let change = (self.end.acceleration - self.start.acceleration).norm();
        0.5 * change / (self.steps() * self.inverse_mass)
    }

    /// The load: the mean friction that balances the other forces and the change of momentum \[N\].
    pub(super) fn needed(&self) -> Vector {
        let balance = self.sums.unbalanced / (self.span() * self.inverse_mass);
        self.sums.friction / self.steps() + balance
    }

    /// The friction that would have held the contact: the load T without its accelerating part,
    /// |T − m Δv/t|, less the force 2 h F/t of one step's change of speed at the ends \[N\].
    pub(super) fn load_if_held(&self) -> f64 {
        let momentum = self.inverse_mass * self.span();
        let gained = (self.end.slip - self.start.slip) / momentum;
        larger((self.needed() - gained).norm() - self.throw() / momentum, 0.0)
    }

    /// Root mean square of the friction \[N\].
    pub(super) fn friction(&self) -> f64 {
        sqrt(self.sums.friction_squared / self.steps())
    }

    /// Mean N \[N\].
    pub(super) fn normal_force(&self) -> f64 {
        self.sums.normal_force / self.steps()
    }

    /// Mean of N at the starts of the steps \[N\], as used by a method that lags N.
    pub(super) fn lagged_normal_force(&self) -> f64 {
        self.normal_force() + (self.start.normal_force - self.end.normal_force) / self.steps()
    }

    /// Change of speed by one step of friction and of an equal load, 2 h F/m \[m/s\].
    pub(super) fn throw(&self) -> f64 {
        2.0 * self.h * self.friction() * self.inverse_mass
    }

    /// Amplitude of the slip's alternation from step to step \[m/s\].
    pub(super) fn amplitude(&self) -> f64 {
        0.5 * sqrt(self.sums.change_squared / self.steps())
    }

    /// Whether successive changes of the slip are anticorrelated.
    pub(super) fn alternates(&self) -> bool {
        self.sums.turning < -ALTERNATING * self.sums.change_squared
    }

    /// Whether friction changes with every step, unlike any resolved motion: a period below five steps.
    /// A load that comes or goes within the window has at most one.
    pub(super) fn flutters(&self) -> bool {
        let (n, spread) = (self.steps(), self.friction_spread());
        n >= FLUTTER_STEPS
            && spread > FLUTTER_SHARE * self.sums.friction_squared / n
            && self.sums.friction_change_squared > FLUTTER * n * spread
    }

    /// Whether N is steady within 10 % of its mean, and friction either is within 16 %, with one slip
    /// at all contacts, or changes with every step, unlike any resolved motion.
    pub(super) fn is_steady(&self) -> bool {
        let n = self.steps();
        let mean = self.normal_force();
        let spread = self.sums.normal_force_squared / n - mean * mean;
        let unresolved =
            self.sums.friction_change_squared > UNRESOLVED * n * self.friction_spread();
        let steady = if self.holds_its_friction() { self.moves_as_one() } else { unresolved };
        steady && spread <= 0.01 * mean * mean && self.bears_evenly()
    }

    /// Whether √Σ N² of the contacts agrees within 10 % at both ends of the window.
    fn bears_evenly(&self) -> bool {
        let (a, b) = (self.start.unevenness, self.end.unevenness);
        (a - b).abs() <= 0.1 * larger(a, b)
    }

    /// Whether all its contacts slip at nearly one velocity.
    fn moves_as_one(&self) -> bool {
        sqrt(self.sums.spread / self.steps()) <= 0.15 * self.drift()
    }

    /// Mean friction at the accepted states \[N\].
    pub(super) fn mean_friction(&self) -> f64 {
        self.sums.friction.norm() / self.steps()
    }

    /// Whether friction is constant within 16 %: its variance within [`STEADY`].
    pub(super) fn holds_its_friction(&self) -> bool {
        self.friction_spread() <= STEADY * self.sums.friction_squared / self.steps()
    }

    /// Variance of friction \[N²\].
    fn friction_spread(&self) -> f64 {
        let squared = self.sums.friction_squared / self.steps();
        squared - (self.sums.friction / self.steps()).norm_squared()
    }
}

/// (Mean square change of friction per step)/(its variance) above which friction counts as unresolved:
/// its period is below six steps. Noise has 2, an alternation 4.
const UNRESOLVED: f64 = 1.0;

/// The same above which friction flutters, the shortest window that shows it \[steps\], and the least
/// variance as a share of the mean square.
const FLUTTER: f64 = 1.5;
const FLUTTER_STEPS: f64 = 8.0;
const FLUTTER_SHARE: f64 = 2.5e-3;

/// Load as a share of N below which a contact hardly bears one.
const SMALL_LOAD: f64 = 2e-3;

/// Largest variance of steady friction, as a share of its mean square.
const STEADY: f64 = 0.025;

/// Size of the negative correlation of successive changes from which a slip counts as alternating.
pub(super) const ALTERNATING: f64 = 0.8;

#[cfg(test)]
mod tests {
    use super::*;

    /// A window of a contact sliding under constant friction and these normal forces \[N\].
    fn window(normal_forces: impl Iterator<Item = f64>) -> Window {
        let instants: Vec<Instant> = normal_forces
            .map(|normal_force| Instant {
                normal_force,
                friction: Vector::x() * -3.0,
                unevenness: 10.0,
                ..Instant::default()
            })
            .collect();
        let change = StepChange { moved: Vector::x() * 1e-3, gained: Vector::zeros() };
        let from = Mark { sums: Sums::default(), instant: instants[0] };
        let mut to = from;
        for pair in instants.windows(2) {
            to.sums.add([&pair[0], &pair[1]], &change, (0.0, 0.0), 1e-3);
            to.instant = pair[1];
        }
        Window::between(&from, &to, 1e-3, 1.0)
    }

    /// N swings about its mean by a share of the mean.
    fn swings(share: f64) -> Window {
        window((0..=40).map(|k| 10.0 * (1.0 + if k % 2 == 0 { share } else { -share })))
    }

    /// The trapezoidal sum is off by h ΔF/2 at its ends, a mean force of ΔF/(2 steps).
    #[test]
    fn forces_at_the_ends_of_a_window_are_half_known() {
        let first = Instant::default();
        let last = Instant { acceleration: Vector::z() * 4.0, ..Instant::default() };
        let from = Mark { sums: Sums::default(), instant: first };
        let mut to = Mark { sums: Sums::default(), instant: last };
        let change = StepChange { moved: Vector::x() * 1e-3, gained: Vector::zeros() };
        (0..40).for_each(|_| to.sums.add([&first, &first], &change, (0.0, 0.0), 1e-3));
        let window = Window::between(&from, &to, 1e-3, 0.5);
        assert!((window.open_force() - 4.0 / 0.5 / 80.0).abs() < 1e-12, "{}", window.open_force());
    }

    #[test]
    fn a_normal_force_is_steady_within_a_tenth_of_its_mean() {
        assert!(swings(0.0).is_steady() && swings(0.09).is_steady());
        assert!(!swings(0.11).is_steady() && !swings(0.5).is_steady());
        // N that grows to twice its size
        assert!(!window((0..=40).map(|k| 10.0 + 0.25 * f64::from(k))).is_steady());
        let mean = swings(0.5).normal_force();
        assert!((mean - 10.0).abs() < 1e-12, "{mean}");
    }
}
