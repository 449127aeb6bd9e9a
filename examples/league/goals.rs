//! The goals of the league, one by one. None depends on the speed of the machine.

use super::rows::{RIGID_EXACT, Row, SLIDE, STOP};
use super::runs::{Ran, run, sets};
use stiction_core::diagnosis::friction_limit::AboveLimit;
use stiction_core::diagnosis::watch::Reason;
use stiction_core::math::{radians, sqrt, tan};

/// A goal, what was found, and whether it was reached.
pub struct Goal {
    pub what: String,
    pub found: String,
    pub reached: bool,
}

fn goal(what: impl Into<String>, found: impl Into<String>, reached: bool) -> Goal {
    Goal { what: what.into(), found: found.into(), reached }
}

/// The rows in which nothing should move.
pub const HOLDING: [&str; 4] = ["A", "D", "E", "F"];

/// The goal of a value below `most` in magnitude, in a run without fault.
fn nothing(what: String, found: f64, most: f64, unit: &str, ran: &Ran) -> Goal {
    let reached = found.abs() < most && ran.verdict.faultless();
    goal(what, format!("{found:.1e} {unit}, {}", ran.verdict.marks()), reached)
}

/// The goal of a value within `most` of a closed form, relative to it, in a run without fault.
fn close(what: impl Into<String>, found: f64, right: f64, most: f64, ran: &Ran) -> Goal {
    let error = found / right - 1.0;
    let text = format!("{found:.9e} for {right:.9e}, off by {error:.1e}, {}", ran.verdict.marks());
    goal(what, text, error.abs() <= most && ran.verdict.faultless())
}

/// A, D, E and F hold without any creep under a law with memory and by cones, and creep as the
/// closed form says under the threshold law.
pub fn holding() -> Vec<Goal> {
    let mut goals = Vec::new();
    for letter in HOLDING {
        let row = Row::of(letter);
        for (contestant, name) in
            [(2, "cundall-strack, soft"), (3, "cundall-strack, rigid"), (4, "exact, soft")]
        {
            let Some(ran) = row.play(contestant) else { continue };
            let what = format!("{letter} {name}: no creep, below 1e-9 µm/s");
            goals.push(nothing(what, row.read(&ran), 1e-9, "µm/s", &ran));
        }
        let ran = row.play(0).expect("all rows have a soft threshold run");
        let slope = 1e-3 * tan(radians(15.0));
        let right = match letter {
            "A" => slope / 0.5,
            "D" => 1e-3 * 9.81 / 20.0,
            // the force of each finger is the scene's own; the law's creep is taken under this
            // force
            "E" => -ran.lawful_creep().unwrap_or(f64::NAN),
            _ => slope / 0.8,
        };
        let what = format!("{letter} threshold, soft: the law's own creep, to 1e-6");
        goals.push(close(what, 1e-6 * row.read(&ran), right, 1e-6, &ran));
    }
    goals
}

/// Goals known to be missed: the rigid twin under cones holds, but its positions are rounded anew
/// with every step, and its contacts share a load so unevenly that some give way before μ_s.
pub fn missing() -> Vec<Goal> {
    let drifting = HOLDING.iter().filter_map(|letter| {
        let row = Row::of(letter);
        let ran = row.play(5)?;
        let what = format!("{letter} exact, rigid: no creep, below 1e-9 µm/s");
        Some(nothing(what, row.read(&ran), 1e-9, "µm/s", &ran))
    });
    drifting.chain([arrives("exact, rigid", RIGID_EXACT)]).collect()
}

