//! A box, or the inside of one.

use super::plane::Plane;
use super::sphere::{CENTER, INSIDE};
use super::{ColliderForm, Gap, Shape};
use crate::math::{Matrix, Vector, radians, rotation_xyz};
use crate::registry::{Entry, Fallback, Key, Kind, Page, Problem};

/// Solid box. The hollow box consists of six planes, so a particle in a corner touches each wall
/// separately.
#[derive(Debug, Clone, Copy)]
pub struct Cuboid {
    /// Centre \[m\].
    pub center: Vector,
    /// Half of each edge length \[m\].
    pub half: Vector,
    /// From the box's axes to the world's.
    pub rotation: Matrix,
    /// Contact on the inside.
    pub inside: bool,
}

/// Its row.
pub const ENTRY: Entry<dyn Shape> = Entry {
    name: "box",
    about: "box, or the inside of one; by center and size, or by min and max",
    keys: &[
        CENTER,
        Key {
            name: "size",
            kind: Kind::Vector { unit: "m", nonzero: true },
            default: Fallback::Optional("or give min and max"),
            about: "full edge lengths",
        },
        Key {
            name: "min",
            kind: Kind::Vector { unit: "m", nonzero: false },
            default: Fallback::Optional("instead of center and size"),
            about: "lower corner",
        },
        Key {
            name: "max",
            kind: Kind::Vector { unit: "m", nonzero: false },
            default: Fallback::Optional("instead of center and size"),
            about: "upper corner",
        },
        Key {
            name: "rotation",
            kind: Kind::Vector { unit: "degrees", nonzero: false },
            default: Fallback::Vector([0.0, 0.0, 0.0]),
            about: "rotation about x, then y, then z through the centre",
        },
        INSIDE,
    ],
    page: Page {
        formula: "The distance to the surface of the box [m], negative inside; with `inside`, to its six walls, each a contact of its own",
        creep: "",
        stiffness: "",
        when: "Blocks, tables and stairs; with `inside` a room. A particle that is pushed to an edge feels the nearest face.",
        source: "",
    },
    make: |values| {
        let corners = (values.get_vector("min"), values.get_vector("max"));
        let (center, size) = match (corners, values.get_vector("size")) {
            ((Some(min), Some(max)), None) => ((min + max) * 0.5, max - min),
            ((None, None), Some(size)) => (values.vector("center"), size),
            _ => {
                return Err(Problem {
                    key: None,
                    message: "a box is given either by `size` (and `center`) or by `min` and `max`"
                        .into(),
                    help: "for example box = { center = [0, 0, 0.5], size = [1, 1, 1] }".into(),
                });
            }
        };
        if size.min() <= 0.0 {
            return Err(Problem::of(
                if values.has("size") { "size" } else { "max" },
                format!("the box's edges are {}, {} and {} m", size.x, size.y, size.z),
                "every edge must be longer than zero",
            ));
        }
        Ok(Box::new(Cuboid {
            center,
            half: size * 0.5,
            rotation: rotation_xyz(values.vector("rotation").map(radians)),
            inside: values.flag("inside"),
        }))
    },
};

impl Cuboid {
    /// The point of box coordinates `local`, in the world \[m\].
    pub fn place(&self, local: Vector) -> Vector {
        self.rotation * local + self.center
    }
}

impl Shape for Cuboid {
    fn gap(&self, p: Vector) -> Gap {
        let local = self.rotation.tr_mul(&(p - self.center));
        let beyond = local.abs() - self.half;
        let sign = |x: f64| if x < 0.0 { -1.0 } else { 1.0 };
        let outside = beyond.map(|x| if x > 0.0 { x } else { 0.0 });
        let distance = outside.norm();
        if distance > 0.0 {
            let normal = Vector::new(
                outside.x * sign(local.x),
                outside.y * sign(local.y),
                outside.z * sign(local.z),
            ) / distance;
            return Gap { distance, normal: self.rotation * normal };
        }
        // inside the solid: the nearest face
        let face = beyond.imax();
        let mut normal = Vector::zeros();
        normal[face] = sign(local[face]);
        Gap { distance: beyond[face], normal: self.rotation * normal }
    }

    fn center(&self) -> Vector {
        self.center
    }

    fn half_thickness(&self) -> f64 {
        if self.inside { f64::INFINITY } else { self.half.min() }
    }

    fn parts(self: Box<Self>) -> Vec<Box<dyn Shape>> {
        if !self.inside {
            return vec![self];
        }
        let mut walls: Vec<Box<dyn Shape>> = Vec::with_capacity(6);
        for axis in 0..3 {
            for side in [-1.0, 1.0] {
                let mut outward = Vector::zeros();
                outward[axis] = side;
                let point = self.place(outward.component_mul(&self.half));
                walls.push(Box::new(Plane { normal: self.rotation * -outward, point }));
            }
        }
        walls
    }

    fn form(&self) -> ColliderForm<'_> {
        ColliderForm::Cuboid(self)
    }
}
