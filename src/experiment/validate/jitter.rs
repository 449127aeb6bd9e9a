//! P8: what rests on a floor by micro-collisions, e = .5.

use super::{Case, Figure, Rig, Trial, Trouble};
use crate::math::{larger, smaller};

/// The cases.
pub const CASES: &[Case] = &[Case {
    group: "P8",
    name: "jitter at rest",
    about: "position first (explicit Euler) what rests jumps 3.33 e g h² high, unless what acceleration built up is removed or slower than a limit of .25 m/s; velocity first it does not; height in units of g h²",
    trials,
}];

const G: f64 = 9.81;
const NO_REMEDY: &str = "remove_acceleration = false\nvelocity_limit = 0.0";
const REMOVAL: &str = "remove_acceleration = true\nvelocity_limit = 0.0";
const LIMIT: &str = "remove_acceleration = false\nvelocity_limit = 0.25";

/// The highest and lowest place over 2000 steps, after letting `first` steps pass, in units of g h².
fn jitter(rig: &mut Rig, first: u64) -> Result<[f64; 2], Trouble> {
    let unit = G * rig.step_size() * rig.step_size();
    rig.steps(first)?;
    let (mut high, mut low) = (f64::NEG_INFINITY, f64::INFINITY);
    for _ in 0..2000 {
        rig.advance()?;
        let z = rig.state.positions[0].z;
        (high, low) = (larger(high, z), smaller(low, z));
    }
    Ok([high / unit, low / unit])
}

fn trials() -> Vec<Trial> {
    let trial = |name: String,
                 method: &'static str,
                 h: f64,
                 remedy: &'static str,
                 first: u64,
                 height: f64,
                 tolerance: f64| {
        Trial::new(name, move |setting| {
            let rest = format!(
                "materials.m = {{ static_friction = 0.5, restitution = 0.5 }}
                [contact]
                method = \"impulse\"
                {remedy}
                [[body]]
                name = \"ball\"
                mass = 1
                shape.particle = {{}}
                [[collider]]
                name = \"floor\"
                shape.plane = {{}}
                "
            );
            let [high, low] = jitter(&mut setting.stand_under(method, h, &rest)?, first)?;
            let further = if height == 0.0 && -low > high { low } else { high };
            Ok(vec![Figure::absolute("height over g h²", "", height, further, tolerance)])
        })
    };
    let mut trials = Vec::new();
    let euler = "\"explicit-euler\"";
    for h in [1.0 / 64.0, 1e-2, 1e-3] {
        let full = 0.5 * 10.0 / 3.0;
        trials.push(trial(
            format!("no remedy, h {h}, explicit-euler"),
            euler,
            h,
            NO_REMEDY,
            200,
            full,
            2e-3,
        ));
        trials.push(trial(
            format!("removal, h {h}, explicit-euler"),
            euler,
            h,
            REMOVAL,
            0,
            0.0,
            0.0,
        ));
    }
    trials.push(trial(
        "limit, g h = .153, explicit-euler".into(),
        euler,
        1.0 / 64.0,
        LIMIT,
        0,
        0.0,
        0.0,
    ));
    let symplectic = "\"symplectic-euler\"";
    trials.push(trial(
        "no remedy, h 0.01, symplectic-euler".into(),
        symplectic,
        1e-2,
        NO_REMEDY,
        0,
        0.0,
        0.0,
    ));
    trials
}
