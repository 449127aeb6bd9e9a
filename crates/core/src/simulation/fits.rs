//! Whether a checkpoint read from a file can be of a run: its lists are as long, and all that it names
//! exists in the model. A checksum guards against damage, not against a file written by others.

use super::{Checkpoint, Simulation};
use crate::math::Vector;
use crate::model::Model;
use crate::state::State;
use crate::state::memory::{Anchor, Contact, ContactKind, Hand, Memory};

impl Simulation {
    /// Whether a checkpoint read from a file can be of this run, after at most `steps` steps: all else
    /// is refused, for it would be read beyond the end of a list, or without end.
    pub fn fits(&self, checkpoint: &Checkpoint, steps: u64) -> bool {
        let Checkpoint { state, origin, watches, .. } = checkpoint;
        state.step_count <= steps
            && *origin == self.origin
            && origin.step <= state.step_count
            && state.time == self.time_at(state.step_count)
            && self.state.fits(state, &self.model)
            && self.watches.fits(watches, &self.model)
    }
}

impl State {
    /// Whether it can be a later state of the run that began with `self`, as far as the model decides:
    /// its lists are as long, all indices are of the model, and its numbers are finite.
    fn fits(&self, later: &State, model: &Model) -> bool {
        let n = model.particles();
        let is_finite = |v: &Vector| v.iter().all(|x| x.is_finite());
        let State { positions, velocities, forces, memory, stretch, past, attitudes, .. } = later;
        let contacts = memory.contacts.len();
        let remembered = if model.carries_stretch() { contacts } else { 0 };
        let of_past = [past.of_positions.len(), past.of_velocities.len()];
        [positions.len(), velocities.len(), forces.len()] == [n; 3]
            && later.first_lost().is_none()
            && forces.iter().chain(stretch).all(is_finite)
            && stretch.len() == remembered
            && of_past.iter().all(|length| [0, n].contains(length))
            && past.of_stretch.len() == past.contacts.len()
            && past.substep.is_finite()
            && past.substep >= 0.0
            && attitudes.len() == self.attitudes.len()
            && attitudes.iter().all(|it| (it.norm() - 1.0).abs() < 1e-3)
            && self.memory.fits(memory, model)
    }
}

impl Memory {
    /// Whether it can be the memory at a later state of the same run: see [`State::fits`].
    fn fits(&self, later: &Memory, model: &Model) -> bool {
        let n = model.particles();
        let on =
            |memory: &Memory| memory.on_curves.iter().map(|it| it.particle).collect::<Vec<_>>();
        let Hand { grip, push } = &later.hand;
        let held = grip.iter().flat_map(|grip| &grip.particles);
        let mut handled = held.chain(push.iter().flat_map(|push| &push.particles));
        later.contacts.iter().all(|contact| contact.fits(model))
            && later.contacts.is_sorted_by_key(|contact| contact.key)
            && on(later) == on(self)
            && handled.all(|i| *i < n)
            && grip.iter().all(|grip| grip.offsets.len() == grip.particles.len())
    }
}

