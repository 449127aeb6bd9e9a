//! A soft bar on a rough floor: slip under slow and sudden loads, and creep.
//!
//! The bar has the stiffness EA \[N\] and, per length, the mass ρA \[kg/m\] and the friction q = μ
//! ρA g \[N/m\]. It is a chain of springs k = EA/a with particles of mass m = ρA a at distances a;
//! end particles represent a/2 and have half the mass, which makes sums over the chain the
//! trapezoidal rule of the bar.

use super::rig::label;
use super::{Case, CaseFigure, CaseTrial, Rig, RigSetting, Trouble};
use stiction_core::contact::friction::cundall_strack;
use stiction_core::impulses::exact;
use stiction_core::math::{PI, exp, sqrt};

/// The cases.
pub const CASES: &[Case] = &[
    Case {
        group: "softness",
        name: "bar pulled and released",
        about: "EA, friction q per length, one end pulled slowly to F_m, to −F_m and back: it yields by F_m²/(2EAq), at F on the way back by F_m²/(2EAq) − (F_m − F)²/(4EAq), and a loop takes 2F_m³/(3EAq)",
        trials: pulled,
    },
    Case {
        group: "softness",
        name: "bar under a sudden pull",
        about: "F at once on one end, c = √(EA/ρA), Z = ρA c: what moves has the one speed (F − q c t/2)/Z, all stops at t* = 2F/(q c), the end by F²/(qEA) further",
        trials: sudden,
    },
    Case {
        group: "softness",
        name: "bar that creeps",
        about: "under `threshold` creep is diffusion, D = EAε/q: the end moves by 2F √(εt/(πEAq)) until about L²/D, 11.3 times the rigid body's at .01 L²/D, then as the series of a finite bar says",
        trials: creeping,
    },
];

/// Distance of particles \[m\], their mass \[kg\], k = EA/a \[N/m\], μ and g \[m/s²\]; so the wave
/// speed c is 10 m/s.
const A: f64 = 0.01;
const MASS: f64 = 0.01;
const STIFFNESS: f64 = 1e4;
const MU: f64 = 0.5;
const G: f64 = 9.81;

/// Stiffness EA \[N\], friction q \[N/m\], wave speed c \[m/s\], impedance Z = ρA c \[N·s/m\].
const EA: f64 = STIFFNESS * A;
const Q: f64 = MU * MASS * G / A;
const C: f64 = 10.0;
const Z: f64 = MASS / A * C;

/// Stiffness of the floor under a particle \[N/m\].
const FLOOR: f64 = 1e5;

/// The same under a particle of a solid.
const LOWER: f64 = 0.25 * FLOOR;

/// A bar of tetrahedra of ν = 0, one cell a wide and high, with `count` sections along x from the origin, damped as its
/// chain would be, with `contact` as the lines of `[contact]`, under `pushes` along x on its first section: force \[N\],
/// start and ramp \[s\].
fn solid(count: usize, damping: f64, contact: &str, pushes: &[[f64; 3]]) -> String {
    let young = EA / (A * A);
    let (density, time) = (MASS / (A * A * A), damping / STIFFNESS);
    let (middle, sunk) = (0.5 * (count - 1) as f64 * A, 0.5 * MASS * G / LOWER);
    let body = format!(
        "[materials.rubber]
        static_friction = {MU}
        density = {density:e}
        young = {young:e}
        poisson = 0
        damping.time = {time:e}
        [[body]]
        name = \"bar\"
        shape.lattice = {{ counts = [{count}, 2, 2], spacing = {A:e} }}
        position = [{middle:e}, 0, {:e}]",
        -sunk
    );
    on_floor(&body, contact, "box = { min = [-1, -1, -1], max = [1e-4, 1, 1] }", pushes)
}

