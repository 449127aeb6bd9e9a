//! The surfaces of a scene. They find contacts and do not know the laws.

use super::anisotropy::LawFrame;
use super::collider::{Collider, Gap};
use super::detect::{Detector, Proximity};
use super::material_frame::MaterialGrain;
use super::pair::Pairs;
use super::touch::{Sides, Touch};
use crate::forces::crew::{Awake, Crew};
use crate::forces::pieces::Pieces;
use crate::math::Vector;
use crate::state::Configuration;
use crate::state::memory::{Candidates, Contact};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A particle, and its gap to a collider.
pub(super) type Found = (usize, Gap);

/// All surfaces that particles and bodies can touch.
pub struct Surfaces {
    /// The colliders.
    pub colliders: Vec<Collider>,
    /// Contact radius of each particle \[m\].
    pub radii: Vec<f64>,
    /// 1/m_i \[1/kg\]; zero for particles held on all axes.
    pub inverse_masses: Vec<f64>,
    /// Coefficients of the materials of each collider and each body.
    pub pairs: Pairs,
    /// Anisotropy fixed to the material of each body; empty for none.
    pub grains: Vec<Option<MaterialGrain>>,
    /// Distance from a costly collider within which a particle is checked at every evaluation \[m\]; no
    /// result depends on it.
    pub slack: f64,
    /// Contact between bodies, if any.
    pub between: Option<BetweenBodies>,
    /// First particle of each body, ascending, then the number of particles.
    pub starts: Vec<usize>,
    /// Whether any friction depends on the direction of slip.
    pub anisotropic: bool,
    /// Whether each body is rigid, so that its simultaneous contacts share its mass; empty where no
    /// damping depends on that.
    pub shared: Vec<bool>,
    /// The threads that share the particles.
    pub crew: Arc<Crew>,
    /// Storage for what they find near a collider.
    pub found: Mutex<Vec<Vec<Found>>>,
}

/// Contact between bodies, and within them.
pub struct BetweenBodies {
    /// Finds proximities.
    pub detector: Detector,
    /// Coefficients of the materials of two bodies.
    pub pairs: Pairs,
    /// Threads for detection where no others share the particles; none for few parts.
    pub(crate) crew: Option<Crew>,
    /// Storage for what threads find.
    pub(crate) found: Mutex<Pieces<Proximity>>,
}

/// Extent of a search for contacts.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Search {
    /// Largest gap of a contact found \[m\].
    pub range: f64,
    /// Whether contacts are looked up in the memory.
    pub recall: bool,
    /// Whether contacts act by impulses: particles that their own surface shields are left out.
    pub by_impulses: bool,
}

impl BetweenBodies {
    /// Contact between bodies of these pairs of materials, detected by one thread.
    pub fn new(detector: Detector, pairs: Pairs) -> Self {
        BetweenBodies { detector, pairs, crew: None, found: Mutex::default() }
    }
}

impl Surfaces {
    /// Whether there is anything to touch.
    pub fn any(&self) -> bool {
        !self.colliders.is_empty() || self.between.is_some()
    }

    /// Lets up to `threads` threads detect contact between bodies, where it may have enough candidates and
    /// no threads share the particles.
    pub(crate) fn share_detection(&mut self, threads: usize) {
        if let Some(between) = self.between.as_mut().filter(|_| self.crew.is_alone()) {
            between.crew = between.detector.crew(threads);
        }
    }

    /// The threads that detect contact between bodies.
    pub(super) fn detecting(&self) -> &Crew {
        self.between.as_ref().and_then(|between| between.crew.as_ref()).unwrap_or(&self.crew)
    }

    /// Keeps the threads that will share the particles or the candidates awake until the result is dropped.
    pub(crate) fn wake(&self, candidates: &Candidates) -> Option<Awake> {
        let detecting = self.detecting();
        let needed = !self.crew.is_alone() || Detector::shares(candidates);
        needed.then(|| detecting.wake())
    }

