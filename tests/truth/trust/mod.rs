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
use stiction::contact::friction::{FRICTION_LAWS, FrictionLaw, Slip};
use stiction::diagnosis::passivity::Passivity;
use stiction::diagnosis::watch::Reason;
use stiction::forces::account::Account;
use stiction::integrators::INTEGRATORS;
use stiction::math::{Vector, cos, larger, pow, radians, sin, sqrt};
use stiction::registry::{Value, Values};
use stiction::state::memory::Coefficients;

const ANGLE: f64 = 15.0;
const MU: f64 = 0.5;
const G: f64 = 9.81;
