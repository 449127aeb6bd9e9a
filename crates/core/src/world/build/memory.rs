//! Memory of a world, estimated from its shapes and methods and reserved once before anything is made.
//!
//! It counts bytes per particle, spring and triangle, as measured by `tests/program/memory.rs`, and those of
//! the contacts at the start: how many a run will have, only the run decides.

use super::factors::factors;
use crate::forces::elements::Elements;
use crate::forces::springs::Springs;
use crate::integrators::Integrator;
use crate::linear::MatrixForm;
use crate::world::builder::World;
use crate::world::error::WorldError;
use crate::world::shapes::BodyShape;

/// The program itself \[bytes\].
const PROGRAM: u128 = 30 << 19;

/// Vectors of three numbers \[bytes\].
const VECTOR: u128 = 24;

/// A particle while its body is made: position in the shape and in the world, velocity, mass, and its
/// connected component.
const PLACED: u128 = 3 * VECTOR + 8 + 8;

/// A spring that a shape lists while it is made.
const LISTED: u128 = 32;

/// Bytes of a spring of the model: first when it is finished, then while its list grows. A spring
/// made by a shape's rule lies in a row of up to eight, which takes 16 bytes (`RULED`); another has
/// two ends, rest length and material (`SPRING`).
const RULED: [u128; 2] = [2, 6];
const SPRING: [u128; 2] = [20, 40];

/// A tetrahedron \[bytes\]: its corners in the model and in its body, and, apart from lattices, which repeat
/// them, its shape; first as made by its shape, as an element, and with the key it is sorted by.
const TETRAHEDRON: [u128; 2] = [112, 312];

/// Memory of implicit methods for a tetrahedron: the numbers of its edges, the blocks of these, and what pairs with
/// another block on their other side take.
const TETRAHEDRON_SOLVED: u128 = 400;

/// Tetrahedra that take as much as a triangle of a sheet with its bending, by the sizes of what they store: not measured.
const SHEET: u128 = 3;

/// Edges of tetrahedra for each of them, in a lattice.
const EDGES: f64 = 7.0 / 6.0;

/// A particle of a run \[bytes\]: the state's vectors 72 and their copies of the step's start 48;
/// masses, inverse masses and reference of the model 56; gravity's masses 8; radii and inverse masses of
/// contact 16; the watch over friction 4; work of friction and distance slid 16; blocks of rows 2; the
/// rest is the allocator's.
const PARTICLE: u128 = 228;

/// A particle without connections \[bytes\]: it is an island with an audit of its own.
const ISLAND: u128 = 900;

/// A body \[bytes\]: its section of the scene, as read and as set, and its rows in the summary; and what a row
/// about its drift adds where it touches something.
const BODY: u128 = 4900;
const TOUCHING_BODY: u128 = 4200;

/// Contact between bodies: the detector's memory per particle, and per byte of triangles and segments,
/// for their edges, boxes and candidates.
const DETECTED: u128 = 44;
const DETECTED_SURFACE: u128 = 12;

/// Memory of implicit methods for a particle and for a spring: Newton's vectors and the blocks of the
/// matrix, in the symmetric form (six numbers, first in a list, then in strips) and in the full one (nine).
const SYMMETRIC: [u128; 2] = [500, 96];
const FULL: [u128; 2] = [568, 80];

/// A contact with its watches \[bytes\]: as a force, and by a method that jumps velocities.
const CONTACT: u128 = 3200;
const JUMPING_CONTACT: u128 = 7600;

/// Sizes of one body.
struct Size {
    particles: u128,
    springs: u128,
    /// of an elastic body, or as many as take the same memory
    tetrahedra: u128,
    is_solid: bool,
    /// springs in rows
    ruled: u128,
    /// springs listed by its shape
    listed: u128,
    /// extra bytes while its shape is made
    making: u128,
    /// bytes of its triangles, segments and tetrahedra
    surface: u128,
    /// particles without connections
    loose: u128,
}

/// The estimated memory of a world.
pub(super) struct Needs<'a> {
    world: &'a World,
    method: &'a dyn Integrator,
    allowed: u128,
    sizes: Vec<Size>,
}

impl<'a> Needs<'a> {
    /// The needs of no body yet; `allowed` is the limit \[bytes\].
    pub fn of(world: &'a World, method: &'a dyn Integrator, allowed: u64) -> Self {
        Needs { world, method, allowed: u128::from(allowed), sizes: Vec::new() }
    }

