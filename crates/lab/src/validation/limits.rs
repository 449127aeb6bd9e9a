//! P3: the largest steps, found by runs: friction, contact springs, lattices; substeps of adaptive
//! methods.

use super::rig::{label, limit};
use super::{Case, CaseFigure, CaseTrial, Rig, RigSetting, Trouble};
use crate::experiment::stiffness::{AnalysisSetting, analyse};
use std::path::Path;
use stiction_core::integrators::dormand_prince::DOPRI5;
use stiction_core::integrators::{
    INTEGRATORS, Integrator, adams_bashforth_2, explicit_euler, heun, midpoint, rk3, rk4, rk45,
    symplectic_euler, velocity_verlet,
};
use stiction_core::math::{Vector, larger, sin, sqrt};
use stiction_core::registry::Entry;
use stiction_scene::build::BuildOptions;
use stiction_scene::{LoadOptions, load_text};

/// The cases.
pub const CASES: &[Case] = &[
    Case {
        group: "P3",
        name: "friction in stick",
        about: "a block under a quarter of the load that friction bears: the h λ at which a small deviation from the creep speed stops decaying, by bisection; λ = μ g/ε",
        trials: friction_in_stick,
    },
    Case {
        group: "P3",
        name: "contact spring and damper",
        about: "a particle on ω = √(k_n/m), ζ = c_n/(2 √(k_n m)): the ω h at which it swings further and further; symplectic Euler 2 (√(1 + ζ²) − ζ), explicit Euler 2 ζ",
        trials: contact_spring,
    },
    Case {
        group: "P3",
        name: "spring and friction",
        about: "a particle on a spring ω that rubs with the rate λ = 2 ζ ω on the same degree of freedom: symplectic Euler ω h = (√(λ² + 4 ω²) − λ)/ω",
        trials: spring_and_friction,
    },
    Case {
        group: "P3",
        name: "lattice on a floor",
        about: "7 columns, 10 and 17 layers, ε 1e-3, μ .5: the bottom particle that bears most decides, h = 2 m_p ε/(μ N); as `stiffness` says it and as runs of symplectic Euler show it",
        trials: lattice_on_a_floor,
    },
    Case {
        group: "P3",
        name: "substeps while it sticks",
        about: "a block from 1 m/s under a load of .25 μ m g: of the first second it sticks for T = 1 − (1 − ε)/(.75 μ g), for which Dormand–Prince takes λ T/3.3066 substeps, and as many for as long again, once the decay from ε to the creep is over, whatever the tolerance",
        trials: substeps,
    },
];

