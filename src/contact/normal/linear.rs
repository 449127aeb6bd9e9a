//! Kelvin–Voigt penalty: a spring and a damper, clamped.

use super::NormalLaw;
use crate::registry::{Entry, Fallback, Key, Kind, Range};

/// N = max(0, k d + c ḋ).
///
/// k \[N/m\] stiffness, c \[N·s/m\] damping, d \[m\] depth, ḋ \[m/s\] its rate.
#[derive(Debug, Clone, Copy)]
pub struct Linear {
    /// k \[N/m\].
    pub stiffness: f64,
    /// c \[N·s/m\].
    pub damping: f64,
}

/// Its row.
pub const ENTRY: Entry<dyn NormalLaw> = Entry {
    name: "linear",
    about: "spring and damper, N = max(0, k d + c ḋ)",
    keys: &[
        Key {
            name: "stiffness",
            kind: Kind::Number { unit: "N/m", range: Range::Positive },
            default: Fallback::Required,
            about: "penalty stiffness k",
        },
        Key {
            name: "damping",
            kind: Kind::Number { unit: "N·s/m", range: Range::NonNegative },
            default: Fallback::Number(0.0),
            about: "penalty damping c",
        },
    ],
    make: |values| {
        Ok(Box::new(Linear {
            stiffness: values.number("stiffness"),
            damping: values.number("damping"),
        }))
    },
};

impl NormalLaw for Linear {
    fn force(&self, d: f64, rate: f64) -> f64 {
        let n = self.stiffness * d + self.damping * rate;
        if n > 0.0 { n } else { 0.0 }
    }

    fn derivative(&self, d: f64, rate: f64) -> (f64, f64) {
        if self.stiffness * d + self.damping * rate > 0.0 {
            (self.stiffness, self.damping)
        } else {
            (0.0, 0.0)
        }
    }

    fn energy(&self, d: f64) -> f64 {
        0.5 * self.stiffness * d * d
    }

    fn elastic(&self, d: f64) -> f64 {
        self.stiffness * d
    }
}