    /// Adds the next body; `elastic`: it is made of elements.
    pub fn add(&mut self, shape: &dyn BodyShape, elastic: bool) {
        let body = &self.world.bodies[self.sizes.len()];
        let families = body.springs.map(|family| family.is_some() && !body.rigid);
        let (particles, all) = shape.size();
        let springs = shape.springs_of(families);
        let (ruled, listed) = if shape.rule().is_some() { (springs, 0) } else { (0, all) };
        let tetrahedra = match shape.solid_size() {
            _ if !elastic => 0,
            // of a sheet, by its triangles, or of a rope
            0 => (shape.surface() / 12).saturating_mul(SHEET),
            tetrahedra => tetrahedra,
        };
        let loose = if springs == 0 && tetrahedra == 0 && !body.rigid { particles } else { 0 };
        let (making, surface) = (shape.making(), shape.surface());
        let is_solid = shape.solid_size() > 0;
        let size = Size {
            particles,
            springs,
            tetrahedra,
            is_solid,
            ruled,
            listed,
            making,
            surface,
            loose,
        };
        self.sizes.push(size);
    }

    /// Allocates all needed memory at once and frees it again, so that a lack of memory is reported
    /// before anything is made.
    ///
    /// # Errors
    /// The bodies need more than the limit, reported at the first body beyond it, or more than the
    /// system gives.
    pub fn ask(&self) -> Result<(), WorldError> {
        let needed = self.needed(&self.sizes);
        let many = |sizes: &[Size]| sizes.iter().any(|s| s.particles > u128::from(u32::MAX));
        let beyond = |sizes: &[Size]| many(sizes) || self.needed(sizes) > self.allowed;
        if !beyond(&self.sizes) {
            return ask_for(needed);
        }
        // what is needed grows with every body
        let (mut within, mut number) = (0, self.sizes.len() - 1);
        while within < number {
            let middle = (within + number) / 2;
            if beyond(&self.sizes[..=middle]) { number = middle } else { within = middle + 1 }
        }
        Err(self.too_large(number, needed, String::new()))
    }

    /// Asks again once springs and elements are known, since the size of a direct solver's factors follows from
    /// them. Returns the bytes needed by bodies and factors.
    ///
    /// # Errors
    /// Bodies and factors need more than the limit, or more than the system gives.
    pub(crate) fn ask_with_factors(
        &self,
        joins: (&Springs, &Elements),
    ) -> Result<u128, WorldError> {
        let (needed, particles) = (self.needed(&self.sizes), sum(&self.sizes, |s| s.particles));
        let solver = self.method.linear_solver(particles as usize);
        let Some(memory) = solver.and_then(|(solver, _)| solver.factor_memory()) else {
            return Ok(needed);
        };
        let counted = factors(memory, joins, particles as usize);
        let counted = counted.map_err(|_| WorldError::OutOfMemory { needed: bytes(needed) })?;
        let needed = needed.saturating_add(counted);
        if needed > self.allowed {
            let share = bytes(counted);
            let of_it =
                format!(", {share} of it for the factors of `{}`; `pcg` makes none", memory.solver);
            return Err(self.too_large(self.largest(), needed, of_it));
        }
        ask_for(needed).map(|()| needed)
    }

    /// Adds to the bytes needed without contacts those of so many contacts.
    ///
    /// # Errors
    /// They need more than the limit, or more than the system gives.
    pub fn ask_with_contacts(
        &self,
        without: u128,
        contacts: usize,
        jump: bool,
    ) -> Result<u64, WorldError> {
        let each = if jump { JUMPING_CONTACT } else { CONTACT };
        let share =
            contacts as u128 * each + contacts.min(self.sizes.len()) as u128 * TOUCHING_BODY;
        let needed = without.saturating_add(share);
        if needed > self.allowed {
            let of_it = format!(", {} of it for {contacts} contacts at the start", bytes(share));
            return Err(self.too_large(self.largest(), needed, of_it));
        }
        ask_for(share)?;
        Ok(u64::try_from(needed).unwrap_or(u64::MAX))
    }

    /// The number of the body with the most particles.
    fn largest(&self) -> usize {
        (0..self.sizes.len()).max_by_key(|n| self.sizes[*n].particles).unwrap_or(0)
    }

    /// Bytes of some bodies without the factors of direct solvers: the larger of building and run.
    fn needed(&self, sizes: &[Size]) -> u128 {
        let (particles, springs) = (sum(sizes, |s| s.particles), sum(sizes, |s| s.springs));
        let making = sizes.iter().map(|s| s.making).max().unwrap_or(0);
        let listed = sum(sizes, |s| s.listed).saturating_mul(LISTED).saturating_add(making);
        let ruled = sum(sizes, |s| s.ruled);
        let of_springs = |phase: usize| {
            let others = springs.saturating_sub(ruled).saturating_mul(SPRING[phase]);
            ruled.saturating_mul(RULED[phase]).saturating_add(others)
        };
        let tetrahedra = sum(sizes, |s| s.tetrahedra);
        let of_elements = |phase: usize| tetrahedra.saturating_mul(TETRAHEDRON[phase]);
        let mut surface = sum(sizes, |s| s.surface);
        let built = particles
            .saturating_mul(PLACED)
            .saturating_add(listed)
            .saturating_add(of_springs(1))
            .saturating_add(of_elements(1))
            .saturating_add(surface);
        let mut of_particle = PARTICLE + VECTOR * u128::from(self.method.vectors_kept());
        if self.world.between_bodies || self.world.self_contact {
            of_particle += DETECTED;
            surface = surface.saturating_mul(1 + DETECTED_SURFACE);
        }
        let kept = particles
            .saturating_mul(of_particle)
            .saturating_add(of_springs(0))
            .saturating_add(of_elements(0))
            .saturating_add(self.solved(particles, springs, tetrahedra))
            .saturating_add(sum(sizes, |s| s.loose).saturating_mul(ISLAND))
            .saturating_add(surface);
        built.max(kept).saturating_add(sizes.len() as u128 * BODY).saturating_add(PROGRAM)
    }

