//! Laws with a stretch, by themselves: break-away, the loop of a closed cycle, and the stretch as a
//! rate; and how steep LuGre's law can be.

use proptest::prelude::*;
use stiction_core::contact::friction::cundall_strack::CundallStrack;
use stiction_core::contact::friction::lugre::LuGre;
use stiction_core::contact::friction::{FrictionLaw, Slip};
use stiction_core::math::{PI, Vector, cos, sin};
use stiction_core::state::memory::Coefficients;

const STIFFNESS: f64 = 2e4;
const NORMAL_FORCE: f64 = 8.0;

/// A contact that is dragged about and commits its stretch with every piece of the way.
struct Dragged {
    law: CundallStrack,
    pair: Coefficients,
    committed: Slip,
}

impl Dragged {
    fn new(static_friction: f64, kinetic_friction: f64) -> Dragged {
        Dragged {
            law: CundallStrack { stiffness: STIFFNESS, damping: 0.0 },
            pair: Coefficients { static_friction, kinetic_friction },
            committed: Slip { normal_force: NORMAL_FORCE, ..Slip::default() },
        }
    }

    /// Drags it on by `way` \[m\] and returns the force there \[N\].
    fn drag(&mut self, way: Vector) -> Vector {
        let slip = Slip { displacement: way, ..self.committed };
        let force = self.law.force(&slip, &self.pair);
        self.committed.stretch = self.law.relax(&slip, &self.pair);
        self.committed.sliding = !self.law.sticks(&slip, &self.pair);
        force
    }

    /// Drags it along x in equal pieces; returns the work of friction \[J\], by the trapezoidal
    /// rule.
    fn work(&mut self, way: f64, pieces: usize) -> f64 {
        let piece = Vector::new(way / pieces as f64, 0.0, 0.0);
        let mut taken = 0.0;
        for _ in 0..pieces {
            let before = -self.committed.stretch * STIFFNESS;
            let force = self.drag(piece);
            taken -= 0.5 * (before + force).dot(&piece);
        }
        taken
    }
}

/// Swung to and fro by ± A the loop is a parallelogram: 4 μN (A − μN/k); below the slip length μN/k
/// nothing is lost.
#[test]
fn a_closed_cycle_takes_the_area_of_its_parallelogram() {
    let mu = 0.5;
    let slip_length = mu * NORMAL_FORCE / STIFFNESS;
    for times in [0.5, 1.0, 1.5, 3.0, 20.0] {
        let amplitude = times * slip_length;
        let mut contact = Dragged::new(mu, mu);
        // from the virgin curve onto the loop
        contact.work(amplitude, 4000);
        let lost = contact.work(-2.0 * amplitude, 8000) + contact.work(2.0 * amplitude, 8000);
        let above = if times > 1.0 { amplitude - slip_length } else { 0.0 };
        let area = 4.0 * mu * NORMAL_FORCE * above;
        let scale = mu * NORMAL_FORCE * amplitude;
        assert!((lost - area).abs() < 1e-3 * scale, "{times}: {lost:e} J, not {area:e}");
    }
}

/// The contact breaks away at the slip length μ_s N/k, at the force μ_s N; from then on its stretch
/// is μ_k N/k, and it sticks again as soon as it is drawn back.
#[test]
fn it_breaks_away_at_the_slip_length() {
    let (s, k) = (0.6, 0.4);
    let mut contact = Dragged::new(s, k);
    let (at_rest, in_slip) = (s * NORMAL_FORCE / STIFFNESS, k * NORMAL_FORCE / STIFFNESS);
    let x = |way: f64| Vector::new(way, 0.0, 0.0);
    let force = contact.drag(x(0.999 * at_rest));
    assert!((force.x + 0.999 * s * NORMAL_FORCE).abs() < 1e-12 && !contact.committed.sliding);
    let force = contact.drag(x(0.002 * at_rest));
    assert!((force.x + k * NORMAL_FORCE).abs() < 1e-12 && contact.committed.sliding);
    for _ in 0..10 {
        assert!((contact.committed.stretch.x - in_slip).abs() < 1e-18);
        let force = contact.drag(x(0.1 * in_slip));
        assert!((force.x + k * NORMAL_FORCE).abs() < 1e-12, "it slides at μ_k N: {force}");
    }
    // drawn back it is a spring from there: no force after μ_k N/k
    let force = contact.drag(x(-in_slip));
    assert!(force.norm() < 1e-12 && !contact.committed.sliding, "{force}");
    let force = contact.drag(x(-in_slip));
    assert!((force.x - k * NORMAL_FORCE).abs() < 1e-12, "{force}");
}