/// A bar of `count` particles along x from the origin, its springs damped by `damping` \[N·s/m\],
/// with `contact` as the lines of `[contact]`, under `pushes` along x on its first particle:
/// force \[N\], start and ramp \[s\].
fn bar(count: usize, damping: f64, contact: &str, pushes: &[[f64; 3]]) -> String {
    let share = |i: usize| if i == 0 || i + 1 == count { 0.5 } else { 1.0 };
    let masses: Vec<f64> = (0..count).map(|i| share(i) * MASS).collect();
    let sunk = if contact.contains(exact::ENTRY.name) { 0.0 } else { MASS * G / FLOOR };
    let positions: Vec<[f64; 3]> =
        (0..count).map(|i| [i as f64 * A, 0.0, -sunk * share(i)]).collect();
    let links: Vec<[usize; 2]> = (1..count).map(|i| [i - 1, i]).collect();
    let lengths = vec![A; count - 1];
    let body = format!(
        "materials.rubber.static_friction = {MU}
        [[body]]
        name = \"bar\"
        shape.points = {{ positions = {positions:?}, masses = {masses:?}, links = {links:?}, rest_lengths = {lengths:?} }}
        springs.edge = {{ stiffness = {STIFFNESS:e}, damping = {damping:e} }}"
    );
    on_floor(&body, contact, "particles = [0]", pushes)
}

/// The floor under a bar, and pushes at its end.
fn on_floor(body: &str, contact: &str, end: &str, pushes: &[[f64; 3]]) -> String {
    let mut text = format!(
        "world = {{ gravity = [0, 0, -{G}], planar = \"xz\" }}
        {body}
        [contact]
        {contact}
        [[collider]]
        name = \"floor\"
        shape.plane = {{}}
        "
    );
    for [force, from, ramp] in pushes {
        text += &format!(
            "[[push]]
            body = \"bar\"
            where.{end}
            force = [{force:e}, 0, 0]
            from = {from:e}
            ramp = {ramp:e}
            "
        );
    }
    text
}

/// The scene of a bar, of springs or of elements.
type MakeBar = fn(usize, f64, &str, &[[f64; 3]]) -> String;

