//! Elastic bodies, against closed forms and a published benchmark.

mod ball;
mod bars;
mod bending;
mod block;
mod creep;
mod plate;
mod shear_lag;
mod sheets;
mod strain;
mod torsion;

use super::{Case, CaseFigure, CaseTrial, Rig, RigSetting, Trouble};

/// The cases, file by file.
pub const CASES: [&[Case]; 9] = [
    bars::CASES,
    bending::CASES,
    torsion::CASES,
    strain::CASES,
    creep::CASES,
    shear_lag::CASES,
    plate::CASES,
    ball::CASES,
    sheets::CASES,
];