impl Contact {
    /// Whether a model can have it: the particles and colliders that forces are computed with exist, and the
    /// numbers of its force are finite.
    fn fits(&self, model: &Model) -> bool {
        let n = model.particles();
        let known = |particles: &[u32]| particles.iter().all(|i| (*i as usize) < n);
        let (sides, places) = match &self.anchor {
            Anchor::Surface(place) => {
                let colliders = model.surfaces.colliders.len();
                let touched = self.key.collider().is_some_and(|number| number < colliders);
                (touched && known(&[self.key.b]), [*place, *place])
            }
            Anchor::Bodies(anchor) => {
                let of_bodies = match self.key.kind {
                    ContactKind::Collider => false,
                    ContactKind::Edges => true,
                    _ => known(&[self.key.a]),
                };
                let sides = of_bodies && known(&anchor.particles) && known(&anchor.line);
                (sides, [anchor.offset, anchor.axis])
            }
        };
        let [x, y] = places;
        let vectors = [self.point, self.normal, self.slip, self.friction, self.stretch, x, y];
        let numbers = [self.depth, self.normal_force, self.inverse_mass];
        sides
            && (1..=4).contains(&self.ends.count)
            && known(&self.ends.particles)
            && vectors.iter().flat_map(|v| v.iter()).chain(&numbers).all(|x| x.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rotation;
    use crate::state::memory::{ContactKey, Grip};
    use crate::world::shapes::Geometry;
    use crate::world::{Body, Collider, World, named};

    /// A world without bodies.
    fn world() -> World {
        let mut world = World::new();
        world.material(("rubber", 0.5, 0.5));
        world.normal(named("linear").with("stiffness", 1e4));
        world.friction(named("threshold").with("epsilon", 1e-2)).step(1e-4);
        world
    }

    /// Two particles that slide on a plane, and one that is free.
    fn sliding() -> Simulation {
        let positions = [[0.0, 0.0, -1e-3], [1.0, 0.0, -1e-3], [2.0, 0.0, 5.0]].map(Vector::from);
        let shape = Geometry { positions: positions.to_vec(), ..Geometry::default() };
        let mut world = world();
        world.body(Body::new("body", shape).velocity([1.0, 0.0, 0.0]).mass(3.0));
        world.collider(Collider::plane("floor", [0.0, 0.0, 1.0], [0.0; 3]));
        let mut run = world.simulate().expect("a world");
        (0..5).for_each(|_| run.advance().expect("a step"));
        run
    }

    /// Changes a checkpoint of so many particles.
    type Change = fn(&mut Checkpoint, u32);

    /// A checkpoint that names a particle or a collider which the model has not, whose lists have other
    /// lengths, or whose numbers are not finite, is of no run.
    #[test]
    fn checkpoints_of_no_run_do_not_fit() {
        let run = sliding();
        let n = run.model.particles() as u32;
        assert!(run.fits(&run.checkpoint(), 5));
        assert!(!run.fits(&run.checkpoint(), 4), "it is of a later step");
        let changes: [(&str, Change); 22] = [
            ("a particle of a contact", |it, n| it.state.memory.contacts[1].ends.particles[0] = n),
            ("no particle of a contact", |it, _| it.state.memory.contacts[0].ends.count = 0),
            ("five particles of a contact", |it, _| it.state.memory.contacts[0].ends.count = 5),
            ("the particle of a key", |it, n| it.state.memory.contacts[1].key.b = n),
            ("the collider of a key", |it, _| it.state.memory.contacts[1].key.a = 1),
            ("the kind of a key", |it, _| {
                it.state.memory.contacts[1].key.kind = ContactKind::Points;
            }),
            ("the order of contacts", |it, _| it.state.memory.contacts.swap(0, 1)),
            ("a force of a contact", |it, _| it.state.memory.contacts[0].friction.y = f64::NAN),
            ("a depth", |it, _| it.state.memory.contacts[0].depth = f64::INFINITY),
            ("a position", |it, _| it.state.positions[2].x = f64::NAN),
            ("positions", |it, _| it.state.positions.truncate(2)),
            ("velocities", |it, _| it.state.velocities.push(Vector::zeros())),
            ("forces", |it, _| it.state.forces.clear()),
            ("stretches", |it, _| it.state.stretch.push(Vector::zeros())),
            ("earlier positions", |it, _| it.state.past.of_positions.push(Vector::zeros())),
            ("attitudes", |it, _| it.state.attitudes.push(Rotation::identity())),
            ("the time", |it, _| it.state.time += 1e-9),
            ("the step", |it, _| it.state.step_count += 1),
            ("a grip", |it, n| {
                let grip = Grip { particles: vec![n as usize], ..Grip::default() };
                it.state.memory.hand.grip = Some(grip);
            }),
            ("work of friction", |it, _| it.watches.friction_work.dissipated.truncate(2)),
            ("a contact with a body's", |it, _| {
                it.state.memory.contacts[0].key =
                    ContactKey { kind: ContactKind::Line, a: 0, b: 0 };
            }),
            ("the islands of another run", |it, _| it.watches.islands = other().watches.islands),
        ];
        for (what, change) in changes {
            let mut checkpoint = run.checkpoint();
            change(&mut checkpoint, n);
            assert!(!run.fits(&checkpoint, 5), "{what}");
        }
    }

    /// A run of other particles.
    fn other() -> Simulation {
        let mut world = world();
        let shape = Geometry { positions: vec![Vector::zeros()], ..Geometry::default() };
        world.body(Body::new("body", shape).mass(1.0));
        world.simulate().expect("a world")
    }
}
