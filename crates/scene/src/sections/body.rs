//! `[[body]]`.

use super::contact::ANISOTROPY;
use super::table::*;
use crate::keys::BODY_SHAPES;
use stiction_core::contact::anisotropy::Anisotropy;
use stiction_core::forces::springs::SpringMaterial;

table! {
    /// `[[body]]`. Angles are in degrees, as in the file.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Body: BODY @ place {
        keys {
            name: String = Kind::Text, Required, "its name, unique among bodies";
            material: usize [material] = Kind::Text, Optional("the only material, if there is just one"), "a name of [materials]";
            mass: Option<f64> = number("kg", Positive), Optional("from `density`, or from the shape's own masses"), "mass of the whole body";
            density: Option<f64> = number("kg/m³", Positive), Optional("from `mass`"), "density, for shapes with a volume";
            position: Vector = vector("m"), ZERO, "translation of the shape";
            rotation: Vector = vector("degrees"), ZERO, "rotation about the fixed axes x, then y, then z, before the translation";
            velocity: Vector = vector("m/s"), ZERO, "velocity of the whole body";
            spin: Vector = vector("rad/s"), ZERO, "rate of turn about the centre of mass";
            radius: f64 = number("m", NonNegative), Number(0.0), "radius of its particles for contact";
            thickness: Option<f64> = number("m", Positive), Optional("the body is no elastic sheet or rope"), "of an elastic sheet, or the diameter of an elastic rope";
            prestretch: Option<f64> = number("", Positive), Optional("1, at rest"), "of an elastic body: its lengths at t = 0 over those at rest, alike in all directions";
            rigid: bool = Kind::Flag, Flag(false), "`true`: its particles keep their distances exactly, and its springs are not built; with explicit methods, and without pins";
        }
        parts {
            shape: Choice [shape] = PartContent::Variant(&BODY_SHAPES), Absent::Required, "where its particles are at first";
            springs: SpringTable = PartContent::Table(&SPRINGS), Absent::Empty, "springs by family; a family that is absent has no springs";
            anisotropy: Option<Anisotropy> = PartContent::Table(&ANISOTROPY), Absent::Nothing("the same in all directions"), "other friction across a direction than along it; the direction is the shape's own, placed by `rotation`, and follows the material";
        }
    }
}

table! {
    /// `springs = { edge, face_diagonal, body_diagonal, bend }` of a body, or `springs = { young, damping_time }`.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct SpringTable: SPRINGS {
        keys {
            young: Option<f64> = number("Pa", Positive), Optional("springs have the stiffness of their families"), "Young's modulus E of a lattice, whose edges and face diagonals then have k = 2 E a/5 at the spacing a; its Poisson's ratio is 1/4";
            damping_time: Option<f64> = number("s", NonNegative), Optional("0 with `young`"), "with `young`: c = τ k of these springs";
        }
        parts {
            edge: Option<SpringMaterial> = PartContent::Table(&SPRING), Absent::Nothing("no such springs"), "lattice and mesh edges, links, ropes";
            face_diagonal: Option<SpringMaterial> = PartContent::Table(&SPRING), Absent::Nothing("no such springs"), "both diagonals of every lattice face or cloth cell";
            body_diagonal: Option<SpringMaterial> = PartContent::Table(&SPRING), Absent::Nothing("no such springs"), "the four space diagonals of every lattice cell";
            bend: Option<SpringMaterial> = PartContent::Table(&SPRING), Absent::Nothing("no such springs"), "between second neighbours along a line";
        }
    }
}

table! {
    known SpringMaterial: SPRING {
        keys {
            stiffness: f64 = number("N/m", Positive), Required, "stiffness k";
            damping: f64 = number("N·s/m", NonNegative), Number(0.0), "damping c along the spring";
        }
    }
}

fn material(record: &Record, key: &str, names: &mut Names) -> usize {
    names.material_of(record, key, "[[body]]")
}

/// The shape of a body. Checks that the body has either a mass or a density; it may have neither if
/// its shape has masses.
fn shape(record: &Record, key: &str, names: &mut Names) -> Choice {
    let shape = record.variant(key);
    let given = |key| record.places.contains_key(key);
    let name = quoted(record.text("name").unwrap_or_default());
    if given("mass") && given("density") {
        let message = format!("[[body]] {name} has both `mass` and `density`");
        let help = "keep one of the two; the other follows from it";
        names.fault("E310", (record, "density"), message, help);
    }
    let given = |key| given(key) || record.meant.contains(&key);
    let weighed =
        given("mass") || given("density") || shape.values.has("masses") || names.is_dense(record);
    if !weighed && !shape.name.is_empty() {
        let message = format!("missing key `mass` in [[body]] {name}: a number > 0 in kg");
        let help = "add mass = ... (of the whole body), or density = ... in kg/m³, here or in its material";
        names.fault("E203", (record, "mass"), message, help);
    }
    shape
}
