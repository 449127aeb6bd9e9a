//! A block on a plane in closed form: position of one particle at any time under the threshold law.

use stiction_core::contact::collider::plane;
use stiction_core::contact::friction::threshold;
use stiction_core::contact::normal::linear;
use stiction_core::math::{Vector, exp, log, smaller, tangential};
use stiction_core::state::memory::Coefficients;
use stiction_core::world::shapes::particle;
use stiction_scene::Scene;
use stiction_scene::build::coefficients;

/// A particle that slides or creeps along a straight line on a plane at rest, with N in balance.
///
/// u is its speed along `along` \[m/s\]:
/// u' = pull − sign(u) μ_k press      while |u| ≥ ε,
/// u' = pull − (μ_s press/ε) u        below,
/// with gravity's components along the motion, `pull`, and into the plane, `press` \[m/s²\]. Both
/// equations have elementary solutions, which are joined at |u| = ε.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    start: Vector,
    along: Vector,
    speed: f64,
    pull: f64,
    press: f64,
    pair: Coefficients,
    epsilon: f64,
    /// Relative imbalance of N at the start.
    pub off_balance: f64,
}

/// Largest relative imbalance of N at the start.
const OFF_BALANCE: f64 = 1e-8;

/// Speed that counts as zero \[m/s\].
const STILL: f64 = 1e-12;

impl Block {
    /// The block of a scene; `None` for any other scene.
    pub fn of(scene: &Scene) -> Option<Block> {
        let ([body], [collider]) = (&scene.bodies[..], &scene.colliders[..]) else { return None };
        let alone = scene.pushes.is_empty()
            && scene.pins.is_empty()
            && scene.drags.is_empty()
            && scene.curves.is_empty()
            && scene.motions.is_empty()
            && scene.muscles.is_empty()
            && scene.gravity_factor.is_none()
            && scene.contact.adhesion.is_none()
            && !scene.contact.jumps();
        let plain = body.shape.name == particle::ENTRY.name
            && body.anisotropy.is_none()
            && collider.shape.name == plane::ENTRY.name
            && collider.motion == Default::default()
            && collider.anisotropy.is_none();
        let laws = (scene.contact.friction.name, scene.contact.normal.name);
        if !alone || !plain || laws != (threshold::ENTRY.name, linear::ENTRY.name) {
            return None;
        }
        let n = collider.shape.values.vector("normal").normalize();
        let press = -scene.gravity.dot(&n);
        let depth = n.dot(&(collider.shape.values.vector("point") - body.position)) + body.radius;
        let balanced = body.mass? * press / scene.contact.normal.values.number("stiffness");
        let off_balance = (depth / balanced - 1.0).abs();
        let locked = scene.locked_axis.is_some_and(|axis| n[axis] != 0.0);
        if locked || press <= 0.0 || off_balance > OFF_BALANCE {
            return None;
        }
        // a planar scene moves in its plane
        let in_plane = |mut v: Vector| {
            scene.locked_axis.into_iter().for_each(|axis| v[axis] = 0.0);
            v
        };
        let pull = in_plane(tangential(scene.gravity, n));
        let velocity = in_plane(body.velocity);
        let along = if pull.norm() > STILL { pull } else { tangential(velocity, n) }
            .try_normalize(STILL)?;
        let pair = coefficients(scene, body.material, collider.material);
        // the motion neither leaves the plane nor turns
        let straight = (velocity - along * along.dot(&velocity)).norm() < STILL;
        // with μ_k > μ_s the speed could stay at ε
        (straight && pair.kinetic_friction <= pair.static_friction).then(|| Block {
            start: body.position,
            along,
            speed: along.dot(&velocity),
            pull: along.dot(&pull),
            press,
            pair,
            epsilon: scene.contact.friction.values.number("epsilon"),
            off_balance,
        })
    }

    /// Position at a time \[m\].
    pub fn position(&self, time: f64) -> Vector {
        self.start + self.along * self.motion(time).0
    }

    /// Displacement along the motion \[m\] and speed \[m/s\] at a time.
    pub fn motion(&self, time: f64) -> (f64, f64) {
        let (mut travelled, mut speed, mut left) = (0.0, self.speed, time);
        let mut sticks = speed.abs() < self.epsilon;
        while left > 0.0 {
            let end = if sticks { self.end_of_creep(speed) } else { self.end_of_slide(speed) };
            let span = smaller(end, left);
            let after = if sticks { self.creep(speed, span) } else { self.slide(speed, span) };
            (travelled, speed, left, sticks) = (travelled + after.0, after.1, left - span, !sticks);
        }
        (travelled, speed)
    }