/// B and C on the soft box, under both laws and by cones.
pub fn sliding() -> Vec<Goal> {
    let [holds, slides, stops] = [Row::of("B μ .50"), Row::of("B μ .49"), Row::of("C")];
    let mut goals = Vec::new();
    for (contestant, name) in [(0, "threshold"), (2, "cundall-strack")] {
        let ran = slides.play(contestant).expect("a run");
        let way = slides.read(&ran);
        goals.push(close(
            format!("B μ .49, {name}, soft: Coulomb's way, to 1e-5"),
            way,
            SLIDE,
            1e-5,
            &ran,
        ));
        if contestant == 0 {
            // the box is released while it creeps at ε
            let what = "B μ .49, threshold, soft: the law's own way ε t + a t²/2, to 1e-6";
            goals.push(close(what, way, SLIDE + 1e-6 * 2.5, 1e-6, &ran));
        }
        let ran = stops.play(contestant).expect("a run");
        let way = ran.growth("way", [0.0, 0.8]);
        goals.push(close(
            format!("C, {name}, soft: the stopping distance, to 1e-5"),
            way,
            STOP,
            1e-5,
            &ran,
        ));
    }
    let ran = holds.play(2).expect("a run");
    let what = "B μ .50, cundall-strack, soft: moves less than 2e-7 mm".to_string();
    goals.push(nothing(what, holds.read(&ran), 2e-7, "mm", &ran));
    goals
}

/// H: creep and stopping distance at a step and at 100 times it.
pub fn steps() -> Vec<Goal> {
    let within = |what: &str, read: &dyn Fn(&str) -> f64| {
        let [fine, coarse] = [read("time.step=1e-4"), read("time.step=1e-2")];
        let ratio = coarse / fine;
        let found = format!("{fine:.6e} at 1e-4 s, {coarse:.6e} at 1e-2 s: × {ratio:.6}");
        goal(what, found, (ratio - 1.0).abs() <= 0.01)
    };
    vec![
        within("H creep of A, threshold, soft: the same within 1 % over h × 100", &|step| {
            let row = Row::of("A");
            row.read(&run(row.scene, &sets(&[step])))
        }),
        within("H stopping distance of C, threshold, soft: within 1 % over h × 100", &|step| {
            run(Row::of("C").scene, &sets(&[step])).at("way", 0.8)
        }),
    ]
}

/// A run of 4,000 steps of scene A under rk4 with so small an ε that friction limits the step.
fn explicit(step: f64) -> Ran {
    let time = [("step", 1.0), ("output", 400.0), ("end", 4000.0)];
    let mut words = sets(&["contact.friction.epsilon=1e-5", "integrator.method=rk4"]);
    words.extend(time.map(|(key, steps)| format!("time.{key}={:e}", steps * step)));
    words.push("expect.creep.tolerance=1".into());
    run(Row::of("A").scene, &words)
}

/// J: the first step that is too large for friction is named.
pub fn warnings() -> Vec<Goal> {
    let limit = |ran: &Ran| {
        let above = ran.verdict.reasons.iter().find_map(Reason::numbers::<AboveLimit>);
        above.map(|above| above.largest_step)
    };
    // whole picoseconds, so that `end` is a multiple of the step
    let rounded = |step: f64| (step * 1e12).round() * 1e-12;
    let Some(largest) = limit(&explicit(2e-6)) else {
        return vec![goal("J names a step above the friction limit", "not at 2e-6 s", false)];
    };
    let below = explicit(rounded(0.95 * largest));
    let mut goals = vec![goal(
        format!("J rk4 at 0.95 of the friction limit, {largest:.3e} s: no complaint"),
        below.verdict.marks(),
        below.verdict.faultless(),
    )];
    for factor in [1.05, 1.5, 10.0] {
        let ran = explicit(rounded(factor * largest));
        let reached = limit(&ran).is_some();
        goals.push(goal(
            format!("J rk4 at {factor} times the limit: named"),
            ran.verdict.marks(),
            reached,
        ));
    }
    goals
}

/// μ_s and μ_k as delivered: the largest friction before a box gives way, and the friction while it
/// slides, over its weight.
fn arrives(name: &str, words: &[&str]) -> Goal {
    let ran = run("scenes/league/s_breaks_away.toml", &sets(words));
    let friction = ran.values("friction");
    let most = friction.iter().copied().fold(0.0, f64::max) / 9.81;
    let last = friction[friction.len() - 1] / 9.81;
    let within = (most / 0.6 - 1.0).abs() < 2e-3 && (last / 0.3 - 1.0).abs() < 2e-3;
    goal(
        format!("μ_s .6 and μ_k .3, {name}: both within .2 %"),
        format!("{most:.5} and {last:.5}, {}", ran.verdict.marks()),
        within && ran.verdict.faultless(),
    )
}