/// A block that cannot leave its plane, so that only friction decelerates it. Its load is one
/// quarter of the largest that friction bears.
pub(crate) fn loaded_block<'a>(
    setting: &RigSetting<'a>,
    method: &str,
    h: f64,
    epsilon: f64,
    speed: f64,
) -> Result<Rig<'a>, Trouble> {
    let weight = 9.81;
    let rest = format!(
        "world = {{ planar = \"xy\" }}
        materials.wood = {{ static_friction = 0.5 }}
        [contact]
        normal = {{ stiffness = 1e4, damping = 10 }}
        friction = {{ law = \"threshold\", epsilon = {epsilon:e} }}
        [[body]]
        name = \"block\"
        mass = 1.0
        shape.particle = {{}}
        position = [0, 0, {:e}]
        velocity = [{speed:e}, 0, 0]
        [[collider]]
        name = \"floor\"
        shape.plane = {{}}
        [[push]]
        body = \"block\"
        force = [{:e}, 0, 0]
        ",
        -weight / 1e4,
        0.25 * 0.5 * weight
    );
    setting.stand_under(method, h, &rest)
}

/// Deviation of a block from the creep speed after `steps` steps at h λ, divided by the initial
/// deviation, which is one hundredth of the creep speed.
pub fn deviation(
    setting: &RigSetting,
    method: &str,
    hlambda: f64,
    steps: u64,
) -> Result<f64, Trouble> {
    let epsilon = 1e-2;
    let (rate, creep) = (0.5 * 9.81 / epsilon, 0.25 * epsilon);
    let mut rig = loaded_block(setting, method, hlambda / rate, epsilon, creep * 1.01)?;
    rig.steps(steps)?;
    Ok((rig.state.velocities[0].x - creep).abs() / (0.01 * creep))
}

/// The h λ up to which a non-adaptive method is stable, derived without it: by row, with keys beside its
/// name. A method with another limit that does not stand here is told as not validated.
pub const DECAY: [(Entry<dyn Integrator>, &str, f64); 10] = [
    (explicit_euler::ENTRY, "", 2.0),
    (symplectic_euler::ENTRY, "", 2.0),
    (velocity_verlet::REUSED, "", 2.0),
    (velocity_verlet::REEVALUATED, "", 4.0),
    (midpoint::ENTRY, "", 2.0),
    (heun::ENTRY, "", 2.0),
    (rk3::ENTRY, "", 2.512745),
    (rk4::ENTRY, "", 2.785294),
    (adams_bashforth_2::ENTRY, "", 1.0),
    (rk45::ENTRY, ", adaptive = false", 3.306568),
];

fn friction_in_stick() -> Vec<CaseTrial> {
    let limited = DECAY.into_iter().map(|(row, keys, exact)| {
        let method = format!("\"{}\"{keys}", row.name);
        CaseTrial::new(label(&method), move |setting| {
            let found = limit(0.5, 8.0, |z| Ok(deviation(setting, &method, z, 1000)? > 1.0))?;
            Ok(vec![CaseFigure::relative("limit of h λ", "", exact, found, 0.01)])
        })
    });
    let known = |name: &str| DECAY.iter().any(|(row, ..)| row.name == name);
    let others = INTEGRATORS.iter().filter(|row| !known(row.name)).filter_map(|row| {
        let able = row.from_defaults().ok()?.capabilities();
        match able.decay_limit {
            Some(_) => {
                Some(CaseTrial::not_validated(row.name, "its limit of h λ is derived nowhere else"))
            }
            None => (!able.adaptive).then(|| unlimited(row.name)),
        }
    });
    limited.chain(others).collect()
}

/// A method without a limit of h λ.
fn unlimited(method: &'static str) -> CaseTrial {
    CaseTrial::new(method, move |setting| {
        let left = deviation(setting, &format!("\"{method}\""), 1e3, 1000)?;
        let name = "what 1000 steps at h λ = 1000 leave of a deviation";
        // the trapezoidal rule rings: (499/501)^1000 = .018
        Ok(vec![CaseFigure::absolute(name, "", 0.0, left, 0.02)])
    })
}

/// Whether a particle swings further at the end of 20,000 steps than in the first 25; `deviation`
/// takes its z and its x.
fn swings_further(
    rig: &mut Rig,
    particle: usize,
    deviation: impl Fn(f64, f64) -> f64,
) -> Result<bool, Trouble> {
    let start = rig.state.positions[particle];
    let start = deviation(start.z, start.x).abs();
    let mut widest = |steps: u32| {
        let mut widest = 0.0;
        for _ in 0..steps {
            match rig.advance() {
                Err(Trouble::Stopped) => return Err(Trouble::Stopped),
                // a diverged run counts as infinite
                Err(Trouble::Failed(_)) => return Ok(f64::INFINITY),
                Ok(()) => {}
            }
            let x = rig.state.positions[particle];
            widest = larger(widest, deviation(x.z, x.x).abs());
        }
        Ok(widest)
    };
    let first = widest(25)?;
    // fast growth is soon limited by other effects
    if first > 1e3 * start {
        return Ok(true);
    }
    for _ in 0..198 {
        if widest(100)? > 100.0 * first {
            return Ok(true);
        }
    }
    Ok(widest(200)? > 1.02 * first)
}

/// Whether the oscillation of a particle of 1 kg pressed on a contact spring of 1e4 N/m grows.
pub fn contact_grows(
    setting: &RigSetting,
    method: &str,
    homega: f64,
    zeta: f64,
) -> Result<bool, Trouble> {
    let (stiffness, weight) = (1e4, 1e3);
    let omega = sqrt(stiffness);
    let rest = -weight / stiffness;
    let mut rig = setting.stand_under(
        method,
        homega / omega,
        &format!(
            "world = {{ gravity = [0, 0, {:e}] }}
            materials.wood = {{ static_friction = 0.5 }}
            contact.normal = {{ stiffness = {stiffness:e}, damping = {:e} }}
            [[body]]
            name = \"block\"
            mass = 1.0
            shape.particle = {{}}
            position = [0, 0, {:e}]
            [[collider]]
            name = \"floor\"
            shape.plane = {{}}
            ",
            -weight,
            2.0 * zeta * omega,
            rest * (1.0 + 1e-5)
        ),
    )?;
    swings_further(&mut rig, 0, |z, _| z - rest)
}

/// Largest ω h of symplectic Euler: 2 (√(1 + ζ²) − ζ), equal to (√(λ² + 4 ω²) − λ)/ω for λ = 2 ζ ω.
fn symplectic(zeta: f64) -> f64 {
    2.0 * (sqrt(1.0 + zeta * zeta) - zeta)
}

fn contact_spring() -> Vec<CaseTrial> {
    let in_turn = [0.0, 0.2, 0.5, 1.0].map(|zeta| (zeta, symplectic(zeta)));
    let cases = [
        ("\"symplectic-euler\"", in_turn.to_vec()),
        ("\"velocity-verlet\"", in_turn.to_vec()),
        ("\"explicit-euler\"", vec![(0.2, 0.4), (0.5, 1.0), (1.0, 2.0)]),
        ("\"rk4\"", vec![(0.0, 2.83), (0.2, 2.94), (0.5, 2.62), (1.0, 2.79)]),
    ];
    let trial = |method: &'static str, zeta: f64, exact: f64| {
        CaseTrial::new(format!("ζ {zeta}, {}", label(method)), move |setting| {
            let found = limit(0.05, 8.0, |homega| contact_grows(setting, method, homega, zeta))?;
            Ok(vec![CaseFigure::relative("limit of ω h", "", exact, found, 0.01)])
        })
    };
    let never = CaseTrial::new("ζ 0, explicit-euler", |setting| {
        let grows = contact_grows(setting, "\"explicit-euler\"", 0.4, 0.0)?;
        let grown = if grows { 1.0 } else { 0.0 };
        Ok(vec![CaseFigure::absolute("grows at ω h = .4 (1: yes)", "", 1.0, grown, 0.0)])
    });
    let limits = cases
        .into_iter()
        .flat_map(|(method, rows)| rows.into_iter().map(move |(zeta, at)| trial(method, zeta, at)));
    limits.chain([never]).collect()
}

