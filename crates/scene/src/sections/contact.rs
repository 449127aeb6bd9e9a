//! `[contact]`, and anisotropy of bodies and colliders.

use super::table::*;
use crate::keys::{CONTACT_METHOD_ROWS, FRICTIONS, NORMALS};
use stiction_core::contact::adhesion::Adhesion;
use stiction_core::contact::anisotropy::{Anisotropy, RULES, Rule};
use stiction_core::contact::friction::threshold;
use stiction_core::contact::laws::StretchIn;
use stiction_core::contact::normal::linear;
use stiction_core::impulses::penalty;

table! {
    /// `[contact]`: rows of [`stiction_core::impulses::CONTACT_METHODS`],
    /// [`stiction_core::contact::normal::NORMAL_LAWS`] and
    /// [`stiction_core::contact::friction::FRICTION_LAWS`].
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Contact: CONTACT @ place {
        with {
            /// Places of its keys in the text.
            places: Places = own_places;
        }
        tag method = &CONTACT_METHOD_ROWS, Some(penalty::ENTRY.name), "how contact is enforced";
        keys {
            bodies: bool = Kind::Flag, Flag(false), "bodies touch each other: particles by their radius, surfaces by their triangles, ropes, edges and the outlines of planar bodies by their radius";
            self_contact: bool = Kind::Flag, Flag(false), "bodies with a radius touch themselves, where they were far apart at t = 0";
            stretch: StretchIn [stretch] = Kind::Word(&["commit", "state"]), Optional("`state` for dahl and lugre under adaptive methods, else `commit`"), "where the stretch of a friction law with memory lives: moved once per accepted step, or part of the integrator's state, so that multi-stage methods keep their order and adaptive ones its error within their tolerances";
        }
        parts {
            normal: Choice [chosen] = PartContent::Table(&NORMAL), Absent::Empty, "normal law: the force that pushes a particle out";
            friction: Choice [chosen] = PartContent::Table(&FRICTION), Absent::Empty, "friction law";
            adhesion: Option<Adhesion> = PartContent::Table(&ADHESION), Absent::Nothing("no adhesion"), "a force that holds what touches; friction acts on what it presses too";
        }
    }
}

impl Contact {
    /// Whether contacts act by impulses instead of forces.
    pub fn jumps(&self) -> bool {
        self.method.name != penalty::ENTRY.name
    }
}

fn stretch(record: &Record, key: &str, _: &mut Names) -> StretchIn {
    match record.text(key) {
        Some("state") => StretchIn::State,
        Some("commit") => StretchIn::Commit,
        _ => StretchIn::Automatic,
    }
}

static NORMAL: TableKeys = TableKeys {
    tag: Some(Tag {
        key: "law",
        rows: &NORMALS,
        default: Some(linear::ENTRY.name),
        about: "the normal law",
    }),
    ..TableKeys::NONE
};

static FRICTION: TableKeys = TableKeys {
    tag: Some(Tag {
        key: "law",
        rows: &FRICTIONS,
        default: Some(threshold::ENTRY.name),
        about: "the friction law",
    }),
    ..TableKeys::NONE
};

table! {
    known Adhesion: ADHESION {
        keys {
            force: f64 = number("N", Positive), Required, "pull-off force of one contact, a particle's";
            range: f64 = number("m", Positive), Required, "gap at which the pull has fallen to nothing";
        }
    }
}

table! {
    known Anisotropy: ANISOTROPY {
        keys {
            direction: Vector [unit] = DIRECTION, Required, "where the pair's own coefficients hold; projected into the surface";
            ratio: f64 = number("", Between(0.01, 100.0)), Required, "μ across / μ along";
            backward: f64 = number("", Between(0.01, 100.0)), Number(1.0), "μ against the direction / μ along it, as of scales, skis and bristles; only for friction laws without memory, and contact by `penalty`";
            rule as "law": Rule [rule] = Kind::Word(RULES), Text("ellipse"), "component: F_i = −μ_i N v_i/|v|; ellipse: F_i = −N μ_i² v_i/√(Σ μ_j² v_j²), the most dissipation";
        }
    }
}

fn unit(record: &Record, key: &str, _: &mut Names) -> Vector {
    // a zero direction has been refused already
    record.vector(key).try_normalize(0.0).unwrap_or_default()
}

fn rule(record: &Record, key: &str, _: &mut Names) -> Rule {
    Rule::named(record.text(key).unwrap_or_default())
}
