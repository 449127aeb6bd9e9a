//! Torsion of a square bar.

use super::block::{Block, at_rest, elastic};
use super::{Case, CaseFigure, CaseTrial, RigSetting, Trouble};
use stiction_core::forces::elements::SolidLaw;
use stiction_core::math::{PI, Vector, log2, tanh};
use stiction_core::world::{Body, Pin, Selection};

/// The cases.
pub const CASES: &[Case] = &[Case {
    group: "solids",
    name: "torsion of a square bar",
    about: "side a, turned by θ' per length, its sections free to warp: T = .140577 G a⁴ θ', with an error of order 2 in the spacing [timoshenko1970]",
    trials: twisted,
}];

/// Turn per length \[rad/m\] and side \[m\].
const TWIST: f64 = 1e-3;
const SIDE: f64 = 1.0;

/// Cells along the side of the coarser and the finer bar.
const CELLS: [u64; 2] = [16, 32];

/// T/(G a⁴ θ') = ⅓ (1 − (192/π⁵) Σ tanh(nπ/2)/n⁵), n odd.
fn saint_venant() -> f64 {
    let term = |n: f64| tanh(0.5 * PI * n) / (n * n * n * n * n);
    let sum: f64 = (0..20).map(|k| term(f64::from(2 * k + 1))).sum();
    let pi_5 = PI * PI * PI * PI * PI;
    (1.0 - 192.0 / pi_5 * sum) / 3.0
}

fn twisted() -> Vec<CaseTrial> {
    let trial = |poisson: f64| {
        CaseTrial::new(format!("ν {poisson}, linear, implicit-euler"), move |setting| {
            let mut stiffness = [0.0; 2];
            for (stiffness, cells) in stiffness.iter_mut().zip(CELLS) {
                *stiffness = torque(setting, cells, poisson)?;
            }
            let exact = saint_venant();
            let [coarse, fine] = stiffness.map(|stiffness| stiffness - exact);
            Ok(vec![
                CaseFigure::relative("T/(G a⁴ θ')", "", exact, stiffness[1], 1e-2),
                CaseFigure::absolute("order", "", 2.0, log2(coarse / fine), 0.1),
            ])
        })
    };
    [0.0, 0.3].map(trial).into()
}

/// T/(G a⁴ θ') from the energy ½ T θ' L of a slice of two cells, whose end sections are held where they have turned to.
fn torque(setting: &RigSetting, cells: u64, poisson: f64) -> Result<f64, Trouble> {
    let (young, a) = (1e5, SIDE / cells as f64);
    let length = 2.0 * a;
    let place = |[i, j, k]: [usize; 3]| {
        let across = |i: usize| i as f64 * a - 0.5 * SIDE;
        Vector::new(across(i), across(j), k as f64 * a)
    };
    let block = Block::new([cells + 1, cells + 1, 3], place).displaced(|x| {
        let angle = TWIST * (x.z - a);
        Vector::new(x.x - angle * x.y, x.y + angle * x.x, x.z)
    });
    let ends = block.points(|x| (x.z - a).abs() > 0.5 * a);
    let mut world = at_rest(1.0, 1e-13, "automatic");
    world.material(elastic(young, poisson, 1e3, SolidLaw::Linear));
    let bar = world.body(Body::new("bar", block));
    world.pin(Pin::new(bar, ends).axes([true, true, false]));
    world.pin(Pin::new(bar, Selection::Nearest(Vector::new(0.0, 0.0, a))));
    let mut rig = setting.of(&world)?;
    rig.steps(6)?;
    let energy = rig.account().spring;
    let shear = young / (2.0 * (1.0 + poisson));
    Ok(2.0 * energy / (TWIST * TWIST * length * shear * SIDE * SIDE * SIDE * SIDE))
}