/// Whether the oscillation of a particle of 1 kg between a spring and the friction of a floor
/// grows.
pub fn held_grows(
    setting: &RigSetting,
    method: &str,
    homega: f64,
    zeta: f64,
) -> Result<bool, Trouble> {
    let (omega, epsilon) = (20.0, 1e3);
    // λ = μ N/ε = 2 ζ ω
    let depth = 2.0 * zeta * omega * epsilon / 0.5 / 1e4;
    let mut rig = setting.stand_under(
        method,
        homega / omega,
        &format!(
            "world = {{ gravity = [0, 0, 0], planar = \"xy\" }}
            materials.wood = {{ static_friction = 0.5 }}
            [contact]
            normal = {{ stiffness = 1e4, damping = 10 }}
            friction = {{ law = \"threshold\", epsilon = {epsilon:e} }}
            [[body]]
            name = \"p\"
            shape.points = {{ positions = [[0, 0, {0:e}], [1e-6, 0, {0:e}]], masses = [1, 1], links = [[0, 1]], rest_lengths = [0] }}
            springs.edge = {{ stiffness = {1:e} }}
            [[pin]]
            body = \"p\"
            where = {{ particles = [0] }}
            [[collider]]
            name = \"floor\"
            shape.plane = {{}}
            ",
            -depth,
            omega * omega
        ),
    )?;
    swings_further(&mut rig, 1, |_, x| x)
}

fn spring_and_friction() -> Vec<CaseTrial> {
    let trial = |zeta: f64| {
        CaseTrial::new(format!("λ = {} ω, symplectic-euler", 2.0 * zeta), move |setting| {
            let found = limit(0.05, 8.0, |homega| {
                held_grows(setting, "\"symplectic-euler\"", homega, zeta)
            })?;
            Ok(vec![CaseFigure::relative("limit of ω h", "", symplectic(zeta), found, 0.01)])
        })
    };
    [0.2, 0.5, 1.0].into_iter().map(trial).collect()
}

/// The text of a lattice of 7 columns of particles of 10/119 kg, without time and integrator.
pub fn lattice(layers: usize) -> String {
    format!(
        "world.planar = \"xz\"
        materials.rubber.static_friction = 0.5
        [contact]
        normal = {{ stiffness = 2e5, damping = 20 }}
        friction = {{ law = \"threshold\", epsilon = 1e-3 }}
        [[body]]
        name = \"box\"
        mass = {:e}
        shape.lattice = {{ counts = [7, 1, {layers}], spacing = 0.1 }}
        springs = {{ edge = {{ stiffness = 5e4, damping = 5 }}, face_diagonal = {{ stiffness = 5e4, damping = 5 }} }}
        [[collider]]
        name = \"floor\"
        shape.plane = {{}}
        ",
        10.0 * layers as f64 / 17.0
    )
}

/// Rest positions of the particles of a lattice, by implicit Euler.
fn resting(setting: &RigSetting, layers: usize) -> Result<Vec<Vector>, Trouble> {
    let mut rig = setting.stand_under("\"implicit-euler\"", 0.01, &lattice(layers))?;
    rig.steps(500)?;
    Ok(rig.state.positions.clone())
}

/// Whether small velocities of a resting lattice grow over 2000 steps.
fn lattice_grows(
    setting: &RigSetting,
    layers: usize,
    rest: &[Vector],
    h: f64,
) -> Result<bool, Trouble> {
    let mut rig = setting.stand_under("\"symplectic-euler\"", h, &lattice(layers))?;
    // far below the threshold, so that friction stays linear
    let kick = 1e-6;
    rig.state.positions.copy_from_slice(rest);
    for (i, v) in rig.state.velocities.iter_mut().enumerate() {
        let k = i as f64;
        *v = Vector::new(sin(1.0 + 2.3 * k), 0.0, 0.1 * sin(0.4 + 1.7 * k)) * kick;
    }
    rig.recommit();
    rig.steps(2000)?;
    let fastest = rig.state.velocities.iter().fold(0.0, |most, v| larger(most, v.amax()));
    Ok(fastest > 2.0 * kick)
}

fn lattice_on_a_floor() -> Vec<CaseTrial> {
    let trial = |layers: usize, published: f64| {
        CaseTrial::new(format!("{layers} layers, symplectic-euler"), move |setting| {
            let said = lattice_estimate(setting, layers)?;
            let rest = resting(setting, layers)?;
            let found = limit(0.8 * published, 1.2 * published, |h| {
                lattice_grows(setting, layers, &rest, h)
            })?;
            Ok(vec![
                CaseFigure::relative(
                    "largest step, as `stiffness` says",
                    "s",
                    published,
                    said,
                    0.02,
                ),
                CaseFigure::relative("largest step, by runs", "s", published, found, 0.02),
            ])
        })
    };
    vec![trial(10, 3.90e-5), trial(17, 2.32e-5)]
}

/// Largest stable step of symplectic Euler according to `stiffness` \[s\].
fn lattice_estimate(setting: &RigSetting, layers: usize) -> Result<f64, Trouble> {
    let text = format!(
        "format = 1
        time = {{ end = 1.0, step = 1e-5, output = 0.1 }}
        integrator = {{ method = \"symplectic-euler\" }}
        {}",
        lattice(layers)
    );
    let loaded = load_text("lattice.toml", &text, Path::new("."), &LoadOptions::default())
        .map_err(|errors| Trouble::Failed(errors.render(false)))?;
    let analysis = AnalysisSetting { stop: &|| (setting.stop)(), ..AnalysisSetting::default() };
    let found = analyse(&loaded.scene, &BuildOptions::default(), &analysis)
        .map_err(|error| Trouble::Failed(error.to_string()))?;
    let price = found.prices.iter().find(|price| price.integrator == symplectic_euler::ENTRY.name);
    price.and_then(|price| price.largest_step).ok_or(Trouble::Stopped)
}

/// ε \[m/s\] and the number of substeps λ T/3.3066, with T the sticking part of the first second.
const SUBSTEPS: [(f64, f64); 3] = [(1e-2, 108.0), (1e-3, 1081.0), (1e-4, 10802.0)];

/// Tolerances at which the decay from ε to the creep needs no more substeps than stability does.
const LOOSE: &str = "rtol = 1e-3, atol = 1e-6";

fn substeps() -> Vec<CaseTrial> {
    let methods = [DOPRI5.name, rk45::ENTRY.name].into_iter().flat_map(|method| {
        [LOOSE, "rtol = 1e-6, atol = 1e-9"].map(|tolerances| (method, tolerances))
    });
    let trial = |(method, tolerances): (&'static str, &'static str),
                 epsilon: f64,
                 published: f64| {
        let text = format!("\"{method}\", {tolerances}");
        CaseTrial::new(format!("ε {epsilon:e}, {}", label(&text)), move |setting| {
            // from 1 m/s the block decelerates to s = ε under three quarters of μ g
            let sticking = 1.0 - (1.0 - epsilon) / (0.75 * 0.5 * 9.81);
            let mut rig = loaded_block(setting, &text, sticking, epsilon, epsilon)?;
            rig.advance()?;
            let first = rig.work.substeps as f64;
            rig.advance()?;
            let second = rig.work.substeps as f64 - first;
            let mut figures =
                vec![CaseFigure::relative("substeps of as long again", "", published, second, 0.1)];
            // the decay depends on the tolerance: at 1e-6 and ε 1e-2 another implementation of the
            // method \[scipy2020\] also needs 129 substeps, and at 1e-9 it needs 195
            if tolerances == LOOSE {
                let name = "substeps from s = ε on";
                figures.insert(0, CaseFigure::relative(name, "", published, first, 0.1));
            }
            Ok(figures)
        })
    };
    methods
        .flat_map(|m| SUBSTEPS.map(|(epsilon, published)| trial(m, epsilon, published)))
        .collect()
}
