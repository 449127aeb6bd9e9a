//! A block on a slope pushed horizontally until it slips upward.

use super::rig::limit;
use super::{Case, CaseFigure, CaseTrial, Rig, RigSetting, Trouble};
use stiction_core::math::{Vector, degrees, sqrt};
use stiction_core::world::shapes::particle;

/// The cases.
pub const CASES: &[Case] = &[Case {
    group: "softness",
    name: "block pushed up a slope",
    about: "weight G, tan α = .1, pushed horizontally: slips upwards at F/G = (tan α + μ)/(1 − μ tan α), .1, .202020, .306122, .412371 for μ = 0, .1, .2, .3 (NAFEMS CGS-4); found by bisection",
    trials,
}];

const TAN: f64 = 0.1;
const G: f64 = 9.81;

/// F/G at which it slips upward, by μ.
const LIMITS: [(f64, f64); 4] = [(0.0, 0.1), (0.1, 0.202020), (0.2, 0.306122), (0.3, 0.412371)];

/// Along the slope F cos α = G sin α + μ N, normal to it N = G cos α + F sin α.
fn trials() -> Vec<CaseTrial> {
    let variants = [
        ("particle, contact by cones", 1e-4),
        ("particle, threshold ε 1e-3", 1e-3),
        ("rigid block, threshold ε 1e-3", 1e-3),
        ("soft block, threshold ε 1e-3", 2e-3),
    ];
    let trial = |(name, tolerance): (&'static str, f64), (mu, exact): (f64, f64)| {
        CaseTrial::new(format!("{name}, μ {mu}"), move |setting| {
            let slips = |share: f64| slips_upwards(setting, name, mu, share);
            let found = limit(exact - 0.05, exact + 0.05, slips)?;
            Ok(vec![CaseFigure::absolute("F/G", "", exact, found, tolerance)])
        })
    };
    let all = variants.into_iter().flat_map(|v| LIMITS.map(|l| (v, l)));
    all.map(|(variant, limit)| trial(variant, limit)).collect()
}

/// Whether it moves upward after release from rest under F = share G: faster than twice the largest
/// creep speed ε, or for contact by cones faster than 1e-9 m/s.
fn slips_upwards(
    setting: &RigSetting,
    variant: &str,
    mu: f64,
    share: f64,
) -> Result<bool, Trouble> {
    let size = sqrt(1.0 + TAN * TAN);
    let (uphill, normal) = (Vector::new(1.0, 0.0, TAN) / size, Vector::new(-TAN, 0.0, 1.0) / size);
    let exact = variant.contains("cones");
    let contact = if exact {
        "method = \"exact\"".to_string()
    } else {
        "normal = { stiffness = 1e5, damping = 100 }
        friction = { law = \"threshold\", epsilon = 1e-3 }"
            .to_string()
    };
    // as deep as it rests in the slope
    let contacts = if variant.contains(particle::ENTRY.name) { 1.0 } else { 15.0 };
    let pressed = G * (1.0 + share * TAN) / size;
    let sunk = normal * if exact { 0.0 } else { -pressed / (contacts * 1e5) };
    let shape = match variant.split_once(' ').map_or("", |words| words.0) {
        "rigid" => "shape.lattice = { counts = [5, 3, 2], spacing = 0.1 }
            rigid = true",
        "soft" => "shape.lattice = { counts = [5, 3, 2], spacing = 0.1 }
            springs = { edge = { stiffness = 2e4, damping = 20 }, face_diagonal = { stiffness = 2e4, damping = 20 } }",
        _ => "shape.particle = {}",
    };
    let text = format!(
        "world = {{ gravity = [0, 0, -{G}] }}
        materials.steel.static_friction = {mu}
        [contact]
        {contact}
        [[body]]
        name = \"block\"
        mass = 1
        {shape}
        rotation = [0, {:e}, 0]
        position = [{:e}, {:e}, {:e}]
        [[collider]]
        name = \"slope\"
        shape.plane = {{ normal = [{:e}, 0, {:e}] }}
        [[push]]
        body = \"block\"
        force = [{:e}, 0, 0]
        ",
        -degrees(stiction_core::math::atan2(TAN, 1.0)),
        sunk.x,
        sunk.y,
        sunk.z,
        normal.x,
        normal.z,
        share * G,
    );
    let mut rig = setting.stand_under("\"symplectic-euler\"", 1e-4, &text)?;
    let (end, least) = if exact { (0.1, 1e-9) } else { (1.0, 2e-3) };
    let (mut since, mut then) = (0.0, 0.0);
    while rig.state.time < end - 0.5 * rig.time_step() {
        rig.advance()?;
        // particle and rigid block: friction takes no more beyond ε, and creep has one speed
        let speed = uphill_speed(&rig, uphill);
        if (speed - then).abs() > 1e-9 {
            (since, then) = (rig.state.time, speed);
        }
        let is_known = speed > 2.0 * least || rig.state.time - since > 0.05;
        if !exact && !variant.contains("soft") && is_known {
            break;
        }
    }
    Ok(uphill_speed(&rig, uphill) > least)
}

/// Speed of the centre of mass of 1 kg along a direction \[m/s\].
fn uphill_speed(rig: &Rig, uphill: Vector) -> f64 {
    let momenta = rig.state.velocities.iter().zip(&rig.model.masses).map(|(v, m)| v * *m);
    momenta.sum::<Vector>().dot(&uphill)
}