    /// Bytes of an implicit method without factors.
    fn solved(&self, particles: u128, springs: u128, tetrahedra: u128) -> u128 {
        let count = usize::try_from(particles).unwrap_or(usize::MAX);
        let [particle, spring] = match self.method.linear_solver(count) {
            Some((_, MatrixForm::Symmetric)) => SYMMETRIC,
            Some((_, MatrixForm::Full)) => FULL,
            None => return 0,
        };
        let pairs = springs.saturating_add((tetrahedra as f64 * EDGES) as u128);
        particles
            .saturating_mul(particle)
            .saturating_add(pairs.saturating_mul(spring))
            .saturating_add(tetrahedra.saturating_mul(TETRAHEDRON_SOLVED))
    }

    fn too_large(&self, number: usize, needed: u128, of_it: String) -> WorldError {
        let Size { particles, springs, tetrahedra, .. } = self.sizes[number];
        WorldError::TooLarge {
            number,
            body: self.world.bodies[number].name.clone(),
            particles,
            connections: match tetrahedra {
                0 => format!("{springs} springs"),
                _ => of_shape(tetrahedra, self.sizes[number].is_solid),
            },
            needed: bytes(needed),
            of_it,
            allowed: bytes(self.allowed),
        }
    }
}

fn of_shape(tetrahedra: u128, is_solid: bool) -> String {
    match is_solid {
        true => format!("{tetrahedra} tetrahedra"),
        false => format!("about {} triangles or segments", tetrahedra / SHEET),
    }
}

fn sum(sizes: &[Size], of: impl Fn(&Size) -> u128) -> u128 {
    sizes.iter().fold(0, |sum, size| sum.saturating_add(of(size)))
}

/// Whether the system can allocate so many bytes at once.
fn ask_for(needed: u128) -> Result<(), WorldError> {
    let mut room: Vec<u8> = Vec::new();
    let had = usize::try_from(needed).is_ok_and(|n| room.try_reserve_exact(n).is_ok());
    // an unused allocation might be optimised away
    std::hint::black_box(&room);
    if had { Ok(()) } else { Err(WorldError::OutOfMemory { needed: bytes(needed) }) }
}

/// A size in bytes for people.
fn bytes(n: u128) -> String {
    const UNITS: [(&str, u32); 4] = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)];
    for (unit, shift) in UNITS {
        if n >> shift >= 1 {
            return format!("{:.1} {unit}", n as f64 / (1u128 << shift) as f64);
        }
    }
    format!("{n} bytes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::detect::{BodyOutline, Detector};
    use crate::integrators::symplectic_euler::SymplecticEuler;
    use crate::math::Vector;
    use crate::world::Body;
    use crate::world::shapes::Geometry;

    /// A world of loose particles, and its shape.
    fn cloud(count: u32) -> (World, Geometry) {
        let positions = (0..count).map(|k| Vector::x() * f64::from(k)).collect();
        let shape = Geometry { positions, ..Geometry::default() };
        let mut world = World::new();
        world.body(Body::new("cloud", shape.clone()).mass(1.0).radius(0.1));
        (world, shape)
    }

    fn needed(world: &World, shape: &Geometry) -> i128 {
        let mut needs = Needs::of(world, &SymplecticEuler, u64::MAX);
        needs.add(shape, false);
        needs.needed(&needs.sizes) as i128
    }

    /// The memory that contact between bodies adds is that of its detector.
    #[test]
    fn contact_between_bodies_needs_what_its_detector_takes() {
        let (mut world, shape) = cloud(10_000);
        let alone = needed(&world, &shape);
        let radii = vec![0.1; shape.positions.len()];
        let outline = BodyOutline {
            particles: 0..radii.len(),
            triangles: &[],
            segments: &[],
            radii: &radii,
            reference: &shape.positions,
        };
        let mut kept = None;
        let taken = allocation_counter::measure(|| {
            kept = Some(Detector::new(&[outline], false, true));
        });
        assert!(kept.is_some());
        for (between, within) in [(true, false), (false, true)] {
            world.between_bodies(between).self_contact(within);
            let more = (needed(&world, &shape) - alone) as f64;
            let share = more / taken.bytes_current as f64;
            assert!((0.8..1.25).contains(&share), "{more} bytes, {taken:?}");
        }
    }
}
