//! Passages through colliders between two instants: what no force at either of them shows.

use super::collider::Collider;
use super::surfaces::Surfaces;
use crate::math::{Vector, larger, smaller};

/// Pieces of a step below which a substep is not cut.
const MOST: f64 = 256.0;

/// Points of a path at which distances are asked, at most.
const ASKED: usize = 4096;

/// A passage is deeper than both its ends by this share of the path, or of half the thickness of what
/// is passed, where that is less.
const DEEPER: [f64; 2] = [0.01, 0.5];

/// Whether the thickness of a collider is known.
fn is_thickness_known(collider: &Collider) -> bool {
    collider.shape.half_thickness().is_finite()
}

/// All particles at two instants: times \[s\] and positions \[m\].
#[derive(Debug, Clone, Copy)]
pub struct Ways<'a> {
    /// Where they began.
    pub from: (f64, &'a [Vector]),
    /// Where they ended.
    pub to: (f64, &'a [Vector]),
}

impl Surfaces {
    /// The colliders that a straight way can pass through: all but half-spaces.
    fn with_two_sides(&self) -> impl Iterator<Item = &Collider> + '_ {
        self.colliders.iter().filter(|collider| !collider.shape.is_half_space())
    }

    /// Whether there is anything to pass through.
    pub fn can_be_passed(&self) -> bool {
        self.with_two_sides().next().is_some()
    }

    /// The displacement below which a particle passes through nothing \[m\]: half the thickness of the
    /// collider and the particle; the particle's radius, where the collider's is not known.
    fn harmless(&self, collider: &Collider, particle: usize) -> f64 {
        let half = if is_thickness_known(collider) { collider.shape.half_thickness() } else { 0.0 };
        self.radii[particle] + half
    }

    /// Calls `visit` with the collider, the particle and a depth \[m\] for every straight way, as seen
    /// from the collider, that was deeper in it by so much than both its ends. Ways shorter than
    /// `least` \[m\] are not asked.
    pub fn for_each_passage(
        &self,
        ways: &Ways,
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

    /// By how much a straight way is deeper than both its ends \[m\], if it is.
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
        // two balls about the ends in which nothing is hold all of the way
        if first + last >= length {
            return None;
        }
        let shallow = smaller(smaller(first, last), 0.0);
        let (mut done, mut deepest) = (0.0, shallow);
        // a distance away from the surface nothing is missed, and at it no half thickness
        let piece = larger(0.5 * harmless, length / ASKED as f64);
        while done < length {
            let here = gap(from + (to - from) * (done / length));
            deepest = smaller(deepest, here);
            done += larger(here.abs(), piece);
        }
        let deeper = shallow - deepest;
        (deeper > smaller(DEEPER[0] * length, DEEPER[1] * harmless)).then_some(deeper)
    }

    /// The longest substep in which no particle goes through a collider unseen \[s\], `h` where none
    /// comes so far: as far as the surface, and within it or near it half its thickness at a time.
    /// `accelerations` are those of the particles at `time` \[m/s²\].
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
                // what touches is seen; only through it may be gone
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
