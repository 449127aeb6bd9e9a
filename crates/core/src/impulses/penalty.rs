//! Contact as a force: springs and dampers along the normal and a friction law across it; see
//! [`crate::contact::force`].

use super::ContactMethod;
use crate::registry::{Entry, Page};

/// The row of the method.
pub const ENTRY: Entry<ContactMethod> = Entry {
    name: "penalty",
    about: "a force that grows with depth, and a friction law; any integrator",
    keys: &[],
    page: Page {
        formula: "N = normal law(depth, its rate)\nF_t = friction law(slip velocity, stretch, N)",
        creep: "By the friction law: laws with a threshold creep, laws with stretch hold.",
        stiffness: "By the normal law, h √(k/m), and by the friction law, h λ: see `stiffness SCENE`.",
        when: "For soft bodies, and wherever the cost of a law, a threshold or an integrator is the question.",
        source: "David Baraff 1991, Coping with friction for non-penetrating rigid body simulation [baraff1991]",
    },
    make: |_| Ok(Box::new(ContactMethod::Penalty)),
};