/// A rise of the speed leaves LuGre's stretch as it is; a fall of N cuts it to the bound at any
/// speed, max(μ_s, μ_k) N/σ0, and no further.
#[test]
fn only_a_fall_of_the_normal_force_cuts_the_stretch_of_lugre() {
    let law = LuGre { stiffness: STIFFNESS, damping: 0.0, viscosity: 0.0, stribeck_speed: 1e-3 };
    let pair = Coefficients { static_friction: 0.6, kinetic_friction: 0.3 };
    let stretch = Vector::new(0.55 * NORMAL_FORCE / STIFFNESS, 0.0, 0.0);
    for speed in [0.0, 1e-3, 1.0] {
        let velocity = Vector::new(speed, 0.0, 0.0);
        let slip = Slip { velocity, normal_force: NORMAL_FORCE, stretch, ..Slip::default() };
        assert_eq!(law.relax(&slip, &pair), stretch, "at {speed} m/s");
        for (left, kept) in [(0.95, 1.0), (0.5, 0.5 * 0.6 / 0.55), (0.0, 0.0)] {
            let less = Slip { normal_force: left * NORMAL_FORCE, ..slip };
            let found = law.relax(&less, &pair);
            assert!((found - stretch * kept).norm() < 1e-18, "{speed} m/s, {left} N: {found}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    /// The rate of a stretch in the state is the limit of ever shorter committed pieces; in slip
    /// only those parts of the velocity count that turn the stretch or draw it back.
    #[test]
    fn the_rate_of_the_stretch_is_that_of_short_pieces(
        share in 0.0..1.0f64, angle in 0.0..2.0 * PI, speed in 0.01..1.0f64, heading in 0.0..2.0 * PI, saturated: bool,
    ) {
        let law = CundallStrack { stiffness: STIFFNESS, damping: 0.0 };
        let pair = Coefficients { static_friction: 0.5, kinetic_friction: 0.5 };
        let longest = 0.5 * NORMAL_FORCE / STIFFNESS;
        let length = if saturated { longest } else { 0.99 * share * longest };
        let stretch = Vector::new(cos(angle), sin(angle), 0.0) * length;
        let velocity = Vector::new(cos(heading), sin(heading), 0.0) * speed;
        let along = if length > 0.0 { velocity.dot(&stretch) / length } else { 0.0 };
        // a contact that just turns its stretch sticks or slips by rounding
        prop_assume!(!saturated || along.abs() > 1e-3 * speed);
        let slip = Slip { velocity, normal_force: NORMAL_FORCE, stretch, sliding: saturated, ..Slip::default() };
        let short = 1e-6 * longest / speed;
        let moved = law.relax(&Slip { displacement: velocity * short, ..slip }, &pair);
        // just beyond the cone, where it slips
        let beyond = Slip { stretch: stretch * if saturated { 1.0 + 1e-12 } else { 1.0 }, ..slip };
        let rate = law.rate(&beyond, &pair);
        prop_assert!((rate - (moved - stretch) / short).norm() < 1e-4 * speed, "{} {}", rate, (moved - stretch) / short);
        let expected = if saturated && along > 0.0 { velocity - stretch * (along / length) } else { velocity };
        prop_assert!((rate - expected).norm() < 1e-9 * speed, "{} {}", rate, expected);
    }

    /// ∂F/∂v nowhere exceeds the damping that the law states, 2 σ1 + σ2; a slip that turns against
    /// a bristle at its longest meets all of it.
    #[test]
    fn lugre_is_as_steep_as_it_says(
        damping in 0.1..50.0f64, viscosity in 0.0..20.0f64, share in 0.0..1.0f64, heading in 0.0..2.0 * PI, speed in 1e-5..1e-3f64,
    ) {
        let law = LuGre { stiffness: STIFFNESS, damping, viscosity, stribeck_speed: 10.0 };
        let pair = Coefficients { static_friction: 0.5, kinetic_friction: 0.5 };
        let longest = 0.5 * NORMAL_FORCE / STIFFNESS;
        let bound = law.damping(&Slip::default(), &pair);
        let steepness = |stretch: Vector, velocity: Vector| {
            let force = |more: f64| {
                let velocity = velocity * (1.0 + more);
                let slip = Slip { velocity, stretch, normal_force: NORMAL_FORCE, ..Slip::default() };
                law.force(&slip, &pair)
            };
            (force(1e-3) - force(-1e-3)).norm() / (2e-3 * velocity.norm())
        };
        let stretch = Vector::new(longest, 0.0, 0.0);
        let velocity = Vector::new(cos(heading), sin(heading), 0.0) * speed;
        let found = steepness(stretch * share, velocity);
        prop_assert!(found <= bound * (1.0 + 1e-6), "{found} above {bound}");
        let turned = steepness(stretch * 0.999, Vector::new(-speed, 0.0, 0.0));
        prop_assert!((turned / bound - 1.0).abs() < 2e-3, "{turned}, not {bound}");
    }
}