/// Its name, its scene, and its contact by a friction law.
type Made = (&'static str, MakeBar, fn(&str) -> String);

/// Penalty contact with a friction law as an inline table.
fn penalty(friction: &str) -> String {
    format!(
        "normal = {{ stiffness = {FLOOR:e}, damping = 20 }}
        friction = {{ {friction} }}"
    )
}

/// The same under a particle of a solid, of which four are one of the chain.
fn penalty_below(friction: &str) -> String {
    format!(
        "normal = {{ stiffness = {LOWER:e}, damping = 5 }}
        friction = {{ {friction} }}"
    )
}

/// Displacement of the first particle along −x \[m\].
fn pulled_by(rig: &Rig) -> f64 {
    rig.model.reference[0].x - rig.state.positions[0].x
}

/// Number of particles that slip at F_m, time of a quarter cycle and pause between its parts \[s\].
const SLIPPED: usize = 20;
const QUARTER: f64 = 8.0;
const PAUSE: f64 = 0.2;

/// The displacement u obeys EA u'' = ±q in the slipping part and u' = 0 beyond it: under F_m the
/// slipping part is F_m/q long. On reversal slip needs twice the friction, so that F_m − F acts
/// against 2q, reaches half as deep and recovers (F_m − F)²/(4EAq). Over a loop between ±F_m,
/// ∮F du = (2F_m)³/(12EAq).
fn pulled() -> Vec<CaseTrial> {
    let variants = [
        ("contact by cones", "method = \"exact\"".to_string(), 5e-4),
        (
            cundall_strack::ENTRY.name,
            penalty("law = \"cundall-strack\", stiffness = 5e4, damping = 20"),
            2e-4,
        ),
    ];
    let trial = |(name, contact, h): (&str, String, f64)| {
        CaseTrial::new(format!("{name}, symplectic-euler"), move |setting| {
            let most = SLIPPED as f64 * Q * A;
            let (back, again) = (QUARTER + PAUSE, 3.0 * QUARTER + 2.0 * PAUSE);
            let pushes = [
                [-most, 0.0, QUARTER],
                [2.0 * most, back, 2.0 * QUARTER],
                [-2.0 * most, again, 2.0 * QUARTER],
            ];
            let text = bar(SLIPPED + 11, 5.0, &contact, &pushes);
            let mut rig = setting.stand_under("\"symplectic-euler\"", h, &text)?;
            rig.until(back)?;
            let first = pulled_by(&rig);
            let mut work = 0.0;
            let mut until = |rig: &mut Rig, end: f64| -> Result<f64, Trouble> {
                while rig.state.time < end - 0.5 * h {
                    let before = pulled_by(rig);
                    rig.advance()?;
                    let way = pulled_by(rig) - before;
                    let middle = rig.state.time - 0.5 * h;
                    let part = |from: f64| ((middle - from) / (2.0 * QUARTER)).clamp(0.0, 1.0);
                    work += most * (1.0 - 2.0 * part(back) + 2.0 * part(again)) * way;
                }
                Ok(pulled_by(rig))
            };
            let half = until(&mut rig, back + 0.5 * QUARTER)?;
            let free = until(&mut rig, back + QUARTER)?;
            let reversed = until(&mut rig, again)?;
            let closed = until(&mut rig, again + 2.0 * QUARTER + PAUSE)?;
            let whole = most * most / (2.0 * EA * Q);
            let on_return = |f: f64| whole - (most - f) * (most - f) / (4.0 * EA * Q);
            let loss = 2.0 * most * most * most / (3.0 * EA * Q);
            let figure = |name, reference, measured| {
                CaseFigure::absolute(name, "m", reference, measured, 0.005 * whole)
            };
            Ok(vec![
                figure("end at F_m", whole, first),
                figure("end at F_m/2, on the way back", on_return(0.5 * most), half),
                figure("end without load", on_return(0.0), free),
                figure("end at −F_m", -whole, reversed),
                figure("end at F_m again", whole, closed),
                CaseFigure::relative("loss in a loop", "J", loss, work, 0.01),
            ])
        })
    };
    variants.into_iter().map(trial).collect()
}

/// Number of particles of which F overcomes the friction.
const DEEP: usize = 400;

/// Behind the front x = c t, one half of the friction q is balanced by the stress gradient q/2, the
/// other by inertia, ρA v' = −q/2; at the front EA u' = −Z v. Both hold for v = (F − q c t/2)/Z,
/// and the stress at the end is F.
fn sudden() -> Vec<CaseTrial> {
    let variants = [
        ("contact by cones", "method = \"exact\"".to_string()),
        ("threshold, ε 1e-3 F/Z", penalty("law = \"threshold\", epsilon = 2e-3")),
    ];
    let trial = |(name, contact): (&str, String)| {
        CaseTrial::new(format!("{name}, symplectic-euler"), move |setting| {
            let force = DEEP as f64 * Q * A;
            let end = 2.0 * force / (Q * C);
            let text = bar(2 * DEEP + 50, 0.5, &contact, &[[-force, 0.0, 0.0]]);
            let mut rig = setting.stand_under("\"symplectic-euler\"", 2e-4, &text)?;
            let mut figures = Vec::new();
            for share in [0.25, 0.5, 0.75] {
                rig.until(share * end)?;
                let exact = (force - 0.5 * Q * C * rig.state.time) / Z;
                let name = format!("speed at {share} t*");
                let speed = mean_speed(&rig);
                figures.push(CaseFigure::absolute(name, "m/s", exact, speed, 0.01 * force / Z));
            }
            // until 1 % of the speed, which is the last 1 % of the time
            while mean_speed(&rig) > 0.01 * force / Z && rig.state.time < 2.0 * end {
                rig.advance()?;
            }
            let (time, last) = (rig.state.time, 0.99 * end);
            figures.push(CaseFigure::relative("time to 1 % of the speed", "s", last, time, 0.005));
            rig.until(1.1 * end)?;
            let (way, whole) = (pulled_by(&rig), force * force / (Q * EA));
            figures.push(CaseFigure::relative("way of the end", "m", whole, way, 0.01));
            Ok(figures)
        })
    };
    variants.into_iter().map(trial).collect()
}

/// Mean speed along −x of the particles between a tenth and eight tenths of the distance to the
/// front, which have moved all the time \[m/s\].
fn mean_speed(rig: &Rig) -> f64 {
    let front = C * rig.state.time / A;
    let (from, to) = ((0.1 * front) as usize, (0.8 * front) as usize + 1);
    let speeds = &rig.state.velocities[from..to.min(rig.state.velocities.len())];
    -speeds.iter().map(|v| v.x).sum::<f64>() / speeds.len() as f64
}

/// Number of springs of the creeping bar, and its friction rate λ = μ g/ε divided by √(k/m).
const CELLS: usize = 40;
const OVERDAMPED: f64 = 4.0;

/// Displacement of the pulled end of an infinitely long bar, over F L/EA, at τ = D t/L².
fn half_space(tau: f64) -> f64 {
    2.0 * sqrt(tau / PI)
}

/// As `half_space`, for a bar of length L.
fn finite(tau: f64) -> f64 {
    let term = |n: f64| exp(-n * n * PI * PI * tau) / (n * n);
    tau + 1.0 / 3.0 - 2.0 / (PI * PI) * (1..=20).map(|n| term(n.into())).sum::<f64>()
}

/// q u̇/ε = EA u'', with EA u' = −F at the pulled end and 0 at the other; D = EA ε/q. Half-space:
/// u(0) = (F/EA) 2 √(D t/π). Length L: u(0) = (F L/EA) (D t/L² + 1/3 − (2/π²) Σ e^{−n²π²Dt/L²}/n²).
fn creeping() -> Vec<CaseTrial> {
    let epsilon = MU * G / (OVERDAMPED * sqrt(STIFFNESS / MASS));
    let diffusion = EA * epsilon / Q;
    let length = CELLS as f64 * A;
    let trial = move |(name, make, penalty): Made, method: &'static str, h: f64| {
        CaseTrial::new(format!("{name}{}", label(method)), move |setting: &RigSetting| {
            // less than the friction of the half particle at the pulled end
            let force = 0.3 * Q * A;
            let friction = format!("law = \"threshold\", epsilon = {epsilon:e}");
            let contact = penalty(&friction);
            let text = make(CELLS + 1, 0.0, &contact, &[[-force, 0.0, 0.0]]);
            let mut rig = setting.stand_under(method, h, &text)?;
            let mut figures = Vec::new();
            for share in [0.01, 0.03, 0.1, 0.3, 1.0] {
                rig.until(share * length * length / diffusion)?;
                let tau = rig.state.time * diffusion / (length * length);
                let spread = if share < 0.05 { half_space(tau) } else { finite(tau) };
                let exact = force * length / EA * spread;
                let (name, way) = (format!("end at {share} L²/D"), pulled_by(&rig));
                figures.push(CaseFigure::relative(name, "m", exact, way, 0.01));
                if share == 0.01 {
                    let rigid = epsilon * force / (Q * length) * rig.state.time;
                    let name = "as a multiple of the rigid body's";
                    figures.push(CaseFigure::relative(name, "", 11.2838, way / rigid, 0.01));
                }
            }
            Ok(figures)
        })
    };
    vec![
        trial(("", bar, penalty), "\"symplectic-euler\"", 1e-4),
        trial(("", bar, penalty), "\"implicit-euler\"", 5e-4),
        trial(("elements, ", solid, penalty_below), "\"implicit-euler\"", 5e-4),
    ]
}
