//! `[[collider]]`.

use super::contact::ANISOTROPY;
use super::table::*;
use crate::keys::COLLIDER_SHAPES;
use stiction_core::contact::anisotropy::Anisotropy;

table! {
    /// `[[collider]]`.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Collider: COLLIDER @ place {
        keys {
            name: String = Kind::Text, Required, "its name, unique among colliders";
            material: usize [material] = Kind::Text, Optional("the only material, if there is just one"), "a name of [materials]";
        }
        parts {
            shape: Choice = PartContent::Variant(&COLLIDER_SHAPES), Absent::Required, "its surface";
            motion: Motion = PartContent::Table(&MOTION), Absent::Empty, "how it moves; the kinds of motion may be combined";
            anisotropy: Option<Anisotropy> = PartContent::Table(&ANISOTROPY), Absent::Nothing("the same in all directions"), "other friction across a direction than along it; it turns with the shape";
        }
    }
}

fn material(record: &Record, key: &str, names: &mut Names) -> usize {
    names.material_of(record, key, "[[collider]]")
}

table! {
    /// `motion = { velocity, spin, oscillate, belt }` of a collider; they may be combined.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Motion: MOTION {
        keys {
            velocity: Vector = vector("m/s"), ZERO, "velocity of the shape";
        }
        parts {
            spin: Option<Spin> = PartContent::Table(&SPIN), Absent::Nothing("it does not turn"), "turns the shape";
            oscillate: Option<Oscillation> = PartContent::Table(&OSCILLATE), Absent::Nothing("it does not shake"), "shakes the shape: displacement amplitude·sin(2π·frequency·t + phase)";
            belt: Belt = PartContent::Table(&BELT), Absent::Empty, "moves only the surface, while the shape stays";
        }
    }
}

table! {
    /// `spin = { axis, rate, center }`.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub struct Spin: SPIN {
        keys {
            axis: Vector = DIRECTION, Required, "axis of turning, of any length";
            rate: f64 = number("rad/s", Any), Required, "rate of turn, right-handed";
            center: Option<Vector> = vector("m"), Optional("the shape's own centre"), "a point on the axis";
        }
    }
}

table! {
    /// `oscillate = { direction, amplitude, frequency, phase }`.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub struct Oscillation: OSCILLATE {
        keys {
            direction: Vector = DIRECTION, Required, "direction of the shaking, of any length";
            amplitude: f64 = number("m", NonNegative), Required, "amplitude";
            frequency: f64 = number("Hz", NonNegative), Required, "frequency";
            phase: f64 = number("degrees", Any), Number(0.0), "phase at t = 0";
        }
    }
}

table! {
    /// `belt = { velocity }`.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub struct Belt: BELT {
        keys {
            velocity: Vector = vector("m/s"), ZERO, "velocity of the surface";
        }
    }
}