    /// The body of a particle.
    pub(super) fn body_of(&self, particle: usize) -> usize {
        self.starts.partition_point(|start| *start <= particle) - 1
    }

    /// Whether contacts of a body share its mass.
    pub(super) fn is_shared(&self, body: usize) -> bool {
        self.shared.get(body).is_some_and(|shared| *shared)
    }

    /// Calls `visit` for every contact, and every pair within range, in the order of keys.
    pub(super) fn for_each_touch(
        &self,
        at: &Configuration,
        search: Search,
        mut visit: impl FnMut(&mut Touch),
    ) {
        self.for_each_on_colliders(at, search, &mut visit);
        if at.lag.normal_contact {
            self.for_each_committed_between(at, &mut visit);
        } else if self.between.is_some() {
            self.for_each_between(at, search, &self.candidates(at, search.range), &mut visit);
        }
    }

    /// Completes a new contact at a trial point by its memory, its slip and its anisotropy. `relative`
    /// is the velocity relative to the touched surface \[m/s\].
    #[inline(always)]
    pub(super) fn complete(
        &self,
        touch: &mut Touch,
        relative: Vector,
        known: Option<(usize, &Contact)>,
        at: &Configuration,
    ) {
        if let Some((number, contact)) = known {
            touch.recall(number, contact, at);
        }
        touch.see(relative);
        if self.anisotropic {
            touch.grain = self.grain(touch, at);
        }
    }

    /// Anisotropy of a contact: the collider's, else that of the first side whose material has one.
    fn grain(&self, touch: &Touch, at: &Configuration) -> Option<super::anisotropy::Grain> {
        match touch.meeting {
            Sides::Collider { collider, particle, pose } => {
                if let Some(anisotropy) = &self.colliders[collider].anisotropy {
                    let direction = pose.direction_to_world(anisotropy.direction);
                    return anisotropy.at(direction, touch.basis, touch.slip.velocity);
                }
                self.material_grain(particle, touch.slip.velocity, touch, at)
            }
            Sides::Bodies(proximity) => {
                // seen from the second side the slip is opposite
                let sides = [(0, 1.0), (proximity.count - 1, -1.0)];
                sides.into_iter().find_map(|(place, sense)| {
                    let particle = proximity.particles[place] as usize;
                    self.material_grain(particle, touch.slip.velocity * sense, touch, at)
                })
            }
        }
    }

    /// Transformation between contact and friction law on a collider with anisotropy.
    pub(crate) fn law_frame(&self, contact: &Contact, time: f64) -> Option<LawFrame> {
        let collider = &self.colliders[contact.key.collider()?];
        let anisotropy = collider.anisotropy.as_ref()?;
        let direction = collider.motion.pose(time).direction_to_world(anisotropy.direction);
        anisotropy.at(direction, contact.normal, contact.slip)?.frame()
    }

    fn material_grain(
        &self,
        particle: usize,
        slip: Vector,
        touch: &Touch,
        at: &Configuration,
    ) -> Option<super::anisotropy::Grain> {
        if self.grains.is_empty() {
            return None;
        }
        let material = self.grains.get(self.body_of(particle))?.as_ref()?;
        material.anisotropy.at(material.direction(particle, at.positions), touch.basis, slip)
    }

    /// The depth beyond which the side of entry may be mistaken \[m\].
    pub(super) fn deepest(&self, meeting: &Sides) -> f64 {
        match (meeting, &self.between) {
            (Sides::Bodies(proximity), Some(between)) => between.detector.deepest(proximity),
            (Sides::Collider { collider, particle, .. }, _) => {
                0.9 * (self.colliders[*collider].shape.half_thickness() + self.radii[*particle])
            }
            (Sides::Bodies(_), None) => unreachable!("bodies only meet where they are looked at"),
        }
    }
}

/// The storage of threads; contents that a panic left are cleared before use.
pub(super) fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
