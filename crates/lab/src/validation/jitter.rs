//! P8: bodies resting on a floor by micro-collisions, e = .5.

use super::{Case, CaseFigure, CaseTrial, Rig, Trouble};
use stiction_core::integrators::{explicit_euler, symplectic_euler};
use stiction_core::math::{larger, smaller};

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

/// The highest and lowest position over 2000 steps after the first `first` steps, in units of g h².
fn jitter(rig: &mut Rig, first: u64) -> Result<[f64; 2], Trouble> {
    let unit = G * rig.time_step() * rig.time_step();
    rig.steps(first)?;
    let (mut high, mut low) = (f64::NEG_INFINITY, f64::INFINITY);
    for _ in 0..2000 {
        rig.advance()?;
        let z = rig.state.positions[0].z;
        (high, low) = (larger(high, z), smaller(low, z));
    }
    Ok([high / unit, low / unit])
}

/// A ball at rest: remedy, integrator, step \[s\], number of steps before the observation, and
/// height of its jumps with tolerance, in units of g h².
struct Rest {
    remedy: (&'static str, &'static str),
    method: &'static str,
    h: f64,
    first: u64,
    height: f64,
    tolerance: f64,
}

/// A ball that stays at rest to the last bit.
const STILL: Rest = Rest {
    remedy: ("removal", REMOVAL),
    method: explicit_euler::ENTRY.name,
    h: 1e-2,
    first: 0,
    height: 0.0,
    tolerance: 0.0,
};

/// A ball that jumps 10/3 e g h² high after a transient.
const JUMPS: Rest = Rest {
    remedy: ("no remedy", NO_REMEDY),
    first: 200,
    height: 0.5 * 10.0 / 3.0,
    tolerance: 2e-3,
    ..STILL
};

const RESTS: [Rest; 8] = [
    Rest { h: 1.0 / 64.0, ..JUMPS },
    JUMPS,
    Rest { h: 1e-3, ..JUMPS },
    Rest { h: 1.0 / 64.0, ..STILL },
    STILL,
    Rest { h: 1e-3, ..STILL },
    // g/64 = .153 m/s is below the limit
    Rest { remedy: ("limit", LIMIT), h: 1.0 / 64.0, ..STILL },
    Rest { remedy: ("no remedy", NO_REMEDY), method: symplectic_euler::ENTRY.name, ..STILL },
];

fn trials() -> Vec<CaseTrial> {
    let trial = |rest: &'static Rest| {
        let Rest { remedy: (name, remedy), method, h, .. } = rest;
        CaseTrial::new(format!("{name}, h {h}, {method}"), move |setting| {
            let text = format!(
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
            let mut rig = setting.stand_under(&format!("\"{method}\""), *h, &text)?;
            let [high, low] = jitter(&mut rig, rest.first)?;
            let further = if rest.height == 0.0 && -low > high { low } else { high };
            let name = "height over g h²";
            Ok(vec![CaseFigure::absolute(name, "", rest.height, further, rest.tolerance)])
        })
    };
    RESTS.iter().map(trial).collect()
}
