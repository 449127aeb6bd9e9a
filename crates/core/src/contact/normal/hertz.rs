//! The contact of two elastic spheres: Hertz's force, with damping on request.

use super::super::regularisation::Regularisation;
use super::NormalLaw;
use super::hunt_crossley::{DISSIPATION, Damping, HuntCrossley};
use crate::registry::{Entry, Fallback, Key, Kind, Page, Range};

/// N = k d^{3/2}; with dissipation a \[s/m\], N = max(0, k d^{3/2} (1 + a ḋ)).
///
/// k \[N/m^{3/2}\] is (4/3) E* √R of a sphere of radius R on a flat body. This is the law of Hunt
/// and Crossley with n = 3/2, elastic unless a is given, whatever restitution the materials state.
/// Source: \[hertz1881\].
#[derive(Debug, Clone, Copy)]
pub struct Hertz(HuntCrossley);

impl Hertz {
    /// With k \[N/m^{3/2}\] and a \[s/m\].
    pub fn new(stiffness: f64, dissipation: f64) -> Hertz {
        let damping = Damping::Coefficient(dissipation);
        Hertz(HuntCrossley { stiffness, exponent: 1.5, damping })
    }
}

/// Its row.
pub const ENTRY: Entry<dyn NormalLaw> = Entry {
    name: "hertz",
    about: "elastic spheres, N = k d^(3/2), with a dissipation if one asks for it",
    keys: &[
        Key {
            name: "stiffness",
            kind: Kind::Number { unit: "N/m^(3/2)", range: Range::Positive },
            default: Fallback::Required,
            about: "k; (4/3) E √R for a sphere on a flat body, E the reduced modulus",
        },
        Key {
            name: DISSIPATION,
            kind: Kind::Number { unit: "s/m", range: Range::NonNegative },
            default: Fallback::Number(0.0),
            about: "dissipation a, as of hunt-crossley",
        },
    ],
    page: Page {
        formula: "N = max(0, k d^(3/2) (1 + a d'))\n\
            d [m] depth, d' [m/s] its rate, k [N/m^(3/2)], a [s/m]",
        creep: "",
        stiffness: "Stiffness 1.5 k √d [N/m], growing with the depth: the deepest contact limits an explicit step, with ω² = 1.5 k √d/m.",
        when: "When k comes from elastic moduli and radii. By itself it loses nothing; for a coefficient of restitution take hunt-crossley.",
        source: "Heinrich Hertz 1881, Ueber die Berührung fester elastischer Körper [hertz1881]",
    },
    make: |values| Ok(Box::new(Hertz::new(values.number("stiffness"), values.number(DISSIPATION)))),
};

impl NormalLaw for Hertz {
    fn force(&self, d: f64, rate: f64, damping: f64) -> f64 {
        self.0.force(d, rate, damping)
    }

    fn derivative(&self, d: f64, rate: f64, damping: f64) -> (f64, f64) {
        self.0.derivative(d, rate, damping)
    }

    fn energy(&self, d: f64) -> f64 {
        self.0.energy(d)
    }

    fn elastic(&self, d: f64) -> f64 {
        self.0.elastic(d)
    }

    fn bounce(&self, restitution: Option<f64>) -> f64 {
        self.0.bounce(restitution)
    }

    fn damping(&self, bounce: f64, mass: f64) -> f64 {
        self.0.damping(bounce, mass)
    }

    fn heeds_restitution(&self) -> bool {
        false
    }

    /// As of hunt-crossley with n = 3/2.
    fn regularisation(&self) -> Regularisation {
        self.0.regularisation()
    }
}
