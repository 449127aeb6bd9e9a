//! Passages through colliders between two instants: no force at either instant shows them.

use super::collider::Collider;
use super::surfaces::Surfaces;
use crate::math::{Vector, larger, smaller};

/// A substep is no shorter than the step over this.
const MOST: f64 = 256.0;

/// Largest number of distances evaluated along a path.
const ASKED: usize = 4096;

/// A passage is deeper than both its ends by more than the first share of the path, or the second share
/// of the harmless displacement, whichever is less.
const DEEPER: [f64; 2] = [0.01, 0.5];

/// Whether the thickness of a collider is known.
fn is_thickness_known(collider: &Collider) -> bool {
    collider.shape.half_thickness().is_finite()
}

/// Whether a collider has another side at an unknown distance.
pub(crate) fn is_thickness_unknown(collider: &Collider) -> bool {
    !collider.shape.is_half_space() && !is_thickness_known(collider)
}

/// All particles at two instants: times \[s\] and positions \[m\].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paths<'a> {
    /// Start.
    pub from: (f64, &'a [Vector]),
    /// End.
    pub to: (f64, &'a [Vector]),
}

impl Surfaces {
    /// The colliders that a straight path can pass through: all but half-spaces.
    fn with_two_sides(&self) -> impl Iterator<Item = &Collider> + '_ {
        self.colliders.iter().filter(|collider| !collider.shape.is_half_space())
    }

    /// Whether any collider can be passed through.
    pub(crate) fn can_be_passed(&self) -> bool {
        self.with_two_sides().next().is_some()
    }

    /// The displacement below which a particle passes through nothing \[m\]: its radius plus half the
    /// collider's thickness, where that is known.
    fn harmless(&self, collider: &Collider, particle: usize) -> f64 {
        let half = if is_thickness_known(collider) { collider.shape.half_thickness() } else { 0.0 };
        self.radii[particle] + half
    }

    /// Calls `visit` with collider, particle and depth \[m\] for every passage: a straight path,
    /// relative to the collider, that is deeper in it than both ends by more than `DEEPER`. Paths
    /// shorter than `least` \[m\] are skipped.
    pub(crate) fn for_each_tunnelling(
        &self,
        ways: &Paths,
        least: f64,
        mut visit: impl FnMut(&Collider, usize, f64),
    ) {
        for collider in self.with_two_sides() {
            let [start, end] = [ways.from.0, ways.to.0].map(|time| collider.motion.pose(time));
            let rest = collider.motion.is_rest();
            for (i, (from, to)) in ways.from.1.iter().zip(ways.to.1).enumerate() {
                let harmless = larger(self.harmless(collider, i), least);
                let (from, to) = match rest {
                    true => (*from, *to),
                    false => (start.to_shape(*from), end.to_shape(*to)),
                };
                if (to - from).norm_squared() > harmless * harmless
                    && let Some(depth) = self.deeper_between(collider, i, [from, to], harmless)
                {
                    visit(collider, i, depth);
                }
            }
        }
    }

    /// Depth of a straight path beyond that of both its ends \[m\], if it is a passage.
    fn deeper_between(
        &self,
        collider: &Collider,
        particle: usize,
        [from, to]: [Vector; 2],
        harmless: f64,
    ) -> Option<f64> {
        let length = (to - from).norm();
        let gap = |p: Vector| collider.shape.gap(p).distance - self.radii[particle];
        let (first, last) = (gap(from), gap(to));
        // the balls of free space about the two ends cover the whole path
        if first + last >= length {
            return None;
        }
        let shallow = smaller(smaller(first, last), 0.0);
        let (mut done, mut deepest) = (0.0, shallow);
        // advance by the distance to the surface, at least half the harmless displacement
        let piece = larger(0.5 * harmless, length / ASKED as f64);
        while done < length {
            let here = gap(from + (to - from) * (done / length));
            deepest = smaller(deepest, here);
            done += larger(here.abs(), piece);
        }
        let deeper = shallow - deepest;
        (deeper > smaller(DEEPER[0] * length, DEEPER[1] * harmless)).then_some(deeper)
    }

    /// The longest substep in which no particle can pass through a collider unseen \[s\], at most `h`:
    /// each moves at most its gap to the surface or half its harmless displacement, whichever is larger.
    /// The substep is at least h/256. `acceleration` is that of a particle at `time` \[m/s²\].
    pub fn longest_substep(
        &self,
        time: f64,
        h: f64,
        [positions, velocities]: [&[Vector]; 2],
        acceleration: impl Fn(usize) -> Vector,
    ) -> f64 {
        let mut longest = h;
        for collider in self.with_two_sides() {
            let pose = collider.motion.pose(time);
            for (i, (x, v)) in positions.iter().zip(velocities).enumerate() {
                let surface = match collider.motion.is_rest() {
                    true => Vector::zeros(),
                    false => pose.surface_velocity(*x, Vector::zeros()) - collider.motion.belt,
                };
                let speed = (v - surface).norm() + acceleration(i).norm() * longest;
                let harmless = self.harmless(collider, i);
                if speed * longest <= harmless {
                    continue;
                }
                let gap = collider.shape.gap(pose.to_shape(*x)).distance - self.radii[i];
                // a particle in contact is seen; it can be lost only through a known thickness
                if gap > speed * longest || gap <= 0.0 && !is_thickness_known(collider) {
                    continue;
                }
                let step = larger(larger(gap, 0.5 * harmless), speed * h / MOST);
                longest = smaller(longest, step / speed);
            }
        }
        longest
    }
}