    /// Acceleration u' while sliding \[m/s²\].
    fn acceleration(&self, u: f64) -> f64 {
        self.pull - self.pair.kinetic_friction * self.press * u.signum()
    }

    /// Displacement and speed after sliding for the time t, from the speed u.
    fn slide(&self, u: f64, t: f64) -> (f64, f64) {
        let a = self.acceleration(u);
        (u * t + 0.5 * a * t * t, u + a * t)
    }

    /// Time until |u| falls to ε.
    fn end_of_slide(&self, u: f64) -> f64 {
        let a = self.acceleration(u);
        if a * u < 0.0 { (u.abs() - self.epsilon) / a.abs() } else { f64::INFINITY }
    }

    /// The rate μ_s press/ε \[1/s\] at which u decays below ε.
    fn rate(&self) -> f64 {
        self.pair.static_friction * self.press / self.epsilon
    }

    /// Displacement and speed after the time t with |u| < ε, from the speed u.
    fn creep(&self, u: f64, t: f64) -> (f64, f64) {
        let rate = self.rate();
        if rate == 0.0 {
            return (u * t + 0.5 * self.pull * t * t, u + self.pull * t);
        }
        let (steady, fading) = (self.pull / rate, exp(-rate * t));
        (steady * t + (u - steady) * (1.0 - fading) / rate, steady + (u - steady) * fading)
    }

    /// Time until |u| reaches ε.
    fn end_of_creep(&self, u: f64) -> f64 {
        let (rate, edge) = (self.rate(), self.epsilon * self.pull.signum());
        if rate == 0.0 {
            return if self.pull == 0.0 { f64::INFINITY } else { (edge - u) / self.pull };
        }
        let steady = self.pull / rate;
        if steady.abs() > self.epsilon {
            log((steady - u) / (steady - edge)) / rate
        } else {
            f64::INFINITY
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction_core::math::{cos, radians, sin};

    const G: f64 = 9.81;

    fn block(angle: f64, mu: [f64; 2], epsilon: f64, speed: f64) -> Block {
        let angle = radians(angle);
        Block {
            start: Vector::zeros(),
            along: Vector::x(),
            speed,
            pull: G * sin(angle),
            press: G * cos(angle),
            pair: Coefficients { static_friction: mu[0], kinetic_friction: mu[1] },
            epsilon,
            off_balance: 0.0,
        }
    }

    /// published figures of the sliding block
    #[test]
    fn it_goes_as_far_as_published() {
        let thrown = block(0.0, [0.4, 0.4], 1e-2, 2.0);
        assert!((thrown.motion(10.0).0 - 0.509696738).abs() < 5e-10);
        assert!((thrown.motion(0.507136).1 - 1e-2).abs() < 4e-6);
        let slippery = block(0.0, [0.6, 0.3], 1e-2, 2.0);
        assert!((slippery.motion(10.0).0 - 0.679578661).abs() < 5e-10);
        for (epsilon, travelled) in [(1e-2, 0.75922831), (1e-3, 0.75611656)] {
            let found = block(20.0, [0.2, 0.2], epsilon, 0.0).motion(1.0).0;
            assert!((found - travelled).abs() < 5e-9, "{found}");
        }
    }

    /// from −3 m/s to −ε, then through rest to steady creep below ε
    #[test]
    fn thrown_uphill_it_turns_and_creeps() {
        let uphill = block(20.0, [0.6, 0.3], 1e-3, -3.0);
        let highest = uphill.motion(3.0 / (G * (sin(radians(20.0)) + 0.3 * cos(radians(20.0)))));
        assert!((highest.0 + 0.7352061).abs() < 1e-6, "{highest:?}");
        assert!((uphill.motion(2.0).1 - 6.066171e-4).abs() < 5e-10);
    }

    /// started just above and just below ε
    #[test]
    fn it_is_bistable() {
        let run = |share: f64| block(20.0, [0.6, 0.3], 1e-2, share * 1e-2).motion(1.0).1;
        assert!((run(0.99) - 6.0661706e-3).abs() < 1e-9);
        assert!((run(1.01) - 0.599802).abs() < 1e-6);
    }

    /// without friction, also below ε
    #[test]
    fn without_friction_it_falls() {
        let (travelled, speed) = block(30.0, [0.0, 0.0], 1e-3, 0.0).motion(2.0);
        assert!((travelled - G).abs() < 1e-12 && (speed - G).abs() < 1e-12);
    }
}