/// Both coefficients on the soft box.
pub fn delivered() -> Vec<Goal> {
    // a stretch softer than the box: the box's own weight spreads its base, which would strain a
    // stiff law before any load
    let stretch = [
        "contact.friction.law=cundall-strack",
        "contact.friction.stiffness=1e3",
        "contact.friction.damping=10",
    ];
    vec![arrives("threshold, soft", &[]), arrives("cundall-strack, soft", &stretch)]
}

/// I: the restitution found for e = .5, by the height of the bounce, and its run.
pub fn restitution(words: &[&str]) -> (f64, Ran) {
    let ran = run("scenes/league/i_bounces.toml", &sets(words));
    let heights = ran.values("height");
    let bounced = &heights[heights.len() * 4 / 5..];
    let peak = bounced.iter().copied().fold(0.0, f64::max) - 0.1;
    (sqrt(peak / 0.5), ran)
}

/// I within .1 %.
pub fn bounces() -> Vec<Goal> {
    let (e, ran) = restitution(&[]);
    vec![close("I restitution .5, penalty: within .1 %", e, 0.5, 1e-3, &ran)]
}

/// How a contestant pushes the box of G over.
pub const PUSHES: [(&str, &[&str]); 4] = [
    ("threshold, soft", &[]),
    (
        "threshold, rigid",
        &[
            "body.box.rigid=true",
            "integrator.method=rk4",
            "time.step=1e-4",
            "contact.normal.damping=1000",
        ],
    ),
    (
        "cundall-strack, soft",
        &[
            "contact.friction.law=cundall-strack",
            "contact.friction.stiffness=1e5",
            "contact.friction.damping=50",
        ],
    ),
    (
        "exact, rigid",
        &[
            "body.box.rigid=true",
            "contact.method=exact",
            "integrator.method=symplectic-euler",
            "time.step=1e-3",
        ],
    ),
];

/// By statics, the outcome of a push: μ, height \[m\], and what happens.
const FATES: [(f64, f64, &str); 8] = [
    (0.3, 0.8, "SLIDE"),
    (0.3, 0.9, "SLIDE"),
    (0.3, 1.1, "TIP"),
    (0.3, 1.2, "TIP"),
    (0.5, 0.4, "SLIDE"),
    (0.5, 0.5, "SLIDE"),
    (0.5, 0.7, "TIP"),
    (0.5, 0.8, "TIP"),
];

/// The first to happen: a tilt of 10°, or a base that has moved .1 m.
fn fate(friction: f64, height: f64, words: &[&str]) -> &'static str {
    let weight = 98.1;
    let (slide, tip) = (friction * weight, weight * 0.3 / height);
    let force = 1.05 * if slide < tip { slide } else { tip };
    let mut words = sets(words);
    words.push(format!("materials.rubber.static_friction={friction}"));
    words.push(format!("push.0.where.nearest=[-0.3, 0, {height}]"));
    words.push(format!("push.0.force=[{force}, 0, 0]"));
    words.push("time.end=3.5".into());
    let ran = run("scenes/league/g_tips_or_slides.toml", &words);
    let moments = ran.values("tilt").into_iter().zip(ran.values("base"));
    let first = moments.into_iter().find_map(|(tilt, base)| match (tilt > 10.0, base > 0.1) {
        (true, _) => Some("TIP"),
        (_, true) => Some("SLIDE"),
        _ => None,
    });
    first.unwrap_or("STAY")
}

/// G: all verdicts of a push.
pub fn verdicts() -> Vec<Goal> {
    let pushes = PUSHES.iter().map(|(name, words)| {
        let wrong: Vec<String> = FATES
            .iter()
            .filter_map(|&(friction, height, right)| {
                let found = fate(friction, height, words);
                (found != right).then(|| format!("μ {friction} at {height} m: {found}"))
            })
            .collect();
        let found = if wrong.is_empty() { "all right".into() } else { wrong.join(", ") };
        goal(format!("G {name}: tips or slides, eight pushes"), found, wrong.is_empty())
    });
    pushes.collect()
}
