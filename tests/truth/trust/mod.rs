//! The verdict against the truth: laws × integrators × steps on an incline whose creep is known.
//! A run that creeps or reports at another speed than its law must be told, one that does not must
//! be trusted.

mod boxes;
mod grid;
mod single;

use crate::support::block::{BlockScene, Slide, Under};
use crate::support::simulation;
use rayon::prelude::*;
use std::collections::BTreeMap;
use stiction_core::contact::friction::{FRICTION_LAWS, FrictionLaw, Slip};
use stiction_core::diagnosis::passivity::Passivity;
use stiction_core::diagnosis::watch::Reason;
use stiction_core::forces::account::Account;
use stiction_core::integrators::INTEGRATORS;
use stiction_core::math::{Vector, cos, larger, pow, radians, sin, sqrt};
use stiction_core::registry::{Value, Values};
use stiction_core::state::memory::Coefficients;

const ANGLE: f64 = 15.0;
const MU: f64 = 0.5;
const G: f64 = 9.81;
